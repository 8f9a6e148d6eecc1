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
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    engine_by_part = {name: PARTS[name][0] for name in options.parts or PARTS}
    engines = list(dict.fromkeys(engine_by_part.values()))
    names = [
        [name for name in engine_by_part if engine_by_part[name] is engine] for engine in engines
    ]
    # Django is set up once for each process, on one database.
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as process:
        parts = process.map(partial(run, short=options.short), engines, names)
    print(render([figure for part in parts for figure in part]))


if __name__ == "__main__":
    main()
