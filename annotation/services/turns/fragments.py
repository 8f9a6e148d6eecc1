"""What the statements of both engines have in common.

Parameters are those of `shapes.Question`. Every part reads a number of index entries that depends
neither on the size of the project nor on what the person has done.
"""

from annotation.queue_keys import KEYS_PER_PAIR

# Free slots that the person may have. Were the two probes joins, Postgres would choose how to make
# them by statistics, which may be old; LIMIT with OFFSET keeps them what they are.
_FREE = f"""
SELECT slot.id, slot.pair_id, slot.queue_key | {KEYS_PER_PAIR - 1} AS place
FROM annotation_judgment slot
WHERE slot.project_id = %(project)s AND slot.label IS NULL
AND (slot.annotator_id IS NULL OR slot.lease_until < %(now)s)
AND NOT EXISTS (SELECT 1 FROM annotation_judgment own
WHERE own.pair_id = slot.pair_id AND own.annotator_id = %(person)s LIMIT 1 OFFSET 0)
AND NOT EXISTS (SELECT 1 FROM annotation_recusal own
WHERE own.pair_id = slot.pair_id AND own.annotator_id = %(person)s LIMIT 1 OFFSET 0)
"""  # noqa: S608 all parts are constants


def next_slot(*, held: str = "", free: str = "") -> str:
    """The slot that the person holds, or else the next free one from their place on.

    At the end of the queue come those behind the place: given back, expired, or opened late. Who
    has one slot of a pair has passed them all, which is what the new place says. `held` and `free`
    end the search of what is held and of what is free.
    """
    return f"""
SELECT * FROM (
SELECT slot.id, slot.pair_id, %(place)s AS place
FROM annotation_judgment slot
WHERE slot.project_id = %(project)s AND slot.annotator_id = %(person)s
AND slot.label IS NULL {held}
) held
UNION ALL SELECT * FROM (
{_FREE} AND slot.queue_key > %(place)s ORDER BY slot.queue_key LIMIT 1 {free}
) ahead
UNION ALL SELECT * FROM (
{_FREE} AND slot.queue_key <= %(place)s ORDER BY slot.queue_key LIMIT 1 {free}
) behind
LIMIT 1"""  # noqa: S608 all parts are constants


# The number of the person's last answer is how many they have given.
LAST_NUMBER = """
SELECT number FROM annotation_judgment
WHERE annotator_id = %(person)s AND project_id = %(project)s AND submitted_at IS NOT NULL
ORDER BY submitted_at DESC LIMIT 1"""
LAST_NUMBER_BEFORE_TODAY = """
SELECT number FROM annotation_judgment
WHERE annotator_id = %(person)s AND project_id = %(project)s AND submitted_at < %(midnight)s
ORDER BY submitted_at DESC LIMIT 1"""

SHOWN = "pair.public_id, source.text, rewrite.text, pair.flipped, corpus.language"
# After a table or a row with a `pair_id` that is called `claimed`.
JOINED = """
JOIN annotation_sentencepair pair ON pair.id = claimed.pair_id
JOIN generation_sentence source ON source.id = pair.sentence1_id
JOIN generation_sentence rewrite ON rewrite.id = pair.sentence2_id
JOIN generation_corpus corpus ON corpus.id = source.corpus_id"""
