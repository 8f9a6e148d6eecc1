"""Lines of the files of a release: every row in exactly one form.

JSON is what `json.dumps(row, ensure_ascii=False)` gives, put together by hand: there are millions
of lines, and their fields are known.
"""

from json.encoder import encode_basestring as quoted

from annotation.dataset.content import AdjudicationRow, GuestRow
from annotation.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow
from annotation.dataset.tables import Row

TRUTH = {False: "false", True: "true"}


def tsv_line(row: Row) -> str:
    """A row without quoting: what cannot be told apart from the format is refused.

    Raises ValueError for a cell with a tab or a line break.
    """
    line = "\t".join(map(str, row))
    if line.count("\t") >= len(row) or "\n" in line or "\r" in line:
        raise ValueError(f"a tab or a line break in one of {row!r}")
    return line + "\n"


def sentence_line(row: SentenceRow) -> str:
    """A line of sentences.jsonl; the group stands in it where there is one."""
    group = f', "group": {quoted(row.group)}' if row.group else ""
    return (
        f'{{"id": {quoted(row.id)}, "text": {quoted(row.text)}, "source": {quoted(row.source)}, '
        f'"rewritten_from": {optional(row.rewritten_from)}, "method": {optional(row.method)}, '
        f'"correction": {optional(row.correction)}{group}}}\n'
    )


def pair_line(pair: ReleasedPair) -> str:
    """A line of pairs.jsonl."""
    votes = "null" if pair.votes is None else f"[{pair.votes[0]}, {pair.votes[1]}]"
    return (
        f'{{"id": {quoted(pair.id)}, "sentence1": {quoted(pair.sentence1)}, '
        f'"sentence2": {quoted(pair.sentence2)}, "origin": {quoted(pair.origin)}, '
        f'"via": [{", ".join(map(quoted, pair.via))}], "method": {quoted(pair.method)}, '
        f'"votes": {votes}, "label": {number(pair.label)}, "kept": {TRUTH[pair.kept]}, '
        f'"subset": {optional(pair.subset)}, "split": {optional(pair.split)}}}\n'
    )


def judgment_line(row: JudgmentRow) -> str:
    """A line of judgments.jsonl."""
    return (
        f'{{"pair": {quoted(row.pair)}, "annotator": {quoted(row.annotator)}, '
        f'"label": {row.label}, "seconds": {number(row.seconds)}, '
        f'"simulated": {TRUTH[row.simulated]}}}\n'
    )


def adjudication_line(row: AdjudicationRow) -> str:
    """A line of adjudications.jsonl."""
    return f'{{"pair": {quoted(row.pair)}, "label": {number(row.label)}}}\n'


def guest_line(row: GuestRow) -> str:
    """A line of guests.jsonl."""
    return (
        f'{{"pair": {quoted(row.pair)}, "guest": {quoted(row.guest)}, '
        f'"revision": {quoted(row.revision)}, "label": {row.label}, '
        f'"score": {number(row.score)}}}\n'
    )


def optional(text: str | None) -> str:
    """A string, or null."""
    return "null" if text is None else quoted(text)


def number(value: float | None) -> str:
    """A finite number, or null."""
    return "null" if value is None else repr(value)
