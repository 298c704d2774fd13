"""Where no way is known and none is proven not to be, a player is asked: he shows one, or takes his choice back."""

from __future__ import annotations

from random import Random

import pytest
from tests.proofs.tlaok_entry import lay

from oriflamme.engine.core.decisions import Manoeuvre, PickOne, Refused
from oriflamme.games.tlaok.movement.entry import Entrance, come_in
from oriflamme.games.tlaok.regiment.formation import frontages
from oriflamme.games.tlaok.state import Activation

# Scenes in which an edge is in doubt for some formation.
SEEDS = (16, 17, 30, 57)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_has_no_way_in_to_show_chooses_again_until_nothing_is_left(seed: int) -> None:
    battle, pikes, _, _ = lay(Random(seed))
    battle.acting = Activation(pikes.id)
    battle.acting.used = 1
    battle.log = []
    files = str(pikes.formation.files)
    doubts = 0
    shown = []

    asking = come_in(battle, pikes)
    answer: object = None
    for _ in range(40):
        try:
            decision = asking.send(answer)
        except StopIteration:
            break
        if isinstance(decision, PickOne):
            # What was taken back is not offered again, so that this comes to an end.
            keys = decision.keys()
            answer = decision.accept(files if files in keys else keys[0])
            continue
        assert isinstance(decision, Manoeuvre)
        with pytest.raises(Refused):
            decision.accept({pikes.id: [[0.0, -500.0, 0.0], [0.0, 900.0, 0.0]]})
        try:
            answer = decision.accept({pikes.id: []})
            doubts += 1
            shown.append((decision.about["edge"], tuple(decision.about["formation"])))
            # Nor does chance know a way.
            assert decision.accept(decision.sample(Random(1)))[pikes.id] == ()
        except Refused:
            answer = decision.accept(decision.suggestion())

    assert doubts
    assert len(set(shown)) == len(shown)
    told = {event.name for event in battle.log}
    assert len(told & {"Entered", "EntryFailed"}) == 1
    assert pikes.reserve == ("reinforcements" if "EntryFailed" in told else None)
    if "EntryFailed" in told:
        gates = [
            Entrance(battle, pikes, each, "south") for n in frontages(pikes.placed) for each in pikes.formations(n)
        ]
        assert all(gate.way_in() is None for gate in gates)
