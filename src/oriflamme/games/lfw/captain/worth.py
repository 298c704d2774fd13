"""What things are worth to the captain, in army points: units, blows, shots, danger.

Blows and shots are counted by the exact laws of `odds/laws.py`. What units of the same sheets, in the same state, do to
each other is counted once and remembered; auras and the ground of the moment count when dice are about to be thrown.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Final, NamedTuple

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.odds import Distribution
from oriflamme.games.lfw.attack import Attack
from oriflamme.games.lfw.attacks import make_attack, prepare
from oriflamme.games.lfw.combat import attack_with
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.melee import melee_attack
from oriflamme.games.lfw.odds.laws import exchange_law
from oriflamme.games.lfw.odds.wounds import Law, amount_law, wounds_law
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.shooting import permission
from oriflamme.games.lfw.state import Battle, Model, Part

# What a wound is worth that does not kill, as a share of the price by the life points it takes.
WOUND: Final = 0.5
# What somebody is worth more who is a specialist, for each level, and who holds a treasure.
LEVEL: Final = 0.1
CARRIER: Final = 30.0
# What is lost by a lost combat, as a share of the price, if the courage fails; and by how much the enemy's gains count
# less than one's own: who strikes is sure of his turn.
ROUTED: Final = 0.6
THEIRS: Final = 0.9
# How much of what an enemy could do counts, and how many enemies are thought of.
DANGER: Final = 0.45
FEARED: Final = 2
STRAIGHT: Final = 2 / 3  # of the shots at one of a duo (LFW-CAV-08)


def price(part: Part) -> float:
    """What a part is worth to its army."""
    return max(3.0, part.sheet.cost) * (1 + LEVEL * part.level)


def value(model: Model) -> float:
    """What is lost with a model, a treasure included."""
    return sum(map(price, model.alive)) + (CARRIER if model.treasure else 0.0)


def toll(part: Part, wounds: int, before: int = 0) -> float:
    """What wounds of a part are worth, after so many that wait already."""
    left = part.pv - before
    if left <= 0:
        return 0.0
    if wounds >= left:
        return price(part)
    return WOUND * price(part) * wounds / max(1, part.most)


def mean_toll(part: Part, law: Law, before: int = 0) -> float:
    """What wounds of a part are worth on average."""
    return law.decimal(lambda wounds: toll(part, wounds, before))


def breaks(part: Part) -> float:
    """The chance that a plain courage test fails."""
    needed = part.sheet.co
    return sum(a + b < needed and (a, b) != (6, 6) for a in range(1, 7) for b in range(1, 7)) / 36


def sheet_key(part: Part) -> tuple[Any, ...]:
    """What an attack hangs on, of whoever makes or suffers it."""
    sources = tuple([effect.source for effect in part.effects])
    return part.sheet.id, part.sheet.cost, part.crippled, part.skills, part.level, sources


# Laws of attacks by all that they hang on, and what exchanges and shots are worth by the house rules and both sheets.
_LAWS: Final[dict[tuple[object, ...], Law]] = {}
_EXCHANGES: Final[dict[tuple[Any, ...], float]] = {}
_SHOTS: Final[dict[tuple[Any, ...], float]] = {}
_HOUSES: Final[dict[tuple[tuple[str, str], ...], int]] = {}
# So many are remembered.
_MOST: Final = 50_000
_MOST_HOUSES: Final = 1000
_NUMBERS: Final = count(1)


def law_of(battle: Battle, attack: Attack) -> Law:
    """The wounds of an attack, counted once for all that are alike."""
    key = attack.signature()
    known = _LAWS.get(key)
    if known is None:
        if len(_LAWS) >= _MOST:
            _LAWS.clear()
        known = _LAWS[key] = wounds_law(battle, attack)
    return known


def blow(battle: Battle, part: Part, target: Part) -> tuple[Weapon | None, Law]:
    """The melee weapon that wounds most on average, and what it does."""
    found: tuple[Weapon | None, Law] = (None, Distribution.always(0))
    for weapon in part.weapons:
        if weapon.melee:
            number = attack_with(battle, part, weapon, target)
            law = law_of(battle, melee_attack(battle, part, weapon, target, number))
            if found[0] is None or law.mean() > found[1].mean():
                found = (weapon, law)
    return found


class Judgement:
    """What attacks are worth under some house rules."""

    def __init__(self) -> None:
        self._house = -1
        self._reaches: dict[tuple[Any, ...], float] = {}

    def house(self, battle: Battle) -> int:
        """The house rules that are played, by a number."""
        if self._house < 0:
            key = tuple(sorted(battle.options.items()))
            if len(_HOUSES) >= _MOST_HOUSES:
                _HOUSES.clear()
            # No number comes twice: somebody may still go by it.
            self._house = _HOUSES[key] = _HOUSES.get(key) or next(_NUMBERS)
        return self._house

    # -- melee --------------------------------------------------------------------------------------------------------

    def exchange(self, battle: Battle, model: Model, enemy: Model, *, charged: bool) -> float:
        """What a combat of the two is worth: what falls there, less what falls here; who flees is run down."""
        if enemy.fleeing:
            return value(enemy) if charged else 0.5 * value(enemy)
        total = CARRIER / 2 if enemy.treasure else 0.0
        for part in model.alive:
            total += max([self._between(battle, part, foe, charged=charged) for foe in enemy.alive], default=0.0)
        # The rest of a duo strikes, too; each of ours was counted with one answer.
        for foe in enemy.alive[len(model.alive) :]:
            total += min([self._between(battle, part, foe, charged=charged) for part in model.alive], default=0.0)
        return total

    def _between(self, battle: Battle, part: Part, foe: Part, *, charged: bool) -> float:
        key = (self.house(battle), sheet_key(part), part.pv, charged, sheet_key(foe), foe.pv)
        known = _EXCHANGES.get(key)
        if known is None:
            model = battle.model_of(part)
            before, model.charged = model.charged, charged
            try:
                known = self._count(battle, part, foe)
            finally:
                model.charged = before
            if len(_EXCHANGES) >= _MOST:
                _EXCHANGES.clear()
            _EXCHANGES[key] = known
        return known

    def _count(self, battle: Battle, part: Part, foe: Part) -> float:
        law = exchange_law(battle, part, foe, blow)
        gain = law.decimal(lambda result: toll(foe, result.their))
        lost = law.decimal(lambda result: toll(part, result.own))
        won = law.decimal(lambda result: (result.their > result.own) - (result.own > result.their))
        courage = won * ROUTED * (price(foe) * breaks(foe) if won > 0 else price(part) * breaks(part))
        return gain - THEIRS * lost + courage

    def strike(self, battle: Battle, part: Part, weapon: Weapon, target: Part, number: int, before: int = 0) -> float:
        """What one melee attack of such an Attack value is worth now, exactly (LFW-MEL-15 to -18)."""
        return mean_toll(target, law_of(battle, melee_attack(battle, part, weapon, target, number)), before)

    # -- shots --------------------------------------------------------------------------------------------------------

    def shot(self, battle: Battle, part: Part, weapon: Weapon, target: Part, cover: int) -> float:
        """What a shot is worth against so much cover; of a duo the other may be hit instead (LFW-CAV-08)."""
        duo = battle.model_of(target).duo
        key = (self.house(battle), sheet_key(part), weapon.id, sheet_key(target), target.pv, cover, duo)
        known = _SHOTS.get(key)
        if known is None:
            law = amount_law(weapon.attack).then(
                lambda number: self._shots(battle, part, weapon, target, cover, number)
            )
            if len(_SHOTS) >= _MOST:
                _SHOTS.clear()
            known = _SHOTS[key] = mean_toll(target, law) * (STRAIGHT if duo else 1.0)
        return known + (CARRIER / 4 if battle.model_of(target).treasure else 0.0)

    def _shots(self, battle: Battle, part: Part, weapon: Weapon, target: Part, cover: int, number: int) -> Law:
        attack = make_attack(battle, "ranged", part, target, weapon, number=number)
        prepare(attack)
        if cover > attack.guard.value:
            attack.guard.restart(cover, attack.against)
        return law_of(battle, attack)

    def best_shot(self, battle: Battle, model: Model, enemy: Model, cover: int, away: float) -> float:
        """What the weapons of a model that reach so far do to an enemy."""
        total = 0.0
        for part in model.alive:
            best = 0.0
            for weapon in part.weapons:
                if not weapon.melee and inches(weapon.range or 0.0) >= away:
                    for target in enemy.alive:
                        best = max(best, self.shot(battle, part, weapon, target, cover))
            total += best
        return total

    # -- danger -------------------------------------------------------------------------------------------------------

    def reach(self, battle: Battle, model: Model, kind: str) -> float:
        """How far a model goes in a move of some kind."""
        key = (kind, sheet_key(model.mover), bool(model.treasure), len(model.alive))
        known = self._reaches.get(key)
        if known is None:
            known = self._reaches[key] = gait_of(battle, model, kind).reach
        return known

    def threats(self, battle: Battle, model: Model, enemies: Sequence[Model]) -> list[Threat]:
        """What each enemy who would win by charging a unit would win."""
        found = []
        for enemy in enemies:
            threat = 0.0 if enemy.fleeing else self.exchange(battle, enemy, model, charged=True)
            if threat > 0.0:
                body = enemy.body
                reach = self.reach(battle, enemy, "charge") + body.radius + model.body.radius
                found.append(Threat(threat, body.x, body.y, reach))
        return found


class Threat(NamedTuple):
    """What an enemy would win, where he stands, and how far from there he reaches."""

    worth: float
    x: float
    y: float
    reach: float


def danger(threats: Sequence[Threat], x: float, y: float) -> float:
    """What the worst of those could do who reach a place."""
    worths = [worth for worth, ex, ey, reach in threats if (ex - x) ** 2 + (ey - y) ** 2 <= reach * reach]
    return DANGER * sum(sorted(worths)[-FEARED:]) if worths else 0.0


def is_shooter(battle: Battle, model: Model) -> bool:
    """It has a ranged weapon that it may use after a normal move."""
    return any(
        not weapon.melee and not permission(battle, part, weapon).heavy
        for part in model.alive
        for weapon in part.weapons
    )


def shoots(model: Model) -> bool:
    return any(not weapon.melee for part in model.alive for weapon in part.weapons)


def longest_shot(model: Model) -> float:
    """How far its weapons reach, in millimetres."""
    return max((inches(w.range or 0.0) for part in model.alive for w in part.weapons if not w.melee), default=0.0)
