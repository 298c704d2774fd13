"""The skills of the book (RN3-SKL) and its tactics (RN3-TAC), by the chapter they bend."""

from oriflamme.games.rn3.moments import book
from oriflamme.games.rn3.skills import command, melee, movement, mystics, shooting, tactics

__all__ = ["book"]

book.complete(command, melee, movement, mystics, shooting, tactics)
