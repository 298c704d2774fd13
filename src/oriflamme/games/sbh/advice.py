"""Odds as tables that any screen can show, and those that help to answer a question.

    {"title": {"en", "fr"}, "columns": [{"en", "fr"}, …], "rows": [[label, number, …], …], "note": {"en", "fr"}}

A label is the key of the option it belongs to, or a name by language. Numbers are chances, but in a column that is `as`
"number".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.decisions import Decision, Option
from oriflamme.engine.foresight import chart, percent
from oriflamme.engine.sentences import LANGUAGES
from oriflamme.engine.wording import Wording
from oriflamme.games.sbh.actions import SPELLS
from oriflamme.games.sbh.odds import (
    BRAVED,
    RANGED,
    UNHARMED,
    Gamble,
    Odds,
    attack_odds,
    brave_odds,
    gambles,
    group_gambles_at,
    morale_odds,
)
from oriflamme.games.sbh.orders import volley_shooters
from oriflamme.games.sbh.quality import QualityRoll
from oriflamme.games.sbh.state import Battle, Fighter

in_both: Final = Wording(Path(__file__).parent / "text", "advice")

Data = dict[str, Any]
Label = str | Mapping[str, str]
Row = list[Any]


NOBODY: Final = in_both("blank")
# What befalls who is attacked, and who attacks.
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
FAILURES: Final = (
    in_both("no_failure"),
    in_both("1_failure"),
    in_both("2_failures"),
    in_both("3_failures"),
)
NO_HELP: Final = in_both("without_help")
NO_REROLL: Final = in_both("without_reroll")


def table(
    title: Mapping[str, str], columns: Iterable[Mapping[str, str]], rows: list[Row], note: Mapping[str, str] = NOBODY
) -> Data:
    made: Data = {"title": dict(title), "columns": [NOBODY, *columns], "rows": rows}
    return made | {"note": dict(note)} if note is not NOBODY else made


# -- what an attack does -----------------------------------------------------------------------------------------------


def label_of(odds: Odds) -> dict[str, str]:
    """`spell, Power 2`"""
    name = DEEDS[odds.deed]
    if not odds.power:
        return name
    return in_both("with_power", deed=name, power=odds.power)


def attack_title(by: Fighter, on: Fighter, *, charge: bool) -> dict[str, str]:
    return in_both("attacks" if charge else "attacks_from_afar", by=_name(by), on=_name(on))


def attack_table(title: Mapping[str, str], odds: Sequence[tuple[Label, Odds]]) -> Data:
    """A row for each attack: what it does to the other, and where both may suffer, to who makes it."""
    columns, values = [in_both("nothing")], [[_nothing(one) for _, one in odds]]
    for side, words in (("defender", ON_THE_OTHER), ("attacker", ON_HIMSELF)):
        for what, name in words.items():
            found = [float(getattr(getattr(one, side), what)) for _, one in odds]
            if any(found):
                columns.append(name)
                values.append(found)
    rows = [[label, *(column[number] for column in values)] for number, (label, _) in enumerate(odds)]
    return table(title, columns, rows, NO_HELP)


# What is worth a word in a sentence about an attack, in this order.
TOLD: Final = (
    (("kill", "gruesome"), in_both("p_to_kill")),
    (("wound",), in_both("p_to_wound")),
    (("fall",), in_both("p_to_knock_down")),
    (("recoil",), in_both("p_to_push_back")),
    (("transfixed",), in_both("p_to_transfix")),
)
TOLD_BACK: Final = in_both("p_to_be_killed")


def foreseen(odds: Odds) -> Data:
    """An attack in one sentence, and everything that may come of it as a chart."""

    def told(lang: str) -> str:
        parts = []
        for fates, words in TOLD:
            chance = sum(float(getattr(odds.defender, fate)) for fate in fates)
            if chance:
                parts.append(words[lang].format(p=percent(chance, lang)))
        killed = float(odds.attacker.kill + odds.attacker.gruesome)
        back = TOLD_BACK[lang].format(p=percent(killed, lang)) if killed else ""
        return f"{label_of(odds)[lang]}{' : ' if lang == 'fr' else ': '}{', '.join(parts[:3])}{back}"

    bars: list[tuple[Mapping[str, str], float]] = [(in_both("nothing"), _nothing(odds))]
    for side, words in (("defender", ON_THE_OTHER), ("attacker", ON_HIMSELF)):
        found = [(name, float(getattr(getattr(odds, side), what))) for what, name in words.items() if what != "poison"]
        bars += [(name, chance) for name, chance in found if chance]
    return {"summary": {lang: told(lang) for lang in LANGUAGES}, "chart": chart(label_of(odds), bars)}


def _nothing(odds: Odds) -> float:
    """Nobody is any the worse for it."""
    return float(odds.law.chance(lambda fates: all(fate[0] == UNHARMED[0] for fate in fates)))


def against(battle: Battle, fighter: Fighter, option: Option) -> Odds | None:
    """The odds of an action that is offered; None if no dice of this kind belong to it."""
    deed, target = option.word, battle.units.get(option.facts.get("target", ""))
    if deed in BRAVED:
        return brave_odds(battle, fighter, deed) if battle.enemies_at(fighter) else None
    if target is None or not (deed in ("attack", "power") or deed in RANGED or deed in SPELLS):
        return None
    return attack_odds(battle, fighter, target, deed, power=option.facts.get("power", 0))


# -- the gamble --------------------------------------------------------------------------------------------------------


def gamble_table(
    title: Mapping[str, str], found: Sequence[Gamble], labels: Sequence[Label] | None = None, *, most: int = 3
) -> Data:
    """A row for each number of dice: the chance of each number of actions and of losing the turn."""
    columns: list[Data] = [dict(in_both("actions", number=n)) for n in range(most + 1)]
    columns.append(dict(in_both("turn_lost")))
    exhausting = any(one.exhausted for one in found)
    if exhausting:
        columns.append(dict(in_both("powers_lost")))
    columns.append({**in_both("actions_on_average"), "as": "number"})
    rows: list[Row] = []
    for label, one in zip(labels or [one.key for one in found], found, strict=True):
        actions = [*one.actions, *[0.0] * most][: most + 1]
        rows.append([label, *actions, one.lost, *([one.exhausted] if exhausting else []), one.mean])
    return table(title, columns, rows, NO_REROLL)


def dice_labels(found: Sequence[Gamble]) -> list[dict[str, str]]:
    """`2 dice, casting`: for those who are not asked."""
    words = {
        "": NOBODY,
        "cast": in_both("casting"),
        "heal": in_both("healing"),
        "cast+heal": in_both("casting_and_healing"),
        "scroll": in_both("reading_the_scroll"),
    }
    return [in_both("dice_announced", dice=one.dice, announced=words[one.announced]) for one in found]


def gamble_title(fighter: Fighter, needed: int) -> dict[str, str]:
    return in_both("is_activated_on", fighter=_name(fighter), needed=needed)


def _name(fighter: Fighter) -> dict[str, str]:
    return {lang: fighter.name.get(lang) or fighter.name.get("en") or fighter.id for lang in LANGUAGES}


# -- what helps to answer ----------------------------------------------------------------------------------------------


def odds_for(battle: Battle, decision: Decision) -> Data | None:
    """The odds that help to answer a question, as things stand; None where no dice depend on it."""
    helper = _HELPERS.get(decision.ask)
    return helper(battle, decision) if helper is not None else None


def _dice(battle: Battle, decision: Decision) -> Data:
    fighter = battle.units[decision.about["fighter"]]
    found = gambles(battle, fighter)
    return gamble_table(gamble_title(fighter, found[0].needed), found)


def _group_dice(battle: Battle, decision: Decision) -> Data:
    needed = decision.about["needed"]
    title = in_both("group_is_activated_on", needed=needed)
    return gamble_table(title, group_gambles_at(needed, battle.options))


def _fighters(battle: Battle, decision: Decision) -> Data | None:
    """How each fighter who may be named would gamble."""
    columns: list[Data] = [{**in_both("needs"), "as": "number"}]
    for dice in (2, 3):
        columns.append(dict(in_both("turn_lost_with", dice=dice)))
        columns.append({**in_both("actions_with", dice=dice), "as": "number"})
    rows: list[Row] = []
    for option in _options(decision):
        if option.key in battle.units:
            _, two, three = gambles(battle, option.key)[:3]
            rows.append([option.key, two.needed, two.lost, two.mean, three.lost, three.mean])
    title = in_both("who_is_activated_and_on_what")
    return table(title, columns, rows, NO_REROLL) if rows else None


def _swap(battle: Battle, decision: Decision) -> Data:
    """The gamble with two dice, with his own Quality or with another's."""
    id = decision.about["fighter"]
    found, keys = [], []
    for option in _options(decision):
        twin = battle.copy()
        if option.key in twin.units:
            twin.swapped = (id, option.key)
        keys.append(option.key)
        found.append(gambles(twin, id)[1])
    title = in_both("two_dice_with_either_quality")
    return gamble_table(title, found, keys, most=2)


