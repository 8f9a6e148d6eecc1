"""The columns of published sets: what each is for, by its name, else by what it holds."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from annotation.imports.tables import Table
from releases.dataset.published.settings import Choices, UnusableSet
from releases.dataset.published.values import FORMS, Cells, form_of, read_grade, read_side

_SENTENCES = (
    *("sentence{}", "sentence_{}", "sent{}", "s{}", "text{}", "txt{}", "question{}"),
    *("definition{}", "{}_string", "text_question{}"),
)
ROLES: Mapping[str, tuple[str, ...]] = {
    "sentence1": (*(name.format(1) for name in _SENTENCES), "sentence_a", "premise"),
    "sentence2": (*(name.format(2) for name in _SENTENCES), "sentence_b", "hypothesis"),
    "label": (
        *("label", "binary_label", "binary_labels", "quality", "is_duplicate", "is_paraphrase"),
        *("gold_label", "class", "noisy_label", "entailment_judgment", "entailment_label"),
    ),
    "grade": (
        *("four_class_labels", "grade", "score", "similarity", "similarity_score"),
        *("relatedness_score", "annot_score"),
    ),
    "votes": ("annotations", "annotator_labels"),
    "votes0": ("votes0",),
    "votes1": ("votes1",),
    "id": ("id", "idx", "pair_id", "gem_id", "guid", "key"),
    "split": ("split", "set", "semeval_set", "partition"),
    "entity": ("entity", "topic_name", "topic", "term"),
    "domain": ("domain", "genre", "corpus"),
    "method": ("method",),
    "language": ("lang", "language"),
}
SENTENCES, LABELS = ("sentence1", "sentence2"), (*Cells._fields, "votes0", "votes1")
# Two columns with names of one of these are an error; of the others the first name wins.
DECISIVE = {*SENTENCES, *LABELS}
NONE, ID = "-", "id"
# A text column has more words than this in a row; the shorter sentence is this much longer than
# any other text.
LEAST_WORDS, LONGER = 2, 1.25
SIDES = 2  # a column of grades has more values than one of labels


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a set: their places by role in a file that has all of them, and its header."""

    places: Mapping[str, int]
    header: Sequence[str]
    has_header: bool

    @property
    def has_labels(self) -> bool:
        return not self.places.keys().isdisjoint(LABELS)

    @property
    def names(self) -> dict[str, str]:
        return {role: self.header[place] for role, place in self.places.items()}

    @property
    def unused(self) -> list[str]:
        """The names of the columns that have no role, or their numbers without a header."""
        in_use = set(self.places.values())
        return [name for place, name in enumerate(self.header) if place not in in_use]

    def in_file(self, name: str, table: Table) -> dict[str, int]:
        """Return the places in another file, which may lack labels. Raises UnusableSet."""
        if self.has_header:
            names = {role: header for role, header in self.names.items() if header in table.header}
            places = {role: table.header.index(header) for role, header in names.items()}
        else:
            width = len(table.header)
            places = {role: place for role, place in self.places.items() if place < width}
        missing = [role for role in self.places if role not in places and role not in LABELS]
        is_wider = not self.has_header and len(table.header) > len(self.header)
        if missing or is_wider or table.layout.has_header != self.has_header:
            raise UnusableSet(
                f"{name}: its columns are {', '.join(table.header)}; those of the other files are "
                f"{', '.join(self.header)}. Give all files the same columns, or name fewer files."
            )
        return places


def plain(name: str) -> str:
    """Return what is equal for names of one meaning: "#1 String" is 1_string."""
    return re.sub(r"[\s\-._]+", "_", name.casefold().replace("#", "").strip())


def count_names(cells: Sequence[str], choices: Choices) -> int:
    """Return how many cells of a first row name columns."""
    names = {name for role in ROLES.values() for name in role}
    chosen = {plain(column) for column in choices.columns.values() if not column.isdecimal()}
    return sum(plain(cell) in names | chosen for cell in cells if cell.strip())


def find_columns(
    name: str, table: Table, choices: Choices, places: dict[str, int] | None = None
) -> Columns:
    """Return the columns of a file: chosen, else by name, else by content. Raises UnusableSet.

    `places` gets those that are found, also if others are not.
    """
    places = {} if places is None else places
    for role, column in choices.columns.items():
        if column != NONE:
            places[role] = _chosen(name, table, role, column)
    for role in ROLES:
        if role not in choices.columns:
            _add_by_name(name, table, role, places)
    if is_nameless(table) and ID not in {*places, *choices.columns}:
        places[ID] = 0
    _add_by_content(name, table, places, choices)
    # In the order of the roles, whatever was stated first.
    ordered = {role: places[role] for role in ROLES if role in places}
    _refuse_repeated(name, table, ordered.values())
    return Columns(ordered, table.header, table.layout.has_header)


def is_nameless(table: Table) -> bool:
    """Return whether a first column without a name, as of pandas, has numbers of rows."""
    return table.layout.has_header and table.header[:1] == ["1"]


