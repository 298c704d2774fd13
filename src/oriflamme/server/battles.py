"""Making battles out of what players ask for, and answering what they want to know before one."""

from __future__ import annotations

import re
import secrets
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from oriflamme.engine.core.bots import HUMAN
from oriflamme.engine.core.campaign import Campaigns
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.lists.units import plain
from oriflamme.engine.table.maps import SIZES, Map, load_map, shipped_maps
from oriflamme.engine.words.catalogue import Rule
from oriflamme.engine.words.catalogue import games as catalogue_games
from oriflamme.engine.words.catalogue import load as load_catalogue
from oriflamme.engine.words.limits import one_line
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.of_battles import before_battle
from oriflamme.engine.words.problems import Problems, did_you_mean, parse_toml, problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.games import ids, load
from oriflamme.lab.ladder import shipped
from oriflamme.server.club.clocks import Terms, must_suit
from oriflamme.server.scene import table_data
from oriflamme.server.store import HOTSEAT, SPECTATOR, Chronicle, Kept, Record, new_secret, now, sealed, seed_hash

Data = dict[str, Any]
Mode = Literal["bot", "hotseat", "invite", "watch"]
Word = Annotated[str, msgspec.Meta(max_length=80)]
Seats = Annotated[list[Word], msgspec.Meta(max_length=4)]
Body = Annotated[str, msgspec.Meta(max_length=200_000)]

WITHIN: Final = msgspec.Meta(ge=-1_000_000, le=1_000_000)
Particular = bool | Annotated[int, WITHIN] | Annotated[float, WITHIN] | Word

GENERATED = re.compile(r"generated_(company_)?\d{1,15}")
MOST_FIGURES = 2000  # of all sides together
WATCHING = 0.6  # seconds between the answers of bots that people watch


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request."""


class OwnArmy(Request):
    """A player's own list: the text of a file, as TOML or as JSON (the project's own, or an Army Forge export)."""

    text: Body
    format: Literal["toml", "json"] = "toml"


class OwnMap(Request):
    """A player's own map: the text of a file (docs/maps.md)."""

    text: Body


class NewBattle(Request):
    """A battle to be made. What is left out, the seed of the setup picks."""

    game: Word
    mode: Mode = "bot"
    armies: Annotated[list[Word | OwnArmy | None], msgspec.Meta(max_length=5)] = []
    map: Word | OwnMap = ""
    seed: Annotated[int, msgspec.Meta(ge=0, le=10**15)] | None = None
    """Of the setup only: armies and map that are not named. The dice have a seed nobody knows before the end."""
    points: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    options: dict[Word, Word] = {}
    choices: dict[Word, Word] = {}
    bots: Annotated[list[Word], msgspec.Meta(max_length=4)] = []
    side: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    """Which side the person plays against a bot."""
    seats: Seats = []
    """Who plays, by side: "human", the name of a bot, or "" for the best. With it, `bots` and `side` say nothing."""
    title: Word = ""
    pace: Annotated[float, msgspec.Meta(ge=0, le=10)] | None = None
    clock: Terms | None = None
    """How long people may take, and what comes of it when their time has run out."""


class CheckArmy(Request):
    """A list to be checked and priced."""

    game: Word
    army: Word | OwnArmy
    options: dict[Word, Word] = {}


class AskOdds(Request):
    """An attack whose odds are wanted; `particulars` as `oriflamme odds --help` lists them."""

    game: Word
    attacker: Word
    defender: Word
    charge: bool = False
    particulars: dict[Word, Particular] = {}


class Branch(Request):
    """A new battle from a moment of another: with the dice that would have come there, or with new ones."""

    seat: Word
    number: Annotated[int, msgspec.Meta(ge=0)]
    mode: Mode = "hotseat"
    dice: Literal["same", "new"] = "new"
    bots: Annotated[list[Word], msgspec.Meta(max_length=4)] = []
    side: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    seats: Seats = []
    title: Word = ""
    pace: Annotated[float, msgspec.Meta(ge=0, le=10)] | None = None


class Share(Request):
    """A link for others who may watch."""

    seat: Word


class TakeBack(Request):
    """Answers to be taken back; see the message `undo`."""

    seat: Word
    to: Annotated[int, msgspec.Meta(ge=0)] | None = None
    anyway: bool = False


class Agree(Request):
    """See the message `consent`."""

    seat: Word
    yes: bool


# -- making battles ----------------------------------------------------------------------------------------------------


class Made(NamedTuple):
    """A battle ready to be stored, its seats as secret and side, and what its maker is told."""

    record: Record
    seats: list[tuple[str, int]]
    answers: Sequence[Kept]
    data: Data


