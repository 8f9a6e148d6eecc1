"""Parts that lists of pairs share: the texts with their differences, and the votes."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.forms import BoundField
from django.utils.translation import gettext as _

from annotation.access.gates import page_in_view
from annotation.models import Project
from annotation.pairs.differences import Piece, kind_name
from annotation.pairs.rows import answers_in_words
from annotation.projects import charts, picks
from annotation.projects.labels import short_name, shown
from annotation.runs.method_names import method_name
from annotation.stats.labels import SAME_OR_DIFFERENT, Scheme
from annotation.templatetags.figures import number

register = template.Library()
register.filter(method_name)
register.filter(kind_name)
register.simple_tag(page_in_view)
SQUARE = 11


@register.inclusion_tag("parts/texts.html")
def texts(
    sentences: Sequence[Sequence[Piece]], languages: str | Sequence[str], address: str = ""
) -> dict[str, Any]:
    """Show the sentences of an item in pieces, as a link if there is an address."""
    if isinstance(languages, str):
        languages = [languages] * len(sentences)
    return {"texts": list(zip(languages, sentences, strict=True)), "address": address}


@register.inclusion_tag("parts/votes.html")
def votes(tally: Sequence[int], project: Project | None) -> dict[str, Any]:
    """Show how many people gave each label; `tally` counts them by label, from 0.

    With two labels, a square for each vote; with more, the label that most people gave. Where votes
    do not decide, all answers, and their mean if the pair has one. Without a project, the labels
    are those of PAWS.
    """
    scheme = project.scheme if project else SAME_OR_DIFFERENT
    if not scheme.decides:
        return _all_answers(tally, scheme)
    answers, most = sum(tally), max(tally, default=0)
    is_tie = list(tally).count(most) > 1
    words: dict[str, Any] = {"most": most, "number": answers}
    if len(tally) > 2:
        label = "" if is_tie or not answers else shown(scheme.name_of(list(tally).index(most)))
        return {"label": label, "words": answers and _("%(most)s of %(number)s") % words}
    lower, upper = [*tally, 0, 0][:2]
    text = ""
    if is_tie and answers:
        text = _("%(most)s of %(number)s each") % words
    elif answers:
        words |= {"label": short_name(scheme, int(upper > lower))}
        text = _("%(most)s of %(number)s %(label)s") % words
    squares = ["same"] * upper + ["other"] * lower
    return {
        "squares": [(1 + SQUARE * place, side) for place, side in enumerate(squares)],
        "width": SQUARE * answers,
        "words": text,
    }


def _all_answers(tally: Sequence[int], scheme: Scheme) -> dict[str, Any]:
    mean, spread = scheme.mean(tally), scheme.spread(tally)
    answers = answers_in_words(tally, scheme)
    if not scheme.has_mean or mean is None:
        return {"words": answers}
    return {
        "label": _("mean %(mean)s") % {"mean": number(mean, 2)},
        "words": _("spread %(spread)s: %(answers)s")
        % {"spread": number(spread, 2), "answers": answers},
    }


@register.inclusion_tag("parts/pick.html")
def pick(field: BoundField, counted: bool = False) -> dict[str, Any]:
    """Show a filter: the options of a field, and the one that is chosen.

    In a list that is `counted`, opening it asks how many rows each option has.
    """
    return {"pick": picks.pick_of(field), "is_counted": counted and field.name != "order"}


@register.inclusion_tag("parts/acceptance.html")
def acceptance(probability: float) -> dict[str, Any]:
    """Show how probably people accept a candidate as it is."""
    return {"probability": probability, "share": charts.shares({"done": probability}, 1)}
