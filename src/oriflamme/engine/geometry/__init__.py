"""Bases on a table: distances, places, ways and lines of sight, exact."""
