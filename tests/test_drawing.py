"""A battle drawn as a picture, and in characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from math import dist, hypot, pi
from pathlib import Path
from typing import Any, ClassVar
from xml.etree import ElementTree

import pytest

from oriflamme.drawing import svg as pictures
from oriflamme.drawing import terminal
from oriflamme.drawing.livery import LIVERIES, NOBODYS, livery
from oriflamme.drawing.page import MUTED
from oriflamme.drawing.svg import draw_map
from oriflamme.drawing.tags import unit_tags
from oriflamme.drawing.terminal import COLOURS, NOBODYS_COLOUR, SIDE_COLOURS, SIGNS, map_text, side_colour
from oriflamme.drawing.terrain import INK, PAINTERS, PAPER, WET
from oriflamme.drawing.words import WORDS
from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.game import Game
from oriflamme.engine.geometry.hexes import HexGrid
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Base, Box, Disc, Outline
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import FallenShown, FigureShown, StateShown, TokenShown, UnitShown, ZoneShown
from oriflamme.engine.picture.signs import TONES
from oriflamme.engine.table.maps import KINDS, MEASURES, generate_map, load_map, map_from_data, shipped_maps
from oriflamme.engine.table.pieces import Table
from oriflamme.games import ids, load
from oriflamme.games.aof.keywords.muster import Hero, Tough
from oriflamme.games.aof.picture import AofPicture
from oriflamme.games.aof.profile import Profile
from oriflamme.games.aof.state import Battle, Figure, Objective, Unit
from oriflamme.games.sbh.picture import SbhPicture

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [load(id) for id in ids()]
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def unit(
    id: str,
    side: int,
    at: tuple[float, float],
    figures: int = 5,
    base: Base | None = None,
    tough: int = 1,
    hero: bool = False,
) -> Unit:
    """Figures in one row from left to right, 1.2 inches from middle to middle."""
    keywords = [Tough(tough)] * (tough > 1) + [Hero()] * hero
    profile = Profile(id, 4, 4, keywords=keywords, base=base)
    row = [Figure(f"{id}.{number}", profile) for number in range(1, figures + 1)]
    for number, figure in enumerate(row):
        figure.x, figure.y = inches(at[0] + 1.2 * number), inches(at[1])
    made = Unit(id, side, row, {"en": id.title(), "fr": f"Les {id}"})
    made.reserve = None
    made.update_bounds()
    return made


@pytest.fixture
def battle() -> Battle:
    """Two units a side, three objectives, on the ford."""
    made = Battle(load_map("ford").table, {}, SeededDice(1))
    for each in (
        unit("archers", 0, (10, 6)),
        unit("knights", 0, (30, 6), 3, Disc(25), tough=3),
        unit("levy", 1, (20, 40), 8),
        unit("giant", 1, (50, 40), 1, Disc(40), tough=12),
    ):
        made.units[each.id] = each
    made.objectives = (
        Objective(inches(20), inches(20)),
        Objective(inches(36), inches(24), 0),
        Objective(inches(50), inches(30), 1),
    )
    made.round = 2
    return made


def picture_of(battle: Any) -> Picture[Any, Any]:
    return SkirmishPicture("mm") if isinstance(battle, Skirmish) else AofPicture("in")


def draw(battle: Any, **how: Any) -> str:
    return pictures.draw(battle, picture_of(battle), **how)


def table_text(battle: Any, **how: Any) -> str:
    return terminal.table_text(battle, picture_of(battle), **how)


def zones_of(battle: Any) -> list[tuple[int, Outline]]:
    return [(zone.side, zone.outline) for zone in picture_of(battle).zones(battle)]


def states_of(unit: Unit) -> tuple[str, ...]:
    return tuple(map(str, AofPicture("in").unit(unit).states))


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def groups(svg: str, name: str) -> list[ElementTree.Element]:
    return [group for group in parsed(svg).iter(f"{SVG}g") if name in (group.get("class") or "").split()]


def titles(svg: str, name: str) -> list[str]:
    return [group.findtext(f"{SVG}title") or "" for group in groups(svg, name)]


def lightness(colour: str) -> float:
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    low, high = sorted((lightness(a), lightness(b)))
    return (high + 0.05) / (low + 0.05)


# -- the picture -------------------------------------------------------------------------------------------------------


def test_every_figure_is_in_the_picture_and_says_what_it_is(battle: Battle) -> None:
    battle.units["giant"].figures[0].wounds = 5
    battle.units["levy"].shaken = True

    said = titles(draw(battle), "figure")

    assert len(said) == 5 + 3 + 8 + 1
    assert "a1 Archers, figure 1 of 5" in said
    assert "b2 Giant, 5 of 12 wounds taken" in said
    assert "b1 Levy, figure 8 of 8, shaken" in said


def test_a_figure_is_drawn_to_scale_where_it_stands(battle: Battle) -> None:
    svg = draw(battle)
    scale = (1200 - 92) / battle.table.width
    (giant,) = [group for group in groups(svg, "figure") if "Giant" in (group.findtext(f"{SVG}title") or "")]

    place = re.match(r"translate\(([\d.]+) ([\d.]+)\)", giant.get("transform") or "")
    disc = giant.find(f"{SVG}circle")

    assert place is not None
    assert disc is not None
    assert float(place[1]) == pytest.approx(46 + inches(50) * scale, abs=0.1)
    assert float(place[2]) == pytest.approx(70 + (battle.table.depth - inches(40)) * scale, abs=0.1)
    assert float(disc.get("r") or 0) == pytest.approx(40 * scale, abs=0.1)


def test_every_objective_shows_its_owner(battle: Battle) -> None:
    assert titles(draw(battle), "objective") == [
        "Objective 1: nobody's",
        "Objective 2: held by Side a",
        "Objective 3: held by Side b",
    ]
    assert (
        titles(draw(battle, lang="fr", sides=("Les Loups", "Les Ours")), "objective")[2]
        == "Objectif 3: tenu par Les Ours"
    )


def test_every_piece_of_terrain_says_its_traits(battle: Battle) -> None:
    said = titles(draw(battle), "piece")

    assert sum(text == 'Forest: cover, difficult; 4" high' for text in said) == 2
    assert 'Hill: high ground; 2" high' in said
    assert len(said) >= len(battle.table.pieces)


def test_states_have_badges_on_the_table_and_in_the_list(battle: Battle) -> None:
    levy = battle.units["levy"]
    levy.shaken = levy.fatigued = levy.activated = True

    svg = draw(battle)

    assert states_of(levy) == ("shaken", "fatigued", "activated")
    for state in states_of(levy):
        assert len(groups(svg, state)) == 3  # beside the unit, in the list of forces, and among the signs


def test_the_fallen_leave_a_mark(battle: Battle) -> None:
    levy = battle.units["levy"]
    levy.fallen = [levy.figures.pop(), levy.figures.pop()]

    svg = draw(battle)

    assert titles(svg, "fallen") == ["b1 Levy: fallen"] * 2
    assert len(titles(svg, "figure")) == 15
    assert "6/8" in svg


def test_the_dead_and_the_waiting_are_listed_but_not_drawn(battle: Battle) -> None:
    archers, knights = battle.units["archers"], battle.units["knights"]
    archers.fallen, archers.figures = archers.figures, []
    knights.reserve = "ambush"

    svg = draw(battle)

    assert len(titles(svg, "figure")) == 9
    assert ">destroyed<" in svg
    assert ">in reserve<" in svg
    knights.reserve = "deploy"
    assert ">not yet deployed<" in draw(battle)


def test_wounds_are_pips(battle: Battle) -> None:
    knights = battle.units["knights"]
    knights.figures[1].wounds = 2

    drawn = [group for group in groups(draw(battle), "figure") if "Knights" in (group.findtext(f"{SVG}title") or "")]
    pips = [len(group.findall(f"{SVG}circle")) for group in drawn]

    assert pips == [1, 1 + 3, 1]  # a base; the wounded one has three pips
    empty = [circle for circle in drawn[1].findall(f"{SVG}circle") if circle.get("fill") == PAPER]
    assert len(empty) == 2


def test_a_hero_has_a_star(battle: Battle) -> None:
    battle.units["knights"].figures[0] = unit("lord", 0, (30, 6), 1, hero=True).figures[0]

    said = titles(draw(battle), "figure")

    assert "a2 Knights, figure 1 of 3, Hero" in said


def test_sides_differ_by_pattern_as_well_as_colour(battle: Battle) -> None:
    svg = draw(battle)
    rims = {
        (group.findtext(f"{SVG}title") or "")[0]: len(
            [c for c in group.findall(f"{SVG}circle") if c.get("stroke") == "#ffffff"]
        )
        for group in groups(svg, "figure")
    }

    assert rims == {"a": 0, "b": 1}
    assert len({dress.pattern for dress in (*LIVERIES, NOBODYS)}) == len(LIVERIES) + 1 == 5


# What is left of red, green and blue light for people who lack one kind of cone (Machado, Oliveira and Fernandes 2009).
EYES = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def as_seen(colour: str, eyes: str) -> tuple[float, ...]:
    """A colour where it lies in OKLab for such eyes, times 100: about 2 apart can just be told from each other."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    light = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    r, g, b = (min(1.0, max(0.0, sum(a * s for a, s in zip(row, light, strict=True)))) for row in EYES[eyes])
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        21.04542553 * long + 79.3617785 * middle - 0.40720468 * short,
        197.79984951 * long - 242.8592205 * middle + 45.05937099 * short,
        2.59040371 * long + 78.27717662 * middle - 80.8675766 * short,
    )


