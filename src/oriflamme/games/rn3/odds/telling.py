"""The odds of Rag'Narok 3 as tables, in a sentence and as a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final

import msgspec

from oriflamme.engine.core.decisions import Refused
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.events import Reason, Refusal
from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.lists.armies import find_unit
from oriflamme.engine.odds import Answer, Clause, Conditions, Odds, Question, Table
from oriflamme.engine.odds.telling import chart_of, listed, sentence, table
from oriflamme.engine.table.pieces import Table as Ground
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.wording import Wording
from oriflamme.games.rn3.army.companies import PEOPLES
from oriflamme.games.rn3.army.fielding import field_unit
from oriflamme.games.rn3.army.limits import Chosen
from oriflamme.games.rn3.army.reading import listed_unit
from oriflamme.games.rn3.arranging import placed_round
from oriflamme.games.rn3.blows import Onset
from oriflamme.games.rn3.morale import fear_to_test
from oriflamme.games.rn3.odds.fights import is_charge, losses, meeting, powers, splits
from oriflamme.games.rn3.odds.helping import BY_EYE, DRAFTS, HELPERS, courage_chance
from oriflamme.games.rn3.odds.laws import Law, mean
from oriflamme.games.rn3.odds.shots import shot_of, template_table
from oriflamme.games.rn3.odds.tables import TEXT, in_both, matrix_table, numbers
from oriflamme.games.rn3.odds.templates import Toll
from oriflamme.games.rn3.shooting import difficulty_of, why_not_shoot, why_not_target
from oriflamme.games.rn3.state import Battle, Unit


class Rn3Conditions(Conditions, frozen=True):
    """How two units stand to each other. The distance is in centimetres; dice of 0 mean as many as may be."""

    close_combat: ClassVar[frozenset[str]] = frozenset({"attack", "defence", "contact"})
    from_afar: ClassVar[frozenset[str]] = frozenset({"distance", "interference", "compact"})

    distance: Annotated[float, msgspec.Meta(ge=0, le=300)] = 25.0
    interference: bool = False
    compact: bool = False
    attack: Annotated[int, msgspec.Meta(ge=0, le=40)] = 0
    defence: Annotated[int, msgspec.Meta(ge=0, le=40)] = 0
    contact: Annotated[int, msgspec.Meta(ge=0, le=40)] = 0


class Count:
    """What an attack brings: models lost, as a law, and how many of one's own on average."""

    def __init__(self, lost: Law, models: int, own: float = 0.0) -> None:
        self.lost = lost
        self.models = models
        self.own = own

    @property
    def destroyed(self) -> float:
        return self.lost[self.models] if len(self.lost) > self.models else 0.0


CLAUSES: Final[list[Clause[Count]]] = [
    Clause(in_both("p_to_destroy"), lambda odds: odds.destroyed),
    Clause(in_both("n_on_average"), lambda odds: mean(odds.lost), in_both.forms("model"), always=True),
]
OWN: Final[list[Clause[Count]]] = [Clause(in_both("n_of_own"), lambda odds: odds.own, in_both.forms("model"))]


