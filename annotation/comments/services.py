"""Writes comments on items: notes of annotators, replies and comments of managers."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.comments import selectors
from annotation.errors import Refused
from annotation.models import Comment, CommentThread, Item, Membership
from annotation.models.comments import MOST_COMMENT


@transaction.atomic
def note(member: Membership, item: Item, *, text: str) -> Comment:
    """Store what an annotator writes to the managers about an item that they had.

    It opens their thread again. Sent twice in a row, it is stored once. Raises Refused for an empty
    or too long text, and for an item that was never given to them.
    """
    if not selectors.has_had(member, item):
        raise Refused(_("You can only comment on items that were assigned to you."))
    return _add_comment(_lock_or_create_thread(item, member.user), by=member.user, text=text)


@transaction.atomic
def comment(item: Item, *, by: User, text: str) -> Comment:
    """Store a manager's comment on an item, which annotators never see. Raises Refused."""
    stored = _add_comment(_lock_or_create_thread(item, None), by=by, text=text)
    audit.record(Act.COMMENTED, by=by, on=stored.thread)
    return stored


@transaction.atomic
def reply(thread: CommentThread, *, by: User, text: str, closes: bool = False) -> Comment:
    """Store a manager's reply, which the thread's annotator sees; may close the thread.

    Raises Refused for an empty or too long text.
    """
    locked = _lock_thread(thread)
    comment = _add_comment(locked, by=by, text=text, reopens=False)
    audit.record(Act.COMMENTED, by=by, on=locked)
    if closes:
        _close(locked, by=by)
    return comment


@transaction.atomic
def close(thread: CommentThread, *, by: User) -> None:
    """Mark a thread as settled. A second call has no effect."""
    _close(_lock_thread(thread), by=by)


@transaction.atomic
def reopen(thread: CommentThread, *, by: User) -> None:
    """Mark a thread as open again. A second call has no effect."""
    locked = _lock_thread(thread)
    if locked.closed_at is not None:
        CommentThread.objects.filter(pk=locked.pk).update(closed_at=None, closed_by=None)
        audit.record(Act.COMMENTS_REOPENED, by=by, on=locked)


def confirm(member: Membership) -> None:
    """Record that an annotator has read the replies to them in this project."""
    selectors.unread_replies(member).update(read_at=timezone.now())


def erase(user: User) -> None:
    """Remove the text of all comments that a person wrote, and of all that were written to them."""
    Comment.objects.filter(author=user).update(text="")
    Comment.objects.filter(thread__annotator=user).update(text="")


def _lock_or_create_thread(item: Item, annotator: User | None) -> CommentThread:
    """Return the thread, locked; of concurrent first comments, one creates it."""
    key = {"item": item, "annotator": annotator}
    thread, _is_new = CommentThread.objects.get_or_create(
        **key, defaults={"project_id": item.project_id}
    )
    return _lock_thread(thread)


def _lock_thread(thread: CommentThread) -> CommentThread:
    rows = CommentThread.objects.select_related("project")
    return rows.select_for_update(of=("self",), no_key=True).get(pk=thread.pk)


def _add_comment(thread: CommentThread, *, by: User, text: str, reopens: bool = True) -> Comment:
    text = text.strip()
    if not text:
        raise Refused(_("The note is empty. Write something, then send it again."))
    if len(text) > MOST_COMMENT:
        raise Refused(
            _("The note is longer than %(most)d characters. Shorten it.") % {"most": MOST_COMMENT}
        )
    last = thread.comments.order_by("pk").last()
    if last is not None and (last.author_id, last.text) == (by.pk, text):
        return last
    if reopens and thread.closed_at is not None:
        CommentThread.objects.filter(pk=thread.pk).update(closed_at=None, closed_by=None)
    return Comment.objects.create(thread=thread, author=by, text=text)


def _close(thread: CommentThread, *, by: User) -> None:
    open_ = CommentThread.objects.filter(pk=thread.pk, closed_at=None)
    if open_.update(closed_at=timezone.now(), closed_by=by):
        audit.record(Act.COMMENTS_CLOSED, by=by, on=thread)
