"""The rows of a project as the pure planning of a release wants them."""

import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import User
from annotation.dataset.rows import CandidateRow, JudgmentRow, PairRow, SentenceRow
from annotation.models import Consensus, Correction, Judgment, Project, Pseudonym, Release
from generation.models import Candidate, GenerationRun, Sentence

CHUNK = 5000


def decided_pairs(project: Project) -> Iterator[PairRow]:
    """Every pair that is decided, with its judgments counted by label."""
    rows = Consensus.objects.filter(pair__project=project).order_by("pair_id")
    for public_id, first, second, method, tally in rows.values_list(
        "pair__public_id",
        "pair__sentence1__public_id",
        "pair__sentence2__public_id",
        "pair__candidate__run__method",
        "tally",
    ).iterator(CHUNK):
        yield PairRow(str(public_id), str(first), str(second), method, tuple(tally))


def candidates(project: Project) -> Iterator[CandidateRow]:
    """Every candidate that has entered the project, as the machine gave it."""
    rows = Candidate.objects.filter(batch__intakes__project=project).order_by("id")
    for public_id, source, text, method in rows.values_list(
        "public_id", "sentence__public_id", "text", "run__method"
    ).iterator(CHUNK):
        yield CandidateRow(str(public_id), str(source), text, method)


def sentences(project: Project) -> Iterator[SentenceRow]:
    """The sentences of the project: final texts of its pairs, and everything they were made from.

    A sentence comes after the one that it was rewritten from, so that its source is known by then.
    """
    corrected = dict(
        Correction.objects.filter(project=project, action__isnull=False)
        .exclude(action=Correction.Action.REJECT)
        .values_list("candidate_id", "action")
        .iterator(CHUNK)
    )
    sources: dict[uuid.UUID, str] = {}
    for row in _sentence_columns(project):
        public_id, text, group, candidate, origin, method = row
        sources[public_id] = sources.get(origin, str(public_id))
        yield SentenceRow(
            id=str(public_id),
            text=text,
            source=sources[public_id],
            rewritten_from=str(origin) if origin else None,
            method=method,
            correction=corrected.get(candidate),
            group=group or None,
        )


def judgments(release: Release, pairs: Iterable[str]) -> Iterator[JudgmentRow]:
    """The answers on the released pairs, under the pseudonyms of the release."""
    released = set(pairs)
    names = dict(Pseudonym.objects.filter(release=release).values_list("annotator_id", "name"))
    rows = (
        Judgment.objects.filter(project=release.project_id, pair__consensus__isnull=False)
        .exclude(label=None)
        .order_by("pair_id", "slot")
    )
    for pair, annotator, label, seconds, simulated in rows.values_list(
        "pair__public_id", "annotator_id", "label", "seconds", "annotator__is_simulated"
    ).iterator(CHUNK):
        if label is not None and str(pair) in released:
            yield JudgmentRow(str(pair), names[annotator], label, seconds, simulated)


def judges(project: Project) -> QuerySet[User]:
    """Everybody who has judged a decided pair."""
    judged = Judgment.objects.filter(project=project, pair__consensus__isnull=False)
    return User.objects.filter(pk__in=judged.exclude(label=None).values("annotator")).order_by("pk")


def runs(project: Project) -> QuerySet[GenerationRun]:
    """The runs whose candidates have entered the project, in order."""
    return project.runs.select_related("corpus").order_by("id")


def _sentence_columns(project: Project) -> Iterator[tuple[Any, ...]]:
    """Sources of the candidates and final texts of the pairs; a lower key was made earlier."""
    of_project = Q(candidates__batch__intakes__project=project) | Q(
        pairs_as_second__project=project
    )
    return (
        Sentence.objects.filter(pk__in=Sentence.objects.filter(of_project).values("pk"))
        .order_by("id")
        .values_list(
            "public_id",
            "text",
            "group",
            "candidate_id",
            "candidate__sentence__public_id",
            "candidate__run__method",
        )
        .iterator(CHUNK)
    )
