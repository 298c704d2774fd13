"""As many pairs as possible of things that may be paired (Edmonds' blossoms).

A matching that is nearly right is made right by one search: who pairs a crowd one by one need not begin anew each time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

FREE = -1


class Matching:
    """Pairs among the numbers 0 to n - 1; `may` says who may be paired with whom, both ways."""

    def __init__(self, may: Sequence[Iterable[int]]) -> None:
        self.may = [sorted(others) for others in may]
        self.mate = [FREE] * len(self.may)
        self.gone: set[int] = set()

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return sum(mate != FREE for mate in self.mate) // 2

    def complete(self) -> int:
        """Make as many pairs as there can be, those there are kept in number; how many there are then."""
        for one, mate in enumerate(self.mate):
            if mate == FREE and one not in self.gone:
                self._augment(one)
        return self.size

    def without(self, *taken: int) -> Matching:
        """As many pairs as there can be among the others."""
        twin = Matching.__new__(Matching)
        twin.may, twin.mate, twin.gone = self.may, list(self.mate), self.gone | set(taken)
        for one in taken:
            mate = twin.mate[one]
            if mate != FREE:
                twin.mate[mate] = twin.mate[one] = FREE
        twin.complete()
        return twin

    def _augment(self, root: int) -> bool:
        """Look for a way from one who is free to another who is, by turns off and along pairs; pair them along it."""
        number = len(self.may)
        parent = [FREE] * number
        base = list(range(number))
        reached = {root}
        queue = deque([root])
        while queue:
            one = queue.popleft()
            for other in self.may[one]:
                if other in self.gone or base[one] == base[other] or self.mate[one] == other:
                    continue
                if other == root or (self.mate[other] != FREE and parent[self.mate[other]] != FREE):
                    self._shrink(one, other, parent, base, reached, queue)
                elif parent[other] == FREE:
                    parent[other] = one
                    if self.mate[other] == FREE:
                        self._pair_along(other, parent)
                        return True
                    reached.add(self.mate[other])
                    queue.append(self.mate[other])
        return False

    def _shrink(
        self, one: int, other: int, parent: list[int], base: list[int], reached: set[int], queue: deque[int]
    ) -> None:
        """An odd ring was met: from now on it is one place, and all of it is reached."""
        top = self._meeting(one, other, parent, base)
        ring: set[int] = set()
        self._mark(one, top, other, parent, base, ring)
        self._mark(other, top, one, parent, base, ring)
        for place in range(len(base)):
            if base[place] in ring:
                base[place] = top
                if place not in reached:
                    reached.add(place)
                    queue.append(place)

    def _meeting(self, one: int, other: int, parent: Sequence[int], base: Sequence[int]) -> int:
        seen = set()
        while True:
            one = base[one]
            seen.add(one)
            if self.mate[one] == FREE:
                break
            one = parent[self.mate[one]]
        while base[other] not in seen:
            other = parent[self.mate[base[other]]]
        return base[other]

    def _mark(self, one: int, top: int, child: int, parent: list[int], base: Sequence[int], ring: set[int]) -> None:
        while base[one] != top:
            ring |= {base[one], base[self.mate[one]]}
            parent[one] = child
            child = self.mate[one]
            one = parent[child]

    def _pair_along(self, end: int, parent: Sequence[int]) -> None:
        while end != FREE:
            before = parent[end]
            after = self.mate[before]
            self.mate[end], self.mate[before] = before, end
            end = after


def most_pairs(players: Sequence[str], barred: Mapping[str, Iterable[str]]) -> Matching:
    """As many pairs as there can be of players who are not barred from each other; numbers are places in `players`."""
    no = [set(barred.get(one, ())) for one in players]
    found = Matching(
        [[b for b, other in enumerate(players) if other != one and other not in no[a]] for a, one in enumerate(players)]
    )
    found.complete()
    return found
