"""Regiments and characters by name, with what they take behind it: `salt_crown/tide_pikes+6+standard+drilled`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from oriflamme.engine.lists.armies import find_unit
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import guess_or_choices, problem_with
from oriflamme.games.tlaok.army.cards import CharacterCard, Extra, Faction, RegimentCard
from oriflamme.games.tlaok.army.factions import FACTIONS
from oriflamme.games.tlaok.army.fielding import field_character, field_own_regiment, field_regiment
from oriflamme.games.tlaok.army.rosters import ListedCharacter, ListedRegiment, equip_character, equip_regiment
from oriflamme.games.tlaok.state import Regiment


def find_card(name: str) -> tuple[Faction, RegimentCard | CharacterCard, list[str]]:
    """A regiment or a character, its faction, and the words behind its name; raises Problems with a guess."""
    known = FACTIONS.all()
    army, card, words = find_unit(name, {id: army.units for id, army in known.items()})
    return known[army], card, words


def regiment_with(card: RegimentCard, army: Faction, words: Sequence[str]) -> ListedRegiment:
    """A regiment with so many stands, command models and options as the words say."""
    stands = next((int(word) for word in words if word.isdigit()), card.least)
    if not card.least <= stands <= card.most:
        most = card.most if card.most > card.least else 0
        what = notice("stands_come_in", number=stands, regiment=card.id, least=card.least, most=most)
        raise problem_with("unit", what, hint=notice("change_stands"))
    taken = [word for word in words if not word.isdigit()]
    _check_known(card.id, taken, (*card.command.models, *card.options))
    free = ("leader",) if card.command.leader == "free" else ()
    models = dict.fromkeys((*free, *(word for word in taken if word in card.command.models)))
    options = [word for word in taken if word in card.options]
    return equip_regiment(card, army, stands=stands, models=tuple(models), options=options)


def character_with(card: CharacterCard, army: Faction, words: Sequence[str]) -> ListedCharacter:
    """A character with the upgrades, the mastery and the spells that the words name."""
    spells = [spell.id for spell in card.learns]
    masteries = open_masteries(card, army)
    _check_known(card.id, words, (*card.upgrades, *masteries, *spells))
    return equip_character(
        card,
        army,
        upgrades=[word for word in words if word in card.upgrades],
        mastery=next((word for word in words if word in masteries), ""),
        spells=[word for word in words if word in spells],
    )


def open_masteries(card: CharacterCard, army: Faction) -> dict[str, Extra]:
    """The masteries of the categories that are open to a character (TLAOK-MASTERY-01)."""
    return {id: mastery for id, mastery in army.masteries.items() if mastery.category in card.masteries}


def _check_known(id: str, words: Iterable[str], known: Sequence[str]) -> None:
    for word in words:
        if word not in known:
            raise problem_with("unit", notice("cannot_take", unit=id, word=word), hint=guess_or_choices(word, known))


def fielded(name: str, side: int) -> Regiment:
    """A regiment by its name, as a battle has it; with a character who joins it (`tide_pikes+6+tide_abbot`). One who is
    named alone and is no regiment of his own joins the first that he may."""
    from oriflamme.games.tlaok.setup import attach, is_open_to

    army, card, words = find_card(name)
    place = next((n for n, word in enumerate(words) if word in army.characters), len(words))
    if isinstance(card, RegimentCard):
        regiments = [_regiment(card, army, words[:place], side)]
        if place == len(words):
            return regiments[0]
        card, words = army.characters[words[place]], words[place + 1 :]
    elif card.own:
        return field_own_regiment(character_with(card, army, words), side, f"{card.id}_{side + 1}")
    else:
        regiments = [_regiment(army.regiments[id], army, (), side) for id in (*card.mainstay, *card.restricted)]
    hero = field_character(character_with(card, army, words), f"{card.id}_{side + 1}")
    able = [regiment for regiment in regiments if not card.own and is_open_to(regiment, hero)]
    if not able:
        what = notice("cannot_join", character=card.id, regiments=[regiment.card["id"] for regiment in regiments])
        raise problem_with("unit", what, rule="TLAOK-CHAR-03", hint=notice("joins_his_type"))
    attach(able[0], hero)
    return able[0]


def _regiment(card: RegimentCard, army: Faction, words: Sequence[str], side: int) -> Regiment:
    taken = [word for word in words if not word.isdigit()]
    _check_known(card.id, taken, (*card.command.models, *card.options, *army.characters))
    return field_regiment(regiment_with(card, army, words), side, f"{card.id}_{side + 1}")
