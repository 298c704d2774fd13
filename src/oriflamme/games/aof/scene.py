"""Cases of Age of Fantasy: how a scene is laid out, what a sentence means, and what may be expected."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final, Literal

import msgspec

from oriflamme.engine.cases.laying import Laying
from oriflamme.engine.cases.scenes import (
    Deed,
    Make,
    Scenes,
    Sentence,
    read_keywords,
    scaled,
    steps_of,
)
from oriflamme.engine.core.decisions import Decision, Move, Place
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.core.steps import Step
from oriflamme.engine.geometry.measure import INCH, inches, rounded
from oriflamme.engine.geometry.shapes import Disc
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.notices import described, listed, quoted
from oriflamme.engine.words.problems import Problems, Reader, did_you_mean, problem_with
from oriflamme.games.aof.activation import waiting
from oriflamme.games.aof.army_limits import UnitSummary, army_problems, unequal_points
from oriflamme.games.aof.mission import evaluate_objectives
from oriflamme.games.aof.moments import Keyword, book, may_be_laid
from oriflamme.games.aof.morale import lose_melee, shake, test_morale
from oriflamme.games.aof.profile import Profile, Weapon
from oriflamme.games.aof.reading import check_list
from oriflamme.games.aof.rosters import Roster
from oriflamme.games.aof.scene_words import ARMY, KEYS, OF_BATTLE, OF_UNIT, QUESTIONS, SPECIMEN, VALUES, gap_between
from oriflamme.games.aof.scene_written import written
from oriflamme.games.aof.setup import field
from oriflamme.games.aof.spells import Spell
from oriflamme.games.aof.state import Activation, Battle, Figure, Objective, Unit
from oriflamme.games.aof.state import steps as game_steps
from oriflamme.games.aof.tables import axis_between, table_problems
from oriflamme.games.aof.wounds import Harm, take_wounds

_LENGTH = re.compile(r"^\s*(\d+(?:\.\d*)?|\.\d+)\s*(?:in|\")\s*$")
STATES = ("activated", "shaken", "fatigued")
FARTHEST = 240  # inches; no table is larger

# What is done in cases only.
case_steps = game_steps.more()


class AofScenes(Scenes):
    """The case format of Age of Fantasy; docs/cases.md is its description."""

    steps = case_steps
    questions = QUESTIONS
    of_battle = OF_BATTLE
    of_unit = OF_UNIT
    keys = KEYS
    army = ARMY
    values = VALUES
    specimen = SPECIMEN
    relative = frozenset({"gaps"})
    table_size = (72, 48)
    states = ("figures", "start", *STATES, "wounds", "tokens", "reserve", "arrived", "effects")

    def begin(self, top: Reader, state: Reader, options: dict[str, str], dice: Dice) -> Battle:
        table = self.table(top).table
        battle = Battle(table, options, dice)
        battle.round = state.integer("round", low=0, high=4, default=1)
        battle.first = state.integer("first", low=1, high=2, default=1) - 1
        battle.turn = state.integer("turn", low=1, high=2, default=battle.first + 1) - 1
        battle.points = state.integer("points", low=0, default=0)
        battle.axis = axis_between(table, state.choice("edges", ("long", "short"), default="long"))
        if state.choice("edge", ("low", "high"), default="low") == "high":
            battle.edge = ("high", "low")
        last = state.integers("last_activations", low=0, high=200, default=[0, 0])
        if len(last) == 2:
            battle.last_activation = (last[0], last[1])
            battle.count = max(last)
        else:
            state.problem(
                "last_activations", f"expected two numbers, found {described(last)}", hint="one for each side"
            )
        battle.to_place = state.integer("objectives_to_place", low=0, high=5, default=0)
        battle.objectives = _objectives(state, table)
        return battle

    def read_unit(self, battle: Battle, name: str, reader: Reader) -> None:
        _unit(battle, name, reader)

    def read_more(self, battle: Battle, state: Reader) -> None:
        """Who has no unit left to activate ran out of them with his last activation (AOF-ROUND-03)."""
        out = [side for side in (0, 1) if battle.last_activation[side] and not waiting(battle, side)]
        battle.exhausted = tuple(sorted(out, key=lambda side: battle.last_activation[side]))

    def place(self, battle: Battle, given: Mapping[str, Reader], problems: Problems) -> None:
        LAYING.lay(battle, given, problems)

    def goes_on(self, battle: Battle, acts: str) -> list[tuple[Any, ...]]:
        if not battle.round:
            return [("begin_round",)]
        return [*([("activate", acts)] if acts else []), ("next_activation",)]

    def sentence(self, battle: Battle, acts: str) -> str:
        return f"{acts} activates" if acts else "the battle goes on"

    def written(self, battle: Battle) -> dict[str, Any]:
        return written(battle)

    def must_be_there(self, battle: Battle, name: str) -> None:
        super().must_be_there(battle, name)
        reserve = battle.units[name].reserve
        if reserve is not None:
            raise problem_with("do", f"{quoted(name)} is not on the table", hint=f'it has reserve = "{reserve}"')

    def answer(self, battle: Battle, decision: Decision, raw: Any) -> Any:
        if isinstance(decision, Place):
            return _placing(battle, decision, raw)
        if isinstance(decision, Move):
            return _moving(battle, decision, raw)
        return raw

    def names(self, battle: Battle) -> set[str]:
        figures = [f for u in battle.units.values() for f in (*u.figures, *u.fallen)]
        found = {*battle.units, *(f.id for f in figures), *(s.id for u in battle.units.values() for s in u.spells)}
        return found | {w.name for f in figures for w in f.profile.weapons}


def _objectives(state: Reader, table: Table) -> tuple[Objective, ...]:
    made = []
    for entry in state.tables("objectives", required=False):
        at = entry.numbers("at", count=2)
        owner = entry.integer("owner", low=0, high=2, default=0)
        if len(at) != 2:
            continue
        if not (0 <= inches(at[0]) <= table.width and 0 <= inches(at[1]) <= table.depth):
            entry.problem("at", f"{at[0]:g}, {at[1]:g} is off the table")
        made.append(Objective(rounded(inches(at[0])), rounded(inches(at[1])), owner - 1 if owner else None))
    return tuple(made)


# -- units -------------------------------------------------------------------------------------------------------------

MODEL = ("quality", "defense", "tough", "keywords", "weapon", "weapons", "base", "height", "name")


def _keywords(reader: Reader, key: str) -> list[Keyword]:
    found = read_keywords(reader, key, book)
    for laid in found if key in ("effects", "gives") else ():
        if not may_be_laid(laid):
            reader.problem(key, f"{laid.title} cannot be laid by a spell", "AOF-SR-CASTER-06")
    return found


def _range(reader: Reader) -> float:
    value = reader.value("range", 0)
    if isinstance(value, str):
        match = _LENGTH.match(value)
        value = float(match.group(1)) if match else value
    if not LAYING.is_length(value) or not 0 <= value <= FARTHEST:
        reader.problem("range", f"{described(value)} is not a length", hint='write range = 24 or range = "24in"')
        return 0.0
    return inches(value)


def _weapon(reader: Reader, number: int) -> Weapon:
    reach = _range(reader)
    name = reader.text("name", default="weapon" if number == 0 else f"weapon {number + 1}")
    return Weapon(name, reach, reader.integer("attacks", low=0, high=100, default=1), _keywords(reader, "keywords"))


class _Model:
    """What a model of a scene is, before it becomes a Profile: what its unit says, and what it says itself."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.quality = 4
        self.defense = 4
        self.base = 25.0
        self.height = 1.25
        self.keywords: list[Keyword] = []
        self.weapons: list[Weapon] = []

    def read(self, reader: Reader) -> _Model:
        model = _Model(reader.text("name", default=self.name))
        model.quality = reader.integer("quality", low=2, high=6, default=self.quality)
        model.defense = reader.integer("defense", low=2, high=6, default=self.defense)
        model.base = reader.number("base", low=5, high=300, default=self.base)
        model.height = reader.number("height", low=0.1, high=20, default=self.height)
        model.keywords = _keywords(reader, "keywords") if reader.has("keywords") else list(self.keywords)
        tough = reader.integer("tough", low=1, high=60, default=0)
        if tough:
            model.keywords = [k for k in model.keywords if k.title != "Tough"] + [book.parse(f"Tough({tough})")]
        model.weapons = list(self.weapons)
        if reader.has("weapon"):
            model.weapons = [_weapon(reader.table("weapon"), 0)]
        # A row that gives several weapons to a unit which has one means them instead.
        if reader.has("weapons"):
            model.weapons = [_weapon(w, n) for n, w in enumerate(reader.tables("weapons"))]
        return model

    def profile(self) -> Profile:
        return Profile(
            self.name,
            self.quality,
            self.defense,
            self.weapons,
            self.keywords,
            Disc(self.base / 2),
            inches(self.height),
        )


