"""The 66 special rules of the book (TLAOK-SR), by the chapter they bend."""

from oriflamme.games.tlaok.keywords import heroic, holding, moving, striking
from oriflamme.games.tlaok.moments import book

__all__ = ["book"]

book.complete(heroic, holding, moving, striking)
