"""Odds beside the questions of Last Fantasy War: what each answer may bring."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from oriflamme.engine.core.decisions import Move, Moves, PickOne, Place, Places
from oriflamme.engine.heights import walks
from oriflamme.engine.odds import Distribution, Table
from oriflamme.engine.odds.telling import Label, Words, table
from oriflamme.games.lfw.attack import Attack
from oriflamme.games.lfw.attacks import make_attack, prepare
from oriflamme.games.lfw.combat import enemies_in_contact
from oriflamme.games.lfw.flee import Flight
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.ground import nearest
from oriflamme.games.lfw.magic import SPELLS
from oriflamme.games.lfw.morale import modifiers_of
from oriflamme.games.lfw.odds.blasts import blast_tolls
from oriflamme.games.lfw.odds.chances import door_chance, jump_odds, search_odds, spell_odds
from oriflamme.games.lfw.odds.combats import CombatOdds, combat_odds
from oriflamme.games.lfw.odds.laws import blow_law, courage_chance, shot_tolls, volley_of
from oriflamme.games.lfw.odds.tables import COLUMNS, Toll, in_both, of_numbers
from oriflamme.games.lfw.odds.wounds import NOTHING, Tolls, TooMany, wounds_law
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.shooting import why_not_shoot
from oriflamme.games.lfw.state import MOVES, Battle, Model, Part
from oriflamme.games.lfw.terrain import relief_for
from oriflamme.games.lfw.values import Amount, Sum

_ONE: Final = Amount(1)


def _weapon(part: Part, id: str) -> Weapon | None:
    return next((weapon for weapon in part.weapons if weapon.id == id), None)


# -- combat ------------------------------------------------------------------------------------------------------------


def help_strike(battle: Battle, decision: PickOne) -> Table | None:
    """What one attack does to each enemy that may be struck."""
    part = battle.part(decision.about["unit"])
    weapon = _weapon(part, decision.about["weapon"])
    if weapon is None or not weapon.melee:
        return None
    targets = [battle.part(key) for key in decision.keys()]
    rows = [(target.id, Toll(blow_law(battle, part, weapon, target), target.pv)) for target in targets]
    return table(in_both("targets"), COLUMNS, rows)


def help_weapon(battle: Battle, decision: PickOne) -> Table | None:
    """What each melee weapon does to the enemy in contact that it wounds most."""
    part, combat = battle.part(decision.about["unit"]), battle.combat
    if combat is None:
        return None
    targets = enemies_in_contact(battle, combat, battle.model_of(part), part.side)
    rows: list[tuple[Label, Toll]] = []
    for key in decision.keys():
        weapon = _weapon(part, key)
        if weapon is not None and weapon.melee and targets:
            tolls = [Toll(blow_law(battle, part, weapon, target), target.pv) for target in targets]
            rows.append((key, max(tolls, key=lambda toll: toll.wounds.mean())))
    return table(in_both("weapons"), COLUMNS, rows, in_both("best_target")) if rows else None


def help_split(battle: Battle, decision: PickOne) -> Table | None:
    """What the whole attack does to its target, and what a split does to it and to another (LFW-MEL-09)."""
    about = decision.about
    part, target = battle.part(about["unit"]), battle.part(about["target"])
    weapon = _weapon(part, about["weapon"])
    if weapon is None:
        return None
    first, rest = int(about["first"]), int(about["rest"])
    rows: list[tuple[Label, list[float | Fraction]]] = []
    for key in decision.keys():
        other = None if key == "no" else battle.part(key)
        one = Toll(blow_law(battle, part, weapon, target, first + rest if other is None else first), target.pv)
        two = Toll(NOTHING, 1) if other is None else Toll(blow_law(battle, part, weapon, other, rest), other.pv)
        rows.append((key, [one.wounds.mean(), one.destroyed, two.wounds.mean(), two.destroyed]))
    heads = ("first_wounds", "first_destroyed", "second_wounds", "second_destroyed")
    return of_numbers(in_both("split"), heads, rows)


def help_combat(battle: Battle, decision: PickOne) -> Table | None:
    """Who would win each combat, who would be destroyed and who would flee; and how likely an opening is forced."""
    rows: list[tuple[Label, list[float | Fraction]]] = []
    for key in decision.keys():
        models = next((combat for combat in battle.combats if combat[0] == key), None)
        if models is None:
            continue
        try:
            odds = combat_odds(battle, models, activator=decision.side)
        except TooMany:
            continue
        rows.append((key, combat_row(battle, odds, decision.side)))
    if not rows:
        return _doors(battle, decision)
    heads = ("wins", "own_lost", "their_lost", "own_flee", "their_flee")
    return of_numbers(in_both("combats"), heads, rows, in_both("combats_note"))


def combat_row(battle: Battle, odds: CombatOdds, side: int) -> list[float | Fraction]:
    """A side wins; models of it and of its enemies that are destroyed, and that flee, on average."""
    models = [battle.units[id] for id in odds.models]
    own = [model for model in models if battle.are_friends(side, model.side)]
    theirs = [model for model in models if model not in own]
    return [
        odds.wins(side),
        *(sum((odds.gone(model) for model in group), Fraction(0)) for group in (own, theirs)),
        *(sum((odds.flees(model) for model in group), Fraction(0)) for group in (own, theirs)),
    ]


# -- shots -------------------------------------------------------------------------------------------------------------


def help_shot(battle: Battle, decision: PickOne) -> Table | None:
    """What the best weapon in range does to each enemy that may be shot at, and to others that it catches."""
    part = battle.part(decision.about["unit"])
    rows: list[tuple[Label, list[float | Fraction]]] = []
    for key in decision.keys():
        target = battle.units.get(key)
        if target is None:
            continue
        weapons = [w for w in part.weapons if not w.melee and why_not_shoot(battle, part, w, target) is None]
        found = [(aimed, shot_tolls(battle, part, w, aimed)) for w in weapons for aimed in target.alive]
        if found:
            best = max(found, key=lambda one: one[1].get(one[0].id, NOTHING).mean())
            rows.append((key, shot_row(battle, part, *best)))
    return of_numbers(in_both("targets"), SHOT, rows) if rows else None


SHOT: Final = ("wounds", "at_least_one", "destroyed", "other_enemies", "own_friends")


def shot_row(battle: Battle, part: Part, target: Part, tolls: Tolls) -> list[float | Fraction]:
    """Wounds of the target, and of all others by whose friends they are."""
    toll = Toll(tolls.get(target.id, NOTHING), target.pv)
    others: dict[bool, Fraction] = {True: Fraction(0), False: Fraction(0)}
    for id, law in tolls.items():
        if id != target.id:
            others[battle.are_friends(part.side, battle.part(id).side)] += law.mean()
    hurt = toll.wounds.chance(lambda number: number > 0)
    return [toll.wounds.mean(), hurt, toll.destroyed, others[False], others[True]]


def help_shot_weapon(battle: Battle, decision: PickOne) -> Table | None:
    """What each ranged weapon does to the target."""
    part, target = battle.part(decision.about["unit"]), battle.units[decision.about["target"]]
    rows: list[tuple[Label, list[float | Fraction]]] = []
    for key in decision.keys():
        weapon = _weapon(part, key)
        if weapon is not None:
            found = [(aimed, shot_tolls(battle, part, weapon, aimed)) for aimed in target.alive]
            best = max(found, key=lambda one: one[1].get(one[0].id, NOTHING).mean())
            rows.append((key, shot_row(battle, part, *best)))
    return of_numbers(in_both("weapons"), SHOT, rows)


def help_dodge(battle: Battle, decision: PickOne) -> Table | None:
    """What is suffered behind the cover and with one's own dodge (LFW-TERR-12)."""
    attack = attack_asked_about(battle, decision.about)
    if attack is None:
        return None
    rows = []
    for key in decision.keys():
        twin = attack.copy()
        if key == "cover":
            twin.guard.restart(int(decision.about["cover"]), attack.against)
        rows.append((key, Toll(wounds_law(battle, twin), attack.target.pv)))
    return table(in_both("dodges"), COLUMNS, rows)


