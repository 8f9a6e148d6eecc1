"""Measures imported pairs while the database stores the previous ones."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from generation.models import Method
from generation.nlp.likeness_process import Assistant, Likeness, Texts, likenesses
from generation.readers import PairLine
from generation.records import Fault, Refusal, RefusedLine, UnreadableFile
from generation.services.sentences import digest_of

# Lines per transaction; memory holds two such chunks.
LINES_AT_ONCE = 5_000
METHODS = frozenset(Method.values)

Maker: TypeAlias = tuple[str, str]  # method and model


@dataclass(slots=True)
class Rewrite:
    """A pair of a file, with what is known before querying the corpus."""

    line: PairLine
    maker: Maker
    digest: str  # of the source sentence

    @classmethod
    def of(cls, line: PairLine) -> "Rewrite":
        """Check a line by itself. Raises RefusedLine."""
        method = line.method or Method.IMPORTED
        if method not in METHODS:
            raise RefusedLine(Fault.UNKNOWN_METHOD)
        if line.sentence1 == line.sentence2:
            raise RefusedLine(Fault.IDENTICAL)
        return cls(line, (method, line.model), digest_of(line.sentence1))


@dataclass(slots=True)
class Chunk:
    """Some lines of a file, and the error that ended the reading, if any."""

    rewrites: list[Rewrite] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    broken_off: UnreadableFile | None = None

    @classmethod
    def of(cls, lines: Iterable[PairLine | Refusal]) -> "Chunk":
        """Check each line by itself."""
        chunk = cls()
        try:
            for line in lines:
                chunk.add(line)
        except UnreadableFile as error:
            chunk.broken_off = error
        return chunk

    def add(self, line: PairLine | Refusal) -> None:
        """Add the next line."""
        if isinstance(line, Refusal):
            self.refusals.append(line)
            return
        try:
            self.rewrites.append(Rewrite.of(line))
        except RefusedLine as refused:
            self.refusals.append(Refusal(line.line, refused.reason))

    @property
    def lines(self) -> int:
        """The number of lines."""
        return len(self.rewrites) + len(self.refusals)

    @property
    def texts(self) -> list[Texts]:
        """Both texts of each pair."""
        return [(each.line.sentence1, each.line.sentence2) for each in self.rewrites]


def measured(lines: Iterable[PairLine | Refusal]) -> Iterator[tuple[Chunk, list[Likeness]]]:
    """Yield all lines in chunks, with the likeness of each pair.

    A child process measures each chunk while the previous one is being stored; a single chunk is
    measured here, without the start of a process. Raises UnreadableFile after the last chunk.
    """
    chunks = _chunks(lines)
    chunk, following = next(chunks), next(chunks, None)
    if following is None:
        yield chunk, likenesses(chunk.texts)
    else:
        with Assistant() as assistant:
            likeness = likenesses(chunk.texts)
            while following:
                assistant.give(following.texts)
                yield chunk, likeness
                chunk, following = following, next(chunks, None)
                likeness = assistant.take()
            yield chunk, likeness
    if chunk.broken_off:
        raise chunk.broken_off


def _chunks(lines: Iterable[PairLine | Refusal]) -> Iterator[Chunk]:
    """Yield at least one chunk, which may be empty; later ones have lines or an error."""
    iterator = iter(lines)
    yield (chunk := Chunk.of(islice(iterator, LINES_AT_ONCE)))
    while not chunk.broken_off:
        chunk = Chunk.of(islice(iterator, LINES_AT_ONCE))
        if not (chunk.lines or chunk.broken_off):
            return
        yield chunk
