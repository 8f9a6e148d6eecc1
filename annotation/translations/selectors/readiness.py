"""What a translation study lacks before its translations can be delivered."""

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.translations.selectors import blocked
from annotation.translations.selectors.figures import Figures, Translator
from annotation.translations.stats.word_errors import Rate

NameOf = Callable[[int], str]


def missing(figures: Figures, name_of: NameOf) -> list[str]:
    """Return each reason why the translations cannot be delivered; people by `name_of`."""
    return [
        *_unfinished(figures),
        *(reason for each in figures.translators for reason in _of_person(figures, each, name_of)),
        *_overall(figures),
    ]


def percent(rate: float) -> str:
    """Format a share for a sentence."""
    return f"{100 * rate:.1f} %"


def _unfinished(figures: Figures) -> Iterator[str]:
    waiting = figures.progress.waiting.sentences
    validating = sum(each.waiting for each in figures.translators)
    if number := waiting:
        text = ngettext(
            "%(n)s sentence is not translated yet.",
            "%(n)s sentences are not translated yet.",
            number,
        )
        yield text % {"n": number}
    if number := validating:
        text = ngettext(
            "%(n)s translation waits for validation.",
            "%(n)s translations wait for validation.",
            number,
        )
        yield text % {"n": number}
    if waiting or validating:
        yield from blocked.reasons(figures.plan.project)
    if not figures.progress.done.sentences:
        yield _("No sentence is translated.")


def _of_person(figures: Figures, each: Translator, name_of: NameOf) -> Iterator[str]:
    if each.too_few and not each.waiting:
        text = _(
            "Of %(name)s, %(validated)s of %(all)s translations are validated, and the settings "
            "ask for at least %(least)s. Put up more for validation."
        )
        least = min(figures.plan.least_validated, each.translated.sentences)
        numbers = {"validated": each.looked.number, "all": each.translated.sentences}
        yield text % {"name": name_of(each.user), "least": least, **numbers}
    if each.too_high:
        text = _(
            "The word error rate of %(name)s is %(rate)s, which is not below %(bound)s. Have all "
            "of their translations validated."
        )
        yield text % {"name": name_of(each.user), **_rates(figures, each.rate)}


def _overall(figures: Figures) -> Iterator[str]:
    if figures.unseen is not None and figures.is_too_high:
        text = _("The word error rate of the study is %(rate)s, which is not below %(bound)s.")
        yield text % _rates(figures, figures.unseen)


def _rates(figures: Figures, rate: Rate) -> dict[str, str]:
    return {"rate": percent(rate.value or 0.0), "bound": percent(figures.plan.most_error)}
