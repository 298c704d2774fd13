"""A campaign in words: its sentences are in `text/campaign_<lang>.toml`, beside those of the battle."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from oriflamme.engine.core.campaign import Column, Entry, Page
from oriflamme.engine.words import text
from oriflamme.engine.words.notices import name_in
from oriflamme.engine.words.sentences import LANGUAGES, Sentences
from oriflamme.engine.words.text import Named, Names, Voice
from oriflamme.games.sbh.campaign.camp import names_of_things
from oriflamme.games.sbh.campaign.series import Campaign, camp_game
from oriflamme.games.sbh.campaign.warband import Member, Warband, titles
from oriflamme.games.sbh.looks import look_of
from oriflamme.games.sbh.profile import profile_of

_TEXT: Final = Path(__file__).parents[1] / "text"


@cache
def campaign_sentences(lang: str) -> Sentences:
    """The sentences of the engine, of the battle and of the campaign in a language."""
    lang = lang if lang in LANGUAGES else "en"
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


def page_of(voice: Voice, band: Warband) -> Page:
    """A band in words, the living first: numbers, what they have learned, what befell them, what they bear."""

    def word(key: str) -> str:
        return voice.word("ledger", key)

    columns = tuple(
        Column(word(f"{key}_short"), word(key), pips=key == "experience")
        for key in ("points", "quality", "combat", "experience")
    )
    counted = {
        "score": band.earned,
        "spent": band.spent,
        "worth": band.value,
        "fighters": len(band.members),
        "reinforcements": band.reinforcements,
    }
    items = {item.bearer: voice.word("item", item.kind) for item in band.items if item.bearer}
    kept = [voice.name(upgrade, "upgrade") for upgrade in band.upgrades]
    kept += [voice.word("item", item.kind) for item in band.items if not item.bearer]

    def entry(member: Member, *, dead: bool) -> Entry:
        him = member.fighter
        fate = "dead" if dead else "absent" if member.absent else "hurt" if him.hurt else ""
        return Entry(
            him.id,
            name_in(him.name, voice.lang),
            (member.value, f"{him.quality}+", him.combat, member.experience),
            tuple(map(voice.term, titles(him.rules))),
            tuple(voice.word("gain", gain) for gain in member.gains),
            (items[him.id],) if him.id in items and not dead else (),
            fate,
            word(fate) if fate else "",
            look_of(profile_of(him.card, him.race, him.quality, him.combat, him.rules)),
        )

    living = (entry(member, dead=False) for member in band.members)
    dead = (entry(member, dead=True) for member in band.dead)
    facts = tuple((word(key), str(number)) for key, number in counted.items() if number)
    return Page(name_in(band.name, voice.lang), facts, columns, (*living, *dead), tuple(kept))
