"""What pages show of a run: its state and outcomes in words, counts by reason, the next refresh."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.display import readable
from generation import selectors, usage_figures
from generation.models import GenerationRun, Method, Queue
from generation.nlp import back_translation, definitions, judging, samples, translation, tries
from generation.nlp.near_equal import NearEqual
from generation.nlp.rewrites import ACCEPTED, FAILED
from generation.selectors import Progress

State = GenerationRun.State

# Seconds between refreshes: while workers are active, and while only a person can act.
WATCHING, WAITING = 2, 15
OUTCOMES = {
    ACCEPTED: gettext_lazy("with candidates"),
    FAILED: gettext_lazy("the method failed on the sentence"),
    tries.Reason.TOO_SHORT: gettext_lazy("shorter than the settings allow"),
    tries.Reason.TOO_LONG: gettext_lazy("longer than the settings allow"),
    tries.Reason.NOTHING_TO_SWAP: gettext_lazy("no two words can be swapped"),
    tries.Reason.BELOW_THRESHOLD: gettext_lazy("every rewrite is too unlikely"),
    tries.Reason.UNEVEN: gettext_lazy("the best rewrite is too unlikely in one place"),
    tries.Reason.DOUBLED_WORD: gettext_lazy("the best rewrite repeats a word"),
    tries.Reason.LIST_PERMUTATION: gettext_lazy("the best rewrite only reorders a list"),
    tries.Reason.THINNED: gettext_lazy(
        "left out to balance shapes; the preset “One per sentence” (default) keeps it"
    ),
    tries.Reason.ODD: gettext_lazy("people would probably not accept the best rewrite"),
    judging.UNLIKELY: gettext_lazy("too unlikely to the second language model"),
    back_translation.Reason.NO_TRANSLATION: gettext_lazy("the models gave no translation"),
    back_translation.Reason.FAILED: gettext_lazy("the models failed on the sentence"),
    back_translation.Reason.ONLY_IDENTICAL: gettext_lazy(
        "every back translation is the source sentence"
    ),
    back_translation.Reason.BELOW_SIMILARITY: gettext_lazy("no rewrite is similar enough"),
    back_translation.Reason.NAME_LOST: gettext_lazy("the rewrite loses a name or a number"),
    back_translation.Reason.MARKS_ONLY: gettext_lazy("only punctuation changes"),
    back_translation.Reason.NOT_DRAWN: gettext_lazy(
        "dropped to reach the share of reordered rewrites"
    ),
    translation.Reason.EMPTY: gettext_lazy("the model gave no text"),
    translation.Reason.UNCHANGED: gettext_lazy("the model repeated the sentence"),
    definitions.Reason.PAIRED: gettext_lazy("only the second sentence of a pair"),
    definitions.Reason.SINGLETON: gettext_lazy("alone in its cluster"),
    definitions.Reason.NEAR_DUPLICATE: gettext_lazy("nearly repeats the rest of its cluster"),
    definitions.Reason.FEW_DEFINITIONS: gettext_lazy("its entity has too few definitions"),
    definitions.Reason.UNKNOWN_WORDS: gettext_lazy("none of its words has a vector"),
    samples.Reason.REFUSED_BY_SERVER: gettext_lazy("the server refused the request"),
    samples.Reason.CUT_OFF: gettext_lazy("the answer was too long"),
    samples.Reason.FILTERED: gettext_lazy("the server’s filter withheld the answer"),
    samples.Reason.DECLINED: gettext_lazy("the model declined"),
    samples.Reason.ECHO: gettext_lazy("the answer repeats the prompt"),
    samples.Reason.SEVERAL_LINES: gettext_lazy("the answer is more than one sentence"),
    samples.Reason.BAD_TEXT: gettext_lazy("the answer has characters that cannot be stored"),
    samples.Reason.OTHER_WORDS: gettext_lazy("the best rewrite has other words"),
    samples.Reason.SAME_ORDER: gettext_lazy("the best rewrite has nearly the same word order"),
    samples.Reason.CONTAINED: gettext_lazy("the best rewrite contains the sentence, or is in it"),
    samples.Reason.UNLIKELY: gettext_lazy("the best rewrite is too unlikely"),
}
DROPPED = {
    NearEqual.EQUAL: gettext_lazy("equal but for case and punctuation"),
    NearEqual.CONTAINED: gettext_lazy("one contains the other"),
    NearEqual.TYPOS: gettext_lazy("the same but for a few letters"),
    definitions.TOO_MANY: gettext_lazy("beyond the maximum comparisons"),
    samples.Reason.REFUSED_BY_SERVER: gettext_lazy("refused by the server"),
    samples.Reason.CUT_OFF: gettext_lazy("longer than allowed"),
    samples.Reason.FILTERED: gettext_lazy("withheld by the server’s filter"),
    samples.Reason.DECLINED: gettext_lazy("declined by the model"),
    samples.Reason.EMPTY: gettext_lazy("empty"),
    samples.Reason.ECHO: gettext_lazy("repeats the prompt"),
    samples.Reason.SEVERAL_LINES: gettext_lazy("more than one sentence"),
    samples.Reason.BAD_TEXT: gettext_lazy("has characters that cannot be stored"),
    samples.Reason.UNCHANGED: gettext_lazy("the sentence itself"),
    samples.Reason.REPEATED: gettext_lazy("equal to another one of the same sentence"),
    samples.Reason.OTHER_WORDS: gettext_lazy("other words than the sentence"),
    samples.Reason.BELOW_SIMILARITY: gettext_lazy("not similar enough"),
    samples.Reason.SAME_ORDER: gettext_lazy("nearly the same word order"),
    samples.Reason.LIST_PERMUTATION: gettext_lazy("only reorders a list"),
    samples.Reason.UNLIKELY: gettext_lazy("too unlikely"),
    samples.Reason.SURPLUS: gettext_lazy("good, but more than are stored"),
}


def status(run: GenerationRun, progress: Progress, *, waits: bool) -> str:
    """Return the state of a run as a sentence; `waits` is whether it waits for approval."""
    if waits and not Method(run.method).makes_pairs:
        return _("The preview is done. If you go on, the other sentences are translated.")
    if waits:
        return _(
            "The preview is done. If you go on, its candidates and those of the other sentences "
            "are added to this project."
        )
    if run.state == State.RUNNING and run.waits_for_server:
        return _("Waiting for the server.")
    if run.state == State.RUNNING:
        return _("Working on the preview.") if run.preview else _("Running.")
    if run.state == State.PAUSED:
        return paused(run)
    if run.state == State.CANCELLED:
        return _("Cancelled. Finished batches are kept.")
    return _("Done, except for parked batches.") if progress.parked_batches else _("Done.")


def paused(run: GenerationRun) -> str:
    """Return what a pause means for the batches under way."""
    if run.queue == Queue.ENDPOINT:
        return _("Paused. Replies that have arrived are kept.")
    return _("Paused. Batches in progress will be finished.")


def activity(run: GenerationRun, *, waits: bool) -> tuple[str, bool]:
    """Return what workers do with a running run, and whether a worker is missing."""
    if run.state != State.RUNNING or waits:
        return "", False
    if try_again := usage_figures.next_try(run):
        return try_again, False
    if number := selectors.leased_batches(run).count():
        text = ngettext(
            "%(n)d batch is being worked on.", "%(n)d batches are being worked on.", number
        )
        return text % {"n": number}, False
    if selectors.present_workers(run.queue):
        return _("Waiting for the next free worker."), False
    if run.queue == Queue.GPU:
        return _("No worker with a GPU is running: the run waits until one is started."), True
    if run.queue == Queue.ENDPOINT:
        text = _(
            "No worker that asks models on other servers is running: the run waits until one is "
            "started."
        )
        return text, True
    return _("No worker is running: the run waits until one is started."), True


def announcement(status: str, progress: Progress) -> str:
    parts = [status, _("%(share)d percent done.") % {"share": round(100 * progress.share)}]
    if number := progress.parked_batches:
        text = ngettext("%(n)d batch parked.", "%(n)d batches parked.", number)
        parts.append(text % {"n": number})
    return " ".join(parts)


def tenths(progress: Progress) -> int:
    """Return the progress in steps of 10 percent, at which it is announced again."""
    return int(progress.share * 10)


def seconds(run: GenerationRun, *, waits: bool) -> int | None:
    if run.state == State.RUNNING and not waits:
        return WATCHING
    return WAITING if waits or run.state == State.PAUSED else None


def reasons(run: GenerationRun) -> list[tuple[str, int]]:
    """Count the sentences without a candidate by why; of a run by entity, all by what they got."""
    funnel = selectors.funnel(run)
    return [
        (in_words(name), number)
        for name, number in funnel.items()
        if run.is_by_entity or name != ACCEPTED
    ]


def dropped(counts: dict[str, int]) -> list[tuple[str, int]]:
    return [(str(DROPPED.get(name, readable(name))), count) for name, count in counts.items()]


def in_words(name: str) -> str:
    """Return an outcome in words, as after "No candidate:"; that of another method as it is."""
    if not name:
        return _("the reason was not recorded")
    return str(OUTCOMES.get(name, readable(name)))
