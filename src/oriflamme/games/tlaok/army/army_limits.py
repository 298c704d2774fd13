"""What an army may be (TLAOK-BUILD): warbands led by characters, one of whom is the Warlord, within the agreed points.

Each limit is an object that cites its rule. Cards say what a single regiment or character may buy; here is what holds
them together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from oriflamme.engine.lists.checking import Limit, Most, Terms, WithinPoints, problems_with
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, did_you_mean, guess_or_choices
from oriflamme.engine.words.wording import Wording
from oriflamme.games.tlaok.army.cards import MODELS, CharacterCard, RegimentCard

in_both: Final = Wording(Path(__file__).parents[1] / "text", "lists")

USUAL_POINTS: Final = 2000  # TLAOK-BUILD-02
LEARNING_POINTS: Final = 1000
MOST_REGIMENTS: Final = 4  # in a warband, TLAOK-BUILD-06
MOST_RESTRICTED: Final = 2  # TLAOK-BUILD-10
MOST_MODELS: Final = 4  # command models of a regiment, TLAOK-CMD-02, -12


class Follower(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All the limits need to know of a regiment in a warband."""

    regiment: str
    kind: str = "infantry"
    irregular: bool = False
    where: str = ""

    @property
    def place(self) -> str:
        return self.where or self.regiment


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All the limits need to know of a warband: who leads it, whom he may lead, who follows, and what he has bought.

    `own` if the character is a regiment of its own, `rider` if he must ride a Monster. `unique` are the masteries and
    upgrades that an army may have once.
    """

    character: str
    kind: str = "infantry"
    warlord: bool = False
    own: bool = False
    rider: bool = False
    irregular: bool = False
    mainstay: tuple[str, ...] = ()
    restricted: tuple[str, ...] = ()
    regiments: tuple[Follower, ...] = ()
    unique: tuple[str, ...] = ()
    cost: int = 0
    where: str = ""

    @property
    def place(self) -> str:
        return self.where or self.character


# -- limits on the whole army ------------------------------------------------------------------------------------------


class OneWarlord(Most[Band]):
    """One character is the Warlord (TLAOK-BUILD-04, TLAOK-WARLORD-01)."""

    rule = "TLAOK-BUILD-04"
    key = "warlord"
    name = in_both("warlord")

    def used(self, units: Sequence[Band], terms: Terms) -> int:
        return sum(band.warlord for band in units)

    def most(self, units: Sequence[Band], terms: Terms) -> int:
        return 1

    def problems(self, units: Sequence[Band], terms: Terms) -> Iterator[Problem]:
        warlords = [band for band in units if band.warlord]
        if not warlords:
            yield self.broken("warbands", notice("no_warlord"), notice("name_a_warlord"))
        for band in warlords[1:]:
            what = notice("second_warlord", character=band.character, first=warlords[0].character)
            yield self.broken(band.place, what, notice("keep_one_warlord"))


class BoughtOnce(Limit[Band]):
    """Masteries, and whatever is marked so, are taken once per army."""

    rule = "TLAOK-MASTERY-02"

    def problems(self, units: Sequence[Band], terms: Terms) -> Iterator[Problem]:
        for item, number in Counter(item for band in units for item in band.unique).items():
            if number > 1:
                what = notice("taken_often", item=item, number=number)
                yield self.broken("warbands", what, notice("keep_one_of_them"))


# -- limits on each warband --------------------------------------------------------------------------------------------


class BandLimit(Limit[Band]):
    """What holds for each warband by itself."""

    def problems(self, units: Sequence[Band], terms: Terms) -> Iterator[Problem]:
        for band in units:
            yield from self.wrong_with(band)

    def wrong_with(self, band: Band) -> Iterator[Problem]:
        raise NotImplementedError


class Accompanied(BandLimit):
    """Each character has a warband of regiments; one that is a regiment of its own may stand alone."""

    rule = "TLAOK-BUILD-05"

    def wrong_with(self, band: Band) -> Iterator[Problem]:
        if not band.regiments and not band.own:
            yield self.broken(
                band.place, notice("leads_nobody", character=band.character), notice("regiments_after_him")
            )


class AtMostFour(BandLimit):
    """A warband holds at most four regiments."""

    rule = "TLAOK-BUILD-06"

    def wrong_with(self, band: Band) -> Iterator[Problem]:
        if len(band.regiments) > MOST_REGIMENTS:
            what = notice("too_many_regiments", number=len(band.regiments), most=MOST_REGIMENTS)
            yield self.broken(band.place, what, notice("another_character_first"))


class SomebodyToJoin(BandLimit):
    """A warband has a regiment of its character's Type, which he can join; a Rider needs a Monster."""

    rule = "TLAOK-BUILD-07"

    def wrong_with(self, band: Band) -> Iterator[Problem]:
        if band.own or not band.regiments:
            return
        wanted = "monster" if band.rider else band.kind
        alike = [follower for follower in band.regiments if follower.kind == wanted]
        if not alike:
            what = notice("nobody_to_join", kind=wanted, character=band.character)
            if band.rider:
                yield Problem(band.place, what, "TLAOK-SR-RIDER-01", notice("take_a_monster"))
            else:
                yield self.broken(band.place, what, notice("take_his_type"))
        elif not band.irregular and all(follower.irregular for follower in alike):
            what = notice("only_irregulars", character=band.character, regiment=alike[0].regiment)
            yield Problem(band.place, what, "TLAOK-SR-IRREGULAR-01", notice("take_a_regular"))


