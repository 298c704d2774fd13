"""How the armies that ship fare against each other, which are out of line, and how far prices would have to move.

Captains play every two armies as often, with all ready-made lists of both by turns and seats swapped. An army is what a
faction has ready at this size; where a game has no factions, each list is one.

Prices: every list also meets itself with an entry less. What that costs it tells what points are worth in this game:
the odds to win are taken to be the ratio of points to a power, and the power is the one that makes those battles the
likeliest. An army whose odds are those of a list 10 % dearer would have to cost 10 % more.

A battle has a number, and what it comes to depends on nothing but the seed, the lists and that number. So a run that
was stopped goes on, and when a list is changed only its own battles are played again.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations
from math import exp, log, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from oriflamme.engine.lists.drafts import Draft
from oriflamme.engine.lists.toml import as_toml
from oriflamme.engine.lists.variations import legal, shorter
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, problem_with
from oriflamme.games import load
from oriflamme.lab.battle import Misplayed, derived, play_battle
from oriflamme.lab.processes import shared_out
from oriflamme.lab.simulate import Z, wilson

SEED: Final = 13
LOW: Final = 0.45
HIGH: Final = 0.55  # of all battles: what an army may win and be in line
SHORTER: Final = (0.05, 0.30)  # of its points that a list is without when it meets itself
MOST_MIRRORS: Final = 40  # such battles for each list, if nothing is said


class Plan(msgspec.Struct, frozen=True):
    """What is played. Plain data, so that another process can be told."""

    game: str
    points: int
    battles: int
    seed: int = SEED
    mirrors: int = MOST_MIRRORS
    """How many battles each list plays against itself with an entry less, at the most."""


class Bout(msgspec.Struct, frozen=True, order=True):
    """One battle to play: two armies, or a list that meets itself (no second) with an entry less."""

    number: int
    first: str
    second: str = ""


class Fought(msgspec.Struct, frozen=True):
    """What came of one. `share` is what the first has of the win: 1, a half or nothing."""

    first: str
    second: str
    number: int
    lists: tuple[str, str]
    of: tuple[str, str]
    """What both lists were made of, as a short text that changes with them."""
    costs: tuple[int, int]
    share: float
    rounds: int
    fingerprint: str


class Stand(msgspec.Struct, frozen=True):
    """How an army or a list stands: its part of all wins with the bounds of a 95 % confidence interval, and by how
    much its price would have to change for it to win half of its battles, with bounds, where that can be told."""

    name: str
    battles: int
    wins: float
    rate: float
    low: float
    high: float
    verdict: str
    """`strong`, `weak` or `within`; `seems_strong` and `seems_weak` where the bounds still allow that it is in line."""
    price: float | None = None
    price_low: float | None = None
    price_high: float | None = None


class Worth(msgspec.Struct, frozen=True):
    """What points are worth: the odds to win are the ratio of points to this power. Bounds of 95 %, and battles."""

    power: float
    low: float
    high: float
    battles: int


class Table(msgspec.Struct, frozen=True):
    """All of it."""

    game: str
    points: int
    seed: int
    battles: int
    armies: tuple[Stand, ...]
    lists: tuple[Stand, ...]
    met: dict[str, dict[str, tuple[float, int]]]
    """What the first has won of the second, and of how many battles."""
    worth: Worth | None


# -- who meets whom ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def armies_of(game_id: str, points: int) -> Mapping[str, tuple[str, ...]]:
    """The ready-made lists of a size by their faction; each by itself where lists have none. Raises Problems."""
    game = load(game_id)
    armies = game.armies()
    found: dict[str, list[str]] = defaultdict(list)
    for id in sorted(armies.reader.ready):
        roster = armies.reader.load(id, game.defaults())
        if roster.points == points:
            found[armies.summary(id, roster).faction if armies.one_faction else id].append(id)
    if len(found) < 2:
        hint = notice("ask_for_sizes", there=sizes_of(game_id))
        raise problem_with("--points", notice("no_list_of_size", points=points), hint=hint)
    return {army: tuple(lists) for army, lists in sorted(found.items())}


def sizes_of(game_id: str) -> list[int]:
    """The sizes for which lists ship."""
    game = load(game_id)
    reader = game.armies().reader
    return sorted({reader.load(id, game.defaults()).points for id in reader.ready})


def bouts(plan: Plan) -> Iterator[Bout]:
    """All battles, every pair by turns, so that a run that is stopped has as many of each."""
    armies = armies_of(plan.game, plan.points)
    mirrored = [id for lists in armies.values() for id in lists if plan.mirrors and _shorter(plan.game, id)]
    for number in range(plan.battles):
        for one, other in combinations(armies, 2):
            yield Bout(number, one, other)
        if number < plan.mirrors:
            for id in mirrored:
                yield Bout(number, id)


def seats(plan: Plan, bout: Bout) -> tuple[str, str]:
    """The lists of a battle between two armies, that of the first army first."""
    armies = armies_of(plan.game, plan.points)
    mine, theirs = armies[bout.first], armies[bout.second]
    return mine[bout.number // 2 % len(mine)], theirs[bout.number // (2 * len(mine)) % len(theirs)]


# -- playing -----------------------------------------------------------------------------------------------------------


def play_bout(plan: Plan, bout: Bout) -> Fought:
    """One battle."""
    try:
        return _play(plan, bout) if bout.second else _play_mirror(plan, bout)
    except Problems:
        raise
    except Exception as error:
        where = " and ".join(filter(None, (bout.first, bout.second)))
        raise Misplayed(f"battle {bout.number} of {where}, balance with seed {plan.seed}: {error!r}") from error


def _play(plan: Plan, bout: Bout) -> Fought:
    lists = seats(plan, bout)
    return _fought(plan, bout, lists, lists, (_cost(plan.game, lists[0]), _cost(plan.game, lists[1])))


def _play_mirror(plan: Plan, bout: Bout) -> Fought:
    choice = _shorter(plan.game, bout.first)
    draft, cost = choice[bout.number // 2 % len(choice)]
    with TemporaryDirectory() as folder:
        path = Path(folder, "shorter.toml")
        path.write_text(as_toml(load(plan.game).armies().to_list(draft)), encoding="utf-8")
        return _fought(plan, bout, (bout.first, str(path)), (bout.first, ""), (_cost(plan.game, bout.first), cost))


def _fought(plan: Plan, bout: Bout, files: tuple[str, str], lists: tuple[str, str], costs: tuple[int, int]) -> Fought:
    game, turned = load(plan.game), bout.number % 2
    setup = game.setup(
        derived(plan.seed, bout.first, bout.second, bout.number // 2),
        points=plan.points,
        lists=files[::-1] if turned else files,
    )
    dice = derived(plan.seed, bout.first, bout.second, "battle", bout.number)
    result = play_battle(game, setup, dice, (game.best_bot, game.best_bot))
    share = 0.5 if result.winner is None else float(result.winner == turned)
    of = made_of(plan.game, lists[0]), made_of(plan.game, lists[1] or lists[0])
    return Fought(bout.first, bout.second, bout.number, lists, of, costs, share, result.rounds, result.fingerprint)


def play(plan: Plan, known: Iterable[Fought], workers: int) -> Iterator[Fought]:
    """The battles that are not there yet."""
    there = {Bout(one.number, one.first, one.second) for one in current(plan, known)}
    todo = [bout for bout in bouts(plan) if bout not in there]
    yield from shared_out(partial(play_bout, plan), todo, workers)


def current(plan: Plan, known: Iterable[Fought]) -> list[Fought]:
    """Of these battles those that this plan has and that were played with the lists of today, each once."""
    wanted, found = set(bouts(plan)), dict[Bout, Fought]()
    for one in known:
        bout = Bout(one.number, one.first, one.second)
        lists = seats(plan, bout) if bout in wanted and one.second else (one.first, "")
        if (
            bout in wanted
            and one.lists == lists
            and one.of == tuple(made_of(plan.game, id or lists[0]) for id in lists)
        ):
            found[bout] = one
    return list(found.values())


def about(plan: Plan) -> dict[str, Any]:
    """What a file of results is about; more battles are the same."""
    return {"oriflamme balance": plan.game, "points": plan.points, "seed": plan.seed, "rules": load(plan.game).version}


@lru_cache(maxsize=256)
def made_of(game_id: str, id: str) -> str:
    """A short text that changes when a ready-made list does, or a unit in it."""
    game = load(game_id)
    data = game.armies().reader.load(id, game.defaults()).to_data()
    return hashlib.blake2b(json.dumps(data, sort_keys=True, default=str).encode(), digest_size=6).hexdigest()


def _cost(game_id: str, id: str) -> int:
    armies = load(game_id).armies()
    return armies.summary(id, armies.reader.load(id, load(game_id).defaults())).cost


@lru_cache(maxsize=256)
def _shorter(game_id: str, id: str) -> tuple[tuple[Draft, int], ...]:
    """The lists a ready-made one makes with an entry less, and what they cost."""
    armies = load(game_id).armies()
    draft = armies.find_ready(id)
    whole = legal(armies, draft)
    if whole is None:
        return ()
    low, high = SHORTER
    return tuple((one.draft, one.cost) for one in shorter(armies, draft) if low <= 1 - one.cost / whole.cost <= high)


# -- counting ----------------------------------------------------------------------------------------------------------


def table(plan: Plan, known: Iterable[Fought]) -> Table:
    """How they stand by these battles."""
    fought = current(plan, known)
    between = [one for one in fought if one.second]
    worth = worth_of([one for one in fought if not one.second])
    armies, lists = dict[str, list[float]](), dict[str, list[float]]()
    met: dict[str, dict[str, tuple[float, int]]] = defaultdict(dict)
    for one in between:
        for name, rival, id, share in (
            (one.first, one.second, one.lists[0], one.share),
            (one.second, one.first, one.lists[1], 1 - one.share),
        ):
            armies.setdefault(name, []).append(share)
            lists.setdefault(id, []).append(share)
            won, of = met[name].get(rival, (0.0, 0))
            met[name][rival] = (won + share, of + 1)
    return Table(
        plan.game,
        plan.points,
        plan.seed,
        len(between),
        tuple(stand(name, armies[name], worth) for name in sorted(armies)),
        tuple(stand(id, lists[id], worth) for id in sorted(lists)),
        {name: dict(sorted(rows.items())) for name, rows in sorted(met.items())},
        worth,
    )


def stand(name: str, shares: Sequence[float], worth: Worth | None) -> Stand:
    """How somebody stands who had these shares of the win."""
    wins, battles = sum(shares), len(shares)
    low, high = wilson(wins, battles)
    rate = wins / battles
    prices = _prices(wins, battles, worth)
    return Stand(name, battles, wins, rate, low, high, _verdict(rate, low, high), *prices)


def _verdict(rate: float, low: float, high: float) -> str:
    if low > HIGH:
        return "strong"
    if high < LOW:
        return "weak"
    return "seems_strong" if rate > HIGH else "seems_weak" if rate < LOW else "within"


def _prices(wins: float, battles: int, worth: Worth | None) -> tuple[float, float, float] | tuple[()]:
    """By which part prices would have to change, and its bounds; nothing where points are not known to be worth any."""
    if worth is None or worth.low <= 0:
        return ()
    # Half a win and half a loss more, so that who has won everything is not infinitely strong.
    won, lost = wins + 0.5, battles - wins + 0.5
    odds, spread = log(won / lost), 1 / won + 1 / lost
    deviation = (worth.high - worth.low) / (2 * Z)
    middle = odds / worth.power
    within = Z * sqrt(spread + middle * middle * deviation * deviation) / worth.power
    return exp(middle) - 1, exp(middle - within) - 1, exp(middle + within) - 1


def worth_of(fought: Sequence[Fought]) -> Worth | None:
    """The power that makes the results of lists against themselves with less the likeliest."""
    sums = [(log(one.costs[0] / one.costs[1]), one.share) for one in fought if one.costs[0] > one.costs[1]]
    if not sums:
        return None
    power = 0.0
    for _ in range(60):
        slope = information = 0.0
        for ratio, share in sums:
            chance = 1 / (1 + exp(-power * ratio))
            slope += ratio * (share - chance)
            information += ratio * ratio * chance * (1 - chance)
        step = max(-2.0, min(2.0, slope / information))
        power = min(power + step, 100.0)
        if abs(step) < 1e-9:
            break
    spread = Z / sqrt(information)
    return Worth(power, power - spread, power + spread, len(sums))
