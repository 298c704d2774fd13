"""What playing a battle needs to know of a game: all but what is made of battles themselves (`engine.core.game`)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from oriflamme.engine.core.battle import Battle
from oriflamme.engine.core.bots import HUMAN, Bot, RandomBot
from oriflamme.engine.core.chances import Weights, weights_in
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.steps import Steps
from oriflamme.engine.lists.armies import Armies
from oriflamme.engine.lists.shelf import agreed_points, ready_for
from oriflamme.engine.odds import Odds
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.screen.aids import Aids
from oriflamme.engine.table.maps import Map, load_map, shipped_maps
from oriflamme.engine.words.catalogue import load
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, did_you_mean, guess_or_choices, problem_with

# Gives the rulebook of an id; raises Problems if there is none. `oriflamme.games.load` is one.
RulebookOf = Callable[[str], "Rulebook"]


class HouseRule:
    """An option of a game: its key, the default ruling, the other values, and the rule it belongs to."""

    __slots__ = ("default", "key", "others", "rule")

    def __init__(self, key: str, default: str, others: tuple[str, ...], rule: str) -> None:
        self.key = key
        self.default = default
        self.others = others
        self.rule = rule

    @property
    def values(self) -> tuple[str, ...]:
        return (self.default, *self.others)


def house_rules_of(game: str) -> dict[str, HouseRule]:
    """The options of a game, read from its catalogue's own table."""
    return {
        key: HouseRule(key, option.default, tuple(option.alternatives), option.rule)
        for key, option in load(game).options.items()
    }


