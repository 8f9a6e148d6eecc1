"""Open pairs for judgment: the pair, its slots and its recusals in one transaction."""

import hashlib
import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, ProtectedError

from annotation.errors import Refused
from annotation.models import Correction, Item, Judgment, Project, Recusal, SentencePair, Skip, Slot
from annotation.projects.services import projects
from annotation.work import one_person, queue
from common import bulk
from generation.models import Candidate
from generation.nlp.text import pair_key
from generation.services import sentences

Reason = Recusal.Reason
# The first part of the key of the lock that `originals` takes.
TEXTS = 1
# A gold pair has no limit on judgments: the maximum of the column.
WITHOUT_END = 32767
PAIR = (
    "id",
    "candidate_id",
    "origin_id",
    "sentence1_id",
    "sentence2_id",
    "texts_key",
    "duplicate_of_id",
    "flipped",
    "gold_label",
)


@dataclass(frozen=True)
class FinalText:
    """A candidate with the text that is judged, and who corrected it.

    All but the texts are primary keys; `public_id` and `group` are those of the candidate and its
    sentence. In a `directed` study, the order of the texts matters.
    """

    candidate: int
    public_id: uuid.UUID
    sentence: int
    corpus: int
    group: str
    source: str
    text: str
    directed: bool
    origin: int | None = None
    corrector: int | None = None

    @classmethod
    def from_candidate(
        cls, project: Project, candidate: Candidate, text: str, correction: Slot | None = None
    ) -> "FinalText":
        """Return the final text of a candidate in a project, as generated or as corrected."""
        return cls(
            candidate.pk,
            candidate.public_id,
            candidate.sentence_id,
            candidate.sentence.corpus_id,
            candidate.sentence.group,
            candidate.sentence.text,
            text,
            project.scheme.directed,
            correction.pk if correction else None,
            correction.annotator_id if correction else None,
        )

    @cached_property
    def key(self) -> uuid.UUID:
        """What all pairs of the same texts share."""
        return pair_key(self.source, self.text, directed=self.directed)


@transaction.atomic
def open_pairs(project: Project, finals: Sequence[FinalText]) -> None:
    """Create a pair with all its judgment slots for each final text.

    Texts that the project has already become a duplicate without slots. Their correctors
    do not judge the first pair either.
    """
    project = projects.with_protocol(project)
    pairs, new = _create_pairs(project, finals, project.judgments_per_pair, [None] * len(finals))
    queue.open_slots(project, Judgment.KIND, new, per_item=project.judgments_per_pair)
    _recuse(project, pairs, finals)


@transaction.atomic
def open_gold(project: Project, finals: Sequence[tuple[FinalText, int]]) -> list[SentencePair]:
    """Create a gold pair for each final text with a known label.

    Slots are created when people are given the pair; it is never decided. Raises Refused if a label
    is none of the project. A pair of the study with the same texts makes it a duplicate.
    """
    project = projects.with_protocol(project)
    if not all(0 <= label < project.scheme.size for _, label in finals):
        raise Refused("A known answer is no label of this project.")
    texts = [final for final, _ in finals]
    pairs, new = _create_pairs(project, texts, WITHOUT_END, [label for _, label in finals])
    _recuse(project, pairs, texts)
    return list(SentencePair.objects.filter(pk__in=new).order_by("pk"))


def recuse_corrector(correction: Slot) -> None:
    """Recuse the person who was given a candidate to correct from the pair of the same texts."""
    item = correction.item
    with_texts = SentencePair.objects.filter(project=item.project_id, texts_key=item.texts_key)
    if item.candidate and (pair := with_texts.first()):
        project, text = correction.project, item.candidate.text
        final = FinalText.from_candidate(project, item.candidate, text, correction)
        _recuse(project, [pair.pk], [final])


def withdraw(correction: Slot) -> bool:
    """Delete the pair of a correction, unless other rows depend on it already.

    Returns False if a person has a slot of it or has skipped it, if it has duplicates, or if its
    rewrite was rewritten again.
    """
    pairs = Item.objects.filter(kind=Judgment.KIND, origin=correction)
    pair = pairs.select_related("sentence2").first()
    if pair is None:
        return True
    try:
        with transaction.atomic():
            if pair.duplicates.exists() or not queue.remove(pair):
                return False
            if pair.sentence2:
                pair.sentence2.delete()
    except ProtectedError:
        return False
    return True


