"""paper.tex of a release of translations: the methods, and sizes as in PAWS-X Table 2."""

from collections.abc import Mapping
from typing import Any

from releases.dataset.facts import ReleaseFacts
from releases.dataset.paper import compose, sizes_caption
from releases.dataset.translated.figures import sizes
from releases.dataset.translated.files import TranslationSettings
from releases.dataset.translated.methods import methods

PAWS_X = """\
@inproceedings{yang-etal-2019-paws,
  title = {{PAWS-X}: A Cross-lingual Adversarial Dataset for Paraphrase Identification},
  author = {Yang, Yinfei and Zhang, Yuan and Tar, Chris and Baldridge, Jason},
  booktitle = {Proceedings of EMNLP-IJCNLP 2019},
  year = {2019},
  pages = {3687--3692},
  url = {https://aclanthology.org/D19-1382},
}"""


def paper(
    facts: ReleaseFacts,
    settings: TranslationSettings,
    counts: Mapping[str, Any],
    word_errors: Mapping[str, Any],
) -> str:
    paragraphs = methods(facts, settings, counts, word_errors)
    caption = sizes_caption(settings.scheme, "split")
    table = ("sizes", caption, sizes(counts, settings.scheme))
    return compose(facts, paragraphs, iter([table]), PAWS_X)
