"""Units in ranks and files in the browser: drawn, marched and wheeled by hand, charging, and played to the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import atan2, hypot
from pathlib import Path
from typing import Any

import pytest
from tests.web.visit import ASKED, Visitor, eventually

from oriflamme.engine.core.decisions import Decision, PickOne
from oriflamme.engine.core.play import Play
from oriflamme.games import load
from oriflamme.lab.battle import decide, players

PATROL = """
game = "tlaok"
name = { en = "Patrol", fr = "Patrouille" }
army = "salt_crown"
points = 300

[[warbands]]
character = "dyke_marshal"
warlord = true
regiments = [{ regiment = "dyke_levy", stands = 3 }]
"""
INCH = 25.4
WIDE = 124.0  # two stands side by side


def begin(visitor: Visitor, mode: str, **more: Any) -> Any:
    """A battle of one small regiment a side, on bare ground as far as the map allows."""
    page = visitor.page
    page.goto(visitor.server.url)
    army = {"text": PATROL, "format": "toml"}
    told = {
        "game": "tlaok",
        "mode": mode,
        "armies": [army, army],
        "seed": 3,
        "choices": {"scenario": "attrition"},
    } | more
    made = page.evaluate(
        """told => fetch('/api/battles', {method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify(told)}).then((r) => r.json())""",
        told,
    )
    page.goto(visitor.server.url + made["seats"][0]["link"])
    page.wait_for_selector("svg.table")
    return page


def choose(page: Any, key: str) -> None:
    asked = page.evaluate(ASKED)
    page.click(f".question .option[data-key='{key}']")
    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)


def confirm(page: Any) -> None:
    asked = page.evaluate(ASKED)
    page.wait_for_selector(".question .confirm:enabled")
    page.click(".question .confirm")
    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)


class Held:
    """The regiment in somebody's hand, on the screen: its middle, its front corners, where ahead is, pixels to a mm."""

    def __init__(self, page: Any) -> None:
        page.wait_for_selector(".regiment.held")
        self.page = page
        told = page.evaluate(
            """() => {
            const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2]
            const at = (name) => middle(document.querySelector(`[data-handle=${name}] circle`).getBoundingClientRect())
            const held = document.querySelector('svg.table .regiment.held')
            const boxes = [...held.querySelectorAll('g[data-figure]')].map((one) => one.getBoundingClientRect())
            const stands = boxes.map(middle)
            const mean = (n) => stands.reduce((sum, one) => sum + one[n], 0) / stands.length
            return {left: at('left'), right: at('right'), middle: [mean(0), mean(1)]}
        }"""
        )
        self.left, self.right, self.middle = told["left"], told["right"], told["middle"]
        across = (self.right[0] - self.left[0], self.right[1] - self.left[1])
        self.mm = hypot(*across) / WIDE
        # On the screen y runs down: ahead is a quarter turn against the clock from left to right.
        self.ahead = (across[1] / WIDE, -across[0] / WIDE)
        self.facing = atan2(-self.ahead[0], -self.ahead[1])

    def pull(self, start: tuple[float, float], ahead: float, right: float = 0.0) -> None:
        """Drag from there so many millimetres ahead and to the right, and hold it."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        ux, uy = self.ahead
        end = (start[0] + ux * ahead - uy * right, start[1] + uy * ahead + ux * right)
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=2)
        mouse.move(*end, steps=3)

    def drop(self) -> None:
        self.page.mouse.up()


AHEAD = ("charge", "clash", "march", "no", "none", "2", "south")


def until(visitor: Visitor, *asks: str, most: int = 60, liked: Sequence[str] = AHEAD) -> str:
    """Go on, both sides straight at each other unless something else is liked, until one of these is asked; which."""
    page = visitor.page
    for _ in range(most):
        page.wait_for_selector(".question .option, .question .confirm, .gone .primary, .result")
        if page.query_selector(".gone .primary"):
            page.click(".gone .primary")
            page.wait_for_selector(".question")
            continue
        kind, _, ask = visitor.asked().partition("/")
        if ask in asks:
            return ask
        keys = page.eval_on_selector_all(".question .option", "all => all.map((one) => one.dataset.key)")
        if kind == "pick one":
            choose(page, next((key for key in liked if key in keys), keys[0]))
        elif ask == "march":
            regiment = Held(page)
            regiment.pull(tuple(regiment.middle), 5 * INCH)
            regiment.drop()
            for _ in range(100):
                if page.query_selector(".question .legal, .question .refusal"):
                    break
                page.wait_for_timeout(100)
            if page.query_selector(".question .legal") is None:
                # Somebody is in the way, or it lies under another: as it is suggested, then.
                visitor.suggest()
                page.wait_for_selector(".question .legal")
            confirm(page)
        else:
            confirm(page)
    raise AssertionError(f"none of {asks} in {most} answers")


# -- marching ----------------------------------------------------------------------------------------------------------


def test_a_regiment_is_drawn_in_ranks_and_files_with_its_front(visitor: Visitor) -> None:
    page = begin(visitor, "hotseat")
    until(visitor, "enter")
    confirm(page)
    regiment = page.wait_for_selector(".regiment")

    # Three stands and a character, two wide: two ranks.
    stands = page.eval_on_selector_all(
        ".regiment g[data-figure]", "all => all.map((one) => one.getBoundingClientRect()).map((b) => [b.x, b.y])"
    )
    assert len(stands) == 4
    assert len({round(x / 10) for x, _ in stands}) == 2
    assert len({round(y / 10) for _, y in stands}) == 2
    assert regiment.query_selector("path.front") is not None
    label = regiment.get_attribute("aria-label")
    assert "Dyke Levy" in label
    assert "4 of 4 stands" in label
    assert "with a character" in label
    assert "Dyke Levy" in page.text_content(".plate[data-plate]")
    # Each side has its edge from the first round on.
    assert len(page.query_selector_all("[data-border=entry_edge]")) == 2


def test_a_march_with_a_wheel_is_dragged_leg_by_leg(visitor: Visitor) -> None:
    page = begin(visitor, "hotseat")
    until(visitor, "march")

    first = Held(page)
    first.pull(tuple(first.middle), 2 * INCH)
    page.wait_for_selector(".question .legal")
    assert '3" left' in page.text_content("svg .used")
    first.drop()
    second = Held(page)
    assert hypot(second.middle[0] - first.middle[0], second.middle[1] - first.middle[1]) == pytest.approx(
        2 * INCH * first.mm, abs=4
    )

    # The right corner goes forward, the left one stays: it wheels to the left.
    second.pull(tuple(second.right), 1.5 * INCH)
    page.wait_for_selector("path.trace")
    second.drop()
    third = Held(page)
    assert hypot(third.left[0] - second.left[0], third.left[1] - second.left[1]) < 3
    assert third.facing - second.facing == pytest.approx(1.5 * INCH / WIDE, abs=0.08)
    page.wait_for_selector(".question .legal")

    # Straight on, and too far: it says why, with the rule.
    third.pull(tuple(third.middle), 6 * INCH)
    assert "5" in page.wait_for_selector(".why").inner_text()
    third.drop()
    assert page.wait_for_selector(".question .refusal .rule").inner_text() == "TLAOK-MARCH-02"
    assert page.is_disabled(".question .confirm")

    # The leg is taken back by its key, the others stay.
    page.keyboard.press("Backspace")
    page.wait_for_selector(".question .legal")
    again = Held(page)
    assert hypot(again.middle[0] - third.middle[0], again.middle[1] - third.middle[1]) < 2
    confirm(page)
    # The outer corner was pulled straight ahead, and went a little less along its arc.
    go_on(page)
    page.wait_for_selector(".log p:has-text('marches 3.45')")


def test_keys_march_a_regiment_too(visitor: Visitor) -> None:
    page = begin(visitor, "hotseat")
    until(visitor, "march")

    before = Held(page)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("[")
    page.wait_for_selector(".question .legal")
    after = Held(page)
    assert after.facing > before.facing
    assert page.inner_text(".question .used").startswith("1.6")

    # Sideways after that is refused: one direction to a March.
    page.keyboard.press("ArrowLeft")
    assert page.wait_for_selector(".question .refusal .rule").inner_text() == "TLAOK-MARCH-07"
    page.keyboard.press("Escape")

    def is_home() -> bool:
        now = Held(page).middle
        return hypot(now[0] - before.middle[0], now[1] - before.middle[1]) < 2

    eventually(page, is_home)


def test_who_comes_in_is_dragged_along_his_edge(visitor: Visitor) -> None:
    page = begin(visitor, "hotseat")
    until(visitor, "enter")

    first = Held(page)
    first.pull(tuple(first.middle), 0.0, 8 * INCH)
    page.wait_for_selector(".question .legal")
    first.drop()
    there = Held(page)
    way = (there.middle[0] - first.middle[0], there.middle[1] - first.middle[1])
    assert hypot(*way) == pytest.approx(8 * INCH * first.mm, abs=4)
    assert abs(way[0] * first.ahead[0] + way[1] * first.ahead[1]) < 3
    assert page.query_selector(".aid.zone") is not None
    confirm(page)


# -- fighting ----------------------------------------------------------------------------------------------------------


def _go_on_until(visitor: Visitor, action: str) -> None:
    """March, charge and strike until this may be done."""
    page = visitor.page
    for _ in range(20):
        until(visitor, "choose_action")
        keys = page.eval_on_selector_all(".question .option", "all => all.map((one) => one.dataset.key)")
        if action in keys:
            return
        choose(page, next((key for key in ("charge", "clash", "march") if key in keys), keys[0]))
    raise AssertionError(f"nobody may {action}")


def test_a_charge_shows_arc_reach_and_face_and_a_clash_who_takes_part(visitor: Visitor) -> None:
    page = begin(visitor, "hotseat")
    _go_on_until(visitor, "charge")
    # By then both sides have a line behind which they may come in from the sides.
    lines = page.query_selector_all("[data-border=reinforcement_line]")
    assert len(lines) == 2
    assert "Reinforcement line" in page.text_content("[data-border=reinforcement_line] text")

    page.hover(".option[data-key=charge]")
    page.wait_for_selector(".aid.charge")
    page.wait_for_selector(".aid.face")
    said = page.inner_text(".question .legend")
    assert "the front is charged" in said
    assert "charges up to 11" in said
    assert "of 100" in said

    # After contact: who strikes and who supports.
    _go_on_until(visitor, "clash")
    page.hover(".option[data-key=clash]")
    page.wait_for_selector(".aid.strikes")
    page.wait_for_selector(".aid.supports")
    assert "2 stands strike" in page.inner_text(".question .legend")
    assert page.query_selector(".clash") is not None


def test_a_battle_of_regiments_by_mouse_to_its_end(visitor: Visitor) -> None:
    page = begin(visitor, "bot", bots=["captain"])
    kinds = set()
    for _ in range(45):
        page.wait_for_selector(".question .option, .question .confirm, .result")
        if page.query_selector(".result"):
            break
        kinds.add(visitor.answer())
    else:
        # It may last ten rounds: then somebody has seen enough.
        page.click(".question .besides summary")
        page.click(".question .besides button")
    page.wait_for_selector(".result")
    assert {"pick one", "put in order", "move figures"} <= kinds


# -- what comes up now and then ----------------------------------------------------------------------------------------


def come_to(visitor: Visitor, folder: Path, wanted: Callable[[Decision], bool]) -> Any:
    """A battle two captains have fought with patrols until this was asked, to go on with by hand."""
    game, army = load("tlaok"), folder / "patrol.toml"
    army.write_text(PATROL)
    for seed in range(20):
        setup = game.setup(seed, lists=[str(army)] * 2, choices=game.agreed({"scenario": "attrition"}))
        play, bots = Play(game, setup, seed, keep=False), players(game, ["captain"] * 2, seed)
        while play.pending and not wanted(decision := play.pending[0]):
            play.answer(decision.side, decide(play, decision, bots[decision.side]))
        if play.pending:
            visitor.page.goto(visitor.server.keep(play))
            go_on(visitor.page)
            return visitor.page
    raise AssertionError("it never came to that")


def go_on(page: Any) -> None:
    """Whose turn it is to look at the screen."""
    page.wait_for_selector(".question .option, .question .confirm, .gone .primary")
    if page.query_selector(".gone .primary"):
        page.click(".gone .primary")
        page.wait_for_selector(".question .option, .question .confirm")


def may(decision: Decision, key: str) -> bool:
    return isinstance(decision, PickOne) and key in decision.keys()


def test_a_duel_is_offered_and_refused(visitor: Visitor, tmp_path: Path) -> None:
    page = come_to(visitor, tmp_path, lambda decision: may(decision, "duel"))
    choose(page, "duel")
    go_on(page)
    assert visitor.asked() == "pick one/accept_duel"
    page.hover(".option[data-key=accept]")
    assert "the two who would fight" in page.wait_for_selector(".question .legend").inner_text()
    # The answer is given knowing what would come of it.
    page.wait_for_selector(".foresight")
    choose(page, "refuse")
    page.wait_for_selector(".log p:has-text('refuses')")


def test_a_garrison_is_entered_by_clicking_it_and_left_by_hand(visitor: Visitor, tmp_path: Path) -> None:
    page = come_to(visitor, tmp_path, lambda decision: decision.ask == "occupy_garrison")
    key = page.eval_on_selector_all(".question .option", "all => all.map((one) => one.dataset.key)")[-1]
    asked = page.evaluate(ASKED)
    page.click(f"svg.table .lit-piece[data-thing='{key}']")
    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)
    go_on(page)
    coin = page.wait_for_selector("svg.table .within")
    assert "Dyke Levy" in coin.get_attribute("aria-label")
    page.wait_for_selector(".log p:has-text('occupies')")

    # When it acts next it may come out, at any wall; where it would stand is dotted, and it is shown at one of them.
    until(visitor, "leave_garrison", liked=("leave", "pass", "no", "none", "2"))
    page.wait_for_selector(".question .legal")
    assert page.query_selector("svg.table .within") is None
    there = page.get_attribute(".regiment.held", "style")
    page.keyboard.press("n")
    page.wait_for_function("old => document.querySelector('.regiment.held').getAttribute('style') !== old", arg=there)
    confirm(page)
    page.wait_for_selector(".log p:has-text('leaves')")
