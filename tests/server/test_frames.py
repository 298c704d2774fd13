"""What is said over a WebSocket is heard the same however it is cut into frames and pieces."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.server.table import PATIENCE, Data, Server
from websockets.frames import Frame, Opcode

from oriflamme.server.door import framed, payload_of


@contextmanager
def line(server: Server) -> Iterator[socket.socket]:
    """A WebSocket at a battle, byte by byte; it offers to pack what is said."""
    battle = server.new("sbh")
    path = server.url(battle, battle["seats"][0]["secret"]).partition(str(server.port))[2]
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as made:
        lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade"]
        lines += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"]
        lines += ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits", "", ""]
        made.sendall("\r\n".join(lines).encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += made.recv(1)
        assert b" 101 " in head
        assert b"deflate" not in head.lower()
        yield made


def exactly(made: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        more = made.recv(size - len(found))
        assert more, "the server has hung up"
        found += more
    return found


def heard(made: socket.socket) -> tuple[int, bytes]:
    """The next frame: its first byte and what is in it."""
    first, size = exactly(made, 2)
    if size == 126:
        size = int.from_bytes(exactly(made, 2), "big")
    elif size == 127:
        size = int.from_bytes(exactly(made, 8), "big")
    return first, exactly(made, size)


def answer_to(made: socket.socket, id: str) -> Data:
    """What was answered to a message."""
    while True:
        first, text = heard(made)
        if first & 15 == Opcode.TEXT:
            told: Data = json.loads(text)
            if told.get("id") == id:
                return told


def said(text: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """A frame as a client sends it."""
    return bytes(Frame(opcode, text, fin).serialize(mask=True))


def ping(id: str, more: int = 0) -> bytes:
    return json.dumps({"type": "ping", "id": id}).encode() + b" " * more


def test_what_is_said_is_heard_however_it_is_cut(server: Server) -> None:
    with line(server) as made:
        made.sendall(said(ping("short")))
        assert answer_to(made, "short")["type"] == "pong"
        made.sendall(said(ping("longer", 300)))
        assert answer_to(made, "longer")["type"] == "pong"
        made.sendall(said(b"alive?", Opcode.PING))
        while (found := heard(made))[0] & 15 != Opcode.PONG:
            pass
        assert found[1] == b"alive?"
        made.sendall(said(ping("after a ping")))
        assert answer_to(made, "after a ping")["type"] == "pong"
        # Two in one piece, and the beginning of a third.
        third = said(ping("third"))
        made.sendall(said(ping("first")) + said(ping("second")) + third[:9])
        assert answer_to(made, "first")["type"] == "pong"
        assert answer_to(made, "second")["type"] == "pong"
        made.sendall(third[9:])
        assert answer_to(made, "third")["type"] == "pong"
        made.sendall(said(ping("after that")))
        assert answer_to(made, "after that")["type"] == "pong"

    with line(server) as made:
        # One message in two frames, with a ping of the line between them.
        text = ping("in parts")
        for part in (said(text[:9], fin=False), said(b"", Opcode.PING), said(text[9:], Opcode.CONT)):
            made.sendall(part)
        assert answer_to(made, "in parts")["type"] == "pong"
        made.sendall(said(ping("whole again")))
        assert answer_to(made, "whole again")["type"] == "pong"

    with line(server) as made:
        for byte in said(ping("byte by byte")):
            made.sendall(bytes([byte]))
        assert answer_to(made, "byte by byte")["type"] == "pong"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (said(b"\xff\xfe"), 1007),
        (bytes(Frame(Opcode.TEXT, ping("bare")).serialize(mask=False)), 1002),
        (bytes([said(b"{}")[0] | 0x40]) + said(b"{}")[1:], 1002),
        (said(ping("nothing before"), Opcode.CONT), 1002),
        (said(ping("unfinished"), fin=False) + said(ping("another")), 1002),
        (said(b"\x03\xe8", Opcode.CLOSE), 1000),
    ],
    ids=["no UTF-8", "no mask", "packed", "no beginning", "two at once", "the end"],
)
def test_what_is_no_message_ends_the_line(server: Server, wrong: bytes, code: int) -> None:
    with line(server) as made:
        made.sendall(said(ping("hello")))
        assert answer_to(made, "hello")["type"] == "pong"
        made.sendall(wrong)
        while (found := heard(made))[0] & 15 != Opcode.CLOSE:
            pass
        assert int.from_bytes(found[1][:2], "big") == code


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_text_is_framed_by_the_book(size: int) -> None:
    text = b"x" * size
    assert framed(text) == Frame(Opcode.TEXT, text).serialize(mask=False)
    sent = said(text)
    begin = payload_of(sent)
    if size < 65_536:
        assert begin == len(sent) - size
        assert all(payload_of(sent[:cut]) == 0 for cut in range(min(len(sent), 300)))
        assert payload_of(sent + b"x") == 0
    else:
        assert begin == 0
