"""Imports externally generated pairs as candidates of the sentences that they rewrite."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from django.utils import timezone

from common import bulk
from generation.models import OF_PAIRS, Batch, Candidate, Corpus, GenerationRun, Method
from generation.nlp.measures import PairFilter, Verdict, is_rotation, likeness
from generation.nlp.rewrites import ACCEPTED
from generation.nlp.text import pair_key
from generation.readers import Generated, PairLine
from generation.records import Fault, Follower, Refusal, RefusedLine, Report, in_chunks
from generation.services.sources import Source, SourceBook, store_sources

# Lines per transaction; a filter draws its share from each.
LINES_AT_ONCE = 5_000
# Identity of the generator of pairs created elsewhere, where no file states it.
UNKNOWN, MADE_ELSEWHERE = "unknown", "made elsewhere"
METHODS = frozenset(dict(OF_PAIRS))
# Columns of a candidate that only its generator knows.
MEASURES = ("kind", "score", "source_score", "probability", "paraphrase", "alternatives")

# A candidate: its sentence, text, run and rank.
Earlier: TypeAlias = tuple[int, str, int, int]
OnRun: TypeAlias = Callable[[GenerationRun], object]


class Maker(NamedTuple):
    """What created pairs: they become one run. `run` is that of `Generated`, "" for other pairs."""

    method: str
    model: str = ""
    run: str = ""

    def about(self) -> dict[str, Any]:
        """Return settings, seed and identities of models, as far as they are known."""
        if self.run:
            return json.loads(self.run)  # type: ignore[no-any-return]
        identity = {"name": self.model or UNKNOWN, "revision": MADE_ELSEWHERE}
        return {"settings": {}, "identities": {"generator": identity}}

    def runs(self) -> set[int]:
        """Return the keys of the runs with its pairs."""
        about = self.about()
        runs = GenerationRun.objects.filter(
            method=self.method, model_identities=about["identities"]
        )
        if "seed" in about:
            runs = runs.filter(seed=about["seed"])
        return {
            pk
            for pk, settings in runs.values_list("pk", "settings")
            if settings.items() >= about["settings"].items()
        }


@dataclass(slots=True)
class PairReport(Report):
    """Counts also the new source sentences, and the pairs that the filter dropped, by reason.

    `runs` are the runs with the new candidates.
    """

    new_sentences: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    runs: dict[Maker, GenerationRun] = field(default_factory=dict)


@bulk.no_garbage_collection()
def import_candidates(
    lines: Iterable[PairLine | Refusal],
    *,
    corpus: Corpus,
    origin: str,
    pair_filter: PairFilter | None = None,
    on_run: OnRun | None = None,
    follower: Follower | None = None,
    keeps_lines: bool = True,
) -> PairReport:
    """Add pairs once for each maker, as candidates of finished runs; durable once this returns.

    `pair_filter` selects from each chunk of lines. `on_run` is called for each new run in the
    transaction that creates it, so that its changes persist even if the import fails later.
    """
    work = _Import(corpus, origin, pair_filter, on_run, keeps_lines, PairReport(follower=follower))
    try:
        for chunk in in_chunks(lines, LINES_AT_ONCE):
            work.add(list(work.report.readable(chunk)))
    finally:
        work.finish()
    return work.report


def foretell(lines: Sequence[PairLine], corpus: Corpus, report: Report) -> None:
    """Report which pairs an import would refuse or has already; nothing is stored.

    The corpus may be one that is not stored yet.
    """
    rewrites_by_maker = _rewrites_by_maker(lines, corpus, report)
    earlier = _earlier_rewrites(_stored_texts(rewrites_by_maker))
    for maker, pairs in rewrites_by_maker.items():
        _new_pairs(maker, pairs, earlier, report)


class Rewrite(NamedTuple):
    """A text that rewrites a source, and what the file of its run says about it."""

    source: Source
    text: str
    external_id: str = ""
    generated: Generated | None = None


@dataclass(slots=True)
class _Import:
    corpus: Corpus
    origin: str
    pair_filter: PairFilter | None
    on_run: OnRun | None
    keeps_lines: bool = True
    report: PairReport = field(default_factory=PairReport)

    @bulk.transaction_ahead_of_the_disk()
    def add(self, lines: Sequence[PairLine]) -> None:
        """Add pairs in one transaction; lock the corpus so that imports add no text twice."""
        Corpus.objects.select_for_update().get(pk=self.corpus.pk)
        rewrites_by_maker = _rewrites_by_maker(lines, self.corpus, self.report)
        texts = _stored_texts(rewrites_by_maker)
        earlier = _earlier_rewrites(texts)
        kept_by_maker = {
            maker: self._filter_pairs(pairs, self._keys_of_others(maker, earlier, texts))
            for maker, pairs in rewrites_by_maker.items()
        }
        sources = dict.fromkeys(pair.source for pairs in kept_by_maker.values() for pair in pairs)
        for source in () if self.keeps_lines else sources:
            source.line = None
        self.report.new_sentences += store_sources(sources, corpus=self.corpus)
        for maker, pairs in kept_by_maker.items():
            self._add_rewrites(maker, pairs, earlier)
        self.report.stored()

    def finish(self) -> None:
        """Set the end time of the runs, and wait until it and all earlier changes are on disk."""
        runs = GenerationRun.objects.filter(pk__in=[run.pk for run in self.report.runs.values()])
        runs.update(finished_at=timezone.now())

    def _keys_of_others(
        self, maker: Maker, earlier: Sequence[Earlier], texts: Mapping[int, str]
    ) -> set[UUID]:
        """Return the keys of the earlier pairs of other makers, for the filter.

        Those of this maker are left out, so that the same file draws the same pairs again.
        """
        if not self.pair_filter or not earlier:
            return set()
        runs = maker.runs()
        return {pair_key(texts[pk], text) for pk, text, run, _ in earlier if run not in runs}

    def _filter_pairs(self, pairs: Sequence[Rewrite], earlier: Set[UUID]) -> Sequence[Rewrite]:
        if self.pair_filter is None:
            return pairs
        verdicts = self.pair_filter.verdicts(
            [(pair.source.text, pair.text) for pair in pairs], earlier
        )
        self.report.dropped.update(
            str(verdict) for verdict in verdicts if verdict is not Verdict.KEPT
        )
        pairs_and_verdicts = zip(pairs, verdicts, strict=True)
        return [pair for pair, verdict in pairs_and_verdicts if verdict is Verdict.KEPT]

    def _add_rewrites(
        self, maker: Maker, pairs: Sequence[Rewrite], earlier: Sequence[Earlier]
    ) -> None:
        new_pairs = _new_pairs(maker, pairs, earlier, self.report)
        if not new_pairs:
            return
        if maker not in self.report.runs:
            self.report.runs[maker] = self._new_run(maker)
        run = self.report.runs[maker]
        taken = {(sentence, rank) for sentence, _, run_id, rank in earlier if run_id == run.pk}
        _add_batch(run, new_pairs, taken)

    def _new_run(self, maker: Maker) -> GenerationRun:
        about = maker.about()
        filter_settings = self.pair_filter.to_dict() if self.pair_filter else {}
        seed = filter_settings.pop("seed", 0)
        run = GenerationRun.objects.create(
            corpus=self.corpus,
            method=maker.method,
            seed=about.get("seed", seed),
            settings={"imported_from": self.origin} | about["settings"] | filter_settings,
            model_identities=about["identities"],
            state=GenerationRun.State.DONE,
            finished_at=timezone.now(),
        )
        if self.on_run:
            self.on_run(run)
        return run


def _rewrites_by_maker(
    lines: Sequence[PairLine], corpus: Corpus, report: Report
) -> dict[Maker, list[Rewrite]]:
    """Link each line to its source sentence; refuse those that cannot be linked."""
    book, rewrites_by_maker = SourceBook(corpus, lines), defaultdict[Maker, list[Rewrite]](list)
    for line in lines:
        try:
            maker = _maker_of(line)
            source = book.source(line)
            rewrite = Rewrite(source, line.sentence2, line.pair_id, line.generated)
            rewrites_by_maker[maker].append(rewrite)
        except RefusedLine as refused:
            report.refuse(line.line, refused.reason)
    return rewrites_by_maker


def _stored_texts(rewrites_by_maker: Mapping[Maker, Sequence[Rewrite]]) -> dict[int, str]:
    """Return the texts of the sources that the corpus has, by primary key."""
    return {
        pair.source.pk: pair.source.text
        for pairs in rewrites_by_maker.values()
        for pair in pairs
        if pair.source.pk
    }


def _new_pairs(
    maker: Maker,
    pairs: Sequence[Rewrite],
    earlier: Sequence[Earlier],
    report: Report,
) -> list[Rewrite]:
    """Return the pairs that this maker has not made before, each once; count all."""
    runs = maker.runs() if earlier else set()
    earlier_pairs = {(sentence, text) for sentence, text, run, _ in earlier if run in runs}
    first_of_texts: dict[tuple[Source, str], Rewrite] = {}
    for pair in pairs:
        first_of_texts.setdefault((pair.source, pair.text), pair)
    new_pairs = [
        pair for pair in first_of_texts.values() if (pair.source.pk, pair.text) not in earlier_pairs
    ]
    report.duplicates += len(pairs) - len(new_pairs)
    report.added += len(new_pairs)
    return new_pairs


def _maker_of(line: PairLine) -> Maker:
    """Return the method and model of a line. Raises RefusedLine."""
    method = line.method or Method.IMPORTED
    if method not in METHODS:
        raise RefusedLine(Fault.UNKNOWN_METHOD)
    return Maker(method, line.model, line.generated.run if line.generated else "")


def _earlier_rewrites(sentences: Collection[int]) -> list[Earlier]:
    """By sentence only: Postgres has no statistics on a new run, and would read all of it."""
    if not sentences:
        return []
    candidates = Candidate.objects.filter(bulk.among("sentence", sentences))
    return list(candidates.values_list("sentence_id", "text", "run_id", "rank"))


def _add_batch(run: GenerationRun, pairs: Sequence[Rewrite], taken: set[tuple[int, int]]) -> None:
    """Store a finished batch with a candidate for each pair.

    `taken` are the ranks that sentences have in the run. A rewrite has the rank of its file, unless
    that is taken because its sentence came twice; others come after those that are there.
    """
    sentences = [pair.source.pk for pair in pairs if pair.source.pk is not None]
    batch = Batch.objects.create(
        run=run,
        number=run.batches.count() + 1,
        first_sentence=min(sentences),
        last_sentence=max(sentences),
        size=len(sentences),
        state=Batch.State.DONE,
        outcomes={ACCEPTED: len(sentences)},
        finished_at=timezone.now(),
    )
    ranks = Counter(sentence for sentence, _ in taken)
    rows = []
    for sentence, (source, text, external_id, generated) in zip(sentences, pairs, strict=True):
        rank = generated.rank if generated else ranks[sentence]
        while (sentence, rank) in taken:
            rank += 1
        taken.add((sentence, rank))
        ranks[sentence] += 1
        measures: tuple[Any, ...] = ()
        if generated:
            has_shape = generated.paraphrase is not None
            rotates = is_rotation(source.text, text) if has_shape else None
            measures = (*attrgetter(*MEASURES)(generated), rotates)
        rows.append((sentence, rank, text, external_id, *likeness(source.text, text), *measures))
    # All pairs of a run come from files of generate_file, or none does.
    further = (*MEASURES, "is_rotation") if pairs[0].generated else ()
    of_text = ("text", "external_id", "similarity", "inversion_rate")
    columns = ("sentence_id", "rank", *of_text, *further)
    bulk.insert(Candidate, rows, fields=columns, run_id=run.pk, batch_id=batch.pk)
