"""Morale: courage and fear, rout and rally (RN3-MOR), and the standards that help (RN3-STD)."""

from __future__ import annotations

from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.rn3.attempts import attempt
from oriflamme.games.rn3.contact import engaged_with, touches
from oriflamme.games.rn3.elixir import may_steady
from oriflamme.games.rn3.events.morale import CourageHeld, Rallied, Routed, StandardSeen, StaysRouted
from oriflamme.games.rn3.formation import disperse
from oriflamme.games.rn3.moments import Keyword
from oriflamme.games.rn3.power import power_of
from oriflamme.games.rn3.sight import fighter_sees
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Unit, skills_of, value_of
from oriflamme.games.rn3.tactics import drop_tactics
from oriflamme.games.rn3.trials import Trial, prepare, tell, throw

STANDARD: Final = 2  # RN3-STD-01
LEAST: Final = 1  # the difficulty of a half-strength test and a rally (RN3-MOR-09)
HARDER: Final = 2  # for a stronger enemy in contact, and for a fearsome one


class Value(NamedTuple):
    """A courage value that a unit can test with: the number, whose it is, and the unit whose standard brings it."""

    number: int
    fighter: Fighter
    unit: Unit
    standard: bool


class Courage:
    """A courage test that is due. Special rules may say that the unit passes it by itself."""

    __slots__ = ("all_of", "alone", "unit")

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.alone: Keyword | None = None
        self.all_of: dict[str, int] = {}

    def passes(self, because: Keyword) -> None:
        """One such fighter is enough (RN3-SKL-28)."""
        self.alone = because

    def passes_if_all(self, because: Keyword) -> None:
        """The unit passes if it is composed of such fighters (RN3-SKL-36)."""
        self.all_of[because.title] = self.all_of.get(because.title, 0) + 1
        if self.all_of[because.title] == sum(not f.profile.machine for f in self.unit.figures):
            self.alone = because


class Fear:
    """How fearsome a unit is to another (RN3-MOR-04, -05)."""

    __slots__ = ("fearsome", "fighter", "unit", "value")

    def __init__(self, unit: Unit, fearsome: bool) -> None:
        self.unit = unit
        # Whether who looks at it is fearsome himself (RN3-SKL-28).
        self.fearsome = fearsome
        self.fighter = unit.figures[0]
        self.value: int | None = None

    def at_least(self, value: int) -> None:
        self.value = value if self.value is None else max(self.value, value)


def is_fearsome(unit: Unit) -> bool:
    """One fearsome fighter makes the whole unit fearsome (RN3-MOR-05)."""
    return any(f.profile.peu is not None for f in unit.figures)


def fear_of(battle: Battle, unit: Unit, seen_by: Unit | None = None) -> int | None:
    """The highest PEU among its fighters, None if it is not fearsome (RN3-MOR-04); to a fearsome unit others may be
    fearsome too (RN3-SKL-28). A standard changes nothing (RN3-STD-03)."""
    if not unit.figures:
        return None
    fear = Fear(unit, seen_by is not None and is_fearsome(seen_by))
    for fighter in unit.figures:
        _frighten(fear, fighter)
    return fear.value


def _frighten(fear: Fear, fighter: Fighter) -> None:
    """What one fighter adds to the fear of his unit."""
    if fighter.profile.peu is not None:
        fear.at_least(value_of(fear.unit, fighter, "peu"))
    fear.fighter = fighter
    at(Keyword.before_fear, (skills_of(fear.unit, fighter),), fear)


def frightens(unit: Unit, fighter: Fighter, other: Unit) -> bool:
    """Whether this very fighter is fearsome to another unit (RN3-MOR-09, RN3-SKL-28)."""
    fear = Fear(unit, is_fearsome(other))
    _frighten(fear, fighter)
    return fear.value is not None


def own_courage(unit: Unit) -> Value | None:
    """The highest courage or fear in the unit (RN3-MOR-02, -03), courage with +2 if it has a standard (RN3-STD-01).

    Of equal values it is that of somebody whose skills help in the test, or of the Incarnate, who can spend elixir on
    it.
    """
    standard = has_standard(unit)
    values = [_courage(unit, fighter, standard) for fighter in unit.figures]
    return max([v for v in values if v is not None], key=_preference, default=None)


