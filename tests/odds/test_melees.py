"""Melee odds against every face there is, every outcome of the whole melee, laws written by hand, and play itself."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.odds.troops import Found, by_faces, field, hero, line_up, odds_between, play_track, troops, weapon

from oriflamme.engine.core.decisions import Refused
from oriflamme.engine.core.dice import Dice, SeededDice, outcomes
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.steps import due
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.aof import game
from oriflamme.games.aof.activation import activate
from oriflamme.games.aof.events import HitsRolled, MeleeCounted
from oriflamme.games.aof.melee import begin_melee, charge
from oriflamme.games.aof.odds import engagement, sampling
from oriflamme.games.aof.odds.melees import melee_odds, quick_melee, sampled_melee
from oriflamme.games.aof.odds.results import MeleeOdds, SideOdds
from oriflamme.games.aof.odds.states import forget
from oriflamme.games.aof.state import Activation, Battle, Unit
from oriflamme.games.aof.terrain import roll_for_danger

BLADE = weapon()


def at_grips(charger: Unit, defender: Unit, **options: str) -> Battle:
    """Both units nose to nose, the charge move made."""
    defender.side = 1
    line_up(charger, 20, 20)
    line_up(defender, 20, 20)
    for figure in defender.figures:
        figure.y += charger.figures[0].radius + figure.radius + 0.01
    defender.update_bounds()
    return field(charger, defender, **options)


Side = tuple[int, int, bool, bool, int]


def after(before: Unit, unit: Unit, log: list[Any] | None) -> Side:
    """Wounds taken, models fallen, became Shaken, routed, hits made."""
    wounds = {f.id: f.wounds for f in (*unit.figures, *unit.fallen)}
    taken = sum(wounds[f.id] - f.wounds for f in before.figures)
    fallen = sum(wounds[f.id] >= f.profile.tough for f in before.figures)
    routed = not unit.figures and fallen < len(before.figures)
    hits = sum(e.hits for e in log or () if isinstance(e, HitsRolled) and e.unit == before.id)
    return taken, fallen, bool(unit.figures and unit.shaken and not before.shaken), routed, hits


Outcome = tuple[Side, Side, str]


def played(battle: Battle, charger: Unit, defender: Unit) -> Callable[[Dice], Outcome]:
    """The melee as it is played: the real steps from the counter-move to the Morale Test."""

    def play(dice: Dice) -> Outcome:
        twin = battle.copy()
        twin.dice, twin.log = dice, []
        twin.activation = Activation(charger.id, charger.side, "charge", (defender.id,))
        twin.then(begin_melee, charger.id)
        play_track(twin, "melee_results")
        return result(twin, charger, defender)

    return play


def result(twin: Battle, charger: Unit, defender: Unit) -> Outcome:
    sides = after(charger, twin.units[charger.id], twin.log), after(defender, twin.units[defender.id], twin.log)
    counted = [e for e in twin.log or () if isinstance(e, MeleeCounted)]
    if counted:
        winner = {None: "nobody", charger.id: "defender", defender.id: "charger"}[counted[0].loser]
    else:
        winner = "charger" if sides[1][1] == len(defender.figures) else "defender"
    return *sides, winner


def agree(counted: MeleeOdds, found: Found, models: tuple[int, int]) -> None:
    """The odds say the same as what was found otherwise, to the last digit."""
    assert counted.method == "exact"
    for number, side in enumerate((counted.charger, counted.defender)):
        others: dict[int, Found] = {0: {}, 1: {}, 4: {}}
        for outcome, chance in found.items():
            for column, other in others.items():
                value = outcome[number][column]
                other[value] = other.get(value, Fraction(0)) + chance
        assert side.wounds == others[0]
        assert side.lost == others[1]
        assert (counted.charger_hits, counted.defender_hits)[number] == others[4]
        assert side.destroyed == others[1].get(models[number], 0)
        assert side.shaken == sum(chance for outcome, chance in found.items() if outcome[number][2])
        assert side.routed == sum(chance for outcome, chance in found.items() if outcome[number][3])
    for winner, chance in counted.winner.items():
        assert chance == sum(c for outcome, c in found.items() if outcome[2] == winner)
    assert counted.charger_wins + counted.draw + counted.defender_wins == 1


# -- by every face, and by every outcome -------------------------------------------------------------------------------


def test_a_duel_face_by_face() -> None:
    knight = troops("knight", 1, quality=3, defense=3, weapons=[BLADE])
    squire = troops("squire", 1, defense=5, weapons=[BLADE], keywords=["Tough(2)"])
    battle = at_grips(knight, squire)

    agree(melee_odds(battle, knight, squire, charging=False), by_faces(played(battle, knight, squire)), (1, 1))


def test_fear_and_fearless_face_by_face() -> None:
    ghost = troops("ghost", 1, quality=5, weapons=[BLADE], keywords=["Fear(1)", "Tough(3)"])
    zealots = troops("zealots", 2, quality=5, keywords=["Fearless", "Banner"])
    battle = at_grips(ghost, zealots)

    agree(melee_odds(battle, ghost, zealots, charging=False), by_faces(played(battle, ghost, zealots)), (1, 2))


PAIRS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "plain": ({"models": 2}, {"models": 2}),
    "impact against counter": (
        {"models": 2, "keywords": ["Impact(2)"], "weapons": []},
        {"models": 1, "weapons": [weapon("pike", keywords=["Counter"])], "keywords": ["Tough(2)"]},
    ),
    "counter and another weapon": (
        {"models": 1, "keywords": ["Tough(2)"]},
        {"models": 1, "weapons": [weapon("pike", keywords=["Counter"]), weapon("knife")], "keywords": ["Tough(2)"]},
    ),
    "furious thrust": (
        {"models": 1, "weapons": [weapon(attacks=2, keywords=["Furious", "Thrust"])]},
        {"models": 2, "keywords": ["Fear(1)"]},
    ),
    "deadly on tough regenerators": (
        {"models": 1, "weapons": [weapon(keywords=["Deadly(2)"])]},
        {"models": 2, "keywords": ["Regeneration", "Tough(2)"], "weapons": [BLADE]},
    ),
    "takedown on a hero": (
        {"models": 1, "weapons": [weapon(keywords=["Takedown", "AP(2)"])]},
        {"models": 2, "hero": hero(weapons=[weapon("axe", keywords=["AP(1)"])])},
    ),
    "a hero strikes last of all": (
        {"models": 1, "weapons": [weapon(attacks=3, keywords=["AP(2)"])]},
        {"models": 2, "weapons": [], "hero": hero(weapons=[BLADE])},
    ),
    "limited": (
        {"models": 2, "weapons": [weapon("bomb", keywords=["Limited", "Blast(2)"])]},
        {"models": 2},
    ),
    "no weapons at all": ({"models": 2, "weapons": []}, {"models": 2, "weapons": []}),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_small_melees_outcome_by_outcome(pair: str) -> None:
    first, second = ({"weapons": [BLADE]} | kind for kind in PAIRS[pair])
    charger, defender = troops("charger", **first), troops("defender", **second)
    battle = at_grips(charger, defender)

    counted = melee_odds(battle, charger, defender, charging=False)

    models = len(charger.figures), len(defender.figures)
    agree(counted, outcomes(played(battle, charger, defender)), models)
    # Everybody stands in reach here, so it makes no difference where.
    anywhere = odds_between(charger, defender, charge=True)
    assert anywhere.charger.wounds == counted.charger.wounds
    assert anywhere.defender.wounds == counted.defender.wounds
    assert anywhere.winner == counted.winner


@pytest.mark.parametrize("state", ["fatigued", "shaken"])
def test_a_tired_defender_hits_only_on_sixes(state: str) -> None:
    charger, defender = troops("charger", 1, weapons=[BLADE]), troops("defender", 2, weapons=[BLADE])
    setattr(defender, state, True)
    battle = at_grips(charger, defender)

    counted = melee_odds(battle, charger, defender, charging=False)

    agree(counted, outcomes(played(battle, charger, defender)), (1, 2))


@pytest.mark.parametrize(
    "options",
    [{"woundCount": "overkillCounts"}, {"regenVsDeadly": "beforeMultiply"}, {"shakenFearless": "roll"}],
)
def test_house_rules_count_too(options: dict[str, str]) -> None:
    charger = troops("charger", 1, weapons=[weapon(attacks=2, keywords=["Deadly(2)"])])
    defender = troops("defender", 2, weapons=[BLADE], keywords=["Regeneration", "Fearless"])
    defender.shaken = True
    battle = at_grips(charger, defender, **options)

    counted = melee_odds(battle, charger, defender, charging=False)

    agree(counted, outcomes(played(battle, charger, defender)), (1, 2))


@settings(max_examples=25, deadline=None)
@given(
    charger=st.tuples(st.just(1), st.integers(2, 6), st.integers(2, 6)),
    defender=st.tuples(st.integers(1, 2), st.integers(2, 6), st.integers(2, 6)),
    blade=st.sets(st.sampled_from(["AP(1)", "Bane", "Rending", "Surge", "Furious", "Thrust", "Reliable"]), max_size=2),
    pike=st.sets(st.sampled_from(["Counter", "AP(2)", "Rending"]), max_size=2),
    fierce=st.sets(st.sampled_from(["Impact(1)", "Fear(1)", "Fearless"]), max_size=2),
    steady=st.sets(st.sampled_from(["Tough(2)", "Fear(2)", "Banner", "Fearless"]), max_size=2),
    tired=st.booleans(),
)
def test_any_small_melee(
    charger: tuple[int, int, int],
    defender: tuple[int, int, int],
    blade: set[str],
    pike: set[str],
    fierce: set[str],
    steady: set[str],
    tired: bool,
) -> None:
    first = troops(
        "charger",
        charger[0],
        quality=charger[1],
        defense=charger[2],
        weapons=[weapon(keywords=sorted(blade))],
        keywords=sorted(fierce),
    )
    second = troops(
        "defender",
        defender[0],
        quality=defender[1],
        defense=defender[2],
        weapons=[weapon("pike", keywords=sorted(pike))],
        keywords=sorted(steady),
    )
    first.fatigued = tired
    battle = at_grips(first, second)

    counted = melee_odds(battle, first, second, charging=False)

    agree(counted, outcomes(played(battle, first, second)), (charger[0], defender[0]))


# -- by hand -----------------------------------------------------------------------------------------------------------


def test_a_harmless_melee_is_decided_by_fear() -> None:
    ghosts = troops("ghosts", 5, keywords=["Fear(1)"])
    levy = troops("levy", 6, quality=4)

    counted = odds_between(ghosts, levy, charge=True)

    assert counted.charger_wins == 1
    assert counted.defender.shaken == Fraction(1, 2)
    assert counted.defender.routed == 0


def test_a_unit_at_half_that_loses_routs() -> None:
    ghosts = troops("ghosts", 1, keywords=["Fear(1)"])
    levy = troops("levy", 6, quality=4)
    del levy.figures[3:]

    counted = odds_between(ghosts, levy, charge=True)

    assert counted.defender.routed == Fraction(1, 2)
    assert counted.defender.share == Fraction(1, 2)
    assert counted.defender.out == Fraction(1, 2)
    assert counted.defender.lost == {0: 1}


def test_survivors_alone_strike_back() -> None:
    # 2+ to hit with AP(4) on Defense 6: five wounds out of six attempts; who falls does not strike.
    guard = troops("guard", 1, quality=2, defense=6, weapons=[weapon(keywords=["AP(4)"])], keywords=["Tough(9)"])
    levy = troops("levy", 1, quality=2, defense=6, weapons=[weapon(keywords=["AP(4)"])])
    falls = Fraction(5, 6) * Fraction(5, 6)

    counted = odds_between(guard, levy, charge=True)

    assert counted.defender.destroyed == falls
    assert counted.charger.wounds[1] == (1 - falls) * falls
    assert counted.charger_wins == falls
    assert counted.draw == (1 - falls) * (1 - falls)


# -- on the table ------------------------------------------------------------------------------------------------------


def facing(charger: Unit, defender: Unit, away: float = 8, pieces: tuple[Piece, ...] = ()) -> Battle:
    defender.side = 1
    line_up(charger, 20, 20)
    line_up(defender, 20, 20 + away)
    return field(charger, defender, pieces=pieces)


def test_only_models_in_reach_strike() -> None:
    horde = troops("horde", 20, weapons=[BLADE])
    giant = troops("giant", 1, defense=2, weapons=[weapon(attacks=6)], keywords=["Tough(12)"])
    battle = facing(horde, giant)

    counted = melee_odds(battle, horde, giant)

    everybody = odds_between(horde, giant, charge=True)
    assert 0 < counted.defender.wounds.mean() < everybody.defender.wounds.mean()


def test_a_target_out_of_reach_cannot_be_charged() -> None:
    horde, giant = troops("horde", 5, weapons=[BLADE]), troops("giant", 1)
    battle = facing(horde, giant, away=20)

    with pytest.raises(Refused) as refused:
        melee_odds(battle, horde, giant)
    assert refused.value.refusal.rule == "AOF-MOVE-06"


def bog() -> Piece:
    return Piece("bog", "bog", Outline.rectangle(inches(20), inches(24), inches(6), inches(3)), 0, ["dangerous"])


def charged(battle: Battle, charger: Unit, defender: Unit) -> Callable[[Dice], Outcome]:
    """The charge as it is played, from the move to the Morale Test."""

    def play(dice: Dice) -> Outcome:
        twin = battle.copy()
        twin.dice, twin.log = dice, []
        twin.activation = Activation(charger.id, charger.side, "charge", (defender.id,))
        twin.then_all(due(charge, charger.id), due(roll_for_danger, charger.id), due(begin_melee, charger.id))
        play_track(twin, "melee_results")
        return result(twin, charger, defender)

    return play


def test_dangerous_ground_on_the_way_is_counted() -> None:
    knight = troops("knight", 1, weapons=[BLADE], keywords=["Tough(2)"])
    squire = troops("squire", 1, weapons=[BLADE])
    battle = facing(knight, squire, pieces=(bog(),))

    counted = melee_odds(battle, knight, squire)

    agree(counted, outcomes(charged(battle, knight, squire)), (1, 1))
    assert counted.charger.destroyed > Fraction(1, 36)


def test_those_who_fall_on_the_way_do_not_strike() -> None:
    knights = troops("knights", 2, quality=2, defense=2, weapons=[weapon(keywords=["AP(4)"])])
    rock = troops("rock", 1, defense=6, keywords=["Tough(3)"])
    battle = facing(knights, rock, pieces=(bog(),))
    hits, stands = Fraction(5, 6) * Fraction(5, 6), Fraction(5, 6)

    counted = melee_odds(battle, knights, rock)

    assert counted.charger.lost == {0: stands**2, 1: 2 * stands * (1 - stands), 2: (1 - stands) ** 2}
    assert counted.defender.wounds.mean() == 2 * stands * hits


def test_too_much_danger_is_tried_out() -> None:
    knights = troops("knights", 2, weapons=[BLADE], keywords=["Tough(6)"])
    levy = troops("levy", 2, weapons=[BLADE])
    battle = facing(knights, levy, pieces=(bog(),))

    counted = melee_odds(battle, knights, levy)

    assert counted.method == "sampled"
    assert counted.to_data()["charger"]["wounds"]["error"] > 0


def test_asking_leaves_the_battle_as_it_was() -> None:
    knights = troops("knights", 3, weapons=[weapon(keywords=["Limited"])])
    levy = troops("levy", 3, weapons=[BLADE])
    battle = facing(knights, levy)
    before = battle.fingerprint()

    melee_odds(battle, knights, levy)
    sampled_melee(battle, knights, levy, samples=5)
    quick_melee(battle, knights, levy)

    assert battle.fingerprint() == before


def test_quick_odds_are_the_same_odds() -> None:
    knights = troops("knights", 5, weapons=[weapon(attacks=2, keywords=["Rending"])], keywords=["Impact(1)"])
    levy = troops("levy", 10, weapons=[BLADE], keywords=["Fearless"])
    battle = facing(knights, levy)
    exact = odds_between(knights, levy, charge=True)

    for _ in range(2):
        quick = quick_melee(battle, knights, levy)
        assert quick.charger_lost == pytest.approx(float(exact.charger.share))
        assert quick.target_lost == pytest.approx(float(exact.defender.share))
        assert quick.target_out == pytest.approx(float(exact.defender.out))
        assert quick.target_shaken == pytest.approx(float(exact.defender.shaken))
        assert quick.charger_wins == pytest.approx(float(exact.charger_wins))
    assert quick_melee(battle, levy, knights) != quick


def test_two_of_a_kind_fight_each_other() -> None:
    levy = troops("levy", 5, weapons=[BLADE])

    counted = odds_between(levy, levy.copy(), charge=True, attacker_fatigued=True)

    assert counted.charger_wins < counted.defender_wins
    assert counted.to_data()["method"] == "exact"


# -- by play -----------------------------------------------------------------------------------------------------------


def play_activation(battle: Battle, unit: Unit, seed: int, *, until: str) -> Battle:
    """The whole activation as two players without an opinion play it, up to a step."""
    twin = battle.copy()
    twin.dice, twin.log = SeededDice(seed), []
    twin.then(activate, unit.id)
    play = Play.of(game, twin, keep=False)
    while play.pending:
        decision = play.pending[0]
        if decision.ask in until.split():
            break
        answer = decision.suggestion()
        if decision.ask == "choose_action":
            answer = next(o.key for o in decision.options if o.key.startswith("charge"))
        assert play.answer(decision.side, answer) is None
    return play.battle


def chi_square(law: Any, seen: list[int]) -> tuple[float, int]:
    """How far what was seen is from the law, values seldom expected taken together; and the degrees of freedom."""
    expected: list[tuple[float, int]] = []
    rest = [0.0, 0]
    for value, chance in sorted(law.items()):
        often, times = float(chance) * len(seen), seen.count(value)
        if often >= 5:
            expected.append((often, times))
        else:
            rest = [rest[0] + often, rest[1] + times]
    if rest[0] >= 5:
        expected.append((rest[0], int(rest[1])))
    return sum((times - often) ** 2 / often for often, times in expected), len(expected) - 1


def test_charges_that_are_played_turn_out_as_the_odds_say() -> None:
    knights = troops(
        "knights", 4, quality=3, defense=3, weapons=[weapon(attacks=2, keywords=["Rending"])], keywords=["Impact(1)"]
    )
    pikes = troops(
        "pikes",
        6,
        weapons=[weapon("pike", keywords=["Counter", "AP(1)"]), weapon("knife")],
        keywords=["Fear(1)"],
        hero=hero(weapons=[weapon("axe", attacks=2)], keywords=["Tough(3)"]),
    )
    battle = facing(knights, pikes)
    exact = melee_odds(battle, knights, pikes)
    samples = 400

    seen = []
    for seed in range(samples):
        twin = play_activation(battle, knights, seed, until="move_after_melee fall_back")
        seen.append(result(twin, knights, pikes))

    for number, side in enumerate((exact.charger, exact.defender)):
        assert isinstance(side, SideOdds)
        for column, law in ((0, side.wounds), (1, side.lost)):
            values = [outcome[number][column] for outcome in seen]
            assert set(values) <= set(law)
            distance, freedom = chi_square(law, values)
            assert distance < freedom + 4 * (2 * freedom) ** 0.5
        for column, chance in ((2, side.shaken), (3, side.routed)):
            share = sum(outcome[number][column] for outcome in seen) / samples
            error = (float(chance) * (1 - float(chance)) / samples) ** 0.5
            assert abs(share - float(chance)) <= 4 * error
    share = sum(outcome[2] == "charger" for outcome in seen) / samples
    chance = float(exact.charger_wins)
    assert abs(share - chance) <= 4 * (chance * (1 - chance) / samples) ** 0.5


def test_sampled_melees_come_near_and_say_how_near() -> None:
    knights = troops("knights", 4, quality=3, weapons=[weapon(attacks=2)], keywords=["Impact(1)"])
    levy = troops("levy", 8, weapons=[BLADE])
    battle = facing(knights, levy)
    exact = melee_odds(battle, knights, levy)

    tried = sampled_melee(battle, knights, levy, samples=400, seed=1)

    data = tried.to_data()
    assert data["method"] == "sampled"
    hits = float(exact.defender_hits.mean())
    assert abs(data["defender"]["hits"]["mean"] - hits) < 4 * data["defender"]["hits"]["error"]
    for name in ("charger_wins", "draw", "defender_wins"):
        assert abs(data[name] - float(getattr(exact, name))) < 4 * data[f"{name}_error"]
    for side in ("charger", "defender"):
        mean = float(getattr(exact, side).wounds.mean())
        assert abs(data[side]["wounds"]["mean"] - mean) < 4 * data[side]["wounds"]["error"]


def test_what_cannot_be_followed_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    knights, levy = troops("knights", 4, weapons=[BLADE]), troops("levy", 4, weapons=[BLADE])
    battle = facing(knights, levy)
    exact = odds_between(knights, levy, charge=True)
    forget()
    monkeypatch.setattr(engagement, "MOST_STANDINGS", 3)
    monkeypatch.setattr(sampling, "SAMPLES", 300)

    on_table, anywhere = melee_odds(battle, knights, levy), odds_between(knights, levy, charge=True)

    assert (on_table.method, anywhere.method) == ("sampled", "sampled")
    for tried in (on_table, anywhere):
        error = tried.to_data()["defender"]["wounds"]["error"]
        assert abs(float(tried.defender.wounds.mean() - exact.defender.wounds.mean())) < 4 * error


def test_what_was_counted_can_be_forgotten() -> None:
    knights, levy = troops("knights", 3, weapons=[BLADE]), troops("levy", 3, weapons=[BLADE])
    before = odds_between(knights, levy, charge=True)

    forget()

    assert odds_between(knights, levy, charge=True).defender.wounds == before.defender.wounds
