"""The odds of Rag'Narok 3 as tables, in a sentence and as a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

import msgspec

from oriflamme.engine.core.decisions import Allocate, PickOne, Refused
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.events import Reason, Refusal
from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.lists.armies import find_unit
from oriflamme.engine.odds import Answer, Clause, Conditions, Odds, Question, Table
from oriflamme.engine.odds.telling import Words, chart_of, listed, sentence, table
from oriflamme.engine.screen.measuring import why_not_measured
from oriflamme.engine.table.pieces import Table as Ground
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.wording import Wording
from oriflamme.games.rn3.allocation import ATTACK, UnitProfile, members
from oriflamme.games.rn3.area import ASTRAY, Template, aims, middle, typical
from oriflamme.games.rn3.army.companies import PEOPLES
from oriflamme.games.rn3.army.fielding import field_unit
from oriflamme.games.rn3.army.limits import Chosen
from oriflamme.games.rn3.army.reading import listed_unit
from oriflamme.games.rn3.arranging import placed_round
from oriflamme.games.rn3.blows import Onset
from oriflamme.games.rn3.melee import fight_of, onset, party_of
from oriflamme.games.rn3.mystics import difficulty_of as difficulty_of_power
from oriflamme.games.rn3.mystics import test_of as trial_of_power
from oriflamme.games.rn3.odds.fights import is_charge, losses, meeting, reaction_odds, splits
from oriflamme.games.rn3.odds.laws import (
    Law,
    after_saves,
    damage_law,
    fallen_law,
    law_of,
    mean,
    mixed,
    suffered,
    trimmed,
)
from oriflamme.games.rn3.odds.templates import Templates, Toll, mixture
from oriflamme.games.rn3.salvos import Salvo
from oriflamme.games.rn3.shooting import (
    difficulty_of,
    in_order_of_loss,
    make_salvo,
    shooters_of,
    viewers_of,
    who_falls,
    why_not_shoot,
    why_not_target,
)
from oriflamme.games.rn3.state import Battle, Fighter, Unit, skills_of
from oriflamme.games.rn3.trials import Trial

TEXT: Final = Path(__file__).parents[1] / "text"
in_both: Final = Wording(TEXT, "odds")


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
    helpers: ClassVar[Mapping[str, Any]] = {}
    drafts: ClassVar[Mapping[str, Any]] = {}
    by_eye: ClassVar[frozenset[str]] = frozenset(
        {"aim_template", "set_dice_aside", "push_authority", "react", "use_standard"}
    )

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
        met = meeting(units[0], units[1], how.contact)
        charge = is_charge(units[0], units[1])
        on = Onset(True, charge, charge, False, battle.options)
        attack = min(how.attack or met.dice, met.dice)
        defence = min(how.defence, met.guard) if how.defence else met.guard // 2
        law = losses(met, attack, defence, on)
        title = in_both("assaults", by=units[0].name, on=units[1].name)
        return self._told(question, units, Toll(law), title, [matrix_table(splits(met, on))], met.facing)

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
            bands.append((_same(f"{tens * 10}-{tens * 10 + 9}"), shot_of(battle, units[0], units[1], reasons)))
        columns = listed([{**in_both("lost"), "as": "number"}, in_both("at_least_one")], "chance")
        rows = [(label, [mean(toll.theirs), 1 - toll.theirs[0]]) for label, toll in bands]
        by_range = _numbers(table(in_both("by_range"), columns, rows, head=in_both("range_cm")), 1)
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
        first = _numbers(table(title, columns, rows), 1)
        figures = {"lost": _law_data(law)} | ({"own": _law_data(toll.own)} if len(toll.own) > 1 else {})
        return self.answer_about(
            question,
            units,
            figures,
            tables=[first, *more],
            sentence=sentence(odds, CLAUSES, OWN),
            chart=chart_of(in_both("lost"), dict(enumerate(law))),
        )


def _law_data(law: Law) -> dict[str, Any]:
    return {"mean": mean(law), "chances": {str(n): p for n, p in enumerate(law) if p > 1e-9}}


def _same(text: str) -> dict[str, str]:
    return dict.fromkeys(LANGUAGES, text)


def _numbers(made: Table, *places: int) -> Table:
    """The same with these columns told as numbers."""
    columns = [{**column, "as": "number"} if n in places else column for n, column in enumerate(made.columns)]
    return msgspec.structs.replace(made, columns=columns)


def matrix_table(found: Sequence[Sequence[Law]]) -> Table:
    """Models lost on average for each split: a row for each number of attack dice, a column for each of defence."""
    columns = [in_both("against_defence", dice=d) for d in range(len(found[0]))]
    rows = [(in_both("with_attack", dice=a), [mean(law) for law in row]) for a, row in enumerate(found) if a]
    made = table(in_both("splits"), listed(columns), rows, in_both("splits_note"))
    return _numbers(made, *range(1, len(columns) + 1))


# -- shots -------------------------------------------------------------------------------------------------------------


def shot_of(battle: Battle, unit: Unit, target: Unit, reasons: tuple[Reason, ...]) -> Toll:
    """Models that fall to all shots of a unit's base troop or machine, or to its template."""
    shooters = _shooters(unit)
    salvo = make_salvo(battle, unit, shooters, target, reasons, None)
    if not salvo.is_area:
        return Toll(salvo_law(battle, salvo, unit, target, shooters))
    aim = _usual_aim(battle, unit, target)
    return Templates(battle, unit, salvo, shooters[0]).shot(target, aim) if aim is not None else Toll()


