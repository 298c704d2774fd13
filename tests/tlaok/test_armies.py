"""Factions and lists of Conquest: what is read, what is refused, and what takes the field."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.rulebook import house_rules_of
from oriflamme.engine.words.problems import Problems, Reader
from oriflamme.games.tlaok.army.army_limits import army_problems
from oriflamme.games.tlaok.army.cards import CONDITIONS, Change, Faction, Secondary, Stand
from oriflamme.games.tlaok.army.factions import FACTIONS, load_faction, read_faction
from oriflamme.games.tlaok.army.fielding import field_army, field_character, field_regiment, gifts_of, lore_of
from oriflamme.games.tlaok.army.reading import LISTS, check_list, load_list
from oriflamme.games.tlaok.army.rosters import Roster, equip_character, equip_regiment
from oriflamme.games.tlaok.characters.abilities import take_the_field
from oriflamme.games.tlaok.keywords.striking import Cleave, Impact, Shield
from oriflamme.games.tlaok.measures import CLASSES, TYPES
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.profile import DRAW_EVENTS, best_events, parse_barrage, parse_event
from oriflamme.games.tlaok.rounds import secondaries
from oriflamme.games.tlaok.setup import attach, begin
from oriflamme.games.tlaok.state import Effect
from oriflamme.games.tlaok.terrain.field import generate_field

IDS = ["brass_orchard", "hollow_hunt", "salt_crown"]

PLAIN = {"march": 5, "volley": 0, "clash": 2, "attacks": 4, "wounds": 4, "resolve": 3, "defence": 2, "evasion": 0}


def stand(*rules: str, events: tuple[str, ...] = (), **stats: int) -> Stand:
    return Stand("levy", {"en": "Levy", "fr": "Levée"}, "infantry", "medium", PLAIN | stats, rules, events)


def a_list(**change: Any) -> dict[str, Any]:
    return {
        "game": "tlaok",
        "name": "Autumn",
        "army": "salt_crown",
        "points": 1000,
        "warbands": [
            {
                "character": "dyke_marshal",
                "warlord": True,
                "regiments": [{"regiment": "tide_pikes", "stands": 4}, {"regiment": "dyke_levy"}],
            }
        ],
        **change,
    }


def problems_of(data: dict[str, Any]) -> list[str]:
    with pytest.raises(Problems) as raised:
        check_list(data, "autumn.toml")
    return [str(problem) for problem in raised.value]


# -- our factions ------------------------------------------------------------------------------------------------------


def test_there_are_three_factions() -> None:
    assert list(FACTIONS.all()) == IDS


@pytest.mark.parametrize("id", IDS)
def test_a_faction_has_eight_regiments_of_every_type_and_class(id: str) -> None:
    cards = FACTIONS.get(id).regiments.values()

    assert len(cards) >= 8
    assert {card.stand.kind for card in cards} == set(TYPES)
    assert {card.stand.weight for card in cards} == set(CLASSES)


@pytest.mark.parametrize("id", IDS)
def test_a_faction_has_casters_riders_and_a_supremacy_ability_for_everyone(id: str) -> None:
    army = FACTIONS.get(id)
    cards = army.characters.values()

    assert len(cards) >= 4
    assert sum(card.stand.profile().caster > 0 for card in cards) >= 2
    assert any(card.stand.kind == "cavalry" for card in cards)
    assert any(card.rider or card.own for card in cards)
    assert all(card.supremacy for card in cards)
    assert army.rule is not None
    assert len(army.officers) >= 3
    assert {"tactical", "combat", "arcane"} <= {mastery.category for mastery in army.masteries.values()}
    assert len(army.upgrades) >= 4


@pytest.mark.parametrize("id", IDS)
def test_a_deck_is_large_enough_to_draw_five_different_cards(id: str) -> None:
    deck = FACTIONS.get(id).deck

    assert len(deck) >= 5
    assert sum(card.copies for card in deck) >= 10
    assert len({card.id for card in deck}) == len(deck)


def test_decks_share_some_cards_and_those_are_the_same() -> None:
    by_id: dict[str, list[Secondary]] = {}
    for army in FACTIONS.all().values():
        for card in army.deck:
            by_id.setdefault(card.id, []).append(card)

    assert any(len(cards) == 3 for cards in by_id.values())
    assert all(cards.count(cards[0]) == len(cards) for cards in by_id.values())


def test_every_condition_of_a_card_can_be_looked_up_in_play() -> None:
    assert set(CONDITIONS) == set(secondaries.CONDITIONS)


def _names_in(value: object) -> list[dict[str, str]]:
    if isinstance(value, dict):
        if set(value) == {"en", "fr"}:
            return [value]
        return [name for inner in value.values() for name in _names_in(inner)]
    return [name for inner in value for name in _names_in(inner)] if isinstance(value, list) else []


@pytest.mark.parametrize("id", IDS)
def test_everything_has_a_name_in_both_languages(id: str) -> None:
    names = _names_in(msgspec.json.decode(msgspec.json.encode(FACTIONS.get(id))))

    assert len(names) > 60
    assert all(name["en"].strip() and name["fr"].strip() for name in names)


@pytest.mark.parametrize("id", IDS)
def test_units_of_one_faction_have_their_own_names(id: str) -> None:
    army = FACTIONS.get(id)
    names = [card.name["en"] for card in (*army.regiments.values(), *army.characters.values())]

    assert len(set(names)) == len(names)


@pytest.mark.parametrize("id", IDS)
def test_our_factions_leave_every_price_to_the_formula(id: str) -> None:
    assert '"points"' not in msgspec.json.encode(FACTIONS.get(id)).decode().replace('"points":null', "")


def test_every_special_rule_and_every_draw_event_is_on_something() -> None:
    text = " ".join(msgspec.json.encode(army).decode().replace("\\", "") for army in FACTIONS.all().values())
    printed = set(re.findall(r"(?<=[\",( ])([A-Z][A-Za-z-]+(?: (?:of |and )?[A-Z][a-z]+)*)(?= ?[\"(,)])", text))

    assert len(book.declared) == 66
    assert {keyword.title for keyword in book.declared.values()} - printed == set()
    assert {name.replace(" ({x})", "") for name in DRAW_EVENTS.values()} - printed == set()


# -- ready-made lists --------------------------------------------------------------------------------------------------


def test_each_faction_has_two_lists_at_1000_and_two_at_2000() -> None:
    rosters = [load_list(id) for id in LISTS.ready]

    assert Counter((roster.faction, roster.points) for roster in rosters) == {
        (id, points): 2 for id in IDS for points in (1000, 2000)
    }


@pytest.mark.parametrize("id", LISTS.ready)
def test_a_ready_made_list_is_legal_named_and_within_five_percent(id: str) -> None:
    roster = load_list(id)

    assert 0.95 * roster.points <= roster.cost <= roster.points
    assert roster.name["en"] != roster.name["fr"]
    assert roster.story["en"]
    assert roster.story["fr"]


def test_every_special_rule_is_on_a_ready_made_list() -> None:
    printed: set[str] = set()
    for band in (band for id in LISTS.ready for band in load_list(id).warbands):
        printed |= {*band.leader.stand.all_rules, *(gift.grant for gift in band.leader.gifts)}
        for raised in band.regiments:
            officers = (change.grant for officer in raised.officers.values() for change in officer.changes)
            printed |= {*raised.stand.all_rules, *officers}
    text = " / ".join(printed)

    # Aimed Shot is what the action and Deadshots give.
    assert {keyword.title for keyword in book.declared.values()} - {"Aimed Shot"} == {
        keyword.title for keyword in book.declared.values() if keyword.title in text
    }


# -- reading a list ----------------------------------------------------------------------------------------------------


def test_a_list_is_read_from_text_toml_or_json(tmp_path: Path) -> None:
    told = a_list()
    path = tmp_path / "autumn.json"
    path.write_text(json.dumps(told))
    toml = tmp_path / "autumn.toml"
    text = 'game = "tlaok"\nname = "Autumn"\narmy = "salt_crown"\npoints = 1000\n[[warbands]]\n' + (
        'character = "dyke_marshal"\nwarlord = true\n'
        'regiments = [{ regiment = "tide_pikes", stands = 4 }, { regiment = "dyke_levy" }]\n'
    )

    toml.write_text(text, encoding="utf-8")

    assert load_list(toml) == load_list(path) == check_list(told, "autumn")


def test_a_roster_survives_being_stored(tmp_path: Path) -> None:
    roster = load_list("brass_orchard_2000_the_trees_walk")
    path = tmp_path / "stored.json"
    path.write_text(json.dumps(roster.to_data()))

    assert Roster.from_data(roster.to_data()) == roster
    assert load_list(path) == roster


@pytest.mark.parametrize(
    "damage",
    [
        {"warbands": [{"leader": 3}]},
        {"points": "many"},
        {"warbands": [{"leader": {"id": "x", "stand": {"rules": ["Nonsense"]}, "cost": 1}}]},
    ],
)
def test_a_damaged_stored_roster_is_a_problem_not_a_crash(damage: dict[str, Any]) -> None:
    with pytest.raises(Problems):
        Roster.from_data(load_list("salt_crown_1000_pay_chest").to_data() | damage)


def test_a_stored_roster_with_a_rule_nobody_knows_is_a_problem() -> None:
    data = load_list("salt_crown_1000_pay_chest").to_data()
    data["warbands"][0]["leader"]["stand"]["rules"].append("Nonsense")

    with pytest.raises(Problems, match="Nonsense"):
        Roster.from_data(data)


def test_every_mistake_of_a_list_is_reported_at_once() -> None:
    told = a_list(
        pionts=3,
        warbands=[
            {
                "character": "dyke_marshal",
                "mastery": "second_reading",
                "upgrades": ["royal_jelly"],
                "regiments": [
                    {"regiment": "tide_pike"},
                    {"regiment": "dyke_levy", "stands": 12, "command": ["standrd"], "options": ["shields"]},
                ],
            }
        ],
    )

    found = problems_of(told)

    place = "warbands[1].regiments[1].regiment"
    assert f'{place}: no regiment "tide_pike" (TLAOK-BUILD-03); did you mean "tide_pikes"?' in found
    for told_rule in ("TLAOK-MASTERY-01", "TLAOK-UPGRADE-01", "TLAOK-BUILD-13", "TLAOK-CMD-01", "TLAOK-BUILD-04"):
        assert any(told_rule in problem for problem in found), told_rule
    assert any("stands: 12; dyke_levy come in 3 to 9" in problem for problem in found)
    assert any("pionts: not a known key" in problem for problem in found)


def test_an_army_is_from_one_faction() -> None:
    told = a_list()
    told["warbands"][0]["regiments"].append({"regiment": "windfalls"})

    assert any('no regiment "windfalls" (TLAOK-BUILD-03)' in problem for problem in problems_of(told))
    assert any("TLAOK-BUILD-03" in problem for problem in problems_of(a_list(army="salt_crow")))


def test_a_list_from_elsewhere_cannot_name_a_file() -> None:
    assert 'no faction "../mine.toml"' in problems_of(a_list(army="../mine.toml"))[0]


def test_a_list_may_name_the_players_own_faction(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(OWN)
    (tmp_path / "list.json").write_text(
        json.dumps(
            a_list(
                army="mine.toml",
                warbands=[{"character": "reeve", "warlord": True, "regiments": [{"regiment": "carters", "stands": 4}]}],
            )
        )
    )

    roster = load_list(tmp_path / "list.json")

    assert roster.faction == "mine"
    assert roster.cost == 60 + 100 + 30  # its own figures: the reeve, three stands, and one more


def test_the_price_of_a_list_is_the_sum_of_its_stands_and_upgrades() -> None:
    plain = check_list(a_list(), "x")
    told = a_list()
    told["warbands"][0]["regiments"][0] |= {"stands": 5, "command": ["standard"], "options": ["drilled"]}
    army = FACTIONS.get("salt_crown")
    more = equip_regiment(
        army.regiments["tide_pikes"], army, stands=5, models=["leader", "standard"], options=["drilled"]
    )
    less = equip_regiment(army.regiments["tide_pikes"], army, stands=4)

    assert check_list(told, "x").cost - plain.cost == more.cost - less.cost > 0


# -- a player's own faction --------------------------------------------------------------------------------------------

OWN = """
name = "Mine"

