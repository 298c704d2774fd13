"""The save file: setup, seed and answers, and beside them every die and every event, so that nothing is taken on trust.

It is JSON, one thing to a line, so that a battle can be saved as it is played by adding lines:

    {"format": "oriflamme-save", "version": 1, "program": "0.1.0", "game": "xyz", "rules": 1, "seed": 7,
     "seats": ["human", "captain"], "setup": {...}, "dice": [3, 6, 1], "events": [...], "check": "9be1…"}
    {"n": 1, "side": 0, "ask": "place_objective", "answer": {...}, "dice": [], "events": [...]}
    ...
    {"end": true, "answers": 212, "over": true, "winner": 0, "fingerprint": "5d0c…", "kind": 6, "winners": [0]}

`winner` is the side that has won alone; `winners`, which older saves do not have, are all that have.

A battle that goes on from a moment of another with new dice also has `given`: the dice that had fallen by then, which
come before those of its seed. Where answers were taken back past dice, `seeds` says which seed took the place of the
first, and from where on: `[{"after": 17, "seed": 99}]`, the dice of answer 18 and those that follow are of seed 99.

`check`, which older saves do not have, is made of everything the battle begins with: where that was altered nobody
plays on, whatever else agrees.

`dice` and `events` are what came before the first question, and then what each answer brought about. Loading is playing
again: every answer is put to the rules, and every die and event compared with what the file says. Whoever loads hands
over what finds a game by its id (`oriflamme.games.load`).
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from oriflamme import __version__
from oriflamme.engine.core.events import Event, Refusal
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.rulebook import Rulebook, RulebookOf
from oriflamme.engine.core.state import FINGERPRINT
from oriflamme.engine.words.limits import TOO_DEEP, holds_steering, is_deep_json, one_line
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problem, Problems, lower_first, problem_with, read_bytes
from oriflamme.engine.words.sentences import LANGUAGES

FORMAT: Final = "oriflamme-save"
VERSION: Final = 1

_encode = msgspec.json.Encoder().encode


class Reseeding(msgspec.Struct):
    """After so many answers, the dice are of another seed."""

    after: Annotated[int, msgspec.Meta(ge=0)]
    seed: int


class Header(msgspec.Struct):
    """The first line: everything the battle begins with."""

    format: str
    version: int
    program: str
    game: str
    rules: int
    seed: int
    setup: dict[str, Any]
    seats: list[str] = []
    dice: list[int] = []
    events: msgspec.Raw = msgspec.Raw(b"[]")
    given: list[Annotated[int, msgspec.Meta(ge=1, le=6)]] = []
    seeds: Annotated[list[Reseeding], msgspec.Meta(max_length=10_000)] = []
    check: str = ""


class Entry(msgspec.Struct):
    """One answer, and what it brought about."""

    n: int
    side: int
    ask: str
    answer: Any
    dice: list[int] = []
    events: msgspec.Raw = msgspec.Raw(b"[]")


class End(msgspec.Struct):
    """The last line: how the battle stood when it was saved."""

    end: bool
    answers: int
    over: bool
    winner: int | None
    fingerprint: str
    kind: int = 1
    """Of the fingerprint: one of another kind says nothing about the battle as it stands."""
    winners: list[int] | None = None


class Report(msgspec.Struct, frozen=True):
    """What a comparison found to agree."""

    answers: int
    events: int
    dice: int
    over: bool
    fingerprint: str
    given: int = 0
    """Of the dice, those that had fallen in the battle this one goes on from; the others are of its seeds."""
    seeds: int = 1
    """How many seeds there are: one, and one more for each time that answers were taken back past dice."""
    same_kind: bool = True
    """The fingerprint could be compared; one that another version of the program took is of another kind."""


# -- writing -----------------------------------------------------------------------------------------------------------


def save(play: Play, path: str | os.PathLike[str], seats: Sequence[str] = (), *, private: bool = False) -> None:
    """Write the whole battle: the file is there complete, or as it was before."""
    write_whole(path, b"".join([*_lines(play, seats), _end_line(play)]), private=private)


def write_whole(path: str | os.PathLike[str], content: bytes, *, private: bool = False) -> None:
    """Put a file in place at once: whoever looks finds the old one or the new one, never half of it. One that is
    private is for its owner alone."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, 0o600 if private else 0o666 & ~umask)
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from None


