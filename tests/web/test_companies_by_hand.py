"""Rag'Narok 3 played by hand in a browser, with the dice of the book: both long examples of its melee chapter, the
three reactions to an assault, a standby shot and a template.

What is clicked is what a person clicks, and what is asserted is what he sees.
"""

from __future__ import annotations

import pytest
from tests.web.meeting import FIRST_BEGINS, SECOND_BEGINS, Hands, Spots, met, shot, unit
from tests.web.visit import Visitor

from oriflamme.engine.core.play import Play

# Blue stands in three ranks; of four Orange the last is too far behind to get into contact.
BLOCK: Spots = [(90, 26), (87, 26), (93, 26), (90, 23), (87, 23), (93, 23), (88.5, 20.4), (91.5, 20.4)]
FOUR: Spots = [(90, 92), (86.4, 92), (93.6, 92), (90, 95.6)]
ROW: Spots = [(90, 92), (86.4, 92), (93.6, 92)]


def sitting(visitor: Visitor, *dice: int, first: str = "2") -> Hands:
    """Blue and Orange, and Black who comes last; one of the sides gives the first order."""
    blue, orange, black = unit("blue", 8), unit("orange", 4, mou=32), unit("black", 6, mou=40)
    ours = [(blue, "compact", BLOCK)]
    theirs = [(orange, "dispersed", FOUR), (black, "dispersed", [(x, y) for y in (92, 96) for x in (50, 54, 46)])]
    begins = FIRST_BEGINS if first == "1" else SECOND_BEGINS
    return begun(visitor, met(ours, theirs, (*begins, *dice)), first)


def begun(visitor: Visitor, play: Play, first: str) -> Hands:
    """The first turn, in which this side gives the first order."""
    hands = Hands(visitor, play)
    hands.come_to("choose_first_turn")
    hands.pick(first)
    return hands


def order(hands: Hands, unit: str, order: str) -> None:
    """A unit is clicked on the table, buys no tactic, and gets an order."""
    if hands.asked() == "choose_unit":
        hands.click_unit(unit)
    hands.come_to("choose_order")
    hands.pick(order)


def test_example_1_who_has_had_no_order_is_not_asked_to_strike_back_and_engages_later(visitor: Visitor) -> None:
    hands = sitting(visitor, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 1, 4, 4, 4, 1, 4, 4, 4, 4, 4, 1)

    # Orange assaults with 3 dice; Blue, touched by three, defends with one of its 8.
    order(hands, "orange", "assault")
    assert hands.asked() == "react"
    hands.picture("reactions")
    hands.pick("none")
    assert hands.asked() == "assault_move"
    hands.as_proposed()
    assert hands.asked() == "set_dice_aside"
    assert hands.slots() == {"attack": "0/3", "defence": "0/3"}
    hands.set_aside(attack=3)
    assert hands.asked() == "set_dice_aside"
    assert hands.slots() == {"defence": "0/3"}
    hands.set_aside(defence=1)
    hands.see("3 attack dice against 1 defence die")
    hands.see("a1 Blue cancels 1 attack: 2 are left")

    # Two wounds: two models go, and with them the used die and one of the reserve.
    assert hands.asked() == "melee_casualties"
    hands.picture("casualties", at=(90, 20))
    hands.choose_several("blue.2", "blue.3")
    assert hands.asked() == "dead_dice"
    hands.pick("1")
    hands.see("a1 Blue loses 1 die of its reserve")
    assert hands.standing("blue") == 6
    assert (hands.pool("blue"), hands.pool("orange")) == ("melee dice 6/6", "melee dice 1/4")

    # No strike-back: Blue engages, five in contact, and attacks with 4. Orange has one die left and loses three.
    order(hands, "blue", "engage")
    assert hands.asked() == "step_into_contact"
    hands.as_proposed()
    assert hands.asked() == "set_dice_aside"
    assert hands.slots() == {"attack": "0/5", "defence": "0/5"}
    hands.set_aside(attack=4)
    assert hands.slots() == {"defence": "0/1"}
    hands.set_aside(defence=1)
    hands.see("b1 Orange 4 leads b1 Orange")
    assert hands.standing("orange") == 1
    assert hands.asked() == "name_commander"
    hands.pick("black.1")
    hands.come_to("pursue")
    hands.pick("no")
    assert hands.pool("blue") == "melee dice 2/6"

    # Black assaults: Blue has two dice to defend with, and has attacked this turn.
    order(hands, "black", "assault")
    hands.come_to("assault_move")
    hands.as_proposed()
    assert hands.asked() == "set_dice_aside"
    hands.picture("black-assaults", at=(88, 20))
    hands.set_aside(attack=5)
    assert hands.slots() == {"defence": "0/2"}
    hands.set_aside(defence=2)
    hands.see("attack dice against 2 defence dice")
    assert "strikes back" not in hands.log()


