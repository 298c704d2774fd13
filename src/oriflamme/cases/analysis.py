"""Analysis: a situation of any game, laid as a scene, and what may be asked about it.

A scene is that of a conformance case (docs/cases.md). From it a battle goes on (`play_of`); somebody is asked what
comes next; a captain says what he would do (`advice`), odds say what would come of it, and the whole is written as a
case that the runner plays (`case_of`). docs/analysis.md is the tour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from oriflamme.cases.runner import game_of, merged, run_case, with_shared
from oriflamme.engine.cases.scene_battles import ACTS, PARTS, SCENE, setup_of
from oriflamme.engine.core.decisions import Decision, Move, PickOne, PickSeveral, Place, PutInOrder
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Answer, Play
from oriflamme.engine.lists.toml import as_toml
from oriflamme.engine.table.maps import MEASURES
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Problems, problem_with
from oriflamme.lab.battle import decide, derived

Data = dict[str, Any]

SEED: Final = 1
MOST_ANSWERS: Final = 60


def play_of(
    game: Game, scene: Mapping[str, Any], acts: str = "", answers: Iterable[Answer] = (), seed: int = SEED
) -> Play:
    """The battle that goes on from a scene, after these answers; raises Problems, and Refused at an answer that does
    not fit."""
    play = Play(game, setup_of(game.id, scene, acts), seed)
    play.replay(answers)
    return play


class Advice(msgspec.Struct):
    """What a bot would answer, and why: facts, each with its worth."""

    bot: str
    answer: Any
    reasons: list[Data]


def advice(play: Play, decision: Decision, bot: str = "", patience: int = 1) -> Advice:
    """What a bot would do, the best of the game unless another is named."""
    game = play.game
    name = bot or game.best_bot
    game.must_have_bot(name, "bot")
    adviser = game.bots()[name](seed=derived(play.seed, "analysis", decision.side))
    answer = decision.accept(decide(play, decision, adviser))
    return Advice(name, answer, msgspec.to_builtins(adviser.explain(), enc_hook=str))


# -- scenes in files ---------------------------------------------------------------------------------------------------


class Found(msgspec.Struct):
    """A scene of a file: what it shows, whose it is, and what is done in it."""

    game: str
    title: str
    scene: Data
    do: list[str] = []


def scenes_in(data: Mapping[str, Any], file: str, game: str = "") -> list[Found]:
    """The scenes of a case file: one for each of its cases and rows. Raises Problems."""
    known = game or game_of(dict(data), file)
    cases = data.get("case")
    if cases is not None and not (isinstance(cases, list) and all(isinstance(case, dict) for case in cases)):
        raise problem_with("case", notice("not_a_list_of_tables"))
    found: list[Found] = []
    for case in [with_shared(dict(data), case) for case in cases] if cases else [dict(data)]:
        rows = case.get("then", [])
        rows = [row for row in (rows if isinstance(rows, list) else [rows]) if isinstance(row, dict)] or [{}]
        for row in rows:
            scene = {key: merged(case.get(key, {}), row.get(key, {})) for key in PARTS if key in case or key in row}
            when = case.get("when")
            do = row.get("do", when.get("do", []) if isinstance(when, dict) else [])
            title = " – ".join(str(part)[:200] for part in (case.get("title", file), row.get("why", "")) if part)
            found.append(Found(known, title, scene, [str(each) for each in (do if isinstance(do, list) else [do])]))
    return found


# -- a case ------------------------------------------------------------------------------------------------------------


def case_of(play: Play, title: str = "") -> str:
    """The position as a conformance case: its scene, what was answered, the dice, and what may be answered now.

    It passes: it is played before it is handed out. Raises Problems where a case cannot say it.
    """
    game = play.game
    if not isinstance(game, Game) or SCENE not in play.setup:
        raise problem_with("case", notice("no_scene_at_all"))
    scene, acts = play.setup[SCENE], play.setup.get(ACTS, "")
    when: Data = {"do": game.scenes().sentence(play.again().battle, acts)}
    when |= _answered(play)
    if play.battle.dice.thrown:
        when["dice"] = list(play.battle.dice.thrown)
    case: Data = {"game": game.id, "rule": _rule(play), "title": title.strip() or _title(play)}
    case |= {key: scene[key] for key in PARTS if scene.get(key)}
    case |= {"when": when, "then": [_expected(play)]}
    wrong = [problem for row in run_case(case, "case") for problem in row.problems]
    if wrong:
        raise Problems("case", [Problem("", notice("in_their_words", reason=text)) for text in wrong])
    return as_file(case)


def _rule(play: Play) -> str:
    if play.pending:
        return play.pending[0].rule
    cited = [event.rule for event in play.events if event.rule]
    return cited[-1] if cited else ""


def _title(play: Play) -> str:
    return f"What side {play.pending[0].side + 1} may answer here" if play.pending else "What comes of it"


def _answered(play: Play) -> Data:
    """The answers that were given, by what was asked, as a case writes them."""
    if not play.answers:
        return {}
    unit = MEASURES[play.game.measure]
    again = play.again(keep=False)
    given: dict[str, list[Any]] = {}
    for side, answer in play.answers:
        decision = again.decision_of(side)
        assert decision is not None
        suggested = not isinstance(decision, PickOne | PickSeveral | PutInOrder) and decision.suggestion() == answer
        raw = "suggestion" if suggested else _as_written(decision, answer, unit)
        given.setdefault(decision.ask, []).append(raw)
        again.replay([(side, answer)])
    return {"answers": {ask: found[0] if len(found) == 1 else {"each": found} for ask, found in given.items()}}


def _as_written(decision: Decision, answer: Any, unit: float) -> Any:
    plain = msgspec.to_builtins(answer, enc_hook=str)
    return _scaled(plain, unit) if isinstance(decision, Move | Place) else plain


def _scaled(raw: Any, unit: float) -> Any:
    if isinstance(raw, dict):
        return {key: _scaled(value, unit) for key, value in raw.items()}
    if isinstance(raw, list | tuple):
        return [_scaled(value, unit) for value in raw]
    return round(raw / unit, 5) if isinstance(raw, int | float) and not isinstance(raw, bool) else raw


def _expected(play: Play) -> Data:
    """What is true now: what is asked of whom, and all that may be answered; or what has happened."""
    if play.pending:
        asks = [decision.ask for decision in play.pending]
        row: Data = {"asks": asks[0] if len(asks) == 1 else asks, "asks_side": play.pending[0].side + 1}
        if isinstance(play.pending[0], PickOne | PickSeveral | PutInOrder):
            row["offered"] = sorted(play.pending[0].keys())
        return row
    happened = list(dict.fromkeys(event.name for event in play.events))
    return {"events": happened} if happened else {"round": play.battle.round}


# -- as a file ---------------------------------------------------------------------------------------------------------


def as_file(case: Mapping[str, Any]) -> str:
    """A case as a TOML file that a person can read: a line for each unit."""
    tables = ("given", "table", "battle", "options", "when")
    head = as_toml({key: value for key, value in case.items() if key not in (*tables, "then")})
    parts = [(f"[{key}]", case[key]) for key in tables if case.get(key)]
    parts += [("[[then]]", row) for row in case.get("then", ())]
    return "\n".join([head, *(f"{heading}\n{as_toml(_small(table))}" for heading, table in parts)])


def _small(table: Mapping[str, Any]) -> Data:
    """Lists of tables stay under their key: a heading would belong to the file."""
    return {key: _Inline(value) if isinstance(value, list) else value for key, value in table.items()}


class _Inline(tuple[Any, ...]):
    """A list that is written in one line."""

    def __new__(cls, values: Sequence[Any]) -> _Inline:
        return super().__new__(cls, values)
