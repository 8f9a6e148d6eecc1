"""Translations of releases whose labels are not two sides have the columns of their source."""

import shutil

import pytest

from releases.dataset.verification import verify
from tests.releases.dataset.label_studies import NLI, OPINIONS, SIMILARITY, LabelStudy, rows_of
from tests.releases.dataset.studies import describe_again
from tests.releases.dataset.test_verification import sign
from tests.releases.dataset.translated import translations

SCHEMES = {"nli": NLI, "similarity": SIMILARITY, "opinions": OPINIONS}
COLUMNS = {
    "nli": ["label", "votes", "soft_label"],
    "similarity": ["mean", "votes", "soft_label"],
    "opinions": ["votes", "soft_label"],
}


@pytest.fixture(scope="module", params=SCHEMES)
def translated(request, tmp_path_factory):
    """The name of a scheme, a release with such labels, and its translation."""
    place = tmp_path_factory.mktemp(request.param)
    LabelStudy(SCHEMES[request.param]).write(place / "source")
    made = translations.translations(place / "source")
    translations.write(place / "de", place / "source", made)
    return request.param, place / "source", place / "de"


def test_it_verifies_with_its_source(translated):
    _, source, folder = translated
    assert verify(folder, source) == []


def test_its_rows_have_what_answers_became_in_the_source(translated):
    name, source, folder = translated
    for split in ("train", "dev", "test"):
        origins = {row["id"]: row for row in rows_of(source, f"labeled_final/{split}.tsv")}
        rows = rows_of(folder, f"translated/{split}.tsv")
        assert [*rows[0]] == ["id", "sentence1", "sentence2", *COLUMNS[name]]
        assert len(rows) == len(origins)
        for row in rows:
            origin = origins[row["id"]]
            assert all(row[column] == origin[column] for column in COLUMNS[name])


def test_no_text_speaks_of_paraphrases_but_what_is_cited(translated):
    _, _, folder = translated
    card = (folder / "README.md").read_text().partition("## Citation")[0]
    assert "paraphrase" not in card.casefold()


def test_a_changed_vote_is_named(translated, tmp_path):
    _, source, origin = translated
    folder = shutil.copytree(origin, tmp_path / "de")
    path = folder / "translated/dev.tsv"
    header, first, *rest = path.read_text().split("\n")
    place = header.split("\t").index("votes")
    cells = first.split("\t")
    cells[place] = cells[place].replace("0", "7", 1)
    path.write_text("\n".join([header, "\t".join(cells), *rest]))
    describe_again(folder)
    sign(folder)
    told = list(map(str, verify(folder, source)))
    assert any(
        what.startswith(f"translated/dev.tsv, line 2: the votes of {cells[0]}") for what in told
    )


def test_equal_sentences_are_not_tested_on(tmp_path):
    LabelStudy(NLI).write(tmp_path / "source")
    made = translations.translations(tmp_path / "source")
    pair = made.pair("test", 2)
    made.change(pair.text2, text=made.sentences[made.of(pair.text1)].text)
    translations.write(tmp_path / "de", tmp_path / "source", made)
    assert verify(tmp_path / "de", tmp_path / "source") == []
    assert pair.id not in {row["id"] for row in rows_of(tmp_path / "de", "translated/test.tsv")}
