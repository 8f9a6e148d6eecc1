"""Pairs made elsewhere enter a project through `manage.py import_pairs`."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Correction, SentencePair
from generation.models import Candidate, GenerationRun, Sentence
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


def test_json_lines_are_read(load, project):
    load(json.dumps({"sentence1": "A b.", "sentence2": "B a.", "year": 3}), name="pairs.jsonl")
    assert project.pairs.get().candidate.run.method == "imported"


def test_a_file_without_its_columns_is_not_read(load):
    with pytest.raises(CommandError, match="sentence2"):
        load("sentence1", "A.")


def test_an_unknown_project_is_named(tmp_path):
    with pytest.raises(CommandError, match="no project 'Nowhere'"):
        call_command("import_pairs", str(tmp_path / "x.tsv"), project="Nowhere")
