"""The roster is the book's: every profile, in its order, with its peculiarities."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from oriflamme.engine.words.problems import Problems
from oriflamme.games.sbh.points import COSTS, rule_problems
from oriflamme.games.sbh.roster import RACES, ROSTER, card, cards, races

# SBH-ROSTER-03
ROWS = {
    ("Undead", "Morts-vivants"): 21,
    ("Humans", "Humains"): 23,
    ("Orcs and Goblins", "Orques et Gobelins"): 22,
    ("Beast Lords", "Seigneurs Bêtes"): 4,
    ("Minotaurs", "Minotaures"): 4,
    ("Kobolds", "Kobolds"): 6,
    ("Elves", "Elfes"): 11,
    ("Dwarves", "Nains"): 11,
    ("Halflings", "Halfelins"): 9,
    ("Felids", "Félidés"): 11,
    ("Ratmen", "Hommes-rats"): 9,
    ("Lizardmen", "Hommes-lézards"): 6,
    ("Dragons", "Dragons"): 5,
    ("Hyena-men", "Hommes-hyènes"): 4,
    ("Griffons", "Griffons"): 2,
    ("Monsters", "Monstres"): 7,
    ("Golems", "Golems"): 4,
    ("Elementals", "Élémentaires"): 4,
    ("Blobs, Moulds and Fungi", "Blobs, Moisissures et Champignons"): 4,
    ("Fishmen", "Hommes-poissons"): 2,
    ("Giant Insects and Arachnids", "Insectes et Arachnides Géants"): 6,
    ("Giant Animals", "Animaux Géants"): 4,
    ("Swarms", "Nuées"): 6,
}

# SBH-POINTS-02, the column "rows"
BEARERS = {
    "assassin": 7, "entangle": 1, "hero": 6, "leader": 19, "mage": 16, "priest": 2, "terror": 8, "tough": 21,
    "flying": 19, "long-move": 29, "shooter(long)": 14, "mounted": 13, "huge": 6, "shooter(medium)": 10, "swarm": 6,
    "amphibious": 11, "artificial": 9, "big": 30, "climber": 9, "deadly(any)": 6, "fearless": 12, "free-disengage": 13,
    "gregarious": 11, "poison": 12, "savage": 13, "steadfast": 2, "stealthy": 11, "tail-slap": 6, "undead": 21,
    "woodsman": 12, "shooter(short)": 8, "animal": 16, "short-move": 34, "slow": 17,
}  # fmt: skip


def test_the_races_stand_in_the_order_of_the_book_with_all_their_profiles() -> None:
    told = {(race.name["en"], race.name["fr"]): len(race.cards) for race in races().values()}

    assert list(told.items()) == list(ROWS.items())
    assert len(cards()) == 185
    assert list(cards())[:2] == ["human-skeleton", "human-skeleton-archer"]
    assert list(cards())[-2:] == ["toad-swarm", "rat-swarm"]


def test_every_file_of_the_roster_is_a_race() -> None:
    assert sorted(path.stem for path in ROSTER.iterdir()) == sorted(RACES)
    assert all(one.race == id for id, race in races().items() for one in race.cards)


def test_the_dwarf_skeleton_is_as_printed() -> None:
    dwarf = card("dwarf-skeleton")

    assert dwarf.race == "undead"
    assert dwarf.name == {"en": "Dwarf Skeleton", "fr": "Nain Squelette"}
    assert dwarf.equipment == {"en": "one-handed weapon and shield", "fr": "arme à une main et bouclier"}
    assert (dwarf.points, dwarf.quality, dwarf.combat) == (30, 3, 3)
    assert dwarf.rules == ("undead", "short-move")


def test_every_profile_is_within_the_bounds_of_a_profile() -> None:
    for one in cards().values():
        assert 2 <= one.quality <= 6, one.id
        assert 0 <= one.combat <= 6, one.id
        assert one.points >= 1, one.id
        assert rule_problems(one.rules, one.id) == []


def test_every_name_is_there_in_both_languages_and_means_one_profile() -> None:
    for lang in ("en", "fr"):
        assert len({one.name[lang] for one in cards().values()}) == 185
    for one in cards().values():
        assert one.name.keys() == one.equipment.keys() == {"en", "fr"}
        assert bool(one.equipment["en"]) == bool(one.equipment["fr"])


def test_each_special_rule_has_as_many_bearers_as_the_catalogue_counts() -> None:
    rules = ("deadly(any)" if rule.startswith("deadly(") else rule for one in cards().values() for rule in one.rules)

    assert Counter(rules) == BEARERS
    assert BEARERS.keys() == COSTS.keys()


def test_personalities_animals_and_non_combatants_are_as_many_as_the_catalogue_counts() -> None:
    every = cards().values()

    assert sum(one.personality for one in every) == 69
    assert sum(one.animal for one in every) == 22
    assert sum(one.swarm for one in every) == 6
    assert not any(one.swarm and "animal" in one.rules for one in every)
    assert sum(not one.rules for one in every) == 8
    assert [(one.id, one.points) for one in every if one.noncombatant] == [
        ("human-peasant", 1),
        ("human-child", 1),
        ("dread-mould", 5),
        ("shrieking-fungus", 2),
    ]


@pytest.mark.parametrize("rule", ["hero", "tough", "leader", "terror", "assassin", "priest", "mage"])
def test_each_of_the_seven_rules_makes_a_personality(rule: str) -> None:
    bearers = [one for one in cards().values() if rule in one.rules]

    assert bearers
    assert all(one.personality for one in bearers)


def test_no_other_rule_makes_a_personality() -> None:
    assert not card("wandering-soul-rider").personality
    assert not card("young-dragon").personality


def test_the_peculiarities_of_the_book_are_kept() -> None:
    assert "short-move" not in card("kobold-infiltrator").rules
    assert {"flying", "mounted"} <= set(card("wandering-soul-rider").rules)
    for id in ("elf-light-cavalry", "elf-heavy-cavalry", "dwarf-cavalry", "halfling-rider"):
        assert "mounted" in card(id).rules
        assert "long-move" not in card(id).rules
    assert {id: card(id).points for id in ("hydra", "blob", "halfling-sage", "rat-swarm")} == {
        "hydra": 64,
        "blob": 19,
        "halfling-sage": 13,
        "rat-swarm": 22,
    }
    assert card("lizardman-skirmisher").equipment["fr"] == "javelots et bouclier"


def test_an_unknown_fighter_is_answered_with_a_guess() -> None:
    with pytest.raises(Problems, match=r'no fighter "elf-warior" .*did you mean "elf-warrior"\?'):
        card("elf-warior")


def test_the_roster_is_not_read_before_it_is_asked_for() -> None:
    script = (
        "import oriflamme.games.sbh.bands, oriflamme.games.sbh.roster as r; "
        "print(r.races.cache_info().currsize, r.cards.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["0", "0"]
