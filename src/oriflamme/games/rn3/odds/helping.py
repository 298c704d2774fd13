"""Odds beside the questions of Rag'Narok 3: what each answer may bring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from oriflamme.engine.core.decisions import Allocate, PickOne
from oriflamme.engine.geometry.measure import in_cm
from oriflamme.engine.odds import Table
from oriflamme.engine.odds.telling import Label, Words, listed, table
from oriflamme.engine.screen.measuring import why_not_measured
from oriflamme.games.rn3.allocation import ATTACK, Pair, UnitProfile, members, pair_of
from oriflamme.games.rn3.area import Template
from oriflamme.games.rn3.morale import courage_trial, difficulty_when_activated, passes_by_itself, values_to_test_with
from oriflamme.games.rn3.mystics import difficulty_of as difficulty_of_power
from oriflamme.games.rn3.mystics import test_of as trial_of_power
from oriflamme.games.rn3.odds.authority import Gamble, gambles
from oriflamme.games.rn3.odds.fights import reaction_odds
from oriflamme.games.rn3.odds.laws import law_of, mean
from oriflamme.games.rn3.odds.pairings import strike_of
from oriflamme.games.rn3.odds.retreats import gets_away, safe_beyond
from oriflamme.games.rn3.odds.tables import in_both, matrix_table, numbers
from oriflamme.games.rn3.odds.templates import Templates
from oriflamme.games.rn3.shooting import make_salvo, shooters_of
from oriflamme.games.rn3.state import Battle, Unit

# A matrix that is told has so many dice on each side at most.
MOST_DICE: Final = 8


# -- melee -------------------------------------------------------------------------------------------------------------


def help_react(battle: Battle, decision: PickOne) -> Table:
    """What each reaction may cost, if the charger puts all his dice in attack, and whether a retreat gets away; who is
    caught in retreat fights as if he had not reacted (RN3-RET-04). Where nobody has measured yet, it is told only from
    how far a retreat gets away (RN3-GEN-04)."""
    unit, charger = battle.units[decision.about["unit"]], battle.units[decision.about["target"]]
    measured = why_not_measured(battle, decision) is None
    away = measured and "retreat" in decision.keys() and gets_away(battle, unit, charger)
    rows: list[tuple[Label, list[float]]] = []
    for key in decision.keys():
        odds = reaction_odds(battle, unit, charger, key)
        gone = away and key == "retreat"
        rows.append((key, [0.0 if gone else mean(odds.own), mean(odds.charger), float(gone)]))
    if "retreat" in decision.keys() and measured:
        columns = listed([in_both("own_losses"), in_both("their_losses"), in_both("gets_away")])
        return numbers(table(in_both("reactions"), columns, rows, in_both("reactions_note")), 1, 2)
    note = in_both("reactions_note")
    if "retreat" in decision.keys():
        note = in_both("reactions_unmeasured_note", far=round(in_cm(safe_beyond(battle, unit, charger))))
    columns = listed([in_both("own_losses"), in_both("their_losses")])
    return numbers(table(in_both("reactions"), columns, [(key, row[:2]) for key, row in rows], note), 1, 2)


def help_split(battle: Battle, decision: Allocate) -> Table | None:
    """Losses for each number of attack dice against each of defence, in the pairing with the most dice."""
    if battle.fight is None:
        return None
    pairs = [(use, pair_of(key)) for key in decision.slots for use in (key.partition(" ")[0],)]
    strikes = [
        strike_of(battle, pair) if use == ATTACK else strike_of(battle, Pair(pair.against, pair.own))
        for use, pair in pairs
    ]
    strikes = [one for one in strikes if one.attack]
    if not strikes:
        return None
    largest = max(strikes, key=lambda one: (one.pair.own.unit == decision.about["unit"], one.attack + one.defence))
    found = largest.matrix(MOST_DICE, MOST_DICE)
    return matrix_table(_words(battle, "splits_of", largest.pair), found)


def draft_split(battle: Battle, decision: Allocate, answer: Mapping[str, int]) -> Table | None:
    """What the split in the making brings, pairing by pairing, against no, half and all of the other side's dice."""
    if battle.fight is None:
        return None
    rows = []
    for key, number in answer.items():
        pair = pair_of(key)
        if key.startswith(ATTACK):
            strike = strike_of(battle, pair)
            lost = [mean(strike.losses(number, dice)) for dice in _none_half_all(strike.defence)]
            rows.append((_words(battle, "split_attack", pair), lost))
        else:
            strike = strike_of(battle, Pair(pair.against, pair.own))
            lost = [mean(strike.losses(dice, number)) for dice in _none_half_all(strike.attack)]
            rows.append((_words(battle, "split_defence", pair), lost))
    if not rows:
        return None
    columns = listed([in_both("against_none"), in_both("against_half"), in_both("against_all")])
    return numbers(table(in_both("this_split"), columns, rows, in_both("this_split_note")), 1, 2, 3)


def _none_half_all(dice: int) -> tuple[int, int, int]:
    return 0, (dice + 1) // 2, dice


def _words(battle: Battle, key: str, pair: Pair) -> Words:
    return in_both(key, by=_name(battle, pair.own), on=_name(battle, pair.against))


def _name(battle: Battle, one: UnitProfile) -> Words:
    unit = battle.units[one.unit]
    fighters = members(unit, one.profile)
    return fighters[0].profile.name if fighters else unit.name


