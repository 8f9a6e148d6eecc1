"""What a method makes of a sentence: its rewrites, or the reason why there are none."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from generation.endpoints.chat import EndpointError, Interrupted

ACCEPTED = "accepted"
# The method raised an error on this sentence alone.
FAILED = "failed"
# In errors of Python, torch and Celery that may pass.
PASSING = ("memory", "cuda", "timelimitexceeded")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewritten sentence; its fields fill the candidate's columns of the same names.

    `probability` is that of being accepted as it is, and `paraphrase` that of meaning the same as
    its source, if they were estimated.
    Scores are natural-log likelihoods: of the text and of its source by the language model, or of
    the likeliest way of a back translation.
    """

    text: str
    kind: str = ""
    score: float | None = None
    source_score: float | None = None
    alternatives: tuple["Rewrite", ...] = ()
    probability: float | None = None
    paraphrase: float | None = None

    def as_alternative(self) -> dict[str, Any]:
        """Return what is stored of a next-best rewrite."""
        return {
            "text": self.text,
            "log_likelihood": self.score,
            "kind": self.kind,
            "probability": self.probability,
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one sentence: its rewrites, best first, and the name it is counted under.

    The name is ACCEPTED, or the reason why there is no rewrite; then `refused` is the best that the
    method made, if it tells. `dropped` counts rewrites that it left out, by why, if it counts them.
    """

    name: str
    rewrites: tuple[Rewrite, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    refused: Rewrite | None = None


def is_of_machine(error: Exception) -> bool:
    """Whether it is no fault of a text, and may pass: then the batch is tried again.

    Memory, files, GPUs, Celery's time, and servers with models.
    """
    text = repr(error).casefold()
    return isinstance(error, OSError | EndpointError | Interrupted) or any(
        words in text for words in PASSING
    )
