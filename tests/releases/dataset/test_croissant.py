"""croissant.json of version 1.1: Responsible AI, provenance, and what its readers make of them."""

import json
from dataclasses import replace

import mlcroissant
import pytest

from releases.dataset.documentation import Documentation
from releases.dataset.metadata import Metadata
from releases.dataset.verification import verify
from releases.dataset.writers import write_release
from tests.releases.dataset.published import test_files as published
from tests.releases.dataset.published.sets import SETS
from tests.releases.dataset.studies import FACTS, SETTINGS, complete_content
from tests.releases.dataset.translated import translations
from tests.releases.dataset.translated.conftest import source

__all__ = ["source"]
# mlcroissant warns of what rdflib and pandas are going to change.
pytestmark = pytest.mark.filterwarnings("ignore")
DOCUMENTATION = Documentation(
    limitations=("Short sentences only.",),
    biases=("Rivers of Europe prevail.",),
    uses=("Testing models.",),
    excluded_uses=("Exams.",),
    sensitive=("No living person is named.",),
    social_impact="Little.",
    demographics=("Students.",),
    training="Ten pairs.",
    recruitment="By a notice.",
    pay="12 EUR an hour",
    ethics="No board was asked.",
    maintenance=("Write to us.",),
)
DECLARED = Metadata(
    licence="CC-BY-4.0", homepage="https://example.org/pairs", documentation=DOCUMENTATION
)
NEWS = {
    "language": "en", "licence": "CC BY-SA 4.0", "sentences": 12,
    "address": "https://example.org/news", "imported": ["2026-01-01", "2026-01-02"],
}  # fmt: skip
LETTERS = NEWS | {"licence": "", "address": "", "imported": ["2025-12-31", "2025-12-31"]}
DOCUMENTED = replace(
    FACTS,
    metadata=DECLARED,
    corpora={"news": NEWS, "letters": LETTERS},
    collected=("2026-01-04", "2026-02-03"),
    waiting=2,
    scale=({"label": 1, "name": "Same meaning", "criterion": "Nothing differs."},),
    platforms=("Prolific",),
    work={
        "correct": {"days": ["2026-01-03", "2026-01-04"], "people": 3},
        "review": {"days": ["2026-02-04", "2026-02-04"], "people": 1},
    },
    raw={"word_swap": 60},
)
# What the NeurIPS 2026 Evaluations & Datasets track checks.
CHECKED = (
    *("rai:dataLimitations", "rai:dataBiases", "rai:dataUseCases", "rai:dataSocialImpact"),
    *("rai:personalSensitiveInformation", "rai:hasSyntheticData"),
    *("prov:wasDerivedFrom", "prov:wasGeneratedBy"),
)
SOURCE_TEXTS = (
    "The source sentences come from letters (12 sentences, language en) and news (12 sentences, "
    "language en, licence CC BY-SA 4.0)."
)


def write_documented(folder, facts=DOCUMENTED):
    write_release(folder, complete_content(), facts=facts, settings=SETTINGS)
    return folder


@pytest.fixture(scope="session")
def documented(tmp_path_factory):
    return write_documented(tmp_path_factory.mktemp("documented") / "1.0.0")


@pytest.fixture(scope="session")
def described(documented):
    return json.loads((documented / "croissant.json").read_text())


def test_mlcroissant_reads_the_properties_that_it_has_names_for(documented):
    metadata = mlcroissant.Dataset(jsonld=documented / "croissant.json").metadata
    assert (metadata.issues.errors, metadata.issues.warnings) == (set(), set())
    assert metadata.conforms_to == [
        "http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0",
    ]  # fmt: skip
    assert metadata.license == ["https://spdx.org/licenses/CC-BY-4.0"]
    assert metadata.data_limitations == ["Short sentences only.", "Not for: Exams."]
    assert metadata.data_biases == ["Rivers of Europe prevail."]
    assert metadata.data_use_cases == ["Testing models."]
    assert metadata.data_social_impact == "Little."
    assert metadata.personal_sensitive_information == [
        "No living person is named.", "Annotators appear under random pseudonyms only.",
    ]  # fmt: skip
    assert metadata.annotator_demographics == ["Students.", "Number of annotators: 9"]
    assert metadata.data_release_maintenance_plan == "Write to us.\nCorrections are new versions."
    assert metadata.data_collection_type == [
        "Manual Human Curator", "Software Collection", "Secondary Data analysis",
    ]  # fmt: skip
    assert metadata.data_collection_raw_data == SOURCE_TEXTS
    assert metadata.data_collection == (
        f"{SOURCE_TEXTS} Word swaps exchange words and phrases of a sentence: 60 candidates. "
        "One person saw each candidate of word_swap alone, without its source, and could fix it: "
        "18 accepted, 22 fixed and 3 rejected. Ethics: No board was asked."
    )
    assert metadata.data_collection_missing_data.startswith(
        "Correctors rejected 3 candidates. Still waiting for answers, and so left out: 2 pairs. "
    )
    assert metadata.data_preprocessing_protocol == [
        'Run 4 chose candidates by its settings: {"beam": 100}.',
        "Sentences that share a source, a text, a group or a pair are in one split, and pairs of "
        "two equal sentences are in none but train.",
    ]
    assert metadata.annotations_per_item == "5"
    assert metadata.data_annotation_platform == ["Pawsmith 0.1.0", "Prolific"]
    assert metadata.machine_annotation_tools == ["Model 7"]
    [protocol] = metadata.data_annotation_protocol
    assert protocol.startswith("5 people judged each pair independently, as having the same mean")
    assert " 1 is “Same meaning”: Nothing differs. " in protocol
    assert protocol.endswith(
        " Training of annotators: Ten pairs. Recruitment: By a notice. Pay: 12 EUR an hour."
    )
    agreement, labels, kept = metadata.data_annotation_analysis
    assert agreement.startswith("Human agreement is the share of answers")
    assert labels == "A pair is kept if at least 4 of them agree."
    assert kept.endswith("they are in low_agreement, with their votes.")


