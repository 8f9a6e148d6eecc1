"""Which names are spellings of one entity: equal after casefold and stemming."""

import re
from functools import cache

import snowballstemmer

from generation.nlp.words import COMBINING

# As in "C++" and "C#", which are other entities than "C".
WORD = re.compile(rf"(?:[^\W_]+[{COMBINING}]*)+[+#]*")
# As in "virtual machine(s)".
OPTIONAL_PLURAL = re.compile(r"\((e?s)\)")
STEMMERS = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
}


def twin_key(entity: str, language: str) -> str:
    """Return what twins share; in a language without a stemmer, the words in lower case.

    >>> twin_key("Virtual machine(s)", "en") == twin_key("virtual machines", "en")
    True
    """
    folded = entity.casefold()
    words = WORD.findall(OPTIONAL_PLURAL.sub(r"\1", folded))
    if name := STEMMERS.get(language.partition("-")[0].casefold()):
        words = _stemmer(name).stemWords(words)
    return " ".join(words) or folded


@cache
def _stemmer(name: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(name)
