"""Fits models to releases and measures them, in the foreground and without a database."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotation.errors import Refused
from annotation.management.arguments import summary
from common import commands
from common.display import plural
from evaluation import advice, board, cells, model_judgments, models_by_name, results
from evaluation.contract import Model
from evaluation.data import Unusable
from evaluation.experiments import artefacts
from evaluation.experiments.crossfit import LEAST_FOLDS
from evaluation.experiments.datasets import SPLITS, Dataset, read_base, read_silver
from evaluation.experiments.figures import measure_scores
from evaluation.experiments.fits import Fit, Part, Study
from evaluation.management.releases import HELP, add_device, add_out, folder_for, open_release
from evaluation.run import EXPERIMENTS, PLAIN, SHAPE, evaluate
from generation.model_store import models_folder

CROSSFIT, ARTEFACTS = "crossfit", "artefacts"
BY_NAME = [name for name in EXPERIMENTS if name != CROSSFIT]
# They take neither --models nor --seeds.
WITHOUT_MODELS = {ARTEFACTS: artefacts.MODELS, SHAPE: {}}
OF_SEVERAL, WITH_BASE = ("cross", "regimes"), ("plain", "curve", "cross")
# They fit without torch, in minutes at most.
BASELINES = ",".join(models_by_name.WITHOUT_TORCH)
OTHERWISE = (
    "Refused labels differ from those that are stored under the same revision. To replace these, "
    "remove the model on the project's page of model judgments, and run this again."
)
REPLACED = (
    "The new tables of {experiment} replace those so far, which also have {models}. To keep them, "
    "name all models with --models: finished fits are not repeated."
)
EMPTY = "{release}, {split}: {pairs} with an empty sentence, scored as a text without words:"
MOST_NAMED = 20
BAR = "{desc} {percentage:3.0f} %|{bar}| {elapsed} passed, {remaining} left"


class Command(commands.Command):
    """Finished fits are kept, so that the same command continues a stopped one."""

    help = "Measure how well models learn from a release; writes tables to a folder next to it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", type=Path, nargs="+", help=HELP)
        parser.add_argument(
            "--models",
            help=f"names with commas between; by default {BASELINES}. There are: "
            f"{', '.join(models_by_name.NAMES)}",
        )
        parser.add_argument(
            "--experiment",
            dest="experiments",
            type=_experiments,
            default=[PLAIN],
            metavar="NAMES",
            help="one or more, with commas between, which run in this order; by default "
            f"{PLAIN}. There are: {', '.join(BY_NAME)}",
        )
        parser.add_argument(
            "--crossfit",
            type=_folds,
            metavar="FOLDS",
            help="instead of an experiment: score every judged pair by models that did not see its "
            "family, and list the labels that they contradict; 5 folds are usual",
        )
        parser.add_argument(
            "--seeds", type=commands.at_least_one, default=3, help="number of seeds; 3 by default"
        )
        parser.add_argument(
            "--base", type=Path, metavar="FILE.tsv", help="train with this other set as well"
        )
        parser.add_argument(
            "--pretrain",
            action="store_true",
            help="also train each model first on the noisy labels of unlabeled_final, and then on "
            "train; of the plain experiment",
        )
        parser.add_argument(
            "--as-guest",
            action="store_true",
            help="store what each model says about judged pairs of dev and test as model judgments "
            "of the project; needs the database in which the release was built",
        )
        add_device(parser)
        add_out(parser)

    def handle(self, **options: Any) -> None:
        names = [CROSSFIT] if options["crossfit"] else options["experiments"]
        _refuse(names, options)
        try:
            with ExitStack() as stack:
                releases = [stack.enter_context(open_release(path)) for path in options["release"]]
                folder = folder_for(options["release"][0], releases[0][1], options["out"])
                studies = {name: _study(name, options, releases) for name in names}
                # What cannot be is said before hours of fitting.
                for name, (study, _models) in studies.items():
                    EXPERIMENTS[name].fits(study)
                if options["as_guest"]:
                    model_judgments.project_of(releases[0][1])
                self._name_empty_pairs(releases)
                self._say_what_is_replaced(
                    results.read_evaluation(folder, releases[0][1].identity), studies
                )
                for name, (study, models) in studies.items():
                    self._say_who_is_not_pretrained(study)
                    done = self._evaluate(name, study, models, folder)
                    if options["as_guest"]:
                        self._store(name, study, models, done)
            self._print_remarks(results.read_evaluation(folder, releases[0][1].identity))
            self.stdout.write(f"The tables are in {folder / results.README}.")
        except (Unusable, Refused) as error:
            raise CommandError(str(error)) from error

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

    def _say_what_is_replaced(
        self, before: results.Evaluation, studies: Mapping[str, tuple[Study, Mapping[str, Model]]]
    ) -> None:
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


def _refuse(names: Sequence[str], options: Mapping[str, Any]) -> None:
    """Raise CommandError for options that do not go together: each must fit every experiment."""
    if options["crossfit"] and options["experiments"] != [PLAIN]:
        raise CommandError("--crossfit is instead of an --experiment. Leave one of them out.")
    if options["models"] and {*names} <= {*WITHOUT_MODELS}:
        raise CommandError(f"{' and '.join(names)} has its own models. Leave out --models.")
    for name in names:
        _refuse_for(name, options)


def _refuse_for(name: str, options: Mapping[str, Any]) -> None:
    if len(options["release"]) > 1 and name not in OF_SEVERAL:
        several = " and ".join(OF_SEVERAL)
        raise CommandError(f"{name} takes one release. Only {several} take several.")
    if options["base"] and name not in WITH_BASE:
        raise CommandError(f"{name} takes no --base. {', '.join(WITH_BASE)} do.")
    if options["pretrain"] and name != PLAIN:
        raise CommandError(f"{name} takes no --pretrain. Only {PLAIN} does.")
    if options["as_guest"] and name not in model_judgments.NAMED:
        raise CommandError(f"{name} gives no scores to store. Leave out --as-guest.")


def _models(name: str, options: Mapping[str, Any]) -> Mapping[str, Model]:
    """Return the models by name, each once. Raises CommandError if one is unknown or missing."""
    if name in WITHOUT_MODELS:
        return WITHOUT_MODELS[name]
    names = [name.strip() for name in (options["models"] or BASELINES).split(",")]
    try:
        where = {"folder": models_folder(), "device": options["device"]}
        return {name: models_by_name.model(name, **where) for name in names}
    except ValueError as error:
        raise CommandError(str(error)) from error


def _study(
    name: str, options: Mapping[str, Any], releases: Sequence[tuple[Path, Dataset]]
) -> tuple[Study, Mapping[str, Model]]:
    """Return what an experiment is about, and its models. Raises Unusable and CommandError."""
    models = _models(name, options)
    study = Study(
        datasets=[dataset for _, dataset in releases],
        models=list(models),
        seeds=range(1 if name in WITHOUT_MODELS else options["seeds"]),
        base=read_base(options["base"]) if options["base"] else None,
        folders=[folder for folder, _ in releases],
        folds=options["crossfit"] or 0,
        silver=read_silver(*releases[0], models) if options["pretrain"] else None,
    )
    return study, models


def _experiments(text: str) -> list[str]:
    """Parse names with commas between, each once. Raises ArgumentTypeError."""
    names = list(dict.fromkeys(name.strip() for name in text.split(",")))
    if unknown := [name for name in names if name not in BY_NAME]:
        there_are = f"There are: {', '.join(BY_NAME)}"
        raise ArgumentTypeError(f"there is no experiment {unknown[0]!r}. {there_are}")
    return names


def _folds(text: str) -> int:
    """Parse a number of folds. Raises ArgumentTypeError."""
    if (number := commands.at_least_one(text)) < LEAST_FOLDS:
        raise ArgumentTypeError(f"{LEAST_FOLDS} folds are the fewest: to score, choose and train")
    return number


def _fit_line(fit: Fit, part: Part) -> str:
    figures_of_sets = [
        f"{cells.summary(measure_scores(pairs, part.scores[name]))} on {name}"
        for name, pairs in fit.tests.items()
    ]
    kept = " (kept from an earlier run)" if part.is_kept else ""
    return f"{fit}: {'; '.join(figures_of_sets)}{kept}"
