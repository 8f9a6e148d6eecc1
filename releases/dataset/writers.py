"""Writes the files of a release and packs them: the same rows give the same bytes."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from releases.dataset import citations
from releases.dataset.alternative import Model, model_tests
from releases.dataset.card import card
from releases.dataset.croissant import croissant
from releases.dataset.croissant_provenance import provenance
from releases.dataset.croissant_rai import responsible_ai
from releases.dataset.facts import ReleaseFacts
from releases.dataset.files import (
    ADJUDICATIONS,
    ANNOTATORS,
    JUDGMENTS,
    MODEL_JUDGMENTS,
    PAIRS,
    PAPER,
    PROMPTS,
    SENTENCES,
    LineFile,
    Table,
)
from releases.dataset.folders import new_folder, write_text
from releases.dataset.formats import RELEASE, Format, with_settings
from releases.dataset.manifest import (
    MANIFEST,
    AnySettings,
    Files,
    Manifest,
    RowCounts,
    as_json,
    counted,
    describe_files,
    manifest,
)
from releases.dataset.methods_judging import asked
from releases.dataset.paper import paper
from releases.dataset.prose import as_text
from releases.dataset.replies import RepliesCounts
from releases.dataset.rows import (
    AdjudicationRow,
    AnnotatorRow,
    JudgmentRow,
    ModelJudgmentRow,
    PromptRow,
    ReleasedPair,
    SentenceRow,
    batches,
)
from releases.dataset.settings import ReleaseSettings
from releases.dataset.table_files import RowNumbers, TableFiles, open_table, row_numbers


@dataclass(frozen=True, slots=True)
class Content:
    """All rows of a release, each kind in the order of its file. They are streamed and not kept.

    `pairs` are the judged and recombined ones, then the silver ones, each ordered by id; the counts
    are ReleasePlan.totals. `reopened` counts judged pairs whose answers come from a second or
    later round; `reopened_because` has those of which a model that disagreed was the reason, by its
    name and revision.
    """

    pairs: Iterable[ReleasedPair]
    sentences: Iterable[SentenceRow]
    judgments: Iterable[JudgmentRow]
    annotators: Iterable[AnnotatorRow] = ()
    adjudications: Iterable[AdjudicationRow] = ()
    model_judgments: Iterable[ModelJudgmentRow] = ()
    prompts: Iterable[PromptRow] = ()
    conflicts: int = 0
    unknown: int = 0
    silver_left_out: int = 0
    easy: int = 0
    reopened: int = 0
    reopened_because: Mapping[tuple[str, str], int] = field(default_factory=dict)


def write_release(
    folder: Path,
    content: Content,
    *,
    facts: ReleaseFacts,
    settings: ReleaseSettings,
    release_format: Format = RELEASE,
) -> Manifest:
    """Write a release to a new folder and return its manifest.

    Rows are streamed in their given order, and memory use does not grow with their number, but for
    labels of models; the same order gives the same bytes. The folder appears only when it is
    complete.

    Raises FileExistsError if the folder has files, and ValueError for an id or a sentence with a
    tab or a line break, which TSV cannot hold.
    """
    annotators = list(content.annotators)
    content = replace(content, annotators=annotators)
    row_counts = RowCounts(settings, replies=RepliesCounts(annotators))
    release_format = with_settings(release_format, settings)
    with new_folder(folder) as root:
        numbers = write_rows(
            root, content, row_counts, tables=release_format.tables, version=release_format.version
        )
        files = describe_files(root, numbers)
        tests_models = facts.tests_models and MODEL_JUDGMENTS.path in numbers
        tests = model_tests(root, settings, content.reopened_because) if tests_models else {}
        counts = _all_counts(row_counts, content, facts, tests)
        simulated = row_counts.simulated > 0
        return write_documents(
            root,
            facts,
            settings,
            files,
            counts=counts,
            simulated=simulated,
            format_name=release_format.name,
            card=card(facts, settings, counts, simulated=simulated, release_format=release_format),
            paper=paper(facts, settings, counts) if release_format.has_paper else "",
            croissant=croissant(
                facts,
                files,
                tables=release_format.tables,
                line_files=release_format.line_files,
                properties=lambda: (
                    responsible_ai(facts, settings, counts) | provenance(facts, settings, counts)
                ),
                asked=as_text(asked(facts, settings)),
            ),
            further={"runs": [dict(run) for run in facts.runs]}
            if release_format.version > 1
            else {},
        )


def _all_counts(
    counts: RowCounts, content: Content, facts: ReleaseFacts, tests: Mapping[Model, Any]
) -> dict[str, Any]:
    """Return the counts of the rows that are written, and of what no row shows."""
    return counts.to_dict(
        {
            "raw": dict(facts.raw),
            "excluded": facts.excluded,
            "conflicts": content.conflicts,
            "unknown": content.unknown,
            "unlabeled_left_out": content.silver_left_out,
            "unlabeled_estimated": facts.unlabeled_estimated,
            "easy": content.easy,
            "reopened": content.reopened,
            "reopened_because": [
                {"model": model, "revision": revision, "pairs": pairs}
                for (model, revision), pairs in sorted(content.reopened_because.items())
            ],
            "groups": dict(facts.groups),
            "overlap": dict(facts.overlap),
            "shape": dict(facts.shape),
            **facts.grades,
        },
        rejected=facts.rejected,
        runs=facts.runs,
        model_tests=tests,
        taken_out=facts.taken_out,
    )


def write_documents(
    root: Path,
    facts: ReleaseFacts,
    settings: AnySettings,
    files: Files,
    *,
    counts: Mapping[str, Any],
    simulated: bool,
    format_name: str,
    card: str,
    croissant: Mapping[str, Any],
    paper: str = "",
    further: Mapping[str, Any] = MappingProxyType({}),
) -> Manifest:
    """Write the files without rows, last the manifest with its `further` parts; return it."""
    citation_texts = citations.documents(facts)
    texts = {"croissant.json": as_json(croissant), "README.md": card, **citation_texts}
    texts |= {PAPER: paper} if paper else {}
    for path, text in texts.items():
        write_text(root / path, text)
    contents = manifest(
        facts,
        settings,
        counts=counts,
        simulated=simulated,
        files=dict(sorted((files | describe_files(root, dict.fromkeys(texts))).items())),
        format_name=format_name,
    ) | dict(further)
    write_text(root / MANIFEST, as_json(contents))
    return contents


def write_rows(
    root: Path, content: Content, counts: RowCounts, *, tables: Iterable[Table], version: int
) -> RowNumbers:
    rows: dict[LineFile[Any], Iterable[Any]] = {
        SENTENCES: counted(content.sentences, counts.add_sentence),
        JUDGMENTS: counted(content.judgments, counts.add_judgment),
        ANNOTATORS: content.annotators,
        ADJUDICATIONS: counted(content.adjudications, counts.add_adjudication),
        MODEL_JUDGMENTS: counted(content.model_judgments, counts.add_model_judgment),
        PROMPTS: counted(content.prompts, counts.add_prompt),
    }
    pairs = counted(content.pairs, counts.add_pair)
    numbers = write_pairs(root, pairs, tables=tables, version=version)
    for file, lines_of_file in rows.items():
        numbers |= write_lines(root, file, lines_of_file, version=version)
    return numbers


def write_pairs(
    root: Path, pairs: Iterable[ReleasedPair], *, tables: Iterable[Table], version: int
) -> RowNumbers:
    """Write pairs.jsonl and, in the same pass, the tables."""
    with ExitStack() as stack:
        files = {table: stack.enter_context(open_table(root, table)) for table in tables}
        lines_written = write_lines(root, PAIRS, add_to_tables(pairs, files), version=version)
    return row_numbers(files) | lines_written


def add_to_tables(
    pairs: Iterable[ReleasedPair], files: "dict[Table, TableFiles]"
) -> Iterator[ReleasedPair]:
    """Add each pair to its table, if it has one; yield those that belong in pairs.jsonl."""
    tables_by_place = {table.place: table for table in files}
    for pair in pairs:
        if pair.subset:
            table = tables_by_place[pair.place]
            files[table].add(table.row(pair))
        if pair.origin != "silver":
            yield pair


def write_lines(
    root: Path, file: LineFile[Any], rows: Iterable[Any], *, version: int
) -> RowNumbers:
    """Write a JSONL file, an optional one only if it has rows; return its number of rows."""
    number, file = 0, file.at_version(version)
    with (root / file.path).open("w", encoding="utf-8", newline="\n") as lines:
        for batch in batches(rows):
            lines.write(file.lines(batch))
            number += len(batch)
    if file.optional and not number:
        (root / file.path).unlink()
        return {}
    return {file.path: number}