def _action(battle: Battle, decision: Decision) -> Data | None:
    fighter = battle.units[decision.about["fighter"]]
    found = [(option.key, against(battle, fighter, option)) for option in _options(decision)]
    known = [(key, odds) for key, odds in found if odds is not None]
    title = in_both("what_he_may_do", fighter=_name(fighter))
    return attack_table(title, known) if known else None


def _member(battle: Battle, decision: Decision) -> Data | None:
    """What the shooters of a volley may do together."""
    known = []
    for option in _options(decision):
        deed, _, target = option.key.partition(":")
        if target in battle.units:
            shooters = volley_shooters(battle, option.key)
            known.append((option.key, attack_odds(battle, shooters[0], target, deed, shooters=shooters)))
    return attack_table(DEEDS["volley"], known) if known else None


def _hack(battle: Battle, decision: Decision) -> Data:
    hacker, victim = (battle.units[decision.about[role]] for role in ("fighter", "target"))
    title = in_both("free_hack_at", by=_name(hacker), on=_name(victim))
    return attack_table(title, [("yes", attack_odds(battle, hacker, victim, "hack"))])


def _reroll(battle: Battle, decision: Decision) -> Data:
    """What each die would bring if it were rolled again, against letting them lie."""
    about = decision.about
    faces: list[int] = about["faces"]
    if about["about"] == "combat":
        return _combat_reroll(decision, faces[0], about["total"], about["against"])
    # A die of which the Hero is sure is not among the faces.
    roll = QualityRoll(battle.units[about["fighter"]], about["about"], about["needed"], battle.options)
    columns = FAILURES[: len(faces) + 1]
    rows: list[Row] = []
    for option in _options(decision):
        thrown = [faces]
        if option.key != "none":
            lie = list(faces)
            lie.remove(int(option.key.partition(":")[2]))
            thrown = [[*lie, second] for second in range(1, 7)]
        failed = [len(fell) - roll.successes(fell) for fell in thrown]
        rows.append([option.key, *(failed.count(number) / len(failed) for number in range(len(columns)))])
    title = in_both("a_die_rolled_again", needed=roll.needed)
    return table(title, columns, rows)


