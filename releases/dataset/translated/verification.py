"""Verifies a release of translations: by its files alone, and against its source release."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from releases.dataset.checks import (
    description_differences,
    parquet_differences,
    part_differences,
    row_number_differences,
)
from releases.dataset.facts import ReleaseFacts
from releases.dataset.families import draw_pairs
from releases.dataset.files import LABELED_FINAL
from releases.dataset.formats import format_of
from releases.dataset.manifest import MANIFEST, Manifest, counted
from releases.dataset.metadata import Metadata
from releases.dataset.models import CARD
from releases.dataset.reader import (
    Difference,
    first_differences,
)
from releases.dataset.rows import ReleasedPair
from releases.dataset.translated.card import card
from releases.dataset.translated.figures import Figures
from releases.dataset.translated.files import DRAW, SENTENCES, TRANSLATED, UNTRANSLATED
from releases.dataset.translated.plan import (
    PairsOfSplits,
    TranslatedReleasePlan,
    collapsed,
    plan,
)
from releases.dataset.translated.reader import ReadTranslations, read_translations
from releases.dataset.translated.rules import RULES, pairs_of
from releases.dataset.translated.source import SourceRelease, mismatches, read_source


def content_differences(
    folder: Path, manifest: Manifest, source: Path | None
) -> Iterator[Difference]:
    """Yield the differences in the files, and from the source release if it is given.

    Raises Unreadable.
    """
    release = read_translations(folder, manifest)
    for rule in RULES:
        yield from first_differences(rule(release))
    yield from first_differences(parquet_differences(folder, release.tables))
    line_files = format_of(manifest).line_files
    yield from first_differences(
        description_differences(folder, manifest, release.tables, line_files)
    )
    yield from first_differences(manifest_differences(release))
    if source is not None:
        yield from source_differences(release, source)


def manifest_differences(release: ReadTranslations) -> Iterator[Difference]:
    """Check that the manifest repeats the actual counts, word error rates and collapsed pairs."""
    manifest, settings = release.manifest, release.settings
    figures = Figures(settings.language, settings.scheme)
    pairs = list(counted(pairs_of(release), figures.add_pair))
    for sentence in release.sentences:
        figures.add_sentence(sentence)
    for given_up in release.untranslated:
        figures.add_untranslatable(given_up)
    for validation in release.validations:
        figures.add_validation(validation)
    translated_pairs = (pair for pair in pairs if pair.subset == TRANSLATED)
    collapsed_ids = collapsed(translated_pairs, release.settings.scheme)
    expected = {
        "seed": release.settings.seed,
        "language": release.settings.language,
        "simulated": figures.is_simulated,
        "collapsed": collapsed_ids,
    }
    yield from part_differences(manifest["counts"], figures.counts(manifest["left_out"]))
    yield from part_differences(manifest["word_errors"], figures.word_errors())
    yield from part_differences({key: manifest.get(key) for key in expected}, expected)
    yield from card_differences(release, figures, collapsed_ids)
    yield from row_number_differences(release.folder, manifest)


def source_differences(release: ReadTranslations, folder: Path) -> Iterator[Difference]:
    """Compare a release with the one that was translated, once it is certain that the folder is it.

    Raises Unreadable.
    """
    if faults := list(mismatches(folder, release.settings.source)):
        yield from first_differences(faults)
        return
    source = read_source(folder)
    pairs = {pair.id: pair for pair in source.pairs}
    yield from first_differences(sentence_differences(release, source))
    yield from first_differences(row_differences(release, pairs))
    yield from first_differences(draw_differences(release, pairs.values()))
    try:
        planned = plan_again(release, pairs.values())
    except ValueError as error:
        yield Difference(SENTENCES.path, f"the tables cannot be made again: {error}")
        return
    yield from first_differences(text_differences(release, planned, pairs))
    left_out = {str(reason): splits for reason, splits in planned.left_out.items()}
    yield from part_differences(release.manifest["left_out"], left_out)


def sentence_differences(release: ReadTranslations, source: SourceRelease) -> Iterator[Difference]:
    """Check which source sentence each translation is of, and whether it equals it."""
    texts = source.texts
    for line, row in enumerate(release.sentences, start=1):
        if row.language == release.settings.source_language:
            continue
        if row.translates not in texts:
            what = f"{row.id} translates {row.translates}, which the source does not have"
            yield Difference(SENTENCES.path, what, line)
        elif row.unchanged != (row.text == texts[row.translates]):
            what = "differs from" if row.unchanged else "equals"
            marked = "" if row.unchanged else "not "
            what = f"{row.id} {what} its source, but is {marked}marked as unchanged"
            yield Difference(SENTENCES.path, what, line)
    for line, given_up in enumerate(release.untranslated, start=1):
        if texts.get(given_up.sentence) != given_up.text:
            what = f"{given_up.sentence} has not the text of the source"
            yield Difference(UNTRANSLATED.path, what, line)


def row_differences(
    release: ReadTranslations, pairs: Mapping[str, ReleasedPair]
) -> Iterator[Difference]:
    """Check that each row is a pair of the same split of the source, with its labels."""
    for table, rows in release.tables.items():
        for line, (key, _, _, *answers) in rows:
            pair = pairs.get(str(key))
            if pair is None or pair.split != table.split:
                what = f"{key} is no pair of {LABELED_FINAL}/{table.split} of the source"
                yield Difference(table.tsv, what, line)
                continue
            columns = zip(table.names[3:], answers, table.row(pair)[3:], strict=True)
            for name, cell, expected in columns:
                if cell != expected:
                    what = f"the {name} of {key} is {cell}, in the source {expected}"
                    yield Difference(table.tsv, what, line)


def draw_differences(
    release: ReadTranslations, pairs: Iterable[ReleasedPair]
) -> Iterator[Difference]:
    """Check that each pair that was drawn for dev or test is in a table, or left out."""
    ids, settings, pairs = ids_named(release), release.settings, list(pairs)
    for split, most in (("dev", settings.dev), ("test", settings.test)):
        pairs_of_split = [pair for pair in pairs if pair.split == split]
        sides = [(pair.text1, pair.text2) for pair in pairs_of_split]
        for place in draw_pairs(sides, most, seed=settings.seed, purpose=DRAW.format(split)):
            if (key := pairs_of_split[place].id) not in ids:
                what = f"{key} was drawn for {split}, but is in no table and not left out"
                yield Difference(MANIFEST, what)


def ids_named(release: ReadTranslations) -> set[str]:
    """Return the ids of the pairs in the tables of translations, and of those left out."""
    ids = {str(row[0]) for rows in release.tables_of(TRANSLATED).values() for _, row in rows}
    for splits in release.manifest["left_out"].values():
        ids.update(*splits.values())
    return ids


def plan_again(release: ReadTranslations, pairs: Iterable[ReleasedPair]) -> TranslatedReleasePlan:
    """Plan the release again from its sentences. Raises ValueError."""
    sizes = {"dev": release.settings.dev, "test": release.settings.test}
    ids = ids_named(release)
    drawn_pairs = [pair for pair in pairs if pair.id in ids or sizes.get(pair.split or "") is None]
    for split, size in sizes.items():
        number = sum(pair.split == split for pair in drawn_pairs)
        if size is not None and number > size:
            what = f"{split} has {number} pairs with those left out, more than {size}"
            raise ValueError(what)
    return plan(
        drawn_pairs,
        release.sentences,
        release.untranslated,
        language=release.settings.language,
        scheme=release.settings.scheme,
    )


def text_differences(
    release: ReadTranslations, planned: TranslatedReleasePlan, pairs: Mapping[str, ReleasedPair]
) -> Iterator[Difference]:
    """Check that the tables hold just these pairs, each sentence in its place."""
    pairs_left: dict[tuple[str | None, str], ReleasedPair] = {
        (pair.subset, pair.id): pair for pair in (*planned.pairs, *planned.back)
    }
    for table, rows in release.tables.items():
        for line, (key, text1, text2, *_) in rows:
            pair = pairs_left.pop((table.subset, str(key)), None)
            if pair is None and str(key) in pairs:
                what = f"{key} should be left out: {reason_left_out(planned, str(key))}"
                yield Difference(table.tsv, what, line)
            elif pair is not None and (text1, text2) != (pair.text1, pair.text2):
                swapped = (text2, text1) == (pair.text1, pair.text2)
                what = "has its sentences in the other order" if swapped else "has other sentences"
                yield Difference(table.tsv, f"{key} {what} than the source", line)
    for subset, key in pairs_left:
        yield Difference(f"{subset}/{pairs_left[subset, key].split}.tsv", f"{key} is missing")


def reason_left_out(planned: TranslatedReleasePlan, key: str) -> str:
    """Return the reason for which a pair is left out."""
    reasons = (
        reason
        for reason, splits in planned.left_out.items()
        if any(key in ids for ids in splits.values())
    )
    return next(iter(reasons), "it is in another split")


# Marks the place of a text that only the card has.
FREE = "\0"


def card_differences(
    release: ReadTranslations, figures: Figures, collapsed: PairsOfSplits
) -> Iterator[Difference]:
    """Check all of the card but the description, the guidelines and the citation of the release.

    The models are checked by `releases.dataset.models`.
    """
    try:
        pieces = card_pieces(release, figures, collapsed)
        text = (release.folder / CARD).read_text(encoding="utf-8")
    except (TypeError, KeyError, AttributeError) as error:
        yield Difference(MANIFEST, f"no card can be made from it: {error!r}")
        return
    except (OSError, UnicodeDecodeError) as error:
        yield Difference(CARD, str(error))
        return
    end = 0
    for number, piece in enumerate(pieces):
        at = text.find(piece, end)
        if at < 0 or (number == 0 and at > 0):
            yield Difference(CARD, _missing_line(piece, text))
            return
        end = at + len(piece)
    if end < len(text):
        yield Difference(CARD, "has more after its end")


def card_pieces(release: ReadTranslations, figures: Figures, collapsed: PairsOfSplits) -> list[str]:
    """Return the pieces of the card between the texts that only the card has."""
    manifest = release.manifest
    text = card(
        _facts_of(manifest),
        release.settings,
        figures.counts(manifest["left_out"]),
        {"collapsed": collapsed, "word_errors": figures.word_errors()},
        paths=manifest["files"],
        simulated=figures.is_simulated,
        release_format=format_of(manifest),
    )
    return re.split(rf"\n\n(?:## Guidelines\n\n)?{FREE}", text)


def _facts_of(manifest: Manifest) -> ReleaseFacts:
    """Return what a manifest says, with marks for what it does not. Raises KeyError, TypeError."""
    declared = manifest.get("metadata")
    names = ("name", "version", "created", "software_version", "language", "licence")
    return ReleaseFacts(
        **{name: manifest[name] for name in names},
        metadata=Metadata.from_dict(declared) if declared else None,
        description=FREE,
        guidelines=FREE,
        citation=FREE,
        published=manifest.get("published", {}),
    )


def _missing_line(piece: str, card: str) -> str:
    """Say which line of a piece a card lacks."""
    lines = set(card.splitlines())
    missing_lines = [line for line in piece.splitlines() if line not in lines]
    if not missing_lines:
        return "has its lines in another order than the rows and the manifest give"
    return f"lacks a line that the rows and the manifest give: {missing_lines[0]}"
