"""Army lists: how they are read from text files, checked against the book, priced, and made into regiments.

A list names a faction, and for each warband its character and regiments with what they take. Whatever is wrong with it
is reported at once, with its place, the rule and a guess at what was meant. docs/authoring.md shows such a file.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from oriflamme.engine.keywords import UnknownKeyword
from oriflamme.engine.limits import MOST_CUSTOM, MOST_ENTRIES
from oriflamme.engine.notices import notice
from oriflamme.engine.problems import (
    Problem,
    Problems,
    Reader,
    badly_written,
    given,
    parse_json,
    parse_toml,
    problem_with,
    read_json,
    read_names,
    read_toml,
    wrong_kind,
)
from oriflamme.engine.shelf import Shelf, no_such_list
from oriflamme.games.tlaok.building import (
    MOST_REGIMENTS,
    MOST_RESTRICTED,
    USUAL_POINTS,
    Band,
    Follower,
    army_problems,
    mastery_problems,
    regiment_problems,
)
from oriflamme.games.tlaok.cards import (
    Change,
    CharacterCard,
    Extra,
    Faction,
    Names,
    RegimentCard,
    Secondary,
    Stand,
    Supremacy,
)
from oriflamme.games.tlaok.command import take_posts
from oriflamme.games.tlaok.formation import usual
from oriflamme.games.tlaok.keywords.moving import Irregular
from oriflamme.games.tlaok.points import (
    cost_of_character,
    cost_of_extra,
    cost_of_model,
    cost_of_option,
    cost_of_spell,
    cost_of_stands,
)
from oriflamme.games.tlaok.profile import CHARACTERISTICS
from oriflamme.games.tlaok.reading import load_faction, picked, read_regiment
from oriflamme.games.tlaok.state import Character, Effect, Regiment
from oriflamme.games.tlaok.state import Stand as OnTable

HERE: Final = Path(__file__).parent
FACTIONS: Final = HERE / "factions"
LISTS: Final = HERE / "lists"


# -- an army, ready for battle -----------------------------------------------------------------------------------------


class Raised(msgspec.Struct, frozen=True, omit_defaults=True):
    """A regiment of a list with everything it takes. Plain data, so that a save holds it whole.

    `models` are its command models, `officers` what those among them do that are officers; `caps` what was bought with
    a maximum that stays in force (TLAOK-PROF-15).
    """

    id: str
    stand: Stand
    stands: int
    cost: int
    models: tuple[str, ...] = ()
    officers: dict[str, Extra] = {}
    options: tuple[str, ...] = ()
    caps: tuple[Change, ...] = ()

    @property
    def name(self) -> Names:
        return self.stand.name


class Leader(msgspec.Struct, frozen=True, omit_defaults=True):
    """A character of a list with everything it has bought. `gifts` is what that does for its regiment (-UPGRADE-01)."""

    id: str
    stand: Stand
    cost: int
    warlord: bool = False
    own: str = ""
    supremacies: tuple[Supremacy, ...] = ()
    upgrades: tuple[str, ...] = ()
    mastery: str = ""
    gifts: tuple[Change, ...] = ()
    caps: tuple[Change, ...] = ()
    learnt: tuple[str, ...] = ()

    @property
    def name(self) -> Names:
        return self.stand.name


class Warband(msgspec.Struct, frozen=True):
    """A character and the regiments that follow it."""

    leader: Leader
    regiments: tuple[Raised, ...] = ()

    @property
    def cost(self) -> int:
        return self.leader.cost + sum(regiment.cost for regiment in self.regiments)


class Roster(msgspec.Struct, frozen=True):
    """An army list that was checked: the agreed points, the warbands, and the faction's secondary objectives."""

    name: Names
    story: Names
    faction: str
    points: int
    warbands: tuple[Warband, ...]
    deck: tuple[Secondary, ...] = ()
    # Regiments that its player has made up, as the list file has them.
    custom: tuple[dict[str, Any], ...] = ()

    @property
    def cost(self) -> int:
        """The sum of all stands and upgrades (TLAOK-BUILD-01)."""
        return sum(band.cost for band in self.warbands)

    @property
    def units(self) -> int:
        """Regiments and characters: as many as it has command cards (TLAOK-CARD-01)."""
        return sum(1 + len(band.regiments) for band in self.warbands)

    def to_data(self) -> dict[str, Any]:
        """The whole list as plain data, which needs no other file to be read again."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return {"game": "tlaok", **data}

    def as_list(self) -> dict[str, Any]:
        """The army as a list file has it: what was picked, and nothing of what it comes to."""
        return {
            "game": "tlaok",
            "name": self.name,
            "story": self.story,
            "army": self.faction,
            "points": self.points,
            "warbands": [
                {
                    "character": band.leader.id,
                    "name": band.leader.name,
                    "warlord": band.leader.warlord,
                    "upgrades": list(band.leader.upgrades),
                    **({"mastery": band.leader.mastery} if band.leader.mastery else {}),
                    "spells": list(band.leader.learnt),
                    "regiments": [
                        {
                            "regiment": raised.id,
                            "name": raised.name,
                            "stands": raised.stands,
                            "command": list(raised.models),
                            "options": list(raised.options),
                        }
                        for raised in band.regiments
                    ],
                }
                for band in self.warbands
            ],
            "custom": list(self.custom),
        }

    @staticmethod
    def from_data(data: object, where: str = "army list") -> Roster:
        """The list that `to_data` wrote."""
        try:
            roster = msgspec.convert(data, Roster)
            for band in roster.warbands:
                for stand in (band.leader.stand, *(raised.stand for raised in band.regiments)):
                    stand.muster()
        except msgspec.ValidationError as error:
            raise Problems(where, [badly_written(error)]) from None
        except UnknownKeyword as error:
            raise problem_with(where, error.notice, hint=error.hint) from None
        except KeyError as error:
            raise problem_with(where, notice("unknown", word=str(error.args[0]))) from None
        return roster


# -- reading a list ----------------------------------------------------------------------------------------------------


SHELF: Final = Shelf(FACTIONS, load_faction, what="faction", where="army", rule="TLAOK-BUILD-03")


def faction(id: str) -> Faction:
    """One of our factions."""
    return SHELF.get(id)


def factions() -> dict[str, Faction]:
    """Our factions by id."""
    return SHELF.all()


@cache
def ready_lists() -> dict[str, Path]:
    """The ready-made lists by id: `<faction>_<points>_<character>`."""
    return {path.stem: path for path in sorted(LISTS.glob("*.toml"))}


def load_list(name_or_path: str | os.PathLike[str]) -> Roster:
    """A ready-made list by its id, or a player's own by its path: TOML, or JSON, or a list that was stored."""
    text = os.fspath(name_or_path)
    if text in ready_lists():
        return _ready_list(text)
    path = Path(text)
    if path.suffix.lower() not in (".toml", ".json") and not path.exists():
        raise no_such_list(text, ready_lists())
    data = read_json(path) if path.suffix.lower() == ".json" else read_toml(path)
    return roster_of(data, path.name, folder=path.parent)


