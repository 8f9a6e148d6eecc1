"""The settings of a project by section. Each is declared in annotation/models/projects.py."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotation.models import Project

ABOUT = ("name", "description", "contact")
# They apply to existing pairs, and so are fixed once there are any.
PROTOCOL = (
    "judgments_per_pair",
    "consensus_min_votes",
    "judgments_at_most",
    "scheme",
    "decides_early",
    "corrected_methods",
    "order",
    "seed",
)
REASONS = ("reasons", "reason_share", "reason_labels")
LABELS = ("label_looks", "question", *REASONS)
WORK = (
    *("guidelines", "skipping", "highlighting", "limits", "lease_minutes", "idle_seconds"),
    *LABELS,
)
ENTRANCE = ("consent", "asks_qualification", "pass_mark", "attempts")
# Of the replies to questions about annotators.
QUESTIONS = ("least_in_group",)
QUALITY = ("gold_every", "floor_seconds", "on_flag")
# By page; each is saved alone.
PAGES = {
    "study": ABOUT,
    "work": WORK,
    "joining": (*ENTRANCE, *QUESTIONS),
    "quality": QUALITY,
    "protocol": PROTOCOL,
}
SETTINGS = tuple(name for names in PAGES.values() for name in names)
# Settings without an effect where no one judges.
OF_JUDGING = frozenset(
    (*LABELS, *QUALITY, *PROTOCOL, "highlighting", "asks_qualification", "pass_mark", "attempts")
)
# Texts are recorded as changed, other settings with their old and new value.
TEXTS = ("description", "guidelines", "consent")


def in_effect(project: "Project", page: str) -> tuple[str, ...]:
    return tuple(name for name in PAGES[page] if project.judges or name not in OF_JUDGING)
