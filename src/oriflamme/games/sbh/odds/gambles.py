"""The odds of Quality rolls: how many succeed, what a gamble of one to three dice brings, and how morale holds.

A Hero's re-roll and what a band may use once are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from oriflamme.engine.odds import Distribution, over_all_dice, over_all_rolls, play_out
from oriflamme.engine.odds.playing import AnswerTo, question_in
from oriflamme.games.sbh.activation import DICE, activate, activate_group, announcements
from oriflamme.games.sbh.morale import roll_morale
from oriflamme.games.sbh.odds.attacks import empty_table, fighter_of, nobody_adds
from oriflamme.games.sbh.profile import profile_of
from oriflamme.games.sbh.quality import QualityRoll, on_place_of_power, quality_roll
from oriflamme.games.sbh.state import Battle, Fighter


def chosen(answers: Mapping[str, Any]) -> AnswerTo:
    """What is asked is answered so; nobody adds anything else."""
    return lambda decision: answers[decision.ask] if decision.ask in answers else nobody_adds(decision)


# -- Quality rolls -----------------------------------------------------------------------------------------------------

_known_rolls: dict[tuple[int, int, int], tuple[float, ...]] = {}


def successes(roll: QualityRoll, number: int) -> tuple[float, ...]:
    """The chance of no success, of one, and so on, of a Quality roll on so many dice. Made for being asked often."""
    key = (roll.needed, roll.sure, number)
    found = _known_rolls.get(key)
    if found is None:
        law = Distribution.of(lambda dice: roll.successes(roll.throw(number, dice)))
        found = _known_rolls[key] = tuple(float(law[good]) for good in range(number + 1))
    return found


def morale_odds(battle: Battle, fighter: Fighter | str) -> tuple[float, ...]:
    """The chance of 0, 1, 2 and 3 failures if he had to test his morale now (SBH-MORALE-01)."""
    roll = quality_roll(battle, fighter_of(battle, fighter), "morale")
    law = over_all_rolls(battle, lambda twin: play_out(roll_morale(twin, roll, "", "SBH-MORALE-01"), nobody_adds))
    return tuple(float(law[failures]) for failures in range(4))


# -- the gamble --------------------------------------------------------------------------------------------------------


class Gamble(NamedTuple):
    """What so many dice bring: the chance of each number of actions, of losing the turn, and of losing one's powers."""

    dice: int
    announced: str
    needed: int
    actions: tuple[float, ...]
    lost: float
    exhausted: float

    @property
    def key(self) -> str:
        """The answer with which a player chooses it."""
        return f"{self.dice}:{self.announced}" if self.announced else str(self.dice)

    @property
    def mean(self) -> float:
        """So many actions on average."""
        return sum(number * chance for number, chance in enumerate(self.actions))


# Actions, whether the turn is lost, and whether three failures took something away.
Rolled = tuple[int, bool, bool]
_known_gambles: dict[object, Distribution[Rolled]] = {}


def gambles(battle: Battle, fighter: Fighter | str) -> list[Gamble]:
    """Every number of dice that he may be activated with, and everything that he may announce with it.

    All that bears on the roll counts (Leader, wounds, poison, scars, the Place of Power, the die of which a Hero is
    sure). A Hero's re-roll and what a band may use once do not.
    """
    who = fighter_of(battle, fighter)
    return [_gamble(battle, who, number, word) for word in ("", *announcements(who)) for number in DICE]


def _gamble(battle: Battle, fighter: Fighter, number: int, word: str) -> Gamble:
    roll = quality_roll(battle, fighter, "scroll" if word == "scroll" else "activation")
    key = (roll.needed, roll.sure, number, word, on_place_of_power(battle, fighter))
    law = _known_gambles.get(key)
    if law is None:
        answer = chosen({"choose_dice": f"{number}:{word}" if word else str(number)})

        def play(twin: Battle) -> Rolled:
            play_out(activate(twin, fighter.id), answer)
            after = twin.units[fighter.id]
            return twin.active.actions[after.id], twin.active.turnover, _powers(after) != _powers(fighter)

        law = _known_gambles[key] = over_all_dice(battle, play)
    return _gamble_of(law, number, word, roll.needed)


def _powers(fighter: Fighter) -> tuple[object, ...]:
    """What three failures can take away."""
    return fighter.drained, fighter.lost_powers, fighter.item is not None and fighter.item.drained


def _gamble_of(law: Distribution[Rolled], number: int, word: str, needed: int) -> Gamble:
    actions = law.map(lambda rolled: rolled[0])
    lost, exhausted = law.chance(lambda rolled: rolled[1]), law.chance(lambda rolled: rolled[2])
    chances = tuple(float(actions[n]) for n in range(number + 1))
    return Gamble(number, word, needed, chances, float(lost), float(exhausted))


def group_gambles(
    battle: Battle, leader: Fighter | str, members: Sequence[Fighter | str], casting: Sequence[str] = ()
) -> list[Gamble]:
    """One to three dice for friends who obey an order together; those who are casting may exhaust their magic."""
    chief, company = fighter_of(battle, leader), [fighter_of(battle, one) for one in members]
    ids = tuple(f.id for f in company)
    announced = {"announce_casting": tuple(casting)}
    order = activate_group(battle.copy(), chief.id, "group", ids)
    needed = question_in(order, "choose_group_dice", chosen(announced)).about["needed"]
    found = []
    for number in DICE:
        key = ("group", needed, number)
        law = None if casting else _known_gambles.get(key)
        if law is None:
            answer = chosen({**announced, "choose_group_dice": str(number)})

            def play(twin: Battle) -> Rolled:
                play_out(activate_group(twin, chief.id, "group", ids), answer)  # noqa: B023
                drained = any(twin.units[f.id].drained and not f.drained for f in company)
                return twin.active.actions[ids[0]], twin.active.turnover, drained

            law = over_all_dice(battle, play)
            if not casting:
                _known_gambles[key] = law
        found.append(_gamble_of(law, number, "cast" if casting else "", needed))
    return found


def group_gambles_at(needed: int, options: dict[str, str]) -> list[Gamble]:
    """The same for any group that needs this on each die."""
    battle = empty_table(options)
    for id, rules, x in (("leader", ("leader",), 50.0), ("one", (), 500.0), ("other", (), 516.0)):
        profile = profile_of("", "", needed, 0, rules)
        fighter = battle.units[id] = Fighter(id, 0, profile, 16.0, {"name": {}})
        fighter.reserve, fighter.body.x, fighter.body.y = None, x, 300.0
    return group_gambles(battle, "leader", ("one", "other"))
