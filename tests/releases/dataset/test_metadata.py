"""Licence, authors and citation: declared once, and in every file that readers look in."""

import json
from dataclasses import replace

import pytest
import yaml
from huggingface_hub import DatasetCard
from mlcroissant import Dataset

from releases.dataset.citations import complete_metadata
from releases.dataset.metadata import Author, Metadata, parse_bibtex, parse_metadata
from releases.dataset.verification import verify
from releases.dataset.writers import write_release
from tests.releases.dataset.studies import FACTS, SETTINGS, complete_content

ADA = {"name": "Lovelace, Ada", "orcid": "https://orcid.org/0000-0002-1825-0097"}
GROUP = {"name": "The House", "affiliation": 'Institute "of" Words'}
ENTERED = {
    "licence": "odbl-1.0",
    "authors": [ADA, GROUP],
    "languages": ["en", "pt-BR"],
    "homepage": "https://example.org/pairs",
    "citation": "Lovelace et al. (2026).\nTrial pairs.",
}


def published(folder, facts):
    write_release(folder / "release", complete_content(), facts=facts, settings=SETTINGS)
    return folder / "release"


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")
def test_every_file_that_describes_a_release_repeats_what_was_declared(tmp_path):
    declared = parse_metadata(ENTERED)
    folder = published(tmp_path, replace(FACTS, metadata=declared))
    assert verify(folder) == []
    manifest = json.loads((folder / "manifest.json").read_text())
    assert Metadata.from_dict(manifest["metadata"]) == declared
    card = DatasetCard((folder / "README.md").read_text())
    assert (card.data.license, card.data.language) == ("odbl", ["en", "pt"])
    for said in ("Ada Lovelace, ORCID", "Lovelace et al. (2026). Trial pairs.", "@misc{trial"):
        assert said in card.text
    described = Dataset(jsonld=folder / "croissant.json").metadata
    assert (described.issues.errors, described.issues.warnings) == (set(), set())
    assert [person.name for person in described.creators] == ["Ada Lovelace", "The House"]
    assert described.license == ["https://spdx.org/licenses/ODbL-1.0"]
    assert (described.url, described.in_language) == (declared.homepage, ["en", "pt-BR"])
    cited = yaml.safe_load((folder / "CITATION.cff").read_text())
    assert cited["authors"][0] == {
        "family-names": "Lovelace",
        "given-names": "Ada",
        "orcid": "https://orcid.org/0000-0002-1825-0097",
    }
    assert cited["authors"][1] == {"name": "The House"}
    assert (cited["license"], cited["date-released"]) == ("ODbL-1.0", "2026-11-21")
    deposit = json.loads((folder / ".zenodo.json").read_text())
    assert deposit["creators"][1] == {"name": "The House", "affiliation": 'Institute "of" Words'}
    assert (deposit["license"], deposit["upload_type"]) == ("odbl-1.0", "dataset")
    (folder / ".zenodo.json").write_text("{}")
    assert [each.path for each in verify(folder)] == [".zenodo.json"]


def test_a_licence_that_the_hub_does_not_know_has_its_name_and_page(tmp_path):
    folder = published(
        tmp_path, replace(FACTS, metadata=parse_metadata({"licence": "AGPL-1.0-only"}))
    )
    data = DatasetCard((folder / "README.md").read_text()).data
    assert (data.license, data.license_name) == ("other", "agpl-1.0-only")
    assert data.license_link == "https://spdx.org/licenses/AGPL-1.0-only"
    assert not (folder / "CITATION.cff").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"licence": "free for all"},
        {"licence": "MIT OR Apache-2.0"},
        {"authors": [{"name": "Ada", "orcid": "0000-0002-1825-0098"}]},
        {"authors": [{"name": " ", "affiliation": "Somewhere"}]},
        {"languages": ["English, mostly"]},
        {"homepage": "javascript:alert(1)"},
        {"bibtex": "@misc{key, title = {Open}"},
        {"bibtex": "@misc{key, title = {A}} and more"},
        {"bibtex": "Lovelace 2026"},
    ],
    ids=str,
)
def test_what_no_reader_could_use_is_refused(wrong):
    with pytest.raises(ValueError, match=r"\w"):
        parse_metadata(wrong)


def test_an_orcid_whose_check_digit_is_ten_ends_with_x():
    [author] = parse_metadata({"authors": [{"name": "A", "orcid": "0000-0002-1694-233x"}]}).authors
    assert author == Author("A", "0000-0002-1694-233X")


def test_latex_sets_the_values_of_a_derived_bibtex_entry_as_they_are():
    metadata = parse_metadata(
        {
            "authors": [{"name": "Müller & Söhne, Jürgen"}, {"name": "100% #1"}],
            "homepage": "https://example.org/my_pairs?a=1&b=2",
        }
    )
    about = {"name": "my_{pairs} for $5", "version": "1.0", "year": 2026, "software": "0.1.0"}
    entry = complete_metadata(metadata, key="pairs", **about).bibtex
    for line in (
        r"  author = {Müller \& Söhne, Jürgen and {100\% \#1}},",
        r"  title = {{my\_pairs for \$5}},",
        r"  url = {https://example.org/my_pairs?a=1&b=2},",
    ):
        assert line in entry.splitlines()
    assert parse_bibtex(entry) == entry
