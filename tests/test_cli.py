"""The command line as a person or a program uses it: exit codes, JSON, words instead of tracebacks."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oriflamme.cli import run, show
from oriflamme.cli.table import Session
from oriflamme.cli.words import heading, matches, numbers
from oriflamme.engine.core.decisions import Move, PickOne
from oriflamme.engine.core.play import Play
from oriflamme.games import load

COMMAND = (sys.executable, "-m", "oriflamme")
BATTLE = ("battle", "aof", "--seed", "7", "--bots", "random,random")


def shell(*arguments: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """The real command, in a process of its own."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith("ORIFLAMME")}
    done = subprocess.run(
        [*COMMAND, *arguments], input=stdin, capture_output=True, text=True, env=plain | env, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ORIFLAMME_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("ORIFLAMME_LANG", raising=False)
    monkeypatch.delenv("ORIFLAMME_DEBUG", raising=False)
    show.console.cache_clear()
    yield
    show.console.cache_clear()


class Said:
    """What a command said, run inside this process."""

    def __init__(self, code: int, out: str, err: str) -> None:
        assert "Traceback" not in out + err
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: str) -> Said:
        show.console.cache_clear()
        capsys.readouterr()
        code = run(list(arguments))
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return call


# -- the command itself ------------------------------------------------------------------------------------------------


def test_help_shows_examples_and_loads_no_game() -> None:
    done = shell("--help")

    assert done.returncode == 0
    assert "oriflamme play aof" in done.stdout
    script = (
        "import sys; from oriflamme.cli import run; run(['--help']); print([m for m in sys.modules if '.games' in m])"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert loaded.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "command",
    ["play", "battle", "simulate", "replay", "odds", "cases run", "rules show", "army import", "map generate"],
)
def test_every_command_explains_itself_by_example(told: Any, command: str) -> None:
    said = told(*command.split(), "--help")

    assert said.code == 0
    assert f"oriflamme {command}" in said.out.partition("Example")[2]


def test_a_wrong_command_is_exit_code_two() -> None:
    done = shell("batle", "aof")

    assert done.returncode == 2
    assert "No such command" in done.stderr


def test_the_version_is_printed(told: Any) -> None:
    assert re.fullmatch(r"oriflamme \d+\.\d+\S*\n", told("--version").out)


