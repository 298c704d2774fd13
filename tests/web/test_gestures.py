"""By hand: a unit that is ready is dragged to where it goes, an enemy is clicked to be shot at or charged."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.web.test_play import inwards, middle
from tests.web.visit import ASKED, Visitor, asked_for, eventually, up_to

from oriflamme.engine.cases.scene_battles import setup_of
from oriflamme.engine.core.decisions import Decision, PickOne
from oriflamme.engine.core.play import Play
from oriflamme.engine.screen.gestures import ways_of
from oriflamme.games import load


def keys_of(decision: Decision) -> tuple[str, ...]:
    assert isinstance(decision, PickOne)
    return tuple(decision.keys())


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
    page = visitor.sits_down(asked_for("aof", "choose_unit"))
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


def test_a_fast_unit_with_a_slower_hero_goes_no_farther_than_he_does(visitor: Visitor) -> None:
    riders = {"side": 1, "figures": 3, "at": [36, 12], "keywords": ["Fast"], "hero": {"keywords": ["Hero"]}}
    scene = {"given": {"riders": riders, "levy": {"side": 2, "figures": 3, "at": [36, 40]}}}
    page = visitor.sits_down(Play(load("aof"), setup_of("aof", scene), 1))
    inch = page.query_selector("svg.table .frame").bounding_box()["width"] / 72

    # Seven inches: the riders would advance so far, he would not.
    drag(page, "riders", 7 * inch)
    page.wait_for_selector(".question[data-ask=move_unit] .legal")
    page.wait_for_function("/left$/.test(document.querySelector('.ruler text')?.textContent)")
    used, left = (float(part) for part in re.findall(r"[\d.]+", page.text_content(".ruler text")))
    assert used + left == pytest.approx(12, abs=0.11)
    # What is lit is how far all of them go; one of them alone goes farther.
    reach = ".aid.reach .area"
    all_together = page.query_selector(reach).bounding_box()["height"]
    page.keyboard.press("Escape")
    page.keyboard.press("w")
    eventually(page, lambda: page.query_selector(reach).bounding_box()["height"] > all_together + 6 * inch)


def test_in_deployment_enter_gives_what_was_dragged_and_numbers_stay(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("aof", "place_unit"))
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
    fighter = ""

    def may_move_with_three_dice(play: Play, decision: Decision) -> bool:
        nonlocal fighter
        if decision.ask == "choose_fighter":
            for one in play.battle.units.keys() & {*keys_of(decision)}:
                ahead = play.twin()
                for answer in (one, "3"):
                    assert ahead.answer(decision.side, answer) is None
                if any(way.leads == "move" for way in ways_of(ahead, decision.side, one)):
                    fighter = max(fighter, one)
        return bool(fighter)

    page = visitor.sits_down(up_to("sbh", may_move_with_three_dice))
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
    unit, on = "", ""

    def may_strike(play: Play, decision: Decision) -> bool:
        nonlocal unit, on
        if decision.ask == "choose_unit":
            for id in keys_of(decision):
                for way in ways_of(play, decision.side, id):
                    if way.leads == "strike" and not on:
                        unit, on = id, way.on
        return bool(on)

    page = visitor.sits_down(up_to("aof", may_strike))
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
    # Who has just come in, or fights, may have no march left.
    ask, open_to = {"tlaok": ("choose_action", "march"), "lfw": ("choose_mover", "")}[game]
    play = up_to(game, lambda _, one: one.ask == ask and (not open_to or open_to in keys_of(one)))
    page = visitor.sits_down(play)
    subject = acting(page) or [play.game.picture().subject(play.pending[0])]
    drag(page, subject[0], 15)
    page.wait_for_selector(".question[data-kind='move figures']")
    page.wait_for_selector(".question .legal, .question .refusal, .question .used, .question .confirm")


def test_what_is_asked_next_stands_beside_the_option_and_one_click_answers_both(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("sbh", "choose_fighter"))
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
    page = visitor.sits_down(asked_for("rn3", "choose_unit"))
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
    page = visitor.sits_down(asked_for("tlaok", "march"))
    page.evaluate("localStorage['oriflamme.atOnce'] = '1'")
    page.reload()
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
    fighter, far = "", 0.0

    def may_go_on_towards_the_middle(play: Play, decision: Decision) -> bool:
        """Whether a move and a half straight towards the middle of the table are two moves."""
        nonlocal fighter, far
        subject = play.game.picture().subject(decision)
        if decision.ask != "choose_action" or not subject:
            return False
        unit = play.battle.units[subject]
        towards = 1 if unit.y < play.battle.table.depth / 2 else -1
        for way in ways_of(play, decision.side, subject):
            ahead = play.twin()
            for part in (1.0, 1.5) if way.leads == "move" else ():
                for _, key in way.answers:
                    if ahead.pending[0].ask != "choose_action" or ahead.answer(decision.side, key) is not None:
                        break
                else:
                    spot = [unit.x, unit.y + towards * part * way.reach]
                    if ahead.answer(decision.side, {way.figures[0]: [spot]}) is None:
                        fighter, far = subject if part > 1 else "", 1.5 * way.reach
        return bool(fighter)

    play = up_to("sbh", may_go_on_towards_the_middle)
    page = visitor.sits_down(play)
    page.evaluate("localStorage['oriflamme.atOnce'] = '1'")
    page.reload()
    page.wait_for_selector(".question[data-ask=choose_action]")
    number = int(page.evaluate(ASKED).split()[0])
    table = page.query_selector("svg.table .frame").bounding_box()

    drag(page, fighter, far * table["height"] / play.battle.table.depth)

    # Two questions and two moves, by one drag.
    page.wait_for_function(
        "n => Number(document.querySelector('.battle').dataset.asked.split(' ')[0]) >= n", arg=number + 4
    )
    told = [line for line in page.locator(".log p").all_inner_texts() if "moves" in line or "advances" in line]
    assert len(told) >= 2


def test_a_figure_that_is_dropped_on_an_enemy_stands_against_him(visitor: Visitor) -> None:
    play = asked_for("lfw", "charge_move")
    decision = play.pending[0]
    charger = play.game.picture().subject(decision)
    target = decision.about["targets"][0] if "targets" in decision.about else decision.about["target"]
    page = visitor.sits_down(play)
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
