"""A battle drawn as a picture, and in characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import pi
from xml.etree import ElementTree

import pytest

from oriflamme.drawing import WORDS, states_of, unit_tags, zones_of
from oriflamme.drawing.svg import BADGES, LIVERIES, MUTED, draw, draw_map
from oriflamme.drawing.terminal import COLOURS, SIGNS, map_text, table_text
from oriflamme.drawing.terrain import INK, PAINTERS, PAPER, WET
from oriflamme.engine.dice import SeededDice
from oriflamme.engine.geometry import Base, Box, Disc, Outline
from oriflamme.engine.maps import KINDS, MEASURES, generate_map, load_map, map_from_data, shipped_maps
from oriflamme.engine.measure import inches
from oriflamme.games.aof.keywords.muster import Hero, Tough
from oriflamme.games.aof.profile import Profile
from oriflamme.games.aof.state import Battle, Figure, Objective, Unit

SVG = "{http://www.w3.org/2000/svg}"
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
    made.settle()
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
    assert len({livery.pattern for livery in LIVERIES}) == len(LIVERIES) == 4


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


def test_a_game_may_say_its_own_zones(battle: Battle) -> None:
    class Elsewhere(Battle):
        def zones(self) -> Iterator[tuple[int, Outline]]:
            yield 0, Outline.circle(500, 500, 100)

    mine = Elsewhere(battle.table, {}, SeededDice(1))

    assert [side for side, _ in zones_of(mine)] == [0]
    assert len(groups(draw(mine), "zone")) == 1


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


@pytest.mark.parametrize("name", [*shipped_maps(), "generated_1", "generated_2"])
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
    for livery in LIVERIES:
        assert contrast("#ffffff", livery.colour) >= 4.5, livery
        assert contrast(livery.colour, PAPER) >= 4.5, livery
    for ink in (INK, MUTED):
        for ground in (PAPER, "#fffaf0", "#e4dcc8"):
            assert contrast(ink, ground) >= 4.5, (ink, ground)
    for fill, _ in BADGES.values():
        assert contrast(INK, fill) >= 4.5


def test_both_languages_have_the_same_words() -> None:
    assert WORDS["en"].keys() == WORDS["fr"].keys()


# -- characters --------------------------------------------------------------------------------------------------------


def test_tags_number_the_units_of_each_side(battle: Battle) -> None:
    assert unit_tags(battle) == {"archers": "a1", "knights": "a2", "levy": "b1", "giant": "b2"}


def test_a_unit_keeps_the_tag_it_was_given(battle: Battle) -> None:
    battle.units["knights"].card = {"tag": "a1"}

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
