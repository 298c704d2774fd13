"""The odds of Last Fantasy War as tables, in a sentence and as a chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import asin, cos, pi, sin, sqrt
from typing import Annotated, Any, ClassVar

import msgspec

from oriflamme.engine.core.decisions import Refused
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.lists.armies import find_unit
from oriflamme.engine.odds import Answer, Conditions, Odds, Question, Table
from oriflamme.engine.odds.telling import Label, Words, chart_of, sentence, table
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.engine.words.wording import Wording
from oriflamme.games.lfw.armies import ARMIES
from oriflamme.games.lfw.army.cards import Enlisted
from oriflamme.games.lfw.combat import attack_with, highest_attack
from oriflamme.games.lfw.ground import melees, touching_enemies
from oriflamme.games.lfw.magic import SPELLS, is_mage, targets_of
from oriflamme.games.lfw.names import declared_names
from oriflamme.games.lfw.odds.chances import JumpOdds, door_chance, jump_odds, search_chance, spell_odds
from oriflamme.games.lfw.odds.combats import combat_odds
from oriflamme.games.lfw.odds.helping import DRAFTS, HELPERS, SHOT, holds, shot_row
from oriflamme.games.lfw.odds.laws import blow_law, shot_tolls
from oriflamme.games.lfw.odds.tables import CLAUSES, COLUMNS, TEXT, Numbers, Toll, in_both, of_numbers
from oriflamme.games.lfw.odds.wounds import NOTHING, TooMany
from oriflamme.games.lfw.setup import bare_table, model_of
from oriflamme.games.lfw.shooting import why_not_shoot, why_not_target
from oriflamme.games.lfw.sight import QUARTERS, hidden, is_lit
from oriflamme.games.lfw.state import Battle, Effect, Model, Part

Row = tuple[Label, Numbers]


class LfwConditions(Conditions, frozen=True):
    """How two units stand to each other: inches between them, how many quarters of the target are hidden, night and
    light; whether the attacker has charged this turn, and how many of each fight. And what the attacker may do besides:
    jump down so many inches, force a door, search a place that was searched in vain so many times."""

    close_combat: ClassVar[frozenset[str]] = frozenset({"charged", "attackers", "defenders"})
    from_afar: ClassVar[frozenset[str]] = frozenset({"distance", "quarters", "night", "lit"})

    distance: Annotated[float, msgspec.Meta(ge=0, le=60)] = 6.0
    quarters: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    night: bool = False
    lit: bool = False
    charged: bool = False
    attackers: Annotated[int, msgspec.Meta(ge=1, le=3)] | None = None
    defenders: Annotated[int, msgspec.Meta(ge=1, le=3)] | None = None
    jump: Annotated[float, msgspec.Meta(ge=0, le=24)] | None = None
    door: bool = False
    search: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None


class LfwOdds(Odds[Battle, LfwConditions]):
    """The odds of Last Fantasy War."""

    conditions = LfwConditions
    condition_words = Wording(TEXT, "conditions")
    helpers: ClassVar[Mapping[str, Any]] = HELPERS
    drafts: ClassVar[Mapping[str, Any]] = DRAFTS

    # -- the scene -------------------------------------------------------------------------------------------------

    def scene(self, question: Question[LfwConditions]) -> tuple[Battle, Question[LfwConditions]]:
        told = question.conditions
        battle = Battle(bare_table((60, 60)), 2, self.game.defaults(), SeededDice(0))
        numbers = (told.attackers or 1, told.defenders or 1)
        units = [_enlisted(name) for name in (question.attacker, question.defender)]
        groups = [
            [model_of(unit, f"{unit.card.id}_{side + 1}{'abc'[n] if number > 1 else ''}", side) for n in range(number)]
            for side, (unit, number) in enumerate(zip(units, numbers, strict=True))
        ]
        _lay_out(groups[0], groups[1], 0.0 if question.charge else inches(told.distance))
        for model in (*groups[0], *groups[1]):
            model.place = "table"
            battle.units[model.id] = model
            model.update_bounds()
            model.charged = question.charge and told.charged and model.side == 0
        own, target = groups[0][0], groups[1][0]
        battle.dark = told.night
        if told.lit:
            target.parts[0].lay(Effect("lit", "LFW-ENV-03", "game", ("Luminous",)))
        if not question.charge and not _shoots_or_casts(own):
            what = notice("nothing_to_shoot_with", unit=question.attacker)
            raise problem_with("odds", what, hint=notice("charge_for_melee"))
        return battle, question._replace(attacker=own.id, defender=target.id)

    # -- answers ---------------------------------------------------------------------------------------------------

    def answer(self, battle: Battle, question: Question[LfwConditions]) -> Answer:
        model, target = battle.units[question.attacker], battle.units[question.defender]
        tolls, tables = (self._struck if question.charge else self._shot)(battle, question, model, target)
        best = max(tolls, key=lambda toll: toll.wounds.mean(), default=Toll(NOTHING, 1))
        figures = {
            "wounds": {"mean": float(best.wounds.mean()), "chances": best.wounds.to_data()},
            "destroyed": float(best.destroyed),
        }
        return self.answer_about(
            question,
            (model, target),
            figures,
            tables=[*tables, *_besides(battle, question.conditions, model)],
            sentence=sentence(best, CLAUSES),
            chart=chart_of(in_both("wounds"), best.wounds),
        )

    def _shot(
        self, battle: Battle, question: Question[LfwConditions], model: Model, target: Model
    ) -> tuple[list[Toll], list[Table]]:
        """Every weapon at whoever it may be aimed at, and the spells of a mage; and what is seen of the target."""
        tables: list[Table] = []
        spells = _spells(battle, model, target)
        unseen = why_not_target(battle, model, target)
        refusals = [unseen] if unseen is not None else []
        tolls: list[Toll] = []
        rows: list[Row] = []
        for part in model.alive:
            for weapon in part.weapons if unseen is None else ():
                if weapon.melee:
                    continue
                why_not = why_not_shoot(battle, part, weapon, target)
                refusals += [why_not] if why_not is not None else []
                for aimed in target.alive if why_not is None else ():
                    found = shot_tolls(battle, part, weapon, aimed, question.conditions.quarters)
                    rows.append((_label(weapon.name, aimed, target), shot_row(battle, part, aimed, found)))
                    tolls.append(Toll(found.get(aimed.id, NOTHING), aimed.pv))
        if refusals and not rows and not spells:
            raise Refused(refusals[0])
        if rows:
            tables.append(_narrow(in_both("shoots", by=model.name, on=target.name), SHOT, rows, keep=3))
            tables.append(_seen(battle, model, target, question.conditions.quarters))
        return tolls, [*tables, *spells]

    def _struck(
        self, battle: Battle, question: Question[LfwConditions], model: Model, target: Model
    ) -> tuple[list[Toll], list[Table]]:
        """Every melee weapon at whoever it may strike, splits, and the whole combat."""
        rows: list[tuple[Label, Toll]] = []
        for part in model.alive:
            for weapon in part.weapons:
                for aimed in target.alive if weapon.melee else ():
                    toll = Toll(blow_law(battle, part, weapon, aimed), aimed.pv)
                    rows.append((_label(weapon.name, aimed, target), toll))
        if not rows:
            raise problem_with("odds", notice("nothing_to_strike_with", unit=question.attacker))
        tables = [table(in_both("strikes", by=model.name, on=target.name), COLUMNS, rows)]
        tables += _splits(battle, model, target)
        tables += _combat(battle, model, target)
        return [toll for _, toll in rows], tables


# -- tables ------------------------------------------------------------------------------------------------------------


def _narrow(title: Words, heads: Sequence[str], rows: Sequence[Row], keep: int) -> Table:
    """A table without columns that are nothing in every row, but for the first ones."""
    told = [place for place in range(len(heads)) if place < keep or any(row[place] for _, row in rows)]
    return of_numbers(title, [heads[n] for n in told], [(label, [row[n] for n in told]) for label, row in rows])


def _label(weapon: Words, part: Part, model: Model) -> Words:
    """A weapon, and whom of a duo it is aimed at."""
    if len(model.alive) == 1:
        return weapon
    return {lang: f"{word}, {part.sheet.name[lang]}" for lang, word in weapon.items()}


def _seen(battle: Battle, model: Model, target: Model, cover: int | None) -> Table:
    """How much of a target is hidden, as much as the cover says that was given; and at night whether it stands in light
    (LFW-TERR-13, -17, LFW-ENV-02, -03)."""
    part = hidden(battle, model, target) if cover is None else cover / QUARTERS
    note = None
    if battle.night:
        note = in_both("lit" if is_lit(battle, target) else "in_the_dark")
    return of_numbers(in_both("seen"), ("hidden",), [(target.name, [part])], note)


def _splits(battle: Battle, model: Model, target: Model) -> list[Table]:
    """What is left of an attack for another enemy in contact, if its value is higher than the target's (LFW-MEL-09)."""
    rows: list[Row] = []
    for part in model.alive:
        for weapon in part.weapons:
            for one in target.alive if weapon.melee else ():
                value, first = attack_with(battle, part, weapon, one), highest_attack(battle, one, part)
                others = [
                    other for enemy in touching_enemies(battle, model) if enemy is not target for other in enemy.alive
                ]
                for other in others if value > first else ():
                    near, far = (
                        Toll(blow_law(battle, part, weapon, struck, number), struck.pv)
                        for struck, number in ((one, first), (other, value - first))
                    )
                    rows.append((weapon.name, [near.wounds.mean(), near.destroyed, far.wounds.mean(), far.destroyed]))
    heads = ("first_wounds", "first_destroyed", "second_wounds", "second_destroyed")
    return [of_numbers(in_both("split"), heads, rows)] if rows else []


