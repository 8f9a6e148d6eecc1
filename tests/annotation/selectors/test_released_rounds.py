"""A release holds the answers that counted when it was frozen, whatever is asked anew later."""

import pytest

from annotation.services import interventions, releases, rounds
from tests.annotation import cast

pytestmark = pytest.mark.django_db


def judge(project, *labels):
    people = [cast.person(project) for _ in labels]
    for member, label in zip(people, labels, strict=True):
        cast.judge_next(member, label)
    return people


def files(release, folder):
    releases.write(release, folder)
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def answers(built):
    return built["judgments.jsonl"].decode().splitlines()


def study(**settings):
    """A kept pair, and one on which too few agree."""
    project = cast.study(judgments_per_pair=3, consensus_min_votes=3, **settings)
    cast.pairs(project, 1)
    judge(project, 1, 1, 1)
    cast.pairs(project, 1)
    judge(project, 1, 1, 0)
    return project


def reopen(project):
    public_ids = list(project.pairs.values_list("public_id", flat=True))
    assert rounds.reopen(project, public_ids, by=cast.person(project).user) == 1


def test_a_release_from_before_is_built_to_the_same_bytes(tmp_path):
    project = study()
    release = releases.freeze(project, version="1.0")
    before = files(release, tmp_path / "a")
    reopen(project)
    assert files(release, tmp_path / "b") == before
    judge(project, 0, 0, 0)
    assert files(release, tmp_path / "c") == before
    assert len(answers(before)) == 6


def test_a_later_release_holds_the_answers_of_the_latest_round(tmp_path):
    project = study()
    reopen(project)
    waiting = files(releases.freeze(project, version="1.0"), tmp_path / "a")
    assert len(answers(waiting)) == 3
    judge(project, 0, 0, 0)
    decided = files(releases.freeze(project, version="1.1"), tmp_path / "b")
    assert [line.count('"label": 0') for line in answers(decided)].count(1) == 3
    assert len(answers(decided)) == 6
    assert files(project.releases.get(version="1.0"), tmp_path / "c") == waiting


def test_who_is_held_out_after_the_round_was_over_changes_no_release(tmp_path):
    project = study()
    reopen(project)
    random, *_ = judge(project, 1, 0, 1)
    release = releases.freeze(project, version="1.0")
    before = files(release, tmp_path / "a")
    reopen(project)
    interventions.hold_out(random, by=None, reason="Too fast")
    assert files(release, tmp_path / "b") == before
    interventions.reinstate(random, by=None, reason="They were right")
    assert files(release, tmp_path / "c") == before


def test_a_pair_that_was_decided_early_keeps_its_answers_when_it_is_asked_again(tmp_path):
    project = cast.study(decides_early=True)
    cast.pairs(project, 1)
    random, *_ = judge(project, 1, 1, 1, 1)
    release = releases.freeze(project, version="1.0")
    before = files(release, tmp_path / "a")
    assert len(answers(before)) == 4
    interventions.hold_out(random, by=None, reason="Too fast")
    judge(project, 0, 1)
    interventions.reinstate(random, by=None, reason="They were right")
    assert project.pairs.get().judgments.filter(label__isnull=False).count() == 6
    assert files(release, tmp_path / "b") == before
