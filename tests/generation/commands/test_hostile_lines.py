"""Two thousand hostile lines: each is taken whole or refused with a reason, and told by number."""

from pathlib import Path

import pytest
from django.core.management import call_command

from generation.models import Corpus, Sentence
from tests.generation import hostile
from tests.generation.hostile import Line

pytestmark = pytest.mark.django_db


def imported(path: Path, data: bytes, **options: object) -> dict[int, str]:
    """Read a file into a corpus of its own; returns the reason for each line that was refused."""
    path.write_bytes(data)
    report = path.with_suffix(".report")
    call_command("import_sentences", path, corpus="Hostile", report=report, verbosity=0, **options)
    told = [line.split("\t") for line in report.read_text().splitlines()[1:]]
    assert len({number for number, _ in told}) == len(told)
    return {int(number): reason for number, reason in told}


@pytest.mark.parametrize("kind", hostile.FILES)
def test_each_line_has_a_verdict_and_what_is_taken_is_kept_to_the_byte(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = hostile.FILES[kind]()
    assert len(lines) == hostile.LINES
    first = 2 if hostile.HEADERS[kind] else 1

    refused = imported(tmp_path / f"a.{kind}", hostile.content(kind, lines))

    verdicts = dict(enumerate(lines, first))
    assert wrongly(verdicts, refused) == {}
    stored = {text.encode() for text in Sentence.objects.values_list("text", flat=True)}
    assert stored == {line.text.encode() for line in lines if line.text is not None}
    assert f"{hostile.LINES:,} read" in capsys.readouterr().out


def wrongly(verdicts: dict[int, Line], refused: dict[int, str]) -> dict[int, tuple[bytes, str]]:
    """Lines whose verdict is not the one that they were made for."""
    return {
        number: (line.data[:80], refused.get(number, "taken"))
        for number, line in verdicts.items()
        if (line.text is None) != (number in refused)
    }


def test_what_is_imported_again_adds_nothing(tmp_path: Path) -> None:
    data = hostile.content("jsonl", hostile.jsonl())
    first = imported(tmp_path / "a.jsonl", data)
    known = Sentence.objects.count()

    again = imported(tmp_path / "b.jsonl", data)

    assert Sentence.objects.count() == known
    assert again == first
    assert Corpus.objects.count() == 1
