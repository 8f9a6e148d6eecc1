"""Examples on the page of a new run are what the methods give for the demonstration."""

import csv
import json
import re
from collections import defaultdict

import pytest
from django.conf import settings

from generation import methods

FOLDER = settings.BASE_DIR / "operations" / "demonstration"


def table(name):
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(lines, delimiter="\t"))


def examples_of(method):
    """Each example with the settings that give it: that of the method with the defaults."""
    yield method.example, {}
    yield from ((preset.example, preset.settings) for preset in method.presets if preset.example)


@pytest.mark.parametrize(("example", "values"), [*examples_of(methods.named("word_swap"))])
def test_word_swap_gives_its_examples(example, values):
    method = methods.named("word_swap")
    lines = (FOLDER / "sentences.jsonl").read_text(encoding="utf-8").splitlines()
    assert example[0] in [json.loads(line)["text"] for line in lines]
    [outcome] = method.load(method.configure(values), 0).outcomes([example[0]])
    assert example[1] in [rewrite.text for rewrite in outcome.rewrites]


def test_cards_say_about_how_many_sentences_of_wikipedia_the_documents_measured():
    text = (settings.BASE_DIR / "docs/researcher/word_swap.md").read_text(encoding="utf-8")
    for preset in methods.named("word_swap").presets:
        measured = re.search(rf"^\| Wikipedia \| `{preset.name}` \| (\d+)", text, re.MULTILINE)
        assert abs(float(measured[1]) - preset.per_hundred) <= 6, preset.name


@pytest.mark.parametrize(("example", "values"), [*examples_of(methods.named("definitions"))])
def test_definitions_are_paired_as_in_the_examples(example, values):
    method, texts_by_entity = methods.named("definitions"), defaultdict(list)
    for row in table("flashcards.tsv"):
        texts_by_entity[row["entity"]].append(row["definition"])
    [texts] = [texts for texts in texts_by_entity.values() if example[0] in texts]
    outcomes = method.load(method.configure(values), 0).outcomes(texts)
    pairs = [
        (text, rewrite.text)
        for text, row in zip(texts, outcomes, strict=True)
        for rewrite in row.rewrites
    ]
    assert example in pairs


def test_the_packaged_translator_gives_its_example(packaged_models):
    method = methods.named("back_translation")
    preset = method.preset("packaged")
    [outcome] = method.load(method.configure(preset.settings), 0).outcomes([preset.example[0]])
    assert preset.example[1] in [rewrite.text for rewrite in outcome.rewrites]


def test_the_example_of_back_translation_is_of_the_demonstration():
    pairs = [(row["sentence1"], row["sentence2"]) for row in table("paraphrases.tsv")]
    assert methods.named("back_translation").example in pairs
