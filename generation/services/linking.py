"""Finding the sentence that a pair made elsewhere rewrites."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from generation.models import Corpus, Sentence
from generation.pair_reader import PairLine
from generation.records import Fault, RefusedLine
from generation.services.sentences import digest_of


@dataclass(slots=True)
class SentenceBook:
    """The rewritten sentences of some lines, found by id and by text.

    `new` gathers those that the corpus does not hold yet; the caller stores them.
    """

    corpus: Corpus
    by_id: dict[str, Sentence]
    by_text: dict[uuid.UUID, Sentence]
    new: list[Sentence] = field(default_factory=list)

    @classmethod
    def over(cls, corpus: Corpus, lines: Sequence[PairLine]) -> "SentenceBook":
        """Look up everything that the lines name, in three queries."""
        ids = {line.sentence1_id for line in lines} - {""}
        sources = Sentence.objects.filter(corpus=corpus, candidate=None)
        by_text = sources.filter(digest__in={digest_of(line.sentence1) for line in lines})
        public = Sentence.objects.filter(public_id__in=set(filter(None, map(_as_uuid, ids))))
        return cls(
            corpus=corpus,
            by_id={each.external_id: each for each in sources.filter(external_id__in=ids)}
            | {str(each.public_id): each for each in public},
            by_text={each.digest: each for each in by_text},
        )

    def sentence(self, line: PairLine) -> Sentence:
        """The rewritten sentence of a line. Raises RefusedLine."""
        public_id = _as_uuid(line.sentence1_id)
        if found := self.by_id.get(str(public_id or line.sentence1_id)):
            if found.text != line.sentence1:
                raise RefusedLine(Fault.OTHER_TEXT)
            return found
        digest = digest_of(line.sentence1)
        if found := self.by_text.get(digest):
            return found
        if public_id:
            raise RefusedLine(Fault.UNKNOWN_SENTENCE)
        return self._add(line, digest)

    def _add(self, line: PairLine, digest: uuid.UUID) -> Sentence:
        sentence = Sentence(
            corpus=self.corpus,
            external_id=line.sentence1_id,
            text=line.sentence1,
            digest=digest,
        )
        self.new.append(sentence)
        self.by_text[digest] = sentence
        if line.sentence1_id:
            self.by_id[line.sentence1_id] = sentence
        return sentence


def _as_uuid(value: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(value)
    except ValueError:
        return None
