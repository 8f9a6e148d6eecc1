"""Starting runs in the admin, for a project."""

from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotation.models import Project
from generation import tasks
from generation.models import Corpus, GenerationRun
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client


def start(client: Client, project: Project, *corpora: Corpus, **changes: Any) -> Any:
    filled = {
        "corpora": [corpus.pk for corpus in corpora],
        "method": "word_swap",
        "settings": "{}",
        "seed": "3",
    }
    address = reverse("admin:annotation_project_generate", args=[project.pk])
    return client.post(address, filled | changes)


def test_a_run_is_started_and_its_page_shown(
    root: Client, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    wake = Mock()
    monkeypatch.setattr(tasks, "wake", wake)

    reply = start(root, project, fake.corpus(30), settings='{"seconds": 0.5}', preview="on")

    run = GenerationRun.objects.get()
    assert reply["Location"] == reverse("admin:generation_generationrun_change", args=[run.pk])
    assert (run.seed, run.preview, run.settings["seconds"]) == (3, True, 0.5)
    assert run.started_by == User.objects.get(username="root")
    assert list(project.runs.all()) == [run]
    wake.assert_called_once_with(run.pk)


def test_several_corpora_get_a_run_each(root: Client, project: Project) -> None:
    reply = start(root, project, fake.corpus(3, "One"), fake.corpus(3, "Two"))

    assert reply["Location"] == reverse("admin:generation_generationrun_changelist")
    assert set(project.runs.values_list("corpus__name", flat=True)) == {"One", "Two"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"corpora": []}, "This field is required."),
        ({"method": "imported"}, "is not one of the available choices"),
        ({"settings": '{"beem": 3}'}, "Unknown: beem."),
        ({"settings": "[]"}, "Settings are a JSON object"),
        ({"settings": "{"}, "This is not JSON"),
        ({"settings": '{"model": "\\ud800"}'}, "half of a surrogate pair"),
        ({"settings": f"{'[' * 30_000}{']' * 30_000}"}, "nested too deeply"),
        ({"settings": '{"model": "absent"}'}, "The model is missing."),
        ({"seed": "-1"}, "greater than or equal to 0"),
        ({"seed": "9" * 40}, "less than or equal to"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_started(
    root: Client, project: Project, changes: dict[str, Any], said: str
) -> None:
    reply = start(root, project, fake.corpus(3), **changes)

    assert reply.status_code == 200
    assert said in reply.content.decode()
    assert "Nothing was started" in reply.content.decode()
    assert not GenerationRun.objects.exists()


def test_when_one_corpus_cannot_be_rewritten_none_is(root: Client, project: Project) -> None:
    reply = start(root, project, fake.corpus(3), Corpus.objects.create(name="Empty"))

    assert "holds no sentences to rewrite" in reply.content.decode()
    assert not GenerationRun.objects.exists()


@pytest.mark.parametrize(
    ("rights", "status"),
    [
        (["change_project", "view_project"], 403),
        (["add_generationrun"], 403),
        (["change_project", "add_generationrun"], 200),
    ],
)
def test_who_starts_runs_may_change_projects_and_make_runs(
    client: Client, project: Project, rights: list[str], status: int
) -> None:
    helper = User.objects.create_user("helper", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client.force_login(helper)

    address = reverse("admin:annotation_project_generate", args=[project.pk])
    assert client.get(address).status_code == status


def test_the_project_links_there_for_whoever_may(root: Client, project: Project) -> None:
    page = root.get(reverse("admin:annotation_project_change", args=[project.pk]))

    assert reverse("admin:annotation_project_generate", args=[project.pk]) in page.content.decode()
    add = root.get(reverse("admin:annotation_project_add"))
    assert "Start generation" not in add.content.decode()


def test_there_is_no_page_for_a_project_that_is_not_there(root: Client) -> None:
    address = reverse("admin:annotation_project_generate", args=[0])
    assert root.get(address).status_code == 404
