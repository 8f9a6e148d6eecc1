"""Pairs that a manager excludes: nobody is given them, no figure counts them, none is released."""

import pytest
from django.core.management import call_command

from accounts.audited_acts import Act
from accounts.models import AuditEntry
from annotation.agreement import services as agreement
from annotation.errors import NotHeld, Refused
from annotation.models import Consensus, Judgment
from annotation.pairs.selectors import pairs as table
from annotation.pairs.selectors.pairs import PairFilters
from annotation.pairs.services import pair_exclusions
from annotation.projects.selectors import funnel, over_time, progress
from annotation.work import order
from generation.models import Method
from releases.selectors import study as study_of_release
from releases.selectors.releases import folder_of
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import invariants, judged, make
from tests.annotation.small_study import BOTH_ORDERS, study

pytestmark = pytest.mark.django_db
OFFENCE = {"reason": "offensive", "note": "It insults."}


@pytest.mark.both_engines
@BOTH_ORDERS
def test_nobody_is_given_an_excluded_pair_until_it_is_included_again(order):
    project, (alice, boss) = study(2, people=2, order=order)
    slot = make.claim(alice)
    pair_exclusions.exclude(slot.item, by=boss.user, **OFFENCE)
    with pytest.raises(NotHeld):
        make.submit(alice, item=slot.item.public_id, label=1)
    assert make.judge_all(alice, 1) == 1  # the other pair
    assert make.judge_all(make.person(project), 1) == 1
    pair_exclusions.include(slot.item, by=boss.user)
    assert make.judge_next(alice, 0).item == slot.item
    assert invariants.broken(project) == []
    acts = AuditEntry.objects.filter(public_id=slot.item.public_id).order_by("pk")
    assert list(acts.values_list("act", "by")) == [
        (Act.PAIR_EXCLUDED, boss.user.pk),
        (Act.PAIR_INCLUDED, boss.user.pk),
    ]


def test_an_answer_on_an_excluded_pair_is_not_undone_and_the_pair_stays_out_of_the_queue(project):
    make.pairs(project, 1)
    alice, boss = make.person(project), make.person(project).user
    pair = make.judge_next(alice).item
    pair_exclusions.exclude(pair, by=boss, **OFFENCE)
    assert make.undo(alice) is None
    project.items.update(set_aside_at=pair.created_at)
    order.put_back(project, [pair.public_id])
    assert not Judgment.objects.unanswered().exclude(queue_key=None).exists()
    for reason, note in (("dull", ""), ("other", " ")):
        with pytest.raises(Refused):
            pair_exclusions.exclude(pair, by=boss, reason=reason, note=note)
    with pytest.raises(Refused, match="already"):
        pair_exclusions.exclude(pair, by=boss, **OFFENCE)
    pair_exclusions.include(pair, by=boss)
    with pytest.raises(Refused, match="not excluded"):
        pair_exclusions.include(pair, by=boss)


@pytest.mark.both_engines
def test_an_excluded_gold_pair_is_not_shown_any_more(project):
    project.gold_every = 1
    project.save()
    first, second = make.gold_pairs(project, [1, 0])
    make.pairs(project, 3)
    pair_exclusions.exclude(first, by=make.person(project).user, **OFFENCE)
    make.judge_all(make.person(project), 1)
    assert not Judgment.objects.filter(item=first).exists()
    assert Judgment.objects.filter(item=second).exists()


def test_figures_and_lists_add_up_and_say_what_is_excluded(project):
    make.candidates(project, [(f"Ada met {n}.", f"{n} met Ada.") for n in range(3)])
    corrector = make.person(project)
    for _ in range(3):
        make.correct_next(corrector)
    judged.all_that_is_open(project, [1, 1, 1, 1, 0])
    pair = project.pairs.first()
    pair_exclusions.exclude(pair, by=corrector.user, **OFFENCE)
    counts = progress.of_project(project)
    assert [counts[name] for name in ("accepted", "pairs", "excluded", "decided", "kept")] == [
        *(3, 2, 1, 2, 2),
    ]
    assert (counts["judgments"], counts["to_judge"]) == (10, 0)
    (found,) = funnel.by_method(project, over_time.of_project(project))
    assert (found.pairs, found.excluded, found.judged.total, found.kept.total) == (2, 1, 2, 2)
    listed = {
        state: table.matching_pairs(project, PairFilters(state=state)).count()
        for state in table.STATES
    }
    assert (listed[""], listed["kept"], listed["decided"], listed["excluded"]) == (2, 2, 2, 1)
    assert table.matching_pairs(project, PairFilters(public_id=pair.public_id)).get() == pair
    assert list(agreement.differences(project)) == []


