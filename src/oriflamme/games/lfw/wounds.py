"""Wounds: protections, life points, the crippled state, destruction (LFW-WND)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from oriflamme.engine.core.keywords import at
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.dicing import roll_faces, thrower
from oriflamme.games.lfw.events.attacks import (
    Crippled,
    Destroyed,
    LifeRecovered,
    NoLongerCrippled,
    ProtectionRolled,
    WoundsSuffered,
)
from oriflamme.games.lfw.events.melee import DuelEnded
from oriflamme.games.lfw.ground import in_contact
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.noting import NotedWounds, is_noted
from oriflamme.games.lfw.rolls import Outcome, Rerolls, roll_test, successes_in
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.state import Asking, Battle, Kill, Model, Part

EFFECTS: Final = {1: "slow", 2: "slow", 3: "unsteady", 4: "unsteady", 5: "both", 6: "both"}  # T-2


class Wounding:
    """Wounds that a part is about to suffer, and what may cancel them. `before_wounds` fills it."""

    __slots__ = ("battle", "by", "flaming", "ignored", "magic_protection", "number", "part", "protection", "rerolls")

    def __init__(self, battle: Battle, part: Part, number: int, by: str, *, flaming: bool = False) -> None:
        self.battle = battle
        self.part = part
        self.number = number
        self.by = by
        self.flaming = flaming
        # The result that cancels a wound; None without such a protection. The best counts (LFW-SR-BLD-09).
        self.protection: int | None = None
        self.magic_protection: int | None = None
        self.rerolls = Rerolls()
        # It suffers no wound at all.
        self.ignored = False

    def protect(self, needed: int) -> None:
        self.protection = needed if self.protection is None else min(self.protection, needed)

    def protect_by_magic(self, needed: int) -> None:
        self.magic_protection = needed if self.magic_protection is None else min(self.magic_protection, needed)


def suffer(
    battle: Battle,
    part: Part,
    number: int,
    how: str,
    by: str = "",
    *,
    piercing: bool = False,
    flaming: bool = False,
    protected: Rerolls | None = None,
    together: bool = False,
) -> Asking[int]:
    """Wounds are checked one by one against protections, and those that are left cost a life point each (LFW-WND-01,
    -02). Gives how many were not cancelled, those beyond the last life point included (LFW-WND-04, -15).

    `piercing` wounds cannot be cancelled; `protected` are re-rolls that the attack forces on protections. Of wounds
    that come `together` with others nobody is crippled before all of them are counted (LFW-MEL-19): `become_crippled`.
    """
    if number <= 0 or is_noted(NotedWounds(part, number, piercing, flaming, protected)):
        return 0
    wounding = Wounding(battle, part, number, by, flaming=flaming)
    if protected is not None:
        wounding.rerolls.impertinent |= protected.impertinent
        wounding.rerolls.impetuous |= protected.impetuous
    at(Keyword.before_wounds, sets_of(battle, part), wounding)
    if wounding.ignored:
        return 0
    left = number
    if not piercing:
        left -= yield from _protections(wounding, left, "protection", wounding.protection, "LFW-SR-BLD-08")
        magic = wounding.magic_protection
        left -= yield from _protections(wounding, left, "magic_protection", magic, "LFW-SR-BLD-09")
    if left <= 0:
        return 0
    counted = min(left, part.pv) if battle.option("lfw.overkill") == "capped" else left
    if flaming:
        part.used |= {"burnt"}
    take_life(battle, part, left, how, by)
    if not together:
        yield from become_crippled(battle, part)
    return counted


def _protections(wounding: Wounding, number: int, kind: str, needed: int | None, rule: str) -> Asking[int]:
    """One roll for each wound; how many are cancelled (LFW-WND-02)."""
    if needed is None or number <= 0:
        return 0

    def judge(face: int) -> Outcome:
        return Outcome(face, face, face >= needed, False, face == needed)

    battle, part = wounding.battle, wounding.part
    rolled = yield from roll_test(thrower(battle), part.side, number, "protection", judge, wounding.rerolls, part.id)
    stopped = successes_in(rolled)
    battle.tell(ProtectionRolled(rule, part.id, kind, tuple(o.face for o in rolled), needed, stopped))
    return stopped


def take_life(battle: Battle, part: Part, number: int, how: str, by: str = "") -> None:
    """Life points are lost, down to 0 (LFW-DICE-14); at 0 the part is destroyed (LFW-WND-03)."""
    if part.destroyed:
        return
    part.pv = max(0, part.pv - number)
    battle.tell(WoundsSuffered("LFW-WND-01", part.id, number, part.pv, by))
    if part.pv == 0:
        mark_destroyed(battle, part, how, by)


def become_crippled(battle: Battle, part: Part) -> Asking[None]:
    """Who lives and has lost half of his life points or more becomes crippled at once (LFW-WND-06, -07, -12)."""
    if not part.destroyed and 2 * part.pv <= part.most and not part.crippled:
        (face,) = yield from roll_faces(battle, part.side, 1, "crippled")
        part.crippled = EFFECTS[face]
        battle.tell(Crippled("LFW-WND-07", part.id, face, part.crippled))


def recover(battle: Battle, part: Part, number: int, rule: str) -> int:
    """Lost life points come back, no more than were lost; above half it is no longer crippled (LFW-WND-09, -13). A
    destroyed unit is not healed (LFW-WND-14)."""
    if part.destroyed:
        return 0
    gained = min(number, part.most - part.pv)
    if gained <= 0:
        return 0
    part.pv += gained
    battle.tell(LifeRecovered(rule, part.id, gained, part.pv))
    check_crippled(battle, part)
    return gained


def check_crippled(battle: Battle, part: Part) -> None:
    """Who has more than half of his life points is not crippled (LFW-WND-09)."""
    if part.crippled and 2 * part.pv > part.most:
        part.crippled = ""
        battle.tell(NoLongerCrippled("LFW-WND-09", part.id))


def mark_destroyed(battle: Battle, part: Part, how: str, by: str = "", rule: str = "LFW-WND-03") -> None:
    """A part is destroyed and credited to whoever caused it, "" for nobody (LFW-WND-05); who has conceded is nobody's
    kill (LFW-END-04). Its model leaves the table with `cavalry.resolve_deaths`, so that wounds of one step are
    simultaneous (LFW-MEL-19)."""
    if part.destroyed:
        return
    part.destroyed = True
    part.pv = 0
    part.crippled = ""
    if part.side in battle.gone:
        by = ""
    kill = Kill(part.id, part.side, by, battle.round, how)
    battle.tell(Destroyed(rule, part.id, how, by))
    # Who has been destroyed before, and came back, does not count again (LFW-SPELL-O5).
    if all(other.victim != part.id for other in battle.kills):
        battle.kills.append(kill)
        scenario_of(battle).after_destroyed(battle, kill)


# What happens when a model leaves the table, whichever way: treasures are dropped, duels end. In order of declaration.
REMOVALS: Final[list[Callable[[Battle, Model], Asking[None]]]] = []


def when_removed(function: Callable[[Battle, Model], Asking[None]]) -> Callable[[Battle, Model], Asking[None]]:
    """Declare something that happens when a model leaves the table. It may ask players."""
    REMOVALS.append(function)
    return function


def take_off(battle: Battle, model: Model, place: str) -> Asking[None]:
    """A model leaves the table: it is "gone", or "saved" by an exit (LFW-OBJ-13)."""
    model.place = place
    model.fallen, model.figures = [*model.fallen, *model.figures], []
    model.declared = ()
    model.causes = ()
    for part in model.parts:
        end_duel(battle, part)
    for removal in REMOVALS:
        yield from removal(battle, model)


def end_duel(battle: Battle, part: Part) -> None:
    """A duel ends when one of the two is destroyed or flees (LFW-SR-BLD-02d)."""
    if part.duel:
        other = battle.part(part.duel)
        part.duel = other.duel = ""
        battle.tell(DuelEnded("LFW-SR-BLD-02d", part.id, other.id))


def end_parted_duels(battle: Battle, model: Model) -> None:
    """Who has been moved out of contact with whom it duels duels no more (LFW-SR-BLD-02d)."""
    for part in model.alive:
        if part.duel and not in_contact(battle, model, battle.model_of(battle.part(part.duel))):
            end_duel(battle, part)
