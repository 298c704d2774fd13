"""Combat (TLAOK-VOLLEY, TLAOK-CLASH, TLAOK-INCOMBAT, TLAOK-STRAND): shots, blows, and moves while engaged."""
