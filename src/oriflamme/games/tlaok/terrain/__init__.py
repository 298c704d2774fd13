"""The battlefield (TLAOK-FIELD, TLAOK-TERR, TLAOK-ZONE, TLAOK-LOS): terrain, and who sees whom over it."""
