"""How often each tally of labels was given: all that the measures of agreement need."""

from django.db.models import Count

from annotation.models import Consensus, Project


def table_of(project: Project) -> dict[tuple[int, ...], int]:
    """Judgments for label 0, 1 ... of a decided pair -> how many pairs of the project have them."""
    tallies = Consensus.objects.filter(pair__project=project).values_list("tally")
    return {tuple(tally): pairs for tally, pairs in tallies.annotate(pairs=Count("pk"))}
