"""A release that is whole and signed, but written from a false plan, breaks a rule."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from annotation.dataset import rules
from annotation.dataset.plan import ReleasePlan
from annotation.dataset.reading import read_release
from annotation.dataset.rows import ReleasedPair
from annotation.dataset.verification import verify
from tests.annotation.dataset.studies import Study, study
from tests.annotation.dataset.verification.tampering import planned, write

Change = Callable[[ReleasePlan, Study], ReleasePlan]


def change_first(
    made: ReleasePlan, which: Callable[[ReleasedPair], bool], **new: object
) -> ReleasePlan:
    """The plan with other values in the first pair of a kind."""
    first = next(pair for pair in made.pairs if which(pair))
    pairs = (pair._replace(**new) if pair is first else pair for pair in made.pairs)  # type: ignore[arg-type]
    return replace(made, pairs=tuple(pairs))


def final(pair: ReleasedPair) -> bool:
    return (pair.origin, pair.subset, pair.split) == ("judged", "labeled_final", "train")


def composed(pair: ReleasedPair) -> bool:
    return (pair.origin, pair.split, pair.label) == ("recombined", "train", 0)


def flipped_label(made: ReleasePlan, some: Study) -> ReleasePlan:
    return change_first(made, lambda pair: final(pair) and pair.label == 1, label=0)


def flipped_recombined_label(made: ReleasePlan, some: Study) -> ReleasePlan:
    return change_first(made, composed, label=1)


def invented_votes(made: ReleasePlan, some: Study) -> ReleasePlan:
    return change_first(made, lambda pair: pair.votes == (0, 5), votes=(1, 4))


def pair_not_kept_in_the_final_set(made: ReleasePlan, some: Study) -> ReleasePlan:
    def low(pair: ReleasedPair) -> bool:
        return pair.subset == "low_agreement"

    return change_first(made, low, kept=True, label=1, subset="labeled_final", split="train")


def moved_pair(made: ReleasePlan, some: Study) -> ReleasePlan:
    return change_first(made, composed, split="test")


def shared_source(made: ReleasePlan, some: Study) -> ReleasePlan:
    """Two pairs of one source, unconnected otherwise, in two splits."""
    first = next(pair for pair in made.pairs if composed(pair))
    relatives = {first.sentence1, first.sentence2}
    sources = {row.id: row.source for row in some.sentences}
    other = next(
        p for p in made.pairs if p.split == "test" and sources[p.sentence1] not in relatives
    )
    some.sentences[:] = [
        row._replace(source=sources[first.sentence1]) if row.id == other.sentence1 else row
        for row in some.sentences
    ]
    return made


def equal_pair_in_test(made: ReleasePlan, some: Study) -> ReleasePlan:
    def equal(pair: ReleasedPair) -> bool:
        return made.texts[pair.sentence1] == made.texts[pair.sentence2] and pair.kept

    return change_first(made, equal, subset="labeled_final", split="test")


def sides_unmasked(made: ReleasePlan, some: Study) -> ReleasePlan:
    parents = {row.id: row.rewritten_from for row in some.sentences}
    pairs = (
        pair._replace(sentence1=pair.sentence2, sentence2=pair.sentence1)
        if parents[pair.sentence1] == pair.sentence2
        else pair
        for pair in made.pairs
    )
    return replace(made, pairs=tuple(pairs))


def via_of_another(made: ReleasePlan, some: Study) -> ReleasePlan:
    other = [pair for pair in made.pairs if composed(pair)][-1]
    return change_first(made, composed, via=other.via)


def sentence_twice(made: ReleasePlan, some: Study) -> ReleasePlan:
    some.sentences.append(some.sentences[-1])
    return made


def pair_twice(made: ReleasePlan, some: Study) -> ReleasePlan:
    return replace(made, pairs=(*made.pairs, made.pairs[-1]))


def made_of_no_judged_pair(made: ReleasePlan, some: Study) -> ReleasePlan:
    return change_first(made, composed, via=("nothing",))


def noisy_pair_twice(made: ReleasePlan, some: Study) -> ReleasePlan:
    return replace(made, silver=(*made.silver, made.silver[-1]))


def noisy_label_of_no_method(made: ReleasePlan, some: Study) -> ReleasePlan:
    return replace(made, silver=(made.silver[0]._replace(noisy_label=2), *made.silver[1:]))


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (sentence_twice, rules.sentences_refer),
        (pair_twice, rules.pairs_refer),
        (made_of_no_judged_pair, rules.pairs_refer),
        (noisy_pair_twice, rules.noisy_labels_are_binary),
        (noisy_label_of_no_method, rules.noisy_labels_are_binary),
        (flipped_label, rules.labels_follow),
        (flipped_recombined_label, rules.labels_follow),
        (pair_not_kept_in_the_final_set, rules.labels_follow),
        (invented_votes, rules.votes_are_judgments),
        (moved_pair, rules.families_stay_together),
        (shared_source, rules.families_stay_together),
        (equal_pair_in_test, rules.no_equal_sentences_to_test_on),
        (sides_unmasked, rules.sides_are_even),
        (via_of_another, rules.via_connects),
    ],
)
def test_a_release_written_from_a_false_plan_breaks_a_rule(
    tmp_path: Path, change: Change, rule: rules.Rule
) -> None:
    some = study(families=150)
    made = planned(some)
    write(tmp_path / "1.0.0", change(made, some), some)
    assert list(rule(read_release(tmp_path / "1.0.0")))
    assert verify(tmp_path / "1.0.0")


def turned_pair(made: ReleasePlan, some: Study) -> ReleasePlan:
    first = next(pair for pair in made.pairs if final(pair))
    return change_first(made, final, sentence1=first.sentence2, sentence2=first.sentence1)


def dropped_recombined_pair(made: ReleasePlan, some: Study) -> ReleasePlan:
    first = next(pair for pair in made.pairs if composed(pair))
    return replace(made, pairs=tuple(pair for pair in made.pairs if pair is not first))


def whole_family_moved(made: ReleasePlan, some: Study) -> ReleasePlan:
    splits = {"test": "dev", "dev": "test"}
    pairs = (pair._replace(split=splits.get(pair.split or "", pair.split)) for pair in made.pairs)  # type: ignore[arg-type]
    return replace(made, pairs=tuple(pairs), silver=())


@pytest.mark.parametrize("change", [turned_pair, dropped_recombined_pair, whole_family_moved])
def test_what_breaks_no_rule_but_is_not_what_the_settings_give_is_found(
    tmp_path: Path, change: Change
) -> None:
    some = study(families=150)
    write(tmp_path / "1.0.0", change(planned(some), some), some)
    release = read_release(tmp_path / "1.0.0")
    assert [difference for rule in rules.RULES for difference in rule(release)] == []
    assert verify(tmp_path / "1.0.0")