def _unit(battle: Battle, name: str, reader: Reader) -> None:
    """A unit of a scene. Its models are alike, but for those named in `models` and the `hero` that joined it."""
    side = reader.integer("side", low=1, high=2, default=1) - 1
    number = reader.integer("figures", low=0, high=60, default=1)
    common = _Model(name).read(reader)
    profile = common.profile()
    figures = [Figure(f"{name}.{n}", profile) for n in range(1, number + 1)]
    for key, entry in reader.named_tables("models", required=False).items():
        if not key.isdigit() or not 1 <= int(key) <= number:
            entry.problem("", f'no model "{key}"', hint=f"models are numbered from 1 to {number}")
            continue
        special = common.read(entry).profile()
        figures[int(key) - 1] = Figure(f"{name}.{key}", special)
    hero = reader.table("hero", required=False) if reader.has("hero") else None
    if hero is not None:
        common.name = f"{name} hero"
        leader = common.read(hero)
        if not any(k.title == "Hero" for k in leader.keywords):
            leader.keywords.append(book.parse("Hero"))
        figures.append(Figure(f"{name}.hero", leader.profile()))
    unit = Unit(name, side, figures, {"en": name, "fr": name}, _spells(reader))
    unit.reserve = None
    for state in STATES:
        setattr(unit, state, reader.flag(state, default=False))
    # Nothing at all is how a row says: on the table after all.
    if reader.value("reserve") != "":
        unit.reserve = reader.choice("reserve", ("deploy", "scout", "ambush"), default=None)
    if reader.flag("arrived", default=False):
        unit.arrived = battle.round
    unit.effects = book.set_of(_keywords(reader, "effects"))
    unit.start = reader.integer("start", low=max(1, len(figures)), high=99, default=len(figures))
    if not unit.start:
        reader.problem("figures", "a unit of nobody", hint="say with start how many models it had")
    for n in range(unit.start - len(figures)):
        unit.fallen.append(Figure(f"{name}.fallen{n + 1}", profile))
    _marks(unit, reader, "wounds")
    _marks(unit, reader, "tokens")
    for figure in unit.figures:
        if figure.wounds < 0 or figure.wounds >= figure.profile.tough:
            tough = figure.profile.tough
            what = f"{figure.id} cannot have {figure.wounds} wounds" + (f" of {tough}" if tough > 1 else "")
            reader.problem("wounds", what, hint="a living model has fewer than its Tough")
        if not 0 <= figure.tokens <= 6:
            what = f"{figure.id} cannot hold {figure.tokens} tokens"
            reader.problem("tokens", what, "AOF-SR-CASTER-02", hint="a Caster holds 0 to 6")
    _use_up(unit, reader)
    # Where it stands is read when every unit is known.
    for key in ("at", "places", "ranks", "spacing"):
        reader.value(key)
    battle.units[name] = unit