def _combat(battle: Battle, model: Model, target: Model) -> list[Table]:
    """The whole combat the two are in: who wins, is destroyed, flees for having lost it (LFW-MEL-20, LFW-MOR-04)."""
    models = next((one for one in melees(battle) if model.id in one and target.id in one), None)
    if models is None:
        return []
    try:
        odds = combat_odds(battle, models, activator=model.side)
    except TooMany:
        return []
    rows: list[Row] = []
    for id in models:
        one = battle.units[id]
        rows.append((one.name, [odds.wins(one.side), odds.gone(one), odds.holds(one), odds.flees(one)]))
    heads = ("wins", "destroyed", "holds", "flees")
    return [of_numbers(in_both("combat"), heads, rows, in_both("combats_note"))]


def _spells(battle: Battle, model: Model, target: Model) -> list[Table]:
    """What the spells of a mage do to the target, whichever he can pay."""
    rows: list[Row] = []
    for part in model.alive:
        for id in part.spells:
            known = SPELLS.get(id)
            if known is None or not known.is_open(battle, part):
                continue
            if known.entry is not None and target not in targets_of(battle, part, known):
                continue
            point = (target.body.x, target.body.y) if known.points_within else None
            if known.entry is None and point is None:
                continue
            try:
                odds = spell_odds(battle, part, known, target.alive[0] if point is None else None, point)
            except TooMany:
                continue
            if any(law != NOTHING for law in odds.wounds.values()):
                rows.append((declared_names()["spell"][id], shot_row(battle, part, target.alive[0], odds.wounds)))
    return [_narrow(in_both("spells"), SHOT, rows, keep=3)] if rows else []


