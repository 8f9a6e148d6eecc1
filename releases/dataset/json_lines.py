"""Lines of the files of a release: every row in exactly one form.

JSON is what `json.dumps(row, ensure_ascii=False)` gives, put together by hand: there are millions
of lines, and their fields are known.
"""

from collections.abc import Sequence
from json.encoder import encode_basestring as quoted

from releases.dataset.content import AdjudicationRow, GuestRow
from releases.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow
from releases.dataset.tables import Row

TRUTH = {False: "false", True: "true"}


def tsv_line(row: Row) -> str:
    """A row without quoting: what cannot be told apart from the format is refused.

    Raises ValueError for a cell with a tab or a line break.
    """
    line = "\t".join(map(str, row))
    if line.count("\t") >= len(row) or "\n" in line or "\r" in line:
        raise ValueError(f"a tab or a line break in one of {row!r}")
    return line + "\n"


def tsv_lines(rows: Sequence[Row]) -> str:
    """Rows of the same length, joined; it takes less to look through the text than through each.

    Raises ValueError for a cell with a tab or a line break.
    """
    text = "\n".join(["\t".join(map(str, row)) for row in rows]) + "\n"
    tabs, breaks = text.count("\t"), text.count("\n")
    if tabs == len(rows) * (len(rows[0]) - 1) and breaks == len(rows) and "\r" not in text:
        return text
    return "".join(map(tsv_line, rows))


def sentence_line(row: SentenceRow) -> str:
    """A line of sentences.jsonl; the group stands in it where there is one."""
    key, text, source, rewritten_from, method, correction, group = row
    tail = f', "group": {quoted(group)}' if group else ""
    return (
        f'{{"id": {quoted(key)}, "text": {quoted(text)}, "source": {quoted(source)}, '
        f'"rewritten_from": {optional(rewritten_from)}, "method": {optional(method)}, '
        f'"correction": {optional(correction)}{tail}}}\n'
    )


def pair_line(pair: ReleasedPair) -> str:
    """A line of pairs.jsonl."""
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
    """A line of judgments.jsonl."""
    pair, annotator, label, seconds, simulated = row
    return (
        f'{{"pair": {quoted(pair)}, "annotator": {quoted(annotator)}, '
        f'"label": {label}, "seconds": {number(seconds)}, "simulated": {TRUTH[simulated]}}}\n'
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
