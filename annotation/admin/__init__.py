"""The pages of annotation: projects, their people, their pairs with all answers, and releases."""

from annotation.admin import pairs, people, projects, releases

__all__ = ["pairs", "people", "projects", "releases"]
