"""The dice of a battle, and the windows in which somebody may replace one that lies (LFW-DICE-08)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.lfw.events.magic import DieReplaced
from oriflamme.games.lfw.rolls import Die, Throw, faces_of
from oriflamme.games.lfw.state import Asking, Battle, Power
from oriflamme.games.lfw.values import Amount

# Who may replace a die, by the source of a side's power: asked after every throw with the power, the side that threw,
# the dice and what they are for; gives the dice as they lie then.
Window = Callable[[Battle, Power, int, list[Die], str], Asking[list[Die]]]
WINDOWS: Final[dict[str, Window]] = {}


def window(source: str) -> Callable[[Window], Window]:
    """Declare what a power does with dice that were just thrown."""

    def declare(function: Window) -> Window:
        WINDOWS[source] = function
        return function

    return declare


class Replacing:
    """A player may replace one die that lies, once; it counts as its natural result and is not thrown again
    (LFW-DICE-08)."""

    def __init__(self, battle: Battle, power: Power, dice: list[Die], what: str) -> None:
        self.battle = battle
        self.power = power
        self.dice = dice
        self.what = what

    def ask(self, values: tuple[int, ...]) -> Asking[list[Die]]:
        """Keep them, or one of them becomes one of these values."""
        battle, power, dice = self.battle, self.power, self.dice
        options = [Option("keep", "keep_dice")]
        for place, die in enumerate(dice):
            for value in values:
                if not die.fixed and die.face != value:
                    words = {"place": place + 1, "face": die.face, "value": value}
                    options.append(Option(f"{place + 1}:{value}", "replace_die", words))
        if len(options) == 1:
            return dice
        facts = {"spell": power.source, "faces": [die.face for die in dice], "roll": self.what}
        key = yield from pick_one(power.side, options, "replace_die", power.rule, facts, default="keep", passing="keep")
        if key == "keep":
            return dice
        place, value = (int(number) for number in key.split(":"))
        battle.powers = tuple(other for other in battle.powers if other is not power)
        battle.tell(DieReplaced(power.rule, power.side, dice[place - 1].face, value))
        return [Die(value, fixed=True) if number == place - 1 else die for number, die in enumerate(dice)]


def throw_dice(battle: Battle, side: int, number: int, what: str) -> Asking[list[Die]]:
    """Dice of a side; powers that replace a die are asked in initiative order (LFW-TURN-11)."""
    if number <= 0:
        return []
    dice = [Die(face) for face in faces_of(battle.dice, number)]
    if battle.powers:
        for power in sorted(battle.powers, key=lambda power: battle.order.index(power.side)):
            if power.source in WINDOWS:
                dice = yield from WINDOWS[power.source](battle, power, side, dice, what)
    return dice


def thrower(battle: Battle) -> Throw:
    """The dice of a battle for a test."""

    def throw(side: int, number: int, what: str) -> Asking[list[Die]]:
        return throw_dice(battle, side, number, what)

    return throw


def roll_faces(battle: Battle, side: int, number: int, what: str) -> Asking[tuple[int, ...]]:
    """Dice for their faces."""
    dice = yield from throw_dice(battle, side, number, what)
    return tuple(die.face for die in dice)


def roll_amount(battle: Battle, side: int, amount: Amount, what: str) -> Asking[int]:
    """What a formula comes to; without dice nothing is thrown (LFW-DICE-03)."""
    faces = yield from roll_faces(battle, side, amount.dice, what)
    return amount.total(faces)


def random_direction(battle: Battle) -> float:
    """A random direction in degrees, to a tenth (LFW-DICE-13)."""
    return battle.dice.direction()
