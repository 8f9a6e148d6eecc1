"""Two imports of the same file at the same moment, on both engines, with a control."""

import json

from tests.services.installation import Installation

PAIRS = 30
CALL = "from tests.annotation.commands import importers; importers.{call}"


def import_twice(installation: Installation, options: str = "") -> tuple[list, dict]:
    """What each of two imports said, and what came of them."""
    project = installation.run(CALL.format(call=f"prepare({PAIRS})")).splitlines()[-1]
    call = CALL.format(call=f"bring_in({project!r}, number{options})")
    said = installation.run_together(call, processes=2)
    outcome = installation.run(CALL.format(call="outcome()"))
    return [json.loads(each.splitlines()[-1]) for each in said], json.loads(outcome)


def holds(said: list, outcome: dict) -> bool:
    """Each pair once with its slots; one import has added it, the other says that it was known.

    Both refuse the bad line.
    """
    if not all(isinstance(each, list) for each in said):
        return False
    return [sum(figures) for figures in zip(*said, strict=True)] == [
        PAIRS,
        PAIRS,
        2,
    ] and outcome == {
        "sources": PAIRS,
        "candidates": PAIRS,
        "pairs": PAIRS,
        "different": PAIRS,
        "slots": 5 * PAIRS,
        "batches": 3,
    }


def test_two_imports_of_a_file_at_once_add_each_pair_once(installation):
    said, outcome = import_twice(installation)
    assert holds(said, outcome), (said, outcome)


def test_control_without_the_lock_of_the_corpus_the_promise_breaks(installation):
    said, outcome = import_twice(installation, ", guarded=False")
    assert not holds(said, outcome)