def _preference(value: Value) -> tuple[int, bool, bool]:
    helped = bool(skills_of(value.unit, value.fighter).changing(Keyword.before_test))
    return value.number, helped, value.fighter.profile.incarnate


def _courage(unit: Unit, fighter: Fighter, standard: bool) -> Value | None:
    if fighter.profile.cou is not None:
        return Value(value_of(unit, fighter, "cou") + STANDARD * standard, fighter, unit, standard)
    if fighter.profile.peu is not None:
        return Value(value_of(unit, fighter, "peu"), fighter, unit, False)
    return None


def has_standard(unit: Unit) -> bool:
    return any(f.profile.role == "standard" for f in unit.figures)


def standards_seen(battle: Battle, unit: Unit) -> list[Value]:
    """The courage of friendly units whose standard it sees, +2 included, unless they are routed: courage only, never
    fear (RN3-STD-02, -03)."""
    seen = []
    for friend in battle.friends_of(unit.side):
        if friend is unit or friend.routed:
            continue
        courage = _highest_courage(friend)
        if courage is not None and any(
            fighter_sees(battle, unit, fighter, friend, bearer, "standard")
            for bearer in friend.figures
            if bearer.profile.role == "standard"
            for fighter in unit.figures
        ):
            seen.append(courage)
    return seen


def _highest_courage(unit: Unit) -> Value | None:
    """The courage that a standard passes on: that of its unit with +2, without those who are fearsome."""
    values = [_courage(unit, f, standard=True) for f in unit.figures if f.profile.cou is not None]
    return max([v for v in values if v is not None], key=lambda v: v.number, default=None)


def courage_of(battle: Battle, unit: Unit) -> Value | None:
    """The best value that a unit can test with, its own or that of a standard it sees (RN3-MOR-03, RN3-STD-02)."""
    own = own_courage(unit)
    return max([v for v in (own, *standards_seen(battle, unit)) if v is not None], key=lambda v: v.number, default=None)


def passes_by_itself(unit: Unit) -> Keyword | None:
    """What lets a unit pass courage tests without a die, if anything (RN3-MOR-11)."""
    courage = Courage(unit)
    for fighter in unit.figures:
        if not fighter.profile.machine:
            at(Keyword.before_courage, (skills_of(unit, fighter),), courage)
    return courage.alone


def test_courage(battle: Battle, unit: Unit, difficulty: int, rule: str) -> Asking[bool]:
    """A courage test of a unit: one die, its courage against a difficulty; whether it passed (RN3-MOR-03).

    The owner chooses between its own value and that of a better standard it sees (RN3-STD-02). If it fails, its
    Incarnate may steady it (RN3-MOR-18, RN3-ELX-09). What follows from a failure is the caller's business.
    """
    because = passes_by_itself(unit)
    if because is not None:
        battle.tell(CourageHeld(because.rule, unit.id, because.title))
        return True
    value = yield from _choose_value(battle, unit, difficulty)
    if value is None:
        return True
    trial = courage_trial(unit, value, difficulty, rule)
    hero = value.fighter if value.unit is unit and value.fighter.profile.incarnate else None
    result = yield from attempt(battle, trial, unit=unit, hero=hero)
    if not result.passed and (yield from may_steady(battle, unit, trial.needed)):
        # The dice first rolled, once more: what threw them again has done so, and extra dice stay (RN3-URT-11, -09).
        trial.failures_again, trial.extra = [], 0
        result = throw(battle.dice, trial)
        tell(battle, trial, result)
    return result.passed


def courage_trial(unit: Unit, value: Value, difficulty: int, rule: str) -> Trial:
    """One die, a courage value against a difficulty (RN3-MOR-03)."""
    trial = Trial("courage", 1, value.number, difficulty, rule, by=unit.id, single=True)
    return prepare(trial, (skills_of(value.unit, value.fighter),))


def values_to_test_with(battle: Battle, unit: Unit) -> list[Value]:
    """Its own value, and those of better standards that it sees, the best of these first (RN3-STD-02)."""
    own = own_courage(unit)
    seen = [v for v in standards_seen(battle, unit) if own is None or v.number > own.number]
    return [*sorted(seen, key=lambda v: -v.number), *([own] if own is not None else [])]


