"""Cases of Song of Blades and Heroes: how a scene is laid out, what a sentence means, and what may be expected."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from math import cos, hypot, pi, sin
from typing import Any, ClassVar

from oriflamme.cases.scene import (
    Deed,
    Make,
    Scenes,
    Sentence,
    events_of,
    house_rules,
    meaning_of,
    neighbour,
    read_table,
    seen_house_rules,
    steps_of,
)
from oriflamme.engine.decisions import Decision, Move, Place
from oriflamme.engine.dice import Dice
from oriflamme.engine.events import Event
from oriflamme.engine.keywords import UnknownKeyword
from oriflamme.engine.notices import described, listed, quoted
from oriflamme.engine.problems import Problems, Reader, did_you_mean, problem_with
from oriflamme.games.sbh import events as happenings
from oriflamme.games.sbh.bands import at_cost, check_band
from oriflamme.games.sbh.census import census
from oriflamme.games.sbh.events import Activated, Fought, GroupActivated, MoraleRolled, QualityRolled
from oriflamme.games.sbh.markers import ITEMS
from oriflamme.games.sbh.measures import LENGTHS, SCALES, base_width
from oriflamme.games.sbh.moments import book
from oriflamme.games.sbh.morale import flee, give_way, roll_morale, settle
from oriflamme.games.sbh.movement import contact_spot, put
from oriflamme.games.sbh.points import COMBAT, QUALITY, price, rule_problems
from oriflamme.games.sbh.profile import profile_of
from oriflamme.games.sbh.quality import quality_roll, target_of
from oriflamme.games.sbh.results import Chain, fall_down, fight, lose_quality, recoil, remove
from oriflamme.games.sbh.roster import card as roster_card
from oriflamme.games.sbh.roster import cards
from oriflamme.games.sbh.scenarios import SCENARIOS, check_wiped_out, victory_points
from oriflamme.games.sbh.setup import measures, why_not_board
from oriflamme.games.sbh.shooting import aim_of, targets
from oriflamme.games.sbh.state import UPGRADES, Activation, Battle, Fighter, Item, Marker, Step, step
from oriflamme.games.sbh.terrain import STOCK, limits, terrain_problems

_BESIDE = re.compile(
    r"^\s*(?:(\d+(?:\.\d*)?)\s*(?:mm)?|touching)\s*"
    r"(ahead of|behind|left of|right of|at (-?\d+) degrees from)\s+(\S+)\s*$"
)
WAYS = {"ahead of": 90.0, "behind": 270.0, "left of": 180.0, "right of": 0.0}
FLAGS = (
    "down", "stiff", "activated", "attacked", "moved", "dry", "drained", "forsaken", "rerolled", "brave", "carries",
)  # fmt: skip
FARTHEST = 10_000  # millimetres or degrees that a case may name
FATES = ("killed", "trapped", "routed", "left")
# What questions offer besides fighters and markers.
WORDS = frozenset(
    """
    none yes no end done attacker defender south north west east move attack power shoot aim javelin aimjavelin bolt
    transfix entangle leave break stand heal raise order group rally volley aimvolley take give receive off cast scroll
    hero brave belt die way concede prize take_back
    """.split()  # noqa: SIM905
) | set(UPGRADES)


class SbhScenes(Scenes):
    """The case format of Song of Blades and Heroes; docs/cases.md is its description."""

    suggested = frozenset(
        """
        recoil order_of_hacks make_free_hack order_of_morale choose_flight flee_first close_ranks place_in_ranks
        reroll_die
        """.split()  # noqa: SIM905
    )
    relative = frozenset({"gaps", "touching"})
    naming = frozenset({"fighter", "target", "attacker", "defender", "loser", "marker"})
    events: ClassVar[dict[str, type[Event]]] = events_of(happenings)
    questions = suggested | frozenset(
        """
        announce_casting announce_healing
        be_brave choose_action choose_dice choose_edge choose_fighter choose_group_dice choose_member
        choose_members choose_role choose_terrain deploy ignore_kill know_the_terrain lay_ambush move_fighter
        name_place_of_power place_markers place_terrain play_dirty_trick protect_from_spell regain_initiative
        stay_behind strengthen_roll swap_quality
        """.split()  # noqa: SIM905
    )

    def of(self, scene: Mapping[str, Any]) -> Scenes:
        """A scene with a [campaign] shows what comes of a battle, and the time until the next."""
        from oriflamme.games.sbh.campaign.scene import CampaignScenes

        return CampaignScenes() if "campaign" in scene else self

    def build(self, top: Reader, problems: Problems, dice: Dice) -> Battle | None:
        options = house_rules("sbh", top)
        state = top.table("battle", required=False)
        scale = state.choice("scale", tuple(SCALES), default="15mm")
        size = 600.0 if scale == "15mm" else 900.0
        table = read_table(top, "mm", (size, size))
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
        given = top.named_tables("given", required=False)
        for name, reader in given.items():
            if not re.fullmatch(r"[\w-]+", name):
                reader.problem("", f"{quoted(name)} is not a name", hint="use letters, digits, - and _ only")
            _fighter(battle, name, reader)
        _markers(battle, state)
        start = state.integers("start", low=0, high=99, default=[0, 0])
        halved = [state.flag(f"halved_{side}", default=False) for side in (1, 2)]
        top.value("army")
        if not problems:
            _stand(battle, given, problems)
        top.finish()
        counted = [sum(f.side == side for f in battle.units.values()) for side in (0, 1)]
        battle.start = (start[0] or counted[0], start[-1] or counted[1])
        battle.halved = (halved[0], halved[1])
        battle.start_spots = {f.id: (f.x, f.y, f.z) for f in battle.present()}
        for name, reader in given.items():
            began = reader.value("began")
            if began is not None and not _is_spot(began):
                reader.problem("began", f"{described(began)} is not a place", hint="write began = [300, 200]")
            elif began is not None and name in battle.units:
                battle.start_spots[name] = (float(began[0]), float(began[1]), battle.table.height_at(*began))
        return battle

    def deed(self, battle: Battle, sentence: str, top: dict[str, Any]) -> Deed:
        match, (_, make) = meaning_of(SENTENCES, sentence)
        for name, id in match.groupdict().items():
            if name in ("fighter", "target") and id is not None:
                _known(battle, id)
        return make(battle, match, top)

    def answer(self, battle: Battle, decision: Decision, raw: Any) -> Any:
        if isinstance(decision, Place):
            return {decision.figures[0]: raw} if isinstance(raw, list) and len(decision.figures) == 1 else raw
        if isinstance(decision, Move):
            return _moving(battle, decision, raw)
        return raw

    def unheard_of(self, battle: Battle, name: str) -> str | None:
        titles = {k.title for k in book.declared.values()}
        names = {*battle.units, *WORDS, *(m.id for m in battle.markers), *(p.id for p in battle.table.pieces)}
        names |= {*STOCK, *titles, *(f"decoy.{n}" for n in range(1, 20)), *(f"marker.{n}" for n in range(1, 40))}
        names |= {f"terrain.{n}" for n in range(1, 20)}
        for word in re.split(r"[:+]", name):
            if word.strip() not in names and not word.isdigit():
                return str(did_you_mean(word, names) or "name a fighter, a marker or an action of the scene")
        return None

    def units(self, battle: Battle) -> list[str]:
        return list(battle.units)

    def state(self, battle: Battle, unit: str) -> dict[str, Any]:
        f = battle.units[unit]
        there = f.on_table
        return {
            **{flag: getattr(f, flag) for flag in FLAGS},
            "on_table": there,
            "fate": f.fate,
            "reserve": f.reserve or "",
            "transfixed": f.transfixed is not None,
            "wounds": f.wounds,
            "poison": f.poison,
            "quality": target_of(battle, f),
            "combat": f.profile.combat,
            "points": f.points,
            "race": f.own.race,
            "name": f.name,
            "equipment": f.card["equipment"],
            "item": f.item.kind if f.item is not None and not f.item.drained else "",
            "item_left": f.item.left if f.item is not None else 0,
            "at": [round(f.x, 2), round(f.y, 2)],
            "height": round(f.z, 2),
            "actions": next((a.actions[unit] for a in reversed(battle.acting) if unit in a.actions), 0),
            "shoots_at": sorted(targets(battle, f, aim_of(battle, f, "shot"))) if there and f.profile.range else [],
            "rules": [str(k) for k in f.profile.keywords],
            "base": f.width,
            "touching": sorted(o.id for o in battle.touching(f)) if there else [],
            "gaps": {o.id: round(battle.gap(f, o), 2) for o in battle.present() if o is not f and there},
        }

    def facts(self, battle: Battle, events: Sequence[Event]) -> dict[str, Any]:
        fights = [e for e in events if isinstance(e, Fought)]
        rolls = [e for e in events if isinstance(e, Activated | GroupActivated | QualityRolled | MoraleRolled)]
        return {
            "totals": [list(e.totals) for e in fights],
            "results": [e.result for e in fights],
            "losers": [e.loser for e in fights],
            "needed": [e.needed for e in rolls],
            "failures": [e.failures for e in rolls],
            "turn": battle.turn + 1,
            "round": battle.round,
            "scenario": battle.scenario,
            "attacker": battle.attacker + 1,
            "edges": list(battle.edges),
            "markers": [m.id for m in battle.markers],
            "pieces": len(battle.table.pieces),
            "place_of_power": battle.place_of_power,
            "searched": battle.searched,
            "upgrades": [sorted(held) for held in battle.upgrades],
            "victory": list(battle.victory) if battle.over else [victory_points(battle, side) for side in (0, 1)],
            "because": battle.because,
            "over": battle.over,
            "winner": "nobody yet" if not battle.over else "draw" if battle.winner is None else battle.winner + 1,
            "house_rules": seen_house_rules(battle),
            "hidden_from": [_hidden_from(battle, side) for side in (0, 1)],
            "sticks": [battle.ruler.sticks.of(length) for length in LENGTHS],
            "roster": census(),
        }


def _hidden_from(battle: Battle, side: int) -> list[str]:
    """The fighters that this side's view does not show."""
    view = battle.copy()
    view.hide(side)
    return sorted(set(battle.units) - set(view.units))