@pytest.mark.parametrize("eyes", EYES)
def test_five_armies_are_told_apart_by_their_colour_alone(eyes: str) -> None:
    colours = [dress.colour for dress in (*LIVERIES, NOBODYS)]
    near = {(a, b): dist(as_seen(a, eyes), as_seen(b, eyes)) for a, b in combinations(colours, 2)}

    assert not {pair: round(apart, 1) for pair, apart in near.items() if apart < 12}


def test_an_army_nobody_owns_never_looks_like_a_players() -> None:
    for players in range(1, 5):
        worn = [livery(side, players) for side in range(players + 1)]
        assert worn[-1] is NOBODYS
        assert len({dress.colour for dress in worn}) == players + 1
    assert side_colour(2, 2) == side_colour(4, 4) == NOBODYS_COLOUR
    assert NOBODYS_COLOUR not in SIDE_COLOURS


def test_a_rectangular_base_shows_its_front(battle: Battle) -> None:
    battle.units["knights"] = unit("knights", 0, (30, 6), 2, Box(60, 50))
    battle.units["knights"].figures[0].facing = pi / 2

    svg = draw(battle)

    fronts = [path for path in parsed(svg).iter(f"{SVG}path") if path.get("class") == "front"]
    assert [front.get("transform") for front in fronts] == ["rotate(-90)", "rotate(0)"]