def _shooters(unit: Unit) -> list[Fighter]:
    """Who shoots the salvo that is told: of its base troop or the machine, or else the Incarnate."""
    shooters = [f for f in shooters_of(unit) if not f.profile.incarnate] or shooters_of(unit)
    return [f for f in shooters if f.profile.id == shooters[0].profile.id]


def _usual_aim(battle: Battle, unit: Unit, target: Unit) -> Fighter | None:
    """The middle one of those on whom a template may be centred."""
    viewers = viewers_of(unit) if unit.machine is not None else _shooters(unit)
    seen = aims(battle, unit, viewers, target)
    return middle(seen) if seen else None


def template_table(battle: Battle, unit: Unit, target: Unit, reasons: tuple[Reason, ...]) -> list[Table]:
    """How wide the template of a shot may be, how likely each width is, and what it costs on average, over all
    deviations; nothing for a shot without one."""
    shooters = _shooters(unit)
    salvo = make_salvo(battle, unit, shooters, target, reasons, None)
    aim = _usual_aim(battle, unit, target) if salvo.is_area else None
    if aim is None:
        return []
    templates = Templates(battle, unit, salvo, shooters[0])
    widths: dict[tuple[bool, int, int], list[tuple[float, Toll]]] = {}
    for template, chance in templates.which(target).items():
        if template is not None:
            astray = template.deviation >= ASTRAY
            width = (not astray, template.radius, template.rounds)
            widths.setdefault(width, []).append((chance, templates.aimed(aim, template)))
    rows = []
    for (aimed, radius, rounds), parts in sorted(widths.items()):
        chance = sum(share for share, _ in parts)
        toll = mixture([(share / chance, one) for share, one in parts])
        label = in_both("template" if aimed else "template_astray", radius=radius, rounds=rounds)
        rows.append((label, [chance, mean(toll.theirs), mean(toll.own)]))
    columns = listed([in_both("chance"), in_both("their_losses"), in_both("own_losses")])
    return [_numbers(table(in_both("templates"), columns, rows, in_both("templates_note")), 2, 3)]


