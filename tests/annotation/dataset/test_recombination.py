"""New pairs out of judged ones: by hand, and beside all paths and walks of random graphs."""

from collections import defaultdict
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.components import Components
from annotation.dataset.recombination import Arm, JudgedPair, recombine

METHODS = st.sampled_from(["word_swap", "back_translation"])
PLACES = st.integers(0, 7)
graphs = st.lists(st.tuples(PLACES, PLACES, METHODS, st.sampled_from([0, 1, 1, None])), max_size=14)
# What is asked for, and how far that is: of eight sentences no arm is longer than 16.
REACHES = ((1, 1), (2, 2), (None, 16))


def swap(sentence1, sentence2, label):
    return JudgedPair(f"{sentence1}/{sentence2}", sentence1, sentence2, "word_swap", label)


def back(sentence1, sentence2, label=1):
    return JudgedPair(f"{sentence1}>{sentence2}", sentence1, sentence2, "back_translation", label)


def labels(pairs, **options):
    made = recombine(pairs, **options).pairs
    return {f"{pair.sentence1} {pair.sentence2}": pair.label for pair in made}


def test_the_three_pairs_of_the_paper():
    pairs = [swap("s1", "s2", 0), back("s1", "t1"), back("s2", "t2")]
    assert labels(pairs) == {"s2 t1": 0, "s1 t2": 0, "t1 t2": 0}
    vias = {(pair.sentence1, pair.sentence2): pair.via for pair in recombine(pairs).pairs}
    assert vias["t1", "t2"] == ("s1>t1", "s1/s2", "s2>t2")
    assert vias["s2", "t1"] == ("s1/s2", "s1>t1")
    turned = [back("t2", "s2"), back("t1", "s1"), swap("s2", "s1", 0)]
    assert [pair.id for pair in recombine(turned).pairs] == [p.id for p in recombine(pairs).pairs]


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


def test_sentences_of_one_text_are_one():
    pairs = [swap("a", "b", 0), back("again", "c")]
    texts = {"a": "A dog.", "again": "A dog.", "b": "Dog a.", "c": "One dog."}
    assert labels(pairs) == {}
    assert labels(pairs, texts=texts) == {"b c": 0}
    pairs = [swap("a", "b", 1), back("a", "c")]
    for equal in ({"c": "Dog a."}, {"b": "A dog."}):  # at the ends; and a swap undone by its fix
        assert labels(pairs, texts=texts | equal) == {}, equal


def chain(name, label=0):
    """A swap with three back translations of back translations at either end."""
    ones = [back(f"{name}{n}", f"{name}{n + 1}") for n in range(3)]
    others = [back(f"{name}-{n}", f"{name}-{n + 1}") for n in range(3)]
    return [swap(f"{name}0", f"{name}-0", label), *ones, *others]


def test_a_chain_composes_every_two_texts_on_both_sides_of_the_swap_within_reach():
    for reach, number in ((1, 3), (2, 8), (3, 15), (4, 15), (None, 15)):
        composed = recombine(chain("s"), reach=reach).pairs
        assert len(composed) == number == ((min(reach or 3, 3) + 1) ** 2) - 1
        assert max(len(pair.via) for pair in composed) == 2 * min(reach or 3, 3) + 1


def test_the_work_grows_with_what_is_composed(monkeypatch):
    names = [f"n{number}" for number in range(30)]
    cluster = [back(one, other) for one, other in combinations(names, 2)]
    made = recombine([swap("a", "n0", 0), *cluster], reach=None)
    assert [(pair.label, len(pair.via)) for pair in made.pairs] == [(0, 2)] * 29
    steps, extended = [], Arm.extended
    monkeypatch.setattr(Arm, "extended", lambda *given_: steps.append(1) or extended(*given_))
    done = []
    for number in (10, 20, 40):
        steps.clear()
        recombine([pair for n in range(number) for pair in chain(f"c{n}")], reach=None)
        done.append(len(steps))
    assert done == [done[0], 2 * done[0], 4 * done[0]]


@st.composite
def forests(draw):
    """Sentences that are each rewritten from at most one before them."""
    kinds = st.tuples(METHODS, st.sampled_from([0, 1, 1]))
    size = draw(PLACES) + 1
    return [(draw(st.integers(0, child - 1)), child, *draw(kinds)) for child in range(1, size + 1)]


def judged(edges):
    return [JudgedPair(f"p{n}", f"s{a}", f"s{b}", *rest) for n, (a, b, *rest) in enumerate(edges)]


def both_directions(pairs):
    usable = [pair for pair in pairs if pair.label is not None]
    return [(p.sentence1, p.sentence2, p) for p in usable] + [
        (p.sentence2, p.sentence1, p) for p in usable
    ]


def direct(pairs):
    return {frozenset((pair.sentence1, pair.sentence2)) for pair in pairs}


