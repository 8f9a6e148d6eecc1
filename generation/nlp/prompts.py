"""Prompts for models that rewrite sentences: how one is filled in, and those of the presets.

The examples in them are our own.
"""

import re

SENTENCE, LANGUAGE = "{sentence}", "{language}"
LONGEST = 8_000
_PLACES = re.compile(r"\{sentence\}|\{language\}")

REORDER = """\
Rewrite the {language} sentence below so that it says something else with exactly the same words.

- Use every word of the sentence, each as often as the sentence does, in the same form. Add no word.
- Change the order of the words so that the meaning changes: exchange who does something and who \
it is done to, two places, two times, two numbers or two qualities.
- The new sentence must be grammatical, and possible in the real world.
- Do not just reorder a list: "tea and milk" for "milk and tea" changes nothing.

Sentence: The young nurse taught the old surgeon a song that her mother had written.
Rewrite: The old nurse taught the young surgeon a song that her mother had written.

Sentence: The ferry leaves the island at noon and reaches the harbour at dusk.
Rewrite: The ferry leaves the harbour at noon and reaches the island at dusk.

Answer with the rewritten sentence alone, in one line.

Sentence: {sentence}
Rewrite:"""

PARAPHRASE = """\
Rewrite the {language} sentence below so that it means the same but has another word order.

- Keep all names, numbers and facts, and most of the words. Add nothing and leave nothing out.
- Move parts of the sentence: make a passive of an active, begin with another part, or turn a \
clause round.
- The new sentence must be grammatical and read naturally.

Sentence: After the flood of 1932 the village moved its market to the hill.
Rewrite: The village's market was moved to the hill after the flood of 1932.

Sentence: The engineer Clara Voss drew the plans, and a firm from Utrecht built the bridge.
Rewrite: The bridge was built by a firm from Utrecht from plans drawn by the engineer Clara Voss.

Answer with the rewritten sentence alone, in one line.

Sentence: {sentence}
Rewrite:"""

NEAR_MISS = """\
Change the {language} sentence below in as few words as possible, so that it looks nearly the \
same but no longer means the same.

- Change, add or remove one to three words, and keep all others in their place.
- Change what the sentence claims: who, where, when, how many, whether or why. Somebody who \
believes one sentence must not be able to believe that the other says the same.
- The new sentence must be grammatical, and possible in the real world.

Sentence: The library opened a week before the school was finished.
Rewrite: The library opened a week after the school was finished.

Sentence: Most of the boats in the harbour were repaired by the sailors themselves.
Rewrite: Few of the boats in the harbour were repaired by the sailors themselves.

Answer with the changed sentence alone, in one line.

Sentence: {sentence}
Rewrite:"""


def check(prompt: str) -> None:
    """Raise ValueError for a prompt that is too long or does not have its sentence once."""
    if len(prompt) > LONGEST:
        raise ValueError(
            f"The setting prompt has {len(prompt):,} characters; at most {LONGEST:,} are allowed."
        )
    if (number := prompt.count(SENTENCE)) != 1:
        raise ValueError(
            f"The setting prompt must contain {SENTENCE} once, where the sentence is filled in; "
            f"it is there {number} times."
        )


def fill_in(prompt: str, *, sentence: str, language: str) -> str:
    """Return a prompt with a sentence and the name of its language, both taken literally.

    >>> fill_in("Rewrite this {language} sentence: {sentence}", sentence="A {x}.", language="Welsh")
    'Rewrite this Welsh sentence: A {x}.'
    """
    texts = {SENTENCE: sentence, LANGUAGE: language}
    return _PLACES.sub(lambda place: texts[place.group()], prompt)