class Rulebook:
    """Its id and name, its steps, options and special rules, how a battle begins, and what people see and bring."""

    id: str = ""
    # What it is called, by language.
    title: ClassVar[Mapping[str, str]] = {}
    # Counted up when the same setup, seed and answers no longer give the same battle: a save says which rules it needs.
    version: int = 1
    measure: str = "in"
    # How many people usually play it, and the choice whose value says how many, where players agree on that.
    sides: int = 2
    players_choice: str = ""
    # How many armies there may be besides that nobody owns; theirs are the last sides.
    unowned: int = 0
    # What the names of maps begin with that are made for it from a seed (`engine.table.maps`).
    generated_maps: str = "generated_"
    # How many points people play it at: for an evening, and for a long one.
    sizes: tuple[int, int] = (750, 1500)
    # How many minutes a person needs for a battle of the smaller size, from and to; none where nobody has said.
    minutes: tuple[int, int] | None = None
    # How much there is to learn before one plays it well: 1 is the least, 5 the most; 0 where nobody has said.
    learning: int = 0
    steps: Steps
    # What players agree on before a battle besides armies, map and house rules, the usual value first.
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    # Where a value of one choice leaves only some values of another: `{"scenario": {"duel": {"players": ("2",)}}}`.
    goes_with: ClassVar[Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]]] = {}
    # The step for a side that gives up, where the rulebook lets it do so at any time. It ends the battle: whatever is
    # going on is dropped. Where the others play on (`surrender_removes`), the step that is under way is finished first,
    # the side being asked nothing more; then this step takes it off the table and out of the turn track, and ends the
    # battle if that leaves nobody to play.
    surrender: str = ""
    surrender_removes: bool = False
    # Events under which a log gathers those that follow, and events a short log leaves out.
    headlines: frozenset[str] = frozenset()
    asides: frozenset[str] = frozenset()

    @cached_property
    def options(self) -> Mapping[str, HouseRule]:
        """Its house rules, as its catalogue has them."""
        return house_rules_of(self.id)

    def missing(self) -> list[str]:
        """What a game must say and this one does not."""
        unsaid = [name for name in ("id", "title", "steps") if not getattr(self, name, None)]
        return unsaid + [f"{name}()" for name in ("begin",) if getattr(type(self), name) is getattr(Rulebook, name)]

    def begin(self, setup: dict[str, Any], dice: Dice) -> Battle[Any]:
        """The battle before its first step, from plain setup data."""
        raise NotImplementedError

    def deal(self, battle: Any, seen: Any, side: int, random: Random) -> None:
        """Deal anew what this battle hides from a side (`Battle.hide`): something that may be true for all it knows.

        `battle` is as it was at the beginning of the step under way, `seen` as it is now, both without what is hidden
        from the side. What has come to light since must have been there.
        """

    def open(self, setup: dict[str, Any], dice: Dice) -> Battle[Any]:
        """The battle that a setup describes: before its first step, or as the scene has it that the setup holds."""
        return self.begin(setup, dice)

    def setup(
        self,
        seed: int,
        *,
        points: int = 0,
        lists: Sequence[str] = (),
        map: str = "",
        options: Mapping[str, str] | None = None,
        choices: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Plain setup data: the lists and the map that are named, ready-made ones chosen by the seed where none are.

        `choices` are answers to what else this game lets players agree on before a battle. Without more, there is an
        army for each player, all of the same size, and no map: the table is the game's own.
        """
        reader, chance = self.armies().reader, Random(seed)
        rules = self.defaults() | dict(options or {})
        agreed = self.agreed(choices)
        number = self.players_of(agreed)
        named = [reader.load(name, rules) if name else None for name in (*lists, *[""] * number)[:number]]
        size = agreed_points(points, [army.points if army is not None else None for army in named], min(self.sizes))
        ready = ready_for(size, {name: reader.load(name, rules).points for name in reader.ready})
        armies = [army or reader.load(chance.choice(ready), rules) for army in named]
        data = {"game": self.id, "points": size, "options": rules, **agreed}
        return data | {"armies": [army.to_data() for army in armies]}

    def players_of(self, agreed: Mapping[str, Any]) -> int:
        """How many people play, by what they have agreed on; the setup of a battle has that too."""
        return int(agreed.get(self.players_choice, self.sides)) if self.players_choice else self.sides

    @property
    def most_sides(self) -> int:
        """How many armies there are at most at one table."""
        numbers = self.choices.get(self.players_choice, ())
        return max((int(number) for number in numbers), default=self.sides) + self.unowned

    def agreed(self, choices: Mapping[str, str] | None) -> dict[str, str]:
        """What players have agreed on, the usual where they said nothing; raises Problems."""
        made: dict[str, str] = {}
        problems = Problems("setup")
        for key, value in (choices or {}).items():
            if key not in self.choices:
                problems.add(key, notice("no_such_choice", game=self.id), hint=guess_or_choices(key, self.choices))
            elif value not in self.choices[key]:
                problems.add(
                    key, notice("cannot_be", value=value), hint=notice("expected_one_of", choices=self.choices[key])
                )
            else:
                made[key] = value
        for key, value in made.items():
            for other, usable in self.goes_with.get(key, {}).get(value, {}).items():
                if other in made and made[other] not in usable:
                    what = notice("does_not_go_with", value=made[other], other=key, chosen=value)
                    problems.add(other, what, hint=notice("expected_one_of", choices=usable))
        problems.raise_if_any()
        for key in self.choices:
            if key not in made:
                made[key] = self.values_with(key, made)[0]
        return {key: made[key] for key in self.choices}

    def values_with(self, choice: str, made: Mapping[str, str]) -> tuple[str, ...]:
        """The values of a choice that go with what was chosen already; all of them if that leaves none."""

        def goes(key: str, value: str, other: str, chosen: str) -> bool:
            return chosen in self.goes_with.get(key, {}).get(value, {}).get(other, (chosen,))

        def fits(value: str) -> bool:
            return all(goes(key, v, choice, value) and goes(choice, value, key, v) for key, v in made.items())

        return tuple(filter(fits, self.choices[choice])) or self.choices[choice]

    def defaults(self) -> dict[str, str]:
        """The options as the catalogue rules them."""
        return {key: rule.default for key, rule in self.options.items()}

    def maps(self) -> tuple[str, ...]:
        """The shipped maps that suit it."""
        return tuple(shipped_maps())

    def generate_map(self, seed: int, choices: Mapping[str, str]) -> Map:
        """The map that a seed makes for what players have agreed on."""
        return load_map(f"{self.generated_maps}{seed}")

    def fits(self, map: Map, choices: Mapping[str, str]) -> bool:
        """A map is large or small enough for what players have agreed on."""
        return True

    def bots(self) -> Mapping[str, Callable[..., Bot]]:
        """The players that are programs and play this game, the best of them last."""
        return {"random": RandomBot}

    @property
    def best_bot(self) -> str:
        """The bot a person would want to play against."""
        known = self.bots()
        return "captain" if "captain" in known else next(iter(known))

    def must_have_bot(self, name: str, where: str) -> None:
        """Raises Problems, with this place, if no bot of that name plays it."""
        known = self.bots()
        if name not in known:
            hint = did_you_mean(name, known) or notice("choose_from", choices=list(known))
            raise problem_with(where, notice("no_such", what="bot", word=name), hint=hint)

    def seated(self, seats: Sequence[str], number: int, where: str) -> tuple[str, ...]:
        """People (HUMAN) and bots as somebody has set them round a table of so many; "" is the best bot. Raises
        Problems."""
        for name in seats:
            if name not in (HUMAN, ""):
                self.must_have_bot(name, where)
        if len(seats) != number:
            what = notice("seats_for_players", number=len(seats), game=self.id, players=number)
            raise problem_with(where, what, hint=notice("separate_by_comma"))
        return tuple(name or self.best_bot for name in seats)

    def names(self, battle: Any) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """What people call the things that events and questions name otherwise than by units and figures.

        By field, id and language: `{"weapon": {"pike": {"en": "pike", "fr": "pique"}}}`.
        """
        return {}

    def invariants(self, battle: Any) -> list[str]:
        """What is wrong with a state, if anything: checked after every step by the exam."""
        return []

    def keywords(self) -> frozenset[str]:
        """The titles of its special rules."""
        return frozenset()

    def keywords_seen(self, events: Sequence[Event], battle: Any) -> set[str]:
        """The special rules that these events show at work; those that speak at a moment are noticed there."""
        return set()

    def armies(self) -> Armies[Any, Any, Any]:
        """What it can tell about armies, and its list builder."""
        raise problem_with(self.id, notice("has_none_yet", what="armies"))

    def unit_at(self, battle: Any, id: str) -> dict[str, Any]:
        """A unit of a battle as it stands, for whoever asks for its card: `name`, `figures`, `rules`, `weapons`, the
        `states` it is in, and its `numbers` by term, as its card shows them: `{"Quality": "4+"}`."""
        raise problem_with(self.id, notice("has_none_yet", what="units"))

    def picture(self) -> Picture[Any, Any]:
        """What its table shows."""
        return Picture(self.measure)

    def odds(self) -> Odds[Any, Any]:
        """What it knows about odds."""
        return Odds(self)

    def aids(self) -> Aids:
        """What it can show at the table before anything is decided."""
        return Aids()

    def aftermath(self, battle: Any) -> dict[str, Any]:
        """What a finished battle means for a campaign, as plain data."""
        raise NotImplementedError

    def score(self, battle: Any) -> Sequence[int]:
        """What each side has scored: how many figures it has left, where the rulebook counts nothing else."""
        return [sum(len(unit.figures) for unit in battle.units_of(side)) for side in range(battle.sides)]

    def standing(self, battle: Any, side: int) -> Mapping[str, float]:
        """How a battle stands for a side, in numbers by name, of the size of 1: what chances to win follow from
        (`engine.core.chances`). What counts for a side may be negative."""
        return {"score": float(self.score(battle)[side])}

    def progress(self, battle: Any) -> float:
        """How much of a battle is over, from 0 to 1."""
        return min(1.0, int(battle.round) / 10)

    def weights(self) -> Weights | None:
        """What each number of a standing counts; None where no battles were counted."""
        return weights_in(self.folder / "chances.toml")

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return Path(sys.modules[type(self).__module__].__file__ or "").parent

    def counted(self, battle: Any) -> str:
        """What the score counts, where the score is the result and nobody wins: a word of `[word.counted]` in the
        game's text, such as `turns = "turns survived"`. "" where somebody wins, or nobody does in a draw."""
        return ""

    def result(self, battle: Any) -> dict[str, Any]:
        """Who has won, rounds and score of a battle, as plain data. `winner` is the side that has won alone."""
        return {
            "winner": battle.winner,
            "winners": list(battle.winners),
            "players": battle.players,
            "rounds": battle.round,
            "score": list(self.score(battle)),
            "counted": self.counted(battle),
        }
