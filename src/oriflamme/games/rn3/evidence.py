"""What a battle shows of skills and tactics: which of them had a part in it, as its events tell.

Most speak at a moment of the flow and are noticed there. A tag is seen when somebody who has it fights.
"""

from __future__ import annotations

from collections.abc import Iterable

from oriflamme.engine.core.events import Event
from oriflamme.games.rn3.events import DiceThrownAgain, OrderGiven, Passed, TestRolled
from oriflamme.games.rn3.moments import book
from oriflamme.games.rn3.state import Battle, skills_of


def keywords_seen(events: Iterable[Event], battle: Battle) -> set[str]:
    """The skills and tactics that these events of a battle show at work."""
    titles = {keyword.title for keyword in book.declared.values()}
    seen: set[str] = set()
    for event in events:
        match event:
            case TestRolled(why=why):
                seen.update(reason.source for reason in why)
            case DiceThrownAgain(because=because):
                seen.add(because)
            case Passed(rule="RN3-TAC-04"):
                seen.add("Cancel")
            case OrderGiven(unit=unit):
                acting = battle.units[unit]
                seen.update(str(skill) for f in acting.figures for skill in skills_of(acting, f) if not _speaks(skill))
    return seen & titles


def _speaks(skill: object) -> bool:
    """Whether it changes any moment; a mere tag does not."""
    return bool(book.set_of((skill,)).by_moment)  # type: ignore[arg-type]
