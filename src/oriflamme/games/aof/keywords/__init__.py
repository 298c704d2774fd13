"""The special rules of the book (AOF-SR) and the staff upgrades (AOF-STAFF), by the chapter they bend."""

from oriflamme.games.aof.keywords import attack, magic, melee, morale, movement, muster, staff
from oriflamme.games.aof.moments import book

__all__ = ["book"]

book.complete(attack, magic, melee, morale, movement, muster, staff)
