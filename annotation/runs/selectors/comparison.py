"""Generators compared: by method, preset, models, kind of change, and run."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

from django.db.models import Count

from annotation.models import Correction, Item, Judgment, Project
from annotation.projects import protocols
from annotation.projects.selectors import study_rows
from annotation.stats import generators
from annotation.stats.agreement import Tally
from annotation.stats.generators import Made, Spent, Yield
from generation import methods
from generation.models import GenerationRun

# Models that every run of a method has, without a choice.
FIXED = ("likeness",)
NAMES = attrgetter("method", "preset", "changed", "models", "kind")
Group = TypeVar("Group", bound=Hashable)
Action = Correction.Action
# Where the answer of a correction is counted.
COUNTED = {Action.ACCEPT: "accepted", Action.FIX: "fixed", Action.REJECT: "rejected"}
OWN = ("candidate__run", "candidate__kind")
PAIR = ("pk", "gold_label", "excluded_by", *OWN, "consensus__tally")
FIRST = ("duplicate_of__candidate__run", "duplicate_of__candidate__kind")


@dataclass(frozen=True, slots=True)
class Source:
    """What made a candidate: a run, by primary key, and the kind of change."""

    run: int
    kind: str


@dataclass(frozen=True, slots=True)
class Repeat:
    """A candidate that repeats the texts of `earlier`, and what people said of those.

    `subject` identifies the answered item: another repeat of it by the same generator adds nothing.
    """

    source: Source
    earlier: Source
    subject: tuple[str, int]
    counts: Made


@dataclass(frozen=True)
class Counts:
    """The runs of a project that have candidates in it, and their counts."""

    runs: dict[int, GenerationRun]
    by_source: dict[Source, Made]
    repeats: list[Repeat]

    @cached_property
    def total(self) -> Made:
        """Everything once."""
        total = Made()
        for counts in self.by_source.values():
            total += counts
        return total

    def by(self, group_of: Callable[[Source], Group]) -> dict[Group, Made]:
        """Add up the counts of each group of sources, repeats of other groups included."""
        counts_by_group = defaultdict[Group, Made](Made)
        for source, counts in self.by_source.items():
            counts_by_group[group_of(source)] += counts
        counted_subjects = set[tuple[Group, tuple[str, int]]]()
        for repeat in self.repeats:
            group = group_of(repeat.source)
            if group == group_of(repeat.earlier) or (group, repeat.subject) in counted_subjects:
                continue
            counted_subjects.add((group, repeat.subject))
            counts_by_group[group] += repeat.counts
        return dict(counts_by_group)

    def spent_by(self, group_of: Callable[[Source], Group]) -> dict[Group, Spent]:
        """Add up what the runs of each group used that ask models on other servers."""
        spent_by_group = defaultdict[Group, Spent](Spent)
        for key, run in self.runs.items():
            if run.most_tokens is not None:
                spent_by_group[group_of(Source(key, ""))] += _spent(run)
        return dict(spent_by_group)


class By(StrEnum):
    """How generators are distinguished."""

    METHOD = "method"
    PRESET = "preset"
    MODELS = "models"
    KIND = "kind"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Generator:
    """One line of a comparison; the parts that do not tell it apart are empty.

    Attributes:
        method, preset, models, kind: their names in the code; an empty preset means own settings.
        changed: the one setting that differs from the preset, such as "per_sentence=3", or
            "recalibrated".
        corpus: name of the corpus of a run.
        run: public id of a run.
        number: primary key of a run, by which pages name it.
    """

    method: str
    preset: str = ""
    changed: str = ""
    models: str = ""
    kind: str = ""
    corpus: str = ""
    run: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """A generator and what it gives."""

    generator: Generator
    figures: Yield


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that entered a project, counted once, and the lines of each way to tell it apart."""

    total: Yield
    lines: dict[str, list[Compared]]


def of_project(project: Project, *ways: By) -> Comparison:
    """Compare the generators of a project in these ways, or in all, in seven queries."""
    counts, protocol = count_by_source(project), protocols.of_project(project)
    lines = {}
    for way in ways or By:
        name = _make_namer(counts, way)
        groups = sorted(counts.by(name).items(), key=_order)
        # A run's requests give candidates of several kinds.
        spent = {} if way is By.KIND else counts.spent_by(name)
        lines[str(way)] = [
            Compared(generator, generators.yield_of(group, protocol, spent.get(generator)))
            for generator, group in groups
        ]
    spent_by_all = counts.spent_by(lambda _source: "")
    total = generators.yield_of(counts.total, protocol, spent_by_all.get(""))
    return Comparison(total, lines)


def _spent(run: GenerationRun) -> Spent:
    currency = run.usage.get("currency", "")
    return Spent(
        tokens_in=run.usage.get("tokens_in", 0),
        tokens_out=run.usage.get("tokens_out", 0),
        cost=Counter({currency: run.cost_used} if currency else {}),
    )


def models_of(identities: Mapping[str, Any]) -> str:
    """Return the models that tell runs apart, such as “en_core_web_sm + gpt2”."""
    names = (model.get("name", "") for part, model in identities.items() if part not in FIXED)
    return " + ".join(dict.fromkeys(filter(None, names)))


