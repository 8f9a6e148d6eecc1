"""The page of an evaluation: people ask for it there, and find its results."""

import json

import pytest
from django.core.management import call_command
from django.urls import reverse

from accounts.audited_acts import Act
from accounts.models import AuditEntry
from annotation.errors import Refused
from evaluation import models_by_name, services
from evaluation.models import Evaluation
from evaluation.selectors import companion_of, folders_of
from generation.models import Method
from releases.dataset.verification import verify
from releases.models import Release
from releases.selectors.releases import folder_of
from releases.services import drafts, publication
from releases.services.builds import BUILDS
from tests.annotation import judged, make
from tests.annotation.pages import HTMX, client_of, signed_in
from tests.evaluation.asking import MODELS, address, evaluated, theirs

SOURCE = "In {year} the old miller bought green apples while a young farmer sold red pears."
PARAPHRASE = "The old miller bought green apples in {year}, while a young farmer sold red pears."
SWAPPED = "In {year} the young farmer bought red pears while an old miller sold green apples."
SENT = {"experiments": ["plain"], **MODELS}


def test_a_manager_asks_on_the_page_and_finds_tables_and_files_there(release, manager):
    client = signed_in(manager)
    home = address("evaluation", release)
    assert home in client.get(address("release", release)).text
    assert client.post(address("request_evaluation", release), SENT).url == home
    progress = client.get(address("evaluation_progress", release), headers=HTMX)
    assert "Waiting for a worker" in progress.text
    before = sorted(folder_of(release).rglob("*"))
    assert services.evaluate_next()
    over = client.get(address("evaluation_progress", release), headers=HTMX)
    assert over.headers["HX-Retarget"] == over.headers["HX-Reselect"] == "#evaluation"
    shown = client.get(home).text
    assert "overlap" in over.text
    assert "chance in their choice moves an accuracy or AUC-PR by up to about 31.0 points" in shown
    assert "Accuracy by method" in shown
    readme = client.get(address("evaluation_file", release, "README.md"))
    assert b"Models on test" in b"".join(readme)
    assert sorted(folder_of(release).rglob("*")) == before
    assert not [*verify(folder_of(release))]


def test_the_page_of_the_release_says_how_hard_it_is_for_models(release, manager):
    client = signed_in(manager)
    assert "Not measured yet." in client.get(address("release", release)).text
    client.post(address("request_evaluation", release), SENT)
    assert "It is being measured." in client.get(address("release", release)).text
    assert services.evaluate_next()
    reply = client.get(address("release", release))
    hardness = reply.context["hardness"]
    assert {entry.model for _, entry in hardness["lines"]} == {"never", "overlap"}
    assert hardness["is_small"]
    chance = reply.text.index("Chance alone moves these figures by about 31 points")
    assert chance < reply.text.index("overlap: shared words and their order")


def test_the_page_of_the_release_warns_of_a_shape_that_gives_labels_away(release, manager):
    client = signed_in(manager)
    evaluated(release)
    shown = client.get(address("evaluation", release))
    assert {rule["rule"] for rule in shown.context["shape"]["rules"]} >= {"rotation", "tree"}
    file = companion_of(release) / "evaluation.json"
    evaluation = json.loads(file.read_text())
    for verdict, said in (
        ("unreadable", "<p>Not readable from its shape"),
        ("readable", '<p class="problem">This set is readable from its shape'),
    ):
        evaluation["experiments"]["shape"]["figures"]["verdict"] = verdict
        file.write_text(json.dumps(evaluation))
        assert said in client.get(address("release", release)).text


def test_several_questions_are_answered_in_turn_and_each_shows_its_results(release, manager):
    client = signed_in(manager)
    offered = client.get(address("evaluation", release)).context["form"]["experiments"].value()
    client.post(address("request_evaluation", release), MODELS | {"experiments": offered})
    progress = address("evaluation_progress", release) + "?open=2"
    shown = client.get(progress, headers=HTMX)
    assert [each["row"].experiment for each in shown.context["open"]] == ["plain", "curve"]
    assert "hx-retarget" not in shown.headers
    assert services.evaluate_next()
    shown = client.get(progress, headers=HTMX)
    assert shown.headers["HX-Retarget"] == "#evaluation"
    assert [each["row"].experiment for each in shown.context["open"]] == ["curve"]
    assert shown.context["lines"]
    assert services.evaluate_next()
    assert client.get(address("evaluation", release)).context["curve"]


def test_if_one_question_cannot_be_answered_none_is_requested(release, manager):
    Release.objects.filter(pk=release.pk).update(manifest=release.manifest | {"language": "de"})
    sent = MODELS | {"experiments": ["plain", "ranking"]}
    client = signed_in(manager)
    reply = client.post(address("request_evaluation", release), sent, follow=True)
    assert "only English releases are ranked" in reply.text
    assert not Evaluation.objects.exists()


