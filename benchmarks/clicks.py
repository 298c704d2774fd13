"""How many clicks a battle takes: what the captain of one side answers, question by question and by hand at the table.

    python benchmarks/clicks.py                 # a battle of each game
    python benchmarks/clicks.py sbh --seed 7

Both are counted by the same rules, without a browser: a click, a key or a drag is one.

Answer by answer, each question takes one, but for these: ticks, shares and orders take one for each that is changed
from what is there when it is asked, and one to confirm, or two with the captain's idea (S, Enter), whichever is less; a
move that is no plain shift of the unit takes those two.

By hand, all answers of one way (`engine.screen.gestures`) are one drag, to a place or onto an enemy, or one click on
an enemy, and a drag goes on when dice were thrown in between. So is what is asked next, where the page shows it
beside the option one points at (`asked_after`): a click there answers both questions, or all three. An attack is
meant for all that strike at the same enemy one after the other. Who is dragged farther than one move goes, goes on
with the next. What the captain always lets pass is set once, which takes two; so is what he lets pass from then on
until a round is over, wherever that saves a click. Where one may not stay a move is laid already, and so are ticks,
shares and orders that have to be given: one to confirm. A drag takes one to confirm, unless it is given when it is
let go, or something was decided while it lay there (how many dice to throw). The army is deployed for him, which
takes one, or none where he has ticked it for every battle.
"""

from __future__ import annotations

import argparse
from math import hypot
from typing import Any, NamedTuple

from oriflamme.engine.core.decisions import (
    Allocate,
    Decision,
    Manoeuvre,
    Move,
    PickOne,
    PickSeveral,
    Place,
    PutInOrder,
    Refused,
)
from oriflamme.engine.core.play import Play
from oriflamme.engine.screen.gestures import LONGEST, Way, asked_after, ways_of
from oriflamme.engine.screen.measuring import why_not_tried
from oriflamme.games import ids, load
from oriflamme.lab.battle import decide, derived

SIDE = 0


class Count(NamedTuple):
    """What it took: answers, clicks before, clicks by hand, and clicks by hand where drags are given at once."""

    answers: int = 0
    before: int = 0
    by_hand: int = 0
    at_once: int = 0

    def plus(self, before: int, by_hand: int, at_once: int) -> Count:
        return Count(self.answers + 1, self.before + before, self.by_hand + by_hand, self.at_once + at_once)


def moved_cards(order: tuple[str, ...], shown: tuple[str, ...]) -> int:
    """How many cards have to be moved: all but the longest run that is in order already."""
    places = [shown.index(key) for key in order]
    best: list[int] = []
    for n, place in enumerate(places):
        best.append(1 + max((best[k] for k in range(n) if places[k] < place), default=0))
    return len(places) - max(best, default=0)


def is_shift(decision: Move, answer: Any, play: Play) -> bool:
    """Whether all figures go the same way: one drag of the whole unit."""
    at = {f.id: (f.x, f.y) for unit in play.battle.units.values() for f in unit.figures}
    steps = [(path[-1][0] - at[id][0], path[-1][1] - at[id][1]) for id, path in answer.items() if path and id in at]
    if len(steps) < min(len(decision.figures), 2):
        return len(decision.figures) == 1
    return all(abs(dx - steps[0][0]) < 1 and abs(dy - steps[0][1]) < 1 for dx, dy in steps)


def plainly(decision: Decision, answer: Any, play: Play) -> int:
    """Clicks for one answer by buttons and drags."""
    match decision:
        case PickSeveral():
            return min(len({*answer} ^ {*(decision.default or ())}), 1) + 1
        case Allocate():
            return min(sum(answer.values()), 1) + 1
        case PutInOrder():
            return min(moved_cards(tuple(answer), decision.keys()), 1) + 1
        case Manoeuvre():
            return 2 if answer else 1
        case Move():
            return 1 if answer and is_shift(decision, answer, play) else 2 if answer else 1
    return 1


