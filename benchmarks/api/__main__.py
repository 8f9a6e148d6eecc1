"""REST under made-up requests: `scripts/bench api [--cases N] [--seed S]`.

schemathesis makes requests from the schema, good and bad ones, in four roles, and sends them to the
application in-process, with a database of its own. Every answer has to be one that the schema
promises. Prints cases by operation, statuses, failures with the request that shows each, and the
table.
"""

import argparse
import logging
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from benchmarks.table import Figure, at_least, at_most, render
from support.services import sites

if TYPE_CHECKING:  # what it needs of Django waits for the settings
    from support.fuzzing import Outcome

# Each goes through all operations, roles and modes with at most this number of requests.
EXAMPLES = 40
MOST_ROUNDS = 200


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench api", description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000, help="the least number of requests")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder:
        sites.set_up(folder, f"sqlite:///{folder}/pawsmith.sqlite3")
        logging.disable(logging.ERROR)  # refusals are what is asked for
        began = time.process_time()
        outcome = _run_rounds(options.cases, options.seed)
        cpu_seconds = time.process_time() - began
    _print_counts("cases", outcome.cases)
    _print_counts("status", outcome.statuses)
    for failure in outcome.failures.values():
        print(f"\n{failure}")
    print()
    print(render(_figures(outcome, options.cases, cpu_seconds)))
    return 1 if outcome.failures else 0


def _run_rounds(cases: int, seed: int) -> "Outcome":
    """Rounds with other seeds, until there were enough requests."""
    from support.fuzzing import Fuzzer
    from support.studies import publish_study

    fuzzer = Fuzzer(publish_study())
    for number in range(MOST_ROUNDS):
        if fuzzer.outcome.total >= cases:
            break
        fuzzer.run(examples=EXAMPLES, seeded=seed + number)
        message = f"{fuzzer.outcome.total:,} cases, {len(fuzzer.outcome.failures)} kinds of failure"
        print(f"round {number + 1}: {message}", flush=True)
    return fuzzer.outcome


def _figures(outcome: "Outcome", cases: int, cpu_seconds: float) -> list[Figure]:
    faults = sum(number for status, number in outcome.statuses.items() if status >= 500)
    return [
        Figure("cases", outcome.total, goal=at_least(cases)),
        Figure("operations", len(outcome.cases)),
        Figure("answers of 500 and more", faults, goal=at_most(0)),
        Figure("kinds of failure", len(outcome.failures), goal=at_most(0)),
        Figure("CPU for each case", 1000 * cpu_seconds / max(outcome.total, 1), unit="ms"),
    ]


def _print_counts(name: str, counted: Mapping[Any, int]) -> None:
    print(f"\n{name}")
    for key, number in sorted(counted.items()):
        print(f"  {number:>8,}  {key}")


if __name__ == "__main__":
    sys.exit(main())
