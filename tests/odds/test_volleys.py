"""Shooting odds against three others: every face there is, every outcome of the whole step, and icepool."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.odds.troops import Found, answered, by_faces, field, hero, line_up, odds_between, play_track, troops, weapon

from oriflamme.engine.core.dice import Dice, outcomes
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.aof.events import HitsRolled
from oriflamme.games.aof.morale import test_after_wounds as take_morale_test
from oriflamme.games.aof.odds import engagement, sampling
from oriflamme.games.aof.odds.results import ShootingOdds
from oriflamme.games.aof.odds.volleys import quick_shooting, sampled_shooting, shooting_odds
from oriflamme.games.aof.profile import Weapon
from oriflamme.games.aof.shooting import shoot
from oriflamme.games.aof.state import Activation, Battle, Unit

WEAPON_RULES = ["AP(1)", "Bane", "Blast(2)", "Deadly(2)", "Reliable", "Relentless", "Rending", "Surge", "Unstoppable"]


def played(battle: Battle, unit: Unit, target: Unit) -> Callable[[Dice], tuple[int, int, int, bool]]:
    """The volley as it is played: the real steps from the declaration to the Morale Test."""

    def play(dice: Dice) -> tuple[int, int, int, bool]:
        twin = battle.copy()
        twin.dice, twin.log = dice, []
        twin.activation = Activation(unit.id, unit.side, "hold")
        twin.then(take_morale_test)
        answered(shoot(twin, unit.id))
        play_track(twin)
        after = twin.units[target.id]
        left = sum(f.left for f in target.figures) - sum(f.left for f in after.figures)
        hits = sum(e.hits for e in twin.log if isinstance(e, HitsRolled))
        return hits, left, len(target.figures) - len(after.figures), bool(after.figures and after.shaken)

    return play


def agree(counted: ShootingOdds, found: Found, models: int) -> None:
    """The odds say the same as what was found otherwise, to the last digit."""
    for number, law in enumerate((counted.hits, counted.wounds, counted.lost)):
        other: Found = {}
        for result, chance in found.items():
            other[result[number]] = other.get(result[number], Fraction(0)) + chance
        assert law == other
    assert counted.destroyed == sum(chance for result, chance in found.items() if result[2] == models)
    assert counted.shaken == sum(chance for result, chance in found.items() if result[3])
    assert counted.method == "exact"


def range_of(unit: Unit, target: Unit, away: float = 12, **options: str) -> Battle:
    """Both in the open, so far apart."""
    target.side = 1
    line_up(unit, 20, 20)
    line_up(target, 20, 20)
    for figure in target.figures:
        figure.y += inches(away) + unit.figures[0].radius + figure.radius
    target.update_bounds()
    return field(unit, target, **options)


# -- by every face -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacks", "rules", "armour"),
    [
        (2, (), ()),
        (1, ("Bane",), ("Regeneration",)),
        (2, ("Rending",), ()),
        (1, ("Surge", "AP(1)"), ("Fearless",)),
        (1, (), ("Regeneration",)),
        (2, ("Deadly(2)",), ("Tough(3)",)),
    ],
)
def test_small_volleys_face_by_face(attacks: int, rules: tuple[str, ...], armour: tuple[str, ...]) -> None:
    archers = troops("archers", attacks, weapons=[weapon(range=24, keywords=rules)])
    levy = troops("levy", 2, defense=5, keywords=armour)
    battle = range_of(archers, levy)

    agree(shooting_odds(battle, archers, levy), by_faces(played(battle, archers, levy)), 2)


def test_a_deadly_wound_is_regenerated_one_by_one() -> None:
    # AOF-HIT-13: one wound, 1-wound models with Regeneration: the model lives only if all three dice are 5+.
    catapult = troops("catapult", 1, quality=2, weapons=[weapon(range=24, keywords=["Deadly(3)"])])
    trolls = troops("trolls", 2, defense=4, keywords=["Regeneration"])
    battle = range_of(catapult, trolls)

    counted = shooting_odds(battle, catapult, trolls)

    assert counted.lost[1] == Fraction(5, 6) * Fraction(1, 2) * (1 - Fraction(1, 3) ** 3)
    agree(counted, outcomes(played(battle, catapult, trolls)), 2)


# -- by every outcome of the whole step --------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*combinations(WEAPON_RULES, 1), *combinations(WEAPON_RULES, 2)])
@pytest.mark.parametrize("armour", [(), ("Regeneration", "Tough(3)")])
def test_attacks_one_by_one_make_the_whole_pool(rules: tuple[str, ...], armour: tuple[str, ...]) -> None:
    # Small enough to follow every outcome of the whole pool.
    attacks = 1 if len({"Blast(2)", "Deadly(2)", *armour[:1]} & {*rules, *armour}) > 1 else 2
    archers = troops("archers", attacks, weapons=[weapon(range=24, keywords=rules)])
    levy = troops("levy", 2, defense=3, keywords=armour)
    battle = range_of(archers, levy)

    agree(shooting_odds(battle, archers, levy), outcomes(played(battle, archers, levy)), 2)


@pytest.mark.parametrize("option", ["afterMultiply", "beforeMultiply"])
@pytest.mark.parametrize("count", ["applied", "overkillCounts"])
def test_deadly_wounds_on_tough_models_under_every_house_rule(option: str, count: str) -> None:
    catapult = troops("catapult", 1, weapons=[weapon(range=24, attacks=2, keywords=["Deadly(3)"])])
    trolls = troops("trolls", 2, defense=5, keywords=["Regeneration", "Tough(2)"])
    battle = range_of(catapult, trolls, regenVsDeadly=option, woundCount=count)

    agree(shooting_odds(battle, catapult, trolls), outcomes(played(battle, catapult, trolls)), 2)


def test_later_groups_see_what_earlier_ones_left() -> None:
    # The Blast of the mortar is capped by the models the Deadly ballista has left standing.
    crew = troops("crew", 1, weapons=[weapon("ballista", attacks=2, range=24, keywords=["Deadly(2)"])])
    mortar = troops("mortar", 1, weapons=[weapon("mortar", attacks=1, range=24, keywords=["Blast(3)", "AP(1)"])])
    crew.figures.append(mortar.figures[0])
    crew.start = 2
    levy = troops("levy", 3, defense=5)
    battle = range_of(crew, levy)

    agree(shooting_odds(battle, crew, levy), outcomes(played(battle, crew, levy)), 3)


def test_groups_are_what_they_are_when_they_are_rolled() -> None:
    # Bows on either side of 9" are one group until the rifle has felled the one who is not Stealthy (AOF-HIT-01).
    rifle = troops("rifle", 1, weapons=[weapon("rifle", range=24, keywords=["Takedown"])])
    company = troops("company", 2, weapons=[weapon("bow", range=24, keywords=["Blast(2)"])])
    company.figures.append(rifle.figures[0])
    company.start = 3
    levy = troops("levy", 2, keywords=["Stealth"])
    hunter = troops("hunter", 1, quality=4, keywords=["Hero"])
    levy.figures.append(hunter.figures[0])
    levy.start = 3
    battle = range_of(company, levy, 8)
    company.figures[1].y -= inches(2)
    company.update_bounds()

    agree(shooting_odds(battle, company, levy), outcomes(played(battle, company, levy)), 3)


def test_a_sergeant_costs_no_hit_of_blast() -> None:
    sergeant = troops("sergeant", 1, weapons=[weapon("bomb", range=24, keywords=["Blast(3)"])], keywords=["Sergeant"])
    company = troops("company", 1, weapons=[weapon("bomb", range=24, keywords=["Blast(3)"])])
    company.figures.append(sergeant.figures[0])
    company.start = 2
    levy = troops("levy", 2, defense=5)
    battle = range_of(company, levy)

    counted = shooting_odds(battle, company, levy)

    # Both bombs meet both models, whatever the first has done.
    assert counted.hits.mean() == Fraction(1, 2) * 2 + (Fraction(1, 2) + Fraction(1, 6)) * 2
    agree(counted, outcomes(played(battle, company, levy)), 2)


def test_attacks_on_a_destroyed_unit_are_lost() -> None:
    crew = troops(
        "crew",
        1,
        quality=2,
        weapons=[weapon("first", attacks=3, range=24, keywords=["AP(2)"]), weapon("second", attacks=2, range=24)],
    )
    levy = troops("levy", 1, defense=5)
    battle = range_of(crew, levy)

    counted = shooting_odds(battle, crew, levy)

    agree(counted, outcomes(played(battle, crew, levy)), 1)
    assert counted.hits[5] < Fraction(5, 6) ** 5


def test_the_last_model_left_is_a_hero_with_his_own_defense() -> None:
    crew = troops("crew", 2, weapons=[weapon("sling", range=24), weapon("bow", range=24, keywords=["AP(1)"])])
    guard = troops("guard", 2, defense=5, hero=hero(defense=2, keywords=["Tough(3)"]))
    battle = range_of(crew, guard)

    agree(shooting_odds(battle, crew, guard), outcomes(played(battle, crew, guard)), 3)


def test_regeneration_that_a_hero_lacks_comes_back_when_he_has_fallen() -> None:
    crew = troops(
        "crew",
        1,
        weapons=[
            weapon("long rifle", attacks=2, range=24, keywords=["Takedown", "AP(4)"]),
            weapon("bow", attacks=2, range=24),
        ],
    )
    trolls = troops("trolls", 2, defense=4, keywords=["Regeneration"], hero=hero())
    battle = range_of(crew, trolls)

    agree(shooting_odds(battle, crew, trolls), outcomes(played(battle, crew, trolls)), 3)


def test_a_fearless_unit_under_a_banner_shakes_less() -> None:
    archers = troops("archers", 2, quality=2, weapons=[weapon(range=24, keywords=["AP(4)"])])
    levy = troops("levy", 3, quality=5, defense=6, keywords=["Banner", "Fearless"])
    plain = troops("plain", 3, quality=5, defense=6)
    battle, other = range_of(archers, levy), range_of(archers.copy(), plain)

    counted = shooting_odds(battle, archers, levy)

    agree(counted, outcomes(played(battle, archers, levy)), 3)
    assert counted.shaken < shooting_odds(other, other.units["archers"], plain).shaken


def test_a_banner_falls_with_its_bearer() -> None:
    archers = troops("archers", 2, quality=2, weapons=[weapon(range=24, keywords=["AP(4)"])])
    levy, bearer = (
        troops("levy", 3, quality=5, defense=6),
        troops("bearer", 1, quality=5, defense=6, keywords=["Banner"]),
    )
    levy.figures.insert(2, bearer.figures[0])
    levy.start = 8
    battle = range_of(archers, levy)

    agree(shooting_odds(battle, archers, levy), outcomes(played(battle, archers, levy)), 4)


def test_a_joined_hero_tests_for_his_unit() -> None:
    archers = troops("archers", 2, quality=2, weapons=[weapon(range=24, keywords=["AP(4)"])])
    levy = troops("levy", 2, quality=6, defense=6, hero=hero(quality=2))
    battle = range_of(archers, levy)

    agree(shooting_odds(battle, archers, levy), outcomes(played(battle, archers, levy)), 3)


@settings(max_examples=60, deadline=None)
@given(
    attacks=st.integers(1, 2),
    quality=st.integers(2, 6),
    defense=st.integers(2, 6),
    rules=st.sets(st.sampled_from([*WEAPON_RULES, "AP(4)", "Indirect", "Takedown"]), max_size=3),
    models=st.integers(1, 3),
    armour=st.sets(st.sampled_from(["Regeneration", "Stealth", "Tough(2)", "Fearless", "Artillery"]), max_size=2),
    away=st.sampled_from([6, 9, 15]),
    moved=st.booleans(),
    hurt=st.integers(0, 1),
)
def test_any_small_volley(
    attacks: int,
    quality: int,
    defense: int,
    rules: set[str],
    models: int,
    armour: set[str],
    away: float,
    moved: bool,
    hurt: int,
) -> None:
    if "Blast(2)" in rules:
        attacks = 1
    archers = troops("archers", attacks, quality=quality, weapons=[weapon(range=24, keywords=sorted(rules))])
    levy = troops("levy", models, defense=defense, keywords=sorted(armour))
    if "Tough(2)" in armour:
        levy.figures[0].wounds = hurt
    for figure in archers.figures:
        figure.moved = moved
    battle = range_of(archers, levy, away)

    agree(shooting_odds(battle, archers, levy), outcomes(played(battle, archers, levy)), models)


# -- by icepool --------------------------------------------------------------------------------------------------------

D6 = icepool.d6


def pool(
    number: int,
    hit: Callable[[int], int],
    saved: int,
    *,
    bane: bool = False,
    sharp: int | None = None,
    regeneration: bool = False,
) -> Any:
    """The wounds of so many attacks as icepool sees them: hits by face, the save needed, and what goes with them."""
    die = D6.reroll([6], depth=1) if bane else D6

    def wound(save: int) -> Any:
        one = die.map(lambda face: 0 if face == 6 or (face >= save and face != 1) else 1)
        return one.map(lambda w: D6.map(lambda face: 0 if face >= 5 else 1) if w else 0) if regeneration else one

    def attack(face: int) -> Any:
        hits = hit(face)
        if face == 6 and sharp is not None:
            return wound(sharp) + (hits - 1) @ wound(saved) if hits > 1 else wound(sharp)
        return hits @ wound(saved) if hits else 0

    return number @ D6.map(attack)


def chances(die: Any, most: int | None = None) -> Found:
    """An icepool die as chances; what is more than can be lost is lost."""
    found: Found = {}
    for value, ways in die.items():
        kept = value if most is None else min(value, most)
        found[kept] = found.get(kept, Fraction(0)) + Fraction(ways, die.denominator())
    return found


def plain_hit(needed: int) -> Callable[[int], int]:
    return lambda face: int(face == 6 or (face != 1 and face >= needed))


def forty(*rules: str, attacks: int = 40, **kind: Any) -> tuple[Unit, Unit]:
    return (
        troops("archers", 1, weapons=[weapon(range=30, attacks=attacks, keywords=rules)], **kind),
        troops("horde", 100, defense=4),
    )


def test_a_volley_is_binomial() -> None:
    archers, horde = forty(attacks=10)
    counted = odds_between(archers, horde)

    assert counted.hits.mean() == 5
    assert counted.hits[10] == Fraction(1, 2**10)
    assert counted.wounds == chances(pool(10, plain_hit(4), 4))


@pytest.mark.parametrize(
    ("rules", "law"),
    [
        (("Bane",), pool(40, plain_hit(4), 4, bane=True)),
        (("AP(2)",), pool(40, plain_hit(4), 6)),
        (("Surge",), pool(40, lambda face: 2 if face == 6 else int(face >= 4), 4)),
        (("Rending",), pool(40, plain_hit(4), 4, sharp=6)),
        (("Rending", "Surge", "AP(1)"), pool(40, lambda f: 2 if f == 6 else int(f >= 4), 5, sharp=6)),
        (("Rending", "Bane"), pool(40, plain_hit(4), 4, sharp=6, bane=True)),
        (("Blast(3)",), pool(12, lambda face: 3 if face >= 4 else 0, 4)),
        (("Blast(3)", "Bane", "Surge"), pool(8, lambda f: 6 if f == 6 else 3 if f >= 4 else 0, 4, bane=True)),
        (("Reliable",), pool(40, plain_hit(2), 4)),
        (("Relentless",), pool(40, lambda face: 2 if face == 6 else int(face >= 4), 4)),
    ],
)
def test_big_pools_agree_with_icepool(rules: tuple[str, ...], law: Any) -> None:
    attacks = 12 if rules == ("Blast(3)",) else 8 if "Blast(3)" in rules else 40
    archers, horde = forty(*rules, attacks=attacks)

    counted = odds_between(archers, horde)

    assert counted.wounds == chances(law)
    assert counted.lost == counted.wounds


def test_cover_and_regeneration_agree_with_icepool() -> None:
    archers, horde = forty("AP(1)")
    trolls = troops("trolls", 100, defense=5, keywords=["Regeneration"])

    assert odds_between(archers, horde, cover=True).wounds == chances(pool(40, plain_hit(4), 4))
    assert odds_between(archers, trolls).wounds == chances(pool(40, plain_hit(4), 6, regeneration=True))


def test_indirect_after_moving_hits_less() -> None:
    archers, horde = forty("Indirect")

    assert odds_between(archers, horde, moved=True).wounds == chances(pool(40, plain_hit(5), 4))
    assert odds_between(archers, horde).wounds == chances(pool(40, plain_hit(4), 4))


def test_deadly_is_lost_beyond_the_model_it_hits() -> None:
    archers, _ = forty("Deadly(3)", attacks=12)
    levy = troops("levy", 5, defense=4)
    giant = troops("giant", 1, defense=4, keywords=["Tough(12)"])
    wounds = pool(12, plain_hit(4), 4)

    assert odds_between(archers, levy).lost == chances(wounds, 5)
    assert odds_between(archers, giant).wounds == chances(wounds.map(lambda w: min(3 * w, 12)))


def test_a_unit_is_destroyed_when_enough_wounds_come_through() -> None:
    archers, _ = forty("Bane")
    levy = troops("levy", 10, defense=4)

    counted = odds_between(archers, levy)

    law = chances(pool(40, plain_hit(4), 4, bane=True))
    assert counted.destroyed == sum(chance for wounds, chance in law.items() if wounds >= 10)
    # At half or less it tests on 4+; ten models lost take no test.
    assert counted.shaken == Fraction(1, 2) * sum(chance for wounds, chance in law.items() if 5 <= wounds < 10)


# -- without and with a table ------------------------------------------------------------------------------------------


def test_distance_decides_who_reaches_and_the_nine_inch_rules() -> None:
    crew = troops("crew", 5, weapons=[weapon("javelin", range=8), weapon("bow", range=24)])
    sneaks = troops("sneaks", 5, keywords=["Stealth"])

    assert odds_between(crew, sneaks, distance=8).attacks == 10
    assert odds_between(crew, sneaks, distance=8.5).attacks == 5
    assert odds_between(crew, sneaks, distance=9).hits.mean() == Fraction(5, 2)
    assert odds_between(crew, sneaks, distance=9.5).hits.mean() == Fraction(5, 3)
    nothing = odds_between(crew, sneaks, distance=30)
    assert nothing.attacks == 0
    assert nothing.wounds == {0: 1}
    assert nothing.shaken == 0


def test_only_the_weapons_named_are_fired() -> None:
    crew = troops("crew", 5, weapons=[weapon("javelin", range=18), weapon("bow", range=24)])
    levy = troops("levy", 5)
    battle = range_of(crew, levy)

    assert shooting_odds(battle, crew, levy).attacks == 10
    assert shooting_odds(battle, crew, levy, ["bow"]).attacks == 5
    assert odds_between(crew, levy, weapons=["bow"]).attacks == 5


def test_the_table_and_no_table_say_the_same_in_the_open() -> None:
    crew = troops("crew", 5, weapons=[weapon("bow", range=24, keywords=["AP(1)", "Surge"])])
    levy = troops("levy", 5, defense=3)
    battle = range_of(crew, levy)

    on_table, anywhere = shooting_odds(battle, crew, levy), odds_between(crew, levy)

    assert on_table.wounds == anywhere.wounds
    assert on_table.hits == anywhere.hits


def wall() -> Piece:
    return Piece("wall", "wall", Outline.rectangle(inches(25), inches(25), inches(40), 20), inches(4), ["blocking"])


def wood() -> Piece:
    return Piece("wood", "wood", Outline.rectangle(inches(25), inches(35), inches(30), inches(20)), 0, ["cover"])


def test_nobody_shoots_through_a_wall_and_a_wood_gives_cover() -> None:
    crew = troops("crew", 5, weapons=[weapon("bow", range=24)])
    levy = troops("levy", 5)
    battle = range_of(crew, levy)

    blind = field(crew, levy, pieces=[wall()])
    covered = field(crew, levy, pieces=[wood()])

    assert shooting_odds(blind, crew, levy).attacks == 0
    assert shooting_odds(covered, crew, levy).wounds == odds_between(crew, levy, cover=True).wounds
    assert shooting_odds(covered, crew, levy).wounds != shooting_odds(battle, crew, levy).wounds


def test_asking_leaves_the_battle_as_it_was() -> None:
    crew = troops("crew", 5, weapons=[weapon("bow", range=24, keywords=["Limited"])])
    levy = troops("levy", 5)
    battle = range_of(crew, levy)
    before = battle.fingerprint()

    shooting_odds(battle, crew, levy).hits.mean()
    sampled_shooting(battle, crew, levy, samples=10)
    quick_shooting(battle, crew, levy)

    assert battle.fingerprint() == before


# -- quickly, and by trying --------------------------------------------------------------------------------------------


def test_quick_odds_are_the_same_odds() -> None:
    crew = troops("crew", 5, weapons=[weapon("bow", range=24, keywords=["Rending"]), weapon("javelin", range=12)])
    levy = troops("levy", 5, keywords=["Tough(3)"])
    battle = range_of(crew, levy)
    exact = shooting_odds(battle, crew, levy)

    for _ in range(2):
        quick = quick_shooting(battle, crew, levy)
        assert quick.wounds == pytest.approx(float(exact.wounds.mean()))
        assert quick.lost == pytest.approx(float(exact.target.share))
        assert quick.destroyed == pytest.approx(float(exact.destroyed))
        assert quick.shaken == pytest.approx(float(exact.shaken))

    assert quick_shooting(battle, crew, levy, 0.0, -inches(1)).wounds < quick.wounds
    assert quick_shooting(battle, crew, levy, 0.0, -inches(20)).wounds == 0


def test_wounded_and_lessened_units_are_told_apart() -> None:
    crew = troops("crew", 5, weapons=[weapon("bow", range=24)])
    levy = troops("levy", 2, keywords=["Tough(3)"])
    battle = range_of(crew, levy)
    whole = quick_shooting(battle, crew, levy)

    levy.figures[0].wounds = 2
    hurt = quick_shooting(battle, crew, levy)
    crew.figures.pop()
    fewer = quick_shooting(battle, crew, levy)

    assert hurt.destroyed > whole.destroyed
    assert fewer.wounds < hurt.wounds


def test_sampled_odds_come_near_and_say_how_near() -> None:
    crew = troops("crew", 8, weapons=[weapon("bow", range=24, keywords=["Rending", "Surge"])])
    levy = troops("levy", 6, keywords=["Regeneration"])
    battle = range_of(crew, levy)
    exact = shooting_odds(battle, crew, levy)

    tried = sampled_shooting(battle, crew, levy, samples=1500, seed=3)

    assert tried.method == "sampled"
    data = tried.to_data()
    assert data["samples"] == 1500
    for name, law, other in (("hits", tried.hits, exact.hits), ("wounds", tried.wounds, exact.wounds)):
        error = data["hits"]["error"] if name == "hits" else data["target"]["wounds"]["error"]
        assert abs(float(law.mean()) - float(other.mean())) < 4 * error
    for name in ("destroyed", "shaken"):
        near = abs(float(getattr(tried, name)) - float(getattr(exact, name)))
        assert near < 4 * data["target"][f"{name}_error"]


def test_what_cannot_be_followed_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engagement, "MOST_STANDINGS", 3)
    crew = troops("crew", 3, weapons=[weapon("bow", range=24)])
    levy = troops("levy", 6)
    del levy.figures[3:]

    counted = shooting_odds(range_of(crew, levy), crew, levy)

    assert counted.method == "sampled"
    assert counted.samples == sampling.SAMPLES
    # Nobody tests its morale who was not hurt, however few are left.
    unhurt = float(counted.wounds[0])
    assert abs(unhurt - 0.75**3) < 0.05
    assert abs(float(counted.shaken) - (1 - unhurt - float(counted.destroyed)) / 2) < 0.05


def test_data_for_programs_has_every_figure() -> None:
    archers, horde = forty("Bane")

    data = odds_between(archers, horde).to_data()

    assert data["method"] == "exact"
    assert data["attacks"] == 40
    assert data["hits"]["mean"] == 20
    assert sum(data["target"]["wounds"]["chances"].values()) == pytest.approx(1)
    assert {"lost", "destroyed", "shaken", "share"} <= set(data["target"])


def test_a_second_weapon_type_of_the_same_name_is_another_weapon() -> None:
    first, second = Weapon("bow", inches(24), 1), weapon("bow", range=24, keywords=["AP(1)"])
    crew = troops("crew", 2, weapons=[first, second])
    levy = troops("levy", 3)

    assert odds_between(crew, levy, weapons=["bow"]).attacks == 4
    assert odds_between(crew, levy, weapons=["bow [AP(1)]"]).attacks == 2
