-- A judge's turn in one statement: store an answer, if one is given, and the consensus that it
-- completes; claim the next pair. It does what annotation/work/answers.py does for every kind of
-- work with judge.py's `follow`; tests run random histories through both and compare the tables.
--
-- Parameters: the person's account, its duty and project; `place`, `looked` and
-- `gold_after` of the duty; `item`, `label`, `seconds`, `highlighted`, `text` and `words` of the
-- answer, or NULLs;
-- `others`, `tally`, `first`, `majority` and `kept`: the consensus, if the other labels are
-- `others`; or `opens`: these leave the pair undecided, and one more person is asked.
--
-- Parameters of searches stand in sub-selects: what the planner cannot see it cannot plan for, so
-- Postgres keeps one generic plan.
--
-- Postgres prepares all parts of a plan for each turn. The parts from IF to END would do nothing in
-- turns of which their condition does not hold (judge_postgres.py); to be faster, these leave them
-- out, and have what follows ELSE.
--
-- IS_NEW(item): the person has no slot of the item and no recusal (judge_postgres.py, IS_NEW).

WITH

-- The person who has the account, before any slot is locked: marks of accounts as one person wait
-- for this turn. The row is the latest one; slots and recusals are as before a mark that was waited
-- for, so a constraint or a trigger may refuse the claim, and the turn is tried again.
own AS (
    SELECT id, coalesce(main_account_id, id) AS person FROM accounts_user WHERE id = (SELECT %(account)s) FOR KEY SHARE
),

-- The answered pair. A gold pair is never decided: only the person's own slot of it is locked.
asked AS (
    SELECT id, priority, set_aside_at, gold_label,
        CASE WHEN gold_label IS NOT NULL THEN coalesce((
            SELECT own.number FROM annotation_slot own
            WHERE own.item_id = item.id AND own.annotator_id = (SELECT %(account)s)), 0)
        END AS own_number
    FROM annotation_item item
    WHERE public_id = %(item)s::uuid AND kind = 'judge'
),

-- Its slots, locked in one order: of two last answers at the same time the second waits, then sees
-- the first. No condition on the kind: with outdated statistics Postgres would read the whole
-- project for it.
slots AS (
    SELECT
        -- IF reasons
        text, words,
        -- END
        id, number, annotator_id, label, queue_key, reserved, claimed_at, excluded_by_id,
        superseded_by_id
        -- IF more
        , submitted_at
        -- END
    FROM annotation_slot
    WHERE item_id = (SELECT id FROM asked) AND project_id = (SELECT %(project)s)
    AND number BETWEEN (SELECT coalesce(own_number, 0) FROM asked)
        AND (SELECT coalesce(own_number, 32767) FROM asked)
    AND EXISTS (SELECT 1 FROM own)
    ORDER BY number
    FOR UPDATE
),

-- The other labels of the latest round (in order of time if more people may be asked than the first,
-- whose tally is stored), and whether the answer decides the pair: if all others have
-- answered or, where pairs are decided early, if enough have its outcome: its side of the border or,
-- without one, the same label.
others AS (
    SELECT coalesce(array_agg(label ORDER BY
        -- IF more
        submitted_at, id
        -- ELSE label
        -- END
        ) FILTER (WHERE label IS NOT NULL), '{}') AS labels,
        (count(*) = count(label) OR %(early)s AND count(*) FILTER (
            WHERE coalesce((label >= %(border)s) = (%(label)s >= %(border)s), label = %(label)s)
            ) + 1 >= %(enough)s)
        AND (SELECT own_number FROM asked) IS NULL AS decides
    FROM slots
    WHERE annotator_id IS DISTINCT FROM (SELECT %(account)s)
    AND excluded_by_id IS NULL AND superseded_by_id IS NULL
),

-- The person's slot. Two things make an answer `outdated`; the caller then tries again. An answer
-- that decides is stored only if the consensus was computed from the labels that the others have
-- now. And the slot must be in progress since before this statement began: otherwise an undo in
-- another tab was waited for, and `last` has counted an answer that is gone.
answer AS (
    SELECT slots.id, slots.label AS given, labels, decides,
        -- IF reasons
        slots.text, slots.words,
        -- END
        slots.label IS NULL AND (
            decides AND labels IS DISTINCT FROM %(others)s::smallint[]
            OR NOT EXISTS (
                SELECT 1 FROM annotation_slot seen
                WHERE seen.id = slots.id AND seen.annotator_id = (SELECT %(account)s)
                AND seen.label IS NULL
                AND seen.claimed_at IS NOT DISTINCT FROM slots.claimed_at)) AS outdated
    FROM slots, others
    WHERE slots.annotator_id = (SELECT %(account)s)
),

