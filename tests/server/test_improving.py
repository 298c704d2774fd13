"""A list made better, as a job: begun, looked at, stopped; bounded, and refused with a reason."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from time import monotonic, sleep
from typing import Any

from tests.server.table import PATIENCE, Data, Server

DRAFT: Data = {"points": 300, "entries": [{"unit": "human-warrior"}]}


def begun(server: Server, **more: Any) -> Data:
    body = {"draft": DRAFT, "against": ["high_toll"], "battles": 20} | more
    status, answer = server.call("/api/muster/sbh/improve", body)
    assert status == 200, answer
    return dict(answer)


def look(server: Server, job: str) -> Data:
    status, answer = server.call(f"/api/improve/{job}")
    assert status == 200
    return dict(answer)


def wait_for(server: Server, job: str, *states: str) -> Data:
    until = monotonic() + 240
    while (seen := look(server, job))["state"] not in states:
        assert monotonic() < until, seen
        sleep(0.2)
    return seen


def test_a_search_is_begun_and_looked_at_until_it_is_over(server: Server) -> None:
    job = begun(server)

    seen = wait_for(server, job["job"], "over", "failed")

    assert seen["state"] == "over"
    assert seen["done"] == seen["battles"] == job["battles"]
    found = seen["found"]
    assert found["tried"] <= found["allowed"]
    assert found["findings"]
    for one in found["findings"]:
        assert set(one["what"]) == {"en", "fr"}
        assert one["low"] <= one["gain"] <= one["high"]
        status, checked = server.call("/api/muster/sbh/draft", {"draft": one["draft"]})
        assert status == 200
        assert checked["problems"] == []


def test_a_search_can_be_stopped_and_lets_the_next_begin(server: Server) -> None:
    first, second = begun(server, battles=400), begun(server)
    wait_for(server, first["job"], "running")
    assert look(server, second["job"])["state"] == "waiting"

    status, stopped = server.call(f"/api/improve/{first['job']}/stop", {})

    assert status == 200
    assert stopped["state"] == "stopped"
    wait_for(server, second["job"], "running", "over")
    server.call(f"/api/improve/{second['job']}/stop", {})
    ended = look(server, first["job"])
    assert ended["state"] == "stopped"
    assert ended["done"] < ended["battles"]
    assert ended["found"] is None


def test_what_cannot_be_made_better_is_refused_with_the_reason(server: Server) -> None:
    dear = {"points": 300, "entries": [{"unit": "human-warrior", "count": 90}]}
    for body, said in (
        ({"draft": dear}, "only a list that is allowed can be made better"),
        ({"draft": DRAFT, "against": ["high_tol"]}, 'no list "high_tol"'),
        ({"draft": DRAFT, "against": ["../../etc/passwd"]}, "no list"),
        ({"draft": DRAFT | {"points": 301}}, "no ready-made list is for 301"),
        ({"draft": DRAFT, "battles": 10_000}, "400"),
        ({"draft": {"points": 300}}, "at least one unit"),
    ):
        status, answer = server.call("/api/muster/sbh/improve", body)
        assert status == 422, body
        assert said in str(answer["problems"]), answer


def test_nobody_looks_at_a_search_whose_name_he_does_not_know(server: Server) -> None:
    assert server.call("/api/improve/guessed")[0] == 404
    assert server.call("/api/improve/guessed/stop", {})[0] == 404


def test_no_more_searches_than_there_is_room_for(server: Server) -> None:
    body = {"draft": DRAFT, "against": ["high_toll"], "battles": 400}

    def begun_from(address: str) -> tuple[int, Data]:
        line = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE, source_address=(address, 0))
        line.request("POST", "/api/muster/sbh/improve", json.dumps(body))
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())

    jobs = [begun(server, battles=400)["job"] for _ in range(4)]

    # One address has so many; another one still finds room, until there is none.
    for address, room in (("127.0.0.1", 0), ("127.0.0.21", 4), ("127.0.0.22", 0)):
        for _ in range(room):
            status, answer = begun_from(address)
            assert status == 200, answer
            jobs.append(answer["job"])
        status, answer = begun_from(address)
        assert status == 422
        assert "too many lists are being made better" in str(answer["problems"])
    for job in jobs:
        server.call(f"/api/improve/{job}/stop", {})
    begun(server)
