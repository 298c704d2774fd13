"""What is drawn to help agrees with the rules that will judge: reach, threats, sight, and why not."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from oriflamme.engine.core.decisions import Decision, Move, Refused
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.play import Play
from oriflamme.engine.screen.aids import Aid, End
from oriflamme.engine.words.sentences import sentences
from oriflamme.games import load
from oriflamme.lab.battle import decide, players

GAMES = [("aof", ()), ("sbh", ()), ("sbh", (("board", "hex"),))]


@cache
def questions(game: str, choices: tuple[tuple[str, str], ...]) -> tuple[tuple[Play, Decision], ...]:
    """Forks of one battle at questions of every kind it asks."""
    rules = load(game)
    play = Play(rules, rules.setup(7, choices=dict(choices)), 7)
    bots = players(rules, ["captain", "captain"], 7)
    found: list[tuple[Play, Decision]] = []
    asked: dict[str, int] = {}
    while play.pending and len(play.answers) < 220:
        decision = play.pending[0]
        words = {option.word for option in getattr(decision, "options", ())}
        kind = f"{decision.ask} {sorted(words & {'attack', 'shoot', 'charge'})}"
        asked[kind] = asked.get(kind, 0) + 1
        if asked[kind] <= 4:
            fork = play.twin()
            found.append((fork, fork.pending[0]))
        play.answer(decision.side, decide(play, decision, bots[decision.side]))
    return tuple(found)


def aids_of(play: Play, decision: Decision) -> list[Aid]:
    return play.game.aids().around(play.view(decision.side).battle, decision)


@pytest.mark.parametrize(("game", "choices"), GAMES)
def test_what_is_beyond_reach_is_refused_and_what_is_within_is_not_too_far(game: str, choices: Any) -> None:
    tried = 0
    for play, decision in questions(game, choices):
        if not isinstance(decision, Move) or decision.ask in ("fall_back", "recoil"):
            continue
        for aid in aids_of(play, decision):
            if aid.kind != "reach":
                continue
            unit = next(u for u in play.battle.units.values() if any(f.id == aid.of for f in u.figures))
            figure = next(f for f in unit.figures if f.id == aid.of)
            hexed = len(aid.rings) > 1
            for ring in aid.rings[:: max(1, len(aid.rings) // 8)]:
                for x, y in ring[::5]:
                    if hexed:
                        x, y = (sum(p[n] for p in ring) / 6 for n in (0, 1))
                        back, there = 1.0, 1.0
                    else:
                        away = max(1e-6, ((x - figure.x) ** 2 + (y - figure.y) ** 2) ** 0.5)
                        back = max(0.0, (away - figure.base.radius - 1.0) / away)
                        there = 1.6
                    near = (figure.x + (x - figure.x) * back, figure.y + (y - figure.y) * back)
                    assert _why(decision, aid.of, (figure.x, figure.y), near) not in (
                        "too_far",
                        "too_far_through_difficult",
                    ), decision.ask
                    if not hexed and away > aid.limits[0]:
                        far = (figure.x + (x - figure.x) * there, figure.y + (y - figure.y) * there)
                        assert _why(decision, aid.of, far) != "", decision.ask
                    tried += 1
    assert tried > 20


def _why(decision: Decision, figure: str, *way: tuple[float, float]) -> str:
    try:
        decision.accept({figure: way})
    except Refused as refused:
        return refused.refusal.why
    return ""


@pytest.mark.parametrize(("game", "choices"), [*GAMES, ("tlaok", ())])
def test_every_aid_has_its_words_and_its_rule(game: str, choices: Any) -> None:
    said: set[str] = set()
    for play, decision in questions(game, choices):
        view = play.view(decision.side).battle
        aids = play.game.aids()
        pointed = [aid for option in getattr(decision, "options", ()) for aid in aids.pointed(view, decision, option)]
        for aid in [*aids.around(view, decision), *pointed, *aids.threats(view, decision.side)]:
            said.add(aid.say)
            assert aid.rule.startswith(game.upper())
            assert aid.circles or aid.rings or aid.limits
        assert not any(
            a.of in view.units and view.units[a.of].side == decision.side for a in aids.threats(view, decision.side)
        )
    for lang in ("en", "fr"):
        assert said <= set(sentences(game, lang).of["aid"])
    assert len(said) >= 3


def test_sight_is_what_the_rules_say() -> None:
    from oriflamme.games.aof.sight import can_see

    seen = {True: 0, False: 0}
    for play, decision in questions("aof", ()):
        battle: Any = play.view(decision.side).battle
        there = [u for u in battle.units.values() if u.on_table]
        for unit in there:
            for other in there:
                if unit is other:
                    continue
                a, b = unit.figures[0], other.figures[-1]
                told = play.game.aids().sight(battle, End(a.x, a.y, a.id), End(b.x, b.y, b.id))
                assert told.seen == can_see(battle, a, unit, b, other)
                assert bool(told.through) == (not told.seen)
                seen[told.seen] += 1
    assert seen[True] > 10
    assert seen[False] > 10


def test_a_fighter_out_of_sight_is_told_with_the_rule_that_hides_him() -> None:
    from oriflamme.games.sbh.shooting import why_not_seen

    hidden = 0
    for play, decision in questions("sbh", ()):
        battle: Any = play.view(decision.side).battle
        there = battle.present()
        for a in there:
            for b in there:
                if a is b:
                    continue
                told = play.game.aids().sight(battle, End(a.x, a.y, a.id), End(b.x, b.y, b.id))
                refusal: Refusal | None = why_not_seen(battle, a, b)
                assert told.seen == (refusal is None)
                assert refusal is None or told.rule == refusal.rule
                assert told.distance == pytest.approx(max(0.0, battle.gap(a, b)), abs=0.06)
                hidden += refusal is not None
    assert hidden > 5


@pytest.mark.parametrize("game", ["aof", "sbh", "tlaok"])
def test_what_cannot_be_done_is_not_offered(game: str) -> None:
    """Why a charge or an attack is not open to somebody has numbers, and none is told that is open."""
    told = 0
    for play, decision in questions(game, ()):
        battle = play.view(decision.side).battle
        for unit in battle.units.values():
            for one in play.game.aids().cannot(battle, decision, unit.id):
                told += 1
                assert one.refusal.rule.startswith(game.upper())
                for lang in ("en", "fr"):
                    assert one.deed in sentences(game, lang).words["deed"]
                    assert one.refusal.why in sentences(game, lang).of["why"]
                keyed = game == "aof" and decision.ask == "choose_action"
                if keyed and one.deed == "charge" and unit.side != decision.side:
                    assert f"charge:{unit.id}" not in decision.keys()
                    assert "gap" in one.refusal.facts
    assert told > 10


@pytest.mark.parametrize("game", ["aof", "sbh", "tlaok"])
def test_attacks_say_that_they_are(game: str) -> None:
    strikes = []
    for play, decision in questions(game, ()):
        for option in getattr(decision, "options", ()):
            found = play.game.aids().strike(decision, option)
            if found is not None:
                assert play.battle.units[found.by].side == decision.side
                assert play.battle.units[found.on].side != decision.side or found.way.startswith("spell")
                strikes.append(found)
    assert strikes


def test_a_captain_asked_again_has_another_idea() -> None:
    from oriflamme.games.aof.captain import CaptainBot

    several = 0
    for play, decision in questions("aof", ()):
        ideas = CaptainBot(seed=3).ideas(play.view(decision.side), decision)
        assert len({repr(idea) for idea in ideas}) == len(ideas)
        for idea in ideas:
            decision.accept(idea)
        several += len(ideas) > 1
    assert several > 5
