"""README.md: the dataset card, whose front matter lists the files for `datasets.load_dataset`.

https://huggingface.co/docs/hub/datasets-cards
"""

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.stats.agreement import Estimate
from annotation.stats.agreement_tables import by_group
from annotation.stats.by_group import FEWEST_ANSWERS, Group
from common.tables import as_markdown, count
from releases.dataset import graded, methods_judging, paper_tables, prose
from releases.dataset.card_judging import columns_note, front_matter_of_labels, tables_of_files
from releases.dataset.card_parts import (
    DOCUMENTS,
    MODELS_TITLE,
    NO_QUOTING,
    author,
    citation,
    column_rows,
    documents,
    front_matter,
    licence,
    loading,
    model_lines,
    whole_card,
)
from releases.dataset.columns import ENTITY, GRADE
from releases.dataset.facts import ReleaseFacts
from releases.dataset.files import LINE_FILES
from releases.dataset.formats import Format
from releases.dataset.metadata import Metadata
from releases.dataset.methods import methods
from releases.dataset.rows import SPLITS
from releases.dataset.settings import ReleaseSettings
from releases.dataset.shape import shape_remark
from releases.dataset.shared_words import shared_words
from releases.dataset.statement import documentation_sections
from releases.dataset.tables import tables

SIMULATED = "**This release contains judgments of simulated annotators: it is a trial, not data.**"
SOURCES = "The corpora and their licences are named under Methods."
GROUPS = "Groups in `labeled_final`: {sizes}. No group is in two splits."
ENTITIES = (
    "Entities in `labeled_final`: {sizes}. Entities with nearly the same name count once; none is "
    "in two splits."
)
AGREEMENT_NOTE = """\
Human agreement is the share of answers that equal the most frequent answer to their pair. Brackets
give 95 % intervals, from 1,000 samples of the pairs with replacement. Any other measure can be
computed from `judgments.jsonl`."""
REASONS = (
    "In `judgments.jsonl`, `reason` is why a person chose the label, in their words, and `words` "
    "are the words of the pair that decide it: [1 or 2 for sentence1 or sentence2, start, end], in "
    "Unicode code points, the end not included. Answers without a reason have neither."
)
EARLY = (
    "Judging stopped as soon as enough people agreed, so a kept pair may have fewer judgments, and "
    "agreement on it is higher than with full panels."
)
GRADE_COLUMN = (
    "`grade` is the grade that most people gave; where several were given as often, it is the "
    "median grade. The label comes from the votes, not from this grade."
)
REPLIES = (
    "`annotators.jsonl` has what {people} annotators replied to questions about themselves: those "
    "who agreed to its publication."
)
SUPPRESSED = (
    "Choices of fewer than {least} of them are merged into “other”. {withheld} of them have only "
    "nulls, because fewer than {least} people share their combination of replies."
)
ONE_PERSON = "A row may describe one person."
GROUPS_TABLE = (
    "Groups of at least {least} of these people with {fewest} answers: alpha among them, how often "
    "they agree with the majority of all others, and the shares of their answers."
)


def card(
    facts: ReleaseFacts,
    settings: ReleaseSettings,
    counts: Mapping[str, Any],
    *,
    simulated: bool,
    release_format: Format,
) -> str:
    """Return the whole card, with tables from the same code as those of the pages."""
    metadata = facts.metadata or Metadata()
    home = f"Home page: <{metadata.homepage}>" if metadata.homepage else ""
    sections = (
        ("Authors", "\n".join(map(author, metadata.authors))),
        ("Load", loading("labeled_final")),
        ("Files", files_table(settings, counts, documents(metadata, release_format))),
        ("Columns", columns_table(settings, release_format) if release_format.version > 1 else ""),
        ("Counts", "\n".join(count_tables(facts, settings, counts))),
        ("Shared words", shared_words(counts, facts.language)),
        ("Shape of pairs", shape_remark(counts)),
        ("Agreement", agreement_tables(settings, counts)),
        ("Groups of annotators", annotator_groups(settings, counts)),
        (
            ("Methods", prose.as_markdown(methods(facts, settings, counts)))
            if release_format.has_paper
            else ("Protocol", judging_sentences(settings, counts))
        ),
        *documentation_sections(facts, people=annotators(facts, counts), provenance=SOURCES),
        ("Guidelines", facts.guidelines),
        (MODELS_TITLE, "\n".join(model_lines(facts.models))),
        ("Licence", licence(metadata)),
        ("Licence of the source text", facts.licence or "Not stated."),
        ("Citation", citation(facts)),
    )
    asked = prose.as_text(methods_judging.asked(facts, settings))
    top = (asked, facts.description, home, SIMULATED if simulated else "")
    release_tables = tables(settings, release_format.version)
    data = front_matter(
        facts,
        counts,
        release_tables,
        **front_matter_of_labels(settings.scheme, counts, release_tables),
    )
    return whole_card(facts, data, top, sections)


def count_tables(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]
) -> Iterable[str]:
    """Yield PAWS Table 3 for word swaps, Table 4 for each other method, and Table 5."""
    method_tables = paper_tables.method_tables(
        settings, counts, heading="`{}`", corrected_methods=facts.corrected_methods
    )
    for _, rows in method_tables:
        yield as_markdown(rows)
    yield as_markdown(paper_tables.sizes(counts, paper_tables.outcome_names(settings.scheme)))
    if groups := counts.get("groups"):
        sizes = ", ".join(f"{count(groups[split])} in {split}" for split in SPLITS)
        yield (ENTITIES if ENTITY in settings.columns else GROUPS).format(sizes=sizes)


