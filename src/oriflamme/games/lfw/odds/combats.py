"""What a whole combat may bring for a given plan of attacks: who is wounded and destroyed, who wins, and who flees for
having lost it (LFW-MEL-05 to -23, LFW-MOR-04).

A combat is played step by step by the rules: who strikes first, who strikes with the others, who strikes last. In each
step every fighter's attacks are noted as the rules make them and counted by themselves; then each model suffers what
they leave, by the rules again, with the die of who is crippled and the fall of a rider. Equal states are merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.odds import Distribution, over_all_dice, play_out
from oriflamme.engine.odds.playing import AnswerTo, suggested
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.combat import fighting_of, verdict_on
from oriflamme.games.lfw.melee import fight_combat, ready, strike, supporters
from oriflamme.games.lfw.morale import add_cause, modifiers_of
from oriflamme.games.lfw.noting import noting
from oriflamme.games.lfw.odds.laws import blow_law, courage_chance
from oriflamme.games.lfw.odds.wounds import NOTHING, Law, Tolls, TooMany, tolls_of
from oriflamme.games.lfw.precedence import STAGES, stage_of
from oriflamme.games.lfw.state import Asking, Battle, Model, Part
from oriflamme.games.lfw.wounds import become_crippled, take_life

# A combat with more ends than this is not counted to the last.
MOST_ENDS: Final = 60_000


class Blow(NamedTuple):
    """How somebody fights: with which weapon, at whom; the rest of a split goes to the next (LFW-MEL-09)."""

    weapon: str
    targets: tuple[str, ...]


# Blows by who strikes them. Who is not in it does what wounds most on average, and splits nothing.
Plan = Mapping[str, Blow]


class Condition(NamedTuple):
    """A part in a combat: wounds it has suffered, those beyond its last life point included, what is left of its life,
    and what being crippled does to it."""

    wounds: int
    pv: int
    crippled: str


# The conditions of the parts of a model, and of all models.
Body = tuple[Condition, ...]
State = tuple[Body, ...]


class CombatOdds:
    """What a combat may come to."""

    def __init__(self, battle: Battle, law: Distribution[State]) -> None:
        self.begun = battle.copy()
        self.battle = battle
        self.law = law
        combat = battle.combat
        assert combat is not None
        self.models = combat.models
        self._winners = {state: self._verdict(state) for state in law}

    def _verdict(self, state: State) -> tuple[int, ...]:
        """Who has won, by side."""
        battle, combat = self.battle, self.battle.combat
        assert combat is not None
        suffered: dict[int, int] = {}
        for id, body in zip(self.models, state, strict=True):
            model = battle.units[id]
            suffered[model.side] = suffered.get(model.side, 0) + sum(one.wounds for one in body)
            for part, one in zip(model.parts, body, strict=True):
                part.destroyed = one.pv == 0
        combat.suffered = suffered
        return verdict_on(battle, combat).winners

    def winners(self, state: State) -> tuple[int, ...]:
        """Who has won if it ends so."""
        return self._winners[state]

    def _body(self, state: State, model: Model) -> Body:
        return state[self.models.index(model.id)]

    def wins(self, side: int) -> Fraction:
        """A side has won; so may others (LFW-MEL-21)."""
        return self.law.chance(lambda state: side in self._winners[state])

    def loses(self, side: int) -> Fraction:
        """A side has lost: somebody else has won, and it has not."""
        return self.law.chance(lambda state: bool(self._winners[state]) and side not in self._winners[state])

    def wounds(self, part: Part) -> Law:
        """Wounds of a part that are not cancelled."""
        model, place = self._place(part)
        return self.law.map(lambda state: self._body(state, model)[place].wounds)

    def destroyed(self, part: Part) -> Fraction:
        model, place = self._place(part)
        return self.law.chance(lambda state: self._body(state, model)[place].pv == 0)

    def gone(self, model: Model) -> Fraction:
        """Nobody of a model is left."""
        return self.law.chance(lambda state: not _stands(self._body(state, model)))

    def tests(self, model: Model) -> Fraction:
        """A model is left and has lost, and tests its courage (LFW-MEL-23)."""

        def beaten(state: State) -> bool:
            winners = self._winners[state]
            return bool(winners) and model.side not in winners and _stands(self._body(state, model))

        return self.law.chance(beaten)

    def flees(self, model: Model) -> Fraction:
        """It does, and fails the test, with what it would test for besides now; of a duo the better tests."""
        return self.tests(model) * (1 - self.holds(model))

    def holds(self, model: Model) -> Fraction:
        """It passes a test for having lost."""
        twin = self.begun.copy()
        own = twin.units[model.id]
        add_cause(twin, own, "lost_combat", "|".join(self.models), "LFW-MEL-23")
        penalty = -sum(reason.amount for reason in modifiers_of(twin, own))
        return max(courage_chance(twin, own, part, "morale", penalty) for part in own.alive)

    def _place(self, part: Part) -> tuple[Model, int]:
        model = self.battle.units[part.model]
        return model, [one.id for one in model.parts].index(part.id)


def _stands(body: Body) -> bool:
    return any(one.pv for one in body)


def combat_odds(battle: Battle, models: tuple[str, ...], plan: Plan | None = None, activator: int = 0) -> CombatOdds:
    """What a combat of some models may come to, all that strike in it and those who support them. No duel is begun, and
    supporters fight. Raises `TooMany`."""
    twin = battle.copy()
    fight_combat(twin, models, activator)
    combat = twin.combat
    assert combat is not None
    begun: State = tuple(
        tuple(Condition(0, 0 if part.destroyed else part.pv, part.crippled) for part in twin.units[id].parts)
        for id in combat.models
    )
    law: Distribution[State] = Distribution.always(begun)
    stages = {stage_of(twin, part, "strike") for model in twin.there() for part in model.alive}
    for stage in STAGES:
        if stage in stages:
            law = law.then(lambda state, stage=stage: _after(twin, state, stage, plan or {}))  # type: ignore[misc]
    return CombatOdds(twin, law)


def _after(begun: Battle, state: State, stage: str, plan: Plan) -> Distribution[State]:
    """How everybody stands after one step of a combat (LFW-MEL-05, -19)."""
    battle = _laid(begun, state)
    combat = battle.combat
    assert combat is not None
    combat.stage = stage
    strikers = [p for side in battle.order for p in (*ready(battle, combat, side), *supporters(battle, combat, side))]
    tolls: Tolls = {}
    for part in strikers:
        for id, law in strike_tolls(battle, part, plan).items():
            tolls[id] = tolls[id].convolve(law) if id in tolls else law
    bodies = [_suffered(battle, battle.units[id], body, tolls) for id, body in zip(combat.models, state, strict=True)]
    if prod(len(ends) for ends in bodies) > MOST_ENDS:
        raise TooMany
    joint: Distribution[State] = Distribution.always(())
    for ends in bodies:
        joint = joint.then(lambda before, ends=ends: ends.map(lambda body: (*before, body)))  # type: ignore[misc]
    return joint


def _laid(begun: Battle, state: State) -> Battle:
    """The battle as it is in a state of the combat."""
    battle = begun.copy()
    combat = battle.combat
    assert combat is not None
    for id, body in zip(combat.models, state, strict=True):
        for part, one in zip(battle.units[id].parts, body, strict=True):
            part.pv, part.crippled, part.destroyed = one.pv, one.crippled, one.pv == 0
    with noting():
        # Who fell from his mount has done so already.
        play_out(resolve_deaths(battle))
    return battle


def strike_tolls(battle: Battle, part: Part, plan: Plan) -> Tolls:
    """Wounds by part of all that somebody strikes in the step of a combat that is being fought."""
    combat = battle.combat
    assert combat is not None
    answer = following(battle, plan)

    def struck(twin: Battle) -> Asking[None]:
        assert twin.combat is not None
        return strike(twin, twin.combat, twin.part(part.id))

    return tolls_of(battle, struck, answer)


def following(battle: Battle, plan: Plan) -> AnswerTo:
    """Questions of a fighter are answered as planned, if that is open, or by what wounds most."""

    def answer(decision: Decision) -> object:
        if decision.ask not in ("fight_with", "strike_at", "split"):
            return suggested(decision)
        part, keys = battle.part(decision.about["unit"]), decision.keys()  # type: ignore[attr-defined]
        blow = plan.get(part.id)
        if decision.ask == "fight_with":
            return blow.weapon if blow is not None and blow.weapon in keys else _best_weapon(battle, part, keys)
        if blow is not None:
            wanted = [id for id in blow.targets if id in keys]
            if wanted:
                return wanted[0]
        return "no" if decision.ask == "split" else _best_target(battle, part, decision.about["weapon"], keys)

    return answer


def _best_weapon(battle: Battle, part: Part, keys: tuple[str, ...]) -> str:
    combat = battle.combat
    assert combat is not None
    targets = fighting_of(battle, combat, part).targets
    weapons = [weapon for weapon in part.weapons if weapon.id in keys and weapon.melee]
    if not weapons:
        return keys[0]
    return max(weapons, key=lambda w: max(blow_law(battle, part, w, target).mean() for target in targets)).id


def _best_target(battle: Battle, part: Part, id: str, keys: tuple[str, ...]) -> str:
    weapon = next((weapon for weapon in part.weapons if weapon.id == id and weapon.melee), None)
    if weapon is None:
        return keys[0]
    return max(keys, key=lambda key: blow_law(battle, part, weapon, battle.part(key)).mean())


def _suffered(battle: Battle, model: Model, body: Body, tolls: Tolls) -> Distribution[Body]:
    """How a model stands once its wounds are suffered, by the rules (LFW-WND-03, -06, -07, LFW-CAV-13)."""
    laws = [tolls.get(part.id, NOTHING) for part in model.parts]
    if all(law == NOTHING for law in laws):
        return Distribution.always(body)
    wounds: Distribution[tuple[int, ...]] = Distribution.always(())
    for law in laws:
        wounds = wounds.then(lambda before, law=law: law.map(lambda more: (*before, more)))  # type: ignore[misc]
    capped = battle.option("lfw.overkill") == "capped"

    def settled(numbers: tuple[int, ...]) -> Distribution[Body]:
        def played(twin: Battle) -> Body:
            own, combat = twin.units[model.id], twin.combat
            assert combat is not None
            combat.suffered = {}
            for part, number in zip(own.parts, numbers, strict=True):
                if number:
                    take_life(twin, part, number, "melee")
                    play_out(become_crippled(twin, part))
            play_out(resolve_deaths(twin))
            counted = [min(n, one.pv) if capped else n for n, one in zip(numbers, body, strict=True)]
            # The rider, who is the first, suffers the fall from a mount that was destroyed.
            counted[0] += combat.suffered.get(own.side, 0)
            return tuple(
                Condition(one.wounds + more, part.pv, part.crippled)
                for part, one, more in zip(own.parts, body, counted, strict=True)
            )

        return over_all_dice(battle, played) if any(numbers) else Distribution.always(body)

    return wounds.then(settled)
