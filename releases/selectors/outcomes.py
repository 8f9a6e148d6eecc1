"""What became of the pairs of a study, by method and corpus: PAWS Tables 3 and 4."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from django.db.models import Count, QuerySet

from annotation.models import Correction, Item, Project
from annotation.projects.selectors import study_rows
from annotation.stats.agreement import as_key
from annotation.stats.paws_tables import Correction as Corrections
from annotation.stats.paws_tables import Outcome
from generation.models import Candidate
from releases.selectors import study

# The method and the corpus of a run.
Source = tuple[str, str]
Action = Correction.Action


def outcomes(project: Project) -> dict[str, dict[str, Outcome]]:
    """Return the outcomes of each method by corpus, in five queries."""
    raw, repeats, excluded = raw_pairs(project), _repeats(project), _excluded(project)
    actions = Counter(dict(_corrections(project)))
    votes = _votes(project)
    by_method: defaultdict[str, dict[str, Outcome]] = defaultdict(dict)
    for source in sorted({*raw, *votes}):
        accepted, fixed, rejected = (actions[*source, action] for action in Action.values)
        corrections = Corrections(
            raw[source], accepted, fixed, rejected, repeats[source], excluded[source]
        )
        method, corpus = source
        by_method[method][corpus] = Outcome(corrections, votes[source])
    return dict(by_method)


def raw_pairs(project: Project) -> Counter[Source]:
    """Count the generated pairs, as in the first row of Table 3."""
    return _count(study.entered_candidates(project), "run")


def taken_out(project: Project) -> dict[str, dict[str, dict[str, int]]]:
    """Return, by corpus and method, how many people took out, and how many repeat another."""
    numbers: defaultdict[str, dict[str, dict[str, int]]] = defaultdict(dict)
    excluded, actions = _excluded(project), Counter(dict(_corrections(project)))
    repeats = _repeating_candidates(project)
    for method, corpus in sorted(raw_pairs(project)):
        numbers[corpus][method] = {
            "reject": actions[method, corpus, Action.REJECT.value],
            "excluded": excluded[method, corpus],
            "repeats": repeats[method, corpus],
        }
    return dict(numbers)


def corrected_methods(project: Project) -> list[str]:
    """Return the methods whose candidates people corrected."""
    return sorted({method for (method, _corpus, _action), _number in _corrections(project)})


def _excluded(project: Project) -> Counter[Source]:
    return _count(study_rows.excluded_pairs(project), "candidate__run")


def _repeats(project: Project) -> Counter[Source]:
    new_items = Item.objects.filter(project=project, origin=None, candidate__isnull=False)
    return _count(new_items.filter(duplicate_of__isnull=False), "candidate__run")


def _repeating_candidates(project: Project) -> Counter[Source]:
    """Count the candidates whose texts the project had already, as generated or as corrected."""
    repeats = Item.objects.filter(project=project, duplicate_of__isnull=False)
    return _count(Candidate.objects.filter(pk__in=repeats.values("candidate")), "run")


def _corrections(project: Project) -> Iterator[tuple[tuple[str, str, str], int]]:
    rows = Correction.objects.filter(project=project, item__candidate__isnull=False)
    columns = ("item__candidate__run__method", "item__candidate__run__corpus__name", "action")
    grouped = rows.exclude(action="").order_by().values_list(*columns).annotate(Count("pk"))
    for method, corpus, action, number in grouped:
        yield (method, corpus, action), number


def _votes(project: Project) -> defaultdict[Source, Counter[tuple[int, ...]]]:
    run = ("pair__candidate__run__method", "pair__candidate__run__corpus__name")
    votes = defaultdict[Source, Counter[tuple[int, ...]]](Counter)
    grouped = study_rows.consensus_rows(project).values_list(*run, "tally", "first_tally")
    for method, corpus, tally, first, pairs in grouped.annotate(Count("pk")):
        votes[method, corpus][as_key(tally, first)] += pairs
    return votes


def _count(rows: "QuerySet[Candidate] | QuerySet[Item]", run: str) -> Counter[Source]:
    """Count rows by the method and the corpus of their run, at this path."""
    columns = (f"{run}__method", f"{run}__corpus__name")
    grouped = rows.order_by().values_list(*columns).annotate(Count("pk"))
    return Counter({(method, corpus): number for method, corpus, number in grouped})
