"""Releases of studies whose labels are not two sides, from their rows to verified files."""

import json

import pytest
from django.core.management import call_command

from annotation.models import Adjudication
from releases.dataset.metadata import Author, Metadata
from releases.dataset.verification import verify
from releases.selectors.releases import folder_of
from releases.services import drafts, frozen, publication
from releases.services.builds import PREVIEWS
from releases.translations import services as translations
from support.studies import freeze_version
from tests.annotation import judged, make, pages
from tests.annotation.pages import client_of, page
from tests.releases.dataset.label_studies import NLI, OPINIONS, SIMILARITY

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
# What was said of generators that nobody had named.
UNKNOWN = ("Generator models", "`unknown`", "made elsewhere", "and the seed")
VOTES = [(1, 2, 1, 2, 1), (0, 0, 0, 0, 0), (2, 2, 2, 2, 1), (0, 0, 1, 1, 2)]


@pytest.fixture
def studied(tmp_path):
    """Return a function from a scheme to a study of it with twenty pairs, judged by five."""

    def study(scheme, votes=VOTES):
        kept = {"consensus_min_votes": 3 if scheme.decides else 1}
        project = make.study(scheme=scheme, judgments_per_pair=5, **kept)
        judged.pairs(project, votes * 5, by=judged.people(project, 5))
        return project

    with pages.release_folder(tmp_path):
        yield study


@pytest.mark.parametrize("scheme", [NLI, SIMILARITY, OPINIONS])
def test_a_release_is_published_and_verifies(studied, scheme):
    release = freeze_version(studied(scheme), version="1.0", dev=0.2, test=0.2)
    publication.publish(release)
    assert verify(folder_of(release)) == []


def test_the_rows_have_the_values_of_labels(studied, tmp_path):
    project = studied(OPINIONS, [(0, 0, 4, 6, 10)])
    release = freeze_version(project, version="1.0", dev=0.2, test=0.2)
    publication.write_files(release, tmp_path / "files")
    answers = (tmp_path / "files/judgments.jsonl").read_text().splitlines()
    assert {json.loads(line)["label"] for line in answers} == {-5, -1, 1, 5}
    tallies = set(map(tuple, release.examples.values_list("tally", flat=True)))
    assert tallies == {(2, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1)}


def test_files_of_means_are_written_again_byte_for_byte(studied, tmp_path):
    release = freeze_version(studied(SIMILARITY), version="1.0", dev=0.2, test=0.2)
    written = publication.write_files(release, tmp_path / "a")
    assert publication.write_files(release, tmp_path / "b") == written
    assert set(release.examples.values_list("mean", flat=True)) == {1.4, 0.0, 1.8, 0.8}


def test_an_expert_decision_is_released_as_a_value(studied, tmp_path):
    project = studied(NLI)
    pair = project.pairs.filter(consensus__kept=False).first()
    expert = make.person(project, role="manager").user
    Adjudication.objects.create(pair=pair, label=1, by=expert)
    release = freeze_version(project, version="1.0", dev=0.2, test=0.2)
    publication.publish(release)
    [line] = (folder_of(release) / "adjudications.jsonl").read_text().splitlines()
    assert json.loads(line) == {"pair": str(pair.public_id), "label": 1}
    assert verify(folder_of(release)) == []


def test_a_draft_offers_neither_recombined_pairs_nor_noisy_labels(studied):
    settings = frozen.propose_release(studied(NLI), version="1.0").settings
    assert (settings["recombine"], settings["noisy_labels"]) == (False, {})


@pytest.mark.parametrize("scheme", [NLI, SIMILARITY, OPINIONS])
def test_the_page_of_a_draft_previews_its_labels(studied, scheme):
    project = studied(scheme)
    draft = drafts.create_draft(project, version="1.0", dev=0.2, test=0.2)
    assert PREVIEWS.do_next()
    reply = client_of(project).get(page("release", project, draft.public_id))
    content = reply.context["preview"]
    [train] = [part for part in content["parts"] if part["file"] == "labeled_final/train.tsv"]
    assert ("entailment" in train["labels"]) == scheme.decides


