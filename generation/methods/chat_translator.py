"""A chat model behind an endpoint as a translator."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from common.languages import english_name_of
from generation.endpoints.chat import Reply, Request, digest_of
from generation.endpoints.client import Chat
from generation.nlp.back_translation import Translation, Translations
from generation.nlp.chat_replies import Fault, sentence_of
from generation.nlp.prompted import longest_reply
from generation.nlp.text import folded

PROMPT = (
    "Translate the sentence from {source} into {target}. Keep names and numbers. Reply with the "
    "translation alone.\n\n{sentence}"
)
# Of all samples but the first, which is the likeliest translation.
TEMPERATURE = 0.8
CUT_OFF = "length"


@dataclass(frozen=True, slots=True)
class ChatTranslator:
    """A `Translator` between two languages (BCP 47), for any that the model knows.

    The score of a translation is the log of its share among the samples; a single sample has none.
    """

    chat: Chat
    source: str
    target: str
    prefix: str = ""

    @property
    def identity(self) -> dict[str, str]:
        return self.chat.model.identity

    def translate(self, texts: Sequence[str], k: int) -> list[Translations]:
        """Return up to `k` distinct translations of each text, the most frequent first.

        There is none of a text whose replies hold no sentence.
        """
        requests_by_text = {text: self.requests(text, k) for text in texts}
        requests = [request for asked in requests_by_text.values() for request in asked]
        replies = {reply.digest: reply for reply in self.chat.ask(requests)}
        return [
            self._translations(
                text,
                [replies[digest_of(self.chat.model, asked)] for asked in requests_by_text[text]],
                k,
            )
            for text in texts
        ]

    def requests(self, text: str, k: int) -> list[Request]:
        """Return a request for the likeliest translation and, for several, `k` more samples."""
        return requests_about(text, self.source, self.target, k, prefix=self.prefix)

    def _translations(self, text: str, replies: Sequence[Reply], k: int) -> Translations:
        instruction = _prompt("", self.source, self.target, self.prefix)
        sentences = [
            sentence_of(reply.text, source=text, instruction=instruction)
            for reply in replies
            if not reply.refused and reply.finish != CUT_OFF
        ]
        translations = [text for text in sentences if not isinstance(text, Fault)]
        first_by_key: dict[str, str] = {}
        for translation in translations:
            first_by_key.setdefault(folded(translation), translation)
        numbers = Counter(map(folded, translations))
        most_frequent = sorted(first_by_key, key=lambda key: -numbers[key])[:k]
        if k == 1:
            return tuple(Translation(first_by_key[key]) for key in most_frequent)
        return tuple(
            Translation(first_by_key[key], log(numbers[key] / len(translations)))
            for key in most_frequent
        )


def requests_about(
    text: str, source: str, target: str, k: int, *, prefix: str = ""
) -> list[Request]:
    samples = 1 if k == 1 else k + 1
    return [
        Request(
            messages=(("user", _prompt(text, source, target, prefix)),),
            temperature=TEMPERATURE if sample else 0.0,
            top_p=1.0,
            max_tokens=longest_reply(text),
            seed=sample,
            sample=sample,
        )
        for sample in range(samples)
    ]


def _prompt(sentence: str, source: str, target: str, prefix: str) -> str:
    names = {"source": english_name_of(source), "target": english_name_of(target)}
    head, _place, tail = PROMPT.partition("{sentence}")
    return f"{head.format(**names)}{prefix}{sentence}{tail}"
