"""Bands: how they are read from text files, checked against the book and made by chance (SBH-BAND).

    game     = "sbh"
    name     = { en = "The Green Mile", fr = "La verte lieue" }
    points   = 300
    fighters = [
      { fighter = "elf-wizard", name = "Ysil" },
      { fighter = "elf-warrior", count = 3 },
      { fighter = "warden" },
    ]

    [[custom]]
    id      = "warden"
    name    = { en = "Warden of the Mile", fr = "Garde de la lieue" }
    quality = 3
    combat  = 4
    rules   = ["woodsman"]

Whatever is wrong is reported at once, with its place, the rule and what to do about it.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from oriflamme.engine.limits import MOST_CUSTOM, MOST_ENTRIES
from oriflamme.engine.notices import notice
from oriflamme.engine.problems import (
    Problem,
    Problems,
    Reader,
    badly_written,
    did_you_mean,
    given,
    guess_or_choices,
    problem_with,
    read_json,
    read_names,
    read_toml,
)
from oriflamme.engine.wording import Wording
from oriflamme.games.sbh.points import COMBAT, QUALITY, price, rule_problems
from oriflamme.games.sbh.roster import NONCOMBATANT, RACES, Card, cards, is_animal, is_personality, races

in_both: Final = Wording(Path(__file__).parent / "text", "bands")

BANDS: Final = Path(__file__).parent / "bands"

Options = Mapping[str, str]
DEFAULTS: Final = {"sbh.racialBands": "free", "sbh.pointsSource": "printed"}

AGREED: Final = 300  # SBH-BAND-02
MOST_POINTS: Final = 100_000
MOST_ALIKE: Final = 100  # fighters that one line of a file may take
MOST_FIGHTERS: Final = 500  # that one file may take
MOST_MUSTERED: Final = 24

# What a band may buy between the games of a campaign (SBH-UPG).
UPGRADES: Final[dict[str, dict[str, str]]] = {
    "weapon_masters": in_both("weapon_masters"),
    "brave": in_both("brave"),
    "dirty_tricks": in_both("dirty_tricks"),
    "divine_protection": in_both("divine_protection"),
    "knowledge_of_terrain": in_both("knowledge_of_the_terrain"),
    "regain_the_initiative": in_both("regain_the_initiative"),
    "strategic_bonus": in_both("strategic_bonus"),
    "hard_bitten": in_both("hard_bitten"),
    "unpredictable": in_both("unpredictable"),
}


# -- a band, ready for battle ------------------------------------------------------------------------------------------


class Fighter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fighter of a band. Plain data, so that a save holds him whole.

    `card` is his profile in the roster, empty if a player invented him; `hurt` and `item` are what a campaign left him.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_]+$")]
    card: str
    race: str
    name: dict[str, str]
    points: Annotated[int, msgspec.Meta(ge=0)]
    quality: Annotated[int, msgspec.Meta(ge=QUALITY[0], le=QUALITY[1])]
    combat: Annotated[int, msgspec.Meta(ge=COMBAT[0])]
    rules: tuple[str, ...]
    hurt: Annotated[int, msgspec.Meta(ge=0)] = 0
    item: Any = None

    @property
    def personality(self) -> bool:
        return is_personality(self.rules)

    @property
    def animal(self) -> bool:
        return is_animal(self.rules)

    @property
    def swarm(self) -> bool:
        return "swarm" in self.rules

    @property
    def type(self) -> object:
        """What makes two swarm bases alike: the same profile."""
        return self.card or (self.race, self.quality, self.combat, self.rules)


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A band that was checked: the agreed points, the fighters, and what it bought in a campaign."""

    name: dict[str, str]
    points: Annotated[int, msgspec.Meta(ge=1)]
    fighters: tuple[Fighter, ...]
    upgrades: tuple[str, ...] = ()
    about: dict[str, str] = {}

    @property
    def cost(self) -> int:
        return sum(fighter.points for fighter in self.fighters)

    @property
    def races(self) -> tuple[str, ...]:
        """The races in the band, the one with most fighters first."""
        return tuple(race for race, _ in Counter(f.race for f in self.fighters if f.race).most_common())

    def to_data(self) -> dict[str, Any]:
        """The whole band as plain data, which needs no other file to be read again."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        del data["about"]
        return data

    @staticmethod
    def from_data(data: object, where: str = "band") -> Band:
        """The band that `to_data` wrote. The limits of a band are not its business: campaigns may go beyond them."""
        try:
            band = msgspec.convert(data, Band)
        except msgspec.ValidationError as error:
            raise Problems(where, [badly_written(error)]) from None
        problems = Problems(where)
        _both(Reader(band.name, problems, "name"))
        for id, number in Counter(fighter.id for fighter in band.fighters).items():
            if number > 1:
                problems.add("fighters", notice("one_id_often", number=number, id=id), hint=notice("each_his_own_id"))
        for number, fighter in enumerate(band.fighters, 1):
            entry = Reader(msgspec.to_builtins(fighter), problems, f"fighters[{number}]")
            _both(entry.table("name"))
            if fighter.card and fighter.card not in cards():
                entry.unknown("card", fighter.card, cards(), what="fighter", rule="SBH-ROSTER-01")
            if fighter.race and fighter.race not in RACES:
                entry.unknown("race", fighter.race, RACES, what="race", rule="SBH-ROSTER-03")
            _note(problems, rule_problems(fighter.rules, entry.place("rules")))
        _note(problems, _upgrade_problems(band.upgrades))
        problems.raise_if_any()
        return band


# -- reading a band ----------------------------------------------------------------------------------------------------


@cache
def ready_bands() -> dict[str, Path]:
    """The ready-made bands by id."""
    return {path.stem: path for path in sorted(BANDS.glob("*.toml"))}


def load_band(name_or_path: str | os.PathLike[str], options: Options = DEFAULTS) -> Band:
    """A ready-made band by its id, or a player's own by its path: TOML, or JSON of the same shape."""
    text = os.fspath(name_or_path)
    if text in ready_bands():
        return _ready_band(text, tuple(sorted(options.items())))
    path = Path(text)
    if path.suffix.lower() == ".json":
        return check_band(read_json(path), path.name, options)
    if path.suffix.lower() != ".toml" and not path.exists():
        hint = did_you_mean(text, ready_bands()) or notice("ready_band_or_path")
        raise problem_with(text, notice("no_such_band"), hint=hint)
    return check_band(read_toml(path), path.name, options)


