"""New pairs out of judged ones: by hand, and beside all walks of random graphs."""

from collections import defaultdict
from itertools import combinations, permutations, product

from hypothesis import given
from hypothesis import strategies as st

from releases.dataset.families import Components
from releases.dataset.recombination import recombine
from releases.dataset.rows import ReleasedPair

METHODS = st.sampled_from(["word_swap", "back_translation"])
PLACES = st.integers(0, 7)
graphs = st.lists(st.tuples(PLACES, PLACES, METHODS, st.sampled_from([0, 1, 1, None])), max_size=14)
# What is asked for, and how far that is: of eight sentences no arm is longer than 16.
REACHES = ((1, 1), (2, 2), (None, 16))


def judged(key, one, other, method, label):
    ends = {"text1": one, "text2": other}
    return ReleasedPair(key, one, other, method=method, label=label, **ends)


def swap(one, other, label):
    return judged(f"{one}/{other}", one, other, "word_swap", label)


def back(one, other, label=1):
    return judged(f"{one}>{other}", one, other, "back_translation", label)


def with_texts(pairs, texts):
    return [
        pair._replace(
            text1=texts.get(pair.text1, pair.text1), text2=texts.get(pair.text2, pair.text2)
        )
        for pair in pairs
    ]


def labels(pairs, **options):
    return {f"{p.sentence1} {p.sentence2}": p.label for p in recombine(pairs, **options).pairs}


def test_the_three_pairs_of_the_paper_and_sentences_of_one_text_are_one():
    pairs = [swap("s1", "s2", 0), back("s1", "t1"), back("s2", "t2")]
    made = recombine(pairs).pairs
    assert {(pair.sentence1, pair.sentence2): (pair.label, pair.via) for pair in made} == {
        ("s2", "t1"): (0, ("s1/s2", "s1>t1")),
        ("s1", "t2"): (0, ("s1/s2", "s2>t2")),
        ("t1", "t2"): (0, ("s1>t1", "s1/s2", "s2>t2")),
    }
    turned = [back("t2", "s2"), back("t1", "s1"), swap("s2", "s1", 0)]
    assert [pair.id for pair in recombine(turned).pairs] == [pair.id for pair in made]
    pairs = [swap("a", "b", 0), back("again", "c")]
    texts = {"a": "A dog.", "again": "A dog.", "b": "Dog a.", "c": "One dog."}
    assert labels(pairs) == {}
    assert labels(with_texts(pairs, texts)) == {"b c": 0}
    pairs = [swap("a", "b", 1), back("a", "c")]
    for equal in ({"c": "Dog a."}, {"b": "A dog."}):  # at the ends; and a swap undone by its fix
        assert labels(with_texts(pairs, texts | equal)) == {}, equal


def test_what_ways_say_by_hand():
    both_ways = [swap("a", "b", 1), back("a", "d"), swap("c", "b", 0), back("c", "d")]
    silent = [swap("a", "b", 0), back("a", "d", 0), swap("c", "b", 0), back("c", "d")]
    longer = [swap("a", "b", 1), back("a", "c"), back("c", "d"), swap("b", "e", 0)]
    longer += [back("e", "f"), back("f", "d")]
    loop = [swap("a", "b", 1), back("b", "c"), back("c", "d"), back("d", "b", 0), back("d", "e")]
    circle = [swap("a", "b", 0), back("a", "c"), back("b", "c"), back("c", "x"), back("c", "y")]
    of_circle = {"a x": 0, "b x": 0, "a y": 0, "b y": 0}
    for what, pairs, reach, made, conflicts, unknown in (
        ("paraphrases all along", [swap("a", "b", 1), back("a", "c")], 1, {"b c": 1}, 0, 0),
        ("one non-paraphrase", [swap("a", "b", 0), back("a", "c")], 1, {"b c": 0}, 0, 0),
        ("one of rewriting", [swap("a", "b", 1), back("a", "c", 0)], 1, {"b c": 0}, 0, 0),
        ("two non-paraphrases", [swap("a", "b", 0), back("a", "c", 0)], 1, {}, 0, 1),
        ("two ways, two labels", both_ways, 1, {}, 1, 0),
        ("an unknown label contradicts none", silent, 1, {"b d": 0}, 0, 0),
        ("swap not kept", [swap("a", "b", None), back("a", "c")], 1, {}, 0, 0),
        ("back translation not kept", [swap("a", "b", 1), back("a", "c", None)], 1, {}, 0, 0),
        ("swaps alone", [swap("a", "b", 1), swap("b", "c", 1)], 1, {}, 0, 0),
        ("back translations alone", [back("a", "b"), back("b", "c")], 1, {}, 0, 0),
        ("another label out of reach", longer, 1, {"b c": 1, "b f": 0}, 0, 0),
        ("another label in reach", longer, 2, {"b c": 1, "b f": 0}, 1, 0),
        ("rewrites that contradict each other", loop, None, {}, 3, 0),
        ("two rewrites of one text over a circle", circle, None, of_circle, 0, 1),
    ):
        found = recombine(pairs, reach=reach)
        assert labels(pairs, reach=reach) == made, what
        assert (found.conflicts, found.unknown) == (conflicts, unknown), what
    for label in (0, 1, None):  # judged already, kept or not
        assert labels([swap("a", "b", 0), back("a", "c"), back("c", "b", label)]) == {}, label


