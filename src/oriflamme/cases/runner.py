"""Plays conformance cases and says what differs from what they expect.

A case is a scene, what is done, the dice, and rows of expectations; each row plays the scene afresh with its changes.
The runner is strict: keys nobody knows, dice left over or missing, and questions left open all fail the row.
"""

from __future__ import annotations

import re
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from oriflamme import games
from oriflamme.cases import shape, values
from oriflamme.engine.cases.scenes import Deed, Fact, Scenes
from oriflamme.engine.core.decisions import Allocate, Decision, PickOne, PickSeveral, PutInOrder
from oriflamme.engine.core.dice import OutOfDice, ScriptedDice, WrongDie
from oriflamme.engine.core.events import Event, Refusal
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.processes import worker_processes
from oriflamme.engine.words.catalogue import load as load_catalogue
from oriflamme.engine.words.homes import home_of
from oriflamme.engine.words.notices import described, quoted
from oriflamme.engine.words.problems import Problem, Problems, Reader, did_you_mean, read_toml

SCENE = tuple(shape.SCENE)
# What a row may expect of the question that is left open.
OF_THE_OPEN = ("asks_side", "offered", "offers", "not_offered", "suggests", "refused", "accepted")
# What most who gave an answer too many did not think of.
FORCED: Final = "a question with only one possible answer is not put"


class Row(msgspec.Struct):
    """How one row of a case went."""

    file: str
    title: str
    why: str
    rules: tuple[str, ...]
    passed: bool
    problems: list[str]
    seconds: float = 0.0


class Report(msgspec.Struct):
    """How a run of cases went."""

    rows: list[Row]
    seconds: float = 0.0

    @property
    def failed(self) -> list[Row]:
        return [row for row in self.rows if not row.passed]

    @property
    def passed(self) -> bool:
        return bool(self.rows) and not self.failed

    def covered(self) -> set[str]:
        """The rules that a passing row cites, and that no failing one does."""
        return {r for row in self.rows if row.passed for r in row.rules}


def cases_folder() -> Path:
    """The cases of the checkout, or of the installed program."""
    here = Path(__file__).resolve()
    checkout = here.parents[3] / "cases"
    return checkout if checkout.is_dir() else here.parents[1] / "conformance"


def cases_of(game: str) -> Path:
    """Where the cases of a game are: among ours, or in its own folder."""
    home = home_of(game)
    own = home.folder / "cases" if home is not None else None
    return own if own is not None and own.is_dir() else cases_folder() / game


def find(paths: Iterable[str | Path] = ()) -> list[Path]:
    """The case files under these files and folders, those of every game if none is named; raises Problems."""
    found: list[Path] = []
    problems = Problems("cases")
    ours = [cases_of(game) for game in games.ids() if cases_of(game).is_dir()]
    for path in [Path(p) for p in paths] or ours:
        if path.is_dir():
            found += sorted(path.rglob("*.toml"))
        elif path.is_file():
            found.append(path)
        else:
            problems.add(str(path), "no such file or folder")
    problems.raise_if_any()
    return found


# Below so many files for each of them, starting another process takes longer than playing the cases.
FILES_PER_WORKER = 40


