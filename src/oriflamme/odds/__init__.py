"""Exact odds, from the same rule code that plays. What a game makes of them is in its own folder."""

from oriflamme.odds.distribution import Distribution, Estimate

__all__ = ["Distribution", "Estimate"]
