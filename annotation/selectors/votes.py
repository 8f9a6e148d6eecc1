"""How often each tally of labels was given: all that the measures of agreement need."""

from collections import Counter, defaultdict

from django.db.models import Count

from annotation.models import Consensus, Project
from annotation.stats.agreement import VoteTable


def by_method(project: Project) -> dict[str, VoteTable]:
    """For each method: judgments for label 0, 1 ... of a decided pair -> pairs that have them."""
    decided = Consensus.objects.filter(pair__project=project)
    counted = decided.values_list("pair__candidate__run__method", "tally").annotate(Count("pk"))
    tables: defaultdict[str, Counter[tuple[int, ...]]] = defaultdict(Counter)
    for method, tally, pairs in counted:
        tables[method][tuple(tally)] += pairs
    return dict(sorted(tables.items()))


def table_of(project: Project) -> VoteTable:
    """The same for all methods together."""
    return sum((Counter(table) for table in by_method(project).values()), Counter())
