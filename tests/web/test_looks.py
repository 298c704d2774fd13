"""What a person sees and reads on the pages: figures, dice, house rules, credits."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

import pytest
from tests.web.visit import ROOT, Server, Visitor, asked_for


def _in_french(browser: Any, server: Server) -> Visitor:
    return Visitor(browser, server, locale="fr")


@pytest.mark.parametrize("game", ["aof", "sbh", "tlaok"])
def test_figures_wear_an_icon_and_say_what_they_are(visitor: Visitor, game: str) -> None:
    page = visitor.new_battle(game, "watch")
    # Some come onto the table one after the other.
    page.wait_for_function(
        """() => new Set([...document.querySelectorAll('svg.table .figure use[href^="#of-look-"]')].map(
            (icon) => icon.getAttribute('href'))).size > 1""",
    )

    figures = page.evaluate(
        """() => [...document.querySelectorAll('svg.table .figure')].map((figure) => {
            const used = figure.querySelector('use[href^="#of-look-"]')
            const icon = used && document.querySelector(used.getAttribute('href'))
            const look = used?.getAttribute('href').slice(9)
            return { label: figure.getAttribute('aria-label'), look, drawn: !!icon?.querySelector('path') }
        })"""
    )
    assert figures
    for figure in figures:
        assert figure["drawn"], figure
        # "a1 Shard Champion, hero": the look in words is part of the name.
        assert figure["look"] in figure["label"], figure


def test_icons_are_in_the_page_once_however_many_figures_there_are(visitor: Visitor) -> None:
    page = visitor.new_battle("aof", "watch")
    page.wait_for_selector("svg.table .figure")

    symbols, paths = page.evaluate(
        """() => [document.querySelectorAll('symbol[id^="of-look-"]').length,
                  document.querySelectorAll('svg.table .figure symbol, svg.table .figure path[d]').length]"""
    )
    figures = len(page.query_selector_all("svg.table .figure"))
    assert symbols > 15
    # A figure refers to its icon; a hero's star is all that is drawn anew.
    assert paths < figures


def test_a_look_nobody_has_drawn_shows_a_letter(visitor: Visitor) -> None:
    """As the first letter and the number of the unit, on a plain disc."""
    page = visitor.page
    page.route_web_socket(
        re.compile(r"/ws/"),
        lambda ws: _relay(ws, ws.connect_to_server(), lambda text: re.sub(r'"look":"\w+"', '"look":"umbrella"', text)),
    )
    visitor.new_battle("sbh", "watch")
    page.wait_for_selector("svg.table .figure")

    figure = page.query_selector("svg.table .figure")
    assert figure.query_selector("use[href^='#of-look-']") is None
    assert re.fullmatch(r"\w\d+", figure.query_selector("text").text_content())


def _relay(page: Any, server: Any, change: Any) -> None:
    page.on_message(server.send)
    server.on_message(lambda text: page.send(change(text)))


def test_about_credits_every_icon_that_is_used(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.server.url)
    page.click("nav a[href='/about']")
    page.wait_for_selector(".author li")

    picked = dict(
        re.findall(r"^  \w+: \['([\w-]+)', '([^']+)'\]", (ROOT / "web/src/drawing/picked.ts").read_text(), re.M)
    )
    assert len(picked) > 15
    for author in set(picked.values()):
        named = page.inner_text(f"section[aria-label$='{author}']").split()
        assert {icon for icon, by in picked.items() if by == author} <= set(named)
    assert page.query_selector("a[href='https://creativecommons.org/licenses/by/3.0/']")
    assert "Open Font License" in page.inner_text("main")
    page.wait_for_selector(".games >> text=Age of Fantasy")


def test_the_seed_is_checked_on_the_page(visitor: Visitor) -> None:
    page = visitor.new_battle("aof", "watch")
    link = page.url
    page.goto(f"{visitor.server.url}/about")

    page.fill("[name=battle]", "nothing-of-the-kind")
    page.click("form button")
    page.wait_for_selector(".verdict.noBattle")
    page.fill("[name=battle]", link)
    page.click("form button")
    page.wait_for_selector(".verdict.notOver")

    # A battle that is over, with its true seed and with another.
    told = {"seed_hash": sha256(b"ab:7").hexdigest(), "over": True, "seed": "7", "salt": "ab"}
    page.route("**/api/battles/done", lambda route: route.fulfill(json=told))
    page.fill("[name=battle]", "done")
    page.click("form button")
    page.wait_for_selector(".verdict.good")
    told["seed"] = "8"
    page.click("form button")
    page.wait_for_selector(".verdict.bad")


@pytest.mark.parametrize("game", ["aof", "sbh", "tlaok"])
def test_house_rules_in_french(browser: Any, server: Server, game: str) -> None:
    somebody = _in_french(browser, server)
    page = somebody.page
    page.goto(server.url)
    page.click(f"[data-game={game}]")
    page.click(".agreed summary")

    told = page.evaluate("fetch('/api/games').then((r) => r.json())")
    known = next(one for one in told["games"] if one["id"] == game)
    labels = page.eval_on_selector_all(".agreed label", "all => all.map((one) => one.innerText)")
    assert len(labels) == len(known["options"])
    for option in known["options"]:
        words = known["words"]["options"][option["key"]]
        shown = page.inner_text(f"label:has([name='{option['key']}'])")
        assert words["title"]["fr"] in shown
        assert words["title"]["fr"] != words["title"]["en"]
        # No key is ever shown for what has a name.
        short = option["key"].split(".")[1]
        assert not re.search(rf"\b{short}\b", shown)

    # What is changed is counted, and sent by its key.
    option = known["options"][0]
    page.select_option(f"[name='{option['key']}']", option["values"][1])
    assert "1 changement" in page.inner_text(".agreed summary")
    with page.expect_request("**/api/battles") as sent:
        page.click("[data-mode=watch]")
    assert sent.value.post_data_json["options"] == {option["key"]: option["values"][1]}
    page.wait_for_selector("svg.table")
    somebody.context.close()
    assert not somebody.wrong


def test_a_map_is_shown_before_it_is_played_and_only_one_that_fits_is_offered(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.server.url)
    page.click("[data-game=aof]")
    page.select_option("[name=map]", "ford")
    picture = page.wait_for_selector(".picture svg .piece")
    assert picture is not None
    assert "Ford" in page.get_attribute(".picture svg", "aria-label")

    page.click("[data-game=sbh]")
    assert page.query_selector(".picture") is None
    assert page.query_selector("[name=map] option[value='*']") is None
    page.click(".agreed summary")
    page.select_option("[name=scale]", "28mm")
    page.wait_for_selector("[name=map] option[value='*']", state="attached")
    assert page.query_selector("[name=map] option[value='brook']") is None
    page.select_option("[name=map]", "*")
    page.wait_for_selector(".picture svg .piece")
    with page.expect_response("**/api/battles") as made:
        page.click("[data-mode=watch]")
    assert made.value.status == 201


def test_a_seed_that_is_none_is_said_so_where_it_stands(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.server.url)
    page.fill("[name=seed]", "seven")
    assert "whole number" in page.inner_text("#seed-note")
    assert page.is_disabled("[data-mode=bot]")
    page.fill("[name=seed]", "7")
    assert not page.is_disabled("[data-mode=bot]")


def test_earlier_battles_say_how_they_stand(visitor: Visitor) -> None:
    page = visitor.new_battle("aof")
    visitor.until("pick one")
    page.goto(visitor.server.url)
    line = page.wait_for_selector(".earlier li:has-text('Age of Fantasy')")
    assert re.search(r"setting up|round \d", line.inner_text())
    page.click(".earlier .open.go")
    page.wait_for_selector("svg.table")

    # One that is over is opened to be looked at again.
    kept = page.url.rpartition("/")[2].partition("?")[0]
    told = {"game": "aof", "armies": [{"en": "Red Hot"}, {"en": "Slow Fire"}], "players": [], "round": 4, "over": True}
    result = {"winner": 1, "words": {"en": "Slow Fire has won", "fr": "Slow Fire a gagné"}}
    page.route(
        f"**/api/battles/{kept}",
        lambda route: route.fulfill(json=told | {"waiting": [], "result": result}),
    )
    page.goto(visitor.server.url)
    line = page.wait_for_selector(".earlier li:has-text('Slow Fire has won')")
    assert line.query_selector("a.open").get_attribute("href").startswith(f"/replay/{kept}?seat=")


def _lines(*dice: Any) -> str:
    """Lines of a log with these dice."""
    return ",".join(
        f'{{"n":0,"event":{{}},"rule":"AOF-HIT-01","words":[{{"text":"Dice"}}],"dice":{one}}}' for one in dice
    )


def test_dice_lie_by_what_reached_the_number_needed(visitor: Visitor) -> None:
    page = visitor.page
    logged = _lines(
        '[{"faces":[2,6,4,1,5],"needed":4,"good":3}]',
        '[{"faces":[1,1],"needed":5,"good":0}]',
        '[{"faces":[5],"total":9,"good":1,"side":0},{"faces":[2],"total":6,"good":0,"side":1}]',
        '[{"faces":[3]}]',
    )
    page.route_web_socket(
        re.compile(r"/ws/"),
        lambda ws: _relay(
            ws,
            ws.connect_to_server(),
            lambda text: (
                re.sub(r'"from":0,"log":\[.*\]', lambda _: f'"from":0,"log":[{logged}]', text)
                if '"type":"hello"' in text
                else "{}"
            ),
        ),
    )
    visitor.new_battle("aof", "watch")
    page.wait_for_selector(".log .dice")

    shown = page.evaluate(
        """() => [...document.querySelectorAll('.log .dice')].map((dice) => ({
            label: dice.getAttribute('aria-label'),
            groups: [...dice.querySelectorAll('.group')].map((group) => [
                group.className.match(/good|bad|plain/)[0],
                group.querySelector('small')?.textContent ?? '',
                [...group.querySelectorAll('use')].map((die) => Number(die.getAttribute('href').slice(-1))),
            ]),
        }))"""
    )
    assert [one["groups"] for one in shown] == [
        [["good", "4+", [6, 5, 4]], ["bad", "✕", [2, 1]]],
        [["bad", "5+ ✕", [1, 1]]],
        [["good", "= 9", [5]], ["bad", "= 6", [2]]],
        [["plain", "", [3]]],
    ]
    assert shown[0]["label"] == "4 or more needed: reached by 6, 5, 4; missed by 2, 1"
    assert shown[2]["label"] == "5, 9 in all, wins against 2, 6 in all"


def test_dice_of_both_games_say_what_they_needed(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("sbh", "choose_action"))
    page.wait_for_selector(".log .dice .group small", state="attached")
    assert re.search(r"\d\+", page.inner_text(".log .dice .group:has(small) small"))


def test_motion_can_be_turned_off(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.server.url)
    assert page.get_attribute("html", "data-motion") == "on"
    troop = ".strip .troop"
    assert page.eval_on_selector(troop, "one => getComputedStyle(one).transitionDuration") != "0s"
    page.click("nav .motion")
    assert page.get_attribute("html", "data-motion") == "off"
    assert page.eval_on_selector(troop, "one => getComputedStyle(one).transitionDuration") == "0s"
    page.reload()
    page.wait_for_selector("[data-game]")
    assert page.get_attribute("html", "data-motion") == "off"


def test_who_wants_less_motion_need_not_ask_twice(browser: Any, server: Server) -> None:
    somebody = Visitor(browser, server, reduced_motion="reduce")
    somebody.page.goto(server.url)
    somebody.page.wait_for_selector("[data-game]")
    assert somebody.page.get_attribute("html", "data-motion") == "off"
    somebody.context.close()


def test_terrain_being_laid_is_drawn_as_what_it_is(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.server.url)
    page.click("[data-game=sbh]")
    page.click(".agreed summary")
    page.select_option("[name=scenario]", "battle")
    page.click("[data-mode=hotseat]")
    visitor.until("place figures/place_terrain")
    held = page.wait_for_selector(".figure.held")

    assert held.get_attribute("aria-label") in ("Forest", "Hill", "Field", "Rocks", "Swamp", "Wall", "Hedge", "Ruin")
    assert held.query_selector("path[d*='L']")
    # A piece of terrain is larger than a flag.
    assert held.bounding_box()["width"] > 60


def test_the_legend_says_what_terrain_does(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.server.url)
    page.click("[data-game=aof]")
    page.select_option("[name=map]", "ford")
    page.click("[data-mode=watch]")
    page.wait_for_selector("svg.table")
    page.click(".legend > summary")
    page.wait_for_selector(".legend[open] >> text=Forest")

    legend = page.inner_text(".legend")
    assert re.search(r"Forest\s+cover, difficult", legend)
    assert "Bridge" in legend
    assert "double rim" in legend


@pytest.mark.parametrize(("game", "number"), [("aof", "Défense"), ("sbh", "Combat")])
def test_a_units_sheet_speaks_the_language_of_the_page(browser: Any, server: Server, game: str, number: str) -> None:
    somebody = _in_french(browser, server)
    page = somebody.new_battle(game, "watch")
    page.click(".forces li .name")
    page.wait_for_selector(".unit .numbers b")

    assert re.search(r"Qualité \d\+", page.inner_text(".unit .numbers"))
    assert re.search(rf"{number} \d", page.inner_text(".unit .numbers"))
    assert not re.search(r"Hero\b|Tough|Fearless|Leader|Shooter", page.inner_text(".unit"))
    somebody.context.close()
    assert not somebody.wrong


def test_somebody_who_knows_no_game_is_told_what_each_is_like_and_with_which_to_begin(
    browser: Any, server: Server
) -> None:
    for lang in ("en", "fr"):
        somebody = Visitor(browser, server, locale=lang)
        page = somebody.page
        page.goto(server.url)
        page.wait_for_selector(".welcome")
        told = {one["id"]: one for one in page.evaluate("fetch('/api/games').then((r) => r.json())")["games"]}
        shown = page.eval_on_selector_all("[data-game]", "all => all.map((one) => one.dataset.game)")
        first = min(told.values(), key=lambda one: one["learning"])
        assert shown == sorted(told, key=lambda id: told[id]["learning"])
        assert page.locator("[data-game]:has(em)").get_attribute("data-game") == first["id"]
        assert first["title"][lang] in page.inner_text(".welcome")
        for id, game in told.items():
            page.click(f"[data-game={id}]")
            page.locator(".like").get_by_text(game["words"]["like"][lang], exact=True).wait_for()
            shortest, longest = game["minutes"]
            assert re.search(rf"\b{shortest} \w+ {longest} min", page.inner_text(f"[data-game={id}]"))
        # Who has played is not welcomed as if he had not.
        page.click(".welcome button")
        page.click("[data-mode=bot]")
        page.wait_for_selector("svg.table")
        page.goto(server.url)
        page.wait_for_selector(".earlier")
        page.wait_for_selector("[data-game]")
        assert page.query_selector(".welcome") is None
        somebody.context.close()
        assert not somebody.wrong
