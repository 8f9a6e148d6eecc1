"""How many candidates of a run are probably paraphrases, by their shape."""

from dataclasses import dataclass

from django.db.models import Avg, Count

from generation.models import Candidate, GenerationRun


@dataclass(frozen=True, slots=True)
class Shape:
    """Candidates of a kind that are rotations of their sentences, or that are not.

    `share` is the expected share of paraphrases, 0 to 1.
    """

    kind: str
    is_rotation: bool
    candidates: int
    share: float


def shapes_of(run: GenerationRun) -> list[Shape]:
    """Return the shapes of the candidates whose paraphrases are estimated, in one query."""
    rows = Candidate.objects.filter(run=run, paraphrase__isnull=False)
    shapes = rows.values_list("kind", "is_rotation").order_by("kind", "is_rotation")
    return [Shape(*row) for row in shapes.annotate(number=Count("*"), share=Avg("paraphrase"))]
