"""Cases of Last Fantasy War: how a scene is laid out, what a sentence means, and what may be expected.

Places and lengths of a case are in inches. The sentences of each chapter are in `scenes/`. Of a duo `knight` the rider
is `knight` and the mount `knight.mount`, in sentences, answers and under `units`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import cos, hypot, pi, sin
from typing import Any, Final

from oriflamme.engine.cases.scenes import Scenes, neighbour
from oriflamme.engine.core.decisions import Decision, PickSeveral
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.geometry.measure import INCH, inches
from oriflamme.engine.words.notices import described, quoted
from oriflamme.engine.words.problems import Problems, Reader, guess_or_choices
from oriflamme.games.lfw.abilities import ABILITIES, Ability
from oriflamme.games.lfw.army.reading import note_unknown
from oriflamme.games.lfw.magic import SPELLS, Spell
from oriflamme.games.lfw.measures import TABLE, in_inches
from oriflamme.games.lfw.moments import book, effects, skills
from oriflamme.games.lfw.names import id_named
from oriflamme.games.lfw.objectives import hold
from oriflamme.games.lfw.organisation import ACTIONS
from oriflamme.games.lfw.profile import SPECIALISATIONS
from oriflamme.games.lfw.scenarios.book import NONE, SCENARIOS, scenario_of
from oriflamme.games.lfw.scene_notes import read_notes
from oriflamme.games.lfw.scene_words import (
    KEYS,
    OF_BATTLE,
    OF_UNIT,
    QUESTIONS,
    RELATIVE,
    SENTENCES,
    SPECIMEN,
    TREASURE_KEYS,
    VALUES,
)
from oriflamme.games.lfw.scene_written import written
from oriflamme.games.lfw.scenes import army_scenes, case_steps
from oriflamme.games.lfw.setup import TIDES, recruits
from oriflamme.games.lfw.sheets import read_rules, read_sheet, sheet_of
from oriflamme.games.lfw.specialists import become
from oriflamme.games.lfw.state import CRIPPLED, DURATIONS, MOVES, PHASES, Battle, Effect, Model, Part
from oriflamme.games.lfw.tokens import TREASURES, lay
from oriflamme.games.lfw.walking import stand

_BESIDE: Final = re.compile(
    r"^\s*(?:(\d+(?:\.\d*)?|\.\d+)\s*in|touching)\s+"
    r"(ahead of|behind|left of|right of|at (-?\d+) degrees from)\s+(\S+)\s*$"
)
WAYS: Final = {"ahead of": 90.0, "behind": 270.0, "left of": 180.0, "right of": 0.0}
PLACES: Final = ("table", "reserve", "gone", "saved")
MOST_SIDES: Final = 5


class LfwScenes(Scenes):
    """The case format of Last Fantasy War; docs/cases.md is its description."""

    steps = case_steps
    sentences = SENTENCES
    army = army_scenes.ARMY
    questions = QUESTIONS
    of_battle = OF_BATTLE
    of_unit = OF_UNIT
    keys = KEYS
    values = VALUES
    specimen = SPECIMEN
    relative = RELATIVE
    table_size = TABLE
    cards = frozenset({"sheet"})
    states = ("left", "most", "crippled", "pc", "pm", "used", "duel", "moved", "charged", "stood", "fleeing", "fought",
              "flew", "bystander", "treasure", "place")  # fmt: skip
    off_table = ("place",)

    def begin(self, top: Reader, state: Reader, options: dict[str, str], dice: Dice) -> Battle:
        given = top.data.get("given", {})
        named = [unit.get("side", 1) for unit in given.values() if isinstance(unit, Mapping)]
        most = max([2, *(side for side in named if isinstance(side, int))])
        sides = state.integer("sides", low=1, high=MOST_SIDES, default=min(most, MOST_SIDES))
        scenario = state.choice("scenario", ("", *SCENARIOS), default="")
        battle = Battle(self.table(top).table, sides, options, dice, scenario=scenario)
        plan = SCENARIOS.get(scenario or "", NONE)
        battle.dark = state.flag("night", default=plan.night)
        battle.roofed = state.flag("ceiling", default=plan.roofed)
        tide = state.choice("tide", ("", *TIDES.files), what="tide", default="")
        battle.tide = recruits(TIDES.get(tide)) if tide in TIDES.files else ()
        ids = [opening.id for opening in battle.table.openings]
        for key, shut in (("closed", True), ("open", False)):
            for id in state.texts(key, default=[]):
                if id not in ids:
                    state.unknown(key, id, ids, what="opening")
                battle.closed = battle.closed | {id} if shut else battle.closed - {id}
        battle.round = state.integer("turn", low=0, high=99, default=1)
        battle.phase = state.choice("phase", ("", *PHASES, "turn", "deployment"), default="")
        order = state.integers("order", low=1, high=sides, default=list(range(1, sides + 1)))
        battle.order = tuple(side - 1 for side in order)
        battle.players = state.integer("players", low=1, high=sides, default=sides)
        battle.teams = tuple(state.integers("teams", low=0, high=9, default=[]))
        usual = SCENARIOS[scenario].roles(battle.players) if scenario else ("",) * sides
        battle.roles = tuple(state.texts("roles", default=list(usual)))
        battle.last_turn = state.integer("last_turn", low=0, high=99, default=0)
        battle.points = state.integer("points", low=0, high=9999, default=300)
        battle.score = tuple(state.integers("score", low=-99, high=99, default=[0] * sides))
        notes = state.table("notes", required=False)
        battle.notes = read_notes(battle, notes, list(_parts_of(given)))
        scenario_of(battle).layout(battle)
        if any(key in state.data for key in TREASURE_KEYS.values()):
            battle.tokens = {id: token for id, token in battle.tokens.items() if token.kind not in TREASURES}
        for kind in TREASURES:
            laid = state.table(TREASURE_KEYS[kind], required=False)
            for id in laid.names():
                spot = laid.numbers(id, count=2, low=0, high=99)
                if len(spot) == 2:
                    lay(battle, id, inches(spot[0]), inches(spot[1]), kind)
        return battle

    def read_unit(self, battle: Battle, name: str, reader: Reader) -> None:
        battle.units[name] = _model(battle, name, reader)

    def place(self, battle: Battle, given: Mapping[str, Reader], problems: Problems) -> None:
        _look_up_others(battle, problems)
        _stand_up(battle, given, problems)

    def finish(self, battle: Battle, given: Mapping[str, Reader]) -> Battle:
        """Both of a duel know of it; an army nobody owns follows a behaviour; treasures lie where the scene or its
        scenario says, or are held."""
        _hand_out_treasures(battle)
        scenario_of(battle).heed_notes(battle)
        for model in battle.units.values():
            if model.side == battle.nobody and not model.manner:
                model.manner = "classic"  # the default (LFW-AUTO-C1)
            for part in model.parts:
                if part.duel:
                    battle.part(part.duel).duel = part.id
        return battle

    def goes_on(self, battle: Battle, acts: str) -> list[tuple[Any, ...]]:
        """The phase the scene is in, from its beginning; who acts first in it is chosen there."""
        if not battle.round:
            return [("begin_turn",)]
        return [("begin_phase", battle.phase if battle.phase in PHASES else PHASES[0])]

    def sentence(self, battle: Battle, acts: str) -> str:
        return f"the {battle.phase if battle.phase in PHASES else PHASES[0]} phase is played"

    def written(self, battle: Battle) -> dict[str, Any]:
        return written(battle)

    def answer(self, battle: Battle, decision: Decision, raw: Any) -> Any:
        """Points of a way and places: one that names a board is counted from the corner of that board."""
        if isinstance(decision, PickSeveral) and isinstance(raw, str):
            raw = [raw]
        return super().answer(battle, decision, _on_board(battle, raw))

    def state(self, battle: Battle, unit: str, keys: Iterable[str] | None = None) -> dict[str, Any]:
        """A place that lies beyond the table is one of the plane in which boards lie beside it."""
        state = super().state(battle, unit, keys)
        wanted = keys.get("at") if isinstance(keys, Mapping) else None
        if isinstance(wanted, list) and wanted and _is_number(wanted[0]) and wanted[0] > battle.table.width / INCH:
            body = self.found(battle, unit)[0].body
            state["at"] = [in_inches(body.x), in_inches(body.y)]
        return state

    def must_be_there(self, battle: Battle, name: str) -> None:
        if name not in self.units(battle):
            super().must_be_there(battle, name)

    def found(self, battle: Battle, unit: str) -> tuple[Model, Part]:
        part = battle.part(unit)
        return battle.units[part.model], part

    def units(self, battle: Battle) -> list[str]:
        return [part.id for model in battle.units.values() for part in model.parts]

    def names(self, battle: Battle) -> set[str]:
        found = {
            *self.units(battle),
            *(piece.id for piece in battle.table.pieces),
            *(o.id for o in battle.table.openings),
            *battle.tokens,
            *SPELLS,
            *ABILITIES,
            *ACTIONS,
        }
        found |= {weapon.id for model in battle.units.values() for part in model.parts for weapon in part.weapons}
        return found | {kind.title for each in (book, effects, skills) for kind in each.declared.values()}


def _look_up_others(battle: Battle, problems: Problems) -> None:
    """Units that another names are there: the targets of its charge, the other of its duel."""
    parts = [part.id for model in battle.units.values() for part in model.parts]
    for model in battle.units.values():
        named = [(f"{model.id}.declared", target, list(battle.units)) for target in model.declared]
        for part in model.parts:
            named += [(f"{part.id}.duel", part.duel, parts)] if part.duel else []
        for place, name, known in named:
            if name not in known:
                problems.add(f"given.{place}", f"no unit {quoted(name)}", hint=guess_or_choices(name, known))


def _hand_out_treasures(battle: Battle) -> None:
    """Treasures that somebody holds are on the table with him."""
    for model in battle.units.values():
        if model.treasure:
            if model.treasure not in battle.tokens:
                lay(battle, model.treasure, model.body.x, model.body.y)
            hold(battle, model, model.treasure)


def _on_board(battle: Battle, raw: Any) -> Any:
    if isinstance(raw, dict):
        return {key: _on_board(battle, value) for key, value in raw.items()}
    if not isinstance(raw, list):
        return raw
    boards = {board.id: board for board in battle.table.boards}
    named = [boards[word] for word in raw if isinstance(word, str) and word in boards]
    if not named or not all(_is_number(number) for number in raw[:2]):
        return [_on_board(battle, value) for value in raw]
    rest = [word for word in raw[2:] if word not in boards]
    return [raw[0] + named[0].x / INCH, raw[1] + named[0].y / INCH, *rest]


def _parts_of(given: Any) -> Iterable[str]:
    """The ids of all units of a scene, of riders and of mounts."""
    for name, unit in given.items() if isinstance(given, Mapping) else ():
        yield name
        if isinstance(unit, Mapping) and unit.get("mount"):
            yield f"{name}.mount"


# -- units -------------------------------------------------------------------------------------------------------------


def _model(battle: Battle, name: str, reader: Reader) -> Model:
    """A unit of a scene, or a duo where it has a mount, and what has befallen it."""
    side = reader.integer("side", low=1, high=battle.sides, default=1) - 1
    mounted = reader.has("mount")
    parts = [_part(name, name, side, reader, "rider" if mounted else "")]
    if mounted:
        parts.append(_part(f"{name}.mount", name, side, reader.table("mount"), "mount"))
    model = Model(name, side, parts, {"en": name, "fr": name})
    model.place = reader.choice("place", PLACES, default="table")
    reader.has("board")
    reader.has("elevation")
    model.moved = reader.choice("moved", ("", *MOVES), default="")
    for flag in ("charged", "stood", "fleeing", "flew", "fought", "bystander"):
        setattr(model, flag, reader.flag(flag, default=False))
    model.began_fleeing = reader.flag("began_fleeing", default=model.fleeing)
    model.declared = tuple(reader.texts("declared", default=[]))
    model.causes = tuple((kind, "case") for kind in reader.texts("causes", default=[]))
    model.treasure = reader.text("treasure", default="")
    if model.place in ("gone", "saved"):
        model.figures, model.fallen = [], model.figures
        for part in model.parts if model.place == "gone" else ():
            part.destroyed, part.pv = True, 0
    return model


def _part(id: str, model: str, side: int, reader: Reader, role: str) -> Part:
    """A part: its sheet, life points and what lies on it."""
    data = read_sheet(reader)
    note_unknown(reader, data)
    sheet = sheet_of(id, {"en": id, "fr": id}, reader.integer("cost", low=0, high=9999, default=0), data)
    part = Part(id, model, side, sheet, role=role)
    specialisation = reader.choice("specialisation", ("", *SPECIALISATIONS), default="")
    become(part, specialisation or "", reader.integer("level", low=0, high=4, default=0), _skills(reader))
    part.most = reader.integer("most", low=1, high=40, default=part.most)
    part.pv = reader.integer("left", low=0, high=40, default=part.most)
    part.destroyed = part.pv == 0
    usual = "slow" if 0 < 2 * part.pv <= part.most else ""
    part.crippled = reader.choice("crippled", ("", *CRIPPLED), default=usual)
    part.pc = reader.integer("pc", low=0, high=40, default=part.pc)
    part.pm = reader.integer("pm", low=0, high=40, default=part.pm)
    part.duel = reader.text("duel", default="")
    part.used = frozenset(reader.texts("used", default=[]))
    part.targeted = frozenset(_abilities(reader))
    for entry in reader.tables("effects", required=False):
        part.lay(_effect(entry))
    return part


def _effect(reader: Reader) -> Effect:
    """What lies on a part; of a spell or ability what it gives, unless the rules are written."""
    source = reader.text("source", default="case")
    known = _source(source)
    if known is None and not reader.has("rules") and source != "case" and not source.startswith("LFW-"):
        reader.unknown("source", source, [*SPELLS, *ABILITIES], what="spell or ability")
    usual = known.effect("") if known is not None and not reader.has("rules") else Effect(source, source, "turn")
    until = reader.choice("until", DURATIONS, default=usual.until if usual.until in DURATIONS else "turn")
    rules = read_rules(reader, "rules") if reader.has("rules") else usual.rules
    return Effect(source, usual.rule, until, rules, weapons=usual.weapons, behaviour=usual.behaviour)


def _source(said: str) -> Spell | Ability | None:
    """A spell or command ability by its id, its rule or its name."""
    spell = id_named("spell", said, {id: each.rule for id, each in SPELLS.items()})
    return SPELLS[spell] if spell is not None else _ability(said)


def _ability(said: str) -> Ability | None:
    id = id_named("ability", said, {id: each.rule for id, each in ABILITIES.items()})
    return ABILITIES[id] if id is not None else None


def _abilities(reader: Reader) -> Iterable[str]:
    """The command abilities that a unit was the target of."""
    for said in reader.texts("targeted", default=[]):
        ability = _ability(said)
        if ability is None:
            reader.unknown("targeted", said, ABILITIES, what="ability")
        else:
            yield ability.id


def _skills(reader: Reader) -> tuple[str, ...]:
    found = []
    for text in reader.texts("skills", default=[]):
        try:
            found.append(str(skills.parse(text)))
        except UnknownKeyword as unknown:
            reader.problem("skills", unknown.problem)
    return tuple(found)


# -- places ------------------------------------------------------------------------------------------------------------


def _stand_up(battle: Battle, given: Mapping[str, Reader], problems: Problems) -> None:
    """Put models where the scene says; those without a place stand along the edge of their side, apart."""
    placed: list[str] = []
    free = [0] * battle.sides
    for name, reader in given.items():
        model = battle.units[name]
        if model.place == "reserve":
            continue
        at = reader.value("at")
        if at is None:
            number = free[model.side]
            free[model.side] += 1
            spot = _row(battle, model.side, number)
        elif isinstance(at, str):
            found = _beside(battle, model, at, placed, reader)
            if found is None:
                continue
            spot = found
        elif isinstance(at, list) and len(at) == 2 and all(_is_number(each) for each in at):
            board = reader.choice("board", ("", *(b.id for b in battle.table.boards)), default="")
            # A place inside is counted from the corner of its board.
            beside = battle.table.board(board) if board else None
            spot = (inches(at[0]) + (beside.x if beside else 0.0), inches(at[1]) + (beside.y if beside else 0.0))
        else:
            hint = 'write at = [12, 6] or at = "3in ahead of orc" or at = "touching left of orc"'
            reader.problem("at", f"{described(at)} is not a place", hint=hint)
            continue
        stand(battle, model, *spot)
        if reader.has("elevation"):
            model.body.z = inches(reader.number("elevation", low=-12, high=48))
        placed.append(name)
    there = list(battle.there())
    for number, model in enumerate(there):
        body = model.body
        if not battle.table.holds(body.base, body.x, body.y, 0.0):
            problems.add(f"given.{model.id}", "stands off the table", "LFW-MOVE-08")
        for other in there[:number]:
            apart = hypot(body.x - other.body.x, body.y - other.body.y) - body.radius - other.body.radius
            if apart < -0.05:
                problems.add(f"given.{model.id}", f"stands on {other.id}", "LFW-UNIT-12", "give both a place with at")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 200


def _row(battle: Battle, side: int, number: int) -> tuple[float, float]:
    """A place of its own along the edge of a side."""
    shift = inches(2) * ((number + 1) // 2) * (1 if number % 2 else -1)
    width, depth, far = battle.table.width, battle.table.depth, inches(2)
    return {
        0: (width / 2 + shift, far),
        1: (width / 2 + shift, depth - far),
        2: (far, depth / 2 + shift),
        3: (width - far, depth / 2 + shift),
    }.get(side, (width / 2 + shift, depth / 2))


def _beside(battle: Battle, model: Model, at: str, placed: list[str], reader: Reader) -> tuple[float, float] | None:
    """So many inches from another model, base to base."""
    match = _BESIDE.match(at)
    if match is None:
        reader.problem("at", f"{quoted(at)} is not a place", hint='write "3in ahead of orc" or "touching left of orc"')
        return None
    if not neighbour(battle.units, placed, model.id, match.group(4), reader, "unit"):
        return None
    other = battle.units[match.group(4)].body
    degrees = WAYS.get(match.group(2))
    angle = (degrees if degrees is not None else float(match.group(3))) * pi / 180
    apart = model.body.radius + other.radius + inches(float(match.group(1) or 0))
    return other.x + cos(angle) * apart, other.y + sin(angle) * apart