def run(paths: Iterable[str | Path] = (), workers: int = 1) -> Report:
    """Play the cases in these files and folders, by several processes if so many are worth it."""
    began = time.perf_counter()
    files = find(paths)
    workers = min(workers, len(files) // FILES_PER_WORKER)
    rows: list[Row] = []
    for played in map(run_file, files) if workers <= 1 else _spread(files, workers):
        rows += played
    return Report(rows, time.perf_counter() - began)


def _spread(files: list[Path], workers: int) -> Iterator[list[Row]]:
    """Play files side by side; their rows in the order of the files."""
    with worker_processes(workers) as pool:
        yield from pool.imap(run_file, files, chunksize=8)


def run_file(path: str | Path) -> list[Row]:
    """Play one case file; a file that cannot be read is one failed row."""
    path = Path(path)
    try:
        data = read_toml(path)
    except Problems as problems:
        return [Row(str(path), path.stem, "", (), False, [str(problems)])]
    return run_case(data, str(path))


def run_case(data: dict[str, Any], file: str = "case") -> list[Row]:
    """Play what a file holds, given as data: one case, or those under [[case]]."""
    return _run_several(data, file) if "case" in data else _run_one(data, file, str)


# How a problem is put into words: with the place of its case, where a file has several.
Tell = Callable[[Problem], str]


def _run_several(data: dict[str, Any], file: str) -> list[Row]:
    """Play the cases of one file. What stands before the first [[case]] is the same for all of them."""
    problems = Problems(file)
    for key in ("rule", "rules", "title", "then"):
        if key in data:
            problems.add(key, "stands above [[case]]", hint="each case has its own")
    shared = {key: value for key, value in data.items() if key in shape.SHARED}
    rest = [key for key in data if key not in (*shape.SHARED, *shape.OF_ONE, "case")]
    shape.known_keys(rest, (*shape.SHARED, "case"), "", problems)
    shape.check(shared, shape.SHARED, "", problems)
    shape.several(shape.table, "cases")(data["case"], "case", problems)
    if problems:
        return [Row(file, Path(file).stem, "", (), False, [str(p) for p in problems])]
    rows: list[Row] = []
    titles: dict[Any, int] = {}
    for number, own in enumerate(data["case"], 1):
        title = own.get("title")
        if title is None or title in titles:
            what = "missing" if title is None else f"the same as that of case {titles[title]}"
            problem = Problem(
                f"case[{number}].title", what, hint="reports tell the cases of a file apart by their titles"
            )
            rows.append(Row(file, title or f"{Path(file).stem}, case {number}", "", (), False, [str(problem)]))
            continue
        titles[title] = number
        rows += _run_one(with_shared(shared, own), file, partial(_in_case, number, own))
    return rows


def with_shared(shared: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """A case laid over what its file shares, as a row is laid over its case."""
    whole = {**shared, **own}
    for key in SCENE:
        if key in shared and key in own:
            whole[key] = merged(shared[key], own[key])
    above, here = shared.get("when"), own.get("when")
    if isinstance(above, dict) and isinstance(here, dict):
        whole["when"] = {**above, **here}
        if isinstance(above.get("answers"), dict) and isinstance(here.get("answers"), dict):
            whole["when"]["answers"] = {**above["answers"], **here["answers"]}
    return whole


def _in_case(number: int, own: dict[str, Any], problem: Problem) -> str:
    """A problem with the place of its case; one with what the file shares keeps the place where that stands."""
    top = re.split(r"[.\[]", problem.where)[0]
    if top in shape.SHARED and top not in own:
        return str(problem)
    return str(
        msgspec.structs.replace(problem, where=f"case[{number}]" + (f".{problem.where}" if problem.where else ""))
    )


def _run_one(data: dict[str, Any], file: str, tell: Tell) -> list[Row]:
    """Play one case."""
    title = data["title"] if isinstance(data.get("title"), str) else Path(file).stem
    problems = Problems(file)
    scenes, game_id = _game_of(data, file, problems)
    shape.known_keys(data, tuple(shape.TOP), "", problems)
    shape.check(data, shape.TOP, "", problems)
    rules = _rules_of(data, game_id, problems, "")
    if "rule" not in data and "rules" not in data:
        problems.add("rule", "missing", hint='say which rule this case shows: rule = "XYZ-HIT-01"')
    rows = _rows_of(data, problems)
    when = data.get("when", {})
    if isinstance(when, dict):
        shape.known_keys(when, tuple(shape.WHEN), "when", problems)
        shape.check(when, shape.WHEN, "when", problems)
    if problems or scenes is None:
        return [Row(file, title, "", rules, False, [tell(p) for p in problems])]

    made: list[Row] = []
    for number, row in enumerate(rows, 1):
        began = time.perf_counter()
        found = Problems(file)
        where = f"then[{number}]"
        own = _rules_of(row, game_id, found, where)
        try:
            _play_row(scenes, game_id, data, row, where, found)
        except Exception as broken:
            # A mistake of ours in one row must not keep the others from being played.
            last = traceback.extract_tb(broken.__traceback__)[-1]
            place = f"{Path(last.filename).name}, line {last.lineno}"
            found.add(where, f"the program broke: {type(broken).__name__}: {broken} ({place})")
        why = row["why"] if isinstance(row.get("why"), str) else ""
        cited = tuple(dict.fromkeys((*rules, *own)))
        made.append(Row(file, title, why, cited, not found, [tell(p) for p in found], time.perf_counter() - began))
    return made


def _rows_of(data: dict[str, Any], problems: Problems) -> list[dict[str, Any]]:
    rows = data.get("then")
    remedy = "a case needs at least one [[then]] with expectations"
    if isinstance(rows, dict):
        return [rows]
    if rows is None or rows == []:
        problems.add("then", "missing", hint=remedy)
        return []
    if not isinstance(rows, list):
        problems.add("then", f"expected a list of tables, found {described(rows)}", hint=remedy)
        return []
    for number, row in enumerate(rows, 1):
        shape.table(row, f"then[{number}]", problems)
    return [row for row in rows if isinstance(row, dict)]


def _game_of(data: dict[str, Any], file: str, problems: Problems) -> tuple[Scenes | None, str]:
    """The game a case belongs to: as it says, or as its folder or its rule ids say."""
    said = data.get("game")
    known = games.ids()
    if said is None:
        parts = [p for p in Path(file).parts if p in known]
        by_rule = [g for g in known for r in _cited(data) if r.casefold().startswith(f"{g}-")]
        said = parts[-1] if parts else by_rule[0] if by_rule else known[0] if len(known) == 1 else None
    if said not in known:
        problems.add("game", f"{described(said)} is not a game", hint=f"one of {', '.join(known)}")
        return None, ""
    return games.load(said).scenes(), said


def game_of(data: dict[str, Any], file: str) -> str:
    """The game a case belongs to; raises Problems if nothing says which."""
    problems = Problems(file)
    game = _game_of(data, file, problems)[1]
    problems.raise_if_any()
    return game


def _cited(data: dict[str, Any]) -> list[str]:
    """The rules a case or a row cites; what is no text is a problem of its shape."""
    return [rule for rule in (data.get("rule"), *_listed(data.get("rules"))) if isinstance(rule, str)]


def _rules_of(data: dict[str, Any], game_id: str, problems: Problems, where: str) -> tuple[str, ...]:
    cited = _cited(data)
    if game_id:
        known = load_catalogue(game_id).rules
        shape.known_names(cited, known, "rule", f"{where}.rule" if where else "rule", problems, listing=False)
    return tuple(cited)


def merged(base: Any, change: Any) -> Any:
    """A table with another laid over it, key by key, tables within tables too.

    `false` laid over anything but true or false takes it away.
    """
    if not isinstance(base, dict) or not isinstance(change, dict):
        return deepcopy(change)
    result = dict(base)
    for key, value in change.items():
        if value is False and key in base and not isinstance(base[key], bool):
            del result[key]
        else:
            result[key] = merged(base.get(key), value)
    return result


class _Stop(Exception):
    """The case looks no further than this event."""


class _Log(list[Event]):
    """A log that stops the play at an event of a certain name."""

    def __init__(self, until: str) -> None:
        super().__init__()
        self.until = until

    def append(self, event: Event) -> None:
        super().append(event)
        if event.name == self.until:
            raise _Stop


class _Run:
    """A row being played."""

    def __init__(self, battle: Any, dice: ScriptedDice) -> None:
        self.battle = battle
        self.dice = dice
        self.events: list[Event] = []
        self.asked: list[Decision] = []
        self.open: tuple[Decision, ...] = ()
        self.play: Play | None = None
        self.problems: list[Any] | None = None
        self.stopped = False


def _play_row(
    scenes: Scenes, game_id: str, case: dict[str, Any], row: dict[str, Any], where: str, problems: Problems
) -> None:
    shape.check(row, {**shape.ROW, **shape.EXPECT}, where, problems)
    if problems:
        return
    when = case.get("when", {})
    scene: dict[str, Any] = {key: case[key] for key in SCENE if key in case}
    for key in SCENE:
        if key in row:
            scene[key] = merged(scene.get(key, {}), row[key])
    script = {key: row.get(key, when.get(key)) for key in shape.WHEN}
    script["answers"] = _answers_of(when.get("answers", {}), row.get("answers", {}), where, problems)
    dice = ScriptedDice(shape.script(script["dice"] or []))
    scenes = scenes.of(scene)
    reader = Reader(scene, problems, "")
    battle = scenes.build(reader, problems, dice)
    if problems:
        return
    run = _Run(battle, dice)
    before = {
        unit: scenes.state(battle, unit) for unit in _listed(row.get("unchanged")) if unit in scenes.units(battle)
    }

    if script["do"] is None:
        problems.add(f"{where}.do", "missing", hint='say what is done: do = "archers shoot levy"')
    _check_names(scenes, game_id, run, row, script, where, problems)
    if problems:
        return
    deeds = _listed(script["do"])
    answers = _Answers(script["answers"], where)
    # A question the row is about stays open, even if it could take the suggestion.
    suggested = scenes.suggested - set(_listed(row.get("asks")))
    _do_all(scenes, game_id, scene, run, deeds, answers, suggested, script["until"], where, problems)
    if problems:
        return
    answers.unused(problems)
    if run.dice.unused and not run.problems:
        problems.add(f"{where}.dice", f"{len(run.dice.unused)} dice were not used: {list(run.dice.unused)}")
    _expect(scenes, run, row, before, where, problems)


def _answers_of(given: dict[str, Any], change: dict[str, Any], where: str, problems: Problems) -> dict[str, Any]:
    """The answers of [when] with those of the row laid over them: each is replaced as a whole, or taken away."""
    for key, answer in change.items():
        if answer is False and key not in given:
            problems.add(f"{where}.answers.{key}", "there is no such answer to take away")
    found = {key: answer for key, answer in {**given, **change}.items() if key not in change or answer is not False}
    for key, answer in found.items():
        if isinstance(answer, bool):
            problems.add(f"{where}.answers.{key}", f"{described(answer)} answers no question")
    return found


def _check_names(
    scenes: Scenes,
    game_id: str,
    run: _Run,
    row: dict[str, Any],
    script: dict[str, Any],
    where: str,
    problems: Problems,
) -> None:
    """Every name a row uses exists: its keys, events and their fields, questions, rules."""
    facts = scenes.of_battle
    shape.known_keys(row, (*shape.ROW, *shape.EXPECT, *facts), where, problems)
    if not any(key in shape.EXPECT or key in facts for key in row):
        problems.add(where, "expects nothing", hint="a row that cannot fail shows nothing")
    for key in facts:
        if row.get(key) == {}:
            problems.add(f"{where}.{key}", "an empty table expects nothing", hint="say what must be in it")
    for unit, wanted in row.get("units", {}).items():
        shape.known_keys(wanted, tuple(scenes.of_unit), f"{where}.units.{unit}", problems)
        _check_bounds(wanted, scenes.of_unit, f"{where}.units.{unit}", problems)
    _check_bounds(row, facts, where, problems)

    sides = scenes.rulebook.most_sides
    if "asks_side" in row:
        shape.integer(1, sides)(row["asks_side"], f"{where}.asks_side", problems)
    for key in ("events", "no_events"):
        shape.known_events(_listed(row.get(key)), scenes.events, scenes.values, sides, f"{where}.{key}", problems)
    if script["until"]:
        shape.known_names([script["until"]], scenes.events, "event", f"{where}.until", problems)
    for key in ("asks", "asked", "not_asked"):
        shape.known_names(_listed(row.get(key)), scenes.questions, "question", f"{where}.{key}", problems)
    for key in script["answers"]:
        ask = key.partition("@")[0].partition(":")[0]
        shape.known_names([ask], {*scenes.questions, "otherwise"}, "question", f"{where}.answers.{key}", problems)

    rules = load_catalogue(game_id).rules
    for number, want in enumerate(_listed(row.get("refused")), 1):
        shape.known_names([want["by"]], rules, "rule", f"{where}.refused[{number}].by", problems, listing=False)
    shape.known_names(row.get("problems", ()), rules, "rule", f"{where}.problems", problems, listing=False)
    _check_values(row, facts, where, problems)
    _check_absences(scenes, run, row, where, problems)


def _check_values(row: dict[str, Any], facts: Iterable[str], where: str, problems: Problems) -> None:
    """Bounds and choices are such that something can meet them and something cannot."""
    for key in (*facts, "events", "no_events", "units"):
        if key in row:
            values.check(row[key], f"{where}.{key}", problems)
    for number, want in enumerate(_listed(row.get("refused")), 1):
        for key, value in want.items():
            if key != "answer":
                values.check(value, f"{where}.refused[{number}].{key}", problems)


def _check_bounds(row: dict[str, Any], facts: Mapping[str, Fact], where: str, problems: Problems) -> None:
    """A number of things is always at least 0."""
    for key, value in row.items():
        low = facts[key].low if key in facts else None
        least = value.get(values.LEAST) if values.is_open(value) else None
        if low is not None and isinstance(least, int | float) and least <= low and values.MOST not in value:
            problems.add(f"{where}.{key}", f"it is always at least {low}", hint=f"expect at least {low + 1}")


def _check_absences(scenes: Scenes, run: _Run, row: dict[str, Any], where: str, problems: Problems) -> None:
    """An event that must not happen could: one about somebody who is not there never does."""
    names: set[str] | None = None
    for number, want in enumerate(_listed(row.get("no_events")), 1):
        for key, value in want.items() if isinstance(want, dict) else ():
            if key in scenes.naming and isinstance(value, str):
                names = scenes.names(run.battle) if names is None else names
                if value not in names:
                    place = f"{where}.no_events[{number}].{key}"
                    hint = did_you_mean(value, names) or f"name a {scenes.unit} or another thing of the scene"
                    problems.add(place, f"{quoted(value)} names nothing in the scene", hint=hint)


class _Answers:
    """The answers a case gives, by what is asked: `ask`, `ask@side`, `ask:particular`, and several with `each`."""

    def __init__(self, given: dict[str, Any], where: str) -> None:
        self.given = given
        self.where = where
        self.used: dict[str, int] = {}

    def find(self, decision: Decision, deed: Deed) -> tuple[bool, Any]:
        particulars = _particulars(decision)
        keys = [f"{decision.ask}:{p}@{decision.side + 1}" for p in particulars]
        keys += [f"{decision.ask}:{p}" for p in particulars]
        keys += [f"{decision.ask}@{decision.side + 1}", decision.ask]
        for key in keys:
            if key in self.given:
                value = self.given[key]
                number = self.used.get(key, 0)
                self.used[key] = number + 1
                if isinstance(value, dict) and set(value) == {"each"}:
                    if number >= len(value["each"]):
                        return False, None
                    value = value["each"][number]
                return True, value
        for key in keys:
            if key in deed.answers:
                times = f"do[{deed.number}]:{key}"
                number = self.used.get(times, 0)
                value = deed.answers[key]
                value = value(decision, number) if callable(value) else value
                if value is not None:
                    self.used[times] = number + 1
                    return True, value
        if "otherwise" in self.given:
            self.used["otherwise"] = 1
            return True, self.given["otherwise"]
        return False, None

    def unused(self, problems: Problems) -> None:
        for key, value in self.given.items():
            if key == "otherwise":
                continue
            if key not in self.used:
                problems.add(f"{self.where}.answers.{key}", "was never asked", hint=FORCED)
            elif isinstance(value, dict) and set(value) == {"each"} and self.used[key] < len(value["each"]):
                left = len(value["each"]) - self.used[key]
                problems.add(f"{self.where}.answers.{key}", f"{left} of its answers were never asked for", hint=FORCED)


def _do_all(
    scenes: Scenes,
    game_id: str,
    scene: dict[str, Any],
    run: _Run,
    deeds: list[str],
    answers: _Answers,
    suggested: frozenset[str],
    until: str | None,
    where: str,
    problems: Problems,
) -> None:
    game = scenes.game or games.load(game_id)
    for number, sentence in enumerate(deeds, 1):
        if run.open:
            problems.add(f"{where}.do", f'"{sentence}" cannot be done: "{run.open[0].ask}" is still open')
            return
        try:
            deed = scenes.deed(run.battle, sentence, scene)
            deed.number = number
        except Problems as unclear:
            for problem in unclear:
                problems.add(problem.where or f"{where}.do", problem.what, problem.rule, problem.hint)
            return
        if deed.problems is not None:
            run.problems = deed.problems
            continue
        battle = run.battle
        battle.track.clear()
        battle.then_all(*((name, tuple(args)) for name, *args in deed.steps))
        battle.log = _Log(until) if until else []
        play = Play.__new__(Play)
        play.game, play.setup, play.seed, play.given, play.seeds = game, {}, 0, (), ()
        play.keep, play.answers = True, []
        log = battle.log
        play._start(battle, True)
        battle.log = log
        run.play = play
        try:
            play.steps = scenes.steps or game.steps
            play.stop_before = deed.stop_before
            # There is no setup to begin again from: a fork begins here.
            play._boundary = battle.copy()
            play._advance(None)
            while play.pending:
                for candidate in play.pending:
                    _check_question(scenes, candidate, where, problems)
                if problems:
                    return
                decision = play.pending[0]
                # Of several pending decisions, those the case answers come first.
                for candidate in play.pending:
                    known, _ = _peek(answers, candidate, deed)
                    if known or candidate.ask in suggested:
                        decision = candidate
                        break
                known, raw = answers.find(decision, deed)
                if not known and decision.ask in suggested:
                    known, raw = True, "suggestion"
                if not known:
                    run.asked += play.pending
                    run.open = play.pending
                    break
                run.asked.append(decision)
                place = f"{where}.answers.{decision.ask}"
                try:
                    given = _answer_for(scenes, battle, decision, raw)
                except Problems as unclear:
                    _pass_on(unclear, place, problems)
                    return
                refusal = play.answer(decision.side, given)
                if refusal is not None:
                    problems.add(place, f"{raw!r} was refused: {_as_written(refusal, raw)}")
                    return
        except _Stop:
            run.stopped = True
        except OutOfDice as missing:
            wrong = "of the wrong kind" if isinstance(missing, WrongDie) else "too few"
            problems.add(f"{where}.dice", f"{wrong}: {missing}; so far: {_story(log)}")
            return
        run.events += log
        run.battle = play.battle
        _check_events(scenes, log, where, problems)
        if run.stopped:
            return


def _check_question(scenes: Scenes, decision: Decision, where: str, problems: Problems) -> None:
    """Whatever is asked is in the list of questions, with its keys; if it is not, the list is wrong."""
    known = scenes.questions.get(decision.ask)
    wrong = ""
    if known is None:
        wrong = f"no question {quoted(decision.ask)}"
    else:
        strange = [key for key in _keys(decision) if not known.knows(key)]
        wrong = f"no key {quoted(strange[0])} of {quoted(decision.ask)}" if strange else ""
    if wrong:
        hint = f"a fault of the program, not of the case: put it right in the scenes of the game ({decision.rule})"
        problems.add(where, f"the list of words has {wrong}", hint=hint)


def _check_events(scenes: Scenes, events: Iterable[Event], where: str, problems: Problems) -> None:
    """Whatever word a field of an event is, it is in the list."""
    for event in events:
        for field in event.__struct_fields__:
            words = scenes.values.get(f"{event.name}.{field}", "")
            if not isinstance(words, str) and getattr(event, field) not in words:
                what = f"the list of words has no {field} {quoted(str(getattr(event, field)))} of {event.name}"
                problems.add(
                    where, what, hint="a fault of the program, not of the case: put it into the scenes of the game"
                )


def _peek(answers: _Answers, decision: Decision, deed: Deed) -> tuple[bool, Any]:
    kept = dict(answers.used)
    found = answers.find(decision, deed)
    answers.used = kept
    return found


def _answer_for(scenes: Scenes, battle: Any, decision: Decision, raw: Any) -> Any:
    """An answer of a case as the decision wants it; raises Problems if it is none."""
    if raw == "suggestion":
        return decision.suggestion()
    if isinstance(raw, str) and any(raw == option.key for option in decision.extra_options):
        return raw
    return scenes.answer(battle, decision, raw)


def _pass_on(unclear: Problems, where: str, problems: Problems) -> None:
    for problem in unclear:
        problems.add(f"{where}.{problem.where}" if problem.where else where, problem.what, problem.rule, problem.hint)


def _as_written(refusal: Refusal, raw: Any) -> Refusal:
    """A refusal that quotes the answer as the case wrote it, in its own measure."""
    if not isinstance(refusal.facts.get("answer"), dict | list | tuple | int | float):
        return refusal
    return Refusal(refusal.rule, refusal.why, {**refusal.facts, "answer": raw})


def _story(events: Iterable[Event]) -> str:
    return " / ".join(_brief(e) for e in events) or "nothing happened"


def _brief(event: Event) -> str:
    facts = {k: v for k, v in event.facts().items() if k not in ("event", "why", "paths", "rule", "at")}
    return f"{event.name}({', '.join(f'{k}={v}' for k, v in facts.items())})"


def _expect(
    scenes: Scenes, run: _Run, row: dict[str, Any], before: dict[str, Any], where: str, problems: Problems
) -> None:
    """Compare what happened with what the row expects."""
    facts = scenes.of_battle
    if "problems" in row or run.problems is not None:
        _expect_problems(run, row, where, problems)
    for key in facts:
        if key in row and not values.same(row[key], got := facts[key].of(run.battle, run.events)):
            problems.add(f"{where}.{key}", f"expected {row[key]!r}, got {got!r}; {_story(run.events)}")
    _expect_events(run, row, where, problems)
    for unit, wanted in row.get("units", {}).items():
        if unit not in scenes.units(run.battle):
            hint = did_you_mean(unit, scenes.units(run.battle))
            problems.add(f"{where}.units.{unit}", "no such unit in the scene", hint=hint)
            continue
        state = scenes.state(run.battle, unit, wanted)
        for key, value in wanted.items():
            if value == {}:
                problems.add(f"{where}.units.{unit}.{key}", "an empty table expects nothing")
            elif not values.same(value, state[key]):
                problems.add(
                    f"{where}.units.{unit}.{key}", f"expected {value!r}, got {state[key]!r}; {_story(run.events)}"
                )
    for unit in _listed(row.get("unchanged")):
        if unit not in before:
            hint = did_you_mean(unit, scenes.units(run.battle))
            problems.add(f"{where}.unchanged", f"no {scenes.unit} {quoted(unit)} in the scene", hint=hint)
            continue
        if unit not in scenes.units(run.battle):
            problems.add(f"{where}.unchanged", f"{unit} is no longer there")
            continue
        now = scenes.state(run.battle, unit)
        for key, value in before[unit].items():
            if key not in scenes.relative and now.get(key) != value:
                problems.add(f"{where}.unchanged", f"{unit}.{key} was {value!r}, is {now.get(key)!r}")
    _expect_decisions(scenes, run, row, where, problems)


def _expect_problems(run: _Run, row: dict[str, Any], where: str, problems: Problems) -> None:
    found = [p.rule or "" for p in run.problems or []]
    wanted = row.get("problems")
    if wanted is None:
        problems.add(
            where, "expects no problems of the army or table", hint="write problems = [] or the rules that are broken"
        )
    elif run.problems is None:
        problems.add(f"{where}.problems", "no army or table was checked", hint='write do = "the army is checked"')
    elif sorted(wanted) != sorted(found):
        problems.add(f"{where}.problems", f"expected {wanted}, got {[str(p) for p in run.problems or []]}")


def _matches(wanted: dict[str, Any], event: Event) -> bool:
    facts = event.facts()
    return all(key in facts and values.same(value, facts[key]) for key, value in wanted.items())


def _expect_events(run: _Run, row: dict[str, Any], where: str, problems: Problems) -> None:
    """The events a row names happen in that order; others may come between. `no_events` never happen."""
    wanted = [{"event": e} if isinstance(e, str) else e for e in _listed(row.get("events"))]
    position = 0
    for number, want in enumerate(wanted, 1):
        while position < len(run.events) and not _matches(want, run.events[position]):
            position += 1
        if position == len(run.events):
            problems.add(f"{where}.events[{number}]", f"{want} did not happen; {_story(run.events)}")
            return
        position += 1
    for want in _listed(row.get("no_events")):
        want = {"event": want} if isinstance(want, str) else want
        for event in run.events:
            if _matches(want, event):
                problems.add(f"{where}.no_events", f"{_brief(event)} happened")


def _expect_decisions(scenes: Scenes, run: _Run, row: dict[str, Any], where: str, problems: Problems) -> None:
    """The question that is left open, what it offers, and what it refuses."""
    asks = row.get("asks")
    needs_open = [key for key in OF_THE_OPEN if key in row]
    if run.open and asks is None and not needs_open:
        keys = _keys(run.open[0])
        problems.add(
            where,
            f'"{run.open[0].ask}" ({run.open[0].rule}) is left open for side {run.open[0].side + 1}; offered: {keys}; '
            f"{_story(run.events)}",
            hint=f"answer it with answers.{run.open[0].ask}, or say asks = {run.open[0].ask!r}",
        )
        return
    if asks is not None and [d.ask for d in run.open] != _listed(asks):
        problems.add(f"{where}.asks", f"expected {asks!r}, open is {[d.ask for d in run.open]}; {_story(run.events)}")
        return
    for key, wanted in (("asked", True), ("not_asked", False)):
        for ask in _listed(row.get(key)):
            if (ask in [d.ask for d in run.asked]) is not wanted:
                problems.add(f"{where}.{key}", f"{ask!r}: asked were {[d.ask for d in run.asked]}")
    if not needs_open:
        return
    if not run.open or run.play is None:
        problems.add(f"{where}.{needs_open[0]}", f"no question is left open; {_story(run.events)}")
        return
    decision = run.open[0]
    if "asks_side" in row and row["asks_side"] not in (sides := [d.side + 1 for d in run.open]):
        problems.add(f"{where}.asks_side", f'expected {row["asks_side"]}, "{decision.ask}" is put to {sides}')
    _expect_offers(scenes, run, decision, row, where, problems)
    for number, want in enumerate(_listed(row.get("refused")), 1):
        _expect_refusal(scenes, run, decision, want, f"{where}.refused[{number}]", problems)
    for number, raw in enumerate(row.get("accepted", []), 1):
        place = f"{where}.accepted[{number}]"
        try:
            answer = _answer_for(scenes, run.battle, decision, raw)
        except Problems as unclear:
            _pass_on(unclear, place, problems)
            continue
        refusal = _refusal(run.play.twin(), decision, answer)
        if refusal is not None:
            problems.add(place, f"{raw!r} was refused: {_as_written(refusal, raw)}")


def _expect_offers(
    scenes: Scenes, run: _Run, decision: Decision, row: dict[str, Any], where: str, problems: Problems
) -> None:
    """What the open question offers and suggests."""
    keys = _keys(decision)
    named = [key for key in ("offered", "offers", "not_offered") if key in row]
    if named and not isinstance(decision, PickOne | PickSeveral | PutInOrder):
        problems.add(f"{where}.{named[0]}", f'"{decision.ask}" offers no keys', hint="use accepted and refused")
        return
    if "offered" in row and sorted(row["offered"]) != sorted(keys):
        problems.add(f"{where}.offered", f"expected {sorted(row['offered'])}, offered are {sorted(keys)}")
    for key in _listed(row.get("offers")):
        if key not in keys:
            problems.add(f"{where}.offers", f"{key!r} is not among {sorted(keys)}")
    for key in _listed(row.get("not_offered")):
        hint = scenes.unheard_of(decision.ask, key, {*scenes.names(run.battle), *_particulars(decision)})
        if key in keys:
            problems.add(f"{where}.not_offered", f"{key!r} is offered")
        elif hint is not None:
            problems.add(
                f"{where}.not_offered", f'{quoted(key)} is no key of "{decision.ask}" in this scene', hint=hint
            )
    if "suggests" in row:
        if not isinstance(decision, PickOne | PickSeveral | PutInOrder | Allocate):
            problems.add(f"{where}.suggests", f'what "{decision.ask}" suggests is not written in keys')
        elif decision.suggestion() != (wanted := _as_answer(row["suggests"])):
            problems.add(f"{where}.suggests", f"expected {wanted!r}, suggested is {decision.suggestion()!r}")


def _particulars(decision: Decision) -> list[str]:
    return [v for v in decision.about.values() if isinstance(v, str)]


def _as_answer(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _listed(value: Any) -> list[Any]:
    return [] if value is None else value if isinstance(value, list) else [value]


def _keys(decision: Decision) -> list[str]:
    if isinstance(decision, PickOne | PickSeveral | PutInOrder):
        return list(decision.keys())
    return []


def _refusal(play: Play, decision: Decision, answer: Any) -> Refusal | None:
    """Why an answer is refused, if it is; the dice that would be thrown afterwards are of no interest."""
    try:
        return play.answer(decision.side, answer)
    except OutOfDice:
        return None


def _expect_refusal(
    scenes: Scenes, run: _Run, decision: Decision, want: dict[str, Any], where: str, problems: Problems
) -> None:
    """An answer that must be refused, by which rule and with which numbers; the battle stays as it was."""
    assert run.play is not None
    before = run.battle.fingerprint()
    trial = run.play.twin()
    raw = want["answer"]
    try:
        refusal = _refusal(trial, decision, _answer_for(scenes, run.battle, decision, raw))
    except Problems as unclear:
        _pass_on(unclear, f"{where}.answer", problems)
        return
    if refusal is None:
        problems.add(where, f"{raw!r} was accepted")
        return
    refusal = _as_written(refusal, raw)
    if run.battle.fingerprint() != before or trial.battle.fingerprint() != before:
        problems.add(where, "the refused answer changed the battle")
    found = {"by": refusal.rule, "because": refusal.why, **refusal.facts}
    for key, value in want.items():
        if key == "answer":
            continue
        if key not in found or not values.same(value, found[key]):
            problems.add(f"{where}.{key}", f"expected {value!r}, got {found.get(key)!r} ({refusal})")


def coverage(game_id: str) -> dict[str, Any]:
    """Which rules of a game a passing case of ours cites, and which none does."""
    report = run([cases_of(game_id)])
    rules = list(load_catalogue(game_id).rules)
    covered = report.covered()
    return {
        "game": game_id,
        "rules": len(rules),
        "covered": len([r for r in rules if r in covered]),
        "missing": [r for r in rules if r not in covered],
        "cases": len(report.rows),
        "failed": len(report.failed),
    }
