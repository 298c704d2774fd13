"""Special rules of hitting, being hit and striking back (TLAOK-SR): Clash, Volley, impact."""

from __future__ import annotations

from oriflamme.games.tlaok.moments import Keyword, keyword


@keyword("TLAOK-SR-AIMEDSHOT", "Aimed Shot")
class AimedShot(Keyword):
    """Its stands, characters too, have +1 Volley for the next Volley of this activation, or may re-roll sixes."""

    reach = "regiment"
    names_characters = True


@keyword("TLAOK-SR-ARCINGFIRE", "Arcing Fire")
class ArcingFire(Keyword):
    """With Aimed Shot it may shoot at what only friends see, at -1 Volley; the shot is clear."""

    on = ("stand", "character", "barrage")


@keyword("TLAOK-SR-ARMORPIERCING", "Armor Piercing ({x})")
class ArmorPiercing(Keyword):
    """Hits of its Volley or spells meet X less Defence."""

    on = ("stand", "character", "barrage", "spell")


@keyword("TLAOK-SR-AURAOFDEATH", "Aura of Death ({x})")
class AuraOfDeath(Keyword):
    """An enemy regiment activated in contact with such stands suffers X hits from each."""


@keyword("TLAOK-SR-BARRAGE", "Barrage ({x})")
class Barrage(Keyword):
    """The stand has X shots in a Volley; range and rules of the shots stand beside it."""

    on = ()


@keyword("TLAOK-SR-BLESSED", "Blessed")
class Blessed(Keyword):
    """Once per round it may re-roll all failed hit rolls or all failed defence rolls of a Clash or a Charge."""


@keyword("TLAOK-SR-BRUTALIMPACT", "Brutal Impact ({x})")
class BrutalImpact(Keyword):
    """Its impact attacks meet X less Defence."""


@keyword("TLAOK-SR-CLEAVE", "Cleave ({x})")
class Cleave(Keyword):
    """Hits of its Clash or Duel meet X less Defence."""

    on = ("stand", "character", "spell")


@keyword("TLAOK-SR-COUNTERATTACK", "Counter-Attack")
class CounterAttack(Keyword):
    """Each natural 1 of its defence rolls against a Clash is a hit on the attacker."""


@keyword("TLAOK-SR-DEADLYBLADES", "Deadly Blades")
class DeadlyBlades(Keyword):
    """In its Clash or Duel a failed defence roll of 6 is two wounds."""


@keyword("TLAOK-SR-DEADLYSHOT", "Deadly Shot")
class DeadlyShot(Keyword):
    """In its Volley a failed defence roll of 6 is two wounds."""

    on = ("stand", "character", "barrage")


@keyword("TLAOK-SR-DEADSHOTS", "Deadshots")
class Deadshots(Keyword):
    """The stand always counts as having Aimed Shot."""

    on = ("stand", "character", "barrage")


@keyword("TLAOK-SR-FIENDHUNTER", "Fiend Hunter")
class FiendHunter(Keyword):
    """May re-roll failed hit rolls against Brute and Monster regiments."""


@keyword("TLAOK-SR-FLAWLESSSTRIKES", "Flawless Strikes")
class FlawlessStrikes(Keyword):
    """In its Clash or Duel a hit roll of 1 meets Defence 0."""


@keyword("TLAOK-SR-FLURRY", "Flurry")
class Flurry(Keyword):
    """Re-rolls failed hit rolls in Clash or Duel."""


@keyword("TLAOK-SR-GLORIOUSCHARGE", "Glorious Charge")
class GloriousCharge(Keyword):
    """After a successful charge: +1 Clash for impact attacks, and Terrifying (1) until the round ends."""


@keyword("TLAOK-SR-HARDENED", "Hardened ({x})")
class Hardened(Keyword):
    """Cleave, Brutal Impact and Armor Piercing against it are X less."""


@keyword("TLAOK-SR-IMPACT", "Impact ({x})")
class Impact(Keyword):
    """After a successful charge each stand in contact makes X impact attacks."""