def test_the_next_release_leaves_an_excluded_pair_out_and_says_how_many(
    project, settings, tmp_path, capsys
):
    settings.RELEASES_DIR = tmp_path
    make.candidates(project, [("Ada met Bo.", "Bo met Ada."), ("Cy met Di.", "Di met Cy.")])
    corrector = make.person(project)
    for _ in range(2):
        make.correct_next(corrector)
    judged.all_that_is_open(project, [0, 0, 0, 0, 1])
    out = project.pairs.get(sentence1__text="Ada met Bo.")
    for rewritten in (out.sentence1, out.sentence2):
        make.rewrites(project, rewritten, [f"{rewritten.text} Bo met Ada indeed."])
    for pair in project.pairs.filter(sentence1__text__contains="Ada"):
        pair_exclusions.exclude(pair, by=corrector.user, **OFFENCE)
    release = freeze_version(project, version="1.0", dev=0, test=0)
    manifest = publication.write_files(release, folder_of(release)) or release.manifest
    assert manifest["counts"]["excluded"] == 3
    written = {path: path.read_bytes() for path in folder_of(release).rglob("*.*")}
    assert not [path for path, content in written.items() if b"Bo met Ada" in content]
    assert b"Managers excluded 3 pairs" in (folder_of(release) / "README.md").read_bytes()
    call_command("verify_release", str(folder_of(release)))
    call_command("report", project=project.name)
    assert "Excluded by managers" in capsys.readouterr().out
    assert Method.WORD_SWAP in manifest["counts"]["votes"]


@pytest.mark.both_engines
def test_candidates_without_a_pair_are_excluded_and_no_release_publishes_them(project):
    """A candidate that became a pair is excluded with it."""
    texts = [(f"{name} met Bo.", f"Bo met {name}.") for name in ("Ada", "Cy", "Di")]
    make.candidates(project, texts)
    corrector, boss = make.person(project), make.person(project).user
    rejected = make.correct_next(corrector, "reject").item
    accepted = make.correct_next(corrector).item
    held = make.claim(corrector, "correct").item
    items = (rejected, accepted, held)
    out = pair_exclusions.pairs_or_candidates(project, [item.public_id for item in items])
    pair_exclusions.exclude_all(out, by=boss, **OFFENCE)
    with pytest.raises(NotHeld):
        make.submit(corrector, item=held.public_id, action="accept")
    assert make.claim(corrector, "correct") is None
    assert make.undo(corrector, "correct") is None
    assert progress.of_project(project)["to_correct"] == 0
    assert project.pairs.get().excluded_by.by == boss
    assert list(study_of_release.candidates(project)) == []
    pair_exclusions.include_all(out, by=boss)
    assert len(list(study_of_release.candidates(project))) == len(texts)
    assert make.claim(corrector, "correct").item == held
    kinds = AuditEntry.objects.filter(act=Act.PAIR_EXCLUDED).values_list("kind", flat=True)
    assert sorted(kinds) == ["item", "item", "sentencepair"]


def test_no_repeat_of_an_excluded_pairs_candidate_is_released(project):
    """Another run has made the same rewrite, which was corrected once."""
    texts = [("Ada met Bo.", "Bo met Ada.")]
    make.candidates(project, texts)
    make.candidates(project, texts)
    corrector, boss = make.person(project), make.person(project).user
    make.correct_next(corrector)
    pair_exclusions.exclude(project.pairs.get(), by=boss, **OFFENCE)
    assert list(study_of_release.candidates(project)) == []


def test_a_kept_pair_is_reopened_only_if_that_was_asked_for(project):
    make.pairs(project, 2)
    judged.all_that_is_open(project, [1, 1, 1, 1, 1])
    by, pairs = make.person(project).user, list(project.pairs.values_list("public_id", flat=True))
    make.spare(project)
    assert agreement.reopen(project, pairs, by=by) == 0
    excluded = project.pairs.get(public_id=pairs[1])
    pair_exclusions.exclude(excluded, by=by, **OFFENCE)
    assert agreement.reopen(project, pairs, by=by, kept=True) == 1
    assert Consensus.objects.get().pair == excluded
