"""Comparison studies: other people judge pairs of a release, and are scored by its labels."""

from io import StringIO

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from annotation.errors import Refused
from annotation.imports.services import corpora
from annotation.models import Import, Recusal, Role, Slot
from annotation.pairs.services import intake
from annotation.projects.services import projects
from annotation.quality.services import qualification
from annotation.runs import services as runs
from annotation.stats.binary import Confusion
from annotation.work.simulation import crowd, work
from releases.models import Comparison, Example, Release
from releases.selectors import comparisons as selectors
from releases.services import comparisons, drafts, publication
from support.studies import freeze_version
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page, rows_of, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
GRADES = [(3, 3, 2), (0, 1, 1), (2, 2, 1), (0, 0, 2)]
SIZES = {"sample": 4, "taught": 6, "people": 3, "seed": 5}


@pytest.fixture(scope="module")
def frozen(module_db):
    """Forty graded pairs, half of them paraphrases, of which ten are the test set."""
    project = make.study(
        protocol="parade",
        label_looks={"0": {"criterion": "Another concept."}},
        guidelines="Think of the concept.",
    )
    experts = judged.people(project, 3)
    judged.pairs(project, GRADES * 10, by=experts)
    return freeze_version(project, version="1.0", dev=0.1, test=0.25)


@pytest.fixture
def release(frozen):
    return Release.objects.get(pk=frozen.pk)


def compared(release, **changes):
    chosen = SIZES | changes
    return comparisons.create(release, name=chosen.pop("name", "Non-experts"), **chosen)


def newcomers(project, number=3):
    """People who have taken the qualification set, whatever they answered."""
    people = [make.person(project) for _ in range(number)]
    for person in people:
        qualification.begin(person)
        for pair in project.qualification_pairs.all():
            qualification.answer(person, pair=pair.public_id, label=0)
        person.refresh_from_db()
    return people


def answer(people, released, told):
    """Everyone judges everything; `told` gives the grade for a number of person and a label."""
    for number, person in enumerate(people):
        while (slot := make.claim(person)) is not None:
            label = released[slot.item.candidate_id]
            make.submit(person, item=slot.item.public_id, label=told(number, label), seconds=4.0)


def test_pairs_come_from_test_and_lessons_from_train_with_what_the_release_says(release):
    made = compared(release)
    project = made.project
    test = release.examples.filter(split="test").values_list("pair__candidate", flat=True)
    train = release.examples.filter(split="train", origin="judged")
    grades = {(each.sentence1, each.sentence2): each.grade for each in train}
    assert {*project.pairs.values_list("candidate", flat=True)} <= {*test}
    assert (project.pairs.count(), project.qualification_pairs.count()) == (4, 6)
    for lesson in project.qualification_pairs.all():
        assert lesson.label == grades[lesson.sentence1, lesson.sentence2]
    assert (project.scheme, project.judgments_per_pair) == (release.project.scheme, 3)
    assert project.consensus_min_votes == 2
    assert project.label_looks == release.project.label_looks
    assert project.guidelines == "Think of the concept."
    again = compared(release, name="Again").project
    drawn = [[*each.pairs.values_list("candidate", flat=True)] for each in (project, again)]
    assert drawn[0] == drawn[1]


def test_people_learn_whatever_they_answer_and_judge_like_any_other_pair(release):
    project = compared(release).project
    [person] = newcomers(project, 1)
    assert person.qualified_at is not None
    shown = make.turn(person).shown
    other = make.study(protocol="parade")
    make.pairs(other, 1)
    usual = make.turn(make.person(other)).shown
    assert type(shown) is type(usual)
    texts = Example.objects.filter(split="test").values_list("sentence1", "sentence2")
    assert any({*shown.sentences} == {*each} for each in texts)


def test_who_judged_a_pair_for_the_release_never_gets_it_again(release):
    project = compared(release, taught=0).project
    expert = Slot.objects.filter(project=release.project, label__isnull=False).first().annotator
    member = projects.add_member(project, expert, role=Role.ANNOTATOR)
    assert make.claim(member) is None
    assert Recusal.objects.filter(item__project=project, annotator=expert).count() == 4


