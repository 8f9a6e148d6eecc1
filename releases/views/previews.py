"""The preview of a draft as text for its page: figures, warnings and later changes."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from annotation.templatetags.figures import number, share
from releases import services as releases
from releases.dataset.preview import Reason
from releases.dataset.rows import LeftOut
from releases.models import Release, ReleasePreview
from releases.selectors.previews import Since, since

State = ReleasePreview.State
# Idle workers check every second; after this time the page suggests what to do.
LONG = timedelta(seconds=10)

LEFT_OUT: dict[LeftOut, str | Promise] = {
    LeftOut.WAITING: _("judged pairs still lack answers"),
    LeftOut.SURPLUS: _("pairs were dropped for the share of paraphrases"),
    LeftOut.EQUAL: _("pairs of two equal sentences fell to dev or test"),
    LeftOut.CONFLICT: _("composed pairs would get two labels"),
    LeftOut.UNKNOWN: _("composed pairs would get no label"),
    LeftOut.NOISY_CONFLICT: _("unjudged pairs get two labels from two methods"),
    LeftOut.NOISY_OF_TEST: _("unjudged pairs are connected to a pair of test"),
    LeftOut.NOISY_BETWEEN: _("unjudged pairs connect train and dev"),
    LeftOut.NOISY_EQUAL: _("unjudged pairs of two equal sentences fell to dev"),
}
WARNINGS: dict[Reason, str | Promise] = {
    Reason.NO_PAIRS: _("labeled_final is empty, so it can't be used for training or testing."),
    Reason.ONE_LABEL: _(
        "No pair of labeled_final is a paraphrase: nothing can be learned from them."
    ),
    Reason.ALL_SWAPS: _(
        "No back translation is kept, so every kept word swap is in labeled_final."
    ),
    Reason.NO_TRAIN: _(
        "Dev and test take every pair of labeled_final: nothing is left to train on."
    ),
    Reason.TOO_SMALL: _("%(file)s comes to %(reached)s pairs instead of %(wanted)s."),
    Reason.TOO_LARGE: _(
        "%(pairs)s pairs, %(share)s of labeled_final, are linked by their sentences. That is more "
        "than the size of dev or test, so they stay in train."
    ),
    Reason.SPLIT_SHARE: _("%(file)s comes to %(reached)s paraphrases instead of %(wanted)s."),
    Reason.FINAL_SHARE: _("labeled_final comes to %(reached)s paraphrases instead of %(wanted)s."),
}
ALL_PARAPHRASES = _("All pairs of labeled_final are paraphrases: nothing can be learned from them.")


def previewed(release: Release) -> dict[str, Any]:
    """Return the template context for the preview of a draft in any state, with few queries."""
    look = ReleasePreview.objects.filter(release=release).first()
    if look is None:
        return {"look": None}
    look.release = release
    context: dict[str, Any] = {"look": look, "is_slow": timezone.now() - look.asked_at > LONG}
    if look.read_at is None or look.state not in {State.MADE, State.IMPOSSIBLE}:
        return context
    if not releases.fits(look):
        return context | {"is_outdated": True}
    context["since"] = list(_since(since(look)))
    return context if look.content is None else context | _made(look.content, release)


def _made(content: Mapping[str, Any], release: Release) -> dict[str, Any]:
    run = release.project.runs.select_related("corpus").first()
    return {
        "preview": content,
        "warnings": [_warning(each["reason"], each["figures"]) for each in content["warnings"]],
        "left_out": [(LEFT_OUT[reason], pairs) for reason, pairs in content["left_out"]],
        "language": run.corpus.language if run else "en",
    }


def _since(of: Since) -> Iterator[str]:
    """Yield a sentence for each kind of change since the preview."""
    if of.decided:
        text = ngettext("%(n)s pair was decided.", "%(n)s pairs were decided.", of.decided)
        yield text % {"n": number(of.decided)}
    if of.reopened:
        text = ngettext(
            "%(n)s pair is no longer decided.", "%(n)s pairs are no longer decided.", of.reopened
        )
        yield text % {"n": number(of.reopened)}
    if of.candidates:
        text = ngettext("%(n)s candidate came in.", "%(n)s candidates came in.", of.candidates)
        yield text % {"n": number(of.candidates)}
    if of.excluded:
        yield _now("Answers were excluded or restored.")


def _warning(reason: Reason, figures: Mapping[str, Any]) -> str:
    """Return the text of a warning, with shares in percent."""
    text = ALL_PARAPHRASES if figures.get("label") else WARNINGS[reason]
    values = {name: _shown(figure) for name, figure in figures.items()}
    if "split" in figures:
        values["file"] = f"{figures['subset']}/{figures['split']}.tsv"
    return f"{text % values} {_bound(figures)}".strip()


def _bound(figures: Mapping[str, Any]) -> str:
    if "drawable" not in figures:
        return ""
    text = ngettext(
        "Only %(pairs)s pair can be in dev or test; the others are linked to train.",
        "Only %(pairs)s pairs can be in dev or test; the others are linked to train.",
        figures["drawable"],
    )
    return text % {"pairs": number(figures["drawable"])}


def _shown(figure: str | int | float) -> str:
    if isinstance(figure, str):
        return figure
    return share(figure) if isinstance(figure, float) else number(figure)
