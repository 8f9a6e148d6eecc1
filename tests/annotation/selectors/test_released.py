"""What a release holds: what counted when it was frozen, whatever happens later."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.dataset.content import AdjudicationRow, GuestRow
from annotation.dataset.verification import verify
from annotation.models import Guest, GuestJudgment, Judgment, Membership, SentencePair
from annotation.selectors import (
    dataset,
    progress,
    published,
    reading,
    released_answers,
    released_sentences,
    report,
    tables,
    votes,
)
from annotation.selectors import releases as frozen
from annotation.services import adjudication, interventions, releases, rounds
from annotation.services.releases import Unwritable
from tests.annotation import cast, judged

pytestmark = pytest.mark.django_db


def judge(project, *labels):
    people = [cast.person(project) for _ in labels]
    for member, label in zip(people, labels, strict=True):
        cast.judge_next(member, label)
    return people


@pytest.fixture
def files(tmp_path):
    """The files of a release as they are written now, by their path."""

    def files(release):
        folder = tmp_path / f"{release.pk}-{len(list(tmp_path.iterdir()))}"
        releases.write(release, folder)
        assert verify(folder) == []
        found = (path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in found}

    return files


def answers(built):
    return built["judgments.jsonl"].decode().splitlines()


def reopen(project):
    public_ids = list(project.pairs.values_list("public_id", flat=True))
    return rounds.reopen(project, public_ids, by=cast.person(project).user)


@pytest.fixture
def two_pairs():
    """A kept pair, and one on which too few agree."""
    project = cast.study(judgments_per_pair=3, consensus_min_votes=3)
    for labels in ((1, 1, 1), (1, 1, 0)):
        cast.pairs(project, 1)
        judge(project, *labels)
    return project


@pytest.mark.both_engines
def test_answers_that_are_asked_for_again_are_in_later_releases_alone(two_pairs, files):
    first = releases.freeze(two_pairs, version="1.0")
    before = files(first)
    assert len(answers(before)) == 6
    assert reopen(two_pairs) == 1
    assert files(first) == before
    meanwhile = releases.freeze(two_pairs, version="1.1")
    waiting = files(meanwhile)
    assert len(answers(waiting)) == 3
    random, *_ = judge(two_pairs, 0, 0, 0)
    assert files(first) == before
    assert files(meanwhile) == waiting
    last = releases.freeze(two_pairs, version="1.2")
    decided = files(last)
    assert [line.count('"label": 0') for line in answers(decided)].count(1) == 3
    assert len(answers(decided)) == 6
    # Of a round that is over, answers may be held out and reinstated.
    interventions.hold_out(random, by=None, reason="Too fast")
    assert files(last) == decided
    interventions.reinstate(random, by=None, reason="They were right")
    assert files(last) == decided


def test_a_pair_that_was_decided_early_keeps_its_answers_when_it_is_asked_again(files):
    project = cast.study(decides_early=True)
    cast.pairs(project, 1)
    random, *_ = judge(project, 1, 1, 1, 1)
    release = releases.freeze(project, version="1.0")
    before = files(release)
    assert len(answers(before)) == 4
    interventions.hold_out(random, by=None, reason="Too fast")
    judge(project, 0, 1)
    interventions.reinstate(random, by=None, reason="They were right")
    assert project.pairs.get().judgments.filter(label__isnull=False).count() == 6
    assert files(release) == before


def test_hidden_pairs_and_answers_held_out_count_nowhere(subtests, files):
    """Five people say 0 of two pairs and of a hidden one, the sixth 1: they were replaced."""
    project = cast.study(known_every=2)
    cast.pairs(project, 2)
    [hidden] = cast.known_pairs(project, [1])
    people = [cast.person(project) for _ in range(5)]
    for number, member in enumerate(people):
        cast.judge_all(member, int(number == 0))
    assert Judgment.objects.filter(pair=hidden).exclude(label=None).count() == 5
    out = people[0]
    interventions.hold_out(out, by=None, reason="These look like guesses.")
    cast.judge_all(cast.person(project), 0)
    with subtests.test("votes, progress and report"):
        assert votes.of_project(project).every == {(5, 0): 2}
        done = progress.of_project(project)
        assert (done.pairs, done.judgments, done.to_judge) == (2, 10, 0)
        assert (done.decided, done.kept) == (2, 2)
        written = report.of_project(project)
        figures = {person.name: person.judgments for person in written.annotators}
        assert out.user.username not in figures
        assert [*figures.values()] == [2] * 5
        assert written.agreement.overall.before.pairs == 2
    with subtests.test("tables of the admin"):
        rows = tables.of_memberships(Membership.objects.filter(project=project))
        assert sorted(rows.values_list("judgments", flat=True)) == [0, *[2] * 5]
        pairs = tables.of_pairs(SentencePair.objects.filter(project=project, known_label=None))
        assert set(pairs.values_list("answers", "asked", "slots")) == {(5, 5, 6)}
    with subtests.test("what researchers read over REST"):
        reader, client = cast.person(project, role="researcher").user, APIClient()
        client.force_authenticate(reader)
        rows = client.get(f"/api/projects/{project.public_id}/pairs/").json()["results"]
        found = [(row["slots"], row["answers"], row["votes"]) for row in rows]
        assert found == [(5, 5, [5, 0])] * 2
        one = client.get(f"/api/pairs/{rows[0]['id']}/").json()
        assert [each["held_out"] for each in one["judgments"]] == [True, *[False] * 5]
        assert client.get(f"/api/pairs/{hidden.public_id}/").status_code == 404
        assert hidden not in reading.pairs(reader)
    with subtests.test("the dataset"):
        assert [row.tally for row in dataset.decided_pairs(project)] == [(5, 0)] * 2
        ids = {row.id for row in dataset.sentences(project)}
        assert str(hidden.sentence2.public_id) not in ids
        assert out.user not in dataset.judges(project)
    with subtests.test("a release, whatever is held out and put back later"):
        release = releases.freeze(project, version="1.0", dev=0, test=0)
        before = files(release)
        assert [answer.label for answer in released_answers.of(release)] == [0] * 10
        for step in (
            lambda: interventions.reinstate(out, by=None, reason="They were none."),
            lambda: interventions.hold_out(people[1], by=None, reason="These look like guesses."),
            lambda: cast.judge_all(cast.person(project), 1),
            lambda: interventions.hold_out(out, by=None, reason="They were, after all."),
        ):
            step()
            assert files(release) == before


def test_it_is_read_some_rows_at_a_time_and_how_many_makes_no_difference(monkeypatch):
    project = cast.study(judgments_per_pair=2, consensus_min_votes=2)
    cast.pairs(project, 5)
    for label in (1, 0):
        cast.judge_all(cast.person(project), label)
    release = releases.freeze(project, version="1.0", dev=0, test=0)

    def read():
        rows = (frozen.entries_of, frozen.sentences_of, frozen.judgments_of)
        return tuple(list(of(release)) for of in rows)

    whole = read()
    assert [len(rows) for rows in whole] == [10, 10, 10]  # with silver pairs
    for size in (1, 2, 5, 6):
        for module in (frozen, released_sentences):
            monkeypatch.setattr(module, "CHUNK", size)
        monkeypatch.setattr(released_answers, "AT_ONCE", size)
        assert read() == whole


@pytest.mark.both_engines
def test_sentences_of_pairs_that_are_not_released_are_there_as_origins():
    project = cast.study()
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    cast.correct_next(cast.person(project, may_judge=False))
    back = cast.rewrites(project, project.pairs.get().sentence2, ["Ada was met by Bo."])[0]
    by, at = judged.people(project, 5), timezone.now() - timedelta(hours=1)
    judged.give(project.pairs.get(candidate=back), [1] * 5, by=by, at=at)
    release = releases.freeze(project, version="1.0", dev=0, test=0)
    texts = [row.text for row in released_sentences.of(release)]
    assert texts == ["Ada met Bo.", "Bo met Ada.", "Ada was met by Bo."]


def test_what_experts_and_guests_said_until_it_was_frozen_is_released():
    project = cast.study()
    cast.pairs(project, 1)
    judged.all_that_is_open(project, [1, 1, 1, 0, 0])
    pair, expert = project.pairs.get(), cast.person(project).user

    def guest(name, score):
        guest = Guest.objects.create(project=project, name=name, revision="7")
        GuestJudgment.objects.create(guest=guest, pair=pair, label=1, score=score)

    guest("large-judge", 0.75)
    for label in (1, 0):
        adjudication.decide(pair, by=expert, label=label)
    release = releases.freeze(project, version="1.0", dev=0, test=0)
    adjudication.decide(pair, by=expert, label=None)
    guest("later-judge", 0.5)
    assert list(frozen.adjudications_of(release)) == [AdjudicationRow(str(pair.public_id), 0)]
    expected = GuestRow(str(pair.public_id), "large-judge", "7", 1, 0.75)
    assert list(frozen.guests_of(release)) == [expected]


def test_without_its_files_a_release_is_not_whole_and_without_names_not_written(tmp_path, settings):
    settings.RELEASES_DIR = tmp_path / "releases"
    project = cast.study()
    judged.pairs(project, [[1] * 5], by=judged.people(project, 5))
    release = releases.freeze(project, version="1.0", dev=0, test=0)
    releases.write(release, tmp_path / "elsewhere")
    assert not published.is_whole(release)
    release.names_forgotten_at = release.frozen_at
    with pytest.raises(Unwritable, match="forgotten"):
        releases.write(release, tmp_path / "a")
