"""The time between two battles, for one side: reinforcements, experience, upgrades, recruits, who bears the magic item.

Each side has a camp of its own, which is a play like a battle is one. Both choose at the same time, and neither sees
what the other does before the next deployment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

import msgspec

from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.core.state import PART, Kind
from oriflamme.engine.core.steps import Asking, Step, Steps, due
from oriflamme.engine.table.pieces import Table
from oriflamme.games.sbh.campaign.events import (
    FighterJoined,
    FighterTrained,
    ItemGiven,
    ReinforcementsLost,
    UpgradeBought,
)
from oriflamme.games.sbh.campaign.warband import (
    BEST_QUALITY,
    PRICES,
    RANGES,
    UPGRADE,
    Item,
    Member,
    Warband,
    bases,
    on_offer,
    titles,
    total,
    victory_price,
)
from oriflamme.games.sbh.fighters import UPGRADES
from oriflamme.games.sbh.roster import Card, cards, races

steps = Steps()

BACK: Final = "back"
READY: Final = "ready"
NOBODY: Final = "nobody"
OWN: Final = "own"  # stands for the race of profiles that players invented
# What a band that has no opinion buys first.
USEFUL: Final = (
    "hard_bitten",
    "regain_the_initiative",
    "brave",
    "weapon_masters",
    "dirty_tricks",
    "divine_protection",
    "unpredictable",
    "strategic_bonus",
    "knowledge_of_terrain",
)
_NO_TABLE: Final = Table(1.0, 1.0)


class Camp(engine.Battle[Any]):
    """One band between two battles. There is no table and nobody on it."""

    __slots__ = ("band", "drawn", "final", "number", "side")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"band": PART}

    def __init__(
        self,
        side: int,
        number: int,
        band: Warband,
        options: dict[str, str],
        dice: Dice,
        *,
        drawn: bool = False,
        final: bool = False,
    ) -> None:
        super().__init__(_NO_TABLE, 2, options, dice)
        self.side = side
        # The battle that comes next, and whether it is the last of the campaign.
        self.number = number
        self.final = final
        self.band = band
        # The battle before had no winner (SBH-CAMP-12).
        self.drawn = drawn


class CampGame(Game):
    """The time between battles, as whoever drives a play sees it."""

    id = "sbh"
    title: ClassVar[Mapping[str, str]] = {"en": "Song of Blades and Heroes", "fr": "Song of Blades and Heroes"}
    measure = "mm"
    steps = steps

    def begin(self, setup: dict[str, Any], dice: Dice) -> Camp:
        band = msgspec.convert(setup["band"], Warband)
        data = {"drawn": setup["drawn"], "final": setup["final"]}
        camp = Camp(setup["side"], setup["number"], band, dict(setup["options"]), dice, **data)
        camp.then(prepare)
        return camp

    def names(self, battle: Camp) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """Fighters, profiles, races and upgrades as people call them."""
        everybody = (*battle.band.members, *battle.band.dead)
        return names_of_things([*battle.band.invented]) | {"fighter": {m.id: m.fighter.name for m in everybody}}

    def invariants(self, battle: Camp) -> list[str]:
        return what_is_wrong(battle.band)

    def score(self, battle: Camp) -> tuple[int, int]:
        return (battle.band.earned, battle.band.spent)


def names_of_things(invented: Iterable[Card]) -> dict[str, Mapping[str, Mapping[str, str]]]:
    """What people call profiles, races and upgrades."""
    return {
        "card": {card.id: card.name for card in (*cards().values(), *invented)},
        "race": {race.id: race.name for race in races().values()},
        "upgrade": UPGRADES,
    }


def what_is_wrong(band: Warband) -> list[str]:
    """What can never be true of a band in a campaign."""
    wrong = []
    ids = [member.id for member in (*band.members, *band.dead)]
    if len(set(ids)) != len(ids):
        wrong.append("two fighters have the same id")
    if band.reinforcements < 0 or band.purse < 0:
        wrong.append("more was spent than there was")
    if len(set(band.upgrades)) != len(band.upgrades):
        wrong.append("an upgrade was bought twice")
    for member in band.members:
        if member.experience < 0 or (member.experience and member.fighter.animal):
            wrong.append(f"{member.id} has experience he cannot have")
        if member.fighter.quality < BEST_QUALITY:
            wrong.append(f"{member.id} is better than {BEST_QUALITY}+")
    bearers = [item.bearer for item in band.items if item.bearer]
    if len(set(bearers)) != len(bearers):
        wrong.append("a fighter bears two items")
    return wrong


def camp_setup(
    side: int, number: int, band: Warband, options: Mapping[str, str], *, drawn: bool = False, final: bool = False
) -> dict[str, Any]:
    """A camp before its first question, as plain data."""
    return {
        "side": side,
        "number": number,
        "final": final,
        "drawn": drawn,
        "options": dict(options),
        "band": msgspec.to_builtins(band),
    }


# -- the day in camp ---------------------------------------------------------------------------------------------------


@steps.step
def prepare(camp: Camp) -> Step:
    """Before the next scenario is rolled (SBH-CAMP-02) a side may, in any order and as often as it can pay:

    - buy reinforcements for the points of its dead,                SBH-CAMP-06
    - spend the experience of its fighters,                         SBH-CAMP-08
    - buy band upgrades for victory points,                         SBH-CAMP-10
    - recruit fighters for victory points,                          SBH-CAMP-11
    - give a magic item to whom it likes.                           SBH-SCEN-ITEM-08
    """
    band = camp.band
    topics = [key for key in _topics(camp) if why_not_turn_to(camp, key) is None]
    done = [Option(READY, "ready", {"points": band.reinforcements})] if why_not_turn_to(camp, READY) is None else []
    facts = [
        {
            "topic": key.partition(":")[0],
            "points": band.reinforcements,
            "victory": band.purse,
            "item": _item(camp, key).kind,
            "name": _bearer(camp, key),
        }
        for key in topics
    ]
    about = {"battle": camp.number, "points": band.reinforcements, "victory": band.purse}
    chosen = yield from pick_one(
        camp.side,
        [
            *(Option(key, "topic", fact) for key, fact in zip(topics, facts, strict=True)),
            *done,
        ],
        "prepare",
        "SBH-CAMP-02",
        about,
        secret=True,
        default=advice(camp),
        why_not=lambda key: why_not_turn_to(camp, key),
    )
    if chosen == READY:
        if band.reinforcements:
            camp.tell(ReinforcementsLost("SBH-CAMP-06", camp.side, band.reinforcements))
            band.reinforcements = 0
        camp.over = True
        return
    topic, _, number = chosen.partition(":")
    turned_to = {"reinforce": reinforce, "train": train, "upgrade": upgrade, "recruit": recruit}
    camp.then_all(due(give, int(number)) if number else due(turned_to[topic]), due(prepare))


def _topics(camp: Camp) -> list[str]:
    return ["reinforce", "train", "upgrade", "recruit", *(f"give:{n}" for n in range(len(camp.band.items)))]


def _item(camp: Camp, key: str) -> Item:
    """The item a topic is about; a blank one if it is about none."""
    number = key.partition(":")[2]
    return camp.band.items[int(number)] if number else Item("")


def _bearer(camp: Camp, key: str) -> dict[str, str]:
    bearer = camp.band.bearer_of(_item(camp, key))
    return bearer.fighter.name if bearer is not None else {}


def why_not_turn_to(camp: Camp, key: str) -> Refusal | None:
    """Why there is nothing to do about something."""
    topic, _, number = key.partition(":")
    band = camp.band
    match topic:
        case "ready" if not band.fielded() and (wares(camp, "reinforcements") or wares(camp, "victory")):
            # A band is at least one fighter, as long as it can have one.
            return Refusal("SBH-CAMP-06", "nobody_fights", {})
        case "reinforce" if not wares(camp, "reinforcements"):
            return Refusal("SBH-CAMP-06", "nobody_to_buy", {"coin": "reinforcements", "left": band.reinforcements})
        case "recruit" if not wares(camp, "victory"):
            return Refusal("SBH-CAMP-11", "nobody_to_buy", {"coin": "victory", "left": band.purse})
        case "train" if not lessons(camp):
            return Refusal("SBH-CAMP-08", "nothing_to_learn", {})
        case "upgrade" if all(why_not_upgrade(camp, upgrade) for upgrade in UPGRADES):
            return Refusal("SBH-CAMP-10", "no_upgrade", {"cost": UPGRADE, "left": band.purse})
        case "give":
            items = band.items
            if not number.isdecimal() or int(number) >= len(items):
                return Refusal("SBH-SCEN-ITEM-08", "no_such_item", {"items": len(items)})
            if all(why_not_bear(camp, items[int(number)], member) for member in band.members):
                return Refusal("SBH-SCEN-ITEM-08", "nobody_to_bear", {"item": items[int(number)].kind})
    return None


def advice(camp: Camp) -> str:
    """What a side without an opinion turns to: fill the ranks, learn, arm, and be ready.

    Victory points are saved up for upgrades, and what is left goes into recruits for the last battle; they are kept
    where those not spent decide the campaign.
    """
    band = camp.band
    if wares(camp, "reinforcements"):
        return "reinforce"
    if any(gain in ("quality", "combat") for _, gain in lessons(camp)):
        return "train"
    if camp.options["sbh.campaignScore"] == "earned" or why_not_turn_to(camp, READY) is not None:
        if why_not_turn_to(camp, "upgrade") is None:
            return "upgrade"
        if wares(camp, "victory") and (camp.final or not band.fielded()):
            return "recruit"
    for number, item in enumerate(band.items):
        if band.bearer_of(item) is None and why_not_turn_to(camp, f"give:{number}") is None:
            return f"give:{number}"
    return READY


# -- new fighters ------------------------------------------------------------------------------------------------------


@steps.step
def reinforce(camp: Camp) -> Step:
    """Fighters for the points of the dead (SBH-CAMP-06)."""
    card = yield from choose_fighter(camp, "reinforcements", "SBH-CAMP-06")
    if card is not None:
        for _ in range(bases(camp.band, card)):
            camp.band.reinforcements -= card.points
            joined(camp, card, "reinforcements", "SBH-CAMP-06", card.points, camp.band.reinforcements)


@steps.step
def recruit(camp: Camp) -> Step:
    """Fighters for victory points, one for two points of fighter (SBH-CAMP-11)."""
    card = yield from choose_fighter(camp, "victory", "SBH-CAMP-11")
    if card is not None:
        for _ in range(bases(camp.band, card)):
            cost = victory_price(card.points)
            camp.band.spent += cost
            joined(camp, card, "victory", "SBH-CAMP-11", cost, camp.band.purse)


def joined(camp: Camp, card: Card, coin: str, rule: str, cost: int, left: int) -> None:
    member = camp.band.enlist(card, camp.side)
    camp.tell(FighterJoined(rule, camp.side, member.id, card.id, coin, cost, left))


def choose_fighter(camp: Camp, coin: str, rule: str) -> Asking[Card | None]:
    """First of which race, then whom; nobody in the end, if the player thinks better of it."""
    open_to = wares(camp, coin)
    best = favourite(camp, open_to.values())
    by_race: dict[str, list[Card]] = {}
    for card in open_to.values():
        by_race.setdefault(card.race or OWN, []).append(card)
    left = camp.band.reinforcements if coin == "reinforcements" else camp.band.purse
    about = {"coin": coin, "left": left}
    race = yield from pick_one(
        camp.side,
        [*(Option(race, "race", {"race": race, "cards": len(found)}) for race, found in by_race.items()), back()],
        "choose_race",
        rule,
        about,
        secret=True,
        default=best.race or OWN,
        why_not=lambda key: why_not_race(camp, coin, key),
    )
    if race == BACK:
        return None

    there = {card.id: card for card in by_race[race]}
    options = [
        Option(
            card.id,
            "fighter_on_offer",
            {
                "card": card.name,
                "cost": price_of(camp, card, coin),
                "coin": coin,
                "quality": card.quality,
                "combat": card.combat,
                "rules": titles(card.rules),
                "bases": bases(camp.band, card),
            },
        )
        for card in there.values()
    ]
    chosen = yield from pick_one(
        camp.side,
        [*options, back()],
        "choose_fighter",
        rule,
        about | {"race": race},
        secret=True,
        default=(best if best.id in there else favourite(camp, there.values())).id,
        why_not=lambda key: why_not_named(camp, coin, key),
    )
    return there.get(chosen)


def back() -> Option:
    return Option(BACK, "back")


def wares(camp: Camp, coin: str) -> dict[str, Card]:
    """Whom the band can buy now, in the order of the book."""
    found = on_offer(camp.band, camp.options)
    return {id: card for id, card in found.items() if why_not_buy(camp, card, coin) is None}


def price_of(camp: Camp, card: Card, coin: str) -> int:
    """What it takes to have the fighter, both bases of a new swarm together."""
    each = card.points if coin == "reinforcements" else victory_price(card.points)
    return each * bases(camp.band, card)


def why_not_named(camp: Camp, coin: str, key: str) -> Refusal | None:
    card = on_offer(camp.band, camp.options).get(key)
    return why_not_buy(camp, card, coin) if card is not None else None


def why_not_race(camp: Camp, coin: str, key: str) -> Refusal | None:
    if key not in races():
        return None
    left = camp.band.reinforcements if coin == "reinforcements" else camp.band.purse
    rule = "SBH-CAMP-06" if coin == "reinforcements" else "SBH-CAMP-11"
    return Refusal(rule, "nobody_of_race", {"race": key, "coin": coin, "left": left})


def why_not_buy(camp: Camp, card: Card, coin: str) -> Refusal | None:
    """The reason this fighter cannot be bought, if any."""
    band = camp.band
    rule, left = ("SBH-CAMP-06", band.reinforcements) if coin == "reinforcements" else ("SBH-CAMP-11", band.purse)
    cost, number = price_of(camp, card, coin), bases(band, card)
    if cost > left:
        return Refusal(rule, "too_dear", {"cost": cost, "left": left, "coin": coin, "card": card.name})
    if card.noncombatant:
        return Refusal("SBH-BAND-07", "noncombatant", {"card": card.name, "points": card.points})
    if coin == "reinforcements" and card.personality and not band.hires:
        return Refusal("SBH-CAMP-12" if camp.drawn else "SBH-CAMP-06", "no_personalities", {"card": card.name})
    if camp.options["sbh.racialBands"] == "singleRace" and any(m.fighter.race != card.race for m in band.members):
        return Refusal("SBH-BAND-03", "other_race", {"card": card.name})
    # The limits hold for the band that results, one third being taken of its total value (SBH-CAMP-06). Losses may
    # leave a band beyond them; it may then buy others until it is within them again.
    if card.personality:
        third = (band.value + number * card.points) // 3
        worth = total(m for m in band.members if m.fighter.personality) + number * card.points
        if worth > third:
            return Refusal("SBH-BAND-04", "too_many_personalities", {"card": card.name, "worth": worth, "third": third})
    if card.animal:
        animals = sum(m.fighter.animal for m in band.members) + number
        fighters = len(band.members) + number
        if 2 * animals > fighters:
            facts = {"card": card.name, "animals": animals, "fighters": fighters}
            return Refusal("SBH-BAND-06", "too_many_animals", facts)
    return None


def favourite(camp: Camp, offered: Iterable[Card]) -> Card:
    """Whom a band without an opinion takes: one like those it had, then its own race, then the dearest."""
    had = {member.fighter.card for member in (*camp.band.members, *camp.band.dead)}
    race = camp.band.main_race()
    return max(offered, key=lambda card: (card.id in had, card.race == race, card.points))


# -- experience --------------------------------------------------------------------------------------------------------


@steps.step
def train(camp: Camp) -> Step:
    """A fighter spends experience (SBH-CAMP-08)."""
    options = [
        Option(
            f"{member.id}:{gain}",
            "lesson",
            {
                "name": member.fighter.name,
                "gain": gain,
                "cost": PRICES[gain],
                "left": member.experience,
                "quality": member.fighter.quality,
                "combat": member.fighter.combat,
            },
        )
        for member, gain in lessons(camp)
    ]
    worth = {"combat": 2, "quality": 1}
    best = max(lessons(camp), key=lambda lesson: (worth.get(lesson[1], 0), lesson[0].value))
    chosen = yield from pick_one(
        camp.side,
        [*options, back()],
        "choose_lesson",
        "SBH-CAMP-08",
        {},
        secret=True,
        default=f"{best[0].id}:{best[1]}",
        why_not=lambda key: why_not_lesson(camp, key),
    )
    if chosen == BACK:
        return
    id, _, gain = chosen.partition(":")
    member = camp.band.member(id)
    before = member.value
    member.train(gain, camp.options)
    value = 0 if member.value == before else member.value
    camp.tell(FighterTrained("SBH-CAMP-08", camp.side, id, gain, PRICES[gain], member.experience, value))


def lessons(camp: Camp) -> list[tuple[Member, str]]:
    """What can be learned now, and by whom."""
    return [(m, gain) for m in camp.band.members for gain in PRICES if why_not_learn(m, gain) is None]


def why_not_lesson(camp: Camp, key: str) -> Refusal | None:
    id, _, gain = key.partition(":")
    for member in camp.band.members:
        if member.id == id and gain in PRICES:
            return why_not_learn(member, gain)
    return None


def why_not_learn(member: Member, gain: str) -> Refusal | None:
    """The reason a fighter cannot learn something, if any."""
    him = member.fighter
    if him.animal:
        return Refusal("SBH-SR-ANIMAL-01", "animal_learns_nothing", {"name": him.name})
    if gain == "quality" and him.quality <= BEST_QUALITY:
        return Refusal("SBH-CAMP-08", "best_quality", {"name": him.name, "quality": him.quality})
    if gain in RANGES:
        held = [RANGES.index(rule) for rule in him.rules if rule in RANGES]
        if held and max(held) >= RANGES.index(gain):
            return Refusal("SBH-CAMP-08", "no_better_range", {"name": him.name, "gain": RANGES[max(held)]})
    if member.experience < PRICES[gain]:
        facts = {"name": him.name, "cost": PRICES[gain], "left": member.experience}
        return Refusal("SBH-CAMP-08", "too_little_experience", facts)
    return None


# -- band upgrades -----------------------------------------------------------------------------------------------------


@steps.step
def upgrade(camp: Camp) -> Step:
    """A band upgrade for 10 victory points, each once (SBH-CAMP-10)."""
    open_to = [name for name in UPGRADES if why_not_upgrade(camp, name) is None]
    chosen = yield from pick_one(
        camp.side,
        [*(Option(name, "upgrade", {"upgrade": name}) for name in open_to), back()],
        "choose_upgrade",
        "SBH-CAMP-10",
        {"left": camp.band.purse, "cost": UPGRADE},
        secret=True,
        default=min(open_to, key=USEFUL.index),
        why_not=lambda key: why_not_upgrade(camp, key),
    )
    if chosen == BACK:
        return
    camp.band.upgrades.append(chosen)
    camp.band.spent += UPGRADE
    camp.tell(UpgradeBought("SBH-CAMP-10", camp.side, chosen, UPGRADE, camp.band.purse))


def why_not_upgrade(camp: Camp, name: str) -> Refusal | None:
    """The reason an upgrade cannot be bought, if any."""
    if name not in UPGRADES:
        return None
    if name in camp.band.upgrades:
        return Refusal("SBH-CAMP-10", "upgrade_held", {"upgrade": name})
    if camp.band.purse < UPGRADE:
        return Refusal("SBH-CAMP-10", "no_upgrade", {"cost": UPGRADE, "left": camp.band.purse})
    return None


# -- magic items -------------------------------------------------------------------------------------------------------


@steps.step
def give(camp: Camp, number: int) -> Step:
    """Before each game an item may go to another fighter who can use it (SBH-SCEN-ITEM-08)."""
    item = camp.band.items[number]
    able = [member for member in camp.band.members if why_not_bear(camp, item, member) is None]
    facts = [{"name": m.fighter.name, "quality": m.fighter.quality, "combat": m.fighter.combat} for m in able]
    # A scroll casts by its own Quality: it takes none of the best fighters away.
    best = (min if item.kind == "scroll" else max)(able, key=lambda m: (m.fighter.combat, m.value))
    chosen = yield from pick_one(
        camp.side,
        [*(Option(m.id, "bearer", fact) for m, fact in zip(able, facts, strict=True)), Option(NOBODY, "no_bearer")],
        "choose_bearer",
        "SBH-SCEN-ITEM-08",
        {"item": item.kind},
        secret=True,
        default=best.id,
        why_not=lambda key: why_not_named_bearer(camp, item, key),
    )
    item.bearer = "" if chosen == NOBODY else chosen
    camp.tell(ItemGiven("SBH-SCEN-ITEM-08", camp.side, item.kind, item.bearer))


def why_not_named_bearer(camp: Camp, item: Item, key: str) -> Refusal | None:
    member = next((member for member in camp.band.members if member.id == key), None)
    return why_not_bear(camp, item, member) if member is not None else None


def why_not_bear(camp: Camp, item: Item, member: Member) -> Refusal | None:
    """The reason a fighter cannot bear an item in the next battle, if any."""
    name = member.fighter.name
    if member.fighter.animal:
        return Refusal("SBH-SR-ANIMAL-03", "animal_uses_nothing", {"name": name})
    if member.absent:
        return Refusal("SBH-CAMP-04", "misses_game", {"name": name})
    other = next((held for held in camp.band.items if held.bearer == member.id and held is not item), None)
    if other is not None:
        return Refusal("SBH-SCEN-ITEM-08", "bears_another", {"name": name, "item": other.kind})
    return None
