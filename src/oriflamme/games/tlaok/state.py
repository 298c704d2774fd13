"""The state of a battle: regiments as blocks of stands, who touches whom, command stacks, and who is acting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from oriflamme.engine.blocks.bodies import Block, Body, Pose, rounded_pose
from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.battle import Card, Figure, Pile
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.state import MAYBE_PART, SHARED, Kind, State, derived, shared_as
from oriflamme.engine.core.steps import Asking as Asking
from oriflamme.engine.core.steps import Step as Step
from oriflamme.engine.core.steps import Steps
from oriflamme.engine.geometry.shapes import Box
from oriflamme.engine.table.pieces import Table
from oriflamme.games.tlaok.moments import Keyword, KeywordSet, book
from oriflamme.games.tlaok.profile import DrawEvent, Profile, best_events
from oriflamme.games.tlaok.regiment.formation import Formation, depth_of, formations, slots

steps = Steps()
step = steps.step


class Effect(NamedTuple):
    """Something that changes a regiment or a character for a while.

    It adds to a characteristic or sets it, perhaps up to a `cap` (TLAOK-PROF-15), or grants a draw event or a special
    rule, whose number a `cap` limits too. `cards.STATES` are stats besides the characteristics.

    `until` is "action", "activation", "round" or "battle"; "officer" while the command model named by `source` stands,
    and "character" while the attached character does. The last three were bought: they belong to the unmodified value
    (TLAOK-PROF-14).
    """

    source: str
    rule: str
    until: str
    stat: str = ""
    add: int = 0
    set: int | None = None
    cap: int | None = None
    grant: Keyword | None = None
    event: DrawEvent | None = None


class Stand(Figure):
    """One stand: what it is, what it carries, and how badly it is hurt.

    `role` is "stand", "command" or "character". `models` are the command models on it: "leader", "standard" and the ids
    of officers.
    """

    __slots__ = ("_block", "file", "models", "profile", "rank", "role", "wounds")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"_block": derived("block"), "profile": SHARED}

    def __init__(self, id: str, profile: Profile, role: str = "stand", models: Iterable[str] = ()) -> None:
        super().__init__(id, profile.base, profile.base.depth)
        self._block: Block | None = None
        self.profile = profile
        self.role = role
        self.models = tuple(models)
        self.wounds = 0
        self.rank = 0
        self.file = 0

    @property
    def rectangle(self) -> Box:
        """The ground it stands on; for a rider the Monster's (TLAOK-SR-RIDER-03)."""
        assert isinstance(self.base, Box)
        return self.base

    @property
    def block(self) -> Block:
        """The rectangle where it stands."""
        block = self._block
        if block is None or block.x != self.x or block.y != self.y or block.facing != self.facing:
            base = self.rectangle
            block = self._block = Block(base.width, base.depth, Pose(self.x, self.y, self.facing))
        return block

    @property
    def tough(self) -> int:
        return self.profile.wounds

    @property
    def hero(self) -> bool:
        return self.role == "character"


class Character(State):
    """What is known of a character besides its stand: its card, what it may do, and what it has done."""

    __slots__ = ("acted", "activated", "bound", "card", "effects", "id", "profile", "supremacy", "upgrades", "warlord")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"card": SHARED, "profile": SHARED}

    def __init__(
        self,
        id: str,
        profile: Profile,
        *,
        warlord: bool = False,
        supremacy: str = "",
        upgrades: Iterable[str] = (),
        card: dict[str, Any] | None = None,
    ) -> None:
        self.id = id
        self.profile = profile
        # Plain data of the list: points, what its supremacy abilities do, what its upgrades do for its regiment.
        self.card = card or {}
        self.warlord = warlord
        self.supremacy = supremacy
        # Upgrades and masteries.
        self.upgrades = tuple(upgrades)
        self.effects: tuple[Effect, ...] = ()
        self.activated = False
        # Whether it has performed an action this round, and whether it must accept the next duel (TLAOK-DUEL-07).
        self.acted = False
        self.bound = False


