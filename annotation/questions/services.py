"""Changes the questions of a study, by managers, and replies, by the people who are asked."""

from collections.abc import Collection, Mapping, Sequence

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import ARCHIVED, Refused
from annotation.models import AnnotatorQuestion, AnnotatorReply, Membership, Project
from annotation.questions import ready, selectors

MOST_QUESTIONS, FEWEST_CHOICES, MOST_CHOICES = 20, 2, 250


@transaction.atomic
def add(
    project: Project, *, title: str, text: str, choices: Sequence[str], by: User | None
) -> AnnotatorQuestion:
    """Ask another question: everyone answers it before their next item. Raises Refused."""
    _lock(project)
    return _add(project, ready.Texts(title, text, list(choices)), key="", by=by)


@transaction.atomic
def add_ready(project: Project, keys: Collection[str], *, by: User | None) -> None:
    """Ask ready-made questions, by their keys. Raises Refused, and KeyError for unknown ones."""
    _lock(project)
    for key in keys:
        _add(project, ready.english(key), key=key, by=by)


@transaction.atomic
def change(
    question: AnnotatorQuestion, *, title: str, text: str, choices: Sequence[str], by: User | None
) -> None:
    """Change a question without answers. Raises Refused."""
    _lock(question.project)
    _refuse_replied(question)
    texts = ready.Texts(title, text, list(choices))
    _check(question.project, texts, besides=question.pk)
    is_ready = bool(question.ready) and texts == ready.english(question.ready)
    question.title, question.text, question.choices = texts
    question.ready = question.ready if is_ready else ""
    question.save(update_fields=["title", "text", "choices", "ready"])
    audit.record(Act.QUESTION_CHANGED, by=by, on=question)


@transaction.atomic
def remove(question: AnnotatorQuestion, *, by: User | None) -> None:
    """Delete a question without answers. Raises Refused."""
    _lock(question.project)
    _refuse_replied(question)
    audit.record(Act.QUESTION_REMOVED, by=by, on=question)
    question.delete()
    _date_questions(question.project)


@transaction.atomic
def retire(question: AnnotatorQuestion, *, by: User | None) -> None:
    """Stop asking a question. Its replies and totals stay; new releases leave it out."""
    _lock(question.project)
    if question.retired_at is None:
        question.retired_at = timezone.now()
        question.save(update_fields=["retired_at"])
        _date_questions(question.project)
        audit.record(Act.QUESTION_RETIRED, by=by, on=question)


@transaction.atomic
def reply(
    membership: Membership, replies: Mapping[int, int | None], *, publishes: bool, version: str
) -> None:
    """Store replies: by question, the place of the choice, or None for “I’d rather not say”.

    They are of those questions that the person has to answer, or else of all that they may change.
    Raises Refused if these are no longer the questions of this `version`.
    """
    # Lock the questions until the replies are stored.
    membership.project = Project.objects.select_for_update(no_key=True).get(
        pk=membership.project_id
    )
    questions = selectors.to_answer(membership) or selectors.to_change(membership)
    if version != selectors.version_of(questions):
        raise Refused(
            _("The questions were changed while you were answering. Please look at them again.")
        )
    AnnotatorReply.objects.bulk_create(
        [
            AnnotatorReply(membership=membership, question=question, choice=replies[question.pk])
            for question in questions
        ],
        update_conflicts=True,
        unique_fields=["membership", "question"],
        update_fields=["choice"],
    )
    membership.publishes = publishes
    # Of a changed reply, no date is stored: with it, totals before and after would tell the change.
    if not membership.has_replied:
        membership.replied_at = timezone.now()
    membership.save(update_fields=["publishes", "replied_at"])


def forget(user: User) -> None:
    """Delete all replies of a person."""
    AnnotatorReply.objects.filter(membership__user=user).delete()
    Membership.objects.filter(user=user).update(publishes=None)


def copy(project: Project, *, to: Project) -> None:
    """Let another project, which is new, ask the same questions."""
    AnnotatorQuestion.objects.bulk_create(
        AnnotatorQuestion(
            project=to,
            number=number,
            title=question.title,
            text=question.text,
            choices=question.choices,
            ready=question.ready,
        )
        for number, question in enumerate(selectors.active(project), start=1)
    )
    _date_questions(to)


def _add(project: Project, texts: ready.Texts, *, key: str, by: User | None) -> AnnotatorQuestion:
    _check(project, texts)
    if len(selectors.active(project)) >= MOST_QUESTIONS:
        raise Refused(
            _("A study asks at most %(most)s questions. Retire or remove one first.")
            % {"most": MOST_QUESTIONS}
        )
    last = project.questions.aggregate(last=Max("number"))["last"] or 0
    title, text, choices = texts
    question = AnnotatorQuestion.objects.create(
        project=project, number=last + 1, title=title, text=text, choices=choices, ready=key
    )
    _date_questions(project)
    audit.record(Act.QUESTION_ADDED, by=by, on=question)
    return question


def _check(project: Project, texts: ready.Texts, *, besides: int = 0) -> None:
    """Raises Refused for a title that is taken, or choices that are too few, many or equal.

    `besides` is the key of the question that is changed.
    """
    titles = {other.title.casefold() for other in selectors.active(project) if other.pk != besides}
    if texts.title.casefold() in titles:
        raise Refused(_("The study already has a question with this title. Choose another one."))
    number = len(texts.choices)
    if not FEWEST_CHOICES <= number <= MOST_CHOICES:
        raise Refused(
            _("A question has %(fewest)s to %(most)s choices; this one has %(number)s.")
            % {"fewest": FEWEST_CHOICES, "most": MOST_CHOICES, "number": number}
        )
    if len({choice.casefold() for choice in texts.choices}) < number:
        raise Refused(_("Two choices are the same. Remove one."))


def _refuse_replied(question: AnnotatorQuestion) -> None:
    if selectors.has_reply(question):
        raise Refused(_("People have answered this question, so it can only be retired."))


def _date_questions(project: Project) -> None:
    """Update the date of the questions, so that people who have not answered one are asked."""
    newest = project.questions.filter(retired_at=None).aggregate(newest=Max("created_at"))
    project.questions_changed_at = newest["newest"]
    project.save(update_fields=["questions_changed_at"])


def _lock(project: Project) -> None:
    """Wait for other changes of the questions, and for replies. Raises Refused if archived."""
    project.refresh_from_db(from_queryset=Project.objects.select_for_update(no_key=True))
    if project.archived_at is not None:
        raise Refused(str(ARCHIVED))
