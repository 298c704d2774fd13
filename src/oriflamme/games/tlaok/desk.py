"""Where players of Conquest ask about factions, lists, regiments and points."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from oriflamme.engine.decisions import Refused
from oriflamme.engine.desk import Data, Desk, Sheet
from oriflamme.engine.notices import name_in, notice
from oriflamme.engine.problems import Problems, Reader, did_you_mean, guess_or_choices, problem_with
from oriflamme.engine.sentences import LANGUAGES, sentences
from oriflamme.engine.wording import Wording
from oriflamme.games.tlaok.armies import (
    Leader,
    Raised,
    Roster,
    cost_of_regiment,
    factions,
    field_character,
    field_own_regiment,
    field_regiment,
    lead,
    load_list,
    raise_regiment,
    ready_lists,
)
from oriflamme.games.tlaok.cards import CharacterCard, Extra, Faction, RegimentCard, SpellCard, Stand, Supremacy
from oriflamme.games.tlaok.measures import CLASSES
from oriflamme.games.tlaok.points import (
    cost_of_extra,
    cost_of_model,
    cost_of_option,
    cost_of_spell,
    cost_of_stands,
    parts_of,
)
from oriflamme.games.tlaok.profile import LETTERS, DrawEvent, Profile
from oriflamme.games.tlaok.reading import read_stand
from oriflamme.games.tlaok.wording import extra_told, in_all_languages, rule_told, spell_told, word_of

in_both: Final = Wording(Path(__file__).parent / "text", "desk")

if TYPE_CHECKING:
    from oriflamme.engine.decisions import Decision
    from oriflamme.engine.events import Refusal
    from oriflamme.engine.muster import Muster
    from oriflamme.games.tlaok.state import Battle, Regiment

# How far apart two regiments are whose odds are asked for, in inches, if nobody says.
USUAL_DISTANCE: Final = 8.0
INVENTED: Final = in_both("invented_stand")
MODELS: Final = {
    "leader": in_both("leader"),
    "standard": in_both("standard_bearer"),
}


class TlaokDesk(Desk):
    """The desk of Conquest: The Last Argument of Kings."""

    particulars = frozenset({"distance", "duel"})

    def factions(self) -> list[Data]:
        return [
            {
                "id": army.id,
                "name": army.name,
                "story": army.story,
                "rule": {"name": army.rule.name, "text": army.rule.text} if army.rule is not None else None,
                "units": [
                    *(_character_data(card, army) for card in army.characters.values()),
                    *(_regiment_data(card, army) for card in army.regiments.values()),
                ],
                "spells": [_spell_data(spell) for spell in army.spells.values()],
                "supremacies": [_ability_data(ability) for ability in army.supremacies.values()],
                "masteries": [_extra_data(mastery) for mastery in army.masteries.values()],
                "upgrades": [_extra_data(upgrade) for upgrade in army.upgrades.values()],
                "secondaries": [
                    {"id": card.id, "name": card.name, "text": card.text, "copies": card.copies} for card in army.deck
                ],
            }
            for army in factions().values()
        ]

    def lists(self) -> list[Data]:
        return [_summary(id, load_list(id)) for id in ready_lists()]

    def army(self, name_or_path: str | os.PathLike[str], options: Mapping[str, str] | None = None) -> Data:
        roster = load_list(name_or_path)
        units = [
            data | {"warband": number}
            for number, band in enumerate(roster.warbands, 1)
            for data in (_leader_data(band.leader), *map(_raised_data, band.regiments))
        ]
        return _summary(os.fspath(name_or_path), roster) | {"units": units}

    def unit(self, name: str) -> Data:
        army, card, taken = _find(name)
        if isinstance(card, RegimentCard):
            return _regiment_data(card, army) | _raised_data(_raise(card, army, taken))
        return _character_data(card, army) | _leader_data(_lead(card, army, taken))

    def invented(self, **profile: Any) -> Data:
        problems = Problems("invented stand")
        told = {"name": INVENTED, **profile, "rules": list(profile.get("rules", ()))}
        told["events"] = list(profile.get("events", ()))
        letters = {letter: told.pop(letter) for letter in LETTERS if letter in told}
        table = Reader({"profile": letters, **told}, problems)
        weight = table.choice("class", CLASSES, what="class", rule="TLAOK-PROF-03", default="medium")
        stand = read_stand("invented", table, weight=weight)
        stands = table.integer("stands", low=1, high=20, default=1)
        table.finish()
        problems.raise_if_any()
        return _stand_data(stand, "invented", stands, cost_of_stands(stand, stands))

    def muster(self) -> Muster:
        from oriflamme.games.tlaok.muster import TlaokMuster

        return TlaokMuster(self.game)

    def unit_at(self, battle: Battle, id: str) -> Data:
        regiment = battle.units[id]
        hero = regiment.character
        return {
            "id": id,
            "name": regiment.name,
            "side": regiment.side,
            "kind": regiment.kind,
            "class": regiment.weight,
            "figures": regiment.size,
            "start": regiment.initial,
            "profile": {letter: getattr(regiment.profile, stat) for letter, stat in LETTERS.items()},
            "cost": regiment.card.get("points", 0),
            **_sheet(regiment.profile, regiment.events_of()),
            "carries": [_model_name(regiment, model) for stand in regiment.figures for model in stand.models],
            "with": [{"name": hero.profile.name, **_sheet(hero.profile, hero.profile.events)}]
            if hero is not None
            else [],
            "events": [str(event) for event in regiment.events_of()],
            "wounds": sum(stand.wounds for stand in regiment.figures),
            "models": [model for stand in regiment.figures for model in stand.models],
            "character": {"id": hero.id, "name": hero.profile.name} if hero is not None else None,
            "reserve": regiment.reserve,
            "fate": regiment.fate,
            "states": list(regiment.states()),
        }

    def odds(self, attacker: str, defender: str, *, charge: bool = False, **particulars: Any) -> Data:
        from oriflamme.engine.game import house_rules_of
        from oriflamme.games.tlaok.advice import meeting, told_of, way_between

        by, on = (fielded(name, side) for side, name in enumerate((attacker, defender)))
        duel = bool(particulars.get("duel"))
        way = way_between(by, on, charge=charge, duel=duel)
        options = {key: rule.default for key, rule in house_rules_of(self.game).items()}
        distance = 0.0 if duel else float(particulars.get("distance", USUAL_DISTANCE))
        battle = meeting((by, on), options, distance)
        try:
            return {"game": self.game} | told_of(battle, by, on, way)
        except Refused as refused:
            raise _in_words(battle, refused.refusal) from None

    def odds_at(self, battle: Battle, attacker: str, defender: str, *, charge: bool = False, way: str = "") -> Data:
        from oriflamme.games.tlaok.advice import told_of

        by, on = battle.units[attacker], battle.units[defender]
        if not way:
            touching = on in battle.engaged(by)
            way = ("clash" if touching else "charge") if charge else "volley"
        return {"game": self.game} | told_of(battle, by, on, way)

    def odds_for(self, battle: Battle, decision: Decision) -> Data | None:
        from oriflamme.games.tlaok.advice import odds_for

        return odds_for(battle, decision)

    def sheets(self, kind: str, data: Data, lang: str = "en") -> list[Sheet]:
        units = [data] if kind == "unit" else data["units"]
        columns = ("unit", "name", "type", "class", "stands", *LETTERS, "rules", "points")
        numbers = tuple(range(4, 5 + len(LETTERS)))
        made = [Sheet(columns, [_unit_row(unit, lang) for unit in units], right=(*numbers, len(columns) - 1))]
        if kind == "faction":
            made += _faction_sheets(data, lang)
        if kind == "unit" and data.get("open_upgrades"):
            rows = [_open_row(option, lang) for option in data["open_upgrades"]]
            made.append(Sheet(("takes", "name", "does", "points"), rows, right=(3,)))
        if kind == "unit" and data.get("warband_of"):
            rows = [(sort, ", ".join(ids)) for sort, ids in data["warband_of"].items() if ids]
            made.append(Sheet(("warband", "regiments"), rows))
        return made

    def points_sheet(self, units: Sequence[Data], lang: str = "en") -> Sheet:
        parts = ("body", "melee", "shooting", "magic", "person", "total")
        rows: list[tuple[object, ...]] = []
        for unit in units:
            (part,) = unit["parts"]
            told = [f"{part[name]:.1f}" for name in parts]
            rows.append((unit["id"], _unit_name(unit, lang), unit["figures"], *told, unit["cost"]))
        note = (
            "a stand is body + arms + magic; the lesser of melee and shooting counts half, and what is bought costs "
            "the difference it makes. The formula: docs/points.md"
        )
        columns = ("unit", "name", "stands", *parts, "points")
        return Sheet(columns, rows, right=tuple(range(2, len(columns))), note=note)


def _in_words(battle: Battle, refusal: Refusal) -> Problems:
    """A refusal to somebody who asked about two regiments that are in no battle."""
    from oriflamme.engine.text import Names, Voice
    from oriflamme.games.tlaok.game import game

    names = Names(game, battle)
    why = {lang: Voice(game, names, lang).refusal(refusal).text for lang in LANGUAGES}
    return problem_with("odds", notice("why_not", why=why), rule=refusal.rule)


def _sheet(profile: Profile, events: Iterable[DrawEvent]) -> Data:
    """What a stand has, as its card shows it: numbers by characteristic, rules, ranged weapons and spells."""
    return {
        "numbers": {stat: str(getattr(profile, stat)) for stat in LETTERS.values()},
        "rules": [*map(str, profile.keywords), *map(str, events)],
        "weapons": [
            {
                "name": "Barrage",
                "models": 1,
                "range": barrage.range,
                "attacks": barrage.shots,
                "about": f'{barrage.shots}, {barrage.range}"',
                "rules": [str(rule) for rule in barrage.rules],
            }
            for barrage in profile.barrages
        ],
        "spells": [spell.name for spell in profile.spells],
    }


def _model_name(regiment: Regiment, model: str) -> Data:
    officer = regiment.card.get("officers", {}).get(model)
    return dict(officer["name"] if officer is not None else MODELS.get(model, {"en": model}))


# -- looking up --------------------------------------------------------------------------------------------------------


def _find(name: str) -> tuple[Faction, RegimentCard | CharacterCard, list[str]]:
    """A regiment or a character by its id, or with its faction before it (`salt_crown/tide_pikes`); behind it how many
    stands and what it takes (`tide_pikes+6+standard+drilled`)."""
    place, *taken = name.split("+")
    army, slash, wanted = place.rpartition("/")
    if slash and army not in factions():
        raise problem_with("unit", notice("no_faction", faction=army), hint=did_you_mean(army, factions()))
    ids: set[str] = set()
    for each in factions().values():
        if slash and each.id != army:
            continue
        ids |= {*each.regiments, *each.characters}
        card = each.regiments.get(wanted) or each.characters.get(wanted)
        if card is not None:
            return each, card, taken
    hint = did_you_mean(wanted, ids) or notice("how_to_find_units")
    raise problem_with("unit", notice("no_such_unit_here", unit=wanted), hint=hint)


def fielded(name: str, side: int) -> Regiment:
    """A regiment by its name, as a battle has it; with a character who joins it (`tide_pikes+6+tide_abbot`). One who is
    named alone and is no regiment of his own joins the first that he may."""
    from oriflamme.games.tlaok.setup import attach, is_open_to

    army, card, taken = _find(name)
    place = next((n for n, word in enumerate(taken) if word in army.characters), len(taken))
    if isinstance(card, RegimentCard):
        regiments = [_regiment(card, army, taken[:place], side)]
        if place == len(taken):
            return regiments[0]
        card, taken = army.characters[taken[place]], taken[place + 1 :]
    elif card.own:
        return field_own_regiment(_lead(card, army, taken), side, f"{card.id}_{side + 1}")
    else:
        regiments = [_regiment(army.regiments[id], army, (), side) for id in (*card.mainstay, *card.restricted)]
    hero = field_character(_lead(card, army, taken), f"{card.id}_{side + 1}")
    able = [regiment for regiment in regiments if not card.own and is_open_to(regiment, hero)]
    if not able:
        what = notice("cannot_join", character=card.id, regiments=[regiment.card["id"] for regiment in regiments])
        raise problem_with("unit", what, rule="TLAOK-CHAR-03", hint=notice("joins_his_type"))
    attach(able[0], hero)
    return able[0]


def _regiment(card: RegimentCard, army: Faction, taken: Sequence[str], side: int) -> Regiment:
    words = [word for word in taken if not word.isdigit()]
    _check_known(card.id, words, (*card.command.models, *card.options, *army.characters))
    return field_regiment(_raise(card, army, taken), side, f"{card.id}_{side + 1}")


def _raise(card: RegimentCard, army: Faction, taken: Sequence[str]) -> Raised:
    stands = next((int(word) for word in taken if word.isdigit()), card.least)
    if not card.least <= stands <= card.most:
        most = card.most if card.most > card.least else 0
        what = notice("stands_come_in", number=stands, regiment=card.id, least=card.least, most=most)
        raise problem_with("unit", what, hint=notice("change_stands"))
    words = [word for word in taken if not word.isdigit()]
    _check_known(card.id, words, (*card.command.models, *card.options))
    free = ("leader",) if card.command.leader == "free" else ()
    models = dict.fromkeys((*free, *(word for word in words if word in card.command.models)))
    options = [word for word in words if word in card.options]
    return raise_regiment(card, army, stands=stands, models=tuple(models), options=options)


def _lead(card: CharacterCard, army: Faction, taken: Sequence[str]) -> Leader:
    spells = {spell.id for spell in card.learns}
    masteries = _masteries(card, army)
    _check_known(card.id, taken, (*card.upgrades, *masteries, *spells))
    return lead(
        card,
        army,
        upgrades=[word for word in taken if word in card.upgrades],
        mastery=next((word for word in taken if word in masteries), ""),
        spells=[word for word in taken if word in spells],
    )


def _check_known(id: str, words: Iterable[str], known: Sequence[str]) -> None:
    for word in words:
        if word not in known:
            raise problem_with("unit", notice("cannot_take", unit=id, word=word), hint=guess_or_choices(word, known))


def _masteries(card: CharacterCard, army: Faction) -> dict[str, Extra]:
    return {id: mastery for id, mastery in army.masteries.items() if mastery.category in card.masteries}


# -- as data -----------------------------------------------------------------------------------------------------------


def _stand_data(stand: Stand, id: str, stands: int, cost: int) -> Data:
    profile = stand.muster()
    return {
        "id": id,
        "name": stand.name,
        "kind": stand.kind,
        "class": stand.weight,
        "character": stand.character,
        "figures": stands,
        "profile": {letter: getattr(profile, stat) for letter, stat in LETTERS.items()},
        "rules": [*map(str, profile.keywords), *map(str, profile.barrages)],
        "events": [str(event) for event in profile.events],
        "spells": [{"id": spell.id, "name": spell.name} for spell in stand.spells],
        "cost": cost,
        "parts": [{"models": stands, **parts_of(stand)}],
    }


def _raised_data(raised: Raised) -> Data:
    data = _stand_data(raised.stand, raised.id, raised.stands, raised.cost)
    return data | {"upgrades": [*raised.models, *raised.options]}


def _leader_data(leader: Leader) -> Data:
    data = _stand_data(leader.stand, leader.id, 1, leader.cost)
    taken = [*leader.upgrades, *([leader.mastery] if leader.mastery else [])]
    abilities = [_ability_data(ability) for ability in leader.supremacies]
    return data | {"upgrades": taken, "warlord": leader.warlord, "supremacies": abilities}


def _regiment_data(card: RegimentCard, army: Faction) -> Data:
    models: list[Data] = []
    for id in card.command.models:
        officer = army.officers.get(id)
        free = id == "leader" and card.command.leader == "free"
        cost = 0 if free else cost_of_model(id, card.stand, card.least, officer)
        told = _extra_data(officer) if officer is not None else {"id": id, "name": MODELS[id], "does": {}}
        models.append(told | {"cost": cost})
    options = [
        _extra_data(option) | {"cost": cost_of_option(option, card.stand, card.least)}
        for option in card.options.values()
    ]
    data = _stand_data(card.stand, card.id, card.least, cost_of_regiment(card, card.least))
    return data | {"faction": army.id, "stands": [card.least, card.most], "open_upgrades": [*models, *options]}


def _character_data(card: CharacterCard, army: Faction) -> Data:
    extras = [army.upgrades[id] for id in card.upgrades] + list(_masteries(card, army).values())
    takes = [
        _extra_data(extra) | {"cost": cost_of_extra(extra, card.stand, army.supremacies.get(extra.supremacy))}
        for extra in extras
    ]
    learns = [_spell_data(spell) | {"cost": cost_of_spell(spell, card.stand)} for spell in card.learns]
    data = _leader_data(lead(card, army))
    return data | {
        "faction": army.id,
        "stands": [1, 1],
        "open_upgrades": [*takes, *learns],
        "warband_of": {"mainstay": list(card.mainstay), "restricted": list(card.restricted)},
    }


def _extra_data(extra: Extra) -> Data:
    return {
        "id": extra.id,
        "name": extra.name,
        "category": extra.category,
        "does": in_all_languages(extra_told, extra),
        "supremacy": extra.supremacy,
    }


def _spell_data(spell: SpellCard) -> Data:
    data: Data = msgspec.to_builtins(spell)
    return data | {"needed": spell.needed, "scaling": spell.scaling, "does": in_all_languages(spell_told, spell)}


def _ability_data(ability: Supremacy) -> Data:
    return {"id": ability.id, "name": ability.name, "text": ability.text, "uses": ability.uses}


def _summary(id: str, roster: Roster) -> Data:
    return {
        "id": id,
        "name": roster.name,
        "story": roster.story,
        "faction": roster.faction,
        "points": roster.points,
        "cost": roster.cost,
        "units": roster.units,
        "models": sum(raised.stands for band in roster.warbands for raised in band.regiments) + len(roster.warbands),
    }


# -- as tables ---------------------------------------------------------------------------------------------------------


def _unit_name(unit: Data, lang: str) -> str:
    name = name_in(unit["name"], lang)
    if unit.get("warlord"):
        name += f" ({in_both('warlord')[lang]})"
    return (
        f"{name} [{', '.join(map(sentences('tlaok', lang).term, unit['upgrades']))}]" if unit.get("upgrades") else name
    )


def _unit_row(unit: Data, lang: str) -> tuple[object, ...]:
    text = sentences("tlaok", lang)
    spells = [name_in(spell["name"], lang) for spell in unit["spells"]]
    rules = ", ".join([*(rule_told(rule, lang) for rule in (*unit["rules"], *unit["events"])), *spells])
    kind, weight = text.term(unit["kind"]), text.term(unit["class"] or "character")
    values = unit["profile"].values()
    stands = unit["figures"]
    if "stands" in unit and unit["stands"][0] != unit["stands"][1]:
        stands = f"{unit['figures']} ({unit['stands'][0]}-{unit['stands'][1]})"
    return unit["id"], _unit_name(unit, lang), kind, weight, stands, *values, rules, unit["cost"]


def _open_row(option: Data, lang: str) -> tuple[object, ...]:
    return option["id"], name_in(option["name"], lang), name_in(option["does"], lang), f"{option['cost']:+d}"


def _faction_sheets(data: Data, lang: str) -> list[Sheet]:
    made = []
    if data["spells"]:
        rows: list[tuple[object, ...]] = [
            (
                spell["id"],
                name_in(spell["name"], lang),
                f'{spell["range"]}"' if spell["range"] else word_of("target", "self", lang),
                spell["attunement"],
                "+" if spell["scaling"] else "",
                word_of("target", spell["target"], lang),
                name_in(spell["does"], lang),
            )
            for spell in data["spells"]
        ]
        made.append(Sheet(("spell", "name", "range", "attunement", "scaling", "on", "does"), rows, right=(3,)))
    rows = [
        (a["id"], name_in(a["name"], lang), word_of("uses", a["uses"], lang), name_in(a["text"], lang))
        for a in data["supremacies"]
    ]
    made.append(Sheet(("supremacy", "name", "uses", "does"), rows))
    rows = [
        (
            extra["id"],
            name_in(extra["name"], lang),
            word_of("category", extra["category"], lang),
            name_in(extra["does"], lang),
        )
        for extra in (*data["masteries"], *data["upgrades"])
    ]
    made.append(Sheet(("mastery or upgrade", "name", "sort", "does"), rows))
    rows = [(c["id"], name_in(c["name"], lang), c["copies"], name_in(c["text"], lang)) for c in data["secondaries"]]
    made.append(Sheet(("secondary", "name", "copies", "condition"), rows, right=(2,)))
    return made