-- The serial number of the person's last answer is the count of their answers.
last AS (
    SELECT serial FROM annotation_slot
    WHERE annotator_id = (SELECT %(account)s) AND project_id = (SELECT %(project)s)
    AND kind = 'judge' AND serial IS NOT NULL
    ORDER BY serial DESC
    LIMIT 1
),

-- The time on the pair is what the page measured, at most the time since the claim (answers.py).
stored AS (
    UPDATE annotation_slot slot
    SET label = %(label)s, highlighted = %(highlighted)s,
        -- IF reasons
        text = %(text)s, words = %(words)s::jsonb,
        -- END
        seconds = CASE WHEN %(seconds)s::float8 IS NOT NULL THEN greatest(0, least(
            %(seconds)s::float8, extract(epoch FROM %(now)s - slot.claimed_at))) END,
        submitted_at = %(now)s, lease_until = NULL,
        serial = coalesce((SELECT serial FROM last), 0) + 1
    FROM answer
    WHERE slot.id = answer.id AND answer.given IS NULL AND NOT answer.outdated
    RETURNING slot.item_id, slot.serial
),

-- Open slots that a decision leaves, with those in progress. A trigger requires that they are gone
-- before the pair is decided, so `decided` reads `gone`.
-- IF early
gone AS (
    DELETE FROM annotation_slot slot
    USING stored, others
    WHERE others.decides AND slot.id IN (
        SELECT id FROM slots
        WHERE label IS NULL AND annotator_id IS DISTINCT FROM (SELECT %(account)s))
    RETURNING slot.id
),
-- ELSE gone AS (SELECT 1 WHERE false),
-- END
decided AS (
    INSERT INTO annotation_consensus (pair_id, tally, label, kept, decided_at
        -- IF more
        , first_tally
        -- END
    )
    SELECT stored.item_id, %(tally)s::jsonb, %(majority)s, %(kept)s, %(now)s
        -- IF more
        , %(first)s::jsonb
        -- END
    FROM stored, others
    WHERE others.decides AND (SELECT count(*) FROM gone) >= 0
        -- IF more
        AND NOT %(opens)s
        -- END
),

-- The slot for one more person, after all first slots, and marked as returned for people who are past
-- it.
-- IF more
grown AS (
    UPDATE annotation_item item SET slot_count = item.slot_count + 1
    FROM stored, others
    WHERE item.id = stored.item_id AND others.decides AND %(opens)s
    RETURNING item.id, item.slot_count,
        coalesce(%(entry)s::bigint, item.id * (%(span)s + 1) + item.slot_count)
            + %(later)s - item.priority * %(band)s AS key
),
opened AS (
    INSERT INTO annotation_slot (project_id, kind, item_id, number, queue_key, claimed_at, reserved,
        action, text)
    SELECT %(project)s, 'judge', grown.id, grown.slot_count, grown.key, %(now)s, false, '', ''
    FROM grown
),
-- END

-- In breadth, the next slot of the answered pair enters the queue, unless one is in it.
-- IF breadth
entered AS (
    UPDATE annotation_slot slot
    SET queue_key = %(entry)s::bigint - asked.priority * %(band)s
    FROM asked
    WHERE %(entry)s::bigint IS NOT NULL AND asked.own_number IS NULL AND asked.set_aside_at IS NULL
    AND EXISTS (SELECT 1 FROM stored, others WHERE NOT others.decides)
    AND slot.item_id = asked.id AND slot.number = (
        SELECT min(number) FROM slots
        WHERE label IS NULL AND NOT reserved
        AND annotator_id IS DISTINCT FROM (SELECT %(account)s)
        HAVING count(queue_key) = 0)
),
-- END

-- Whether the person gets a pair now: they have given fewer answers than their limit. What follows
-- reads `stored`, so that the answered slot has left the index of slots in progress before another
-- one enters it.
done AS (
    SELECT coalesce((SELECT serial FROM stored), (SELECT serial FROM last), 0) AS answers
),
asking AS (
    SELECT answers FROM done
    WHERE answers < %(most)s AND NOT EXISTS (SELECT 1 FROM answer WHERE outdated)
    AND EXISTS (SELECT 1 FROM own)
),

-- The slot that the person has in progress already.
held AS (
    SELECT slot.id, slot.item_id
    FROM annotation_slot slot
    WHERE slot.project_id = (SELECT %(project)s) AND slot.kind = 'judge'
    AND slot.annotator_id = (SELECT %(account)s) AND slot.submitted_at IS NULL
    AND EXISTS (SELECT 1 FROM asking) AND NOT EXISTS (SELECT 1 FROM stored)
    FOR UPDATE OF slot
),

