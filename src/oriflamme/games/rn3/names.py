"""What people call the things of a battle that events and questions name by their ids."""

from __future__ import annotations

from collections.abc import Mapping

from oriflamme.engine.table.maps import names_of_pieces
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.games.rn3.allocation import profile_of
from oriflamme.games.rn3.scenarios import scenario_of
from oriflamme.games.rn3.state import Battle, Fighter, Unit

Names = dict[str, Mapping[str, str]]


def names_of_things(battle: Battle) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Incarnates, objectives, powers, free tactics and terrain, in both languages."""
    heroes: Names = {}
    powers: Names = {}
    cards: Names = {}
    tactics: Names = {}
    for unit in battle.units.values():
        for figure in (*unit.figures, *unit.fallen):
            cards[figure.profile.id] = figure.profile.name
            powers |= {power.id: power.name for power in figure.profile.powers}
            if figure.profile.incarnate:
                heroes[figure.id] = figure.profile.name
        for figure in unit.figures:
            cards.setdefault(profile_of(unit, figure), _apart(unit, figure, powers))
        tactics |= {tactic["id"]: tactic["name"] for tactic in unit.card.get("tactics", ())}
    scenario = scenario_of(battle)
    objectives = {marker.id: marker.name for marker in scenario.objectives} if scenario is not None else {}
    pieces = names_of_pieces(battle.table.pieces)
    return {
        **dict.fromkeys(("fighter", "hero", "figure", "by"), heroes),
        "objective": objectives,
        "of": {**objectives, **heroes},
        "power": powers,
        "profile": cards,
        "card": {**cards, **powers},
        "foe": cards,
        "who": cards,
        "tactic": tactics,
        "piece": pieces,
        "key": {**pieces, **heroes, **powers},
        "source": {**powers, **heroes, **tactics},
    }


def _apart(unit: Unit, fighter: Fighter, powers: Names) -> Mapping[str, str]:
    """A fighter who fights as a profile of his own for a while: his card, and what lies on him."""
    lies = [effect.source for effect in unit.effects if fighter.id in effect.fighters]
    named = {lang: ", ".join(powers[one][lang] if one in powers else one for one in lies) for lang in LANGUAGES}
    return {lang: f"{word} ({named[lang]})" if lies else word for lang, word in fighter.profile.name.items()}
