"""A battle on a map that a player has made and sent."""

from __future__ import annotations

import pytest
from tests.server.table import Server

from oriflamme.engine.table.maps import load_map
from oriflamme.games import ids, load
from oriflamme.server.battles import NewBattle, OwnMap, make


def own_map(game: str) -> str:
    """The first map of a game, under another name."""
    found = load(game)
    return next(made for made in map(load_map, found.maps()) if found.fits(made, found.agreed({}))).to_toml()


@pytest.mark.parametrize("game", ids())
def test_a_battle_is_played_on_a_map_that_was_sent(game: str) -> None:
    text = own_map(game)

    made = make(NewBattle(game, map=OwnMap(text)))

    kept = made.record.setup.decode()
    assert "oriflamme-" not in kept, "nothing tells where the server kept it meanwhile"


def test_what_is_no_map_is_refused_with_its_place(server: Server) -> None:
    for text, said in (
        ("", "size"),
        ("size = [72, 48]\n[[piece]]\nkind = 'wood'\nat = [9, 9]\nradius = 3", "forest"),
        ("not = = toml", "line 1"),
        ('size = [72, 48]\nname = "x"\n' + "[[piece]]\nkind='forest'\nat=[9,9]\nradius=1\n" * 3000, ""),
    ):
        status, told = server.call("/api/battles", {"game": "aof", "map": {"text": text}})
        assert status == 422, text[:60]
        assert said in str(told["problems"]), told
        assert told["source"] in ("map.toml", "map", "request")
    assert server.call("/api/battles", {"game": "aof", "map": {"file": "/etc/hostname"}})[0] == 422
    assert server.call("/api/battles", {"game": "aof", "map": "/etc/hostname"})[0] == 422
