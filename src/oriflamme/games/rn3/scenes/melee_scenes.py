"""Sentences and questions of cases about assaults, reactions, fights, disengaging, pursuit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Fact, Question, Sentence
from oriflamme.engine.core.decisions import Allocate
from oriflamme.games.rn3.activation import carry_out, close_activation, end_activation, give_order
from oriflamme.games.rn3.allocation import POOLS, hand_of
from oriflamme.games.rn3.contact import engaged_with, touches
from oriflamme.games.rn3.melee import fight
from oriflamme.games.rn3.pursuit import pursue
from oriflamme.games.rn3.scenes import case_steps
from oriflamme.games.rn3.state import Activation, Battle, Unit


@case_steps.step
def case_activation(battle: Battle, unit_id: str) -> None:
    """A unit begins to act, without what comes before its order."""
    battle.activations += 1
    battle.activation = Activation(unit_id, battle.units[unit_id].side, battle.activations)


@case_steps.step
def case_fight(battle: Battle, unit_id: str, kind: str, charge: bool) -> None:
    """A fight alone, as everybody stands."""
    unit = battle.units[unit_id]
    battle.activations += 1
    battle.activation = Activation(unit_id, unit.side, battle.activations)
    touched = tuple(enemy.id for enemy in engaged_with(battle, unit))
    battle.activation.targets = touched
    battle.activation.charge = touched if charge else ()
    battle.then(pursue, unit_id, touched)
    fight(battle, unit, kind)


ORDERS_BY_VERB: Final = {"assaults": "assault", "engages": "engage", "disengages": "disengage"}


def _acts(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """A unit is given an order, and carries it out."""
    unit = match["unit"]
    order = {"assaults": "assault", "engages": "engage", "disengages": "disengage"}.get(
        match.groupdict().get("how", "")
    )
    answers: dict[str, Any] = {}
    if order is not None:
        answers["choose_order"] = lambda decision, number: order if number == 0 else None
    if match.groupdict().get("target"):
        other = match.groupdict().get("other")
        answers["assault_target"] = f"{match['target']}+{other}" if other else match["target"]
    steps = (case_activation, give_order, carry_out, end_activation, close_activation)
    return Deed([(step.__name__, unit) for step in steps], answers)


def _fights(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    how = match["how"] or "an assault"
    kind = "engagement" if how == "an engagement" else "assault"
    return Deed([(case_fight.__name__, match["unit"], kind, how == "a charge")])


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence("<unit> is given an order", "its order and all that follows, without rally and tactics", _acts),
    Sentence(
        "<unit> <how:assaults> <target>[ and <other>]",
        "an assault from its declaration to the end of the activation",
        _acts,
        "choose_order, assault_target",
    ),
    Sentence("<unit> <how:engages|disengages>", "the order and all that follows", _acts, "choose_order"),
    Sentence(
        "<unit> fights[ in <how:an assault|a charge|an engagement>]",
        "the fight alone, with everybody it touches, to strike-back and pursuit; an assault that is no charge, unless "
        "it says so",
        _fights,
    ),
)
_DICE: Final = (
    "dice by what they are for: { attack = 3, defence = 1 }; where there are several pairings, by the profile that "
    'uses them, { "attack levy" = 2 }, by the one they are used on, { "attack > guards" = 2 }, or by both, '
    '{ "attack levy > guards" = 2 }'
)
QUESTIONS: Final[Mapping[str, Question]] = {
    "assault_target": Question("active player", "<unit>[+<unit>]"),
    "assault_move": Question("active player", "", "a move of the whole unit", suggested=True),
    "step_into_contact": Question("owner", "", "a move of models that touch nobody", suggested=True),
    "react": Question("owner of the target", "none reception counter_charge retreat"),
    "maintain_assault": Question("active player", "maintain move"),
    "retreat_move": Question("owner of the target", "", "where its leader goes"),
    "move_instead": Question("active player", "", "where its leader goes"),
    "failed_assault_move": Question("active player", "", "where its leader goes", suggested=True),
    "pursuit_move": Question("owner", "", "where its leader goes"),
    "break_the_ranks": Question(
        "active player", "<model>", '["orange.1 > blue.2"]: who changes places with whom', suggested=True
    ),
    "slide_into_contact": Question("active player", "", "a move of models of both units", suggested=True),
    "assault_shot": Question("active player", "yes no"),
    "set_dice_aside": Question("both sides at the same time", "", _DICE),
    "use_gained_dice": Question("owner of the skill", "", "attack dice that a skill gives"),
    "order_pairings": Question(
        "active player", "<number>", 'numbers of the pairings from 0, as texts: ["0", "1"]', suggested=True
    ),
    "melee_casualties": Question("who attacks", "<model>", suggested=True),
    "melee_casualty": Question("who attacks", "<model>", suggested=True),
    "sacrifice": Question("owner", "<model>", suggested=True),
    "order_of_strike_backs": Question("active player", "<unit>", suggested=True),
    "strike_back": Question("owner", "yes no"),
    "fight_again": Question("owner", "yes no"),
    "pursue": Question("active player", "yes no", suggested=True),
    "push": Question("the charger, then the other", "yes no", suggested=True),
    "follow_up": Question("active player", "walk run assault shoot", "what a unit does that has broken away"),
    "disengage_losses": Question("owner", "<model>", suggested=True),
}
# The words that a field of an event can be ("UnitMoved.how"), or what it names.
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "ReactionDeclared.reaction": ("reception", "counter_charge", "retreat"),
    "PowerCompared.because": "power, cavalry, or the skill that makes it a charge",
    "Pursued.kind": ("pursue", "push"),
    "DiceRevealed.card": "the profile of the unit, where it is not the one it is named after",
    "DiceRevealed.foe": "the profile of the target, where it is not the one it is named after",
    "PairingOver.card": "the profile of the unit, where it is not the one it is named after",
    "PairingOver.foe": "the profile of the target, where it is not the one it is named after",
    "AttackDiceGained.because": "the skill or tactic that gives them",
    "FightsAgain.because": "the skill that lets them",
    "FighterSacrificed.because": "the skill that lets him",
    "NoTestToBreakAway.card": "the profile that needs no test",
    "NoTestToBreakAway.because": "the skill that spares it",
}


def dice_in_cases(decision: Allocate, raw: Any) -> Any:
    """Dice set aside as cases write them, with the keys of the question. A name is that of a profile, or of a unit."""
    if not isinstance(raw, dict) or decision.ask not in ("set_dice_aside", "use_gained_dice"):
        return raw
    found: dict[Any, Any] = {}
    for key, number in raw.items():
        for part in (2, 0):
            fits = [slot for slot in decision.slots if key == slot or _fits(str(key), slot, part)]
            if fits:
                break
        found[fits[0] if len(fits) == 1 else key] = number
    return found


def _fits(key: str, slot: str, part: int) -> bool:
    """Whether a slot is meant by what it is for and by the names of its profiles (2) or units (0)."""
    use, _, rest = key.partition(" ")
    wanted = [name.strip() for name in f" {rest} ".partition(" > ")[::2]]
    named = [name.partition("/")[part] for name in slot.partition(" ")[2].partition(" > ")[::2]]
    return slot.startswith(f"{use} ") and all(not name or name == own for name, own in zip(wanted, named, strict=True))


def _limits(battle: Battle, unit: Unit) -> dict[str, int]:
    hand = hand_of(battle, unit, engaged_with(battle, unit)) if unit.on_table else None
    return {pool: hand.limit(pool) for pool in POOLS if hand is not None and hand.limit(pool)}


def _contacts(battle: Battle, unit: Unit) -> int:
    enemies = [f for enemy in battle.enemies_of(unit.side) for f in enemy.figures]
    return sum(any(touches(f, e) for e in enemies) for f in unit.figures) if unit.on_table else 0


OF_UNIT: Final[Mapping[str, Fact]] = {
    "limit": Fact("melee dice it may use in a fight now, by pool: { troop = 4, incarnate = 1 }", _limits),
    "in_contact": Fact("how many of its models touch an enemy", _contacts),
}
