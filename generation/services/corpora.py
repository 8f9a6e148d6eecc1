"""Corpora: named collections of sentences."""

from django.core.exceptions import ValidationError

from generation.models import Corpus


def open_corpus(name: str, *, licence: str = "", language: str = "en") -> Corpus:
    """The corpus of this name, made if there is none.

    Raises ValidationError when a new one's columns are not valid, or when an existing corpus stands
    under another licence than the one given.
    """
    corpus = Corpus.objects.filter(name=name).first()
    if corpus is None:
        corpus = Corpus(name=name, licence=licence, language=language)
        corpus.full_clean()
        corpus.save()
    if licence not in ("", corpus.licence):
        raise ValidationError(f"The corpus {name} stands under the licence {corpus.licence!r}.")
    return corpus