def test_coherency_shows_what_holds_and_what_does_not(battle: Battle) -> None:
    plain = draw(battle)
    whole = draw(battle, coherency=True)
    battle.units["levy"].figures[7].x += inches(4)

    broken = draw(battle, coherency=True)

    assert titles(plain, "coherent") == []
    assert titles(whole, "coherent") == ["in coherency"] * 3  # every unit of several figures
    assert titles(whole, "stray") == []
    assert titles(broken, "stray") == ["out of coherency"]
    (stray,) = groups(broken, "stray")
    assert len(list(stray.iter(f"{SVG}circle"))) == 1


def test_figures_too_far_apart_break_coherency_though_none_is_alone(battle: Battle) -> None:
    battle.units["levy"] = unit("levy", 1, (20, 40), 10)

    (stray,) = groups(draw(battle, coherency=True), "stray")

    assert list(stray.iter(f"{SVG}circle")) == []


def test_reach_is_shown_on_request(battle: Battle) -> None:
    assert titles(draw(battle), "reach") == []
    assert titles(draw(battle, reach="giant"), "reach") == ['reach: 12"', 'reach: 6"']
    assert titles(draw(battle, reach="giant", reaches=[inches(9)]), "reach") == ['reach: 9"']
    assert titles(draw(battle, reach="nobody"), "reach") == []


def test_zones_follow_the_edges_the_sides_chose(battle: Battle) -> None:
    (_, near), (_, far) = zones_of(battle)
    assert (near.y0, near.y1) == (0, pytest.approx(inches(12)))
    assert far.y1 == pytest.approx(inches(48))

    battle.axis, battle.edge = "x", ("high", "low")
    (_, right), (_, left) = zones_of(battle)

    assert right.x1 == pytest.approx(inches(72))
    assert left.x0 == pytest.approx(0)
    assert titles(draw(battle), "zone") == ["Deployment zone: Side a", "Deployment zone: Side b"]


def test_a_game_may_say_its_own_zones_and_one_that_says_none_has_none(battle: Battle, skirmish: Skirmish) -> None:
    class Elsewhere(AofPicture):
        def zones(self, battle: Battle) -> Iterator[ZoneShown]:
            yield ZoneShown(0, Outline.circle(500, 500, 100))

    assert len(groups(pictures.draw(battle, Elsewhere("in")), "zone")) == 1
    assert groups(draw(skirmish), "zone") == []


