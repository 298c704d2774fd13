"""The whole test with what players may choose between its steps (RN3-URT-11)."""

from __future__ import annotations

from oriflamme.engine.core.keywords import ask_at
from oriflamme.engine.core.questions import yes_or_no
from oriflamme.games.rn3.elixir import may_add_die, may_deny, may_reroll
from oriflamme.games.rn3.events.trials import DiceThrownAgain
from oriflamme.games.rn3.moments import Keyword
from oriflamme.games.rn3.sacrifice import may_cancel
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Unit, skills_of
from oriflamme.games.rn3.trials import (
    Attempt,
    Result,
    Trial,
    finish,
    first_throw,
    tell,
    throw_failures_again,
    throw_successes_again,
)


def attempt(
    battle: Battle,
    trial: Trial,
    *,
    unit: Unit | None,
    hero: Fighter | None = None,
    against: Unit | None = None,
    target_hero: Fighter | None = None,
    card: str = "",
    foe: str = "",
) -> Asking[Result]:
    """The whole test with its questions, told by one `TestRolled` (RN3-URT-11).

    1. Dice: Mutation and the like, one more die by an exploit.           RN3-SKL-39, RN3-ELX-05
    2. The column is what the trial says; whoever makes it has let skills change it (`prepare`).
    3. The first roll.
    4. Failures again, one effect after another; then by an exploit.      RN3-URT-12, RN3-ELX-06
    5. Successes again, as skills impose it; then by an exploit.          RN3-ELX-07
    6. Extra dice. 7. The count. 8. Halving.

    9, what cancels successes, is the business of whoever makes the test.
    """
    made = Attempt(battle, trial, unit, hero, against, target_hero)
    if trial.dice > 0 and unit is not None:
        if not trial.without_skills:
            sets = dict.fromkeys(skills_of(unit, figure) for figure in unit.figures)
            yield from ask_at(Keyword.before_throw, tuple(sets), made)
        yield from may_add_die(made)
    if trial.dice + trial.extra <= 0:
        return Result(0, 0)

    dice, start = battle.dice, len(battle.dice.thrown)
    counts = first_throw(dice, trial)
    for again in trial.failures_again:
        if failed := counts[0] + counts[1]:
            if again.optional and unit is not None:
                about = {"unit": unit.id, "source": again.source, "failures": failed, "needed": trial.needed}
                if not (yield from yes_or_no(unit.side, "throw_again", again.rule, about, word="reroll")):
                    continue
            battle.tell(DiceThrownAgain(again.rule, trial.by, "failures", again.source, failed))
            counts = throw_failures_again(dice, trial, counts)
    if counts[0] + counts[1] and (yield from may_reroll(made, counts[0] + counts[1])):
        counts = throw_failures_again(dice, trial, counts)

    for again in trial.successes_again:
        if good := counts[2] + counts[3]:
            battle.tell(DiceThrownAgain(again.rule, trial.by, "successes", again.source, good))
            counts = throw_successes_again(dice, trial, counts)
    if counts[2] + counts[3] and (yield from may_deny(made, counts[2] + counts[3])):
        counts = throw_successes_again(dice, trial, counts)

    result = finish(dice, trial, counts, start)
    tell(battle, trial, result, card, foe)
    if (yield from may_cancel(battle, trial, against, result)):
        return Result(0, 0, result.faces)
    return result
