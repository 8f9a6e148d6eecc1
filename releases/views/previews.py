"""The preview of a draft as text for its page: figures, warnings and later changes."""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.templatetags.figures import number, share
from releases import services as releases
from releases.dataset.preview import Preview, Reason
from releases.dataset.rows import LeftOut
from releases.models import Release, ReleasePreview
from releases.selectors.previews import Since, since

Figures = Mapping[str, Any]
State = ReleasePreview.State
# Idle workers check every second; after this time the page suggests what to do.
LONG = timedelta(seconds=10)

LEFT_OUT: dict[LeftOut, str | Promise] = {
    LeftOut.WAITING: gettext_lazy("judged pairs still lack answers"),
    LeftOut.SURPLUS: gettext_lazy("pairs were dropped for the share of paraphrases"),
    LeftOut.EQUAL: gettext_lazy("pairs of two equal sentences fell to dev or test"),
    LeftOut.CONFLICT: gettext_lazy("composed pairs would get two labels"),
    LeftOut.UNKNOWN: gettext_lazy("composed pairs would get no label"),
    LeftOut.NOISY_CONFLICT: gettext_lazy("unjudged pairs get two labels from two methods"),
    LeftOut.NOISY_OF_TEST: gettext_lazy("unjudged pairs are connected to a pair of test"),
    LeftOut.NOISY_BETWEEN: gettext_lazy("unjudged pairs connect train and dev"),
    LeftOut.NOISY_EQUAL: gettext_lazy("unjudged pairs of two equal sentences fell to dev"),
}


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
    preview = Preview.from_dict(content)
    run = release.project.runs.select_related("corpus").first()
    return {
        "preview": preview,
        "warnings": [WORDS[each.reason](each.figures) for each in preview.warnings],
        "left_out": [(LEFT_OUT[reason], pairs) for reason, pairs in preview.left_out.items()],
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
        yield _("Answers were held out or put back.")


def _no_pairs(_of: Figures) -> str:
    return _("No pair is in labeled_final: nobody could train or test with it.")


def _one_label(of: Figures) -> str:
    if of["label"]:
        return _("All pairs of labeled_final are paraphrases: nothing can be learned from them.")
    return _("No pair of labeled_final is a paraphrase: nothing can be learned from them.")


def _all_swaps(_of: Figures) -> str:
    return _("No back translation is kept, so every kept word swap is in labeled_final.")


def _no_train(_of: Figures) -> str:
    return _("Dev and test take every pair of labeled_final: nothing is left to train on.")


def _too_small(of: Figures) -> str:
    text = _("%(file)s comes to %(reached)s pairs instead of %(wanted)s.")
    values = {"file": _file(of), "reached": number(of["reached"]), "wanted": number(of["wanted"])}
    if "drawable" not in of:
        return text % values
    bound = ngettext(
        "Only %(pairs)s pair may come to dev or test at all; the others hang together with train.",
        "Only %(pairs)s pairs may come to dev or test at all; the others hang together with train.",
        of["drawable"],
    )
    return f"{text % values} {bound % {'pairs': number(of['drawable'])}}"


def _too_large(of: Figures) -> str:
    text = _(
        "%(pairs)s pairs, %(share)s of labeled_final, hang together by their sentences. That is "
        "more than dev or test is to hold, so they stay in train."
    )
    return text % {"pairs": number(of["pairs"]), "share": share(of["share"])}


def _split_share(of: Figures) -> str:
    text = _("%(file)s comes to %(reached)s paraphrases instead of %(wanted)s.")
    return text % {
        "file": _file(of),
        "reached": share(of["reached"]),
        "wanted": share(of["wanted"]),
    }


def _final_share(of: Figures) -> str:
    text = _("labeled_final comes to %(reached)s paraphrases instead of %(wanted)s.")
    return text % {"reached": share(of["reached"]), "wanted": share(of["wanted"])}


def _file(of: Figures) -> str:
    return f"{of['subset']}/{of['split']}.tsv"


WORDS: dict[Reason, Callable[[Figures], str]] = {
    Reason.NO_PAIRS: _no_pairs,
    Reason.ONE_LABEL: _one_label,
    Reason.ALL_SWAPS: _all_swaps,
    Reason.NO_TRAIN: _no_train,
    Reason.TOO_SMALL: _too_small,
    Reason.TOO_LARGE: _too_large,
    Reason.SPLIT_SHARE: _split_share,
    Reason.FINAL_SHARE: _final_share,
}