def _chosen(name: str, table: Table, role: str, column: str) -> int:
    if role not in ROLES:
        raise UnusableSet(
            f"--columns {role}={column}: the roles are {', '.join(ROLES)}.", "columns"
        )
    headers = [plain(header) for header in table.header]
    if column in table.header:
        return table.header.index(column)
    if plain(column) in headers:
        return headers.index(plain(column))
    if column.isdecimal() and 1 <= int(column) <= len(headers):
        return int(column) - 1
    raise UnusableSet(
        f"{name}: no column is {column}.",
        "columns",
        f"Choose one of {', '.join(table.header)}, or its number: --columns {role}=NAME_OR_NUMBER.",
    )


def _add_by_name(name: str, table: Table, role: str, places: dict[str, int]) -> None:
    headers = [plain(header) for header in table.header]
    places_in_use = {*places.values()}
    free = [
        place
        for role_name in ROLES[role]
        for place, header in enumerate(headers)
        if header == role_name and place not in places_in_use
    ]
    if len(free) > 1 and role in DECISIVE:
        _refuse_repeated(name, table, free)
        raise _several(name, table, role, sorted(free))
    if free:
        places[role] = free[0]


def _refuse_repeated(name: str, table: Table, places: Iterable[int]) -> None:
    for place in places:
        if table.header.count(table.header[place]) > 1:
            raise UnusableSet(f"{name} names the column {table.header[place]} twice. Rename one.")


def _several(name: str, table: Table, role: str, candidates: Sequence[int]) -> UnusableSet:
    headers = " and ".join(table.header[place] for place in candidates)
    problem = f"{name}: columns {headers} may be the {role}."
    example = f"--columns {role}={table.header[candidates[0]]}"
    return UnusableSet(problem, "columns", f"Say which one is, for example: {example}.")


def _add_by_content(name: str, table: Table, places: dict[str, int], choices: Choices) -> None:
    records = [record.cells for record in table.sample if not record.fault]
    columns = dict(enumerate(zip(*records, strict=False)))
    free = {place: cells for place, cells in columns.items() if place not in places.values()}
    has_labels = any(role in places or choices.columns.get(role) == NONE for role in LABELS)
    if not has_labels and (label := _label(name, table, free)) is not None:
        places["label"] = label
        del free[label]
    if not table.layout.has_header and "grade" not in {*places, *choices.columns}:
        places.update(_grade(columns, free, places))
    free = {place: cells for place, cells in free.items() if place not in places.values()}
    missing = [role for role in SENTENCES if role not in places]
    places.update(zip(missing, _texts(name, table, free, missing), strict=True))


def _label(name: str, table: Table, columns: Mapping[int, Sequence[str]]) -> int | None:
    forms = {place: form_of(cells) for place, cells in columns.items()}
    for form in FORMS:
        candidates = [place for place in columns if forms[place] == form]
        if len(candidates) > 1:
            raise _several(name, table, "label", candidates)
        if candidates:
            return candidates[0]
    return None


def _grade(
    columns: Mapping[int, Sequence[str]],
    free: Mapping[int, Sequence[str]],
    places: Mapping[str, int],
) -> dict[str, int]:
    """Return the place of the grades that labels 0 and 1 follow from, if just one column is such.

    Grades have more than two values, which repeat; all of label 1 are above all of label 0.
    """
    labels = list(map(read_side, columns.get(places.get("label", -1), ())))
    if {*labels} != {0, 1}:
        return {}
    candidates = []
    for place, cells in free.items():
        grades = [grade for cell in cells if (grade := read_grade(cell)) is not None]
        if len(grades) < len(labels) or not SIDES < len({*grades}) < len(grades):
            continue
        rows = list(zip(labels, grades, strict=True))
        lowest_one = min(grade for label, grade in rows if label == 1)
        if lowest_one > max(grade for label, grade in rows if label == 0):
            candidates.append(place)
    return {"grade": candidates[0]} if len(candidates) == 1 else {}


def _texts(
    name: str, table: Table, columns: Mapping[int, Sequence[str]], missing: Sequence[str]
) -> list[int]:
    """Return the columns with the longest texts, in their order, one for each missing role."""
    if not missing:
        return []
    lengths = {place: fmean(map(len, cells)) for place, cells in columns.items() if _is_text(cells)}
    longest = sorted(lengths, key=lambda place: -lengths[place])
    chosen, others = longest[: len(missing)], longest[len(missing) :]
    if len(chosen) < len(missing):
        raise UnusableSet(
            f"{name}: no column is the {missing[-1]}; its columns are {', '.join(table.header)}.",
            "columns",
            f"Say which one is: --columns {missing[-1]}=NAME.",
        )
    if others and lengths[chosen[-1]] < LONGER * lengths[others[0]]:
        raise _several(name, table, missing[-1], sorted([chosen[-1], others[0]]))
    return sorted(chosen)


def _is_text(cells: Sequence[str]) -> bool:
    """Return whether cells are sentences, and not numbers, addresses, or words with tags."""
    words = [word for cell in cells for word in cell.split()]
    are_many = len(words) >= LEAST_WORDS * len(cells)
    return are_many and not form_of(cells) and sum("/" in word for word in words) < len(words) / 2
