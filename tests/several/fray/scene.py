"""Cases of Fray."""

from __future__ import annotations

from functools import partial

from oriflamme.engine.cases.scenes import OF_EVERY_BATTLE, Fact, Scenes, Sentence, steps_of
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.words.problems import Reader

from .gangs import Battle, Pack

done = partial(steps_of, stop=("begin_round",))
SENTENCES = (
    Sentence("side <side> goes", "a player strikes", done(lambda _, said: ("go", int(said["side"]) - 1))),
    Sentence("the beasts prowl", "each strikes", done(("prowl",))),
    Sentence("a round begins", "signs, goes, beasts", done(("begin_round",))),
    Sentence("the fray ends", "who has won", done(("end_fray",))),
)
OF_BATTLE = {
    **OF_EVERY_BATTLE,
    "gone": Fact("sides that have conceded", lambda battle, _: [side + 1 for side in battle.gone]),
}


class FrayScenes(Scenes):
    """A scene has `players`, `beasts` and `allied`; a pack `side`, `fighters` and `at`."""

    unit = "pack"
    sentences = SENTENCES
    of_battle = OF_BATTLE

    def begin(self, top: Reader, state: Reader, options: dict[str, str], dice: Dice) -> Battle:
        return Battle(
            dice,
            state.integer("players", low=1, high=4, default=2),
            beasts=state.flag("beasts", default=False),
            allied=state.flag("allied", default=False),
            endures=False,
        )

    def read_unit(self, battle: Battle, name: str, reader: Reader) -> None:
        side = reader.integer("side", low=1, high=battle.sides, default=1) - 1
        battle.units[name] = Pack(name, side, reader.integer("fighters", low=1, high=4, default=1), {"en": name})
