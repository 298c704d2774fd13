"""Cases of campaigns are read as strictly as any other, and what is refused in camp changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from oriflamme.engine.core.dice import ScriptedDice
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.problems import Problems, Reader
from oriflamme.games import load
from oriflamme.games.sbh.campaign.scene import CampaignScenes

SCENES = CampaignScenes(load("sbh"))


def built(problems: Problems, elf: dict[str, Any] | None = None, **campaign: Any) -> Any:
    scene = {"given": {"elf": elf or {}, "orc": {"side": 2}}, "campaign": campaign}
    return SCENES.build(Reader(scene, problems), problems, ScriptedDice([]))


@pytest.mark.parametrize(
    ("elf", "campaign", "where"),
    [
        ({}, {"battels": 3}, "campaign.battels"),
        ({}, {"battle": 3, "battles": 2}, "campaign.battles"),
        ({}, {"earned": [1, 2, 3]}, "campaign.earned"),
        ({}, {"earned": 4}, "campaign.earned"),
        ({}, {"upgrades_1": ["bravery"]}, "campaign.upgrades_1"),
        ({"experience": -1}, {}, "given.elf.experience"),
        ({"experiense": 1}, {}, "given.elf.experiense"),
        ({"misses": 1}, {}, "given.elf.misses"),
        ({"brought": {"kind": "sward"}}, {}, "given.elf.brought.kind"),
        ({"brought": {"kind": "belt", "lft": 3}}, {}, "given.elf.brought.lft"),
        ({"brought": "sword"}, {}, "given.elf.brought"),
    ],
)
def test_what_is_wrong_with_a_scene_is_said_with_its_place(
    elf: dict[str, Any], campaign: dict[str, Any], where: str
) -> None:
    problems = Problems("case")

    built(problems, elf, **campaign)

    assert [problem.where for problem in problems] == [where]


def test_a_name_that_no_band_could_hold_is_refused() -> None:
    problems = Problems("case")
    scene = {"given": {"wood-elf": {}, "orc": {"side": 2}}, "campaign": {}}

    SCENES.build(Reader(scene, problems), problems, ScriptedDice([]))

    assert [problem.where for problem in problems] == ["given.wood-elf"]


def test_after_the_last_battle_there_is_no_camp() -> None:
    problems = Problems("case")
    scene = built(problems, battle=1, battles=1)
    assert not problems
    ((name, winner),) = SCENES.deed(scene, "side 1 wins the battle", {}).steps
    scene.then_all((name, (winner,)))
    Play.of(SCENES.game, scene)

    with pytest.raises(Problems) as found:
        SCENES.deed(scene, "side 1 camps", {})

    assert found.value.problems[0].rule == "SBH-CAMP-01"


def test_a_copy_of_a_scene_is_the_same_and_apart() -> None:
    scene = built(Problems("case"), {"experience": 3, "brought": {"kind": "sword"}}, earned=[12, 0])
    scene.camps(1)
    twin = scene.copy()
    assert twin.fingerprint() == scene.fingerprint()
    assert twin.band is twin.bands[1]

    twin.bands[0].spent = 10

    assert twin.fingerprint() != scene.fingerprint()
    assert scene.bands[0].spent == 0
