"""What a preview has made of its sentences, and how long the others take."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from generation import methods, selectors
from generation.models import Batch, Candidate, GenerationRun, Sentence
from generation.nlp.settings import Preset, WordSwapSettings


@dataclass(frozen=True, slots=True)
class Previewed:
    """A sentence of a preview with its candidates, best first.

    Without any, `reason` is the outcome's name; "" if the preview is older than these records. Then
    `refused` is its best rewrite as `Rewrite.as_alternative` writes it, if the method tells.
    """

    sentence: Sentence
    candidates: list[Candidate]
    reason: str
    refused: dict[str, Any] | None

    def passes(self, settings: WordSwapSettings) -> bool:
        """Whether any of its rewrites, candidates or not, is probable enough for the settings."""
        others = [row for candidate in self.candidates for row in candidate.alternatives]
        others += [self.refused] if self.refused else []
        estimates = [(candidate.text, candidate.probability) for candidate in self.candidates]
        estimates += [(row["text"], row.get("probability")) for row in others]
        return any((value or 0.0) >= settings.least_acceptance(text) for text, value in estimates)


def sentences(run: GenerationRun) -> list[Previewed]:
    """Return the sentences of a preview's finished batches, with their candidates."""
    if not (batches := list(_finished_batches(run))):
        return []
    candidates_by_sentence = defaultdict[int, list[Candidate]](list)
    candidates = Candidate.objects.filter(batch__in=batches).select_related("run")
    for candidate in candidates.order_by("rank"):
        candidates_by_sentence[candidate.sentence_id].append(candidate)
    reasons, refused = dict[str, str](), dict[str, dict[str, Any]]()
    for batch in batches:
        reasons |= batch.reasons
        refused |= batch.refused
    return [
        Previewed(
            sentence,
            candidates_by_sentence[sentence.pk],
            reasons.get(str(sentence.pk), ""),
            refused.get(str(sentence.pk)),
        )
        for sentence in selectors.sentences_of_batches(run, batches)
    ]


def number_with(run: GenerationRun, preset: Preset, rows: Iterable[Previewed]) -> int | None:
    """Return how many of the sentences get a candidate by a preset.

    None if only rewriting them can tell: if it differs in more than the acceptance.
    """
    method = methods.named(run.method)
    settings_of_run = method.with_defaults(run.settings)
    if method.changed_fields(preset, settings_of_run) != ["acceptance"]:
        return None
    # A rescorer judges only what the estimate lets pass; at 0 there are no estimates.
    least = method.configure(preset.settings)["acceptance"]
    if settings_of_run["rescorer"] or not (least and settings_of_run["acceptance"]):
        return None
    settings = WordSwapSettings(acceptance=least)
    return sum(row.passes(settings) for row in rows)


def seconds_of_others(run: GenerationRun, number: int) -> float | None:
    """Return how long that number of sentences takes as fast as the preview; None if unknown.

    The first batch is left out: its time is also that until a worker came and read the models.
    """
    batches = _finished_batches(run).order_by("finished_at").values_list("finished_at", "size")
    rows = [(time, size) for time, size in batches if time]
    if len(rows) < 2:
        return None
    seconds = (rows[-1][0] - rows[0][0]).total_seconds()
    return number * seconds / sum(size for _time, size in rows[1:])


def _finished_batches(run: GenerationRun) -> QuerySet[Batch]:
    return run.batches.filter(number__lte=run.preview_batches, state=Batch.State.DONE)
