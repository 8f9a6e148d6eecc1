"""What people declare, on the card."""

from dataclasses import replace

from releases.dataset.documentation import Documentation
from releases.dataset.metadata import Metadata
from releases.dataset.statement import documentation_sections
from releases.dataset.verification import verify
from releases.dataset.writers import write_release
from tests.releases.dataset.studies import FACTS, SETTINGS, complete_content

DOCUMENTATION = Documentation(
    purpose="To test models on word order.",
    limitations=("Only short sentences.", "Only towns."),
    uses=("To test models.",),
    demographics=("Adults.",),
    pay="12 euros an hour.",
)
DECLARED = Metadata(languages=("en-GB",), documentation=DOCUMENTATION)
STATEMENT = """\
**Curation rationale.** To test models on word order.

**Language variety.** `en-GB`.

**Speaker demographic.** Not stated.

**Annotator demographic.** 9 people judged pairs.

- Adults.

**Speech situation and text characteristics.** Not stated.

**Recording quality.** Not applicable: the dataset has no recordings.

**Provenance appendix.** The corpora are named."""


def sections(metadata):
    facts = replace(FACTS, metadata=metadata)
    people = "9 people judged pairs."
    return dict(documentation_sections(facts, people=people, provenance="The corpora are named."))


def test_the_sections_say_what_is_declared():
    assert sections(DECLARED) == {
        "Data statement": STATEMENT,
        "Uses": "- To test models.",
        "Limitations and biases": "**Limitations.**\n\n- Only short sentences.\n- Only towns.",
        "Ethics, recruitment and pay": "**Pay.** 12 euros an hour.",
    }


def test_a_card_without_declarations_has_none_of_the_sections():
    assert sections(Metadata(licence="MIT")) == sections(None) == {}


def test_the_card_of_a_release_has_the_sections(tmp_path):
    facts = replace(FACTS, metadata=DECLARED)
    write_release(tmp_path / "release", complete_content(), facts=facts, settings=SETTINGS)
    assert verify(tmp_path / "release") == []
    card = (tmp_path / "release" / "README.md").read_text()
    assert "\n\n## Uses\n\n- To test models.\n\n## Limitations and biases\n\n" in card
    assert "**Annotator demographic.** 9 people judged pairs." in card
