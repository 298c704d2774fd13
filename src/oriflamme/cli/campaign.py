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
from oriflamme.engine.campaign import Told
from oriflamme.engine.decisions import PickOne
from oriflamme.engine.notices import notice, quoted
from oriflamme.engine.play import Play
from oriflamme.engine.problems import Problems, problem_with
from oriflamme.games import load
from oriflamme.games.sbh.campaign import HUMAN, RECOMMENDED, Campaign
from oriflamme.games.sbh.campaign.series import camp_game
from oriflamme.games.sbh.campaign.voice import CampaignVoice
from oriflamme.games.sbh.campaign.warband import Warband, titles
from oriflamme.games.sbh.roster import cards

GAME = "sbh"


@cache
def _words(lang: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(f"campaign_{lang}.toml").read_text(encoding="utf-8"))


class Teller:
    """Says things about one campaign in one language."""

    def __init__(self, campaign: Campaign, lang: str) -> None:
        self.campaign = campaign
        self.lang = lang
        self.voice = CampaignVoice(campaign, lang)
        # How much of what happened was there before.
        self.told = len(campaign.log())

    def __call__(self, key: str, **facts: Any) -> str:
        return str(_words(self.lang)[key]).format(**facts)

    def tell(self, key: str, style: str | None = None, **facts: Any) -> None:
        show.say(self(key, **facts), style)

    def score(self) -> str:
        return "–".join(map(str, self.campaign.score))

    def log(self, told: Sequence[Told]) -> None:
        """What happened, battle by battle, each line with its rule."""
        self.voice.meet()
        for one in told:
            head = one.event.name in self.campaign.headlines
            show.say(show.text_of(self.voice.event(one.event), "" if head else "  ", bold=head))

    def news(self) -> list[Told]:
        """What has happened since this was last asked."""
        told = self.campaign.log()[self.told :]
        self.told += len(told)
        return told

    def where(self) -> None:
        """Which battle is due, or who has won."""
        campaign = self.campaign
        if campaign.over:
            self.tell("over", battles=campaign.battles)
            if campaign.winner is None:
                self.tell("draw", "bold", score=self.score())
            else:
                self.tell("winner", "bold", side=self.voice.side(campaign.winner), score=self.score())
            return
        scenario = self.voice.word("scenario", campaign.scenario)
        key = "fighting" if campaign.scenario else "next"
        self.tell(key, scenario=scenario, battle=campaign.number, battles=campaign.battles)
        self.tell("score", score=self.score())

    def band(self, side: int, band: Warband) -> None:
        """A band with its experience, wounds, upgrades and items."""
        columns, states = _words(self.lang)["column"], _words(self.lang)["state"]
        name = f"{self.voice.side(side)}  {show.name_of(band.name, self.lang)}"
        heads = (columns["fighter"], columns["points"], "Q", "C", columns["experience"])
        made = show.table(*heads, columns["rules"], columns["state"], columns["item"], title=name, right=(1, 4))
        items = {item.bearer: self.voice.word("item", item.kind) for item in band.items}
        for member in (*band.members, *band.dead):
            fighter, dead = member.fighter, member in band.dead
            state = "dead" if dead else "absent" if member.absent else "hurt" if fighter.hurt else ""
            points = str(member.value) if member.value == fighter.points else f"{fighter.points} ({member.value})"
            cells = (
                points,
                f"{fighter.quality}+",
                fighter.combat,
                member.experience,
                ", ".join(map(self.voice.term, titles(fighter.rules))),
                states[state] if state else "",
                "" if dead else items.get(member.id, ""),
            )
            style = "dim" if dead else ""
            made.add_row(
                show.cell(show.name_of(fighter.name, self.lang), style or show.side_style(side)),
                *(show.cell(value, style) for value in cells),
            )
        show.show_table(made)
        show.say("  " + states["purse"].format(earned=band.earned, spent=band.spent))
        names = [self.voice.name(upgrade, "upgrade") for upgrade in band.upgrades]
        if names:
            show.say("  " + states["upgrades"].format(names=", ".join(names)))


