"""How a battle has ended, in words: who has won, alone or with others, or what was counted; what sides are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.words.sentences import sentences
from oriflamme.engine.words.subject import Subject

# The letters of sides that somebody plays, and that of an army nobody owns.
LETTERS: Final = "abcd"
NOBODYS: Final = "x"


def side_letter(side: int, players: int = len(LETTERS)) -> str:
    """The letter that the tags of a side begin with: that of its player, or the one of an army nobody owns."""
    return LETTERS[side] if 0 <= side < min(players, len(LETTERS)) else NOBODYS


def side_names(game: Subject, setup: Mapping[str, Any], battle: Any, lang: str) -> list[str]:
    """What the sides of a battle are called: as their armies are, with their letter where two are called the same."""
    word = sentences(game.id, lang).words
    armies = [army.get("name") or {} if isinstance(army, Mapping) else {} for army in setup.get("armies", ())]
    names = [str(name.get(lang) or name.get("en") or "") for name in armies]
    made: list[str] = []
    for side in range(battle.sides):
        known = names[side] if side < len(names) else ""
        usual = word["side"].get(str(side), "") if battle.is_owned(side) else word["side"]["unowned"]
        twice = known and names.count(known) > 1
        made.append(f"{known} {side_letter(side, battle.players).upper()}" if twice else known or usual)
    return made


def outcome(game: str, result: Mapping[str, Any], names: Sequence[str], lang: str) -> str:
    """A result (`Game.result`) in a few words, its score in brackets: "North Gate and Old Bridge win (5–3–5)"."""
    words = sentences(game, lang).words
    said, score = words["outcome"], result["score"]
    if result["counted"]:
        what = words.get("counted", {}).get(result["counted"], result["counted"])
        played = [said["score"].format(side=names[side], score=score[side]) for side in range(result["players"])]
        return said["counted"].format(what=what, score=", ".join(played) if len(played) > 1 else score[0])
    winners = [names[side] for side in result["winners"]]
    if not winners:
        ended = said["draw"]
    elif len(winners) == 1:
        ended = said["one"].format(winner=winners[0])
    else:
        ended = said["several"].format(winners=f"{', '.join(winners[:-1])} {words['list']['and']} {winners[-1]}")
    return f"{ended} ({'–'.join(map(str, score))})" if score else ended