def _marks(unit: Unit, reader: Reader, key: str) -> None:
    """Wounds or tokens: one number for the first model that can have them, or a list, model by model."""
    value = reader.value(key, 0)
    if _is_count(value):
        able = [f for f in unit.figures if (f.profile.tough > 1 if key == "wounds" else f.profile.caster)]
        if value and not able:
            reader.problem(key, f"no model of {unit.id} can have {key}")
        for figure in able[:1]:
            setattr(figure, key, value)
    elif isinstance(value, list) and len(value) == len(unit.figures) and all(map(_is_count, value)):
        for figure, number in zip(unit.figures, value, strict=True):
            setattr(figure, key, number)
    else:
        what = f"expected a number, or a list of {len(unit.figures)}, found {described(value)}"
        reader.problem(key, what, hint="one for each model, the hero last")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _use_up(unit: Unit, reader: Reader) -> None:
    """Limited weapons that have been used: by all models that have them, or model by model."""
    of_each: dict[str, list[str]] = {}
    if isinstance(reader.value("used"), dict):
        entry = reader.table("used")
        for key in entry.names():
            names = entry.texts(key)
            if unit.figure(f"{unit.id}.{key}") is None:
                entry.unknown(key, key, [f.id.partition(".")[2] for f in unit.figures], what="model")
            else:
                of_each[f"{unit.id}.{key}"] = names
    else:
        of_each = dict.fromkeys((f.id for f in unit.figures), reader.texts("used", default=[]))
    for figure in unit.figures:
        used = of_each.get(figure.id, [])
        figure.used = frozenset(w.type for w in figure.profile.weapons if w.name in used)
    had = {w.name for f in unit.figures if f.id in of_each for w in f.profile.weapons}
    for name in sorted({n for names in of_each.values() for n in names} - had):
        reader.unknown("used", name, sorted(had), what="weapon")


