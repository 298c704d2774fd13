"""Sentences of cases about tests alone: dice against the table, with nobody on it (RN3-URT)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Question, Sentence
from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.words.problems import problem_with
from oriflamme.games.rn3.events import TestRolled
from oriflamme.games.rn3.moments import book
from oriflamme.games.rn3.scenes import case_steps
from oriflamme.games.rn3.state import Battle, Step
from oriflamme.games.rn3.trials import Melee, Trial, prepare, throw

# What a test is for, as cases say it, and how many shifts or re-rolls they can ask for.
KINDS: Final = "attack|defence|force|ranged_attack|ranged_force|courage|formation|power|faith"


@case_steps.step
def case_test(
    battle: Battle,
    kind: str,
    dice: int,
    action: int,
    difficulty: int,
    own: tuple[str, ...],
    other: tuple[str, ...],
    charging: bool,
    shift: int,
) -> Step | None:
    """Dice against the table, by somebody with these skills against somebody with those."""
    single = kind in ("courage", "formation", "power", "faith")
    trial = Trial(kind, dice, action, difficulty, "RN3-URT-01", single=single)
    trial.charging = charging
    trial.melee = Melee(assault=charging, charge=charging, att=action, options=battle.options)
    if charging:
        trial.give_charge_bonus("RN3-ASLT-10")
    if shift:
        trial.move_column(shift, "case", "RN3-URT-07")
    prepare(trial, (book.set_of(map(book.parse, own)),), (book.set_of(map(book.parse, other)),))
    result = throw(battle.dice, trial)
    battle.tell(
        TestRolled(
            trial.rule,
            kind,
            "",
            "",
            "",
            trial.dice,
            trial.column,
            trial.needed,
            result.successes,
            result.failures,
            result.faces,
            trial.why(),
        )
    )
    return None


def _skills(text: str | None) -> tuple[str, ...]:
    titles = tuple(part.strip() for part in (text or "").split("+") if part.strip())
    try:
        return tuple(str(book.parse(title)) for title in titles)
    except UnknownKeyword as unknown:
        raise problem_with("do", unknown.problem) from None


def _test(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    shift = int(match["columns"] or 0) * (1 if match["way"] == "right" else -1)
    own, other = _skills(match["rules"]), _skills(match["its"])
    numbers = (int(match["number"]), int(match["x"]), int(match["y"]))
    charging = " in a charge" in match.group(0)
    return Deed([("case_test", match["kind"] or "attack", *numbers, own, other, charging, shift)])


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence(
        f"<number> dice test <x> against <y>[ for <kind:{KINDS}>][ in a charge][ <columns:1|2|3> columns to the "
        "<way:left|right>][ against one with <its:.+?>][ by one with <rules>]",
        "a test alone; attack unless it says so. In a charge failures are thrown again once. Skills as in by one with "
        "Ferocity + Thug",
        _test,
    ),
)
QUESTIONS: Final[Mapping[str, Question]] = {}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "TestRolled.kind": (
        "attack",
        "defence",
        "force",
        "ranged_attack",
        "ranged_force",
        "courage",
        "formation",
        "disengage",
        "power",
        "faith",
        "blast",
    ),
    "TestRolled.card": "the profile that tests",
    "TestRolled.who": "the profile that tests, where its unit is named after another",
    "TestRolled.foe": "the profile that is tested against, where its unit is named after another",
    "DiceThrownAgain.what": ("failures", "successes"),
    "DiceThrownAgain.because": "the rule or exploit behind it",
}