def test_example_2_who_has_had_its_order_strikes_back_with_one_die_of_three(visitor: Visitor) -> None:
    hands = sitting(visitor, 4, 4, 1, 4, 4, 5, 5, first="1")

    # Blue has its order and stays; Orange assaults with 3, Blue defends with 2 and loses nobody.
    order(hands, "blue", "stay")
    hands.come_to("choose_unit")
    order(hands, "orange", "assault")
    assert hands.asked() == "assault_move", "who has had its order cannot react"
    hands.as_proposed()
    hands.set_aside(attack=3)
    hands.set_aside(defence=2)
    hands.see("a1 Blue cancels 2 attacks: none is left")
    assert hands.standing("blue") == 8
    assert (hands.pool("blue"), hands.pool("orange")) == ("melee dice 6/8", "melee dice 1/4")

    # It strikes back with one die of the three it could use; Orange defends with its last.
    assert hands.asked() == "strike_back"
    hands.picture("strike-back", at=(90, 20))
    hands.pick("yes")
    assert hands.slots() == {"attack": "0/3"}
    hands.set_aside(attack=1)
    assert hands.slots() == {"defence": "0/1"}
    hands.set_aside(defence=1)
    hands.see("b1 Orange cancels 1 attack: none is left")
    hands.asked()
    assert (hands.standing("blue"), hands.standing("orange")) == (8, 4)
    assert (hands.pool("blue"), hands.pool("orange")) == ("melee dice 5/8", "melee dice 0/4")


# -- the three reactions -----------------------------------------------------------------------------------------------


def test_who_receives_a_charge_defends_with_all_its_dice_in_contact(visitor: Visitor) -> None:
    hands = sitting(visitor, 4, 4, 4, 4, 4, 1, 4)
    order(hands, "orange", "assault")
    hands.asked()
    hands.pick("reception")
    hands.see("receives the charge")
    hands.as_proposed()
    assert hands.asked() == "step_into_contact"
    hands.stay()
    hands.set_aside(attack=3)
    # All of them: there is nothing left to choose, and Blue is not asked.
    hands.see("3 attack dice against 3 defence dice")
    hands.see("a1 Blue cancels 2 attacks: 1 is left")
    hands.come_to("melee_casualty")
    hands.pick("blue.3")
    hands.come_to("choose_unit")
    assert hands.standing("blue") == 7
    assert "strikes back" not in hands.log()


def test_in_a_counter_charge_both_strike_and_the_dead_strike_too(visitor: Visitor) -> None:
    """Three against three: each side strikes with 3, and everybody who is hit falls at the end."""
    blue, orange = unit("blue", 3, mou=32), unit("orange", 3, mou=32)
    near: Spots = [(90, 26), (86.4, 26), (93.6, 26)]
    dice = (*SECOND_BEGINS, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4)
    hands = begun(visitor, met([(blue, "dispersed", near)], [(orange, "dispersed", ROW)], dice), "2")
    order(hands, "orange", "assault")
    hands.asked()
    hands.pick("counter_charge")
    hands.see("counter-charges")
    hands.come_to("place_the_others")
    hands.as_proposed()
    hands.come_to("assault_move")
    hands.picture("counter-charge")
    hands.as_proposed()
    hands.come_to("break_the_ranks")
    hands.choose_several()
    # Blue strikes with all it has and is not asked.
    hands.set_aside(attack=3)
    hands.see("b1 Orange attacks a1 Blue: 3 dice")
    hands.see("a1 Blue attacks b1 Orange: 3 dice")
    hands.page.wait_for_selector(".result")
    assert hands.standing("blue") == hands.standing("orange") == 0


