"""Armies on paper (TLAOK-PROF, TLAOK-BUILD): factions, lists, what may be bought, what it costs."""
