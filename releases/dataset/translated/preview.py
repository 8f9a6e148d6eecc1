"""Summarizes a plan of translations before it is frozen: sizes, first rows, what is left out."""

from itertools import chain

from releases.dataset.preview import Preview, counted
from releases.dataset.translated.files import TABLES
from releases.dataset.translated.plan import TranslatedReleasePlan
from releases.dataset.translated.settings import TranslationSettings


def of(planned: TranslatedReleasePlan, _: TranslationSettings) -> Preview:
    """Return what a release would hold. Families and wanted sizes are those of the source."""
    left_out = planned.left_out.items()
    return Preview(
        parts=tuple(counted(chain(planned.pairs, planned.back), TABLES, {})),
        paraphrase_share=None,
        wanted_share=None,
        components=0,
        largest=(),
        left_out=tuple((why, sum(map(len, splits.values()))) for why, splits in left_out),
        warnings=(),
    )
