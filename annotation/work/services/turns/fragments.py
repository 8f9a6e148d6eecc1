"""SQL fragments that both engines share.

Parameters are those of `shapes.Question`. The number of index entries that each part reads depends
neither on the size of the project nor on the person's earlier answers.
"""

# Excludes pairs with a slot or recusal of this person, under any of their accounts. As joins,
# Postgres would plan these probes by statistics, which may be outdated; LIMIT with OFFSET prevents
# that. `accounts` is a condition on a column: that it is one of the person's accounts.
_NOT_THEIRS = """NOT EXISTS (SELECT 1 FROM annotation_judgment own
WHERE own.pair_id = {pair} AND own.annotator_id {accounts} LIMIT 1 OFFSET 0)
AND NOT EXISTS (SELECT 1 FROM annotation_recusal own
WHERE own.pair_id = {pair} AND own.annotator_id {accounts} LIMIT 1 OFFSET 0)"""
# In depth, the last key of the pair: a person with one of its slots has passed them all.
_PASSED = "slot.queue_key | %(span)s"

HELD = """SELECT slot.id, slot.pair_id FROM annotation_judgment slot
WHERE slot.project_id = %(project)s AND slot.annotator_id = %(person)s AND slot.label IS NULL"""
# The place of a person who found nothing ahead: past everything in the queue now.
TAIL = f"""SELECT {_PASSED} FROM annotation_judgment slot
WHERE slot.project_id = %(project)s AND slot.label IS NULL AND slot.queue_key IS NOT NULL
ORDER BY slot.queue_key DESC LIMIT 1"""  # noqa: S608 all parts are constants


def next_slot(*, accounts: str, lock: str = "") -> str:
    """Return SQL for the next free slot that the person may have, and their place after it.

    It searches ahead of their place; then slots that were claimed and returned, which moves them to
    the tail; then, if `looks_behind`, everything behind them. `lock` ends each search.
    """
    free = f"""FROM annotation_judgment slot
WHERE slot.project_id = %(project)s AND slot.label IS NULL AND {{stretch}}
AND (slot.annotator_id IS NULL OR slot.lease_until < %(now)s)
AND {_NOT_THEIRS.format(pair="slot.pair_id", accounts=accounts)}
ORDER BY slot.queue_key LIMIT 1 {lock}"""
    ahead = free.format(stretch="slot.queue_key > %(place)s")
    returned = free.format(stretch="slot.claimed_at IS NOT NULL AND slot.queue_key IS NOT NULL")
    behind = free.format(stretch="%(looks_behind)s AND slot.queue_key <= %(place)s")
    return f"""
SELECT * FROM (SELECT slot.id, slot.pair_id, {_PASSED} AS place {ahead}) ahead
UNION ALL SELECT * FROM (SELECT slot.id, slot.pair_id, CAST(NULL AS bigint) {returned}) returned
UNION ALL SELECT * FROM (SELECT slot.id, slot.pair_id, {_PASSED} {behind}) behind
LIMIT 1"""  # noqa: S608 all parts are constants


def hidden_pair(*, accounts: str) -> str:
    """Return SQL for a gold pair new to the person: the next one from a random start, cyclic."""
    known = "FROM annotation_sentencepair pair WHERE pair.project_id = %(project)s "
    known += "AND pair.known_label IS NOT NULL"
    theirs = f"""{known} AND pair.id {{side}} (SELECT place FROM start)
AND {_NOT_THEIRS.format(pair="pair.id", accounts=accounts)} ORDER BY pair.id LIMIT 1"""  # noqa: S608 all parts are constants
    return f"""
WITH ends AS (
SELECT (SELECT pair.id {known} ORDER BY pair.id LIMIT 1) AS low,
(SELECT pair.id {known} ORDER BY pair.id DESC LIMIT 1) AS high
), start AS (
SELECT low + %(draw)s %% (high - low + 1) AS place FROM ends
)
SELECT * FROM (SELECT pair.id {theirs.format(side=">=")}) onward
UNION ALL SELECT * FROM (SELECT pair.id {theirs.format(side="<")}) around
LIMIT 1"""  # noqa: S608 all parts are constants


# The number of the person's last answer is the count of their answers.
LAST_NUMBER = """
SELECT number FROM annotation_judgment
WHERE annotator_id = %(person)s AND project_id = %(project)s AND submitted_at IS NOT NULL
ORDER BY submitted_at DESC LIMIT 1"""
LAST_NUMBER_BEFORE_TODAY = """
SELECT number FROM annotation_judgment
WHERE annotator_id = %(person)s AND project_id = %(project)s AND submitted_at < %(midnight)s
ORDER BY submitted_at DESC LIMIT 1"""

SHOWN = "pair.public_id, source.text, rewrite.text, pair.flipped, corpus.language"
# Follows a table or row named `claimed` with a `pair_id`.
JOINED = """
JOIN annotation_sentencepair pair ON pair.id = claimed.pair_id
JOIN generation_sentence source ON source.id = pair.sentence1_id
JOIN generation_sentence rewrite ON rewrite.id = pair.sentence2_id
JOIN generation_corpus corpus ON corpus.id = source.corpus_id"""
