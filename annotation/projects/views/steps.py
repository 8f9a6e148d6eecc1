"""The steps of a young study up to its first release, and an example of what its people do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.models import Correction, Project, Translation
from annotation.pairs import differences
from annotation.pairs.differences import Piece
from annotation.projects import additions
from annotation.projects.selectors.glance import Glance
from annotation.templatetags.figures import number


@dataclass(frozen=True, slots=True)
class Step:
    """A step: a `button` leads to the page where it is done, and `other` to another way."""

    title: str
    text: str
    is_done: bool
    button: str | Promise = ""
    page: str = ""
    other: str | Promise = ""
    other_page: str = ""
    is_now: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence of the demonstration on its way: its texts, what people do, and the result."""

    heading: str | Promise
    texts: tuple[list[Piece], list[Piece]]
    languages: tuple[str, str]
    work: str | Promise
    result: str | Promise


# Sentences of operations/demonstration: tests hold them against its files.
SWAPPED = (
    "The single reached number 4 in Norway and number 11 in Denmark in the spring of 1986.",
    "The single reached number 4 in Denmark and number 11 in Norway in the spring of 1986.",
)
DEFINED = (
    "A structure that computes from each key the slot in which its value is kept.",
    "Keys are turned into array positions, so a lookup goes straight to the right place.",
)
TRANSLATED = (
    "Her rating rose from 2,180 in January to 2,310 in December.",
    "Ihre Wertungszahl stieg von 2.180 im Januar auf 2.310 im Dezember.",
)


def of_study(glance: Glance) -> list[Step]:
    """Return the steps; the first that is not done is the next one, with its buttons."""
    if glance.project.translates:
        steps = list(_of_translating(glance))
    elif glance.project.judges:
        is_complete = bool(additions.refusal(glance.project))
        there = f"{_('The pairs are there.')} {_needed(glance)}"
        steps = [_people(glance, there)] if is_complete else list(_of_judging(glance))
    else:
        steps = [_people(glance, _("The items are there. Send people a link."))]
    now = next((place for place, step in enumerate(steps) if not step.is_done), None)
    project = glance.project.public_id
    return [
        replace(
            step,
            is_now=place == now,
            page=reverse(step.page, args=[project]) if step.page else "",
            other_page=reverse(step.other_page, args=[project]) if step.other_page else "",
        )
        for place, step in enumerate(steps)
    ]


def example_of(project: Project) -> Example | None:
    """Return an example of this kind of study from our demonstration corpus."""
    if project.translates:
        return Example(
            gettext_lazy("Source and translation"),
            _whole(TRANSLATED),
            ("en", "de"),
            gettext_lazy("Another person accepts, fixes or rejects the translation."),
            gettext_lazy("in the dataset, with the label of its source"),
        )
    if not project.judges:
        return None
    if project.max_label > 1:
        return Example(
            gettext_lazy("Two definitions of a hash table"),
            _whole(DEFINED),
            ("en", "en"),
            ngettext(
                "%(n)s person grades how much they say the same.",
                "%(n)s people grade how much they say the same.",
                project.judgments_per_pair,
            )
            % {"n": number(project.judgments_per_pair)},
            gettext_lazy("a grade"),
        )
    return Example(
        gettext_lazy("Source and rewrite"),
        differences.pieces(*SWAPPED),
        ("en", "en"),
        ngettext(
            "%(n)s person says whether both mean the same.",
            "%(n)s people say whether both mean the same.",
            project.judgments_per_pair,
        )
        % {"n": number(project.judgments_per_pair)},
        gettext_lazy("not a paraphrase"),
    )


def _whole(texts: Sequence[str]) -> tuple[list[Piece], list[Piece]]:
    first, second = texts
    return [Piece(first, False)], [Piece(second, False)]


def _of_judging(glance: Glance) -> Iterator[Step]:
    project = glance.project
    is_graded, has_pairs = project.max_label > 1, bool(glance.pairs or glance.candidates)
    added = _("Upload or paste them, or upload finished pairs.")
    if glance.sentences:
        added = ngettext("%(n)s sentence is there.", "%(n)s sentences are there.", glance.sentences)
        added %= {"n": number(glance.sentences)}
    yield Step(
        _("Add definitions") if is_graded else _("Add sentences"),
        added,
        bool(glance.sentences) or has_pairs,
        gettext_lazy("Add sentences"),
        "data",
    )
    yield Step(
        _("Pair them") if is_graded else _("Rewrite them"),
        _("A run makes candidates from the sentences. You see its first results, and decide then."),
        has_pairs,
        gettext_lazy("New run"),
        "new_run",
        gettext_lazy("I have finished pairs"),
        "data",
    )
    yield _people(glance, _needed(glance))
    yield Step(
        _("Release the dataset"),
        _("Possible from the first kept pair on, with train, dev and test, a card and a citation."),
        bool(glance.version),
        gettext_lazy("Releases"),
        "releases",
    )


def _needed(glance: Glance) -> str:
    needed = glance.project.judgments_per_pair
    text = ngettext("%(n)s person to judge.", "%(n)s people to judge.", needed)
    if Correction.KIND in glance.project.kinds and glance.project.corrected_methods:
        text = ngettext(
            "1 person to correct, %(n)s to judge.", "1 person to correct, %(n)s to judge.", needed
        )
    link = _("A link is enough; nobody needs an email address.")
    return f"{text % {'n': number(needed)}} {link}"


def _people(glance: Glance, text: str) -> Step:
    done = bool(glance.annotators)
    return Step(_("Invite people"), text, done, gettext_lazy("Invite people"), "invitations")


def _of_translating(glance: Glance) -> Iterator[Step]:
    sentences = glance.items[Translation.KIND].number
    text = ngettext("%(n)s sentence to translate.", "%(n)s sentences to translate.", sentences)
    chosen = text % {"n": number(sentences)}
    yield Step(_("Choose a release to translate"), chosen, is_done=True)
    yield Step(
        _("Write the term list"),
        _("Terms that must be translated the same everywhere. You can add some at any time."),
        glance.terms > 0,
        gettext_lazy("Term list"),
        "glossary",
    )
    people = _(
        "At least three native speakers: the two sentences of a pair go to different people, "
        "and no one validates what they translated."
    )
    yield _people(glance, people)
    yield Step(
        _("Open the project"),
        _("Work begins as soon as it is open."),
        glance.project.is_open,
        gettext_lazy("Open the project"),
        "project_actions",
    )
