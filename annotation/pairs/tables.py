"""The pairs and judgments of a study as rows of files."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from django.http import QueryDict

from annotation.models import Consensus, Project
from annotation.pairs.selectors import long_tables
from annotation.pairs.selectors.pairs import Answer, has_model_labels, iterate_pages
from annotation.people.selectors.names import Naming
from annotation.projects.forms.filters import PairsForm
from annotation.projects.views import table_page
from annotation.stats.labels import Scheme
from common.spreadsheets import Cell

JUDGMENTS = (
    "pair slot round annotator label seconds submitted_at highlighted reason words"
    " excluded superseded simulated"
)


def pair_columns(project: Project) -> str:
    mean = " mean spread" if project.scheme.has_mean else ""
    model = " model_label model_share" if has_model_labels(project) else ""
    return (
        f"id own_id method correction sentence1 sentence2 label{mean} kept votes judgments priority"
        f" set_aside_at exclusion gold_label decided_at{model}"
    )


def pairs(naming: Naming, query: QueryDict) -> Iterator[Sequence[Cell]]:
    filters = table_page.valid_or_404(PairsForm(query, project=naming.project)).filters()
    scheme, has_model = naming.project.scheme, has_model_labels(naming.project)
    return (
        (*_pair_cells(pair, naming), *(_model_cells(pair, scheme) if has_model else ()))
        for pair in iterate_pages(naming.project, filters)
    )


def judgments(naming: Naming, _: QueryDict) -> Iterator[Sequence[Cell]]:
    values = naming.project.scheme.values
    return (
        (
            str(judgment.item__public_id),
            judgment.number,
            judgment.round,
            naming.of_id(judgment.annotator, judgment.annotator__username),
            values[judgment.label],
            judgment.seconds,
            judgment.submitted_at,
            judgment.highlighted,
            judgment.reason or None,
            json.dumps(judgment.marked) if judgment.marked else None,
            judgment.out,
            judgment.superseded_by is not None,
            judgment.annotator__is_simulated,
        )
        for judgment in long_tables.judgments_with_names(naming.project)
    )


def _pair_cells(pair: Any, naming: Naming) -> Sequence[Cell]:
    """Return a row for a pair of the selector, which has its `answers`."""
    consensus, scheme = getattr(pair, "consensus", None), naming.project.scheme
    return (
        str(pair.public_id),
        pair.candidate.external_id or None,
        pair.candidate.run.method,
        pair.origin.action if pair.origin else None,
        pair.sentence1.text,
        pair.sentence2.text,
        _value(scheme.outcome_values, consensus and consensus.label),
        *_mean(scheme, consensus),
        consensus.kept if consensus else None,
        " ".join(map(str, consensus.tally)) if consensus else None,
        "; ".join(_answer_in_words(answer, naming, scheme) for answer in pair.answers),
        pair.priority,
        pair.set_aside_at,
        pair.excluded_by.reason if pair.excluded_by else None,
        _value(scheme.values, pair.gold_label),
        consensus.decided_at if consensus else None,
    )


def _model_cells(pair: Any, scheme: Scheme) -> Sequence[Cell]:
    """Return the label of the annotator model, and how likely it finds it."""
    consensus = getattr(pair, "consensus", None)
    if consensus is None:
        return (None, None)
    return _value(scheme.outcome_values, consensus.model_label), consensus.model_share


def _mean(scheme: Scheme, consensus: Consensus | None) -> Sequence[float | None]:
    """Return the mean and the spread of the answers to a pair, if the study takes them."""
    if not scheme.has_mean:
        return ()
    return (
        (scheme.mean(consensus.tally), scheme.spread(consensus.tally)) if consensus else (None,) * 2
    )


def _answer_in_words(answer: Answer, naming: Naming, scheme: Scheme) -> str:
    name = naming.of_id(answer.person, answer.username)
    return f"{name}: {scheme.value(answer.label)}{f' ({answer.out})' if answer.out else ''}"


def _value(values: Sequence[int], place: int | None) -> int | None:
    return None if place is None else values[place]
