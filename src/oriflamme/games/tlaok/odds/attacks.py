"""The odds of a volley, of impact attacks and of a Clash, as the chapters that play them prepare them."""

from __future__ import annotations

from oriflamme.engine.odds import Distribution, play_out
from oriflamme.games.tlaok.charge.impact import impact_of
from oriflamme.games.tlaok.combat.attacks import declare
from oriflamme.games.tlaok.combat.clash import blows_at, dice_against, may_strike
from oriflamme.games.tlaok.combat.volley import choose_shots, is_murderous, strikes_of
from oriflamme.games.tlaok.losses.aftermath import resolve_queue
from oriflamme.games.tlaok.losses.wounds import Cause
from oriflamme.games.tlaok.odds.casualties import NOTHING, AttackOdds, Casualties, Fate, Pool, odds_of
from oriflamme.games.tlaok.odds.strikes import Blow, blows_of
from oriflamme.games.tlaok.state import Battle, Regiment


def volley_pools(battle: Battle, regiment: Regiment, target: Regiment, *, arcing: bool = False) -> list[Pool]:
    """The shots of a volley, a pool for each arc of the target; who is in two shoots at the first."""
    shooters = play_out(choose_shots(battle, regiment, target, arcing=arcing))
    by_arc: dict[str, list[int]] = {}
    for number, shooter in enumerate(shooters):
        by_arc.setdefault(shooter.arcs[0], []).append(number)
    tested = is_murderous(battle, regiment, target)
    return [
        Pool(
            list(strikes_of(battle, regiment, target, arc, [shooters[n] for n in numbers], arcing)),
            Cause("TLAOK-VOLLEY-21", "volley", regiment.id, arc, morale=tested, saved=True),
        )
        for arc, numbers in by_arc.items()
    ]


def clash_pools(battle: Battle, regiment: Regiment, target: Regiment) -> list[Pool]:
    """All that can strike or support against one enemy in contact."""
    touched = may_strike(battle, regiment)
    fighting = [stand for stand, ids in touched if target.id in ids]
    busy = {stand.id for stand, _ in touched}
    supporting = [stand for stand in regiment.figures if stand.id not in busy]
    strikes, cause = blows_at(battle, regiment, target, list(dice_against(battle, regiment, fighting, supporting)))
    return [Pool(strikes, cause)] if strikes else []


def impact_pools(battle: Battle, regiment: Regiment, target: Regiment) -> list[Pool]:
    strikes, cause = impact_of(battle, regiment, target)
    return [Pool(strikes, cause)] if strikes and not target.garrison else []


def volley_odds(battle: Battle, regiment: Regiment, target: Regiment, *, arcing: bool = False) -> AttackOdds:
    return odds_of(battle, regiment, target, "volley", volley_pools(battle, regiment, target, arcing=arcing))


def clash_odds(battle: Battle, regiment: Regiment, target: Regiment) -> AttackOdds:
    return odds_of(battle, regiment, target, "clash", clash_pools(battle, regiment, target))


def impact_odds(battle: Battle, regiment: Regiment, target: Regiment) -> AttackOdds:
    return odds_of(battle, regiment, target, "impact", impact_pools(battle, regiment, target))


def both_odds(battle: Battle, regiment: Regiment, target: Regiment) -> AttackOdds | None:
    """The impact attacks of a charge that has come home, and then a Clash with all that is left; None where there are
    no impact attacks, or where they would be struck back."""
    twin = battle.copy()
    own, on = twin.units[regiment.id], twin.units[target.id]
    pools = impact_pools(twin, own, on)
    if not pools:
        return None
    ((strikes, cause),) = pools
    play_out(declare(twin, own, "hits", strikes, cause.what))
    play_out(declare(twin, on, "saves", strikes, cause.what))
    casualties = Casualties(twin, on)
    if casualties.gives_back(1, cause)[1] is not None:
        return None
    known: dict[int, AttackOdds] = {}

    def clash(total: int) -> AttackOdds:
        """The Clash after so many wounds."""
        if total not in known:
            left = casualties.after(total).copy()
            gone = casualties.fate(total)
            if gone.gone:
                known[total] = AttackOdds("clash", 0, NOTHING, NOTHING, Distribution.always(gone))
            else:
                play_out(resolve_queue(left))
                for each in (left.units[own.id], left.units[on.id]):
                    each.end_effects("action")
                found = clash_odds(left, left.units[own.id], left.units[on.id])
                fate = found.fate.map(lambda fate: Fate(gone.lost + fate.lost, fate.broken, fate.gone))
                known[total] = found._replace(fate=fate)
        return known[total]

    def tested(blow: Blow) -> Distribution[tuple[int, int, int]]:
        hits, wounds, _ = blow
        return casualties.morale(0, wounds, cause).map(lambda more: (hits, wounds, wounds + more))

    law = blows_of(strikes).then(tested)
    total = law.map(lambda counted: counted[2])
    return AttackOdds(
        "both",
        sum(strike.attacks for strike in strikes) + clash(0).attacks,
        law.then(lambda counted: clash(counted[2]).hits.map(lambda more: counted[0] + more)),
        law.then(lambda counted: clash(counted[2]).wounds.map(lambda more: counted[1] + more)),
        total.then(lambda wounds: clash(wounds).fate),
        total.then(lambda wounds: clash(wounds).taken),
        total.then(lambda wounds: clash(wounds).own),
    )
