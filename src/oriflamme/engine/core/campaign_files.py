"""The first line of a campaign file, which says whose campaign it is; the rest is for the game to read."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from oriflamme import __version__
from oriflamme.engine.core.game import Game, GameOf
from oriflamme.engine.core.save import FORMAT as SINGLE_BATTLE
from oriflamme.engine.core.save import written_by
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, problem_with, read_bytes

FORMAT: Final = "oriflamme-campaign"
VERSION: Final = 1


def lines_of(path: Path, content: bytes) -> tuple[list[bytes], bytes]:
    """The whole lines of a campaign file, at least one, and what stands after the last of them; raises Problems."""
    *lines, rest = content.split(b"\n")
    if not lines:
        what = notice("save_is_empty" if not rest else "cut_in_first_line")
        raise problem_with(path, what, where="line 1", hint=notice("begin_a_campaign"))
    return lines, rest


def first_line(path: Path, line: bytes) -> dict[str, Any]:
    """What the first line says, if it is that of a campaign in the format that we read; raises Problems."""
    try:
        data = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        raise problem_with(path, notice("not_json"), where="line 1", hint=notice("no_campaign_or_damaged")) from None
    found = data.get("format") if isinstance(data, dict) else None
    if found == SINGLE_BATTLE:
        hint = notice("how_to_see_battle", path=str(path))
        raise problem_with(path, notice("a_single_battle"), where="line 1", hint=hint)
    if found != FORMAT:
        hint = notice("campaign_begins_with", text=f'{{"format": "{FORMAT}"')
        raise problem_with(path, notice("no_campaign"), where="line 1", hint=hint)
    if data.get("version") != VERSION:
        by = written_by(data.get("program"))
        said = notice("made_in_format", by=by, found=data.get("version"), version=__version__, format=VERSION)
        raise problem_with(path, said, where="line 1", hint=notice("open_with", by=by))
    return dict(data)


def game_of_campaign(path: Path, game_of: GameOf) -> Game:
    """The game whose campaign a file holds; raises Problems."""
    lines, _ = lines_of(path, read_bytes(path))
    id = first_line(path, lines[0]).get("game")
    try:
        return game_of(str(id))
    except Problems as unknown:
        raise campaign_of_no_game(path, str(id), unknown.problems[0].hint) from None


def campaign_of_no_game(path: Path, id: str, hint: Any) -> Problems:
    return problem_with(path, notice("campaign_of_no_game", game=id), where="line 1", hint=hint)
