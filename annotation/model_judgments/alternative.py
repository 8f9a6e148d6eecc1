"""Whether models can replace people, and how well their scores match people's labels.

Both count the pairs of a project that people have decided.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, F, FloatField, Sum
from django.db.models.functions import Cast, Ceil

from accounts.models import User
from annotation.model_judgments import selectors
from annotation.models import JudgingModel, Project, Reopening
from annotation.people.selectors.names import Naming
from annotation.projects.selectors import study_rows
from annotation.stats.agreement import Confusion, Tally
from annotation.stats.alternative import AlternativeTest, alternative_test, needs_warning
from annotation.stats.calibration import PERCENT, Calibration, Cell, calibration


@dataclass(frozen=True, slots=True)
class StandIn:
    """The test of a model against people, by name; no calibration without scores or two sides.

    `judged_again` counts the pairs that were judged again because this model disagreed: with any,
    there are no figures, because it chose which answers count. `kappa` is Cohen's, with people's
    majority; None if undefined.
    """

    model: str
    revision: str
    judged_again: int
    kappa: float | None
    test: AlternativeTest[str]
    calibration: Calibration | None

    @property
    def needs_warning(self) -> bool:
        return needs_warning(self.test, self.kappa)


def of_project(project: Project, naming: Naming) -> list[StandIn]:
    """Return all models, oldest first; five queries for each at most."""
    models = JudgingModel.objects.filter(project=project)
    return [of_model(model, project, naming) for model in models]


def of_model(model: JudgingModel, project: Project, naming: Naming) -> StandIn:
    """Test one model; people are in the order of their names."""
    reopenings = Reopening.objects.filter(because=model)
    judged_again = reopenings.aggregate(Count("pair", distinct=True))["pair__count"]
    compared_pairs = {} if judged_again else _compared_pairs(model, project, naming)
    has_calibration = project.scheme.is_binary and not judged_again
    return StandIn(
        model.name,
        model.revision,
        judged_again,
        None if judged_again else _kappa(model, project),
        alternative_test(dict(sorted(compared_pairs.items())), project.scheme),
        calibration(_cells(model, project)) if has_calibration else None,
    )


def _compared_pairs(
    model: JudgingModel, project: Project, naming: Naming
) -> dict[tuple[str, Tally, int, int], int]:
    """Count the answers with the labels of the model, as the test takes them, by main account."""
    answers = study_rows.counted_judgments(project).filter(
        item__consensus__isnull=False, item__model_judgments__model=model
    )
    columns = ("person", "item__consensus__tally", "label", "item__model_judgments__label")
    rows = list(answers.order_by().values_list(*columns).annotate(Count("pk")))
    people = User.objects.filter(pk__in={person for person, *_ in rows})
    names = {key: naming.of_id(key, name) for key, name in people.values_list("pk", "username")}
    return {
        (names[person], tuple(tally), own, models): pairs
        for person, tally, own, models, pairs in rows
    }


def _kappa(model: JudgingModel, project: Project) -> float | None:
    labels = selectors.decided_labels(project).filter(
        model=model, pair__consensus__label__isnull=False
    )
    rows = labels.order_by().values_list("side", "pair__consensus__label").annotate(Count("pk"))
    return Confusion({(side, majority): pairs for side, majority, pairs in rows}).kappa_value


def _cells(model: JudgingModel, project: Project) -> Iterator[Cell]:
    """Yield the pairs with a score and a majority, grouped as the calibration takes them."""
    labels = selectors.decided_labels(project).filter(
        model=model, score__isnull=False, pair__consensus__label__isnull=False
    )
    difference = F("score") - Cast("pair__consensus__label", FloatField())
    percent = Ceil(F("score") * PERCENT)
    rows = labels.order_by().values_list(percent, "pair__consensus__label")
    sums = {"scores": Sum("score"), "squares": Sum(difference * difference)}
    for cell in rows.annotate(Count("pk"), **sums):
        yield Cell(*cell)
