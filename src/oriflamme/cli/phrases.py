"""What the terminal game itself says: how a question may be answered, and what an answer would be, in words."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from oriflamme.cli import blocks, manoeuvres, show
from oriflamme.cli.words import plain
from oriflamme.drawing.words import shown_measure
from oriflamme.engine.core.decisions import Allocate, Decision, Manoeuvre, Move, PickOne, PickSeveral, Place, PutInOrder
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.screen.measuring import why_not_measured
from oriflamme.engine.table.maps import MEASURES
from oriflamme.engine.words.text import Voice


@cache
def words(lang: str) -> dict[str, Any]:
    """The sentences of the terminal game in a language."""
    return tomllib.loads(Path(__file__).with_name(f"text_{lang}.toml").read_text(encoding="utf-8"))


@cache
def spoken() -> dict[str, dict[str, str]]:
    """What may be typed in French, and what it is in English."""
    return tomllib.loads(Path(__file__).with_name("spoken_fr.toml").read_text(encoding="utf-8"))


def in_english(typed: str) -> str:
    """A command as the program knows it, whichever language it is typed in; what is no command stays as it is."""
    known = spoken()
    word, gap, rest = typed.partition(" ")
    command = known["commands"].get(_bare(word))
    if command is None:
        return typed
    first, more, last = rest.strip().partition(" ")
    return f"{command}{gap}{known['modifiers'].get(_bare(first), first)}{more}{last}"


def places_in_english(typed: str) -> str:
    """A place or a way as the program knows it: `vers 30 24` is `to 30 24`."""
    known = spoken()["places"]
    return " ".join(known.get(_bare(word), word) for word in typed.split(" "))


def is_nobody(typed: str) -> bool:
    """Nobody is meant."""
    return typed.lower() in ("none", "0", "-") or _bare(typed) in spoken()["nobody"]


def _bare(word: str) -> str:
    """Without capitals and accents; the mark behind a command stays."""
    return plain(word) + ("!" if word.endswith("!") else "")


class Phrases:
    """The sentences of one session, with its names and measures.

    Lengths are told as the rules count them: in the game's measure, or in hexes. Places are told in `printed`, the
    measure along the edges of the table.
    """

    def __init__(self, game: Rulebook, voice: Voice, battle: Any = None) -> None:
        self.voice = voice
        self.words = words(voice.lang)
        hexes = game.picture().hexes(battle) if battle is not None else None
        self.step = hexes.width if hexes is not None else MEASURES[game.measure]
        self.printed = MEASURES[shown_measure(game.measure)]
        # How far somebody might go, in an example.
        self.example = 60 if self.step == MEASURES["mm"] else 4

    def __call__(self, key: str, **facts: Any) -> str:
        return str(self.words[key]).format(**facts)

    def tell(self, key: str, style: str | None = None, **facts: Any) -> None:
        show.say(self(key, **facts), style)

    def length(self, length: float) -> str:
        """A length on the table, as the rules count it."""
        return self.voice.length(round(length / self.step, 0 if self.voice.names.counts_hexes else 1))

    def spot(self, x: float, y: float) -> dict[str, str]:
        """A place on the table, as it is printed along its edges."""
        return {"x": self.voice.number(round(x / self.printed, 1)), "y": self.voice.number(round(y / self.printed, 1))}

    def in_mm(self, number: float, measure: str = "") -> float:
        """A length that somebody typed: in the measure he named, or as the rules count it."""
        return number * (MEASURES[measure] if measure else self.step)

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
                slots = decision.slots.items()
                return [(f"{self.voice.slot(decision, slot).text}  (0–{most})", False) for slot, most in slots]
        return []

    def budgets(self, decision: Allocate, answer: dict[str, int]) -> list[str]:
        """What each group of slots must and may be given, and what an answer gives it and keeps back."""
        found = []
        for group in decision.groups:
            name, spent = self.voice.option(decision, group.name).text, group.spent(answer)
            if group.most is None:
                found.append(self("budget_least", name=name, least=group.least, spent=spent))
            else:
                most = decision.most_in(group)
                found.append(self("budget", name=name, least=group.least, most=most, spent=spent, kept=most - spent))
        return found

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
                if blocks.figures_of(battle, decision.figures):
                    return self("place")
                return self("terrain" if "corners" in decision.about else "objective")
            case Manoeuvre():
                return str(self.words["by_hand"][decision.how]).format(number=self.example)
            case Move():
                if len(decision.figures) > 1:
                    return self("move")
                return self("move_way" if decision.words else "move_one", number=self.example)
        return ""

    def answer(self, decision: Decision, answer: Any, battle: Any) -> str:
        """What an answer would do."""
        match decision:
            case PickOne():
                offered = (*decision.options, *decision.extra_options)
                return next((self.voice.option(decision, o).text for o in offered if o.key == answer), str(answer))
            case PickSeveral() | PutInOrder():
                by_key = {o.key: self.voice.option(decision, o).text for o in decision.options}
                listed = ", ".join(by_key.get(key, str(key)) for key in answer)
                long = len(answer) > 2 or len(listed) > 60
                if long and isinstance(decision, PickSeveral) and tuple(answer) == decision.suggestion():
                    return self("marked", number=len(answer))
                return listed or self("nobody")
            case Allocate():
                shares = [f"{self.voice.slot(decision, slot).text} {n}" for slot, n in answer.items()]
                return ", ".join(shares) or self("nobody")
            case Place() if not answer:
                return self("nobody")
            case Place():
                return self("draft_place", **self.spot(*blocks.middle(answer)))
            case Manoeuvre():
                return self._way(decision, answer, battle)
            case Move():
                return self._moves(decision, answer, battle)
        return str(answer)

    def _way(self, decision: Manoeuvre, answer: Any, battle: Any) -> str:
        """Where a block would end and how it would look there."""
        path = next(iter(answer.values()), None)
        start = next(iter(decision.blocks.values()))
        if not path or all(list(pose) == list(start) for pose in path):
            return self("stay")
        x, y, facing = path[-1]
        blind = why_not_measured(battle, decision) is not None
        key = "draft_turn" if decision.how == "turn" else "draft_to" if blind else "draft_block"
        length = self.length(((x - start[0]) ** 2 + (y - start[1]) ** 2) ** 0.5)
        return self(key, length=length, way=self.words["compass"][manoeuvres.compass(facing)], **self.spot(x, y))

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
        if why_not_measured(battle, decision) is not None:
            return self("draft_to", **self.spot(x, y))
        return self("draft_move", length=self.length((dx * dx + dy * dy) ** 0.5), **self.spot(x, y))
