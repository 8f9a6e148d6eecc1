"""What a draft would hold, in words and numbers for a page."""

from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple

from annotation.dataset.plan import ReleasePlan
from annotation.dataset.rows import ReleasedPair, SilverPair
from annotation.dataset.tables import TABLES, table_of, values_of
from annotation.models import Release
from annotation.services import releases

ROWS = 10


class Shown(NamedTuple):
    """A file of the preview: how many pairs and paraphrases, and its first rows."""

    path: str
    values: tuple[str, ...]
    pairs: int
    paraphrases: int | None
    rows: list[tuple[str, str, tuple[int, ...]]]

    @property
    def share(self) -> float | None:
        """Of paraphrases."""
        return (
            self.paraphrases / self.pairs if self.pairs and self.paraphrases is not None else None
        )


def previewed(release: Release) -> dict[str, Any]:
    """Context of a preview: the files, or the reason why there is no such release."""
    try:
        planned = releases.preview(release)
    except ValueError as error:
        return {"impossible": str(error)}
    run = release.project.runs.select_related("corpus").first()
    return {
        "planned": planned,
        "files": list(_files(planned)),
        "language": run.corpus.language if run else "en",
    }


def _files(planned: ReleasePlan) -> Iterable[Shown]:
    by_table: dict[str, list[ReleasedPair | SilverPair]] = {table.tsv: [] for table in TABLES}
    for pair in (*planned.pairs, *planned.silver):
        if (table := table_of(pair)) is not None:
            by_table[table.tsv].append(pair)
    for table in TABLES:
        pairs = by_table[table.tsv]
        labelled = len(table.values) == 1
        yield Shown(
            path=table.tsv,
            values=table.values,
            pairs=len(pairs),
            paraphrases=sum(values_of(pair)[0] for pair in pairs) if labelled else None,
            rows=[_row(pair, planned) for pair in islice(pairs, ROWS)],
        )


def _row(pair: ReleasedPair | SilverPair, planned: ReleasePlan) -> tuple[str, str, tuple[int, ...]]:
    texts = planned.texts
    return texts[pair.sentence1], texts[pair.sentence2], values_of(pair)
