"""What a server logs: a line of JSON for each thing that happened, and no seat's secret in any of them."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from typing import Final

# What opens a seat, in an address or by itself.
_SECRETS: Final = re.compile(r"(?<=seat=)[^&\s\"']+|(?<![\w-])[\w-]{32}(?![\w-])")


def without_secrets(text: str) -> str:
    """The text with every secret left out."""
    return _SECRETS.sub("…", text)


class Lines(logging.Formatter):
    """A line for each entry: JSON for programs, plain words in a terminal."""

    def __init__(self, *, plain: bool) -> None:
        super().__init__()
        self.plain = plain

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage()
        trace = self.formatException(record.exc_info) if record.exc_info else ""
        if self.plain:
            said = json.dumps(without_secrets(message), ensure_ascii=False)[1:-1]
            return f"{record.levelname.lower()}: {said}" + (f"\n{without_secrets(trace)}" if trace else "")
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
        data = {"at": at, "level": record.levelname.lower(), "by": record.name, "message": without_secrets(message)}
        return json.dumps(data | ({"trace": without_secrets(trace)} if trace else {}), ensure_ascii=False)


def begin(level: str) -> None:
    """From now on everything is logged so."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(plain=sys.stderr.isatty()))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
