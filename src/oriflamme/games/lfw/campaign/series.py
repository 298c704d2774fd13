"""The campaign itself: a series of battles between the same armies, for two to four players (LFW-CAMP).

The book gives experience and says nothing of what it buys, of losses or of who wins (LFW-CAMP-01). What is ours:
experience buys levels (LFW-CAMP-08), whoever was destroyed is back for the next battle (LFW-CAMP-09), scenarios are
drawn by lot, and who has won most battles has won the campaign (LFW-CAMP-10).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

import msgspec

from oriflamme.engine.core.campaign import Column, Entry, Outcome, Page
from oriflamme.engine.core.campaign_series import RecordedCampaigns, RecordedSeries
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import Notice, name_in, notice
from oriflamme.engine.words.text import Named, Names, Voice
from oriflamme.games.lfw.army.offers import skill_named
from oriflamme.games.lfw.campaign.camp import CampGame, camp_setup, names_of_things
from oriflamme.games.lfw.campaign.company import Company, Member, muster
from oriflamme.games.lfw.campaign.events import BattleFought, CampaignEnded, ExperienceGained, ScenarioDrawn
from oriflamme.games.lfw.looks import look_of_troop
from oriflamme.games.lfw.names import declared_names
from oriflamme.games.lfw.setup import drawn_from
from oriflamme.games.lfw.state import CAMPAIGN

camp_game: Final = CampGame()
# The rule that gives experience to each specialisation.
RULES: Final[Mapping[str, str]] = {
    "captain": "LFW-CAMP-02",
    "mage": "LFW-CAMP-03",
    "zealot": "LFW-CAMP-04",
    "sharpshooter": "LFW-CAMP-05",
    "veteran": "LFW-CAMP-06",
    "scout": "LFW-CAMP-07",
}


class Result(msgspec.Struct, frozen=True):
    """What a campaign takes from a battle: who won, the score, and the experience of each specialist by its id."""

    scenario: str
    winners: tuple[int, ...]
    points: tuple[int, ...]
    experience: dict[str, int]


def draw_scenario(players: int, dice: Dice) -> str:
    """A classic scenario by lot, of those for so many players (LFW-CAMP-10, LFW-SETUP-03)."""
    plans = [plan for plan in drawn_from(players) if not plan.legendary]
    fair = 36 // len(plans) * len(plans)
    # Two dice have 36 faces; those that would favour some are thrown again.
    while (place := 6 * (dice.d6() - 1) + dice.d6() - 1) >= fair:
        pass
    return plans[place % len(plans)].id


def come_home(band: Company, side: int, result: Result) -> Iterator[Event]:
    """An army after a battle: whether it has won, and what its specialists have learned (LFW-CAMP-02 to -07). Nobody is
    lost (LFW-CAMP-09)."""
    band.won += side in result.winners
    for member in band.members:
        gained = result.experience.get(member.id, 0)
        if gained:
            member.earned += gained
            yield ExperienceGained(RULES[member.unit.specialisation], side, member.id, gained, member.left)


def most_won(score: Sequence[int]) -> tuple[int, ...]:
    """All who have won most battles; nobody if all have won as many (LFW-CAMP-10)."""
    found = tuple(side for side, won in enumerate(score) if won == max(score))
    return found if len(found) < len(score) else ()


class _Nobody:
    """Stands for a battle where there is none: nobody is on the table."""

    units: Mapping[str, object] = {}
    players = 4

    class band:
        members = ()


class Campaign(RecordedSeries):
    """A campaign of Last Fantasy War."""

    headlines = frozenset({"ScenarioDrawn", "BattleFought", "CampaignEnded"})
    camp_game = camp_game
    result_kind: ClassVar[type[Any]] = Result
    rule = "LFW-CAMP-10"
    most_sides = 4
    bands: list[Company]

    @classmethod
    def own_game(cls) -> Game:
        from oriflamme.games.lfw import game

        return game

    def mustered(self) -> list[Company]:
        return [muster(data, side) for side, data in enumerate(self.header.bands)]

    def camp_setup(self, side: int, *, drawn: bool) -> dict[str, Any]:
        return camp_setup(side, self.number, len(self.sides), self.bands[side], self.options)

    def set_out(self, dice: Dice) -> list[Event]:
        self.scenario = draw_scenario(len(self.sides), dice)
        return [ScenarioDrawn("LFW-CAMP-10", self.number, self.scenario)]

    def armies(self) -> list[Any]:
        return [band.for_battle() for band in self.bands]

    def battle_setup(self) -> dict[str, Any]:
        return super().battle_setup() | {CAMPAIGN: True}

    def result_of(self, play: Play) -> Result:
        return msgspec.convert(self.game.aftermath(play.battle), Result)

    def why_wrong(self, result: Result) -> Notice | None:
        """What does not fit the battle that was to be fought."""
        specialists = {m.id for band in self.bands for m in band.members if m.unit.specialisation}
        if result.scenario != self.scenario:
            return notice("other_scenario_drawn", scenario=result.scenario, drawn=self.scenario)
        if not set(result.winners) <= set(self.sides):
            return notice("no_such_winner")
        if not set(result.experience) <= specialists or min(result.experience.values(), default=0) < 0:
            return notice("experience_of_others")
        return None

    def after_battle(self, result: Result, dice: Dice, *, last: bool) -> list[Event]:
        """Who has won, and what each specialist has learned (LFW-CAMP-02 to -07)."""
        events: list[Event] = [BattleFought("LFW-CAMP-10", self.number, result.scenario, result.winners, result.points)]
        for side, band in enumerate(self.bands):
            events += come_home(band, side, result)
        return events

    def is_drawn(self, result: Result) -> bool:
        return len(result.winners) != 1

    def end(self) -> Event:
        return CampaignEnded("LFW-CAMP-10", self.score, most_won(self.score))

    # -- how it stands ---------------------------------------------------------------------------------------------

    @property
    def score(self) -> tuple[int, ...]:
        """Battles won."""
        return tuple(band.won for band in self.bands)

    @property
    def winner(self) -> int | None:
        return self.winners[0] if len(self.winners) == 1 else None

    @property
    def winners(self) -> tuple[int, ...]:
        return most_won(self.score) if self.over else ()

    def voice(self, lang: str) -> Voice:
        known = self._voices.get(lang)
        if known is None:
            names = Names(camp_game, _NOBODY)
            names.by_field = {**names_of_things(), **declared_names()}
            for side, band in enumerate(self.bands):
                for member in band.members:
                    names.of[member.id] = Named(_numbered(band, member), "unit", side)
            known = self._voices[lang] = Voice(camp_game, names, lang)
        return known

    def names(self, lang: str) -> tuple[str, ...]:
        return tuple(name_in(band.name, lang) for band in self.bands)

    def ids_by_name(self, side: int, lang: str) -> list[dict[str, str]]:
        voice = self.voice(lang)
        return [{voice.name(member.id): member.id for member in self.band(side).members}]

    def due(self, lang: str) -> str:
        return name_in(declared_names()["scenario"][self.scenario], lang) if self.scenario else ""

    def score_name(self, lang: str) -> str:
        return self.voice(lang).word("ledger", "won")

    def outcomes(self, lang: str) -> list[Outcome]:
        told = declared_names()["scenario"]
        return [
            Outcome(event.battle, name_in(told[event.scenario], lang), event.winners, event.points)
            for event in (entry.event for entry in self.events)
            if isinstance(event, BattleFought)
        ]

    def page(self, side: int, lang: str, secrets: Iterable[int]) -> Page | None:
        """An army in words: its specialists with what they have learned, then the others."""
        band: Company | None = self.known(side, secrets)
        if band is None:
            return None
        voice = self.voice(lang)
        columns = tuple(Column(voice.word("ledger", f"{key}_short"), voice.word("ledger", key)) for key in _NUMBERS)
        members = sorted(band.members, key=lambda member: not member.unit.specialisation)
        facts = ((voice.word("ledger", "won"), str(band.won)), (voice.word("ledger", "units"), str(len(members))))
        return Page(name_in(band.name, lang), facts, columns, tuple(_entry(voice, member) for member in members))


_NUMBERS: Final = ("level", "earned", "left")
_NOBODY: Final = _Nobody()


def _numbered(band: Company, member: Member) -> Mapping[str, str]:
    """Units of one name are told apart by a number."""
    twins = [other.id for other in band.members if other.unit.name == member.unit.name]
    number = f" {twins.index(member.id) + 1}" if len(twins) > 1 else ""
    return {lang: word + number for lang, word in member.unit.name.items()}


def _entry(voice: Voice, member: Member) -> Entry:
    unit = member.unit
    numbers: tuple[str | int, ...] = (unit.level, member.earned, member.left) if unit.specialisation else ("", "", "")
    skills = tuple(name_in(skill_named(skill), voice.lang) for skill in unit.skills)
    return Entry(member.id, voice.name(member.id), numbers, skills, look=look_of_troop(unit))


class LfwCampaigns(RecordedCampaigns):
    """Campaigns of Last Fantasy War."""

    series = Campaign
    decides = ("scenario",)
