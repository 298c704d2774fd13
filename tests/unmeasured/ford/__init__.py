"""A game of the tests' own: two bands at a ford. Nobody measures before he has decided, bands come as cards that lie
face down, one of each side waits unseen, and dice are committed in secret. Nothing outside this folder knows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import cos, hypot, pi, sin
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.bots import Bot, RandomBot
from oriflamme.engine.core.decisions import Allocate, Decision, Option, PickOne, Places
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event, Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.questions import answers_to, pick_one, place_figures
from oriflamme.engine.core.rulebook import HouseRule
from oriflamme.engine.core.state import LIST, SHARED, Kind
from oriflamme.engine.core.steps import Step, Steps
from oriflamme.engine.core.view import View
from oriflamme.engine.geometry.measure import CM, rounded
from oriflamme.engine.geometry.shapes import Disc, Outline
from oriflamme.engine.odds import Answer, Conditions, Odds, Question
from oriflamme.engine.odds.telling import Table as OddsTable
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import (
    Coherency,
    FigureShown,
    PoolShown,
    StateShown,
    TokenShown,
    UnitShown,
    ZoneShown,
)
from oriflamme.engine.screen.aids import Aid, Aids, Cannot, End, Sight, Strike
from oriflamme.engine.table.pieces import Table

steps = Steps()
WIDE, DEEP, RADIUS = 900.0, 600.0, 15.0
REACH, RANGE, BLAST = 8 * CM, 22 * CM, 3 * CM
LEAST, NEXT, LEADER = 0.5 * CM, 2.5 * CM, 10 * CM
DICE, ROUNDS, BANDS = 5, 3, 3
NAMES = (("Otters", "Loutres"), ("Herons", "Hérons"), ("Badgers", "Blaireaux"))


class Measured(Event, frozen=True):
    """How far it was, after somebody had decided."""

    measures: ClassVar[bool] = True
    unit: str
    distance: float


class Revealed(Event, frozen=True):
    """The cards are turned over."""


class CardLaid(Event, frozen=True):
    side: int


class Shot(Event, frozen=True):
    unit: str
    target: str
    face: int
    needs: ClassVar[int] = 4


class Committed(Event, frozen=True):
    """What both sides had chosen in secret."""

    attack: int
    defence: int


class Band(engine.Unit[engine.Figure]):
    """A leader and three more; `left` are the dice it has not used."""

    __slots__ = ("left", "name", "ready", "waits")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"name": SHARED}

    def __init__(self, id: str, side: int, number: int) -> None:
        english, french = NAMES[number]
        self.name = {"en": f"{english} {side + 1}", "fr": f"{french} {side + 1}"}
        self.left, self.ready, self.waits = DICE, False, True
        super().__init__(id, side, [engine.Figure(f"{id}.{n}", Disc(RADIUS), 25) for n in range(1, 5)])

    @property
    def leader(self) -> engine.Figure:
        return self.figures[0]

    def stand(self, x: float, y: float) -> None:
        """The leader there, the others round him."""
        for n, figure in enumerate(self.figures):
            away, turn = (2 * RADIUS + 1.5 * CM if n else 0.0), 2 * pi * n / 3
            figure.x, figure.y = rounded(x + away * cos(turn)), rounded(y + away * sin(turn))
        self.update_bounds()


class Ford(engine.Battle[Band]):
    """`reserves` are the bands held back; `blasts` lie where they fell."""

    __slots__ = ("blasts", "laid", "reserves", "revealed", "spots", "turn")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"blasts": LIST, "laid": LIST, "reserves": LIST, "spots": LIST}

    def __init__(self, options: dict[str, str], dice: Dice) -> None:
        super().__init__(Table(WIDE, DEEP), 2, options, dice)
        self.units = {
            f"{w}{s}": Band(f"{w}{s}", s, n) for s in (0, 1) for n, w in enumerate(("otter", "heron", "brock"))
        }
        self.turn = 0
        self.revealed = False
        self.laid: list[str] = []
        self.spots: list[tuple[float, float]] = []
        self.reserves: list[str] = []
        self.blasts: list[tuple[float, float]] = []

    @property
    def measuring_rule(self) -> str:
        return "" if self.option("ford.openMeasuring") == "yes" else "FORD-02"

    def hide(self, side: int) -> None:
        for id in [id for id, band in self.units.items() if band.side != side and not self._is_known(id)]:
            del self.units[id]
        self.reserves = [id if id in self.units else "" for id in self.reserves]
        self.laid = [id if id in self.units else "" for id in self.laid]

    def _is_known(self, id: str) -> bool:
        return self.revealed and id not in self.reserves

    def piles(self) -> Sequence[engine.Pile]:
        known = [self.units.get(id) for id in self.reserves]
        held = [(n % 2, band) for n, band in enumerate(known)]
        return [engine.Pile(side, "held", (engine.Card(band.name) if band else None,)) for side, band in held]


def apart(one: engine.Figure, other: engine.Figure) -> float:
    return hypot(one.x - other.x, one.y - other.y) - one.radius - other.radius


def between(battle: Ford, band: Band, other: Band) -> float:
    """In centimetres, from leader to leader."""
    return round(apart(band.leader, other.leader) / CM, 2)


@steps.step
def hold_back(battle: Ford) -> Step:
    """Each side holds a band back, in secret and at the same time (FORD-01)."""
    asked = [
        PickOne(side, [Option.thing(band.id) for band in battle.units_of(side)], "hold_back", "FORD-01", secret=True)
        for side in (0, 1)
    ]
    battle.reserves = yield from answers_to(*asked)
    battle.then(lay_card)


@steps.step
def lay_card(battle: Ford) -> Step:
    """By turns, a card for each band that is not held back, face down (FORD-01)."""
    side = len(battle.laid) % 2
    options = [Option.thing(b.id) for b in battle.units_of(side) if b.id not in (*battle.reserves, *battle.laid)]
    id = yield from pick_one(side, options, "choose_card", "FORD-01", secret=True, measured=True)
    low = 80.0 if side == 0 else DEEP - 180.0

    def check(places: Places) -> Refusal | None:
        x, y = places["card"][:2]
        inside = 100 <= x <= WIDE - 100 and low <= y <= low + 100
        return None if inside else Refusal("FORD-01", "off_the_zone")

    def propose(random: Random) -> Places:
        return {"card": (random.uniform(100, WIDE - 100), random.uniform(low, low + 100))}

    about = {"kind": "card", "radius": 20.0}
    places = yield from place_figures(side, ["card"], check, propose, "lay_card", "FORD-01", about, measured=True)
    battle.spots.append((places["card"][0], places["card"][1]))
    battle.laid.append(id)
    battle.tell(CardLaid("FORD-01", side))
    battle.then(lay_card if len(battle.laid) < 2 * (BANDS - 1) else reveal)


@steps.step
def reveal(battle: Ford) -> None:
    """All cards are turned over together (FORD-01)."""
    battle.revealed = True
    for id, spot in zip(battle.laid, battle.spots, strict=True):
        battle.units[id].waits = False
        battle.units[id].stand(*spot)
    battle.tell(Revealed("FORD-01"))
    battle.then(order)


@steps.step
def order(battle: Ford) -> Step:
    """The side whose turn it is orders a band about: the order first, then it is measured (FORD-02)."""
    side = battle.turn % 2
    battle.round, battle.turn = battle.turn // 2 + 1, battle.turn + 1
    if battle.round > ROUNDS:
        battle.over = True
        return
    battle.then(order)
    mine = [band for band in battle.units_of(side) if not band.waits]
    foes = [band for band in battle.units_of(1 - side) if not band.waits]
    options = [
        Option(f"{word}:{band.id}", word, {"unit": band.id}, (band.id,)) for band in mine for word in ("walk", "wait")
    ]
    options += [
        Option(f"{word}:{band.id}:{foe.id}", word, {"unit": band.id, "target": foe.id}, (foe.id,))
        for band in mine
        for foe in foes
        for word in ("shoot", "fight")
    ]

    def why_not(key: str) -> Refusal | None:
        word, _, rest = key.partition(":")
        by, _, on = rest.partition(":")
        if word != "charge" or by not in battle.units or on not in battle.units:
            return None
        return Refusal("FORD-03", "too_far", {"gap": between(battle, battle.units[by], battle.units[on]), "reach": 8})

    key = yield from pick_one(side, options, "order", "FORD-02", {"unit": mine[0].id}, why_not=why_not)
    word, _, rest = key.partition(":")
    band = battle.units[rest.partition(":")[0]]
    target = battle.units.get(rest.partition(":")[2], band)
    if word == "walk":
        yield from walk(battle, band)
    elif word == "wait":
        band.ready = True
    else:
        battle.tell(Measured("FORD-02", band.id, between(battle, band, target)))
        yield from (shoot if word == "shoot" else fight)(battle, band, target)


def walk(battle: Ford, band: Band) -> Step:
    """He points at a place and goes as far as he gets; then the others take their places round him (FORD-03)."""
    leader, others = band.leader, [figure.id for figure in band.figures[1:]]
    on_table = Outline.rectangle(WIDE / 2, DEEP / 2, WIDE - 2 * RADIUS, DEEP - 2 * RADIUS)

    def check(places: Places) -> Refusal | None:
        return None if on_table.contains(*places["goal"][:2]) else Refusal("FORD-03", "off_the_table")

    def propose(random: Random) -> Places:
        return {"goal": (random.uniform(60, WIDE - 60), random.uniform(60, DEEP - 60))}

    about = {"unit": band.id, "kind": "goal", "radius": 12.0}
    goal = (yield from place_figures(band.side, ["goal"], check, propose, "point", "FORD-03", about))["goal"]
    far = hypot(goal[0] - leader.x, goal[1] - leader.y)
    battle.tell(Measured("FORD-02", band.id, round(far / CM, 2)))
    share = min(1.0, REACH / far) if far else 0.0
    band.stand(leader.x + share * (goal[0] - leader.x), leader.y + share * (goal[1] - leader.y))

    def together(places: Places) -> Refusal | None:
        for id, place in places.items():
            away = hypot(place[0] - leader.x, place[1] - leader.y) - 2 * RADIUS
            if not LEAST <= away <= LEADER:
                return Refusal("FORD-03", "off_the_leader", {"figure": id, "gap": round(away / CM, 2)})
        return None

    def round_him(random: Random) -> Places:
        turn, away = random.uniform(0, 2 * pi), 2 * RADIUS + 1.5 * CM
        spots = [
            (leader.x + away * cos(turn + 2 * pi * n / 3), leader.y + away * sin(turn + 2 * pi * n / 3))
            for n in range(3)
        ]
        return dict(zip(others, spots, strict=True))

    about = {"unit": band.id}
    taken = yield from place_figures(band.side, others, together, round_him, "form_up", "FORD-03", about, measured=True)
    for figure in band.figures[1:]:
        figure.x, figure.y = taken[figure.id][:2]
    band.update_bounds()


def shoot(battle: Ford, band: Band, target: Band) -> Step:
    """In range a die decides; a template falls (FORD-04)."""
    if between(battle, band, target) * CM <= RANGE:
        battle.tell(Shot("FORD-04", band.id, target.id, battle.dice.d6()))
        battle.blasts = [*battle.blasts, (target.leader.x, target.leader.y)][-2:]
    return
    yield


def fight(battle: Ford, band: Band, target: Band) -> Step:
    """Both commit dice at the same time, and used dice do not come back (FORD-05)."""
    asked = [
        Allocate(
            one.side,
            {"attack": one.left, "defence": one.left},
            0,
            one.left,
            "commit",
            "FORD-05",
            {"unit": one.id},
            secret=True,
        )
        for one in (band, target)
        if one.left
    ]
    if len(asked) < 2:
        return
    given = yield from answers_to(*asked)
    for one, dice in zip((band, target), given, strict=True):
        one.left -= sum(dice.values())
    battle.tell(Committed("FORD-05", given[0].get("attack", 0), given[1].get("defence", 0)))


# -- what is shown -----------------------------------------------------------------------------------------------------


class FordPicture(Picture[Ford, Band]):
    folder: ClassVar[Path] = Path(__file__).parent
    subjects: ClassVar[tuple[str, ...]] = ("unit",)

    def unit(self, unit: Band) -> UnitShown:
        states = [StateShown("loose"), *([StateShown("ready")] if unit.ready else ())]
        return UnitShown(
            unit.id,
            unit.side,
            unit.name,
            tuple(map(FigureShown.of, unit.figures)),
            start=4,
            states=tuple(states),
            reserve="held" if unit.waits else None,
            coherency=Coherency(NEXT, least=LEAST, leader=unit.leader.id, round_leader=LEADER),
            pools=(PoolShown("melee", unit.left, DICE - unit.left),),
        )

    def zones(self, battle: Ford) -> Iterator[ZoneShown]:
        for side in (0, 1):
            yield ZoneShown(side, Outline.rectangle(WIDE / 2, 130.0 if side == 0 else DEEP - 130, WIDE - 200, 100))

    def tokens(self, battle: Ford) -> Iterator[TokenShown]:
        # What lies where is known; which band it is, only to its side.
        for n, (id, (x, y)) in enumerate(zip(battle.laid, battle.spots, strict=True) if not battle.revealed else ()):
            yield TokenShown(f"card{n}", "card", x, y, 20.0, n % 2, id or None)
        for n, (x, y) in enumerate(battle.blasts):
            yield TokenShown(f"blast{n}", "blast", x, y, BLAST)


class FordAids(Aids):
    """Aids that would tell lengths, if anybody let them."""

    def around(self, battle: Ford, decision: Decision) -> list[Aid]:
        band = battle.units.get(decision.about.get("unit", ""))
        if band is None or band.waits:
            return []
        x, y = band.leader.x, band.leader.y
        foes = [one.leader for one in battle.units_of(1 - band.side) if not one.waits]
        shadow = ((x + 120, y), (x + 260, y + 60), (x + 260, y - 60))
        return [
            Aid("reach", "reach", "FORD-03", of=band.id, circles=((x, y, REACH),), limits=(REACH,)),
            Aid("keep_off", "keep_off", "FORD-03", circles=tuple((f.x, f.y, 40.0) for f in foes)),
            Aid("together", "together", "FORD-03", of=band.id),
            Aid("blind", "blind", "FORD-03", of=band.id, rings=(shadow,)),
            Aid("zone", "zone", "FORD-01", of=band.id, circles=((WIDE / 2, DEEP / 2, 80.0),)),
        ]

    def threats(self, battle: Ford, side: int) -> list[Aid]:
        foes = [band for band in battle.units.values() if band.side != side and not band.waits]
        return [
            Aid("shoot", "threat", "FORD-04", {"distance": RANGE / CM}, f.id, ((f.leader.x, f.leader.y, RANGE),))
            for f in foes
        ]

    def sight(self, battle: Ford, a: End, b: End) -> Sight:
        """Between two figures one simply looks; to a point one lays the tape."""
        far = round(hypot(a.x - b.x, a.y - b.y) / CM, 2)
        if a.figure and b.figure:
            return Sight(far, True, False, "in_view", "FORD-04", by_eye=True)
        return Sight(far, True, False, "seen", "FORD-02", facts={"distance": far})

    def strike(self, decision: Decision, option: Option) -> Strike | None:
        facts = option.facts
        return Strike(facts["unit"], facts["target"], False) if option.word == "shoot" else None

    def cannot(self, battle: Ford, decision: Decision | None, unit: str) -> list[Cannot]:
        band = battle.units[unit]
        foes = [foe for foe in battle.units.values() if foe.side != band.side and not foe.waits and not band.waits]
        return [
            *(
                Cannot("shoot", Refusal("FORD-04", "too_far", {"gap": between(battle, band, foe), "reach": RANGE / CM}))
                for foe in foes
            ),
            *([Cannot("fight", Refusal("FORD-05", "no_dice"))] if not band.left else ()),
        ]


class FordOdds(Odds[Ford, Conditions]):
    """Odds that hang on how far it is, and odds that do not."""

    by_eye: ClassVar[frozenset[str]] = frozenset({"commit"})

    def helping(self, battle: Ford, decision: Decision) -> OddsTable | None:
        if decision.ask not in ("order", "commit"):
            return None
        words = {"en": "x", "fr": "x"}
        rows = [[option.key, *self._far(battle, option)] for option in getattr(decision, "options", ())] or [
            ["die", 0.5]
        ]
        return OddsTable(words, [words, words | {"as": "number"}], rows)

    def _far(self, battle: Ford, option: Option) -> list[float]:
        by, on = (battle.units.get(option.facts.get(key, "")) for key in ("unit", "target"))
        return [between(battle, by, on) if by and on else 0.0]

    def answer(self, battle: Ford, question: Question[Conditions]) -> Answer:
        by, on = battle.units[question.attacker], battle.units[question.defender]
        return self.answer_about(question, (by, on), {"distance": between(battle, by, on)})


class Captain(RandomBot):
    """Shoots at the nearest, and says how near that is: he knows every length."""

    name = "captain"
    needs_view = True
    far = 0.0

    def decide(self, view: View | None, decision: Decision) -> Any:
        assert view is not None
        if decision.ask != "order" or not isinstance(decision, PickOne):
            return super().decide(view, decision)
        units = view.battle.units
        shots = [option for option in decision.options if option.word == "shoot"]
        away = {o.key: between(view.battle, units[o.facts["unit"]], units[o.facts["target"]]) for o in shots}
        best = min(away, key=lambda key: away[key])
        self.far = away[best]
        return best

    def explain(self) -> list[dict[str, Any]]:
        return [{"because": "near", "worth": self.far}]


class FordGame(Game):
    """The rulebook."""

    id = "ford"
    title: ClassVar[Mapping[str, str]] = {"en": "The Ford", "fr": "Le Gué"}
    measure = "cm"
    steps = steps
    options: Mapping[str, HouseRule] = {
        "ford.openMeasuring": HouseRule("ford.openMeasuring", "no", ("yes",), "FORD-02")
    }

    def setup(self, seed: int, *, options: Mapping[str, str] | None = None, **chosen: Any) -> dict[str, Any]:
        armies = [
            {"name": {"en": "Left bank", "fr": "Rive gauche"}},
            {"name": {"en": "Right bank", "fr": "Rive droite"}},
        ]
        return {"armies": armies, "options": self.defaults() | dict(options or {})}

    def begin(self, setup: dict[str, Any], dice: Dice) -> Ford:
        battle = Ford(setup["options"], dice)
        battle.then(hold_back)
        return battle

    def bots(self) -> Mapping[str, Callable[..., Bot]]:
        return {**super().bots(), "captain": Captain}

    def unit_at(self, battle: Ford, id: str) -> dict[str, Any]:
        band = battle.units[id]
        return {"name": band.name, "figures": len(band.figures), "start": 4, "rules": [], "weapons": [], "states": []}

    def picture(self) -> FordPicture:
        return FordPicture(self.measure)

    def aids(self) -> FordAids:
        return FordAids()

    def odds(self) -> FordOdds:
        return FordOdds(self)


game = FordGame()
