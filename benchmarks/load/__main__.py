"""What the promises are worth: `scripts/bench load [PART ...]`; without a name, all parts."""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from benchmarks.load.parts import PARTS, run
from benchmarks.table import render


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench load", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--short", action="store_true", help="with a few people and pairs")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    chosen = {name: PARTS[name][0] for name in given.parts or PARTS}
    engines = list(dict.fromkeys(chosen.values()))
    names = [[name for name in chosen if chosen[name] is engine] for engine in engines]
    # Django is set up once for each process, on one database.
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as alone:
        parts = alone.map(partial(run, short=given.short), engines, names)
    print(render([figure for part in parts for figure in part]))


if __name__ == "__main__":
    main()
