"""The odds of a fight, a shot or a spell, counted by the very rules that play them.

Nothing here knows a rule. What is asked about is played on a copy, once for every face of every die that is thrown, and
then it is seen what has become of the fighters. Dice that the rules judge alike are played once for all of them.

Odds tell what an attack does by itself. Whatever a player may add is left out: the Hero's re-roll, band upgrades, the
points of a belt, and the free hacks that a recoil may lead to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.dice import Dice, HiddenDice, OutOfDice, ScriptedDice
from oriflamme.engine.core.events import Reason, Refusal
from oriflamme.engine.odds import Distribution, over_all_dice, play_out
from oriflamme.engine.table.pieces import Table
from oriflamme.games.sbh.actions import perform, snare, why_not_snare
from oriflamme.games.sbh.bout import Bout, Roll
from oriflamme.games.sbh.fighting import close_bout
from oriflamme.games.sbh.measures import SCALES, Ruler
from oriflamme.games.sbh.results import resolve
from oriflamme.games.sbh.shooting import aim_of, ranged_bout, why_not_target
from oriflamme.games.sbh.state import DEADLY_QUALITY, Activation, Battle, Fighter

Faces = tuple[int, ...]
DIE: Final = Distribution.weighted(dict.fromkeys(range(1, 7), 1))

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


def nobody_adds(decision: Decision) -> Any:
    """Nobody adds anything: what there is once is kept, and free hacks are not made."""
    return "no" if decision.ask == "make_free_hack" else decision.suggestion()


def fighter_of(battle: Battle, who: Fighter | str) -> Fighter:
    return battle.units[who] if isinstance(who, str) else who


# -- bouts -------------------------------------------------------------------------------------------------------------


def _pairs(bout: Bout) -> Distribution[Faces]:
    """The faces of both dice; those that are judged alike stand under the first of them."""
    a, d = bout.attacker, bout.defender
    first: dict[object, Faces] = {}
    # Its type is written down: of an empty tuple the compiler would take it that nothing is ever drained.
    nobody: tuple[str, ...] = ()

    def thrown(dice: Dice) -> Faces:
        a.drained = nobody
        d.drained = nobody
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

    def play(twin: Battle) -> Fates:
        play_out(resolve(twin, _again(bout, twin)), nobody_adds)
        return _fate(a, twin), _fate(d, twin)

    return _pairs(bout).then(lambda faces: over_all_dice(battle, play, faces))


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
        fighter.lost_powers,
        spare if spare < 3 else 3,
    )


def law_of(bout: Bout) -> Distribution[Fates]:
    """The exact chances behind `chances`."""
    battle = empty_table(bout.options)
    for roll, x in ((bout.attacker, 250.0), (bout.defender, 250.0 + bout.attacker.fighter.radius)):
        twin = battle.units[roll.id] = roll.fighter.copy()
        twin.body.x, twin.body.y, twin.body.z = x, 300.0, 0.0
        twin.transfixed = (twin.transfixed or "") if roll.transfixed else None
        twin.down = twin.down or (roll.helpless and not roll.transfixed)
    battle.units[bout.defender.id].body.x += bout.defender.fighter.radius
    return _law(battle, bout)


def empty_table(options: dict[str, str]) -> Battle:
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


class AttackOdds:
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
        data: dict[str, Any] = {"manner": self.deed, "method": "exact"}
        if self.power:
            data["power"] = self.power
        sides = {"attacker": self.attacker, "defender": self.defender}
        data |= {side: fortune._asdict() for side, fortune in sides.items()}
        if self.bout is not None:
            rolls = {"attacker": self.bout.attacker, "defender": self.bout.defender}
            data["adds"] = {side: roll.bonus for side, roll in rolls.items()}
            data["reasons"] = {side: reasons_data(roll.reasons) for side, roll in rolls.items()}
        return data


def reasons_data(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
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
) -> AttackOdds:
    """The odds of an attack between two fighters of a battle as they stand, whether they may make it or not.

    `manner` is what a player chooses: "attack", "power", "hack", "shoot", "aim", "javelin", "aimjavelin", "volley" and
    "aimvolley" with their `shooters`, "bolt", "transfix" and "entangle" with their `power`.
    """
    by, on = fighter_of(battle, attacker), fighter_of(battle, defender)
    if manner in SNARES:
        return AttackOdds(manner, power, _snared(battle, by, on, manner, power))
    bout = bout_of(battle, by, on, manner, power=power, shooters=[fighter_of(battle, one) for one in shooters])
    return AttackOdds(manner, power, _law(battle, bout), bout)


def _snared(battle: Battle, fighter: Fighter, target: Fighter, spell: str, power: int) -> Distribution[Fates]:
    """Whether somebody is transfixed or entangled."""

    def play(twin: Battle) -> Fates:
        play_out(snare(twin, twin.units[fighter.id], twin.units[target.id], spell, power), nobody_adds)
        return UNHARMED, _fate(target, twin)

    return over_all_dice(battle, play)


def brave_odds(battle: Battle, fighter: Fighter | str, deed: str) -> AttackOdds:
    """The odds of somebody who does what his enemies in contact may strike at: "leave" a fight, or "stand" up.

    They all strike, in the order they are in; `free` is the chance to get away.
    """
    who = fighter_of(battle, fighter)
    law = _braved(battle, who, deed)
    return AttackOdds(deed, 0, law.map(lambda fate: (fate, UNHARMED)))


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
                answer = nobody_adds(question)
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
            return DIE.then(lambda face: follow((*faces, face), worst))

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
