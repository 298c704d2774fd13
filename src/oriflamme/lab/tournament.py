"""Tournaments between army lists: who meets whom on which table, and what comes of it. `oriflamme league` plays them.

    cup = Tournament("aof", (Entry("kiln_clans_750_red_hot"), Entry("harbour.toml")), tables=4)
    for line in play(cup, done={}, workers=2):
        ...

A *pairing* of two entries is played on so many tables, and on each table twice, so that both have both seats. A table
is the same for every pairing: its map, its scenario and its dice come from its number. So is a house rule that is
compared (`versus`): each battle is then played once with it and once without, with the same dice.

Every battle has a key, and what it comes to depends on nothing else: a tournament that was stopped goes on with what
is not there yet, in any order and on any number of processes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from oriflamme.engine.core.bots import is_sealed_off
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import name_in, notice
from oriflamme.engine.words.problems import Problems, problem_with
from oriflamme.games import load
from oriflamme.lab.battle import Misplayed, derived, play_on, players
from oriflamme.lab.league import Match, Pairing, next_round, round_robin, usual_rounds
from oriflamme.lab.processes import shared_out

MOST_ENTRIES: Final = 64
MOST_TABLES: Final = 1000


class Entry(msgspec.Struct, frozen=True):
    """Who takes part: a list, and the bot that plays it."""

    list: str
    bot: str = ""

    @property
    def name(self) -> str:
        return f"{self.list}@{self.bot}" if self.bot else self.list


class Tournament(msgspec.Struct, frozen=True):
    """What is played. Plain data, so that another process or machine can be told."""

    game: str
    entries: tuple[Entry, ...]
    tables: int = 2
    seed: int = 0
    points: int = 0
    map: str = ""
    options: dict[str, str] = {}
    choices: dict[str, str] = {}
    versus: dict[str, str] = {}
    """House rules that are compared with those of `options`."""
    swiss: int = 0
    """So many rounds in which those meet who have won as much; 0 if everybody meets everybody."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self.entries)

    @property
    def variants(self) -> tuple[dict[str, str], ...]:
        """The house rules, and the others that they are compared with."""
        return (self.options, self.options | self.versus) if self.versus else (self.options,)

    def entry(self, name: str) -> Entry:
        return self.entries[self.names.index(name)]


class Chore(msgspec.Struct, frozen=True):
    """One battle that is to be played."""

    first: str
    second: str
    table: int
    turned: bool
    """The second has the first seat."""
    variant: int = 0

    @property
    def key(self) -> str:
        return json.dumps([self.first, self.second, self.table, int(self.turned), self.variant])


class Kept(msgspec.Struct, frozen=True):
    """A unit after a battle: how many figures it began with and how many are left. Its name is one for all languages,
    or by language."""

    unit: str
    name: str | dict[str, str]
    began: int
    left: int


class Line(msgspec.Struct, frozen=True):
    """What came of one battle. `share` is what the first of both has of the win: 1, a half or nothing."""

    first: str
    second: str
    table: int
    turned: bool
    variant: int
    share: float
    score: tuple[int, int]
    """What both have scored, the first of both first."""
    rounds: int
    decisions: int
    scenario: str
    kept: tuple[tuple[Kept, ...], tuple[Kept, ...]]
    fingerprint: str

    @property
    def key(self) -> str:
        return Chore(self.first, self.second, self.table, self.turned, self.variant).key


def check(cup: Tournament) -> None:
    """Raises Problems if it cannot be played: before anybody is put to work."""
    game = load(cup.game)
    problems = Problems("league")
    if not 2 <= len(cup.entries) <= MOST_ENTRIES:
        what = notice("so_many_entries", number=len(cup.entries), most=MOST_ENTRIES)
        problems.add("lists", what, hint=notice("name_lists"))
    doubles = sorted({name for name in cup.names if cup.names.count(name) > 1})
    for name in doubles:
        problems.add("lists", notice("entry_twice", name=name), hint=notice("entry_with_bot"))
    number = game.players_of(game.agreed(cup.choices))
    if number != 2:
        problems.add("players", notice("league_of_two", number=number))
    problems.raise_if_any()
    for entry in cup.entries:
        players(game, [entry.bot or game.best_bot], 0, 1)
    for variant in cup.variants:
        for one, other in zip(cup.entries, cup.entries[1:], strict=False):
            _setup(cup, one, other, 0, variant)