def _cannot_write(path: str | os.PathLike[str], error: OSError | ValueError) -> Problems:
    if isinstance(error, FileNotFoundError):
        folder = Path(path).parent
        return problem_with(path, notice("no_folder", folder=str(folder)), hint=notice("make_folder"))
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return problem_with(path, notice("cannot_be_written", reason=reason.lower()))


def _lines(play: Play, seats: Sequence[str]) -> Iterator[bytes]:
    """The lines of a save, but for the last."""
    play = _with_history(play)
    _, events, dice = play.marks[0]
    head = Header(
        format=FORMAT,
        version=VERSION,
        program=__version__,
        game=play.game.id,
        rules=play.game.version,
        seed=play.seed,
        setup=play.setup,
        seats=list(seats),
        dice=play.battle.dice.thrown[:dice],
        events=msgspec.Raw(_encode(play.events[:events])),
        given=list(play.given),
        seeds=[Reseeding(*one) for one in play.seeds],
    )
    head.check = check_of(head)
    yield _encode(head) + b"\n"
    for number in range(len(play.answers)):
        yield _entry_line(play, number)


def check_of(header: Header) -> str:
    """What everything a battle begins with comes to, however the file spells it."""
    begins = [header.game, header.rules, header.seed, header.given, header.seeds, header.setup]
    plain = msgspec.json.decode(_encode(begins))
    return hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()


def _with_history(play: Play) -> Play:
    """The same play with its log and marks; one that was played without them is played again."""
    if not play.setup:
        raise ValueError("only a battle with a setup can be saved; this one was put together in its middle")
    if len(play.marks) == len(play.answers) + 1:
        return play
    again = play.again()
    again.replay(play.answers)
    return again


def _entry_line(play: Play, number: int) -> bytes:
    (_, events, dice), (ask, events_now, dice_now) = play.marks[number : number + 2]
    side, answer = play.answers[number]
    entry = Entry(
        n=number + 1,
        side=side,
        ask=ask,
        answer=answer,
        dice=play.battle.dice.thrown[dice:dice_now],
        events=msgspec.Raw(_encode(play.events[events:events_now])),
    )
    return _encode(entry) + b"\n"


def _end_line(play: Play) -> bytes:
    battle = play.battle
    winners = list(battle.winners)
    end = End(True, len(play.answers), play.over, battle.winner, battle.fingerprint(), FINGERPRINT, winners)
    return _encode(end) + b"\n"


class Recorder:
    """Saves a battle while it is played: each answer is in the file before the next one is asked."""

    def __init__(self, play: Play, path: str | os.PathLike[str], seats: Sequence[str] = ()) -> None:
        self.path = Path(path)
        self.seats = list(seats)
        self.rewrite(play)

    def rewrite(self, play: Play) -> None:
        """Begin the file afresh: at the start, and when answers were taken back."""
        self.play = _with_history(play)
        write_whole(self.path, b"".join(_lines(self.play, self.seats)))
        self._written = len(self.play.answers)

    def note(self) -> None:
        """Add the answers given since."""
        if self._written < len(self.play.answers):
            self._append(b"".join(_entry_line(self.play, n) for n in range(self._written, len(self.play.answers))))
            self._written = len(self.play.answers)

    def close(self) -> None:
        """Add what is missing and the last line, which says that nothing is."""
        self.note()
        self._append(_end_line(self.play))

    def _append(self, content: bytes) -> None:
        try:
            with self.path.open("ab") as file:
                file.write(content)
        except OSError as error:
            raise _cannot_write(self.path, error) from None


# -- reading -----------------------------------------------------------------------------------------------------------


class Saved:
    """A save file that was read. `broken` is the first thing wrong with its lines, `entries` what is before it."""

    def __init__(self, path: str | os.PathLike[str], game: Rulebook, header: Header) -> None:
        self.path = path
        self.game = game
        self.header = header
        self.entries: list[Entry] = []
        self.end: End | None = None
        self.broken: Problem | None = None
        # Where a recovery stopped before that, and why.
        self.stopped: Problem | None = None

    @property
    def seats(self) -> list[str]:
        return self.header.seats

    @property
    def seeds(self) -> tuple[tuple[int, int], ...]:
        """The seeds after the first: after how many answers, and which."""
        return tuple((one.after, one.seed) for one in self.header.seeds)

    def play(self, *, recover: bool = False, upto: int | None = None) -> Play:
        """The battle, played again and compared line by line; raises Problems at the first difference.

        With `recover` it stops there instead, at the last answer that is whole. With `upto`, after so many answers.
        """
        return _Replay(self, recover=recover).run(upto)


