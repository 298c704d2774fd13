"""`oriflamme export`: battles as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from oriflamme.cli import show
from oriflamme.cli.phrases import words
from oriflamme.engine.core import save as saved
from oriflamme.engine.core.play import Play
from oriflamme.games import load
from oriflamme.lab.battle import derived, play_on, players
from oriflamme.lab.simulate import Plan, seats_of, setup_of
from oriflamme.research.records import export as write


def export(
    file: Path, saves: Sequence[Path], *, game: str, number: int, bots: str, seed: int, points: int, lang: str
) -> None:
    """Write battles that were saved, and some that bots play now."""
    plays = _battles(saves, game, number, bots, seed, points)
    said = words(lang)["export"]["lines" if file.suffix == ".jsonl" else "decisions"]
    show.say(said.format(file=file, number=write(file, plays)))


def _battles(saves: Sequence[Path], game: str, number: int, bots: str, seed: int, points: int) -> Iterator[Play]:
    yield from (saved.load(path, load) for path in saves)
    if not game:
        return
    rules = load(game)
    named = show.parts(bots) or ("captain",) * rules.sides
    plan = Plan(game, number, tuple(named), seed, points)
    for battle in range(number):
        dice = derived(seed, "battle", battle)
        play = Play(rules, setup_of(plan, battle), dice)
        play_on(play, players(rules, seats_of(plan, battle), dice))
        yield play