class Regiment(engine.Unit[Stand]):
    """A block of stands: how it is drawn up, where it stands, and what has befallen it.

    `x`, `y` and `facing` are those of the middle of its footprint, the full rectangle of its ranks and files
    (TLAOK-FORM-12). Stands are put in their places by `arrange`.
    """

    __slots__ = (
        "_laid",
        "_sets",
        "acted",
        "activated",
        "arrived",
        "broken",
        "card",
        "character",
        "effects",
        "ends",
        "facing",
        "failed",
        "fate",
        "formation",
        "garrison",
        "initial",
        "lost",
        "name",
        "profile",
        "refused",
        "remained",
        "reserve",
        "started",
        "strayed",
        "warband",
        "x",
        "y",
    )
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "_laid": derived("laid"),
        "_sets": derived("keywords_of", empty=dict),
        "card": SHARED,
        "character": MAYBE_PART,
        "name": SHARED,
        "profile": SHARED,
    }

    def __init__(
        self,
        id: str,
        side: int,
        profile: Profile,
        stands: list[Stand],
        character: Character | None = None,
        card: dict[str, Any] | None = None,
    ) -> None:
        self.x = self.y = self.facing = 0.0
        self._laid: Laid | None = None
        self.profile = profile
        self.name = profile.name
        self.character = character
        # Plain data of the list: points and what was bought.
        self.card = card or {}
        self.warband = 0
        self.formation = Formation(1)
        # Where it is when it is not on the table: "reinforcements", or "arriving" this round; None on the table.
        self.reserve: str | None = "reinforcements"
        # How it left the game: "destroyed", "shattered"; "" while it is in it.
        self.fate = ""
        self.garrison = ""
        self.broken = False
        # Stands it had when the game, and when the round began; lost this round; left when it broke (TLAOK-SHATTER-01).
        self.initial = len(stands)
        self.started = len(stands)
        self.lost = 0
        self.remained = 0
        # From which end the next casualty is taken: 0 nobody has said, 1 left, 2 right (TLAOK-WOUND-04).
        self.ends = 0
        self.activated = False
        # Whether it has performed an action this round; came onto the table this round; its character refused a duel.
        self.acted = False
        self.arrived = False
        self.refused = False
        # It could not enter last time: it comes without a die (TLAOK-ENTRY-16).
        self.failed = False
        # Its charge came to nothing and left it too near: it must make that good when it acts next (TLAOK-CHARGE-32).
        self.strayed = False
        self.effects: tuple[Effect, ...] = ()
        self._sets: dict[str, KeywordSet] = {}
        super().__init__(id, side, stands)

    # -- what it is ----------------------------------------------------------------------------------------------------

    @property
    def on_table(self) -> bool:
        """In play and no longer in reinforcements; in a garrison too."""
        return self.reserve is None and not self.fate

    @property
    def kind(self) -> str:
        return self.profile.kind

    @property
    def weight(self) -> str:
        return self.profile.weight

    @property
    def size(self) -> int:
        """How many stands it has now, its character among them (TLAOK-CHAR-08)."""
        return len(self.figures)

    @property
    def ordinary(self) -> list[Stand]:
        return [s for s in self.figures if s.role == "stand"]

    @property
    def command(self) -> Stand | None:
        return next((s for s in self.figures if s.role == "command"), None)

    @property
    def hero(self) -> Stand | None:
        """The stand of its character."""
        for stand in self.figures:
            if stand.role == "character":
                return stand
        return None

    @property
    def led_by(self) -> tuple[str, ...]:
        """What there is of its character on the table: his stand, or the regiment that he is."""
        hero = self.hero
        return (hero.id,) if hero is not None else (self.id,)

    @property
    def troops(self) -> list[Stand]:
        """All stands but the character's."""
        return [s for s in self.figures if s.role != "character"]

    @property
    def ridden(self) -> bool:
        """Its character rides it, and has no place of his own in the block (TLAOK-SR-RIDER-01)."""
        hero = self.hero
        return hero is not None and hero.profile.rider

    @property
    def placed(self) -> int:
        """How many of its stands have a place of their own in the block."""
        return self.size - 1 if self.ridden else self.size

    @property
    def led(self) -> bool:
        """Its character is still there; one that is a regiment of its own is as long as that is (TLAOK-CHAR-13)."""
        if self.character is None or self.fate:
            return False
        return self.hero is not None or self.character.profile is self.profile

    # -- special rules and effects -------------------------------------------------------------------------------------

    def keywords_of(self, stand: Stand) -> KeywordSet:
        """The special rules at work on a stand: its own, and those that effects grant it now."""
        key = "character" if stand.role == "character" else "stand"
        found = self._sets.get(key)
        if found is None:
            laid = self.effects
            if stand.role == "character" and self.character is not None:
                # What was bought for the regiment is not for him (TLAOK-REG-07).
                laid = (*self.character.effects, *(e for e in laid if e.until != "officer"))
            granted = [e for e in laid if e.grant is not None]
            found = stand.profile.keywords
            if granted:
                together = book.set_of((*found, *(e.grant for e in granted if e.grant is not None)))
                caps = {type(e.grant): e.cap for e in granted if e.cap is not None}
                found = book.set_of(_capped(k, caps.get(type(k))) for k in together) if caps else together
            self._sets[key] = found
        return found

    def events_of(self, character: bool = False) -> tuple[DrawEvent, ...]:
        """The draw events of the regiment, or of its character, granted ones too (TLAOK-DRAW-06)."""
        if character:
            hero = self.character
            return best_events((*hero.profile.events, *_events(hero.effects))) if hero is not None else ()
        return best_events((*self.profile.events, *_events(self.effects)))

    def affect(self, *effects: Effect) -> None:
        """These begin to work."""
        self.effects += effects
        self._sets = {}

    def end_effects(self, until: str) -> None:
        """Everything that lasts no longer than this ends."""
        for bearer in (self, self.character):
            if bearer is not None and bearer.effects:
                left = tuple(e for e in bearer.effects if e.until != until)
                if len(left) < len(bearer.effects):
                    bearer.effects = left
                    self._sets = {}

    # -- where it stands -----------------------------------------------------------------------------------------------

    @property
    def laid(self) -> Laid:
        """Where it lies on the table; worked out once for each place and formation and number of stands."""
        laid = self._laid
        if laid is None or laid.size != len(self.figures) or laid.formation is not self.formation:
            laid = self._laid = Laid(self)
        return laid

    @property
    def ranks(self) -> int:
        return self.laid.ranks

    @property
    def footprint(self) -> Box:
        """The full rectangle, gaps of the last rank filled (TLAOK-FORM-12)."""
        return footprint_of(self.profile.base, self.formation.files, self.laid.ranks)

    def kinds(self) -> list[Stand]:
        """One stand of each kind: of its stands without command models, of its riders and characters, and each that
        carries models."""
        found: list[Stand] = []
        for stand in self.figures:
            for known in found:
                if known.profile is stand.profile and known.role == stand.role and known.models == stand.models:
                    break
            else:
                found.append(stand)
        return found

    def draw_up(self, formation: Formation | None = None) -> None:
        """Take a formation, or keep to the usual one with the frontage there was. Casualties begin anew at the end its
        owner likes (TLAOK-WOUND-04)."""
        self.ends = 0
        if formation is None:
            formation = self.formations(min(max(self.formation.files, 1), max(1, self.placed)))[0]
        self.formation = formation
        self.arrange()

    def formations(self, files: int) -> tuple[Formation, ...]:
        """Every legal way to draw up with that frontage; the first is the usual one."""
        return formations(self.placed, files, self.command is not None, self.hero is not None and not self.ridden)

    def stand_at(self, x: float, y: float, facing: float) -> None:
        """Stand there, with the middle of the footprint."""
        self.x, self.y, self.facing = rounded_pose(Pose(x, y, facing))
        self.arrange()

    def arrange(self) -> None:
        """Put every stand in its place: ordinary ones in the order they stood, the wounded in the last rank
        (TLAOK-FORM-05); a rider is where the Monster is (TLAOK-SR-RIDER-03)."""
        hero, ridden = self.hero, self.ridden
        placed, files = self.placed, self.formation.files
        ranks = depth_of(placed, files)
        places = slots(placed, self.formation)
        stands = sorted((s for s in self.figures if s.role == "stand"), key=lambda s: (s.rank, s.file))
        _wounded_last(stands, sum(1 for rank, _ in places[: len(stands)] if rank < ranks - 1))
        for stand in (self.command, hero if not ridden else None):
            if stand is not None:
                stands = [*stands, stand]
        base = self.profile.base
        corners = footprint_of(base, files, ranks).corners(self.x, self.y, self.facing)
        (ax, ay), (bx, by), (_, _), (dx, dy) = corners
        ux, uy = (bx - ax) / files, (by - ay) / files
        vx, vy = (dx - ax) / ranks, (dy - ay) / ranks
        for stand, (rank, file) in zip(stands, places, strict=True):
            stand.rank, stand.file = rank, file
            stand.x = ax + ux * (file + 0.5) + vx * (rank + 0.5)
            stand.y = ay + uy * (file + 0.5) + vy * (rank + 0.5)
            stand.facing = self.facing
            stand.base = base
            stand._block = None
        if ridden and hero is not None and stands:
            mount = stands[0]
            hero.rank, hero.file, hero.base = mount.rank, mount.file, base
            hero.x, hero.y, hero.facing = mount.x, mount.y, mount.facing
            hero._block = None
        self._laid = None
        self.update_bounds()


