"""The words of cases of Age of Fantasy: questions and their answers, keys of a scene, and what may be expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from typing import Any, Final

from oriflamme.engine.cases.scenes import OF_EVERY_BATTLE, Fact, Question, count
from oriflamme.engine.core.events import Event
from oriflamme.engine.geometry.measure import in_inches
from oriflamme.games.aof.events import CastingRolled, DefenseRolled, FigureLost, HitsRolled, ImpactRolled
from oriflamme.games.aof.mission import score
from oriflamme.games.aof.movement import is_coherent
from oriflamme.games.aof.state import Battle, Unit
from oriflamme.games.aof.tables import axis_between

# -- questions ---------------------------------------------------------------------------------------------------------

PATHS: Final = (
    '"stay", { by = [dx, dy] } for all models, { "levy.1" = [x, y] } (the shortest legal way there), or a path '
    '{ "levy.1" = [[x, y], [x, y]] }; models left out stay. A path of two points or more is walked as it is written, '
    "so [[x, y], [x, y]] with the end twice is the straight line"
)
QUESTIONS: Final[Mapping[str, Question]] = {
    "choose_edges": Question("roll-off winner", "long short", "only with aof.deployEdges = anyOpposite"),
    "place_objective": Question("each side in turn", what="[x, y]"),
    "choose_edge": Question("roll-off winner", "low high"),
    "set_aside": Question("both sides", "<unit>[+<hero>]:ambush <unit>[+<hero>]:scout"),
    "choose_unit_to_place": Question("each side in turn", "<unit>[+<hero>]", "with + the Hero joins the unit"),
    "place_unit": Question(
        "who places it",
        what='{ at = [x, y], ranks = 5, spacing = 0.1 }, or { "levy.1" = [x, y], ... } for every model; '
        "take_back where no room was found: the unit stays away",
    ),
    "place_ambush": Question("each side in turn", "<unit>[+<hero>] pass"),
    "choose_unit": Question("active player", "<unit>", "not asked when one unit is left"),
    "choose_action": Question(
        "active player", "hold advance rush charge:<unit>", "not asked when only Hold is possible"
    ),
    "choose_more_charge_targets": Question("active player", "<unit>", "only with aof.multiCharge = multi"),
    "move_unit": Question("active player", what=PATHS),
    "show_move": Question(
        "active player",
        what="as move_unit: how a scattered unit comes together, where no such move is known; take_back takes it back",
    ),
    "show_charge": Question(
        "active player",
        what="as move_unit: how the whole unit charges, where no such charge is known; take_back takes the action back",
    ),
    "charge_move": Question("active player", what="as move_unit", suggested=True),
    "counter_move": Question("defender", what="as move_unit; for models that are not in contact", suggested=True),
    "fall_back": Question("active player", what="as move_unit; for a charger closer than 1 inch", suggested=True),
    "move_after_melee": Question("winner", what="as move_unit; the suggestion is to stay", suggested=True),
    "choose_spell": Question(
        "caster",
        "<spell> none no_more",
        "asked before the move and after it, in a Charge or Rush too, and of a unit that holds again after dice for "
        "Dangerous terrain; of each Caster, as long as it has a spell that it can pay, has not tried and has a target "
        "for. One that said none is asked again once another of its unit has tried a spell. no_more, open while "
        "several may cast, ends the asking until the next time; choose_spell:mage.2 is for that Caster",
    ),
    "choose_spell_target": Question("caster", "<unit>"),
    "choose_spell_targets": Question("caster", "<unit>", "a spell with several targets"),
    "spend_tokens": Question(
        "both sides, in secret",
        "<model>+ <model>-",
        '{ "mage.1+" = 2 } adds, { "mage.1-" = 1 } takes away, {} for none; asked of a side that has somebody who may',
    ),
    "choose_target": Question(
        "active player", "<unit> none", "asked for each weapon type: choose_target:bow is for the bows"
    ),
    "who_uses_it_up": Question("active player", "<model>", "the models that fire a Limited weapon"),
    "use_limited_weapons": Question(
        "fighter", "<model>:<weapon>", '"levy.1: flask", the weapons to be used in this melee'
    ),
    "choose_victim": Question(
        "attacker",
        "<model> none",
        "of a Takedown; none is the unit as a whole; choose_victim:archers.1 is for that attacking model",
    ),
    "order_of_attacks": Question(
        "attacker", "<number>:<weapon>", '["2:sling", "1:bow"], groups of attacks counted from 1', suggested=True
    ),
    "who_falls": Question("defender", "<model>", "the suggestion is those of the last rank", suggested=True),
    "who_takes_the_wound": Question(
        "defender",
        "<model>",
        "of a Deadly wound, or of one on several Tough models that are equally hurt; the suggestion is the first",
        suggested=True,
    ),
    "strike_back": Question(
        "defender", "yes no", "asked if somebody is left who can, with a weapon that has not struck first"
    ),
    "who_tests_morale": Question(
        "owner", "<unit> <model>", "the unit or its Hero, levy.hero; asked if their Qualities differ"
    ),
    "order_of_morale_tests": Question("active player", "<unit>", suggested=True),
}

# -- events ------------------------------------------------------------------------------------------------------------

# The words a field of an event can be, or what it names.
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "RolledOff.what": ("objectives", "deployment"),
    "EdgesChosen.edges": ("long", "short"),
    "EdgeChosen.edge": ("low", "high"),
    "EdgeChosen.axis": ("x", "y"),
    "SetAside.reserve": ("ambush", "scout"),
    "HeroJoined.hero": "the unit he was",
    "UnitDeployed.how": ("deploy", "scout", "ambush"),
    "UnitActivated.action": ("hold", "advance", "rush", "charge"),
    "UnitMoved.how": ("advance", "rush", "charge", "counter-move", "fall back", "consolidate"),
    "MoraleTested.by": "the unit, or its Hero",
}

# -- keys of a scene ---------------------------------------------------------------------------------------------------

WEAPON: Final = {
    "name": "what it is called; weapon, then weapon 2 ...",
    "range": "inches, or a text such as 24in; 0 is a melee weapon",
    "attacks": "attack dice",
    "keywords": "special rules of the weapon: AP(1), Blast(3) ...",
}
MODEL: Final = {
    "name": "what the models are called; it has no other effect",
    "quality": "the number to reach for hits and morale",
    "defense": "the number to reach to block",
    "tough": "the same as the keyword Tough(X)",
    "keywords": "special rules of the models: Fearless, Fear(2) ...",
    "weapon": "one weapon; a model without a weapon does not attack",
    "weapons": "a list of weapons; they win over weapon",
    "base": "diameter in mm",
    "height": "inches; it hides those behind with los = modelsBlock",
}
KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "given.<unit>": {
        "side": "1 or 2",
        "figures": "number of models, without the hero; 0 with start is a unit that has been destroyed",
        **MODEL,
        "models": "models that differ, by number: { 3 = { quality = 3 } }; what is not said is as in the unit",
        "hero": "a Hero who has joined; he starts from the unit's values",
        "at": "[x, y], the middle of the front rank, or a distance to a unit above: 9in ahead of archers, behind, "
        "left of, right of; 9in ahead is ahead of the first unit",
        "ranks": "models in a rank; 5 or fewer unless it says so",
        "spacing": "inches between the bases of a rank",
        "places": "[[x, y], ...], one for each model",
        "start": "starting size, the hero included, if models have fallen already; the figures unless it says so",
        "activated": "has been activated this round",
        "shaken": "is Shaken",
        "fatigued": "is Fatigued",
        "wounds": "a number, for the first Tough model, or a list, one for each model, the hero last",
        "tokens": "a number, for the first Caster, or a list, one for each model, the hero last",
        "used": "Limited weapons that have been used, by all who have them, or { 2 = [...], hero = [...] }",
        "effects": "what spells have laid on it: any special rule, or Hindered(x), Blessed(x), Exposed(x), Warded(x), "
        "Daunted(x), Emboldened(x), Hobbled(x), Hastened(x)",
        "spells": "the spells its Casters know, by their ids",
        "reserve": "where it is if not on the table: not placed yet, or set aside",
        "arrived": "came from Ambush this round",
    },
    "given.<unit>.weapon": WEAPON,
    "given.<unit>.weapons[]": WEAPON,
    "given.<unit>.models.<name>": MODEL,
    "given.<unit>.hero": MODEL,
    "given.<unit>.spells.<name>": {
        "value": "tokens it costs",
        "range": "inches; 18 unless it says so",
        "targets": "whom it may be cast on",
        "count": "number of targets",
        "hits": "hits it causes",
        "keywords": "special rules of the hits",
        "gives": "special rules it lays on its targets",
        "heals": "wounds it heals",
    },
    "battle": {
        "round": "0 is before the battle",
        "first": "the side that activates first this round",
        "turn": "the side whose turn it is; first unless it says so",
        "points": "agreed points",
        "edges": "deployment along the long or the short edges",
        "edge": "side 1's table edge: low is bottom or left",
        "last_activations": "the number of each side's last activation this round, side 1 first",
        "objectives_to_place": "objectives that have still to be placed",
        "objectives": "the objectives: [{ at = [36, 24], owner = 1 }]",
    },
    "battle.objectives[]": {"at": "[x, y]", "owner": "the side that holds it; 0 is nobody"},
}
SPECIMEN: Final[Mapping[str, Any]] = {
    "given": {
        "levy": {
            "weapon": {"name": "bow"},
            "weapons": [{"name": "bow"}],
            "models": {"1": {}},
            "hero": {},
            "spells": {"ember": {"hits": 1}},
        }
    },
    "battle": {"objectives": [{"at": [36, 24]}]},
}
ARMY: Final[Mapping[str, Mapping[str, str]]] = {
    "the army is checked": {
        "points": "what the army is built for",
        "against": "what the other army was built for; the same unless it says so",
        "units[].unit": "the unit's name",
        "units[].cost": "its points",
        "units[].models": "its models",
        "units[].hero": "it is a Hero",
        "units[].staff": "Banner, Musician, Sergeant ... that it has",
        "units[].parts": "the two halves of a combined unit: [{ unit, models, upgrades }]",
    },
    "side 1 musters": {
        "army": "a faction (oriflamme army list names them)",
        "points": "the size of the battle",
        "units": "the entries, as a player writes them (docs/authoring.md): [{ unit, combined, upgrades, joins }]",
    },
}

# -- what may be expected ----------------------------------------------------------------------------------------------

Events = Sequence[Event]


def gap_between(unit: Unit, other: Unit) -> float:
    return min(hypot(f.x - o.x, f.y - o.y) - f.radius - o.radius for f in unit.figures for o in other.figures)


def _gaps(battle: Battle, unit: Unit) -> dict[str, float]:
    others = [other for other in battle.on_table() if other is not unit and unit.on_table]
    return {other.id: in_inches(gap_between(unit, other)) for other in others}


OF_UNIT: Final[Mapping[str, Fact]] = {
    "figures": count("models left, a joined Hero included", lambda _, unit: len(unit.figures)),
    "lost": count("models that have fallen", lambda _, unit: len(unit.fallen)),
    "models": Fact("ids of the models left, after the dot", lambda _, u: [f.id.partition(".")[2] for f in u.figures]),
    "wounds": Fact("wounds of each model left, a joined Hero last", lambda _, unit: [f.wounds for f in unit.figures]),
    "tokens": Fact("spell tokens of each, in the same order", lambda _, unit: [f.tokens for f in unit.figures]),
    "activated": Fact("has been activated this round", lambda _, unit: unit.activated),
    "shaken": Fact("is Shaken", lambda _, unit: unit.shaken),
    "fatigued": Fact("is Fatigued", lambda _, unit: unit.fatigued),
    "destroyed": Fact("has no models left", lambda _, unit: not unit.figures),
    "on_table": Fact("stands on the table", lambda _, unit: unit.on_table),
    "reserve": Fact(
        'where it is if not on the table: "deploy", "scout", "ambush", or ""', lambda _, u: u.reserve or ""
    ),
    "places": Fact("[x, y] of each model", lambda _, u: [[in_inches(f.x), in_inches(f.y)] for f in u.figures]),
    "heights": Fact("height at which each model stands", lambda _, unit: [in_inches(f.z) for f in unit.figures]),
    "used": Fact(
        "Limited weapons that are used up, by name",
        lambda _, unit: sorted({w.partition(" [")[0] for f in unit.figures for w in f.used}),
    ),
    "effects": Fact("what spells have laid on it", lambda _, unit: [str(k) for k in unit.effects]),
    "coherent": Fact("is in coherency", lambda _, unit: is_coherent(unit)),
    "start": count("its starting size, a joined Hero included", lambda _, unit: unit.start),
    "gaps": Fact("inches to other units on the table: { archers = 1 }", _gaps),
}


def _losses(battle: Battle, events: Events) -> dict[str, int]:
    lost = dict.fromkeys(battle.units, 0)
    for event in events:
        if isinstance(event, FigureLost):
            lost[event.unit] = lost.get(event.unit, 0) + 1
    return lost


def _spell_hits(events: Events) -> int:
    """The hits of spells, which nobody rolls for: the Defense rolls that follow a casting roll (AOF-SR-CASTER-10)."""
    hits = 0
    of_a_spell = False
    for event in events:
        if isinstance(event, HitsRolled | ImpactRolled | CastingRolled):
            of_a_spell = isinstance(event, CastingRolled)
        elif of_a_spell and isinstance(event, DefenseRolled):
            hits += event.hits
    return hits


def _hits(battle: Battle, events: Events) -> int:
    return sum(e.hits for e in events if isinstance(e, HitsRolled | ImpactRolled)) + _spell_hits(events)


OF_BATTLE: Final[Mapping[str, Fact]] = {
    "attacks": count("attack dice rolled", lambda _, e: sum(x.attacks for x in e if isinstance(x, HitsRolled))),
    "hits": count(
        "hits: extra, multiplied and Impact hits included, and those of spells once their Defense dice are rolled",
        _hits,
    ),
    "hits_on": Fact(
        "for each hit roll in turn, the lowest face that hit",
        lambda _, e: [x.needed for x in e if isinstance(x, HitsRolled)],
    ),
    "blocks_on": Fact(
        "for each Defense roll in turn, the lowest face that blocked",
        lambda _, e: [x.needed for x in e if isinstance(x, DefenseRolled)],
    ),
    "wounds": count(
        "hits that were not blocked", lambda _, e: sum(x.wounds for x in e if isinstance(x, DefenseRolled))
    ),
    "impact_dice": count(
        "Impact dice rolled", lambda _, e: sum(len(x.faces) for x in e if isinstance(x, ImpactRolled))
    ),
    "losses": Fact("models lost by unit: { levy = 2 }; units not named may have lost any number", _losses),
    "lost": count("models lost by all units", lambda battle, events: sum(_losses(battle, events).values())),
    "round": OF_EVERY_BATTLE["round"],
    "first": Fact("the side that activates first this round", lambda battle, _: battle.first + 1),
    "turn": Fact("the side whose turn it is", lambda battle, _: battle.turn + 1),
    "objectives": Fact(
        "who holds each objective: 1, 2, or 0 for nobody",
        lambda battle, _: [0 if o.owner is None else o.owner + 1 for o in battle.objectives],
    ),
    "markers": Fact(
        "[x, y] of each objective", lambda battle, _: [[in_inches(o.x), in_inches(o.y)] for o in battle.objectives]
    ),
    "score": Fact("objectives held by each side", lambda battle, _: list(score(battle))),
    "edge": Fact('side 1\'s edge, "low" or "high"', lambda battle, _: battle.edge[0]),
    "edges": Fact(
        'the pair of edges, "long" or "short"',
        lambda battle, _: "long" if battle.axis == axis_between(battle.table) else "short",
    ),
    **OF_EVERY_BATTLE,
}
