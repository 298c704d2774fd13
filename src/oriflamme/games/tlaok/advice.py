"""Odds as tables, sentences and charts that any screen can show, and those that help to answer a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import pi
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.decisions import Decision, PickOne, Refused
from oriflamme.engine.dice import HiddenDice
from oriflamme.engine.events import Refusal
from oriflamme.engine.foresight import chart, count, counted, percent
from oriflamme.engine.measure import INCH, in_inches
from oriflamme.engine.notices import notice
from oriflamme.engine.problems import did_you_mean, problem_with
from oriflamme.engine.sentences import LANGUAGES
from oriflamme.engine.table import Table
from oriflamme.engine.wording import Wording
from oriflamme.games.tlaok.abilities import take_the_field
from oriflamme.games.tlaok.activation import unit_of
from oriflamme.games.tlaok.charge import BEST_ROLL, distance_to, onrush_of
from oriflamme.games.tlaok.charge import why_not_target as why_not_charged
from oriflamme.games.tlaok.duel import opponents, why_not_duel
from oriflamme.games.tlaok.magic import casters, spells_of
from oriflamme.games.tlaok.magic import why_not_target as why_not_cast
from oriflamme.games.tlaok.odds import (
    DuelOdds,
    Odds,
    SpellOdds,
    charge_odds,
    charged_home,
    clash_odds,
    duel_odds,
    morale_odds,
    passes_chance,
    reach_by_distance,
    reach_chance,
    spell_odds,
    volley_odds,
)
from oriflamme.games.tlaok.profile import Spell
from oriflamme.games.tlaok.state import Battle, Regiment, Stand
from oriflamme.games.tlaok.volley import can_shoot, why_not_arcing, why_not_target
from oriflamme.games.tlaok.wounds import Cause

in_both: Final = Wording(Path(__file__).parent / "text", "advice")

Data = dict[str, Any]
Label = str | Mapping[str, str]

TABLE: Final = 48 * INCH
# Wounds that a table of morale has rows for.
ROWS: Final = 12


def numbered(key: str) -> dict[str, str]:
    return in_both(key) | {"as": "number"}


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
BLANK: Final = in_both("blank")
BROKEN: Final = in_both("broken")
DESTROYED: Final = in_both("destroyed")
LOST: Final = numbered("stands_lost")
COLUMNS: Final = [
    BLANK,
    numbered("dice"),
    numbered("hits"),
    numbered("wounds"),
    LOST,
    BROKEN,
    DESTROYED,
]
BACK: Final = [numbered("wounds_taken"), numbered("own_stands_lost")]
NOTE: Final = in_both("each_attack_by_itself")


def title_of(what: str, by: Regiment, on: Regiment) -> dict[str, str]:
    """Of a duel the characters are named."""

    def called(regiment: Regiment, lang: str) -> str:
        hero = regiment.character if what == "duel" else None
        name = hero.profile.name if hero is not None else regiment.name
        return name.get(lang, regiment.id)

    return {lang: TITLES[what][lang].format(by=called(by, lang), on=called(on, lang)) for lang in LANGUAGES}


# -- tables ------------------------------------------------------------------------------------------------------------


def attack_table(title: Mapping[str, str], odds: Sequence[tuple[Label, Odds]]) -> Data:
    """A row for each attack: dice, hits, wounds and stands lost on average, and how likely it breaks or destroys; and
    what it costs the attacker, where anything is struck back."""
    back = any(one.taken.mean() for _, one in odds)
    rows = [
        [
            label,
            one.attacks,
            float(one.hits.mean()),
            float(one.wounds.mean()),
            float(one.lost.mean()),
            one.broken,
            one.destroyed,
            *((float(one.taken.mean()), float(one.own_lost.mean())) if back else ()),
        ]
        for label, one in odds
    ]
    return {"title": dict(title), "columns": [*COLUMNS, *(BACK if back else [])], "rows": rows, "note": NOTE}


def charge_table(battle: Battle, by: Regiment, on: Regiment, chance: float) -> Data:
    """How likely a charge comes home as things stand, and how likely one is long enough at each distance."""
    away = in_inches(distance_to(battle, by, on))
    far = reach_by_distance(battle, by)
    columns = [BLANK, in_both("arrives_from", away=away)]
    columns += [in_both("inches", number=inches) for inches in far]
    note = in_both("arrives_note")
    rows = [[NAMES["charge"], chance, *far.values()]]
    return {"title": title_of("charge", by, on), "columns": columns, "rows": rows, "note": note}


def duel_table(title: Mapping[str, str], rows: Sequence[tuple[Label, float, float]]) -> Data:
    columns = [
        BLANK,
        in_both("own_character_falls"),
        in_both("the_other_falls"),
    ]
    return {"title": dict(title), "columns": columns, "rows": [list(row) for row in rows]}


def spell_table(title: Mapping[str, str], spells: Sequence[tuple[Label, SpellOdds]]) -> Data:
    """A row for each spell or target: its casting roll, how likely it succeeds, and what comes of it on average."""
    columns = [
        BLANK,
        numbered("dice"),
        numbered("or_less"),
        numbered("successes_needed"),
        in_both("cast"),
    ]
    hurts, heals = any(one.odds for _, one in spells), any(one.healed.mean() for _, one in spells)
    rows: list[list[Any]] = []
    for label, one in spells:
        row = [label, one.dice, one.attunement, one.needed, one.cast]
        if hurts:
            odds = one.odds
            row += [
                float(odds.hits.mean()) if odds else 0,
                float(odds.wounds.mean()) if odds else 0,
                float(odds.lost.mean()) if odds else 0,
                odds.destroyed if odds else 0,
            ]
        rows.append([*row, float(one.healed.mean())] if heals else row)
    columns += [*COLUMNS[2:5], DESTROYED] if hurts else []
    columns += [numbered("wounds_healed")] if heals else []
    return {"title": dict(title), "columns": columns, "rows": rows}


def morale_table(battle: Battle, by: Regiment, on: Regiment) -> Data | None:
    """A row for each number of wounds in a Clash: what is tested for them, what fails, and what is left."""
    face = battle.contacts.get(on.id, {}).get(by.id, "front")
    found = morale_odds(battle, on, Cause("TLAOK-CLASH-18", "clash", by.id, face))[:ROWS]
    columns = [
        numbered("wounds"),
        numbered("resolve"),
        numbered("more_by_morale"),
        LOST,
        BROKEN,
        DESTROYED,
    ]
    rows = [
        [
            dict.fromkeys(LANGUAGES, str(one.wounds)),
            one.resolve,
            float(one.more.mean()),
            float(one.fate.map(lambda fate: fate.lost).mean()),
            float(one.fate.chance(lambda fate: fate.broken and not fate.gone)),
            float(one.fate.chance(lambda fate: fate.gone)),
        ]
        for one in found
    ]
    return {"title": title_of("morale", by, on), "columns": columns, "rows": rows} if rows else None


# -- sentences and charts ----------------------------------------------------------------------------------------------

WOUNDS: Final = in_both.forms("wound")
STANDS: Final = in_both.forms("stand_lost")
REACHES: Final = in_both("p_to_arrive")
CASTS: Final = in_both("p_to_be_cast")
HEALS: Final = in_both.forms("wound_healed")
DESTROYS: Final = in_both("p_to_destroy")
BREAKS: Final = in_both("p_to_break")
COSTS: Final = in_both("n_in_return")
DUELS: Final = in_both("p_to_slay_him_q_to_fall")
FALLS: Final = {
    (False, False): in_both("both_stand"),
    (False, True): in_both("the_other_falls"),
    (True, False): in_both("own_falls"),
    (True, True): in_both("both_fall"),
}


def sentence(what: str, parts: Callable[[str], Iterable[str]]) -> dict[str, str]:
    colon = in_both("blank_2")
    return {lang: f"{NAMES[what][lang]}{colon[lang]}{', '.join(parts(lang))}" for lang in LANGUAGES}


def foreseen(odds: Odds, chance: float | None = None) -> Data:
    """An attack in one sentence, and the stands it may cost as a chart."""

    def told(lang: str) -> Iterable[str]:
        if chance is not None:
            yield REACHES[lang].format(p=percent(chance, lang))
        yield count(float(odds.wounds.mean()), lang, *WOUNDS[lang])
        yield count(float(odds.lost.mean()), lang, *STANDS[lang])
        if odds.broken:
            yield BREAKS[lang].format(p=percent(odds.broken, lang))
        if odds.destroyed:
            yield DESTROYS[lang].format(p=percent(odds.destroyed, lang))
        if odds.taken.mean():
            yield COSTS[lang].format(n=count(float(odds.taken.mean()), lang, *WOUNDS[lang]))

    lost = {number: float(share) for number, share in odds.lost.items()}
    return {"summary": sentence(odds.what, told), "chart": counted(_plain(LOST), lost)}


def duel_foreseen(odds: DuelOdds) -> Data:
    """A duel in one sentence, and who is left as a chart."""

    def told(lang: str) -> Iterable[str]:
        own, other = percent(odds.challenger_falls, lang), percent(odds.challenged_falls, lang)
        yield DUELS[lang].format(p=other, q=own)

    bars = [(FALLS[which], float(odds.falls[which])) for which in FALLS]
    return {"summary": sentence("duel", told), "chart": chart(NAMES["duel"], bars)}


def spell_foreseen(odds: SpellOdds) -> Data:
    """A spell in one sentence, and its wounds, or whether it is cast, as a chart."""

    def told(lang: str) -> Iterable[str]:
        yield CASTS[lang].format(p=percent(odds.cast, lang))
        if odds.odds is not None:
            yield count(float(odds.odds.wounds.mean()), lang, *WOUNDS[lang])
            yield count(float(odds.odds.lost.mean()), lang, *STANDS[lang])
        if odds.healed.mean():
            yield count(float(odds.healed.mean()), lang, *HEALS[lang])

    if odds.odds is not None:
        wounds = {number: float(share) for number, share in odds.odds.wounds.items()}
        drawn = counted(_plain(COLUMNS[3]), wounds)
    else:
        drawn = chart(NAMES["spell"], [(in_both("cast"), odds.cast), (in_both("failed"), 1 - odds.cast)])
    return {"summary": sentence("spell", told), "chart": drawn}


def _plain(column: Mapping[str, str]) -> dict[str, str]:
    return {lang: column[lang] for lang in LANGUAGES}


# -- an attack of one regiment on another ------------------------------------------------------------------------------


def told_of(battle: Battle, by: Regiment, on: Regiment, way: str) -> Data:
    """What one regiment may do to another, as tables, a sentence and a chart; raises Refused if it may not.

    `way` is "charge", "volley", "lob", "clash", "duel", "spell" for all that can be cast, or "spell:ID" for one.
    """
    kind, _, which = way.partition(":")
    if kind not in _WAYS:
        raise problem_with("odds", notice("unknown", word=way), hint=did_you_mean(way, _WAYS))
    for regiment in (by, on):
        if not regiment.on_table:
            raise Refused(Refusal("TLAOK-REINF-01", "not_on_the_table", {"target": regiment.id}))
    if by.side == on.side and kind != "spell":
        raise Refused(Refusal("TLAOK-CLASH-01", "no_enemy", {"target": on.id}))
    told = _WAYS[kind](battle, by, on, which)
    return {
        "attacker": by.id,
        "defender": on.id,
        "names": {"attacker": by.name, "defender": on.name},
        "charge": kind == "charge",
        "method": "exact",
        **told,
    }


def _refuse(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise Refused(refusal)


def _charge(battle: Battle, by: Regiment, on: Regiment, which: str) -> Data:
    """A charge: whether it arrives, its impact attacks and its Clash, and the morale of the other."""
    _refuse(why_not_charged(battle, by, on, onrush_of(battle, by)))
    chance, found = charge_odds(battle, by, on, both=True)
    tables = [charge_table(battle, by, on, chance)]
    if found:
        tables.append(attack_table(title_of("charge", by, on), [(NAMES[one.what], one) for one in found]))
    home = charged_home(battle, by, on)
    morale = morale_table(home, home.units[by.id], home.units[on.id]) if home is not None else None
    tables += [morale] if morale is not None else []
    said_so = foreseen(found[-1], chance) if found else {}
    return {
        "reach": reach_chance(battle, by, on),
        "arrives": chance,
        "odds": [data_of(one) for one in found],
        "tables": tables,
        **said_so,
    }


def _volley(battle: Battle, by: Regiment, on: Regiment, which: str) -> Data:
    _refuse(_in_combat(battle, by) or why_not_target(battle, by, on))
    return _attack(volley_odds(battle, by, on), title_of("volley", by, on))


def _in_combat(battle: Battle, by: Regiment) -> Refusal | None:
    """Nobody shoots who touches an enemy (TLAOK-CONTACT-03)."""
    return Refusal("TLAOK-CONTACT-03", "in_combat", {"regiment": by.id}) if battle.is_engaged(by) else None


def _lob(battle: Battle, by: Regiment, on: Regiment, which: str) -> Data:
    """A volley over the heads of others."""
    _refuse(_in_combat(battle, by) or why_not_arcing(battle, by, on))
    return _attack(volley_odds(battle, by, on, arcing=True), title_of("volley", by, on))


def _clash(battle: Battle, by: Regiment, on: Regiment, which: str) -> Data:
    if on not in battle.engaged(by):
        raise Refused(Refusal("TLAOK-CLASH-01", "not_engaged", {"regiment": by.id, "target": on.id}))
    told = _attack(clash_odds(battle, by, on), title_of("clash", by, on))
    morale = morale_table(battle, by, on)
    return told | {"tables": [*told["tables"], *([morale] if morale is not None else [])]}


def _attack(odds: Odds, title: Mapping[str, str]) -> Data:
    tables = [attack_table(title, [(NAMES[odds.what], odds)])]
    return {"odds": [data_of(odds)], "tables": tables, **foreseen(odds)}


def _duel(battle: Battle, by: Regiment, on: Regiment, which: str) -> Data:
    facts = {"regiment": by.id}
    if by.hero is None or on not in opponents(battle, by):
        raise Refused(why_not_duel(battle, by) or Refusal("TLAOK-DUEL-01", "no_opponent", facts))
    odds = duel_odds(battle, by, on)
    row = (NAMES["duel"], odds.challenger_falls, odds.challenged_falls)
    data = {"what": "duel", "falls": odds.challenger_falls, "slays": odds.challenged_falls}
    return {"odds": [data], "tables": [duel_table(title_of("duel", by, on), [row])], **duel_foreseen(odds)}


def _spells(battle: Battle, by: Regiment, on: Regiment, which: str) -> Data:
    """The spells that can be cast on a regiment, or the one that is named."""
    refused: list[Refusal] = []
    found: list[tuple[Spell, SpellOdds]] = []
    for spell, stands in known_spells(by):
        if which in ("", spell.id):
            refusal = why_not_cast(battle, by, stands, spell, on)
            if refusal is not None:
                refused.append(refusal)
            else:
                found.append((spell, spell_odds(battle, by, stands, spell, on)))
    if not found:
        raise Refused(refused[0] if refused else Refusal("TLAOK-MAGIC-01", "no_spell", {"regiment": by.id}))
    data = [
        {"what": "spell", "spell": spell.id, "cast": one.cast, "healed": one.healed.to_data()}
        | (data_of(one.odds) if one.odds is not None else {})
        for spell, one in found
    ]
    table = spell_table(title_of("spell", by, on), [(dict(spell.name), one) for spell, one in found])
    return {"odds": data, "tables": [table], **spell_foreseen(found[0][1])}


def known_spells(regiment: Regiment) -> list[tuple[Spell, list[Stand]]]:
    """What a regiment and its character may cast, and who does."""
    return [
        (spell, stands)
        for hero in (False, True)
        if (stands := casters(regiment, hero=hero))
        for spell in spells_of(regiment, hero=hero)
    ]


_WAYS: Final[Mapping[str, Callable[[Battle, Regiment, Regiment, str], Data]]] = {
    "charge": _charge,
    "volley": _volley,
    "lob": _lob,
    "clash": _clash,
    "duel": _duel,
    "spell": _spells,
}


def data_of(odds: Odds) -> Data:
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


def meeting(regiments: tuple[Regiment, Regiment], options: dict[str, str], inches: float) -> Battle:
    """Two regiments face to face on an empty table, so far apart."""
    battle = Battle(Table(TABLE, TABLE), options, HiddenDice())
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


# -- questions ---------------------------------------------------------------------------------------------------------


def odds_for(battle: Battle, decision: Decision) -> Data | None:
    """The odds that help to answer a question."""
    answer = QUESTIONS.get(decision.ask)
    return answer(battle, decision) if answer is not None and isinstance(decision, PickOne) else None


def _shots(battle: Battle, decision: PickOne) -> Data:
    regiment = battle.units[decision.about["regiment"]]
    rows: list[tuple[Label, Odds]] = []
    for option in decision.options:
        target = battle.units[option.facts["target"]]
        rows.append((option.key, volley_odds(battle, regiment, target, arcing=option.word == "lob")))
    return attack_table(NAMES["volley"], rows)


def _charges(battle: Battle, decision: PickOne) -> Data:
    """Whether each charge is long enough, whether it arrives by the way that is open to it, and what becomes of the
    enemy in its Clash."""
    regiment = battle.units[decision.about["regiment"]]
    columns = [
        BLANK,
        in_both("long_enough"),
        in_both("arrives"),
        numbered("impact_wounds"),
        numbered("clash_wounds"),
        in_both("destroyed_by_the_clash"),
    ]
    rows: list[list[Any]] = []
    for key in (option.key for option in decision.options):
        reach = reach_chance(battle, regiment, battle.units[key])
        chance, found = charge_odds(battle, regiment, battle.units[key])
        by = {one.what: one for one in found}
        wounds = [float(by[what].wounds.mean()) if what in by else 0.0 for what in ("impact", "clash")]
        rows.append([key, reach, chance, *wounds, by["clash"].destroyed if "clash" in by else 0.0])
    return {"title": NAMES["charge"], "columns": columns, "rows": rows}


def _reroll(battle: Battle, decision: PickOne) -> Data | None:
    """A charge that fell short: the second die is long enough, or not."""
    regiment, needed = battle.units[decision.about["regiment"]], decision.about.get("needed", 0)
    if not needed:
        return None
    column = in_both("arrives")
    rows = [["yes", max(0, BEST_ROLL + 1 - needed) / BEST_ROLL], ["no", 0.0]]
    return {"title": dict(regiment.name), "columns": [BLANK, column], "rows": rows}


def _actions(battle: Battle, decision: PickOne) -> Data | None:
    """What a Clash does to each enemy in contact; whether a reform or a withdrawal would be in order."""
    regiment = battle.units[decision.about["regiment"]]
    if decision.about.get("character"):
        return None
    keys = {option.key for option in decision.options}
    if "clash" in keys:
        enemies = battle.engaged(regiment)
        rows: list[tuple[Label, Odds]] = [(enemy.id, clash_odds(battle, regiment, enemy)) for enemy in enemies]
        return attack_table(NAMES["clash"], rows)
    ordered = [key for key in ("combat_reform", "withdraw") if key in keys]
    if not ordered:
        return None
    chance = passes_chance(battle, regiment)
    columns = [BLANK, in_both("in_order")]
    return {"title": dict(regiment.name), "columns": columns, "rows": [[key, chance] for key in ordered]}


def _targets(battle: Battle, decision: PickOne) -> Data:
    """The whole Clash against each enemy that a stand may strike or support against."""
    regiment = battle.units[decision.about["regiment"]]
    rows: list[tuple[Label, Odds]] = [
        (option.key, clash_odds(battle, regiment, battle.units[option.key])) for option in decision.options
    ]
    return attack_table(NAMES["clash"], rows)


def _spell_choices(battle: Battle, decision: PickOne) -> Data:
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


def _spell_targets(battle: Battle, decision: PickOne) -> Data:
    regiment, stands, spells = _casting(battle, decision)
    spell = spells[decision.about["spell"]]
    rows: list[tuple[Label, SpellOdds]] = [
        (option.key, spell_odds(battle, regiment, stands, spell, battle.units[option.key]))
        for option in decision.options
    ]
    return spell_table(dict(spell.name), rows)


def _casting(battle: Battle, decision: PickOne) -> tuple[Regiment, list[Stand], dict[str, Spell]]:
    regiment, hero = battle.units[decision.about["regiment"]], bool(decision.about.get("character"))
    return regiment, casters(regiment, hero=hero), {spell.id: spell for spell in spells_of(regiment, hero=hero)}


def _duels(battle: Battle, decision: PickOne) -> Data:
    regiment = battle.units[decision.about["regiment"]]
    rows = [(option.key, *_falls(battle, regiment, unit_of(battle, option.key)[0])) for option in decision.options]
    return duel_table(NAMES["duel"], rows)


def _challenge(battle: Battle, decision: PickOne) -> Data:
    challenger, challenged = (unit_of(battle, decision.about[who])[0] for who in ("challenger", "character"))
    own, other = _falls(battle, challenger, challenged)
    return duel_table(NAMES["duel"], [("accept", other, own)])


def _falls(battle: Battle, regiment: Regiment, enemy: Regiment) -> tuple[float, float]:
    odds = duel_odds(battle, regiment, enemy)
    return odds.challenger_falls, odds.challenged_falls


QUESTIONS: Final[Mapping[str, Callable[[Battle, PickOne], Data | None]]] = {
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
