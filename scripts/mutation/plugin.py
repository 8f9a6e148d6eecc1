"""A pytest plugin that tests mutants, each in a fork of the process that collected the tests.

    pytest -p scripts.mutation.plugin --mutants FILE --covered COVERAGE --results FILE [--shard 1/2]

COVERAGE is the data of a run with `--cov-context=test`: a mutant is tested with the tests that
reach its line, until one fails. Results are lines of JSON.
"""

import gc
import json
import os
import resource
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from pathlib import Path
from types import FunctionType
from typing import Any

import hypothesis
import pytest
from _pytest.runner import runtestprotocol
from _pytest.subtests import failed_subtests_key
from _pytest.warnings import catch_warnings_for_item
from coverage import CoverageData
from django.db import connections

from scripts.mutation.codes import codes

SECONDS = 30  # CPU time for one mutant, at most
MEMORY = 8 * 2**30  # bytes of address space
Json = dict[str, Any]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mutants")
    group.addoption("--mutants", type=Path)
    group.addoption("--covered", type=Path)
    group.addoption("--results", type=Path)
    group.addoption("--shard", default="1/1")


def pytest_collection() -> None:
    """Do not shrink failing examples: it only matters that they fail."""
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile(
        "mutants", hypothesis.settings(), phases=phases, database=None, derandomize=True
    )
    hypothesis.settings.load_profile("mutants")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    options = session.config.option
    place, shards = map(int, options.shard.split("/"))
    mutants = json.loads(options.mutants.read_text())
    # Mutants that SQLite does not reach are tested again on PostgreSQL, and so are errors here.
    again = {"not reached", "error"}
    done = {line["id"] for line in _lines(options.results) if line["outcome"] not in again}
    reached = Reached(options.covered, session.items)
    _set_up_session(session.items)
    trials = Trials()
    for number, mutant in _in_turns(mutants):
        if number % shards == place - 1 and number not in done:
            items = reached.by(mutant)
            outcome = trials.outcome(mutant, items) if items else {"outcome": "not reached"}
            known = {key: mutant[key] for key in ("group", "module", "function", "before", "after")}
            with options.results.open("a") as results:
                line = {"id": number, "line": _line(mutant), "tests": len(items)} | known | outcome
                results.write(json.dumps(line) + "\n")
    return True


def _in_turns(mutants: list[Json]) -> list[tuple[int, Json]]:
    """Return numbered mutants, the first of each group before the second of any group."""
    ranks = Counter[str]()
    ranked = []
    for number, mutant in enumerate(mutants):
        ranked.append((ranks[mutant["group"]], number, mutant))
        ranks[mutant["group"]] += 1
    return [(number, mutant) for _, number, mutant in sorted(ranked, key=lambda each: each[:2])]


class Reached:
    """The tests that reach a line, by the contexts of a coverage run."""

    def __init__(self, file: Path, items: list[pytest.Item]) -> None:
        self.data = CoverageData(str(file))
        self.data.read()
        self.items = {item.nodeid: item for item in items}
        self.by_folder: dict[str, list[pytest.Item]] = {}
        for item in items:
            self.by_folder.setdefault(_folder(item.nodeid), []).append(item)

    def by(self, mutant: Json) -> list[pytest.Item]:
        [file] = [
            name for name in self.data.measured_files() if name.endswith("/" + mutant["module"])
        ]
        contexts = self.data.contexts_by_lineno(file)
        own = [line for line in mutant["lines"] if line in contexts]
        before = [line for line in own if line <= _line(mutant)]
        names = set(contexts[before[-1]]) if before else {n for line in own for n in contexts[line]}
        found: dict[str, pytest.Item] = {}
        for name in sorted(names):
            node, _, phase = name.rpartition("|")
            if phase == "setup":  # the fixture may be shared with other tests of the folder
                found |= {item.nodeid: item for item in self.by_folder.get(_folder(node), [])}
            elif node in self.items:
                found[node] = self.items[node]
        room, name = Path(mutant["module"]).parent.name, Path(mutant["module"]).stem

        def distance(item: pytest.Item) -> tuple[bool, bool, str]:
            """Sort tests of the module itself first, then those of its folder."""
            return (name not in item.path.stem, room not in item.path.parts, item.nodeid)

        return sorted(found.values(), key=distance)


def _folder(nodeid: str) -> str:
    return str(Path(nodeid.split("::")[0]).parent)


def _line(mutant: Json) -> int:
    before = Path(mutant["module"]).read_text().split("\n")
    pairs = zip(before, mutant["source"].split("\n"), strict=False)
    return next((number for number, (a, b) in enumerate(pairs, 1) if a != b), len(before))


