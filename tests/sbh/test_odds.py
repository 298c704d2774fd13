"""Odds by several routes: written by hand, by icepool, by every face of the whole deed, and by playing it often."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from math import sqrt
from random import Random
from typing import Any

import icepool
import pytest

from oriflamme.cli import run, show
from oriflamme.engine.core.decisions import Decision, Option, PickOne, Refused
from oriflamme.engine.core.dice import Dice, HiddenDice, SeededDice, outcomes
from oriflamme.engine.core.play import Play
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.engine.words.catalogue import load
from oriflamme.engine.words.problems import Problems
from oriflamme.games.sbh.actions import perform
from oriflamme.games.sbh.activation import activate, activate_group
from oriflamme.games.sbh.bout import Bout
from oriflamme.games.sbh.fighting import close_bout
from oriflamme.games.sbh.game import game
from oriflamme.games.sbh.measures import SCALES, Ruler, base_width
from oriflamme.games.sbh.morale import roll_morale
from oriflamme.games.sbh.movement import put
from oriflamme.games.sbh.odds.attacks import Chances, attack_odds, brave_odds, chances, law_of
from oriflamme.games.sbh.odds.gambles import Gamble, gambles, group_gambles, morale_odds, successes
from oriflamme.games.sbh.odds.telling import SbhOdds
from oriflamme.games.sbh.profile import profile_of
from oriflamme.games.sbh.quality import quality_roll
from oriflamme.games.sbh.roster import card as card_of
from oriflamme.games.sbh.roster import cards
from oriflamme.games.sbh.state import Activation, Battle, Fighter, Item

DEFAULTS = {key: option.default for key, option in load("sbh").options.items()}
Law = dict[Any, Fraction]
DIE = range(1, 7)


def fighter(
    id: str, side: int = 0, quality: int = 4, combat: int = 3, rules: Sequence[str] = (), **is_: Any
) -> Fighter:
    kind = is_.pop("card", "levy")
    race = "orcs_and_goblins" if kind.startswith("orc") else "humans"
    profile = profile_of(kind, race, quality, combat, tuple(rules))
    width = base_width("15mm", profile.size, profile.mounted, "table")
    one = Fighter(id, side, profile, width, {"id": id, "name": {"en": id.title(), "fr": id.title()}, "points": 30})
    one.reserve = None
    for what, value in is_.items():
        setattr(one, what, value)
    return one


def field(*fighters: Fighter, pieces: Sequence[Piece] = (), apart: float = 0.0, **options: str) -> Battle:
    """A battle in which the first two stand opposite each other; the others stand where they are put."""
    chosen = DEFAULTS | {f"sbh.{key}": value for key, value in options.items()}
    sticks = SCALES["15mm"]
    table = Table(600.0, 600.0, pieces)
    battle = Battle(table, chosen, HiddenDice(), scale="15mm", sticks=sticks, ruler=Ruler(sticks))
    x = 200.0
    for number, one in enumerate(fighters):
        battle.units[one.id] = one
        x += (fighters[number - 1].radius + one.radius + apart) if number else 0.0
        if number < 2:
            put(battle, one, x, 300.0)
    battle.start_spots = {f.id: (f.x, f.y, f.z) for f in fighters}
    battle.start = (20, 20)
    return battle


def stand(battle: Battle, one: Fighter, beside: Fighter, dx: float, dy: float) -> None:
    """In contact with another, in that direction."""
    length = sqrt(dx * dx + dy * dy)
    reach = one.radius + beside.radius
    put(battle, one, beside.x + dx / length * reach, beside.y + dy / length * reach)


def told(law: Any) -> Law:
    return {value: chance for value, chance in law.items() if chance}


# -- by hand -----------------------------------------------------------------------------------------------------------

UNHURT = ("nothing", False)
NOT_ALIVE = {"undead", "artificial"}


class Side:
    """A fighter as the hand-written rules see him."""

    def __init__(self, combat: int, rules: Sequence[str] = (), quality: int = 4, *, down: bool = False) -> None:
        self.combat = combat
        self.rules = set(rules)
        self.quality = quality
        self.down = down
        self.size = 2 if "huge" in self.rules else 1 if "big" in self.rules else 0

    def adds(self, other: Side) -> int:
        bonus = self.combat + (2 if other.down else 0) + (self.size > other.size)
        return bonus + ("mounted" in self.rules and "mounted" not in other.rules and other.size <= self.size)

    def on_table(self, id: str, side: int) -> Fighter:
        rules = sorted(self.rules - {"orc"})
        kind = "orc-warrior" if "orc" in self.rules else "levy"
        return fighter(id, side, self.quality, self.combat, rules, down=self.down, card=kind)


def suffered(winner: Side, loser: Side, mine: int, his: int, die: int) -> Law:
    """What becomes of the loser, in the order of SBH-COMBAT-19."""
    triple, double = his <= 0 or mine >= 3 * his, his <= 0 or mine >= 2 * his
    if loser.down:
        result = "gruesome" if double else "kill"
    else:
        result = "gruesome" if triple else "kill" if double else "fall" if die in (2, 4, 6) else "recoil"
    sure = "assassin" in winner.rules and not loser.rules & NOT_ALIVE
    sure |= "deadly(orcs)" in winner.rules and "orc" in loser.rules
    sure |= bool({"priest", "deadly(undead)"} & winner.rules) and "undead" in loser.rules
    if sure and result in ("fall", "recoil"):
        result = "kill"
    if "savage" in winner.rules and result == "kill":
        result = "gruesome"
    if "artificial" in loser.rules and result == "gruesome":
        result = "kill"
    lost = 0
    if "tough" in loser.rules and result in ("kill", "gruesome"):
        result, lost = ("wound", 1) if result == "kill" else ("kill", 0)
    found: Law = {result: Fraction(1)}
    if result == "recoil" and "tail-slap" in winner.rules and loser.size <= winner.size:
        found = {"recoil": Fraction(5, 6), "fall": Fraction(1, 6)}
    law: Law = {}
    for what, chance in found.items():
        if what == "wound" and loser.quality + lost >= 7:
            what = "kill"
        if what in ("kill", "gruesome") or "poison" not in winner.rules or loser.rules & NOT_ALIVE:
            law[what, False] = law.get((what, False), Fraction(0)) + chance
            continue
        law[what, False] = law.get((what, False), Fraction(0)) + chance * Fraction(5, 6)
        dead = loser.quality + lost + 1 >= 7
        key = ("kill", False) if dead else (what, True)
        law[key] = law.get(key, Fraction(0)) + chance * Fraction(1, 6)
    return law


def by_hand(a: Side, d: Side, *, mutual: bool = True, easier: int = 0) -> Law:
    """All 36 pairs of faces of a close-combat roll; `easier` is what a power attack takes from the other."""
    law: Law = {}
    for x, y in product(DIE, DIE):
        mine, his = x + a.adds(d), y + d.adds(a) - easier
        if mine > his:
            made = {(UNHURT, fate): chance for fate, chance in suffered(a, d, mine, his, x).items()}
        elif his > mine and mutual:
            made = {(fate, UNHURT): chance for fate, chance in suffered(d, a, his, mine, y).items()}
        else:
            made = {(UNHURT, UNHURT): Fraction(1)}
        for fates, chance in made.items():
            law[fates] = law.get(fates, Fraction(0)) + chance / 36
    return law


STRIKING = ["assassin", "savage", "poison", "tail-slap", "deadly(orcs)", "priest", "big", "mounted"]
SUFFERING = ["tough", "artificial", "undead", "orc", "big", "huge"]


def some(rules: list[str], most: int) -> list[tuple[str, ...]]:
    return list(chain.from_iterable(combinations(rules, number) for number in range(most + 1)))


@pytest.mark.slow
@pytest.mark.parametrize("struck", [rules for rules in some(SUFFERING, 2) if rules != ("undead", "orc")])
def test_every_face_of_a_close_combat_by_hand(struck: tuple[str, ...]) -> None:
    for number, rules in enumerate(some(STRIKING, 2)):
        a = Side(2 + number % 4, rules, quality=3 + number % 4)
        d = Side(3 - number % 3, struck, quality=6 - number % 3, down=number % 5 == 0)
        battle = field(a.on_table("a", 0), d.on_table("d", 1))

        for manner, mutual, easier in (("attack", True, 0), ("power", True, 1), ("hack", False, 0)):
            found = attack_odds(battle, "a", "d", manner)

            expected = by_hand(a, d, mutual=mutual, easier=easier)
            assert told(found.law) == expected, (rules, struck, manner)
            way = "hack" if manner == "hack" else "melee"
            bout = close_bout(battle, battle.units["a"], battle.units["d"], way, power=manner == "power")
            assert law_of(bout) == expected


def test_both_may_be_down_and_both_may_have_rules() -> None:
    for mine, his in product(some(["tough", "poison", "savage"], 3), repeat=2):
        a, d = Side(3, mine, quality=5, down=True), Side(4, his, quality=6, down=len(his) % 2 == 0)
        battle = field(a.on_table("a", 0), d.on_table("d", 1))

        assert told(attack_odds(battle, "a", "d", "attack").law) == by_hand(a, d)


def test_fortunes_add_up_and_say_what_the_law_says() -> None:
    a, d = Side(3, ["poison", "tail-slap"]), Side(3, ["tough"], quality=5)
    battle = field(a.on_table("a", 0), d.on_table("d", 1))

    found = chances(close_bout(battle, battle.units["a"], battle.units["d"], "melee"))

    law = by_hand(a, d)
    for side, fortune in enumerate((found.attacker, found.defender)):
        *harms, poison = fortune
        assert sum(harms) == pytest.approx(1)
        for what in ("nothing", "recoil", "fall", "wound", "kill", "gruesome"):
            exact = sum(chance for fates, chance in law.items() if fates[side][0] == what)
            assert getattr(fortune, what) == pytest.approx(float(exact), abs=1e-12)
        assert poison == pytest.approx(float(sum(c for fates, c in law.items() if fates[side][1])), abs=1e-12)
    assert found.defender.wound > 0
    assert found.attacker.wound == 0
    assert found.defender.dies == found.defender.kill + found.defender.gruesome


# -- what a bout depends on --------------------------------------------------------------------------------------------


def melee(a: Fighter, d: Fighter, **options: Any) -> Chances:
    battle = field(a, d, **options)
    return chances(close_bout(battle, a, d, "melee"))


def test_equal_bouts_are_counted_once_and_unequal_ones_apart() -> None:
    plain = melee(fighter("a"), fighter("d", 1))

    assert melee(fighter("x"), fighter("y", 1)) is plain
    assert melee(fighter("a"), fighter("d", 1, down=True)).defender.kill > plain.defender.kill
    assert melee(fighter("a"), fighter("d", 1, transfixed="")).defender.kill > plain.defender.kill
    tough = melee(fighter("a"), fighter("d", 1, quality=5, rules=["tough"]))
    assert tough.defender.wound > 0
    spent = melee(fighter("a"), fighter("d", 1, quality=5, rules=["tough"], wounds=1))
    assert spent.defender.wound == 0
    assert spent.defender.kill == pytest.approx(tough.defender.kill + tough.defender.wound)


def test_house_rules_of_tough_and_transfixed_fighters_count() -> None:
    dies = melee(fighter("a", combat=6), fighter("d", 1, combat=0, rules=["tough"]))
    wound = melee(fighter("a", combat=6), fighter("d", 1, combat=0, rules=["tough"]), toughGruesome="wound")
    assert (dies.defender.kill > 0, wound.defender.kill) == (True, 0)
    assert wound.defender.wound == pytest.approx(dies.defender.wound + dies.defender.kill)

    fights_back = melee(fighter("a"), fighter("d", 1, transfixed=""))
    harmless = melee(fighter("a"), fighter("d", 1, transfixed=""), transfixedHarmless="yes")
    assert fights_back.attacker.nothing < 1
    assert harmless.attacker.nothing == 1
    assert harmless.defender == fights_back.defender


def test_a_priest_who_has_lost_his_powers_kills_no_undead() -> None:
    skeleton = fighter("d", 1, rules=["undead"])
    blessed = melee(fighter("a", rules=["priest"]), skeleton)
    powerless = melee(fighter("a", rules=["priest"], lost_powers=True), skeleton)

    assert (blessed.defender.recoil, blessed.defender.fall) == (0, 0)
    assert powerless == melee(fighter("a"), skeleton)


def test_a_ring_takes_the_first_kill() -> None:
    bearer = fighter("d", 1)
    bearer.equip(Item("ring"))

    found = melee(fighter("a", combat=5), bearer)

    plain = melee(fighter("a", combat=5), fighter("d", 1))
    assert found.defender.dies == 0
    assert found.defender.nothing == pytest.approx(plain.defender.nothing + plain.defender.dies)


def test_chances_of_equal_bouts_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []

    def counting(bout: Bout) -> Any:
        counted.append(bout)
        return law_of(bout)

    monkeypatch.setattr("oriflamme.games.sbh.odds.attacks._known", {})
    monkeypatch.setattr("oriflamme.games.sbh.odds.attacks.law_of", counting)
    for _ in range(100):
        battle = field(fighter("a", rules=["poison"]), fighter("d", 1, rules=["tough"]))
        chances(close_bout(battle, battle.units["a"], battle.units["d"], "melee"))
    assert len(counted) == 1

    battle = field(fighter("a", combat=5, rules=["poison"]), fighter("d", 1, rules=["tough"]))
    chances(close_bout(battle, battle.units["a"], battle.units["d"], "melee"))
    assert len(counted) == 2


def test_asking_changes_nothing() -> None:
    battle = field(fighter("a", rules=["mage", "shooter(long)"]), fighter("d", 1, rules=["poison"]))
    before = battle.fingerprint()

    for deed in ("attack", "power", "hack", "shoot", "aim"):
        attack_odds(battle, "a", "d", deed)
    for deed in ("bolt", "transfix"):
        attack_odds(battle, "a", "d", deed, power=3)
    brave_odds(battle, "a", "leave")
    gambles(battle, "a")
    morale_odds(battle, "d")

    assert battle.fingerprint() == before


# -- the checks and examples of the catalogue --------------------------------------------------------------------------


def test_recoil_and_fall_by_the_winners_die() -> None:
    # SBH-COMBAT-06: 4+3 against 2+3 falls, 5+3 against 5 recoils.
    found = attack_odds(field(fighter("a"), fighter("d", 1)), "a", "d", "attack")

    law: Counter[str] = Counter()
    for x, y in product(DIE, DIE):
        if x > y and x + 3 < 2 * (y + 3):
            law["fall" if x % 2 == 0 else "recoil"] += 1
    assert found.defender.recoil == pytest.approx(law["recoil"] / 36)
    assert found.defender.fall == pytest.approx(law["fall"] / 36)
    assert (law["recoil"], law["fall"]) == (5, 8)
    assert found.attacker == found.defender  # whoever wins


def test_double_kills_and_triple_is_gruesome() -> None:
    # SBH-COMBAT-08: with Combat 3 against 2, 9 against 3 needs a 6 and a 1; 8 against 4 a 5 and a 2.
    found = attack_odds(field(fighter("a"), fighter("d", 1, combat=2)), "a", "d", "attack")

    assert found.defender.gruesome == pytest.approx(1 / 36)  # 6 and 1
    assert found.defender.kill == pytest.approx(5 / 36)  # 3, 4, 5 and 1; 5, 6 and 2


def test_taking_one_from_the_other_is_not_adding_one() -> None:
    # SBH-ACTION-05: a 3 against a 1, 6 against 4: reduced to 3 it is a kill, with 7 against 4 it is none.
    wood = Piece("wood", "forest", Outline.circle(500.0, 500.0, 60.0), 80.0, ("cover", "difficult"))
    battle = field(fighter("a"), fighter("d", 1), pieces=[wood])
    power = attack_odds(battle, "a", "d", "power")
    battle.start_spots["a"] = (500.0, 500.0, 0.0)
    ambush = attack_odds(battle, "a", "d", "attack")

    assert power.to_data()["adds"] == {"attacker": 3, "defender": 2}
    assert ambush.to_data()["adds"] == {"attacker": 4, "defender": 3}
    assert (power.defender.kill, power.defender.gruesome) == pytest.approx((5 / 36, 1 / 36))
    assert (ambush.defender.kill, ambush.defender.gruesome) == pytest.approx((4 / 36, 0))


def test_five_kobolds_bring_an_ogre_down() -> None:
    # SBH-VOLLEY-02: D6+2+1 against D6+4-4; a lone kobold cannot kill, even 6 against 1 is 9 against 5.
    kobolds = [fighter(f"k{n}", combat=2, rules=["shooter(long)"]) for n in range(5)]
    ogre = fighter("ogre", 1, combat=4, rules=["big"])
    battle = field(kobolds[0], ogre, *kobolds[1:], apart=60.0)
    for number, kobold in enumerate(kobolds[1:], 1):
        put(battle, kobold, 200.0, 300.0 + 20.0 * number)

    alone = attack_odds(battle, "k0", "ogre", "shoot")
    together = attack_odds(battle, "k0", "ogre", "volley", shooters=kobolds)

    assert alone.to_data()["adds"] == {"attacker": 3, "defender": 4}
    assert alone.defender.dies == 0
    assert together.to_data()["adds"] == {"attacker": 3, "defender": 0}
    triples = sum(x + 3 >= 3 * y for x, y in product(DIE, DIE))
    doubles = sum(2 * y <= x + 3 < 3 * y for x, y in product(DIE, DIE))
    assert (together.defender.gruesome, together.defender.kill) == pytest.approx((triples / 36, doubles / 36))
    aimed = attack_odds(battle, "k0", "ogre", "aimvolley", shooters=kobolds)
    assert aimed.to_data()["adds"] == {"attacker": 3, "defender": -1}


def test_a_skeleton_in_cover_at_double_range() -> None:
    # SBH-SHOOT-05: 6+3-2-2-1 = 4 is no match for 3+2; it beats only a 1, as 4 against 3 with an even die.
    archer = fighter("archer", rules=["shooter(long)"])
    skeleton = fighter("skeleton", 1, combat=2, rules=["undead"])
    stones = Piece("stones", "ruin", Outline.circle(416.0, 300.0, 9.0), 20.0, ("cover",))
    battle = field(archer, skeleton, pieces=[stones], apart=200.0)

    found = attack_odds(battle, archer, skeleton, "shoot")

    assert found.to_data()["adds"] == {"attacker": -2, "defender": 2}
    assert found.defender.fall == pytest.approx(1 / 36)
    assert found.defender.nothing == pytest.approx(35 / 36)
    assert found.attacker.nothing == 1
    reasons = {reason["source"]: reason["amount"] for reason in found.to_data()["reasons"]["attacker"]}
    assert reasons == {"Combat": 3, "Cover": -1, "Range": -2, "Undead": -2}


@pytest.mark.parametrize(("power", "leader", "hero"), [*product((1, 2, 3), (False, True), (False, True))])
def test_who_resists_a_spell(power: int, leader: bool, hero: bool) -> None:
    # SBH-TRANSFIX-03: all dice must succeed; under a Leader a 2 is enough on 3+; Power 1 never works on a Hero.
    mage, victim = fighter("mage", rules=["mage"]), fighter("victim", 1, quality=3, rules=["hero"] if hero else [])
    chief = fighter("chief", 1, rules=["leader"])
    battle = field(mage, victim, chief, apart=40.0)
    put(battle, chief, 300.0 if leader else 550.0, 340.0)

    found = attack_odds(battle, mage, victim, "transfix", power=power)

    one = Fraction(5, 6) if leader else Fraction(4, 6)
    assert found.law[UNHURT, UNHURT] == one ** (power - hero)
    assert found.defender.transfixed == pytest.approx(float(1 - one ** (power - hero)))


def test_a_spell_adds_its_power_and_does_not_mind_the_undead() -> None:
    mage, skeleton = fighter("mage", rules=["mage"]), fighter("bones", 1, combat=2, rules=["undead"])
    battle = field(mage, skeleton, apart=40.0)

    for power in (1, 2, 3):
        found = attack_odds(battle, mage, skeleton, "bolt", power=power)

        assert found.to_data()["adds"] == {"attacker": power, "defender": 2}
        beaten = sum(x + power > y + 2 for x, y in product(DIE, DIE))
        assert found.defender.nothing == pytest.approx(1 - beaten / 36)


def test_a_javelin_flies_at_plus_one() -> None:
    thrower = fighter("thrower")
    thrower.equip(Item("javelins", 2))
    battle = field(thrower, fighter("d", 1), apart=40.0)

    assert attack_odds(battle, "thrower", "d", "javelin").to_data()["adds"] == {"attacker": 4, "defender": 3}
    assert attack_odds(battle, "thrower", "d", "aimjavelin").to_data()["adds"] == {"attacker": 4, "defender": 2}


def test_a_transfixed_target_falls_where_others_recoil() -> None:
    # SBH-SHOOT-06
    archer = fighter("archer", rules=["shooter(short)"])
    battle = field(archer, fighter("d", 1, transfixed=""), apart=40.0)

    found = attack_odds(battle, "archer", "d", "shoot")

    wins = sum(x + 5 > y + 3 for x, y in product(DIE, DIE))
    kills = sum(x + 5 >= 2 * (y + 3) for x, y in product(DIE, DIE))
    assert found.defender.recoil == 0
    assert found.defender.fall == pytest.approx((wins - kills) / 36)


# -- where they stand --------------------------------------------------------------------------------------------------


def test_who_has_no_room_falls_instead_of_recoiling() -> None:
    battle = field(fighter("a"), fighter("d", 1))
    free = attack_odds(battle, "a", "d", "attack")
    for one, x in (("a", 600.0 - 24.0), ("d", 600.0 - 8.0)):
        put(battle, battle.units[one], x, 300.0)

    found = attack_odds(battle, "a", "d", "attack")

    assert found.defender.recoil == 0
    assert found.defender.fall == pytest.approx(free.defender.fall + free.defender.recoil)
    assert found.attacker == free.attacker


def test_outnumbered_on_both_sides() -> None:
    battle = field(fighter("a"), fighter("d", 1), fighter("friend"), fighter("foe", 1), fighter("foe2", 1))
    a, d = battle.units["a"], battle.units["d"]
    stand(battle, battle.units["friend"], d, 1, 0)
    stand(battle, battle.units["foe"], a, -1, 0)
    stand(battle, battle.units["foe2"], a, 0, 1)

    found = attack_odds(battle, a, d, "attack")

    assert found.to_data()["adds"] == {"attacker": 1, "defender": 2}


@pytest.mark.parametrize(
    ("mine", "his"), [((), ()), (("poison",), ("tough",)), (("tail-slap", "savage"), ("poison",)), (("hero",), ())]
)
def test_dice_judged_alike_stand_for_all_of_them(mine: tuple[str, ...], his: tuple[str, ...]) -> None:
    battle = field(fighter("a", rules=mine), fighter("d", 1, combat=2, rules=his), fighter("foe", 1))
    stand(battle, battle.units["foe"], battle.units["d"], 1, 1)

    assert attack_odds(battle, "a", "d", "attack").law == every_face(battle, deed("attack:d"))


# -- by every face, and by playing it often ----------------------------------------------------------------------------


def answered(asking: Any, answers: Mapping[str, Any]) -> None:
    """Play a part of a step: what nobody says is what the rules suggest, and nobody strikes a fleeing enemy."""
    question = next(asking, None)
    while question is not None:
        said = {"make_free_hack": "no"} | dict(answers)
        answer = said.get(question.ask) or question.suggestion()
        try:
            question = asking.send(answer)
        except StopIteration:
            return


def fate(before: Fighter, after: Fighter, alarms: Sequence[Any]) -> tuple[str, bool]:
    if after.fate:
        return ("gruesome" if any(a.kind == "gruesome" and a.victim == after.id for a in alarms) else "kill"), False
    if after.wounds > before.wounds:
        harm = "wound"
    elif after.down > before.down:
        harm = "fall"
    else:
        harm = "recoil" if (after.x, after.y) != (before.x, before.y) else "nothing"
    return harm, after.poison > before.poison


def deed(key: str, **answers: Any) -> Callable[[Battle, Battle], Any]:
    """What becomes of the first two fighters when the first does something."""

    def play(battle: Battle, twin: Battle) -> Any:
        a, d = list(battle.units)[:2]
        twin.acting = [Activation((a,), 3)]
        answered(perform(twin, twin.units[a], key), answers)
        return tuple(fate(battle.units[id], twin.units[id], twin.alarms) for id in (a, d))

    return play


def every_face(battle: Battle, play: Callable[[Battle, Battle], Any]) -> Law:
    def once(dice: Dice) -> Any:
        twin = battle.copy()
        twin.dice = dice
        return play(battle, twin)

    return outcomes(once)


def fits(law: Mapping[Any, Any], battle: Battle, play: Callable[[Battle, Battle], Any], number: int, seed: int) -> None:
    """So many plays with seeded dice agree with the odds: a chi-square test that one honest law in 10 000 fails."""
    dice = SeededDice(seed)
    seen: Counter[Any] = Counter()
    for _ in range(number):
        twin = battle.copy()
        twin.dice = dice
        seen[play(battle, twin)] += 1
    expected = {value: float(chance) * number for value, chance in law.items() if chance}
    assert seen.keys() <= expected.keys(), seen.keys() - expected.keys()
    rare = [value for value, count in expected.items() if count < 5]
    bins = [(seen[value], count) for value, count in expected.items() if value not in rare]
    if rare:
        bins.append((sum(seen[value] for value in rare), sum(expected[value] for value in rare)))
    chi = sum((found - count) ** 2 / count for found, count in bins if count)
    freedom = max(1, len(bins) - 1)
    # The quantile by Wilson and Hilferty.
    limit = freedom * (1 - 2 / (9 * freedom) + 3.72 * sqrt(2 / (9 * freedom))) ** 3
    assert chi < limit, (chi, limit, seen, expected)


def test_a_fight_played_three_thousand_times() -> None:
    a = fighter("a", combat=4, rules=["poison", "tail-slap"])
    d = fighter("d", 1, quality=5, rules=["tough", "savage"])
    battle = field(a, d)

    law = told(attack_odds(battle, a, d, "attack").law)

    assert len(law) > 6
    fits(law, battle, deed("attack:d"), 3000, seed=1)


def test_a_shot_played_three_thousand_times() -> None:
    archer = fighter("archer", combat=4, rules=["shooter(medium)", "assassin", "poison"])
    d = fighter("d", 1, quality=5, rules=["tough"])
    battle = field(archer, d, apart=60.0)

    fits(told(attack_odds(battle, archer, d, "aim").law), battle, deed("aim:d"), 3000, seed=2)


def leaving(battle: Battle, twin: Battle) -> Any:
    """Everybody strikes; whether he gets away is seen when he is asked where he goes."""
    victim = next(iter(battle.units.values()))
    twin.acting = [Activation((victim.id,), 2)]
    asking: Any = perform(twin, twin.units[victim.id], "leave")
    question = next(asking, None)
    while question is not None:
        if question.ask == "move_fighter":
            return "free", False
        answer = "yes" if question.ask == "make_free_hack" else question.suggestion()
        try:
            question = asking.send(answer)
        except StopIteration:
            break
    return fate(victim, twin.units[victim.id], twin.alarms)


def test_leaving_one_enemy_by_hand() -> None:
    # He must win; a tie leaves him in place (SBH-LEAVE-03).
    battle = field(fighter("a", combat=4), fighter("d", 1))

    found = brave_odds(battle, "a", "leave").attacker

    wins = sum(y + 4 > x + 3 for x, y in product(DIE, DIE))
    ties = sum(y + 4 == x + 3 for x, y in product(DIE, DIE))
    assert found.free == pytest.approx(wins / 36)
    assert found.nothing == pytest.approx(ties / 36)
    loose = brave_odds(field(fighter("a", combat=4), fighter("d", 1), leaveTie="free"), "a", "leave").attacker
    assert loose.free == pytest.approx((wins + ties) / 36)
    nimble = brave_odds(field(fighter("a", rules=["free-disengage"]), fighter("d", 1)), "a", "leave").attacker
    assert nimble.free == 1


def surrounded(*, poison: bool = False) -> Battle:
    rules = ["poison"] if poison else []
    battle = field(
        fighter("a", quality=5, combat=4, rules=["tough"]), fighter("d", 1, rules=rules), fighter("e", 1, combat=2)
    )
    stand(battle, battle.units["e"], battle.units["a"], 0, 1)
    return battle


def test_leaving_two_enemies_by_every_face() -> None:
    battle = surrounded()

    found = brave_odds(battle, "a", "leave").law.map(lambda fates: fates[0])

    assert found == every_face(battle, leaving)
    assert 0 < found["free", False] < Fraction(1, 4)


def test_leaving_two_enemies_played_four_thousand_times() -> None:
    battle = surrounded(poison=True)
    law = brave_odds(battle, "a", "leave").law.map(lambda fates: fates[0])

    fits(told(law), battle, leaving, 4000, seed=3)


def test_leaving_a_crowd_is_counted_state_by_state_and_not_face_by_face(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = field(fighter("a", combat=5, rules=["big"]), *(fighter(f"e{n}", 1) for n in range(6)))
    for number in range(1, 6):
        stand(battle, battle.units[f"e{number}"], battle.units["a"], (0, 1, -1, -1, 0)[number - 1],
              (1, 1, 1, -1, -1)[number - 1])  # fmt: skip
    assert len(battle.enemies_at(battle.units["a"])) == 6
    copied, copy = [], Battle.copy

    def counting(self: Battle) -> Any:
        copied.append(self)
        return copy(self)

    monkeypatch.setattr(Battle, "copy", counting)

    found = brave_odds(battle, "a", "leave").attacker

    assert 0 < found.free < 0.05
    assert sum(found[:-1]) == pytest.approx(1)
    # There are 36 ** 6 ways for the dice to fall, two thousand million of them.
    assert len(copied) < 5000


def test_standing_up_beside_an_enemy() -> None:
    # SBH-FALLEN-07: he stands when he is struck; if he falls, he lies again.
    battle = field(fighter("a", down=True), fighter("d", 1))

    found = brave_odds(battle, "a", "stand").attacker

    standing = attack_odds(field(fighter("d"), fighter("a", 1)), "d", "a", "hack").defender
    assert found == standing
    safe = field(fighter("a", down=True), fighter("d", 1), standUpFreeHack="never")
    assert brave_odds(safe, "a", "stand").attacker.nothing == 1


# -- the gamble --------------------------------------------------------------------------------------------------------


def by_icepool(needed: int, number: int) -> list[float]:
    """The chance of each number of successes, as icepool sees it."""
    good = number @ (icepool.d6 >= needed)
    return [float(good.probability(k)) for k in range(number + 1)]


@pytest.mark.parametrize("quality", [2, 3, 4, 5, 6])
def test_the_gamble_agrees_with_icepool(quality: int) -> None:
    battle = field(fighter("a", quality=quality), fighter("d", 1))

    for one in gambles(battle, "a"):
        good = by_icepool(quality, one.dice)
        assert one.needed == quality
        assert one.actions == pytest.approx(good)
        assert one.lost == pytest.approx(sum(good[: one.dice - 1]))  # two failures or more
        assert one.mean == pytest.approx(one.dice * (7 - quality) / 6)
        assert one.exhausted == 0


def test_the_table_of_the_book() -> None:
    # SBH-ACT-04: one die never loses the turn; FF, SFF and FFF do, SF and SSF do not.
    one, two, three = gambles(field(fighter("a"), fighter("d", 1)), "a")

    assert (one.actions, one.lost) == ((0.5, 0.5), 0)
    assert (two.actions, two.lost) == ((0.25, 0.5, 0.25), 0.25)
    assert (three.actions, three.lost) == ((0.125, 0.375, 0.375, 0.125), 0.5)


def needs(battle: Battle) -> int:
    return gambles(battle, "a")[0].needed


def test_all_that_bears_on_the_gamble() -> None:
    a = fighter("a", quality=4)
    chief = fighter("chief", rules=["leader"])
    battle = field(a, fighter("d", 1), chief)
    put(battle, chief, 200.0, 340.0)
    assert needs(battle) == 3

    put(battle, chief, 200.0, 599.0)
    assert needs(battle) == 4
    a.wounds, a.poison = 1, 1
    assert needs(battle) == 6
    a.wounds, a.poison, a.hurt = 0, 0, 1
    assert needs(battle) == 5


def test_a_hero_is_sure_of_one_die() -> None:
    one, two, three = gambles(field(fighter("a", rules=["hero"]), fighter("d", 1)), "a")

    assert (one.actions, one.lost) == ((0, 1), 0)
    assert (two.actions, two.lost) == ((0, 0.5, 0.5), 0)
    assert (three.actions, three.lost) == ((0, 0.25, 0.5, 0.25), 0.25)


def test_three_failures_exhaust_the_magic_only_if_it_was_announced() -> None:
    a = fighter("a", quality=4, rules=["mage", "priest"])
    a.equip(Item("scroll", 1, 5))
    place = Piece("stones", "ruin", Outline.circle(200.0, 300.0, 30.0), 20.0, ("cover",))
    battle = field(a, fighter("d", 1), pieces=[place])

    found = {one.key: one for one in gambles(battle, "a")}

    assert list(found) == [f"{n}{word}" for word in ("", ":cast", ":heal", ":cast+heal", ":scroll") for n in (1, 2, 3)]
    exhausting = {key: one.exhausted for key, one in found.items() if one.exhausted}
    assert exhausting == {"3:cast": 1 / 8, "3:heal": 1 / 8, "3:cast+heal": 1 / 8, "3:scroll": pytest.approx(8 / 27)}
    assert found["3:scroll"].needed == 5
    battle.place_of_power = "stones"
    blessed = {one.key: one for one in gambles(battle, "a")}
    assert (blessed["3:cast"].needed, blessed["3:cast"].exhausted) == (3, 0)  # SBH-SCEN-POWER-02


def squad() -> Battle:
    battle = field(
        fighter("chief", rules=["leader"]), fighter("d", 1), fighter("elf", quality=3), fighter("halfling", quality=5),
        fighter("rat", quality=4, rules=["gregarious"]), fighter("seer", quality=3, rules=["mage"]),
    )  # fmt: skip
    for number, id in enumerate(("elf", "halfling", "rat", "seer")):
        put(battle, battle.units[id], 200.0 + 16.0 * number, 250.0)
    return battle


def test_a_group_gambles_with_its_worst_quality() -> None:
    # SBH-GROUP-06, under the Leader's +1.
    battle = squad()

    found = group_gambles(battle, "chief", ["elf", "halfling"])

    assert found[0].needed == 4
    for one in found:
        assert one.actions == pytest.approx(by_icepool(4, one.dice))
        assert one.lost == pytest.approx(sum(by_icepool(4, one.dice)[: one.dice - 1]))
        assert one.exhausted == 0
    assert group_gambles(battle, "chief", ["rat", "elf"])[0].needed == 2  # SBH-SR-GREGARIOUS-01
    casting = group_gambles(battle, "chief", ["elf", "seer"], ["seer"])
    assert [one.exhausted for one in casting] == pytest.approx([0, 0, 1 / 216])


def test_the_gamble_played_two_thousand_times() -> None:
    battle = field(fighter("a", quality=5, rules=["mage"]), fighter("d", 1))
    one = next(g for g in gambles(battle, "a") if g.key == "3:cast")

    def play(battle: Battle, twin: Battle) -> Any:
        answered(activate(twin, "a"), {"choose_dice": "3:cast"})
        return twin.active.actions["a"], twin.active.turnover, twin.units["a"].drained

    expected = {(k, k < 2, k == 0): chance for k, chance in enumerate(one.actions)}
    fits(expected, battle, play, 2000, seed=4)


def test_a_group_played_two_thousand_times() -> None:
    battle = squad()
    three = group_gambles(battle, "chief", ["elf", "halfling"])[2]

    def play(battle: Battle, twin: Battle) -> Any:
        answered(activate_group(twin, "chief", "group", ("elf", "halfling")), {"choose_group_dice": "3"})
        return twin.active.actions["elf"]

    fits(dict(enumerate(three.actions)), battle, play, 2000, seed=5)


# -- morale ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quality", "rules", "needed", "sure"),
    [
        (4, (), 4, 0),
        (3, ("undead",), 2, 0),
        (5, ("steadfast",), 4, 0),
        (4, ("hero",), 4, 1),
        (6, ("hero", "steadfast"), 5, 1),
    ],
)
def test_morale_by_icepool_and_by_playing(quality: int, rules: tuple[str, ...], needed: int, sure: int) -> None:
    battle = field(fighter("a", quality=quality, rules=rules), fighter("d", 1))

    found = morale_odds(battle, "a")

    failed = (3 - sure) @ (icepool.d6 < needed)
    assert found == pytest.approx([float(failed.probability(k)) for k in range(4)])

    def play(battle: Battle, twin: Battle) -> Any:
        roll = quality_roll(twin, twin.units["a"], "morale")
        asking: Any = roll_morale(twin, roll, "half", "SBH-MORALE-15")
        try:
            question = next(asking)
            while True:
                question = asking.send(question.suggestion())
        except StopIteration as end:
            return end.value

    fits(dict(enumerate(found)), battle, play, 1500, seed=6)


def test_naturals_of_a_quality_roll_follow_the_house_rule() -> None:
    usual = field(fighter("a", quality=2, rules=["undead"]), fighter("d", 1))
    strict = field(fighter("a", quality=2, rules=["undead"]), fighter("d", 1), naturalAlways="activationOnly")

    assert morale_odds(usual, "a")[0] == pytest.approx((5 / 6) ** 3)
    assert morale_odds(strict, "a") == (1, 0, 0, 0)
    roll = quality_roll(usual, usual.units["a"], "activation")
    assert successes(roll, 2) == pytest.approx((1 / 36, 10 / 36, 25 / 36))


# -- what helps to answer ----------------------------------------------------------------------------------------------


def odds_for(battle: Battle, decision: Decision) -> dict[str, Any] | None:
    found = SbhOdds(game).helping(battle, decision)
    return found.data() if found is not None else None


def asked(battle: Battle, ask: str, keys: Sequence[str], **about: Any) -> dict[str, Any]:
    options = [Option(key) for key in keys]
    found = odds_for(battle, PickOne(0, options, ask, "SBH-ACT-01", about))
    assert found is not None
    well_formed(found)
    return found


def well_formed(found: Mapping[str, Any]) -> None:
    assert all(found["title"][lang] for lang in ("en", "fr"))
    assert all(column[lang] for column in found["columns"][1:] for lang in ("en", "fr"))
    for row in found["rows"]:
        assert len(row) == len(found["columns"])
        for column, number in zip(found["columns"][1:], row[1:], strict=True):
            assert column.get("as") == "number" or 0 <= number <= 1
    json.dumps(found)


def column(found: Mapping[str, Any], name: str) -> dict[str, float]:
    at = [c["en"] for c in found["columns"]].index(name)
    return {row[0]: row[at] for row in found["rows"]}


def test_how_many_dice() -> None:
    battle = field(fighter("a", rules=["mage"]), fighter("d", 1))
    keys = [f"{n}{word}" for word in ("", ":cast") for n in (1, 2, 3)]

    found = asked(battle, "choose_dice", keys, fighter="a")

    assert [row[0] for row in found["rows"]] == keys
    assert column(found, "turn lost") == {"1": 0, "2": 0.25, "3": 0.5, "1:cast": 0, "2:cast": 0.25, "3:cast": 0.5}
    assert column(found, "powers lost")["3:cast"] == 1 / 8
    assert column(found, "powers lost")["3"] == 0
    assert column(found, "3 actions")["3"] == 1 / 8
    assert column(found, "actions on average")["3"] == 1.5


def test_how_many_dice_for_a_group() -> None:
    found = asked(squad(), "choose_group_dice", ["1", "2", "3"], fighter="chief", order="group", needed=5)

    assert column(found, "turn lost") == pytest.approx({"1": 0, "2": 4 / 9, "3": 20 / 27})


def test_whom_to_activate() -> None:
    battle = field(fighter("a"), fighter("d", 1), fighter("hero", rules=["hero"]))

    found = asked(battle, "choose_fighter", ["a", "hero", "marker.1", "end"])

    assert column(found, "needs") == {"a": 4, "hero": 4}
    assert column(found, "2 dice: turn lost") == {"a": 0.25, "hero": 0}


def test_which_quality_to_borrow() -> None:
    battle = field(fighter("a", quality=5), fighter("d", 1), fighter("elf", quality=2))

    found = asked(battle, "swap_quality", ["none", "elf"], fighter="a")

    assert column(found, "turn lost") == pytest.approx({"none": 4 / 9, "elf": 1 / 36})
    assert battle.swapped == ()


def test_what_to_do() -> None:
    battle = field(fighter("a", combat=4), fighter("d", 1))
    battle.acting = [Activation(("a",), 3)]
    words = {"attack:d": "attack", "power:d": "power", "leave": "leave", "done": "done"}
    options = [Option(key, word, {"target": "d"} if ":" in key else {}) for key, word in words.items()]

    found = odds_for(battle, PickOne(0, options, "choose_action", "SBH-ACTION-01", {"fighter": "a", "actions": 3}))

    assert found is not None
    well_formed(found)
    assert [row[0] for row in found["rows"]] == ["attack:d", "power:d", "leave"]
    fight, power = (attack_odds(battle, "a", "d", deed) for deed in ("attack", "power"))
    assert column(found, "killed") == {"attack:d": fight.defender.kill, "power:d": power.defender.kill, "leave": 0}
    assert column(found, "own fall")["attack:d"] == fight.attacker.fall > 0
    assert column(found, "gets away")["leave"] == brave_odds(battle, "a", "leave").attacker.free
    sums = [sum(row[1:]) for row in found["rows"]]
    assert sums == pytest.approx([1, 1, 1])


def test_whether_to_strike_at_somebody_who_turns_away() -> None:
    battle = field(fighter("a"), fighter("d", 1))

    found = asked(battle, "make_free_hack", ["yes", "no"], fighter="d", target="a")

    assert column(found, "recoils") == {"yes": attack_odds(battle, "d", "a", "hack").defender.recoil}


def test_what_to_shoot_at_together() -> None:
    kobolds = [fighter(f"k{n}", combat=2, rules=["shooter(long)"]) for n in range(3)]
    battle = field(kobolds[0], fighter("ogre", 1, combat=4, rules=["big"]), *kobolds[1:], apart=60.0)
    for number, kobold in enumerate(kobolds[1:], 1):
        put(battle, kobold, 200.0, 300.0 + 20.0 * number)
    battle.acting = [Activation(("k0", "k1", "k2"), 2, "volley", "k0")]

    found = asked(
        battle, "choose_member", ["volley:ogre", "aimvolley:ogre", "k0", "done"], fighter="k0", order="volley"
    )

    for key in ("volley", "aimvolley"):
        together = attack_odds(battle, "k0", "ogre", key, shooters=kobolds)
        assert column(found, "killed")[f"{key}:ogre"] == together.defender.kill > 0
    assert len(found["rows"]) == 2


def test_what_to_cast() -> None:
    battle = field(fighter("a", rules=["mage", "entangle"]), fighter("d", 1), apart=40.0)
    battle.acting = [Activation(("a",), 3)]
    options = [
        Option(f"{word}:{power}:d", word, {"power": power, "target": "d"})
        for word in ("bolt", "transfix", "entangle")
        for power in (1, 2, 3)
    ]

    found = odds_for(battle, PickOne(0, options, "choose_action", "SBH-ACTION-01", {"fighter": "a", "actions": 3}))

    assert found is not None
    well_formed(found)
    snared = column(found, "transfixed")
    for power in (1, 2, 3):
        assert snared[f"transfix:{power}:d"] == snared[f"entangle:{power}:d"] == 1 - 0.5**power
        assert snared[f"bolt:{power}:d"] == 0
        assert column(found, "falls")[f"bolt:{power}:d"] > 0


def test_which_die_to_roll_again() -> None:
    battle = field(fighter("a", rules=["hero"]), fighter("d", 1))

    found = asked(
        battle, "reroll_die", ["none", "die:2", "die:5"], fighter="a", faces=[2, 5], about="activation", needed=4
    )
    assert column(found, "no failure") == {"none": 0, "die:2": 0.5, "die:5": 0}
    assert column(found, "1 failure") == {"none": 1, "die:2": 0.5, "die:5": 0.5}
    assert column(found, "2 failures") == {"none": 0, "die:2": 0, "die:5": 0.5}

    fight = asked(
        battle, "reroll_die", ["none", "die:1"], fighter="a", faces=[1], about="combat", total=4, against=6, target="d"
    )
    assert column(fight, "wins") == pytest.approx({"none": 0, "die:1": 3 / 6})
    assert column(fight, "tie") == pytest.approx({"none": 0, "die:1": 1 / 6})


def test_who_holds_and_whether_to_be_brave() -> None:
    battle = field(fighter("a"), fighter("d", 1), fighter("elf", quality=2))

    order = asked(battle, "order_of_morale", ["a", "elf"])
    assert column(order, "no failure") == pytest.approx({"a": 1 / 8, "elf": (5 / 6) ** 3})
    brave = asked(battle, "be_brave", ["none", "brave"], fighter="a", faces=[1, 1, 5], failures=2)
    assert column(brave, "2 failures") == {"none": 1, "brave": 3 / 8}


def test_no_dice_no_odds() -> None:
    battle = field(fighter("a"), fighter("d", 1))

    assert odds_for(battle, PickOne(0, [Option("south")], "choose_edge", "SBH-SETUP-03")) is None
    silent = PickOne(
        0, [Option("move", "move"), Option("done", "done")], "choose_action", "SBH-ACTION-01", {"fighter": "a"}
    )
    assert odds_for(battle, silent) is None


@pytest.mark.parametrize("seed", [3, 8])
def test_every_question_of_a_battle_can_be_advised(seed: int) -> None:
    random = Random(seed)
    play = Play(game, game.setup(seed), seed)
    kinds: Counter[str] = Counter()
    for _ in range(250):
        if play.over:
            break
        decision: Decision = play.pending[0]
        before = play.battle.fingerprint() if kinds.total() % 10 == 0 else ""
        found = odds_for(play.battle, decision)
        if found is not None:
            kinds[decision.ask] += 1
            well_formed(found)
            offered = {option.key for option in getattr(decision, "options", ())}
            assert {row[0] for row in found["rows"]} <= offered
            if before:
                assert play.battle.fingerprint() == before
        play.answer(decision.side, decision.sample(random))

    assert {"choose_fighter", "choose_dice"} <= kinds.keys()


# -- asked by name, and on the command line ----------------------------------------------------------------------------


@pytest.fixture
def odds() -> SbhOdds:
    return SbhOdds(game)


def adds(odds: SbhOdds, attacker: str, defender: str, **how: Any) -> tuple[int, int]:
    first = odds.between(attacker, defender, **how).figures["odds"][0]
    return first["adds"]["attacker"], first["adds"]["defender"]


def test_two_profiles_without_a_table(odds: SbhOdds) -> None:
    found = odds.between("elf-archer", "orc-warrior", distance=100, cover=True).data()

    archer, orc = card_of("elf-archer"), card_of("orc-warrior")
    assert [one["manner"] for one in found["odds"]] == ["shoot", "aim"]
    assert found["odds"][0]["adds"] == {"attacker": archer.combat - 1, "defender": orc.combat}
    assert found["odds"][1]["adds"] == {"attacker": archer.combat - 1, "defender": orc.combat - 1}
    assert (found["method"], found["names"]["attacker"]) == ("exact", archer.name)
    for table in found["tables"]:
        well_formed(table)
    assert [len(table["rows"]) for table in found["tables"]] == [2, 3]


def test_what_is_told_counts_as_the_rules_say(odds: SbhOdds) -> None:
    man = "human-warrior"  # Combat 3
    assert adds(odds, man, man, charge=True) == (3, 3)
    assert adds(odds, man, man, charge=True, outnumbered=2) == (3, 1)
    assert adds(odds, man, man, charge=True, attacker_outnumbered=3) == (0, 3)
    assert adds(odds, man, man, charge=True, outnumbered=5, attacker_outnumbered=5) == (-2, -2)
    assert adds(odds, man, man, charge=True, fallen=True) == (5, 3)
    assert adds(odds, man, man, charge=True, transfixed=True, fallen=True) == (5, 3)
    assert adds(odds, man, man, charge=True, attacker_fallen=True) == (3, 5)
    assert adds(odds, man, man, charge=True, ambush=True) == (4, 3)
    assert adds(odds, man, man, charge=True, obstacle=True) == (3, 4)
    assert adds(odds, man, man, charge=True, higher=True) == (4, 3)
    bow = "elf-archer"  # Combat 3, shooter(long)
    assert adds(odds, bow, man, ambush=True) == (4, 3)
    assert adds(odds, bow, man, distance=120) == (3, 3)
    assert adds(odds, bow, man, distance=121) == (1, 3)
    assert adds(odds, bow, man, distance=360) == (-1, 3)
    assert adds(odds, bow, man, distance=180, scale="28mm") == (3, 3)
    assert adds(odds, bow, man, transfixed=True) == (5, 3)
    assert adds(odds, bow, man, fallen=True) == (3, 3)
    assert adds(odds, bow, man, shooters=3) == (3, 1)


def test_a_mage_of_the_roster(odds: SbhOdds) -> None:
    found = odds.between("human-mage", "orc-warrior", distance=70).figures["odds"]

    assert [(one["manner"], one["power"]) for one in found] == [
        ("bolt", 2), ("bolt", 3), ("transfix", 2), ("transfix", 3)
    ]  # fmt: skip
    assert found[-1]["defender"]["transfixed"] == pytest.approx(1 - (0.5) ** 3)


def test_free_hacks_are_told_where_they_may_be_made(odds: SbhOdds) -> None:
    deeds = [one["manner"] for one in odds.between("orc-warrior", "human-warrior", charge=True).figures["odds"]]
    assert deeds == ["attack", "power", "hack"]
    nimble = next(card.id for card in cards().values() if "free-disengage" in card.rules)
    deeds = [one["manner"] for one in odds.between("orc-warrior", nimble, charge=True).figures["odds"]]
    assert deeds == ["attack", "power"]


@pytest.mark.parametrize(
    ("attacker", "how", "said"),
    [
        ("human-warrior", {}, "Human Warrior has nothing to shoot with; --charge for close combat"),
        ("elf-archr", {}, 'did you mean "elf-archer"?'),
        ("elf-archer", {"distance": 361}, "361 mm away, reach is 360 mm (SBH-SHOOT-02)"),
        ("elf-archer", {"shooters": 6}, "from 1 to 5"),
        ("elf-archer", {"scale": "20mm"}, "scale"),
        ("elf-archer", {"obstacle": True}, "for close combat"),
        ("elf-archer", {"charge": True, "cover": True}, "for attacks from afar"),
        ("elf-archer", {"covr": True}, 'did you mean "cover"?'),
        ("human-mage", {"shooters": 2}, "does not shoot (SBH-VOLLEY-01)"),
    ],
)
def test_what_makes_no_sense_is_answered(odds: SbhOdds, attacker: str, how: dict[str, Any], said: str) -> None:
    with pytest.raises(Problems) as problems:
        odds.between(attacker, "orc-warrior", **how)

    assert said in str(problems.value)


def test_a_stealthy_fighter_in_cover_is_safe(odds: SbhOdds) -> None:
    with pytest.raises(Problems, match="Stealthy"):
        odds.between("elf-archer", "kobold-infiltrator", cover=True)


def test_odds_of_a_battle_as_it_stands(odds: SbhOdds) -> None:
    battle = field(fighter("a", rules=["shooter(short)"]), fighter("d", 1), fighter("mage", rules=["mage"]), apart=40.0)
    put(battle, battle.units["mage"], 200.0, 360.0)

    shots = odds.at(battle, "a", "d").data()
    assert [one["manner"] for one in shots["odds"]] == ["shoot", "aim"]
    fights = odds.at(battle, "a", "d", charge=True).data()
    assert [one["manner"] for one in fights["odds"]] == ["attack", "power"]
    spells = odds.at(battle, "mage", "d").data()
    assert {(one["manner"], one["power"]) for one in spells["odds"]} == set(product(("bolt", "transfix"), (2, 3)))
    for told in (shots, fights, spells):
        well_formed(told["tables"][0])

    put(battle, battle.units["d"], 500.0, 300.0)
    with pytest.raises(Refused) as refused:
        odds.at(battle, "a", "d")
    assert refused.value.refusal.rule == "SBH-SHOOT-02"
    with pytest.raises(Problems):
        odds.at(battle, "d", "a")
    with pytest.raises(Refused):
        odds.at(battle, "a", "mage", charge=True)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.delenv("ORIFLAMME_LANG", raising=False)

    def call(*arguments: str) -> tuple[int, str, str]:
        show.console.cache_clear()
        capsys.readouterr()
        code = run(list(arguments))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def test_the_command_line_shows_them_in_both_languages(said: Any) -> None:
    code, out, _ = said("odds", "sbh", "elf-archer", "orc-warrior", "--distance", "100", "--cover")
    assert code == 0
    assert "Elf Archer attacks Orc Warrior from afar (exact)" in out
    assert all(word in out for word in ("aimed shot", "72.2%", "turn lost", "2 dice"))

    code, out, _ = said("odds", "sbh", "human-heavy-cavalry", "troll", "--charge", "--outnumbered", "2", "--lang", "fr")
    assert code == 0
    assert all(word in out for word in ("attaque en puissance", "tour perdu", "2 dés", "blessé"))

    code, out, _ = said("odds", "sbh", "elf-archer", "orc-warrior", "--json")
    assert json.loads(out)["odds"][0]["manner"] == "shoot"


def test_the_command_line_refuses_what_a_game_does_not_know(said: Any) -> None:
    code, _, err = said("odds", "sbh", "elf-archer", "orc-warrior", "--fatigued")
    assert code == 1
    assert "--attacker-fatigued: does not count in sbh" in err
    code, _, err = said("odds", "aof", "crossbow_company", "stokers", "--ambush", "--fallen")
    assert code == 1
    assert "--ambush: does not count in aof" in err
    assert "--fallen" in err


def test_a_gamble_is_named_by_the_answer_that_chooses_it() -> None:
    assert Gamble(2, "", 4, (), 0, 0).key == "2"
    assert Gamble(3, "cast", 4, (), 0, 0).key == "3:cast"
