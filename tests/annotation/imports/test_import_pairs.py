"""Pairs made elsewhere enter a project through `manage.py import_pairs`."""

import gzip
from importlib import import_module
from unittest.mock import Mock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command

from accounts.audited_acts import Act
from accounts.models import AuditEntry
from annotation.models import Correction, ModelJudgment, SentencePair
from generation import generated_files
from generation.files import Rewritten
from generation.generated_files import Parts
from generation.methods.rewriting import columns_of
from generation.models import Candidate, Corpus, GenerationRun, Sentence
from generation.nlp.rewrites import Rewrite
from support import fake
from tests.annotation import make

pytestmark = pytest.mark.django_db

HEADER = "sentence1_id\tsentence1\tsentence2\tmethod\tmodel"
PAIR = "s1\tMara met Tobias.\tTobias was met by Mara.\tback_translation\tsome model"
SOURCE = "In 1953 the team also toured the far north"
REORDERED = "The team also toured the far north in 1953"
REWORDED = "In 1953 the squad also toured the far north"


@pytest.fixture
def load(project, tmp_path, capsys):
    """Imports a file of these lines into the project, or elsewhere; returns what is printed."""

    def load(*lines, name="pairs.tsv", **options):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n")
        call_command("import_pairs", str(path), **({"project": project.name} | options))
        return capsys.readouterr().out

    return load


def pairs(*rewrites, model="m"):
    """Lines of pairs, each with a source of its own."""
    texts = [(f"{SOURCE} of {n}.", f"{text} of {n}.") for n, text in enumerate(rewrites)]
    return [f"\t{source}\t{text}\tback_translation\t{model}" for source, text in texts]


def test_back_translations_are_opened_for_judgment_once_and_word_swaps_for_correction(
    load, project
):
    load(HEADER, PAIR, PAIR)
    pair = project.pairs.get()
    assert [pair.sentence1.text, pair.sentence2.text] == PAIR.split("\t")[1:3]
    assert pair.sentence1.line == 2
    assert pair.slots.count() == 5
    assert pair.candidate.run.model_identities["generator"]["name"] == "some model"
    assert 0 < pair.candidate.similarity < 1
    assert "0 pairs added, 1 known already" in load(HEADER, PAIR)
    load(HEADER, PAIR.replace("back_translation", "word_swap"))
    assert (SentencePair.objects.get(), Correction.objects.count()) == (pair, 0)
    load(HEADER, PAIR.replace("back_translation", "word_swap").replace("was met", "will meet"))
    assert (SentencePair.objects.get(), Correction.objects.count()) == (pair, 1)
    load(HEADER, PAIR.replace("was met", "is met"), PAIR.replace("was met", "had been met"))
    assert sorted(Candidate.objects.values_list("rank", flat=True)) == [0, 0, 0, 0, 1]


def test_a_pair_is_linked_to_its_sentence_by_text_or_by_public_id(load, project):
    make.candidates(project, [("Mara met Tobias.", "Tobias met Mara.")])
    corrected = make.correct_next(make.person(project)).results.get().sentence2
    load(HEADER, PAIR)
    assert Sentence.objects.filter(text="Mara met Tobias.").count() == 1
    load(HEADER, f"{corrected.public_id}\tTobias met Mara.\tMara was met.\tback_translation\tm")
    assert Candidate.objects.get(text="Mara was met.").sentence == corrected
    line = f"{corrected.public_id}\tTobias met Mara.\tMara was met.\tback_translation\tm"
    assert "unknown sentence" in load(HEADER, line, corpus="Another corpus")


def test_bad_lines_are_named_and_the_others_are_imported(load):
    bad = {
        "s1\tone cell": "other number of columns",
        "s1\tMara met.\tMara met.\tback_translation\tm": "identical",
        "s1\tMara met.\tMet Mara.\tdreamt\tm": "unknown method",
        "s1\t\tMet Mara.\tback_translation\tm": "empty",
        "00000000-0000-4000-8000-000000000000\tA.\tB.\t\tm": "unknown sentence",
    }
    printed = load(HEADER, *bad, PAIR)
    for number, reason in enumerate(bad.values(), 2):
        assert f"line {number}: {reason}\n" in printed
    assert Candidate.objects.count() == 1
    assert "other text under this id" in load(HEADER, PAIR.replace("Mara met T", "Mara saw T"))


