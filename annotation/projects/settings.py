"""The settings of a project by section. Each is declared in annotation/models/projects.py."""

from collections.abc import Collection

ABOUT = ("name", "description", "contact", "guidelines")
# They apply to existing pairs, and so are fixed once there are any.
PROTOCOL = (
    "judgments_per_pair",
    "consensus_min_votes",
    "max_label",
    "paraphrase_from",
    "decides_early",
    "corrected_methods",
    "order",
    "seed",
)
WORK = ("skipping", "highlighting", "limits", "lease_minutes", "idle_seconds")
LABELS = ("criteria", "examples")
ENTRANCE = ("consent", "asks_qualification", "pass_mark", "attempts")
QUALITY = ("gold_every", "floor_seconds", "on_flag")
SETTINGS = (*ABOUT, *WORK, *LABELS, *ENTRANCE, *QUALITY, *PROTOCOL)
# Settings without an effect in a project that lacks a kind of work.
NEEDS = dict.fromkeys(
    (*LABELS, *QUALITY, *PROTOCOL, "highlighting", "asks_qualification", "pass_mark", "attempts"),
    "judge",
)
# Texts are recorded as changed, other settings with their old and new value.
TEXTS = ("description", "guidelines", "consent")


def in_effect(kinds: Collection[str]) -> tuple[str, ...]:
    """Return the settings that have an effect in a project with these kinds of work."""
    return tuple(name for name in SETTINGS if name not in NEEDS or NEEDS[name] in kinds)
