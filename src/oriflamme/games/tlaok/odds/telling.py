"""The odds of Conquest, as tables, sentences and charts, and those that help to answer a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import pi
from pathlib import Path
from typing import Annotated, ClassVar, Final

import msgspec

from oriflamme.engine.core.decisions import Decision, PickOne, Refused
from oriflamme.engine.core.dice import HiddenDice
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import INCH, in_inches
from oriflamme.engine.odds import Answer, Chart, Clause, Column, Conditions, Odds, Question, Table
from oriflamme.engine.odds.asking import Helper
from oriflamme.engine.odds.telling import JUST_THE_NUMBER, Data, Label, Words, chart_of, listed, sentence, table
from oriflamme.engine.table.pieces import Table as Ground
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import did_you_mean, problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.wording import Wording
from oriflamme.games.tlaok.army.by_name import fielded
from oriflamme.games.tlaok.characters.abilities import take_the_field
from oriflamme.games.tlaok.characters.duel import opponents, why_not_duel
from oriflamme.games.tlaok.characters.magic import casters, spells_of
from oriflamme.games.tlaok.characters.magic import why_not_target as why_not_cast
from oriflamme.games.tlaok.charge.charge import BEST_ROLL, distance_to, onrush_of
from oriflamme.games.tlaok.charge.charge import why_not_target as why_not_charged
from oriflamme.games.tlaok.combat.volley import can_shoot, why_not_arcing, why_not_target
from oriflamme.games.tlaok.losses.wounds import Cause
from oriflamme.games.tlaok.odds.attacks import clash_odds, volley_odds
from oriflamme.games.tlaok.odds.casualties import AttackOdds, MoraleOdds, morale_odds, passes_chance
from oriflamme.games.tlaok.odds.charges import charge_odds, charged_home, reach_by_distance, reach_chance
from oriflamme.games.tlaok.odds.duels import DuelOdds, duel_odds
from oriflamme.games.tlaok.odds.spells import SpellOdds, spell_odds
from oriflamme.games.tlaok.profile import Spell
from oriflamme.games.tlaok.rounds.activation import unit_of
from oriflamme.games.tlaok.state import Battle, Regiment, Stand

TEXT: Final = Path(__file__).parents[1] / "text"
in_both: Final = Wording(TEXT, "odds")

TABLE: Final = 48 * INCH
# Wounds that a table of morale has rows for.
ROWS: Final = 12

NAMES: Final = {
    "charge": in_both("charge"),
    "volley": in_both("volley"),
    "clash": in_both("clash"),
    "impact": in_both("impact_attacks"),
    "both": in_both("impact_attacks_and_clash"),
    "duel": in_both("duel"),
    "spell": in_both("spell"),
}
# Who attacks whom, and how.
TITLES: Final = {
    "charge": in_both("by_charge_at_on"),
    "volley": in_both("by_volley_at_on"),
    "clash": in_both("by_clash_against_on"),
    "duel": in_both("by_duel_with_on"),
    "spell": in_both("by_spells_on_on"),
    "morale": in_both("morale_of"),
}


def title_of(what: str, by: Regiment, on: Regiment) -> Words:
    """Of a duel the characters are named."""

    def called(regiment: Regiment, lang: str) -> str:
        hero = regiment.character if what == "duel" else None
        name = hero.profile.name if hero is not None else regiment.name
        return name.get(lang, regiment.id)

    return {lang: TITLES[what][lang].format(by=called(by, lang), on=called(on, lang)) for lang in LANGUAGES}


# -- attacks -----------------------------------------------------------------------------------------------------------

HITS: Final = Column[AttackOdds](in_both("hits"), lambda odds: odds.hits, "number")
WOUNDS: Final = Column[AttackOdds](in_both("wounds"), lambda odds: odds.wounds, "number")
LOST: Final = Column[AttackOdds](in_both("stands_lost"), lambda odds: odds.lost, "number")
DESTROYED: Final = Column[AttackOdds](in_both("destroyed"), lambda odds: odds.destroyed)
ATTACK: Final = [
    Column[AttackOdds](in_both("dice"), lambda odds: odds.attacks, "number"),
    HITS,
    WOUNDS,
    LOST,
    Column[AttackOdds](in_both("broken"), lambda odds: odds.broken),
    DESTROYED,
]
# What is struck back.
BACK: Final = [
    Column[AttackOdds](in_both("wounds_taken"), lambda odds: odds.taken, "number"),
    Column[AttackOdds](in_both("own_stands_lost"), lambda odds: odds.own_lost, "number"),
]
WOUND: Final = in_both.forms("wound")
STAND_LOST: Final = in_both.forms("stand_lost")
ATTACK_CLAUSES: Final[list[Clause[AttackOdds]]] = [
    Clause(in_both("p_to_arrive"), lambda odds: odds.arrives, always=True),
    Clause(JUST_THE_NUMBER, lambda odds: odds.wounds, WOUND, always=True),
    Clause(JUST_THE_NUMBER, lambda odds: odds.lost, STAND_LOST, always=True),
    Clause(in_both("p_to_break"), lambda odds: odds.broken),
    Clause(in_both("p_to_destroy"), lambda odds: odds.destroyed),
    Clause(in_both("n_in_return"), lambda odds: odds.taken, WOUND),
]


def attack_table(title: Words, odds: Sequence[tuple[Label, AttackOdds]]) -> Table:
    """A row for each attack: dice, hits, wounds and stands lost on average, and how likely it breaks or destroys; and
    what it costs the attacker, where anything is struck back."""
    back = BACK if any(one.taken.mean() for _, one in odds) else []
    return table(title, [*ATTACK, *back], odds, in_both("each_attack_by_itself"))


def charge_table(battle: Battle, by: Regiment, on: Regiment, chance: float) -> Table:
    """How likely a charge comes home as things stand, and how likely one is long enough at each distance."""
    far = reach_by_distance(battle, by)
    away = in_both("arrives_from", away=in_inches(distance_to(battle, by, on)))
    columns = listed([away, *(in_both("inches", number=inches) for inches in far)])
    return table(
        title_of("charge", by, on), columns, [(NAMES["charge"], [chance, *far.values()])], in_both("arrives_note")
    )


def morale_table(battle: Battle, by: Regiment, on: Regiment) -> Table | None:
    """A row for each number of wounds in a Clash: what is tested for them, what fails, and what is left."""
    face = battle.contacts.get(on.id, {}).get(by.id, "front")
    found = morale_odds(battle, on, Cause("TLAOK-CLASH-18", "clash", by.id, face))[:ROWS]
    columns: list[Column[MoraleOdds]] = [
        Column(in_both("resolve"), lambda one: one.resolve, "number"),
        Column(in_both("more_by_morale"), lambda one: one.more, "number"),
        Column(LOST.words, lambda one: one.fate.map(lambda fate: fate.lost), "number"),
        Column(in_both("broken"), lambda one: one.fate.chance(lambda fate: fate.broken and not fate.gone)),
        Column(in_both("destroyed"), lambda one: one.fate.chance(lambda fate: fate.gone)),
    ]
    rows = [(dict.fromkeys(LANGUAGES, str(one.wounds)), one) for one in found]
    return table(title_of("morale", by, on), columns, rows, head=WOUNDS.heading()) if rows else None


def data_of(odds: AttackOdds) -> Data:
    return {
        "what": odds.what,
        "dice": odds.attacks,
        "hits": odds.hits.to_data(),
        "wounds": odds.wounds.to_data(),
        "lost": odds.lost.to_data(),
        "broken": odds.broken,
        "destroyed": odds.destroyed,
        "taken": odds.taken.to_data(),
        "own_lost": odds.own_lost.to_data(),
    }


# -- duels -------------------------------------------------------------------------------------------------------------

DUEL_COLUMNS: Final[list[Column[DuelOdds]]] = [
    Column(in_both("own_character_falls"), lambda odds: odds.challenger_falls),
    Column(in_both("the_other_falls"), lambda odds: odds.challenged_falls),
]
DUEL_CLAUSES: Final[list[Clause[DuelOdds]]] = [
    Clause(in_both("p_to_slay_him"), lambda odds: odds.challenged_falls, always=True),
    Clause(in_both("p_to_fall"), lambda odds: odds.challenger_falls, always=True),
]
FALLS: Final = {
    (False, False): in_both("both_stand"),
    (False, True): in_both("the_other_falls"),
    (True, False): in_both("own_falls"),
    (True, True): in_both("both_fall"),
}


# -- spells ------------------------------------------------------------------------------------------------------------

SPELL: Final[list[Column[SpellOdds]]] = [
    Column(in_both("dice"), lambda odds: odds.dice, "number"),
    Column(in_both("or_less"), lambda odds: odds.attunement, "number"),
    Column(in_both("successes_needed"), lambda odds: odds.needed, "number"),
    Column(in_both("cast"), lambda odds: odds.cast),
]
HEALED: Final = Column[SpellOdds](in_both("wounds_healed"), lambda odds: odds.healed, "number", rare=True)
SPELL_CLAUSES: Final[list[Clause[SpellOdds]]] = [
    Clause(in_both("p_to_be_cast"), lambda odds: odds.cast, always=True),
    Clause(JUST_THE_NUMBER, lambda odds: odds.odds and odds.odds.wounds, WOUND, always=True),
    Clause(JUST_THE_NUMBER, lambda odds: odds.odds and odds.odds.lost, STAND_LOST, always=True),
    Clause(JUST_THE_NUMBER, lambda odds: odds.healed, in_both.forms("wound_healed")),
]


def spell_table(title: Words, spells: Sequence[tuple[Label, SpellOdds]]) -> Table:
    """A row for each spell or target: its casting roll, how likely it succeeds, and what comes of it on average."""

    def struck(column: Column[AttackOdds]) -> Column[SpellOdds]:
        return Column(column.words, lambda one: column.of(one.odds) if one.odds is not None else 0, column.kind)

    hurts = [struck(column) for column in (HITS, WOUNDS, LOST, DESTROYED)] if any(one.odds for _, one in spells) else []
    return table(title, [*SPELL, *hurts, HEALED], spells)


def spell_chart(odds: SpellOdds) -> Chart:
    """The wounds of a spell, or whether it is cast."""
    if odds.odds is not None:
        return chart_of(WOUNDS.words, odds.odds.wounds)
    return Chart(NAMES["spell"], [(in_both("cast"), odds.cast), (in_both("failed"), 1 - odds.cast)])


def known_spells(regiment: Regiment) -> list[tuple[Spell, list[Stand]]]:
    """What a regiment and its character may cast, and who does."""
    return [
        (spell, stands)
        for hero in (False, True)
        if (stands := casters(regiment, hero=hero))
        for spell in spells_of(regiment, hero=hero)
    ]


# -- what helps to answer ----------------------------------------------------------------------------------------------


def _shots(battle: Battle, decision: PickOne) -> Table:
    regiment = battle.units[decision.about["regiment"]]
    rows: list[tuple[Label, AttackOdds]] = []
    for option in decision.options:
        target = battle.units[option.facts["target"]]
        rows.append((option.key, volley_odds(battle, regiment, target, arcing=option.word == "lob")))
    return attack_table(NAMES["volley"], rows)


def _charges(battle: Battle, decision: PickOne) -> Table:
    """Whether each charge is long enough, whether it arrives by the way that is open to it, and what becomes of the
    enemy in its Clash."""
    regiment = battle.units[decision.about["regiment"]]
    chances = listed([in_both("long_enough"), in_both("arrives")])
    wounds = listed([{}, {}, in_both("impact_wounds"), in_both("clash_wounds")], "number")[2:]
    destroyed = listed([{}, {}, {}, {}, in_both("destroyed_by_the_clash")])[4:]
    rows: list[tuple[Label, Sequence[float]]] = []
    for key in (option.key for option in decision.options):
        target = battle.units[key]
        chance, found = charge_odds(battle, regiment, target)
        by = {one.what: one for one in found}
        hurt = [float(by[what].wounds.mean()) if what in by else 0.0 for what in ("impact", "clash")]
        end = by["clash"].destroyed if "clash" in by else 0.0
        rows.append((key, [reach_chance(battle, regiment, target), chance, *hurt, end]))
    return table(NAMES["charge"], [*chances, *wounds, *destroyed], rows)


def _reroll(battle: Battle, decision: PickOne) -> Table | None:
    """A charge that fell short: the second die is long enough, or not."""
    regiment, needed = battle.units[decision.about["regiment"]], decision.about.get("needed", 0)
    if not needed:
        return None
    rows = [("yes", [max(0, BEST_ROLL + 1 - needed) / BEST_ROLL]), ("no", [0.0])]
    return table(regiment.name, listed([in_both("arrives")]), rows)


def _actions(battle: Battle, decision: PickOne) -> Table | None:
    """What a Clash does to each enemy in contact; whether a reform or a withdrawal would be in order."""
    regiment = battle.units[decision.about["regiment"]]
    if decision.about.get("character"):
        return None
    keys = {option.key for option in decision.options}
    if "clash" in keys:
        return _clashes(battle, regiment, [enemy.id for enemy in battle.engaged(regiment)])
    ordered = [key for key in ("combat_reform", "withdraw") if key in keys]
    if not ordered:
        return None
    chance = passes_chance(battle, regiment)
    return table(regiment.name, listed([in_both("in_order")]), [(key, [chance]) for key in ordered])


def _targets(battle: Battle, decision: PickOne) -> Table:
    """The whole Clash against each enemy that a stand may strike or support against."""
    regiment = battle.units[decision.about["regiment"]]
    return _clashes(battle, regiment, [option.key for option in decision.options])


def _clashes(battle: Battle, regiment: Regiment, enemies: Iterable[str]) -> Table:
    return attack_table(NAMES["clash"], [(id, clash_odds(battle, regiment, battle.units[id])) for id in enemies])


def _spell_choices(battle: Battle, decision: PickOne) -> Table:
    """Each spell on the target it does most to."""
    regiment, stands, spells = _casting(battle, decision)
    rows: list[tuple[Label, SpellOdds]] = []
    for option in decision.options:
        spell = spells[option.key]
        able = [on for on in battle.present() if why_not_cast(battle, regiment, stands, spell, on) is None]
        found = [spell_odds(battle, regiment, stands, spell, on) for on in able]
        rows.append((option.key, max(found, key=_worth)))
    return spell_table(NAMES["spell"], rows)


def _worth(odds: SpellOdds) -> tuple[float, float]:
    hurt = float(odds.odds.wounds.mean()) if odds.odds is not None else 0.0
    return hurt + float(odds.healed.mean()), odds.cast


def _spell_targets(battle: Battle, decision: PickOne) -> Table:
    regiment, stands, spells = _casting(battle, decision)
    spell = spells[decision.about["spell"]]
    targets = [(option.key, battle.units[option.key]) for option in decision.options]
    return spell_table(spell.name, [(key, spell_odds(battle, regiment, stands, spell, on)) for key, on in targets])


def _casting(battle: Battle, decision: PickOne) -> tuple[Regiment, list[Stand], dict[str, Spell]]:
    regiment, hero = battle.units[decision.about["regiment"]], bool(decision.about.get("character"))
    return regiment, casters(regiment, hero=hero), {spell.id: spell for spell in spells_of(regiment, hero=hero)}


def _duels(battle: Battle, decision: PickOne) -> Table:
    regiment = battle.units[decision.about["regiment"]]
    enemies = [(option.key, unit_of(battle, option.key)[0]) for option in decision.options]
    return table(NAMES["duel"], DUEL_COLUMNS, [(key, duel_odds(battle, regiment, enemy)) for key, enemy in enemies])


def _challenge(battle: Battle, decision: PickOne) -> Table:
    """Whoever is challenged looks at it from the other side."""
    challenger, challenged = (unit_of(battle, decision.about[who])[0] for who in ("challenger", "character"))
    odds = duel_odds(battle, challenger, challenged)
    own, other = DUEL_COLUMNS
    columns = [own._replace(of=other.of), other._replace(of=own.of)]
    return table(NAMES["duel"], columns, [("accept", odds)])


# -- the odds of the game ----------------------------------------------------------------------------------------------


class TlaokConditions(Conditions, frozen=True):
    """How two regiments stand to each other, face to face. The distance is in inches."""

    distance: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 8.0
    duel: bool = False


class TlaokOdds(Odds[Battle, TlaokConditions]):
    """The odds of Conquest. A way to attack is "charge", "volley", "lob", "clash", "duel", "spell" for all that can be
    cast, or "spell:ID" for one."""

    conditions = TlaokConditions
    condition_words = Wording(TEXT, "conditions")
    helpers: ClassVar[Mapping[str, Helper]] = {
        "choose_action": _actions,
        "shoot_target": _shots,
        "charge_target": _charges,
        "reroll_charge": _reroll,
        "strike_target": _targets,
        "support_target": _targets,
        "choose_duel": _duels,
        "accept_duel": _challenge,
        "choose_spell": _spell_choices,
        "choose_spell_target": _spell_targets,
    }

    def helping(self, battle: Battle, decision: Decision) -> Table | None:
        return super().helping(battle, decision) if isinstance(decision, PickOne) else None

    def scene(self, question: Question[TlaokConditions]) -> tuple[Battle, Question[TlaokConditions]]:
        by, on = (fielded(name, side) for side, name in enumerate((question.attacker, question.defender)))
        how = question.conditions
        way = way_between(by, on, charge=question.charge, duel=how.duel)
        battle = meeting((by, on), self.game.defaults(), 0.0 if how.duel else how.distance)
        return battle, question._replace(attacker=by.id, defender=on.id, way=way)

    def answer(self, battle: Battle, question: Question[TlaokConditions]) -> Answer:
        by, on, way = battle.units[question.attacker], battle.units[question.defender], question.way
        if not way:
            touching = on in battle.engaged(by)
            way = ("clash" if touching else "charge") if question.charge else "volley"
        kind, _, which = way.partition(":")
        if kind not in self.ways:
            raise problem_with("odds", notice("unknown", word=way), hint=did_you_mean(way, self.ways))
        for regiment in (by, on):
            if not regiment.on_table:
                raise Refused(Refusal("TLAOK-REINF-01", "not_on_the_table", {"target": regiment.id}))
        if by.side == on.side and kind != "spell":
            raise Refused(Refusal("TLAOK-CLASH-01", "no_enemy", {"target": on.id}))
        return self.ways[kind](self, battle, question._replace(charge=kind == "charge", way=which), by, on)

    def _attack(
        self,
        question: Question[TlaokConditions],
        by: Regiment,
        on: Regiment,
        odds: AttackOdds,
        morale: Table | None = None,
    ) -> Answer:
        tables = [attack_table(title_of(odds.what, by, on), [(NAMES[odds.what], odds)]), morale]
        return self._one(question, by, on, {"odds": [data_of(odds)]}, tables, odds)

    def _one(
        self,
        question: Question[TlaokConditions],
        by: Regiment,
        on: Regiment,
        figures: Data,
        tables: Sequence[Table | None],
        odds: AttackOdds | None,
    ) -> Answer:
        """An attack as tables; in one sentence, and the stands it may cost as a chart."""
        return self.answer_about(
            question,
            (by, on),
            figures,
            tables=[one for one in tables if one is not None],
            sentence=odds and sentence(odds, ATTACK_CLAUSES, label=NAMES[odds.what]),
            chart=odds and chart_of(LOST.words, odds.lost),
        )

    def _charge(self, battle: Battle, question: Question[TlaokConditions], by: Regiment, on: Regiment) -> Answer:
        """A charge: whether it arrives, its impact attacks and its Clash, and the morale of the other."""
        _refuse(why_not_charged(battle, by, on, onrush_of(battle, by)))
        chance, found = charge_odds(battle, by, on, both=True)
        tables: list[Table | None] = [charge_table(battle, by, on, chance)]
        if found:
            tables.append(attack_table(title_of("charge", by, on), [(NAMES[one.what], one) for one in found]))
        home = charged_home(battle, by, on)
        if home is not None:
            tables.append(morale_table(home, home.units[by.id], home.units[on.id]))
        figures = {"reach": reach_chance(battle, by, on), "arrives": chance, "odds": [data_of(one) for one in found]}
        return self._one(question, by, on, figures, tables, found[-1]._replace(arrives=chance) if found else None)

    def _volley(self, battle: Battle, question: Question[TlaokConditions], by: Regiment, on: Regiment) -> Answer:
        _refuse(_in_combat(battle, by) or why_not_target(battle, by, on))
        return self._attack(question, by, on, volley_odds(battle, by, on))

    def _lob(self, battle: Battle, question: Question[TlaokConditions], by: Regiment, on: Regiment) -> Answer:
        """A volley over the heads of others."""
        _refuse(_in_combat(battle, by) or why_not_arcing(battle, by, on))
        return self._attack(question, by, on, volley_odds(battle, by, on, arcing=True))

    def _clash(self, battle: Battle, question: Question[TlaokConditions], by: Regiment, on: Regiment) -> Answer:
        if on not in battle.engaged(by):
            raise Refused(Refusal("TLAOK-CLASH-01", "not_engaged", {"regiment": by.id, "target": on.id}))
        return self._attack(question, by, on, clash_odds(battle, by, on), morale_table(battle, by, on))

    def _duel(self, battle: Battle, question: Question[TlaokConditions], by: Regiment, on: Regiment) -> Answer:
        if by.hero is None or on not in opponents(battle, by):
            raise Refused(why_not_duel(battle, by) or Refusal("TLAOK-DUEL-01", "no_opponent", {"regiment": by.id}))
        odds = duel_odds(battle, by, on)
        return self.answer_about(
            question,
            (by, on),
            {"odds": [{"what": "duel", "falls": odds.challenger_falls, "slays": odds.challenged_falls}]},
            tables=[table(title_of("duel", by, on), DUEL_COLUMNS, [(NAMES["duel"], odds)])],
            sentence=sentence(odds, DUEL_CLAUSES, label=NAMES["duel"]),
            chart=Chart(NAMES["duel"], [(words, float(odds.falls[which])) for which, words in FALLS.items()]),
        )

    def _spells(self, battle: Battle, question: Question[TlaokConditions], by: Regiment, on: Regiment) -> Answer:
        """The spells that can be cast on a regiment, or the one that is named."""
        wanted = [(spell, stands) for spell, stands in known_spells(by) if question.way in ("", spell.id)]
        refused = [why_not_cast(battle, by, stands, spell, on) for spell, stands in wanted]
        able = [casting for casting, refusal in zip(wanted, refused, strict=True) if refusal is None]
        found = [(spell, spell_odds(battle, by, stands, spell, on)) for spell, stands in able]
        if not found:
            no_spell = Refusal("TLAOK-MAGIC-01", "no_spell", {"regiment": by.id})
            raise Refused(next(filter(None, refused), no_spell))
        figures = [
            {"what": "spell", "spell": spell.id, "cast": one.cast, "healed": one.healed.to_data()}
            | (data_of(one.odds) if one.odds is not None else {})
            for spell, one in found
        ]
        first = found[0][1]
        return self.answer_about(
            question,
            (by, on),
            {"odds": figures},
            tables=[spell_table(title_of("spell", by, on), [(spell.name, one) for spell, one in found])],
            sentence=sentence(first, SPELL_CLAUSES, label=NAMES["spell"]),
            chart=spell_chart(first),
        )

    ways: ClassVar[Mapping[str, Callable[..., Answer]]] = {
        "charge": _charge,
        "volley": _volley,
        "lob": _lob,
        "clash": _clash,
        "duel": _duel,
        "spell": _spells,
    }


def _refuse(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise Refused(refusal)


def _in_combat(battle: Battle, by: Regiment) -> Refusal | None:
    """Nobody shoots who touches an enemy (TLAOK-CONTACT-03)."""
    return Refusal("TLAOK-CONTACT-03", "in_combat", {"regiment": by.id}) if battle.is_engaged(by) else None


def meeting(regiments: tuple[Regiment, Regiment], options: dict[str, str], inches: float) -> Battle:
    """Two regiments face to face on an empty table, so far apart."""
    battle = Battle(Ground(TABLE, TABLE), options, HiddenDice())
    by, on = regiments
    for regiment in regiments:
        battle.units[regiment.id] = regiment
        take_the_field(regiment)
    by.stand_at(TABLE / 2, TABLE / 4, 0.0)
    on.stand_at(TABLE / 2, TABLE / 2, pi)
    on.stand_at(TABLE / 2, TABLE / 2 + inches * INCH - distance_to(battle, by, on), pi)
    if not inches:
        battle.engage(by, "front", on, "front")
    return battle


def way_between(by: Regiment, on: Regiment, *, charge: bool, duel: bool) -> str:
    """How one regiment would attack another, of what is asked for; raises Problems if it cannot."""
    if duel:
        for regiment in (by, on):
            if regiment.hero is None:
                what = notice("has_no_character", regiment=regiment.name)
                raise problem_with("odds", what, rule="TLAOK-DUEL-01", hint=notice("write_regiment_character"))
        return "duel"
    if charge:
        return "charge"
    if any(can_shoot(by, stand) for stand in by.figures):
        return "volley"
    if known_spells(by):
        return "spell"
    what = notice("nothing_to_shoot_or_cast", regiment=by.name)
    raise problem_with("odds", what, hint=notice("charge_for_melee"))