-- A gold pair, if one is due: the next that is new to the person, from a drawn start, cyclic.
-- IF gold
gold_ends AS (
    SELECT (SELECT id FROM annotation_item item
            WHERE item.project_id = (SELECT %(project)s) AND item.kind = 'judge'
            AND item.gold_label IS NOT NULL ORDER BY id LIMIT 1) AS low,
        (SELECT id FROM annotation_item item
            WHERE item.project_id = (SELECT %(project)s) AND item.kind = 'judge'
            AND item.gold_label IS NOT NULL ORDER BY id DESC LIMIT 1) AS high
    WHERE %(every)s::bigint IS NOT NULL AND (SELECT answers FROM asking) >= %(gold_after)s::bigint
    AND NOT EXISTS (SELECT 1 FROM held)
),
gold_start AS (
    SELECT low + %(draw)s::bigint %% (high - low + 1) AS id FROM gold_ends
),
gold_pair AS (
    SELECT id FROM (
            SELECT item.id FROM annotation_item item
            WHERE item.project_id = (SELECT %(project)s) AND item.kind = 'judge'
            AND item.gold_label IS NOT NULL AND item.duplicate_of_id IS NULL
            AND item.excluded_by_id IS NULL AND item.id >= (SELECT id FROM gold_start)
            AND IS_NEW(item.id)
            ORDER BY item.id LIMIT 1
        ) onward
    UNION ALL SELECT id FROM (
            SELECT item.id FROM annotation_item item
            WHERE item.project_id = (SELECT %(project)s) AND item.kind = 'judge'
            AND item.gold_label IS NOT NULL AND item.duplicate_of_id IS NULL
            AND item.excluded_by_id IS NULL AND item.id < (SELECT id FROM gold_start)
            AND IS_NEW(item.id)
            ORDER BY item.id LIMIT 1
        ) around
    LIMIT 1
),
gold AS (
    INSERT INTO annotation_slot (project_id, kind, item_id, number, annotator_id, person_id,
        lease_until, claimed_at, reserved, action, text)
    SELECT %(project)s, 'judge', gold_pair.id,
        coalesce((SELECT max(number) FROM annotation_slot WHERE item_id = gold_pair.id), 0) + 1,
        %(account)s, own.person, %(lease)s, %(now)s, false, '', ''
    FROM gold_pair, own
    RETURNING id, item_id
),
-- ELSE gold AS (SELECT NULL::bigint AS id, NULL::bigint AS item_id WHERE false),
-- END

-- The next free slot, and the person's place after it: ahead of their place; then slots that were
-- claimed and returned, which moves the place to the end; then, now and then, all behind the place.
-- In depth `span` sets the last key of the pair, of which the person gets no other slot.
free AS (
    SELECT * FROM (
        SELECT * FROM (
            SELECT slot.id, slot.item_id, slot.queue_key | %(span)s AS place
            FROM annotation_slot slot
            WHERE slot.project_id = (SELECT %(project)s) AND slot.kind = 'judge'
            AND slot.submitted_at IS NULL AND NOT slot.reserved
            AND slot.queue_key > (SELECT %(place)s)
            AND (slot.annotator_id IS NULL OR slot.lease_until < (SELECT %(now)s))
            AND IS_NEW(slot.item_id)
            ORDER BY slot.queue_key LIMIT 1 FOR UPDATE OF slot SKIP LOCKED
        ) ahead
        UNION ALL SELECT * FROM (
            SELECT slot.id, slot.item_id, CAST(NULL AS bigint)
            FROM annotation_slot slot
            WHERE slot.project_id = (SELECT %(project)s) AND slot.kind = 'judge'
            AND slot.submitted_at IS NULL AND NOT slot.reserved
            AND slot.claimed_at IS NOT NULL AND slot.queue_key IS NOT NULL
            AND (slot.annotator_id IS NULL OR slot.lease_until < (SELECT %(now)s))
            AND IS_NEW(slot.item_id)
            ORDER BY slot.queue_key LIMIT 1 FOR UPDATE OF slot SKIP LOCKED
        ) returned
        -- IF looks
        UNION ALL SELECT * FROM (
            SELECT slot.id, slot.item_id, slot.queue_key | %(span)s
            FROM annotation_slot slot
            WHERE %(looks)s AND slot.project_id = (SELECT %(project)s) AND slot.kind = 'judge'
            AND slot.submitted_at IS NULL AND NOT slot.reserved
            AND slot.queue_key <= (SELECT %(place)s)
            AND (slot.annotator_id IS NULL OR slot.lease_until < (SELECT %(now)s))
            AND IS_NEW(slot.item_id)
            ORDER BY slot.queue_key LIMIT 1 FOR UPDATE OF slot SKIP LOCKED
        ) behind
        -- END
        LIMIT 1
    ) next
    WHERE EXISTS (SELECT 1 FROM asking) AND NOT EXISTS (SELECT 1 FROM held)
    AND NOT EXISTS (SELECT 1 FROM gold)
),
claimed AS (
    UPDATE annotation_slot slot
    SET annotator_id = %(account)s, lease_until = %(lease)s,
        claimed_at = CASE WHEN chosen.is_held THEN slot.claimed_at ELSE %(now)s END,
        person_id = CASE WHEN chosen.is_held THEN slot.person_id
            ELSE (SELECT person FROM own) END
    FROM (SELECT id, true AS is_held FROM held UNION ALL SELECT id, false FROM free) chosen
    WHERE slot.id = chosen.id
    RETURNING slot.id, slot.item_id
),

