"""Questions and their options as clients are sent them, with words for everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from oriflamme.engine.core.decisions import Allocate, Decision, Option
from oriflamme.engine.words.text import Voice
from oriflamme.server.words import spans

Data = dict[str, Any]


def question(decision: Decision, voice: Voice, option_data: Callable[[Option], Data] | None = None) -> Data:
    """What somebody is asked, with words for everything; options as `option_data` says, if it is given."""
    data = decision.data() | {"words": spans(voice.ask(decision)), "secret": decision.secret}
    if decision.measured:
        data["measured"] = True
    for name, options in (("options", getattr(decision, "options", ())), ("besides", decision.extra_options)):
        if options:
            data[name] = [
                option_data(option) if option_data else offered(option, decision, voice) for option in options
            ]
    if isinstance(decision, Allocate):
        data["slot_words"] = {slot: spans(voice.slot(decision, slot)) for slot in decision.slots}
        for budget, told in zip(decision.groups, data.get("groups", ()), strict=True):
            told["words"] = spans(voice.option(decision, budget.name))
    default = getattr(decision, "default", None)
    return data | {"default": default} if default is not None else data


def offered(option: Option, decision: Decision, voice: Voice) -> Data:
    """Something that may be chosen, in words."""
    return {**msgspec.to_builtins(option, enc_hook=str), "words": spans(voice.option(decision, option))}
