"""What the schema says nothing of, put into made-up requests: headers, methods, bodies, queries."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

LONG = "x" * 9000
NOBODY = "0" * 64
BAD_SHOWN = [
    "",
    "Token",
    "Token a b",
    "Token \xff",
    f"Token {NOBODY}",
    f"token {NOBODY}",
    "Bearer x",
    "Basic eDp5",
    f"Token {LONG}",
]
ACCEPTED = [
    "application/x-ndjson",
    "application/x-ndjson, application/json;q=0.5",
    "application/json; indent=8",
    "application/json;q=0",
    "text/html",
    "text/plain",
    "*/*;q=nothing",
    "application/json;",
    "/",
    ",",
    LONG,
]
RANGES = ["bytes=0-9", "bytes=-1", "bytes=5-2", "bytes=99999999-", "bytes=0-1,3-4", "lines=1", "=-"]
ETAGS = ["*", '"x"', 'W/"x"', "x", '"', '"x", *', LONG]
DATES = ["Sat, 21 Nov 2026 09:00:00 GMT", "yesterday", "0"]
KINDS = [
    "application/json",
    "application/json; charset=utf-16",
    "application/json; charset=nothing",
    "text/csv",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    f"multipart/form-data; boundary={'x' * 300}",
    "a/b/c",
    "",
    LONG,
]
BODIES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"7",
    b"\xff\xfe",
    b'{"project": null, "project": 7}',
    b'{"seed": NaN}',
    b'{"seed": 1e999}',
    b'{"method": "\\u0000"}',
    b'{"method": "\\ud800"}',
    b'{"settings": ' * 2000,
    b'{"settings": "' + b"x" * 70_000 + b'"}',
    b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x--",
]
METHODS = ["PUT", "PATCH", "DELETE", "POST", "OPTIONS", "TRACE"]
QUERIES: list[dict[str, Any]] = [
    {"format": "json"},
    {"limit": ["1", "2"]},
    {"limit": "1e3"},
    {"limit": "-0"},
    {"limit": "٣"},
    {"after": "\x00"},
    {"after": "../.."},
    {"label": "1.0"},
    {"kept": "TRUE "},
    {"decided_from": "0001-01-01T00:00:00+14:00"},
    {"submitted_before": "9999-12-31T23:59:59-14:00"},
    {"submitted_from": "2026-02-30T00:00:00Z"},
    {"": "x"},
    {"pk__gt": "0"},
    {LONG: LONG},
]


@dataclass(frozen=True)
class Oddity:
    """What is changed of a request before it is sent."""

    headers: dict[str, str] = field(default_factory=dict)
    query: dict[str, Any] = field(default_factory=dict)
    method: str | None = None
    body: bytes | None = None

    @property
    def sent(self) -> dict[str, Any]:
        """What the sender is given beside the request."""
        told: dict[str, Any] = {"headers": self.headers, "params": self.query or None}
        return told if self.body is None else told | {"data": self.body}


def _headers(name: str, values: list[str]) -> st.SearchStrategy[Oddity]:
    return st.sampled_from(values).map(lambda value: Oddity(headers={name: value}))


def _with_body(kind: str, body: bytes, method: str | None) -> Oddity:
    return Oddity(headers={"Content-Type": kind}, body=body, method=method)


_ODD = st.one_of(
    _headers("Authorization", BAD_SHOWN),
    _headers("Accept", ACCEPTED),
    _headers("Accept-Language", ["de", "*", "xx-yy;q=7", LONG]),
    _headers("Range", RANGES),
    _headers("If-None-Match", ETAGS),
    _headers("If-Modified-Since", DATES),
    st.builds(
        lambda part, etag: Oddity(headers={"Range": part, "If-Range": etag}),
        st.sampled_from(RANGES),
        st.sampled_from([*ETAGS, *DATES]),
    ),
    st.sampled_from(QUERIES).map(lambda query: Oddity(query=query)),
    st.sampled_from(METHODS).map(lambda method: Oddity(method=method)),
    st.builds(
        _with_body,
        st.sampled_from(KINDS),
        st.sampled_from(BODIES),
        st.sampled_from([None, *METHODS]),
    ),
)
# Half of all requests stay as they are.
ODDITIES = st.booleans().flatmap(lambda odd: _ODD if odd else st.just(Oddity()))
