"""`oriflamme store`: what is kept, what goes, and copies of it."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import msgspec

from oriflamme.cli import show
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems
from oriflamme.server import upkeep
from oriflamme.server.club.shelf import METADATA
from oriflamme.server.store import Store


def _opened(database: str, *, new: bool = False) -> Store:
    store = Store(database or None, new=new)
    store.adopt(METADATA)
    return store


def status(database: str, *, as_json: bool, lang: str) -> None:
    """`oriflamme store status`"""
    store = _opened(database)
    found = upkeep.status(store)
    store.close()
    if as_json:
        show.say_json(msgspec.to_builtins(found))
        return
    since = time.strftime("%Y-%m-%d", time.gmtime(found.oldest)) if found.oldest else None
    facts = msgspec.structs.asdict(found) | {"size": f"{found.bytes / 1e6:.1f} MB", "since": since}
    for line in ("store_version", "store_battles", "store_kept", "store_due"):
        show.say(notice(line, **facts).in_words(lang))


def prune(database: str, retention: upkeep.Retention, archive: Path | None, *, dry: bool, lang: str) -> None:
    """`oriflamme store prune`"""
    store = _opened(database)
    done = upkeep.prune(store, retention, archive, dry=dry)
    store.close()
    for id, why in done.kept.items():
        print(f"{id}: {why.in_words(lang)}", file=sys.stderr)
    code = "would_prune" if dry else "pruned"
    show.say(notice(code, number=len(done.battles), folder=str(archive) if archive else None).in_words(lang))


def backup(database: str, path: Path, *, lang: str) -> None:
    """`oriflamme store backup`"""
    store = _opened(database)
    rows = upkeep.backup(store, path)
    store.close()
    _tell_rows("backed_up", path, rows, lang)


def restore(database: str, path: Path, *, lang: str) -> None:
    """`oriflamme store restore`"""
    store = _opened(database, new=True)
    rows = upkeep.restore(store, path)
    store.close()
    _tell_rows("restored", path, rows, lang)


def _tell_rows(code: str, path: Path, rows: dict[str, int], lang: str) -> None:
    facts = {"path": str(path), "battles": rows["battles"], "answers": rows["answers"], "campaigns": rows["campaigns"]}
    show.say(notice(code, **facts).in_words(lang))


def export(database: str, folder: Path, only: str, *, lang: str) -> None:
    """`oriflamme store export`"""
    store = _opened(database)
    number = 0
    for id, found in upkeep.export(store, folder, only):
        if isinstance(found, Problems):
            print(f"{id}: {found.problems[0].in_words(lang)}", file=sys.stderr)
        else:
            number += 1
    store.close()
    show.say(notice("exported", number=number, folder=str(folder)).in_words(lang))
