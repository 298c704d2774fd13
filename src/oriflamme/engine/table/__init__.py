"""The table: its pieces of terrain, and the maps they come from."""
