"""Special rules of hitting, being hit and striking back (TLAOK-SR): Clash, Volley, impact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.games.tlaok.moments import Keyword, keyword

if TYPE_CHECKING:
    from oriflamme.games.tlaok.characters.magic import Casting
    from oriflamme.games.tlaok.charge.charge import Onrush
    from oriflamme.games.tlaok.combat.attacks import Count
    from oriflamme.games.tlaok.combat.blows import Strike
    from oriflamme.games.tlaok.combat.volley import Shot
    from oriflamme.games.tlaok.losses.morale import Dismay
    from oriflamme.games.tlaok.losses.wounds import Pool
    from oriflamme.games.tlaok.movement.garrison import Occupation
    from oriflamme.games.tlaok.state import Battle, Regiment, Stand
    from oriflamme.games.tlaok.terrain.sight import View
    from oriflamme.games.tlaok.triggers import Triggers

MELEE = frozenset({"clash", "duel"})
CLOSE = frozenset({"clash", "duel", "impact"})


@keyword("TLAOK-SR-AIMEDSHOT", "Aimed Shot")
class AimedShot(Keyword):
    """Its stands, characters too, have +1 Volley for the next Volley of this activation, or may re-roll sixes."""

    reach = "regiment"
    names_characters = True

    def when_shooting(self, shot: Shot) -> None:
        shot.aimed = True

    def last_before_hitting(self, strike: Strike) -> None:
        strike.aim(self)


@keyword("TLAOK-SR-ARCINGFIRE", "Arcing Fire")
class ArcingFire(Keyword):
    """With Aimed Shot it may shoot at what only friends see, at -1 Volley; the shot is clear."""

    on = ("stand", "character", "barrage")

    def when_shooting(self, shot: Shot) -> None:
        shot.lobs = True

    def before_hitting(self, strike: Strike) -> None:
        if strike.arcing:
            strike.ease(-1, self)


@keyword("TLAOK-SR-ARMORPIERCING", "Armor Piercing ({x})")
class ArmorPiercing(Keyword):
    """Hits of its Volley or spells meet X less Defence."""

    in_spells = True
    on = ("stand", "character", "barrage", "spell")

    def before_defending(self, strike: Strike) -> None:
        if strike.kind in ("volley", "spell"):
            strike.pierce(self.x, self)


@keyword("TLAOK-SR-AURAOFDEATH", "Aura of Death ({x})")
class AuraOfDeath(Keyword):
    """An enemy regiment activated in contact with such stands suffers X hits from each."""

    def when_enemy_named(self, named: Triggers, battle: Battle, own: Regiment, stand: Stand, enemy: Regiment) -> None:
        from oriflamme.games.tlaok.losses.auras import aura_of_death

        named.add(aura_of_death(own, self))


@keyword("TLAOK-SR-BARRAGE", "Barrage ({x})")
class Barrage(Keyword):
    """The stand has X shots in a Volley; range and rules of the shots stand beside it. (+X) adds to them."""

    on = ()
    adds_shots = True

    def when_shooting(self, shot: Shot) -> None:
        # A weapon is no special rule by itself: what stands among those was written (+X) (TLAOK-SR-GEN-01).
        shot.shots.change(self.x, self)


@keyword("TLAOK-SR-BLESSED", "Blessed")
class Blessed(Keyword):
    """Once per round it may re-roll all failed hit rolls or all failed defence rolls of a Clash or a Charge."""

    declares = True

    def before_hitting(self, strike: Strike) -> None:
        if strike.blessed:
            strike.try_again(self)

    def when_defending(self, strike: Strike) -> None:
        if strike.struck.blessed:
            strike.save_again(self)


@keyword("TLAOK-SR-BRUTALIMPACT", "Brutal Impact ({x})")
class BrutalImpact(Keyword):
    """Its impact attacks meet X less Defence."""

    def before_defending(self, strike: Strike) -> None:
        if strike.kind == "impact":
            strike.pierce(self.x, self)


@keyword("TLAOK-SR-CLEAVE", "Cleave ({x})")
class Cleave(Keyword):
    """Hits of its Clash or Duel meet X less Defence."""

    on = ("stand", "character", "spell")

    def before_defending(self, strike: Strike) -> None:
        if strike.kind in MELEE or strike.kind == "spell":
            strike.pierce(self.x, self)


@keyword("TLAOK-SR-COUNTERATTACK", "Counter-Attack")
class CounterAttack(Keyword):
    """Each natural 1 of its defence rolls against a Clash is a hit on the attacker."""

    def when_defending(self, strike: Strike) -> None:
        if strike.kind in MELEE:
            strike.answer_ones(self)


@keyword("TLAOK-SR-DEADLYBLADES", "Deadly Blades")
class DeadlyBlades(Keyword):
    """In its Clash or Duel a failed defence roll of 6 is two wounds."""

    def before_defending(self, strike: Strike) -> None:
        if strike.kind in MELEE:
            strike.deadly = self


@keyword("TLAOK-SR-DEADLYSHOT", "Deadly Shot")
class DeadlyShot(Keyword):
    """In its Volley a failed defence roll of 6 is two wounds."""

    on = ("stand", "character", "barrage")

    def before_defending(self, strike: Strike) -> None:
        if strike.kind == "volley":
            strike.deadly = self


@keyword("TLAOK-SR-DEADSHOTS", "Deadshots")
class Deadshots(Keyword):
    """The stand always counts as having Aimed Shot."""

    on = ("stand", "character", "barrage")

    def when_shooting(self, shot: Shot) -> None:
        shot.aimed = True

    def last_before_hitting(self, strike: Strike) -> None:
        strike.aim(self)


@keyword("TLAOK-SR-FIENDHUNTER", "Fiend Hunter")
class FiendHunter(Keyword):
    """May re-roll failed hit rolls against Brute and Monster regiments."""

    def before_hitting(self, strike: Strike) -> None:
        if strike.struck.kind in ("brute", "monster"):
            strike.try_again(self, optional=True)


@keyword("TLAOK-SR-FLAWLESSSTRIKES", "Flawless Strikes")
class FlawlessStrikes(Keyword):
    """In its Clash or Duel a hit roll of 1 meets Defence 0."""

    def before_defending(self, strike: Strike) -> None:
        if strike.kind in MELEE:
            strike.sharpen_ones(self)


@keyword("TLAOK-SR-FLURRY", "Flurry")
class Flurry(Keyword):
    """Re-rolls failed hit rolls in Clash or Duel."""

    def before_hitting(self, strike: Strike) -> None:
        if strike.kind in MELEE:
            strike.try_again(self)


@keyword("TLAOK-SR-GLORIOUSCHARGE", "Glorious Charge")
class GloriousCharge(Keyword):
    """After a successful charge: +1 Clash for impact attacks, and Terrifying (1) until the round ends."""

    def before_hitting(self, strike: Strike) -> None:
        if strike.kind == "impact":
            strike.ease(1, self)

    def when_enemy_tests(self, dismay: Dismay, own: Regiment, stand: Stand) -> None:
        if any(effect.stat == "charged" for effect in own.effects):
            dismay.lower(1, because=self)


@keyword("TLAOK-SR-HARDENED", "Hardened ({x})")
class Hardened(Keyword):
    """Cleave, Brutal Impact and Armor Piercing against it are X less."""

    in_duels = "own"

    def when_defending(self, strike: Strike) -> None:
        strike.blunt(self.x)


@keyword("TLAOK-SR-IMPACT", "Impact ({x})")
class Impact(Keyword):
    """After a successful charge the stand makes X impact attacks, engaged or not."""

    def when_counting(self, count: Count, regiment: Regiment, stand: Stand) -> None:
        if count.kind == "impact":
            count.bring(self.x, self)


@keyword("TLAOK-SR-INSPIRED", "Inspired")
class Inspired(Keyword):
    """Its stands, characters too, have +1 Clash until the end of the activation, or may re-roll sixes."""

    reach = "regiment"
    names_characters = True

    def last_before_hitting(self, strike: Strike) -> None:
        strike.inspire(self)


@keyword("TLAOK-SR-LETHALDEMISE", "Lethal Demise")
class LethalDemise(Keyword):
    """Each wound it fails to save from an enemy in contact is a hit on that enemy."""

    def when_wounded(self, pool: Pool, battle: Battle, regiment: Regiment, stand: Stand, wounds: int) -> None:
        if pool.cause.saved and pool.cause.melee and pool.cause.by in battle.contacts.get(regiment.id, {}):
            pool.give_back(wounds, self)


@keyword("TLAOK-SR-LINEBREAKER", "Linebreaker")
class Linebreaker(Keyword):
    """Its Clash, Duel and impact attacks ignore Shield and Bastion."""

    def suppresses(self, other: SpecialRule, subject: Any) -> bool:
        return isinstance(other, Shield) and getattr(subject, "kind", "") in CLOSE

    def before_defending(self, strike: Strike) -> None:
        if strike.kind in CLOSE:
            strike.defence.ignore("TLAOK-DE-BASTION-01")


@keyword("TLAOK-SR-LOOSEFORMATION", "Loose Formation")
class LooseFormation(Keyword):
    """Shots and spell hits on it are halved; it cannot use Impact."""

    reach = "regiment"

    def when_shot_at(self, shot: Shot) -> None:
        shot.halve(self.title, self.rule)

    def when_spellbound(self, casting: Casting, regiment: Regiment, stand: Stand) -> None:
        if not stand.hero:
            casting.halve_hits(self)

    def when_counting(self, count: Count, regiment: Regiment, stand: Stand) -> None:
        if count.kind == "impact":
            count.forbid(self)


@keyword("TLAOK-SR-OPPORTUNISTS", "Opportunists")
class Opportunists(Keyword):
    """May re-roll failed hit rolls in Clash or Volley against a flank or rear."""

    def before_hitting(self, strike: Strike) -> None:
        if strike.kind in ("clash", "volley") and strike.behind:
            strike.try_again(self, optional=True)


@keyword("TLAOK-SR-OVERRUN", "Overrun")
class Overrun(Keyword):
    """After charging a Broken enemy it may make its impact attacks again; it may Charge twice."""

    def before_acting(self, before: Triggers, battle: Battle, regiment: Regiment, stand: Stand) -> None:
        acting = battle.acting
        if acting is not None and not acting.character and not stand.hero and ("charge", False) not in acting.allowed:
            acting.allowed += (("charge", False),)

    def after_charging(self, home: Triggers, battle: Battle, regiment: Regiment, stand: Stand) -> None:
        from oriflamme.games.tlaok.charge.impact import OVERRUN

        if not stand.hero:
            home.add(OVERRUN)


@keyword("TLAOK-SR-PARRY", "Parry")
class Parry(Keyword):
    """Hit rolls of 1 against it in Clash or Duel must be re-rolled."""

    in_duels = "own"

    def when_struck(self, strike: Strike) -> None:
        if strike.kind in MELEE:
            strike.refuse_faces(self, 1)


@keyword("TLAOK-SR-PHALANX", "Phalanx")
class Phalanx(Keyword):
    """+1 Defence against hits from the front; never Inspired; charges March + 3 inches; no garrison."""

    in_duels = "never"
    reach = "regiment"
    names_characters = True

    def when_occupying(self, occupation: Occupation, regiment: Regiment, stand: Stand) -> None:
        if not stand.hero:
            occupation.forbid(because=self)

    def before_charge(self, onrush: Onrush, regiment: Regiment, stand: Stand) -> None:
        if not stand.hero:
            onrush.fix(3, because=self)

    def before_hitting(self, strike: Strike) -> None:
        strike.dishearten(self)

    def when_defending(self, strike: Strike) -> None:
        strike.shield(1, self)


@keyword("TLAOK-SR-PRECISESHOT", "Precise Shot")
class PreciseShot(Keyword):
    """In its Volley a hit roll of 1 meets Defence 0."""

    on = ("stand", "character", "barrage")

    def before_defending(self, strike: Strike) -> None:
        if strike.kind == "volley":
            strike.sharpen_ones(self)


@keyword("TLAOK-SR-RAPIDVOLLEY", "Rapid Volley")
class RapidVolley(Keyword):
    """In its Volley each hit roll of 1 is one more hit."""

    on = ("stand", "character", "barrage")

    def after_hitting(self, strike: Strike) -> None:
        if strike.kind == "volley":
            strike.double_ones(self.title, self.rule)


@keyword("TLAOK-SR-RELENTLESS", "Relentless Blows")
class RelentlessBlows(Keyword):
    """In its Clash or Duel each hit roll of 1 is one more hit."""

    def after_hitting(self, strike: Strike) -> None:
        if strike.kind in MELEE:
            strike.double_ones(self.title, self.rule)


@keyword("TLAOK-SR-SHIELD", "Shield")
class Shield(Keyword):
    """+1 Defence against hits from the front arc, not in garrisons."""

    in_duels = "own"
    reach = "regiment"
    names_characters = True

    def when_defending(self, strike: Strike) -> None:
        strike.shield(1, self)


@keyword("TLAOK-SR-SHOCK", "Shock")
class Shock(Keyword):
    """After a successful Charge its stands have +1 Clash until the round ends."""

    reach = "regiment"

    def before_hitting(self, strike: Strike) -> None:
        if strike.charged and strike.kind in CLOSE and (strike.kind != "impact" or strike.house.shock_on_impact):
            strike.ease(1, self)


@keyword("TLAOK-SR-SMITE", "Smite")
class Smite(Keyword):
    """Hits of its Clash or Duel meet Defence 0."""

    def before_defending(self, strike: Strike) -> None:
        if strike.kind in MELEE:
            strike.defence.put(0, self.title, self.rule)


@keyword("TLAOK-SR-SUPPORT", "Support ({x})")
class Support(Keyword):
    """Unengaged stands give X support attacks instead of one, while nobody is in its flank or rear."""

    def when_counting(self, count: Count, regiment: Regiment, stand: Stand) -> None:
        count.support(self)


@keyword("TLAOK-SR-SURESHOT", "Sureshot")
class Sureshot(Keyword):
    """Obscuring terrain does not hamper its shots."""

    reach = "regiment"
    on = ("stand", "character", "barrage")

    def when_shooting(self, shot: Shot) -> None:
        shot.see_through(self)


@keyword("TLAOK-SR-TENACIOUS", "Tenacious")
class Tenacious(Keyword):
    """One failed defence die counts as a success."""

    in_duels = "own"

    def when_defending(self, strike: Strike) -> None:
        strike.spared = self


@keyword("TLAOK-SR-TORRENTIALFIRE", "Torrential Fire")
class TorrentialFire(Keyword):
    """At effective range every two hits of its Volley are one more."""

    on = ("stand", "character", "barrage")

    by_range = True

    def after_hitting(self, strike: Strike) -> None:
        if strike.kind == "volley" and strike.effective and strike.rolled is not None:
            strike.add_hits(strike.rolled.successes // 2, self.title, self.rule)


@keyword("TLAOK-SR-TRAMPLE", "Trample ({x})")
class Trample(Keyword):
    """At the end of its activation each such stand causes X hits on an enemy at its front."""

    def when_ending(self, ending: Triggers, battle: Battle, regiment: Regiment, stand: Stand) -> None:
        from oriflamme.games.tlaok.losses.auras import TRAMPLE

        if "front" in battle.contacts.get(regiment.id, {}).values():
            ending.add(TRAMPLE)


@keyword("TLAOK-SR-UNTOUCHABLE", "Untouchable")
class Untouchable(Keyword):
    """Failed defence rolls of 6 are rolled again."""

    in_duels = "own"

    def when_defending(self, strike: Strike) -> None:
        strike.save_again(self, 6)


@keyword("TLAOK-SR-WEAPONPLATFORM", "Weapon Platform")
class WeaponPlatform(Keyword):
    """Its flank arcs count as front arc for its Volley."""

    reach = "regiment"

    def when_looking(self, view: View) -> None:
        if view.purpose == "volley":
            view.widen("left", "right")
