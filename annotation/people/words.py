"""What pages say of a person in a word: what they do, and what they lack to begin."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from annotation.models import Membership, Project, Role
from annotation.people.selectors.risk import Level
from annotation.work.kinds import KINDS

WORK: dict[str, str | Promise] = {
    "correct": _("corrects"),
    "judge": _("judges"),
    "translate": _("translates"),
    "validate": _("validates"),
}
ROLES: dict[str, str | Promise] = {
    Role.MANAGER: _("manages"),
    Role.RESEARCHER: _("reads"),
    Role.REMOVED: _("removed"),
}
LEVELS: dict[Level, str | Promise] = {
    Level.LOOK: _("Needs a look"),
    Level.WATCH: _("Keep an eye on"),
}
COLOURS = {Level.LOOK: "red", Level.WATCH: "amber"}


def work_of(member: Membership) -> str:
    """Return what a member does: their role, unless it is to annotate, and their work."""
    role = [ROLES[member.role]] if member.role in ROLES else []
    works = [WORK.get(kind, KINDS[kind].title) for kind in member.kinds]
    return ", ".join(map(str, [*role, *works])) or _now("no work")


def standing_of(member: Membership, project: Project) -> str:
    """Return what an annotator lacks to begin; members.of_project counts their `failures`."""
    if member.role != Role.ANNOTATOR or not member.kinds:
        return ""
    if not member.has_consented:
        if member.consented_at:
            return _now("must accept the new text")
        return _now("has not accepted the terms yet")
    if not member.has_replied:
        return _now("has not answered the questions yet")
    if member.is_admitted:
        return ""
    if getattr(member, "failures", 0) >= project.attempts:
        return _now("no attempts left")
    return _now("has not qualified yet")