@cache
def _ready_band(id: str, options: tuple[tuple[str, str], ...]) -> Band:
    path = ready_bands()[id]
    return check_band(read_toml(path), path.name, dict(options))


class _Taken(NamedTuple):
    """A fighter of a file before he is numbered: his profile, what he is called, and where the file says so."""

    card: Card
    name: Mapping[str, str]
    where: str


class Draft(msgspec.Struct):
    """A band as far as it could be read, and all that is wrong with it: for each line of the file its fighters."""

    problems: Problems
    name: dict[str, str]
    about: dict[str, str]
    points: int
    lines: list[tuple[Fighter, ...]]
    upgrades: tuple[str, ...]

    @property
    def fighters(self) -> tuple[Fighter, ...]:
        return tuple(fighter for line in self.lines for fighter in line)


def check_band(data: object, where: str, options: Options = DEFAULTS) -> Band:
    """The band a file describes; raises Problems with every mistake in it."""
    draft = read_band(data, where, options)
    draft.problems.raise_if_any()
    name, fighters = draft.name, draft.fighters
    if not name["en"]:
        first = fighters[0]
        name = races()[first.race].name if first.race else first.name
    return Band(name, draft.points, fighters, draft.upgrades, draft.about if draft.about["en"] else {})


def read_band(data: object, where: str, options: Options = DEFAULTS) -> Draft:
    """What a file describes, finished or not."""
    problems = Problems(where)
    top = Reader(given(data), problems)
    top.choice("game", ["sbh"], what="game of this kind")
    name = read_names(top, "name", required=False)
    about = read_names(top, "about", required=False)
    points = top.integer("points", low=1, high=MOST_POINTS, default=AGREED)
    upgrades = tuple(top.texts("upgrades", default=()))
    _note(problems, _upgrade_problems(upgrades))
    invented = _read_invented(top)
    entries = top.tables("fighters", most=MOST_ENTRIES)

    before = len(problems)
    lines = [_read_entry(entry, invented, options) for entry in entries]
    number = sum(map(len, lines))
    if number > MOST_FIGHTERS:
        top.problem(
            "fighters", notice("too_many_fighters", number=number, most=MOST_FIGHTERS), hint=notice("take_fewer")
        )
        lines = [[] for _ in lines]
    taken = [one for line in lines for one in line]
    complete = (
        isinstance(top.value("fighters"), list)
        and len(problems) == before
        and None not in invented.values()
        and all(set(entry.names()) <= {"fighter", "count", "name"} for entry in entries)
    )
    top.finish()

    fighters = _fielded(taken)
    if top.value("points", AGREED) == points:
        found = band_problems(fighters, points, options, places=[one.where for one in taken])
        # Whoever could not be read may be the very fighter these rules miss; the others only get worse with him.
        missed = (None, "SBH-BAND-06", "SBH-BAND-09")
        _note(problems, (problem for problem in found if complete or problem.rule not in missed))
    numbered = iter(fighters)
    return Draft(problems, name, about, points, [tuple(islice(numbered, len(line))) for line in lines], upgrades)


