"""The documents say what the code does now."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import oriflamme
from oriflamme.cases.runner import run_file
from oriflamme.cases.words import document, events_document

DOCS = Path(__file__).parents[1] / "docs"
SOURCE = Path(oriflamme.__file__).parent
# `engine.core.play.Play`, `games/aof/charge.py`: a name of ours that says where it is.
PLACE = re.compile(r"`((?:engine|games|server|cli|lab|cases)(?:[./][A-Za-z_]+)+?)(?:\.py)?`")
RENEW = "is out of date: python -m oriflamme.cases.words writes it anew"


def test_every_event_is_in_the_list_of_events() -> None:
    assert (DOCS / "events.md").read_text(encoding="utf-8") == events_document(), f"docs/events.md {RENEW}"


def test_every_event_in_the_list_is_told_somewhere() -> None:
    games = SOURCE / "games"
    silent = []
    for game in sorted(folder for folder in games.iterdir() if (folder / "__init__.py").is_file()):
        source = "\n".join(path.read_text("utf-8") for path in sorted(game.rglob("*.py")))
        events = re.findall(r"^class (\w+)\(Event\b", source, re.MULTILINE)
        assert events, game.name
        silent += [f"{game.name}: {event}" for event in events if not re.search(rf"(?<!class )\b{event}\(", source)]

    assert silent == []


def test_the_words_of_cases_are_in_the_document() -> None:
    written = (DOCS / "cases.md").read_text(encoding="utf-8")

    assert written == document(written), f"docs/cases.md {RENEW}"


def test_every_module_that_is_named_is_there() -> None:
    missing = {
        f"{path.name}: {place}"
        for path in (*SOURCE.rglob("*.py"), *DOCS.glob("*.md"))
        for place in PLACE.findall(path.read_text(encoding="utf-8"))
        if not _is_there(place.replace(".", "/").split("/"))
    }

    assert not missing


def _is_there(parts: list[str]) -> bool:
    """A folder, or a module and perhaps what is in it."""
    above = [SOURCE.joinpath(*parts[:number]) for number in range(1, len(parts) + 1)]
    return above[-1].is_dir() or any(path.with_suffix(".py").is_file() for path in above)


def test_the_walks_of_an_attack_name_what_is_there() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    walks = page.partition("## One attack, file by file")[2].partition("\n## ")[0]
    steps = 0
    for walk in walks.split("\n### ")[1:]:
        folder = SOURCE / re.findall(r"`(games/\w+)`", walk)[0]
        for line in re.findall(r"^\d+\. .*", walk, re.MULTILINE):
            file, *names = re.findall(r"`([^`]+)`", line)
            code = (folder / file).read_text(encoding="utf-8")
            there = [name for name in names if not re.search(r"\.toml$", name)]
            assert all(re.search(rf"\b{name}\b", code) for name in there), line
            steps += 1

    assert steps >= 20


def test_the_case_in_the_template_for_reports_passes(tmp_path: Path) -> None:
    template = (DOCS.parent / ".github/ISSUE_TEMPLATE/rule.md").read_text(encoding="utf-8")
    (case,) = re.findall(r"```toml\n(.*?)```", template, re.DOTALL)
    written = tmp_path / "case.toml"
    written.write_text(case, encoding="utf-8")

    assert [row.passed for row in run_file(written)] == [True]


def test_the_reference_of_the_library_is_what_the_docstrings_say() -> None:
    made = runpy.run_path(str(DOCS.parent / "tools/api.py"))["reference"]()

    assert (DOCS / "api.md").read_text(encoding="utf-8") == made, "docs/api.md is out of date: python tools/api.py"
