"""The words of cases of Rag'Narok 3: keys of a scene, and what may be expected. Questions are in `scenes/`, with the
sentences of their chapter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import OF_EVERY_BATTLE, Fact, Question, count
from oriflamme.engine.geometry.measure import in_cm
from oriflamme.games.rn3.contact import engaged_with, is_free, unit_gap
from oriflamme.games.rn3.power import power_of
from oriflamme.games.rn3.profile import CHARACTERISTICS
from oriflamme.games.rn3.scenes import (
    army_scenes,
    command_scenes,
    melee_scenes,
    move_scenes,
    mystic_scenes,
    shoot_scenes,
    trial_scenes,
)
from oriflamme.games.rn3.state import Battle, Unit, value_of

_CHAPTERS: Final = (trial_scenes, command_scenes, move_scenes, melee_scenes, shoot_scenes, mystic_scenes)
QUESTIONS: Final[Mapping[str, Question]] = {
    ask: question for chapter in _CHAPTERS for ask, question in chapter.QUESTIONS.items()
}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    field: words for chapter in _CHAPTERS for field, words in chapter.VALUES.items()
}

# -- keys of a scene ---------------------------------------------------------------------------------------------------

LINE: Final = {
    "dice": "dice of each fighter",
    "att": "ATT",
    "for": "FOR",
    "area": "a weapon with a template",
    "range": "the longest range in cm, if its card has one",
}
POWER: Final = {
    "kind": "what it is",
    "cost": "mana or faith it costs",
    "difficulty": "a number, or a characteristic of the target",
    "target": "whom or what it is for",
    "duration": "how long it lasts",
    "effect": "what it does, as the files of companies say it (docs/authoring.md)",
    "once": "once in a turn",
}
EFFECT: Final = {
    "stat": "characteristics it changes: { def = -1 }",
    "skills": "skills it gives",
    "force": "Force tests: { for = 6, dice = 4 }, or { for = 4, each = true } for a die for each model",
    "heal": "points of damage it heals",
    "rally": "a routed unit rallies",
    "disperse": "a compact unit is dispersed",
    "dice": "melee dice that come back, or are lost",
    "move": "cm that the unit may move",
    "tactic_points": "tactic points for its side",
    "mana": "mana for the unit, or lost",
    "faith": "faith for the unit, or lost",
    "summon": "who is summoned: { count = 2, card = { mou = 14, peu = 4, melee = [1, 5, 5] } }",
}
CARD: Final = {
    "card": "what the profile is called; fighters of one card fight together",
    "category": "its category",
    "rank": "its rank",
    "base": "diameter in mm",
    "size": "size for sight; from the base unless it says so",
    "hit_points": "hit or structure points; from size, rank and category unless it says so",
    "power": "what it adds to the power of its unit; from its size unless it says so",
    "mou": "MOU, cm",
    "def": "DEF",
    "res": "RES",
    "cou": "COU; 5 where neither COU nor PEU is said",
    "peu": "PEU: it is fearsome",
    "aut": "AUT",
    "pou": "POU: a magician",
    "foi": "FOI: one of the faithful",
    "elixir": "elixir value of an Incarnate",
    "return_cost": "elixir for which an Incarnate returns",
    "melee": "the melee line; 1 die, ATT 5, FOR 5 where nothing else is said",
    "ranged": "the ranged line; none unless it says so",
    "skills": "skills, by their English or French names",
    "powers": "spells, miracles, rituals and litanies it knows, by their ids",
    "role": "who it is in its unit",
    "person": "the same person under two profiles",
}
KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "given.<unit>": {
        "side": "1 or 2",
        "figures": "number of fighters, without the Incarnate and the machine",
        **CARD,
        "models": 'fighters that differ, by number: { 3 = { role = "standard" } }; the rest is as in the unit',
        "incarnate": "an Incarnate who leads it, levy.incarnate; he starts from the unit's values",
        "machine": "a war machine, levy.machine, whose crew the fighters are",
        "leader": "the number of the fighter who leads; an Incarnate always does",
        "at": "[x, y], the middle of the front rank, or a distance to a unit above: 9cm ahead of archers, behind, left "
        "of, right of, or touching ahead of archers; 9cm ahead is ahead of the first unit",
        "ranks": "fighters in a rank; 5 or fewer unless it says so",
        "spacing": "cm between bases; 1 in dispersed formation, touching in compact formation",
        "places": "[[x, y], ...], one for each fighter, the Incarnate and the machine last",
        "formation": "dispersed unless it says so",
        "start": "initial strength, if fighters have fallen already",
        "regular_crew": "crew of a machine whose dice count; all of them unless it says so",
        "place": "where it is: on the table unless it says so",
        "order": "the order it has had this turn",
        "reaction": "the reaction it has made this turn",
        "routed": "is routed",
        "fought": "has fought in melee this turn",
        "attacked": "has made its attacks of this turn",
        "standby": "has a standby marker",
        "revealed": "scouts that may be targets",
        "tactics": "tactics it has, a copy for each time",
        "pool": "melee dice left, or [left, used]; full unless it says so",
        "incarnate_pool": "the same of its Incarnate",
        "mana": "mana of the unit",
        "faith": "faith of the unit",
        "wounds": "damage of the first fighter, or a list, the Incarnate and the machine last",
        "effects": 'what lasts on it: [{ stat = "def", amount = -1, until = "turn" }], or with skill = [...]',
        "free_tactics": "tactics of its army list, with the skill or characteristic they change",
        "moved_turn": "the turn in which a machine last moved",
        "entered": "the turn in which it came from reserve",
        "edge": "the edge it came in by",
        "summoner": "the fighter who summoned it",
        "summoned": "the turn in which it was summoned",
        "called_with": "the ritual or litany by which it was summoned; the first of its summoner unless it says so",
        "cards": "titanic ability cards it has left",
        "used_up": "what it can use only once and has used",
        "points": "its cost in PA",
    },
    "given.<unit>.melee": LINE,
    "given.<unit>.ranged": LINE,
    "given.<unit>.powers.<name>": POWER,
    "given.<unit>.powers.<name>.effect": EFFECT,
    "given.<unit>.models.<name>": CARD,
    "given.<unit>.incarnate": CARD,
    "given.<unit>.machine": CARD,
    "given.<unit>.free_tactics[]": {
        "id": "its name",
        "skill": "the skill it gives, as a list of one",
        "stat": "the characteristic it changes",
        "amount": "by how much",
    },
    "given.<unit>.effects[]": {
        "source": "what it comes from",
        "rule": "the rule behind it",
        "until": "when it ends",
        "stat": "the characteristic it changes",
        "amount": "by how much",
        "skill": "the skill it gives, as a list of one",
    },
    "battle": {
        "turn": "the turn; 0 is before the battle",
        "turns": "how many there are",
        "phase": "the phase of the turn",
        "first": "the side that gave the first order",
        "go": "the side whose go it is; first unless it says so",
        "authority": "the side that won the authority roll",
        "tactic_points": "[side 1, side 2]",
        "elixir": "[side 1, side 2]",
        "score": "victory points, [side 1, side 2]",
        "scenario": "the scenario, by its id",
        "objectives": "objectives: [{ at = [60, 60], radius = 10, points = 1, elixir = 0, owner = 1 }]",
        "commander_1": "the fighter who commands side 1",
        "commander_2": "the fighter who commands side 2",
    },
    "battle.objectives[]": {
        "id": "its name",
        "at": "[x, y]",
        "radius": "cm round it that count",
        "points": "victory points",
        "elixir": "elixir for who holds it",
        "owner": "the side that holds it; 0 is nobody",
    },
}
SPECIMEN: Final[Mapping[str, Any]] = {
    "given": {
        "levy": {
            "melee": {"dice": 1},
            "ranged": {"dice": 1},
            "powers": {"spark": {"effect": {"heal": 1}}},
            "models": {"1": {}},
            "incarnate": {},
            "machine": {},
            "effects": [{"stat": "def"}],
            "free_tactics": [{"stat": "def"}],
        }
    },
    "battle": {"objectives": [{"at": [60, 60]}]},
}

# -- what may be expected ----------------------------------------------------------------------------------------------


def _gaps(battle: Battle, unit: Unit) -> dict[str, float]:
    others = [other for other in battle.on_table() if other is not unit and unit.on_table]
    return {other.id: in_cm(unit_gap(unit, other)) for other in others}


OF_UNIT: Final[Mapping[str, Fact]] = {
    "figures": count("fighters left, an Incarnate and a machine included", lambda _, unit: len(unit.figures)),
    "strength": count("fighters left without the Incarnate and the machine", lambda _, unit: unit.strength),
    "start": count("its initial strength", lambda _, unit: unit.start),
    "lost": count("fighters that have fallen", lambda _, unit: len(unit.fallen)),
    "models": Fact("ids of those left, after the dot", lambda _, u: [f.id.partition(".")[2] for f in u.figures]),
    "wounds": Fact("damage of each, the Incarnate and the machine last", lambda _, u: [f.wounds for f in u.figures]),
    "destroyed": Fact("has no fighters left", lambda _, unit: not unit.figures),
    "on_table": Fact("stands on the table", lambda _, unit: unit.on_table),
    "place": Fact("where it is", lambda _, unit: unit.place),
    "places": Fact("[x, y] of each fighter", lambda _, u: [[in_cm(f.x), in_cm(f.y)] for f in u.figures]),
    "levels": Fact('the hill each stands on, or ""', lambda _, u: [f.level for f in u.figures]),
    "leader": Fact("who leads, after the dot", lambda _, u: u.leader.partition(".")[2]),
    "formation": Fact("compact or dispersed", lambda _, u: "compact" if u.compact else "dispersed"),
    "power": Fact("its power", lambda _, unit: power_of(unit)),
    "routed": Fact("is routed", lambda _, unit: unit.routed),
    "order": Fact('its order of this turn, or ""', lambda _, unit: unit.order or ""),
    "reaction": Fact('its reaction of this turn, or ""', lambda _, unit: unit.reaction or ""),
    "attacked": Fact("has made its attacks of this turn", lambda _, unit: unit.attacked),
    "fought": Fact("has fought in melee this turn", lambda _, unit: unit.fought),
    "standby": Fact("has a standby marker", lambda _, unit: unit.standby),
    "revealed": Fact("scouts that may be targets", lambda _, unit: unit.revealed),
    "tactics": Fact("tactics it has", lambda _, unit: list(unit.tactics)),
    "pool": Fact("melee dice left and used", lambda _, unit: [unit.pool.left, unit.pool.used]),
    "incarnate_pool": Fact("the same of its Incarnate", lambda _, u: [u.hero_pool.left, u.hero_pool.used]),
    "mana": count("its mana", lambda _, unit: unit.mana),
    "faith": count("its faith", lambda _, unit: unit.faith),
    "effects": Fact(
        "what lasts on it: source, and the skill or characteristic",
        lambda _, u: [
            [e.source, str(e.skill) if e.skill is not None else f"{e.stat} {e.amount:+d}"] for e in u.effects
        ],
    ),
    "values": Fact(
        "characteristics of each model as they are now: { def = [4, 4] }",
        lambda _, u: {stat: [value_of(u, f, stat) for f in u.figures] for stat in CHARACTERISTICS},
    ),
    "cards": Fact("titanic ability cards it has left", lambda _, unit: list(unit.cards)),
    "free": Fact("touches no enemy", lambda battle, unit: is_free(battle, unit)),
    "touches": Fact("the enemy units it touches", lambda battle, unit: [e.id for e in engaged_with(battle, unit)]),
    "gaps": Fact("cm to other units on the table: { archers = 1 }", _gaps),
    **shoot_scenes.OF_UNIT,
    **melee_scenes.OF_UNIT,
    **move_scenes.OF_UNIT,
    **army_scenes.OF_UNIT,
}
OF_BATTLE: Final[Mapping[str, Fact]] = {
    **OF_EVERY_BATTLE,
    **army_scenes.OF_BATTLE,
    "turn": Fact("the turn", lambda battle, _: battle.round),
    "phase": Fact("the phase", lambda battle, _: battle.phase),
    "first": Fact("the side that gives the first order", lambda battle, _: battle.first + 1),
    "go": Fact("the side whose go it is", lambda battle, _: battle.go + 1),
    "authority": Fact("the side that won the authority roll", lambda b, _: b.winner_of_authority + 1),
    "tactic_points": Fact("[side 1, side 2]", lambda battle, _: list(battle.tactic_points)),
    "elixir": Fact("[side 1, side 2]", lambda battle, _: list(battle.elixir)),
    "score": Fact("victory points, [side 1, side 2]", lambda battle, _: list(battle.score)),
    "commanders": Fact("who commands, [side 1, side 2]", lambda battle, _: list(battle.commander)),
    "objectives": Fact(
        "who holds each objective: 1, 2, or 0",
        lambda b, _: [0 if o.owner is None else o.owner + 1 for o in b.objectives],
    ),
}
