"""Leagues: who meets whom in each round, and who stands where. Players are names: people, lists, bots.

    rounds = round_robin(["Ada", "Ben", "Cem"])             # everybody meets everybody
    pairs = next_round(["Ada", "Ben", "Cem"], matches)      # Swiss: who have won as much meet
    table = standings(["Ada", "Ben", "Cem"], matches)

Nothing here plays, keeps or knows anything else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from oriflamme.lab.matching import Matching, most_pairs


class Pairing(msgspec.Struct, frozen=True):
    """Two who meet, the first of them on the first side; or one who has a bye."""

    first: str
    second: str = ""

    @property
    def is_bye(self) -> bool:
        return not self.second

    @property
    def players(self) -> tuple[str, ...]:
        return (self.first, self.second) if self.second else (self.first,)


class Match(msgspec.Struct, frozen=True):
    """What came of a pairing: who won, if anybody did. A bye is won."""

    first: str
    second: str = ""
    winner: str = ""

    @property
    def is_bye(self) -> bool:
        return not self.second

    def other(self, player: str) -> str:
        return self.second if player == self.first else self.first


class Scoring(msgspec.Struct, frozen=True):
    """What a match is worth."""

    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3

    def of(self, match: Match, player: str) -> int:
        """What a player has from a match of his."""
        if match.is_bye:
            return self.bye
        if not match.winner:
            return self.draw
        return self.win if match.winner == player else self.loss


class Standing(msgspec.Struct, frozen=True):
    """How a player stands. Who cannot be told apart share a place."""

    place: int
    player: str
    points: int
    played: int
    won: int
    drawn: int
    lost: int
    byes: int
    opposition: Fraction
    """What those whom he met have, on average: who met the stronger ones stands before."""
    beaten: Fraction
    """What those have whom he beat, and half of what those have with whom he drew (Sonneborn-Berger)."""
    between: int
    """What he has from those who have as many points and met as strong ones."""


def usual_rounds(players: int) -> int:
    """How many rounds of Swiss find a single winner among so many."""
    return max(1, (players - 1).bit_length())


# -- who meets whom ----------------------------------------------------------------------------------------------------


def round_robin(players: Sequence[str], *, legs: int = 1) -> list[list[Pairing]]:
    """Rounds in which everybody meets everybody once in each leg; in the next leg sides are changed.

    Nobody is on one side more than once oftener than on the other within a leg, and where the number is odd everybody
    has one bye in each.
    """
    if len(players) < 2:
        return []
    # One stays, the others go round; where the number is odd, nobody stays, and who would meet him rests.
    stays, ring = ("", list(players)) if len(players) % 2 else (players[0], list(players[1:]))
    size = len(ring)
    leg = []
    for number in range(size):
        pairs = []
        for step in range(1, size // 2 + 1):
            # Who is half the ring or less before another is on the first side: that is half of his matches.
            one, other = (number + step) % size, (number - step) % size
            ahead = (other - one) % size <= size // 2
            pairs.append(Pairing(ring[one], ring[other]) if ahead else Pairing(ring[other], ring[one]))
        left = ring[number]
        leg.append([*pairs, Pairing(left) if not stays else Pairing(*((stays, left) if number % 2 else (left, stays)))])
    changed = [[pair if pair.is_bye else Pairing(pair.second, pair.first) for pair in round] for round in leg]
    return [round for number in range(legs) for round in (changed if number % 2 else leg)]


def next_round(players: Sequence[str], matches: Sequence[Match], scoring: Scoring | None = None) -> list[Pairing]:
    """The next Swiss round of those who are still in it: who have as many points meet, the upper half the lower.

    Nobody meets somebody again as long as that can be avoided, even where those with the same points would have to be
    kept apart; where it cannot, as few pairs as possible do. Where the number is odd, the last in the table of those
    with the fewest byes has one. Without a match, `players` are in the order in which they are ranked.
    """
    table = [one.player for one in standings(players, matches, scoring)]
    met = _meetings(matches)
    pairs = []
    if len(table) % 2:
        rests = _who_rests(table, matches, met)
        table.remove(rests)
        pairs.append(Pairing(rests))
    points = _points(matches, scoring or Scoring())
    firsts = Counter(match.first for match in matches if not match.is_bye)
    games = Counter(player for match in matches if not match.is_bye for player in (match.first, match.second))
    found = [_sides(one, other, firsts, games) for one, other in _paired(table, met, points)]
    return [*found, *pairs]


def _meetings(matches: Iterable[Match]) -> dict[str, Counter[str]]:
    met: dict[str, Counter[str]] = defaultdict(Counter)
    for match in matches:
        if not match.is_bye:
            met[match.first][match.second] += 1
            met[match.second][match.first] += 1
    return met


def _who_rests(table: Sequence[str], matches: Iterable[Match], met: dict[str, Counter[str]]) -> str:
    """Who has the bye: of those with the fewest, the last one with whom gone the fewest of the others meet again."""
    byes = Counter(match.first for match in matches if match.is_bye)
    fewest = min(byes[player] for player in table)
    whole = most_pairs(table, met)
    may = [number for number, player in enumerate(table) if byes[player] == fewest]
    return table[max(may, key=lambda number: (whole.without(number).size, number))]


def _paired(table: list[str], met: dict[str, Counter[str]], points: Counter[str]) -> list[tuple[str, str]]:
    """All of them in pairs, from the top: each with the best partner that leaves the fewest to meet again."""
    left = list(range(len(table)))
    matching: Matching = most_pairs(table, met)
    pairs = []
    while left:
        one = left.pop(0)
        group = [other for other in left if points[table[other]] == points[table[one]]]
        half = one + (len(group) + 1) // 2

        def liking(other: int, one: int = one, half: int = half) -> tuple[int, int, int]:
            apart = points[table[one]] - points[table[other]]
            return met[table[one]][table[other]], apart, abs(other - half) if not apart else other

        for other in sorted(left, key=liking):
            rest = matching.without(one, other)
            if rest.size + (not met[table[one]][table[other]]) == matching.size:
                break
        else:
            raise AssertionError("whoever is left can be paired with somebody")
        left.remove(other)
        matching = rest
        pairs.append((table[one], table[other]))
    return pairs


def _sides(one: str, other: str, firsts: Counter[str], games: Counter[str]) -> Pairing:
    """Who has been on the first side less often is on it now."""
    lead = (2 * firsts[one] - games[one]) - (2 * firsts[other] - games[other])
    return Pairing(other, one) if lead > 0 else Pairing(one, other)


# -- who stands where --------------------------------------------------------------------------------------------------


def _points(matches: Iterable[Match], scoring: Scoring) -> Counter[str]:
    points: Counter[str] = Counter()
    for match in matches:
        for player in filter(None, (match.first, match.second)):
            points[player] += scoring.of(match, player)
    return points


def standings(players: Sequence[str], matches: Sequence[Match], scoring: Scoring | None = None) -> list[Standing]:
    """The table: points, then the strength of those one met, what was won against whom, and matches won.

    Those who are alike in all of it share a place, in the order of `players`.
    """
    scoring = scoring or Scoring()
    points = _points(matches, scoring)
    mine: dict[str, list[Match]] = {player: [] for player in players}
    for match in matches:
        for player in filter(None, (match.first, match.second)):
            if player in mine:
                mine[player].append(match)
    opposition = {player: _opposition(player, mine[player], points) for player in players}
    alike = defaultdict(set)
    for player in players:
        alike[points[player], opposition[player]].add(player)
    rows = []
    for player in players:
        games = [match for match in mine[player] if not match.is_bye]
        won = sum(match.winner == player for match in games)
        drawn = sum(not match.winner for match in games)
        peers = alike[points[player], opposition[player]]
        between = sum(scoring.of(match, player) for match in games if match.other(player) in peers)
        byes = len(mine[player]) - len(games)
        counts = (points[player], len(games), won, drawn, len(games) - won - drawn, byes)
        rows.append((player, *counts, opposition[player], _beaten(player, games, points), between))
    rows.sort(key=_rank)
    table: list[Standing] = []
    for number, row in enumerate(rows, 1):
        place = table[-1].place if table and _rank(row) == _rank(rows[number - 2]) else number
        table.append(Standing(place, *row))
    return table


def _opposition(player: str, matches: Iterable[Match], points: Counter[str]) -> Fraction:
    met = [points[match.other(player)] for match in matches if not match.is_bye]
    return Fraction(sum(met), len(met)) if met else Fraction(0)


def _beaten(player: str, games: Iterable[Match], points: Counter[str]) -> Fraction:
    halves = {player: 2, "": 1}
    return Fraction(sum(halves.get(match.winner, 0) * points[match.other(player)] for match in games), 2)


def _rank(row: tuple[str, int, int, int, int, int, int, Fraction, Fraction, int]) -> tuple[Fraction | int, ...]:
    _, points, _, won, _, _, _, opposition, beaten, between = row
    return -points, -opposition, -between, -beaten, -won