def attack_asked_about(battle: Battle, about: Mapping[str, Any]) -> Attack | None:
    """A shot that is about to be rolled, from what its question says of it."""
    if not about["by"]:
        return None
    part, target = battle.part(about["by"]), battle.part(about["unit"])
    weapon = _weapon(part, about["weapon"]) or Weapon(about["weapon"], {}, 0.0, _ONE, 0, ())
    attack = make_attack(battle, "ranged", part, target, weapon, number=int(about["rolls"]), skill=int(about["skill"]))
    prepare(attack)
    attack.number, attack.times = Sum(int(about["rolls"])), 1
    attack.skill, attack.bonus = Sum(int(about["skill"])), Sum(int(about["bonus"]))
    attack.strength = Sum(int(about["strength"]))
    attack.may_be_critical = bool(about["critical"])
    return attack


def help_again(battle: Battle, decision: PickOne) -> Table:
    """Dice that may be thrown again: how likely one that failed succeeds, and wounds where a defence test decides."""
    about = decision.about
    good, faces = Fraction(int(about["good"]), 6), list(about["faces"])
    wounds: list[int] | None = about.get("wounds")
    if wounds is None:
        mean = good * len(faces)
        some = 1 - (1 - good) ** len(faces)
        rows: list[tuple[Label, list[float | Fraction]]] = [("yes", [mean, some]), ("no", [0, 0])]
        return of_numbers(in_both("again"), ("successes", "at_least_one"), rows)
    part = battle.part(about["unit"])
    fresh = Distribution.weighted({number: wounds.count(number) for number in set(wounds)})
    kept = Distribution.always(wounds[faces[0] - 1])
    tolls = [("yes", Toll(fresh, part.pv)), ("no", Toll(kept, part.pv))]
    return table(in_both("again"), COLUMNS, tolls, in_both("before_protections"))