# -- templates ---------------------------------------------------------------------------------------------------------


def help_aim(battle: Battle, decision: PickOne) -> Table:
    """What the template may cost both sides on each model it may be centred on. Who is under it is measured only once
    it is laid (RN3-GEN-04): until then, how likely each kind of model falls that is."""
    unit, target = battle.units[decision.about["unit"]], battle.units[decision.about["target"]]
    shooters = [f for f in shooters_of(unit) if f.profile.id == decision.about["card"]]
    salvo = make_salvo(battle, unit, shooters, target, (), None)
    template = Template(*(int(decision.about[key]) for key in Template._fields))
    templates = Templates(battle, unit, salvo, shooters[0])
    if why_not_measured(battle, decision) is not None:
        kinds = {f.profile.id: f for f in target.figures if not f.profile.incarnate or len(target.figures) == 1}
        chances = [(f.profile.name, [templates.falls(target, f, template.rounds)]) for f in kinds.values()]
        return table(in_both("under_template"), listed([in_both("falls")]), chances, in_both("under_template_note"))
    tolls = [(key, templates.aimed(fighter, template)) for key in decision.keys() if (fighter := target.figure(key))]
    rows = [(key, [mean(toll.theirs), 1 - toll.theirs[0], mean(toll.own)]) for key, toll in tolls]
    columns = listed([in_both("their_losses"), in_both("at_least_one"), in_both("own_losses")])
    return numbers(table(in_both("aims"), columns, rows, in_both("aims_note")), 1, 3)


# -- mystics -----------------------------------------------------------------------------------------------------------


def help_sublimation(battle: Battle, decision: PickOne) -> Table | None:
    """The chance that a ritual or litany succeeds, by the dice bought (RN3-FAI-08, -11)."""
    unit = battle.units[decision.about["unit"]]
    fighter = unit.figure(decision.about["fighter"])
    if fighter is None:
        return None
    power = next((p for p in fighter.profile.powers if p.id == decision.about["power"]), None)
    if power is None:
        return None
    difficulty = difficulty_of_power(power, battle.units.get(decision.about["target"]))
    laws = [(key, law_of(trial_of_power(unit, fighter, power, int(key), difficulty))) for key in decision.keys()]
    rows = [(key, [1 - law[0]]) for key, law in laws]
    return table(in_both("sublimation"), listed([in_both("succeeds")]), rows, in_both("sublimation_note"))


# -- courage -----------------------------------------------------------------------------------------------------------


def help_standard(battle: Battle, decision: PickOne) -> Table:
    """The chance to pass a courage test with each value there is (RN3-MOR-03, RN3-STD-02)."""
    unit = battle.units[decision.about["unit"]]
    difficulty = int(decision.about["difficulty"])
    values = {"own" if v.unit is unit else v.unit.id: v for v in values_to_test_with(battle, unit)}
    laws = [(key, law_of(courage_trial(unit, values[key], difficulty, "RN3-MOR-03"))) for key in decision.keys()]
    return table(in_both("courage"), listed([in_both("succeeds")]), [(key, [1 - law[0]]) for key, law in laws])


def help_choose_unit(battle: Battle, decision: PickOne) -> Table | None:
    """Whose courage is tested as soon as they are activated, and how likely they pass (RN3-MOR-09, -17)."""
    rows: list[tuple[Label, list[float]]] = []
    for key in decision.keys():
        unit = battle.units.get(key)
        difficulty = difficulty_when_activated(battle, unit) if unit is not None and unit.on_table else None
        if unit is not None and difficulty is not None:
            rows.append((key, [courage_chance(battle, unit, difficulty)]))
    return table(in_both("courage"), listed([in_both("succeeds")]), rows, in_both("courage_note")) if rows else None


def courage_chance(battle: Battle, unit: Unit, difficulty: int) -> float:
    """The chance that a unit passes a courage test with the best value it has; elixir is not spent."""
    values = values_to_test_with(battle, unit)
    if passes_by_itself(unit) is not None or not values:
        return 1.0
    return max(1 - law_of(courage_trial(unit, value, difficulty, "RN3-MOR-03"))[0] for value in values)


# -- authority ---------------------------------------------------------------------------------------------------------


def help_push(battle: Battle, decision: PickOne) -> Table:
    """What a further die brings: who wins, and whether all is rolled again (RN3-AUTH-04 to -07)."""
    found: dict[tuple[str, bool], Gamble] = gambles(decision.about)
    rows: list[tuple[Label, list[float]]] = []
    for (answer, other), odds in found.items():
        label: Label = in_both("push_yes_both" if answer == "yes" else "push_no_both") if other else answer
        rows.append((label, [odds.wins, odds.ties, odds.loses]))
    columns = listed([in_both("wins"), in_both("all_again"), in_both("loses")])
    return table(in_both("push"), columns, rows, in_both("push_note"))


HELPERS: Final[Mapping[str, Any]] = {
    "react": help_react,
    "set_dice_aside": help_split,
    "aim_template": help_aim,
    "sublimation": help_sublimation,
    "push_authority": help_push,
    "use_standard": help_standard,
    "choose_unit": help_choose_unit,
}
DRAFTS: Final[Mapping[str, Any]] = {"set_dice_aside": draft_split}
# None of them hangs on a length that nobody has measured; where a template is centred, only what does not is told.
BY_EYE: Final = frozenset(HELPERS)