def test_properties_that_mlcroissant_spells_otherwise_have_the_names_of_the_specification(
    described,
):
    assert described["rai:dataCollectionTimeframe"] == [
        "2025-12-31T00:00:00Z", "2026-02-03T23:59:59Z",
    ]  # fmt: skip
    assert described["rai:dataManipulationProtocol"] == (
        "25 pairs more follow from chains of judged pairs (PAWS 3.2). Splits, sides and what is "
        "dropped follow from the seed 7."
    )
    assert described["rai:hasSyntheticData"] is True


def test_sources_have_their_address_or_a_lasting_name(described):
    letters, news = described["prov:wasDerivedFrom"]
    assert news == {
        "@type": "prov:Entity", "@id": "https://example.org/news", "prov:label": "news",
        "sc:license": "https://spdx.org/licenses/CC-BY-SA-4.0",
    }  # fmt: skip
    assert letters == {
        "@type": "prov:Entity", "@id": "urn:uuid:4e608344-11bb-5855-a28e-e4134027551a",
        "prov:label": "letters",
    }  # fmt: skip


def test_each_activity_has_its_days_and_who_did_it(described):
    activities = [
        (
            entry["prov:label"],
            entry["prov:type"]["@id"].rpartition("/")[2],
            entry.get("prov:startedAtTime"),
            entry.get("prov:endedAtTime"),
            entry["prov:wasAttributedTo"]["@type"],
            entry["prov:wasAttributedTo"]["prov:label"],
        )
        for entry in described["prov:wasGeneratedBy"]
    ]
    software, people = "prov:SoftwareAgent", "prov:Agent"
    assert activities == [
        ("Import of the source sentences", "Q4929239", "2025-12-31", "2026-01-02", software,
         "Pawsmith 0.1.0"),
        ("Run 4", "Q4929239", "2026-01-01", "2026-01-02", software, "tagger + trigram"),
        ("Run 5", "Q4929239", "2026-01-02", "2026-01-02", software, "forward"),
        ("Run 7", "Q4929239", "2026-01-03", None, software, "Pawsmith 0.1.0"),
        ("Correction", "Q5227332", "2026-01-03", "2026-01-04", people, "3 correctors"),
        ("Judging", "Q109719325", "2026-01-04", "2026-02-03", people, "9 annotators"),
        ("Review", "Q3306762", "2026-02-04", "2026-02-04", people, "1 expert"),
    ]  # fmt: skip
    [_, run, *_, imported, _, _, _] = described["prov:wasGeneratedBy"]
    assert run["sc:description"] == (
        "Run 4: word swap of news, preset paper, with tagger and trigram, seed 1. 60 candidates "
        "entered the study."
    )
    assert imported["sc:description"] == (
        "Run 7: imported, created elsewhere, for letters. 20 candidates entered the study."
    )


def test_imported_pairs_may_be_the_work_of_people(tmp_path):
    run = FACTS.runs[2] | {"models": ["written by hand"]}
    folder = write_documented(tmp_path / "1", replace(FACTS, runs=(run,)))
    described = json.loads((folder / "croissant.json").read_text())
    assert described["prov:wasGeneratedBy"][0]["prov:wasAttributedTo"] == {
        "@type": "prov:Agent", "prov:label": "written by hand",
    }  # fmt: skip


