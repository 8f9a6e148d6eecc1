"""The pages of annotation: projects, people and their quality, pairs with answers, releases."""

from annotation.admin import entrance, pairs, people, projects, quality, releases

__all__ = ["entrance", "pairs", "people", "projects", "quality", "releases"]
