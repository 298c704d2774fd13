"""Odds of Last Fantasy War against the steps that play them, and against the same laws written by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import acos, pi
from typing import Any

import pytest
from tests.lfw.laid import GAME, add, agrees, battle_of, play_track, weapon

from oriflamme.engine.core.decisions import Decision, PickOne
from oriflamme.engine.core.dice import ScriptedDice, SeededDice
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.odds import Distribution, over_all_dice, play_out
from oriflamme.engine.odds.playing import AnswerTo, question_in, suggested
from oriflamme.engine.words.problems import Problems
from oriflamme.games.lfw.attacks import make_attack, roll_attack
from oriflamme.games.lfw.combat import fighting_of
from oriflamme.games.lfw.courage import passes_courage
from oriflamme.games.lfw.environments import attack_on
from oriflamme.games.lfw.events.melee import CombatDecided
from oriflamme.games.lfw.flee import Flights
from oriflamme.games.lfw.jumping import resolve_jump
from oriflamme.games.lfw.magic import SPELLS, cast
from oriflamme.games.lfw.melee import fight_combat, strike_with
from oriflamme.games.lfw.odds.blasts import blast_tolls
from oriflamme.games.lfw.odds.chances import door_chance, jump_odds, search_chance, spell_odds
from oriflamme.games.lfw.odds.combats import Blow, Plan, combat_odds, following
from oriflamme.games.lfw.odds.laws import blow_law, courage_chance, exchange_law, shot_law, shot_tolls
from oriflamme.games.lfw.shooting import Blast, Volley, fire, resolve_shot
from oriflamme.games.lfw.state import Asking, Battle, Combat
from oriflamme.games.lfw.values import Amount

# -- laws written by hand ----------------------------------------------------------------------------------------------


def test_a_shot_is_counted_as_it_is_played() -> None:
    bow = weapon("bow", range=18, attack=2, strength=1)
    battle = battle_of(
        archer={"weapons": [bow], "CT": 4}, levy={"Pv": 20, "D": 4, "rules": ["Protection(5+)", "Impertinent(hit)"]}
    )

    def shot(twin: Battle) -> int:
        archer, levy = twin.part("archer"), twin.part("levy")
        play_out(resolve_shot(twin, make_attack(twin, "ranged", archer, levy, bow), covered=False))
        return 20 - levy.pv

    law = shot_law(battle, battle.part("archer"), bow, battle.part("levy"), cover=0)

    assert law == over_all_dice(battle, shot)


def by_hand(*, rolls: int, skill: int, dodge: int, strength: int, defence: int) -> Distribution[int]:
    """The same for a plain shot, face by face: 6 hits and 1 misses, two over is critical, each success after the first
    and each critical is +1, a natural 1 costs a life point at least and a 6 one less."""
    found: dict[int, int] = {}
    for *faces, test in product(range(1, 7), repeat=rolls + 1):
        hits = [face for face in faces if face != 1 and (face == 6 or face - dodge >= skill)]
        force = strength + max(0, len(hits) - 1) + sum(face - dodge >= skill + 2 for face in hits)
        wounds = max(0, defence - (test - force))
        wounds = max(0, wounds - 1) if test == 6 else max(1, wounds) if test == 1 else wounds
        wounds = wounds if hits else 0
        found[wounds] = found.get(wounds, 0) + 1
    return Distribution.weighted(found)


@pytest.mark.parametrize(
    ("rolls", "skill", "dodge", "strength", "defence"),
    [(1, 4, 0, 0, 4), (3, 3, 1, 1, 4), (2, 5, 2, -1, 3), (2, 2, 0, 3, 6), (3, 6, 3, 2, 5)],
)
def test_a_shot_has_the_law_that_was_written_by_hand(
    rolls: int, skill: int, dodge: int, strength: int, defence: int
) -> None:
    bow = weapon("bow", range=18, attack=rolls, strength=strength)
    battle = battle_of(archer={"weapons": [bow], "CT": skill}, levy={"Pv": 20, "D": defence, "E": dodge})

    law = shot_law(battle, battle.part("archer"), bow, battle.part("levy"), cover=0)

    assert law == by_hand(rolls=rolls, skill=skill, dodge=dodge, strength=strength, defence=defence)


def test_saturation_counts_in_a_blow() -> None:
    sword, club = weapon("sword", attack=2), weapon("club")
    battle = battle_of(knight={"weapons": [sword], "CC": 4}, levy={"weapons": [club], "Pv": 9, "D": 4})

    law = blow_law(battle, battle.part("knight"), sword, battle.part("levy"))

    # 3 or more hits, 5 and 6 are critical: strength 0 with 3 and 4, strength 1 with 5 and 6.
    assert law[0] == Fraction(1, 3) + Fraction(1, 3) * Fraction(3, 6) + Fraction(1, 3) * Fraction(2, 6)


def test_who_strikes_first_may_keep_the_other_from_striking() -> None:
    blade = weapon("blade")
    even = battle_of(knight={"weapons": [blade]}, levy={"weapons": [blade]})
    first = battle_of(knight={"weapons": [blade], "rules": ["Strike first"]}, levy={"weapons": [blade]})

    both_die = exchange_law(even, even.part("knight"), even.part("levy")).chance(
        lambda end: end.own_lost and end.their_lost
    )
    law = exchange_law(first, first.part("knight"), first.part("levy"))
    kill = law.chance(lambda end: end.their_lost)

    assert both_die == kill * kill
    assert law.chance(lambda end: end.own_lost and end.their_lost) == 0
    assert law.chance(lambda end: end.own_lost) == (1 - kill) * kill


@pytest.mark.parametrize("rules", [[], ["Strike first"], ["Strike last"]])
def test_a_whole_combat_of_two_has_the_law_of_their_exchange(rules: list[str]) -> None:
    blade = weapon("blade", strength=2)
    battle = battle_of(knight={"weapons": [blade], "Pv": 4, "rules": rules}, levy={"weapons": [blade], "Pv": 3})
    knight, levy = battle.part("knight"), battle.part("levy")

    odds = combat_odds(battle, ("knight", "levy"))
    exchange = exchange_law(battle, knight, levy)

    assert odds.wounds(knight) == exchange.map(lambda end: end.own)
    assert odds.wounds(levy) == exchange.map(lambda end: end.their)
    assert odds.destroyed(levy) == exchange.chance(lambda end: end.their_lost)
    assert odds.wins(0) == exchange.chance(lambda end: not end.own_lost and (end.their_lost or end.own <= end.their))


def test_who_loses_a_combat_and_fails_its_test_flees() -> None:
    blade = weapon("blade", strength=1)
    battle = battle_of(knight={"weapons": [blade], "Pv": 9}, levy={"weapons": [blade], "Pv": 9, "Co": 9})
    levy = battle.units["levy"]

    odds = combat_odds(battle, ("knight", "levy"))

    assert odds.loses(1) == odds.tests(levy) > 0
    assert odds.flees(levy) == odds.loses(1) * (1 - Fraction(10, 36))


def test_courage_is_counted_with_both_strokes_of_fate() -> None:
    battle = battle_of(levy={"Co": 2}, orc={"Co": 13})

    assert courage_chance(battle, battle.units["levy"], battle.part("levy"), "morale") == Fraction(35, 36)
    assert courage_chance(battle, battle.units["orc"], battle.part("orc"), "morale") == Fraction(1, 36)
    assert courage_chance(battle, battle.units["levy"], battle.part("levy"), "morale", penalty=2) == Fraction(33, 36)


@pytest.mark.parametrize("needed", [2, 5, 7, 10, 12])
def test_courage_is_counted_as_it_is_tested(needed: int) -> None:
    battle = battle_of(levy={"Co": needed})

    law = over_all_dice(battle, lambda twin: play_out(passes_courage(twin, twin.units["levy"], "morale")))

    assert courage_chance(battle, battle.units["levy"], battle.part("levy"), "morale") == law[True]


def test_an_explosion_goes_astray_in_every_direction() -> None:
    pot = weapon("pot", range=12)
    battle = battle_of(thrower={"weapons": [pot], "CT": 4})
    aim = add(battle, "target", 1, 18, 18, Pv=20, D=6)
    add(battle, "beside", 1, 21, 18, Pv=20, D=6)

    tolls = blast_tolls(battle, battle.part("thrower"), Blast(pot, Amount(0, 1), 1.0), (aim.body.x, aim.body.y))

    # Whoever is caught is hit on 2 or more, never critically, and hurt unless he throws a 6.
    hurt = Fraction(5, 6) * Fraction(5, 6)
    # It stays with 4 or more, and an inch away it still touches the base it was aimed at. One who stands 3" away is
    # caught from 2", 3" and 4", in the directions that lead near enough to him.
    assert tolls["target"].at_least(1) == (Fraction(1, 2) + Fraction(1, 2) * Fraction(1, 6)) * hurt
    reach = 1 + aim.body.radius / inches(1)
    near = sum(acos((far * far + 9 - reach * reach) / (6 * far)) / pi for far in range(1, 7) if abs(far - 3) < reach)
    assert float(tolls["beside"].at_least(1)) == pytest.approx(near / 12 * float(hurt), abs=1e-3)


@pytest.mark.parametrize("height", [1, 2, 3, 5, 6.5, 11])
def test_a_jump_is_counted_as_it_is_played(height: float) -> None:
    battle = battle_of(levy={"Pv": 20, "D": 4, "rules": ["Protection(4+)"]})

    def jumped(twin: Battle) -> int:
        play_out(resolve_jump(twin, twin.units["levy"], inches(height)))
        return 20 - twin.part("levy").pv

    assert jump_odds(battle, battle.units["levy"], [inches(height)]).wounds == over_all_dice(battle, jumped)


def test_a_jump_hurts_by_its_height() -> None:
    battle = battle_of(levy={"Pv": 20})

    hurts = [jump_odds(battle, battle.units["levy"], [inches(height)]).hurts * 6 for height in (2, 2.1, 4, 8, 12)]
    twice = jump_odds(battle, battle.units["levy"], [inches(2), inches(2)]).hurts

    assert hurts == [2, 3, 3, 5, 6]
    assert twice == 1 - Fraction(4, 6) ** 2


@pytest.mark.parametrize(
    ("rules", "charged"), [((), False), (("Impact force(2)",), True), (("Skilful(combat)",), False)]
)
def test_a_door_gives_way_as_often_as_it_is_forced(rules: tuple[str, ...], charged: bool) -> None:
    axe = weapon("axe", strength=1, rules=rules)
    battle = battle_of(levy={"weapons": [axe]})

    def forced(twin: Battle) -> bool:
        attack = attack_on(twin, twin.part("levy"), axe, "door", 1, charged=charged)
        play_out(roll_attack(twin, attack))
        return attack.saved is not None and not attack.saved.success

    assert door_chance(battle, battle.part("levy"), axe, "door", charged=charged) == over_all_dice(battle, forced)[True]


def test_a_search_is_easier_after_failures() -> None:
    assert [search_chance(failures) for failures in (0, 1, 2, 3)] == [Fraction(n, 6) for n in (3, 4, 5, 6)]


# -- as often as they are played ---------------------------------------------------------------------------------------

Scene = tuple[Battle, dict[str, Distribution[Any]], Callable[[Battle], dict[str, Any]]]


def life_lost(battle: Battle, *ids: str) -> Callable[[Battle], dict[str, Any]]:
    before = {id: battle.part(id).pv for id in ids}
    return lambda after: {id: before[id] - after.part(id).pv for id in ids}


def shot_at_a_duo() -> Scene:
    bow = weapon("bow", range=18, attack=3, strength=1, rules=("Skilful(hit)",))
    battle = battle_of(archer={"weapons": [bow], "CT": 3})
    add(battle, "rider", 1, 12, 16, Pv=30, D=5, mount={"Pv": 30, "D": 3, "E": 1, "rules": ["Protection(5+)"]})
    laws = shot_tolls(battle, battle.part("archer"), bow, battle.part("rider"))
    count = life_lost(battle, "rider", "rider.mount")

    def play(twin: Battle) -> dict[str, Any]:
        own = twin.part("archer")
        play_out(fire(Volley(twin, own, twin.model_of(own), twin.part("rider"), bow)))
        return count(twin)

    return battle, dict(laws), play


def breath_among_friends() -> Scene:
    spray = weapon("spray", range=8, attack=2, rules=("Breath", "Flaming"))
    battle = battle_of(drake={"weapons": [spray], "CT": 3})
    add(battle, "page", 0, 12, 14.5, Pv=30)
    add(battle, "orc", 1, 12, 17, Pv=30, E=1)
    laws = shot_tolls(battle, battle.part("drake"), spray, battle.part("orc"))
    count = life_lost(battle, "page", "orc")

    def play(twin: Battle) -> dict[str, Any]:
        own = twin.part("drake")
        play_out(fire(Volley(twin, own, twin.model_of(own), twin.part("orc"), spray)))
        return count(twin)

    return battle, dict(laws), play


def explosion_in_a_crowd() -> Scene:
    pot = weapon("pot", range=12, strength=1, rules=("Explosion(D6, 1.5)",))
    battle = battle_of(thrower={"weapons": [pot], "CT": 4})
    add(battle, "orc", 1, 14, 15, Pv=30, E=1)
    add(battle, "goblin", 1, 16, 16, Pv=30)
    add(battle, "page", 0, 13, 17, Pv=30)
    laws = shot_tolls(battle, battle.part("thrower"), pot, battle.part("orc"))
    count = life_lost(battle, "orc", "goblin", "page")

    def play(twin: Battle) -> dict[str, Any]:
        own = twin.part("thrower")
        play_out(fire(Volley(twin, own, twin.model_of(own), twin.part("orc"), pot)))
        return count(twin)

    laws.pop("thrower", None)
    return battle, dict(laws), play


def _spell(id: str, point: tuple[float, float] | None = None) -> Scene:
    battle = battle_of(mage={"CT": 4, "Pm": 9, "Pv": 6})
    battle.part("mage").spells = (id,)
    add(battle, "orc", 1, 14, 15, Pv=6, D=3, rules=["Protection(5+)"])
    add(battle, "goblin", 1, 15, 16, Pv=6)
    known, aimed = SPELLS[id], None if point is None else (inches(point[0]), inches(point[1]))
    target = battle.part("orc") if point is None else None
    laws = spell_odds(battle, battle.part("mage"), known, target, aimed).wounds
    count = life_lost(battle, *laws)

    def answer(decision: Decision) -> Any:
        if decision.ask == "choose_target":
            return "orc"
        return {"point": aimed} if decision.ask == "choose_point" else suggested(decision)

    def play(twin: Battle) -> dict[str, Any]:
        play_out(cast(twin, twin.part("mage"), known), answer)
        return count(twin)

    # Nobody has more than six life points to lose.
    return battle, {name: law.map(lambda number: min(number, 6)) for name, law in laws.items()}, play


def _fought(battle: Battle, plan: Plan) -> Scene:
    """A whole combat: who wins, and how everybody stands afterwards."""
    models = tuple(battle.units)
    odds = combat_odds(battle, models, plan)
    ends = odds.law.map(lambda state: (odds.winners(state), tuple(one.pv for body in state for one in body)))

    def play(twin: Battle) -> dict[str, Any]:
        twin.log = []
        fight_combat(twin, models, 0)
        play_track(twin, following(twin, plan))
        (decided,) = (event for event in twin.log if isinstance(event, CombatDecided))
        parts = [part for id in models for part in twin.units[id].parts]
        return {"end": (decided.winners, tuple(part.pv for part in parts))}

    return battle, {"end": ends}, play


def combat_with_a_split() -> Scene:
    sword, club = weapon("sword", attack=3), weapon("club")
    battle = battle_of(
        levy={"weapons": [club], "Pv": 2},
        knight={"weapons": [sword], "CC": 3, "Pv": 3, "rules": ["Strike first"]},
        page={"weapons": [club], "Pv": 3, "D": 3, "rules": ["Protection(5+)"]},
        orc={"weapons": [club], "Pv": 2, "rules": ["Strike last"]},
    )
    one = Blow("club", ("knight",))
    return _fought(battle, {"knight": Blow("sword", ("levy", "page")), "levy": one, "page": one})


def combat_of_riders() -> Scene:
    lance, club = weapon("lance", strength=2), weapon("club", attack=2)
    battle = battle_of(levy={"weapons": [club], "Pv": 2, "CC": 3})
    horse = {"Pv": 2, "weapons": [weapon("hooves")], "rules": ["Strike last"]}
    add(battle, "rider", 1, 12, 13.4, Pv=3, weapons=[lance], rules=["Strike last"], mount=horse)
    return _fought(battle, {"levy": Blow("club", ("rider.mount",))})


SCENES = {
    "a shot at a duo": shot_at_a_duo,
    "a breath among friends": breath_among_friends,
    "an explosion in a crowd": explosion_in_a_crowd,
    "a fireball": lambda: _spell("fireball"),
    "a magic arrow": lambda: _spell("magic_arrow"),
    "an inner flame": lambda: _spell("inner_flame"),
    "a storm": lambda: _spell("storm", (14.5, 15.5)),
    "an opening to darkness": lambda: _spell("opening_to_darkness", (14.5, 15.5)),
    "a lightning": lambda: _spell("lightning", (14, 15)),
    "a combat with a split": combat_with_a_split,
    "a combat of riders": combat_of_riders,
}


@pytest.mark.parametrize("times", [600, pytest.param(100_000, marks=pytest.mark.exam)])
@pytest.mark.parametrize("scene", SCENES)
def test_odds_agree_with_attacks_that_were_played(scene: str, times: int) -> None:
    battle, laws, play = SCENES[scene]()

    seen: dict[str, Counter[Any]] = {id: Counter() for id in laws}
    for number in range(times):
        twin = battle.copy()
        twin.dice = SeededDice(number + 1)
        for id, value in play(twin).items():
            seen[id][value] += 1

    for id, law in laws.items():
        agrees(law, Distribution.weighted(seen[id]), times)


# -- beside questions --------------------------------------------------------------------------------------------------


def rows_of(battle: Battle, decision: Decision) -> dict[str, list[float]]:
    found = GAME.odds().helping(battle, decision)
    assert found is not None
    return {row[0]: list(row[1:]) for row in found.rows}


def asked(asking: Asking[Any], ask: str, answer: AnswerTo = suggested) -> PickOne:
    decision = question_in(asking, ask, answer)
    assert isinstance(decision, PickOne)
    return decision


def test_who_may_split_sees_what_both_parts_do() -> None:
    sword, club = weapon("sword", attack=3), weapon("club")
    battle = battle_of(levy={"weapons": [club]}, knight={"weapons": [sword], "CC": 4}, page={"weapons": [club]})
    battle.combat = Combat(tuple(battle.units), tuple(battle.units), 0)
    knight = battle.part("knight")

    decision = asked(strike_with(fighting_of(battle, battle.combat, knight), sword), "split")
    rows = rows_of(battle, decision)

    whole = blow_law(battle, knight, sword, battle.part("levy"), 3)
    first, rest = (
        blow_law(battle, knight, sword, battle.part("levy"), 1),
        blow_law(battle, knight, sword, battle.part("page"), 2),
    )
    assert rows["no"] == [float(whole.mean()), float(whole.at_least(1)), 0.0, 0.0]
    assert rows["page"] == [float(first.mean()), float(first.at_least(1)), float(rest.mean()), float(rest.at_least(1))]


def test_who_may_take_cover_sees_what_it_is_worth() -> None:
    bow = weapon("bow", range=18, attack=2)
    battle = battle_of(archer={"weapons": [bow], "CT": 4}, levy={"Pv": 5, "E": 1})
    attack = make_attack(battle, "ranged", battle.part("archer"), battle.part("levy"), bow)
    attack.cover = 2

    rows = rows_of(battle, asked(resolve_shot(battle, attack), "choose_dodge"))

    archer, levy = battle.part("archer"), battle.part("levy")
    assert rows["own"][0] == float(by_hand(rolls=2, skill=4, dodge=1, strength=0, defence=4).mean())
    assert rows["cover"][0] == float(shot_law(battle, archer, bow, levy, cover=2).mean()) < rows["own"][0]


def test_who_may_throw_a_defence_test_again_sees_the_wounds_of_both() -> None:
    bow = weapon("bow", range=18, strength=2)
    battle = battle_of(archer={"weapons": [bow], "CT": 2}, levy={"Pv": 5, "D": 4, "rules": ["Elite(defence)"]})
    battle.dice = ScriptedDice([4, 2])
    attack = make_attack(battle, "ranged", battle.part("archer"), battle.part("levy"), bow)

    rows = rows_of(battle, asked(resolve_shot(battle, attack, covered=False), "roll_again"))

    # Strength 2 and a critical hit: 4 and more is missing with 2, 6, 5, 4, 3, 2 and 1, less one for the 6, otherwise.
    assert rows["no"][0] == 5
    assert rows["yes"][0] == pytest.approx((6 + 5 + 4 + 3 + 2 + 0) / 6)


def test_a_unit_that_may_flee_sees_whether_it_holds_afterwards() -> None:
    battle = battle_of(orc={"Co": 7, "M": 4}, levy={"Co": 7, "M": 4})
    options = Flights().options(battle, 1)

    rows = rows_of(battle, PickOne(1, options, "choose_flight", "LFW-FLEE-03", {}))

    assert rows["levy"] == [1.0, float(Fraction(21, 36))]


# -- asked by name -----------------------------------------------------------------------------------------------------


def test_odds_of_two_units_by_name_are_told() -> None:
    answer = GAME.odds().between("archer", "swordsman", distance=6.0)

    assert answer.method == "exact"
    assert answer.figures["wounds"]["mean"] > 0
    assert answer.sentence is not None
    with pytest.raises(Problems, match="troll"):
        GAME.odds().between("troll+archer", "swordsman")


def test_at_night_only_who_is_near_or_in_light_is_shot_at() -> None:
    odds = GAME.odds()

    near, lit = (
        odds.between("archer", "swordsman", night=True, **more)
        for more in ({"distance": 6}, {"distance": 8, "lit": True})
    )

    assert near.figures == lit.figures
    with pytest.raises(Problems, match="LFW-DIST-13"):
        odds.between("archer", "swordsman", night=True, distance=8)


@pytest.mark.parametrize(("attackers", "defenders"), [(1, 2), (3, 1), (2, 2), (3, 2), (2, 3), (3, 3)])
def test_as_many_fight_as_are_asked_for(attackers: int, defenders: int) -> None:
    answer = GAME.odds().between("swordsman", "spearman", charge=True, attackers=attackers, defenders=defenders)

    combat = next(one for one in answer.tables if len(one.rows) > 1 and len(one.columns) == 5)
    assert len(combat.rows) == attackers + defenders


def test_a_mage_is_told_the_odds_of_his_spells() -> None:
    all_of_them = GAME.odds().between("magus", "swordsman")
    one = GAME.odds().between("magus+fireball", "swordsman")

    assert len(all_of_them.tables[0].rows) > 2
    assert [row[0]["en"] for row in one.tables[0].rows] == ["Fireball"]
    with pytest.raises(Problems, match="storm"):
        GAME.odds().between("magus+storm", "swordsman")


@pytest.mark.parametrize("told", [{"jump": 25}, {"attackers": 4}, {"search": -1}, {"quarters": 4}])
def test_what_cannot_be_is_refused(told: dict[str, Any]) -> None:
    with pytest.raises(Problems, match=next(iter(told))):
        GAME.odds().between("swordsman", "archer", charge="quarters" not in told, **told)
