"""Leagues of a club: players with lists who meet each other, round by round, in battles of this server.

Who opens a league has its key; who enters has one of his own, with which he gets his seats. A fixture becomes a battle
when one of its two sits down, and its result is that of the battle; the organiser may enter one by hand, for a battle
that was played elsewhere or not at all. Who meets whom and who stands where are `oriflamme.lab.league`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import load
from oriflamme.lab.league import Match, Pairing, next_round, round_robin, standings, usual_rounds
from oriflamme.lab.ratings import ratings
from oriflamme.server import battles
from oriflamme.server.battles import NewBattle, OwnArmy, Request, Word
from oriflamme.server.club.clocks import Terms
from oriflamme.server.club.names import name_of
from oriflamme.server.club.shelf import LeagueRow, Shelf
from oriflamme.server.store import Store, hash_of, new_secret, now
from oriflamme.server.upkeep import played

Data = dict[str, Any]

MOST: Final = 200  # leagues of one server
PLAYERS: Final = 64  # of one league
LISTS: Final = 40_000  # characters of a player's own list
TRIES: Final = 8  # times that a change is made again because somebody else was quicker

Result = Literal["", "first", "second", "draw"]


class NewLeague(Request):
    """A league to be opened."""

    name: Word
    game: Word
    kind: Literal["round robin", "swiss"] = "round robin"
    rounds: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """Of Swiss; 0 for as many as find a single winner."""
    points: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    map: Word = ""
    choices: dict[Word, Word] = msgspec.field(default_factory=dict)
    options: dict[Word, Word] = msgspec.field(default_factory=dict)
    clock: Terms | None = None


class Entrant(msgspec.Struct):
    """A player: what he is called, what he plays, the hash of his key. A bot may take a place."""

    name: str
    army: str | OwnArmy | None
    key: str = ""
    bot: str = ""


class Fixture(msgspec.Struct):
    """Two who meet in a round, or one who has a bye; the battle, when there is one, and what came of it."""

    round: int
    first: str
    second: str = ""
    battle: str = ""
    watch: str = ""
    result: Result = ""
    by_hand: bool = False

    @property
    def is_open(self) -> bool:
        return bool(self.second) and not self.result

    def match(self) -> Match:
        """What came of it, as the table counts it."""
        if not self.second:
            return Match(self.first, "", self.first)
        return Match(self.first, self.second, {"first": self.first, "second": self.second}.get(self.result, ""))


class League(msgspec.Struct):
    """A league as it is kept."""

    about: NewLeague
    created: float
    players: list[Entrant] = []
    fixtures: list[Fixture] = []

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.players]

    @property
    def round(self) -> int:
        """The last round that was paired; 0 before the first."""
        return max((one.round for one in self.fixtures), default=0)

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        number = len(self.players)
        if self.about.kind == "round robin":
            return number - 1 + number % 2 if number > 1 else 0
        return self.about.rounds or usual_rounds(max(number, 2))

    @property
    def matches(self) -> list[Match]:
        return [one.match() for one in self.fixtures if not one.is_open]

    @property
    def over(self) -> bool:
        return 0 < self.rounds <= self.round and not any(one.is_open for one in self.fixtures)

    def player(self, name: str) -> Entrant:
        return next(one for one in self.players if one.name == name)

    def fixture(self, round: int, number: int) -> Fixture:
        """One of a round, counted from 1; raises Problems."""
        found = [one for one in self.fixtures if one.round == round]
        if not 1 <= number <= len(found):
            raise problem_with("fixture", notice("no_such_fixture", round=round, number=number))
        return found[number - 1]

    # -- what is done in it --------------------------------------------------------------------------------------------

    def enter(self, entrant: Entrant) -> None:
        """Somebody takes part; raises Problems."""
        if self.fixtures:
            raise problem_with("league", notice("league_has_begun"))
        if entrant.name in self.names:
            raise problem_with("name", notice("name_is_taken", name=entrant.name))
        if len(self.players) >= PLAYERS:
            raise problem_with("league", notice("league_is_full", number=PLAYERS))
        self.players.append(entrant)

    def pair(self) -> None:
        """Pair the next round, when all of the last one is decided; raises Problems."""
        if len(self.players) < 2:
            raise problem_with("league", notice("league_needs_two"))
        if self.round >= self.rounds:
            raise problem_with("league", notice("league_paired"))
        if any(one.is_open for one in self.fixtures):
            raise problem_with("league", notice("round_not_over", round=self.round))
        number = self.round + 1
        self.fixtures += [Fixture(number, pair.first, pair.second) for pair in self._next()]

    def decide(self, round: int, number: int, result: Result) -> None:
        """Say how a fixture of the last round has ended; raises Problems."""
        fixture = self.fixture(round, number)
        if not fixture.second or round != self.round:
            raise problem_with("fixture", notice("nobody_left_to_play"))
        fixture.result, fixture.by_hand = result, bool(result)

    def _next(self) -> list[Pairing]:
        if self.about.kind == "swiss":
            return next_round(self.names, self.matches)
        return round_robin(self.names)[self.round]

    def data(self) -> Data:
        """What everybody may know."""
        results = [
            (one.first, one.second, {"first": 1.0, "second": 0.0}.get(one.result, 0.5))
            for one in self.fixtures
            if one.second and one.result
        ]
        rated = ratings(self.names, results) if results else {}
        return {
            **msgspec.to_builtins(self.about),
            "created": self.created,
            "rounds": self.rounds,
            "round": self.round,
            "over": self.over,
            "players": [
                {"name": one.name, "army": one.army if isinstance(one.army, str) else None, "bot": one.bot or None}
                for one in self.players
            ],
            "fixtures": [msgspec.to_builtins(one) for one in self.fixtures],
            "standings": [
                {
                    key: getattr(row, key)
                    for key in ("place", "player", "points", "played", "won", "drawn", "lost", "byes")
                }
                | {"rating": round(rated[row.player].rating) if row.player in rated else None}
                for row in standings(self.names, self.matches)
            ],
        }


class Leagues:
    """The leagues of one store."""

    def __init__(self, store: Store, shelf: Shelf) -> None:
        self.store = store
        self.shelf = shelf

    def all(self) -> list[tuple[str, League]]:
        """All of them, the newest first."""
        return [(row.id, _read(row)) for row in self.shelf.leagues()]

    def get(self, id: str) -> tuple[LeagueRow, League] | None:
        """One of them, as it is kept and as it is."""
        row = self.shelf.league(id)
        return (row, _read(row)) if row is not None else None

    def new(self, wanted: NewLeague) -> tuple[str, str]:
        """A league and the key of who organises it; raises Problems."""
        wanted = msgspec.structs.replace(wanted, name=name_of(wanted.name))
        game = load(wanted.game)
        if game.players_of(game.agreed(wanted.choices)) != 2:
            raise problem_with("league", notice("lobby_for_two"))
        league, id, key = League(wanted, now()), secrets.token_hex(6), new_secret()
        row = LeagueRow(id, hash_of(key), msgspec.json.encode(league), 0)
        if not self.shelf.add_league(row, league.created, MOST):
            raise problem_with("league", notice("leagues_are_full", number=MOST))
        return id, key

    def change(self, id: str, how: Callable[[League], None]) -> League:
        """Change a league; raises Problems, and then nothing has changed."""
        for _ in range(TRIES):
            found = self.get(id)
            if found is None:
                raise problem_with("league", notice("no_such", what="league", word=id[:80]))
            row, league = found
            how(league)
            if self.shelf.keep_league(msgspec.structs.replace(row, data=msgspec.json.encode(league))):
                return league
        raise problem_with("league", notice("try_again"))

    def settled(self, id: str) -> League | None:
        """A league with the results of all battles of it that are over."""
        found = self.get(id)
        if found is None:
            return None
        league = found[1]
        results: dict[str, Result] = {}
        for one in league.fixtures:
            if one.is_open and one.battle:
                result = self._result_of(one.battle)
                if result:
                    results[one.battle] = result
        if not results:
            return league

        def note(league: League) -> None:
            for one in league.fixtures:
                if one.is_open and one.battle in results:
                    one.result = results[one.battle]

        return self.change(id, note)

    def _result_of(self, battle: str) -> Result:
        """Who won a battle of this store, the host of its first side or of its second; "" while it goes on."""
        record = self.store.get(battle)
        if record is None or not record.over:
            return ""
        winners = played(self.store, record).battle.winners
        if len(winners) != 1:
            return "draw"
        return "first" if winners[0] == 0 else "second"


def _read(row: LeagueRow) -> League:
    return msgspec.json.decode(row.data, type=League)


def must_play(about: NewLeague, army: str | OwnArmy | None) -> None:
    """Whether a list can be played in a league; raises Problems with all that is wrong with it."""
    if isinstance(army, OwnArmy) and len(army.text) > LISTS:
        raise problem_with("army", notice("file_too_long", most=LISTS), hint=notice("send_less"))
    battles.make(battle_of(about, [army, None], ["", ""], ""))


def battle_of(about: NewLeague, armies: Sequence[str | OwnArmy | None], bots: Sequence[str], title: str) -> NewBattle:
    """The battle of a fixture, as it is asked for."""
    people = sum(not bot for bot in bots)
    return NewBattle(
        about.game,
        "invite",
        armies=list(armies),
        map=about.map,
        points=about.points,
        options=about.options,
        choices=about.choices,
        seats=[bot or "human" for bot in bots] if any(bots) else [],
        title=title[:80],
        clock=about.clock if people == 2 else None,
    )


def made_of(league: League, fixture: Fixture) -> battles.Made:
    """The battle in which two of a league meet."""
    both = [league.player(name) for name in (fixture.first, fixture.second)]
    title = f"{fixture.first} – {fixture.second}"
    return battles.make(battle_of(league.about, [one.army for one in both], [one.bot for one in both], title))