-- The duty: its place, when nothing was found behind it, and when a gold pair is due (Schedule in
-- gold.py).
moved AS (
    UPDATE annotation_duty duty
    SET place = at.place, looked_behind_at = at.looked, gold_after = at.gold
    FROM (
        SELECT
            CASE
                WHEN EXISTS (SELECT 1 FROM gold) THEN %(place)s
                WHEN free.place IS NOT NULL THEN free.place
                ELSE greatest(%(place)s, (
                    SELECT slot.queue_key | %(span)s FROM annotation_slot slot
                    WHERE slot.project_id = (SELECT %(project)s) AND slot.kind = 'judge'
                    AND slot.submitted_at IS NULL AND NOT slot.reserved
                    AND slot.queue_key IS NOT NULL
                    ORDER BY slot.queue_key DESC LIMIT 1)
                    -- IF more
                    , (SELECT grown.key | %(span)s FROM grown)
                    -- END
                    )
            END AS place,
            CASE
                WHEN NOT EXISTS (SELECT 1 FROM gold) AND free.id IS NULL AND %(looks)s THEN %(now)s
                ELSE %(looked)s::timestamptz
            END AS looked,
            CASE
                WHEN %(every)s::bigint IS NULL OR answers < %(gold_after)s::bigint THEN %(gold_after)s::bigint
                ELSE (answers + %(reach)s::bigint) / %(every)s::bigint * %(every)s::bigint + %(draw)s::bigint %% %(every)s::bigint
            END AS gold
        FROM asking LEFT JOIN free ON true
        WHERE NOT EXISTS (SELECT 1 FROM held)
    ) at
    WHERE duty.id = %(duty)s AND duty.place = %(place)s
    AND (at.place, at.looked, at.gold) IS DISTINCT FROM (%(place)s, %(looked)s::timestamptz, %(gold_after)s::bigint)
    RETURNING at.place, at.looked, at.gold
)

SELECT answer.given,
    -- IF reasons
    answer.text, answer.words,
    -- ELSE NULL, NULL,
    -- END
    answer.outdated, answer.labels,
    -- IF more
    (SELECT most_votes FROM annotation_item WHERE id = (SELECT id FROM asked)) AS most_votes,
    -- ELSE NULL::smallint AS most_votes,
    -- END
    (SELECT serial FROM stored) AS serial,
    (SELECT serial FROM last) AS last_serial,
    -- Of the last ten (Duty.totals): the very last may be a change of an earlier answer.
    (SELECT max(serial) FROM (
        SELECT serial FROM annotation_slot
        WHERE annotator_id = (SELECT %(account)s) AND project_id = (SELECT %(project)s)
        AND kind = 'judge' AND submitted_at < (SELECT %(midnight)s)
        ORDER BY submitted_at DESC LIMIT 10) before_today) AS serial_before_today,
    free.id IS NOT NULL AND claimed.id IS NULL AS is_lost,
    moved.place, moved.looked, moved.gold,
    claimed.id, item.public_id, source.text, rewrite.text, item.flipped, corpus.language
FROM (SELECT 1) AS one
LEFT JOIN answer ON true
LEFT JOIN free ON true
LEFT JOIN moved ON true
LEFT JOIN (
    (SELECT * FROM claimed UNION ALL SELECT * FROM gold) claimed
    JOIN annotation_item item ON item.id = claimed.item_id
    JOIN generation_sentence source ON source.id = item.sentence1_id
    JOIN generation_sentence rewrite ON rewrite.id = item.sentence2_id
    JOIN generation_corpus corpus ON corpus.id = source.corpus_id
) ON true
