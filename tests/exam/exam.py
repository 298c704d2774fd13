"""The exam every game must pass. It is written once and knows no game.

A sitting is one battle, found again by its game, seed and points. Each part of the exam plays it and looks at one
promise of the engine; whatever breaks says with which command the battle is played again.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import hypot, inf, nan
from pathlib import Path
from random import Random
from types import FunctionType, GeneratorType, MethodType
from typing import Any, Final

import msgspec
from tests.exam.told import Listening

from oriflamme import games
from oriflamme.engine.core import keywords, save
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
from oriflamme.engine.core.dice import Dice, HiddenDice
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.table.maps import load_map
from oriflamme.engine.words import catalogue

# Nobody answers so often in one battle: it goes round in circles.
ENDLESS = 20_000


class Failed(AssertionError):
    """A promise was broken; the message ends with the command that shows it again."""


@dataclass(frozen=True)
class Sitting:
    """One battle of the exam. Lists, map and players follow from the seed; house rules, and what else players agree on,
    too unless they are given."""

    id: str
    seed: int
    points: int = 0
    chosen: tuple[tuple[str, str], ...] | None = None
    agreed: tuple[tuple[str, str], ...] | None = None

    def __post_init__(self) -> None:
        """Without points it is the smaller of the sizes that people play."""
        object.__setattr__(self, "points", self.points or min(self.game.sizes))

    @property
    def game(self) -> Game:
        return games.load(self.id)

    def random(self, what: str) -> Random:
        """A source of chance of its own for each purpose, so that looking closer never changes the battle."""
        return Random(f"{what} of {self.id} {self.seed} {self.points}")

    @cached_property
    def options(self) -> dict[str, str]:
        """House rules: every third battle is played by the catalogue, the others with some rules changed."""
        if self.chosen is not None:
            return dict(self.chosen)
        random = self.random("house rules")
        if self.seed % 3 == 0:
            return {}
        changed = {key: random.choice(rule.values) for key, rule in sorted(self.game.options.items())}
        return {key: value for key, value in changed.items() if value != self.game.options[key].default}

    @cached_property
    def choices(self) -> dict[str, str]:
        """What players agree on besides: every other battle something else than the usual."""
        if self.agreed is not None:
            return dict(self.agreed)
        if self.seed % 2 == 0:
            return {}
        random = self.random("choices")
        made: dict[str, str] = {}
        for key in sorted(self.game.choices):
            made[key] = random.choice(self.game.values_with(key, made))
        return made

    @cached_property
    def setup(self) -> dict[str, Any]:
        random, maps = self.random("map"), self._maps()
        table = random.choice(maps) if maps and random.random() < 0.3 else ""
        return self.game.setup(
            self.seed, points=self.points, map=table, options=self.options, choices=self.choices or None
        )

    def _maps(self) -> list[str]:
        """The maps that suit what was agreed on."""
        agreed = self.game.agreed(self.choices)
        return [name for name in self.game.maps() if not self.choices or self.game.fits(load_map(name), agreed)]

    @property
    def dice(self) -> int:
        """The seed of the dice: so large that no other number of a battle is mistaken for it."""
        return 10**15 + self.seed

    def begin(self, *, keep: bool = True, log: bool = True) -> Play:
        return Play(self.game, self.setup, self.dice, keep=keep, log=log)

    def player(self) -> Player:
        return Player(self.random("player"))

    @cached_property
    def original(self) -> Play:
        """The whole battle, played once and closely watched; several parts look at it, and none changes it."""
        return watched(self)

    def forget(self) -> None:
        """Free what a battle that nobody looks at any more takes."""
        self.__dict__.pop("original", None)

    def command(self, part: str) -> str:
        """The one command that plays this battle again and looks at the same promise."""
        agreed = "".join(f" --option {key}={value}" for key, value in self.options.items())
        agreed += "".join(f" --choice {key}={value}" for key, value in self.choices.items())
        return f"python -m tests.exam {self.id} --seed {self.seed} --points {self.points}{agreed} --part {part}"


class Player:
    """Answers legally by chance. Some only drift; the others are curious: they like to do what they have done least,
    and to go where the enemy is, so that a battle sees more of its rules."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.curious = random.random() < 0.7
        self.done: Counter[tuple[str, str]] = Counter()

    def choose(self, play: Play) -> Decision:
        """Which of the questions that are open at the same time is answered first."""
        return self.random.choice(play.pending)

    def answer(self, play: Play, decision: Decision) -> Any:
        if not self.curious or self.random.random() < 0.1:
            return decision.sample(self.random)
        if isinstance(decision, PickOne):
            return self._do_something_new(decision)
        if isinstance(decision, Move | Place):
            return self._go_where_the_enemy_is(play, decision)
        return decision.sample(self.random)

    def _do_something_new(self, decision: PickOne) -> str:
        kinds = [(decision.ask, option.key.partition(":")[0]) for option in decision.options]
        least = min(self.done[kind] for kind in kinds)
        number = self.random.choice([n for n, kind in enumerate(kinds) if self.done[kind] == least])
        self.done[kinds[number]] += 1
        return decision.options[number].key

    def _go_where_the_enemy_is(self, play: Play, decision: Move | Place) -> Any:
        enemies = [(f.x, f.y) for f, side in standing(play) if side != decision.side]
        best, nearest = decision.sample(self.random), inf
        for _ in range(3 if enemies else 0):
            answer = decision.sample(self.random)
            spots = [v[-1] if isinstance(decision, Move) else v for v in answer.values() if v]
            away = min((hypot(s[0] - x, s[1] - y) for s in spots for x, y in enemies), default=inf)
            if away < nearest:
                best, nearest = answer, away
        return best


