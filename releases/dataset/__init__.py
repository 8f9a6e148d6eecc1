"""Creates datasets from judged pairs as plain values: usable in a notebook, without Django.

    settings = ReleaseSettings(seed=7, dev=8000, test=8000)
    planned = plan(sentences, pairs, candidates, settings=settings)
    content = Content([*planned.pairs, *planned.silver], sentences, judgments, **planned.totals)
    manifest = write_release(folder, content, facts=facts, settings=settings)
    differences = verify(folder)

The functions are in `plan`, `writers` and `verification`; their input and output rows are in
`rows`, ReleaseSettings in `settings`, ReleaseFacts in `manifest` and Content in `writers`. Inputs
are any iterables, each of which is read once. `files` declares the files and columns.
"""
