"""Which onboarding step a member must complete next."""

from enum import Enum

from annotation.models import Membership
from annotation.quality.selectors import qualification


class Step(Enum):
    """A member's next step in a project."""

    CONSENT = "consent"
    QUALIFICATION = "qualification"
    FAILED = "failed"
    READY = "ready"


def step_of(membership: Membership) -> Step:
    """Return the next step. `Membership.is_admitted` is the cheap test for READY."""
    if not membership.has_consented:
        return Step.CONSENT
    if membership.is_admitted:
        return Step.READY
    return Step.QUALIFICATION if qualification.attempts_left(membership) else Step.FAILED