@cache
def _ready_list(id: str) -> Roster:
    path = ready_lists()[id]
    return check_list(read_toml(path), path.name, folder=path.parent)


def parse_list(text: str, source: str = "list") -> Roster:
    """A list from its text, TOML or JSON."""
    data = parse_json(text, source) if text.lstrip()[:1] in ("{", "[") else parse_toml(text, source)
    return roster_of(data, source)


def roster_of(data: object, where: str, folder: str | os.PathLike[str] | None = None) -> Roster:
    """The army in the data of a list file, or in the data of a list that was stored whole; that is checked and priced
    again like any other, whatever it says of itself."""
    if not isinstance(data, Mapping):
        raise problem_with(where, wrong_kind(notice("a_list"), data))
    if isinstance(data.get("warbands"), list) and "faction" in data:
        return check_list(Roster.from_data(data, where).as_list(), where, folder)
    return check_list(data, where, folder)


class ReadBand(NamedTuple):
    """A warband of a list as far as it could be read: None stands for what nobody knows."""

    leader: Leader | None
    regiments: tuple[Raised | None, ...]


class ReadList(NamedTuple):
    """A list as far as it could be read, and everything that is wrong with it."""

    name: Names
    story: Names
    points: int
    army: Faction | None
    bands: tuple[ReadBand, ...]
    problems: Problems


