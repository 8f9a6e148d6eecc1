"""Training on some releases and testing on others (PAWS Table 9)."""

from dataclasses import dataclass
from itertools import combinations

from evaluation.data import Pairs, Unusable
from evaluation.experiments.datasets import Dataset, refuse_unusable, shared, texts, together
from evaluation.experiments.figures import Figures, size, spread
from evaluation.experiments.fits import Fit, Results, Study, refuse_shared_base


@dataclass(frozen=True, eq=False)
class Row:
    """A sum of train sets, with the dev sets of the same releases.

    `shared` counts, for each test set that must not be tested, the sentences that train has too.
    """

    name: str
    train: Pairs
    dev: Pairs
    shared: dict[str, int]


def column_names(study: Study) -> list[str]:
    """Return a name for each release: with its version where names are equal."""
    dataset_names = [dataset.name for dataset in study.datasets]
    unique_names = [
        dataset.name if dataset_names.count(dataset.name) == 1 else str(dataset)
        for dataset in study.datasets
    ]
    if len({*unique_names}) < len(unique_names):
        raise Unusable(f"Name each release once, not {', '.join(unique_names)}.")
    return unique_names


def fits(study: Study) -> list[Fit]:
    """Raises Unusable, also if the base set has a sentence of a dev set."""
    for dataset in study.datasets:
        refuse_unusable(dataset)
    refuse_shared_base(study, "dev")
    tests = dict(
        zip(column_names(study), (dataset.test for dataset in study.datasets), strict=True)
    )
    return [
        Fit(row.name, model, seed, row.train, row.dev, allowed)
        for row in training_rows(study)
        if (allowed := {name: tests[name] for name in tests if name not in row.shared})
        for model in study.models
        for seed in study.seeds
    ]


def training_rows(study: Study) -> list[Row]:
    """Return the rows: the base set, each release, all of them, and the same with labeled_swap."""
    named_datasets = list(zip(column_names(study), study.datasets, strict=True))
    selections = [[named] for named in named_datasets] + (
        [named_datasets] if len(named_datasets) > 1 else []
    )
    table = [_row(study, "base", [])] if study.base else []
    for datasets in selections:
        name = "+".join(name for name, _ in datasets)
        table.append(_row(study, name, [dataset for _, dataset in datasets]))
        if any(len(dataset.swap) for _, dataset in datasets):
            table.append(
                _row(study, f"{name}+swap", [dataset for _, dataset in datasets], swap=True)
            )
    return table


def _row(study: Study, name: str, datasets: list[Dataset], *, swap: bool = False) -> Row:
    base = [study.base] if study.base else []
    trains = [source.train for source in base] + [source.train for source in datasets]
    trains += [source.swap for source in datasets] if swap else []
    dev = together(source.dev for source in (datasets or base))
    train = together(trains)
    tests = zip(column_names(study), study.datasets, strict=True)
    own_texts = texts(train + dev).keys()
    shared_by_test = {
        column: len(own_texts & texts(dataset.test).keys()) for column, dataset in tests
    }
    full_name = f"base+{name}" if datasets and base else name
    return Row(
        full_name,
        train,
        dev,
        {column: number for column, number in shared_by_test.items() if number},
    )


def figures(study: Study, results: Results) -> Figures:
    """Return for each row and model the figures on each test set, and what test sets share."""
    tests = dict(
        zip(column_names(study), (dataset.test for dataset in study.datasets), strict=True)
    )
    figures_of_rows = [
        {
            "train": row.name,
            "model": model,
            "pairs": len(row.train),
            "tests": {name: _cell(study, results, row, model, name, tests[name]) for name in tests},
        }
        for row in training_rows(study)
        for model in study.models
    ]
    sets = [{"name": name, **size(test)} for name, test in tests.items()]
    shared_sentences = [
        {"sets": [name1, name2], "sentences": number}
        for name1, name2 in combinations(tests, 2)
        if (number := len(shared(tests[name1], tests[name2])))
    ]
    return {"sets": sets, "rows": figures_of_rows, "shared": shared_sentences}


def _cell(study: Study, results: Results, row: Row, model: str, name: str, test: Pairs) -> Figures:
    if name in row.shared:
        return {"shared": row.shared[name]}
    return spread(test, (results[row.name, model, seed].scores[name] for seed in study.seeds))
