"""Equipment and weapons (LFW-SR-EQP): what a shield, an axe, a breath or an explosion does to an attack."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.lfw.areas import explode_there, parts_in_breath, parts_on_line
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.combat import may_attack
from oriflamme.games.lfw.ground import touching_friends
from oriflamme.games.lfw.moments import Keyword, keyword
from oriflamme.games.lfw.shooting import Blast, permission
from oriflamme.games.lfw.values import amount_of

if TYPE_CHECKING:
    from oriflamme.engine.core.steps import Asking
    from oriflamme.games.lfw.attack import Attack
    from oriflamme.games.lfw.combat import Armoury, Blows, Fighting
    from oriflamme.games.lfw.shooting import Permission, Volley
    from oriflamme.games.lfw.stats import Stat

# A unit without armour is easy to cut if its Defence is worse than this (LFW-SR-EQP-22).
EASY_TO_CUT: Final = 4


def _is_against(attack: Attack, kind: type[Keyword]) -> bool:
    """The attacker or his weapon has that rule."""
    return any(held.has(kind) for held in attack.sets)


@keyword("LFW-SR-EQP-09", "Axe")
class Axe(Keyword):
    """A shield has no effect against it, and a long shield is a mere shield."""

    __slots__ = ()


@keyword("LFW-SR-EQP-01", "Shield")
class Shield(Keyword):
    """Parry +1, and hit rolls that just succeed are thrown again."""

    __slots__ = ()

    def when_attacked(self, attack: Attack) -> None:
        if not _is_against(attack, Axe):
            _hold_up(self, attack)


@keyword("LFW-SR-EQP-02", "Long shield")
class LongShield(Keyword):
    """Parry and dodge +1, and attacks never benefit from saturation."""

    __slots__ = ()

    def when_stat_is_read(self, stat: Stat) -> None:
        if stat.name == "E":
            stat.improve(1, self)

    def when_attacked(self, attack: Attack) -> None:
        if _is_against(attack, Axe):
            counted = any(reason.rule == self.rule for reason in attack.guard.reasons)
            if attack.kind == "ranged" and attack.guarding is attack.target and counted:
                attack.guard.change(-1, self)
            _hold_up(self, attack)
            return
        attack.saturates = False
        if attack.kind == "melee":
            attack.guard.change(1, self)


def _hold_up(shield: Keyword, attack: Attack) -> None:
    if attack.kind == "melee":
        attack.guard.change(1, shield)
    else:
        attack.rerolls["hit"].harm(shield)


@keyword("LFW-SR-EQP-03", "Sweep")
class Sweep(Keyword):
    """One attack on every enemy in contact, each with the full Attack value."""

    __slots__ = ()

    def when_striking(self, blows: Blows) -> None:
        blows.sweeps = True
        fighting = blows.fighting
        if fighting.battle.option("lfw.sweepTargets") == "everyone":
            friends = touching_friends(fighting.battle, fighting.model)
            blows.targets += [part for friend in friends for part in friend.alive if may_attack(fighting.part, part)]


@keyword("LFW-SR-EQP-04", "Magic damage")
class MagicDamage(Keyword):
    """A defence that is not at least 2 better than needed costs one more wound."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        attack.magic = True


@keyword("LFW-SR-EQP-05", "Multiple damage({x})")
class MultipleDamage(Keyword):
    """A failed defence costs so many wounds more."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        attack.multiple = max(attack.multiple, self.x)


@keyword("LFW-SR-EQP-06", "Flaming")
class Flaming(Keyword):
    """Fire: defences of whoever burns easily are thrown again when they succeed."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        attack.flaming = True
        if any(held.has(Flammable) for held in attack.target_sets):
            attack.rerolls["defence"].harm(self, all=True)


@keyword("LFW-SR-BLD-07", "Flammable")
class Flammable(Keyword):
    """Burns easily (see Flaming)."""

    __slots__ = ()


_EXPLOSION: Final = re.compile(r'^(.+?)"?\s*,\s*(\d+(?:\.\d+)?)"?$')


@keyword("LFW-SR-EQP-07a", "Explosion({text})")
class Explosion(Keyword):
    """A point, one hit roll, a drift if it fails; everybody near the final point is attacked with CT 2+."""

    __slots__ = ()

    @classmethod
    def read_text(cls, text: str) -> str | None:
        match = _EXPLOSION.match(text.strip())
        drift = amount_of(match.group(1)) if match else None
        return f"{drift}, {float(match.group(2)):g}" if match and drift is not None else None

    def when_choosing_weapon(self, permission: Permission) -> None:
        permission.at_points = True

    def when_shooting(self, volley: Volley) -> Asking[None]:
        drift, radius = self.word.split(", ")
        amount = amount_of(drift)
        assert amount is not None
        volley.explosion = Blast(volley.weapon, amount, float(radius))
        volley.resolve = explode_there
        return
        yield


@keyword("LFW-SR-EQP-08", "Impact force({x})")
class ImpactForce(Keyword):
    """Strength +X in melee for whoever charged this turn."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee" and attack.charged:
            attack.strength.change(self.x, self)


@keyword("LFW-SR-EQP-10", "Relentless({x})")
class Relentless(Keyword):
    """Parry counts X less."""

    __slots__ = ()
    cumulative = True

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee":
            attack.guard.change(-self.x, self)


@keyword("LFW-SR-EQP-11", "Unstoppable")
class Unstoppable(Keyword):
    """Parry counts 1 less against whoever charged this turn."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee" and attack.charged:
            attack.guard.change(-1, self)


