"""Templates, counted: each direction in which one may go astray, who is under it there, and who of them falls.

Where a template ends and whom it covers is asked of the rules (`area`). Damage dice of different models do not touch
one another, so the fate of each is counted by itself, over all rounds, and the losses are summed. The die of a
protected Incarnate is for the nearest of his troop that still lives (RN3-AREA-12): models are gone through nearest
first, and each that lives at the end of a round takes that die if nobody before it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.odds.distribution import Distribution
from oriflamme.games.rn3.area import (
    Template,
    blast,
    deviated,
    nearest_first,
    protects,
    res_of_troop,
    template_of,
    troop_of,
    under,
)
from oriflamme.games.rn3.odds.laws import LEAST, NOTHING, Law, after_saves, law_of, mixed, suffered, times, trimmed
from oriflamme.games.rn3.salvos import Salvo
from oriflamme.games.rn3.state import Battle, Fighter, Unit, skills_of, value_of
from oriflamme.games.rn3.trials import throw

DIRECTIONS: Final = range(1, 7)  # RN3-AREA-06
# One point of damage without dice (RN3-AREA-08, areaDamage = automatic).
SURE: Final[Law] = (0.0, 1.0)

# Rounds in which the die of a protected Incarnate has found nobody yet.
Waiting = frozenset[int]


class Toll(NamedTuple):
    """Models that a template costs: the enemies of whoever shoots, and his own side."""

    theirs: Law = NOTHING
    own: Law = NOTHING


def mixture(parts: Sequence[tuple[float, Toll]]) -> Toll:
    """What is lost if each of them comes up with its chance."""
    chances = tuple(chance for chance, _ in parts)
    return Toll(mixed(chances, [toll.theirs for _, toll in parts]), mixed(chances, [toll.own for _, toll in parts]))


class Templates:
    """The templates of one salvo, on a table where nobody moves."""

    def __init__(self, battle: Battle, unit: Unit, salvo: Salvo, weapon: Fighter) -> None:
        self.battle = battle
        self.unit = unit
        self.salvo = salvo
        self.weapon = weapon
        self._automatic = battle.is_option("areaDamage", "automatic")
        self._points_known: dict[tuple[object, ...], Law] = {}
        self._fates: dict[tuple[object, ...], dict[tuple[Waiting, bool], float]] = {}

    def shot(self, target: Unit, aim: Fighter) -> Toll:
        """The whole shot: Attack test, saves, template, direction, damage (RN3-AREA-02 to -12)."""
        parts = [(chance, self.aimed(aim, template)) for template, chance in self.which(target).items() if template]
        return mixture([(1.0 - sum(chance for chance, _ in parts), Toll()), *parts])

    def which(self, target: Unit) -> Mapping[Template | None, float]:
        """How likely each template is; None if saves have removed every success (RN3-AREA-09)."""
        trial = self.salvo.attack(self.unit.id, target.id)
        thrown = Distribution.of(lambda dice: throw(dice, trial)[:2])
        found: dict[Template | None, float] = {}
        for (successes, failures), chance in thrown.items():
            hits: Law = tuple(float(n == successes) for n in range(successes + 1))
            for left, share in enumerate(after_saves(hits, len(self.salvo.saves))):
                template = template_of(left, failures) if left or not successes else None
                found[template] = found.get(template, 0.0) + float(chance) * share
        return {template: chance for template, chance in found.items() if chance > LEAST}

    def aimed(self, aim: Fighter, template: Template) -> Toll:
        """A template that is centred on a model and goes astray in one of six directions (RN3-AREA-06)."""
        if not template.deviation:
            return self.laid(aim.x, aim.y, template)
        places = [deviated(self.weapon, aim, direction, cm(template.deviation)) for direction in DIRECTIONS]
        return mixture([(1 / len(places), self.laid(x, y, template)) for x, y in places])

    def laid(self, x: float, y: float, template: Template) -> Toll:
        """A template that has come to lie somewhere (RN3-AREA-08)."""
        hit: dict[str, list[Fighter]] = {}
        for victims, fighter in under(self.battle, x, y, cm(template.radius)):
            if fighter.doomed is None:
                hit.setdefault(victims.id, []).append(fighter)
        laws = {False: NOTHING, True: NOTHING}
        for id, fighters in hit.items():
            victims = self.battle.units[id]
            own = victims.side == self.unit.side
            laws[own] = times(laws[own], self._losses(victims, fighters, x, y, template.rounds))
        return Toll(laws[False], laws[True])

    def falls(self, victims: Unit, fighter: Fighter, rounds: int) -> float:
        """How likely one model under a template falls to its own dice."""
        return self._fate(victims, fighter, frozenset(range(rounds)), frozenset())[frozenset(), True]

    def _losses(self, victims: Unit, hit: Sequence[Fighter], x: float, y: float, rounds: int) -> Law:
        """How many of a unit fall, of whom these are under the template."""
        hero = next((f for f in hit if f.profile.incarnate), None) if protects(victims) else None
        others = [f for f in hit if f is not hero]
        if hero is not None:
            # His damage may fall on somebody outside.
            troop = nearest_first(troop_of(victims), x, y)
            others = [*troop, *(f for f in others if f not in troop)]
        under_it = {f.id for f in hit}
        all_rounds = frozenset(range(rounds))
        states = {(all_rounds if hero is not None else frozenset[int](), 0): 1.0}
        for fighter in others:
            dice = all_rounds if fighter.id in under_it else frozenset()
            then: dict[tuple[Waiting, int], float] = {}
            for (waiting, lost), chance in states.items():
                for (still, fell), share in self._fate(victims, fighter, dice, waiting).items():
                    state = (still, lost + fell)
                    then[state] = then.get(state, 0.0) + chance * share
            states = then
        law = [0.0] * (len(others) + 1)
        for (_, lost), chance in states.items():
            law[lost] += chance
        return trimmed(law)

    def _fate(
        self, victims: Unit, fighter: Fighter, dice: frozenset[int], waiting: Waiting
    ) -> dict[tuple[Waiting, bool], float]:
        """Whether a model falls that has a die of its own in some rounds, and in which rounds the Incarnate's die waits
        on; the chances are those of what may come."""
        troop = not fighter.profile.incarnate and not fighter.profile.machine
        key = (victims.id, fighter.left, self._kind(victims, fighter), dice, waiting, troop)
        if key in self._fates:
            return self._fates[key]
        states = {(fighter.left, waiting): 1.0}
        for turn in sorted(dice | waiting):
            if turn in dice:
                states = self._struck(victims, fighter, states, value_of(victims, fighter, "res"))
            if turn in waiting and troop:
                taken = {(left, w): chance for (left, w), chance in states.items() if left and turn in w}
                kept = {state: chance for state, chance in states.items() if state not in taken}
                for (left, w), chance in self._struck(victims, fighter, taken, res_of_troop(victims)).items():
                    kept[left, w - {turn}] = kept.get((left, w - {turn}), 0.0) + chance
                states = kept
        found: dict[tuple[Waiting, bool], float] = {(frozenset(), True): 0.0} if not waiting else {}
        for (left, still), chance in states.items():
            found[still, not left] = found.get((still, not left), 0.0) + chance
        self._fates[key] = found
        return found

    def _struck(
        self, victims: Unit, fighter: Fighter, states: Mapping[tuple[int, Waiting], float], res: int
    ) -> dict[tuple[int, Waiting], float]:
        """One damage die for a model with so many hit points left."""
        found: dict[tuple[int, Waiting], float] = {}
        for (left, waiting), chance in states.items():
            for points, share in enumerate(self._points(victims, fighter, res, left) if left else NOTHING):
                state = (left - points, waiting)
                found[state] = found.get(state, 0.0) + chance * share
        return found

    def _points(self, victims: Unit, fighter: Fighter, res: int, left: int) -> Law:
        """Damage of one die to a model: what exceeds its hit points is lost, the rest may be cancelled
        (RN3-AREA-11)."""
        key = (victims.id, self._kind(victims, fighter), res, left)
        if key not in self._points_known:
            law = SURE if self._automatic else law_of(blast(self.unit, self.salvo, victims, res, fighter))
            capped = [0.0] * (left + 1)
            for points, chance in enumerate(law):
                capped[min(points, left)] += chance
            self._points_known[key] = suffered(tuple(capped), skills_of(victims, fighter))
        return self._points_known[key]

    def _kind(self, victims: Unit, fighter: Fighter) -> tuple[object, ...]:
        """What tells models apart whose dice differ."""
        return fighter.profile.category, value_of(victims, fighter, "res"), skills_of(victims, fighter)
