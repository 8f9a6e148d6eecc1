"""Adds flashcards to a corpus: each definition once, with its entity and the entity's group."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from uuid import UUID

from django.db import transaction

from common import bulk
from generation.flashcards import Card, fault_of, twin_key
from generation.models import Corpus, MergedGroup, Sentence
from generation.records import Fault, Follower, Refusal, Report, in_chunks
from generation.services import corpora
from generation.services.sentences import digest_of

CARDS_PER_TRANSACTION = 2_000
COLUMNS = ("text", "digest", "external_id", "entity", "group", "line")
LONGEST = Sentence._meta.get_field("group").max_length or 0


def import_flashcards(
    lines: Iterable[Card | Refusal],
    *,
    corpus: Corpus,
    terms: Collection[str] = (),
    follower: Follower | None = None,
    keeps_lines: bool = True,
) -> Report:
    """Add each definition of a file once (PARADE 3.1); `terms` are as in `fault_of`.

    A definition of two entities is refused for the second, and they form one group.
    """
    report = Report(follower=follower)
    for chunk in in_chunks(lines, CARDS_PER_TRANSACTION):
        cards = list(_suitable_cards(report.readable(chunk), corpus, terms, report))
        _add_cards(cards, corpus, report, keeps_lines=keeps_lines)
    return report


def foretell(cards: Sequence[Card], corpus: Corpus, terms: Collection[str], report: Report) -> None:
    """Report which cards an import would refuse or has already; nothing is stored.

    The corpus may be one that is not stored yet.
    """
    _sort(list(_suitable_cards(cards, corpus, terms, report)), corpus, report)


def _suitable_cards(
    cards: Iterable[Card], corpus: Corpus, terms: Collection[str], report: Report
) -> Iterator[Card]:
    for card in cards:
        if fault := fault_of(card, language=corpus.language, terms=terms):
            report.refuse(card.line, fault)
        else:
            yield card


@transaction.atomic
def _add_cards(cards: Sequence[Card], corpus: Corpus, report: Report, *, keeps_lines: bool) -> None:
    """Add definitions that are not in the corpus yet; the lock serialises imports as for sentences.

    Groups are known only after the last card of the chunk.
    """
    corpus = Corpus.objects.select_for_update().get(pk=corpus.pk)
    new_cards, groups = _sort(cards, corpus, report)
    groups.store()
    rows = (
        (
            card.definition,
            digest_of(card.definition),
            card.external_id,
            card.entity,
            groups.group_of(card.entity),
            card.line if keeps_lines else None,
        )
        for card in new_cards
    )
    bulk.insert(Sentence, rows, fields=COLUMNS, corpus_id=corpus.pk)
    report.added += len(new_cards)
    report.stored()


def _sort(cards: Sequence[Card], corpus: Corpus, report: Report) -> tuple[list[Card], "Groups"]:
    """Return the cards to add, and the groups as they will be; count or refuse the others."""
    digests = [digest_of(card.definition) for card in cards]
    owners = {
        source.digest: source.entity for source in corpora.sources_with(corpus, "digest", digests)
    }
    groups = Groups(corpus, {*owners.values(), *(card.entity for card in cards)})
    return list(_new_cards(corpus, cards, owners, groups, report)), groups


def _new_cards(
    corpus: Corpus,
    cards: Sequence[Card],
    owners: dict[UUID, str],
    groups: "Groups",
    report: Report,
) -> Iterator[Card]:
    """Yield the cards to add; count or refuse the others.

    `owners` has the entity of each text in the corpus, "" for a sentence of no flashcard.
    """
    ids = {card.external_id for card in cards}
    external_ids = {
        source.external_id for source in corpora.sources_with(corpus, "external_id", ids)
    }
    for card in cards:
        owner = owners.get(digest := digest_of(card.definition))
        if owner == card.entity:
            report.duplicates += 1
        elif owner is not None:
            report.refuse(card.line, Fault.SHARED_DEFINITION)
            if owner:
                groups.merge(owner, card.entity)
        elif card.external_id in external_ids:
            report.refuse(card.line, Fault.DUPLICATE_ID)
        else:
            owners[digest] = card.entity
            external_ids |= {card.external_id} - {""}
            yield card


class Groups:
    """The groups of entities of a corpus: twins have one, and entities that share a definition."""

    def __init__(self, corpus: Corpus, entities: Iterable[str]) -> None:
        self.corpus = corpus
        self._names = {entity: twin_key(entity, corpus.language)[:LONGEST] for entity in entities}
        stored = MergedGroup.objects.filter(bulk.among("name", set(self._names.values())))
        of_corpus = stored.filter(corpus_id=corpus.pk)
        self._group_of_name: dict[str, str] = dict(of_corpus.values_list("name", "group"))
        self._merged: dict[str, str] = {}

    def group_of(self, entity: str) -> str:
        group = self._names[entity]
        return self._final_group(self._group_of_name.get(group, group))

    def merge(self, entity: str, other: str) -> None:
        into, joining = self.group_of(entity), self.group_of(other)
        if into != joining:
            self._merged[joining] = into

    def store(self) -> None:
        """Store the merged groups, for later imports and for the sentences that are there."""
        final_group_of = {group: self._final_group(group) for group in self._merged}
        if not final_group_of:
            return
        earlier = list(MergedGroup.objects.filter(corpus=self.corpus, group__in=final_group_of))
        for row in earlier:
            row.group = final_group_of[row.group]
        MergedGroup.objects.bulk_update(earlier, ["group"])
        new_groups = (
            MergedGroup(corpus=self.corpus, name=name, group=group)
            for name, group in final_group_of.items()
        )
        MergedGroup.objects.bulk_create(new_groups)
        sentences = Sentence.objects.filter(corpus=self.corpus, group__in=final_group_of)
        for group in set(sentences.values_list("group", flat=True)):
            Sentence.objects.filter(corpus=self.corpus, group=group).update(
                group=final_group_of[group]
            )

    def _final_group(self, group: str) -> str:
        while group in self._merged:
            group = self._merged[group]
        return group
