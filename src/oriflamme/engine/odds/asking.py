"""Asking for odds: who attacks whom, how and under which conditions; and the answer, for programs and for people.

class MyOdds(Odds[Battle, MyConditions]):
    conditions = MyConditions

    def scene(self, question):          # two units by name, on a table of their own
        ...
        return battle, question.between(first.id, second.id)

    def answer(self, battle, question):  # two units of a battle, as things stand
        law = over_all_dice(battle, lambda twin: strike(twin, question))
        return self.answer_about(question, units, figures, sentence=..., chart=chart_of(WOUNDS, law), ...)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

import msgspec

from oriflamme.engine.core.decisions import Decision, Refused
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.odds.conditions import Conditions, Field, fields_of, read_conditions
from oriflamme.engine.odds.telling import Chart, Data, Table, Words
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.subject import Subject
from oriflamme.engine.words.text import Names, Voice
from oriflamme.engine.words.wording import Wording

_WORDS: Final = Wording(Path(__file__).parents[1] / "words" / "texts", "odds")

B = TypeVar("B")
C = TypeVar("C", bound=Conditions)
# The odds that help to answer a decision of a battle.
Helper = Callable[[Any, Any], Table | None]
# The odds of one answer to it, which is legal and not yet given.
DraftHelper = Callable[[Any, Any, Any], Table | None]


class Question(NamedTuple, Generic[C]):
    """An attack whose odds are wanted. `way` is one of those a game knows besides shooting and charging, as in
    `aids.Strike`; most games have none."""

    attacker: str
    defender: str
    conditions: C
    charge: bool = False
    way: str = ""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of an attack. `figures` is what was counted, by name, as plain data: exact, unless it was sampled."""

    game: str
    attacker: str
    defender: str
    names: Mapping[str, Words]
    charge: bool
    figures: Mapping[str, Any]
    tables: Sequence[Table] = ()
    sentence: Words | None = None
    chart: Chart | None = None
    samples: int = 0

    @property
    def method(self) -> str:
        return "sampled" if self.samples else "exact"

    def method_words(self) -> Words:
        """How the odds were found, for people."""
        return _WORDS(self.method, samples=self.samples)

    def data(self) -> Data:
        """As plain data."""
        data: Data = {
            "game": self.game,
            "attacker": self.attacker,
            "defender": self.defender,
            "names": self.names,
            "charge": self.charge,
            "method": self.method,
            **self.figures,
            "tables": [table.data() for table in self.tables],
        }
        data |= {"summary": self.sentence} if self.sentence is not None else {}
        return data | ({"chart": self.chart.data()} if self.chart is not None else {})


class Odds(Generic[B, C]):
    """The odds of a game. A game derives its own, and says which questions it has and how their scenes are laid."""

    # What may be told about an attack.
    conditions: type[C] = Conditions  # type: ignore[assignment]
    # What each of them means, for flags and forms.
    condition_words: ClassVar[Wording | None] = None
    # Odds that help to answer what a player is asked, by what is asked.
    helpers: ClassVar[Mapping[str, Helper]] = {}
    # Odds of an answer that a player has in the making, by what is asked.
    drafts: ClassVar[Mapping[str, DraftHelper]] = {}
    # What is asked where those odds hang on no length: they help also while measuring is closed.
    by_eye: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, game: Subject) -> None:
        self.game = game

    # -- asking ----------------------------------------------------------------------------------------------------

    def fields(self) -> list[Field]:
        """What may be told about an attack, for flags and forms."""
        return list(fields_of(self.conditions))

    def form(self) -> list[Data]:
        """The same as plain data, with what each condition means."""
        return [msgspec.to_builtins(field) | {"words": self.meaning(field.key)} for field in self.fields()]

    def meaning(self, condition: str) -> Words:
        """What a condition means."""
        if self.condition_words is not None:
            return self.condition_words(condition)
        return dict.fromkeys(LANGUAGES, condition.replace("_", " "))

    def between(self, attacker: str, defender: str, *, charge: bool = False, **given: Any) -> Answer:
        """What an attack of one unit on another does, by the names of two that stand in no battle; raises Problems."""
        conditions = read_conditions(self.conditions, given, charge=charge)
        return self.answer_by_name(Question(attacker, defender, conditions, charge))

    def at(self, battle: B, attacker: str, defender: str, *, charge: bool = False, way: str = "") -> Answer:
        """The same for two units of a battle, as things stand on its table; raises Refused if it may not attack."""
        return self.answer(battle, Question(attacker, defender, self.conditions(), charge, way))

    def helping(self, battle: B, decision: Decision) -> Table | None:
        """The odds that help to answer a question of the rules; None where there are none."""
        helper = self.helpers.get(decision.ask)
        return helper(battle, decision) if helper is not None else None

    def of_draft(self, battle: B, decision: Decision, draft: Any) -> Table | None:
        """The odds of an answer that somebody has in the making; None where there are none. Raises Refused if it could
        not be given."""
        helper = self.drafts.get(decision.ask)
        return helper(battle, decision, decision.accept(draft)) if helper is not None else None

    def is_by_eye(self, battle: B, attacker: str, defender: str, *, charge: bool, way: str) -> bool:
        """The odds of an attack hang on no length that nobody has measured."""
        return False

    # -- what a game fills in --------------------------------------------------------------------------------------

    def scene(self, question: Question[C]) -> tuple[B, Question[C]]:
        """A battle with two units that are known by name, just as the conditions say, and the question about them."""
        raise self._none()

    def answer(self, battle: B, question: Question[C]) -> Answer:
        """The odds between two units of a battle, as things stand."""
        raise self._none()

    def answer_by_name(self, question: Question[C]) -> Answer:
        """The odds between two units that are known by name."""
        battle, there = self.scene(question)
        try:
            return self.answer(battle, there)
        except Refused as refused:
            raise self._in_words(battle, refused.refusal) from None

    def answer_about(
        self, question: Question[C], units: Sequence[Any], figures: Mapping[str, Any], **parts: Any
    ) -> Answer:
        """The answer about two units, the attacker first: its figures, and its `tables`, `sentence` and `chart`."""
        by, on = units
        return Answer(
            game=self.game.id,
            attacker=by.id,
            defender=on.id,
            names={"attacker": by.name, "defender": on.name},
            charge=question.charge,
            figures=figures,
            **parts,
        )

    # -- what goes wrong -------------------------------------------------------------------------------------------

    def _none(self) -> Problems:
        return problem_with(self.game.id, notice("has_none_yet", what="odds"))

    def _in_words(self, battle: Any, refusal: Refusal) -> Problems:
        """A refusal to somebody who asked about two units that are in no battle."""
        names = Names(self.game, battle)
        why = {lang: Voice(self.game, names, lang).refusal(refusal).text for lang in LANGUAGES}
        return problem_with("odds", notice("why_not", why=why), rule=refusal.rule)
