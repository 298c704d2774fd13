"""Clash and Inspire (TLAOK-CLASH, TLAOK-INSPIRE): who in a regiment strikes whom in combat, and with how many dice."""

from __future__ import annotations

from collections.abc import Iterator

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import put_in_order
from oriflamme.games.tlaok.combat.attacks import close_strike, dice_of, resolve, share_out, struck_by
from oriflamme.games.tlaok.combat.blows import Strike
from oriflamme.games.tlaok.events import RegimentInspired
from oriflamme.games.tlaok.losses.wounds import Cause
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.regiment.contact import engaged_stands
from oriflamme.games.tlaok.rounds.actions import action
from oriflamme.games.tlaok.state import Asking, Battle, Effect, Regiment, Stand


@action("inspire", "TLAOK-INSPIRE-01", engaged=True)
def inspire(battle: Battle, regiment: Regiment) -> Asking[None]:
    """It gains Inspired until the end of its activation (TLAOK-INSPIRE-01)."""
    battle.tell(RegimentInspired("TLAOK-INSPIRE-01", regiment.id))
    be_inspired(regiment, "TLAOK-INSPIRE-01")
    return
    yield


def be_inspired(regiment: Regiment, rule: str) -> None:
    """Inspired until the end of the activation: by the action, or by a successful charge (TLAOK-CHARGE-26)."""
    regiment.affect(Effect("Inspired", rule, "activation", grant=book.parse("Inspired")))


@action("clash", "TLAOK-CLASH-01", engaged=True)
def clash(battle: Battle, regiment: Regiment) -> Asking[None]:
    """A regiment in contact strikes (TLAOK-CLASH-01).

    1. Each stand strikes one enemy that it touches, or supports against one.     TLAOK-CLASH-02, -03, -12, -13
    2. With several targets its player says which comes first.                    TLAOK-CLASH-14
    3. Each is resolved from hit roll to morale.                                  TLAOK-CLASH-14
    """
    touched = may_strike(battle, regiment)
    against = {s.id for s, _ in touched} if touched else set()
    fighting = yield from share_out(battle, regiment, touched, "strike_target", "strike_targets", "TLAOK-CLASH-12")
    enemies = tuple(battle.contacts.get(regiment.id, {}))
    behind = [(s, enemies) for s in regiment.figures if s.id not in against]
    supporting = yield from share_out(battle, regiment, behind, "support_target", "support_targets", "TLAOK-CLASH-13")
    targets = [id for id in enemies if id in fighting or id in supporting]
    if len(targets) > 1:
        options = [Option.thing(id, "target") for id in targets]
        about = {"regiment": regiment.id}
        targets = list((yield from put_in_order(regiment.side, options, "order_of_targets", "TLAOK-CLASH-14", about)))
    dice = {id: list(dice_against(battle, regiment, fighting.get(id, []), supporting.get(id, []))) for id in targets}
    for id in targets:
        if not regiment.fate and not battle.units[id].fate:
            yield from strike_at(battle, regiment, battle.units[id], dice[id])


def may_strike(battle: Battle, regiment: Regiment) -> list[tuple[Stand, tuple[str, ...]]]:
    """The engaged stands, and whom each may strike: those it touches, and a garrison only if it touches nobody else
    (TLAOK-CLASH-02, -12, TLAOK-GARR-24)."""
    touched = engaged_stands(battle, regiment)
    found = []
    for stand in regiment.figures:
        ids = touched.get(stand.id, [])
        outside = [id for id in ids if not battle.units[id].garrison]
        if ids:
            found.append((stand, tuple(outside or ids)))
    return found


def dice_against(
    battle: Battle, regiment: Regiment, fighting: list[Stand], supporting: list[Stand]
) -> Iterator[tuple[Stand, int]]:
    """The dice of the troops, then those of the character, who is apart (TLAOK-CHAR-18)."""
    for hero in (False, True):
        striking = [(s, "clash") for s in fighting if s.hero == hero] + [
            (s, "support") for s in supporting if s.hero == hero
        ]
        attacks = sum(dice_of(battle, regiment, stand, kind) for stand, kind in striking)
        if attacks:
            yield striking[0][0], attacks


def strike_at(battle: Battle, regiment: Regiment, target: Regiment, dice: list[tuple[Stand, int]]) -> Asking[None]:
    """All that goes against one target of a Clash; the face is the one in contact (TLAOK-CLASH-20)."""
    strikes, cause = blows_at(battle, regiment, target, dice)
    yield from resolve(battle, regiment, target, strikes, cause)


def blows_at(
    battle: Battle, regiment: Regiment, target: Regiment, dice: list[tuple[Stand, int]]
) -> tuple[list[Strike], Cause]:
    """Those dice, group by group, and what their wounds are caused by."""
    struck = struck_by(battle, target, battle.contacts.get(target.id, {}).get(regiment.id, ""))
    strikes = [close_strike(battle, regiment, stand, "clash", attacks, struck) for stand, attacks in dice]
    return strikes, Cause("TLAOK-CLASH-18", "clash", regiment.id, struck.face, saved=True)
