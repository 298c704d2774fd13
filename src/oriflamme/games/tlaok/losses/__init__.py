"""Losses (TLAOK-WOUND, TLAOK-HEAL, TLAOK-MORALE): wounds, stands that fall and come back, regiments that break."""
