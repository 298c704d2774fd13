"""The 66 special rules of the book (TLAOK-SR), by the chapter they bend."""

from oriflamme.games.tlaok.keywords import heroic, holding, moving, striking

__all__ = ["heroic", "holding", "moving", "striking"]