def check_list(
    data: Mapping[str, Any],
    where: str,
    folder: str | os.PathLike[str] | None = None,
    *,
    own: Faction | None = None,
) -> Roster:
    """The army a list describes; raises Problems with every mistake in it.

    `folder` is where a faction file named by the list is looked for; without it a list may only name our factions, so
    that a list sent over the network reads no file. With `own` it names none: it is of that faction.
    """
    read = read_list(data, where, folder, own=own)
    read.problems.raise_if_any()
    assert read.army is not None
    bands = tuple(
        Warband(band.leader, tuple(one for one in band.regiments if one is not None))
        for band in read.bands
        if band.leader is not None
    )
    custom = tuple(dict(own) for own in data.get("custom") or ())
    return Roster(read.name, read.story, read.army.id, read.points, bands, read.army.deck, custom)


def read_list(
    data: Mapping[str, Any],
    where: str,
    folder: str | os.PathLike[str] | None = None,
    *,
    own: Faction | None = None,
) -> ReadList:
    """Whatever a list describes, finished or not."""
    problems = Problems(where)
    top = Reader(given(data), problems)
    top.choice("game", ["tlaok"], what="game of this kind")
    name = read_names(top, "name", required=False)
    story = read_names(top, "story", required=False)
    points = top.integer("points", low=1)
    army = own or _army_of(top, folder)
    customs = top.tables("custom", required=False, most=MOST_CUSTOM)
    if army is not None:
        army = with_own_regiments(army, customs)
    entries = top.tables("warbands", most=MOST_ENTRIES)
    if not entries and isinstance(top.value("warbands"), list):
        top.problem("warbands", notice("no_warband"), "TLAOK-BUILD-04", notice("choose_a_character"))
    bands: list[ReadBand] = []
    summaries: list[Band] = []
    for entry in entries:
        band, summary = _read_warband(entry, army) if army is not None else (ReadBand(None, ()), None)
        bands.append(band)
        if summary is not None:
            summaries.append(summary)
    if army is not None:
        top.finish()
        if len(summaries) == len(entries) and entries and top.value("points") == points:
            _note(problems, "", army_problems(summaries, points))
        if not name["en"]:
            name = army.name
    return ReadList(name, story, points, army, tuple(bands), problems)


def with_own_regiments(army: Faction, tables: Iterable[Reader]) -> Faction:
    """The faction with regiments that the player has made up: every character may lead them, as the Mainstay or the
    Restricted choice that they say they are. They cost what the formula says."""
    made: dict[str, RegimentCard] = {}
    choices: dict[str, list[str]] = {"mainstay": [], "restricted": []}
    for table in tables:
        id = table.text("id")
        choice = table.choice("choice", tuple(choices), what="choice", rule="TLAOK-BUILD-08", default="restricted")
        for key in ("points", "extra"):
            if table.has(key):
                table.problem(key, notice("formula_prices_it"), hint=notice("leave_it_out"))
        card = read_regiment(id, table)
        if id in {*army.regiments, *army.characters, *made}:
            table.problem("id", notice("second_id", id=id), hint=notice("another_id"))
        made[id] = card
        choices[choice or "restricted"].append(id)
    if not made:
        return army
    characters = {
        id: msgspec.structs.replace(
            card,
            mainstay=(*card.mainstay, *choices["mainstay"]),
            restricted=(*card.restricted, *choices["restricted"]),
        )
        for id, card in army.characters.items()
    }
    return msgspec.structs.replace(army, regiments={**army.regiments, **made}, characters=characters)


def _army_of(top: Reader, folder: str | os.PathLike[str] | None) -> Faction | None:
    """The one faction a list is from (TLAOK-BUILD-03): one of ours by id, or the player's own file."""
    named = top.text("army")
    if not named.strip():
        return None
    if folder is None or not named.endswith(".toml"):
        if named not in SHELF.files:
            top.unknown("army", named, SHELF.files, what="faction", rule="TLAOK-BUILD-03")
            return None
        return faction(named)
    try:
        return load_faction(Path(folder, named))
    except Problems as found:
        _note(top.problems, f"army: {named}", found)
        return None


def _note(problems: Problems, place: str, found: Iterable[Problem]) -> None:
    for problem in found:
        where = ": ".join(filter(None, (place, problem.where)))
        problems.note(problem.at(where))


