"""From corrected swaps over back translations of both sides to a release with a balanced set."""

from collections import Counter

import pytest

from annotation.dataset.verification import verify
from annotation.models import Correction, Recusal
from annotation.services import intake, projects, releases
from generation import selectors
from generation.methods import translators
from generation.models import Candidate, GenerationRun
from generation.services import runs, worker
from tests.annotation import cast
from tests.annotation.frozen import plan_of
from tests.generation.nlp.toy_translators import Marked, Unmarked

pytestmark = pytest.mark.django_db

ACCEPTED, FIXED = 3, 2
LONG = " and again" * 20
SETTINGS = {"forward": "there", "backward": "back", "k": 2, "max_rewrites": 1, "max_tokens": 20}


@pytest.fixture
def project():
    """Swaps of which three are accepted, two fixed and one rejected; and a long one, accepted."""
    project = cast.study()
    pairs = [(f"Mara {n} met Tobias in Rome.", f"Tobias {n} met Mara in Rome.") for n in range(6)]
    cast.candidates(project, [*pairs, (f"Mara met{LONG}.", f"Met Mara{LONG}.")])
    corrector = cast.person(project)
    for _ in range(ACCEPTED):
        cast.correct_next(corrector)
    for n in range(FIXED):
        cast.correct_next(corrector, "fix", f"In Rome Tobias {n} met Mara again.")
    cast.correct_next(corrector, "reject")
    cast.correct_next(corrector)
    return project


@pytest.fixture
def toys(monkeypatch):
    toys = {"there": Marked(), "back": Unmarked()}
    monkeypatch.setattr(translators, "load", lambda name, **_: toys[name])
    monkeypatch.setattr(translators, "identify", lambda name: dict(toys[name].identity))


@pytest.fixture
def translated(project, toys):
    """A finished run over the pairs of the swaps, taken in."""
    return back_translate(project, SETTINGS)


def back_translate(project, settings):
    swaps = project.runs.get()
    run = runs.start(
        swaps.corpus, method="back_translation", settings=settings, seed=3, pairs_of=[swaps]
    )
    worker.work_until_idle(run)
    run.refresh_from_db()
    cast.adopt(project, run)
    return run


def test_both_sentences_of_each_pair_are_rewritten(project, translated):
    assert translated.state == GenerationRun.State.DONE
    assert selectors.funnel(translated) == {"accepted": 2 * (ACCEPTED + FIXED), "too_long": 2}
    rewritten = set(translated.candidate_set.values_list("sentence__text", flat=True))
    finals = project.pairs.filter(candidate__run__method="word_swap").exclude(
        sentence1__text__contains=LONG
    )
    assert rewritten == {
        text for pair in finals for text in (pair.sentence1.text, pair.sentence2.text)
    }


def test_back_translations_are_judged_without_correction(project, translated):
    assert not Correction.objects.filter(candidate__run=translated).exists()
    pairs = project.pairs.filter(candidate__run=translated)
    assert pairs.count() == 2 * (ACCEPTED + FIXED)
    assert {pair.judgments.count() for pair in pairs} == {5}


def test_whoever_corrected_a_swap_does_not_judge_what_was_made_of_it(project, translated):
    recusals = Recusal.objects.filter(pair__candidate__run=translated)
    assert recusals.count() == ACCEPTED + FIXED
    assert all(recusal.pair.sentence1.candidate for recusal in recusals)


def test_candidates_keep_what_they_were_chosen_by(translated):
    for candidate in translated.candidate_set.all():
        assert (candidate.rank, candidate.kind, candidate.similarity) == (0, "word order", 1.0)
        assert candidate.inversion_rate > 0.02
        assert candidate.score < 0


@pytest.fixture
def release(project, translated, tmp_path):
    """All judged as PAWS found it, and released for training alone."""
    for _ in range(5):
        cast.judge_by_method(cast.person(project))
    frozen = releases.freeze(project, version="1.0", dev=0, test=0, unlabeled_dev=0)
    releases.write(frozen, tmp_path / "release")
    assert verify(tmp_path / "release") == []
    return frozen


def test_labels_are_balanced_by_recombination(release):
    kept = Counter((p.origin, p.method, p.label, p.subset) for p in plan_of(release).pairs)
    families = ACCEPTED + FIXED
    assert kept == {
        ("judged", "word_swap", 0, "labeled_final"): families,
        ("judged", "word_swap", 0, "labeled_swap"): 1,
        ("judged", "back_translation", 1, "labeled_final"): 2 * families,
        ("recombined", "recombined", 0, "labeled_final"): 3 * families,
    }


def test_candidates_are_labelled_by_their_methods_and_recombined_alike(release):
    silver = Counter((pair.method, pair.noisy_label) for pair in plan_of(release).silver)
    assert silver == {
        ("word_swap", 0): ACCEPTED + FIXED + 1 + 1,
        ("back_translation", 1): 2 * (ACCEPTED + FIXED),
        # Of a fixed swap both the machine's and the corrected sentence meet the source's rewrite.
        ("recombined", 0): 3 * ACCEPTED + 4 * FIXED,
    }


def test_a_preview_of_a_run_over_pairs_enters_nothing(project, toys):
    swaps = project.runs.get()
    run = runs.start(
        swaps.corpus, method="back_translation", settings=SETTINGS, pairs_of=[swaps], preview=True
    )
    worker.work_until_idle(run)
    projects.adopt(project, run)
    assert run.candidate_set.exists()
    assert intake.take_in(project) == 0


def test_real_models_make_a_run_as_well(project, settings, tmp_path):
    from tests.generation.nlp.adapters.tiny_translators import marian  # noqa: PLC0415 takes seconds

    settings.DATA_DIR = tmp_path
    translators.load.cache_clear()
    for seed, name in enumerate(("tiny-en-de", "tiny-de-en")):
        marian(tmp_path / "models" / name, seed=4 * seed)
    anything = {"min_similarity": 0, "reordered_share": 0, "k": 2, "max_tokens": 20}
    run = back_translate(project, {"forward": "tiny-en-de", "backward": "tiny-de-en"} | anything)
    assert run.state == GenerationRun.State.DONE
    assert {part["name"] for part in run.model_identities.values()} == {"tiny-en-de", "tiny-de-en"}
    made = Candidate.objects.filter(run=run)
    assert made.filter(rank=1).exists()
    assert project.pairs.filter(candidate__run=run).count() == made.count()