def test_a_game_that_knows_no_coherency_is_not_given_anothers(skirmish: Skirmish) -> None:
    mob = skirmish.units["orc"]
    mob.figures += skirmish.units.pop("scout").figures

    svg = draw(skirmish, coherency=True)

    assert titles(svg, "coherent") == titles(svg, "stray") == []
    assert SkirmishPicture("mm").show(skirmish).coherency is None


@pytest.mark.parametrize("lang", ["en", "fr", "xx"])
def test_the_picture_stands_alone(battle: Battle, lang: str) -> None:
    battle.units["levy"].name = {"en": 'Tom & "Jerry" <b>', "fr": "Tom & <b>"}

    svg = draw(battle, lang=lang, title="<Ford> & more", coherency=True, reach="giant")
    root = parsed(svg)

    assert root.findtext(f"{SVG}title") == "<Ford> & more"
    assert re.findall(r'(?:href|src)="(?!#)', svg) == []
    assert re.findall(r"url\((?!#)", svg) == []
    assert "@import" not in svg
    assert re.findall(r"<(?:script|image|foreignObject|style)\b", svg) == []
    used = set(re.findall(r'href="#([\w-]+)"|url\(#([\w-]+)\)', svg))
    defined = set(re.findall(r' id="([\w-]+)"', svg))
    assert {a or b for a, b in used} <= defined


def test_the_picture_is_as_wide_as_asked_and_the_same_every_time(battle: Battle) -> None:
    root = parsed(draw(battle, width=600))

    assert root.get("width") == "600"
    assert draw(battle) == draw(battle)


def test_a_picture_of_a_full_battle_is_not_heavy(battle: Battle) -> None:
    for number in range(12):
        battle.units[f"u{number}"] = unit(f"u{number}", number % 2, (6 + number, 10 + 2 * number), 20)

    assert len(draw(battle)) < 500_000


@pytest.mark.parametrize("name", [*shipped_maps(), *shipped_maps("skirmish"), "generated_1", "generated_2"])
def test_every_map_can_be_drawn(name: str) -> None:
    made = load_map(name)

    svg = draw_map(made, lang="fr")

    assert parsed(svg).findtext(f"{SVG}title") == made.name["fr"]
    kinds = {piece.kind for piece in made.table.pieces}
    assert len(groups(svg, "piece")) == len(made.table.pieces) + len(
        {(piece.kind, piece.traits) for piece in made.table.pieces}
    )
    for kind in kinds:
        assert KINDS[kind].name["fr"] in svg


def test_every_kind_of_terrain_has_a_drawing_and_a_sign() -> None:
    assert PAINTERS.keys() | set(WET) == KINDS.keys()
    assert SIGNS.keys() == COLOURS.keys() == KINDS.keys()
    assert len(set(SIGNS.values())) == len(SIGNS)
    assert not any(sign.isalnum() for sign in SIGNS.values())


