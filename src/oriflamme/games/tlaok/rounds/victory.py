"""The Victory Phase (TLAOK-VICT), the four scenarios (TLAOK-SCN) and secondary objectives (TLAOK-SEC)."""

from __future__ import annotations

from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Decision, Option, PickSeveral
from oriflamme.engine.core.questions import answers_to
from oriflamme.engine.geometry.measure import INCH
from oriflamme.games.tlaok.events import BattleEnded, PhaseBegan, PointsScored, SecondaryScored, ZoneControlled
from oriflamme.games.tlaok.rounds.control import owner_of
from oriflamme.games.tlaok.rounds.secondaries import is_met
from oriflamme.games.tlaok.state import Battle, Step, Zone, step

ROUNDS: Final = 10  # TLAOK-SCN-04


class Scenario(NamedTuple):
    """A scenario: its table and its zones in inches, what each zone is worth, and how many points end it."""

    id: str
    rule: str
    size: tuple[int, int]
    ends_at: int
    # (x, y, diameter, worth to the side whose half it lies in, worth to the other)
    zones: tuple[tuple[float, float, float, int, int], ...] = ()
    kills: bool = False


SCENARIOS: Final = {
    s.id: s
    for s in (
        Scenario("attrition", "TLAOK-SCNA-01", (48, 48), 8, kills=True),
        Scenario(
            "quarters", "TLAOK-SCNB-01", (48, 48), 5,
            ((12, 12, 6, 1, 2), (36, 12, 6, 1, 2), (12, 36, 6, 1, 2), (36, 36, 6, 1, 2)),
        ),
        Scenario(
            "centre", "TLAOK-SCNC-01", (48, 48), 8, ((24, 24, 3, 1, 1), (12, 24, 6, 2, 2), (36, 24, 6, 2, 2))
        ),
        Scenario(
            "front", "TLAOK-SCND-01", (72, 48), 8, ((36, 24, 6, 1, 1), (18, 24, 12, 2, 2), (54, 24, 12, 2, 2))
        ),
    )
}  # fmt: skip


def zones_of(scenario: str, edges: tuple[str, str]) -> tuple[Zone, ...]:
    """The objective zones of a scenario, and what they are worth to each side (TLAOK-SCNB-02)."""
    found = []
    layout = SCENARIOS[scenario]
    for number, (x, y, diameter, near, far) in enumerate(layout.zones, start=1):
        southern = y <= layout.size[1] / 2
        worth = [near if (edge == "south") == southern else far for edge in edges]
        found.append(Zone(f"zone_{number}", x * INCH, y * INCH, diameter / 2 * INCH, (worth[0], worth[1])))
    return tuple(found)


@step
def victory_phase(battle: Battle) -> Step:
    """Control, points, secondary objectives; then whether somebody has won (TLAOK-VICT-01 to -04)."""
    battle.tell(PhaseBegan("TLAOK-ROUND-01", "victory"))
    if battle.option("tlaok.roundEnd") == "effectsEndFirst":
        end_effects_of_round(battle)
    score_zones(battle)
    if SCENARIOS[battle.scenario].kills:
        score_kills(battle)
    yield from score_secondaries(battle)
    end_effects_of_round(battle)
    check_victory(battle)


def end_effects_of_round(battle: Battle) -> None:
    """Everything that lasts until the end of the round ends, a refused duel too (TLAOK-ROUND-06, TLAOK-DRAW-08,
    TLAOK-DUEL-03, -07)."""
    for regiment in battle.units.values():
        regiment.end_effects("round")
        regiment.refused = False
        if regiment.character is not None:
            regiment.character.bound = False


def score(battle: Battle, side: int, points: int, rule: str, about: str, of: str = "") -> None:
    if points:
        total = list(battle.score)
        total[side] += points
        battle.score = (total[0], total[1])
        battle.tell(PointsScored(rule, side, points, about, of))


