"""What the schema says nothing of, for requests that nobody should send."""

LONG = "x" * 9000
NOBODY = "0" * 64
UNKNOWN_TOKENS = ["Token", "Token a b", "Token \xff", f"Token {NOBODY}", f"token {NOBODY}"]
RANGES = ["bytes=0-9", "bytes=-1", "bytes=5-2", "bytes=99999999-", "bytes=0-1,3-4", "lines=1", "=-"]
ETAGS = ["*", '"x"', 'W/"x"', "x", '"', '"x", *', LONG]
HEADERS = {
    "Authorization": [*UNKNOWN_TOKENS, f"Token {LONG}", "", "Bearer x", "Basic eDp5"],
    "Accept": [
        "application/x-ndjson, application/json;q=0.5",
        "application/json; indent=8",
        "application/json;q=0",
        *("application/x-ndjson", "text/html", "text/plain", "*/*;q=nothing"),
        *("application/json;", "/", ",", LONG),
    ],
    "Accept-Language": ["de", "*", "xx-yy;q=7", LONG],
    "Range": RANGES,
    "If-None-Match": ETAGS,
    "If-Modified-Since": ["Sat, 21 Nov 2026 09:00:00 GMT", "yesterday", "0"],
}
KINDS = [
    "application/json; charset=utf-16",
    "application/json; charset=nothing",
    *("text/csv", "application/x-www-form-urlencoded", "multipart/form-data"),
    "multipart/form-data; boundary=x",
    f"multipart/form-data; boundary={'x' * 300}",
    *("a/b/c", "a/b; charset=x", "", LONG),
]
BODIES = [
    *(b"", b"{", b"[]", b"null", b"7", b"\xff\xfe"),
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
QUERIES = [
    {"format": "json"},
    {"limit": ["1", "2"]},
    *({"limit": value} for value in ("1e3", "-0", "٣", "\N{FOX FACE}")),
    *({"after": value} for value in ("\x00", "../..", "1" * 400)),
    {"label": "1.0"},
    {"kept": "TRUE "},
    {"decided_from": "0001-01-01T00:00:00+14:00"},
    {"submitted_before": "9999-12-31T23:59:59-14:00"},
    {"submitted_from": "2026-02-30T00:00:00Z"},
    *({"": "x"}, {"pk__gt": "0"}, {LONG: LONG}),
]