class Hand:
    """Somebody who plays at the table: what one gesture has begun, and what it is meant for."""

    def __init__(self, always: frozenset[str], resting: dict[int, int]) -> None:
        self.always = always
        self.resting = resting
        self.deployed = False
        self.way: list[tuple[str, str]] = []
        self.dragged = ""
        self.struck: tuple[str, str, str] | None = None
        self.passes: set[str] = set()
        # Whether anything was picked while a drag lay on the table.
        self.sure = False
        # What a drag still answers: who is dragged farther than one move goes on with the next.
        self.on: list[tuple[str, Any]] = []
        self.reach = 0.0
        # What was picked with the question before, from what is shown beside its option.
        self.beside: list[tuple[str, str]] = []

    def clicks(self, decision: Decision, answer: Any, play: Play, coming: list[Any]) -> tuple[int, int]:
        """Clicks for this answer by hand, and where drags are given at once."""
        if not play.battle.round:
            first, self.deployed = not self.deployed, True
            return int(first), 0
        subject = play.game.picture().subject(decision)
        if self.on and self.on[0] == (decision.ask, answer):
            self.on.pop(0)
            return int(isinstance(decision, Move)), 0
        self.on = []
        if play.number in self.resting and decision.ask not in self.always:
            return self.resting[play.number], self.resting[play.number]
        if isinstance(decision, PickOne):
            n = self._picked(decision, answer, play, subject, coming)
            return n, n
        if self.way and self.way[0] == (decision.ask, one_of(answer)):
            self.way.pop(0)
            return 0, 0
        dragged = self.dragged and subject == self.dragged
        self.dragged = ""
        if isinstance(decision, Manoeuvre):
            # The drag lays a leg; any other is one more.
            legs = len(next(iter(answer.values()), ()))
            more = max(legs - 2, 0) if dragged else max(legs - 1, 0)
            # The last leg gives it where it is given when it is let go, if the drag laid none.
            return (more + 1, more if more or dragged else 1) if answer else (1, 1)
        if isinstance(decision, Move):
            # Who goes alone is dragged into contact, too: dropped on somebody, he stands against him.
            if self._laid(decision, play) and not (dragged and answer and len(decision.figures) == 1):
                return 1, 1
            if not answer:
                return 1, 1
            if dragged:
                self.on = goes_on(decision, answer, play, self.reach, coming)
            if not is_shift(decision, answer, play):
                return 2, 2
            sure, self.sure = self.sure, False
            return (0, 0) if dragged and sure else (1, 0) if dragged else (2, 1)
        if isinstance(decision, Place) and decision.pointing and dragged:
            return 1, 1
        if isinstance(decision, PutInOrder | Allocate | PickSeveral) and lays(decision):
            return 1, 1
        n = plainly(decision, answer, play)
        return n, n

    def _laid(self, decision: Move, play: Play) -> bool:
        """Whether a move lies there already: because the game says so, or because one may not stay."""
        if decision.laid:
            return True
        if why_not_tried(play.battle, decision) is not None:
            return False
        try:
            decision.accept({})
        except Refused:
            return True
        return False

    def _picked(self, decision: PickOne, answer: str, play: Play, subject: str, coming: list[Any]) -> int:
        if self.way and self.way[0] == (decision.ask, answer):
            self.way.pop(0)
            return 0
        self.way = []
        if self.beside and self.beside[0] == (decision.ask, answer):
            self.beside.pop(0)
            return 0
        self.beside = []
        if self.struck == (decision.ask, subject, answer):
            return 0
        self.struck = None
        if decision.ask in self.always:
            first = decision.ask not in self.passes
            self.passes.add(decision.ask)
            return int(first) * 2
        option = next((one for one in decision.options if one.key == answer), None)
        if option is not None and play.game.aids().strike(decision, option) is not None:
            self.struck = (decision.ask, subject, answer)
        meant, self.dragged = self.dragged, ""
        self.sure = bool(meant)
        unit = subject or next((id for id in (option.things if option else ()) if id in play.battle.units), "")
        ways = sorted(ways_of(play, SIDE, unit) if unit else (), key=lambda way: -len(way.answers))
        if not any(way.leads != "ask" and self._fits(way.answers, decision, answer, coming) for way in ways):
            self.beside = picked_beside(play, answer, coming)
            if self.beside:
                return 1
        for way in ways:
            if self._goes(way, decision, answer, coming, unit):
                # What was dragged before dice fell goes on by itself.
                return 0 if meant == unit and way.leads in ("move", "place") else 1
        self.dragged = meant if meant == unit else ""
        return 1

    def _fits(self, answers: Any, decision: PickOne, answer: str, coming: list[Any]) -> bool:
        """Whether that is what will be answered."""
        expected = [(decision.ask, answer), *((ask, one_of(key)) for ask, key in coming)]
        return list(answers) == expected[: len(answers)]

    def _goes(self, way: Way, decision: PickOne, answer: str, coming: list[Any], unit: str) -> bool:
        """Whether a way is what will be answered: then it was one gesture."""
        answers = list(way.answers if way.leads != "ask" else way.answers[:1])
        if not self._fits(answers, decision, answer, coming):
            return False
        if way.leads == "strike":
            self.struck = (answers[-1][0], unit, answers[-1][1])
        else:
            self.dragged, self.reach = unit, way.reach
        self.way = answers[1:]
        return True


