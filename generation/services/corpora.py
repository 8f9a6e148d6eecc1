"""Corpora: named collections of sentences."""

from django.core.exceptions import ValidationError

from generation.models import Corpus


def open_corpus(name: str, *, licence: str = "", language: str = "en") -> Corpus:
    """Return the corpus with this name; create it if needed.

    Raises ValidationError if a new corpus has invalid fields, or if an existing one has a licence
    other than the given one.
    """
    corpus = Corpus.objects.filter(name=name).first()
    if corpus is None:
        corpus = Corpus(name=name, licence=licence, language=language)
        corpus.full_clean()
        corpus.save()
    if licence not in ("", corpus.licence):
        raise ValidationError(f"The corpus {name} stands under the licence {corpus.licence!r}.")
    return corpus
