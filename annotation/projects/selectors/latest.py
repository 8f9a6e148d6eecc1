"""The newest rows of a study that its overview shows."""

from collections.abc import Sequence

from annotation.models import Intervention, Project, SentencePair, Translation
from annotation.projects.selectors import study_rows

MOST = 5
RELATED = (
    *("pair__candidate__run", "pair__sentence1__corpus", "pair__sentence2"),
    *("pair__origin", "pair__excluded_by"),
)


def decided_pairs(project: Project) -> list[SentencePair]:
    """Return the pairs that were decided last, with their consensus."""
    rows = study_rows.consensus_rows(project).select_related(*RELATED)
    return [consensus.pair for consensus in rows.order_by("-decided_at", "-pk")[:MOST]]


def translations(project: Project) -> list[int]:
    """Return the slots of the newest translations."""
    rows = Translation.objects.filter(project=project, action=Translation.Action.TRANSLATE)
    newest = rows.answered().order_by("-submitted_at", "-pk")
    return list(newest.values_list("pk", flat=True)[:MOST])


def exclusions(project: Project) -> Sequence[Intervention]:
    """Return the exclusions of people's answers, oldest first, without those that were ended."""
    steps = Intervention.objects.filter(
        membership__project=project,
        kind__in=[Intervention.Kind.EXCLUDE, Intervention.Kind.REINSTATE],
    )
    newest_by_member = {
        step.membership_id: step for step in steps.select_related("membership__user").order_by("pk")
    }
    return [step for step in newest_by_member.values() if step.kind == Intervention.Kind.EXCLUDE]
