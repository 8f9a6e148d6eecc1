"""Pairs made elsewhere enter a project through `manage.py import_pairs`."""

import gzip
import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Correction, SentencePair
from generation.models import Candidate, GenerationRun, Sentence
from generation.services import reading_ahead
from tests.annotation import cast

pytestmark = pytest.mark.django_db

HEADER = "sentence1_id\tsentence1\tsentence2\tmethod\tmodel"
PAIR = "s1\tMara met Tobias.\tTobias was met by Mara.\tback_translation\tsome model"


@pytest.fixture
def project():
    return cast.study()


@pytest.fixture
def load(project, tmp_path, capsys):
    def load(*lines, name="pairs.tsv", **options):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n")
        call_command("import_pairs", str(path), project=project.name, **options)
        return capsys.readouterr().out

    return load


def test_a_back_translation_is_opened_for_judgment(load, project):
    load(HEADER, PAIR)
    pair = project.pairs.get()
    assert (pair.sentence1.text, pair.sentence2.text) == (
        "Mara met Tobias.",
        "Tobias was met by Mara.",
    )
    assert pair.judgments.count() == 5
    assert pair.candidate.run.model_identities["generator"]["name"] == "some model"
    assert 0 < pair.candidate.similarity < 1


def test_a_word_swap_made_elsewhere_is_corrected_first(load):
    load(HEADER, PAIR.replace("back_translation", "word_swap"))
    assert Correction.objects.count() == 1
    assert not SentencePair.objects.exists()


def test_a_pair_is_linked_to_the_sentence_that_the_corpus_holds(load, project):
    cast.candidates(project, [("Mara met Tobias.", "Tobias met Mara.")])
    load(HEADER, PAIR)
    assert Sentence.objects.filter(text="Mara met Tobias.").count() == 1


def test_a_corrected_sentence_is_linked_by_its_public_id(load, project):
    cast.candidates(project, [("Mara met Tobias.", "Tobias met Mara.")])
    corrected = cast.correct_next(cast.person(project)).pair.sentence2
    load(HEADER, f"{corrected.public_id}\tTobias met Mara.\tMara was met.\tback_translation\tm")
    assert Candidate.objects.get(text="Mara was met.").sentence == corrected


def test_importing_again_adds_nothing(load):
    load(HEADER, PAIR, PAIR)
    assert "0 pairs added, 1 known already" in load(HEADER, PAIR)
    assert (Candidate.objects.count(), SentencePair.objects.count()) == (1, 1)


def test_several_rewrites_of_a_sentence_are_ranked(load):
    load(HEADER, PAIR, PAIR.replace("was met", "is met"))
    load(HEADER, PAIR.replace("was met", "had been met"))
    assert GenerationRun.objects.count() == 2
    assert sorted(Candidate.objects.values_list("rank", flat=True)) == [0, 0, 1]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("s1\tone cell", "wrong_columns"),
        ("s1\tMara met.\tMara met.\tback_translation\tm", "identical"),
        ("s1\tMara met.\tMet Mara.\tdreamt\tm", "unknown_method"),
        ("s1\t\tMet Mara.\tback_translation\tm", "empty"),
        ("00000000-0000-4000-8000-000000000000\tA.\tB.\t\tm", "unknown_sentence"),
        ("", "empty"),
    ],
)
def test_a_bad_line_is_named_and_the_others_go_in(load, line, reason):
    out = load(HEADER, line, PAIR)
    assert f"line 2: {reason}" in out
    assert Candidate.objects.count() == 1


def test_another_text_under_a_known_id_is_refused(load):
    load(HEADER, PAIR)
    assert "other_text_under_this_id" in load(HEADER, PAIR.replace("Mara met T", "Mara saw T"))


