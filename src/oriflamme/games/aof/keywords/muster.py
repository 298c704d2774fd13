"""Special rules about what a model is and how it comes to the table."""

from __future__ import annotations

from oriflamme.games.aof.moments import Keyword, keyword
from oriflamme.games.aof.profile import Profile, Weapon


@keyword("AOF-SR-AMBUSH", "Ambush")
class Ambush(Keyword):
    """May be set aside, and placed at the start of a later round more than 9" from every enemy."""

    def when_mustered(self, profile: Profile) -> None:
        profile.reserves |= {"ambush"}


@keyword("AOF-SR-SCOUT", "Scout")
class Scout(Keyword):
    """May be set aside, and placed after everybody else within 12" of its deployment zone."""

    def when_mustered(self, profile: Profile) -> None:
        profile.reserves |= {"scout"}


@keyword("AOF-SR-HERO", "Hero")
class Hero(Keyword):
    """May join a unit at deployment, test morale for it, and is wounded last."""

    personal = True

    def when_mustered(self, profile: Profile) -> None:
        profile.hero = True


@keyword("AOF-SR-TOUGH", "Tough({x})")
class Tough(Keyword):
    """Is destroyed only after X wounds."""

    personal = True

    def when_mustered(self, profile: Profile) -> None:
        profile.tough = max(1, self.x)
        profile.has_tough = True


@keyword("AOF-SR-LIMITED", "Limited")
class Limited(Keyword):
    """This weapon may be used once per game."""

    on = ("weapon",)

    def when_forged(self, weapon: Weapon) -> None:
        weapon.used_once = True