def test_without_a_project_pairs_stay_with_the_corpus_that_is_named(load):
    line = '{"sentence1": "A b.", "sentence2": "B a.", "year": 3}'
    load(line, project=None, corpus="Elsewhere", name="pairs.jsonl")
    candidate = Candidate.objects.get()
    assert (candidate.sentence.corpus.name, candidate.run.method) == ("Elsewhere", "imported")
    assert not SentencePair.objects.exists()


def test_labels_are_taken_refused_or_passed_over_as_the_user_says(load, project):
    table = ["sentence1\tsentence2\tlabel\tyear", "A b.\tB a.\t0\t3", "C d.\tD c.\t7\t3"]
    with pytest.raises(CommandError, match="--labels-of NAME"):
        load(*table)
    assert not Corpus.objects.exists()
    printed = load(*table, labels_of="QQP")
    assert "1 pair added, 0 known already, 1 new sentence, 0 dropped, 1 label stored" in printed
    assert "line 3: label not on the scale" in printed
    assert "Ignored columns: year." in printed
    stored = ModelJudgment.objects.get()
    assert (stored.model.name, stored.model.note) == ("QQP", "Column label of pairs.tsv")
    assert (stored.pair, stored.label) == (project.pairs.get(), 0)
    swap = '{"sentence1": "E f.", "sentence2": "F e.", "label": 1, "method": "word_swap"}'
    with pytest.raises(CommandError, match="--labels-of NAME"):
        load(swap, name="p.jsonl")
    plain = [f'{{"sentence1": "A {n}.", "sentence2": "B {n}."}}' for n in range(100)]
    late = load(*plain, swap, name="p.jsonl", project=None, corpus="Elsewhere")
    assert "line 101: label neither taken nor ignored" in late
    assert "1 label not stored (no open pair)" in load(swap, name="p.jsonl", labels_of="QQP")
    assert "Ignored columns: label, year." in load(*table, ignore_labels=True)
    assert ModelJudgment.objects.count() == 1
    table = [line.replace("\t0", "\t1") for line in table]
    assert "1 label not stored (the pair has another one" in load(*table, labels_of="QQP")
    with pytest.raises(CommandError, match="names the column label twice"):
        load("sentence1\tsentence2\tlabel\tlabel", labels_of="QQP")


def test_a_damaged_file_and_one_without_pairs_leave_nothing_behind(load, tmp_path):
    path = tmp_path / "pairs.tsv.gz"
    path.write_bytes(gzip.compress("\n".join([HEADER, *[PAIR] * 9_000]).encode())[:-9])
    options = {"project": None, "corpus": "Elsewhere"}
    with pytest.raises(CommandError, match="so nothing of it was imported"):
        call_command("import_pairs", str(path), **options)
    load(HEADER, "", **options)
    assert not Corpus.objects.exists()


def test_what_cannot_be_imported_is_refused_before_anything_is_added(load):
    for lines, options, message in [
        ([HEADER, PAIR], {"project": None}, "--corpus"),
        ([HEADER, PAIR], {"project": "Nowhere"}, "no project 'Nowhere'; there are: '"),
        (["sentence1", "A."], {}, "sentence2"),
        ([HEADER, *pairs(REORDERED)], {"min_similarity": 1.5}, "min_similarity"),
    ]:
        with pytest.raises(CommandError, match=message):
            load(*lines, **options)
    assert not Sentence.objects.exists()


def test_a_filter_that_cannot_be_is_refused_before_the_file_is_opened(project):
    with pytest.raises(CommandError, match="min_similarity"):
        call_command("import_pairs", "nowhere.tsv", project=project.name, min_similarity=1.5)


