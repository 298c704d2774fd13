"""The round (TLAOK-ROUND to TLAOK-VICT): its phases, activations, draw events, and how the battle is won."""
