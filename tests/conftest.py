"""Properties are tried on new examples at the desk, and on the same ones every time where a change is judged."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How fast the machine is must not decide about a test.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
settings.register_profile("desk", PATIENT)
settings.register_profile("judged", PATIENT, derandomize=True)
settings.load_profile("judged" if os.environ.get("CI") else "desk")

# What tests save is nobody's battle: it stays out of the folder of whoever runs them.
os.environ["ORIFLAMME_DATA"] = tempfile.mkdtemp(prefix="oriflamme-tests-")

# Whole battles, crowded scenes, servers and browsers: all of them are marked as slow.
SLOW = {"exam", "proofs", "server", "web"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.relative_to(Path(__file__).parent).parts[0] in SLOW:
            item.add_marker("slow")


@pytest.fixture(autouse=True)
def _as_nobody_set_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test before left in the environment does not decide how wide this one prints, or in which colours."""
    for name in ("COLUMNS", "LINES", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    if (show := sys.modules.get("oriflamme.cli.show")) is not None:
        show.console.cache_clear()
