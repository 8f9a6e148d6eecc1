"""Creates datasets from judged pairs as plain values: usable in a notebook, without Django.

    settings = ReleaseSettings(seed=7, dev=8000, test=8000)
    planned = plan(sentences, pairs, candidates, settings=settings)
    manifest = write_release(
        folder, planned, sentences=sentences, judgments=judgments, facts=facts, settings=settings
    )
    differences = verify(folder)

The functions are in `plan`, `writers` and `verification`; their input and output rows are in
`rows`, ReleaseSettings in `settings` and ReleaseFacts in `manifest`. Inputs are any iterables; each
function reads `sentences` once, so pass a new generator to each. To write what does not fit in
memory, pass a `writers.Content` to `writers.write_content`. `files` declares the files and columns.
"""
