"""What a hand means: ways to a move or an attack that no dice, nobody else and no measuring stand in."""

from __future__ import annotations

from oriflamme.engine.cases.scene_battles import setup_of
from oriflamme.engine.core.decisions import Move, PickOne
from oriflamme.engine.core.play import Play
from oriflamme.engine.geometry.measure import in_inches
from oriflamme.engine.screen.gestures import LONGEST, Way, asked_after, ways_of
from oriflamme.games import load
from oriflamme.lab.battle import decide


def _until(game: str, *asks: str, seed: int = 5) -> Play:
    """A battle of captains, at the first such question to the first side."""
    told = load(game)
    play = Play(told, told.setup(seed), seed)
    captain = told.bots()[told.best_bot](seed=1)
    while play.pending[0].side != 0 or play.pending[0].ask not in asks:
        decision = play.pending[0]
        assert play.answer(decision.side, decide(play, decision, captain)) is None
    return play


def _unit(play: Play) -> str:
    decision = play.pending[0]
    assert isinstance(decision, PickOne)
    return next(id for option in decision.options for id in option.things if id in play.battle.units)


def test_a_drag_is_whom_what_and_where() -> None:
    play = _until("aof", "choose_unit")
    unit = _unit(play)
    before = play.battle.fingerprint()

    moves = [way for way in ways_of(play, 0, unit) if way.leads == "move"]

    assert [way.answers for way in moves] == [
        (("choose_unit", unit), ("choose_action", action)) for action in ("advance", "rush")
    ]
    assert 0 < moves[0].reach < moves[1].reach
    assert play.battle.fingerprint() == before
    # What was found out can be answered so, and comes to what was said.
    for _, key in moves[1].answers:
        assert play.answer(0, key) is None
    asked = play.decision_of(0)
    assert isinstance(asked, Move)
    assert asked.figures == moves[1].figures


def test_a_unit_is_dragged_as_far_as_its_slowest_model_goes() -> None:
    riders = {"side": 1, "figures": 3, "at": [36, 12], "keywords": ["Fast"], "hero": {"keywords": ["Hero"]}}
    scene = {"given": {"riders": riders, "levy": {"side": 2, "figures": 3, "at": [36, 40]}}}
    play = Play(load("aof"), setup_of("aof", scene), 1)

    reach = {way.answers[-1][1]: in_inches(way.reach) for way in ways_of(play, 0, "riders") if way.leads == "move"}

    # Alone the riders go 8 inches and 16.
    assert reach == {"advance": 6, "rush": 12}


def test_a_way_ends_before_dice_fall() -> None:
    play = _until("sbh", "choose_fighter")
    fighter, thrown = _unit(play), len(play.battle.dice.thrown)

    ways = ways_of(play, 0, fighter)

    assert {way.leads for way in ways} == {"ask"}
    assert all(way.answers[0] == ("choose_fighter", fighter) for way in ways)
    assert len(play.battle.dice.thrown) == thrown


def test_where_nobody_measures_a_way_says_nothing_of_what_comes_after() -> None:
    play = _until("rn3", "choose_unit")
    unit = _unit(play)
    assert not play.battle.open_measuring

    assert ways_of(play, 0, unit) == [Way((("choose_unit", unit),), "ask")]


def test_to_let_something_pass_is_never_meant() -> None:
    play = _until("rn3", "buy_tactic")
    decision = play.pending[0]
    assert decision.passing is not None
    subject = play.game.picture().subject(decision)

    ways = ways_of(play, 0, subject)

    assert ways
    assert all(way.answers[0][1] != decision.passing[0] and len(way.answers) <= LONGEST for way in ways)


def test_an_enemy_one_of_several_is_a_way_too() -> None:
    play = _until("lfw", "charge_target")
    decision = play.pending[0]
    charger, enemy = play.game.picture().subject(decision), decision.options[-1].key
    play = play.back()

    ways = [way for way in ways_of(play, 0, charger) if way.leads == "strike"]

    assert (("choose_charger", charger), ("charge_target", enemy)) in [way.answers for way in ways]
    assert {way.on for way in ways} == set(decision.keys())
    assert play.answer(0, charger) is None
    assert play.answer(0, [enemy]) is None