def read(path: str | os.PathLike[str], game_of: RulebookOf, *, recover: bool = False) -> Saved:
    """Read a save without playing it. Lines that are damaged or missing are noted in `broken`."""
    lines = read_bytes(path).split(b"\n")
    whole_last = lines[-1] == b""
    if whole_last:
        lines.pop()
    if not lines:
        raise problem_with(path, notice("save_is_empty"), hint=notice("nothing_to_recover"))
    saved = Saved(path, *_read_header(path, lines[0], game_of, recover))
    for number, line in enumerate(lines[1:], 2):
        if saved.end is not None:
            saved.broken = Problem(f"line {number}", notice("goes_on_after_end"), None, _hint(saved))
            break
        try:
            if is_deep_json(line):
                raise Damaged(TOO_DEEP)
            if line.startswith(b'{"end"'):
                saved.end = msgspec.json.decode(line, type=End)
            else:
                saved.entries.append(_read_entry(line, len(saved.entries) + 1))
        except (msgspec.DecodeError, ValueError) as error:
            last = number == len(lines)
            said = notice("cut_mid_line") if last and not whole_last else notice("damaged", reason=reason_of(error))
            saved.broken = Problem(f"line {number}", said, None, _hint(saved))
            break
    if saved.broken is None:
        if saved.end is None:
            said = notice("last_line_missing")
            saved.broken = Problem(f"line {len(lines) + 1}", said, None, _hint(saved))
        elif saved.end.answers != len(saved.entries):
            said = notice("other_number_of_answers", answers=saved.end.answers, there=len(saved.entries))
            saved.broken = Problem(f"line {len(lines)}", said, None, _hint(saved))
    return saved


def _read_entry(line: bytes, number: int) -> Entry:
    entry = msgspec.json.decode(line, type=Entry)
    if entry.n != number:
        raise Damaged(notice("answer_out_of_place", number=entry.n, expected=number))
    return entry


class Damaged(ValueError):
    """A line that is not as it was written, and why."""

    def __init__(self, reason: Notice) -> None:
        super().__init__(str(reason))
        self.reason = reason


def reason_of(error: Exception) -> Notice | str:
    """Why something stored cannot be read: in our words where we noticed it, else in those of whoever did."""
    return error.reason if isinstance(error, Damaged) else lower_first(str(error))


def written_by(writer: object) -> Notice:
    """Who wrote a file, by the version it gives."""
    return notice("oriflamme", version=one_line(writer)[:40]) if isinstance(writer, str) else notice("another_program")


def _hint(saved: Saved, number: int | None = None) -> Notice:
    return notice("answers_whole", whole=len(saved.entries) if number is None else number)


def _read_header(
    path: str | os.PathLike[str], line: bytes, game_of: RulebookOf, recover: bool
) -> tuple[Rulebook, Header]:
    try:
        if is_deep_json(line):
            raise Damaged(TOO_DEEP)
        data = msgspec.json.decode(line)
    except (msgspec.DecodeError, ValueError) as error:
        what = notice("not_the_format", format="JSON", reason=reason_of(error))
        raise problem_with(path, what, where="line 1", hint=notice("no_save_or_damaged")) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        hint = notice("save_begins_with", text=f'{{"format": "{FORMAT}"')
        raise problem_with(path, notice("no_save"), where="line 1", hint=hint)
    by = written_by(data.get("program"))
    if data.get("version") != VERSION:
        found = data.get("version")
        said = notice("saved_in_format", by=by, found=found, version=__version__, format=VERSION)
        raise problem_with(path, said, where="line 1", hint=notice("open_with", by=by))
    try:
        header = msgspec.json.decode(line, type=Header)
        altered = header.check not in ("", check_of(header))
    except (msgspec.DecodeError, ValueError, OverflowError) as error:
        raise problem_with(path, notice("damaged", reason=reason_of(error)), where="line 1") from None
    if altered:
        raise problem_with(path, notice("setup_altered"), where="line 1", hint=notice("setup_must_stay"))
    if holds_steering([header.game, header.seats, header.setup]):
        raise problem_with(path, notice("name_steers"), where="line 1", hint=notice("setup_must_stay"))
    try:
        game = game_of(header.game)
    except Problems as unknown:
        what = notice("battle_of_no_game", game=header.game)
        raise problem_with(path, what, where="line 1", hint=unknown.problems[0].hint) from None
    if header.rules != game.version and not recover:
        said = notice(
            "saved_with_rules", by=by, rules=header.rules, game=game.id, version=__version__, now=game.version
        )
        raise problem_with(path, said, where="line 1", hint=notice("open_with_or_recover", by=by))
    return game, header