def _wounded_last(stands: list[Stand], front: int) -> None:
    """Wounded stands change places with others behind the first so many."""
    for i in range(front):
        if stands[i].wounds:
            sound = next((j for j in range(len(stands) - 1, front - 1, -1) if not stands[j].wounds), i)
            stands[i], stands[sound] = stands[sound], stands[i]


def _capped(keyword: Keyword, cap: int | None) -> Keyword:
    """The special rule with its number held to a maximum (TLAOK-PROF-15)."""
    return keyword if cap is None or keyword.x <= cap else type(keyword)(cap, keyword.word)


def _events(effects: Iterable[Effect]) -> Iterator[DrawEvent]:
    return (e.event for e in effects if e.event is not None)


class Laid:
    """How a regiment lies on the table: its ranks, its full rectangle, and the rectangles that its stands make.

    What is true as long as the place, the formation and the number of stands are the same.
    """

    __slots__ = ("body", "formation", "parts", "pose", "ranks", "size", "whole")

    def __init__(self, regiment: Regiment) -> None:
        self.size = len(regiment.figures)
        self.formation = regiment.formation
        files = self.formation.files
        self.ranks = depth_of(regiment.placed, files)
        last = [s.file for s in regiment.figures if s.rank == self.ranks - 1 and not s.profile.rider]
        self.body = body_of_ranks(regiment.profile.base, files, self.ranks, min(last, default=0), len(last))
        self.pose = Pose(regiment.x, regiment.y, regiment.facing)
        self.parts = self.body.at(self.pose)
        self.whole = self.parts[0] if self.body.is_full else self.body.block(self.pose)


