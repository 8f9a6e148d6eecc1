"""Evaluations that people ask for on the page of a release, and that a worker makes."""

from shlex import split

import pytest
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from annotation.errors import Refused
from common import leases
from common.outages import Retry
from evaluation import models_by_name, services
from evaluation.forms import MOST_BYTES
from evaluation.models import Evaluation
from evaluation.selectors import companion_of, folders_of
from generation.models import Method
from releases import services as releases
from releases.dataset.verification import verify
from releases.models import Release
from releases.selectors.releases import folder_of
from tests.annotation import judged, make
from tests.annotation.views.pages import HTMX, client_of, page, signed_in
from tests.evaluation.small import Memory

SOURCE = "In {year} the old miller bought green apples while a young farmer sold red pears."
PARAPHRASE = "The old miller bought green apples in {year}, while a young farmer sold red pears."
SWAPPED = "In {year} the young farmer bought red pears while an old miller sold green apples."
SAME, OTHER = [1] * 5, [0] * 5
MODELS = {"names": ["never", "overlap"], "seeds": 2}
ASKED = {"experiment": "plain", **MODELS}
SENT = {"experiments": ["plain"], **MODELS}


@pytest.fixture(scope="module")
def project(module_db):
    """Forty pairs, half of them paraphrases by everybody's answer."""
    project = make.study()
    judged.pairs(project, [SAME, OTHER] * 20, by=judged.people(project, 5))
    return project


@pytest.fixture
def release(db, project, settings, tmp_path, monkeypatch):
    settings.RELEASES_DIR = tmp_path / "releases"
    # A test’s own transaction would keep the thread that renews the lease from writing.
    monkeypatch.setattr(leases, "BEAT_SECONDS", 600.0)
    draft = releases.draft(project, version="1.0", dev=10, test=10, unlabeled_dev=0)
    releases.queue(draft)
    assert releases.build_next()
    return Release.objects.get(pk=draft.pk)


@pytest.fixture
def manager(project):
    return make.person(project, role="manager").user


def address(name, release, *args):
    return page(name, release.project, release.public_id, *args)


def evaluated(release, **changes):
    services.request(release, by=None, **ASKED | changes)
    assert services.evaluate_next()
    return Evaluation.objects.get(release=release, experiment=(ASKED | changes)["experiment"])


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
    assert "chance in their choice moves an accuracy by up to 31.0 points" in shown
    assert "Accuracy by method" in shown
    readme = client.get(address("evaluation_file", release, "README.md"))
    assert b"Models on test" in b"".join(readme)
    assert sorted(folder_of(release).rglob("*")) == before
    assert not [*verify(folder_of(release))]


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


def test_the_page_of_a_withdrawn_release_says_so(release, manager):
    evaluated(release)
    releases.withdraw(release, by=manager, reason="It was not free.")
    client = signed_in(manager)
    for at in (address("evaluation", release), address("evaluation_file", release, "README.md")):
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


def theirs(release, *, label="1", leave_out=0, more=""):
    """A file of predictions with a label for each pair of the test set."""
    table = (folder_of(release) / "labeled_final/test.tsv").read_text().splitlines()
    ids = [row.partition("\t")[0] for row in table[1 + leave_out :]]
    content = "\n".join(["id\tlabel", *(f"{each}\t{label}" for each in ids)]) + more
    return {"name": "Theirs", "split": "test", "file": ContentFile(content, "theirs.tsv")}


def board_of(client, release):
    return [line.entry for line in client.get(address("evaluation", release)).context["lines"]]


def test_a_file_of_predictions_stands_beside_our_models_and_can_be_fetched(release, manager):
    evaluated(release)
    client, at = signed_in(manager), address("bring_predictions", release)
    sent = client.post(at, theirs(release, more="\n\n"))
    assert sent.url == address("evaluation", release) + "#main"
    found = {each.model: each for each in board_of(client, release)}
    assert found["Theirs"].is_brought
    assert found["Theirs"].accuracy == found["never"].accuracy
    reply = client.get(address("evaluation", release))
    divisions = {each["title"]: each for each in reply.context["divisions"]}
    kinds = divisions["Accuracy by kind of words that changed places"]
    assert sum(pairs for _, pairs, _ in kinds["rows"]) == 10
    for division in divisions.values():
        assert [each.model for each in division["models"]] == ["never", "overlap", "Theirs"]
    shown = reply.text
    for path in ("brought/test/Theirs.tsv", "predictions/never-1.tsv"):
        assert address("evaluation_file", release, path) in shown
    sent = client.get(address("evaluation_file", release, "brought/test/Theirs.tsv"))
    assert b"".join(sent).count(b"\n") == 11
    assert not [*verify(folder_of(release))]
    evaluated(release)
    assert "Theirs" in [each.model for each in board_of(client, release)]


