"""Armies mustered by mouse: picked, checked, mended, printed, shared, played."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.aof.test_roster_files import ROSTER
from tests.aof.test_roster_files import packed as zipped
from tests.web.visit import ROOT, Server, Visitor, eventually

FORGE = ROOT / "tests" / "aof" / "fixtures" / "army_forge_new.json"


def muster(visitor: Visitor, game: str = "aof") -> Any:
    page = visitor.page
    page.goto(f"{visitor.server.url}/muster")
    page.click(f"[data-game={game}]")
    page.wait_for_selector(".sum [data-cost]")
    return page


def cost(page: Any) -> int:
    return int(page.inner_text("[data-cost]"))


def settled(page: Any, text: str) -> None:
    """Wait until the summary says so."""
    page.locator(".sum", has_text=text).wait_for()


def kept(page: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(page.evaluate("localStorage.getItem('oriflamme.lists')") or "[]")
    return found


def test_a_list_is_built_by_mouse_a_problem_is_seen_and_mended(visitor: Visitor) -> None:
    page = muster(visitor)
    page.select_option("select[name=faction]", "kiln_clans")
    page.fill("input[name=name]", "Kiln and Co")
    page.fill("input[name=points]", "750")
    for unit in ("shard_champion", "stokers", "stokers", "stokers"):
        page.click(f"[data-unit={unit}] .add")

    settled(page, "AOF-ARMY-08")
    assert "3 of Stokers; 750 points allow 2" in page.inner_text(".sum")
    assert page.is_disabled(".sum [data-mode=bot]")
    page.click(".sum .problem .rule:has-text('AOF-ARMY-08')")
    page.locator("aside.rules", has_text="AOF-ARMY-08").wait_for()
    page.keyboard.press("Escape")

    page.click(".agreed summary")
    page.select_option("[data-agree='aof.armyLimits']", "off")
    settled(page, "Legal at 750 points")
    page.select_option("[data-agree='aof.armyLimits']", "on")
    settled(page, "AOF-ARMY-08")
    page.click("[data-entry='4'] [data-out]")
    settled(page, "Legal at 750 points")
    before = cost(page)
    page.check("[data-entry='2'] [data-option=red_irons]")
    page.wait_for_function(f"document.querySelector('[data-cost]').innerText > '{before}'")
    page.select_option("[data-entry='1'] [data-joins]", "2")
    page.locator("[data-entry='2']", has_text="with Shard Champion").wait_for()
    page.check("[data-entry='3'] [data-combine]")
    page.locator("[data-entry='3'] h3", has_text="× 20").wait_for()
    page.keyboard.press("Control+z")
    page.locator("[data-entry='3'] h3", has_text="× 10").wait_for()

    assert kept(page)[0]["name"] == "Kiln and Co"
    page.reload()
    page.wait_for_selector("[data-entry='3']")
    assert page.is_checked("[data-entry='2'] [data-option=red_irons]")


def test_entries_are_doubled_moved_and_taken_out_and_heroes_stay_with_their_unit(visitor: Visitor) -> None:
    page = muster(visitor)
    page.select_option("select[name=faction]", "kiln_clans")
    page.fill("input[name=points]", "2000")
    for unit in ("shard_champion", "clay_bearers", "stokers"):
        page.click(f"[data-unit={unit}] .add")
    page.select_option("[data-entry='1'] [data-joins]", "3")
    page.locator("[data-entry='3']", has_text="with Shard Champion").wait_for()

    page.click("[data-entry='3'] [aria-label^='Up']")
    page.locator("[data-entry='2']", has_text="with Shard Champion").wait_for()
    page.click("[data-entry='2'] [data-double]")
    page.wait_for_selector("[data-entry='4']")
    page.click("[data-entry='4'] [data-out]")
    page.wait_for_selector("[data-entry='4']", state="detached")

    assert page.input_value("[data-entry='1'] [data-joins]") == "2"
    assert [page.inner_text(f"[data-entry='{n}'] h3")[:10] for n in (2, 3)] == ["2. Stokers", "3. Stokers"]


def test_the_sheet_has_the_text_of_every_rule_and_nothing_else(visitor: Visitor) -> None:
    page = muster(visitor)
    page.select_option("select[name=ready]", "kiln_clans_750_red_hot")
    page.wait_for_selector("[data-entry='5']")
    settled(page, "Legal at 750")

    page.emulate_media(media="print")
    printed = page.inner_text("body")
    assert "The model is destroyed only after X wounds." in printed
    assert "Stokers × 10" in printed
    assert "To pick from" not in printed
    assert "Play this list" not in printed
    assert page.pdf(format="A4").startswith(b"%PDF")

    page.emulate_media(media="screen")
    page.click("text=Français")
    page.click("[data-do=sheet]")
    paper = page.inner_text(".paper")
    assert "La figurine n'est détruite qu'après X blessures." in paper
    assert "Enfourneurs × 10" in paper


def test_a_link_holds_the_whole_list_for_another_browser(visitor: Visitor, browser: Any, server: Server) -> None:
    page = muster(visitor)
    page.select_option("select[name=ready]", "kiln_clans_750_red_hot")
    settled(page, "Legal at 750")
    total = cost(page)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')) }")
    page.click("[data-do=link]")
    link = page.inner_text("[data-text]")

    friend = Visitor(browser, server, locale="fr")
    try:
        friend.page.goto(link.strip())
        settled(friend.page, "Valable à 750 points")
        assert cost(friend.page) == total
        assert friend.page.input_value("input[name=name]") == "Red Hot"
        assert "#" not in friend.page.url

        friend.page.goto(link.strip()[:-40])
        friend.page.locator(".problem", has_text="Redemandez-le").wait_for()
        assert not friend.wrong
    finally:
        friend.context.close()


def test_files_go_out_and_come_back(visitor: Visitor, tmp_path: Path) -> None:
    page = muster(visitor, "sbh")
    page.select_option("select[name=ready]", index=2)
    settled(page, "Legal at 300")
    total, name = cost(page), page.input_value("input[name=name]")
    for format in ("toml", "json"):
        with page.expect_download() as download:
            page.click(f"[data-do={format}]")
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        page.click("[data-do=fresh]")
        page.wait_for_selector("[data-entry]", state="detached")

        if not page.locator(".bring").get_attribute("open"):
            page.evaluate("document.querySelector('.bring').open = true")
        page.set_input_files(".bring input[type=file]", file)
        settled(page, "Legal at 300")
        assert (cost(page), page.input_value("input[name=name]")) == (total, name)

    page.click("[data-do=text]")
    assert f"{total} / 300 points" in page.inner_text("[data-text]")


def test_an_army_forge_list_is_pasted_with_notes_and_nonsense_is_refused(visitor: Visitor) -> None:
    page = muster(visitor)
    page.click(".bring summary")
    page.fill("textarea[name=paste]", "certainly not a list")
    page.click("[data-do=read]")
    page.locator(".problem", has_text="not TOML").wait_for()

    page.fill("textarea[name=paste]", FORGE.read_text(encoding="utf-8"))
    page.click("[data-do=read]")
    page.locator(".notes", has_text="Salt Oath").wait_for()
    settled(page, "Legal at 1000")
    assert page.input_value("input[name=name]") == "Rats of the Salt Road"
    assert page.locator(".problem").count() == 0


def test_a_unit_of_ones_own_is_priced_live_and_put_into_the_list(visitor: Visitor) -> None:
    page = muster(visitor)
    page.click("[data-make]")
    page.fill(".custom [data-field=name] >> nth=0", "Gate Wardens")
    page.wait_for_selector("[data-price]")
    plain = page.inner_text("[data-price]")
    page.select_option("[data-rules=keywords] >> nth=0", "Tough")
    page.fill(".chip input", "3")
    page.wait_for_function(f"document.querySelector('[data-price]').innerText !== {json.dumps(plain)}")
    page.locator(".custom", has_text="Tough (3)").wait_for()
    price = int(re.sub(r"\D", "", page.inner_text("[data-price]")))
    page.click("[data-put]")

    page.locator("[data-entry='1']", has_text="Gate Wardens").wait_for()
    page.wait_for_function(f"document.querySelector('[data-cost]').innerText === '{price}'")
    page.reload()
    page.locator("[data-entry='1']", has_text="Tough (3)").wait_for()


def test_a_fighter_of_ones_own_joins_a_band_that_keeps_to_its_limits(visitor: Visitor) -> None:
    page = muster(visitor, "sbh")
    page.select_option("select[name=race]", "humans")
    page.click("[data-unit=human-warrior] .add")
    page.click("[data-unit=human-warrior] .add")
    page.locator("[data-entry='1'] .count b", has_text="2").wait_for()
    page.click("[data-make]")
    page.fill(".custom [data-field=name]", "Ysil")
    page.select_option("[data-rules=rules]", "leader")
    page.select_option("[data-rules=rules]", "hero")
    page.wait_for_selector("[data-price]")
    page.click("[data-put]")
    page.locator("[data-entry='2']", has_text="Ysil").wait_for()
    page.fill("input[name=points]", "150")
    page.press("input[name=points]", "Enter")

    settled(page, "SBH-BAND-04")


def test_the_page_speaks_french_and_fits_a_phone(browser: Any, server: Server) -> None:
    somebody = Visitor(browser, server, viewport={"width": 390, "height": 800}, locale="fr", color_scheme="dark")
    try:
        page = muster(somebody)
        page.select_option("select[name=ready]", "kiln_clans_750_red_hot")
        page.wait_for_selector("[data-entry='5']")
        page.click("[data-entry='3'] [data-double]")
        page.click("[data-entry='3'] [data-double]")
        settled(page, "Enfourneurs ; 750 points en permettent 2")

        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert "Lent" in page.inner_text("[data-entry='1']")
        assert "problèmes" in page.inner_text(".bar")
        unnamed = page.evaluate("""
            [...document.querySelectorAll('button, input, select, textarea')]
              .filter((e) => !e.textContent.trim() && !e.getAttribute('aria-label') && !e.labels?.length && !e.title)
              .map((e) => e.outerHTML)
        """)
        assert unnamed == []
        assert not somebody.wrong
    finally:
        somebody.context.close()


def test_a_kept_list_is_copied_deleted_and_played(visitor: Visitor) -> None:
    page = muster(visitor)
    page.select_option("select[name=ready]", "kiln_clans_750_red_hot")
    settled(page, "Legal at 750")
    page.click(".kept [aria-label='Copy: Red Hot']")
    page.locator(".kept", has_text="Copy of Red Hot").wait_for()
    page.click(".kept [aria-label='Delete: Copy of Red Hot']")
    page.wait_for_selector(".kept [aria-label='Copy: Copy of Red Hot']", state="detached")
    assert [one["name"] for one in kept(page)] == ["Red Hot"]
    page.click("text=Put it back")
    page.locator(".kept", has_text="Copy of Red Hot").wait_for()
    page.click(".kept [aria-label='Delete: Copy of Red Hot']")

    page.goto(visitor.server.url)
    page.click("[data-game=aof]")
    own = f"own:{kept(page)[0]['id']}"
    page.select_option("select[name=mine]", own)
    assert page.eval_on_selector("select[name=mine]", "e => e.selectedOptions[0].innerText") == "Red Hot"

    page = muster(visitor)
    settled(page, "Legal at 750")
    page.click(".sum [data-mode=hotseat]")
    page.wait_for_selector("svg.table")
    assert "/play/" in page.url


def test_an_army_of_warbands_is_built_by_mouse_with_stands_a_warlord_and_a_regiment_of_ones_own(
    visitor: Visitor,
) -> None:
    page = muster(visitor, "tlaok")
    page.select_option("select[name=faction]", "salt_crown")
    page.fill("input[name=points]", "1000")
    for unit in ("dyke_marshal", "tide_pikes", "tide_abbot", "dyke_levy"):
        page.click(f"[data-unit={unit}] .add")
    settled(page, "TLAOK-BUILD-04")
    page.check("[data-entry='1'] [data-option=warlord]")
    settled(page, "Legal at 1000 points")

    before = cost(page)
    page.click("[data-entry='2'] [aria-label^='More']")
    page.locator("[data-entry='2'] h3", has_text="× 4").wait_for()
    page.check("[data-entry='2'] [data-option=standard]")
    page.locator("[data-entry='3'] [data-option=absolution]").check()
    page.wait_for_function(f"Number(document.querySelector('[data-cost]').innerText) > {before}")

    # A character takes his regiments along.
    page.click("[data-entry='3'] [aria-label^='Up']")
    page.locator("[data-entry='1'] h3", has_text="Tide Abbot").wait_for()
    heads = [page.inner_text(f"[data-entry='{n}'] h3").split(". ")[1] for n in range(1, 5)]
    assert [head.partition(" ×")[0] for head in heads] == ["Tide Abbot", "Dyke Levy", "Dyke Marshal", "Tide Pikes"]

    page.click("[data-make]")
    page.fill(".custom [data-field=name]", "Sand Rats")
    page.select_option("[data-rules=rules]", "Cleave")
    page.select_option(".custom [data-field=choice]", "mainstay")
    page.locator(".custom [data-price]").wait_for()
    page.click("[data-put]")
    page.locator("[data-entry='5']", has_text="Sand Rats").wait_for()
    settled(page, "Legal at 1000 points")

    page.click("[data-do=sheet]")
    paper = page.inner_text(".paper")
    for said in (
        "Secondary objectives",
        "Walls of Men",
        "Hits from its Clash or Duel reduce the target's Defence by X",
    ):
        assert said in paper
    page.keyboard.press("Escape")
    page.click(".sum [data-mode=bot]")
    page.wait_for_selector("svg.table")
    page.locator(".forces", has_text="Sand Rats").wait_for()


def test_a_list_is_made_better_by_battles_which_can_be_stopped(visitor: Visitor) -> None:
    page = muster(visitor, "sbh")
    page.fill("input[name=points]", "300")
    page.fill("input[name=find]", "human warrior")
    page.click("[data-unit=human-warrior] .add")
    page.wait_for_selector("[data-do=improve]:enabled")
    page.select_option("select[name=improve-against]", "high_toll")

    page.click("[data-do=improve]")
    page.wait_for_selector("[data-search=running] progress")
    page.wait_for_function("document.querySelector('[data-search] progress')?.value > 1")
    page.click("[data-do=stop]")
    page.locator("[data-search=stopped]", has_text="Stopped after").wait_for()

    better = {"points": 300, "entries": [{"unit": "troll", "count": 3}]}
    finding = {
        "what": {"en": "3 × Troll instead of Human Warrior", "fr": "3 × Troll au lieu de Guerrier humain"},
        "draft": better, "cost": 123, "battles": 40, "before": 0.1, "after": 0.6, "gain": 0.5, "low": 0.3, "high": 0.7,
        "lost": [0.9, 0.4], "killed": [0.1, 0.6], "reasons": [{"against": "high_toll", "before": 0.1, "after": 0.6}],
    }  # fmt: skip
    found = {"allowed": 300, "tried": 20, "before": 0.1, "low": 0.04, "high": 0.2, "units": [], "findings": [finding]}
    seen = {"state": "over", "done": 200, "battles": 200, "found": found}
    page.route("**/api/improve/*", lambda route: route.fulfill(json=seen))
    page.click("[data-do=improve]")
    page.locator("[data-better=true]", has_text="wins 60% instead of 10%: +50% (+30% to +70%)").wait_for()
    page.click("[data-better=true] summary")
    page.locator("[data-better=true]", has_text="Against The High Toll: 60% instead of 10%").wait_for()
    page.click("[data-do=take]")

    page.locator("[data-entry='1']", has_text="Troll").wait_for()
    eventually(page, lambda: kept(page)[0]["draft"]["entries"] == better["entries"])


def test_a_roster_of_another_program_is_brought_in_as_a_file(visitor: Visitor, tmp_path: Path) -> None:
    for name, content in (("host.ros", ROSTER.encode()), ("host.rosz", zipped(("host.ros", ROSTER.encode())))):
        file = tmp_path / name
        file.write_bytes(content)
        page = muster(visitor)
        page.evaluate("document.querySelector('.bring').open = true")
        page.set_input_files(".bring input[type=file]", file)
        page.locator(".notes", has_text="Cold Blooded").wait_for()
        assert page.input_value("input[name=name]") == "Marsh Host"
    assert cost(page) == 322
    page.check("input[name=printed]")
    settled(page, "270 / 750")
    assert cost(page) == 270
    file.write_bytes(b'<!DOCTYPE roster [<!ENTITY a "b">]><roster name="&a;"/>')
    page.set_input_files(".bring input[type=file]", file)
    page.locator(".problem", has_text="entities").wait_for()
    page = muster(visitor, "sbh")
    page.evaluate("document.querySelector('.bring').open = true")
    page.set_input_files(".bring input[type=file]", file)
    page.locator(".problem", has_text="a unit of your own").wait_for()


def test_a_profile_is_copied_once_and_kept_for_every_list(visitor: Visitor) -> None:
    page = muster(visitor)
    page.click("[data-make]")
    page.fill("[data-field=name]", "Toll Guard")
    page.fill("[data-field=quality]", "3")
    page.click(".own [data-put], .own button.primary")
    page.wait_for_selector("[data-entry]")
    page.reload()
    page.wait_for_selector(".sum [data-cost]")
    page.click("[data-do=fresh]")
    page.wait_for_selector("[data-entry]", state="detached")
    page.click(".profiles summary")
    page.click("[data-profile='Toll Guard']")
    page.wait_for_selector("[data-field=quality]")
    assert page.input_value("[data-field=quality]") == "3"
    page.click(".own [data-put], .own button.primary")
    page.wait_for_selector("[data-entry]")
    assert not visitor.wrong
