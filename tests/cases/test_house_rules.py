"""Every house rule is shown by cases at its default and at each other value, and would be missed.

A row shows a value if it passes with it and fails with another: what is only set and makes no difference shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from oriflamme.cases import runner
from oriflamme.engine.core.rulebook import HouseRule
from oriflamme.engine.words.problems import read_toml
from oriflamme.games import ids, load

# What a value changes on screens and at the table, but in no battle: shown elsewhere.
ELSEWHERE = {
    "rn3.openMeasuring": "tests/web/test_companies.py, tests/rn3/test_template_odds.py",
    "lfw.mageXp": "tests/lfw/test_campaign.py",
}


class CaseRow(NamedTuple):
    """One row of a case, with all that its file and its case say."""

    file: str
    case: dict[str, Any]
    row: dict[str, Any]

    def options(self, game: str) -> dict[str, str]:
        """The house rules it plays with, by their whole names, where it says so."""
        said = runner.merged(self.case.get("options", {}), self.row.get("options", {}))
        return {key if key.startswith(f"{game}.") else f"{game}.{key}": value for key, value in said.items()}

    def cites(self) -> set[str]:
        return {
            rule
            for data in (self.case, self.row)
            for rule in (data.get("rule"), *(data.get("rules") or ()))
            if isinstance(rule, str)
        }

    def passes(self, game: str, key: str, value: str) -> bool:
        """Whether it passes with this value of a house rule."""
        case = {k: v for k, v in self.case.items() if k not in ("then", "options")}
        row = {k: v for k, v in self.row.items() if k != "options"}
        case |= {"game": game, "then": [row], "options": self.options(game) | {key: value}}
        return all(one.passed for one in runner.run_case(case, self.file))


def rows_of(game: str) -> Iterator[CaseRow]:
    for file in runner.find([runner.cases_of(game)]):
        data = read_toml(file)
        shared = {key: value for key, value in data.items() if key != "case"}
        for own in data.get("case", [{}]):
            case = runner.with_shared(shared, own) if own else data
            then = case["then"]
            for row in [then] if isinstance(then, dict) else then:
                yield CaseRow(str(file), case, row)


def shown(game: str, rule: HouseRule, value: str, rows: list[CaseRow]) -> bool:
    """A row passes with this value and with no other it is tried with."""
    if value == rule.default:
        near = [row for row in rows if rule.key not in row.options(game)]
        # First those that are about the rule; then those beside which it is played otherwise.
        files = {row.file for row in rows if rule.key in row.options(game)}
        near.sort(key=lambda row: (rule.rule not in row.cites(), row.file not in files))
        near = [row for row in near if rule.rule in row.cites() or row.file in files]
        return any(not row.passes(game, rule.key, other) for row in near for other in rule.others)
    mine = [row for row in rows if row.options(game).get(rule.key) == value]
    return any(not row.passes(game, rule.key, rule.default) for row in mine)


@pytest.mark.parametrize("game", ids())
def test_every_value_of_every_house_rule_is_shown_by_a_case_that_would_miss_it(game: str) -> None:
    rows = list(rows_of(game))
    rules = load(game).options

    missing = [
        f"{key} = {value}"
        for key, rule in rules.items()
        if key not in ELSEWHERE
        for value in rule.values
        if not shown(game, rule, value, rows)
    ]

    assert missing == []
