"""Losses by chance: wounds add up, blocks stay where they are, Broken and Shattered come when the book says."""

from __future__ import annotations

from fractions import Fraction
from math import pi
from random import Random
from typing import Any

import pytest

from oriflamme.engine.blocks.bodies import Pose
from oriflamme.engine.core.dice import SeededDice, outcomes
from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.rulebook import house_rules_of
from oriflamme.engine.core.steps import Asking
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.table.pieces import Table
from oriflamme.games.tlaok.events import MoraleTested
from oriflamme.games.tlaok.game import game as game
from oriflamme.games.tlaok.losses.healing import heal
from oriflamme.games.tlaok.losses.wounds import Cause, take_wounds
from oriflamme.games.tlaok.profile import Profile
from oriflamme.games.tlaok.regiment.command import take_posts
from oriflamme.games.tlaok.regiment.contact import rectangle_of
from oriflamme.games.tlaok.regiment.formation import slots, usual
from oriflamme.games.tlaok.state import Battle, Character, Regiment, Stand
from oriflamme.games.tlaok.trials import RollTarget, attempt

PLAIN = {"march": 5, "volley": 0, "clash": 2, "attacks": 4, "wounds": 4, "resolve": 3, "defence": 2, "evasion": 0}
NAME = {"en": "Levy", "fr": "Levée"}
ARROWS = Cause("TLAOK-VOLLEY-21", "volley", morale=False)


def a_battle(seed: int = 1) -> Battle:
    options = {key: option.default for key, option in house_rules_of("tlaok").items()}
    return Battle(Table(48 * INCH, 48 * INCH), options, SeededDice(seed))


def a_regiment(battle: Battle, random: Random) -> Regiment:
    """Any infantry regiment, with or without command stand and character, somewhere in the middle of the table."""
    profile = Profile("levy", NAME, "infantry", "medium", PLAIN | {"wounds": random.randint(1, 5)})
    number = random.randint(1, 12)
    stands = [Stand(f"levy.{n}", profile) for n in range(number)]
    command = random.random() < 0.5
    if command:
        stands[0] = Stand("levy.0", profile, "command", ("leader", "standard"))
    character = None
    if random.random() < 0.5:
        own = Profile("lord", NAME, "infantry", "", PLAIN, character=True)
        character = Character("lord", own)
        stands.append(Stand("lord", own, "character"))
    regiment = Regiment("levy", 0, profile, stands, character)
    for stand in stands:
        take_posts(regiment, stand)
    size = len(stands)
    regiment.reserve = None
    regiment.draw_up(usual(size, random.randint(min(2, size), size), command, character is not None))
    regiment.stand_at(*Pose(24 * INCH, 24 * INCH, random.uniform(-pi, pi)))
    battle.units["levy"] = regiment
    return regiment


def finish(asking: Asking[None], random: Random) -> None:
    """Play on, answering by chance."""
    try:
        decision: Any = next(asking)
        while True:
            decision = asking.send(decision.accept(decision.sample(random)))
    except StopIteration:
        pass


@pytest.mark.parametrize("seed", range(60))
def test_wounds_are_markers_or_stands_that_fell(seed: int) -> None:
    random = Random(seed)
    battle = a_battle(seed)
    levy = a_regiment(battle, random)
    levy.started = 99
    wounds, troops = random.randint(1, 20), len(levy.troops)

    finish(take_wounds(battle, levy, wounds, ARROWS), random)

    tough = levy.profile.wounds
    if wounds >= troops * tough:
        assert levy.fate == "destroyed"
        assert not levy.figures
    else:
        assert len(levy.troops) == troops - wounds // tough
        assert [s.wounds for s in levy.troops if s.wounds] == ([wounds % tough] if wounds % tough else [])


