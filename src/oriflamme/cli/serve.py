"""`oriflamme serve`: the table in the browser."""

from __future__ import annotations

import gc
import ipaddress
import os
import socket
import sys
import webbrowser
from threading import Thread

from oriflamme.cli import show
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with

WAITING = 2048  # clients who may knock at once


def serve(
    host: str,
    port: int,
    database: str,
    thinkers: int,
    log_level: str,
    *,
    proxies: str = "",
    names: str = "",
    open_it: bool = False,
    first_battles: str = "",
    lobby: bool = False,
    admin: bool = False,
    fetch_lists: bool = False,
) -> None:
    """Serve until told to stop. `proxies` may say for whom they speak, `names` are those the server goes by."""
    import uvicorn

    from oriflamme.server.door import Door, spoken
    from oriflamme.server.guard import own_names
    from oriflamme.server.learn.first_battles import FirstBattles
    from oriflamme.server.limits import Gate, limits_from, proxies_from
    from oriflamme.server.logs import begin
    from oriflamme.server.site import LARGEST
    from oriflamme.server.store import Store
    from oriflamme.server.web import application

    begin(log_level)
    gate = Gate(limits_from(os.environ.get("ORIFLAMME_LIMITS", "")))
    trusted = proxies_from(proxies)
    taught = FirstBattles(first_battles)
    store = Store(database or None)
    try:
        listening = _listening(host, port)
    except (OSError, OverflowError) as error:
        said = notice("in_their_words", reason=str(error).lower())
        raise problem_with(f"{host}:{port}", said, hint=notice("another_port")) from None
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}"
    show.say(address)
    if open_it:
        open_page(address)
    config = uvicorn.Config(
        application(
            store,
            thinkers=thinkers,
            gate=gate,
            names=own_names([host, *names.split(",")]),
            first_battles=taught,
            meet=lobby or _is_this_machine(host),
            owned=(lambda owner: show.say(address + owner.link)) if admin else None,
            fetch_lists=fetch_lists,
        ),
        log_config=None,
        access_log=False,
        **spoken(Door(gate, trusted)),
        # Nobody but a proxy that was named may say who somebody is.
        proxy_headers=bool(trusted),
        forwarded_allow_ips=trusted,
        ws_max_size=LARGEST,
        ws_ping_interval=20.0,
        ws_ping_timeout=40.0,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    # Battles are large and live long: looking through all of them again and again costs a tenth of the time.
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
    # Whoever is busy in a thread lets the battles go on after a millisecond.
    sys.setswitchinterval(0.001)
    _many_files()
    uvicorn.Server(config).run(sockets=[listening])


def _is_this_machine(host: str) -> bool:
    """Only people at this machine come there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def open_page(address: str) -> None:
    """Show the page where there is a screen to show it on. It waits for the server: its socket is open already."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _many_files() -> None:
    """As many connections as the system lets us have."""
    try:
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    except (ImportError, OSError, ValueError):
        return


def _listening(host: str, port: int) -> socket.socket:
    """A socket to serve at. It says that it is TCP: else asyncio lets small messages wait for 40 ms."""
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    made = socket.socket(family, kind, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(WAITING)
    except BaseException:
        made.close()
        raise
    return made