# -- the commands ------------------------------------------------------------------------------------------------------


def new(
    file: Path,
    *,
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
    from oriflamme.cli.table import best_bot

    game = load(GAME)
    seed = show.drawn_seed() if seed is None else seed
    seats = show.parts(players) or (HUMAN, best_bot(game))
    agreed = show.agreed(game, choices)
    if agreed.get("scenario", "roll") != "roll":
        what, hint = notice("scenarios_are_rolled"), notice("leave_it_out")
        raise problem_with("--set", what, where="scenario", rule="SBH-CAMP-02", hint=hint)
    setup = game.setup(
        seed,
        points=points,
        lists=show.parts(lists),
        map=map_name,
        options=show.chosen_options(game, options),
        choices=agreed,
    )
    with Campaign.new(file, game, battles=battles, seed=seed, seats=seats, setup=setup) as campaign:
        if as_json:
            show.say_json({"file": str(file), **campaign.data()})
            return
        tell = Teller(campaign, lang)
        tell.tell("title", "bold", **_sides(campaign, lang))
        tell.tell("made", path=file, battles=battles, seed=seed)
        if not RECOMMENDED[0] <= battles <= RECOMMENDED[1]:
            tell.tell("few_or_many", "dim")
        tell.tell("play_it", path=file)


def _sides(campaign: Campaign, lang: str) -> dict[str, str]:
    return {key: show.name_of(band.name, lang) for key, band in zip("ab", campaign.bands, strict=True)}


def play(file: Path, *, to_the_end: bool, recover: bool, as_json: bool, lang: str) -> None:
    """`oriflamme campaign play`"""
    with Campaign.open(file, recover=recover) as campaign:
        tell = Teller(campaign, lang)
        if campaign.path != file:
            print(tell("recovered", path=campaign.path), file=sys.stderr)
        for side, seat in enumerate(campaign.seats):
            if seat == HUMAN and (as_json or to_the_end):
                option = "--json" if as_json else "--all"
                raise problem_with(option, notice("a_person_plays", side=str(side)), hint=notice("campaign_of_bots"))
        told: list[Told] = []
        try:
            _play_on(campaign, tell, to_the_end, told.extend if as_json else tell.log)
        except (Leave, EOFError, KeyboardInterrupt) as left:
            show.say()
            tell.tell("stored", path=campaign.path)
            tell.tell("go_on", path=campaign.path)
            if isinstance(left, KeyboardInterrupt):
                raise
            return
        if as_json:
            show.say_json({"file": str(campaign.path), **campaign.data(), "events": _facts(told)})
            return
        tell.where()
        if not campaign.over:
            tell.tell("go_on", "dim", path=campaign.path)


def _facts(told: Sequence[Told]) -> list[dict[str, Any]]:
    return [{"battle": one.battle, **one.event.facts()} for one in told]


def _play_on(campaign: Campaign, tell: Teller, to_the_end: bool, hear: Callable[[Sequence[Told]], None]) -> None:
    """The battle that is due and the time after it, or all there is; `hear` is told what happens."""
    while not campaign.over:
        number = campaign.number
        _camp(campaign, tell)
        campaign.march()
        hear(tell.news())
        if campaign.stage == "battle":
            _battle(campaign, tell)
            hear(tell.news())
        _camp(campaign, tell)
        hear(tell.news())
        if campaign.number != number and not to_the_end:
            return


def _camp(campaign: Campaign, tell: Teller) -> None:
    """The time between battles: bots first, so that nobody waits for one."""
    campaign.choose_by_bots()
    for side in (0, 1):
        if not campaign.ready(side):
            InCamp(campaign, side, tell).run()


def _battle(campaign: Campaign, tell: Teller) -> None:
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
    campaign = Campaign.read(file)
    if as_json:
        show.say_json({"file": str(file), **campaign.data(secrets=_own(campaign))})
        return
    tell = Teller(campaign, lang)
    tell.tell("title", "bold", **_sides(campaign, lang))
    tell.where()
    for side in (0, 1):
        show.say()
        tell.band(side, campaign.shown(side, _own(campaign)))
    if not campaign.revealed:
        show.say()
        tell.tell("secret", "dim")


def log(file: Path, *, battle: int | None, as_json: bool, lang: str) -> None:
    """`oriflamme campaign log`"""
    campaign = Campaign.read(file)
    tell = Teller(campaign, lang)
    told = [one for one in campaign.log(secrets=_own(campaign)) if battle in (None, one.battle)]
    if battle is not None and not told:
        raise problem_with(file, notice("no_battle_yet", battle=battle), where="--battle")
    if as_json:
        show.say_json({"file": str(file), "events": _facts(told)})
        return
    if not told:
        tell.tell("no_log", "dim")
    tell.log(told)
    if not campaign.revealed:
        tell.tell("secret", "dim")


def _own(campaign: Campaign) -> list[int]:
    """The sides whose secrets may be shown on this screen: that of the only person who plays, or all if nobody does."""
    people = [side for side, seat in enumerate(campaign.seats) if seat == HUMAN]
    return people if len(people) == 1 else [] if people else [0, 1]


# -- a person in camp --------------------------------------------------------------------------------------------------


class Leave(Exception):
    """The player gets up."""


class InCamp:
    """A person chooses for a band between two battles; every answer is in the file before the next question."""

    def __init__(self, campaign: Campaign, side: int, tell: Teller) -> None:
        self.campaign = campaign
        self.side = side
        self.tell = tell
        self.voice = tell.voice
        self.say = Phrases(camp_game, self.voice)
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
        told = len(self._events())
        refusal = self.campaign.choose(self.side, answer)
        if refusal is None:
            self.voice.meet([self.side])
            for event in self._events()[told:]:
                show.say(show.text_of(self.voice.event(event), "  "))
        elif refusal.why == "not_offered":
            self.say.tell("no_match", text=quoted(typed))
        else:
            show.say(show.text_of(self.voice.refusal(refusal), self.say("refused")))

    def _events(self) -> list[Any]:
        camp = self.campaign.camps[self.side]
        return camp.events if camp is not None else []

    def _help(self, rest: str) -> None:
        show.say(self.tell("help").strip())

    def _band(self, rest: str) -> None:
        self.tell.band(self.side, self.campaign.band(self.side))

    def _why(self, rest: str) -> None:
        """Why something is not offered: a fighter, an upgrade, a lesson or a thing to do, by its name or its id."""
        camp = self.campaign.camp(self.side)
        if camp is None:
            return
        decision = self._pending(camp)
        show.say(show.text_of(self.voice.refusal(decision.why_not(self._meant(rest)))))

    def _meant(self, text: str) -> str:
        """The id of what is called so, whether it is offered or not; the text itself if nothing clearly is."""
        camp = self.campaign.camp(self.side)
        race = self._pending(camp).about.get("race") if camp is not None else None
        kin = {self.voice.name(id, "card"): id for id, card in cards().items() if card.race == race}
        known = {self.voice.name(id, field): id for field, ids in self.voice.names.by_field.items() for id in ids}
        known |= {self.voice.name(member.id): member.id for member in self.campaign.band(self.side).members}
        for named in (kin, known):
            places = matches(text, list(named), list(named.values())) if not text.isdigit() else []
            if len(places) == 1:
                return list(named.values())[places[0]]
        return text

    def _rules(self, rest: str) -> None:
        from oriflamme.engine.catalogue import load as load_catalogue

        if rest.upper().startswith("SBH-"):
            for rule in library.find_rules(rest, GAME, self.voice.lang):
                library.print_rule(rule, self.voice.lang)
            return
        found = load_catalogue(GAME, self.voice.lang).search(rest) if rest else []
        if found:
            library.print_found(found, 8, self.voice.lang)
        else:
            self.say.tell("nothing_found", text=quoted(rest))

    def _undo(self, rest: str) -> None:
        self.tell.tell("undone" if self.campaign.take_back(self.side) else "no_undo")

    def _quit(self, rest: str) -> None:
        raise Leave