@pytest.mark.parametrize("seed", range(60))
def test_ranks_close_up_where_they_stand(seed: int) -> None:
    random = Random(seed)
    battle = a_battle(seed)
    levy = a_regiment(battle, random)
    levy.started = 99
    before, ranks = rectangle_of(levy), levy.ranks

    finish(take_wounds(battle, levy, random.randint(1, 8), ARROWS), random)

    if levy.fate:
        return
    places = sorted((s.rank, s.file) for s in levy.figures)
    assert places == sorted(slots(levy.size, levy.formation))
    assert levy.formation in levy.formations(levy.formation.files)
    assert all(s.rank == levy.ranks - 1 for s in levy.ordinary if s.wounds)
    now = rectangle_of(levy)
    for x, y in (now.front_left, now.front_right):
        across, along = before.local(x, y)
        # The front edge is where it was; only a single rank is shorter than before.
        assert along == pytest.approx(before.half_depth, abs=0.1)
        assert abs(across) <= before.half_width + 0.1
    if ranks > 1 and levy.ranks > 1:
        assert now.width == pytest.approx(before.width)


@pytest.mark.parametrize("seed", range(60))
def test_half_breaks_and_half_of_the_rest_shatters(seed: int) -> None:
    random = Random(seed)
    battle = a_battle(seed)
    levy = a_regiment(battle, random)
    size, hero = levy.size, int(levy.hero is not None)
    wounds = random.randint(1, 20)

    finish(take_wounds(battle, levy, wounds, ARROWS), random)

    # The same law stand by stand, written independently.
    left, broken_with, fate = size, 0, ""
    for _ in range(wounds // levy.profile.wounds):
        left -= 1
        if left == hero:
            fate = "destroyed"
        elif broken_with:
            fate = "shattered" if 2 * (broken_with - left) >= broken_with else ""
        elif 2 * (size - left) >= size:
            broken_with = left
        if fate:
            break
    assert levy.fate == fate
    assert fate or levy.broken == bool(broken_with)


@pytest.mark.parametrize("seed", range(40))
def test_healing_never_makes_more_than_there_were(seed: int) -> None:
    random = Random(seed)
    battle = a_battle(seed)
    levy = a_regiment(battle, random)
    levy.started = 99
    size, command, files = levy.size, levy.command is not None, levy.formation.files
    finish(take_wounds(battle, levy, random.randint(1, 9), ARROWS), random)
    if levy.fate:
        return
    hurt = sum(s.wounds for s in levy.troops) + (size - levy.size) * levy.profile.wounds

    finish(heal(battle, levy, hurt, "TLAOK-HEAL-01"), random)

    assert levy.size == size
    assert not any(s.wounds for s in levy.figures)
    assert (levy.command is not None) == command
    assert levy.formation.files <= max(files, size)
    assert sorted((s.rank, s.file) for s in levy.figures) == sorted(slots(size, levy.formation))


def test_a_test_passed_in_the_flank_must_be_passed_twice() -> None:
    def failures(resolve: int, *, behind: bool) -> dict[int, Fraction]:
        wanted = RollTarget(resolve)
        if behind:
            wanted.retry_successes("flank", "TLAOK-CLASH-19")
        return outcomes(lambda dice: attempt(dice, 1, wanted, "all").failures)

    assert failures(3, behind=False)[0] == Fraction(3, 6)
    assert failures(3, behind=True)[0] == Fraction(3, 6) ** 2
    assert failures(0, behind=True)[0] == Fraction(1, 6) ** 2
    assert failures(9, behind=True)[0] == Fraction(5, 6) ** 2


def test_nerve_is_told_with_what_was_to_be_expected_of_it() -> None:
    why = (Reason("resolve", 3, "TLAOK-PROF-14"),)
    front = MoraleTested("TLAOK-MORALE-05", "levy", 4, 3, 1, 1, (1, 2, 3, 6), why)
    flank = MoraleTested("TLAOK-MORALE-05", "levy", 4, 3, 4, 4, (4, 5, 6, 6), why, (1, 2, 3))

    (fair,) = front.luck(())
    (worse,) = flank.luck(())

    assert (fair.kind, fair.dice) == ("nerve", 4)
    assert (fair.got, fair.expected) == (Fraction(3), Fraction(2))
    assert (worse.got, worse.expected) == (Fraction(0), Fraction(1))
