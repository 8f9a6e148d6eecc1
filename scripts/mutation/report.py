"""python -m scripts.mutation.report RESULTS [BEFORE]: print the share of killed mutants by group.

With the results of another suite on the same mutants, also print those that only it killed.
"""

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

KILLED = {"killed", "timeout", "crashed"}


def main(results: str, before: str = "") -> None:
    found = _read(results)
    others = _read(before) if before else {}
    for shown in [found, others] if others else [found]:
        groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for mutant in shown.values():
            groups[mutant["group"]][mutant["outcome"]] += 1
        for group, outcomes in groups.items():
            killed = sum(outcomes[each] for each in KILLED)
            total = outcomes.total() - outcomes["not applicable"]
            print(f"{group}: {killed} of {total} killed, {killed / total:.1%} {dict(outcomes)}")
    for number, mutant in found.items():
        other = others.get(number, {"outcome": "not tried"})
        if other["outcome"] in KILLED and mutant["outcome"] not in KILLED:
            place = f"{mutant['module']}:{mutant['line']}"
            print(f"{place} {mutant['before']!r} -> {mutant['after']!r}")
            print(f"    was killed by {other.get('by')}")


def _read(file: str) -> dict[int, dict[str, Any]]:
    lines = map(json.loads, Path(file).read_text().splitlines())
    return {line["id"]: line for line in lines}


if __name__ == "__main__":
    main(*sys.argv[1:])
