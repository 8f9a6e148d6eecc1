"""Where the pairs of a release come from: their columns, the runs of its manifest, and REST."""

import json
from datetime import UTC

import pytest

from generation.models import Candidate, GenerationRun
from releases.dataset.verification import verify
from releases.models import Example
from releases.selectors.lineage import lineages
from releases.services import publication
from support.studies import freeze_version
from tests.releases.dataset.studies import contents

pytestmark = pytest.mark.both_engines
# As Postgres does not store them.
IDENTITIES = {
    "rescorer": {"name": "gpt2", "revision": "1"},
    "tagger": {"name": "en_core_web_sm", "revision": "3.8"},
    "likeness": {"name": "gpt2", "revision": "1"},
}


@pytest.fixture
def release(project):
    GenerationRun.objects.update(model_identities=IDENTITIES, settings={"beam": 100})
    Candidate.objects.update(kind="name")
    return freeze_version(project, version="1.0", dev=0, test=0, unlabeled_dev=0)


def test_a_pair_has_the_origin_that_its_lineage_has(release):
    judged = [*release.examples.filter(origin=Example.Origin.JUDGED)]
    assert len(judged) == 3
    for example in judged:
        [[step], []] = sorted((row.steps for row in lineages(example)), reverse=True)
        assert (example.run, example.kind, example.method) == (
            step.run.pk, step.kind, step.run.method,
        )  # fmt: skip
        assert example.generator == "en_core_web_sm + gpt2"
        assert {row.source.corpus.name for row in lineages(example)} == {example.domain}


def test_unjudged_candidates_have_the_label_of_their_estimate(project, tmp_path):
    first, *others = Candidate.objects.order_by("pk")
    Candidate.objects.filter(pk=first.pk).update(paraphrase=0.3)
    release = freeze_version(project, version="1.0", dev=0, test=0, unlabeled_dev=0)
    publication.write_files(release, tmp_path / "release")
    assert verify(tmp_path / "release") == []
    silver = release.examples.filter(subset="unlabeled_final")
    labels = {str(key): label for key, label in silver.values_list("public_id", "label")}
    assert [labels[str(row.public_id)] for row in (first, *others)] == [0, 1, 1]
    counts = json.loads((tmp_path / "release" / "manifest.json").read_text())["counts"]
    assert counts["unlabeled_estimated"] == 1
    assert "`unlabeled_final` has 1 pair with the label of an estimate" in " ".join(
        (tmp_path / "release" / "README.md").read_text().split()
    )


def test_the_manifest_has_the_runs_whose_candidates_entered(release, tmp_path):
    run = GenerationRun.objects.get()
    publication.write_files(release, tmp_path / "release")
    manifest = json.loads((tmp_path / "release" / "manifest.json").read_text())
    assert manifest["runs"] == [
        {
            "number": run.pk,
            "corpus": run.corpus.name,
            "method": "back_translation",
            "preset": None,
            "seed": run.seed,
            "settings": {"beam": 100},
            "models": ["en_core_web_sm", "gpt2"],
            "candidates": 3,
            "days": [run.created_at.astimezone(UTC).date().isoformat()],
        }
    ]
    assert verify(tmp_path / "release") == []


def test_a_corpus_that_is_renamed_later_keeps_its_name_in_a_release(release, tmp_path):
    publication.write_files(release, tmp_path / "before")
    corpus = GenerationRun.objects.get().corpus
    corpus.name = f"{corpus.name}, renamed"
    corpus.save()
    publication.write_files(release, tmp_path / "after")
    assert contents(tmp_path / "before") == contents(tmp_path / "after")
