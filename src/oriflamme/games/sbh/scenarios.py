"""Scenarios (SBH-SCEN): treacherous ground, victory points, and how a battle ends (SBH-END)."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.keywords import at
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.sbh import resources
from oriflamme.games.sbh.events import BattleEnded, TrapRolled
from oriflamme.games.sbh.moments import Keyword
from oriflamme.games.sbh.quality import on_place_of_power, with_leaders
from oriflamme.games.sbh.state import Asking, Battle, Fighter

SCENARIOS = ("battle", "ambush", "treasure", "power", "hard", "item")  # SBH-SCEN-01
RULES = {
    "battle": "SBH-SCEN-BATTLE",
    "ambush": "SBH-SCEN-AMBUSH",
    "treasure": "SBH-SCEN-TREASURE",
    "power": "SBH-SCEN-POWER",
    "hard": "SBH-SCEN-HARD",
    "item": "SBH-SCEN-ITEM",
}


# -- treacherous ground ------------------------------------------------------------------------------------------------


class Trap:
    """Ground that may swallow a fighter: dangerous on 5-6, sooner for some and later for others (SBH-SCEN-HARD-04)."""

    __slots__ = ("careful", "clumsy")

    def __init__(self) -> None:
        self.careful = False
        self.clumsy = False

    @property
    def from_face(self) -> int:
        return 5 + self.careful - self.clumsy


def enter_ground(battle: Battle, fighter: Fighter, start: tuple[float, float]) -> Asking[None]:
    """A die for each piece that he has newly entered; if it is dangerous, a Quality roll on one die."""
    for piece in entered(battle, fighter, start):
        if not fighter.on_table:
            return
        trap = Trap()
        at(Keyword.when_trapped, (fighter.keywords,), trap)
        face = battle.dice.d6()
        dangerous = face >= trap.from_face
        battle.tell(TrapRolled("SBH-SCEN-HARD-04", fighter.id, piece.id, face, dangerous))
        if dangerous:
            from oriflamme.games.sbh.results import remove, test_quality

            concerned = with_leaders(battle, fighter)
            cancelled = yield from resources.cancel_rules(battle, concerned, fighter=fighter.id, manner="trap")
            failures = yield from test_quality(battle, fighter, 1, "trap", "SBH-SCEN-HARD-04")
            resources.restore_rules(cancelled)
            if failures:
                remove(battle, fighter, "trapped", "trap", "SBH-SCEN-HARD-04")


def entered(battle: Battle, fighter: Fighter, start: tuple[float, float]) -> list[Piece]:
    """The pieces his base has come over since he stood at `start`; a flyer enters only where it lands."""
    x, y = fighter.x, fighter.y
    # On hexes the middle of the hex counts.
    r = fighter.radius if battle.ruler.grid is None else 2 * TOLERANCE
    found = []
    for piece in battle.table.pieces:
        outline = piece.outline
        if outline.touches_disc(*start, r):
            continue
        lands = outline.touches_disc(x, y, r)
        if lands or (not fighter.profile.flies and outline.comes_within(*start, x, y, r - TOLERANCE)):
            found.append(piece)
    return found


# -- victory -----------------------------------------------------------------------------------------------------------


def killed_points(battle: Battle, side: int) -> int:
    """The value of the enemies that were killed; those lost to terrain traps do not count (SBH-SCEN-02)."""
    counted = ("killed", "routed", "left") if battle.options["sbh.killedMeansRemoved"] == "yes" else ("killed",)
    return sum(f.value for f in battle.units.values() if f.side != side and f.fate in counted)


def points_per_victory_point(battle: Battle, side: int) -> int:
    """How many points of enemies are worth one victory point in this scenario."""
    if battle.scenario == "ambush":
        return 20 if side == battle.attacker else 30
    return 20 if battle.scenario in ("battle", "hard") else 25


def victory_points(battle: Battle, side: int) -> int:
    """What a side has earned: for kills, and for what the scenario is about."""
    earned = killed_points(battle, side) // points_per_victory_point(battle, side)
    if battle.scenario == "treasure" and battle.prize == side:
        earned += 5
    if battle.scenario == "power":
        earned += 3 * sum(on_place_of_power(battle, f) for f in battle.present(side))
    if battle.scenario == "item":
        held = (f for f in battle.units.values() if f.side == side and f.item is not None and f.item.prize)
        earned += 3 * any(f.fate in ("", "left") for f in held)
    return earned


def standing_points(battle: Battle, side: int) -> int:
    """The points of its fighters still on the table (SBH-END-03); those in hiding are there too."""
    return sum(f.value for f in battle.in_play(side))


def end_battle(battle: Battle, because: str, rule: str, *, lost: Sequence[int] = ()) -> None:
    """The battle is over; `lost` are the sides that have conceded or lost the field."""
    if battle.over:
        return
    battle.victory = (victory_points(battle, 0), victory_points(battle, 1))
    standing = (standing_points(battle, 0), standing_points(battle, 1))
    battle.winner = _winner(battle, standing, because, lost)
    battle.over = True
    battle.because = because
    battle.track = []
    winner = -1 if battle.winner is None else battle.winner
    battle.tell(BattleEnded(rule, because, battle.victory, standing, winner))


def _winner(battle: Battle, standing: tuple[int, int], because: str, lost: Sequence[int]) -> int | None:
    """Who has won, if anybody.

    1. The side that brought the treasure off.                                        SBH-SCEN-TREASURE-06
    2. The opponent of who conceded; nobody if both sides lost the field at once.     SBH-END-02
    3. The side with more victory points; then the one that holds the field, then
       the one with more points of fighters on the table.                             SBH-END-03
    """
    if battle.prize >= 0:
        return battle.prize
    if because == "conceded":
        return 1 - lost[0]
    if len(lost) == 2:
        return None
    for mine, theirs in (battle.victory, (0 not in lost, 1 not in lost), standing):
        if mine != theirs:
            return 0 if mine > theirs else 1
    return None


def check_wiped_out(battle: Battle) -> None:
    """A side without anybody left, or a treasure brought off, ends the battle at once (SBH-END-01)."""
    if battle.over:
        return
    if battle.prize >= 0:
        end_battle(battle, "treasure", "SBH-SCEN-TREASURE-06")
    elif any(not battle.in_play(side) for side in (0, 1)):
        end_battle(battle, "wiped_out", "SBH-END-01")


def check_field(battle: Battle) -> None:
    """At the end of a turn, a side with nobody standing on the table has lost the field (SBH-END-02)."""
    beaten = [
        side
        for side in (0, 1)
        if not any(not f.down for f in battle.present(side)) and not any(f.reserve for f in battle.in_play(side))
    ]
    if beaten:
        end_battle(battle, "nobody_standing", "SBH-END-02", lost=beaten)
