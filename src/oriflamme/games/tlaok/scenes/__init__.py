"""Cases of Conquest, by chapter: what their sentences mean."""
