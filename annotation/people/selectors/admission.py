"""What a newcomer still has to do before there is work for them."""

from enum import Enum

from annotation.models import Membership
from annotation.quality.selectors import qualification


class Step(Enum):
    """What comes next for somebody in a project."""

    CONSENT = "consent"
    QUALIFICATION = "qualification"
    FAILED = "failed"
    READY = "ready"


def step_of(membership: Membership) -> Step:
    """The next step. `Membership.is_admitted` is the cheap test for READY."""
    if not membership.has_consented:
        return Step.CONSENT
    if membership.is_admitted:
        return Step.READY
    return Step.QUALIFICATION if qualification.attempts_left(membership) else Step.FAILED