def known_by(cup: Tournament) -> str:
    """What tells one tournament from another: results of different ones are not mixed. More tables are the same one."""
    data = msgspec.to_builtins(cup)
    for key in ("tables", "swiss", "entries"):
        del data[key]
    return hashlib.blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=8).hexdigest()


# -- who meets whom ----------------------------------------------------------------------------------------------------


def rounds_of(cup: Tournament) -> int:
    """How many rounds there are."""
    if cup.swiss:
        return min(cup.swiss, max(len(cup.entries) - 1, 1))
    return len(round_robin(cup.names))


def usual_swiss(entries: int) -> int:
    """How many Swiss rounds find the best of so many."""
    return usual_rounds(entries)


def pairings(cup: Tournament, number: int, matches: list[Match]) -> list[Pairing]:
    """Who meets whom in that round, after these matches."""
    return next_round(cup.names, matches) if cup.swiss else round_robin(cup.names)[number]


def chores(cup: Tournament, pairs: Iterable[Pairing]) -> Iterator[Chore]:
    """The battles of a round."""
    for table in range(cup.tables):
        for pair in pairs:
            first, second = sorted(pair.players, key=cup.names.index) if not pair.is_bye else ("", "")
            if first:
                for turned in (False, True):
                    for variant in range(len(cup.variants)):
                        yield Chore(first, second, table, turned, variant)


def match_of(pair: Pairing, lines: Iterable[Line]) -> Match:
    """What came of a pairing: who has more of the wins of all its battles has won it."""
    if pair.is_bye:
        return Match(pair.first, "", pair.first)
    shares = [one.share if one.first == pair.first else 1 - one.share for one in lines if one.variant == 0]
    mine, all_of_it = sum(shares), len(shares)
    winner = "" if mine * 2 == all_of_it else pair.first if mine * 2 > all_of_it else pair.second
    return Match(pair.first, pair.second, winner)


# -- playing -----------------------------------------------------------------------------------------------------------


def _setup(cup: Tournament, one: Entry, other: Entry, table: int, options: Mapping[str, str]) -> dict[str, Any]:
    seed = derived(cup.seed, "table", table)
    lists = (one.list, other.list)
    return load(cup.game).setup(seed, points=cup.points, lists=lists, map=cup.map, options=options, choices=cup.choices)


def play_chore(cup: Tournament, chore: Chore) -> Line:
    """One battle."""
    game = load(cup.game)
    seats = [cup.entry(chore.first), cup.entry(chore.second)]
    if chore.turned:
        seats.reverse()
    seed = derived(cup.seed, "dice", chore.table)
    try:
        setup = _setup(cup, seats[0], seats[1], chore.table, cup.variants[chore.variant])
        seated = players(game, [entry.bot or game.best_bot for entry in seats], seed, 2)
        play = Play(game, setup, seed, keep=any(map(is_sealed_off, seated)), log=False)
        began = {unit.id: _unit(unit) for unit in play.battle.units.values()}
        play_on(play, seated)
    except Problems:
        raise
    except Exception as error:
        raise Misplayed(f"battle {chore.key} of a league with seed {cup.seed}: {error!r}") from error
    return _line(game, play, chore, began, str(setup.get("scenario") or ""))


def _line(game: Game, play: Play, chore: Chore, began: Mapping[str, _Unit], scenario: str) -> Line:
    result, order = game.result(play.battle), (1, 0) if chore.turned else (0, 1)
    winner = result["winner"]
    score = [int(number) for number in result["score"][:2]]
    kept = [_kept(play, side, began) for side in order]
    return Line(
        chore.first,
        chore.second,
        chore.table,
        chore.turned,
        chore.variant,
        share=0.5 if winner is None else float(winner == order[0]),
        score=(score[order[0]], score[order[1]]),
        rounds=result["rounds"],
        decisions=len(play.answers),
        scenario=scenario,
        kept=(kept[0], kept[1]),
        fingerprint=play.battle.fingerprint(),
    )