def _whom(entry: Reader) -> Literal["enemy", "friend"]:
    return "friend" if entry.choice("targets", ("enemy", "friend"), default="enemy") == "friend" else "enemy"


def _spells(reader: Reader) -> tuple[Spell, ...]:
    made = []
    for id, entry in reader.named_tables("spells", required=False).items():
        if not any(entry.value(key) for key in ("hits", "gives", "heals")):
            entry.problem("", "a spell that does nothing", hint="give it hits, gives or heals")
        made.append(
            Spell(
                id=id,
                name={"en": id, "fr": id},
                value=entry.integer("value", low=1, high=6, default=1),
                range=_range(entry) or inches(18),
                targets=_whom(entry),
                count=entry.integer("count", low=1, high=6, default=1),
                hits=entry.integer("hits", low=0, high=60, default=0),
                hit_rules=tuple(map(str, _keywords(entry, "keywords"))),
                laid_rules=tuple(map(str, _keywords(entry, "gives"))),
                heals=entry.integer("heals", low=0, high=20, default=0),
            )
        )
    return tuple(made)


# -- places ------------------------------------------------------------------------------------------------------------


class AofLaying(Laying[Unit]):
    """How units stand where a scene puts them."""

    measure = "in"
    figures = "models"
    farthest = FARTHEST
    example = 'write at = [36, 20] or at = "12in ahead of archers"'
    off_table = "AOF-MOVE-08"
    on_others = "AOF-MOVE-04"

    def spots(self, unit: Unit, reader: Reader) -> list[tuple[float, float]]:
        files = reader.integer("ranks", low=1, high=60, default=min(5, len(unit.figures)))
        apart = inches(reader.number("spacing", low=0, high=9, default=0.1))
        wide = 2 * max(f.radius for f in unit.figures) + apart
        number = len(unit.figures)
        return [((n % files - (min(files, number) - 1) / 2) * wide, -(n // files) * wide) for n in range(number)]

    def usual(self, battle: Any, side: int, number: int) -> tuple[float, float]:
        x = 36 if number == 0 else 36 + (10 if number % 2 else -10) * ((number + 1) // 2)
        return inches(x), inches(12 if side == 0 else 36)

    def gap(self, one: Unit, other: Unit) -> float:
        return gap_between(one, other)

    def is_laid(self, unit: Unit) -> bool:
        return unit.reserve is None and super().is_laid(unit)

    def check(self, battle: Battle, figure: Figure, problems: Problems) -> None:
        if battle.table.touching(figure.x, figure.y, figure.radius - 0.05, "impassable"):
            hint = "give it a place with at"
            problems.add(f"given.{figure.id}", "stands in impassable terrain", "AOF-MOVE-04", hint=hint)


LAYING: Final = AofLaying()


def _placing(battle: Battle, decision: Place, raw: Any) -> Any:
    """Places in inches: {"levy.1" = [x, y], ...}, [x, y] for one marker, or {at = [x, y], ranks = n} for a unit."""
    if isinstance(raw, list) and len(decision.figures) == 1:
        raw = {decision.figures[0]: raw}
    if not isinstance(raw, dict) or "at" not in raw:
        return scaled(raw, INCH)
    problems = Problems("answer")
    reader = Reader(raw, problems)
    unit = battle.units[decision.about["unit"]]
    spots = LAYING.spots(unit, reader)
    if not LAYING.is_spot(reader.value("at")):
        reader.problem("at", f"{described(raw['at'])} is not a place", hint="write at = [36, 6]")
    reader.finish()
    problems.raise_if_any()
    front = 1.0 if battle.edge[unit.side] == "low" else -1.0
    x, y = inches(raw["at"][0]), inches(raw["at"][1])
    return {f.id: [rounded(x + dx), rounded(y + front * dy)] for f, (dx, dy) in zip(unit.figures, spots, strict=True)}


def _moving(battle: Battle, decision: Move, raw: Any) -> Any:
    """Moves in inches: "stay", {by = [dx, dy]} for all, or {"levy.1" = [x, y]} or a path of points."""
    if raw == "stay":
        return {}
    if not isinstance(raw, dict) or "by" not in raw:
        return scaled(raw, INCH)
    if set(raw) != {"by"} or not LAYING.is_spot(raw["by"]):
        raise problem_with(
            "answer", f"{raw!r} is not a move", where="by", hint="write { by = [0, 6] }, and nothing else"
        )
    dx, dy = inches(raw["by"][0]), inches(raw["by"][1])
    unit = battle.units[decision.about["unit"]]
    return {f.id: [f.x + dx, f.y + dy] for f in unit.figures if f.id in decision.figures}


# -- sentences ---------------------------------------------------------------------------------------------------------

NEXT = ("next_activation", "begin_round")


@case_steps.step
def case_test_morale(battle: Battle, unit_id: str) -> Step:
    """A unit tests its morale because a case says so; a failure shakes it."""
    unit = battle.units[unit_id]
    passed = yield from test_morale(battle, unit)
    if not passed:
        shake(battle, unit)


@case_steps.step
def case_lose_melee(battle: Battle, unit_id: str) -> Step:
    yield from lose_melee(battle, battle.units[unit_id])


@case_steps.step
def case_take_wounds(battle: Battle, unit_id: str, wounds: int, deadly: int, rules: tuple[str, ...]) -> Step:
    """Wounds out of nowhere, as those of a weapon with these rules."""
    harm = Harm(
        (book.set_of(map(book.parse, rules)),),
        deadly,
        regen_first=battle.option("aof.regenVsDeadly") == "beforeMultiply",
        overkill=battle.option("aof.woundCount") == "overkillCounts",
    )
    yield from take_wounds(battle, battle.units[unit_id], wounds, harm)


@case_steps.step
def case_count_objectives(battle: Battle) -> Step | None:
    evaluate_objectives(battle)
    return None


def _activation(action: str | None, **answers: Any) -> Make:
    def make(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
        found = match.groupdict()
        given: dict[str, Any] = dict(answers)
        if action is not None:
            given["choose_action"] = action.format(**found)
        if action in ("hold", "advance") and "target" in found:
            given["choose_target"] = found["target"]
        if found.get("target") == found["unit"] and not found.get("spell"):
            raise problem_with("do", f"{quoted(found['unit'])} cannot attack itself", hint="name another unit")
        if found.get("spell"):
            spell = found["spell"]
            spells = [s.id for s in battle.units[found["unit"]].spells]
            if spell not in spells:
                hint = did_you_mean(spell, spells) or (f"it knows {listed(spells, 'and')}" if spells else None)
                raise problem_with("do", f"{quoted(found['unit'])} knows no spell {quoted(spell)}", hint=hint)
            # Once, and then no more.
            given["choose_spell"] = lambda decision, _: spell if spell in decision.keys() else "none"
            given["choose_spell_target"] = found["target"]
            given["choose_target"] = "none"
        if action in ("hold", "advance") and "target" not in found:
            given["choose_target"] = "none"
        return Deed([("activate", found["unit"])], given, NEXT)

    return make


_steps = partial(steps_of, stop=NEXT)


def _take(battle: Battle, match: re.Match[str]) -> tuple[Any, ...]:
    rules = tuple(r.strip() for r in (match["rules"] or "").split("+") if r.strip())
    try:
        deadly = max((k.x for k in map(book.parse, rules) if k.title == "Deadly"), default=1)
    except UnknownKeyword as unknown:
        raise problem_with("do", unknown.problem) from None
    if len(match["number"]) > 3:
        raise problem_with("do", "so many wounds kill any unit", hint="name at most 999")
    if battle.activation is None:
        battle.activation = Activation(match["unit"], battle.units[match["unit"]].side, "hold")
    return ("case_take_wounds", match["unit"], int(match["number"]), deadly, rules)


def _check_army(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    problems = Problems("army")
    reader = Reader(top.get("army", {}), problems, "army")
    points = reader.integer("points", low=0)
    against = reader.integer("against", low=0, default=points)
    units: list[UnitSummary] = []
    for number, entry in enumerate(reader.tables("units", required=False), 1):
        try:
            unit = msgspec.convert(entry.data, UnitSummary)
        except msgspec.ValidationError as wrong:
            reader.problem(f"units[{number}]", str(wrong).replace("Expected", "expected"))
            continue
        if unit.cost < 0 or unit.models < 1 or any(part.models < 1 for part in unit.parts):
            reader.problem(f"units[{number}]", "cost must be 0 or more, and models 1 or more")
        units.append(unit)
    known = ("points", "against", "units")
    for key in reader.names():
        if key not in known:
            reader.problem(key, "not a known key", hint=did_you_mean(key, known))
    problems.raise_if_any()
    agreed = unequal_points(Roster({}, "", points, ()), Roster({}, "", against, ()))
    return Deed(problems=[*([agreed] if agreed else []), *army_problems(units, points, battle.options)])


def _muster(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """A list as a player writes it: read, checked, and its units made ready to be deployed."""
    try:
        roster = check_list({"game": "aof", **top.get("army", {})}, "army", battle.options)
    except Problems as wrong:
        return Deed(problems=list(wrong))
    for mustered in roster.units:
        unit = field(mustered, int(match["side"]) - 1, battle.units)
        battle.units[unit.id] = unit
    return Deed(problems=[])


def _check_table(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed(problems=table_problems(battle.table, battle.options))


SHOOTS_NOBODY = 'choose_target: "none"'
SENTENCES: list[Sentence] = [
    Sentence("the army is checked", "[army] against AOF-ARMY and AOF-STAFF-01; expect problems", _check_army),
    Sentence(
        "side <side> musters",
        "[army] is a list as a player writes it: it is checked (problems), and its units wait to be deployed",
        _muster,
    ),
    Sentence("the table is checked", "the table against AOF-TABLE; expect problems", _check_table),
    Sentence(
        "the mission is set up",
        "number of objectives, roll-off, placing",
        _steps(("set_up_mission",), stop=(*NEXT, "choose_edge")),
    ),
    Sentence(
        "side <side> places an objective",
        "and so on in turn, as long as there are objectives_to_place",
        _steps(lambda b, m: ("place_objective", int(m["side"]) - 1)),
    ),
    Sentence(
        "the armies deploy",
        'roll-off, edge, reserves, units, Scouts: units with reserve = "deploy"',
        _steps(("choose_edge",)),
    ),
    Sentence(
        "side <side> deploys",
        "alternate deployment from that side on, then Scouts",
        _steps(lambda b, m: ("deploy", int(m["side"]) - 1)),
    ),
    Sentence("units are set aside", "the declaration of reserves", _steps(("set_aside",))),
    Sentence("scouts deploy", "that step alone", _steps(lambda b, m: ("deploy_scouts", b.first))),
    Sentence("ambushers arrive", "that step alone", _steps(lambda b, m: ("arrive_from_ambush", b.first))),
    Sentence("a round begins", "tokens, Ambush arrivals", _steps(("begin_round",), stop=("next_activation",))),
    Sentence(
        "the next unit is chosen",
        "whose turn it is, and which units may be activated; also when tabled = immediateLoss is looked at",
        _steps(("next_activation",), stop=("begin_round", "activate")),
    ),
    Sentence(
        "the round is played",
        "activations in turn until the round has ended; round and first change only with the next a round begins",
        _steps(("next_activation",), stop=("begin_round",)),
    ),
    Sentence("the round ends", "objectives, Fatigue, end of the battle after round 4", _steps(("end_round",))),
    Sentence("the objectives are counted", "the objective step alone", _steps(("case_count_objectives",))),
    Sentence(
        "the battle goes on", "everything from the next activation to the end", _steps(("next_activation",), stop=())
    ),
    Sentence("<unit> activate[s]", "the whole activation; the action is asked for", _activation(None)),
    Sentence(
        "<unit> hold[s]",
        "an activation with Hold; shoots nobody",
        _activation("hold"),
        f'choose_action: "hold", {SHOOTS_NOBODY}',
    ),
    Sentence(
        "<unit> advance[s]",
        "an activation with Advance; asks for move_unit; shoots nobody",
        _activation("advance"),
        f'choose_action: "advance", {SHOOTS_NOBODY}',
    ),
    Sentence(
        "<unit> rush[es]", "an activation with Rush; asks for move_unit", _activation("rush"), 'choose_action: "rush"'
    ),
    Sentence(
        "<unit> charge[s] <target>",
        "Charge: move, counter-move, blows, strike back, result, morale, moves after it",
        _activation("charge:{target}"),
        'choose_action: "charge:<target>"',
    ),
    Sentence(
        "<unit> shoot[s] <target>",
        "Hold, all weapons at that target",
        _activation("hold"),
        'choose_action: "hold", choose_target: <target> for every weapon type',
    ),
    Sentence(
        "<unit> advance[s] and shoot[s] <target>",
        "Advance, all weapons at that target; asks for move_unit",
        _activation("advance"),
        'choose_action: "advance", choose_target: <target> for every weapon type',
    ),
    Sentence(
        "<unit> [hold[s] and ]cast[s] <spell> on <target>",
        "Hold, casting that spell once; the unit must have it among its spells",
        _activation("hold"),
        f'choose_action: "hold", choose_spell: <spell> once and then "none", choose_spell_target: <target>, '
        f"{SHOOTS_NOBODY}",
    ),
    Sentence(
        "<unit> test[s] morale",
        "a Morale Test; failed, the unit is Shaken",
        _steps(lambda b, m: ("case_test_morale", m["unit"])),
    ),
    Sentence(
        "<unit> lose[s] a melee",
        "the Morale Test of a lost melee, with its consequences",
        _steps(lambda b, m: ("case_lose_melee", m["unit"])),
    ),
    Sentence(
        "<unit> take[s] <number> wound[s][ of <rules>]",
        "wounds that were not blocked, from a weapon with these rules, Deadly(3) + Bane; ignoring and allocating them "
        "follows",
        _steps(_take),
    ),
]
AofScenes.sentences = SENTENCES
