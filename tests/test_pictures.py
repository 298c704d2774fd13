"""What a table shows is what the game declares: a game that nobody knows is drawn whole, and drawings name no game."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from tests.pictured import install

from oriflamme import games
from oriflamme.drawing.svg import draw
from oriflamme.drawing.tags import unit_tags
from oriflamme.drawing.terminal import table_text
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import TableShown
from oriflamme.engine.picture.signs import BadIcon, read_icon
from oriflamme.engine.table.maps import GRADES, KINDS, TRAITS
from oriflamme.server.clients import encode
from oriflamme.server.scene import scene_of

ROOT = Path(__file__).parents[1]
SVG = "{http://www.w3.org/2000/svg}"
# Where a game is drawn, and where nobody may know which.
BLIND = [
    *ROOT.glob("src/oriflamme/drawing/**/*.py"),
    *ROOT.glob("src/oriflamme/server/*.py"),
    *ROOT.glob("web/src/**/*.ts"),
    *ROOT.glob("web/src/**/*.svelte"),
]
# A unit may be in what terrain may be too: a garrison.
COMMON = {*TRAITS, *KINDS, *GRADES}


@pytest.fixture
def bog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    install(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    games.look_again()
    yield games.load("bog")
    monkeypatch.undo()
    sys.modules.pop("bog", None)
    games.look_again()


def played(game: Game, *answers: str) -> Play:
    play = Play(game, game.setup(1), 1)
    for answer in answers:
        assert play.answer(play.pending[0].side, answer) is None
    return play


def named(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [group for group in root.iter(f"{SVG}g") if name in (group.get("class") or "").split()]


# -- a game that nobody knows ------------------------------------------------------------------------------------------


def test_a_game_is_drawn_with_signs_of_its_own(bog: Game) -> None:
    play = played(bog, "frogs_1", "frogs_0", "frogs_1")

    root = ElementTree.fromstring(draw(play.battle, bog.picture(), lang="fr", coherency=True))

    symbols = {symbol.get("id") for symbol in root.iter(f"{SVG}symbol")}
    assert {"of-icon-bubbles", "of-icon-flame", "of-icon-frog"} <= symbols
    (lantern,) = named(root, "lantern")
    assert lantern.findtext(f"{SVG}title") == "Lanterne"
    assert [use.get("href") for use in lantern.iter(f"{SVG}use")] == ["#of-icon-flame"]
    icons = [use.get("href") for group in named(root, "figure") for use in group.iter(f"{SVG}use")]
    assert icons == ["#of-icon-frog"] * 6
    badges = [badge.findtext(f"{SVG}title") for badge in named(root, "sunken")]
    # On the label and in the list; among the signs without a number.
    assert sorted(map(str, badges)) == ["jusqu'au cou"] * 3 + ["jusqu'au cou 2"] * 2
    assert len(named(root, "zone")) == 2
    assert [border.findtext(f"{SVG}title") for border in named(root, "border")] == ["Roseaux: Camp a"]
    assert [area.findtext(f"{SVG}title") for area in named(root, "area")] == ["Brume: Camp b"]
    # Frogs 45 mm from middle to middle are 15 mm apart: none strays.
    assert (len(named(root, "coherent")), len(named(root, "stray"))) == (2, 0)


def test_a_game_is_written_with_letters_of_its_own(bog: Game) -> None:
    text = table_text(played(bog, "frogs_1").battle, bog.picture(), colour=False)

    assert "b1o" in text
    assert "L lantern" in text


def test_a_game_is_sent_as_it_is_declared(bog: Game) -> None:
    play = played(bog, "frogs_1", "put_out", "frogs_1")

    scene = msgspec.json.decode(encode(scene_of(bog, play.battle, unit_tags(play.battle))))
    signs = bog.picture().signs.data()

    assert scene["units"][1]["states"] == ["sunken 2"]
    assert scene["coherency"] == [30.0, 80.0]
    assert signs["words"]["state"]["sunken"] == {"en": "up to the neck", "fr": "jusqu'au cou"}
    assert signs["states"]["sunken"]["icon"] in signs["icons"]


def test_a_game_that_declares_nothing_shows_nothing_of_another(bog: Game) -> None:
    battle = played(bog).battle
    shown = Picture("mm").show(battle)
    bare = TableShown(shown.table, shown.sides, shown.round, "mm", shown.units, players=2, goal="usual")

    assert shown == bare
    assert Picture("mm").signs.data()["states"] == {}
    root = ElementTree.fromstring(draw(battle, Picture("mm"), coherency=True))
    assert named(root, "coherent") + named(root, "zone") + named(root, "badge") + named(root, "marker") == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("<svg", "not well-formed|unclosed"),
        ("<svg><path d='M0 0'/></svg>", "viewBox"),
        ("<svg viewBox='0 0 1 1'><script>alert(1)</script></svg>", "<script>"),
        ("<svg viewBox='0 0 1 1'><path d='M0 0' onclick='x()'/></svg>", "onclick"),
        ("<svg viewBox='0 0 1 1'><path fill='url(http://a.b)'/></svg>", "fill"),
        ("<svg viewBox='0 0 1 1'><image href='a.png'/></svg>", "<image>"),
    ],
)
def test_an_icon_is_shapes_and_nothing_else(text: str, wrong: str) -> None:
    with pytest.raises(BadIcon, match=wrong):
        read_icon(text)


# -- nobody else knows a game ------------------------------------------------------------------------------------------


def literals(path: Path) -> set[str]:
    """Words in quotes, and names that stand as keys."""
    text = re.sub(r"<style>.*?</style>", "", path.read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r"^\s*(//|/\*|\*|#|<!--).*$", "", text, flags=re.M)
    return set(re.findall(r"""["'`]([\w-]+)["'`]""", text)) | set(re.findall(r"^\s+(\w+): \{", text, flags=re.M))


def signs_of(id: str) -> set[str]:
    signs = games.load(id).picture().signs
    return {id, *signs.states, *signs.tokens, *signs.borders}


@pytest.mark.parametrize("game", games.shipped())
def test_nothing_that_draws_names_a_game_or_its_signs(game: str) -> None:
    words = signs_of(game) - COMMON
    found = {str(path.relative_to(ROOT)): both for path in BLIND if (both := literals(path) & words)}

    assert not found


def test_nothing_that_draws_asks_whether_a_thing_has_an_attribute() -> None:
    guesses = [
        str(path.relative_to(ROOT))
        for path in [*ROOT.glob("src/oriflamme/drawing/**/*.py"), ROOT / "src/oriflamme/server/scene.py"]
        if re.search(r"\b(get|has)attr\(", path.read_text(encoding="utf-8"))
    ]

    assert not guesses
