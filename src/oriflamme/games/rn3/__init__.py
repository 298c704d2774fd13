"""Rag'Narok 3: companies of units round their leaders, orders and reactions, one pool of dice for a whole turn."""

from oriflamme.games.rn3.game import game as game
