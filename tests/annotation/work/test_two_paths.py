"""On Postgres, judging by one statement does what the plain path does, whatever happened before."""

from collections import defaultdict
from datetime import timedelta
from random import Random
from zlib import crc32

import pytest
from django.utils import timezone

from annotation.agreement import services as agreement
from annotation.errors import AnnotationError
from annotation.models import Consensus, Duty, Item, Recusal, Skip, Slot
from annotation.quality.services import interventions
from annotation.work import answers, keys, order, skips
from annotation.work.judge import Judge
from tests.annotation import invariants, make

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

PEOPLE, PAIRS, STEPS = 7, 6, 80
MORE = {"judgments_per_pair": 2, "consensus_min_votes": 2, "judgments_at_most": 5}
SETTINGS = (
    {},
    {"order": "breadth"},
    {"gold_every": 3},
    {"order": "breadth", "decides_early": True, "skipping": "never"},
    {"decides_early": True, "gold_every": 2, "skipping": "later"},
    {"judgments_per_pair": 3, "consensus_min_votes": 2, "limits": {"judge": 4}},
    MORE,
    MORE | {"order": "breadth", "skipping": "never"},
    MORE | {"skipping": "later", "gold_every": 3},
    {"reasons": "required", "reason_labels": [1], "decides_early": True},
    MORE | {"reasons": "optional", "order": "breadth", "gold_every": 2},
)
ACTS = ("answer",) * 8 + (
    "look",
    "undo",
    "skip",
    "expire",
    "pause",
    "exclude",
    "reissue",
    "reopen",
    "first",
    "again",
)


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_a_random_history_leaves_the_same_rows_by_either_path(number, monkeypatch):
    # A gold pair is drawn by the key of the membership, which differs between the two projects.
    monkeypatch.setattr(keys, "draw", lambda seed, purpose, key: crc32(key.split()[1].encode()))
    # Neither path may depend on how long the other one took.
    between_looks = timedelta(days=number % 2)
    monkeypatch.setattr(keys, "BETWEEN_LOOKS", between_looks)
    settings = SETTINGS[number % len(SETTINGS)]
    fast = state_after(number, settings)
    monkeypatch.setattr(Judge, "turn", lambda *_: None)
    plain = state_after(number, settings)
    assert fast == plain
    assert any(slot[6] is not None for slot in fast["slots"])
    if "reasons" in settings:
        assert len({str(slot[8:10]) for slot in fast["slots"]}) >= 4


def state_after(number, settings):
    """The rows of a study after a history that the number determines, without their keys."""
    project = make.study(**settings)
    make.pairs(project, PAIRS)
    if project.gold_every:
        make.gold_pairs(project, [0, 1, 1])
    people = [make.person(project) for _ in range(PEOPLE)]
    make.spare(project, 2 * project.judgments_per_pair)
    random = Random(number)
    steps = 2 * STEPS if project.judgments_at_most else STEPS
    said = [do(random, project, people) for _ in range(steps)]
    assert invariants.broken(project) == []
    return rows_of(project, people) | {"said": said}


def do(random, project, people):
    """Let somebody do something; returns what came of it."""
    act, member, label = random.choice(ACTS), random.choice(people), random.randint(0, 1)
    try:
        return act, DO[act](project, member, label)
    except AnnotationError as refusal:
        return act, type(refusal).__name__


def look(project, member, label):
    turn = answers.turn(member.duty("judge"))
    return turn.shown is not None, turn.tally.total


def reason(duty, label, sentences):
    """A text, words of a sentence, both or nothing, by how much the person has answered."""
    given = duty.total
    # Which sentence is shown first is drawn by ids, which differ between the two projects.
    sentence = 1 + [text.startswith("Source") for text in sentences].index(bool(label))
    words = [(sentence, 0, 3)] if given % 2 else []
    return {"reason": "Because." if given % 3 else "", "words": words}


