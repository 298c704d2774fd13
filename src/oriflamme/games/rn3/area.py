"""Weapons with a template: how wide it is, where it ends, and whom it hits (RN3-AREA)."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, pi, sin
from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import cm, in_cm, rounded
from oriflamme.engine.geometry.templates import nearest_to, under_template
from oriflamme.games.rn3.attempts import attempt
from oriflamme.games.rn3.contact import disc_of
from oriflamme.games.rn3.events import TemplateLaid
from oriflamme.games.rn3.losses import Cause, cancel_damage, hurt
from oriflamme.games.rn3.salvos import Salvo
from oriflamme.games.rn3.sight import Lines
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Unit, skills_of, value_of
from oriflamme.games.rn3.trials import Result, Trial

STEP: Final = 3  # cm of radius for each success (RN3-AREA-04)
WIDEST: Final = 10  # RN3-AREA-05
ASTRAY: Final = 10  # cm added where all dice failed (RN3-AREA-07)


class Template(NamedTuple):
    """How wide a template is, how far it goes astray, in centimetres, and how many rounds of damage it causes."""

    radius: int
    deviation: int
    rounds: int


def template_of(successes: int, failures: int) -> Template:
    """From the Attack test (RN3-AREA-04 to -07); `successes` are those that no save has removed."""
    if not successes:
        return Template(STEP, failures + ASTRAY, 1)
    wide = successes * STEP
    return Template(min(wide, WIDEST), failures, 2 if wide > WIDEST else 1)


def lay_template(
    battle: Battle,
    unit: Unit,
    viewers: Sequence[Fighter],
    target: Unit,
    salvo: Salvo,
    attack: Result,
    hits: int,
    cause: Cause,
) -> Asking[None]:
    """An area weapon after its Attack test (RN3-AREA-02 to -12).

    1. If saves have removed every success, nothing happens.                          RN3-AREA-09
    2. The player names a model in sight and centres the template on it.              RN3-AREA-03
    3. Radius by successes, deviation by failures, in a direction by one die.         RN3-AREA-04 to -07
    4. Every model even partly under it, friend or foe, suffers a Force test or two.  RN3-AREA-08, -11

    `viewers` are those who shoot, the first of them with the weapon; of a machine it and its crew.
    """
    if attack.successes and not hits:
        return
    template = template_of(hits, attack.failures)
    aim = yield from _aim(battle, unit, viewers, target, salvo, template)
    if aim is None:
        return
    direction = battle.dice.d6() if template.deviation else 0
    x, y = deviated(viewers[0], aim, direction, cm(template.deviation))
    battle.template = (x, y, cm(template.radius))
    battle.tell(
        TemplateLaid(
            "RN3-AREA-06",
            unit.id,
            aim.id,
            in_cm(x),
            in_cm(y),
            float(template.radius),
            float(template.deviation),
            direction,
            template.rounds,
        )
    )
    yield from strike(battle, unit, salvo, x, y, template, cause)


def _aim(
    battle: Battle, unit: Unit, viewers: Sequence[Fighter], target: Unit, salvo: Salvo, template: Template
) -> Asking[Fighter | None]:
    """A model of the target that the weapon sees, or the crew of a machine (RN3-AREA-03)."""
    seen = aims(battle, unit, viewers, target)
    if not seen:
        return None
    options = [Option.thing(f.id, "fighter") for f in seen]
    about = {
        "unit": unit.id,
        "target": target.id,
        "card": salvo.card.id,
        "rounds": template.rounds,
        "radius": float(template.radius),
        "deviation": float(template.deviation),
    }
    key = yield from pick_one(unit.side, options, "aim_template", "RN3-AREA-03", about, default=middle(seen).id)
    return target.figure(key)


def aims(battle: Battle, unit: Unit, viewers: Sequence[Fighter], target: Unit) -> list[Fighter]:
    """On whom the template may be centred (RN3-AREA-03)."""
    return Lines(battle, unit, target, "shoot").seen(viewers)[1]


def middle(fighters: Sequence[Fighter]) -> Fighter:
    """The one nearest to the middle of them all."""
    x, y = (sum(f.x for f in fighters) / len(fighters), sum(f.y for f in fighters) / len(fighters))
    return min(fighters, key=lambda f: (hypot(f.x - x, f.y - y), f.id))


def deviated(weapon: Fighter, aim: Fighter, direction: int, distance: float) -> tuple[float, float]:
    """Where the centre ends: on a 1 straight on along the line from the weapon, then by 60 degrees clockwise
    (RN3-AREA-06)."""
    if not distance:
        return aim.x, aim.y
    angle = atan2(aim.y - weapon.y, aim.x - weapon.x) - (direction - 1) * pi / 3
    return rounded(aim.x + distance * cos(angle)), rounded(aim.y + distance * sin(angle))


def under(battle: Battle, x: float, y: float, radius: float) -> list[tuple[Unit, Fighter]]:
    """Everybody even partly under a template, nearest to its centre first, Incarnates last (RN3-AREA-08, -11)."""
    everybody = list(battle.fighters())
    found = [everybody[n] for n in under_template([disc_of(f) for _, f in everybody], x, y, radius)]
    return sorted(found, key=lambda hit: hit[1].profile.incarnate)


def strike(
    battle: Battle, unit: Unit, salvo: Salvo, x: float, y: float, template: Template, cause: Cause
) -> Asking[None]:
    """One Force test for each model under the template, in each round; what exceeds its hit points is lost
    (RN3-AREA-08, -11). With areaDamage = automatic each takes one point of damage without dice.

    An Incarnate whose unit had other fighters when the template was laid is protected to the end (RN3-INC-09).
    """
    automatic = battle.is_option("areaDamage", "automatic")
    res = {u.id: res_of_troop(u) for u in battle.on_table() if protects(u)}
    for _ in range(template.rounds):
        for victims, fighter in under(battle, x, y, cm(template.radius)):
            if victims.figure(fighter.id) is None or fighter.doomed:
                continue
            protected = fighter.profile.incarnate and victims.id in res
            who = _stand_in(victims, x, y) if protected else fighter
            points = 1
            if not automatic:
                whose = who or fighter
                against = res[victims.id] if protected else value_of(victims, fighter, "res")
                trial = blast(unit, salvo, victims, against, whose)
                denier = fighter if fighter.profile.incarnate and not protected else None
                result = yield from attempt(
                    battle, trial, unit=unit, against=victims, target_hero=denier, card=salvo.card.id
                )
                points = result.successes
            if points and who is not None:
                points = yield from cancel_damage(battle, victims, [who], min(points, who.left), None)
                yield from hurt(battle, victims, who, points, cause)


def protects(unit: Unit) -> bool:
    """It has an Incarnate and others, who take his damage (RN3-INC-09)."""
    return unit.hero is not None and bool(troop_of(unit))


def res_of_troop(unit: Unit) -> int:
    return value_of(unit, typical(unit), "res")


def _stand_in(unit: Unit, x: float, y: float) -> Fighter | None:
    """Who takes the damage of a protected Incarnate: of his troop the model nearest to the centre, even outside the
    template; nobody if none is left (RN3-AREA-12)."""
    troop = nearest_first(troop_of(unit), x, y)
    return troop[0] if troop else None


def nearest_first(fighters: Sequence[Fighter], x: float, y: float) -> list[Fighter]:
    return [fighters[n] for n in nearest_to([disc_of(f) for f in fighters], x, y)]


def troop_of(unit: Unit) -> list[Fighter]:
    """Its fighters but for the Incarnate and the machine, those who have died and stay left out."""
    return [f for f in unit.figures if not f.profile.incarnate and not f.profile.machine and f.doomed is None]


def typical(unit: Unit) -> Fighter:
    """A fighter of the base troop; when none is left, of whoever is (RN3-SHOOT-13, RN3-INC-08)."""
    for f in unit.figures:
        if f.profile.id == unit.profile.id:
            return f
    others = [f for f in unit.figures if not f.profile.incarnate and not f.profile.machine]
    return others[0] if others else unit.figures[0]


def blast(unit: Unit, salvo: Salvo, victims: Unit, res: int, whose: Fighter) -> Trial:
    """The damage die of one model: FOR of the weapon against its RES (RN3-AREA-08). It is a test of its own, so that
    in the défi column one success is still one (RN3-URT-16)."""
    titan = whose.profile.category == "titan"
    values = (salvo.force_against(titan=titan), res)
    trial = Trial("ranged_force", 1, *values, "RN3-AREA-08", by=unit.id, against=victims.id, sources=("FOR", "RES"))
    return salvo.prepared(trial, skills_of(victims, whose), against_titan=titan)
