"""What things are called: terrain by its kind, markers by their number, and what they hide only to those who know."""

from __future__ import annotations

from collections.abc import Mapping

from oriflamme.bots.random import RandomBot
from oriflamme.engine.core.play import Play
from oriflamme.games.sbh.game import game


def ambush() -> Play:
    """A battle in which side `defender` has just lain down in ambush."""
    play = Play(game, game.setup(5, map="crossroads", choices={"scenario": "ambush"}), 5)
    bots = [RandomBot(seed=side) for side in (0, 1)]
    while not play.battle.markers:
        decision = play.pending[0]
        play.answer(decision.side, bots[decision.side].decide(None, decision))
    return play


def markers_named(play: Play, side: int) -> Mapping[str, Mapping[str, str]]:
    battle = play.view(side).battle
    names = game.names(battle)["key"]
    return {marker.id: names[marker.id] for marker in battle.markers}


def test_only_its_owner_reads_on_a_marker_whom_it_hides() -> None:
    play = ambush()
    battle = play.battle
    hidden = {m.id: battle.units[m.holds].name["en"] for m in battle.markers if m.holds}

    own = markers_named(play, battle.defender)
    others = markers_named(play, battle.attacker)

    assert len(hidden) * 2 == len(own) == len(others)
    for id, name in own.items():
        assert (f"{hidden[id]}," if id in hidden else "decoy,") in name["en"]
    names = [fighter.name["en"] for fighter in battle.units.values()]
    assert not [name["en"] for name in others.values() if "decoy" in name["en"] or any(n in name["en"] for n in names)]


def test_a_marker_is_named_by_where_it_lies() -> None:
    play = ambush()
    marker = play.battle.markers[0]

    name = markers_named(play, play.battle.attacker)[marker.id]

    assert name["fr"] == f"marqueur 1 ({marker.x / 10:.0f} × {marker.y / 10:.0f} cm)"


def test_terrain_is_named_and_numbered_by_its_kind() -> None:
    names = game.names(ambush().battle)["piece"]

    assert [name["en"] for name in names.values()] == ["hill 1", "ruin 1", "ruin 2", "wall 1", "fence 1"]
    assert names["chapel"]["fr"] == "ruine 2"
