"""The Reinforcement Phase (TLAOK-REINF): who may come this round, one pick without a die, a die for all others."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.decisions import Decision, Option, PickOne, PickSeveral
from oriflamme.engine.core.dice import sorting
from oriflamme.engine.core.events import Refusal
from oriflamme.games.tlaok.events import ArrivalPicked, Arriving, PhaseBegan, ReinforcementsRolled
from oriflamme.games.tlaok.measures import CLASSES
from oriflamme.games.tlaok.rounds.together import ask_together
from oriflamme.games.tlaok.state import Asking, Battle, Regiment, Step, step

AUTOMATIC: Final = 6
# What a die must not exceed, by class; 0 where the class may not arrive (TLAOK-REINF-08).
TABLE: Final = {
    1: {"light": 4, "medium": 0, "heavy": 0},
    2: {"light": 4, "medium": 2, "heavy": 0},
    3: {"light": AUTOMATIC, "medium": 4, "heavy": 2},
    4: {"light": AUTOMATIC, "medium": AUTOMATIC, "heavy": 4},
    5: {"light": AUTOMATIC, "medium": AUTOMATIC, "heavy": AUTOMATIC},
}


def needed(battle: Battle, weight: str) -> int:
    """What a die must not exceed for a regiment of this class to arrive this round."""
    return TABLE[min(battle.round, 5)][weight]


def waiting(battle: Battle, side: int) -> list[Regiment]:
    """The regiments of a side in reinforcements."""
    return [r for r in battle.units_of(side) if r.reserve == "reinforcements" and not r.fate]


def own_edge_only(battle: Battle, regiment: Regiment) -> bool:
    """A heavy regiment of round 3 enters from its own edge (TLAOK-REINF-09)."""
    if battle.round != 3 or regiment.weight != "heavy":
        return False
    return battle.option("tlaok.heavyRoundThree") == "anyArrival" or regiment.id in battle.rolled_in


@step
def reinforcement_phase(battle: Battle) -> Step:
    """Picks and declarations of both sides together, then the dice, then what the successes are used for."""
    battle.tell(PhaseBegan("TLAOK-ROUND-01", "reinforcement"))
    battle.rolled_in = frozenset()
    coming: list[list[Regiment]] = [[], []]
    staying: list[list[Regiment]] = [[], []]
    asked: list[Decision] = []
    for side in (0, 1):
        asked += [_pick(battle, side), _flanks(battle, side)]
    answers = yield from ask_together(asked)
    for side in (0, 1):
        pick, flanks = answers[2 * side], answers[2 * side + 1]
        if pick != "none":
            verb, _, id = pick.partition(":")
            (coming if verb == "arrive" else staying)[side].append(battle.units[id])
            battle.tell(ArrivalPicked("TLAOK-REINF-03", side, id, verb == "arrive"))
        for regiment in _flankers(battle, side):
            arrives = regiment.id in flanks
            (coming if arrives else staying)[side].append(regiment)
            battle.tell(ArrivalPicked("TLAOK-SR-FLANK-01", side, regiment.id, arrives))
    yield from _arrive(battle, coming, staying)
    for side in (0, 1):
        for regiment in coming[side]:
            regiment.reserve = "arriving"
            regiment.failed = False
        if coming[side]:
            battle.tell(Arriving("TLAOK-REINF-10", side, tuple(r.id for r in coming[side])))


def _needs_die(battle: Battle, regiment: Regiment) -> bool:
    """Its class rolls this round, and it does not come, or choose to, without a die (TLAOK-REINF-05)."""
    return 0 < needed(battle, regiment.weight) < AUTOMATIC and not regiment.failed and not flanks(regiment)


def flanks(regiment: Regiment) -> bool:
    """It comes when its player says so (TLAOK-SR-FLANK-01); a character may give it that (TLAOK-SR-FORWARDFORCE-01)."""
    if any(rule.flanks for stand in regiment.troops[:1] for rule in regiment.keywords_of(stand)):
        return True
    hero = regiment.hero if regiment.kind != "monster" else None
    return hero is not None and any(rule.leads_round for rule in regiment.keywords_of(hero))


def _flankers(battle: Battle, side: int) -> list[Regiment]:
    """Those with Flank whose class may arrive this round, and need not (TLAOK-SR-FLANK-02)."""
    return [r for r in waiting(battle, side) if flanks(r) and 0 < needed(battle, r.weight) < AUTOMATIC and not r.failed]


def _pick(battle: Battle, side: int) -> PickOne:
    """One regiment arrives, or stays, without a die (TLAOK-REINF-03, -04)."""
    able = [r for r in waiting(battle, side) if _needs_die(battle, r)]
    options = [Option("none", "nobody")]
    options += [
        Option(f"{verb}:{r.id}", "pick", {"verb": verb, "unit": r.id}, (r.id,))
        for r in able
        for verb in ("arrive", "stay")
    ]

    def reason(key: str) -> Refusal | None:
        id = key.partition(":")[2]
        regiment = battle.units.get(id)
        if regiment is None or regiment.side != side or regiment.reserve != "reinforcements":
            return None
        need = needed(battle, regiment.weight)
        facts = {"regiment": id, "weight": regiment.weight, "round": battle.round}
        if regiment.failed:
            return Refusal("TLAOK-ENTRY-16", "arrives_anyway", facts)
        if not need:
            return Refusal("TLAOK-REINF-08", "class_may_not_arrive", facts)
        if need == AUTOMATIC:
            return Refusal("TLAOK-REINF-04", "arrives_anyway", facts)
        return Refusal("TLAOK-SR-FLANK-01", "declares_by_itself", facts) if flanks(regiment) else None

    about = {"round": battle.round}
    return PickOne(
        side, options, "automatic_pick", "TLAOK-REINF-03", about, secret=True, why_not=reason, default="none"
    )


def _flanks(battle: Battle, side: int) -> PickSeveral:
    able = _flankers(battle, side)
    options = [Option.thing(r.id) for r in able]
    about = {"round": battle.round}
    return PickSeveral(
        side, options, 0, len(options), "flank_entries", "TLAOK-SR-FLANK-01", about, secret=True,
        default=[r.id for r in able],
    )  # fmt: skip


def _arrive(battle: Battle, coming: list[list[Regiment]], staying: list[list[Regiment]]) -> Asking[None]:
    """All regiments of a class, or as many as dice succeed; all dice fall before successes are used (TLAOK-REINF-05,
    -06, -12)."""
    asked: list[Decision] = []
    for weight in CLASSES:
        need = needed(battle, weight)
        for side in (0, 1):
            decided = [*coming[side], *staying[side]]
            rest = [r for r in waiting(battle, side) if r.weight == weight and r not in decided]
            coming[side] += [r for r in rest if r.failed or need == AUTOMATIC]
            rest = [r for r in rest if not (r.failed or need in (0, AUTOMATIC))]
            if not rest:
                continue
            faces = tuple(1 if face <= need else 0 for face in range(1, 7))
            _, successes = battle.dice.sort(len(rest), sorting(faces))
            rolled = tuple(battle.dice.last)
            battle.tell(ReinforcementsRolled("TLAOK-REINF-08", side, weight, need, rolled, successes))
            options = [Option.thing(r.id) for r in rest]
            about = {"weight": weight, "successes": successes}
            asked.append(
                PickSeveral(side, options, successes, successes, "use_successes", "TLAOK-REINF-06", about, secret=True)
            )
    for decision, chosen in zip(asked, (yield from ask_together(asked)), strict=True):
        arrived = [battle.units[id] for id in chosen]
        coming[decision.side] += arrived
        battle.rolled_in |= {r.id for r in arrived}
