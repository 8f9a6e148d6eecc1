"""Why a sentence has no candidate, in words for pages."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.display import readable
from generation.nlp import back_translation, definitions, judging, translation, tries
from generation.nlp.near_equal import NearEqual
from generation.nlp.rewrites import ACCEPTED, FAILED

OUTCOMES = {
    ACCEPTED: gettext_lazy("with candidates"),
    FAILED: gettext_lazy("the method failed on the sentence"),
    tries.Reason.TOO_SHORT: gettext_lazy("shorter than the settings allow"),
    tries.Reason.TOO_LONG: gettext_lazy("longer than the settings allow"),
    tries.Reason.NOTHING_TO_SWAP: gettext_lazy("no two words can be swapped"),
    tries.Reason.BELOW_THRESHOLD: gettext_lazy("every rewrite is too unlikely"),
    tries.Reason.UNEVEN: gettext_lazy("the best rewrite is too unlikely in one place"),
    tries.Reason.DOUBLED_WORD: gettext_lazy("the best rewrite repeats a word"),
    tries.Reason.LIST_PERMUTATION: gettext_lazy("the best rewrite only reorders a list"),
    tries.Reason.ODD: gettext_lazy("people would probably not accept the best rewrite"),
    judging.UNLIKELY: gettext_lazy("too unlikely to the second language model"),
    back_translation.Reason.NO_TRANSLATION: gettext_lazy("the models gave no translation"),
    back_translation.Reason.FAILED: gettext_lazy("the models failed on the sentence"),
    back_translation.Reason.ONLY_IDENTICAL: gettext_lazy(
        "every back translation is the source sentence"
    ),
    back_translation.Reason.BELOW_SIMILARITY: gettext_lazy("no rewrite is similar enough"),
    back_translation.Reason.NOT_DRAWN: gettext_lazy(
        "dropped to reach the share of reordered rewrites"
    ),
    translation.Reason.EMPTY: gettext_lazy("the models gave no translation"),
    translation.Reason.UNCHANGED: gettext_lazy("the translation is the source sentence"),
    definitions.Reason.PAIRED: gettext_lazy("only the second sentence of a pair"),
    definitions.Reason.SINGLETON: gettext_lazy("alone in its cluster"),
    definitions.Reason.NEAR_DUPLICATE: gettext_lazy("nearly repeats the rest of its cluster"),
    definitions.Reason.FEW_DEFINITIONS: gettext_lazy("its entity has too few definitions"),
    definitions.Reason.UNKNOWN_WORDS: gettext_lazy("none of its words has a vector"),
}
DROPPED = {
    NearEqual.EQUAL: gettext_lazy("equal but for case and punctuation"),
    NearEqual.CONTAINED: gettext_lazy("one contains the other"),
    NearEqual.TYPOS: gettext_lazy("the same but for a few letters"),
    definitions.TOO_MANY: gettext_lazy("beyond the maximum comparisons"),
}


def in_words(name: str) -> str:
    """Return an outcome in words, as after "No candidate:"; that of another method as it is."""
    if not name:
        return _("the reason was not recorded")
    return str(OUTCOMES.get(name, readable(name)))


def why_dropped(name: str) -> str:
    """Return why a method left out a pair, in words; that of another method as it is."""
    return str(DROPPED.get(name, readable(name)))
