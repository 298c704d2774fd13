"""The odds of Age of Fantasy as tables, in a sentence and as a chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Final

import msgspec

from oriflamme.engine.core.decisions import Refused
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.odds import Answer, Clause, Column, Conditions, Distribution, Odds, Question, Table
from oriflamme.engine.odds.telling import NO_WORDS, Label, chart_of, listed, sentence, table
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.engine.words.wording import Wording
from oriflamme.games.aof.by_name import fielded
from oriflamme.games.aof.odds.melees import melee_between, melee_odds
from oriflamme.games.aof.odds.results import MeleeOdds, ShootingOdds, SideOdds
from oriflamme.games.aof.odds.volleys import shooting_between, shooting_odds
from oriflamme.games.aof.shooting import ranged_types, why_not_shoot
from oriflamme.games.aof.state import Battle, Unit

TEXT: Final = Path(__file__).parents[1] / "text"
in_both: Final = Wording(TEXT, "odds")

AttackOdds = ShootingOdds | MeleeOdds


class AofConditions(Conditions, frozen=True):
    """How two units stand to each other. The distance is in inches."""

    short: ClassVar[Mapping[str, str]] = {"attacker_fatigued": "fatigued"}

    distance: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 12.0
    cover: bool = False
    moved: bool = False
    attacker_fatigued: bool = False
    defender_fatigued: bool = False
    defender_shaken: bool = False


def odds_between(
    attacker: Unit,
    defender: Unit,
    how: AofConditions,
    *,
    charge: bool = False,
    weapons: Iterable[str] | None = None,
    options: Mapping[str, str] | None = None,
) -> AttackOdds:
    """The odds of one unit against another that stand on no table: of a charge, or else of a volley over a distance."""
    unit, enemy = attacker.copy(), defender.copy()
    unit.fatigued |= how.attacker_fatigued
    enemy.fatigued |= how.defender_fatigued
    enemy.shaken |= how.defender_shaken
    if charge:
        return melee_between(unit, enemy, options=options)
    return shooting_between(
        unit, enemy, distance=how.distance, cover=how.cover, moved=how.moved, weapons=weapons, options=options
    )


# -- tables, a sentence and a chart ------------------------------------------------------------------------------------

COUNTS: Final[list[Column[Distribution[int]]]] = [
    Column(in_both("mean"), lambda law: law, "number"),
    Column(in_both("at_least"), lambda law: law, "at_least"),
]
ENDS: Final[list[Column[SideOdds]]] = [
    Column(in_both("destroyed"), lambda side: side.destroyed),
    Column(in_both("routed"), lambda side: side.routed),
    Column(in_both("shaken"), lambda side: side.shaken),
]
WOUNDS: Final = in_both.forms("wound")


def struck(odds: AttackOdds) -> SideOdds:
    """What happens to the unit that is attacked."""
    return odds.defender if isinstance(odds, MeleeOdds) else odds.target


CLAUSES: Final[list[Clause[AttackOdds]]] = [
    Clause(in_both("p_to_destroy"), lambda odds: struck(odds).destroyed),
    Clause(in_both("n_on_average"), lambda odds: struck(odds).wounds, WOUNDS, always=True),
]
BACK: Final[list[Clause[AttackOdds]]] = [
    Clause(in_both("p_to_win"), lambda odds: odds.charger_wins if isinstance(odds, MeleeOdds) else None, always=True),
    Clause(
        in_both("n_taken"),
        lambda odds: odds.charger.wounds if isinstance(odds, MeleeOdds) else None,
        WOUNDS,
        always=True,
    ),
]


def tables(by: Unit, on: Unit, odds: AttackOdds) -> list[Table]:
    """What is lost, what becomes of both, and of a melee who wins it."""
    if isinstance(odds, ShootingOdds):
        rows: list[tuple[Label, Distribution[int]]] = [
            (in_both("hits"), odds.hits),
            (in_both("wounds"), odds.wounds),
            (in_both("models_lost"), odds.lost),
        ]
        lost = table(in_both("shoots_at", by=by.name, on=on.name), COUNTS, rows)
        return [lost, table(NO_WORDS, ENDS, [(on.name, odds.target)])]
    sides = [(by, odds.charger), (on, odds.defender)]
    rows = []
    for unit, side in reversed(sides):
        rows += [(in_both("wounds_on", unit=unit.name), side.wounds), (in_both("models_lost"), side.lost)]
    wins = listed([in_both("wins", unit=by.name), in_both("draw"), in_both("wins", unit=on.name)])
    return [
        table(in_both("charges", by=by.name, on=on.name), COUNTS, rows),
        table(NO_WORDS, ENDS, [(unit.name, side) for unit, side in sides]),
        table(
            NO_WORDS, wins, [(in_both("melee"), [float(odds.winner[who]) for who in ("charger", "nobody", "defender")])]
        ),
    ]


class AofOdds(Odds[Battle, AofConditions]):
    """The odds of Age of Fantasy."""

    conditions = AofConditions
    condition_words = Wording(TEXT, "conditions")

    def answer_by_name(self, question: Question[AofConditions]) -> Answer:
        units = [fielded(name, side) for side, name in enumerate((question.attacker, question.defender))]
        if not question.charge and not any(f.profile.ranged_weapons for f in units[0].figures):
            what = notice("nothing_to_shoot_with", unit=question.attacker)
            raise problem_with("odds", what, hint=notice("charge_for_melee"))
        return self._answer(
            question, units, odds_between(units[0], units[1], question.conditions, charge=question.charge)
        )

    def answer(self, battle: Battle, question: Question[AofConditions]) -> Answer:
        units = [battle.units[question.attacker], battle.units[question.defender]]
        for unit in units:
            if not unit.on_table:
                raise Refused(Refusal("AOF-ACT-01", "not_on_the_table", {"unit": unit.id}))
        if question.charge:
            return self._answer(question, units, melee_odds(battle, units[0], units[1]))
        refusals = [why_not_shoot(battle, units[0], weapon, units[1]) for weapon in ranged_types(units[0]).values()]
        if not refusals:
            raise problem_with("odds", notice("nothing_to_shoot_with", unit=units[0].name))
        reasons = [refusal for refusal in refusals if refusal is not None]
        if len(reasons) == len(refusals):
            raise Refused(reasons[0])
        return self._answer(question, units, shooting_odds(battle, units[0], units[1]))

    def _answer(self, question: Question[AofConditions], units: Sequence[Unit], odds: AttackOdds) -> Answer:
        return self.answer_about(
            question,
            units,
            odds.to_data(),
            tables=tables(units[0], units[1], odds),
            sentence=sentence(odds, CLAUSES, BACK, samples=odds.samples),
            chart=chart_of(in_both("wounds"), struck(odds).wounds),
            samples=odds.samples,
        )
