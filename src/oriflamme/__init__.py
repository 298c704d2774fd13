"""Oriflamme plays fantasy miniature wargames with every rule enforced, explained and counted."""

__version__ = "0.1.0"
