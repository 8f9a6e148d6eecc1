"""Releases as arguments of commands that read files alone."""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from django.core.management.base import CommandError

from evaluation import models_by_name, results
from evaluation.data import Unusable
from evaluation.experiments.datasets import base_of_release, read_base, read_dataset
from evaluation.experiments.sets import Base, Dataset
from releases.dataset.folders import unpack
from releases.dataset.reader import Unreadable

HELP = "a folder, or the same as one .tar.gz"


def add_out(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="the folder of the evaluation; by default evaluations/NAME next to the release NAME",
    )


def add_device(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--device",
        choices=models_by_name.DEVICES,
        default=models_by_name.CPU,
        help="where networks and encoders are trained; cuda is a GPU",
    )


@contextmanager
def open_release(release: Path) -> Iterator[tuple[Path, Dataset]]:
    """Yield the folder of a release, unpacked if need be, and its pairs. Raises CommandError."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(unpack(release))
        except Unreadable as error:
            raise CommandError(f"{release} {error.difference.what}.") from error
        try:
            dataset = read_dataset(folder)
        except (Unreadable, Unusable) as error:
            raise CommandError(f"{release}: {str(error).rstrip('.')}.") from error
        except OSError as error:
            raise CommandError(f"{release} cannot be read: {error.strerror}.") from error
        yield folder, dataset


@contextmanager
def open_base(path: Path | None) -> Iterator[Base | None]:
    """Yield a base set: a release or a TSV file. Raises CommandError and Unusable."""
    if path is None or path.suffix == ".tsv":
        yield read_base(path) if path else None
    else:
        with open_release(path) as (_folder, dataset):
            yield base_of_release(dataset)


def folders_for(paths: Sequence[Path], datasets: Sequence[Dataset], out: Path | None) -> list[Path]:
    """Return the folder of each release's evaluation: of several, in `out` by their names.

    Raises Unusable.
    """
    names = [path.name.removesuffix(".tar.gz") for path in paths]
    places = [out / name if out and len(paths) > 1 else out for name in names]
    rows = zip(paths, datasets, places, strict=True)
    folders = [folder_for(path, dataset, place) for path, dataset, place in rows]
    if len({*folders}) < len(folders):
        raise Unusable(
            "Some of these releases would have the same folder for their tables. Name each once, "
            "and use --out DIR, in which each gets a folder with its own name."
        )
    return folders


def folder_for(release: Path, dataset: Dataset, out: Path | None) -> Path:
    """Return the folder of a release's evaluation. Raises Unusable."""
    folder = (out or results.default_folder(release, dataset.identity)).resolve()
    results.refuse_folder(folder, release)
    results.read_evaluation(folder, dataset.identity)
    return folder
