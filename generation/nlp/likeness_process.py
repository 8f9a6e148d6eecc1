"""Measures the similarity of many text pairs in a child process.

`python -m generation.nlp.likeness_process` answers each line, a JSON array of pairs, with a JSON
array of measures.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, TypeAlias

from generation.nlp.measures import likeness

Texts: TypeAlias = tuple[str, str]
Likeness: TypeAlias = tuple[float, float]  # similarity and inversion rate

ROOT = Path(__file__).parents[2]


def likenesses(pairs: Sequence[Texts]) -> list[Likeness]:
    """Measure pairs in this process."""
    return [likeness(*pair) for pair in pairs]


class Assistant:
    """A child process that measures pairs; ends with its context or with this process.

    >>> with Assistant() as assistant:
    ...     assistant.give([("A cat sees a dog.", "A dog sees a cat.")])
    ...     assistant.take()
    [(1.0, 0.5333333333333333)]
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def give(self, pairs: Sequence[Texts]) -> None:
        """Send pairs to measure; take the previous result first. Raises RuntimeError."""
        try:
            print(json.dumps(pairs), file=self._pipe(self._process.stdin), flush=True)
        except BrokenPipeError:
            raise self._ended() from None

    def take(self) -> list[Likeness]:
        """Wait for the result of `give` and return it. Raises RuntimeError."""
        if not (line := self._pipe(self._process.stdout).readline()):
            raise self._ended()
        return [(similarity, inversion_rate) for similarity, inversion_rate in json.loads(line)]

    def __enter__(self) -> "Assistant":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def _ended(self) -> RuntimeError:
        code = self._process.wait()
        return RuntimeError(f"The process that measures pairs has ended with {code}.")

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        if pipe is None:
            raise RuntimeError("A process without pipes measures nothing.")
        return pipe


def _serve() -> None:
    """Answer requests until standard input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # left to the parent process
    for line in sys.stdin:
        sys.stdout.write(json.dumps(likenesses(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
