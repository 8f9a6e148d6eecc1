"""The questions that a study asks about its annotators, and totals of their replies.

Nothing here returns one person's reply to anybody else.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, Q

from annotation.models import AnnotatorQuestion, AnnotatorReply, Membership, Project
from annotation.projects.selectors import study_rows
from annotation.stats import groups


@dataclass(frozen=True, slots=True)
class Totals:
    """How often each choice of a question was made, among the replies that are counted.

    `numbers` is by place; None is “I’d rather not say”. Choices of too few people are not in it.
    """

    question: AnnotatorQuestion
    people: int
    numbers: dict[int | None, int]


def active(project: Project) -> list[AnnotatorQuestion]:
    """Return the questions that newcomers are asked."""
    return list(project.questions.filter(retired_at=None))


def to_answer(member: Membership) -> list[AnnotatorQuestion]:
    """Return the questions that the person has to answer before work."""
    if member.has_replied:
        return []
    return list(
        member.project.questions.filter(retired_at=None).exclude(replies__membership=member)
    )


def to_change(member: Membership) -> list[AnnotatorQuestion]:
    """Return the questions to which the person may change their replies."""
    of_person = Q(retired_at=None) | Q(replies__membership=member)
    return list(member.project.questions.filter(of_person).distinct())


def replies_of(member: Membership) -> dict[int, int | None]:
    """Return the person's own replies, by question: the place of the choice."""
    return dict(member.replies.values_list("question", "choice"))


def has_reply(question: AnnotatorQuestion) -> bool:
    return AnnotatorReply.objects.filter(question=question).exists()


def totals(project: Project) -> list[Totals]:
    """Return the totals of each question, those that are still asked first."""
    questions = project.questions.order_by(F("retired_at").asc(nulls_first=True), "number")
    return [totals_of(question) for question in questions.select_related("project")]


def totals_of(question: AnnotatorQuestion) -> Totals:
    choices = list(question.replies.order_by("pk").values_list("choice", flat=True))
    return Totals(question, *groups.totals(choices, question.project.least_in_group))


def publishable(project: Project) -> dict[int, dict[str, str | None]]:
    """Return what a release may tell of its annotators, by account: replies by title of question.

    They are people who allowed that and whose answers count on a decided pair. Replies that too
    few of them share are left out; empty if no replies may be published.
    """
    if project.questions_changed_at is None:
        return {}
    questions = {question.pk: question for question in active(project)}
    judges = study_rows.counted_judgments(project).filter(item__consensus__isnull=False)
    rows = AnnotatorReply.objects.filter(
        question__in=questions,
        membership__publishes=True,
        membership__user__in=judges.values("annotator"),
    )
    nothing: dict[str, str | None] = {question.title: None for question in questions.values()}
    replies = defaultdict[int, dict[str, str | None]](nothing.copy)
    columns = ("membership__user", "question", "choice")
    for account, key, choice in rows.order_by("membership__user").values_list(*columns):
        question = questions[key]
        text = None if choice is None else question.choices[choice]
        replies[account][question.title] = text
    safe_replies = groups.without_rare(replies, project.least_in_group)
    says_any = any(choice for row in safe_replies.values() for choice in row.values())
    return safe_replies if says_any else {}


def version_of(questions: Sequence[AnnotatorQuestion]) -> str:
    """Return a digest of the questions, which the form sends back with the replies."""
    asked = [
        [question.pk, question.title, question.text, question.choices] for question in questions
    ]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()
