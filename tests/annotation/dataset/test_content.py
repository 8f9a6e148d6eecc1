"""The rows of a release on their way into files."""

from collections.abc import Iterable
from typing import Any

from annotation.dataset.content import AdjudicationRow, Content, GuestRow
from annotation.dataset.rows import JudgmentRow, SentenceRow


def test_every_row_passes_the_watch_under_the_name_of_its_kind() -> None:
    sentence, judgment = SentenceRow("s", "text", "s"), JudgmentRow("p", "a", 1, None)
    adjudication, guest = AdjudicationRow("p", None), GuestRow("p", "Model", "1", 1, None)
    content = Content((), [sentence], [judgment], [adjudication], [guest], conflicts=2)
    seen: list[tuple[str, Any]] = []

    def watch(kind: str, rows: Iterable[Any]) -> Iterable[Any]:
        for row in rows:
            seen.append((kind, row))
            yield row

    watched = content.watched(watch)
    passed = [*watched.sentences, *watched.judgments, *watched.adjudications, *watched.guests]
    assert passed == [sentence, judgment, adjudication, guest]
    kinds = ["sentences", "judgments", "adjudications", "guests"]
    assert seen == list(zip(kinds, passed, strict=True))
    assert (list(watched.entries), watched.conflicts) == ([], 2)
