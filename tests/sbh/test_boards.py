"""Which tables and hexes a battle may be fought on (SBH-GEN-02, SBH-HEX-01)."""

from __future__ import annotations

from pathlib import Path

import pytest

from oriflamme.engine.words.problems import Problems
from oriflamme.games.sbh.game import game


def _map(folder: Path, size: str, hexes: str = "") -> str:
    path = folder / "moor.toml"
    lines = ['name = "Moor"', f"size = {size}", 'measure = "mm"', f"hexes = {hexes}" if hexes else ""]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("scale", "size", "hexes", "rule"),
    [
        ("15mm", "[600, 600]", "14", "SBH-HEX-01"),
        ("15mm", "[600, 600]", "21", "SBH-HEX-01"),
        ("28mm", "[900, 900]", "20", "SBH-HEX-01"),
        ("15mm", "[420, 593]", "20", "SBH-HEX-01"),
        ("15mm", "[420, 594]", "", "SBH-GEN-02"),
        ("28mm", "[600, 600]", "", "SBH-GEN-02"),
    ],
)
def test_a_map_that_does_not_suit_the_figures_is_refused(
    tmp_path: Path, scale: str, size: str, hexes: str, rule: str
) -> None:
    with pytest.raises(Problems) as refused:
        game.setup(1, map=_map(tmp_path, size, hexes), choices={"scale": scale})

    assert [(p.where, p.rule) for p in refused.value] == [("map", rule)]


@pytest.mark.parametrize(("scale", "size", "hexes"), [("15mm", "[420, 594]", "15"), ("28mm", "[900, 900]", "22.5")])
def test_a_board_of_hexes_that_fit_is_played_on(tmp_path: Path, scale: str, size: str, hexes: str) -> None:
    setup = game.setup(1, map=_map(tmp_path, size, hexes), choices={"scale": scale})

    assert setup["map"]["hexes"] == float(hexes)
