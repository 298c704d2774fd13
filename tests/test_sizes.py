"""How large the armies of a battle are: as was asked, or it is refused."""

from __future__ import annotations

import pytest

from oriflamme import games
from oriflamme.engine.words.problems import Problems
from oriflamme.lab.simulate import Plan, setup_of
from oriflamme.server.battles import NewBattle, make


@pytest.mark.parametrize(("game", "points"), [("aof", 750), ("aof", 1500), ("tlaok", 1000), ("tlaok", 2000)])
def test_ready_made_armies_are_of_the_size_that_was_asked_for(game: str, points: int) -> None:
    for seed in range(6):
        setup = games.load(game).setup(seed, points=points)

        assert [setup["points"], *(army["points"] for army in setup["armies"])] == [points] * 3


@pytest.mark.parametrize("points", [60, 250, 300, 500, 750])
def test_bands_of_any_size_are_mustered(points: int) -> None:
    for seed in range(6):
        setup = games.load("sbh").setup(seed, points=points)

        assert [setup["points"], *(army["points"] for army in setup["armies"])] == [points] * 3
        for army in setup["armies"]:
            assert points * 0.8 <= sum(fighter["points"] for fighter in army["fighters"]) <= points


@pytest.mark.parametrize(("game", "sizes"), [("aof", "750 or 1500"), ("tlaok", "1000 or 2000")])
@pytest.mark.parametrize("points", [1, 500, 751, 1999, 100_000])
def test_a_size_that_no_ready_made_list_has_is_refused(game: str, sizes: str, points: int) -> None:
    what = f"points: no ready-made list is for {points}; ask for {sizes}, or name two lists of {points}"

    with pytest.raises(Problems, match=what):
        games.load(game).setup(1, points=points)
    with pytest.raises(Problems, match=what):
        make(NewBattle(game=game, points=points))
    with pytest.raises(Problems, match=what):
        setup_of(Plan(game, 2, ("random", "random"), points=points), 0)


@pytest.mark.parametrize(
    ("game", "name", "size"),
    [("aof", "kiln_clans_750_red_hot", 750), ("tlaok", "salt_crown_1000_pay_chest", 1000), ("sbh", "kings_road", 300)],
)
def test_a_list_of_another_size_than_was_asked_for_is_refused(game: str, name: str, size: int) -> None:
    what = f"points: list {{}} is for {size}, and 500 were asked for; ask for {size}, or name a list of 500"

    for lists, number in (((name,), 1), (("", name), 2), ((name, name), 1)):
        with pytest.raises(Problems, match=what.format(number)):
            games.load(game).setup(1, points=500, lists=lists)
    for lists in ((name,), ("", name)):
        setup = games.load(game).setup(1, lists=lists)
        assert [setup["points"], *(army["points"] for army in setup["armies"])] == [size] * 3