class OnlyItsChoices(BandLimit):
    """A character leads the regiments its entry names, as Mainstay or as Restricted choices."""

    rule = "TLAOK-BUILD-08"

    def wrong_with(self, band: Band) -> Iterator[Problem]:
        known = (*band.mainstay, *band.restricted)
        for follower in band.regiments:
            if known and follower.regiment not in known:
                hint = did_you_mean(follower.regiment, known) or notice("he_leads", regiment=list(known))
                what = notice("cannot_lead", character=band.character, regiment=follower.regiment)
                yield self.broken(follower.place, what, hint)


class FewRestricted(BandLimit):
    """At most two Restricted choices, and a Mainstay choice for each (TLAOK-BUILD-11)."""

    rule = "TLAOK-BUILD-10"

    def wrong_with(self, band: Band) -> Iterator[Problem]:
        restricted = sum(follower.regiment in band.restricted for follower in band.regiments)
        mainstay = sum(follower.regiment in band.mainstay for follower in band.regiments)
        if restricted > MOST_RESTRICTED:
            what = notice("too_many_restricted", number=restricted, most=MOST_RESTRICTED)
            yield self.broken(band.place, what, notice("take_one_out"))
        if mainstay < restricted:
            what = notice("too_few_mainstay", restricted=restricted, mainstay=mainstay)
            yield Problem(band.place, what, "TLAOK-BUILD-11", notice("one_mainstay_each"))


POINTS: Final = WithinPoints("TLAOK-BUILD-02")  # of all stands and upgrades, TLAOK-BUILD-01
WARLORD: Final = OneWarlord()
LIMITS: Final[tuple[Limit[Band], ...]] = (
    POINTS,
    WARLORD,
    Accompanied(),
    AtMostFour(),
    SomebodyToJoin(),
    OnlyItsChoices(),
    FewRestricted(),
    BoughtOnce(),
)


def army_problems(bands: Iterable[Band | Mapping[str, Any]], points: int) -> list[Problem]:
    """All that is wrong with an army of these warbands at the agreed points, in the order of the book.

    A warband is a Band or a table with its fields; only `character` must be there.
    """
    army = [band if isinstance(band, Band) else msgspec.convert(band, Band) for band in bands]
    return problems_with(LIMITS, army, Terms(points))


# -- what a regiment may buy -------------------------------------------------------------------------------------------


def regiment_problems(card: RegimentCard, stands: int, models: Sequence[str]) -> Iterator[Problem]:
    """What is wrong with so many stands and these command models for one regiment (TLAOK-BUILD-13, TLAOK-CMD)."""
    if not card.least <= stands <= card.most:
        most = card.most if card.most > card.least else 0
        what = notice("stands_come_in", number=stands, regiment=card.id, least=card.least, most=most)
        yield Problem("stands", what, "TLAOK-BUILD-13", notice("change_stands"))
    if models and not card.command.models:
        rule = "TLAOK-CMD-15" if card.stand.kind in ("monster", "chariot") else "TLAOK-CMD-01"
        yield Problem("command", notice("no_command_models", regiment=card.id), rule)
        return
    for model, number in Counter(models).items():
        if model not in card.command.models:
            hint = guess_or_choices(model, card.command.models)
            yield Problem("command", notice("no_command_model", model=model, regiment=card.id), "TLAOK-CMD-01", hint)
        elif number > 1:
            rule = "TLAOK-CMD-03" if model in MODELS else "TLAOK-CMD-20"
            yield Problem("command", notice("command_model_once", model=model, number=number), rule)
    infantry = card.stand.kind == "infantry"
    if len(models) > MOST_MODELS:
        what = notice("too_many_command_models", number=len(models), most=MOST_MODELS)
        yield Problem("command", what, "TLAOK-CMD-02" if infantry else "TLAOK-CMD-12", notice("keep_four"))
    elif not infantry and len(models) > stands:
        what = notice("too_few_stands_for_command", number=len(models), stands=stands)
        yield Problem("stands", what, "TLAOK-CMD-11", notice("buy_another_stand"))


def mastery_problems(card: CharacterCard, mastery: str, category: str) -> Iterator[Problem]:
    """A mastery is from a category that is open to the character (TLAOK-MASTERY-01)."""
    if category not in card.masteries:
        hint = notice("open_to_him", category=list(card.masteries)) if card.masteries else notice("keep_an_open_one")
        what = notice("mastery_not_open", mastery=mastery, category=category, character=card.id)
        yield Problem("mastery", what, "TLAOK-MASTERY-01", hint)
