"""A checked draft on paper, for an organiser to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from oriflamme.engine.lists.units import CheckedDraft, Offers, RuleEntry, UnitSheet
from oriflamme.engine.words.notices import name_in
from oriflamme.engine.words.wording import ENGINE_TEXTS, Wording

_PRINTED: Final = Wording(ENGINE_TEXTS, "printed_list")


def as_text(checked: CheckedDraft, offers: Offers, lang: str) -> str:
    """One line for each entry, and below it what it is and takes."""
    words = _PRINTED.of(lang)
    lines = [f"{checked.name or words['list']} ({name_in(offers.title, lang)})"]
    if checked.faction:
        lines.append(name_in(checked.faction, lang))
    lines += [f"{checked.cost} / {checked.points} {words['points']}", ""]
    for number, entry in enumerate(checked.entries, 1):
        if entry.unit is None:
            lines.append(f"{number}. {entry.asked}: {words['unknown']}")
            continue
        many = f"{entry.figures} × " if entry.figures > 1 else ""
        lines.append(f"{number}. {many}{name_in(entry.unit.name, lang)} [{entry.cost}]")
        taken = [name_in(pick, lang) for pick in entry.picks]
        lines += [f"   {line}" for line in _unit_lines(entry.unit, taken, offers, lang)]
        if entry.joins:
            host = checked.entries[entry.joins - 1].unit
            called = name_in(host.name, lang) if host is not None else ""
            lines.append(f"   → {words['joins']} {entry.joins}. {called}".rstrip())
    if checked.problems:
        lines += ["", words["problems"]]
        for problem in checked.problems:
            said = problem.words.get(lang) or problem.words["en"]
            rule = f" ({problem.rule})" if problem.rule else ""
            lines.append(f"- {problem.where}: {said['what']}{rule}")
    return "\n".join(lines) + "\n"


def _unit_lines(unit: UnitSheet, taken: list[str], offers: Offers, lang: str) -> Iterator[str]:
    stats = [f"{stat.short}{unit.stats[stat.key]}" for stat in offers.stats]
    rules = [rule_name(rule, offers, lang) for rule in unit.rules]
    yield "  ".join([*stats, ", ".join(rules)]).strip()
    if taken:
        yield f"+ {', '.join(taken)}"
    for weapon in unit.weapons:
        held = [rule_name(rule, offers, lang) for rule in weapon.rules]
        count = f"{weapon.count} × " if weapon.count > 1 else ""
        yield f"{count}{name_in(weapon.name, lang)} ({', '.join([weapon.about, *held])})"


def rule_name(rule: str, offers: Offers, lang: str) -> str:
    """A special rule as people say it, with its number or word in brackets."""
    key, _, inside = rule.partition("(")
    glossary: Mapping[str, RuleEntry] = offers.glossary
    known = glossary.get(key)
    if known is None:
        return rule
    inside = inside.rstrip(")")
    said = ", ".join(name_in(offers.words.get(word, {}), lang) or word for word in inside.split(", "))
    return f"{name_in(known.name, lang)} ({said})" if inside else name_in(known.name, lang)
