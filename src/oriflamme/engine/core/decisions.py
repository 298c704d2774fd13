"""What a player can be asked. The set is closed: every game, client and bot knows these six kinds and no other.

A decision says who decides, which rule asks, what may be answered, and whether the answer stays secret until all have
answered. Answers are plain data, so that they travel and are saved as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from math import comb, factorial
from random import Random
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import msgspec

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import rounded
from oriflamme.engine.words.outcomes import side_letter

if TYPE_CHECKING:
    from oriflamme.engine.blocks.bodies import Body

Spot = tuple[float, float]
Path = tuple[Spot, ...]


class Refused(Exception):
    """An answer that is not accepted, with the reason."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class Option(msgspec.Struct, frozen=True):
    """Something that may be chosen: the key to answer with, and what kind of thing it is.

    `things` are the ids of the units, figures, tokens and pieces of terrain it is about: a client lights them up on the
    table, and choosing one of them chooses the option. A fact `at` of two numbers is a place of the table.
    """

    key: str
    word: str = ""
    facts: dict[str, Any] = {}
    things: tuple[str, ...] = ()

    @classmethod
    def thing(cls, id: str, word: str = "", facts: dict[str, Any] | None = None) -> Option:
        """The option to choose this very thing: its id is the key."""
        return cls(id, word, facts or {}, (id,))


# Takes back what led to a question: an answer to a move or a placing that may turn out to be impossible.
TAKE_BACK = Option("take_back", "take_back")


class Decision:
    """One question to one side. `ask` names the sentence that puts it into words; `about` are its particulars.

    `extra_options` are answers that are always open but that nobody gives unless he means to, such as giving up: they
    are accepted and shown apart, and chance never picks one. Where nobody measures before he has decided, a question is
    `measured` if what it is about has been measured by now, or needs no measuring: then its aids, odds and trials are
    there as where measuring is open (`engine.screen.measuring`).
    """

    kind = ""
    extra_options: tuple[Option, ...] = ()
    # The answer that lets it pass, in a tuple of its own: nobody who gives it loses anything that rules require of him.
    # A player may have it given for him whenever this is asked; a question without one is always put.
    passing: tuple[Any] | None = None

    def __init__(
        self,
        side: int,
        ask: str,
        rule: str,
        about: dict[str, Any] | None = None,
        *,
        secret: bool = False,
        measured: bool = False,
    ) -> None:
        self.side = side
        self.ask = ask
        self.rule = rule
        self.about: dict[str, Any] = about or {}
        self.secret = secret
        self.measured = measured
        # What was found out about it when somebody looked: plain values, shared by every play that comes to it.
        self.known: dict[Any, Any] = {}

    def accept(self, raw: Any) -> Any:
        """The answer as the rules want it; raises Refused."""
        raise NotImplementedError

    def sample(self, random: Random) -> Any:
        """A legal answer by chance, every legal answer having a chance."""
        raise NotImplementedError

    def suggestion(self) -> Any:
        """A sensible legal answer: what a player gets who has no opinion."""
        return self.sample(Random(0))

    def answers(self, most: int = 1000) -> list[Any]:
        """All legal answers, or the first `most` of them. Of places and moves there are endless many: none is listed,
        and `sample` draws one.
        """
        return []

    def forced(self) -> tuple[Any] | None:
        """The only answer there is, if there is only one."""
        return None

    def __repr__(self) -> str:
        offered = self._shown()
        shown = ", ".join(offered[:5]) + (f" and {len(offered) - 5} more" if len(offered) > 5 else "")
        return f"<{type(self).__name__} {self.ask} for side {side_letter(self.side)}: {shown}>"

    def _shown(self) -> Sequence[str]:
        """What a repr shows of what may be answered."""
        return ()

    def data(self) -> dict[str, Any]:
        """The question as plain data for a client."""
        data = {"kind": self.kind, "side": self.side, "ask": self.ask, "rule": self.rule, "about": self.about}
        data |= {"passing": self.passing[0]} if self.passing is not None else {}
        return data | {"besides": [msgspec.to_builtins(o) for o in self.extra_options]} if self.extra_options else data

    def also_offer(self, option: Option) -> None:
        """One more answer that is always open but that nobody gives unless he means to; it stands before the others."""
        self.extra_options = (option, *(o for o in self.extra_options if o != option))

    def refuse(self, why: str, **facts: Any) -> Refused:
        return Refused(Refusal(self.rule, why, facts))


# Options, or a function that finds them when somebody looks.
Offers = Sequence[Option] | Callable[[], Sequence[Option]]


def _asked_for(offers: Offers) -> Sequence[Option]:
    return offers() if callable(offers) else offers


