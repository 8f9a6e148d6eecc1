"""Runs as previews and in full: without a worker, parked, finished."""

from django.utils import timezone

from generation import methods
from generation.models import Batch, Candidate, Corpus, GenerationRun, Sentence

NOW = timezone.now()


def _run(study, *done, **columns):
    """A run of one batch for each state, to which the addresses lead."""
    corpus = Corpus.objects.earliest("pk")
    settings = {"settings": methods.named("word_swap").configure({}), "model_identities": {}}
    key = Sentence.objects.filter(corpus=corpus, candidate=None).earliest("pk").pk
    covered = {"last_sentence": key, "seed": 0}
    run = GenerationRun.objects.create(
        corpus=corpus, method="word_swap", **covered, **settings, **columns
    )
    study.project.runs.add(run)
    for number, state in enumerate(done, 1):
        Batch.objects.create(
            run=run,
            number=number,
            first_sentence=key,
            last_sentence=key,
            size=1,
            state=state,
            error="MissingModel" if state == "parked" else "",
            finished_at=NOW if state == "done" else None,
            outcomes={"too_short": 1} if state == "done" else {},
            reasons={str(key): "too_short"} if state == "done" else {},
        )
    study.arguments["run_id"] = run.public_id
    return run


def preview_without_worker(study):
    _run(study, "open", "open", preview=True)


def parked_run(study):
    _run(study, "done", "parked", state="paused")


def finished_preview(study):
    run = _run(study, "done", "open", preview=True)
    batch = run.batches.get(number=1)
    Batch.objects.filter(pk=batch.pk).update(reasons={}, outcomes={"accepted": 1})
    Candidate.objects.create(
        run=run,
        batch=batch,
        sentence_id=batch.first_sentence,
        text="Bo met Ada.",
        kind="name",
        score=-3,
        source_score=-2,
        probability=0.8,
        similarity=1,
        inversion_rate=0.5,
    )


def preview_without_candidates(study):
    run = _run(study, "done", "open", preview=True, preview_batches=15)
    batch = run.batches.get(number=1)
    rewrite = {"text": "Bo met Ada.", "kind": "name", "log_likelihood": -3, "probability": 0.6}
    refused = {str(batch.first_sentence): rewrite}
    Batch.objects.filter(run=run).update(state="done", finished_at=NOW, refused=refused)


def finished_run(study):
    finished_preview(study)
    runs = GenerationRun.objects.filter(public_id=study.arguments["run_id"])
    runs.update(preview=False, state="done", finished_at=NOW)
