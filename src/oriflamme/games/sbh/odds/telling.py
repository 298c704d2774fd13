"""The odds of Song of Blades and Heroes, as tables, sentences and charts, and those that help to answer a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final

from oriflamme.engine.core.decisions import Decision, Option, Refused
from oriflamme.engine.odds import Answer, Chart, Clause, Column, Odds, Question, Table
from oriflamme.engine.odds.asking import Helper
from oriflamme.engine.odds.telling import Label, Words, listed, sentence, table
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.wording import Wording
from oriflamme.games.sbh.actions import SPELLS
from oriflamme.games.sbh.armies import ARMIES
from oriflamme.games.sbh.fighting import why_not_attack
from oriflamme.games.sbh.odds.attacks import (
    BRAVED,
    RANGED,
    UNHARMED,
    AttackOdds,
    Fortune,
    attack_odds,
    brave_odds,
    ranged_deeds,
)
from oriflamme.games.sbh.odds.gambles import Gamble, gambles, group_gambles_at, morale_odds
from oriflamme.games.sbh.odds.scene import Duel, SbhConditions
from oriflamme.games.sbh.orders import volley_shooters
from oriflamme.games.sbh.quality import QualityRoll
from oriflamme.games.sbh.roster import card
from oriflamme.games.sbh.state import Battle, Fighter

TEXT: Final = Path(__file__).parents[1] / "text"
in_both: Final = Wording(TEXT, "odds")

# Reasons against an attack that pass: its odds can be told all the same.
PASSING: Final = ("has_attacked", "not_in_contact")


# -- attacks -----------------------------------------------------------------------------------------------------------

DEEDS: Final = {
    "attack": in_both("attack"),
    "power": in_both("power_attack"),
    "hack": in_both("free_hack"),
    "shoot": in_both("shot"),
    "aim": in_both("aimed_shot"),
    "javelin": in_both("magic_javelin"),
    "aimjavelin": in_both("aimed_javelin"),
    "volley": in_both("concentrated_fire"),
    "aimvolley": in_both("aimed_concentrated_fire"),
    "bolt": in_both("spell"),
    "transfix": in_both("transfix"),
    "entangle": in_both("entangle"),
    "leave": in_both("leave_combat"),
    "stand": in_both("stand_up"),
}
# What befalls whoever is attacked, and whoever attacks.
ON_THE_OTHER: Final = {
    "recoil": in_both("recoils"),
    "fall": in_both("falls"),
    "wound": in_both("wounded"),
    "kill": in_both("killed"),
    "gruesome": in_both("gruesome"),
    "transfixed": in_both("transfixed"),
    "poison": in_both("poisoned"),
}
ON_HIMSELF: Final = {
    "free": in_both("gets_away"),
    "recoil": in_both("own_recoil"),
    "fall": in_both("own_fall"),
    "wound": in_both("own_wound"),
    "kill": in_both("own_death"),
    "gruesome": in_both("own_gruesome_death"),
    "poison": in_both("own_poisoning"),
}


def on_the_other(*fates: str) -> Callable[[AttackOdds], float]:
    return lambda odds: _chance(odds.defender, fates)


def on_himself(*fates: str) -> Callable[[AttackOdds], float]:
    return lambda odds: _chance(odds.attacker, fates)


def _chance(fortune: Fortune, fates: Iterable[str]) -> float:
    return sum(float(getattr(fortune, fate)) for fate in fates)


def nothing(odds: AttackOdds) -> float:
    """Nobody is any the worse for it."""
    return float(odds.law.chance(lambda fates: all(fate[0] == UNHARMED[0] for fate in fates)))


NOTHING: Final = Column(in_both("nothing"), nothing)
# Everything that may come of an attack, by what befalls whom.
OUTCOMES: Final = [
    (what, Column(name, side(what), rare=True))
    for side, words in ((on_the_other, ON_THE_OTHER), (on_himself, ON_HIMSELF))
    for what, name in words.items()
]
# What is worth a word in a sentence.
CLAUSES: Final = [
    Clause(in_both("p_to_kill"), on_the_other("kill", "gruesome")),
    Clause(in_both("p_to_wound"), on_the_other("wound")),
    Clause(in_both("p_to_knock_down"), on_the_other("fall")),
    Clause(in_both("p_to_push_back"), on_the_other("recoil")),
    Clause(in_both("p_to_transfix"), on_the_other("transfixed")),
]
BACK: Final = [Clause(in_both("p_to_be_killed"), on_himself("kill", "gruesome"))]
MOST_CLAUSES: Final = 3


def label_of(odds: AttackOdds) -> Words:
    """`spell, Power 2`"""
    name = DEEDS[odds.deed]
    return in_both("with_power", deed=name, power=odds.power) if odds.power else name


def attack_table(title: Words, odds: Iterable[tuple[Label, AttackOdds]]) -> Table:
    """A row for each attack: what it does to the other, and where both may suffer, to whoever makes it."""
    return table(title, [NOTHING, *(column for _, column in OUTCOMES)], odds, in_both("without_help"))


def attack_sentence(odds: AttackOdds) -> Words:
    return sentence(odds, CLAUSES, BACK, label=label_of(odds), most=MOST_CLAUSES)


def attack_chart(odds: AttackOdds) -> Chart:
    """Everything that may come of an attack; poison comes on top of it."""
    bars = [(column.words, column.cell(odds)) for what, column in OUTCOMES if what != "poison"]
    return Chart(label_of(odds), [(NOTHING.words, nothing(odds)), *((words, bar) for words, bar in bars if bar)])


# -- the gamble --------------------------------------------------------------------------------------------------------

ANNOUNCED: Final = {
    "": in_both("blank"),
    "cast": in_both("casting"),
    "heal": in_both("healing"),
    "cast+heal": in_both("casting_and_healing"),
    "scroll": in_both("reading_the_scroll"),
}


def gamble_table(title: Words, found: Sequence[Gamble], labels: Sequence[Label] | None = None, most: int = 3) -> Table:
    """A row for each number of dice: the chance of each number of actions and of losing the turn."""

    def actions(number: int) -> Callable[[Gamble], float]:
        return lambda one: one.actions[number] if number < len(one.actions) else 0.0

    columns: list[Column[Gamble]] = [
        *(Column(in_both("actions", number=n), actions(n)) for n in range(most + 1)),
        Column(in_both("turn_lost"), lambda one: one.lost),
        Column(in_both("powers_lost"), lambda one: one.exhausted, rare=True),
        Column(in_both("actions_on_average"), lambda one: one.mean, "number"),
    ]
    rows = zip(labels or [one.key for one in found], found, strict=True)
    return table(title, columns, rows, in_both("without_reroll"))


def dice_labels(found: Sequence[Gamble]) -> list[Words]:
    """`2 dice, casting`: for those who are not asked."""
    return [in_both("dice_announced", dice=one.dice, announced=ANNOUNCED[one.announced]) for one in found]


def gamble_title(fighter: Fighter, needed: int) -> Words:
    return in_both("is_activated_on", fighter=_name(fighter), needed=needed)


def _name(fighter: Fighter) -> Words:
    return {lang: fighter.name.get(lang) or fighter.name.get("en") or fighter.id for lang in LANGUAGES}


# -- what helps to answer ----------------------------------------------------------------------------------------------

FAILURES: Final = [in_both("no_failure"), in_both("1_failure"), in_both("2_failures"), in_both("3_failures")]


def _dice(battle: Battle, decision: Decision) -> Table:
    fighter = battle.units[decision.about["fighter"]]
    found = gambles(battle, fighter)
    return gamble_table(gamble_title(fighter, found[0].needed), found)


def _group_dice(battle: Battle, decision: Decision) -> Table:
    needed = decision.about["needed"]
    return gamble_table(in_both("group_is_activated_on", needed=needed), group_gambles_at(needed, battle.options))


def _fighters(battle: Battle, decision: Decision) -> Table | None:
    """How each fighter who may be named would gamble."""

    def with_dice(dice: int) -> list[Column[list[Gamble]]]:
        return [
            Column(in_both("turn_lost_with", dice=dice), lambda found: found[dice - 1].lost),
            Column(in_both("actions_with", dice=dice), lambda found: found[dice - 1].mean, "number"),
        ]

    needs: Column[list[Gamble]] = Column(in_both("needs"), lambda found: found[0].needed, "number")
    columns = [needs, *with_dice(2), *with_dice(3)]
    rows = [(option.key, gambles(battle, option.key)) for option in _options(decision) if option.key in battle.units]
    return table(in_both("who_is_activated_and_on_what"), columns, rows, in_both("without_reroll")) if rows else None


def _swap(battle: Battle, decision: Decision) -> Table:
    """The gamble with two dice, with his own Quality or with another's."""
    id = decision.about["fighter"]
    found, keys = [], []
    for option in _options(decision):
        twin = battle.copy()
        if option.key in twin.units:
            twin.swapped = (id, option.key)
        keys.append(option.key)
        found.append(gambles(twin, id)[1])
    return gamble_table(in_both("two_dice_with_either_quality"), found, keys, most=2)


