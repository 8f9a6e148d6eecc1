"""Whether rules that see only the shape of pairs tell the labels that people decided so far."""

from annotation.models import Project
from annotation.projects.selectors import study_rows
from annotation.quality.selectors.qualification import language_of
from annotation.stats.shape import Figures, Shapes, halves_figures

# Takes a tenth of a second; intervals are then 3 points wide to each side at most.
MOST_PAIRS = 1000
FEWEST_PAIRS = 100
COLUMNS = (
    "pair__public_id",
    "pair__sentence1__public_id",
    "pair__sentence1__text",
    "pair__sentence2__text",
    "pair__candidate__kind",
    "label",
)


def of_project(project: Project) -> Figures | None:
    """Return the figures of up to MOST_PAIRS kept pairs; None where they are too few, or no sides.

    Pairs are drawn by their public id, which is random. Each half is tested with rules fitted to
    the other, and pairs of one source are in one half.
    """
    if not (project.scheme.is_binary and project.scheme.decides):
        return None
    kept = study_rows.consensus_rows(project).filter(kept=True, label__isnull=False)
    rows = list(kept.order_by("pair__public_id").values_list(*COLUMNS)[:MOST_PAIRS])
    if len(rows) < FEWEST_PAIRS:
        return None
    shapes = Shapes.measure(
        ((text1, text2) for _, _, text1, text2, _, _ in rows),
        [label for *_, label in rows],
        language_of(project),
        kinds=[kind or "" for *_, kind, _ in rows],
    )
    halves = [source.int % 2 == 1 for _, source, *_ in rows]
    return halves_figures(shapes, halves) | {"pairs": len(rows)} if len({*halves}) > 1 else None