def _read_warband(entry: Reader, army: Faction) -> tuple[ReadBand, Band | None]:
    """One warband of a list, and its summary for the limits; none if there is no such character."""
    followers = entry.tables("regiments", required=False, most=5 * MOST_REGIMENTS)
    if entry.value("character") is None and followers:
        entry.problem("character", notice("nobody_leads"), "TLAOK-BUILD-05", notice("character_before_them"))
        named = ""
    else:
        named = entry.choice("character", army.characters, what="character", rule="TLAOK-BUILD-03")
    warlord = entry.flag("warlord", default=False)
    if not named:
        for key in ("name", "upgrades", "mastery", "spells"):
            entry.has(key)
        return ReadBand(None, tuple(_read_raised(follower, army) for follower in followers)), None

    card = army.characters[named]
    leader, unique = _read_leader(entry, card, army, warlord)
    raised = [_read_raised(follower, army) for follower in followers]
    profile = leader.stand.muster()
    summary = Band(
        character=card.id,
        kind=card.stand.kind,
        warlord=warlord,
        own=bool(card.own),
        rider=profile.rider,
        irregular=profile.keywords.has(Irregular),
        mainstay=card.mainstay,
        restricted=card.restricted,
        regiments=tuple(
            Follower(one.id, one.stand.kind, one.stand.muster().keywords.has(Irregular), follower.where)
            for one, follower in zip(raised, followers, strict=True)
            if one is not None
        ),
        unique=unique,
        cost=leader.cost + sum(one.cost for one in raised if one is not None),
        where=entry.where,
    )
    return ReadBand(leader, tuple(raised)), summary


def _called(entry: Reader, stand: Stand) -> Stand:
    """The stand by the name its player has given it, if any."""
    name = read_names(entry, "name", required=False)
    return msgspec.structs.replace(stand, name=name) if name["en"].strip() else stand


def _read_leader(entry: Reader, card: CharacterCard, army: Faction, warlord: bool) -> tuple[Leader, tuple[str, ...]]:
    """A character with what it buys, and what of it an army may have once."""
    offered = {id: army.upgrades[id] for id in card.upgrades}
    taken = picked(entry, "upgrades", offered, what=f"upgrade for {card.id}", rule="TLAOK-UPGRADE-01")
    learnt = picked(
        entry,
        "spells",
        {spell.id: spell for spell in card.learns},
        what=f"spell for {card.id}",
        rule="TLAOK-MAGIC-02",
    )
    mastery = _read_mastery_taken(entry, card, army)
    leader = lead(
        card,
        army,
        upgrades=tuple(taken),
        mastery=mastery.id if mastery is not None else "",
        spells=tuple(learnt),
        warlord=warlord,
    )
    return msgspec.structs.replace(leader, stand=_called(entry, leader.stand)), tuple(
        extra.name["en"] for extra in (*taken.values(), *((mastery,) if mastery is not None else ())) if extra.unique
    )


def _read_mastery_taken(entry: Reader, card: CharacterCard, army: Faction) -> Extra | None:
    """The one mastery a character takes (TLAOK-MASTERY-01)."""
    if isinstance(entry.value("mastery"), list):
        entry.problem("mastery", notice("one_mastery"), "TLAOK-MASTERY-01", notice("keep_one_of_them"))
        return None
    named = entry.choice("mastery", army.masteries, what="mastery", rule="TLAOK-MASTERY-01", default="")
    if not named:
        return None
    found = army.masteries[named]
    _note(entry.problems, entry.where, mastery_problems(card, named, found.category))
    return found


def _read_raised(entry: Reader, army: Faction) -> Raised | None:
    """One regiment of a list; nothing if there is no such regiment."""
    named = entry.choice("regiment", army.regiments, what="regiment", rule="TLAOK-BUILD-03")
    if not named:
        for key in ("name", "stands", "command", "options"):
            entry.has(key)
        return None
    card = army.regiments[named]
    stands = entry.integer("stands", low=1, high=40, default=card.least)
    asked = entry.texts("command", default=())
    models = [*(("leader",) if card.command.leader == "free" and "leader" not in asked else ()), *asked]
    for problem in regiment_problems(card, stands, models):
        entry.problem(problem.where, problem.what, problem.rule, problem.hint)
    known = [model for model in dict.fromkeys(models) if model in card.command.models]
    options = picked(entry, "options", card.options, what=f"option for {card.id}", rule="TLAOK-BUILD-13")
    raised = raise_regiment(card, army, stands=stands, models=known, options=tuple(options))
    return msgspec.structs.replace(raised, stand=_called(entry, raised.stand))


