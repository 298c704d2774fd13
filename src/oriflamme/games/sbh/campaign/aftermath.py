"""What a battle does to both bands before anybody chooses anything: survival, experience, victory points, the item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from oriflamme.engine.core.dice import Dice, Needed
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.games.sbh.campaign.events import (
    BattleFought,
    ExperienceGained,
    FighterCameBack,
    FighterDied,
    FighterRecovered,
    FighterReturned,
    ItemKept,
    ItemLost,
    ItemSpent,
    ReinforcementsGranted,
    SurvivalRolled,
    VictoryBanked,
)
from oriflamme.games.sbh.campaign.warband import Item, Member, Warband, total
from oriflamme.games.sbh.state import Battle

SCENARIOS: Final = ("battle", "ambush", "treasure", "power", "hard", "item")  # by the face of a die (SBH-SCEN-01)
ELIMINATED: Final = ("killed", "trapped")
FATES: Final = ("stands", "left", "routed", *ELIMINATED)
OUTCOMES: Final = ("dead", "absent", "hurt", "unharmed")  # by successes (SBH-CAMP-04)
DICE: Final = 3


class Held(msgspec.Struct, frozen=True):
    """A magic item when the battle ended, and who held it; side -1 if it lay about."""

    side: int
    item: dict[str, Any]
    fighter: str = ""

    def kept(self) -> Item:
        return Item(self.item["kind"], self.item.get("left", 0), self.item.get("quality", 0), self.fighter)


class Result(msgspec.Struct, frozen=True):
    """What a campaign takes from a battle: the winner, the victory points made, and how each fighter ended.

    `item` is the magic item this battle was fought for, if somebody held it; `items` are those that fighters had
    brought along, as far as they are not drained.
    """

    winner: int | None
    scenario: str
    victory_points: tuple[int, int]
    fates: tuple[dict[str, str], dict[str, str]]
    item: Held | None = None
    items: tuple[Held, ...] = ()

    def wrong(self, bands: Sequence[Warband], scenario: str) -> Notice | None:
        """What does not fit the battle that was to be fought; None if all does."""
        if self.scenario != scenario:
            return notice("other_scenario", scenario=self.scenario, rolled=scenario)
        if self.winner not in (None, 0, 1) or min(self.victory_points) < 0:
            return notice("no_such_score")
        for side, band in enumerate(bands):
            if set(self.fates[side]) != {member.id for member in band.fielded()}:
                return notice("fates_of_others", fates_of="ab"[side])
            if not set(self.fates[side].values()) <= set(FATES):
                return notice("no_such_fate", fates_of="ab"[side])
        return None


def result_of(game: Rulebook, battle: Battle) -> Result:
    """What a battle that is over has come to."""
    data = {"items": items_left(battle), **game.aftermath(battle)}
    return msgspec.json.decode(msgspec.json.encode(data), type=Result)


def after_battle(
    bands: Sequence[Warband], battle: int, result: Result, dice: Dice, options: Mapping[str, str], *, last: bool
) -> Iterator[Event]:
    """After a battle (SBH-CAMP-03 to -09, -12), both sides:

    1. Whoever left the table or routed survives.                                           SBH-CAMP-03
    2. Whoever was eliminated rolls on the survival table, or is dead if his side lost.     SBH-CAMP-04, -05, -12
    3. The points of the dead come back, to be spent before the next battle.                SBH-CAMP-06
    4. After a victory each surviving fighter who is no animal gains experience.            SBH-CAMP-07
    5. Victory points are received.                                                         SBH-CAMP-09
    6. The winner keeps the magic item.                                                     SBH-SCEN-ITEM-08
    """
    rule = "SBH-CAMP-12" if result.winner is None else "SBH-END-03"
    winner = -1 if result.winner is None else result.winner
    yield BattleFought(rule, battle, result.scenario, winner, result.victory_points)
    for side, band in enumerate(bands):
        fought = band.fielded()
        yield from heal(fought, side)
        yield from come_back(band, side)
        dead: list[Member] = []
        for member in fought:
            yield from fate_of(member, side, result, dice, dead)
        band.members = [member for member in band.members if member not in dead]
        band.dead += dead

        band.reinforcements = 0 if last else total(dead)
        band.hires = result.winner == side
        if band.reinforcements:
            rule = "SBH-CAMP-12" if result.winner is None else "SBH-CAMP-06"
            yield ReinforcementsGranted(rule, side, band.reinforcements, band.hires)
        if result.winner == side:
            learned = [member for member in fought if member not in dead and not member.fighter.animal]
            for member in learned:
                member.experience += 1
            if learned:
                yield ExperienceGained("SBH-CAMP-07", side, tuple(member.id for member in learned))
    yield from bank(bands, result, options)
    yield from keep_items(bands, result)


def heal(fought: Iterable[Member], side: int) -> Iterator[Event]:
    """A wound lasts for one game (SBH-CAMP-04)."""
    for member in fought:
        if member.fighter.hurt:
            _hurt(member, 0)
            yield FighterRecovered("SBH-CAMP-04", side, member.id)


def come_back(band: Warband, side: int) -> Iterator[Event]:
    """Whoever missed this game returns for the next one, wounded (SBH-CAMP-04)."""
    for member in band.members:
        if member.absent:
            member.absent = False
            _hurt(member, 1)
            yield FighterReturned("SBH-CAMP-04", side, member.id)


def fate_of(member: Member, side: int, result: Result, dice: Dice, dead: list[Member]) -> Iterator[Event]:
    """How a fighter who was in the battle comes out of it."""
    fate = result.fates[side][member.id]
    if fate in ("left", "routed"):
        yield FighterCameBack("SBH-CAMP-03", side, member.id, fate)
    if fate not in ELIMINATED:
        return
    if result.winner == 1 - side:
        dead.append(member)
        yield FighterDied("SBH-CAMP-05", side, member.id)
        return
    rolled = survival(member, side, dice, "SBH-CAMP-12" if result.winner is None else "SBH-CAMP-04")
    if rolled.outcome == "dead":
        dead.append(member)
    member.absent = rolled.outcome == "absent"
    _hurt(member, 1 if rolled.outcome == "hurt" else 0)
    yield rolled


def survival(member: Member, side: int, dice: Dice, rule: str) -> SurvivalRolled:
    """Three dice against his Quality, experience included and nothing else; a Hero has one success for sure."""
    sure = 1 if "hero" in member.fighter.rules else 0
    rolled = dice.reach(DICE - sure, Needed(member.fighter.quality, "Quality", "SBH-PROFILE-01"))
    successes = rolled.successes + sure
    faces = (*(6,) * sure, *dice.last)
    return SurvivalRolled(rule, side, member.id, faces, member.fighter.quality, successes, OUTCOMES[successes])


def bank(bands: Sequence[Warband], result: Result, options: Mapping[str, str]) -> Iterator[Event]:
    """Victory points go to the winner, or to both if that was agreed; nobody has any from a draw."""
    for side, band in enumerate(bands):
        points = result.victory_points[side]
        both = options["sbh.bankVictoryPoints"] == "bothSides" and result.winner is not None
        if points and (result.winner == side or both):
            band.earned += points
            yield VictoryBanked("SBH-CAMP-09", side, points, band.earned)


def keep_items(bands: Sequence[Warband], result: Result) -> Iterator[Event]:
    """Who has which magic item now (SBH-SCEN-ITEM-08).

    The winner keeps what he was fighting for, if he holds it. An item that was brought along stays with the band whose
    fighter holds it, but a loser keeps nothing that was not his. The book is silent on what lies about in the end: the
    winner holds the field and has it.
    """
    rule = "SBH-SCEN-ITEM-08"
    there = list(result.items)
    kept: tuple[list[Item], list[Item]] = ([], [])
    for side, band in enumerate(bands):
        for item in band.items:
            if item.bearer not in result.fates[side]:
                kept[side].append(item)
                continue
            held = _found(item, side, there)
            if held is None:
                yield ItemSpent(rule, side, item.kind)
                continue
            there.remove(held)
            has_it = result.winner if held.side < 0 else held.side
            if has_it is None or has_it not in (side, result.winner):
                yield ItemLost(rule, side, item.kind)
                continue
            kept[has_it].append(held.kept())
            if has_it != side:
                yield ItemLost(rule, side, item.kind)
                yield ItemKept(rule, has_it, item.kind)
    won = result.item
    if won is not None and won.side == result.winner:
        kept[won.side].append(won.kept())
        yield ItemKept(rule, won.side, won.kept().kind)
    elif won is not None:
        yield ItemLost(rule, won.side, won.kept().kind)
    for side, band in enumerate(bands):
        band.items = kept[side]
        for item in band.items:
            if all(member.id != item.bearer for member in band.members):
                item.bearer = ""


def _found(item: Item, side: int, there: Sequence[Held]) -> Held | None:
    """What has become of an item: look at its bearer first, then at his side, then on the ground, then at the enemy."""
    alike = [held for held in there if (held.kept().kind, held.kept().quality) == (item.kind, item.quality)]
    order = (side, -1, 1 - side)
    return min(alike, key=lambda held: (held.fighter != item.bearer, order.index(held.side)), default=None)


def items_left(battle: Battle) -> list[dict[str, Any]]:
    """The magic items that were brought into a battle and are not drained: who holds them, or that they lie about."""
    held: list[tuple[int, str, Any]] = [(f.side, f.card["id"], f.item) for f in battle.units.values() if f.item]
    held += [(-1, "", marker.item) for marker in battle.markers if marker.item]
    return [
        {"side": side, "fighter": fighter, "item": {"kind": item.kind, "left": item.left, "quality": item.quality}}
        for side, fighter, item in held
        if not item.drained and not item.prize
    ]


def _hurt(member: Member, hurt: int) -> None:
    member.fighter = msgspec.structs.replace(member.fighter, hurt=hurt)
