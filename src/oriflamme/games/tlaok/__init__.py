"""Conquest, The Last Argument of Kings: regiments in ranks, hidden command stacks, reinforcements round by round."""

from oriflamme.games.tlaok.game import game as game
