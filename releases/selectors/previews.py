"""Counts the changes in a study since a draft was previewed."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models import Consensus, Intervention
from annotation.quality.selectors.interventions import EXCLUSIONS
from generation.models import Candidate
from releases.models import ReleasePreview


@dataclass(frozen=True, slots=True)
class Since:
    """Pairs decided, pairs no longer decided, candidates added, and the number of times that
    answers of an annotator were excluded or restored."""

    decided: int
    reopened: int
    candidates: int
    excluded: int


def since(preview: ReleasePreview) -> Since:
    """Count the changes since a preview, in three queries."""
    project, moment = preview.release.project, preview.read_at
    decided = Consensus.objects.filter(pair__project=project).aggregate(
        now=Count("pk"), later=Count("pk", filter=Q(decided_at__gt=moment))
    )
    candidates = Candidate.objects.filter(batch__intakes__project=project)
    steps = Intervention.objects.filter(membership__project=project, kind__in=EXCLUSIONS)
    return Since(
        decided=decided["later"],
        reopened=max(0, preview.decided - (decided["now"] - decided["later"])),
        candidates=max(0, candidates.count() - preview.candidates),
        excluded=steps.filter(created_at__gt=moment).count(),
    )
