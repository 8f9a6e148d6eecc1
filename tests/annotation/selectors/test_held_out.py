"""A study with a hidden pair and a person whose answers are held out: neither is counted anywhere.

Six people have judged two pairs and the hidden one, each with the same label on all: five say that
the pairs differ in meaning. The sixth says that they do not, is held out, and was replaced.
"""

import pytest
from rest_framework.test import APIClient

from annotation.dataset.verification import verify
from annotation.models import Judgment, Membership, Release, SentencePair
from annotation.selectors import dataset, progress, reading, released_answers, report, tables, votes
from annotation.services import interventions, releases
from tests.annotation import cast

pytestmark = pytest.mark.django_db
PAIRS = 2


@pytest.fixture
def project():
    project = cast.study(known_every=2)
    cast.pairs(project, PAIRS)
    cast.known_pairs(project, [1])
    people = [cast.person(project) for _ in range(5)]
    for number, member in enumerate(people):
        cast.judge_all(member, int(number == 0))
    assert Judgment.objects.filter(pair__known_label=1).count() == 5
    interventions.hold_out(people[0], by=None, reason="These look like guesses.")
    cast.judge_all(cast.person(project), 0)
    return project


def held_out(project):
    return Judgment.objects.filter(project=project).exclude(held_out=None).first().annotator


def test_consensus_and_votes(project):
    assert votes.of_project(project).every == {(5, 0): PAIRS}


def test_progress(project):
    done = progress.of_project(project)
    assert (done.pairs, done.judgments, done.to_judge) == (PAIRS, 5 * PAIRS, 0)
    assert (done.decided, done.kept) == (PAIRS, PAIRS)


def test_the_report(project):
    told = report.of_project(project)
    figures = {person.name: person.judgments for person in told.annotators}
    assert held_out(project).username not in figures
    assert sorted(figures.values()) == [PAIRS] * 5
    assert told.agreement.overall.before.pairs == PAIRS


def test_the_tables_of_the_admin(project):
    rows = tables.of_memberships(Membership.objects.filter(project=project))
    assert sorted(rows.values_list("judgments", flat=True)) == [0, *[PAIRS] * 5]
    pairs = tables.of_pairs(SentencePair.objects.filter(project=project, known_label=None))
    assert set(pairs.values_list("answers", "asked", "slots")) == {(5, 5, 6)}


def test_what_researchers_read_over_rest(project):
    root = cast.person(project, role=Membership.Role.RESEARCHER).user
    client = APIClient()
    client.force_authenticate(root)
    address = f"/api/projects/{project.public_id}/pairs/"
    rows = client.get(address).json()["results"]
    assert [(row["slots"], row["answers"], row["votes"]) for row in rows] == [(5, 5, [5, 0])] * 2
    one = client.get(f"/api/pairs/{rows[0]['id']}/").json()
    assert [each["held_out"] for each in one["judgments"]] == [True, *[False] * 5]
    hidden = SentencePair.objects.get(project=project, known_label=1)
    assert client.get(f"/api/pairs/{hidden.public_id}/").status_code == 404
    assert hidden not in reading.pairs(root)


def test_the_dataset(project):
    assert [row.tally for row in dataset.decided_pairs(project)] == [(5, 0)] * PAIRS
    hidden = SentencePair.objects.get(project=project, known_label=1).sentence2
    assert str(hidden.public_id) not in {row.id for row in dataset.sentences(project)}
    assert held_out(project) not in dataset.judges(project)


def test_a_release(project, tmp_path):
    release = releases.freeze(project, version="1.0", dev=0, test=0)
    releases.write(release, tmp_path / "a")
    assert verify(tmp_path / "a") == []
    answers = list(released_answers.of(release))
    assert len(answers) == 5 * PAIRS
    assert {answer.label for answer in answers} == {0}


def test_a_release_stays_as_it_was_whatever_is_held_out_and_put_back_later(project, tmp_path):
    release = releases.freeze(project, version="1.0", dev=0, test=0)
    releases.write(release, tmp_path / "a")
    first = Membership.objects.get(project=project, user=held_out(project))
    second = Membership.objects.exclude(pk=first.pk).filter(project=project).first()
    steps = [
        lambda: interventions.reinstate(first, by=None, reason="They were none."),
        lambda: interventions.hold_out(second, by=None, reason="These look like guesses."),
        lambda: cast.judge_all(cast.person(project), 1),
        lambda: interventions.hold_out(first, by=None, reason="They were, after all."),
    ]
    for number, step in enumerate(steps):
        step()
        releases.write(Release.objects.get(pk=release.pk), tmp_path / f"again-{number}")