def _note(problems: Problems, found: Iterable[Problem]) -> None:
    for problem in found:
        problems.note(problem)


def _both(name: Reader) -> None:
    """A name in both languages, as data has it."""
    name.text("en")
    name.text("fr")


def _upgrade_problems(upgrades: Iterable[str]) -> Iterator[Problem]:
    """Band upgrades are known, and each is bought once (SBH-CAMP-10)."""
    held: set[str] = set()
    for number, upgrade in enumerate(upgrades, 1):
        if upgrade not in UPGRADES:
            what = notice("no_such", what="band upgrade", word=upgrade)
            yield Problem(f"upgrades[{number}]", what, "SBH-CAMP-10", guess_or_choices(upgrade, UPGRADES))
        elif upgrade in held:
            what = notice("upgrade_taken_twice", upgrade=upgrade)
            yield Problem(f"upgrades[{number}]", what, "SBH-CAMP-10", notice("leave_one_out"))
        held.add(upgrade)


def _read_invented(top: Reader) -> dict[str, Card | None]:
    """The fighters a player invented, priced by the formula (SBH-POINTS-08); nothing for one that is not right."""
    invented: dict[str, Card | None] = {}
    plain: set[str] = set()
    printed = {_plain(id): id for id in cards()}
    for table in top.tables("custom", required=False, most=MOST_CUSTOM):
        before = len(top.problems)
        id = table.text("id")
        if id and not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", id):
            table.problem("id", notice("not_a_fighters_id", id=id))
        elif _plain(id) in printed:
            table.problem("id", notice("profile_of_the_book", id=id), "SBH-POINTS-08", notice("another_fighters_id"))
        elif id and _plain(id) in plain:
            table.problem("id", notice("second_id", id=id), hint=notice("another_fighters_id"))
        plain.add(_plain(id))
        name = read_names(table, "name")
        race = table.choice("race", RACES, what="race", rule="SBH-BAND-03", default="")
        quality = table.integer("quality", low=QUALITY[0], high=QUALITY[1])
        combat = table.integer("combat", low=COMBAT[0], high=COMBAT[1])
        rules = tuple(table.texts("rules", default=()))
        _note(top.problems, rule_problems(rules, table.place("rules")))
        right = len(top.problems) == before
        cost = price(quality, combat, rules) if right else 0
        invented[id] = Card(id, race, name, {}, cost, quality, combat, rules) if right else None
    return invented


