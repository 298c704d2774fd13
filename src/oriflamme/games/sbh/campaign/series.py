"""The campaign itself: a series of battles, and between them two camps (SBH-CAMP-01).

It goes round: both sides choose in camp, the scenario is rolled, the battle is fought, its aftermath settled. Each of
these is one line of the campaign file or several; a campaign is read by doing it all again and comparing.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from oriflamme import __version__
from oriflamme.engine.core import save as saves
from oriflamme.engine.core.campaign import HUMAN, CampaignEvent, Campaigns, FiledSeries, Keep, Outcome, Page
from oriflamme.engine.core.campaign_files import FORMAT, VERSION, campaign_of_no_game
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.dice import Dice, SeededDice
from oriflamme.engine.core.events import Event, Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import name_in, notice
from oriflamme.engine.words.problems import Problem, Problems, did_you_mean, problem_with
from oriflamme.engine.words.text import Voice
from oriflamme.games.sbh.campaign import journal
from oriflamme.games.sbh.campaign.aftermath import SCENARIOS, Result, after_battle, come_back, result_of
from oriflamme.games.sbh.campaign.camp import Camp, CampGame, camp_setup
from oriflamme.games.sbh.campaign.events import BattleFought, BattleNotFought, CampaignEnded, ScenarioSet
from oriflamme.games.sbh.campaign.journal import Choose, Fight, Header, Line, March, Undo
from oriflamme.games.sbh.campaign.warband import Warband, muster
from oriflamme.games.sbh.fighters import Band
from oriflamme.games.sbh.roster import cards

BATTLES: Final = (1, 20)
RECOMMENDED: Final = (3, 5)  # SBH-CAMP-01
CHANCE: Final = "random"  # the bot that has no opinion

camp_game: Final = CampGame()


def derived(seed: int, *parts: int | str) -> int:
    """A seed for a part of a campaign: the same everywhere, and unlike that of any other part."""
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big")


def score_of(bands: Sequence[Warband], options: Mapping[str, str]) -> tuple[int, int]:
    """Victory points earned, or those not spent if that was agreed (SBH-CAMP-01)."""
    a, b = (band.purse if options["sbh.campaignScore"] == "unspent" else band.earned for band in bands)
    return a, b


def ahead(score: tuple[int, int]) -> int | None:
    """Who has most victory points; nobody if both have as many (SBH-CAMP-01)."""
    a, b = score
    return None if a == b else int(b > a)


def set_out(bands: Sequence[Warband], battle: int, dice: Dice) -> Iterator[Event]:
    """Bands are chosen: a die says which scenario is played (SBH-CAMP-02, SBH-SCEN-01)."""
    unable = [side for side, band in enumerate(bands) if not band.fielded()]
    if not unable:
        face = dice.d6()
        yield ScenarioSet("SBH-CAMP-02", battle, face, SCENARIOS[face - 1])
        return
    # The book is silent on a band of which everybody misses the game: that game passes without a battle.
    yield BattleNotFought("SBH-CAMP-04", battle, unable[0] if len(unable) == 1 else -1)
    for side, band in enumerate(bands):
        yield from come_back(band, side)


def end_of_campaign(bands: Sequence[Warband], options: Mapping[str, str]) -> CampaignEnded:
    """After the last battle: who has most victory points wins (SBH-CAMP-01)."""
    score = score_of(bands, options)
    winner = ahead(score)
    return CampaignEnded("SBH-CAMP-01", score, -1 if winner is None else winner)


class Campaign(FiledSeries):
    """A campaign from its file, or from lines that somebody else keeps.

    Use `new` and `open` to play; `read` to look, which keeps nobody from playing.
    """

    headlines = frozenset({"ScenarioSet", "BattleFought", "BattleNotFought", "CampaignEnded"})
    camp_game = camp_game

    def __init__(self, path: Path, header: Header, game: Game, journal: journal.Keeper | None = None) -> None:
        self.path = path
        self.header = header
        self.game = game
        self.options: dict[str, str] = header.setup["options"]
        self.bands = [
            muster(Band.from_data(data, f"band {'AB'[side]}"), side) for side, data in enumerate(header.bands)
        ]
        self.number = 1
        self.stage = "camp"
        self.scenario = ""
        self.camps: list[Play | None] = [None, None]
        # Bands as both sides have seen them last, on the table; none before the first battle (SBH-BAND-01).
        self.seen: list[Warband | None] = [None, None]
        self.events: list[CampaignEvent] = []
        self.entries: list[Line] = []
        self._journal = journal
        self._voices: dict[str, Voice] = {}

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
    ) -> Campaign:
        """Begin a campaign. `setup` is that of any battle of the game: its bands, points, options and scale."""
        journal.write_new(Path(path), cls.first_line(game, battles=battles, seed=seed, seats=seats, setup=setup), [])
        return cls.open(path, game=game)

    @staticmethod
    def first_line(game: Game, *, battles: int, seed: int, seats: Sequence[str], setup: Mapping[str, Any]) -> Header:
        """What a campaign begins with; raises Problems."""
        problems = Problems("campaign")
        if not BATTLES[0] <= battles <= BATTLES[1]:
            (least, most), (fewest, longest) = BATTLES, RECOMMENDED
            hint = notice("battles_from_to", least=least, most=most, fewest=fewest, longest=longest)
            problems.add("battles", notice("campaign_of_battles", battles=battles), "SBH-CAMP-01", hint)
        known = [HUMAN, *game.bots()]
        if len(seats) != 2:
            problems.add("players", notice("campaign_has_two", number=len(seats)), hint=notice("such_as_players"))
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
            (seats[0], seats[1]),
            common,
            (setup["armies"][0], setup["armies"][1]),
        )

    @classmethod
    def stored(cls, lines: Sequence[bytes], keep: Keep, *, game: Game) -> Campaign:
        """A campaign of which somebody else keeps the lines."""
        content = b"".join(line + b"\n" for line in lines)
        return cls._replayed(journal.Read(Path("campaign"), content), game, journal.Elsewhere(keep))

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, game: Game | None = None, recover: bool = False) -> Campaign:
        """A campaign to play on. It is ours alone until it is closed.

        With `recover` a damaged one is taken as far as it is whole, in a copy beside it; the damaged file stays.
        """
        kept = journal.Journal(Path(path))
        try:
            return cls._replayed(kept.read, game, kept)
        except Problems:
            kept.close()
            if not recover:
                raise
        return cls._recovered(Path(path), game)

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, game: Game | None = None) -> Campaign:
        """A campaign as it stands, to look at."""
        return cls._replayed(journal.read(path), game, None)

    @classmethod
    def _replayed(cls, found: journal.Read, game: Game | None, kept: journal.Keeper | None) -> Campaign:
        campaign = cls._begun(found, game, kept)
        for entry in found.entries:
            problem = campaign._again(entry, found)
            if problem is not None:
                raise Problems(found.path, [problem])
        if found.broken is not None:
            raise Problems(found.path, [found.broken])
        return campaign

    @classmethod
    def _begun(cls, found: journal.Read, game: Game | None, kept: journal.Keeper | None) -> Campaign:
        header = found.header
        game = game or _own_game()
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
    def _recovered(cls, path: Path, game: Game | None) -> Campaign:
        """The same campaign as far as it is whole, in a new file with the battle in progress beside it."""
        found = journal.read(path)
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
    def seats(self) -> tuple[str, str]:
        return self.header.seats

    @property
    def score(self) -> tuple[int, int]:
        """The victory points that decide (SBH-CAMP-01), but for what is still secret."""
        return score_of((self.shown(0), self.shown(1)), self.options)

    @property
    def winner(self) -> int | None:
        """Who has most victory points at the end; nobody before it, or if both have as many."""
        return ahead(self.score) if self.over else None

    def band(self, side: int) -> Warband:
        """A band with all that was chosen for it until now."""
        camp = self.camps[side]
        if camp is None:
            return self.bands[side]
        there: Camp = camp.battle
        return there.band

    def ready(self, side: int) -> bool:
        """The side has nothing left to choose before the next battle."""
        camp = self.camps[side]
        return camp is None or camp.over

    @property
    def revealed(self) -> bool:
        """What was chosen in camp may be shown: both sides are ready."""
        return self.ready(0) and self.ready(1)

    def shown(self, side: int, secrets: Iterable[int] = ()) -> Warband:
        """A band without what is being chosen for it in secret, unless it is one of the `secrets`."""
        return self.band(side) if self.revealed or side in secrets else self.bands[side]

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
            "ready": [self.ready(side) for side in (0, 1)],
            "score": list(self.score),
            "winner": self.winner,
            "bands": [
                msgspec.to_builtins(band) | {"value": band.value, "purse": band.purse}
                for band in (self.shown(side, secrets) for side in (0, 1))
            ],
        }

    def log(self, *, secrets: Iterable[int] = ()) -> list[CampaignEvent]:
        """What has happened, without what is being chosen in secret; `secrets` are the sides whose choices are told."""
        entries = list(self.events)
        for side, camp in enumerate(self.camps):
            if camp is not None and (self.revealed or side in secrets):
                entries += [CampaignEvent(self.number, event, camp=True) for event in camp.events]
        return entries

    def chronicle(self, secrets: Iterable[int]) -> list[CampaignEvent]:
        """What has happened; what a side chose in camp is known when the battle after it is over (SBH-BAND-01)."""
        knows = tuple(secrets)

        def is_known(entry: CampaignEvent) -> bool:
            chosen = entry.camp and entry.battle == self.number and not self.over
            return not chosen or getattr(entry.event, "side", -1) in knows

        return [entry for entry in self.log(secrets=knows) if is_known(entry)]

    def voice(self, lang: str) -> Voice:
        from oriflamme.games.sbh.campaign.voice import CampaignVoice

        known = self._voices.get(lang)
        if not isinstance(known, CampaignVoice):
            known = self._voices[lang] = CampaignVoice(self, lang)
        known.meet()
        return known

    def names(self, lang: str) -> tuple[str, ...]:
        return tuple(name_in(band.name, lang) for band in self.bands)

    def ids_by_name(self, side: int, lang: str) -> list[dict[str, str]]:
        """Fighters of the race that is asked about come before everything else that has a name."""
        voice, camp = self.voice(lang), self.camp(side)
        race = camp.pending[0].about.get("race") if camp is not None else None
        kin = {voice.name(id, "card"): id for id, card in cards().items() if card.race == race}
        known = {voice.name(id, field): id for field, ids in voice.names.by_field.items() for id in ids}
        known |= {voice.name(member.id): member.id for member in self.band(side).members}
        return [kin, known]

    def due(self, lang: str) -> str:
        return self.voice(lang).word("scenario", self.scenario) if self.scenario else ""

    def score_name(self, lang: str) -> str:
        return self.voice(lang).word("ledger", "score")

    def outcomes(self, lang: str) -> list[Outcome]:
        voice = self.voice(lang)
        return [
            Outcome(event.battle, voice.word("scenario", event.scenario), _winners(event.winner), tuple(event.victory))
            for event in (entry.event for entry in self.events)
            if isinstance(event, BattleFought)
        ]

    def page(self, side: int, lang: str, secrets: Iterable[int]) -> Page | None:
        from oriflamme.games.sbh.campaign.voice import page_of

        band = self._known(side, secrets)
        return None if band is None else page_of(self.voice(lang), band)

    def standing(self, secrets: Iterable[int]) -> tuple[int, int]:
        knows = tuple(secrets)
        bands = [self._known(side, knows) or Warband({}, 0, []) for side in (0, 1)]
        return score_of(bands, self.options)

    def _known(self, side: int, secrets: Iterable[int]) -> Warband | None:
        """A band as it was last seen, or as it is now if that is no secret (SBH-BAND-01)."""
        return self.band(side) if side in secrets or self.over else self.seen[side]

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
        """Roll the scenario of the next battle, both sides being ready."""
        if self.stage == "camp" and self.revealed:
            self._keep(self._march())

    def battle_setup(self) -> dict[str, Any]:
        """The battle that is due, as the game takes it."""
        armies = [band.for_battle() for band in self.bands]
        return {**self.header.setup, "scenario": self.scenario, "armies": armies}

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
        """The battle is over: settle what it does to both bands."""
        if not play.over or play.seed != self.battle_seed or play.given:
            raise ValueError("this is not the battle that is due, or it is not over")
        result = result_of(self.game, play.battle)
        wrong = result.wrong(self.bands, self.scenario)
        if wrong:
            raise ValueError(f"battle {self.number}: {wrong}")
        self._keep(self._fight(self.battle_path.name, play.battle.fingerprint(), result))

    def fight_by_bots(self, after: Callable[[Play], None] | None = None) -> None:
        """Let two bots fight the next battle, or the rest of it, and settle what comes of it."""
        self.march()
        if self.stage != "battle":
            return
        known = self.game.bots()
        bots = [known[seat](seed=derived(self.battle_seed, "seat", side)) for side, seat in enumerate(self.seats)]
        saved = self._saved()
        seeds = saved.seeds if saved is not None else ()
        play = Play(self.game, self.battle_setup(), self.battle_seed, seeds=seeds, keep=False)
        if saved is not None and saved.play(upto=len(saved.entries)).over:
            play.replay((entry.side, entry.answer) for entry in saved.entries)
        elif saved is not None:
            # Bots remember what they planned: they are asked again, and what they answered then stands.
            for entry in saved.entries:
                decision = play.decision_of(entry.side)
                assert decision is not None
                _decide(play, decision, bots[entry.side])
                play.replay([(entry.side, entry.answer)])
        recorder = saves.Recorder(play, self.battle_path, self.seats)
        while play.pending:
            decision = play.pending[0]
            refusal = play.answer(decision.side, _decide(play, decision, bots[decision.side]))
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
                wrong = entry.result.wrong(self.bands, self.scenario)
                if wrong is not None:
                    return Problem(where, notice("wrong_in_battle", battle=entry.battle, reason=wrong), None, hint)
                made = self._fight(entry.save, entry.fingerprint, entry.result)
            case Choose() if entry.side in (0, 1) and self.camp(entry.side) is not None:
                made = self._choose(entry.side, entry.answer)
            case Undo() if entry.side in (0, 1) and (camp := self.camp(entry.side)) is not None:
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
        """Both leave camp, and the scenario is rolled."""
        self._leave_camp()
        battle, dice = self.number, SeededDice(derived(self.seed, "scenario", self.number))
        events = list(set_out(self.bands, battle, dice))
        if isinstance(events[0], ScenarioSet):
            self.scenario = events[0].scenario
            self.stage = "battle"
        else:
            events += self._go_on(drawn=False)
        return March(self._next(), battle, dice.thrown, self._tell(battle, events))

    def _fight(self, save: str, fingerprint: str, result: Result) -> Fight:
        battle, dice = self.number, SeededDice(derived(self.seed, "aftermath", self.number))
        last = battle == self.battles
        events = list(after_battle(self.bands, battle, result, dice, self.options, last=last))
        events += self._go_on(drawn=result.winner is None)
        return Fight(self._next(), battle, save, fingerprint, result, dice.thrown, self._tell(battle, events))

    def _go_on(self, *, drawn: bool) -> list[Event]:
        """To camp, or to the end."""
        self.scenario = ""
        self.seen = [band.copy() for band in self.bands]
        if self.number < self.battles:
            self.number += 1
            self.stage = "camp"
            final = self.number == self.battles
            for side, band in enumerate(self.bands):
                setup = camp_setup(side, self.number, band, self.options, drawn=drawn, final=final)
                self.camps[side] = Play(camp_game, setup, derived(self.seed, "camp", self.number, side))
            return []
        self.stage = "over"
        return [end_of_campaign(self.bands, self.options)]

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
                self.bands[side] = camp.battle.band
                self.events += [CampaignEvent(self.number, event, camp=True) for event in camp.events]
                self.camps[side] = None

    def _tell(self, battle: int, events: list[Event]) -> list[dict[str, Any]]:
        self.events += [CampaignEvent(battle, event) for event in events]
        return _facts(events)


def _own_game() -> Game:
    from oriflamme.games.sbh import game

    return game


class SongCampaigns(Campaigns):
    """Campaigns in files, and for whoever keeps their lines himself."""

    least, most = BATTLES
    recommended = RECOMMENDED
    recommended_by = "SBH-CAMP-01"
    decides = ("scenario",)

    def __init__(self, game: Game) -> None:
        self.game = game

    def new(self, *, battles: int, seed: int, players: Sequence[str], setup: Mapping[str, Any]) -> bytes:
        self._check_scenario(setup)
        seats = [name or HUMAN for name in players]
        return journal.encode(Campaign.first_line(self.game, battles=battles, seed=seed, seats=seats, setup=setup))

    def open(self, lines: Sequence[bytes], keep: Keep) -> Campaign:
        return Campaign.stored(lines, keep, game=self.game)

    def create(
        self, path: Path, *, battles: int, seed: int, seats: Sequence[str], setup: Mapping[str, Any]
    ) -> Campaign:
        self._check_scenario(setup)
        return Campaign.new(path, self.game, battles=battles, seed=seed, seats=seats, setup=setup)

    def open_file(self, path: Path, *, recover: bool = False) -> Campaign:
        return Campaign.open(path, game=self.game, recover=recover)

    def read_file(self, path: Path) -> Campaign:
        return Campaign.read(path, game=self.game)

    @staticmethod
    def _check_scenario(setup: Mapping[str, Any]) -> None:
        if setup["scenario"] != "roll":
            what, hint = notice("scenarios_are_rolled"), notice("leave_it_out")
            raise problem_with("choices", what, where="scenario", rule="SBH-CAMP-02", hint=hint)


def _decide(play: Play, decision: Decision, bot: Any) -> Any:
    return bot.decide(play.view(decision.side) if bot.needs_view else None, decision)


def _winners(winner: int) -> tuple[int, ...]:
    return () if winner < 0 else (winner,)


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