def _lines(file: Path) -> Iterator[Json]:
    if file.exists():
        yield from map(json.loads, file.read_text().splitlines())


def _set_up_session(items: list[pytest.Item]) -> None:
    """Run one database test, so that session fixtures are set up before forking."""
    using = [item for item in items if item.get_closest_marker("database")]
    session: Any = using[0].session if using else None
    if using:
        # With the session as the next item, only session fixtures stay set up.
        reports = runtestprotocol(using[0], nextitem=session, log=False)
        if not all(report.passed for report in reports):
            raise pytest.UsageError("\n".join(report.longreprtext for report in reports))
        connections.close_all()


class Trials:
    """Tests mutants. A test that also fails without a mutant kills none."""

    def __init__(self) -> None:
        self.passing: set[str] = set()
        self.failing: set[str] = set()

    def outcome(self, mutant: Json, items: list[pytest.Item]) -> Json:
        while True:
            sound = [item for item in items if item.nodeid not in self.failing]
            found = _try(mutant, sound)
            killer = found.get("by")
            if killer is None or killer in self.passing:
                return found
            alone = _try(None, [item for item in sound if item.nodeid == killer])
            (self.passing if alone["outcome"] == "survived" else self.failing).add(killer)


def _try(mutant: Json | None, items: list[pytest.Item]) -> Json:
    began, limit = time.monotonic(), 20 * SECONDS  # of waiting: computing has a limit of its own
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _live(mutant, items, write)
    os.close(write)
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        took = time.monotonic() - began
        if pid:
            break
        if took > limit:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            status = -1
            break
        time.sleep(0.01)
    with os.fdopen(read) as pipe:
        written = pipe.read()
    if status == -1 or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return {"outcome": "timeout", "seconds": round(took, 2)}
    return {
        "seconds": round(took, 2),
        **(json.loads(written) if written else {"outcome": "crashed"}),
    }


def _live(mutant: Json | None, items: list[pytest.Item], write: int) -> None:
    """Test a mutant in the child process. Never returns."""
    found: Json = {"outcome": "crashed"}
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (3 * SECONDS, 3 * SECONDS + 5))
        _use_own_database()
        if mutant:
            _apply(mutant)
        found = _first_failure(items)
    except ValueError as error:
        found = {"outcome": "not applicable", "why": str(error)}
    except BaseException as error:
        found = {"outcome": "error", "why": repr(error)}
    finally:
        os.write(write, json.dumps(found).encode())
        file = connections.databases["default"]["NAME"]
        if str(file).endswith(f".{os.getpid()}"):
            Path(file).unlink(missing_ok=True)
        os._exit(0)


def _use_own_database() -> None:
    settings = connections["default"].settings_dict
    if settings["ENGINE"].endswith("sqlite3"):
        own = f"{settings['NAME']}.{os.getpid()}"
        shutil.copy(settings["NAME"], own)
        settings["NAME"] = own


def _apply(mutant: Json) -> None:
    """Replace the code of every function in the module by its code in the mutated source."""
    name = mutant["module"]
    original = codes(compile(Path(name).read_text(), name, "exec"))
    mutated = codes(compile(mutant["source"], name, "exec"))
    by_code = {(c.co_qualname, c.co_firstlineno): mutated[key] for key, c in original.items()}
    applied = False
    gc.unfreeze()  # frozen objects are not listed
    for each in gc.get_objects():
        if type(each) is FunctionType and each.__code__.co_filename.endswith("/" + name):
            code = by_code.get((each.__code__.co_qualname, each.__code__.co_firstlineno))
            if code is not None:
                each.__code__ = code.replace(co_filename=each.__code__.co_filename)
                applied = True
        elif type(each) is _lru_cache_wrapper:
            each.cache_clear()
    if not applied:
        raise ValueError("no such function")


def _first_failure(items: list[pytest.Item]) -> Json:
    until = time.process_time() + SECONDS
    for number, item in enumerate(items):
        following = items[number + 1] if number + 1 < len(items) else None
        with catch_warnings_for_item(item.config, item.ihook, "runtest", item):  # as pytest does
            reports = runtestprotocol(item, nextitem=following, log=False)
        # Failed subtests are not in the reports of their test.
        subtests = item.config.stash[failed_subtests_key]
        if any(report.failed for report in reports) or any(subtests.values()):
            return {"outcome": "killed", "by": item.nodeid}
        if time.process_time() > until:
            return {"outcome": "survived", "why": "out of time"}
    return {"outcome": "survived"}