@lru_cache(maxsize=4096)
def body_of_ranks(base: Box, files: int, ranks: int, first: int, number: int) -> Body:
    """The full rectangle of ranks and files, and what is there of it if so many stand in the last rank, from a file on
    (TLAOK-FORM-12)."""
    width, depth = files * base.width, ranks * base.depth
    if number in (0, files):
        return Body(width, depth)
    rank = ((first + number / 2) * base.width - width / 2, (base.depth - depth) / 2, number * base.width, base.depth)
    if ranks == 1:
        return Body(width, depth, (rank,))
    return Body(width, depth, ((0.0, base.depth / 2, width, depth - base.depth), rank))


@lru_cache(maxsize=512)
def footprint_of(stand: Box, files: int, ranks: int) -> Box:
    return Box(stand.width * files, stand.depth * ranks)


class Activation(State):
    """Whose card is being resolved, and what its unit has done (TLAOK-ACT-03).

    `unit` is a regiment or, with `character`, the regiment of the character who acts. `performed` are the actions it
    has performed, free ones too; `used` how many of its actions are gone.
    """

    __slots__ = (
        "allowed",
        "astray",
        "before",
        "chained",
        "character",
        "entering",
        "limit",
        "performed",
        "unit",
        "used",
    )

    def __init__(self, unit: str, *, character: bool = False, chained: bool = False) -> None:
        self.unit = unit
        self.character = character
        self.chained = chained
        self.performed: tuple[str, ...] = ()
        self.used = 0
        self.limit = 1 if character else 2
        # Actions that may be performed once more than normal (TLAOK-ACT-16), and without using one up (-17).
        self.allowed: tuple[tuple[str, bool], ...] = ()
        # Not yet wholly on the table: the next action must be a March (TLAOK-ENTRY-13).
        self.entering = False
        # It began too near to an enemy or a garrison, and must end its activation clear of both (TLAOK-CHARGE-32).
        self.astray = False
        # Where it stood before a March onto friends off whom no second March was known (TLAOK-MARCH-14).
        self.before: tuple[float, float, float] | None = None


class Zone(NamedTuple):
    """An objective zone: a disc, what it is worth to each side, and whose it is at the moment (-1 nobody's)."""

    id: str
    x: float
    y: float
    radius: float
    worth: tuple[int, int]
    owner: int = -1


