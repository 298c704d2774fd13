"""Cases of Song of Blades and Heroes: how a scene is laid out, what a sentence means, and what may be expected."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from math import cos, hypot, pi, sin
from typing import Any

from oriflamme.engine.cases.scenes import (
    Deed,
    Make,
    Scenes,
    Sentence,
    neighbour,
    steps_of,
)
from oriflamme.engine.core.decisions import Decision, Move, Place
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.words.notices import described, listed, quoted
from oriflamme.engine.words.problems import Problems, Reader, did_you_mean, problem_with
from oriflamme.games.sbh.bands import check_band
from oriflamme.games.sbh.fighters import UPGRADES, at_cost
from oriflamme.games.sbh.markers import ITEMS
from oriflamme.games.sbh.measures import SCALES, base_width
from oriflamme.games.sbh.moments import book
from oriflamme.games.sbh.morale import flee, give_way, resolve_alarms, roll_morale
from oriflamme.games.sbh.movement import contact_spot, put
from oriflamme.games.sbh.points import price, rule_problems
from oriflamme.games.sbh.profile import profile_of
from oriflamme.games.sbh.quality import quality_roll
from oriflamme.games.sbh.results import Chain, fall_down, fight, lose_quality, recoil, remove
from oriflamme.games.sbh.roster import COMBAT, QUALITY, cards
from oriflamme.games.sbh.roster import card as roster_card
from oriflamme.games.sbh.scenarios import SCENARIOS, check_wiped_out
from oriflamme.games.sbh.scene_words import ARMY, KEYS, OF_BATTLE, OF_UNIT, QUESTIONS, SLOT_OF, SPECIMEN, STATES, VALUES
from oriflamme.games.sbh.scene_written import written
from oriflamme.games.sbh.setup import measures, why_not_board
from oriflamme.games.sbh.state import Activation, Battle, Fighter, Item, Marker, Step
from oriflamme.games.sbh.state import steps as game_steps
from oriflamme.games.sbh.terrain import STOCK, limits, terrain_problems

_BESIDE = re.compile(
    r"^\s*(?:(\d+(?:\.\d*)?)\s*(?:mm)?|touching)\s*"
    r"(ahead of|behind|left of|right of|at (-?\d+) degrees from)\s+(\S+)\s*$"
)
WAYS = {"ahead of": 90.0, "behind": 270.0, "left of": 180.0, "right of": 0.0}
FARTHEST = 10_000  # millimetres or degrees that a case may name
FATES = ("killed", "trapped", "routed", "left")

# What is done in cases only.
case_steps = game_steps.more()


class SbhScenes(Scenes):
    """The case format of Song of Blades and Heroes; docs/cases.md is its description."""

    steps = case_steps
    unit = "fighter"
    questions = QUESTIONS
    of_battle = OF_BATTLE
    of_unit = OF_UNIT
    keys = KEYS
    army = ARMY
    values = VALUES
    specimen = SPECIMEN
    relative = frozenset({"gaps", "touching"})
    states = (*STATES, "wounds", "poison", "hurt", "reserve", "fate")

    def kinds(self) -> Mapping[str, Scenes]:
        return {"": self, "campaign": self.of({"campaign": {}})}

    def of(self, scene: Mapping[str, Any]) -> Scenes:
        """A scene with a [campaign] shows what comes of a battle, and the time until the next."""
        from oriflamme.games.sbh.campaign.scene import CampaignScenes

        return CampaignScenes(self.rulebook) if "campaign" in scene else self

    def begin(self, top: Reader, state: Reader, options: dict[str, str], dice: Dice) -> Battle:
        scale = state.choice("scale", tuple(SCALES), default="15mm")
        size = 600.0 if scale == "15mm" else 900.0
        table = self.table(top, (size, size))
        sticks, ruler = measures(scale, table.grid())
        battle = Battle(
            table.table,
            options,
            dice,
            scale=scale,
            sticks=sticks,
            ruler=ruler,
            scenario=state.choice("scenario", ("roll", *SCENARIOS), default="battle"),
        )
        battle.round = state.integer("round", low=0, default=1)
        battle.turn = state.integer("turn", low=1, high=2, default=1) - 1
        battle.attacker = state.integer("attacker", low=1, high=2, default=1) - 1
        edge = state.choice("edge", ("south", "north", "west", "east"), default="south")
        opposite = {"south": "north", "north": "south", "west": "east", "east": "west"}[edge]
        battle.edges = (edge, opposite)
        battle.turn_limit = state.integer("turns", low=0, default=0)
        battle.place_of_power = state.text("place_of_power", default="")
        if battle.place_of_power and battle.place_of_power not in {p.id for p in battle.table.pieces}:
            state.unknown("place_of_power", battle.place_of_power, [p.id for p in battle.table.pieces], what="piece")
            battle.place_of_power = ""
        battle.searched = state.integer("searched", low=0, high=2, default=0)
        for side, name in enumerate(("upgrades_1", "upgrades_2")):
            chosen = frozenset(state.texts(name, default=[]))
            for word in sorted(chosen - set(UPGRADES)):
                state.unknown(name, word, UPGRADES, what="band upgrade")
            held = list(battle.upgrades)
            held[side] = chosen
            battle.upgrades = (held[0], held[1])
        return battle

    def read_unit(self, battle: Battle, name: str, reader: Reader) -> None:
        _fighter(battle, name, reader)

    def read_more(self, battle: Battle, state: Reader) -> None:
        _markers(battle, state)
        start = state.integers("start", low=0, high=99, default=[0, 0])
        counted = [sum(f.side == side for f in battle.units.values()) for side in (0, 1)]
        battle.start = (start[0] or counted[0], start[-1] or counted[1])
        halved = [state.flag(f"halved_{side}", default=False) for side in (1, 2)]
        battle.halved = (halved[0], halved[1])

    def place(self, battle: Battle, given: Mapping[str, Reader], problems: Problems) -> None:
        _stand(battle, given, problems)

    def finish(self, battle: Battle, given: Mapping[str, Reader]) -> Battle:
        """Where everybody stood when the turn began."""
        battle.start_spots = {f.id: (f.x, f.y, f.z) for f in battle.present()}
        for name, reader in given.items():
            began = reader.value("began")
            if began is not None and not _is_spot(began):
                reader.problem("began", f"{described(began)} is not a place", hint="write began = [300, 200]")
            elif began is not None and name in battle.units:
                battle.start_spots[name] = (float(began[0]), float(began[1]), battle.table.height_at(*began))
        return battle

    def goes_on(self, battle: Battle, acts: str) -> list[tuple[Any, ...]]:
        if acts:
            battle.turn = battle.units[acts].side
            return [("activate", acts), ("act",)]
        return [("next_fighter",) if battle.round else ("begin_turn", battle.turn)]

    def sentence(self, battle: Battle, acts: str) -> str:
        return f"{acts} activates" if acts else "the battle goes on"

    def written(self, battle: Battle) -> dict[str, Any]:
        return written(battle)

    def must_be_there(self, battle: Battle, name: str) -> None:
        if not any(marker.id == name for marker in battle.markers):
            super().must_be_there(battle, name)

    def answer(self, battle: Battle, decision: Decision, raw: Any) -> Any:
        if isinstance(decision, Place):
            return {decision.figures[0]: raw} if isinstance(raw, list) and len(decision.figures) == 1 else raw
        if isinstance(decision, Move):
            return _moving(battle, decision, raw)
        return raw

    def names(self, battle: Battle) -> set[str]:
        titles = {k.title for k in book.declared.values()}
        found = {*battle.units, *(m.id for m in battle.markers), *(p.id for p in battle.table.pieces), *STOCK, *titles}
        found |= {*(f"decoy.{n}" for n in range(1, 20)), *(f"marker.{n}" for n in range(1, 40))}
        return found | {*(f"terrain.{n}" for n in range(1, 20)), "cast", "heal", "scroll"}


# -- fighters ----------------------------------------------------------------------------------------------------------


def _fighter(battle: Battle, name: str, reader: Reader) -> None:
    """A fighter of a scene: a profile of the roster, or what the case says, and what has befallen him."""
    side = reader.integer("side", low=1, high=2, default=1) - 1
    card = reader.text("card", default="")
    quality, combat, rules, points, race = 4, 3, [], 30, "humans"
    called, carried = {"en": name, "fr": name}, {"en": "", "fr": ""}
    if card and card not in cards():
        reader.unknown("card", card, cards(), what="fighter", rule="SBH-ROSTER-01")
    elif card:
        known = at_cost(roster_card(card), battle.options)
        quality, combat, points, race = known.quality, known.combat, known.points, known.race
        rules, called, carried = list(known.rules), known.name, known.equipment
    quality = reader.integer("quality", low=2, high=6, default=quality)
    combat = reader.integer("combat", low=0, high=9, default=combat)
    points = reader.integer("points", low=0, high=999, default=points)
    rules = reader.texts("rules", default=rules)
    race = reader.text("race", default=race)
    for rule in rules:
        try:
            book.parse(rule)
        except UnknownKeyword as unknown:
            reader.problem("rules", unknown.problem)
            return
    profile = profile_of(card or reader.text("type", default="fighter"), race, quality, combat, tuple(rules))
    grid = battle.ruler.grid
    wide = base_width(battle.scale, profile.size, profile.mounted, battle.options["sbh.baseSizes"])
    width = grid.width if grid is not None else reader.number("base", low=5, high=200, default=wide)
    data = {"id": name, "name": called, "equipment": carried, "points": points, "race": race, "card": card}
    data |= {"value": reader.integer("value", low=0, high=999, default=points), "rules": rules}
    fighter = Fighter(name, side, profile, width, data)
    fighter.reserve = None
    if reader.value("reserve") not in (None, ""):
        fighter.reserve = reader.choice("reserve", ("band", "marker"), default=None)
    for flag in STATES:
        setattr(fighter, SLOT_OF.get(flag, flag), reader.flag(flag, default=False))
    fighter.wounds = reader.integer("wounds", low=0, high=6, default=0)
    fighter.poison = reader.integer("poison", low=0, high=6, default=0)
    fighter.hurt = reader.integer("hurt", low=0, high=1, default=0)
    transfixed = reader.value("transfixed", False)
    if transfixed is not False:
        fighter.transfixed = "" if transfixed is True else str(transfixed)
    fighter.barred = frozenset(reader.texts("barred", default=[]))
    if reader.has("item"):
        fighter.equip(_item(reader.table("item")))
    fate = reader.choice("fate", FATES, default=None) if reader.has("fate") else None
    if fate is not None:
        fighter.fate, fighter.figures, fighter.fallen = fate, [], [fighter.body]
    for key in ("at", "began"):
        reader.value(key)
    if fighter.own.quality + fighter.wounds + fighter.poison >= 7:
        reader.problem("wounds", f"{name} would be dead at 7+", "SBH-PROFILE-05")
    battle.units[name] = fighter


def _item(reader: Reader) -> Item:
    return Item(
        reader.choice("kind", ITEMS, default="sword"),
        reader.integer("left", low=0, high=6, default=0),
        reader.integer("quality", low=0, high=6, default=0),
        prize=reader.flag("prize", default=False),
        drained=reader.flag("drained", default=False),
    )


def _markers(battle: Battle, state: Reader) -> None:
    for number, entry in enumerate(state.tables("markers", required=False), 1):
        kind = entry.choice("kind", ("ambush", "treasure", "item", "prize"), default="ambush")
        at = entry.numbers("at", count=2)
        holds = entry.text("holds", default="")
        item = _item(entry.table("item")) if entry.has("item") else None
        radius = battle.ruler.grid.width / 2 if battle.ruler.grid else base_width(battle.scale, 0, False, "table") / 2
        if len(at) == 2:
            id = entry.text("id", default=f"marker.{number}" if kind == "ambush" else f"{kind}.{number}")
            side = entry.integer("side", low=1, high=2, default=battle.defender + 1) - 1
            owner = side if kind == "ambush" else -1
            marker = Marker(id, kind, *battle.ruler.spot(*at), radius, owner, holds, item)
            battle.markers = (*battle.markers, marker)
        if holds and holds in battle.units:
            battle.units[holds].reserve = "marker"


def _stand(battle: Battle, given: Mapping[str, Reader], problems: Problems) -> None:
    """Put the fighters where the scene says; those without a place stand at their edge, apart from one another."""
    placed: list[str] = []
    free = [0, 0]
    for name, reader in given.items():
        fighter = battle.units[name]
        if fighter.reserve is not None:
            continue
        at = reader.value("at")
        if at is None:
            number = free[fighter.side]
            free[fighter.side] += 1
            shift = 60 * ((number + 1) // 2) * (1 if number % 2 else -1)
            spot = (battle.table.width / 2 + shift, 100.0 if fighter.side == 0 else battle.table.depth - 100.0)
        elif isinstance(at, str):
            found = _beside(battle, fighter, at, placed, reader)
            if found is None:
                continue
            spot = found
        elif _is_spot(at):
            spot = (float(at[0]), float(at[1]))
        else:
            hint = 'write at = [300, 200] or at = "50mm ahead of orc" or at = "touching right of orc"'
            reader.problem("at", f"{described(at)} is not a place", hint=hint)
            continue
        put(battle, fighter, *battle.ruler.spot(*spot))
        placed.append(name)
    there = battle.present()
    for number, f in enumerate(there):
        if not battle.table.holds(f.body.base, f.x, f.y, 0.0):
            problems.add(f"given.{f.id}", f"stands off the table at {f.x:g}, {f.y:g}", "SBH-MOVE-01")
        for g in there[:number]:
            if hypot(f.x - g.x, f.y - g.y) < f.radius + g.radius - 0.05:
                problems.add(f"given.{f.id}", f"stands on {g.id}", "SBH-MOVE-06", hint="give both a place with at")


def _beside(battle: Battle, fighter: Fighter, at: str, placed: list[str], reader: Reader) -> tuple[float, float] | None:
    """So far from another fighter, base to base; on hexes, so many hexes away."""
    match = _BESIDE.match(at)
    if match is None:
        reader.problem("at", f"{quoted(at)} is not a place", hint='write "50mm ahead of orc" or "touching left of orc"')
        return None
    if not neighbour(battle.units, placed, fighter.id, match.group(4), reader, "fighter"):
        return None
    other = battle.units[match.group(4)]
    degrees = WAYS.get(match.group(2))
    angle = (degrees if degrees is not None else float(match.group(3))) * pi / 180
    gap = float(match.group(1) or 0)
    grid = battle.ruler.grid
    if grid is not None:
        apart = grid.width * (gap or 1)
    else:
        apart = fighter.radius + other.radius + gap
    return other.x + cos(angle) * apart, other.y + sin(angle) * apart


def _moving(battle: Battle, decision: Move, raw: Any) -> Any:
    """A move in millimetres: "stay", { by = [dx, dy] }, { to = "orc" } into contact, [x, y], or a path of points."""
    id = decision.figures[0]
    fighter = battle.units[id]
    if raw == "stay":
        return {}
    if isinstance(raw, list):
        return {id: raw}
    if isinstance(raw, dict) and raw and set(raw) <= set(decision.figures):
        return raw
    if not isinstance(raw, dict) or len(raw) != 1:
        raise _no_move(raw)
    ((key, value),) = raw.items()
    if key == "by":
        if not _is_spot(value):
            raise problem_with("answer", f"{described(value)} is not [dx, dy]", where="by", hint="write by = [0, 60]")
        return {id: [[fighter.x + value[0], fighter.y + value[1]]]}
    if key == "to":
        if not isinstance(value, str) or value not in battle.units:
            hint = did_you_mean(str(value), battle.units) or f"there are {listed(battle.units, 'and')}"
            raise problem_with("answer", f"no fighter {described(value)}", where="to", hint=hint)
        return {id: [[*contact_spot(battle, fighter, battle.units[value])]]}
    if key == "degrees":
        if not _is_number(value):
            raise problem_with("answer", f"expected a number, found {described(value)}", where="degrees")
        angle = value * pi / 180
        return {id: [[fighter.x + fighter.width * cos(angle), fighter.y + fighter.width * sin(angle)]]}
    raise _no_move(raw)


def _no_move(written: Any) -> Problems:
    hint = 'write "stay", { by = [0, 60] }, { to = "orc" }, { degrees = 45 }, [x, y] or [[x, y], [x, y]]'
    return problem_with("answer", f"{described(written)} is not a move", hint=hint)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= FARTHEST


def _is_spot(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_is_number(n) for n in value)


# -- sentences ---------------------------------------------------------------------------------------------------------

NEXT = ("next_fighter", "begin_turn", "end_turn")
_steps = partial(steps_of, stop=NEXT)


def _acts(actions: int | None, action: str = "", announced: str = "") -> Make:
    """A fighter acts with so many successes; the action is done once, and then no more."""

    def make(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
        found = match.groupdict()
        id = found["fighter"]
        number = int(found["successes"]) if found.get("successes") else actions or 1
        activation = Activation((id,), number)
        said = found.get("announced") or announced
        words = {"casting": "cast", "healing": "heal", "reading": "scroll"}
        activation.announced = {id: frozenset({words.get(said, said)} if said else ())}
        battle.units[id].activated = True
        battle.acting = [activation]
        battle.turn = battle.units[id].side
        given: dict[str, Any] = {}
        if action:
            key = action.format(**found)

            def answer(decision: Decision, number: int) -> str | None:
                return None if decision.about.get("fighter") != id else "done" if number else key

            given["choose_action"] = answer
        return Deed([("act",)], given, NEXT)

    return make


@case_steps.step
def case_hack(battle: Battle, id: str, target: str) -> Step:
    """A free hack because a case says so."""
    yield from fight(battle, battle.units[id], battle.units[target], "hack")
    yield from resolve_alarms(battle)
    check_wiped_out(battle)


@case_steps.step
def case_morale(battle: Battle, id: str) -> Step:
    """A morale roll because a case says so, and what follows."""
    fighter = battle.units[id]
    failures = yield from roll_morale(battle, quality_roll(battle, fighter, "morale"), "leader", "SBH-MORALE-01")
    yield from give_way(battle, fighter, failures)
    yield from resolve_alarms(battle)
    check_wiped_out(battle)


@case_steps.step
def case_flee(battle: Battle, id: str, moves: int) -> Step:
    yield from flee(battle, battle.units[id], moves, no_hacks=False)
    yield from resolve_alarms(battle)
    check_wiped_out(battle)


@case_steps.step
def case_recoil(battle: Battle, id: str, foe: str) -> Step:
    yield from recoil(battle, battle.units[id], battle.units[foe], Chain())
    yield from resolve_alarms(battle)
    check_wiped_out(battle)


@case_steps.step
def case_fall(battle: Battle, id: str, foe: str) -> Step:
    other = battle.units[foe]
    yield from fall_down(battle, battle.units[id], other.x, other.y)
    yield from resolve_alarms(battle)
    check_wiped_out(battle)


@case_steps.step
def case_remove(battle: Battle, id: str, fate: str, gruesome: bool) -> Step:
    rules = {"killed": "SBH-COMBAT-07", "routed": "SBH-MORALE-02", "left": "SBH-MOVE-11", "trapped": "SBH-SCEN-HARD-04"}
    remove(battle, battle.units[id], fate, "case", rules[fate], gruesome=gruesome)
    yield from resolve_alarms(battle)
    check_wiped_out(battle)


@case_steps.step
def case_hurt(battle: Battle, id: str, by: str) -> Step:
    rule = "SBH-SR-TOUGH-01" if by == "wound" else "SBH-SR-POISON-01"
    lose_quality(battle, battle.units[id], by, rule)
    yield from resolve_alarms(battle)
    check_wiped_out(battle)


def _remove(fate: str, gruesome: bool = False) -> Make:
    return _steps(lambda b, m: ("case_remove", m["fighter"], fate, gruesome))


def _check_band(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """[army] is a band as a player writes it: checked, with every rule it breaks."""
    try:
        check_band({"game": "sbh", "name": "case", **top.get("army", {})}, "army", battle.options)
    except Problems as wrong:
        return Deed(problems=list(wrong))
    return Deed(problems=[])


def _check_terrain(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    problems = Problems("table")
    for refusal in terrain_problems(battle.table.pieces, battle.table, limits(battle.scenario, battle.sticks)):
        problems.add("table", str(refusal), refusal.rule)
    return Deed(problems=list(problems))


def _check_board(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """Whether such figures may play on this table at all: its size, and the width of its hexes."""
    problems = Problems("table")
    refusal = why_not_board(battle.table, battle.ruler.grid, battle.scale)
    if refusal is not None:
        problems.add("table", str(refusal), refusal.rule)
    return Deed(problems=list(problems))


def _check_price(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """[army] has quality, combat, rules and points: what is wrong with the profile, or with its price."""
    problems = Problems("army")
    army = Reader(top.get("army", {}), problems)
    quality, combat = army.integer("quality"), army.integer("combat")
    rules, points = tuple(army.texts("rules", default=[])), army.integer("points", low=0)
    for field, value in ((QUALITY, quality), (COMBAT, combat)):
        if not field.low <= value <= field.high:
            problems.add(field.key, f"{value}, expected {field.low} to {field.high}", "SBH-PROFILE-01")
    for wrong in rule_problems(rules, "rules"):
        problems.add(wrong.where, wrong.what, wrong.rule, wrong.hint)
    army.finish()
    if not problems and (made := price(quality, combat, rules)) != points:
        problems.add("points", f"the formula gives {made}, not {points}", "SBH-POINTS-01")
    return Deed(problems=list(problems))


# Sentences of one action: what is said, what it is, its cost, the actions he has, the key, and what he announced.
ACTS: list[tuple[str, str, str, int | None, str, str]] = [
    ("<fighter> attacks <target>", "a close attack", "1 action", 1, "attack:{target}", ""),
    ("<fighter> power attacks <target>", "a powerful blow", "2 actions", 2, "power:{target}", ""),
    ("<fighter> shoots at <target>", "a shot", "1 action", 1, "shoot:{target}", ""),
    ("<fighter> aims at <target>", "an aimed shot", "2 actions", 2, "aim:{target}", ""),
    ("<fighter> throws a javelin at <target>", "a magic javelin", "1 action", 1, "javelin:{target}", ""),
    (
        "<fighter> casts a bolt of power <successes> at <target>",
        "a magic bolt",
        "as many actions",
        None,
        "bolt:{successes}:{target}",
        "casting",
    ),
    (
        "<fighter> transfixes <target> with power <successes>",
        "the spell",
        "as many actions",
        None,
        "transfix:{successes}:{target}",
        "casting",
    ),
    (
        "<fighter> entangles <target> with <successes> action[s]",
        "webs and nets",
        "as many actions",
        None,
        "entangle:{successes}:{target}",
        "",
    ),
    ("<fighter> moves", "a move; asks for move_fighter", "1 action", 1, "move", ""),
    ("<fighter> leaves combat", "a way out of contact", "2 actions", 2, "leave", ""),
    ("<fighter> stands up", "he lies no more", "1 action", 1, "stand", ""),
    ("<fighter> breaks free", "he is Transfixed no more", "2 actions", 2, "break", ""),
    ("<fighter> heals <target>", "a Priest's power", "1 action", 1, "heal:{target}", "healing"),
    ("<fighter> raises <target>", "a Priest's power", "2 actions", 2, "raise:{target}", "healing"),
    ("<fighter> takes <prize>", "a marker, by its id", "2 actions", 2, "take:{prize}", ""),
    ("<fighter> gives to <target>", "the prize is offered", "1 action", 1, "give:{target}", ""),
    ("<fighter> receives from <target>", "the prize is accepted", "1 action", 1, "receive:{target}", ""),
    ("<fighter> leaves the table", "by his own edge", "1 action", 1, "off", ""),
    ("<fighter> orders a <order:group|rally|volley>", "a Leader's order", "1 action", 1, "order:{order}", ""),
]
ONCE = 'then "done"; questions to other fighters stay open'
SENTENCES: list[Sentence] = [
    Sentence("the scenario is rolled", "one die says which scenario is played", _steps(("roll_scenario",))),
    Sentence("the roles are chosen", "roll-off, attacker and defender", _steps(("choose_roles",))),
    Sentence("the terrain is laid", "piece by piece, as the scenario says", _steps(("set_terrain",))),
    Sentence("the place of power is named", "a piece that is there", _steps(("name_place_of_power",))),
    Sentence("the markers are laid", "treasure or item markers", _steps(("lay_markers",))),
    Sentence("the edge is chosen", "who chooses, chooses his own", _steps(("choose_edge",))),
    Sentence(
        "the bands deploy",
        "both, in the scenario's order",
        _steps(("deploy_bands",), stop=(*NEXT, "roll_for_first_turn")),
    ),
    Sentence("side <side> deploys", "that side alone", _steps(lambda b, m: ("deploy", int(m["side"]) - 1))),
    Sentence("the first turn is rolled for", "a roll-off", _steps(("roll_for_first_turn",))),
    Sentence(
        "a turn of side <side> begins",
        "what comes before its first activation",
        _steps(lambda b, m: ("begin_turn", int(m["side"]) - 1), stop=NEXT[:1]),
    ),
    Sentence(
        "the next fighter is chosen",
        "asks who is activated, or ends the turn",
        _steps(("next_fighter",), stop=("activate", "begin_turn")),
    ),
    Sentence("the turn goes on", "activations until the turn is over", _steps(("next_fighter",), stop=("begin_turn",))),
    Sentence("the turn ends", "what comes at its end", _steps(("end_turn", "chosen"), stop=("begin_turn",))),
    Sentence(
        "the battle goes on", "everything from the next activation to the end", _steps(("next_fighter",), stop=())
    ),
    Sentence("the band is checked", "[army] is a band as a player writes it; expect problems", _check_band),
    Sentence("the table is checked", "terrain against the scenario's limits; expect problems", _check_terrain),
    Sentence("the board is checked", "size and hexes for these figures; expect problems", _check_board),
    Sentence("the fighter is priced", "[army] against the formula; expect problems", _check_price),
    Sentence("the roster is counted", "nothing happens; expect roster", _steps()),
    Sentence(
        "<fighter> (is activated|activates)",
        "a whole activation: dice, actions, turnover",
        _steps(lambda b, m: ("activate", m["fighter"]), ("act",)),
    ),
    Sentence(
        "<fighter> acts with <successes> action[s][ <announced:casting|healing|reading>]",
        "he has so many successes, without dice, and has announced this; his actions are asked for",
        _acts(None),
    ),
    *(
        Sentence(form, f"{what}, with {cost}", _acts(actions, action, announced), f'choose_action: "{shown}", {ONCE}')
        for form, what, cost, actions, action, announced in ACTS
        for shown in [re.sub(r"\{(\w+)\}", r"<\1>", action)]
    ),
    Sentence(
        "<fighter> hacks at <target>",
        "a free hack, and what follows",
        _steps(lambda b, m: ("case_hack", m["fighter"], m["target"])),
    ),
    Sentence(
        "<fighter> tests morale",
        "a morale roll of three dice, and what follows",
        _steps(lambda b, m: ("case_morale", m["fighter"])),
    ),
    Sentence(
        "<fighter> flees <successes> move[s]",
        "so many moves towards the nearest edge",
        _steps(lambda b, m: ("case_flee", m["fighter"], int(m["successes"]))),
    ),
    Sentence(
        "<fighter> recoils from <target>",
        "a base width, and what follows",
        _steps(lambda b, m: ("case_recoil", m["fighter"], m["target"])),
    ),
    Sentence(
        "<fighter> falls before <target>",
        "he falls, away from that fighter",
        _steps(lambda b, m: ("case_fall", m["fighter"], m["target"])),
    ),
    Sentence(
        "<fighter> is wounded", "loses a point of Quality", _steps(lambda b, m: ("case_hurt", m["fighter"], "wound"))
    ),
    Sentence(
        "<fighter> is poisoned", "loses a point of Quality", _steps(lambda b, m: ("case_hurt", m["fighter"], "poison"))
    ),
    Sentence("<fighter> is killed", "and what morale follows", _remove("killed")),
    Sentence("<fighter> is killed gruesomely", "and what morale follows", _remove("killed", gruesome=True)),
    Sentence("<fighter> routs", "is out of the battle", _remove("routed")),
    Sentence("<fighter> is trapped", "is out of the battle", _remove("trapped")),
    Sentence("<fighter> goes off", "leaves by an edge, without a move", _remove("left")),
]
SbhScenes.sentences = SENTENCES
