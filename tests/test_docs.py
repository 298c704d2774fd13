"""The documents say what the code does now."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType

import oriflamme.games.aof.events as aof_events
import oriflamme.games.sbh.campaign.events as sbh_campaign_events
import oriflamme.games.sbh.events as sbh_events
import oriflamme.games.tlaok.events as tlaok_events
from oriflamme.engine.events import Event

DOCS = Path(__file__).parents[1] / "docs"
GAMES: dict[str, ModuleType] = {
    "Age of Fantasy": aof_events,
    "Song of Blades and Heroes": sbh_events,
    "Campaigns of Song of Blades and Heroes": sbh_campaign_events,
    "Conquest: The Last Argument of Kings": tlaok_events,
}


def described_events() -> str:
    lines = [
        "# Events",
        "",
        "What a battle states as facts, in the order a game declares them in its `events.py`. Every event also has",
        "`rule`, the id of the rule behind it. Sides are 0 and 1; units, models and fighters are named by their ids.",
    ]
    for title, module in GAMES.items():
        lines += ["", f"## {title}", "", "| event | fields | |", "|---|---|---|"]
        for name, cls in vars(module).items():
            if inspect.isclass(cls) and issubclass(cls, Event) and cls is not Event:
                fields = ", ".join(f"`{f}`" for f in cls.__struct_fields__ if f != "rule")
                doc = inspect.cleandoc(cls.__doc__).replace("\n", " ") if "__doc__" in vars(cls) and cls.__doc__ else ""
                lines.append(f"| `{name}` | {fields} | {doc} |")
    return "\n".join(lines) + "\n"


def test_every_event_is_in_the_list_of_events() -> None:
    written = (DOCS / "events.md").read_text(encoding="utf-8")

    assert written == described_events(), "docs/events.md is out of date: python -m tests.test_docs writes it anew"


if __name__ == "__main__":
    (DOCS / "events.md").write_text(described_events(), encoding="utf-8")
