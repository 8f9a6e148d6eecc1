"""Annotation under load: `scripts/bench annotation [PART ...]`; without a name, all parts."""

import argparse

from benchmarks.annotation import dashboard, growth, house, loop, quality
from benchmarks.table import render

PARTS = {
    "loop": loop.figures,
    "growth": growth.figures,
    "dashboard": dashboard.figures,
    "quality": quality.figures,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench annotation", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--seconds", type=float, default=15.0, help="length of each measurement")
    parser.add_argument("--threads", type=int, default=4, help="of each of the two web processes")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    with house.start_house(threads=options.threads) as site:
        figures = [
            figure
            for part in options.parts or PARTS
            for figure in PARTS[part](site, seconds=options.seconds)
        ]
    print(render(figures))


if __name__ == "__main__":
    main()
