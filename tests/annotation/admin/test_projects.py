"""Projects in the admin: settings that hold together, and what may change when."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from accounts.models import User
from annotation.known_lines import KnownPair
from annotation.models import Membership, Project, QualificationPair, SentencePair
from annotation.services import known_pairs
from tests.annotation import cast
from tests.annotation.admin.pages import act, page
from tests.annotation.filled import Filled


def test_a_crowd_does_not_stand_on_the_page_of_its_project(study: Filled, root: Client) -> None:
    people = User.objects.bulk_create(User(username=f"crowd-{n}") for n in range(100))
    address = page(Project, "change", study.project.pk)
    assert root.get(address).context["inline_admin_formsets"]

    Membership.objects.bulk_create(Membership(project=study.project, user=user) for user in people)

    assert not root.get(address).context["inline_admin_formsets"]


def test_a_project_counts_what_it_holds(study: Filled, root: Client) -> None:
    assert "4 of 5, labels 0–1" in root.get(page(Project, "changelist")).text
    text = root.get(page(Project, "change", study.project.pk)).text
    assert "1 decided, 1 kept" in text


Form = dict[str, Any]


@pytest.fixture
def send(root: Client) -> Callable[..., Any]:
    """Send a project's form as the browser would, with some fields changed."""

    def send(project: Project, **changes: Any) -> Any:
        address = page(Project, "change", project.pk)
        shown = root.get(address).context["adminform"].form
        form: Form = {name: value for name, value in shown.initial.items() if name in shown.fields}
        form |= {"runs": [run.pk for run in form.get("runs", [])]}
        people = {"memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0}
        kept = {name: value for name, value in (form | changes).items() if value is not None}
        return root.post(address, kept | people)

    return send


def test_a_protocol_can_be_changed_until_there_are_pairs(send: Callable[..., Any]) -> None:
    project = cast.study()

    send(project, judgments_per_pair=3, consensus_min_votes=2)

    project.refresh_from_db()
    assert (project.judgments_per_pair, project.consensus_min_votes) == (3, 2)


def test_a_protocol_stands_once_there_are_pairs(study: Filled, send: Callable[..., Any]) -> None:
    send(study.project, judgments_per_pair=3, seed=9, corrected_methods=[], lease_minutes=5)

    study.project.refresh_from_db()
    assert study.project.lease_minutes == 5
    assert (study.project.judgments_per_pair, study.project.seed) == (5, 0)
    assert study.project.corrected_methods == ["word_swap"]


def test_a_protocol_that_contradicts_itself_is_refused(send: Callable[..., Any]) -> None:
    response = send(cast.study(), judgments_per_pair=3, consensus_min_votes=4)

    assert response.status_code == 200
    assert response.context["adminform"].form.errors


def test_a_run_that_has_entered_a_project_cannot_be_taken_out(
    study: Filled, send: Callable[..., Any]
) -> None:
    response = send(study.project, runs=[])

    assert "runs" in response.context["adminform"].form.errors
    assert study.project.runs.count() == 2


def test_a_consent_text_keeps_the_date_of_its_last_change(send: Callable[..., Any]) -> None:
    project = cast.study()
    send(project, consent="I agree.")
    project.refresh_from_db()
    first = project.consent_changed_at
    assert first is not None

    send(project, pass_mark=90)
    project.refresh_from_db()
    assert project.consent_changed_at == first

    send(project, consent="I agree\r\nto all.")
    project.refresh_from_db()
    assert project.consent_changed_at > first
    assert project.consent == "I agree\nto all."

    send(project, consent="")
    project.refresh_from_db()
    assert project.consent_changed_at is None


def test_the_qualification_set_binds_the_admin_too(send: Callable[..., Any]) -> None:
    project = cast.study(max_label=3)
    response = send(project, asks_qualification="on")
    assert "asks_qualification" in response.context["adminform"].form.errors

    QualificationPair.objects.create(
        project=project, position=1, sentence1="A", sentence2="B", label=3
    )
    response = send(project, max_label=2)
    assert "max_label" in response.context["adminform"].form.errors


def test_projects_are_closed_and_opened_together_and_on_record(study: Filled, root: Client) -> None:
    other = cast.study()
    act(root, "close_projects", study.project, other)
    assert not Project.objects.filter(is_open=True).exists()
    assert LogEntry.objects.filter(user__username="root").count() == 2

    act(root, "open_projects", other)
    assert list(Project.objects.filter(is_open=True)) == [other]


def test_a_new_project_with_a_consent_text_has_its_date(root: Client) -> None:
    shown = root.get(page(Project, "add")).context["adminform"].form
    form: Form = {name: shown[name].value() for name in shown.fields}
    form |= {"name": "New", "consent": "I agree.", "asks_qualification": None}
    form |= {"memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0}
    sent = {name: value for name, value in form.items() if value is not None}

    root.post(page(Project, "add"), sent)

    assert Project.objects.get(name="New").consent_changed_at is not None


def test_a_run_of_hidden_pairs_enters_no_project(send: Callable[..., Any]) -> None:
    project = cast.study()
    lines = [KnownPair("Ada saw Bo.", "Bo saw Ada.", 0)]
    known_pairs.add(project, lines)
    hidden = SentencePair.objects.get(project=project).candidate.run

    response = send(project, runs=[hidden.pk])

    assert "hidden pairs" in str(response.context["adminform"].form.errors["runs"])
