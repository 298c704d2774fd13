"""Where players of Song of Blades and Heroes ask about races, bands, points and odds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from oriflamme.engine.decisions import Decision, Refused
from oriflamme.engine.desk import Data, Desk, Sheet
from oriflamme.engine.muster import Muster
from oriflamme.engine.notices import name_in, notice
from oriflamme.engine.problems import Problems, Reader, did_you_mean, problem_with
from oriflamme.engine.wording import Wording
from oriflamme.games.sbh.bands import DEFAULTS, UPGRADES, Band, Fighter, load_band, ready_bands
from oriflamme.games.sbh.points import COMBAT, QUALITY, priced, rule_problems
from oriflamme.games.sbh.roster import NONCOMBATANT, Card, card, is_animal, is_personality, races

in_both: Final = Wording(Path(__file__).parent / "text", "desk")

if TYPE_CHECKING:
    from oriflamme.games.sbh.odds import Odds
    from oriflamme.games.sbh.state import Battle
    from oriflamme.games.sbh.state import Fighter as OnTable

COUNTS_AS: Final = {
    "personality": in_both("personality"),
    "animal": in_both("animal"),
    "noncombatant": in_both("non_combatant"),
}

INVENTED: Final = in_both("invented_fighter")


# Reasons against an attack that pass: its odds can be told all the same.
PASSING: Final = ("has_attacked", "not_in_contact")


class SbhDesk(Desk):
    """The desk of Song of Blades and Heroes."""

    particulars = frozenset(
        {
            "scale", "distance", "cover", "shooters", "ambush", "fallen", "transfixed", "attacker_fallen",
            "outnumbered", "attacker_outnumbered", "obstacle", "higher",
        }
    )  # fmt: skip

    def factions(self) -> list[Data]:
        return [
            {"id": race.id, "name": race.name, "story": {}, "units": [_card_data(card) for card in race.cards]}
            for race in races().values()
        ]

    def lists(self) -> list[Data]:
        return [_summary(id, load_band(id)) for id in ready_bands()]

    def army(self, name_or_path: str | os.PathLike[str], options: Mapping[str, str] | None = None) -> Data:
        band = load_band(name_or_path, DEFAULTS | dict(options or {}))
        units = [_fighter_data(fighter) for fighter in band.fighters]
        return _summary(os.fspath(name_or_path), band) | {"units": units, "upgrades": list(band.upgrades)}

    def unit(self, name: str) -> Data:
        race, slash, id = name.rpartition("/")
        if slash and race not in races():
            raise problem_with(
                "unit",
                notice("no_such", what="race", word=race),
                rule="SBH-ROSTER-03",
                hint=did_you_mean(race, races()),
            )
        found = card(id)
        if slash and found.race != race:
            hint = notice("write_quoted", text=f"{found.race}/{id}")
            what = notice("not_of_this_race", fighter=id, race=race)
            raise problem_with("unit", what, rule="SBH-ROSTER-03", hint=hint)
        return _card_data(found)

    def invented(self, **profile: Any) -> Data:
        problems = Problems("invented fighter")
        table = Reader({**profile, "rules": list(profile.get("rules", ()))}, problems)
        quality = table.integer("quality", low=QUALITY[0], high=QUALITY[1])
        combat = table.integer("combat", low=COMBAT[0], high=COMBAT[1])
        rules = tuple(table.texts("rules"))
        for problem in rule_problems(rules, "rules"):
            problems.note(problem)
        table.finish()
        problems.raise_if_any()
        cost = priced(quality, combat, rules).points
        return _profile_data("", INVENTED, cost, quality, combat, rules)

    def muster(self) -> Muster:
        from oriflamme.games.sbh.muster import SbhMuster

        return SbhMuster(self.game)

    def sheets(self, kind: str, data: Data, lang: str = "en") -> list[Sheet]:
        columns = ("fighter", "name", "Q", "C", "rules", "counts as", "equipment", "points")
        units = [data] if kind == "unit" else data["units"]
        made = [Sheet(columns, [_unit_row(unit, lang) for unit in units], right=(3, 7))]
        if data.get("upgrades"):
            upgrades: list[tuple[object, ...]] = [(id, name_in(UPGRADES[id], lang)) for id in data["upgrades"]]
            made.append(Sheet(("upgrade", "name"), upgrades))
        return made

    def points_sheet(self, units: Sequence[Data], lang: str = "en") -> Sheet:
        columns = ("fighter", "name", "Q", "C", "5 × C", "rules", "sum", "×", "formula", "points")
        rows: list[tuple[object, ...]] = []
        for unit in units:
            (part,) = unit["parts"]
            rules = " ".join(f"{cost:+d} {rule}" for rule, cost in part["rules"].items())
            worked = (part["combat"], rules, part["sum"], f"{part['factor']:g}", f"{part['total']:g}")
            name = name_in(unit["name"], lang)
            rows.append((unit["id"], name, f"{unit['quality']}+", unit["combat"], *worked, unit["cost"]))
        note = (
            "(5 × Combat + special rules) × (7 − Quality) ÷ 2, half up, at least 1; "
            "for the profiles of the book the printed points stand. The formula: docs/points.md"
        )
        return Sheet(columns, rows, right=(3, 4, 6, 7, 8, 9), note=note)

    def odds(self, attacker: str, defender: str, *, charge: bool = False, **particulars: Any) -> Data:
        from oriflamme.games.sbh.advice import dice_labels, gamble_table, gamble_title
        from oriflamme.games.sbh.duel import Duel, read_particulars
        from oriflamme.games.sbh.odds import gambles

        cards = [card(self.unit(name)["id"]) for name in (attacker, defender)]
        duel = Duel(cards[0], cards[1], read_particulars(particulars, charge=charge), charge=charge)
        told = self._told(duel.attacker, duel.defender, charge, duel.odds())
        found = gambles(duel.battle, duel.attacker)
        gamble = gamble_table(gamble_title(duel.attacker, found[0].needed), found, dice_labels(found))
        return told | {"tables": [*told["tables"], gamble]}

    def unit_at(self, battle: Battle, id: str) -> Data:
        from oriflamme.games.sbh.quality import target_of

        fighter = battle.units[id]
        item = fighter.item
        return {
            "id": id,
            "name": fighter.name,
            "side": fighter.side,
            "figures": len(fighter.figures),
            "quality": target_of(battle, fighter),
            "combat": fighter.profile.combat,
            "numbers": {"Quality": f"{target_of(battle, fighter)}+", "Combat": str(fighter.profile.combat)},
            "cost": fighter.points,
            "rules": [str(keyword) for keyword in fighter.profile.keywords],
            "wounds": fighter.wounds,
            "poison": fighter.poison,
            "item": item.data() if item is not None else None,
            "reserve": fighter.reserve,
            "fate": fighter.fate,
            "states": list(fighter.states()),
        }

    def odds_at(self, battle: Battle, attacker: str, defender: str, *, charge: bool = False, way: str = "") -> Data:
        from oriflamme.games.sbh.fighting import why_not_attack
        from oriflamme.games.sbh.odds import attack_odds, ranged_deeds

        by, on = battle.units[attacker], battle.units[defender]
        if charge:
            refusal = why_not_attack(battle, by, on, 2, 2)
            if refusal is not None and refusal.why not in PASSING:
                raise Refused(refusal)
            return self._told(by, on, charge, [attack_odds(battle, by, on, deed) for deed in ("attack", "power")])
        known = ranged_deeds(battle, by, on)
        refusals = [refusal for refusal in known.values() if refusal is not None]
        if not known:
            raise problem_with("odds", notice("nothing_to_shoot_with", unit=by.name))
        if len(refusals) == len(known):
            raise Refused(refusals[-1])
        made = [
            attack_odds(battle, by, on, deed, power=power)
            for (deed, power), refusal in known.items()
            if refusal is None
        ]
        return self._told(by, on, charge, made)

    def odds_for(self, battle: Battle, decision: Decision) -> Data | None:
        from oriflamme.games.sbh.advice import odds_for

        return odds_for(battle, decision)

    def _told(self, by: OnTable, on: OnTable, charge: bool, odds: Sequence[Odds]) -> Data:
        from oriflamme.games.sbh.advice import attack_table, attack_title, foreseen, label_of

        return {
            "game": self.game,
            "attacker": by.id,
            "defender": on.id,
            "names": {"attacker": by.name, "defender": on.name},
            "charge": charge,
            "method": "exact",
            "odds": [one.to_data() for one in odds],
            "tables": [attack_table(attack_title(by, on, charge=charge), [(label_of(one), one) for one in odds])],
            **foreseen(odds[0]),
        }


def _profile_data(
    id: str, name: Mapping[str, str], points: int, quality: int, combat: int, rules: Sequence[str]
) -> Data:
    counts_as = {
        "personality": is_personality(rules),
        "animal": is_animal(rules),
        "noncombatant": points <= NONCOMBATANT,
    }
    return {
        "id": id,
        "name": dict(name),
        "figures": 1,
        "quality": quality,
        "combat": combat,
        "cost": points,
        "rules": list(rules),
        "counts_as": [what for what, so in counts_as.items() if so],
        "equipment": {},
        "parts": [{"models": 1, **priced(quality, combat, rules).to_data()}],
    }


def _card_data(card: Card) -> Data:
    data = _profile_data(card.id, card.name, card.points, card.quality, card.combat, card.rules)
    return data | {"faction": card.race, "equipment": card.equipment}


def _fighter_data(one: Fighter) -> Data:
    data = _profile_data(one.id, one.name, one.points, one.quality, one.combat, one.rules)
    data |= {"faction": one.race, "card": one.card}
    return data | {"equipment": card(one.card).equipment} if one.card else data


def _summary(id: str, band: Band) -> Data:
    return {
        "id": id,
        "name": band.name,
        "story": band.about,
        "faction": ", ".join(band.races),
        "points": band.points,
        "cost": band.cost,
        "units": len(band.fighters),
        "models": len(band.fighters),
    }


def _unit_row(unit: Data, lang: str) -> tuple[object, ...]:
    rules = ", ".join(unit["rules"])
    counts_as = ", ".join(name_in(COUNTS_AS[what], lang) for what in unit["counts_as"])
    carried = name_in(unit["equipment"], lang)
    quality = f"{unit['quality']}+"
    name = name_in(unit["name"], lang)
    return unit["id"], name, quality, unit["combat"], rules, counts_as, carried, unit["cost"]