def _besides(battle: Battle, told: LfwConditions, model: Model) -> Iterable[Table]:
    """What the attacker may do besides."""
    if told.jump:
        odds: JumpOdds = jump_odds(battle, model, [inches(told.jump)])
        toll = Toll(odds.wounds, model.mover.pv)
        row = [odds.hurts, toll.wounds.mean(), toll.destroyed]
        yield of_numbers(in_both("jumps"), ("hurts", "wounds", "destroyed"), [(model.name, row)])
    if told.door:
        armed = [(part, weapon) for part in model.alive for weapon in part.weapons if weapon.melee]
        doors: list[Row] = [
            (w.name, [door_chance(battle, part, w, "door", charged=charging) for charging in (False, True)])
            for part, w in armed
        ]
        yield of_numbers(in_both("doors"), ("gives_way", "gives_way_charging"), doors)
    if told.search is not None:
        failures = told.search
        yield of_numbers(in_both("searches"), ("turned",), [(model.name, [search_chance(failures)])])
    if told.jump or told.door or told.search is not None:
        return
    yield of_numbers(in_both("courage"), ("holds",), [(model.name, [holds(battle, model, "morale")])])


# -- units by name -----------------------------------------------------------------------------------------------------


def _enlisted(name: str) -> Enlisted:
    """A unit of a faction by its name, with its options, its mount and its spells behind it; a mage without any knows
    all of its domains."""
    factions = {id: faction.units for id, faction in ARMIES.known_factions().items()}
    faction, card, words = find_unit(name, factions)
    options, spells, mount = [], [], None
    for word in words:
        if word in card.options:
            options.append(word)
        elif word in card.mounts:
            mount = factions[faction][word]
        elif word in SPELLS and SPELLS[word].domain in card.sheet.domains:
            spells.append(word)
        else:
            raise problem_with("unit", notice("cannot_take", unit=card.id, word=word))
    if not spells and card.knows:
        spells = [id for id, known in SPELLS.items() if known.domain in card.sheet.domains]
    called = card.name if mount is None else {lang: f"{card.name[lang]} + {mount.name[lang]}" for lang in card.name}
    return Enlisted(card, 1, called, mount=mount, options=tuple(options), spells=tuple(spells))


def _shoots_or_casts(model: Model) -> bool:
    return any(is_mage(part) or any(not weapon.melee for weapon in part.weapons) for part in model.parts)


def _lay_out(own: Sequence[Model], theirs: Sequence[Model], apart: float) -> None:
    """One of each stand so far apart; several touch: round the one who is alone, or by turns along a line."""
    a, b = own[0].body.radius, theirs[0].body.radius
    reach = a + b + (apart or -TOLERANCE / 2)
    middle = inches(30)
    if len(own) == 1 or len(theirs) == 1:
        alone, others = (own[0], theirs) if len(own) == 1 else (theirs[0], own)
        alone.body.x, alone.body.y = middle, middle
        step = 2 * asin(min(1.0, (others[0].body.radius + TOLERANCE) / reach))
        for number, model in enumerate(others):
            angle = pi / 2 + number * step
            model.body.x, model.body.y = middle + reach * cos(angle), middle + reach * sin(angle)
        return
    along = max(a, b) + TOLERANCE
    across = sqrt(max(0.0, reach * reach - along * along))
    first, second = (own, theirs) if len(own) >= len(theirs) else (theirs, own)
    for group, shift, y in ((first, 0.0, middle), (second, along, middle + across)):
        for number, model in enumerate(group):
            model.body.x, model.body.y = middle + shift + 2 * along * number, y