# -- courage and flight ------------------------------------------------------------------------------------------------


def help_courage(battle: Battle, decision: PickOne) -> Table:
    """How likely each of a duo passes the test."""
    model, about = battle.units[decision.about["unit"]], decision.about
    penalty = -int(about["modifier"])
    rows = [
        (key, [courage_chance(battle, model, battle.part(key), about["about"], penalty)]) for key in decision.keys()
    ]
    return of_numbers(in_both("courage"), ("holds",), rows)


def help_test_again(battle: Battle, decision: PickOne) -> Table:
    """A courage test that failed and may be thrown again."""
    part = battle.part(decision.about["unit"])
    about, penalty = decision.about["about"], -int(decision.about["modifier"])
    chance = courage_chance(battle, battle.model_of(part), part, about, penalty, again=False)
    return of_numbers(in_both("courage"), ("holds",), [("yes", [chance]), ("no", [0])])


def help_morale(battle: Battle, decision: PickOne) -> Table:
    """How likely each unit that has to test its morale holds, with all its causes (LFW-MOR-03)."""
    rows: list[tuple[Label, list[float | Fraction]]] = []
    for key in decision.keys():
        model = battle.units.get(key)
        if model is not None:
            rows.append((key, [holds(battle, model, "morale", -sum(r.amount for r in modifiers_of(battle, model)))]))
    return of_numbers(in_both("courage"), ("holds",), rows)


def holds(battle: Battle, model: Model, about: str, penalty: int = 0) -> Fraction:
    """The better of a duo passes a test."""
    return max(courage_chance(battle, model, part, about, penalty) for part in model.alive)


def help_flight(battle: Battle, decision: PickOne) -> Table | None:
    """Whether a unit outlives a flight straight away from the nearest enemy, and rallies after one of its own choosing
    (LFW-FLEE-06, -11, -14)."""
    rows: list[tuple[Label, list[float | Fraction]]] = []
    for key in decision.keys():
        model = battle.units.get(key)
        near = nearest(battle, model, battle.enemies_of(model)) if model is not None else []
        if model is None or not near:
            continue
        fate = Flight(battle, model, near[0]).straight.fate
        lives = not fate or (fate == "edge" and battle.option("lfw.fleeOffTable") == "stopsAtEdge")
        rallies = Fraction(0) if model.fleeing or not lives else holds(battle, model, "flight")
        rows.append((key, [Fraction(lives), rallies]))
    return of_numbers(in_both("flights"), ("survives", "rallies"), rows, in_both("flights_note")) if rows else None


# -- doors, searches, jumps --------------------------------------------------------------------------------------------


def _doors(battle: Battle, decision: PickOne) -> Table | None:
    """How likely each opening is forced with the best weapon."""
    rows: list[tuple[Label, list[float | Fraction]]] = []
    for key in decision.keys():
        if key.startswith("force:"):
            _, name, id = key.split(":")
            model, opening = battle.units[name], id
            armed = [(part, weapon) for part in model.alive for weapon in part.weapons if weapon.melee]
            chances = [door_chance(battle, part, w, opening, charged=True) for part, w in armed]
            rows.append((key, [max(chances, default=Fraction(0))]))
    return of_numbers(in_both("doors"), ("gives_way",), rows) if rows else None


def help_door(battle: Battle, decision: PickOne) -> Table:
    """How likely an opening gives way, by the weapon, or with a charge and without (LFW-ENV-13, -14)."""
    model, opening = battle.units[decision.about["unit"]], decision.about["opening"]
    rows: list[tuple[Label, list[float | Fraction]]] = []
    for key in decision.keys():
        if decision.ask == "force_with":
            name, _, id = key.partition(":")
            armed = [(part, w) for part in model.alive for w in part.weapons if part.id == name and w.id == id]
        else:
            armed = [(part, w) for part in model.alive for w in part.weapons if w.melee]
        charged = model.charged or key == "yes"
        rows.append((key, [max(door_chance(battle, part, w, opening, charged=charged) for part, w in armed)]))
    return of_numbers(in_both("doors"), ("gives_way",), rows)


def help_shooter(battle: Battle, decision: PickOne) -> Table | None:
    """How likely each search finds something (LFW-SCN7-05)."""
    rows: list[tuple[Label, list[float | Fraction]]] = []
    for key in decision.keys():
        if key.startswith("search:"):
            _, id, place = key.split(":")
            rows.append((key, list(search_odds(battle, battle.units[id], place))))
    return of_numbers(in_both("searches"), ("turned", "treasure"), rows) if rows else None


