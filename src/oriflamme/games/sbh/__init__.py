"""Song of Blades and Heroes: single fighters, three sticks, and the gamble of one to three dice."""

from oriflamme.games.sbh.game import game as game
