"""Exact odds of Rag'Narok 3, from the very functions that play it."""
