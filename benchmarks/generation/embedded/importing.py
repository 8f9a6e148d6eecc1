"""What it costs to look for near-duplicates while sentences are imported.

The reference of the search is datasketch: MinHash with 64 permutations, locality-sensitive hashing,
and then the same comparison of what that finds.
"""

import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import TypeAlias

from benchmarks.generation.embedded.pipeline import UNIT
from benchmarks.generation.embedded.place import Stopwatch, import_corpus, texts
from benchmarks.generation.parts import Options
from benchmarks.table import Figure, at_least

GOAL = 2_000
SENTENCES = 20_000
AT_ONCE = 2_000
WEIGHED = 6_000
PERMUTATIONS = 64

Search: TypeAlias = Callable[[Sequence[str]], tuple[int, object]]


def figures(options: Options) -> list[Figure]:
    """Imports with and without the search; the search, its memory and its finds."""
    import datasketch  # noqa: F401 - importing it is not part of its search

    sentences = texts(options.file, SENTENCES)
    watch = Stopwatch()
    for handling in ("off", "count"):
        with watch.on(handling):
            import_corpus(f"importing, {handling}", sentences, near_duplicates=handling)
    counting_rate, plain_rate = (len(sentences) / watch.seconds[name] for name in ("count", "off"))
    (speed, found), (datasketch_speed, datasketch_found) = (
        _search_speed(name, sentences) for name in SEARCHES
    )
    held, datasketch_held = (_bytes_held(name, sentences[:WEIGHED]) for name in SEARCHES)
    return [
        Figure(
            "import, looking for near-duplicates",
            counting_rate,
            UNIT,
            plain_rate,
            goal=at_least(GOAL),
        ),
        Figure("near-duplicates, beside datasketch", speed, UNIT, datasketch_speed),
        Figure("held for them", held, "bytes/sentence", datasketch_held),
        Figure("near-duplicates found", found, reference=datasketch_found),
    ]


def _search_speed(search: Search, sentences: Sequence[str]) -> tuple[float, int]:
    """Sentences a core-second, and near-duplicates."""
    began = time.process_time()
    found, _ = search(sentences)
    return len(sentences) / (time.process_time() - began), found


def _bytes_held(search: Search, sentences: Sequence[str]) -> float:
    """Bytes that an index holds for each sentence."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    _, index = search(sentences)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del index
    return (held - before) / len(sentences)


def search_with_ours(sentences: Sequence[str]) -> tuple[int, object]:
    """How many nearly repeat an earlier one, and the index."""
    from generation.nlp.near_duplicates import NearDuplicates

    index, found = NearDuplicates(lambda places: [sentences[place] for place in places]), 0
    for start in range(0, len(sentences), AT_ONCE):
        batch = sentences[start : start + AT_ONCE]
        scan = index.scan(batch)
        for row in range(len(batch)):
            found += scan.match(row) is not None
            scan.keep(row)
        scan.close()
    return found, index


def search_with_datasketch(sentences: Sequence[str]) -> tuple[int, object]:
    """The same with datasketch."""
    from datasketch import MinHash, MinHashLSH

    from generation.nlp.near_duplicates import THRESHOLD, are_near, shingles

    index, found = MinHashLSH(threshold=float(THRESHOLD), num_perm=PERMUTATIONS), 0
    hashes = MinHash.generator(
        map(shingles, sentences),
        num_perm=PERMUTATIONS,
        hashfunc=lambda shingle: hash(shingle) & 0xFFFFFFFF,
    )
    for place, minhash in enumerate(hashes):
        own_shingles = shingles(sentences[place])
        other_shingles = (shingles(sentences[other]) for other in index.query(minhash))
        found += any(are_near(own_shingles, other, threshold=THRESHOLD) for other in other_shingles)
        index.insert(place, minhash, check_duplication=False)
    return found, index


SEARCHES = (search_with_ours, search_with_datasketch)
