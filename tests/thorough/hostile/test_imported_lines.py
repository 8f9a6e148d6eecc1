"""Two thousand hostile lines: each is stored whole or refused with a reason, by its number."""

import pytest
from django.core.management import call_command

from generation.models import Sentence
from tests.generation import hostile

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", hostile.FILES)
def test_each_line_is_stored_to_the_byte_or_refused_and_adds_nothing_again(kind, tmp_path, capsys):
    lines, path, report = hostile.FILES[kind](), tmp_path / f"a.{kind}", tmp_path / "report.tsv"
    header = b"id\ttext\n" if kind == "tsv" else b""
    path.write_bytes(header + hostile.ended(lines))
    first = 2 if header else 1
    bad = [number for number, line in enumerate(lines, first) if line.text is None]
    good = sorted(line.text for line in lines if line.text is not None)
    for said in (f"{len(good):,} added, 0 known", f"0 added, {len(good):,} known"):
        call_command("import_sentences", path, corpus="Hostile", report=report, verbosity=0)
        assert f"{hostile.LINES:,} read: {said}" in capsys.readouterr().out
        refused = [line.split("\t") for line in report.read_text().splitlines()[1:]]
        assert sorted(int(number) for number, reason in refused if reason) == bad
        assert sorted(Sentence.objects.values_list("text", flat=True)) == good
