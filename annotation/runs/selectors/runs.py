"""The runs of a project, and what their pages show."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Intake, Project, SentencePair
from annotation.pairs import differences
from annotation.pairs.differences import Piece
from annotation.stats.intervals import wilson
from generation import methods, previews, run_figures, selectors
from generation.models import Candidate, GenerationRun, Method, Sentence
from generation.nlp.settings import Preset
from generation.previews import Previewed

MOST_CANDIDATES = 3
# Sentences with candidates that are shown at first.
FIRST = 4
# Refused rewrites of a preview that are shown.
MOST_REFUSED = 20


@dataclass(frozen=True, slots=True)
class Compared:
    """A candidate and its source, both in pieces, with its measures.

    Two definitions of an entity are no rewrites of each other, nor is a translation one of its
    source: each is one piece, and `heading` is the entity, or the language.
    """

    heading: str
    languages: tuple[str, str]
    before: list[Piece]
    after: list[Piece]
    kind: str
    loss: float | None
    probability: float | None

    @property
    def sentences(self) -> list[list[Piece]]:
        return [self.before, self.after]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A sentence of a preview with its best candidates, and how many `more` there are."""

    candidates: list[Compared]
    more: int


@dataclass(frozen=True, slots=True)
class Fruitless:
    """A sentence of a preview without candidates, and the reason in words."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Preview:
    """The sentences of a preview, the likeliest to be accepted first.

    `refused` are the best rewrites that are no candidates, each with the reason. `expected` is the
    range of sentences of the whole run that will have candidates (95 %), and `hours` what the
    others take; None if there are no others, or it is unknown. `presets` are those with other
    settings, and how many of these sentences get a candidate by each, if that is known.
    """

    rewritten: list[Rewritten]
    fruitless: list[Fruitless]
    refused: list[tuple[Compared, str]]
    expected: tuple[int, int] | None
    hours: float | None
    presets: list[tuple[Preset, int | None]]

    @property
    def size(self) -> int:
        return len(self.rewritten) + len(self.fruitless)

    @property
    def number(self) -> int:
        """The number of candidates."""
        return sum(len(row.candidates) + row.more for row in self.rewritten)

    @property
    def entities(self) -> int:
        """The number of entities with candidates."""
        return len({row.candidates[0].heading for row in self.rewritten})

    @property
    def first(self) -> list[Rewritten]:
        return self.rewritten[:FIRST]

    @property
    def others(self) -> list[Rewritten]:
        return self.rewritten[FIRST:]

    @property
    def has_estimates(self) -> bool:
        rows = (candidate for row in self.rewritten for candidate in row.candidates)
        return any(candidate.probability is not None for candidate in rows)


def of_project(project: Project) -> list[GenerationRun]:
    """Return the runs, newest first, with their counts and `has_entered`, in one query."""
    entered = Intake.objects.filter(project=project, batch__run=OuterRef("pk"))
    rows = project.runs.select_related("corpus").annotate(has_entered=Exists(entered))
    return list(selectors.annotate_runs(rows).order_by("-pk"))


def methods_in(project: Project) -> set[str]:
    """Return the methods whose candidates the project has, or will have from its runs."""
    of_runs = set(project.runs.values_list("method", flat=True))
    # A comparison study has no runs: its items are of candidates of another project.
    return of_runs or set(project.items.values_list("candidate__run__method", flat=True).distinct())


def waiting_previews(project: Project) -> QuerySet[GenerationRun]:
    return project.runs.filter(selectors.awaiting_approval())


def preview(run: GenerationRun) -> Preview | None:
    """Return what a preview has made so far; None of another run."""
    rows = previews.sentences(run) if run.preview else []
    if not rows:
        return None
    rewritten = [_rewrites(run, row.sentence, row.candidates) for row in rows if row.candidates]
    rewritten.sort(key=lambda row: -(row.candidates[0].probability or 0.0))
    progress = selectors.progress(run)
    seconds = previews.seconds_of_others(run, progress.open)
    return Preview(
        rewritten,
        fruitless=[
            Fruitless(row.sentence.text, run_figures.in_words(row.reason))
            for row in rows
            if not row.candidates
        ],
        refused=_refused(run, rows),
        expected=_expected_range(len(rewritten), len(rows), progress.total),
        hours=seconds / 3600 if seconds else None,
        presets=_other_presets(run, rows),
    )


def _refused(run: GenerationRun, rows: list[Previewed]) -> list[tuple[Compared, str]]:
    rewrites = [(row, row.refused) for row in rows if row.refused]
    rewrites.sort(key=lambda pair: -(pair[1]["probability"] or 0.0))
    columns = ("text", "kind", "probability")
    return [
        (
            compare(run, row.sentence, Candidate(**{name: rewrite[name] for name in columns})),
            run_figures.in_words(row.reason),
        )
        for row, rewrite in rewrites[:MOST_REFUSED]
    ]


def _other_presets(run: GenerationRun, rows: list[Previewed]) -> list[tuple[Preset, int | None]]:
    current, changed = methods.preset_of(run.method, run.settings)
    return [
        (preset, previews.number_with(run, preset, rows))
        for preset in methods.named(run.method).presets
        if changed or preset.name != current
    ]


def _expected_range(part: int, whole: int, total: int) -> tuple[int, int] | None:
    interval = wilson(part, whole)
    if total <= whole or interval is None:
        return None
    low, high = interval
    return max(part, round(low * total)), round(high * total)


def _rewrites(run: GenerationRun, source: Sentence, candidates: list[Candidate]) -> Rewritten:
    comparisons = [compare(run, source, candidate) for candidate in candidates[:MOST_CANDIDATES]]
    return Rewritten(comparisons, len(candidates) - len(comparisons))


def compare(run: GenerationRun, source: Sentence, candidate: Candidate) -> Compared:
    heading, languages = source.entity if run.is_by_entity else "", (run.corpus.language,) * 2
    if run.method == Method.TRANSLATION:
        heading = run.settings["language"]
        languages = (run.corpus.language, heading)
    before, after = differences.pieces(source.text, candidate.text)
    if heading:
        before, after = [Piece(source.text, False)], [Piece(candidate.text, False)]
    return Compared(
        heading,
        languages,
        before,
        after,
        differences.change_name(candidate.kind),
        selectors.loss(candidate),
        candidate.probability,
    )


def gold_runs() -> QuerySet[SentencePair, Any]:
    """Return runs that contain gold pairs, which cannot become study pairs of any project."""
    gold = SentencePair.objects.filter(gold_label__isnull=False)
    return gold.values_list("candidate__run", flat=True)
