"""Changes a glossary: anybody in the project proposes terms, its managers edit them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused, in_words
from annotation.glossary.lines import Line
from annotation.models import Project, Term
from generation.nlp.text import RefusedText, check

MOST_TERMS = 5000
LONGEST = Term._meta.get_field("source").max_length or 0
LONG = gettext_lazy("The file has more than %(most)s lines. Split it.")
FULL = gettext_lazy("The term list is full: it can have %(most)s terms.")
ADDED = gettext_lazy("added")
CHANGED = gettext_lazy("changed")
KNOWN = gettext_lazy("already in the list")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a line of a file."""

    number: int
    source: str
    said: str | Promise
    is_refused: bool = False


@transaction.atomic
def propose(project: Project, *, source: str, target: str, note: str = "", by: User) -> Term:
    """Store a proposal, which translators see once a manager approves it. Raises Refused."""
    return _create_term(project, _check_term(source, target, note), proposed_by=by)


@transaction.atomic
def add(
    project: Project, *, source: str, target: str, note: str = "", by: User | None = None
) -> Term:
    """Store an approved term. Raises Refused."""
    term = _create_term(project, _check_term(source, target, note), approved_at=timezone.now())
    audit.record(Act.TERM_ADDED, by=by, on=term)
    return term


@transaction.atomic
def change(term: Term, *, source: str, target: str, note: str = "", by: User | None = None) -> Term:
    """Change a term, and approve it if it is a proposal. Raises Refused."""
    before, is_proposal = _texts(term), term.approved_at is None
    term.source, term.target, term.note = _check_term(source, target, note)
    if before == _texts(term) and not is_proposal:
        return term
    term.approved_at = term.approved_at or timezone.now()
    _save(term)
    audit.record(Act.TERM_APPROVED if is_proposal else Act.TERM_CHANGED, by=by, on=term)
    return term


def approve(term: Term, *, by: User | None = None) -> Term:
    """Show a proposal to translators."""
    return change(term, source=term.source, target=term.target, note=term.note, by=by)


@transaction.atomic
def remove(term: Term, *, by: User | None = None) -> None:
    audit.record(Act.TERM_REMOVED, by=by, on=term)
    term.delete()


@transaction.atomic
def upload(project: Project, lines: Iterable[Line], *, by: User | None) -> Sequence[Outcome]:
    """Add the terms of a file, and change those that it has with another translation or note.

    Raises Refused for a file that has more lines than a glossary may have terms.
    """
    rows = list(islice(lines, MOST_TERMS + 1))
    if len(rows) > MOST_TERMS:
        raise Refused(LONG % {"most": MOST_TERMS})
    _lock(project)
    terms = {term.source.lower(): term for term in Term.objects.filter(project=project)}
    changed: dict[str, Term] = {}
    outcomes = [_outcome(project, line, terms, changed) for line in rows]
    if changed:
        _save_all(changed.values())
        audit.record(Act.TERMS_UPLOADED, by=by, on=project, terms=len(changed))
    return outcomes


def _outcome(
    project: Project, line: Line, terms: dict[str, Term], changed: dict[str, Term]
) -> Outcome:
    """Put the term of a line into `terms` and `changed`, which are by the source in lower case."""
    try:
        source, *texts = _check_term(line.source, line.target, line.note)
        key = source.lower()
        if key not in terms and len(terms) >= MOST_TERMS:
            raise Refused(FULL % {"most": MOST_TERMS})
    except Refused as refused:
        return Outcome(line.number, line.source, str(refused), is_refused=True)
    outcome = CHANGED if key in terms else ADDED
    term = terms.setdefault(key, Term(project=project, source=source))
    if [term.target, term.note] == texts and term.approved_at:
        return Outcome(line.number, line.source, KNOWN)
    term.target, term.note = texts
    term.approved_at = term.approved_at or timezone.now()
    changed[key] = term
    return Outcome(line.number, line.source, outcome)


def _create_term(project: Project, texts: Sequence[str], **columns: Any) -> Term:
    _lock(project)
    if Term.objects.filter(project=project).count() >= MOST_TERMS:
        raise Refused(FULL % {"most": MOST_TERMS})
    source, target, note = texts
    term = Term(project=project, source=source, target=target, note=note, **columns)
    _save(term)
    return term


def _lock(project: Project) -> None:
    """One change of a glossary at a time, so that it is not filled twice."""
    Project.objects.select_for_update(no_key=True).only("pk").get(pk=project.pk)


def _save(term: Term) -> None:
    """Raises Refused for a term that another row of the glossary is about."""
    try:
        with transaction.atomic():
            term.save()
    except IntegrityError:
        text = _("“%(term)s” is already in the list. Look at its entry.")
        raise Refused(text % {"term": term.source}) from None


def _save_all(terms: Collection[Term]) -> None:
    """Save the terms of a file. Raises Refused if two of them are the same to the database."""
    new = [term for term in terms if not term.pk]
    changed = [term for term in terms if term.pk]
    try:
        with transaction.atomic():
            Term.objects.bulk_create(new)
            Term.objects.bulk_update(changed, ["target", "note", "approved_at"], batch_size=500)
    except IntegrityError:
        raise Refused(_("Two terms of the file differ only in case. Remove one.")) from None


def _texts(term: Term) -> tuple[str, str, str]:
    return term.source, term.target, term.note


def _check_term(source: str, target: str, note: str) -> tuple[str, str, str]:
    """Return the texts as they are stored. Raises Refused."""
    if not source.strip() or not target.strip():
        raise Refused(_("A term needs a text and a translation."))
    return _clean_text(source), _clean_text(target), _clean_text(note) if note.strip() else ""


def _clean_text(text: str) -> str:
    text = " ".join(text.split())
    try:
        return check(text, max_characters=LONGEST)
    except RefusedText as refused:
        raise Refused(
            _("“%(text)s” can’t be saved: %(reason)s.")
            % {"text": text[:LONGEST], "reason": in_words(refused)}
        ) from refused