def test_predictions_that_were_brought_are_removed_on_the_page(release, manager):
    client, at = signed_in(manager), address("remove_predictions", release)
    client.post(address("bring_predictions", release), theirs(release))
    assert at in client.get(address("evaluation", release)).text
    reader = make.person(release.project, role="researcher").user
    assert at not in signed_in(reader).get(address("evaluation", release)).text
    sent = {"name": "Theirs", "split": "test"}
    assert "predictions of Theirs were removed" in client.post(at, sent, follow=True).text
    assert board_of(client, release) == []
    assert not (companion_of(release) / "brought/test/Theirs.tsv").exists()
    assert "no predictions called “Theirs” on test" in client.post(at, sent, follow=True).text


def test_only_sets_that_a_release_has_are_offered_and_the_page_links_to_a_new_draft(
    release, manager
):
    release.manifest["files"]["labeled_final/dev.tsv"]["rows"] = 0
    release.save()
    client = signed_in(manager)
    reply = client.get(address("evaluation", release))
    assert "no pairs in its dev set" in reply.text
    assert page("draft_release", release.project) in reply.text
    assert [value for value, _ in reply.context["predictions"]["split"].field.choices] == ["test"]
    assert "labeled_final/test.tsv" in reply.text
    assert "labeled_final/dev.tsv" not in reply.text
    sent = theirs(release) | {"split": "dev"}
    assert client.post(address("bring_predictions", release), sent).status_code == 422


def test_rest_has_the_leaderboard_with_the_best_first(release, manager):
    client, at = signed_in(manager), reverse("api_release_evaluation", args=[release.public_id])
    before = client.get(at).json()
    assert (before["test"], before["dev"]) == ([], [])
    evaluated(release, names=["never"])
    client.post(address("bring_predictions", release), theirs(release))
    found = client.get(at).json()
    assert [(each["model"], each["brought"], each["seeds"]) for each in found["test"]] == [
        ("Theirs", True, None),
        ("never", False, 2),
    ]
    assert found["test"][0]["accuracy"] == {"mean": 0.5, "low": 0.5, "high": 0.5}
    assert [each["model"] for each in found["dev"]] == ["never"]


def test_a_file_that_cannot_be_scored_is_refused_line_by_line_and_changes_nothing(release, manager):
    client, at = signed_in(manager), address("bring_predictions", release)
    client.post(at, theirs(release))
    before = {path: path.read_bytes() for path in companion_of(release).rglob("*.*")}
    more = "\nnobody\t1"
    reply = client.post(at, theirs(release, leave_out=1, more=more, label="0"))
    assert reply.status_code == 422
    assert "Line 11: the set has no pair “nobody”. Remove this line." in reply.text
    assert "No line has the pair" in reply.text
    assert 'value="Theirs"' in reply.text
    taken = client.post(at, theirs(release, label="0"))
    assert "Choose another name, or replace them." in taken.text
    large = theirs(release) | {"file": ContentFile(b"x" * (MOST_BYTES + 1), "x.tsv")}
    assert "larger than 5 MB" in client.post(at, large).text
    for name in ("../theirs", "two words", ""):
        assert client.post(at, theirs(release) | {"name": name}).status_code == 422
    assert {path: path.read_bytes() for path in companion_of(release).rglob("*.*")} == before
    assert client.post(at, theirs(release, label="0") | {"replaces": "on"}).status_code == 302
    [entry] = board_of(client, release)
    assert entry.recall.mean == 0


def test_a_release_withdrawn_meanwhile_takes_no_predictions(release, manager, monkeypatch):
    read = services.read_dataset

    def withdrawn_meanwhile(folder):
        dataset = read(folder)
        releases.withdraw(release, by=manager, reason="It was not free.")
        return dataset

    monkeypatch.setattr(services, "read_dataset", withdrawn_meanwhile)
    reply = signed_in(manager).post(address("bring_predictions", release), theirs(release))
    assert "The release was withdrawn." in reply.text
    assert not companion_of(release).exists()


def test_a_damaged_folder_is_said_on_the_page(release, manager):
    evaluated(release)
    (companion_of(release) / "evaluation.json").write_text("{")
    assert (
        "evaluation.json is damaged" in signed_in(manager).get(address("evaluation", release)).text
    )


@pytest.fixture
def ranked(db, release):
    """A release whose test set has paraphrases with three kinds of words to exchange."""
    study = make.study()
    for label, wording, first in ((1, PARAPHRASE, 1900), (0, SWAPPED, 1950)):
        years = range(first, first + 12)
        texts = [(SOURCE.format(year=year), wording.format(year=year)) for year in years]
        make.candidates(study, texts, method=Method.BACK_TRANSLATION)
        judged.all_that_is_open(study, [label] * 5)
    draft = releases.draft(study, version="1.0", dev=6, test=8, unlabeled_dev=0)
    releases.queue(draft)
    assert releases.build_next()
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