def _make_namer(counts: Counts, way: By) -> Callable[[Source], Generator]:
    """Return the function that tells to which generator a source belongs."""
    parts_by_run = {key: _generator_parts(counts, key, way) for key in counts.runs}

    def named(source: Source) -> Generator:
        parts = parts_by_run[source.run]
        return Generator(**parts, kind=source.kind) if way is By.KIND else Generator(**parts)

    return named


def _generator_parts(counts: Counts, key: int, way: By) -> dict[str, Any]:
    run = counts.runs[key]
    parts: dict[str, Any] = {"method": run.method}
    if way in (By.PRESET, By.RUN):
        parts["preset"], parts["changed"] = methods.preset_of(run.method, run.settings)
    if way in (By.MODELS, By.RUN):
        parts["models"] = models_of(run.model_identities)
    if way is By.RUN:
        parts |= {"corpus": run.corpus.name, "run": str(run.public_id), "number": run.pk}
    return parts


def _order(line: tuple[Generator, Any]) -> tuple[Hashable, ...]:
    """Order by method, preset, models and kind; runs from the oldest on."""
    generator = line[0]
    return generator.number or 0, *NAMES(generator)


def count_by_source(project: Project) -> Counts:
    counts = defaultdict[Source, Made](Made)
    _count_candidates(project, counts)
    _count_corrections(project, counts)
    _count_pairs(project, counts)
    repeats = [*_repeated_pairs(project), *_repeated_corrections(project)]
    runs = GenerationRun.objects.select_related("corpus").in_bulk({source.run for source in counts})
    return Counts(runs, dict(counts), repeats)


def _count_candidates(project: Project, counts: defaultdict[Source, Made]) -> None:
    entered = study_rows.candidates(project)
    for run, kind, number in entered.values_list("run", "kind").annotate(Count("pk")):
        counts[Source(run, kind)].candidates += number


def _count_corrections(project: Project, counts: defaultdict[Source, Made]) -> None:
    columns = ("item__candidate__run", "item__candidate__kind", "action")
    rows = Correction.objects.filter(project=project, action__in=COUNTED)
    for run, kind, action, number in rows.values_list(*columns).annotate(Count("pk")):
        counts[Source(run, kind)] += _count_correction(action, number)


def _count_pairs(project: Project, counts: defaultdict[Source, Made]) -> None:
    for run, kind, number in study_rows.pairs(project).values_list(*OWN).annotate(Count("pk")):
        counts[Source(run, kind)].pairs += number
    columns = ("pair__candidate__run", "pair__candidate__kind", "tally")
    decided = study_rows.consensus_rows(project).values_list(*columns)
    for run, kind, tally, number in decided.annotate(Count("pk")):
        counts[Source(run, kind)].votes[tuple(tally)] += number


def _repeated_pairs(project: Project) -> Iterator[Repeat]:
    """Yield the candidates that repeat a pair, whether they were to be corrected or not."""
    repeats = Item.objects.filter(
        project=project,
        duplicate_of__isnull=False,  # lets PostgreSQL begin with the few repeats
        duplicate_of__kind=Judgment.KIND,
        duplicate_of__gold_label=None,
        duplicate_of__excluded_by=None,
        gold_label=None,
    )
    columns = (*OWN, *FIRST, "duplicate_of", "duplicate_of__consensus__tally")
    origin = ("kind", "duplicate_of__origin__item", "duplicate_of__origin__action")
    for row in repeats.values_list(*columns, *origin):
        run, kind, first_run, first_kind, pair, tally, origin_kind, item, action = row
        source, earlier = Source(run, kind), Source(first_run, first_kind)
        yield Repeat(source, earlier, ("pair", pair), _pair(tally))
        if origin_kind == Correction.KIND and action == Action.ACCEPT:
            yield Repeat(source, earlier, ("correction", item), _count_correction(action, 1))


def _repeated_corrections(project: Project) -> Iterator[Repeat]:
    """Yield the candidates that repeat one to correct: its correction, and the pair that it gave.

    The pair of a correction may itself repeat an earlier pair, and then that was judged.
    """
    repeats = Item.objects.filter(
        project=project, duplicate_of__isnull=False, duplicate_of__kind=Correction.KIND
    )
    slot = "duplicate_of__slots"
    result = f"{slot}__results"
    columns = [*OWN, *FIRST, "duplicate_of", f"{slot}__action", f"{result}__duplicate_of"]
    for at in (result, f"{result}__duplicate_of"):
        columns += [f"{at}__{name}" for name in PAIR]
    for run, kind, first_run, first_kind, item, action, again_of, *pairs in repeats.values_list(
        *columns
    ):
        source = Source(run, kind)
        if action in COUNTED:
            counts = _count_correction(action, 1)
            yield Repeat(source, Source(first_run, first_kind), ("correction", item), counts)
        # The pair of the correction, or the earlier pair that it repeats.
        key, gold, excluded, pair_run, pair_kind, tally = pairs[6:] if again_of else pairs[:6]
        if key is not None and gold is None and excluded is None:
            yield Repeat(source, Source(pair_run, pair_kind), ("pair", key), _pair(tally))


def _count_correction(action: str, number: int) -> Made:
    counts = Made()
    setattr(counts, COUNTED[Action(action)], number)
    return counts


def _pair(tally: Iterable[Any] | None) -> Made:
    counts = Made(pairs=1)
    if tally is not None:
        votes: Tally = tuple(tally)
        counts.votes[votes] = 1
    return counts