def test_the_majority_and_each_person_are_scored_by_the_labels_of_the_release(release):
    made = compared(release, sample=10)
    labels = dict(release.examples.values_list("pair__candidate", "label"))
    positives = sum(each.label for each in selectors.draw_examples(release, ["test"], 10, seed=5))
    empty = selectors.comparison_results(made)
    assert (empty.pairs, empty.positives, empty.wanted) == (10, positives, 30)
    assert (empty.answers, empty.is_complete, empty.mean.accuracy) == (0, False, None)
    right, yes, wrong = (lambda label: 2 * label), (lambda _: 3), (lambda label: 2 - 2 * label)
    answer(newcomers(made.project), labels, lambda n, label: (right, yes, wrong)[n](label))
    found = selectors.comparison_results(made)
    assert [each.confusion for each in found.people] == [
        Confusion(tp=positives, tn=10 - positives),
        Confusion(tp=positives, fp=10 - positives),
        Confusion(fp=10 - positives, fn=positives),
    ]
    assert found.majority == Confusion(tp=positives, fp=10 - positives)
    assert found.mean.accuracy == pytest.approx((1 + positives / 10 + 0) / 3)
    assert (found.answers, found.decided, found.ties, found.is_complete) == (30, 10, 0, True)
    out = StringIO()
    call_command("report", project=made.project.name, stdout=out)
    assert f"Table 10: compared with {release}" in out.getvalue()


def test_what_cannot_be_compared_is_refused_with_the_reason(release):
    with pytest.raises(Refused, match="10 labelled pairs in test"):
        compared(release, sample=11)
    with pytest.raises(ValidationError, match="name"):
        compared(release, name=release.project.name)
    made = compared(release)
    with pytest.raises(ValueError, match="no releases"):
        drafts.create_draft(made.project, version="1.0")
    Example.objects.filter(release=release).update(grade=None)
    with pytest.raises(Refused, match="states no grades"):
        compared(release, name="Older")
    publication.withdraw(release, by=None, reason="A fault.")
    with pytest.raises(Refused, match="frozen"):
        compared(release, name="Withdrawn")


def test_the_command_creates_it_for_the_managers_of_the_release(release):
    boss = make.person(release.project, role=Role.MANAGER).user
    out = StringIO()
    sizes = {"sample": 4, "taught": 0, "stdout": out}
    call_command("create_comparison", release="1.0", **sizes)
    project = Comparison.objects.get().project
    assert project.name == f"{release}: non-experts"
    assert str(project.public_id) in out.getvalue()
    assert project.memberships.get(user=boss).role == Role.MANAGER
    assert not project.asks_qualification
    for _ in work(crowd(project, size=3, accuracy=0.9, seed=1)):
        pass
    assert selectors.comparison_results(selectors.comparison_of_project(project)).is_complete
    with pytest.raises(CommandError, match=r"no frozen release 2\.0; there are: 1\.0 of"):
        call_command("create_comparison", release="2.0", **sizes)
    with pytest.raises(CommandError, match="--taught: This release has"):
        call_command("create_comparison", release="1.0", taught=101, stdout=out)


def test_simulated_people_follow_the_labels_of_the_release(release):
    made = compared(release, sample=10, taught=0)
    for _ in work(crowd(made.project, size=3, accuracy=1.0, seed=1)):
        pass
    assert selectors.comparison_results(made).mean.accuracy == 1.0


def test_without_numbers_it_takes_the_pairs_that_there_are(release):
    call_command("create_comparison", release="1.0", stdout=StringIO())
    made = Comparison.objects.get()
    sizes = (made.project.pairs.count(), made.project.qualification_pairs.count())
    assert (made.sample, made.taught) == sizes == (10, selectors.number_of(release, ["train"]))


