"""Battles as data: decisions as rows, for tables, and replays as lines of JSON. docs/research.md has the schema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from oriflamme.engine.core.decisions import Decision, Move, Place
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with

SCHEMA: Final = "oriflamme-replay/1"
# How many legal answers are listed beside the one that was chosen.
MOST: Final = 32


def decisions(play: Play) -> Iterator[dict[str, Any]]:
    """A row for each answer of a battle: what was asked, what could be answered, what was, and what came of it.

    Answers are JSON. Of places and moves, which are endless, the candidates are what the rules propose.
    """
    result = play.game.result(play.battle)
    again = play.again()
    for number, (side, answer) in enumerate(play.answers):
        decision = again.decision_of(side)
        assert decision is not None
        chosen = _json(answer)
        found = list(dict.fromkeys(map(_json, candidates(decision, number))))[:MOST]
        if chosen not in found:
            found.append(chosen)
        yield {
            "game": play.game.id,
            "seed": play.seed,
            "number": number,
            "round": again.battle.round,
            "side": side,
            "kind": decision.kind,
            "ask": decision.ask,
            "rule": decision.rule,
            "about": _json(decision.about),
            "candidates": found,
            "chosen": found.index(chosen),
            "score": [int(score) for score in play.game.score(again.battle)],
            "over": play.over,
            "won": side in play.battle.winners,
            "winners": list(result["winners"]),
            "final_score": [int(score) for score in result["score"]],
        }
        again.replay([(side, answer)])


def candidates(decision: Decision, seed: int) -> list[Any]:
    """Legal answers: all of them or the first; of places and moves what is suggested, and some by chance."""
    if not isinstance(decision, Place | Move):
        return decision.answers(MOST)
    found = []
    for draw in range(4):
        try:
            found.append(decision.sample(Random(1000 * seed + draw)) if draw else decision.suggestion())
        except LookupError:
            continue
    return found


def lines(play: Play) -> Iterator[dict[str, Any]]:
    """A battle line by line: how it began, each answer with what happened then, and how it ended."""
    yield {
        "schema": SCHEMA, "line": "battle", "game": play.game.id, "rules": play.game.version, "seed": play.seed,
        "seeds": [list(one) for one in play.seeds], "given": list(play.given), "setup": play.setup,
    }  # fmt: skip
    again = play.again()
    told = 0
    for number, (side, answer) in enumerate(play.answers):
        decision = again.decision_of(side)
        assert decision is not None
        again.replay([(side, answer)])
        events, told = again.events[told:], len(again.events)
        yield {
            "line": "answer", "number": number, "side": side, "round": again.battle.round, "kind": decision.kind,
            "ask": decision.ask, "rule": decision.rule, "answer": answer, "events": [type(e).__name__ for e in events],
        }  # fmt: skip
    yield {"line": "end", "over": play.over, **play.game.result(play.battle)}


def export(path: Path, plays: Iterable[Play]) -> int:
    """Write battles to a file: decisions to `.parquet`, replays to `.jsonl`. How many rows or lines were written."""
    if path.suffix == ".jsonl":
        written = 0
        with path.open("w", encoding="utf-8") as file:
            for play in plays:
                for line in lines(play):
                    file.write(_json(line) + "\n")
                    written += 1
        return written
    if path.suffix != ".parquet":
        raise problem_with(path.name, notice("export_to_what"))
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise problem_with("pyarrow", notice("not_installed", package="pyarrow", extra="oriflamme[lab]")) from None
    rows = [row for play in plays for row in decisions(play)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return len(rows)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
