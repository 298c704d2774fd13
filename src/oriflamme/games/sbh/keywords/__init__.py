"""The special rules of fighters (SBH-SR), of magic items (SBH-ITEM) and of whole bands (SBH-UPG)."""

from oriflamme.games.sbh.keywords import fighters, items, upgrades
from oriflamme.games.sbh.moments import book, upgrade_book

__all__ = ["book", "upgrade_book"]

book.complete(fighters, items)
upgrade_book.complete(upgrades)
