"""Rosters of BattleScribe and New Recruit: what is read of them, and what is refused before it is."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from oriflamme.cli.app import app
from oriflamme.engine.lists.roster_files import DEEPEST, LARGEST, MOST, read_roster
from oriflamme.engine.words.problems import Problems
from oriflamme.games import load

ROSTER = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<roster id="r" name="Marsh Host" battleScribeVersion="2.03" gameSystemName="Age of Fantasy"
        xmlns="http://www.battlescribe.net/schema/rosterSchema">
  <costs><cost name="pts" typeId="p" value="270.0"/><cost name=" PL" typeId="q" value="9"/></costs>
  <costLimits><costLimit name="pts" typeId="p" value="750.0"/></costLimits>
  <forces><force id="f" name="Army" catalogueName="Saurians"><selections>
    <selection id="c" name="Battle Size" number="1" type="upgrade"/>
    <selection id="a" name="Saurian Warriors" number="1" type="unit">
      <rules><rule id="1" name="Cold Blooded" hidden="false"><description>…</description></rule></rules>
      <profiles>
        <profile id="u" name="Saurian Warriors" typeName="Unit" hidden="false"><characteristics>
          <characteristic name="Quality">4+</characteristic><characteristic name="Defense">4+</characteristic>
          <characteristic name="Special Rules">Scout, Tough(2)</characteristic>
        </characteristics></profile>
      </profiles>
      <selections>
        <selection id="m" name="Warrior" number="9" type="model"/>
        <selection id="n" name="Warrior with horn" number="1" type="model"><selections>
          <selection id="h" name="Horn" number="1" type="upgrade"><rules><rule id="2" name="Fear(1)"/></rules>
            <costs><cost name="pts" typeId="p" value="20.0"/></costs></selection>
        </selections></selection>
        <selection id="w" name="Spears" number="10" type="upgrade"><profiles>
          <profile id="s" name="Spear" typeName="Weapon"><characteristics>
            <characteristic name="Range">-</characteristic><characteristic name="Attacks">A1</characteristic>
            <characteristic name="Special Rules">Counter, AP(1)</characteristic>
          </characteristics></profile></profiles></selection>
      </selections>
      <costs><cost name="pts" typeId="p" value="150.0"/></costs>
    </selection>
    <selection id="b" name="Chameleon [1]" customName="Old Azcot" number="1" type="model"><profiles>
        <profile id="v" name="Chameleon" typeName="Unit"><characteristics>
          <characteristic name="Quality">3+</characteristic><characteristic name="Defense">5+</characteristic>
          <characteristic name="Special Rules">Hero, Tough(3)</characteristic></characteristics></profile>
        <profile id="b" name="Blowpipe" typeName="Weapon"><characteristics>
          <characteristic name="Range">12"</characteristic><characteristic name="Attacks">A3</characteristic>
          <characteristic name="AP">2</characteristic></characteristics></profile></profiles>
      <costs><cost name="pts" typeId="p" value="100.0"/></costs></selection>
  </selections></force></forces>
</roster>
"""