def _known(battle: Battle, name: str) -> None:
    """Raises Problems if nothing can be done by or to this fighter."""
    if name not in battle.units and not any(m.id == name for m in battle.markers):
        hint = did_you_mean(name, battle.units) or f"there are {listed(battle.units, 'and')}"
        raise problem_with("do", f"no fighter {quoted(name)} in the scene", hint=hint)


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
    for flag in FLAGS:
        setattr(fighter, flag, reader.flag(flag, default=False))
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


def _stand(battle: Battle, given: dict[str, Reader], problems: Problems) -> None:
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
F = r"(?P<fighter>[\w.-]+)"
T = r"(?P<target>[\w.-]+)"
N = r"(?P<number>[0-3])"
_steps = partial(steps_of, stop=NEXT)


def _acts(actions: int | None, action: str = "", announced: str = "") -> Make:
    """A fighter acts with so many successes; the action is done once, and then no more."""

    def make(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
        found = match.groupdict()
        id = found["fighter"]
        number = int(found["number"]) if found.get("number") else actions or 1
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
            left = [key]

            def answer(decision: Decision) -> Any:
                return left.pop() if left else "done"

            given["choose_action"] = answer
        return Deed([("act",)], given, NEXT)

    return make


@step
def case_hack(battle: Battle, id: str, target: str) -> Step:
    """A free hack because a case says so."""
    yield from fight(battle, battle.units[id], battle.units[target], "hack")
    yield from settle(battle)
    check_wiped_out(battle)


@step
def case_morale(battle: Battle, id: str) -> Step:
    """A morale roll because a case says so, and what follows."""
    fighter = battle.units[id]
    failures = yield from roll_morale(battle, quality_roll(battle, fighter, "morale"), "leader", "SBH-MORALE-01")
    yield from give_way(battle, fighter, failures)
    yield from settle(battle)
    check_wiped_out(battle)


@step
def case_flee(battle: Battle, id: str, moves: int) -> Step:
    yield from flee(battle, battle.units[id], moves, no_hacks=False)
    yield from settle(battle)
    check_wiped_out(battle)


@step
def case_recoil(battle: Battle, id: str, foe: str) -> Step:
    yield from recoil(battle, battle.units[id], battle.units[foe], Chain())
    yield from settle(battle)
    check_wiped_out(battle)


@step
def case_fall(battle: Battle, id: str, foe: str) -> Step:
    other = battle.units[foe]
    yield from fall_down(battle, battle.units[id], other.x, other.y)
    yield from settle(battle)
    check_wiped_out(battle)


@step
def case_remove(battle: Battle, id: str, fate: str, gruesome: bool) -> Step:
    rules = {"killed": "SBH-COMBAT-07", "routed": "SBH-MORALE-02", "left": "SBH-MOVE-11", "trapped": "SBH-SCEN-HARD-04"}
    remove(battle, battle.units[id], fate, "case", rules[fate], gruesome=gruesome)
    yield from settle(battle)
    check_wiped_out(battle)


@step
def case_hurt(battle: Battle, id: str, by: str) -> Step:
    rule = "SBH-SR-TOUGH-01" if by == "wound" else "SBH-SR-POISON-01"
    lose_quality(battle, battle.units[id], by, rule)
    yield from settle(battle)
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
    for key, value, (low, high) in (("quality", quality, QUALITY), ("combat", combat, COMBAT)):
        if not low <= value <= high:
            problems.add(key, f"{value}, expected {low} to {high}", "SBH-PROFILE-01")
    for wrong in rule_problems(rules, "rules"):
        problems.add(wrong.where, wrong.what, wrong.rule, wrong.hint)
    army.finish()
    if not problems and (made := price(quality, combat, rules)) != points:
        problems.add("points", f"the formula gives {made}, not {points}", "SBH-POINTS-01")
    return Deed(problems=list(problems))


SENTENCES: list[Sentence] = [
    ("the scenario is rolled", _steps(("roll_scenario",))),
    ("the roles are chosen", _steps(("choose_roles",))),
    ("the terrain is laid", _steps(("set_terrain",))),
    ("the place of power is named", _steps(("name_place_of_power",))),
    ("the markers are laid", _steps(("lay_markers",))),
    ("the edge is chosen", _steps(("choose_edge",))),
    ("the bands deploy", _steps(("deploy_bands",), stop=(*NEXT, "roll_for_first_turn"))),
    (r"side (?P<side>[12]) deploys", _steps(lambda b, m: ("deploy", int(m["side"]) - 1))),
    ("the first turn is rolled for", _steps(("roll_for_first_turn",))),
    (r"a turn of side (?P<side>[12]) begins", _steps(lambda b, m: ("begin_turn", int(m["side"]) - 1), stop=NEXT[:1])),
    ("the next fighter is chosen", _steps(("next_fighter",), stop=("activate", "begin_turn"))),
    ("the turn goes on", _steps(("next_fighter",), stop=("begin_turn",))),
    ("the turn ends", _steps(("end_turn", "chosen"), stop=("begin_turn",))),
    ("the battle goes on", _steps(("next_fighter",), stop=())),
    ("the band is checked", _check_band),
    ("the table is checked", _check_terrain),
    ("the board is checked", _check_board),
    ("the fighter is priced", _check_price),
    ("the roster is counted", _steps()),
    (rf"{F} (?:is activated|activates)", _steps(lambda b, m: ("activate", m["fighter"]))),
    (rf"{F} acts with {N} actions?(?: (?P<announced>casting|healing|reading))?", _acts(None)),
    (rf"{F} attacks {T}", _acts(1, "attack:{target}")),
    (rf"{F} power attacks {T}", _acts(2, "power:{target}")),
    (rf"{F} shoots at {T}", _acts(1, "shoot:{target}")),
    (rf"{F} aims at {T}", _acts(2, "aim:{target}")),
    (rf"{F} throws a javelin at {T}", _acts(1, "javelin:{target}")),
    (rf"{F} casts a bolt of power {N} at {T}", _acts(None, "bolt:{number}:{target}", "casting")),
    (rf"{F} transfixes {T} with power {N}", _acts(None, "transfix:{number}:{target}", "casting")),
    (rf"{F} entangles {T} with {N} actions?", _acts(None, "entangle:{number}:{target}")),
    (rf"{F} moves", _acts(1, "move")),
    (rf"{F} leaves combat", _acts(2, "leave")),
    (rf"{F} stands up", _acts(1, "stand")),
    (rf"{F} breaks free", _acts(2, "break")),
    (rf"{F} heals {T}", _acts(1, "heal:{target}", "healing")),
    (rf"{F} raises {T}", _acts(2, "raise:{target}", "healing")),
    (rf"{F} takes (?P<prize>[\w.-]+)", _acts(2, "take:{prize}")),
    (rf"{F} gives to {T}", _acts(1, "give:{target}")),
    (rf"{F} receives from {T}", _acts(1, "receive:{target}")),
    (rf"{F} leaves the table", _acts(1, "off")),
    (rf"{F} orders a (?P<order>group|rally|volley)", _acts(1, "order:{order}")),
    (rf"{F} hacks at {T}", _steps(lambda b, m: ("case_hack", m["fighter"], m["target"]))),
    (rf"{F} tests morale", _steps(lambda b, m: ("case_morale", m["fighter"]))),
    (rf"{F} flees {N} moves?", _steps(lambda b, m: ("case_flee", m["fighter"], int(m["number"])))),
    (rf"{F} recoils from {T}", _steps(lambda b, m: ("case_recoil", m["fighter"], m["target"]))),
    (rf"{F} falls before {T}", _steps(lambda b, m: ("case_fall", m["fighter"], m["target"]))),
    (rf"{F} is wounded", _steps(lambda b, m: ("case_hurt", m["fighter"], "wound"))),
    (rf"{F} is poisoned", _steps(lambda b, m: ("case_hurt", m["fighter"], "poison"))),
    (rf"{F} is killed", _remove("killed")),
    (rf"{F} is killed gruesomely", _remove("killed", gruesome=True)),
    (rf"{F} routs", _remove("routed")),
    (rf"{F} is trapped", _remove("trapped")),
    (rf"{F} goes off", _remove("left")),
]
