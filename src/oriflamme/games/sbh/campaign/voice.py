"""A campaign in words: its sentences are in `text/campaign_<lang>.toml`, beside those of the battle."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from oriflamme.engine import text
from oriflamme.engine.text import Named, Names, Sentences, Voice
from oriflamme.games.sbh.campaign.camp import names_of_things
from oriflamme.games.sbh.campaign.series import Campaign, camp_game
from oriflamme.games.sbh.campaign.warband import Warband

_TEXT: Final = Path(__file__).parents[1] / "text"


@cache
def campaign_sentences(lang: str) -> Sentences:
    """The sentences of the engine, of the battle and of the campaign in a language."""
    lang = lang if lang in text.LANGUAGES else "en"
    engine = Path(text.__file__).with_name(f"text_{lang}.toml")
    files = (engine, _TEXT / f"{lang}.toml", _TEXT / f"campaign_{lang}.toml")
    return Sentences(lang, *(tomllib.loads(path.read_text(encoding="utf-8")) for path in files if path.exists()))


class _Nobody:
    """Stands for a battle where there is none: nobody is on the table."""

    units: Mapping[str, object] = {}
    band = Warband({}, 0, [])


class CampaignVoice(Voice):
    """Puts the facts of one campaign into the words of one language."""

    def __init__(self, campaign: Campaign, lang: str = "en") -> None:
        names = Names(camp_game, _Nobody())
        super().__init__(camp_game, names, lang)
        self.text = campaign_sentences(lang)
        self.campaign = campaign
        names.by_field = names_of_things(card for band in campaign.bands for card in band.invented)
        self.meet()

    def meet(self, sides: Iterable[int] = (0, 1)) -> None:
        """Learn the names of everybody who has joined since."""
        for side in sides:
            band = self.campaign.band(side)
            for member in (*band.members, *band.dead):
                self.names.of[member.id] = Named(member.fighter.name, "unit", side)