# What kind of move is shown by a way where the question does not say.
_WAYS: Final = {"move": "normal", "charge_move": "charge", "hide": "flee", "go_through": "normal"}


def draft_way(battle: Battle, decision: Move, answer: Moves) -> Table | None:
    """What the jumps on a way may cost (LFW-TERR-08, -09)."""
    model = battle.units.get(decision.about["unit"])
    if model is None or not answer:
        return None
    kind = decision.about.get("how", "")
    gait = gait_of(battle, model, kind if kind in MOVES else _WAYS[decision.ask]).walk()
    (points,) = answer.values()
    here = (model.body.x, model.body.y)
    way: Any = (here, *(points[1:] if tuple(points[0]) == here else points))
    jumps = walks.trace(relief_for(battle, model), way, gait, battle.closed).jumps
    if not jumps:
        return None
    odds = jump_odds(battle, model, [jump.z0 - jump.z1 for jump in jumps])
    toll = Toll(odds.wounds, model.mover.pv)
    row = [odds.hurts, toll.wounds.mean(), toll.destroyed]
    return of_numbers(in_both("jumps"), ("hurts", "wounds", "destroyed"), [(model.name, row)])


# -- spells ------------------------------------------------------------------------------------------------------------


def help_spell_target(battle: Battle, decision: PickOne) -> Table | None:
    """What a spell does to each target it may be cast on."""
    known = SPELLS.get(decision.about["about"])
    if known is None:
        return None
    caster = battle.part(decision.about["unit"])
    rows: list[tuple[Label, list[float | Fraction]]] = []
    try:
        for key in decision.keys():
            target = battle.units[key].alive[0]
            rows.append((key, _spell_row(battle, caster, target, spell_odds(battle, caster, known, target))))
    except TooMany:
        return None
    return _of_spell(known.id, rows)


def _spell_row(battle: Battle, caster: Part, target: Part, odds: Any) -> list[float | Fraction]:
    gained = odds.gained.get(target.id, NOTHING).mean()
    lies = odds.lies.get(target.id, Fraction(0))
    return [*shot_row(battle, caster, target, odds.wounds), gained, lies]


def _of_spell(id: str, rows: list[tuple[Label, list[float | Fraction]]]) -> Table | None:
    """A table of what a spell does, without what is nothing for everybody; none if nothing is left to chance."""
    heads = (*SHOT, "gained", "lies")
    told = [place for place in range(len(heads)) if any(row[place] for _, row in rows)]
    if not told or all(row[place] in (0, 1) for _, row in rows for place in told):
        return None
    short: list[tuple[Label, list[float | Fraction]]] = [(label, [row[n] for n in told]) for label, row in rows]
    return of_numbers(in_both("spell"), [heads[place] for place in told], short)


def draft_point(battle: Battle, decision: Place, answer: Places) -> Table | None:
    """What a spell, or a shot that explodes, does to everybody it may catch that is aimed at this point."""
    part, about = battle.part(decision.about["unit"]), decision.about["about"]
    known, weapon = SPELLS.get(about), _weapon(part, about)
    x, y, *_ = answer["point"]
    tolls: Tolls = {}
    if known is not None:
        try:
            tolls = spell_odds(battle, part, known, point=(x, y)).wounds
        except TooMany:
            return None
    elif weapon is not None:
        volley = volley_of(battle, part, weapon, None)
        assert volley.explosion is not None
        tolls = blast_tolls(battle, part, volley.explosion, (x, y), volley.terms)
    rows = [(_name(battle, id), Toll(law, battle.part(id).pv)) for id, law in tolls.items()]
    return table(in_both("caught"), COLUMNS, rows) if rows else None


def _name(battle: Battle, id: str) -> Words:
    part = battle.part(id)
    model = battle.model_of(part)
    return part.sheet.name if model.duo else model.name


HELPERS: Final[Mapping[str, Any]] = {
    "strike_at": help_strike,
    "fight_with": help_weapon,
    "split": help_split,
    "choose_combat": help_combat,
    "shoot_at": help_shot,
    "shoot_with": help_shot_weapon,
    "choose_dodge": help_dodge,
    "roll_again": help_again,
    "whose_courage": help_courage,
    "test_again": help_test_again,
    "choose_test": help_morale,
    "choose_flight": help_flight,
    "force_with": help_door,
    "force_charging": help_door,
    "choose_shooter": help_shooter,
    "choose_target": help_spell_target,
}
DRAFTS: Final[Mapping[str, Any]] = {**dict.fromkeys(_WAYS, draft_way), "choose_point": draft_point}
