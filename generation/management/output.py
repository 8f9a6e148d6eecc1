"""Text that commands print about a run."""

from collections.abc import Iterator

from common.display import duration, readable
from generation import selectors
from generation.models import Candidate, GenerationRun
from generation.nlp.rewrites import ACCEPTED

MOST_CANDIDATES = 3
NOTHING_CAME = """No candidate came of these sentences.
What each reason means, and which settings admit more: docs/researcher/{method}.md"""


def headline(run: GenerationRun) -> str:
    """Return a line such as “Run 7: word swap of wiki, 20,000 sentences, running (preview).”"""
    size = selectors.progress(run).total
    preview = " (preview)" if run.preview else ""
    of = f"{run.get_method_display()} of {run.corpus}"
    return f"Run {run.pk}: {of}, {size:,} sentences, {run.state}{preview}."


def progress(run: GenerationRun) -> str:
    """Return text such as “400 of 20,000 sentences done (2%), 152.3 a second, 2 min left”."""
    now = selectors.progress(run)
    parts = [f"{now.done:,} of {now.total:,} sentences done ({now.share:.0%})"]
    if now.rate is not None:
        parts.append(f"{now.rate:,.1f} a second")
    if now.seconds_left is not None:
        parts.append(f"{duration(now.seconds_left)} left")
    return ", ".join(parts)


def funnel(run: GenerationRun) -> list[str]:
    """Return a line per outcome, most frequent first; without accepted ones, add a docs link."""
    counts = selectors.funnel(run)
    lines = [f"  {readable(name)}: {count:,}" for name, count in counts.items()]
    if counts and ACCEPTED not in counts:
        lines.append(NOTHING_CAME.format(method=run.method))
    return lines


def preview(run: GenerationRun) -> Iterator[str]:
    """Yield each sentence of the first batch with its candidates, or the reason if it has none."""
    for row in selectors.previewed(run):
        yield f"- {row.sentence.text}"
        for candidate in row.candidates[:MOST_CANDIDATES]:
            yield f"  {candidate.text}\n    {_measures(candidate)}"
        if not row.candidates:
            yield f"    {readable(row.reason)}"


def _measures(candidate: Candidate) -> str:
    loss = selectors.loss(candidate)
    measures = [readable(candidate.kind)] if candidate.kind else []
    measures += [f"inversions {candidate.inversion_rate:.2f}"]
    measures += [] if loss is None else [f"log likelihood lost {loss:z.1f}"]
    return ", ".join(measures)


def complaint(run: GenerationRun) -> str:
    """Return a message about parked batches with their errors, or "" if there are none."""
    lines = [
        f"  Batch {batch.number} ({batch.size} sentences): {batch.error}"
        for batch in selectors.parked(run)
    ]
    if not lines:
        return ""
    batches = "1 batch is" if len(lines) == 1 else f"{len(lines)} batches are"
    return "\n".join([f"{batches} parked after three failures:", *lines])
