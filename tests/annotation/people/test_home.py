"""Home: a row for each project that a person manages, and their own work."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from annotation.projects.labels import GRADES
from common.demonstration import FINISHED_STUDY, OPEN_STUDY
from generation.models import Corpus
from generation.readers import Row
from generation.services.sentences import import_sentences
from support.studies import freeze_version
from tests.annotation import judged, make
from tests.annotation.pages import HTMX, page, signed_in, statements

pytestmark = pytest.mark.django_db
HOME = "/"


@pytest.fixture
def manager(project):
    return make.person(project, role="manager").user


def add_projects(user, number):
    for _ in range(number):
        study = make.study()
        make.person(study, role="annotator")
        judged.pairs(study, [[1] * 5, [1, 1, 1, 0, 0], [1]], by=judged.people(study, 5))
        make.candidates(study, [("Ada saw Bo.", "Bo saw Ada.")])
        for project in (study, make.study()):  # the other one has no answers yet
            project.memberships.create(user=user, role="manager")


def rows_of(user):
    return signed_in(user).get(HOME).context["rows"]


def test_twenty_one_projects_take_as_many_statements_as_three(manager):
    client = signed_in(manager)
    add_projects(manager, 1)
    few = statements(client, HOME)
    add_projects(manager, 9)
    assert len(client.get(HOME).context["rows"]) == 21
    assert statements(client, HOME) == few


def test_a_row_says_what_is_kept_and_what_is_left(project, manager):
    judged.pairs(project, [[1] * 5, [1, 1, 1, 0, 0], [1]], by=judged.people(project, 5))
    make.candidates(project, [("Ada saw Bo.", "Bo saw Ada.")])
    [row] = rows_of(manager)
    assert row.progress == ["1 kept", "1 being judged", "1 to correct", "1 too few agree"]
    assert [(part.colour, part.width) for part in row.bar] == [
        ("done", "25.00%"),
        ("doing", "25.00%"),
        ("lost", "25.00%"),
    ]


def test_the_bar_of_a_project_where_nothing_is_graded_is_empty(project, manager):
    project.scheme = GRADES
    project.save()
    judged.pairs(project, [[]], by=[])
    [row] = rows_of(manager)
    assert row.progress == ["0 of 1 graded"]
    assert row.bar == ()


def test_a_project_of_last_week_says_the_day_of_its_creation(project, manager):
    project.created_at = timezone.now().replace(month=11, day=9) - timedelta(days=365)
    project.save()
    [row] = rows_of(manager)
    assert row.facts[-1] == f"created November {project.created_at.year}"


def test_figures_of_one_project_are_not_those_of_another(project, manager):
    judged.pairs(project, [[1] * 5] * 3, by=judged.people(project, 5))
    add_projects(manager, 1)
    kept = {row.member.project_id: row.progress[0] for row in rows_of(manager)}
    assert kept.pop(project.pk) == "3 kept"
    assert sorted(kept.values()) == ["0 sentences", "1 kept"]


def test_a_young_study_leads_to_its_next_step(project, manager):
    [row] = rows_of(manager)
    assert [chip.words for chip in row.chips] == ["Step 1 of 4"]
    assert row.next.text == "Add sentences."


def test_a_young_study_in_another_language_is_led_to_finished_pairs(project, manager):
    corpus = Corpus.objects.create(name="Flüsse", language="de")
    import_sentences([Row(1, "Der Fluss ist lang.")], corpus=corpus)
    project.corpora.add(corpus)
    steps = signed_in(manager).get(page("overview", project)).context["steps"]
    [step] = [step for step in steps if step.is_now]
    assert (step.page, step.other_page) == (page("data", project), page("new_run", project))
    assert "No method rewrites sentences in German" in step.text


def test_a_finished_study_is_ready_to_be_released(project, manager):
    judged.pairs(project, [[1] * 5], by=judged.people(project, 5))
    [row] = rows_of(manager)
    assert [chip.words for chip in row.chips] == ["All done"]
    assert row.next.text == "All is judged: draft a release."


def test_a_release_that_is_withdrawn_leads_to_a_new_draft(project, manager):
    judged.pairs(project, [[1] * 5], by=judged.people(project, 5))
    for version in ("1.0", "1.1"):
        freeze_version(project, version=version, dev=0, test=0)
    gone = {"state": "withdrawn", "withdrawn_at": timezone.now()}
    project.releases.filter(version="1.1").update(**gone)
    [row] = rows_of(manager)
    assert [chip.words for chip in row.chips] == ["1.0 released"]
    project.releases.update(**gone)
    [row] = rows_of(manager)
    assert [chip.words for chip in row.chips] == ["1.1 withdrawn"]
    assert row.next.address == page("draft_release", project)
    overview = signed_in(manager).get(page("overview", project)).context
    assert overview["next_step"]["address"] == page("draft_release", project)


def test_the_project_with_the_last_answer_comes_first(project, manager):
    add_projects(manager, 2)
    at = timezone.now() + timedelta(minutes=1)
    judged.pairs(project, [[1]], by=judged.people(project, 1), at=at)
    assert rows_of(manager)[0].member.project_id == project.pk


def test_a_manager_who_also_judges_finds_the_work(project, manager):
    member = project.memberships.get(user=manager)
    member.duties.update_or_create(kind="judge", defaults={"allowed": True})
    make.pairs(project, 3)
    [task] = signed_in(manager).get(HOME).context["works"]
    assert (task.kind, task.waiting) == ("judge", 3)


def newcomer():
    return User.objects.create_user("newcomer", may_create_projects=True)


def test_a_newcomer_is_told_the_story_until_they_hide_it():
    client = signed_in(newcomer())
    assert "From a sentence to a dataset" in client.get(HOME).text
    hidden = client.post("/accounts/story/hide/", follow=True)
    assert "From a sentence to a dataset" not in hidden.text
    assert "You have no projects" in hidden.text


def test_the_story_leads_to_the_demonstration_where_there_is_one():
    user = newcomer()
    client = signed_in(user)
    assert "Try it: judge 5 pairs" not in client.get(HOME).text
    studies = {name: make.study() for name in (OPEN_STUDY, FINISHED_STUDY)}
    for name, study in studies.items():
        study.name = name
        study.save()
        study.memberships.create(user=user, role="manager").duties.create(kind="judge")
    text = client.get(HOME).text
    for address in (
        page("work", studies[OPEN_STUDY], "judge"),
        page("overview", studies[FINISHED_STUDY]),
    ):
        assert f'href="{address}">' in text.partition("</section>")[0]
        assert client.get(address).status_code == 200


def test_the_trial_ends_after_five_pairs_with_the_study_that_they_belong_to():
    study, user = make.study(), newcomer()
    study.name = OPEN_STUDY
    study.save()
    make.pairs(study, 7)
    member = study.memberships.create(user=user, role="manager", welcomed_at=timezone.now())
    duty = member.duties.create(kind="judge")
    client, work = signed_in(user), page("work", study, "judge")
    overview = page("overview", study)

    def judge_one():
        answer = {"item": client.get(work).context["item"].id, "label": "1"}
        return client.post(work, answer, headers=HTMX).headers.get("HX-Redirect")

    assert [judge_one() for _ in range(5)] == [None] * 4 + [overview]
    assert "you have judged 5 pairs" in client.get(overview).text
    assert "Try it: judge 5 pairs" not in client.get(HOME).text
    assert (judge_one(), duty.total) == (None, 6)


def test_who_has_a_project_of_their_own_is_told_no_story(project, manager):
    assert "From a sentence to a dataset" not in signed_in(manager).get(HOME).text