# -- mustering ---------------------------------------------------------------------------------------------------------


def raise_regiment(
    card: RegimentCard,
    army: Faction,
    *,
    stands: int = 0,
    models: Sequence[str] | None = None,
    options: Sequence[str] = (),
) -> Raised:
    """A regiment of so many stands with its command models and options, and what it costs (TLAOK-BUILD-13).

    Without a number it has its least; without models those that are free.
    """
    number = stands or card.least
    free = ("leader",) if card.command.leader == "free" else ()
    held = tuple(free if models is None else models)
    bought = [card.options[id] for id in options]
    officers = {id: army.officers[id] for id in held if id in army.officers}
    changes = [change for option in bought for change in option.changes]
    stand = card.stand.with_changes(changes)

    cost = cost_of_regiment(card, number) + sum(cost_of_option(option, card.stand, number) for option in bought)
    for model in held:
        if model not in free:
            cost += cost_of_model(model, stand, number, officers.get(model))
    caps = tuple(change for change in changes if change.cap is not None)
    return Raised(card.id, stand, number, cost, held, officers, tuple(options), caps)


def cost_of_regiment(card: RegimentCard, stands: int) -> int:
    """So many stands without anything bought: the file's own figures if it gives any, else the formula's."""
    extra = card.extra if card.extra is not None else cost_of_stands(card.stand, 1)
    least = card.points if card.points is not None else cost_of_stands(card.stand, card.least)
    return least + (stands - card.least) * extra


def lead(
    card: CharacterCard,
    army: Faction,
    *,
    upgrades: Sequence[str] = (),
    mastery: str = "",
    spells: Sequence[str] = (),
    warlord: bool = False,
) -> Leader:
    """A character with upgrades, a mastery and more spells, and what it costs."""
    extras = [army.upgrades[id] for id in upgrades] + ([army.masteries[mastery]] if mastery else [])
    abilities = [id for id in (card.supremacy, *(extra.supremacy for extra in extras)) if id]
    supremacy = army.supremacies.get(card.supremacy)
    own = [change for extra in extras for change in extra.changes if change.scope != "regiment"]
    stand = card.stand.with_changes(own)
    learnt = tuple(spell for spell in card.learns if spell.id in spells)
    cost = card.points if card.points is not None else cost_of_character(card.stand, supremacy)
    cost += sum(cost_of_extra(extra, card.stand, army.supremacies.get(extra.supremacy)) for extra in extras)
    for spell in learnt:
        cost += cost_of_spell(spell, stand)
        stand = msgspec.structs.replace(stand, spells=(*stand.spells, spell))
    return Leader(
        card.id,
        stand,
        cost,
        warlord,
        card.own,
        tuple(army.supremacies[id] for id in abilities),
        tuple(upgrades),
        mastery,
        tuple(change for extra in extras for change in extra.changes if change.scope == "regiment"),
        tuple(change for change in own if change.cap is not None),
        tuple(spell.id for spell in learnt),
    )


# -- choosing a list ---------------------------------------------------------------------------------------------------


def choose_list(army: str, points: int, which: int = 0) -> Roster:
    """A list of this faction at this value: a ready-made one, `which` of them, or else one raised on the spot."""
    ready = [id for id in ready_lists() if id.startswith(f"{army}_{points}_")]
    return load_list(ready[which % len(ready)]) if ready else raise_army(faction(army), points, which)


