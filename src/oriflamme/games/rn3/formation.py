"""Formations and how a unit changes them (RN3-FORM, RN3-FCH)."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Moves, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import move_figures, pick_one
from oriflamme.games.rn3.arranging import rearranged
from oriflamme.games.rn3.attempts import attempt
from oriflamme.games.rn3.checking import check_moves
from oriflamme.games.rn3.contact import is_free
from oriflamme.games.rn3.events.moves import FormationChanged, FormationKept
from oriflamme.games.rn3.ground import Ground, ground_of, move_fighters
from oriflamme.games.rn3.moments import Keyword
from oriflamme.games.rn3.spacing import is_in_formation as is_in_formation
from oriflamme.games.rn3.spacing import why_not_formation as why_not_formation
from oriflamme.games.rn3.state import Asking, Battle, Unit, skills_of, value_of
from oriflamme.games.rn3.tactics import tactics_at_work
from oriflamme.games.rn3.trials import Trial
from oriflamme.games.rn3.ways import reach_of

DIFFICULTY = 3  # RN3-FCH-02
OTHER = {"compact": "dispersed", "dispersed": "compact"}


class FormationChange:
    """A unit may take another formation: whether it can at all, and whether it needs a test."""

    __slots__ = ("because", "closed", "formation", "needs_test", "unit")

    def __init__(self, unit: Unit, formation: str) -> None:
        self.unit = unit
        self.formation = formation
        self.needs_test = True
        self.closed = False
        self.because: SpecialRule | None = None

    def never(self, because: SpecialRule) -> None:
        """The unit is never in this formation (RN3-SKL-50)."""
        self.closed = True
        self.because = because

    def without_test(self, because: SpecialRule) -> None:
        """The unit changes without a test (RN3-TAC-05)."""
        self.needs_test = False
        self.because = because


def change_of(unit: Unit, formation: str) -> FormationChange:
    """What skills and tactics say to a change into this formation. The fighters speak for their unit, its Incarnate
    only if he is alone."""
    change = FormationChange(unit, formation)
    for fighter in [f for f in unit.figures if not f.profile.incarnate] or unit.figures:
        at(Keyword.before_forming, (skills_of(unit, fighter),), change)
    at(Keyword.before_forming, (tactics_at_work(unit),), change)
    return change


def formations_open_to(unit: Unit) -> list[str]:
    """The formations a unit may be set up in (RN3-FORM-10, -11, -12)."""
    if len(unit.figures) == 1:
        return ["compact"]
    return [formation for formation in ("compact", "dispersed") if not change_of(unit, formation).closed]


def disperse(battle: Battle, unit: Unit, rule: str) -> None:
    """A unit becomes dispersed, where it stands; a single model never does (RN3-FORM-10, -12)."""
    if unit.formation == "dispersed" or len(unit.figures) < 2:
        return
    unit.formation = "dispersed"
    battle.tell(FormationChanged(rule, unit.id, "dispersed", "automatic"))


def why_not_change(battle: Battle, unit: Unit) -> Refusal | None:
    """The reason a unit may not try to change its formation now (RN3-FCH-01, -02, -05, RN3-FORM-10, -12)."""
    if len(unit.figures) < 2:
        return Refusal("RN3-FORM-10", "single_model", {"unit": unit.id})
    if battle.acting.formed:
        return Refusal("RN3-FCH-02", "tried_already", {"unit": unit.id})
    if not is_free(battle, unit):
        return Refusal("RN3-FCH-05", "in_contact", {"unit": unit.id})
    change = change_of(unit, OTHER[unit.formation])
    if change.closed:
        assert change.because is not None
        return Refusal(change.because.rule, "never_in_formation", {"unit": unit.id, "formation": change.formation})
    return None


def try_change(battle: Battle, unit: Unit, when: str) -> Asking[None]:
    """At the start or the end of its action a unit may try to change its formation, once in an activation (RN3-FCH).

    1. Its player says whether it tries.                                         RN3-FCH-01, -02
    2. An Authority test of difficulty 3, with the AUT of its Incarnate or 0.    RN3-FCH-02, -04
    3. Failure: it keeps its formation and goes on.                              RN3-FCH-03
    4. Success: the leader stays, the others take their places round him.        RN3-FCH-07

    No arrangement may be known to the program: then the player shows one, or takes the attempt back before dice roll.
    """
    if why_not_change(battle, unit) is not None:
        return
    formation = OTHER[unit.formation]
    about = {"unit": unit.id, "when": when, "formation": formation}
    options = [Option("keep", "formation_kept"), Option("change", "formation_change", {"formation": formation})]
    key = yield from pick_one(
        unit.side, options, "change_formation", "RN3-FCH-02", about, default="keep", measured=True, passing="keep"
    )
    if key == "keep":
        return
    ground, allowances = ground_of(battle, unit), reach_for_change(battle, unit)
    known = battle.worked_out(lambda: rearranged(ground, allowances, formation))
    moves: Moves = {}
    if known is None:
        moves = yield from _arrange(battle, unit, ground, allowances, formation, may_take_back=True)
        if not moves:
            return
    battle.acting.formed = True
    needs_test = change_of(unit, formation).needs_test
    if needs_test and not (yield from test_authority(battle, unit)):
        battle.tell(FormationKept("RN3-FCH-03", unit.id, unit.formation))
        return
    if known is not None:
        moves = yield from _arrange(battle, unit, ground, allowances, formation, may_take_back=False, known=known)
    unit.formation = formation
    battle.tell(FormationChanged("RN3-FCH-02", unit.id, formation, "test" if needs_test else "free"))
    move_fighters(battle, unit, moves, "RN3-FCH-07", how="form")


def reach_for_change(battle: Battle, unit: Unit) -> dict[str, float]:
    """How far each may go for the change: MOU, and with what it has gone no further than its order allows
    (RN3-FCH-07)."""
    acting = battle.acting
    order = acting.order if acting.order in ("stay", "walk", "run", "shoot") else "walk"
    most, walked = reach_of(battle, unit, order), dict(acting.walked)
    usual = reach_of(battle, unit, "walk")
    return {id: max(0.0, min(usual[id], reach - walked.get(id, 0.0))) for id, reach in most.items()}


def test_authority(battle: Battle, unit: Unit) -> Asking[bool]:
    """An Authority test of difficulty 3 (RN3-FCH-02)."""
    result = yield from attempt(battle, formation_trial(unit), unit=unit, hero=unit.hero)
    return result.passed


def formation_trial(unit: Unit) -> Trial:
    """The test in the making: one die, the AUT of the Incarnate or 0; skills have their say (RN3-FCH-02, -04)."""
    hero = unit.hero
    aut = value_of(unit, hero, "aut") if hero is not None else 0
    trial = Trial("formation", 1, aut, DIFFICULTY, "RN3-FCH-02", by=unit.id, single=True, sources=("aut", ""))
    if hero is not None:
        at(Keyword.before_test, (skills_of(unit, hero),), trial)
    return trial


def _arrange(
    battle: Battle,
    unit: Unit,
    ground: Ground,
    allowances: dict[str, float],
    formation: str,
    *,
    may_take_back: bool,
    known: Moves | None = None,
) -> Asking[Moves]:
    """Its player says where everybody goes; a legal arrangement is proposed if one is known."""

    def check(moves: Moves) -> Refusal | Moves:
        ways = check_moves(ground, moves, allowances, formation=None)
        if isinstance(ways, Refusal):
            return ways
        places = {f.id: ways[f.id][-1] if f.id in ways else (f.x, f.y) for f in unit.figures}
        return why_not_formation(battle, unit, formation, places) or ways

    moves = yield from move_figures(
        unit.side,
        [f.id for f in unit.figures if f is not unit.leading],
        check,
        lambda random: known or {},
        "arrange_formation",
        "RN3-FCH-07",
        {"unit": unit.id, "formation": formation},
        may_take_back=may_take_back,
        measured=True,
    )
    return moves
