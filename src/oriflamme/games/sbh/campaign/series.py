"""The campaign itself: a series of battles, and between them two camps (SBH-CAMP-01)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

import msgspec

from oriflamme.engine.core.campaign import Outcome, Page
from oriflamme.engine.core.campaign_series import RecordedCampaigns, RecordedSeries
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import Notice, name_in, notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.engine.words.text import Voice
from oriflamme.games.sbh.campaign.aftermath import SCENARIOS, Result, after_battle, come_back, result_of
from oriflamme.games.sbh.campaign.camp import CampGame, camp_setup
from oriflamme.games.sbh.campaign.events import BattleFought, BattleNotFought, CampaignEnded, ScenarioSet
from oriflamme.games.sbh.campaign.warband import Warband, muster
from oriflamme.games.sbh.fighters import Band
from oriflamme.games.sbh.roster import cards

BATTLES: Final = (1, 20)
RECOMMENDED: Final = (3, 5)  # SBH-CAMP-01

camp_game: Final = CampGame()


def score_of(bands: Sequence[Warband], options: Mapping[str, str]) -> tuple[int, int]:
    """Victory points earned, or those not spent if that was agreed (SBH-CAMP-01)."""
    a, b = (band.purse if options["sbh.campaignScore"] == "unspent" else band.earned for band in bands)
    return a, b


def ahead(score: tuple[int, int]) -> int | None:
    """Who has most victory points; nobody if both have as many (SBH-CAMP-01)."""
    a, b = score
    return None if a == b else int(b > a)


def set_out(bands: Sequence[Warband], battle: int, dice: Dice) -> Iterator[Event]:
    """Bands are chosen: a die says which scenario is played (SBH-CAMP-02, SBH-SCEN-01)."""
    unable = [side for side, band in enumerate(bands) if not band.fielded()]
    if not unable:
        face = dice.d6()
        yield ScenarioSet("SBH-CAMP-02", battle, face, SCENARIOS[face - 1])
        return
    # The book is silent on a band of which everybody misses the game: that game passes without a battle.
    yield BattleNotFought("SBH-CAMP-04", battle, unable[0] if len(unable) == 1 else -1)
    for side, band in enumerate(bands):
        yield from come_back(band, side)


def end_of_campaign(bands: Sequence[Warband], options: Mapping[str, str]) -> CampaignEnded:
    """After the last battle: who has most victory points wins (SBH-CAMP-01)."""
    score = score_of(bands, options)
    winner = ahead(score)
    return CampaignEnded("SBH-CAMP-01", score, -1 if winner is None else winner)


class Campaign(RecordedSeries):
    """A campaign of Song of Blades and Heroes."""

    headlines = frozenset({"ScenarioSet", "BattleFought", "BattleNotFought", "CampaignEnded"})
    camp_game = camp_game
    result_kind: ClassVar[type[Any]] = Result
    least_most = BATTLES
    recommended = RECOMMENDED
    rule = "SBH-CAMP-01"
    bands: list[Warband]

    @classmethod
    def own_game(cls) -> Game:
        from oriflamme.games.sbh import game

        return game

    def mustered(self) -> list[Warband]:
        given = enumerate(self.header.bands)
        return [muster(Band.from_data(data, f"band {'AB'[side]}"), side) for side, data in given]

    def camp_setup(self, side: int, *, drawn: bool) -> dict[str, Any]:
        final = self.number == self.battles
        return camp_setup(side, self.number, self.bands[side], self.options, drawn=drawn, final=final)

    def set_out(self, dice: Dice) -> list[Event]:
        events = list(set_out(self.bands, self.number, dice))
        first = events[0]
        self.scenario = first.scenario if isinstance(first, ScenarioSet) else ""
        return events

    def armies(self) -> list[Any]:
        return [band.for_battle() for band in self.bands]

    def result_of(self, play: Play) -> Result:
        return result_of(self.game, play.battle)

    def why_wrong(self, result: Result) -> Notice | None:
        return result.wrong(self.bands, self.scenario)

    def after_battle(self, result: Result, dice: Dice, *, last: bool) -> list[Event]:
        return list(after_battle(self.bands, self.number, result, dice, self.options, last=last))

    def is_drawn(self, result: Result) -> bool:
        return result.winner is None

    def end(self) -> Event:
        return end_of_campaign(self.bands, self.options)

    # -- how it stands ---------------------------------------------------------------------------------------------

    @property
    def score(self) -> tuple[int, int]:
        """The victory points that decide (SBH-CAMP-01), but for what is still secret."""
        return score_of((self.shown(0), self.shown(1)), self.options)

    @property
    def winner(self) -> int | None:
        """Who has most victory points at the end; nobody before it, or if both have as many."""
        return ahead(self.score) if self.over else None

    def band_data(self, band: Warband) -> dict[str, Any]:
        data: dict[str, Any] = msgspec.to_builtins(band)
        return data | {"value": band.value, "purse": band.purse}

    def voice(self, lang: str) -> Voice:
        from oriflamme.games.sbh.campaign.voice import CampaignVoice

        known = self._voices.get(lang)
        if not isinstance(known, CampaignVoice):
            known = self._voices[lang] = CampaignVoice(self, lang)
        known.meet()
        return known

    def names(self, lang: str) -> tuple[str, ...]:
        return tuple(name_in(band.name, lang) for band in self.bands)

    def ids_by_name(self, side: int, lang: str) -> list[dict[str, str]]:
        """Fighters of the race that is asked about come before everything else that has a name."""
        voice, camp = self.voice(lang), self.camp(side)
        race = camp.pending[0].about.get("race") if camp is not None else None
        kin = {voice.name(id, "card"): id for id, card in cards().items() if card.race == race}
        known = {voice.name(id, field): id for field, ids in voice.names.by_field.items() for id in ids}
        known |= {voice.name(member.id): member.id for member in self.band(side).members}
        return [kin, known]

    def due(self, lang: str) -> str:
        return self.voice(lang).word("scenario", self.scenario) if self.scenario else ""

    def score_name(self, lang: str) -> str:
        return self.voice(lang).word("ledger", "score")

    def outcomes(self, lang: str) -> list[Outcome]:
        voice = self.voice(lang)
        return [
            Outcome(event.battle, voice.word("scenario", event.scenario), _winners(event.winner), tuple(event.victory))
            for event in (entry.event for entry in self.events)
            if isinstance(event, BattleFought)
        ]

    def page(self, side: int, lang: str, secrets: Iterable[int]) -> Page | None:
        from oriflamme.games.sbh.campaign.voice import page_of

        band = self.known(side, secrets)
        return None if band is None else page_of(self.voice(lang), band)

    def standing(self, secrets: Iterable[int]) -> tuple[int, int]:
        knows = tuple(secrets)
        bands = [self.known(side, knows) or Warband({}, 0, []) for side in self.sides]
        return score_of(bands, self.options)


class SongCampaigns(RecordedCampaigns):
    """Campaigns of Song of Blades and Heroes."""

    series = Campaign
    decides = ("scenario",)

    def check(self, setup: Mapping[str, Any]) -> None:
        if setup["scenario"] != "roll":
            what, hint = notice("scenarios_are_rolled"), notice("leave_it_out")
            raise problem_with("choices", what, where="scenario", rule="SBH-CAMP-02", hint=hint)


def _winners(winner: int) -> tuple[int, ...]:
    return () if winner < 0 else (winner,)
