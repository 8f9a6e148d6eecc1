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
from functools import _lru_cache_wrapper
from multiprocessing import get_context
from multiprocessing.connection import Connection
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
WAIT = 20 * SECONDS  # time for one mutant, which may sleep, at most
MEMORY = 8 * 2**30  # bytes of address space
FORK = get_context("fork")
Json = dict[str, Any]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mutants")
    for name in ("--mutants", "--covered", "--results"):
        group.addoption(name, type=Path)
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
    options.results.touch()
    found = map(json.loads, options.results.read_text().splitlines())
    # Mutants that SQLite does not reach are tested again on PostgreSQL, and so are errors here.
    done = {line["id"] for line in found if line["outcome"] not in ("not reached", "error")}
    place, shards = map(int, options.shard.split("/"))
    reached, trials = Reached(options.covered, session.items), Trials()
    _set_up_session(session.items)
    for mutant in json.loads(options.mutants.read_text())[place - 1 :: shards]:
        if mutant["id"] not in done:
            items = reached.by(mutant)
            outcome = trials.outcome(mutant, items) if items else {"outcome": "not reached"}
            line = {key: value for key, value in mutant.items() if key not in ("source", "lines")}
            with options.results.open("a") as results:
                results.write(json.dumps(line | {"tests": len(items)} | outcome) + "\n")
    return True


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
        """Return the tests, those of the module itself first, then those of its folder."""
        [file] = [
            name for name in self.data.measured_files() if name.endswith("/" + mutant["module"])
        ]
        contexts = self.data.contexts_by_lineno(file)
        own = [line for line in mutant["lines"] if line in contexts]
        before = [line for line in own if line <= mutant["line"]]
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
            return (name not in item.path.stem, room not in item.path.parts, item.nodeid)

        return sorted(found.values(), key=distance)


def _folder(nodeid: str) -> str:
    return str(Path(nodeid.split("::")[0]).parent)


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
    receiver, sender = FORK.Pipe(duplex=False)
    child = FORK.Process(target=_live, args=(mutant, items, sender))
    child.start()
    child.join(WAIT)
    if child.is_alive():
        child.kill()
        child.join()
    if child.exitcode in (-signal.SIGKILL, -signal.SIGXCPU):
        return {"outcome": "timeout"}
    found: Json = receiver.recv() if receiver.poll() else {"outcome": "crashed"}
    return found


def _live(mutant: Json | None, items: list[pytest.Item], sender: "Connection[Any, Any]") -> None:
    """Test a mutant in the child process. Never returns."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (3 * SECONDS, 3 * SECONDS + 5))
    own = _use_own_database()
    try:
        if mutant:
            _apply(mutant)
        found = _first_failure(items)
    except BaseException as error:
        found = {"outcome": "error", "why": repr(error)}
    sender.send(found)
    if own:
        Path(own).unlink(missing_ok=True)
    os._exit(0)


def _use_own_database() -> str:
    """Copy the database of SQLite. Returns the name of the copy; nothing on PostgreSQL."""
    settings = connections["default"].settings_dict
    if not settings["ENGINE"].endswith("sqlite3"):
        return ""
    name, settings["NAME"] = settings["NAME"], f"{settings['NAME']}.{os.getpid()}"
    shutil.copy(name, settings["NAME"])
    return str(settings["NAME"])


def _apply(mutant: Json) -> None:
    """Replace the code of every function in the module by its code in the mutated source."""
    name = mutant["module"]
    original = codes(compile(Path(name).read_text(), name, "exec"))
    mutated = codes(compile(mutant["source"], name, "exec"))
    by_code = {(c.co_qualname, c.co_firstlineno): mutated[key] for key, c in original.items()}
    gc.unfreeze()  # frozen objects are not listed
    applied = False
    for each in gc.get_objects():
        if type(each) is FunctionType and each.__code__.co_filename.endswith("/" + name):
            code = by_code.get((each.__code__.co_qualname, each.__code__.co_firstlineno))
            if code is not None:
                each.__code__ = code.replace(co_filename=each.__code__.co_filename)
                applied = True
        elif type(each) is _lru_cache_wrapper:
            each.cache_clear()
    if not applied:
        raise LookupError("no such function")


def _first_failure(items: list[pytest.Item]) -> Json:
    until = time.process_time() + SECONDS
    for item, following in zip(items, [*items[1:], None], strict=True):
        with catch_warnings_for_item(item.config, item.ihook, "runtest", item):  # as pytest does
            reports = runtestprotocol(item, nextitem=following, log=False)
        # Failed subtests are not in the reports of their test.
        subtests = item.config.stash[failed_subtests_key]
        if any(report.failed for report in reports) or any(subtests.values()):
            return {"outcome": "killed", "by": item.nodeid}
        if time.process_time() > until:
            return {"outcome": "survived", "why": "out of time"}
    return {"outcome": "survived"}
