"""What Oriflamme does on this machine. Each function gives one figure, in the unit its name says.

A function raises `NotYet` while the part of the program it measures does not exist; its row then says so.
Modules of the program are imported inside the functions: what is not measured is not loaded.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter


class NotYet(Exception):
    """The part of the program this figure is about is not there."""


def random_decisions_per_second(seconds: float = 5.0) -> float:
    """Random against random at 1500 points, whole battles of Age of Fantasy."""
    raise NotYet


def copy_seconds(seconds: float = 1.0) -> float:
    """A 1500-point battle in its middle, copied at a step boundary."""
    raise NotYet


def captain_battle_cpu_seconds(battles: int = 3) -> float:
    """Captain against captain at 1500 points: CPU time of one battle, the mean of several."""
    raise NotYet


def volley_seconds(seconds: float = 1.0) -> float:
    """40 attacks with re-rolls and saves: the exact odds, computed afresh."""
    raise NotYet


def load_seconds() -> float:
    """A saved 1500-point battle, played to its end, loaded."""
    raise NotYet


def help_seconds() -> float:
    """`oriflamme --help`, from the shell's point of view: the best of five."""
    command = Path(sys.executable).with_name("oriflamme")
    best = float("inf")
    for _ in range(5):
        start = perf_counter()
        done = subprocess.run([command, "--help"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        best = min(best, perf_counter() - start)
        if done.returncode:
            raise NotYet
    return best
