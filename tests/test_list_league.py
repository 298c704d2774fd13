"""Leagues between army lists: everybody meets everybody from both seats, is kept, taken up again, rated and told."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from oriflamme.cli import run
from oriflamme.engine.words.problems import Problems
from oriflamme.lab import tournament
from oriflamme.lab.files import as_csv
from oriflamme.lab.journal import Journal
from oriflamme.lab.ratings import ratings
from oriflamme.lab.report import report
from oriflamme.lab.tournament import Chore, Entry, Kept, Line, Tournament, chores, digest, pairings, play

LISTS = ("kiln_clans_750_red_hot", "kiln_clans_750_slow_fire", "lantern_league_750_toll_column")
CUP = Tournament("aof", tuple(Entry(name, "random") for name in LISTS[:2]), tables=1, seed=4)


def by_hand(shares: dict[tuple[str, str], float]) -> tournament.Spread:
    """Battles that are not played: who meets whom has always the same share of the win."""

    def spread(told: bytes, todo: Iterable[Chore]) -> Iterator[Line]:
        for one in todo:
            share = shares[one.first, one.second] - (0.5 if one.variant else 0.0)
            kept = (Kept("u", "Pikes", 10, 5), Kept("v", "Hero", 1, int(one.table == 0)))
            score = (int(2 * share), 1)
            yield Line(
                one.first,
                one.second,
                one.table,
                one.turned,
                one.variant,
                share,
                score,
                4,
                90,
                "",
                (kept, kept),
                one.key,
            )

    return spread


def cup_of(*names: str, **rest: object) -> Tournament:
    return Tournament("aof", tuple(Entry(name, "random") for name in names), **rest)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _any_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where battles are told by hand, lists need not exist; tests that play take this back."""
    monkeypatch.setattr(tournament, "check", lambda cup: None)


def test_every_two_meet_on_the_same_tables_from_both_seats() -> None:
    cup = cup_of("a", "b", "c", tables=2)

    todo = [chore for number in range(3) for chore in chores(cup, pairings(cup, number, []))]

    assert len(todo) == len({chore.key for chore in todo}) == 3 * 2 * 2
    assert {(one.first[0], one.second[0]) for one in todo} == {("a", "b"), ("a", "c"), ("b", "c")}
    assert {(one.table, one.turned) for one in todo} == {(0, False), (0, True), (1, False), (1, True)}


def test_a_battle_is_the_same_wherever_and_whenever_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()

    alone = list(play(CUP, {}, tournament.here(1)))
    together = list(play(CUP, {}, tournament.here(2)))

    assert digest(alone) == digest(together[::-1])
    assert [line.turned for line in alone] == [False, True]
    assert all(kept for line in alone for kept in line.kept)
    assert all(0 <= unit.left <= unit.began for line in alone for kept in line.kept for unit in kept)
    assert alone[0].fingerprint != alone[1].fingerprint


def test_swiss_lets_those_meet_who_have_won_as_much() -> None:
    names = [f"{name}@random" for name in "abcd"]
    stronger = {(one, other): 1.0 for i, one in enumerate(names) for other in names[i + 1 :]}
    cup = cup_of("a", "b", "c", "d", tables=1, swiss=2)

    lines = list(play(cup, {}, by_hand(stronger)))

    winners = {line.first for line in lines[:4]}
    assert len(lines) == 2 * 2 * 2
    assert {line.first for line in lines[4:]} | {line.second for line in lines[4:]} == set(names)
    assert any({line.first, line.second} == winners for line in lines[4:])


def test_a_league_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    cup = cup_of("a", "b", tables=3)
    always = by_hand({("a@random", "b@random"): 1.0})
    journal = Journal(tmp_path / "results.jsonl", {"about": tournament.known_by(cup)}, Line)
    with journal.adding() as add:
        for line in list(play(cup, {}, always))[:2]:
            add(line)
    with journal.path.open("ab") as file:
        file.write(b'{"first":"a@rand')  # cut off while it was written

    known = {line.key: line for line in journal.read()}
    with journal.adding() as add:
        for line in play(cup, known, always):
            add(line)

    assert len(known) == 2
    assert len(journal.read()) == len({line.key for line in journal.read()}) == 6


