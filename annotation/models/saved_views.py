"""Filters of a list that managers gave a name."""

from django.conf import settings
from django.db import models

MOST_QUERY = 500


class SavedView(models.Model):
    """A name for the filters of a list, which managers save and all readers use.

    `query` is the query string of the list; that of a list of answers begins with the kind of work.
    """

    class Page(models.TextChoices):
        """The lists that have views."""

        PAIRS = "pairs"
        ANSWERS = "answers"

    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="saved_views", db_index=False
    )
    page = models.CharField(max_length=10, choices=Page)
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=MOST_QUERY)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "page", "name"], name="saved_view_named_once_on_page"
            )
        ]

    def __str__(self) -> str:
        return self.name
