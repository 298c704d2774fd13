"""Puts the built pages of the table into what is installed: with Node in a clone, as they are in an sdist."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Pages(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version == "editable" or (root / "src/oriflamme/server/static/index.html").exists():
            return
        for command in (["npm", "ci", "--loglevel=error"], ["npm", "run", "--silent", "build"]):
            try:
                subprocess.run(command, cwd=root / "web", check=True)
            except FileNotFoundError:
                raise SystemExit(
                    "The pages of the table are not built, and there is no Node to build them: make web"
                ) from None
