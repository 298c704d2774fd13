"""Properties are tried on new examples at the desk, and on the same ones every time where a change is judged."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# How fast the machine is must not decide about a test.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
settings.register_profile("desk", PATIENT)
settings.register_profile("judged", PATIENT, derandomize=True)
settings.load_profile("judged" if os.environ.get("CI") else "desk")
