"""Candidates made elsewhere: pairs out of a file, linked to the sentences that they rewrite."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any, TypeAlias

from django.db import transaction
from django.utils import timezone

from generation.methods.contract import ACCEPTED
from generation.models import Batch, Candidate, Corpus, GenerationRun, Method, Sentence
from generation.nlp.measures import bow_similarity, inversion_rate, words
from generation.nlp.pair_filter import PairFilter, Verdict
from generation.pair_reader import PairLine
from generation.records import Fault, Refusal, RefusedLine
from generation.services.linking import SentenceBook

PAIRS_PER_TRANSACTION = 1_000
FIRST_REFUSALS = 20

Maker: TypeAlias = tuple[str, str]  # method and model
LinkedRewrite: TypeAlias = tuple[Sentence, str]


@dataclass(slots=True)
class PairReport:
    """What became of the lines of a file, and the runs that hold the new candidates.

    `refused` counts lines that could not be read or linked, `dropped` pairs that the filter did not
    keep, both by reason.
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
        """Count a refused line and remember it if it is one of the first."""
        self.refused[refusal.reason] += 1
        if len(self.first_refusals) < FIRST_REFUSALS:
            self.first_refusals.append(refusal)


def import_candidates(
    lines: Iterable[PairLine | Refusal],
    *,
    corpus: Corpus,
    origin: str,
    rule: PairFilter | None = None,
) -> PairReport:
    """Add pairs as candidates of finished runs, one run for each method and model.

    A rewritten sentence is found by its id or by its text in the corpus, and added to it as a new
    source when it is in neither way known. The same rewrite by the same maker is added once,
    however often it is imported. `origin` says where the pairs are from, and the runs keep it.
    `rule` says which pairs are added, of each maker's in each thousand lines; without it, all are.
    """
    chosen = rule or PairFilter.lenient()
    run_settings = {"imported_from": origin} | ({} if rule is None else _without_seed(rule))
    work = _Import(corpus, chosen, run_settings, PairReport())
    iterator = iter(lines)
    while chunk := list(islice(iterator, PAIRS_PER_TRANSACTION)):
        work.report.read += len(chunk)
        for line in chunk:
            if isinstance(line, Refusal):
                work.report.refuse(line)
        work.add([line for line in chunk if isinstance(line, PairLine)])
    return work.report


@dataclass(frozen=True, slots=True)
class _Import:
    """An import under way: where to, by which rule, what its runs keep, what has become of it."""

    corpus: Corpus
    rule: PairFilter
    run_settings: dict[str, Any]
    report: PairReport

    @transaction.atomic
    def add(self, lines: Sequence[PairLine]) -> None:
        """One transaction: the corpus is locked, so that two imports do not add one text twice."""
        Corpus.objects.select_for_update().get(pk=self.corpus.pk)
        book = SentenceBook.over(self.corpus, lines)
        linked = {
            maker: self._kept(rewrites) for maker, rewrites in self._link(lines, book).items()
        }
        used = {sentence.digest for rewrites in linked.values() for sentence, _ in rewrites}
        new = [sentence for sentence in book.new if sentence.digest in used]
        self.report.new_sentences += len(new)
        Sentence.objects.bulk_create(new)
        for maker, rewrites in linked.items():
            self._add_rewrites(maker, rewrites)

    def _link(
        self, lines: Sequence[PairLine], book: SentenceBook
    ) -> dict[Maker, list[LinkedRewrite]]:
        linked: dict[Maker, list[LinkedRewrite]] = {}
        for line in lines:
            try:
                maker = _maker(line)
                linked.setdefault(maker, []).append((book.sentence(line), line.sentence2))
            except RefusedLine as refused:
                self.report.refuse(Refusal(line.line, refused.reason))
        return linked

    def _kept(self, rewrites: Sequence[LinkedRewrite]) -> list[LinkedRewrite]:
        """What the rule keeps; the rest is counted by reason."""
        verdicts = self.rule.verdicts([(sentence.text, text) for sentence, text in rewrites])
        self.report.dropped.update(str(v) for v in verdicts if v is not Verdict.KEPT)
        judged = zip(rewrites, verdicts, strict=True)
        return [rewrite for rewrite, verdict in judged if verdict is Verdict.KEPT]

    def _add_rewrites(self, maker: Maker, rewrites: Sequence[LinkedRewrite]) -> None:
        known = _known_rewrites(maker, [sentence for sentence, _ in rewrites])
        fresh = list(dict.fromkeys(pair for pair in rewrites if (pair[0].pk, pair[1]) not in known))
        self.report.duplicates += len(rewrites) - len(fresh)
        self.report.added += len(fresh)
        if not fresh:
            return
        if maker not in self.report.runs:
            self.report.runs[maker] = self._run(maker)
        run = self.report.runs[maker]
        batch = _batch(run, [sentence.pk for sentence, _ in fresh])
        ranks = _next_ranks(run, fresh)
        Candidate.objects.bulk_create(
            _candidate(batch, sentence, text, next(ranks[sentence.pk])) for sentence, text in fresh
        )

    def _run(self, maker: Maker) -> GenerationRun:
        method, model = maker
        return GenerationRun.objects.create(
            corpus=self.corpus,
            method=method,
            settings=self.run_settings,
            model_identities=_identities(model),
            seed=self.rule.seed,
            state=GenerationRun.State.DONE,
            finished_at=timezone.now(),
        )


def _maker(line: PairLine) -> Maker:
    method = line.method or Method.IMPORTED
    if method not in Method.values:
        raise RefusedLine(Fault.UNKNOWN_METHOD)
    if line.sentence1 == line.sentence2:
        raise RefusedLine(Fault.IDENTICAL)
    return method, line.model


def _known_rewrites(maker: Maker, sentences: Sequence[Sentence]) -> set[tuple[int, str]]:
    method, model = maker
    return set(
        Candidate.objects.filter(
            sentence__in=sentences, run__method=method, run__model_identities=_identities(model)
        ).values_list("sentence_id", "text")
    )


def _without_seed(rule: PairFilter) -> dict[str, Any]:
    return {name: value for name, value in asdict(rule).items() if name != "seed"}


def _identities(model: str) -> dict[str, dict[str, str]]:
    return {"generator": {"name": model or "unknown", "revision": "made elsewhere"}}


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


def _next_ranks(
    run: GenerationRun, rewrites: Sequence[tuple[Sentence, str]]
) -> Mapping[int, Iterator[int]]:
    """For each sentence the ranks that its further rewrites in this run take."""
    sentences = {sentence.pk for sentence, _ in rewrites}
    taken = Candidate.objects.filter(run=run, sentence__in=sentences)
    used = Counter(taken.values_list("sentence_id", flat=True))
    return {pk: iter(range(used[pk], used[pk] + len(rewrites))) for pk in sentences}


def _candidate(batch: Batch, sentence: Sentence, text: str, rank: int) -> Candidate:
    words1, words2 = words(sentence.text), words(text)
    return Candidate(
        run=batch.run,
        batch=batch,
        sentence=sentence,
        rank=rank,
        text=text,
        similarity=bow_similarity(words1, words2),
        inversion_rate=inversion_rate(words1, words2),
    )
