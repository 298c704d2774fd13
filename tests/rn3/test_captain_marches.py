"""Where the captain goes when nothing is in reach: nearer, by ways that are wide enough, and not behind its own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.rn3.laid import battle_of, unit_of

from oriflamme.engine.core.decisions import Option, PickOne
from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.rn3.captain import CaptainBot, worth
from oriflamme.games.rn3.captain.bot import Plan
from oriflamme.games.rn3.captain.routes import route
from oriflamme.games.rn3.powers import Power
from oriflamme.games.rn3.profile import Line
from oriflamme.games.rn3.state import Battle

BOW = Line(1, 6, 5)
FILE = [(60.0, 10.0), (64.0, 10.0), (68.0, 10.0)]


def late_battle(*units: Any, turn: int, turns: int = 6) -> Battle:
    battle = battle_of(*units)
    battle.round, battle.turns = turn, turns
    return battle


def test_an_enemy_who_cannot_be_reached_any_more_still_draws_it_nearer() -> None:
    battle = late_battle(turn=5)

    far, near = (worth.approach(battle, 100.0, cm(away), cm(20)) for away in (80, 60))

    assert 0 < far < near < worth.approach(battle, 100.0, cm(15), cm(20))


def test_in_the_last_turn_no_fight_is_to_come() -> None:
    assert worth.approach(late_battle(turn=6), 100.0, cm(15), cm(20)) == 0.0


def test_shots_to_come_are_worth_more_from_nearer_and_nothing_in_the_last_turn() -> None:
    archers = unit_of("archers", 0, FILE, ranged=BOW)
    foes = unit_of("foes", 1, [(60, 90), (64, 90), (68, 90)])
    battle = late_battle(archers, foes, turn=2)

    far, near = (worth.aim(battle, archers, (cm(60), cm(y)), [foes]) for y in (10, 45))

    assert 0 < far < near
    assert worth.aim(battle, foes, (cm(60), cm(45)), [archers]) == 0.0
    assert worth.aim(late_battle(archers, foes, turn=6), archers, (cm(60), cm(45)), [foes]) == 0.0


def test_nobody_is_called_up_in_the_way_of_a_march() -> None:
    call = Power("call", "ritual", {}, cost=3, target="point", effect={"summon": {"count": 2}})
    witches = unit_of("witches", 0, FILE, pou=4, powers=[call])
    battle = late_battle(witches, unit_of("foes", 1, [(60, 90)]), turn=1)
    captain = CaptainBot(1)
    key = f"{witches.figures[0].id}/call"

    def answer(order: str, window: str) -> Any:
        captain.plan = Plan("witches", order, 1.0, {})
        about = {"unit": "witches", "window": window}
        options = [Option("none", "none"), Option(key, "power")]
        question = PickOne(0, options, "mystic_action", "RN3-MYA-01", about)
        return captain.decide(SimpleNamespace(battle=battle), question)  # type: ignore[arg-type]

    assert answer("run", "before") == "none"
    assert answer("run", "after") == key
    assert answer("stay", "before") == key


def test_elixir_buys_dice_for_blows_in_the_last_turns() -> None:
    def answer(turn: int, test: str) -> Any:
        question = PickOne(0, [Option("yes", ""), Option("no", "")], "one_more_die", "RN3-ELX-05", {"test": test})
        view: Any = SimpleNamespace(battle=late_battle(turn=turn))
        return CaptainBot(1).decide(view, question)

    assert answer(5, "attack") == "yes"
    assert answer(4, "attack") == "no"
    assert answer(5, "courage") == "no"


def test_a_large_unit_goes_round_a_gap_that_one_man_goes_through() -> None:
    """Two walls with 10 cm between them, and open country beside."""
    walls = [
        Piece(
            id,
            "wall",
            Outline.polygon([(cm(a), cm(48)), (cm(b), cm(48)), (cm(b), cm(60)), (cm(a), cm(60))]),
            cm(7),
            ["impassable"],
        )
        for id, a, b in (("left", 40, 56), ("right", 66, 82))
    ]
    goal = (cm(60), cm(80))

    def leftmost_and_rightmost(figures: int) -> tuple[float, float]:
        unit = unit_of("unit", 0, [(60 + 4 * (n % 4), 30 - 4 * (n // 4)) for n in range(figures)])
        battle = battle_of(unit)
        battle.table = Table(1200.0, 1200.0, walls)
        way = route(battle, unit, goal)
        assert way is not None
        return min(x for x, _ in way), max(x for x, _ in way)

    one, many = leftmost_and_rightmost(1), leftmost_and_rightmost(12)

    assert cm(55) < one[0]
    assert one[1] < cm(65)
    assert many[0] < cm(40) or many[1] > cm(82)
