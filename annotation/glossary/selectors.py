"""The glossary of a translation study: its terms, and those that occur in a sentence."""

from collections.abc import Sequence

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Lower

from annotation.models import Project, Term
from annotation.translations.stats.checks import matched_terms, phrases
from annotation.work.contract import Shown

# Of a page, and of a sentence: more would hide the rest of the page.
MOST_LISTED = 500
MOST_IN_SENTENCE = 20


def of_project(project: Project, *, words: str = "") -> QuerySet[Term]:
    """Return the terms that contain the words, proposals first, then in the order of the source."""
    rows = Term.objects.filter(project=project).select_related("proposed_by")
    for word in words.split():
        rows = rows.filter(
            Q(source__icontains=word) | Q(target__icontains=word) | Q(note__icontains=word)
        )
    return rows.order_by(F("approved_at").asc(nulls_first=True), Lower("source"), "pk")


def terms_of(project: Project, shown: Shown | None) -> Sequence[Term]:
    """Return the approved terms of the first sentence of an item."""
    return terms_in(project, shown.sentences[0]) if shown else []


def terms_in(project: Project, text: str) -> Sequence[Term]:
    """Return the approved terms that occur in a text, in its order.

    They are looked up by the runs of words of the text, so the size of the glossary does not count.
    """
    rows = Term.objects.annotate(low=Lower("source")).filter(
        project=project, low__in=_lower_case_forms(phrases(text)), approved_at__isnull=False
    )
    return matched_terms(text, rows)[:MOST_IN_SENTENCE]


def _lower_case_forms(texts: set[str]) -> set[str]:
    """Return the texts as databases write them: SQLite changes the letters A to Z alone."""
    ascii_only = {
        "".join(letter.lower() if letter.isascii() else letter for letter in text) for text in texts
    }
    return ascii_only | {text.lower() for text in texts}
