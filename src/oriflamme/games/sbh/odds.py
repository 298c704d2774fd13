"""The odds of a gamble, a fight, a shot or a spell, counted by the very rules that play them.

Nothing here knows a rule. What is asked about is played on a copy, once for every face of every die that is thrown, and
then it is seen what has become of the fighters. Dice that the rules judge alike are played once for all of them.

Odds tell what an attack does by itself. Whatever a player may add is left out: the Hero's re-roll, band upgrades, the
points of a belt, and the free hacks that a recoil may lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from oriflamme.engine.decisions import Decision, Together
from oriflamme.engine.dice import Dice, HiddenDice, OutOfDice, ScriptedDice
from oriflamme.engine.events import Reason, Refusal
from oriflamme.engine.table import Table
from oriflamme.games.sbh.actions import perform, snare, why_not_snare
from oriflamme.games.sbh.bout import Bout, Roll
from oriflamme.games.sbh.fighting import close_bout
from oriflamme.games.sbh.measures import SCALES, Ruler
from oriflamme.games.sbh.morale import roll_morale
from oriflamme.games.sbh.profile import profile_of
from oriflamme.games.sbh.quality import QualityRoll, on_place_of_power, quality_roll
from oriflamme.games.sbh.results import resolve
from oriflamme.games.sbh.shooting import aim_of, ranged_bout, why_not_target
from oriflamme.games.sbh.state import DEADLY_QUALITY, Activation, Asking, Battle, Fighter, Step
from oriflamme.games.sbh.turns import DICE, activate, activate_group, announcements
from oriflamme.odds import Distribution

A = TypeVar("A")
R = TypeVar("R", bound=Hashable)
Faces = tuple[int, ...]

# What has become of a fighter (a word of `Fortune`), and beside it whether he was poisoned and lives.
Fate = tuple[str, bool]
Fates = tuple[Fate, Fate]
UNHARMED: Final[Fate] = ("nothing", False)


class Fortune(NamedTuple):
    """How likely each thing is to befall a fighter. All but `poison` make 1 together.

    `kill` is any death that is not gruesome, also by a wound or poison that makes Quality 7+. Who lies on the ground
    already does not fall. `free` is getting away from a fight; `poison` the chance to be poisoned and to live.
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


def _answer(question: Decision | Together, answers: Mapping[str, Any]) -> Any:
    """What is told by these answers; else nobody adds anything: what there is once is kept, free hacks are not made."""
    assert isinstance(question, Decision)
    if question.ask in answers:
        return answers[question.ask]
    return "no" if question.ask == "make_free_hack" else question.suggestion()


NO_ANSWERS: Final[Mapping[str, Any]] = {}


def _settled(asking: Asking[A] | None, answers: Mapping[str, Any] = NO_ANSWERS) -> A:
    """What comes of a part of a step when every question is answered so."""
    assert asking is not None
    try:
        question = next(asking)
        while True:
            question = asking.send(_answer(question, answers))
    except StopIteration as end:
        found: A = end.value
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
    found = dict.fromkeys(Fortune._fields, 0)
    for fates, weight in law.weights().items():
        harm, poisoned = fates[side]
        found[harm] += weight
        found["poison"] += weight * poisoned
    return Fortune(**{what: weight / law.out_of for what, weight in found.items()})


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


# -- attacks as things stand -------------------------------------------------------------------------------------------

# Deeds that are close combat, and those from afar with their manner and whether they are aimed.
CLOSE: Final = ("attack", "power", "hack")
RANGED: Final = {
    "shoot": ("shot", False),
    "aim": ("shot", True),
    "javelin": ("javelin", False),
    "aimjavelin": ("javelin", True),
    "volley": ("shot", False),
    "aimvolley": ("shot", True),
    "bolt": ("spell", False),
}
SNARES: Final = ("transfix", "entangle")
POWERS: Final = (1, 2, 3)
BRAVED: Final = ("leave", "stand")


