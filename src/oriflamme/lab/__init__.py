"""Many battles: programs play each other, and what comes of it is counted."""

from oriflamme.lab.battle import Result, play_battle, play_on, players

__all__ = ["Result", "play_battle", "play_on", "players"]
