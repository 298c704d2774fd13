"""Cases of Beacon: how a scene is laid, and what its sentences mean."""

from __future__ import annotations

from functools import partial

from oriflamme.engine.cases.scenes import OF_EVERY_BATTLE, Fact, Scenes, Sentence, read_keywords, steps_of
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.words.problems import Reader

from .rounds import score
from .wardens import Battle, Card, Warden, book

done = partial(steps_of, stop=("next_warden", "begin_round"))
SENTENCES = (
    Sentence("<warden> acts", "he moves, and may strike", done(lambda _, said: ("act", said["warden"]))),
    Sentence("the next warden is chosen", "one who has not acted", done(("next_warden",), stop=("act", "begin_round"))),
    Sentence("the battle ends", "who has won", done(("end_battle",))),
)
OF_BATTLE = {**OF_EVERY_BATTLE, "score": Fact("wardens at the beacon", lambda battle, _: list(score(battle)))}


class BeaconScenes(Scenes):
    """A scene has `round` and `turn`; a warden `side`, `might`, `move`, `rules`, `acted` and `at`."""

    unit = "warden"
    sentences = SENTENCES
    of_battle = OF_BATTLE

    def begin(self, top: Reader, state: Reader, options: dict[str, str], dice: Dice) -> Battle:
        battle = Battle(options, dice)
        battle.round = state.integer("round", low=1, high=5, default=1)
        battle.turn = state.integer("turn", low=1, high=2, default=1) - 1
        return battle

    def read_unit(self, battle: Battle, name: str, reader: Reader) -> None:
        side = reader.integer("side", low=1, high=2, default=1) - 1
        might = reader.integer("might", low=0, high=6, default=2)
        move = reader.integer("move", low=1, high=9, default=5)
        rules = tuple(map(str, read_keywords(reader, "rules", book)))
        battle.units[name] = Warden(name, side, Card(name, {"en": name, "fr": name}, 1, might, move, rules))
        battle.units[name].acted = reader.flag("acted", default=False)
