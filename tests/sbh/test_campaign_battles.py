"""Campaigns with real battles: what they send into a battle arrives, what comes out is theirs, and nothing is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from oriflamme.engine.core import save as saves
from oriflamme.engine.core.dice import SeededDice
from oriflamme.games import load
from oriflamme.games.sbh.bands import load_band
from oriflamme.games.sbh.campaign import Campaign
from oriflamme.games.sbh.campaign.aftermath import items_left
from oriflamme.games.sbh.campaign.warband import Item, Warband, muster
from oriflamme.games.sbh.results import remove
from oriflamme.games.sbh.state import Battle

game: Any = load("sbh")


def new(path: Path, seed: int = 3, battles: int = 3) -> Campaign:
    setup = game.setup(seed, choices={"turns": "20"})
    return Campaign.new(path, game, battles=battles, seed=seed, seats=["captain", "random"], setup=setup)


def play_all(campaign: Campaign) -> None:
    while not campaign.over:
        campaign.choose_by_bots()
        campaign.fight_by_bots()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that nothing happened to."""
    path = tmp_path_factory.mktemp("whole") / "x.campaign"
    with new(path) as campaign:
        play_all(campaign)
    return path


def test_bots_play_a_campaign_to_its_end_and_every_battle_can_be_verified(whole: Path) -> None:
    campaign = Campaign.read(whole)

    assert campaign.over
    for number in (1, 2, 3):
        report = saves.verify(whole.with_name(f"x.{number}.save"), load)
        assert report.over
        assert f'"fingerprint":"{report.fingerprint}"' in whole.read_text()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
def test_a_battle_cut_off_at_any_answer_goes_on_as_if_nothing_had_happened(
    whole: Path, tmp_path: Path, share: float
) -> None:
    """Killed in the second battle: the campaign ends with its scenario, the save after some of its answers."""
    lines = whole.read_bytes().splitlines(keepends=True)
    marched = next(n for n, line in enumerate(lines) if b'"do":"march"' in line and b'"battle":2' in line)
    (tmp_path / "x.campaign").write_bytes(b"".join(lines[: marched + 1]))
    answers = whole.with_name("x.2.save").read_bytes().splitlines(keepends=True)[:-1]
    kept = answers[: 1 + int(share * (len(answers) - 1))]
    (tmp_path / "x.2.save").write_bytes(b"".join(kept) + b'{"n":')

    with Campaign.open(tmp_path / "x.campaign") as campaign:
        play_all(campaign)

    assert (tmp_path / "x.campaign").read_bytes() == whole.read_bytes()
    assert (tmp_path / "x.2.save").read_bytes() == whole.with_name("x.2.save").read_bytes()


def battle_of(own: Warband) -> Battle:
    """A battle of this band against a ready-made one, before its first step."""
    setup = game.setup(1, lists=["broken_tusks", "kings_road"], choices={"scenario": "battle"})
    setup["armies"][0] = own.for_battle()
    found: Battle = game.begin(setup, SeededDice(1))
    return found


def test_wounds_upgrades_items_and_improvements_arrive_in_the_battle() -> None:
    own = muster(load_band("kings_road"), 0)
    first, second, third = own.members[:3]
    first.experience = 3
    first.train("combat", game.defaults())
    own.upgrades = ["brave"]
    own.items = [Item("javelins", 4, bearer=second.id)]
    second.fighter = msgspec.structs.replace(second.fighter, hurt=1)
    third.absent = True

    battle = battle_of(own)

    him = battle.units[first.id]
    assert him.own.combat == own.members[0].fighter.combat
    assert him.points == first.fighter.points  # those of the roster (SBH-TARGET-02)
    assert (him.hurt, battle.units[second.id].hurt) == (0, 1)
    item = battle.units[second.id].item
    assert item is not None
    assert (item.kind, item.left) == ("javelins", 4)
    assert third.id not in battle.units
    assert battle.upgrades[0] == {"brave"}


def test_an_item_is_reported_with_its_holder_or_where_it_lies_until_it_is_drained() -> None:
    own = muster(load_band("kings_road"), 0)
    bearer = own.members[1]
    own.items = [Item("javelins", 4, bearer=bearer.id)]
    told = {"kind": "javelins", "left": 3, "quality": 0}
    battle = battle_of(own)
    fighter = battle.units[bearer.id]
    fighter.reserve = None
    assert fighter.item is not None

    fighter.equip(fighter.item.less(1))
    assert items_left(battle) == [{"side": 0, "fighter": bearer.id, "item": told}]
    assert game.aftermath(battle)["item"] is None  # nobody fought for it

    remove(battle, fighter, "killed", "combat", "SBH-COMBAT-10")
    assert items_left(battle) == [{"side": -1, "fighter": "", "item": told}]

    battle = battle_of(own)
    fighter = battle.units[bearer.id]
    assert fighter.item is not None
    fighter.equip(fighter.item.drain())
    assert items_left(battle) == []