def test_its_page_file_and_rest_say_the_same_by_pseudonym_unless_one_manages_it(release):
    made = compared(release)
    project = made.project
    labels = dict(release.examples.values_list("pair__candidate", "label"))
    answer(newcomers(project), labels, lambda _, label: 2 * label)
    researcher = make.person(project, role=Role.RESEARCHER).user
    reader, manager = signed_in(researcher), client_of(project)
    shown = reader.get(page("comparison", project))
    assert [line.scores.accuracy for line in shown.context["lines"]] == [1.0] * 4
    rows = rows_of(reader.get(page("comparison_table", project)))
    assert [(row["pairs"], row["accuracy"]) for row in rows] == [("4", "1.0")] * 4
    people = {each.user.username for each in selectors.comparison_results(made).people}
    assert people.isdisjoint(row["who"] for row in rows)
    assert people <= {row["who"] for row in rows_of(manager.get(page("comparison_table", project)))}
    [comparison] = reader.get(f"/api/projects/{project.public_id}/comparisons/").json()
    scores = comparison["majority"]["scores"]
    assert (scores["accuracy"], comparison["release"]) == (1.0, str(release.public_id))
    assert {each["annotator"] for each in comparison["people"]} == {row["who"] for row in rows[1:]}
    assert reader.get(page("comparison", release.project)).status_code == 404
    assert client_of(release.project).get(page("comparison", release.project)).status_code == 404


def test_a_form_on_the_release_creates_it_and_keeps_what_was_entered(release):
    manager = client_of(release.project)
    at = page("compare_release", release.project, release.public_id)
    first = manager.get(at).context["form"]
    assert (first["sample"].value(), first["name"].value()) == (10, f"{release}: non-experts")
    values = {"name": "Students", "sample": 99, "taught": 3, "people": 3, "seed": 1}
    refused = manager.post(at, values)
    assert refused.status_code == 422
    assert "10 labelled pairs in test" in refused.content.decode()
    assert 'value="Students"' in refused.content.decode()
    made = manager.post(at, values | {"sample": 5})
    project = Comparison.objects.get(release=release).project
    assert made.url == page("comparison", project)
    assert "No one has judged a pair yet" in manager.get(made.url).content.decode()
    reply = manager.get(page("release", release.project, release.public_id)).content.decode()
    assert "Students" in reply
    member = make.person(release.project, role=Role.MANAGER)
    member.user.may_create_projects = False
    member.user.save()
    assert signed_in(member.user).get(at).status_code == 404


def test_its_pairs_are_complete_so_every_way_to_add_others_is_refused(release, tmp_path):
    project = compared(release).project
    manager = client_of(project)
    boss = project.memberships.get(role=Role.MANAGER).user
    run = release.project.runs.get()
    before = project.items.count()
    with pytest.raises(Refused, match="use another project"):
        runs.start(project, [run.corpus], method="definitions")
    with pytest.raises(Refused, match="use another project"):
        corpora.add(project, run.corpus, by=boss)
    project.runs.add(run)  # as in a project of an earlier version
    assert intake.take_in(project) == 0
    project.runs.clear()
    pasted = {"kind": "pairs", "text": "One bird sang.\tA bird sang."}
    refused = manager.post(page("upload", project), pasted)
    assert (refused.status_code, Import.objects.count()) == (422, 0)
    shown = manager.get(page("data", project)).content.decode()
    assert "use another project" in shown
    assert 'value="sentences"' not in shown
    rows = {"corpus": run.corpus.name, "pairs": [{"sentence1": "A bird.", "sentence2": "Bird."}]}
    rest = manager.post(
        f"/api/projects/{project.public_id}/pairs/", rows, content_type="application/json"
    )
    assert (rest.status_code, "use another project" in rest.content.decode()) == (403, True)
    file = tmp_path / "pairs.tsv"
    file.write_text("sentence1\tsentence2\nA bird sang.\tA bird sings.\n")
    with pytest.raises(CommandError, match="use another project"):
        call_command("import_pairs", str(file), project=project.name, corpus=run.corpus.name)
    assert project.items.count() == before
    overview = manager.get(page("overview", project)).content.decode()
    assert "The pairs are ready" in overview
    assert "Add sentences" not in overview
    assert "Correct sentences" not in manager.get(page("people", project)).content.decode()
    newcomer = make.person(project)
    welcome = signed_in(newcomer.user).get(page("welcome", project)).content.decode()
    assert "Everyone continues" in welcome
    assert "0 %" not in welcome
