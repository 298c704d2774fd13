"""The words of cases of Song of Blades and Heroes: questions and their answers, keys of a scene, and expectations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import OF_EVERY_BATTLE, Fact, Question, count, slots
from oriflamme.engine.core.events import Event
from oriflamme.games.sbh.actions import ACTIONS
from oriflamme.games.sbh.census import census
from oriflamme.games.sbh.events import Activated, Fought, GroupActivated, MoraleRolled, QualityRolled
from oriflamme.games.sbh.fighters import UPGRADES
from oriflamme.games.sbh.markers import ITEMS
from oriflamme.games.sbh.measures import LENGTHS
from oriflamme.games.sbh.quality import target_of
from oriflamme.games.sbh.scenarios import SCENARIOS, victory_points
from oriflamme.games.sbh.shooting import aim_of, targets
from oriflamme.games.sbh.state import Battle, Fighter

# -- questions ---------------------------------------------------------------------------------------------------------

MOVES: Final = (
    '"stay", { by = [dx, dy] }, { to = "orc" } straight into contact, { degrees = 45 } one base width that way, '
    "[x, y], or a path [[x, y], [x, y]]; in mm"
)
QUESTIONS: Final[Mapping[str, Question]] = {
    "choose_role": Question("roll-off winner", "attacker defender"),
    "choose_terrain": Question(
        "who lays terrain",
        "<terrain> done take_back",
        "a piece of the stock; take_back takes up the last one, where no place is known for what the table lacks",
    ),
    "place_terrain": Question(
        "who lays terrain",
        what="[x, y], or [x, y, 0, angle in radians]; take_back where no place is known: something else is chosen",
    ),
    "name_place_of_power": Question("defender", "<piece>"),
    "place_markers": Question(
        "attacker",
        what="{ name = [x, y], ... } for every marker; take_back where no room is known for all: one less is laid",
    ),
    "choose_edge": Question("attacker", "south north west east"),
    "lay_ambush": Question("defender", what="{ name = [x, y], ... } for every marker"),
    "deploy": Question("who deploys", what="{ elf = [x, y], ... } for every fighter; [x, y] for a single one"),
    "stay_behind": Question(
        "who deploys", "<fighter>", "for whom there is no room; they count as having left the table"
    ),
    "choose_fighter": Question("active player", "<fighter> end", "who is activated next; end ends the turn"),
    "choose_dice": Question(
        "active player",
        "<number> <number>:<announced>[+<announced>]",
        "dice to roll, 1 to 3; with cast, heal, scroll (or cast+heal) it is announced that they are for that",
    ),
    "choose_action": Question(
        "active player",
        " ".join([*(action.answers() for action in ACTIONS.values()), "done"]),
        "done when nothing more is wanted; off is open besides the keys that are offered: expect it with accepted",
    ),
    "move_fighter": Question(
        "active player", what=f"{MOVES}; under a rally order who ends within 1 mm of a friend touches him"
    ),
    "choose_members": Question("leader's player", "<fighter>", "who takes part in an order"),
    "choose_group_dice": Question("leader's player", "<number>", "dice to roll, 1 to 3"),
    "choose_member": Question(
        "leader's player",
        "<fighter> volley:<fighter> aimvolley:<fighter> done",
        "who of the group acts next; what a group volley shoots at",
    ),
    "announce_casting": Question("active player", "<fighter>", "who of a group will cast"),
    "announce_healing": Question("active player", "<fighter>", "who of a group will heal"),
    "recoil": Question("owner", what=f"{MOVES}; which way, for he goes a whole base width", suggested=True),
    "order_of_hacks": Question("who hacks", "<fighter>", suggested=True),
    "make_free_hack": Question("who may hack", "yes no", "the suggestion is yes", suggested=True),
    "order_of_morale": Question("owner", "<fighter>", suggested=True),
    "choose_flight": Question(
        "owner",
        "way:<number>",
        "of ways that lead equally near to the nearest edge; way:1 is the first",
        suggested=True,
    ),
    "flee_first": Question("owner", what=MOVES, suggested=True),
    "place_in_ranks": Question(
        "owner",
        what='{ rat_1 = [x, y], ... } for the bases that move, within 1 mm of one they touch; "stay" closes no ranks',
        suggested=True,
    ),
    "close_ranks": Question("owner", "yes no", "of a swarm that lost a base; the suggestion is yes", suggested=True),
    "reroll_die": Question("owner", "none die:<number>", "the Hero's; die:2 is one that shows a 2", suggested=True),
    "be_brave": Question("owner", "none brave", "the band upgrade, against Terror"),
    "strengthen_roll": Question("owner", "none weapon_masters[+belt:<number>] belt:<number>", "before a combat roll"),
    "ignore_kill": Question("owner", "none hard_bitten"),
    "know_the_terrain": Question("owner", "none knowledge_of_terrain"),
    "play_dirty_trick": Question("owner", "none <fighter>:<rule>", "an enemy's special rule: elf:Tough"),
    "protect_from_spell": Question("owner", "none divine_protection"),
    "regain_initiative": Question("owner", "none regain_the_initiative"),
    "swap_quality": Question("owner", "none <fighter>", "the upgrade unpredictable"),
}

# -- events ------------------------------------------------------------------------------------------------------------

RESULTS: Final = ("nothing", "recoils", "falls", "killed", "gruesome")
# The words a field of an event can be, or what it names.
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "RolledOff.about": ("roles", "place", "first"),
    "ScenarioRolled.scenario": tuple(SCENARIOS),
    "TerrainLaid.piece": "a piece",
    "TerrainLaid.kind": "a kind of terrain",
    "TerrainTakenBack.piece": "a piece",
    "TerrainTakenBack.terrain": "a piece of the stock",
    "MarkerLaid.piece": "a piece",
    "PlaceOfPowerNamed.piece": "a piece",
    "EdgeChosen.edge": ("south", "north", "west", "east"),
    "TurnEnded.because": ("all_activated", "turnover", "chosen"),
    "Activated.announced": "what was announced, joined by +: cast, heal, scroll",
    "OrderGiven.order": ("group", "rally", "volley"),
    "GroupActivated.worst": "the fighter whose Quality counted",
    "Exhausted.power": ("magic", "healing", "scroll"),
    "QualityRolled.about": ("spell", "terror", "fall", "trap"),
    "ResourceUsed.resource": (*UPGRADES, "hero", "belt", "javelins"),
    "Fought.manner": ("melee", "shot", "hack", "spell", "javelin"),
    "Fought.result": RESULTS,
    "ResultChanged.by": "what changed it: a special rule, or an item, by name",
    "ResultChanged.result": (*RESULTS, "wounded", "transfixed"),
    "QualityLost.by": ("wound", "poison"),
    "Removed.fate": ("killed", "trapped", "routed", "left"),
    "Removed.by": "who or what did it: a fighter, or wound, poison, morale, fall, trap, choice ...",
    "SpellCast.spell": ("bolt", "transfix", "entangle"),
    "Transfixed.by": "who cast it",
    "MoraleRolled.because": "what it is for, joined by +: leader, half, gruesome, terror",
    "PrizeTaken.prize": ("treasure", "item"),
    "ItemDrawn.item": ITEMS,
    "ItemDrained.item": ITEMS,
    "TrapRolled.piece": "a piece",
    "BattleEnded.because": ("wiped_out", "time", "nobody_standing", "conceded", "treasure"),
}

# -- keys of a scene ---------------------------------------------------------------------------------------------------

STATES: Final[Mapping[str, str]] = {
    "down": "has fallen and lies",
    "stiff": "fell from a height: standing up takes two actions",
    "activated": "has been activated this turn",
    "attacked": "has attacked in this activation",
    "moved": "has moved in this activation",
    "dry": "has no ammunition left",
    "drained": "his magic is exhausted",
    "forsaken": "a Priest without powers",
    "rerolled": "a Hero who has used his re-roll",
    "brave": "immune to Terror by the band upgrade",
    "carries": "carries the treasure",
}
# What some of them are called on a fighter: cases that people keep have the older words.
SLOT_OF: Final[Mapping[str, str]] = {"stiff": "slow_to_rise", "dry": "out_of_ammo", "forsaken": "lost_powers"}
ITEM: Final = {
    "kind": "which magic item",
    "left": "points or javelins left in it",
    "quality": "the Quality that a scroll gives",
    "prize": "it is the prize of the scenario",
    "drained": "it has lost its power",
}
KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "given.<fighter>": {
        "side": "1 or 2",
        "card": "a profile of the roster that gives quality, combat, rules, points and race",
        "quality": "the number to reach",
        "combat": "added to combat rolls",
        "points": "what he cost",
        "rules": "special rules: leader, shooter(long) ...",
        "race": "his race",
        "type": "what he is, where swarms must be of one type",
        "base": "diameter in mm; by his size unless it says so",
        "value": "what he counts for in victory points, if experience has changed it; his points unless it says so",
        "reserve": "where he is if not on the table: not deployed yet, or behind an ambush marker",
        **STATES,
        "wounds": "Quality lost by wounds",
        "poison": "Quality lost by poison",
        "hurt": "-1 on Quality rolls, from a campaign",
        "transfixed": "true, or the name of the Mage whose death ends it",
        "barred": "enemies he dares not approach in this activation",
        "item": "the magic item he bears",
        "fate": "he is out of the battle, and how",
        "at": "[x, y]; or 50mm ahead of orc (up the table, base to base; on a hex board so many hexes), behind, "
        "left of, right of, at 45 degrees from (0 is right, 90 up); touching ahead of orc",
        "began": "[x, y] where he stood when the turn began (ambush); where he stands unless it says so",
    },
    "given.<fighter>.item": ITEM,
    "battle": {
        "scale": "of the figures; the table is 600 by 600 mm, or 900 by 900",
        "scenario": "which of the scenarios",
        "round": "0 is before the battle",
        "turn": "the side whose turn it is",
        "attacker": "the attacking side",
        "edge": "of side 1",
        "turns": "turns until the battle ends; 0 for no limit",
        "place_of_power": "the id of a piece",
        "searched": "item markers that have been searched",
        "upgrades_1": "band upgrades of side 1",
        "upgrades_2": "band upgrades of side 2",
        "markers": "the markers: [{ kind, at, side, holds }]",
        "start": "how many fighters each side began with; those of the scene unless it says so",
        "halved_1": "side 1 has tested for the loss of half its band",
        "halved_2": "side 2 has",
    },
    "battle.markers[]": {
        "kind": "what it is",
        "at": "[x, y]",
        "id": "its name; marker.1 ..., treasure.1 ... in the order given unless it says so",
        "side": "of an ambush marker",
        "holds": "the fighter behind an ambush marker",
        "item": "the magic item under it",
    },
    "battle.markers[].item": ITEM,
}
SPECIMEN: Final[Mapping[str, Any]] = {
    "given": {"elf": {"item": {}, "fate": "killed", "reserve": "band"}},
    "battle": {"markers": [{"at": [300, 300], "item": {}}]},
}
ARMY: Final[Mapping[str, Mapping[str, str]]] = {
    "the band is checked": {
        "points": "the size of the battle",
        "fighters": "as a player writes them (docs/authoring.md)",
    },
    "the fighter is priced": {
        "quality": "his Quality",
        "combat": "his Combat",
        "rules": "his special rules",
        "points": "what the formula should give",
    },
}

# -- what may be expected ----------------------------------------------------------------------------------------------

Events = Sequence[Event]


def _actions(battle: Battle, fighter: Fighter) -> int:
    return next((a.actions[fighter.id] for a in reversed(battle.acting) if fighter.id in a.actions), 0)


def _shoots_at(battle: Battle, fighter: Fighter) -> list[str]:
    if not fighter.on_table or not fighter.profile.range:
        return []
    return sorted(targets(battle, fighter, aim_of(battle, fighter, "shot")))


def _gaps(battle: Battle, fighter: Fighter) -> dict[str, float]:
    others = [other for other in battle.present() if other is not fighter and fighter.on_table]
    return {other.id: round(battle.gap(fighter, other), 2) for other in others}


def _touching(battle: Battle, fighter: Fighter) -> list[str]:
    return sorted(other.id for other in battle.touching(fighter)) if fighter.on_table else []


OF_UNIT: Final[Mapping[str, Fact]] = {
    **slots(STATES, SLOT_OF),
    "on_table": Fact("stands on the table", lambda _, f: f.on_table),
    "fate": Fact('"killed", "trapped", "routed", "left", or "" while he fights', lambda _, f: f.fate),
    "reserve": Fact('"band", "marker", or "" on the table', lambda _, f: f.reserve or ""),
    "transfixed": Fact("is Transfixed", lambda _, f: f.transfixed is not None),
    "wounds": count("Quality lost by wounds", lambda _, f: f.wounds),
    "poison": count("Quality lost by poison", lambda _, f: f.poison),
    "quality": count("the number he needs now", target_of),
    "combat": count("his Combat", lambda _, f: f.profile.combat),
    "points": count("his points", lambda _, f: f.points),
    "race": Fact("his race", lambda _, f: f.own.race),
    "name": Fact("his name: { en = ..., fr = ... }", lambda _, f: f.name),
    "equipment": Fact("what he carries: { en = ..., fr = ... }", lambda _, f: f.card["equipment"]),
    "item": Fact(
        'the magic item he bears, "" if it is drained',
        lambda _, f: f.item.kind if f.item is not None and not f.item.drained else "",
    ),
    "item_left": count("points or javelins left in it", lambda _, f: f.item.left if f.item is not None else 0),
    "at": Fact("[x, y]", lambda _, f: [round(f.x, 2), round(f.y, 2)]),
    "height": Fact("height at which he stands", lambda _, f: round(f.z, 2)),
    "actions": count("actions he has left", _actions),
    "shoots_at": Fact("whom he may shoot at", _shoots_at),
    "rules": Fact("his special rules", lambda _, f: [str(k) for k in f.profile.keywords]),
    "base": Fact("diameter of his base", lambda _, f: f.width),
    "touching": Fact("whom he touches", _touching),
    "gaps": Fact("mm to others on the table: { orc = 50 }", _gaps),
}


def _fights(events: Events) -> list[Fought]:
    return [event for event in events if isinstance(event, Fought)]


def _rolls(events: Events) -> list[Activated | GroupActivated | QualityRolled | MoraleRolled]:
    return [e for e in events if isinstance(e, Activated | GroupActivated | QualityRolled | MoraleRolled)]


def _hidden_from(battle: Battle, side: int) -> list[str]:
    view = battle.copy()
    view.hide(side)
    return sorted(set(battle.units) - set(view.units))


def _victory(battle: Battle, events: Events) -> list[int]:
    return list(battle.victory) if battle.over else [victory_points(battle, side) for side in (0, 1)]


CENSUS: Final = {
    "profiles": "profiles of the roster",
    "order": "races in the order of the book",
    "names": "names of the races, by id",
    "races": "profiles by race",
    "personalities": "profiles that are Personalities",
    "animals": "profiles that are animals",
    "swarms": "profiles that are swarms",
    "noncombatants": "ids of noncombatants",
    "plain": "profiles without special rules",
    "plain_by_the_least": "of these, those that cost the least",
    "bearers": "profiles by special rule",
    "costs": "cost of each special rule",
    "right": "profiles whose printed points the formula gives",
    "right_without_least": "the same without a least cost",
    "right_half_even": "the same, halves rounded to even",
    "right_half_down": "the same, halves rounded down",
    "right_up": "the same, all rounded up",
    "halves": "profiles whose points come out at a half",
    "missed": "those it does not give: [printed, formula, unrounded] by id",
    "right_by_other_costs": "the most that other costs could give",
}
OF_BATTLE: Final[Mapping[str, Fact]] = {
    "totals": Fact(
        "of each opposed roll in turn, both totals: [[5, 4]], the attacker's first",
        lambda _, e: [list(f.totals) for f in _fights(e)],
    ),
    "results": Fact(
        "of each, before special rules change it: nothing, recoils, falls, killed or gruesome",
        lambda _, e: [f.result for f in _fights(e)],
    ),
    "losers": Fact('of each, who was beaten, "" if nobody', lambda _, e: [f.loser for f in _fights(e)]),
    "needed": Fact(
        "of each activation, Quality and morale roll, the face needed", lambda _, e: [r.needed for r in _rolls(e)]
    ),
    "failures": Fact("of each of these rolls, its failures", lambda _, e: [r.failures for r in _rolls(e)]),
    "turn": Fact("the side whose turn it is", lambda battle, _: battle.turn + 1),
    "round": OF_EVERY_BATTLE["round"],
    "scenario": Fact("the scenario", lambda battle, _: battle.scenario),
    "attacker": Fact("the attacking side", lambda battle, _: battle.attacker + 1),
    "edges": Fact("edges of side 1 and side 2", lambda battle, _: list(battle.edges)),
    "markers": Fact("ids of the markers on the table", lambda battle, _: [m.id for m in battle.markers]),
    "pieces": count("pieces of terrain on the table", lambda battle, _: len(battle.table.pieces)),
    "place_of_power": Fact('the piece that is the place of power, or ""', lambda battle, _: battle.place_of_power),
    "searched": count("item markers that have been searched", lambda battle, _: battle.searched),
    "upgrades": Fact("band upgrades each side has left", lambda battle, _: [sorted(held) for held in battle.upgrades]),
    "victory": Fact("victory points of each side, as they would be now while the battle lasts", _victory),
    "because": Fact("why the battle is over", lambda battle, _: battle.because),
    **OF_EVERY_BATTLE,
    "hidden_from": Fact(
        'fighters that each side does not see: [[], ["orc"]]',
        lambda battle, _: [_hidden_from(battle, side) for side in (0, 1)],
    ),
    "sticks": Fact(
        "Short, Medium and Long in mm", lambda battle, _: [battle.ruler.sticks.of(length) for length in LENGTHS]
    ),
    "roster": Fact("what the roster adds up to", lambda *_: census(), keys=CENSUS),
}