def standing(play: Play) -> list[tuple[Any, int]]:
    """The figures on the table, with their side."""
    battle = play.battle
    return [
        (f, u.side) for u in battle.units.values() for f in u.figures if battle.table.holds(f.base, f.x, f.y, f.facing)
    ]


# -- saying what a battle is -------------------------------------------------------------------------------------------


def encoded(thing: Any) -> bytes:
    return msgspec.json.encode(thing)


def through_json(answer: Any) -> Any:
    """The answer as a client would send it."""
    return msgspec.json.decode(encoded(answer))


def dice_ahead(play: Play) -> list[int]:
    """What the dice will show; looking does not throw them."""
    return play.battle.dice.copy().throw(7)


def position(play: Play) -> tuple[Any, ...]:
    """Everything that the rest of a battle depends on."""
    asked = encoded([decision.data() for decision in play.pending])
    return play.battle.fingerprint(), asked, play.number, len(play.answers), dice_ahead(play)


def record(play: Play) -> dict[str, str]:
    """A whole battle, byte for byte, in three short names."""
    return {
        "events": hashlib.sha256(encoded(play.events)).hexdigest()[:16],
        "answers": hashlib.sha256(encoded(play.answers)).hexdigest()[:16],
        "state": play.battle.fingerprint(),
    }


def give(play: Play, decision: Decision, answer: Any) -> None:
    """Give an answer that must be accepted."""
    refusal = play.answer(decision.side, answer)
    if refusal is not None:
        raise Failed(f"{decision.ask}: a legal answer was refused: {refusal}; the answer was {shown(answer)}")


def shown(answer: Any) -> str:
    text = repr(answer)
    return text if len(text) < 500 else f"{text[:500]}…"


def turns(play: Play, player: Player) -> Iterator[Decision]:
    """Play on, one answer after the other; before each one, the question it is going to answer."""
    while play.pending:
        if len(play.answers) > ENDLESS:
            raise Failed(f"no end after {ENDLESS} answers")
        decision = player.choose(play)
        yield decision
        give(play, decision, player.answer(play, decision))
    if not play.over:
        raise Failed("nobody is asked anything and the battle is not over")


def play_out(play: Play, player: Player) -> Play:
    for _ in turns(play, player):
        pass
    return play


class Sampling:
    """Which questions are looked at closely: the first of every kind in a battle, and some of the rest."""

    def __init__(self, random: Random, first: int, share: float) -> None:
        self.random = random
        self.first = first
        self.share = share
        self.met: Counter[str] = Counter()

    def wants(self, play: Play, decision: Decision) -> bool:
        kind = f"{decision.ask} {len(play.pending)}"
        self.met[kind] += 1
        return self.met[kind] <= self.first or self.random.random() < self.share


# -- the parts of the exam ---------------------------------------------------------------------------------------------


def soundness(sitting: Sitting) -> None:
    """A battle comes to an end; every state on the way is sound, every question has a legal answer and cites a rule."""
    assert sitting.original.over


def watched(sitting: Sitting) -> Play:
    """A battle played out, with a look at every state and every question."""
    known = Rules(sitting.id)
    play = sitting.begin(keep=False)
    check_state(play)
    for decision in turns(play, sitting.player()):
        check_question(decision, known)
        if len(play.pending) > 1:
            for other in play.pending:
                check_question(other, known)
        check_state(play)
    check_state(play)
    for event in play.events:
        for rule in rules_in(msgspec.to_builtins(event)):
            known.check(rule, event.name)
    encoded(play.game.result(play.battle))
    return play


class Rules:
    """The ids of a game's catalogue; a special rule as a whole is cited by the part its sentences share."""

    def __init__(self, game: str) -> None:
        self.known = set()
        for rule in catalogue.load(game).rules:
            self.known.add(rule)
            self.known.add(rule.rpartition("-")[0])

    def check(self, rule: str, where: str) -> None:
        if rule not in self.known:
            raise Failed(f"{where} cites {rule!r}, which is no rule of the catalogue")


