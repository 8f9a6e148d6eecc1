"""A release with the labels of the annotator model."""

import json

import pytest

from annotation.models import Consensus
from releases.dataset.reader import read_tsv
from releases.dataset.tables import tables
from releases.dataset.verification import verify
from releases.models import Example
from releases.selectors.releases import folder_of, settings_of
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page, release_folder

pytestmark = pytest.mark.django_db
ROUND_OF_FIVE = [[1, 1, 1, 0, 1], [0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 0, 0, 1]] * 6


@pytest.fixture(params=["paws", "nli"])
def release(request, tmp_path):
    """A frozen release with the option, without files: of two sides, and of most frequent labels.

    The last pair is labelled by the votes of two people who contradict the others everywhere.
    """
    project = make.study(protocol=request.param)
    people = judged.people(project, 5)
    judged.pairs(project, [*ROUND_OF_FIVE, [1, 1, 0, 0, 0]], by=people)
    with release_folder(tmp_path):
        yield freeze_version(project, version="1.0", dev=0, test=0, skill=True)


def published(release):
    publication.publish(release)
    return folder_of(release)


@pytest.mark.both_engines
def test_a_release_states_the_labels_that_a_fit_gives_and_is_verified(release):
    folder = published(release)
    assert verify(folder) == []
    pairs = [json.loads(line) for line in (folder / "pairs.jsonl").read_text().splitlines()]
    majorities = [pair["votes"].index(max(pair["votes"])) for pair in pairs]
    labels = [pair["model_label"] for pair in pairs]
    differing = [label for label, most in zip(labels, majorities, strict=True) if label != most]
    assert (len(pairs), differing) == (len(ROUND_OF_FIVE) + 1, [1])
    assert not Consensus.objects.exclude(model_label=None).exists()


def test_the_tables_and_the_card_have_the_columns(release):
    folder, settings = published(release), settings_of(release)
    for table in tables(settings):
        for row in read_tsv(folder, table):
            cells = dict(zip(table.names, row, strict=True))
            assert (cells["model_label"] is None) == (cells["model_share"] is None)
    card = (folder / "README.md").read_text()
    assert "| `model_share` | Its probability by that model" in card
    assert "Dawid and Skene 1979" in card


@pytest.mark.parametrize(
    ("forged", "named"),
    [({"model_share": 0.75}, "model_share of"), ({"model_label": 0}, "model_label of")],
)
def test_a_forged_label_or_share_is_named_by_its_line(release, forged, named):
    example = Example.objects.filter(model_label=1).order_by("position").first()
    Example.objects.filter(pk=example.pk).update(**forged)
    [difference, *_] = verify(published(release))
    assert difference.path == "pairs.jsonl"
    assert difference.line == example.position
    assert named in difference.what


def test_a_forged_vote_is_told_before_the_shares_that_follow_from_it(release):
    folder = published(release)
    path = folder / "judgments.jsonl"
    first, *others = path.read_text().splitlines(keepends=True)
    row = json.loads(first)
    row["label"] = 1 - row["label"]
    path.write_text(json.dumps(row) + "\n" + "".join(others))
    lines = [str(difference) for difference in verify(folder)]
    causes, shares = lines[:2], lines[-4:]
    assert "checksum" in causes[0]
    assert "votes of" in causes[1]
    assert ["model_share of" in line for line in shares] == [True, True, True, False]
    assert shares[-1] == f"pairs.jsonl: and {len(ROUND_OF_FIVE) + 1 - 3} more"
    assert not any("model_share of" in line for line in lines[:-4])


def test_a_rounding_error_of_a_share_is_no_difference(release):
    example = Example.objects.filter(model_share__gt=0.6).first()
    share = round(example.model_share - 1e-6, 6)
    Example.objects.filter(pk=example.pk).update(model_share=share)
    assert verify(published(release)) == []


def test_a_draft_offers_the_option_and_keeps_it(release):
    manager = client_of(release.project, "manager")
    form = manager.get(page("draft_release", release.project)).context["form"]
    assert form["skill"].value() is True
