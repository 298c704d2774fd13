"""Ranks that close up when stands fall, and fill up when they come back (TLAOK-WOUND-14, TLAOK-HEAL-08).

The block stays where it is: its front edge does not move, and a single rank grows shorter or longer at one end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin
from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.shapes import Box, ahead
from oriflamme.games.tlaok.events import RanksClosed
from oriflamme.games.tlaok.losses.aftermath import resolves
from oriflamme.games.tlaok.regiment.formation import Formation, depth_of, leans
from oriflamme.games.tlaok.state import Asking, Battle, Regiment

LEFT: Final = 1
RIGHT: Final = 2
# How an answer names the side to which a last rank leans.
_LEAN: Final = ("left", "right")


def redraw(regiment: Regiment, before: Box, files: int, *, end: int = 0, keep: str = "front") -> None:
    """Draw up in so many files the stands there are now, as near to how it stood before as the rules allow.

    `before` was its footprint. `end` is where it has become shorter or longer, both ends alike if 0; `keep` says what
    stays where it is: the "front" edge, the "rear" one, or the "centre".
    """
    old = regiment.formation
    shift = old.files - files if end == LEFT else 0
    regiment.formation = nearest(old, regiment, files, shift)
    now = regiment.footprint
    forward = (before.depth - now.depth) / 2 * {"front": 1, "rear": -1}.get(keep, 0)
    aside = (before.width - now.width) / 2 * {LEFT: 1, RIGHT: -1}.get(end, 0)
    ax, ay = ahead(regiment.facing)
    rx, ry = cos(regiment.facing), sin(regiment.facing)
    regiment.stand_at(regiment.x + ax * forward + rx * aside, regiment.y + ay * forward + ry * aside, regiment.facing)


def nearest(old: Formation, regiment: Regiment, files: int, shift: int = 0) -> Formation:
    """The legal formation that moves command stand and character least (TLAOK-FORM-04, -06, -07)."""
    command, hero = regiment.command is not None, regiment.hero is not None

    def moved(new: Formation) -> tuple[int, bool]:
        apart = abs(new.command - old.command + shift) if command and old.command >= 0 else 0
        apart += abs(new.character - old.character + shift) if hero and old.character >= 0 else 0
        return apart, new.lean != old.lean

    return min(regiment.formations(files), key=moved)


def with_room(battle: Battle, regiment: Regiment, able: Sequence[Formation]) -> list[Formation]:
    """Those of these formations, drawn up where it stands, in which it stands nowhere it may not; where it does so
    already, as it may in the middle of an activation (TLAOK-FORM-10), on nobody and in nothing more than now.

    If there is no such formation it keeps the one it has (TLAOK-FORM-04).
    """
    # Losses are what terrain does too: the chapter on terrain needs this one.
    from oriflamme.games.tlaok.regiment.positions import faults_of

    if regiment.garrison or not regiment.on_table:
        return list(able)
    before = faults_of(battle, regiment)
    found = []
    for formation in able:
        twin = regiment.copy()
        twin.formation = formation
        twin.arrange()
        if faults_of(battle, twin) <= before:
            found.append(formation)
    return found or [regiment.formation]


def centre(battle: Battle, regiment: Regiment) -> Asking[None]:
    """What is left of the last rank stands in the middle; its owner picks where two places are as central and there is
    room in both (TLAOK-WOUND-14, TLAOK-FORM-04)."""
    files = regiment.formation.files
    if regiment.garrison or depth_of(regiment.placed, files) == 1 or len(leans(regiment.placed, files)) == 1:
        return
    able = [regiment.formation._replace(lean=lean) for lean in leans(regiment.placed, files)]
    open_to = {_LEAN[each.lean]: each for each in with_room(battle, regiment, able)}

    def reason(key: str) -> Refusal | None:
        return Refusal("TLAOK-FORM-04", "no_room", {"regiment": regiment.id}) if key in _LEAN else None

    options = [Option(key, "lean") for key in open_to]
    now = _LEAN[regiment.formation.lean]
    default = now if now in open_to else options[0].key
    about = {"regiment": regiment.id}
    chosen = yield from pick_one(
        regiment.side, options, "centre_last_rank", "TLAOK-FORM-04", about, why_not=reason, default=default
    )
    regiment.formation = open_to[chosen]
    regiment.arrange()


@resolves("gap")
def close_gap(battle: Battle, id: str) -> Asking[None]:
    """The gap that a command stand or a character left is closed by a reform out of sequence, which takes no more from
    ranks and files than it must (TLAOK-CMD-09, TLAOK-CHAR-20); its owner picks among those that do and for which there
    is room."""
    regiment = battle.units[id]
    if regiment.fate or regiment.garrison:
        return
    able = with_room(battle, regiment, regiment.formations(regiment.formation.files))
    gone = next(s.role for s in reversed(regiment.fallen) if s.role != "stand")
    rule = "TLAOK-CMD-09" if gone == "command" else "TLAOK-CHAR-20"
    if len(able) > 1:
        # People count files from 1.
        options = [
            Option(
                key_of(each),
                "formation",
                {
                    "files": each.files,
                    "command": each.command + 1,
                    "character": each.character + 1,
                    "lean": each.lean,
                },
            )
            for each in able
        ]
        about = {"regiment": id}
        now = key_of(regiment.formation)
        default = now if regiment.formation in able else options[0].key
        key = yield from pick_one(regiment.side, options, "close_gap", rule, about, default=default)
        regiment.formation = next(each for each in able if key_of(each) == key)
    else:
        regiment.formation = able[0]
    regiment.draw_up(regiment.formation)
    battle.tell(RanksClosed(rule, id, regiment.formation.files, regiment.ranks))


def key_of(formation: Formation) -> str:
    """A formation in short: files, places of command stand and character, and where the last rank leans."""
    return f"{formation.files}:{formation.command}:{formation.character}:{'right' if formation.lean else 'left'}"