def _read_entry(entry: Reader, invented: Mapping[str, Card | None], options: Options) -> list[_Taken]:
    """The fighters one line of a file takes; nobody if there is no such profile."""
    named = entry.text("fighter")
    count = entry.integer("count", low=1, high=MOST_ALIKE, default=1)
    name = read_names(entry, "name", required=False)
    if not named.strip():
        return []
    if named not in invented and named not in cards():
        hint = did_you_mean(named, [*cards(), *invented]) or notice("how_to_find_races")
        entry.problem("fighter", notice("no_such", what="fighter", word=named), "SBH-ROSTER-01", hint)
        return []
    card = invented[named] if named in invented else at_cost(cards()[named], options)
    return [] if card is None else [_Taken(card, name if name["en"] else card.name, entry.where)] * count


def at_cost(card: Card, options: Options = DEFAULTS) -> Card:
    """A profile at its printed points, or at those of the formula if that was agreed (SBH-POINTS-08)."""
    if options.get("sbh.pointsSource") != "formula":
        return card
    return msgspec.structs.replace(card, points=price(card.quality, card.combat, card.rules))


def _plain(id: str) -> str:
    return re.sub(r"\W", "_", id.lower())


def _fielded(taken: Sequence[_Taken]) -> tuple[Fighter, ...]:
    """The fighters, each with an id of his own; those who are called alike are numbered."""
    alike = Counter(_plain(one.card.id) for one in taken)
    namesakes = Counter((one.name["en"], one.name["fr"]) for one in taken)
    ids = {id for id, number in alike.items() if number == 1}
    numbers: Counter[object] = Counter()
    fighters: list[Fighter] = []
    for card, name, _ in taken:
        id, called = _plain(card.id), (name["en"], name["fr"])
        if alike[id] > 1:
            numbers[id] += 1
            while f"{id}_{numbers[id]}" in ids:
                numbers[id] += 1
            id = f"{id}_{numbers[id]}"
            ids.add(id)
        suffix = ""
        if namesakes[called] > 1:
            numbers[called] += 1
            suffix = f" {numbers[called]}"
        fighters.append(
            Fighter(
                id,
                card.id if card.id in cards() else "",
                card.race,
                {lang: text + suffix for lang, text in name.items()},
                card.points,
                card.quality,
                card.combat,
                card.rules,
            )
        )
    return tuple(fighters)


# -- the rules of a band -----------------------------------------------------------------------------------------------


def band_problems(
    fighters: Iterable[Fighter | Mapping[str, Any]],
    points: int,
    options: Options = DEFAULTS,
    *,
    campaign_total: int | None = None,
    places: Sequence[str] = (),
) -> list[Problem]:
    """All that is wrong with a band of these fighters at the agreed points, in the order of the book.

    In a campaign `campaign_total` is what the band is worth: one third is taken of that (SBH-CAMP-06), and neither the
    agreed points nor the pairs of swarm bases hold it, for it grows by recruits and is thinned by losses.
    `places` is how problems call the places of the fighters: `fighters[1]` and so on, if nothing else is said.
    """
    band = [one if isinstance(one, Fighter) else msgspec.convert(one, Fighter) for one in fighters]
    if not band:
        return [
            Problem(
                "fighters", notice("no_fighter"), hint=notice("such_a_fighter", example='{ fighter = "human-warrior" }')
            )
        ]
    where = list(places) or [f"fighters[{number}]" for number in range(1, len(band) + 1)]
    playing = campaign_total is None
    total = points if campaign_total is None else campaign_total
    found = [
        *(within_points(band, points) if playing else ()),
        *(of_one_race(band) if options.get("sbh.racialBands") == "singleRace" else ()),
        *a_third_for_personalities(band, total),
        *half_of_them_animals(band),
        *without_noncombatants(band, where),
        *(swarms_in_pairs(band, where) if playing else ()),
    ]
    return list(dict.fromkeys(found))


