"""Selects the rows of a project in the form that release planning needs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from sys import intern
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from accounts.models import User
from annotation.models import (
    Correction,
    Item,
    JudgingModel,
    Judgment,
    ModelJudgment,
    Project,
    SentencePair,
)
from annotation.projects.selectors import study_rows
from annotation.questions import selectors as questions
from annotation.stats.skill import likeliest
from annotation.stats.spans import marked
from common import bulk
from common.bulk import Written
from generation.models import Candidate, GenerationRun, Method, Sentence
from releases.dataset.families import sentences_with_ancestors
from releases.dataset.files import ANNOTATORS, LineFile
from releases.dataset.rows import AnnotatorRow, CandidateRow, PairRow, SentenceRow
from releases.models import Comparison, Example, Release

CHUNK = 5000
_RELEASED = {Correction.Action.ACCEPT.value, Correction.Action.FIX.value}


def decided_pairs(project: Project) -> Iterator[PairRow]:
    """Yield every decided pair that counts, with its judgments counted by label."""
    rows = study_rows.consensus_rows(project).order_by("pair_id")
    for public_id, text1, text2, method, tally, first, own_id in rows.values_list(
        Written("pair__public_id"),
        Written("pair__sentence1__public_id"),
        Written("pair__sentence2__public_id"),
        "pair__candidate__run__method",
        "tally",
        "first_tally",
        "pair__candidate__external_id",
    ).iterator(CHUNK):
        ids = intern(public_id), intern(text1), intern(text2)
        first_votes = None if first is None else tuple(first)
        pair = PairRow(*ids, intern(method), tuple(tally), first=first_votes)
        yield pair._replace(own_id=own_id) if own_id else pair


def with_model_labels(project: Project, pairs: Iterable[PairRow]) -> list[PairRow]:
    """Fit the annotator model to the answers to all decided pairs, and add its labels."""
    answers = study_rows.outcomes_of_decided(project, Written("item__public_id"))
    labels = likeliest(answers, len(project.scheme.outcomes))
    return [
        pair._replace(model_label=label, model_share=share)
        for pair in pairs
        for label, share in (labels[pair.id],)
    ]


def model_called(project: Project, title: str) -> JudgingModel:
    """Return the model with this name and revision. Raises ValueError if there is not just one."""
    models = list(JudgingModel.objects.filter(project=project))
    called = [model for model in models if str(model) == title]
    if len(called) != 1:
        names = ", ".join(map(str, models)) or "none"
        raise ValueError(f"{project} has no single model called “{title}”. Its models: {names}.")
    return called[0]


def labels_of_model(model: JudgingModel) -> dict[str, int]:
    """Return the labels of a model as places, by the id of the pair."""
    labels = ModelJudgment.objects.filter(model=model)
    return dict(labels.values_list(Written("pair__public_id"), "label"))


def has_back_translations(project: Project) -> bool:
    """Return whether pairs of the project can be recombined: steps go along back translations."""
    back_translated = study_rows.pairs(project).filter(
        candidate__run__method=Method.BACK_TRANSLATION
    )
    return back_translated.exists()


def waiting_pairs(project: Project) -> int:
    """Count the pairs that wait for answers, which a release planned now would not have."""
    return study_rows.pairs(project).filter(consensus=None, set_aside_at=None).count()


def kept_pairs(project: Project) -> int:
    return study_rows.consensus_rows(project).filter(kept=True).count()


def is_drawn(project: Project) -> bool:
    """Return whether the pairs of the project were drawn from a release, so that no run entered."""
    return Comparison.objects.filter(project=project).exists()


def entered_candidates(project: Project) -> QuerySet[Candidate]:
    """Return the candidates that entered the project; of drawn pairs, all that led to them."""
    if not is_drawn(project):
        return Candidate.objects.filter(batch__intakes__project=project)
    pairs = SentencePair.objects.filter(project=project, gold_label=None)
    rewrites = _drawn_sentences(pairs).filter(candidate__isnull=False)
    return Candidate.objects.filter(pk__in=rewrites.values("candidate"))


def runs(project: Project) -> QuerySet[GenerationRun]:
    """Return the runs whose candidates entered the project, in order."""
    entered = entered_candidates(project).values("run")
    rows = GenerationRun.objects if is_drawn(project) else project.runs
    return rows.filter(pk__in=entered).select_related("corpus").order_by("id")


def candidates(project: Project) -> Iterator[CandidateRow]:
    """Yield every candidate of the project, as generated, but excluded ones and of gold pairs."""
    candidates_left_out = _items_left_out(project).values("candidate")
    rows = Candidate.objects.filter(batch__intakes__project=project).exclude(
        pk__in=candidates_left_out
    )
    rows = rows.order_by("id")
    columns = ("text", "run__method", "kind", "run_id", "external_id", "paraphrase")
    for public_id, source, text, method, kind, run, own_id, paraphrase in rows.values_list(
        Written("public_id"), Written("sentence__public_id"), *columns
    ).iterator(CHUNK):
        ids, names = (intern(public_id), intern(source)), (intern(method), intern(kind) or None)
        yield CandidateRow(*ids, text, *names, run, own_id or None, paraphrase)


def sentences(
    project: Project,
    *,
    with_excluded: bool = False,
    corpora: Mapping[int, str] = MappingProxyType({}),
) -> Iterator[SentenceRow]:
    """Yield the final texts of the project's pairs, and all sentences that they derive from.

    `corpora` has names that corpora had once, by their keys.

    A sentence comes after the one that it was rewritten from, so that its source is already known.
    Without excluded pairs, their final texts are there only if they were rewritten again.
    """
    excluded = _items_left_out(project).filter(kind=Judgment.KIND)
    excluded_ids = {*excluded.values_list(Written("sentence2__public_id"), flat=True)}
    final_pairs = SentencePair.objects.filter(project=project, gold_label=None)
    if not with_excluded:
        final_pairs = final_pairs.exclude(pk__in=excluded.values("pk"))
    actions = _actions_by_candidate(project)
    rows = _sentences_with_sources(project, final_pairs).order_by("id")
    sources: dict[str, str] = {}
    entities: dict[str, str] = {}  # of flashcards; what derives from one has its entity
    columns = ("text", "group", "entity", "corpus", "corpus__name", "candidate")
    names = ("run__method", "kind", "run", "paraphrase")
    of_candidate = [f"candidate__{name}" for name in names]
    ids = (Written("public_id"), Written("candidate__sentence__public_id"))
    for (
        public_id,
        origin,
        text,
        group,
        entity,
        corpus,
        name,
        candidate,
        method,
        kind,
        run,
        paraphrase,
    ) in rows.values_list(*ids, *columns, *of_candidate).iterator(CHUNK):
        key = intern(public_id)
        if origin is not None:
            origin = intern(origin)
            sources[key] = sources.get(origin, origin)
        elif entity:
            entities[key] = intern(entity)
        yield SentenceRow(
            key,
            text,
            sources.get(key, key),
            origin,
            method and intern(method),
            actions.get(candidate),
            intern(corpora.get(corpus, name)),
            (kind and intern(kind)) or None,
            run,
            group or None,
            entities.get(sources.get(key, key)),
            key not in excluded_ids,
            paraphrase,
        )


def _sentences_with_sources(project: Project, pairs: QuerySet[SentencePair]) -> QuerySet[Sentence]:
    """Return the final texts of the pairs, and all sentences that they derive from."""
    if is_drawn(project):
        return _drawn_sentences(pairs)
    # A union: with two conditions, Postgres would compare each sentence with every key of both once
    # they no longer fit in its work_mem.
    entered = entered_candidates(project)
    keys = entered.values("sentence").union(pairs.values("sentence2"))
    return Sentence.objects.filter(pk__in=keys)


def _drawn_sentences(pairs: QuerySet[SentencePair]) -> QuerySet[Sentence]:
    """Return the sentences of pairs that were drawn, which other projects may have rewritten."""
    keys = {key for ends in pairs.values_list("sentence1", "sentence2") for key in ends}
    newest = keys
    while newest:
        rewrites = Sentence.objects.filter(bulk.among("pk", newest), candidate__isnull=False)
        newest = {*rewrites.values_list("candidate__sentence", flat=True)} - keys
        keys = keys | newest
    return Sentence.objects.filter(bulk.among("pk", keys))


def _actions_by_candidate(project: Project) -> dict[int, str]:
    """Read by itself: without statistics, a join compares each sentence with every correction."""
    corrections = Correction.objects.filter(project=project, action__in=_RELEASED)
    return dict(corrections.values_list("item__candidate", "action"))


def _items_left_out(project: Project) -> QuerySet[Item]:
    """Return the items of excluded candidates, and those that repeat one or a gold pair.

    A pair is excluded as it is judged. Its candidate may have been corrected before, and other
    candidates repeat the one that was corrected.
    """
    excluded = Item.objects.filter(project=project, gold_label=None, excluded_by__isnull=False)
    of_candidates = Item.objects.filter(project=project, candidate__in=excluded.values("candidate"))
    keys = of_candidates.values("pk")
    repeats = Q(duplicate_of__in=keys) | Q(duplicate_of__gold_label__isnull=False)
    return Item.objects.filter(Q(pk__in=keys) | repeats, project=project)


def sentences_of(release: Release) -> Iterator[SentenceRow]:
    """Yield the sentences of the judged pairs and all their ancestors, each after its origin.

    Recombined pairs add no sentences. Corpora have the names that they had at freezing.
    """
    names = {run["number"]: run["corpus"] for run in release.facts.get("runs", ())}
    corpora = GenerationRun.objects.filter(pk__in=names).values_list("corpus", "pk")
    corpus_names = {corpus: names[run] for corpus, run in corpora}
    judged = release.examples.filter(origin=Example.Origin.JUDGED)
    ends = judged.values_list(Written("sentence1_ref"), Written("sentence2_ref"))
    needed = (key for pair in ends.iterator(CHUNK) for key in pair)
    rows = sentences(release.project, with_excluded=True, corpora=corpus_names)
    return sentences_with_ancestors(rows, needed)


def annotator_lines(project: Project) -> dict[LineFile[Any], Sequence[AnnotatorRow]]:
    """Return what may be published of annotators, named by their keys; empty without any."""
    replies = questions.publishable(project)
    rows = [AnnotatorRow(str(key), replies_by_title) for key, replies_by_title in replies.items()]
    return {ANNOTATORS: rows} if rows else {}


def judges(project: Project) -> QuerySet[User]:
    """Return everyone whose answers count on a decided pair."""
    judged = study_rows.counted_judgments(project).filter(item__consensus__isnull=False)
    return User.objects.filter(pk__in=judged.values("annotator")).order_by("pk")


# Reasons that a manager reads before releasing them.
MOST_REASONS = 10


class ShownReason(NamedTuple):
    """Why a person chose a label: its place, what they wrote, and the words that they marked."""

    pair: Item
    label: int
    text: str
    words: list[str]


def latest_reasons(project: Project) -> Iterator[ShownReason]:
    """Yield the latest reasons that a release would have now, at most MOST_REASONS."""
    answers = Judgment.objects.filter(project=project).counting()
    rows = answers.exclude(text="", words__isnull=True).filter(hidden_reason=None)
    rows = rows.select_related("item__sentence1", "item__sentence2").order_by("-pk")
    for slot in rows[:MOST_REASONS]:
        words = marked(slot.words or [], slot.item.texts)
        yield ShownReason(slot.item, slot.label or 0, slot.text, words)
