"""A real server in a process of its own, and a real PostgreSQL."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

import pytest
from tests.server.postgres import Postgres, binaries
from tests.server.table import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One server for all tests of a process that do not break it."""
    with tempfile.TemporaryDirectory() as folder:
        running = Server(f"sqlite:///{folder}/battles.sqlite")
        yield running
        running.stop()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postgres]:
    """A PostgreSQL that lives as long as the tests do."""
    found = binaries()
    if found is None:
        pytest.skip("no PostgreSQL on this machine")
    made = Postgres(found)
    try:
        made.start()
        yield made
        made.stop()
    finally:
        made.remove()


@pytest.fixture(scope="session")
def postgres(cluster: Postgres) -> str:
    """Its URL."""
    return cluster.url