def files_table(settings: ReleaseSettings, counts: Mapping[str, Any], documents: list[str]) -> str:
    lines, optional_lines = [], documents
    for file in LINE_FILES:
        if not file.optional:
            lines.append(file.card_row)
        elif file.counted_as in counts:
            optional_lines.append(file.card_row)
    about_tables = tables_of_files(settings)
    notes = ("", NO_QUOTING, *(("", REASONS) if settings.reasons else ()))
    return "\n".join((about_tables, *lines, DOCUMENTS, *optional_lines, *notes))


def columns_table(settings: ReleaseSettings, release_format: Format) -> str:
    """Return what each column of the first table means."""
    table, *_ = tables(settings, release_format.version)
    return f"{column_rows(table)}\n\n{columns_note(settings)}"


def agreement_tables(settings: ReleaseSettings, counts: Mapping[str, Any]) -> str:
    """Return agreement by method, before and after filtering: on sides, and on grades if any."""
    rows = paper_tables.agreement_by_method(settings, counts, heading="`{}`")
    if not settings.tells_majority:
        return f"{as_markdown(rows)}\n{AGREEMENT_NOTE.removeprefix(methods_judging.HUMAN).lstrip()}"
    if graded.AGREEMENT not in counts:
        return f"{as_markdown(rows)}\n{AGREEMENT_NOTE}"
    sides = graded.SIDES.format(threshold=settings.scheme.border)
    on_the_grade = graded.GRADES.format(highest=settings.scheme.values[-1])
    grades = graded.agreement_on_grades_markdown(counts)
    parts = (sides, as_markdown(rows), on_the_grade, grades, AGREEMENT_NOTE)
    return "\n\n".join(part.strip() for part in parts)


def judging_sentences(settings: ReleaseSettings, counts: Mapping[str, Any]) -> str:
    pace = counts["seconds"] / (counts["judgments"] or 1)
    sentences = [
        f"{settings.judgments_per_pair} people judged each pair independently, "
        f"{methods_judging.scale_in_words(settings.scheme)}.",
        f"A pair is kept when at least {settings.consensus_min_votes} of them agree.",
        GRADE_COLUMN if GRADE in settings.columns else "",
        graded.REFERENCE if settings.scheme.is_graded else "",
        EARLY if settings.decides_early else "",
        prose.as_text(methods_judging.asked_more(settings, counts)),
        judged_again(counts),
        left_out(counts),
        f"{count(counts['annotators'])} annotators gave {count(counts['judgments'])} judgments"
        + (f" and took {pace:.1f} seconds for each." if pace else "."),
        experts_and_models(counts),
    ]
    return " ".join(filter(None, sentences))


def judged_again(counts: Mapping[str, Any]) -> str:
    if not (pairs := counts.get("reopened")):
        return ""
    return (
        f"{count(pairs)} pairs on which too few people agreed were judged again by other people; "
        "only the votes of the last round count."
    )


def left_out(counts: Mapping[str, Any]) -> str:
    pairs = counts.get("excluded")
    if pairs == 1:
        return "Managers excluded 1 pair, which is in no file."
    return f"Managers excluded {count(pairs)} pairs, which are in no file." if pairs else ""


def experts_and_models(counts: Mapping[str, Any]) -> str:
    sentences = []
    if pairs := counts.get("adjudications"):
        sentences.append(f"An expert adjudicated {count(pairs)} pairs that are not kept.")
    for model in counts.get("model_judgments", ()):
        name = f"{model['model']} {model['revision']}".strip()
        sentences.append(f"The model {name} labelled {count(model['labels'])} pairs.")
    return " ".join(sentences)


def annotators(facts: ReleaseFacts, counts: Mapping[str, Any]) -> str:
    return f"{prose.as_text([methods_judging.annotators(facts, counts)])} judged pairs."


def annotator_groups(settings: ReleaseSettings, counts: Mapping[str, Any]) -> str:
    """Return the section about annotators.jsonl; empty without the file."""
    if not (replies := counts.get("replies")):
        return ""
    least = settings.least_in_group or 1
    numbers = {name: count(replies[name]) for name in ("people", "withheld")}
    about = REPLIES.format(**numbers)
    about += " " + (SUPPRESSED.format(least=least, **numbers) if least > 1 else ONE_PERSON)
    if not replies["groups"]:
        return about
    groups = list(map(_group, replies["groups"]))
    table = as_markdown(by_group(groups, settings.scheme.outcomes))
    return "\n\n".join((about, GROUPS_TABLE.format(least=least, fewest=FEWEST_ANSWERS), table))


def _group(counts: Mapping[str, Any]) -> Group:
    question, choice = (counts[name].replace("|", r"\|") for name in ("question", "choice"))
    return Group(
        question,
        choice,
        counts["people"],
        counts["answers"],
        Estimate(counts["alpha"]),
        Estimate(counts["agreement_with_others"]),
        tuple(counts["outcomes"]),
    )