def paths(pairs, reach):
    """Non-paraphrases and length of each path between texts that were not judged, by its ends.

    A path passes no text twice: a swap with up to `reach` back translations at either end.
    """
    found, known, steps = defaultdict(set), direct(pairs), both_directions(pairs)
    stack = [((start,), (), (0,)) for start in {near for near, *_ in steps}]
    while stack:
        texts, zeros, stretches = stack.pop()  # of back translations, between swaps
        between = frozenset((texts[0], texts[-1]))
        if len(stretches) == 2 and len(texts) > 2 and between not in known:
            found[between].add((sum(zeros), len(zeros)))
        for near, far, pair in steps:
            longer = (*stretches[:-1], stretches[-1] + 1)
            longer = (*stretches, 0) if pair.method == "word_swap" else longer
            if near == texts[-1] and far not in texts and len(longer) < 3 and max(longer) <= reach:
                stack.append(((*texts, far), (*zeros, int(pair.label == 0)), longer))
    return found


def walks(pairs, reach):
    """Non-paraphrases, two standing for more, on each walk: all of them, pair after pair."""
    steps = [
        (near, far, int(pair.label == 0), pair.method == "word_swap")
        for near, far, pair in both_directions(pairs)
        if near != far
    ]
    arms = {text: {(text, 0)} for near, far, *_ in steps for text in (near, far)}
    for _ in range(reach):
        for some in arms.values():
            some |= {
                (far, min(2, before + zeros))
                for near, far, zeros, is_swap in steps
                for end, before in some
                if end == near and not is_swap
            }
    found, known = defaultdict(set), direct(pairs)
    for near, far, zeros, is_swap in steps:
        for (text1, zeros1), (text2, zeros2) in product(arms[near], arms[far]):
            between = frozenset((text1, text2))
            if is_swap and text1 != text2 and between not in known:
                found[between].add((min(2, zeros1 + zeros + zeros2), 0))
    return found


def made_and_said(made, found):
    """The label of each composed pair, the labels that ways give their ends, and the agreeing."""
    got = {frozenset((pair.sentence1, pair.sentence2)): {pair.label} for pair in made.pairs}
    said = {
        between: {1 - zeros for zeros, _ in some if zeros < 2} for between, some in found.items()
    }
    return got, said, {ends: some for ends, some in said.items() if len(some) == 1}


def check_paths(pairs, *, are_all):
    """Every path agrees with what is made, and none is shorter; the paths may say even more."""
    by_id = {pair.id: pair for pair in pairs}
    for reach, far in REACHES:
        found, made = paths(pairs, far), recombine(pairs, reach=reach)
        got, said, agreeing = made_and_said(made, found)
        assert got.items() <= agreeing.items()
        for pair in made.pairs:
            lengths = found[frozenset((pair.sentence1, pair.sentence2))]
            assert len(pair.via) == min(length for zeros, length in lengths if zeros < 2)
            check_via(pair, [by_id[key] for key in pair.via])
        if are_all or reach == 1:
            assert got == agreeing
            assert made.conflicts == sum(len(some) == 2 for some in said.values())
            assert made.unknown == sum(not some for some in said.values())


def check_via(made, via):
    """It leads from one sentence to the other, and gives the label."""
    passed = [made.sentence1]
    for pair in via:
        one, other = pair.sentence1, pair.sentence2
        assert passed[-1] in {one, other}
        passed.append(other if passed[-1] == one else one)
    assert passed[-1] == made.sentence2
    assert len({*passed}) == len(passed)
    assert [pair.label for pair in via].count(0) == 1 - made.label


@given(graphs)
def test_what_is_made_is_what_all_paths_say(edges):
    check_paths(judged(edges), are_all=False)


@given(forests())
def test_where_rewrites_never_meet_again_all_is_made_that_paths_say(edges):
    check_paths(judged(edges), are_all=True)


@given(graphs)
def test_labels_are_those_of_all_walks(edges):
    pairs = judged(edges)
    usable = [p for p in pairs if p.method == "back_translation" and p.label is not None]
    joined = Components((pair.sentence1, pair.sentence2) for pair in usable)
    for reach, far in REACHES:
        made = recombine(pairs, reach=reach)
        got, said, agreeing = made_and_said(made, walks(pairs, far))
        assert got.items() <= agreeing.items()
        assert made.conflicts == sum(len(some) == 2 for some in said.values())
        assert len(got) + made.conflicts + made.unknown == len(said)
        # Left out is only what back translations alone connect.
        for one, other in agreeing.keys() - got.keys():
            assert joined.find(one) == joined.find(other)


@given(graphs, st.randoms(use_true_random=False))
def test_the_order_of_pairs_changes_nothing(edges, random):
    pairs = judged(edges)
    other = [
        JudgedPair(p.id, *random.sample((p.sentence1, p.sentence2), 2), p.method, p.label)
        for p in random.sample(pairs, len(pairs))
    ]
    assert recombine(other) == recombine(pairs)
