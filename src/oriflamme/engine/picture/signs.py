"""The signs of a game: what its states, tokens, looks and borders are called, and how they are drawn.

A game keeps them in its own folder:

    picture.toml            which there are, and how each is drawn
    icons/<name>.svg        icons of its own; those of every game are in `engine/picture/icons`
    text/<lang>/labels.toml what they are called: [label.state], [label.token], [label.look], [label.border],
                            [label.area], [label.pool], and [label.reserve], [label.fate] for units off the table,
                            [label.reason] for what bots say, [label.landmark] place_of_power for a piece worth holding

    [state.shaken]          # in picture.toml, the most pressing state first
    icon = "wavering"
    tone = "alarm"

    [token.ambush]
    corners = 8
    letter = "?"

Whatever has no sign is still shown: by the first letter of its word.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal
from xml.etree import ElementTree

import msgspec

from oriflamme.engine.words.sentences import LANGUAGES

_SHARED: Final = Path(__file__).parent / "icons"

# What a badge is filled with. Ink is legible on all of them.
Tone = Literal["plain", "alarm", "hurt", "sick", "held", "tired", "gold", "done"]
TONES: Final[Mapping[str, str]] = {
    "plain": "#fffaf0",
    "alarm": "#f2b233",
    "hurt": "#f0b3a6",
    "sick": "#b9d99b",
    "held": "#b9d4e8",
    "tired": "#c9b8e0",
    "gold": "#f6dd8a",
    "done": "#dfe8d2",
}

CHAPTERS: Final = ("state", "token", "look", "border", "area", "pool", "reserve", "fate", "reason", "landmark")


class StateSign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a state is shown: a badge, a disc or a drop with an icon in it, and perhaps how the unit itself is drawn.

    `drawn`: the figure lies on its base, is nailed to it, or a crack runs through the ranks. `beside` puts the badge
    beside a single figure, at a place that is always the same. A unit whose state is `done` has acted: its name is
    dimmed. `explained` states stand in a legend even while nobody is in them. In characters a state has a `letter`, and
    one that is `marked` has it on the table itself.
    """

    icon: str = ""
    tone: Tone = "plain"
    rim: Literal["disc", "drop"] = "disc"
    drawn: Literal["", "lying", "nailed", "cracked"] = ""
    beside: bool = False
    done: bool = False
    explained: bool = False
    letter: str = ""
    marked: bool = False


class TokenSign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a token is shown: a form with so many corners, turned by so many degrees, and on it an icon or a letter.

    Without a letter of its own it has the first of its name. A `template` is a disc that one sees through, with a cross
    in its middle; it lies over the figures, and is shown also while it is laid (`about` of a placing: `kind` and
    `radius`).
    """

    icon: str = ""
    colour: str = "#fbf6e8"
    corners: int = 24
    turn: float = 0.0
    letter: str = ""
    template: bool = False


class PoolSign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a pool is shown on the plate of a unit: what its token is filled with, and an icon on it."""

    icon: str = ""
    tone: Tone = "plain"


class LookSign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The icon of a look. Looks that all games know have theirs in the pages."""

    icon: str


class BorderSign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a line across the table is drawn: as a strong edge, or thin and broken; with its name beside it or not."""

    line: Literal["strong", "thin"] = "strong"
    named: bool = False


