"""What the table shows of Last Fantasy War: single figures and duos, doors and boards, lights, places to hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import ClassVar

import msgspec

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import (
    FallenShown,
    FigureShown,
    LightShown,
    ObjectiveShown,
    PoolShown,
    StateShown,
    TableShown,
    TokenShown,
    UnitShown,
    ZoneShown,
)
from oriflamme.games.lfw.ground import touching_enemies
from oriflamme.games.lfw.looks import look_of
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.sight import LIGHT, is_lit, looking
from oriflamme.games.lfw.state import Battle, Model
from oriflamme.games.lfw.tokens import TREASURES, lying


class LfwPicture(Picture[Battle, Model]):
    """Every unit is one figure; a duo has the life points of its rider as pips, and those of its mount beside it."""

    folder: ClassVar[Path] = Path(__file__).parent
    subjects: ClassVar[tuple[str, ...]] = ("unit", "target")

    heights: ClassVar[bool] = True

    def last_round(self, battle: Battle) -> int:
        return battle.last_turn

    def subject(self, decision: Decision) -> str:
        """A part of a duo is named after its model."""
        return super().subject(decision).partition(".")[0]

    def show(self, battle: Battle, unit: Callable[[Model], UnitShown] | None = None) -> TableShown:
        """At night it is shown who is lit (LFW-ENV-03)."""
        shown = super().show(battle, unit)
        if not battle.night:
            return shown
        units = [_with_light(battle, one) for one in shown.units]
        return msgspec.structs.replace(shown, units=tuple(units))

    def unit(self, unit: Model) -> UnitShown:
        look = look_of(unit)
        first = (unit.alive or unit.parts)[0]
        hero = "commander" in first.sheet.notes or first.specialisation == "captain"
        return UnitShown(
            unit.id,
            unit.side,
            unit.name,
            tuple(FigureShown.of(f, look, first.most - first.pv, first.most, hero) for f in unit.figures)
            if unit.place in ("table", "reserve")
            else (),
            tuple(map(FallenShown.of, unit.fallen)) if unit.place == "gone" and not unit.fled else (),
            start=1,
            look=look,
            states=states_of(unit),
            reserve="reserve" if unit.place == "reserve" else None,
            fate=_fate(unit),
            pools=_pools(unit),
        )

    def turn(self, battle: Battle) -> int | None:
        return battle.order[battle.going.place % len(battle.order)] if battle.going is not None else None

    def zones(self, battle: Battle) -> Iterator[ZoneShown]:
        """Where each side deploys, until all stand (LFW-SETUP-08)."""
        if battle.phase not in ("", "deployment"):
            return
        for side in range(battle.sides):
            for outline in scenario_of(battle).zone(battle, side).outlines(battle):
                yield ZoneShown(side, outline)

    def objectives(self, battle: Battle) -> Iterator[ObjectiveShown]:
        """Strategic points, and who holds each of them as all stand now (LFW-OBJ-01)."""
        for x, y, reach, owner in scenario_of(battle).held(battle):
            yield ObjectiveShown(x, y, owner, reach)

    def closed(self, battle: Battle) -> Iterable[str]:
        return battle.closed

    def night(self, battle: Battle) -> bool:
        return battle.night

    def lights(self, battle: Battle) -> Iterable[LightShown]:
        """Luminous scenery and units, at night (LFW-ENV-03, -04)."""
        if not battle.night:
            return
        for piece in battle.table.with_trait("luminous"):
            o = piece.outline
            yield LightShown(o.cx, o.cy, o.reach + LIGHT)
        for model in battle.there():
            if looking(battle, model).luminous:
                yield LightShown(model.body.x, model.body.y, model.body.radius + LIGHT)

    def tokens(self, battle: Battle) -> Iterator[TokenShown]:
        """Treasures that nobody holds, markers of a search, and how often one was searched for in vain (LFW-OBJ-04,
        LFW-SCN7-03, -05)."""
        markers = [token for token in battle.tokens.values() if token.kind not in TREASURES]
        for token in lying(battle):
            yield TokenShown(token.id, token.kind, token.x, token.y, token.radius)
        for token in markers:
            yield TokenShown(token.id, "search_marker", token.x, token.y, token.radius)
            for number in range(battle.notes.get(f"failures_{token.id}", 0)):
                x = token.x + token.radius * (1.6 + number)
                yield TokenShown(f"{token.id}_failure{number + 1}", "failure", x, token.y, token.radius / 2)

    def contacts(self, battle: Battle) -> Iterator[tuple[str, str]]:
        for model in battle.there():
            for enemy in touching_enemies(battle, model):
                if model.side < enemy.side:
                    yield model.id, enemy.id


def states_of(model: Model) -> tuple[StateShown, ...]:
    """What a glance at it must show, the most pressing first."""
    lasting = len({effect.source for part in model.alive for effect in part.effects})
    found = {
        "fleeing": int(model.fleeing),
        "duelling": int(any(part.duel for part in model.alive)),
        "crippled": sum(bool(part.crippled) for part in model.alive),
        "charging": int(bool(model.declared)),
        "carrying": int(bool(model.treasure)),
        "under_effect": lasting,
        "has_moved": int(bool(model.moved)),
    }
    return tuple(StateShown(id, number) for id, number in found.items() if number)


def _pools(model: Model) -> tuple[PoolShown, ...]:
    """Life points of a mount, command points and magic points (LFW-CAV-02, LFW-DICE-14)."""
    found = []
    if model.duo:
        mount = model.parts[-1]
        found.append(PoolShown("mount", mount.pv, mount.most - mount.pv))
    pc, most = sum(part.pc for part in model.alive), sum(part.start_pc for part in model.alive)
    if most:
        found.append(PoolShown("command", pc, max(0, most - pc)))
    pm, most = sum(part.pm for part in model.alive), sum(part.sheet.pm for part in model.alive)
    if most or pm:
        found.append(PoolShown("magic", pm, max(0, most - pm)))
    return tuple(found)


def _fate(model: Model) -> str:
    if model.place == "saved":
        return "saved"
    if model.place != "gone":
        return ""
    return "fled" if model.fled else "destroyed"


def _with_light(battle: Battle, unit: UnitShown) -> UnitShown:
    model = battle.units[unit.id]
    if not model.on_table or not is_lit(battle, model):
        return unit
    return msgspec.structs.replace(unit, states=(StateShown("lit"), *unit.states))
