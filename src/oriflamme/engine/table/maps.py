"""Maps: a table and its terrain as a TOML file, as plain data, or made from a seed.

A map knows no game. A forest has an outline, a height and traits; what they do is the business of each game:

    name = { en = "The hill", fr = "La colline" }
    size = [72, 48]

    [[piece]]
    kind   = "forest"
    at     = [12, 30]
    radius = 4

x runs to the right and y away from the near edge. `docs/maps.md` is the whole format.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from math import cos, hypot, pi, radians, sin, sqrt
from pathlib import Path
from typing import Any, Final

import msgspec

from oriflamme.engine.geometry.hexes import HexGrid
from oriflamme.engine.geometry.measure import CM, INCH, TOLERANCE, inches
from oriflamme.engine.geometry.shapes import Box, Outline, Point, segments_cross
from oriflamme.engine.table.inside_maps import Layout, read_boards, read_openings
from oriflamme.engine.table.insides import Opening
from oriflamme.engine.table.pieces import Piece, Slope, Table
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problems, Reader, closest, did_you_mean, problem_with, read_toml, wrong_kind
from oriflamme.engine.words.wording import Wording

LANGUAGES: Final = ("en", "fr")
MEASURES: Final[Mapping[str, float]] = {"in": INCH, "cm": CM, "mm": 1.0}

# What a piece of terrain may be, whatever the game; "blocking" is about sight, "impassable" about movement, "obstacle"
# about fighting across it, and from the edge of a "parapet" nobody falls. The second line is finer, for regiments.
TRAITS: Final = (
    "cover", "difficult", "dangerous", "blocking", "impassable", "obstacle", "parapet",
    "obscuring", "obstructing", "passable", "broken ground", "hindering", "perilous", "water", "garrison",
    "fortified", "luminous",
)  # fmt: skip
# Traits with a number behind them: "elevation 2".
GRADES: Final = ("elevation", "defence", "capacity")
MOST_GRADE: Final = 12

LEAST_SIDE: Final = inches(12)
MOST_SIDE: Final = inches(240)
MOST_HEIGHT: Final = inches(48)
FARTHEST: Final = 10_000
MOST_PIECES: Final = 400
MOST_POINTS: Final = 200
# How large a size class may be: a hill that counts twice is 6.
MOST_SIZE: Final = 6
# How wide a hex may be, in millimetres whatever the measure of the map, and how many a table may have.
LEAST_HEX: Final = 10
MOST_HEX: Final = 60
MOST_HEXES: Final = 20_000

SHIPPED: Final = Path(__file__).parents[2] / "maps"
# Tables for armies, for a few figures a side, for regiments, which need room to wheel, for companies of both, whose
# hills and obstacles have size classes, and for warbands, who climb roofs and enter houses.
SIZES: Final[Mapping[str, Path]] = {
    "battle": SHIPPED,
    "skirmish": SHIPPED / "skirmish",
    "regiments": SHIPPED / "regiments",
    "company": SHIPPED / "company",
    "warband": SHIPPED / "warband",
}


class Kind(msgspec.Struct, frozen=True):
    """A kind of terrain, and what a piece of it is unless its map says otherwise."""

    name: Mapping[str, str]
    height: float = 0.0
    traits: tuple[str, ...] = ()
    standable: bool = False
    """Figures may stand on top, at its height."""
    linear: bool = False
    """A line that can be defended from behind, whatever traits the piece is given."""


_TEXTS: Final = Path(__file__).parents[1] / "words" / "texts"
_NAMES: Final = Wording(_TEXTS, "terrain")


def _kind(id: str, height: float = 0.0, *traits: str, standable: bool = False, linear: bool = False) -> Kind:
    return Kind(_NAMES(id), inches(height), traits, standable, linear)


KINDS: Final[Mapping[str, Kind]] = {
    "forest": _kind("forest", 4, "cover", "difficult"),
    "thorns": _kind("thorns", 1, "difficult", "dangerous"),
    "hedge": _kind("hedge", 2, "cover", "difficult", "blocking", linear=True),
    "field": _kind("field", 1, "cover"),
    "hill": _kind("hill", 2, standable=True),
    "cliff": _kind("cliff", 4, "blocking", "impassable", standable=True),
    "rocks": _kind("rocks", 4, "blocking", "impassable"),
    "scree": _kind("scree", 0, "difficult"),
    "swamp": _kind("swamp", 0, "difficult"),
    "mire": _kind("mire", 0, "difficult", "dangerous"),
    "water": _kind("water", 0, "impassable"),
    "stream": _kind("stream", 0, "difficult"),
    "ford": _kind("ford", 0, "difficult"),
    "bridge": _kind("bridge", 0),
    "building": _kind("building", 5, "blocking", "impassable"),
    "ruin": _kind("ruin", 3, "cover", "difficult"),
    "graveyard": _kind("graveyard", 1, "cover", "difficult"),
    "wall": _kind("wall", 1, "cover", linear=True),
    "fence": _kind("fence", 1, "cover", "difficult", linear=True),
    "barricade": _kind("barricade", 1, "cover", "difficult", linear=True),
    "palisade": _kind("palisade", 3, "blocking", "impassable", linear=True),
    "pond": _kind("pond", 0, "difficult", "water"),
    "hollow": _kind("hollow", -2, standable=True),
    "floor": _kind("floor", 3, "blocking", standable=True),
    "masonry": _kind("masonry", 3, "blocking"),
    "partition": _kind("partition", 3, "blocking", "impassable"),
    "torch": _kind("torch", 1, "luminous"),
}

# Other words people use for a kind or a trait, so that the guess is better than a spelling hint.
_OTHER_WORDS: Final[Mapping[str, str]] = {
    "wood": "forest", "woods": "forest", "trees": "forest", "grove": "forest", "orchard": "forest", "foret": "forest",
    "brambles": "thorns", "briars": "thorns", "bush": "hedge", "railing": "fence", "crops": "field",
    "mound": "hill", "ridge": "hill", "crag": "cliff", "escarpment": "cliff", "bluff": "cliff",
    "boulder": "rocks", "boulders": "rocks", "rock": "rocks",
    "rubble": "scree", "marsh": "swamp", "bog": "mire", "quicksand": "mire", "river": "water", "lake": "water",
    "pool": "pond", "sea": "water", "brook": "stream", "creek": "stream", "shallows": "ford", "house": "building",
    "tower": "building", "church": "building", "ruins": "ruin", "cemetery": "graveyard", "stockade": "palisade",
    "rampart": "palisade", "pit": "hollow", "crater": "hollow", "brazier": "torch", "light": "torch",
    "storey": "floor", "platform": "floor", "inner_wall": "partition",
    "slow": "difficult", "deadly": "dangerous", "opaque": "blocking",
    "sight_blocking": "blocking", "sight-blocking": "blocking", "blocks_sight": "blocking", "solid": "impassable",
    "linear": "obstacle", "defensible": "obstacle", "bank": "obstacle", "railed": "parapet", "battlement": "parapet",
}  # fmt: skip


def is_obstacle(piece: Piece) -> bool:
    """A line that can be defended from behind: by its kind (a wall, a fence, …) or because the map says so."""
    kind = KINDS.get(piece.kind)
    return "obstacle" in piece.traits or (kind is not None and kind.linear)


class Map:
    """A table ready to be played on: its id, its name in both languages, and the data it was made from."""

    __slots__ = ("about", "data", "hexes", "id", "measure", "name", "table")

    def __init__(self, data: dict[str, Any], table: Table) -> None:
        self.id: str = data["id"]
        self.name: dict[str, str] = data["name"]
        self.about: dict[str, str] = data.get("about", {})
        self.measure: str = data["measure"]
        self.hexes: float = data.get("hexes", 0)
        """How wide its hexes are, in millimetres; 0 on an open table."""
        self.table = table
        self.data = data

    def grid(self) -> HexGrid | None:
        """The hexes it is divided into, if it is a hexagonal board."""
        return HexGrid(self.hexes, self.table.width, self.table.depth) if self.hexes else None

    def to_data(self) -> dict[str, Any]:
        """The whole map as plain data, every default written out: a save must not change when a default does."""
        return deepcopy(self.data)

    def to_toml(self) -> str:
        """The whole map as a file that `load_map` reads."""
        return _toml(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and self.data == other.data

    def __hash__(self) -> int:
        return hash((self.id, len(self.table.pieces)))

    def __repr__(self) -> str:
        return f"<Map {self.id}: {len(self.table.pieces)} pieces>"


def shipped_maps(size: str = "battle") -> tuple[str, ...]:
    """The ids of the maps that come with the program: for a "battle", a "skirmish", "regiments", a "company" or a
    "warband"."""
    return tuple(sorted(path.stem for path in SIZES[size].glob("*.toml")))


def load_map(name_or_path: str | os.PathLike[str]) -> Map:
    """A map by the name it ships under, by the name of a generated one (`generated_7`), or from a file."""
    name = os.fspath(name_or_path)
    if isinstance(name_or_path, str):
        shipped = {id: folder for size, folder in SIZES.items() for id in shipped_maps(size)}
        if name in shipped:
            return _read_map(shipped[name] / f"{name}.toml", f"{name}.toml")
        generated = re.fullmatch(r"generated_(-?\d{1,18})", name)
        if generated:
            return generate_map(int(generated[1]))
        company = re.fullmatch(r"generated_company_(-?\d{1,18})(?:_(\d{2,3})x(\d{2,3}))?", name)
        if company:
            seed, wide, deep = company.groups()
            return generate_company_map(int(seed), (int(wide), int(deep)) if wide else COMPANY_SIZE)
        if not name.endswith(".toml") and os.path.basename(name) == name and not os.path.exists(name):
            known = ", ".join(shipped)
            hint = did_you_mean(name, shipped) or notice("map_or_seed_or_file", maps=known)
            raise problem_with("map", notice("no_such", what="map", word=name), hint=hint)
    return _read_map(Path(name), name)


def _read_map(path: Path, shown: str) -> Map:
    return map_from_data(read_toml(path), shown)


# -- reading -----------------------------------------------------------------------------------------------------------


def map_from_data(data: object, where: str) -> Map:
    """The map that plain data describes, or everything that is wrong with it. `where` is what problems call it."""
    problems = Problems(where)
    top = Reader(data, problems)

    id = top.text("id", default=Path(where).stem or "map")
    name = _names(top, "name")
    about = _names(top, "about") if top.has("about") else None
    measure = top.choice("measure", MEASURES, what="measure", default="in")
    unit = MEASURES[measure]
    size = _positive_pair(top, "size")
    if size is not None:
        for number, side in enumerate(size, 1):
            if not LEAST_SIDE - TOLERANCE <= side * unit <= MOST_SIDE + TOLERANCE:
                least, most = _shown(LEAST_SIDE, measure), _shown(MOST_SIDE, measure)
                what = notice("table_is_from_to", side=_length(side, measure), least=least, most=most)
                top.problem(f"size[{number}]", what)

    hexes = _read_hexes(top, measure, size) if top.has("hexes") else 0

    entries = top.tables("piece", required=False)
    if len(entries) > MOST_PIECES:
        top.problem("piece", notice("too_many_pieces", number=len(entries), most=MOST_PIECES))
        entries = []
    written: list[tuple[Reader, dict[str, Any]]] = []
    used: dict[str, str] = {}
    for entry in entries:
        piece = _read_piece(entry, measure)
        if piece is None:
            continue
        if size is not None and "board" not in piece:
            _check_on_table(entry, outline_of(piece, unit), size, measure)
        _name_piece(entry, piece, used)
        written.append((entry, piece))
    shapes = {piece["id"]: outline_of(piece, unit) for _, piece in written}
    layout = Layout(unit, size or (0.0, 0.0), shapes, {piece["id"]: piece for _, piece in written})
    boards = read_boards(top.tables("board", required=False), layout, _read_shape, outline_of)
    pieces: list[Piece] = []
    for entry, piece in written:
        on = layout.place(entry, piece)
        if on:
            _check_on_table(entry, outline_of(piece, unit), layout.size_of(on), measure)
        pieces.append(_made_piece(piece, unit, *layout.offset(on)))
    openings = read_openings(top.tables("opening", required=False), layout, pieces)
    top.finish()
    problems.raise_if_any()

    assert size is not None
    whole: dict[str, Any] = {"id": id, "name": name}
    if about is not None:
        whole["about"] = about
    whole |= {"size": [_tidy(side) for side in size], "measure": measure}
    if hexes:
        whole["hexes"] = hexes
    whole["piece"] = [piece for _, piece in written]
    if boards:
        whole["board"] = layout.written_boards
    if openings:
        whole["opening"] = layout.written_openings
    return Map(whole, Table(size[0] * unit, size[1] * unit, layout.cut(pieces), boards, openings))


def _made_piece(piece: Mapping[str, Any], unit: float, dx: float, dy: float) -> Piece:
    outline, slopes = outline_of(piece, unit), slopes_of(piece, unit)
    if dx or dy:
        outline = outline.moved(dx, dy)
        slopes = [Slope(s.kind, s.ax + dx, s.ay + dy, s.bx + dx, s.by + dy) for s in slopes]
    return Piece(
        piece["id"],
        piece["kind"],
        outline,
        max(piece["height"], 0) * unit,
        piece["traits"],
        [level * unit for level in piece.get("levels", ())],
        piece.get("size_class", 0),
        slopes,
        piece.get("passable_for", ()),
    )


def _read_hexes(top: Reader, measure: str, size: tuple[float, float] | None) -> float:
    """How wide a hex is from side to side, in millimetres; 0 if that makes no board."""
    unit = MEASURES[measure]
    found = top.value("hexes")
    if not _is_plain_number(found):
        top.problem("hexes", wrong_kind(notice("a_hex_width"), found), hint=notice("hexes_for_example"))
        return 0
    if not LEAST_HEX <= found <= MOST_HEX:
        meant = round(found * unit, 2)
        wide = LEAST_HEX <= meant <= MOST_HEX
        hint = notice("did_you_mean_number", guess=_tidy(meant)) if wide else notice("no_hexes_on_open_table")
        what = notice("hex_is_from_to", width=_tidy(found), least=LEAST_HEX, most=MOST_HEX)
        top.problem("hexes", what, hint=hint)
        return 0
    if size is not None:
        number = round(size[0] * size[1] * unit * unit / (found * found * sqrt(3) / 2))
        if number > MOST_HEXES:
            what = notice("too_many_hexes", number=number, width=_tidy(found), most=MOST_HEXES)
            top.problem("hexes", what, hint=notice("wider_hexes"))
    return _tidy(found)


def _names(top: Reader, key: str) -> dict[str, str]:
    """A text in both languages; a single text serves for both."""
    if not isinstance(top.value(key, ""), Mapping):
        return dict.fromkeys(LANGUAGES, top.text(key))
    table = top.table(key)
    return {language: table.text(language) for language in LANGUAGES}


def _positive_pair(reader: Reader, key: str) -> tuple[float, float] | None:
    numbers = reader.numbers(key, count=2, high=FARTHEST)
    if len(numbers) != 2 or len(reader.value(key)) != 2:
        return None
    for number, value in enumerate(numbers, 1):
        if value <= 0.0:
            reader.problem(f"{key}[{number}]", wrong_kind(notice("a_number_above_none"), _tidy(value)))
            return None
    return numbers[0], numbers[1]


def _positive(reader: Reader, key: str) -> float | None:
    value = reader.number(key, high=FARTHEST)
    if value <= 0.0:
        if _is_plain_number(reader.value(key)):
            reader.problem(key, wrong_kind(notice("a_number_above_none"), _tidy(value)))
        return None
    return value


def _read_piece(entry: Reader, measure: str) -> dict[str, Any] | None:
    """One piece with every default written out; None if it cannot be made."""
    entry.has("id")
    kind_id: str | None = None
    if entry.has("kind"):
        kind_id = _word(entry, "kind", entry.value("kind"), KINDS, "kind of terrain")
    else:
        entry.text("kind")
    shape = _read_shape(entry, MEASURES[measure])
    height = _read_height(entry, measure, kind_id) if entry.has("height") else None
    traits = _read_traits(entry) if entry.has("traits") else None
    levels = _read_levels(entry, measure, kind_id) if entry.has("levels") else None
    size_class = entry.integer("size_class", low=1, high=MOST_SIZE, default=0)
    sides = {key: _read_sides(entry, key, shape) for key in ("slopes", "stairs") if entry.has(key)}
    if kind_id is None or shape is None:
        return None

    kind = KINDS[kind_id]
    if height is None:
        height = round(kind.height / MEASURES[measure], 4)
    if levels is None:
        levels = [height] if kind.standable and height else []
    for number, level in enumerate(levels, 1):
        if level > height:
            what = notice("level_above_piece", level=_length(level, measure), height=_length(height, measure))
            entry.problem(f"levels[{number}]", what)
    piece: dict[str, Any] = {"id": "", "kind": kind_id, **shape, "height": _tidy(height)}
    said = kind.traits if traits is None else traits
    piece["traits"] = [trait for trait in TRAITS if trait in said] + sorted(t for t in said if t not in TRAITS)
    if levels:
        piece["levels"] = [_tidy(level) for level in sorted(levels)]
    if size_class:
        piece["size_class"] = size_class
    if any(sides.values()) and not levels:
        entry.problem("", notice("slope_to_nowhere"), hint=notice("give_a_level"))
    if entry.has("board"):
        piece["board"] = entry.text("board")
    if entry.has("passable_for"):
        piece["passable_for"] = sorted(entry.texts("passable_for"))
    return piece | {key: numbers for key, numbers in sides.items() if numbers}


def _read_sides(entry: Reader, key: str, shape: Mapping[str, Any] | None) -> list[int]:
    """The numbers of the sides of a shape, counted from 1; "all" of them, which a round one may have too."""
    if shape is None:
        return []
    if entry.value(key) == "all":
        return [0] if "radius" in shape else list(range(1, _number_of_sides(shape) + 1))
    if "radius" in shape and entry.value(key) == [0]:
        return [0]
    if "radius" in shape:
        entry.problem(key, notice("no_sides_round"), hint=notice("give_an_outline"))
        return []
    return sorted(set(entry.integers(key, low=1, high=_number_of_sides(shape))))


def _number_of_sides(shape: Mapping[str, Any]) -> int:
    return len(shape["outline"]) if "outline" in shape else 4


def _word(entry: Reader, key: str, found: object, known: Sequence[str] | Mapping[str, Any], what: str) -> str | None:
    """A word out of a closed set, with a guess that also knows other words for the same thing."""
    if isinstance(found, str) and found in known:
        return found
    if not isinstance(found, str) or not found.strip():
        example = notice("for_example", example=next(iter(known)))
        entry.problem(key, wrong_kind(notice("a_word_for", what=what), found), hint=example)
        return None
    other = _OTHER_WORDS.get(found.strip().lower())
    if other in known and closest(found, known) is None:
        entry.problem(key, notice("no_such", what=what, word=found), hint=notice("did_you_mean", guess=other))
    else:
        entry.unknown(key, found, known, what=what)
    return None


def _read_traits(entry: Reader) -> list[str] | None:
    found = entry.value("traits")
    if not isinstance(found, list):
        entry.problem("traits", wrong_kind(notice("a_list_of_traits"), found))
        return None
    read = (_read_trait(entry, f"traits[{number}]", word) for number, word in enumerate(found, 1))
    return [trait for trait in read if trait is not None]


def _read_trait(entry: Reader, key: str, found: object) -> str | None:
    """A trait, with its number if it is a grade: "cover", "elevation 2"."""
    word, _, number = found.partition(" ") if isinstance(found, str) else ("", "", "")
    if word not in GRADES:
        return _word(entry, key, found, TRAITS, "trait")
    if number.isdecimal() and int(number) <= MOST_GRADE:
        return f"{word} {int(number)}"
    what = notice("grade_needs_number", trait=found, most=MOST_GRADE)
    entry.problem(key, what, hint=notice("write_quoted", text=f"{word} 2"))
    return None


def _read_height(entry: Reader, measure: str, kind: str | None) -> float | None:
    """How high it is; a hollow lies below the ground."""
    most = round(MOST_HEIGHT / MEASURES[measure], 2)
    low, high = (-most, 0) if kind == "hollow" else (0, most)
    return entry.number("height", low=low, high=high, default=None)


def _read_levels(entry: Reader, measure: str, kind: str | None) -> list[float]:
    most = round(MOST_HEIGHT / MEASURES[measure], 2)
    levels = entry.numbers("levels", low=-most if kind == "hollow" else 0, high=most)
    return [level for level in levels if level != 0.0]


def _read_shape(entry: Reader, unit: float) -> dict[str, Any] | None:
    """A rectangle (`at`, `size`), a circle (`at`, `radius`) or an `outline`: one of them, and sound."""
    given = [key for key in ("size", "radius", "outline") if entry.has(key)]
    angle = entry.number("angle", low=-360, high=360, default=0.0)
    moved = entry.has("at")
    if len(given) != 1:
        entry.problem("", notice("several_shapes", shapes=given) if given else notice("no_shape"))
        return None

    shape: dict[str, Any] = {}
    if moved or given != ["outline"]:
        at = entry.numbers("at", count=2, low=-FARTHEST, high=FARTHEST)
        shape["at"] = [_tidy(value) for value in at]
    sound = len(shape.get("at", (0, 0))) == 2
    match given[0]:
        case "radius":
            radius = _positive(entry, "radius")
            if angle:
                entry.problem("angle", notice("no_angle_round"))
            if radius is None:
                return None
            shape["radius"] = _tidy(radius)
        case "size":
            size = _positive_pair(entry, "size")
            if size is None:
                return None
            shape["size"] = [_tidy(side) for side in size]
        case _:
            if angle and not moved:
                entry.problem("angle", notice("outline_turns"), hint=notice("give_the_place"))
            points = _read_points(entry)
            if points is None:
                return None
            crossing = _crossing_sides(points)
            if crossing is not None:
                entry.problem("outline", notice("crosses_itself", first=crossing[0], second=crossing[1]))
                return None
            shape["outline"] = [[_tidy(x), _tidy(y)] for x, y in points]
    if angle and given != ["radius"]:
        shape["angle"] = _tidy(angle)
    if not sound:
        return None
    try:
        outline_of(shape, unit)
    except ValueError:
        entry.problem(given[0], notice("corners_in_line" if given == ["outline"] else "piece_too_small"))
        return None
    return shape


def outline_of(shape: Mapping[str, Any], unit: float) -> Outline:
    """The outline in millimetres of a shape written in a measure of that many millimetres."""
    x, y = shape.get("at", (0.0, 0.0))
    angle = radians(shape.get("angle", 0.0))
    if "radius" in shape:
        return Outline.circle(x * unit, y * unit, shape["radius"] * unit)
    if "size" in shape:
        width, depth = shape["size"]
        return Outline.rectangle(x * unit, y * unit, width * unit, depth * unit, angle)
    c, s = cos(angle), sin(angle)
    points = shape["outline"]
    return Outline.polygon([((x + c * px - s * py) * unit, (y + s * px + c * py) * unit) for px, py in points])


def slopes_of(shape: Mapping[str, Any], unit: float) -> list[Slope]:
    """The sides of a shape that are slopes or stairs, in millimetres.

    A side is counted from the corner it begins at; those of a rectangle are the far, the right, the near and the left.
    """
    if "slopes" not in shape and "stairs" not in shape:
        return []
    x, y = shape.get("at", (0.0, 0.0))
    angle = radians(shape.get("angle", 0.0))
    if "radius" in shape:
        rim = ((x + shape["radius"]) * unit, y * unit)
        return [Slope(kind, *rim, *rim) for kind, key in (("slope", "slopes"), ("stairs", "stairs")) if key in shape]
    if "size" in shape:
        corners: Sequence[Point] = Box(*shape["size"]).corners(x, y, angle)
    else:
        c, s = cos(angle), sin(angle)
        corners = [(x + c * px - s * py, y + s * px + c * py) for px, py in shape["outline"]]
    found: list[Slope] = []
    for kind, key in (("slope", "slopes"), ("stairs", "stairs")):
        for side in shape.get(key, ()):
            (ax, ay), (bx, by) = corners[side - 1], corners[side % len(corners)]
            found.append(Slope(kind, ax * unit, ay * unit, bx * unit, by * unit))
    return found


def _read_points(entry: Reader) -> list[Point] | None:
    found = entry.value("outline")
    if not isinstance(found, list):
        entry.problem("outline", wrong_kind(notice("a_list_of_points"), found))
        return None
    if not 3 <= len(found) <= MOST_POINTS:
        entry.problem("outline", notice("points_of_outline", number=len(found), most=MOST_POINTS))
        return None
    points: list[Point] = []
    for number, point in enumerate(found, 1):
        good = isinstance(point, list | tuple) and len(point) == 2 and all(_is_plain_number(value) for value in point)
        if good:
            points.append((float(point[0]), float(point[1])))
        else:
            entry.problem(f"outline[{number}]", wrong_kind(notice("a_point"), point))
    return points if len(points) == len(found) else None


def _is_plain_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -FARTHEST <= value <= FARTHEST


def _crossing_sides(corners: Sequence[Point]) -> tuple[int, int] | None:
    """The first two sides that meet though they are no neighbours, counted from 1."""
    n = len(corners)
    for i in range(n):
        (ax, ay), (bx, by) = corners[i], corners[(i + 1) % n]
        for j in range(i + 2, n):
            if (j + 1) % n == i:
                continue
            (cx, cy), (dx, dy) = corners[j], corners[(j + 1) % n]
            if segments_cross(ax, ay, bx, by, cx, cy, dx, dy):
                return i + 1, j + 1
    return None


def _check_on_table(entry: Reader, outline: Outline, size: tuple[float, float], measure: str) -> None:
    unit = MEASURES[measure]
    width, depth = size[0] * unit, size[1] * unit
    beyond = {"west": -outline.x0, "east": outline.x1 - width, "south": -outline.y0, "north": outline.y1 - depth}
    for edge, length in beyond.items():
        if length > TOLERANCE:
            wide, deep = (_length(side, measure) for side in size)
            over = _shown(length, measure)
            entry.problem("", notice("reaches_beyond", length=over, table_edge=edge, width=wide, depth=deep))


def _name_piece(entry: Reader, piece: dict[str, Any], used: dict[str, str]) -> None:
    """Every piece has an id of its own: the one given, or its kind and a number."""
    id = entry.text("id", default="")
    if id and id in used:
        entry.problem("id", notice("id_of_another", id=id, other=used[id]))
    number = 1
    while not id:
        candidate = f"{piece['kind']}_{number}"
        if candidate not in used:
            id = candidate
        number += 1
    used[id] = entry.where
    piece["id"] = id


def _tidy(number: float) -> float:
    """A whole number without its point, so that files read as people write them."""
    return int(number) if float(number).is_integer() else number


def _length(number: float, measure: str) -> Notice:
    """A length in the map's own measure, as a player reads it."""
    return notice("a_length", number=_tidy(round(number, 2)), measure=measure)