def salvo_law(battle: Battle, salvo: Salvo, unit: Unit, target: Unit, shooters: Sequence[Fighter]) -> Law:
    """One salvo: attack, saves, force, losses; no more than weapons that fired (RN3-SHOOT-11 to -15)."""
    hits = after_saves(law_of(salvo.attack(unit.id, target.id)), len(salvo.saves))
    damage = mixed(hits, [law_of(salvo.wound(unit.id, target.id, n)) if n else (1.0,) for n in range(len(hits))])
    damage = suffered(damage, salvo.its_skills)
    left = [f.left for f in in_order_of_loss(battle, unit, target, shooters)]
    found = [0.0] * (len(left) + 1)
    for points, chance in enumerate(damage):
        found[len(who_falls(left, points, salvo.most_losses))] += chance
    return trimmed(found)


# -- help with questions -----------------------------------------------------------------------------------------------


def help_react(battle: Battle, decision: PickOne) -> Table:
    """What each reaction may cost, if the charger puts all his dice in attack."""
    unit, charger = battle.units[decision.about["unit"]], battle.units[decision.about["target"]]
    rows = []
    for key in decision.keys():
        if key != "retreat":
            odds = reaction_odds(battle, unit, charger, key)
            rows.append((key, [mean(odds.own), mean(odds.charger)]))
    columns = listed([in_both("own_losses"), in_both("their_losses")])
    return _numbers(table(in_both("reactions"), columns, rows, in_both("reactions_note")), 1, 2)


def help_split(battle: Battle, decision: Allocate) -> Table | None:
    """The matrix of the largest pairing: losses for each number of attack dice against each of defence."""
    if battle.fight is None:
        return None
    fight = fight_of(battle)
    unit = battle.units[fight.unit]
    enemies = [battle.units[id] for id in fight.enemies if battle.units[id].on_table]
    if not unit.on_table or not enemies:
        return None
    enemy = max(enemies, key=lambda one: len(one.figures))
    met = meeting(unit, enemy)
    return matrix_table(splits(met._replace(dice=min(met.dice, 8), guard=min(met.guard, 8)), _onset(battle, enemy)))


def _onset(battle: Battle, enemy: Unit) -> Onset:
    fight = fight_of(battle)
    return onset(battle, fight, enemy, typical(battle.units[fight.unit]).profile.skills)


def draft_split(battle: Battle, decision: Allocate, answer: Mapping[str, int]) -> Table | None:
    """What the split in the making brings, pairing by pairing, against no, half and all of the other side's dice."""
    if battle.fight is None:
        return None
    rows = []
    for key, number in answer.items():
        use, _, rest = key.partition(" ")
        own, _, against = rest.partition(" > ")
        by, on = _profile(own), _profile(against)
        if use == ATTACK:
            law = [_damage(battle, by, on, number, share) for share in (0.0, 0.5, 1.0)]
        else:
            law = [_damage(battle, on, by, None, share, number) for share in (0.4, 0.7, 1.0)]
        rows.append((_words(battle, use, by, on), law))
    if not rows:
        return None
    columns = listed([in_both("against_none"), in_both("against_half"), in_both("against_all")])
    return _numbers(table(in_both("this_split"), columns, rows, in_both("this_split_note")), 1, 2, 3)


def _words(battle: Battle, use: str, by: UnitProfile, on: UnitProfile) -> Words:
    """Dice of a pairing, as the question calls them."""
    return in_both("split_attack" if use == ATTACK else "split_defence", by=_name(battle, by), on=_name(battle, on))


def _name(battle: Battle, one: UnitProfile) -> Words:
    unit = battle.units[one.unit]
    fighters = members(unit, one.profile)
    return fighters[0].profile.name if fighters else unit.name


def _profile(text: str) -> UnitProfile:
    unit, _, profile = text.partition("/")
    return UnitProfile(unit, profile)


