"""A battle of Last Fantasy War written as a scene of a case: every unit or duo, its state and its place."""

from __future__ import annotations

from typing import Any

from oriflamme.engine.cases.scene_battles import spot
from oriflamme.engine.geometry.measure import INCH
from oriflamme.games.lfw.profile import TYPE_RULES, Sheet, Weapon
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.scene_words import TREASURE_KEYS
from oriflamme.games.lfw.state import Battle, Effect, Model, Part
from oriflamme.games.lfw.tokens import TREASURES, lying

Data = dict[str, Any]


def written(battle: Battle) -> Data:
    """`given` and `battle` of a scene."""
    shut = {opening.id for opening in battle.table.openings if opening.closed}
    tokens = list(lying(battle))
    notes = {**battle.notes, **scenario_of(battle).written_notes(battle)}
    return {
        "given": {model.id: _model(battle, model) for model in battle.units.values()},
        "battle": {
            "sides": battle.sides,
            "players": battle.players,
            "teams": list(battle.teams) or None,
            "scenario": battle.scenario or None,
            "roles": list(battle.roles) or None,
            "turn": battle.round,
            "phase": battle.phase or None,
            "night": battle.dark,
            "ceiling": battle.roofed,
            "order": [side + 1 for side in battle.order],
            "last_turn": battle.last_turn or None,
            "points": battle.points,
            "score": list(battle.score),
            "closed": sorted(battle.closed - shut) or None,
            "open": sorted(shut - battle.closed) or None,
            **{
                key: {token.id: spot(token.x, token.y, INCH) for token in tokens if token.kind == kind}
                for kind, key in TREASURE_KEYS.items()
                if kind in TREASURES
            },
            "notes": {key: _plain(value) for key, value in notes.items()} or None,
        },
    }


def _plain(value: Any) -> Any:
    return [_plain(inner) for inner in value] if isinstance(value, tuple | list) else value


def _model(battle: Battle, model: Model) -> Data:
    rider, *mount = model.parts
    body = model.body
    board = battle.table.board(model.board) if model.board else None
    x, y = body.x - (board.x if board else 0.0), body.y - (board.y if board else 0.0)
    here = model.place == "table"
    data: Data = {
        "side": model.side + 1,
        **_part(rider),
        "mount": {key: value for key, value in _part(mount[0]).items() if value is not None} if mount else None,
        "place": model.place if not here else None,
        "board": model.board or None,
        "at": spot(x, y, INCH) if here else None,
        "elevation": round(body.z / INCH, 5) if here and body.z else None,
        "moved": model.moved or None,
        "declared": list(model.declared) or None,
        "causes": [kind for kind, _ in model.causes] or None,
        "treasure": model.treasure or None,
    }
    flags = ("charged", "stood", "fleeing", "flew", "fought", "bystander")
    data |= {flag: getattr(model, flag) or None for flag in flags}
    return data | {"began_fleeing": model.began_fleeing if model.began_fleeing != model.fleeing else None}


def _part(part: Part) -> Data:
    return {
        **_sheet(part.sheet),
        "cost": part.sheet.cost or None,
        "specialisation": part.specialisation or None,
        "level": part.level or None,
        "skills": list(part.skills) or None,
        "most": part.most,
        "left": part.pv,
        "crippled": part.crippled or ("" if 0 < 2 * part.pv <= part.most else None),
        "pc": part.pc,
        "pm": part.pm,
        "duel": part.duel or None,
        "used": sorted(part.used) or None,
        "targeted": sorted(part.targeted) or None,
        "effects": [_effect(effect) for effect in part.effects] or None,
    }


def _effect(effect: Effect) -> Data:
    return {"source": effect.source, "until": effect.until, "rules": list(effect.rules)}


def _sheet(sheet: Sheet) -> Data:
    usual = set(map(str, TYPE_RULES[sheet.type]))
    own = [str(rule) for rule in sheet.rules if str(rule) not in usual]
    data: Data = {
        "type": sheet.type,
        "role": sheet.role,
        "base": sheet.diameter,
        "height": round(sheet.height / INCH, 5),
        "vitality": sheet.vitality,
        "armour": sheet.armour,
        "M": sheet.m,
        "CC": sheet.cc,
        "CT": sheet.ct or "none",
        "CP": sheet.cp,
        "E": sheet.e,
        "D": sheet.d,
        "Pv": sheet.pv,
        "Co": sheet.co,
        "Pc": sheet.pc,
        "Pm": sheet.pm,
        "weapons": [_weapon(weapon) for weapon in sheet.weapons],
        "rules": own,
        "adc": list(sheet.adc),
        "domains": list(sheet.domains),
        "spells": list(sheet.spells),
        "notes": list(sheet.notes),
        "specialisations": list(sheet.specialisations),
        "behaviour": sheet.behaviour,
    }
    return {key: value for key, value in data.items() if value not in ([], "", False)}


def _weapon(weapon: Weapon) -> Data:
    data: Data = {
        "id": weapon.id,
        "name": dict(weapon.name),
        "attack": str(weapon.attack),
        "strength": weapon.strength,
        "rules": [str(rule) for rule in weapon.rules],
    }
    return data | ({"range": weapon.range} if weapon.range is not None else {})