def _action(battle: Battle, decision: Decision) -> Table | None:
    fighter = battle.units[decision.about["fighter"]]
    found = [(option.key, odds) for option in _options(decision) if (odds := offered(battle, fighter, option))]
    return attack_table(in_both("what_he_may_do", fighter=_name(fighter)), found) if found else None


def offered(battle: Battle, fighter: Fighter, option: Option) -> AttackOdds | None:
    """The odds of an action that is offered; None if no dice of this kind belong to it."""
    deed, target = option.word, battle.units.get(option.facts.get("target", ""))
    if deed in BRAVED:
        return brave_odds(battle, fighter, deed) if battle.enemies_at(fighter) else None
    if target is None or not (deed in ("attack", "power") or deed in RANGED or deed in SPELLS):
        return None
    return attack_odds(battle, fighter, target, deed, power=option.facts.get("power", 0))


def _member(battle: Battle, decision: Decision) -> Table | None:
    """What the shooters of a volley may do together."""
    known = []
    for option in _options(decision):
        deed, _, target = option.key.partition(":")
        if target in battle.units:
            shooters = volley_shooters(battle, option.key)
            known.append((option.key, attack_odds(battle, shooters[0], target, deed, shooters=shooters)))
    return attack_table(DEEDS["volley"], known) if known else None