def goes_on(decision: Move, answer: Any, play: Play, reach: float, coming: list[Any]) -> list[tuple[str, Any]]:
    """What one drag answers besides the first move: the same again, as long as it goes on in the same line."""
    if len(decision.figures) != 1 or reach <= 0:
        return []
    (id,) = decision.figures
    figure = next(f for unit in play.battle.units.values() for f in unit.figures if f.id == id)
    start, at, found = (figure.x, figure.y), end_of(answer[id]), list[tuple[str, Any]]()
    way = (at[0] - start[0], at[1] - start[1])
    if hypot(*way) < reach - 0.5:
        return []
    for (ask, key), (moved, further) in zip(coming[::2], coming[1::2], strict=False):
        if moved != decision.ask or not isinstance(further, dict) or set(further) != {id} or not isinstance(key, str):
            break
        last, at = at, end_of(further[id])
        step = (at[0] - last[0], at[1] - last[1])
        aside = abs(way[0] * step[1] - way[1] * step[0]) / hypot(*way)
        if aside > 1 or way[0] * step[0] + way[1] * step[1] <= 0:
            break
        found += [(ask, key), (moved, further)]
        if hypot(*step) < reach - 0.5:
            break
    return found


def end_of(path: Any) -> tuple[float, float]:
    """Where a way ends."""
    x, y = path[-1][:2]
    return x, y


def lays(decision: PutInOrder | Allocate | PickSeveral) -> bool:
    """Whether the page lays an answer itself, as the captain would: what has to be given."""
    if isinstance(decision, PickSeveral):
        return decision.least > 0 and decision.default is None
    return decision.passing is None


def picked_beside(play: Play, answer: str, coming: list[Any]) -> list[tuple[str, str]]:
    """What is answered next that is shown beside this answer."""
    found: list[tuple[str, str]] = []
    while len(found) < min(LONGEST - 1, len(coming)):
        asked, (ask, key) = asked_after(play, SIDE, (answer, *(key for _, key in found))), coming[len(found)]
        if asked is None or asked.ask != ask or key not in asked.keys():
            break
        found.append((ask, key))
    return found


def one_of(answer: Any) -> Any:
    """What is picked, where it is one thing."""
    return answer[0] if isinstance(answer, list | tuple) and len(answer) == 1 else answer


def let_rest(play: Play) -> dict[int, int]:
    """What it takes to let pass, by the number of the question, what a captain lets pass three times or more from then
    on until a round is over: two the first time, and no more."""
    again, asked = play.again(keep=True), dict[tuple[int, str], list[tuple[int, bool]]]()
    for side, answer in play.answers:
        decision = again.decision_of(side)
        if side == SIDE and decision is not None:
            passed = decision.passing is not None and decision.passing[0] == answer
            asked.setdefault((again.battle.round, decision.ask), []).append((again.number, passed))
        again.replay([(side, answer)])
    found: dict[int, int] = {}
    for questions in asked.values():
        last = max((n for n, (_, passed) in enumerate(questions) if not passed), default=-1)
        tail = [number for number, _ in questions[last + 1 :]]
        if len(tail) > 2:
            found |= {number: 0 if n else 2 for n, number in enumerate(tail)}
    return found


def always_passed(play: Play) -> frozenset[str]:
    """What a captain lets pass whenever it is asked in this battle."""
    again, passed, taken = play.again(keep=True), set(), set()
    for side, answer in play.answers:
        decision = again.decision_of(side)
        if side == SIDE and decision is not None:
            (passed if decision.passing is not None and decision.passing[0] == answer else taken).add(decision.ask)
        again.replay([(side, answer)])
    return frozenset(passed - taken)


def count(game: str, seed: int) -> Count:
    """A battle of two captains, and what one of them clicked."""
    told = load(game)
    play = Play(told, told.setup(seed), seed)
    bots = [
        told.bots()[told.best_bot](seed=derived(seed, "clicks", side, 0))
        for side in range(len(play.battle.winners) or 2)
    ]
    while play.pending:
        decision = play.pending[0]
        if play.answer(decision.side, decide(play, decision, bots[decision.side % len(bots)])) is not None:
            raise RuntimeError(f"{game}: a captain's answer was refused")
    asked = [
        (ask, answer) for (side, answer), (ask, _, _) in zip(play.answers, play.marks[1:], strict=False) if side == SIDE
    ]
    again, hand, total, place = play.again(keep=True), Hand(always_passed(play), let_rest(play)), Count(), 0
    for side, answer in play.answers:
        decision = again.decision_of(side)
        if side == SIDE and decision is not None:
            place += 1
            by_hand, at_once = hand.clicks(decision, answer, again, asked[place : place + 6])
            total = total.plus(plainly(decision, answer, again), by_hand, at_once)
        again.replay([(side, answer)])
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(ids()))
    parser.add_argument("--seed", type=int, default=5)
    given = parser.parse_args()
    print("| game | answers | answer by answer | by hand | given when let go | of answer by answer |")
    print("|---|---|---|---|---|---|")
    for game in given.games:
        found = count(game, given.seed)
        share = round(100 * found.at_once / found.before)
        print(
            f"| {game} | {found.answers} | {found.before} | {found.by_hand} | {found.at_once} | {share} % |", flush=True
        )


if __name__ == "__main__":
    main()
