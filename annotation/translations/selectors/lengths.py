"""The usual lengths of a project's translations, from its own."""

from typing import cast

from django.core.cache import cache
from django.db.models.functions import Length

from annotation.models import Project, Translation
from annotation.stats.translation_checks import Band, learned

# The latest sentences are enough to learn from, whatever the size of the project.
MOST_LEARNED = 2000
KEPT_SECONDS = 600


def band(project: Project) -> Band | None:
    """Return the band of the ratios of lengths; None while too few translations are done.

    It is learned again every ten minutes.
    """
    key = f"translation-lengths-{project.public_id}"
    found = cache.get(key)
    if found is None:
        found = (_learned(project),)
        cache.set(key, found, KEPT_SECONDS)
    return cast(tuple[Band | None], found)[0]


def _learned(project: Project) -> Band | None:
    rows = Translation.objects.filter(
        project=project, action=Translation.Action.TRANSLATE, excluded_by=None
    )
    last = Translation.objects.filter(pk__in=rows.order_by("-item_id").values("pk")[:MOST_LEARNED])
    lengths = last.values_list(Length("text"), Length("item__sentence1__text"))
    return learned([text / source for text, source in lengths])
