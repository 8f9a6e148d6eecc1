"""Rewrites by a chat model behind an endpoint as a generation method: any prompt, any language."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import chain

from common.languages import english_name_of
from generation.endpoints.chat import EndpointRefused, Ledger, Reply, Request, digest_of
from generation.endpoints.client import Chat
from generation.methods import model_loaders
from generation.methods.contract import GenerationMethod, Identities, Settings
from generation.model_store import EMBEDDED
from generation.nlp import prompts, samples
from generation.nlp.judging import Judge
from generation.nlp.prompted import Intent, PromptedSettings, longest_reply
from generation.nlp.rewrites import Outcome
from generation.nlp.samples import Sample
from generation.nlp.settings import Field, Preset, Role, _

# Sentences of a batch with equal samples alone, from which on the server seems not to sample.
EQUAL_SENTENCES = 10

MODELS = (
    Field(
        "generator",
        "",
        _("Model"),
        _("Rewrites the sentences. Its answers cannot be reproduced; they are kept as they came."),
        role=Role.CHAT,
    ),
    Field(
        "scorer",
        EMBEDDED,
        _("Language model"),
        _("Drops unlikely rewrites and ranks the others. The built-in one scores English only."),
        role=Role.LANGUAGE_MODEL,
        optional=True,
    ),
)
PRESETS = (
    Preset(
        "reorder",
        _("Reorder"),
        _("The same words in another order, with another meaning. Mostly not paraphrases."),
        {},
        (
            "The ferry leaves the island at noon and reaches the harbour at dusk.",
            "The ferry leaves the harbour at noon and reaches the island at dusk.",
        ),
    ),
    Preset(
        "paraphrase",
        _("Paraphrase"),
        _("The same meaning with most of the words, in another order. Mostly paraphrases."),
        {
            "prompt": prompts.PARAPHRASE,
            "intent": Intent.PARAPHRASE.value,
            "same_words": False,
            "min_similarity": 0.7,
            "reordered_above": 0.02,
        },
        (
            "After the flood of 1932 the village moved its market to the hill.",
            "The village's market was moved to the hill after the flood of 1932.",
        ),
    ),
    Preset(
        "near_miss",
        _("Near miss"),
        _("A few changed words, and another meaning. Mostly not paraphrases."),
        {"prompt": prompts.NEAR_MISS, "same_words": False, "min_similarity": 0.8},
        (
            "The library opened a week before the school was finished.",
            "The library opened a week after the school was finished.",
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class PromptedRewriter:
    """Asks a chat model for rewrites of plain texts, with one configuration."""

    chat: Chat
    settings: PromptedSettings
    scorer: Judge | None = None
    identities: Identities = field(default_factory=dict)

    def outcomes(self, texts: Sequence[str]) -> Iterator[Outcome]:
        """Yield one outcome per text, in order; each different text is asked about once."""
        requests_by_text = {
            text: requests_about(text, self.settings) for text in dict.fromkeys(texts)
        }
        all_requests = chain.from_iterable(requests_by_text.values())
        replies_by_digest = {reply.digest: reply for reply in self.chat.ask(all_requests)}
        replies_by_text = {
            text: [replies_by_digest[digest_of(self.chat.model, request)] for request in requests]
            for text, requests in requests_by_text.items()
        }
        self._check_sampling(replies_by_text.values())
        for text in texts:
            if reason := self.settings.length_reason(text):
                yield Outcome(str(reason))
            else:
                yield self._outcome(text, replies_by_text[text])

    def _outcome(self, text: str, replies: Sequence[Reply]) -> Outcome:
        candidates = [Sample(reply.text, reply.finish, bool(reply.refused)) for reply in replies]
        return samples.outcome(text, candidates, self.settings, self.scorer)

    def _check_sampling(self, replies_of_texts: Collection[Sequence[Reply]]) -> None:
        """Raise EndpointRefused if all samples of a text are equal, of all texts."""
        texts_of_samples = [{reply.text for reply in replies} for replies in replies_of_texts]
        asked = [texts for texts in texts_of_samples if texts]
        is_sampling = any(len(texts) > 1 for texts in asked)
        if (
            len(asked) >= EQUAL_SENTENCES
            and self.settings.samples > 1
            and self.settings.temperature
            and not is_sampling
        ):
            raise EndpointRefused(
                f"{self.chat.model.name} does not sample: all answers to a sentence were equal, "
                f"for {len(asked)} sentences. Set samples to 1, or have the server sample "
                "(do_sample in generation_config.json)."
            )


def requests_about(text: str, settings: PromptedSettings) -> list[Request]:
    """Return the requests for a text: one per sample; none if it is too short or too long."""
    if settings.length_reason(text):
        return []
    language = english_name_of(settings.corpus_language)
    prompt = prompts.fill_in(settings.prompt, sentence=text, language=language)
    return [
        Request(
            messages=(("user", prompt),),
            temperature=settings.temperature,
            top_p=settings.top_p,
            max_tokens=longest_reply(text),
            seed=settings.seed_of(sample),
            sample=sample,
        )
        for sample in range(settings.samples)
    ]


def identify(settings: Settings) -> Identities:
    identities = {"generator": model_loaders.chat_model(settings["generator"]).identity}
    if scorer := settings["scorer"]:
        identities["scorer"] = model_loaders.identify_language_model(scorer)
    return identities


def rewriter(settings: Settings, own: PromptedSettings, ledger: Ledger) -> PromptedRewriter:
    scorer = settings["scorer"]
    return PromptedRewriter(
        Chat(model_loaders.chat_model(settings["generator"]), ledger),
        own,
        model_loaders.load_scorer(scorer) if scorer else None,
        identify(settings),
    )


def for_corpus(settings: Settings, language: str) -> Settings:
    """Set the language; leave out the embedded language model, which is for English alone."""
    settings = settings | {"corpus_language": language}
    if settings["scorer"] == EMBEDDED and language.partition("-")[0].lower() != "en":
        settings |= {"scorer": ""}
    return settings


METHOD = GenerationMethod(
    own=PromptedSettings,
    identify=identify,
    rewriter=rewriter,
    requests=lambda _settings, own, text: requests_about(text, own),
    models=MODELS,
    for_corpus=for_corpus,
    presets=PRESETS,
    text=_("A chat model rewrites the sentences from a prompt. Any language."),
    example=(
        "The young nurse taught the old surgeon a song that her mother had written.",
        "The old nurse taught the young surgeon a song that her mother had written.",
    ),
    batch_size=200,
    lease=timedelta(hours=1),
)