def packed(*files: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files:
            out.writestr(name, content)
    return made.getvalue()


@pytest.mark.parametrize("how", ["ros", "rosz", "gz"])
def test_a_roster_becomes_an_army_with_a_note_on_all_that_was_assumed(how: str, tmp_path: Path) -> None:
    plain = ROSTER.encode()
    content = {"ros": plain, "rosz": packed(("Marsh Host.ros", plain)), "gz": gzip.compress(plain)}[how]
    file = tmp_path / f"host.{how}"
    file.write_bytes(content)

    data, notes = load("aof").armies().import_file(file)

    warriors, hero = data["units"]
    assert (warriors["name"]["en"], len(warriors["models"])) == ("Saurian Warriors", 10)
    assert (hero["name"]["en"], len(hero["models"])) == ("Old Azcot", 1)
    cards = [warriors["cards"][number] for number in warriors["models"]]
    assert all(card["quality"] == 4 and card["defense"] == 4 for card in cards)
    assert all({"Scout", "Tough(2)"} <= set(card["keywords"]) for card in cards)
    assert sum("Fear(1)" in card["keywords"] for card in cards) == 1, "one carries the horn"
    assert all(card["weapons"][0]["keywords"] == ["Counter", "AP(1)"] for card in cards)
    (pipe,) = hero["cards"][0]["weapons"]
    assert (pipe["range"], pipe["attacks"], pipe["keywords"]) == (12, 3, ["AP(2)"])
    said = " ".join(notes)
    assert "Cold Blooded" in said, "a rule nobody knows is named"
    assert "Battle Size" in said
    assert "270" in said, "their points stand beside ours"
    assert data["points"] == 750


def refusal(content: bytes) -> str:
    with pytest.raises(Problems) as wrong:
        read_roster(content, "list.ros")
    return str(next(iter(wrong.value)).what)


def test_what_would_harm_is_refused_unread() -> None:
    bomb = '<!DOCTYPE roster [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><roster name="&b;"/>'
    outside = '<!DOCTYPE roster [<!ENTITY x SYSTEM "file:///etc/hostname">]><roster name="&x;"/>'
    dtd = '<!DOCTYPE roster SYSTEM "http://example.org/roster.dtd"><roster/>'
    for text in (bomb, outside, dtd):
        assert "entities" in refusal(text.encode())
    assert "levels" in refusal(b"<roster>" + b"<selection>" * DEEPEST + b"</selection>" * DEEPEST + b"</roster>")
    assert "elements" in refusal(b"<roster>" + b"<rule/>" * MOST + b"</roster>")
    zeros = b"<roster>" + b" " * (LARGEST + 1) + b"</roster>"
    for large in (packed(("a.ros", zeros)), gzip.compress(zeros), zeros):
        assert "longer than" in refusal(large)


def test_what_is_no_roster_is_refused_with_what_to_do() -> None:
    two = packed(("a.ros", b"<roster/>"), ("b.ros", b"<roster/>"))
    many = packed(*((f"{number}.txt", b"") for number in range(40)), ("a.ros", b"<roster/>"))
    torn = packed(("a.ros", ROSTER.encode()))[:200]
    for content in (b"", b"PK\x03\x04", b"\x1f\x8b", two, many, torn, b"<army/>", b"<roster", b"\xff\xfe<roster/>"):
        assert refusal(content)
    with pytest.raises(Problems):
        load("aof").armies().import_roster(b"<roster name='x'/>", "list", {})
    for game in ("sbh", "rn3", "lfw", "tlaok"):
        with pytest.raises(Problems):
            load(game).armies().import_roster(ROSTER.encode(), "list", {})


def test_the_terminal_reads_one_and_refuses_a_bomb_without_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "host.rosz"
    file.write_bytes(packed(("host.ros", ROSTER.encode())))
    out = tmp_path / "host.json"
    done = CliRunner().invoke(app, ["army", "import", str(file), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert CliRunner().invoke(app, ["army", "check", str(out), "--game", "aof"]).exit_code == 0
    file.write_bytes(b'<!DOCTYPE roster [<!ENTITY a "b">]><roster name="&a;"/>')
    done = CliRunner().invoke(app, ["army", "import", str(file)])
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit | Problems)


def test_the_player_chooses_whose_points_count(tmp_path: Path) -> None:
    file, armies = tmp_path / "host.ros", load("aof").armies()
    file.write_text(ROSTER, encoding="utf-8")

    ours, _ = armies.import_file(file)
    theirs, _ = armies.import_file(file, printed=True)

    assert [unit["printed"] for unit in ours["units"]] == [170, 100]
    assert [unit["cost"] for unit in theirs["units"]] == [170, 100]
    assert [unit["cost"] for unit in ours["units"]] != [170, 100]
    for data in (ours, theirs):
        draft = armies.from_list(data)
        assert draft.printed is (data is theirs)
        assert armies.checked(draft, {}).cost == sum(unit["cost"] for unit in data["units"])
        again = armies.from_list(armies.to_list(draft))
        assert armies.checked(again, {}).cost == sum(unit["cost"] for unit in data["units"])
    out = tmp_path / "host.json"
    line = ["army", "import", str(file), "--their-points", "--out", str(out)]
    assert "270 points by their own count" in CliRunner().invoke(app, line).output
    assert CliRunner().invoke(app, ["army", "check", str(out), "--game", "aof"]).exit_code == 0
    # A cost that is neither ours nor theirs is still refused.
    out.write_text(out.read_text(encoding="utf-8").replace('"cost": 170', '"cost": 1'), encoding="utf-8")
    assert CliRunner().invoke(app, ["army", "check", str(out), "--game", "aof"]).exit_code == 1
