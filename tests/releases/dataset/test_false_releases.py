"""A release that is whole and signed, but written from a false plan or false rows."""

from dataclasses import replace
from types import SimpleNamespace

from releases.dataset import rules
from releases.dataset.placement import flipped
from releases.dataset.reader import read_release
from releases.dataset.verification import verify
from tests.releases.dataset.studies import planned, study, write
from tests.releases.dataset.test_files import EXPECTED


def written(folder, change):
    """The release of a study whose pairs and rows `change` has falsified."""
    some = study(families=60)
    made = planned(some)
    false = SimpleNamespace(
        pairs=list(made.pairs), silver=list(made.silver),
        sentences=some.sentences, judgments=some.judgments,
    )  # fmt: skip
    change(false)
    write(folder, some, replace(made, pairs=tuple(false.pairs), silver=tuple(false.silver)))
    return folder


def final(pair):
    return (pair.origin, pair.subset, pair.split) == ("judged", "labeled_final", "train")


def composed(pair):
    return (pair.origin, pair.split, pair.label) == ("recombined", "train", 0)


def first(which, **new):
    def change(it):
        pair = next(filter(which, it.pairs))
        it.pairs[it.pairs.index(pair)] = pair._replace(**new)

    return change


def circle_of_rewrites(it):
    it.sentences[0] = it.sentences[0]._replace(rewritten_from=it.sentences[1].id)


def via_of_another(it):
    first(composed, via=list(filter(composed, it.pairs))[-1].via)(it)


def equal_pair_in_test(it):
    equal = {pair for pair in it.pairs if pair.text1 == pair.text2}
    first(lambda p: p in equal and p.kept, subset="labeled_final", split="test")(it)


def turn(it, pair):
    it.pairs[it.pairs.index(pair)] = flipped(pair)


def unmask_sides(it):
    parents = {row.id: row.rewritten_from for row in it.sentences}
    for pair in [pair for pair in it.pairs if parents[pair.sentence1] == pair.sentence2]:
        turn(it, pair)


def share_a_source(it):
    # Two pairs of one source, unconnected otherwise, in two splits.
    pair = next(filter(composed, it.pairs))
    sources = {row.id: row.source for row in it.sentences}
    far = {key for key in sources if sources[key] not in {pair.sentence1, pair.sentence2}}
    other = next(p for p in it.pairs if p.split == "test" and p.sentence1 in far)
    place = list(sources).index(other.sentence1)
    it.sentences[place] = it.sentences[place]._replace(source=sources[pair.sentence1])


def add_a_noisy_label_of_two(it):
    it.silver.append(it.silver[-1]._replace(id="x", label=2))


def keep_where_too_few_agree(it):
    too_few = {"kept": True, "label": 1, "subset": "labeled_final", "split": "train"}
    first(lambda pair: not pair.kept, **too_few)(it)


def move_families(it):
    splits = {"test": "dev", "dev": "test"}
    it.pairs = [pair._replace(split=splits.get(pair.split, pair.split)) for pair in it.pairs]
    it.silver.clear()


BROKEN = [
    (rules.sentences_refer, lambda it: it.sentences.append(it.sentences[-1]), "an id comes twice"),
    (rules.sentences_refer, lambda it: it.sentences.pop(0), "which is not there"),
    (rules.sentences_refer, circle_of_rewrites, "does not come from its source"),
    (rules.pairs_refer, lambda it: it.sentences.pop(), "which is not there"),
    (rules.pairs_refer, lambda it: it.pairs.append(it.pairs[-1]), "an id comes twice"),
    (rules.pairs_refer, first(composed, via=("nothing",)), "is not made of judged pairs"),
    (rules.pairs_refer, first(final, via=("nothing",)), "is not made of judged pairs"),
    (rules.noisy_labels_are_binary, lambda it: it.silver.append(it.silver[-1]), "comes twice"),
    (rules.noisy_labels_are_binary, add_a_noisy_label_of_two, "the label 2"),
    (rules.families_stay_together, first(composed, split="test"), "to a pair in train"),
    (rules.families_stay_together, share_a_source, "is connected to a pair in train"),
    (rules.no_equal_sentences_to_test_on, equal_pair_in_test, "has two equal sentences"),
]


def test_each_rule_is_broken_by_a_false_plan_and_by_no_true_one(release, tmp_path, subtests):
    true = read_release(release)
    assert [found for rule in (*rules.REFERENCES, *rules.RULES) for found in rule(true)] == []
    words = (EXPECTED / "broken_rules.txt").read_text().splitlines()
    for number, (rule, change, what) in enumerate(BROKEN):
        with subtests.test(rule=rule.__name__, what=what):
            folder = written(tmp_path / str(number), change)
            found = list(map(str, rule(read_release(folder))))
            assert what in found[0], found
            assert found[0] == words[number]
            told = list(map(str, verify(folder)))
            # Where a source is not the sentence's own, that is told alone.
            assert found[0] in told or (told and change is share_a_source)


# What breaks no rule, but is not what the settings give.
FALSE = [
    (lambda it: turn(it, next(filter(final, it.pairs))), "sentence1 of "),
    (lambda it: it.pairs.remove(next(filter(composed, it.pairs))), " is missing"),
    (move_families, "split of "),
    (unmask_sides, "sentence1 of "),
    (via_of_another, "via of "),
    (first(lambda p: final(p) and p.label, label=0), "label of "),
    (first(composed, label=1), "label of "),
    (keep_where_too_few_agree, "label of "),
    (first(lambda p: p.votes == (0, 5), votes=(1, 4)), "is (1, 4), not (0, 5)"),
]


def test_what_breaks_no_rule_but_is_not_what_the_settings_give_is_found(tmp_path, subtests):
    for number, (change, what) in enumerate(FALSE):
        with subtests.test(what=what):
            release = read_release(written(tmp_path / str(number), change))
            assert [found for rule in rules.RULES for found in rule(release)] == []
            assert what in str(verify(release.folder)[0])
    # Many differences are cut short.
    found = list(map(str, verify(written(tmp_path / "1.0", lambda it: it.judgments.clear()))))
    assert sum("votes of " in what for what in found) <= 20
    assert any(what.startswith("pairs.jsonl: and ") for what in found)
