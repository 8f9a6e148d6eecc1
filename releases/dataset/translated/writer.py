"""Writes the files of a release of translations: the same rows give the same bytes."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from releases.dataset.croissant import croissant
from releases.dataset.facts import ReleaseFacts
from releases.dataset.folders import new_folder
from releases.dataset.formats import TRANSLATION, Format
from releases.dataset.manifest import Manifest, counted, describe_files
from releases.dataset.rows import ReleasedPair
from releases.dataset.table_files import RowNumbers, write_tables
from releases.dataset.translated.card import card
from releases.dataset.translated.croissant import documented
from releases.dataset.translated.figures import Figures, IdsByReason
from releases.dataset.translated.files import (
    SENTENCES,
    UNTRANSLATED,
    VALIDATIONS,
    TranslationSettings,
    tables,
)
from releases.dataset.translated.paper import paper
from releases.dataset.translated.plan import back_translated_pairs, collapsed
from releases.dataset.translated.rows import TranslationRow, UntranslatableRow, ValidationRow
from releases.dataset.writers import write_documents, write_lines


@dataclass(frozen=True, slots=True)
class TranslatedContent:
    """All rows of a release of translations, each kind in the order of its file.

    `pairs` are those of `translated` with the ids of their translations, in the order of the
    source; the pairs of `translate_test` follow from them. `left_out` is that of the plan.
    """

    pairs: Iterable[ReleasedPair]
    sentences: Iterable[TranslationRow]
    untranslated: Iterable[UntranslatableRow] = ()
    validations: Iterable[ValidationRow] = ()
    left_out: IdsByReason = field(default_factory=dict)


def write_translations(
    folder: Path,
    content: TranslatedContent,
    *,
    facts: ReleaseFacts,
    settings: TranslationSettings,
    release_format: Format = TRANSLATION,
) -> Manifest:
    """Write a release to a new folder, which appears when it is complete; return its manifest.

    Raises FileExistsError if the folder has files, and ValueError for a text with a tab or a line
    break.
    """
    figures = Figures(settings.language, settings.scheme)
    with new_folder(folder) as root:
        pairs, sentences = list(content.pairs), list(content.sentences)
        row_numbers = write_rows(
            root, pairs, sentences, content, figures, version=release_format.version
        )
        files = describe_files(root, row_numbers)
        values = settings.to_dict()
        stated_facts = {
            "source": values.pop("source"),
            "word_errors": figures.word_errors(),
            "left_out": {why: dict(splits) for why, splits in content.left_out.items()},
            "collapsed": collapsed(pairs, settings.scheme),
        }
        counts = figures.counts(content.left_out)
        simulated = figures.is_simulated
        return write_documents(
            root,
            facts,
            settings,
            files,
            counts=counts,
            simulated=simulated,
            format_name=release_format.name,
            card=card(
                facts,
                settings,
                counts,
                stated_facts,
                paths=files,
                simulated=simulated,
                release_format=release_format,
            ),
            paper=paper(facts, settings, counts, stated_facts["word_errors"])
            if release_format.has_paper
            else "",
            croissant=croissant(
                facts,
                files,
                tables=tables(settings.scheme),
                line_files=release_format.line_files,
                properties=lambda: documented(facts, settings, counts, stated_facts["word_errors"]),
            ),
            further=stated_facts | {"settings": values},
        )


def write_rows(
    root: Path,
    pairs: list[ReleasedPair],
    sentences: list[TranslationRow],
    content: TranslatedContent,
    figures: Figures,
    *,
    version: int,
) -> RowNumbers:
    """Write every file that has rows; return the number of rows by path."""
    back = back_translated_pairs(pairs, sentences, language=figures.language)
    all_pairs = counted((*pairs, *back), figures.add_pair)
    numbers = write_tables(root, all_pairs, tables(figures.scheme))
    untranslated = counted(content.untranslated, figures.add_untranslatable)
    validations = counted(content.validations, figures.add_validation)
    numbers |= write_lines(
        root, SENTENCES, counted(sentences, figures.add_sentence), version=version
    )
    numbers |= write_lines(root, UNTRANSLATED, untranslated, version=version)
    return numbers | write_lines(root, VALIDATIONS, validations, version=version)