def _hack(battle: Battle, decision: Decision) -> Table:
    hacker, victim = (battle.units[decision.about[role]] for role in ("fighter", "target"))
    title = in_both("free_hack_at", by=_name(hacker), on=_name(victim))
    return attack_table(title, [("yes", attack_odds(battle, hacker, victim, "hack"))])


def _reroll(battle: Battle, decision: Decision) -> Table:
    """What each die would bring if it were rolled again, against letting them lie."""
    about = decision.about
    faces: list[int] = about["faces"]
    if about["about"] == "combat":
        return _combat_reroll(decision, faces[0], about["total"], about["against"])
    # A die of which the Hero is sure is not among the faces.
    roll = QualityRoll(battle.units[about["fighter"]], about["about"], about["needed"], battle.options)
    columns = FAILURES[: len(faces) + 1]
    rows: list[tuple[Label, Sequence[float]]] = []
    for option in _options(decision):
        thrown = [faces]
        if option.key != "none":
            lie = list(faces)
            lie.remove(int(option.key.partition(":")[2]))
            thrown = [[*lie, second] for second in range(1, 7)]
        failed = [len(fell) - roll.successes(fell) for fell in thrown]
        rows.append((option.key, [failed.count(number) / len(failed) for number in range(len(columns))]))
    return table(in_both("a_die_rolled_again", needed=roll.needed), listed(columns), rows)


