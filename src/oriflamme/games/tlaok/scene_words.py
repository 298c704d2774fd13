"""The words of cases of Conquest: questions and their answers, keys of a scene, and what may be expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import degrees
from typing import Any, Final

from oriflamme.engine.cases.scenes import OF_EVERY_BATTLE, Fact, Question, count, slots
from oriflamme.engine.core.events import Event
from oriflamme.engine.geometry.measure import INCH, in_inches
from oriflamme.engine.geometry.shapes import gap
from oriflamme.games.tlaok.measures import CLASSES, FACES
from oriflamme.games.tlaok.profile import DRAW_EVENTS
from oriflamme.games.tlaok.regiment.ranks import key_of
from oriflamme.games.tlaok.rounds.actions import ACTIONS, CHARACTER_ACTIONS
from oriflamme.games.tlaok.scenes import charge_scenes, strike_scenes
from oriflamme.games.tlaok.scenes.army_scenes import OF_ARMIES, OF_CARD
from oriflamme.games.tlaok.state import Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import terrain_on

# -- questions ---------------------------------------------------------------------------------------------------------

QUESTIONS: Final[Mapping[str, Question]] = {
    "choose_edge": Question("roll-off winner", "south north"),
    "attach_character": Question("owner", "<regiment>"),
    "discard_secondaries": Question("both sides, in secret", "<number>:<card>", "two of those drawn, counted from 1"),
    "automatic_pick": Question("each side", "arrive:<regiment> stay:<regiment> none"),
    "use_successes": Question("each side", "<regiment>", "use_successes:medium is for one class"),
    "flank_entries": Question("each side", "<regiment>"),
    "order_stack": Question("both sides, in secret", "<card>", "all its cards, the top first"),
    "change_die": Question("who has the smaller stack", "-1 0 +1"),
    "use_supremacy": Question("each side in turn", "<ability> none"),
    "choose_regiments": Question("whose ability it is", "<regiment>", "where it works on some of those it reaches"),
    "choose_unit": Question("active player", "<regiment>", "which namesake a card activates"),
    "chain_draw": Question("active player", "draw no", "after a character"),
    "choose_draw_event": Question("active player", " ".join((*DRAW_EVENTS, "none"))),
    "choose_flux": Question("active player", "clash attacks"),
    "choose_action": Question(
        "active player",
        " ".join(dict.fromkeys((*ACTIONS, *CHARACTER_ACTIONS, "pass"))),
        "an action of the regiment or of its character",
    ),
    "order_of_triggers": Question("active player", "<rule>", "what comes first before its actions or at its end"),
    "free_reform": Question("owner", "yes no", "Fluid Formation asks it before the first action and again at the end"),
    "score_secondaries": Question("both sides", "<card>"),
    "march": Question(
        "active player",
        what='"stay"; { ahead = 5 }, { back = 2 }, { left = 2 }, { right = 2 }; legs [{ wheel = "left", degrees = 30 '
        "}, { ahead = 4 }], walked as they are written; a pose [x, y, facing], to which a way is found; or the poses "
        "of a path, [[x, y, facing], ...], walked as written if the first is where it stands",
    ),
    "choose_files": Question("owner", "<number>", "the frontage"),
    "choose_places": Question(
        "owner",
        "<number>:<number>:left <number>:<number>:right",
        "files of command stand and character from 0, -1 for none, and where an incomplete last rank leans",
        suggested=True,
    ),
    "reform": Question("active player", what='{ facing = 90 }, or "stay" to look the way it does'),
    "entry_edge": Question("active player", "south north west east", "of those over which it can come in"),
    "enter": Question(
        "active player",
        what="[{ at = 20 }, { ahead = 5 }]: the middle of its front is 20 inches along the edge from its west or "
        "south end, and then the legs; or a pose [x, y, facing] on the table",
    ),
    "occupy_garrison": Question(
        "active player",
        "<piece> no",
        "where a March that goes straight, or wheels first, brings it into contact with one it may occupy; to "
        "another a way may be drawn as the march",
    ),
    "leave_garrison": Question(
        "active player",
        what="a pose [x, y, facing] touching the walls, or no more than an inch off: it is put against them",
    ),
    "take_garrison": Question("who is at the walls", "<regiment> none", "the regiment that occupies it"),
    "choose_end": Question("owner", "left right", "from which end casualties are taken first", suggested=True),
    "choose_casualty": Question("owner", "<stand>", "which stand with a command model falls", suggested=True),
    "centre_last_rank": Question(
        "owner", "left right", "of the middle; the suggestion is where it leans already", suggested=True
    ),
    "restore_stand": Question("owner", "<stand>", "which removed stand with command models"),
    "place_restored": Question("owner", "behind left right", suggested=True),
    "close_gap": Question(
        "owner",
        "<number>:<number>:<number>:left <number>:<number>:<number>:right",
        "a formation: files, file of the command stand and of the character from 0, where the last rank leans",
        suggested=True,
    ),
    "choose_duel": Question("active player", "<character>", "who is challenged"),
    "accept_duel": Question("the other player", "accept refuse", "not asked of who may not refuse"),
    "choose_spell": Question("active player", "<spell>"),
    "choose_spell_target": Question("active player", "<regiment>"),
    "choose_last_stand": Question("owner", "<regiment>", "the enemy whom a character strikes as he falls"),
    **strike_scenes.QUESTIONS,
    **charge_scenes.QUESTIONS,
}

# -- events ------------------------------------------------------------------------------------------------------------

SIDES: Final = (*FACES, "")
RULE: Final = "a special rule by its English name"
SPELL_ID: Final = "a spell"
CARD: Final = "a card: what it says of a regiment, or the id of a character"
# The words a field of an event can be, or what it names.
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "ChargeDeclared.face": SIDES,
    "ChargeRerolled.because": RULE,
    "Charged.face": SIDES,
    "Charged.wheel": ("left", "right", ""),
    "ChargeFailed.how": ("short", "blocked", "friends", "contact"),
    "BloodRose.how": ("charge", "march", "edge"),
    "DuelOffered.challenged": "a character",
    "DuelRefused.spared": 'the special rule that spares him, or ""',
    "DuelFought.challenged": "a character",
    "SpellCast.spell": SPELL_ID,
    "SpellHit.spell": SPELL_ID,
    "SpellHit.face": SIDES,
    "SpellTookEffect.spell": SPELL_ID,
    "WoundsSuffered.what": "what caused them: clash, volley, impact, duel, spell, morale, terrain, decay, trample ...",
    "WoundsSuffered.face": SIDES,
    "BreakingPrevented.because": RULE,
    "ResolveTested.about": ("withdraw", "combat_reform", "combat_rally", "bloodlust", "dare_reform"),
    "RollSpared.about": ("withdraw", "combat_reform", "combat_rally", "bloodlust", "dare_reform"),
    "RollSpared.because": RULE,
    "HitBack.because": RULE,
    "Marched.direction": ("ahead", "back", "sideways", "stay"),
    "Entered.edge": ("south", "north", "west", "east"),
    "GarrisonOccupied.garrison": "a piece",
    "GarrisonLeft.garrison": "a piece",
    "GroundTested.zone": "a piece",
    "GroundTested.ground": ("broken ground", "dangerous", "perilous"),
    "PhaseBegan.phase": ("reinforcement", "command", "supremacy", "action", "victory"),
    "RolledOff.about": ("edge", "first"),
    "EdgeChosen.edge": ("south", "north"),
    "ReinforcementsRolled.weight": CLASSES,
    "SupremacyUsed.ability": "a supremacy ability",
    "CardDrawn.card": CARD,
    "CardDiscarded.card": CARD,
    "CardReturned.card": CARD,
    "DrawEventUsed.draw_event": tuple(DRAW_EVENTS),
    "ActionTaken.action": tuple(dict.fromkeys((*ACTIONS, *CHARACTER_ACTIONS))),
    "ZoneControlled.zone": "a zone, zone_1 ...",
    "PointsScored.about": ("zone", "cards", "secondary", "warlord"),
    "PointsScored.of": 'the zone, secondary objective or character they are for, or ""',
    "SecondaryScored.objective": "a secondary objective",
    "BattleEnded.because": ("rounds", "points", "annihilated", "conceded"),
    "AttacksRolled.kind": ("clash", "volley", "impact", "duel"),
    "AttacksRolled.face": SIDES,
    "RerollDeclared.roll": ("hits", "saves"),
    "RerollDeclared.because": RULE,
    "HitWithoutDice.because": "a special rule or a draw event by its English name",
}

# -- keys of a scene ---------------------------------------------------------------------------------------------------

PROFILE: Final = {
    "march": "March",
    "volley": "Volley",
    "clash": "Clash",
    "attacks": "Attacks of a stand",
    "wounds": "Wounds of a stand",
    "resolve": "Resolve",
    "defence": "Defence",
    "evasion": "Evasion",
    "rules": 'special rules by their English names: Shield, Cleave (1), Barrage (3) (24", Armor Piercing (1))',
    "events": "draw events: Bastion (1), Burnout ...",
    "spells": "spells it knows",
    "card": "what its command card says, two with the same are namesakes; its name unless it says so",
    "hurt": "wounds on an ordinary stand, or on the character",
    "effects": 'what lasts until the end of the round: { stat = "clash", add = 1 }, { grant = "Cleave (+1)" }',
}
CHANGE: Final = {
    "stat": "a characteristic, or halved_barrage, capturing, controls, charge, draw_events",
    "add": "how much it changes",
    "set": "what it is instead",
    "cap": "the most it becomes",
    "grant": "a special rule as printed",
    "event": "a draw event as printed",
    "scope": "regiment: for the regiment of the character",
}
SPELL: Final = {
    "id": "its name",
    "range": "inches, 0 is Self",
    "target": "whom it may be cast on",
    "attunement": "Attunement",
    "scaling": "it is Scaling",
    "needed": "successes it needs",
    "effect": "what it does",
}
EFFECT: Final = {
    "hits": "so many hits",
    "hits_per_success": "so many hits for each success",
    "rules": "special rules of the hits",
    "heal": "wounds healed",
    "heal_per_success": "wounds healed for each success",
    "rally": "it takes Broken away",
    "changes": "what it changes until the round ends",
}
FLAGS: Final[Mapping[str, str]] = {
    "broken": "is Broken",
    "activated": "has been activated this round",
    "acted": "has performed an action this round",
    "arrived": "came in this round",
    "refused": "its character has refused a duel this round",
    "failed": "failed to enter this round",
    "strayed": "a charge left it too near: it must get clear when it acts",
}
KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "given.<regiment>": {
        "side": "1 or 2",
        "type": "its type",
        "class": "its class",
        **PROFILE,
        "stands": "stands without its character; 1 of monsters and chariots",
        "files": "stands in a full rank; up to 4 in one rank, otherwise two ranks unless it says so",
        "lean": "where an incomplete last rank cannot be in the middle",
        "at": "[x, y], its centre, or beside another above it: 6in ahead of levy, behind, left of, right of, from "
        "rectangle to rectangle, its front towards that face, middle on middle; touching left of levy is in contact; "
        "shifted 1.5in at the end moves it to the right as one looks at that face from outside",
        "facing": "degrees to the left of north; towards the enemy unless it says so",
        "touches": '{ orcs = "left" }: the front of the orcs is in contact with its left flank; '
        'of one in a garrison { orcs = "front" }: the orcs, placed at its walls, fight it',
        "character": "its character; his stand comes on top",
        **FLAGS,
        "reserve": "where it is if not on the table",
        "garrison": "the piece it is in",
        "warband": "the number of its warband",
        "command": 'command models: ["leader", "drummer"]',
        "officers": "what its officers do",
        "command_hurt": "a wound on the command stand",
        "lost": "stands it has lost this round, its character among them",
        "started": "stands at the start of the round, its character among them; all unless it says so",
        "remained": "stands it had when it broke, its character among them; all unless it says so",
        "initial": "stands when the game began, its character among them; all unless it says so",
        "fallen": "ordinary stands that were removed",
        "lost_command": 'command models that were removed with their stand: ["leader", "standard"]',
    },
    "given.<regiment>.character": {
        "id": "his name; that of the regiment and _hero unless it says so",
        **PROFILE,
        "own": "the regiment itself is the character",
        "warlord": "he is the Warlord",
        "activated": "has been activated this round",
        "acted": "has performed an action this round",
        "bound": "must accept the next duel",
        "abilities": "his supremacy abilities",
    },
    "given.<regiment>.character.abilities[]": {
        "id": "its name",
        "on": "whom it works on",
        "uses": "how often it may be used",
        "anywhere": "he need not be on the table",
        "count": "how many of them are picked; 0 for all",
        "within": "inches from him; 0 for any distance",
        "types": "types it works on",
        "classes": "classes it works on",
        "changes": "what it changes until the round ends",
        "heal": "wounds healed",
        "rally": "it takes Broken away",
    },
    "given.<regiment>.character.abilities[].changes[]": CHANGE,
    "given.<regiment>.character.effects[]": CHANGE,
    "given.<regiment>.character.spells[]": SPELL,
    "given.<regiment>.character.spells[].effect": EFFECT,
    "given.<regiment>.character.spells[].effect.changes[]": CHANGE,
    "given.<regiment>.effects[]": CHANGE,
    "given.<regiment>.spells[]": SPELL,
    "given.<regiment>.spells[].effect": EFFECT,
    "given.<regiment>.spells[].effect.changes[]": CHANGE,
    "given.<regiment>.officers.<name>": {"changes": "what he changes as long as he is there"},
    "given.<regiment>.officers.<name>.changes[]": CHANGE,
    "battle": {
        "scenario": "which of the scenarios",
        "round": "the round",
        "first": "the side that is first this round",
        "turn": "the side whose turn it is",
        "score": "victory points of both sides",
        "edge": "of side 1",
        "zones": "false: without objective zones",
        "stack_1": "cards of side 1 from the top: the card of a regiment, its id if it has none, and ids of characters",
        "stack_2": "cards of side 2 from the top",
        "secondaries_1": "secondary objectives side 1 holds, by the names under cards",
        "secondaries_2": "secondary objectives side 2 holds",
        "deck_1": "secondary objectives side 1 has not drawn",
        "deck_2": "secondary objectives side 2 has not drawn",
        "cards": 'what secondary objectives ask for: { harvest = { when = "destroyed", number = 1 } }',
    },
    "battle.cards.<name>": {
        "when": "the condition",
        "number": "how many, of conditions that count",
        "types": "of regiments destroyed",
        "classes": "of regiments destroyed, or in the enemy half",
        "within": "inches, of conditions about places",
    },
}
SPECIMEN: Final[Mapping[str, Any]] = {
    "given": {
        "levy": {
            "character": {
                "id": "lord",
                "effects": [{"stat": "clash", "add": 1}],
                "spells": [{"effect": {"hits": 1, "changes": [{"stat": "clash", "add": 1}]}}],
                "abilities": [{"id": "onward", "changes": [{"stat": "clash", "add": 1}]}],
            },
            "effects": [{"stat": "clash", "add": 1}],
            "spells": [{"effect": {"hits": 1, "changes": [{"stat": "clash", "add": 1}]}}],
            "officers": {"drummer": {"changes": [{"stat": "clash", "add": 1}]}},
            "lost_command": ["leader"],
            "lean": "left",
            "at": [24, 12],
        }
    },
    "battle": {
        "cards": {
            "harvest": {"when": "destroyed", "number": 1},
            "home": {"when": "near_enemy_edge", "within": 12},
        }
    },
}

# -- what may be expected ----------------------------------------------------------------------------------------------

Events = Sequence[Event]


def _gaps(battle: Battle, regiment: Regiment) -> dict[str, float]:
    there = regiment.on_table and not regiment.garrison
    return {o.id: _apart(regiment, o) for o in battle.present() if o is not regiment and there and not o.garrison}


def _apart(a: Regiment, b: Regiment) -> float:
    """From the nearest point of one to the nearest point of the other, stand by stand (TLAOK-DIST-02)."""
    found = min(gap(s.base, s.x, s.y, s.facing, t.base, t.x, t.y, t.facing) for s in a.figures for t in b.figures)
    return in_inches(max(0.0, found))


OF_UNIT: Final[Mapping[str, Fact]] = {
    **slots(FLAGS),
    **OF_CARD,
    **strike_scenes.OF_SIGHT,
    "on_table": Fact("stands on the table", lambda _, r: r.on_table),
    "fate": Fact('"destroyed", "shattered", or ""', lambda _, r: r.fate),
    "reserve": Fact('"reinforcements", "arriving", or "" on the table', lambda _, r: r.reserve or ""),
    "garrison": Fact('the piece it is in, or ""', lambda _, r: r.garrison),
    "stands": count("stands left, its character among them", lambda _, r: r.size),
    "files": count("stands in a full rank", lambda _, r: r.formation.files),
    "ranks": count("its ranks", lambda _, r: r.ranks),
    "last_rank": Fact(
        "files of the stands in its last rank, from 0",
        lambda _, r: sorted(s.file for s in r.figures if s.rank == r.ranks - 1),
    ),
    "formations": Fact(
        "all formations it may take with that frontage, as close_gap writes them",
        lambda _, r: [key_of(formation) for formation in r.formations(r.formation.files)] if r.figures else [],
    ),
    "command_file": Fact(
        "file of the command stand from 0, or -1", lambda _, r: r.command.file if r.command is not None else -1
    ),
    "character_file": Fact(
        "file of the character from 0, or -1", lambda _, r: r.hero.file if r.hero is not None else -1
    ),
    "wounds": count("wounds on its stands, without its character", lambda _, r: sum(s.wounds for s in r.troops)),
    "wounded": count("stands with wounds", lambda _, r: sum(1 for s in r.troops if s.wounds)),
    "wounded_ranks": Fact("ranks of wounded stands from 0", lambda _, r: sorted(s.rank for s in r.figures if s.wounds)),
    "wounded_places": Fact(
        "[rank, file] of wounded stands from 0", lambda _, r: sorted([s.rank, s.file] for s in r.figures if s.wounds)
    ),
    "character_wounds": count("wounds of its character", lambda _, r: r.hero.wounds if r.hero is not None else 0),
    "character": Fact(
        'its character while he lives, or ""',
        lambda _, r: r.character.id if r.character is not None and r.hero is not None else "",
    ),
    "bound": Fact(
        "its character must accept the next duel", lambda _, r: r.character is not None and r.character.bound
    ),
    "command": Fact("command models it has", lambda _, r: sorted({model for s in r.figures for model in s.models})),
    "lost": count("stands it has lost this round, its character among them", lambda _, r: r.lost),
    "at": Fact("[x, y], its centre", lambda _, r: [round(r.x / INCH, 2), round(r.y / INCH, 2)]),
    "facing": Fact("degrees to the left of north", lambda _, r: round(degrees(r.facing) % 360, 1) % 360),
    "footprint": Fact(
        "[width, depth] in inches",
        lambda _, r: [round(r.footprint.width / INCH, 2), round(r.footprint.depth / INCH, 2)],
    ),
    "rules": Fact(
        "special rules of its stands", lambda _, r: sorted(str(k) for s in r.troops[:1] for k in r.keywords_of(s))
    ),
    "contacts": Fact(
        'the face of its own that each enemy touches: { orcs = "left" }',
        lambda battle, r: dict(sorted(battle.contacts.get(r.id, {}).items())),
    ),
    "engaged": Fact("is engaged", lambda battle, r: battle.is_engaged(r)),
    "touching": Fact("enemies in contact", lambda battle, r: sorted(battle.contacts.get(r.id, {}))),
    "gaps": Fact("inches to others on the table: { orcs = 6 }", _gaps),
}


def _terrain(battle: Battle, events: Events) -> dict[str, dict[str, Any]]:
    return {
        terrain.id: {
            "elevation": terrain.elevation,
            **({"defence": terrain.defence, "capacity": terrain.capacity} if "garrison" in terrain.words else {}),
        }
        for terrain in terrain_on(battle.table)
    }


def _seen(battle: Battle, side: int) -> dict[str, Any]:
    """What that side sees of stacks and hands: the other's stack by name, his secondary objectives as blanks."""
    view = battle.copy()
    view.hide(side)
    stacks = [list(reversed(stack)) if n == side else list(stack) for n, stack in enumerate(view.stacks)]
    return {"stacks": stacks, "secondaries": [list(hand) for hand in view.secrets]}