def rules_in(data: Any) -> Iterator[str]:
    """Every rule an event cites, those behind its numbers included."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "rule":
                yield value
            else:
                yield from rules_in(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from rules_in(value)


def check_state(play: Play) -> None:
    wrong = play.game.invariants(play.battle)
    if wrong:
        last = play.events[-1].facts() if play.events else "nothing"
        raise Failed(f"after {len(play.answers)} answers: {'; '.join(wrong)}\nlast told: {last}")


def check_question(decision: Decision, known: Rules) -> None:
    known.check(decision.rule, decision.ask)
    if decision.forced() is not None:
        raise Failed(f"{decision.ask}: asked, though there is only one answer")
    encoded(decision.data())
    if isinstance(decision, PickOne | PickSeveral | PutInOrder):
        keys = decision.keys()
        if len(set(keys)) != len(keys):
            raise Failed(f"{decision.ask}: the same key is offered twice: {keys}")


def offers(sitting: Sitting) -> None:
    """Whatever is offered or proposed is accepted, also when it comes as JSON from outside, and leads on soundly."""
    play = sitting.begin()
    random = sitting.random("offers")
    sampling = Sampling(random, first=2, share=0.06)
    for decision in turns(play, sitting.player()):
        if not sampling.wants(play, decision):
            continue
        for answer in legal_answers(decision, random):
            fork = play.twin()
            same = fork.decision_of(decision.side)
            assert same is not None
            give(fork, same, through_json(answer))
            check_state(fork)


def legal_answers(decision: Decision, random: Random) -> list[Any]:
    """All that is offered, or a few of them where there is no end of them."""
    if isinstance(decision, PickOne):
        return [*decision.keys(), decision.suggestion()]
    return [*(decision.sample(random) for _ in range(4)), decision.suggestion()]


def liberties(sitting: Sitting) -> None:
    """Whatever a player makes up is refused and changes nothing, or leads to a sound state and is recorded as it is."""
    play = sitting.begin()
    random = sitting.random("liberties")
    sampling = Sampling(random, first=2, share=0.08)
    for decision in turns(play, sitting.player()):
        if not sampling.wants(play, decision):
            continue
        before, fork = position(play), play.twin()
        for _ in range(8):
            asked = fork.decision_of(decision.side)
            assert asked is not None
            answer = through_json(made_up(fork, asked, random))
            if fork.answer(decision.side, answer) is not None:
                continue
            where = f"{decision.ask} with {shown(answer)}"
            try:
                check_state(fork)
            except Failed as failure:
                raise Failed(f"{where}: {failure}") from None
            again = play.twin()
            recorded = fork.answers[len(play.answers)]
            refusal = again.answer(recorded[0], through_json(recorded[1]))
            if refusal is not None:
                raise Failed(f"{where}: accepted as {shown(recorded)}, which is refused: {refusal}")
            if position(again) != position(fork) or encoded(again.answers[-1]) != encoded(fork.answers[-1]):
                raise Failed(f"{where}: recorded as {shown(recorded)}, which is another answer")
            fork = play.twin()
        if position(fork) != before:
            raise Failed(f"{decision.ask}: an answer that was refused has changed the battle")


def made_up(play: Play, decision: Decision, random: Random) -> Any:
    """An answer that nobody proposed: it may be legal or not."""
    match decision:
        case PickSeveral():
            return random.sample(decision.keys(), random.randint(0, len(decision.keys())))
        case PutInOrder():
            return random.sample(decision.keys(), len(decision.keys()))
        case Allocate():
            return {slot: random.randint(0, room) for slot, room in decision.slots.items()}
        case Place():
            return _nudged(decision.sample(random), random)
        case Manoeuvre():
            return _other_marches(decision, random)
        case Move():
            return _other_ways(play, decision, random)
    return decision.sample(random)


def _nudge(random: Random) -> tuple[float, float]:
    far = random.choice((0.05, 1.0, 6.0, 25.0, 100.0))
    return random.gauss(0, far), random.gauss(0, far)


def _nudged(places: dict[str, Any], random: Random) -> dict[str, Any]:
    """Some figures, or all of them together, a little or a lot to the side."""
    together, some = _nudge(random), random.random() < 0.5
    nudged = {}
    for figure, spot in places.items():
        dx, dy = (_nudge(random) if random.random() < 0.4 else (0.0, 0.0)) if some else together
        nudged[figure] = [spot[0] + dx, spot[1] + dy]
    return nudged


def _other_ways(play: Play, decision: Move, random: Random) -> dict[str, Any]:
    """Other destinations, by a detour, some figures left behind or sent to each other's places."""
    here = {f.id: [f.x, f.y] for f, _ in standing(play) if f.id in decision.figures}
    legal = decision.sample(random)
    if random.random() < 0.3:
        legal = dict.fromkeys(decision.figures) | legal
    ends = _nudged({figure: (path or [here[figure]])[-1] for figure, path in legal.items()}, random)
    if len(ends) > 1 and random.random() < 0.2:
        one, other = random.sample(list(ends), 2)
        ends[one], ends[other] = ends[other], ends[one]
    moves: dict[str, Any] = {}
    for figure, end in ends.items():
        if random.random() < 0.1:
            continue
        way = random.randrange(4)
        dx, dy = _nudge(random)
        middle = [(here[figure][0] + end[0]) / 2 + dx, (here[figure][1] + end[1]) / 2 + dy]
        moves[figure] = ([end], [here[figure], end], [middle, end], [here[figure], middle, middle, end])[way]
    return moves


def _other_marches(decision: Manoeuvre, random: Random) -> dict[str, Any]:
    """A block sent elsewhere, turned otherwise, or by another way."""
    legal = decision.sample(random)
    block, pose = next(iter(decision.blocks.items()))
    here = list(pose)
    path = [list(point) for point in legal.get(block, ())] or [here]
    (dx, dy), turn = _nudge(random), random.choice((0.0, 0.0, random.gauss(0, 0.3)))
    end = [path[-1][0] + dx, path[-1][1] + dy, path[-1][2] + turn]
    middle = [(here[0] + end[0]) / 2, (here[1] + end[1]) / 2, here[2]]
    return {block: random.choice(([end], end[:2], [here, end], [*path[:-1], end], [here, middle, end], path))}


def refusals(sitting: Sitting) -> None:
    """Whatever is not offered is refused with a reason, and the battle is as it was, to its last die."""
    play = sitting.begin()
    random = sitting.random("refusals")
    sampling = Sampling(random, first=2, share=0.05)
    known = Rules(sitting.id)
    for decision in turns(play, sitting.player()):
        if not sampling.wants(play, decision):
            continue
        before, told, asked = position(play), len(play.events), play.pending
        for wrong in wrong_answers(play, decision, random):
            check_refused(play, known, decision.side, wrong)
        legal = decision.sample(random)
        for side in (99, -1, None, "0", *(s for s in range(play.battle.sides) if play.decision_of(s) is None)):
            check_refused(play, known, side, legal)
        for number in (play.number - 1, play.number + 1, -1, 10**9, "now"):
            check_refused(play, known, decision.side, legal, number)
        if (position(play), len(play.events)) != (before, told) or play.pending is not asked:
            raise Failed(f"{decision.ask}: an answer that was refused has changed the battle")
    before = position(play)
    for side in range(play.battle.sides):
        for wrong in (None, {}, [], "hold", 1):
            check_refused(play, known, side, wrong)
            check_refused(play, known, side, wrong, play.number)
    if position(play) != before:
        raise Failed("an answer after the end has changed the battle")


