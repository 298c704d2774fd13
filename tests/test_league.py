"""Who meets whom in a league, and who stands where."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from oriflamme.lab.league import Match, Pairing, next_round, round_robin, standings, usual_rounds
from oriflamme.lab.matching import Matching


def names(number: int) -> list[str]:
    return [f"p{place}" for place in range(number)]


def played(pairs: list[Pairing], random: Random) -> list[Match]:
    """What comes of a round, by chance."""
    return [
        Match(pair.first)
        if pair.is_bye
        else Match(pair.first, pair.second, random.choice([pair.first, pair.second, ""]))
        for pair in pairs
    ]


def fewest_repeats(players: list[str], met: set[frozenset[str]]) -> int:
    """How many have to meet again at least, by trying everything."""
    if not players:
        return 0
    one, *rest = players
    return min(
        (frozenset({one, other}) in met) + fewest_repeats([p for p in rest if p != other], met) for other in rest
    )


@given(st.integers(2, 13), st.integers(1, 3))
def test_in_a_round_robin_everybody_meets_everybody_once_a_leg(number: int, legs: int) -> None:
    players = names(number)

    rounds = round_robin(players, legs=legs)

    pairs = [pair for round in rounds for pair in round]
    met = Counter(frozenset(pair.players) for pair in pairs if not pair.is_bye)
    assert met == {frozenset(two): legs for two in combinations(players, 2)}
    for round in rounds:
        assert sorted(player for pair in round for player in pair.players) == sorted(players)
    assert Counter(pair.first for pair in pairs if pair.is_bye) == (dict.fromkeys(players, legs) if number % 2 else {})
    first = Counter(pair.first for pair in pairs if not pair.is_bye)
    assert all(abs(2 * first[player] - legs * (number - 1)) <= 1 for player in players)


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 9), st.integers(1, 9), st.integers(0, 10**6))
def test_in_swiss_nobody_meets_again_while_that_can_be_avoided(number: int, rounds: int, seed: int) -> None:
    players, random = names(number), Random(seed)
    matches: list[Match] = []
    for _ in range(rounds):
        met = {frozenset((match.first, match.second)) for match in matches if not match.is_bye}
        byes = Counter(match.first for match in matches if match.is_bye)

        pairs = next_round(players, matches)

        assert sorted(player for pair in pairs for player in pair.players) == sorted(players)
        again = sum(frozenset(pair.players) in met for pair in pairs if not pair.is_bye)
        resting = [pair.first for pair in pairs if pair.is_bye]
        assert len(resting) == number % 2
        may = [p for p in players if byes[p] == min(byes[q] for q in players)] if resting else [""]
        assert not resting or resting[0] in may
        assert again == min(fewest_repeats([p for p in players if p != rests], met) for rests in may)
        matches += played(pairs, random)


def test_in_swiss_those_who_have_won_as_much_meet_and_the_last_rests() -> None:
    players = names(5)
    first = next_round(players, [])

    assert [pair.players for pair in first] == [("p0", "p2"), ("p1", "p3"), ("p4",)]
    matches = [Match("p0", "p2", "p0"), Match("p1", "p3", "p1"), Match("p4")]
    second = next_round(players, matches)
    resting = next(pair.first for pair in second if pair.is_bye)
    assert resting in ("p2", "p3")
    tops = [set(pair.players) for pair in second if not pair.is_bye]
    assert sum(two <= {"p0", "p1", "p4"} for two in tops) == 1


def test_sides_are_shared_out_in_swiss() -> None:
    random, players = Random(4), names(8)
    matches: list[Match] = []
    for _ in range(7):
        matches += played(next_round(players, matches), random)

    first = Counter(match.first for match in matches)
    assert all(2 <= first[player] <= 5 for player in players)


def test_the_table_counts_points_then_whom_one_met_then_who_won_between_them() -> None:
    matches = [
        Match("Ada", "Ben", "Ada"),
        Match("Cem", "Dag", "Cem"),
        Match("Ada", "Cem", ""),
        Match("Ben", "Dag", "Ben"),
    ]
    table = standings(["Dag", "Cem", "Ben", "Ada"], matches)

    assert [(one.place, one.player, one.points) for one in table] == [
        (1, "Ada", 4),
        (2, "Cem", 4),
        (3, "Ben", 3),
        (4, "Dag", 0),
    ]
    ada = table[0]
    assert (ada.won, ada.drawn, ada.lost, ada.opposition, ada.beaten) == (1, 1, 0, Fraction(7, 2), Fraction(5))
    assert [one.place for one in standings(names(3), [])] == [1, 1, 1]
    assert standings(["Ada"], [Match("Ada")])[0].points == 3


def test_a_bye_is_no_opponent() -> None:
    table = standings(["Ada", "Ben"], [Match("Ada", "Ben", "Ada"), Match("Ada")])

    assert table[0].opposition == 0
    assert (table[0].played, table[0].byes) == (1, 1)


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 8), st.integers(0, 10**6), st.sampled_from([0.2, 0.5, 0.8]))
def test_there_are_as_many_pairs_as_can_be(number: int, seed: int, share: float) -> None:
    random = Random(seed)
    may: list[set[int]] = [set() for _ in range(number)]
    for one, other in combinations(range(number), 2):
        if random.random() < share:
            may[one].add(other)
            may[other].add(one)

    def most(left: list[int]) -> int:
        if not left:
            return 0
        one, *rest = left
        return max([most(rest), *(1 + most([r for r in rest if r != o]) for o in rest if o in may[one])])

    found = Matching(may)
    assert found.complete() == most(list(range(number)))
    for gone in range(number):
        assert found.without(gone).size == most([one for one in range(number) if one != gone])
    assert all(mate == -1 or (found.mate[mate] == one and mate in may[one]) for one, mate in enumerate(found.mate))


def test_a_large_league_is_paired_soon_enough() -> None:
    players, random = names(64), Random(1)
    matches: list[Match] = []
    for _ in range(usual_rounds(64)):
        matches += played(next_round(players, matches), random)

    met = Counter(frozenset((match.first, match.second)) for match in matches)
    assert max(met.values()) == 1