def test_simulated_annotators_limit_a_release(tmp_path):
    content = complete_content()
    judgments = [row._replace(simulated=True) for row in content.judgments]
    facts = replace(DOCUMENTED, metadata=None)
    write_release(
        tmp_path / "1", replace(content, judgments=judgments), facts=facts, settings=SETTINGS
    )
    described = json.loads((tmp_path / "1" / "croissant.json").read_text())
    assert described["rai:dataLimitations"] == ["Simulated annotators: a trial, not data."]
    assert described["rai:dataCollectionType"] == ["Software Collection", "Secondary Data analysis"]
    [judging] = [
        entry for entry in described["prov:wasGeneratedBy"] if entry["prov:label"] == "Judging"
    ]
    assert judging["prov:wasAttributedTo"] == {
        "@type": "prov:SoftwareAgent", "prov:label": "9 simulated annotators",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("runs", "synthetic"),
    [
        ([{"method": "definitions"}], False),
        ([{"method": "definitions"}, {"method": "back_translation"}], True),
        ([{"method": "imported", "models": ["gpt"]}], True),
        ([{"method": "imported"}], None),
        ([], None),
    ],
)
def test_machines_write_rewrites_but_nobody_knows_of_imported_pairs(tmp_path, runs, synthetic):
    usual = FACTS.runs[2] | {"settings": {}}
    facts = replace(FACTS, runs=tuple(usual | run for run in runs))
    folder = write_documented(tmp_path / "1", facts)
    described = json.loads((folder / "croissant.json").read_text())
    assert described.get("rai:hasSyntheticData") is synthetic


def test_mlcroissant_misses_nothing_but_the_licence_of_a_release_without_any(tmp_path):
    folder = write_documented(tmp_path / "1", replace(FACTS, licence=""))
    issues = mlcroissant.Dataset(jsonld=folder / "croissant.json").metadata.issues
    [warning] = issues.warnings
    assert "license" in warning
    assert not issues.errors


def write_translation(folder, source):
    facts = {
        "metadata": DECLARED, "source_address": "https://example.org/pairs", "platforms": (),
        "work": {
            "translate": {"days": ["2026-03-01", "2026-03-05"], "people": 3},
            "machine": {"days": ["2026-03-06", "2026-03-06"]},
            "validate": {"days": ["2026-03-04", "2026-03-09"], "people": 1},
        },
    }  # fmt: skip
    translations.write(folder / "de", source, translations.complete(source), **facts)
    return folder / "de"


def write_published(folder, _source):
    facts = replace(published.FACTS, metadata=DECLARED)
    return published.written(folder, SETS["PIT-2015"], facts=facts)[1]


@pytest.mark.parametrize(
    ("write", "unknown"),
    [
        (lambda folder, _source: write_documented(folder / "1"), set()),
        (write_translation, set()),
        # Those who published the set do not say whether machines wrote it.
        (write_published, {"rai:hasSyntheticData"}),
    ],
    ids=["release", "translation", "published"],
)
def test_what_is_declared_or_known_of_the_fields_that_neurips_checks_is_there(
    write, unknown, source, tmp_path
):
    folder = write(tmp_path, source)
    described = json.loads((folder / "croissant.json").read_text())
    assert {name for name in CHECKED if name not in described} == unknown
    issues = mlcroissant.Dataset(jsonld=folder / "croissant.json").metadata.issues
    assert (issues.errors, issues.warnings) == (set(), set())
    assert verify(folder) == []


def test_a_translation_is_derived_from_its_source_by_people_and_machines(source, tmp_path):
    folder = write_translation(tmp_path, source)
    described = json.loads((folder / "croissant.json").read_text())
    [derived] = described["prov:wasDerivedFrom"]
    assert (derived["@id"], derived["prov:label"]) == (
        "https://example.org/pairs",
        "Trial pairs 1.0.0",
    )
    assert described["rai:dataCollectionTimeframe"] == [
        "2026-03-01T00:00:00Z", "2026-03-09T23:59:59Z",
    ]  # fmt: skip
    assert [entry["prov:label"] for entry in described["prov:wasGeneratedBy"]] == [
        "Translation by people", "Machine translation", "Validation", "Selection of the pairs",
    ]  # fmt: skip
    agents = [
        entry["prov:wasAttributedTo"]["prov:label"] for entry in described["prov:wasGeneratedBy"]
    ]
    assert agents == [
        "3 translators, some of them simulated", "en-de + de-en", "1 validator", "Pawsmith 0.1.0",
    ]  # fmt: skip


def test_a_published_set_is_synthetic_as_stated(tmp_path):
    choices = replace(SETS["PIT-2015"].choices, is_synthetic=False)
    source, folder = published.written(tmp_path, SETS["PIT-2015"], choices)
    described = json.loads((folder / "croissant.json").read_text())
    assert described["rai:hasSyntheticData"] is False
    assert verify(folder, source) == []


def test_a_published_set_is_derived_from_where_it_was_published(tmp_path):
    described = json.loads((write_published(tmp_path, None) / "croissant.json").read_text())
    [derived] = described["prov:wasDerivedFrom"]
    assert (derived["@id"], derived["sc:license"]) == (
        "https://example.org/trial", "https://spdx.org/licenses/CC-BY-4.0",
    )  # fmt: skip
    [copy] = described["prov:wasGeneratedBy"]
    assert copy["prov:startedAtTime"] == copy["prov:endedAtTime"] == "2026-11-29"
    assert described["rai:dataCollectionType"] == ["Secondary Data analysis"]
    assert described["rai:dataReleaseMaintenancePlan"] == "Write to us."
    for name in ("description", "rai:dataCollection"):
        assert described[name].startswith("Published elsewhere. Pawsmith copied this set"), name
