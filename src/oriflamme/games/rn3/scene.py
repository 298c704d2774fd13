"""Cases of Rag'Narok 3: how a scene is laid out, what a sentence means, and what may be expected.

Places and lengths of a case are in centimetres. Side 1 looks up the table, side 2 down. A unit without a place stands
in its own half. The sentences of each chapter are in `scenes/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any, Final

from oriflamme.engine.cases.laying import Laying
from oriflamme.engine.cases.scenes import Scenes, read_keywords, scaled
from oriflamme.engine.core.decisions import Allocate, Decision, Move, Place
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.geometry.measure import cm, in_cm, rounded
from oriflamme.engine.words.notices import described, listed, quoted
from oriflamme.engine.words.problems import Problems, Reader, problem_with
from oriflamme.games.rn3.army.companies import read_effect
from oriflamme.games.rn3.contact import unit_gap
from oriflamme.games.rn3.measures import CATEGORIES, FORMATIONS, usual_skills
from oriflamme.games.rn3.moments import book
from oriflamme.games.rn3.orders import ORDERS
from oriflamme.games.rn3.powers import DURATIONS, KINDS, TARGETS, Power
from oriflamme.games.rn3.profile import CHARACTERISTICS, ROLES, Line, Profile
from oriflamme.games.rn3.scene_words import KEYS, OF_BATTLE, OF_UNIT, QUESTIONS, SPECIMEN, VALUES
from oriflamme.games.rn3.scene_written import written
from oriflamme.games.rn3.scenes import (
    army_scenes,
    case_steps,
    command_scenes,
    melee_scenes,
    move_scenes,
    mystic_scenes,
    shoot_scenes,
    trial_scenes,
)
from oriflamme.games.rn3.state import GROUND, PLACES, Battle, Effect, Fighter, Objective, Unit
from oriflamme.games.rn3.tactics import TACTICS

FARTHEST: Final = 600  # centimetres; no table is larger
UNTIL: Final = ("activation", "phase", "turn", "battle")


class Rn3Scenes(Scenes):
    """The case format of Rag'Narok 3; docs/cases.md is its description."""

    steps = case_steps
    sentences = (
        *trial_scenes.SENTENCES,
        *command_scenes.SENTENCES,
        *move_scenes.SENTENCES,
        *melee_scenes.SENTENCES,
        *shoot_scenes.SENTENCES,
        *mystic_scenes.SENTENCES,
        *army_scenes.SENTENCES,
    )
    army = army_scenes.ARMY
    questions = QUESTIONS
    of_battle = OF_BATTLE
    of_unit = OF_UNIT
    keys = KEYS
    values = VALUES
    specimen = SPECIMEN
    relative = frozenset({"gaps", "touches", "free", "power", *shoot_scenes.OF_UNIT, *melee_scenes.OF_UNIT})
    table_size = (180, 120)
    cards = frozenset({"profile"})
    states = (
        *("figures", "start", "formation", "order", "reaction", "routed", "fought", "attacked", "standby", "revealed"),
        *("tactics", "pool", "mana", "faith", "wounds", "place"),
    )
    off_table = ("place",)

    def begin(self, top: Reader, state: Reader, options: dict[str, str], dice: Dice) -> Battle:
        battle = Battle(self.table(top).table, options, dice, scenario=state.text("scenario", default=""))
        battle.round = state.integer("turn", low=0, high=20, default=1)
        battle.turns = state.integer("turns", low=1, high=20, default=6)
        battle.phase = state.text("phase", default="orders")
        battle.first = state.integer("first", low=1, high=2, default=1) - 1
        battle.go = state.integer("go", low=1, high=2, default=battle.first + 1) - 1
        battle.winner_of_authority = state.integer("authority", low=1, high=2, default=1) - 1
        battle.tactic_points = _pair(state, "tactic_points", 99)
        battle.elixir = _pair(state, "elixir", 99)
        battle.score = _pair(state, "score", 999)
        battle.objectives = tuple(
            _objective(entry, n) for n, entry in enumerate(state.tables("objectives", required=False))
        )
        return battle

    def read_unit(self, battle: Battle, name: str, reader: Reader) -> None:
        _unit(battle, name, reader)

    def read_more(self, battle: Battle, state: Reader) -> None:
        for side in (1, 2):
            commander = state.text(f"commander_{side}", default="")
            if commander:
                both = list(battle.commander)
                both[side - 1] = commander
                battle.commander = (both[0], both[1])
        for unit in battle.units.values():
            if unit.summoner and not unit.called_with:
                powers = [p for other in battle.units.values() for f in other.figures for p in f.profile.powers]
                unit.called_with = next((p.id for p in powers if p.summons), "")

    def place(self, battle: Battle, given: Mapping[str, Reader], problems: Problems) -> None:
        LAYING.lay(battle, given, problems)

    def goes_on(self, battle: Battle, acts: str) -> list[tuple[Any, ...]]:
        """The rest of the turn from its orders on; before the first turn, that turn."""
        if not battle.round:
            return [("begin_turn",)]
        rest = ("next_go", "support_phase", "scoring_phase", "upkeep_phase", "tactical_moves", "open_reserves")
        return [*([("activate", acts)] if acts else []), *((step,) for step in (*rest, "reserve_phase", "end_turn"))]

    def sentence(self, battle: Battle, acts: str) -> str:
        return f"{acts} is activated" if acts else "the next go is taken"

    def written(self, battle: Battle) -> dict[str, Any]:
        return written(battle)

    def answer(self, battle: Battle, decision: Decision, raw: Any) -> Any:
        if isinstance(decision, Move):
            return _moving(battle, decision, raw)
        if isinstance(decision, Place):
            return _placing(battle, decision, raw)
        if isinstance(decision, Allocate):
            return melee_scenes.dice_in_cases(decision, raw)
        return raw

    def names(self, battle: Battle) -> set[str]:
        fighters = [f for u in battle.units.values() for f in (*u.figures, *u.fallen)]
        found = {*battle.units, *(f.id for f in fighters), *(f.profile.id for f in fighters), *ORDERS}
        found |= {power.id for f in fighters for power in f.profile.powers} | {o.id for o in battle.objectives}
        found |= {k.title for k in book.declared.values()} | {p.id for p in battle.table.pieces}
        return found | {card for u in battle.units.values() for card in u.cards}


