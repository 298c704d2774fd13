"""Opposed rolls: a die each, Combat and modifiers, and what the difference means (SBH-COMBAT-02 to -20).

A bout knows no positions once its modifiers are in, so that the same code plays a fight and tells its odds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event, Reason
from oriflamme.engine.core.keywords import Keyword as AnyKeyword
from oriflamme.engine.core.keywords import at
from oriflamme.games.sbh.moments import Keyword, KeywordSet

if TYPE_CHECKING:
    from oriflamme.games.sbh.state import Fighter

NOTHING, RECOILS, FALLS, WOUNDED, KILLED, GRUESOME = "nothing", "recoils", "falls", "wounded", "killed", "gruesome"
_RANK: Final = {NOTHING: 0, RECOILS: 1, FALLS: 2, WOUNDED: 3, KILLED: 4, GRUESOME: 5}


class Roll:
    """One side of a bout: a die, what is added to it, and why."""

    __slots__ = ("bonus", "die", "drained", "fighter", "helpless", "reasons", "transfixed")

    def __init__(self, fighter: Fighter, value: int, source: str, rule: str) -> None:
        self.fighter = fighter
        self.bonus = value
        self.reasons: list[Reason] = [Reason(source, value, rule)]
        self.die = 0
        self.helpless = fighter.helpless
        self.transfixed = fighter.transfixed is not None
        # Magic items that this roll has used up, by title.
        self.drained: tuple[str, ...] = ()

    def change(self, amount: int, because: AnyKeyword) -> None:
        self.bonus += amount
        self.reasons.append(Reason(because.title, amount, because.rule))

    def change_by(self, amount: int, source: str, rule: str) -> None:
        if amount:
            self.bonus += amount
            self.reasons.append(Reason(source, amount, rule))

    def drain(self, item: AnyKeyword) -> None:
        self.drained += (item.title,)

    @property
    def total(self) -> int:
        return self.die + self.bonus

    @property
    def id(self) -> str:
        return self.fighter.id

    @property
    def keywords(self) -> KeywordSet:
        return self.fighter.profile.keywords

    @property
    def size(self) -> int:
        return self.fighter.profile.size

    @property
    def mounted(self) -> bool:
        return self.fighter.profile.mounted

    @property
    def living(self) -> bool:
        return self.fighter.profile.living

    @property
    def poisonable(self) -> bool:
        return self.fighter.profile.poisonable

    @property
    def kinds(self) -> frozenset[str]:
        return self.fighter.profile.kinds

    @property
    def lost_powers(self) -> bool:
        return self.fighter.lost_powers


class Bout:
    """Two rolls against each other. `manner` is "melee", "hack", "shot", "javelin" or "spell"."""

    __slots__ = ("attacker", "defender", "keywords", "manner", "options")

    def __init__(self, manner: str, attacker: Roll, defender: Roll, options: dict[str, str]) -> None:
        self.manner = manner
        self.attacker = attacker
        self.defender = defender
        self.options = options
        # Special rules of the winner that count; of a volley only what all participants share (SBH-VOLLEY-06).
        self.keywords: KeywordSet = attacker.keywords

    @property
    def ranged(self) -> bool:
        return self.manner not in ("melee", "hack")

    @property
    def magic(self) -> bool:
        return self.manner == "spell"

    @property
    def mutual(self) -> bool:
        """Either side can be hurt; otherwise only who is attacked (SBH-COMBAT-03, SBH-HACK-01, SBH-SHOOT-03)."""
        return self.manner == "melee"

    def opponent_of(self, roll: Roll) -> Roll:
        return self.defender if roll is self.attacker else self.attacker

    def throw(self, dice: Dice) -> None:
        self.attacker.die = dice.d6()
        self.defender.die = dice.d6()

    def close(self) -> None:
        """The dice stand."""
        for roll in (self.attacker, self.defender):
            at(Keyword.after_rolling, (roll.keywords,), roll, self)

    def judge(self) -> Outcome | None:
        """What the dice mean, up to what wards off a kill (SBH-COMBAT-19, steps 1 to 3); None if nothing happens."""
        attacker, defender = self.attacker, self.defender
        if attacker.total == defender.total:
            return None
        if attacker.total > defender.total:
            winner, loser = attacker, defender
        elif not self.mutual or (defender.transfixed and self.options["sbh.transfixedHarmless"] == "yes"):
            return None
        else:
            winner, loser = defender, attacker
        outcome = Outcome(self, winner, loser, self.result(winner, loser))
        sets = (self.keywords if winner is attacker else winner.keywords,)
        at(Keyword.when_winning, sets, outcome)
        if outcome.kills:
            at(Keyword.when_killing, sets, outcome)
            at(Keyword.when_killed, (loser.keywords,), outcome)
        if outcome.kills:
            at(Keyword.when_warding, (loser.keywords,), outcome)
        return outcome

    def result(self, winner: Roll, loser: Roll) -> str:
        """What the totals and the winner's die say before any special rule (SBH-COMBAT-04 to -10, -14).

        Whatever beats a total of 0 or less is three times as much, or more.
        """
        helpless = loser.helpless and not self.ranged
        if winner.total >= 3 * loser.total or (helpless and winner.total >= 2 * loser.total):
            return GRUESOME
        if helpless or winner.total >= 2 * loser.total:
            return KILLED
        return FALLS if winner.die % 2 == 0 else RECOILS


class Outcome:
    """What became of a bout: who beat whom, the result, and which special rules changed it."""

    __slots__ = ("bout", "changes", "events", "loser", "poisoned", "result", "warded", "winner")

    def __init__(self, bout: Bout, winner: Roll, loser: Roll, result: str) -> None:
        self.bout = bout
        self.winner = winner
        self.loser = loser
        self.result = result
        # What each special rule made of it, as (title, rule, result).
        self.changes: list[tuple[str, str, str]] = []
        self.events: list[Event] = []
        self.poisoned = False
        # The title of the item that took the blow.
        self.warded = ""

    @property
    def kills(self) -> bool:
        return self.result in (KILLED, GRUESOME)

    def _make(self, result: str, because: AnyKeyword) -> None:
        if result != self.result:
            self.result = result
            self.changes.append((because.title, because.rule, result))

    def tell(self, event: Event) -> None:
        self.events.append(event)

    def kill(self, because: AnyKeyword) -> None:
        """Any win kills."""
        if _RANK[self.result] < _RANK[KILLED]:
            self._make(KILLED, because)

    def mangle(self, because: AnyKeyword) -> None:
        """A kill is gruesome."""
        self._make(GRUESOME, because)

    def soften(self, because: AnyKeyword) -> None:
        """A gruesome kill is a plain one."""
        if self.result == GRUESOME:
            self._make(KILLED, because)

    def ward(self, because: AnyKeyword) -> None:
        """The kill is ignored, and something is used up."""
        self._make(NOTHING, because)
        self.warded = because.title

    def endure(self, because: AnyKeyword) -> None:
        """A kill is a wound; a gruesome kill is a plain death, or a wound by house rule (SBH-SR-TOUGH-03)."""
        if self.result == GRUESOME and self.bout.options["sbh.toughGruesome"] == "dies":
            self._make(KILLED, because)
        else:
            self._make(WOUNDED, because)

    def fell(self, because: AnyKeyword) -> None:
        """The loser falls instead of recoiling."""
        self._make(FALLS, because)

    def poison(self, because: AnyKeyword) -> None:
        self.poisoned = True

    def finish_warding(self) -> None:
        """Last of all, whether the loser lives (SBH-COMBAT-19, step 3)."""
        if self.kills:
            at(Keyword.when_enduring, (self.loser.keywords,), self)

    def drive_back(self, dice: Dice) -> None:
        """A recoil that a special rule of the winner may make a fall (step 4)."""
        if self.result == RECOILS:
            at(Keyword.when_driving_back, (self.winner.keywords,), self, dice)

    def after(self, dice: Dice) -> None:
        """What follows a win as long as the loser is in play (step 5)."""
        sets = (self.bout.keywords if self.winner is self.bout.attacker else self.winner.keywords,)
        at(Keyword.after_winning, sets, self, dice)
