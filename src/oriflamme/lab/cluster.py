"""Play on several machines, with Ray (`pip install oriflamme[cluster]`).

    oriflamme league aof --on ray                       a cluster of this machine alone
    oriflamme league aof --on ray://head:10001          the cluster whose head is there

What a battle comes to depends on nothing but its chore, so a cluster comes to the same digest as one process. A chore
whose machine dies is played again by another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.lab.tournament import Chore, Line, Spread, play_told

HERE: Final = "ray"
TRIES: Final = 5  # machines that may die under one chore
CHUNK: Final = 2  # battles that go out together: the same table, both seats


def on_ray(address: str) -> Spread:
    """Play on a cluster of Ray; raises Problems if there is no Ray here, or no cluster there."""
    try:
        import ray
    except ImportError:
        raise problem_with(
            "--on", notice("needs_extra", extra="cluster"), hint=notice("install_extra", extra="cluster")
        ) from None
    if not ray.is_initialized():
        try:
            ray.init(address=None if address == HERE else address, log_to_driver=False, configure_logging=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            reason = str(error).splitlines()[0][:300]
            raise problem_with("--on", notice("no_cluster", address=address, reason=reason)) from None
    told_once: dict[bytes, Any] = {}

    def spread(told: bytes, todo: Iterable[Chore]) -> Iterator[Line]:
        remote = ray.remote(max_retries=TRIES)(_play)
        told_at = told_once.setdefault(told, ray.put(told))
        left = iter(todo)
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call, unused-ignore]
        ahead = max(8, 4 * int(resources.get("CPU", 1)))

        def send(number: int) -> list[Any]:
            return [remote.remote(told_at, chunk) for _ in range(number) if (chunk := list(islice(left, CHUNK)))]

        waiting = send(ahead)
        while waiting:
            done, waiting = ray.wait(waiting)
            waiting += send(len(done))
            for lines in ray.get(done):
                yield from lines

    return spread


def _play(told: bytes, some: list[Chore]) -> list[Line]:
    return play_told((told, some))
