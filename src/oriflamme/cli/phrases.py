"""What the terminal game itself says: how a question may be answered, and what an answer would be, in words."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from oriflamme.cli import blocks, show
from oriflamme.engine.decisions import Allocate, Decision, Move, PickOne, PickSeveral, Place, PutInOrder
from oriflamme.engine.game import Game
from oriflamme.engine.measure import CM, INCH
from oriflamme.engine.text import Voice

MEASURES = {"in": INCH, "cm": CM}


@cache
def words(lang: str) -> dict[str, Any]:
    """The sentences of the terminal game in a language."""
    return tomllib.loads(Path(__file__).with_name(f"text_{lang}.toml").read_text(encoding="utf-8"))


class Phrases:
    """The sentences of one session, with its names and measure."""

    def __init__(self, game: Game, voice: Voice) -> None:
        self.voice = voice
        self.words = words(voice.lang)
        self.measure = MEASURES.get(game.measure, 1.0)

    def __call__(self, key: str, **facts: Any) -> str:
        return str(self.words[key]).format(**facts)

    def tell(self, key: str, style: str | None = None, **facts: Any) -> None:
        show.say(self(key, **facts), style)

    def length(self, length: float) -> str:
        """A length on the table, in the game's measure."""
        return self.voice.length(round(length / self.measure, 1))

    def spot(self, x: float, y: float) -> dict[str, str]:
        """A place on the table, in the game's measure."""
        return {"x": self.voice.number(round(x / self.measure, 1)), "y": self.voice.number(round(y / self.measure, 1))}

    def reason(self, reason: dict[str, Any]) -> str:
        """One reason a bot gives, with what it is worth to it."""
        said = self.words["reason"].get(reason["because"], str(reason["because"]))
        worth = reason.get("worth")
        return f"{said} {worth:+g}" if isinstance(worth, int | float) else str(said)

    def choices(self, decision: Decision) -> list[tuple[str, bool]]:
        """What may be chosen, and whether it is what Enter takes."""
        match decision:
            case PickOne():
                return [(self.voice.option(decision, o).text, o.key == decision.default) for o in decision.options]
            case PickSeveral():
                default = decision.suggestion()
                return [(self.voice.option(decision, o).text, o.key in default) for o in decision.options]
            case PutInOrder():
                return [(self.voice.option(decision, o).text, False) for o in decision.options]
            case Allocate():
                return [(f"{self.voice.name(slot)}  (0–{most})", False) for slot, most in decision.slots.items()]
        return []

    def usage(self, decision: Decision, battle: Any) -> str:
        """How the question may be answered."""
        match decision:
            case PickOne():
                return self("one")
            case PickSeveral():
                key = "exactly" if decision.least == decision.most else "several"
                return self(key, least=decision.least, most=decision.most)
            case PutInOrder():
                return self("order")
            case Allocate():
                return self("allocate", least=decision.least, most=decision.most)
            case Place():
                return self("place" if blocks.figures_of(battle, decision.figures) else "objective")
            case Move():
                return self("move")
        return ""

    def answer(self, decision: Decision, answer: Any, battle: Any) -> str:
        """What an answer would do."""
        match decision:
            case PickOne():
                texts = (self.voice.option(decision, o).text for o in decision.options if o.key == answer)
                return next(texts, str(answer))
            case PickSeveral() | PutInOrder():
                by_key = {o.key: self.voice.option(decision, o).text for o in decision.options}
                if len(answer) > 2 and isinstance(decision, PickSeveral) and tuple(answer) == decision.suggestion():
                    return self("marked", number=len(answer))
                return ", ".join(by_key.get(key, str(key)) for key in answer) or self("nobody")
            case Allocate():
                return ", ".join(f"{self.voice.name(slot)} {n}" for slot, n in answer.items()) or self("nobody")
            case Place():
                return self("draft_place", **self.spot(*blocks.middle(answer)))
            case Move():
                return self._moves(decision, answer, battle)
        return str(answer)

    def _moves(self, decision: Move, moves: Any, battle: Any) -> str:
        if not moves:
            return self("stay")
        figures = blocks.figures_of(battle, decision.figures)
        ways = {
            (round(way[-1][0] - figures[id].x), round(way[-1][1] - figures[id].y))
            for id, way in moves.items()
            if id in figures
        }
        if len(ways) > 1 or len(moves) < len(figures):
            return self("draft_models")
        dx, dy = next(iter(ways))
        x, y = blocks.middle({id: way[-1] for id, way in moves.items()})
        return self("draft_move", length=self.length((dx * dx + dy * dy) ** 0.5), **self.spot(x, y))
