"""Campaigns at the command line: begin one, play the next battle and the time after it, see how it stands."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from oriflamme.cli import library, show
from oriflamme.cli.phrases import Phrases
from oriflamme.cli.words import matches
from oriflamme.engine.core.bots import HUMAN
from oriflamme.engine.core.campaign import CampaignEvent, Campaigns, FiledSeries, Page
from oriflamme.engine.core.campaign_files import game_of_campaign
from oriflamme.engine.core.decisions import PickOne
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import notice, quoted
from oriflamme.engine.words.problems import Problems, problem_with
from oriflamme.engine.words.text import Voice
from oriflamme.games import ids, load


@cache
def _words(lang: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(f"campaign_{lang}.toml").read_text(encoding="utf-8"))


class Teller:
    """Says things about one campaign in one language."""

    def __init__(self, campaign: FiledSeries, lang: str) -> None:
        self.campaign = campaign
        self.lang = lang
        # How much of what happened has been shown, or was there before.
        self.shown = len(campaign.log())

    @property
    def voice(self) -> Voice:
        return self.campaign.voice(self.lang)

    def __call__(self, key: str, **facts: Any) -> str:
        return str(_words(self.lang)[key]).format(**facts)

    def tell(self, key: str, style: str | None = None, **facts: Any) -> None:
        show.say(self(key, **facts), style)

    def score(self) -> str:
        return "–".join(map(str, self.campaign.score))

    def log(self, entries: Sequence[CampaignEvent]) -> None:
        """What happened, battle by battle, each line with its rule."""
        voice = self.voice
        for entry in entries:
            head = entry.event.name in self.campaign.headlines
            show.say(show.text_of(voice.event(entry.event), "" if head else "  ", bold=head))

    def news(self) -> list[CampaignEvent]:
        """What has happened since this was last asked."""
        entries = self.campaign.log()[self.shown :]
        self.shown += len(entries)
        return entries

    def where(self) -> None:
        """Which battle is due, or who has won."""
        campaign = self.campaign
        if campaign.over:
            self.tell("over", battles=campaign.battles)
            if not campaign.winners:
                self.tell("draw", "bold", score=self.score(), counted=campaign.score_name(self.lang))
            else:
                sides = ", ".join(map(self.voice.side, campaign.winners))
                self.tell("winner", "bold", side=sides, score=self.score(), counted=campaign.score_name(self.lang))
            return
        scenario = campaign.due(self.lang)
        key = "fighting" if scenario else "next"
        self.tell(key, scenario=scenario, battle=campaign.number, battles=campaign.battles)
        self.tell("score", score=self.score(), counted=campaign.score_name(self.lang))

    def band(self, side: int, secrets: Sequence[int]) -> None:
        """A band as it is known to one who knows the secrets of some sides: its members, and what it has."""
        page = self.campaign.page(side, self.lang, secrets)
        if page is not None:
            self._page(side, page)

    def _page(self, side: int, page: Page) -> None:
        columns = _words(self.lang)["column"]
        heads = (columns["member"], *(column.name for column in page.columns))
        title = f"{self.voice.side(side)}  {page.name}"
        numbers = tuple(range(1, len(heads)))
        made = show.table(*heads, columns["rules"], columns["state"], columns["item"], title=title, right=numbers)
        for member in page.members:
            style = "dim" if member.fate == "dead" else ""
            cells = (*member.numbers, ", ".join(member.rules), member.state, ", ".join(member.holds))
            made.add_row(
                show.cell(member.name, style or show.side_style(side)), *(show.cell(value, style) for value in cells)
            )
        show.show_table(made)
        facts = ", ".join(self("fact", name=name, value=value) for name, value in page.facts)
        if facts:
            show.say(f"  {facts}")
        if page.possessions:
            show.say("  " + ", ".join(page.possessions))


# -- the commands ------------------------------------------------------------------------------------------------------


def _campaigns(game: Game) -> Campaigns:
    """How a game makes and opens campaigns; raises Problems if it has none."""
    found = game.campaigns()
    if found is None:
        able = [id for id in ids() if load(id).campaigns() is not None]
        hint = notice("with_campaigns", games=", ".join(able)) if able else None
        raise problem_with("campaign", notice("no_campaigns", game=game.id), hint=hint)
    return found


def _game(id: str) -> Game:
    """The game of that id, or the first that has campaigns if none is named."""
    if id:
        return load(id)
    every = [load(known) for known in ids()]
    return next((game for game in every if game.campaigns() is not None), every[0])


def _opened(file: Path, *, recover: bool = False) -> FiledSeries:
    return _campaigns(game_of_campaign(file, load)).open_file(file, recover=recover)


def _read(file: Path) -> FiledSeries:
    return _campaigns(game_of_campaign(file, load)).read_file(file)


def new(
    file: Path,
    *,
    game_id: str,
    lists: str,
    battles: int,
    players: str,
    seed: int | None,
    points: int,
    map_name: str,
    options: Sequence[str],
    choices: Sequence[str],
    as_json: bool,
    lang: str,
) -> None:
    """`oriflamme campaign new`"""
    game = _game(game_id)
    campaigns = _campaigns(game)
    seed = show.drawn_seed() if seed is None else seed
    seats = show.parts(players) or (HUMAN, *(game.best_bot,) * (game.sides - 1))
    setup = game.setup(
        seed,
        points=points,
        lists=show.parts(lists),
        map=map_name,
        options=show.chosen_options(game, options),
        choices=show.agreed(game, choices),
    )
    with campaigns.create(file, battles=battles, seed=seed, seats=seats, setup=setup) as campaign:
        if as_json:
            show.say_json({"file": str(file), **campaign.data()})
            return
        tell = Teller(campaign, lang)
        tell.tell("title", "bold", bands=" – ".join(campaign.names(lang)))
        tell.tell("made", path=file, battles=battles, seed=seed)
        fewest, most = campaigns.recommended
        if not fewest <= battles <= most:
            tell.tell("few_or_many", "dim", fewest=fewest, most=most, rule=campaigns.recommended_by)
        tell.tell("play_it", path=file)


def play(file: Path, *, to_the_end: bool, recover: bool, as_json: bool, lang: str) -> None:
    """`oriflamme campaign play`"""
    with _opened(file, recover=recover) as campaign:
        tell = Teller(campaign, lang)
        if campaign.path != file:
            print(tell("recovered", path=campaign.path), file=sys.stderr)
        for side, seat in enumerate(campaign.seats):
            if seat == HUMAN and (as_json or to_the_end):
                option = "--json" if as_json else "--all"
                raise problem_with(option, notice("a_person_plays", side=str(side)), hint=notice("campaign_of_bots"))
        entries: list[CampaignEvent] = []
        try:
            _play_on(campaign, tell, to_the_end, entries.extend if as_json else tell.log)
        except (Leave, EOFError, KeyboardInterrupt) as left:
            show.say()
            tell.tell("stored", path=campaign.path)
            tell.tell("go_on", path=campaign.path)
            if isinstance(left, KeyboardInterrupt):
                raise
            return
        if as_json:
            show.say_json({"file": str(campaign.path), **campaign.data(), "events": _facts(entries)})
            return
        tell.where()
        if not campaign.over:
            tell.tell("go_on", "dim", path=campaign.path)


def _facts(entries: Sequence[CampaignEvent]) -> list[dict[str, Any]]:
    return [{"battle": entry.battle, **entry.event.facts()} for entry in entries]


def _play_on(
    campaign: FiledSeries, tell: Teller, to_the_end: bool, receive: Callable[[Sequence[CampaignEvent]], None]
) -> None:
    """The battle that is due and the time after it, or all there is; `receive` is called with what happens."""
    while not campaign.over:
        number = campaign.number
        _camp(campaign, tell)
        campaign.march()
        receive(tell.news())
        if campaign.stage == "battle":
            _battle(campaign, tell)
            receive(tell.news())
        _camp(campaign, tell)
        receive(tell.news())
        if campaign.number != number and not to_the_end:
            return


def _camp(campaign: FiledSeries, tell: Teller) -> None:
    """The time between battles: bots first, so that nobody waits for one."""
    campaign.choose_by_bots()
    for side in range(len(campaign.seats)):
        if not campaign.ready(side):
            InCamp(campaign, side, tell).run()


def _battle(campaign: FiledSeries, tell: Teller) -> None:
    """The battle that is due, or the rest of it, by bots or at this terminal."""
    if HUMAN not in campaign.seats:
        campaign.fight_by_bots()
        return
    from oriflamme.cli.table import Session

    play = campaign.battle()
    if not play.over:
        session = Session(play, list(campaign.seats), tell.lang, campaign.battle_path)
        session.run()
        play = session.play
    if not play.over:
        raise Leave
    campaign.conclude(play)


def status(file: Path, *, as_json: bool, lang: str) -> None:
    """`oriflamme campaign status`"""
    campaign = _read(file)
    if as_json:
        show.say_json({"file": str(file), **campaign.data(secrets=_own(campaign))})
        return
    tell = Teller(campaign, lang)
    tell.tell("title", "bold", bands=" – ".join(campaign.names(lang)))
    tell.where()
    for side in range(len(campaign.seats)):
        show.say()
        tell.band(side, _own(campaign))
    if not campaign.revealed:
        show.say()
        tell.tell("secret", "dim")


def log(file: Path, *, battle: int | None, as_json: bool, lang: str) -> None:
    """`oriflamme campaign log`"""
    campaign = _read(file)
    tell = Teller(campaign, lang)
    entries = [entry for entry in campaign.log(secrets=_own(campaign)) if battle in (None, entry.battle)]
    if battle is not None and not entries:
        raise problem_with(file, notice("no_battle_yet", battle=battle), where="--battle")
    if as_json:
        show.say_json({"file": str(file), "events": _facts(entries)})
        return
    if not entries:
        tell.tell("no_log", "dim")
    tell.log(entries)
    if not campaign.revealed:
        tell.tell("secret", "dim")


def _own(campaign: FiledSeries) -> list[int]:
    """The sides whose secrets may be shown on this screen: that of the only person who plays, or all if nobody does."""
    people = [side for side, seat in enumerate(campaign.seats) if seat == HUMAN]
    return people if len(people) == 1 else [] if people else list(range(len(campaign.seats)))


# -- a person in camp --------------------------------------------------------------------------------------------------


class Leave(Exception):
    """The player gets up."""


class InCamp:
    """A person chooses for a band between two battles; every answer is in the file before the next question."""

    def __init__(self, campaign: FiledSeries, side: int, tell: Teller) -> None:
        self.campaign = campaign
        self.side = side
        self.tell = tell
        self.voice = tell.voice
        self.say = Phrases(campaign.camp_game, self.voice)
        self.shared = campaign.seats.count(HUMAN) > 1
        self.commands: dict[str, Callable[[str], None]] = {
            "help": self._help, "?": self._help, "band": self._band, "forces": self._band, "why": self._why,
            "rules": self._rules, "undo": self._undo, "quit": self._quit, "exit": self._quit, "q": self._quit,
        }  # fmt: skip

    def run(self) -> None:
        """Ask until the side is ready."""
        if self.shared:
            self.tell.tell("look_away", "italic", side=self.voice.side(self.side))
        self.tell.tell("between", "bold")
        self.tell.tell("hint", "dim")
        self._band("")
        while (camp := self.campaign.camp(self.side)) is not None:
            self._ask(self._pending(camp))
        if self.shared and show.is_terminal():
            sys.stdout.write("\x1b[2J\x1b[H")
        self.tell.tell("done", side=self.voice.side(self.side))

    @staticmethod
    def _pending(camp: Play) -> PickOne:
        decision = camp.pending[0]
        assert isinstance(decision, PickOne)
        return decision

    def _ask(self, decision: PickOne) -> None:
        show.say()
        show.say(show.text_of(self.voice.ask(decision), f"{self.voice.side(self.side)}  ", bold=True))
        for number, (label, marked) in enumerate(self.say.choices(decision), 1):
            show.say(f"  {number:>2}  {label}" + ("  *" if marked else ""))
        default = decision.suggestion()
        while (camp := self.campaign.camp(self.side)) is not None and decision in camp.pending:
            entered = self.say("enter", what=self.say.answer(decision, default, camp.battle))
            show.say(f"  {self.say('one')}  {entered}", "dim")
            typed = input("> ").strip()
            word, _, rest = typed.partition(" ")
            command = self.commands.get(word.lower())
            try:
                if command is not None:
                    command(rest.strip())
                else:
                    self._answer(decision, typed or default)
            except Problems as problems:
                show.say(problems.in_words(self.tell.lang))

    def _answer(self, decision: PickOne, typed: str) -> None:
        labels = [self.voice.option(decision, option).text for option in decision.options]
        places = matches(typed, labels, decision.keys())
        if len(places) > 1:
            self.say.tell("which", names=", ".join(f"{n + 1} {labels[n]}" for n in places[:8]))
            return
        answer = decision.keys()[places[0]] if places else self._meant(typed)
        camp = self.campaign.camp(self.side)
        before = len(camp.events) if camp is not None else 0
        refusal = self.campaign.choose(self.side, answer)
        if refusal is None:
            self.voice = self.tell.voice
            for event in camp.events[before:] if camp is not None else ():
                show.say(show.text_of(self.voice.event(event), "  "))
        elif refusal.why == "not_offered":
            self.say.tell("no_match", text=quoted(typed))
        else:
            show.say(show.text_of(self.voice.refusal(refusal), self.say("refused")))

    def _help(self, rest: str) -> None:
        show.say(self.tell("help").strip())

    def _band(self, rest: str) -> None:
        self.tell.band(self.side, [self.side])

    def _why(self, rest: str) -> None:
        """Why something is not offered: a fighter, an upgrade, a lesson or a thing to do, by its name or its id."""
        camp = self.campaign.camp(self.side)
        if camp is None:
            return
        decision = self._pending(camp)
        show.say(show.text_of(self.voice.refusal(decision.why_not(self._meant(rest)))))

    def _meant(self, text: str) -> str:
        """The id of what is called so, whether it is offered or not; the text itself if nothing clearly is."""
        for named in self.campaign.ids_by_name(self.side, self.tell.lang):
            places = matches(text, list(named), list(named.values())) if not text.isdigit() else []
            if len(places) == 1:
                return list(named.values())[places[0]]
        return text

    def _rules(self, rest: str) -> None:
        from oriflamme.engine.words.catalogue import load as load_catalogue

        game = self.campaign.game.id
        if rest.upper().startswith(f"{game.upper()}-"):
            for rule in library.find_rules(rest, game, self.voice.lang):
                library.print_rule(rule, self.voice.lang)
            return
        found = load_catalogue(game, self.voice.lang).search(rest) if rest else []
        if found:
            library.print_found(found, 8, self.voice.lang)
        else:
            self.say.tell("nothing_found", text=quoted(rest))

    def _undo(self, rest: str) -> None:
        self.tell.tell("undone" if self.campaign.take_back(self.side) else "no_undo")

    def _quit(self, rest: str) -> None:
        raise Leave
