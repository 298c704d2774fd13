"""What every wargame shares. Nothing in here knows a game."""
