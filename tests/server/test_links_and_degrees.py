"""A link that is pasted is answered by how to paste a list, and degrees are never told as lengths."""

from __future__ import annotations

import re

import pytest
from tests.web.visit import ROOT

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems
from oriflamme.games import ids
from oriflamme.server.lists import ImportList, imported


@pytest.mark.parametrize("game", ids())
def test_a_link_is_told_from_a_list(game: str) -> None:
    with pytest.raises(Problems) as found:
        imported(game, ImportList(text=" https://army-forge.onepagerules.com/share?id=abc "))

    assert [(one.what, one.hint) for one in found.value.problems] == [
        (notice("is_a_link"), notice("paste_what_it_has"))
    ]


def test_degrees_are_told_as_numbers_not_as_lengths() -> None:
    texts = sorted((ROOT / "src/oriflamme").rglob("*.toml"))

    assert not [path for path in texts if re.search(r"\{degrees\}", path.read_text(encoding="utf-8"))]
