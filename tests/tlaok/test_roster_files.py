"""Rosters of BattleScribe and New Recruit: regiments come as regiments of a player's own, characters are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from oriflamme.cli.app import app
from oriflamme.engine.words.problems import Problems
from oriflamme.games import load

LETTERS = "MVCAWRDE"
PROFILE = """<profile name="{name}" typeName="{kind}"><characteristics>
  <characteristic name="Type">Infantry</characteristic><characteristic name="Class">Heavy</characteristic>
  {values}<characteristic name="Stands">{stands}</characteristic></characteristics></profile>"""
BARRAGE = """<profile name="Bow" typeName="Barrage"><characteristics><characteristic name="Shots">2</characteristic>
  <characteristic name="Range">20"</characteristic></characteristics></profile>"""


def profile(name: str, kind: str, values: str, stands: int = 3) -> str:
    told = "".join(
        f'<characteristic name="{letter}">{value}</characteristic>'
        for letter, value in zip(LETTERS, values.split(), strict=True)
    )
    return PROFILE.format(name=name, kind=kind, values=told, stands=stands)


CAPTAIN = profile("Captain", "Character", "5 1 3 5 5 4 3 0")
HOUSEHOLD = profile("Household", "Regiment", "5 1 2 5 4 3 3 -")
ROSTER = f"""<roster name="Border Watch" gameSystemName="Conquest: Last Argument of Kings">
  <costs><cost name="Points" value="470"/></costs><forces><force><selections>
    <selection name="Captain" type="model" number="1"><profiles>{CAPTAIN}</profiles>
      <costs><cost name="Points" value="90"/></costs></selection>
    <selection name="Household" type="unit" number="1"><profiles>{HOUSEHOLD}{BARRAGE}</profiles>
      <rules><rule name="Shield"/><rule name="Cleave 1"/><rule name="Oath of Nobody"/></rules>
      <selections><selection name="Additional Stands" type="upgrade" number="2"/></selections>
      <costs><cost name="Points" value="190"/></costs></selection>
    <selection name="Household" type="unit" number="1"><profiles>{HOUSEHOLD}</profiles>
      <costs><cost name="Points" value="190"/></costs></selection>
  </selections></force></forces></roster>"""


def test_regiments_come_with_their_characteristics_and_what_is_unknown_is_named() -> None:
    armies = load("tlaok").armies()

    draft, notes = armies.import_roster(ROSTER.encode(), "list", {})

    (own,) = draft.custom
    assert [own[letter] for letter in LETTERS] == [5, 1, 2, 5, 4, 3, 3, 0]
    assert (own["type"], own["class"], own["least"], own["most"]) == ("infantry", "heavy", 3, 5)
    assert own["rules"] == ["Shield", "Cleave(1)"]
    assert own["barrages"] == [{"shots": 2, "range": 20, "rules": []}]
    assert [(entry.unit, entry.count) for entry in draft.entries] == [("household", 5), ("household", 3)]
    said = " ".join(note["en"] for note in notes)
    assert "Captain" in said
    assert "Oath of Nobody" in said
    assert "470" in said
    assert all(note["fr"] != note["en"] for note in notes)

    checked = armies.checked(draft, {})
    assert checked.custom[0].cost, checked.problems
    assert not any(problem.where.startswith("custom") for problem in checked.problems)


def test_a_roster_without_regiments_is_refused() -> None:
    with pytest.raises(Problems, match="eight characteristics"):
        load("tlaok").armies().import_roster(b"<roster name='x'><selection name='Captain'/></roster>", "list", {})


def test_the_terminal_stores_what_it_has_read(tmp_path: Path) -> None:
    file, out = tmp_path / "watch.ros", tmp_path / "watch.json"
    file.write_text(ROSTER, encoding="utf-8")

    done = CliRunner().invoke(app, ["army", "import", str(file), "--game", "tlaok", "--out", str(out)])

    assert done.exit_code == 0, done.output
    assert "Captain" in done.output
    kept = json.loads(out.read_text(encoding="utf-8"))
    assert kept["custom"][0]["name"] == "Household"