def check_refused(play: Play, known: Rules, side: Any, answer: Any, number: Any = None) -> Refusal:
    ask = play.pending[0].ask if play.pending else "after the end"
    refusal = play.answer(side, answer, number)
    if refusal is None:
        raise Failed(f"{ask}: accepted from side {side!r} with number {number!r}: {shown(answer)}")
    if not refusal.why:
        raise Failed(f"{ask}: refused without a reason: {shown(answer)}")
    if refusal.rule:
        known.check(refusal.rule, f"the refusal of {shown(answer)}")
    encoded(refusal)
    return refusal


def deep(levels: int) -> list[Any]:
    nest: list[Any] = []
    for _ in range(levels):
        nest = [nest]
    return nest


GARBAGE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 10**30, 0.5, -0.0, nan, inf, -inf, "", " ", "\0", "nonsense", "null", "x" * 5000,
    [None], [0], [[]], [{}], [nan], ["nonsense"], ["", ""], deep(200), list(range(1000)),
    {"": None}, {"nonsense": 1}, {"nonsense": [1, 2]}, {"key": "hold"}, {"answer": {}}, {"side": 0},
)  # fmt: skip


def wrong_answers(play: Play, decision: Decision, random: Random) -> list[Any]:
    """Answers that no player may give: garbage of every kind, and legal ones bent until they break."""
    wrong: list[Any] = list(GARBAGE)
    match decision:
        case PickOne():
            wrong += [[], {}, *_bent_keys(decision), [decision.keys()[0]], list(decision.keys())]
        case PickSeveral():
            wrong += [{}, *_bent_choices(decision)]
        case PutInOrder():
            wrong += [[], {}, *_bent_orders(decision)]
        case Allocate():
            wrong += [[], *_bent_shares(decision)]
        case Place():
            # To place nothing takes back what led here, where that is open.
            nothing: list[Any] = [] if decision.extra_options else [{}]
            wrong += [[], *nothing, *_bent_places(play, decision, random)]
        case Manoeuvre():
            wrong += [[], *_bent_manoeuvres(play, decision, random)]
        case Move():
            wrong += [[], *_bent_moves(play, decision, random)]
        case _:
            raise Failed(f"{decision.ask} is of no known kind: {decision.kind!r}")
    return wrong


def _bent_keys(decision: PickOne) -> list[Any]:
    keys = decision.keys()
    bent = (
        [f"{key} " for key in keys]
        + [key[:-1] for key in keys]
        + [key.upper() for key in keys]
        + [f"{keys[0]}:{keys[0]}"]
    )
    return [key for key in bent if key not in keys]


def _bent_choices(decision: PickSeveral) -> list[Any]:
    keys = list(decision.keys())
    if not keys:
        return ["", ["nonsense"], [0], [None], ["", ""]]
    wrong: list[Any] = [
        keys[0],
        [*keys, keys[0]],
        [keys[0], keys[0]],
        [*keys, "nonsense"],
        [0],
        [None],
        dict.fromkeys(keys),
    ]
    wrong += [keys[:n] for n in (decision.least - 1, decision.most + 1) if 0 <= n <= len(keys)]
    return wrong


def _bent_orders(decision: PutInOrder) -> list[Any]:
    keys = list(decision.keys())
    return [
        keys[:-1],
        keys[1:],
        [*keys, keys[0]],
        [keys[0]] * len(keys),
        [*keys[1:], "nonsense"],
        list(range(len(keys))),
    ]


def _bent_shares(decision: Allocate) -> list[Any]:
    slot, room = next(iter(decision.slots.items()))
    numbers = (room + 1, -1, 10**30, 0.5, float(room), nan, True, None, "1", [1])
    wrong: list[Any] = [{slot: number} for number in numbers]
    wrong += [{"nonsense": 0}, {slot: 1, "nonsense": 1}, [slot]]
    if sum(decision.slots.values()) > decision.most:
        wrong.append(dict(decision.slots))
    if decision.least > 0:
        wrong += [{}, {slot: 0}]
    return wrong


NO_PLACE: tuple[Any, ...] = (
    None, 5, "here", [], [1], [nan, 1], [1, inf], [-inf, nan], [1e300, 1e300], [10**30, 0], ["1", "2"], [None, None],
    [[1, 2], [3, 4], [5, 6]], {}, [True, False], [1, 2, 3, 4, 5],
)  # fmt: skip


def _others(play: Play, decision: Move | Place) -> list[Any]:
    return [f for f, _ in standing(play) if f.id not in decision.figures]


def _is_a_figure(play: Play, id: str) -> bool:
    return any(f.id == id for unit in play.battle.units.values() for f in unit.figures)


def _bent_places(play: Play, decision: Place, random: Random) -> list[Any]:
    legal = decision.sample(random)
    first, table = decision.figures[0], play.battle.table
    if not legal:
        # Nobody knows a place for them: to place some of them is no answer.
        return [{first: [10, 10]}] if len(decision.figures) > 1 else []
    wrong: list[Any] = [{**legal, first: spot} for spot in NO_PLACE]
    off = ([-500, 10], [10, -500], [table.width + 500, 10], [10, table.depth + 500], [-9e6, 9e6])
    wrong += [{**legal, first: spot} for spot in off]
    wrong += [{**legal, "nonsense": [5, 5]}, {f: s for f, s in legal.items() if f != first}, list(legal.items())]
    others = _others(play, decision)
    if others:
        other = random.choice(others)
        wrong += [{**legal, other.id: [other.x, other.y]}, {other.id: [other.x, other.y]}]
        if _is_a_figure(play, first) and not decision.pointing:
            wrong.append({**legal, first: [other.x, other.y]})
    if len(decision.figures) > 1:
        wrong.append({**legal, first: legal[decision.figures[1]]})
        wrong.append(dict.fromkeys(legal, legal[first]))
    return wrong


