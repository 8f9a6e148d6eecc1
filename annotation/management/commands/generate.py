"""Starts or resumes runs of a method over corpora for a project."""

import time
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotation.errors import Refused
from annotation.management.arguments import add_limits, add_settings, project_named
from annotation.models import Project
from annotation.pairs.services import intake
from annotation.runs import services as project_runs
from annotation.runs.selectors import accepted
from annotation.runs.selectors import runs as run_pages
from common import commands
from common.display import duration, plural, readable
from common.program import PROGRAM
from generation import estimates, methods, previews, run_figures, selectors, tasks, usage_figures
from generation.errors import GenerationError
from generation.models import Candidate, Corpus, GenerationRun
from generation.nlp.recalibration import FEWEST
from generation.nlp.rewrites import ACCEPTED
from generation.services import limits, runs, worker
from generation.services.runs import Action

IDLE_SECONDS = 1.0
State = GenerationRun.State
APPROVAL = f"""This was a preview: nothing of it is in the project yet.
To go on with the whole corpus, approve it on its page, or: {PROGRAM} generate --resume {{run}}
To give it up, cancel it on its page."""
MOST_CANDIDATES = 3
NOTHING_CAME = """No candidate came of these sentences.
What each reason means, and which settings admit more: docs/researcher/{method}.md"""


class Command(commands.Command):
    """Without --wait, the embedded worker or Celery processes the runs."""

    help = "Rewrite or translate the sentences of corpora, one run each, for a project."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--corpus", action="append", default=[], help="may be repeated")
        parser.add_argument("--project")
        parser.add_argument("--method", choices=list(methods.METHODS), default="word_swap")
        add_settings(parser)
        parser.add_argument(
            "--per-sentence",
            type=int,
            metavar="N",
            help="word swap: at most N candidates of a sentence, as --set per_sentence=N",
        )
        parser.add_argument(
            "--correct-estimate",
            action="store_true",
            help="word swap: correct the estimate of acceptance by the project's corrections",
        )
        parser.add_argument(
            "--rewrite",
            choices=project_runs.Rewrites.values,
            default="",
            help="back translation: both sentences of each word-swap pair of the project, or the "
            "imported sentences; default: pairs, if there are any",
        )
        parser.add_argument(
            "--preview",
            action="store_true",
            help=f"preview until {selectors.PREVIEW_CANDIDATES} candidates, then wait for approval",
        )
        parser.add_argument(
            "--estimate",
            action="store_true",
            help="only estimate the tokens and the cost of a model on another server",
        )
        add_limits(parser)
        parser.add_argument(
            "--wait", action="store_true", help="process the runs in this command and wait for them"
        )
        parser.add_argument(
            "--resume",
            type=int,
            nargs="+",
            default=[],
            metavar="RUN",
            help="continue these runs instead: approve finished previews, retry parked batches",
        )

    def handle(self, **options: Any) -> None:
        """Start or resume runs; with --wait, process them and print the outcomes."""
        if options["estimate"]:
            self.stdout.write("\n".join(_estimates(options)))
            return
        resumed = [_resume_run(run_id, options) for run_id in options["resume"]]
        started = resumed or _start_runs(options)
        for run in started:
            self.stdout.write(headline(run))
        if not options["wait"]:
            self.stdout.write("The worker will process it.")
            return
        try:
            for run in started:
                self._work(run)
        except KeyboardInterrupt:
            raise CommandError(_how_to_go_on(started), returncode=130) from None
        if complaints := list(filter(None, map(_complaint, started))):
            raise CommandError("\n".join(complaints))

    def _work(self, run: GenerationRun) -> None:
        seconds = _work(run)
        if selectors.awaits_approval(run):
            self.stdout.write("\n".join(preview(run)))
        self.stdout.write("\n".join(_summary(run, seconds)))


