"""`oriflamme join`: a bot plays a seat of a battle on a server."""

from __future__ import annotations

from typing import Any

from oriflamme.bots.own import maker_of
from oriflamme.cli import show
from oriflamme.cli.phrases import words
from oriflamme.engine.core.bots import Bot, at_the_table
from oriflamme.engine.core.game import Game
from oriflamme.engine.words.outcomes import side_letter
from oriflamme.games import load
from oriflamme.lab.battle import derived
from oriflamme.lab.joining import join, link_from


def join_battle(link: str, *, bot: str, seed: int | None, patience: float, as_json: bool, lang: str) -> None:
    """Sit down, play to the end, and say how it ended."""
    found, said = link_from(link), words(lang)["join"]
    chance = show.drawn_seed() if seed is None else seed

    def seat(game: Game, side: int) -> Bot:
        made: Bot = at_the_table(maker_of(game, bot or game.best_bot, "bot")(seed=derived(chance, "seat", side)))
        return made

    def tell(what: str, **facts: Any) -> None:
        if as_json:
            return
        if "game" in facts:
            facts = {"game": load(facts["game"]).title[lang], "sides": ", ".join(map(side_letter, facts["sides"]))}
        show.say(said[what].format(**facts))

    ended = join(found, seat, lang=lang, patience=patience, tell=tell)
    if as_json:
        show.say_json(ended)
        return
    show.say(said["ended"].format(result=ended.words[lang], answers=ended.answers))
