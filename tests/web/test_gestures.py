"""By hand: a unit that is ready is dragged to where it goes, an enemy is clicked to be shot at or charged."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.web.test_play import inwards, middle
from tests.web.visit import ASKED, Visitor, eventually

from oriflamme.engine.core.play import Play
from oriflamme.engine.screen.gestures import ways_of
from oriflamme.games import load
from oriflamme.lab.battle import decide

CAPTAIN = load("aof").bots()["captain"](seed=1)


def battle_of_captains(game: str, seed: int = 5) -> Play:
    told = load(game)
    return Play(told, told.setup(seed), seed)


def drag(page: Any, unit: str, far: float) -> None:
    """Drag a unit that many pixels towards the middle of the table."""
    one = page.query_selector(f"[data-regiment='{unit}'], .figure[data-unit='{unit}']")
    x, y = middle(one)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + far * inwards(page, y), steps=5)
    page.mouse.up()


def acting(page: Any) -> list[str]:
    """Units of the side that is asked that may be chosen now."""
    keys = page.eval_on_selector_all(".question .option", "all => all.map(one => one.dataset.key)")
    there = page.eval_on_selector_all("[data-unit]", "all => all.map(one => one.dataset.unit)")
    return [key for key in keys if key in there]


def test_one_drag_answers_whom_what_and_where(visitor: Visitor) -> None:
    page = visitor.new_battle("aof")
    visitor.until("pick one/choose_unit")
    while page.get_attribute(".question", "data-ask") != "choose_unit":
        visitor.answer()
    number = int(page.evaluate(ASKED).split()[0])
    unit = acting(page)[0]
    drag(page, unit, 25)

    # Two questions are answered, and the third is laid: whom, what it does, and where it goes.
    page.wait_for_selector(".question[data-kind='move figures'] .legal, .question[data-kind='move figures'] .refusal")
    assert int(page.evaluate(ASKED).split()[0]) == number + 2
    assert page.query_selector(f".figure.held[data-unit='{unit}']") is not None
    assert re.match(r'[\d.]+"', page.text_content(".ruler text"))
    page.keyboard.press("Enter")
    page.wait_for_function(
        "n => Number(document.querySelector('.battle').dataset.asked.split(' ')[0]) > n", arg=number + 2
    )
    # Who cannot see the table is told where figures stand, and what has changed.
    label = page.get_attribute(".figure", "aria-label")
    assert re.search(r'[\d.]+" from the left, [\d.]+" from the near edge', label)
    page.wait_for_function("document.querySelector('.changed[role=log]').textContent.length > 20")


def test_in_deployment_enter_gives_what_was_dragged_and_numbers_stay(visitor: Visitor) -> None:
    page = visitor.new_battle("aof")
    visitor.until("place figures/place_unit")
    page.wait_for_selector(".question .legal")
    x, y = middle(page.query_selector(".figure.held"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 6, y, steps=3)
    page.mouse.up()
    page.wait_for_selector(".question .legal")
    asked = page.evaluate(ASKED)
    page.keyboard.press("Enter")
    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)

    # A number stays that of its option, whichever are shown.
    visitor.until("pick one")
    told = "all => all.map(one => [one.dataset.key, one.querySelector('kbd')?.innerText])"
    numbers = dict(page.eval_on_selector_all(".question .option", told))
    page.keyboard.press("s")
    only = page.wait_for_selector(".question .option:only-child")
    assert only.query_selector("kbd").inner_text() == numbers[only.get_attribute("data-key")]


def test_what_was_dragged_lies_there_while_dice_are_chosen_and_is_given_with_them(visitor: Visitor) -> None:
    play = battle_of_captains("sbh")
    captain = load("sbh").bots()["captain"](seed=1)
    # Somebody who may move once his three dice have fallen.
    fighter = ""
    while not fighter:
        decision = play.pending[0]
        if decision.ask == "choose_fighter":
            for one in decision.keys():  # type: ignore[attr-defined]
                ahead = play.twin()
                for answer in (one, "3"):
                    assert ahead.answer(decision.side, answer) is None
                if any(way.leads == "move" for way in ways_of(ahead, decision.side, one)):
                    fighter = one
                    break
        if not fighter:
            assert play.answer(decision.side, decide(play, decision, captain)) is None
    page = visitor.page
    page.goto(visitor.server.keep(play))
    page.wait_for_selector(".question[data-ask=choose_fighter]")
    there = f".figure[data-unit='{fighter}']"
    home = page.get_attribute(there, "style")

    drag(page, fighter, 20)
    page.wait_for_selector(".question[data-ask=choose_dice]")
    # Where he is to go is seen; nobody has moved yet.
    dropped = page.get_attribute(there, "style")
    assert dropped != home
    page.keyboard.press("3")
    page.wait_for_selector(".question:not([data-ask=choose_dice], [data-kind='move figures'])")
    eventually(page, lambda: page.query_selector(f".figure.held[data-unit='{fighter}']") is None)
    eventually(page, lambda: page.get_attribute(there, "style") == dropped)
    told = " ".join(page.locator(".log p").all_inner_texts())
    assert "moves" in told or "advances" in told
    # It can be taken back: no dice have fallen since.
    page.keyboard.press("u")
    eventually(page, lambda: page.get_attribute(there, "style") != dropped)


def test_a_unit_dragged_onto_an_enemy_strikes_him(visitor: Visitor) -> None:
    play = battle_of_captains("aof")
    unit, on = "", ""
    while not on:
        decision = play.pending[0]
        if decision.ask == "choose_unit":
            found = [
                (id, way.on)
                for id in decision.keys()  # type: ignore[attr-defined]
                for way in ways_of(play, decision.side, id)
                if way.leads == "strike"
            ]
            unit, on = found[0] if found else ("", "")
        if not on:
            play.answer(decision.side, decide(play, decision, CAPTAIN))
    page = visitor.page
    page.goto(visitor.server.keep(play))
    page.wait_for_selector(".question[data-ask=choose_unit]")
    lines = page.locator(".log p").count()

    x, y = middle(page.query_selector(f".figure[data-unit='{unit}']"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(*middle(page.query_selector(f".figure[data-unit='{on}']")), steps=6)
    page.mouse.up()

    page.wait_for_selector(".question:not([data-ask=choose_unit]), .choices button")
    if page.query_selector(".choices button"):
        page.click(".choices button")
    page.wait_for_function("n => document.querySelectorAll('.log p').length > n", arg=lines)
    names = [line.inner_text() for line in page.query_selector_all(".log p")][lines:]
    assert any("Charge" in line or "shoots" in line or "hits" in line for line in names), names


@pytest.mark.parametrize("game", ["tlaok", "lfw"])
def test_a_drag_is_a_march_and_a_move(visitor: Visitor, game: str) -> None:
    page = visitor.new_battle(game)
    ask, open_to = {"tlaok": ("choose_action", "[data-key=march]"), "lfw": ("choose_mover", "")}[game]
    visitor.until(f"pick one/{ask}", most=150)
    # Who has just come in, or fights, may have no march left.
    while page.query_selector(f".question[data-ask={ask}] .option{open_to}") is None:
        visitor.answer()
    subject = acting(page) or [
        page.evaluate(
            "document.querySelector('[data-regiment].subject, .subject')?.closest('[data-unit]')?.dataset.unit"
        )
    ]
    drag(page, subject[0], 15)
    page.wait_for_selector(".question[data-kind='move figures']")
    page.wait_for_selector(".question .legal, .question .refusal, .question .used, .question .confirm")


def test_what_is_asked_next_stands_beside_the_option_and_one_click_answers_both(visitor: Visitor) -> None:
    page = visitor.new_battle("sbh")
    visitor.until("pick one/choose_fighter")
    number = int(page.evaluate(ASKED).split()[0])
    fighter = acting(page)[0]

    page.hover(f".question .option[data-key='{fighter}']")
    page.wait_for_selector(".beside [data-key='2']")
    assert "dice" in page.inner_text(".beside p")
    page.click(".beside [data-key='2']")

    # Both are answered: the dice have fallen.
    page.wait_for_function(
        "n => Number(document.querySelector('.battle').dataset.asked.split(' ')[0]) > n", arg=number + 1
    )
    play_lines = " ".join(page.locator(".log p").all_inner_texts())
    assert "2 dice" in play_lines or page.locator(".log .dice").count()
    # Whoever points elsewhere does not see it any more.
    visitor.until("pick one/choose_fighter")
    page.hover(f".question .option[data-key='{acting(page)[0]}']")
    page.wait_for_selector(".beside")
    page.mouse.move(5, 5)
    page.wait_for_selector(".beside", state="detached")


def test_three_questions_are_one_click_where_nobody_measures(visitor: Visitor) -> None:
    page = visitor.new_battle("rn3")
    visitor.until("pick one/choose_unit", most=150)
    while page.get_attribute(".question", "data-ask") != "choose_unit":
        visitor.answer()
    number = int(page.evaluate(ASKED).split()[0])
    unit = acting(page)[0]

    page.hover(f".question .option[data-key='{unit}']")
    first = page.wait_for_selector(".beside button")
    asked = page.inner_text(".beside p")
    first.hover()
    page.wait_for_function("document.querySelectorAll('.beside').length === 2")
    page.locator(".beside").nth(1).locator("button").first.click()

    page.wait_for_function(
        "n => Number(document.querySelector('.battle').dataset.asked.split(' ')[0]) >= n", arg=number + 3
    )
    # Nothing that stood there told a length.
    assert not re.search(r"\d+([.,]\d+)? ?cm", asked)


def test_what_has_to_be_given_is_laid_and_one_key_gives_it(visitor: Visitor) -> None:
    page = visitor.new_battle("tlaok")
    visitor.until("put in order/order_stack", most=60)
    page.wait_for_selector(".question .laid")
    asked = page.evaluate(ASKED)
    page.keyboard.press("Enter")
    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)


def test_a_march_is_given_when_it_is_let_go_and_with_shift_another_leg_comes(visitor: Visitor) -> None:
    page = visitor.new_battle("tlaok")
    page.evaluate("localStorage['oriflamme.atOnce'] = '1'")
    page.reload()
    visitor.until("move figures/march", most=150)
    page.wait_for_selector(".question .at-once input:checked")
    asked = page.evaluate(ASKED)
    unit = page.get_attribute("[data-regiment].held, [data-regiment].subject", "data-regiment")
    page.keyboard.down("Shift")
    drag(page, unit, 8)
    page.keyboard.up("Shift")
    page.wait_for_selector(".question .legal")
    assert page.evaluate(ASKED) == asked
    drag(page, unit, 8)
    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)


def test_who_is_dragged_farther_than_one_move_goes_on_with_the_next(visitor: Visitor) -> None:
    play = battle_of_captains("sbh", seed=5)
    fighter = ""
    # Somebody with two actions left.
    while not fighter:
        decision = play.pending[0]
        subject = play.game.picture().subject(decision)
        if decision.ask == "choose_action" and subject:
            moves = [way for way in ways_of(play, decision.side, subject) if way.leads == "move"]
            ahead = play.twin()
            if moves:
                for ask, key in moves[0].answers:
                    assert ahead.answer(decision.side, key) is None, ask
                move = ahead.pending[0]
                ahead.answer(move.side, move.suggestion())
                again = ahead.pending[0]
                if again.ask == "choose_action" and ahead.game.picture().subject(again) == subject:
                    fighter = subject
        if not fighter:
            play.answer(decision.side, decide(play, decision, load("sbh").bots()["captain"](seed=1)))
    page = visitor.page
    page.goto(visitor.server.keep(play))
    page.evaluate("localStorage['oriflamme.atOnce'] = '1'")
    page.reload()
    page.wait_for_selector(".question[data-ask=choose_action]")
    number = int(page.evaluate(ASKED).split()[0])
    table = page.query_selector("svg.table").bounding_box()

    drag(page, fighter, table["height"] * 0.2)

    # Two questions and two moves, by one drag.
    page.wait_for_function(
        "n => Number(document.querySelector('.battle').dataset.asked.split(' ')[0]) >= n", arg=number + 4
    )
    told = [line for line in page.locator(".log p").all_inner_texts() if "moves" in line or "advances" in line]
    assert len(told) >= 2


def test_a_figure_that_is_dropped_on_an_enemy_stands_against_him(visitor: Visitor) -> None:
    play = battle_of_captains("lfw")
    captain = load("lfw").bots()[load("lfw").best_bot](seed=1)
    while play.pending[0].ask != "charge_move":
        assert play.answer(play.pending[0].side, decide(play, play.pending[0], captain)) is None
    decision = play.pending[0]
    charger = play.game.picture().subject(decision)
    target = decision.about["targets"][0] if "targets" in decision.about else decision.about["target"]
    page = visitor.page
    page.goto(visitor.server.keep(play))
    page.evaluate("localStorage['oriflamme.atOnce'] = '1'")
    page.reload()
    page.wait_for_selector(".question[data-ask=charge_move] .legal")
    asked = page.evaluate(ASKED)

    page.mouse.move(*middle(page.query_selector(f".figure.held[data-unit='{charger}']")))
    page.mouse.down()
    x, y = middle(page.query_selector(f".figure[data-unit='{target}']"))
    page.mouse.move(x + 2, y + 2, steps=6)
    page.mouse.up()

    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)
    assert page.query_selector(".question .refusal") is None
