"""What is drawn to help with regiments agrees with the rules: where stands will be, which places are legal, arcs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import cos, sin
from random import Random
from typing import Any

import pytest
from shapely.geometry import Point, Polygon

from oriflamme.engine.blocks.bodies import FACES, Block, Pose, gap_between
from oriflamme.engine.blocks.faces import lies_in
from oriflamme.engine.core.decisions import Decision, Manoeuvre
from oriflamme.engine.core.play import Play
from oriflamme.engine.screen.aids import arc_ahead, grown
from oriflamme.games import load
from oriflamme.games.tlaok.regiment.contact import engaged_stands
from oriflamme.lab.battle import decide, players


@cache
def asked() -> tuple[tuple[Play, Decision], ...]:
    """Forks of battles at some of every kind of manoeuvre they ask for, and where somebody may clash; battles by chance
    go on until those that are rare have come up too."""
    rules = load("tlaok")
    found: list[tuple[Play, Decision]] = []
    seen: dict[str, int] = {}
    for seed in range(3, 20):
        if seed > 4 and seen.keys() & {"combat_reform", "leave_garrison"}:
            break
        play = Play(rules, rules.setup(seed, points=1000), seed)
        bots = players(rules, ["captain", "random"], seed)
        while play.pending:
            decision = play.pending[0]
            if isinstance(decision, Manoeuvre) or "clash" in {o.key for o in getattr(decision, "options", ())}:
                number = seen[decision.ask] = seen.get(decision.ask, 0) + 1
                if number < 5 or number % 7 == 0:
                    fork = play.twin()
                    found.append((fork, fork.pending[0]))
            play.answer(decision.side, decide(play, decision, bots[decision.side]))
    return tuple(found)


def questions(*asks: str) -> Iterator[tuple[Any, Any, Manoeuvre]]:
    for play, decision in asked():
        if isinstance(decision, Manoeuvre) and (not asks or decision.ask in asks):
            yield play, play.view(decision.side).battle, decision


def test_stands_are_where_the_guide_says_they_will_be() -> None:
    tried = set()
    for play, view, decision in questions():
        guide = play.game.aids().guide(view, decision)
        regiment = decision.about["regiment"]
        answer = decision.suggestion()
        (x, y, facing) = answer[regiment][-1]
        fork = play.twin()
        fork.answer(decision.side, answer)
        stands = fork.battle.units[regiment].figures
        if len(stands) != len(guide.stands) or decision.ask == "leave_garrison":
            # Lost on the way over dangerous ground, or put against the walls.
            continue
        there = sorted((round(s.x, 1), round(s.y, 1)) for s in stands)
        c, s = cos(facing), sin(facing)
        told = sorted((round(x + c * a - s * b, 1), round(y + s * a + c * b, 1)) for _, a, b, *_ in guide.stands)
        assert there == [pytest.approx(place, abs=0.2) for place in told], decision.ask
        assert {id for id, *_ in guide.stands} == {stand.id for stand in stands}
        tried.add(decision.ask)
    assert {"march", "enter", "reform"} <= tried


def test_places_that_are_shown_are_legal() -> None:
    shown = 0
    for play, view, decision in questions("combat_reform", "leave_garrison"):
        guide = play.game.aids().guide(view, decision)
        assert guide.poses
        for pose in guide.poses:
            decision.accept({decision.about["regiment"]: [list(pose)]})
            shown += 1
    assert shown


def test_who_comes_in_begins_between_the_ends_of_his_edge() -> None:
    tried = 0
    for play, view, decision in questions("enter"):
        (ax, ay, _), (bx, by, _) = play.game.aids().guide(view, decision).edge
        first = decision.sample(Random(tried))[decision.about["regiment"]][0]
        assert min(ax, bx) - 0.1 <= first[0] <= max(ax, bx) + 0.1
        assert min(ay, by) - 0.1 <= first[1] <= max(ay, by) + 0.1
        tried += 1
    assert tried


def test_the_arc_that_is_drawn_is_the_arc_of_the_rules() -> None:
    random = Random(5)
    inside = 0
    for _ in range(60):
        block = Block(random.uniform(60, 400), random.uniform(60, 200), Pose(0.0, 0.0, random.uniform(-3, 3)))
        far = random.uniform(100, 400)
        for face in FACES:
            ring = Polygon(arc_ahead(block, face, far))
            for _ in range(12):
                spot = Block(0.1, 0.1, Pose(random.uniform(-600, 600), random.uniform(-600, 600), 0.0))
                if ring.exterior.distance(Point(spot.x, spot.y)) < 3.0:
                    continue
                away = gap_between((block,), (spot,))
                meant = lies_in(block, face, spot) and 0.0 < away <= far
                assert ring.contains(Point(spot.x, spot.y)) == meant
                inside += meant
    assert inside > 100


def test_what_is_kept_off_is_as_wide_as_it_says() -> None:
    block = Block(200.0, 80.0, Pose(50.0, 20.0, 0.7))
    assert Polygon(grown(block, 25.4)).area == pytest.approx(Polygon(block.points).buffer(25.4).area, rel=0.01)


def test_everybody_takes_part_in_a_clash_once() -> None:
    """Those who touch somebody strike, all others support."""
    clashes = 0
    for play, decision in asked():
        option = next((o for o in getattr(decision, "options", ()) if o.key == "clash"), None)
        battle: Any = play.battle
        regiment = battle.units[decision.about["regiment"]]
        if option is None or decision.ask != "choose_action" or regiment.garrison:
            continue
        aids = {aid.kind: len(aid.rings) for aid in play.game.aids().pointed(battle, decision, option)}
        touching = len(engaged_stands(battle, regiment))
        assert aids.get("strikes", 0) == touching
        assert aids.get("supports", 0) == regiment.size - touching
        clashes += 1
    assert clashes > 5
