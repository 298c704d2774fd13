"""Hits that special rules cause by themselves (TLAOK-SR-GEN-02): Aura of Death, Trample, Lethal Demise."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.tlaok.combat.attacks import strike_without_dice
from oriflamme.games.tlaok.events import HitBack, HitWithoutDice
from oriflamme.games.tlaok.keywords.striking import AuraOfDeath, Trample
from oriflamme.games.tlaok.losses.wounds import Cause, gives_back
from oriflamme.games.tlaok.moments import KeywordSet
from oriflamme.games.tlaok.regiment.contact import stands_touching
from oriflamme.games.tlaok.state import Asking, Battle, Regiment
from oriflamme.games.tlaok.triggers import Trigger


def _number(held: KeywordSet, kind: type[SpecialRule]) -> int:
    found = held.get(kind)
    return found.x if found is not None else 0


def aura_of_death(own: Regiment, because: AuraOfDeath) -> Trigger:
    """The enemy that is named suffers X hits from each stand with this rule that touches it; no morale is tested, and
    nothing happens from or to a garrison (TLAOK-SR-AURAOFDEATH-01, -02, -04)."""

    def resolve(battle: Battle, enemy: Regiment) -> Asking[None]:
        if own.garrison or enemy.garrison or own.fate:
            return
        touching = stands_touching(battle, own, enemy)
        hits = sum(_number(own.keywords_of(stand), AuraOfDeath) for stand in touching)
        if hits:
            face = battle.contacts[enemy.id][own.id]
            battle.tell(HitWithoutDice("TLAOK-SR-AURAOFDEATH-01", own.id, enemy.id, hits, because.title))
            cause = Cause("TLAOK-SR-AURAOFDEATH-01", "aura", own.id, face, morale=False, saved=True)
            yield from strike_without_dice(battle, own, enemy, hits, cause)

    return Trigger(f"aura_of_death:{own.id}", because.rule, resolve)


def _trample(battle: Battle, regiment: Regiment) -> Asking[None]:
    """Each stand with this rule causes X hits on one enemy that touches the front; not when a character has acted, and
    helped by none of its rules (TLAOK-SR-TRAMPLE-01 to -03)."""
    ahead = [id for id, face in battle.contacts.get(regiment.id, {}).items() if face == "front"]
    hits = sum(_number(regiment.keywords_of(stand), Trample) for stand in regiment.figures)
    if not ahead or not hits:
        return
    options = [Option.thing(id, "trample") for id in ahead]
    id = yield from pick_one(regiment.side, options, "trample_target", "TLAOK-SR-TRAMPLE-02", {"regiment": regiment.id})
    target = battle.units[id]
    face = battle.contacts[id][regiment.id]
    battle.tell(HitWithoutDice("TLAOK-SR-TRAMPLE-01", regiment.id, id, hits, Trample.title))
    cause = Cause("TLAOK-SR-TRAMPLE-01", "trample", regiment.id, face, saved=True)
    yield from strike_without_dice(battle, regiment, target, hits, cause)


TRAMPLE = Trigger("trample", "TLAOK-SR-TRAMPLE-01", _trample)


@gives_back
def lethal_demise(
    battle: Battle, regiment: Regiment, causer: Regiment, hits: int, because: SpecialRule
) -> Asking[None]:
    """Those who caused the wounds suffer as many hits, against their front and without any special rule
    (TLAOK-SR-LETHALDEMISE-01)."""
    battle.tell(HitBack(because.rule, regiment.id, causer.id, hits, because.title))
    yield from strike_without_dice(battle, regiment, causer, hits, demise_of(regiment, because))


def demise_of(regiment: Regiment, because: SpecialRule) -> Cause:
    """What those hits come from."""
    return Cause(because.rule, "demise", regiment.id, "front")