def make(wanted: NewBattle) -> Made:
    """A new battle, with links to its seats. Raises Problems with all that is wrong."""
    game = load(wanted.game)
    options = house_rules(game, wanted.options)
    by_side = players(game, wanted, game.players_of(game.agreed(wanted.choices)))
    must_suit(wanted.clock, by_side)
    mode = mode_of(wanted, by_side)
    setup = setup_of(game, wanted, options)
    return prepared(game, mode, by_side, setup, wanted.title, pace_of(wanted, mode), secrets.randbits(62), options)


def has_own_army(wanted: NewBattle) -> bool:
    """Whether somebody has sent a list or a map of his own, which may be anything."""
    return any(isinstance(one, OwnArmy | OwnMap) for one in (*wanted.armies, wanted.map))


def setup_of(game: Game, wanted: NewBattle, options: Mapping[str, str]) -> Data:
    """The setup that is asked for; raises Problems with all that is wrong."""
    seed = secrets.randbelow(1_000_000) if wanted.seed is None else wanted.seed
    with army_files(game, wanted.armies) as lists, map_file(game, wanted.map) as map:
        return game.setup(
            seed,
            points=wanted.points,
            lists=lists,
            map=map,
            options=options,
            choices=game.agreed(wanted.choices),
        )


def chapter(campaign: Chronicle, number: int, setup: Data, seed: int) -> Record:
    """A battle of a campaign: those who have seats in the campaign have them here."""
    game = load(campaign.game)
    made = prepared(game, campaign.mode, campaign.players, setup, campaign.title, campaign.pace, seed, campaign.options)
    return msgspec.structs.replace(made.record, campaign=campaign.id, chapter=number)


def branch(record: Record, answers: Sequence[Kept], wanted: Branch, thrown: tuple[int, ...], parent: str = "") -> Made:
    """A battle that begins like another one, with these answers and the dice that fell until then.

    Those to come are of a seed of its own; or they are the same, for an analysis. `parent` is the other battle, if
    that is not over.
    """
    game = load(record.game)
    analysis = wanted.dice == "same"
    seed, given = (record.seed, record.given) if analysis else (secrets.randbits(62), thrown)
    seeds = tuple(sealed(one.after, one.seed) for one in record.seeds) if analysis else ()
    by_side = players(game, wanted, len(record.players))
    mode = mode_of(wanted, by_side)
    setup, title = msgspec.json.decode(record.setup), wanted.title or record.title
    made = prepared(game, mode, by_side, setup, title, pace_of(wanted, mode), seed, record.options, answers)
    facts: Data = {"given": given, "seeds": seeds, "parent": parent, "analysis": analysis}
    return made._replace(record=msgspec.structs.replace(made.record, **facts))


def prepared(
    game: Game,
    mode: str,
    players: tuple[str, ...],
    setup: Data,
    title: str,
    pace: float,
    seed: int,
    options: Mapping[str, str],
    answers: Sequence[Kept] = (),
) -> Made:
    """A battle of this setup and seed, ready to be stored, with a seat for each side that a person plays."""
    first = Play(game, setup, seed, keep=False, log=False).battle  # what cannot begin is not stored
    figures = sum(len(unit.figures) for unit in first.units.values())
    if figures > MOST_FIGURES:
        what = notice("too_many_models", number=figures, most=MOST_FIGURES)
        raise problem_with("armies", what, hint=notice("fewer_points"))
    id, salt = secrets.token_urlsafe(9), secrets.token_hex(16)
    record = Record(
        id=id,
        game=game.id,
        rules=game.version,
        title=one_line(title),
        mode=mode,
        players=players,
        options=dict(options),
        setup=msgspec.json.encode(setup),
        seed=seed,
        salt=salt,
        seed_hash=seed_hash(seed, salt),
        pace=pace,
        created=now(),
    )
    people = [side for side, bot in enumerate(players) if not bot]
    sides = [HOTSEAT] if mode == "hotseat" else people
    seats = [(new_secret(), side) for side in sides]
    spectator = new_secret()
    data = {
        "id": id,
        "seed_hash": record.seed_hash,
        "seats": [
            {"sides": people if side == HOTSEAT else [side], "secret": secret, "link": f"/play/{id}?seat={secret}"}
            for secret, side in seats
        ],
        "spectator": {"secret": spectator, "link": f"/watch/{id}?seat={spectator}"},
    }
    return Made(record, [*seats, (spectator, SPECTATOR)], answers, data)


def pace_of(wanted: NewBattle | Branch, mode: str) -> float:
    """How many seconds bots take at least: where people only watch, long enough to be followed."""
    return wanted.pace if wanted.pace is not None else WATCHING if mode == "watch" else 0.0


