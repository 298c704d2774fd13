"""`oriflamme …`: the command line.

Nothing here imports a game until a command needs one: `oriflamme --help` must be quick. Whatever goes wrong reaches the
user as a sentence: what was asked or given wrongly as Problems, an interrupt as a line, and a mistake of ours as a line
that says how to report it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextvars import ContextVar

INTERRUPTED = 130

_LANGUAGE: ContextVar[str] = ContextVar("language", default="en")


def speak(lang: str) -> None:
    """From here on a command says what is wrong in this language."""
    _LANGUAGE.set(lang)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command, from the shell."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a sign gets a question mark, not a failure.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    code = run(list(sys.argv[1:] if arguments is None else arguments))
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _close_quietly()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Carry out a command and return its exit code. Nothing is raised."""
    speak(os.environ.get("ORIFLAMME_LANG", "en"))
    try:
        from oriflamme.cli.app import app

        code = app(arguments, prog_name="oriflamme", standalone_mode=False)
        if code == INTERRUPTED:  # typer has caught a Ctrl-C
            return _interrupted()
        return code if isinstance(code, int) else 0
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        _close_quietly()
        return 1
    except Exception as error:
        return _failed(error, arguments)


def _failed(error: Exception, arguments: list[str]) -> int:
    from typer import Abort

    if isinstance(error, Abort):
        return _interrupted()
    if hasattr(error, "exit_code") and hasattr(error, "show"):
        error.show()
        return int(error.exit_code)

    from oriflamme.engine.words.limits import one_line
    from oriflamme.engine.words.problems import Problems

    if isinstance(error, Problems):
        # Whatever a file has in it, it does not steer the terminal.
        print("\n".join(map(one_line, error.in_words(_LANGUAGE.get()).splitlines())), file=sys.stderr)
        return 1
    return _mistake_of_ours(error, arguments)


def _interrupted() -> int:
    print("\nstopped; nothing is left half-written", file=sys.stderr)
    return INTERRUPTED


def _mistake_of_ours(error: Exception, arguments: list[str]) -> int:
    import shlex
    import traceback

    if os.environ.get("ORIFLAMME_DEBUG"):
        traceback.print_exception(error)
        return 70
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    command = shlex.join(["oriflamme", *arguments])
    print(
        f"oriflamme: a mistake of ours, not yours: {said}{place}\n"
        f"please report it with the output of: ORIFLAMME_DEBUG=1 {command}",
        file=sys.stderr,
    )
    return 70


def _close_quietly() -> None:
    """Whoever read our output has gone; nobody is left to be told."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
