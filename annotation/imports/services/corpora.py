"""Corpora of a project: created for it, corrected, added to it, and removed from it."""

from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Project
from annotation.projects import additions
from generation.models import Corpus


@transaction.atomic
def create(
    name: str,
    *,
    owner: User,
    project: Project | None = None,
    language: str = "en",
    licence: str = "",
    description: str = "",
) -> Corpus:
    """Create a corpus that belongs to its owner, and add it to a project.

    Raises ValidationError for fields that are not valid, and for a name that is taken; and Refused
    if the pairs of the project are complete.
    """
    if project:
        additions.check(project)
    corpus = Corpus(
        name=name.strip(), language=language, licence=licence, description=description, owner=owner
    )
    _check(corpus)
    corpus.save()
    audit.record(Act.CORPUS_CREATED, by=owner, project=project, corpus=corpus.name)
    if project:
        project.corpora.add(corpus)
    return corpus


@transaction.atomic
def change(corpus: Corpus, about: Mapping[str, str], *, project: Project, by: User) -> bool:
    """Correct what describes a corpus, as for `create`; return whether anything has changed.

    Releases that are frozen keep what they say. Raises ValidationError as `create`.
    """
    stored = Corpus.objects.select_for_update().get(pk=corpus.pk)
    before = {name: getattr(stored, name) for name in about}
    changes = {name: value for name, value in about.items() if value != before[name]}
    if not changes:
        return False
    for name, value in changes.items():
        setattr(stored, name, value)
    _check(stored)
    stored.save(update_fields=list(changes))
    values = {name: [before[name], value] for name, value in changes.items()}
    texts = ["source"] if values.pop("description", None) else []
    facts = {"corpus": before["name"], "values": values, "texts": texts}
    audit.record(Act.CORPUS_CHANGED, by=by, on=project, **facts)
    return True


def _check(corpus: Corpus) -> None:
    try:
        corpus.full_clean()
    except ValidationError as error:
        if any(failure.code == "unique" for failure in error.error_dict.get("name", [])):
            raise ValidationError({"name": _("This name is taken. Choose another one.")}) from error
        raise


@transaction.atomic
def add(project: Project, corpus: Corpus, *, by: User) -> None:
    """Let managers use a corpus and researchers read it. Raises Refused if pairs are complete."""
    additions.check(project)
    project.corpora.add(corpus)
    audit.record(Act.CORPUS_ADDED, by=by, on=project, corpus=corpus.name)


@transaction.atomic
def remove(project: Project, corpus: Corpus, *, by: User) -> None:
    """Take a corpus out of a project. Raises ValidationError if runs of the project rewrite it."""
    if project.runs.filter(corpus=corpus).exists():
        raise ValidationError(
            _("This corpus can’t be removed, because the project has runs of it.")
        )
    project.corpora.remove(corpus)
    audit.record(Act.CORPUS_REMOVED, by=by, on=project, corpus=corpus.name)
