"""A table as crowded as tables get: a real battle with its units repeated until 300 figures stand there.

The page is the real one; only the wire is ours. It is told a greeting made from a real battle, with a unit to be moved,
and whatever it tries is allowed.
"""

from __future__ import annotations

import json
from typing import Any

from tests.web.visit import Server

Data = dict[str, Any]
FIGURES = 300
MOVED = 20


def greeting(server: Server, page: Any) -> tuple[Data, str]:
    """What the server says to somebody who watches two bots, when they have begun to fight; and where that is."""
    made = page.request.post(f"{server.url}/api/battles", data={"game": "aof", "mode": "watch", "points": 1500}).json()
    page.goto(server.url + made["spectator"]["link"])
    page.wait_for_function("document.querySelector('.round')?.innerText.includes('1')")
    link = f"{server.url.replace('http', 'ws')}/ws/{made['id']}?seat={made['spectator']['secret']}&lang=en"
    told = page.evaluate(
        """url => new Promise(done => {
             const socket = new WebSocket(url)
             socket.onmessage = event => { socket.close(); done(event.data) }
           })""",
        link,
    )
    return json.loads(told), server.url + made["spectator"]["link"]


def crowded(hello: Data) -> Data:
    """The same greeting with 300 figures, of which somebody is asked to move 20."""
    scene = hello["scene"]
    there = [unit for unit in scene["units"] if unit["reserve"] is None and unit["figures"]]
    units: list[Data] = []
    count = 0
    while count < FIGURES:
        like = there[len(units) % len(there)]
        number = len(units)
        size = MOVED if number == 0 else min(15, FIGURES - count)
        x, y = 80 + (number % 6) * 290, 90 + (number // 6) * 240
        figures = [
            {**like["figures"][0], "id": f"u{number}.{n}", "x": x + (n % 5) * 36, "y": y + (n // 5) * 36, "hero": False}
            for n in range(size)
        ]
        units.append(
            {**like, "id": f"u{number}", "tag": f"{'ab'[like['side']]}{number}", "figures": figures, "fallen": []}
        )
        count += size
    moved = [figure["id"] for figure in units[0]["figures"]]
    decision = {
        "kind": "move figures", "side": 0, "ask": "move_unit", "rule": "AOF-ACT-03", "about": {"unit": "u0"},
        "words": [{"text": "Move"}], "figures": moved, "secret": False,
    }  # fmt: skip
    mine = {"sides": [0], "spectator": False}
    return hello | {"scene": scene | {"units": units}, "decision": decision, "you": mine, "side": 0, "waiting": [0]}


def open_crowd(server: Server, page: Any) -> None:
    """Show it: the page talks to nobody but us."""
    hello, link = greeting(server, page)
    told = crowded(hello)
    ring = [[x, y] for x, y in ((60, 60), (700, 60), (700, 500), (60, 500))]
    reach = [
        {"kind": "reach", "of": id, "rule": "AOF-MOVE-01", "words": [{"text": 'up to 12"'}], "circles": [],
         "rings": [ring], "limits": [304.8]}
        for id in told["decision"]["figures"]
    ]  # fmt: skip
    together = {"kind": "together", "of": "u0", "rule": "AOF-MOVE-02", "words": [], "circles": [], "rings": []}

    def serve(wire: Any) -> None:
        def hear(text: str) -> None:
            message = json.loads(text)
            answer: Data = {"type": message["type"], "id": message.get("id")}
            if message["type"] == "try":
                answer |= {"type": "tried", "ok": True, "answer": message["answer"]}
            elif message["type"] == "aids":
                answer |= {"number": told["number"], "aids": [*reach, together | {"limits": [25.4, 2000.0]}]}
            else:
                answer |= {"type": "error", "why": "busy"}
            wire.send(json.dumps(answer))

        wire.on_message(hear)
        wire.send(json.dumps(told))

    page.route_web_socket("**/ws/**", serve)
    page.goto(link)
    page.wait_for_function(f"document.querySelectorAll('.figure').length === {FIGURES}")
    page.wait_for_selector(".aid.reach")


# Counts the work of each frame in which something was dragged or zoomed: from the event to the end of painting.
WATCH = """
() => {
  const [channel, work, watching] = [new MessageChannel(), [], { on: true }]
  let begun = 0
  for (const type of ['pointermove', 'wheel'])
    addEventListener(type, () => (begun ||= performance.now()), { capture: true, passive: true })
  channel.port2.onmessage = event => work.push(performance.now() - event.data)
  const tick = () => {
    if (begun) channel.port1.postMessage(begun)
    begun = 0
    if (watching.on) requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
  window.watched = () => { watching.on = false; return work }
}
"""


def drag(page: Any, steps: int) -> None:
    """The unit to be moved, back and forth."""
    box = page.query_selector(".figure.held").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for n in range(steps):
        page.mouse.move(x + (n % 40) * 4, y - (n % 25) * 3)
    page.keyboard.press("Escape")
    page.mouse.up()


def zoom(page: Any, steps: int) -> None:
    box = page.query_selector("svg.table").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for n in range(steps):
        page.mouse.wheel(0, -60 if n % 20 < 10 else 60)
