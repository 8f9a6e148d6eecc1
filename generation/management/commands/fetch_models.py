"""Downloads models that are not part of Pawsmith, and lists known and installed ones."""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import Any

from django.core.management.base import CommandError

from common import commands
from generation import model_catalogue
from generation.errors import GenerationError
from generation.model_sources import NotFetched, Offer, Unreachable
from generation.model_store import models_folder, names_here, place_of
from generation.services import model_downloads


class Command(commands.Command):
    """The only command that downloads models; workers never do."""

    help = (
        "Download models by name, once, and record their revisions. Without a name: list the "
        "models that Pawsmith knows and those that are here."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "names",
            nargs="*",
            metavar="NAME",
            help="as listed, or organisation/model of the Hugging Face Hub",
        )
        parser.add_argument("--check", action="store_true", help="compare files with the records")
        parser.add_argument("--revision", default="", help="a commit, tag or branch at the source")

    def handle(self, **options: Any) -> None:
        names: Sequence[str] = options["names"]
        if options["check"]:
            self._try_each(names or model_downloads.names_recorded(), self._check)
        elif names:
            self._try_each(names, lambda name: self._fetch(name, options["revision"]))
        else:
            self.stdout.write(_list_models())

    def _try_each(self, names: Sequence[str], act: Callable[[str], None]) -> None:
        failures = []
        for name in names:
            try:
                act(name)
            except (GenerationError, OSError) as error:
                failures.append(f"{name}: {error}")
            except KeyboardInterrupt:
                advice = f"Stopped at {name}, of which nothing is kept."
                raise CommandError(advice, returncode=130) from None
        if failures:
            raise CommandError("\n".join(failures))

    def _check(self, name: str) -> None:
        if changed := model_downloads.changed_files(name):
            raise NotFetched(
                f"not as recorded: {', '.join(changed)}. "
                f"Remove {place_of(name)} and fetch it again."
            )
        self.stdout.write(f"{name}: as recorded.")

    def _fetch(self, name: str, revision: str) -> None:
        if record := model_downloads.installed_record(name):
            if revision and record.revision != revision:
                raise NotFetched(
                    f"It is here in revision {record.revision}. "
                    f"To fetch {revision}, move {place_of(name)} away first."
                )
            self.stdout.write(f"{name} is here already, revision {record.revision}.")
            return
        source = model_downloads.source_of(name, revision=revision)
        try:
            offer = source.offer()
            self.stdout.write(_announcement(name, offer))
            record = model_downloads.fetch(name, source, offer, say=self.stdout.write)
        except Unreachable as error:
            raise Unreachable(f"{error}\n{_offline_advice(name)}") from error
        self.stdout.write(f"{name} is in {place_of(name)}, SHA-256 {record.sha256[:12]}.")


def _announcement(name: str, offer: Offer) -> str:
    megabytes = max(1, round(offer.size / 1_000_000))
    about = f"revision {offer.revision}, licence {offer.licence or 'not stated'}"
    return f"{name}: {megabytes:,} MB from {offer.address}, {about}."


def _offline_advice(name: str) -> str:
    model = model_catalogue.find_model(name)
    what = f" ({model.megabytes} MB, {model.licence})" if model else ""
    return (
        f"{name}{what} is still missing. Fetch it on a computer with a network, by this command, "
        f"and copy its folder to {place_of(name)}."
    )


def _list_models() -> str:
    names = names_here()
    unlisted = [name for name in names if model_catalogue.find_model(name) is None]
    lines = [
        f"{model.name}\n  {model.purpose}; {model.megabytes} MB, {model.licence}; "
        f"{_state(model.name)}"
        for model in model_catalogue.MODELS
    ]
    lines += [f"{name}\n  {_state(name)}" for name in unlisted]
    return "\n".join([f"Models in {models_folder()}:", *lines])


def _state(name: str) -> str:
    try:
        record = model_downloads.installed_record(name)
    except GenerationError:
        return "here, without a record"
    return f"here, revision {record.revision}" if record else "not here"
