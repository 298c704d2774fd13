"""What the terminal tells and understands: cards, markers, dangers, French words, saves, house rules, widths."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from oriflamme.cli import run, show
from oriflamme.cli.dangers import dangers
from oriflamme.cli.markers import Marker, named
from oriflamme.cli.phrases import in_english, is_nobody, places_in_english, spoken, words
from oriflamme.cli.table import HUMAN, Leave, Session
from oriflamme.engine.core import save as saves
from oriflamme.engine.core.decisions import Move
from oriflamme.engine.core.play import Play
from oriflamme.engine.screen.aids import Aid
from oriflamme.engine.words.numbers import decimal, percent
from oriflamme.games import ids, load
from oriflamme.lab.battle import decide, players
from oriflamme.lab.first_battle import deploy, is_deploying
from oriflamme.lab.report_page import bounds
from oriflamme.lab.simulate import Share


def sit(
    game_id: str, monkeypatch: pytest.MonkeyPatch, typed: Iterable[str], *, lang: str = "en", **more: Any
) -> Session:
    """A battle in which somebody types these lines and leaves; his side and the other are deployed."""
    game = load(game_id)
    play = Play(game, game.setup(5, **more), 5)
    while play.pending and is_deploying(play):
        deploy(play, [0, 1])
    return typed_in(play, monkeypatch, typed, lang)


def typed_in(play: Play, monkeypatch: pytest.MonkeyPatch, typed: Iterable[str], lang: str = "en") -> Session:
    session = Session(play, [HUMAN, HUMAN], lang, None)
    session.draws = False
    lines = iter(typed)

    def read(prompt: str = "") -> str:
        try:
            return next(lines)
        except StopIteration:
            raise Leave from None

    monkeypatch.setattr("builtins.input", read)
    session.run()
    return session


# -- cards -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", ids())
def test_every_number_of_a_card_is_told_in_the_terminal(
    game_id: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = sit(game_id, monkeypatch, ["forces"])
    battle = session.play.battle

    said = capsys.readouterr().out
    for unit in battle.units.values():
        data = load(game_id).unit_at(battle, unit.id)
        if not data["figures"]:
            continue
        row = [line for line in said.splitlines() if line.split()[:1] == [session.tags[unit.id]]][-1]
        for key, value in data["numbers"].items():
            assert re.search(rf"(?<!\S){re.escape(value)}(?!\S)", row), (unit.id, key, row)


def test_a_character_is_told_below_his_regiment_with_his_own_numbers_and_spells(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = ("hollow_hunt_1000_one_horn", "salt_crown_1000_morning_watch")
    session = sit("tlaok", monkeypatch, [], lists=lists)
    battle = session.play.battle
    led = next(u for u in battle.units.values() if u.character is not None and u.character.profile.spells)

    typed_in(session.play, monkeypatch, [f"show {session.tags[led.id]}"], "fr")

    said = capsys.readouterr().out
    hero = led.character.profile
    assert f"+ {hero.name['fr']}" in said
    assert "Sorts" in said
    for spell in hero.spells:
        assert f"{spell.name['fr']}: " in said


def test_which_model_is_which_is_told_with_its_number_and_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = sit("rn3", monkeypatch, [], lists=("fen_court_1500_reeds", "ember_oath_1500_forge"))
    battle = session.play.battle
    unit = next(u for u in battle.units.values() if u.hero is not None and u.on_table and u.side == 0)

    typed_in(session.play, monkeypatch, [f"show {session.tags[unit.id]}"])

    said = capsys.readouterr().out
    told = re.search(rf"{unit.hero.profile.name['en']}: (\d+) at ([\d.]+), ([\d.]+)", said)
    assert told is not None
    assert told[1] == unit.hero.id.rpartition(".")[2]
    assert float(told[2]) == pytest.approx(unit.hero.x / 10, abs=0.06)


def test_spells_of_a_game_without_texts_of_its_own_are_told_by_their_rules(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = sit("lfw", monkeypatch, [], lists=("thorn_moot", "hearth_watch"))
    mage = next(u for u in session.play.battle.units.values() if u.parts[0].spells)

    typed_in(session.play, monkeypatch, [f"show {session.tags[mage.id]}"])

    said = capsys.readouterr().out
    assert "Spells" in said
    assert "LFW-SPELL-" in said


# -- markers and dangers -----------------------------------------------------------------------------------------------


def test_markers_are_named_by_number_by_kind_and_by_a_clear_part_of_it() -> None:
    markers = [Marker("objective 1", "o1", 0, 0), Marker("treasure 1", "m1", 1, 1), Marker("treasure 2", "m2", 2, 2)]

    assert named("m2", markers) == [markers[2]]
    assert named("treasure 2", markers) == [markers[2]]
    assert named("treas 1", markers) == [markers[1]]
    assert named("treasure", markers) == markers[1:]
    assert named("o1", markers) == markers[:1]
    assert named("torch", markers) == []


def test_a_danger_is_told_where_it_reaches_and_nowhere_else() -> None:
    circle = Aid("charge", "threat", "R", circles=((0.0, 0.0, 100.0),))
    square = Aid("shoot", "threat", "R", rings=(((200.0, 0.0), (300.0, 0.0), (300.0, 100.0), (200.0, 100.0)),))

    assert dangers([circle, square], [(99.0, 0.0)]) == [circle]
    assert dangers([circle, square], [(250.0, 50.0)]) == [square]
    assert dangers([circle, square], [(150.0, 50.0)]) == []
    assert dangers([circle, square], [(0.0, 100.0), (299.0, 99.0)]) == [circle, square]


def test_a_move_is_drawn_up_its_danger_told_and_taken_by_enter_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """For one figure as for a unit: nothing moves until Enter."""
    game = load("sbh")
    play = Play(game, game.setup(5, choices={"scenario": "battle"}), 5)
    bots = players(game, ["captain", "captain"], 5)
    while play.pending and not (isinstance(play.pending[0], Move) and play.pending[0].ask == "move_fighter"):
        decision = play.pending[0]
        assert play.answer(decision.side, decide(play, decision, bots[decision.side])) is None
    mover = play.pending[0].figures[0]
    before = (play.battle.units[mover].figures[0].x, play.battle.units[mover].figures[0].y)
    answers = len(play.answers)
    enemy = next(u for u in play.battle.units.values() if u.side != play.pending[0].side and u.figures)
    everywhere = Aid("charge", "threat_move", "", {"fighter": enemy.id, "reach": 80.0}, circles=((0.0, 0.0, 9e9),))
    monkeypatch.setattr(type(game.aids()), "threats", lambda self, battle, side: [everywhere])
    typed = ["north 10", "south 10", "west 10", "east 10"]

    session = typed_in(play, monkeypatch, typed)

    figure = session.play.battle.units[mover].figures[0]
    assert (figure.x, figure.y) == before
    assert len(session.play.answers) == answers
    assert session.draft
    session = typed_in(session.play, monkeypatch, [*typed, ""])
    assert len(session.play.answers) == answers + 1
    assert "danger there: " in capsys.readouterr().out


# -- French words ------------------------------------------------------------------------------------------------------


def test_every_command_can_be_typed_in_french(monkeypatch: pytest.MonkeyPatch) -> None:
    session = sit("aof", monkeypatch, [])
    known = spoken()["commands"]

    assert set(known.values()) <= set(session.commands)
    english = set(session.commands) - {"?", "exit", "q", "svg", "table"}
    assert english <= set(known.values())


def test_what_the_french_help_names_is_understood() -> None:
    text = words("fr")["help"].format(number=4, far='4"', rule="AOF-ACT-01")
    commands = [line.split("  ")[1].strip() for line in text.splitlines() if line.startswith("  ")]

    assert in_english("règles peur") == "rules peur"
    assert in_english("passer toujours") == "pass always"
    assert in_english("Annuler!") == "undo!"
    assert in_english("journal tout") == "log all"
    assert in_english("b2") == "b2"
    assert places_in_english("figurine 3 vers 30 24") == "model 3 to 30 24"
    assert places_in_english("rangs 5 à 30 8") == "ranks 5 at 30 8"
    assert places_in_english("à 30 8 tourné 30") == "at 30 8 turn 30"
    assert is_nobody("aucun")
    assert is_nobody("none")
    heads = {in_english(one.split(",")[0].strip()).split(" ")[0] for one in commands}
    assert {"markers", "measure", "suggest", "deploy", "pass", "why", "odds", "rules", "log", "undo", "quit"} <= heads


def test_french_words_do_what_english_ones_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def answered(line: str) -> str:
        sit("aof", monkeypatch, [line], lang="fr")
        # The farewell names a file by the second it was written in.
        return capsys.readouterr().out.split("La bataille est sauvegardée")[0]

    assert answered("montrer a1") == answered("show a1") != answered("montrer a2")


# -- saves, house rules, widths ----------------------------------------------------------------------------------------


def test_a_battle_that_is_continued_leaves_its_file_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ORIFLAMME_DATA", str(tmp_path / "kept"))
    save = tmp_path / "mine.save"
    saves.save(sit("aof", monkeypatch, []).play, save, [HUMAN, "captain"])
    before = save.read_bytes()
    for kept in (tmp_path / "kept").glob("*.save"):
        kept.unlink()
    monkeypatch.setattr("builtins.input", lambda prompt="": (_ for _ in ()).throw(EOFError))
    capsys.readouterr()

    assert run(["play", "--continue", str(save)]) == 0
    assert run(["saves", "--json"]) == 0

    told = capsys.readouterr().out
    assert save.read_bytes() == before
    found = json.loads(told[told.index('{\n  "folder"') :])
    assert [row["game"] for row in found["saves"]] == ["aof"]
    assert found["saves"][0]["state"] == "open"
    assert found["saves"][0]["answers"] > 0


def test_saves_are_listed_the_last_first_and_damaged_ones_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import os

    for seed in (1, 2):
        path = tmp_path / f"{seed}.save"
        assert (
            run(
                ["battle", "sbh", "--points", "60", "--seed", str(seed), "--bots", "random,random", "--save", str(path)]
            )
            == 0
        )
        os.utime(path, (1000 * seed, 1000 * seed))
    (tmp_path / "0.save").write_bytes(b"nothing of the kind\n")
    os.utime(tmp_path / "0.save", (1, 1))
    capsys.readouterr()

    assert run(["saves", str(tmp_path), "--lang", "fr"]) == 0

    said = capsys.readouterr().out
    assert said.index("2.save") < said.index("1.save") < said.index("0.save")
    assert "terminée" in said
    assert "abîmée" in said
    assert run(["saves", str(tmp_path / "nowhere")]) == 1
    assert "no such folder" in capsys.readouterr().err


@pytest.mark.parametrize("game_id", ids())
def test_every_house_rule_and_choice_is_listed_with_its_values(
    game_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load(game_id)
    assert run(["options", game_id, "--lang", "fr"]) == 0
    said = capsys.readouterr().out
    assert run(["options", game_id, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)

    assert {one["key"]: (list(one["values"]), one["default"]) for one in data["options"]} == {
        key: (list(rule.values), rule.default) for key, rule in game.options.items()
    }
    assert {one["key"]: list(one["values"]) for one in data["choices"]} == {k: list(v) for k, v in game.choices.items()}
    for key in (*game.options, *game.choices):
        assert f"  {key} : " in said


@pytest.mark.parametrize("wide", [60, 90, 200])
def test_a_piped_table_is_as_wide_as_it_is_told(wide: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(wide))
    show.console.cache_clear()
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)

    assert run(["army", "list", "--game", "sbh"]) == 0
    monkeypatch.undo()
    show.console.cache_clear()

    widest = max(len(line) for line in out.getvalue().splitlines())
    assert widest <= wide
    assert widest > 0.8 * min(wide, 160)


def test_what_is_wrong_with_a_list_is_said_in_french(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "trop.toml"
    path.write_text('game = "sbh"\npoints = 300\nfighters = [{ fighter = "human-warrior", count = 11 }]\n', "utf-8")

    assert run(["army", "check", str(path), "--lang", "fr"]) == 1

    said = capsys.readouterr().err
    assert "330 points sur 300" in said
    assert "SBH-BAND-02" in said


@pytest.mark.parametrize("game_id", ids())
def test_what_stands_above_lists_units_and_points_is_told_in_french(game_id: str) -> None:
    armies, french = load(game_id).armies(), words("fr")["columns"]
    faction, ready = armies.factions()[0], armies.army(armies.lists()[0].id)
    pages = (faction, ready, *faction.units)
    sheets = [
        *(sheet for page in pages for sheet in armies.sheets(page, "fr")),
        armies.points_sheet(faction.units, "fr"),
    ]
    columns = {column for sheet in sheets for column in sheet.columns}

    # What the book prints stays as it is: letters, and what it calls things in French.
    assert {column for column in columns if re.match("[a-z]{2}", column)} - {*french, "retour", "attributs"} == set()
    assert {"unit", "fighter"} & columns


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("army show drowned_parish_750_evensong", "Vêpres : 749 points sur 750"),
        ("army list --game aof", "unités"),
        ("map list", "décors"),
        ("points aof", "mêlée"),
        ("replay {save} --verify", "tout concorde"),
        ("replay {save}", "réponse 0"),
        ("map generate --seed 3 --out {map}", "écrit : "),
    ],
)
def test_organisers_are_told_in_french(
    typed: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load("aof")
    saves.save(Play(game, game.setup(5), 5), tmp_path / "a.save", ("human", "human"))

    assert run([*typed.format(save=tmp_path / "a.save", map=tmp_path / "m.toml").split(), "--lang", "fr"]) == 0

    assert said in capsys.readouterr().out


def test_numbers_are_written_as_the_language_writes_them() -> None:
    share = Share(wins=1.0, rate=0.25, low=0.046, high=0.699)

    assert (decimal(382.25, "en"), decimal(382.25, "fr")) == ("382.25", "382,25")
    assert (percent(-0.025, "en", sign=True, digits=1), percent(0.5, "fr")) == ("−2.5%", "50 %")
    assert (bounds(share, "en"), bounds(share, "fr")) == ("4.6% – 69.9%", "4,6 % – 69,9 %")
