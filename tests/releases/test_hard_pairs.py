"""A release of the pairs that a model gets wrong."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.model_judgments import services as model_judgments
from annotation.models import JudgingModel
from releases.dataset.verification import verify
from releases.selectors.releases import folder_of
from releases.services import builds, drafts, frozen, publication
from support.studies import freeze_version
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page, release_folder
from tests.annotation.pairs.test_model_says import add_labels
from tests.releases.dataset.studies import describe_again
from tests.releases.dataset.test_verification import sign

pytestmark = pytest.mark.django_db
# Two pairs with the label 1, one with 0, one on which too few agree.
VOTES = [[1] * 5, [1, 1, 1, 1, 0], [0] * 5, [0, 0, 0, 1, 1]] * 6


@pytest.fixture(params=["paws", "nli"])
def project(request):
    """A study that a model has labelled with 0 throughout: it gets pairs with the label 1 wrong."""
    project = make.study(protocol=request.param, consensus_min_votes=4)
    pairs = judged.pairs(project, VOTES, by=judged.people(project, 5))
    add_labels(project, pairs, [0] * len(pairs), name="judge 7")
    return project


@pytest.fixture
def folder(project, tmp_path):
    """The files of its release of hard pairs."""
    with release_folder(tmp_path):
        release = freeze_version(project, version="1.0", dev=0, test=0, hard_for="judge 7")
        publication.publish(release)
        yield folder_of(release)


def lines_of(folder, name):
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


@pytest.mark.both_engines
def test_tables_have_only_kept_pairs_that_the_model_gets_wrong(folder):
    assert verify(folder) == []
    kept = [pair for pair in lines_of(folder, "pairs.jsonl") if pair["kept"]]
    assert {(pair["label"], pair["subset"]) for pair in kept} == {(1, "labeled_final"), (0, None)}
    counts = json.loads((folder / "manifest.json").read_text())["counts"]
    assert (counts["easy"], counts["kept"]) == (6, 18)


def test_the_card_says_that_figures_of_the_model_are_low_by_construction(folder):
    card = " ".join((folder / "README.md").read_text().split())
    assert "Left out of all tables, because the model `judge 7` gave them the same label" in card
    assert "its figures on the dataset are low by construction" in card


@pytest.mark.parametrize(
    ("label", "said"),
    [
        (1, "is in labeled_final, although judge 7 gave it the same label"),
        (0, "subset of {pair} is None, not 'labeled_final'"),
    ],
    ids=["of a hard pair", "of an easy pair"],
)
def test_a_turned_label_of_the_model_is_named(folder, label, said):
    turned = next(
        pair["id"]
        for pair in lines_of(folder, "pairs.jsonl")
        if pair["kept"] and pair["label"] == label
    )
    lines = lines_of(folder, "model_judgments.jsonl")
    for line in lines:
        if line["pair"] == turned:
            line["label"] = 1
    text = "".join(json.dumps(line, separators=(", ", ": ")) + "\n" for line in lines)
    (folder / "model_judgments.jsonl").write_text(text)
    describe_again(folder)
    sign(folder)
    differences = list(map(str, verify(folder)))
    assert any(said.format(pair=turned) in what and turned in what for what in differences)


@pytest.mark.parametrize("project", ["paws"], indirect=True)
def test_the_texts_of_an_easy_pair_in_unlabeled_final_are_named(folder):
    easy = next(
        pair for pair in lines_of(folder, "pairs.jsonl") if pair["kept"] and not pair["subset"]
    )
    texts = {row["id"]: row["text"] for row in lines_of(folder, "sentences.jsonl")}
    cells = {"id": "row", "noisy_label": "1"}
    cells |= {name: texts[easy[name]] for name in ("sentence1", "sentence2")}
    table = folder / "unlabeled_final/train.tsv"
    text = table.read_text()
    names = text.splitlines()[0].split("\t")
    table.write_text(text + "\t".join(cells.get(name, "") for name in names) + "\n")
    describe_again(folder)
    sign(folder)
    assert any(f"row has the texts of {easy['id']}" in str(what) for what in verify(folder))


def test_kept_pairs_that_the_model_has_not_labelled_are_refused_with_their_number(project):
    add_labels(project, project.pairs.order_by("pk")[:5], [0] * 5, name="partial")
    release = drafts.create_draft(project, version="1.0", hard_for="partial")
    with pytest.raises(ValueError, match="has not labelled 14 of 18 kept pairs"):
        builds.build(release)


def test_a_model_that_the_project_lacks_is_refused(project):
    with pytest.raises(CommandError, match=r"called “other”\. Its models: judge 7"):
        call_command("build_release", project=project.name, release="1.0", hard_for="other")


def test_a_draft_offers_the_models_of_the_project(project):
    manager = client_of(project)
    form = manager.get(page("draft_release", project)).context["form"]
    assert [title for title, _text in form.fields["hard_for"].choices] == ["", "judge 7"]
    model_judgments.remove(JudgingModel.objects.get())
    assert "hard_for" not in manager.get(page("draft_release", project)).context["form"].fields


def test_a_model_removed_while_the_release_is_planned_is_refused(project, monkeypatch):
    release = drafts.create_draft(project, version="1.0", dev=0, test=0, hard_for="judge 7")
    plan_now = frozen.plan_now

    def plan_and_remove(*args):
        planned = plan_now(*args)
        model_judgments.remove(JudgingModel.objects.get())
        return planned

    monkeypatch.setattr(frozen, "plan_now", plan_and_remove)
    with pytest.raises(ValueError, match="no single model called “judge 7”"):
        frozen.freeze_draft(release)
