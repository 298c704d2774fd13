"""Tactics: what they cost, when they may be adopted, how long they last (RN3-TACP, RN3-TACG, RN3-TAC)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple, TypeVar

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.rn3.events.morale import TacticBought, TacticEnded, TacticWasted
from oriflamme.games.rn3.events.mystics import EffectEnded
from oriflamme.games.rn3.moments import Keyword, SkillSet, book
from oriflamme.games.rn3.state import Asking, Battle, Effect, Step, Unit, step

T = TypeVar("T", bound="Tactic")

MOST: Final = 2  # tactics of a unit at a time (RN3-TACG-01)
WINNER: Final = 2  # tactic points of who won the authority roll, and of the other (RN3-TACP-01)
LOSER: Final = 1


class Tactic(Keyword):
    """A tactic that a unit has adopted; `x` is how often (RN3-TACG-04). `lays` is what lasts on the unit with it."""

    __slots__ = ()

    skill = False
    lays: ClassVar[tuple[Effect, ...]] = ()

    @property
    def times(self) -> int:
        """How often the unit has it."""
        return self.x or 1


class Kind(NamedTuple):
    """A tactic of the book: its price in tactic points, how often one unit may have it, and when."""

    id: str
    keyword: type[Tactic]
    cost: int
    cumul: int
    why_not: Callable[[Battle, Unit], Refusal | None]


# The tactics that are bought when a unit is activated, in the order of the book. Annulation is bought instead of an
# activation (RN3-TAC-04).
TACTICS: Final[dict[str, Kind]] = {}


def always(battle: Battle, unit: Unit) -> Refusal | None:
    return None


def tactic(
    id: str, cost: int, cumul: int, why_not: Callable[[Battle, Unit], Refusal | None] = always
) -> Callable[[type[T]], type[T]]:
    """Declare a tactic that is bought: what it does is a special rule like any other (`skills.tactics`)."""

    def declare(cls: type[T]) -> type[T]:
        TACTICS[id] = Kind(id, cls, cost, cumul, why_not)
        return cls

    return declare


CANCEL: Final = 2  # what Annulation costs (RN3-TAC-04)


def tactics_at_work(unit: Unit) -> SkillSet:
    """The tactics of a unit as special rules, each with how often it has it as its number (RN3-TACG-04)."""
    return _set_of(unit.tactics) if unit.tactics else book.empty


@lru_cache(maxsize=256)
def _set_of(tactics: tuple[str, ...]) -> SkillSet:
    return book.set_of(TACTICS[id].keyword(tactics.count(id)) for id in dict.fromkeys(tactics) if id in TACTICS)


def counter_charges(battle: Battle, unit: Unit) -> bool:
    """It is counter-charging in the activation under way: its tactics have no effect (RN3-CCH-07, RN3-REA-03)."""
    acting = battle.activation
    return acting is not None and acting.reaction == "counter_charge" and unit.id in acting.targets


def effects_without_tactics(unit: Unit) -> tuple[Effect, ...]:
    """What lasts on a unit but was not laid by a tactic of the book, where these sleep (RN3-CCH-07, RN3-REA-03)."""
    laid = [effect for id in unit.tactics if id in TACTICS for effect in TACTICS[id].keyword.lays]
    return tuple(effect for effect in unit.effects if effect not in laid)


def copies(unit: Unit, tactic: str) -> int:
    return unit.tactics.count(tactic)


def why_no_tactics(unit: Unit) -> Refusal | None:
    """Why a unit can have no tactics at all: it is routed or summoned (RN3-MOR-13, RN3-TACG-06)."""
    if unit.routed:
        return Refusal("RN3-MOR-13", "is_routed", {"unit": unit.id})
    if unit.summoner:
        return Refusal("RN3-TACG-06", "summoned_has_none", {"unit": unit.id})
    return None


def why_not_tactic(battle: Battle, unit: Unit, id: str) -> Refusal | None:
    """Why a unit may not adopt a tactic now, if so."""
    kind = TACTICS[id]
    refusal = why_no_tactics(unit)
    if refusal is not None:
        return refusal
    adopted = [t for t in unit.tactics if t in TACTICS]
    if len(adopted) >= MOST:
        return Refusal("RN3-TACG-01", "two_tactics", {"unit": unit.id, "most": MOST})
    if adopted.count(id) >= kind.cumul:
        return Refusal("RN3-TACG-04", "has_tactic", {"unit": unit.id, "tactic": id, "most": kind.cumul})
    points = battle.tactic_points[unit.side]
    if points < kind.cost:
        return Refusal("RN3-TACG-02", "too_few_tactic_points", {"tactic": id, "cost": kind.cost, "points": points})
    return kind.why_not(battle, unit)


def pay(battle: Battle, side: int, cost: int) -> int:
    """Tactic points are spent; how many are left."""
    points = list(battle.tactic_points)
    points[side] -= cost
    battle.tactic_points = (points[0], points[1])
    return points[side]


@step
def buy_tactics(battle: Battle, unit_id: str) -> Step:
    """Tactics are bought at the start of the activation, before any action (RN3-TACP-04, RN3-TACG-02)."""
    yield from buy(battle, battle.units[unit_id])


def buy(battle: Battle, unit: Unit) -> Asking[None]:
    """One tactic after another, as long as the player likes and may; those of the army list cost nothing
    (RN3-TACG-05)."""

    def why_not(key: str) -> Refusal | None:
        return why_not_tactic(battle, unit, key) if key in TACTICS else None

    while unit.on_table and (offers := _offers(battle, unit)):
        options = [Option("none", "no_tactic"), *offers]
        about = {"unit": unit.id, "points": battle.tactic_points[unit.side]}
        key = yield from pick_one(
            unit.side, options, "buy_tactic", "RN3-TACP-04", about, default="none", why_not=why_not, passing="none"
        )
        if key == "none":
            return
        adopt(battle, unit, key)


def _offers(battle: Battle, unit: Unit) -> list[Option]:
    options = [
        Option(kind.id, "tactic", {"tactic": kind.id, "cost": kind.cost})
        for kind in TACTICS.values()
        if why_not_tactic(battle, unit, kind.id) is None
    ]
    if why_no_tactics(unit) is None:
        for tactic in unit.card.get("tactics", ()):
            key = f"free:{tactic['id']}"
            if key not in unit.tactics:
                options.append(Option(key, "free_tactic", {"tactic": tactic["id"]}))
    return options


def adopt(battle: Battle, unit: Unit, key: str) -> None:
    """A tactic is given to a unit until its next activation (RN3-TACG-03)."""
    unit.tactics += (key,)
    if key in TACTICS:
        kind = TACTICS[key]
        left = pay(battle, unit.side, kind.cost)
        battle.tell(TacticBought(kind.keyword.rule, unit.side, unit.id, key, kind.cost, left))
        unit.effects += kind.keyword.lays
        return
    rule = "RN3-TACG-05"
    id = key.partition(":")[2]
    for tactic in unit.card["tactics"]:
        if tactic["id"] == id:
            skill = book.parse(tactic["skill"]) if tactic.get("skill") else None
            stat, amount = tactic.get("stat", ""), tactic.get("amount", 0)
            unit.effects += (Effect(id, rule, "activation", stat=stat, amount=amount, skill=skill),)
    battle.tell(TacticBought(rule, unit.side, unit.id, id, 0, battle.tactic_points[unit.side]))


def end_tactics(battle: Battle, unit: Unit) -> None:
    """The unit is activated again: the tactics of its previous activation end, and whatever powers laid on it for as
    long (RN3-ORD-08, 2, RN3-TACG-03, RN3-MYS-09)."""
    for tactic in dict.fromkeys(unit.tactics):
        battle.tell(TacticEnded("RN3-TACG-03", unit.id, tactic.removeprefix("free:")))
    _clear(unit)
    ending = [effect.source for effect in unit.effects if effect.until == "activation"]
    unit.effects = tuple(effect for effect in unit.effects if effect.until != "activation")
    for source in dict.fromkeys(ending):
        battle.tell(EffectEnded("RN3-MYS-09", unit.id, source))


def drop_tactics(battle: Battle, unit: Unit, rule: str) -> None:
    """The tactics of a unit are removed at once, without a refund; what powers have laid on it stays (RN3-MOR-13,
    RN3-TACG-08)."""
    for tactic in dict.fromkeys(unit.tactics):
        battle.tell(TacticWasted(rule, unit.id, tactic.removeprefix("free:")))
    _clear(unit)


def _clear(unit: Unit) -> None:
    """Its tactics and what they laid on it."""
    sources = {tactic.removeprefix("free:") for tactic in unit.tactics}
    unit.tactics = ()
    unit.standby = False
    unit.effects = tuple(e for e in unit.effects if e.until != "activation" or e.source not in sources)
