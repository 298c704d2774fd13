"""`oriflamme analyse`: the scene of a case file, what is asked there, and what a captain or the odds say to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.text import Text

from oriflamme.cases.analysis import Found, advice, play_of, scenes_in
from oriflamme.cli import show
from oriflamme.cli.odds import print_answer, print_table
from oriflamme.cli.phrases import words
from oriflamme.drawing.tags import unit_tags
from oriflamme.drawing.terminal import table_text
from oriflamme.engine.core.decisions import Decision, Refused
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import did_you_mean, problem_with, read_toml
from oriflamme.engine.words.text import Names, Voice
from oriflamme.games import load

Data = dict[str, Any]


def analyse(
    file: Path, *, number: int, game: str, acts: str, captain: bool, odds: str, charge: bool, as_json: bool, lang: str
) -> None:
    """Show a scene of a file, and answer what was asked about it."""
    found = _chosen(file, number, game)
    played = load(found.game)
    play = play_of(played, found.scene, acts)
    names = Names(played, play.battle, unit_tags(play.battle))
    voice = Voice(played, names, lang)
    asked = play.pending[0] if play.pending else None
    told = advice(play, asked) if captain and asked is not None else None
    answer = _odds_between(play, voice, acts, odds, charge=charge) if odds else None
    if as_json:
        data: Data = {"game": found.game, "title": found.title, "scene": found.scene}
        data["asks"] = [decision.data() for decision in play.pending]
        data |= {"advice": {"bot": told.bot, "answer": told.answer, "reasons": told.reasons}} if told else {}
        show.say_json(data | ({"odds": answer.data()} if answer is not None else {}))
        return
    said = words(lang)
    picture = played.picture()
    show.say(found.title, "bold")
    show.say(Text.from_ansi(table_text(play.battle, picture, show.table_width(), lang, colour=show.has_colour())))
    if asked is None:
        show.say(said["analysis"]["nothing"])
    else:
        _say_question(voice, asked)
    if asked is not None and captain and told is not None:
        _say_advice(voice, asked, told.answer, told.reasons, said)
    if asked is not None and not odds:
        table = played.odds().helping(play.view(asked.side).battle, asked)
        if table is not None:
            print_table(table, lang)
    if answer is not None:
        print_answer(answer, lang)


def _chosen(file: Path, number: int, game: str) -> Found:
    scenes = scenes_in(read_toml(file), str(file), game)
    if not 1 <= number <= len(scenes):
        hint = notice("there_are_from_to", first=1, last=len(scenes))
        raise problem_with("--scene", notice("no_such", what="scene", word=str(number)), hint=hint)
    return scenes[number - 1]


def _say_question(voice: Voice, asked: Decision) -> None:
    line = voice.ask(asked)
    show.say(f"\n{line.text} ({asked.rule})")
    for option in getattr(asked, "options", ()):
        show.say(f"  {option.key:<24} {voice.option(asked, option).text}")


def _say_advice(voice: Voice, asked: Decision, answer: Any, reasons: list[Data], said: Data) -> None:
    keys = [answer] if isinstance(answer, str) else list(answer) if isinstance(answer, tuple) else []
    options = {option.key: option for option in getattr(asked, "options", ())}
    chosen = ", ".join(voice.option(asked, options[key]).text for key in keys if key in options)
    because = [
        f"{said['reason'].get(one['because'], one['because'])} {one['worth']:+g}"
        for one in reasons
        if "because" in one and isinstance(one.get("worth"), int | float)
    ]
    show.say("\n" + said["analysis"]["captain"].format(answer=chosen or said["analysis"]["moves"]))
    if because:
        show.say(said["because"].format(reasons=", ".join(because)))


def _odds_between(play: Play, voice: Voice, acts: str, target: str, *, charge: bool) -> Any:
    for key, id in (("--unit", acts), ("--odds", target)):
        if id not in play.battle.units:
            raise problem_with(key, notice("no_such", what="unit", word=id), hint=did_you_mean(id, play.battle.units))
    try:
        return play.game.odds().at(play.battle, acts, target, charge=charge)
    except Refused as refused:
        line = voice.refusal(refused.refusal)
        raise problem_with("--odds", notice("in_their_words", reason=line.text), rule=refused.refusal.rule) from None
