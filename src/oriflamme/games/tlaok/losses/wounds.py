"""Wounds and casualties (TLAOK-WOUND, TLAOK-CAS): a pool is allocated one by one, stands fall, the ranks close up."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Final, NamedTuple

from oriflamme.engine.core.chapters import Chapters
from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.tlaok.events import (
    CharacterRemoved,
    RegimentDestroyed,
    RegimentShattered,
    StandRemoved,
    WoundsSuffered,
)
from oriflamme.games.tlaok.losses.aftermath import put_off, resolve_now
from oriflamme.games.tlaok.losses.morale import breaks, roll_for_morale
from oriflamme.games.tlaok.moments import Keyword
from oriflamme.games.tlaok.regiment.command import lose_models
from oriflamme.games.tlaok.regiment.contact import engaged_stands, held_now, stands_touching, touch
from oriflamme.games.tlaok.regiment.ranks import LEFT, RIGHT, centre, redraw
from oriflamme.games.tlaok.rounds.secondaries import note
from oriflamme.games.tlaok.state import Asking, Battle, Regiment, Stand
from oriflamme.games.tlaok.trials import value_of


class Cause(NamedTuple):
    """What wounds come from.

    `rule` says that they are suffered and `what` in a word: "clash", "impact", "volley", "spell", "duel", "reform",
    "withdraw", "terrain", "decay", "aura", "morale" …; `by` is the regiment that caused them, `face` the face of the
    target they came from ("" where that makes no difference). `morale` if it is tested for them (TLAOK-MORALE-07), and
    `saved` if Defence rolls were made and failed.
    """

    rule: str
    what: str
    by: str = ""
    face: str = ""
    morale: bool = True
    saved: bool = False

    @property
    def melee(self) -> bool:
        """Blows of a Clash or of impact attacks."""
        return self.what in ("clash", "impact")

    @property
    def unaided(self) -> bool:
        """Hits that none of its special rules helps (TLAOK-SR-TRAMPLE-02, TLAOK-SR-LETHALDEMISE-01)."""
        return self.what in ("trample", "demise")


class Pool:
    """All wounds of one attack on one regiment (TLAOK-WOUND-01).

    `size` is how many stands the regiment had, and `near` which stands of the regiment that caused the wounds touched
    it, before anybody fell; none if they are not to frighten it. `back` are hits that the wounded give back.
    """

    __slots__ = ("back", "cause", "near", "size", "wounds")

    def __init__(self, battle: Battle, regiment: Regiment, wounds: int, cause: Cause) -> None:
        self.wounds = wounds
        self.cause = cause
        self.size = regiment.size
        causer = battle.units.get(cause.by)
        if causer is None or not causer.on_table or cause.unaided:
            self.near: tuple[str, ...] = ()
        else:
            self.near = tuple(stand.id for stand in stands_touching(battle, causer, regiment))
        self.back: list[tuple[int, SpecialRule]] = []

    def give_back(self, hits: int, because: SpecialRule) -> None:
        """Those who caused the wounds suffer hits for them."""
        self.back.append((hits, because))


# How ranks close up: at which end, and what stays where it is (see `ranks.redraw`).
Closing = tuple[int, str]
# How hits that wounds give back are resolved: (battle, who gives them, who suffers them, hits, because of what).
GiveBack = Callable[[Battle, Regiment, Regiment, int, SpecialRule], Asking[None]]
_giving_back: list[GiveBack] = []
_CHAPTERS: Final = Chapters("hits that wounds give back")


def take_wounds(battle: Battle, regiment: Regiment, wounds: int, cause: Cause) -> Asking[None]:
    """A regiment suffers a pool of wounds.

    1. Its wounds are allocated, stands fall as they take their last.       TLAOK-WOUND-02 to -11
    2. Morale is tested with a die for each wound, if the cause asks it.    TLAOK-MORALE-03, -07
    3. What fails is a pool of its own, for which nobody tests again.       TLAOK-MORALE-05, -06
    """
    if wounds <= 0 or not regiment.troops:
        return
    pool = Pool(battle, regiment, wounds, cause)
    battle.tell(WoundsSuffered(cause.rule, regiment.id, wounds, cause.what, cause.by, cause.face))
    yield from allocate(battle, regiment, pool)
    if cause.morale and not regiment.fate:
        failed = roll_for_morale(battle, regiment, wounds, by=cause.by, face=cause.face, near=pool.near, size=pool.size)
        yield from take_wounds(battle, regiment, failed, Cause("TLAOK-MORALE-05", "morale", cause.by, "", morale=False))
    yield from _give_back(battle, regiment, pool)


def _give_back(battle: Battle, regiment: Regiment, pool: Pool) -> Asking[None]:
    """Hits that the wounded give back to those who struck them, once all is allocated."""
    causer = battle.units.get(pool.cause.by)
    if not pool.back or causer is None:
        return
    hits, because = sum(hits for hits, _ in pool.back), pool.back[0][1]
    for resolve in _giving_back:
        if not causer.fate:
            yield from resolve(battle, regiment, causer, hits, because)


def gives_back(resolve: GiveBack) -> GiveBack:
    """Register how such hits are resolved."""
    _CHAPTERS.declare(resolve.__name__, resolve.__module__)
    _giving_back.append(resolve)
    return resolve


def complete(*chapters: ModuleType) -> None:
    """These chapters say how hits that wounds give back are resolved."""
    _CHAPTERS.close(*chapters)


# -- who is wounded ----------------------------------------------------------------------------------------------------


def allocate(battle: Battle, regiment: Regiment, pool: Pool) -> Asking[None]:
    """Wounds go to one stand until it falls, then to the next, until there are no more of either (TLAOK-WOUND-10)."""
    left, last_rank = pool.wounds, _last_rank(regiment)
    while left and not regiment.fate:
        stand = yield from next_casualty(battle, regiment)
        taken = min(left, toughness(battle, regiment, stand) - stand.wounds)
        stand.wounds += taken
        left -= taken
        at(Keyword.when_wounded, (regiment.keywords_of(stand),), pool, battle, regiment, stand, taken)
        if stand.wounds >= toughness(battle, regiment, stand):
            yield from fall(battle, regiment, stand, pool.cause)
    if not regiment.fate:
        regiment.arrange()
        if _last_rank(regiment) != last_rank:
            yield from centre(battle, regiment)


def toughness(battle: Battle, regiment: Regiment, stand: Stand) -> int:
    """How many wounds remove a stand (TLAOK-PROF-10)."""
    return max(1, value_of(battle, regiment, stand, "wounds").number)


def next_casualty(battle: Battle, regiment: Regiment) -> Asking[Stand]:
    """The stand that takes the next wound (TLAOK-WOUND-02 to -09, TLAOK-CMD-14)."""
    hurt = [s for s in regiment.ordinary if s.wounds]
    if hurt:
        return max(hurt, key=lambda s: (s.rank, s.wounds))
    able = may_fall(battle, regiment)
    if able[0].models and len(able) > 1:
        options = [Option.thing(s.id, "casualty", {"models": list(s.models)}) for s in able]
        about = {"regiment": regiment.id}
        key = yield from pick_one(regiment.side, options, "choose_casualty", "TLAOK-CMD-14", about)
        return next(s for s in able if s.id == key)
    if len(able) == 1 or regiment.garrison:
        return able[0]
    if not regiment.ends:
        options = [Option("left", "end"), Option("right", "end")]
        about = {"regiment": regiment.id}
        chosen = yield from pick_one(regiment.side, options, "choose_end", "TLAOK-WOUND-04", about)
        regiment.ends = LEFT if chosen == "left" else RIGHT
    return able[0] if regiment.ends == LEFT else able[-1]


def may_fall(battle: Battle, regiment: Regiment) -> list[Stand]:
    """Those of whom the next one is taken, from left to right.

    The rear rank comes first, and in it those who touch no enemy; then others, then those with command models, and the
    command stand last of all (TLAOK-WOUND-09, TLAOK-CMD-14). With tlaok.casualtyOrder = unengagedFirst those who touch
    no enemy come first in any rank.
    """
    ordinary = regiment.ordinary
    if not ordinary:
        return [s for s in regiment.figures if s.role == "command"]
    engaged = engaged_stands(battle, regiment) if not regiment.garrison else {}
    if battle.option("tlaok.casualtyOrder") == "unengagedFirst":
        ordinary = [s for s in ordinary if s.id not in engaged] or ordinary
    rear = max(s.rank for s in ordinary)
    rank = [s for s in ordinary if s.rank == rear or regiment.garrison]

    def turn(stand: Stand) -> tuple[bool, bool]:
        return bool(stand.models), stand.id in engaged

    first = min(map(turn, rank))
    return sorted((s for s in rank if turn(s) == first), key=lambda s: s.file)


# -- stands fall -------------------------------------------------------------------------------------------------------


def fall(battle: Battle, regiment: Regiment, stand: Stand, cause: Cause) -> Asking[None]:
    """A stand is removed at this moment; Broken and Shattered are looked at first (TLAOK-WOUND-05, -15)."""
    ends = regiment.ends
    take_out(battle, regiment, stand)
    if ends:
        regiment.ends = RIGHT if ends == LEFT else LEFT
    battle.tell(StandRemoved("TLAOK-WOUND-05", regiment.id, stand.id, regiment.size))
    lose_models(battle, regiment, stand)
    if not regiment.troops:
        yield from destroy(battle, regiment, cause.by, "TLAOK-WOUND-11")
        return
    if stand.role == "command":
        put_off(battle, "gap", regiment.id)
    yield from count_loss(battle, regiment, cause.by)


def hurt_character(battle: Battle, regiment: Regiment, wounds: int, cause: Cause) -> Asking[None]:
    """Wounds that go to the character alone; what is too much for him is lost (TLAOK-CHAR-10)."""
    hero, character = regiment.hero, regiment.character
    if wounds <= 0 or hero is None or character is None:
        return
    battle.tell(WoundsSuffered(cause.rule, regiment.id, wounds, cause.what, cause.by, cause.face, character.id))
    hero.wounds = min(toughness(battle, regiment, hero), hero.wounds + wounds)
    if hero.wounds >= toughness(battle, regiment, hero):
        yield from lose_character(battle, regiment, "TLAOK-CHAR-10", cause.by)


def lose_character(battle: Battle, regiment: Regiment, rule: str, by: str = "") -> Asking[None]:
    """The character of a regiment that stands is removed: a stand lost like any other, and a gap (TLAOK-CHAR-10, -20).

    A Monster is not shaken by the loss of its rider (TLAOK-SR-RIDER-06).
    """
    hero, character = regiment.hero, regiment.character
    assert hero is not None
    assert character is not None
    take_out(battle, regiment, hero)
    battle.tell(CharacterRemoved(rule, regiment.id, character.id))
    _gone(battle, regiment.side, character.id)
    note(battle, "character_slain", 1 - regiment.side, character.id)
    # What it did for the regiment ends (TLAOK-CHAR-21, TLAOK-UPGRADE-02).
    regiment.end_effects("character")
    if not character.profile.rider:
        put_off(battle, "gap", regiment.id)
        yield from count_loss(battle, regiment, by)


def count_loss(battle: Battle, regiment: Regiment, by: str) -> Asking[None]:
    """One stand less: half of those it began the round with, or half of those it broke with (TLAOK-BROKEN-01,
    TLAOK-SHATTER-01)."""
    regiment.lost += 1
    if not regiment.broken:
        if regiment.lost * 2 >= regiment.started:
            breaks(battle, regiment, "TLAOK-BROKEN-01")
        return
    gone = regiment.remained - regiment.size
    if gone * 2 >= regiment.remained:
        battle.tell(RegimentShattered("TLAOK-SHATTER-01", regiment.id, gone, regiment.remained))
        yield from destroy(battle, regiment, by, "TLAOK-SHATTER-01", fate="shattered")


def destroy(battle: Battle, regiment: Regiment, by: str, rule: str, *, fate: str = "destroyed") -> Asking[None]:
    """A regiment leaves the game, and its character with it, after a last stand if he is entitled to one
    (TLAOK-WOUND-11, TLAOK-SHATTER-03, TLAOK-CHAR-13)."""
    hero, character = regiment.hero, regiment.character
    if hero is not None:
        regiment.fallen += regiment.troops
        regiment.figures = [hero]
        yield from resolve_now(battle, "last_stand", regiment.id)
    enemies = battle.engaged(regiment)
    regiment.fate = fate
    regiment.fallen += regiment.figures
    regiment.figures = []
    battle.part(regiment)
    battle.tell(RegimentDestroyed(rule, regiment.id, by))
    _gone(battle, regiment.side, regiment.id)
    note(battle, "destroyed", 1 - regiment.side, regiment.id)
    if hero is not None and character is not None:
        battle.tell(CharacterRemoved("TLAOK-CHAR-13", regiment.id, character.id))
        _gone(battle, regiment.side, character.id)
        note(battle, "character_slain", 1 - regiment.side, character.id)
    if regiment.garrison and enemies:
        put_off(battle, "garrison", regiment.id)


def _gone(battle: Battle, side: int, id: str) -> None:
    """A card leaves the game (TLAOK-CARD-04, TLAOK-SCNA-02)."""
    gone = list(battle.destroyed)
    gone[side] += (id,)
    battle.destroyed = (gone[0], gone[1])


# -- the ranks close up ------------------------------------------------------------------------------------------------


def take_out(battle: Battle, regiment: Regiment, stand: Stand) -> None:
    """A stand leaves the block; the others keep their places as far as they can.

    The front edge stays where it is; a single rank closes up at the end where the stand was, unless more would lose
    their contact with the enemy.
    """
    ways = _with_room(battle, regiment, stand, _closings(battle, regiment, stand))
    way = ways[0]
    if len(ways) > 1 and battle.is_engaged(regiment):
        way = max(ways, key=lambda closing: _kept(battle, regiment, stand, closing))
    before, held = regiment.footprint, held_now(battle, regiment)
    _close_up(regiment, stand, way)
    if not regiment.garrison and regiment.footprint != before:
        battle.held = {id: counts | battle.held.get(id, {}) for id, counts in (battle.held | held).items()}
        for each in (regiment, *battle.engaged(regiment)):
            if battle.is_engaged(each):
                put_off(battle, "press", each.id)


def _closings(battle: Battle, regiment: Regiment, stand: Stand) -> list[Closing]:
    """How the ranks may close up when a stand falls, the usual way first.

    An ordinary stand leaves a single rank shorter at the nearer end. A gap left by command stand or character is closed
    about the middle of the regiment (TLAOK-REFORM-02), unless it is in contact.
    """
    if regiment.garrison:
        return [(0, "front")]
    off = 2 * stand.file - (regiment.formation.files - 1)
    near = LEFT if off < 0 or (off == 0 and regiment.ends != RIGHT) else RIGHT
    ends = [near, RIGHT if near == LEFT else LEFT] if regiment.ranks == 1 else [0]
    if stand.role != "stand":
        return [(0, "centre"), *((end, keep) for end in ends for keep in ("front", "rear"))]
    if stand.file in (0, regiment.formation.files - 1):
        ends = ends[:1]
    return [(end, "rear" if _struck_behind(battle, regiment) else "front") for end in ends]


def _with_room(battle: Battle, regiment: Regiment, stand: Stand, ways: list[Closing]) -> list[Closing]:
    """Those that bring nobody onto others, or into a garrison, where the last rank had a gap; one that keeps the front
    edge where it is never does."""
    if all(keep == "front" for _, keep in ways):
        return ways
    # Losses are what terrain does too: the chapter on terrain needs this one.
    from oriflamme.games.tlaok.regiment.positions import faults_of

    before = faults_of(battle, regiment)
    found = []
    for closing in ways:
        twin = _closed(regiment, stand, closing)
        if not twin.troops or faults_of(battle, twin) <= before:
            found.append(closing)
    return found or [(ways[0][0], "front")]


def _closed(regiment: Regiment, stand: Stand, closing: Closing) -> Regiment:
    """The regiment as it would be with its ranks closed up that way."""
    twin = regiment.copy()
    _close_up(twin, next(s for s in twin.figures if s.id == stand.id), closing)
    return twin


def _struck_behind(battle: Battle, regiment: Regiment) -> bool:
    """Where those who touch no enemy fall first, a regiment struck only from behind loses ranks from the front."""
    faces = set(battle.contacts.get(regiment.id, {}).values())
    return battle.option("tlaok.casualtyOrder") == "unengagedFirst" and "rear" in faces and "front" not in faces


def _kept(battle: Battle, regiment: Regiment, stand: Stand, closing: Closing) -> tuple[int, int]:
    """Whose walls it would still touch if the ranks closed up that way, and how many of its stands enemies
    (TLAOK-CAS-02)."""
    twin = _closed(regiment, stand, closing)
    walls = sum(enemy.garrison != "" and touch(battle, twin, enemy) for enemy in battle.engaged(regiment))
    return walls, len(engaged_stands(battle, twin))


def _close_up(regiment: Regiment, stand: Stand, closing: Closing) -> None:
    """Take a stand out of the block and close the ranks that way."""
    box, single = regiment.footprint, regiment.ranks == 1
    regiment.figures.remove(stand)
    regiment.fallen.append(stand)
    if not regiment.troops:
        regiment.update_bounds()
        return
    end, keep = closing
    files = regiment.placed if single else min(regiment.formation.files, regiment.placed)
    redraw(regiment, box, files, end=end, keep=keep)


def _last_rank(regiment: Regiment) -> tuple[int, int]:
    return regiment.formation.files, regiment.placed
