"""The pages of annotation: projects, people and their quality, pairs with answers, releases."""

from annotation.admin import (
    consensus,
    entrance,
    guests,
    pairs,
    people,
    projects,
    quality,
    releases,
)

__all__ = [
    "consensus",
    "entrance",
    "guests",
    "pairs",
    "people",
    "projects",
    "quality",
    "releases",
]