def _bent_manoeuvres(play: Play, decision: Manoeuvre, random: Random) -> list[Any]:
    legal = decision.sample(random)
    table = play.battle.table
    block, pose = next(iter(decision.blocks.items()))
    here, facing = list(pose), pose[2]
    wrong: list[Any] = [{**legal, block: path} for path in (*NO_PLACE, [here] * 201) if path not in ([], [1, 2])]
    off = ([-500, 10], [10, -500], [table.width + 500, 10], [10, table.depth + 500], [-9e6, 9e6])
    wrong += [{**legal, block: [[*spot, facing]]} for spot in off] + [{**legal, block: [here, spot]} for spot in off]
    far = [
        table.width - 100 if here[0] < table.width / 2 else 100,
        table.depth - 100 if here[1] < table.depth / 2 else 100,
    ]
    wrong += [{block: far}, {block: [far]}, {block: [here, [*far, facing]]}]
    wrong += [{**legal, block: [[*here[:2], turn]]} for turn in (nan, inf, "north", None, [0])]
    wrong += [{**legal, "nonsense": [here]}, list(legal.items()), {**legal, block.upper() + "x": [here]}]
    others = [unit.id for unit in play.battle.units.values() if unit.id not in decision.blocks]
    if others:
        wrong.append({**legal, random.choice(others): [here]})
    return wrong


def _bent_moves(play: Play, decision: Move, random: Random) -> list[Any]:
    legal = decision.sample(random)
    table = play.battle.table
    figure = next(f for f, _ in standing(play) if f.id == decision.figures[0])
    id, here = figure.id, [figure.x, figure.y]
    wrong: list[Any] = [{**legal, id: path} for path in (*NO_PLACE, [here] * 201) if path not in ([], [1, 2])]
    wrong += [{**legal, id: [here, spot]} for spot in NO_PLACE]
    off = ([-500, 10], [10, -500], [table.width + 500, 10], [10, table.depth + 500], [-9e6, 9e6])
    wrong += [{**legal, id: [spot]} for spot in off] + [{**legal, id: [here, spot]} for spot in off]
    far = [
        table.width - 20 if figure.x < table.width / 2 else 20,
        table.depth - 20 if figure.y < table.depth / 2 else 20,
    ]
    wrong += [
        {id: far},
        {id: [far]},
        {id: [here, far]},
        {id: [here, far, here]},
        {**legal, id: [here, far] * 90 + [here]},
    ]
    wrong += [{**legal, "nonsense": [here]}, list(legal.items()), {**legal, id.upper() + "x": [here]}]
    others = _others(play, decision)
    if others:
        other = random.choice(others)
        there = [other.x, other.y]
        wrong += [{**legal, other.id: [there]}, {other.id: [[other.x + 5, other.y]]}]
        wrong += [{**legal, id: [there]}, {**legal, id: [here, there]}, {id: there}]
    if len(decision.figures) > 1:
        second = next(f for f, _ in standing(play) if f.id == decision.figures[1])
        there = [second.x, second.y]
        wrong.append({id: [there], second.id: [there]})
    return wrong


def sameness(sitting: Sitting) -> None:
    """The same seed is the same battle, byte for byte: played again, with copies kept, and from its answers alone."""
    first = sitting.original
    expected = record(first)

    again = play_out(sitting.begin(keep=True), sitting.player())
    if record(again) != expected:
        raise Failed(f"played again it is another battle: {first_difference(first, again)}")

    replayed = sitting.begin(keep=False)
    for side, answer in first.answers:
        decision = replayed.decision_of(side)
        if decision is None:
            raise Failed(f"replayed, side {side} is not asked at answer {len(replayed.answers)}")
        give(replayed, decision, through_json(answer))
    if record(replayed) != expected:
        raise Failed(f"replayed from its answers it is another battle: {first_difference(first, replayed)}")


def first_difference(one: Play, other: Play) -> str:
    for number, (a, b) in enumerate(zip(one.answers, other.answers, strict=False)):
        if encoded(a) != encoded(b):
            return f"answer {number} was {shown(a)} and is {shown(b)}"
    for number, (x, y) in enumerate(zip(one.events, other.events, strict=False)):
        if encoded(x) != encoded(y):
            return f"event {number} was {shown(x)} and is {shown(y)}"
    if len(one.events) != len(other.events):
        return f"{len(one.events)} events, and then {len(other.events)}"
    a, b = one.battle.data(), other.battle.data()
    return f"the state differs in {[key for key in a if a[key] != b.get(key)]}"


def forks(sitting: Sitting) -> None:
    """A fork is the same battle, at any point: its future is the same, and playing it leaves the original untouched."""
    original = sitting.original
    kept, bare = sitting.begin(keep=True), sitting.begin(keep=False)
    random = sitting.random("forks")
    sampling = Sampling(random, first=1, share=0.03)
    for number, (side, answer) in enumerate(original.answers):
        decision = kept.decision_of(side)
        assert decision is not None
        if sampling.wants(kept, decision):
            before = position(kept)
            _check_fork(original, kept, before, number)
            if random.random() < 0.08:
                _check_fork(original, bare, before, number)
        for play in (kept, bare):
            refusal = play.answer(side, answer)
            if refusal is not None:
                raise Failed(f"answer {number} does not fit any more: {refusal}")
    if position(kept.twin()) != position(original):
        raise Failed("after the end a fork is another battle")


