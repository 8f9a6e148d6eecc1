"""The rules of a release of translations that its files alone can show.

Every function takes the content of the files and yields violations of its rule.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from annotation.translations.stats.placeholders import is_placeholder
from annotation.translations.stats.word_errors import Errors, place_in_draw, rate
from releases.dataset.manifest import MANIFEST
from releases.dataset.reader import Difference
from releases.dataset.rows import ReleasedPair
from releases.dataset.translated.figures import REJECT, validation
from releases.dataset.translated.files import (
    BACK,
    SENTENCES,
    TRANSLATED,
    UNTRANSLATED,
    VALIDATIONS,
    TranslationSettings,
)
from releases.dataset.translated.reader import ReadTranslations
from releases.dataset.translated.rows import TranslationRow, ValidationRow

TOO_HIGH = "is not below most_error, but the settings accept no errors"
FEWEST_REASONS = 2


def sentences_are_translations(release: ReadTranslations) -> Iterator[Difference]:
    """Check ids, texts and origins of sentences.jsonl."""
    sentences = {row.id: row for row in release.sentences}
    identities: set[tuple[str, ...]] = set()
    for line, row in enumerate(release.sentences, start=1):
        identity, translation = ("id", row.id), (row.by, row.language, row.translates)
        if identity in identities:
            yield Difference(SENTENCES.path, f"{row.id} comes twice", line)
        elif translation in identities:
            yield Difference(SENTENCES.path, f"{row.translates} is translated twice", line)
        identities |= {identity, translation}
        if is_placeholder(row.text):
            yield Difference(SENTENCES.path, f"{row.id} has the placeholder {row.text!r}", line)
        if what := _fault(row, release, sentences.get(row.translates)):
            yield Difference(SENTENCES.path, f"{row.id} {what}", line)


def _fault(
    row: TranslationRow, release: ReadTranslations, translates: TranslationRow | None
) -> str:
    """Return what is wrong with a sentence besides its id and its text; "" if nothing is."""
    settings = release.settings
    is_back = row.language == settings.source_language
    if row.language != settings.language and not is_back:
        return f"is in the language {row.language}"
    if is_back and (row.by != "machine" or translates is None or translates.by != "human"):
        return "is no machine translation of a sentence that a person translated"
    if row.by not in ("human", "machine") or row.validated not in (None, "accept", "fix"):
        return f"is by {row.by}, validated {row.validated}"
    if (row.translator is None, row.model is None) != (row.by == "machine", row.by == "human"):
        return "needs a translator if a person translated it, else a model"
    if row.by == "machine" and row.validated is not None:
        return "is validated, but by a machine"
    return ""


def untranslated_have_reasons(release: ReadTranslations) -> Iterator[Difference]:
    """Check that two people gave up a sentence, and no one translated it."""
    path = UNTRANSLATED.path
    translated_ids = {row.translates for row in release.sentences if row.by == "human"}
    sentences: set[str] = set()
    for line, row in enumerate(release.untranslated, start=1):
        if len(row.reasons) < FEWEST_REASONS:
            yield Difference(path, f"{row.sentence} has fewer than {FEWEST_REASONS} reasons", line)
        if row.sentence in translated_ids or row.sentence in sentences:
            yield Difference(path, f"{row.sentence} is translated, or comes twice", line)
        sentences.add(row.sentence)


def validations_fit(release: ReadTranslations) -> Iterator[Difference]:
    """Check who validated what, the errors, and that the text that counts is in sentences.jsonl."""
    translation_of_key = {
        (row.translates, row.translator): row for row in release.sentences if row.translator
    }
    keys_to_validate = {key for key, row in translation_of_key.items() if row.validated is not None}
    validated_keys: set[tuple[str, str]] = set()
    for line, row in enumerate(release.validations, start=1):
        key = (row.sentence, row.translator)
        if key in validated_keys or row.validator == row.translator:
            what = (
                "is validated twice" if key in validated_keys else "is validated by its translator"
            )
            yield Difference(VALIDATIONS.path, f"{row.sentence} {what}", line)
        for what in (
            *_faults(row, release.settings.language),
            _misfit(row, translation_of_key.get(key)),
        ):
            if what:
                yield Difference(VALIDATIONS.path, f"{row.sentence} {what}", line)
        validated_keys.add(key)
    for sentence, _ in sorted(keys_to_validate - validated_keys):
        yield Difference(VALIDATIONS.path, f"the validation of {sentence} is missing")


def _faults(row: ValidationRow, language: str) -> Iterator[str]:
    texts = {"accept": row.before, REJECT: None}
    if row.after != texts.get(row.action, row.after) or (row.action == "fix" and not row.after):
        yield f"has the action {row.action}, which its texts do not show"
    recounted = validation(row.before, row.after, language=language, **_columns(row))
    if (row.errors, row.words) != (recounted.errors, recounted.words):
        stated, expected = (
            f"{row_of_counts.errors} errors in {row_of_counts.words}"
            for row_of_counts in (row, recounted)
        )
        yield f"has {stated}, not {expected}"


def _columns(row: ValidationRow) -> dict[str, str]:
    names = ("sentence", "action", "translator", "validator")
    return {name: getattr(row, name) for name in names}


def _misfit(row: ValidationRow, translation: TranslationRow | None) -> str:
    """Return how a validation differs from the translation that counts; "" if it does not.

    A rejected translation does not count, so it is no sentence.
    """
    if row.action == REJECT:
        return "was rejected, but is in sentences.jsonl" if translation else ""
    if translation is None:
        return f"has no translation by {row.translator} in sentences.jsonl"
    is_same = (translation.validated, translation.text) == (row.action, row.after)
    return "" if is_same else "is not the text in sentences.jsonl"


def people_are_simulated_or_not(release: ReadTranslations) -> Iterator[Difference]:
    """Check that all answers of a person are marked as simulated, or none."""
    answers = (
        (file.path, line, person, simulated)
        for file, rows in (
            (SENTENCES, ((row.translator, row.simulated) for row in release.sentences)),
            (VALIDATIONS, ((row.validator, row.simulated) for row in release.validations)),
        )
        for line, (person, simulated) in enumerate(rows, start=1)
    )
    is_simulated: dict[str | None, bool] = {}
    for path, line, person, simulated in answers:
        if is_simulated.setdefault(person, simulated) != simulated:
            verb = "is" if simulated else "is not"
            what = f"{person or 'a machine'} {verb} marked as simulated, unlike elsewhere"
            yield Difference(path, what, line)


def settings_were_met(release: ReadTranslations) -> Iterator[Difference]:
    """Check that enough was validated and rightly translated, unless the settings accept less.

    What is rejected is translated again, so a person's translations are those that are here and
    those that were rejected.
    """
    if release.settings.accepts_errors:
        return
    numbers = Counter(row.translator for row in release.sentences if row.translator)
    errors = defaultdict[str, list[Errors]](list)
    for look in release.validations:
        errors[look.translator].append(Errors(look.errors, look.words))
        numbers[look.translator] += look.action == REJECT
    for line, row in enumerate(release.sentences, start=1):
        if _is_drawn(row, release.settings) and row.validated is None:
            what = f"{row.id} was drawn for validation, but is not validated"
            yield Difference(SENTENCES.path, what, line)
    for person, number in sorted(numbers.items()):
        yield from _unmet_settings(release.settings, str(person), number, errors[str(person)])
    errors_of_few = [
        error
        for person, number in numbers.items()
        if len(errors[str(person)]) < number
        for error in errors[str(person)]
    ]
    if is_too_high(errors_of_few, release.settings):
        yield Difference(MANIFEST, f"the word error rate of the release {TOO_HIGH}")


def _is_drawn(row: TranslationRow, settings: TranslationSettings) -> bool:
    place = place_in_draw(settings.seed, row.id)
    return row.by == "human" and place < settings.validated_share


def _unmet_settings(
    settings: TranslationSettings, person: str, number: int, errors: Sequence[Errors]
) -> Iterator[Difference]:
    least = min(settings.least_validated, number)
    if len(errors) < least:
        what = (
            f"{len(errors)} of {number} translations of {person} are validated, fewer than {least}"
        )
        yield Difference(MANIFEST, f"{what}, but the settings accept no errors")
    # Found errors are fixed: a person whose translations were all validated has none left.
    if len(errors) < number and is_too_high(errors, settings):
        yield Difference(MANIFEST, f"the word error rate of {person} {TOO_HIGH}")


def is_too_high(errors: Sequence[Errors], settings: TranslationSettings) -> bool:
    """Whether a rate is known and not below the bound of the settings."""
    rate_of_all = rate(errors)
    return rate_of_all.value is not None and not rate_of_all.is_below(settings.most_error)


def tables_hold_translations(release: ReadTranslations) -> Iterator[Difference]:
    """Check that pairs occur once, have a label, and hold sentences by people or by machines."""
    texts = {
        by: {row.text for row in release.sentences if (row.by, row.language) == (by, language)}
        for by, language in (
            ("human", release.settings.language),
            ("machine", release.settings.language),
        )
    }
    keys: set[str] = set()
    scheme = release.settings.scheme
    for table, rows in release.tables_of(TRANSLATED).items():
        by = "machine" if table.split == "train" else "human"
        for line, (key, text1, text2, *answers) in rows:
            if key in keys:
                yield Difference(table.tsv, f"{key} comes twice", line)
            keys.add(str(key))
            if scheme.decides and answers[0] not in scheme.outcome_values:
                yield Difference(table.tsv, f"{key} has the label {answers[0]}", line)
            if not {text1, text2} <= texts[by]:
                what = f"{key} has a text that is no {by} translation in sentences.jsonl"
                yield Difference(table.tsv, what, line)
            is_told = scheme.is_binary and not answers[0]
            if table.split != "train" and text1 == text2 and not is_told:
                what = "is a paraphrase of" if scheme.is_binary else "has"
                yield Difference(table.tsv, f"{key} {what} two equal sentences", line)


def back_translations_follow(release: ReadTranslations) -> Iterator[Difference]:
    """Check that each row of translate_test is the row of `translated`, translated back."""
    row_of_pair = {
        (table.split, row[0]): row
        for table, rows in release.tables_of(TRANSLATED).items()
        for _, row in rows
    }
    texts = {row.id: row.text for row in release.sentences}
    text_pairs = {
        (texts.get(row.translates), row.text)
        for row in release.sentences
        if row.language == release.settings.source_language
    }
    for table, rows in release.tables_of(BACK).items():
        for line, (key, text1, text2, *answers) in rows:
            forward_row = row_of_pair.get((table.split, key))
            if forward_row is None or [*forward_row[3:]] != answers:
                stated = f"the {table.names[3]} {answers[0]}"
                what = f"{key} with {stated} is not in {TRANSLATED}/{table.split}"
                yield Difference(table.tsv, what, line)
            elif not {(forward_row[1], text1), (forward_row[2], text2)} <= text_pairs:
                what = f"{key} has a sentence that does not translate its sentence back"
                yield Difference(table.tsv, what, line)


def left_out_are_absent(release: ReadTranslations) -> Iterator[Difference]:
    """Check that no pair that the manifest names as left out is in its tables."""
    left_out = {
        subset: {row[0] for rows in release.tables_of(subset).values() for _, row in rows}
        for subset in (TRANSLATED, BACK)
    }
    for why, splits in release.manifest["left_out"].items():
        for split, ids in splits.items():
            only_back = why == "no_machine_translation" and split != "train"
            for key in left_out[BACK if only_back else TRANSLATED] & {*ids}:
                yield Difference("manifest.json", f"{key} is left out ({why}), but in a table")


def pairs_of(release: ReadTranslations) -> Iterator[ReleasedPair]:
    """Yield the rows of all tables, without ids of sentences."""
    for table, (_, row) in chain.from_iterable(
        ((table, row) for row in rows) for table, rows in release.tables.items()
    ):
        key, text1, text2, first, *_ = row
        label = first if release.settings.scheme.decides and isinstance(first, int) else None
        pair = ReleasedPair(str(key), "", "", label=label)
        yield pair._replace(
            text1=str(text1), text2=str(text2), subset=table.subset, split=table.split
        )


Rule = Callable[[ReadTranslations], Iterator[Difference]]
RULES: tuple[Rule, ...] = (
    sentences_are_translations,
    untranslated_have_reasons,
    validations_fit,
    people_are_simulated_or_not,
    settings_were_met,
    tables_hold_translations,
    back_translations_follow,
    left_out_are_absent,
)
