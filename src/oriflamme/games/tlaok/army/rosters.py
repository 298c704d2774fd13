"""Armies of Conquest, ready for battle: regiments and characters with everything they take, as a save holds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, badly_written, problem_with
from oriflamme.games.tlaok.army.cards import (
    Change,
    CharacterCard,
    Extra,
    Faction,
    Names,
    RegimentCard,
    Secondary,
    Stand,
    Supremacy,
)
from oriflamme.games.tlaok.army.points import (
    cost_of_character,
    cost_of_extra,
    cost_of_model,
    cost_of_option,
    cost_of_spell,
    cost_of_stands,
)


class ListedRegiment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A regiment of a list with everything it takes. Plain data, so that a save holds it whole.

    `models` are its command models, `officers` what those among them do that are officers; `caps` what was bought with
    a maximum that stays in force (TLAOK-PROF-15).
    """

    id: str
    stand: Stand
    stands: int
    cost: int
    models: tuple[str, ...] = ()
    officers: dict[str, Extra] = {}
    options: tuple[str, ...] = ()
    caps: tuple[Change, ...] = ()

    @property
    def name(self) -> Names:
        return self.stand.name


class ListedCharacter(msgspec.Struct, frozen=True, omit_defaults=True):
    """A character of a list with everything it has bought. `gifts` is what that does for its regiment (-UPGRADE-01)."""

    id: str
    stand: Stand
    cost: int
    warlord: bool = False
    own: str = ""
    supremacies: tuple[Supremacy, ...] = ()
    upgrades: tuple[str, ...] = ()
    mastery: str = ""
    gifts: tuple[Change, ...] = ()
    caps: tuple[Change, ...] = ()
    learnt: tuple[str, ...] = ()

    @property
    def name(self) -> Names:
        return self.stand.name


class Warband(msgspec.Struct, frozen=True):
    """A character and the regiments that follow it."""

    leader: ListedCharacter
    regiments: tuple[ListedRegiment, ...] = ()

    @property
    def cost(self) -> int:
        return self.leader.cost + sum(regiment.cost for regiment in self.regiments)


class Roster(msgspec.Struct, frozen=True):
    """An army list that was checked: the agreed points, the warbands, and the faction's secondary objectives."""

    name: Names
    story: Names
    faction: str
    points: int
    warbands: tuple[Warband, ...]
    deck: tuple[Secondary, ...] = ()
    # Regiments that its player has made up, as the list file has them.
    custom: tuple[dict[str, Any], ...] = ()

    @property
    def cost(self) -> int:
        """The sum of all stands and upgrades (TLAOK-BUILD-01)."""
        return sum(band.cost for band in self.warbands)

    @property
    def units(self) -> int:
        """Regiments and characters: as many as it has command cards (TLAOK-CARD-01)."""
        return sum(1 + len(band.regiments) for band in self.warbands)

    def to_data(self) -> dict[str, Any]:
        """The whole list as plain data, which needs no other file to be read again."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return {"game": "tlaok", **data}

    def as_list(self) -> dict[str, Any]:
        """The army as a list file has it: what was picked, and nothing of what it comes to."""
        return {
            "game": "tlaok",
            "name": self.name,
            "story": self.story,
            "army": self.faction,
            "points": self.points,
            "warbands": [
                {
                    "character": band.leader.id,
                    "name": band.leader.name,
                    "warlord": band.leader.warlord,
                    "upgrades": list(band.leader.upgrades),
                    **({"mastery": band.leader.mastery} if band.leader.mastery else {}),
                    "spells": list(band.leader.learnt),
                    "regiments": [
                        {
                            "regiment": raised.id,
                            "name": raised.name,
                            "stands": raised.stands,
                            "command": list(raised.models),
                            "options": list(raised.options),
                        }
                        for raised in band.regiments
                    ],
                }
                for band in self.warbands
            ],
            "custom": list(self.custom),
        }

    @staticmethod
    def from_data(data: object, where: str = "army list") -> Roster:
        """The list that `to_data` wrote."""
        try:
            roster = msgspec.convert(data, Roster)
            for band in roster.warbands:
                for stand in (band.leader.stand, *(raised.stand for raised in band.regiments)):
                    stand.profile()
        except msgspec.ValidationError as error:
            raise Problems(where, [badly_written(error)]) from None
        except UnknownKeyword as error:
            raise problem_with(where, error.notice, hint=error.hint) from None
        except KeyError as error:
            raise problem_with(where, notice("unknown", word=str(error.args[0]))) from None
        return roster


# -- what a regiment or a character becomes with all it takes ----------------------------------------------------------


def equip_regiment(
    card: RegimentCard,
    army: Faction,
    *,
    stands: int = 0,
    models: Sequence[str] | None = None,
    options: Sequence[str] = (),
) -> ListedRegiment:
    """A regiment of so many stands with its command models and options, and what it costs (TLAOK-BUILD-13).

    Without a number it has its least; without models those that are free.
    """
    number = stands or card.least
    free = ("leader",) if card.command.leader == "free" else ()
    held = tuple(free if models is None else models)
    bought = [card.options[id] for id in options]
    officers = {id: army.officers[id] for id in held if id in army.officers}
    changes = [change for option in bought for change in option.changes]
    stand = card.stand.with_changes(changes)

    cost = cost_of_regiment(card, number) + sum(cost_of_option(option, card.stand, number) for option in bought)
    for model in held:
        if model not in free:
            cost += cost_of_model(model, stand, number, officers.get(model))
    caps = tuple(change for change in changes if change.cap is not None)
    return ListedRegiment(card.id, stand, number, cost, held, officers, tuple(options), caps)


def cost_of_regiment(card: RegimentCard, stands: int) -> int:
    """So many stands without anything bought: the file's own figures if it gives any, else the formula's."""
    extra = card.extra if card.extra is not None else cost_of_stands(card.stand, 1)
    least = card.points if card.points is not None else cost_of_stands(card.stand, card.least)
    return least + (stands - card.least) * extra


def equip_character(
    card: CharacterCard,
    army: Faction,
    *,
    upgrades: Sequence[str] = (),
    mastery: str = "",
    spells: Sequence[str] = (),
    warlord: bool = False,
) -> ListedCharacter:
    """A character with upgrades, a mastery and more spells, and what it costs."""
    extras = [army.upgrades[id] for id in upgrades] + ([army.masteries[mastery]] if mastery else [])
    abilities = [id for id in (card.supremacy, *(extra.supremacy for extra in extras)) if id]
    supremacy = army.supremacies.get(card.supremacy)
    own = [change for extra in extras for change in extra.changes if change.scope != "regiment"]
    stand = card.stand.with_changes(own)
    learnt = tuple(spell for spell in card.learns if spell.id in spells)
    cost = card.points if card.points is not None else cost_of_character(card.stand, supremacy)
    cost += sum(cost_of_extra(extra, card.stand, army.supremacies.get(extra.supremacy)) for extra in extras)
    for spell in learnt:
        cost += cost_of_spell(spell, stand)
        stand = msgspec.structs.replace(stand, spells=(*stand.spells, spell))
    return ListedCharacter(
        card.id,
        stand,
        cost,
        warlord,
        card.own,
        tuple(army.supremacies[id] for id in abilities),
        tuple(upgrades),
        mastery,
        tuple(change for extra in extras for change in extra.changes if change.scope == "regiment"),
        tuple(change for change in own if change.cap is not None),
        tuple(spell.id for spell in learnt),
    )
