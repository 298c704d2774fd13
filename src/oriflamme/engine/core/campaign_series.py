"""A campaign that is written down line by line: what whoever plays one does with it, whatever the game.

It goes round: every side chooses in camp, the scenario is drawn, the battle is fought, its aftermath settled. Each of
these is one line of the campaign file or several; a campaign is read by doing it all again and comparing. A game
derives its own, and says what its bands are and what a battle does to them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final, Self

import msgspec

from oriflamme import __version__
from oriflamme.engine.core import campaign_journal as journal
from oriflamme.engine.core import save as saves
from oriflamme.engine.core.bots import HUMAN, answer_of
from oriflamme.engine.core.campaign import CampaignEvent, Campaigns, FiledSeries, Keep
from oriflamme.engine.core.campaign_files import FORMAT, VERSION, campaign_of_no_game
from oriflamme.engine.core.campaign_journal import Choose, Fight, Header, Line, March, Undo
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.dice import Dice, SeededDice
from oriflamme.engine.core.events import Event, Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problem, Problems, did_you_mean, problem_with
from oriflamme.engine.words.text import Voice

CHANCE: Final = "random"  # the bot that has no opinion


def derived(seed: int, *parts: int | str) -> int:
    """A seed for a part of a campaign: the same everywhere, and unlike that of any other part."""
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big")


class RecordedSeries(FiledSeries):
    """A campaign from its file, or from lines that somebody else keeps.

    Use `new` and `open` to play; `read` to look, which keeps nobody from playing.
    """

    # What a battle comes to for a campaign, as the lines hold it.
    result_kind: ClassVar[type[Any]]
    # How few and how many battles and sides there may be, how many are recommended, and the rule that says so.
    least_most: ClassVar[tuple[int, int]] = (1, 20)
    recommended: ClassVar[tuple[int, int]] = (3, 5)
    rule: ClassVar[str] = ""
    fewest_sides: ClassVar[int] = 2
    most_sides: ClassVar[int] = 2

    def __init__(self, path: Path, header: Header, game: Game, journal: journal.Keeper | None = None) -> None:
        self.path = path
        self.header = header
        self.game = game
        self.options: dict[str, str] = header.setup["options"]
        self.bands = self.mustered()
        self.number = 1
        self.stage = "camp"
        self.scenario = ""
        self.camps: list[Play | None] = [None for _ in header.seats]
        # Bands as all sides have seen them last, on the table; none before the first battle.
        self.seen: list[Any] = [None for _ in header.seats]
        self.events: list[CampaignEvent] = []
        self.entries: list[Line] = []
        self._journal = journal
        self._voices: dict[str, Voice] = {}

    # -- what a game fills in --------------------------------------------------------------------------------------

    def mustered(self) -> list[Any]:
        """The bands as they begin, by side; each can be copied. Raises Problems."""
        raise NotImplementedError

    def band_in_camp(self, camp: Play) -> Any:
        """A band with all that was chosen for it in camp until now."""
        return camp.battle.band

    def camp_setup(self, side: int, *, drawn: bool) -> dict[str, Any]:
        """The camp of a side before the next battle, as `camp_game` takes it."""
        raise NotImplementedError

    def set_out(self, dice: Dice) -> list[Event]:
        """All are ready: the `scenario` of the next battle is drawn. Without one that battle passes."""
        raise NotImplementedError

    def armies(self) -> list[Any]:
        """The bands as they go into the battle that is due."""
        raise NotImplementedError

    def result_of(self, play: Play) -> Any:
        """What a battle that is over has come to."""
        raise NotImplementedError

    def why_wrong(self, result: Any) -> Notice | None:
        """What does not fit the battle that was to be fought; None if all does."""
        raise NotImplementedError

    def after_battle(self, result: Any, dice: Dice, *, last: bool) -> list[Event]:
        """What a battle does to all bands."""
        raise NotImplementedError

    def is_drawn(self, result: Any) -> bool:
        """Nobody has won it alone."""
        raise NotImplementedError

    def end(self) -> Event:
        """After the last battle."""
        raise NotImplementedError

    @classmethod
    def own_game(cls) -> Game:
        raise NotImplementedError

    # -- making, opening and closing -------------------------------------------------------------------------------

    @classmethod
    def new(
        cls,
        path: str | os.PathLike[str],
        game: Game,
        *,
        battles: int,
        seed: int,
        seats: Sequence[str],
        setup: Mapping[str, Any],
    ) -> Self:
        """Begin a campaign. `setup` is that of any battle of the game: its bands, points, options and scale."""
        journal.write_new(Path(path), cls.first_line(game, battles=battles, seed=seed, seats=seats, setup=setup), [])
        return cls.open(path, game=game)

    @classmethod
    def first_line(
        cls, game: Game, *, battles: int, seed: int, seats: Sequence[str], setup: Mapping[str, Any]
    ) -> Header:
        """What a campaign begins with; raises Problems."""
        problems = Problems("campaign")
        if not cls.least_most[0] <= battles <= cls.least_most[1]:
            (least, most), (fewest, longest) = cls.least_most, cls.recommended
            hint = notice("battles_from_to", least=least, most=most, fewest=fewest, longest=longest)
            problems.add("battles", notice("campaign_of_battles", battles=battles), cls.rule, hint)
        known = [HUMAN, *game.bots()]
        if not cls.fewest_sides <= len(seats) <= cls.most_sides:
            what = notice("campaign_has_two", number=len(seats))
            if cls.most_sides > cls.fewest_sides:
                what = notice("campaign_has", number=len(seats), fewest=cls.fewest_sides, most=cls.most_sides)
            problems.add("players", what, hint=notice("such_as_players"))
        elif len(seats) != len(setup["armies"]):
            problems.add("players", notice("seats_and_bands", number=len(seats), bands=len(setup["armies"])))
        for name in seats:
            if name not in known:
                hint = did_you_mean(name, known) or notice("choose_from", choices=known)
                problems.add("players", notice("no_such", what="player", word=name), hint=hint)
        problems.raise_if_any()
        common = {key: value for key, value in setup.items() if key not in ("armies", "scenario")}
        return Header(
            FORMAT,
            VERSION,
            __version__,
            game.id,
            game.version,
            seed,
            battles,
            tuple(seats),
            common,
            tuple(setup["armies"]),
        )

    @classmethod
    def stored(cls, lines: Sequence[bytes], keep: Keep, *, game: Game) -> Self:
        """A campaign of which somebody else keeps the lines."""
        content = b"".join(line + b"\n" for line in lines)
        return cls._replayed(journal.Read(Path("campaign"), content, cls.result_kind), game, journal.Elsewhere(keep))

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, game: Game | None = None, recover: bool = False) -> Self:
        """A campaign to play on. It is ours alone until it is closed.

        With `recover` a damaged one is taken as far as it is whole, in a copy beside it; the damaged file stays.
        """
        kept = journal.Journal(Path(path), cls.result_kind)
        try:
            return cls._replayed(kept.read, game, kept)
        except Problems:
            kept.close()
            if not recover:
                raise
        return cls._recovered(Path(path), game)

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, game: Game | None = None) -> Self:
        """A campaign as it stands, to look at."""
        return cls._replayed(journal.read(path, cls.result_kind), game, None)

    @classmethod
    def _replayed(cls, found: journal.Read, game: Game | None, kept: journal.Keeper | None) -> Self:
        campaign = cls._begun(found, game, kept)
        for entry in found.entries:
            problem = campaign._again(entry, found)
            if problem is not None:
                raise Problems(found.path, [problem])
        if found.broken is not None:
            raise Problems(found.path, [found.broken])
        return campaign

    @classmethod
    def _begun(cls, found: journal.Read, game: Game | None, kept: journal.Keeper | None) -> Self:
        header = found.header
        game = game or cls.own_game()
        if header.game != game.id:
            hint = did_you_mean(header.game, [game.id]) or notice("there_are_games", games=game.id)
            raise campaign_of_no_game(found.path, header.game, hint)
        if header.rules != game.version:
            by = notice("oriflamme", version=header.program)
            said = notice("made_with_rules", by=by, rules=header.rules, game=game.id)
            hint = notice("open_with_the_other", version=__version__, now=game.version)
            raise problem_with(found.path, said, where="line 1", hint=hint)
        try:
            if not set(game.defaults()) <= set(header.setup["options"]):
                raise KeyError("options")
            return cls(found.path, header, game, kept)
        except (Problems, KeyError, TypeError, ValueError) as error:
            if isinstance(error, Problems):
                what = notice("broken_rule", problem=error.problems[0])
            else:
                what = notice("in_their_words", reason=f"{type(error).__name__} {error}")
            raise problem_with(found.path, what, where="line 1", hint=notice("first_line_changed")) from None

    @classmethod
    def _recovered(cls, path: Path, game: Game | None) -> Self:
        """The same campaign as far as it is whole, in a new file with the battle in progress beside it."""
        found = journal.read(path, cls.result_kind)
        campaign = cls._begun(found, game, None)
        whole: list[Line] = []
        for entry in found.entries:
            if campaign._again(entry, found) is not None:
                break
            whole.append(entry)
        copy = path.with_name(f"{path.stem}-recovered{path.suffix}")
        number = 2
        while copy.exists():
            copy = path.with_name(f"{path.stem}-recovered-{number}{path.suffix}")
            number += 1
        campaign = cls._begun(found, game, None)
        for entry in whole:
            campaign._again(entry, found)
        journal.write_new(copy, found.header, whole)
        under_way = campaign.battle_path
        campaign.path = copy
        if under_way.exists() and not campaign.battle_path.exists():
            shutil.copyfile(under_way, campaign.battle_path)
        return cls.open(copy, game=game)

    def close(self) -> None:
        """Let others play it. Everything is on the disk already."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    # -- how it stands ---------------------------------------------------------------------------------------------

    @property
    def seed(self) -> int:
        return self.header.seed

    @property
    def battles(self) -> int:
        return self.header.battles

    @property
    def seats(self) -> tuple[str, ...]:
        return self.header.seats

    @property
    def sides(self) -> range:
        return range(len(self.header.seats))

    def band(self, side: int) -> Any:
        """A band with all that was chosen for it until now."""
        camp = self.camps[side]
        return self.bands[side] if camp is None else self.band_in_camp(camp)

    def ready(self, side: int) -> bool:
        """The side has nothing left to choose before the next battle."""
        camp = self.camps[side]
        return camp is None or camp.over

    @property
    def revealed(self) -> bool:
        """What was chosen in camp may be shown: all sides are ready."""
        return all(map(self.ready, self.sides))

    def shown(self, side: int, secrets: Iterable[int] = ()) -> Any:
        """A band without what is being chosen for it in secret, unless it is one of the `secrets`."""
        return self.band(side) if self.revealed or side in secrets else self.bands[side]

    def known(self, side: int, secrets: Iterable[int]) -> Any:
        """A band as it was last seen, or as it is now if that is no secret; None while nothing is known of it."""
        return self.band(side) if side in secrets or self.over else self.seen[side]

    def data(self, *, secrets: Iterable[int] = ()) -> dict[str, Any]:
        """How it stands, as plain data; `secrets` are the sides whose choices in camp are told."""
        return {
            "game": self.game.id,
            "seed": self.seed,
            "battles": self.battles,
            "seats": list(self.seats),
            "options": self.options,
            "stage": self.stage,
            "battle": self.number,
            "scenario": self.scenario or None,
            "ready": [self.ready(side) for side in self.sides],
            "score": list(self.score),
            "winner": self.winner,
            "bands": [self.band_data(self.shown(side, secrets)) for side in self.sides],
        }

    def band_data(self, band: Any) -> dict[str, Any]:
        """A band as plain data."""
        data: dict[str, Any] = msgspec.to_builtins(band)
        return data

    def log(self, *, secrets: Iterable[int] = ()) -> list[CampaignEvent]:
        """What has happened, without what is being chosen in secret; `secrets` are the sides whose choices are told."""
        entries = list(self.events)
        for side, camp in enumerate(self.camps):
            if camp is not None and (self.revealed or side in secrets):
                entries += [CampaignEvent(self.number, event, camp=True) for event in camp.events]
        return entries

    def chronicle(self, secrets: Iterable[int]) -> list[CampaignEvent]:
        """What has happened; what a side chose in camp is known when the battle after it is over."""
        knows = tuple(secrets)

        def is_known(entry: CampaignEvent) -> bool:
            chosen = entry.camp and entry.battle == self.number and not self.over
            return not chosen or getattr(entry.event, "side", -1) in knows

        return [entry for entry in self.log(secrets=knows) if is_known(entry)]

    # -- in camp ---------------------------------------------------------------------------------------------------

    def camp(self, side: int) -> Play | None:
        """What a side is choosing now: a play with one question after the other; None if it is ready."""
        return None if self.ready(side) else self.camps[side]

    def asked(self, side: int) -> int:
        return sum(isinstance(line, Choose | Undo) and line.side == side for line in self.entries)

    def choose(self, side: int, raw: Any) -> Refusal | None:
        """Take an answer of a side in camp. One that is refused changes nothing; any other is on the disk."""
        if self.camp(side) is None:
            return Refusal("", "battle_is_over")
        made = self._choose(side, raw)
        if isinstance(made, Refusal):
            return made
        self._keep(made)
        return None

    def take_back(self, side: int, answers: int = 1) -> bool:
        """Take back the last answers of a side in camp; False if there are none."""
        camp = self.camp(side)
        if camp is None or not camp.answers:
            return False
        self._keep(self._undo(side, max(0, len(camp.answers) - answers)))
        return True

    def choose_by_bots(self) -> None:
        """Let every side that a bot plays choose until it is ready."""
        for side, seat in enumerate(self.seats):
            while seat != HUMAN and (camp := self.camp(side)) is not None:
                decision = camp.pending[0]
                refusal = self.choose(side, self.advised(side, decision))
                if refusal is not None:
                    raise RuntimeError(f"a bot answered {decision.ask} wrongly in camp: {refusal}")

    def advised(self, side: int, decision: Decision) -> Any:
        """What a bot answers in camp: the sensible thing, or anything at all if it is the one without an opinion."""
        if self.seats[side] != CHANCE:
            return decision.suggestion()
        camp = self.camps[side]
        number = len(camp.answers) if camp is not None else 0
        return decision.sample(Random(derived(self.seed, "camp", self.number, side, number)))

    # -- the battle ------------------------------------------------------------------------------------------------

    @property
    def battle_path(self) -> Path:
        """Where the battle that is next or under way is saved."""
        return self.path.with_name(f"{self.path.stem}.{self.number}.save")

    @property
    def battle_seed(self) -> int:
        return derived(self.seed, "battle", self.number)

    def march(self) -> None:
        """Draw the scenario of the next battle, all sides being ready."""
        if self.stage == "camp" and self.revealed:
            self._keep(self._march())

    def battle_setup(self) -> dict[str, Any]:
        """The battle that is due, as the game takes it."""
        return {**self.header.setup, "scenario": self.scenario, "armies": self.armies()}

    def battle(self) -> Play:
        """The battle that is due: where its save leaves it, or at its beginning if there is none."""
        if self.stage != "battle":
            raise ValueError(f"no battle is due: {self.stage}")
        saved = self._saved()
        if saved is None:
            return Play(self.game, self.battle_setup(), self.battle_seed)
        return saved.play(upto=len(saved.entries))

    def _saved(self) -> saves.Saved | None:
        """The save of the battle under way; raises Problems if it is another battle, or damaged but at its end."""
        path = self.battle_path
        if not path.exists():
            return None
        saved = saves.read(path, lambda _: self.game)
        due = msgspec.json.decode(msgspec.json.encode(self.battle_setup()))
        if saved.header.setup != due or saved.header.seed != self.battle_seed or saved.header.given:
            what = notice("not_that_battle", number=self.number, path=self.path.name)
            raise problem_with(path, what, where="line 1", hint=notice("move_battle_away"))
        broken = saved.broken
        # A line cut short by a crash is the last one, or there is no last line yet.
        if broken is not None and int(broken.where.removeprefix("line ")) < path.read_bytes().count(b"\n") + 1:
            raise Problems(path, [Problem(broken.where, broken.what, broken.rule, notice("back_or_move_away"))])
        return saved

    def conclude(self, play: Play) -> None:
        """The battle is over: settle what it does to all bands."""
        if not play.over or play.seed != self.battle_seed or play.given:
            raise ValueError("this is not the battle that is due, or it is not over")
        result = self.result_of(play)
        wrong = self.why_wrong(result)
        if wrong:
            raise ValueError(f"battle {self.number}: {wrong}")
        self._keep(self._fight(self.battle_path.name, play.battle.fingerprint(), result))

    def fight_by_bots(self, after: Callable[[Play], None] | None = None) -> None:
        """Let bots fight the next battle, or the rest of it, and settle what comes of it."""
        self.march()
        if self.stage != "battle":
            return
        known = self.game.bots()
        bots = [known[seat](seed=derived(self.battle_seed, "seat", side)) for side, seat in enumerate(self.seats)]
        saved = self._saved()
        seeds = saved.seeds if saved is not None else ()
        play = Play(self.game, self.battle_setup(), self.battle_seed, seeds=seeds)
        if saved is not None and saved.play(upto=len(saved.entries)).over:
            play.replay((entry.side, entry.answer) for entry in saved.entries)
        elif saved is not None:
            # Bots remember what they planned: they are asked again, and what they answered then stands.
            for entry in saved.entries:
                decision = play.decision_of(entry.side)
                assert decision is not None
                answer_of(bots[entry.side], play, decision)
                play.replay([(entry.side, entry.answer)])
        recorder = saves.Recorder(play, self.battle_path, self.seats)
        while play.pending:
            decision = play.pending[0]
            refusal = play.answer(decision.side, answer_of(bots[decision.side], play, decision))
            if refusal is not None:
                raise RuntimeError(f"a bot answered {decision.ask} wrongly in battle {self.number}: {refusal}")
            recorder.note()
            if after is not None:
                after(play)
        recorder.close()
        self.conclude(play)

    # -- what is done, and what line it makes ----------------------------------------------------------------------

    def _keep(self, line: Line) -> None:
        if self._journal is None:
            raise ValueError("the campaign was only read, or is closed")
        self._journal.append(line)
        self.entries.append(line)

    def _next(self) -> int:
        return len(self.entries) + 1

    def _again(self, entry: Line, found: journal.Read) -> Problem | None:
        """Do what a line says was done; what is wrong with it, if anything."""
        where, hint = f"line {entry.n + 1}", found.hint(len(self.entries))
        what = notice("not_what_comes", battle=entry.battle, entry=_kind(entry))
        out_of_place = Problem(where, what, None, hint)
        if entry.battle != self.number:
            return out_of_place
        made: Line | Refusal
        match entry:
            case March() if self.stage == "camp" and self.revealed:
                made = self._march()
            case Fight() if self.stage == "battle":
                wrong = self.why_wrong(entry.result)
                if wrong is not None:
                    return Problem(where, notice("wrong_in_battle", battle=entry.battle, reason=wrong), None, hint)
                made = self._fight(entry.save, entry.fingerprint, entry.result)
            case Choose() if entry.side in self.sides and self.camp(entry.side) is not None:
                made = self._choose(entry.side, entry.answer)
            case Undo() if entry.side in self.sides and (camp := self.camp(entry.side)) is not None:
                if not 0 <= entry.answers < len(camp.answers):
                    return out_of_place
                made = self._undo(entry.side, entry.answers)
            case _:
                return out_of_place
        if isinstance(made, Refusal):
            return Problem(where, notice("campaign_answer_refused", why=made.why), made.rule or None, hint)
        if journal.encode(made) != journal.encode(entry):
            field, was, now = _difference(msgspec.to_builtins(entry), msgspec.to_builtins(made))
            what = notice("differs_when_played", field=field, was=_short(was), now=_short(now))
            return Problem(where, what, None, hint)
        self.entries.append(entry)
        return None

    def _march(self) -> March:
        """All leave camp, and the scenario is drawn."""
        self._leave_camp()
        battle, dice = self.number, SeededDice(derived(self.seed, "scenario", self.number))
        events = self.set_out(dice)
        if self.scenario:
            self.stage = "battle"
        else:
            events += self._go_on(drawn=False)
        return March(self._next(), battle, dice.thrown, self._tell(battle, events))

    def _fight(self, save: str, fingerprint: str, result: Any) -> Fight:
        battle, dice = self.number, SeededDice(derived(self.seed, "aftermath", self.number))
        last = battle == self.battles
        events = self.after_battle(result, dice, last=last)
        events += self._go_on(drawn=self.is_drawn(result))
        return Fight(self._next(), battle, save, fingerprint, result, dice.thrown, self._tell(battle, events))

    def _go_on(self, *, drawn: bool) -> list[Event]:
        """To camp, or to the end."""
        self.scenario = ""
        self.seen = [band.copy() for band in self.bands]
        if self.number < self.battles:
            self.number += 1
            self.stage = "camp"
            for side in self.sides:
                setup = self.camp_setup(side, drawn=drawn)
                self.camps[side] = Play(self.camp_game, setup, derived(self.seed, "camp", self.number, side))
            return []
        self.stage = "over"
        return [self.end()]

    def _choose(self, side: int, raw: Any) -> Choose | Refusal:
        camp = self.camps[side]
        assert camp is not None
        ask, before = camp.pending[0].ask, len(camp.events)
        refusal = camp.answer(side, raw)
        if refusal is not None:
            return refusal
        return Choose(self._next(), self.number, side, ask, camp.answers[-1][1], _facts(camp.events[before:]))

    def _undo(self, side: int, answers: int) -> Undo:
        camp = self.camps[side]
        assert camp is not None
        self.camps[side] = camp.back(len(camp.answers) - answers)
        return Undo(self._next(), self.number, side, answers)

    def _leave_camp(self) -> None:
        for side, camp in enumerate(self.camps):
            if camp is not None:
                self.bands[side] = self.band_in_camp(camp)
                self.events += [CampaignEvent(self.number, event, camp=True) for event in camp.events]
                self.camps[side] = None

    def _tell(self, battle: int, events: list[Event]) -> list[dict[str, Any]]:
        self.events += [CampaignEvent(battle, event) for event in events]
        return _facts(events)