@pytest.mark.parametrize("command", ["import_pairs", "import_sentences", "import_flashcards"])
def test_an_import_that_breaks_off_is_on_record(command, tmp_path, monkeypatch):
    path = tmp_path / "rows.tsv"
    path.write_text("sentence1\tsentence2\ttext\tentity\tdefinition\nA b.\tB a.\tA.\tB\tC d.\n")
    module = import_module(f"annotation.management.commands.{command}")
    imports = {"import_pairs": "import_candidates"}.get(command, command)
    monkeypatch.setattr(module, imports, Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        call_command(command, str(path), corpus="Rows")
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.details["corpus"]) == (Act.IMPORT_STARTED, "Rows")


def test_the_filter_drops_pairs_of_each_maker_and_is_kept_with_the_run(load):
    other = pairs(REWORDED, "They went to the north", model="other")
    lines = [HEADER, *pairs(*[REORDERED] * 3, *[REWORDED] * 9), *other]
    options = {"min_similarity": 0.8, "reordered_share": 0.5, "seed": 7}
    out = load(*lines, **options)
    assert "6 pairs added, 0 known already, 6 new sentences, 8 dropped, 0 lines refused" in out
    assert "7 not drawn\n  1 below similarity" in out
    assert Candidate.objects.filter(inversion_rate__gt=0.02).count() == 3
    run = GenerationRun.objects.get()
    rule = {"min_similarity": 0.8, "reordered_above": 0.02, "reordered_share": 0.5}
    assert (run.seed, run.settings) == (7, {"imported_from": "pairs.tsv"} | rule)
    assert "0 pairs added, 6 known already" in load(*lines, **options)
    reordered = pairs(REORDERED, model="another")
    assert "1 not drawn" in load(HEADER, *reordered, reordered_share=0.5, reordered_above=0.9)


@pytest.fixture
def generated(tmp_path):
    """Writes a file as generate_file does, of 12 sentences with two rewrites each; its path."""

    def generated(name="one.parquet", first=1, **about):
        settings = fake.METHOD.configure({"per_sentence": 2})
        path = tmp_path / name
        about = {"method": "word_swap", "language": "en", "settings": settings} | about
        parts = Parts(path, {"seed": 3, "identities": fake.IDENTITIES} | about)
        rewritten = Rewritten(12)
        for line in range(first, first + 12):
            source = f"sentence number {line}"
            rewritten.rows += [
                {"source_id": f"s{line}", "line": line, "source": source, "rank": rank}
                | {"method": about["method"]}
                | columns_of(source, Rewrite(f"{text} {line}", "noun", -3.5, -2.5, other, *shares))
                for rank, (text, other, shares) in enumerate(
                    [
                        ("number sentence", (Rewrite("a b"),), (line / 100, 0.4)),
                        ("number of sentence", (), (None, None)),
                    ]
                )
            ]
        with parts.open():
            parts.add(rewritten)
            parts.join()
        return str(path)

    return generated


MEASURED = ("kind", "rank", "score", "source_score", "probability", "paraphrase")
MEASURED += ("is_rotation", "alternatives")


def test_a_generated_file_becomes_the_run_that_it_is(generated, project):
    call_command("import_pairs", generated(), corpus="Rows", project=project.name)
    run = GenerationRun.objects.get()
    assert (run.method, run.seed, run.model_identities) == ("word_swap", 3, fake.IDENTITIES)
    settings = fake.METHOD.configure({"per_sentence": 2})
    assert run.settings == {"imported_from": "one.parquet"} | settings
    candidates = run.candidate_set.filter(sentence__external_id="s7").order_by("rank")
    other = Rewrite("a b").as_alternative()
    assert list(candidates.values_list("text", *MEASURED)) == [
        ("number sentence 7", "noun", 0, -3.5, -2.5, 0.07, 0.4, False, [other]),
        ("number of sentence 7", "noun", 1, -3.5, -2.5, None, None, None, []),
    ]
    assert {candidate.sentence.line for candidate in candidates} == {7}
    assert Correction.objects.count() == 24


