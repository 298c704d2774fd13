"""What clients say over the WebSocket. What is not exactly one of these is refused and changes nothing."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Union

import msgspec

from oriflamme.engine.words.limits import HUGE, LARGEST, TOO_DEEP, has_huge_number, is_deep_json

Lang = Literal["en", "fr"]
Short = Annotated[str, msgspec.Meta(max_length=80)]
Id = int | Short | None
"""A client's own name for a message; what answers it carries the same."""
Count = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]
Side = Annotated[int, msgspec.Meta(ge=0, le=7)]


class Message(msgspec.Struct, tag_field="type", forbid_unknown_fields=True):
    """Any message of a client."""


class GiveAnswer(Message, tag="answer"):
    """Answer the question put after `number` answers. `side` matters only where one seat plays for several sides."""

    number: Count
    answer: Any
    epoch: Count = 0
    side: Side | None = None
    id: Id = None


class Try(Message, tag="try"):
    """Would this be accepted? Nothing is done."""

    number: Count
    answer: Any
    epoch: Count = 0
    side: Side | None = None
    id: Id = None


class Pass(Message, tag="pass"):
    """Let the question pass that is asked, and `always` from now on; or be asked again."""

    ask: Short
    always: bool
    number: Count = 0
    epoch: Count = 0
    side: Side | None = None
    id: Id = None


class Deploy(Message, tag="deploy"):
    """Let the best bot of the game answer for my side until the first round begins."""

    side: Side | None = None
    id: Id = None


class Suggest(Message, tag="suggest"):
    """What would a bot answer in my place? `other` counts on through its other ideas."""

    side: Side | None = None
    other: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    id: Id = None


class Odds(Message, tag="odds"):
    """The odds of one unit against another as things stand; without units, those that help to answer what is asked, or
    those of an `answer` to it that is in the making."""

    attacker: Short = ""
    defender: Short = ""
    charge: bool = False
    way: Short = ""
    answer: Any = None
    id: Id = None


class AskAids(Message, tag="aids"):
    """What may be drawn to help: reach, zones, coherency for what is asked; `threats`, how far enemies could strike;
    `option`, what shows that option of the question."""

    threats: bool = False
    option: Short = ""
    id: Id = None


Place = Short | Annotated[list[float], msgspec.Meta(min_length=2, max_length=2)]
"""A figure by its id, or a point of the table in millimetres."""


class AskSight(Message, tag="sight", rename={"start": "from", "end": "to"}):
    """How far is it from here to there, and is it seen?"""

    start: Place
    end: Place
    id: Id = None


class AskWhy(Message, tag="why"):
    """What cannot be done now with that unit, or to it, and why?"""

    unit: Short
    id: Id = None


class AskWays(Message, tag="ways"):
    """What does it mean to drag that unit, or to click an enemy while it acts?"""

    unit: Short
    id: Id = None


class AskAhead(Message, tag="ahead"):
    """What would I be asked next if I answered so, one key after the other?"""

    keys: Annotated[list[Short], msgspec.Meta(min_length=1, max_length=4)]
    id: Id = None


class AskSeen(Message, tag="seen"):
    """All that my side may know, as a bot takes it to play on, while it is asked something."""

    side: Side | None = None
    id: Id = None


class AskUnit(Message, tag="unit"):
    """All about one unit."""

    unit: Short
    id: Id = None


class Undo(Message, tag="undo"):
    """Take answers back, down to my last one or to `to`. `anyway` asks the others where the rules of undo say no."""

    to: Count | None = None
    anyway: bool = False
    id: Id = None


class Consent(Message, tag="consent"):
    """Answer to somebody who would like to take answers back."""

    yes: bool
    id: Id = None


class Pause(Message, tag="pause"):
    """Ask for a pause, or agree to one; without `yes`, do not agree, or go on after one."""

    yes: bool
    id: Id = None


class Claim(Message, tag="claim"):
    """Claim the win over somebody whose time has run out, where that was agreed on."""

    side: Side
    id: Id = None


class Speak(Message, tag="lang"):
    """Speak another language from now on."""

    lang: Lang
    id: Id = None


class Say(Message, tag="say"):
    """Say something to the others at the table."""

    text: Annotated[str, msgspec.Meta(max_length=400)]
    id: Id = None


class CallMe(Message, tag="name"):
    """What I call myself at this table."""

    name: Short
    id: Id = None


class Ping(Message, tag="ping"):
    """Are you there?"""

    id: Id = None


Spoken = Union[  # noqa: UP007
    GiveAnswer,
    Try,
    Pass,
    Deploy,
    Suggest,
    Odds,
    AskAids,
    AskSight,
    AskWhy,
    AskWays,
    AskAhead,
    AskSeen,
    AskUnit,
    Undo,
    Consent,
    Pause,
    Claim,
    Speak,
    Say,
    CallMe,
    Ping,
]
# As many digits as the least of the numbers has that are too large.
_LONG = re.compile(rb"\d{%d}" % len(str(LARGEST)))
_decode = msgspec.json.Decoder(Spoken).decode


def decode(content: str | bytes) -> Spoken:
    """A message; raises ValueError where it is none."""
    raw = content.encode() if isinstance(content, str) else content
    if is_deep_json(raw):
        raise ValueError(str(TOO_DEEP))
    spoken: Spoken = _decode(raw)
    # Without so many digits in a row there is no such number to be looked for.
    if isinstance(spoken, (GiveAnswer, Try, Odds)) and _LONG.search(raw) and has_huge_number(spoken.answer):
        raise ValueError(str(HUGE))
    return spoken
