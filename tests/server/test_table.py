"""What helps at the table: trying, suggestions, odds, taking back, coming back; and what is asked before a battle."""

from __future__ import annotations

import asyncio

from tests.server.table import PATIENCE, Data, Guest, Player, Server


async def _until(player: Player, *kinds: str) -> Data:
    """Play on until a question of this kind is asked."""
    while player.now["decision"]["kind"] not in kinds or not player.scene["round"]:
        await player._decide(player.now["decision"])
        assert not player.now["over"]
    return dict(player.now["decision"])


def test_a_try_says_what_an_answer_would_and_does_nothing(server: Server) -> None:
    battle = server.new("aof", "hotseat")

    async def go() -> None:
        player = Player(server, battle)
        await player.sit()
        asked = await _until(player, "move figures")
        number, scene = player.now["number"], player.scene
        suggested = (await player.ask("suggest"))["answer"]
        figure = asked["figures"][0]
        far = await player.ask("try", number=number, answer={figure: [5000.0, 5000.0]})
        good = await player.ask("try", number=number, answer=suggested)
        late = await player.ask("try", number=number - 1, answer=suggested)

        assert not far["ok"]
        assert far["refusal"]["rule"].startswith("AOF-")
        assert far["refusal"]["words"][0]["text"]
        assert good["ok"]
        assert late["refusal"]["why"] == "answer_is_late"
        newcomer = await Guest(server, battle, player.secret).sit()
        assert newcomer.now["number"] == number
        assert newcomer.scene == scene
        assert (await player.answer(suggested))["type"] == "ack"

    asyncio.run(go())


def test_odds_come_for_a_question_and_for_two_units(server: Server) -> None:
    battle = server.new("sbh", "hotseat", choices={"scenario": "battle"})

    async def go() -> tuple[Data, Data, Data]:
        player = Player(server, battle)
        await player.sit()
        while True:
            asked = await _until(player, "pick one")
            told = await player.ask("odds")
            if told["odds"] is not None:
                break
            await player._decide(asked)
        mine, theirs = (
            next(u["id"] for u in player.scene["units"] if u["side"] == side and u["figures"]) for side in (0, 1)
        )
        at = await player.ask("odds", attacker=mine, defender=theirs, charge=True)
        nobody = await player.ask("odds", attacker=mine, defender="nobody")
        return told, at, nobody

    told, at, nobody = asyncio.run(go())
    status, free = server.call(
        "/api/odds", {"game": "aof", "attacker": "stokers", "defender": "stokers", "charge": True}
    )

    assert told["odds"]["rows"]
    assert at["type"] in ("odds", "refused")
    assert nobody["refusal"]["why"] == "no_such_unit"
    assert status == 200
    assert free["method"] in ("exact", "sampled")


def test_the_form_for_odds_is_what_the_game_declares_and_holds_what_is_sent(server: Server) -> None:
    status, form = server.call("/api/odds/aof")
    asked = {"game": "aof", "attacker": "crossbow_company", "defender": "stokers"}
    near = server.call("/api/odds", asked | {"particulars": {"distance": 5, "cover": True}})
    wrong = [server.call("/api/odds", asked | {"particulars": {"distance": far}}) for far in (-1, 10**6, "far", True)]

    assert status == 200
    assert {field["key"]: field["kind"] for field in form["conditions"]}["distance"] == "number"
    assert all(set(field["words"]) == {"en", "fr"} for field in form["conditions"])
    assert near[0] == 200
    assert [code for code, _ in wrong] == [422] * 4
    assert all(said["problems"][0]["where"] == "distance" for _, said in wrong)
    assert all(said["problems"][0]["what"].startswith("expected a number from") for _, said in wrong)


def test_an_answer_is_taken_back_freely_until_dice_fall(server: Server) -> None:
    battle = server.new("aof", "bot", bots=["random"])

    async def go() -> None:
        player = Player(server, battle)
        await player.sit()
        while player.now["decision"] is None:
            await player.hear()
        asked = await _until_free(player)
        number = player.now["number"]
        answer = player.by_chance(asked)
        await player.answer(answer)
        back = await player.ask("undo")
        assert back["type"] == "ack", back
        assert (player.now["number"], player.now["epoch"]) == (number, 1)
        assert player.now["decision"] == asked
        # What was sent before is not taken for an answer to what is asked now.
        assert (await player.answer(answer, epoch=0))["refusal"]["why"] == "answer_is_late"
        while player.now["number"] < number + 40 and not player.now["over"]:
            if player.now["decision"] is None:
                await player.hear()
            else:
                await player._decide(player.now["decision"])
        far = await player.ask("undo", to=number)
        assert far["refusal"]["why"] in ("dice_have_fallen", "something_was_revealed")
        assert (await player.ask("undo", to=number, anyway=True))["type"] == "ack"
        assert (player.now["number"], player.now["epoch"]) == (number, 2)

    asyncio.run(go())


