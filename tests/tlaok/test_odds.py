"""Odds counted by two routes: the dice added up, and every die of the same rules thrown."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool
import pytest

from oriflamme.engine.core.decisions import PickOne, Refused
from oriflamme.engine.core.dice import Dice, SeededDice
from oriflamme.engine.core.events import Event
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.odds import Distribution, play_out
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.engine.words.problems import Problems
from oriflamme.games.tlaok import keywords as keywords
from oriflamme.games.tlaok.army.by_name import fielded
from oriflamme.games.tlaok.army.fielding import field_regiment
from oriflamme.games.tlaok.army.reading import load_list
from oriflamme.games.tlaok.characters.duel import duel, fight
from oriflamme.games.tlaok.characters.magic import cast, cast_on, casters, spells_of
from oriflamme.games.tlaok.charge.charge import charge
from oriflamme.games.tlaok.charge.impact import impact_attacks
from oriflamme.games.tlaok.combat.attacks import resolve
from oriflamme.games.tlaok.combat.blows import DiceRulings, Strike, Struck, roll_to_defend, roll_to_hit
from oriflamme.games.tlaok.combat.clash import clash
from oriflamme.games.tlaok.combat.volley import volley
from oriflamme.games.tlaok.events import DuelFought, SpellCast
from oriflamme.games.tlaok.game import game
from oriflamme.games.tlaok.losses.aftermath import resolve_queue
from oriflamme.games.tlaok.losses.wounds import Cause, take_wounds
from oriflamme.games.tlaok.moments import Keyword, KeywordSet, book
from oriflamme.games.tlaok.odds.attacks import both_odds, clash_odds, clash_pools, impact_odds, volley_odds
from oriflamme.games.tlaok.odds.casualties import UNHARMED, Fate, fates, morale_odds, odds_of
from oriflamme.games.tlaok.odds.charges import arrivals, charge_odds, charged_home, reach_chance
from oriflamme.games.tlaok.odds.duels import duel_odds
from oriflamme.games.tlaok.odds.spells import spell_odds
from oriflamme.games.tlaok.odds.strikes import Blow, blows_of, mean_wounds
from oriflamme.games.tlaok.odds.telling import meeting
from oriflamme.games.tlaok.rounds.activation import next_action
from oriflamme.games.tlaok.state import Activation, Battle, Effect, Regiment
from oriflamme.games.tlaok.trials import Value


def value(stat: str, number: int) -> Value:
    return Value(stat, number, stat, "TLAOK-PROF-14")


def held(rules: str) -> KeywordSet:
    return book.set_of(book.parse(rule) for rule in rules.split(", ") if rule)


def strike(
    attacks: int,
    clash: int,
    defence: int,
    rules: str = "",
    against: str = "",
    kind: str = "clash",
    tenacious: str = "pool",
) -> Strike:
    struck = Struck(1, value("defence", defence), value("evasion", 0), held(against), "front", "infantry")
    house = DiceRulings(tenacious=tenacious)
    made = Strike(kind, 0, attacks, value("clash", clash), held(rules), struck, house, charged=True, effective=True)
    made.blessed = struck.blessed = True
    return made


def thrown(*told: Any) -> Distribution[Blow]:
    """The same, every die of the whole pool thrown."""

    def fight(dice: Dice) -> Blow:
        strikes = [strike(*each) for each in told]
        for each in strikes:
            roll_to_hit(each, dice)
        wounds = roll_to_defend(strikes, dice)
        return sum(each.hits for each in strikes), wounds, sum(each.answers for each in strikes)

    return Distribution.of(fight)


# Every special rule that changes a hit roll or a defence roll.
MOMENTS = (
    Keyword.before_hitting,
    Keyword.when_struck,
    Keyword.last_before_hitting,
    Keyword.after_hitting,
    Keyword.before_defending,
    Keyword.when_defending,
)
RULES = [
    declared.printed.replace("{x}", "1")
    for declared in book.declared.values()
    if any(getattr(declared, moment.__name__) is not moment for moment in MOMENTS)
]


@pytest.mark.parametrize("kind", ["clash", "volley"])
@pytest.mark.parametrize("rule", RULES)
def test_whatever_a_special_rule_does_dice_added_up_are_dice_thrown(rule: str, kind: str) -> None:
    for told in ((3, 3, 2, rule, "", kind), (3, 3, 2, "", rule, kind)):
        assert blows_of([strike(*told)]) == thrown(told)


@pytest.mark.parametrize(
    ("rules", "against"),
    [
        ("", ""),
        ("Flurry", ""),
        ("", "Parry"),
        ("Cleave (1)", "Shield"),
        ("Smite", ""),
        ("Flawless Strikes", ""),
        ("Flawless Strikes", "Tenacious"),
        ("Deadly Blades", ""),
        ("Deadly Blades", "Tenacious"),
        ("Deadly Blades, Flawless Strikes", "Tenacious"),
        ("Deadly Blades, Flawless Strikes", "Counter-Attack, Untouchable"),
        ("Relentless Blows, Flawless Strikes", "Counter-Attack"),
        ("", "Tenacious"),
        ("Inspired", "Hardened (1)"),
        ("", "Untouchable"),
    ],
)
def test_dice_added_up_are_dice_thrown(rules: str, against: str) -> None:
    for value, defence in ((3, 2), (4, 0), (6, 3)):
        told = (3, value, defence, rules, against)

        assert blows_of([strike(*told)]) == thrown(told)


@pytest.mark.parametrize("tenacious", ["pool", "diceGroup"])
def test_troops_and_character_are_one_pool(tenacious: str) -> None:
    told = [
        (2, 3, 2, "Deadly Blades", "Tenacious", "clash", tenacious),
        (2, 4, 2, "Cleave (1), Flawless Strikes", "Tenacious", "clash", tenacious),
    ]

    assert blows_of([strike(*each) for each in told]) == thrown(*told)


def test_icepool_counts_the_same_wounds() -> None:
    die = icepool.d6.map(lambda hit: icepool.d6.map(lambda save: int(save > 2)) if hit <= 3 else 0)
    pool = 12 @ die

    found = blows_of([strike(12, 3, 2)]).map(lambda told: told[1])

    assert dict(found.items()) == {wounds: Fraction(pool[wounds], pool.denominator()) for wounds in pool}


@pytest.mark.parametrize("rules", ["", "Flurry", "Flawless Strikes", "Deadly Blades", "Cleave (2)"])
def test_the_average_is_that_of_the_whole_law(rules: str) -> None:
    told = strike(10, 3, 2, rules)

    assert mean_wounds([told]) == pytest.approx(float(blows_of([told]).map(lambda each: each[1]).mean()), abs=0.02)


def test_dice_that_were_rolled_agree() -> None:
    law = blows_of([strike(15, 3, 2, "Flurry", "Tenacious")]).map(lambda told: told[1])
    dice = SeededDice(7)
    tried = 2000
    total = 0
    for _ in range(tried):
        one = strike(15, 3, 2, "Flurry", "Tenacious")
        roll_to_hit(one, dice)
        total += roll_to_defend([one], dice)

    assert total / tried == pytest.approx(float(law.mean()), abs=4 * law.deviation() / tried**0.5)


def met(inches: float) -> tuple[Battle, Regiment, Regiment]:
    """The first regiments of two lists, face to face."""
    bands = [load_list(f"{name}_1000_{rest}").warbands for name, rest in FIRST]
    by, on = (field_regiment(warbands[0].regiments[0], side, f"side_{side}") for side, warbands in enumerate(bands))
    return meeting((by, on), game.defaults(), inches), by, on


FIRST = (("salt_crown", "morning_watch"), ("hollow_hunt", "one_horn"))


def test_a_charge_arrives_as_often_as_its_die_is_enough() -> None:
    odds = game.odds()
    march = game.armies().unit("windfalls").profile["M"]

    found = [odds.between("windfalls", "pruners", charge=True, distance=march + die) for die in range(1, 7)]
    chances = [answer.figures["reach"] for answer in found]

    assert chances == pytest.approx([1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6])


def test_a_charge_of_a_fixed_length_leaves_nothing_to_chance() -> None:
    march = min(stand.profile.march for stand in met(5.0)[1].figures)

    assert [reach_chance(*met(march + more)) for more in (3, 4)] == [1.0, 0.0]


def test_clashes_that_were_played_cost_as_many_stands() -> None:
    battle = charged_home(*met(5.0))
    assert battle is not None
    by, on = battle.units.values()
    law = clash_odds(battle, by, on).lost
    tried, lost = 400, 0
    for seed in range(tried):
        twin = battle.copy()
        twin.dice = SeededDice(seed)
        play_out(clash(twin, twin.units[by.id]))
        lost += on.size - (0 if twin.units[on.id].fate else twin.units[on.id].size)

    assert law.total() == 1
    assert lost / tried == pytest.approx(float(law.mean()), abs=4 * law.deviation() / tried**0.5)


def test_charges_and_volleys_are_told_in_both_languages() -> None:
    odds = game.odds()

    charge = odds.between("salt_knights", "tide_pikes", charge=True, distance=7).data()
    volley = odds.between("reed_archers", "tide_pikes").data()

    assert [one["what"] for one in charge["odds"]] == ["impact", "clash", "both"]
    assert [one["what"] for one in volley["odds"]] == ["volley"]
    duel = odds.between("salt_knights+salt_constable", "huntmaster", duel=True).data()
    spell = odds.between("tide_abbot", "masked_axes").data()
    assert [one["what"] for one in (*duel["odds"], *spell["odds"])] == ["duel", "spell"]
    assert "morale" in charge["tables"][-1]["title"]["en"].lower()

    for told in (charge, volley, duel, spell):
        assert told["method"] == "exact"
        assert set(told["summary"]) == {"en", "fr"}
        assert sum(bar["chance"] for bar in told["chart"]["bars"]) == pytest.approx(1.0, abs=0.02)


def test_who_touches_the_enemy_has_no_odds_of_a_volley() -> None:
    battle, by, on = met(0.0)

    with pytest.raises(Refused) as refused:
        game.odds().at(battle, by.id, on.id, way="volley")

    assert refused.value.refusal.rule == "TLAOK-CONTACT-03"


# -- against the rules played for every die ----------------------------------------------------------------------------


def granted(regiment: Regiment, *rules: str) -> None:
    regiment.affect(*(Effect(rule, "TLAOK-SR-GEN-01", "round", grant=book.parse(rule)) for rule in rules))


def put(regiment: Regiment, **values: int) -> None:
    regiment.affect(*(Effect("test", "TLAOK-PROF-14", "round", stat, set=number) for stat, number in values.items()))


def fate_in(battle: Battle, before: Regiment) -> Fate:
    now = battle.units[before.id]
    return Fate(before.size - (0 if now.fate else now.size), now.broken, bool(now.fate))


@pytest.mark.parametrize("option", [{}, {"tlaok.moraleSize": "beforeCasualties"}, {"tlaok.brokenSizeBonus": "yes"}])
@pytest.mark.parametrize("face", ["front", "rear"])
def test_wounds_one_by_one_are_pools_with_their_morale(face: str, option: dict[str, str]) -> None:
    battle, by, on = met(5.0)
    battle.options |= option
    pools = [(2, Cause("TLAOK-CLASH-18", "clash", by.id, face)), (3, Cause("TLAOK-VOLLEY-21", "volley", by.id, face))]

    def play(dice: Dice) -> Fate:
        twin = battle.copy()
        twin.dice = dice
        for wounds, cause in pools:
            play_out(take_wounds(twin, twin.units[on.id], wounds, cause))
        return fate_in(twin, on)

    assert fates(battle, on, pools) == Distribution.of(play)


@pytest.mark.parametrize("rules", [("Counter-Attack",), ("Counter-Attack", "Lethal Demise")])
def test_a_clash_and_what_it_gets_back_are_those_of_every_die_thrown(rules: tuple[str, ...]) -> None:
    battle = charged_home(*met(5.0))
    assert battle is not None
    by, on = battle.units.values()
    granted(on, *rules)
    # A natural 1 hits twice.
    put(by, defence=1, clash=6)
    (pool,) = clash_pools(battle, by, on)
    pool.strikes[0].attacks = 1

    def play(dice: Dice) -> tuple[Fate, Fate]:
        twin = battle.copy()
        twin.dice = dice
        own, other = twin.units[by.id], twin.units[on.id]
        (again,) = clash_pools(twin, own, other)
        again.strikes[0].attacks = 1
        play_out(resolve(twin, own, other, again.strikes, again.cause))
        return fate_in(twin, on), fate_in(twin, by)

    law = Distribution.of(play)
    odds = odds_of(battle, by, on, "clash", [pool])

    assert odds.fate == law.map(lambda told: told[0])
    assert odds.own == law.map(lambda told: told[1])
    assert odds.taken.mean() > 0


def test_impact_attacks_and_then_a_clash_are_those_of_every_die_thrown() -> None:
    by, on = fielded("old_root", 0), fielded("windfalls", 1)
    granted(by, "Impact (1)")
    # Inspired makes 4 of it; above that it would be asked for re-rolls, by the faces it sees.
    put(by, attacks=1, clash=3)
    put(on, wounds=1, defence=2)
    battle = charged_home(meeting((by, on), game.defaults(), 3.0), by, on)
    assert battle is not None

    def play(dice: Dice) -> Fate:
        twin = battle.copy()
        twin.dice = dice
        own, other = twin.units[by.id], twin.units[on.id]
        play_out(impact_attacks(twin, own, other))
        play_out(resolve_queue(twin))
        if not other.fate:
            play_out(clash(twin, own))
        return fate_in(twin, on)

    odds = both_odds(battle, battle.units[by.id], battle.units[on.id])

    assert odds is not None
    assert odds.fate == Distribution.of(play)
    assert odds.attacks == 2


def heroes(*rules: str, side: int = 1) -> tuple[Battle, Regiment, Regiment]:
    """Two characters whose regiments touch, with one attack and two wounds each."""
    by, on = (fielded(name, side) for side, name in enumerate(("dyke_marshal", "huntmaster")))
    battle = charged_home(meeting((by, on), game.defaults(), 1.0), by, on)
    assert battle is not None
    own, other = battle.units.values()
    for regiment in (own, other):
        put(regiment, attacks=1, clash=3, defence=2, wounds=2, resolve=2)
    holder = (own, other)[side]
    assert holder.character is not None
    holder.character.effects += tuple(
        Effect(rule, "TLAOK-SR-GEN-01", "round", grant=book.parse(rule)) for rule in rules
    )
    holder.affect()
    return battle, own, other


@pytest.mark.parametrize(
    ("rules", "side"), [((), 0), (("Counter-Attack",), 0), (("Counter-Attack",), 1), (("Quicksilver Strike",), 1)]
)
def test_a_duel_is_that_of_every_die_thrown(rules: tuple[str, ...], side: int) -> None:
    battle, own, other = heroes(*rules, side=side)

    def play(dice: Dice) -> tuple[int, int]:
        twin = battle.copy()
        twin.dice = dice
        told: list[Event] = []
        twin.log = told
        play_out(fight(twin, twin.units[own.id], twin.units[other.id]))
        (fought,) = (event for event in told if isinstance(event, DuelFought))
        return fought.wounds, fought.returned

    assert duel_odds(battle, own, other).wounds == Distribution.of(play)


@pytest.mark.parametrize("spell", ["scouring_brine", "bread_and_salt"])
def test_a_spell_is_that_of_every_die_thrown(spell: str) -> None:
    by, on = fielded("brine_penitents+tide_abbot", 0), fielded("masked_axes", 1)
    battle = meeting((by, on), game.defaults(), 6.0)
    hurt = by.troops[0]
    hurt.wounds = 2
    target = on if spell == "scouring_brine" else by
    stands = casters(by, hero=True)
    (chosen,) = (one for one in spells_of(by, hero=True) if one.id == spell)
    if chosen.hits:
        # Two hits, so that every die can be thrown.
        chosen = chosen._replace(effect=chosen.effect | {"hits": 2, "hits_per_success": 0})

    def play(dice: Dice) -> tuple[bool, Fate, int]:
        twin = battle.copy()
        twin.dice = dice
        told: list[Event] = []
        twin.log = told
        own = twin.units[by.id]
        play_out(cast_on(twin, own, casters(own, hero=True), chosen, twin.units[target.id]))
        (rolled,) = (event for event in told if isinstance(event, SpellCast))
        healed = hurt.wounds - next(stand.wounds for stand in own.figures if stand.id == hurt.id)
        return rolled.cast, fate_in(twin, target), healed

    law = Distribution.of(play)
    odds = spell_odds(battle, by, stands, chosen, target)

    assert odds.cast == float(law.chance(lambda told: told[0]))
    assert odds.healed == law.map(lambda told: told[2])
    assert (odds.odds.fate if odds.odds is not None else UNHARMED) == law.map(lambda told: told[1])
    assert 0 < odds.cast < 1


def test_ground_that_harms_a_charge_is_counted_with_it() -> None:
    """A bog before the enemy: a die for each stand, those that show a six wound."""
    by, on = fielded("windfalls", 0), fielded("pruners", 1)
    battle = meeting((by, on), game.defaults(), 8.0)
    middle = (by.y + on.y) / 2
    bog = Outline.polygon([(0, middle - 30), (1200, middle - 30), (1200, middle + 30), (0, middle + 30)])
    battle.table = Table(battle.table.width, battle.table.depth, [Piece("bog", "bog", bog, 0.0, ["dangerous"])])
    # It has charged before in this round.
    by.affect(Effect("charge", "TLAOK-CHARGE-26", "round", "charged"))
    free = reach_chance(battle, by, on)

    homes = arrivals(battle, by, on)

    law = Distribution.of(lambda dice: sum(dice.d6() == 6 for _ in range(by.size)))
    found: dict[int, Fraction] = {}
    for home, share in homes:
        own = home.units[by.id]
        wounds = sum(stand.wounds for stand in (*own.figures, *own.fallen))
        found[wounds] = found.get(wounds, Fraction(0)) + share
    assert float(sum(found.values())) == pytest.approx(free)
    assert {wounds: share / sum(found.values()) for wounds, share in found.items()} == dict(law.items())
    assert all("charged" in {effect.stat for effect in home.units[by.id].effects} for home, _ in homes)
    assert charge_odds(battle, by, on)[0] == pytest.approx(free)


def test_morale_is_a_die_for_each_wound_against_resolve() -> None:
    """Three stands of Resolve 3 with four wounds each: half of them lost is Broken, half of the rest Shattered."""
    battle, by, on = met(5.0)
    put(on, resolve=3, wounds=4)
    table = morale_odds(battle, on, Cause("TLAOK-CLASH-18", "clash", by.id, "front"))

    for row in table:
        half = Distribution({0: Fraction(1, 2), 1: Fraction(1, 2)})
        resolve = 3 + (on.size - row.wounds // 4 >= 4)
        chance = Fraction(6 - resolve, 6)
        die = Distribution({0: 1 - chance, 1: chance}) if resolve != 3 else half
        assert row.resolve == resolve
        assert row.more == die.power(row.wounds)
        assert row.fate.map(lambda fate: fate.lost)[row.wounds // 4] >= row.more[0]
    assert [row.wounds for row in table] == list(range(1, len(table) + 1))
    assert table[-1].fate.chance(lambda fate: fate.gone) > table[0].fate.chance(lambda fate: fate.gone) == 0


@pytest.mark.parametrize(("attack", "what"), [("reed_archers", "volley"), ("salt_knights", "impact")])
def test_attacks_that_were_played_cost_as_many_stands(attack: str, what: str) -> None:
    by, on = fielded(attack, 0), fielded("windfalls", 1)
    battle: Battle | None = meeting((by, on), game.defaults(), 7.0)
    assert battle is not None
    if what == "impact":
        battle = charged_home(battle, by, on)
        assert battle is not None
    odds = volley_odds if what == "volley" else impact_odds
    law = odds(battle, battle.units[by.id], battle.units[on.id]).lost
    tried, lost = 400, 0
    for seed in range(tried):
        twin = battle.copy()
        twin.dice = SeededDice(seed)
        own, other = twin.units[by.id], twin.units[on.id]
        play_out(volley(twin, own) if what == "volley" else impact_attacks(twin, own, other))
        lost += fate_in(twin, on).lost

    assert lost / tried == pytest.approx(float(law.mean()), abs=4 * law.deviation() / tried**0.5)


# -- questions at the table --------------------------------------------------------------------------------------------


def asked() -> list[tuple[Battle, PickOne]]:
    """One question of each kind that odds help with."""
    apart = meeting((fielded("reed_archers", 0), fielded("tide_pikes", 1)), game.defaults(), 6.0)
    battle, own, _ = heroes()
    magic = meeting((fielded("tide_abbot", 0), fielded("masked_axes", 1)), game.defaults(), 6.0)
    archers, abbot = apart.units["reed_archers_1"], magic.units["brine_penitents_1"]
    challenge, casting = duel(battle, own), cast(magic, abbot, hero=True)
    found = [(apart, next(charge(apart, archers))), (apart, next(volley(apart, archers)))]
    first = next(challenge)
    found += [(battle, first), (battle, challenge.send(first.suggestion()))]
    chosen = next(casting)
    found += [(magic, chosen), (magic, casting.send(chosen.suggestion()))]
    battle.acting = Activation(own.id)
    found.append((battle, next(next_action(battle))))
    return [(battle, decision) for battle, decision in found if isinstance(decision, PickOne)]


def test_the_morale_of_who_is_charged_is_tested_in_the_face_of_the_charger() -> None:
    """Old Root is Terrifying (1), and in contact when the wounds are suffered."""
    odds = game.odds()
    found = [odds.between(by, "horn_archers", charge=True, distance=3) for by in ("old_root", "pruners")]
    resolve = [answer.tables[-1].rows[0][1] for answer in found]

    assert resolve[0] == resolve[1] - 1


def test_every_question_that_is_a_gamble_has_its_odds() -> None:
    odds, aids = game.odds(), game.aids()
    strikes: set[str] = set()
    for battle, decision in asked():
        table = odds.helping(battle, decision)
        assert table is not None, decision.ask
        for row in table.rows:
            assert len(row) == len(table.columns)
            assert row[0] in decision.keys() or row[0] in battle.units
        for strike in filter(None, (aids.strike(decision, option) for option in decision.options)):
            told = odds.at(battle, strike.by, strike.on, charge=strike.charge, way=strike.way).data()
            strikes.add(strike.way.partition(":")[0])
            assert told["summary"]["fr"] != told["summary"]["en"]
            assert sum(bar["chance"] for bar in told["chart"]["bars"]) == pytest.approx(1, abs=0.02)
    assert strikes == {"charge", "volley", "duel", "spell"}


def test_who_is_asked_to_accept_a_duel_is_told_his_own_odds() -> None:
    battle, own, other = heroes()
    put(other, attacks=0)
    odds = duel_odds(battle, own, other)
    challenge = duel(battle, own)
    accept = challenge.send(next(challenge).suggestion())

    (row,) = game.odds().helping(battle, accept).rows

    assert row == ["accept", odds.challenged_falls, odds.challenger_falls]
    assert row[1] > row[2] == 0


@pytest.mark.parametrize(
    ("attacker", "defender", "how", "said"),
    [
        ("tide_pikes", "reed_archers", {}, "nothing to shoot with"),
        ("tide_pikes+99", "reed_archers", {"charge": True}, "come in 3 to 9"),
        ("tide_pikes", "reed_archers", {"charge": True, "distance": 30}, "reaches 8"),
        ("reed_archers", "tide_pikes", {"distance": 200}, "TLAOK-VOLLEY-02"),
        ("tide_pikes", "huntmaster", {"duel": True}, "has no character"),
        ("tide_pikes+salt_constable", "huntmaster", {"duel": True}, "TLAOK-CHAR-03"),
        ("tide_pikes+tide_abot", "huntmaster", {"duel": True}, 'did you mean "tide_abbot"?'),
        ("tide_pikez", "huntmaster", {}, 'did you mean "tide_pikes"?'),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(attacker: str, defender: str, how: dict[str, Any], said: str) -> None:
    with pytest.raises(Problems) as wrong:
        game.odds().between(attacker, defender, **how)

    assert said in str(wrong.value)


def test_a_stranger_asking_for_odds_at_the_table_is_refused() -> None:
    battle, by, on = met(5.0)
    odds = game.odds()
    by.reserve = "reinforcements"
    for way in ("", "clash", "duel", "spell", "spell:none"):
        with pytest.raises(Refused):
            odds.at(battle, by.id, on.id, way=way)
    by.reserve = None
    for way in ("clash", "duel", "spell", "spell:none"):
        with pytest.raises(Refused):
            odds.at(battle, by.id, on.id, way=way)
    with pytest.raises(Problems):
        odds.at(battle, by.id, on.id, way="nonsense")
    with pytest.raises(Refused):
        odds.at(battle, by.id, by.id, charge=True)
