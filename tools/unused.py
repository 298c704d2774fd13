"""What captains are offered and never choose.

    python tools/unused.py GAME BATTLES [--all]

Captains play battles of all scenarios; of every question it is counted how often each kind of answer stood open and how
often it was given. A kind of answer is what an option's key begins with: `charge` of `charge:knights`. With --all the
answers that are used are shown too.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

from fit_chances import agreed

from oriflamme.engine.core.decisions import Decision, PickOne, PickSeveral
from oriflamme.engine.core.play import Play
from oriflamme.games import load
from oriflamme.lab.battle import decide, derived, players


def kinds_of(decision: Decision, names: set[str]) -> dict[str, str]:
    """The kind of each key that may be answered: units and figures are all of one kind."""
    found = {}
    for option in getattr(decision, "options", ()):
        head = option.key.partition(":")[0]
        if head in names:
            found[option.key] = option.word or "somebody"
        else:
            found[option.key] = "a number" if head.lstrip("+-").isdigit() else head.partition(".")[0]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("battles", type=int)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    game = load(asked.game)
    offered: Counter[tuple[str, str]] = Counter()
    chosen: Counter[tuple[str, str]] = Counter()
    for number in range(asked.battles):
        seed = derived(asked.seed, "unused", number)
        setup = game.setup(seed, choices=agreed(game, number))
        play = Play(game, setup, seed, keep=False, log=False)
        bots: list[Any] = players(game, ["captain"] * game.players_of(setup), seed, game.players_of(setup))
        while play.pending:
            decision = play.pending[0]
            answer = decide(play, decision, bots[decision.side])
            if isinstance(decision, PickOne | PickSeveral):
                names = set(play.battle.units) | {f.id for u in play.battle.units.values() for f in u.figures}
                kinds = kinds_of(decision, names)
                offered.update((decision.ask, kind) for kind in set(kinds.values()))
                picked = {kinds.get(key, key) for key in ([answer] if isinstance(answer, str) else answer)}
                chosen.update((decision.ask, kind) for kind in picked)
            assert play.answer(decision.side, answer) is None
    print(f"{asked.game}: {asked.battles} battles")
    for (ask, kind), number in sorted(offered.items()):
        if asked.all or not chosen[ask, kind]:
            print(f"  {ask:28} {kind:28} offered {number:5}, chosen {chosen[ask, kind]:5}")


if __name__ == "__main__":
    main()
