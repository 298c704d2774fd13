"""Scenes of Conquest: whatever a case says, it is played or refused with reasons."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from oriflamme.cases.runner import run_case

SCENE: dict[str, Any] = {
    "game": "tlaok",
    "rule": "TLAOK-CLASH-02",
    "title": "Two stands strike",
    "given": {
        "men": {"side": 1, "stands": 2, "attacks": 1, "at": [24, 20], "character": {"id": "lord", "attacks": 1}},
        "orcs": {"side": 2, "stands": 3, "at": "touching ahead of men"},
        "wolves": {"side": 2, "at": [24, 40]},
    },
    "when": {"do": "men performs clash", "dice": [6, 6, 6]},
    "then": [{"attacks": 3}],
}


def problems_of(**changes: Any) -> list[str]:
    scene = copy.deepcopy(SCENE)
    for path, value in changes.items():
        place = scene
        *way, last = path.split("__")
        for key in way:
            place = place[key]
        place[last] = value
    return [problem for row in run_case(scene, "scene.toml") for problem in row.problems]


def test_the_scene_without_a_mistake_passes() -> None:
    assert problems_of() == []


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("men performs charge", "men may not charge: in_combat"),
        ("wolves performs clash", "wolves may not clash: not_in_combat"),
        ("wolves performs charge", "wolves may not charge: too_far_to_charge"),
        ("wolves performs volley", "TLAOK-VOLLEY-01"),
        ("the character of men performs cast", "the character of men may not cast: no_caster"),
        ("the character of men performs duel", "TLAOK-DUEL-01"),
        ("the character of orcs performs duel", "orcs has no character"),
        ("orcs loses its character", "orcs has no character"),
        ("orcs loses its command stand", "orcs has no command stand"),
        ("men charges home into wolves", "men and wolves are not in contact"),
        ("men performs dance", 'no action "dance"'),
        ("goblins performs clash", 'no regiment "goblins" in the scene'),
    ],
)
def test_a_sentence_that_cannot_be_done_says_why(sentence: str, said: str) -> None:
    (problem, *_) = problems_of(when__do=sentence)

    assert said in problem
    assert "broke" not in problem


@pytest.mark.parametrize("sentence", ["orcs performs clash", "men charges home into orcs", "men causes 1 hit on orcs"])
def test_who_is_destroyed_does_nothing_any_more(sentence: str) -> None:
    problems = problems_of(when__do=["orcs suffers 99 wounds", sentence], when__dice=[])

    assert problems == ["then[1].do: orcs is destroyed"] or "orcs is shattered" in problems[0]


ABSURD: list[Any] = [-1, 0, 3.5, 10**9, "", "x", [], ["x"], {}, {"x": 1}, True, None]
KEYS = ["side", "type", "stands", "files", "march", "wounds", "rules", "at", "facing", "hurt", "command", "effects"]
KEYS += ["character", "touches", "spells", "events", "officers", "lost_command", "garrison", "reserve", "lean"]
BATTLE = ["round", "turn", "first", "score", "scenario", "edge", "zones", "stack_1", "secondaries_1", "deck_1", "cards"]


@pytest.mark.parametrize("path", [*(f"given__men__{key}" for key in KEYS), *(f"battle__{key}" for key in BATTLE)])
def test_no_absurd_value_breaks_the_program(path: str) -> None:
    for value in ABSURD:
        assert not any("the program broke" in problem for problem in problems_of(battle={}, **{path: value})), value


def test_a_regiment_is_on_the_table_if_its_stands_are() -> None:
    """Turned by 45 degrees, four stands with one behind three: the empty places of the last rank hang over the edge."""
    scene = {"given__wolves__facing": 45, "given__wolves__stands": 4, "given__wolves__files": 3}
    assert problems_of(**scene, given__wolves__at=[10, 3.8]) == []
    assert problems_of(**scene, given__wolves__at=[10, 1]) != []
