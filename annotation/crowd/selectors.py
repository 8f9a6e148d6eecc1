"""Recruiting links, the people who came by them, and what they did for their pay."""

import base64
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Membership, Participant, Platform, Project, Recruitment
from annotation.models.crowd import most_answers
from annotation.people.selectors.invitations import State, digest_of, state_of
from annotation.people.selectors.members import Step, step_of
from annotation.work import waiting
from annotation.work.waiting import WhyNone

# Where Prolific takes people back, with their code.
PROLIFIC = "https://app.prolific.com/submissions/complete?cc="
Outcome = Participant.Outcome
CODE_SALT = "annotation.crowd.return_code"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a participant's work ended: where they go next, or the code that they take along.

    `why` says why they get no more work; None for who was screened out.
    """

    outcome: str
    url: str
    code: str
    why: WhyNone | None = None


def find(secret: str) -> Recruitment:
    """Return the recruiting link in any state. Raises Recruitment.DoesNotExist."""
    return Recruitment.objects.select_related("project").get(digest=digest_of(secret))


def of_project(project: Project) -> list[tuple[Recruitment, State]]:
    """Return all recruiting links with `joined` and `completed`, newest first."""
    links = with_counts(project).select_related("created_by").order_by("-pk")
    return [(link, state_of(link, joined=link.joined)) for link in links]


def with_counts(project: Project) -> QuerySet[Any]:
    """Return the recruiting links with numbers of participants.

    `joined`, `completed`, `nothing_left` and `same_browser_people`.
    """
    return project.recruitments.annotate(
        joined=Count("participants"),
        completed=Count("participants", filter=Q(participants__outcome=Outcome.COMPLETED)),
        nothing_left=Count("participants", filter=Q(participants__outcome=Outcome.NOTHING_LEFT)),
        same_browser_people=Count(
            "participants", filter=Q(participants__same_browser_as__isnull=False)
        ),
    )


def find_participant(recruitment: Recruitment, participant_id: str) -> Participant | None:
    """Return the participant with this id in the project of the link."""
    on_platform = recruitment.project.participants.filter(platform=recruitment.platform)
    participants = on_platform.filter(participant_id=participant_id)
    return participants.select_related("membership__user", "membership__project").first()


def accounts_elsewhere(recruitment: Recruitment, participant_id: str) -> list[User]:
    """Return accounts that the platform's id has in other projects alone; none for own lists."""
    if recruitment.platform == Platform.OTHER:
        return []
    others = Participant.objects.filter(
        platform=recruitment.platform, participant_id=participant_id
    ).exclude(membership__user__memberships__participant__project=recruitment.project_id)
    return [other.membership.user for other in others.select_related("membership__user")]


def other_in_browser(
    recruitment: Recruitment, participant_id: str, *, browser: UUID | None, user: User | None
) -> Participant | None:
    """Return another participant of the project who uses or has used the browser.

    `user` is the person who is signed in. Only participants of the same project are compared.
    """
    others = recruitment.project.participants.exclude(
        platform=recruitment.platform, participant_id=participant_id
    )
    in_browser = Q(membership__user=user) if user else Q(pk=None)
    if browser:
        in_browser |= Q(browsers__browser=browser)
    return others.filter(in_browser).first()


def annotators_with_accounts(project: Project) -> list[User]:
    """Return the annotators of a project whom no platform has sent."""
    members = project.memberships.filter(role=Membership.Role.ANNOTATOR, participant=None)
    return [member.user for member in members.select_related("user")]


def opens_by_link(user: User) -> bool:
    """Whether the account has no other lock than the link: no password, and no rights."""
    has_rights = user.memberships.exclude(role=Membership.Role.ANNOTATOR).exists()
    is_plain = not (user.is_staff or user.is_superuser or user.has_usable_password())
    return user.is_active and is_plain and not has_rights


def return_code(user: User) -> str:
    """Return the code with which the person continues in another browser, in groups of four."""
    return _code(user, settings.SECRET_KEY)


def is_return_code(user: User, text: str) -> bool:
    """Whether this is the person's code; spaces, hyphens and case do not matter."""
    entered = "".join(character for character in text.upper() if character.isalnum())
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    codes = [_code(user, key).replace("-", "") for key in keys]
    return any(constant_time_compare(entered, code) for code in codes)


def ending(membership: Membership) -> Ending | None:
    """Return how the work of a participant has ended; None while there is something to do."""
    if step_of(membership) is Step.FAILED:
        return _ending(membership.participant, Outcome.SCREENED_OUT)
    duties = [membership.duty(kind) for kind in membership.kinds]
    reasons = {waiting.why_none(duty) for duty in duties}
    ends = {WhyNone.NOTHING, WhyNone.LIMIT, WhyNone.CLOSED}
    if not reasons <= ends or any(waiting.items_for(duty) for duty in duties):
        return None
    why = reasons.pop() if len(reasons) == 1 else WhyNone.NOTHING
    is_paid = membership.participant.outcome == Outcome.COMPLETED
    is_complete = is_paid or answers_of(membership) >= least_of(membership)
    outcome = Outcome.COMPLETED if is_complete else Outcome.NOTHING_LEFT
    return replace(_ending(membership.participant, outcome), why=why)


def answers_of(membership: Membership) -> int:
    """Return the number of a participant's answers; skips don't count."""
    return sum(membership.duty(kind).total for kind in membership.kinds)


def least_of(membership: Membership) -> int:
    """Return the number of answers that a participant needs to complete the study."""
    if least := membership.participant.recruitment.least_answers:
        return int(least)
    return most_answers(membership.project.limits, membership.kinds) or 1


def why_unreachable(project: Project, kinds: Collection[str], least: int | None) -> str:
    """Return why the limits keep people from this minimum of answers; empty if they do not."""
    most = most_answers(project.limits, kinds)
    if least is None or most is None or least <= most:
        return ""
    text = _(
        "The limit of answers per person is %(most)s, so no one could reach this minimum. Lower "
        "it, or raise the limit in the settings first."
    )
    return text % {"most": number_format(most, force_grouping=True)}


def _ending(participant: Participant, outcome: str) -> Ending:
    link = participant.recruitment
    code, url = {
        Outcome.COMPLETED: (link.completion_code, link.completion_url),
        Outcome.SCREENED_OUT: (link.screen_out_code, link.screen_out_url),
        Outcome.NOTHING_LEFT: (link.nothing_left_code, link.nothing_left_url),
    }[Outcome(outcome)]
    if not url and code and link.platform == Platform.PROLIFIC:
        url = f"{PROLIFIC}{quote(code)}"
    for name, value in (
        ("{participant}", participant.participant_id),
        ("{study}", participant.study_id),
        ("{session}", participant.session_id),
    ):
        url = url.replace(name, quote(value, safe=""))
    return Ending(outcome, url, code)


def _code(user: User, key: str) -> str:
    mac = salted_hmac(CODE_SALT, str(user.public_id), secret=key, algorithm="sha256").digest()
    letters = base64.b32encode(mac).decode()[:12]
    return "-".join(letters[at : at + 4] for at in range(0, 12, 4))