def test_an_evaluation_is_deleted_with_its_release_and_its_page_says_so(release, manager):
    evaluated(release)
    assert companion_of(release).exists()
    publication.withdraw(release, by=manager, reason="It was not free.")
    assert not any(folder.exists() for folder in folders_of(release))
    client = signed_in(manager)
    pages = [address("evaluation_file", release, "README.md")]
    pages += [address(name, release) for name in ("evaluation", "predictions")]
    for at in pages:
        gone = client.get(at)
        assert gone.status_code == 410
        assert "It was not free." in gone.text
    for name in ("bring_predictions", "remove_predictions"):
        assert client.post(address(name, release)).status_code == 410
    assert client.get(address("evaluation_progress", release), headers=HTMX).headers["HX-Refresh"]


def test_the_curve_says_whether_more_pairs_would_help(release, manager):
    evaluated(release, experiment="curve")
    shown = signed_in(manager).get(address("evaluation", release)).text
    assert "reached an AUC-PR of" in shown
    assert address("evaluation_file", release, "curve.svg") in shown


def test_a_damaged_folder_is_said_on_the_page(release, manager):
    evaluated(release)
    (companion_of(release) / "evaluation.json").write_text("{")
    assert (
        "evaluation.json is damaged" in signed_in(manager).get(address("evaluation", release)).text
    )


@pytest.mark.parametrize("path", ["../1.0/manifest.json", "nothing.txt", "/etc/hostname"])
def test_no_other_file_is_sent(release, manager, path):
    evaluated(release)
    base = address("evaluation_file", release, "README.md").removesuffix("README.md")
    assert signed_in(manager).get(base + path).status_code == 404


def test_whoever_downloads_a_file_of_an_evaluation_is_on_record(release, manager):
    folder = companion_of(release)
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("Models")
    reply = signed_in(manager).get(address("evaluation_file", release, "README.md"))
    assert b"".join(reply) == b"Models"
    entry = AuditEntry.objects.get(act=Act.RELEASE_DOWNLOADED)
    assert (entry.by, entry.details) == (manager, {"file": "evaluation/README.md"})


def test_without_torch_the_page_offers_what_needs_none(release, manager, monkeypatch):
    monkeypatch.setattr("evaluation.views.find_spec", lambda name: None)
    monkeypatch.setattr(models_by_name, "find_spec", lambda name: None)
    shown = signed_in(manager).get(address("evaluation", release)).text
    assert 'value="bow"' in shown
    assert 'value="esim"' not in shown
    assert "Neural models need torch on the server. Ask an administrator" in shown
    with pytest.raises(Refused, match=r"pip install -r requirements-neural\.txt"):
        services.request(release, by=manager, experiment="plain", model_names=["esim"])


def test_rest_has_the_leaderboard_with_the_best_first(release, manager):
    client, at = signed_in(manager), reverse("api_release_evaluation", args=[release.public_id])
    before = client.get(at).json()
    assert (before["test"], before["dev"]) == ([], [])
    evaluated(release, model_names=["never"])
    client.post(address("bring_predictions", release), theirs(release))
    found = client.get(at).json()
    assert [(each["model"], each["brought"], each["seeds"]) for each in found["test"]] == [
        ("Theirs", True, None),
        ("never", False, 2),
    ]
    assert found["test"][0]["accuracy"] == {"mean": 0.5, "low": 0.5, "high": 0.5}
    assert [each["model"] for each in found["dev"]] == ["never"]


@pytest.fixture
def ranked(db, release):
    """A release whose test set has paraphrases with three kinds of words to exchange."""
    study = make.study()
    for label, wording, first in ((1, PARAPHRASE, 1900), (0, SWAPPED, 1950)):
        years = range(first, first + 12)
        texts = [(SOURCE.format(year=year), wording.format(year=year)) for year in years]
        make.candidates(study, texts, method=Method.BACK_TRANSLATION)
        judged.all_that_is_open(study, [label] * 5)
    draft = drafts.create_draft(study, version="1.0", dev=6, test=8, unlabeled_dev=0)
    drafts.queue_draft(draft)
    assert BUILDS.do_next()
    return Release.objects.get(pk=draft.pk)


def test_a_ranking_is_asked_for_on_the_page_and_its_groups_can_be_fetched(ranked):
    client = client_of(ranked.project)
    client.post(address("request_evaluation", ranked), MODELS | {"experiments": ["ranking"]})
    assert services.evaluate_next(), Evaluation.objects.get().failure
    shown = client.get(address("evaluation", ranked))
    lines = {each["scorer"]: each for each in shown.context["ranking"]["lines"]}
    assert {*lines} == {"jaccard", "cosine", "bigrams", "order", "vectors", "never", "overlap"}
    assert lines["jaccard"]["r_precision"]["value"] == lines["never"]["spearman"]["value"] == 0
    assert lines["overlap"]["is_model"]
    assert address("evaluation_file", ranked, "ranking/groups.jsonl") in shown.text
    assert "## Ranking of partial paraphrases" in (companion_of(ranked) / "README.md").read_text()
    made = companion_of(ranked) / "ranking"
    call_command("verify_release", made, source=folder_of(ranked))
    assert not [*verify(folder_of(ranked))]
    evaluated(ranked)
    assert made.is_dir()
