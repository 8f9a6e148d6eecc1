"""Sentences and judgments that cannot be true are found, and told briefly."""

from pathlib import Path

from annotation.dataset.verification import verify
from tests.annotation.dataset.studies import study
from tests.annotation.dataset.verification.tampering import planned, write


def test_a_circle_of_rewrites_is_found(tmp_path: Path) -> None:
    some = study(families=20)
    made = planned(some)
    one, other = (row for row in some.sentences[:2])
    some.sentences[0] = one._replace(rewritten_from=other.id)
    write(tmp_path / "1.0.0", made, some)
    assert "does not come from its source" in str(verify(tmp_path / "1.0.0")[0])


def test_a_sentence_that_is_not_there_is_found(tmp_path: Path) -> None:
    some = study(families=20)
    made = planned(some)
    gone = some.sentences.pop()
    write(tmp_path / "1.0.0", made, some)
    assert any(gone.id in difference.what for difference in verify(tmp_path / "1.0.0"))


def test_many_differences_are_cut_short(tmp_path: Path) -> None:
    some = study(families=150)
    made = planned(some)
    some.judgments.clear()
    write(tmp_path / "1.0.0", made, some)
    found = [str(difference) for difference in verify(tmp_path / "1.0.0")]
    assert sum("has votes" in what for what in found) == 20
    assert any(what.startswith("pairs.jsonl: and ") for what in found)