def test_a_mistake_of_ours_is_one_line_and_how_to_report_it(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(as_json: bool, lang: str) -> None:
        raise KeyError("halberdier")

    monkeypatch.setattr("oriflamme.cli.library.show_games", broken)
    said = told("games")

    assert said.code == 70
    assert "a mistake of ours, not yours: KeyError: 'halberdier'" in said.err
    assert "ORIFLAMME_DEBUG=1 oriflamme games" in said.err


def test_the_full_trace_is_there_for_those_who_ask() -> None:
    script = (
        "import oriflamme.cli.library as l; from oriflamme.cli import run\n"
        "def broken(_): raise KeyError('x')\n"
        "l.show_games = broken\n"
        "run(['games'])"
    )
    env = os.environ | {"ORIFLAMME_DEBUG": "1"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=env, check=True)

    assert "Traceback" in done.stderr


def test_nothing_is_said_when_nobody_reads() -> None:
    script = f"{' '.join(COMMAND)} {' '.join(BATTLE)} --log | head -1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)

    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


# -- battles -----------------------------------------------------------------------------------------------------------


def test_the_games_are_listed(told: Any) -> None:
    assert "Age of Fantasy" in told("games").out
    found = told("games", "--json").json["games"]
    assert [game["id"] for game in found] == ["aof", "lfw", "rn3", "sbh", "tlaok"]
    assert all({"title", "sides", "measure", "rules", "bots", "options", "choices"} <= set(game) for game in found)


def test_what_players_agree_on_is_listed_the_usual_first(told: Any) -> None:
    found = {game["id"]: game["choices"] for game in told("games", "--json").json["games"]}

    assert found["aof"] == {}
    assert found["sbh"]["scenario"][0] == "roll"
    assert re.search(r"sbh +board +open, hex", told("games").out)


def test_a_battle_in_json_is_the_same_everywhere() -> None:
    one, two = (json.loads(shell(*BATTLE, "--json", PYTHONHASHSEED=hash).stdout) for hash in ("1", "2"))

    wanted = {"game", "seed", "winner", "rounds", "score", "decisions", "seconds", "fingerprint", "bots", "map"}
    assert wanted <= set(one)
    assert one | {"seconds": 0} == two | {"seconds": 0}


def test_a_battle_tells_its_log_in_words_with_rules(told: Any) -> None:
    said = told(*BATTLE, "--log")

    assert said.code == 0
    assert re.search(r"^Round 1: Side [AB] activates first  AOF-ROUND-02$", said.out, re.M)
    assert re.search(r"^  [ab]\d .*: deployed  AOF-DEPLOY-03$", said.out, re.M)
    assert "seed 7" in said.out


def test_a_battle_speaks_french(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Fin du tour 1 : objectifs" in told(*BATTLE, "--log", "--lang", "fr").out
    monkeypatch.setenv("ORIFLAMME_LANG", "fr")
    assert "Fin du tour 1 : objectifs" in told(*BATTLE, "--log").out


SKIRMISH = ("battle", "sbh", "--seed", "7", "--bots", "random,random")


ROLL = r"\[\d\], Combat \d.* = -?\d+"


@pytest.mark.parametrize(
    ("lang", "turn", "activated", "fought"),
    [
        (
            "en",
            r"^Turn 2: Side [AB]  SBH-ACT-07$",
            r"^[ab]\d .* rolls \d dic?e on \d\+ \(Quality \d\+.*\): (no|\d) actions? \[[\d ]+\]  SBH-ACT-01$",
            rf"^  [ab]\d .* shoots at [ab]\d .*: {ROLL} against {ROLL}: .*SBH-SHOOT-03$",
        ),
        (
            "fr",
            r"^Tour 2 : le camp [AB]  SBH-ACT-07$",
            r"^[ab]\d .* lance \d dés? à \d\+ \(Qualité \d\+.*\) : (aucune|\d) actions? \[[\d ]+\]  SBH-ACT-01$",
            rf"^  [ab]\d .* tire sur [ab]\d .* : {ROLL} contre {ROLL} : .*SBH-SHOOT-03$",
        ),
    ],
)
def test_a_skirmish_tells_dice_totals_and_why(told: Any, lang: str, turn: str, activated: str, fought: str) -> None:
    said = told(*SKIRMISH, "--log", "--lang", lang)

    assert said.code == 0
    for line in (turn, activated, fought):
        assert re.search(line, said.out, re.M), line
    for rolled in re.findall(r"\[(\d)\], Combat (-?\d+)((?:, [^=,]+ [+-]\d+)*) = (-?\d+)", said.out):
        die, combat, changes, total = rolled
        assert int(die) + int(combat) + sum(map(int, re.findall(r" ([+-]\d+)", changes))) == int(total)


def test_a_skirmish_is_set_saved_and_replayed(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "ambush.save"
    agreed = ("--set", "scenario=ambush", "--set", "board=hex", "--set", "scale=28mm", "--set", "turns=20")

    fought = told(*SKIRMISH, *agreed, "--save", str(file), "--json").json
    log = told("replay", str(file)).out

    assert fought["choices"] == {"scenario": "ambush", "scale": "28mm", "board": "hex", "turns": 20}
    assert fought["map"] is None
    assert told("replay", str(file), "--verify", "--json").json["fingerprint"] == fought["fingerprint"]
    assert "lies in ambush" in log
    assert re.search(r"moves \d+ hex(es)?[ ,]", log)
    assert "hexes of 30 mm" in log


def test_skirmishes_are_counted(told: Any) -> None:
    plan = ("simulate", "sbh", "--battles", "2", "--bots", "random,random", "--workers", "1", "--set", "turns=20")

    counted = told(*plan, "--set", "scenario=battle", "--json").json

    assert sum(counted["wins"].values()) + counted["draws"] == 2
    assert counted["rounds"] <= 20
    assert counted["digest"] != told(*plan, "--set", "scenario=hard", "--json").json["digest"]


def test_what_is_counted_is_told_in_french(told: Any, tmp_path: Path) -> None:
    plan = ("simulate", "sbh", "--battles", "2", "--bots", "random,random", "--workers", "1", "--points", "100")

    counted = told(*plan, "--lang", "fr").out
    games = told("games", "--lang", "fr").out
    written = told("export", str(tmp_path / "a.jsonl"), "--lang", "fr").out

    assert re.search(r"victoires +part +confiance à 95 %", counted)
    assert re.search(r"camp A +\d(,5)? +\d+,\d % +\d+,\d % à \d+,\d %", counted)
    assert "batailles de sbh en" in counted
    assert "règles" in games
    assert " : 0 lignes" in written


def test_a_battle_is_saved_drawn_and_replayed(told: Any, tmp_path: Path) -> None:
    file, picture = tmp_path / "seven.save", tmp_path / "seven.svg"

    fought = told(*BATTLE, "--save", str(file), "--svg", str(picture), "--json").json
    verified = told("replay", str(file), "--verify", "--json").json
    moment = told("replay", str(file), "--to", "20", "--json").json
    log = told("replay", str(file)).out
    drawn = told("replay", str(file), "--to", "30", "--svg", str(tmp_path / "then.svg"))

    assert picture.read_text().lstrip().startswith("<svg")
    assert verified["verified"] is True
    assert verified["fingerprint"] == fought["fingerprint"]
    assert (moment["answers"], moment["over"]) == (20, False)
    assert moment["pending"]["ask"]
    assert "Round 4 ends" in log
    assert drawn.code == 0
    assert (tmp_path / "then.svg").exists()


def test_a_seed_drawn_by_lot_is_told(told: Any) -> None:
    assert re.search(r"seed \d+", told("battle", "aof", "--bots", "random,random").out)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("battle", "aoff"), 'no game "aoff"; did you mean "aof"?'),
        (("battle", "aof", "--bots", "captian,random"), 'did you mean "captain"?'),
        (("battle", "aof", "--bots", "random"), "1 given; aof has 2 sides"),
        (("battle", "aof", "--lists", "kiln_clans_750_red_hott"), "did you mean"),
        (("battle", "aof", "--lists", "nothing.toml"), "no such file"),
        (("battle", "aof", "--map", "vilage"), 'did you mean "village"?'),
        (("battle", "aof", "--option", "multicharge=multi"), 'did you mean "multiCharge"?'),
        (("battle", "aof", "--option", "multiCharge=all"), "cannot be"),
        (("battle", "aof", "--option", "multiCharge"), "expected KEY=VALUE"),
        (("battle", "aof", "--save", "/nowhere/at/all.save"), "no folder"),
        (("battle", "sbh", "--set", "scenrio=ambush"), 'sbh has no such choice; did you mean "scenario"?'),
        (("battle", "sbh", "--set", "scenario=ambsh"), 'cannot be "ambsh"; did you mean "ambush"?'),
        (("battle", "sbh", "--set", "turns=7"), 'turns: cannot be "7"; there is 60, none, 20'),
        (("battle", "sbh", "--set", "scenario"), "expected KEY=VALUE"),
        (("play", "sbh", "--set", "board=octagons"), "there is open or hex"),
        (("simulate", "aof", "--set", "scenario=ambush"), "aof has nothing to set"),
        (("play", "sbh", "--map", "village"), "SBH-GEN-02"),
        (("simulate", "aof", "--bots", "captian,random", "--battles", "2"), 'did you mean "captain"?'),
        (("replay", "nothing.save"), "no such file"),
        (("rules", "show", "AOF-MOV-06"), 'did you mean "AOF-MOVE-06"?'),
        (("rules", "coverage", "aoff"), 'did you mean "aof"?'),
        (("army", "show", "kiln_clan"), 'did you mean "kiln_clans"?'),
        (("army", "check", "nothing.toml"), "no such file"),
        (("army", "import", "nothing.json"), "no such file"),
        (("odds", "aof", "stoker", "stokers"), 'did you mean "stokers"?'),
        (("odds", "aof", "stokers+baner", "stokers"), 'did you mean "banner"?'),
        (("odds", "aof", "stokers", "stokers"), "nothing to shoot with"),
        (("odds", "tlaok", "tide_pikes", "dyke_levy", "--charge", "--distance", "30"), "TLAOK-CHARGE-04"),
        (("odds", "tlaok", "tide_pikes", "dyke_levy", "--duel"), "has no character"),
        (("odds", "tlaok", "tide_pikes", "dyke_levy", "--cover"), "does not count in tlaok"),
        (("map", "show", "vilage"), 'did you mean "village"?'),
        (("map", "generate", "--size", "big"), "write it like 72x48"),
        (("map", "generate", "--hexes", "2"), "a hex is 10 to 60 mm wide"),
        (("map", "generate", "--scenario", "centre"), "name it with --game"),
        (("map", "generate", "--game", "tlaok", "--size", "60x60"), "leave out --size"),
        (("map", "generate", "--game", "tlaok", "--scenario", "center"), 'did you mean "centre"?'),
        (("points", "nobody"), "no faction, list or unit"),
        (("cases", "run", "nowhere"), "no such file or folder"),
        (("play", "aof", "--side", "c"), 'no side "c"'),
        (("play", "aof", "--bot", "general"), "no bot"),
        (("play", "--continue", "nothing.save"), "no such file"),
    ],
)
def test_what_is_asked_wrongly_is_answered_with_what_to_do(told: Any, arguments: Sequence[str], said: str) -> None:
    answer = told(*arguments)

    assert answer.code == 1
    assert said in answer.err
    assert answer.out == ""


