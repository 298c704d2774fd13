"""Lists in the making: priced and checked whatever they are, written down and read again without a loss."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.server.table import MAIN, Data, Server

from oriflamme.engine.core.play import Play
from oriflamme.engine.lists.drafts import Draft
from oriflamme.engine.lists.toml import as_toml
from oriflamme.engine.words.problems import Problems
from oriflamme.engine.words.sentences import sentences
from oriflamme.games import ids, load
from oriflamme.games.aof.reading import check_list, load_list

GAMES = ("aof", "sbh", "tlaok")
FORGE = Path(__file__).parents[1] / "aof" / "fixtures" / "army_forge_new.json"


def told(server: Server, game: str, what: str, **body: Any) -> Data:
    status, answer = server.call(f"/api/muster/{game}/{what}", body)
    assert status == 200, answer
    return dict(answer)


def refused(server: Server, game: str, what: str, body: Any) -> list[Data]:
    status, answer = server.call(f"/api/muster/{game}/{what}", body)
    assert status == 422, answer
    return list(answer["problems"])


def kiln(*entries: Data, points: int = 750, **more: Any) -> Data:
    return {"name": "Test", "faction": "kiln_clans", "points": points, "entries": list(entries), **more}


def rules(answer: Data) -> list[str]:
    return [problem["rule"] for problem in answer["problems"]]


# -- what may be picked ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_may_be_picked_is_explained_in_both_languages(server: Server, game: str) -> None:
    status, offers = server.call(f"/api/muster/{game}")

    assert status == 200
    units = [unit for faction in offers["factions"] for unit in faction["units"]]
    assert len(units) > 30
    for unit in units:
        assert unit["cost"] > 0
        assert unit["name"]["fr"]
        used = [*unit["rules"], *(rule for weapon in unit["weapons"] for rule in weapon["rules"])]
        used += [rule for option in unit["options"] for rule in option["rules"]]
        used += [rule for spell in unit["spells"] for rule in spell["rules"]]
        for rule in used:
            known = offers["glossary"][rule.partition("(")[0]]
            assert known["text"]["en"]
            assert known["text"]["fr"]


@pytest.mark.parametrize("game", ids())
def test_what_to_do_about_a_list_is_said_without_the_signs_of_a_file(server: Server, game: str) -> None:
    _, offers = server.call(f"/api/muster/{game}")
    faction = offers["factions"][0]
    one_of_each = [{"unit": unit["id"]} for unit in faction["units"]][:20]
    for entries in ([], one_of_each):
        checked = told(server, game, "draft", draft={"faction": faction["id"], "points": 500, "entries": entries})
        assert checked["problems"]
        said = [part for problem in checked["problems"] for part in problem["words"].values()]
        assert not [one for one in said if re.search(r"\w = |[{}`]", f"{one['what']} {one['hint'] or ''}")]


def test_a_unique_unit_is_taken_with_the_leave_of_the_opponents(server: Server) -> None:
    _, offers = server.call("/api/muster/lfw")
    faction, unit = next(
        (faction["id"], unit["id"])
        for faction in offers["factions"]
        for unit in faction["units"]
        if "permitted" in [option["id"] for option in unit["options"]]
    )
    entry = {"unit": unit}
    draft = {"faction": faction, "points": 600, "entries": [entry]}
    assert "LFW-SR-BLD-11c" in rules(told(server, "lfw", "draft", draft=draft))

    entry["picks"] = [{"option": "permitted"}]
    assert "LFW-SR-BLD-11c" not in rules(told(server, "lfw", "draft", draft=draft))
    written = told(server, "lfw", "export", draft=draft, format="toml")["text"]
    assert tomllib.loads(written)["permitted"] == [unit]
    assert told(server, "lfw", "import", text=written)["draft"]["entries"][0]["picks"] == entry["picks"]


@pytest.mark.parametrize("game", ids())
def test_whoever_may_be_picked_has_his_icon(server: Server, game: str) -> None:
    _, offers = server.call(f"/api/muster/{game}")

    assert all(unit["look"] for faction in offers["factions"] for unit in faction["units"])


def test_words_in_brackets_are_in_the_language_of_the_list(server: Server) -> None:
    _, offers = server.call("/api/muster/lfw")
    mounted = next(
        (faction["id"], unit["id"], option["id"])
        for faction in offers["factions"]
        for unit in faction["units"]
        for option in unit["options"]
        if any(rule.startswith("Unstable behaviour(") and "," in rule for rule in option["rules"])
    )
    faction, unit, mount = mounted
    draft = {"faction": faction, "points": 600, "entries": [{"unit": unit, "picks": [{"option": mount}]}]}

    assert all(offers["words"][word]["fr"] for word in ("vengeful", "faithful", "wild", "fearful", "unfit"))
    written = told(server, "lfw", "export", draft=draft, format="text", lang="fr")["text"]
    assert not re.search(r"vengeful|faithful|wild|fearful|unfit", written)


@pytest.mark.parametrize("game", GAMES)
def test_special_rules_are_called_on_paper_as_they_are_in_a_battle(server: Server, game: str) -> None:
    _, offers = server.call(f"/api/muster/{game}")
    names = {known["name"]["en"]: known["name"]["fr"] for known in offers["glossary"].values()}

    assert names == {english: sentences(game, "fr").term(english) for english in names}


@pytest.mark.parametrize("game", GAMES)
def test_prices_are_those_that_are_looked_up(server: Server, game: str) -> None:
    _, offers = server.call(f"/api/muster/{game}")
    prices = {u.id: u.cost for faction in load(game).armies().factions() for u in faction.units}

    assert {u["id"]: u["cost"] for faction in offers["factions"] for u in faction["units"]} == prices


# -- drafts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_an_empty_draft_is_no_mistake_of_the_server(server: Server, game: str) -> None:
    answer = told(server, game, "draft", draft={})

    assert answer["cost"] == 0
    assert answer["problems"]


def test_upgrades_halves_and_heroes_are_priced_and_told(server: Server) -> None:
    draft = kiln(
        {"unit": "shard_champion", "joins": 2, "picks": [{"option": "war_goat"}]},
        {"unit": "stokers", "combined": True, "picks": [{"option": "red_irons"}, {"option": "red_irons", "half": 2}]},
        points=2000,
    )

    answer = told(server, "aof", "draft", draft=draft)

    assert answer["problems"] == []
    champion, stokers = answer["entries"]
    assert stokers["figures"] == 20
    assert champion["joins"] == 2
    assert champion["may_join"] == [2]
    assert answer["cost"] == champion["cost"] + stokers["cost"]
    assert champion["cost"] == load("aof").armies().unit("shard_champion+war_goat").cost


@pytest.mark.parametrize(
    ("draft", "broken"),
    [
        (kiln(*[{"unit": "stokers"}] * 3, points=1000), "AOF-ARMY-08"),
        (kiln({"unit": "stokers"}, {"unit": "walking_kiln"}, points=300), "AOF-ARMY-01"),
        (kiln({"unit": "walking_kiln"}, points=300), "AOF-ARMY-09"),
        (kiln({"unit": "shard_champion"}, {"unit": "kiln_mother"}, points=500), "AOF-ARMY-07"),
        (kiln(*[{"unit": u} for u in ("stokers", "unfired", "clay_bearers")], points=400), "AOF-ARMY-10"),
        (kiln({"unit": "stokers", "picks": [{"option": "banner"}, {"option": "musician"}]}), "AOF-STAFF-01"),
        (kiln({"unit": "walking_kiln", "combined": True}, points=3000), "AOF-ARMY-04"),
        (kiln({"unit": "stokers", "joins": 1}), "AOF-SR-HERO-01"),
        (kiln({"unit": "shard_champion", "joins": 2}, {"unit": "walking_kiln"}, points=2000), "AOF-SR-HERO-01"),
        (
            kiln({"unit": "shard_champion", "joins": 3}, {"unit": "kiln_mother", "joins": 3}, {"unit": "stokers"}),
            "AOF-SR-HERO-01",
        ),
    ],
)
def test_each_rule_of_an_army_is_named_with_what_to_do(server: Server, draft: Data, broken: str) -> None:
    answer = told(server, "aof", "draft", draft=draft)

    found = next(problem for problem in answer["problems"] if problem["rule"] == broken)
    assert found["hint"]
    assert found["words"]["fr"]["what"] != found["words"]["en"]["what"]
    assert all(entry["cost"] > 0 for entry in answer["entries"])


@pytest.mark.parametrize(
    ("fighters", "broken"),
    [
        ([("human-warrior", 20)], "SBH-BAND-02"),
        ([("elf-wizard", 1), ("human-warrior", 1), ("vampire", 1)], "SBH-BAND-04"),
        ([("skeleton-wolf", 3), ("human-warrior", 1)], "SBH-BAND-06"),
    ],
)
def test_each_limit_of_a_band_is_named_with_what_to_do(
    server: Server, fighters: list[tuple[str, int]], broken: str
) -> None:
    entries = [{"unit": id, "count": count} for id, count in fighters]

    answer = told(server, "sbh", "draft", draft={"points": 300, "entries": entries})

    found = next(problem for problem in answer["problems"] if problem["rule"] == broken)
    assert found["hint"]
    assert found["words"]["fr"]["what"] != found["words"]["en"]["what"]


def test_what_nobody_knows_is_named_with_its_entry_and_the_rest_is_priced(server: Server) -> None:
    draft = kiln({"unit": "stoker"}, {"unit": "stokers", "picks": [{"option": "baner"}]})

    answer = told(server, "aof", "draft", draft=draft)

    assert [problem["entry"] for problem in answer["problems"]] == [1, 2]
    assert 'did you mean "stokers"?' in answer["problems"][0]["hint"]
    assert answer["entries"][0]["unit"] is None
    assert answer["cost"] == answer["entries"][1]["cost"] > 0


@pytest.mark.parametrize(
    ("entries", "points", "broken"),
    [
        ([("dyke_marshal", ["warlord"]), ("tide_pikes", [])], 100, "TLAOK-BUILD-02"),
        ([("dyke_marshal", []), ("tide_pikes", [])], 1000, "TLAOK-BUILD-04"),
        ([("dyke_marshal", ["warlord"]), ("tide_pikes", []), ("gauger", ["warlord"])], 1000, "TLAOK-BUILD-04"),
        ([("dyke_marshal", ["warlord"])], 1000, "TLAOK-BUILD-05"),
        ([("tide_pikes", []), ("dyke_marshal", ["warlord"]), ("tide_pikes", [])], 1000, "TLAOK-BUILD-05"),
        ([("dyke_marshal", ["warlord"]), *[("dyke_levy", [])] * 5], 1000, "TLAOK-BUILD-06"),
        ([("dyke_marshal", ["warlord"]), ("toll_wagon", [])], 1000, "TLAOK-BUILD-07"),
        ([("dyke_marshal", ["warlord"]), ("tide_pikes", []), ("salt_knights", [])], 2000, "TLAOK-BUILD-08"),
        ([("dyke_marshal", ["warlord"]), *[("crown_halberds", [])] * 3], 2000, "TLAOK-BUILD-10"),
        ([("dyke_marshal", ["warlord"]), ("crown_halberds", [])], 1000, "TLAOK-BUILD-11"),
    ],
)  # fmt: skip
def test_each_limit_of_warbands_is_named_with_what_to_do_in_both_languages(
    server: Server, entries: list[tuple[str, list[str]]], points: int, broken: str
) -> None:
    made = [{"unit": unit, "picks": [{"option": pick} for pick in picks]} for unit, picks in entries]

    answer = told(server, "tlaok", "draft", draft={"faction": "salt_crown", "points": points, "entries": made})

    found = next(problem for problem in answer["problems"] if problem["rule"] == broken)
    assert found["words"]["en"]["hint"]
    assert found["words"]["fr"]["hint"]
    assert found["words"]["fr"]["what"] != found["words"]["en"]["what"]
    assert "_" not in found["words"]["fr"]["what"]


def test_a_problem_of_a_regiment_is_told_at_the_regiment(server: Server) -> None:
    entries = [
        {"unit": "dyke_marshal"},
        {"unit": "tide_pikes"},
        {"unit": "gauger"},
        {"unit": "wall_crossbows", "count": 9},
    ]

    answer = told(server, "tlaok", "draft", draft={"faction": "salt_crown", "points": 2000, "entries": entries})

    assert {(problem["rule"], problem["entry"]) for problem in answer["problems"]} == {
        ("TLAOK-BUILD-13", 4), ("TLAOK-BUILD-04", None)
    }  # fmt: skip


def test_what_a_regiment_takes_costs_more_with_more_stands(server: Server) -> None:
    def cost(stands: int) -> tuple[int, int]:
        entries = [
            {"unit": "dyke_marshal"},
            {"unit": "tide_pikes", "count": stands, "picks": [{"option": "ash_shields"}]},
        ]
        answer = told(server, "tlaok", "draft", draft={"faction": "salt_crown", "points": 2000, "entries": entries})
        return answer["entries"][1]["cost"], answer["entries"][1]["costs"]["ash_shields"]

    assert cost(3)[0] == load("tlaok").armies().unit("tide_pikes+3+ash_shields").cost
    assert cost(9)[0] == load("tlaok").armies().unit("tide_pikes+9+ash_shields").cost
    assert cost(9)[1] > cost(3)[1]


HOSTILE: list[Any] = [
    b"", b"{", [], 7, "draft", {"draft": None}, {"draft": []}, {"draft": {"entries": 3}}, {"draft": {"entries": [3]}},
    {"draft": {"points": -1}}, {"draft": {"points": 1e99}}, {"draft": {"points": "750"}},
    {"draft": {"entries": [{"unit": "stokers", "count": 10**9}]}}, {"draft": {"entries": [{"unit": "stokers"}] * 101}},
    {"draft": {"entries": [{"unit": "x" * 81}]}}, {"draft": {"entries": [{"unit": "stokers", "picks": "all"}]}},
    {"draft": {"entries": [{}]}}, {"draft": {"custom": [1]}}, {"draft": {}, "options": {"aof.no": "x"}},
    {"draft": {"secret": 1}}, {"draft": {"entries": [{"unit": "a", "joins": -2}]}},
]  # fmt: skip


@pytest.mark.parametrize("body", HOSTILE, ids=lambda body: str(body)[:50])
def test_what_is_no_draft_is_refused_with_words(server: Server, body: Any) -> None:
    problems = refused(server, "aof", "draft", body)

    assert problems[0]["what"]
    assert server.call("/api/health")[0] == 200


@pytest.mark.parametrize(
    "custom",
    [
        {"id": "own", "name": "Own", "figures": 10**9}, {"id": "own", "name": "Own", "keywords": ["Tough(99999999)"]},
        {"id": "own", "name": "Own", "weapons": [{"name": "axe", "attacks": -4}]}, {"id": "own", "name": ["Own"]},
        {"id": "../x", "name": "Own"}, {"id": "stokers", "name": "Own"}, {"id": "own", "name": "Own", "cost": 1},
        {"id": "own", "name": "Own", "keywords": "Tough(3)"}, {},
    ],
)  # fmt: skip
def test_a_unit_of_ones_own_has_no_impossible_numbers(server: Server, custom: Data) -> None:
    answer = told(server, "aof", "draft", draft=kiln({"unit": "stokers"}, custom=[custom]))

    assert any(problem["where"].startswith("custom") for problem in answer["problems"])


@pytest.mark.parametrize("name", ["/etc/passwd", "../../pyproject.toml", "kiln_clans.toml", "nobody"])
def test_no_name_of_a_clients_reaches_a_file(server: Server, name: str) -> None:
    assert "no list" in refused(server, "aof", "import", {"ready": name})[0]["what"]
    assert told(server, "aof", "draft", draft=kiln(faction=name))["faction"] == {}
    assert server.call("/api/muster/" + name.replace("/", "%2F"))[0] in (404, 422)
    text = f'game = "aof"\narmy = "{name}"\npoints = 100\nunits = [{{ unit = "stokers" }}]'
    assert told(server, "aof", "import", text=text)["draft"]["faction"] == name
    status, _ = server.call("/api/battles", {"game": "aof", "armies": [{"text": text, "format": "toml"}]})
    assert status == 422


# -- lists in and out --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_ready_made_list_is_a_draft_and_costs_the_same(game: str) -> None:
    armies = load(game).armies()
    for id in armies.ready():
        draft = armies.find_ready(id)
        answer = armies.checked(draft, {})

        assert answer.problems == []
        assert answer.cost == armies.army(id).cost
        assert armies.import_text(as_toml(armies.to_list(draft)), {}) == (draft, [])
        assert armies.import_text(json.dumps(armies.to_list(draft)), {}) == (draft, [])


OWN = {
    "id": "gate_wardens", "name": "Gate “Wardens”", "kind": "infantry", "figures": 5, "quality": 4, "defense": 3,
    "keywords": ["Fearless"], "weapons": [{"name": "halberd", "attacks": 1, "keywords": ["AP(1)"]}],
}  # fmt: skip

LISTS = {
    "aof": kiln(
        {"unit": "shard_champion", "joins": 3},
        {"unit": "gate_wardens", "name": 'Guard of "the" Gate'},
        {"unit": "stokers", "combined": True, "picks": [{"option": "banner", "half": 2}]},
        points=1500,
        custom=[OWN],
    ),
    "sbh": {
        "name": "Été\n2", "points": 300,
        "entries": [{"unit": "human-warrior", "count": 3}, {"unit": "warden", "name": "Ysil"}],
        "custom": [{"id": "warden", "name": "Warden", "quality": 3, "combat": 4, "rules": ["shooter(long)"]}],
    },
    "tlaok": {
        "name": "Digue “haute”", "faction": "salt_crown", "points": 1000,
        "entries": [
            {"unit": "dyke_marshal", "name": "Ann", "picks": [{"option": "warlord"}, {"option": "grandmothers_mail"}]},
            {"unit": "tide_pikes", "count": 4, "picks": [{"option": "standard"}, {"option": "drilled"}]},
            {"unit": "sand_rats", "count": 5, "name": "The Rats"},
            {"unit": "tide_abbot", "picks": [{"option": "absolution"}]},
            {"unit": "dyke_levy", "count": 3},
        ],
        "custom": [
            {
                "id": "sand_rats", "name": "Sand Rats", "type": "infantry", "class": "light", "choice": "mainstay",
                "least": 3, "most": 6, "M": 6, "V": 2, "C": 1, "A": 3, "W": 4, "R": 2, "D": 0, "E": 1,
                "rules": ["Loose Formation", "Cleave(1)"], "events": ["Bastion(1)"],
                "barrages": [{"shots": 2, "range": 16, "rules": ["Armor Piercing(1)"]}],
            },
        ],
    },
}  # fmt: skip


@pytest.mark.parametrize("format", ["toml", "json"])
@pytest.mark.parametrize("game", GAMES)
def test_what_is_exported_is_read_by_everything_that_reads_lists(
    server: Server, tmp_path: Path, game: str, format: str
) -> None:
    before = told(server, game, "draft", draft=LISTS[game])
    assert before["problems"] == []

    made = told(server, game, "export", draft=LISTS[game], format=format)

    file = tmp_path / f"list.{format}"
    file.write_text(made["text"], encoding="utf-8")
    assert load(game).armies().army(file).cost == before["cost"]
    back = told(server, game, "import", text=made["text"])
    assert back["notes"] == []
    after = told(server, game, "draft", draft=back["draft"])
    assert after["list"] == before["list"]
    status, battle = server.call(
        "/api/battles",
        {"game": game, "mode": "invite", "armies": [{"text": made["text"], "format": format}] * 2},
    )
    assert status == 201, battle


def test_the_command_line_checks_an_exported_list(server: Server, tmp_path: Path) -> None:
    made = told(server, "aof", "export", draft=LISTS["aof"], format="toml")
    file = tmp_path / made["file"]
    file.write_text(made["text"], encoding="utf-8")

    done = subprocess.run([sys.executable, "-c", MAIN, "army", "check", str(file)], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "legal" in done.stdout


@pytest.mark.parametrize(("lang", "word"), [("en", "Tough (3)"), ("fr", "Coriace (3)")])
def test_plain_text_names_what_everybody_carries(server: Server, lang: str, word: str) -> None:
    text = told(server, "aof", "export", draft=LISTS["aof"], format="text", lang=lang)["text"]

    assert word in text
    assert 'Guard of "the" Gate' in text
    assert "halberd (A1" in text


def test_an_army_forge_list_is_brought_in_whole(server: Server, tmp_path: Path) -> None:
    brought = told(server, "aof", "import", text=FORGE.read_text(encoding="utf-8"))
    answer = told(server, "aof", "draft", draft=brought["draft"])

    assert answer["cost"] == load_list(FORGE).cost
    assert answer["problems"] == []
    assert any("Salt Oath" in note["en"] for note in brought["notes"])
    assert all(note["fr"] != note["en"] for note in brought["notes"])
    assert answer["entries"][0]["joins"] == 2, "Old Marga goes with the Carters"
    text = told(server, "aof", "export", draft=brought["draft"], format="toml")["text"]
    (tmp_path / "forge.toml").write_text(text, encoding="utf-8")
    assert load_list(tmp_path / "forge.toml").cost == answer["cost"]
    assert told(server, "aof", "import", text=text)["draft"] == brought["draft"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing was given"),
        ("game = ", "not TOML"),
        ("{", "not JSON"),
        ("[1]", "expected a table"),
        ('game = "sbh"\nfighters = []', 'a list of "sbh"'),
        ("points = 3", "names no game"),
        ('{"units": [{"name": "Carters"}]}', "missing"),
    ],
)
def test_what_is_no_list_is_refused_with_its_reason(server: Server, text: str, said: str) -> None:
    assert any(said in problem["what"] for problem in refused(server, "aof", "import", {"text": text}))


def test_what_a_draft_has_no_place_for_is_said(server: Server) -> None:
    text = 'game = "aof"\narmy = "kiln_clans"\npoints = 750\nunits = [{ unit = "stokers", colour = "red" }]'

    brought = told(server, "aof", "import", text=text)

    assert any("colour" in note["en"] for note in brought["notes"])


ODD: list[Any] = [
    True,
    None,
    -1,
    1e300,
    "x" * 300,
    [],
    {},
    [[]],
    {"en": 3},
    [True],
    [{"upgrade": True, "models": True}],
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: str(odd)[:20])
def test_whatever_a_list_holds_its_draft_can_be_checked(server: Server, game: str, odd: Any) -> None:
    entries = load(game).armies().reader.entries
    unit = {"unit": "stokers", "fighter": "human-warrior", "character": "gauger", "regiments": [{"regiment": "x"}]}
    keys = ("name", "points", "army", "custom", entries)
    inner = (
        "name",
        "count",
        "upgrades",
        "second",
        "combined",
        "joins",
        "figures",
        "cards",
        "models",
        "unit",
        "fighter",
        "character",
        "regiments",
        "mastery",
        "warlord",
    )
    lists = [{"game": game, "army": "kiln_clans", "points": 750, entries: [unit]} | {key: odd} for key in keys]
    lists += [{"game": game, "army": "kiln_clans", "points": 750, entries: [unit | {key: odd}]} for key in inner]
    for data in lists:
        brought = told(server, game, "import", text=json.dumps(data))

        told(server, game, "draft", draft=brought["draft"])


def test_house_rules_count(server: Server) -> None:
    draft = kiln(*[{"unit": "stokers"}] * 3, points=1000)

    assert rules(told(server, "aof", "draft", draft=draft)) == ["AOF-ARMY-08"]
    assert rules(told(server, "aof", "draft", draft=draft, options={"aof.armyLimits": "off"})) == []


def test_at_deployment_a_hero_is_proposed_to_the_unit_he_is_meant_for() -> None:
    game = load("aof")
    draft = game.armies().find_ready("kiln_clans_750_red_hot")
    draft.entries[1].joins = 3
    army = check_list(game.armies().to_list(draft), "list").to_data()
    setup = game.setup(3, lists=["kiln_clans_750_red_hot"] * 2) | {"armies": [army, army]}
    play = Play(game, setup, 3)

    while (asked := play.pending[0]).ask != "choose_unit_to_place":
        assert play.answer(asked.side, asked.suggestion()) is None

    assert asked.suggestion() in ("stokers+kiln_mother", "stokers_2+kiln_mother_2")


# -- doctored lists ----------------------------------------------------------------------------------------------------


def stored() -> Data:
    return load_list("kiln_clans_750_red_hot").to_data()


def doctored(path: list[Any], value: Any) -> Data:
    data = stored()
    at = data
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["units", 0, "cost"], 1),
        (["units", 0, "cards", 0, "quality"], 0),
        (["units", 0, "cards", 0, "defense"], -3),
        (["units", 0, "cards", 0, "weapons", 0, "attacks"], 10**12),
        (["units", 0, "cards", 0, "keywords"], ["Hero", "Tough(99999999)"]),
        (["units", 0, "cards", 0, "base"], 5000.0),
        (["units", 0, "models"], [0] * 5000),
        (["units", 0, "models"], [-1]),
        (["units", 0, "models"], []),
        (["units"], []),
        (["points"], 10),
        (["units", 0, "id"], "../x"),
    ],
)
def test_a_doctored_list_is_not_played(server: Server, tmp_path: Path, path: list[Any], value: Any) -> None:
    text = json.dumps(doctored(path, value))
    file = tmp_path / "list.json"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(Problems):
        load_list(file)
    status, answer = server.call("/api/battles", {"game": "aof", "armies": [{"text": text, "format": "json"}]})
    assert status == 422, answer
    assert answer["problems"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["points"], 10),
        (["warbands", 0, "leader", "id"], "../x"),
        (["warbands", 0, "leader", "warlord"], False),
        (["warbands", 0, "leader", "upgrades"], ["crown_of_everything"]),
        (["warbands", 0, "regiments", 0, "stands"], 40),
        (["warbands", 0, "regiments", 0, "models"], ["general"]),
        (["warbands", 0, "regiments"], []),
        (["warbands"], []),
    ],
)
def test_a_doctored_army_of_regiments_is_not_played(server: Server, path: list[Any], value: Any) -> None:
    data = load("tlaok").setup(1, lists=["salt_crown_1000_pay_chest"])["armies"][0]
    at = data
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value

    army = {"text": json.dumps(data), "format": "json"}
    status, answer = server.call("/api/battles", {"game": "tlaok", "armies": [army]})

    assert status == 422, answer
    assert answer["problems"]


def test_what_a_stored_army_says_of_its_price_and_profiles_does_not_count(tmp_path: Path) -> None:
    honest = load("tlaok").setup(1, lists=["salt_crown_1000_pay_chest"])["armies"][0]
    data = json.loads(json.dumps(honest))
    data["warbands"][0]["regiments"][0]["cost"] = 1
    data["warbands"][0]["leader"]["stand"]["stats"]["attacks"] = 30
    file = tmp_path / "list.json"
    file.write_text(json.dumps(data), encoding="utf-8")

    assert load("tlaok").setup(1, lists=[str(file)] * 2)["armies"][0] == honest


def test_a_whole_unit_in_a_draft_costs_what_it_is_worth(server: Server) -> None:
    whole = {key: value for key, value in stored()["units"][0].items() if key in ("name", "kind", "cards", "models")}
    entry = {"unit": "cheap", "whole": {**whole, "cost": 1}}

    answer = told(server, "aof", "draft", draft=kiln(entry))

    assert answer["cost"] == stored()["units"][0]["cost"]


# -- units of one's own ------------------------------------------------------------------------------------------------


def test_a_made_up_unit_is_priced_part_by_part(server: Server) -> None:
    answer = told(server, "aof", "invent", profile=OWN)

    assert answer["cost"] == round(sum(part["value"] for part in answer["parts"]))
    assert answer["problems"] == []
    dearer = told(server, "aof", "invent", profile={**OWN, "keywords": ["Fearless", "Tough(3)"]})
    assert dearer["cost"] > answer["cost"]


def test_a_made_up_fighter_is_priced_by_the_book(server: Server) -> None:
    profile = {"name": "Warden", "quality": 3, "combat": 4, "rules": ["shooter(long)"]}

    answer = told(server, "sbh", "invent", profile=profile)

    assert answer["cost"] == load("sbh").armies().invented(quality=3, combat=4, rules=["shooter(long)"]).cost == 54


def test_a_made_up_regiment_is_priced_by_the_formula(server: Server) -> None:
    profile = {"name": "Rats", "least": 3, "most": 6, "rules": ["Cleave(1)"]}

    answer = told(server, "tlaok", "invent", profile=profile)

    stats = {"M": 5, "V": 0, "C": 2, "A": 4, "W": 4, "R": 3, "D": 2, "E": 0}
    page = load("tlaok").armies().invented(**stats, type="infantry", rules=["Cleave (1)"], stands=3)
    assert answer["cost"] == page.cost
    assert answer["unit"]["count"] == [3, 6]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "profile",
    [{}, {"name": 3}, {"name": "x", "quality": 99, "M": 99}, {"name": "x", "rules": ["?"], "keywords": ["?"]}],
)
def test_an_impossible_unit_has_no_price_but_a_reason(server: Server, game: str, profile: Data) -> None:
    answer = told(server, game, "invent", profile=profile)

    assert answer["cost"] is None
    assert answer["problems"]


def test_toml_is_what_toml_says() -> None:
    odd = {"name": 'a "b" \\ \x7f\t\u00e9', "units": [{"unit": "x", "whole": {"a b": [1.5, True]}}], "none": None}

    assert tomllib.loads(as_toml(odd)) == {key: value for key, value in odd.items() if value is not None}
    assert tomllib.loads(as_toml({"rules": [[None, 1], None]})) == {"rules": [[1]]}


def test_a_draft_says_no_more_than_it_must() -> None:
    import msgspec

    assert msgspec.json.encode(Draft()) == b"{}"