def _check_fork(original: Play, play: Play, before: tuple[Any, ...], number: int) -> None:
    where = f"at answer {number} ({play.pending[0].ask}, keep={play.keep})"
    same, other = play.twin(log=True), play.twin()
    if position(same) != before or position(other.twin()) != before:
        raise Failed(f"{where}: the fork is another battle")

    random = Random(number)
    for _ in range(12):
        if not other.pending:
            break
        decision = random.choice(other.pending)
        give(other, decision, decision.sample(random))
    if position(play) != before:
        raise Failed(f"{where}: playing the fork has changed the original")

    begun = len(same.events)
    for side, answer in original.answers[number : number + 12]:
        refusal = same.answer(side, answer)
        if refusal is not None:
            raise Failed(f"{where}: the fork refuses what the original accepted: {refusal}")
    now = same.events[begun:]
    if now and not any(original.events[n : n + len(now)] == now for n in range(len(original.events))):
        raise Failed(f"{where}: the fork tells other events")
    if position(play) != before:
        raise Failed(f"{where}: playing the fork has changed the original")


def undoing(sitting: Sitting) -> None:
    """Going back is playing fewer answers."""
    random = sitting.random("undoing")
    play = play_out(sitting.begin(), sitting.player())
    total = len(play.answers)
    before = position(play)
    for back in (1, random.randrange(2, total), total + 5):
        earlier = play.back(back)
        again = sitting.begin(keep=False)
        again.replay(play.answers[: max(0, total - back)])
        if position(earlier) != position(again) or encoded(earlier.events) != encoded(again.events):
            raise Failed(f"{back} answers back is another battle than {len(again.answers)} answers on")
    if position(play) != before:
        raise Failed("going back has changed the battle")


def saving(sitting: Sitting) -> None:
    """A battle saved at any point, loaded and played on is the battle it would have been."""
    original = sitting.original
    random = sitting.random("saving")
    asked_together = [n for n, (_, number) in enumerate(_numbers(sitting, original)) if number < n]
    points = {*random.sample(range(len(original.answers) + 1), 2), *asked_together[:1]}
    with tempfile.TemporaryDirectory() as folder:
        for number in sorted(points):
            file = Path(folder) / "battle.save"
            play = sitting.begin(keep=random.random() < 0.5)
            play.replay(original.answers[:number])
            save.save(play, file, ["one", "other"])
            written = file.read_bytes()

            loaded = save.load(file, games.load)
            if position(loaded) != position(play) or encoded(loaded.events) != encoded(play.events):
                raise Failed(f"saved after {number} answers, it is another battle when it is loaded")
            if position(loaded.twin()) != position(play):
                raise Failed(f"saved after {number} answers and loaded, its fork is another battle")
            save.save(loaded, file, ["one", "other"])
            if file.read_bytes() != written:
                raise Failed(f"saved after {number} answers, loaded and saved again, it is another file")

            loaded.replay(original.answers[number:])
            if record(loaded) != record(original):
                raise Failed(f"loaded after {number} answers and played on: {first_difference(original, loaded)}")


def _numbers(sitting: Sitting, original: Play) -> Iterator[tuple[int, int]]:
    """For each answer of a battle, its side and the number of the question it answered."""
    play = sitting.begin(keep=False, log=False)
    for side, answer in original.answers:
        yield side, play.number
        play.replay([(side, answer)])


def secrets(sitting: Sitting) -> None:
    """A view holds neither the dice to come nor what others have committed, and does not depend on them."""
    play = sitting.begin()
    random = sitting.random("secrets")
    sampling = Sampling(random, first=1, share=0.02)
    for decision in turns(play, sitting.player()):
        if len(play.pending) > 1:
            _check_commitments(play, random)
        if not sampling.wants(play, decision):
            continue
        before = position(play)
        loaded = play.twin()
        loaded.battle.dice.counter += 1000
        loaded.battle.dice.seed ^= 0xDEAD
        for side in range(play.battle.sides):
            view = play.view(side)
            check_view(view, sitting)
            if differences(view, loaded.view(side)):
                raise Failed(f"{decision.ask}: the view of side {side} depends on dice not yet thrown")
            vandalise(view)
        if position(play) != before:
            raise Failed(f"{decision.ask}: what is done to a view is done to the battle")
    for side in range(play.battle.sides):
        check_view(play.view(side), sitting)


def _check_commitments(play: Play, random: Random) -> None:
    """Two battles that differ only in a hidden answer look the same to everybody else."""
    for committing in play.pending:
        others = [side for side in range(play.battle.sides) if side != committing.side]
        answers = {encoded(answer): answer for answer in (committing.sample(random) for _ in range(6))}
        waiting = play.twin(log=True)
        for answer in answers.values():
            fork = play.twin(log=True)
            decision = fork.decision_of(committing.side)
            assert decision is not None
            give(fork, decision, through_json(answer))
            if fork.number != play.number:
                raise Failed(f"{committing.ask}: the others can count that side {committing.side} has answered")
            for side in others:
                found = differences(waiting.view(side), fork.view(side))
                if found:
                    raise Failed(
                        f"{committing.ask}: side {side} sees what side {committing.side} committed: {found[0]}"
                    )
            if encoded(fork.events) != encoded(waiting.events):
                raise Failed(f"{committing.ask}: the log tells what side {committing.side} committed")


WATCHER: Final = -1
HOW_LONG: Final = 160  # answers for which a secret is followed, the first of them closely
CLOSELY: Final = 6