class PickOne(Decision):
    """Pick one of some options. The answer is its key.

    `unproven` are options of which it is not known whether they can be carried out. Who picks one is asked to show how,
    and may take it back. They stand with `extra_options`, and the question is put for their sake even if there is only
    one option else.

    What nobody sees or picks need not be worked out. With `is_open`, the options are those for whose keys it is true;
    one at least is. It is asked when somebody looks for all of them, and of those that chance draws. `unproven`,
    `extra_options` and `default` may be functions, which are asked once when somebody looks.
    """

    kind = "pick one"

    def __init__(
        self,
        side: int,
        options: Sequence[Option],
        ask: str,
        rule: str,
        about: dict[str, Any] | None = None,
        *,
        secret: bool = False,
        measured: bool = False,
        default: str | Callable[[], str] | None = None,
        why_not: Callable[[str], Refusal | None] | None = None,
        extra_options: Offers = (),
        unproven: Offers = (),
        passing: str | None = None,
        is_open: Callable[[str], bool] | None = None,
    ) -> None:
        super().__init__(side, ask, rule, about, secret=secret, measured=measured)
        self._considered = tuple(options)
        self._is_open = is_open
        self._options = self._considered if is_open is None else None
        self._unproven = unproven
        self._besides = extra_options
        self._also: tuple[Option, ...] = ()
        self._extra_options: tuple[Option, ...] | None = None
        self._default = default
        self._why_not = why_not
        if not self._considered:
            raise ValueError(f"{ask}: nothing to choose from")
        if passing is not None:
            if not any(option.key == passing for option in self._considered):
                raise ValueError(f"{ask}: {passing} is not among the options")
            self.passing = (passing,)

    @property
    def extra_options(self) -> tuple[Option, ...]:
        if self._extra_options is None:
            found = (*_asked_for(self._unproven), *_asked_for(self._besides))
            self._extra_options = (*self._also, *(option for option in found if option not in self._also))
        return self._extra_options

    @extra_options.setter
    def extra_options(self, options: tuple[Option, ...]) -> None:
        self._extra_options = options

    def also_offer(self, option: Option) -> None:
        if self._extra_options is not None:
            super().also_offer(option)
        elif option not in self._also:
            # Nobody has looked at the others yet.
            self._also = (option, *self._also)

    @property
    def default(self) -> str | None:
        if callable(self._default):
            self._default = self._default()
        return self._default

    @property
    def options(self) -> tuple[Option, ...]:
        if self._options is None:
            self._options = tuple(o for o in self._considered if self._opens(o.key))
        return self._options

    def _opens(self, key: str) -> bool:
        if self._is_open is None:
            return True
        known: bool | None = self.known.get(key)
        if known is None:
            known = self.known[key] = self._is_open(key)
        return known

    def keys(self) -> tuple[str, ...]:
        return tuple(o.key for o in self.options)

    def accept(self, raw: Any) -> str:
        if isinstance(raw, str):
            for option in self._considered:
                if option.key == raw and self._opens(raw):
                    return raw
            for option in self.extra_options:
                if option.key == raw:
                    return raw
        refusal = self.why_not(raw)
        raise Refused(refusal)

    def why_not(self, raw: Any) -> Refusal:
        """The reason a key is not among the options."""
        if isinstance(raw, str) and self._why_not is not None:
            refusal = self._why_not(raw)
            if refusal is not None:
                return refusal
        return Refusal(self.rule, "not_offered", {"answer": raw, "offered": list(self.keys())})

    def sample(self, random: Random) -> str:
        if self._is_open is None:
            return self._considered[int(random.random() * len(self._considered))].key
        # Of what is left each is as likely as the next: so is, in the end, each that is open. Whether somebody has
        # looked at the options already must not change what is drawn.
        left = list(self._considered)
        while True:
            drawn = left.pop(int(random.random() * len(left)))
            if self._opens(drawn.key):
                return drawn.key

    def answers(self, most: int = 1000) -> list[str]:
        return list(self.keys()[:most])

    def _shown(self) -> Sequence[str]:
        return self.keys()

    def suggestion(self) -> str:
        return self.default if self.default is not None else self.options[0].key

    def forced(self) -> tuple[Any] | None:
        two = self._considered[:2]
        if self._is_open is not None:
            # The last is asked first: what lets a question pass, or ends it, stands there and is quickly told.
            asked = (*self._considered[-1:], *self._considered[:-1])
            two = tuple(islice((option for option in asked if self._opens(option.key)), 2))
        return None if len(two) == 2 or _asked_for(self._unproven) else (two[0].key,)

    def data(self) -> dict[str, Any]:
        return super().data() | {"options": [msgspec.to_builtins(o) for o in self.options]}


