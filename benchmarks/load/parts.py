"""The parts of the measurement: each a load on a database of its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from benchmarks.load import (
    asking,
    broker,
    crashes,
    crowd,
    evaluating,
    hostile,
    payloads,
    restore,
    simulation,
)
from benchmarks.load.crowd import Load, Outcome
from benchmarks.load.production import slow_strangers, start_installation
from benchmarks.load.simulation import Site
from benchmarks.table import Figure, Goal, at_least, at_most
from support.imported_study import SLOTS
from support.person import Habits
from support.services import sites
from support.services.sites import Engine, Servers

# As people take their time: three seconds on average.
THREE_SECONDS = Habits(pace=(2, 4))
HURRYING = Habits(pace=(0.2, 0.6))
SOON = at_most(300)
# Those of docs/operator/scaling.md.
SITES = (
    Site(people=10, think=3, cores=1),
    Site(people=200, think=3, cores=2),
    Site(people=200, think=10, cores=1),
    Site(people=5000, think=10, cores=8),
    Site(people=5000, think=3, cores=24),
)


def two_hundred_people(on: Servers, *, short: bool) -> list[Figure]:
    """A whole study by two hundred people, each of whom takes three seconds for an answer."""
    load = Load("200 people", people=200, pairs=10_000, habits=THREE_SECONDS)
    outcome = crowd.put_load(on, load.shortened() if short else load)
    expected = simulation.percentile_ms(Site(people=200, think=3, cores=2), 95)
    pace = _speed_figures(outcome, expected, short=short)
    return [*_promise_figures(outcome), _error_figure(outcome), *pace]


def twenty_people(on: Servers, *, short: bool) -> list[Figure]:
    """Twenty people who hurry."""
    load = Load("20 people", people=20, pairs=1000, habits=HURRYING)
    outcome = crowd.put_load(on, load.shortened() if short else load)
    return [
        *_promise_figures(outcome),
        _error_figure(outcome),
        *_speed_figures(outcome, short=short),
    ]


def repeated_answers(on: Servers, *, short: bool) -> list[Figure]:
    """Each answer is sent three times, and one in ten once more by a connection that is cut."""
    habits = replace(HURRYING, copies=3, cut_off=0.1)
    load = Load("sent thrice", people=30, pairs=500, habits=habits)
    outcome = crowd.put_load(on, load.shortened() if short else load)
    unlike = Figure("copies with another reply", outcome.unlike, goal=at_most(0))
    return [*_promise_figures(outcome), _error_figure(outcome), unlike]


def pulled_plugs(on: Servers, *, short: bool) -> list[Figure]:
    """Ten kills of the database and ten of the web server; three of ten items are left."""
    outcome = _kill_servers(on, replace(HURRYING, abandoned=0.3), short=short)
    return [
        *_promise_figures(outcome),
        Figure("items left by somebody", outcome.left),
        Figure("requests without a reply, sent again", outcome.statuses[0]),
        # The database was away: the page sends those again as well.
        Figure("5xx, sent again", outcome.server_errors),
    ]


def forgetful(on: Servers, *, short: bool) -> list[Figure]:
    """What kills do where an answer is acknowledged before it is on disk: the ledgers tell."""
    outcome = _kill_servers(on, HURRYING, short=short)
    return [Figure("kinds of broken promises", len(outcome.faults), goal=at_least(1))]


def _kill_servers(on: Servers, habits: Habits, *, short: bool) -> Outcome:
    load = Load("killed", people=40, pairs=1000, habits=habits)
    load, times = (load.shortened(), 1) if short else (load, 10)
    # There is work left after the last kill, for whoever has to find out what was lost.
    answers_between = load.pairs * SLOTS // (2 * times + 1)
    return crowd.put_load(
        on, load, meanwhile=crashes.kill_in_turns(on, times=times, judgments=answers_between)
    )


def production(on: Servers, *, short: bool) -> list[Figure]:
    """A whole study by two hundred people, through Caddy, beside three hundred slow strangers."""
    load = Load("200 people beside strangers", people=200, pairs=10_000, habits=THREE_SECONDS)
    with slow_strangers(on) as strangers:
        outcome = crowd.put_load(on, load.shortened() if short else load)
    beside = Figure("slow connections beside them", strangers, goal=at_least(300))
    pace = _speed_figures(outcome, short=short, soon=at_most(500))
    return [*_promise_figures(outcome), _error_figure(outcome), beside, *pace]


def killed_production(on: Servers, *, short: bool) -> list[Figure]:
    """The same, where each server is killed in turn, the proxy, Redis and the worker included."""
    load = Load("production, killed", people=200, pairs=10_000, habits=THREE_SECONDS)
    load, times = (load.shortened(), 1) if short else (load, 3)
    answers_between = load.pairs * SLOTS // (len(on.all) * times + 1)
    kills = crashes.kill_in_turns(on, times=times, judgments=answers_between)
    with slow_strangers(on):
        outcome = crowd.put_load(on, load, meanwhile=kills)
    return [
        *_promise_figures(outcome),
        Figure("kills", len(on.all) * times),
        Figure("requests without a reply, sent again", outcome.statuses[0]),
        # A server was away: the page sends those again as well.
        Figure("5xx, sent again", outcome.server_errors),
    ]


def larger_sites(_on: None, *, short: bool) -> list[Figure]:
    """Sites that are larger than this machine: how soon replies would come there."""
    sites = SITES[:1] if short else SITES
    return [
        Figure(
            f"{site.people:,} people, {site.think:g} s, {site.cores} cores: p95",
            simulation.percentile_ms(site, 95),
            "ms",
            goal=SOON,
        )
        for site in sites
    ]


Part = Callable[..., list[Figure]]
PARTS: Mapping[str, tuple[Engine, Part]] = {
    "crowd": (Engine.POSTGRES, two_hundred_people),
    "production": (Engine.PRODUCTION, production),
    "production-killed": (Engine.PRODUCTION, killed_production),
    "evaluating": (Engine.POSTGRES, evaluating.figures),
    "asking": (Engine.POSTGRES, asking.figures),
    "repeats": (Engine.POSTGRES, repeated_answers),
    "crashes": (Engine.POSTGRES, pulled_plugs),
    "sqlite": (Engine.SQLITE, twenty_people),
    "forgetful": (Engine.FORGETFUL_POSTGRES, forgetful),
    "broker": (Engine.NONE, broker.figures),
    "hostile": (Engine.POSTGRES, hostile.figures),
    "payloads": (Engine.NONE, payloads.figures),
    "restore": (Engine.POSTGRES, restore.figures),
    "simulation": (Engine.NONE, larger_sites),
}


def run(engine: Engine, names: Sequence[str], *, short: bool) -> list[Figure]:
    """Measure parts that need this engine, in this process, which is set up for it."""
    figures: list[Figure] = []
    start = start_installation() if engine is Engine.PRODUCTION else sites.start_site(engine)
    with start as servers:
        for name in names:
            part_figures = PARTS[name][1](servers, short=short)
            figures += [replace(figure, name=f"{name}: {figure.name}") for figure in part_figures]
    return figures


def _promise_figures(outcome: Outcome) -> list[Figure]:
    for fault in outcome.faults:
        print(f"{outcome.load.name}: {fault}")
    expected, all_of_them = outcome.load.pairs * SLOTS, at_least(1, of_ratio=True)
    return [
        Figure("judgments", outcome.judgments, reference=expected, goal=all_of_them),
        Figure("broken promises", len(outcome.faults), goal=at_most(0)),
    ]


def _error_figure(outcome: Outcome) -> Figure:
    return Figure("5xx", outcome.server_errors, goal=at_most(0))


def _speed_figures(
    outcome: Outcome, expected: float | None = None, *, short: bool, soon: Goal = SOON
) -> list[Figure]:
    """How soon replies came, beside what a simulation expects: nothing of a short run."""
    if short:
        return []
    return [
        Figure("p50", outcome.percentile_ms(50), "ms"),
        Figure("p95", outcome.percentile_ms(95), "ms", expected, soon),
        Figure("p99", outcome.percentile_ms(99), "ms"),
        Figure("judgments/s", outcome.judgments / outcome.wall),
    ]