class Rn3Odds(Odds[Battle, Rn3Conditions]):
    """The odds of Rag'Narok 3. Distances that nobody has measured are told by no question of the table."""

    conditions = Rn3Conditions
    condition_words = Wording(TEXT, "conditions")
    helpers: ClassVar[Mapping[str, Any]] = HELPERS
    drafts: ClassVar[Mapping[str, Any]] = DRAFTS
    by_eye: ClassVar[frozenset[str]] = BY_EYE

    def is_by_eye(self, battle: Battle, attacker: str, defender: str, *, charge: bool, way: str) -> bool:
        """What an assault would do once it is in contact hangs on no length; a shot does."""
        return charge

    def answer_by_name(self, question: Question[Rn3Conditions]) -> Answer:
        units = [fielded(name, side) for side, name in enumerate((question.attacker, question.defender))]
        how = question.conditions
        battle = Battle(Ground(1800.0, 1200.0), self.game.defaults(), SeededDice(0))
        for unit in units:
            battle.units[unit.id] = unit
        if question.charge:
            return self._fight(question, battle, units, how)
        if not any(f.profile.ranged is not None for f in units[0].figures):
            what = notice("nothing_to_shoot_with", unit=question.attacker)
            raise problem_with("odds", what, hint=notice("charge_for_melee"))
        units[1].formation = "compact" if how.compact else "dispersed"
        return self._bands(question, battle, units, how)

    def answer(self, battle: Battle, question: Question[Rn3Conditions]) -> Answer:
        units = [battle.units[question.attacker], battle.units[question.defender]]
        for unit in units:
            if not unit.on_table:
                raise Refused(Refusal("RN3-ORD-01", "not_on_the_table", {"unit": unit.id}))
        if question.charge:
            return self._fight(question, battle, units, question.conditions)
        refusal = why_not_shoot(battle, units[0]) or why_not_target(battle, units[0], units[1])
        if refusal is not None:
            raise Refused(refusal)
        reasons = difficulty_of(battle, units[0], units[1])
        toll = shot_of(battle, units[0], units[1], reasons)
        title = in_both("shoots", by=units[0].name, on=units[1].name)
        return self._told(question, units, toll, title, template_table(battle, units[0], units[1], reasons))

    def _fight(
        self, question: Question[Rn3Conditions], battle: Battle, units: Sequence[Unit], how: Rn3Conditions
    ) -> Answer:
        by, on = units
        met = meeting(by, on, how.contact)
        charge = is_charge(battle, by, on)
        attack = min(how.attack or met.dice, met.dice)
        defence = min(how.defence, met.guard) if how.defence else met.guard // 2
        ways = {way: Onset(True, way, way, False, battle.options) for way in (True, False)}
        laws = {way: losses(met, attack, defence, onset) for way, onset in ways.items()}
        power, against = powers(battle, by, on)
        note = in_both("is_charge" if charge else "is_no_charge", power=f"{power:g}", against=f"{against:g}")
        columns = listed([{**in_both("lost"), "as": "number"}, in_both("at_least_one")])
        rows = [(in_both("charge" if way else "no_charge"), [mean(law), 1 - law[0]]) for way, law in laws.items()]
        or_not = numbers(table(in_both("charge_or_not"), columns, rows, note), 1)
        matrix = matrix_table(in_both("splits"), splits(met, ways[charge]), in_both("splits_note"))
        title = in_both("assaults", by=by.name, on=on.name)
        more = [or_not, *_courage(battle, by, on), matrix]
        return self._told(question, units, Toll(laws[charge]), title, more, met.facing)

    def _bands(
        self, question: Question[Rn3Conditions], battle: Battle, units: Sequence[Unit], how: Rn3Conditions
    ) -> Answer:
        more = (Reason("interference", 2, "RN3-OBS-02"),) if how.interference else ()
        bands = []
        band = min(7, int(how.distance // 10))
        for tens in range(8):
            # Where they stand matters to templates alone.
            stand_apart(units[0], units[1], how.distance if tens == band else tens * 10 + 5)
            reasons = (Reason("range", tens, "RN3-SHOOT-10"), *more)
            bands.append(
                (dict.fromkeys(LANGUAGES, f"{tens * 10}-{tens * 10 + 9}"), shot_of(battle, units[0], units[1], reasons))
            )
        columns = listed([{**in_both("lost"), "as": "number"}, in_both("at_least_one")], "chance")
        rows = [(label, [mean(toll.theirs), 1 - toll.theirs[0]]) for label, toll in bands]
        by_range = numbers(table(in_both("by_range"), columns, rows, head=in_both("range_cm")), 1)
        title = in_both("shoots", by=units[0].name, on=units[1].name)
        stand_apart(units[0], units[1], how.distance)
        reasons = (Reason("range", band, "RN3-SHOOT-10"), *more)
        return self._told(
            question, units, bands[band][1], title, [*template_table(battle, units[0], units[1], reasons), by_range]
        )

    def _told(
        self,
        question: Question[Rn3Conditions],
        units: Sequence[Unit],
        toll: Toll,
        title: Mapping[str, str],
        more: Sequence[Table],
        models: int = 0,
    ) -> Answer:
        law = toll.theirs
        odds = Count(law, models or len(units[1].figures), mean(toll.own))
        columns = listed([{**in_both("lost"), "as": "number"}, in_both("at_least_one"), in_both("destroyed")])
        rows = [(units[1].name, [mean(law), 1 - law[0], odds.destroyed])]
        if len(toll.own) > 1:
            rows.append((in_both("our_own"), [mean(toll.own), 1 - toll.own[0], 0.0]))
        first = numbers(table(title, columns, rows), 1)
        figures = {"lost": _law_data(law)} | ({"own": _law_data(toll.own)} if len(toll.own) > 1 else {})
        return self.answer_about(
            question,
            units,
            figures,
            tables=[first, *more],
            sentence=sentence(odds, CLAUSES, OWN),
            chart=chart_of(in_both("lost"), dict(enumerate(law))),
        )


def _courage(battle: Battle, unit: Unit, enemy: Unit) -> list[Table]:
    """Who must test his courage when they meet, and how likely he passes (RN3-MOR-06)."""
    rows = []
    for one, other in ((unit, enemy), (enemy, unit)):
        fear = fear_to_test(battle, one, other)
        if fear is not None:
            rows.append((one.name, [courage_chance(battle, one, fear)]))
    return [table(in_both("courage_at_contact"), listed([in_both("succeeds")]), rows)] if rows else []


def _law_data(law: Law) -> dict[str, Any]:
    return {"mean": mean(law), "chances": {str(n): p for n, p in enumerate(law) if p > 1e-9}}


# -- units by name -----------------------------------------------------------------------------------------------------


def fielded(name: str, side: int) -> Unit:
    """A unit by its name, with what it takes: `wardens+12+standard`; as many as its least unless a number says so."""
    known = {id: people.troops for id, people in PEOPLES.all().items()}
    faction, troop, taken = find_unit(name, known)
    people = PEOPLES.get(faction)
    count, specials, hero, attributes = troop.least, [], None, []
    for word in taken:
        if word.isdigit():
            count = int(word)
        elif word in troop.specials:
            specials.append(troop.specials[word])
        elif word in people.heroes:
            hero = people.heroes[word]
        elif word in people.attributes:
            attributes.append(people.attributes[word])
        else:
            raise problem_with("unit", notice("not_open_to", unit=troop.id, option=word))
    chosen = Chosen(troop, min(max(count, 1), 40), tuple(specials), hero, tuple(attributes))
    unit = field_unit(listed_unit(people, chosen), side, f"{troop.id}_{side + 1}")
    unit.place = "table"
    unit.formation = "dispersed"
    stand(unit, (900.0, 300.0 + 600.0 * side))
    return unit


def stand(unit: Unit, spot: tuple[float, float]) -> None:
    """Set a unit up round a spot in its formation, as the rules propose it on open ground."""
    places = placed_round(unit, unit.formation, spot, lambda fighter, x, y: True)
    assert places is not None
    for figure in unit.figures:
        figure.x, figure.y = places[figure.id]
    unit.update_bounds()


def stand_apart(unit: Unit, target: Unit, distance: float) -> None:
    """Set both up so that their leaders are so many centimetres apart, base to base (RN3-SHOOT-10)."""
    stand(target, (900.0, 900.0))
    stand(unit, (900.0, 900.0 - unit.leading.radius - target.leading.radius - cm(distance)))