def test_shards_become_one_run_and_are_imported_once(generated, capsys):
    paths = [generated(), generated("two.parquet", first=13)]
    call_command("import_pairs", *paths, corpus="Rows")
    assert GenerationRun.objects.get().settings["imported_from"] == "one.parquet and 1 more file"
    call_command("import_pairs", *paths, corpus="Rows")
    assert "0 pairs added, 48 known already" in capsys.readouterr().out
    call_command("import_pairs", generated("three.parquet", seed=4), corpus="Rows")
    assert "24 pairs added, 0 known already, 0 new sentences" in capsys.readouterr().out


def test_a_sentence_that_was_rewritten_twice_has_further_ranks(generated):
    path = generated()
    rows = pq.read_table(path)
    again = [row | {"text": f"again {row['text']}"} for row in rows.to_pylist()]
    pq.write_table(pa.concat_tables([rows, pa.Table.from_pylist(again, rows.schema)]), path)
    call_command("import_pairs", path, corpus="Rows")
    ranks = Candidate.objects.filter(sentence__external_id="s7").order_by("id")
    assert list(ranks.values_list("rank", flat=True)) == [0, 1, 2, 3]


def test_a_sample_of_generated_pairs_is_drawn_by_its_seed(generated, capsys, monkeypatch):
    monkeypatch.setattr(generated_files, "ROWS_AT_ONCE", 2)
    paths = [generated(), generated("two.parquet", first=13)]
    drawn = {}
    for corpus, seed in (("One", 1), ("Again", 1), ("Two", 2)):
        options = {"corpus": corpus, "seed": seed, "sample": 10, "least_probability": 0.05}
        call_command("import_pairs", *paths, **options)
        candidates = Candidate.objects.filter(sentence__corpus__name=corpus)
        drawn[corpus] = set(candidates.values_list("text", flat=True))
        assert min(candidates.values_list("probability", flat=True)) >= 0.05
    assert drawn["One"] == drawn["Again"] != drawn["Two"]
    assert set(map(len, drawn.values())) == {10}
    assert "38 dropped" in (printed := capsys.readouterr().out)
    assert "28 below probability" in printed
    assert "10 not drawn" in printed


def test_pairs_below_a_probability_are_left_out(generated):
    call_command("import_pairs", generated(), corpus="Rows", least_probability=0.08)
    assert sorted(Candidate.objects.values_list("probability", flat=True)) == [
        line / 100 for line in range(8, 13)
    ]


def test_a_least_probability_is_refused_where_nothing_has_an_estimate(generated):
    path = generated()
    rows = pq.read_table(path)
    unknown = pa.nulls(len(rows), pa.float64())
    place = rows.schema.get_field_index("probability")
    pq.write_table(rows.set_column(place, "probability", unknown), path)
    with pytest.raises(CommandError, match=r"no estimate .* Leave out --least-probability"):
        call_command("import_pairs", path, corpus="Rows", least_probability=0.7)
    assert not Corpus.objects.exists()


def test_options_and_files_that_do_not_go_together_are_refused(generated, tmp_path):
    (tmp_path / "pairs.tsv").write_text(f"{HEADER}\n{PAIR}\n")
    pairs, path = str(tmp_path / "pairs.tsv"), generated()
    german = generated("german.parquet", language="de")
    for paths, options, message in (
        ([pairs], {"sample": 3}, "are for files of generate_file"),
        ([pairs, path], {}, "one file at a time"),
        ([path], {"min_similarity": 0.5}, "are not for files of generate_file"),
        ([path, german], {}, "several languages"),
        ([generated("translated.parquet", method="translation")], {}, "make no pairs"),
    ):
        with pytest.raises(CommandError, match=message):
            call_command("import_pairs", *paths, corpus="Rows", **options)
    assert not Corpus.objects.exists()
    call_command("import_pairs", path, corpus="Rows")
    with pytest.raises(CommandError, match="already has the language 'en'"):
        call_command("import_pairs", german, corpus="Rows")


def test_pairs_of_any_other_parquet_file_are_read_by_their_columns(tmp_path):
    pq.write_table(pa.table({"sentence1": ["A b."], "sentence2": ["B a."]}), tmp_path / "p.parquet")
    call_command("import_pairs", str(tmp_path / "p.parquet"), corpus="Rows")
    assert Candidate.objects.get().text == "B a."