def answer(project, member, label):
    duty = member.duty("judge")
    if (shown := answers.turn(duty).shown) is None:
        return None
    given = {
        "item": shown.id,
        "label": label,
        "seconds": 1.0,
        **reason(duty, label, shown.sentences),
    }
    turn = answers.turn(duty, given)
    return turn.tally.total, turn.saved, turn.shown is not None


def undo(project, member, label):
    return answers.undo(member.duty("judge")) is not None


def again(project, member, label):
    """Change one of the person's last answers."""
    duty = member.duty("judge")
    pairs = [slot.item.public_id for slot in duty.last_answers.select_related("item")]
    if pairs:
        answers.change(duty, item=pairs[label % len(pairs)], label=label)


def skip(project, member, label):
    duty = member.duty("judge")
    if (shown := answers.turn(duty).shown) is not None:
        skips.skip(duty, item=shown.id, reason="unclear")


def expire(project, member, label):
    ended = timezone.now() - timedelta(seconds=1)
    Slot.objects.filter(annotator=member.user, submitted_at=None).update(lease_until=ended)


def pause(project, member, label):
    step = interventions.pause if member.paused_at is None else interventions.resume
    step(member, by=None, reason="For a test")


def exclude(project, member, label):
    step = interventions.exclude if label else interventions.reinstate
    step(member, by=None, reason="For a test")


def reissue(project, member, label):
    """Exclude with reserved slots, which another person gets from now on."""
    takes = Duty.objects.filter(membership__project=project).exclude(membership=member)
    takes.filter(pk=takes.order_by("pk")[label].pk).update(takes_reserved=True)
    interventions.exclude(member, by=None, reason="For a test", reissued=True)


def reopen(project, member, label):
    pairs = project.pairs.filter(consensus__kept=False).values_list("public_id", flat=True)
    return agreement.reopen(project, list(pairs), by=member.user)


def first(project, member, label):
    pair = project.pairs.order_by("pk")[label]
    return order.prioritize(project, [pair.public_id], label)


DO = {
    "look": look,
    "answer": answer,
    "undo": undo,
    "skip": skip,
    "expire": expire,
    "pause": pause,
    "exclude": exclude,
    "reissue": reissue,
    "reopen": reopen,
    "first": first,
    "again": again,
}


def rows_of(project, people):
    items = list(Item.objects.filter(project=project).order_by("pk").values_list("pk", flat=True))
    place = {key: number for number, key in enumerate(items)}
    who = {member.user_id: number for number, member in enumerate(people)} | {None: None}
    slots = Slot.objects.filter(project=project).order_by("item", "number")
    keys = sorted(slot.queue_key for slot in slots if slot.queue_key is not None)
    rank = defaultdict(lambda: None, {key: number for number, key in enumerate(keys)})
    return {
        "counts": list(Item.objects.filter(pk__in=items).order_by("pk").values_list("slot_count")),
        "slots": [
            (
                *(place[slot.item_id], slot.number, who[slot.annotator_id], rank[slot.queue_key]),
                *(slot.claimed_at is None, slot.reserved, slot.label, slot.serial),
                *(slot.text, slot.words),
                *(slot.excluded_by and slot.excluded_by.kind, slot.superseded_by_id is None),
            )
            for slot in slots.select_related("excluded_by")
        ],
        "decided": sorted(
            (place[each.pair_id], each.tally, each.first_tally or [], each.label, each.kept)
            for each in Consensus.objects.filter(pair__project=project)
        ),
        "duties": [
            (duty.looked_behind_at is None, duty.gold_after)
            for duty in Duty.objects.filter(membership__project=project).order_by("pk")
        ],
        "recused": sorted(
            (place[each.item_id], who[each.annotator_id])
            for each in Recusal.objects.filter(item__in=items)
        ),
        "skipped": sorted(
            (place[each.item_id], who[each.annotator_id])
            for each in Skip.objects.filter(project=project)
        ),
    }