class _Replay:
    """A save being played again."""

    def __init__(self, saved: Saved, *, recover: bool) -> None:
        self.saved = saved
        self.recover = recover
        self.dice = 0
        self.compared = 0

    def run(self, upto: int | None = None) -> Play:
        """The play after so many answers, or after all of them and the last line."""
        saved = self.saved
        play = self._begin()
        for number, entry in enumerate(saved.entries):
            if upto is not None and number >= upto:
                return self._ready(play)
            problem = self._answer(play, entry) or self._compare(play, entry, number + 1)
            if problem is not None:
                if not self.recover:
                    raise Problems(saved.path, [problem])
                saved.stopped = problem
                return self._ready(play.back(len(play.answers) - number))
        if upto is not None and upto <= len(play.answers):
            return self._ready(play)
        if saved.broken is not None and not self.recover:
            raise Problems(saved.path, [saved.broken])
        if saved.end is not None and not self.recover:
            self._compare_end(play, saved.end)
        elif saved.end is not None and saved.header.rules == saved.game.version:
            self._must_stand(play, saved.end)
        return self._ready(play)

    def _must_stand(self, play: Play, end: End) -> None:
        """Where every answer is whole and the battle stands otherwise, it began otherwise: nobody goes on from that."""
        if end.kind == FINGERPRINT and end.fingerprint != play.battle.fingerprint():
            raise problem_with(self.saved.path, notice("setup_altered"), where="line 1", hint=notice("setup_must_stay"))

    @staticmethod
    def _ready(play: Play) -> Play:
        play.keep = True
        return play

    def _begin(self) -> Play:
        saved = self.saved
        header = saved.header
        try:
            play = Play(saved.game, header.setup, header.seed, given=header.given, seeds=saved.seeds, keep=False)
            play.battle.fingerprint()
        except Problems as problems:
            first = notice("broken_rule", problem=problems.problems[0])
            where = f"line 1, setup, {problems.source}"
            raise problem_with(saved.path, first, where=where, hint=notice("setup_must_stay")) from None
        except Exception as error:
            # A setup is whatever somebody has written: there is no telling at what it breaks.
            what = notice("cannot_begin", reason=_in_short(error))
            raise problem_with(saved.path, what, where="line 1", hint=notice("setup_was_changed")) from error
        problem = self._compare(play, header, 0)
        if problem is not None:
            raise Problems(saved.path, [problem])
        return play

    def _answer(self, play: Play, entry: Entry) -> Problem | None:
        """Put an answer to the rules."""
        where = f"line {entry.n + 1}"
        asked = play.decision_of(entry.side) or (play.pending[0] if play.pending else None)
        if asked is not None and asked.ask != entry.ask:
            said = notice("other_question", number=entry.n, ask=entry.ask, asked=asked.ask)
            return Problem(where, said, asked.rule, _hint(self.saved, entry.n - 1))
        try:
            refusal = play.answer(entry.side, entry.answer)
        except Exception as error:
            what = notice("cannot_go_on", number=entry.n, reason=_in_short(error))
            raise problem_with(self.saved.path, what, where=where, hint=notice("setup_was_changed")) from error
        if refusal is None:
            return None
        said = notice("answer_is_refused", number=entry.n, ask=entry.ask, why=self._words(refusal))
        return Problem(where, said, refusal.rule or None, _hint(self.saved, entry.n - 1))

    def _words(self, refusal: Refusal) -> dict[str, str]:
        """Why not, by language."""
        from oriflamme.engine.core.dice import SeededDice
        from oriflamme.engine.words.text import Names, Voice

        game, header = self.saved.game, self.saved.header
        names = Names(game, game.open(header.setup, SeededDice(header.seed)))
        return {lang: Voice(game, names, lang).refusal(refusal).text for lang in LANGUAGES}

    def _compare(self, play: Play, line: Header | Entry, number: int) -> Problem | None:
        """The dice and events of a line with those of the play."""
        _, events, dice = play.marks[number]
        _, events_before, dice_before = play.marks[number - 1] if number else ("", 0, 0)
        thrown = play.battle.dice.thrown[dice_before:dice]
        if thrown != line.dice:
            return self._dice_differ(play, line, number, thrown)
        self.dice += len(thrown)
        happened = play.events[events_before:events]
        if _encode(happened) != bytes(line.events):
            problem = self._events_differ(line, number, happened)
            if problem is not None:
                return problem
        self.compared += len(happened)
        return None

    def _dice_differ(self, play: Play, line: Header | Entry, number: int, thrown: list[int]) -> Problem:
        where = f"line {number + 1}"
        seed = play.seed_at(number - 1) if number else play.seed
        if not self.dice and not self.saved.header.given:
            said = notice("wrong_seed", seed=seed, thrown=_faces(thrown), dice=_faces(line.dice))
            return Problem(where, said, None, notice("put_seed_back"))
        known = self.dice < len(self.saved.header.given) and seed == play.seed
        if known:
            said = notice("dice_were_given", dice=_faces(line.dice), thrown=_faces(thrown))
        else:
            said = notice("seed_throws_others", dice=_faces(line.dice), seed=seed, thrown=_faces(thrown))
        return Problem(where, said, None, _hint(self.saved, max(0, number - 1)))

    def _events_differ(self, line: Header | Entry, number: int, happened: list[Event]) -> Problem | None:
        """The first event that differs; None if only the spelling of the file does."""
        where = f"line {number + 1}"
        hint = _hint(self.saved, max(0, number - 1))
        now = msgspec.json.decode(_encode(happened))
        then = msgspec.json.decode(line.events)
        if now == then:
            return None
        if not isinstance(then, list) or not all(isinstance(event, dict) for event in then):
            return Problem(where, notice("not_events"), None, hint)
        for place, (was, played) in enumerate(zip(then, now, strict=False), 1):
            if was == played:
                continue
            if was.get("event") != played["event"]:
                said = notice("other_event", number=place, was=str(was.get("event")), now=played["event"])
            else:
                field, found, expected = _first_difference(was, played)
                said = notice(
                    "event_differs", number=place, event=played["event"], field=field, was=found, now=expected
                )
            return Problem(where, said, played.get("rule"), hint)
        return Problem(where, notice("other_number_of_events", then=len(then), now=len(now)), None, hint)

    def _compare_end(self, play: Play, end: End) -> None:
        """The last line with the battle as it stands."""
        battle = play.battle
        checks: tuple[tuple[str, Any, Any], ...] = (
            ("over", end.over, play.over),
            ("winner", end.winner, battle.winner),
            ("winners", list(battle.winners) if end.winners is None else end.winners, list(battle.winners)),
            *([("fingerprint", end.fingerprint, battle.fingerprint())] if end.kind == FINGERPRINT else []),
        )
        for name, was, played in checks:
            if was != played:
                said = notice("differs_when_played", field=name, was=_short(was), now=_short(played))
                where = f"line {len(self.saved.entries) + 2}"
                raise problem_with(self.saved.path, said, where=where, hint=_hint(self.saved))


