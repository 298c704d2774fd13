"""Options carry the ids of what they are about, so that no client has to guess them."""

from __future__ import annotations

from typing import Any

import pytest

from oriflamme.bots.random import RandomBot
from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.play import Play
from oriflamme.games import ids, load

IDS = ("target", "unit", "figure", "fighter", "hero", "marker", "piece")
BATTLES = [(id, {}) for id in ids()] + [
    ("sbh", {"choices": {"scenario": "treasure"}}),
    ("sbh", {"choices": {"scenario": "ambush", "turns": "20"}}),
]


@pytest.mark.parametrize(("id", "more"), BATTLES)
def test_options_name_the_things_they_are_about_and_nothing_that_is_not_there(id: str, more: Any) -> None:
    assert things_named(id, more, 11) > 50


def things_named(id: str, more: Any, seed: int) -> int:
    """Plays a battle by chance and looks at every option; how many were about something."""
    play, bot = Play(load(id), load(id).setup(seed, **more), seed, keep=False), RandomBot(seed)
    picture = play.game.picture()
    named = 0

    while play.pending and play.number < 250:
        decision = play.pending[0]
        there = picture.show(play.view(decision.side).battle).ids()
        options: tuple[Option, ...] = (*getattr(decision, "options", ()), *decision.extra_options)
        for option in options:
            # A card may be called as a unit is: only facts that hold ids count.
            said = {option.key, *(option.facts[name] for name in IDS if name in option.facts)} & there
            assert said <= set(option.things), (decision.ask, option)
            assert set(option.things) <= there, (decision.ask, option)
            named += bool(option.things)
        subject = picture.subject(decision)
        assert not subject or subject in there, (decision.ask, decision.about)
        play.answer(decision.side, bot.decide(None, decision))

    return named
