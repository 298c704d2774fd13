"""Fighters and bands on paper, as a save holds them: what they are when a battle or a campaign begins (SBH-BAND)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from oriflamme.engine.lists.reading import Options
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Problems, Reader, badly_written, guess_or_choices
from oriflamme.engine.words.wording import Wording
from oriflamme.games.sbh.points import price, rule_problems
from oriflamme.games.sbh.roster import COMBAT, QUALITY, RACES, Card, cards, is_animal, is_personality

in_both: Final = Wording(Path(__file__).parent / "text", "bands")

DEFAULTS: Final = {"sbh.racialBands": "free", "sbh.pointsSource": "printed"}

# What a band may buy between the games of a campaign (SBH-UPG).
UPGRADES: Final[dict[str, dict[str, str]]] = {
    "weapon_masters": in_both("weapon_masters"),
    "brave": in_both("brave"),
    "dirty_tricks": in_both("dirty_tricks"),
    "divine_protection": in_both("divine_protection"),
    "knowledge_of_terrain": in_both("knowledge_of_the_terrain"),
    "regain_the_initiative": in_both("regain_the_initiative"),
    "strategic_bonus": in_both("strategic_bonus"),
    "hard_bitten": in_both("hard_bitten"),
    "unpredictable": in_both("unpredictable"),
}


class Fighter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fighter of a band. Plain data, so that a save holds him whole.

    `card` is his profile in the roster, empty if a player invented him; `hurt` and `item` are what a campaign left him.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_]+$")]
    card: str
    race: str
    name: dict[str, str]
    points: Annotated[int, msgspec.Meta(ge=0)]
    quality: Annotated[int, msgspec.Meta(ge=QUALITY.low, le=QUALITY.high)]
    combat: Annotated[int, msgspec.Meta(ge=COMBAT.low)]
    rules: tuple[str, ...]
    hurt: Annotated[int, msgspec.Meta(ge=0)] = 0
    item: Any = None

    @property
    def cost(self) -> int:
        return self.points

    @property
    def personality(self) -> bool:
        return is_personality(self.rules)

    @property
    def animal(self) -> bool:
        return is_animal(self.rules)

    @property
    def swarm(self) -> bool:
        return "swarm" in self.rules

    @property
    def type(self) -> object:
        """What makes two swarm bases alike: the same profile."""
        return self.card or (self.race, self.quality, self.combat, self.rules)


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A band that was checked: the agreed points, the fighters, and what it bought in a campaign."""

    name: dict[str, str]
    points: Annotated[int, msgspec.Meta(ge=1)]
    fighters: tuple[Fighter, ...]
    upgrades: tuple[str, ...] = ()
    about: dict[str, str] = {}

    @property
    def cost(self) -> int:
        return sum(fighter.points for fighter in self.fighters)

    @property
    def races(self) -> tuple[str, ...]:
        """The races in the band, the one with most fighters first."""
        return tuple(race for race, _ in Counter(f.race for f in self.fighters if f.race).most_common())

    def to_data(self) -> dict[str, Any]:
        """The whole band as plain data, which needs no other file to be read again."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        del data["about"]
        return data

    @staticmethod
    def from_data(data: object, where: str = "band") -> Band:
        """The band that `to_data` wrote. The limits of a band are not its business: campaigns may go beyond them."""
        try:
            band = msgspec.convert(data, Band)
        except msgspec.ValidationError as error:
            raise Problems(where, [badly_written(error)]) from None
        problems = Problems(where)
        _both(Reader(band.name, problems, "name"))
        for id, number in Counter(fighter.id for fighter in band.fighters).items():
            if number > 1:
                problems.add("fighters", notice("one_id_often", number=number, id=id), hint=notice("each_his_own_id"))
        for number, fighter in enumerate(band.fighters, 1):
            entry = Reader(msgspec.to_builtins(fighter), problems, f"fighters[{number}]")
            _both(entry.table("name"))
            if fighter.card and fighter.card not in cards():
                entry.unknown("card", fighter.card, cards(), what="fighter", rule="SBH-ROSTER-01")
            if fighter.race and fighter.race not in RACES:
                entry.unknown("race", fighter.race, RACES, what="race", rule="SBH-ROSTER-03")
            note(problems, rule_problems(fighter.rules, entry.place("rules")))
        note(problems, upgrade_problems(band.upgrades))
        problems.raise_if_any()
        return band


def note(problems: Problems, found: Iterable[Problem]) -> None:
    for problem in found:
        problems.note(problem)


def _both(name: Reader) -> None:
    """A name in both languages, as data has it."""
    name.text("en")
    name.text("fr")


def upgrade_problems(upgrades: Iterable[str]) -> Iterator[Problem]:
    """Band upgrades are known, and each is bought once (SBH-CAMP-10)."""
    held: set[str] = set()
    for number, upgrade in enumerate(upgrades, 1):
        if upgrade not in UPGRADES:
            what = notice("no_such", what="band upgrade", word=upgrade)
            yield Problem(f"upgrades[{number}]", what, "SBH-CAMP-10", guess_or_choices(upgrade, UPGRADES))
        elif upgrade in held:
            what = notice("upgrade_taken_twice", upgrade=upgrade)
            yield Problem(f"upgrades[{number}]", what, "SBH-CAMP-10", notice("leave_one_out"))
        held.add(upgrade)


def at_cost(card: Card, options: Options = DEFAULTS) -> Card:
    """A profile at its printed points, or at those of the formula if that was agreed (SBH-POINTS-08)."""
    if options.get("sbh.pointsSource") != "formula":
        return card
    return msgspec.structs.replace(card, points=price(card.quality, card.combat, card.rules))
