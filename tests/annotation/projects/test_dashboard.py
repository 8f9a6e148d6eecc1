"""Votes, periods, alerts and pages of the dashboard, and what waits, as the database has them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from annotation.agreement import by_person, selectors, services
from annotation.models import Intervention, Judgment, Project
from annotation.projects.selectors import glance, over_time
from annotation.projects.services import projects
from annotation.quality.views import alerts
from annotation.work import skips, waiting
from annotation.work.waiting import WhyNone
from common import keyset
from generation.models import Batch, Candidate, GenerationRun
from generation.services import batches
from operations import work
from releases.models import Release, ReleasePreview
from support import fake
from tests.annotation import judged, make

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def people(project):
    return judged.people(project, 5)


def intervene(member, kind="exclude"):
    return Intervention.objects.create(membership=member, kind=kind, reason="Too fast.")


def test_votes_are_cut_by_method_and_kind_of_change(project, people):
    [pair, *_] = judged.pairs(project, [[1] * 5, [0] * 5, [1, 1, 1, 1, 0]], by=people)
    Candidate.objects.filter(pk=pair.candidate_id).update(kind="word order")
    found, first, later = selectors.votes(project), {(0, 5): 1}, {(5, 0): 1, (1, 4): 1}
    assert found.every == first | later
    assert found.methods == {"back_translation": found.every}
    names = [("back_translation", ""), ("back_translation", "word order")]
    assert found.kinds == dict(zip(names, (later, first), strict=True))


def against_consensus(project):
    people = by_person.compare_people(project).items()
    return {account: compared.with_consensus.counts for account, compared in people}


def test_answers_are_compared_with_the_majority_of_decided_pairs(project, people):
    judged.pairs(project, [[1, 1, 1, 1, 0], [1, 1]], by=people)
    [gold] = judged.pairs(project, [[1] * 5], by=people)
    project.pairs.filter(pk=gold.pk).update(gold_label=1)
    keys = [member.user_id for member in people]
    expected = {key: {(1, 1): 1} for key in keys[:4]} | {keys[4]: {(0, 1): 1}}
    assert against_consensus(project) == expected
    assert selectors.votes(project).every == {(1, 4): 1}


def test_grades_are_compared_by_side(db):
    graded = make.study(protocol="parade")
    people = judged.people(graded, 3)
    judged.pairs(graded, [[3, 2, 1]], by=people)
    counts = [{(1, 1): 1}, {(1, 1): 1}, {(0, 1): 1}]
    keys = [member.user_id for member in people]
    assert against_consensus(graded) == dict(zip(keys, counts, strict=True))


def test_the_latest_round_alone_counts_and_nothing_that_is_excluded(project, people):
    [pair] = judged.pairs(project, [[1, 1, 1, 0, 0]], by=people)
    make.spare(project)
    services.reopen(project, [pair.public_id], by=people[0].user)
    assert by_person.annotators(project) == []
    for member in judged.people(project, 5):
        make.judge_all(member, 0)
    assert selectors.votes(project).every == {(5, 0): 1}
    found = by_person.annotators(project)
    assert [each.comparison.with_others.counts for each in found] == [{(0, 0): 1}] * 5
    assert [each.pseudonym for each in found] == sorted({each.pseudonym for each in found})
    judged.pairs(project, [[1, 0]], by=people)
    latest = Judgment.objects.filter(annotator=people[0].user, superseded_by=None)
    latest.update(excluded_by=intervene(people[0]))
    assert people[0].user_id not in {each.user.pk for each in by_person.annotators(project)}


def changed(row, **values):
    for name, value in values.items():
        setattr(row, name, value)
    row.save()


def test_judges_are_people_who_are_given_work_and_two_accounts_of_one_are_one(project):
    people = judged.people(project, 6)
    projects.add_member(project, people[0].user, kinds=["correct"])
    changed(people[1], paused_at=timezone.now())
    make.same_person(*people[2:4])
    found = alerts.of_project(project)
    assert (found.able["judge"], found.able["correct"], found.paused) == (3, 4, 1)
    changed(project, asks_qualification=True)
    assert alerts.of_project(project).nobody_is_qualified
    changed(people[4], qualified_at=timezone.now())
    found = alerts.of_project(project)
    assert (found.able["judge"], found.nobody_is_qualified) == (1, False)


def test_a_glance_counts_each_flagged_person_once(project, people):
    flagged = []
    for kind in ("flag", "flag", "resume"):
        intervene(people[4], kind)
        flagged.append(len(glance.of_projects([project])[project.pk].flags))
    assert flagged == [1, 1, 0]


def test_a_glance_counts_what_is_set_aside_of_every_kind(project):
    make.candidates(project, [("A sees b.", "B sees a.")])
    make.pairs(project, 1)
    for item in project.items.all():
        changed(item, set_aside_at=timezone.now())
    assert glance.of_projects([project])[project.pk].set_aside == 2


def test_items_are_counted_that_too_few_people_are_left_for(project, people):
    make.candidates(project, [(f"A sees {n}.", f"{n} sees a.") for n in "bc"])
    make.correct_next(people[0])
    for member in people:
        skips.skip(
            member.duty("correct"),
            item=make.claim(member, "correct").item.public_id,
            reason="broken",
        )
    found = alerts.of_project(project)
    assert (found.stuck["judge"], found.stuck["correct"]) == (1, 1)
    make.person(project)
    found = alerts.of_project(project)
    assert (found.stuck["judge"], found.stuck["correct"]) == (0, 0)
    changed(project, limits={"judge": 1})
    judged.pairs(project, [[1] * 5], by=people)
    assert alerts.of_project(project).able["judge"] == 1


def test_what_counts_falls_into_its_periods(project, people):
    make.pairs(project, 1)
    assert over_time.of_project(project) is None
    judged.pairs(project, [[1] * 5], by=people, at=NINE)
    judged.pairs(project, [[1, 1, 1, 1, 0]], by=people, at=NINE + timedelta(minutes=28))
    [gold, out] = judged.pairs(project, [[1, 0]] * 2, by=people, at=NINE)
    project.pairs.filter(pk=gold.pk).update(gold_label=1)
    out.slots.update(excluded_by=intervene(people[0]))
    other = make.study()
    judged.pairs(other, [[1] * 5], by=judged.people(other, 5), at=NINE - timedelta(days=1))
    found = over_time.of_project(project)
    assert (found.first, found.last) == (NINE, NINE + timedelta(minutes=32))
    assert (found.periods.length, found.answers) == (600, {0: 5, 2: 2, 3: 3})
    assert found.votes == {0: {(0, 5): 1}, 3: {(1, 4): 1}}
    assert found.by_method == {"back_translation": {(0, 5): 1, (1, 4): 1}}


def pace_of(project):
    return over_time.pace_of(project, over_time.of_project(project))


def measured(*hours_ago):
    project, now = make.study(), timezone.now()
    pairs = judged.pairs(project, [[1]] * len(hours_ago), by=judged.people(project, 1))
    for pair, hours in zip(pairs, hours_ago, strict=True):
        at = now - timedelta(hours=hours)
        pair.slots.filter(label=1).update(submitted_at=at, claimed_at=at)
    return project, pace_of(project)


def test_the_end_is_foretold_from_the_latest_stretches():
    _, found = measured(0.5, 0.1)
    assert (found.left, found.window, found.forecast, found.ends) == (8, None, None, None)
    _, found = measured(*(hour / 10 for hour in range(1, 60)))
    assert found.forecast.soonest < found.left / 10 < found.forecast.latest
    assert found.ends is None
    project, found = measured(*(24 * day + hour for day in range(4) for hour in (1, 2, 3)))
    assert (found.forecast.per_hour, found.left) == (pytest.approx(3 / 24), 48)
    assert found.ends == (found.now + timedelta(hours=48 / (3 / 24)),) * 2
    assert found.is_on_one_day
    changed(project.pairs.latest("pk"), set_aside_at=timezone.now())
    assert pace_of(project).left == 44
    Judgment.objects.filter(submitted_at=None).delete()
    assert (pace_of(project).left, pace_of(project).forecast) == (0, None)


def test_pages_are_the_whole_table_in_both_directions_and_new_rows_shift_nothing():
    def page(size, **beyond):
        return keyset.page(Project.objects.all(), columns=columns, size=size, **beyond)

    for seed in (3, 1, 3, 2, 1, 3, 3, 2):
        make.study(seed=seed)
    for columns in [("seed", "id"), ("-seed", "id"), ("-id",), ("id",)]:
        rows = list(Project.objects.order_by(*columns))
        for size in (1, 3, 4, 8, 50):
            pages = [page(size)]
            while pages[-1].after is not None:
                pages.append(page(size, after=pages[-1].after))
            assert [row for each in pages for row in each.rows] == rows, columns
            assert {len(each.rows) for each in pages[:-1]} <= {size}
            back = [pages[-1]]
            while back[0].before is not None:
                back.insert(0, page(size, before=back[0].before))
            assert back == pages, columns
        first, new = page(3), make.study(seed=2)
        rest = page(50, after=first.after).rows
        assert first.rows + [row for row in rest if row != new] == rows, columns
        new.delete()
    Project.objects.all().delete()
    found = page(3)
    assert (found.rows, found.before, found.after) == ([], None, None)


def counted(*members):
    return [
        tuple(waiting.items_for(member.duty(kind)) for kind in ("judge", "correct"))
        for member in members
    ]


def test_a_pair_waits_once_for_who_has_neither_judged_nor_corrected_it(
    project, monkeypatch, django_assert_num_queries
):
    alice, bob = make.person(project), make.person(project)
    make.pairs(make.study(), 2)  # of another project
    make.candidates(project, [("One sees two.", "Two sees one.")])
    assert counted(alice, bob) == [(0, 1), (0, 1)]
    make.claim(alice, "correct")  # what she has in hand waits for her alone
    assert counted(alice, bob) == [(0, 1), (0, 0)]
    make.correct_next(alice)
    assert counted(alice, bob) == [(0, 0), (1, 0)]
    make.pairs(project, 2)
    assert counted(alice, bob) == [(2, 0), (3, 0)]
    make.judge_all(alice, 1)
    assert counted(alice) == [(0, 0)]
    monkeypatch.setattr(waiting, "COUNTED", 3)
    make.pairs(project, 9)
    duty = bob.duty("judge")
    with django_assert_num_queries(3):  # however many pairs there are
        assert waiting.items_for(duty) == 3  # counting stops there
    Project.objects.update(is_open=False)
    bob.project.refresh_from_db()
    assert counted(bob) == [(0, 0)]


def test_a_pair_whose_lease_ended_waits_also_for_those_beyond_it_and_no_more_than_may_be_given():
    project = make.study(limits={"judge": 3, "correct": 1})
    make.pairs(project, 1)
    for _ in range(5):
        make.claim(make.person(project))
    make.pairs(project, 1)
    alice = make.person(project)
    make.judge_next(alice)
    assert counted(alice) == [(0, 0)]
    held = Judgment.objects.filter(submitted_at=None)
    held.update(lease_until=timezone.now() - timedelta(minutes=1))
    assert counted(alice) == [(1, 0)]
    make.pairs(project, 4)
    make.candidates(project, [("One sees two.", "Two sees one."), ("A sees B.", "B sees A.")])
    assert counted(alice) == [(2, 1)]
    for item in project.items.filter(kind="correct"):
        item.recusals.create(annotator=alice.user, person=alice.user, reason="skipped")
    assert counted(alice) == [(2, 0)]


def test_who_is_given_nothing_learns_why(project):
    for of, change, why in [
        ("project", {"is_open": False}, WhyNone.CLOSED),
        ("member", {"paused_at": timezone.now()}, WhyNone.PAUSED),
        ("project", {"asks_qualification": True}, WhyNone.NOT_ADMITTED),
        ("project", {"limits": {"judge": 0, "correct": 0}}, WhyNone.LIMIT),
        ("member", {}, WhyNone.NOTHING),
    ]:
        alice = make.person(Project.objects.get(pk=project.pk))
        for name, value in change.items():
            setattr(alice.project if of == "project" else alice, name, value)
        found = {waiting.why_none(alice.duty(kind)) for kind in project.kinds}
        assert found == {why}


def test_a_running_run_waits_since_it_was_started_or_since_something_came_of_it(backwards):
    run, now = fake.run(fake.corpus(10)), timezone.now()

    def waits():
        return [(each.kind, each.name, each.since, each.is_held) for each in work.waiting_work(now)]

    assert waits() == [("run", run.corpus.name, run.created_at, False)]
    batch = batches.claim()
    assert waits() == [("run", run.corpus.name, run.created_at, True)]
    batches.work(batch)
    done = Batch.objects.get(state="done").finished_at
    assert waits() == [("run", run.corpus.name, done, False)]
    for state, preview in (("running", True), ("paused", False)):
        GenerationRun.objects.update(state=state, preview=preview)
        assert waits() == []


def test_a_draft_waits_since_it_was_asked_for_and_a_release_from_when_it_is_queued(project):
    now = timezone.now()
    asked, soon = now - timedelta(minutes=3), now + timedelta(seconds=10)
    settings = {"project": project, "seed": 0, "settings": {}}
    draft = Release.objects.create(version="1", **settings)
    ReleasePreview.objects.create(release=draft, asked_at=asked)
    release = Release.objects.create(version="2", state="queued", **settings)
    found = [(each.kind, each.since, each.queue, each.is_held) for each in work.waiting_work(now)]
    assert found == [("draft", asked, "cpu", False), ("release", None, "cpu", False)]
    Release.objects.filter(pk=release.pk).update(state="building", lease_until=soon)
    found = [work.waiting_work(moment)[1] for moment in (now, soon + timedelta(seconds=1))]
    assert ([each.is_held for each in found], found[0].name) == ([True, False], str(release))
