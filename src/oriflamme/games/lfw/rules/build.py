"""How a unit is made (LFW-SR-BLD): weak blows, impact, protections, regeneration, what it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from oriflamme.games.lfw.dicing import roll_faces
from oriflamme.games.lfw.events.magic import Regenerated
from oriflamme.games.lfw.moments import Keyword, keyword
from oriflamme.games.lfw.organisation import Action, action, upkeep_of
from oriflamme.games.lfw.wounds import recover

if TYPE_CHECKING:
    from oriflamme.games.lfw.attack import Attack
    from oriflamme.games.lfw.combat import Fighting
    from oriflamme.games.lfw.organisation import Upkeep
    from oriflamme.games.lfw.state import Battle, Part, Step
    from oriflamme.games.lfw.wounds import Wounding


@keyword("LFW-SR-BLD-03", "Weak({x})")
class Weak(Keyword):
    """Its attacks always inflict X wounds less."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        attack.weak = max(attack.weak, self.x)


_IMPACT: Final = re.compile(r"^(\d+)\s*,\s*(-?\d+)((?:\s*,\s*.+)?)$")


@keyword("LFW-SR-BLD-06", "Impact({text})")
class Impact(Keyword):
    """In a turn in which it charged, every enemy in contact suffers ranged attacks when it fights: number, strength,
    special rules. Of several the one with the most attacks counts, then the strongest (LFW-SR-GEN-04)."""

    __slots__ = ()

    @classmethod
    def read_text(cls, text: str) -> str | None:
        match = _IMPACT.match(text.strip())
        if match is None:
            return None
        rules = [rule.strip() for rule in match.group(3).split(",") if rule.strip()]
        return ", ".join([match.group(1), match.group(2), *rules])

    def when_fighting(self, fighting: Fighting) -> None:
        if fighting.model.charged:
            number, strength, *rules = self.word.split(", ")
            fighting.impacts = [max([*fighting.impacts, (int(number), int(strength), tuple(rules))])]


@keyword("LFW-SR-BLD-08", "Protection({x}+)")
class Protection(Keyword):
    """Each wound is cancelled on X or more."""

    __slots__ = ()
    low = True

    def before_wounds(self, wounding: Wounding) -> None:
        wounding.protect(self.x)


@keyword("LFW-SR-BLD-09", "Magic protection({x}+)")
class MagicProtection(Keyword):
    """Each wound that protection has not cancelled is cancelled on X or more."""

    __slots__ = ()
    low = True

    def before_wounds(self, wounding: Wounding) -> None:
        wounding.protect_by_magic(self.x)


@keyword("LFW-SR-BLD-10", "Regeneration({x}+)")
class Regeneration(Keyword):
    """In the organisation phase a die for each lost life point; each X or more brings one back."""

    __slots__ = ()
    low = True

    def in_organisation(self, upkeep: Upkeep) -> None:
        if upkeep.part.pv < upkeep.part.most:
            upkeep.actions["regenerate"] = self.x


@action
class Regenerate(Action):
    """Compulsory; successes are thrown again by who suffered wounds from fire in the turn before."""

    id = "regenerate"
    rule = "LFW-SR-BLD-10"
    compulsory = True

    def is_open(self, battle: Battle, part: Part) -> bool:
        return self.id in upkeep_of(battle, part).actions

    def perform(self, battle: Battle, part: Part) -> Step:
        needed = upkeep_of(battle, part).actions[self.id]
        faces = list((yield from roll_faces(battle, part.side, part.most - part.pv, "regeneration")))
        if "was_burnt" in part.used:
            again = [i for i, face in enumerate(faces) if face >= needed]
            fresh = yield from roll_faces(battle, part.side, len(again), "regeneration")
            for place, face in zip(again, fresh, strict=True):
                faces[place] = face
        healed = sum(face >= needed for face in faces)
        battle.tell(Regenerated(self.rule, part.id, tuple(faces), needed, healed))
        recover(battle, part, healed, self.rule)


@keyword("LFW-SR-BLD-11a", "Unique")
class Unique(Keyword):
    """Only one of its kind in an army, and nothing may be added to it."""

    __slots__ = ()
