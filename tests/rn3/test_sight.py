"""Sight of Rag'Narok 3: what is kept and what is left out changes nothing about who sees whom."""

from __future__ import annotations

from random import Random

import pytest

from oriflamme.engine.core.dice import ScriptedDice
from oriflamme.engine.geometry.disc_blocks import DiscBlock
from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.geometry.plan_sight import PlanSight
from oriflamme.engine.table.maps import generate_company_map
from oriflamme.engine.table.pieces import Table
from oriflamme.games.rn3.contact import disc_of, melees, same_melee
from oriflamme.games.rn3.game import game
from oriflamme.games.rn3.hills import hidden_by_level
from oriflamme.games.rn3.levels import level_at
from oriflamme.games.rn3.measures import SIGHT_GAP
from oriflamme.games.rn3.profile import Profile
from oriflamme.games.rn3.shooting import difficulty_of
from oriflamme.games.rn3.sight import Lines
from oriflamme.games.rn3.state import Battle, Fighter, Unit
from oriflamme.games.rn3.terrain import raised_size, scenery_of


def crowded(seed: int) -> Battle:
    """Ten units of three or four on a table with hills, some of them in contact."""
    random = Random(seed)
    table = generate_company_map(seed).table
    battle = Battle(table, game.defaults(), ScriptedDice([]))
    placed: list[Fighter] = []
    for number in range(10):
        card = Profile("card", {"en": "card"}, base=random.choice([30, 40]))
        figures = [Fighter(f"u{number}.{n}", card) for n in range(random.randint(3, 4))]
        x, y = random.uniform(cm(10), cm(110)), random.uniform(cm(10), cm(110))
        for figure in figures:
            for _ in range(500):
                fx, fy = x + random.uniform(-cm(6), cm(6)), y + random.uniform(-cm(6), cm(6))
                apart = [((fx - p.x) ** 2 + (fy - p.y) ** 2) ** 0.5 - figure.radius - p.radius for p in placed]
                if table.holds(figure.base, fx, fy, 0.0) and all(gap >= 0 for gap in apart):
                    break
            figure.x, figure.y, figure.level = fx, fy, level_at(table, fx, fy)
            placed.append(figure)
        unit = Unit(f"u{number}", number % 2, figures, {"en": f"u{number}"}, card)
        unit.leader = figures[0].id
        unit.place = "table"
        unit.update_bounds()
        battle.units[unit.id] = unit
    return battle


def plainly_seen(battle: Battle, unit: Unit, other: Unit) -> set[tuple[str, str]]:
    """Who sees whom for a shot, past everything on the table, with nothing kept."""
    own = {f.level for f in (*unit.figures, *other.figures)}
    found = set()
    for viewer in unit.figures:
        for target in other.figures:
            taller = max(raised_size(battle, viewer), raised_size(battle, target))
            outlines = [p.outline for p, size in scenery_of(battle.table) if size >= taller and p.id not in own]
            blocks, known = [], {unit.id, other.id}
            for one in battle.on_table():
                if one.id not in known:
                    group = [u for u in same_melee(battle, one) or [one] if u.id not in (unit.id, other.id)]
                    known |= {u.id for u in group}
                    fighters = [f for u in group for f in u.figures]
                    tall = [raised_size(battle, f) >= taller for f in fighters]
                    blocks.append(DiscBlock([disc_of(f) for f in fighters], SIGHT_GAP, tall))
            free = PlanSight(blocks, (), outlines).sees(disc_of(viewer), disc_of(target))
            if free and not hidden_by_level(battle, unit, viewer, other, target):
                found.add((viewer.id, target.id))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_what_is_not_near_two_units_hides_nothing_between_them(seed: int) -> None:
    battle = crowded(seed)

    for unit in battle.friends_of(0):
        for other in battle.enemies_of(0):
            lines = Lines(battle, unit, other, "shoot")
            seen = {(v.id, t.id) for v in unit.figures for t in other.figures if lines.sees(v, t)}
            assert seen == plainly_seen(battle, unit, other)


@pytest.mark.parametrize("seed", range(3))
def test_who_is_in_one_melee_is_found_in_one_go(seed: int) -> None:
    battle = crowded(seed)

    found = {frozenset(unit.id for unit in group) for group in melees(battle)}

    plain = {frozenset(u.id for u in same_melee(battle, unit) or [unit]) for unit in battle.on_table()}
    assert found == plain


def test_a_unit_that_moved_in_a_copy_stands_in_the_way_there_only() -> None:
    battle = Battle(Table(cm(120), cm(120)), game.defaults(), ScriptedDice([]))
    for number, (side, x, y) in enumerate([(0, 60, 20), (1, 60, 80), (0, 20, 50)]):
        card = Profile("card", {"en": "card"})
        figures = [Fighter(f"u{number}.{n}", card) for n in range(3)]
        for n, figure in enumerate(figures):
            figure.x, figure.y = cm(x + 4 * n), cm(y)
        unit = Unit(f"u{number}", side, figures, {"en": f"u{number}"}, card)
        unit.leader, unit.place = figures[0].id, "table"
        unit.update_bounds()
        battle.units[unit.id] = unit
    unit, other = battle.units["u0"], battle.units["u1"]
    before = Lines(battle, unit, other, "shoot").seen(unit.figures), difficulty_of(battle, unit, other)
    copy = battle.copy()
    between = copy.units["u2"]
    for n, figure in enumerate(between.figures):
        figure.x, figure.y = cm(60 + 4 * n), cm(50)
    between.update_bounds()

    there = difficulty_of(copy, copy.units["u0"], copy.units["u1"])
    hidden = Lines(copy, copy.units["u0"], copy.units["u1"], "shoot").seen(copy.units["u0"].figures)
    after = Lines(battle, unit, other, "shoot").seen(unit.figures), difficulty_of(battle, unit, other)

    assert hidden == ([], [])
    assert "RN3-OBS-02" in [reason.rule for reason in there]
    assert "RN3-OBS-02" not in [reason.rule for reason in after[1]]
    assert after == before
