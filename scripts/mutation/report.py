"""python -m scripts.mutation.report RESULTS: print the share of killed mutants by group."""

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

KILLED = ("killed", "timeout", "crashed")


def main(results: str) -> None:
    # The last line of a mutant counts: it may have been tried on both engines.
    lines = [json.loads(line) for line in Path(results).read_text().splitlines()]
    groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for mutant in {line["id"]: line for line in lines}.values():
        groups[mutant["group"]][mutant["outcome"]] += 1
    for group, outcomes in groups.items():
        killed = sum(outcomes[each] for each in KILLED)
        total = outcomes.total() - outcomes["error"]
        print(f"{group}: {killed} of {total} killed, {killed / total:.1%} {dict(outcomes)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