def test_a_truncated_save_is_recovered_when_asked(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "cut.save"
    told(*BATTLE, "--save", str(file))
    file.write_bytes(file.read_bytes()[:-3000])

    refused, recovered = told("replay", str(file)), told("replay", str(file), "--recover")

    assert refused.code == 1
    assert "--recover" in refused.err
    assert recovered.code == 0
    assert "recovered" in recovered.err


def test_ctrl_c_is_a_clear_line_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    file = tmp_path / "never.save"
    command = [*COMMAND, "simulate", "aof", "--battles", "100000", "--workers", "2", "--bots", "random,random"]
    running = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Whoever runs these tests in the background ignores the signal, and so would the program.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        # Where it has others do its work, it has understood what is asked.
        while (
            str(running.pid)
            not in subprocess.run(
                ["ps", "-A", "-o", "ppid="], capture_output=True, text=True, check=True
            ).stdout.split()
        ):
            assert running.poll() is None
            time.sleep(0.05)
        # Who is stopped while Python itself is still being loaded says what Python says.
        time.sleep(2)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=600)
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)

    assert running.returncode == 130
    assert "stopped; nothing is left half-written" in err
    assert "Traceback" not in out + err
    assert not file.exists()


def test_many_battles_are_counted(told: Any) -> None:
    plan = ("simulate", "aof", "--battles", "4", "--bots", "captain,random", "--seed", "5", "--workers", "1")

    counted = told(*plan, "--json").json
    shown = told(*plan).out

    assert {"game", "battles", "wins", "draws", "seconds", "rates", "sides", "digest"} <= set(counted)
    assert sum(counted["wins"].values()) + counted["draws"] == counted["battles"] == 4
    assert set(counted["wins"]) == {"captain", "random"}
    assert counted["digest"] in shown