def _in_short(error: Exception) -> str:
    return f"{type(error).__name__} {error}".strip()[:200]


def _first_difference(was: dict[str, Any], played: dict[str, Any]) -> tuple[str, str, str]:
    """Where two tables differ first, looking into tables in them, and what each has there."""
    field = next(f for f in (*played, *was) if was.get(f) != played.get(f))
    found, expected = was.get(field), played.get(field)
    if isinstance(found, dict) and isinstance(expected, dict):
        inner, *both = _first_difference(found, expected)
        return f"{field}.{inner}", both[0], both[1]
    return field, _short(found), _short(expected)


def _faces(dice: Sequence[int]) -> str | Notice:
    shown = " ".join(map(str, dice[:12])) + (" ..." if len(dice) > 12 else "")
    return shown or notice("no_dice")


def _short(value: Any) -> str:
    text = _encode(value).decode()
    return text if len(text) <= 60 else text[:57] + "..."


def load(path: str | os.PathLike[str], game_of: RulebookOf, *, recover: bool = False) -> Play:
    """The battle of a save, where it stands. Raises Problems with the first thing that is wrong; see `Saved.play`."""
    return read(path, game_of, recover=recover).play(recover=recover)


def verify(path: str | os.PathLike[str], game_of: RulebookOf) -> Report:
    """Play a save again and compare every die, every event and the end; raises Problems at the first difference."""
    replay = _Replay(read(path, game_of), recover=False)
    play = replay.run()
    end = replay.saved.end
    return Report(
        answers=len(play.answers),
        events=replay.compared,
        dice=replay.dice,
        over=play.over,
        fingerprint=play.battle.fingerprint(),
        given=len(play.given),
        seeds=1 + len(play.seeds),
        same_kind=end is None or end.kind == FINGERPRINT,
    )
