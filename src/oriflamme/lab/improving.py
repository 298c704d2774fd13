"""A list made better: allowed changes of it are tried against a field of lists, and those that win more are kept.

    plan = Plan("aof", draft, field=("kiln_clans_750_red_hot", "autumn.toml"), battles=400)
    for line in play(plan, known, workers=2): ...
    findings(plan, known)

Every change meets the field on the same tables, with the same dice and from both seats, and so does the list as it is.
Battles are not shared out evenly (sequential halving): after each round the worse half of the changes is left out, and
the others play twice as many. The best two then meet the field once more on other tables, and what they are told to be
worth comes from those battles alone: who is the best of many by luck is not so again.

What a battle comes to depends on nothing but the plan and its number, so that a search that was stopped goes on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, log2, sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from oriflamme.engine.lists.armies import in_languages
from oriflamme.engine.lists.drafts import Draft
from oriflamme.engine.lists.fields import Names
from oriflamme.engine.lists.toml import as_toml
from oriflamme.engine.lists.variations import Change, legal, variations
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import load
from oriflamme.lab.processes import shared_out
from oriflamme.lab.simulate import Z, wilson
from oriflamme.lab.tournament import Chore, Entry, Kept, Line, Tournament, name_of, play_chore

AS_IT_IS: Final = "as_it_is"
FINALISTS: Final = 2
TRYING: Final = 0.6  # of all battles, before the best are confirmed
FRESH: Final = 500_000  # tables from here on are those of the confirmation
MOST_BATTLES: Final = 100_000
MOST_FIELD: Final = 32


class Plan(msgspec.Struct, frozen=True):
    """What is tried: a list, whom it is to beat, and how many battles there may be."""

    game: str
    draft: Draft
    field: tuple[str, ...]
    battles: int = 400
    seed: int = 0
    options: dict[str, str] = {}
    choices: dict[str, str] = {}


class Trial(msgspec.Struct, frozen=True):
    """One battle of the search: who plays it, and which number it has. Numbers from FRESH on confirm."""

    who: str
    number: int


class Reason(msgspec.Struct, frozen=True):
    """Why a change is worth something: wins against one list of the field, before and after."""

    against: str
    before: float
    after: float


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What a change comes to, by the battles that confirm it: parts of all wins, before and after, and by how much
    they differ, with the bounds of a 95 % confidence interval. `lost` and `killed` are parts of the figures."""

    what: Names
    draft: Draft
    cost: int
    battles: int
    before: float
    after: float
    gain: float
    low: float
    high: float
    lost: tuple[float, float]
    killed: tuple[float, float]
    reasons: tuple[Reason, ...]

    @property
    def is_better(self) -> bool:
        """Its interval lies above nothing."""
        return self.low > 0


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What a search has found. `units` are those of the list as it is, with the part of their figures that lives."""

    game: str
    allowed: int
    """Changes that the rules allow, and how many of them were `tried`."""
    tried: int
    battles: int
    before: float
    low: float
    high: float
    units: tuple[tuple[str | dict[str, str], float], ...]
    findings: tuple[Finding, ...]


# -- who is tried ------------------------------------------------------------------------------------------------------


class Search:
    """The search of a plan, as far as its battles are known."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.armies = load(plan.game).armies()
        check(plan)
        allowed = list(variations(self.armies, plan.draft, plan.options))
        self.allowed = len(allowed)
        self.changes = _chosen(plan, allowed)
        self.drafts = {AS_IT_IS: plan.draft} | {key: change.draft for key, change in self.changes.items()}
        self._told = {key: as_toml(self.armies.to_list(draft)) for key, draft in self.drafts.items()}

    @property
    def confirming(self) -> int:
        """How many battles each of the last plays to confirm what was found."""
        left = self.plan.battles - _price(len(self.changes))
        return max(2, left // (FINALISTS + 1) // 2 * 2) if self.changes else max(2, self.plan.battles // 2 * 2)

    @property
    def all_battles(self) -> int:
        """How many battles there are in all."""
        last = min(FINALISTS, len(self.changes)) + 1
        return _price(len(self.changes)) + last * self.confirming

    def rounds(self, known: Mapping[Trial, Line]) -> Iterator[list[Trial]]:
        """The battles of each round; it is asked for the next when those of the one before are known."""
        alive = list(self.changes)
        for most, upto in _rounds(len(alive)):
            alive = alive[:most]
            yield [Trial(who, number) for number in range(upto) for who in (AS_IT_IS, *alive)]
            alive = self._best(alive, upto, known)
        last = alive[:FINALISTS]
        yield [Trial(who, FRESH + number) for number in range(self.confirming) for who in (AS_IT_IS, *last)]

    def _best(self, alive: Sequence[str], upto: int, known: Mapping[Trial, Line]) -> list[str]:
        """The changes in the order of their wins; where they have won as much, of what they scored."""

        def worth(who: str) -> tuple[float, float, str]:
            lines = [known[Trial(who, number)] for number in range(upto)]
            return (
                -sum(line.share for line in lines),
                -sum(line.score[0] - line.score[1] for line in lines),
                who,
            )

        return sorted(alive, key=worth)

    def last(self, known: Mapping[Trial, Line]) -> list[str]:
        """The changes that are confirmed, the best first; none while the search goes on."""
        for trials in self.rounds(known):
            if any(trial not in known for trial in trials):
                return []
            last = [who for who in dict.fromkeys(trial.who for trial in trials) if who != AS_IT_IS]
        return last

    def work(self, trial: Trial) -> Work:
        """A battle, for another process."""
        # One list of the field after the other, and seats change with each: few battles meet as many as they can.
        field = self.plan.field
        lap, against = divmod(trial.number % FRESH, len(field))
        return Work(
            self.plan.game,
            trial.who,
            trial.number,
            self._told[trial.who],
            field[against],
            lap // 2 + (FRESH if trial.number >= FRESH else 0),
            bool((lap + against) % 2),
            self.plan.seed,
            self.plan.draft.points,
            self.plan.options,
            self.plan.choices,
        )


class Work(msgspec.Struct, frozen=True):
    """A battle as another process is told it: the list is written down, whatever lies on its disk."""

    game: str
    who: str
    number: int
    text: str
    against: str
    table: int
    turned: bool
    seed: int
    points: int
    options: dict[str, str]
    choices: dict[str, str]


def check(plan: Plan) -> None:
    """Raises Problems if there is nothing to be tried, or nobody to meet."""
    armies = load(plan.game).armies()
    if not 1 <= len(plan.field) <= MOST_FIELD:
        raise problem_with("--against", notice("so_many_entries", number=len(plan.field), most=MOST_FIELD))
    if not plan.draft.entries:
        raise problem_with("list", notice("no_unit"))
    if legal(armies, plan.draft, plan.options) is None:
        found = armies.checked(plan.draft, plan.options).problems
        reason = {lang: str(words["what"]) for lang, words in found[0].words.items()} if found else ""
        raise problem_with("list", notice("list_not_allowed", reason=reason))


def _chosen(plan: Plan, allowed: Sequence[Change]) -> dict[str, Change]:
    """As many of the changes as there are battles for, drawn by lot: first those that do not leave points unused."""
    cost = min(load(plan.game).armies().checked(plan.draft, plan.options).cost, plan.draft.points)
    order = list(allowed)
    Random(plan.seed).shuffle(order)
    order.sort(key=lambda change: change.cost < 0.97 * cost)
    most = len(order)
    while most > FINALISTS and _price(most) > TRYING * plan.battles:
        most -= 1
    return {_key(change.draft): change for change in order[:most]}


def _rounds(changes: int) -> list[tuple[int, int]]:
    """How many changes are left in each round, and how many battles each of them has then played."""
    if changes <= FINALISTS:
        return []
    number = ceil(log2(changes / FINALISTS))
    return [(ceil(changes / 2**at), 2 ** (at + 1)) for at in range(number)]


def _price(changes: int) -> int:
    """How many battles it takes until the last are left."""
    before, battles = 0, 0
    for alive, upto in _rounds(changes):
        battles += (upto - before) * (alive + 1)
        before = upto
    return battles


def _key(draft: Draft) -> str:
    return hashlib.blake2b(msgspec.json.encode(draft), digest_size=8).hexdigest()


# -- playing -----------------------------------------------------------------------------------------------------------


def play_trial(work: Work) -> tuple[Trial, Line]:
    """One battle of the search."""
    with TemporaryDirectory() as folder:
        path = Path(folder, f"{work.who}.toml")
        path.write_text(work.text, encoding="utf-8")
        entries = (Entry(str(path)), Entry(work.against))
        cup = Tournament(
            work.game, entries, seed=work.seed, points=work.points, options=work.options, choices=work.choices
        )
        line = play_chore(cup, Chore(entries[0].name, entries[1].name, work.table, work.turned))
    return Trial(work.who, work.number), msgspec.structs.replace(line, first=work.who)


class Played(msgspec.Struct, frozen=True):
    """A battle of a search, as a file keeps it."""

    who: str
    number: int
    line: Line


def play(search: Search, known: dict[Trial, Line], workers: int) -> Iterator[Played]:
    """The battles that are not known yet, round by round; each is then known."""
    for trials in search.rounds(known):
        todo = [search.work(trial) for trial in trials if trial not in known]
        for trial, line in shared_out(play_trial, todo, workers):
            known[trial] = line
            yield Played(trial.who, trial.number, line)


def about(plan: Plan) -> dict[str, Any]:
    """What a file of such battles is about."""
    data = msgspec.to_builtins(plan)
    text = json.dumps(data, sort_keys=True)
    digest = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    return {"oriflamme army improve": plan.game, "plan": digest, "rules": load(plan.game).version}


# -- counting ----------------------------------------------------------------------------------------------------------


def findings(search: Search, known: Mapping[Trial, Line]) -> Findings:
    """What has been found, when all battles are known."""
    numbers = [FRESH + number for number in range(search.confirming)]
    before = [known[Trial(AS_IT_IS, number)] for number in numbers if Trial(AS_IT_IS, number) in known]
    found = [
        _finding(search.changes[who], before, [known[Trial(who, number)] for number in numbers])
        for who in search.last(known)
    ]
    share = sum(line.share for line in before)
    low, high = wilson(share, len(before))
    return Findings(
        game=search.plan.game,
        allowed=search.allowed,
        tried=len(search.changes),
        battles=len(known),
        before=share / max(len(before), 1),
        low=low,
        high=high,
        units=_living(before),
        findings=tuple(sorted(found, key=lambda one: -one.gain)),
    )


def _finding(change: Change, before: Sequence[Line], after: Sequence[Line]) -> Finding:
    differences = [new.share - old.share for old, new in zip(before, after, strict=True)]
    gain = sum(differences) / len(differences)
    within = Z * sqrt(_variance(differences, gain) / len(differences))
    return Finding(
        what=in_languages(change.told()),
        draft=change.draft,
        cost=change.cost,
        battles=len(after),
        before=_mean(line.share for line in before),
        after=_mean(line.share for line in after),
        gain=gain,
        low=max(gain - within, -1.0),
        high=min(gain + within, 1.0),
        lost=(_lost(before, 0), _lost(after, 0)),
        killed=(_lost(before, 1), _lost(after, 1)),
        reasons=_reasons(before, after),
    )


def _variance(numbers: Sequence[float], mean: float) -> float:
    """How far they lie apart, as if one more had been won and one lost: a few that are alike prove little."""
    return (sum((one - mean) ** 2 for one in numbers) + 2) / (len(numbers) + 1)


def _reasons(before: Sequence[Line], after: Sequence[Line]) -> tuple[Reason, ...]:
    rivals = dict.fromkeys(line.second for line in before)
    made = [
        Reason(
            rival,
            _mean(line.share for line in before if line.second == rival),
            _mean(line.share for line in after if line.second == rival),
        )
        for rival in rivals
    ]
    return tuple(sorted(made, key=lambda one: one.before - one.after))


def _lost(lines: Sequence[Line], side: int) -> float:
    """The part of the figures of a side that is gone at the end."""
    began = sum(unit.began for line in lines for unit in line.kept[side])
    left = sum(unit.left for line in lines for unit in line.kept[side])
    return 1 - left / began if began else 0.0


def _living(lines: Sequence[Line]) -> tuple[tuple[str | dict[str, str], float], ...]:
    """The units of the first side and the part of each that lives, the one that suffers most first."""
    units: dict[str, list[Kept]] = {}
    for line in lines:
        for unit in line.kept[0]:
            units.setdefault(name_of(unit.name, "en"), []).append(unit)
    made = [
        (kept[0].name, sum(one.left for one in kept) / max(sum(one.began for one in kept), 1))
        for kept in units.values()
    ]
    return tuple(sorted(made, key=lambda one: one[1]))


def _mean(numbers: Iterable[float]) -> float:
    found = list(numbers)
    return sum(found) / len(found) if found else 0.0