def _zones(battle: Battle, events: Events) -> dict[str, list[float]]:
    return {
        z.id: [round(z.x / INCH, 2), round(z.y / INCH, 2), round(2 * z.radius / INCH, 2), *z.worth]
        for z in battle.zones_of_objectives
    }


SEEN: Final = {
    "stacks": "both stacks from the top; of the other side its cards in order of name",
    "secondaries": "both hands; those of the other side as blanks",
}
OF_BATTLE: Final[Mapping[str, Fact]] = {
    "round": OF_EVERY_BATTLE["round"],
    "turn": Fact("the side whose turn it is", lambda battle, _: battle.turn + 1),
    "first": Fact("the side that is first this round", lambda battle, _: battle.first + 1),
    "score": Fact("victory points of both sides", lambda battle, _: list(battle.score)),
    "lines": Fact(
        "reinforcement lines of both sides, inches from their edges", lambda b, _: [in_inches(x) for x in b.lines]
    ),
    "stacks": Fact("cards of both sides from the top", lambda b, _: [list(reversed(stack)) for stack in b.stacks]),
    "owners": Fact(
        "who controls each zone: 1, 2, or 0 for nobody",
        lambda battle, _: {z.id: z.owner + 1 for z in battle.zones_of_objectives},
    ),
    "performed": Fact(
        "actions performed in the activation that is going on",
        lambda battle, _: list(battle.acting.performed) if battle.acting is not None else [],
    ),
    "edges": Fact("edges of side 1 and side 2", lambda battle, _: list(battle.edges)),
    "players": count("number of players", lambda battle, _: battle.sides),
    "terrain": Fact("the pieces: { house = { elevation = 2, defence = 1, capacity = 4 } }", _terrain),
    "lost_cards": Fact("cards that left the game this round", lambda b, _: [list(gone) for gone in b.destroyed]),
    "secondaries": Fact(
        "secondary objectives each side holds", lambda battle, _: [list(hand) for hand in battle.secrets]
    ),
    "sees_1": Fact("what side 1 sees of stacks and hands", lambda battle, _: _seen(battle, 0), keys=SEEN),
    "sees_2": Fact("what side 2 sees of them", lambda battle, _: _seen(battle, 1), keys=SEEN),
    "zones": Fact("the zones: { zone_1 = [x, y, diameter, points ...] }", _zones),
    **OF_EVERY_BATTLE,
    **strike_scenes.OF_BLOWS,
    **OF_ARMIES,
}
