"""Imports externally generated pairs as candidates of the sentences that they rewrite."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import UUID

from django.utils import timezone

from common import bulk
from generation.models import OF_PAIRS, Batch, Candidate, Corpus, GenerationRun, Method, Sentence
from generation.nlp.measures import PairFilter, Verdict, likeness
from generation.nlp.rewrites import ACCEPTED
from generation.nlp.text import pair_key
from generation.readers import PairLine
from generation.records import Fault, Follower, Refusal, RefusedLine, Report, in_chunks
from generation.services import corpora
from generation.services.sentences import digest_of

# Lines per transaction; a filter draws its share from each.
LINES_AT_ONCE = 5_000
METHODS = frozenset(dict(OF_PAIRS))

Maker: TypeAlias = tuple[str, str]  # method and model
OnRun: TypeAlias = Callable[[GenerationRun], object]


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


@dataclass(slots=True, eq=False)
class Source:
    """A sentence that is rewritten; a new one has no primary key yet."""

    text: str
    digest: UUID
    external_id: str = ""
    line: int | None = None
    pk: int | None = None


Rewrite: TypeAlias = tuple[Source, str]


class SourceBook:
    """The source sentences of some lines, by id and by text."""

    def __init__(self, corpus: Corpus, lines: Sequence[PairLine]) -> None:
        self._digests = {line.sentence1: digest_of(line.sentence1) for line in lines}
        ids = {line.sentence1_id for line in lines} - {""}
        public_ids = {public_id for external_id in ids if (public_id := _as_uuid(external_id))}
        rows_by_text = corpora.sources_with(corpus, "digest", self._digests.values())
        rows_by_id_in_file = corpora.sources_with(corpus, "external_id", ids)
        rows_by_public_id = Sentence.objects.filter(bulk.among("public_id", public_ids))
        rows_of_corpus: list[Any] = [row for row in rows_by_public_id if row.corpus_id == corpus.pk]
        rows = {row.pk: row for row in (*rows_by_text, *rows_by_id_in_file, *rows_of_corpus)}
        stored = {pk: Source(row.text, row.digest, pk=pk) for pk, row in rows.items()}
        self.by_text = {row.text: stored[row.pk] for row in rows_by_text}
        self.by_id = {row.external_id: stored[row.pk] for row in rows_by_id_in_file}
        self.by_id |= {str(row.public_id): stored[row.pk] for row in rows_of_corpus}

    def source(self, line: PairLine) -> Source:
        """Return the source sentence of a line; it may be new. Raises RefusedLine."""
        public_id = _as_uuid(line.sentence1_id)
        if stored := self.by_id.get(str(public_id or line.sentence1_id)):
            if stored.text != line.sentence1:
                raise RefusedLine(Fault.OTHER_TEXT)
            return stored
        if stored := self.by_text.get(line.sentence1):
            return stored
        if public_id:
            raise RefusedLine(Fault.UNKNOWN_SENTENCE)
        digest = self._digests[line.sentence1]
        new = Source(line.sentence1, digest, line.sentence1_id, line.line)
        self.by_text[new.text] = new
        if new.external_id:
            self.by_id[new.external_id] = new
        return new


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
        sources = dict.fromkeys(source for pairs in kept_by_maker.values() for source, _ in pairs)
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
        self, maker: Maker, earlier: Sequence[tuple[int, str, int]], texts: Mapping[int, str]
    ) -> set[UUID]:
        """Return the keys of the earlier pairs of other makers, for the filter.

        Those of this maker are left out, so that the same file draws the same pairs again.
        """
        if not self.pair_filter or not earlier:
            return set()
        runs = _runs_of(maker)
        return {pair_key(texts[pk], text) for pk, text, run in earlier if run not in runs}

    def _filter_pairs(self, pairs: Sequence[Rewrite], earlier: Set[UUID]) -> Sequence[Rewrite]:
        if self.pair_filter is None:
            return pairs
        verdicts = self.pair_filter.verdicts(
            [(source.text, text) for source, text in pairs], earlier
        )
        self.report.dropped.update(
            str(verdict) for verdict in verdicts if verdict is not Verdict.KEPT
        )
        pairs_and_verdicts = zip(pairs, verdicts, strict=True)
        return [pair for pair, verdict in pairs_and_verdicts if verdict is Verdict.KEPT]

    def _add_rewrites(
        self, maker: Maker, pairs: Sequence[Rewrite], earlier: Sequence[tuple[int, str, int]]
    ) -> None:
        new_pairs = _new_pairs(maker, pairs, earlier, self.report)
        if not new_pairs:
            return
        if maker not in self.report.runs:
            self.report.runs[maker] = self._new_run(maker)
        run = self.report.runs[maker]
        _add_batch(
            run, new_pairs, Counter(sentence for sentence, _, run_id in earlier if run_id == run.pk)
        )

    def _new_run(self, maker: Maker) -> GenerationRun:
        filter_settings = self.pair_filter.to_dict() if self.pair_filter else {}
        run = GenerationRun.objects.create(
            corpus=self.corpus,
            method=maker[0],
            seed=filter_settings.pop("seed", 0),
            settings={"imported_from": self.origin} | filter_settings,
            model_identities=_identities(maker),
            state=GenerationRun.State.DONE,
            finished_at=timezone.now(),
        )
        if self.on_run:
            self.on_run(run)
        return run


def store_sources(sources: Iterable[Source], *, corpus: Corpus) -> int:
    """Add new sources to the corpus, and set their keys. Returns the number added."""
    new = [source for source in sources if source.pk is None]
    for source, key in zip(new, bulk.keys(Sentence, len(new)), strict=True):
        source.pk = key
    rows = ((row.pk, row.text, row.digest, row.external_id, row.line) for row in new)
    columns = ("id", "text", "digest", "external_id", "line")
    bulk.insert(Sentence, rows, fields=columns, corpus_id=corpus.pk)
    return len(new)


def _rewrites_by_maker(
    lines: Sequence[PairLine], corpus: Corpus, report: Report
) -> dict[Maker, list[Rewrite]]:
    """Link each line to its source sentence; refuse those that cannot be linked."""
    book, rewrites_by_maker = SourceBook(corpus, lines), defaultdict[Maker, list[Rewrite]](list)
    for line in lines:
        try:
            maker = _maker_of(line)
            rewrites_by_maker[maker].append((book.source(line), line.sentence2))
        except RefusedLine as refused:
            report.refuse(line.line, refused.reason)
    return rewrites_by_maker


def _stored_texts(rewrites_by_maker: Mapping[Maker, Sequence[Rewrite]]) -> dict[int, str]:
    """Return the texts of the sources that the corpus has, by primary key."""
    return {
        source.pk: source.text
        for pairs in rewrites_by_maker.values()
        for source, _ in pairs
        if source.pk
    }


def _new_pairs(
    maker: Maker,
    pairs: Sequence[Rewrite],
    earlier: Sequence[tuple[int, str, int]],
    report: Report,
) -> list[Rewrite]:
    """Return the pairs that this maker has not made before, each once; count all."""
    runs = _runs_of(maker) if earlier else set()
    earlier_pairs = {(sentence, text) for sentence, text, run in earlier if run in runs}
    new_pairs = [
        pair for pair in dict.fromkeys(pairs) if (pair[0].pk, pair[1]) not in earlier_pairs
    ]
    report.duplicates += len(pairs) - len(new_pairs)
    report.added += len(new_pairs)
    return new_pairs


def _maker_of(line: PairLine) -> Maker:
    """Return the method and model of a line. Raises RefusedLine."""
    method = line.method or Method.IMPORTED
    if method not in METHODS:
        raise RefusedLine(Fault.UNKNOWN_METHOD)
    return method, line.model


def _as_uuid(value: str) -> UUID | None:
    try:
        return UUID(value) if value else None
    except ValueError:
        return None


def _identities(maker: Maker) -> dict[str, dict[str, str]]:
    return {"generator": {"name": maker[1] or "unknown", "revision": "made elsewhere"}}


def _runs_of(maker: Maker) -> set[int]:
    runs = GenerationRun.objects.filter(method=maker[0], model_identities=_identities(maker))
    return set(runs.values_list("pk", flat=True))


def _earlier_rewrites(sentences: Collection[int]) -> list[tuple[int, str, int]]:
    """By sentence only: Postgres has no statistics on a new run, and would read all of it."""
    if not sentences:
        return []
    candidates = Candidate.objects.filter(bulk.among("sentence", sentences))
    return list(candidates.values_list("sentence_id", "text", "run_id"))


def _add_batch(run: GenerationRun, pairs: Sequence[Rewrite], ranks: Counter[Any]) -> None:
    """Store a finished batch with a candidate for each pair; `ranks` counts those in the run."""
    sentences = [source.pk for source, _ in pairs if source.pk is not None]
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
    rows = []
    for source, text in pairs:
        rows.append((source.pk, ranks[source.pk], text, *likeness(source.text, text)))
        ranks[source.pk] += 1
    columns = ("sentence_id", "rank", "text", "similarity", "inversion_rate")
    bulk.insert(Candidate, rows, fields=columns, run_id=run.pk, batch_id=batch.pk)
