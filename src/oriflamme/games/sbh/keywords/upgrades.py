"""Band upgrades (SBH-UPG): special rules of a whole band, each of them used once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.sbh.moments import Upgrade, upgrade
from oriflamme.games.sbh.resources import ask, spend

if TYPE_CHECKING:
    from oriflamme.games.sbh.resources import Company, Matter, Mishap, RollBonus, Strengthening
    from oriflamme.games.sbh.state import Asking


@upgrade("SBH-UPG-WEAPONMASTERS", "Weapon Masters")
class WeaponMasters(Upgrade):
    """+2 on one combat roll."""

    key = "weapon_masters"

    def before_combat_roll(self, strengthening: Strengthening) -> None:
        strengthening.offer(self.key, self._strengthen)

    def _strengthen(self, strengthening: Strengthening) -> None:
        battle, fighter = strengthening.battle, strengthening.fighter
        spend(battle, fighter.side, self, "SBH-UPG-WEAPONMASTERS-01", fighter.id)
        strengthening.add(2, self.title, "SBH-UPG-WEAPONMASTERS-01")


@upgrade("SBH-UPG-BRAVE", "Brave")
class Brave(Upgrade):
    """A morale roll is made again, all dice of it."""

    key = "brave"

    def when_morale_fails(self, mishap: Mishap) -> Asking[None]:
        battle, fighter = mishap.battle, mishap.fighter
        used = yield from ask(battle, fighter.side, "be_brave", "SBH-UPG-BRAVE-01", [self.key], mishap.about)
        if used != "none":
            spend(battle, fighter.side, self, "SBH-UPG-BRAVE-01", fighter.id)
            mishap.averted = True


@upgrade("SBH-UPG-DIRTYTRICKS", "Dirty Tricks")
class DirtyTricks(Upgrade):
    """One special rule of one enemy has no effect on an action or a roll. Magic items and band upgrades are no special
    rules (SBH-UPG-DIRTYTRICKS-02)."""

    key = "dirty_tricks"

    def before_rules_count(self, matter: Matter, side: int) -> Asking[None]:
        battle = matter.battle
        victims = dict.fromkeys(f for f in matter.concerned if f.side != side)
        keys = [f"{victim.id}:{title}" for victim in victims for title in victim.own.titles]
        used = yield from ask(battle, side, "play_dirty_trick", "SBH-UPG-DIRTYTRICKS-01", keys, dict(matter.about))
        if used != "none":
            id, _, title = used.partition(":")
            spend(battle, side, self, "SBH-UPG-DIRTYTRICKS-01", id)
            matter.cancel(battle.units[id], title)


@upgrade("SBH-UPG-DIVINE", "Divine Protection")
class DivineProtection(Upgrade):
    """The effects of one spell are cancelled, once its result is known."""

    key = "divine_protection"

    def when_spell_strikes(self, mishap: Mishap) -> Asking[None]:
        battle, victim = mishap.battle, mishap.fighter
        used = yield from ask(battle, victim.side, "protect_from_spell", "SBH-UPG-DIVINE-01", [self.key], mishap.about)
        if used != "none":
            spend(battle, victim.side, self, "SBH-UPG-DIVINE-01", victim.id)
            mishap.averted = True


@upgrade("SBH-UPG-TERRAIN", "Knowledge of the Terrain")
class KnowledgeOfTheTerrain(Upgrade):
    """Difficult ground does not hinder one fighter in one activation."""

    key = "knowledge_of_terrain"

    def before_activation_roll(self, company: Company) -> Asking[None]:
        battle = company.battle
        for fighter in company.members if battle.table.pieces else ():
            about = {"fighter": fighter.id}
            used = yield from ask(battle, fighter.side, "know_the_terrain", "SBH-UPG-TERRAIN-01", [self.key], about)
            if used != "none":
                spend(battle, fighter.side, self, "SBH-UPG-TERRAIN-01", fighter.id)
                company.sure_footed = fighter.id
                return


@upgrade("SBH-UPG-INITIATIVE", "Regain the Initiative")
class RegainTheInitiative(Upgrade):
    """The turn does not pass though two dice or more have failed."""

    key = "regain_the_initiative"

    def when_turn_is_lost(self, mishap: Mishap) -> Asking[None]:
        battle, fighter = mishap.battle, mishap.fighter
        used = yield from ask(
            battle, fighter.side, "regain_initiative", "SBH-UPG-INITIATIVE-01", [self.key], mishap.about
        )
        if used != "none":
            spend(battle, fighter.side, self, "SBH-UPG-INITIATIVE-01", fighter.id)
            mishap.averted = True


@upgrade("SBH-UPG-STRATEGIC", "Strategic Bonus")
class StrategicBonus(Upgrade):
    """+1 when it is rolled for who attacks."""

    key = "strategic_bonus"

    def before_rolling_for_roles(self, bonus: RollBonus) -> None:
        bonus.amount += 1


@upgrade("SBH-UPG-HARDBITTEN", "Hard-Bitten")
class HardBitten(Upgrade):
    """A fighter who would be killed falls instead."""

    key = "hard_bitten"

    def when_fighter_is_killed(self, mishap: Mishap) -> Asking[None]:
        battle, fighter = mishap.battle, mishap.fighter
        used = yield from ask(battle, fighter.side, "ignore_kill", "SBH-UPG-HARDBITTEN-01", [self.key], mishap.about)
        if used != "none":
            spend(battle, fighter.side, self, "SBH-UPG-HARDBITTEN-01", fighter.id)
            mishap.averted = True


@upgrade("SBH-UPG-UNPREDICTABLE", "Unpredictable")
class Unpredictable(Upgrade):
    """One of those who are about to roll swaps his Quality with another fighter of the band; neither has been activated
    yet."""

    key = "unpredictable"

    def before_activation(self, company: Company) -> Asking[None]:
        battle = company.battle
        for fighter in company.members:
            others = [f.id for f in battle.ready() if f.own.quality != fighter.own.quality]
            about = {"fighter": fighter.id}
            used = yield from ask(battle, fighter.side, "swap_quality", "SBH-UPG-UNPREDICTABLE-01", others, about)
            if used != "none":
                spend(battle, fighter.side, self, "SBH-UPG-UNPREDICTABLE-01", fighter.id)
                battle.swapped = (fighter.id, used)
                return
