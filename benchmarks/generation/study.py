"""What the shape of pairs gives away in the release of a simulated study, by preset.

Sentences are imported and rewritten, candidates are corrected and judged by simulated people, a
version is frozen and its files are evaluated, all by the services and commands of real studies.
Labels of pairs are drawn by the estimate of paraphrases. Half of the pairs are for test: in a tenth
of them chance alone moves a rule by ten points. Runs store no alternatives, as simulated people who
fix a candidate would take one.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.generation.embedded.place import (
    ONE_THREAD,
    fresh_installation,
    import_corpus,
    texts,
)
from benchmarks.generation.parts import Options
from benchmarks.table import Figure, Goal, at_least, at_most

SENTENCES = 3_000
PEOPLE, ACCURACY, TEST = 8, 0.95, 0.5
LABELS = ("others", "paraphrases")
# What the preset balanced must reach: points of a rule above the majority, and of the pairs of
# either label, the share of each shape.
MOST_POINTS, LEAST_SHARE = at_most(8.0), at_least(25.0)


def figures(options: Options) -> list[Figure]:
    """The figures of one release by each preset."""
    os.environ |= ONE_THREAD  # before numpy is loaded
    with fresh_installation():
        corpus = import_corpus("sentences", texts(options.file, options.sentences or SENTENCES))
        return [
            *_release_figures("balanced", corpus, options.seed, (MOST_POINTS, LEAST_SHARE)),
            *_release_figures("default", corpus, options.seed),
        ]


def _release_figures(
    preset: str, corpus: Any, seed: int, goals: tuple[Goal | None, Goal | None] = (None, None)
) -> Iterator[Figure]:
    """Yield what the experiment `shape` finds, and the shapes of the pairs of either label."""
    from django.core.management import call_command

    from evaluation.experiments.datasets import read_dataset
    from releases.services import publication
    from support.studies import freeze_version

    project = _judged_study(preset, corpus, seed)
    release = freeze_version(project, version="1.0", seed=seed, test=TEST)
    with TemporaryDirectory() as folder:
        files, out = Path(folder, "release"), Path(folder, "evaluation")
        publication.write_files(release, files)
        call_command("evaluate", str(files), "--experiment=shape", f"--out={out}")
        dataset = read_dataset(files)
        evaluation = json.loads((out / "evaluation.json").read_text(encoding="utf-8"))
    most_points, least_share = goals
    for rule in evaluation["experiments"]["shape"]["figures"]["rules"]:
        name = f"{preset}: rule {rule['rule']}, above the majority"
        yield Figure(name, 100 * rule["points"], "points", goal=most_points)
    yield from _share_figures(preset, dataset.train + dataset.dev + dataset.test, least_share)


def _share_figures(preset: str, pairs: Any, goal: Goal | None) -> Iterator[Figure]:
    from annotation.stats.shape import Shapes

    shapes = Shapes.measure(pairs.texts, pairs.labels, "en")
    rotations = np.array(shapes.features["rotation"], dtype=bool)
    for label, name in enumerate(LABELS):
        of_label = rotations[pairs.labels == label]
        yield Figure(f"{preset}: {name}", len(of_label), "pairs")
        for shape, share in (("rotations", of_label.mean()), ("exchanges", (~of_label).mean())):
            yield Figure(f"{preset}: {name}, {shape}", 100 * float(share), "%", goal=goal)


def _judged_study(preset: str, corpus: Any, seed: int) -> Any:
    """Return a project in which people corrected and judged all candidates of a run."""
    from annotation.models import Correction, Judgment
    from annotation.pairs.services import intake
    from annotation.projects.services import projects
    from annotation.runs import services as project_runs
    from annotation.work import simulation
    from generation.methods.word_swap import METHOD
    from generation.services import worker

    project = projects.create(preset)
    settings = {**METHOD.preset(preset).settings, "keep_alternatives": 0}
    [run] = project_runs.start(project, [corpus], method="word_swap", settings=settings, seed=seed)
    while worker.step(run):
        pass
    intake.take_in(project)
    people: dict[str, Any] = {"size": PEOPLE, "accuracy": ACCURACY, "seed": seed}
    for _ in simulation.answers_of(simulation.crowd(project, **people), Correction.KIND):
        pass
    labels = _drawn_labels(project, run)
    judges = simulation.crowd(project, **people, labels=labels)
    for _ in simulation.answers_of(judges, Judgment.KIND):
        pass
    return project


def _drawn_labels(project: Any, run: Any) -> dict[int, int]:
    """Return a label of each pair by its key, drawn by the estimate for its candidate."""
    from generation.methods.word_swap import METHOD
    from generation.models import Sentence
    from generation.nlp import paraphrase

    rewriter: Any = METHOD.load(run.settings, run.seed)
    rewriter = replace(rewriter, paraphrase=paraphrase.load_embedded())
    sentences = list(Sentence.objects.filter(corpus=run.corpus).values_list("text", flat=True))
    shares = {
        (text, rewrite.text): rewrite.paraphrase
        for text, outcome in zip(sentences, rewriter.outcomes(sentences), strict=True)
        for rewrite in outcome.rewrites
    }
    random = np.random.default_rng(run.seed)
    pairs = project.pairs.order_by("pk").select_related("candidate__sentence")
    return {
        pair.pk: int(random.random() < shares[pair.candidate.sentence.text, pair.candidate.text])
        for pair in pairs
    }