def twins(sitting: Sitting) -> None:
    """Two battles that differ in one secret are told to everybody else in the very same way, answer for answer, until
    the log tells of it: no order, no count, no question that is put or is not gives it away."""
    play = sitting.begin()
    random = sitting.random("twins")
    sampling = Sampling(random, first=1, share=0.01)
    listening = Listening(play)
    for decision in turns(play, sitting.player()):
        if (decision.secret or len(play.pending) > 1) and sampling.wants(play, decision):
            _check_twins(listening, play, decision, random)


def _check_twins(listening: Listening, play: Play, decision: Decision, random: Random) -> None:
    answers = _two_secrets(decision, random)
    if answers is None:
        return
    pair = play.twin(log=True), play.twin(log=True)
    for fork, answer in zip(pair, answers, strict=True):
        asked = fork.decision_of(decision.side)
        assert asked is not None
        give(fork, asked, answer)
    others = [side for side in (WATCHER, *range(play.battle.players)) if side != decision.side]
    one, other = pair
    secret = f"side {decision.side} has chosen {shown(answers[0])} or {shown(answers[1])}"
    before = 0
    for number in range(HOW_LONG):
        news = [encoded(fork.events[before:]) for fork in pair]
        if news[0] != news[1] or one.over or other.over:
            return
        before = len(one.events)
        asked_now = [sorted({side for side, _ in f.answers[f.number :]} | {d.side for d in f.pending}) for f in pair]
        if asked_now[0] != asked_now[1]:
            raise Failed(f"{decision.ask}: who is asked {number} answers later tells whether {secret}: {asked_now}")
        for side in others if number < CLOSELY or number % 20 == 0 else ():
            told = [listening.told(fork, side) for fork in pair]
            if told[0] != told[1]:
                where = next(iter(_differ(told[0], told[1], "told")))
                raise Failed(f"{decision.ask}: {number} answers later side {side} can tell whether {secret}: {where}")
        if not _go_on_alike(one, other, decision.side, random):
            return


def _two_secrets(decision: Decision, random: Random) -> tuple[Any, Any] | None:
    """Two answers that look alike from outside: as many of whatever it is, and places that are the same."""
    drawn = [through_json(decision.sample(random)) for _ in range(8)]
    if isinstance(decision, Place):
        # Who stands where is the secret, not where somebody stands.
        for answer in drawn:
            names = list(answer)
            swapped = dict(zip(random.sample(names, len(names)), answer.values(), strict=True))
            if swapped != answer and _accepts(decision, swapped):
                return answer, swapped
        return None
    size = len(drawn[0]) if isinstance(drawn[0], list) else 0
    alike = {encoded(one): one for one in drawn if (len(one) if isinstance(one, list) else 0) == size}
    found = list(alike.values())
    return (found[0], found[1]) if len(found) > 1 and not isinstance(decision, Move) else None


def _accepts(decision: Decision, answer: Any) -> bool:
    try:
        decision.accept(answer)
    except Refused:
        return False
    return True


def _go_on_alike(one: Play, other: Play, owner: int, random: Random) -> bool:
    """The same answer in both, of somebody who is asked the same; False if only the owner is asked, and otherwise."""
    for asked in sorted(one.pending, key=lambda asked: asked.side == owner):
        twin = other.decision_of(asked.side)
        if twin is None or twin.ask != asked.ask:
            continue
        for answer in (*(asked.sample(random) for _ in range(4)), asked.suggestion()):
            same = through_json(answer)
            if _accepts(twin, same):
                give(one, asked, same)
                give(other, twin, same)
                return True
    return False


