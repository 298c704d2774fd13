"""How the things of a battle are named and drawn, and whose they are."""

from __future__ import annotations

import re

from tests.lfw.laid import add, battle_of
from tests.lfw.village import SPOTS, VILLAGE, at_first_moves

from oriflamme.drawing.svg import draw
from oriflamme.drawing.tags import unit_tags
from oriflamme.engine.words.text import Names, Voice
from oriflamme.games import load
from oriflamme.games.lfw.events.morale import CourageTested


def test_a_mount_is_named_after_its_tag_and_belongs_to_its_side() -> None:
    battle = battle_of()
    add(battle, "knight", 0, 4, 4, mount={"Pv": 2})
    add(battle, "chief", 1, 8, 4, mount={"Pv": 2})
    game = load("lfw")
    names = Names(game, battle, unit_tags(battle))

    line = Voice(game, names).event(CourageTested("LFW-DICE-09", "chief.mount", "unstable", (5, 3), 8, 8, True))

    assert (line.spans[0].text, line.spans[0].side) == ("b1 horse", 1)
    assert names.side_of("knight.mount") == 0


def test_a_mount_that_nobody_sees_has_no_name() -> None:
    battle = battle_of()
    add(battle, "knight", 0, 4, 4, mount={"Pv": 2})
    names = Names(load("lfw"), battle)

    names.learn(battle, frozenset({"knight"}))

    assert names.get("knight.mount", "en", "unit") is None


def test_a_lamp_lights_its_own_board_in_the_picture() -> None:
    lit = {"id": "hearth", "kind": "torch", "at": [2.5, 1.5], "radius": 0.3, "board": "house_inside"}
    village = VILLAGE | {"piece": [*VILLAGE["piece"], lit]}
    battle = at_first_moves(SPOTS, light="night", village=village).battle

    drawn = draw(battle, load("lfw").picture())

    shapes = re.findall(r'<clipPath id="lit-\d+"><path d="([^"]+)"', drawn)
    assert len(set(shapes)) == 2, "the table, and the room"