class Battle(engine.Battle[Regiment]):
    """A battle of Conquest between two steps."""

    __slots__ = (
        "acting",
        "contacts",
        "decks",
        "destroyed",
        "drawn",
        "edges",
        "first",
        "happened",
        "held",
        "holders",
        "lines",
        "lore",
        "points",
        "queue",
        "rolled_in",
        "scenario",
        "score",
        "secrets",
        "seen_by",
        "stacks",
        "starting_lines",
        "turn",
        "unattached",
        "used",
        "zones_of_objectives",
    )
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "acting": MAYBE_PART,
        "contacts": SHARED,
        "held": SHARED,
        "lore": shared_as(lambda lore: {kind: sorted(known) for kind, known in lore.items()}),
        "unattached": SHARED,
    }

    def __init__(
        self, table: Table, options: dict[str, str], dice: Dice, *, scenario: str = "attrition", points: int = 2000
    ) -> None:
        super().__init__(table, 2, options, dice)
        self.scenario = scenario
        self.points = points
        # The table edge of each side: "south" or "north" (TLAOK-SCN-02).
        self.edges: tuple[str, str] = ("south", "north")
        # How far forward each side's reinforcement line lies, from its own edge; now, and when the round began.
        self.lines: tuple[float, float] = (0.0, 0.0)
        self.starting_lines: tuple[float, float] = (0.0, 0.0)
        # The regiments that hold those lines; "" where a line lies on the edge.
        self.holders: tuple[str, str] = ("", "")
        # Regiments that dice brought this round (TLAOK-REINF-09).
        self.rolled_in: frozenset[str] = frozenset()
        # What was removed from the game this round, by side: regiments and characters (TLAOK-SCNA-02).
        self.destroyed: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        # Who touches whom, and with which face: contacts[a][b] is the face of a that b touches (TLAOK-CONTACT-07).
        self.contacts: dict[str, dict[str, str]] = {}
        # How many stands of one touched the other before the casualties of this action (TLAOK-STRAND-05).
        self.held: dict[str, dict[str, int]] = {}
        # Names on the cards still to be drawn, the top one last; and who plays first this round, whose turn it is.
        self.stacks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        # Cards turned up this round, in order (TLAOK-CARD-03).
        self.drawn: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        # The side this is a view for, or -1 for whoever watches; None if nothing was hidden.
        self.seen_by: int | None = None
        self.first = 0
        self.turn = 0
        self.acting: Activation | None = None
        # What must still be settled after the action: regiments to press, to reform, to remove (see aftermath).
        self.queue: tuple[tuple[str, str], ...] = ()
        self.zones_of_objectives: tuple[Zone, ...] = ()
        self.score: tuple[int, int] = (0, 0)
        # What has happened this round that secondary objectives ask about: (what, side who did it, to whom).
        self.happened: tuple[tuple[str, int, str], ...] = ()
        # What the factions bring as data, and nobody changes: secondary objectives and supremacy abilities by id.
        self.lore: Mapping[str, Mapping[str, Any]] = {"secondaries": {}, "abilities": {}}
        # Characters who have yet to join a regiment: side, number of the warband, who.
        self.unattached: tuple[tuple[int, int, Character], ...] = ()
        # Secondary objectives still in the decks; after the first draw nobody looks at them again.
        self.decks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        # Secondary objectives in hand, and what each side has used up: supremacy abilities and the like.
        self.secrets: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self.used: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())

    # -- who is there --------------------------------------------------------------------------------------------------

    def present(self, side: int | None = None) -> list[Regiment]:
        """The regiments on the table, of one side or of both; those in garrisons too."""
        return [r for r in self.units.values() if (side is None or r.side == side) and r.reserve is None and not r.fate]

    def friends(self, regiment: Regiment) -> list[Regiment]:
        return [r for r in self.present(regiment.side) if r is not regiment]

    def foes(self, regiment: Regiment) -> list[Regiment]:
        return self.present(1 - regiment.side)

    def rules_of(self, regiment: Regiment, stand: Stand) -> KeywordSet:
        """The special rules a stand fights with: its own and those granted; an attached character also has those of his
        regiment that reach him by their wording (TLAOK-REG-05 to -08). In a duel he has only `keywords_of`."""
        own = regiment.keywords_of(stand)
        if stand.role != "character" or stand.profile is regiment.profile:
            return own
        found = regiment._sets.get("reached")
        if found is None:
            wording = self.option("tlaok.characterRules") == "byWording"
            lent = (k for k in regiment.profile.printed if k.reach == "regiment" and (wording or k.names_characters))
            found = regiment._sets["reached"] = book.set_of((*own, *lent))
        return found

    def duel_rules_of(self, regiment: Regiment, stand: Stand) -> KeywordSet:
        """The special rules of a character in a duel: those he fights with, but of the rules that do not work in duels
        only his own, and Phalanx never (TLAOK-DUEL-11, TLAOK-SR-GEN-03)."""
        own = set(map(type, stand.profile.keywords))
        if regiment.character is not None:
            own |= {type(e.grant) for e in regiment.character.effects if e.grant is not None}
        known = self.rules_of(regiment, stand)
        return book.set_of(k for k in known if k.in_duels == "always" or (k.in_duels == "own" and type(k) in own))

    # -- contact -------------------------------------------------------------------------------------------------------

    def engaged(self, regiment: Regiment) -> list[Regiment]:
        """The enemies in contact with it (TLAOK-CONTACT-03)."""
        return [self.units[id] for id in self.contacts.get(regiment.id, ())]

    def is_engaged(self, regiment: Regiment) -> bool:
        return bool(self.contacts.get(regiment.id))

    def face_touched(self, regiment: Regiment, by: Regiment) -> str:
        """The face of a regiment that an enemy in contact touches; "" in a garrison, which has none (TLAOK-GARR-13)."""
        return self.contacts[regiment.id][by.id]

    def engage(self, a: Regiment, face_of_a: str, b: Regiment, face_of_b: str) -> None:
        """They are in contact now."""
        self.contacts = self.contacts | {
            a.id: self.contacts.get(a.id, {}) | {b.id: face_of_a},
            b.id: self.contacts.get(b.id, {}) | {a.id: face_of_b},
        }

    def part(self, a: Regiment, b: Regiment | None = None) -> None:
        """They are no longer in contact; without b, a is in contact with nobody."""
        gone = {b.id} if b is not None else set(self.contacts.get(a.id, ()))
        kept: dict[str, dict[str, str]] = {}
        for id, faces in self.contacts.items():
            left = {o: f for o, f in faces.items() if not ((id == a.id and o in gone) or (o == a.id and id in gone))}
            if left:
                kept[id] = left
        self.contacts = kept

    # -- secrets -------------------------------------------------------------------------------------------------------

    def hide(self, side: int) -> None:
        """The order of the opponent's stack and his secondary objectives are closed (TLAOK-GEN-06, TLAOK-SEC-03); how
        many cards the stack has is open, and so is which (TLAOK-STACK-06): they are shown in order of name."""
        other = 1 - side
        stacks, secrets = list(self.stacks), list(self.secrets)
        self.decks = ((), ())
        for hidden in (0, 1) if side not in (0, 1) else (other,):
            stacks[hidden] = tuple(sorted(stacks[hidden]))
            secrets[hidden] = ("",) * len(secrets[hidden])
        self.stacks = (stacks[0], stacks[1])
        self.secrets = (secrets[0], secrets[1])
        self.seen_by = side

    def piles(self) -> list[Pile]:
        """The stack of each side with what was drawn from it this round (TLAOK-STACK-04, -06), and its secondary
        objectives (TLAOK-SEC-03); the opponent's lie face down."""
        names = {r.profile.id: Card(r.profile.name) for r in self.units.values()}
        for regiment in self.units.values():
            if regiment.character is not None:
                names[regiment.character.profile.id] = Card(regiment.character.profile.name)
        goals = {
            id: Card(answer["name"], answer["text"])
            for id, answer in self.lore["secondaries"].items()
            if "text" in answer
        }
        made = []
        for side in (0, 1):
            mine = self.seen_by in (None, side)
            stack = tuple(names.get(card) if mine else None for card in reversed(self.stacks[side]))
            drawn = tuple(names[card] for card in self.drawn[side] if card in names)
            if stack or drawn:
                made.append(Pile(side, "stack", stack, drawn))
            if self.secrets[side]:
                made.append(Pile(side, "secondaries", tuple(goals.get(card) for card in self.secrets[side])))
        return made


def stands_of(regiments: Iterable[Regiment]) -> Iterator[Stand]:
    return (stand for regiment in regiments for stand in regiment.figures)
