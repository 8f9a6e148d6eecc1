"""Recruiting links, and how people whom a platform sends get their account and finish."""

import secrets
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.crowd import selectors
from annotation.crowd.arrival import Arrival
from annotation.crowd.selectors import Ending
from annotation.errors import AnnotationError
from annotation.models import (
    Membership,
    Participant,
    ParticipantBrowser,
    Project,
    Recruitment,
    Role,
    SameBrowser,
)
from annotation.people.selectors.invitations import State, digest_of, state_of
from annotation.people.services.invitations import SECRET_BYTES, WORDS
from annotation.projects.services import projects
from annotation.quality.services import interventions, review

TO_BE_CHECKED = gettext_lazy(
    "Another participant has used this browser. The managers of the study check this before you "
    "get work."
)


class Closed(AnnotationError):
    """The link is closed."""


class NotProven(AnnotationError):
    """The participant with this id started in another browser."""


class BrowserTaken(AnnotationError):
    """Another participant has used the browser, and the link refuses a second one."""

    def __init__(self, by: Participant) -> None:
        super().__init__()
        self.by = by


@transaction.atomic
def create(
    project: Project,
    *,
    by: User,
    platform: str,
    kinds: Collection[str],
    most_people: int,
    expires_at: datetime,
    **columns: Any,
) -> tuple[Recruitment, str]:
    """Create a recruiting link. Returns it with its secret, which is not stored.

    Raises ValidationError if it has already expired, or an address is no web address.
    """
    if expires_at <= timezone.now():
        raise ValidationError({"expires_at": "Choose a time in the future."})
    secret = secrets.token_urlsafe(SECRET_BYTES)
    link = Recruitment(
        project=project,
        digest=digest_of(secret),
        created_by=by,
        platform=platform,
        kinds=list(kinds),
        most_people=most_people,
        expires_at=expires_at,
        **columns,
    )
    link.full_clean()
    link.save()
    audit.record(
        Act.RECRUITMENT_MADE,
        by=by,
        on=link,
        platform=platform,
        most_people=most_people,
        until=expires_at.date(),
    )
    return link, secret


@transaction.atomic
def revoke(recruitment: Recruitment, *, by: User) -> None:
    """Stop a link from admitting more people; those who joined stay and may continue."""
    standing = Recruitment.objects.filter(pk=recruitment.pk, revoked_at=None)
    if standing.update(revoked_at=timezone.now()):
        audit.record(Act.RECRUITMENT_ENDED, by=by, on=recruitment)


def join(
    arrival: Arrival,
    *,
    user: User | None,
    knows: Callable[[User], bool],
    browser: UUID | None = None,
) -> Membership:
    """Return the membership of a person whom a platform has sent; create account and membership.

    `user` is who is signed in; `knows` says whether the browser has been signed in to an account.
    Either proves who began under this id; else raises NotProven. Raises Closed for newcomers, and
    BrowserTaken. Flags people who may be the same person.
    """
    try:
        return _join(arrival, user=user, knows=knows, browser=browser)
    except BrowserTaken as error:
        review.flag(error.by.membership, "refused_id")
        raise


@transaction.atomic
def _join(
    arrival: Arrival, *, user: User | None, knows: Callable[[User], bool], browser: UUID | None
) -> Membership:
    # The lock keeps concurrent arrivals from exceeding the limit, and from being one id twice.
    link = Recruitment.objects.select_for_update().get(public_id=arrival.recruitment)
    Project.objects.select_for_update(no_key=True).get(pk=link.project_id)
    earlier = selectors.find_participant(link, arrival.participant)
    if earlier and earlier.membership.user != user and not knows(earlier.membership.user):
        raise NotProven
    other = selectors.other_in_browser(link, arrival.participant, browser=browser, user=user)
    is_new_pair = other is not None and not (earlier and earlier.same_browser_as_id)
    if other and is_new_pair and link.same_browser == SameBrowser.REFUSE:
        raise BrowserTaken(other)
    membership = _readmit(earlier, link, arrival) if earlier else _admit(link, arrival, user, knows)
    if other is None:
        _remember_browser(membership.participant, browser)
    elif is_new_pair:
        _share_browser(membership.participant, other, link)
    return membership


