"""The files of a published set: which there are, their splits, and how each is read."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import huggingface_hub as hub  # which imports what is used of it when that is first used
import yaml

from annotation.imports import compression, detection, tables
from annotation.imports.detection import Field
from annotation.imports.records import UnreadableTable
from annotation.imports.tables import Layout, Shape
from releases.dataset.published.archives import MOST_BYTES
from releases.dataset.published.columns import ROLES, SENTENCES, count_names
from releases.dataset.published.outline import LEFT_OUT, Outline
from releases.dataset.published.settings import Choices, UnusableSet
from releases.dataset.published.values import form_of
from releases.dataset.rows import SPLITS, Split

# Words of paths, of names of splits, and of cells of a column of splits.
WORDS: Mapping[str, Split] = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("validation", "valid", "val", "dev", "trial"), "dev"),
    **dict.fromkeys(("test", "testing", "eval", "evaluation"), "test"),
}
SUFFIXES = (".tsv", ".tab", ".csv", ".txt", ".data", ".json", ".jsonl", ".parquet", ".xlsx")
CARD = "README.md"
FIELDS = [Field(role, "", names, is_required=role in SENTENCES) for role, names in ROLES.items()]
Splits = dict[str, Split | None]  # by the name of a file


@dataclass(frozen=True, slots=True)
class SetFile:
    """A file of a set; `split` is null if a column says it."""

    name: str
    path: Path
    split: Split | None
    layout: Layout


def read_layout(
    paths: Sequence[Path], choices: Choices, outline: Outline | None = None
) -> list[SetFile]:
    """Return the files of a set, in the order of their splits. Raises UnusableSet.

    The paths are files, or folders with files; archives are unpacked before (`archives.unpacked`).
    `outline` gets the tables, also if this fails.
    """
    files = name_tables(paths)
    if not files:
        names = ", ".join(path.name for path in paths)
        raise UnusableSet(
            f"{names}: no file ends in {', '.join(SUFFIXES)}. Name the tables, and unpack archives "
            "that lie inside others or in a folder."
        )
    outline = outline or Outline()
    for name in files:
        stated = choices.files.get(name, "")
        outline.splits[name] = LEFT_OUT if stated is None else stated or _only_split(name)
    outline.configs = list(_configs(paths))
    splits = _splits_of_card(paths, files, choices) or _splits_of_names(files, choices)
    splits = _with_stated(splits, files, choices)
    outline.splits = {
        name: splits[name] or "" if name in splits else LEFT_OUT for name in outline.splits
    }
    if not choices.files:
        _refuse_config(choices, paths)
    in_order = sorted(splits, key=lambda name: (SPLITS.index(splits[name] or SPLITS[0]), name))
    return [
        SetFile(name, files[name], splits[name], _layout_of(files[name], name, choices))
        for name in in_order
    ]


def splits_in(text: str) -> list[Split]:
    """Return the splits that the words of a text name: none, one, or several."""
    words = re.split(r"[^a-z]+", text.casefold())
    return list(dict.fromkeys(WORDS[word] for word in words if word in WORDS))


def _only_split(name: str) -> str:
    splits = splits_in(name)
    return splits[0] if len(splits) == 1 else ""


def name_tables(paths: Iterable[Path]) -> dict[str, Path]:
    """Return the tables by their names inside the folder. Raises UnusableSet."""
    files: dict[str, Path] = {}
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.is_file())
            files |= {file.relative_to(path).as_posix(): file for file in inside if _is_table(file)}
        elif path.is_file():
            files[path.name] = path
        else:
            raise UnusableSet(f"{path}: there is no such file. Correct its name.")
    return {name: path for name, path in files.items() if not _is_hidden(name)}


def _is_table(path: Path) -> bool:
    name = path.name.casefold()
    for suffix in compression.SUFFIXES:
        name = name.removesuffix(suffix)
    return name.endswith(SUFFIXES)


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in PurePosixPath(name).parts)


def _card(paths: Sequence[Path]) -> Any:
    """Return the front matter of the card of a folder; {} if there is none. Raises UnusableSet."""
    card = paths[0] / CARD
    if len(paths) > 1 or not card.is_file():
        return {}
    try:
        text = card.read_text(encoding="utf-8")
        data: Any = hub.DatasetCard(text).data if text.startswith("---") else None
        return data.to_dict() if data else {}
    except (ValueError, TypeError, yaml.YAMLError) as error:
        raise UnusableSet(f"{CARD}: its front matter is no YAML ({error}). Correct it.") from error


def _configs(paths: Sequence[Path]) -> dict[str, Any]:
    """Return the data files of each config of the card."""
    configs = _card(paths).get("configs") or ()
    return {
        str(config.get("config_name", "default")): config["data_files"]
        for config in configs
        if isinstance(config, dict) and config.get("data_files")
    }


def _splits_of_card(paths: Sequence[Path], files: Mapping[str, Path], choices: Choices) -> Splits:
    configs = _configs(paths)
    if not configs:
        return {}
    name = choices.config or next(iter(configs))
    if name not in configs or (len(configs) > 1 and not choices.config):
        raise UnusableSet(
            f"The folder has the configs {_listed(configs)}.",
            "config",
            "Choose one of them: --config.",
        )
    splits: Splits = {}
    for split, pattern in _patterns(name, configs[name]):
        matches = _matches(paths[0], pattern, files)
        if not matches:
            raise UnusableSet(
                f"{CARD}: no table of config {name} matches {pattern}.",
                "files",
                f"Name the files: --split {split}=FILE.",
            )
        splits |= dict.fromkeys(matches, split)
    return splits


def _patterns(config: str, data_files: Any) -> Iterator[tuple[Split, str]]:
    """Yield split and pattern of the data files: a text, a list, or entries of split and path."""
    for path, name in _entries(config, data_files):
        splits = splits_in(name) if name else list(SPLITS[:1])
        if len(splits) != 1:
            raise UnusableSet(
                f"{CARD}: config {config} has a split {name}, which is none of {_listed(SPLITS)}.",
                "files",
                "Name its files: --split test=FILE.",
            )
        for pattern in [path] if isinstance(path, str) else path:
            yield splits[0], str(pattern)


def _entries(config: str, data_files: Any) -> Iterator[tuple[Any, str]]:
    """Yield the path or paths of each entry, with the name of its split. Raises UnusableSet."""
    match data_files:
        case str():
            yield data_files, ""
        case {"path": path, **others}:
            yield path, str(others.get("split", ""))
        case dict():
            yield from ((path, str(name)) for name, path in data_files.items())
        case list():
            for entry in data_files:
                yield from _entries(config, entry)
        case _:
            raise UnusableSet(
                f"{CARD}: data_files of config {config} are no paths.",
                "files",
                "Correct them, or name the files: --split train=FILE.",
            )


def _matches(folder: Path, pattern: str, files: Mapping[str, Path]) -> list[str]:
    """Return the tables inside the folder that match."""
    parts = PurePosixPath(pattern)
    if parts.is_absolute() or ".." in parts.parts:
        return []
    try:
        names = {path.relative_to(folder).as_posix() for path in folder.glob(pattern)}
    except (ValueError, NotImplementedError):  # it is no pattern
        return []
    return sorted(names & files.keys())


def _splits_of_names(files: Mapping[str, Path], choices: Choices) -> Splits:
    """Return the splits by the words of paths.

    A table alone needs none: its pairs are train, or drawn out of it.
    """
    chosen = {_named(path, files) for path in choices.files}
    splits: Splits = {}
    for name in files:
        if name in chosen:
            continue
        words = splits_in(name)
        if len(words) > 1 and len(files) > 1:
            raise UnusableSet(
                f"{name} may be {_listed(words)}.",
                "files",
                f"Say which it is: --split {words[-1]}={name}.",
            )
        splits[name] = words[0] if len(words) == 1 else None
    if any(splits.values()) or chosen:
        return {name: split for name, split in splits.items() if split}
    return splits


def _with_stated(splits: Splits, files: Mapping[str, Path], choices: Choices) -> Splits:
    """Return the splits with those that people state instead. Raises UnusableSet."""
    stated: Splits = {_named(path, files): split for path, split in choices.files.items()}
    splits_stated = {split for split in stated.values() if split}
    inferred = {
        name: split
        for name, split in splits.items()
        if name not in stated and split not in splits_stated
    }
    _refuse_several(inferred)
    splits = inferred | {name: split for name, split in stated.items() if split}
    if not splits:
        raise UnusableSet("No table is left.", "files", "Name one: --split train=FILE.")
    return splits


def _named(path: str, files: Mapping[str, Path]) -> str:
    names = [name for name in files if name == path or PurePosixPath(name).name == path]
    names = names or [name for name, file in files.items() if file == Path(path)]
    if len(names) != 1:
        number = "more than one" if names else "none"
        raise UnusableSet(
            f"{path} is {number} of the tables; these are {_listed(files)}.",
            "files",
            "Correct --split.",
        )
    return names[0]


def _refuse_config(choices: Choices, paths: Sequence[Path]) -> None:
    if choices.config and not _configs(paths):
        raise UnusableSet(
            f"There is no {CARD} with a config {choices.config}.", "config", "Leave out --config."
        )


def _refuse_several(splits: Splits) -> None:
    """Raise UnusableSet if the files of a split differ in more than their numbers."""
    for split in dict.fromkeys(splits.values()):
        names = _names_of(split, splits)
        if len({re.sub(r"\d+", "0", name) for name in names}) > 1:
            what = f"the split {split} would be" if split else "no name says the split of"
            raise UnusableSet(
                f"{_listed(names)}: {what} all of these.",
                "files",
                f"Say which is which: --split {split or SPLITS[0]}={names[0]}.",
            )


def _names_of(split: Split | None, splits: Splits) -> list[str]:
    return sorted(name for name, split_of_file in splits.items() if split_of_file == split)


def _layout_of(path: Path, name: str, choices: Choices) -> Layout:
    """Return how a table is read. Raises UnusableSet for what is none."""
    try:
        if tables.is_parquet(path):
            return Layout(Shape.PARQUET)
        compression.unpacked_size(path, most=MOST_BYTES)
        layout = detection.layout_of(path, name.casefold(), FIELDS)
        if layout.shape not in (Shape.CSV, Shape.XLSX):
            return layout
        layout = replace(layout, has_header=_has_header(path, layout, choices))
        return _as_quoted(path, layout) if layout.delimiter == "\t" else layout
    except UnreadableTable as error:
        raise UnusableSet(f"{name}: {error}") from error


def _has_header(path: Path, layout: Layout, choices: Choices) -> bool:
    with tables.open_table(path, replace(layout, has_header=False)) as table:
        cells = table.sample[0].cells if table.sample else []
    names = count_names(cells, choices)
    # A row has a label; one of its cells may be called as a column is.
    if names > 1 or any(form_of([cell]) for cell in cells):
        return names > 1
    return names == 1 or layout.has_header


def _as_quoted(path: Path, layout: Layout) -> Layout:
    """Return whether cells between tabs are in quotation marks: the reading with fewer odd rows."""
    layouts = [replace(layout, quoted=quoted) for quoted in (False, True)]
    return min(layouts, key=lambda layout: _count_odd_rows(path, layout))


def _count_odd_rows(path: Path, layout: Layout) -> int:
    with tables.open_table(path, layout) as table:
        return sum(record.fault is not None for record in table.records)


def _listed(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
