"""How translations came about, in sentences for their card and papers (PAWS-X 2)."""

from collections.abc import Iterator, Mapping
from typing import Any

from common.tables import percent
from releases.dataset.facts import ReleaseFacts
from releases.dataset.methods import DATASET, LICENCE, SOURCES, licence_sentences, publishers
from releases.dataset.prose import Paragraphs, Sentence, amount, listed, name, sentence
from releases.dataset.translated.figures import REJECT, number_drawn
from releases.dataset.translated.files import BACK, TRANSLATED, TranslationSettings

TRANSLATION, VALIDATION = "Translation", "Validation"
VERBS = {"accept": "accepted", "fix": "fixed", REJECT: "rejected"}
ABOVE = "Missing validations and word error rates of {most} and more were allowed."
INHERITED = "Ids, labels, splits and the order of the sentences are those of the source."


def methods(
    facts: ReleaseFacts,
    settings: TranslationSettings,
    counts: Mapping[str, Any],
    word_errors: Mapping[str, Any],
) -> Paragraphs:
    """Return the sentences by the title of their paragraph; those without any are left out."""
    paragraphs = {
        SOURCES: [*_sources(settings), *publishers(facts)],
        TRANSLATION: [*by_people(counts), *by_machine(settings, counts)],
        VALIDATION: [*_validation(settings, counts, word_errors)],
        DATASET: [*_dataset(settings, counts)],
        LICENCE: [*licence_sentences(facts)],
    }
    return {title: sentences for title, sentences in paragraphs.items() if sentences}


def _sources(settings: TranslationSettings) -> Iterator[Sentence]:
    source = name(f"{settings.source.name} {settings.source.version}".strip())
    into = (" from ", name(settings.source_language), " into ", name(settings.language), ".")
    yield sentence("The pairs are those of ", source, ", translated", *into)
    drawn = {"dev": settings.dev, "test": settings.test}
    sizes = [
        sentence(number, f" of {split}") for split, number in drawn.items() if number is not None
    ]
    if sizes:
        yield sentence("At random, with the seed ", str(settings.seed), ", ", listed(sizes),
                       " were drawn for translation.")  # fmt: skip


def by_people(counts: Mapping[str, Any]) -> Iterator[Sentence]:
    if number := counts["translations"]["human"]:
        people = amount(counts["translators"], "person", "people")
        sentences = amount(number, "sentence")
        alone = " of dev and test, each alone, without its pair and its label."
        yield sentence(people, " translated ", sentences, alone)
    yield from _untranslatable(counts)


def by_machine(settings: TranslationSettings, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    translations = counts["translations"]
    if translations["machine"]:
        yield sentence("A machine translated train, with ", name(settings.forward), ".")
    if translations["back"]:
        yield sentence("A machine translated dev and test back, with ", name(settings.backward),
                       "; ", name(BACK), " has these.")  # fmt: skip


def missing(settings: TranslationSettings, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield what is in no table."""
    yield from _untranslatable(counts)
    yield from _left_out(settings, counts)


def _untranslatable(counts: Mapping[str, Any]) -> Iterator[Sentence]:
    if lost := counts["untranslatable"]:
        yield sentence(amount(lost, "sentence"), " could not be translated.")


def _validation(
    settings: TranslationSettings, counts: Mapping[str, Any], word_errors: Mapping[str, Any]
) -> Iterator[Sentence]:
    actions = counts["validations"]
    if not sum(actions.values()):
        yield sentence("No translation was validated.")
        return
    people = amount(counts["validators"], "person", "people")
    looked = amount(sum(actions.values()), "translation")
    outcomes = [sentence(actions[key], f" {verb}") for key, verb in VERBS.items() if actions[key]]
    yield sentence(people, " validated a sample of ", looked, ": ", listed(outcomes),
                   ". A fixed text replaces the translation.")  # fmt: skip
    overall, unit = word_errors["overall"], word_errors["unit"]
    interval = ""
    if overall["interval"]:
        low, high = (100 * end for end in overall["interval"])
        interval = f" (95 % interval {low:.1f} to {high:.1f})"
    yield sentence(f"The {unit} error rate is {percent(overall['rate'])}{interval}.")
    if settings.accepts_errors:
        yield sentence(ABOVE.format(most=percent(settings.most_error)))


def _dataset(settings: TranslationSettings, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    sizes = [
        sentence(numbers["pairs"], f" in {split}")
        for split, numbers in counts["subsets"][TRANSLATED].items()
        if numbers["pairs"]
    ]
    yield sentence(name(TRANSLATED), " has ", listed(sizes or ["no pair"]), ".")
    yield from _left_out(settings, counts)
    yield sentence(INHERITED)


def _left_out(settings: TranslationSettings, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    sizes = counts["subsets"][TRANSLATED]
    pairs = sum(number_drawn(counts, split) - sizes[split]["pairs"] for split in sizes)
    if settings.layout == 1:
        pairs = sum(sum(splits.values()) for splits in counts["left_out"].values())
    if pairs:
        yield sentence(amount(pairs, "pair"), " of the source could not be included.")
