"""Rewrites columns of sentences without a database, in notebooks, pools of processes and commands.

Importing this module needs no Django: a process that unpickles a Generator may have set up none.
"""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import django
from django.apps import apps

from generation import readers
from generation.endpoints.chat import Ledger
from generation.errors import BadSettings
from generation.nlp.text import RefusedText
from generation.readers import Row
from generation.records import RefusedLine

if TYPE_CHECKING:
    from generation.methods.contract import GenerationMethod, Rewriter

# A literal, since the models need Django.
DEFINITIONS = "definitions"
NO_ENTITIES = (
    "Definitions are paired within an entity, and sentences in a file have none. Import flashcards "
    "with import_flashcards, then start a run: generate --method definitions."
)
# Of a rewrite, with its sentence.
COLUMNS = (
    *("source_id", "line", "source", "rank", "text", "method", "kind", "score", "source_score"),
    *("probability", "paraphrase", "similarity", "inversion_rate", "alternatives"),
)


@dataclass(slots=True)
class Rewritten:
    """The rewrites of some sentences: rows of COLUMNS. `outcomes` counts the sentences.

    `dropped` counts rewrites that the method left out. Both are by reason.
    """

    sentences: int
    rows: list[dict[str, Any]] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)


class Generator:
    """A method with its settings, for `datasets.map(batched=True)`, Ray and Dask.

    `language` is that of the sentences (BCP 47), `column` names their column, and `ids` that of
    their ids, if there is one. The models are loaded when the first sentence is rewritten, once in
    each process. A `ledger` keeps replies of models on other servers; without one, each is paid for
    again, without limit.
    Raises UnknownMethod, BadSettings or MissingModel.

    >>> Generator("word_swap", preset="more")({"text": ["The dog saw the cat."]})["text"]
    ['The cat saw the dog.']
    """

    def __init__(
        self,
        method: str,
        *,
        preset: str = "",
        settings: Mapping[str, Any] | None = None,
        seed: int = 0,
        language: str = "en",
        column: str = "text",
        ids: str = "id",
    ) -> None:
        if method == DEFINITIONS:
            raise BadSettings(NO_ENTITIES)
        self.method, self.preset, self.seed = method, preset, seed
        self.column, self.ids = column, ids
        contract = self.contract
        configuration = contract.configure(contract.with_preset(preset, dict(settings or {})))
        self.settings = contract.for_corpus(configuration, language)
        self.identities = contract.identify(self.settings)
        self.ledger: Ledger | None = None
        self._rewriter: Rewriter | None = None

    def __call__(self, columns: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """Return the rewrites of a column of sentences as columns, in the order of the sentences.

        A sentence has no row, one or several. Texts that an import would refuse have none.
        The line is the place of the sentence among those of the call, counted from 1.
        """
        texts = columns[self.column]
        ids = columns[self.ids] if self.ids in columns else [""] * len(texts)
        sentences = list(_sentences(zip(texts, ids, strict=True)))
        size = self.contract.batch_size
        rows = [
            row
            for start in range(0, len(sentences), size)
            for row in self.rewrite(sentences[start : start + size]).rows
        ]
        return {name: [row[name] for row in rows] for name in COLUMNS}

    def __getstate__(self) -> dict[str, Any]:
        """Leave the models out: each process loads its own, or has them since it was forked."""
        return self.__dict__ | {"_rewriter": None}

    @property
    def contract(self) -> "GenerationMethod":
        _set_up_django()
        from generation import methods

        return methods.named(self.method)

    def rewrite(self, sentences: Sequence[Row]) -> Rewritten:
        """Return the rewrites of one batch of sentences, as a run would store them.

        Raises the error of the method if it fails on all sentences, or if the error may pass.
        """
        _set_up_django()
        from generation.methods.rewriting import columns_of, outcomes_of

        if self._rewriter is None:
            self._rewriter = self.contract.load(self.settings, self.seed, self.ledger)
        outcomes, _failure = outcomes_of(self._rewriter, [row.text for row in sentences])
        rewritten = Rewritten(len(sentences))
        for row, outcome in zip(sentences, outcomes, strict=True):
            rewritten.outcomes[outcome.name] += 1
            rewritten.dropped.update(outcome.dropped)
            about = {"source_id": row.external_id, "line": row.line, "source": row.text}
            rewritten.rows += (
                about | {"rank": rank, "method": self.method} | columns_of(row.text, rewrite)
                for rank, rewrite in enumerate(outcome.rewrites)
            )
        return rewritten


def _sentences(texts_and_ids: Iterable[tuple[Any, Any]]) -> Iterable[Row]:
    for number, cells in enumerate(texts_and_ids, 1):
        text, external_id = ("" if cell is None else str(cell) for cell in cells)
        try:
            yield readers.row(number, {"text": text, "id": external_id})
        except (RefusedText, RefusedLine):
            continue


def _set_up_django() -> None:
    """Set Django up where nothing has: in a notebook, or in a process of a pool."""
    if not apps.ready:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
