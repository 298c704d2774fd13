"""axe-core finds nothing to say against any page, light or dark, in either language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from tests.web.visit import ROOT, Server, Visitor, up_to

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.play import Play

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
FOUND = "async () => (await axe.run()).violations.map(v => [v.id, ...v.nodes.map(n => n.html.slice(0, 160))])"


def home(visitor: Visitor) -> None:
    visitor.page.goto(visitor.server.url)
    visitor.page.click("[data-game=aof]")
    visitor.page.click("details summary")
    visitor.page.wait_for_selector("[data-mode=bot]")


def battle(visitor: Visitor, game: str) -> None:
    visitor.new_battle(game)
    visitor.page.wait_for_selector(".question .option, .question .confirm")
    visitor.page.wait_for_selector(".log .rule, .piles, [data-pile]")


def rules(visitor: Visitor) -> None:
    battle(visitor, "sbh")
    visitor.page.keyboard.press("/")
    visitor.page.fill(".rules input", "move")
    visitor.page.wait_for_selector(".rules article")


def invitation(visitor: Visitor) -> None:
    visitor.new_battle("sbh", "invite")
    visitor.page.wait_for_selector(".links input")


def over(visitor: Visitor) -> None:
    made = visitor.page.request.post(
        f"{visitor.server.url}/api/battles",
        data={
            "game": "sbh", "mode": "watch", "bots": ["random", "random"], "pace": 0, "seed": 5,
            "choices": {"turns": "20", "scenario": "battle"},
        },
    ).json()  # fmt: skip
    visitor.page.goto(visitor.server.url + made["spectator"]["link"])
    visitor.page.wait_for_selector(".result .keep, .result a, .result button")


def replay(visitor: Visitor) -> None:
    over(visitor)
    visitor.page.goto(visitor.page.url.replace("/watch/", "/replay/"))
    visitor.page.wait_for_selector(".replay .timeline")


def game_page(visitor: Visitor) -> None:
    visitor.page.goto(f"{visitor.server.url}/game/rn3")
    visitor.page.wait_for_selector("svg.table [data-figure]")


def lobby(visitor: Visitor) -> None:
    url = visitor.server.url
    visitor.page.request.post(f"{url}/api/lobby", data={"name": "Anna", "battle": {"game": "aof", "points": 750}})
    visitor.page.goto(f"{url}/lobby")
    visitor.page.wait_for_selector("li .join")


def lesson(visitor: Visitor) -> None:
    visitor.page.goto(visitor.server.url)
    visitor.page.click("[data-first=aof]")
    visitor.page.wait_for_selector(".lesson")
    visitor.page.wait_for_selector(".question .option, .question .confirm")


def muster(visitor: Visitor, game: str) -> None:
    page = visitor.page
    page.goto(f"{visitor.server.url}/muster")
    page.click(f"[data-game={game}]")
    page.wait_for_selector(".sum [data-cost]")
    page.click(".bring summary")


def campaigns(visitor: Visitor) -> None:
    visitor.page.goto(f"{visitor.server.url}/campaign")
    visitor.page.wait_for_selector("[data-mode=bot]")


def ledger(visitor: Visitor) -> None:
    campaigns(visitor)
    visitor.page.click("[data-mode=bot]")
    visitor.page.wait_for_selector(".ledger .go")


def about(visitor: Visitor) -> None:
    visitor.page.goto(f"{visitor.server.url}/about")
    visitor.page.wait_for_selector("main h1")


# A question of each kind, at a table for two.
ASKED: dict[str, tuple[str, Callable[[Decision], bool]]] = {
    "place figures": ("rn3", lambda one: one.ask == "set_up"),
    "move figures": ("aof", lambda one: one.ask == "move_unit"),
    "march": ("tlaok", lambda one: one.ask == "march"),
    "put in order": ("tlaok", lambda one: one.ask == "order_stack" and len(one.keys()) > 1),  # type: ignore[attr-defined]
    "allocate": ("rn3", lambda one: one.ask == "set_dice_aside"),
    "pick several": ("lfw", lambda one: one.ask == "charge_target"),
}
PLAYS: dict[str, Play] = {}


def question(visitor: Visitor, kind: str) -> None:
    if kind not in PLAYS:
        game, fits = ASKED[kind]
        PLAYS[kind] = up_to(game, lambda _, decision: fits(decision))
    page = visitor.sits_down(PLAYS[kind])
    # The sheet of a unit lies beside it.
    page.click(".forces .name")
    page.wait_for_selector(".forces")


PLACES: dict[str, Callable[[Visitor], None]] = {
    "home": home,
    "battle of regiments": lambda v: battle(v, "aof"),
    "battle of warbands": lambda v: battle(v, "sbh"),
    "battle of companies": lambda v: battle(v, "rn3"),
    "battle of cards": lambda v: battle(v, "tlaok"),
    "battle of single figures": lambda v: battle(v, "lfw"),
    **{kind: partial(question, kind=kind) for kind in ASKED},
    "rules": rules,
    "invitation": invitation,
    "end of a battle": over,
    "replay": replay,
    "muster": lambda v: muster(v, "aof"),
    "muster of a warband": lambda v: muster(v, "sbh"),
    "campaigns": campaigns,
    "ledger": ledger,
    "about": about,
    "game": game_page,
    "first battle": lesson,
    "lobby": lobby,
}


@pytest.fixture(params=[("light", "en"), ("dark", "fr")], ids="-".join)
def reader(request: pytest.FixtureRequest, browser: Any, server: Server) -> Iterator[Visitor]:
    shade, lang = request.param
    somebody = Visitor(browser, server, color_scheme=shade, locale=lang, reduced_motion="reduce")
    yield somebody
    somebody.context.close()
    assert not somebody.wrong


@pytest.mark.parametrize("place", PLACES)
def test_nothing_stands_in_the_way_of_a_screen_reader(reader: Visitor, place: str) -> None:
    PLACES[place](reader)
    reader.page.evaluate(AXE.read_text(encoding="utf-8"))

    assert reader.page.evaluate(FOUND) == []