@keyword("TLAOK-SR-INSPIRED", "Inspired")
class Inspired(Keyword):
    """Its stands, characters too, have +1 Clash until the end of the activation, or may re-roll sixes."""

    reach = "regiment"
    names_characters = True


@keyword("TLAOK-SR-LETHALDEMISE", "Lethal Demise")
class LethalDemise(Keyword):
    """Each wound it fails to save from an enemy in contact is a hit on that enemy."""


@keyword("TLAOK-SR-LINEBREAKER", "Linebreaker")
class Linebreaker(Keyword):
    """Its Clash, Duel and impact attacks ignore Shield and Bastion."""


@keyword("TLAOK-SR-LOOSEFORMATION", "Loose Formation")
class LooseFormation(Keyword):
    """Shots and spell hits on it are halved; it cannot use Impact."""

    reach = "regiment"


@keyword("TLAOK-SR-OPPORTUNISTS", "Opportunists")
class Opportunists(Keyword):
    """May re-roll failed hit rolls in Clash or Volley against a flank or rear."""


@keyword("TLAOK-SR-OVERRUN", "Overrun")
class Overrun(Keyword):
    """After charging a Broken enemy it may make its impact attacks again; it may Charge twice."""


@keyword("TLAOK-SR-PARRY", "Parry")
class Parry(Keyword):
    """Hit rolls of 1 against it in Clash or Duel must be re-rolled."""


@keyword("TLAOK-SR-PHALANX", "Phalanx")
class Phalanx(Keyword):
    """+1 Defence against hits from the front; never Inspired; charges March + 3 inches; no garrison."""

    reach = "regiment"
    names_characters = True


@keyword("TLAOK-SR-PRECISESHOT", "Precise Shot")
class PreciseShot(Keyword):
    """In its Volley a hit roll of 1 meets Defence 0."""

    on = ("stand", "character", "barrage")


@keyword("TLAOK-SR-RAPIDVOLLEY", "Rapid Volley")
class RapidVolley(Keyword):
    """In its Volley each hit roll of 1 is one more hit."""

    on = ("stand", "character", "barrage")


@keyword("TLAOK-SR-RELENTLESS", "Relentless Blows")
class RelentlessBlows(Keyword):
    """In its Clash or Duel each hit roll of 1 is one more hit."""


@keyword("TLAOK-SR-SHIELD", "Shield")
class Shield(Keyword):
    """+1 Defence against hits from the front arc, not in garrisons."""

    reach = "regiment"
    names_characters = True


@keyword("TLAOK-SR-SHOCK", "Shock")
class Shock(Keyword):
    """After a successful Charge its stands have +1 Clash until the round ends."""

    reach = "regiment"


@keyword("TLAOK-SR-SMITE", "Smite")
class Smite(Keyword):
    """Hits of its Clash or Duel meet Defence 0."""


@keyword("TLAOK-SR-SUPPORT", "Support ({x})")
class Support(Keyword):
    """Unengaged stands give X support attacks instead of one, while nobody is in its flank or rear."""


@keyword("TLAOK-SR-SURESHOT", "Sureshot")
class Sureshot(Keyword):
    """Obscuring terrain does not hamper its shots."""

    reach = "regiment"
    on = ("stand", "character", "barrage")


@keyword("TLAOK-SR-TENACIOUS", "Tenacious")
class Tenacious(Keyword):
    """One failed defence die counts as a success."""


@keyword("TLAOK-SR-TORRENTIALFIRE", "Torrential Fire")
class TorrentialFire(Keyword):
    """At effective range every two hits of its Volley are one more."""

    on = ("stand", "character", "barrage")


@keyword("TLAOK-SR-TRAMPLE", "Trample ({x})")
class Trample(Keyword):
    """At the end of its activation each such stand causes X hits on an enemy at its front."""


@keyword("TLAOK-SR-UNTOUCHABLE", "Untouchable")
class Untouchable(Keyword):
    """Failed defence rolls of 6 are rolled again."""


@keyword("TLAOK-SR-WEAPONPLATFORM", "Weapon Platform")
class WeaponPlatform(Keyword):
    """Its flank arcs count as front arc for its Volley."""

    reach = "regiment"
