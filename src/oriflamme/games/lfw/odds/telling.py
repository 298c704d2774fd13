"""The odds of Last Fantasy War as tables, in a sentence and as a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

import msgspec

from oriflamme.engine.core.decisions import PickOne, Refused
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.lists.armies import find_unit
from oriflamme.engine.odds import Answer, Clause, Conditions, Odds, Question, Table
from oriflamme.engine.odds.telling import Column, chart_of, sentence, table
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.engine.words.wording import Wording
from oriflamme.games.lfw.armies import ARMIES
from oriflamme.games.lfw.odds.laws import Exchange, Law, blow_law, courage_chance, exchange_law, shot_law
from oriflamme.games.lfw.setup import bare_table
from oriflamme.games.lfw.sheets import sheet_of
from oriflamme.games.lfw.shooting import why_not_shoot, why_not_target
from oriflamme.games.lfw.state import Battle, Model, Part

TEXT: Final = Path(__file__).parents[1] / "text"
in_both: Final = Wording(TEXT, "odds")


class LfwConditions(Conditions, frozen=True):
    """How two units stand to each other: inches between them and the dodge of the target's cover; whether the attacker
    has charged this turn."""

    close_combat: ClassVar[frozenset[str]] = frozenset({"charged"})
    from_afar: ClassVar[frozenset[str]] = frozenset({"distance", "cover"})

    distance: Annotated[float, msgspec.Meta(ge=0, le=60)] = 6.0
    cover: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    charged: bool = False


class Toll:
    """What an attack brings its target: wounds that are not cancelled, and whether that destroys it."""

    def __init__(self, wounds: Law, left: int) -> None:
        self.wounds = wounds
        self.left = left

    @property
    def destroyed(self) -> Fraction:
        return self.wounds.chance(lambda number: number >= self.left)


COLUMNS: Final[list[Column[Toll]]] = [
    Column(in_both("wounds"), lambda toll: toll.wounds, "number"),
    Column(in_both("at_least_one"), lambda toll: toll.wounds.chance(lambda number: number > 0)),
    Column(in_both("destroyed"), lambda toll: toll.destroyed),
]
CLAUSES: Final[list[Clause[Toll]]] = [
    Clause(in_both("p_to_destroy"), lambda toll: toll.destroyed),
    Clause(in_both("n_on_average"), lambda toll: toll.wounds.mean(), in_both.forms("wound"), always=True),
]


# -- beside questions -------------------------------------------------------------------------------------------------


def help_strike(battle: Battle, decision: PickOne) -> Table | None:
    """What one attack does to each enemy that may be struck."""
    part = battle.part(decision.about["unit"])
    weapon = next((each for each in part.weapons if each.id == decision.about["weapon"]), None)
    if weapon is None or not weapon.melee:
        return None
    targets = [battle.part(key) for key in decision.keys()]
    rows = [(target.id, Toll(blow_law(battle, part, weapon, target), target.pv)) for target in targets]
    return table(in_both("targets"), COLUMNS, rows)


def help_shot(battle: Battle, decision: PickOne) -> Table | None:
    """What the best weapon in range does to each enemy that may be shot at."""
    part = battle.part(decision.about["unit"])
    rows = []
    for key in decision.keys():
        target = battle.units.get(key)
        if target is None:
            continue
        weapons = [w for w in part.weapons if not w.melee and why_not_shoot(battle, part, w, target) is None]
        tolls = [Toll(shot_law(battle, part, w, aimed), aimed.pv) for w in weapons for aimed in target.alive]
        if tolls:
            rows.append((key, max(tolls, key=lambda toll: toll.wounds.mean())))
    return table(in_both("targets"), COLUMNS, rows) if rows else None


def help_courage(battle: Battle, decision: PickOne) -> Table:
    """How likely each of a duo passes the test."""
    model = battle.units[decision.about["unit"]]
    column: Column[Fraction] = Column(in_both("holds"), lambda chance: chance)
    rows = [(key, courage_chance(battle, model, battle.part(key), decision.about["about"])) for key in decision.keys()]
    return table(in_both("courage"), [column], rows)


HELPERS: Final[Mapping[str, Any]] = {
    "strike_at": help_strike,
    "shoot_at": help_shot,
    "whose_courage": help_courage,
}


# -- asked ------------------------------------------------------------------------------------------------------------


class LfwOdds(Odds[Battle, LfwConditions]):
    """The odds of Last Fantasy War."""

    conditions = LfwConditions
    condition_words = Wording(TEXT, "conditions")
    helpers: ClassVar[Mapping[str, Any]] = HELPERS

    def scene(self, question: Question[LfwConditions]) -> tuple[Battle, Question[LfwConditions]]:
        battle = Battle(bare_table((60, 60)), 2, self.game.defaults(), SeededDice(0))
        models = [_fielded(name, side) for side, name in enumerate((question.attacker, question.defender))]
        apart = 0.0 if question.charge else inches(question.conditions.distance)
        for model in models:
            battle.units[model.id] = model
            model.body.x = inches(30)
        models[0].body.y = inches(6)
        models[1].body.y = inches(6) + models[0].body.radius + models[1].body.radius + apart
        for model in models:
            model.update_bounds()
        models[0].charged = question.charge and question.conditions.charged
        if not question.charge and not any(not weapon.melee for weapon in models[0].parts[0].weapons):
            what = notice("nothing_to_shoot_with", unit=question.attacker)
            raise problem_with("odds", what, hint=notice("charge_for_melee"))
        return battle, question._replace(attacker=models[0].id, defender=models[1].id)

    def answer(self, battle: Battle, question: Question[LfwConditions]) -> Answer:
        model, target = battle.units[question.attacker], battle.units[question.defender]
        if question.charge:
            return self._fight(question, battle, model, target)
        refusal = why_not_target(battle, model, target)
        if refusal is not None:
            raise Refused(refusal)
        cover = question.conditions.cover or None
        rows = []
        for part in model.alive:
            for weapon in part.weapons:
                if weapon.melee:
                    continue
                refusal = why_not_shoot(battle, part, weapon, target)
                aims = target.alive if refusal is None else []
                rows += [(weapon.name, aimed, shot_law(battle, part, weapon, aimed, cover)) for aimed in aims]
        if not rows:
            assert refusal is not None
            raise Refused(refusal)
        return self._told(question, (model, target), rows, in_both("shoots", by=model.name, on=target.name), ())

    def _fight(self, question: Question[LfwConditions], battle: Battle, model: Model, target: Model) -> Answer:
        rows = [
            (weapon.name, aimed, blow_law(battle, part, weapon, aimed))
            for part in model.alive
            for weapon in part.weapons
            if weapon.melee
            for aimed in target.alive
        ]
        if not rows:
            what = notice("nothing_to_strike_with", unit=question.attacker)
            raise problem_with("odds", what)
        tables: list[Table] = []
        if len(model.alive) == len(target.alive) == 1:
            tables.append(_combat(battle, model, target))
        title = in_both("strikes", by=model.name, on=target.name)
        return self._told(question, (model, target), rows, title, tables)

    def _told(
        self,
        question: Question[LfwConditions],
        models: tuple[Model, Model],
        rows: Sequence[tuple[Mapping[str, str], Part, Law]],
        title: Mapping[str, str],
        more: Sequence[Table],
    ) -> Answer:
        tolls = [(_label(name, part, models[1]), Toll(law, part.pv)) for name, part, law in rows]
        best = max((toll for _, toll in tolls), key=lambda toll: toll.wounds.mean())
        figures = {
            "wounds": {"mean": float(best.wounds.mean()), "chances": best.wounds.to_data()},
            "destroyed": float(best.destroyed),
        }
        return self.answer_about(
            question,
            models,
            figures,
            tables=[table(title, COLUMNS, tolls), *more],
            sentence=sentence(best, CLAUSES),
            chart=chart_of(in_both("wounds"), best.wounds),
        )


def _label(weapon: Mapping[str, str], part: Part, model: Model) -> Mapping[str, str]:
    """A weapon, and whom of a duo it is aimed at."""
    if len(model.alive) == 1:
        return weapon
    return {lang: f"{word}, {part.sheet.name[lang]}" for lang, word in weapon.items()}


def _combat(battle: Battle, model: Model, target: Model) -> Table:
    """A combat of two: who wins, who is destroyed, and whether who loses it holds (LFW-MEL-20, LFW-MOR-04)."""
    own, their = model.alive[0], target.alive[0]
    law = exchange_law(battle, own, their)
    rows = []
    for one, part, mine in ((model, own, True), (target, their, False)):
        won = law.chance(lambda end, mine=mine: _wins(end, mine))  # type: ignore[misc]
        lost = law.chance(lambda end, mine=mine: end.own_lost if mine else end.their_lost)  # type: ignore[misc]
        rows.append((one.name, [won, lost, courage_chance(battle, one, part, "morale")]))
    words = [in_both("wins"), in_both("destroyed"), in_both("holds")]
    columns = [Column(word, lambda row, number=number: row[number]) for number, word in enumerate(words)]  # type: ignore[misc]
    return table(in_both("combat"), columns, rows, in_both("combat_note"))


def _wins(end: Exchange, mine: bool) -> bool:
    """Fewest wounds, ties all win, who is eliminated does not (LFW-MEL-20 to -22)."""
    own, other = (end.own, end.their) if mine else (end.their, end.own)
    lost, other_lost = (end.own_lost, end.their_lost) if mine else (end.their_lost, end.own_lost)
    return not lost and (other_lost or own <= other)


def _fielded(name: str, side: int) -> Model:
    """A unit of a faction by its name."""
    factions = {id: faction.units for id, faction in ARMIES.known_factions().items()}
    _, card, words = find_unit(name, factions)
    if words:
        raise problem_with("unit", notice("cannot_take", unit=card.id, word=words[0]))
    id = f"{card.id}_{side + 1}"
    return Model(id, side, [Part(id, id, side, sheet_of(card.id, card.name, card.cost, card.sheet))], card.name)