def _pair(state: Reader, key: str, most: int) -> tuple[int, int]:
    found = state.integers(key, low=0, high=most, default=[0, 0])
    if len(found) != 2:
        state.problem(key, f"{found}; there are two sides", hint=f"write {key} = [2, 1]")
        return (0, 0)
    return (found[0], found[1])


def _objective(entry: Reader, number: int) -> Objective:
    at = entry.numbers("at", count=2)
    x, y = at if len(at) == 2 else (0.0, 0.0)
    owner = entry.integer("owner", low=0, high=2, default=0)
    return Objective(
        entry.text("id", default=f"objective_{number + 1}"),
        rounded(cm(x)),
        rounded(cm(y)),
        cm(entry.number("radius", low=0, high=60, default=10)),
        entry.integer("points", low=0, high=99, default=1),
        entry.integer("elixir", low=0, high=9, default=0),
        owner - 1 if owner else None,
    )


# -- units -------------------------------------------------------------------------------------------------------------


class _Card:
    """What a fighter of a scene is, before it becomes a Profile: what its unit says, and what it says itself."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.values: dict[str, Any] = {"category": "infantry", "rank": 1, "base": 30, "mou": 10, "def": 5, "res": 5}
        self.melee = Line(1, 5, 5)
        self.ranged: Line | None = None
        self.skills: list[Any] = []
        self.powers: list[Power] = []

    def read(self, reader: Reader, id: str) -> _Card:
        """The same card with what the reader says over it."""
        card = _Card(id)
        card.values = dict(self.values)
        for key, low, high in _NUMBERS:
            if reader.has(key):
                card.values[key] = reader.integer(key, low=low, high=high)
                if key in _EITHER:
                    card.values.pop(_EITHER[key], None)
        for key, choices in (("category", CATEGORIES), ("role", ROLES)):
            if reader.has(key):
                card.values[key] = reader.choice(key, choices)
        if reader.has("person"):
            card.values["person"] = reader.text("person")
        card.melee = _line(reader.table("melee"), self.melee) if reader.has("melee") else self.melee
        card.ranged = (
            _line(reader.table("ranged"), self.ranged or Line(1, 5, 5)) if reader.has("ranged") else self.ranged
        )
        card.skills = read_keywords(reader, "skills", book) if reader.has("skills") else list(self.skills)
        card.powers = list(self.powers)
        if reader.has("powers"):
            card.powers = [_power(key, entry) for key, entry in reader.named_tables("powers").items()]
        return card

    def profile(self, role: str = "") -> Profile:
        values = dict(self.values)
        if role:
            values.setdefault("role", role)
        if "cou" not in values and "peu" not in values:
            values["cou"] = 5
        values["defence"] = values.pop("def")
        # What its category brings (RN3-CAV-02, -04, -05, RN3-TIT-03).
        usual = [book.parse(text) for text in usual_skills(values["category"], values.get("role", ""))]
        return Profile(
            self.id,
            {"en": self.id, "fr": self.id},
            melee=self.melee,
            ranged=self.ranged,
            skills=[*self.skills, *(skill for skill in usual if skill not in self.skills)],
            powers=self.powers,
            **values,
        )


_EITHER: Final = {"cou": "peu", "peu": "cou"}
_NUMBERS: Final = (
    *(("rank", 1, 3), ("base", 20, 150), ("size", 1, 9), ("hit_points", 1, 30), ("power", 1, 9), ("mou", 0, 40)),
    *(("def", 0, 20), ("res", 0, 20), ("cou", 0, 20), ("peu", 0, 20), ("aut", 0, 20), ("pou", 0, 20), ("foi", 0, 20)),
    *(("elixir", 0, 9), ("return_cost", 0, 9)),
)


def _line(reader: Reader, usual: Line) -> Line:
    return Line(
        reader.integer("dice", low=0, high=20, default=usual.dice),
        reader.integer("att", low=0, high=20, default=usual.att),
        reader.integer("for", low=0, high=20, default=usual.force),
        reader.flag("area", default=usual.area),
        reader.integer("range", low=0, high=300, default=usual.most),
    )


def _power(id: str, reader: Reader) -> Power:
    difficulty = reader.value("difficulty", 0)
    if not (isinstance(difficulty, int) and not isinstance(difficulty, bool)) and difficulty not in CHARACTERISTICS:
        reader.problem("difficulty", f"{described(difficulty)} is no difficulty", hint='write 5, or "res"')
        difficulty = 0
    return Power(
        id,
        reader.choice("kind", KINDS, default="ritual"),
        {"en": id, "fr": id},
        cost=reader.integer("cost", low=0, high=30, default=1),
        difficulty=difficulty,
        target=reader.choice("target", TARGETS, default="enemy"),
        duration=reader.choice("duration", DURATIONS, default="turn"),
        effect=read_effect(reader, id, {"en": id, "fr": id}),
        once=reader.flag("once", default=False),
    )


def _unit(battle: Battle, name: str, reader: Reader) -> None:
    """A unit of a scene. Its fighters are alike, but for those named in `models`; it may have an `incarnate`, and a
    `machine`, whose crew the fighters then are."""
    side = reader.integer("side", low=1, high=2, default=1) - 1
    number = reader.integer("figures", low=0, high=60, default=1)
    common = _Card(name).read(reader, reader.text("card", default=name))
    crew = reader.has("machine")
    profile = common.profile("crew" if crew else "")
    figures = [Fighter(f"{name}.{n}", profile) for n in range(1, number + 1)]
    for key, entry in reader.named_tables("models", required=False).items():
        if not key.isdigit() or not 1 <= int(key) <= number:
            entry.problem("", f'no model "{key}"', hint=f"models are numbered from 1 to {number}")
            continue
        special = common.read(entry, entry.text("card", default=f"{name} {key}"))
        figures[int(key) - 1] = Fighter(f"{name}.{key}", special.profile())
    if reader.has("incarnate"):
        entry = reader.table("incarnate")
        hero = common.read(entry, entry.text("card", default=f"{name} incarnate"))
        hero.values["role"] = "incarnate"
        hero.values.setdefault("aut", 0)
        figures.append(Fighter(f"{name}.incarnate", hero.profile()))
    if crew:
        entry = reader.table("machine")
        machine = common.read(entry, entry.text("card", default=f"{name} machine"))
        machine.values |= {"role": "machine", "category": "war_machine"}
        machine.values.setdefault("hit_points", 3)
        if not entry.has("base"):
            machine.values["base"] = 50
        figures.append(Fighter(f"{name}.machine", machine.profile()))
    unit = Unit(name, side, figures, {"en": name, "fr": name}, profile)
    unit.place = reader.choice("place", PLACES, default="table")
    unit.formation = reader.choice("formation", FORMATIONS, default="dispersed")
    unit.leader = _leader(unit, reader)
    unit.regular_crew = reader.integer("regular_crew", low=1, high=20, default=max(1, unit.strength))
    unit.start = reader.integer("start", low=unit.strength, high=99, default=unit.strength)
    for n in range(unit.start - unit.strength):
        unit.fallen.append(Fighter(f"{name}.fallen{n + 1}", profile))
    for flag in ("routed", "fought", "attacked", "standby", "revealed"):
        setattr(unit, flag, reader.flag(flag, default=False))
    order = reader.text("order", default="")
    unit.order = order or None
    reaction = reader.text("reaction", default="")
    unit.reaction = reaction or None
    unit.tactics = tuple(reader.texts("tactics", default=[]))
    unit.mana = reader.integer("mana", low=0, high=99, default=0)
    unit.faith = reader.integer("faith", low=0, high=99, default=0)
    unit.moved_turn = reader.integer("moved_turn", low=0, high=20, default=0)
    unit.entered = reader.integer("entered", low=0, high=20, default=0)
    unit.edge = reader.choice("edge", ("", "own", "left", "right", "opposite"), default="")
    unit.summoner = reader.text("summoner", default="")
    unit.summoned = reader.integer("summoned", low=0, high=20, default=0)
    unit.called_with = reader.text("called_with", default="")
    unit.cards = tuple(reader.texts("cards", default=[]))
    unit.used_up = tuple(reader.texts("used_up", default=[]))
    unit.points = reader.integer("points", low=0, high=9999, default=0)
    unit.effects = tuple(_effect(entry) for entry in reader.tables("effects", required=False))
    for tactic in unit.tactics:
        if tactic in TACTICS:
            unit.effects += TACTICS[tactic].keyword.lays
        else:
            reader.problem("tactics", f"no tactic {quoted(tactic)}", hint=f"there are {listed(TACTICS, 'and')}")
    unit.card = {"tactics": [_free_tactic(entry) for entry in reader.tables("free_tactics", required=False)]}
    _dice(unit, reader)
    _wounds(unit, reader)
    # Where it stands is read when every unit is known.
    for key in ("at", "places", "ranks", "spacing"):
        reader.value(key)
    battle.units[name] = unit


def _leader(unit: Unit, reader: Reader) -> str:
    """The Incarnate, else who is named, else the first who is not special (RN3-LEAD-02, -03)."""
    named = reader.integer("leader", low=1, high=60, default=0)
    if unit.hero is not None:
        return unit.hero.id
    if named:
        found = unit.figure(f"{unit.id}.{named}")
        if found is None:
            reader.problem("leader", f"no model {named} to lead")
        return found.id if found is not None else ""
    usual = [f for f in unit.figures if f.profile.role in ("troop", "crew", "titan")]
    return next(iter(usual or unit.figures)).id if unit.figures else ""


def _dice(unit: Unit, reader: Reader) -> None:
    """Melee dice: a full reserve unless the scene says how many are left and used (RN3-MELEE-02)."""
    for key, pool, heroic in (("pool", unit.pool, False), ("incarnate_pool", unit.hero_pool, True)):
        mine = [f for f in unit.figures if f.profile.incarnate == heroic and not f.profile.machine]
        pool.left = sum(f.profile.melee.dice for f in mine)
        found = reader.value(key)
        if found is None:
            continue
        numbers = [found] if isinstance(found, int) and not isinstance(found, bool) else found
        if not isinstance(numbers, list) or not 1 <= len(numbers) <= 2 or not all(isinstance(n, int) for n in numbers):
            reader.problem(key, f"{described(found)} is no pool", hint=f"write {key} = 4, or [4, 2] with 2 used dice")
            continue
        pool.used = numbers[1] if len(numbers) == 2 else max(0, pool.left - numbers[0])
        pool.left = numbers[0]


def _wounds(unit: Unit, reader: Reader) -> None:
    """Damage: a number for the first fighter, or a list, one for each fighter, the Incarnate and the machine last."""
    found = reader.value("wounds", 0)
    marks = [found] if isinstance(found, int) and not isinstance(found, bool) else found
    if (
        not isinstance(marks, list)
        or len(marks) > max(1, len(unit.figures))
        or not all(isinstance(n, int) for n in marks)
    ):
        reader.problem("wounds", f"{described(found)} are no wounds", hint="one number for each fighter")
        return
    for figure, wounds in zip(unit.figures, marks, strict=False):
        figure.wounds = wounds
        if not 0 <= wounds < figure.profile.hit_points:
            what = f"{figure.id} cannot have {wounds} of {figure.profile.hit_points}"
            reader.problem("wounds", what, "RN3-GEN-07", "a living fighter has fewer than its hit points")


def _effect(entry: Reader) -> Effect:
    skills = read_keywords(entry, "skill", book) if isinstance(entry.value("skill"), list) else []
    stat = entry.choice("stat", ("", *CHARACTERISTICS), default="")
    return Effect(
        entry.text("source", default="effect"),
        entry.text("rule", default="RN3-MYS-09"),
        entry.choice("until", UNTIL, default="turn"),
        stat=stat,
        amount=entry.integer("amount", low=-20, high=20, default=0),
        skill=skills[0] if skills else None,
    )


def _free_tactic(entry: Reader) -> dict[str, Any]:
    """A tactic that the army list prints for its troop (RN3-TACG-05)."""
    id = entry.text("id", default="drill")
    skills = read_keywords(entry, "skill", book) if isinstance(entry.value("skill"), list) else []
    return {
        "id": id,
        "name": {"en": id, "fr": id},
        "skill": str(skills[0]) if skills else "",
        "stat": entry.choice("stat", ("", *CHARACTERISTICS), default=""),
        "amount": entry.integer("amount", low=-20, high=20, default=0),
    }


# -- places ------------------------------------------------------------------------------------------------------------


class Rn3Laying(Laying[Unit]):
    """How units stand where a scene puts them."""

    measure = "cm"
    figures = "fighters"
    farthest = FARTHEST
    example = 'write [60, 40], "12cm ahead of archers" or "touching ahead archers"'
    off_table = on_others = "RN3-GEN-10"

    def spots(self, unit: Unit, reader: Reader) -> list[tuple[float, float]]:
        """Touching in compact formation, where each rank lies in the hollows of the one before, and 1 cm apart in
        dispersed formation unless `spacing` says otherwise."""
        number = len(unit.figures)
        files = reader.integer("ranks", low=1, high=60, default=min(5, number))
        tight = unit.formation == "compact" and not reader.has("spacing")
        apart = 0.0 if tight else cm(reader.number("spacing", low=0, high=20, default=1.0))
        wide = 2 * max(f.radius for f in unit.figures) + apart
        deep, shift = (wide * sqrt(3) / 2, wide / 2) if tight else (wide, 0.0)
        middle = (min(files, number) - 1) / 2
        return [((n % files - middle) * wide + shift * (n // files % 2), -(n // files) * deep) for n in range(number)]

    def usual(self, battle: Any, side: int, number: int) -> tuple[float, float]:
        x = in_cm(battle.table.width) / 2 + (30 if number % 2 else -30) * ((number + 1) // 2)
        return cm(x), battle.table.depth * (0.25 if side == 0 else 0.75)

    def gap(self, one: Unit, other: Unit) -> float:
        return unit_gap(one, other)

    def is_laid(self, unit: Unit) -> bool:
        return unit.place == "table" and super().is_laid(unit)

    def lift(self, battle: Battle, unit: Unit) -> None:
        """Everybody is on the hill under the middle of his base, or on the ground (RN3-LVL-01)."""
        super().lift(battle, unit)
        for f in unit.figures:
            hills = [piece for piece in battle.table.at(f.x, f.y) if piece.levels]
            f.level = hills[-1].id if hills else GROUND


LAYING: Final = Rn3Laying()


# -- answers -----------------------------------------------------------------------------------------------------------


def _placing(battle: Battle, decision: Place, raw: Any) -> Any:
    """Places in centimetres: {"levy.1" = [x, y], ...}, [x, y] for one thing, {by = [dx, dy]} from where everybody
    stands, or {at = [x, y], ranks = n, spacing = s} for a whole unit."""
    if isinstance(raw, list) and len(decision.figures) == 1:
        raw = {decision.figures[0]: raw}
    if isinstance(raw, dict) and "by" in raw:
        return _shifted(battle, decision.figures, raw)
    if not isinstance(raw, dict) or "at" not in raw:
        return scaled(raw, cm(1))
    problems = Problems("answer")
    reader = Reader(raw, problems)
    unit = battle.units[decision.about["unit"]]
    spots = LAYING.spots(unit, reader)
    if not LAYING.is_spot(reader.value("at")):
        reader.problem("at", f"{described(raw['at'])} is not a place", hint="write at = [36, 6]")
    reader.finish()
    problems.raise_if_any()
    front = 1.0 if unit.side == 0 else -1.0
    x, y = cm(raw["at"][0]), cm(raw["at"][1])
    placed = zip(unit.figures, spots, strict=True)
    return {f.id: [rounded(x + dx), rounded(y + front * dy)] for f, (dx, dy) in placed if f.id in decision.figures}


def _moving(battle: Battle, decision: Move, raw: Any) -> Any:
    """Moves in centimetres: "stay", {by = [dx, dy]} for all, or {"levy.1" = [x, y]} or a path of points."""
    if raw == "stay":
        return {}
    if isinstance(raw, dict) and "by" in raw:
        return _shifted(battle, decision.figures, raw)
    if isinstance(raw, list) and len(decision.figures) == 1:
        raw = {decision.figures[0]: raw}
    return scaled(raw, cm(1))


def _shifted(battle: Battle, figures: Any, raw: dict[str, Any]) -> dict[str, list[float]]:
    if set(raw) != {"by"} or not LAYING.is_spot(raw["by"]):
        hint = "write { by = [0, 6] }, and nothing else"
        raise problem_with("answer", f"{quoted(str(raw))} is not a move", where="by", hint=hint)
    dx, dy = cm(raw["by"][0]), cm(raw["by"][1])
    return {f.id: [rounded(f.x + dx), rounded(f.y + dy)] for _, f in battle.fighters() if f.id in figures}
