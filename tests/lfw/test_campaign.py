"""Campaigns of Last Fantasy War: experience, levels, any number of players, and crashes at every write."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.lfw.laid import GAME, add, battle_of, play_track, weapon

from oriflamme.engine.core.campaign_journal import Choose, Fight
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.play import Play
from oriflamme.engine.odds import play_out
from oriflamme.engine.words.problems import Problems
from oriflamme.games.lfw.campaign import Campaign
from oriflamme.games.lfw.campaign.camp import camp_setup
from oriflamme.games.lfw.campaign.company import Company, muster
from oriflamme.games.lfw.campaign.series import camp_game
from oriflamme.games.lfw.deeds import ABILITY, SAVED, SPELL, note_deed, note_visit
from oriflamme.games.lfw.experience import experience_of
from oriflamme.games.lfw.magic import SPELLS, cast
from oriflamme.games.lfw.melee import fight_combat
from oriflamme.games.lfw.state import CAMPAIGN, Battle, Kill, Part


def new(path: Path, *, battles: int = 2, players: int = 2, seed: int = 5) -> Campaign:
    setup = GAME.setup(seed, choices={"players": str(players), "turns": "8"})
    return Campaign.new(path, GAME, battles=battles, seed=seed, seats=["random"] * players, setup=setup)


def play_all(campaign: Campaign) -> None:
    while not campaign.over:
        campaign.choose_by_bots()
        campaign.fight_by_bots()


# -- experience --------------------------------------------------------------------------------------------------------


def specialist(kind: str, **more: Any) -> tuple[Battle, Part]:
    battle = battle_of(hero={"weapons": [weapon("club")], "Pv": 3, **more})
    battle.notes[CAMPAIGN] = True
    part = battle.part("hero")
    part.specialisation, part.level = kind, 1
    return battle, part


def test_experience_is_counted_in_campaigns_only_and_for_specialists_only() -> None:
    battle, part = specialist("mage")
    other = add(battle, "levy", 0, 3, 3).parts[0]

    for one in (part, other):
        note_deed(battle, SPELL, one)
    battle.notes.pop(CAMPAIGN)
    note_deed(battle, SPELL, part)

    assert experience_of(battle, part) == 1
    assert experience_of(battle, other) == 0


@pytest.mark.parametrize(("winners", "expected"), [((), 2), ((0,), 6), ((1,), 2), ((0, 1), 6)])
def test_a_captain_learns_from_what_he_commands_and_from_victory(winners: tuple[int, ...], expected: int) -> None:
    battle, part = specialist("captain")
    note_deed(battle, ABILITY, part)
    note_deed(battle, ABILITY, part)

    battle.end(winners)

    assert experience_of(battle, part) == expected


@pytest.mark.parametrize(("option", "expected"), [("perSpell", 1), ("asPrinted", 4)])
def test_a_mage_learns_from_spells_unless_the_book_is_taken_at_its_word(option: str, expected: int) -> None:
    battle, part = specialist("mage", Pm=5)
    battle.options = {**battle.options, "lfw.mageXp": option}
    part.spells = ("calm_of_the_lake",)
    add(battle, "levy", 0, 12, 14)

    play_out(cast(battle, part, SPELLS["calm_of_the_lake"]))
    battle.end((0,))

    assert experience_of(battle, part) == expected


@pytest.mark.parametrize(("kind", "expected"), [("zealot", 2), ("sharpshooter", 1), ("captain", 0)])
def test_zealots_learn_from_combats_won_and_from_kills_and_sharpshooters_from_kills(kind: str, expected: int) -> None:
    battle, _ = specialist(kind, rules=["Strike first"], CC=2)
    add(battle, "levy", 1, 12, 13, Pv=1, D=6, CC=6)
    battle.dice = SeededDice(3)

    fight_combat(battle, ("hero", "levy"), 0)
    play_track(battle)

    assert battle.part("levy").destroyed
    assert experience_of(battle, battle.part("hero")) == expected


@pytest.mark.parametrize("destroyed", [False, True])
def test_a_veteran_learns_by_surviving(destroyed: bool) -> None:
    battle, part = specialist("veteran")
    part.destroyed = destroyed

    assert experience_of(battle, part) == (0 if destroyed else 3)


def test_a_kill_of_a_friend_is_not_a_kill_of_his() -> None:
    battle, part = specialist("sharpshooter")
    battle.kills += [Kill("x", 1, "hero", 1, "shot"), Kill("y", 1, "page", 1, "shot"), Kill("z", 1, "", 1, "jump")]

    assert experience_of(battle, part) == 1


def test_a_scout_learns_from_quarters_where_a_part_of_its_base_has_been() -> None:
    battle, part = specialist("scout")
    model = battle.units["hero"]
    seen = []
    # The table is 24 inches wide and deep: the middle lies at 12.
    for x, y in ((3, 3), (5, 5), (12, 3), (20, 3), (12.4, 12.4)):
        model.body.x, model.body.y = 25.4 * x, 25.4 * y
        note_visit(battle, model)
        seen.append(experience_of(battle, part))
    note_deed(battle, SAVED, part)

    assert seen == [1, 1, 2, 2, 4]
    assert experience_of(battle, part) == 5


# -- levels ------------------------------------------------------------------------------------------------------------


def company() -> Company:
    return muster(GAME.setup(5, lists=["hearth_watch", "thorn_moot"])["armies"][0], 0)


def test_a_specialist_pays_for_its_level_and_learns_a_skill_of_it_or_below() -> None:
    band = company()
    sergeant = next(member for member in band.members if member.unit.specialisation == "sharpshooter")
    sergeant.earned = 6
    lessons = list(sergeant.lessons())

    sergeant.rise(lessons[0])

    assert set(lessons) == {"Saturating fire", "Point blank", "Seasoned shooter"}
    assert (sergeant.unit.level, sergeant.left, sergeant.price) == (2, 0, 9)
    assert len(sergeant.unit.skills) == 2
    fielded = GAME.begin({**GAME.setup(5), "armies": [band.for_battle(), company().for_battle()]}, SeededDice(1))
    assert fielded.part(sergeant.id).level == 2


@pytest.mark.parametrize(("earned", "may"), [(5, False), (6, True)])
def test_who_cannot_pay_does_not_rise(earned: int, may: bool) -> None:
    archer = next(member for member in company().members if member.unit.specialisation == "sharpshooter")
    archer.earned = earned

    assert archer.may_rise == may


def test_experience_is_spent_in_camp_until_the_side_is_ready() -> None:
    band = company()
    hero = next(member for member in band.members if member.unit.specialisation == "sharpshooter")
    hero.earned = 6
    camp = Play(camp_game, camp_setup(0, 2, 2, band, GAME.defaults()), 1)

    refused = camp.answer(0, next(member.id for member in band.members if not member.unit.specialisation))
    answers = [camp.answer(0, answer) for answer in (hero.id, "back", hero.id, "Point blank")]

    assert refused is not None
    assert refused.rule == "LFW-CAMP-01"
    assert answers == [None] * 4
    # Nobody has anything left to spend, and nothing else is asked.
    assert camp.over
    assert camp.battle.band.member(hero.id).unit.skills[-1] == "Point blank"
    assert band.member(hero.id).unit.level == 1


# -- the series --------------------------------------------------------------------------------------------------------


def test_every_unit_is_back_for_the_next_battle_and_levels_are_bought(tmp_path: Path) -> None:
    with new(tmp_path / "x.campaign", battles=3) as campaign:
        before = [len(band.members) for band in campaign.bands]
        play_all(campaign)

        assert [len(band.members) for band in campaign.bands] == before
        assert sum(campaign.score) >= 1
        fights = [entry for entry in campaign.entries if isinstance(entry, Fight)]
        earned = sum(member.earned for band in campaign.bands for member in band.members)
        assert earned == sum(sum(fight.result.experience.values()) for fight in fights) > 0


@pytest.mark.parametrize("players", [3, 4])
def test_three_or_four_may_play(tmp_path: Path, players: int) -> None:
    with new(tmp_path / "x.campaign", battles=1, players=players) as campaign:
        play_all(campaign)

        assert len(campaign.score) == players
        pages = [campaign.page(side, "fr", ()) for side in campaign.sides]
        assert [page is not None for page in pages] == [True] * players
        # Everybody is drawn as what he is.
        assert all(member.look for page in pages if page is not None for member in page.members)


def test_seats_and_armies_have_to_be_as_many(tmp_path: Path) -> None:
    setup = GAME.setup(5)

    with pytest.raises(Problems, match="3 given for 2 armies"):
        Campaign.new(tmp_path / "x", GAME, battles=1, seed=1, seats=["random"] * 3, setup=setup)
    with pytest.raises(Problems, match="2 to 4"):
        Campaign.new(tmp_path / "x", GAME, battles=1, seed=1, seats=["random"], setup=setup)


def test_a_crash_at_any_write_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.campaign"
    with new(path, seed=2) as campaign:
        play_all(campaign)
        assert any(isinstance(entry, Choose) for entry in campaign.entries)
    whole = path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    cuts = [*ends[:-1], *(end + 7 for end in ends[:-1]), len(whole) - 1]

    for cut in cuts:
        folder = tmp_path / f"cut{cut}"
        folder.mkdir()
        for save in tmp_path.glob("x.*.save"):
            shutil.copy(save, folder)
        again = folder / "x.campaign"
        again.write_bytes(whole[:cut])
        with Campaign.open(again, game=GAME) as campaign:
            play_all(campaign)
        assert again.read_bytes() == whole, cut


def test_a_battle_that_was_cut_off_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    path = tmp_path / "x.campaign"
    with new(path, battles=1) as campaign:
        play_all(campaign)
    save, header = tmp_path / "x.1.save", path.read_bytes().split(b"\n")[0] + b"\n"
    whole, lines = path.read_bytes(), save.read_bytes()
    path.write_bytes(header)
    save.write_bytes(lines[: len(lines) // 2])

    with Campaign.open(path, game=GAME) as campaign:
        play_all(campaign)

    assert path.read_bytes() == whole
    assert save.read_bytes() == lines


def test_what_was_changed_in_the_file_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "x.campaign"
    with new(path, battles=1) as campaign:
        play_all(campaign)
    path.write_bytes(path.read_bytes().replace(b'"experience":{"a1":', b'"experience":{"a1":1'))

    with pytest.raises(Problems, match="line 3"):
        Campaign.read(path, game=GAME)
