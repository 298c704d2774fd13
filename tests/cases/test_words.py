"""The list of words is that of the program: whatever a game asks, reads, states or refuses is in it."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import msgspec
import pytest
from tests.cases.test_runner import SHOT, problems

from oriflamme import games
from oriflamme.cases import runner, shape
from oriflamme.cases.source import source_of
from oriflamme.cases.words import ANSWERS, END, OF_ANY_QUESTION, NotingReader, begin, notes_of, words_of
from oriflamme.engine.cases.scenes import TABLE, Question, Scenes, Sentence, meaning_of
from oriflamme.engine.core import decisions
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.dice import ScriptedDice
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.table import maps
from oriflamme.engine.words.problems import Problems, Reader
from oriflamme.engine.words.sentences import sentences
from oriflamme.games.aof.army_limits import UnitSummary
from oriflamme.games.tlaok.army.army_limits import Band

GAMES = tuple(games.ids())


def kinds() -> Iterator[tuple[str, Scenes]]:
    for game in GAMES:
        for kind in games.load(game).scenes().kinds().values():
            yield game, kind


KINDS = list(kinds())
NAMES = [type(kind).__name__ for _, kind in KINDS]


# -- questions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_question_that_a_step_asks_is_in_the_list(game: str) -> None:
    declared = {name for of, kind in KINDS if of == game for name in kind.questions}

    assert set(source_of(game).questions()) == declared, "put it into QUESTIONS of the scenes"


def test_a_question_that_is_not_in_the_list_fails_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    scenes = type(games.load("aof").scenes())
    fewer = {name: question for name, question in scenes.questions.items() if name != "choose_action"}
    monkeypatch.setattr(scenes, "questions", fewer)

    assert 'the list of words has no question "choose_action"' in problems(SHOT)[0]


def test_a_key_that_is_not_in_the_list_fails_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    scenes = type(games.load("aof").scenes())
    fewer = {**scenes.questions, "choose_action": Question("active player", "advance")}
    monkeypatch.setattr(scenes, "questions", fewer)

    assert 'the list of words has no key "hold" of "choose_action"' in problems(SHOT)[0]


def test_a_word_of_an_event_that_is_not_in_the_list_fails_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    scenes = type(games.load("aof").scenes())
    monkeypatch.setattr(scenes, "values", {"UnitActivated.action": ("rush",)})

    assert 'the list of words has no action "hold" of UnitActivated' in problems(SHOT)[0]


def test_the_kinds_of_decisions_are_all_told() -> None:
    found = {cls.kind for cls in vars(decisions).values() if inspect.isclass(cls) and issubclass(cls, Decision)}

    assert {kind for kind in found if kind} == set(ANSWERS)


def test_a_key_of_a_question_is_known_by_its_form() -> None:
    question = Question("owner", "hold charge:<unit> <unit>[+<hero>]:ambush")

    assert question.unheard_of("hold", ()) is None
    assert question.unheard_of("charge:levy", {"levy"}) is None
    assert question.unheard_of("levy+captain:ambush", {"levy", "captain"}) is None
    assert question.unheard_of("charge:levi", {"levy"}) is not None
    assert question.unheard_of("hodl", {"levy"}) is not None


# -- keys of a scene ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=NAMES)
def test_every_key_that_a_scene_reads_is_told_and_no_other(game: str, kind: Scenes) -> None:
    noted = {where: set(keys) for where, keys in notes_of(kind).items() if where != "table"}

    assert noted == {where: set(keys) for where, keys in kind.keys.items()}


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=NAMES)
def test_the_specimen_is_a_scene(game: str, kind: Scenes) -> None:
    found = Problems("specimen")
    kind.build(Reader(kind.specimen, found), found, ScriptedDice([]))

    assert list(found) == []


def test_every_key_of_a_table_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    notes: dict[str, Any] = {}
    monkeypatch.setattr(maps, "Reader", lambda data, problems, where="": NotingReader(data, problems, where, notes))
    piece = {"kind": "forest", "at": [10, 10], "radius": 2}
    data = {"name": "x", "size": [48, 48], "measure": "in", "piece": [piece, {**piece, "size": [1, 1]}]}
    maps.map_from_data({**data, "piece": [piece]}, "table")
    read = {where.replace("piece[]", "table.pieces[]"): set(keys) for where, keys in notes.items()}

    assert set(TABLE["table"]) - {"pieces"} == read[""] - {"measure", "piece"}
    assert set(TABLE["table.pieces[]"]) == read["table.pieces[]"]


def test_every_key_of_a_case_is_told() -> None:
    assert set(shape.WHAT["case"]) == {*shape.TOP, "case"}
    assert set(shape.WHAT["when"]) == set(shape.WHEN)
    assert set(shape.WHAT["then"]) == {*shape.ROW, *shape.EXPECT} - set(shape.SCENE) - set(shape.WHEN) | {"given", "do"}


@pytest.mark.parametrize(
    ("game", "prefix", "struct"), [("aof", "units[].", UnitSummary), ("tlaok", "warbands[].", Band)]
)
def test_every_key_of_an_army_that_is_checked_is_told(game: str, prefix: str, struct: type[msgspec.Struct]) -> None:
    told = games.load(game).scenes().army["the army is checked"]
    fields = {field.name for field in msgspec.structs.fields(struct)} - {"where", "name"}

    assert {key.removeprefix(prefix) for key in told if key.startswith(prefix)} == fields


# -- what may be expected ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=NAMES)
def test_tables_of_facts_have_the_keys_that_are_told(game: str, kind: Scenes) -> None:
    found = Problems("specimen")
    battle = kind.build(Reader(kind.specimen, found), found, ScriptedDice([]))
    for key, fact in kind.of_battle.items():
        value = fact.of(battle, ())
        if fact.keys:
            tables = [value] if set(value) & set(fact.keys) else list(value.values())
            assert tables, key
            assert all(set(table) == set(fact.keys) for table in tables), key
    for unit in kind.units(battle):
        assert set(kind.state(battle, unit)) == set(kind.of_unit)


def test_a_number_of_things_is_never_less_than_none() -> None:
    row = [{"hits": {"at_least": 0}}]
    assert problems({**SHOT, "then": row}) == ["then[1].hits: it is always at least 0; expect at least 1"]
    row = [{"units": {"levy": {"figures": {"at_least": 0}}}}]
    assert problems({**SHOT, "then": row})[0].startswith("then[1].units.levy.figures: it is always at least 0")


# -- events ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=NAMES)
def test_every_text_of_an_event_is_told(game: str, kind: Scenes) -> None:
    texts = {
        f"{name}.{field.name}"
        for name, event in kind.events.items()
        for field in msgspec.structs.fields(event)
        if field.type is str and field.name != "rule" and field.name not in kind.naming
    }

    assert texts == set(kind.values)


def test_a_word_that_an_event_never_has_is_refused() -> None:
    row = [{"events": [{"event": "UnitActivated", "action": "hodl"}]}]
    assert problems({**SHOT, "then": row}) == [
        'then[1].events[1].action: can never be "hodl"; did you mean "hold"?',
    ]
    every = {"one_of": ["hold", "advance", "rush", "charge"]}
    row = [{"events": [{"event": "UnitActivated", "action": every}]}]
    assert problems({**SHOT, "then": row})[0].startswith("then[1].events[1].action: is always one of these")


# -- refusals ----------------------------------------------------------------------------------------------------------


def test_reasons_of_the_engine_are_told() -> None:
    source = inspect.getsource(decisions)

    assert all(f'"{why}"' in source for why in OF_ANY_QUESTION)


@pytest.mark.parametrize("game", GAMES)
def test_every_reason_in_the_list_has_a_sentence(game: str) -> None:
    told = set(sentences(game, "en").of["why"])
    campaign = files("oriflamme.games").joinpath(game, "text", "campaign_en.toml")
    if campaign.is_file():
        told |= set(tomllib.loads(campaign.read_text(encoding="utf-8"))["why"])

    assert [refusal.because for refusal in words_of(game).refusals if refusal.because not in told] == []


@pytest.mark.parametrize("game", GAMES)
def test_what_cases_see_refused_is_in_the_list(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Refusal] = []
    refused = runner._refusal
    monkeypatch.setattr(runner, "_refusal", lambda *given: _kept(seen, refused(*given)))
    for file in runner.find([runner.cases_folder() / game])[::5]:
        if "refused" in file.read_text(encoding="utf-8"):
            runner.run_file(file)
    listed = {refusal.because: refusal for refusal in words_of(game).refusals}

    assert seen
    for refusal in seen:
        if refusal.why not in OF_ANY_QUESTION:
            known = listed[refusal.why]
            assert refusal.rule in known.rules or known.other_rules, (refusal.why, refusal.rule, known.rules)


def _kept(seen: list[Refusal], refusal: Refusal | None) -> Refusal | None:
    if refusal is not None:
        seen.append(refusal)
    return refusal


# -- sentences ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "said", "slots"),
    [
        ("<unit> shoot[s] <target>", "archers shoot levy", {"unit": "archers", "target": "levy"}),
        ("<unit> take[s] <number> wound[s][ of <rules>]", "levy takes 1 wound", {"number": "1", "rules": None}),
        ("<unit> (is activated|activates)", "levy is activated", {"unit": "levy"}),
        ("<unit> acts[ <how:casting|healing>]", "mage acts casting", {"how": "casting"}),
    ],
)
def test_a_sentence_is_understood_by_its_form(form: str, said: str, slots: dict[str, Any]) -> None:
    match, _ = meaning_of([Sentence(form, "", lambda *_: None)], said)  # type: ignore[arg-type,return-value]

    assert {name: match[name] for name in slots} == slots


def test_a_sentence_answers_for_nobody_but_its_fighter() -> None:
    data = {
        "rule": "SBH-GROUP-01",
        "given": {
            "chief": {"rules": ["leader"], "at": [300, 300]},
            "elf": {"at": [340, 300]},
            "page": {"at": "touching right of elf"},
            "boy": {"at": "touching ahead of elf"},
            "orc": {"side": 2, "at": [300, 560]},
        },
        "when": {
            "do": "chief orders a group",
            "dice": [6, 6],
            "answers": {"choose_members": ["elf", "page"], "choose_group_dice": "2", "choose_member": "elf"},
        },
        "then": [{"asks": "choose_action"}],
    }

    assert problems(data) == []


# -- the list ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_document_has_a_part_for_every_game(game: str) -> None:
    text = (runner.cases_folder().parent / "docs" / "cases.md").read_text(encoding="utf-8")

    assert text.count(begin(game)) == 1
    assert END in text.partition(begin(game))[2]