@pytest.mark.parametrize("scheme", [NLI, SIMILARITY, OPINIONS])
def test_the_page_of_a_release_shows_its_labels(studied, scheme):
    project = studied(scheme)
    release = freeze_version(project, version="1.0", dev=0.2, test=0.2)
    publication.publish(release)
    shown = client_of(project).get(page("release", project, release.public_id))
    tallies = {tuple(row.tally) for row in shown.context["pair_rows"]}
    assert {len(tally) for tally in tallies} == {scheme.size}
    assert [name for name, _ in shown.context["label_shares"]] == (
        [*scheme.outcomes] if scheme.decides else []
    )


def test_pairs_of_a_release_are_filtered_by_a_label(studied):
    project = studied(NLI)
    release = freeze_version(project, version="1.0", dev=0.2, test=0.2)
    publication.publish(release)
    address = page("release_pairs", project, release.public_id)
    assert client_of(project).get(address, {"label": "2"}).context["number"] == 5


@pytest.mark.parametrize("scheme", [NLI, SIMILARITY])
def test_a_translation_has_the_labels_of_its_source(studied, scheme):
    release = freeze_version(studied(scheme), version="1.0", dev=0.2, test=0.2)
    publication.publish(release)
    project = translations.create(release, name="In German", language="de")
    assert project.items.count() > 0
    assert frozen.settings_for(project).scheme == scheme


def test_pages_of_a_release_do_not_speak_of_paraphrases(studied):
    project = studied(NLI)
    release = freeze_version(project, version="1.0", dev=0.2, test=0.2)
    publication.publish(release)
    draft = drafts.create_draft(project, version="2.0", dev=0.2, test=0.2)
    assert PREVIEWS.do_next()
    client = client_of(project)
    for name, *of in (("releases",), ("release", release), ("release", draft),
                      ("release_pairs", release), ("edit_release", draft)):  # fmt: skip
        keys = [row.public_id for row in of]
        shown = client.get(page(name, project, *keys)).content.decode().casefold()
        assert "paraphrase" not in shown, (name, *keys)


@pytest.fixture
def imported(tmp_path):
    """The files of a release of twelve pairs that a researcher imported, with nothing but texts."""
    project = make.study(scheme=NLI, judgments_per_pair=5, consensus_min_votes=3)
    lines = (f"Mara {n} met Tobias.\tTobias {n} was there.\n" for n in range(12))
    (tmp_path / "own.tsv").write_text(f"sentence1\tsentence2\n{''.join(lines)}")
    call_command("import_pairs", str(tmp_path / "own.tsv"), project=project.name)
    judged.all_that_is_open(project, [1, 1, 1, 1, 2])
    metadata = Metadata(authors=(Author("Ito, M."),))
    release = freeze_version(project, version="1.0", metadata=metadata)
    with pages.release_folder(tmp_path):
        publication.publish(release)
        yield folder_of(release)


def test_documents_name_the_task_of_the_labels(imported):
    text = {path.name: path.read_text("utf-8") for path in imported.iterdir() if path.is_file()}
    assert json.loads(text[".zenodo.json"])["keywords"] == ["natural language inference"]
    assert "- natural-language-inference\n" in text["README.md"].partition("---\n#")[0]
    settings = json.loads(text["manifest.json"])["settings"]
    assert not settings.keys() & {"paraphrase_share", "recombine", "noisy_labels"}
    assert "araphrase" not in "".join(text.values())


def test_of_imported_pairs_only_what_is_known_is_said(imported):
    asked = (
        "People were asked about pairs of sentences: “Which label fits?” The labels are "
        "entailment (0), neutral (1), contradiction (2)."
    )
    card = (imported / "README.md").read_text("utf-8")
    croissant = json.loads((imported / "croissant.json").read_text("utf-8"))
    assert card.partition(" 1.0\n\n")[2].startswith(asked)
    assert croissant["description"].startswith(f"{asked} The pairs come from ")
    assert "All pairs were created elsewhere and imported: 12 pairs.\n" in card
    for text in (card, json.dumps(croissant)):
        assert not [words for words in UNKNOWN if words in text]
    assert verify(imported) == []
