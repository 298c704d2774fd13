"""Characters (TLAOK-CHAR, TLAOK-DUEL, TLAOK-MAGIC): their actions, duels, spells, and the Warlord's abilities."""