def _shown(length: float, measure: str) -> Notice:
    return _length(length / MEASURES[measure], measure)


# -- writing -----------------------------------------------------------------------------------------------------------


def _toml(data: Mapping[str, Any]) -> str:
    lists = ("piece", "board", "opening")
    lines = [f"{key} = {_toml_value(value)}" for key, value in data.items() if key not in lists]
    for name in lists:
        for entry in data.get(name, ()):
            lines += ["", f"[[{name}]]"]
            wide = max(map(len, entry))
            lines += [f"{key:<{wide}} = {_toml_value(value)}" for key, value in entry.items()]
    return "\n".join(lines) + "\n"


def _toml_value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return msgspec.json.encode(value).decode()
        case list():
            return f"[{', '.join(map(_toml_value, value))}]"
        case dict():
            return "{ " + ", ".join(f"{key} = {_toml_value(held)}" for key, held in value.items()) + " }"
        case _:
            return repr(value)


# -- making ------------------------------------------------------------------------------------------------------------

# Room for the widest base that is common, 50 mm, to walk between two pieces that cannot be crossed.
_PATH: Final = inches(2.6)
_APART: Final = inches(1.6)
_TRIES: Final = 60

# How a generated piece of each kind looks: corners of a blob (0: a rectangle), then length and depth in inches.
_SIZES: Final[Mapping[str, tuple[int, tuple[float, float], tuple[float, float]]]] = {
    "forest": (11, (6.5, 9.0), (5.0, 7.0)),
    "thorns": (9, (4.0, 5.5), (3.5, 4.5)),
    "hedge": (0, (5.0, 8.0), (1.0, 1.2)),
    "field": (0, (6.0, 9.0), (4.5, 6.0)),
    "hill": (12, (8.0, 11.0), (6.0, 8.5)),
    "rocks": (7, (3.6, 5.2), (3.0, 4.2)),
    "scree": (9, (5.0, 6.5), (4.0, 5.5)),
    "swamp": (11, (6.5, 9.0), (5.0, 7.0)),
    "mire": (9, (5.0, 6.5), (4.0, 5.5)),
    "water": (10, (4.5, 6.5), (3.5, 5.0)),
    "building": (0, (4.0, 5.5), (3.0, 4.5)),
    "ruin": (0, (5.0, 6.5), (4.0, 5.5)),
    "graveyard": (0, (4.5, 6.0), (4.0, 5.0)),
    "wall": (0, (5.0, 8.0), (1.6, 1.8)),
    "barricade": (0, (3.5, 5.0), (1.8, 2.2)),
}