def score_zones(battle: Battle) -> None:
    """What is controlled at the end of the round counts (TLAOK-CTRL-01, TLAOK-SCN-05)."""
    zones = []
    rule = {"quarters": "TLAOK-SCNB-03", "centre": "TLAOK-SCNC-03", "front": "TLAOK-SCND-03"}.get(battle.scenario, "")
    for zone in battle.zones_of_objectives:
        owner, capturing, there = owner_of(battle, zone)
        if owner != zone.owner or any(there):
            strengths = (capturing[0], capturing[1]), (there[0], there[1])
            battle.tell(ZoneControlled("TLAOK-CTRL-02", zone.id, owner if owner >= 0 else None, *strengths))
        if owner >= 0:
            score(battle, owner, zone.worth[owner], rule, "zone", zone.id)
        zones.append(zone._replace(owner=owner))
    battle.zones_of_objectives = tuple(zones)


def score_kills(battle: Battle) -> None:
    """Cards removed from the game, and the Warlord (TLAOK-SCNA-02, -03)."""
    for side in (0, 1):
        foe = 1 - side
        every = battle.option("tlaok.cardPoints") == "everyRound"
        gone = lost_of(battle, foe) if every else battle.destroyed[foe]
        score(battle, side, len(gone), "TLAOK-SCNA-02", "cards")
        every = battle.option("tlaok.warlordPoints") == "everyRound"
        dead = [
            r.character.id
            for r in battle.units_of(foe)
            if r.character is not None and r.character.warlord and not r.led
        ]
        if any(every or id in battle.destroyed[foe] for id in dead):
            score(battle, side, 2, "TLAOK-SCNA-03", "warlord", dead[0])


def lost_of(battle: Battle, side: int) -> list[str]:
    """Every regiment and character of a side that is out of the game."""
    found = []
    for regiment in battle.units_of(side):
        if regiment.fate:
            found.append(regiment.id)
        # A character that is a regiment of its own has one card, not two.
        if regiment.character is not None and not regiment.led and regiment.character.id != regiment.id:
            found.append(regiment.character.id)
    return found


def score_secondaries(battle: Battle) -> Step:
    """A player may reveal those whose condition is met, one of a kind a round (TLAOK-SEC-04, -05).

    Whoever has some left is asked whether one is met or not: who has to think about it tells nothing (TLAOK-SEC-03).
    """
    asked: list[Decision] = []
    for side in (0, 1):
        met = sorted({card for card in battle.secrets[side] if is_met(battle, side, card)})
        options = [Option(card, "secondary", {"does": card}) for card in met]
        asked.append(
            PickSeveral(
                side, options, 0, len(met), "score_secondaries", "TLAOK-SEC-04",
                {"round": battle.round, "met": len(met)}, secret=True, default=met,
                always=bool(battle.secrets[side]),
            )
        )  # fmt: skip
    for side, chosen in enumerate((yield from answers_to(*asked))):
        hands = list(battle.secrets)
        for card in chosen:
            left = list(hands[side])
            left.remove(card)
            hands[side] = tuple(left)
            battle.secrets = (hands[0], hands[1])
            battle.tell(SecondaryScored("TLAOK-SEC-04", side, card))
            score(battle, side, 1, "TLAOK-SCN-07", "secondary", card)


def annihilated(battle: Battle, side: int) -> bool:
    """No regiment on the battlefield and none in reinforcements (TLAOK-VICT-02)."""
    return all(r.fate for r in battle.units_of(side))


def check_victory(battle: Battle) -> None:
    """A side is annihilated, the scenario's points are reached, or ten rounds are over (TLAOK-SCN-04, -06)."""
    gone = [annihilated(battle, side) for side in (0, 1)]
    a, b = battle.score
    ahead = None if a == b else 0 if a > b else 1
    if all(gone):
        end_battle(battle, "annihilated", "TLAOK-VICT-02", winner=ahead)
    elif any(gone):
        end_battle(battle, "annihilated", "TLAOK-VICT-01", winner=0 if gone[1] else 1)
    elif max(a, b) >= SCENARIOS[battle.scenario].ends_at:
        end_battle(battle, "points", "TLAOK-SCN-06", winner=ahead)
    elif battle.round >= ROUNDS:
        end_battle(battle, "rounds", "TLAOK-SCN-04", winner=ahead)


def end_battle(battle: Battle, because: str, rule: str, *, winner: int | None) -> None:
    battle.over = True
    battle.winner = winner
    battle.track.clear()
    battle.tell(BattleEnded(rule, winner, battle.score, because))
