"""What helps translators while they write: warnings, and a search in what they wrote before.

The warnings are those of annotation/translations/stats/checks.py. None keeps them from saving.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.core.cache import cache
from django.db.models import Q
from django.db.models.functions import Length
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from annotation.errors import NotStorable
from annotation.glossary import selectors as glossary
from annotation.models import Duty, Item, Project, Translation
from annotation.translations.stats.checks import (
    Band,
    Check,
    Finding,
    findings,
    learn_band,
    most_characters,
)
from annotation.translations.stats.placeholders import is_placeholder
from generation.nlp.text import RefusedText, check

MESSAGES: dict[Check, str | Promise] = {
    Check.TOO_SHORT: gettext_lazy("Unusually short for this sentence. Is something missing?"),
    Check.TOO_LONG: gettext_lazy("Unusually long for this sentence. Is something added?"),
    Check.NUMBERS: gettext_lazy("Numbers of the source that are missing: %(words)s"),
    Check.BRACKET_MISSING: gettext_lazy("A bracket of the source is missing: %(words)s"),
    Check.BRACKET_ADDED: gettext_lazy("A bracket that the source doesn’t have: %(words)s"),
    Check.MARK_MISSING: gettext_lazy("The source ends with “%(words)s”."),
    Check.MARK_ADDED: gettext_lazy("The source doesn’t end with “%(words)s”."),
    Check.TERMS: gettext_lazy("Terms of the list that are not used: %(words)s"),
    Check.REUSED: gettext_lazy("Another sentence has exactly the same translation."),
    Check.UNCHANGED: gettext_lazy("This is the same as the source."),
    Check.PLACEHOLDER: gettext_lazy(
        "“%(words)s” may only say that there is no translation. If the sentence can’t be "
        "translated, say why instead."
    ),
}
NO_TRANSLATION = gettext_lazy(
    "“%(text)s” is no translation. If the sentence can’t be translated, say why."
)
# The latest sentences are enough to learn from, whatever the size of the project.
MOST_LEARNED = 2000
KEPT_SECONDS = 600
# A person's latest translations, and how many of them a page shows.
MOST_SEARCHED, MOST_FOUND = 5000, 30


def warnings(project: Project, item: Item, text: str) -> Sequence[str]:
    """Return the warnings about a translation in words; none for an empty text.

    A text that cannot be stored has the reason alone.

    `item` is the sentence to translate, or the translation to validate.
    """
    source = item.sentence1.text if item.sentence1 else ""
    text = " ".join(text.split())
    if not text:
        return []
    try:
        check(text, max_characters=most_characters(source))
    except RefusedText as refusal:
        return [str(NotStorable(refusal))]
    if is_placeholder(text):
        return [NO_TRANSLATION % {"text": text}]
    faults = findings(
        source,
        text,
        band=band(project),
        terms=glossary.terms_in(project, source),
        reused=_is_reused(project, item, text),
    )
    return [_describe_finding(fault) for fault in faults]


def _is_reused(project: Project, item: Item, text: str) -> bool:
    """Whether a translation of another sentence of the project has this text."""
    sentence = item if item.origin is None else item.origin.item
    translations = Translation.objects.filter(project=project, action=Translation.Action.TRANSLATE)
    return translations.with_text(text).exclude(item=sentence).exists()


def _describe_finding(finding: Finding) -> str:
    return str(MESSAGES[finding.name]) % {"words": ", ".join(finding.words)}


def band(project: Project) -> Band | None:
    """Return the band of the ratios of lengths; None while too few translations are done.

    It is learned again every ten minutes.
    """
    key = f"translation-lengths-{project.public_id}"
    cached = cache.get(key)
    if cached is None:
        cached = (_learn_band(project),)
        cache.set(key, cached, KEPT_SECONDS)
    return cast(tuple[Band | None], cached)[0]


def _learn_band(project: Project) -> Band | None:
    rows = Translation.objects.filter(
        project=project, action=Translation.Action.TRANSLATE, excluded_by=None
    )
    last = Translation.objects.filter(pk__in=rows.order_by("-item_id").values("pk")[:MOST_LEARNED])
    lengths = last.values_list(Length("text"), Length("item__sentence1__text"))
    return learn_band([text / source for text, source in lengths])


@dataclass(frozen=True, slots=True)
class Earlier:
    """A sentence with the person's translation."""

    source: str
    text: str
    at: datetime | None


def earlier_translations(duty: Duty, words: str) -> Sequence[Earlier]:
    """Return the person's latest translations whose source or text contains all of the words."""
    translations = duty.answers.filter(action=Translation.Action.TRANSLATE).values("pk")
    rows = Translation.objects.filter(pk__in=translations[:MOST_SEARCHED])
    for word in words.split():
        rows = rows.filter(Q(text__icontains=word) | Q(item__sentence1__text__icontains=word))
    columns = ("item__sentence1__text", "text", "submitted_at")
    latest = rows.order_by("-serial").values_list(*columns)[:MOST_FOUND]
    return [Earlier(source or "", text, at) for source, text, at in latest]