# Countries a generated map may lie in. Each line is one pair of pieces, facing each other across the middle of the
# table: one of the kinds of the line, and another with the same traits. The first six are on every table that has room
# for them: something to hide behind, a wood, a hazard, a hill, a shelter, a line to hold.
_COUNTRY_NAMES: Final = Wording(_TEXTS, "countries")
_COUNTRIES: Final[Mapping[str, tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]]] = {
    "wilds": (
        (("rocks",), ("forest",), ("thorns",), ("hill",), ("ruin",), ("hedge", "barricade"),
         ("forest",), ("scree", "swamp"), ("rocks",), ("forest",), ("hill",)),
        ("hill", "forest", "rocks", "ruin"),
    ),
    "farmland": (
        (("building",), ("forest",), ("thorns", "mire"), ("hill",), ("field",), ("wall",),
         ("hedge",), ("field",), ("building",), ("hedge",), ("forest",)),
        ("building", "field", "graveyard", "water"),
    ),
    "ruins": (
        (("building", "rocks"), ("forest",), ("thorns",), ("hill",), ("ruin",), ("wall", "barricade"),
         ("ruin",), ("graveyard",), ("building",), ("ruin",), ("scree",)),
        ("ruin", "building", "graveyard", "hill"),
    ),
    "fens": (
        (("rocks", "hedge"), ("forest",), ("mire",), ("hill",), ("ruin", "graveyard"), ("barricade", "hedge"),
         ("swamp",), ("water",), ("forest",), ("swamp",), ("mire",)),
        ("water", "swamp", "ruin", "hill"),
    ),
}  # fmt: skip


