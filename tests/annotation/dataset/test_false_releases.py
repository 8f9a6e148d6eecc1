"""A release that is whole and signed, but written from a false plan or false rows."""

from dataclasses import replace

from annotation.dataset import rules
from annotation.dataset.reading import read_release
from annotation.dataset.verification import verify
from tests.annotation.dataset.studies import planned, study, write


# Changes of the rows that are written beside the plan.
def rows_changed(change):
    def changed_rows(made, some):
        change(some)
        return made

    return changed_rows


def circle(some):
    some.sentences[0] = some.sentences[0]._replace(rewritten_from=some.sentences[1].id)


def final(pair):
    return (pair.origin, pair.subset, pair.split) == ("judged", "labeled_final", "train")


def composed(pair):
    return (pair.origin, pair.split, pair.label) == ("recombined", "train", 0)


def first_of(made, which):
    return next(pair for pair in made.pairs if which(pair))


def changed(made, which, **new):
    """The plan with other values in the first pair of a kind."""
    first = first_of(made, which)
    pairs = (pair._replace(**new) if pair is first else pair for pair in made.pairs)
    return replace(made, pairs=tuple(pairs))


def first(which, **new):
    return lambda made, some: changed(made, which, **new)


def more_pairs(made, some):
    return replace(made, pairs=(*made.pairs, made.pairs[-1]))


def more_silver(**new):
    return lambda made, some: replace(made, silver=(*made.silver, made.silver[-1]._replace(**new)))


def equal_pair_in_test(made, some):
    def equal(pair):
        return made.texts[pair.sentence1] == made.texts[pair.sentence2] and pair.kept

    return changed(made, equal, subset="labeled_final", split="test")


def turned(made, which):
    pairs = [
        pair._replace(sentence1=pair.sentence2, sentence2=pair.sentence1) if which(pair) else pair
        for pair in made.pairs
    ]
    return replace(made, pairs=tuple(pairs))


def sides_unmasked(made, some):
    parents = {row.id: row.rewritten_from for row in some.sentences}
    return turned(made, lambda pair: parents[pair.sentence1] == pair.sentence2)


def via_of_another(made, some):
    other = [pair for pair in made.pairs if composed(pair)][-1]
    return changed(made, composed, via=other.via)


def shared_source(made, some):
    """Two pairs of one source, unconnected otherwise, in two splits."""
    first = first_of(made, composed)
    sources = {row.id: row.source for row in some.sentences}
    relatives = {first.sentence1, first.sentence2}
    other = first_of(made, lambda p: p.split == "test" and sources[p.sentence1] not in relatives)
    some.sentences[:] = [
        row._replace(source=sources[first.sentence1]) if row.id == other.sentence1 else row
        for row in some.sentences
    ]
    return made


no_judgments = rows_changed(lambda some: some.judgments.clear())
too_few = {"kept": True, "label": 1, "subset": "labeled_final", "split": "train"}
FALSE = [
    (
        rows_changed(lambda some: some.sentences.append(some.sentences[-1])),
        rules.sentences_refer,
        "an id comes twice",
    ),
    (rows_changed(circle), rules.sentences_refer, "does not come from its source"),
    (rows_changed(lambda some: some.sentences.pop(0)), rules.sentences_refer, "which is not there"),
    (rows_changed(lambda some: some.sentences.pop()), rules.pairs_refer, "which is not there"),
    (more_pairs, rules.pairs_refer, "an id comes twice"),
    (first(composed, via=("nothing",)), rules.pairs_refer, "is not made of judged pairs"),
    (first(final, via=("nothing",)), rules.pairs_refer, "is not made of judged pairs"),
    (more_silver(), rules.noisy_labels_are_binary, "comes twice"),
    (more_silver(id="new", noisy_label=2), rules.noisy_labels_are_binary, "new has the label 2"),
    (first(lambda p: final(p) and p.label, label=0), rules.labels_follow, "the label 0, kept True"),
    (first(composed, label=1), rules.labels_follow, "has the label 1, kept True, not 0"),
    (first(lambda p: not p.kept, **too_few), rules.labels_follow, "label 1, kept True, not None"),
    (
        first(lambda p: p.votes == (0, 5), votes=(1, 4)),
        rules.votes_are_judgments,
        "(1, 4), and its",
    ),
    (no_judgments, rules.votes_are_judgments, "and its judgments are (0, 0)"),
    (first(composed, split="test"), rules.families_stay_together, "connected to a pair in train"),
    (shared_source, rules.families_stay_together, "is connected to a pair in train"),
    (equal_pair_in_test, rules.no_equal_sentences_to_test_on, "has two equal sentences"),
    (sides_unmasked, rules.sides_are_even, "the original stands first in"),
    (via_of_another, rules.via_connects, "does not connect its sentences"),
]


def written(folder, change):
    some = study(families=60)
    write(folder, some, change(planned(some), some))
    return folder


def test_each_rule_is_broken_by_a_false_plan_and_by_no_true_one(release, tmp_path, subtests):
    true = read_release(release)
    for rule in (*rules.REFERENCES, *rules.RULES):
        assert list(rule(true)) == [], rule
    for number, (change, rule, what) in enumerate(FALSE):
        with subtests.test(change=change, rule=rule):
            folder = written(tmp_path / str(number), change)
            found = list(map(str, rule(read_release(folder))))
            assert what in found[0], found
            told = list(map(str, verify(folder)))
            assert told
            assert found[0] in told or change is shared_source  # whose reference is told alone


def families_moved(made, some):
    splits = {"test": "dev", "dev": "test"}
    pairs = (pair._replace(split=splits.get(pair.split, pair.split)) for pair in made.pairs)
    return replace(made, pairs=tuple(pairs), silver=())


def test_what_breaks_no_rule_but_is_not_what_the_settings_give_is_found(tmp_path):
    def turned_pair(made, some):
        return turned(made, {first_of(made, final)}.__contains__)

    def missing_pair(made, some):
        left = {*made.pairs} - {first_of(made, composed)}
        return replace(made, pairs=tuple(pair for pair in made.pairs if pair in left))

    told = {turned_pair: "sentence1 of ", missing_pair: "missing", families_moved: "split of "}
    for change, what in told.items():
        folder = written(tmp_path / what, change)
        release = read_release(folder)
        assert [found for rule in rules.RULES for found in rule(release)] == [], change
        assert what in str(verify(folder)[0]), change


def test_many_differences_are_cut_short(tmp_path):
    found = list(map(str, verify(written(tmp_path / "1.0", no_judgments))))
    judged = len(study(families=60).pairs)
    assert sum("has votes" in what for what in found) == 20
    assert f"pairs.jsonl: and {judged - 20} more" in found
