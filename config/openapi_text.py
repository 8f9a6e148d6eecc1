"""Introduction and tags of the OpenAPI description."""

INTRODUCTION = """\
All that a study holds, for programs: corpora, runs, pairs with every answer, figures, releases.
Managers and researchers of a project read it whole; for everybody else there is no such project.

A program shows a **token**, which its person makes on their page of tokens, as
`Authorization: Token …`. Each operation names the scope that it needs: `releases`, `read` or
`manage`, of which each holds those before it.

**Lists** come in pages: `next` is the address of the next one. Asked for `application/x-ndjson` by
the header `Accept`, they come whole, a row on each line. Parameters that an operation does not know
are refused.

**Errors** have one form: `type`, and `errors` with `code` for programs, `detail` for people, and
`attr`, the parameter or field, or null.
"""

CHAPTERS = [
    {"name": "Projects", "description": "Protocol, progress, agreement, and who annotates"},
    {"name": "Pairs and answers", "description": "Every pair, with all that people did with it"},
    {"name": "Guests", "description": "Models that labelled pairs"},
    {"name": "Releases", "description": "Published datasets, and their files"},
    {"name": "Corpora and runs", "description": "Sentences, and how machines rewrite them"},
    {"name": "Tokens", "description": "How a program shows whose it is"},
]
