"""Properties are tried on new examples at the desk, and on the same ones every time where a change is judged."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("judged", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("judged")