def players(game: Game, wanted: NewBattle | Branch, number: int) -> tuple[str, ...]:
    """Who plays, by side: the name of a bot, or "" for a person; `number` of them sit at the table."""
    if not wanted.seats:
        return usual_players(game, wanted, number)
    return tuple("" if name == HUMAN else name for name in game.seated(wanted.seats, number, "seats"))


def usual_players(game: Game, wanted: NewBattle | Branch, number: int) -> tuple[str, ...]:
    """Only people, only bots, or one person among bots, by mode; raises Problems."""
    for name in wanted.bots:
        game.must_have_bot(name, "bots")
    if wanted.side >= number:
        raise problem_with("side", notice("game_has_sides", seat=wanted.side, game=game.id, sides=number))
    if wanted.mode in ("hotseat", "invite"):
        return ("",) * number
    usual, bots = game.best_bot, wanted.bots
    if wanted.mode == "watch":
        return tuple(bots[seat] if seat < len(bots) else usual for seat in range(number))
    against = iter(bots)
    return tuple("" if seat == wanted.side else next(against, usual) for seat in range(number))


def mode_of(wanted: NewBattle | Branch, players: Sequence[str]) -> str:
    """How a battle is played: what was asked for, or what follows from who sits at the table."""
    people = len(players) - sum(map(bool, players))
    if not wanted.seats or (wanted.mode == "hotseat" and people > 1):
        return wanted.mode
    return "watch" if not people else "bot" if people == 1 else "invite"


def house_rules(game: Game, given: Mapping[str, str]) -> dict[str, str]:
    """House rules; raises Problems with every mistake."""
    problems = Problems("options")
    for key, value in given.items():
        rule = game.options.get(key)
        if rule is None:
            problems.add(key, notice("no_such_house_rule"), hint=did_you_mean(key, game.options))
        elif value not in rule.values:
            hint = did_you_mean(value, rule.values) or notice("choose_from", choices=list(rule.values))
            problems.add(key, notice("cannot_be", value=value), rule.rule, hint)
    problems.raise_if_any()
    return dict(given)


def _map(game: Game, name: str) -> str:
    """A map by name. Files are the server's own and nobody else's business."""
    if not name or name in game.maps() or GENERATED.fullmatch(name):
        return name
    hint = did_you_mean(name, game.maps()) or notice("any_of", choices=list(game.maps()))
    raise problem_with("map", notice("no_such", what="map", word=name), hint=hint)


@contextmanager
def map_file(game: Game, map: str | OwnMap) -> Iterator[str]:
    """The map as a game takes it: a name, or a file for what a player has sent."""
    if not isinstance(map, OwnMap):
        yield _map(game, map)
        return
    with tempfile.TemporaryDirectory(prefix="oriflamme-") as folder:
        path = Path(folder, "map.toml")
        path.write_text(map.text, encoding="utf-8", errors="replace")
        yield str(path)


@contextmanager
def army_files(game: Game, armies: Sequence[str | OwnArmy | None]) -> Iterator[list[str]]:
    """The armies as a game takes them: ids of ready-made lists, and files for what players have sent."""
    known = ready_armies(game.id)
    with tempfile.TemporaryDirectory(prefix="oriflamme-") as folder:
        made: list[str] = []
        for number, army in enumerate(armies):
            if isinstance(army, OwnArmy):
                path = Path(folder, f"army_{number + 1}.{army.format}")
                _names_no_file(army, path.name)
                path.write_text(army.text, encoding="utf-8", errors="replace")
                made.append(str(path))
            elif army and army not in known:
                raise problem_with("armies", notice("no_list", list=army), hint=did_you_mean(army, known))
            else:
                made.append(army or "")
        yield made


def _names_no_file(army: OwnArmy, name: str) -> None:
    """A list may name a faction file beside it; one that was sent here has nothing beside it."""
    if army.format == "toml" and str(parse_toml(army.text, name).get("army", "")).endswith(".toml"):
        raise problem_with(name, notice("names_own_file"), where="army", hint=notice("name_our_faction"))


@cache
def ready_armies(game: str) -> frozenset[str]:
    return frozenset(army.id for army in load(game).armies().lists())


# -- what there is -----------------------------------------------------------------------------------------------------


@cache
def games_data() -> bytes:
    """The games, with everything that can be chosen before a battle."""
    return msgspec.json.encode({"games": [_game_data(load(id)) for id in ids()]})


