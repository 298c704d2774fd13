"""Cases of Conquest: how a scene is laid out, what a sentence means, and what may be expected.

Places and lengths of a case are in inches, angles in degrees: a facing of 0 looks north, away from the south edge, and
grows to the left. A regiment without a place stands in its own half, looking at the enemy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from math import cos, pi, radians, sin
from typing import Any

from msgspec import to_builtins

from oriflamme.engine.blocks.bodies import Pose, advanced, sidled, wheeled
from oriflamme.engine.cases.scenes import (
    Deed,
    Make,
    Scenes,
    Sentence,
    neighbour,
    steps_of,
)
from oriflamme.engine.core.decisions import Decision, Manoeuvre
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Box, ahead
from oriflamme.engine.words.notices import described, listed, quoted
from oriflamme.engine.words.problems import Problems, Reader, did_you_mean, problem_with
from oriflamme.games.tlaok.army.cards import CONDITIONS, Supremacy
from oriflamme.games.tlaok.army.factions import read_changes, read_rules
from oriflamme.games.tlaok.army.fielding import gifts_of
from oriflamme.games.tlaok.characters.abilities import take_the_field
from oriflamme.games.tlaok.losses.aftermath import resolve_queue
from oriflamme.games.tlaok.losses.healing import heal
from oriflamme.games.tlaok.losses.morale import breaks
from oriflamme.games.tlaok.losses.wounds import Cause, fall, lose_character, take_wounds
from oriflamme.games.tlaok.measures import CLASSES, FACES, TYPES
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.profile import CHARACTERISTICS, Profile, Spell, parse_barrage, parse_event
from oriflamme.games.tlaok.regiment.command import take_posts
from oriflamme.games.tlaok.rounds.actions import ACTIONS, CHARACTER_ACTIONS, Action
from oriflamme.games.tlaok.rounds.activation import end_activation, next_action, take_action, why_not_action
from oriflamme.games.tlaok.rounds.lines import check_lines, draw_lines
from oriflamme.games.tlaok.rounds.rounds import begin_round
from oriflamme.games.tlaok.rounds.victory import SCENARIOS, zones_of
from oriflamme.games.tlaok.scene_words import FLAGS, KEYS, OF_BATTLE, OF_UNIT, QUESTIONS, SPECIMEN, VALUES
from oriflamme.games.tlaok.scene_written import written
from oriflamme.games.tlaok.scenes import charge_scenes, strike_scenes
from oriflamme.games.tlaok.scenes.army_scenes import ARMY
from oriflamme.games.tlaok.scenes.army_scenes import SENTENCES as MUSTERS
from oriflamme.games.tlaok.scenes.strike_scenes import case_steps, in_play
from oriflamme.games.tlaok.setup import BEFORE_BATTLE
from oriflamme.games.tlaok.state import Activation, Battle, Character, Effect, Regiment, Stand, Step
from oriflamme.games.tlaok.terrain.field import field_advice, field_problems
from oriflamme.games.tlaok.terrain.ground import terrain_with

USUAL = {"march": 5, "volley": 2, "clash": 2, "attacks": 4, "wounds": 4, "resolve": 3, "defence": 2, "evasion": 0}
_BESIDE = re.compile(
    r"^\s*(?:(\d+(?:\.\d*)?)\s*in|touching)\s+(ahead of|behind|left of|right of)\s+(\S+?)"
    r"(?:\s+shifted\s+(-?\d+(?:\.\d*)?)\s*in)?\s*$"
)
FARTHEST = 1000  # inches or degrees that an answer may name
# Where it stands, as the other looks: the face of the other that it is beside.
BESIDE = {"ahead of": "front", "behind": "rear", "left of": "left", "right of": "right"}


class TlaokScenes(Scenes):
    """The case format of Conquest; docs/cases.md is its description."""

    steps = case_steps
    unit = "regiment"
    questions = QUESTIONS
    of_battle = OF_BATTLE
    of_unit = OF_UNIT
    keys = KEYS
    army = ARMY
    values = VALUES
    specimen = SPECIMEN
    relative = frozenset({"gaps", "touching", "contacts", "sees", "arcs"})
    numbers = ("stands", "fallen")
    cards = frozenset({"profile"})
    states = ("stands", "fallen", "files", *FLAGS, "hurt", "lost", "initial", "reserve", "garrison")

    def begin(self, top: Reader, state: Reader, options: dict[str, str], dice: Dice) -> Battle:
        scenario = state.choice("scenario", tuple(SCENARIOS), default="attrition")
        width, depth = SCENARIOS[scenario].size
        table = self.table(top, (float(width), float(depth)))
        battle = Battle(table.table, options, dice, scenario=scenario)
        battle.round = state.integer("round", low=0, high=10, default=1)
        battle.first = state.integer("first", low=1, high=2, default=1) - 1
        battle.turn = state.integer("turn", low=1, high=2, default=1) - 1
        score = state.integers("score", low=0, high=99, default=[0, 0])
        if len(score) == 2:
            battle.score = (score[0], score[1])
        else:
            state.problem("score", f"{score}; there are two sides", hint="write score = [3, 1]")
        edge = state.choice("edge", ("south", "north"), default="south")
        battle.edges = ("south", "north") if edge == "south" else ("north", "south")
        if state.flag("zones", default=True):
            battle.zones_of_objectives = zones_of(scenario, battle.edges)
        battle.stacks, battle.secrets, battle.decks = (
            _pair(state, "stack"),
            _pair(state, "secondaries"),
            _pair(state, "deck"),
        )
        battle.stacks = (battle.stacks[0][::-1], battle.stacks[1][::-1])
        battle.lore = {**battle.lore, "secondaries": _conditions(state)}
        for side, hand in enumerate(battle.secrets, 1):
            for card in hand:
                if card not in battle.lore["secondaries"]:
                    state.unknown(f"secondaries_{side}", card, battle.lore["secondaries"], what="card")
        return battle

    def read_unit(self, battle: Battle, name: str, reader: Reader) -> None:
        _regiment(battle, name, reader)

    def place(self, battle: Battle, given: Mapping[str, Reader], problems: Problems) -> None:
        _stand_all(battle, given)
        _touch(battle, given)

    def finish(self, battle: Battle, given: Mapping[str, Reader]) -> Battle:
        draw_lines(battle)
        if battle.log is not None:
            battle.log.clear()
        return battle

    def goes_on(self, battle: Battle, acts: str) -> list[tuple[Any, ...]]:
        """The rest of the round; before the first, and where no card is left to draw, from its beginning."""
        if not battle.round:
            return [("begin_round",)]
        first = [("activate", acts, False)] if acts else []
        return [*first, ("draw_card",), ("victory_phase",), ("begin_round",)]

    def sentence(self, battle: Battle, acts: str) -> str:
        return f"{acts} activates" if acts else "a round begins"

    def written(self, battle: Battle) -> dict[str, Any]:
        return written(battle)

    def answer(self, battle: Battle, decision: Decision, raw: Any) -> Any:
        return _manoeuvre(battle, decision, raw) if isinstance(decision, Manoeuvre) else raw

    def names(self, battle: Battle) -> set[str]:
        stands = [s for r in battle.units.values() for s in (*r.figures, *r.fallen)]
        found = {*battle.units, *(s.id for s in stands), *(p.id for p in battle.table.pieces), *ACTIONS}
        found |= {spell.id for s in stands for spell in s.profile.spells} | {k.title for k in book.declared.values()}
        found |= {r.character.id for r in battle.units.values() if r.character is not None}
        found |= {character.id for _, _, character in battle.unattached} | {z.id for z in battle.zones_of_objectives}
        found |= {card for cards in (*battle.stacks, *battle.secrets, *battle.decks) for card in cards}
        return found | {name for known in battle.lore.values() for name in known} | {"free_reform", "trample"}


def _pair(state: Reader, key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What each side has, under `key_1` and `key_2`."""
    return tuple(state.texts(f"{key}_1", default=[])), tuple(state.texts(f"{key}_2", default=[]))