def within_points(band: Sequence[Fighter], points: int) -> Iterator[Problem]:
    """The agreed value is a ceiling; a band may cost less (SBH-BAND-02)."""
    cost = sum(fighter.points for fighter in band)
    if cost > points:
        hint = notice("leave_out_or_agree", over=cost - points, cost=cost)
        yield Problem("points", notice("too_dear", cost=cost, points=points), "SBH-BAND-02", hint)


def of_one_race(band: Sequence[Fighter]) -> Iterator[Problem]:
    """Races may be mixed, unless the players agreed that they are not (SBH-BAND-03)."""
    mixed = [race or None for race, _ in Counter(fighter.race for fighter in band).most_common()]
    if len(mixed) > 1:
        kept = next(race for race in mixed if race)
        hint = notice("keep_to_one_race", race=kept, some=None in mixed)
        yield Problem("fighters", notice("mixed_races", race=mixed), "SBH-BAND-03", hint)


def a_third_for_personalities(band: Sequence[Fighter], total: int) -> Iterator[Problem]:
    """At most one third of the points, rounded down, goes to Personalities (SBH-BAND-04, SBH-BAND-05)."""
    third = total // 3
    leading = [fighter for fighter in band if fighter.personality]
    spent = sum(fighter.points for fighter in leading)
    if spent <= third:
        return
    dear = max(leading, key=lambda fighter: fighter.points)
    if dear.points > third:
        hint = notice("personality_needs", fighter=dear.name, cost=dear.points, total=3 * dear.points)
    else:
        told = [notice("fighter_at", fighter=fighter.name, cost=fighter.points) for fighter in leading]
        hint = notice("leave_out_among", over=spent - third, fighters=told)
    what = notice("too_much_for_personalities", spent=spent, total=total, third=third)
    yield Problem("fighters", what, "SBH-BAND-04", hint)