def _game_data(game: Game) -> Data:
    series = game.campaigns()
    books = {lang: load_catalogue(game.id, lang).options for lang in LANGUAGES if game.id in catalogue_games()}
    return {
        "id": game.id,
        "title": dict(game.title),
        "sides": game.sides,
        "players_choice": game.players_choice,
        "measure": game.measure,
        "version": game.version,
        "minutes": game.minutes,
        "learning": game.learning,
        "armies": game.armies().lists(),
        "words": before_battle(game),
        "maps": [_map_data(made) | {"needs": _needs(game, made)} for made in map(load_map, game.maps())],
        "generated": _needs(game, load_map(f"{game.generated_maps}1")),
        "generated_maps": game.generated_maps,
        "options": [
            {
                "key": key,
                "default": rule.default,
                "values": list(rule.values),
                "rule": rule.rule,
                "meaning": {lang: known[key].meaning for lang, known in books.items() if key in known},
            }
            for key, rule in game.options.items()
        ],
        "choices": {key: list(values) for key, values in game.choices.items()},
        "goes_with": {
            key: {value: {other: list(usable) for other, usable in limits.items()} for value, limits in by.items()}
            for key, by in game.goes_with.items()
        },
        "bots": list(game.bots()),
        "ratings": {
            one.bot: {"rating": one.rating, "within": one.within, "battles": one.battles} for one in shipped(game.id)
        },
        "best_bot": game.best_bot,
        "campaign": _campaign_data(series) if series is not None else None,
    }


def _needs(game: Game, made: Map) -> dict[str, list[str]] | None:
    """What players must have agreed on to use this map, by choice; None if it never fits."""
    usual = game.agreed({})
    needs: dict[str, list[str]] = {}
    for key, values in game.choices.items():
        fitting = [value for value in values if game.fits(made, usual | {key: value})]
        if len(fitting) < len(values):
            needs[key] = fitting
    # A choice that does not help here is no way out.
    helpful = {key: values for key, values in needs.items() if values}
    return helpful if helpful or not needs else None


@lru_cache(maxsize=256)
def map_data(name: str) -> bytes:
    """A map with its table, by the name it ships under or from a seed; raises Problems."""
    shipped = [id for size in SIZES for id in shipped_maps(size)]
    if name not in shipped and not GENERATED.fullmatch(name):
        raise problem_with("map", notice("no_such", what="map", word=name), hint=did_you_mean(name, shipped))
    made = load_map(name)
    return msgspec.json.encode(_map_data(made) | {"table": table_data(made.table)})


@lru_cache(maxsize=32)
def factions_data(game: str) -> bytes:
    """The factions of a game with their units; raises Problems if there is no such game."""
    return msgspec.json.encode({"factions": load(game).armies().factions()}, enc_hook=str)


def _campaign_data(series: Campaigns) -> Data:
    return {"least": series.least, "most": series.most, "usual": series.usual, "decides": list(series.decides)}


def _map_data(made: Map) -> Data:
    data = {"id": made.id, "name": made.name, "about": made.about, "size": made.data["size"], "measure": made.measure}
    return data | {"hexes": made.hexes or None, "pieces": len(made.table.pieces)}


def find_rules(game: str, id: str, words: str, most: int, lang: str) -> list[Data]:
    """A rule by its id, with those below it, or the rules that speak of some words, in a language."""
    wanted = [game] if game else list(catalogue_games())
    found: list[Rule] = []
    entries: list[Data] = []
    for one in wanted:
        if one not in catalogue_games():
            raise problem_with("game", notice("no_rules_of", game=one), hint=did_you_mean(one, catalogue_games()))
        catalogue = load_catalogue(one, lang)
        if id:
            found = [catalogue.rules[id]] if id in catalogue.rules else catalogue.under(id)
        else:
            found = catalogue.search(words)
        houses = house_words(one, lang)
        english = load_catalogue(one)
        for rule in found[:most]:
            house = {key: houses[key] for key in rule.options if key in houses}
            # What has not been written in a language yet is told in English, and says so.
            spoken = lang if rule.text != english.rules[rule.id].text else "en"
            entries.append(
                {"game": one, "title": rule.title, **msgspec.to_builtins(rule), "house": house, "lang": spoken}
            )
    return entries[:most]


@cache
def house_words(game: str, lang: str) -> dict[str, Data]:
    """What the house rules of a game and their values are called, by key."""
    if game not in ids():
        return {}
    return {
        key: {"title": words["title"][lang], "values": {value: names[lang] for value, names in words["values"].items()}}
        for key, words in before_battle(load(game))["options"].items()
    }


def check_army(wanted: CheckArmy) -> Data:
    """A list with all its units and what they cost; raises Problems with every mistake in it."""
    game = load(wanted.game)
    options = game.defaults() | house_rules(game, wanted.options)
    with army_files(game, [wanted.army]) as (file,):
        notes: list[str] = []
        if isinstance(wanted.army, OwnArmy) and wanted.army.format == "json":
            try:
                stored, notes = game.armies().import_file(file, options)
            except Problems:
                stored = None
            if stored is not None:
                return {"army": stored, "notes": notes}
        return {"army": plain(game.armies().army(file, options)), "notes": notes}
