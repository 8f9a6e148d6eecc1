"""The expected paraphrases of a run by the shape of its candidates: a part of its page."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any, NamedTuple

from annotation.pairs import differences
from generation.models import GenerationRun
from generation.shapes import Shape, shapes_of


class Cell(NamedTuple):
    """Candidates of a shape, and the expected share of paraphrases, 0 to 1."""

    candidates: int
    share: float


def context(run: GenerationRun) -> dict[str, Any]:
    """Return cells of rotations and of other candidates by kind, the most frequent kind first.

    A cell is None without candidates; empty where no paraphrases are estimated.
    """
    shapes = shapes_of(run)
    if not shapes:
        return {}
    number_by_kind = {
        kind: sum(shape.candidates for shape in shapes if shape.kind == kind)
        for kind in {shape.kind for shape in shapes}
    }
    kinds = sorted(number_by_kind, key=lambda kind: (-number_by_kind[kind], kind))
    rows = [[shape for shape in shapes if shape.kind == kind] for kind in kinds]
    names = map(differences.kind_name, kinds)
    return {"kinds": list(zip(names, map(_cells, rows), strict=True)), "total": _cells(shapes)}


def _cells(shapes: Sequence[Shape]) -> list[Cell | None]:
    parts = ([shape for shape in shapes if shape.is_rotation is side] for side in (True, False))
    return [_cell(part) if part else None for part in parts]


def _cell(shapes: Sequence[Shape]) -> Cell:
    numbers = [shape.candidates for shape in shapes]
    return Cell(sum(numbers), fmean([shape.share for shape in shapes], weights=numbers))
