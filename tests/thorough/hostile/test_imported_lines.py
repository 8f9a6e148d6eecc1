"""Two thousand hostile lines: each is stored whole or refused with a reason, by its number."""

import pytest
from django.core.management import call_command

from generation.models import Corpus, Sentence
from tests.generation import hostile

pytestmark = pytest.mark.django_db


def imported(path, data):
    """Read a file into a corpus; returns the reason for each line that was refused."""
    path.write_bytes(data)
    report = path.with_suffix(".report")
    call_command("import_sentences", path, corpus="Hostile", report=report, verbosity=0)
    refused = [line.split("\t") for line in report.read_text().splitlines()[1:]]
    assert len({number for number, _ in refused}) == len(refused)
    return {int(number): reason for number, reason in refused}


@pytest.mark.parametrize("kind", hostile.FILES)
def test_each_line_is_stored_to_the_byte_or_refused_and_adds_nothing_again(kind, tmp_path, capsys):
    lines = hostile.FILES[kind]()
    data = hostile.content(kind, lines)

    refused = imported(tmp_path / f"a.{kind}", data)

    first = 2 if hostile.HEADERS[kind] else 1
    wrong = {
        number: (line.data[:80], refused.get(number, "taken"))
        for number, line in enumerate(lines, first)
        if (line.text is None) != (number in refused)
    }
    assert wrong == {}
    stored = {text.encode() for text in Sentence.objects.values_list("text", flat=True)}
    assert stored == {line.text.encode() for line in lines if line.text is not None}
    assert f"{hostile.LINES:,} read" in capsys.readouterr().out

    before = Sentence.objects.count()
    assert imported(tmp_path / f"b.{kind}", data) == refused
    assert (Sentence.objects.count(), Corpus.objects.count()) == (before, 1)
