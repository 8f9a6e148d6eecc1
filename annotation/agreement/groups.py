"""Agreement by group of annotators, of those whose replies may be published.

Managers see everybody's answers under their names. Figures of people who did not allow that would
tell them who is in a group: its answers could be looked for among those of all sets of people.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from annotation.models import Project
from annotation.projects import protocols
from annotation.projects.selectors import study_rows
from annotation.questions import selectors as questions
from annotation.stats.by_group import AnswersByGroup, Group

CHUNK = 5000


def of_project(project: Project) -> list[Group]:
    """Return the groups as a release would have them now. No query without questions."""
    if not (replies := questions.publishable(project)):
        return []
    answers = AnswersByGroup(replies)
    for pair in _answers_by_pair(project):
        answers.add_pair(pair)
    return list(answers.groups(protocols.of_project(project), project.least_in_group))


def _answers_by_pair(project: Project) -> Iterator[list[tuple[int, int]]]:
    """Yield the answers to each decided pair: the author's account, and the place of the label."""
    rows = study_rows.counted_judgments(project).filter(item__consensus__isnull=False)
    columns = rows.order_by("item_id").values_list("item_id", "annotator_id", "label")
    for _item, answers in groupby(columns.iterator(CHUNK), key=itemgetter(0)):
        yield [(author, label) for _, author, label in answers if label is not None]
