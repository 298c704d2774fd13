"""What somebody needs who has never played: first battles with hints, a captain who deploys, a page for each game."""
