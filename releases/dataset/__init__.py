"""Datasets from judged pairs, on plain values: usable from a notebook, without Django.

    settings = ReleaseSettings(seed=7, dev=8000, test=8000)
    planned = plan(sentences, pairs, candidates, settings=settings)
    manifest = write_release(
        folder, planned, sentences=sentences, judgments=judgments, facts=facts, settings=settings
    )
    differences = verify(folder)

The functions are in `plan`, `writers` and `verification`; the rows that they take and give are in
`rows`, ReleaseSettings in `settings` and ReleaseFacts in `manifest`. Inputs are any iterables;
`sentences` is passed over once by each function, so a generator has to be made anew for each. What
is too large for memory is written by `writers.write_content` from a `content.Content`.
"""
