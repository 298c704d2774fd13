"""A battle of Rag'Narok 3 written as a scene of a case: every unit with its cards, its state and its places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oriflamme.engine.cases.scene_battles import spot
from oriflamme.engine.geometry.measure import CM
from oriflamme.games.rn3.powers import Power
from oriflamme.games.rn3.profile import Line, Profile
from oriflamme.games.rn3.state import Battle, Effect, Fighter, Unit
from oriflamme.games.rn3.tactics import TACTICS

Data = dict[str, Any]


def written(battle: Battle) -> Data:
    """`given` and `battle` of a scene. A unit of which nobody is left is not in a scene."""
    return {
        "given": {unit.id: _unit(unit) for unit in battle.units.values() if unit.figures},
        "battle": {
            "turn": battle.round,
            "turns": battle.turns,
            "phase": battle.phase,
            "first": battle.first + 1,
            "go": battle.go + 1,
            "authority": battle.winner_of_authority + 1,
            "tactic_points": list(battle.tactic_points),
            "elixir": list(battle.elixir),
            "score": list(battle.score),
            "scenario": battle.scenario or None,
            "objectives": [
                {
                    "id": o.id,
                    "at": spot(o.x, o.y, CM),
                    "radius": o.radius / CM,
                    "points": o.points,
                    "elixir": o.elixir,
                    "owner": 0 if o.owner is None else o.owner + 1,
                }
                for o in battle.objectives
            ]
            or None,
            "commander_1": battle.commander[0] or None,
            "commander_2": battle.commander[1] or None,
        },
    }


def _unit(unit: Unit) -> Data:
    """A unit: what most of its fighters are, and how the others differ; the Incarnate and the machine come last."""
    hero, machine = unit.hero, unit.machine
    troops = [figure for figure in unit.figures if figure is not hero and figure is not machine]
    usual = unit.profile
    named = {figure.id: number for number, figure in enumerate(troops, 1)}
    data: Data = {"side": unit.side + 1, "figures": len(troops), **_card(usual)}
    models = {
        str(named[figure.id]): _card(figure.profile)
        for figure in troops
        if figure.profile.identity() != usual.identity()
    }
    in_order = [*troops, *([hero] if hero is not None else []), *([machine] if machine is not None else [])]
    return data | {
        "models": models or None,
        "incarnate": _without(_card(hero.profile), "role") if hero is not None else None,
        "machine": _without(_card(machine.profile), "role", "category") if machine is not None else None,
        "leader": named.get(unit.leader) if hero is None else None,
        "formation": "compact" if unit.formation == "compact" else None,
        "start": unit.start if unit.start != unit.strength else None,
        "regular_crew": unit.regular_crew if machine is not None and unit.regular_crew else None,
        "place": unit.place if unit.place != "table" else None,
        "order": unit.order,
        "reaction": unit.reaction,
        **{flag: getattr(unit, flag) or None for flag in ("routed", "fought", "attacked", "standby", "revealed")},
        # What a tactic of the army list has laid is among the effects; that it was bought is not said.
        "tactics": [tactic for tactic in unit.tactics if tactic in TACTICS] or None,
        "pool": [unit.pool.left, unit.pool.used],
        "incarnate_pool": [unit.hero_pool.left, unit.hero_pool.used] if hero is not None else None,
        "mana": unit.mana or None,
        "faith": unit.faith or None,
        "wounds": [f.wounds for f in in_order] if any(f.wounds for f in in_order) else None,
        "effects": [_effect(e) for e in unit.effects if e.source not in TACTICS] or None,
        "moved_turn": unit.moved_turn or None,
        "entered": unit.entered or None,
        "edge": unit.edge or None,
        "summoner": unit.summoner or None,
        "summoned": unit.summoned or None,
        "called_with": unit.called_with or None,
        "cards": list(unit.cards) or None,
        "used_up": list(unit.used_up) or None,
        "points": unit.points or None,
        "places": _places(in_order) if unit.on_table else None,
    }


def _places(figures: list[Fighter]) -> list[list[float]]:
    return [spot(f.x, f.y, CM) for f in figures]


def _without(table: Data, *keys: str) -> Data:
    return {key: value for key, value in table.items() if key not in keys}


def _card(profile: Profile) -> Data:
    data: Data = {
        "card": profile.id,
        "category": profile.category,
        "rank": profile.rank,
        "base": profile.diameter,
        "size": profile.size,
        "hit_points": profile.hit_points,
        "power": profile.power or None,
        "mou": profile.mou,
        "def": profile.defence,
        "res": profile.res,
        "cou": profile.cou,
        "peu": profile.peu,
        "aut": profile.aut or None,
        "pou": profile.pou or None,
        "foi": profile.foi or None,
        "elixir": profile.elixir or None,
        "return_cost": profile.return_cost or None,
        "melee": _line(profile.melee),
        "ranged": _line(profile.ranged) if profile.ranged is not None else None,
        "skills": [str(skill) for skill in profile.skills],
        "powers": {power.id: _power(power) for power in profile.powers} or None,
        "role": profile.role if profile.role != "troop" else None,
        "person": profile.person if profile.person != profile.id else None,
    }
    return {key: value for key, value in data.items() if value is not None}


def _line(line: Line) -> Data:
    data: Data = {"dice": line.dice, "att": line.att, "for": line.force}
    return data | ({"area": True} if line.area else {}) | ({"range": line.most} if line.most else {})


def _power(power: Power) -> Data:
    data: Data = {
        "kind": power.kind,
        "cost": power.cost,
        "difficulty": power.difficulty,
        "target": power.target,
        "duration": power.duration,
        "effect": {key: _summon(value) if key == "summon" else _plain(value) for key, value in power.effect.items()},
    }
    return data | ({"once": True} if power.once else {})


_WRITTEN_AS = {"defence": "def", "force": "for", "most": "range"}
_NOT_WRITTEN = ("id", "role", "powers", "free_tactics")


def _summon(summon: Mapping[str, Any]) -> Data:
    """Who is summoned, by the keys of a card as files have them."""
    card = {key: value for key, value in summon["card"].items() if value not in (None, [], {}, "")}
    lines = {
        key: {_WRITTEN_AS.get(name, name): value for name, value in card[key].items() if value not in (None, False)}
        if isinstance(card[key], Mapping)
        else card[key]
        for key in ("melee", "ranged")
        if key in card
    }
    plain = {_WRITTEN_AS.get(key, key): _plain(value) for key, value in card.items() if key not in _NOT_WRITTEN}
    return {"count": summon["count"], "card": plain | lines}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def _effect(effect: Effect) -> Data:
    data: Data = {"source": effect.source, "rule": effect.rule, "until": effect.until}
    data |= {"stat": effect.stat, "amount": effect.amount} if effect.stat else {}
    return data | ({"skill": [str(effect.skill)]} if effect.skill is not None else {})
