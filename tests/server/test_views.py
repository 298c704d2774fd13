"""What is kept of a log, and given again."""

from __future__ import annotations

import msgspec

from oriflamme.server.views import PACKED, Lines


def test_lines_far_back_are_packed_and_come_out_as_they_were() -> None:
    lines, wanted = Lines(), list[bytes]()

    for number in range(5 * PACKED + 3):
        wanted.append(msgspec.json.encode({"n": number, "words": "über\nzwei Zeilen" * 20}))
        lines.append(msgspec.Raw(wanted[-1]))
        assert len(lines) == len(wanted)
        for after in (0, 1, number // 2, number, number + 1):
            assert list(map(bytes, lines.since(after))) == wanted[after:]

    kept = sum(map(len, lines._packed)) + sum(len(bytes(line)) for line in lines._last)
    assert kept < sum(map(len, wanted)) / 2
