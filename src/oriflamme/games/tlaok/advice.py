"""Odds as tables, sentences and charts that any screen can show, and those that help to answer a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import pi
from typing import Any, Final

from oriflamme.engine.decisions import Decision, PickOne, Refused
from oriflamme.engine.dice import HiddenDice
from oriflamme.engine.foresight import count, counted, percent
from oriflamme.engine.measure import INCH
from oriflamme.engine.problems import problem_with
from oriflamme.engine.table import Table
from oriflamme.engine.text import LANGUAGES
from oriflamme.games.tlaok.activation import unit_of
from oriflamme.games.tlaok.charge import distance_to, onrush_of
from oriflamme.games.tlaok.charge import why_not_target as why_not_charged
from oriflamme.games.tlaok.odds import (
    Odds,
    charged_home,
    clash_odds,
    duel_odds,
    impact_odds,
    reach_chance,
    volley_odds,
)
from oriflamme.games.tlaok.state import Battle, Regiment
from oriflamme.games.tlaok.volley import can_shoot, why_not_target

Data = dict[str, Any]
Label = str | Mapping[str, str]

TABLE: Final = 48 * INCH


def said(en: str, fr: str) -> dict[str, str]:
    return {"en": en, "fr": fr}


NAMES: Final = {
    "volley": said("volley", "Tir"),
    "clash": said("clash", "Combat"),
    "impact": said("impact attacks", "Attaques d'Impact"),
}
COLUMNS: Final = [
    said("", ""),
    said("dice", "dés") | {"as": "number"},
    said("hits", "touches") | {"as": "number"},
    said("wounds", "blessures") | {"as": "number"},
    said("stands lost", "socles perdus") | {"as": "number"},
    said("broken", "Démoralisé"),
    said("destroyed", "détruit"),
]
NOTE: Final = said(
    "Each attack by itself, every re-roll taken; stands lost with failed morale.",
    "Chaque attaque pour elle-même, toutes relances faites ; socles perdus, moral compris.",
)


def attack_table(title: Mapping[str, str], odds: Sequence[tuple[Label, Odds]]) -> Data:
    """A row for each attack: dice, hits, wounds and stands lost on average, and how likely it breaks or destroys."""
    rows = [
        [
            label,
            one.attacks,
            float(one.hits.mean()),
            float(one.wounds.mean()),
            float(one.lost.mean()),
            one.broken,
            one.destroyed,
        ]
        for label, one in odds
    ]
    return {"title": dict(title), "columns": COLUMNS, "rows": rows, "note": NOTE}


def chance_table(title: Mapping[str, str], column: Mapping[str, str], rows: Sequence[tuple[Label, float]]) -> Data:
    return {"title": dict(title), "columns": [COLUMNS[0], column], "rows": [list(row) for row in rows]}


def foreseen(odds: Odds, chance: float | None = None) -> Data:
    """An attack in one sentence, and the stands it may cost as a chart."""

    def told(lang: str) -> str:
        arrives = [] if chance is None else [REACHES[lang].format(p=percent(chance, lang))]
        wounds, lost = float(odds.wounds.mean()), float(odds.lost.mean())
        fr = lang == "fr"
        parts = [
            *arrives,
            count(wounds, lang, *(("blessure", "blessures") if fr else ("wound", "wounds"))),
            count(lost, lang, *(("socle perdu", "socles perdus") if fr else ("stand lost", "stands lost"))),
        ]
        if odds.destroyed:
            parts.append(DESTROYS[lang].format(p=percent(odds.destroyed, lang)))
        return f"{NAMES[odds.what][lang]}{' : ' if fr else ': '}{', '.join(parts)}"

    lost = {number: float(share) for number, share in odds.lost.items()}
    return {
        "summary": {lang: told(lang) for lang in LANGUAGES},
        "chart": counted(said("stands lost", "socles perdus"), lost),
    }


REACHES: Final = said("{p} to arrive", "{p} d'arriver")
DESTROYS: Final = said("{p} to destroy", "{p} de détruire")


def told_of(battle: Battle, by: Regiment, on: Regiment, *, charge: bool) -> Data:
    """What a charge or a volley of one regiment on another does; raises Refused if it may not attack."""
    verb = said("charges", "charge") if charge else said("shoots at", "tire sur")
    title = {lang: f"{by.name.get(lang, by.id)} {verb[lang]} {on.name.get(lang, on.id)}" for lang in LANGUAGES}
    tables: list[Data] = []
    chance: float | None = None
    if charge:
        refusal = why_not_charged(battle, by, on, onrush_of(battle, by))
        if refusal is not None:
            raise Refused(refusal)
        chance = reach_chance(battle, by, on)
        tables.append(chance_table(title, said("arrives", "arrive"), [(NAMES_OF_CHARGE, chance)]))
        twin = charged_home(battle, by, on)
        found = []
        if twin is not None:
            own, other = twin.units[by.id], twin.units[on.id]
            found = [impact_odds(twin, own, other), clash_odds(twin, own, other)]
    else:
        refusal = why_not_target(battle, by, on)
        if refusal is not None:
            raise Refused(refusal)
        found = [volley_odds(battle, by, on)]
    found = [one for one in found if one.attacks]
    if found:
        tables.append(attack_table(title, [(NAMES[one.what], one) for one in found]))
    return {
        "attacker": by.id,
        "defender": on.id,
        "names": {"attacker": by.name, "defender": on.name},
        "charge": charge,
        "method": "exact",
        "reach": chance,
        "odds": [data_of(one) for one in found],
        "tables": tables,
        **(foreseen(found[-1], chance) if found else {}),
    }


NAMES_OF_CHARGE: Final = said("charge", "Charge")


def data_of(odds: Odds) -> Data:
    return {
        "what": odds.what,
        "dice": odds.attacks,
        "hits": odds.hits.to_data(),
        "wounds": odds.wounds.to_data(),
        "lost": odds.lost.to_data(),
        "broken": odds.broken,
        "destroyed": odds.destroyed,
    }


def meeting(regiments: tuple[Regiment, Regiment], options: dict[str, str], inches: float) -> Battle:
    """Two regiments face to face on an empty table, so far apart."""
    battle = Battle(Table(TABLE, TABLE), options, HiddenDice())
    by, on = regiments
    for regiment in regiments:
        battle.units[regiment.id] = regiment
        regiment.reserve = None
    by.stand_at(TABLE / 2, TABLE / 4, 0.0)
    on.stand_at(TABLE / 2, TABLE / 2, pi)
    on.stand_at(TABLE / 2, TABLE / 2 + inches * INCH - distance_to(battle, by, on), pi)
    return battle


def why_not_shooter(regiment: Regiment) -> None:
    if not any(can_shoot(regiment, stand) for stand in regiment.figures):
        raise problem_with("odds", f"{regiment.name['en']} has nothing to shoot with", hint="ask for --charge")


# -- questions ---------------------------------------------------------------------------------------------------------


def odds_for(battle: Battle, decision: Decision) -> Data | None:
    """The odds that help to answer a question."""
    answer = QUESTIONS.get(decision.ask)
    return answer(battle, decision) if answer is not None and isinstance(decision, PickOne) else None


def _shots(battle: Battle, decision: PickOne) -> Data:
    regiment = battle.units[decision.about["regiment"]]
    rows: list[tuple[Label, Odds]] = []
    for key in decision.keys():
        kind, _, id = key.rpartition(":")
        rows.append((key, volley_odds(battle, regiment, battle.units[id], arcing=bool(kind))))
    return attack_table(NAMES["volley"], rows)


def _charges(battle: Battle, decision: PickOne) -> Data:
    regiment = battle.units[decision.about["regiment"]]
    rows = [(key, reach_chance(battle, regiment, battle.units[key])) for key in decision.keys()]
    return chance_table(NAMES_OF_CHARGE, said("arrives", "arrive"), rows)


def _duels(battle: Battle, decision: PickOne) -> Data:
    regiment = battle.units[decision.about["regiment"]]
    return _duel_table(
        [(key, *_falls(battle, regiment, unit_of(battle, key)[0])) for key in decision.keys()],
    )


def _challenge(battle: Battle, decision: PickOne) -> Data:
    challenger, challenged = (unit_of(battle, decision.about[who])[0] for who in ("challenger", "character"))
    own, other = _falls(battle, challenger, challenged)
    return _duel_table([("accept", other, own)])


def _falls(battle: Battle, regiment: Regiment, enemy: Regiment) -> tuple[float, float]:
    odds = duel_odds(battle, regiment, enemy)
    return odds.challenger_falls, odds.challenged_falls


def _duel_table(rows: Sequence[tuple[str, float, float]]) -> Data:
    columns = [
        COLUMNS[0],
        said("own character falls", "son personnage meurt"),
        said("the other falls", "l'autre meurt"),
    ]
    return {"title": said("duel", "Duel"), "columns": columns, "rows": [list(row) for row in rows]}


QUESTIONS: Final[Mapping[str, Callable[[Battle, PickOne], Data]]] = {
    "shoot_target": _shots,
    "charge_target": _charges,
    "choose_duel": _duels,
    "accept_duel": _challenge,
}
