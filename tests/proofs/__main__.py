"""Plays many crowded scenes for each question and prints what came of them; exit code 1 means a fault was found."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from time import process_time

from tests.proofs import Fault, questions


def play(name: str, first: int, count: int) -> tuple[Counter[str], list[str], float]:
    """So many scenes of a question: what came of them, the faults, and the seconds of CPU it took."""
    question = next(question for question in questions() if question.name == name)
    found: Counter[str] = Counter()
    faults: list[str] = []
    began = process_time()
    for seed in range(first, first + count):
        try:
            found[question.scene(seed)] += 1
        except Fault as fault:
            found[fault.kind] += 1
            faults.append(f"--only {name} --seed {seed} --scenes 1: {fault}")
    return found, faults, process_time() - began


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs", description=__doc__)
    parser.add_argument("--scenes", type=int, default=200, help="scenes for each question (default 200)")
    parser.add_argument("--seed", type=int, default=0, help="the first scene (default 0)")
    parser.add_argument(
        "--only", action="append", help="a question, or the beginning of several names; may be repeated"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    asked = parser.parse_args()
    known = [question.name for question in questions()]
    wanted = {
        name for only in asked.only or [""] for name in ([only] if only in known else known) if name.startswith(only)
    }
    names = [name for name in known if name in wanted]
    if not names or asked.scenes < 1:
        print(f"nothing to play: --only takes the beginning of one of {', '.join(known)}; --scenes at least 1")
        return 2

    part = max(1, min(250, asked.scenes // asked.workers))
    jobs = [
        (name, first, min(part, asked.seed + asked.scenes - first))
        for name in names
        for first in range(asked.seed, asked.seed + asked.scenes, part)
    ]
    found: dict[str, Counter[str]] = {name: Counter() for name in names}
    seconds: dict[str, float] = dict.fromkeys(names, 0.0)
    faults: list[str] = []
    with ProcessPoolExecutor(asked.workers) as pool:
        for (name, _, _), (counted, wrong, took) in zip(jobs, pool.map(play, *zip(*jobs, strict=True)), strict=True):
            found[name] += counted
            seconds[name] += took
            faults += wrong

    kinds = ("possible", "finer", "impossible", "refused", "allowed")
    print(f"{'question':34}" + "".join(f"{kind:>12}" for kind in kinds) + f"{'CPU s':>10}")
    for name in names:
        print(f"{name:34}" + "".join(f"{found[name][kind]:12}" for kind in kinds) + f"{seconds[name]:10.0f}")
    for fault in faults[:40]:
        print(fault)
    print(f"{sum(map(Counter.total, found.values()))} scenes, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
