"""Targets of command abilities and spells: who may be chosen, in range (LFW-ABL-05, -06, LFW-SPL-03 to -06)."""

from __future__ import annotations

from collections.abc import Callable

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import inches
from oriflamme.games.lfw.events.magic import EffectLaid
from oriflamme.games.lfw.ground import within
from oriflamme.games.lfw.sight import sees
from oriflamme.games.lfw.state import Asking, Battle, Effect, Model, Part


class Entry:
    """The target entry and range of an ability or a spell.

    `who` is "friend", "enemy" or "unit"; `every` for all that match; `caster` for the user itself; `visible` if it must
    be seen. A range of None is no limit. Anything else is asked of `matches`.
    """

    __slots__ = ("caster", "every", "range", "visible", "who")

    def __init__(
        self,
        who: str = "unit",
        range: float | None = None,
        *,
        every: bool = False,
        visible: bool = False,
        caster: bool = False,
    ) -> None:
        self.who = who
        self.range = range
        self.every = every
        self.visible = visible
        self.caster = caster

    def matching(self, battle: Battle, user: Part, range: float | None) -> list[Model]:
        """The models that fit the entry, within a range that skills may have changed."""
        own = battle.model_of(user)
        if self.caster:
            return [own]
        return [model for model in battle.there() if self._fits(battle, user, own, model, range)]

    def _fits(self, battle: Battle, user: Part, own: Model, model: Model, range: float | None) -> bool:
        friends = battle.are_friends(user.side, model.side)
        if self.who != "unit" and friends is not (self.who == "friend"):
            return False
        if model is own and self.who == "friend" and battle.option("lfw.selfIsFriend") == "no":
            return False
        if range is not None and not within(battle, own, model, inches(range)):
            return False
        return not self.visible or model is own or sees(battle, own, model)


def choose_target(
    battle: Battle,
    user: Part,
    models: list[Model],
    about: str,
    rule: str,
    *,
    whole: bool = False,
    fits: Callable[[Part], bool] = lambda part: True,
) -> Asking[list[Part]]:
    """One target, and of a duo which of the two, if both fit (LFW-CAV-17)."""
    options = [Option.thing(model.id, "unit", {"unit": model.id}) for model in models]
    key = yield from pick_one(user.side, options, "choose_target", rule, {"unit": user.id, "about": about})
    return (yield from choose_parts(battle, user, battle.units[key], whole=whole, fits=fits))


def choose_parts(
    battle: Battle, user: Part, model: Model, *, whole: bool, fits: Callable[[Part], bool] = lambda part: True
) -> Asking[list[Part]]:
    """Of a duo the user chooses the component, unless the effect is on the whole duo (LFW-CAV-17)."""
    if whole or not model.duo:
        return model.alive
    parts = [Option(part.id, "part", {"unit": part.id, "role": part.role}) for part in model.alive if fits(part)]
    id = yield from pick_one(user.side, parts, "which_component", "LFW-CAV-17", {"unit": user.id, "target": model.id})
    return [battle.part(id)]


def lay_effect(battle: Battle, part: Part, effect: Effect) -> None:
    """Something lies on a part for a while."""
    part.lay(effect)
    battle.tell(EffectLaid(effect.rule, part.id, effect.source, effect.until))