def half_of_them_animals(band: Sequence[Fighter]) -> Iterator[Problem]:
    """At most half of the fighters are animals, swarms included (SBH-BAND-06)."""
    animals = sum(fighter.animal for fighter in band)
    over = 2 * animals - len(band)
    if over > 0:
        what = notice("too_many_animals", number=animals, fighters=len(band), most=len(band) // 2)
        yield Problem("fighters", what, "SBH-BAND-06", notice("fewer_animals", over=over))


def without_noncombatants(band: Sequence[Fighter], places: Sequence[str]) -> Iterator[Problem]:
    """Whoever costs 5 points or less is for special scenarios only (SBH-BAND-07)."""
    for fighter, place in zip(band, places, strict=True):
        if fighter.points <= NONCOMBATANT:
            what = notice("a_noncombatant", cost=fighter.points, most=NONCOMBATANT)
            yield Problem(place, what, "SBH-BAND-07", notice("special_scenarios_only"))


def swarms_in_pairs(band: Sequence[Fighter], places: Sequence[str]) -> Iterator[Problem]:
    """Of a swarm type at least two bases are taken, if any (SBH-BAND-09)."""
    bases = Counter(fighter.type for fighter in band if fighter.swarm)
    for fighter, place in zip(band, places, strict=True):
        if fighter.swarm and bases[fighter.type] == 1:
            what = notice("lonely_swarm", fighter=fighter.name)
            yield Problem(place, what, "SBH-BAND-09", notice("two_or_none"))


# -- a band by chance --------------------------------------------------------------------------------------------------

LOYAL: Final = 0.7  # how often a fighter is sought among the race that leads
TRIES: Final = 6

PLACES: Final = tuple(Wording(Path(__file__).parent / "text", "places").all().values())


class _Offers(NamedTuple):
    """Profiles that may be taken, the cheapest first, and what they cost."""

    cards: tuple[Card, ...]
    costs: tuple[int, ...]


@cache
def _offers(source: str, race: str = "") -> _Offers:
    """All that a race offers, or the whole roster; each card costs what the players agreed."""
    priced = [at_cost(card, {"sbh.pointsSource": source}) for card in cards().values() if race in ("", card.race)]
    kept = sorted((card for card in priced if not card.noncombatant), key=lambda card: card.points)
    return _Offers(tuple(kept), tuple(card.points for card in kept))


class _Purse:
    """What is left to spend while a band is being mustered, and what the limits of a band still allow."""

    __slots__ = ("cards", "left", "more_animals", "third")

    def __init__(self, points: int) -> None:
        self.cards: list[Card] = []
        self.left = points
        self.third = points // 3
        self.more_animals = 0

    def bases(self, card: Card) -> int:
        """How many come at once: two of a new swarm, else one."""
        return 2 if card.swarm and card not in self.cards else 1

    def allows(self, card: Card) -> bool:
        bases = self.bases(card)
        return (
            card.points * bases <= self.left
            and len(self.cards) + bases <= MOST_MUSTERED
            and (not card.personality or card.points * bases <= self.third)
            and (not card.animal or bases <= self.more_animals)
        )

    def take(self, card: Card) -> None:
        bases = self.bases(card)
        self.left -= card.points * bases
        self.third -= card.points * bases if card.personality else 0
        self.more_animals += -bases if card.animal else bases
        self.cards += [card] * bases


def muster_band(random: Random, points: int, options: Options = DEFAULTS) -> Band:
    """A legal band by chance: a race that leads, whoever joins it, and nearly all the points spent.

    It has at most 24 fighters, so that very many points are not all spent.
    """
    source = options.get("sbh.pointsSource", DEFAULTS["sbh.pointsSource"])
    single = options.get("sbh.racialBands") == "singleRace"
    everybody = _offers(source)
    first = [card for card in everybody.cards if _Purse(points).allows(card)]
    if not first:
        cheapest = everybody.costs[0]
        what, hint = notice("buys_nobody", points=points, cheapest=cheapest), notice("agree_on", least=cheapest)
        raise problem_with("band", what, where="points", rule="SBH-BAND-07", hint=hint)

    best: _Purse | None = None
    for _ in range(TRIES):
        purse = _Purse(points)
        purse.take(random.choice(first))
        kin = _offers(source, purse.cards[0].race)
        _fill(random, purse, kin, kin if single else everybody)
        if best is None or purse.left < best.left:
            best = purse
        if best.left <= points // 50:
            break
    assert best is not None

    race = races()[best.cards[0].race].name
    place = random.choice(PLACES)
    order = {id: number for number, id in enumerate(cards())}
    taken = [_Taken(card, card.name, "") for card in sorted(best.cards, key=lambda card: order[card.id])]
    return Band({lang: f"{race[lang]} {place[lang]}" for lang in race}, points, _fielded(taken))


def _fill(random: Random, purse: _Purse, kin: _Offers, everybody: _Offers) -> None:
    """Take fighters until nobody more can be paid: the last one is he who leaves least."""
    closing = purse.left // 4
    while True:
        offers = kin if random.random() < LOYAL else everybody
        if purse.left <= closing:
            card = _drawn(random, purse, kin, purse.left - 2) or _drawn(random, purse, everybody, purse.left - 2)
        else:
            card = None
        # With many points and few places left, cheap fighters would leave them unspent.
        share = purse.left // max(1, MOST_MUSTERED - len(purse.cards))
        card = card or _drawn(random, purse, offers, share) or _dearest(purse, offers) or _dearest(purse, everybody)
        if card is None:
            return
        purse.take(card)


def _drawn(random: Random, purse: _Purse, offers: _Offers, least: int) -> Card | None:
    """One of those that can be paid and cost at least so much, by lot."""
    low, high = bisect_left(offers.costs, least), bisect_right(offers.costs, purse.left)
    if low >= high:
        return None
    for _ in range(6):
        card = offers.cards[random.randrange(low, high)]
        if purse.allows(card):
            return card
    allowed = [card for card in offers.cards[low:high] if purse.allows(card)]
    return random.choice(allowed) if allowed else None


def _dearest(purse: _Purse, offers: _Offers) -> Card | None:
    """The dearest that can still be paid."""
    return next((card for card in reversed(offers.cards) if purse.allows(card)), None)