class RecordedCampaigns(Campaigns):
    """Campaigns in files, and for whoever keeps their lines himself."""

    series: ClassVar[type[RecordedSeries]]

    def __init__(self, game: Game) -> None:
        self.game = game
        self.least, self.most = self.series.least_most
        self.recommended, self.recommended_by = self.series.recommended, self.series.rule

    def check(self, setup: Mapping[str, Any]) -> None:
        """Raise Problems if the setup says what a campaign decides itself."""

    def new(self, *, battles: int, seed: int, players: Sequence[str], setup: Mapping[str, Any]) -> bytes:
        self.check(setup)
        seats = [name or HUMAN for name in players]
        return journal.encode(self.series.first_line(self.game, battles=battles, seed=seed, seats=seats, setup=setup))

    def open(self, lines: Sequence[bytes], keep: Keep) -> RecordedSeries:
        return self.series.stored(lines, keep, game=self.game)

    def create(
        self, path: Path, *, battles: int, seed: int, seats: Sequence[str], setup: Mapping[str, Any]
    ) -> RecordedSeries:
        self.check(setup)
        return self.series.new(path, self.game, battles=battles, seed=seed, seats=seats, setup=setup)

    def open_file(self, path: Path, *, recover: bool = False) -> RecordedSeries:
        return self.series.open(path, game=self.game, recover=recover)

    def read_file(self, path: Path) -> RecordedSeries:
        return self.series.read(path, game=self.game)


def _facts(events: Iterable[Event]) -> list[dict[str, Any]]:
    return [event.facts() for event in events]


def _kind(entry: Line) -> str:
    return type(entry).__name__.lower()


def _difference(was: Any, now: Any, field: str = "") -> tuple[str, Any, Any]:
    """Where two lines differ first, looking into what is in them."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in (*now, *was):
            if was.get(key) != now.get(key):
                return _difference(was.get(key), now.get(key), f"{field}.{key}" if field else str(key))
    if isinstance(was, list | tuple) and isinstance(now, list | tuple) and len(was) == len(now):
        for number, (one, other) in enumerate(zip(was, now, strict=True), 1):
            if one != other:
                return _difference(one, other, f"{field}[{number}]")
    return field, was, now


def _short(value: Any) -> str:
    text = journal.encode(value).decode()
    return text if len(text) <= 60 else text[:57] + "..."