@pytest.mark.parametrize(("changed", "message"), [("language", "English"), ("dev", "dev set")])
def test_what_no_worker_can_make_is_refused_at_once(release, manager, changed, message):
    if changed == "language":
        release.manifest["language"] = "de"
    else:
        release.manifest["files"]["labeled_final/dev.tsv"]["rows"] = 0
    with pytest.raises(Refused, match=message):
        services.request(release, by=manager, experiment="ranking", names=["never"])


@pytest.mark.parametrize("path", ["../1.0/manifest.json", "nothing.txt", "/etc/hostname"])
def test_no_other_file_is_sent(release, manager, path):
    evaluated(release)
    base = address("evaluation_file", release, "README.md").removesuffix("README.md")
    assert signed_in(manager).get(base + path).status_code == 404


def test_one_evaluation_of_a_kind_at_a_time_and_again_when_it_is_over(release):
    evaluated(release)
    row = services.request(release, by=None, **ASKED)
    with pytest.raises(Refused, match="already being evaluated"):
        services.request(release, by=None, **ASKED)
    services.cancel(row, by=None)
    assert not services.evaluate_next()
    assert Evaluation.objects.get().results is not None


@pytest.mark.parametrize("change", ["cancel", "withdraw"])
def test_what_is_cancelled_or_withdrawn_meanwhile_leaves_no_tables(
    release, manager, monkeypatch, caplog, change
):
    class Meanwhile(Memory):
        def fit(self, *arguments, **options):
            if change == "cancel":
                services.cancel(Evaluation.objects.get(), by=manager)
            else:
                releases.withdraw(release, by=manager, reason="It was not free.")
            return super().fit(*arguments, **options)

    monkeypatch.setattr(models_by_name, "model", lambda name, **_: Meanwhile())
    services.request(release, by=manager, **ASKED)
    assert not services.evaluate_next()
    assert not companion_of(release).exists()
    assert any(folder.exists() for folder in folders_of(release)) == (change == "cancel")
    assert Evaluation.objects.get().state == {"cancel": "cancelled", "withdraw": "failed"}[change]
    [line] = [each for each in caplog.records if each.name == "common.leases"]
    assert line.levelname == "WARNING"
    assert not line.exc_info


def test_a_changed_file_is_named_with_the_command_that_writes_it_again(release):
    with (folder_of(release) / "labeled_final/test.tsv").open("a") as file:
        file.write("new\tone\ttwo\t1\n")
    services.request(release, by=None, **ASKED)
    assert not services.evaluate_next()
    row = Evaluation.objects.get()
    assert row.state == Evaluation.State.FAILED
    assert "missing or changed: labeled_final/test.tsv" in row.failure
    command = row.failure.partition("manage.py ")[2]
    call_command(*split(command))
    evaluated(release)


def test_without_torch_the_page_offers_what_needs_none(release, manager, monkeypatch):
    monkeypatch.setattr("evaluation.forms.find_spec", lambda name: None)
    monkeypatch.setattr(models_by_name, "find_spec", lambda name: None)
    shown = signed_in(manager).get(address("evaluation", release)).text
    assert 'value="bow"' in shown
    assert 'value="esim"' not in shown
    assert "requirements-neural.txt" in shown
    with pytest.raises(Refused, match=r"pip install -r requirements-neural\.txt"):
        services.request(release, by=manager, experiment="plain", names=["esim"])


def test_what_a_dead_worker_had_is_taken_by_the_next_one(release):
    row = services.request(release, by=None, **ASKED)
    state = Evaluation.State.UNDER_WAY
    lapsed = timezone.now() - leases.LEASE
    Evaluation.objects.filter(pk=row.pk).update(state=state, attempts=1, lease_until=lapsed)
    assert services.evaluate_next()
    row.refresh_from_db()
    assert (row.state, row.attempts) == ("done", 2)


def test_a_worker_that_is_stopped_gives_its_evaluation_back_and_uses_up_no_attempt(release):
    row = services.request(release, by=None, **ASKED)
    stopped = Retry()
    stopped.stop.set()
    for _ in range(leases.MAX_ATTEMPTS):
        assert not services.evaluate_next(patience=stopped)
        row.refresh_from_db()
        assert (row.state, row.failure, row.attempts) == ("waiting", "", 0)
    assert services.evaluate_next()


def test_what_an_evaluation_wrote_is_deleted_with_its_release(release, manager):
    services.request(release, by=manager, **ASKED)
    assert services.evaluate_next()
    assert companion_of(release).exists()
    releases.withdraw(release, by=manager, reason="It was not free.")
    assert not any(folder.exists() for folder in folders_of(release))
