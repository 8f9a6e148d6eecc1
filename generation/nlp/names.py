"""Names and numbers of a sentence, by their looks: what a rewrite with the same meaning keeps."""

from collections import Counter

from generation.nlp.words import words

# Languages whose nouns begin with a capital.
CAPITALISED = frozenset({"de", "lb"})


def names(text: str, language: str) -> list[str]:
    """Return the words that are names or numbers, in order.

    Those are words with a digit or a capital inside and, but for the first word, words that begin
    with a capital; in English also words with a letter beyond a to z.

    >>> names("Yesterday Zoë met 20 émigrés in Rome.", "en"), names("BBC and ITV merge.", "en")
    (['Zoë', '20', 'émigrés', 'Rome'], ['BBC', 'ITV'])
    """
    return [
        word
        for place, word in enumerate(words(text))
        if any(character.isdigit() for character in word)
        or any(character.isupper() for character in word[1:])
        or (place and word[0].isupper() and language not in CAPITALISED)
        or (language == "en" and not word.isascii())
    ]


def lost_names(source: str, rewrite: str, language: str) -> Counter[str]:
    """Return how often each name of the source is missing from a rewrite."""
    return Counter(names(source, language)) - Counter(words(rewrite))
