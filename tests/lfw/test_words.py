"""How the things of a battle are named, and whose they are."""

from __future__ import annotations

from tests.lfw.laid import add, battle_of

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
