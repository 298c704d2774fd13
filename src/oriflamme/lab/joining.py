"""A bot joins a battle on a server, by the link of a seat as an invited friend gets it, and plays it to its end.

It knows what its seat is told: for each question the server says what the side may know (`seen` in docs/server.md),
and that becomes a view here (`engine.core.carried`). A line that is lost is taken up again; an answer says to which
question it is given, so that none is ever given twice.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import parse_qs, quote, urlsplit

import msgspec
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from oriflamme.engine.core.bots import Bot
from oriflamme.engine.core.carried import Misread, Reader
from oriflamme.engine.core.game import Game
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problems, problem_with
from oriflamme.games import ids, load

Data = dict[str, Any]

OPENING: Final = 10.0  # seconds in which a server must answer
LARGEST: Final = 16_000_000  # bytes of a message of a server
PAUSES: Final = (0.2, 0.5, 1.0, 2.0)  # seconds between two tries to come back; the last one again and again
TROUBLES: Final = 5  # how often a server may fail to say what a seat may know
BUSY: Final = 0.2  # seconds until a server that is busy with our last wish is asked again

_PATH: Final = re.compile(r"(?P<before>.*)/(?P<what>play|watch|replay|campaign|ws)/(?P<battle>[\w-]{1,64})/?")
_SCHEMES: Final = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


class Link(NamedTuple):
    """The link of a seat: the WebSocket of its battle, and its secret."""

    address: str
    secret: str

    def url(self, lang: str) -> str:
        return f"{self.address}?seat={quote(self.secret)}&lang={lang}"


def link_from(text: str) -> Link:
    """The link of a seat as somebody was given it; raises Problems."""
    try:
        parts = urlsplit(text.strip())
        host, path = parts.netloc, _PATH.fullmatch(parts.path)
    except ValueError:
        host, path = "", None
    if path is None or not host or parts.scheme not in _SCHEMES:
        raise _problem(notice("no_link_of_a_seat"), notice("link_like"), text)
    if path["what"] not in ("play", "ws"):
        raise _problem(notice("link_plays_nothing", what=path["what"]), notice("link_like"), text)
    secret = parse_qs(parts.query).get("seat", [""])[0]
    if not secret:
        raise _problem(notice("link_has_no_seat"), notice("link_like"), text)
    return Link(f"{_SCHEMES[parts.scheme]}://{host}{path['before']}/ws/{path['battle']}", secret)


class Ended(msgspec.Struct, frozen=True):
    """How a battle has ended for who joined it: the sides he played, how many answers he gave, and the result with its
    words by language."""

    game: str
    sides: tuple[int, ...]
    answers: int
    winners: tuple[int, ...]
    score: tuple[int, ...]
    words: dict[str, str]


class Question(NamedTuple):
    """A question that is put to one side: which one tells it from all others of the battle."""

    epoch: int
    number: int
    side: int
    ask: str


class Tell(Protocol):
    """Told what goes on, as a code with facts."""

    def __call__(self, what: str, **facts: Any) -> None: ...


def join(
    link: Link,
    seat: Callable[[Game, int], Bot],
    *,
    lang: str = "en",
    patience: float = 60.0,
    tell: Tell = lambda what, **facts: None,
) -> Ended:
    """Play a seat to the end of its battle. `seat` gives the bot for a side of a game; `patience` is for how many
    seconds a server may be gone. Raises Problems with what ended it early."""
    return Guest(link, seat, lang, patience, tell).play()


class _Lost(Exception):
    """The line is lost, or the server wants to be asked later."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__()
        self.seconds = seconds