class _Declared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `picture.toml`."""

    state: dict[str, StateSign] = {}
    token: dict[str, TokenSign] = {}
    look: dict[str, LookSign] = {}
    border: dict[str, BorderSign] = {}
    pool: dict[str, PoolSign] = {}


class Icon(msgspec.Struct, frozen=True):
    """A drawing in one colour, `currentColor`: its box and its shapes, as SVG."""

    box: str
    shapes: str


class Signs:
    """All signs of one game, with their words."""

    def __init__(self, folder: Path | None) -> None:
        declared = _declared(folder)
        self.states: Mapping[str, StateSign] = declared.state
        self.tokens: Mapping[str, TokenSign] = declared.token
        self.looks: Mapping[str, LookSign] = declared.look
        self.borders: Mapping[str, BorderSign] = declared.border
        self.pools: Mapping[str, PoolSign] = declared.pool
        self.words = {chapter: _words(folder, chapter) for chapter in CHAPTERS}
        drawn: list[StateSign | TokenSign | LookSign | PoolSign] = [
            *declared.state.values(),
            *declared.pool.values(),
            *declared.token.values(),
            *declared.look.values(),
        ]
        self.icons = {name: _icon(folder, name) for name in sorted({sign.icon for sign in drawn} - {""})}

    def state(self, id: str) -> StateSign:
        return self.states.get(id, _PLAIN_STATE)

    def token(self, kind: str) -> TokenSign:
        return self.tokens.get(kind, _PLAIN_TOKEN)

    def border(self, kind: str) -> BorderSign:
        return self.borders.get(kind, _PLAIN_BORDER)

    def pool(self, kind: str) -> PoolSign:
        return self.pools.get(kind, _PLAIN_POOL)

    def word(self, chapter: str, id: str, lang: str, otherwise: str = "") -> str:
        """What something is called in that language; its id where the game has no word and nothing else is given."""
        said = self.words[chapter].get(id, {})
        return said.get(lang) or said.get("en") or otherwise or id

    def token_letter(self, kind: str, lang: str) -> str:
        """What is written on a token."""
        return self.token(kind).letter or self.word("token", kind, lang)[:1].upper()

    def in_order(self, states: Iterable[str]) -> list[str]:
        """States as they are declared, those without a sign last."""
        found = set(states)
        return [id for id in self.states if id in found] + sorted(found.difference(self.states))

    def beside(self) -> list[str]:
        """The states whose badge stands beside a single figure, each at its own place."""
        return [id for id, sign in self.states.items() if sign.beside]

    def data(self) -> dict[str, Any]:
        """Everything as plain data, for pages."""
        return {
            "states": {id: _with_tone(sign) for id, sign in self.states.items()},
            "tokens": {kind: msgspec.to_builtins(sign) for kind, sign in self.tokens.items()},
            "looks": {look: msgspec.to_builtins(sign) for look, sign in self.looks.items()},
            "borders": {kind: msgspec.to_builtins(sign) for kind, sign in self.borders.items()},
            "pools": {kind: _with_tone(sign) for kind, sign in self.pools.items()},
            "icons": {name: msgspec.to_builtins(icon) for name, icon in self.icons.items()},
            "words": self.words,
        }


_PLAIN_STATE: Final = StateSign()
_PLAIN_TOKEN: Final = TokenSign()
_PLAIN_BORDER: Final = BorderSign()
_PLAIN_POOL: Final = PoolSign()


@cache
def signs_in(folder: Path | None) -> Signs:
    """The signs of the game in that folder."""
    return Signs(folder)


def _with_tone(sign: StateSign | PoolSign) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(sign)
    return data | {"colour": TONES[sign.tone]}


def _declared(folder: Path | None) -> _Declared:
    path = folder / "picture.toml" if folder is not None else None
    if path is None or not path.exists():
        return _Declared()
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Declared)


def _words(folder: Path | None, chapter: str) -> Mapping[str, Mapping[str, str]]:
    """What the game calls things, by id and language."""
    found: dict[str, dict[str, str]] = {}
    for lang in LANGUAGES if folder is not None else ():
        assert folder is not None
        path = folder / "text" / lang / "labels.toml"
        labels = tomllib.loads(path.read_text(encoding="utf-8"))["label"] if path.exists() else {}
        for id, word in labels.get(chapter, {}).items():
            found.setdefault(id, {})[lang] = word
    return found


# -- icons -------------------------------------------------------------------------------------------------------------

# What an icon may be made of: shapes and how they are painted, nothing that runs, refers or asks for anything.
_SHAPES: Final = ("g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon")
_ATTRIBUTE: Final = re.compile(
    r"d|points|[cr]?[xy]|r|[xy][12]|width|height|transform|fill(-rule|-opacity)?|opacity|"
    r"stroke(-width|-linecap|-linejoin|-dasharray|-opacity)?"
)


class BadIcon(ValueError):
    """An icon that cannot be drawn. A mistake of the game, found when its signs are first used."""


def _icon(folder: Path | None, name: str) -> Icon:
    own = folder / "icons" / f"{name}.svg" if folder is not None else None
    path = own if own is not None and own.exists() else _SHARED / f"{name}.svg"
    if not path.exists():
        raise BadIcon(f"no icon {name}.svg in {folder}/icons")
    return read_icon(path.read_text(encoding="utf-8"), path.name)


def read_icon(text: str, where: str = "icon") -> Icon:
    """An icon from the text of an SVG file; raises BadIcon where it is more than shapes."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise BadIcon(f"{where}: {error}") from None
    box = root.get("viewBox", "")
    if _tag(root) != "svg" or not re.fullmatch(r"-?[\d.]+( -?[\d.]+){3}", box):
        raise BadIcon(f"{where}: an <svg> with a viewBox of four numbers is expected")
    paint = {name: value for name, value in root.attrib.items() if name.startswith(("fill", "stroke"))}
    shapes = "".join(_shape(child, where) for child in root)
    return Icon(box, f"<g{_attributes(paint, where)}>{shapes}</g>" if paint else shapes)


def _shape(element: ElementTree.Element, where: str) -> str:
    tag = _tag(element)
    if tag not in _SHAPES:
        raise BadIcon(f"{where}: <{tag}> is not one of {', '.join(_SHAPES)}")
    inside = "".join(_shape(child, where) for child in element)
    return f"<{tag}{_attributes(element.attrib, where)}>{inside}</{tag}>"


def _attributes(attributes: Mapping[str, str], where: str) -> str:
    for name, value in attributes.items():
        if not _ATTRIBUTE.fullmatch(name) or not re.fullmatch(r"[\w\s.,#()+-]*", value) or "url" in value:
            raise BadIcon(f'{where}: {name}="{value}" is not a form or a colour')
    return "".join(f' {name}="{value}"' for name, value in attributes.items())


def _tag(element: ElementTree.Element) -> str:
    return str(element.tag).rpartition("}")[2]
