"""README.md of a release of translations: the dataset card."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from annotation.stats.labels import Scheme
from common.tables import Row, as_markdown, count, percent
from releases.dataset import prose
from releases.dataset.card_judging import front_matter_of_labels
from releases.dataset.card_parts import (
    DOCUMENTS,
    MODELS_TITLE,
    NO_QUOTING,
    author,
    citation,
    documents,
    front_matter,
    licence,
    loading,
    model_lines,
    whole_card,
)
from releases.dataset.facts import ReleaseFacts
from releases.dataset.formats import Format
from releases.dataset.metadata import Metadata
from releases.dataset.statement import documentation_sections
from releases.dataset.translated.figures import REJECT, sizes
from releases.dataset.translated.files import (
    BACK,
    LINE_FILES,
    TRANSLATED,
    TranslationSettings,
    tables,
)
from releases.dataset.translated.methods import ABOVE, methods
from releases.dataset.translated.rows import LeftOut

SIMULATED = "**This release contains answers of simulated people: it is a trial, not data.**"
FOLDERS = {
    "translated/": "pairs in translation: `train` by machine, `dev` and `test` by people",
    "translate_test/": "`dev` and `test`, translated back by machine",
    "parquet/": "the same tables, typed",
}
IDS = (
    "`id` is the id of the pair in the source release. Label, split and the order of the "
    "sentences are those of the source."
)
REASONS = {
    LeftOut.UNTRANSLATABLE: "people could not translate a sentence",
    LeftOut.EQUAL: "paraphrases whose translations are equal",
    LeftOut.SHARED: "a translation is also in another split",
    LeftOut.NO_MACHINE_TRANSLATION: "a machine translation is missing",
}
BACK_ONLY = (
    "Pairs of dev and test without a machine translation are left out of `translate_test` alone."
)
COLLAPSED = "These pairs are no paraphrases, but their translations are equal:"
ERRORS_NOTE = (
    "A word error rate is the number of {unit}s that validators changed, divided by the {unit}s of "
    "their texts. All {unit}s of a rejected translation count as errors. Brackets give 95 % "
    "intervals, from 1,000 samples of the sentences with replacement."
)
PAWS_X = """\
@inproceedings{yang-etal-2019-paws,
  author = {Yang, Yinfei and Zhang, Yuan and Tar, Chris and Baldridge, Jason},
  title = {{PAWS-X}: A Cross-lingual Adversarial Dataset for Paraphrase Identification},
  booktitle = {Proceedings of EMNLP-IJCNLP 2019},
  year = {2019},
}"""
CITE_BOTH = "Cite the source release too: {name} {version}."
METHOD = "The method is that of PAWS-X:"


def card(
    facts: ReleaseFacts,
    settings: TranslationSettings,
    counts: Mapping[str, Any],
    known: Mapping[str, Any],
    *,
    paths: Collection[str],
    simulated: bool,
    release_format: Format,
) -> str:
    """Return the whole card. `counts` and `known` are parts of manifest.json; `paths` its files."""
    metadata = facts.metadata or Metadata()
    home = f"Home page: <{metadata.homepage}>" if metadata.homepage else ""
    sections = (
        ("Authors", "\n".join(map(author, metadata.authors))),
        ("Load", loading("translated")),
        ("Files", files_table(settings, paths, documents(metadata, release_format))),
        ("Counts", as_markdown(sizes(counts, settings.scheme))),
        ("Left out", left_out_table(counts, settings.scheme)),
        ("Collapsed pairs", collapsed_pairs(known["collapsed"])),
        ("Word errors", word_error_table(known["word_errors"])),
        (
            ("Methods", prose.as_markdown(methods(facts, settings, counts, known["word_errors"])))
            if release_format.has_paper
            else ("How it was translated", protocol_sentences(settings, counts))
        ),
        *documentation_sections(
            facts, people=people(counts), provenance=source_statement(settings)
        ),
        ("Guidelines", facts.guidelines),
        (MODELS_TITLE, "\n".join(model_lines(facts.models))),
        ("Licence", licence(metadata)),
        ("Licence of the source text", facts.licence or "Not stated."),
        ("Citation", "\n\n".join((citation(facts), also_cite(facts, settings)))),
    )
    top = (about_source(settings), facts.description, home, SIMULATED if simulated else "")
    release_tables = tables(settings.scheme)
    labels = front_matter_of_labels(settings.scheme, counts, release_tables)
    data = front_matter(facts, counts, release_tables, multilinguality="translation", **labels)
    return whole_card(facts, data, top, sections)


def about_source(settings: TranslationSettings) -> str:
    source = settings.source
    return (
        f"Pairs of {source.name} {source.version}, translated from `{settings.source_language}` "
        f"into `{settings.language}`."
    )


def also_cite(facts: ReleaseFacts, settings: TranslationSettings) -> str:
    """Return what else to cite: of a source that is a mere copy, its publishers are named above."""
    source = settings.source
    is_copy = facts.published.get("title") == f"{source.name} {source.version}"
    both = "" if is_copy else CITE_BOTH.format(name=source.name, version=source.version)
    return f"{f'{both} {METHOD}'.strip()}\n\n```bibtex\n{PAWS_X}\n```"


def files_table(settings: TranslationSettings, paths: Collection[str], documents: list[str]) -> str:
    """Return the table of the files that this release has."""
    folders = [
        f"| `{folder}` | {what} |"
        for folder, what in FOLDERS.items()
        if any(path.startswith(folder) for path in paths)
    ]
    lines = [file.card_row for file in LINE_FILES if file.path in paths]
    rows = ("| file | what |", "|---|---|", *folders, *lines, DOCUMENTS, *documents)
    ids = IDS if settings.scheme.decides else IDS.replace("Label", "Votes")
    return "\n".join((*rows, "", ids, "", NO_QUOTING))


def left_out_table(counts: Mapping[str, Any], scheme: Scheme) -> str:
    """Return the table of left out pairs by reason; empty if there are none."""
    numbers_by_reason: Mapping[str, Mapping[str, int]] = counts["left_out"]
    if not numbers_by_reason:
        return ""
    splits = list(counts["subsets"][TRANSLATED])
    header: Row = ("Why", *(split.capitalize() for split in splits))
    rows: list[Row] = [header]
    for why, words in REASONS.items():
        if numbers := numbers_by_reason.get(why):
            words = words if scheme.is_binary else words.replace("paraphrases", "pairs")
            rows.append((words, *(count(numbers.get(split, 0)) for split in splits)))
    has_back = counts["subsets"][BACK]["test"]["pairs"] or counts["subsets"][BACK]["dev"]["pairs"]
    return f"{as_markdown(rows)}\n{BACK_ONLY if has_back else ''}"


def collapsed_pairs(ids: Mapping[str, Iterable[str]]) -> str:
    """Name the collapsed pairs of each split; empty if there are none."""
    if not ids:
        return ""
    lines = (f"- {split}: {', '.join(f'`{key}`' for key in keys)}" for split, keys in ids.items())
    return "\n".join((COLLAPSED, "", *lines))


def word_error_table(figures: Mapping[str, Any]) -> str:
    """Return the table of word error rates; empty if nothing was validated."""
    if not figures["overall"]["sentences"]:
        return ""
    unit = figures["unit"]
    rows: list[Row] = [("Translator", "Sentences", "Errors", f"{unit.capitalize()}s", "Rate")]
    by_name = {"All": figures["overall"], **figures["translators"]}
    rows += (rate_row(name, numbers) for name, numbers in by_name.items())
    return f"{as_markdown(rows)}\n{ERRORS_NOTE.format(unit=unit)}"


def rate_row(name: str, figures: Mapping[str, Any]) -> Row:
    numbers = (count(figures[key]) for key in ("sentences", "errors", "words"))
    text = percent(figures["rate"])
    if figures["interval"]:
        low, high = (100 * end for end in figures["interval"])
        text = f"{text} ({low:.1f} to {high:.1f})"
    return (name, *numbers, text)


def protocol_sentences(settings: TranslationSettings, counts: Mapping[str, Any]) -> str:
    """Say how many people translated and validated, and how."""
    translations, actions = counts["translations"], counts["validations"]
    accepted, fixed, rejected = (count(actions[key]) for key in ("accept", "fix", REJECT))
    sentences = [
        f"{_people(counts['translators'], 'translated')} {count(translations['human'])} sentences "
        "of dev and test, each sentence alone, without its pair and its label.",
        f"{_people(counts['validators'], 'validated')} a sample of them: {accepted} accepted, "
        f"{fixed} fixed, {rejected} rejected. A fixed text replaces the translation."
        if sum(actions.values())
        else "No translation was validated.",
        ABOVE.format(most=percent(settings.most_error)) if settings.accepts_errors else "",
        f"{count(lost)} {'sentence' if lost == 1 else 'sentences'} could not be translated."
        if (lost := counts["untranslatable"])
        else "",
        "Train was translated by machine." if translations["machine"] else "",
        "Dev and test were translated back by machine." if translations["back"] else "",
    ]
    return " ".join(filter(None, sentences))


def people(counts: Mapping[str, Any]) -> str:
    """Say how many people worked on it."""
    numbers = {"translated": counts["translators"], "validated": counts["validators"]}
    return " ".join(f"{_people(number, did)}." for did, number in numbers.items() if number)


def source_statement(settings: TranslationSettings) -> str:
    return f"See the data statement of {settings.source.name} {settings.source.version}."


def _people(number: int, did: str) -> str:
    return f"{count(number)} {'person' if number == 1 else 'people'} {did}"
