"""Generation, part by part: `scripts/bench generation [PART ...]`; without a name, all parts."""

import argparse
from pathlib import Path

from benchmarks.generation.parts import PARTS, Options, measure
from benchmarks.table import render
from support.places import DEMONSTRATION


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench generation", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument(
        "--file", type=Path, action="append", help="txt, tsv or jsonl; default: the demonstration"
    )
    parser.add_argument("--show", type=int, default=0, help="number of random pairs to print")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--sentences", type=int, help="of the parts presets (default: all) and files (20,000)"
    )
    presets = parser.add_argument_group("of the part presets, which takes several --file")
    presets.add_argument("--judge", type=Path, metavar="FOLDER", help="of a second language model")
    presets.add_argument("--rescored", type=int, help="rewrites of a sentence that it judges")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    if arguments.judge and not arguments.judge.is_dir():
        parser.error(f"there is no folder {arguments.judge}")
    files = tuple(arguments.file or [DEMONSTRATION])
    if len(files) > 1 and arguments.parts != ["presets"]:
        parser.error("only the part presets takes several files")
    options = Options(
        files,
        arguments.show,
        arguments.seed,
        arguments.sentences,
        arguments.judge,
        arguments.rescored,
    )
    print(
        render([figure for part in arguments.parts or PARTS for figure in measure(part, options)])
    )


if __name__ == "__main__":
    main()
