"""Has a model behind an endpoint judge pairs of a project."""

from argparse import ArgumentParser
from pathlib import Path
from time import sleep
from typing import Any

from django.core.management.base import CommandError

from annotation.errors import Refused
from annotation.management.arguments import project_named
from annotation.model_judgments import asking, task_work, tasks
from annotation.models import ModelTask
from common import commands
from common.display import readable
from generation import installed_endpoints
from generation.endpoints.chat import EndpointError
from generation.estimates import Estimate
from generation.services import limits

SECONDS_BETWEEN_LOOKS = 1.0


class Command(commands.Command):
    """Starts a task that workers do; with --wait this process does it as well."""

    help = (
        "Have a model of an endpoint judge pairs. Its labels are compared with people's, and "
        "affect nothing else. `manage.py endpoints` lists models."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--model", required=True, help="such as local:qwen3-8b")
        parser.add_argument("--scope", choices=ModelTask.Scope.values, default="all")
        parser.add_argument(
            "--draw", type=commands.at_least_one, metavar="N", help="only N pairs, at random"
        )
        parser.add_argument("--prompt", type=Path, metavar="FILE", help="default: that of the page")
        parser.add_argument(
            "--logprobs",
            action="store_true",
            help="ask for the probabilities of the labels, not for samples",
        )
        parser.add_argument(
            "--samples",
            type=int,
            choices=range(asking.FEWEST_SAMPLES, asking.MOST_SAMPLES + 1, 2),
            default=4,
            metavar="N",
            help="answers to each pair, an even number to 20 (default: 4)",
        )
        parser.add_argument("--temperature", type=float, default=1.0)
        parser.add_argument("--seed", type=commands.seed, default=0)
        parser.add_argument(
            "--most-tokens", type=commands.at_least_one, default=limits.DEFAULT_TOKENS, metavar="N"
        )
        parser.add_argument("--estimate", action="store_true", help="only say what it would take")
        parser.add_argument("--wait", action="store_true", help="do the work here, now")

    def handle(self, **options: Any) -> None:
        project = project_named(options["project"])
        parameters = {
            "samples": options["samples"],
            "by_logprobs": options["logprobs"],
            "temperature": options["temperature"],
            "seed": options["seed"],
        }
        if options["prompt"]:
            parameters["prompt"] = options["prompt"].read_text("utf-8")
        interview = tasks.interview_of(project, **parameters)
        try:
            model = installed_endpoints.endpoints().model(options["model"])
            if options["estimate"]:
                self._estimate(tasks.estimate(project, model, interview, **_pairs(options)), model)
                return
            task = tasks.ask(
                project, model, interview, most_tokens=options["most_tokens"], **_pairs(options)
            )
        except (EndpointError, Refused) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Task {task.public_id}: {task}, revision {task.revision}.")
        if options["wait"]:
            self._work(task)

    def _estimate(self, expected: Estimate, model: Any) -> None:
        cost = f", {expected.cost / 1e6:,.2f} {model.currency}" if model.is_priced else ""
        self.stdout.write(
            f"{expected.items:,} pairs, {expected.requests:,} requests, about "
            f"{expected.tokens:,} tokens{cost}."
        )

    def _work(self, task: ModelTask) -> None:
        """Do the task, or wait for its worker. Raises CommandError if it is not done then."""
        while task.state in (ModelTask.State.WAITING, ModelTask.State.RUNNING):
            if not task_work.do(task):
                sleep(SECONDS_BETWEEN_LOOKS)
            task.refresh_from_db()
        self.stdout.write(f"{task.done:,} of {task.total:,} pairs, {task.tokens_used:,} tokens.")
        for reason, number in task.unusable.items():
            self.stdout.write(f"  answers without a label, {readable(reason)}: {number:,}")
        if task.state != ModelTask.State.DONE:
            raise CommandError(f"The task is {task.state}. {task.paused_because or task.failure}")


def _pairs(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("scope", "draw")}
