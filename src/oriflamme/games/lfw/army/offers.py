"""What a unit may take, for who builds a list: options, mounts, specialisations with levels, skills, spells.

All of it is picked by a word: an option by its id, a mount as `on_griffon`, a level as `as_captain_2`, a spell as
`spell_fireball`, a skill as it is printed, `the_mount` where the mount of a duo is the specialist, and `permitted`
where the opponents allow a Unique unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from oriflamme.engine.core.keywords import UnknownKeyword, at
from oriflamme.engine.lists.drafts import Data, Entry, Pick, number_in, word_in, words_in
from oriflamme.engine.lists.fields import Names
from oriflamme.engine.lists.glossary import french_rules
from oriflamme.engine.lists.units import Option, WeaponLine
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.wording import Wording
from oriflamme.games.lfw.army.cards import Card, Extra, People
from oriflamme.games.lfw.army.choices import Choice
from oriflamme.games.lfw.army.limits import PERMITTED, is_unique
from oriflamme.games.lfw.magic import SPELLS
from oriflamme.games.lfw.moments import Keyword, rules_named, skills
from oriflamme.games.lfw.names import declared_names
from oriflamme.games.lfw.sheets import WeaponData
from oriflamme.games.lfw.specialists import HIGHEST, SKILLS, price_of

PACKAGE: Final = "oriflamme.games.lfw"
in_both: Final = Wording(Path(__file__).parents[1] / "text", "armies")
GROUPS: Final = ("options", "mounts", "specialists", "skills", "spells")
ON, AS, SPELL, MOUNT = "on_", "as_", "spell_", "the_mount"


def weapon_line(weapon: WeaponData) -> WeaponLine:
    """A weapon as a sheet shows it: range, Attack, Strength."""
    reach = f'{weapon.range:g}" ' if weapon.range is not None else ""
    return WeaponLine(weapon.name, 1, f"{reach}A{weapon.attack} F{weapon.strength}", list(weapon.rules))


def options_of(people: People, card: Card) -> list[Option]:
    """All that a unit may take, with what it costs it."""
    made = [_extra(extra) for extra in card.options.values()]
    riding = [people.units[id] for id in card.mounts if id in people.units]
    made += [
        Option(id=f"{ON}{mount.id}", name=mount.name, cost=mount.cost, group="mounts", rules=list(mount.sheet.rules))
        for mount in riding
    ]
    made += [_extra(extra) for mount in riding for extra in mount.options.values()]
    if any(mount.sheet.specialisations for mount in riding):
        made.append(Option(id=MOUNT, name=in_both("the_mount"), cost=0, group="specialists"))
    made += [option for owner in (card, *riding) for option in _becoming(owner)]
    if card.knows:
        made += [
            Option(id=f"{SPELL}{id}", name=declared_names()["spell"][id], cost=0, group="spells")
            for id, spell in SPELLS.items()
            if spell.domain in card.sheet.domains and id not in card.sheet.spells
        ]
    if any(map(is_unique, (card, *riding))):
        made.append(Option(id=PERMITTED, name=in_both("permitted"), cost=0, group="options"))
    return list({option.id: option for option in reversed(made)}.values())[::-1]


def _becoming(card: Card) -> Iterator[Option]:
    """The levels and skills of each specialisation that is open to a unit, or to a mount."""
    for specialisation in card.sheet.specialisations:
        for level in range(1, HIGHEST + 1):
            cost = price_of(specialisation, level, card.sheet.role)
            name = in_both(specialisation, level=level)
            yield Option(id=f"{AS}{specialisation}_{level}", name=name, cost=cost, group="specialists")
        for text in open_skills(card, specialisation):
            yield Option(id=text, name=skill_named(text), cost=0, group="skills")


def _extra(extra: Extra) -> Option:
    weapons = [weapon_line(weapon) for weapon in extra.weapons]
    return Option(
        id=extra.id, name=extra.name, cost=extra.cost, group="options", rules=list(extra.rules), weapons=weapons
    )


def open_skills(card: Card, specialisation: str) -> Iterator[str]:
    """The skills of a specialisation as this unit may have them, with each choice they leave open."""
    kinds = {kind.title: kind for kind in skills.declared.values()}
    weapons = [weapon.id for extra in card.options.values() for weapon in extra.weapons]
    sheet = card.equipped(tuple(card.options))
    words = [*(weapon.id for weapon in card.sheet.weapons), *weapons, *SPELLS]
    for title in SKILLS[specialisation]:
        kind = kinds.get(title)
        if kind is None:
            continue
        if "{" not in kind.printed:
            yield title
            continue
        for word in kind.words or words:
            choice = Choice(sheet, card.sheet.spells, {})
            try:
                name = str(skills.parse(f"{title}({word})"))
            except UnknownKeyword:
                continue
            at(Keyword.when_enlisted, (rules_named((name,), skilled=True),), choice)
            if not choice.refusals:
                yield name


def skill_named(text: str) -> Names:
    """A skill as it is printed, in both languages; a spell or an ability in its brackets by its name."""
    title, bracket, word = text.partition("(")
    french = french_rules(PACKAGE).get(title, {}).get("name", title)
    if not bracket:
        return {"en": title, "fr": french}
    id = word.rstrip(")")
    known = declared_names()
    inside = known["spell"].get(id) or known["ability"].get(id) or dict.fromkeys(LANGUAGES, id)
    outside = {"en": title, "fr": french}
    return {lang: f"{outside[lang]} ({inside[lang]})" for lang in LANGUAGES}


def line_of(entry: Entry) -> Data:
    """An entry of a draft as a list file has it."""
    line: Data = {"unit": entry.unit}
    if entry.count != 1:
        line["count"] = entry.count
    if entry.name:
        line["name"] = entry.name
    titles = {kind.title for kind in skills.declared.values()}
    for pick in entry.picks:
        word = pick.option
        specialisation, _, level = word.removeprefix(AS).rpartition("_")
        if word == PERMITTED:
            continue
        if word == MOUNT:
            line["specialist"] = "mount"
        elif word.startswith(ON):
            line["mount"] = word.removeprefix(ON)
        elif word.startswith(AS) and specialisation in SKILLS and level.isdigit():
            line |= {"specialisation": specialisation, "level": int(level)}
        elif word.startswith(SPELL):
            line.setdefault("spells", []).append(word.removeprefix(SPELL))
        else:
            key = "skills" if word.partition("(")[0] in titles else "options"
            line.setdefault(key, []).append(word)
    return line


def entry_of(line: Data) -> Entry:
    """An entry of a list file as a draft has it."""
    words = words_in(line.get("options"))
    if mount := word_in(line.get("mount")):
        words.append(f"{ON}{mount}")
    if specialisation := word_in(line.get("specialisation")):
        words.append(f"{AS}{specialisation}_{number_in(line.get('level'), 1, HIGHEST, 1)}")
    if line.get("specialist") == "mount":
        words.append(MOUNT)
    words += words_in(line.get("skills")) + [f"{SPELL}{id}" for id in words_in(line.get("spells"))]
    count = number_in(line.get("count"), 1, 1000, 1)
    return Entry(word_in(line.get("unit")), word_in(line.get("name")), count, _picks(words))


def _picks(words: Iterable[str]) -> list[Pick]:
    return [Pick(word) for word in words]
