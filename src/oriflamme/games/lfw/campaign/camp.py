"""The time between two battles, for one side: its specialists spend their experience (LFW-CAMP-08).

Each side has a camp of its own, which is a play like a battle is one. All choose at the same time, and nobody sees what
another does before the next battle is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec

from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.core.state import PART, Kind
from oriflamme.engine.core.steps import Step, Steps
from oriflamme.engine.table.pieces import Table
from oriflamme.games.lfw.army.offers import skill_named
from oriflamme.games.lfw.campaign.company import Company
from oriflamme.games.lfw.campaign.events import LevelGained
from oriflamme.games.lfw.specialists import SKILLS

steps = Steps()

READY: Final = "ready"
BACK: Final = "back"
_NO_TABLE: Final = Table(1.0, 1.0)


class Camp(engine.Battle[Any]):
    """One army between two battles. There is no table and nobody on it."""

    __slots__ = ("band", "number", "side")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"band": PART}

    def __init__(self, side: int, number: int, sides: int, band: Company, options: dict[str, str], dice: Dice) -> None:
        super().__init__(_NO_TABLE, sides, options, dice)
        self.side = side
        # The battle that comes next.
        self.number = number
        self.band = band


class CampGame(Game):
    """The time between battles, as whoever drives a play sees it."""

    id = "lfw"
    title: ClassVar[Mapping[str, str]] = {"en": "Last Fantasy War", "fr": "Last Fantasy War"}
    measure = "in"
    steps = steps

    def begin(self, setup: dict[str, Any], dice: Dice) -> Camp:
        band = msgspec.convert(setup["band"], Company)
        camp = Camp(setup["side"], setup["number"], setup["sides"], band, dict(setup["options"]), dice)
        camp.then(prepare)
        return camp

    def names(self, battle: Camp) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """Units and skills as people call them."""
        return names_of_things() | {"unit": {member.id: member.unit.name for member in battle.band.members}}


def names_of_things() -> dict[str, Mapping[str, Mapping[str, str]]]:
    return {"skill": {title: skill_named(title) for titles in SKILLS.values() for title in titles}}


def camp_setup(side: int, number: int, sides: int, band: Company, options: Mapping[str, str]) -> dict[str, Any]:
    """A camp before its first question, as plain data."""
    built = msgspec.to_builtins(band)
    return {"side": side, "number": number, "sides": sides, "options": dict(options), "band": built}


@steps.step
def prepare(camp: Camp) -> Step:
    """Specialists may rise as long as they can pay for it; then the side is ready (LFW-CAMP-08)."""
    able = [member for member in camp.band.members if member.may_rise]
    options = [
        *(
            Option(m.id, "rise", {"unit": m.id, "level": m.unit.level + 1, "cost": m.price, "left": m.left})
            for m in able
        ),
        Option(READY, "ready"),
    ]
    about = {"battle": camp.number}
    best = able[0].id if able else READY
    chosen = yield from pick_one(
        camp.side,
        options,
        "prepare",
        "LFW-CAMP-08",
        about,
        secret=True,
        default=best,
        why_not=lambda key: why_not_rise(camp, key),
    )
    if chosen == READY:
        camp.over = True
        return
    camp.then(prepare)
    camp.then(learn, chosen)


def why_not_rise(camp: Camp, id: str) -> Refusal | None:
    """Why a unit does not rise."""
    member = next((member for member in camp.band.members if member.id == id), None)
    if member is None or member.may_rise:
        return None
    if not member.unit.specialisation:
        return Refusal("LFW-CAMP-01", "no_specialist", {"unit": id})
    if member.left < member.price:
        return Refusal("LFW-CAMP-08", "too_little_experience", {"unit": id, "left": member.left, "cost": member.price})
    return Refusal("LFW-SPEC-03", "nothing_left_to_learn", {"unit": id})


@steps.step
def learn(camp: Camp, id: str) -> Step:
    """The skill that comes with the level: of that level or a lower one (LFW-SPEC-04)."""
    member = camp.band.member(id)
    skills = list(member.lessons())
    options = [Option(skill, "lesson", {"skill": skill_named(skill)}) for skill in skills]
    about = {"unit": id, "level": member.unit.level + 1}
    hardest = max(skills, key=lambda skill: SKILLS[member.unit.specialisation][skill.partition("(")[0]])
    skill = yield from pick_one(
        camp.side, [*options, Option(BACK, "back")], "learn", "LFW-SPEC-04", about, secret=True, default=hardest
    )
    if skill == BACK:
        return
    cost = member.price
    member.rise(skill)
    camp.tell(LevelGained("LFW-CAMP-08", camp.side, id, member.unit.level, skill.partition("(")[0], cost))
