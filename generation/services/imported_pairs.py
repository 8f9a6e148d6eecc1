"""Imports externally generated pairs as candidates of the sentences that they rewrite."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from django.db.models import QuerySet
from django.utils import timezone

from common import bulk, garbage_collection
from generation.methods.contract import ACCEPTED
from generation.models import Batch, Candidate, Corpus, GenerationRun
from generation.nlp.likeness_process import Likeness
from generation.nlp.measures import PairFilter, Verdict
from generation.readers import PairLine
from generation.records import Refusal, RefusedLine
from generation.services import source_links
from generation.services.prefetch import Maker, Rewrite, measured
from generation.services.source_links import SentenceBook, Source

FIRST_REFUSALS = 20

LinkedRewrite: TypeAlias = tuple[Source, str, Likeness]


@dataclass(slots=True)
class PairReport:
    """Counts of the lines of a file, and the runs with the new candidates.

    `refused` counts lines that could not be read or linked, `dropped` pairs that the filter
    dropped, both by reason.
    """

    read: int = 0
    added: int = 0
    duplicates: int = 0
    new_sentences: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    first_refusals: list[Refusal] = field(default_factory=list)
    runs: dict[Maker, GenerationRun] = field(default_factory=dict)

    def refuse(self, refusal: Refusal) -> None:
        """Count a refused line, and keep it if it is one of the first."""
        self.refused[refusal.reason] += 1
        if len(self.first_refusals) < FIRST_REFUSALS:
            self.first_refusals.append(refusal)


@garbage_collection.paused()
def import_candidates(
    lines: Iterable[PairLine | Refusal],
    *,
    corpus: Corpus,
    origin: str,
    rule: PairFilter | None = None,
    on_run: Callable[[GenerationRun], object] | None = None,
) -> PairReport:
    """Add pairs as candidates of finished runs, one run for each method and model.

    A source sentence is found by its id or its text in the corpus, or else added as a new source.
    Importing the same rewrite by the same maker again adds nothing. `origin` describes where the
    pairs were generated, and is stored with the runs. `rule` selects the pairs to add, per maker
    and chunk of lines; without it, all are added. `on_run` is called for each new run in the
    transaction that creates it, so that its changes persist even if the import fails later. The
    import is durable once this returns.
    """
    run_settings = {"imported_from": origin} | ({} if rule is None else _without_seed(rule))
    work = _Import(corpus, rule, run_settings, on_run, PairReport())
    try:
        for chunk, likeness in measured(lines):
            work.report.read += chunk.lines
            for refusal in chunk.refusals:
                work.report.refuse(refusal)
            work.add(chunk.rewrites, likeness)
    finally:
        work.finish()
    return work.report


@dataclass(frozen=True, slots=True)
class _Import:
    """An import in progress: corpus, filter, settings of its runs, and report."""

    corpus: Corpus
    rule: PairFilter | None
    run_settings: dict[str, Any]
    on_run: Callable[[GenerationRun], object] | None
    report: PairReport

    @bulk.transaction_ahead_of_the_disk()
    def add(self, rewrites: Sequence[Rewrite], likenesses: Sequence[Likeness]) -> None:
        """Add rewrites in one transaction; lock the corpus so that imports add no text twice."""
        Corpus.objects.select_for_update().get(pk=self.corpus.pk)
        book = SentenceBook.over(self.corpus, rewrites)
        linked = self._link(zip(rewrites, likenesses, strict=True), book)
        kept = {maker: self._kept(rewrites) for maker, rewrites in linked.items()}
        sources = [source for of_maker in kept.values() for source, *_ in of_maker]
        known = {source.pk for source in sources if source.pk is not None}
        self.report.new_sentences += source_links.store(sources, corpus=self.corpus)
        for maker, of_maker in kept.items():
            self._add_rewrites(maker, of_maker, known)

    def finish(self) -> None:
        """Set the end time of the runs, and wait until it and all earlier changes are on disk."""
        made = GenerationRun.objects.filter(pk__in=[run.pk for run in self.report.runs.values()])
        made.update(finished_at=timezone.now())

    def _link(
        self, rewrites: Iterable[tuple[Rewrite, Likeness]], book: SentenceBook
    ) -> dict[Maker, list[LinkedRewrite]]:
        linked: dict[Maker, list[LinkedRewrite]] = {}
        for rewrite, likeness in rewrites:
            try:
                one = book.source(rewrite), rewrite.line.sentence2, likeness
                linked.setdefault(rewrite.maker, []).append(one)
            except RefusedLine as refused:
                self.report.refuse(Refusal(rewrite.line.line, refused.reason))
        return linked

    def _kept(self, rewrites: Sequence[LinkedRewrite]) -> Sequence[LinkedRewrite]:
        """Return the rewrites that the rule keeps; count the rest by reason."""
        if self.rule is None:
            return rewrites
        verdicts = self.rule.verdicts([(source.text, text) for source, text, _ in rewrites])
        self.report.dropped.update(str(v) for v in verdicts if v is not Verdict.KEPT)
        judged = zip(rewrites, verdicts, strict=True)
        return [rewrite for rewrite, verdict in judged if verdict is Verdict.KEPT]

    def _add_rewrites(
        self, maker: Maker, rewrites: Sequence[LinkedRewrite], known: Collection[int]
    ) -> None:
        """Add rewrites that are new for this maker; `known` are existing source sentences."""
        made = _known_rewrites(maker, known)
        once = dict.fromkeys(rewrites)
        fresh = [each for each in once if (each[0].pk, each[1]) not in made] if made else [*once]
        self.report.duplicates += len(rewrites) - len(fresh)
        self.report.added += len(fresh)
        if not fresh:
            return
        if maker not in self.report.runs:
            self.report.runs[maker] = self._run(maker)
        _store(self.report.runs[maker], fresh, known)

    def _run(self, maker: Maker) -> GenerationRun:
        method, model = maker
        run = GenerationRun.objects.create(
            corpus=self.corpus,
            method=method,
            settings=self.run_settings,
            model_identities=_identities(model),
            seed=self.rule.seed if self.rule else 0,
            state=GenerationRun.State.DONE,
            finished_at=timezone.now(),
        )
        if self.on_run:
            self.on_run(run)
        return run


def _known_rewrites(maker: Maker, sentences: Collection[int]) -> set[tuple[int | None, str]]:
    if not sentences:
        return set()
    method, model = maker
    runs = GenerationRun.objects.filter(method=method, model_identities=_identities(model))
    of_maker = set(runs.values_list("pk", flat=True))
    rewrites = _rewrites(sentences).values_list("sentence_id", "text", "run_id")
    return {(sentence, text) for sentence, text, run in rewrites if run in of_maker}


def _rewrites(sentences: Collection[int]) -> QuerySet[Candidate]:
    """Filter by sentence only: Postgres has no statistics on a new run, and would read it all."""
    return Candidate.objects.filter(bulk.among("sentence", sentences))


def _without_seed(rule: PairFilter) -> dict[str, Any]:
    return {name: value for name, value in asdict(rule).items() if name != "seed"}


def _identities(model: str) -> dict[str, dict[str, str]]:
    return {"generator": {"name": model or "unknown", "revision": "made elsewhere"}}


def _store(run: GenerationRun, rewrites: Sequence[LinkedRewrite], known: Collection[int]) -> None:
    """Store a finished batch of the run, with a candidate for each rewrite."""
    sentences = [source.pk for source, *_ in rewrites if source.pk is not None]
    batch = _batch(run, sentences)
    ranked = zip(sentences, _ranks(run, sentences, known), rewrites, strict=True)
    bulk.insert(
        Candidate,
        ((sentence, rank, text, *likeness) for sentence, rank, (_, text, likeness) in ranked),
        fields=("sentence_id", "rank", "text", "similarity", "inversion_rate"),
        run_id=run.pk,
        batch_id=batch.pk,
    )


def _batch(run: GenerationRun, rewritten: Sequence[int]) -> Batch:
    return Batch.objects.create(
        run=run,
        number=run.batches.count() + 1,
        first_sentence=min(rewritten),
        last_sentence=max(rewritten),
        size=len(rewritten),
        state=Batch.State.DONE,
        outcomes={ACCEPTED: len(rewritten)},
        finished_at=timezone.now(),
    )


def _ranks(run: GenerationRun, sentences: Sequence[int], known: Collection[int]) -> Iterator[int]:
    """Yield the next free rank in the run for each of these sentences."""
    taken = _rewrites(known).values_list("sentence_id", "run_id")
    used = Counter(sentence for sentence, of_run in taken if of_run == run.pk)
    for sentence in sentences:
        yield used[sentence]
        used[sentence] += 1
