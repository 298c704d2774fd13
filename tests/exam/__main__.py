"""Sit the exam by hand: `python -m tests.exam aof --seed 41 --points 750` plays that battle again, closely watched."""

from __future__ import annotations

import argparse
import json
import sys
import time

from tests.exam.exam import PARTS, Failed, Sitting, play_out, record, sit

from oriflamme import games


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.exam", description=__doc__)
    parser.add_argument("game", choices=games.ids())
    parser.add_argument("--seed", type=int, default=0, help="of the first battle")
    parser.add_argument("--battles", type=int, default=1, help="how many seeds, one after the other")
    parser.add_argument("--points", type=int, default=0, help="the smaller of the usual sizes if not given")
    parser.add_argument(
        "--option", action="append", metavar="KEY=VALUE", help="a house rule; without any, the seed chooses"
    )
    parser.add_argument(
        "--choice", action="append", metavar="KEY=VALUE", help="what else is agreed on; without any, the seed chooses"
    )
    parser.add_argument("--part", action="append", choices=list(PARTS), help="only this part of the exam")
    parser.add_argument(
        "--record", action="store_true", help="only play, and print what was played in three short names"
    )
    asked = parser.parse_args()

    chosen, agreed = (
        tuple(tuple(pair.split("=", 1)) for pair in given) if given else None for given in (asked.option, asked.choice)
    )
    failed = 0
    for seed in range(asked.seed, asked.seed + asked.battles):
        sitting = Sitting(asked.game, seed, asked.points, chosen, agreed)
        if asked.record:
            print(
                json.dumps({"seed": seed, **record(play_out(sitting.begin(keep=False), sitting.player()))}), flush=True
            )
            continue
        for part in asked.part or PARTS:
            begun = time.perf_counter()
            try:
                sit(part, sitting)
            except Failed as failure:
                failed += 1
                print(f"seed {seed}: FAILED\n{failure}\n", flush=True)
                if asked.battles == 1:
                    raise
            else:
                print(f"seed {seed}: {part} {time.perf_counter() - begun:.2f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