def test_a_chain_composes_every_two_texts_on_both_sides_of_the_swap_within_reach():
    ones = [back(f"a{n}", f"a{n + 1}") for n in range(3)]
    others = [back(f"b{n}", f"b{n + 1}") for n in range(3)]
    for reach, number in ((1, 3), (2, 8), (3, 15), (4, 15), (None, 15)):
        made = recombine([swap("a0", "b0", 0), *ones, *others], reach=reach).pairs
        assert len(made) == number
        assert max(len(pair.via) for pair in made) == 2 * min(reach or 3, 3) + 1
    # A dense cluster costs no more than its pairs: ways are not listed one by one.
    cluster = [back(f"n{one}", f"n{other}") for one, other in combinations(range(30), 2)]
    made = recombine([swap("a", "n0", 0), *cluster], reach=None).pairs
    assert [(pair.label, len(pair.via)) for pair in made] == [(0, 2)] * 29


def walks(pairs, reach):
    """The shortest walks between texts that were not judged, by non-paraphrases: none, one, more.

    A walk takes a swap pair, and up to `reach` back translations at either end of it.
    """
    steps = [
        (near, far, int(pair.label == 0), pair.method == "word_swap")
        for pair in pairs
        for near, far in permutations((pair.sentence1, pair.sentence2))
        if pair.label is not None and near != far
    ]
    arms = {text: {(text, 0): 0} for near, far, *_ in steps for text in (near, far)}
    for length in range(1, reach + 1):
        for some in arms.values():
            for (end, before), (near, far, zeros, is_swap) in product(some, steps):
                if end == near and not is_swap:
                    some.setdefault((far, min(2, before + zeros)), length)
    found = defaultdict(dict)
    known = {frozenset((pair.sentence1, pair.sentence2)) for pair in pairs}
    for near, far, zeros, is_swap in steps:
        for (end1, zeros1), (end2, zeros2) in product(arms[near], arms[far]):
            between, all_zeros = frozenset((end1, end2)), min(2, zeros1 + zeros + zeros2)
            length = arms[near][end1, zeros1] + 1 + arms[far][end2, zeros2]
            if is_swap and end1 != end2 and between not in known:
                found[between][all_zeros] = min(length, found[between].get(all_zeros, length))
    return found


@given(graphs, st.randoms(use_true_random=False))
def test_what_is_made_is_what_all_walks_say(edges, random):
    pairs = [judged(f"p{n}", f"s{a}", f"s{b}", *rest) for n, (a, b, *rest) in enumerate(edges)]
    by_id = {pair.id: pair for pair in pairs}
    usable = [p for p in pairs if p.method == "back_translation" and p.label is not None]
    joined = Components((pair.sentence1, pair.sentence2) for pair in usable)
    mixed = [
        judged(p.id, *random.sample((p.sentence1, p.sentence2), 2), p.method, p.label)
        for p in random.sample(pairs, len(pairs))
    ]
    for reach, far in REACHES:
        made, said = recombine(pairs, reach=reach), walks(pairs, far)
        assert recombine(mixed, reach=reach) == made
        got = {frozenset((pair.sentence1, pair.sentence2)) for pair in made.pairs}
        agreeing = {ends for ends, some in said.items() if len(some.keys() - {2}) == 1}
        assert got <= agreeing
        for pair in made.pairs:
            assert (
                len(pair.via) == said[frozenset((pair.sentence1, pair.sentence2))][1 - pair.label]
            )
            passed = [pair.sentence1]
            for key in pair.via:
                passed += {by_id[key].sentence1, by_id[key].sentence2} - {passed[-1]}
            assert (passed[-1], len({*passed})) == (pair.sentence2, len(pair.via) + 1)
            assert [by_id[key].label for key in pair.via].count(0) == 1 - pair.label
            (place,) = (n for n, key in enumerate(pair.via) if by_id[key].method == "word_swap")
            assert max(place, len(pair.via) - 1 - place) <= far
        assert made.conflicts == sum({0, 1} <= some.keys() for some in said.values())
        assert len(got) + made.conflicts + made.unknown == len(said)
        # Left out is only what back translations alone connect; nothing at one step.
        for one, other in agreeing - got:
            assert reach != 1
            assert joined.find(one) == joined.find(other)
