"""Cases: how the scene of a case is laid, and what its sentences may say, whatever the game."""
