"""The rules about who answered: experts, models, the annotator model, prompts, and annotators."""

from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256

from annotation.stats.groups import without_rare
from annotation.stats.skill import likeliest
from releases.dataset.columns import MODEL_LABEL, MODEL_SHARE
from releases.dataset.files import (
    ADJUDICATIONS,
    ANNOTATORS,
    JUDGMENTS,
    MODEL_JUDGMENTS,
    PAIRS,
    PROMPTS,
)
from releases.dataset.manifest import MANIFEST, counted
from releases.dataset.reader import Difference, ReadRelease, read_rows

# Of probabilities that are rounded to 6 decimals: another machine may round one of them otherwise.
TOLERANCE = 1.5e-6


def adjudications_are_of_open_pairs(release: ReadRelease) -> Iterator[Difference]:
    """Check that experts gave judged pairs that are not kept a label or null, once each."""
    path = ADJUDICATIONS.path
    if not (release.folder / path).exists():
        return
    pairs_left = {pair.id for pair in release.pairs if pair.origin == "judged" and not pair.kept}
    rows_read = read_rows(release.folder, ADJUDICATIONS, version=release.version)
    rows = counted(rows_read, release.counts.add_adjudication)
    for line, row in enumerate(rows, start=1):
        if row.pair not in pairs_left:
            what = f"{row.pair} is no judged pair without a label, or comes twice"
            yield Difference(path, what, line)
        if row.label is not None and row.label not in release.settings.scheme.outcome_values:
            yield Difference(path, f"{row.pair} has the label {row.label}", line)
        pairs_left.discard(row.pair)


def model_labels_follow(release: ReadRelease) -> Iterator[Difference]:
    """Check the labels of the annotator model, by fitting it to the answers again."""
    labels = _fit_again(release) if MODEL_LABEL in release.settings.columns else {}
    for line, pair in enumerate(release.pairs, start=1):
        label, share = labels.get(pair.id, (None, None))
        if pair.model_label != label:
            what = f"{MODEL_LABEL} of {pair.id} is {pair.model_label}, not {label}"
            yield Difference(PAIRS.path, what, line)
        elif not _is_near(pair.model_share, share):
            what = f"{MODEL_SHARE} of {pair.id} is {pair.model_share}, not {share}"
            yield Difference(PAIRS.path, what, line)


def _is_near(stated: float | None, share: float | None) -> bool:
    if stated is None or share is None:
        return stated is share
    return abs(stated - share) < TOLERANCE


def _fit_again(release: ReadRelease) -> dict[str, tuple[int, float]]:
    """Return the model's label of each judged pair, and its probability."""
    scheme = release.settings.scheme
    outcomes = {value: scheme.outcome(place) for place, value in enumerate(scheme.values)}
    answers = (
        (row.pair, row.annotator, outcomes[row.label])
        for row in read_rows(release.folder, JUDGMENTS, version=release.version)
        if row.label in outcomes and row.pair in release.tallies
    )
    labels = likeliest(sorted(answers), len(scheme.outcomes))
    return {pair: (scheme.outcome_values[label], share) for pair, (label, share) in labels.items()}


def models_label_judged_pairs(release: ReadRelease) -> Iterator[Difference]:
    """Check that a model labels a judged pair once, on the scale, with a score from 0 to 1."""
    path = MODEL_JUDGMENTS.path
    if not (release.folder / path).exists():
        return
    pairs_by_model: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    rows_read = read_rows(release.folder, MODEL_JUDGMENTS, version=release.version)
    rows = counted(rows_read, release.counts.add_model_judgment)
    for line, row in enumerate(rows, start=1):
        pairs_of_model = pairs_by_model[row.model, row.revision]
        if row.pair not in release.tallies or row.pair in pairs_of_model:
            yield Difference(path, f"{row.pair} is no judged pair, or comes twice", line)
        if row.label not in release.settings.scheme.values:
            yield Difference(path, f"{row.pair} has the label {row.label}", line)
        if row.score is not None and not 0 <= row.score <= 1:
            yield Difference(path, f"{row.pair} has the score {row.score}", line)
        pairs_of_model.add(row.pair)


def prompts_are_those_of_runs(release: ReadRelease) -> Iterator[Difference]:
    """Check that the settings of runs name each prompt by its digest, and no other one."""
    path = PROMPTS.path
    named = {
        (run["settings"]["prompt_sha256"], run["models"][0])
        for run in release.manifest.get("runs", ())
        if "prompt_sha256" in run["settings"]
    }
    stated = []
    if (release.folder / path).exists():
        rows = read_rows(release.folder, PROMPTS, version=release.version)
        for line, row in enumerate(counted(rows, release.counts.add_prompt), start=1):
            if sha256(row.text.encode()).hexdigest() != row.sha256:
                yield Difference(path, f"the SHA-256 of the text is not {row.sha256}", line)
            if row.role == "generator":
                stated.append((row.sha256, row.model))
    if stated != sorted(named):
        yield Difference(path, f"the prompts are not those of the runs in {MANIFEST}, in order")


def annotators_are_not_told_apart(release: ReadRelease) -> Iterator[Difference]:
    """Check that rows are of people who judged, in order, and tell no rare combination."""
    path, least = ANNOTATORS.path, release.settings.least_in_group
    if (least is None) == bool(release.annotators):
        yield Difference(MANIFEST, f"least_in_group is {least}, although {path} says otherwise")
        return
    replies = {row.annotator: row.replies for row in release.annotators}
    safe_replies = without_rare(replies, least or 1)
    names = [row.annotator for row in release.annotators]
    for line, row in enumerate(release.annotators, start=1):
        if row.annotator not in release.counts.annotators:
            yield Difference(path, f"{row.annotator} gave no judgment", line)
        if names[line - 1 : line + 1] != sorted({*names[line - 1 : line + 1]}):
            yield Difference(path, f"{row.annotator} is not before the next one", line)
        if row.replies != safe_replies[row.annotator]:
            what = f"fewer than {least} people have the replies of {row.annotator}"
            yield Difference(path, what, line)


def more_people_were_needed(release: ReadRelease) -> Iterator[Difference]:
    """Check that more people were asked only about pairs that the first ones did not decide."""
    protocol = release.settings.protocol
    first, most = protocol.judgments_per_pair, protocol.most_judgments
    for line, pair in enumerate(release.pairs, start=1):
        tally, first_tally = release.tallies.get(pair.id), release.first_tallies.get(pair.id)
        if tally is None:
            continue
        answers = sum(tally)
        if first_tally is None:
            if protocol.asks_more and answers > first:
                yield Difference(PAIRS.path, f"no answer to {pair.id} came later", line)
        elif not first < answers <= most or sum(first_tally) != first:
            what = f"{pair.id} has {sum(first_tally)} first answers of {answers}"
            yield Difference(PAIRS.path, f"{what}, not {first} of at most {most}", line)
        elif protocol.are_enough(protocol.scheme.votes(first_tally)):
            what = f"the first answers to {pair.id} decide it, and others came later"
            yield Difference(PAIRS.path, what, line)
