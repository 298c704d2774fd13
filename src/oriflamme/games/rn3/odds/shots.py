"""Shots and templates between two units, counted and told."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.events import Reason
from oriflamme.engine.odds import Table
from oriflamme.engine.odds.telling import listed, table
from oriflamme.games.rn3.area import ASTRAY, aims, middle
from oriflamme.games.rn3.odds.laws import Law, after_saves, law_of, mean, mixed, suffered, trimmed
from oriflamme.games.rn3.odds.tables import in_both, numbers
from oriflamme.games.rn3.odds.templates import Templates, Toll, mixture
from oriflamme.games.rn3.salvos import Salvo
from oriflamme.games.rn3.shooting import in_order_of_loss, make_salvo, shooters_of, viewers_of, who_falls
from oriflamme.games.rn3.state import Battle, Fighter, Unit


def shot_of(battle: Battle, unit: Unit, target: Unit, reasons: tuple[Reason, ...]) -> Toll:
    """Models that fall to all shots of a unit's base troop or machine, or to its template."""
    shooters = _shooters(unit)
    salvo = make_salvo(battle, unit, shooters, target, reasons, None)
    if not salvo.is_area:
        return Toll(salvo_law(battle, salvo, unit, target, shooters))
    aim = _usual_aim(battle, unit, target)
    return Templates(battle, unit, salvo, shooters[0]).shot(target, aim) if aim is not None else Toll()


def _shooters(unit: Unit) -> list[Fighter]:
    """Who shoots the salvo that is told: of its base troop or the machine, or else the Incarnate."""
    shooters = [f for f in shooters_of(unit) if not f.profile.incarnate] or shooters_of(unit)
    return [f for f in shooters if f.profile.id == shooters[0].profile.id]


def _usual_aim(battle: Battle, unit: Unit, target: Unit) -> Fighter | None:
    """The middle one of those on whom a template may be centred."""
    viewers = viewers_of(unit) if unit.machine is not None else _shooters(unit)
    seen = aims(battle, unit, viewers, target)
    return middle(seen) if seen else None


def template_table(battle: Battle, unit: Unit, target: Unit, reasons: tuple[Reason, ...]) -> list[Table]:
    """How wide the template of a shot may be, how likely each width is, and what it costs on average, over all
    deviations; nothing for a shot without one."""
    shooters = _shooters(unit)
    salvo = make_salvo(battle, unit, shooters, target, reasons, None)
    aim = _usual_aim(battle, unit, target) if salvo.is_area else None
    if aim is None:
        return []
    templates = Templates(battle, unit, salvo, shooters[0])
    widths: dict[tuple[bool, int, int], list[tuple[float, Toll]]] = {}
    for template, chance in templates.which(target).items():
        if template is not None:
            astray = template.deviation >= ASTRAY
            width = (not astray, template.radius, template.rounds)
            widths.setdefault(width, []).append((chance, templates.aimed(aim, template)))
    rows = []
    for (aimed, radius, rounds), parts in sorted(widths.items()):
        chance = sum(share for share, _ in parts)
        toll = mixture([(share / chance, one) for share, one in parts])
        wide = in_both("template_astray", radius=radius)
        label = in_both("template", radius=radius, rounds=rounds) if aimed else wide
        rows.append((label, [chance, mean(toll.theirs), mean(toll.own)]))
    columns = listed([in_both("chance"), in_both("their_losses"), in_both("own_losses")])
    return [numbers(table(in_both("templates"), columns, rows, in_both("templates_note")), 2, 3)]


def salvo_law(battle: Battle, salvo: Salvo, unit: Unit, target: Unit, shooters: Sequence[Fighter]) -> Law:
    """One salvo: attack, saves, force, losses; no more than weapons that fired (RN3-SHOOT-11 to -15)."""
    hits = after_saves(law_of(salvo.attack(unit.id, target.id)), len(salvo.saves))
    damage = mixed(hits, [law_of(salvo.wound(unit.id, target.id, n)) if n else (1.0,) for n in range(len(hits))])
    damage = suffered(damage, salvo.its_skills)
    left = [f.left for f in in_order_of_loss(battle, unit, target, shooters)]
    found = [0.0] * (len(left) + 1)
    for points, chance in enumerate(damage):
        found[len(who_falls(left, points, salvo.most_losses))] += chance
    return trimmed(found)
