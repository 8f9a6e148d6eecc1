"""Selects comments: all of a project for managers, an annotator's own for them."""

from collections.abc import Collection

from django.db.models import F, Max, Prefetch, Q, QuerySet

from annotation.models import Comment, CommentThread, Item, Membership, Project, Skip, Slot
from annotation.models.items import WITH_TEXTS

# An annotator's threads on one page.
MOST_OWN = 50
STATES = {"open": Q(closed_at=None), "closed": Q(closed_at__isnull=False), "all": Q()}
WITH_AUTHORS = Prefetch("comments", Comment.objects.select_related("author"))


def has_had(member: Membership, item: Item) -> bool:
    """Return whether a person has, answered or skipped an item."""
    of_person = {"item": item, "annotator": member.user_id}
    return Slot.objects.filter(**of_person).exists() or Skip.objects.filter(**of_person).exists()


def of_project(project: Project, *, state: str = "open") -> QuerySet[CommentThread]:
    rows = CommentThread.objects.filter(STATES[state], project=project)
    return _whole(rows)


def of_item(item: Item) -> QuerySet[CommentThread]:
    return _whole(CommentThread.objects.filter(item=item)).order_by(
        F("annotator").asc(nulls_first=True)
    )


def of_annotator(member: Membership) -> QuerySet[CommentThread]:
    """Return a person's own threads in a project, those with the latest comments first."""
    threads = CommentThread.objects.filter(annotator=member.user_id, project=member.project_id)
    return _whole(threads).annotate(last=Max("comments")).order_by("-last")[:MOST_OWN]


def own_thread(member: Membership, item: Item) -> CommentThread | None:
    return _whole(CommentThread.objects.filter(annotator=member.user_id, item=item)).first()


def unread_replies(member: Membership) -> QuerySet[Comment]:
    """Return the replies to a person in a project that they have not confirmed."""
    of_person = {"thread__annotator": member.user_id, "thread__project": member.project_id}
    return Comment.objects.filter(**of_person, read_at=None).exclude(author=member.user_id)


def open_threads(project: Project) -> QuerySet[CommentThread]:
    """Return the open notes of annotators."""
    return open_threads_in([project.pk])


def open_threads_in(projects: Collection[int]) -> QuerySet[CommentThread]:
    rows = CommentThread.objects.filter(project__in=projects)
    return rows.filter(closed_at=None, annotator__isnull=False)


def newest_notes(project: Project, number: int) -> QuerySet[Comment]:
    """Return the newest comments of annotators in open threads."""
    threads = open_threads(project).values("pk")
    notes = Comment.objects.filter(thread__in=threads, author=F("thread__annotator"))
    return notes.select_related("author").order_by("-pk")[:number]


def _whole(rows: QuerySet[CommentThread]) -> QuerySet[CommentThread]:
    related = ("annotator", *(f"item__{path}" for path in WITH_TEXTS))
    return rows.select_related(*related).prefetch_related(WITH_AUTHORS)
