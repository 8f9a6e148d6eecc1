"""Rewrites that only put the items of a list in another order: "A and B" for "B and A"."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from generation.nlp.phrases import Kind, word_set
from generation.nlp.templates import Template

SEPARATORS = word_set(", ; / & and or nor but versus vs. v.")
JOINTS = SEPARATORS - word_set(", ;")
SOON = 6  # words from an item to the last conjunction of its list
NAMING = (Kind.NAME, Kind.NOUN, Kind.NOUN_PHRASE, Kind.NUMBER, Kind.DATE)
# Numbers of unchanged words that may belong to each list item: "the dog and the cat".
REACH = range(4)
# Without a tagger: the marks between items in any language, and the conjunctions of some.
MARKS = frozenset(",;/&،؛、，；")
CONJUNCTIONS = {
    "de": word_set("und oder noch sowie aber bzw"),
    "en": word_set("and or nor but versus vs v"),
    "es": word_set("y e o u ni pero"),
    "fr": word_set("et ou ni mais"),
    "it": word_set("e ed o od né ma"),
    "nl": word_set("en of noch maar"),
    "pl": word_set("i oraz a ale lub albo ani"),
    "pt": word_set("e ou nem mas"),
    "sv": word_set("och eller men"),
}

Unit = tuple[str, ...]


def permutes_list(before: Sequence[str], after: Sequence[str], language: str) -> bool:
    """Whether a text only reorders items of lists of another; both are given by their tokens.

    In languages without an entry in CONJUNCTIONS, only marks divide items. Unlike
    `is_list_permutation` this needs no tagger, and does not know which words are one phrase.

    >>> permutes_list("a dog and a cat sleep".split(), "a cat and a dog sleep".split(), "en")
    True
    >>> permutes_list("the dog saw the cat".split(), "the cat saw the dog".split(), "en")
    False
    """
    old, new = ([(token.casefold(),) for token in tokens] for tokens in (before, after))
    separators = MARKS | CONJUNCTIONS.get(language.partition("-")[0].lower(), frozenset())
    if Counter(old) != Counter(new):
        return False
    blocks = list(_reordered_blocks(old, new))
    return bool(blocks) and all(
        _permutes_stretch(old, [*old[:start], *new[start:end], *old[end:]], separators)
        for start, end in blocks
    )


def _reordered_blocks(before: Sequence[Unit], after: Sequence[Unit]) -> Iterator[tuple[int, int]]:
    """Yield the shortest stretches in which the same units are in another order."""
    surplus: Counter[Unit] = Counter()
    start = 0
    for place, (old, new) in enumerate(zip(before, after, strict=True)):
        if place == start and old == new:
            start += 1
            continue
        surplus[old] += 1
        surplus[new] -= 1
        if not any(surplus.values()):
            if place > start:
                yield start, place + 1
            start = place + 1


def is_list_permutation(template: Template, filling: Sequence[int]) -> bool:
    """Whether a filling only reorders list items: "A and B" for "B and A".

    Phrases that exchange places are checked group by group, so two lists in one sentence, each
    permuted within itself, count too.
    """
    source = template.source
    all_cycles = list(cycles(source, filling))
    return bool(all_cycles) and all(
        _permutes_items(template, filling, cycle) for cycle in all_cycles
    )


def only_seems_a_list(template: Template, filling: Sequence[int]) -> bool:
    """Whether phrases that change places are probably no items of one list.

    Two conjunctions between them join other words: "two in Rome and Pisa and one in Oslo and Kiel".
    Nouns with none between them, and no separator and conjunction after them, may be a place in
    another, or of another clause: "in Exeter, Devon, England", "in Exeter, Ann sang".
    """
    texts = [token.text.casefold() for token in template.tokens]
    for cycle in cycles(template.source, filling):
        phrases = [template.phrases[slot] for slot in sorted(cycle)]
        for one, other in pairwise(phrases):
            joints = sum(text in JOINTS for text in texts[one.end : other.start])
            after = texts[other.end : other.end + SOON]
            goes_on = not SEPARATORS.isdisjoint(after[:1]) and not JOINTS.isdisjoint(after)
            if joints > 1 or (not joints and not goes_on and one.kind in NAMING):
                return True
    return False


def cycles(source: Sequence[int], filling: Sequence[int]) -> Iterator[set[int]]:
    """Yield the sets of slots that exchanged their fillers among themselves."""
    origins: defaultdict[int, list[int]] = defaultdict(list)
    changed = [slot for slot, (a, b) in enumerate(zip(source, filling, strict=True)) if a != b]
    for slot in reversed(changed):
        origins[source[slot]].append(slot)
    origin_of_slot = {slot: origins[filling[slot]].pop() for slot in changed}
    while origin_of_slot:
        slot, origin = origin_of_slot.popitem()
        cycle = {slot}
        while origin != slot:
            cycle.add(origin)
            origin = origin_of_slot.pop(origin)
        yield cycle


def _permutes_items(template: Template, filling: Sequence[int], cycle: set[int]) -> bool:
    """Whether a cycle of slots, exchanged alone, only reorders items between separators."""
    first, end = min(cycle), max(cycle) + 1
    if end - first == len(cycle):
        return True  # adjacent slots
    fillers_between = (template.fillers[number].words for number in template.source[first:end])
    if SEPARATORS.isdisjoint(word.casefold() for words in fillers_between for word in words):
        return False  # both are in one item
    pairs = enumerate(zip(template.source, filling, strict=True))
    filling_of_cycle = [new if slot in cycle else old for slot, (old, new) in pairs]
    before, after = _units(template, template.source), _units(template, filling_of_cycle)
    return _permutes_stretch(before, after, SEPARATORS)


def _permutes_stretch(before: Sequence[Unit], after: Sequence[Unit], separators: Set[str]) -> bool:
    """Whether the one stretch that differs, or a slightly longer one, has the same items."""
    changed = [place for place, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    first, end = changed[0], changed[-1] + 1
    if separators.isdisjoint(unit[0] for unit in before[first:end]):
        return False  # all of it is in one item
    stretches = ((max(first - to_left, 0), end + right) for to_left in REACH for right in REACH)
    return any(
        _items(before[start:stop], separators) == _items(after[start:stop], separators)
        for start, stop in stretches
    )


def _units(template: Template, filling: Sequence[int]) -> list[Unit]:
    """Return the words of a filling, casefolded; those of a slot with a choice are one unit."""
    units: list[Unit] = []
    for slot, number in zip(template.slots, filling, strict=True):
        words = tuple(word.casefold() for word in template.fillers[number].words)
        units += [words] if len(slot.choices) > 1 else [(word,) for word in words]
    return units


def _items(units: Sequence[Unit], separators: Set[str]) -> list[list[Unit]]:
    """Return the items between separators, sorted: equal for two orders of one list."""
    items: list[list[Unit]] = [[]]
    for unit in units:
        if unit[0] in separators:
            items.append([])
        else:
            items[-1].append(unit)
    return sorted(filter(None, items))