async def _until_free(player: Player) -> Data:
    """Play on until activating a unit: a choice that throws no dice."""
    while not (player.now["decision"] and player.now["decision"]["ask"] == "choose_unit"):
        if player.now["decision"] is None:
            await player.hear()
        else:
            await player._decide(player.now["decision"])
    return dict(player.now["decision"])


def test_further_back_only_with_the_consent_of_the_opponent(server: Server) -> None:
    battle = server.new("aof")

    async def go() -> None:
        one, two = (Player(server, battle, seat) for seat in (0, 1))
        await asyncio.wait_for(asyncio.gather(one.play(30), two.play(30)), PATIENCE)
        to = one.acknowledged[3][0]

        alone = await one.ask("undo", to=to)
        own = await one.ask("consent", yes=True)
        assert alone["refusal"]["why"] == "others_have_answered"
        assert own["refusal"]["why"] == "nothing_to_consent_to"

        assert (await one.ask("undo", to=to, anyway=True))["type"] == "ack"
        while two.now["undo"] is None:
            await two.hear()
        assert two.now["undo"] == {"by": 0, "to": to, "yes": []}
        await two.ask("consent", yes=False)
        while one.now["undo"] is not None:
            await one.hear()
        assert one.now["epoch"] == 0

        await one.ask("undo", to=to, anyway=True)
        while two.now["undo"] is None:
            await two.hear()
        assert (await two.ask("consent", yes=True))["type"] == "ack"
        while one.now["epoch"] == 0:
            await one.hear()
        assert one.now["number"] == two.now["number"] == to
        assert one.scene == two.scene

    asyncio.run(go())


def test_who_comes_back_is_told_only_what_is_new(server: Server) -> None:
    battle = server.new("aof", "hotseat")

    async def go() -> None:
        player = Player(server, battle)
        await player.play(30)
        seen = len(player.log)
        await player.leave()
        again = await Guest(server, battle, player.secret).sit(f"&since={seen - 2}&epoch=0")
        stranger = await Guest(server, battle, player.secret).sit(f"&since={seen - 2}&epoch=7")

        assert again.now["from"] == seen - 2
        assert len(again.now["log"]) == 2
        assert again.scene == player.scene
        assert stranger.now["from"] == 0
        assert len(stranger.now["log"]) == seen

    asyncio.run(go())


def test_games_rules_armies_and_the_document(server: Server) -> None:
    _, told = server.call("/api/games")
    games = {game["id"]: game for game in told["games"]}
    assert {"aof", "sbh"} <= set(games)
    assert all(game["armies"] and game["maps"] and game["options"] and game["bots"] for game in games.values())
    assert games["sbh"]["choices"]["scenario"][0] == "roll"
    words = games["sbh"]["words"]
    assert words["choices"]["scenario"]["values"]["treasure"] == {"en": "Treasure Hunt", "fr": "Chasse au trésor"}
    # A table from a seed is too large for small figures; a map of theirs too small for large ones.
    assert (games["aof"]["generated"], games["sbh"]["generated"]) == ({}, {"scale": ["28mm"]})
    assert {"scale": ["15mm"]} in [known["needs"] for known in games["sbh"]["maps"]]
    _, ford = server.call("/api/maps/ford")
    assert len(ford["table"]["pieces"]) == ford["pieces"]
    assert server.call("/api/maps/generated_7")[1]["table"]["pieces"]
    hills = [p for p in server.call("/api/maps/generated_company_7")[1]["table"]["pieces"] if p["kind"] == "hill"]
    assert all(hill["size"] in (3, 6) and hill["slopes"][0][0] == "slope" for hill in hills)
    assert hills
    # Every map that a game offers can be looked at before it is chosen.
    offered = [map["id"] for game in server.call("/api/games")[1]["games"] for map in game["maps"]]
    assert [id for id in offered if server.call(f"/api/maps/{id}")[0] != 200] == []
    status, wrong = server.call("/api/maps/frod")
    assert status == 422
    assert "ford" in wrong["problems"][0]["hint"]

    _, found = server.call("/api/rules?game=aof&q=charge&most=5")
    assert 0 < len(found["rules"]) <= 5
    _, one = server.call("/api/rules?id=" + found["rules"][0]["id"])
    assert one["rules"][0] == found["rules"][0]
    _, french = server.call("/api/rules?game=aof&q=qualite+reussi&lang=fr")
    assert french["rules"][0]["id"] == "AOF-GEN-01"
    assert french["rules"][0]["chapter"] == "Principes généraux"
    assert {rule["lang"] for rule in french["rules"]} == {"fr"}
    assert {rule["lang"] for rule in found["rules"]} == {"en"}
    _, charge = server.call("/api/rules?id=AOF-MOVE-07&lang=fr")
    house = charge["rules"][0]["house"]["aof.multiCharge"]
    assert house["title"] == "Une charge vise"
    assert list(house["values"]) == ["single", "multi"]

    ready = games["aof"]["armies"][0]
    status, checked = server.call("/api/army/check", {"game": "aof", "army": ready["id"]})
    assert status == 200
    assert checked["army"]["cost"] == ready["cost"]
    _, factions = server.call("/api/games/aof/factions")
    assert factions["factions"][0]["units"]

    _, document = server.call("/api/openapi.json")
    assert "/api/battles" in document["paths"]
    assert "NewBattle" in document["components"]["schemas"]


