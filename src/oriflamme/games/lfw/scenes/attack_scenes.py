"""Cases about attacks, wounds, courage and shooting."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Question, Sentence
from oriflamme.games.lfw.attacks import impose_hit, roll_attack
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.combat import attack_with
from oriflamme.games.lfw.courage import passes_courage
from oriflamme.games.lfw.melee import melee_attack
from oriflamme.games.lfw.morale import modifiers_of
from oriflamme.games.lfw.scenes import case_steps
from oriflamme.games.lfw.shooting import shoot
from oriflamme.games.lfw.state import CRIPPLED, Battle, Step
from oriflamme.games.lfw.wounds import mark_destroyed, recover, suffer


@case_steps.step
def case_shoot(battle: Battle, id: str) -> Step:
    """A part shoots, as in its activation."""
    yield from shoot(battle, battle.part(id))


@case_steps.step
def case_attack(battle: Battle, id: str, target: str, weapon: str) -> Step:
    """One melee attack outside any combat: its wounds are resolved at once."""
    part, enemy = battle.part(id), battle.part(target)
    weapons = [each for each in part.weapons if each.melee and weapon in ("", each.id)]
    chosen = weapons[0]
    attack = melee_attack(battle, part, chosen, enemy, attack_with(battle, part, chosen, enemy))
    attack, wounds = yield from roll_attack(battle, attack)
    yield from suffer(
        battle,
        enemy,
        wounds,
        "melee",
        part.id,
        piercing=attack.pierces,
        flaming=attack.flaming,
        protected=attack.rerolls["protection"],
    )
    yield from resolve_deaths(battle)


@case_steps.step
def case_hit(battle: Battle, id: str, strength: int) -> Step:
    """A hit that a rule imposes."""
    yield from impose_hit(battle, battle.part(id), strength, "hit")
    yield from resolve_deaths(battle)


@case_steps.step
def case_wounds(battle: Battle, id: str, number: int, by: str) -> Step:
    """Wounds that something has caused, before protections."""
    yield from suffer(battle, battle.part(id), number, "melee", by)
    yield from resolve_deaths(battle)


@case_steps.step
def case_recovers(battle: Battle, id: str, number: int) -> None:
    """Lost life points come back."""
    recover(battle, battle.part(id), number, "LFW-WND-13")


@case_steps.step
def case_courage(battle: Battle, id: str, about: str) -> Step:
    """A courage test, and nothing that follows from it; one of morale with what its causes do to it (LFW-MOR-03)."""
    model = battle.model_of(battle.part(id))
    yield from passes_courage(battle, model, about, modifiers_of(battle, model) if about == "morale" else ())


@case_steps.step
def case_destroyed(battle: Battle, id: str, by: str) -> Step:
    """A part is destroyed."""
    mark_destroyed(battle, battle.part(id), "melee", by)
    yield from resolve_deaths(battle)


def _shoots(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    answers: dict[str, Any] = {}
    if match["target"]:
        name, _, part = match["target"].partition(".")
        answers["shoot_at"] = name
        if battle.units[name].duo:
            answers["which_component"] = f"{name}.{part}" if part else name
    if match["weapon"]:
        answers["shoot_with"] = match["weapon"]
    return Deed([(case_shoot.__name__, match["unit"])], answers)


def _attacks(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([(case_attack.__name__, match["unit"], match["target"], match["weapon"] or "")])


def _hit(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([(case_hit.__name__, match["unit"], int(match["number"]))])


def _wounds(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([(case_wounds.__name__, match["unit"], int(match["number"]), match["by"] or "")])


def _recovers(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([(case_recovers.__name__, match["unit"], int(match["number"]))])


def _courage(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([(case_courage.__name__, match["unit"], match["about"] or "morale")])


def _destroyed(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([(case_destroyed.__name__, match["unit"], match["by"] or "")])


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence(
        "<unit> shoots[ <target>][ with <weapon>]",
        "a shot of its activation, from the target to wounds",
        _shoots,
        "shoot_at, which_component, shoot_with",
    ),
    Sentence(
        "<unit> attacks <target>[ with <weapon>]",
        "one melee attack alone, saturation included; its wounds are resolved at once",
        _attacks,
    ),
    Sentence("<unit> suffers a hit of strength <number>", "a hit without a hit roll", _hit),
    Sentence("<unit> suffers <number> wounds[ by <by>]", "wounds, before protections", _wounds),
    Sentence("<unit> recovers <number> life points", "lost ones", _recovers),
    Sentence("<unit> is destroyed[ by <by>]", "and what follows from it", _destroyed),
    Sentence(
        "<unit> tests its courage[ for <about:morale|rally|flight>]", "the test alone, with nothing after it", _courage
    ),
)
QUESTIONS: Final[Mapping[str, Question]] = {
    "roll_again": Question(keys="yes no"),
    "shoot_at": Question(keys="<unit> hold"),
    "shoot_with": Question(keys="<weapon>"),
    "shoot_besides": Question(keys="<unit> hold"),
    "fire_pair": Question(keys="one both"),
    "choose_point": Question(what="[x, y]"),
    "which_component": Question(keys="<unit>"),
    "choose_dodge": Question(
        "the owner of the target", keys="own cover", what="asked wherever terrain gives a dodge, though it be no better"
    ),
    "aim_with": Question(keys="<weapon>"),
    "choose_shooter": Question(keys="<unit> aim:<unit> search:<unit>:<piece> pass"),
    "whose_courage": Question(keys="<unit>"),
    "test_again": Question(keys="yes no"),
    "choose_test": Question(keys="<unit>"),
}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "HitsRolled.kind": ("hit", "combat"),
    "ProtectionRolled.kind": ("protection", "magic_protection"),
    "Crippled.effect": CRIPPLED,
    "Destroyed.how": "melee, shot, spell, fled, run_down, fall, jump, conceded, or a rule's own word",
    "HitSuffered.cause": "fall, jump, or a rule's own word",
    "CourageTested.about": "morale, rally, flight, or a spell or rule by its id",
    "Eligible.cause": "lost_combat, terror, fire, suppression, or a spell by its id",
}
