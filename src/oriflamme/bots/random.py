"""The player without an opinion, who plays every game."""

from oriflamme.engine.core.bots import RandomBot as RandomBot
