"""What clients are sent over the WebSocket, as types: what the pages may count on (`web/src/messages.ts`).

Nothing is made of these: what is sent is plain data, put together where it is known (`scene`, `questions`, `views`,
`film`, `room`), so that what has not changed need not be written again. `tests/server/test_sent.py` reads what is sent
in real battles by these very types, and nothing that is sent may be missing here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from oriflamme.engine.picture.shown import BlockShown, Coherency, FallenShown, PoolShown, Role

Named = Annotated[dict[str, str], msgspec.Meta(title="Named")]
"""A name or a sentence by language."""
Point = tuple[float, float]
Base = Annotated[dict[str, float], msgspec.Meta(title="Base")]
"""Its radius, or its width and depth."""


class Sent(msgspec.Struct, forbid_unknown_fields=True):
    """Anything that is sent; what is UNSET is left out."""


# -- the table ---------------------------------------------------------------------------------------------------------


class Figure(Sent):
    """A figure: where it stands, and what a glance at it tells. `look` is what it is, where that is not what its unit
    is; `role` what it is in its unit, where that is more than one of many."""

    id: str
    x: float
    y: float
    z: float
    facing: float
    height: float
    base: Base
    wounds: int
    tough: int
    hero: bool
    role: Role | UnsetType = UNSET
    look: str | UnsetType = UNSET


class Unit(Sent):
    """A unit. `reserve` says where it waits while it is not on the table, `fate` how it left the game. `block` is the
    rectangle of one in ranks and files, `inside` the piece of terrain it is in, `start` how many figures it had at
    first; `coherency` is its own, where units keep together in ways of their own; `pools` are what it has to spend."""

    id: str
    side: int
    tag: str
    name: Named
    look: str
    states: list[str]
    reserve: str | None
    fate: str | None
    figures: list[Figure]
    fallen: list[FallenShown]
    coherency: Coherency | UnsetType = UNSET
    pools: list[PoolShown] | UnsetType = UNSET
    inside: str | UnsetType = UNSET
    block: BlockShown | UnsetType = UNSET
    start: int | UnsetType = UNSET


class Marker(Sent):
    """Something that lies on the table. `holds`: what it hides, for those who know."""

    id: str
    kind: str
    x: float
    y: float
    radius: float
    owner: int | None
    holds: str | UnsetType = UNSET


class Objective(Sent):
    """A place to hold: whose it is, and how near one must be."""

    id: str
    x: float
    y: float
    owner: int | None
    reach: float


class Zone(Sent):
    """Where a side deploys: a circle, or corners."""

    side: int
    circle: tuple[float, float, float] | UnsetType = UNSET
    corners: list[Point] | UnsetType = UNSET


class Area(Sent):
    """A part of the table that means something to a side."""

    kind: str
    side: int
    ring: list[Point]


class Border(Sent):
    """A line that means something to a side."""

    kind: str
    side: int
    line: tuple[Point, Point]


class Hexes(Sent):
    """A board of hexes that stand on a side: how wide they are, and the middle of the first."""

    width: float
    x0: float
    y0: float


class Card(Sent):
    """A card, face up."""

    name: Named
    text: Named


class Pile(Sent):
    """Cards beside the table, the top one first; what lies face down is null. `shown` was turned up from it."""

    side: int
    kind: str
    title: Named
    cards: list[Card | None]
    shown: list[Card]


class Scene(Sent):
    """All there is to see. `round_word` is what the game's book calls a round, empty for the page's own word;
    `last_round` is the one in which it ends, 0 if that is not known; `goal` has the `title` of the scenario, its `goal`
    and what `scores`, or nothing; `winners`
    are all sides that have won; of the sides those after the first so many `players` are nobody's; `teams` has the
    alliance of each side, empty if all stand alone; `left` are sides that have conceded. `coherency` is how near
    figures of a unit keep to the next one, and to all; `contacts` are units that fight hand to hand; `heights` says
    that it is played with real heights; `closed` are the openings that are closed now; by `night` `lights` are shown.
    """

    round: int
    round_word: Named
    last_round: int
    goal: dict[str, Named]
    over: bool
    winner: int | None
    winners: list[int]
    players: int
    teams: list[int]
    left: list[int]
    score: Any
    turn: Any
    table: Annotated[dict[str, Any], msgspec.Meta(title="TableData")]
    hexes: Hexes | None
    zones: list[Zone]
    coherency: tuple[float, float | None] | None
    place_of_power: str | None
    objectives: list[Objective]
    markers: list[Marker]
    borders: list[Border]
    areas: list[Area]
    contacts: list[tuple[str, str]]
    heights: bool
    closed: list[str]
    night: bool
    lights: list[tuple[float, float, float]]
    piles: list[Pile]
    units: list[Unit]


# -- questions ---------------------------------------------------------------------------------------------------------


class Span(Sent):
    """A piece of a sentence: what it says, what kind of thing that is, the id of what it names, and whose it is."""

    text: str
    kind: str | UnsetType = UNSET
    ref: str | UnsetType = UNSET
    side: int | UnsetType = UNSET


class Strike(Sent):
    """An option that is an attack: who strikes whom, by hand or from afar; `way` where there is more than one."""

    by: str
    on: str
    charge: bool
    way: str | UnsetType = UNSET


class Option(Sent):
    """Something that may be chosen: the key to answer with. `things` are the ids of what it is about: units, figures,
    tokens, pieces of terrain."""

    key: str
    word: str
    facts: dict[str, Any]
    things: list[str]
    words: list[Span]
    strike: Strike | UnsetType = UNSET


class Group(Sent):
    """Slots with a budget of their own: least and most that all of them hold together."""

    key: str
    word: str
    facts: dict[str, Any]
    things: list[str]
    slots: list[str]
    least: int
    most: int | None
    words: list[Span]


class Body(Sent):
    """A block that is moved, and its stands: how far to the right of and ahead of its middle, how wide and deep."""

    width: float
    depth: float
    parts: list[tuple[float, float, float, float]]


class Guide(Sent):
    """What guides a hand that moves a block. `stands`: who, how far to the right of and ahead of its middle, how wide
    and how deep."""

    stands: list[tuple[str, float, float, float, float]]
    reach: float
    aside: float
    chord: bool
    edge: tuple[tuple[float, float, float], tuple[float, float, float]] | None
    poses: list[tuple[float, float, float]]


class Hint(Sent):
    """What a first battle says at a question, with the rule to read, and how much of it has been explained; it is `new`
    if nothing of the kind was asked before."""

    say: str
    rule: str
    new: bool
    explained: int
    of: int


class Decision(Sent):
    """What is asked. `subject` is the unit it is about; `measured` says that it has been measured what it is about,
    where nobody measures before he has decided; `passing` is the answer that lets it pass, which a player may have
    given whenever this is asked; `marks` are what a point of a way may say; `draft_odds` says that an answer to it has
    odds while it is in the making; what a captain would do is `laid` from the start where the game says so."""

    kind: str
    side: int
    ask: str
    rule: str
    about: dict[str, Any]
    words: list[Span]
    secret: bool
    subject: str
    measured: bool | UnsetType = UNSET
    options: list[Option] | UnsetType = UNSET
    besides: list[Option] | UnsetType = UNSET
    default: Any = UNSET
    passing: Any = UNSET
    least: int | UnsetType = UNSET
    most: int | UnsetType = UNSET
    slots: dict[str, int] | UnsetType = UNSET
    slot_words: dict[str, list[Span]] | UnsetType = UNSET
    groups: list[Group] | UnsetType = UNSET
    figures: list[str] | UnsetType = UNSET
    pointing: bool | UnsetType = UNSET
    marks: list[str] | UnsetType = UNSET
    laid: bool | UnsetType = UNSET
    blocks: dict[str, tuple[float, float, float]] | UnsetType = UNSET
    bodies: dict[str, Body] | UnsetType = UNSET
    how: Literal["march", "turn", "turn and march", "place"] | UnsetType = UNSET
    guide: Guide | UnsetType = UNSET
    draft_odds: bool | UnsetType = UNSET
    hint: Hint | UnsetType = UNSET


class Refusal(Sent):
    """Why not: the rule, the kind of obstacle, its numbers, and words."""

    rule: str
    why: str
    facts: dict[str, Any]
    words: list[Span]


# -- the log -----------------------------------------------------------------------------------------------------------


class Throw(Sent):
    """Dice as they lie: what each needed (at most, where low is good), and how many of the best did; or the total of an
    opposed roll; and whose they are, where the line is about others."""

    faces: list[int]
    needed: int | UnsetType = UNSET
    good: int | UnsetType = UNSET
    total: int | UnsetType = UNSET
    side: int | UnsetType = UNSET
    low: bool | UnsetType = UNSET


class Line(Sent):
    """One event: the answer it came of, its facts, and its words. `luck` is what its dice had to reach: side, kind,
    dice, successes, how many were expected, and their variance."""

    n: int
    event: dict[str, Any]
    words: list[Span]
    rule: str
    dice: list[Throw] | UnsetType = UNSET
    head: bool | UnsetType = UNSET
    aside: bool | UnsetType = UNSET
    luck: list[tuple[int, str, int, float, float, float]] | UnsetType = UNSET


# -- how things stand --------------------------------------------------------------------------------------------------


class FurtherSeed(Sent):
    """A seed that took the place of the first after so many answers: its hash, and when the battle is over the rest."""

    after: int
    seed_hash: str
    seed: str | UnsetType = UNSET
    salt: str | UnsetType = UNSET


class Player(Sent):
    """Who plays a side: a bot by name, or somebody."""

    side: int
    bot: str | None


class You(Sent):
    """What a seat plays."""

    sides: list[int]
    spectator: bool


class Measuring(Sent):
    """Whether everybody may measure at any time, and the rule by which nobody may."""

    open: bool
    rule: str


class Wish(Sent):
    """Somebody would like to take answers back, down to one; who has agreed."""

    by: int
    to: int
    yes: list[int] | UnsetType = UNSET


class LetPass(Sent):
    """A question that a side lets pass, in the words it was asked in."""

    side: int
    ask: str
    words: Named


class Result(Sent):
    """How a battle has ended, and what that is in words."""

    winners: list[int]
    score: list[int]
    words: Named


class Lesson(Sent):
    """A first battle: what it is called, what it is about, and whom it teaches."""

    name: Named
    about: Named
    side: int


class Keyed(Sent):
    """Of things with ids, those that are as told now, those that are gone, and their order where it is another."""

    changed: list[Any]
    gone: list[str]
    order: list[str] | UnsetType = UNSET


class Changes(Sent):
    """What to do to the old scene to get the new one: whole entries, and things with ids."""

    set: dict[str, Any]
    units: Keyed | UnsetType = UNSET
    markers: Keyed | UnsetType = UNSET
    objectives: Keyed | UnsetType = UNSET


class Now(Sent):
    """How things stand: the question, who is waited for, and when it is over what comes to light then."""

    number: int
    epoch: int
    side: int
    decision: Decision | None
    waiting: list[int]
    undo: Wish | None
    over: bool
    log: list[Line]
    passes: list[LetPass] | UnsetType = UNSET
    result: Result | UnsetType = UNSET
    seed: str | UnsetType = UNSET
    salt: str | UnsetType = UNSET
    further_seeds: list[FurtherSeed] | UnsetType = UNSET
    open: bool | UnsetType = UNSET
    measuring: Measuring | UnsetType = UNSET
    armies: list[Named | None] | UnsetType = UNSET


class Update(Now, tag="update", tag_field="type", rename={"start": "from"}, kw_only=True):
    """What has changed. `start` (`from` on the way): how many lines of the log there were before."""

    start: int
    changes: Changes


class Hello(Now, tag="hello", tag_field="type", rename={"start": "from"}, kw_only=True):
    """Everything from the beginning."""

    start: int
    battle: str
    game: str
    title: str
    mode: str
    created: float
    players: list[Player]
    options: dict[str, Any]
    choices: dict[str, Any]
    seed_hash: str
    analysis: bool
    campaign: str | None
    round: int
    armies: list[Named | None]
    measure: str
    you: You
    scene: Scene
    lesson: Lesson | UnsetType = UNSET


class Again(Sent, tag="rematch", tag_field="type"):
    """Somebody plays again, and everybody who has a seat may sit down."""

    by: int
    swap: bool


class Present(Sent, tag="present", tag_field="type"):
    """Who is at the table: the sides that somebody sits at, how many watch, and what people call themselves."""

    sides: list[int]
    watching: int
    names: dict[str, str]


class SaidLine(Sent):
    """Something that was said."""

    number: int
    side: int
    text: str
    at: float


class Said(Sent, tag="said", tag_field="type"):
    """What was said at the table: the last lines for who comes, then one after the other."""

    lines: list[SaidLine]


class AskedPause(Sent):
    """Somebody would like to pause; who has agreed."""

    by: int
    yes: list[int]


class Clock(Sent, tag="clock", tag_field="type"):
    """How the clocks stand. `left` are seconds by side as of when the question was put, and `ran` how many of them have
    gone by for those that run; `out` are sides whose time has run out, `claims` against whom the win was claimed, and
    by whom."""

    kind: Literal["none", "battle", "days"]
    minutes: int
    days: int
    lost: Literal["told", "claim"]
    left: dict[str, float]
    running: list[int]
    ran: float
    paused: bool
    wish: AskedPause | None
    out: list[int]
    claims: list[tuple[int, int]]


class Note(Sent, tag="note", tag_field="type"):
    """What was asked for, agreed on or refused at the table, and by whom; -1 is nobody in particular."""

    what: Literal[
        "undo_asked", "undo_done", "undo_agreed", "undo_refused",
        "pause_asked", "paused", "pause_refused", "went_on", "time_out", "claimed",
    ]  # fmt: skip
    by: int


# -- answers to what a client asked ------------------------------------------------------------------------------------


class Aid(Sent):
    """Something to draw, and the sentence that explains it."""

    kind: str
    of: str
    rule: str
    words: list[Span]
    circles: list[tuple[float, float, float]]
    rings: list[list[Point]]
    limits: list[float]


class Way(Sent):
    """Answers one after the other, as what is asked and the key: to a `move` of figures, no farther than `reach` where
    somebody says how far; to a place shown for them; to a `strike` on an enemy; or to something one has to be asked."""

    answers: list[tuple[str, str]]
    leads: Literal["move", "place", "strike", "ask"]
    figures: list[str] | UnsetType = UNSET
    reach: float | UnsetType = UNSET
    on: str | UnsetType = UNSET
    charge: bool | UnsetType = UNSET


class Cost(Sent):
    """A part of what a way costs: where on the way it falls due, and the sentence for it."""

    at: Point
    length: float
    words: list[Span]


class Sight(Sent):
    """What lies between two ends. Nobody is told the distance where nobody measures now."""

    distance: float | None
    seen: bool
    cover: bool
    through: list[str]
    rule: str
    words: list[Span]


SENT: tuple[type[msgspec.Struct], ...] = (
    Scene,
    Decision,
    Line,
    Refusal,
    Changes,
    Update,
    Hello,
    Again,
    Present,
    Said,
    Clock,
    Note,
    Aid,
    Cost,
    Sight,
    Way,
)
"""What the pages are told of; what these are made of comes with them."""