class _Unit(NamedTuple):
    """A unit as it begins a battle."""

    side: int
    name: str | dict[str, str]
    figures: int


def _unit(unit: Any) -> _Unit:
    name = getattr(unit, "name", "") or unit.id
    return _Unit(unit.side, dict(name) if isinstance(name, Mapping) else str(name), len(unit.figures))


def name_of(name: str | Mapping[str, str], lang: str) -> str:
    """The name of a unit in a language."""
    return name if isinstance(name, str) else name_in(name, lang)


def _kept(play: Play, side: int, began: Mapping[str, _Unit]) -> tuple[Kept, ...]:
    """The units a side began with, as they are now. One that is no longer there has nobody left."""
    left = {unit.id: len(unit.figures) for unit in play.battle.units.values()}
    return tuple(
        Kept(id, unit.name, unit.figures, min(left.get(id, 0), unit.figures))
        for id, unit in began.items()
        if unit.side == side and unit.figures
    )


@lru_cache(maxsize=4)
def _told(data: bytes) -> Tournament:
    return msgspec.json.decode(data, type=Tournament)


def play_told(work: tuple[bytes, list[Chore]]) -> list[Line]:
    """Some battles, for another process or machine."""
    cup = _told(work[0])
    return [play_chore(cup, chore) for chore in work[1]]


Spread = Callable[[bytes, Iterable[Chore]], Iterator[Line]]
"""Plays battles somewhere, and hands over what came of each, in any order."""


def here(workers: int) -> Spread:
    """Play on so many processes of this machine."""

    def spread(told: bytes, todo: Iterable[Chore]) -> Iterator[Line]:
        for lines in shared_out(play_told, ((told, [chore]) for chore in todo), workers):
            yield from lines

    return spread


def play(cup: Tournament, done: Mapping[str, Line], spread: Spread) -> Iterator[Line]:
    """The battles that are not there yet, round by round."""
    check(cup)
    told, known, matches = msgspec.json.encode(cup), dict(done), list[Match]()
    for number in range(rounds_of(cup)):
        pairs = pairings(cup, number, matches)
        todo = list(chores(cup, pairs))
        for line in spread(told, [chore for chore in todo if chore.key not in known]):
            known[line.key] = line
            yield line
        matches += [match_of(pair, _lines_of(pair, todo, known)) for pair in pairs]


def _lines_of(pair: Pairing, todo: Iterable[Chore], known: Mapping[str, Line]) -> list[Line]:
    return [known[chore.key] for chore in todo if {chore.first, chore.second} == set(pair.players)]


def matches_of(cup: Tournament, known: Mapping[str, Line]) -> list[Match]:
    """The pairings that have been played to their end, in the order of rounds."""
    matches: list[Match] = []
    for number in range(rounds_of(cup)):
        pairs = pairings(cup, number, matches)
        todo = list(chores(cup, pairs))
        if any(chore.key not in known for chore in todo):
            break
        matches += [match_of(pair, _lines_of(pair, todo, known)) for pair in pairs]
    return matches


def digest(lines: Iterable[Line]) -> str:
    """The same for the same battles, in whatever order they were played, wherever."""
    seen = hashlib.blake2b(digest_size=12)
    for key, fingerprint in sorted((line.key, line.fingerprint) for line in lines):
        seen.update(f"{key}{fingerprint}".encode())
    return seen.hexdigest()


def must_be_sensible(cup: Tournament) -> None:
    """Raises Problems where numbers are out of all bounds."""
    if not 1 <= cup.tables <= MOST_TABLES:
        raise problem_with("--tables", notice("so_many_tables", number=cup.tables, most=MOST_TABLES))