# -- regiments ---------------------------------------------------------------------------------------------------------


def _profile(name: str, reader: Reader, kind: str, weight: str, *, character: bool = False) -> Profile | None:
    """What the scene says of a stand, the usual where it says nothing."""
    numbers = {key: reader.integer(key, low=0, high=20, default=USUAL[key]) for key in CHARACTERISTICS}
    rules = reader.texts("rules", default=[])
    barrages, keywords = [], []
    for rule in rules:
        barrage = parse_barrage(rule)
        if barrage is not None:
            barrages.append(barrage)
            continue
        try:
            keywords.append(book.parse(rule))
        except UnknownKeyword as unknown:
            reader.problem("rules", unknown.problem)
            return None
    events = []
    for event in reader.texts("events", default=[]):
        try:
            events.append(parse_event(event))
        except (UnknownKeyword, KeyError, ValueError) as unknown:
            reader.problem("events", str(unknown))
            return None
    spells = [_spell(entry) for entry in reader.tables("spells", required=False)]
    card = reader.text("card", default=name)
    return Profile(
        card, {"en": card, "fr": card}, kind, weight, numbers, keywords, barrages, events, spells, character=character
    )


def _spell(entry: Reader) -> Spell:
    id = entry.text("id", default="spell")
    effect = _spell_effect(entry.table("effect", required=False))
    return Spell(
        id,
        {"en": id, "fr": id},
        entry.integer("range", low=0, high=72, default=12),
        entry.integer("attunement", low=0, high=6, default=3),
        entry.flag("scaling", default=False),
        entry.integer("needed", low=1, high=9, default=2),
        entry.choice("target", ("friend", "enemy", "self"), default="enemy"),
        "hits" in effect or "hits_per_success" in effect,
        effect,
    )


