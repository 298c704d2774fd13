"""What specialists do in a battle of a campaign, for their experience (LFW-CAMP-01). In the game itself it has no
effect."""

from __future__ import annotations

from typing import Final

from oriflamme.games.lfw.state import CAMPAIGN, Battle, Model, Part

ABILITY: Final = "ability"
SPELL: Final = "spell"
COMBAT: Final = "combat"
SAVED: Final = "saved"


def note_deed(battle: Battle, what: str, part: Part) -> None:
    """A specialist has done something once more."""
    if battle.notes.get(CAMPAIGN) and part.specialisation:
        key = f"{what}:{part.id}"
        battle.notes[key] = battle.notes.get(key, 0) + 1


def note_visit(battle: Battle, model: Model) -> None:
    """The table quarters in which a part of its base is now, or of the building it is in (LFW-CAMP-07)."""
    scouts = [part for part in model.alive if part.specialisation == "scout"]
    if not battle.notes.get(CAMPAIGN) or not scouts:
        return
    body, x, y = model.body, battle.table.width / 2, battle.table.depth / 2
    x0, x1, y0, y1 = body.x - body.radius, body.x + body.radius, body.y - body.radius, body.y + body.radius
    if model.board:
        house = next(board.of for board in battle.table.boards if board.id == model.board)
        outline = next(piece.outline for piece in battle.table.pieces if piece.id == house)
        x0, x1, y0, y1 = outline.x0, outline.x1, outline.y0, outline.y1
    ways = [(x0 < x, x1 > x), (y0 < y, y1 > y)]
    here = {f"{east}{north}" for east in (0, 1) if ways[0][east] for north in (0, 1) if ways[1][north]}
    for part in scouts:
        key = f"quarters:{part.id}"
        battle.notes[key] = tuple(sorted({*battle.notes.get(key, ()), *here}))
