"""What regiments and characters may buy, and what it costs them."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from oriflamme.engine.words.wording import Wording
from oriflamme.games.tlaok.army.by_name import open_masteries
from oriflamme.games.tlaok.army.cards import Change, CharacterCard, Extra, Faction, RegimentCard, SpellCard
from oriflamme.games.tlaok.army.points import cost_of_extra, cost_of_model, cost_of_option, cost_of_spell

words: Final = Wording(Path(__file__).parents[1] / "text", "sheets")

# The command models that every faction knows, and what they do (TLAOK-CMD).
COMMAND: Final = {"leader": words("leader"), "standard": words("standard_bearer")}
COMMAND_DOES: Final = {"leader": (Change("attacks", 1),), "standard": (Change(grant="Unstoppable"),)}


class Purchase(NamedTuple):
    """Something a regiment or a character may buy, under the heading it is offered: what it is, and what it costs."""

    group: str
    what: Extra | SpellCard
    cost: int
    free: bool = False


def purchases(card: RegimentCard | CharacterCard, army: Faction, stands: int = 1) -> list[Purchase]:
    """All that a regiment of so many stands, or a character, may buy."""
    stand = card.stand
    if isinstance(card, RegimentCard):
        models = []
        for id in card.command.models:
            officer = army.officers.get(id)
            model = officer or Extra(id, dict(COMMAND[id]), COMMAND_DOES[id])
            free = id == "leader" and card.command.leader == "free"
            models.append(Purchase("command", model, cost_of_model(id, stand, stands, officer), free))
        options = card.options.values()
        return [*models, *(Purchase("options", one, cost_of_option(one, stand, stands)) for one in options)]
    extras = [("upgrades", army.upgrades[id]) for id in card.upgrades]
    extras += [("mastery", mastery) for mastery in open_masteries(card, army).values()]
    return [
        *(
            Purchase(group, extra, cost_of_extra(extra, stand, army.supremacies.get(extra.supremacy)))
            for group, extra in extras
        ),
        *(Purchase("spells", spell, cost_of_spell(spell, stand)) for spell in card.learns),
    ]
