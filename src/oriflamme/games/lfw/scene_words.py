"""The words of cases of Last Fantasy War: keys of a scene, and what may be expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import OF_EVERY_BATTLE, Fact, Question, Sentence, count
from oriflamme.engine.geometry.measure import in_inches
from oriflamme.games.lfw.events.attacks import DefenceRolled, HitsRolled
from oriflamme.games.lfw.experience import experience_of
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.ground import distance, distance_between, in_melee, melees, touching_enemies
from oriflamme.games.lfw.measures import ADDED
from oriflamme.games.lfw.names import declared_names
from oriflamme.games.lfw.objectives import saved_by
from oriflamme.games.lfw.profile import CHARACTERISTICS
from oriflamme.games.lfw.scenarios.book import SCENARIOS, scenario_of
from oriflamme.games.lfw.scenes import (
    army_scenes,
    attack_scenes,
    campaign_scenes,
    magic_scenes,
    melee_scenes,
    move_scenes,
    scenario_scenes,
    turn_scenes,
)
from oriflamme.games.lfw.secondary import OBJECTIVES
from oriflamme.games.lfw.setup import drawn_from
from oriflamme.games.lfw.sight import cover_of, hidden, is_lit, sees
from oriflamme.games.lfw.state import Battle, Model, Part
from oriflamme.games.lfw.stats import stat_of
from oriflamme.games.lfw.tokens import SUPPLIES, TREASURE, lying

CHAPTERS: Final = (
    attack_scenes,
    melee_scenes,
    move_scenes,
    magic_scenes,
    turn_scenes,
    scenario_scenes,
    army_scenes,
    campaign_scenes,
)
SENTENCES: Final[Sequence[Sentence]] = tuple(sentence for chapter in CHAPTERS for sentence in chapter.SENTENCES)
QUESTIONS: Final[Mapping[str, Question]] = {
    ask: question for chapter in CHAPTERS for ask, question in chapter.QUESTIONS.items()
}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    field: words for chapter in CHAPTERS for field, words in chapter.VALUES.items()
}

# -- keys of a scene ---------------------------------------------------------------------------------------------------

WEAPON: Final = {
    "id": "its name in the case",
    "name": "what it is called",
    "range": "inches; without one it is a melee weapon",
    "attack": "Attack, a number or a formula such as D3",
    "strength": "Strength",
    "rules": "special rules, by their English or French names",
}
SHEET: Final = {
    "type": "its type",
    "role": "its tactical role",
    "base": "diameter in mm",
    "height": "silhouette in inches; from its type unless it says so",
    "vitality": "living, dead or neutral",
    "armour": "it has armour",
    "M": "Movement, inches",
    "CC": "Combat skill, 4 for 4+",
    "CT": 'Shooting skill, 4 for 4+; "none" for none',
    "CP": "Parry",
    "E": "Dodge",
    "D": "Defence, 4 for 4+",
    "Pv": "Life points on the sheet",
    "Co": "Courage, 7 for 7+",
    "Pc": "Command points on the sheet",
    "Pm": "Magic points on the sheet",
    "weapons": "its weapons; bare hands unless it says so",
    "rules": "special rules, by their English or French names",
    "adc": "command abilities it knows, by their ids",
    "domains": "domains of magic it knows",
    "spells": "spells it knows, by their ids",
    "notes": "commander, legend",
    "specialisations": "specialisations open to it",
    "behaviour": "a behaviour that dictates what it does",
}
PART: Final = {
    "cost": "points of its sheet; none unless it says so",
    "left": "life points left; all of them unless it says so",
    "most": "the most life points it can have; those of its sheet unless it says so",
    "crippled": "what being crippled does to it; where half are lost it is slow unless it says so",
    "pc": "command points left",
    "pm": "magic points left",
    "specialisation": "what it is a specialist of",
    "level": "its level",
    "skills": "skills of a specialist, by their names",
    "effects": "what lies on it",
    "duel": "the unit it fights a duel with",
    "used": "what it has done this turn",
    "targeted": "command abilities it was the target of this turn",
}
EFFECT: Final = {
    "source": "a spell, an ability or a rule by its id",
    "until": "how long it lasts",
    "rules": "special rules it gives; those that the spell or ability gives unless it says so",
}
MODEL: Final = {
    "side": "its side",
    "at": '[x, y] in inches, or "3in ahead of orc" or "touching left of orc"',
    "elevation": "how high it stands, in inches; from the terrain unless it says so",
    "board": "the inside it stands in, by its id (mill_inside): `at` is then counted from the corner of that board",
    "place": "where it is; on the table unless it says so",
    "mount": "its mount: it is the rider of a duo",
    "moved": "the move it has made this turn",
    "charged": "it has charged this turn",
    "stood": "it made no move in its last movement phase",
    "fleeing": "it has a flight marker",
    "began_fleeing": "it had one when the turn began; as fleeing unless it says so",
    "flew": "it made a flying move",
    "fought": "it took part in a combat this turn",
    "bystander": "it stands by a duel",
    "declared": "targets of the charge it has declared",
    "causes": "why it tests its courage in the morale phase: lost_combat, terror, fire, suppression, a spell by its id",
    "treasure": "the treasure it holds",
}
# Those of a side are told for the first two.
NOTES: Final = {
    "secret": "lists are not revealed yet",
    "campaign": "it is a battle of a campaign",
    "saved": "treasures that each side has saved: [1, 0]",
    "points": 'SCN1: points that were chosen: ["keep", "yard"]',
    "forced_by": "SCN2: sides that have forced the passage",
    "holder": "SCN5: who holds the hill",
    "held": "SCN5: for how many turns it has been held",
    "secondary": 'SCN8: the objective of each side: ["attrition", "supremacy"]',
    "improvised": 'SCN8: the objective that all have besides: "preservation"',
    "investigated": 'corners in which a side has investigated: [["0", "north_west"]]',
    "investigating": 'who investigates in which corner: [["ann", "north_west"]]',
    "eliminated": "LEG1: sides that have nobody left",
    "torches": 'LEG2: who carries a torch: ["ann"]',
    "territory": "LEG5: the number of the defender's territory, 0 or 1",
    "champions": 'LEG5: the champion of each side: ["ann", "bob"]',
    "fallen": "LEG5: sides whose champion has fallen",
    **{f"aim_{side}": 'LEG4: the aim of that side: "kill", or "killed" once it is reached' for side in (0, 1)},
    **{f"fled_{side}": "LEG5: the champion of that side has fled" for side in (0, 1)},
    **{f"gained_{id}": "SCN8: what each side has from it: [2, 0]" for id in OBJECTIVES},
}
# Where a scene says what lies on the table.
TREASURE_KEYS: Final = {TREASURE: "treasures", SUPPLIES: "supplies"}
KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "battle": {
        "sides": "number of sides; as many as units name, two at least",
        "turn": "the turn",
        "phase": "the phase",
        "night": "it is night; as the scenario has it unless it says so",
        "ceiling": "there is a ceiling over the table; as the scenario has it unless it says so",
        "tide": "what the army nobody owns is made of, by the name of a roster that ships",
        "closed": "openings that are closed, by their ids, besides those the table closes",
        "open": "openings that are open though the table closes them",
        "order": "the sides in order of initiative: [2, 1]",
        "players": "sides that somebody plays, all unless it says so; the last one may be an army nobody owns",
        "teams": "a number for each side; sides with the same number are friends",
        "roles": "the role of each side in the scenario",
        "scenario": "a scenario by its id; none unless it says so",
        "last_turn": "the last turn, if it is known",
        "points": "what armies were written for",
        "score": "victory points of each side",
        "treasures": "treasures that lie on the table: { chest = [12, 12] }; those of the scenario unless it says so",
        "supplies": "supplies that lie on the table, in the same way",
        "notes": "what the scenario keeps track of; sides are counted from 0 where they are numbers. Besides those "
        "listed: failures_barn = 1 and turned_barn = true of any place that is searched (SCN7), and in a campaign what "
        "specialists have done",
    },
    "battle.notes": NOTES,
    "given.<unit>": {**MODEL, **SHEET, **PART},
    "given.<unit>.mount": {**SHEET, **PART},
    "given.<unit>.weapons[]": WEAPON,
    "given.<unit>.mount.weapons[]": WEAPON,
    "given.<unit>.effects[]": EFFECT,
    "given.<unit>.mount.effects[]": EFFECT,
}
SPECIMEN: Final[Mapping[str, Any]] = {
    "battle": {"notes": {}, "treasures": {}, "supplies": {}},
    "given": {
        "levy": {
            "side": 1,
            "at": [1, 1],
            "weapons": [{"id": "sword"}],
            "effects": [{"source": "LFW-SPELL-W2", "until": "turn", "rules": []}],
            "mount": {"weapons": [{"id": "hooves"}], "effects": [{"source": "LFW-SPELL-W2"}]},
        }
    },
}

# -- what may be expected ----------------------------------------------------------------------------------------------

Found = tuple[Model, Part]


def _reach(kind: str) -> Fact:
    return Fact(f"inches of its {kind} move", lambda battle, found: gait_of(battle, found[0], kind).inches)


def _stat(name: str) -> Fact:
    def read(battle: Battle, found: Found) -> int | None:
        value = stat_of(battle, found[1], name)
        return None if value is None else value.value

    return Fact(f"{name} as it is now", read)


def _gaps(battle: Battle, found: Found) -> dict[str, float]:
    model = found[0]
    return {other.id: in_inches(distance(battle, model, other)) for other in battle.there() if other is not model}


def _at(battle: Battle, found: Found) -> list[float]:
    body = found[0].body
    board = next((board for board in battle.table.boards if board.id == found[0].board), None)
    x, y = (board.x, board.y) if board is not None else (0.0, 0.0)
    return [in_inches(body.x - x), in_inches(body.y - y)]


def _seen(battle: Battle, model: Model) -> list[str]:
    return [enemy.id for enemy in battle.enemies_of(model) if sees(battle, model, enemy)]


def _hidden(battle: Battle, found: Found) -> dict[str, float]:
    return {o.id: round(hidden(battle, found[0], o), 3) for o in battle.there() if o is not found[0]}


def _cover(battle: Battle, found: Found) -> dict[str, int]:
    return {o.id: cover_of(battle, found[0], o) for o in battle.there() if o is not found[0]}


OF_UNIT: Final[Mapping[str, Fact]] = {
    "left": count("life points left", lambda _, found: found[1].pv),
    "most": count("the most life points it can have", lambda _, found: found[1].most),
    "experience": Fact(
        "what it has earned in a battle of a campaign", lambda battle, found: experience_of(battle, found[1])
    ),
    "crippled": Fact('"slow", "unsteady", "both" or ""', lambda _, found: found[1].crippled),
    "destroyed": Fact("it is destroyed", lambda _, found: found[1].destroyed),
    "pc": count("command points left", lambda _, found: found[1].pc),
    "pm": count("magic points left", lambda _, found: found[1].pm),
    "duel": Fact("the unit it duels with", lambda _, found: found[1].duel),
    "rules": Fact("its own special rules", lambda _, found: [str(rule) for rule in found[1].sheet.rules]),
    "effects": Fact("what lies on it, by source", lambda _, found: [effect.source for effect in found[1].effects]),
    "used": Fact("what it has done this turn", lambda _, found: sorted(found[1].used)),
    "role_in_duo": Fact('"rider", "mount" or ""', lambda _, found: found[1].role),
    "place": Fact('"table", "reserve", "gone" or "saved"', lambda _, found: found[0].place),
    "moved": Fact("the move it has made this turn", lambda _, found: found[0].moved),
    "charged": Fact("it has charged this turn", lambda _, found: found[0].charged),
    "fleeing": Fact("it has a flight marker", lambda _, found: found[0].fleeing),
    "fought": Fact("it took part in a combat", lambda _, found: found[0].fought),
    "to_shoot": Fact("it has a shooting marker", lambda _, found: found[0].to_shoot),
    "to_fight": Fact("it has a combat marker", lambda _, found: found[0].to_fight),
    "bystander": Fact("it stands by a duel", lambda _, found: found[0].bystander),
    "declared": Fact("targets of its charge", lambda _, found: list(found[0].declared)),
    "causes": Fact("kinds of causes for a morale test", lambda _, found: [kind for kind, _ in found[0].causes]),
    "treasure": Fact("the treasure it holds", lambda _, found: found[0].treasure),
    "behaviour": Fact("the behaviour it follows", lambda _, found: found[0].behaviour),
    "at": Fact("[x, y] in inches, counted from the corner of the board it is on", _at),
    "elevation": Fact("how high it stands", lambda _, found: in_inches(found[0].body.z)),
    "board": Fact("the building it is in", lambda _, found: found[0].board),
    "base": Fact("diameter in mm", lambda _, found: round(2 * found[0].body.radius, 2)),
    "in_melee": Fact("it is in a melee", lambda battle, found: in_melee(battle, found[0])),
    "touches": Fact(
        "enemies in contact", lambda battle, found: [enemy.id for enemy in touching_enemies(battle, found[0])]
    ),
    "sees": Fact("enemies it sees", lambda battle, found: _seen(battle, found[0])),
    "hidden": Fact("the hidden part of others from where it is: { orc = 0.25 }", _hidden),
    "cover": Fact("the dodge of cover that others have from it: { orc = 1 }", _cover),
    "lit": Fact("it is lit at night", lambda battle, found: is_lit(battle, found[0])),
    "gaps": Fact("inches to others on the table: { orc = 3 }", _gaps),
    "moves": Fact(
        "inches of its moves by kind",
        lambda battle, found: {kind: gait_of(battle, found[0], kind).inches for kind in (*ADDED, "engagement")},
    ),
    **{name: _stat(name) for name in CHARACTERISTICS},
    "Pv": Fact("Pv as it is now", lambda battle, found: found[1].most),
    **army_scenes.OF_UNIT,
}
RELATIVE: Final = frozenset(
    {"in_melee", "touches", "gaps", "moves", "sees", "hidden", "cover", "lit", *CHARACTERISTICS}
)


def _kills(battle: Battle, _: Any) -> list[dict[str, str]]:
    return [{"unit": kill.victim, "by": kill.by, "how": kill.how} for kill in battle.kills]


def _lying(battle: Battle, _: Any) -> dict[str, list[float]]:
    return {token.id: [in_inches(token.x), in_inches(token.y)] for token in lying(battle)}


def _objectives(battle: Battle, _: Any) -> list[list[float]]:
    return [[in_inches(number) for number in place] for place in scenario_of(battle).places(battle)]


def _scenario(battle: Battle, _: Any) -> dict[str, Any]:
    plan = scenario_of(battle)
    width, depth = plan.size
    return {
        "title": dict(declared_names()["scenario"].get(plan.id, {})),
        "special_rule": dict(declared_names()["victory"].get(plan.id, {})),
        "list": "legendary" if plan.legendary else "classic",
        "players": list(plan.players),
        "roles": list(plan.roles(battle.players)),
        "size": [width, depth],
        "format": plan.points,
        "secondary": plan.secondary,
    }


def _drawn(battle: Battle, _: Any) -> dict[str, bool]:
    open_to = drawn_from(battle.players)
    return {plan.id: plan in open_to for plan in SCENARIOS.values()}


def _known_to(side: int) -> Any:
    def read(battle: Battle, _: Any) -> list[str]:
        view = battle.copy()
        view.hide(side)
        return list(view.units)

    return read


def _bands(battle: Battle, _: Any) -> dict[str, dict[str, float]]:
    sides = range(battle.sides)
    return {
        str(one + 1): {
            str(other + 1): in_inches(distance_between(battle, battle.own(one), battle.own(other)))
            for other in sides
            if other != one
        }
        for one in sides
    }


def _of(kind: type, field: str) -> Any:
    return lambda _, events: [getattr(event, field) for event in events if isinstance(event, kind)]


SCENARIO_KEYS: Final = {
    "title": "in both languages",
    "special_rule": "the rule that says who wins, in both languages",
    "list": '"classic" or "legendary"',
    "players": "[fewest, most]",
    "roles": "of the sides of the scene",
    "size": "[width, depth] of its table",
    "format": "points of an army",
    "secondary": "secondary objectives are used",
}
OF_BATTLE: Final[Mapping[str, Fact]] = {
    **OF_EVERY_BATTLE,
    "turn": Fact("the turn", lambda battle, _: battle.round),
    "phase": Fact("the phase", lambda battle, _: battle.phase),
    "order": Fact("the sides in order of initiative", lambda battle, _: [side + 1 for side in battle.order]),
    "winners": Fact("sides that have won", lambda battle, _: [side + 1 for side in battle.winners]),
    "score": Fact("victory points of each side", lambda battle, _: list(battle.score)),
    "last_turn": Fact("the last turn, 0 if it is not known", lambda battle, _: battle.last_turn),
    "kills": Fact("who was destroyed: [{ unit, by, how }]", _kills),
    "melees": Fact("the melees, by their units", lambda battle, _: [list(group) for group in melees(battle)]),
    "successes": Fact("successes of each hit or combat roll", _of(HitsRolled, "successes")),
    "criticals": Fact("critical hits of each", _of(HitsRolled, "criticals")),
    "strengths": Fact("strength against which each defence test was made", _of(DefenceRolled, "strength")),
    "results": Fact("modified result of each defence test", _of(DefenceRolled, "result")),
    "wounds": Fact("wounds each defence test left, before protections", _of(DefenceRolled, "wounds")),
    "notes": Fact("what the scenario keeps track of", lambda battle, _: dict(battle.notes)),
    "treasures": Fact("treasures that lie on the table: { chest = [12, 12] }", _lying),
    "objectives": Fact("strategic points and treasures, [x, y, radius] in inches", _objectives),
    "saved": Fact("treasures that each side has saved", lambda battle, _: list(saved_by(battle))),
    "scenario": Fact("the scenario as it is shown", _scenario, keys=SCENARIO_KEYS),
    "drawn_from": Fact("which scenarios may be drawn for so many players: { scn6 = false }", _drawn),
    "known_to_1": Fact("units that side 1 knows of", _known_to(0)),
    "known_to_2": Fact("units that side 2 knows of", _known_to(1)),
    "bands": Fact("inches between sides: { 1 = { 2 = 6 } }", _bands),
    "measuring": Fact("anybody may measure now", lambda battle, _: not battle.measuring_rule),
    "closed": Fact("openings that are closed", lambda battle, _: sorted(battle.closed)),
    "night": Fact("it is night", lambda battle, _: battle.night),
}
