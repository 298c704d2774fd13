"""What those who watch over a server see of it, and what nobody may see in it."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families
from tests.server.table import MAIN, PATIENCE, Player, Server

from oriflamme.server.logs import Lines, without_secrets
from oriflamme.server.store import new_secret


def test_metrics_tell_what_happens_and_nothing_of_any_battle(server: Server) -> None:
    battle = server.new("sbh")

    def seen() -> dict[str, float]:
        status, content = server.call("/metrics")
        assert status == 200
        assert battle["id"] not in content.decode()
        samples = [s for family in text_string_to_metric_families(content.decode()) for s in family.samples]
        return {sample.name: sample.value for sample in samples if not sample.labels}

    before = seen()

    async def go() -> dict[str, float]:
        player = next(p for p in [await Player(server, battle, seat).sit() for seat in (0, 1)] if p.now["decision"])
        await player._decide(player.now["decision"])
        during = await asyncio.to_thread(seen)
        await player.leave()
        return during

    during = asyncio.run(go())

    assert during["oriflamme_answers_total"] == before["oriflamme_answers_total"] + 1
    assert during["oriflamme_store_seconds_count"] == during["oriflamme_answers_total"]
    assert during["oriflamme_clients"] >= 2
    assert during["oriflamme_store_ok"] == 1


def test_a_log_has_a_line_of_json_for_each_entry_and_no_secret(tmp_path: Path) -> None:
    secret = new_secret()
    said = f'127.0.0.1:1 - "WebSocket /ws/abc?seat={secret}&lang=en" [accepted] {secret}\x1b[31m'
    line = Lines(plain=False).format(logging.LogRecord("uvicorn.error", logging.INFO, "", 1, said, None, None))
    assert secret not in line
    assert "\x1b" not in line
    assert json.loads(line)["level"] == "info"
    assert "\x1b" not in Lines(plain=True).format(logging.LogRecord("x", logging.INFO, "", 1, said, None, None))
    assert without_secrets("/play/IYry2mD2iOmV?seat=short") == "/play/IYry2mD2iOmV?seat=…"

    # What a server says when everything is logged.
    log = tmp_path / "log"
    command = [sys.executable, "-c", MAIN, "serve", "--port", "0", "--database", "sqlite://", "--thinkers", "1"]
    with log.open("w") as file:
        process = subprocess.Popen([*command, "--log-level", "info"], stdout=subprocess.PIPE, stderr=file, text=True)
    try:
        assert process.stdout is not None
        running = Server.__new__(Server)
        running.port = int(process.stdout.readline().rpartition(":")[2])
        battle = running.new("sbh")
        secrets = [seat["secret"] for seat in battle["seats"]]

        async def go() -> None:
            player = await Player(running, battle, 0).sit()
            await player.leave()

        asyncio.run(go())
    finally:
        process.terminate()
        process.wait(PATIENCE)
    lines = log.read_text().splitlines()
    assert [json.loads(line)["level"] for line in lines]
    assert any("WebSocket" in line for line in lines)
    assert not any(secret in line for line in lines for secret in secrets)
