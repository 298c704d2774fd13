"""What units are at a glance, as pictures show them."""

from __future__ import annotations

from oriflamme.games.aof.cards import FACTIONS
from oriflamme.games.aof.picture import AofPicture
from oriflamme.games.aof.rosters import equip_unit
from oriflamme.games.aof.setup import field
from oriflamme.games.sbh.looks import look_of
from oriflamme.games.sbh.profile import profile_of
from oriflamme.games.sbh.roster import races
from oriflamme.games.tlaok.army.factions import FACTIONS as TLAOK_FACTIONS
from oriflamme.games.tlaok.looks import look_of as stand_look


def _looks_of_aof() -> dict[str, set[str]]:
    units = {
        card.id: field(equip_unit(faction, card), 0, {})
        for faction in FACTIONS.all().values()
        for card in faction.units.values()
    }
    picture = AofPicture("in")
    return {id: {figure.look for figure in picture.unit(unit).figures} for id, unit in units.items()}


def _looks_of_sbh() -> dict[str, str]:
    cards = [card for race in races().values() for card in race.cards]
    return {c.id: look_of(profile_of(c.id, c.race, c.quality, c.combat, tuple(c.rules))) for c in cards}


def test_a_unit_is_what_its_card_says() -> None:
    looks = _looks_of_aof()

    assert looks["wharf_pikes"] == {"spears"}
    assert looks["crossbow_company"] == {"archer"}
    assert looks["hired_lances"] == {"cavalry"}
    assert looks["wick_reader"] == {"wizard"}
    assert looks["lamp_marshal"] == {"hero"}
    assert looks["bombard"] == {"artillery"}


def test_a_fighter_is_the_most_telling_thing_about_him() -> None:
    looks = _looks_of_sbh()

    assert looks["human-skeleton"] == "undead"
    assert looks["human-skeleton-archer"] == "archer"
    assert looks["lich"] == "wizard"
    assert looks["wyvern"] == "dragon"
    assert looks["giant-bat"] == "flyer"
    assert looks["giant-wolf"] == "beast"
    assert looks["rat-swarm"] == "swarm"
    assert looks["human-warrior"] == "warrior"
    # An army where everybody looks alike says nothing.
    assert len(set(looks.values())) > 15


def test_a_stand_is_what_its_profile_says() -> None:
    looks = {
        card.id: stand_look(card.stand.profile())
        for army in TLAOK_FACTIONS.all().values()
        for card in (*army.regiments.values(), *army.characters.values())
    }

    assert looks["tide_pikes"] == "spears"
    assert looks["wall_crossbows"] == "archer"
    assert looks["reed_archers"] == "skirmisher"
    assert looks["salt_knights"] == "cavalry"
    assert looks["toll_wagon"] == "chariot"
    assert looks["sluice_giants"] == "brute"
    assert looks["saltback"] == "monster"
    assert looks["dyke_marshal"] == "hero"
    assert looks["tide_abbot"] == "wizard"
    assert len(set(looks.values())) > 10