def test_results_of_another_league_are_not_added_to(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with Journal(path, {"about": tournament.known_by(CUP)}, Line).adding():
        pass

    other = Journal(path, {"about": tournament.known_by(cup_of("a", "b", seed=5))}, Line)
    with pytest.raises(Problems, match="other results"):
        other.read()
    path.write_text("not ours\n", encoding="utf-8")
    with pytest.raises(Problems, match="no file of results"):
        other.read()


def test_a_house_rule_is_compared_on_the_same_dice() -> None:
    cup = cup_of("a", "b", tables=2, versus={"aof.mixedUnits": "no"})

    told = report(cup, play(cup, {}, by_hand({("a@random", "b@random"): 1.0})))

    first, second = sorted(told.changes, key=lambda change: change.name)
    assert (first.without, first.with_it, first.change, first.battles) == (1.0, 0.5, -0.5, 4)
    assert second.change == 0.5
    assert (first.low, first.high) == (-0.5, -0.5)
    assert told.battles == 8
    assert {cell.battles for cell in told.cells} == {4}


def test_ratings_are_those_that_make_the_results_likeliest() -> None:
    three_to_one = [("a", "b", 1.0)] * 300 + [("a", "b", 0.0)] * 100

    found = ratings(["a", "b"], three_to_one)

    assert found["a"].rating - found["b"].rating == pytest.approx(190.8, abs=2)  # 400 log10(3), and the prior
    assert found["a"].rating + found["b"].rating == pytest.approx(3000)
    assert found["a"].low > found["b"].high
    alone = ratings(["a", "b", "c"], [("a", "b", 1.0)])
    assert alone["c"].high - alone["c"].low > alone["a"].high - alone["a"].low


def test_units_are_told_by_what_lives() -> None:
    cup = cup_of("a", "b", tables=2)

    told = report(cup, play(cup, {}, by_hand({("a@random", "b@random"): 1.0})))

    pikes, hero = (row for row in told.units if row.entry == "a@random")
    assert (pikes.lives.rate, pikes.whole, pikes.wiped, pikes.battles) == (0.5, 0.0, 0.0, 4)
    assert (hero.whole, hero.wiped) == (0.5, 0.5)
    assert told.entrants[0].wins.rate == 1.0
    assert told.standings[0].player == "a@random"
    assert [row.points for row in told.standings] == [3, 0]


def test_what_is_wrong_is_told_before_anybody_plays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.undo()

    assert run(["league", "aof", LISTS[0]]) == 1
    assert "1 entries; there must be 2 to 64" in capsys.readouterr().err
    assert run(["league", "aof", LISTS[0], LISTS[0]]) == 1
    assert "takes part twice" in capsys.readouterr().err
    assert run(["league", "aof", LISTS[0], "no_such_list"]) == 1
    assert "no_such_list" in capsys.readouterr().err
    assert run(["league", "aof", *LISTS[:2], "--bots", "captian"]) == 1
    assert 'did you mean "captain"' in capsys.readouterr().err


def test_the_report_is_one_page_with_plots_and_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.undo()
    shares = {(f"{one}@random", f"{other}@random"): 1.0 for one in LISTS for other in LISTS if one < other}
    monkeypatch.setattr(tournament, "here", lambda workers: by_hand(shares))
    out = tmp_path / "cup"

    code = run(["league", "aof", *LISTS, "--bots", "random", "--tables", "2", "--out", str(out), "--lang", "fr"])

    assert code == 0, capsys.readouterr().err
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert "intervalle de confiance" in page
    assert "<h1>Ligue : Age of Fantasy</h1>" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert (out / "matrix.png").read_bytes()[:4] == b"\x89PNG"
    with (out / "entries.csv").open(encoding="utf-8", newline="") as file:
        assert [row["wins"] for row in csv.DictReader(file)] == ["1.0", "0.5", "0.0"]
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(out / "battles.parquet").num_rows == 12
    assert run(["league", "aof", *LISTS, "--bots", "random", "--tables", "2", "--out", str(out)]) == 0
    assert "12 battles were there already" in capsys.readouterr().out


def test_a_name_is_no_formula_in_a_spreadsheet() -> None:
    assert as_csv([{"name": "=1+1"}]) == "name\n'=1+1\n"


@pytest.mark.slow
def test_a_cluster_comes_to_the_same_though_a_machine_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two nodes of a real cluster; one is killed while it plays."""
    monkeypatch.undo()
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    from oriflamme.lab.cluster import on_ray

    monkeypatch.setenv("RAY_DISABLE_IMPORT_WARNING", "1")
    cup = Tournament("aof", tuple(Entry(name, "random") for name in LISTS), tables=2, seed=4)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        second = cluster.add_node(num_cpus=1)
        played = play(cup, {}, on_ray(cluster.address))
        lines = [next(played)]
        cluster.remove_node(second, allow_graceful=False)
        lines += played
    finally:
        ray.shutdown()
        cluster.shutdown()

    assert len(lines) == 12
    assert digest(lines) == digest(play(cup, {}, tournament.here(1)))