def _spell_effect(entry: Reader) -> dict[str, Any]:
    """What a spell does, as faction files say it (TLAOK-MAGIC-14)."""
    effect: dict[str, Any] = {}
    for key in ("hits", "hits_per_success", "heal", "heal_per_success"):
        if entry.has(key):
            effect[key] = entry.integer(key, low=1, high=20)
    if entry.flag("rally", default=False):
        effect["rally"] = True
    rules = read_rules(entry, "rules", "spell")
    if rules:
        effect["rules"] = list(rules)
    changes = read_changes(entry)
    if changes:
        effect["changes"] = to_builtins(changes)
    return effect


def _abilities(battle: Battle, reader: Reader) -> dict[str, Any]:
    """The card of a character with the supremacy abilities a scene gives him, as faction files have them."""
    found = []
    for entry in reader.tables("abilities", required=False):
        id = entry.text("id")
        ability = Supremacy(
            id,
            {"en": id},
            {"en": id},
            entry.choice("on", ("own_regiment", "warband", "friends", "enemies"), default="friends"),
            entry.choice("uses", ("once", "each_round", "always"), default="once"),
            entry.flag("anywhere", default=False),
            entry.integer("count", low=0, high=12, default=0),
            entry.integer("within", low=0, high=72, default=0),
            _words(entry, "types", TYPES),
            _words(entry, "classes", CLASSES),
            read_changes(entry),
            entry.integer("heal", low=0, high=12, default=0),
            entry.flag("rally", default=False),
        )
        found.append(to_builtins(ability))
    battle.lore = {**battle.lore, "abilities": {**battle.lore["abilities"], **{a["id"]: a for a in found}}}
    return {"supremacies": [{**a, "changes": a.get("changes", [])} for a in found]}


def _words(entry: Reader, key: str, known: Sequence[str]) -> tuple[str, ...]:
    """A list of words of a closed set."""
    named = entry.texts(key, default=[])
    for word in named:
        if word not in known:
            entry.unknown(key, word, known)
    return tuple(word for word in named if word in known)


def _conditions(state: Reader) -> dict[str, Any]:
    """What secondary objectives ask for, by their names (TLAOK-SEC-04)."""
    found: dict[str, Any] = {}
    for name, entry in state.named_tables("cards", required=False).items():
        when = entry.choice("when", CONDITIONS, what="condition", rule="TLAOK-SEC-04")
        asked: dict[str, Any] = {"when": when, **CONDITIONS.get(when, {})}
        for key in CONDITIONS.get(when, {}):
            if entry.has(key):
                known = {"types": TYPES, "classes": CLASSES}.get(key)
                asked[key] = list(_words(entry, key, known)) if known else entry.integer(key, low=1, high=48)
        found[name] = asked
    return found


def _effects(reader: Reader) -> tuple[Effect, ...]:
    """What has been laid on a regiment or a character, until the round ends; nothing if an entry is wrong."""
    before = len(reader.problems)
    changes = read_changes(reader, "effects")
    if len(reader.problems) > before:
        return ()
    made = []
    for number, change in enumerate(changes, 1):
        try:
            made.append(change.effect("case", "TLAOK-PROF-18", "round"))
        except UnknownKeyword as unknown:
            reader.problem(f"effects[{number}].grant", unknown.problem, hint="a Barrage is given with rules")
    return tuple(made)


