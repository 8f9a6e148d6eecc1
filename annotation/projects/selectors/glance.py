"""The figures of several projects at a glance: in as many statements for one as for thirty."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery

from annotation import registry
from annotation.comments import selectors as comments
from annotation.models import (
    Intervention,
    Item,
    Judgment,
    Membership,
    Project,
    Role,
    Slot,
    Translation,
    Validation,
)
from annotation.projects import protocols
from annotation.projects.selectors import study_rows
from annotation.quality.selectors import interventions
from annotation.stats.agreement import Tally, VoteTable, as_key, kept_votes
from annotation.stats.paws_tables import Identification, identification
from generation import selectors as generation
from generation.models import Candidate, GenerationRun, Sentence

Keys = Sequence[int]


@dataclass(frozen=True, slots=True)
class Items:
    """The items of one kind of work, without gold pairs; the others leave the excluded ones out."""

    number: int = 0
    excluded: int = 0
    set_aside: int = 0


@dataclass(frozen=True, slots=True)
class Glance:
    """A project at a glance. `rewritten` are the sentences that have candidates.

    By kind of work, `items` counts its items, and `left` the answers that are waited for. `actions`
    counts the answers with a text by kind and action, as in "correct fix". `votes` are those of
    decided pairs, which `judged` and `kept` count. `flags` are those in force, one of each person,
    and `version` is that of the newest release; `withdrawn` is, if all are withdrawn. A project
    that `is_complete` takes no more pairs.
    """

    project: Project
    sentences: int
    corpora: int
    languages: Sequence[str]
    runs: int
    previews: int
    candidates: int
    rewritten: int
    items: Mapping[str, Items]
    left: Mapping[str, int]
    actions: Mapping[str, int]
    votes: VoteTable
    judged: Identification
    kept: Identification
    people: int
    annotators: int
    are_simulated: bool
    last_answer: datetime | None
    flags: Sequence[Intervention]
    notes: int
    parked: int
    source_pairs: int
    terms: int
    version: str | None
    withdrawn: str | None
    is_complete: bool

    @property
    def pairs(self) -> int:
        return self.items[Judgment.KIND].number

    @property
    def undecided(self) -> int:
        """The number of pairs that wait for answers; those that are set aside do not."""
        return max(0, self.pairs - self.judged.total - self.items[Judgment.KIND].set_aside)

    @property
    def set_aside(self) -> int:
        return sum(items.set_aside for items in self.items.values())

    @property
    def translated(self) -> int:
        """The number of sentences with a translation that no one rejected."""
        translations = self.actions.get(f"{Translation.KIND} {Translation.Action.TRANSLATE}", 0)
        return translations - self.actions.get(f"{Validation.KIND} {Validation.Action.REJECT}", 0)

    @property
    def is_young(self) -> bool:
        """Whether there are no answers yet."""
        return self.last_answer is None and not self.judged.total

    @property
    def all_is_answered(self) -> bool:
        return not self.is_young and not any(self.left.values())


def of_projects(projects: Iterable[Project]) -> dict[int, Glance]:
    """Return a glance at each project, by its primary key, in 14 statements."""
    rows = list(projects)
    keys = [project.pk for project in rows]
    if not rows:
        return {}
    kinds = {kind for project in rows for kind in project.kinds}
    sentences, candidates, gold = _sentences(keys), _candidates(keys), _gold_candidates(keys)
    items, left, actions, votes = _items(keys), _left(keys), _actions(keys, kinds), _votes(keys)
    people, last, flags = _people(keys), last_answers(rows), _flags(keys)
    runs, notes, parked, releases = _runs(keys), _notes(keys), _parked(keys), _releases(keys)
    glances = {}
    for project in rows:
        key, protocol = project.pk, protocols.of_project(project)
        started, previews = runs.get(key, (0, 0))
        rewrites, rewritten = candidates.get(key, (0, 0))
        source_pairs, terms, version, withdrawn, is_complete = releases[key]
        members, annotators, simulated = people.get(key, (0, 0, 0))
        glances[key] = Glance(
            project,
            sentences=sum(number for _language, number in sentences[key]),
            corpora=len(sentences[key]),
            languages=sorted({language for language, _number in sentences[key]}),
            runs=started,
            previews=previews,
            candidates=rewrites - gold[key],
            rewritten=rewritten,
            items=items[key],
            left=left[key],
            actions=actions[key],
            votes=votes[key],
            judged=identification(votes[key], protocol),
            kept=identification(kept_votes(votes[key], protocol), protocol),
            people=members,
            annotators=annotators,
            are_simulated=bool(annotators) and annotators == simulated,
            last_answer=last.get(key),
            flags=flags[key],
            notes=notes[key],
            parked=parked[key],
            source_pairs=source_pairs,
            terms=terms,
            version=version,
            withdrawn=None if version else withdrawn,
            is_complete=is_complete,
        )
    return glances


def last_answers(projects: Iterable[Project]) -> dict[int, datetime | None]:
    """Return the time of the last answer of each project, by a probe for each member and kind."""
    rows = list(projects)
    times = {
        f"last_{kind}": Max(Subquery(_newest_answers(kind).values("submitted_at")[:1]))
        for kind in {kind for project in rows for kind in project.kinds}
    }
    members = Membership.objects.filter(project__in=rows).order_by().values_list("project")
    return {
        key: max(filter(None, moments), default=None) for key, *moments in members.annotate(**times)
    }


def _newest_answers(kind: str) -> QuerySet[Slot]:
    of_member = {"annotator": OuterRef("user"), "project": OuterRef("project")}
    answers = Slot.objects.filter(**of_member, kind=kind, submitted_at__isnull=False)
    return answers.order_by("-submitted_at")


def _sentences(keys: Keys) -> defaultdict[int, list[tuple[str, int]]]:
    """Return the language of each corpus, and the number of its source sentences."""
    rows = Sentence.objects.filter(corpus__projects__in=keys, candidate=None).order_by()
    columns = ("corpus__projects", "corpus", "corpus__language")
    texts = defaultdict[int, list[tuple[str, int]]](list)
    for key, _corpus, language, number in rows.values_list(*columns).annotate(Count("pk")):
        texts[key].append((language, number))
    return texts


def _runs(keys: Keys) -> dict[int, tuple[int, ...]]:
    """Return the numbers of runs, and of previews that wait for approval."""
    rows = GenerationRun.objects.filter(projects__in=keys)
    waiting = Count("pk", filter=generation.awaiting_approval())
    return _numbers(rows, "projects", Count("pk"), waiting)


def _candidates(keys: Keys) -> dict[int, tuple[int, ...]]:
    """Return the numbers of candidates that entered, and of the sentences that have them."""
    rows = Candidate.objects.filter(batch__intakes__project__in=keys)
    counts = (Count("pk"), Count("sentence", distinct=True))
    return _numbers(rows, "batch__intakes__project", *counts)


def _gold_candidates(keys: Keys) -> Counter[int]:
    gold = Item.objects.filter(project__in=keys, gold_label__isnull=False)
    entered = gold.filter(candidate__batch__intakes__project=F("project"))
    return _counter(entered, "project", Count("candidate", distinct=True))


def _items(keys: Keys) -> dict[int, defaultdict[str, Items]]:
    rows = Item.objects.filter(project__in=keys, gold_label=None, duplicate_of=None).order_by()
    counts = (
        Count("pk", filter=Q(excluded_by=None)),
        Count("pk", filter=Q(excluded_by__isnull=False)),
        Count("pk", filter=Q(set_aside_at__isnull=False, excluded_by=None)),
    )
    items = {key: defaultdict[str, Items](Items) for key in keys}
    for key, kind, *numbers in rows.values_list("project", "kind").annotate(**_named(counts)):
        items[key][kind] = Items(*numbers)
    return items


def _left(keys: Keys) -> defaultdict[int, Counter[str]]:
    return _by_name(study_rows.to_answer_in(keys).values_list("project", "kind"))


def _actions(keys: Keys, kinds: Collection[str]) -> defaultdict[int, Counter[str]]:
    """Count the answers that have an action; judgments, which are many, are left out."""
    written = [kind for kind in kinds if kind != Judgment.KIND]
    answered = Slot.objects.answered().filter(project__in=keys, kind__in=written)
    return _by_name(answered.values_list("project", "kind", "action"))


def _votes(keys: Keys) -> defaultdict[int, Counter[Tally]]:
    votes = defaultdict[int, Counter[Tally]](Counter)
    columns = ("pair__project", "tally", "first_tally")
    decided = study_rows.consensus_rows_in(keys).values_list(*columns)
    for key, tally, first, pairs in decided.annotate(Count("pk")):
        votes[key][as_key(tally, first)] += pairs
    return votes


def _people(keys: Keys) -> dict[int, tuple[int, ...]]:
    """Return the numbers of people, of annotators, and of simulated annotators."""
    rows = Membership.objects.filter(project__in=keys).exclude(role=Role.REMOVED)
    annotators = Q(role=Role.ANNOTATOR)
    simulated = Count("pk", filter=annotators & Q(user__is_simulated=True))
    return _numbers(rows, "project", Count("pk"), Count("pk", filter=annotators), simulated)


def _flags(keys: Keys) -> defaultdict[int, list[Intervention]]:
    """Return the newest flag in force of each person, newest first; exclusions settle theirs."""
    flags = defaultdict[int, list[Intervention]](list)
    for standing in interventions.of_projects(keys).values():
        if standing.flags and not standing.excluded:
            flag = standing.flags[-1]
            flags[flag.membership.project_id].append(flag)
    return flags


def _notes(keys: Keys) -> Counter[int]:
    return _counter(comments.open_threads_in(keys), "project")


def _parked(keys: Keys) -> Counter[int]:
    parked = generation.parked_batches().filter(run__projects__in=keys)
    return _counter(parked, "run__projects")


def _releases(keys: Keys) -> dict[int, tuple[Any, ...]]:
    """Return the numbers of pairs to translate and of terms, the newest versions, completeness."""
    [newest] = registry.newest_version
    rows = Project.objects.filter(pk__in=keys).annotate(
        version=Subquery(newest(OuterRef("pk"))),
        withdrawn=Subquery(newest(OuterRef("pk"), is_withdrawn=True)),
    )
    rows = rows.annotate(
        pairs_to_translate=Count("translated_pairs", distinct=True),
        number_of_terms=Count("terms", distinct=True),
        is_complete=reduce(
            or_, (Exists(rows_for(OuterRef("pk"))) for _reason, rows_for in registry.why_complete)
        ),
    )
    columns = ("pairs_to_translate", "number_of_terms", "version", "withdrawn", "is_complete")
    return {key: tuple(numbers) for key, *numbers in rows.values_list("pk", *columns)}


def _numbers(rows: QuerySet[Any], project: str, *counts: Count) -> dict[int, tuple[int, ...]]:
    counted = rows.order_by().values_list(project).annotate(**_named(counts))
    return {key: tuple(numbers) for key, *numbers in counted}


def _named(counts: Iterable[Count]) -> dict[str, Count]:
    return {f"number_{place}": count for place, count in enumerate(counts)}


def _counter(rows: QuerySet[Any], project: str, count: Count | None = None) -> Counter[int]:
    numbers = _numbers(rows, project, count or Count("pk"))
    return Counter({key: number for key, (number,) in numbers.items()})


def _by_name(rows: QuerySet[Any, Any]) -> defaultdict[int, Counter[str]]:
    """Count the rows of each project by the words of their other columns."""
    numbers = defaultdict[int, Counter[str]](Counter)
    for key, *words, number in rows.order_by().annotate(Count("pk")):
        numbers[key][" ".join(words)] += number
    return numbers