@keyword("LFW-SR-EQP-12a", "Independent({x}+)")
class Independent(Keyword):
    """Uses CC or CT X+ instead of the bearer's; criticals add no strength."""

    __slots__ = ()
    low = True

    def when_attacking(self, attack: Attack) -> None:
        attack.skill.hold(self.x, self)
        attack.critical_adds = False


@keyword("LFW-SR-EQP-13a", "Lance")
class Lance(Keyword):
    """From behind a friend who is in a melee it attacks those he touches."""

    __slots__ = ()

    def when_fighting(self, fighting: Fighting) -> None:
        for friend in fighting.supports:
            fighting.reach_through(friend)

    def when_arming(self, armoury: Armoury) -> None:
        part = armoury.part
        if armoury.fighting.supports and not any(held.has(Lance) for held in sets_of(armoury.battle, part)):
            armoury.only = [weapon for weapon in part.weapons if weapon.rules.has(Lance)]


@keyword("LFW-SR-EQP-14", "Line({text})")
class Line(Keyword):
    """Everybody on a line behind the target suffers the shot."""

    __slots__ = ()

    @classmethod
    def read_text(cls, text: str) -> str | None:
        return _length(text)

    def when_shooting(self, volley: Volley) -> Asking[None]:
        volley.victims = parts_on_line(volley, float(self.word))
        return
        yield


def _length(text: str) -> str | None:
    """Inches, as a number is written."""
    try:
        return f"{float(text.strip().rstrip(chr(34))):g}"
    except ValueError:
        return None


@keyword("LFW-SR-EQP-15", "Heavy")
class Heavy(Keyword):
    """Cannot be fired by who moved in its last movement phase."""

    __slots__ = ()

    def when_choosing_weapon(self, permission: Permission) -> None:
        permission.heavy = True


@keyword("LFW-SR-EQP-16", "Handling(-{x})")
class Handling(Keyword):
    """-X to hit and combat rolls with the weapon."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        attack.bonus.change(-self.x, self)


@keyword("LFW-SR-EQP-17", "Pair of weapons")
class PairOfWeapons(Keyword):
    """Fire one, or both: double the Attack and -1 to the hit rolls."""

    __slots__ = ()

    def when_shooting(self, volley: Volley) -> Asking[None]:
        options = [Option("one", "fire_one"), Option("both", "fire_both")]
        facts = {"unit": volley.part.id, "weapon": volley.weapon.id}
        if (yield from pick_one(volley.part.side, options, "fire_pair", self.rule, facts)) == "both":
            volley.times = 2
            volley.bonus.append((-1, self.title, self.rule))


@keyword("LFW-SR-EQP-18", "Piercing")
class Piercing(Keyword):
    """Wounds of a critical hit cannot be cancelled by protections."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        attack.piercing = True


@keyword("LFW-SR-EQP-19", "Pistol")
class Pistol(Keyword):
    """In melee a ranged attack may be made with it instead of a melee attack."""

    __slots__ = ()

    def when_arming(self, armoury: Armoury) -> None:
        known = (*armoury.shots, *armoury.besides)
        for weapon in armoury.part.weapons:
            if weapon.melee or weapon in known or not weapon.rules.has(Pistol):
                continue
            refusal = permission(armoury.battle, armoury.part, weapon).refusal
            # A charge hinders no pistol, but a heavy one (LFW-SR-EQP-15).
            if refusal is not None and refusal.why != "moved_too_fast":
                continue
            also = weapon.rules.has(Additional) and bool(armoury.weapons)
            (armoury.besides if also else armoury.shots).append(weapon)


@keyword("LFW-SR-EQP-20", "Breath")
class Breath(Keyword):
    """Everybody in a zone of 1" round the line to the target suffers the shot too."""

    __slots__ = ()

    def when_shooting(self, volley: Volley) -> Asking[None]:
        volley.victims = parts_in_breath(volley)
        return
        yield


@keyword("LFW-SR-EQP-21", "Additional")
class Additional(Keyword):
    """Can be used besides any other weapon."""

    __slots__ = ()

    def when_choosing_weapon(self, permission: Permission) -> None:
        permission.besides = True

    def when_arming(self, armoury: Armoury) -> None:
        more = [w for w in armoury.weapons if w.rules.has(Additional)]
        if not more:
            # Another weapon with this rule has said so already.
            return
        if len(more) < len(armoury.weapons):
            armoury.besides += more
            armoury.weapons = [weapon for weapon in armoury.weapons if weapon not in more]
        elif len(more) > 1:
            armoury.besides += more[1:]
            armoury.weapons = more[:1]


@keyword("LFW-SR-EQP-22", "Sharp")
class Sharp(Keyword):
    """Strength +1 against a unit without armour whose Defence is worse than 4+."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if not attack.target.sheet.armour and attack.defence.value > EASY_TO_CUT:
            attack.strength.change(1, self)


@keyword("LFW-SR-EQP-23", "Precise({x})")
class Precise(Keyword):
    """The result needed for a critical hit is X lower."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        attack.make_precise(self.x, self)
