"""What a project's corrections say about the estimates of its word swaps."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Ceil

from annotation.models import Correction, Project
from annotation.projects.selectors import latest, study_rows
from annotation.stats.estimated import Corrected
from generation import methods
from generation.models import GenerationRun, Method
from generation.nlp.recalibration import FEWEST, Answers, Recalibration

PERCENT = 100


class Group(NamedTuple):
    """Corrections of candidates of one run and kind whose estimates round up to one per cent."""

    run: int
    kind: str
    corrected: Corrected


@dataclass(frozen=True, slots=True)
class Accepted:
    """Corrections of word swaps with an estimate, without people whose answers are excluded.

    Attributes:
        kinds: by kind of change, that of the most corrections first.
        worse: kinds whose interval lies wholly below that of all other kinds together.
        presets: by name, for runs that change nothing of a preset, those with enough corrections.
        recalibration: what would have corrected the estimates; None below FEWEST corrections.
    """

    total: Corrected
    kinds: dict[str, Corrected]
    worse: list[str]
    presets: dict[str, Corrected]
    recalibration: Recalibration | None

    @property
    def settings(self) -> dict[str, float]:
        """The settings of word swap that correct the estimate; none below FEWEST corrections."""
        if self.recalibration is None:
            return {}
        slope, shift = self.recalibration.slope, self.recalibration.shift
        return {"estimate_slope": slope, "estimate_shift": shift}


def of_project(project: Project) -> Accepted:
    groups = list(_groups(project))
    runs = GenerationRun.objects.in_bulk({group.run for group in groups})
    preset_by_run = {
        key: methods.preset_of(run.method, run.settings, most=0)[0] for key, run in runs.items()
    }
    total, kinds = Corrected(), defaultdict[str, Corrected](Corrected)
    presets = defaultdict[str, Corrected](Corrected)
    for run, kind, corrected in groups:
        total += corrected
        kinds[kind] += corrected
        presets[preset_by_run[run]] += corrected
    by_number = sorted(kinds.items(), key=lambda row: (-row[1].corrections, row[0]))
    return Accepted(
        total,
        dict(by_number),
        [kind for kind, corrected in by_number if corrected.is_worse_than(total - corrected)],
        {name: row for name, row in presets.items() if name and row.corrections >= FEWEST},
        Recalibration.fit(_answers(group, runs[group.run].settings) for group in groups),
    )


def _groups(project: Project) -> Iterator[Group]:
    candidate = "item__candidate"
    estimate = f"{candidate}__probability"
    excluded_people = [step.membership.user_id for step in latest.exclusions(project)]
    rows = study_rows.answers(project, Correction.KIND).exclude(annotator__in=excluded_people)
    # Certain ones, which only a file can bring, have no logit.
    estimated = {f"{estimate}__gt": 0, f"{estimate}__lt": 1}
    rows = rows.filter(**estimated, **{f"{candidate}__run__method": Method.WORD_SWAP})
    columns = (f"{candidate}__run", f"{candidate}__kind")
    percent = Ceil(F(estimate) * PERCENT)
    sums = {
        "accepted": Count("pk", filter=Q(action=Correction.Action.ACCEPT)),
        "corrections": Count("pk"),
        "estimates": Sum(estimate),
    }
    grouped = rows.order_by().values_list(*columns, percent).annotate(**sums)
    for run, kind, _percent, accepted, corrections, estimates in grouped:
        yield Group(run, kind, Corrected(accepted, corrections, estimates))


def _answers(group: Group, settings: dict[str, Any]) -> Answers:
    """Return the answers with their estimate as it was before its run corrected it."""
    correction = Recalibration(
        settings.get("estimate_slope", 1.0), settings.get("estimate_shift", 0.0)
    )
    corrected = group.corrected
    estimate = corrected.estimates / corrected.corrections
    return Answers(correction.undo(estimate), corrected.accepted, corrected.corrections)
