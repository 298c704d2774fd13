"""Plays conformance cases and says what differs from what they expect.

A case is a scene, what is done, the dice, and rows of expectations; each row plays the scene afresh with its changes.
The runner is strict: keys nobody knows, dice left over or missing, and questions left open all fail the row.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec

from oriflamme import games
from oriflamme.cases.scene import Deed, Scenes
from oriflamme.engine.catalogue import load as load_catalogue
from oriflamme.engine.decisions import Decision, PickOne, PickSeveral, PutInOrder
from oriflamme.engine.dice import OutOfDice, ScriptedDice
from oriflamme.engine.events import Event, Refusal
from oriflamme.engine.play import Play
from oriflamme.engine.problems import Problems, Reader, closest, read_toml

# What a case may say besides the keys of its game's scene.
TOP = ("game", "rule", "rules", "title", "note", "given", "table", "battle", "options", "army", "when", "then")
WHEN = ("do", "dice", "answers", "until")
ROW = (
    "why", "rule", "rules", "given", "table", "battle", "options", "army", "do", "dice", "answers", "until",
)  # fmt: skip
EXPECT = (
    "events", "no_events", "units", "unchanged", "asks", "asked", "not_asked", "offered", "offers", "not_offered",
    "refused", "accepted", "problems", "facts",
)  # fmt: skip


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


def find(paths: Iterable[str | Path] = ()) -> list[Path]:
    """The case files under these files and folders, all of ours if none is named; raises Problems."""
    found: list[Path] = []
    problems = Problems("cases")
    for path in [Path(p) for p in paths] or [cases_folder()]:
        if path.is_dir():
            found += sorted(path.rglob("*.toml"))
        elif path.is_file():
            found.append(path)
        else:
            problems.add(str(path), "no such file or folder")
    problems.raise_if_any()
    return found


def run(paths: Iterable[str | Path] = ()) -> Report:
    """Play the cases in these files and folders."""
    began = time.perf_counter()
    rows: list[Row] = []
    for path in find(paths):
        rows += run_file(path)
    return Report(rows, time.perf_counter() - began)


def run_file(path: str | Path) -> list[Row]:
    """Play one case file; a file that cannot be read is one failed row."""
    path = Path(path)
    try:
        data = read_toml(path)
    except Problems as problems:
        return [Row(str(path), path.stem, "", (), False, [str(problems)])]
    return run_case(data, str(path))


def run_case(data: dict[str, Any], file: str = "case") -> list[Row]:
    """Play one case given as data."""
    title = str(data.get("title", Path(file).stem))
    problems = Problems(file)
    scenes, game_id = _game_of(data, file, problems)
    rules = _rules_of(data, game_id, problems, "")
    _known_keys(data, TOP, "", problems)
    if not rules:
        problems.add("rule", "missing", hint='say which rule this case shows: rule = "AOF-HIT-01"')
    rows = data.get("then", [])
    if isinstance(rows, dict):
        rows = [rows]
    if not isinstance(rows, list) or not rows or not all(isinstance(r, dict) for r in rows):
        problems.add("then", "missing", hint="a case needs at least one [[then]] with expectations")
        rows = []
    when = data.get("when", {})
    if isinstance(when, dict):
        _known_keys(when, WHEN, "when", problems)
    else:
        problems.add("when", "not a table", hint='write when = { do = "archers shoot levy" }')
    if problems or scenes is None:
        return [Row(file, title, "", rules, False, [str(p) for p in problems])]

    made: list[Row] = []
    for number, row in enumerate(rows, 1):
        began = time.perf_counter()
        found = Problems(file)
        own = _rules_of(row, game_id, found, f"then[{number}]")
        try:
            _play_row(scenes, game_id, data, row, f"then[{number}]", found)
        except Exception as broken:
            # A mistake of ours in one row must not keep the others from being played.
            last = traceback.extract_tb(broken.__traceback__)[-1]
            place = f"{Path(last.filename).name}, line {last.lineno}"
            found.add(f"then[{number}]", f"the program broke: {type(broken).__name__}: {broken} ({place})")
        why = str(row.get("why", ""))
        cited = tuple(dict.fromkeys((*rules, *own)))
        made.append(Row(file, title, why, cited, not found, [str(p) for p in found], time.perf_counter() - began))
    return made


def _game_of(data: dict[str, Any], file: str, problems: Problems) -> tuple[Scenes | None, str]:
    """The game a case belongs to: as it says, or as its folder or its rule ids say."""
    said = data.get("game")
    known = games.ids()
    if said is None:
        parts = [p for p in Path(file).parts if p in known]
        cited = [data.get("rule"), *(data.get("rules") or [])]
        by_rule = [g for g in known for r in cited if isinstance(r, str) and r.casefold().startswith(f"{g}-")]
        said = parts[-1] if parts else by_rule[0] if by_rule else known[0] if len(known) == 1 else None
    if said not in known:
        problems.add("game", f"{said!r} is not a game", hint=f"one of {', '.join(known)}")
        return None, ""
    return games.load(said).scenes(), said


def _rules_of(data: dict[str, Any], game_id: str, problems: Problems, where: str) -> tuple[str, ...]:
    cited: list[str] = []
    if "rule" in data:
        cited.append(data["rule"])
    cited += data.get("rules", [])
    if game_id:
        known = load_catalogue(game_id).rules
        for rule in cited:
            if rule not in known:
                guess = closest(str(rule), known)
                hint = f'did you mean "{guess}"?' if guess else None
                problems.add(f"{where}.rule" if where else "rule", f"no rule {rule!r}", hint=hint)
    return tuple(map(str, cited))


def _known_keys(data: dict[str, Any], known: Sequence[str], where: str, problems: Problems) -> None:
    for key in data:
        if key not in known:
            guess = closest(key, known)
            hint = f'did you mean "{guess}"?' if guess else None
            problems.add(f"{where}.{key}" if where else key, "unknown key", hint=hint)


def merged(base: Any, change: Any) -> Any:
    """A table with another laid over it, key by key, tables within tables too."""
    if isinstance(base, dict) and isinstance(change, dict):
        result = dict(base)
        for key, value in change.items():
            result[key] = merged(base.get(key), value) if key in base else deepcopy(value)
        return result
    return deepcopy(change)


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
    when = case.get("when", {})
    scene: dict[str, Any] = {key: case[key] for key in ("given", "table", "battle", "options", "army") if key in case}
    for key in ("given", "table", "battle", "options", "army"):
        if key in row:
            scene[key] = merged(scene.get(key, {}), row[key])
    script = {key: row.get(key, when.get(key)) for key in WHEN}
    if "answers" in row and "answers" in when:
        script["answers"] = {**when["answers"], **row["answers"]}

    faces = script["dice"] if script["dice"] is not None else []
    if not isinstance(faces, list) or not all(isinstance(f, int) and 1 <= f <= 6 for f in faces):
        problems.add(f"{where}.dice", f"{faces!r} is not a list of faces from 1 to 6")
        return
    dice = ScriptedDice(faces)
    reader = Reader(scene, problems, "")
    battle = scenes.build(reader, problems, dice)
    if problems:
        return
    run = _Run(battle, dice)
    before = {unit: scenes.state(battle, unit) for unit in scenes.units(battle)} if battle is not None else {}

    deeds = script["do"]
    deeds = [deeds] if isinstance(deeds, str) else deeds
    if not isinstance(deeds, list) or not deeds or not all(isinstance(d, str) for d in deeds):
        problems.add(f"{where}.do", "missing", hint='say what is done: do = "archers shoot levy"')
        return
    answers = _Answers(script["answers"] or {}, where)
    # A question the row is about stays open, even if it could take the suggestion.
    suggested = scenes.suggested - set(_listed(row.get("asks")))
    _do_all(scenes, game_id, scene, run, deeds, answers, suggested, script["until"], where, problems)
    if problems:
        return
    answers.unused(problems)
    if run.dice.unused and not run.problems:
        problems.add(f"{where}.dice", f"{len(run.dice.unused)} dice were not used: {list(run.dice.unused)}")
    _expect(scenes, run, row, before, where, problems)


class _Answers:
    """The answers a case gives, by what is asked: `ask`, `ask@side`, `ask:particular`, and several with `each`."""

    def __init__(self, given: dict[str, Any], where: str) -> None:
        self.given = given
        self.where = where
        self.used: dict[str, int] = {}

    def find(self, decision: Decision, deed: Deed) -> tuple[bool, Any]:
        particulars = [str(v) for v in decision.about.values() if isinstance(v, str)]
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
                return True, deed.answers[key]
        if "otherwise" in self.given:
            self.used["otherwise"] = 1
            return True, self.given["otherwise"]
        return False, None

    def unused(self, problems: Problems) -> None:
        for key, value in self.given.items():
            if key == "otherwise":
                continue
            if key not in self.used:
                problems.add(f"{self.where}.answers.{key}", "was never asked")
            elif isinstance(value, dict) and set(value) == {"each"} and self.used[key] < len(value["each"]):
                left = len(value["each"]) - self.used[key]
                problems.add(f"{self.where}.answers.{key}", f"{left} of its answers were never asked for")


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
    game = games.load(game_id)
    for sentence in deeds:
        if run.open:
            problems.add(f"{where}.do", f'"{sentence}" cannot be done: "{run.open[0].ask}" is still open')
            return
        try:
            deed = scenes.deed(run.battle, sentence, scene)
        except Problems as unclear:
            for problem in unclear:
                problems.add(f"{where}.do", problem.what, problem.rule, problem.hint)
            return
        if deed.problems is not None:
            run.problems = deed.problems
            continue
        battle = run.battle
        battle.track.clear()
        battle.then(*deed.steps)
        battle.log = _Log(until) if until else []
        play = Play.__new__(Play)
        play.game, play.setup, play.seed, play.keep, play.answers = game, {}, 0, True, []
        log = battle.log
        play._start(battle, True)
        battle.log = log
        run.play = play
        try:
            play.stop_before = deed.stop_before
            play._advance(None)
            while play.pending:
                decision = play.pending[0]
                # Of several pending decisions, those the case answers come first.
                for candidate in play.pending:
                    known, _ = _peek(answers, candidate, deed)
                    if known or candidate.ask in suggested:
                        decision = candidate
                        break
                run.asked.append(decision)
                known, raw = answers.find(decision, deed)
                if not known and decision.ask in suggested:
                    known, raw = True, "suggestion"
                if not known:
                    run.open = play.pending
                    break
                if callable(raw):
                    raw = raw(decision)
                given = decision.suggestion() if raw == "suggestion" else scenes.answer(battle, decision, raw)
                refusal = play.answer(decision.side, given)
                if refusal is not None:
                    problems.add(f"{where}.answers.{decision.ask}", f"{raw!r} was refused: {refusal}")
                    return
        except _Stop:
            run.stopped = True
        except OutOfDice as missing:
            problems.add(f"{where}.dice", f"too few: {missing}; so far: {_story(log)}")
            return
        run.events += log
        run.battle = play.battle
        if run.stopped:
            return


def _peek(answers: _Answers, decision: Decision, deed: Deed) -> tuple[bool, Any]:
    kept = dict(answers.used)
    found = answers.find(decision, deed)
    answers.used = kept
    return found


def _story(events: Iterable[Event]) -> str:
    return " / ".join(_brief(e) for e in events) or "nothing happened"


def _brief(event: Event) -> str:
    facts = {k: v for k, v in event.facts().items() if k not in ("event", "why", "paths", "rule", "at")}
    return f"{event.name}({', '.join(f'{k}={v}' for k, v in facts.items())})"


def _expect(
    scenes: Scenes, run: _Run, row: dict[str, Any], before: dict[str, Any], where: str, problems: Problems
) -> None:
    """Compare what happened with what the row expects."""
    facts = scenes.facts(run.battle, run.events) if run.battle is not None else {}
    known = (*ROW, *EXPECT, *facts)
    for key in row:
        if key not in known:
            guess = closest(key, known)
            hint = f'did you mean "{guess}"?' if guess else None
            problems.add(f"{where}.{key}", "unknown key", hint=hint)
    expectations = [key for key in row if key in EXPECT or key in facts]
    if not expectations:
        problems.add(where, "expects nothing", hint="a row that cannot fail shows nothing")

    if "problems" in row or run.problems is not None:
        _expect_problems(run, row, where, problems)
    for key in facts:
        if key in row and not _same(row[key], facts[key]):
            problems.add(f"{where}.{key}", f"expected {row[key]!r}, got {facts[key]!r}; {_story(run.events)}")
    _expect_events(run, row, where, problems)
    for unit, wanted in row.get("units", {}).items():
        if unit not in scenes.units(run.battle):
            problems.add(f"{where}.units.{unit}", "no such unit in the scene")
            continue
        state = scenes.state(run.battle, unit)
        for key, value in wanted.items():
            if key not in state:
                guess = closest(key, state)
                hint = f'did you mean "{guess}"?' if guess else None
                problems.add(f"{where}.units.{unit}.{key}", "unknown key", hint=hint)
            elif not _same(value, state[key]):
                problems.add(
                    f"{where}.units.{unit}.{key}", f"expected {value!r}, got {state[key]!r}; {_story(run.events)}"
                )
    for unit in row.get("unchanged", []):
        if unit not in before:
            problems.add(f"{where}.unchanged", f"no unit {unit!r} in the scene")
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
        problems.add(where, "expects no problems of the army or table", hint='write problems = [] or ["AOF-ARMY-07"]')
    elif sorted(wanted) != sorted(found):
        problems.add(f"{where}.problems", f"expected {wanted}, got {[str(p) for p in run.problems or []]}")


def _same(wanted: Any, found: Any) -> bool:
    """Whether a value is as expected: numbers to a hundredth, lists and tables member by member."""
    if isinstance(wanted, bool) or isinstance(found, bool):
        return wanted is found
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        return abs(wanted - found) <= 0.011
    if isinstance(wanted, list | tuple) and isinstance(found, list | tuple):
        return len(wanted) == len(found) and all(_same(a, b) for a, b in zip(wanted, found, strict=True))
    if isinstance(wanted, dict) and isinstance(found, dict):
        return all(key in found and _same(value, found[key]) for key, value in wanted.items())
    return bool(wanted == found)


def _matches(wanted: dict[str, Any], event: Event) -> bool:
    facts = event.facts()
    return all(key in facts and _same(value, facts[key]) for key, value in wanted.items())


def _expect_events(run: _Run, row: dict[str, Any], where: str, problems: Problems) -> None:
    """The events a row names happen in that order; others may come between. `no_events` never happen."""
    wanted = [{"event": e} if isinstance(e, str) else e for e in row.get("events", [])]
    position = 0
    for number, want in enumerate(wanted, 1):
        while position < len(run.events) and not _matches(want, run.events[position]):
            position += 1
        if position == len(run.events):
            problems.add(f"{where}.events[{number}]", f"{want} did not happen; {_story(run.events)}")
            return
        position += 1
    for want in row.get("no_events", []):
        want = {"event": want} if isinstance(want, str) else want
        for event in run.events:
            if _matches(want, event):
                problems.add(f"{where}.no_events", f"{_brief(event)} happened")


def _expect_decisions(scenes: Scenes, run: _Run, row: dict[str, Any], where: str, problems: Problems) -> None:
    """The question that is left open, what it offers, and what it refuses."""
    asks = row.get("asks")
    needs_open = [key for key in ("offered", "offers", "not_offered", "refused", "accepted") if key in row]
    if run.open and asks is None and not needs_open:
        keys = _keys(run.open[0])
        problems.add(
            where,
            f'"{run.open[0].ask}" ({run.open[0].rule}) is left open for side {run.open[0].side + 1}; offered: {keys}; '
            f"{_story(run.events)}",
            hint=f"answer it with answers.{run.open[0].ask}, or say asks = {run.open[0].ask!r}",
        )
        return
    if asks is not None and [d.ask for d in run.open] != ([asks] if isinstance(asks, str) else asks):
        problems.add(f"{where}.asks", f"expected {asks!r}, open is {[d.ask for d in run.open]}; {_story(run.events)}")
        return
    for key, wanted in (("asked", True), ("not_asked", False)):
        for ask in [row[key]] if isinstance(row.get(key), str) else row.get(key, []):
            if (ask in [d.ask for d in run.asked]) is not wanted:
                problems.add(f"{where}.{key}", f"{ask!r}: asked were {[d.ask for d in run.asked]}")
    if not needs_open:
        return
    if not run.open or run.play is None:
        problems.add(f"{where}.{needs_open[0]}", f"no question is left open; {_story(run.events)}")
        return
    decision = run.open[0]
    keys = _keys(decision)
    if "offered" in row and sorted(row["offered"]) != sorted(keys):
        problems.add(f"{where}.offered", f"expected {sorted(row['offered'])}, offered are {sorted(keys)}")
    for key in row.get("offers", []):
        if key not in keys:
            problems.add(f"{where}.offers", f"{key!r} is not among {sorted(keys)}")
    for key in row.get("not_offered", []):
        if key in keys:
            problems.add(f"{where}.not_offered", f"{key!r} is offered")
    for number, want in enumerate(_listed(row.get("refused")), 1):
        _expect_refusal(scenes, run, decision, want, f"{where}.refused[{number}]", problems)
    for number, raw in enumerate(row.get("accepted", []), 1):
        refusal = _refusal(run.play.fork(), decision, scenes.answer(run.battle, decision, raw))
        if refusal is not None:
            problems.add(f"{where}.accepted[{number}]", f"{raw!r} was refused: {refusal}")


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
    refusal: Refusal | None
    trial = run.play.fork()
    refusal = _refusal(trial, decision, scenes.answer(run.battle, decision, want.get("answer")))
    if refusal is None:
        problems.add(where, f"{want.get('answer')!r} was accepted")
        return
    if run.battle.fingerprint() != before or trial.battle.fingerprint() != before:
        problems.add(where, "the refused answer changed the battle")
    found = {"by": refusal.rule, "because": refusal.why, **refusal.facts}
    for key, value in want.items():
        if key == "answer":
            continue
        if key not in found or not _same(value, found[key]):
            problems.add(f"{where}.{key}", f"expected {value!r}, got {found.get(key)!r} ({refusal})")


def coverage(game_id: str) -> dict[str, Any]:
    """Which rules of a game a passing case of ours cites, and which none does."""
    report = run([cases_folder() / game_id])
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
