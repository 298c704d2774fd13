"""The command abilities that all factions know (LFW-ADC, T-16)."""

from __future__ import annotations

from collections.abc import Callable

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.heights.distances import Spot
from oriflamme.games.lfw.abilities import Ability, Laid, ability, declare
from oriflamme.games.lfw.dicing import roll_faces
from oriflamme.games.lfw.flee import rally
from oriflamme.games.lfw.ground import distance_to_spot, in_melee
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.moves import may_move, may_move_besides, move_besides
from oriflamme.games.lfw.state import Battle, Model, Part, Step
from oriflamme.games.lfw.targeting import Entry
from oriflamme.games.lfw.terrain import elevation

NEAR = 3  # inches from the user (LFW-ADC-10)
FRIEND = Entry("friend", 6)
FRIENDS = Entry("friend", 3, every=True)
SHOOTING = ("beginning", "shooting")
MELEE = ("beginning", "melee")
ORGANISATION = ("during", "organisation")
MOVEMENT = ("beginning", "movement")
ITSELF = Entry("friend", None, caster=True)

# Those that only lay an effect on their targets, as the table has them (T-16).
declare(Laid("open_fire", "LFW-ADC-01", (SHOOTING,), FRIEND, "phase", ("Better shots",)))
declare(Laid("slaughter_them", "LFW-ADC-02", (MELEE,), FRIEND, "phase", ("Better blows",)))
declare(Laid("no_quarter", "LFW-ADC-03", (SHOOTING, MELEE), FRIEND, "phase", ("Better shots", "Better blows")))
declare(Laid("heroic_attack", "LFW-ADC-04", (MELEE,), ITSELF, "phase", ("Heroic attack",)))
declare(Laid("tactical_attack", "LFW-ADC-05", (ORGANISATION,), FRIENDS, "turn", ("Skilful(hit)", "Skilful(combat)")))
declare(
    Laid(
        "organised_defence", "LFW-ADC-06", (ORGANISATION,), FRIENDS, "turn", ("Skilful(defence)", "Skilful(protection)")
    )
)
declare(Laid("take_cover", "LFW-ADC-07", (SHOOTING, MELEE), FRIEND, "phase", ("Better defence",)))
declare(Laid("at_the_double", "LFW-ADC-08", (MOVEMENT,), FRIENDS, "phase", ("At the double",)))
declare(Laid("hold_the_line", "LFW-ADC-12", (ORGANISATION,), FRIENDS, "turn", ("Better courage",)))


@ability
class Repositioning(Ability):
    """The target counts as having made no move this turn, and so not as having charged or flown, and as one that has
    stood still (LFW-SCO-04); it does not move again."""

    id = "repositioning"
    rule = "LFW-ADC-09"
    when = (("end", "movement"),)
    entry = FRIEND
    whole = True

    def resolve(self, battle: Battle, user: Part, targets: list[Part]) -> Step:
        model = battle.model_of(targets[0])
        model.moved = ""
        model.charged = model.flew = False
        model.stood = True
        return
        yield


@ability
class Reformation(Ability):
    """Starting with the user, each target may make a normal move of at most D6" that ends within 3" of the user; it is
    not its move of the movement phase."""

    id = "reformation"
    rule = "LFW-ADC-10"
    when = (ORGANISATION,)
    entry = FRIENDS
    whole = True

    def matches(self, battle: Battle, user: Part, model: Model) -> bool:
        return may_move(battle, model) and may_move_besides(battle, model, "normal")

    def resolve(self, battle: Battle, user: Part, targets: list[Part]) -> Step:
        (face,) = yield from roll_faces(battle, user.side, 1, self.id)
        own = battle.model_of(user)
        models = list({part.model: battle.model_of(part) for part in targets}.values())
        for model in sorted(models, key=lambda model: model is not own):
            near = None if model is own else _near(battle, own, model, self.rule)
            yield from move_besides(battle, model, self.rule, inches=face, why_not_end=near)


def _near(battle: Battle, own: Model, model: Model, rule: str) -> Callable[[float, float], Refusal | None]:
    """A move must end within 3" of the user (LFW-ADC-10)."""

    def why_not(x: float, y: float) -> Refusal | None:
        gap = distance_to_spot(battle, own, Spot(x, y, elevation(battle, x, y), model.body.radius))
        if gap <= inches(NEAR) + TOLERANCE:
            return None
        facts = {"unit": model.id, "target": own.id, "gap": in_inches(gap), "reach": NEAR}
        return Refusal(rule, "too_far_from_user", facts)

    return why_not


@ability
class Disengagement(Ability):
    """A target that is neither in combat nor fleeing may make a normal move."""

    id = "disengagement"
    rule = "LFW-ADC-11"
    when = (("end", "turn"),)
    entry = FRIEND
    whole = True

    def matches(self, battle: Battle, user: Part, model: Model) -> bool:
        return not in_melee(battle, model) and may_move_besides(battle, model, "normal")

    def resolve(self, battle: Battle, user: Part, targets: list[Part]) -> Step:
        yield from move_besides(battle, battle.model_of(targets[0]), self.rule)


@ability
class PullTogether(Ability):
    """A fleeing friend rallies."""

    id = "pull_together"
    rule = "LFW-ADC-13"
    when = (ORGANISATION,)
    entry = FRIEND
    whole = True

    def matches(self, battle: Battle, user: Part, model: Model) -> bool:
        return model.fleeing

    def resolve(self, battle: Battle, user: Part, targets: list[Part]) -> Step:
        rally(battle, battle.model_of(targets[0]), self.rule)
        return
        yield
