"""What has become of a study since a draft of its release was looked at."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models import Consensus, Intervention
from annotation.quality.selectors.exclusion import KINDS
from generation.models import Candidate
from releases.models import ReleasePreview


@dataclass(frozen=True, slots=True)
class Since:
    """Pairs that were decided, pairs that are no longer decided, candidates that came in, and how
    often somebody’s answers were held out or put back."""

    decided: int
    reopened: int
    candidates: int
    held_out: int


def since(preview: ReleasePreview) -> Since:
    """Three statements, whatever has happened."""
    project, moment = preview.release.project, preview.read_at
    decided = Consensus.objects.filter(pair__project=project).aggregate(
        now=Count("pk"), later=Count("pk", filter=Q(decided_at__gt=moment))
    )
    candidates = Candidate.objects.filter(batch__intakes__project=project)
    steps = Intervention.objects.filter(membership__project=project, kind__in=KINDS)
    return Since(
        decided=decided["later"],
        reopened=max(0, preview.decided - (decided["now"] - decided["later"])),
        candidates=max(0, candidates.count() - preview.candidates),
        held_out=steps.filter(created_at__gt=moment).count(),
    )