def test_without_a_project_pairs_stay_with_their_corpus(load, tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{HEADER}\n{PAIR}\n")
    call_command("import_pairs", str(path), corpus="Elsewhere")
    assert Candidate.objects.get().sentence.corpus.name == "Elsewhere"
    assert not SentencePair.objects.exists()


def test_without_a_project_the_corpus_is_named(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{HEADER}\n{PAIR}\n")
    with pytest.raises(CommandError, match="--corpus"):
        call_command("import_pairs", str(path))


def test_what_was_read_before_a_file_broke_off_is_not_lost(load, tmp_path, project, monkeypatch):
    path = tmp_path / "pairs.tsv.gz"
    path.write_bytes(gzip.compress("\n".join([HEADER, *pairs(*"abc")]).encode())[:-4])
    monkeypatch.setattr(reading_ahead, "LINES_AT_ONCE", 1)
    with pytest.raises(CommandError, match="Damaged"):
        call_command("import_pairs", str(path), project=project.name)
    assert Candidate.objects.exists()
    assert not project.pairs.exists()
    load(HEADER, *pairs(*"abc"))
    assert project.pairs.count() == 3


def test_json_lines_are_read(load, project):
    load(json.dumps({"sentence1": "A b.", "sentence2": "B a.", "year": 3}), name="pairs.jsonl")
    assert project.pairs.get().candidate.run.method == "imported"


def test_a_file_without_its_columns_is_not_read(load):
    with pytest.raises(CommandError, match="sentence2"):
        load("sentence1", "A.")


def test_an_unknown_project_is_named(tmp_path):
    with pytest.raises(CommandError, match="no project 'Nowhere'"):
        call_command("import_pairs", str(tmp_path / "x.tsv"), project="Nowhere")


SOURCE = "In 1953 the team also toured the far north"
REORDERED = "The team also toured the far north in 1953"
REWORDED = "In 1953 the squad also toured the far north"


def pairs(*rewrites, model="m"):
    """Lines of pairs, of which each has a source of its own."""
    return [
        f"\t{SOURCE} of {n}.\t{text} of {n}.\tback_translation\t{model}"
        for n, text in enumerate(rewrites)
    ]


def test_pairs_that_are_not_alike_are_dropped_and_counted(load):
    out = load(HEADER, *pairs(REORDERED, "They went to the north"), min_similarity=0.9)
    assert "1 pairs added, 0 known already, 1 new sentences, 1 dropped, 0 lines refused" in out
    assert "1 below_similarity" in out
    assert Sentence.objects.filter(candidate=None).count() == 1


def test_reordered_pairs_have_their_share(load):
    lines = pairs(*[REORDERED] * 3, *[REWORDED] * 9)
    out = load(HEADER, *lines, min_similarity=0.8, reordered_share=0.5)
    assert "6 pairs added" in out
    assert "6 not_drawn" in out
    assert Candidate.objects.filter(inversion_rate__gt=0.02).count() == 3


def test_the_share_is_that_of_each_maker(load):
    lines = pairs(*[REORDERED] * 3, model="one") + pairs(*[REWORDED] * 3, model="other")
    assert "3 not_drawn" in load(HEADER, *lines, reordered_share=0.5)
    assert GenerationRun.objects.get().model_identities["generator"]["name"] == "one"


def test_above_which_rate_a_pair_is_reordered_is_a_setting(load):
    assert "1 not_drawn" in load(
        HEADER, *pairs(REORDERED), reordered_share=0.5, reordered_above=0.9
    )


def test_a_run_keeps_the_filter_and_its_seed(load):
    load(HEADER, *pairs(REORDERED), reordered_share=0.5, seed=7)
    run = GenerationRun.objects.get()
    assert run.seed == 7
    assert run.settings == {
        "imported_from": "pairs.tsv",
        "min_similarity": 0.0,
        "reordered_above": 0.02,
        "reordered_share": 0.5,
    }


def test_importing_a_filtered_file_again_adds_nothing(load):
    lines = [HEADER, *pairs(*[REORDERED] * 3, *[REWORDED] * 9)]
    load(*lines, reordered_share=0.5)
    assert "0 pairs added, 6 known already" in load(*lines, reordered_share=0.5)


def test_a_filter_out_of_bounds_is_refused_before_anything_is_added(load):
    with pytest.raises(CommandError, match="min_similarity"):
        load(HEADER, *pairs(REORDERED), min_similarity=1.5)
    assert not Sentence.objects.exists()
