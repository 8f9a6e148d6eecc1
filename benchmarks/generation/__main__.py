"""Generation, part by part: `scripts/bench generation [PART ...]`; without a name, all parts."""

import argparse
from pathlib import Path

from benchmarks.generation.parts import DEMONSTRATION, PARTS, Options, measured
from benchmarks.table import render


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench generation", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--file", type=Path, default=DEMONSTRATION, help="txt, tsv or jsonl")
    parser.add_argument("--show", type=int, default=0, help="print so many random pairs")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    options = Options(given.file, given.show, given.seed)
    print(render([f for part in given.parts or PARTS for f in measured(part, options)]))


if __name__ == "__main__":
    main()