def test_who_retreats_in_time_is_not_reached(visitor: Visitor) -> None:
    hands = sitting(visitor)
    hands.watch_motion()
    order(hands, "orange", "assault")
    hands.asked()
    hands.pick("retreat")
    hands.come_to("retreat_move")
    hands.drag("blue.1", 90, 18)
    hands.picture("retreat")
    hands.confirm()
    hands.see("a1 Blue retreats")
    hands.come_to("maintain_assault")
    hands.pick("maintain")
    hands.see("b1 Orange: the assault fails")
    hands.come_to("place_the_others")
    hands.as_proposed()
    assert hands.standing("blue") == 8
    assert "attack dice" not in hands.log()
    # Those who were not dragged have glided from where they stood, and nowhere near a corner of the table.
    hands.come_to("choose_unit")
    ways = hands.ways()
    assert ways["blue.8"][0] == pytest.approx((91.5, 20.4), abs=0.1)
    assert all(85 < x < 97 for way in ways.values() for x, _ in way)


# -- shots -------------------------------------------------------------------------------------------------------------


def test_a_unit_on_standby_shoots_at_whom_is_activated_and_one_falls(visitor: Visitor) -> None:
    archers = unit("archers", 3, ranged=shot(1, 5, 5))
    orange = unit("orange", 3)
    posted: Spots = [(90, 26), (86.4, 26), (93.6, 26)]
    dice = (*FIRST_BEGINS, 6, 2, 1, 1, 1, 4)
    hands = begun(visitor, met([(archers, "dispersed", posted)], [(orange, "dispersed", ROW)], dice), "1")
    if hands.asked() == "choose_unit":
        hands.click_unit("archers")
    hands.come_to("buy_tactic")
    hands.pick("standby")
    hands.come_to("choose_order")
    hands.pick("stay")
    hands.come_to("choose_order")
    assert hands.badges("archers") >= {"standby"}
    hands.pick("stay")
    hands.come_to("standby")
    hands.picture("standby", at=(90, 20))
    hands.pick("archers")
    # 62 cm are 6: 5 against 6 is 4+. One hit, not saved, one wound: the nearest falls.
    hands.see("a1 Archers shoots at b1 Orange: 3 dice on 4+")
    hands.see("b1 Orange 1 is shot by a1 Archers")
    hands.come_to("name_leader")
    hands.pick("orange.2")
    assert hands.standing("orange") == 2


@pytest.mark.parametrize("measuring", ["no", "yes"])
def test_a_template_is_aimed_with_its_odds_and_lies_on_the_table(visitor: Visitor, measuring: str) -> None:
    mortar = unit("mortar", 3, ranged=shot(1, 9, 6, area=True))
    levy = unit("levy", 8)
    crowd: Spots = [(x, y + 72) for x, y in BLOCK]
    dice = (*FIRST_BEGINS, 5, 5, 1, 3, *([4] * 16))
    posted: Spots = [(90, 26), (86.4, 26), (93.6, 26)]
    play = met([(mortar, "dispersed", posted)], [(levy, "compact", crowd)], dice, openMeasuring=measuring)
    hands = begun(visitor, play, "1")
    order(hands, "mortar", "shoot")
    hands.come_to("shoot_plan")
    hands.pick("shoot")
    if hands.asked() == "shoot_target":
        hands.click_unit("levy")
    hands.come_to("aim_template")
    odds = hands.page.wait_for_selector(".odds figure").inner_text()
    assert ("Centred on each model" in odds) == (measuring == "yes")
    hands.picture(f"template-{measuring}")
    hands.pick("levy.1")
    hands.see("The template of a1 Mortar")
    hands.page.wait_for_selector("svg.table .marker.template")
    hands.see("falls under the template of a1 Mortar")
    hands.picture(f"template-laid-{measuring}", at=(90, 105))
    assert hands.standing("levy") < 8
