"""Requests made from the OpenAPI document, right ones and wrong ones: each is answered, and as the document says."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance
from tests.server.table import PATIENCE, Data, Server

from oriflamme.server.openapi import document

SHORT = settings(
    max_examples=4,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]

schema = schemathesis.openapi.from_dict(document())
battle: Data = {}


@pytest.fixture(scope="module")
def made(server: Server) -> Data:
    """A battle that some of the requests are about, and a campaign."""
    battle.update(server.new("sbh"))
    _, campaign = server.call("/api/campaigns", {"game": "sbh", "mode": "invite", "seed": 5})
    battle["campaign"] = campaign
    return battle


def ours(given: Any, number: int) -> bool:
    """Whether this request is about what is there; every other one is."""
    return bool(battle) and len(repr(given)) % 2 == number


@schema.hook
def map_path_parameters(context: Any, path_parameters: Data | None) -> Data | None:
    """Some of the ids are those of a battle and a campaign that are there."""
    if not path_parameters:
        return path_parameters
    if "battle" in path_parameters and ours(path_parameters, 0):
        return path_parameters | {"battle": battle["id"]}
    if "campaign" in path_parameters and ours(path_parameters, 0):
        return path_parameters | {"campaign": battle["campaign"]["id"]}
    if "game" in path_parameters and ours(path_parameters, 0):
        return path_parameters | {"game": "sbh"}
    return path_parameters


def _seated(given: Any) -> Any:
    if not isinstance(given, dict) or "seat" not in given or not ours(given, 1):
        return given
    home = battle["campaign"] if ours(given["seat"], 1) else battle
    return given | {"seat": home["seats"][0]["secret"]}


@schema.hook
def map_query(context: Any, query: Any) -> Any:
    return _seated(query)


@schema.hook
def map_body(context: Any, body: Any) -> Any:
    body = _seated(body)
    if isinstance(body, dict) and "game" in body and ours(body, 1):
        return body | {"game": "sbh"}
    return body


@hypothesis.seed(5)
@schema.parametrize()
@SHORT
def test_every_request_is_answered_as_the_document_says(case: Any, server: Server, made: Data) -> None:
    case.call_and_validate(base_url=f"http://127.0.0.1:{server.port}", checks=CHECKS, timeout=PATIENCE)


def test_whatever_the_document_refers_to_is_in_it() -> None:
    text = json.dumps(document())
    there = document()["components"]["schemas"]
    named = set(re.findall(r'"#/components/schemas/(\w+)"', text))
    assert {"NewBattle", "Position", "Problem"} <= named
    assert named <= there.keys()


def test_what_is_asked_in_another_way_is_told_which_there_are(server: Server) -> None:
    def asked(method: str, path: str) -> tuple[int, str]:
        request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", method=method)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=PATIENCE)
        return refused.value.code, refused.value.headers.get("allow", "")

    assert asked("DELETE", "/api/battles") == (405, "POST")
    assert asked("GET", "/api/army/check") == (405, "POST")
    assert asked("PUT", "/api/games") == (405, "GET, HEAD")
    assert asked("PATCH", "/api/lobby") == (405, "GET, HEAD, POST")
    assert asked("GET", "/api/nothing")[0] == 404
    assert asked("POST", "/api/nothing")[0] == 404
