"""Sentences of a file on this machine, by `manage.py import_sentences`."""

import gzip
import os
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from generation.models import Candidate, Corpus, Method, Sentence
from generation.readers import Row
from generation.services import runs
from generation.services.sentences import import_sentences
from support.workers import work_until_idle

pytestmark = pytest.mark.django_db
REPEATS = "  1 of the added nearly repeat an earlier sentence"


@pytest.fixture
def imported(tmp_path):
    def imported(name, content, *options):
        path = tmp_path / name
        path.write_bytes(content)
        output, options = StringIO(), ("--corpus", name, *options)
        call_command("import_sentences", *map(str, (path, *options)), stdout=output)
        return output.getvalue().splitlines()

    return imported


def test_refused_lines_are_counted_and_the_first_are_named_with_their_reasons(imported):
    content = b"One.\n\xff\n\nTwo.\nOne.\n" + b"a\x07b\n" * 30
    options = ("--licence", "CC0", "--encoding", "utf-8")
    assert imported("a.txt", content, *options)[:6] == [
        "34 read: 2 added, 1 known already, 31 refused",
        *("  control character: 30", "  broken text: 1", "Refused first:"),
        *("  line 2: broken text", "  line 6: control character"),
    ]
    assert Corpus.objects.get().licence == "CC0"


def test_options_choose_the_format_and_what_is_too_long_or_nearly_the_same(imported):
    near = b"One two three four five six.\nOne two three four five six!\n"
    imported("a.csv", b"text\nOne, two.\n", "--format", "txt")
    assert [sentence.text for sentence in Sentence.objects.all()] == ["text", "One, two."]
    for option, value, content, added, said in [
        ("--max-characters", "5", b"Mr. Smith", 0, ["  too long: 1"]),
        ("--near-duplicates", "skip", near, 1, ["  near duplicate: 1"]),
        ("--near-duplicates", "count", near, 2, [REPEATS]),
    ]:
        first, *rest = imported(f"{value}.txt", content, option, value)
        assert (f" read: {added} added" in first, rest[:1]) == (True, said)


def test_a_file_that_cannot_be_read_and_another_licence_are_refused(imported, tmp_path):
    imported("a.txt", b"One.\n", "--licence", "CC0")
    for name, content, options, message in [
        ("a.csv", b"", (), "is empty"),
        ("a.tsv", b"id\tsentence\n1\tOne.\n", (), "must name a column text; it names id, sent"),
        ("a.txt.gz", gzip.compress(b"One.")[:-3], (), "damaged after 4 bytes"),
        ("b.txt.gz", gzip.compress(b"One.\n" * 9_000)[:-9], (), "so nothing of it was imported"),
        ("a.txt", b"One.", ("--licence", "CC BY 4.0"), "already has the licence 'CC0'"),
        ("a.txt", b"One.", ("--language", "de"), "already has the language 'en'"),
        ("c.txt", b"Eins.\n", ("--language", "german"), "a language tag, such as en, de"),
    ]:
        with pytest.raises(CommandError, match=message):
            imported(name, content, *options)
    assert [corpus.name for corpus in Corpus.objects.all()] == ["a.txt"]
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_sentences", str(tmp_path / "none.txt"), corpus="Tests")


def test_a_file_that_is_not_in_utf8_is_read_with_a_word_about_it(imported):
    content = "id;text\n1;Die größten Flüsse führen im Frühjahr Hochwasser.\n".encode("cp1252")
    said = imported("a.csv", content)[0]
    assert said == ("Read as CSV in Western European (Windows-1252, Latin-1), separated by ';'.")
    assert Sentence.objects.get().text.startswith("Die größten")


@pytest.fixture
def translated(backwards):
    """A finished run that translated two sentences into Danish, each in two ways."""
    corpus = Corpus.objects.create(name="Source", language="en")
    import_sentences([Row(1, "A mill.", group="mills"), Row(2, "A boat.")], corpus=corpus)
    run = runs.start(corpus, method="word_swap", settings={"per_sentence": 2})
    work_until_idle()
    run.refresh_from_db()
    run.method, run.settings = Method.TRANSLATION, {"language": "da"}
    run.save()
    return run


def test_texts_of_a_run_become_sentences_with_the_ids_of_its_sources(translated):
    call_command("import_sentences", from_run=translated.pk, corpus="Danish", stdout=StringIO())
    corpus = Corpus.objects.get(name="Danish")
    assert corpus.language == "da"
    columns = ("text", "external_id", "group")
    sources = Candidate.objects.filter(run=translated, rank=0).order_by("sentence")
    assert list(corpus.sentence_set.order_by("pk").values_list(*columns)) == [
        (row.text, str(row.sentence.public_id), row.sentence.group) for row in sources
    ]
    assert corpus.sentence_set.count() == 2


@pytest.mark.parametrize("options", [{}, {"file": "a.txt", "from_run": 1}])
def test_either_a_file_or_a_run_is_named(options):
    with pytest.raises(CommandError, match="one of the two"):
        call_command("import_sentences", corpus="Danish", **options)


def test_a_run_that_is_not_done_is_refused(translated):
    translated.state = translated.State.PAUSED
    translated.save()
    with pytest.raises(CommandError, match="not done"):
        call_command("import_sentences", from_run=translated.pk, corpus="Danish")


def test_a_pipe_is_refused_before_it_is_read(tmp_path):
    os.mkfifo(path := tmp_path / "pipe")
    with pytest.raises(CommandError, match="Save its content as a file"):
        call_command("import_sentences", str(path), corpus="Rows")