def _estimates(options: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each corpus: what a run would ask. Raises CommandError."""
    method = options["method"]
    try:
        configuration = methods.named(method).configure(_settings(options))
        models = limits.models_of(method, configuration)
    except GenerationError as error:
        raise CommandError(str(error)) from error
    if not models:
        raise CommandError("These settings name no model on another server: nothing is paid.")
    for corpus in _corpora(options["corpus"]):
        estimate = estimates.of_corpus(corpus, method, configuration, models)
        words = usage_figures.estimated(estimate)
        yield f"{corpus}, {plural(estimate.items, 'sentence')}: {words}"


def _start_runs(options: dict[str, Any]) -> list[GenerationRun]:
    if not (options["corpus"] and options["project"]):
        raise CommandError("Name a corpus (--corpus) and a project (--project).")
    project = project_named(options["project"])
    correction = _correction(project) if options["correct_estimate"] else {}
    if settings_of_both := sorted(correction.keys() & dict(options["set"]).keys()):
        raise CommandError(
            f"--correct-estimate sets {settings_of_both[0]} too: omit it, or the --set."
        )
    try:
        started = project_runs.start(
            project,
            _corpora(options["corpus"]),
            method=options["method"],
            settings=_settings(options) | correction,
            seed=options["seed"],
            preview=options["preview"],
            rewrite=options["rewrite"],
            most_tokens=options["most_tokens"],
            most_cost=options["most_cost"],
        )
    except (GenerationError, Refused) as error:
        raise CommandError(str(error)) from error
    for run in started:
        tasks.wake(run.pk)
    return started


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a preset with those given one by one. Raises BadSettings."""
    per_sentence = options["per_sentence"]
    overrides = {} if per_sentence is None else {"per_sentence": per_sentence}
    settings = {**dict(options["set"]), **overrides}
    return methods.named(options["method"]).with_preset(options["preset"], settings)


def _correction(project: Project) -> dict[str, float]:
    """Return the settings that correct the estimate. Raises CommandError."""
    figures = accepted.of_project(project)
    if not figures.settings:
        raise CommandError(
            f"The project {project} has {plural(figures.total.corrections, 'correction')} of word "
            f"swaps with an estimate. Correct {FEWEST} candidates, or omit --correct-estimate."
        )
    return figures.settings


def _corpora(names: list[str]) -> list[Corpus]:
    """The corpora without duplicates, in the order given. Raises CommandError."""
    corpora_by_name = Corpus.objects.in_bulk(names, field_name="name")
    if missing := [name for name in names if name not in corpora_by_name]:
        names_here = ", ".join(map(repr, Corpus.objects.values_list("name", flat=True)))
        raise CommandError(
            f"There is no corpus {missing[0]!r}; there are: {names_here or 'none yet'}."
        )
    return [corpora_by_name[name] for name in dict.fromkeys(names)]


def _resume_run(run_id: int, options: dict[str, Any]) -> GenerationRun:
    run = GenerationRun.objects.select_related("corpus").filter(pk=run_id).first()
    if run is None or run.state == State.CANCELLED:
        raise CommandError(f"Run {run_id} does not exist or was cancelled.")
    actions = {Action.RETRY, Action.RESUME}.intersection(runs.possible_actions(run))
    if selectors.awaits_approval(run) and Action.RETRY not in actions:
        actions = {*actions, Action.APPROVE}
    new_limits = {name: options[name] for name in ("most_tokens", "most_cost")}
    if any(new_limits.values()) and Action.RESUME not in actions:
        raise CommandError(f"Run {run_id} is {run.state}: limits change when a paused run resumes.")
    try:
        for action in actions:
            runs.steer(run, action, **(new_limits if action == Action.RESUME else {}))
    except GenerationError as error:
        raise CommandError(str(error)) from error
    tasks.wake(run.pk)
    return run


def _work(run: GenerationRun) -> float:
    """Process batches of the run, along with other workers. Returns the seconds taken."""
    began = time.monotonic()
    progress = selectors.progress(run)
    total = None if run.preview else progress.total  # a preview ends when it has enough
    with tqdm(total=total, initial=progress.done, unit=" sentences", disable=None) as bar:
        while run.state == State.RUNNING and not selectors.preview_is_over(run):
            worked = worker.step(run)
            intake.take_in_all()
            run.refresh_from_db()
            bar.update(selectors.progress(run).done - bar.n)
            if not worked and run.state == State.RUNNING:
                reason = run.paused_because or "batches that other workers hold"
                bar.set_postfix_str(f"waiting: {reason}")
                time.sleep(IDLE_SECONDS)
    return time.monotonic() - began


def _summary(run: GenerationRun, seconds: float) -> list[str]:
    used = ", ".join(f"{figure} {name.lower()}" for name, figure in usage_figures.use(run))
    return [
        *funnel(run),
        *([f"  {used}"] if usage_figures.asks_models(run) else []),
        f"{progress(run)}, {seconds:.0f} s here; the run is {run.state}.",
        *([APPROVAL.format(run=run.pk)] if selectors.awaits_approval(run) else []),
    ]


def _complaint(run: GenerationRun) -> str:
    command = f"{PROGRAM} generate --resume {run.pk} --wait"
    if reached := usage_figures.limit_reached(run, selectors.progress(run)):
        option = "--most-cost COST" if usage_figures.is_cost_nearer(run) else "--most-tokens N"
        return f"{reached} Raise it: {command} {option}"
    if run.state == State.PAUSED and run.paused_because:
        return f"The run is paused: {run.paused_because}\nOnce that is corrected: {command}"
    parked = complaint(run)
    return f"{parked}\nOnce the reason is gone, try them again: {command}" if parked else ""


def _how_to_go_on(started: list[GenerationRun]) -> str:
    running = " ".join(str(run.pk) for run in started if run.state == State.RUNNING)
    return f"Stopped. Go on with: {PROGRAM} generate --resume {running} --wait"


def headline(run: GenerationRun) -> str:
    """Return a line such as “Run 7: word swap of wiki, 20,000 sentences, running (preview).”"""
    size = selectors.progress(run).total
    preview = " (preview)" if run.preview else ""
    work = f"{run.get_method_display()} of {run.corpus}"
    return f"Run {run.pk}: {work}, {size:,} sentences, {run.state}{preview}."


def progress(run: GenerationRun) -> str:
    """Return text such as “400 of 20,000 sentences done (2%), 152.3 a second, 2 min left”."""
    state = selectors.progress(run)
    parts = [f"{state.done:,} of {state.total:,} sentences done ({state.share:.0%})"]
    if state.rate is not None:
        parts.append(f"{state.rate:,.1f} a second")
    if state.seconds_left is not None:
        parts.append(f"{duration(state.seconds_left)} left")
    return ", ".join(parts)


def funnel(run: GenerationRun) -> list[str]:
    """Return a line per outcome, most frequent first; without accepted ones, add a docs link."""
    counts = selectors.funnel(run)
    lines = [f"  {count:,} {run_figures.in_words(name)}" for name, count in counts.items()]
    left_out = selectors.dropped(run).items()
    lines += [f"  pairs left out, {readable(name)}: {count:,}" for name, count in left_out]
    if counts and ACCEPTED not in counts:
        lines.append(NOTHING_CAME.format(method=run.method))
    return lines


def preview(run: GenerationRun) -> Iterator[str]:
    """Yield each sentence of a preview with its candidates, or the reason if it has none.

    The last line estimates how many sentences of the whole run will have candidates.
    """
    for row in previews.sentences(run):
        yield f"- {row.sentence.text}"
        for candidate in row.candidates[:MOST_CANDIDATES]:
            yield f"  {candidate.text}\n    {_measures(candidate)}"
        if not row.candidates:
            yield f"    {run_figures.in_words(row.reason)}"
    if (whole := run_pages.preview(run)) and whole.expected:
        low, high = whole.expected
        total = selectors.progress(run).total
        yield f"Of all {total:,} sentences, {low:,} to {high:,} probably get candidates (95 %)."


def _measures(candidate: Candidate) -> str:
    loss = selectors.loss(candidate)
    measures = [readable(candidate.kind)] if candidate.kind else []
    measures += [f"inversions {candidate.inversion_rate:.2f}"]
    measures += [] if loss is None else [f"log likelihood lost {loss:z.1f}"]
    return ", ".join(measures)


def complaint(run: GenerationRun) -> str:
    """Return a message about parked batches with their errors, or "" if there are none."""
    lines = [
        f"  Batch {batch.number} ({batch.size} sentences): {batch.error}"
        for batch in selectors.parked_batches_of(run)
    ]
    if not lines:
        return ""
    batches = "1 batch is" if len(lines) == 1 else f"{len(lines)} batches are"
    return "\n".join([f"{batches} parked after three failures:", *lines])
