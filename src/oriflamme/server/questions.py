"""Questions and their options as clients are sent them, with words for everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oriflamme.engine.core.decisions import Allocate, Decision, Option
from oriflamme.engine.words.text import Voice
from oriflamme.server.words import spans

Data = dict[str, Any]


def question(decision: Decision, voice: Voice, more: Callable[[Option], Data] | None = None) -> Data:
    """What somebody is asked, with words for everything, and what there is `more` to say of its options."""
    data = decision.data() | {"words": spans(voice.ask(decision)), "secret": decision.secret}
    if decision.measured:
        data["measured"] = True
    for option, told in zip(getattr(decision, "options", ()), data.get("options", ()), strict=True):
        told["words"] = spans(voice.option(decision, option))
        if more is not None:
            told |= more(option)
    for option, told in zip(decision.extra_options, data.get("besides", ()), strict=True):
        told["words"] = spans(voice.option(decision, option))
    if isinstance(decision, Allocate):
        data["slot_words"] = {slot: spans(voice.slot(decision, slot)) for slot in decision.slots}
        for budget, told in zip(decision.groups, data.get("groups", ()), strict=True):
            told["words"] = spans(voice.option(decision, budget.name))
    default = getattr(decision, "default", None)
    return data | {"default": default} if default is not None else data
