"""A battle as it can be looked at again: its log in words, and the table after every answer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import msgspec

from oriflamme.drawing.tags import unit_tags
from oriflamme.engine.core.chances import chances, turning_points
from oriflamme.engine.core.dice import dice_from
from oriflamme.engine.core.events import Event, Throw
from oriflamme.engine.core.luck import rolls_at
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.outcomes import outcome, side_names
from oriflamme.engine.words.problems import problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.text import Names, Voice
from oriflamme.server.scene import Painter, Scene, changes
from oriflamme.server.words import spans

Data = dict[str, Any]

BUNDLE: Final = Path(__file__).parent / "static" / "film"


def film(play: Play, tags: dict[str, str], side: int | None = None) -> Data:
    """The table before the first answer, and what each answer did to it: as a side saw it, or as it was."""
    game = play.game
    again = play.again()
    painter = Painter(game, tags)

    def scene() -> Scene:
        return painter.scene(again.battle if side is None else again.view(side).battle)

    first = before = scene()
    frames: list[Data] = []
    curve = [chances(game, again.battle)]
    for answer in play.answers:
        again.replay([answer])
        after = scene()
        frames.append(changes(before, after))
        curve.append(chances(game, again.battle))
        before = after
    told: Data = {"scene": first.data(), "changes": frames}
    # As a side saw it, chances would tell what was hidden from it.
    known = [tuple(round(one, 3) for one in now) for now in curve if now is not None]
    if len(known) == len(curve) and side is None:
        told["chances"] = known
        told["turns"] = [turn._asdict() for turn in turning_points(known)]
    return told


def line_of(play: Play, voice: Voice, place: int, number: int) -> Data:
    """One event of the log: the answer it came of, its facts, its words, and what its dice had to reach."""
    event: Event = play.events[place]
    line = voice.event(event)
    data: Data = {"n": number, "event": event, "words": spans(line), "rule": line.rule}
    luck = [
        [side, roll.kind, roll.dice, *(round(float(n), 6) for n in roll[3:])]
        for roll in rolls_at(play.events, place)
        if (side := voice.names.side_of(roll.who)) is not None
    ]
    if luck:
        data["luck"] = luck
    dice = [_throw_data(throw, voice) for throw in event.thrown()]
    if dice:
        data["dice"] = dice
    if event.name in play.game.headlines:
        data["head"] = True
    if event.name in play.game.asides:
        data["aside"] = True
    return data


def _throw_data(throw: Throw, voice: Voice) -> Data:
    """Dice as they lie, with the side that threw them where it is another than the line is about."""
    data: Data = msgspec.to_builtins(throw)
    by = data.pop("by", None)
    side = voice.names.side_of(by) if by is not None else None
    return data | {"side": side} if side is not None else data


def film_of(play: Play, seats: Sequence[str], lang: str) -> Data:
    """A battle out of a save, as `GET /api/battles/{battle}/replay` tells one."""
    game = play.game
    first = game.open(play.setup, dice_from(play.seed, play.given))
    tags = unit_tags(first)
    names = Names(game, first, tags)
    names.learn(play.battle)
    voice = Voice(game, names, lang)
    return {
        "id": "",
        "game": game.id,
        "title": "",
        "players": [{"side": n, "bot": None if name == "human" else name} for n, name in enumerate(seats)],
        "number": len(play.answers),
        "round": play.battle.round,
        "over": play.over,
        "armies": [army.get("name") for army in play.setup.get("armies", ())],
        "result": result_data(game, play),
        "measure": game.measure,
        "picture": game.picture().signs.data(),
        "log": [
            line_of(play, voice, place, bisect_right(play.marks, place, key=itemgetter(1)))
            for place in range(len(play.events))
        ],
        **film(play, tags),
    }


def result_data(game: Rulebook, play: Play) -> Data:
    """The result of a battle, and what it is in words."""
    result = game.result(play.battle)
    names = {lang: side_names(game, play.setup, play.battle, lang) for lang in LANGUAGES}
    return result | {"words": {lang: outcome(game.id, result, names[lang], lang) for lang in LANGUAGES}}


def standalone(data: Mapping[str, Any], lang: str) -> bytes:
    """The replay as one page that needs nothing else: the program, its looks and the battle, all in one file."""
    try:
        script, style = ((BUNDLE / name).read_text(encoding="utf-8") for name in ("film.js", "film.css"))
    except OSError:
        raise problem_with("export", notice("pages_not_built"), hint=notice("build_pages")) from None
    # Inside <script> only "</script" and "<!--" end or change anything: a battle is written without a single "<", and
    # the program has them spelt in another way.
    battle = msgspec.json.encode({**data, "lang": lang}, enc_hook=str).decode().replace("<", "\\u003c")
    program = script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    title = " – ".join(str((army or {}).get(lang) or (army or {}).get("en") or "?") for army in data["armies"])
    page = f"""<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{_escaped(title)}</title>
<style>{style}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="film">{battle}</script>
<script type="module">{program}</script>
</body>
</html>
"""
    return page.encode()


# The file asks nobody for anything, whatever a name in it may hold.
_POLICY: Final = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
