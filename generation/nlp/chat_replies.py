"""The sentence in the reply of a chat model, without what models put around it."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from generation.nlp.back_translation import storable
from generation.nlp.words import words

# Words in a row that a reply has from the instruction, but not from the sentence.
ECHOED = 5

_FENCE = re.compile(r"^\s*(```|~~~)")
_NUMBER = re.compile(r"(?:\d{1,2}[.)]|[-*•])\s+")
# "Rewrite:", "**Here is the new sentence:**", "改写：".
_LABEL = re.compile(r"[*_]{0,2}([^:：]{1,60}?)[:：][*_]{0,2}\s*(?=\S)")
_INTRODUCES = (":", "：")
_AROUND = (
    *(("**", "**"), ("__", "__"), ("*", "*"), ("`", "`"), ('"', '"'), ("'", "'"), ("“", "”")),
    *(("‘", "’"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"), ("「", "」"), ("『", "』")),
)
# How models begin when they refuse, casefolded and with straight apostrophes.
REFUSALS = (
    *("i'm sorry", "i am sorry", "sorry, but", "i can't help", "i cannot help", "i can't assist"),
    *("i cannot assist", "i'm unable to", "i am unable to", "as an ai", "i can't provide"),
    *("i cannot provide", "i can't rewrite", "i cannot rewrite"),
    *("es tut mir leid", "tut mir leid", "ich kann diese", "ich kann dir", "ich kann ihnen"),
    *("je suis désolé", "désolé", "je ne peux pas", "je ne suis pas en mesure"),
    *("lo siento", "no puedo ayudar", "mi dispiace", "non posso aiutar"),
    *("desculpe", "sinto muito", "não posso ajudar", "het spijt me", "sorry, maar"),
    *("przykro mi", "przepraszam, ale", "jag är ledsen", "tyvärr kan jag"),
    *(
        "извините",
        "к сожалению, я не",
        "抱歉",
        "对不起",
        "很抱歉",
        "我无法",
        "申し訳",
        "すみません",
    ),
    *("죄송합니다", "죄송하지만"),
)


class Fault(StrEnum):
    """Why a reply holds no sentence."""

    DECLINED = "declined"
    EMPTY = "empty"
    ECHO = "echo"
    SEVERAL_LINES = "several_lines"
    BAD_TEXT = "bad_text"


def sentence_of(reply: str, *, source: str, instruction: str) -> str | Fault:
    """Return the one sentence of a reply, fit to be stored, or why there is none.

    A code fence, an introducing line, a label, a number, marks of emphasis and quotation marks
    around all are removed; but what the source begins with stays. `instruction` is the prompt
    without the source.
    """
    lines = [line.strip() for line in reply.splitlines() if not _FENCE.match(line)]
    lines = [line for line in lines if line]
    if len(lines) > 1 and lines[0].rstrip("*_").endswith(_INTRODUCES):
        lines = lines[1:]
    if not lines:
        return Fault.EMPTY
    if _declines(lines[0], source):
        return Fault.DECLINED
    if echoes(" ".join(lines), source=source, instruction=instruction):
        return Fault.ECHO
    if len(lines) > 1:
        return Fault.SEVERAL_LINES
    text = _unwrapped(lines[0], source)
    if not words(text):
        return Fault.EMPTY
    return storable(text) or Fault.BAD_TEXT


def echoes(reply: str, *, source: str, instruction: str) -> bool:
    """Whether a reply repeats words of the instruction, ECHOED in a row."""
    rows_of_reply, rows_of_source, rows_of_instruction = (
        set(_rows(words(text.casefold()))) for text in (reply, source, instruction)
    )
    return bool((rows_of_reply - rows_of_source) & rows_of_instruction)


def _rows(all_words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(all_words[start:] for start in range(ECHOED)), strict=False)


def _declines(line: str, source: str) -> bool:
    beginning, source_beginning = (
        text.casefold().replace("’", "'").lstrip("*\"'“ ") for text in (line, source)
    )
    return beginning.startswith(REFUSALS) and not source_beginning.startswith(REFUSALS)


def _unwrapped(line: str, source: str) -> str:
    """Return a line without what is around its sentence, from outside to inside."""
    before = ""
    while line != before:
        before = line
        if (number := _NUMBER.match(line)) and not _NUMBER.match(source):
            line = line[number.end() :]
        if (label := _LABEL.match(line)) and _is_added(label.group(1), source):
            line = line[label.end() :]
        for opening, closing in _AROUND:
            line = _without_pair(line, opening, closing, source)
    return line


def _is_added(label: str, source: str) -> bool:
    """Whether the words before a colon are no part of the sentence."""
    source_words = words(source.casefold())
    return not _LABEL.match(source) and not {*words(label.casefold())} <= {*source_words}


def _without_pair(line: str, opening: str, closing: str, source: str) -> str:
    """Return a line without the marks around all of it, if it has just these more than its source.

    So "“Yes”, he said and left with “no”" keeps its quotation marks.
    """
    number = 2 if opening == closing else 1
    added = [line.count(mark) - source.count(mark) for mark in (opening, closing)]
    if line.startswith(opening) and line.endswith(closing) and added == [number, number]:
        return line[len(opening) : -len(closing)].strip()
    return line
