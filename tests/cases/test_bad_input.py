"""Whatever is written in a case of any game, it is played or told what is wrong with it; nothing breaks the program.

`python -m tests.cases.test_bad_input 5000` spoils as many of our own cases at random and says which broke.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from copy import deepcopy
from datetime import date
from math import inf, nan
from random import Random
from typing import Any

import pytest

from oriflamme.cases.runner import cases_folder, find, run_case
from oriflamme.engine.words.problems import read_toml

GAMES = ("aof", "sbh", "tlaok", "lfw")
JUNK: list[Any] = [
    *(5, -1, 0, 1.5, nan, inf, 10**30, True, False, "", "x", "levy", "12in ahead of x", "zork:levy", date(2020, 1, 1)),
    *([], [1], [1, 2], [1, 2, 3], [[]], [["x", 1]], [{}], {}, {"x": {}}, {"x": 1}, {"at": [1, 2]}, {"each": []}),
    *({"by": ["x", 1]}, {"to": ["x"]}, {"ahead": "x"}, {"facing": "x"}, [{"ahead": 5}, {"zork": 1}]),
    *({"at_least": 1}, {"one_of": ["a", "b"]}, [{"grant": "Zork"}], [{"stat": "zork"}]),
]
PARTS = ("given", "battle", "table", "army", "campaign", "options", "when", "then")


def paths(data: Any, base: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a case where something stands."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield (*base, key)
        yield from paths(value, (*base, key))


def spoilt(random: Random, game: str) -> tuple[dict[str, Any], str]:
    """One row of one of our cases with something absurd in it, and what that is."""
    file = random.choice(find([cases_folder() / game]))
    data = read_toml(file)
    if isinstance(data.get("then"), list):
        data["then"] = [random.choice(data["then"])]
    if isinstance(data.get("case"), list):
        data["case"] = [random.choice(data["case"])]
    # Where several cases are in one file, what spoils one of them stands below it.
    where = [path for path in paths(data) if (path[2] if path[0] == "case" and len(path) > 2 else path[0]) in PARTS]
    path = random.choice(where)
    junk = deepcopy(random.choice(JUNK))
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = junk
    return data, f"{file}: {path} = {junk!r}"


def broken(game: str, number: int, seed: int) -> list[str]:
    random = Random(seed)
    found = []
    for _ in range(number):
        data, what = spoilt(random, game)
        said = [problem for row in run_case(data, f"{game}/case.toml") for problem in row.problems]
        found += [f"{what}: {problem}" for problem in said if "the program broke" in problem]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_no_spoilt_case_breaks_the_program(game: str) -> None:
    assert broken(game, 120, 7) == []


SBH: dict[str, Any] = {
    "rule": "SBH-COMBAT-01",
    "given": {"elf": {"at": [300, 200]}, "orc": {"side": 2, "at": "touching ahead of elf"}},
    "when": {"do": "elf attacks orc", "dice": [6, 1]},
    "then": [{"results": ["kill"]}],
}
TLAOK: dict[str, Any] = {
    "rule": "TLAOK-CLASH-02",
    "given": {
        "men": {"stands": 1, "attacks": 1, "at": [24, 20]},
        "orcs": {"side": 2, "stands": 3, "defence": 0, "at": "touching ahead of men"},
    },
    "when": {"do": "men performs clash", "dice": [6]},
    "then": [{"hits": 0}],
}

MISTAKES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (SBH, {"given.elf.began": 5}, "given.elf.began: 5 is not a place; write began = [300, 200]"),
    (SBH, {"given.elf.quality": 9}, "given.elf.quality: expected a whole number from 2 to 6, found 9"),
    (SBH, {"given.elf.rules": ["zork"]}, 'given.elf.rules: no special rule "zork"'),
    (SBH, {"given.elf.card": "zork"}, 'given.elf.card: no fighter "zork"'),
    (SBH, {"given.elf.item": {"kind": "sward"}}, 'given.elf.item.kind: unknown "sward"; did you mean "sword"?'),
    (SBH, {"given.elf.fate": "dead"}, 'given.elf.fate: unknown "dead"'),
    (SBH, {"given.elf.at": "near orc"}, 'given.elf.at: "near orc" is not a place'),
    (SBH, {"given.orc.at": [300, 200]}, "given.orc: stands on elf (SBH-MOVE-06); give both a place with at"),
    (SBH, {"battle": {"scenario": "zork"}}, 'battle.scenario: unknown "zork"'),
    (SBH, {"battle": {"place_of_power": "hut"}}, 'battle.place_of_power: no piece "hut"'),
    (SBH, {"battle": {"upgrades_1": ["zork"]}}, 'battle.upgrades_1: no band upgrade "zork"'),
    (SBH, {"when.do": "elf attacks ork"}, 'then[1].do: no fighter "ork" in the scene; did you mean "orc"?'),
    (SBH, {"when.do": "elf dances"}, 'then[1].do: "elf dances" means nothing here'),
    (
        SBH,
        {"when": {"do": "elf moves", "answers": {"move_fighter": {"by": 5}}}, "given.orc.at": [300, 260]},
        "then[1].answers.move_fighter.by: 5 is not [dx, dy]; write by = [0, 60]",
    ),
    (
        SBH,
        {"when": {"do": "elf moves", "answers": {"move_fighter": {"to": "ork"}}}, "given.orc.at": [300, 260]},
        'then[1].answers.move_fighter.to: no fighter "ork"; did you mean "orc"?',
    ),
    (SBH, {"then": [{"resluts": []}]}, 'then[1].resluts: unknown key; did you mean "results"?'),
    (SBH, {"campaign": {"battle": 0}}, "campaign.battle: expected a whole number from 1 to"),
    (TLAOK, {"given.men.effects": [{"grant": "Zork"}]}, 'given.men.effects[1].grant: no special rule "Zork"'),
    (TLAOK, {"given.men.effects": [{"stat": "zork"}]}, 'given.men.effects[1].stat: no characteristic "zork"'),
    (TLAOK, {"given.men.effects": [{}]}, "given.men.effects[1]: changes nothing, or too much"),
    (TLAOK, {"given.men.effects": [{"event": "Zork"}]}, 'given.men.effects[1].event: no draw event "Zork"'),
    (TLAOK, {"given.men.rules": ["Zork (1)"]}, 'given.men.rules: no special rule "Zork (1)"'),
    (TLAOK, {"given.men.garrison": "hut"}, 'given.men.garrison: no garrison "hut" on the table'),
    (TLAOK, {"given.men.touches": {"orks": "left"}}, "given.men.touches: "),
    (TLAOK, {"given.men.spells": [{"effect": {"hist": 1}}]}, "given.men.spells[1].effect.hist: not a known key"),
    (TLAOK, {"given.men.character": {"abilities": [{}]}}, "given.men.character.abilities[1].id: missing"),
    (TLAOK, {"battle": {"cards": {"x": {"when": "zork"}}}}, 'battle.cards.x.when: no condition "zork"'),
    (TLAOK, {"battle": {"secondaries_1": ["zork"]}}, 'battle.secondaries_1: no card "zork"'),
    (TLAOK, {"battle": {"score": [1]}}, "battle.score: [1]; there are two sides; write score = [3, 1]"),
    (TLAOK, {"when.do": "character zork is activated"}, 'then[1].do: no character "zork" in the scene'),
    (
        TLAOK,
        {"when": {"do": "orcs performs march", "answers": {"march": {"forward": 5}}}, "given.orcs.at": [24, 40]},
        "then[1].answers.march: a table is not a move; write",
    ),
    (
        TLAOK,
        {"when": {"do": "orcs performs march", "answers": {"march": {"ahead": "x"}}}, "given.orcs.at": [24, 40]},
        'then[1].answers.march.ahead: expected a number, found "x"',
    ),
]


@pytest.mark.parametrize(("base", "changes", "said"), MISTAKES, ids=[said[:60] for _, _, said in MISTAKES])
def test_a_mistake_is_told_with_its_place(base: dict[str, Any], changes: dict[str, Any], said: str) -> None:
    data = deepcopy(base)
    for path, value in changes.items():
        place = data
        *way, last = path.split(".")
        for key in way:
            place = place[key]
        place[last] = value
    found = [problem for row in run_case(data) for problem in row.problems]

    assert any(problem.startswith(said) for problem in found), found
    assert not any("the program broke" in problem for problem in found)


if __name__ == "__main__":
    for name in GAMES:
        for line in broken(name, int(sys.argv[1]), seed=0):
            print(line)


def test_what_a_file_shares_may_be_no_table() -> None:
    own = {"title": "A mistake above", "then": [{"unchanged": ["elf"]}]}
    for shared in ({"when": True}, {"when": {"answers": True}}):
        data = {**{key: SBH[key] for key in ("rule", "given")}, **shared, "case": [own | {"when": {"answers": {}}}]}
        said = [problem for row in run_case(data, "sbh/case.toml") for problem in row.problems]
        assert said
        assert not any("the program broke" in problem for problem in said)
