"""An army takes the field: the regiments and characters of a list become those of a battle."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import msgspec

from oriflamme.games.tlaok.army.cards import Change, Stand
from oriflamme.games.tlaok.army.rosters import ListedCharacter, ListedRegiment, Roster
from oriflamme.games.tlaok.profile import CHARACTERISTICS
from oriflamme.games.tlaok.regiment.command import take_posts
from oriflamme.games.tlaok.regiment.formation import usual
from oriflamme.games.tlaok.state import Character, Effect, Regiment
from oriflamme.games.tlaok.state import Stand as OnTable


def unique_id(id: str, taken: Container[str]) -> str:
    """An id of its own: the second of a kind is `militia_2`."""
    made, number = id, 1
    while made in taken:
        number += 1
        made = f"{id}_{number}"
    return made


def field_regiment(raised: ListedRegiment, side: int, id: str, *, custom: bool = False) -> Regiment:
    """A regiment of a list as a regiment of the battle, in reinforcements, its stands in the usual formation.

    Infantry has all its command models on one stand (TLAOK-CMD-02); elsewhere each replaces the model of a stand of its
    own, and the leader's is the command stand (TLAOK-CMD-10).
    """
    profile = raised.stand.sized(custom).profile()
    roles: list[tuple[str, tuple[str, ...]]] = [("stand", ())] * raised.stands
    if raised.models and profile.kind == "infantry":
        roles[0] = ("command", raised.models)
    elif raised.models:
        roles[: len(raised.models)] = [
            ("command" if model == "leader" else "stand", (model,)) for model in raised.models
        ]
    stands = [OnTable(f"{id}.{n}", profile, role, models) for n, (role, models) in enumerate(roles, 1)]
    officers = {name: msgspec.to_builtins(officer) for name, officer in raised.officers.items()}
    card = {"id": raised.id, "points": raised.cost, "options": list(raised.options), "officers": officers}
    regiment = Regiment(id, side, profile, stands, card=card)
    for stand in stands:
        take_posts(regiment, stand)
    regiment.affect(*lasting_caps(raised.caps), *lasting_states(raised.stand))
    regiment.draw_up(usual(raised.stands, usual_files(raised.stands), regiment.command is not None, False))
    return regiment


def field_character(leader: ListedCharacter, id: str, *, custom: bool = False) -> Character:
    """A character of a list, who has yet to join a regiment. What it does for that one is in `card["gifts"]`."""
    card = {
        "id": leader.id,
        "points": leader.cost,
        "own": leader.own,
        "mastery": leader.mastery,
        "supremacies": [msgspec.to_builtins(ability) for ability in leader.supremacies],
        "gifts": [msgspec.to_builtins(gift) for gift in leader.gifts],
    }
    supremacy = leader.supremacies[0].id if leader.supremacies else ""
    upgrades = (*leader.upgrades, *((leader.mastery,) if leader.mastery else ()))
    made = Character(
        id,
        leader.stand.sized(custom).profile(),
        warlord=leader.warlord,
        supremacy=supremacy,
        upgrades=upgrades,
        card=card,
    )
    made.effects = (*lasting_caps(leader.caps), *lasting_states(leader.stand))
    return made


def field_own_regiment(leader: ListedCharacter, side: int, id: str, *, custom: bool = False) -> Regiment:
    """A character that is a regiment of its own (TLAOK-CHAR-06, TLAOK-STAND-13): one stand, struck like any other."""
    character = field_character(leader, id, custom=custom)
    stands = [OnTable(f"{id}.1", character.profile)]
    regiment = Regiment(id, side, character.profile, stands, character, {"id": leader.id, "points": leader.cost})
    regiment.affect(*character.effects, *gifts_of(character))
    return regiment


def gifts_of(character: Character) -> tuple[Effect, ...]:
    """What the upgrades of a character do for its regiment for as long as it is there (TLAOK-UPGRADE-01, -02)."""
    gifts = character.card.get("gifts", ())
    return tuple(Change(**gift).effect(character.id, "TLAOK-UPGRADE-01", "character") for gift in gifts)


def lore_of(rosters: Iterable[Roster]) -> dict[str, dict[str, Any]]:
    """What a battle must be able to look up of its armies: abilities and secondary objectives by id."""
    abilities: dict[str, Any] = {}
    secondaries: dict[str, Any] = {}
    for roster in rosters:
        for band in roster.warbands:
            abilities |= {ability.id: msgspec.to_builtins(ability) for ability in band.leader.supremacies}
        for card in roster.deck:
            secondaries[card.id] = {"name": card.name, "text": card.text, **card.asks}
    return {"abilities": abilities, "secondaries": secondaries}


def lasting_caps(caps: Iterable[Change]) -> tuple[Effect, ...]:
    """A maximum that came with something bought holds for other bonuses too (TLAOK-PROF-15)."""
    return tuple(
        Effect("list", "TLAOK-PROF-15", "battle", change.stat, cap=change.cap)
        for change in caps
        if change.stat in CHARACTERISTICS
    )


def lasting_states(stand: Stand) -> tuple[Effect, ...]:
    """What was bought that is no characteristic, or all of the faction have (`cards.STATES`)."""
    return tuple(change.effect("list", "TLAOK-PROF-14", "battle") for change in stand.states)


def usual_files(stands: int) -> int:
    """A frontage for who has no opinion: one rank of up to four, else two ranks."""
    return stands if stands <= 4 else -(-stands // 2)


def field_army(
    roster: Roster, side: int, taken: Iterable[str] = (), *, custom: bool = False
) -> tuple[list[Regiment], list[tuple[int, Character]]]:
    """All regiments of a list in its order, each with the number of its warband; and the characters who are to join
    one, each with the number of his. Their ids are none of those taken. `custom` if stands are as large as their
    entries say (tlaok.standSizes), rather than by type."""
    regiments: dict[str, Regiment] = {}
    characters: dict[str, tuple[int, Character]] = {}

    def own_id(id: str) -> str:
        return unique_id(id, {*taken, *regiments, *characters})

    for number, band in enumerate(roster.warbands, 1):
        id = own_id(band.leader.id)
        if band.leader.own:
            regiments[id] = field_own_regiment(band.leader, side, id, custom=custom)
            regiments[id].warband = number
        else:
            characters[id] = (number, field_character(band.leader, id, custom=custom))
        for raised in band.regiments:
            id = own_id(raised.id)
            regiments[id] = field_regiment(raised, side, id, custom=custom)
            regiments[id].warband = number
    return list(regiments.values()), list(characters.values())
