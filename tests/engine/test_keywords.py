"""Special rules: declared once, told their moments in order, silenced where a rule says so."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from oriflamme.engine.core import keywords
from oriflamme.engine.core.keywords import Keyword, KeywordBook, KeywordSet, UnknownKeyword, at, at_against, silenced


class Rule(Keyword):
    """The special rules of a game made up for these tests."""

    __slots__ = ()

    def before_blow(self, said: list[str]) -> None:
        """A blow is about to fall."""

    def after_blow(self, said: list[str], force: int) -> None:
        """A blow has fallen."""


book: KeywordBook[Rule] = KeywordBook(Rule)


@book.keyword("TEST-SHARP", "Sharp({x})")
class Sharp(Rule):
    """Says its number before the blow."""

    def before_blow(self, said: list[str]) -> None:
        said.append(f"sharp {self.x}")


@book.keyword("TEST-LOUD", "Very Loud")
class Loud(Rule):
    """Speaks at both moments."""

    def before_blow(self, said: list[str]) -> None:
        said.append("loud")

    def after_blow(self, said: list[str], force: int) -> None:
        said.append(f"loud after {force}")


@book.keyword("TEST-HUSH", "Hush")
class Hush(Rule):
    """Silences what is loud, and itself says nothing."""

    def suppresses(self, other: Keyword, subject: Any) -> bool:
        return isinstance(other, Loud)


HERE = sys.modules[__name__]
book.complete(HERE)


def set_of(*printed: str) -> KeywordSet[Rule]:
    return book.set_of(map(book.parse, printed))


def told(*sets: KeywordSet[Rule], against: tuple[KeywordSet[Rule], ...] = ()) -> list[str]:
    said: list[str] = []
    at_against(Rule.before_blow, sets, against, said)
    return said


# -- declaring ---------------------------------------------------------------------------------------------------------


def test_a_method_that_is_no_moment_is_refused_on_the_spot_with_a_guess() -> None:
    class Blunt(Rule):
        def before_blows(self, said: list[str]) -> None: ...

    with pytest.raises(TypeError, match="Blunt: no moment 'before_blows'; did you mean 'before_blow'\\?"):
        book.keyword("TEST-BLUNT", "Blunt")(Blunt)
    assert "blunt" not in book.declared


def test_a_method_unlike_any_moment_is_refused_without_a_guess() -> None:
    class Odd(Rule):
        def xyzzy(self) -> None: ...

    with pytest.raises(TypeError, match=r"Odd: no moment 'xyzzy'$"):
        book.keyword("TEST-ODD", "Odd")(Odd)


def test_a_private_method_and_a_number_of_its_own_are_no_moments() -> None:
    small: KeywordBook[Rule] = KeywordBook(Rule)

    @small.keyword("TEST-HELPED", "Helped")
    class Helped(Rule):
        number = 3

        def _help(self) -> None: ...

    small.complete(HERE)

    assert list(small.declared) == ["helped"]


def test_a_book_is_complete_when_the_modules_with_its_rules_are_named_and_takes_nothing_after_that() -> None:
    small: KeywordBook[Rule] = KeywordBook(Rule)

    class Late(Rule): ...

    small.keyword("TEST-EARLY", "Early")(type("Early", (Rule,), {"__module__": __name__}))
    with pytest.raises(LookupError, match="not complete yet"):
        small.parse("Early")
    with pytest.raises(TypeError, match="test_keywords: declares special rules, and is not named"):
        small.complete(sys)
    with pytest.raises(TypeError, match="sys: declares no special rules"):
        small.complete(HERE, sys)
    small.complete(HERE)

    with pytest.raises(TypeError, match="Late: the special rules of this game are complete"):
        small.keyword("TEST-LATE", "Late")(Late)
    assert list(small.declared) == ["early"]


def test_two_rules_printed_alike_are_refused() -> None:
    small: KeywordBook[Rule] = KeywordBook(Rule)

    class One(Rule): ...

    class Other(Rule): ...

    small.keyword("TEST-ONE", "Sharp({x})")(One)
    with pytest.raises(TypeError, match="Other: One is printed as 'Sharp' too"):
        small.keyword("TEST-OTHER", "Sharp")(Other)


def test_a_declared_rule_knows_its_place_in_the_reference_and_its_printed_name() -> None:
    assert (Sharp.rule, Sharp.title, Sharp.takes_x) == ("TEST-SHARP", "Sharp", True)
    assert (Loud.rule, Loud.title, Loud.takes_x) == ("TEST-LOUD", "Very Loud", False)
    assert str(Sharp(3)) == "Sharp(3)"
    assert str(Loud()) == "Very Loud"
    assert book.moments == ("before_blow", "after_blow")


def test_rules_are_equal_when_kind_and_number_are() -> None:
    assert Sharp(2) == Sharp(2)
    assert Sharp(2) != Sharp(3)
    assert Loud() != Hush()
    assert len({Sharp(2), Sharp(2), Sharp(3), Loud()}) == 3


# -- reading -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Sharp(2)", "sharp (2)", " SHARP ( 2 ) ", "Sharp(+2)"])
def test_a_rule_is_read_as_it_is_printed_give_or_take_spaces_and_capitals(text: str) -> None:
    assert book.parse(text) == Sharp(2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Sharpe(2)", 'no special rule "Sharpe(2)"; did you mean "Sharp"?'),
        ("Very Lout", 'no special rule "Very Lout"; did you mean "Very Loud"?'),
        ("Zzz", 'no special rule "Zzz"'),
        ("", 'no special rule ""'),
        ("Sharp(two)", '"Sharp(two)" needs its number; write "Sharp(1)"'),
        ("Sharp", '"Sharp" needs its number; write "Sharp(1)"'),
        ("Hush(2)", '"Hush(2)": Hush has no number; write "Hush"'),
    ],
)
def test_what_cannot_be_read_gets_a_helpful_answer(text: str, said: str) -> None:
    with pytest.raises(UnknownKeyword) as caught:
        book.parse(text)

    assert caught.value.problem == said
    assert caught.value.text == text


# -- sets --------------------------------------------------------------------------------------------------------------


def test_of_two_copies_of_a_rule_the_highest_number_counts() -> None:
    assert told(set_of("Sharp(1)", "Sharp(3)", "Sharp(2)")) == ["sharp 3"]
    assert told(set_of("Very Loud", "Very Loud")) == ["loud"]


@pytest.mark.parametrize(
    ("printed", "numbers"),
    [
        (["Keen(1)", "Keen(1)"], [1]),
        (["Keen(1)", "Keen(+1)"], [2]),
        (["Keen(+1)", "Keen(3)", "Keen(+2)", "Keen(1)"], [6]),
        (["Keen(+2)"], [2]),
        (["Rot(2)", "Rot(3)"], [5]),
        (["Rot(2)", "Rot(+3)"], [5]),
        (["Keen(1)", "Rot(+1)"], [1, 1]),
    ],
)
def test_where_a_game_lets_them_numbers_with_a_plus_add(printed: list[str], numbers: list[int]) -> None:
    class Adding(Keyword):
        additive = True

    adding: KeywordBook[Adding] = KeywordBook(Adding)

    @adding.keyword("TEST-KEEN", "Keen({x})")
    class Keen(Adding):
        pass

    @adding.keyword("TEST-ROT", "Rot({x})")
    class Rot(Adding):
        cumulative = True

    adding.complete(HERE)

    assert [k.x for k in adding.set_of(map(adding.parse, printed))] == numbers
    assert str(adding.parse("Keen(+2)")) == "Keen(+2)"
    assert adding.parse("Keen(+2)") != adding.parse("Keen(2)")


def test_a_hyphen_in_a_name_may_be_left_out() -> None:
    class Plain(Keyword):
        pass

    plain: KeywordBook[Plain] = KeywordBook(Plain)

    @plain.keyword("TEST-HIT-BACK", "Hit-Back")
    class HitBack(Plain):
        pass

    plain.complete(HERE)

    assert plain.parse("hit back") == plain.parse("Hit-Back") == HitBack()


@pytest.mark.parametrize("text", ["Hold fast", "hold-fast", "Tenez bon !", "TENEZ BON", "tenez bon!"])
def test_a_rule_is_found_by_its_other_name_too(text: str) -> None:
    small: KeywordBook[Rule] = KeywordBook(Rule, also={"Hold fast": "Tenez bon !"})

    @small.keyword("TEST-HOLD", "Hold fast")
    class HoldFast(Rule):
        """Says nothing."""

    small.complete(HERE)

    assert type(small.parse(text)) is HoldFast


@pytest.mark.parametrize("text", ["Tower(high)", "tower (Haute)", "Tower( haute )"])
def test_what_stands_in_brackets_may_be_said_in_other_words(text: str) -> None:
    small: KeywordBook[Rule] = KeywordBook(Rule, within={"Haute": "high"})

    @small.keyword("TEST-TOWER", "Tower({word})", words=("high", "low"))
    class Tower(Rule):
        """Says nothing."""

    small.complete(HERE)

    assert str(small.parse(text)) == "Tower(high)"
    with pytest.raises(UnknownKeyword):
        small.parse("Tower(large)")


def test_a_rule_without_its_number_has_the_usual_one() -> None:
    small: KeywordBook[Rule] = KeywordBook(Rule)

    @small.keyword("TEST-DREAD", "Dread({x})")
    class Dread(Rule):
        """Says nothing."""

        usual = 3

    small.complete(HERE)

    assert [str(small.parse(text)) for text in ("Dread", "Dread(5)", 'Dread (5")')] == [
        "Dread(3)",
        "Dread(5)",
        "Dread(5)",
    ]


def test_equal_sets_are_the_same_object() -> None:
    assert set_of("Sharp(1)", "Hush") is set_of("Sharp(1)", "Hush")
    assert book.set_of(()) is not set_of("Hush")


def test_a_set_says_what_is_in_it() -> None:
    held = set_of("Sharp(2)", "Hush")

    assert held.has(Sharp)
    assert not held.has(Loud)
    assert held.get(Sharp) == Sharp(2)
    assert held.get(Loud) is None
    assert list(map(str, held)) == ["Sharp(2)", "Hush"]
    assert len(held) == 2
    assert held
    assert not book.empty


def test_a_set_files_its_rules_by_the_moments_they_change() -> None:
    held = set_of("Very Loud", "Sharp(2)", "Hush")

    assert held.by_moment == {"before_blow": (Loud(), Sharp(2)), "after_blow": (Loud(),)}
    assert held.silencers == (Hush(),)


def test_a_moment_written_in_a_class_between_counts_as_changed() -> None:
    small: KeywordBook[Rule] = KeywordBook(Rule)

    class Lasting(Rule):
        def before_blow(self, said: list[str]) -> None:
            said.append("lasting")

    @small.keyword("TEST-LONG", "Long")
    class Long(Lasting): ...

    small.complete(HERE)

    assert told(small.set_of([small.parse("Long")])) == ["lasting"]


# -- moments -----------------------------------------------------------------------------------------------------------


def test_rules_speak_in_the_order_of_the_sets_and_within_a_set_as_printed() -> None:
    assert told(set_of("Very Loud", "Sharp(1)"), set_of("Sharp(2)")) == ["loud", "sharp 1", "sharp 2"]
    assert told(set_of("Sharp(2)"), set_of("Sharp(1)", "Very Loud")) == ["sharp 2", "sharp 1", "loud"]


def test_a_moment_brings_its_details() -> None:
    said: list[str] = []

    at(Rule.after_blow, (set_of("Very Loud", "Sharp(1)"),), said, 5)

    assert said == ["loud after 5"]


def test_nobody_speaks_where_nobody_cares() -> None:
    assert told() == []
    assert told(set_of("Hush"), book.empty) == []


def test_a_rule_silences_others_beside_it_and_those_it_is_up_against() -> None:
    assert told(set_of("Very Loud", "Sharp(1)", "Hush")) == ["sharp 1"]
    assert told(set_of("Very Loud", "Sharp(1)"), set_of("Hush")) == ["sharp 1"]
    assert told(set_of("Very Loud", "Sharp(1)"), against=(set_of("Hush"),)) == ["sharp 1"]
    assert told(set_of("Hush"), against=(set_of("Very Loud"),)) == []


def test_a_rule_does_not_silence_itself() -> None:
    small: KeywordBook[Rule] = KeywordBook(Rule)

    @small.keyword("TEST-JEALOUS", "Jealous")
    class Jealous(Rule):
        def suppresses(self, other: Keyword, subject: Any) -> bool:
            return True

        def before_blow(self, said: list[str]) -> None:
            said.append("jealous")

    small.complete(HERE)
    jealous = small.set_of([small.parse("Jealous")])

    assert told(jealous) == ["jealous"]
    assert told(jealous, set_of("Sharp(1)")) == ["jealous"]
    assert silenced(Sharp(1), (jealous,), None)


def test_silence_may_depend_on_what_is_being_settled() -> None:
    small: KeywordBook[Rule] = KeywordBook(Rule)

    @small.keyword("TEST-SHY", "Shy")
    class Shy(Rule):
        def suppresses(self, other: Keyword, subject: Any) -> bool:
            return bool(subject)

    small.complete(HERE)
    shy = small.set_of([small.parse("Shy")])

    assert told(set_of("Very Loud"), shy) == ["loud"], "nothing was said before"
    assert told(set_of("Sharp(1)", "Very Loud"), shy) == ["sharp 1"], "silenced once something was"


# -- the witness -------------------------------------------------------------------------------------------------------


@pytest.fixture
def witness(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    seen: set[str] = set()
    monkeypatch.setattr(keywords, "witness", seen)
    return seen


def test_a_witness_notes_every_rule_that_spoke_and_none_that_was_silenced(witness: set[str]) -> None:
    told(set_of("Very Loud", "Sharp(1)", "Hush"))
    assert witness == {"Sharp"}

    told(set_of("Very Loud"))
    assert witness == {"Sharp", "Very Loud"}
