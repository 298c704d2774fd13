"""The Command Phase (TLAOK-STACK): both players put their cards in order, face down and at the same time."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option, PutInOrder
from oriflamme.engine.core.questions import answers_to
from oriflamme.games.tlaok.events import PhaseBegan, StackBuilt
from oriflamme.games.tlaok.state import Battle, Step, step


def cards_of(battle: Battle, side: int) -> list[tuple[str, str, str]]:
    """A card for each regiment on the table or arriving, and for each character in one of them (TLAOK-STACK-02): the
    unit it is for, the name on it, and what it is. Cards of one name are interchangeable (TLAOK-CARD-02)."""
    found = []
    for regiment in battle.units_of(side):
        if regiment.fate or regiment.reserve == "reinforcements":
            continue
        found.append((regiment.id, regiment.profile.id, regiment.kind))
        if regiment.character is not None and regiment.hero is not None:
            found.append((regiment.character.id, regiment.character.profile.id, "character"))
    return found


@step
def command_phase(battle: Battle) -> Step:
    """Each player's order stays secret until a card is drawn (TLAOK-STACK-01, -03)."""
    battle.tell(PhaseBegan("TLAOK-ROUND-01", "command"))
    cards = [cards_of(battle, side) for side in (0, 1)]
    names = [{unit: card for unit, card, _ in held} for held in cards]
    # Cards that are all alike lie in one order only (TLAOK-CARD-02).
    asked = [_order(battle, side, cards[side]) for side in (0, 1) if len(set(names[side].values())) > 1]
    answers = (yield from answers_to(*asked)) if asked else []
    order = {side: tuple(names[side]) for side in (0, 1)}
    order |= {one.side: answer for one, answer in zip(asked, answers, strict=True)}
    # The top card is the last of the stack, and the first that the player named.
    battle.stacks = (
        tuple(names[0][unit] for unit in reversed(order[0])),
        tuple(names[1][unit] for unit in reversed(order[1])),
    )
    for side in (0, 1):
        battle.tell(StackBuilt("TLAOK-STACK-02", side, len(battle.stacks[side])))


def _order(battle: Battle, side: int, cards: list[tuple[str, str, str]]) -> PutInOrder:
    options = [Option.thing(unit, "card", {"unit": unit, "card": card, "kind": kind}) for unit, card, kind in cards]
    return PutInOrder(side, options, "order_stack", "TLAOK-STACK-03", {"round": battle.round}, secret=True)
