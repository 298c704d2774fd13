"""Armies: what the sheets of a faction hold, what a list may choose, and what it comes to (LFW-ARMY, LFW-SPEC)."""
