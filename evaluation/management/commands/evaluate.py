"""Fits models to releases and measures them, in the foreground and without a database."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

from django.core.management.base import CommandError
from tqdm import tqdm

from annotation.errors import Refused
from annotation.management.arguments import summary
from common import commands
from common.display import plural
from evaluation import advice, board, cells, model_judgments, results, tables
from evaluation.contract import Model
from evaluation.data import Unusable
from evaluation.experiments import cross_domain, curve, plain
from evaluation.experiments.datasets import domains, read_silver
from evaluation.experiments.figures import measure_scores
from evaluation.experiments.fits import Fit, Part, Study
from evaluation.experiments.sets import Base, Dataset
from evaluation.management.evaluate_options import (
    CROSS,
    CROSSFIT,
    WITHOUT_MODELS,
    add_options,
    models_for,
    refuse,
)
from evaluation.management.releases import (
    folders_for,
    open_base,
    open_release,
)
from evaluation.run import EXPERIMENTS, PLAIN, SHAPE, evaluate
from releases.dataset.rows import SPLITS

PLANS = {PLAIN: plain.plans, "curve": curve.plans, CROSS: cross_domain.plans}
# By experiment: what it is about, and its models.
Studies: TypeAlias = Mapping[str, tuple[Study, Mapping[str, Model]]]
OTHERWISE = (
    "Refused labels differ from those that are stored under the same revision. To replace these, "
    "remove the model on the project's page of model judgments, and run this again."
)
REPLACED = (
    "The new tables of {experiment} replace those so far, which also have {models}. To keep them, "
    "name all models with --models: finished fits are not repeated."
)
NO_SETS = "Left out, without both labels in train and pairs in dev and test: {domains}."
EMPTY = "{release}, {split}: {pairs} with an empty sentence, scored as a text without words:"
MOST_NAMED = 20
BAR = "{desc} {percentage:3.0f} %|{bar}| {elapsed} passed, {remaining} left"


class Command(commands.Command):
    """Finished fits are kept, so that the same command continues a stopped one."""

    help = "Measure how well models learn from a release; writes tables to a folder next to it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_options(parser)

    def handle(self, **options: Any) -> None:
        names = [CROSSFIT] if options["crossfit"] else options["experiments"]
        refuse(names, options)
        try:
            with ExitStack() as stack:
                releases = [stack.enter_context(open_release(path)) for path in options["release"]]
                base = stack.enter_context(open_base(options["base"]))
                are_apart = len(releases) > 1 and names == [PLAIN]
                groups = [[release] for release in releases] if are_apart else [releases]
                paths = options["release"][: len(groups)]
                folders = folders_for(paths, [group[0][1] for group in groups], options["out"])
                plans = [
                    {name: self._study(name, options, group, base) for name in names}
                    for group in groups
                ]
                self._check(plans, options)
                for folder, group, studies in zip(folders, groups, plans, strict=True):
                    self._run(studies, folder, group, options)
            if are_apart:
                self._print_together(folders, releases)
        except (Unusable, Refused) as error:
            raise CommandError(str(error)) from error

    def _check(self, plans: Sequence[Studies], options: Mapping[str, Any]) -> None:
        """Say what cannot be before hours of fitting. Raises Unusable and Refused."""
        for studies in plans:
            for name, (study, _models) in studies.items():
                EXPERIMENTS[name].fits(study)
                if options["as_guest"]:
                    model_judgments.project_of(study.dataset)

    def _run(
        self,
        studies: Studies,
        folder: Path,
        releases: Sequence[tuple[Path, Dataset]],
        options: Mapping[str, Any],
    ) -> None:
        dataset = releases[0][1]
        self._name_empty_pairs(releases)
        self._say_what_is_replaced(results.read_evaluation(folder, dataset.identity), studies)
        for name, (study, models) in studies.items():
            self._say_what_is_shared(name, study)
            self._say_who_is_not_pretrained(study)
            done = self._evaluate(name, study, models, folder)
            if options["as_guest"]:
                self._store(name, study, models, done)
        self._print_remarks(results.read_evaluation(folder, dataset.identity))
        self.stdout.write(f"The tables are in {folder / results.README}.")

    def _study(
        self,
        name: str,
        options: Mapping[str, Any],
        releases: Sequence[tuple[Path, Dataset]],
        base: Base | None,
    ) -> tuple[Study, Mapping[str, Model]]:
        """Return what an experiment is about, and its models. Raises Unusable and CommandError."""
        models = models_for(name, options)
        first, number = options["seed"], 1 if name in WITHOUT_MODELS else options["seeds"]
        datasets = [dataset for _, dataset in releases]
        if options["by"]:
            datasets, unusable = domains(datasets[0])
            if unusable:
                self.stdout.write(NO_SETS.format(domains=", ".join(unusable)))
        study = Study(
            datasets=datasets,
            models=list(models),
            seeds=range(first, first + number),
            base=base,
            folders=[folder for folder, _ in releases],
            folds=options["crossfit"] or 0,
            silver=read_silver(*releases[0], models) if options["pretrain"] else None,
            sharing=options["shared"],
        )
        return study, models

    def _say_what_is_shared(self, name: str, study: Study) -> None:
        if name in PLANS:
            lines = (line for scored in PLANS[name](study) for line in scored.lines())
            for line in dict.fromkeys(lines):
                self.stdout.write(f"{line[0].upper()}{line[1:]}")

    def _print_together(
        self, folders: Sequence[Path], releases: Sequence[tuple[Path, Dataset]]
    ) -> None:
        evaluations = [
            results.read_evaluation(folder, dataset.identity)
            for folder, (_, dataset) in zip(folders, releases, strict=True)
        ]
        self.stdout.write(tables.of_releases(evaluations))

    def _name_empty_pairs(self, releases: Sequence[tuple[Path, Dataset]]) -> None:
        for _folder, dataset in releases:
            for split in SPLITS:
                if keys := dataset.split(split).empty:
                    pairs = plural(len(keys), "pair")
                    text = EMPTY.format(release=dataset, split=split, pairs=pairs)
                    end = ", …" if len(keys) > MOST_NAMED else "."
                    self.stdout.write(f"{text} {', '.join(keys[:MOST_NAMED])}{end}")

    def _print_remarks(self, evaluation: results.Evaluation) -> None:
        for remark in advice.remarks(board.entries(evaluation, board.TESTED[0])):
            self.stdout.write(f"On test: {remark}")
        if rules := evaluation["experiments"].get(SHAPE):
            self.stdout.write(str(advice.shape_remark(rules["figures"])))

    def _say_what_is_replaced(self, before: results.Evaluation, studies: Studies) -> None:
        for name, (_study, models) in studies.items():
            models_before = before["experiments"].get(name, {"models": []})["models"]
            if replaced := [
                model["model"] for model in models_before if model["model"] not in models
            ]:
                self.stdout.write(REPLACED.format(experiment=name, models=", ".join(replaced)))

    def _say_who_is_not_pretrained(self, study: Study) -> None:
        if study.silver and (
            untrainable := [n for n in study.models if n not in study.silver.models]
        ):
            self.stdout.write(f"Cannot be trained on noisy labels first: {', '.join(untrainable)}.")

    def _evaluate(
        self, name: str, study: Study, models: Mapping[str, Model], folder: Path
    ) -> list[tuple[Fit, Part]]:
        """Fit with a bar that shows the time left. Raises CommandError if it is stopped."""
        done: list[tuple[Fit, Part]] = []
        with tqdm(desc=name, disable=None, bar_format=BAR) as bar:

            def tell(fits: float, total: int) -> None:
                bar.total = total
                bar.update(fits - bar.n)

            def note_fit(fit: Fit, part: Part) -> None:
                done.append((fit, part))
                bar.clear()
                self.stdout.write(_fit_line(fit, part))

            try:
                evaluate(name, study, models, folder, tell=tell, fitted=note_fit)
            except KeyboardInterrupt:
                kept = f"{len(done)} of {plural(int(bar.total or 0), 'fit')} are kept"
                advice = f"Stopped; {kept}. The same command continues."
                raise CommandError(advice, returncode=130) from None
        return done

    def _store(
        self,
        name: str,
        study: Study,
        models: Mapping[str, Model],
        done: Sequence[tuple[Fit, Part]],
    ) -> None:
        for title, report in model_judgments.add(name, study, models, done):
            self.stdout.write(f"{title} as model judgments: {summary(report, 'label')}")
            if report.refused:
                self.stdout.write(OTHERWISE)


def _fit_line(fit: Fit, part: Part) -> str:
    figures_of_sets = [
        f"{cells.summary(measure_scores(pairs, part.scores[name]))} on {name}"
        for name, pairs in fit.tests.items()
    ]
    kept = " (kept from an earlier run)" if part.is_kept else ""
    return f"{fit}: {'; '.join(figures_of_sets)}{kept}"
