"""Formats the lines of release files: every row has exactly one form.

The JSON equals `json.dumps(row, ensure_ascii=False)`, but is built by hand for speed: there are
millions of lines, and their fields are known.
"""

from collections.abc import Sequence
from json.encoder import encode_basestring as quoted

from releases.dataset.content import AdjudicationRow, GuestRow
from releases.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow
from releases.dataset.tables import Row

TRUTH = {False: "false", True: "true"}


def tsv_line(row: Row) -> str:
    """Return a row as a line of TSV, without quoting.

    Raises ValueError if a cell has a tab or a line break.
    """
    line = "\t".join(map(str, row))
    if line.count("\t") >= len(row) or "\n" in line or "\r" in line:
        raise ValueError(f"a tab or a line break in one of {row!r}")
    return line + "\n"


def tsv_lines(rows: Sequence[Row]) -> str:
    """Return rows of the same length as TSV; checking the joined text is faster than each row.

    Raises ValueError if a cell has a tab or a line break.
    """
    text = "\n".join(["\t".join(map(str, row)) for row in rows]) + "\n"
    tabs, breaks = text.count("\t"), text.count("\n")
    if tabs == len(rows) * (len(rows[0]) - 1) and breaks == len(rows) and "\r" not in text:
        return text
    return "".join(map(tsv_line, rows))


def sentence_line(row: SentenceRow) -> str:
    """Return a line of sentences.jsonl, with a group only if there is one."""
    key, text, source, rewritten_from, method, correction, group = row
    tail = f', "group": {quoted(group)}' if group else ""
    return (
        f'{{"id": {quoted(key)}, "text": {quoted(text)}, "source": {quoted(source)}, '
        f'"rewritten_from": {optional(rewritten_from)}, "method": {optional(method)}, '
        f'"correction": {optional(correction)}{tail}}}\n'
    )


def pair_line(pair: ReleasedPair) -> str:
    """Return a line of pairs.jsonl."""
    key, sentence1, sentence2, origin, via, method, votes, label, kept, subset, split = pair
    counted = "null" if votes is None else f"[{votes[0]}, {votes[1]}]"
    return (
        f'{{"id": {quoted(key)}, "sentence1": {quoted(sentence1)}, '
        f'"sentence2": {quoted(sentence2)}, "origin": {quoted(origin)}, '
        f'"via": [{", ".join(map(quoted, via))}], "method": {quoted(method)}, '
        f'"votes": {counted}, "label": {number(label)}, "kept": {TRUTH[kept]}, '
        f'"subset": {optional(subset)}, "split": {optional(split)}}}\n'
    )


def judgment_line(row: JudgmentRow) -> str:
    """Return a line of judgments.jsonl."""
    pair, annotator, label, seconds, simulated = row
    return (
        f'{{"pair": {quoted(pair)}, "annotator": {quoted(annotator)}, '
        f'"label": {label}, "seconds": {number(seconds)}, "simulated": {TRUTH[simulated]}}}\n'
    )


def adjudication_line(row: AdjudicationRow) -> str:
    """Return a line of adjudications.jsonl."""
    return f'{{"pair": {quoted(row.pair)}, "label": {number(row.label)}}}\n'


def guest_line(row: GuestRow) -> str:
    """Return a line of guests.jsonl."""
    return (
        f'{{"pair": {quoted(row.pair)}, "guest": {quoted(row.guest)}, '
        f'"revision": {quoted(row.revision)}, "label": {row.label}, '
        f'"score": {number(row.score)}}}\n'
    )


def optional(text: str | None) -> str:
    """Return a JSON string, or null."""
    return "null" if text is None else quoted(text)


def number(value: float | None) -> str:
    """Return a finite JSON number, or null."""
    return "null" if value is None else repr(value)
