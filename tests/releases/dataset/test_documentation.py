"""What people declare about a dataset: fields, and the reader of YAML files."""

from dataclasses import replace

import pytest

from releases.dataset.documentation import (
    MOST_CHARACTERS,
    MOST_ENTRIES,
    QUESTIONS,
    Documentation,
    parse_documentation,
    parse_yaml,
)
from releases.dataset.metadata import Author, Metadata

FILE = """\
purpose: |
  To test models on word order.

  Towns were drawn by lot.
limitations:
  - Only short
    sentences.
  -
pay: ""
"""


def test_a_file_is_read_without_what_is_empty():
    assert parse_yaml(FILE) == Documentation(
        purpose="To test models on word order.\n\nTowns were drawn by lot.",
        limitations=("Only short sentences.",),
    )


def test_an_empty_file_declares_nothing():
    assert parse_yaml("") == Documentation()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("limitation: [Short]", ["unknown: limitation;", "limitations", "maintenance"]),
        ("pay: 12", ["pay: '12' is not a text"]),
        ("uses: Tests", ["uses: 'Tests' is not a list"]),
        ("uses: [1]", ["uses: '1' is not a text"]),
        (r'pay: "12\0"', ["pay: a character is not text"]),
        (r'uses: ["\ud800"]', ["uses: a character is not text"]),
        ("- purpose", ["it has no fields"]),
        ("purpose: [", ["it is not YAML", "line 1"]),
        (f"biases: [{'a, ' * MOST_ENTRIES}a]", ["biases: there are 21 entries"]),
        (f"biases: [{'a' * (MOST_CHARACTERS + 1)}]", ["biases: an entry has 2,001 characters"]),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_the_field(text, words):
    with pytest.raises(ValueError, match=r"\w") as refusal:
        parse_yaml(text)
    for word in words:
        assert word in str(refusal.value)


def test_every_field_survives_json():
    answers = {
        question.name: ["First.", "Second."] if question.is_list else "A text."
        for question in QUESTIONS
    }
    metadata = Metadata(documentation=parse_documentation(answers))
    assert metadata.to_dict() == {"documentation": answers}
    assert Metadata.from_dict(metadata.to_dict()) == metadata


def test_metadata_without_documentation_has_no_key_for_it():
    assert Metadata(licence="MIT").to_dict() == {"licence": "MIT"}


def test_missing_are_the_fields_that_are_checked():
    metadata = Metadata(documentation=Documentation(purpose="To test.", uses=("Tests.",)))
    missing = [
        "Authors", "Home page", "Limitations", "Biases", "Personal and sensitive information",
        "Social impact",
    ]  # fmt: skip
    assert metadata.missing() == missing
    complete = replace(metadata, authors=(Author("Doe, Ann"),), homepage="https://example.org")
    assert complete.missing() == missing[2:]