@pytest.mark.parametrize("shape", [{"radius": 3}, {"size": [7, 2]}, {"outline": [[-3, -3], [3, -3], [3, 3], [0, 0]]}])
def test_every_kind_can_be_drawn_in_every_shape(shape: dict[str, object]) -> None:
    pieces = [{"kind": kind, "at": [6 + 7 * (n % 9), 10 + 12 * (n // 9)], **shape} for n, kind in enumerate(KINDS)]
    made = map_from_data({"name": "All", "size": [72, 48], "piece": pieces}, "all")

    assert len(groups(draw_map(made), "piece")) == 2 * len(KINDS)
    assert map_text(made, colour=False).count("\n") > 20


@pytest.mark.parametrize(("measure", "size"), [("in", (24, 24)), ("cm", (180, 120)), ("mm", (600, 900))])
def test_tables_of_any_size_and_measure_can_be_drawn(measure: str, size: tuple[int, int]) -> None:
    made = generate_map(5, size, measure)

    root = parsed(draw_map(made))

    assert root.get("width") == "1200"
    assert MEASURES[made.measure]


def test_text_can_be_read_against_what_is_behind_it() -> None:
    for dress in (*LIVERIES, NOBODYS):
        assert contrast("#ffffff", dress.colour) >= 4.5, dress
        assert contrast(dress.colour, PAPER) >= 4.5, dress
    for ink in (INK, MUTED):
        for ground in (PAPER, "#fffaf0", "#e4dcc8"):
            assert contrast(ink, ground) >= 4.5, (ink, ground)
    for fill in TONES.values():
        assert contrast(INK, fill) >= 4.5


def test_both_languages_have_the_same_words() -> None:
    assert WORDS.of("en").keys() == WORDS.of("fr").keys()


@pytest.mark.parametrize("game", GAMES, ids=ids())
def test_every_sign_of_a_game_has_words_in_both_languages_and_a_mark_of_its_own(game: Game) -> None:
    signs = game.picture().signs

    for chapter, declared in {"state": signs.states, "token": signs.tokens, "border": signs.borders}.items():
        assert signs.words[chapter].keys() == declared.keys()
    for words in signs.words.values():
        assert {tuple(name) for name in words.values()} <= {("en", "fr")}
    icons = [signs.icons[sign.icon] for sign in signs.states.values()]
    assert len(set(icons)) == len(signs.states)


# -- characters --------------------------------------------------------------------------------------------------------


def test_tags_number_the_units_of_each_side(battle: Battle) -> None:
    assert unit_tags(battle) == {"archers": "a1", "knights": "a2", "levy": "b1", "giant": "b2"}


def test_a_unit_keeps_the_tag_it_was_given(battle: Battle) -> None:
    battle.units["knights"].tag = "a1"

    assert unit_tags(battle) == {"archers": "a2", "knights": "a1", "levy": "b1", "giant": "b2"}


def table_rows(text: str) -> list[str]:
    return [line[4:-1] for line in text.splitlines() if line.endswith("│")]


def test_units_and_objectives_are_where_they_stand(battle: Battle) -> None:
    text = table_text(battle, colour=False)
    rows = table_rows(text)

    for tag, (x, y) in {"a1": (12, 6), "a2": (31, 6), "b1": (24, 40), "b2": (50, 40), "⚑2a": (36, 24)}.items():
        (row,) = [number for number, line in enumerate(rows) if tag in line]
        column = rows[row].index(tag)
        assert column / len(rows[0]) * 72 == pytest.approx(x, abs=2.5), tag
        assert (len(rows) - row - 0.5) / len(rows) * 48 == pytest.approx(y, abs=1.7), tag
    assert "⚑1 " in text
    assert "⚑3b" in text


def test_the_table_in_characters_keeps_to_its_width(battle: Battle) -> None:
    for width in (60, 80, 96, 160):
        text = table_text(battle, width=width, colour=False)
        assert max(map(len, text.splitlines())) <= width
        rows = table_rows(text)
        assert len({len(row) for row in rows}) == 1
        assert len(rows) * 2 / len(rows[0]) == pytest.approx(48 / 72, rel=0.07)


def test_colour_changes_nothing_but_the_colour(battle: Battle) -> None:
    plain = table_text(battle, colour=False)
    coloured = table_text(battle, colour=True)

    assert "\x1b" not in plain
    assert ANSI.sub("", coloured) == plain
    assert all(line.count("\x1b[0m") >= 1 for line in coloured.splitlines() if "\x1b[" in line)


def test_the_legend_names_terrain_objectives_and_forces(battle: Battle) -> None:
    battle.units["levy"].shaken = True
    battle.units["archers"].reserve = "ambush"

    text = table_text(battle, colour=False)

    assert "♣ forest (cover, difficult)" in text
    assert "⚑2 (36, 24) held by a" in text
    assert "b1 Levy ×8!" in text
    assert "a1 Archers in reserve" in text
    assert "b1 Les levy ×8!" in table_text(battle, colour=False, lang="fr")


def test_inches_stand_along_the_edges(battle: Battle) -> None:
    lines = table_text(battle, colour=False).splitlines()

    left = [line[:3].strip() for line in lines if line.endswith("│") and line[:3].strip()]
    (foot,) = [line for line in lines if line.split()[:3] == ["0", "6", "12"]]
    assert left == ["48", "42", "36", "30", "24", "18", "12", "6", "0"]
    assert foot.split() == [str(number) for number in range(0, 73, 6)]


def test_units_that_crowd_each_other_all_keep_their_tags(battle: Battle) -> None:
    for number in range(3):
        battle.units[f"mob{number}"] = unit(f"mob{number}", 1, (30 + 0.5 * number, 30), 3)

    text = "\n".join(table_rows(table_text(battle, colour=False)))

    for tag in unit_tags(battle).values():
        assert tag in text


def test_a_thin_wall_is_not_lost_between_two_rows() -> None:
    wall = {"kind": "wall", "at": [30, 24.01], "size": [10, 0.2]}
    made = map_from_data({"name": "Wall", "size": [72, 48], "piece": [wall]}, "wall")

    assert map_text(made, colour=False).count(SIGNS["wall"]) > 8


# -- a few figures, each on its own ------------------------------------------------------------------------------------


class Fighter(engine.Unit[engine.Figure]):
    """A unit of one figure that says in words how it is."""

    __slots__ = ("fate", "hero", "name", "states")

    def __init__(self, id: str, side: int, at: tuple[float, float], *states: str, hero: bool = False) -> None:
        figure = engine.Figure(f"{id}.1", Disc(8), 20)
        figure.x, figure.y = at
        super().__init__(id, side, [figure])
        self.name = {"en": id.title(), "fr": f"Le {id}"}
        self.states = states
        self.hero = hero
        self.fate = ""

    def leave(self, fate: str) -> None:
        self.figures, self.fallen, self.fate = [], self.figures, fate


class Skirmish(engine.Battle[Fighter]):
    """Fighters, and what may lie on a table besides."""

    __slots__ = ("hexes", "place_of_power", "tokens")

    def __init__(self, table: Table) -> None:
        super().__init__(table, 2, {}, SeededDice(1))
        self.hexes: HexGrid | None = None
        self.tokens: tuple[TokenShown, ...] = ()
        self.place_of_power = ""


class SkirmishPicture(Picture[Skirmish, Fighter]):
    """What is shown of them, with the signs of a game that has many."""

    folder: ClassVar[Path] = SbhPicture.folder

    def unit(self, unit: Fighter) -> UnitShown:
        fallen = unit.fallen if unit.fate not in ("routed", "left") else []
        parts = [state.partition(" ") for state in unit.states]
        return UnitShown(
            unit.id,
            unit.side,
            unit.name,
            tuple(FigureShown.of(figure, hero=unit.hero) for figure in unit.figures),
            tuple(map(FallenShown.of, fallen)),
            start=1,
            states=tuple(StateShown(id, int(number or 1)) for id, _, number in parts),
            fate=unit.fate,
        )

    def hexes(self, battle: Skirmish) -> HexGrid | None:
        return battle.hexes

    def power(self, battle: Skirmish) -> str:
        return battle.place_of_power

    def tokens(self, battle: Skirmish) -> tuple[TokenShown, ...]:
        return battle.tokens


@pytest.fixture
def skirmish() -> Skirmish:
    """Three fighters a side on Gallows Cross."""
    made = Skirmish(load_map("crossroads").table)
    for fighter in (
        Fighter("orc", 0, (300, 200)),
        Fighter("troll", 0, (100, 100), "down", "wounded 3"),
        Fighter("goblin", 0, (200, 120), "transfixed", "poisoned", "activated"),
        Fighter("elf", 1, (300, 450), hero=True),
        Fighter("mage", 1, (420, 300), "wounded", "carrying"),
        Fighter("scout", 1, (500, 500)),
    ):
        made.units[fighter.id] = fighter
    made.round = 3
    return made


def token(kind: str, owner: int | None = None, at: tuple[float, float] = (450, 380)) -> TokenShown:
    return TokenShown(kind, kind, *at, radius=10, owner=owner)


def drawn_figure(svg: str, name: str) -> ElementTree.Element:
    (group,) = [g for g in groups(svg, "figure") if name in (g.findtext(f"{SVG}title") or "")]
    return group


def test_a_unit_may_say_its_states_in_words(skirmish: Skirmish) -> None:
    skirmish.units["mage"].states = ("wounded 2", "carrying")
    skirmish.units["goblin"].states = ("transfixed", "poisoned 2", "activated")

    svg = draw(skirmish)

    assert "a2 Troll, down, wounded 3" in titles(svg, "figure")
    assert "a3 Goblin, transfixed, poisoned 2, has acted" in titles(svg, "figure")
    assert "b2 Mage, wounded 2, carrying loot" in titles(svg, "figure")
    assert ">down, wounded 3<" in svg  # in the list of forces
    assert ">wounded 2, carrying loot<" in svg
    assert "a2 Le troll, à terre, blessé 3" in titles(draw(skirmish, lang="fr"), "figure")


def test_a_figure_that_is_down_lies_on_its_empty_base(skirmish: Skirmish) -> None:
    svg = draw(skirmish)
    troll, orc = drawn_figure(svg, "Troll"), drawn_figure(svg, "Orc")

    lying = [text.get("transform") or "" for text in troll.iter(f"{SVG}text") if "rotate(90)" in str(text.attrib)]

    assert [text.text for text in troll.iter(f"{SVG}text")][:2] == ["T", "2"]
    assert len(lying) == 2
    assert len(groups(svg, "lying")) == 1
    base = troll.find(f"{SVG}circle")
    assert base is not None
    assert base.get("fill") not in {dress.colour for dress in LIVERIES}
    assert not [text for text in orc.iter(f"{SVG}text") if "rotate" in str(text.attrib)]


def test_a_transfixed_figure_is_nailed_to_its_base(skirmish: Skirmish) -> None:
    nails = [path for path in parsed(draw(skirmish)).iter(f"{SVG}path") if path.get("class") == "nails"]

    assert len(nails) == 2  # the nails and the light round them, on the goblin alone
    skirmish.units["goblin"].states = ()
    assert 'class="nails"' not in draw(skirmish)


def test_wounds_of_a_single_figure_are_a_number_beside_it(skirmish: Skirmish) -> None:
    svg = draw(skirmish)

    badges = groups(svg, "wounded")
    numbers = [badge.findtext(f"{SVG}text") for badge in badges]
    on_the_base = [g for g in drawn_figure(svg, "Troll").iter(f"{SVG}g") if "wounded" in (g.get("class") or "")]

    assert numbers.count("3") == 3  # beside the troll, on its label, in the list
    assert numbers.count(None) == 3 + 1  # the mage has one wound: a cross; and once among the signs
    assert len(on_the_base) == 1
    assert {badge.findtext(f"{SVG}title") for badge in badges} == {"wounded 3", "wounded"}


def test_the_signs_explain_what_is_on_the_table_and_nothing_else(skirmish: Skirmish) -> None:
    skirmish.units["scout"].states = ("drunk",)

    svg = draw(skirmish)

    for word in ("down", "transfixed", "wounded", "poisoned", "carrying loot", "has acted", "drunk", "Hero"):
        assert f">{word}<" in svg, word
    for word in ("shaken", "fatigued", "Objective", "fallen", "Treasure"):
        assert f">{word}<" not in svg, word
    assert "wounds taken" not in svg
    assert {badge.findtext(f"{SVG}text") for badge in groups(svg, "drunk")} == {"D"}  # no sign of its own: its letter


def test_who_left_is_told_how_and_only_the_dead_leave_a_mark(skirmish: Skirmish) -> None:
    skirmish.units["orc"].leave("killed")
    skirmish.units["elf"].leave("routed")
    skirmish.units["scout"].leave("left")

    svg = draw(skirmish)

    assert titles(svg, "fallen") == ["a1 Orc: fallen"]
    for word in ("killed", "routed", "left the table"):
        assert f">{word}<" in svg, word
    text = table_text(skirmish, colour=False)
    assert "a1 Orc killed" in text
    assert "b3 Scout left the table" in text
    assert "\n".join(table_rows(text)).count("+") == 1


def test_a_game_in_millimetres_is_drawn_on_a_table_in_centimetres(skirmish: Skirmish) -> None:
    skirmish.units["orc"].figures[0].z = 20

    svg = draw(skirmish)
    lines = table_text(skirmish, colour=False).splitlines()

    ticks = [text.text for text in parsed(svg).iter(f"{SVG}text") if text.get("font-size") == "11"]
    assert ticks[:7] == ["0", "10", "20", "30", "40", "50", "60"]
    assert titles(svg, "edge") == ["South", "North", "West", "East"]
    assert ">20 cm<" in svg  # the scale
    assert "a1 Orc, 2 cm high" in titles(svg, "figure")
    assert "Hill: high ground, no falling off; 2 cm high" in titles(svg, "piece")
    (foot,) = [line for line in lines if line.split()[:2] == ["0", "10"]]
    assert foot.split() == ["0", "10", "20", "30", "40", "50", "60"]
    assert "18" in [text.text for text in parsed(draw(skirmish, measure="in")).iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("kind", "owner", "letter", "title"),
    [
        ("ambush", 1, "?", "Hidden marker: Side b"),
        ("treasure", None, "T", "Treasure"),
        ("item", None, "M", "Magic item"),
        ("prize", None, "P", "Prize"),
        ("cart", 0, "C", "cart: Side a"),
    ],
)
def test_a_token_has_a_letter_and_a_form_of_its_own(
    skirmish: Skirmish, kind: str, owner: int | None, letter: str, title: str
) -> None:
    skirmish.tokens = (token(kind, owner),)

    (drawn,) = groups(draw(skirmish), "marker")
    form = drawn.find(f"{SVG}path")

    assert drawn.findtext(f"{SVG}title") == title
    assert drawn.findtext(f"{SVG}text") == letter
    assert form is not None
    scale = (1200 - 92) / 600
    reach = max(abs(float(n)) for n in re.findall(r"-?[\d.]+", form.get("d") or ""))
    assert 0.7 * 10 * scale <= reach <= 10 * scale + 0.1


def test_tokens_differ_by_form_and_not_by_colour_alone() -> None:
    for game in GAMES:
        signs = game.picture().signs.tokens.values()
        assert len({(sign.icon, sign.corners, sign.turn) for sign in signs}) == len(signs)
        for sign in signs:
            assert contrast(INK, sign.colour) >= 4.5


def test_tokens_stand_in_the_table_of_characters(skirmish: Skirmish) -> None:
    skirmish.tokens = (token("ambush", 1, (100, 560)), token("item", None, (450, 380)))

    text = table_text(skirmish, colour=False, lang="fr")
    rows = table_rows(text)

    (row,) = [number for number, line in enumerate(rows) if "?b" in line]
    assert rows[row].index("?b") / len(rows[0]) * 600 == pytest.approx(100, abs=10)
    assert (len(rows) - row - 0.5) / len(rows) * 600 == pytest.approx(560, abs=15)
    assert "?b marqueur caché" in text
    assert "O objet magique" in text


def test_the_place_of_power_has_a_ring_of_stars(skirmish: Skirmish) -> None:
    assert groups(draw(skirmish), "power") == []
    skirmish.place_of_power = "chapel"

    svg = draw(skirmish, lang="fr")
    text = table_text(skirmish, colour=False)

    (ring,) = groups(svg, "power")
    stars = ring.find(f"{SVG}path")
    assert ring.findtext(f"{SVG}title") == "Lieu de pouvoir: Ruine"
    assert ring.findtext(f"{SVG}text") == "Lieu de pouvoir"
    assert stars is not None
    assert (stars.get("d") or "").count("z") >= 8
    assert "✦ place of power" in text
    assert "\n".join(table_rows(text)).count("✦") >= 8
    skirmish.place_of_power = "nowhere"
    assert groups(draw(skirmish), "power") == []


def test_states_one_must_see_stand_on_the_table_of_characters(skirmish: Skirmish) -> None:
    text = table_text(skirmish, colour=False)
    table = "\n".join(table_rows(text))

    assert "a2↓" in table
    assert "a3‡" in table
    assert "a2 Troll (↓ down, wounded 3)" in text
    assert "a3 Goblin (‡ transfixed, poisoned, has acted)" in text
    assert "b3 Scout\n" in f"{text}\n"


def test_a_square_table_in_characters_is_not_taller_than_a_screen(skirmish: Skirmish) -> None:
    for width in (60, 80, 100, 120):
        rows = table_rows(table_text(skirmish, width=width, colour=False))
        assert len(rows) <= 0.45 * width
        assert len(rows) * 2 / len(rows[0]) == pytest.approx(1, rel=0.07)


# -- hexes -------------------------------------------------------------------------------------------------------------


def hex_sides(svg: str) -> list[tuple[float, float, float, float]]:
    """Every line of the lattice."""
    (lattice,) = [path for path in parsed(svg).iter(f"{SVG}path") if path.get("class") == "hexes"]
    sides: list[tuple[float, float, float, float]] = []
    for run in (lattice.get("d") or "").split("M")[1:]:
        points = [(float(x), float(y)) for x, y in (point.split() for point in run.split("L"))]
        sides += [(*a, *b) for a, b in pairwise(points)]
    return sides


def test_every_side_of_every_hex_is_drawn_once(skirmish: Skirmish) -> None:
    grid = HexGrid(60, 600, 600)
    skirmish.hexes = grid
    sides = hex_sides(draw(skirmish))

    middles = {(round((ax + bx) / 2), round((ay + by) / 2)) for ax, ay, bx, by in sides}
    inner = sum(len(grid.neighbours(cell)) for cell in grid.cells) // 2

    assert len(middles) == len(sides) == 6 * len(grid.cells) - inner
    long = 60 / 3**0.5 * (1200 - 92) / 600
    assert [hypot(ax - bx, ay - by) for ax, ay, bx, by in sides] == pytest.approx([long] * len(sides), abs=0.3)


def test_a_map_of_hexes_shows_them_and_says_how_wide_they_are(skirmish: Skirmish) -> None:
    moor = load_map("hex_moor")

    svg = draw_map(moor, lang="fr")

    assert len(hex_sides(svg)) > 3000
    assert "hexagones de 20 mm" in svg
    assert "⬡ hexes of 20 mm" in map_text(moor, colour=False)
    assert 'class="hexes"' not in draw_map(load_map("brook"))
    assert 'class="hexes"' not in draw(skirmish)
    assert len(svg) < 200_000
