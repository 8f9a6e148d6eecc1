"""Odd requests that the schema says nothing about."""

from collections.abc import Sequence

LONG = "x" * 9000
UNKNOWN_TOKENS = ["Token", "Token a b", "Token \xff", f"Token {'0' * 64}", f"Token {LONG}"]
RANGES = ["bytes=0-9", "bytes=-1", "bytes=5-2", "bytes=99999999-", "bytes=0-1,3-4", "lines=1", "=-"]
ETAGS = ["*", '"x"', 'W/"x"', "x", '"', '"x", *', LONG]
JSON, LINES = "application/json", "application/x-ndjson"
HEADERS = {
    "Authorization": [*UNKNOWN_TOKENS, "", "Bearer x", "Basic eDp5"],
    "Accept": [LINES, f"{LINES}, {JSON};q=0.5", "text/html", "*/*;q=nothing", "/", ",", LONG],
    "accept": [f"{JSON}; indent=8", f"{JSON};q=0", f"{JSON};"],
    "Accept-Language": ["de", "*", "xx-yy;q=7", LONG],
    "Range": RANGES,
    "If-None-Match": ETAGS,
    "If-Modified-Since": ["Sat, 21 Nov 2026 09:00:00 GMT", "yesterday", "0"],
}
FORM = "multipart/form-data"
KINDS = [f"{JSON}; charset=utf-16", f"{JSON}; charset=nothing", "text/csv", FORM, "", LONG]
KINDS += [f"{FORM}; boundary=x", f"{FORM}; boundary={LONG}", "a/b/c", "a/b; charset=x"]
BODIES = [b"", b"{", b"[]", b"null", b"7", b"\xff\xfe", b'{"seed": NaN}', b'{"seed": 1e999}']
BODIES += [b'{"project": null, "project": 7}', b'{"method": "\\u0000"}', b'{"method": "\\ud800"}']
BODIES += [b'{"settings": ' * 2000, b'{"settings": "' + b"x" * 70_000 + b'"}']
BODIES += [b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x--"]
METHODS = ["PUT", "PATCH", "DELETE", "POST", "OPTIONS", "TRACE"]
VALUES: dict[str, Sequence[str]] = {
    "limit": ("1e3", "-0", "٣", "\N{FOX FACE}"),
    "after": ("\x00", "../..", "1" * 400),
    "decided_from": ("0001-01-01T00:00:00+14:00",),
    "submitted_before": ("9999-12-31T23:59:59-14:00", "2026-02-30T00:00:00Z"),
    "label": ("1.0",),
    "kept": ("TRUE ",),
    "format": ("json",),
    "": ["x"],
    "pk__gt": ["0"],
    LONG: ["x"],
}
QUERIES: list[dict[str, str | list[str]]] = [{"limit": ["1", "2"]}]
QUERIES += [{name: value} for name, values in VALUES.items() for value in values]
