"""manage.py runs, and import_sentences."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from generation.models import Corpus, GenerationRun, Sentence
from generation.services import runs, worker
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]
REPEATS = "  1 of the added nearly repeat an earlier sentence"


def printed(*arguments, command="runs"):
    output = StringIO()
    call_command(command, *map(str, arguments), stdout=output)
    return output.getvalue()


def test_runs_are_listed_and_shown_with_all_that_repeats_them_and_what_came_of_them(of_pairs):
    first = fake.run(fake.corpus(12, "One"), fails_on="sentence number 7")
    worker.work_until_idle(first)
    second = runs.start(fake.corpus(30, "Two"), method="word_swap", preview=True)
    newest, oldest = printed("list").splitlines()
    assert newest.split()[:2] == [str(second.pk), "running"]
    assert newest.endswith("0 of        30 (0%)  Two  preview")
    assert oldest.endswith("7 of        12 (58%)  One  1 parked")
    assert printed("list", "--state", "done") == f"{oldest}\n"
    assert printed("list", "--corpus", "None") == "There are no such runs.\n"
    fake.correct((first.candidate_set.select_related("sentence").earliest("pk"), "Corrected."))
    pairs = runs.start(first.corpus, method="back_translation", pairs_of=[first])
    worker.work_until_idle(second)
    for run, *parts in [
        (first, str(first.public_id), "seed 7", "  fails_on = 'sentence number 7'"),
        (first, "  model: {'name': 'backwards', 'revision': '1'}"),
        (first, "7 of 12 sentences done (58%)", "  accepted: 5\n  too short: 2"),
        (first, "  Batch 2 (5 sentences): RuntimeError: cannot rewrite", "To be done now: retry."),
        (second, "- w0\n    gave nothing\n- sentence number 1\n  1 number sentence\n"),
        (pairs, f"of each pair of the runs {first.pk}.", "To be done now: pause, cancel."),
    ]:
        shown = printed("show", run.public_id)
        assert [part for part in parts if part not in shown] == []


def test_runs_are_steered_and_a_refusal_is_an_error():
    one, two = fake.run(fake.corpus(3, "One")), fake.run(fake.corpus(3, "Two"))
    assert printed("pause", one.pk, two.pk).count(", paused.") == 2
    assert printed("resume", one.public_id).endswith(", running.\n")
    with pytest.raises(CommandError, match=f"Run {one.pk}: The run is running"):
        printed("resume", one.pk)
    states = GenerationRun.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["running", "paused"]
    for name in ("0", "none", "00000000-0000-4000-8000-000000000000"):
        with pytest.raises(CommandError, match=f"no run {name}"):
            printed("show", name)


@pytest.fixture
def imported(tmp_path):
    def imported(name, content, *options):
        path = tmp_path / name
        path.write_bytes(content)
        options = ("--corpus", name, *options)
        return printed(path, *options, command="import_sentences").splitlines()

    return imported


def test_refused_lines_are_named_with_their_reasons_and_all_are_in_the_report(imported, tmp_path):
    options = ("--licence", "CC0", "--report", tmp_path / "report.tsv")
    assert imported("a.txt", b"One.\n\xff\n\nTwo.\nOne.\n" + b"\n" * 30, *options)[:6] == [
        "35 read: 2 added, 1 known already, 32 refused",
        *("  empty: 31", "  broken utf8: 1", "Refused first:"),
        *("  line 2: broken utf8", "  line 3: empty"),
    ]
    lines = (tmp_path / "report.tsv").read_text().splitlines()
    assert lines[:3] == ["line\treason", "2\tbroken_utf8", "3\tempty"]
    assert (len(lines), Corpus.objects.get().licence) == (33, "CC0")


def test_options_choose_the_format_the_splitting_and_what_is_too_long_or_nearly_the_same(imported):
    text = b"Mr. Smith went to\nthe U.S. Senate. He spoke.\n\nThen he left!"
    near = b"One two three four five six.\nOne two three four five six!\n"
    imported("a.txt", b"id\ttext\n1\tOne.\n", "--format", "tsv")
    imported("b.txt", text, "--split")
    texts = ["One.", "Mr. Smith went to the U.S. Senate.", "He spoke.", "Then he left!"]
    assert list(Sentence.objects.order_by("id").values_list("text", flat=True)) == texts
    for option, value, content, added, said in [
        ("--max-characters", "5", text[:9], 0, ["  too long: 1"]),
        ("--near-duplicates", "skip", near, 1, ["  near duplicate: 1"]),
        ("--near-duplicates", "count", near, 2, [REPEATS]),
    ]:
        first, *rest = imported(f"{value}.txt", content, option, value)
        assert (f" read: {added} added" in first, rest[:1]) == (True, said)


def test_a_file_that_cannot_be_read_and_another_licence_are_refused(imported, tmp_path):
    imported("a.txt", b"One.\n", "--licence", "CC0")
    for name, content, options, message in [
        ("a.csv", b"", (), "does not tell the format"),
        ("a.tsv", b"text\nOne.\n", (), "must name the columns id"),
        ("a.txt.gz", b"no archive", (), "Damaged after line 0"),
        ("a.jsonl", b"", ("--split",), "Only plain text"),
        ("a.txt", b"", ("--licence", "CC BY 4.0"), "stands under the licence 'CC0'"),
    ]:
        with pytest.raises(CommandError, match=message):
            imported(name, content, *options)
    with pytest.raises(CommandError, match="No such file"):
        printed(tmp_path / "none.txt", "--corpus", "Tests", command="import_sentences")
