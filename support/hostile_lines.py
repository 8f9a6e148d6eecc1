"""Two thousand lines such as no file should hold, and some that only look so, with what is to come.

Each is made to be taken or refused, so what becomes of it is known without asking the code.
"""

import json
import unicodedata
from collections.abc import Callable, Iterable
from itertools import chain, cycle
from typing import NamedTuple

LINES = 2_000
LONG = 10_000_000
LONGEST_TEXT = 2_000

# Odd, and sentences all the same: `!` is the number of the line, which makes each another.
GOOD = (
    "Cafe\u0301 ! and Zu\u0308rich in pieces.",  # NFD
    "\u1100\u1161\u11a8 ! and \u212b and \u2126 and \u212a, q\u0307\u0323.",
    "\u0301A stack of marks: o" + "\u0301\u0316\u0489" * 20 + " !.",
    "\U0001f469\u200d\U0001f52c ! \u2764\ufe0f\u200d\U0001f525 \U0001f44d\U0001f3fd.",
    "From right to left ! \u0633\u0644\u0627\u0645\u200f.",
    "Zero\u200bwidth\u2060here\ufeff and a soft\u00adhyphen !.",
    "\u00a0No break\u202f!\u2009thin\u3000wide.",
    "Private \ue000 \U0010fffd !, not assigned \u0378, lost \ufffd.",
    "\u0e01\u0e33\u0e25\u0e31\u0e07 ! \u0924\u094d\u0930 \U00020000\U0002f81a \u0130 \ufb01.",
    "\\N ! \\. \\x00 \\u0000 %00 &#0; %s %d {0} {} %(x)s -- /* */ # ;",
    "'); DROP TABLE generation_sentence; -- !",
    "\"!\" said 'he', `so`, ${and} {{ that }} <script>alert(!)</script>",
    "=cmd|'/C calc'!A0 and ../../etc/passwd ! C:\\Windows",
    "x" * (LONGEST_TEXT - 8) + " !",
)
NOT_UTF8 = (
    *(b"\xc3 !", b"\xe2\x82 !", b"\xa9 !", b"\xc0\xaf !", b"\xf4\x90\x80\x80 !"),
    *(b"\xed\xa0\x80 !", b"\xed\xa0\xbd\xed\xb8\x80 !", b"\xff\xfe !", b"\x1f\x8b\x08\x00 !"),
    *("Gr\u00fc\u00dfe !".encode(name) for name in ("latin-1", "cp1252", "utf-16", "utf-32-le")),
    *("\u65e5\u672c\u8a9e !".encode(name) for name in ("shift-jis", "gb18030")),
)
# Refused in every format, whole as bytes.
BAD = (
    # The NUL is not among the first: a file that begins with one is no text.
    *(b"Control %c in ! here." % code for code in (*range(1, 32), 0) if code not in b"\t\n\r"),
    *(f"Control {chr(code)} in !.".encode() for code in (*range(127, 160), 0x2028, 0x2029)),
    *(*NOT_UTF8, b"x" * LONGEST_TEXT + b" !", b"", b"   "),
    *map(str.encode, ("\u200b\u2060\ufeff\u00ad", "\u202e\u202c", "\u3000\u00a0")),
    *map(str.encode, ("\u202eback\u202c !", "\u2066isolated\u2069 !", "No character \uffff !")),
)
# Refused in JSON Lines alone: what only JSON can say, or says wrongly.
BAD_JSON = (
    *(b'{"id": "j!", "text": "Half a pair \\ud800 !."}', b'{"id": "j!", "text": "A \\udc00 !."}'),
    *(b'{"id": "j!", "text": "Nothing \\u0000 !."}', b'{"id": "j!", "text": "A tab \\t !."}'),
    *(b'{"id": "j!", "text": "Two\\nlines !."}', b'{"id": "j!", "text": null}'),
    *(b'{"id": "j!", "text": ["!"]}', b'{"id": "j!"}'),
    *(b'{"id": "j\\u0000!", "text": "A bad id in !."}', b'{"id": "j!", "text": "cut off !'),
    *(b"[]", b"null", b"NaN", b"!", b'"!"', b"{", b"}", b"{!}", b"{'id': 'j!'}", b"\x00"),
    *(b"[" * 100_000, b'{"id":' * 50_000, b"9" * 5_000, b'{"id": "j!", "text": "x"} {}'),
    b'{"id": "' + b"i" * 201 + b'", "text": "Too long an id !."}',
)


class Line(NamedTuple):
    """A line without its end, and what has to be kept of it; None where it is refused."""

    data: bytes
    text: str | None


def txt() -> list[Line]:
    return _alternate_lines(lambda _, text: text, *BAD, b"A tab\tin !.", b"x" * LONG)


def tsv() -> list[Line]:
    bad = [b"t!\t" + each for each in (*BAD, b"a tab\ttoo many !.", b"x" * LONG)]
    return _alternate_lines(lambda n, text: f"t{n}\t{text}", *bad, b"t!")


def jsonl() -> list[Line]:
    bad = [b'{"id": "j!", "text": "' + each + b'"}' for each in (*BAD, b"x" * LONG)]

    def form(number: int, text: str) -> str:
        return json.dumps({"id": f"j{number}", "text": text}, ensure_ascii=bool(number % 2))

    return _alternate_lines(form, *bad, *BAD_JSON)


FILES: dict[str, Callable[[], list[Line]]] = {"txt": txt, "tsv": tsv, "jsonl": jsonl}


def ended(lines: Iterable[Line]) -> bytes:
    """The bytes of a file with these lines."""
    return b"".join(line.data + b"\n" for line in lines)


def _alternate_lines(form: Callable[[int, str], str], *bad: bytes) -> list[Line]:
    """Good and bad alternate, the bad ones once each before any comes again, the long ones once."""
    lines, repeated = list[Line](), cycle([line for line in bad if len(line) < LONG])
    for number, bad_line in zip(range(LINES // 2), chain(bad, repeated), strict=False):
        text = GOOD[number % len(GOOD)].replace("!", str(number))
        # All of it is kept, in NFC, but for white space at its ends.
        expected_text = unicodedata.normalize("NFC", text).strip()
        lines += [Line(form(number, text).encode(), expected_text)]
        lines += [Line(bad_line.replace(b"!", b"%d" % number), None)]
    return lines