def test_what_is_asked_next_is_known_before_anything_is_answered() -> None:
    play = _until("sbh", "choose_fighter")
    fighter, before = _unit(play), play.battle.fingerprint()

    asked = asked_after(play, 0, [fighter])

    assert asked is not None
    assert (asked.ask, play.battle.fingerprint()) == ("choose_dice", before)
    # It is what is asked, when it comes to it; and after it dice fall, of which nothing is known.
    assert asked_after(play, 0, [fighter, asked.keys()[0]]) is None
    assert play.answer(0, fighter) is None
    really = play.decision_of(0)
    assert isinstance(really, PickOne)
    assert really.keys() == asked.keys()


def test_nothing_is_asked_next_where_somebody_else_is_asked_or_a_place_is() -> None:
    play = _until("aof", "choose_unit")
    unit = _unit(play)

    actions = asked_after(play, 0, [unit])

    assert actions is not None
    assert actions.ask == "choose_action"
    # To move, a place is asked for; to hold with nobody in reach, it is the enemy's turn.
    assert all(asked_after(play, 0, [unit, action]) is None for action in ("rush", "hold"))
    assert asked_after(play, 0, ["nobody"]) is None
    assert asked_after(play, 0, []) is None
    assert asked_after(play, 1, [unit]) is None


def _shown_beside(play: Play, keys: tuple[str, ...] = ()) -> dict[tuple[str, ...], tuple[str, tuple[str, ...]]]:
    """All that is shown beside the options of a question, level by level."""
    here = play.decision_of(0) if not keys else asked_after(play, 0, keys)
    if not isinstance(here, PickOne):
        return {}
    found = {keys: (here.ask, tuple(here.keys()))}
    for key in here.keys() if len(keys) < LONGEST - 1 else ():
        found |= _shown_beside(play, (*keys, key))
    return found


def test_where_nobody_measures_what_is_asked_next_tells_no_length() -> None:
    """Two battles that differ in nothing but where the enemy stands: the same is shown in both."""
    shown, places = [], set()
    for seed in (1, 2, 3):
        told = load("rn3")
        play = Play(told, told.setup(5), 5)
        bots = [told.bots()[told.best_bot](seed=1), told.bots()["random"](seed=seed)]
        while play.pending[0].side != 0 or play.pending[0].ask != "choose_unit":
            decision = play.pending[0]
            # The enemy is put somewhere by chance; all else is as it was.
            bot = bots[decision.side if decision.ask == "place_card" else 0]
            assert play.answer(decision.side, decide(play, decision, bot)) is None
        assert not play.battle.open_measuring
        shown.append(_shown_beside(play))
        places.add(tuple((f.x, f.y) for unit in play.battle.units.values() if unit.side for f in unit.figures))

    assert len(places) == 3
    assert shown[0] == shown[1] == shown[2]
    # There is something to see: tactics, orders, and whom to assault.
    assert {"choose_unit", "choose_order"} <= {ask for ask, _ in shown[0].values()}


def test_what_is_asked_next_stops_before_anything_is_measured() -> None:
    told = load("rn3")
    play, captain = Play(told, told.setup(5), 5), told.bots()[told.best_bot](seed=1)
    shown = 0
    while shown < 60:
        decision = play.pending[0]
        for keys in _shown_beside(play) if decision.side == 0 and decision.ask != "choose_unit" else ():
            if keys and len(play.battle.dice.thrown):
                ahead = play.twin()
                for key in keys:
                    assert ahead.answer(0, key) is None
                asked = ahead.decision_of(0)
                assert asked is not None
                assert not asked.measured
                assert not any(event.measures for event in ahead.events[len(play.events) :])
                shown += 1
        assert play.answer(decision.side, decide(play, decision, captain)) is None
