"""Rows of lists of pairs and of answers, as templates/parts/pair_row.html shows them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Correction, Item, Project
from annotation.pairs import differences
from annotation.pairs.differences import Piece
from annotation.projects.labels import decision_name, shown
from annotation.runs.method_names import method_name
from annotation.stats.labels import Scheme
from annotation.templatetags.figures import number, share
from generation.models import Method

Text = str | Promise
# The annotator model is unsure of a pair below this probability.
SURE = 0.95


@dataclass(frozen=True, slots=True)
class Chip:
    """A state in a word; `colour` is a class of shell.css, empty for a neutral one."""

    text: Text
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """The sentences of an item in pieces, each with its language, and what is known of it.

    `address` is its page. `can_be_chosen` gives it a box where a list has boxes. `tally` counts the
    votes by label. A list of answers has `answer`, with a `note` that a person wrote, and the
    `background` that the item was shown with. Rows of releases have no `item`.
    """

    item: Item | None
    sentences: Sequence[Sequence[Piece]]
    languages: Sequence[str]
    address: str = ""
    can_be_chosen: bool = True
    tally: Sequence[int] = ()
    background: str = ""
    answer: Text = ""
    note: str = ""
    facts: Sequence[Text] = ()
    chips: Sequence[Chip] = ()


def pair_row(pair: Any, project: Project, *, facts: Sequence[Text] = ()) -> Row:
    """Return the row of a pair that is decided, or that has its `answers` (selectors.pairs)."""
    tally = votes_of(pair, project)
    return Row(
        item=pair,
        sentences=differences.pieces(pair.sentence1.text, pair.sentence2.text),
        languages=[pair.sentence1.corpus.language] * 2,
        address=reverse("pair", args=[project.public_id, pair.public_id]),
        can_be_chosen=pair.gold_label is None,
        tally=tally,
        facts=[
            change(pair),
            *_missing(pair, project, sum(tally)),
            *_annotator_model(pair, project),
            *facts,
        ],
        chips=[*chips(pair)],
    )


def model_facts(pair: Any, project: Project) -> list[str]:
    """Return what a model says of a pair that has its label as `says`, and its `score`."""
    says = _("Model: %(label)s") % {"label": shown(project.scheme.name_of(pair.says))}
    score = [] if pair.score is None else [_("Score %(score)s") % {"score": number(pair.score, 2)}]
    return [says, *score]


def votes_of(pair: Any, project: Project) -> list[int]:
    """Return how many answers count by label: those of the decision, or those so far."""
    if hasattr(pair, "consensus"):
        return list(pair.consensus.tally)
    labels = [answer.label for answer in pair.answers if answer.counts]
    return [labels.count(label) for label in range(project.scheme.size)]


def result_in_words(scheme: Scheme, tally: Sequence[int], outcome: int | None) -> str:
    """Return what the answers to a decided pair became: a label, a tie, their mean, or all."""
    if scheme.decides:
        return decision_name(scheme, outcome)
    if not scheme.has_mean:
        return _("all answers")
    mean, spread = scheme.mean(tally), scheme.spread(tally)
    figures = {"mean": number(mean, 2), "spread": number(spread, 2)}
    return _("mean %(mean)s, spread %(spread)s") % figures


def answers_in_words(tally: Sequence[int], scheme: Scheme) -> str:
    """Return the value of each answer in ascending order, or the number of answers by name."""
    counts = list(enumerate(tally))
    if scheme.is_ordered:
        return ", ".join(str(scheme.value(place)) for place, count in counts for _n in range(count))
    names = (f"{shown(scheme.name_of(place))} {count}" for place, count in counts if count)
    return ", ".join(names)


def change(item: Any) -> Text:
    """Return what made a pair from its source: the kind of swap, or the method."""
    method: str = item.candidate.run.method
    kind: str = item.candidate.kind
    if method == Method.WORD_SWAP and kind in differences.SWAPS:
        return differences.change_name(kind)
    return method_name(method)


def chips(pair: Any) -> Iterator[Chip]:
    """Yield the states of a pair that are worth a word; most pairs have none."""
    if hasattr(pair, "consensus") and not pair.consensus.kept:
        yield Chip(_("too few agree"), "amber")
    if pair.excluded_by_id:
        yield Chip(_("excluded"))
    if pair.set_aside_at:
        yield Chip(_("set aside"))
    if pair.priority:
        yield Chip(_("judged first") if pair.priority > 0 else _("judged last"))
    if pair.gold_label is not None:
        yield Chip(_("gold pair"))
    if pair.most_votes is not None:
        yield Chip(_("nobody was left to ask"))
    if pair.origin_id and pair.origin.action == Correction.Action.FIX:
        yield Chip(_("fixed"))


def _annotator_model(pair: Any, project: Project) -> Iterator[str]:
    """Yield the label of the annotator model where it differs from the votes, or is unsure."""
    consensus = getattr(pair, "consensus", None)
    if consensus is None or consensus.model_label is None:
        return
    if consensus.model_label != consensus.label or consensus.model_share < SURE:
        label = decision_name(project.scheme, consensus.model_label)
        text = _("Annotator model: %(label)s, %(share)s")
        yield text % {"label": label, "share": share(consensus.model_share, 0)}


def _missing(pair: Any, project: Project, votes: int) -> Iterator[str]:
    missing = project.judgments_per_pair - votes
    if project.judgments_at_most:
        missing = max(1, missing)
    is_over = pair.gold_label is not None or pair.excluded_by_id or hasattr(pair, "consensus")
    if missing > 0 and not is_over:
        text = ngettext("%(n)s answer missing", "%(n)s answers missing", missing)
        yield text % {"n": missing}
