"""The files of releases in plain words: a name and one sentence for readers of pages.

The card of a release has its own texts, which stay as they are.
"""

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import NamedTuple

from common.marked import gettext_noop as _
from releases.dataset.columns import GRADE


class PlainName(NamedTuple):
    """A name, and a sentence about what it names; both are marked for translation."""

    name: str
    about: str


# Of published sets instead.
OF_OTHERS = {"labeled_final": PlainName(_("Labelled pairs"), _("Labelled by others. Use these."))}
# By the folder, or for single files the name without its ending.
PLAIN_NAMES = {
    "labeled_final": PlainName(
        _("Labelled pairs"), _("Judged by people, or derived from judged pairs. Use these.")
    ),
    "labeled_swap": PlainName(
        _("More word swaps"),
        _("Judged too, but mostly not paraphrases: further training data."),
    ),
    "unlabeled_final": PlainName(
        _("Machine-labelled pairs"),
        _("Judged or not: the label follows from the method alone, not from the answers."),
    ),
    "low_agreement": PlainName(
        _("Too few agreed"), _("Left out of all others, for research on disagreement.")
    ),
    "translated": PlainName(
        _("Translated pairs"),
        _("Dev and test are translated by people, train by machine. Use these."),
    ),
    "translate_test": PlainName(
        _("Translated back by machine"),
        _("Dev and test again in the source language, to test a model of that language."),
    ),
    "pairs": PlainName(_("All pairs"), _("Every pair with its origin, votes and place.")),
    "sentences": PlainName(_("Sentences"), _("Every sentence with where it comes from.")),
    "judgments": PlainName(_("Answers"), _("Every answer, under a pseudonym.")),
    "annotators": PlainName(
        _("Annotators"), _("What people who allowed it replied to questions about themselves.")
    ),
    "adjudications": PlainName(
        _("Expert decisions"), _("On pairs on which too few agreed; in no label.")
    ),
    "model_judgments": PlainName(
        _("Labels of models"), _("For judged pairs; in no label and no figure.")
    ),
    "prompts": PlainName(
        _("Prompts"), _("By which chat models were asked to rewrite sentences or judge pairs.")
    ),
    "untranslated": PlainName(
        _("Untranslatable sentences"), _("With the reasons that people gave.")
    ),
    "validations": PlainName(
        _("Validations"), _("What second people said of a sample of the translations.")
    ),
    "README": PlainName(_("Card"), _("What the dataset is, and how it was made.")),
    "manifest": PlainName(_("Manifest"), _("Settings, counts and checksums.")),
    "croissant": PlainName(_("Croissant"), _("The description for catalogues of datasets.")),
    "paper": PlainName(_("For a paper"), _("How the dataset came about, with tables, in LaTeX.")),
    "CITATION": PlainName(_("Citation"), _("How to cite it, for programs.")),
    ".zenodo": PlainName(_("Zenodo"), _("How to cite it, for Zenodo.")),
}
GRADED = PlainName(
    _("Labelled pairs"),
    _("Graded by people, with the grade and whether it is a paraphrase. Use these."),
)
# Where labels are not two sides, nothing is recombined.
OF_LABELS = {
    "labeled_final": PlainName(
        _("Judged pairs"), _("Judged by people, with all their votes. Use these.")
    )
}
_PARQUET = "parquet"


def plain_name(file: str, columns: Iterable[str] = ()) -> PlainName:
    """Return the name of a subset, or of a file by its path; `columns` are those of the settings.

    Raises KeyError for a file that no format has.

    >>> plain_name("parquet/labeled_swap/train.parquet").name
    'More word swaps'
    """
    path = PurePosixPath(file.removeprefix(f"{_PARQUET}/"))
    key = path.parts[0] if len(path.parts) > 1 else path.stem
    return GRADED if key == "labeled_final" and GRADE in columns else PLAIN_NAMES[key]
