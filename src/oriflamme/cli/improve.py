"""`oriflamme army improve`: allowed changes of a list that win more against a field of lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import cpu_count
from pathlib import Path
from typing import Any

import msgspec

from oriflamme.cli import show
from oriflamme.cli.phrases import words
from oriflamme.cli.progress import progress
from oriflamme.engine.core.game import Game
from oriflamme.engine.lists.drafts import Draft
from oriflamme.engine.lists.reading import PathLike
from oriflamme.engine.lists.toml import as_toml
from oriflamme.engine.words.notices import name_in, notice
from oriflamme.engine.words.problems import problem_with, read_json, read_toml
from oriflamme.lab.improving import AS_IT_IS, Finding, Findings, Plan, Played, Search, Trial, about, findings, play
from oriflamme.lab.journal import Journal
from oriflamme.lab.tournament import name_of

SHOWN = 6  # lists of the field, or units, that are told one by one


def improve(
    game: Game,
    name: str,
    *,
    against: Sequence[str],
    battles: int,
    steps: int,
    seed: int,
    workers: int,
    options: Sequence[str],
    choices: Sequence[str],
    file: Path | None,
    out: Path | None,
    as_json: bool,
    lang: str,
) -> None:
    """Search step by step; each goes on from what the one before has found."""
    said = words(lang)["improve"]
    rules, agreed = show.chosen_options(game, options), show.agreed(game, choices)
    draft = draft_of(game, name, rules)
    field = tuple(against) or field_of(game, draft.points, name)
    told, begun = [], draft
    for step in range(steps):
        plan = Plan(game.id, draft, field, battles, seed + step, rules, agreed)
        found = _searched(plan, workers, _journal(file, step, plan), said)
        told.append(found)
        if not as_json:
            _show(found, said, lang)
        better = [one for one in found.findings if one.is_better]
        if not better:
            break
        draft = better[0].draft
    if out is not None and draft is not begun:
        show.write_text(out, as_toml(game.armies().to_list(draft)))
    if as_json:
        armies = game.armies()
        data: dict[str, Any] = {"steps": [msgspec.to_builtins(one) for one in told], "list": armies.to_list(draft)}
        show.say_json(data)
    elif draft is not begun:
        show.say(said["written"].format(path=out) if out is not None else said["unwritten"], "dim")


def draft_of(game: Game, name: PathLike, rules: dict[str, str]) -> Draft:
    """A list to be changed, from a file or a ready-made one; raises Problems with all that is wrong with it."""
    armies = game.armies()
    armies.reader.load(name, rules)
    if str(name) in armies.reader.ready:
        return armies.find_ready(str(name))
    path = Path(name)
    data = read_json(path) if path.suffix.lower() == ".json" else read_toml(path)
    if not isinstance(data, dict):
        raise problem_with(name, notice("not_a_list"))
    return armies.from_list(data)


def field_of(game: Game, points: int, name: str) -> tuple[str, ...]:
    """All ready-made lists of that size but the one that is changed."""
    reader = game.armies().reader
    lists = [id for id in sorted(reader.ready) if reader.load(id, game.defaults()).points == points and id != name]
    if not lists:
        raise problem_with("--against", notice("no_list_of_size", points=points), hint=notice("name_lists"))
    return tuple(lists)


def _journal(file: Path | None, step: int, plan: Plan) -> Journal[Played] | None:
    """Each step has a file of its own: what it plays follows from what the one before has found."""
    if file is None:
        return None
    path = file if step == 0 else file.with_name(f"{file.stem}-{step + 1}{file.suffix}")
    return Journal(path, about(plan), Played)


def _searched(plan: Plan, workers: int, journal: Journal[Played] | None, said: dict[str, str]) -> Findings:
    search = Search(plan)
    known = {}
    if journal is not None:
        known = {Trial(one.who, one.number): one.line for one in journal.read() if one.who in search.drafts}

    def play_all(add: Callable[[Played], None]) -> None:
        with progress(said["progress"], search.all_battles, len(known)) as note:
            for played in play(search, known, workers or cpu_count() or 1):
                add(played)
                note()

    try:
        if journal is None:
            play_all(lambda played: None)
        else:
            with journal.adding() as add:
                play_all(add)
    except KeyboardInterrupt:
        stopped = said["stopped"].format(number=len(known), all=search.all_battles)
        show.say(f"{stopped}; {said['goes_on']}" if journal is not None else stopped)
        raise
    return findings(search, known)


def _show(found: Findings, said: dict[str, str], lang: str) -> None:
    facts = {"tried": found.tried, "allowed": found.allowed, "battles": found.battles}
    show.say(said["tried"].format(**facts), "bold")
    bounds = said["to"].format(low=show.percent(found.low, lang), high=show.percent(found.high, lang))
    show.say(said[AS_IT_IS].format(wins=show.percent(found.before, lang), bounds=bounds))
    for one in found.findings:
        _show_finding(one, said, lang)
    if not any(one.is_better for one in found.findings):
        show.say(said["nothing"])
    shown = [f"{name_of(name, lang)} {show.percent(part, lang)}" for name, part in found.units[:SHOWN]]
    show.say(said["units"].format(units=", ".join(shown)), "dim")


def _show_finding(one: Finding, said: dict[str, str], lang: str) -> None:
    show.say()
    gain, low, high = (show.percent(part, lang, sign=True) for part in (one.gain, one.low, one.high))
    facts = {
        "before": show.percent(one.before, lang),
        "after": show.percent(one.after, lang),
        "gain": gain,
        "bounds": said["to"].format(low=low, high=high),
        "battles": one.battles,
        "cost": one.cost,
    }
    verdict = said["better" if one.is_better else "not_shown"]
    show.say(said["verdict"].format(change=name_in(one.what, lang), verdict=verdict), "bold" if one.is_better else None)
    show.say("  " + said["gain"].format(**facts))
    figures = {
        "lost_before": show.percent(one.lost[0], lang),
        "lost": show.percent(one.lost[1], lang),
        "killed_before": show.percent(one.killed[0], lang),
        "killed": show.percent(one.killed[1], lang),
    }
    show.say("  " + said["figures"].format(**figures))
    for reason in one.reasons[:SHOWN]:
        before, after = show.percent(reason.before, lang), show.percent(reason.after, lang)
        show.say("  " + said["against"].format(list=reason.against, before=before, after=after), "dim")
