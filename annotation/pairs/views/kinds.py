"""Names of kinds of change in the interface (PAWS Table 2)."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from generation.nlp.back_translation import Kind as TranslationKind
from generation.nlp.phrases import Kind

NAMES: Mapping[str, object] = {
    Kind.NAME: gettext_lazy("names"),
    Kind.DATE: gettext_lazy("dates"),
    Kind.NUMBER: gettext_lazy("numbers"),
    Kind.ADJECTIVE: gettext_lazy("adjectives"),
    Kind.NOUN: gettext_lazy("nouns"),
    Kind.VERB: gettext_lazy("verbs"),
    Kind.ADVERB: gettext_lazy("adverbs"),
    Kind.PREPOSITION: gettext_lazy("prepositions"),
    Kind.OTHER: gettext_lazy("other words"),
    Kind.MIXED: gettext_lazy("more than one kind"),
    TranslationKind.WORD_ORDER: gettext_lazy("word order"),
    TranslationKind.WORD_CHOICE: gettext_lazy("word choice"),
}


def name(kind: str) -> str:
    """Return the name in the language of the page; unknown kinds of imported pairs as they are."""
    return str(NAMES.get(kind, kind)) if kind else _("unspecified")