# Where rules judge an answer as a whole, so many are drawn by chance before all of them are gone through, and so many
# are gone through at most.
_MOST_DRAWN: Final = 20_000
_MOST_TRIED: Final = 100_000


class Counted(Decision):
    """A question whose answers can be counted, so that chance picks each of them as often as any other.

    The answers that its numbers allow are counted and drawn exactly. Where rules judge an answer as a whole (`check`),
    what they refuse is drawn again; if they refuse nearly everything, all answers are gone through. Only where neither
    finds one, because there are too many to go through, is it the suggestion.
    """

    _check: Callable[[Any], Refusal | None] | None

    def number_of_answers(self) -> int:
        """How many answers there are, before rules judge them as a whole."""
        raise NotImplementedError

    def numbered_answer(self, number: int) -> Any:
        """The answer of that number, the first being 0."""
        raise NotImplementedError

    def answers(self, most: int = 1000) -> list[Any]:
        every = map(self.numbered_answer, range(self.number_of_answers()))
        legal = (answer for answer in every if self._check is None or self._check(answer) is None)
        return list(islice(legal, most))

    def sample(self, random: Random) -> Any:
        answers = self.number_of_answers()
        if answers == 0:
            raise LookupError(f"{self.ask}: nothing can be answered")
        if self._check is None:
            return self.numbered_answer(random.randrange(answers))
        # To draw one of very many answers takes long in itself: then fewer are drawn.
        most = max(1, _MOST_DRAWN // (1 + (answers.bit_length() // 16) ** 2))
        for _ in range(min(4 * answers, most)):
            answer = self.numbered_answer(random.randrange(answers))
            if self._check(answer) is None:
                return answer
        picked, legal = self.suggestion(), 0
        for number in range(answers if answers <= _MOST_TRIED else 0):
            answer = self.numbered_answer(number)
            if self._check(answer) is None:
                legal += 1
                if random.randrange(legal) == 0:
                    picked = answer
        return picked


class PickSeveral(Counted):
    """Pick from `least` to `most` of some options. The answer is a list of their keys."""

    kind = "pick several"

    def __init__(
        self,
        side: int,
        options: Sequence[Option],
        least: int,
        most: int,
        ask: str,
        rule: str,
        about: dict[str, Any] | None = None,
        *,
        secret: bool = False,
        measured: bool = False,
        default: Sequence[str] | None = None,
        check: Callable[[tuple[str, ...]], Refusal | None] | None = None,
        why_not: Callable[[str], Refusal | None] | None = None,
        passing: Sequence[str] | None = None,
        always: bool = False,
    ) -> None:
        """With `always` it is put even if there is nothing to pick: that there is nothing is nobody else's business."""
        super().__init__(side, ask, rule, about, secret=secret, measured=measured)
        self.always = always
        self.options = tuple(options)
        self.least = least
        self.most = most
        self.default = tuple(default) if default is not None else None
        self.passing = (tuple(passing),) if passing is not None else None
        self._check = check
        self._why_not = why_not

    def keys(self) -> tuple[str, ...]:
        return tuple(o.key for o in self.options)

    def _shown(self) -> Sequence[str]:
        return self.keys()

    def accept(self, raw: Any) -> tuple[str, ...]:
        if not isinstance(raw, list | tuple) or not all(isinstance(k, str) for k in raw):
            raise self.refuse("not_a_list_of_keys", answer=raw)
        picked = tuple(raw)
        known = self.keys()
        for key in picked:
            if key not in known:
                refusal = self._why_not(key) if self._why_not is not None else None
                raise Refused(refusal) if refusal else self.refuse("not_offered", answer=key, offered=list(known))
        if len(set(picked)) != len(picked):
            raise self.refuse("picked_twice", answer=list(picked))
        if not self.least <= len(picked) <= self.most:
            raise self.refuse("wrong_number", picked=len(picked), least=self.least, most=self.most)
        picked = tuple(k for k in known if k in picked)
        if self._check is not None:
            refusal = self._check(picked)
            if refusal is not None:
                raise Refused(refusal)
        return picked

    def number_of_answers(self) -> int:
        offered = len(self.options)
        return sum(comb(offered, size) for size in range(self.least, min(self.most, offered) + 1))

    def numbered_answer(self, number: int) -> tuple[str, ...]:
        offered, size = len(self.options), self.least
        while number >= (of_this_size := comb(offered, size)):
            number -= of_this_size
            size += 1
        picked = []
        for place, option in enumerate(self.options):
            with_it = comb(offered - place - 1, size - 1) if size else 0
            if number < with_it:
                picked.append(option.key)
                size -= 1
            else:
                number -= with_it
        return tuple(picked)

    def suggestion(self) -> tuple[str, ...]:
        return self.default if self.default is not None else self.keys()[: self.least]

    def forced(self) -> tuple[Any] | None:
        if self.always:
            return None
        if self.least == self.most == len(self.options):
            return (self.keys(),)
        return ((),) if self.most == 0 else None

    def data(self) -> dict[str, Any]:
        options = [msgspec.to_builtins(o) for o in self.options]
        return super().data() | {"options": options, "least": self.least, "most": self.most}


@lru_cache(maxsize=256)
def _ways_to_share(rooms: tuple[int, ...], most: int) -> tuple[tuple[int, ...], ...]:
    """In how many ways exactly 0, 1, ... `most` are shared among all of these slots, among all but the first, ..."""
    ways = [1] + [0] * most
    table = [tuple(ways)]
    for room in reversed(rooms):
        up_to = list(accumulate(ways))
        ways = [up_to[n] - (up_to[n - room - 1] if n > room else 0) for n in range(most + 1)]
        table.append(tuple(ways))
    return tuple(reversed(table))


class Group(msgspec.Struct, frozen=True):
    """Slots with a budget of their own: all of them together hold at least `least` and at most `most`.

    The same slot may be in several groups, however they overlap. `name` puts it into words, as an option is; `rule` is
    the one that sets the bounds, if it is not that of the question.
    """

    name: Option
    slots: tuple[str, ...]
    least: int = 0
    most: int | None = None
    rule: str = ""

    def spent(self, answer: dict[str, int]) -> int:
        """What an answer gives to these slots."""
        return sum([answer.get(slot, 0) for slot in self.slots])


# A group by the places of its slots, with its bounds.
_Bounds = tuple[tuple[int, ...], int, int]
# What each group holds so far; one that will be within its bounds whatever comes has nothing to remember.
_Held = tuple[int, ...]
_WHATEVER_COMES: Final = -1


class _Sharing:
    """Every way to share out among slots within the bounds of several groups: counted, and found by number.

    Slot by slot, ways that hold the same in all groups go on alike: only how many there are is kept, and the fewest
    that may still have to be given. Nothing is left out, however the groups overlap.
    """

    def __init__(self, rooms: tuple[int, ...], groups: tuple[_Bounds, ...]) -> None:
        self.rooms = rooms
        self.groups = groups
        self.of_slot = [tuple(g for g, (slots, _, _) in enumerate(groups) if i in slots) for i in range(len(rooms))]
        # How much of a group's room is in the slots from each place on.
        self.room_after = [
            [sum(rooms[slot] for slot in slots if slot >= i) for i in range(len(rooms) + 1)] for slots, _, _ in groups
        ]
        self.start = self._within(tuple([0] * len(groups)), 0)
        reached: list[dict[_Held, None]] = [{self.start: None} if self.start is not None else {}]
        for i in range(len(rooms)):
            reached.append({after: None for held in reached[-1] for _, after in self._following(i, held)})
        # For each place and what is held there: the number of ways to go on, and the fewest that must be given.
        self.ways: list[dict[_Held, tuple[int, int]]] = [{} for _ in reached]
        self.ways[-1] = dict.fromkeys(reached[-1], (1, 0))
        for i in reversed(range(len(rooms))):
            for held in reached[i]:
                on = [(given, self.ways[i + 1][after]) for given, after in self._following(i, held)]
                open_ways = [(given + fewest, number) for given, (number, fewest) in on if number]
                if open_ways:
                    self.ways[i][held] = (sum([n for _, n in open_ways]), min([fewest for fewest, _ in open_ways]))
                else:
                    self.ways[i][held] = (0, 0)

    def _within(self, held: _Held, place: int) -> _Held | None:
        """What is held before a place, as it is remembered; None if some group cannot be within its bounds any more."""
        found = []
        for now, (_, least, most), after in zip(held, self.groups, self.room_after, strict=True):
            if now == _WHATEVER_COMES:
                found.append(now)
            elif now > most or now + after[place] < least:
                return None
            else:
                found.append(_WHATEVER_COMES if now >= least and now + after[place] <= most else now)
        return tuple(found)

    def _following(self, place: int, held: _Held) -> list[tuple[int, _Held]]:
        """What may be given to the slot of that place, and what is held then."""
        found = []
        for given in range(self.rooms[place] + 1):
            now = list(held)
            for group in self.of_slot[place]:
                if now[group] != _WHATEVER_COMES:
                    now[group] += given
            after = self._within(tuple(now), place + 1)
            if after is not None:
                found.append((given, after))
        return found

    @property
    def number(self) -> int:
        return self.ways[0][self.start][0] if self.start is not None else 0

    def numbered(self, number: int) -> list[int]:
        """What each slot is given the so manieth way."""
        shares: list[int] = []
        held = self.start
        assert held is not None
        for place in range(len(self.rooms)):
            for given, after in self._following(place, held):
                ways = self.ways[place + 1][after][0]
                if number < ways:
                    shares.append(given)
                    held = after
                    break
                number -= ways
        return shares

    def fewest(self) -> list[int]:
        """As little as possible in all, and that as far forward as possible."""
        shares: list[int] = []
        held = self.start
        assert held is not None
        for place in range(len(self.rooms)):
            fewest = self.ways[place][held][1]
            on = [(given, after, *self.ways[place + 1][after]) for given, after in self._following(place, held)]
            given, held = max((given, after) for given, after, ways, then in on if ways and given + then == fewest)
            shares.append(given)
        return shares


@lru_cache(maxsize=256)
def _sharing(rooms: tuple[int, ...], groups: tuple[_Bounds, ...]) -> _Sharing:
    return _Sharing(rooms, groups)


class Allocate(Counted):
    """Share out up to `most` (at least `least`) among slots that each hold so many. The answer maps slot to number.

    `groups` are slots with a budget of their own. A slot that people have no name for is told as `words` says.
    """

    kind = "allocate"

    def __init__(
        self,
        side: int,
        slots: dict[str, int],
        least: int,
        most: int,
        ask: str,
        rule: str,
        about: dict[str, Any] | None = None,
        *,
        secret: bool = False,
        measured: bool = False,
        check: Callable[[dict[str, int]], Refusal | None] | None = None,
        groups: Sequence[Group] = (),
        words: Mapping[str, Option] | None = None,
        passing: dict[str, int] | None = None,
    ) -> None:
        super().__init__(side, ask, rule, about, secret=secret, measured=measured)
        self.slots = slots
        self.least = least
        self.most = most
        self._check = check
        self.groups = tuple(groups)
        self.words: Mapping[str, Option] = words or {}
        self.passing = (passing,) if passing is not None else None
        for group in self.groups:
            if not set(group.slots) <= set(slots):
                raise ValueError(f"{ask}: {group.name.key} has slots that are not there")

    def _shown(self) -> Sequence[str]:
        return tuple(self.slots)

    def accept(self, raw: Any) -> dict[str, int]:
        if not isinstance(raw, dict):
            raise self.refuse("not_an_allocation", answer=raw)
        for slot, number in raw.items():
            if slot not in self.slots:
                raise self.refuse("not_offered", answer=slot, offered=list(self.slots))
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= self.slots[slot]:
                told = self.words.get(slot, slot)
                raise self.refuse("too_many_there", slot=told, number=number, most=self.slots[slot])
        total = sum(raw.values())
        if not self.least <= total <= self.most:
            raise self.refuse("wrong_number", picked=total, least=self.least, most=self.most)
        answer = {slot: raw[slot] for slot in self.slots if raw.get(slot)}
        for group in self.groups:
            refusal = self._why_not_in(group, answer)
            if refusal is not None:
                raise Refused(refusal)
        if self._check is not None:
            refusal = self._check(answer)
            if refusal is not None:
                raise Refused(refusal)
        return answer

    def _why_not_in(self, group: Group, answer: dict[str, int]) -> Refusal | None:
        """The reason why a group has too little or too much."""
        spent, most = group.spent(answer), self.most_in(group)
        if group.least <= spent <= most:
            return None
        name = msgspec.structs.replace(group.name, facts={**self.about, **group.name.facts})
        facts = {"group": name, "spent": spent, "least": group.least, "most": most}
        return Refusal(group.rule or self.rule, "wrong_number_in_group", facts)

    def most_in(self, group: Group) -> int:
        """The most that a group of slots holds."""
        room = sum([self.slots[slot] for slot in group.slots])
        return room if group.most is None else min(room, group.most)

    def _ways(self) -> tuple[tuple[int, ...], ...]:
        rooms = tuple(self.slots.values())
        return _ways_to_share(rooms, min(self.most, sum(rooms)))

    def _grouped(self) -> _Sharing:
        places = {slot: place for place, slot in enumerate(self.slots)}
        bounds = [
            (tuple([places[slot] for slot in group.slots]), group.least, self.most_in(group)) for group in self.groups
        ]
        everything = (tuple(range(len(places))), self.least, self.most)
        return _sharing(tuple(self.slots.values()), (everything, *bounds))

    def _answer_of(self, shares: Sequence[int]) -> dict[str, int]:
        return {slot: given for slot, given in zip(self.slots, shares, strict=True) if given}

    def number_of_answers(self) -> int:
        if self.groups:
            return self._grouped().number
        return sum(self._ways()[0][self.least :])

    def numbered_answer(self, number: int) -> dict[str, int]:
        if self.groups:
            return self._answer_of(self._grouped().numbered(number))
        ways = self._ways()
        left = self.least
        while number >= ways[0][left]:
            number -= ways[0][left]
            left += 1
        answer: dict[str, int] = {}
        for slot, rest in zip(self.slots, ways[1:], strict=True):
            given = 0
            while number >= rest[left]:
                number -= rest[left]
                given += 1
                left -= 1
            if given:
                answer[slot] = given
        return answer

    def suggestion(self) -> dict[str, int]:
        """As little as possible, the first slots first; if rules refuse that, the first answer they do not refuse."""
        answer = self._fewest()
        if self._check is None or self._check(answer) is None:
            return answer
        answers = self.number_of_answers()
        tried = map(self.numbered_answer, range(answers if answers <= _MOST_TRIED else 0))
        return next((other for other in tried if self._check(other) is None), answer)

    def _fewest(self) -> dict[str, int]:
        if self.groups:
            if not self.number_of_answers():
                raise LookupError(f"{self.ask}: nothing can be answered")
            return self._answer_of(self._grouped().fewest())
        left, answer = self.least, {}
        for slot, most in self.slots.items():
            if left and most:
                answer[slot] = min(left, most)
                left -= answer[slot]
        return answer

    def forced(self) -> tuple[Any] | None:
        if self.groups:
            return (self.numbered_answer(0),) if self.number_of_answers() == 1 else None
        if self.most == 0:
            return ({},)
        if self.least == sum(self.slots.values()):
            return ({slot: number for slot, number in self.slots.items() if number},)
        return None

    def data(self) -> dict[str, Any]:
        data = super().data() | {"slots": self.slots, "least": self.least, "most": self.most}
        groups = [msgspec.to_builtins(g.name, enc_hook=str) | self._budget(g) for g in self.groups]
        return data | {"groups": groups} if groups else data

    def _budget(self, group: Group) -> dict[str, Any]:
        return {"slots": list(group.slots), "least": group.least, "most": group.most}


class PutInOrder(Counted):
    """Put all of some things in an order. The answer is the list of their keys."""

    kind = "put in order"

    def __init__(
        self,
        side: int,
        options: Sequence[Option],
        ask: str,
        rule: str,
        about: dict[str, Any] | None = None,
        *,
        secret: bool = False,
        measured: bool = False,
        check: Callable[[tuple[str, ...]], Refusal | None] | None = None,
    ) -> None:
        super().__init__(side, ask, rule, about, secret=secret, measured=measured)
        self.options = tuple(options)
        self._check = check

    def keys(self) -> tuple[str, ...]:
        return tuple(o.key for o in self.options)

    def _shown(self) -> Sequence[str]:
        return self.keys()

    def accept(self, raw: Any) -> tuple[str, ...]:
        if not isinstance(raw, list | tuple) or not all(isinstance(k, str) for k in raw):
            raise self.refuse("not_an_order", answer=raw, offered=list(self.keys()))
        if sorted(raw) != sorted(self.keys()):
            raise self.refuse("not_an_order", answer=raw, offered=list(self.keys()))
        order = tuple(raw)
        if self._check is not None:
            refusal = self._check(order)
            if refusal is not None:
                raise Refused(refusal)
        return order

    def number_of_answers(self) -> int:
        return factorial(len(self.options))

    def numbered_answer(self, number: int) -> tuple[str, ...]:
        left, order = list(self.keys()), []
        while left:
            number, place = divmod(number, len(left))
            order.append(left.pop(place))
        return tuple(order)

    def suggestion(self) -> tuple[str, ...]:
        return self.keys()

    def forced(self) -> tuple[Any] | None:
        return (self.keys(),) if len(self.options) <= 1 else None

    def data(self) -> dict[str, Any]:
        return super().data() | {"options": [msgspec.to_builtins(o) for o in self.options]}


Places = dict[str, tuple[float, ...]]
Moves = dict[str, Path]


class Place(Decision):
    """Place figures (or markers) on the table. The answer maps each to [x, y], or [x, y, z, facing], in millimetres.

    `check` says why a placing is illegal; `propose` makes a legal one by chance, or None if it finds none. With
    `may_take_back` the answer may also be to place nothing, which takes back what led here. With `pointing` a spot is
    only pointed at, perhaps by the figure that is to go there: nothing is put on it, and somebody may stand there.
    """

    kind = "place figures"

    def __init__(
        self,
        side: int,
        figures: Sequence[str],
        check: Callable[[Places], Refusal | None],
        propose: Callable[[Random], Places | None],
        ask: str,
        rule: str,
        about: dict[str, Any] | None = None,
        *,
        may_take_back: bool = False,
        measured: bool = False,
        pointing: bool = False,
    ) -> None:
        super().__init__(side, ask, rule, about, measured=measured)
        self.figures = tuple(figures)
        self.pointing = pointing
        self.extra_options = (TAKE_BACK,) if may_take_back else ()
        self._check = check
        self._propose = propose
        # The last proposal, and the copy of it handed out: as long as they agree, it need not be looked at again.
        self._proposed: Places = {}
        self._handed_out: Places | None = None

    def _shown(self) -> Sequence[str]:
        return self.figures

    def accept(self, raw: Any) -> Places:
        if raw is self._handed_out and raw == self._proposed:
            return self._proposed
        if TAKE_BACK in self.extra_options and raw in (TAKE_BACK.key, {}):
            return {}
        if not isinstance(raw, dict) or set(raw) != set(self.figures):
            raise self.refuse("not_a_placing", answer=raw, figures=list(self.figures))
        places = {figure: self._spot(raw[figure]) for figure in self.figures}
        refusal = self._check(places)
        if refusal is not None:
            raise Refused(refusal)
        return places

    def _spot(self, raw: Any) -> tuple[float, ...]:
        if not isinstance(raw, list | tuple) or not 2 <= len(raw) <= 4 or not all(_is_number(n) for n in raw):
            raise self.refuse("not_a_place", answer=raw)
        return (rounded(raw[0]), rounded(raw[1]), *(float(n) for n in raw[2:]))

    def sample(self, random: Random) -> Places:
        proposed = self._propose(random)
        if proposed is None and TAKE_BACK in self.extra_options:
            return {}
        if proposed is None:
            raise LookupError(f"{self.ask}: no legal place was found")
        self._proposed = {figure: self._spot(proposed[figure]) for figure in self.figures}
        self._handed_out = dict(self._proposed)
        return self._handed_out

    def data(self) -> dict[str, Any]:
        data = super().data() | {"figures": list(self.figures)}
        return data | {"pointing": True} if self.pointing else data


class Move(Decision):
    """Move figures. The answer maps each one that moves to the points of its path, in millimetres.

    A single point is a destination: the shortest legal way there is found. `propose` makes a legal move by chance. With
    `may_take_back` to move nobody is to take back what led here. A point may say how one gets to it by one of the
    `words`, such as "jump" or the id of an opening: [x, y, "jump"]; such a point has three members in the moves, too.
    Of a move that is `laid` a screen shows what is suggested from the start: who is asked confirms it, or changes it.
    """

    kind = "move figures"

    def __init__(
        self,
        side: int,
        figures: Sequence[str],
        check: Callable[[Moves], Refusal | Moves],
        propose: Callable[[Random], Moves],
        ask: str,
        rule: str,
        about: dict[str, Any] | None = None,
        *,
        suggest: Callable[[], Moves] | None = None,
        may_take_back: bool = False,
        measured: bool = False,
        words: Sequence[str] = (),
        laid: bool = False,
    ) -> None:
        super().__init__(side, ask, rule, about, measured=measured)
        self.figures = tuple(figures)
        self.words = tuple(words)
        self.laid = laid
        self.extra_options = (TAKE_BACK,) if may_take_back else ()
        self._check = check
        self._propose = propose
        self._suggest = suggest
        # As in Place.
        self._proposed: Moves = {}
        self._handed_out: Moves | None = None

    def _shown(self) -> Sequence[str]:
        return self.figures

    def accept(self, raw: Any) -> Moves:
        if raw is self._handed_out and raw == self._proposed:
            return self._proposed
        if TAKE_BACK in self.extra_options and raw in (TAKE_BACK.key, {}):
            return {}
        if not isinstance(raw, dict):
            raise self.refuse("not_a_move", answer=raw)
        moves: Moves = {}
        for figure in raw:
            if figure not in self.figures:
                raise self.refuse("not_offered", answer=figure, offered=list(self.figures))
        for figure in self.figures:
            if figure in raw:
                path = self._path(raw[figure])
                if path:
                    moves[figure] = path
        checked = self._check(moves)
        if isinstance(checked, Refusal):
            raise Refused(checked)
        return self._rounded(checked)

    def _path(self, raw: Any) -> Path:
        if not isinstance(raw, list | tuple) or len(raw) > 200:
            raise self.refuse("not_a_path", answer=raw)
        if len(raw) in (2, 3) and all(_is_number(n) for n in raw[:2]):
            raw = [raw]
        path: list[Any] = []
        for spot in raw:
            if not isinstance(spot, list | tuple) or not 2 <= len(spot) <= 3 or not all(map(_is_number, spot[:2])):
                raise self.refuse("not_a_path", answer=raw)
            if len(spot) == 3 and not _is_number(spot[2]) and spot[2] not in self.words:
                raise self.refuse("not_a_path", answer=raw)
            path.append(self._point(spot))
        return tuple(path)

    def _point(self, spot: Sequence[Any]) -> Any:
        """A point as it is stored."""
        if self.words and len(spot) == 3 and spot[2] in self.words:
            return rounded(spot[0]), rounded(spot[1]), spot[2]
        return rounded(spot[0]), rounded(spot[1])

    def sample(self, random: Random) -> Moves:
        return self._hand_out(self._propose(random))

    def suggestion(self) -> Moves:
        return self._hand_out(self._suggest() if self._suggest is not None else self._propose(Random(0)))

    def _hand_out(self, proposed: Moves) -> Moves:
        self._proposed = self._rounded(proposed)
        self._handed_out = dict(self._proposed)
        return self._handed_out

    def _rounded(self, moves: Moves) -> Moves:
        """Every point as it is stored, figures in their order: what is played now is what a save plays again."""
        return {
            figure: tuple([self._point(spot) for spot in moves[figure]]) for figure in self.figures if figure in moves
        }

    def data(self) -> dict[str, Any]:
        data = super().data() | {"figures": list(self.figures)} | ({"laid": True} if self.laid else {})
        return data | {"marks": list(self.words)} if self.words else data


Pose = tuple[float, float, float]
Manoeuvres = dict[str, tuple[Pose, ...]]
Hand = Literal["march", "turn", "turn and march", "place"]


class Manoeuvre(Move):
    """Move blocks, which turn as they go: the points of a path are [x, y, facing], the middle of the block.

    A point without a facing keeps that of the point before, and the first that of the block as it stands. `bodies` are
    the shapes that move, as they will be drawn up. `how` says what a hand may do with them: `march` leg by leg,
    straight or by wheels on a front corner; `turn` on the spot; both, the turn first; or `place` anywhere at once.
    """

    def __init__(
        self,
        side: int,
        blocks: dict[str, Pose],
        check: Callable[[Manoeuvres], Refusal | Manoeuvres],
        propose: Callable[[Random], Manoeuvres],
        ask: str,
        rule: str,
        about: dict[str, Any] | None = None,
        *,
        bodies: dict[str, Body],
        how: Hand = "march",
        suggest: Callable[[], Manoeuvres] | None = None,
        measured: bool = False,
    ) -> None:
        self.blocks = blocks
        self.bodies = bodies
        self.how = how
        checked: Any = check
        proposed: Any = propose
        suggested: Any = suggest
        super().__init__(side, tuple(blocks), checked, proposed, ask, rule, about, suggest=suggested, measured=measured)

    def accept(self, raw: Any) -> Manoeuvres:  # type: ignore[override]  # its points have a facing
        if isinstance(raw, dict) and raw is not self._handed_out:
            raw = {block: self._faced(block, path) for block, path in raw.items()}
        return cast(Manoeuvres, super().accept(raw))

    def _faced(self, block: str, raw: Any) -> Any:
        if block not in self.blocks or not isinstance(raw, list | tuple):
            return raw
        points = [raw] if len(raw) in (2, 3) and all(_is_number(n) for n in raw) else raw
        facing, faced = self.blocks[block][2], []
        for point in points:
            if not isinstance(point, list | tuple) or not 2 <= len(point) <= 3:
                return raw
            facing = point[2] if len(point) == 3 else facing
            faced.append([*point[:2], facing])
        return faced

    def _point(self, spot: Sequence[Any]) -> Pose:
        return rounded(spot[0]), rounded(spot[1]), float(spot[2])

    def data(self) -> dict[str, Any]:
        bodies = {
            block: {"width": body.width, "depth": body.depth, "parts": [list(part) for part in body.parts]}
            for block, body in self.bodies.items()
        }
        blocks = {block: list(pose) for block, pose in self.blocks.items()}
        return super().data() | {"blocks": blocks, "bodies": bodies, "how": self.how}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -1e7 < value < 1e7


class Together:
    """Several decisions made at the same time: nobody sees an answer before all are in.

    Where more questions follow before anything is revealed, these are not the last of them (`revealed`).
    """

    def __init__(self, *decisions: Decision, revealed: bool = True) -> None:
        self.decisions = decisions
        self.revealed = revealed
