"""Starts a run of a method over a corpus for a project, or goes on with one."""

import json
import time
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.models import Project
from annotation.services import intake, projects
from generation import methods, selectors, tasks
from generation.errors import GenerationError
from generation.models import Batch, Corpus, GenerationRun
from generation.services import runs, worker

IDLE_SECONDS = 1.0
State = GenerationRun.State


def setting(text: str) -> tuple[str, Any]:
    """A name and its value, written name=value; the value is JSON, or else a string."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"{text!r} is not name=value")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


class Command(BaseCommand):
    """Without --wait the run is left to the worker, or to Celery's."""

    help = "Rewrite the sentences of a corpus; the candidates enter the project."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--corpus")
        parser.add_argument("--project")
        parser.add_argument("--method", choices=list(methods.METHODS), default="word_swap")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--set",
            type=setting,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="a setting of the method; may be repeated",
        )
        parser.add_argument("--wait", action="store_true", help="work here until it is done")
        parser.add_argument(
            "--resume",
            type=int,
            metavar="RUN",
            help="go on with this run instead, and try its parked batches again",
        )

    def handle(self, **options: Any) -> None:
        """Start or resume; with --wait, work, and say what came of the sentences."""
        run = _resume(options["resume"]) if options["resume"] else _start(options)
        size = selectors.progress(run).total
        self.stdout.write(f"Run {run.pk}: {run.get_method_display()}, {size:,} sentences.")
        if not options["wait"]:
            self.stdout.write("The worker takes it from here.")
            return
        try:
            seconds = _work(run)
        except KeyboardInterrupt:
            advice = f"Stopped. Go on with: manage.py generate --resume {run.pk} --wait"
            raise CommandError(advice, returncode=130) from None
        self.stdout.write(_summary(run, seconds))
        _complain_of_parked(run)


def _start(options: dict[str, Any]) -> GenerationRun:
    corpus = Corpus.objects.filter(name=options["corpus"]).first()
    project = Project.objects.filter(name=options["project"]).first()
    if corpus is None or project is None:
        raise CommandError("Name an existing corpus (--corpus) and project (--project).")
    try:
        run = runs.start(
            corpus, method=options["method"], settings=dict(options["set"]), seed=options["seed"]
        )
    except GenerationError as error:
        raise CommandError(str(error)) from error
    projects.adopt(project, run)
    tasks.wake(run.pk)
    return run


def _resume(run_id: int) -> GenerationRun:
    run = GenerationRun.objects.filter(pk=run_id).first()
    if run is None or run.state == State.CANCELLED:
        raise CommandError(f"Run {run_id} does not exist or was cancelled.")
    runs.retry_parked(run)
    runs.resume(run)
    tasks.wake(run.pk)
    return run


def _work(run: GenerationRun) -> float:
    """Work batches of the run, beside other workers, until it is done; returns the seconds."""
    began = time.monotonic()
    progress = selectors.progress(run)
    with tqdm(total=progress.total, initial=progress.done, unit=" sentences", disable=None) as bar:
        while run.state == State.RUNNING:
            worked = worker.step(run)
            intake.take_in_all()
            run.refresh_from_db()
            bar.update(selectors.progress(run).done - bar.n)
            if not worked and run.state == State.RUNNING:
                bar.set_postfix_str("waiting for batches that other workers hold")
                time.sleep(IDLE_SECONDS)
    return time.monotonic() - began


def _summary(run: GenerationRun, seconds: float) -> str:
    progress, funnel = selectors.progress(run), selectors.funnel(run)
    lines = [f"  {name.replace('_', ' ')}: {count:,}" for name, count in funnel.items()]
    last = f"{progress.done:,} of {progress.total:,} sentences done"
    return "\n".join([*lines, f"{last}, {seconds:.0f} s here; the run is {run.state}."])


def _complain_of_parked(run: GenerationRun) -> None:
    parked = run.batches.filter(state=Batch.State.PARKED)
    if first := parked.first():
        raise CommandError(
            f"{parked.count()} batches failed three times and are parked; the first: {first.error} "
            f"Try them again with --resume {run.pk}."
        )