# -- looking things up -------------------------------------------------------------------------------------------------


def test_a_rule_is_shown_and_found(told: Any) -> None:
    assert told("rules", "show", "aof-move-6", "--json").json["id"] == "AOF-MOVE-06"
    assert "base contact" in told("rules", "show", "MOVE-06").out
    assert "AOF-SR-BLAST-02" in told("rules", "show", "sr-blast").out
    assert {"AOF-SR-HERO-02", "SBH-SR-HERO-02"} <= {
        r["id"] for r in told("rules", "show", "sr-hero", "--json").json["rules"]
    }
    assert told("rules", "search", "embuscade", "--json").json["found"] > 0
    french = told("rules", "show", "AOF-GEN-02", "--lang", "fr").out
    assert "Un 6 non modifié réussit toujours" in french
    assert "Interprétation" in french
    assert told("rules", "search", "modifie", "echoue", "--lang", "fr", "--json").json["rules"][0]["id"] == "AOF-GEN-02"
    nothing = told("rules", "search", "xylophone")
    assert (nothing.code, "no rule speaks of" in nothing.out) == (1, True)


def test_what_looks_like_markup_is_printed_as_it_is(told: Any) -> None:
    assert '"[bold]xyz[/bold]"' in told("rules", "search", "[bold]xyz[/bold]").out


def test_cases_pass_and_fail_by_exit_code(told: Any, tmp_path: Path) -> None:
    good = next(iter(sorted((Path(__file__).parent.parent / "cases" / "aof").rglob("*.toml"))))
    bad = tmp_path / "bad.toml"
    bad.write_text('rule = "AOF-NONE-99"\ntitle = "nothing of the kind"\n')

    passed, failed = told("cases", "run", str(good), "--json"), told("cases", "run", str(bad))

    assert passed.code == 0
    assert passed.json["failed"] == 0
    assert failed.code == 1
    assert "FAILED" in failed.out


