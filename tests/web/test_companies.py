"""Companies round their leaders in a browser: cards face down, assaults and reactions, dice shared in secret."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.web.meeting import put_back
from tests.web.visit import ASKED, Visitor

from oriflamme.engine.core.decisions import Allocate, Decision, PickOne
from oriflamme.engine.core.play import Play
from oriflamme.games import load
from oriflamme.lab.battle import decide, players

Wanted = Callable[[Decision], bool]


def come_to(visitor: Visitor, wanted: Wanted, liked: Mapping[str, str] | None = None, **options: str) -> Any:
    """A battle two captains have fought until this was asked, to go on with by hand. What is `liked` is chosen wherever
    it can be, whatever a captain thinks of it."""
    game = load("rn3")
    for seed in range(1, 12):
        setup = game.setup(seed, points=1500, options={f"rn3.{key}": value for key, value in options.items()})
        play, bots = Play(game, setup, seed, keep=False), players(game, ["captain"] * 2, seed)
        while play.pending and not any(map(wanted, play.pending)):
            decision = play.pending[0]
            like = (liked or {}).get(decision.ask, "")
            chosen = like if isinstance(decision, PickOne) and like in decision.keys() else None
            play.answer(decision.side, chosen or decide(play, decision, bots[decision.side]))
        if play.pending:
            # Of two who choose in secret, the other one has chosen.
            for decision in [one for one in play.pending if not wanted(one)]:
                play.answer(decision.side, decide(play, decision, bots[decision.side]))
            visitor.page.goto(visitor.server.keep(play))
            uncover(visitor.page)
            return visitor.page
    raise AssertionError("it never came to that")


def uncover(page: Any) -> None:
    """Whose turn it is looks at the screen."""
    page.wait_for_selector(".question .option, .question .confirm, .gone .primary")
    if page.query_selector(".gone .primary"):
        page.click(".gone .primary")
        page.wait_for_selector(".question .option, .question .confirm")


def choose(page: Any, key: str) -> None:
    asked = page.evaluate(ASKED)
    page.click(f".question .option[data-key='{key}']")
    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)


def keys(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all(".question .option", "all => all.map((one) => one.dataset.key)")
    return found


def middle(page: Any, selector: str) -> tuple[float, float]:
    box = page.wait_for_selector(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# -- before the battle -------------------------------------------------------------------------------------------------


def test_cards_lie_face_down_and_companies_are_set_up_round_their_leaders(visitor: Visitor) -> None:
    page = visitor.new_battle("rn3", "bot")
    page.wait_for_selector(".question .option, .question .confirm")
    # Which companies meet is left to chance; some name their commander first.
    while visitor.asked() == "pick one/name_commander":
        visitor.answer()
    page.wait_for_selector(".question[data-ask=keep_reserves]")
    page.click(".question .option >> nth=-1")
    page.click(".question .confirm")

    # A card is dragged to its place; nobody sees what the other one has.
    while visitor.asked() != "place figures/place_card":
        visitor.answer()
    page.wait_for_selector(".question .legal")
    x, y = middle(page, "svg.table [data-figure=card]")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=4)
    page.mouse.up()
    assert middle(page, "svg.table [data-figure=card]")[0] > x + 40
    page.wait_for_selector(".question .legal")
    asked = page.evaluate(ASKED)
    page.click(".question .confirm")
    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)
    assert page.wait_for_selector(".forces details:nth-of-type(1) >> text=a card face down")
    assert "in reserve" in page.inner_text(".forces details:nth-of-type(1)")
    assert page.query_selector_all(".forces details:nth-of-type(2) li") == []

    # Turned over, set up: each round its leader, with its dice and its formation.
    by_hand = 0
    while True:
        # Between two questions nothing is asked: whoever answered then would take the formation that is suggested.
        page.wait_for_selector(".question .option, .question .confirm")
        asked = visitor.asked()
        if asked in ("pick one/choose_unit", "pick one/push_authority"):
            break
        # More than once: whoever finds no place for one so close together is asked again.
        if asked == "pick one/choose_formation" and by_hand < 3:
            by_hand += 1
            was = page.evaluate(ASKED)
            page.click(".question [data-key=compact]")
            page.wait_for_function(f"old => {ASKED} !== old", arg=was)
        else:
            visitor.answer()
    page.wait_for_selector("svg.table .figure .leader", state="attached")
    pools = page.eval_on_selector_all("svg.table .plate .pool.dice title", "all => all.map((one) => one.textContent)")
    assert len(pools) >= 6
    assert all("melee dice" in one for one in pools)
    assert by_hand
    page.wait_for_selector("svg.table .plate .badge.compact", state="attached")


# -- assaults ----------------------------------------------------------------------------------------------------------


def test_an_assault_is_declared_by_clicking_the_enemy(visitor: Visitor) -> None:
    def alone(decision: Decision) -> bool:
        """Nobody can be assaulted together with another: a click says whom."""
        is_target = decision.ask == "assault_target" and isinstance(decision, PickOne)
        return is_target and not any("+" in key for key in decision.keys())

    page = come_to(visitor, alone)
    target = keys(page)[0]
    name = page.inner_text(f".question .option[data-key='{target}']").splitlines()[0]
    asked = page.evaluate(ASKED)
    page.click(f"svg.table .figure.lit[data-unit='{target}'] >> nth=0", force=True)
    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)
    page.wait_for_selector(f".log p:has-text('declares an assault on {name}')")


def test_each_reaction_is_offered_and_a_retreat_is_made(visitor: Visitor) -> None:
    def all_three(decision: Decision) -> bool:
        return decision.ask == "react" and isinstance(decision, PickOne) and len(decision.keys()) == 4

    page = come_to(visitor, all_three)
    assert keys(page) == ["none", "reception", "counter_charge", "retreat"]
    choose(page, "retreat")
    page.wait_for_selector(".log p:has-text('retreats from')")


def test_dice_are_shared_out_in_secret_and_their_odds_stand_beside(visitor: Visitor) -> None:
    def split(decision: Decision) -> bool:
        if not isinstance(decision, Allocate) or decision.ask != "set_dice_aside":
            return False
        return {slot.partition(" ")[0] for slot in decision.slots} == {"attack", "defence"} and decision.most >= 3

    page = come_to(visitor, split)
    assert visitor.asked() == "allocate/set_dice_aside"
    assert page.eval_on_selector_all(".budgets thead th", "all => all.map((one) => one.textContent)") == [
        "spent", "kept", "at least"
    ]  # fmt: skip
    # More than half attack, or it may not be given: what is laid already is put back to see it.
    put_back(page)
    page.wait_for_selector(".budgets tr.short")
    assert page.is_disabled(".question .confirm")
    assert page.query_selector(".budgets tr.short")
    visitor.suggest()
    page.wait_for_selector(".question .confirm:enabled")
    assert page.query_selector(".budgets tr.short") is None

    # What it brings is told while it is made, with names.
    told = page.wait_for_selector(".odds.of-draft").inner_text()
    assert "This split" in told
    assert " attacks " in told
    assert ">" not in told
    asked = page.evaluate(ASKED)
    page.click(".question .confirm")
    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)
    page.wait_for_selector(".log p:has-text('attack di')")


def test_a_unit_on_standby_shoots_at_whom_is_activated(visitor: Visitor) -> None:
    page = come_to(
        visitor, lambda decision: decision.ask == "standby", {"buy_tactic": "standby", "choose_order": "stay"}
    )
    assert page.query_selector("svg.table .plate .badge.standby")
    shooter = next(key for key in keys(page) if key != "none")
    choose(page, shooter)
    uncover(page)
    if "shoot" in keys(page):
        choose(page, "shoot")
    page.wait_for_selector(".log p:has-text('shoots at')")


# -- no measuring before it is decided ---------------------------------------------------------------------------------


def test_the_tape_is_off_unless_it_was_agreed_otherwise(visitor: Visitor) -> None:
    def first_order(decision: Decision) -> bool:
        return decision.ask == "choose_order"

    page = come_to(visitor, first_order)
    page.keyboard.press("m")
    assert "RN3-GEN-04" in page.wait_for_selector(".float.closed").inner_text()
    assert page.query_selector("svg.measuring") is None

    page = come_to(visitor, first_order, openMeasuring="yes")
    page.keyboard.press("m")
    page.wait_for_selector("svg.measuring")
