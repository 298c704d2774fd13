"""Analysis over HTTP: a scene comes in, what may be said about it goes out."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.table import Data, Server

from oriflamme.cases.runner import run_case
from oriflamme.engine.words.problems import parse_toml
from oriflamme.games import ids

SCENE: Data = {
    "given": {
        "archers": {"side": 1, "figures": 5, "weapon": {"name": "bow", "range": 24, "attacks": 1}, "at": [36, 20]},
        "levy": {"side": 2, "figures": 5, "at": [36, 32], "weapon": {"attacks": 1}},
    },
    "table": {"pieces": [{"kind": "forest", "at": [20, 24], "radius": 4}]},
}


def post(server: Server, what: str, game: str = "aof", lang: str = "en", **body: Any) -> tuple[int, Any]:
    return server.call(f"/api/analysis/{game}/{what}?lang={lang}", {"scene": SCENE, **body})


def test_a_unit_is_asked_what_it_may_do_and_why_not_and_a_captain_what_he_would(server: Server) -> None:
    status, told = post(server, "ask", acts="archers", unit="archers", advice=True, lang="fr")

    assert status == 200
    (asked,) = told["asked"]
    assert [option["key"] for option in asked["options"]] == ["hold", "advance", "rush", "charge:levy"]
    assert "archers" in "".join(piece["text"] for piece in asked["words"])
    assert told["advice"]["answer"] in ("hold", "advance", "rush", "charge:levy")
    assert told["advice"]["because"]

    far = {**SCENE, "given": {**SCENE["given"], "levy": {**SCENE["given"]["levy"], "at": [36, 44]}}}
    _, told = post(server, "ask", scene=far, acts="archers", unit="archers")
    assert [option["key"] for option in told["asked"][0]["options"]] == ["hold", "advance", "rush"]
    assert {"AOF-MOVE-06"} == {no["refusal"]["rule"] for no in told["cannot"]}


def test_it_goes_on_from_there_with_the_same_dice_and_back_again(server: Server) -> None:
    answers = [[0, "hold"], [0, "levy"]]
    _, one = post(server, "ask", acts="archers", answers=answers)
    _, two = post(server, "ask", acts="archers", answers=answers)
    _, back = post(server, "ask", acts="archers", answers=answers[:1])

    assert one["dice"] == two["dice"] != []
    assert (back["dice"], back["asked"][0]["ask"]) == ([], "choose_target")
    status, refused = post(server, "ask", acts="archers", answers=[[0, "fly"]])
    assert (status, refused["problems"][0]["where"]) == (422, "answers")


def test_odds_are_those_of_the_scene_and_what_is_not_open_is_refused(server: Server) -> None:
    _, shot = post(server, "odds", attacker="archers", defender="levy")
    _, charge = post(server, "odds", attacker="levy", defender="levy", charge=True)

    assert shot["odds"]["attacker"] == "archers"
    assert "refusal" in charge or charge["odds"]
    assert post(server, "odds", attacker="archers", defender="nobody")[0] == 422


def test_a_position_is_a_case_that_passes_and_the_case_opens_again(server: Server) -> None:
    _, made = post(server, "case", acts="archers", title="Five bows")
    _, opened = server.call("/api/scenes", {"text": made["text"]})

    assert all(row.passed for row in run_case(parse_toml(made["text"], "case.toml")))
    assert opened["scenes"][0]["scene"]["given"].keys() == SCENE["given"].keys()


def test_a_table_is_a_map_and_a_bad_one_is_told(server: Server) -> None:
    status, made = server.call("/api/analysis/aof/map", {"table": SCENE["table"], "name": {"en": "Wood"}})
    assert (status, parse_toml(made["text"], "map.toml")["piece"][0]["radius"]) == (200, 4)
    _, opened = server.call("/api/scenes", {"text": made["text"]})
    assert opened["map"]["pieces"][0]["kind"] == "forest"

    bad = {"pieces": [{"kind": "wood", "at": [20, 24], "radius": 4}, {"kind": "hill", "at": [90, 0], "radius": 4}]}
    status, told = server.call("/api/analysis/aof/map", {"table": bad})
    assert status == 422
    assert {problem["where"] for problem in told["problems"]} == {"piece[1].kind", "piece[2]"}


@pytest.mark.parametrize("game", ids())
def test_every_game_has_a_desk_with_units_that_can_be_laid(server: Server, game: str) -> None:
    _, desk = server.call(f"/api/analysis/{game}")
    assert desk["unit"]
    assert all(field["words"]["en"] and field["words"]["fr"] for field in (*desk["unit"], *desk["battle"]))
    _, offered = server.call(f"/api/analysis/{game}/armies/{desk['armies'][0]['id']}")
    wide, deep = desk["size"]
    fresh = offered["units"][0]["given"]
    places = {1: [wide / 2, deep * 0.3], 2: [wide / 2, deep * 0.7]}
    given = {f"side_{side}": {**fresh, "side": side, "at": at} for side, at in places.items()}

    status, told = post(server, "look", game, scene={"given": given})

    assert status == 200, told
    standing = [unit for unit in told["scene"]["units"] if unit["reserve"] is None]
    assert [len(unit["figures"]) for unit in standing] == [len(standing[0]["figures"])] * 2
    status, told = post(server, "ask", game, scene={"given": given}, acts="side_1", advice=True)
    assert status == 200, told


def test_a_battle_goes_on_from_a_scene_and_a_moment_of_it_is_a_scene(server: Server) -> None:
    status, made = post(server, "battle", acts="archers", mode="hotseat")
    assert status == 201
    secret = made["seats"][0]["secret"]

    _, told = server.call(f"/api/battles/{made['id']}/scene?seat={secret}&number=0")

    assert told["game"] == "aof"
    assert told["scene"]["given"].keys() == SCENE["given"].keys()
    assert server.call(f"/api/battles/{made['id']}/scene?seat=nonsense")[0] == 404


@pytest.mark.parametrize(
    "body",
    [
        {"scene": []}, {"scene": {"given": {"a": {"figures": 10**12}}}}, {"scene": {"given": 4}}, {"acts": "nobody"},
        {"answers": [[9, "hold"]]}, {"answers": [[0, {"a": [[1e308, 1]]}]]}, {"answers": [[0, "hold"]] * 99},
        {"seed": -1}, {"bogus": 1}, {"scene": {"table": {"pieces": [{"kind": "forest"}] * 500}}},
    ],
)  # fmt: skip
def test_whatever_is_sent_is_refused_in_words(server: Server, body: Data) -> None:
    status, told = post(server, "ask", **body)

    assert (status, told["error"]) == (422, "problems")
    assert server.call("/api/health")[0] == 200


def test_what_is_no_file_of_ours_is_told(server: Server) -> None:
    for text in ("", "[", "{", '{"format": "oriflamme-save"}', "x = 1", "[[case]]\n", 'game = "aof"\ncase = 3', "\x00"):
        status, told = server.call("/api/scenes", {"text": text})
        assert status == 422 or told == {"scenes": told["scenes"]}, (text, told)
