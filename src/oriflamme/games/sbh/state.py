"""The state of a battle: fighters one by one, markers, whose turn it is, and who is acting."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar

from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.battle import Figure
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.state import (
    DICT,
    LIST,
    PARTS,
    SHARED,
    Kind,
    Record,
    State,
    forgotten,
    only,
    part_of,
    set_by,
)
from oriflamme.engine.core.steps import Asking as Asking
from oriflamme.engine.core.steps import Step as Step
from oriflamme.engine.core.steps import Steps
from oriflamme.engine.geometry.hexes import HexGrid
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Disc, Outline
from oriflamme.engine.table.maps import is_obstacle
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.sbh.measures import Ruler, Sticks
from oriflamme.games.sbh.moments import KeywordSet, power_of
from oriflamme.games.sbh.profile import Profile

steps = Steps()
step = steps.step

DEADLY_QUALITY = 7  # SBH-PROFILE-05


class Item(Record):
    """A magic item (SBH-ITEM): its kind, what is left of it, the Quality of a scroll. Never altered.

    `prize` is the one that this battle is fought for; `drained` if nothing of it works any more.
    """

    __slots__ = ("drained", "kind", "left", "prize", "quality")

    def __init__(
        self, kind: str, left: int = 0, quality: int = 0, *, prize: bool = False, drained: bool = False
    ) -> None:
        self.kind = kind
        self.left = left
        self.quality = quality
        self.prize = prize
        self.drained = drained

    def less(self, number: int) -> Item:
        """The same with so many uses fewer; drained when none is left."""
        left = self.left - number
        return Item(self.kind, left, self.quality, prize=self.prize, drained=left <= 0)

    def drain(self) -> Item:
        return Item(self.kind, 0, self.quality, prize=self.prize, drained=True)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Item:
        return cls(
            data["kind"],
            data.get("left", 0),
            data.get("quality", 0),
            prize=data.get("prize", False),
            drained=data.get("drained", False),
        )


class Fighter(engine.Unit[Figure]):
    """One fighter: his card, where he stands, and what has befallen him."""

    __slots__ = (
        "activated",
        "attacked",
        "barred",
        "body",
        "brave",
        "card",
        "carries",
        "down",
        "drained",
        "fate",
        "hurt",
        "item",
        "lost_powers",
        "moved",
        "name",
        "offers",
        "out_of_ammo",
        "own",
        "poison",
        "profile",
        "rerolled",
        "reserve",
        "slow_to_rise",
        "transfixed",
        "tricked",
        "used",
        "wounds",
    )
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "body": part_of(Figure),
        "card": SHARED,
        "fallen": only("body"),
        "figures": only("body"),
        "name": SHARED,
        "own": SHARED,
        "profile": set_by("_update_profile"),
    }

    def __init__(self, id: str, side: int, profile: Profile, width: float, card: dict[str, Any]) -> None:
        self.body = Figure(id, Disc(width / 2), width)
        super().__init__(id, side, [self.body])
        self.name: dict[str, str] = card["name"]
        # Plain data of the band: points, card, race.
        self.card = card
        self.own = profile
        # What he is at the moment: his own profile, with what an item gives and without what a trick takes away.
        self.profile = profile
        # The special rule that a dirty trick cancels for the moment.
        self.tricked = ""
        # Where a fighter waits who is not on the table: "band" before deployment, "marker" in ambush.
        self.reserve: str | None = "band"
        # How he left the game: "killed", "trapped", "routed", "left"; "" while he is in it.
        self.fate = ""
        self.wounds = 0
        self.poison = 0
        self.hurt: int = card.get("hurt", 0)
        self.down = False
        # Fell from a height: standing up takes two actions (SBH-FALL-04).
        self.slow_to_rise = False
        # Transfixed: the Mage whose death ends it, "" for one that nobody's death ends; None if he is free.
        self.transfixed: str | None = None
        self.activated = False
        # This turn: has attacked (SBH-ACTION-02), has moved (SBH-SR-SLOW-01), has entangled or cast.
        self.attacked = False
        self.moved = False
        self.used: frozenset[str] = frozenset()
        # Enemies he dares not approach in this activation (SBH-SR-TERROR-02).
        self.barred: frozenset[str] = frozenset()
        # Out of ammunition, out of magic, out of grace; the hero's re-roll is spent; immune to Terror.
        self.out_of_ammo = False
        self.drained = False
        self.lost_powers = False
        self.rerolled = False
        self.brave = False
        self.carries = False
        self.item: Item | None = None
        # To whom he has offered what he carries, this turn (SBH-SCEN-ITEM-06).
        self.offers = ""
        if card.get("item"):
            self.equip(Item.from_data(card["item"]))

    def equip(self, item: Item | None) -> None:
        """He bears this item now, or none."""
        self.item = item
        self._update_profile()

    def trick(self, title: str) -> None:
        """One of his special rules has no effect for the moment; "" ends it (SBH-UPG-DIRTYTRICKS-01)."""
        self.tricked = title
        self._update_profile()

    def _update_profile(self) -> None:
        profile = self.own.without(self.tricked) if self.tricked else self.own
        power = power_of(self.item.kind) if self.item is not None and self.bears(self.item.kind) is not None else None
        self.profile = profile.along_with(power) if power is not None else profile

    def bears(self, kind: str) -> Item | None:
        """The item of that kind he can use, if he has it; animals use none (SBH-SR-ANIMAL-03)."""
        item = self.item
        if item is None or item.kind != kind or item.drained or self.own.animal:
            return None
        return item

    @property
    def on_table(self) -> bool:
        return self.reserve is None and not self.fate

    @property
    def helpless(self) -> bool:
        """Fallen or transfixed: the opposite of operational (SBH-GEN-09)."""
        return self.down or self.transfixed is not None

    @property
    def keywords(self) -> KeywordSet:
        return self.profile.keywords

    @property
    def points(self) -> int:
        return int(self.card.get("points", 0))

    @property
    def value(self) -> int:
        """What he counts for; other than his points if a campaign has made him better (SBH-CAMP-13)."""
        return int(self.card.get("value", self.points))

    @property
    def x(self) -> float:
        return self.body.x

    @property
    def y(self) -> float:
        return self.body.y

    @property
    def z(self) -> float:
        return self.body.z

    @property
    def radius(self) -> float:
        return self.body.radius

    @property
    def width(self) -> float:
        """One base width."""
        return self.body.radius * 2


class Marker(Record):
    """A base-sized marker: an ambush marker, a place where treasure may be, or the prize itself. Never altered.

    `kind` is "ambush", "treasure", "item" (places to search) or "prize". `holds` is the fighter of an ambush marker, ""
    for a decoy, and None for what a side may not know. `item` is the magic item that lies there.
    """

    __slots__ = ("holds", "id", "item", "kind", "radius", "side", "x", "y")

    def __init__(
        self,
        id: str,
        kind: str,
        x: float,
        y: float,
        radius: float,
        side: int = -1,
        holds: str | None = "",
        item: Item | None = None,
    ) -> None:
        self.item = item
        self.id = id
        self.kind = kind
        self.x = x
        self.y = y
        self.radius = radius
        self.side = side
        self.holds = holds

    @property
    def owner(self) -> int | None:
        return self.side if self.side >= 0 else None


class Activation(State):
    """Who is acting, and what they have left. A Leader who gives an order waits below the group that obeys."""

    __slots__ = ("actions", "announced", "cast", "kind", "leader", "members", "resting", "sure_footed", "turnover")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"actions": DICT, "announced": SHARED, "cast": DICT}

    def __init__(self, members: tuple[str, ...], actions: int, kind: str = "", leader: str = "") -> None:
        self.members = members
        self.actions: dict[str, int] = dict.fromkeys(members, actions)
        # "": a single fighter; or the order: "group", "rally", "volley".
        self.kind = kind
        self.leader = leader
        # What was announced before the roll, by fighter: "cast", "heal", "scroll".
        self.announced: dict[str, frozenset[str]] = {}
        self.turnover = False
        # Spells cast in this activation, by fighter.
        self.cast: dict[str, int] = {}
        # Members who have declared that they are done.
        self.resting: frozenset[str] = frozenset()
        # Whom difficult ground does not hinder in this activation (SBH-UPG-TERRAIN-01).
        self.sure_footed = ""


class Alarm(Record):
    """Something that shakes a band: "gruesome", "leader" or "half"; whose, and who died. Never altered."""

    __slots__ = ("kin", "kind", "near", "side", "victim")

    def __init__(
        self, kind: str, side: int, victim: str = "", near: frozenset[str] = frozenset(), kin: str = ""
    ) -> None:
        self.kind = kind
        self.side = side
        self.victim = victim
        # Friends within Long of a gruesome death when it happened (SBH-MORALE-12).
        self.near = near
        # If set, only fighters of this card care (SBH-SR-SWARM-06).
        self.kin = kin


Spot = tuple[float, float, float]


@lru_cache(maxsize=64)
def obstacles(table: Table) -> tuple[Piece, ...]:
    """The walls, fences, hedges and other linear obstacles of a table (SBH-COMBAT-16)."""
    return tuple(piece for piece in table.pieces if is_obstacle(piece))


class Battle(engine.Battle[Fighter]):
    """A battle of Song of Blades and Heroes between two steps."""

    __slots__ = (
        "_contacts",
        "acting",
        "alarms",
        "attacker",
        "because",
        "edges",
        "gaps",
        "halved",
        "markers",
        "place_of_power",
        "points",
        "prize",
        "ruler",
        "scale",
        "scenario",
        "searched",
        "start",
        "start_spots",
        "sticks",
        "swapped",
        "turn",
        "turn_limit",
        "upgrades",
        "victory",
    )
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "_contacts": forgotten("touching"),
        "acting": PARTS,
        "alarms": LIST,
        "gaps": LIST,
        "ruler": SHARED,
        "start_spots": SHARED,
        "sticks": SHARED,
    }

    def __init__(
        self,
        table: Table,
        options: dict[str, str],
        dice: Dice,
        *,
        scale: str,
        sticks: Sticks,
        ruler: Ruler,
        scenario: str = "battle",
        points: int = 300,
        turn_limit: int = 0,
    ) -> None:
        super().__init__(table, 2, options, dice)
        self.scale = scale
        self.sticks = sticks
        self.ruler = ruler
        self.scenario = scenario
        self.points = points
        self.turn_limit = turn_limit
        self.attacker = 0
        # The edge of each side: "south", "north", "west", "east".
        self.edges: tuple[str, str] = ("south", "north")
        self.turn = 0
        self.acting: list[Activation] = []
        self.alarms: list[Alarm] = []
        # Where losses may have opened gaps in swarms: whose, and the bases of its type that the lost one touched.
        self.gaps: list[tuple[int, tuple[str, ...]]] = []
        self.markers: tuple[Marker, ...] = ()
        self.place_of_power = ""
        # The side that has brought the treasure off the table, or -1; and how many markers were searched in vain.
        self.prize = -1
        self.searched = 0
        self.start: tuple[int, int] = (0, 0)
        self.halved: tuple[bool, bool] = (False, False)
        # Where everybody stood when the turn began (SBH-HIDE-01).
        self.start_spots: dict[str, Spot] = {}
        # Two fighters whose Quality is swapped until the end of the turn (SBH-UPG-UNPREDICTABLE-01).
        self.swapped: tuple[str, ...] = ()
        # Band upgrades not used up yet, by side.
        self.upgrades: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        self.victory: tuple[int, int] = (0, 0)
        self.because = ""
        self._contacts: dict[str, tuple[Fighter, ...]] | None = None

    @property
    def defender(self) -> int:
        return 1 - self.attacker

    def zones(self) -> list[tuple[int, Outline]]:
        """Where each side deploys: within Short of its edge (SBH-SETUP-04)."""
        wide, deep, short = self.table.width, self.table.depth, self.sticks.short
        strips = {
            "south": (wide / 2, short / 2, wide, short),
            "north": (wide / 2, deep - short / 2, wide, short),
            "west": (short / 2, deep / 2, short, deep),
            "east": (wide - short / 2, deep / 2, short, deep),
        }
        return [(side, Outline.rectangle(*strips[self.edges[side]])) for side in (0, 1)]

    @property
    def hexes(self) -> HexGrid | None:
        return self.ruler.grid

    @property
    def active(self) -> Activation:
        return self.acting[-1]

    def is_sure_footed(self, fighter: Fighter) -> bool:
        """Difficult ground does not hinder him in this activation (SBH-UPG-TERRAIN-01)."""
        return bool(self.acting) and self.active.sure_footed == fighter.id

    def present(self, side: int | None = None) -> list[Fighter]:
        """The fighters on the table, of one side or of both."""
        return [f for f in self.units.values() if (side is None or f.side == side) and f.reserve is None and not f.fate]

    def ready(self) -> list[Fighter]:
        """The fighters of the active player who have not been activated this turn (SBH-ACT-05)."""
        return [f for f in self.present(self.turn) if not f.activated]

    def foes(self, fighter: Fighter) -> list[Fighter]:
        side = fighter.side
        return [f for f in self.units.values() if f.side != side and f.reserve is None and not f.fate]

    def friends(self, fighter: Fighter) -> list[Fighter]:
        side = fighter.side
        return [
            f for f in self.units.values() if f.side == side and f is not fighter and f.reserve is None and not f.fate
        ]

    def in_play(self, side: int) -> list[Fighter]:
        """The fighters of a side that are not lost: on the table, or still behind markers or off it."""
        return [f for f in self.units.values() if f.side == side and not f.fate]

    # -- distances and contact -----------------------------------------------------------------------------------------

    def gap(self, a: Fighter, b: Fighter) -> float:
        """The distance between two fighters."""
        p, q = a.body, b.body
        return self.ruler.between(p.x, p.y, p.radius, q.x, q.y, q.radius)

    def within(self, a: Fighter, b: Fighter, stick: str) -> bool:
        """Within a stick of each other, exactly a stick included (SBH-GEN-03)."""
        return self.gap(a, b) <= self.ruler.sticks.of(stick) + TOLERANCE

    def touching(self, fighter: Fighter) -> tuple[Fighter, ...]:
        """Everybody in base contact with him, friends and enemies."""
        if self._contacts is None:
            self._contacts = {}
        found = self._contacts.get(fighter.id)
        if found is None:
            found = self._contacts[fighter.id] = self._find_contacts(fighter)
        return found

    def enemies_at(self, fighter: Fighter) -> list[Fighter]:
        """The enemies in contact: he is engaged if there is one (SBH-GEN-09)."""
        return [f for f in self.touching(fighter) if f.side != fighter.side]

    def in_contact(self, a: Fighter, b: Fighter) -> bool:
        return b in self.touching(a)

    def displaced(self) -> None:
        """Somebody has come, gone or moved: contacts are found anew."""
        self._contacts = None

    def _find_contacts(self, fighter: Fighter) -> tuple[Fighter, ...]:
        if not fighter.on_table:
            return ()
        touches = self.ruler.touches
        body = fighter.body
        x, y, r = body.x, body.y, body.radius
        reach = r + TOLERANCE
        by_a_wall = any(
            w.outline.x0 <= x + reach
            and w.outline.x1 >= x - reach
            and w.outline.y0 <= y + reach
            and w.outline.y1 >= y - reach
            for w in obstacles(self.table)
        )
        found = []
        is_later = False
        for other in self.units.values():
            if other is fighter:
                is_later = True
                continue
            his = other.body
            if abs(x - his.x) > 200.0 or abs(y - his.y) > 200.0 or not other.on_table:
                continue
            # Across a wall it is asked from whoever comes first, so that both have the same answer.
            if touches(x, y, r, his.x, his.y, his.radius) or (
                by_a_wall and (self.across(x, y, r, his) if is_later else self.across(his.x, his.y, his.radius, body))
            ):
                found.append(other)
        return tuple(found)

    def across(self, x: float, y: float, r: float, other: Figure) -> bool:
        """A base there and this one touch opposite sides of a linear obstacle: they are in contact (SBH-COMBAT-16)."""
        for wall in obstacles(self.table):
            outline = wall.outline
            if x + r + TOLERANCE < outline.x0 or x - r - TOLERANCE > outline.x1:
                continue
            if y + r + TOLERANCE < outline.y0 or y - r - TOLERANCE > outline.y1:
                continue
            if not outline.crosses(x, y, other.x, other.y):
                continue
            mine, his = outline.distance(x, y), outline.distance(other.x, other.y)
            if mine - r > TOLERANCE or his - other.radius > TOLERANCE:
                continue
            # Opposite, not somewhere along the wall: hardly farther apart than the wall is thick, straight through.
            length = ((x - other.x) ** 2 + (y - other.y) ** 2) ** 0.5
            share = sum(end - start for start, end in outline.overlap(x, y, other.x, other.y))
            thick = (mine + his) * share / max(TOLERANCE, 1.0 - share)
            if length - r - other.radius <= thick + min(r, other.radius):
                return True
        return False

    # -- secrets -------------------------------------------------------------------------------------------------------

    def hide(self, side: int) -> None:
        """Bands are secret until they are deployed; what an ambush marker hides, until it is revealed (SBH-BAND-01,
        SBH-SCEN-AMBUSH-03)."""
        self.units = {id: f for id, f in self.units.items() if f.side == side or f.reserve is None}
        self.markers = tuple(
            Marker(m.id, m.kind, m.x, m.y, m.radius, m.side, None) if m.kind == "ambush" and m.side != side else m
            for m in self.markers
        )

    def is_open(self) -> bool:
        return all(f.reserve is None for f in self.units.values()) and all(m.kind != "ambush" for m in self.markers)
