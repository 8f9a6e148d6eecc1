"""The interface of generation methods: sentences in, one outcome for each out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol, TypeAlias

from generation.models import Queue

Settings: TypeAlias = dict[str, Any]
Identities: TypeAlias = dict[str, dict[str, str]]

ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewritten sentence; its fields fill the candidate's columns of the same names."""

    text: str
    kind: str = ""
    score: float | None = None
    source_score: float | None = None
    alternatives: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one sentence: its rewrites, best first, and the name it is counted under."""

    name: str
    rewrites: tuple[Rewrite, ...] = ()


class Rewriter(Protocol):
    """A method with its settings and models loaded."""

    @property
    def identities(self) -> Identities: ...

    def outcomes(self, texts: Sequence[str]) -> Iterable[Outcome]:
        """Return one outcome per text, in order; the same batch always gives the same outcomes."""
        ...


@dataclass(frozen=True, slots=True)
class GenerationMethod:
    """A way of rewriting sentences.

    Attributes:
        configure: returns the whole configuration from user settings; raises BadSettings.
        identify: returns name and revision or SHA-256 of each model, by its role; loads no model,
            so any process may call it. Raises MissingModel.
        load: returns a rewriter from a whole configuration and a seed; models stay loaded for the
            lifetime of the process. Raises MissingModel.
        of_pairs: whether it rewrites both sentences of each pair of other runs, not the sources.
        batch_size: sentences that are claimed and written together.
        lease: how long a worker may take over one batch before another may claim it.
    """

    configure: Callable[[Mapping[str, Any]], Settings]
    identify: Callable[[Settings], Identities]
    load: Callable[[Settings, int], Rewriter]
    of_pairs: bool = False
    batch_size: int = 200
    lease: timedelta = timedelta(minutes=2)


def queue_of(settings: Settings) -> Queue:
    """Return the queue for a run: settings with a CUDA device need workers with a GPU."""
    return Queue.GPU if str(settings.get("device", "cpu")).startswith("cuda") else Queue.CPU