class Guest:
    """Who sits there for a bot."""

    def __init__(self, link: Link, seat: Callable[[Game, int], Bot], lang: str, patience: float, tell: Tell) -> None:
        self.link, self.seat, self.lang, self.patience, self.tell = link, seat, lang, patience, tell
        self.game: Game | None = None
        self.sides: tuple[int, ...] = ()
        self.bots: dict[int, Bot] = {}
        self.reader: Reader | None = None
        self.answers = 0
        # The question that was put last, and whether the server was asked on this line what may be known of it.
        self.question: Question | None = None
        self.asked = False
        # What was answered to which question, and on how many lines: it is stored once, whatever becomes of the line.
        self.given: tuple[Question, Any] | None = None
        self.times = 0
        # Sides whose time ran out and against whom the win was claimed: the server answers for them.
        self.claimed: set[int] = set()
        # When something was heard last, and how often in a row the server could not do what was asked.
        self.heard = 0.0
        self.troubles = 0

    # -- the line --------------------------------------------------------------------------------------------------

    def play(self) -> Ended:
        tries = 0
        while True:
            wait = 0.0
            try:
                with connect(self.link.url(self.lang), max_size=LARGEST, open_timeout=OPENING) as socket:
                    if tries and self.heard:
                        self.tell("back")
                    tries, self.asked = 0, False
                    return self._listen(socket)
            except _Lost as lost:
                wait = lost.seconds
            except InvalidStatus as error:
                self._turned_away(error.response.status_code)
            except (OSError, WebSocketException, EOFError) as error:
                if not self.heard:
                    raise self._gone(notice("no_server", server=self.server, reason=_short(error))) from None
            if time.monotonic() - self.heard > self.patience:
                raise self._gone(notice("server_gone", server=self.server))
            if not tries:
                self.tell("lost")
            time.sleep(max(wait, PAUSES[min(tries, len(PAUSES) - 1)]))
            tries += 1

    def _turned_away(self, status: int) -> None:
        """Nobody opened the door; who is told to come later does."""
        if status == 421:
            raise _problem(notice("server_has_other_name"), notice("ask_its_owner"))
        if status < 500 and status != 429:
            raise _problem(notice("no_table_there", status=status), notice("link_like"))
        if not self.heard:
            raise self._gone(notice("no_server", server=self.server, reason=""))

    @property
    def server(self) -> str:
        return urlsplit(self.link.address).netloc

    @staticmethod
    def _gone(what: Notice) -> Problems:
        return _problem(what, notice("same_link_again"))

    def _listen(self, socket: ClientConnection) -> Ended:
        for text in socket:
            self.heard = time.monotonic()
            try:
                message = msgspec.json.decode(text)
                ended = self.hear(socket, message)
            except (msgspec.MsgspecError, KeyError, TypeError, AttributeError) as error:
                raise _problem(
                    notice("server_speaks_otherwise", reason=f"{type(error).__name__}: {error}"[:200])
                ) from None
            if ended is not None:
                return ended
        raise _Lost

    def _say(self, socket: ClientConnection, type: str, **facts: Any) -> None:
        socket.send(msgspec.json.encode({"type": type, **facts}, enc_hook=str).decode())

    # -- messages --------------------------------------------------------------------------------------------------

    def hear(self, socket: ClientConnection, message: Data) -> Ended | None:
        """Take what the server says; how it has ended, once it has."""
        match message["type"]:
            case "hello":
                self._sit_down(message)
                return self._look(socket, message)
            case "update":
                return self._look(socket, message)
            case "seen":
                self._think(socket, message["view"])
            case "ack":
                self.troubles = 0
            case "refused":
                self._refused(message)
            case "clock":
                self.claimed = {late for late, _ in message["claims"]}
                wish = message["wish"]
                if wish is not None and not {wish["by"], *wish["yes"]} & set(self.sides):
                    self._say(socket, "pause", yes=True)
            case "error":
                self._error(socket, message)
        return None

    def _sit_down(self, hello: Data) -> None:
        if hello["you"]["spectator"]:
            raise _problem(notice("link_plays_nothing", what="watch"), notice("link_like"))
        if self.game is not None:
            return
        if hello["game"] not in ids():
            raise _problem(notice("game_is_unknown_here", game=hello["game"]))
        self.game = load(hello["game"])
        self.reader = Reader(self.game)
        self.sides = tuple(hello["you"]["sides"])
        self.bots = {side: self.seat(self.game, side) for side in self.sides}
        self.tell("joined", game=self.game.id, sides=self.sides)

    def _look(self, socket: ClientConnection, now: Data) -> Ended | None:
        """How things stand now: it is over, or something is to be answered."""
        if now["over"]:
            assert self.game is not None
            result = now["result"]
            winners, score = tuple(result["winners"]), tuple(result["score"])
            return Ended(self.game.id, self.sides, self.answers, winners, score, result["words"])
        self._must_be_ours(now["epoch"], now["number"])
        wish = now["undo"]
        if wish is not None and wish["by"] not in self.sides and not set(self.sides) & set(wish.get("yes", ())):
            # As bots of the server do: they do not mind.
            self._say(socket, "consent", yes=True)
        asked = now["decision"]
        question = Question(now["epoch"], now["number"], asked["side"], asked["ask"]) if asked is not None else None
        if question != self.question:
            self.question, self.asked = question, False
        if question is not None and not self.asked:
            self.asked = True
            if self.given is not None and self.given[0] == question:
                self._answer(socket)
            else:
                self._say(socket, "seen", side=question.side)
        return None

    def _must_be_ours(self, epoch: int, number: int) -> None:
        """Nobody else has answered what was put to us; raises Problems."""
        put = self.question
        if put is None or put.epoch != epoch or number <= put.number or put.side in self.claimed:
            return
        if self.given is None or self.given[0] != put:
            raise _problem(notice("seat_is_played_by_others", ask=put.ask), notice("one_bot_a_link"))

    def _think(self, socket: ClientConnection, data: Data) -> None:
        put, reader = self.question, self.reader
        if (
            put is None
            or reader is None
            or (put.epoch, put.number, put.side) != tuple(data[key] for key in ("epoch", "number", "side"))
        ):
            return
        from oriflamme import __version__

        if (data["program"], data["rules"]) != (__version__, reader.game.version):
            raise _problem(notice("server_is_of_version", theirs=data["program"], ours=__version__))
        try:
            view = reader.view(data)
        except Misread as error:
            raise _problem(notice("server_speaks_otherwise", reason=str(error))) from error
        assert view.decision is not None
        bot = self.bots[put.side]
        self.given = (put, bot.decide(view if bot.needs_view else None, view.decision))
        self.answers, self.times = self.answers + 1, 0
        self._answer(socket)

    def _answer(self, socket: ClientConnection) -> None:
        assert self.given is not None
        put, answer = self.given
        self.times += 1
        self._say(socket, "answer", number=put.number, epoch=put.epoch, side=put.side, answer=answer, id="answer")

    def _refused(self, message: Data) -> None:
        """The rules refuse what the bot has answered; or it came too late."""
        refusal = message["refusal"]
        if message.get("id") != "answer" or self.given is None:
            return
        put = self.given[0]
        if refusal["why"] in ("answer_is_late", "not_yours", "battle_is_over"):
            if self.times == 1 and message["epoch"] == put.epoch and put.side not in self.claimed:
                raise _problem(notice("seat_is_played_by_others", ask=put.ask), notice("one_bot_a_link"))
            return
        said = "".join(span["text"] for span in refusal["words"])
        reason = f"{said} ({refusal['rule']})" if refusal["rule"] else said
        name = self.bots[put.side].name
        raise problem_with(
            "bots", notice("bot_refused", ask=put.ask, reason=reason), where=name, hint=notice("bot_answers")
        )

    def _error(self, socket: ClientConnection, message: Data) -> None:
        match message["why"]:
            case "busy":
                time.sleep(BUSY)
                if self.question is not None:
                    self._say(socket, "seen", side=self.question.side)
            case "no_such_seat":
                raise _problem(notice("no_such_seat"), notice("ask_for_a_link"))
            case "cannot_be_opened":
                raise _problem(notice("battle_cannot_be_opened", reason=_told(message.get("problems", ()))))
            case "too_hard" | "failed" | "no_answer" if self.troubles >= TROUBLES:
                raise _problem(notice("server_cannot_tell"), notice("same_link_again"))
            case "store" | "full" | "too_many" | "too_hard" | "failed" | "no_answer":
                # We come again.
                self.troubles += 1
                raise _Lost(float(message.get("retry_after", 0.0)))
            case other:
                raise _problem(notice("server_speaks_otherwise", reason=str(message.get("what", other))[:200]))


def _told(problems: Any) -> str:
    return "; ".join(str(one.get("what", "")) for one in problems)[:400]


def _short(error: Exception) -> str:
    """What went wrong, in a line."""
    return " ".join(str(error).split())[:200]


def _problem(what: Notice, hint: Notice | None = None, where: str = "") -> Problems:
    return problem_with("link", what, where=without_secret(where), hint=hint)


def without_secret(link: str) -> str:
    """A link as it may be shown: who reads it cannot sit down."""
    return re.sub(r"(seat=)[^&#\s]+", r"\1…", link)[:200]
