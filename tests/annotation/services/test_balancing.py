"""From corrected swaps over back translations of both sides to a release with a balanced set."""

from collections import Counter

import pytest

from annotation.dataset.verification import verify
from annotation.models import Correction, Recusal
from annotation.services import intake, projects, releases
from generation import selectors
from generation.methods import translators
from generation.services import runs, worker
from tests.annotation import cast
from tests.annotation.frozen import plan_of
from tests.generation.nlp.toy_translators import Marked, Unmarked

pytestmark = pytest.mark.django_db

ACCEPTED, FIXED = 3, 2
FAMILIES = ACCEPTED + FIXED
LONG = " and again" * 20
SETTINGS = {"forward": "there", "backward": "back", "k": 2, "max_rewrites": 1, "max_tokens": 20}


def corrected_swaps():
    """Swaps of which three are accepted, two fixed and one rejected; and a long one, accepted."""
    project = cast.study()
    pairs = [(f"Mara {n} met Tobias in Rome.", f"Tobias {n} met Mara in Rome.") for n in range(6)]
    cast.candidates(project, [*pairs, (f"Mara met{LONG}.", f"Met Mara{LONG}.")])
    corrector = cast.person(project)
    fixes = [("fix", f"In Rome Tobias {n} met Mara again.") for n in range(FIXED)]
    for answer in (*[("accept",)] * ACCEPTED, *fixes, ("reject",), ("accept",)):
        cast.correct_next(corrector, *answer)
    return project


def translated(project, monkeypatch):
    """A finished run over the pairs of the swaps, taken in, after a preview, which is not."""
    toys = {"there": Marked(), "back": Unmarked()}
    swaps = project.runs.get()
    monkeypatch.setattr(translators, "load", lambda name, **_: toys[name])
    monkeypatch.setattr(translators, "identify", lambda name: dict(toys[name].identity))
    for preview in (True, False):
        options = {"settings": SETTINGS, "seed": 3, "pairs_of": [swaps], "preview": preview}
        run = runs.start(swaps.corpus, method="back_translation", **options)
        worker.work_until_idle(run)
        assert run.candidate_set.exists()
        projects.adopt(project, run)
        assert (intake.take_in(project) == 0) == preview
    return run


def test_both_sentences_of_swaps_are_rewritten_and_judged_and_a_release_of_all_is_balanced(
    tmp_path, monkeypatch
):
    project = corrected_swaps()
    run = translated(project, monkeypatch)
    assert selectors.funnel(run) == {"accepted": 2 * FAMILIES, "too_long": 2}
    swaps = project.pairs.filter(candidate__run__method="word_swap")
    finals = swaps.exclude(sentence1__text__contains=LONG)
    texts = [text for pair in finals for text in (pair.sentence1.text, pair.sentence2.text)]
    assert sorted(run.candidate_set.values_list("sentence__text", flat=True)) == sorted(texts)
    columns = run.candidate_set.values_list("rank", "kind", "similarity")
    assert set(columns) == {(0, "word order", 1.0)}
    assert not Correction.objects.filter(candidate__run=run).exists()
    pairs = project.pairs.filter(candidate__run=run)
    assert [pair.judgments.count() for pair in pairs] == [5] * 2 * FAMILIES
    recusals = Recusal.objects.filter(pair__candidate__run=run)
    origins = recusals.values_list("pair__sentence1__candidate__run__method", flat=True)
    assert list(origins) == ["word_swap"] * FAMILIES

    for _ in range(5):
        cast.judge_by_method(cast.person(project))
    frozen = releases.freeze(project, version="1.0", dev=0, test=0, unlabeled_dev=0)
    releases.write(frozen, tmp_path / "release")
    assert verify(tmp_path / "release") == []
    plan = plan_of(frozen)
    assert Counter((p.origin, p.method, p.label, p.subset) for p in plan.pairs) == {
        ("judged", "word_swap", 0, "labeled_final"): FAMILIES,
        ("judged", "word_swap", 0, "labeled_swap"): 1,
        ("judged", "back_translation", 1, "labeled_final"): 2 * FAMILIES,
        ("recombined", "recombined", 0, "labeled_final"): 3 * FAMILIES,
    }
    assert Counter((pair.method, pair.noisy_label) for pair in plan.silver) == {
        ("word_swap", 0): FAMILIES + 1 + 1,
        ("back_translation", 1): 2 * FAMILIES,
        # Of a fixed swap both the machine's and the corrected sentence meet the source's rewrite.
        ("recombined", 0): 3 * ACCEPTED + 4 * FIXED,
    }
