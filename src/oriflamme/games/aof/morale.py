"""Morale (AOF-MORALE) and Shaken units (AOF-SHAKEN)."""

from __future__ import annotations

from collections import Counter

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.dice import Dice, Needed
from oriflamme.engine.core.keywords import Keyword as AnyKeyword
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one, put_in_order
from oriflamme.engine.core.steps import Asking, Step
from oriflamme.games.aof.events import MoraleFailedAtOnce, MoraleTested, SecondChanceRolled, UnitRouted, UnitShaken
from oriflamme.games.aof.moments import Keyword, KeywordSet
from oriflamme.games.aof.state import Battle, Unit, step
from oriflamme.games.aof.wounds import remove_unit


class MoraleTest:
    """A Morale Test: the Quality to reach, and whether it was passed (AOF-MORALE-06)."""

    __slots__ = ("chance", "face", "needed", "passed")

    def __init__(self, quality: int) -> None:
        self.needed = Needed(quality, "Quality", "AOF-MORALE-06")
        self.passed = False
        self.face = 0
        # A second roll that may turn a failure: face, number needed, passed.
        self.chance: tuple[int, int, bool] | None = None

    def second_chance(self, number: int, dice: Dice, because: AnyKeyword) -> None:
        rolled = dice.reach(1, Needed(number, because.title, because.rule))
        self.passed = rolled.successes == 1
        self.chance = (dice.last[0] if dice.last else 0, number, self.passed)


def quality_of(unit: Unit) -> int:
    """The Quality most living models share, the worse one on a tie; the joined Hero apart (AOF-MORALE-06)."""
    counted = Counter(f.profile.quality for f in unit.figures if not (f.profile.hero and unit.start > 1))
    if not counted:
        return unit.figures[0].profile.quality
    most = max(counted.values())
    return max(quality for quality, number in counted.items() if number == most)


def roll_morale(test: MoraleTest, shared: tuple[KeywordSet, ...], dice: Dice) -> bool:
    """One die against Quality; a failure may have a second chance (AOF-SR-FEARLESS-01)."""
    rolled = dice.reach(1, test.needed)
    test.face = dice.last[0] if dice.last else 0
    test.passed = rolled.successes == 1
    if not test.passed:
        at(Keyword.after_failed_morale, shared, test, dice)
    return test.passed


def test_morale(battle: Battle, unit: Unit) -> Asking[bool]:
    """A unit tests its morale; the answer is whether it passed.

    1. A Shaken unit fails without a roll.                               AOF-SHAKEN-04
    2. A joined Hero may test for the unit; its owner says so before.    AOF-SR-HERO-04
    3. One die against Quality, modifiers added.                         AOF-MORALE-06
    """
    if unit.shaken:
        battle.tell(MoraleFailedAtOnce("AOF-SHAKEN-04", unit.id))
        if battle.option("aof.shakenFearless") == "noRoll":
            return False
        test = MoraleTest(7)
        at(Keyword.after_failed_morale, (unit.shared,), test, battle.dice)
        _tell_second_chance(battle, unit, test)
        return test.passed

    quality, by = quality_of(unit), unit.id
    hero = unit.joined_hero
    if hero is not None and len(unit.figures) > 1 and hero.profile.quality != quality:
        chosen = yield from pick_one(
            unit.side,
            [Option.thing(hero.id, "figure"), Option.thing(unit.id, "unit")],
            "who_tests_morale",
            "AOF-SR-HERO-04",
            {"unit": unit.id},
            default=hero.id if hero.profile.quality < quality else unit.id,
        )
        if chosen == hero.id:
            quality, by = hero.profile.quality, hero.id

    test = MoraleTest(quality)
    announce_test(battle, unit, test)
    roll_morale(test, (unit.shared,), battle.dice)
    first = test.passed if test.chance is None else False
    battle.tell(MoraleTested("AOF-MORALE-06", unit.id, by, test.face, test.needed.face, test.needed.why(), first))
    _tell_second_chance(battle, unit, test)
    return test.passed


def announce_test(battle: Battle, unit: Unit, test: MoraleTest) -> None:
    """Everything that changes the roll: a bearer's rules once, however many bear them, and what the unit shares."""
    carried: dict[type, Keyword] = {}
    for figure in unit.figures:
        for keyword in figure.profile.keywords.changing(Keyword.before_morale_test):
            carried.setdefault(type(keyword), keyword)
    for keyword in carried.values():
        keyword.before_morale_test(test)
    at(Keyword.before_unit_tests, (unit.shared,), test)


def _tell_second_chance(battle: Battle, unit: Unit, test: MoraleTest) -> None:
    if test.chance is not None:
        battle.tell(SecondChanceRolled("AOF-SR-FEARLESS-01", unit.id, *test.chance))


def shake(battle: Battle, unit: Unit, rule: str = "AOF-MORALE-07") -> None:
    """The unit becomes Shaken; it cannot become so twice (AOF-SHAKEN-06)."""
    if not unit.shaken:
        unit.shaken = True
        battle.tell(UnitShaken(rule, unit.id))


@step
def test_after_wounds(battle: Battle) -> Step:
    """End of an activation (AOF-MORALE-01): units that took wounds and are at half or less test their morale.

    Units that fought a melee in this activation never do (AOF-MORALE-05). The active player orders several tests.
    """
    activation = battle.acting
    due = [
        unit
        for id in activation.hurt
        if id not in activation.fought and (unit := battle.units[id]).on_table and unit.at_half
    ]
    if len(due) > 1:
        order = yield from put_in_order(
            activation.side, [Option.thing(u.id, "unit") for u in due], "order_of_morale_tests", "AOF-MORALE-10"
        )
        due = [battle.units[id] for id in order]
    for unit in due:
        passed = yield from test_morale(battle, unit)
        if not passed:
            shake(battle, unit)


def lose_melee(battle: Battle, unit: Unit) -> Step:
    """The loser of a melee tests; at half or less it routs, otherwise it is Shaken (AOF-MORALE-08)."""
    passed = yield from test_morale(battle, unit)
    if passed:
        return
    if unit.at_half:
        battle.tell(UnitRouted("AOF-MORALE-08", unit.id))
        remove_unit(battle, unit)
    else:
        shake(battle, unit, "AOF-MORALE-08")
