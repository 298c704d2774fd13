"""Who has a say in what somebody does of its own choosing."""

from __future__ import annotations

from oriflamme import games
from oriflamme.games.lfw.moments import Keyword, book, effects, skills


def test_only_what_lies_on_somebody_says_whether_it_may_act() -> None:
    """So no aura need be looked for, nor skills that a duo shares (`permits.permit`)."""
    games.load("lfw")
    spoken = {title for held in (book, skills) for title, rule in held.declared.items() if _speaks(rule)}

    assert spoken == set()
    assert any(_speaks(rule) for rule in effects.declared.values())


def _speaks(rule: type[Keyword]) -> bool:
    return rule.when_acting is not Keyword.when_acting
