"""Odds as people read them."""

from __future__ import annotations

import pytest

from oriflamme.engine.foresight import MOST_BARS, count, counted, percent
from oriflamme.games import ids, load

ATTACKS = {
    "aof": [("crossbow_company", "stokers", False), ("hired_lances", "wharf_pikes", True)],
    "sbh": [("elf-archer", "orc-warrior", False), ("human-heavy-cavalry", "troll", True)],
    "tlaok": [("reed_archers", "tide_pikes", False), ("salt_knights", "tide_pikes", True)],
}
WOUNDS = {"en": "wounds", "fr": "blessures"}


@pytest.mark.parametrize(
    ("share", "error", "en", "fr"),
    [
        (0.624, 0.0, "62%", "62\u202f%"),
        (0.001, 0.0, "< 1%", "< 1\u202f%"),
        (0.0, 0.0, "0%", "0\u202f%"),
        (0.999, 0.0, "> 99%", "> 99\u202f%"),
        (1.0, 0.0, "100%", "100\u202f%"),
        (0.5, 0.021, "50 ± 2%", "50 ± 2\u202f%"),
    ],
)
def test_a_chance_is_a_percentage_and_what_is_rare_is_not_nothing(share: float, error: float, en: str, fr: str) -> None:
    assert percent(share, "en", error) == en
    assert percent(share, "fr", error) == fr


def test_a_number_takes_the_form_its_language_asks_for() -> None:
    assert count(1.0, "en", "wound", "wounds") == "1 wound"
    assert count(1.5, "en", "wound", "wounds") == "1.5 wounds"
    assert count(1.5, "fr", "blessure", "blessures") == "1,5 blessure"
    assert count(2.04, "fr", "blessure", "blessures") == "2 blessures"


def test_a_chart_loses_nothing_but_the_rare_and_never_grows_too_wide() -> None:
    short = counted(WOUNDS, {0: 0.5, 1: 0.0, 2: 0.4995, 9: 0.0005})
    assert [bar["label"]["en"] for bar in short["bars"]] == ["0", "1", "2"]

    wide = counted(WOUNDS, dict.fromkeys(range(40), 1 / 40))
    assert len(wide["bars"]) <= MOST_BARS
    assert sum(bar["chance"] for bar in wide["bars"]) == pytest.approx(1)
    assert wide["bars"][0]["label"]["fr"] == "0–2"


@pytest.mark.parametrize("game", ids())
def test_every_game_says_its_odds_in_a_sentence_and_a_chart(game: str) -> None:
    for attacker, defender, charge in ATTACKS[game]:
        told = load(game).desk().odds(attacker, defender, charge=charge)

        assert "%" in told["summary"]["en"] or "wounds on average" in told["summary"]["en"]
        assert told["summary"]["fr"] != told["summary"]["en"]
        assert len(told["chart"]["bars"]) > 1
        assert sum(bar["chance"] for bar in told["chart"]["bars"]) == pytest.approx(1, abs=0.02)
