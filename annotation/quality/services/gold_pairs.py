"""Import of gold pairs, which show who reads attentively.

They are candidates of separate runs, in separate corpora that no project adopts, so that they never
enter a dataset.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from django.db import transaction

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Item, Project, SentencePair
from annotation.pairs.labelled_lines import GoldPair, LabelFault
from annotation.pairs.services.pairs import FinalText, open_gold
from annotation.projects import additions
from annotation.projects.services import projects
from common import bulk
from generation.models import Candidate
from generation.nlp.text import pair_key
from generation.readers import PairLine
from generation.records import Follower, Refusal, Report
from generation.services import corpora
from generation.services.imported_pairs import PairReport, import_candidates


@transaction.atomic
def add(
    project: Project,
    lines: Iterable[GoldPair | Refusal],
    *,
    by: User | None = None,
    follower: Follower | None = None,
) -> Report:
    """Create a gold pair for each new line. Bad lines are reported and skipped.

    A line that repeats a gold pair of the project is a duplicate, or is refused if its label
    differs; the order of sentences matters only in directed studies. So is one whose texts the
    study itself has. Raises Refused if the project judges no pairs.
    """
    projects.lock(project)  # no concurrent import of the same pair
    report = Report(follower=follower)
    if new := new_lines(project, list(report.readable(lines)), report):
        _open_gold_pairs(project, new, report)
    if report.added:
        audit.record(Act.GOLD_PAIRS_ADDED, by=by, on=project, pairs=report.added)
    report.stored()
    return report


def new_lines(project: Project, lines: Sequence[GoldPair], report: Report) -> list[GoldPair]:
    """Return the lines of pairs that the project does not have; count or refuse the others.

    Raises Refused if the project judges no pairs.
    """
    additions.check_judged(project)
    labels, new = _labels(project), list[GoldPair]()
    pairs = list(_by_key(project, lines))
    # One query for all lines: with one for each, Postgres may read all items of the project.
    has_key = bulk.among("texts_key", {key for key, _ in pairs})
    of_study = Item.objects.filter(has_key, project=project, duplicate_of=None)
    keys_of_study = set(of_study.values_list("texts_key", flat=True))
    for key, line in pairs:
        if labels.get(key, line.label) != line.label:
            report.refuse(line.line, LabelFault.OTHER_LABEL)
        elif key in labels:
            report.duplicates += 1
        elif key in keys_of_study:
            report.refuse(line.line, LabelFault.OF_STUDY)
        else:
            labels[key] = line.label
            new.append(line)
    return new


def _open_gold_pairs(project: Project, lines: list[GoldPair], report: Report) -> None:
    labels = {key: line.label for key, line in _by_key(project, lines)}
    first = project.runs.order_by("pk").values_list("corpus__language", flat=True).first()
    language = first or "en"
    name = f"Gold pairs ({language}) {project.public_id}"
    corpus = corpora.open_corpus(name, language=language)
    rewrites = [PairLine(line.line, line.sentence1, line.sentence2) for line in lines]
    imported = import_candidates(rewrites, corpus=corpus, origin="hidden pairs")
    for refusal in imported.first_refusals:
        report.refuse(refusal.line, refusal.reason)
    report.added += len(open_gold(project, _finals(project, imported, labels)))


def _by_key(project: Project, lines: Iterable[GoldPair]) -> Iterator[tuple[UUID, GoldPair]]:
    directed = project.scheme.directed
    for line in lines:
        yield pair_key(line.sentence1, line.sentence2, directed=directed), line


def _finals(
    project: Project, imported: PairReport, labels: Mapping[UUID, int]
) -> list[tuple[FinalText, int]]:
    candidates = Candidate.objects.filter(run__in=imported.runs.values()).select_related("sentence")
    finals = [FinalText.from_candidate(project, row, row.text) for row in candidates.order_by("pk")]
    return [(final, labels[final.key]) for final in finals]


def _labels(project: Project) -> dict[UUID, int]:
    """Return the known labels of the project's gold pairs by the keys of their texts."""
    rows = SentencePair.objects.filter(project=project, gold_label__isnull=False)
    labels_by_key = rows.values_list("texts_key", "gold_label")
    return {key: label for key, label in labels_by_key if key is not None and label is not None}
