"""`oriflamme army improve`: allowed changes of a list are tried in battles, and what is told of them was confirmed."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from oriflamme.cli import run
from oriflamme.engine.lists.drafts import Draft, Entry
from oriflamme.engine.lists.variations import Change, legal, shorter, variations, without
from oriflamme.engine.words.problems import Problems
from oriflamme.games import ids, load
from oriflamme.lab import improving
from oriflamme.lab.files import unit_rows
from oriflamme.lab.improving import AS_IT_IS, FRESH, Plan, Search, Trial, Work, about, findings, play
from oriflamme.lab.report import report
from oriflamme.lab.report_page import unit_table
from oriflamme.lab.tournament import Chore, Kept, Line, Tournament, play_chore
from oriflamme.lab.tournament import Entry as Takes

FIELD = ("drowned_parish_750_evensong", "kiln_clans_750_red_hot", "lantern_league_750_toll_column")
LIST = "antlered_assize_750_hot_pursuit"


def plan_of(name: str = LIST, battles: int = 200, game: str = "aof") -> Plan:
    return Plan(game, load(game).armies().find_ready(name), FIELD, battles, seed=3)


def by_hand(chance_of: Callable[[Work], float]) -> Callable[[Work], tuple[Trial, Line]]:
    """Battles that are not played: who wins is drawn by lot, at the same number with the same luck for everybody."""

    def fight(work: Work) -> tuple[Trial, Line]:
        luck = random.Random(f"{work.seed} {work.number}").random()
        share = float(luck < chance_of(work))
        kept = (Kept("u", {"en": "Hounds", "fr": "Limiers"}, 10, 2),), (Kept("v", "Pikes", 10, 8),)
        chore = Chore(work.who, work.against, work.table, work.turned)
        line = Line(*msgspec.structs.astuple(chore), share, (int(share), 0), 4, 90, "", kept, "")
        return Trial(work.who, work.number), line

    return fight


def search_by_hand(
    monkeypatch: pytest.MonkeyPatch, plan: Plan, chance_of: Callable[[Work], float]
) -> tuple[Search, dict[Trial, Line]]:
    monkeypatch.setattr(improving, "play_trial", by_hand(chance_of))
    search, known = Search(plan), dict[Trial, Line]()
    for _ in play(search, known, 1):
        pass
    return search, known


@pytest.mark.parametrize("game", ids())
def test_every_change_is_allowed_by_the_checker_and_differs_by_one(game: str) -> None:
    armies = load(game).armies()
    name = sorted(armies.reader.ready)[1]
    draft = armies.find_ready(name)

    made = list(variations(armies, draft))[:80]

    assert made
    for change in made:
        roster = armies.reader.check(armies.to_list(change.draft), "list")
        assert armies.summary("list", roster).cost == change.cost <= draft.points
        assert _apart(draft, change) == 1, change.told()
        assert change.told().in_words("fr") != change.told().in_words("en")


def _apart(draft: Draft, change: Change) -> int:
    """How many entries are not the same; who joins whom is counted anew where one is taken out."""
    before = [msgspec.structs.replace(entry, joins=0) for entry in draft.entries]
    after = [msgspec.structs.replace(entry, joins=0) for entry in change.draft.entries]
    if len(before) == len(after):
        return sum(one != other for one, other in zip(before, after, strict=True))
    longer, other = (before, after) if len(before) > len(after) else (after, before)
    return 1 if any(longer[:at] + longer[at + 1 :] == other for at in range(len(longer))) else 2


def test_who_joins_somebody_still_joins_him_when_another_is_taken_out() -> None:
    draft = Draft(entries=[Entry("a"), Entry("b"), Entry("hero", joins=2), Entry("mage", joins=1)])

    assert [entry.joins for entry in without(draft, 0).entries] == [0, 1, 0]
    assert [entry.joins for entry in without(draft, 1).entries] == [0, 0, 1]


def test_a_shorter_list_is_cheaper() -> None:
    armies = load("tlaok").armies()
    draft = armies.find_ready("salt_crown_1000_pay_chest")
    whole = legal(armies, draft)

    assert whole is not None
    assert all(change.cost < whole.cost for change in shorter(armies, draft))


def test_what_truly_helps_is_found_and_told_by_battles_it_was_not_chosen_by(monkeypatch: pytest.MonkeyPatch) -> None:
    """One allowed change is worth 40 wins of 100, all others nothing."""
    plan = plan_of(battles=2000)
    good = list(Search(plan).changes)[11]

    search, known = search_by_hand(monkeypatch, plan, lambda work: 0.7 if work.who == good else 0.3)
    found = findings(search, known)

    best = found.findings[0]
    assert best.draft == search.changes[good].draft
    assert best.is_better
    assert best.low < 0.4 < best.high
    assert best.battles == search.confirming
    assert len(known) == search.all_battles <= plan.battles
    assert {trial.who for trial in known if trial.number >= FRESH} == {AS_IT_IS, *search.last(known)}
    assert found.units == (({"en": "Hounds", "fr": "Limiers"}, 0.2),)


def test_where_nothing_helps_nothing_is_called_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """The luck of the best of many is not told as its worth."""
    told = 0
    for seed in range(20):
        plan = msgspec.structs.replace(plan_of(battles=300), seed=seed)

        def chance(work: Work) -> float:
            return random.Random(f"{work.who} {work.number} {work.seed}").random()

        search, known = search_by_hand(monkeypatch, plan, chance)
        told += any(one.is_better for one in findings(search, known).findings)

    assert told <= 4  # of 40 intervals of 95 %; one side of each says better


def test_all_meet_the_same_lists_on_the_same_tables_from_both_seats() -> None:
    search = Search(plan_of())
    first = next(iter(search.changes))

    met = [search.work(Trial(first, number)) for number in range(12)]

    assert [(one.against, one.table, one.turned) for one in met] == [
        (one.against, one.table, one.turned) for one in (search.work(Trial(AS_IT_IS, n)) for n in range(12))
    ]
    assert len({(one.against, one.table, one.turned) for one in met}) == 12
    for table in (0, 1):
        assert {(one.against, one.turned) for one in met if one.table == table} == {
            (name, turned) for name in FIELD for turned in (False, True)
        }
    assert search.work(Trial(first, FRESH)).table >= FRESH


def test_a_search_that_was_stopped_goes_on_and_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of()
    _, whole = search_by_hand(monkeypatch, plan, lambda work: 0.5)
    known: dict[Trial, Line] = {}
    for played in play(Search(plan), known, 1):
        if len(known) == 57:
            assert played.line == known[Trial(played.who, played.number)]
            break

    search = Search(plan)
    more = [Trial(played.who, played.number) for played in play(search, known, 1)]

    assert len(more) == len(whole) - 57
    assert known == whole


def test_a_list_that_is_not_allowed_is_refused_with_the_reason() -> None:
    draft = load("aof").armies().find_ready(LIST)
    over = msgspec.structs.replace(draft, points=100)

    with pytest.raises(Problems, match="only a list that is allowed can be made better"):
        Search(msgspec.structs.replace(plan_of(), draft=over))
    with pytest.raises(Problems):
        Search(msgspec.structs.replace(plan_of(), field=()))


def test_battles_of_another_search_are_not_taken_for_this_one() -> None:
    assert about(plan_of()) == about(plan_of())
    assert about(plan_of()) != about(plan_of(battles=220))


def test_an_obviously_bad_choice_is_found_in_real_battles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three hundred points, and a single warrior."""
    bad, good, kept = tmp_path / "bad.toml", tmp_path / "good.toml", tmp_path / "search.jsonl"
    bad.write_text('game = "sbh"\npoints = 300\nfighters = [{ fighter = "human-warrior" }]\n', encoding="utf-8")
    command = ["army", "improve", str(bad), "--against", "high_toll", "--battles", "40", "--workers", "1"]

    assert run([*command, "--file", str(kept), "--out", str(good)]) == 0
    said = capsys.readouterr().out
    lines = len(kept.read_text(encoding="utf-8").splitlines())
    assert run([*command, "--file", str(kept), "--json", "--lang", "fr"]) == 0
    data = json.loads(capsys.readouterr().out)

    assert ": better\n" in said
    assert "against high_toll" in said
    assert run(["army", "check", str(good)]) == 0
    assert tomllib.loads(good.read_text(encoding="utf-8")) == data["list"]
    assert data["steps"][0]["findings"][0]["before"] < 0.2
    assert data["steps"][0]["findings"][0]["after"] > 0.5
    assert len(kept.read_text(encoding="utf-8").splitlines()) == lines


def test_units_of_a_league_are_told_by_their_names() -> None:
    cup = Tournament("aof", (Takes(FIELD[0], "random"), Takes(FIELD[1], "random")), tables=1)
    line = play_chore(cup, Chore(cup.names[0], cup.names[1], 0, False))

    made = report(cup, [line])

    names = {row["name"] for row in unit_rows(made)}
    assert "Drowned Levy" in names
    said = dict.fromkeys(("entry", "unit", "battles", "figures", "lives", "interval", "whole", "wiped"), "")
    assert "Levée noyée" in {row[1] for row in unit_table(made, said, "fr")}