def raise_army(army: Faction, points: int, which: int = 0) -> Roster:
    """A legal army of about these points, always the same one for the same `which`.

    Warband by warband: a character, somebody he can join, then what he has least of. What is left buys more stands.
    """
    characters = list(army.characters.values())
    order = characters[which % len(characters) :] + characters[: which % len(characters)]
    bands: list[tuple[CharacterCard, list[list[Any]]]] = []
    left = points
    for card in order * (1 + points // USUAL_POINTS):
        spent = lead(card, army).cost
        followers: list[list[Any]] = []
        while len(followers) < MOST_REGIMENTS:
            fit = [
                follower
                for follower in _may_follow(card, army, [regiment for regiment, _ in followers])
                if spent + cost_of_regiment(follower, follower.least) <= left
            ]
            if not fit:
                break
            taken = [regiment.id for _, held in bands for regiment, _ in held] + [r.id for r, _ in followers]
            chosen = min(
                fit, key=lambda follower: (taken.count(follower.id), cost_of_regiment(follower, follower.least))
            )
            followers.append([chosen, chosen.least])
            spent += cost_of_regiment(chosen, chosen.least)
        if spent <= left and (followers or card.own):
            bands.append((card, followers))
            left -= spent
    if not bands:
        what = notice("no_warband_fits", points=points, faction=army.name)
        raise problem_with("army", what, where="points", rule="TLAOK-BUILD-02")
    growing = [held for _, followers in bands for held in followers]
    while growing:
        for held in tuple(growing):
            regiment, stands = held
            more = cost_of_regiment(regiment, stands + 1) - cost_of_regiment(regiment, stands)
            if stands == regiment.most or more > left:
                growing.remove(held)
            else:
                held[1] += 1
                left -= more
    return Roster(
        army.name,
        army.story,
        army.id,
        points,
        tuple(
            Warband(
                lead(card, army, warlord=not number),
                tuple(raise_regiment(regiment, army, stands=stands) for regiment, stands in followers),
            )
            for number, (card, followers) in enumerate(bands)
        ),
        army.deck,
    )


def _may_follow(card: CharacterCard, army: Faction, held: Sequence[RegimentCard]) -> list[RegimentCard]:
    """The regiments a warband may take next: first one to join, then what its limits allow (TLAOK-BUILD-07 to -11)."""
    profile = card.stand.muster()
    mainstay = [army.regiments[id] for id in card.mainstay]
    restricted = [army.regiments[id] for id in card.restricted]
    wanted = "monster" if profile.rider else card.stand.kind
    if not card.own and not held:
        irregular = profile.keywords.has(Irregular)
        return [
            regiment
            for regiment in mainstay
            if regiment.stand.kind == wanted and (irregular or not regiment.stand.muster().keywords.has(Irregular))
        ]
    rare = sum(regiment in restricted for regiment in held)
    return [*mainstay, *(restricted if rare < min(MOST_RESTRICTED, len(held) - rare) else ())]


# -- taking the field --------------------------------------------------------------------------------------------------


def unique_id(id: str, taken: Container[str]) -> str:
    """An id of its own: the second of a kind is `militia_2`."""
    made, number = id, 1
    while made in taken:
        number += 1
        made = f"{id}_{number}"
    return made


def field_regiment(raised: Raised, side: int, id: str, *, custom: bool = False) -> Regiment:
    """A regiment of a list as a regiment of the battle, in reinforcements, its stands in the usual formation.

    Infantry has all its command models on one stand (TLAOK-CMD-02); elsewhere each replaces the model of a stand of its
    own, and the leader's is the command stand (TLAOK-CMD-10).
    """
    profile = raised.stand.sized(custom).muster()
    roles: list[tuple[str, tuple[str, ...]]] = [("stand", ())] * raised.stands
    if raised.models and profile.kind == "infantry":
        roles[0] = ("command", raised.models)
    elif raised.models:
        roles[: len(raised.models)] = [
            ("command" if model == "leader" else "stand", (model,)) for model in raised.models
        ]
    stands = [OnTable(f"{id}.{n}", profile, role, models) for n, (role, models) in enumerate(roles, 1)]
    officers = {name: msgspec.to_builtins(officer) for name, officer in raised.officers.items()}
    card = {"id": raised.id, "points": raised.cost, "options": list(raised.options), "officers": officers}
    regiment = Regiment(id, side, profile, stands, card=card)
    for stand in stands:
        take_posts(regiment, stand)
    regiment.affect(*lasting_caps(raised.caps), *lasting_states(raised.stand))
    regiment.draw_up(usual(raised.stands, usual_files(raised.stands), regiment.command is not None, False))
    return regiment


def field_character(leader: Leader, id: str, *, custom: bool = False) -> Character:
    """A character of a list, who has yet to join a regiment. What it does for that one is in `card["gifts"]`."""
    card = {
        "id": leader.id,
        "points": leader.cost,
        "own": leader.own,
        "mastery": leader.mastery,
        "supremacies": [msgspec.to_builtins(ability) for ability in leader.supremacies],
        "gifts": [msgspec.to_builtins(gift) for gift in leader.gifts],
    }
    supremacy = leader.supremacies[0].id if leader.supremacies else ""
    upgrades = (*leader.upgrades, *((leader.mastery,) if leader.mastery else ()))
    made = Character(
        id,
        leader.stand.sized(custom).muster(),
        warlord=leader.warlord,
        supremacy=supremacy,
        upgrades=upgrades,
        card=card,
    )
    made.effects = (*lasting_caps(leader.caps), *lasting_states(leader.stand))
    return made


def field_own_regiment(leader: Leader, side: int, id: str, *, custom: bool = False) -> Regiment:
    """A character that is a regiment of its own (TLAOK-CHAR-06, TLAOK-STAND-13): one stand, struck like any other."""
    character = field_character(leader, id, custom=custom)
    stands = [OnTable(f"{id}.1", character.profile)]
    regiment = Regiment(id, side, character.profile, stands, character, {"id": leader.id, "points": leader.cost})
    regiment.affect(*character.effects, *gifts_of(character))
    return regiment


def gifts_of(character: Character) -> tuple[Effect, ...]:
    """What the upgrades of a character do for its regiment for as long as it is there (TLAOK-UPGRADE-01, -02)."""
    gifts = character.card.get("gifts", ())
    return tuple(Change(**gift).effect(character.id, "TLAOK-UPGRADE-01", "character") for gift in gifts)


def lore_of(rosters: Iterable[Roster]) -> dict[str, dict[str, Any]]:
    """What a battle must be able to look up of its armies: abilities and secondary objectives by id."""
    abilities: dict[str, Any] = {}
    secondaries: dict[str, Any] = {}
    for roster in rosters:
        for band in roster.warbands:
            abilities |= {ability.id: msgspec.to_builtins(ability) for ability in band.leader.supremacies}
        for card in roster.deck:
            secondaries[card.id] = {"name": card.name, "text": card.text, **card.asks}
    return {"abilities": abilities, "secondaries": secondaries}


def lasting_caps(caps: Iterable[Change]) -> tuple[Effect, ...]:
    """A maximum that came with something bought holds for other bonuses too (TLAOK-PROF-15)."""
    return tuple(
        Effect("list", "TLAOK-PROF-15", "battle", change.stat, cap=change.cap)
        for change in caps
        if change.stat in CHARACTERISTICS
    )


def lasting_states(stand: Stand) -> tuple[Effect, ...]:
    """What was bought that is no characteristic, or all of the faction have (`cards.STATES`)."""
    return tuple(change.effect("list", "TLAOK-PROF-14", "battle") for change in stand.states)


def usual_files(stands: int) -> int:
    """A frontage for who has no opinion: one rank of up to four, else two ranks."""
    return stands if stands <= 4 else -(-stands // 2)


def field_army(
    roster: Roster, side: int, taken: Iterable[str] = (), *, custom: bool = False
) -> tuple[list[Regiment], list[tuple[int, Character]]]:
    """All regiments of a list in its order, each with the number of its warband; and the characters who are to join
    one, each with the number of his. Their ids are none of those taken. `custom` if stands are as large as their
    entries say (tlaok.standSizes), rather than by type."""
    regiments: dict[str, Regiment] = {}
    characters: dict[str, tuple[int, Character]] = {}

    def own_id(id: str) -> str:
        return unique_id(id, {*taken, *regiments, *characters})

    for number, band in enumerate(roster.warbands, 1):
        id = own_id(band.leader.id)
        if band.leader.own:
            regiments[id] = field_own_regiment(band.leader, side, id, custom=custom)
            regiments[id].warband = number
        else:
            characters[id] = (number, field_character(band.leader, id, custom=custom))
        for raised in band.regiments:
            id = own_id(raised.id)
            regiments[id] = field_regiment(raised, side, id, custom=custom)
            regiments[id].warband = number
    return list(regiments.values()), list(characters.values())
