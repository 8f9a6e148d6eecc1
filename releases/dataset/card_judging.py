"""What the card says of the labels of a study: its tables, their columns, and how to load them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotation.stats.labels import Scheme
from releases.dataset.columns import LABEL
from releases.dataset.files import Column, Table
from releases.dataset.settings import ReleaseSettings

TITLE = ("| file | what |", "|---|---|")
OF_SIDES = (
    "| `labeled_final/` | pairs with a label that people agree on, or that follows from such "
    "labels |",
    "| `labeled_swap/` | further judged word swaps, for training |",
    "| `unlabeled_final/` | generated pairs, judged or not, with the label that their method "
    "suggests |",
)
LOW_AGREEMENT = "| `low_agreement.tsv` | judged pairs on which too few agreed, with their votes |"
PARQUET = "| `parquet/` | the same tables, typed |"
SIDES_NOTE = (
    "All tables have these columns, so that they can be put together. `low_agreement` has no "
    "labels, and `unlabeled_final` has `noisy_label` instead. No sentence is in two splits, pairs "
    "of low agreement included: a model that learns from `soft_label` may take those whose `split` "
    "is train."
)
LISTS_NOTE = (
    "`votes` and `soft_label` have a number for each label, in the order of the labels; in TSV "
    "files, a space is between them. No sentence is in two splits"
)
MIXED_NOTE = (
    " Its one split is called `mixed`, because it has pairs of train, dev and test: the column "
    "`split` says which."
)
LOW_NOTE = (
    ", pairs of low agreement included: a model that learns from `soft_label` may take those whose "
    "`split` is train. `low_agreement` has no labels."
)
# Of each type in Parquet, what `datasets` calls it in the front matter.
DTYPES = {False: "int64", True: "float64"}


def tables_of_files(settings: ReleaseSettings) -> str:
    """Return the rows of the table of files that are about the tables."""
    scheme = settings.scheme
    if scheme.is_binary:
        return "\n".join((*TITLE, *OF_SIDES, LOW_AGREEMENT, PARQUET))
    what = "pairs with a label that enough people gave" if scheme.decides else "all judged pairs"
    low_agreement = (LOW_AGREEMENT,) if scheme.decides else ()
    return "\n".join((*TITLE, f"| `labeled_final/` | {what} |", *low_agreement, PARQUET))


def columns_note(settings: ReleaseSettings) -> str:
    mixed_note = MIXED_NOTE if settings.layout > 1 else ""
    if settings.scheme.is_binary:
        return SIDES_NOTE + mixed_note
    return LISTS_NOTE + (LOW_NOTE + mixed_note if settings.scheme.decides else ".")


def front_matter_of_labels(
    scheme: Scheme, counts: Mapping[str, Any], tables: Sequence[Table]
) -> dict[str, Any]:
    """Return what the front matter says otherwise where labels are not two sides.

    Names of labels without an order make `datasets` load a ClassLabel; the types of all columns
    must be there then, and are only then.
    """
    if scheme.is_binary:
        return {}
    further: dict[str, Any] = {"tags": ()}
    if scheme.decides and not scheme.is_ordered:
        written = {
            table.subset: table.columns
            for table in reversed(tables)
            if counts["subsets"][table.subset][table.split_name]["pairs"]
        }
        names = {str(place): name for place, name in enumerate(scheme.outcomes)}
        further["dataset_info"] = [
            {"config_name": subset, "features": [*_features(columns, names)]}
            for subset, columns in reversed(written.items())
        ]
    return further


def _features(columns: Iterable[Column], names: Mapping[str, str]) -> Iterable[dict[str, Any]]:
    for column in columns:
        numbers = "string" if column.is_text else DTYPES[column.is_fraction]
        if column.name == LABEL:
            yield {"name": column.name, "dtype": {"class_label": {"names": dict(names)}}}
        elif column.is_list:
            yield {"name": column.name, "sequence": numbers}
        else:
            yield {"name": column.name, "dtype": numbers}