def _combat_reroll(decision: Decision, face: int, total: int, other: int) -> Table:
    rows: list[tuple[Label, Sequence[float]]] = []
    for option in _options(decision):
        totals = [total - face + second for second in ((face,) if option.key == "none" else range(1, 7))]
        shares = (sum(t > other for t in totals), sum(t == other for t in totals), sum(t < other for t in totals))
        rows.append((option.key, [share / len(totals) for share in shares]))
    return table(in_both("the_die_rolled_again"), listed([in_both("wins"), in_both("tie"), in_both("loses")]), rows)


def _morale(battle: Battle, decision: Decision) -> Table:
    rows = [(option.key, morale_odds(battle, option.key)) for option in _options(decision)]
    return table(in_both("morale"), listed(FAILURES), rows, in_both("without_reroll"))


def _brave(battle: Battle, decision: Decision) -> Table:
    """The roll as it is, and as it may be if it is made again."""
    now = [float(number == decision.about["failures"]) for number in range(4)]
    again = morale_odds(battle, decision.about["fighter"])
    rows = [(option.key, now if option.key == "none" else again) for option in _options(decision)]
    return table(in_both("the_morale_roll_made_again"), listed(FAILURES), rows)


def _options(decision: Decision) -> tuple[Option, ...]:
    options: tuple[Option, ...] = getattr(decision, "options", ())
    return options


# -- the odds of the game ----------------------------------------------------------------------------------------------


class SbhOdds(Odds[Battle, SbhConditions]):
    """The odds of Song of Blades and Heroes."""

    conditions = SbhConditions
    condition_words = Wording(TEXT, "conditions")
    helpers: ClassVar[Mapping[str, Helper]] = {
        "choose_fighter": _fighters,
        "swap_quality": _swap,
        "choose_dice": _dice,
        "choose_group_dice": _group_dice,
        "choose_action": _action,
        "choose_member": _member,
        "make_free_hack": _hack,
        "reroll_die": _reroll,
        "order_of_morale": _morale,
        "be_brave": _brave,
    }

    def answer_by_name(self, question: Question[SbhConditions]) -> Answer:
        names = question.attacker, question.defender
        cards = [card(ARMIES.unit(name).id) for name in names]
        duel = Duel(cards[0], cards[1], question.conditions, charge=question.charge)
        found = gambles(duel.battle, duel.attacker)
        gamble = gamble_table(gamble_title(duel.attacker, found[0].needed), found, dice_labels(found))
        return self._answer(question, (duel.attacker, duel.defender), duel.odds(), gamble)

    def answer(self, battle: Battle, question: Question[SbhConditions]) -> Answer:
        by, on = battle.units[question.attacker], battle.units[question.defender]
        if question.charge:
            refusal = why_not_attack(battle, by, on, 2, 2)
            if refusal is not None and refusal.why not in PASSING:
                raise Refused(refusal)
            return self._answer(question, (by, on), [attack_odds(battle, by, on, deed) for deed in ("attack", "power")])
        known = ranged_deeds(battle, by, on)
        if not known:
            raise problem_with("odds", notice("nothing_to_shoot_with", unit=by.name))
        open_to = [deed for deed, refusal in known.items() if refusal is None]
        if not open_to:
            raise Refused([refusal for refusal in known.values() if refusal is not None][-1])
        made = [attack_odds(battle, by, on, deed, power=power) for deed, power in open_to]
        return self._answer(question, (by, on), made)

    def _answer(
        self,
        question: Question[SbhConditions],
        units: tuple[Fighter, Fighter],
        odds: Sequence[AttackOdds],
        *more: Table,
    ) -> Answer:
        by, on = map(_name, units)
        title = in_both("attacks" if question.charge else "attacks_from_afar", by=by, on=on)
        return self.answer_about(
            question,
            units,
            {"odds": [one.to_data() for one in odds]},
            tables=[attack_table(title, [(label_of(one), one) for one in odds]), *more],
            sentence=attack_sentence(odds[0]),
            chart=attack_chart(odds[0]),
        )
