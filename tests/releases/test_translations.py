"""Translation studies are created from a frozen release: page, REST, report."""

from io import StringIO

import pytest
from django.core.management import call_command

from annotation.errors import Refused
from annotation.imports.services import corpora
from annotation.models import Project, Role
from annotation.pairs.labelled_lines import GoldPair
from annotation.quality.services import gold_pairs, qualification
from releases import services as releases
from releases.services import translations
from tests.annotation import judged, make, translating
from tests.annotation.views.pages import page, signed_in

pytestmark = pytest.mark.django_db
FORM = {"name": "Rivers in German", "language": "de", "validated_share": "0.5", "seed": "3"}


@pytest.fixture
def release():
    """Twenty pairs, half of them paraphrases, all in dev and test."""
    project = make.study()
    experts = judged.people(project, 5)
    judged.pairs(project, [[1] * 5, [0] * 5] * 10, by=experts)
    return releases.freeze(project, version="1.0", dev=0.4, test=0.4)


@pytest.fixture
def manager(release):
    member = make.person(release.project, role=Role.MANAGER)
    member.user.may_create_projects = True
    member.user.save()
    return signed_in(member.user)


def test_a_form_on_the_release_creates_the_study_which_the_release_then_lists(release, manager):
    at = page("translate_release", release.project, release.public_id)
    assert "German (de)" in manager.get(at).content.decode()
    for wrong in ({"language": "Deutsch!"}, {"language": "en"}, {"name": release.project.name}):
        assert manager.post(at, FORM | wrong).status_code == 422, wrong
    assert manager.post(at, FORM).status_code == 302
    made = Project.objects.get(name=FORM["name"])
    assert (made.kinds, made.seed) == (["translate", "validate"], 3)
    assert (made.translation_plan.language, made.translation_plan.validated_share) == ("de", 0.5)
    shown = manager.get(page("release", release.project, release.public_id)).content.decode()
    assert page("translations", made) in shown
    assert "Invite translators" in manager.get(page("overview", made)).content.decode()


def test_rest_creates_a_study_reads_its_figures_and_delivers_it(release, manager):
    at = f"/api/projects/{release.project.public_id}/translations/"
    sent = {"release": str(release.public_id), "name": "Rivers", "language": "de", "dev": 4}
    made = manager.post(at, sent, content_type="application/json")
    assert made.status_code == 201, made.content
    project = Project.objects.get(name="Rivers")
    assert made.json()["project"] == str(project.public_id)
    twice = manager.post(at, sent | {"seed": 1}, content_type="application/json")
    assert twice.json()["errors"][0]["attr"] == "name"
    delivery = f"/api/projects/{project.public_id}/translations/delivery/"
    refused = manager.post(delivery)
    assert (refused.status_code, "not translated yet" in refused.content.decode()) == (409, True)
    for _ in range(6):
        make.person(project)
    translating.translate_all(project)
    translating.validate_all(project)
    assert manager.post(delivery).json()["corpus"] == "Rivers (de)"
    [found] = manager.get(at).json()
    assert found["done"]["sentences"] == found["all"]["sentences"] > 0
    assert (found["missing"], found["word_error_rate"]["rate"]) == ([], 0.0)


def test_whatever_only_a_study_of_judgments_can_use_is_refused(release):
    project = translations.create(release, name="Rivers", language="de")
    run = release.project.runs.get()
    boss = make.person(project, role=Role.MANAGER).user
    pair = GoldPair("A bird sang.", "A bird sings.", 1)
    for act in (
        lambda: corpora.add(project, run.corpus, by=boss),
        lambda: gold_pairs.add(project, [pair]),
        lambda: qualification.add(project, [pair]),
    ):
        with pytest.raises(Refused, match=r"translates the sentences|No one judges"):
            act()


def test_the_report_has_the_counts_of_pairs_with_both_sentences_translated(release):
    project = translations.create(release, name="Rivers", language="de")
    for _ in range(6):
        make.person(project)
    translating.translate_all(project)
    out = StringIO()
    call_command("report", project=project.name, stdout=out)
    lines = [line.split() for line in out.getvalue().splitlines()]
    [test] = [line for line in lines if line[:1] == ["test"]]
    assert test[1] == test[2] != "0"
    call_command("report", project=project.name, json=True, stdout=out)
