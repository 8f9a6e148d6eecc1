"""Releases of large studies: `scripts/bench dataset [PART ...]`; without a name, all parts."""

import argparse
from collections.abc import Callable, Mapping
from functools import partial

from benchmarks.dataset import (
    commands,
    export,
    graded,
    growth,
    importing,
    place,
    translations,
    uploads,
)
from benchmarks.dataset.place import Place
from benchmarks.table import Figure, render
from support.large_study import Size

PARTS = (
    "export",
    "memory",
    "growth",
    "report",
    "recompute",
    "import",
    "upload",
    "graded",
    "translations",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench dataset", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument(
        "--pairs", type=int, help="corrected word swaps of a study; default: those of PAWS"
    )
    parser.add_argument(
        "--large", action="store_true", help="let growth go on to 500,000 pairs: takes long"
    )
    parser.add_argument(
        "--megabytes", type=int, default=1_000, help="of the large text of upload; default: 1,000"
    )
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    size = Size(options.pairs) if options.pairs else Size()
    parts = _parts(size, options.pairs, large=options.large, megabytes=options.megabytes)
    with place.start_site() as site:
        figures = [figure for part in options.parts or PARTS for figure in parts[part](site)]
    print(render(figures))


def _parts(
    size: Size, pairs: int | None, *, large: bool, megabytes: int
) -> Mapping[str, Callable[[Place], list[Figure]]]:
    """What measures each part; a number of pairs that was asked for is that of each of them."""
    sizes = (pairs // 10, pairs) if pairs else growth.SIZES
    return {
        "export": partial(export.figures, size=size),
        "memory": partial(commands.release, size=size),
        "growth": partial(growth.figures, sizes=(*sizes, growth.LARGE) if large else sizes),
        "report": partial(commands.report, size=size),
        "recompute": partial(commands.recompute, size=size),
        "upload": partial(uploads.figures, pairs=pairs or importing.PAIRS, megabytes=megabytes),
        "graded": graded.figures,
        "translations": translations.figures,
        "import": partial(importing.figures, pairs=pairs or importing.PAIRS),
    }


if __name__ == "__main__":
    main()
