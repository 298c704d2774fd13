"""Odds as tables that any screen can show, and those that help to answer a question.

    {"title": {"en", "fr"}, "columns": [{"en", "fr"}, …], "rows": [[label, number, …], …], "note": {"en", "fr"}}

A label is the key of the option it belongs to, or a name by language. Numbers are chances, but in a column that is `as`
"number".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.decisions import Decision, Option
from oriflamme.engine.foresight import chart, percent
from oriflamme.engine.sentences import LANGUAGES
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

Data = dict[str, Any]
Label = str | Mapping[str, str]
Row = list[Any]


def said(en: str, fr: str) -> dict[str, str]:
    return {"en": en, "fr": fr}


NOBODY: Final = said("", "")
# What befalls who is attacked, and who attacks.
ON_THE_OTHER: Final = {
    "recoil": said("recoils", "repoussé"),
    "fall": said("falls", "mis à terre"),
    "wound": said("wounded", "blessé"),
    "kill": said("killed", "mort"),
    "gruesome": said("gruesome", "mort horrible"),
    "transfixed": said("transfixed", "immobilisé"),
    "poison": said("poisoned", "empoisonné"),
}
ON_HIMSELF: Final = {
    "free": said("gets away", "se désengage"),
    "recoil": said("own recoil", "recul subi"),
    "fall": said("own fall", "chute subie"),
    "wound": said("own wound", "blessure subie"),
    "kill": said("own death", "mort subie"),
    "gruesome": said("own gruesome death", "mort horrible subie"),
    "poison": said("own poisoning", "poison subi"),
}
DEEDS: Final = {
    "attack": said("attack", "attaque"),
    "power": said("power attack", "attaque en puissance"),
    "hack": said("free hack", "attaque réflexe"),
    "shoot": said("shot", "tir"),
    "aim": said("aimed shot", "tir visé"),
    "javelin": said("magic javelin", "javelot magique"),
    "aimjavelin": said("aimed javelin", "javelot visé"),
    "volley": said("concentrated fire", "tir concentré"),
    "aimvolley": said("aimed concentrated fire", "tir concentré visé"),
    "bolt": said("spell", "sort"),
    "transfix": said("transfix", "immobilisation"),
    "entangle": said("entangle", "enchevêtrement"),
    "leave": said("leave combat", "se désengager"),
    "stand": said("stand up", "se relever"),
}
FAILURES: Final = (
    said("no failure", "aucun échec"),
    said("1 failure", "1 échec"),
    said("2 failures", "2 échecs"),
    said("3 failures", "3 échecs"),
)
NO_HELP: Final = said(
    "without re-rolls, band upgrades and the free hacks that a recoil may bring",
    "sans relances, améliorations de bande ni attaques réflexes dues à un recul",
)
NO_REROLL: Final = said(
    "without the Hero's re-roll and band upgrades", "sans relance du Héros ni amélioration de bande"
)


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
    return said(f"{name['en']}, Power {odds.power}", f"{name['fr']}, Puissance {odds.power}")


def attack_title(by: Fighter, on: Fighter, *, charge: bool) -> dict[str, str]:
    en, fr = ("", "") if charge else (" from afar", " de loin")
    return said(f"{_name(by, 'en')} attacks {_name(on, 'en')}{en}", f"{_name(by, 'fr')} attaque {_name(on, 'fr')}{fr}")


def attack_table(title: Mapping[str, str], odds: Sequence[tuple[Label, Odds]]) -> Data:
    """A row for each attack: what it does to the other, and where both may suffer, to who makes it."""
    columns, values = [said("nothing", "rien")], [[_nothing(one) for _, one in odds]]
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
    (("kill", "gruesome"), said("{p} to kill", "{p} de tuer")),
    (("wound",), said("{p} to wound", "{p} de blesser")),
    (("fall",), said("{p} to knock down", "{p} de mettre à terre")),
    (("recoil",), said("{p} to push back", "{p} de repousser")),
    (("transfixed",), said("{p} to transfix", "{p} d'immobiliser")),
)
TOLD_BACK: Final = said("; {p} to be killed", " ; {p} d'être tué")


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

    bars: list[tuple[Mapping[str, str], float]] = [(said("nothing", "rien"), _nothing(odds))]
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
    columns: list[Data] = [
        dict(said(f"{n} action{'s' * (n != 1)}", f"{n} action{'s' * (n > 1)}")) for n in range(most + 1)
    ]
    columns.append(dict(said("turn lost", "tour perdu")))
    exhausting = any(one.exhausted for one in found)
    if exhausting:
        columns.append(dict(said("powers lost", "pouvoirs perdus")))
    columns.append({**said("actions on average", "actions en moyenne"), "as": "number"})
    rows: list[Row] = []
    for label, one in zip(labels or [one.key for one in found], found, strict=True):
        actions = [*one.actions, *[0.0] * most][: most + 1]
        rows.append([label, *actions, one.lost, *([one.exhausted] if exhausting else []), one.mean])
    return table(title, columns, rows, NO_REROLL)


def dice_labels(found: Sequence[Gamble]) -> list[dict[str, str]]:
    """`2 dice, casting`: for those who are not asked."""
    words = {
        "": NOBODY,
        "cast": said(", casting", ", sort annoncé"),
        "heal": said(", healing", ", soins annoncés"),
        "cast+heal": said(", casting and healing", ", sort et soins annoncés"),
        "scroll": said(", reading the scroll", ", parchemin annoncé"),
    }
    made = []
    for one in found:
        word = words[one.announced]
        many = one.dice > 1
        made.append(
            said(f"{one.dice} {'dice' if many else 'die'}{word['en']}", f"{one.dice} dé{'s' * many}{word['fr']}")
        )
    return made


def gamble_title(fighter: Fighter, needed: int) -> dict[str, str]:
    return said(f"{_name(fighter, 'en')} is activated on {needed}+", f"{_name(fighter, 'fr')} s'active à {needed}+")


def _name(fighter: Fighter, lang: str) -> str:
    return fighter.name.get(lang) or fighter.name.get("en") or fighter.id


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
    title = said(f"The group is activated on {needed}+", f"Le groupe s'active à {needed}+")
    return gamble_table(title, group_gambles_at(needed, battle.options))


def _fighters(battle: Battle, decision: Decision) -> Data | None:
    """How each fighter who may be named would gamble."""
    columns: list[Data] = [{**said("needs", "requis"), "as": "number"}]
    for dice in (2, 3):
        columns.append(dict(said(f"{dice} dice: turn lost", f"{dice} dés : tour perdu")))
        columns.append({**said(f"{dice} dice: actions", f"{dice} dés : actions"), "as": "number"})
    rows: list[Row] = []
    for option in _options(decision):
        if option.key in battle.units:
            _, two, three = gambles(battle, option.key)[:3]
            rows.append([option.key, two.needed, two.lost, two.mean, three.lost, three.mean])
    title = said("Who is activated, and on what", "Qui s'active, et à combien")
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
    title = said("Two dice with either Quality", "Deux dés avec l'une ou l'autre Qualité")
    return gamble_table(title, found, keys, most=2)


def _action(battle: Battle, decision: Decision) -> Data | None:
    fighter = battle.units[decision.about["fighter"]]
    found = [(option.key, against(battle, fighter, option)) for option in _options(decision)]
    known = [(key, odds) for key, odds in found if odds is not None]
    title = said(f"What {_name(fighter, 'en')} may do", f"Ce que peut faire {_name(fighter, 'fr')}")
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
    title = said(
        f"{_name(hacker, 'en')}, free hack at {_name(victim, 'en')}",
        f"{_name(hacker, 'fr')}, attaque réflexe sur {_name(victim, 'fr')}",
    )
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
    title = said(f"A die rolled again, {roll.needed}+ needed", f"Un dé relancé, {roll.needed}+ requis")
    return table(title, columns, rows)


def _combat_reroll(decision: Decision, face: int, total: int, other: int) -> Data:
    columns = (said("wins", "gagne"), said("tie", "égalité"), said("loses", "perd"))
    rows: list[Row] = []
    for option in _options(decision):
        totals = [total - face + second for second in ((face,) if option.key == "none" else range(1, 7))]
        shares = (sum(t > other for t in totals), sum(t == other for t in totals), sum(t < other for t in totals))
        rows.append([option.key, *(share / len(totals) for share in shares)])
    return table(said("The die rolled again", "Le dé relancé"), columns, rows)


def _morale(battle: Battle, decision: Decision) -> Data:
    rows: list[Row] = [[option.key, *morale_odds(battle, option.key)] for option in _options(decision)]
    return table(said("Morale", "Moral"), FAILURES, rows, NO_REROLL)


def _brave(battle: Battle, decision: Decision) -> Data:
    """The roll as it is, and as it may be if it is made again."""
    now = [float(number == decision.about["failures"]) for number in range(4)]
    again = morale_odds(battle, decision.about["fighter"])
    rows: list[Row] = [[key, *(now if key == "none" else again)] for key in (o.key for o in _options(decision))]
    return table(said("The morale roll made again", "Le test de moral refait"), FAILURES, rows)


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
