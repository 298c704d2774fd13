"""`oriflamme club league`: a club's leagues from the terminal, in the store that its server uses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from oriflamme.cli import show
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with, read_text
from oriflamme.server.battles import OwnArmy
from oriflamme.server.club.leagues import Entrant, League, Leagues, NewLeague, Result, must_play
from oriflamme.server.club.names import name_of
from oriflamme.server.club.shelf import Shelf
from oriflamme.server.store import Store, hash_of, new_secret

RESULTS: dict[str, Result] = {"first": "first", "second": "second", "draw": "draw", "open": ""}


@contextmanager
def _opened(database: str) -> Iterator[Leagues]:
    store = Store(database or None)
    try:
        yield Leagues(store, Shelf(store))
    finally:
        store.close()


def _found(leagues: Leagues, id: str) -> League:
    league = leagues.settled(id)
    if league is None:
        raise problem_with("league", notice("no_such", what="league", word=id[:80]))
    return league


def new(database: str, wanted: dict[str, Any], *, as_json: bool, lang: str) -> None:
    """`oriflamme club league new`"""
    with _opened(database) as leagues:
        league = msgspec.convert(wanted, NewLeague)
        must_play(league, None)
        id, key = leagues.new(league)
    if as_json:
        show.say_json({"id": id, "key": key})
        return
    show.say(notice("league_opened", name=league.name, id=id, key=key).in_words(lang))


def enter(database: str, id: str, name: str, army: str, bot: str, *, lang: str) -> None:
    """`oriflamme club league enter`"""
    with _opened(database) as leagues:
        league = _found(leagues, id)
        path = Path(army)
        own = path.suffix in (".toml", ".json")
        text = read_text(path) if own else ""
        brought = OwnArmy(text, "json" if path.suffix == ".json" else "toml") if own else army or None
        must_play(league.about, brought)
        key = new_secret()
        entrant = Entrant(name_of(name), brought, "" if bot else hash_of(key), bot)
        leagues.change(id, lambda one: one.enter(entrant))
    show.say(notice("league_entered", name=entrant.name).in_words(lang))
    if not bot:
        show.say(f"/league/{id}?key={key}")


def pair(database: str, id: str, *, as_json: bool, lang: str) -> None:
    """`oriflamme club league pair`"""
    with _opened(database) as leagues:
        _found(leagues, id)
        league = leagues.change(id, League.pair)
    _tell(league, as_json=as_json, lang=lang)


def result(database: str, id: str, round: int, number: int, which: str, *, lang: str) -> None:
    """`oriflamme club league result`"""
    if which not in RESULTS:
        raise problem_with(
            "result", notice("cannot_be", value=which), hint=notice("choose_from", choices=list(RESULTS))
        )
    with _opened(database) as leagues:
        _found(leagues, id)
        league = leagues.change(id, lambda one: one.decide(round, number, RESULTS[which]))
    _tell(league, as_json=False, lang=lang)


def standings(database: str, id: str, *, as_json: bool, lang: str) -> None:
    """`oriflamme club league standings`"""
    with _opened(database) as leagues:
        league = _found(leagues, id)
    _tell(league, as_json=as_json, lang=lang)


def all_of_them(database: str, *, as_json: bool, lang: str) -> None:
    """`oriflamme club league list`"""
    with _opened(database) as leagues:
        found = leagues.all()
    if as_json:
        show.say_json([{"id": id, **one.data()} for id, one in found])
        return
    for id, one in found:
        said = notice("league_line", name=one.about.name, round=one.round, rounds=one.rounds, players=len(one.players))
        show.say(f"{id}  {said.in_words(lang)}")


def _tell(league: League, *, as_json: bool, lang: str) -> None:
    """The last round and the table."""
    data = league.data()
    if as_json:
        show.say_json(data)
        return
    line = notice(
        "league_line", name=league.about.name, round=league.round, rounds=league.rounds, players=len(league.players)
    )
    show.say(line.in_words(lang))
    for number, one in enumerate([one for one in league.fixtures if one.round == league.round], 1):
        if not one.second:
            show.say(f"  {number}. {one.first}: {notice('league_bye').in_words(lang)}")
            continue
        came = notice(f"league_{one.result or 'open'}").in_words(lang)
        show.say(f"  {number}. {one.first} – {one.second}: {came}")
    for row in data["standings"]:
        marks = f"{row['won']}-{row['drawn']}-{row['lost']}"
        show.say(f"{row['place']:>3}. {row['player']:<30} {row['points']:>3}  {marks}")
