"""Arguments of several commands, and the files that some of them import."""

import json
import sqlite3
from argparse import ArgumentParser, ArgumentTypeError, _ArgumentGroup
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.imports.detection import ENCODINGS, Field
from annotation.imports.lines import FORMATS, OpenFile, open_file
from annotation.imports.records import UnreadableTable
from annotation.imports.tables import Layout, Shape
from annotation.models import Import, Project
from common import commands
from common.display import plural, readable
from generation.endpoints.chat import Interrupted
from generation.endpoints.file_ledger import FileLedger
from generation.methods.contract import Settings
from generation.models import Corpus
from generation.records import Report
from generation.services import limits

AT_LIMIT = "The limit of tokens is reached. Raise --most-tokens."
AT_LIMIT_OR_COST = "The limit of tokens or of cost is reached. Raise --most-tokens or --most-cost."
TABLES = tuple(name for name in FORMATS if name != "txt")


def project_named(name: str) -> Project:
    """Return the project of this name. Raises CommandError with the existing names."""
    try:
        return Project.objects.get(name=name)
    except Project.DoesNotExist:
        names = ", ".join(map(repr, Project.objects.values_list("name", flat=True))) or "none yet"
        raise CommandError(f"There is no project {name!r}; there are: {names}.") from None


def managers_named(name: str | None) -> list[User]:
    """Return the account of this name, or all administrators. Raises CommandError."""
    if name is None:
        return list(User.objects.filter(is_superuser=True, is_active=True).order_by("pk"))
    if account := User.objects.filter(username=name).first():
        return [account]
    raise CommandError(f"There is no account {name!r}.")


def size(text: str) -> int | float:
    """Parse a number of pairs such as 8000, or a share of them such as 0.1."""
    return float(text) if "." in text else int(text)


def setting(text: str) -> tuple[str, Any]:
    """Parse name=value; the value is JSON, or else a string."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"{text!r} is not name=value")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def add_settings(parser: ArgumentParser) -> None:
    """Add the arguments that say how a method rewrites."""
    parser.add_argument(
        "--preset",
        default="",
        help="named settings of the method, such as more or paper; --set takes precedence; "
        "default: those that New run shows first, of word swap balanced",
    )
    parser.add_argument("--seed", type=commands.seed, default=0)
    parser.add_argument(
        "--set",
        type=setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of the method; may be repeated",
    )


def add_replies(parser: ArgumentParser) -> None:
    """Add the arguments that `set_limit` and `ledger_of` read."""
    group = parser.add_argument_group("models on other servers")
    group.add_argument(
        "--replies",
        type=Path,
        metavar="FILE",
        help="keeps their replies (SQLite), also after the end, so that none is paid twice; "
        "one for each process; default: OUT.replies",
    )
    add_limits(group)


def add_limits(parser: ArgumentParser | _ArgumentGroup) -> None:
    parser.add_argument(
        "--most-tokens",
        type=commands.at_least_one,
        metavar="N",
        help="limit of the tokens of models on other servers, also of what is resumed; default: "
        f"{limits.DEFAULT_TOKENS:,}, or less where the operator allows less",
    )
    parser.add_argument(
        "--most-cost",
        type=float,
        metavar="COST",
        help="limit of their cost, in the currency of the prices; default: none",
    )


def set_limit(options: dict[str, Any], method: str, settings: Settings) -> None:
    """Set `most_tokens`, which is None if the settings name no model on another server.

    `most_cost` becomes millionths of the currency, or stays None.
    Raises GenerationError for a limit that is not allowed, and CommandError for needless options.
    """
    models = limits.models_of(method, settings)
    columns = limits.columns(models, options["most_tokens"], options["most_cost"])
    options |= {name: columns.get(name) for name in ("most_tokens", "most_cost")}
    if options["replies"] and not models:
        raise CommandError("Leave out --replies: no model on another server is asked.")


def ledger_of(options: dict[str, Any]) -> FileLedger | None:
    """Return what keeps the replies of models on other servers; None if none is asked."""
    if options["most_tokens"] is None:
        return None
    path = options["replies"] or options["out"].with_name(f"{options['out'].name}.replies")
    try:
        return FileLedger(path, options["most_tokens"], options["most_cost"])
    except sqlite3.Error as error:
        raise CommandError(f"{path} cannot keep replies: {error}.") from error


def reason_of(error: Exception, options: dict[str, Any]) -> str:
    """Return why models on other servers are not asked any more."""
    if isinstance(error, Interrupted):
        return AT_LIMIT if options["most_cost"] is None else AT_LIMIT_OR_COST
    return f"{str(error).rstrip('.')}."


def add_file(parser: ArgumentParser, formats: Sequence[str] = TABLES, **options: Any) -> None:
    """Add the arguments that `open_file_of` reads; `options` are those of the file."""
    text = "may be compressed, as .gz or .xz"
    parser.add_argument("file", type=Path, **{"help": text, **options})
    parser.add_argument("--format", choices=formats, default="", help="default: as it looks")
    parser.add_argument(
        "--encoding", choices=[*ENCODINGS], default="", help="of a text; default: as it looks"
    )


@contextmanager
def open_file_of(
    command: BaseCommand, options: dict[str, Any], fields: Sequence[Field], *, what: str
) -> Iterator[OpenFile]:
    """Open the file in `options`, and show a progress bar; say how it is read if not as UTF-8.

    Raises CommandError if the file cannot be read or its content is refused.
    """
    if options["file"].is_fifo():
        raise CommandError(
            f"{options['file']} is a pipe, which can be read only once. Save its content as a "
            "file, and name that."
        )
    how = {"file_format": options["format"], "encoding": options["encoding"]}
    try:
        with open_file(options["file"], fields, **how) as file:
            if file.layout.encoding != "utf-8":
                command.stdout.write(_read_as(file.layout))
            file.lines = tqdm(file.lines, unit=f" {what}s", disable=None)
            yield file
    except UnreadableTable as error:
        raise CommandError(f"{options['file']}: {error}") from error
    except (Refused, ValidationError) as error:
        raise CommandError("; ".join(getattr(error, "messages", [str(error)]))) from error


def record_start(kind: Import.Kind, corpus: Corpus, project: Project | None = None) -> None:
    """Put on record that an import begins, because each chunk of it is a separate transaction."""
    audit.record_alone(Act.IMPORT_STARTED, by=None, on=project, what=kind.value, corpus=corpus.name)


def _read_as(layout: Layout) -> str:
    separated = f", separated by {layout.delimiter!r}" if layout.shape is Shape.CSV else ""
    return f"Read as {layout.shape.upper()} in {ENCODINGS[layout.encoding]}{separated}."


def summary(
    report: Report,
    what: str,
    *,
    further: Sequence[str] = (),
    dropped: Sequence[tuple[str, int]] = (),
) -> str:
    """Return a summary: counts, reasons, and the first refused lines."""
    counts = [
        f"{plural(report.read, 'line')} read",
        f"{plural(report.added, what)} added",
        f"{report.duplicates:,} known already",
        *further,
        f"{plural(report.refused.total(), 'line')} refused",
    ]
    reasons = [*dropped, *report.refused.most_common()]
    lines = [", ".join(counts) + "."]
    lines += [f"  {count:,} {readable(reason)}" for reason, count in reasons]
    lines += [
        f"  line {refusal.line}: {readable(refusal.reason)}" for refusal in report.first_refusals
    ]
    return "\n".join(lines)
