"""Starting runs in the admin, for a project."""

from unittest.mock import Mock

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from accounts.models import User
from generation import tasks
from generation.models import Corpus, GenerationRun
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


@pytest.fixture
def root(client):
    client.force_login(User.objects.create_superuser("root"))
    return client


def page_of(project):
    return reverse("admin:annotation_project_generate", args=[project.pk])


def start(client, project, *corpora, **changes):
    filled = {"corpora": [each.pk for each in corpora], "method": "word_swap", "seed": "3"}
    return client.post(page_of(project), filled | {"settings": "{}"} | changes)


def test_a_run_is_started_and_its_page_shown(root, project, monkeypatch):
    wake = Mock()
    monkeypatch.setattr(tasks, "wake", wake)
    reply = start(root, project, fake.corpus(30), settings='{"seconds": 0.5}', preview="on")
    run = GenerationRun.objects.get()
    assert reply["Location"] == reverse("admin:generation_generationrun_change", args=[run.pk])
    assert (run.seed, run.preview, run.settings["seconds"]) == (3, True, 0.5)
    assert run.started_by == User.objects.get(username="root")
    assert list(project.runs.all()) == [run]
    wake.assert_called_once_with(run.pk)


def test_several_corpora_get_a_run_each(root, project):
    reply = start(root, project, fake.corpus(3, "One"), fake.corpus(3, "Two"))
    assert reply["Location"] == reverse("admin:generation_generationrun_changelist")
    assert set(project.runs.values_list("corpus__name", flat=True)) == {"One", "Two"}


def test_what_is_wrong_is_said_and_nothing_started(root, project, subtests):
    corpus, empty = fake.corpus(3), Corpus.objects.create(name="Empty")
    for message, changes in {
        "This field is required.": {"corpora": []},
        "is not one of the available choices": {"method": "imported"},
        "Unknown: beem.": {"settings": '{"beem": 3}'},
        "Settings are a JSON object": {"settings": "[]"},
        "This is not JSON": {"settings": "{"},
        "half of a surrogate pair": {"settings": '{"model": "\\ud800"}'},
        "nested too deeply": {"settings": f"{'[' * 30_000}{']' * 30_000}"},
        "The model is missing.": {"settings": '{"model": "absent"}'},
        "greater than or equal to 0": {"seed": "-1"},
        "less than or equal to": {"seed": "9" * 40},
        "holds no sentences to rewrite": {"corpora": [corpus.pk, empty.pk]},
    }.items():
        with subtests.test(message=message):
            page = start(root, project, corpus, **changes).content.decode()
            assert message in page
            assert "Nothing was started" in page
    assert not GenerationRun.objects.exists()


def test_runs_are_started_with_the_rights_to_change_projects_and_to_make_runs(client, project):
    helper = User.objects.create_user("helper", is_staff=True)
    client.force_login(helper)
    for rights, status in [
        (["change_project", "view_project"], 403),
        (["add_generationrun"], 403),
        (["change_project", "add_generationrun"], 200),
    ]:
        helper.user_permissions.set(Permission.objects.filter(codename__in=rights))
        assert client.get(page_of(project)).status_code == status, rights


def test_only_the_page_of_an_existing_project_links_there(root, project):
    page = root.get(reverse("admin:annotation_project_change", args=[project.pk]))
    assert page_of(project) in page.content.decode()
    add = root.get(reverse("admin:annotation_project_add"))
    assert "Start generation" not in add.content.decode()
    missing = reverse("admin:annotation_project_generate", args=[0])
    assert root.get(missing).status_code == 404
