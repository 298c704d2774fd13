"""Odds as any game asks, counts and tells them: a small game of the test's own, and then every game there is."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec
import pytest

from oriflamme.engine.core.decisions import Decision, Option, PickOne, Refused, Together
from oriflamme.engine.core.dice import Dice, EnumeratingDice, HiddenDice, Needed, OutOfDice
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.steps import Asking
from oriflamme.engine.odds import (
    Answer,
    Clause,
    Column,
    Conditions,
    Distribution,
    KnownFirst,
    Odds,
    Question,
    Table,
    over_all_dice,
    play_out,
)
from oriflamme.engine.odds.playing import question_in
from oriflamme.engine.odds.telling import MOST_BARS, chart_of, count, listed, percent, sentence, table
from oriflamme.engine.words.problems import Problems
from oriflamme.games import ids, load

ATTACKS = {
    "aof": [("crossbow_company", "stokers", False), ("hired_lances", "wharf_pikes", True)],
    "lfw": [("archer", "skeleton", False), ("knight", "skeleton", True)],
    "sbh": [("elf-archer", "orc-warrior", False), ("human-heavy-cavalry", "troll", True)],
    "rn3": [("road_lancers+4", "hollow_guard+8", True), ("crossbows+8", "hollow_guard+8", False)],
    "tlaok": [("reed_archers", "tide_pikes", False), ("salt_knights", "tide_pikes", True)],
}
WOUNDS = {"en": "wounds", "fr": "blessures"}


# -- a small game ------------------------------------------------------------------------------------------------------


class Slingers:
    """A unit of the small game: so many slingers, each with a stone."""

    def __init__(self, id: str, number: int) -> None:
        self.id = id
        self.number = number
        self.name = {"en": id.title(), "fr": id.upper()}


class Field:
    """A battle of the small game."""

    def __init__(self, cover: bool, *units: Slingers) -> None:
        self.cover = cover
        self.units = {unit.id: unit for unit in units}
        self.dice: Dice = HiddenDice()
        self.fallen = 0

    def copy(self) -> Field:
        return Field(self.cover, *self.units.values())


def throw_stones(field: Field, by: str, on: str) -> Asking[int]:
    """Each stone hits on 4+, on 5+ into cover; a slinger falls to each hit, or two if the attacker aims low."""
    number = field.units[by].number
    options = [Option("high"), Option("low")]
    aim = yield PickOne(0, options, "aim", "TEST-1", default="high")
    hits = field.dice.reach(number, Needed(5 if field.cover else 4, "aim", "TEST-1")).successes
    field.fallen = min(field.units[on].number, hits * (2 if aim == "low" else 1))
    return field.fallen


class Cover(Conditions, frozen=True):
    from_afar = frozenset({"cover"})
    close_combat = frozenset({"charging"})

    cover: bool = False
    charging: bool = False
    stones: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    distance: Annotated[float, msgspec.Meta(ge=0, le=50)] | None = None
    season: Literal["summer", "winter"] = "summer"


FALLEN = {"en": ("slinger", "slingers"), "fr": ("frondeur", "frondeurs")}
ALL = {"en": "{p} to fell them all", "fr": "{p} de les abattre tous"}


class Fall(NamedTuple):
    """What is counted in the small game."""

    law: Distribution[int]
    number: int

    @property
    def all(self) -> Fraction:
        return self.law[self.number]


class StoneOdds(Odds[Any, Cover]):
    """The odds of the small game, and all that it has to write for them."""

    conditions = Cover

    def scene(self, question: Question[Cover]) -> tuple[Field, Question[Cover]]:
        units = Slingers(question.attacker, question.conditions.stones), Slingers(question.defender, 3)
        return Field(question.conditions.cover, *units), question

    def answer(self, battle: Field, question: Question[Cover]) -> Answer:
        by, on = battle.units[question.attacker], battle.units[question.defender]
        if by is on:
            raise Refused(Refusal("TEST-2", "own_foot", {}))
        fall = Fall(over_all_dice(battle, lambda field: play_out(throw_stones(field, by.id, on.id))), on.number)
        return self.answer_about(
            question,
            (by, on),
            {"fallen": fall.law.to_data()},
            tables=[table(by.name, self.columns, [(on.name, fall)])],
            sentence=sentence(fall, self.clauses),
            chart=chart_of({"en": "fallen", "fr": "abattus"}, fall.law),
        )

    columns: ClassVar[list[Column[Fall]]] = [
        Column({"en": "fallen", "fr": "abattus"}, lambda fall: fall.law, "number"),
        Column({"en": "all", "fr": "tous"}, lambda fall: fall.all, rare=True),
        Column({"en": "at least", "fr": "au moins"}, lambda fall: fall.law, "at_least"),
    ]
    clauses: ClassVar[list[Clause[Fall]]] = [
        Clause(ALL, lambda fall: fall.all),
        Clause({"en": "{n} on average", "fr": "{n} en moyenne"}, lambda fall: fall.law, FALLEN, always=True),
    ]


class SmallGame(Game):
    id = "small"

    def odds(self) -> Odds[Any, Any]:
        return StoneOdds(self)


def odds() -> Odds[Any, Any]:
    return SmallGame().odds()


@pytest.mark.parametrize(("how", "chance"), [({}, Fraction(1, 2)), ({"cover": True}, Fraction(1, 3))])
def test_a_real_step_is_played_out_over_every_outcome_of_its_dice(how: dict[str, bool], chance: Fraction) -> None:
    found = odds().between("ann", "bob", stones=3, **how).figures["fallen"]

    expected = {str(k): float(comb(3, k) * chance**k * (1 - chance) ** (3 - k)) for k in range(4)}
    assert found == pytest.approx(expected)


def test_odds_are_told_in_a_table_in_a_sentence_and_in_a_chart() -> None:
    few, many = (odds().between("ann", "bob", stones=stones) for stones in (2, 4))

    assert few.sentence == {"en": "1 slinger on average", "fr": "1 frondeur en moyenne"}
    assert many.sentence == {
        "en": "31% to fell them all, 1.9 slingers on average",
        "fr": "31\u202f% de les abattre tous, 1,9 frondeur en moyenne",
    }
    # Nobody can fell three with two stones: a rare column is left out.
    assert [column["en"] for column in few.tables[0].columns] == ["", "fallen", "at least"]
    ((name, mean, all, least),) = many.tables[0].rows
    assert (name["fr"], mean, all) == ("BOB", 1.9375, 0.3125)
    assert least == {"1": 15 / 16, "2": 11 / 16, "3": 5 / 16}
    assert many.tables[0].columns[1]["as"] == "number"
    assert many.chart is not None
    assert [label["en"] for label, _ in many.chart.bars] == ["0", "1", "2", "3"]
    data = msgspec.json.decode(msgspec.json.encode(many.data()))
    assert (data["game"], data["attacker"], data["method"]) == ("small", "ann", "exact")
    assert set(data) >= {"tables", "summary", "chart", "fallen", "names", "charge"}


def test_conditions_are_declared_once_for_flags_and_forms() -> None:
    form = {field["key"]: field for field in odds().form()}

    assert [field["kind"] for field in form.values()] == ["flag", "flag", "whole", "number", "choice"]
    assert (form["stones"]["low"], form["stones"]["high"], form["stones"]["default"]) == (1, 9, 1)
    assert form["distance"]["default"] is None
    assert list(form["season"]["choices"]) == ["summer", "winter"]
    assert form["cover"]["words"] == {"en": "cover", "fr": "cover"}


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"stones": 10}, "stones: expected a whole number from 1 to 9"),
        ({"stones": "many"}, "stones: expected a whole number"),
        ({"distance": float("inf")}, "distance: expected a number"),
        ({"season": "wintr"}, 'did you mean "winter"?'),
        ({"cover": "yes"}, "cover: expected true or false"),
        ({"covr": True}, 'did you mean "cover"?'),
        ({"charge": True, "cover": True}, "cover: this is for attacks from afar"),
        ({"charging": True}, "charging: this is for close combat"),
    ],
)
def test_conditions_that_make_no_sense_are_refused_with_what_to_do(how: dict[str, Any], said: str) -> None:
    with pytest.raises(Problems) as wrong:
        odds().between("ann", "bob", **how)

    assert said in str(wrong.value)


def test_a_game_without_odds_says_so_and_helps_nobody() -> None:
    nothing = Game().odds()

    assert nothing.fields() == []
    assert nothing.helping(None, Decision(0, "aim", "TEST-1")) is None
    with pytest.raises(Problems, match="odds"):
        nothing.between("ann", "bob")
    with pytest.raises(Problems, match="odds"):
        nothing.at(None, "ann", "bob")


def test_a_question_of_the_rules_is_helped_by_what_is_asked() -> None:
    class Helpful(StoneOdds):
        helpers: ClassVar[Any] = {"aim": lambda battle, decision: Table({}, [{}], [[decision.ask]])}

    found = Helpful(SmallGame()).helping(Field(False), Decision(0, "aim", "TEST-1"))

    assert found is not None
    assert found.rows == [["aim"]]
    assert odds().helping(Field(False), Decision(0, "aim", "TEST-1")) is None


def test_an_answer_in_the_making_has_odds_once_it_could_be_given() -> None:
    class Foreseeing(StoneOdds):
        drafts: ClassVar[Any] = {"aim": lambda battle, decision, answer: Table({}, [{}], [[answer]])}

    decision = PickOne(0, [Option("high"), Option("low")], "aim", "TEST-1")
    found = Foreseeing(SmallGame()).of_draft(Field(False), decision, "low")

    assert found is not None
    assert found.rows == [["low"]]
    with pytest.raises(Refused):
        Foreseeing(SmallGame()).of_draft(Field(False), decision, "nowhere")
    assert odds().of_draft(Field(False), decision, "low") is None


# -- playing out -------------------------------------------------------------------------------------------------------


def test_every_question_is_answered_as_the_rules_suggest_or_as_one_likes() -> None:
    def low(decision: Decision) -> str:
        return "low"

    field = Field(False, Slingers("ann", 1), Slingers("bob", 3))

    assert over_all_dice(field, lambda twin: play_out(throw_stones(twin, "ann", "bob"))) == {
        0: Fraction(1, 2),
        1: Fraction(1, 2),
    }
    assert over_all_dice(field, lambda twin: play_out(throw_stones(twin, "ann", "bob"), low))[2] == Fraction(1, 2)
    assert question_in(throw_stones(field, "ann", "bob"), "aim").rule == "TEST-1"
    assert play_out(None) is None
    assert field.fallen == 0


def test_those_who_are_asked_together_all_answer() -> None:
    def both() -> Asking[list[str]]:
        told = yield Together(*(PickOne(side, [Option("x"), Option("y")], "aim", "TEST-1") for side in (0, 1)))
        assert isinstance(told, list)
        return told

    assert play_out(both()) == ["x", "x"]


def test_a_question_that_nobody_comes_to_is_not_invented() -> None:
    with pytest.raises(LookupError, match="nobody is asked lunch"):
        question_in(throw_stones(Field(False, Slingers("ann", 0), Slingers("bob", 1)), "ann", "bob"), "lunch")


def test_faces_that_are_known_come_first_and_then_other_dice() -> None:
    law = over_all_dice(Field(False), lambda twin: (twin.dice.d6(), twin.dice.d6()), known=[5])

    assert law == {(5, face): Fraction(1, 6) for face in range(1, 7)}
    assert KnownFirst([3], EnumeratingDice(())).reach(1, Needed(3, "", "")).successes == 1
    alone = KnownFirst([2])
    assert alone.d6() == 2
    with pytest.raises(OutOfDice):
        alone.d6()


# -- telling -----------------------------------------------------------------------------------------------------------


def test_what_was_sampled_is_told_with_its_error() -> None:
    words = {"en": "{p} to hit", "fr": "{p} de toucher"}
    clauses: list[Clause[float]] = [Clause(words, lambda chance: chance)]

    assert sentence(0.5, clauses, samples=400)["en"] == "50 ± 2% to hit"
    assert sentence(0.5, clauses, clauses, label={"en": "shot", "fr": "tir"}) == {
        "en": "shot: 50% to hit; 50% to hit",
        "fr": "tir : 50\u202f% de toucher ; 50\u202f% de toucher",
    }
    assert sentence(0.0, clauses, [], label={"en": "shot", "fr": "tir"})["en"] == "shot: "
    assert sentence(0.2, clauses * 3, most=2)["en"] == "20% to hit, 20% to hit"


def test_rows_of_numbers_are_listed_under_their_headings() -> None:
    made = table({"en": "t"}, listed([{"en": "a"}, {"en": "b"}]), [("x", [0.25, 0.75])], {"en": "n"})

    assert made.data() == {
        "title": {"en": "t"},
        "columns": [{"en": "", "fr": ""}, {"en": "a"}, {"en": "b"}],
        "rows": [["x", 0.25, 0.75]],
        "note": {"en": "n"},
    }


@pytest.mark.parametrize(
    ("share", "error", "en", "fr"),
    [
        (0.624, 0.0, "62%", "62\u202f%"),
        (0.001, 0.0, "< 1%", "< 1\u202f%"),
        (0.0, 0.0, "0%", "0\u202f%"),
        (0.999, 0.0, "> 99%", "> 99\u202f%"),
        (1.0, 0.0, "100%", "100\u202f%"),
        (0.5, 0.021, "50 ± 2%", "50 ± 2\u202f%"),
    ],
)
def test_a_chance_is_a_percentage_and_what_is_rare_is_not_nothing(share: float, error: float, en: str, fr: str) -> None:
    assert percent(share, "en", error) == en
    assert percent(share, "fr", error) == fr


def test_a_number_takes_the_form_its_language_asks_for() -> None:
    assert count(1.0, "en", "wound", "wounds") == "1 wound"
    assert count(1.5, "en", "wound", "wounds") == "1.5 wounds"
    assert count(1.5, "fr", "blessure", "blessures") == "1,5 blessure"
    assert count(2.04, "fr", "blessure", "blessures") == "2 blessures"


def test_a_chart_loses_nothing_but_the_rare_and_never_grows_too_wide() -> None:
    short = chart_of(WOUNDS, {0: 0.5, 1: 0.0, 2: 0.4995, 9: 0.0005})
    assert [label["en"] for label, _ in short.bars] == ["0", "1", "2"]

    wide = chart_of(WOUNDS, dict.fromkeys(range(40), 1 / 40))
    assert len(wide.bars) <= MOST_BARS
    assert sum(chance for _, chance in wide.bars) == pytest.approx(1)
    assert wide.bars[0][0]["fr"] == "0–2"


@pytest.mark.parametrize("game", ids())
def test_every_game_says_its_odds_in_a_sentence_and_a_chart(game: str) -> None:
    for attacker, defender, charge in ATTACKS[game]:
        told = load(game).odds().between(attacker, defender, charge=charge).data()

        assert "%" in told["summary"]["en"] or "wounds on average" in told["summary"]["en"]
        assert told["summary"]["fr"] != told["summary"]["en"]
        assert len(told["chart"]["bars"]) > 1
        assert sum(bar["chance"] for bar in told["chart"]["bars"]) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("game", ids())
def test_every_condition_of_every_game_is_explained_in_both_languages(game: str) -> None:
    form = load(game).odds().form()

    assert form
    for field in form:
        english, french = field["words"]["en"], field["words"]["fr"]
        assert english.endswith("."), field["key"]
        assert french.endswith("."), field["key"]
        assert english != french, field["key"]