def _admit(
    link: Recruitment, arrival: Arrival, user: User | None, knows: Callable[[User], bool]
) -> Membership:
    """Let a newcomer in. Raises Closed."""
    if (state := state_of(link)) is not State.OPEN:
        raise Closed(str(WORDS[state]))
    if not link.project.is_open:
        raise Closed(_("This study is closed."))

    def is_theirs(candidate: User) -> bool:
        return candidate == user or knows(candidate)

    account = next(filter(is_theirs, selectors.accounts_elsewhere(link, arrival.participant)), None)
    annotators = selectors.annotators_with_accounts(link.project)
    had_account = any(map(is_theirs, annotators))
    if account is None:  # a new one with a random name and no usable password
        account = User.objects.create_user(f"participant-{secrets.token_hex(6)}")
    membership = _create_participant(link, arrival, account)
    if had_account and membership.user not in annotators:
        review.flag(membership, "same_browser")
    return membership


@transaction.atomic
def finish(membership: Membership) -> Ending | None:
    """Record how a participant's work has ended; None while there is something to do.

    The answers given until then can no longer be undone (work.answers).
    """
    person = Participant.objects.select_related("recruitment").select_for_update(of=("self",))
    membership.participant = person.get(membership=membership)
    ending = selectors.ending(membership)
    if ending is not None:
        # Who was screened out and granted another attempt may still complete it.
        closed_outcomes = Participant.Outcome.COMPLETED, ending.outcome
        still_open = Participant.objects.filter(membership=membership).exclude(
            outcome__in=closed_outcomes
        )
        still_open.update(outcome=ending.outcome, finished_at=timezone.now())
    return ending


def _create_participant(link: Recruitment, arrival: Arrival, user: User) -> Membership:
    membership, is_new = Membership.objects.get_or_create(
        project=link.project, user=user, defaults={"role": Role.ANNOTATOR}
    )
    if is_new:
        projects.allow(membership, link.kinds)
    Participant.objects.create(
        project=link.project,
        platform=link.platform,
        participant_id=arrival.participant,
        membership=membership,
        recruitment=link,
        study_id=arrival.study,
        session_id=arrival.session,
    )
    return membership


def _remember_browser(participant: Participant, browser: UUID | None) -> None:
    """Store the browser as this participant's. Raises BrowserTaken if another one has it."""
    if browser is None:
        return
    stored, _is_new = ParticipantBrowser.objects.get_or_create(
        project_id=participant.project_id, browser=browser, defaults={"participant": participant}
    )
    if stored.participant_id != participant.pk:
        raise BrowserTaken(stored.participant)


def _share_browser(participant: Participant, other: Participant, link: Recruitment) -> None:
    """Record that another participant has used the browser, and do what the link says."""
    participant.same_browser_as = other
    participant.save(update_fields=["same_browser_as"])
    if link.same_browser == SameBrowser.CHECK:
        member = participant.membership
        review.flag(member, "same_browser")
        interventions.stop_until_checked(member, reason=str(TO_BE_CHECKED))


def _readmit(participant: Participant, link: Recruitment, arrival: Arrival) -> Membership:
    """Record the new session. By another open link, the person starts again.

    `finished_at` stays: they may have been paid for the answers until then.
    """
    if participant.recruitment_id != link.pk and state_of(link) is State.OPEN:
        participant.recruitment, participant.outcome = link, ""
        projects.allow(participant.membership, {*participant.membership.kinds, *link.kinds})
    participant.study_id = arrival.study or participant.study_id
    participant.session_id = arrival.session or participant.session_id
    participant.save()
    return participant.membership