class Odds:
    """The exact odds of one deed: what it does to whom it is done to, and to who does it."""

    __slots__ = ("attacker", "bout", "deed", "defender", "law", "power")

    def __init__(self, deed: str, power: int, law: Distribution[Fates], bout: Bout | None = None) -> None:
        self.deed = deed
        self.power = power
        self.law = law
        # The roll with all that bears on it; a snare and a way out of a fight have none.
        self.bout = bout
        self.attacker = _fortune(law, 0)
        self.defender = _fortune(law, 1)

    def to_data(self) -> dict[str, Any]:
        told: dict[str, Any] = {"manner": self.deed, "method": "exact"}
        if self.power:
            told["power"] = self.power
        sides = {"attacker": self.attacker, "defender": self.defender}
        told |= {side: fortune._asdict() for side, fortune in sides.items()}
        if self.bout is not None:
            rolls = {"attacker": self.bout.attacker, "defender": self.bout.defender}
            told["adds"] = {side: roll.bonus for side, roll in rolls.items()}
            told["reasons"] = {side: _reasons(roll.reasons) for side, roll in rolls.items()}
        return told


def _reasons(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    return [{"source": reason.source, "amount": reason.amount, "rule": reason.rule} for reason in reasons]


def bout_of(
    battle: Battle, attacker: Fighter, defender: Fighter, deed: str, *, power: int = 0, shooters: Sequence[Fighter] = ()
) -> Bout:
    """The roll that a deed leads to, with everything that bears on it as they stand."""
    if deed in CLOSE:
        return close_bout(battle, attacker, defender, "hack" if deed == "hack" else "melee", power=deed == "power")
    manner, aimed = RANGED[deed]
    return ranged_bout(battle, shooters or [attacker], defender, aim_of(battle, attacker, manner, power), aimed=aimed)


def ranged_deeds(battle: Battle, fighter: Fighter, target: Fighter) -> dict[tuple[str, int], Refusal | None]:
    """Every way in which he attacks from afar, with its Power, and why that target is safe from it, if it is."""
    found: dict[tuple[str, int], Refusal | None] = {}
    if fighter.profile.range:
        found["shoot", 0] = found["aim", 0] = why_not_target(battle, fighter, target, aim_of(battle, fighter, "shot"))
    if fighter.bears("javelins") is not None:
        refusal = why_not_target(battle, fighter, target, aim_of(battle, fighter, "javelin"))
        found["javelin", 0] = found["aimjavelin", 0] = refusal
    casts = fighter.profile.casts or fighter.bears("scroll") is not None
    if casts:
        for power in POWERS:
            aim = aim_of(battle, fighter, "spell", power)
            found["bolt", power] = why_not_target(battle, fighter, target, aim)
    for deed, able in zip(SNARES, (casts, fighter.profile.entangles), strict=True):
        if able:
            found |= {(deed, power): why_not_snare(battle, fighter, target, deed, power) for power in POWERS}
    return found


def attack_odds(
    battle: Battle,
    attacker: Fighter | str,
    defender: Fighter | str,
    manner: str,
    *,
    power: int = 0,
    shooters: Sequence[Fighter | str] = (),
) -> Odds:
    """The odds of an attack between two fighters of a battle as they stand, whether they may make it or not.

    `manner` is what a player chooses: "attack", "power", "hack", "shoot", "aim", "javelin", "aimjavelin", "volley" and
    "aimvolley" with their `shooters`, "bolt", "transfix" and "entangle" with their `power`.
    """
    by, on = _found(battle, attacker), _found(battle, defender)
    if manner in SNARES:
        return Odds(manner, power, _snared(battle, by, on, manner, power))
    bout = bout_of(battle, by, on, manner, power=power, shooters=[_found(battle, one) for one in shooters])
    return Odds(manner, power, _law(battle, bout), bout)


def _found(battle: Battle, who: Fighter | str) -> Fighter:
    return battle.units[who] if isinstance(who, str) else who


def _snared(battle: Battle, fighter: Fighter, target: Fighter, spell: str, power: int) -> Distribution[Fates]:
    """Whether somebody is transfixed or entangled."""
    twin = battle.copy()
    caster, victim = twin.units[fighter.id], twin.units[target.id]

    def play(dice: Dice) -> Fates:
        twin.dice, victim.transfixed = dice, target.transfixed
        _settled(snare(twin, caster, victim, spell, power))
        return UNHARMED, _fate(target, twin)

    return Distribution.of(play)


def brave_odds(battle: Battle, fighter: Fighter | str, deed: str) -> Odds:
    """The odds of somebody who does what his enemies in contact may strike at: "leave" a fight, or "stand" up.

    They all strike, in the order they are in; `free` is the chance to get away.
    """
    who = _found(battle, fighter)
    law = _braved(battle, who, deed)
    return Odds(deed, 0, law.map(lambda fate: (fate, UNHARMED)))


def _braved(battle: Battle, fighter: Fighter, deed: str) -> Distribution[Fate]:
    hackers = {f.id for f in battle.enemies_at(fighter)}
    before = fighter.copy()
    before.down = before.down and deed != "stand"
    known: dict[object, Distribution[Fate]] = {}

    def follow(faces: Faces, worst: int) -> Distribution[Fate]:
        """What comes of it after these dice; `worst` is the best that a hacker has made of his roll so far."""
        twin = battle.copy()
        twin.dice = dice = ScriptedDice(faces)
        victim = twin.units[fighter.id]
        twin.acting = [*twin.acting, Activation((victim.id,), 3)]
        asking = perform(twin, victim, deed)
        try:
            question = next(asking)
            while True:
                assert isinstance(question, Decision)
                answer = _answer(question, NO_ANSWERS)
                if question.ask == "move_fighter":
                    return Distribution.always(("free", victim.poison > fighter.poison))
                if question.ask == "make_free_hack" and question.about["fighter"] in hackers:
                    if dice.position == len(faces):
                        return strike(twin, victim, twin.units[question.about["fighter"]], faces, worst)
                    answer = "yes"
                question = asking.send(answer)
        except StopIteration:
            return Distribution.always(_fate(before, twin))
        except OutOfDice:
            return _DIE.then(lambda face: follow((*faces, face), worst))

    def strike(twin: Battle, victim: Fighter, hacker: Fighter, faces: Faces, worst: int) -> Distribution[Fate]:
        state = (victim.x, victim.y, victim.z, victim.down, victim.wounds, victim.poison, victim.profile)
        key = (hacker.id, worst, state)
        if key not in known:
            bout = close_bout(twin, hacker, victim, "hack")
            lead = bout.attacker.bonus - bout.defender.bonus
            known[key] = _pairs(bout).then(
                lambda pair: follow(
                    (*faces, *pair), max(worst, (lead + pair[0] > pair[1]) - (lead + pair[0] < pair[1]))
                )
            )
        return known[key]

    return follow((), -1)


# -- Quality rolls -----------------------------------------------------------------------------------------------------

_known_rolls: dict[tuple[int, int, int], tuple[float, ...]] = {}


def successes(roll: QualityRoll, number: int) -> tuple[float, ...]:
    """The chance of no success, of one, and so on, of a Quality roll on so many dice. Made for being asked often."""
    key = (roll.needed, roll.sure, number)
    found = _known_rolls.get(key)
    if found is None:
        law = Distribution.of(lambda dice: roll.successes(roll.throw(number, dice)))
        found = _known_rolls[key] = tuple(float(law[good]) for good in range(number + 1))
    return found


def morale_odds(battle: Battle, fighter: Fighter | str) -> tuple[float, ...]:
    """The chance of 0, 1, 2 and 3 failures if he had to test his morale now (SBH-MORALE-01)."""
    roll = quality_roll(battle, _found(battle, fighter), "morale")
    twin = battle.copy()

    def play(dice: Dice) -> int:
        twin.dice = dice
        return _settled(roll_morale(twin, roll, "", "SBH-MORALE-01"))

    law = Distribution.of(play)
    return tuple(float(law[failures]) for failures in range(4))


# -- the gamble --------------------------------------------------------------------------------------------------------


class Gamble(NamedTuple):
    """What so many dice bring: the chance of each number of actions, of losing the turn, and of losing one's powers."""

    dice: int
    announced: str
    needed: int
    actions: tuple[float, ...]
    lost: float
    exhausted: float

    @property
    def key(self) -> str:
        """The answer with which a player chooses it."""
        return f"{self.dice}:{self.announced}" if self.announced else str(self.dice)

    @property
    def mean(self) -> float:
        """So many actions on average."""
        return sum(number * chance for number, chance in enumerate(self.actions))

    def to_data(self) -> dict[str, Any]:
        return {"key": self.key, **self._asdict(), "actions": list(self.actions), "mean": self.mean}


# Actions, whether the turn is lost, and whether three failures took something away.
Rolled = tuple[int, bool, bool]
_known_gambles: dict[object, Distribution[Rolled]] = {}


def gambles(battle: Battle, fighter: Fighter | str) -> list[Gamble]:
    """Every number of dice that he may be activated with, and everything that he may announce with it.

    All that bears on the roll counts (Leader, wounds, poison, scars, the Place of Power, the die of which a Hero is
    sure). A Hero's re-roll and what a band may use once do not.
    """
    who = _found(battle, fighter)
    return [_gamble(battle, who, number, word) for word in ("", *announcements(who)) for number in DICE]


def _gamble(battle: Battle, fighter: Fighter, number: int, word: str) -> Gamble:
    roll = quality_roll(battle, fighter, "scroll" if word == "scroll" else "activation")
    key = (roll.needed, roll.sure, number, word, on_place_of_power(battle, fighter))
    law = _known_gambles.get(key)
    if law is None:
        answers = {"choose_dice": f"{number}:{word}" if word else str(number)}

        def play(dice: Dice) -> Rolled:
            twin = battle.copy()
            twin.dice = dice
            _settled(activate(twin, fighter.id), answers)
            after = twin.units[fighter.id]
            return twin.active.actions[after.id], twin.active.turnover, _powers(after) != _powers(fighter)

        law = _known_gambles[key] = Distribution.of(play)
    return _gamble_of(law, number, word, roll.needed)


def _powers(fighter: Fighter) -> tuple[object, ...]:
    """What three failures can take away."""
    return fighter.drained, fighter.forsaken, fighter.item is not None and fighter.item.drained


def _gamble_of(law: Distribution[Rolled], number: int, word: str, needed: int) -> Gamble:
    actions = law.map(lambda rolled: rolled[0])
    lost, exhausted = law.chance(lambda rolled: rolled[1]), law.chance(lambda rolled: rolled[2])
    told = tuple(float(actions[n]) for n in range(number + 1))
    return Gamble(number, word, needed, told, float(lost), float(exhausted))


def gamble(battle: Battle, fighter: Fighter | str) -> dict[str, Any]:
    """`gambles` as plain data, with what bears on his roll."""
    who = _found(battle, fighter)
    roll = quality_roll(battle, who, "activation")
    told = {"fighter": who.id, "needed": roll.needed, "sure": roll.sure, "reasons": _reasons(roll.reasons)}
    return told | {"gambles": [one.to_data() for one in gambles(battle, who)]}


def group_gambles(
    battle: Battle, leader: Fighter | str, members: Sequence[Fighter | str], casting: Sequence[str] = ()
) -> list[Gamble]:
    """One to three dice for friends who obey an order together; those who are casting may exhaust their magic."""
    chief, company = _found(battle, leader), [_found(battle, one) for one in members]
    ids = tuple(f.id for f in company)
    answers: dict[str, Any] = {"announce_casting": tuple(casting)}
    needed = _needed(activate_group(battle.copy(), chief.id, "group", ids), answers)
    found = []
    for number in DICE:
        key = ("group", needed, number)
        law = None if casting else _known_gambles.get(key)
        if law is None:
            answers["choose_group_dice"] = str(number)

            def play(dice: Dice) -> Rolled:
                twin = battle.copy()
                twin.dice = dice
                _settled(activate_group(twin, chief.id, "group", ids), answers)
                drained = any(twin.units[f.id].drained and not f.drained for f in company)
                return twin.active.actions[ids[0]], twin.active.turnover, drained

            law = Distribution.of(play)
            if not casting:
                _known_gambles[key] = law
        found.append(_gamble_of(law, number, "cast" if casting else "", needed))
    return found


def _needed(asking: Step | None, answers: Mapping[str, Any]) -> int:
    """What a group needs, as it is told when its dice are chosen."""
    assert asking is not None
    question = next(asking)
    while True:
        assert isinstance(question, Decision)
        if question.ask == "choose_group_dice":
            needed: int = question.about["needed"]
            return needed
        question = asking.send(_answer(question, answers))


def group_gamble(
    battle: Battle, leader: Fighter | str, members: Sequence[Fighter | str], casting: Sequence[str] = ()
) -> dict[str, Any]:
    """`group_gambles` as plain data."""
    found = group_gambles(battle, leader, members, casting)
    told = {"leader": _found(battle, leader).id, "members": [_found(battle, one).id for one in members]}
    return told | {"needed": found[0].needed, "gambles": [one.to_data() for one in found]}


def group_gambles_at(needed: int, options: dict[str, str]) -> list[Gamble]:
    """The same for any group that needs this on each die."""
    battle = _nowhere(options)
    for id, rules, x in (("leader", ("leader",), 50.0), ("one", (), 500.0), ("other", (), 516.0)):
        profile = profile_of("", "", needed, 0, rules)
        fighter = battle.units[id] = Fighter(id, 0, profile, 16.0, {"name": {}})
        fighter.reserve, fighter.body.x, fighter.body.y = None, x, 300.0
    return group_gambles(battle, "leader", ("one", "other"))