def test_a_players_own_list_can_be_played(server: Server) -> None:
    from oriflamme.games.aof.reading import LISTS

    text = LISTS.ready["kiln_clans_750_red_hot"].read_text()
    battle = server.new("aof", "hotseat", armies=[{"text": text}, "kiln_clans_750_slow_fire"], map="ford")
    _, summary = server.call(f"/api/battles/{battle['id']}")

    assert summary["armies"][0]["en"]
    assert server.call("/api/army/check", {"game": "aof", "army": {"text": text}})[0] == 200


def test_the_page_on_the_server_has_every_message_and_every_address() -> None:
    import json
    import re
    from pathlib import Path
    from typing import get_args

    from oriflamme.server.messages import Spoken, decode
    from oriflamme.server.openapi import document

    page = Path(__file__).parents[2].joinpath("docs", "server.md").read_text()
    shown = re.findall(r'`(\{"type": .*?\})`(?:[;,. ]|$)', page, re.MULTILINE)
    spoken = {json.loads(text)["type"] for text in shown if json.loads(text)}

    for kind in get_args(Spoken):
        name = kind.__struct_config__.tag
        assert f"**{name}**" in page
    assert {kind.__struct_config__.tag for kind in get_args(Spoken)} - {"try"} <= spoken
    assert decode('{"type": "answer", "id": 4, "number": 20, "epoch": 0, "answer": "hold"}').id == 4
    for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL):
        json.loads(block)
    for path in document()["paths"]:
        assert path in page, path


def test_aids_sight_and_reasons_are_told_to_players_and_spectators(server: Server) -> None:
    battle = server.new("aof", "hotseat")

    async def go() -> None:
        player = Player(server, battle)
        await player.sit()
        guest = await Guest(server, battle, battle["spectator"]["secret"]).sit()
        while (player.now["decision"] or {}).get("ask") != "choose_action":
            suggested = await player.ask("suggest")
            await player.answer(suggested["answer"])
            if player.now["number"] == suggested["number"]:
                await player.until("update")
        unit = player.now["decision"]["about"]["unit"]
        mine = next(u for u in player.scene["units"] if u["id"] == unit)
        theirs = next(u for u in player.scene["units"] if u["side"] != mine["side"] and u["reserve"] is None)

        told = await player.ask("why", unit=theirs["id"])
        assert told["type"] == "why"
        assert all(one["refusal"]["rule"] and one["refusal"]["words"] and one["deed"] for one in told["cannot"])

        ends = {"from": mine["figures"][0]["id"], "to": theirs["figures"][0]["id"]}
        for one in (player, guest):
            sight = await one.ask("sight", **ends)
            assert sight["type"] == "sight"
            assert sight["distance"] > 0
            assert sight["rule"].startswith("AOF-")
            threats = await one.ask("aids", threats=True)
            assert {aid["kind"] for aid in threats["aids"]} <= {"charge", "shoot"}
            assert threats["aids"]
        assert (await guest.ask("sight", **ends)) | {"id": 0} == sight | {"id": 0}
        point = await guest.ask("sight", **{"from": ends["from"], "to": [1e308, -5]})
        assert point["type"] == "sight"
        assert (await guest.ask("sight", **{"from": "nobody", "to": ends["to"]}))["type"] == "refused"
        assert (await guest.ask("why", unit="nobody"))["type"] == "refused"

        await player.answer("advance")
        while player.now["decision"]["kind"] != "move figures":  # a spell may come first
            await player._decide(player.now["decision"])
        aids = await player.ask("aids")
        assert {"reach", "together"} >= {aid["kind"] for aid in aids["aids"]} - {"keep_off"}
        going = set(player.now["decision"]["figures"])
        assert {aid["of"] for aid in aids["aids"] if aid["kind"] == "reach"} == going
        assert (await guest.ask("aids"))["aids"] == []

    asyncio.run(asyncio.wait_for(go(), PATIENCE))
