"""Skills of zealots (LFW-ZEL)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one, yes_or_no
from oriflamme.engine.words.notices import notice
from oriflamme.games.lfw.ground import in_contact, touching_enemies
from oriflamme.games.lfw.moments import Keyword, skill
from oriflamme.games.lfw.moves import may_move_besides, move_besides, shove
from oriflamme.games.lfw.rules.build import Protection
from oriflamme.games.lfw.wounds import end_parted_duels

if TYPE_CHECKING:
    from oriflamme.engine.core.steps import Asking
    from oriflamme.games.lfw.army.choices import Choice
    from oriflamme.games.lfw.attack import Attack
    from oriflamme.games.lfw.auras import Aura
    from oriflamme.games.lfw.combat import Victory
    from oriflamme.games.lfw.state import Battle, Model, Part
    from oriflamme.games.lfw.stats import Stat
    from oriflamme.games.lfw.wounds import Wounding

GUARD = 6  # protection (LFW-ZEL-02)
POSITION = 3.0  # inches (LFW-ZEL-08)
CLEARED = 2.0  # inches (LFW-ZEL-09)


@skill("LFW-ZEL-02", "Guardian")
class Guardian(Keyword):
    """Protection (6+), or skilful in protection rolls if it has one already."""

    __slots__ = ()

    def before_wounds(self, wounding: Wounding) -> None:
        if any(held.has(Protection) for held in wounding.part.sets()):
            wounding.rerolls.help(self)
        else:
            wounding.protect(GUARD)


@skill("LFW-ZEL-03", "Fiery({text})")
class Fiery(Keyword):
    """+1 Attack on one of its melee weapons."""

    __slots__ = ()

    def when_enlisted(self, choice: Choice) -> None:
        if self.word not in choice.melee_weapons:
            choice.refuse(notice("no_such_melee_weapon", weapon=self.word, there=choice.melee_weapons), self.rule)

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee" and attack.weapon is not None and attack.weapon.id == self.word:
            attack.number.change(1, self)


@skill("LFW-ZEL-04", "Parry expert")
class ParryExpert(Keyword):
    """CP improved by 1."""

    __slots__ = ()

    def when_stat_is_read(self, stat: Stat) -> None:
        if stat.name == "CP":
            stat.improve(1, self)


@skill("LFW-ZEL-05", "Seasoned brawler")
class SeasonedBrawler(Keyword):
    """CC improved by 1."""

    __slots__ = ()

    def when_stat_is_read(self, stat: Stat) -> None:
        if stat.name == "CC":
            stat.improve(1, self)


@skill("LFW-ZEL-06", "Front line")
class FrontLine(Keyword):
    """Friends in contact with it have Lance."""

    __slots__ = ()

    def when_near(self, aura: Aura) -> None:
        friends = aura.model is not aura.other and aura.battle.are_friends(aura.bearer.side, aura.part.side)
        if friends and in_contact(aura.battle, aura.model, aura.other):
            aura.give("Lance")


@skill("LFW-ZEL-07", "Brute")
class Brute(Keyword):
    """+1 strength on its melee weapons."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee":
            attack.strength.change(1, self)


# -- at the end of the melee phase (LFW-MEL-26) ------------------------------------------------------------------------

WON = "won_a_combat"


class _AfterVictory(Keyword):
    """Does something at the end of a melee phase in which it has won a combat; a tie is won."""

    __slots__ = ()

    def after_combat(self, victory: Victory) -> None:
        if victory.won:
            victory.part.used |= {WON}


def _may_act(battle: Battle, part: Part, mark: str) -> bool:
    """Its duo has won a combat, is there, does not flee, and has not done so yet."""
    model = battle.model_of(part)
    won = any(WON in each.used for each in model.alive) and not any(mark in each.used for each in model.alive)
    return won and model.on_table and not model.fleeing and not model.behaviour


def _has(model: Model, kind: type[Keyword]) -> bool:
    return any(held.has(kind) for part in model.alive for held in part.sets())


@skill("LFW-ZEL-08", "Take position")
class TakePosition(_AfterVictory):
    """Having won a combat it may move 3 inches, also out of contact; nobody clears it out of the way."""

    __slots__ = ()

    def at_end_of_melee(self, part: Part, battle: Battle) -> Asking[None]:
        model = battle.model_of(part)
        touched = touching_enemies(battle, model)
        may = _may_act(battle, part, self.title) and may_move_besides(battle, model, "normal")
        if not may or any(_has(enemy, ClearTheWay) for enemy in touched):
            return
        if (yield from yes_or_no(part.side, "take_position", self.rule, {"unit": model.id}, word="take_position")):
            part.used |= {self.title}
            past = [enemy.id for enemy in touched]
            yield from move_besides(battle, model, self.rule, inches=POSITION, past=past, marker="position")
            end_parted_duels(battle, model)


@skill("LFW-ZEL-09", "Clear the way")
class ClearTheWay(_AfterVictory):
    """Having won a combat it may move an enemy in contact 2 inches; such enemies cannot take position."""

    __slots__ = ()

    def at_end_of_melee(self, part: Part, battle: Battle) -> Asking[None]:
        model = battle.model_of(part)
        pushed = [enemy for enemy in touching_enemies(battle, model) if not _has(enemy, TakePosition)]
        if not _may_act(battle, part, self.title) or not pushed:
            return
        options = [*(Option.thing(enemy.id, "unit", {"unit": enemy.id}) for enemy in pushed), Option("none", "nobody")]
        key = yield from pick_one(part.side, options, "clear_the_way", self.rule, {"unit": model.id}, passing="none")
        if key == "none":
            return
        part.used |= {self.title}
        yield from shove(battle, battle.units[key], part.side, CLEARED, self.rule)
