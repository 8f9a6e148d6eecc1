"""Models as guests: what they say is stored once, and counts in nothing."""

import uuid

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.errors import Refused
from annotation.guest_lines import GuestLine
from annotation.models import Consensus, Guest, GuestJudgment, Judgment, Release
from annotation.selectors import guests as selector
from annotation.selectors import votes
from annotation.services import guests
from tests.annotation import cast, judged

pytestmark = pytest.mark.django_db
VOTES = [[1, 1, 1, 1, 1], [0, 0, 0, 0, 1], [0, 0, 0, 1, 1]]


@pytest.fixture
def project():
    return cast.study()


@pytest.fixture
def pairs(project):
    return judged.pairs(project, VOTES, by=judged.people(project, 5))


def say(project, pairs, labels, *, name="model", **more):
    lines = [
        GuestLine(number, pair.public_id, label)
        for number, (pair, label) in enumerate(zip(pairs, labels, strict=True), 2)
    ]
    return guests.add(project, name=name, lines=lines, **more)


def test_labels_are_added_once(project, pairs):
    assert say(project, pairs, [1, 0, 1]).added == 3
    again = say(project, pairs, [1, 0, 1])
    assert (again.added, again.duplicates) == (0, 3)
    assert (Guest.objects.count(), GuestJudgment.objects.count()) == (1, 3)


def test_another_label_for_the_same_pair_is_refused(project, pairs):
    say(project, pairs, [1, 0, 1])
    again = say(project, pairs, [1, 1, 1])
    assert [(each.line, each.reason) for each in again.first_refusals] == [
        (3, "said_otherwise_before")
    ]
    assert list(GuestJudgment.objects.order_by("pair").values_list("label", flat=True)) == [1, 0, 1]


def test_another_label_for_the_same_pair_in_one_file_is_refused(project, pairs):
    report = say(project, [pairs[0], pairs[0], pairs[0]], [1, 1, 0])
    assert (report.added, report.duplicates, report.refused.total()) == (1, 1, 1)


def test_pairs_of_elsewhere_and_hidden_pairs_are_unknown(project):
    [hidden] = cast.known_pairs(project, [1])
    elsewhere = cast.study()
    cast.pairs(elsewhere, 1)
    lines = [
        GuestLine(number, pair, 1)
        for number, pair in enumerate(
            [uuid.uuid4(), hidden.public_id, elsewhere.pairs.get().public_id]
        )
    ]
    report = guests.add(project, name="model", lines=lines)
    assert report.refused == {"unknown_pair": 3}
    assert not Guest.objects.exists()


def test_revisions_are_guests_of_their_own(project, pairs):
    say(project, pairs, [1, 0, 1], revision="a")
    say(project, pairs, [0, 0, 1], revision="b")
    assert Guest.objects.count() == 2


def test_a_guest_counts_in_nothing(project, pairs):
    def counted():
        rows = Consensus.objects.order_by("pair").values_list("tally", "label", "kept")
        return list(rows), votes.of_project(project), Judgment.objects.count()

    before = counted()
    say(project, pairs, [0, 1, 1])
    assert counted() == before


def test_a_guest_leaves_with_all_that_it_said(project, pairs):
    say(project, pairs, [1, 0, 1])
    guests.remove(Guest.objects.get())
    assert not GuestJudgment.objects.exists()


def test_what_a_release_holds_stays_as_it_is(project, pairs):
    say(project, pairs[:2], [1, 0])
    guest = Guest.objects.get()
    Release.objects.create(
        project=project,
        version="1",
        seed=1,
        settings={},
        state=Release.State.FROZEN,
        frozen_at=timezone.now(),
    )
    with pytest.raises(Refused):
        guests.remove(guest)
    with pytest.raises(Refused):
        say(project, pairs, [1, 0, 1])
    assert say(project, pairs[:2], [1, 0]).duplicates == 2


def test_figures_stand_beside_the_consensus(project, pairs):
    say(project, pairs, [1, 1, 0])
    [visit] = selector.of_project(project)
    assert dict(visit.every.cells) == {(1, 1): 1, (0, 1): 1, (0, 0): 1}
    assert visit.every.share == pytest.approx(2 / 3)
    assert visit.every.kappa == pytest.approx(0.4)
    assert {votes: each.same for votes, each in visit.by_votes.items()} == {
        (5, 0): 1,
        (4, 1): 0,
        (3, 2): 1,
    }
    assert list(visit.by_votes) == [(5, 0), (4, 1), (3, 2)]
    assert visit.by_method["back_translation"].pairs == 3


def test_pairs_on_which_people_agree_most_come_first_where_they_part(project, pairs):
    say(project, pairs, [0, 1, 1])
    guest = Guest.objects.get()
    found = selector.page(selector.parting(project, guest)).rows
    assert [pair.pk for pair in found] == [pairs[0].pk, pairs[1].pk, pairs[2].pk]
    assert [(pair.margin, pair.says) for pair in found] == [(5, 0), (3, 1), (1, 1)]


def test_another_guest_does_not_stand_among_them(project, pairs):
    say(project, pairs, [0, 1, 1], name="other")
    say(project, pairs, [1, 0, 0])
    guest = Guest.objects.get(name="model")
    assert not selector.parting(project, guest).exists()


def test_grades_take_sides(project):
    graded = cast.study(protocol="parade")
    cast.pairs(graded, 1)
    pair = graded.pairs.get()
    judged.give(pair, [3, 3, 2], by=judged.people(graded, 3), at=timezone.now())
    say(graded, [pair], [2])
    assert dict(selector.of_project(graded)[0].every.cells) == {(1, 1): 1}


def test_the_command_says_what_became_of_each_line(project, pairs, tmp_path, capsys):
    path = tmp_path / "labels.tsv"
    path.write_text(f"pair\tlabel\n{pairs[0].public_id}\t1\n{pairs[1].public_id}\t7\n")
    call_command("import_guest", str(path), project=project.name, name="model", revision="r1")
    out = capsys.readouterr().out
    assert "2 lines read, 1 labels added" in out
    assert "line 3: label_not_on_the_scale" in out
    assert Guest.objects.get().revision == "r1"


def test_the_command_names_a_file_that_it_cannot_read(project, tmp_path):
    with pytest.raises(CommandError):
        call_command("import_guest", str(tmp_path / "x.txt"), project=project.name, name="m")