def _differ(one: Any, other: Any, way: str) -> Iterator[str]:
    """Where two texts of JSON differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from _differ(one[key], other[key], f"{way}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from _differ(a, b, f"{way}[{number}]")
    elif one != other:
        yield f"{way} is {shown(one)[:200]} or {shown(other)[:200]}"


def check_view(view: Any, sitting: Sitting) -> None:
    """Walk through everything a view holds."""
    text = encoded(view.data())
    if str(sitting.dice).encode() in text:
        raise Failed(f"the view of side {view.side} tells the seed")
    for thing, way in reachable(view.battle, "battle"):
        if isinstance(thing, Dice) and not isinstance(thing, HiddenDice):
            raise Failed(f"the view of side {view.side} holds dice: {way}")
        if isinstance(thing, Play | Decision | GeneratorType | FunctionType | MethodType | Random):
            raise Failed(f"the view of side {view.side} holds a {type(thing).__name__}: {way}")
        if isinstance(thing, int) and thing == sitting.dice:
            raise Failed(f"the view of side {view.side} holds the seed: {way}")
    if view.battle.log is not None:
        raise Failed(f"the view of side {view.side} holds the log")
    if view.decision is not None and view.decision.side != view.side:
        raise Failed(f"the view of side {view.side} holds the question put to side {view.decision.side}")


PLAIN = str | bytes | int | float | None


def parts_of(thing: Any) -> list[tuple[str, Any]]:
    """What an object holds, by name."""
    if isinstance(thing, dict):
        return [(f"[{key!r}]", value) for key, value in thing.items()]
    if isinstance(thing, list | tuple):
        return [(f"[{number}]", value) for number, value in enumerate(thing)]
    if isinstance(thing, set | frozenset):
        return [(f"[{number}]", value) for number, value in enumerate(sorted(thing, key=repr))]
    if isinstance(thing, PLAIN | type):
        return []
    names = [name for cls in type(thing).__mro__ for name in getattr(cls, "__slots__", ())]
    names += list(getattr(thing, "__struct_fields__", ()))
    held = {name: getattr(thing, name) for name in names if hasattr(thing, name)} | getattr(thing, "__dict__", {})
    return [(f".{name}", value) for name, value in held.items()]


def reachable(thing: Any, way: str) -> Iterator[tuple[Any, str]]:
    """Everything that can be reached from an object through its attributes, each thing once, and the way there."""
    seen: set[int] = set()
    ahead = [(thing, way)]
    while ahead:
        thing, way = ahead.pop()
        yield thing, way
        for name, part in parts_of(thing):
            if type(part) is int:
                yield part, way + name
            elif not isinstance(part, PLAIN) and id(part) not in seen:
                seen.add(id(part))
                ahead.append((part, way + name))


def differences(one: Any, other: Any, way: str = "view") -> list[str]:
    """Where two views differ. What both share as one object is the same; what is remembered for speed is private."""
    found: list[str] = []
    if way == "view":
        if encoded(one.data()) != encoded(other.data()):
            found.append("view.data()")
        return found + differences(one.battle, other.battle, "view.battle")
    if one is other or (isinstance(one, str | int | float) and one == other):
        return []
    mine, theirs = parts_of(one), parts_of(other)
    if (
        type(one) is not type(other)
        or [n for n, _ in mine] != [n for n, _ in theirs]
        or not (mine or _is_container(one))
    ):
        return [f"{way}: {shown(one)} or {shown(other)}"]
    for (name, a), (_, b) in zip(mine, theirs, strict=True):
        if not name.startswith("._"):
            found += differences(a, b, way + name)
    return found


def _is_container(thing: Any) -> bool:
    return isinstance(thing, dict | list | tuple | set | frozenset | Dice)


def vandalise(view: Any) -> None:
    """Do to a view what one would like to do to the battle."""
    seen = view.battle
    for unit in seen.units.values():
        for figure in unit.figures:
            figure.x = figure.y = -1000.0
        unit.side = 1 - unit.side
        unit.figures.clear()
        unit.fallen.clear()
    seen.units.clear()
    seen.track.clear()
    seen.options.clear()
    seen.over, seen.winner, seen.round = True, view.side, 99


def misbehaviour(sitting: Sitting) -> None:
    """A battle among players who send garbage, answer late, for others or twice, and tamper with all they are given,
    is the battle it would have been."""
    honest = sitting.original

    known = Rules(sitting.id)
    random = sitting.random("misbehaviour")
    play = sitting.begin(keep=random.random() < 0.5)
    for number, (side, answer) in enumerate(honest.answers):
        if random.random() < 0.3:
            _misbehave(play, known, random)
        if random.random() < 0.5:
            answer = through_json(answer)
        refusal = play.answer(side, answer, play.number)
        if refusal is not None:
            raise Failed(f"answer {number} is refused after somebody misbehaved: {refusal}")
        if random.random() < 0.2:
            check_refused(play, known, side, answer, play.number - 1)
        if isinstance(answer, dict | list):
            answer.clear() if answer is not honest.answers[number][1] else None
    if record(play) != record(honest):
        raise Failed(f"somebody misbehaved, and it is another battle: {first_difference(honest, play)}")


def _misbehave(play: Play, known: Rules, random: Random) -> None:
    decision = random.choice(play.pending)
    match random.randrange(5):
        case 0:
            for wrong in random.sample(wrong_answers(play, decision, random), 5):
                check_refused(play, known, decision.side, wrong)
        case 1:
            legal = decision.sample(random)
            side = next((s for s in range(play.battle.sides) if play.decision_of(s) is None), 99)
            check_refused(play, known, side, legal)
            check_refused(play, known, decision.side, legal, play.number - 1)
        case 2:
            proposed = decision.sample(random)
            if isinstance(proposed, dict):
                for key in proposed:
                    proposed[key] = "tampered with"
                if proposed:
                    check_refused(play, known, decision.side, proposed)
                proposed.clear()
        case 3:
            vandalise(play.view(decision.side))
        case _:
            fork = play.twin()
            play_on = Player(random)
            for _, _ in zip(range(10), turns(fork, play_on), strict=False):
                pass


Part = Callable[[Sitting], None]

PARTS: dict[str, Part] = {
    part.__name__: part
    for part in (soundness, offers, liberties, refusals, sameness, forks, undoing, saving, secrets, twins, misbehaviour)
}


def sit(part: str, sitting: Sitting) -> None:
    """Take one part of the exam; a failure ends with the command that repeats it."""
    try:
        PARTS[part](sitting)
    except Exception as failure:
        raise repeatable(failure, sitting, part) from failure


def repeatable(failure: Exception, sitting: Sitting, part: str) -> Failed:
    said = str(failure) if isinstance(failure, Failed) else f"{type(failure).__name__}: {failure}"
    return Failed(f"{part}: {said}\nagain with: {sitting.command(part)}")


# -- special rules -----------------------------------------------------------------------------------------------------


class Captains(Player):
    """The best bot of the game on every side: it seeks what chance hardly ever finds, a fight at close quarters."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting.random("captains"))
        self.seats = [
            sitting.game.bots()["captain"](seed=seat) for seat in range(sitting.begin(keep=False).battle.sides)
        ]

    def answer(self, play: Play, decision: Decision) -> Any:
        return self.seats[decision.side].decide(play.view(decision.side), decision)


def keywords_used(sitting: Sitting, player: Player | None = None) -> set[str]:
    """Let somebody, or chance, play a battle and say which special rules had a part in it."""
    play = sitting.begin(keep=False)
    seen: set[str] = set()
    before, keywords.witness = keywords.witness, seen
    try:
        play_out(play, player or sitting.player())
    except Exception as failure:
        raise repeatable(failure, sitting, "soundness") from failure
    finally:
        keywords.witness = before
    return seen | play.game.keywords_seen(play.events, play.battle)
