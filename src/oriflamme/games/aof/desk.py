"""Where players of Age of Fantasy ask about armies, points and odds."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from oriflamme.engine.decisions import Refused
from oriflamme.engine.desk import Data, Desk, Sheet
from oriflamme.engine.events import Refusal
from oriflamme.engine.measure import in_inches
from oriflamme.engine.muster import Muster
from oriflamme.engine.notices import name_in, notice
from oriflamme.engine.problems import did_you_mean, guess_or_choices, problem_with, read_text
from oriflamme.games.aof.armies import (
    DEFAULTS,
    Faction,
    ModelCard,
    Mustered,
    Roster,
    Taken,
    UnitCard,
    factions,
    load_list,
    muster,
    ready_lists,
)
from oriflamme.games.aof.points import UNITS, worth_of
from oriflamme.games.aof.profile import Profile, Weapon
from oriflamme.games.aof.setup import field
from oriflamme.games.aof.shooting import ranged_types, why_not_shoot
from oriflamme.games.aof.state import Battle, Unit


class AofDesk(Desk):
    """The desk of Age of Fantasy."""

    particulars = frozenset({"distance", "cover", "moved", "attacker_fatigued", "defender_fatigued", "defender_shaken"})

    def factions(self) -> list[Data]:
        return [
            {
                "id": faction.id,
                "name": faction.name,
                "story": faction.story,
                "units": [_card_data(faction, card) for card in faction.units.values()],
                "spells": [_spell_data(spell) for spell in faction.spells],
            }
            for faction in factions().values()
        ]

    def lists(self) -> list[Data]:
        return [_roster_summary(id, load_list(id)) for id in ready_lists()]

    def army(self, name_or_path: str | os.PathLike[str], options: Mapping[str, str] | None = None) -> Data:
        return _roster_data(os.fspath(name_or_path), load_list(name_or_path, DEFAULTS | dict(options or {})))

    def unit(self, name: str) -> Data:
        faction, card, taken = _find(name)
        mustered = muster(faction, card, taken)
        return _card_data(faction, card) | _mustered_data(mustered) | {"parts": parts_of(mustered)}

    def invented(self, **profile: Any) -> Data:
        from oriflamme.games.aof.muster import made_up

        if "rules" in profile:
            profile["keywords"] = profile.pop("rules")
        card, problems = made_up({"name": "Invented unit", "figures": 1, **profile})
        problems.raise_if_any()
        mustered = muster(Faction("", card.name, {}, {}, ()), card)
        return _mustered_data(mustered) | {"parts": parts_of(mustered)}

    def muster(self) -> Muster:
        from oriflamme.games.aof.muster import AofMuster

        return AofMuster(self.game)

    def sheets(self, kind: str, data: Data, lang: str = "en") -> list[Sheet]:
        units = [data] if kind == "unit" else data["units"]
        rows = [_unit_row(unit, lang) for unit in units]
        made = [Sheet(("unit", "name", "models", "Q", "D", "weapons", "rules", "points"), rows, right=(2, 7))]
        if kind == "faction" and data["spells"]:
            rows = [_spell_row(spell, lang) for spell in data["spells"]]
            made.append(Sheet(("spell", "name", "tokens", "range", "on", "does"), rows, right=(2,)))
        if kind == "unit" and data["open_upgrades"]:
            rows = [_upgrade_row(upgrade, lang) for upgrade in data["open_upgrades"]]
            made.append(Sheet(("upgrade", "name", "models", "points"), rows, right=(2, 3)))
        return made

    def points_sheet(self, units: Sequence[Data], lang: str = "en") -> Sheet:
        parts = ("body", "melee", "shooting", "magic")
        rows: list[tuple[object, ...]] = []
        for unit in units:
            sums = (sum(p["models"] * p[part] for p in unit["parts"]) for part in parts)
            told = [f"{value:.1f}" for value in sums]
            rows.append((unit["id"], _unit_name(unit, lang), unit["figures"], *told, unit["cost"]))
        note = "body + arms + magic; the lesser of melee and shooting counts half. The formula: docs/points.md"
        return Sheet(("unit", "name", "models", *parts, "points"), rows, right=(2, 3, 4, 5, 6, 7), note=note)

    def imported(
        self, path: str | os.PathLike[str], options: Mapping[str, str] | None = None, lang: str = "en"
    ) -> tuple[Data, list[str]]:
        from oriflamme.games.aof.army_forge import import_army_forge

        name = os.path.basename(os.fspath(path))
        roster, notes = import_army_forge(read_text(path), name, DEFAULTS | dict(options or {}))
        return roster.to_data(), [note.in_words(lang) for note in notes]

    def odds(self, attacker: str, defender: str, *, charge: bool = False, **particulars: Any) -> Data:
        from oriflamme.games.aof.odds import odds_between

        units = [_field(muster(*_find(name)), side) for side, name in enumerate((attacker, defender))]
        if not charge and not any(f.profile.ranged_weapons for f in units[0].figures):
            raise problem_with("odds", notice("nothing_to_shoot_with", unit=attacker), hint=notice("charge_for_melee"))
        return self._told(units, charge, odds_between(units[0], units[1], charge=charge, **particulars))

    def unit_at(self, battle: Battle, id: str) -> Data:
        unit = battle.units[id]
        profiles = Counter(f.profile for f in unit.figures)
        carried: Counter[Weapon] = Counter()
        for profile, count in profiles.items():
            for weapon in profile.weapons:
                carried[weapon] += count
        first = next(iter(profiles), None)
        tokens = sum(f.tokens for f in unit.figures)
        return {
            "id": unit.id,
            "name": unit.name,
            "side": unit.side,
            "kind": unit.card.get("kind", ""),
            "figures": len(unit.figures),
            "start": unit.start,
            "quality": first.quality if first is not None else None,
            "defense": unit.defense if unit.figures else None,
            "cost": unit.card.get("cost", 0),
            "numbers": _numbers(unit, first, tokens),
            "rules": list(dict.fromkeys(str(k) for profile in profiles for k in (*profile.keywords, *unit.effects))),
            "weapon_names": dict(unit.card.get("weapon_names", {})),
            "weapons": [
                {
                    "name": weapon.name,
                    "models": count,
                    "range": in_inches(weapon.range),
                    "attacks": weapon.attacks,
                    "rules": [str(k) for k in weapon.keywords],
                }
                for weapon, count in carried.items()
            ],
            "wounds": sum(f.wounds for f in unit.figures),
            "tokens": tokens,
            "reserve": unit.reserve,
            "states": [name for name in ("shaken", "fatigued", "activated") if getattr(unit, name)],
        }

    def odds_at(self, battle: Battle, attacker: str, defender: str, *, charge: bool = False, way: str = "") -> Data:
        from oriflamme.games.aof.odds import melee_odds, shooting_odds

        units = [battle.units[attacker], battle.units[defender]]
        for unit in units:
            if not unit.on_table:
                raise Refused(Refusal("AOF-ACT-01", "not_on_the_table", {"unit": unit.id}))
        if charge:
            return self._told(units, charge, melee_odds(battle, units[0], units[1]))
        refusals = [why_not_shoot(battle, units[0], weapon, units[1]) for weapon in ranged_types(units[0]).values()]
        if not refusals:
            raise problem_with("odds", notice("nothing_to_shoot_with", unit=units[0].name))
        reasons = [refusal for refusal in refusals if refusal is not None]
        if len(reasons) == len(refusals):
            raise Refused(reasons[0])
        return self._told(units, charge, shooting_odds(battle, units[0], units[1]))

    def _told(self, units: list[Unit], charge: bool, odds: Any) -> Data:
        from oriflamme.games.aof.odds import foreseen

        attacker, defender = units
        return {
            "game": self.game,
            "attacker": attacker.id,
            "defender": defender.id,
            "names": {"attacker": attacker.name, "defender": defender.name},
            "charge": charge,
            **odds.to_data(),
            **foreseen(odds),
        }


def _numbers(unit: Unit, first: Profile | None, tokens: int) -> dict[str, str]:
    told = {"Quality": f"{first.quality}+", "Defense": f"{unit.defense}+"} if first is not None else {}
    return told | {"Tokens": str(tokens)} if tokens else told


def _field(mustered: Mustered, side: int) -> Unit:
    unit = field(mustered, side, {})
    unit.reserve = None
    return unit


def _find(name: str) -> tuple[Faction, UnitCard, tuple[Taken, ...]]:
    """A unit by its id, or with its faction before it (`kiln_clans/stokers`) and upgrades behind (`stokers+banner`)."""
    place, *upgrades = name.split("+")
    army, slash, wanted = place.rpartition("/")
    if slash and army not in factions():
        raise problem_with("unit", notice("no_faction", faction=army), hint=did_you_mean(army, factions()))
    found = [(f, card) for f in factions().values() if not slash or f.id == army for card in f.units.values()]
    for faction, card in found:
        if card.id == wanted:
            return faction, card, tuple(_take(card, upgrade) for upgrade in upgrades)
    ids = {card.id for _, card in found}
    hint = did_you_mean(wanted, ids) or notice("how_to_find_units")
    raise problem_with("unit", notice("no_such_unit_here", unit=wanted), hint=hint)


def _take(card: UnitCard, wanted: str) -> Taken:
    upgrade = card.upgrades.get(wanted)
    if upgrade is None:
        hint = guess_or_choices(wanted, card.upgrades)
        raise problem_with("unit", notice("no_upgrade", upgrade=wanted, unit=card.id), hint=hint)
    return Taken(upgrade)


def _weapons(models: tuple[ModelCard, ...], counts: list[int]) -> list[Data]:
    """The weapons of a unit, each with the number of models that carry it."""
    carried: dict[Any, int] = {}
    for model, count in zip(models, counts, strict=True):
        for weapon in model.weapons:
            carried[weapon] = carried.get(weapon, 0) + count
    return [
        {
            "name": weapon.name,
            "models": count,
            "range": weapon.range,
            "attacks": weapon.attacks,
            "rules": list(weapon.keywords),
        }
        for weapon, count in carried.items()
    ]


def _mustered_data(unit: Mustered) -> Data:
    counts = [unit.models.count(number) for number in range(len(unit.cards))]
    rules = dict.fromkeys(rule for card in unit.cards for rule in card.keywords)
    return {
        "id": unit.id,
        "name": unit.name,
        "kind": unit.kind,
        "figures": len(unit.models),
        "quality": unit.cards[0].quality,
        "defense": unit.cards[0].defense,
        "cost": unit.cost,
        "rules": list(rules),
        "weapons": _weapons(unit.cards, counts),
        "upgrades": list(unit.upgrades),
        "combined": unit.combined,
    }


def _card_data(faction: Faction, card: UnitCard) -> Data:
    data = _mustered_data(muster(faction, card))
    del data["upgrades"], data["combined"]
    open_to = []
    for upgrade in card.upgrades.values():
        cost = muster(faction, card, (_take(card, upgrade.id),)).cost - data["cost"]
        open_to.append({"id": upgrade.id, "name": upgrade.name, "cost": cost, "models": upgrade.models or card.figures})
    return data | {"faction": faction.id, "open_upgrades": open_to}


def _spell_data(spell: Any) -> Data:
    return {
        "id": spell.id,
        "name": spell.name,
        "value": spell.value,
        "range": in_inches(spell.range),
        "targets": spell.targets,
        "count": spell.count,
        "hits": spell.hits,
        "rules": list(spell.hit_rules),
        "gives": list(spell.laid_rules),
        "heals": spell.heals,
    }


def _unit_name(unit: Data, lang: str) -> str:
    name = name_in(unit["name"], lang)
    return f"{name} [{', '.join(unit['upgrades'])}]" if unit.get("upgrades") else name


def _unit_row(unit: Data, lang: str) -> tuple[object, ...]:
    weapons = "; ".join(_weapon_told(weapon, unit["figures"]) for weapon in unit["weapons"])
    quality, defense = f"{unit['quality']}+", f"{unit['defense']}+"
    rules = ", ".join(unit["rules"])
    return unit["id"], _unit_name(unit, lang), unit["figures"], quality, defense, weapons, rules, unit["cost"]


def _weapon_told(weapon: Data, figures: int) -> str:
    """`8× halberd (A1, AP(1))`"""
    reach = [f'{weapon["range"]:g}"'] if weapon["range"] else []
    told = ", ".join([*reach, f"A{weapon['attacks']}", *weapon["rules"]])
    count = f"{weapon['models']}× " if weapon["models"] != figures or figures > 1 else ""
    return f"{count}{weapon['name']} ({told})"


def _spell_row(spell: Data, lang: str) -> tuple[object, ...]:
    if spell["hits"]:
        effect = f"{spell['hits']} hits" + (f" with {', '.join(spell['rules'])}" if spell["rules"] else "")
    elif spell["gives"]:
        effect = f"{', '.join(spell['gives'])} until the round ends"
    else:
        effect = f"heals {spell['heals']} wounds"
    reach, targets = f'{spell["range"]:g}"', f"{spell['count']} {spell['targets']}"
    return spell["id"], name_in(spell["name"], lang), spell["value"], reach, targets, effect


def _upgrade_row(upgrade: Data, lang: str) -> tuple[object, ...]:
    return upgrade["id"], name_in(upgrade["name"], lang), upgrade["models"], f"{upgrade['cost']:+d}"


def _roster_summary(id: str, roster: Roster) -> Data:
    return {
        "id": id,
        "name": roster.name,
        "faction": roster.faction,
        "points": roster.points,
        "cost": roster.cost,
        "units": len(roster.units),
        "models": sum(len(unit.models) for unit in roster.units),
    }


def _roster_data(id: str, roster: Roster) -> Data:
    units = [_mustered_data(unit) | {"parts": parts_of(unit)} for unit in roster.units]
    return _roster_summary(id, roster) | {"units": units}


def parts_of(unit: Mustered) -> list[Data]:
    """What each sort of model of the unit is worth, part by part."""
    staff = [k.title for profile in unit.profiles for k in profile.keywords if k.title in UNITS]

    def told() -> Iterator[Data]:
        for number, card in enumerate(unit.cards):
            worth = worth_of(card.muster(), staff)
            yield {
                "models": unit.models.count(number),
                "body": round(worth.body, 2),
                "melee": round(worth.melee, 2),
                "shooting": round(worth.shooting, 2),
                "arms": round(worth.arms, 2),
                "magic": round(worth.magic, 2),
                "total": round(worth.total, 2),
            }

    return list(told())