class _Chance:
    """A stream of numbers that is the same everywhere: splitmix64. Maps never touch the dice of a battle."""

    def __init__(self, seed: int) -> None:
        self._state = seed & 0xFFFFFFFFFFFFFFFF

    def number(self) -> float:
        """From 0 to just under 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return ((mixed ^ (mixed >> 31)) >> 11) / (1 << 53)

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self.number()

    def below(self, limit: int) -> int:
        return int(self.number() * limit)

    def pick(self, choices: Sequence[str]) -> str:
        return choices[self.below(len(choices))]


def generate_map(
    seed: int,
    size: tuple[float, float] = (72, 48),
    measure: str = "in",
    pieces: int | None = None,
    hexes: float = 0,
) -> Map:
    """A table made from a seed: the same seed, size and number of pieces make the same map everywhere.

    Pieces come in pairs that face each other across the middle, so that neither side is favoured. None overlap; a 50 mm
    base can walk round every piece; what is impassable or dangerous stays out of the quarters along the long edges.
    `hexes`, their width in millimetres, divides the same table into a hexagonal board.
    """
    plain = size == (72, 48) and measure == "in" and pieces is None
    id = f"generated_{seed}" if plain else f"generated_{seed}_{_tidy(size[0])}x{_tidy(size[1])}_{measure}"
    data: dict[str, Any] = {"id": id, "name": id, "size": list(size), "measure": measure}
    if hexes:
        data |= {"id": f"{id}_hexes_{_tidy(hexes)}", "hexes": hexes}
    unit = MEASURES[map_from_data(data, id).measure]

    chance = _Chance(seed)
    country = list(_COUNTRIES)[chance.below(len(_COUNTRIES))]
    pairs, hearts = _COUNTRIES[country]
    wanted = pieces if pieces is not None else _usual_number(size, unit, chance)

    kinds: list[tuple[str, str]] = []
    for number in range(wanted // 2):
        choices = pairs[number % len(pairs)]
        kind = chance.pick(choices)
        kinds.append((kind, chance.pick([other for other in choices if KINDS[other].traits == KINDS[kind].traits])))
    heart = chance.pick(hearts) if wanted % 2 else None
    ground = _Ground(size, unit, chance)
    while not ground.fill(kinds, heart):
        ground.scale *= 0.92
        if ground.scale < 0.2:
            wide, deep = (_length(side, measure) for side in size)
            raise problem_with("map", notice("no_room_for_pieces", number=wanted, width=wide, depth=deep))

    data |= {"name": _COUNTRY_NAMES(country, seed=seed), "piece": ground.written}
    return map_from_data(data, id)


def _usual_number(size: tuple[float, float], unit: float, chance: _Chance) -> int:
    """15 to 18 pieces on anything from 4 by 4 feet up, fewer on a small table."""
    full = 15 + chance.below(4)
    share = size[0] * size[1] * unit * unit / (inches(48) * inches(48))
    return full if share >= 1.0 else max(4, round(full * share))


# The usual table of a company, in centimetres.
COMPANY_SIZE: Final = (120, 120)
# What lies on such a table, in pairs, as many as suit its size: the kind, its size class and its height in centimetres.
# Hills first, then something to hide behind, then what one looks over.
_COMPANY_PAIRS: Final[tuple[tuple[tuple[str, int, float], ...], ...]] = (
    (("hill", 3, 5),),
    (("forest", 4, 10), ("building", 4, 9), ("rocks", 4, 8)),
    (("wall", 1, 2), ("barricade", 1, 2)),
    (("hedge", 2, 4), ("thorns", 2, 3)),
    (("ruin", 3, 6), ("rocks", 3, 5)),
    (("forest", 4, 10), ("ruin", 3, 6)),
    (("hill", 3, 5),),
    (("hedge", 2, 4), ("wall", 1, 2)),
)
_COMPANY_HEARTS: Final = (("hill", 6, 10.0), ("ruin", 3, 6.0), ("rocks", 4, 8.0), ("forest", 4, 10.0))


def generate_company_map(seed: int, size: tuple[float, float] = COMPANY_SIZE) -> Map:
    """A table in centimetres for companies, made from a seed: hills with slopes or stairs, and obstacles of all sizes.

    Pieces come in pairs of one kind and size that face each other across the middle; about eight on 120 by 120 cm. A
    50 mm base can walk round each of them. A quarter of the depth along both long edges is open, except that a hill may
    reach into it by a third.
    """
    id = f"generated_company_{seed}"
    if size != COMPANY_SIZE:
        id += f"_{_tidy(size[0])}x{_tidy(size[1])}"
    data: dict[str, Any] = {"id": id, "name": id, "size": list(size), "measure": "cm"}
    map_from_data(data, id)
    chance = _Chance(seed)
    share = size[0] * size[1] / (COMPANY_SIZE[0] * COMPANY_SIZE[1])
    number = min(len(_COMPANY_PAIRS), max(2, round((3 + chance.below(2)) * share)))
    pairs = [choices[chance.below(len(choices))] for choices in _COMPANY_PAIRS[:number]]
    heart = _COMPANY_HEARTS[chance.below(len(_COMPANY_HEARTS))]
    ground = _CompanyGround(size, CM, chance)
    while not ground.fill([(kind, kind) for kind, _, _ in pairs], heart[0]):
        ground.scale *= 0.92
        if ground.scale < 0.2:
            wide, deep = (_length(side, "cm") for side in size)
            raise problem_with("map", notice("no_room_for_pieces", number=2 * number + 1, width=wide, depth=deep))
    # In the order in which they were placed: the middle, then pair by pair.
    order = sorted(range(number), key=lambda n: (-_bulk((pairs[n][0], pairs[n][0])), n))
    sorts = [heart, *(pairs[n] for n in order for _ in range(2))]
    data["piece"] = [
        shape | {"height": height, "size_class": size_class} | _company_slopes(shape, size_class, ground)
        for shape, (_, size_class, height) in zip(ground.written, sorts, strict=True)
    ]
    data["name"] = _COUNTRY_NAMES("company", seed=seed)
    return map_from_data(data, id)


def _company_slopes(shape: Mapping[str, Any], size_class: int, ground: _Ground) -> dict[str, Any]:
    """A hill is climbed with ease from its own long edge; the high one in the middle from both sides, by stairs too."""
    if shape["kind"] != "hill":
        return {}
    corners = shape["outline"]
    y = sum(point[1] for point in corners) / len(corners)
    home = -1.0 if y < ground.size[1] / 2 else 1.0
    if size_class <= 3:
        return {"slopes": _sides_towards(corners, 0.0, home)}
    slopes = {*_sides_towards(corners, 0.0, -1.0), *_sides_towards(corners, 0.0, 1.0)}
    stairs = {*_sides_towards(corners, -1.0, 0.0), *_sides_towards(corners, 1.0, 0.0)} - slopes
    return {"slopes": sorted(slopes), "stairs": sorted(stairs)}


def _sides_towards(corners: Sequence[Sequence[float]], ux: float, uy: float) -> list[int]:
    """The numbers, counted from 1, of the two sides that meet in the corner that lies farthest in a direction."""
    far = max(range(len(corners)), key=lambda n: (corners[n][0] * ux + corners[n][1] * uy, -n))
    return sorted({far or len(corners), far + 1})


class _Ground:
    """A table being filled."""

    def __init__(self, size: tuple[float, float], unit: float, chance: _Chance) -> None:
        self.size = size
        self.unit = unit
        self.chance = chance
        self.width, self.depth = size[0] * unit, size[1] * unit
        self.scale = 1.0
        self.written: list[dict[str, Any]] = []
        self.outlines: list[tuple[Outline, bool]] = []

    def fill(self, kinds: Sequence[tuple[str, str]], heart: str | None) -> bool:
        """Place everything; the middle first, then the largest pairs while there is room."""
        self.written, self.outlines = [], []
        if heart is not None and not self._place_heart(heart):
            return False
        order = sorted(range(len(kinds)), key=lambda number: (-_bulk(kinds[number]), number))
        return all(self._place_pair(*kinds[number]) for number in order)

    def _place_heart(self, kind: str) -> bool:
        for _ in range(_TRIES):
            x = self.width / 2 + inches(self.chance.between(-1.5, 1.5))
            y = self.depth / 2 + inches(self.chance.between(-1.5, 1.5))
            made = self._made(kind, x, y, self.chance.between(0, 360))
            if self._fits(*made):
                self._put(kind, *made)
                return True
        return False

    def _place_pair(self, kind: str, other: str) -> bool:
        """Of the first places that will do, the one with most room round it."""
        best: list[tuple[dict[str, Any], Outline]] = []
        most = 0.0
        found = 0
        for _ in range(_TRIES):
            x, y = self.chance.between(0, self.width), self.chance.between(0, self.depth)
            angle = self.chance.between(0, 360)
            turned = angle + 180 + self.chance.between(-15, 15)
            dx, dy = inches(self.chance.between(-1, 1)), inches(self.chance.between(-1, 1))
            made = self._made(kind, x, y, angle)
            if not self._fits(*made):
                continue
            mirrored = self._made(other, self.width - x + dx, self.depth - y + dy, turned)
            if not self._fits(*mirrored):
                continue
            between = _box_gap(made[1], mirrored[1])
            if between < _PATH and _nearer(made[1], mirrored[1], _PATH):
                continue
            room = min([between, *(_box_gap(made[1], outline) for outline, _ in self.outlines)])
            found += 1
            if not best or room > most:
                best, most = [made, mirrored], room
            if found == 4:
                break
        if not best:
            return False
        self._put(kind, *best[0])
        self._put(other, *best[1])
        return True

    def _made(self, kind: str, x: float, y: float, angle: float) -> tuple[dict[str, Any], Outline]:
        """A piece of that kind, as a map writes it and as an outline."""
        corners, lengths, depths = _SIZES[kind]
        length = inches(self.chance.between(*lengths)) * self.scale
        depth = inches(self.chance.between(*depths)) * self.scale
        shape: dict[str, Any] = {"kind": kind}
        if corners == 0:
            shape["at"] = [self._round(x), self._round(y)]
            shape["size"] = [self._round(length), self._round(depth)]
            shape["angle"] = round(angle) % 180
        else:
            shape["outline"] = self._blob(x, y, length / 2, depth / 2, radians(angle), corners)
        return shape, outline_of(shape, self.unit)

    def _blob(self, x: float, y: float, rx: float, ry: float, angle: float, corners: int) -> list[list[float]]:
        """A lumpy oval. Its corners go once round its middle, so it never crosses itself."""
        lumps = [self.chance.between(0.78, 1.08) for _ in range(corners)]
        points: list[list[float]] = []
        for number, lump in enumerate(lumps):
            turn = 2 * pi * number / corners
            smooth = (lumps[number - 1] + 2 * lump + lumps[(number + 1) % corners]) / 4
            px, py = rx * smooth * cos(turn), ry * smooth * sin(turn)
            points.append(
                [self._round(x + px * cos(angle) - py * sin(angle)), self._round(y + px * sin(angle) + py * cos(angle))]
            )
        return points

    def _round(self, length: float) -> float:
        """A length as somebody would write it: a tenth of an inch or centimetre, or a whole millimetre."""
        return _tidy(round(length / self.unit, 0 if self.unit == 1.0 else 1))

    def _fits(self, shape: dict[str, Any], outline: Outline) -> bool:
        traits = KINDS[shape["kind"]].traits
        solid = "impassable" in traits
        margin = _PATH if solid else inches(1)
        near = min(inches(12), self.depth / 4) if solid or "dangerous" in traits else margin
        if outline.x0 < margin or outline.x1 > self.width - margin:
            return False
        if outline.y0 < near or outline.y1 > self.depth - near:
            return False
        for other, other_solid in self.outlines:
            least = _PATH if solid or other_solid else _APART
            if _box_gap(outline, other) < least and _nearer(outline, other, least):
                return False
        return True

    def _put(self, kind: str, shape: dict[str, Any], outline: Outline) -> None:
        self.written.append(shape)
        self.outlines.append((outline, "impassable" in KINDS[kind].traits))


class _CompanyGround(_Ground):
    """A table being filled where every piece is gone round, and companies deploy along the long edges."""

    def _fits(self, shape: dict[str, Any], outline: Outline) -> bool:
        open_depth = self.depth / 4 if shape["kind"] != "hill" else self.depth / 6
        if outline.x0 < _PATH or outline.x1 > self.width - _PATH:
            return False
        if outline.y0 < open_depth or outline.y1 > self.depth - open_depth:
            return False
        return not any(_box_gap(outline, o) < _PATH and _nearer(outline, o, _PATH) for o, _ in self.outlines)


def _bulk(kinds: tuple[str, str]) -> float:
    """How hard a pair is to place: what must keep to the middle comes first, then the largest."""
    bulk = 0.0
    for kind in kinds:
        _, (_, length), (_, depth) = _SIZES[kind]
        kept = {"impassable", "dangerous"} & set(KINDS[kind].traits)
        bulk = max(bulk, length * depth + (100 if kept else 0))
    return bulk


def _box_gap(a: Outline, b: Outline) -> float:
    """No two points of the outlines are nearer than this."""
    dx = max(0.0, a.x0 - b.x1, b.x0 - a.x1)
    dy = max(0.0, a.y0 - b.y1, b.y0 - a.y1)
    return sqrt(dx * dx + dy * dy)


def _nearer(a: Outline, b: Outline, distance: float) -> bool:
    """Some points of two polygons are nearer than the distance."""
    corners = a.corners()
    if a.contains(*b.corners()[0]):
        return True
    return any(b.comes_within(*corners[i - 1], *corners[i], distance) for i in range(len(corners)))


def gap_between(a: Outline, b: Outline) -> float:
    """Between the nearest points of two outlines; 0 when they meet."""
    if a.is_circle and b.is_circle:
        return max(0.0, hypot(a.cx - b.cx, a.cy - b.cy) - a.reach - b.reach)
    if a.is_circle:
        return max(0.0, b.distance(a.cx, a.cy) - a.reach)
    if b.is_circle:
        return max(0.0, a.distance(b.cx, b.cy) - b.reach)
    corners = a.corners()
    if a.contains(*b.corners()[0]):
        return 0.0
    return min(b.segment_distance(*corners[i - 1], *corners[i]) for i in range(len(corners)))


@lru_cache(maxsize=64)
def names_of_pieces(pieces: tuple[Piece, ...]) -> Mapping[str, Mapping[str, str]]:
    """What people call pieces of terrain, by id: each by its kind, as the legend of the table has it, and numbered:
    "forest 2"."""
    counted: dict[str, int] = {}
    names: dict[str, Mapping[str, str]] = {}
    for piece in pieces:
        counted[piece.kind] = counted.get(piece.kind, 0) + 1
        kind = KINDS[piece.kind].name if piece.kind in KINDS else {"en": piece.kind}
        names[piece.id] = {lang: f"{word.lower()} {counted[piece.kind]}" for lang, word in kind.items()}
    return names


@lru_cache(maxsize=64)
def names_of_openings(openings: tuple[Opening, ...]) -> Mapping[str, Mapping[str, str]]:
    """What people call openings, by id: each by its kind, and numbered: "door 2"."""
    counted: dict[str, int] = {}
    names: dict[str, Mapping[str, str]] = {}
    for opening in openings:
        counted[opening.kind] = counted.get(opening.kind, 0) + 1
        names[opening.id] = {
            lang: f"{word.lower()} {counted[opening.kind]}" for lang, word in _NAMES(opening.kind).items()
        }
    return names