def _combat_reroll(decision: Decision, face: int, total: int, other: int) -> Data:
    columns = (in_both("wins"), in_both("tie"), in_both("loses"))
    rows: list[Row] = []
    for option in _options(decision):
        totals = [total - face + second for second in ((face,) if option.key == "none" else range(1, 7))]
        shares = (sum(t > other for t in totals), sum(t == other for t in totals), sum(t < other for t in totals))
        rows.append([option.key, *(share / len(totals) for share in shares)])
    return table(in_both("the_die_rolled_again"), columns, rows)


def _morale(battle: Battle, decision: Decision) -> Data:
    rows: list[Row] = [[option.key, *morale_odds(battle, option.key)] for option in _options(decision)]
    return table(in_both("morale"), FAILURES, rows, NO_REROLL)


def _brave(battle: Battle, decision: Decision) -> Data:
    """The roll as it is, and as it may be if it is made again."""
    now = [float(number == decision.about["failures"]) for number in range(4)]
    again = morale_odds(battle, decision.about["fighter"])
    rows: list[Row] = [[key, *(now if key == "none" else again)] for key in (o.key for o in _options(decision))]
    return table(in_both("the_morale_roll_made_again"), FAILURES, rows)


def _options(decision: Decision) -> tuple[Option, ...]:
    options: tuple[Option, ...] = getattr(decision, "options", ())
    return options


_HELPERS: Final[dict[str, Callable[[Battle, Decision], Data | None]]] = {
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
