"""A list that Army Forge shares as text, as the data of its file (`army_forge`):

++ Winter Host [AOF 300pts] ++

2x Elf Warriors [5] Q4+ D5+ | 75pts | Strider, 1x Horn(Fear(1))
4x Hand Weapon (A1), Halberd (A1, AP(1))
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from oriflamme.engine.words.limits import MOST_ENTRIES
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems

Data = dict[str, Any]

_TITLE: Final = re.compile(r"\+\+\s*([^\[\]\n]{0,200}?)\s*\[([A-Za-z]{1,8})\s+(\d{1,6})\s*pts\]\s*\+\+")
_UNIT: Final = re.compile(
    r"(?:(\d{1,2})x\s+)?([^\[\]|\n]{1,120})\[(\d{1,3})\]\s*Q(\d)\+\s*D(\d)\+\s*\|\s*(\d{1,5})\s*pts\s*\|?([^\n]{0,2000})"
)
_COUNTED: Final = re.compile(r"(?:(\d{1,3})x\s+)?([^()]{1,120}?)\s*(?:\((.*)\))?")
_REACH: Final = re.compile(r"(\d{1,3})\s*[\"”]")
_ATTACKS: Final = re.compile(r"A(\d{1,3})")


def looks_like_shared_text(text: str) -> bool:
    """It has the first line of a list, or that of a unit."""
    lines = text.strip().splitlines()
    return bool(lines) and bool(_TITLE.fullmatch(lines[0].strip()) or _UNIT.fullmatch(lines[0].strip()))


def shared_text(text: str, source: str = "list") -> Data:
    """The list in such a text, as an export has it; raises Problems with every line that is neither a unit nor what it
    carries."""
    problems = Problems(source)
    data: Data = {"units": []}
    carries: list[Data] = []
    for number, line in enumerate(map(str.strip, text.strip().splitlines()), 1):
        title, unit = _TITLE.fullmatch(line), _UNIT.fullmatch(line)
        if title is not None:
            data |= {"name": title[1], "gameSystem": title[2].lower(), "pointsLimit": int(title[3])}
        elif unit is not None:
            carries = [_unit(unit) for _ in range(int(unit[1] or 1))]
            data["units"] += carries
        elif line and carries:
            for one in carries:
                weapons = (_weapon(part) for part in _parts(line))
                one["loadout"] += [weapon for weapon in weapons if weapon is not None]
        elif line:
            problems.add(f"line {number}", notice("no_line_of_a_list"), hint=notice("paste_the_whole"))
        if len(data["units"]) > MOST_ENTRIES:
            break
    problems.raise_if_any()
    return data | {"listPoints": sum(unit["cost"] for unit in data["units"])}


def _unit(found: re.Match[str]) -> Data:
    data: Data = {"name": found[2].strip(), "size": int(found[3]), "quality": int(found[4]), "defense": int(found[5])}
    data |= {"cost": int(found[6]), "rules": [], "loadout": []}
    for part in _parts(found[7]):
        counted = _COUNTED.fullmatch(part)
        inner = counted[3] if counted is not None else None
        if counted is None or (counted[1] is None and (inner is None or _is_rating(inner))):
            data["rules"].append(part)
        elif inner is None or _is_rating(inner):
            rule = counted[2] + (f"({inner})" if inner is not None else "")
            data["loadout"].append({"type": "ArmyBookRule", "name": rule, "count": int(counted[1] or 1)})
        else:
            held = [{"type": "ArmyBookRule", "name": rule} for rule in _parts(inner)]
            count = int(counted[1] or data["size"])
            data["loadout"].append({"type": "ArmyBookItem", "name": counted[2], "count": count, "content": held})
    return data


def _is_rating(text: str) -> bool:
    return re.fullmatch(r"\s*\+?\s*\d{1,3}\s*\+?\s*", text) is not None


def _weapon(part: str) -> Data | None:
    """`4x Bow (24", A1, AP(1))`; what has no attacks is left out."""
    counted = _COUNTED.fullmatch(part)
    if counted is None or counted[3] is None:
        return None
    weapon: Data = {"name": counted[2], "count": int(counted[1] or 1), "range": 0, "attacks": 0, "specialRules": []}
    for inner in _parts(counted[3]):
        reach, attacks = _REACH.fullmatch(inner), _ATTACKS.fullmatch(inner)
        if reach is not None:
            weapon["range"] = int(reach[1])
        elif attacks is not None:
            weapon["attacks"] = int(attacks[1])
        else:
            weapon["specialRules"].append(inner)
    return weapon if weapon["attacks"] else None


def _parts(text: str) -> Iterator[str]:
    """What stands between commas that are in no brackets."""
    deep, part = 0, ""
    for sign in text:
        deep += (sign == "(") - (sign == ")")
        if sign == "," and deep <= 0:
            if part.strip():
                yield part.strip()
            part = ""
        else:
            part += sign
    if part.strip():
        yield part.strip()
