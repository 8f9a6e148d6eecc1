"""Predictions that a manager uploads on the page of an evaluation, or removes there."""

from django.core.files.base import ContentFile

from evaluation import services
from evaluation.selectors import companion_of
from evaluation.views import MOST_BYTES
from releases.dataset.verification import verify
from releases.selectors.releases import folder_of
from releases.services import publication
from tests.annotation import make
from tests.annotation.pages import page, signed_in
from tests.evaluation.asking import address, evaluated, theirs
from tests.releases.dataset.studies import contents


def board_of(client, release):
    return [line.entry for line in client.get(address("evaluation", release)).context["lines"]]


def test_uploaded_predictions_are_on_the_leaderboard_and_can_be_fetched(release, manager):
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


def test_a_file_that_cannot_be_scored_is_refused_line_by_line_and_changes_nothing(release, manager):
    client, at = signed_in(manager), address("bring_predictions", release)
    client.post(at, theirs(release))
    before = contents(companion_of(release))
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
    assert contents(companion_of(release)) == before
    assert client.post(at, theirs(release, label="0") | {"replaces": "on"}).status_code == 302
    [entry] = board_of(client, release)
    assert entry.recall.mean == 0


def test_a_release_withdrawn_meanwhile_takes_no_predictions(release, manager, monkeypatch):
    read = services.read_dataset

    def withdrawn_meanwhile(folder):
        dataset = read(folder)
        publication.withdraw(release, by=manager, reason="It was not free.")
        return dataset

    monkeypatch.setattr(services, "read_dataset", withdrawn_meanwhile)
    reply = signed_in(manager).post(address("bring_predictions", release), theirs(release))
    assert "The release was withdrawn." in reply.text
    assert not companion_of(release).exists()