def test_armies_are_listed_shown_and_checked(told: Any, tmp_path: Path) -> None:
    listed = told("army", "list", "--json").json
    one = listed["lists"][0]["id"]
    wrong = tmp_path / "autumn.toml"
    wrong.write_text('game = "aof"\narmy = "kiln_clans"\npoints = 750\nunits = [{ unit = "stoker" }]\n')

    shown = told("army", "show", one, "--json").json
    unit = told("army", "show", "stokers+banner", "--json").json
    checked = told("army", "check", str(wrong))
    as_data = told("army", "check", str(wrong), "--json")

    assert len(listed["factions"]) >= 4
    assert shown["cost"] <= shown["points"]
    assert unit["upgrades"] == ["banner"]
    assert (checked.code, as_data.code) == (1, 1)
    assert 'units[1].unit: no unit "stoker"' in checked.err
    assert as_data.json["lists"][0]["problems"][0]["where"] == "units[1].unit"
    assert "Kiln" in told("army", "show", "kiln_clans").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("army", "check", "{wrong}"), 'units[1].unit: unité : "stoker" n\'existe pas ; vouliez-vous dire "stokers" ?'),
        (("army", "show", "kiln_clan"), 'ni faction, ni liste, ni unité "kiln_clan" ; vouliez-vous dire'),
        (("map", "show", "the_forde"), 'table : "the_forde" n\'existe pas ; attendu : '),
        (("map", "generate", "--size", "huge"), 'illisible : "huge"'),
        (("replay", "{wrong}"), "line 1: pas du JSON"),
        (("campaign", "status", "{wrong}"), "line 1: pas du JSON ; ce n'est pas une campagne d'Oriflamme"),
        (("campaign", "new", "{folder}/x.campaign", "--battles", "0"), "une campagne de 0"),
        (("odds", "aof", "nobody", "stokers"), 'pas d\'unité "nobody"'),
        (("battle", "aof", "--bots", "nobody,captain"), 'pas de bot "nobody" pour aof'),
    ],
)
def test_what_is_wrong_is_said_in_the_language_asked_for(
    told: Any, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    wrong = tmp_path / "autumn.toml"
    wrong.write_text('game = "aof"\narmy = "kiln_clans"\npoints = 750\nunits = [{ unit = "stoker" }]\n')
    asked = [part.format(wrong=wrong, folder=tmp_path) for part in arguments]

    french = told(*asked, "--lang", "fr")
    english = told(*asked)

    assert french.code == english.code != 0
    assert said in french.err
    assert said not in english.err


def test_broken_toml_is_told_with_its_line(told: Any, tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text('game = "aof"\npoints = = 750\n')

    said = told("army", "check", str(tmp_path / "broken.toml"))

    assert said.code == 1
    assert "line 2" in said.err


def test_points_are_explained(told: Any) -> None:
    units = told("points", "kiln_clans", "--json").json["units"]

    assert {"id", "cost", "parts"} <= set(units[0])
    assert all(
        round(sum(p["models"] * p["total"] for p in unit["parts"])) - unit["cost"] in (-1, 0, 1) for unit in units
    )
    assert "Stokers" in told("points", "stokers").out


@pytest.mark.parametrize(("arguments", "key"), [((), "hits"), (("--charge",), "charger_wins")])
def test_odds_say_how_they_were_found(told: Any, arguments: Sequence[str], key: str) -> None:
    found = told("odds", "aof", "crossbow_company", "stokers", *arguments, "--json").json

    assert found["method"] in ("exact", "sampled")
    assert key in found
    assert "(exact)" in told("odds", "aof", "crossbow_company", "stokers", *arguments).out


def test_odds_of_regiments_are_tables_in_both_languages(told: Any) -> None:
    charge = ("odds", "tlaok", "salt_knights+5", "tide_pikes+6+standard", "--charge", "--distance", "11")

    assert "Morale of Tide Pikes" in told(*charge).out
    french = told(*charge, "--lang", "fr").out
    assert "Stands perdus" in french
    assert "stands lost" not in french
    assert told("odds", "tlaok", "tide_abbot", "masked_axes", "--json").json["odds"][0]["spell"] == "scouring_brine"


def test_maps_are_shown_and_made(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "made.toml"

    made = told(
        "map", "generate", "--seed", "7", "--out", str(file), "--svg", str(tmp_path / "made.svg"), "--json"
    ).json

    assert len(made["piece"]) >= 15
    assert told("map", "show", str(file), "--json").json["piece"] == made["piece"]
    assert "village" in told("map", "list").out
    of_game = told("map", "generate", "--seed", "3", "--game", "lfw", "--scenario", "scn3", "--json").json
    assert of_game["id"] == "battlefield_scn3_2_3"
    assert of_game["opening"]
    assert re.search(r"hex_moor +skirmish .*hexes of 20 mm", told("map", "list").out)
    assert told("battle", "aof", "--map", str(file), "--bots", "random,random", "--json").code == 0


def test_a_board_of_hexes_is_made_and_played_on(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "moor.toml"

    made = told(
        "map", "generate", "--seed", "7", "--size", "60x60cm", "--hexes", "20", "--out", str(file), "--json"
    ).json
    fought = told(*SKIRMISH, "--map", str(file), "--set", "turns=20", "--json").json

    assert (made["size"], made["measure"], made["hexes"]) == ([60, 60], "cm", 20)
    assert fought["map"] == made["id"]


# -- the game in the terminal ------------------------------------------------------------------------------------------


def test_a_battle_is_played_through_a_pipe_with_a_dumb_terminal(tmp_path: Path) -> None:
    lines = "\n".join(["help", "forces", "", "1", "2", "why", "rules fear", "table"] + ["suggest", ""] * 6)

    done = shell("play", "aof", "--seed", "3", stdin=lines, TERM="dumb", ORIFLAMME_DATA=str(tmp_path))

    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "Place an objective" in done.stdout
    saved = re.search(r"oriflamme play --continue (\S+)", done.stdout)
    assert saved is not None
    again = shell("play", "--continue", saved[1], stdin="log\nquit\n", TERM="dumb", ORIFLAMME_DATA=str(tmp_path))
    assert again.returncode == 0
    assert "places objective 1" in again.stdout


def seated(monkeypatch: pytest.MonkeyPatch, lines: Iterator[str]) -> None:
    def typed(prompt: str = "") -> str:
        print(prompt, end="")
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", typed)


GARBAGE = (
    "why", "why charge b1", "why rush", "odds b1", "odds a1 b2 charge", "odds", "rules AOF-MOVE-06",
    "rules [bold]", "rules", "log", "log all", "log x", "forces", "show a2", "show zz", "undo", "undo!",
    "suggest", "draw off", "save", "save /nowhere/x", "svg /nowhere/x", "to 30 24", "to b1", "to o1", "to o9",
    "to b2 3", "to", "to 1e9 3", "to -5 -5", "model 3 to 30 20", "model 99 to 1 1", "model", "stay", "at 30 8",
    "ranks 3 at 40 40", "ranks 0 at 1 1", "at 999 999", "1=1", "0", "none", "1,2", "2 1", "a2", "charge b1",
    "north", "nord-est 40", "sw 3 cm", "e 99999", "b3", "a1", "move", "attack b1", "why attack b1", "why shoot b2",
    "at 30 30 turn 45", "at 5 5 turn 999", "a3 to 10 3", "a99 to 1 1", "rules sbh-act-04", "off", "done",
    "[/bold]", "\x1b[31m", "é" * 300, "%s", "{}", "{0.x}", "\\", "'",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "ways"),
    [
        (1, ("aof", "--hotseat")),
        (2, ("aof",)),
        (3, ("aof", "--lang", "fr", "--side", "b")),
        (4, ("sbh", "--hotseat", "--set", "scenario=ambush")),
        (5, ("sbh", "--lang", "fr", "--side", "b", "--set", "board=hex")),
        (6, ("sbh", "--map", "brook", "--set", "scenario=item", "--bot", "random")),
    ],
)
def test_no_garbage_upsets_the_game(told: Any, monkeypatch: pytest.MonkeyPatch, seed: int, ways: Sequence[str]) -> None:
    random = Random(seed)

    def lines() -> Iterator[str]:
        for _ in range(250):
            yield random.choice(("", str(random.randint(1, 6)), "suggest", random.choice(GARBAGE)))

    seated(monkeypatch, lines())
    said = told("play", *ways, "--seed", str(seed))

    assert said.code == 0
    saved = re.findall(r"(\S+\.save)", said.out)[-1]
    assert told("replay", saved, "--verify").code == 0


def test_ctrl_c_saves_and_says_how_to_go_on(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(prompt: str = "") -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    said = told("play", "aof", "--seed", "3")

    assert said.code == 130
    assert "oriflamme play --continue" in said.out


def test_a_move_too_far_is_refused_and_the_nearest_legal_one_offered(
    told: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lines() -> Iterator[str]:
        for _ in range(40):
            yield from ("suggest", "")
        yield "quit"

    seated(monkeypatch, lines())
    said = told("play", "aof", "--seed", "3", "--bot", "random")
    saved = re.findall(r"(\S+\.save)", said.out)[-1]
    assert "captain would: " in said.out

    seated(monkeypatch, iter(["1", "advance", "to 36 24", "", "undo", "stay", "quit"]))
    again = told("play", "--continue", saved)

    assert again.code == 0


def test_undo_stops_at_dice_unless_told_otherwise(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seated(monkeypatch, iter(["at 30 20", "", "undo", "at 40 24", "", "undo!", "quit"]))

    said = told("play", "aof", "--seed", "21", "--bot", "random")

    assert said.out.count("taken back to: Place an objective") >= 1


def test_who_takes_back_past_dice_meets_others(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot is no reason to roll the same dice twice: the save says from where on another seed holds."""

    def lines() -> Iterator[str]:
        for _ in range(12):
            yield from ("suggest", "")
        for _ in range(8):
            yield from ("suggest", "", "undo!")
        for _ in range(6):
            yield from ("suggest", "")
        yield "quit"

    seated(monkeypatch, lines())
    said = told("play", "aof", "--seed", "3", "--bot", "random")
    saved = Path(re.findall(r"(\S+\.save)", said.out)[-1])
    head = json.loads(saved.read_text().splitlines()[0])
    checked = told("replay", str(saved), "--verify")

    assert head["seed"] == 3
    assert head["seeds"]
    assert all(one["seed"] != 3 for one in head["seeds"])
    assert checked.code == 0
    assert f"it has {1 + len(head['seeds'])} seeds" in checked.out


class Typist:
    """Types his way through a skirmish, looking at what is asked: goes at the nearest enemy by name, and strikes."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.asked: Any = None
        self.tries = 0

    def __call__(self, prompt: str = "") -> str:
        decision: Any = self.session.play.pending[0]
        self.tries = self.tries + 1 if decision is self.asked else 0
        self.asked = decision
        if self.tries > 4:
            return "stay" if isinstance(decision, Move) else ""
        match decision.ask:
            case "move_fighter":
                # Where to, and Enter takes it; a step north where that is refused.
                return "" if self.tries in (1, 3) else self.nearest(decision) if self.tries == 0 else "north 20"
            case "choose_fighter":
                return self.session.tags[decision.options[0].key]
            case "choose_action":
                deeds = [option.word for option in decision.options]
                return str(deeds.index("attack") + 1) if "attack" in deeds else "move" if "move" in deeds else "no more"
        return "1" if isinstance(decision, PickOne) and decision.default is None else ""

    def nearest(self, decision: Move) -> str:
        battle = self.session.play.battle
        me = battle.units[decision.about["fighter"]]
        foes = sorted(battle.foes(me), key=lambda foe: battle.gap(me, foe))
        return self.session.tags[foes[0].id]


def test_a_skirmish_is_typed_through_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load("sbh")
    setup = game.setup(3, map="crossroads", choices={"scenario": "battle", "turns": "60"})
    session = Session(Play(game, setup, 3), ["human", "human"], "en", tmp_path / "typed.save")
    monkeypatch.setattr("builtins.input", Typist(session))

    session.run()
    said = capsys.readouterr().out

    assert session.play.over
    assert "The battle is over: " in said
    assert {"Moved", "Fought"} <= {event.name for event in session.play.events}
    assert re.search(r"moves [\d.]+ mm, into contact with [ab]\d", said)
    assert re.search(r"a\d .*: move up to 80 mm \(Medium\), straight", said)


@pytest.mark.parametrize(
    ("lang", "typed", "said"),
    [
        ("en", "attack b1", r"refused: b1 [\w ]+ is not in contact, [\d.]+ mm away  SBH-COMBAT-01"),
        ("en", "why leave", r"refused: nobody holds a\d .*  SBH-LEAVE-01"),
        ("fr", "why tirer b1", r"refusé : (c'est à [\d,]+ mm, \d+ mm au plus|a\d .* ne tire pas)  SBH-SHOOT-0[12]"),
        ("fr", "why immobiliser b1", r"refusé : a\d .* n'est pas Mage  SBH-MAGIC-01"),
    ],
)
def test_what_is_not_offered_is_refused_with_its_rule_and_numbers(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    lang: str,
    typed: str,
    said: str,
) -> None:
    game = load("sbh")
    setup = game.setup(3, map="crossroads", choices={"scenario": "battle"})
    session = Session(Play(game, setup, 3), ["human", "random"], lang, tmp_path / "asked.save")
    typist = Typist(session)

    def asks(prompt: str = "") -> str:
        if session.play.pending[0].ask != "choose_action":
            return typist()
        return "quit" if session.refusal is not None else typed

    monkeypatch.setattr("builtins.input", asks)
    session.run()

    out = capsys.readouterr().out
    assert re.search(said, out), out[-1500:]


def test_giving_up_is_written_out_and_never_a_slip_of_the_finger(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seated(monkeypatch, iter(["attack", "south", "", "", "con", "give", "42", "concede"]))

    said = told("play", "sbh", "--seed", "3", "--hotseat", "--map", "crossroads", "--set", "scenario=battle")

    assert said.code == 0
    assert "also: concede: give up the battle" in said.out
    assert said.out.count("cannot make out") == 3
    assert re.search(r"(Side [AB]) gives up the field", said.out)
    assert "The battle is over: Side " in said.out


def test_dice_are_weighed_before_they_are_rolled(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seated(monkeypatch, iter(["attack", "south", "", "", "odds", "1", "odds", "quit"]))

    said = told("play", "sbh", "--seed", "3", "--hotseat", "--map", "crossroads", "--set", "scenario=battle")

    assert "Who is activated, and on what" in said.out
    one = re.search(r"^ *1 die +([\d.]+)% +([\d.]+)% +0.0% +0.0% +0.0% ", said.out, re.M)
    assert one is not None
    assert float(one[1]) + float(one[2]) == pytest.approx(100, abs=0.1)


def test_nobody_sees_what_is_hidden_from_his_side(told: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The band of the other side is secret until it is deployed (SBH-BAND-01)."""
    picture = tmp_path / "seen.svg"
    seated(monkeypatch, iter(["forces", "show b1", "table", f"svg {picture}", "quit"]))

    said = told("play", "sbh", "--seed", "12", "--set", "scenario=battle", "--bot", "random")

    assert re.search(r"^ a1 +Tollmaster Skree +3\+ ", said.out, re.M)
    assert 'no unit "b1"' in said.out
    assert "Tollmaster Skree" in picture.read_text(encoding="utf-8")
    assert "Old Amber" not in said.out + picture.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("north", (90, None, "")), ("n 60", (90, 60, "")), ("Nord-Est 4,5 cm", (45, 4.5, "cm")),
        ("sw 40mm", (225, 40, "mm")), ('e 2"', (0, 2, "in")), ("o 3", (180, 3, "")), ("sud ouest", (225, None, "")),
        ("b2", None), ("north b2", None), ("", None), ("60", None),
    ],
)  # fmt: skip
def test_ways_are_read_as_people_say_them(text: str, found: tuple[int, float | None, str] | None) -> None:
    assert heading(text) == found


def test_what_is_typed_is_understood() -> None:
    labels = ["Hold: stay and shoot", "Advance: move, then shoot", "Charge b2 Drowned Levy", "Charge b3 Levy of Hold"]
    keys = ["hold", "advance", "charge:levy", "charge:other"]

    assert matches("2", labels, keys) == [1]
    assert matches("9", labels, keys) == []
    assert matches("hold", labels, keys) == [0]
    assert matches("ADV", labels, keys) == [1]
    assert matches("b2", labels, keys) == [2]
    assert matches("charge b3", labels, keys) == [3]
    assert matches("charge", labels, keys) == [2, 3]
    assert matches("drowned", labels, keys) == [2]
    assert matches("", labels, keys) == []
    assert matches("Élite", ["a1 Élites", "a2 Autres"], ["x", "y"]) == [0]
    assert matches("elite", ["a1 Élites", "a2 Autres"], ["x", "y"]) == [0]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("30,5 24,25", [30.5, 24.25]), ("30, 24", [30, 24]),
        ("30 24", [30, 24]), ("30,24", [30, 24]), ("30.5 24", [30.5, 24]), ('30" 24"', [30, 24]),
        ("30", [30]), ("30 24 3", [30, 24, 3]), ("b2", None), ("30 b2", None), ("", None), ("1e9 3", None),
    ],
)  # fmt: skip
def test_places_are_read_as_people_write_them(text: str, found: list[float] | None) -> None:
    assert numbers(text) == found
