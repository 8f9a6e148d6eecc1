"""The options of the command evaluate: which there are, and which go together."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from common import commands
from evaluation import model_judgments, models_by_name
from evaluation.contract import Model
from evaluation.experiments import artefacts
from evaluation.experiments.crossfit import LEAST_FOLDS
from evaluation.experiments.fits import Sharing
from evaluation.management.releases import HELP, add_device, add_out
from evaluation.run import EXPERIMENTS, PLAIN, SHAPE
from generation.model_store import models_folder

CROSSFIT, ARTEFACTS = "crossfit", "artefacts"
BY_NAME = [name for name in EXPERIMENTS if name != CROSSFIT]
# They take neither --models nor --seeds.
WITHOUT_MODELS: Mapping[str, Mapping[str, Model]] = {ARTEFACTS: artefacts.MODELS, SHAPE: {}}
# These are about several releases together; plain is run for each.
OF_SEVERAL, WITH_BASE = ("cross", "regimes"), ("plain", "curve", "cross")
CROSS, DOMAIN = "cross", "domain"
# They fit without torch, in minutes at most.
BASELINES = ",".join(models_by_name.WITHOUT_TORCH)
ONE_RELEASE = (
    "{name} takes one release. Only cross and regimes take several together, and plain alone takes "
    "one after the other."
)


def add_options(parser: ArgumentParser) -> None:
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
        "--seed", type=commands.seed, default=0, help="the first seed; 0 by default"
    )
    parser.add_argument(
        "--base",
        type=Path,
        metavar="RELEASE",
        help="train with this other set as well: a release, which is tested, too, or a .tsv",
    )
    parser.add_argument(
        "--shared",
        type=Sharing,
        choices=[*Sharing],
        default=Sharing.SKIP,
        help="what to do if a test set shares sentences with train or dev: skip the test set, "
        "drop the pairs from train and dev, or keep both; by default skip",
    )
    parser.add_argument(
        "--by", choices=[DOMAIN], help="of cross: make a set of each domain of one release"
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


def refuse(names: Sequence[str], options: Mapping[str, Any]) -> None:
    """Raise CommandError for options that do not go together: each must fit every experiment."""
    if options["crossfit"] and options["experiments"] != [PLAIN]:
        raise CommandError("--crossfit is instead of an --experiment. Leave one of them out.")
    if options["models"] and {*names} <= {*WITHOUT_MODELS}:
        raise CommandError(f"{' and '.join(names)} has its own models. Leave out --models.")
    for name in names:
        _refuse_for(name, options)


def _refuse_for(name: str, options: Mapping[str, Any]) -> None:
    several = len(options["release"]) > 1
    together = name in OF_SEVERAL and not options["by"]
    in_turn = name == PLAIN and options["experiments"] == [PLAIN]
    if several and not (together or in_turn):
        raise CommandError(ONE_RELEASE.format(name=name))
    if options["base"] and name not in WITH_BASE:
        raise CommandError(f"{name} takes no --base. {', '.join(WITH_BASE)} do.")
    if options["shared"] is not Sharing.SKIP and name not in WITH_BASE:
        raise CommandError(f"{name} takes no --shared. {', '.join(WITH_BASE)} do.")
    if options["by"] and name != CROSS:
        raise CommandError(f"{name} takes no --by. Only {CROSS} does.")
    if options["pretrain"] and name != PLAIN:
        raise CommandError(f"{name} takes no --pretrain. Only {PLAIN} does.")
    if options["as_guest"] and name not in model_judgments.NAMED:
        raise CommandError(f"{name} gives no scores to store. Leave out --as-guest.")
    if options["as_guest"] and options["shared"] is Sharing.DROP:
        raise CommandError("--as-guest stores fits to the whole train set. Leave out --shared.")


def models_for(name: str, options: Mapping[str, Any]) -> Mapping[str, Model]:
    """Return the models by name, each once. Raises CommandError if one is unknown or missing."""
    if name in WITHOUT_MODELS:
        return WITHOUT_MODELS[name]
    names = [name.strip() for name in (options["models"] or BASELINES).split(",")]
    try:
        where = {"folder": models_folder(), "device": options["device"]}
        return {name: models_by_name.model(name, **where) for name in names}
    except ValueError as error:
        raise CommandError(str(error)) from error


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