[regiment.carters]
name    = "Carters"
type    = "infantry"
class   = "light"
profile = { M = 5, V = 0, C = 2, A = 4, W = 4, R = 2, D = 1, E = 0 }
stands  = [3, 6]
points  = 100
extra   = 30
command = { leader = "free" }

[character.reeve]
name    = "Reeve"
type    = "infantry"
profile = { M = 5, V = 0, C = 3, A = 4, W = 4, R = 3, D = 2, E = 0 }
points  = 60
warband = { mainstay = ["carters"] }
"""


def read(tmp_path: Path, text: str) -> Faction:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return load_faction(path)


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        ('type    = "infantry"\nclass', 'type = "infantery"\nclass', 'no type "infantery".*TLAOK-PROF-02.*infantry'),
        ('class   = "light"', 'class = "lite"', "TLAOK-PROF-03"),
        ("C = 2", "C = 7", "expected a whole number from 0 to 6, found 7"),
        ("M = 5, V = 0, C = 2", "M = 5, C = 2", "profile.V: missing"),
        ("stands  = [3, 6]", "stands = [6, 3]", "expected the least and the most"),
        ('command = { leader = "free" }', 'rules = ["Sheild"]', 'no special rule "Sheild".*did you mean "Shield"'),
        ('command = { leader = "free" }', 'rules = ["Support"]', "needs its number"),
        ('command = { leader = "free" }', 'rules = ["Rider"]', "Rider belongs on character.*TLAOK-SR-RIDER-01"),
        ('command = { leader = "free" }', 'rules = ["Barrage (3)"]', "TLAOK-SR-BARRAGE-01"),
        ('command = { leader = "free" }', "rules = ['Barrage (3) (18\", Shield)']", "Shield belongs on"),
        ('command = { leader = "free" }', 'events = ["Bastian (1)"]', 'did you mean "Bastion"'),
        ('command = { leader = "free" }', 'events = ["Bastion"]', "needs its number"),
        ('command = { leader = "free" }', 'command = { officers = ["drummer"] }', "TLAOK-CMD-20"),
        ('command = { leader = "free" }', 'spells = ["fog"]', "TLAOK-MAGIC-02"),
        ('mainstay = ["carters"]', 'mainstay = ["carter"]', 'no regiment "carter".*TLAOK-BUILD-08'),
        (
            "points  = 60",
            'rules = ["Rider"]',
            "no monster regiment that reeve could join.*TLAOK-BUILD-07",
        ),
        ("points  = 60", 'class = "light"', "TLAOK-CHAR-01"),
        ('name = "Mine"', 'name = "Mine"\nstroy = "x"', "stroy: not a known key"),
    ],
)
def test_a_mistake_in_a_faction_says_where_and_what(tmp_path: Path, was: str, now: str, message: str) -> None:
    assert was in OWN

    with pytest.raises(Problems) as raised:
        read(tmp_path, OWN.replace(was, now, 1))

    assert re.search(message, str(raised.value), re.DOTALL), str(raised.value)


def test_monsters_have_no_command_models(tmp_path: Path) -> None:
    text = OWN.replace('type    = "infantry"\nclass', 'type = "monster"\nclass', 1)

    with pytest.raises(Problems, match="TLAOK-CMD-15"):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('range = 12\nattunement = 3\ntarget = "enemy"', "does nothing"),
        ('range = 12\nattunement = 3\ntarget = "friend"\nhits = 3', "hits are for enemies"),
        ('range = 12\nattunement = 3\ntarget = "friend"\nheal = 3\nrules = ["Cleave (1)"]', "the spell causes none"),
        ('range = "self"\nattunement = 3\nchanges = [{ stat = "clsh", add = 1 }]', 'did you mean "clash"'),
        ('range = "self"\nattunement = 3\nchanges = [{ stat = "clash" }]', "does not say how clash changes"),
        ('range = "self"\nattunement = 3\nchanges = [{ grant = "Blest" }]', 'no special rule "Blest"'),
    ],
)
def test_a_mistake_in_a_spell(tmp_path: Path, lines: str, message: str) -> None:
    with pytest.raises(Problems) as raised:
        read(tmp_path, f'{OWN}\n[spell.brine]\nname = "Brine"\n{lines}\n')

    assert message in str(raised.value)


def test_a_secondary_objective_has_a_condition_from_the_closed_set(tmp_path: Path) -> None:
    card = '\n[[card]]\nid = "x"\nname = "X"\ntext = "X"\nwhen = "destroyed"\nnumber = 2\n'

    assert read(tmp_path, OWN + card).deck[0].asks == {"when": "destroyed", "number": 2, "types": [], "classes": []}
    with pytest.raises(Problems, match='did you mean "destroyed"'):
        read(tmp_path, OWN + card.replace("destroyed", "destroid"))
    with pytest.raises(Problems, match="within: not a known key"):
        read(tmp_path, OWN + card.replace("number", "within"))


def test_an_ability_that_is_always_active_is_for_the_own_regiment(tmp_path: Path) -> None:
    told = (
        '\n[supremacy.x]\nname = "X"\ntext = "X"\nuses = "always"\non = "friends"\n'
        'changes = [{ stat = "clash", add = 1 }]\n'
    )

    with pytest.raises(Problems, match="TLAOK-SUPR-11"):
        read(tmp_path, OWN + told)


# -- profiles ----------------------------------------------------------------------------------------------------------


def test_what_was_bought_is_part_of_the_unmodified_value() -> None:
    raised = stand(resolve=3).with_changes([Change("resolve", 1)])

    assert raised.profile().resolve == 4


def test_values_are_set_then_added_to_then_capped_and_never_below_nothing() -> None:
    changes = [Change("clash", 2), Change("clash", set=1), Change("defence", 3, cap=4), Change("evasion", -2)]
    profile = stand().with_changes(changes).profile()

    assert (profile.clash, profile.defence, profile.evasion) == (3, 4, 0)


@pytest.mark.parametrize(
    ("rules", "x"),
    [
        (["Cleave (1)", "Cleave (1)"], 1),
        (["Cleave (1)", "Cleave (2)"], 2),
        (["Cleave (1)", "Cleave (+1)"], 2),
        (["Cleave (+1)", "Cleave (2)"], 3),
        (["Cleave (+1)"], 1),
    ],
)
def test_of_several_numbers_the_best_counts_and_those_with_a_plus_add(rules: list[str], x: int) -> None:
    found = stand(*rules).profile().keywords.get(Cleave)

    assert found is not None
    assert found.x == x


def test_a_grant_in_play_adds_to_what_is_printed_and_may_have_a_maximum() -> None:
    army = FACTIONS.get("salt_crown")
    knights = field_regiment(equip_regiment(army.regiments["salt_knights"], army), 0, "knights")
    more = book.parse("Impact (+2)")

    knights.affect(Effect("test", "", "round", grant=more))
    assert knights.keywords_of(knights.figures[0]).get(Impact) == Impact(5)

    knights.affect(Effect("test", "", "round", grant=more, cap=6))
    assert knights.keywords_of(knights.figures[0]).get(Impact) == Impact(6)

    knights.end_effects("round")
    assert knights.keywords_of(knights.figures[0]).get(Impact) == Impact(3)


@pytest.mark.parametrize(
    ("events", "best"),
    [
        (["Bastion (1)", "Bastion (1)"], "Bastion (1)"),
        (["Bastion (1)", "Bastion (+1)"], "Bastion (2)"),
        # Alone it counts from 0, and still adds to what an effect may bring.
        (["Bastion (+1)"], "Bastion (+1)"),
    ],
)
def test_draw_events_are_put_together_like_special_rules(events: list[str], best: str) -> None:
    assert [str(event) for event in best_events(map(parse_event, events))] == [best]


def test_a_barrage_is_read_as_it_is_printed() -> None:
    barrage = parse_barrage('Barrage (4) (24", Armor Piercing (1))')

    assert barrage is not None
    assert (barrage.shots, barrage.range, [str(rule) for rule in barrage.rules]) == (4, 24, ["Armor Piercing (1)"])
    assert str(barrage) == 'Barrage (4) (24", Armor Piercing (1))'
    assert parse_barrage("Shield") is None


def test_more_shots_go_to_every_ranged_weapon() -> None:
    profile = stand('Barrage (2) (12")', 'Barrage (4) (24")', "Barrage (+1)", volley=2).profile()

    assert [barrage.shots for barrage in profile.barrages] == [3, 5]
    assert not len(profile.keywords)


def test_the_rule_of_a_faction_reaches_its_regiments_and_never_its_characters() -> None:
    army = FACTIONS.get("salt_crown")

    assert "Tenacious" in army.regiments["tide_pikes"].stand.all_rules
    assert "Tenacious" not in army.regiments["dyke_levy"].stand.all_rules
    assert all("Tenacious" not in card.stand.all_rules for card in army.characters.values())


def test_stands_with_the_same_card_share_their_profile() -> None:
    assert stand("Shield").profile() is stand("Shield").profile()
    assert stand("Shield").profile().keywords.has(Shield)


# -- taking the field --------------------------------------------------------------------------------------------------


def test_infantry_has_all_its_command_models_on_one_stand() -> None:
    army = FACTIONS.get("salt_crown")
    models = ["leader", "standard", "drum_sergeant"]

    regiment = field_regiment(equip_regiment(army.regiments["dyke_levy"], army, stands=5, models=models), 0, "levy")

    assert [s.models for s in regiment.figures if s.models] == [("leader", "standard", "drum_sergeant")]
    assert regiment.command is not None
    assert regiment.size == 5


def test_without_any_command_model_there_is_no_command_stand() -> None:
    army = FACTIONS.get("salt_crown")

    regiment = field_regiment(equip_regiment(army.regiments["sluice_giants"], army), 0, "giants")

    assert regiment.command is None


def test_in_cavalry_each_command_model_replaces_that_of_a_stand_and_the_leaders_is_the_command_stand() -> None:
    army = FACTIONS.get("salt_crown")
    models = ["leader", "standard"]

    regiment = field_regiment(equip_regiment(army.regiments["salt_knights"], army, models=models), 0, "knights")

    assert regiment.size == 3
    assert sorted((s.role, s.models) for s in regiment.figures) == [
        ("command", ("leader",)),
        ("stand", ()),
        ("stand", ("standard",)),
    ]


def test_what_an_officer_does_lasts_as_long_as_his_stand() -> None:
    army = FACTIONS.get("salt_crown")
    models = ["leader", "fencing_master"]
    regiment = field_regiment(equip_regiment(army.regiments["salt_knights"], army, models=models), 0, "knights")

    assert [(e.source, e.until, str(e.grant)) for e in regiment.effects] == [("fencing_master", "officer", "Parry")]
    assert list(regiment.card["officers"]["fencing_master"]["changes"]) == [{"grant": "Parry"}]


def test_an_army_takes_the_field_in_reinforcements_with_ids_of_its_own() -> None:
    roster = load_list("brass_orchard_1000_first_crop")

    regiments, characters = field_army(roster, 1, {"windfalls"})

    assert [r.id for r in regiments] == [
        "windfalls_2", "pruners", "thorn_throwers", "brass_stewards", "pruners_2",
    ]  # fmt: skip
    assert [r.warband for r in regiments] == [1, 1, 1, 1, 2]
    assert {(r.side, r.reserve) for r in regiments} == {(1, "reinforcements")}
    assert [(number, character.id) for number, character in characters] == [(1, "head_gardener"), (2, "grafter")]
    assert [character.warlord for _, character in characters] == [True, False]


def test_two_armies_of_one_list_have_no_id_in_common() -> None:
    data = load_list("brass_orchard_1000_first_crop").to_data()
    options = {key: rule.default for key, rule in house_rules_of("tlaok").items()}
    setup = {
        "points": 1000,
        "options": options,
        "scenario": "attrition",
        "map": generate_field(1, "attrition").to_data(),
        "armies": [data, data],
    }

    battle = begin(setup, SeededDice(1))

    ids = [*battle.units, *(character.id for _, _, character in battle.unattached)]
    assert len(set(ids)) == len(ids) == 14


def test_a_character_of_its_own_is_a_regiment_and_joins_nobody() -> None:
    regiments, characters = field_army(load_list("brass_orchard_2000_the_trees_walk"), 0)

    walking = next(r for r in regiments if r.id == "walking_orchard")
    assert walking.character is not None
    assert walking.character.warlord
    assert (walking.size, walking.weight, walking.warband) == (1, "heavy", 1)
    assert all(character.id != "walking_orchard" for _, character in characters)


def test_what_a_character_gives_his_regiment_waits_until_he_joins_one() -> None:
    army = FACTIONS.get("salt_crown")
    leader = equip_character(
        army.characters["dyke_marshal"], army, upgrades=["colours_of_the_dyke"], mastery="steady_there"
    )

    gifts = gifts_of(field_character(leader, "marshal"))

    assert [(str(g.grant or ""), g.stat, g.add, g.cap, g.until) for g in gifts] == [
        ("Bravery", "", 0, None, "character"),
        ("", "resolve", 1, 5, "character"),
    ]
    assert leader.stand.profile().resolve == army.characters["dyke_marshal"].stand.profile().resolve


def test_an_ability_that_is_always_active_works_for_the_warlord_only_and_on_the_table() -> None:
    army = FACTIONS.get("salt_crown")
    card = army.characters["sluice_foreman"]

    def rules(*, warlord: bool) -> list[str]:
        regiment = field_regiment(equip_regiment(army.regiments["dyke_levy"], army), 0, "levy")
        attach(regiment, field_character(equip_character(card, army, warlord=warlord), "foreman"))
        assert not regiment.effects
        take_the_field(regiment)
        return [effect.rule for effect in regiment.effects]

    assert rules(warlord=True) == ["TLAOK-SUPR-11"]
    assert rules(warlord=False) == []


def test_a_maximum_that_was_bought_holds_for_other_bonuses() -> None:
    army = FACTIONS.get("salt_crown")
    leader = equip_character(army.characters["dyke_marshal"], army, upgrades=["grandmothers_mail"])
    character = field_character(leader, "marshal")

    assert character.profile.defence == 4
    assert [(e.stat, e.cap, e.until) for e in character.effects] == [("defence", 4, "battle")]


def test_a_battle_can_look_up_the_abilities_and_cards_of_both_armies() -> None:
    lore = lore_of([load_list("salt_crown_1000_pay_chest"), load_list("hollow_hunt_1000_one_horn")])

    assert set(lore["abilities"]) == {"pay_day", "measured_shot", "the_horn_sounds", "the_sky_goes_out"}
    assert lore["secondaries"]["over_their_line"]["within"] == 12


def test_buying_a_spell_gives_choice_and_no_dice() -> None:
    army = FACTIONS.get("salt_crown")
    card = army.characters["tide_abbot"]

    plain, more = equip_character(card, army), equip_character(card, army, spells=["absolution"])

    assert [spell.id for spell in more.stand.profile().spells] == ["scouring_brine", "bread_and_salt", "absolution"]
    assert more.stand.profile().caster == plain.stand.profile().caster == 5
    assert more.cost > plain.cost


def test_a_regiment_needs_no_table_to_be_legal() -> None:
    assert army_problems([], 1000)[0].rule == "TLAOK-BUILD-04"


def test_a_faction_can_be_read_without_a_file() -> None:
    problems = Problems("mine")

    army = read_faction(Reader({"name": "Mine", "regiment": {}, "character": {}}, problems), "mine")

    assert army.regiments == {}
    assert not problems


# -- the guide ---------------------------------------------------------------------------------------------------------


def test_the_list_and_the_faction_of_the_guide_can_be_used_as_they_are(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "authoring.md").read_text(encoding="utf-8")
    chapter = guide.split("# Conquest: The Last Argument of Kings")[1].split("# Rag'Narok 3")[0]
    texts = re.findall(r"```toml\n# (\S+)\n(.*?)```", chapter, re.DOTALL)
    for name, text in texts:
        (tmp_path / name).write_text(text, encoding="utf-8")

    assert [name for name, _ in texts] == ["high_water.toml", "salt_road.toml"]
    assert load_list(tmp_path / "high_water.toml").cost <= 1000
    assert load_faction(tmp_path / "salt_road.toml").characters["toll_breaker"].supremacy == "no_more_tolls"
    for condition in CONDITIONS:
        assert f"`{condition}`" in chapter


def test_a_regiment_of_ones_own_of_no_known_type_is_a_problem_and_no_crash() -> None:
    own = {"id": "reeds", "name": "Reeds", "type": "infantri", "class": "light", "stands": [3], "profile": {}}
    band = {"character": "dyke_marshal", "warlord": True, "regiments": [{"regiment": "reeds"}]}

    with pytest.raises(Problems) as found:
        check_list({**a_list(warbands=[band]), "custom": [own]}, "list")

    assert {"custom[1].type", "warbands[1].regiments[1].regiment"} <= {problem.where for problem in found.value}