def _damage(
    battle: Battle, by: UnitProfile, on: UnitProfile, attack: int | None, share: float, defence: int | None = None
) -> float:
    """Models lost on average in one pairing; what is not known is a share of what may be."""
    unit, enemy = battle.units[by.unit], battle.units[on.unit]
    met = meeting(unit, enemy)
    attack = round(met.dice * share) if attack is None else attack
    defence = round(met.guard * share) if defence is None else defence
    how = _onset(battle, enemy) if fight_of(battle).unit == unit.id else Onset(options=battle.options)
    law = damage_law(party_of(battle, by, on), party_of(battle, on, by), attack, defence, how)
    struck = members(enemy, on.profile) or enemy.figures
    return mean(fallen_law(suffered(law, skills_of(enemy, struck[0])), sorted(f.left for f in struck)[: met.facing]))


def help_sublimation(battle: Battle, decision: PickOne) -> Table | None:
    """The chance that a ritual or litany succeeds, by the dice bought."""
    unit = battle.units[decision.about["unit"]]
    fighter = unit.figure(decision.about["fighter"])
    if fighter is None:
        return None
    power = next((p for p in fighter.profile.powers if p.id == decision.about["power"]), None)
    if power is None or not isinstance(power.difficulty, int):
        return None
    rows = []
    for key in decision.keys()[:9]:
        law = law_of(trial_of_power(unit, fighter, power, int(key), difficulty_of_power(power, None)))
        rows.append((key, [1 - law[0]]))
    return table(in_both("sublimation"), listed([in_both("succeeds")]), rows)


def help_courage(battle: Battle, decision: PickOne) -> Table:
    """The chance to pass a courage test with each value there is (RN3-MOR-03)."""
    difficulty = int(decision.about["difficulty"])
    rows = []
    for option in decision.options:
        trial = Trial("courage", 1, int(option.facts["courage"]), difficulty, "RN3-MOR-03", single=True)
        rows.append((option.key, [1 - law_of(trial)[0]]))
    return table(in_both("courage"), listed([in_both("succeeds")]), rows)


def help_push(battle: Battle, decision: PickOne) -> Table:
    """A further die: one in six fails the whole roll (RN3-AUTH-05, -06)."""
    rows = [("yes", [1 / 6, 3.5]), ("no", [0.0, 0.0])]
    columns = listed([in_both("fails"), in_both("adds")])
    return _numbers(table(in_both("push"), columns, rows), 2)


def help_aim(battle: Battle, decision: PickOne) -> Table:
    """What the template may cost both sides on each model it may be centred on. Who is under it is measured only once
    it is laid (RN3-GEN-04): until then, how likely each kind of model falls that is."""
    unit, target = battle.units[decision.about["unit"]], battle.units[decision.about["target"]]
    shooters = [f for f in shooters_of(unit) if f.profile.id == decision.about["card"]]
    salvo = make_salvo(battle, unit, shooters, target, (), None)
    template = Template(*(int(decision.about[key]) for key in Template._fields))
    templates = Templates(battle, unit, salvo, shooters[0])
    if why_not_measured(battle, decision) is not None:
        kinds = {f.profile.id: f for f in target.figures if not f.profile.incarnate or len(target.figures) == 1}
        rows = [(f.profile.name, [templates.falls(target, f, template.rounds)]) for f in kinds.values()]
        return table(in_both("under_template"), listed([in_both("falls")]), rows, in_both("under_template_note"))
    tolls = [(key, templates.aimed(fighter, template)) for key in decision.keys() if (fighter := target.figure(key))]
    numbers = [(key, [mean(toll.theirs), 1 - toll.theirs[0], mean(toll.own)]) for key, toll in tolls]
    columns = listed([in_both("their_losses"), in_both("at_least_one"), in_both("own_losses")])
    return _numbers(table(in_both("aims"), columns, numbers, in_both("aims_note")), 1, 3)


Rn3Odds.helpers = {
    "aim_template": help_aim,
    "react": help_react,
    "set_dice_aside": help_split,
    "sublimation": help_sublimation,
    "push_authority": help_push,
    "use_standard": help_courage,
}
Rn3Odds.drafts = {"set_dice_aside": draft_split}


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
