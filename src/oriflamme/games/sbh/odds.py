"""The odds of a gamble, a fight, a shot or a spell, counted by the very rules that play them.

Nothing here knows a rule. What is asked about is played on a copy, once for every face of every die that is thrown, and
what has become of the fighters is looked at afterwards. Dice that the rules judge alike are played once for all of them.

Odds tell what an attack does by itself. Whatever a player may add is left out: the Hero's re-roll, band upgrades, the
points of a belt, and the free hacks that a recoil may lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, NamedTuple, TypeVar

from oriflamme.engine.decisions import Decision, Together
from oriflamme.engine.dice import Dice, HiddenDice, OutOfDice, ScriptedDice
from oriflamme.engine.table import Table
from oriflamme.games.sbh.bout import Bout, Roll
from oriflamme.games.sbh.measures import SCALES, Ruler
from oriflamme.games.sbh.results import resolve
from oriflamme.games.sbh.state import DEADLY_QUALITY, Asking, Battle, Fighter
from oriflamme.odds import Distribution

R = TypeVar("R", bound=Hashable)
Faces = tuple[int, ...]

# What can become of a fighter, and beside it whether he was poisoned and lives.
HARMS: Final = ("nothing", "recoil", "fall", "wound", "kill", "gruesome", "transfixed", "free")
Fate = tuple[str, bool]
Fates = tuple[Fate, Fate]


class Fortune(NamedTuple):
    """How likely each thing is to befall a fighter. All but `poison` make 1 together.

    `kill` is any death that is not gruesome, also by a wound or poison that makes Quality 7+. A fighter who lies on the
    ground already does not fall. `poison` is the chance to be poisoned and to live.
    """

    nothing: float = 0.0
    recoil: float = 0.0
    fall: float = 0.0
    wound: float = 0.0
    kill: float = 0.0
    gruesome: float = 0.0
    transfixed: float = 0.0
    free: float = 0.0
    poison: float = 0.0

    @property
    def dies(self) -> float:
        return self.kill + self.gruesome


class Chances(NamedTuple):
    """What a bout may do to either side."""

    attacker: Fortune
    defender: Fortune


# -- playing it out ----------------------------------------------------------------------------------------------------

_DIE: Final = Distribution.weighted(dict.fromkeys(range(1, 7), 1))


def _played(play: Callable[[Dice], R], faces: Faces = ()) -> Distribution[R]:
    """What comes of something that throws these dice first, and then each die that it still needs with every face."""
    try:
        return Distribution.always(play(ScriptedDice(faces)))
    except OutOfDice:
        return _DIE.then(lambda face: _played(play, (*faces, face)))


def _answer(decision: Decision | Together) -> Any:
    """Nobody adds anything: what is offered once is kept, and free hacks are not made."""
    assert isinstance(decision, Decision)
    return "no" if decision.ask == "make_free_hack" else decision.suggestion()


def _settled(asking: Asking[R]) -> R:
    """What comes of a part of a step when every question is answered so."""
    try:
        question = next(asking)
        while True:
            question = asking.send(_answer(question))
    except StopIteration as end:
        found: R = end.value
        return found


# -- bouts -------------------------------------------------------------------------------------------------------------


def _pairs(bout: Bout) -> Distribution[Faces]:
    """The faces of both dice; those that are judged alike stand under the first of them."""
    a, d = bout.attacker, bout.defender
    first: dict[object, Faces] = {}

    def thrown(dice: Dice) -> Faces:
        a.drained = d.drained = ()
        bout.throw(dice)
        bout.close()
        outcome = bout.judge()
        judged = None if outcome is None else (outcome.loser is a, outcome.result, outcome.warded)
        key = judged, a.total > d.total, a.total < d.total, a.drained, d.drained
        return first.setdefault(key, (a.die, d.die))

    return Distribution.of(thrown)


def _law(battle: Battle, bout: Bout) -> Distribution[Fates]:
    """What may become of both sides of a bout in this battle."""
    a, d = (battle.units[roll.id] for roll in (bout.attacker, bout.defender))

    def play(dice: Dice) -> Fates:
        twin = battle.copy()
        twin.dice = dice
        _settled(resolve(twin, _again(bout, twin)))
        return _fate(a, twin), _fate(d, twin)

    return _pairs(bout).then(lambda faces: _played(play, faces))


def _again(bout: Bout, battle: Battle) -> Bout:
    """The same bout between the same fighters of another battle."""
    a, d = (Roll(battle.units[roll.id], roll.bonus, "", "") for roll in (bout.attacker, bout.defender))
    made = Bout(bout.manner, a, d, bout.options)
    made.keywords = bout.keywords
    return made


def _fate(before: Fighter, battle: Battle) -> Fate:
    """What has become of a fighter."""
    after = battle.units[before.id]
    if after.fate:
        shaking = any(alarm.kind == "gruesome" and alarm.victim == after.id for alarm in battle.alarms)
        return "gruesome" if shaking else "kill", False
    harm = "nothing"
    if after.wounds > before.wounds:
        harm = "wound"
    elif after.down and not before.down:
        harm = "fall"
    elif (after.x, after.y) != (before.x, before.y):
        harm = "recoil"
    elif after.transfixed is not None and before.transfixed is None:
        harm = "transfixed"
    return harm, after.poison > before.poison


def _fortune(law: Distribution[Fates], side: int) -> Fortune:
    weights, poison = dict.fromkeys(HARMS, 0), 0
    for fates, weight in law.weights().items():
        harm, poisoned = fates[side]
        weights[harm] += weight
        poison += weight * poisoned
    return Fortune(*(weight / law.out_of for weight in weights.values()), poison / law.out_of)


# -- bouts that stand on no table --------------------------------------------------------------------------------------

_MOST_KNOWN: Final = 50_000
_known: dict[object, Chances] = {}


def chances(bout: Bout) -> Chances:
    """What a bout may do to either side where there is room to recoil and nowhere to drop. Made for being asked often.

    Equal bouts are counted once: the same manner, totals, special rules, and as much Quality left to lose.
    """
    a, d, options = bout.attacker, bout.defender, bout.options
    key = (
        bout.manner,
        bout.keywords,
        options["sbh.toughGruesome"],
        options["sbh.transfixedHarmless"],
        *_traits(a),
        *_traits(d),
    )
    found = _known.get(key)
    if found is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        law = law_of(bout)
        found = _known[key] = Chances(_fortune(law, 0), _fortune(law, 1))
    return found


def _traits(roll: Roll) -> tuple[object, ...]:
    """What the result depends on. A bout takes two points of Quality at most, so that more to spare is all the same."""
    fighter = roll.fighter
    profile = fighter.profile
    spare = DEADLY_QUALITY - fighter.own.quality - fighter.wounds - fighter.poison
    return (
        roll.bonus,
        profile.keywords,
        profile.kinds,
        roll.helpless,
        roll.transfixed,
        fighter.down,
        fighter.forsaken,
        spare if spare < 3 else 3,
    )


def law_of(bout: Bout) -> Distribution[Fates]:
    """The exact chances behind `chances`."""
    battle = _nowhere(bout.options)
    for roll, x in ((bout.attacker, 250.0), (bout.defender, 250.0 + bout.attacker.fighter.radius)):
        twin = battle.units[roll.id] = roll.fighter.copy()
        twin.body.x, twin.body.y, twin.body.z = x, 300.0, 0.0
        twin.transfixed = (twin.transfixed or "") if roll.transfixed else None
        twin.down = twin.down or (roll.helpless and not roll.transfixed)
    battle.units[bout.defender.id].body.x += bout.defender.fighter.radius
    return _law(battle, bout)


def _nowhere(options: dict[str, str]) -> Battle:
    """A battle on an empty table."""
    sticks = SCALES["15mm"]
    return Battle(Table(600.0, 600.0), options, HiddenDice(), scale="15mm", sticks=sticks, ruler=Ruler(sticks))
