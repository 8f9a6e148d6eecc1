"""Has a model behind an endpoint judge pairs of a project."""

from argparse import ArgumentParser
from pathlib import Path
from time import sleep
from typing import Any

from django.core.management.base import CommandError

from annotation.errors import Refused
from annotation.management.arguments import add_limits, project_named
from annotation.model_judgments import asking, task_work, tasks
from annotation.model_judgments.asking import Interview
from annotation.models import ModelTask, Project
from common import commands
from common.display import plural, readable
from common.program import PROGRAM
from generation import installed_endpoints, usage_figures
from generation.endpoints.chat import EndpointError, Model

SECONDS_BETWEEN_LOOKS = 1.0


class Command(commands.Command):
    """Starts a task that workers do; with --wait this process does it as well."""

    help = (
        "Have a model of an endpoint judge pairs. Its labels are compared with people's, and "
        f"affect nothing else. `{PROGRAM} endpoints` lists models."
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
        add_limits(parser)
        parser.add_argument(
            "--resume",
            action="store_true",
            help="go on with the paused task that asks this, perhaps with higher limits",
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
                estimate = tasks.estimate(project, model, interview, **_pairs(options))
                words = usage_figures.estimated(estimate)
                self.stdout.write(f"{plural(estimate.items, 'pair')}. {words}")
                return
            task = _task(project, model, interview, options)
        except (EndpointError, Refused) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Task {task.public_id}: {task}, revision {task.revision}.")
        if options["wait"]:
            self._work(task)

    def _work(self, task: ModelTask) -> None:
        """Do the task, or wait for its worker. Raises CommandError if it is not done then."""
        while task.state in (ModelTask.State.WAITING, ModelTask.State.RUNNING):
            if not task_work.do(task):
                sleep(SECONDS_BETWEEN_LOOKS)
            task.refresh_from_db()
        self.stdout.write(f"{task.done:,} of {task.total:,} pairs, {task.tokens_used:,} tokens.")
        for reason, number in task.unusable.items():
            self.stdout.write(f"  answers without a label, {readable(reason)}: {number:,}")
        if task.state == ModelTask.State.PAUSED and task.is_at_limit:
            option = "--most-cost COST" if usage_figures.is_cost_nearer(task) else "--most-tokens N"
            raise CommandError(
                f"{usage_figures.nearest_limit(task)} Raise it: the same command with "
                f"--resume {option}"
            )
        if task.state != ModelTask.State.DONE:
            raise CommandError(f"The task is {task.state}. {task.paused_because or task.failure}")


def _task(
    project: Project, model: Model, interview: Interview, options: dict[str, Any]
) -> ModelTask:
    """Return a new task, or with --resume the paused one. Raises CommandError and Refused."""
    most = {name: options[name] for name in ("most_tokens", "most_cost")}
    revision = asking.revision_of(model.identity, interview)
    paused = ModelTask.objects.filter(
        project=project, revision=revision, state=ModelTask.State.PAUSED
    ).first()
    if options["resume"]:
        if paused is None:
            raise CommandError("No paused task asks this. To ask it, leave out --resume.")
        tasks.resume(paused, by=None, **most)
        return paused
    if paused:
        raise CommandError(
            "A paused task asks this model the same. Go on with it by --resume, or cancel it on "
            "the page Agreement, tab Models."
        )
    return tasks.ask(project, model, interview, **most, **_pairs(options))


def _pairs(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("scope", "draw")}
