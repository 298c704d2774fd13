"""What every picture says, whatever the game, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.picture.shown import PoolShown, StateShown, UnitShown
from oriflamme.engine.picture.signs import Signs
from oriflamme.engine.table.maps import KINDS, MEASURES, TRAITS
from oriflamme.engine.table.pieces import Piece
from oriflamme.engine.words.wording import Wording

WORDS: Final = Wording(Path(__file__).parent / "text", "words")


def words(lang: str) -> Mapping[str, Any]:
    """The words of a picture in that language; English when it is not known."""
    return WORDS.of(lang)


def state_words(signs: Signs, state: StateShown, lang: str) -> str:
    """A state as people say it, with its number if it has one."""
    word = signs.word("state", state.id, lang)
    return f"{word} {state.number}" if state.number > 1 else word


def pool_text(pool: PoolShown) -> str:
    """How many are left, and of how many where some are spent."""
    return f"{pool.left}/{pool.left + pool.used}" if pool.used else f"{pool.left}"


def pool_words(signs: Signs, pool: PoolShown, lang: str) -> str:
    """What a unit has to spend, as people say it."""
    return f"{signs.word('pool', pool.kind, lang)} {pool.left}/{pool.left + pool.used}"


def waiting_words(signs: Signs, unit: UnitShown, lang: str) -> str:
    """Where a unit that is not on the table waits."""
    return signs.word("reserve", unit.reserve or "", lang, words(lang)["reserve"])


def fate_words(signs: Signs, unit: UnitShown, lang: str) -> str:
    """What became of a unit that has no figures left."""
    return signs.word("fate", unit.fate, lang, words(lang)["destroyed"])


# -- lengths -----------------------------------------------------------------------------------------------------------


def shown_measure(measure: str) -> str:
    """The measure a picture is marked in: nobody reads a table in millimetres."""
    return "in" if measure == "in" else "cm"


def length_text(length: float, measure: str) -> str:
    """A length as a picture says it."""
    shown = shown_measure(measure)
    number = f"{length / MEASURES[shown]:.3g}"
    return f'{number}"' if shown == "in" else f"{number} {shown}"


# -- terrain -----------------------------------------------------------------------------------------------------------


def kind_name(kind: str, lang: str) -> str:
    known = KINDS.get(kind)
    return kind if known is None else known.name.get(lang) or known.name["en"]


def trait_words(piece: Piece, lang: str) -> list[str]:
    """What a piece of terrain does, in words."""
    said = words(lang)
    known = [said[trait] for trait in TRAITS if trait in piece.traits]
    for trait in sorted(piece.traits.difference(TRAITS)):
        word, _, number = trait.partition(" ")
        known.append(f"{said.get(word, word)} {number}".strip())
    if piece.levels:
        known.insert(0, said["heights" if piece.levels[0] > 0 else "depths"])
    if piece.size_class:
        known.insert(0, f"{said['size']} {piece.size_class}")
    known += [said[kind] for kind in dict.fromkeys(slope.kind for slope in piece.slopes)]
    return known or [said["open"]]


def piece_title(piece: Piece, lang: str, measure: str = "in") -> str:
    """What a piece of terrain is: `Forest: cover, difficult; 4" high`."""
    said = words(lang)
    traits = ", ".join(trait_words(piece, lang))
    high = f"; {length_text(piece.height, measure)} {said['high']}" if piece.height > TOLERANCE else ""
    return f"{kind_name(piece.kind, lang)}: {traits}{high}"
