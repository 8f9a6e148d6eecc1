"""Lists the models of the operator's file of endpoints, and tries them."""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from common import commands
from generation.endpoints import trial
from generation.endpoints.chat import Endpoint, EndpointError, Model, UnknownModel
from generation.endpoints.config import is_key_open, key_problem
from generation.installed_endpoints import endpoints


class Command(commands.Command):
    """It exits with 1 if the file, a key or a model has a problem."""

    requires_system_checks = []  # they would show the problems of the file a second time

    help = "List the models of the file that PAWSMITH_ENDPOINTS names, and what is wrong there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check",
            nargs="*",
            metavar="NAME",
            help="send four short requests to these models, such as local:qwen3-8b, or to all",
        )

    def handle(self, **options: Any) -> None:
        if not settings.ENDPOINTS_FILE:
            raise CommandError("PAWSMITH_ENDPOINTS names no file: see docs/operator/endpoints.md.")
        installed = endpoints()
        models = list(installed.models.values())
        problems = [*installed.problems, *_key_problems(models)]
        self.stderr.writelines(_warnings(models))
        if options["check"] is None:
            self.stdout.writelines(_lines(models))
        else:
            try:
                models = [installed.model(name) for name in options["check"]] or models
            except UnknownModel as error:
                raise CommandError(str(error)) from error
            problems += self._try_each(models)
        if problems:
            raise CommandError("\n".join(problems))

    def _try_each(self, models: Sequence[Model]) -> list[str]:
        """Write what each model answers, and return what prevents it."""
        problems = []
        for model in models:
            self.stdout.write(f"{model.name}:")
            try:
                for line in trial.report(model):
                    self.stdout.write(f"  {line}")
            except EndpointError as error:
                problems.append(f"{model.name}: {error}")
        return problems


def _endpoints_of(models: Sequence[Model]) -> list[Endpoint]:
    return list({model.endpoint.name: model.endpoint for model in models}.values())


def _key_problems(models: Sequence[Model]) -> Iterator[str]:
    for endpoint in _endpoints_of(models):
        if problem := key_problem(endpoint):
            yield f"[{endpoint.name}] key: {problem}"


def _warnings(models: Sequence[Model]) -> Iterator[str]:
    for endpoint in _endpoints_of(models):
        if not key_problem(endpoint) and is_key_open(endpoint):
            command = f"chmod o= {endpoint.key_file}"
            yield f"[{endpoint.name}] key_file: all users can read it. Change that: {command}\n"


def _lines(models: Sequence[Model]) -> Iterator[str]:
    for endpoint in _endpoints_of(models):
        users = f"projects {', '.join(endpoint.projects)}" if endpoint.projects else "all projects"
        yield f"{endpoint.name}: {endpoint.address}, {endpoint.parallel} at once, {users}\n"
        for model in models:
            if model.endpoint == endpoint:
                yield f"  {model.name}: {_facts(model)}\n"


def _facts(model: Model) -> str:
    facts = [f"served as {model.served}"]
    if model.revision:
        facts.append(f"revision {model.revision}")
    if model.is_priced:
        price = f"{model.price_in:g} and {model.price_out:g} {model.currency}"
        facts.append(f"{price} for a million tokens sent and received")
    return ", ".join(facts)