def _choose_value(battle: Battle, unit: Unit, difficulty: int) -> Asking[Value | None]:
    values = values_to_test_with(battle, unit)
    seen = [v for v in values if v.unit is not unit]
    own = values[-1] if len(values) > len(seen) else None
    if not seen:
        return own
    options = [Option(v.unit.id, "standard", {"other": v.unit.id, "courage": v.number}, (v.unit.id,)) for v in seen]
    if own is not None:
        options.append(Option("own", "own_courage", {"courage": own.number}))
    key = yield from pick_one(
        unit.side, options, "use_standard", "RN3-STD-02", {"unit": unit.id, "difficulty": difficulty}
    )
    for value in seen:
        if value.unit.id == key:
            battle.tell(StandardSeen("RN3-STD-02", unit.id, key, value.number))
            return value
    return own


def test_fear_at_contact(battle: Battle, unit: Unit, enemy: Unit) -> Asking[None]:
    """A valiant unit that meets a fearsome one in an assault tests if its own value is strictly lower than that fear,
    and routs if it fails (RN3-MOR-06, -12)."""
    fear = fear_to_test(battle, unit, enemy)
    if fear is not None and not (yield from test_courage(battle, unit, fear, "RN3-MOR-06")):
        rout(battle, unit)


def fear_to_test(battle: Battle, unit: Unit, enemy: Unit) -> int | None:
    """The fear against which a unit tests when it meets another, if it must (RN3-MOR-06)."""
    if unit.routed or not unit.figures:
        return None
    fear, own = fear_of(battle, enemy, unit), courage_of(battle, unit)
    return None if fear is None or own is None or own.number >= fear else fear


def rout(battle: Battle, unit: Unit) -> None:
    """A valiant unit that fails a courage test is routed at once: its tactics are gone, it is dispersed, and that is
    all (RN3-MOR-12 to -16)."""
    if unit.routed:
        return
    unit.routed = True
    battle.tell(Routed("RN3-MOR-12", unit.id))
    drop_tactics(battle, unit, "RN3-MOR-13")
    disperse(battle, unit, "RN3-MOR-14")


def is_weak(battle: Battle, unit: Unit) -> bool:
    """Whether it has lost so much that it tests when it is activated (RN3-MOR-09, -10); creatures never do
    (RN3-CRE-01)."""
    if unit.profile.category == "creature":
        return False
    return unit.strength < unit.start if battle.is_option("courageThreshold", "belowInitial") else unit.below_half


def difficulty_of(battle: Battle, unit: Unit) -> int:
    """1; +2 in contact with a unit of strictly greater power; +2 in contact with fearsome fighters (RN3-MOR-09)."""
    enemies, power = engaged_with(battle, unit), power_of(unit)
    stronger = any(power_of(enemy) > power for enemy in enemies)
    feared = any(
        frightens(enemy, fighter, unit)
        for enemy in enemies
        for fighter in enemy.figures
        if any(touches(fighter, own) for own in unit.figures)
    )
    return LEAST + HARDER * stronger + HARDER * feared


def test_half_strength(battle: Battle, unit: Unit) -> Asking[None]:
    """A valiant unit below half of its strength tests when it is activated (RN3-MOR-09)."""
    difficulty = None if unit.routed else difficulty_when_activated(battle, unit)
    if difficulty is not None and not (yield from test_courage(battle, unit, difficulty, "RN3-MOR-09")):
        rout(battle, unit)


def difficulty_when_activated(battle: Battle, unit: Unit) -> int | None:
    """How hard the courage test is that a unit makes when it is activated: a routed one to rally, a weak one to hold;
    None if it makes none (RN3-MOR-09, -17)."""
    if unit.routed:
        return LEAST if battle.is_option("rallyDifficulty", "one") else difficulty_of(battle, unit)
    return difficulty_of(battle, unit) if is_weak(battle, unit) else None


def rally(battle: Battle, unit: Unit) -> Asking[None]:
    """A routed unit must try to rally when it is activated (RN3-MOR-17)."""
    difficulty = difficulty_when_activated(battle, unit)
    assert difficulty is not None
    if (yield from test_courage(battle, unit, difficulty, "RN3-MOR-17")):
        unit.routed = False
        battle.tell(Rallied("RN3-MOR-17", unit.id))
    else:
        battle.tell(StaysRouted("RN3-MOR-17", unit.id))
