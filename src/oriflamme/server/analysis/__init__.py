"""Analysis over HTTP: a scene comes in, what may be said about it goes out. Nothing of it is kept."""
