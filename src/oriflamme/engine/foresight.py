"""What an attack may bring, for people: one short sentence and a small chart, in words and numbers of each language.

{"summary": {"en": "62% to destroy, 4.1 wounds on average", "fr": …},
 "chart": {"title": {"en": "wounds", "fr": …}, "bars": [{"label": {"en": "0", "fr": "0"}, "chance": 0.08}, …]}}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

Data = dict[str, Any]
Said = Mapping[str, str]

MOST_BARS: Final = 14
_RARE: Final = 0.002


def percent(share: float, lang: str, error: float = 0.0) -> str:
    """`62%`, or `62 ± 1%` for what was sampled; what is possible but rare is not told as nothing."""
    if 0.0 < share < 0.005:
        told = f"< {_number(1, 0, lang)}"
    elif 0.995 < share < 1.0:
        told = f"> {_number(99, 0, lang)}"
    else:
        told = _number(share * 100, 0, lang)
    about = f" ± {_number(max(1.0, error * 100), 0, lang)}" if error else ""
    return f"{told}{about}\u202f%" if lang == "fr" else f"{told}{about}%"


def count(value: float, lang: str, one: str, many: str) -> str:
    """`4.1 wounds`, `1 wound`; in French all that is less than two is singular."""
    told = _number(value, 1, lang)
    single = round(value, 1) < 2 if lang == "fr" else told == "1"
    return f"{told} {one if single else many}"


def _number(value: float, places: int, lang: str) -> str:
    told = f"{value:.{places}f}"
    told = told.rstrip("0").rstrip(".") if places else told
    return told.replace(".", ",") if lang == "fr" else told


def chart(title: Said, bars: Iterable[tuple[Said, float]]) -> Data:
    """A chart of things that may happen, each with its name."""
    return {"title": dict(title), "bars": [{"label": dict(label), "chance": chance} for label, chance in bars]}


def counted(title: Said, chances: Mapping[int, float]) -> Data:
    """A chart of how many: numbers that are hardly ever met are left out at both ends, and many are put together."""
    likely = [number for number, chance in chances.items() if chance >= _RARE]
    if not likely:
        return chart(title, ())
    low, high = min(likely), max(likely)
    wide = -(-(high - low + 1) // MOST_BARS)
    bars = []
    for first in range(low, high + 1, wide):
        last = min(first + wide - 1, high)
        label = str(first) if first == last else f"{first}–{last}"
        bars.append(({"en": label, "fr": label}, sum(chances.get(n, 0.0) for n in range(first, last + 1))))
    return chart(title, bars)
