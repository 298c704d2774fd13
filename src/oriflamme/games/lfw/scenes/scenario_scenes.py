"""Cases about objectives and scenarios."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Question, Sentence
from oriflamme.engine.table.maps import load_map
from oriflamme.games.lfw.battlefields.demands import why_not
from oriflamme.games.lfw.battlefields.generator import generate_battlefield
from oriflamme.games.lfw.secondary import OBJECTIVES
from oriflamme.games.lfw.state import Battle


def _made(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    made = generate_battlefield(int(match["seed"]), battle.scenario, battle.players)
    return Deed(problems=why_not(made.table, battle.scenario))


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence(
        "the table is checked",
        "what its scenario asks of a table; expect problems",
        lambda battle, match, top: Deed(problems=why_not(battle.table, battle.scenario)),
    ),
    Sentence(
        "the map <name> is checked",
        "a map that ships, for the scenario of the scene; expect problems",
        lambda battle, match, top: Deed(problems=why_not(load_map(match["name"]).table, battle.scenario)),
    ),
    Sentence("a table is made from seed <seed>", "for the scenario of the scene; expect problems", _made),
)
QUESTIONS: Final[Mapping[str, Question]] = {
    "choose_secondary": Question("each side in secret", " ".join(OBJECTIVES)),
    "which_corner": Question(keys="south_west south_east north_west north_east"),
    "choose_objective": Question(keys="<piece>"),
    "deliver": Question(keys="yes no"),
    "leave_table": Question(keys="yes no"),
    "abandon": Question(keys="yes no"),
    "carry": Question(keys="keep put_down_first put_down_after"),
    "take_treasure": Question(keys="<treasure> none"),
    "take_spoils": Question(keys="<unit> none"),
    "lay_treasure": Question(what="[x, y]", suggested=True),
    "give_torches": Question(keys="<unit>"),
    "choose_appearing": Question(keys="<unit> pass"),
    "choose_aim": Question(keys="kill killed"),
    "choose_territory": Question(keys="near far left right"),
    "choose_champion": Question("each side in secret", "<unit>"),
    "drop_treasure": Question(what="[x, y], in contact with who held it", suggested=True),
}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "AimChosen.aim": ("kill", "killed"),
    "TerritoryChosen.territory": ("near", "far", "left", "right"),
}