def _regiment(battle: Battle, name: str, reader: Reader) -> None:
    """A regiment of a scene: its profile, its stands, its character, and what has befallen it."""
    side = reader.integer("side", low=1, high=2, default=1) - 1
    kind = reader.choice("type", TYPES, default="infantry")
    weight = reader.choice("class", CLASSES, default="medium")
    profile = _profile(name, reader, kind, weight)
    number = reader.integer("stands", low=1, high=20, default=1 if kind in ("monster", "chariot") else 3)
    models = tuple(reader.texts("command", default=[]))
    if profile is None:
        return
    roles: list[tuple[str, tuple[str, ...]]] = [("stand", ())] * number
    if models and kind == "infantry":
        roles[0] = ("command", models)
    elif models:
        roles[: len(models)] = [("command" if m == "leader" else "stand", (m,)) for m in models]
    stands = [Stand(f"{name}.{n}", profile, role, carried) for n, (role, carried) in enumerate(roles, 1)]
    character = None
    if reader.has("character"):
        table = reader.table("character")
        id = table.text("id", default=f"{name}_hero")
        own = _profile(id, table, kind, "", character=True)
        if own is None:
            return
        if table.flag("own", default=False):
            # He is a regiment of his own (TLAOK-CHAR-06).
            own = profile
        character = Character(id, own, warlord=table.flag("warlord", default=False), card=_abilities(battle, table))
        character.effects = _effects(table)
        hero = Stand(id, own, "character")
        hero.wounds = table.integer("hurt", low=0, high=20, default=0)
        for flag in ("activated", "acted", "bound"):
            setattr(character, flag, table.flag(flag, default=False))
        if own is not profile:
            stands.append(hero)
    officers = {
        id: {"changes": to_builtins(read_changes(table))}
        for id, table in reader.named_tables("officers", required=False).items()
    }
    regiment = Regiment(name, side, profile, stands, character, {"officers": officers} if officers else None)
    for stand in stands:
        take_posts(regiment, stand)
    if character is not None:
        regiment.affect(*gifts_of(character))
    regiment.warband = reader.integer("warband", low=0, high=20, default=0)
    for flag in FLAGS:
        setattr(regiment, flag, reader.flag(flag, default=False))
    regiment.affect(*_effects(reader))
    fallen = [Stand(f"{name}.lost{n + 1}", profile) for n in range(reader.integer("fallen", low=0, high=20, default=0))]
    if reader.has("lost_command"):
        models = tuple(reader.texts("lost_command"))
        for carried in [models] if kind == "infantry" else [(model,) for model in models]:
            role = "command" if kind == "infantry" or "leader" in carried else "stand"
            fallen.append(Stand(f"{name}.lost{len(fallen) + 1}", profile, role, carried))
    regiment.fallen = fallen
    regiment.initial = reader.integer("initial", low=1, high=30, default=len(stands) + len(fallen))
    regiment.started = reader.integer("started", low=1, high=30, default=len(stands))
    regiment.lost = reader.integer("lost", low=0, high=30, default=0)
    regiment.remained = reader.integer("remained", low=0, high=30, default=len(stands) if regiment.broken else 0)
    regiment.garrison = reader.text("garrison", default="")
    if reader.value("reserve") in (None, ""):
        take_the_field(regiment)
    else:
        regiment.reserve = reader.choice("reserve", ("reinforcements", "arriving"), default="reinforcements")
    wounds = reader.integer("hurt", low=0, high=19, default=0)
    if wounds:
        bearer = next((s for s in reversed(regiment.figures) if s.role == "stand"), regiment.figures[0])
        bearer.wounds = wounds
    if reader.flag("command_hurt", default=False) and regiment.command is not None:
        regiment.command.wounds = 1
    placed = regiment.placed
    files = reader.integer("files", low=1, high=20, default=min(placed, 4 if placed <= 4 else -(-placed // 2)))
    drawn = regiment.formations(min(files, placed))[0]
    if reader.has("lean"):
        drawn = drawn._replace(lean=1 if reader.choice("lean", ("left", "right"), default="left") == "right" else 0)
    regiment.draw_up(drawn)
    for key in ("at", "facing", "touches"):
        reader.value(key)
    battle.units[name] = regiment


def _stand_all(battle: Battle, given: Mapping[str, Reader]) -> None:
    """Put the regiments where the scene says; those without a place stand in their half, side by side."""
    placed: list[str] = []
    free = [0, 0]
    for name, reader in given.items():
        regiment = battle.units[name]
        if regiment.garrison:
            known = [terrain.id for terrain in terrain_with(battle.table, "garrison")]
            if regiment.garrison not in known:
                hint = did_you_mean(regiment.garrison, known) or "put a building among the pieces of the table"
                reader.problem("garrison", f"no garrison {quoted(regiment.garrison)} on the table", hint=hint)
                continue
            outline = battle.table.piece(regiment.garrison).outline
            regiment.stand_at(outline.cx, outline.cy, 0.0)
            placed.append(name)
        if regiment.reserve is not None or regiment.garrison:
            continue
        at = reader.value("at")
        south = battle.edges[regiment.side] == "south"
        facing = radians(reader.number("facing", low=-360, high=720, default=0.0 if south else 180.0))
        if at is None:
            number = free[regiment.side]
            free[regiment.side] += 1
            shift = 12 * ((number + 1) // 2) * (1 if number % 2 else -1)
            spot = (battle.table.width / 2 + shift * INCH, (8 * INCH if south else battle.table.depth - 8 * INCH))
            regiment.stand_at(*spot, facing)
        elif isinstance(at, str):
            _stand_beside(battle, regiment, at, placed, reader)
        elif isinstance(at, list) and len(at) == 2 and all(_is_number(n) for n in at):
            regiment.stand_at(at[0] * INCH, at[1] * INCH, facing)
        else:
            hint = 'write at = [24, 12] or at = "6in ahead of pikes"'
            reader.problem("at", f"{described(at)} is not a place", hint=hint)
        placed.append(name)
    for name, reader in given.items():
        regiment = battle.units[name]
        # Judged by its stands: where its last rank is short, its rectangle may hang over the edge.
        outside = (s for s in regiment.figures if not battle.table.holds(s.base, s.x, s.y, s.facing))
        if regiment.on_table and not regiment.garrison and any(outside):
            reader.problem("at", f"{name} stands off the table", "TLAOK-FORM-09")


def _stand_beside(battle: Battle, regiment: Regiment, at: str, placed: list[str], reader: Reader) -> None:
    """So far from a face of another, its front towards that face; touching is contact, flush and in the middle."""
    match = _BESIDE.match(at)
    if match is None:
        reader.problem(
            "at", f"{quoted(at)} is not a place", hint='write "6in ahead of pikes" or "touching left of pikes"'
        )
        return
    if not neighbour(battle.units, placed, regiment.id, match.group(3), reader, "regiment"):
        return
    other = battle.units[match.group(3)]
    face = BESIDE[match.group(2)]
    turn = {"front": 0.0, "left": pi / 2, "rear": pi, "right": -pi / 2}[face]
    way = other.facing + turn
    dx, dy = ahead(way)
    box = other.footprint
    half = (box.depth if face in ("front", "rear") else box.width) / 2
    apart = half + float(match.group(1) or 0) * INCH + regiment.footprint.depth / 2
    aside = float(match.group(4) or 0) * INCH
    # Shifted to the right as one looks at the face from outside.
    sx, sy = cos(way + pi) * aside, sin(way + pi) * aside
    regiment.stand_at(other.x + dx * apart + sx, other.y + dy * apart + sy, way + pi)
    if reader.has("facing"):
        regiment.stand_at(regiment.x, regiment.y, radians(reader.number("facing", low=-360, high=720)))
    if match.group(1) is None and other.side != regiment.side:
        battle.engage(regiment, "front", other, face)


def _touch(battle: Battle, given: Mapping[str, Reader]) -> None:
    """`touches = { orcs = "left" }`: in contact with them, who touch this face of it with their front."""
    for name, reader in given.items():
        touching = reader.value("touches") or {}
        if not isinstance(touching, dict):
            reader.problem("touches", f"expected a table, found {touching!r}", hint='write touches = { orcs = "left" }')
            continue
        for other, face in touching.items():
            if other not in battle.units or face not in FACES:
                reader.problem("touches", f"{other} = {face!r}", hint='write touches = { orcs = "left" }')
            else:
                battle.engage(battle.units[name], face, battle.units[other], "front")


def _manoeuvre(battle: Battle, decision: Manoeuvre, raw: Any) -> Any:
    """A march in inches and degrees: "stay", { ahead = 5 }, { back = 2 }, { left = 2 }, { right = 2 }, a list of legs
    such as [{ wheel = "left", degrees = 30 }, { ahead = 4 }], or poses [x, y, facing]."""
    id = next(iter(decision.blocks))
    if raw == "stay":
        return {}
    if isinstance(raw, str):
        return charge_scenes.flush_answer(battle, decision, raw)
    if isinstance(raw, dict) and "facing" in raw:
        x, y, _ = decision.blocks[id]
        return {id: [[x, y, radians(_number(raw, "facing", alone=True))]]}
    legs = [raw] if isinstance(raw, dict) else raw
    if not isinstance(legs, list) or not legs:
        raise _no_march(raw)
    if all(isinstance(leg, list) for leg in legs):
        return {id: [_pose(leg) for leg in legs]}
    if all(_is_number(leg) for leg in legs):
        return {id: [_pose(legs)]}
    if not all(isinstance(leg, dict) for leg in legs):
        raise _no_march(raw)
    return {id: _walked(battle, decision, legs)}


def _walked(battle: Battle, decision: Manoeuvre, legs: list[dict[str, Any]]) -> list[list[float]]:
    """Legs are walked as they are written: a path that begins where the regiment stands, or at the edge."""
    from oriflamme.games.tlaok.movement.entry import Entrance
    from oriflamme.games.tlaok.regiment.formation import Formation

    id = next(iter(decision.blocks))
    pose, box = Pose(*decision.blocks[id]), battle.units[id].footprint
    if "at" in legs[0]:
        if "edge" not in decision.about:
            raise problem_with("answer", "at is for regiments that come in over an edge", where="at")
        # Where along the edge it comes in, in the formation that was chosen.
        gate = Entrance(battle, battle.units[id], Formation(*decision.about["formation"]), decision.about["edge"])
        pose = gate.pose(_number(legs[0], "at", alone=True) * INCH)
        box, legs = Box(gate.body.width, gate.body.depth), legs[1:]
    path = [list(pose)]
    for leg in legs:
        if "turn" in leg:
            pose = charge_scenes.turned(pose, _number(leg, "turn", alone=True))
        elif "wheel" in leg:
            if set(leg) != {"wheel", "degrees"} or leg["wheel"] not in ("left", "right"):
                raise _no_march(leg)
            # In two, so that half a turn and more is told apart from the turn the other way.
            half = radians(_number(leg, "degrees") / 2)
            path.append(list(wheeled(pose, box.width, box.depth, leg["wheel"], half)))
            pose = wheeled(pose, box.width, box.depth, leg["wheel"], 2 * half)
        elif len(leg) != 1 or next(iter(leg)) not in ("ahead", "back", "left", "right"):
            raise _no_march(leg)
        else:
            ((way, _),) = leg.items()
            length = _number(leg, way) * INCH * (1 if way in ("ahead", "right") else -1)
            pose = advanced(pose, length) if way in ("ahead", "back") else sidled(pose, length)
        path.append(list(pose))
    return path


def _pose(written: list[Any]) -> list[float]:
    if len(written) not in (2, 3) or not all(_is_number(n) for n in written):
        raise problem_with("answer", f"{written!r} is not a place", hint="write [x, y, facing] in inches and degrees")
    x, y, *facing = written
    return [x * INCH, y * INCH, *(radians(f) for f in facing)]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= FARTHEST


def _number(leg: dict[str, Any], key: str, *, alone: bool = False) -> float:
    """The number under a key of a leg, which may have to be its only key."""
    if alone and set(leg) != {key}:
        raise _no_march(leg)
    value = leg[key]
    if not _is_number(value):
        raise problem_with("answer", f"expected a number, found {described(value)}", where=key)
    return float(value)


def _no_march(written: Any) -> Problems:
    hint = 'write "stay", { ahead = 5 }, [{ wheel = "left", degrees = 30 }, { ahead = 4 }] or [x, y, facing]'
    return problem_with("answer", f"{described(written)} is not a move", hint=hint)


# -- sentences ---------------------------------------------------------------------------------------------------------

NEXT = ("draw_card", "begin_round", "victory_phase")
steps = partial(steps_of, stop=NEXT)


@case_steps.step
def case_action(battle: Battle, id: str, action: str, character: bool) -> Step:
    """One action because a case says so."""
    regiment = battle.units[id]
    battle.turn = regiment.side
    battle.acting = Activation(id, character=character)
    yield from take_action(battle, regiment, (CHARACTER_ACTIONS if character else ACTIONS)[action])


@case_steps.step
def case_round(battle: Battle) -> None:
    """The next round, up to its end."""
    begin_round(battle)


@case_steps.step
def case_granted(battle: Battle, id: str, action: str, free: bool, taken: bool) -> Step:
    """Its actions, with one more of a kind that some rule gives; `taken` is a free one that it has performed before."""
    battle.acting = Activation(id)
    if taken:
        yield from take_action(battle, battle.units[id], ACTIONS[action], free=True)
    else:
        battle.acting.allowed = ((action, free),)
    battle.then(next_action)


@case_steps.step
def case_stand(battle: Battle, id: str, x: float, y: float) -> None:
    """A regiment is put somewhere else, however it got there; from reinforcements too."""
    regiment = battle.units[id]
    if regiment.reserve is not None:
        take_the_field(regiment)
    regiment.stand_at(x * INCH, y * INCH, regiment.facing)


@case_steps.step
def case_lines(battle: Battle) -> None:
    """An activation has ended (TLAOK-ENTRY-08)."""
    check_lines(battle)


@case_steps.step
def case_settle(battle: Battle) -> Step:
    yield from resolve_queue(battle)


def _action(*, character: bool = False) -> Make:
    """`pikes performs march`: this one action, by the rules that offer it."""

    def make(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
        known = CHARACTER_ACTIONS if character else ACTIONS
        _check_action(battle, battle.units[match["regiment"]], known[_known_action(match["action"], known)])
        return Deed([("case_action", match["regiment"], match["action"], character)], {}, NEXT)

    return make


def _granted(*, taken: bool) -> Make:
    """An activation with one more action of a kind that some rule gives."""

    def make(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
        in_play(battle.units[match["regiment"]])
        free = taken or bool(match["free"])
        return Deed(
            [("case_granted", match["regiment"], _known_action(match["action"], ACTIONS), free, taken)], {}, NEXT
        )

    return make


def _known_action(name: str, known: Mapping[str, Action]) -> str:
    if name not in known:
        raise problem_with("do", f"no action {quoted(name)}", hint=did_you_mean(name, known) or listed(known))
    return name


def _check_action(battle: Battle, regiment: Regiment, action: Action) -> None:
    """An action of a case is one that could be chosen; raises Problems with the refusal if it could not."""
    who = f"the character of {regiment.id}" if action.character else regiment.id
    in_play(regiment)
    if action.character and (regiment.character is None or regiment.hero is None):
        raise problem_with("do", f"{regiment.id} has no character", hint='give it one: character = { id = "lord" }')
    before = battle.acting
    battle.acting = Activation(regiment.id, character=action.character)
    refusal = why_not_action(battle, regiment, action)
    battle.acting = before
    if refusal is not None:
        hint = f'activate it and expect refused = {{ answer = "{action.id}", by = "{refusal.rule}" }}'
        raise problem_with("do", f"{who} may not {action.id}: {refusal}", hint=hint)


@case_steps.step
def case_wounds(battle: Battle, id: str, wounds: int, by: str, face: str, morale: bool) -> Step:
    """Wounds because a case says so: of a Clash if somebody causes them."""
    regiment = battle.units[id]
    if by:
        face = face or battle.contacts.get(id, {}).get(by, "")
    what = "clash" if by else "terrain"
    yield from take_wounds(battle, regiment, wounds, Cause("TLAOK-WOUND-01", what, by, face, morale, bool(by)))


@case_steps.step
def case_heal(battle: Battle, id: str, points: int) -> Step:
    yield from heal(battle, battle.units[id], points, "TLAOK-HEAL-01")


@case_steps.step
def case_break(battle: Battle, id: str) -> None:
    breaks(battle, battle.units[id], "TLAOK-BROKEN-03")


@case_steps.step
def case_slain(battle: Battle, id: str) -> Step:
    yield from lose_character(battle, battle.units[id], "TLAOK-CHAR-10")


@case_steps.step
def case_leaderless(battle: Battle, id: str) -> Step:
    command = battle.units[id].command
    assert command is not None
    yield from fall(battle, battle.units[id], command, Cause("TLAOK-WOUND-16", "case", morale=False))


@case_steps.step
def case_end(battle: Battle, id: str) -> None:
    battle.acting = Activation(id)
    battle.then(end_activation)


def _wounds(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """`levy suffers 5 wounds`, `levy suffers 5 wounds from orcs`: these in melee, with morale, on the face they touch
    or on the one that is named."""
    by, face = match["target"] or "", match["face"] or ""
    morale = bool(by or match["morale"])
    return Deed([("case_wounds", match["regiment"], int(match["number"]), by, face, morale)], {}, NEXT)


def _loses(whom: str) -> Make:
    """`levy loses its character`, `levy loses its command stand`: he falls, or it does, and nothing else."""

    def make(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
        regiment = battle.units[match["regiment"]]
        hero = whom == "character"
        if (regiment.hero if hero else regiment.command) is None:
            raise problem_with("do", f"{regiment.id} has no {whom}")
        return Deed([("case_slain" if hero else "case_leaderless", regiment.id)], {}, NEXT)

    return make


def _character(battle: Battle, id: str) -> str:
    """A character of the scene by his id; raises Problems."""
    known = [r.character.id for r in battle.units.values() if r.character is not None]
    if id not in known:
        hint = did_you_mean(id, known) or (f"there are {listed(known, 'and')}" if known else "there is none")
        raise problem_with("do", f"no character {quoted(id)} in the scene", hint=hint)
    return id


SENTENCES: list[Sentence] = [
    *MUSTERS,
    *strike_scenes.SENTENCES,
    Sentence("the edges are chosen", "a roll-off, and the winner's choice", steps(("choose_edges",))),
    Sentence(
        "the battle begins",
        "edges, characters, secondary objectives, and the start of round 1",
        steps(*((step.__name__,) for step in BEFORE_BATTLE), stop=("reinforcement_phase",)),
    ),
    Sentence("secondary objectives are drawn", "and some discarded", steps(("draw_secondaries",))),
    Sentence(
        "the table is checked",
        "what the book forbids of a table; expect problems",
        lambda battle, match, top: Deed(problems=field_problems(battle.table, battle.scenario)),
    ),
    Sentence(
        "the table is looked over",
        "what the book recommends against (TLAOK-GARR-01); expect problems",
        lambda battle, match, top: Deed(problems=field_advice(battle.table, battle.scenario)),
    ),
    Sentence("a round begins", "its beginning alone", steps(("begin_round",), stop=("reinforcement_phase",))),
    Sentence("reinforcements are called", "that phase alone", steps(("reinforcement_phase",), stop=("command_phase",))),
    Sentence("the stacks are built", "the Command Phase", steps(("command_phase",), stop=("supremacy_phase",))),
    Sentence(
        "the first player is found",
        "the Supremacy Phase: the roll-off, then the abilities",
        steps(("supremacy_phase",), stop=("action_phase",)),
    ),
    Sentence(
        "a card is drawn", "one card, up to its activation", steps(("draw_card",), stop=("activate", "victory_phase"))
    ),
    Sentence("the Action Phase is played", "on to its end", steps(("action_phase",), stop=("victory_phase",))),
    Sentence("a round is played", "the next round, up to its end", steps(("case_round",), stop=("begin_round",))),
    Sentence(
        "<regiment> stands at <x> <y>",
        "it is put there, however it got there",
        steps(lambda b, m: ("case_stand", m["regiment"], float(m["x"]), float(m["y"]))),
    ),
    Sentence("the lines are checked", "the reinforcement lines after an activation", steps(("case_lines",))),
    Sentence("cards are drawn", "on to the end of the Action Phase", steps(("draw_card",), stop=("victory_phase",))),
    Sentence("the round is scored", "the Victory Phase alone", steps(("victory_phase",), stop=("begin_round",))),
    Sentence(
        "the round ends",
        "points are scored, and the next round begins unless the battle is over",
        steps(("victory_phase",), ("begin_round",), stop=("reinforcement_phase",)),
    ),
    Sentence(
        "<regiment> (is activated|activates)",
        "a whole activation: draw event, two actions, its end",
        steps(lambda b, m: ("activate", m["regiment"], False)),
    ),
    Sentence(
        "character <character> (is activated|activates)",
        "his whole activation, and the chain with his regiment if his side has cards left",
        steps(lambda b, m: ("activate", _character(b, m["character"]), False)),
    ),
    Sentence(
        "<regiment> is activated with an additional [<free:free> ]<action>",
        "with one more action that some rule gives",
        _granted(taken=False),
    ),
    Sentence(
        "<regiment> is activated after a free <action>",
        "it has performed a free action that some rule gave",
        _granted(taken=True),
    ),
    Sentence(
        "<regiment> performs <action>",
        f"one action, by the rules that offer it, and what it leaves to be settled: {', '.join(ACTIONS)}. An action "
        "that could not be chosen is a mistake of the case, told with its rule; to show a refusal activate it",
        _action(),
    ),
    Sentence(
        "the character of <regiment> performs <action>",
        f"one action of its character: {', '.join(CHARACTER_ACTIONS)}",
        _action(character=True),
    ),
    Sentence(
        "everything is settled",
        "what actions, wounds and losses left to be settled: gaps are closed, the attack is pressed, a garrison taken",
        steps(("case_settle",)),
    ),
    Sentence(
        "<regiment> suffers <number> wound[s][ from <target>][ on its <face:front|rear|left|right>]"
        "[ <morale:and tests morale>]",
        "a pool of wounds that nobody tests morale for, unless it says so; from somebody they are of a Clash, on the "
        "face that he touches or that is named, with morale",
        _wounds,
    ),
    Sentence(
        "<regiment> is healed <number>",
        "so many wounds",
        steps(lambda b, m: ("case_heal", m["regiment"], int(m["number"]))),
    ),
    Sentence(
        "<regiment> ends its activation", "what comes at its end", steps(lambda b, m: ("case_end", m["regiment"]))
    ),
    Sentence("<regiment> breaks", "it becomes Broken", steps(lambda b, m: ("case_break", m["regiment"]))),
    Sentence("<regiment> loses its character", "he falls, and nothing else", _loses("character")),
    Sentence("<regiment> loses its command stand", "it falls, and nothing else", _loses("command stand")),
]
TlaokScenes.sentences = SENTENCES
