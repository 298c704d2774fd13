"""The odds of a spell (TLAOK-MAGIC): whether it is cast, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event
from oriflamme.engine.odds import Distribution, play_out
from oriflamme.games.tlaok.characters import magic
from oriflamme.games.tlaok.events import Healed
from oriflamme.games.tlaok.odds.casualties import NOTHING, AttackOdds, Casualties
from oriflamme.games.tlaok.odds.strikes import Blow, blows_of
from oriflamme.games.tlaok.profile import Spell
from oriflamme.games.tlaok.state import Battle, Regiment, Stand


class SpellOdds(NamedTuple):
    """The chance that a spell is cast; its hits, if it has any, and the wounds it heals, nothing where it fails."""

    cast: float
    dice: int
    attunement: int
    needed: int
    odds: AttackOdds | None
    healed: Distribution[int]


def spell_odds(
    battle: Battle, regiment: Regiment, stands: Sequence[Stand], spell: Spell, target: Regiment
) -> SpellOdds:
    """A spell that those stands cast on a regiment (TLAOK-MAGIC-09 to -16)."""
    twin = battle.copy()
    own, on = twin.units[regiment.id], twin.units[target.id]
    by = [stand for stand in own.figures if stand.id in {each.id for each in stands}]
    casting = magic.casting_of(twin, own, by, spell, on)
    number, wanted = casting.attunement.number, casting.wanted.number

    def rolled(dice: Dice) -> int:
        twin.dice = dice
        return casting.successes(magic.roll_to_cast(twin, casting.power.dice, number))

    successes = Distribution.of(rolled)
    done = successes.map(lambda got: got if got >= wanted else -1)
    odds: AttackOdds | None = None
    if spell.hits:
        casualties = Casualties(battle, target)
        _, cause = magic.blow_of(twin, own, by, spell, on, 1)

        def struck(got: int) -> Distribution[Blow]:
            hits = casting.hits(got) if got >= 0 else 0
            return blows_of([magic.blow_of(twin, own, by, spell, on, hits)[0]])

        blows = done.then(struck)
        odds = AttackOdds(
            "spell",
            casting.power.dice,
            blows.map(lambda blow: blow[0]),
            blows.map(lambda blow: blow[1]),
            casualties.suffers(NOTHING, blows.map(lambda blow: blow[1]), cause).map(casualties.fate),
        )
    healed = done.map(lambda got: _healed(battle, regiment, by, casting, target, got) if got >= 0 else 0)
    return SpellOdds(float(successes.at_least(wanted)), casting.power.dice, number, wanted, odds, healed)


def _healed(
    battle: Battle, regiment: Regiment, by: Sequence[Stand], casting: magic.Casting, target: Regiment, successes: int
) -> int:
    """The points of healing that a spell with so many successes makes use of."""
    if casting.spell.hits:
        return 0
    twin = battle.copy()
    events: list[Event] = []
    twin.log = events
    play_out(magic.take_effect(twin, twin.units[regiment.id], by, casting, twin.units[target.id], successes))
    return sum(event.points - event.wasted for event in events if isinstance(event, Healed))
