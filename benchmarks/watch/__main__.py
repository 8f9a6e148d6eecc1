"""Ten figures that must not become worse: `scripts/bench watch`.

Each is a ratio to a plain reference that is measured in the same run, on Postgres; bounds.toml says
how large it may be.
"""

import argparse
import sys
import tomllib
from pathlib import Path

from benchmarks.annotation import house
from benchmarks.table import Figure, at_most, render
from benchmarks.watch import bulk, pages, start

BOUNDS = Path(__file__).with_name("bounds.toml")


def main() -> int:
    argparse.ArgumentParser(prog="scripts/bench watch", description=__doc__).parse_args()
    print("References: a stock Django view with session and user; COPY of the same rows;")
    print('python -c "import django"; a process of the stock site')
    first_page, imported = start.first_page(), start.import_of_django()
    with house.start_house() as site:
        figures = [*_bulk_figures(site), *_page_figures(site), *_start_figures(site, imported)]
    figures.append(_figure("first page", first_page, "s", imported))
    print(render(figures))
    return 0 if all(figure.met for figure in figures) else 1


def _page_figures(site: house.House) -> list[Figure]:
    with pages.start_reference_site() as (reader, reference):
        cpu_ms = pages.cpu_ms(site, reader, reference)
        plain = cpu_ms.pop("reference")
        memory = _figure(
            "memory of a web process",
            start.memory_mb(site.web),
            "MB",
            start.memory_mb(reference),
        )
    return [*(_figure(name, value, "CPU-ms", plain) for name, value in cpu_ms.items()), memory]


def _bulk_figures(site: house.House) -> list[Figure]:
    imported = _figure(
        "import of pairs", *_seconds(bulk.import_with_stale_statistics(site.postgres))
    )
    seconds_by_list = bulk.over_rest_seconds(site.postgres)
    return [
        imported,
        *(_figure(f"{name} over REST", *_seconds(both)) for name, both in seconds_by_list.items()),
    ]


def _start_figures(site: house.House, imported: float) -> list[Figure]:
    return [
        _figure("migrate", start.migrate(site.postgres), "CPU-s", imported),
        _figure("check", start.check(), "CPU-s", imported),
    ]


def _seconds(both: tuple[float, float]) -> tuple[float, str, float]:
    return both[0], "CPU-s", both[1]


def _figure(name: str, value: float, unit: str, reference: float) -> Figure:
    """Raises KeyError for a figure without a bound."""
    bounds = tomllib.loads(BOUNDS.read_text())["bounds"]
    return Figure(name, value, unit, reference, at_most(bounds[name], of_ratio=True))


if __name__ == "__main__":
    sys.exit(main())