def is_flipped(seed: int, candidate: uuid.UUID) -> bool:
    """Return whether judges see the rewrite first: one draw per candidate from the seed."""
    drawn = hashlib.sha256(f"{seed} sides {candidate}".encode()).digest()
    return bool(drawn[0] & 1)


def originals(
    project: Project, kinds: Sequence[str], items: Sequence[int], finals: Sequence[FinalText]
) -> list[int | None]:
    """Return, for each new item, the earlier item that has the same texts; None for the first.

    Those of the first of `kinds` take precedence. Another transaction that adds texts to the
    project waits until this one ends.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [TEXTS, project.pk])
    item_by_key: dict[uuid.UUID, int] = {}
    for kind in reversed(kinds):
        has_key = bulk.among("texts_key", {final.key for final in finals})
        rows = Item.objects.filter(has_key, project=project, kind=kind, duplicate_of=None)
        item_by_key |= {key: item for key, item in rows.values_list("texts_key", "pk") if key}
    same_texts = (
        (item, item_by_key.setdefault(final.key, item))
        for item, final in zip(items, finals, strict=True)
    )
    return [None if original == item else original for item, original in same_texts]


def _create_pairs(
    project: Project, finals: Sequence[FinalText], slots: int, labels: Sequence[int | None]
) -> tuple[list[int], list[int]]:
    """Create a pair for each final text.

    Returns the first pair with the same texts for each, and the keys of all that are new.
    """
    derived = sentences.derive(
        [(final.candidate, final.corpus, final.group, final.text) for final in finals]
    )
    pairs = bulk.keys(Item, len(finals))
    firsts = originals(project, (Judgment.KIND,), pairs, finals)
    rows = (
        (
            pair,
            final.candidate,
            final.origin,
            final.sentence,
            sentence,
            final.key,
            original,
            not final.directed and is_flipped(project.seed, final.public_id),
            label,
        )
        for pair, original, final, sentence, label in zip(
            pairs, firsts, finals, derived, labels, strict=True
        )
    )
    bulk.insert(
        Item, rows, fields=PAIR, project_id=project.pk, kind=Judgment.KIND, slot_count=slots
    )
    new = [pair for pair, original in zip(pairs, firsts, strict=True) if original is None]
    return [original or pair for pair, original in zip(pairs, firsts, strict=True)], new


def _recuse(project: Project, pairs: Sequence[int], finals: Sequence[FinalText]) -> None:
    """Exclude the correctors of either sentence, with all their accounts, from judging the pair."""
    correctors = _correctors(project, finals)
    if not any(correctors):
        return
    recused = [(pair, key) for pair, keys in zip(pairs, correctors, strict=True) for key in keys]
    one_person.recuse(recused, Reason.CORRECTED)
    of_slot = Recusal.objects.filter(item=OuterRef("item"), person=OuterRef("person"))
    in_progress = Slot.objects.in_progress().filter(Exists(of_slot), item__in=pairs)
    queue.give_back(in_progress)


def _correctors(project: Project, finals: Sequence[FinalText]) -> list[set[int]]:
    """Return the people who corrected either sentence, for each pair."""
    # The rewritten sentence may itself be a corrected text.
    rewritten = bulk.among("sentence2", {final.sentence for final in finals})
    rewrites = SentencePair.objects.filter(rewritten, project=project, origin__isnull=False)
    corrector_by_sentence = dict(rewrites.values_list("sentence2_id", "origin__annotator_id"))
    # People who were given the same texts to correct, even if they skipped them.
    correctors_by_key = defaultdict[uuid.UUID, set[int]](set)
    has_key = bulk.among("item__texts_key", {final.key for final in finals})
    corrected = Correction.objects.filter(has_key, project=project).answered()
    skipped = Skip.objects.filter(has_key, project=project, item__kind=Correction.KIND)
    for rows in (corrected, skipped):
        for key, person in rows.values_list("item__texts_key", "annotator"):
            if key and person:
                correctors_by_key[key].add(person)
    people = [
        (corrector_by_sentence.get(final.sentence), final.corrector, *correctors_by_key[final.key])
        for final in finals
    ]
    return [{person for person in accounts if person is not None} for accounts in people]
