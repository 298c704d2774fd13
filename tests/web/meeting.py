"""Two small companies that meet on an open field, their dice written down, and somebody who plays them by hand."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.web.visit import ASKED, Visitor, eventually

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.play import Play
from oriflamme.engine.geometry.measure import cm, in_cm
from oriflamme.engine.table.maps import map_from_data
from oriflamme.games import load
from oriflamme.games.rn3.army.rosters import Card, Combat, Company, ListedUnit

Spots = Sequence[tuple[float, float]]
# A unit, its formation and where its models stand, in centimetres.
Posted = tuple[ListedUnit, str, Spots]
# The authority rolls of the deployment and of the first turn, the first side's die first.
FIRST_BEGINS, SECOND_BEGINS = (5, 2, 5, 2), (5, 2, 2, 5)


def unit(id: str, count: int, **card: Any) -> ListedUnit:
    """Ordinary fighters, but for what is said: 5 in everything, one die."""
    name = {"en": id.capitalize(), "fr": id.capitalize()}
    return ListedUnit(id, Card(id, name, **({"cou": 5} | card)), count, name=name, cost=100)


def shot(dice: int, att: int, force: int, *, area: bool = False) -> Combat:
    return Combat(dice, att, force, area)


def met(
    one: Sequence[Posted],
    two: Sequence[Posted],
    dice: Sequence[int],
    pieces: Sequence[Mapping[str, Any]] = (),
    **options: str,
) -> Play:
    """A battle in which both companies have been set up, at the first question of its first turn."""
    game = load("rn3")
    field = {"name": {"en": "Field", "fr": "Champ"}, "size": [180, 120], "measure": "cm", "piece": list(pieces)}
    setup = {
        "game": "rn3",
        "points": 1500,
        "options": game.defaults() | {f"rn3.{key}": value for key, value in options.items()},
        "scenario": "pitched_battle",
        "map": map_from_data(field, "field").to_data(),
        "armies": [
            Company({"en": name, "fr": name}, 1500, tuple(listed for listed, _, _ in army)).to_data()
            for name, army in (("Ours", one), ("Theirs", two))
        ],
    }
    places = {listed.id: (formation, spots) for listed, formation, spots in (*one, *two)}
    play = Play(game, setup, 1, given=dice)
    while play.pending[0].ask != "choose_first_turn":
        decision = play.pending[0]
        answer = _set_up(decision, places)
        assert play.answer(decision.side, answer) is None, (decision.ask, answer)
    return play


def _set_up(decision: Decision, places: Mapping[str, tuple[str, Spots]]) -> Any:
    formation, spots = places.get(decision.about.get("unit", ""), ("", ()))
    if decision.ask == "place_card":
        return {"card": _mm(spots[0])}
    if decision.ask == "choose_formation":
        return formation
    if decision.ask == "set_up":
        unit = decision.about["unit"]
        return {f"{unit}.{n}": _mm(spot) for n, spot in enumerate(spots, 1)}
    return decision.suggestion()


def _mm(spot: tuple[float, float]) -> tuple[float, float]:
    return cm(spot[0]), cm(spot[1])


def put_back(page: Any) -> None:
    """What is laid, as a captain would, may be given as it is; here everything is put back first."""
    page.wait_for_selector(".question .laid")
    page.wait_for_selector(".question li[data-slot]")
    for slot in page.query_selector_all(".question li[data-slot]"):
        for _ in range(int(slot.query_selector("output").inner_text())):
            slot.query_selector("button").click()


class Hands:
    """Somebody who plays both sides at one screen with mouse and keys."""

    def __init__(self, visitor: Visitor, play: Play) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.page.goto(visitor.server.keep(play))
        self.page.wait_for_selector("svg.table .figure")
        self.sheet = self._sheet(play)

    def _sheet(self, play: Play) -> tuple[tuple[float, float], float]:
        """Where the corner of the table is drawn, and how long a centimetre is: from two figures that stand apart."""
        drawn = self.page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll('svg.table .figure[data-figure]')].map((one) =>
                [one.dataset.figure, one.style.transform.match(/[-.\\d]+/g).map(Number)]))"""
        )
        spots = {f.id: (in_cm(f.x), in_cm(f.y)) for u in play.battle.units.values() for f in u.figures}
        low, high = min(drawn, key=lambda id: spots[id][1]), max(drawn, key=lambda id: spots[id][1])
        scale = (drawn[low][1] - drawn[high][1]) / (spots[high][1] - spots[low][1])
        return (drawn[low][0] - scale * spots[low][0], drawn[low][1] + scale * spots[low][1]), scale

    def asked(self) -> str:
        """What is asked now; whoever it is for looks at the screen."""
        self.page.wait_for_selector(".question .option, .question .confirm, .gone .primary")
        if self.page.query_selector(".gone .primary"):
            self.page.click(".gone .primary")
            self.page.wait_for_selector(".question .option, .question .confirm")
        return str(self.page.get_attribute(".question", "data-ask"))

    def come_to(self, ask: str, most: int = 12) -> None:
        """Let what is asked before that pass: no tactic, no change, the first that is proposed."""
        for _ in range(most):
            asked = self.asked()
            if asked == ask:
                return
            assert asked in PASSED, f"{asked} is asked before {ask}"
            self.pick(PASSED[asked])
        raise AssertionError(f"{ask} is never asked")

    def come_to_next(self, *asks: str) -> None:
        """One of these is asked, sooner or later."""
        eventually(self.page, lambda: self.asked() in asks)

    def pick(self, key: str) -> None:
        self._given(lambda: self.page.click(f".question .option[data-key='{key}']"))

    def click_unit(self, unit: str) -> None:
        """On the table, as the question asks for one."""
        self._given(lambda: self.page.click(f"svg.table .figure.lit[data-unit='{unit}'] >> nth=0", force=True))

    def set_aside(self, **dice: int) -> None:
        """Melee dice with the buttons of the question: `attack=3`, `defence=1`."""
        self.slots()
        for use, number in dice.items():
            for _ in range(number):
                self.page.click(f".question [data-slot^='{use} '] button >> nth=-1")
        self.confirm()

    def choose_several(self, *keys: str) -> None:
        """These and no others: some are ticked already, as a captain would."""
        if keys:
            self.page.wait_for_selector(".question .laid")
        for ticked in (True, False):
            there = f".question .option[aria-pressed={str(ticked).lower()}]"
            found = self.page.eval_on_selector_all(there, "all => all.map((one) => one.dataset.key)")
            for key in found:
                if (key in keys) != ticked:
                    self.page.click(f".question .option[data-key='{key}']")
        self.confirm()

    def as_proposed(self) -> None:
        """Figures go where it is proposed."""
        self.visitor.suggest()
        self.page.wait_for_selector(".question .legal")
        self.confirm()

    def stay(self) -> None:
        """Nobody moves: who has been moved already, as a captain would, goes back."""
        self.page.wait_for_selector(".question .legal")
        self.page.keyboard.press("Escape")
        self.confirm()

    def confirm(self) -> None:
        self.page.wait_for_selector(".question .confirm:enabled")
        self._given(lambda: self.page.click(".question .confirm"))

    def drag(self, figure: str, x: float, y: float) -> None:
        """A figure to a spot in centimetres."""
        spot = f"svg.table [data-figure='{figure}']"
        box = self.page.wait_for_selector(spot).bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(*self.on_screen(x, y), steps=6)
        self.page.mouse.up()

    def on_screen(self, x: float, y: float) -> tuple[float, float]:
        """Where a spot of the table, in centimetres, is on the screen."""
        (left, bottom), scale = self.sheet
        found = self.page.evaluate(
            """([x, y]) => {
                const layer = document.querySelector('svg.table .figure').parentNode
                const at = new DOMPoint(x, y).matrixTransform(layer.getScreenCTM())
                return [at.x, at.y]
            }""",
            [left + scale * x, bottom - scale * y],
        )
        return found[0], found[1]

    def slots(self) -> dict[str, str]:
        """What dice may be set aside for: how many are, of how many. What is laid already is put back first."""
        assert self.asked() == "set_dice_aside"
        put_back(self.page)
        rows = self.page.query_selector_all(".question [data-slot]")
        words = {str(row.get_attribute("data-slot")).partition(" ")[0]: row.inner_text() for row in rows}
        return {use: "/".join(re.findall(r"(\d+)\s*/\s*(\d+)", text)[0]) for use, text in words.items()}

    def badges(self, unit: str) -> set[str]:
        """States on its plate."""
        found = self.page.query_selector_all(f"svg.table .plate[data-plate='{unit}'] .badge")
        return {name for one in found for name in str(one.get_attribute("class")).split()}

    def picture(self, name: str, at: tuple[float, float] | None = None) -> None:
        """A picture of the page, for who wants to look, nearer to a spot if one is given: ORIFLAMME_PICTURES says where
        it is kept."""
        folder = os.environ.get("ORIFLAMME_PICTURES")
        if not folder:
            return
        # Dice have fallen, and figures stand where they go.
        self.page.wait_for_timeout(900)
        if at is not None:
            self.page.mouse.move(*self.on_screen(*at))
            self.page.mouse.wheel(0, -700)
            self.page.wait_for_timeout(600)
        self.page.screenshot(path=str(Path(folder, f"{name}.png")))
        if at is not None:
            self.page.mouse.wheel(0, 1400)
            self.page.wait_for_timeout(600)

    def watch_motion(self) -> None:
        """From now on it is written down along which ways figures glide."""
        self.page.evaluate(
            """() => {
                window.glided = {}
                const animate = Element.prototype.animate
                Element.prototype.animate = function (frames, how) {
                    const figure = this.dataset.figure
                    const at = Array.from(frames).flatMap((one) => {
                        const found = /translate\\(([-.\\d]+)px, ([-.\\d]+)px\\)/.exec(one.transform ?? '')
                        return found ? [[Number(found[1]), Number(found[2])]] : []
                    })
                    if (figure && at.length) window.glided[figure] = at
                    return animate.call(this, frames, how)
                }
            }"""
        )

    def ways(self) -> dict[str, list[tuple[float, float]]]:
        """Along which ways figures have glided, in centimetres."""
        (left, bottom), scale = self.sheet
        glided = self.page.evaluate("window.glided")
        return {figure: [((x - left) / scale, (bottom - y) / scale) for x, y in way] for figure, way in glided.items()}

    def log(self) -> str:
        return str(self.page.inner_text(".log"))

    def see(self, sentence: str) -> None:
        """It stands in the log."""
        eventually(self.page, lambda: sentence in self.log())

    def standing(self, unit: str) -> int:
        return len(self.page.query_selector_all(f"svg.table .figure[data-unit='{unit}']"))

    def pool(self, unit: str) -> str:
        """Its melee dice, as its plate on the table says."""
        title = self.page.query_selector(f"svg.table .plate[data-plate='{unit}'] .pool.dice title")
        return str(title.text_content()) if title else ""

    def _given(self, give: Any) -> None:
        asked = self.page.evaluate(ASKED)
        give()
        self.page.wait_for_function(f"old => {ASKED} !== old", arg=asked)


# What is let pass where a test does not care.
PASSED: Mapping[str, str] = {
    "buy_tactic": "none",
    "change_formation": "keep",
    "push_authority": "no",
    "dead_dice": "1",
}
