"""Training on some releases and testing on others (PAWS Table 9)."""

from itertools import combinations

from evaluation.data import Pairs, Unusable
from evaluation.experiments.datasets import refuse_unusable
from evaluation.experiments.figures import Figures, size
from evaluation.experiments.fits import Fit, Results, Study, refuse_shared_base
from evaluation.experiments.sets import Dataset, shared, together
from evaluation.experiments.sharing import Scored, Training, plan

BASE = "base"


def column_names(study: Study) -> list[str]:
    """Return a name for each release: with its version where names are equal."""
    dataset_names = [dataset.part or dataset.name for dataset in study.datasets]
    unique_names = [
        name if dataset_names.count(name) == 1 else str(dataset)
        for name, dataset in zip(dataset_names, study.datasets, strict=True)
    ]
    if len({*unique_names}) < len(unique_names):
        raise Unusable(f"Name each release once, not {', '.join(unique_names)}.")
    return unique_names


def fits(study: Study) -> list[Fit]:
    """Raises Unusable, also if the base set has a sentence of a dev set."""
    for dataset in study.datasets:
        refuse_unusable(dataset)
    refuse_shared_base(study, "dev")
    return [
        scored.fit(model, seed)
        for scored in plans(study)
        if not scored.is_skipped
        for model in study.models
        for seed in study.seeds
    ]


def plans(study: Study) -> list[Scored]:
    """Return what is scored by each training, each test set for itself."""
    return [scored for _, plans_of_row in _plans(study) for scored in plans_of_row]


def _plans(study: Study) -> list[tuple[Training, list[Scored]]]:
    tests = {name: {name: pairs} for name, pairs in _tests(study).items()}
    return [(training, plan(training, tests, study.sharing)) for training in trainings(study)]


def _tests(study: Study) -> dict[str, Pairs]:
    """Return the columns: the test set of a base release, and that of each release."""
    base = {BASE: study.base.test} if study.base and len(study.base.test) else {}
    tests = (dataset.test for dataset in study.datasets)
    return base | dict(zip(column_names(study), tests, strict=True))


def trainings(study: Study) -> list[Training]:
    """Return the rows: the base set, each release, all of them, and the same with labeled_swap."""
    named_datasets = list(zip(column_names(study), study.datasets, strict=True))
    selections = [[named] for named in named_datasets] + (
        [named_datasets] if len(named_datasets) > 1 else []
    )
    table = [_training(study, BASE, [])] if study.base else []
    for named in selections:
        name, datasets = "+".join(name for name, _ in named), [dataset for _, dataset in named]
        table.append(_training(study, name, datasets))
        if any(len(dataset.swap) for dataset in datasets):
            table.append(_training(study, f"{name}+swap", datasets, swap=True))
    return table


def _training(study: Study, name: str, datasets: list[Dataset], *, swap: bool = False) -> Training:
    base = [study.base] if study.base else []
    trains = [source.train for source in base] + [source.train for source in datasets]
    trains += [source.swap for source in datasets] if swap else []
    dev = together(source.dev for source in (datasets or base))
    return Training(f"base+{name}" if datasets and base else name, together(trains), dev)


def figures(study: Study, results: Results) -> Figures:
    """Return for each row and model the figures on each test set, and what test sets share."""
    tests = _tests(study)
    figures_of_rows = [
        {
            "train": training.name,
            "model": model,
            "pairs": len(training.train),
            "tests": _cells(study, results, model, plans_of_row),
        }
        for training, plans_of_row in _plans(study)
        for model in study.models
    ]
    sets = [{"name": name, **size(test)} for name, test in tests.items()]
    shared_sentences = [
        {"sets": [name1, name2], "sentences": number}
        for name1, name2 in combinations(tests, 2)
        if (number := len(shared(tests[name1], tests[name2])))
    ]
    return {"sets": sets, "rows": figures_of_rows, "shared": shared_sentences}


def _cells(study: Study, results: Results, model: str, plans_of_row: list[Scored]) -> Figures:
    return {
        name: scored.figures(name, results, model, study.seeds)
        for scored in plans_of_row
        for name in scored.tests
    }
