"""A server of one's own and somebody at a browser."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.play import Play
from oriflamme.games import load
from oriflamme.lab.battle import decide
from oriflamme.server import battles
from oriflamme.server.store import Kept, Store

ROOT = Path(__file__).parents[2]
ASKED = "(document.querySelector('.battle')?.dataset.asked ?? '')"
WIDE = {"width": 1400, "height": 860}
# Milliseconds after which something will never be seen. No test asserts a time: a busy machine must not fail it. Who
# repairs a test may wait for less.
PATIENCE = int(os.environ.get("ORIFLAMME_TEST_PATIENCE", "120000"))
# Visitors are many, and all of them come from one address.
MANY = "battles=100000,all_battles=100000,links=100000,all_links=100000,thoughts=100000,requests=10000000"
USUAL = {"COLUMNS": "200", "ORIFLAMME_PATIENCE": str(PATIENCE // 1000), "ORIFLAMME_LIMITS": MANY}


def eventually(page: Any, holds: Callable[[], bool]) -> None:
    """Wait until this holds."""
    end = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < end, "it never came about"
        page.wait_for_timeout(20)


def up_to(game: str, fits: Callable[[Play, Decision], bool], seed: int = 5) -> Play:
    """A battle of captains up to where its question fits. Its dice are known: what begins here goes the same way each
    time, and what begins on the first page, with dice nobody knows, may not."""
    told = load(game)
    play, captain = Play(told, told.setup(seed), seed), told.bots()[told.best_bot](seed=1)
    while not fits(play, decision := play.pending[0]):
        assert play.answer(decision.side, decide(play, decision, captain)) is None
    return play


@cache
def asked_for(game: str, ask: str) -> Play:
    """A battle of captains up to the first question of that name. It is not played on."""
    return up_to(game, lambda _, decision: decision.ask == ask)


class Server:
    """`oriflamme serve` on a port of its own, that can be stopped and started again on the same store."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.environment = environment
        self.port = 0
        self.url = ""
        self.process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", "from oriflamme.cli import main; main()", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--database", f"sqlite:///{self.folder / 'battles.db'}"],
            cwd=self.folder,
            env=os.environ | USUAL | self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://"), self.url
        self.port = int(self.url.rpartition(":")[2])

    def keep(self, play: Play) -> str:
        """Put a battle into the store as it is now, two players at one screen; the link to it. Dice that it was given
        fall on as they were written."""
        made = battles.make(battles.NewBattle(play.game.id, "hotseat"))
        setup = msgspec.json.encode(play.setup)
        record = msgspec.structs.replace(made.record, setup=setup, seed=play.seed, given=play.given)
        steps = zip(play.answers, play.marks, play.marks[1:], strict=False)
        thrown, encode = play.battle.dice.thrown, msgspec.json.Encoder(enc_hook=str).encode
        kept = [
            Kept(n, side, ask, encode(answer), tuple(thrown[dice:now]), b"[]")
            for n, ((side, answer), (_, _, dice), (ask, _, now)) in enumerate(steps, 1)
        ]
        store = Store(f"sqlite:///{self.folder / 'battles.db'}")
        store.add(record, made.seats, kept)
        store.close()
        return f"{self.url}{made.data['seats'][0]['link']}"

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()


class Visitor:
    """Somebody at a browser, who notices everything that goes wrong on the page."""

    def __init__(self, browser: Any, server: Server, **how: Any) -> None:
        self.server = server
        # Waiting for a function is no script of the page's own; `test_pages` opens pages as their policy has them.
        self.context = browser.new_context(**({"viewport": WIDE, "locale": "en", "bypass_csp": True} | how))
        self.page = self.context.new_page()
        # What others do is there at once, unless somebody wants to see it.
        self.page.add_init_script("localStorage['oriflamme.speed'] ??= '0'")
        self.page.set_default_timeout(PATIENCE)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))

    def new_battle(self, game: str, mode: str = "bot", **choices: str) -> Any:
        """Begin a battle from the first page; `choices` are what is picked there, by the names of the fields."""
        page = self.page
        page.goto(self.server.url)
        page.click(f"[data-game={game}]")
        if choices:
            page.click("details summary")
        for name, value in choices.items():
            page.select_option(f"select[name={name}]", value)
        page.click(f"[data-mode={mode}]")
        page.wait_for_selector("svg.table")
        return page

    def sits_down(self, play: Play) -> Any:
        """Take both seats of this battle, as it is now; a secret question is for whoever it is put to."""
        page = self.page
        page.goto(self.server.keep(play))
        page.wait_for_selector("svg.table, .gone button")
        if page.query_selector(".gone button"):
            page.click(".gone button")
        page.wait_for_selector(".question .option, .question .confirm")
        return page

    def asked(self) -> str:
        """The question on the screen: its number would be better, but a player sees the sentence."""
        found = self.page.query_selector(".question")
        return f"{found.get_attribute('data-kind')}/{found.get_attribute('data-ask')}" if found else ""

    def answer(self) -> str:
        """Answer what is asked with what is suggested, by mouse; the kind of question it was, or "" if none was put."""
        page = self.page
        question = page.wait_for_selector(".question, .result")
        if question.query_selector(".options, .confirm") is None:
            return ""
        kind = str(question.get_attribute("data-kind"))
        asked = page.evaluate(ASKED)
        if kind == "pick one":
            page.click(".question .suggest")
            # A busy captain may have no answer in time: then the first will do.
            page.wait_for_function(
                "document.querySelectorAll('.question .option').length === 1 || document.querySelector('.notice')"
            )
            page.click(".question .option")
        else:
            if kind == "place figures":
                page.wait_for_selector(".question .legal, .question .refusal")
                if page.query_selector(".question .legal") is None:
                    self.suggest()
                    page.wait_for_selector(".question .legal")
            else:
                self.suggest()
                if kind == "move figures" and page.is_disabled(".question .confirm"):
                    self.suggest()
            page.click(".question .confirm")
        # Taken, and told: what is on the screen now is the next thing.
        page.wait_for_function(f"old => {ASKED} !== old", arg=asked)
        return kind

    def suggest(self) -> None:
        """Ask the captain, and wait until he has answered."""
        self.page.click(".question .suggest")
        self.page.wait_for_selector(".question .suggest:enabled")

    def until(self, kind: str, most: int = 60) -> None:
        """Play on until a question of this kind is put."""
        for _ in range(most):
            self.page.wait_for_selector(".question")
            if self.asked().startswith(kind):
                return
            self.answer()
        raise AssertionError(f"no question of the kind {kind!r} in {most} answers")
