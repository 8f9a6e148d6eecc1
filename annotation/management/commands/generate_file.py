"""Rewrites the sentences of a file into a Parquet file, without a database."""

import hashlib
import re
import signal
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
from django.conf import settings as installation
from django.core.management.base import CommandError

from annotation.imports.detection import Field
from annotation.imports.lines import FORMATS, make_lines
from annotation.management.arguments import (
    add_file,
    add_replies,
    add_settings,
    ledger_of,
    open_file_of,
    reason_of,
    set_limit,
)
from common import commands
from common.display import plural, readable
from common.languages import TAG
from generation import generated_files, methods, readers
from generation.endpoints.chat import EndpointError, Interrupted
from generation.errors import GenerationError
from generation.files import Generator
from generation.generated_files import Counts, OtherFile, Parts
from generation.models import Corpus
from generation.readers import Row
from generation.records import Record, Report, in_chunks
from generation.services import runs

GO_ON = "Go on with the same command: what is finished is not done again."


class Command(commands.Command):
    """Writes parts while it works. Stopped or killed, it continues from them when called again."""

    requires_system_checks = []  # they load all pages, which takes memory
    help = (
        "Rewrite the sentences of a file (txt, csv, tsv, jsonl, json, xlsx or parquet) into a "
        "Parquet file, without a database. import_pairs takes that file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_file(parser, FORMATS)
        parser.add_argument("--method", choices=list(methods.METHODS), required=True)
        add_settings(parser)
        parser.add_argument(
            "--language", type=_language, required=True, help="of the sentences (BCP 47)"
        )
        parser.add_argument("--out", type=Path, required=True, help="the Parquet file to write")
        parser.add_argument(
            "--shard",
            type=_shard,
            default=(1, 1),
            metavar="I/N",
            help="rewrite only each Nth batch of sentences from the Ith on: 1/64 to 64/64 are all",
        )
        parser.add_argument("--column", default="text", help="of the sentences; default: text")
        parser.add_argument("--id", default="", help="column of their ids; default: id, if any")
        add_replies(parser)

    def handle(self, **options: Any) -> None:
        """Write the file, and print what became of the sentences."""
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        pa.set_memory_pool(pa.system_memory_pool())  # the usual one keeps 25 MB that were freed
        try:
            generator = _generator(options)
            parts = Parts(options["out"], _about(generator, options))
            if file := generated_files.read(options["out"]):
                generated_files.check_same(file, parts.about)
                self.stdout.write(f"{options['out']} is complete already.")
                return
            report = self._write(generator, parts, options)
        except (GenerationError, OtherFile) as error:
            raise CommandError(str(error)) from error
        except (EndpointError, Interrupted) as error:
            raise CommandError(f"{reason_of(error, options)} {GO_ON}") from error
        except KeyboardInterrupt:
            raise CommandError(f"Stopped. {GO_ON}", returncode=130) from None
        self.stdout.write("\n".join(_summary(parts.counts, report, options["out"])))

    def _write(self, generator: Generator, parts: Parts, options: dict[str, Any]) -> Report:
        """Write the file; report how the lines were read."""
        with parts.open():
            generator.ledger = ledger_of(options)
            report = self._rewrite(generator, parts, options)
            parts.join()
        return report

    def _rewrite(self, generator: Generator, parts: Parts, options: dict[str, Any]) -> Report:
        """Rewrite the batches of the shard that no part has yet."""
        report, done = Report(), parts.counts.sentences
        fields = [
            Field(options["column"].casefold(), is_required=True),
            Field(options["id"].casefold() or "id", is_required=bool(options["id"])),
        ]
        with open_file_of(self, options, fields, what="line") as file:
            rows = report.readable(make_lines(file.lines, _maker(*fields)))
            for batch in _batches(rows, generator.contract.batch_size, options["shard"]):
                if done:  # parts end where batches end
                    done -= len(batch)
                else:
                    parts.add(generator.rewrite(batch))
        return report


def _language(text: str) -> str:
    """Return a language tag. Raises ArgumentTypeError."""
    if not TAG.fullmatch(text):
        raise ArgumentTypeError(f"{text[:40]!r} is not a language tag such as en or pt-BR")
    return text


def _shard(text: str) -> tuple[int, int]:
    """Parse a shard and the number of shards, such as 3/64. Raises ArgumentTypeError."""
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    shard, shards = map(int, match.groups()) if match else (0, 0)
    if not 1 <= shard <= shards:
        raise ArgumentTypeError(f"{text[:40]!r} is not a shard such as 3/64, from 1/64 to 64/64")
    return shard, shards


def _generator(options: dict[str, Any]) -> Generator:
    """Return what rewrites, and set the limit of tokens, which is None without a server.

    Raises GenerationError and CommandError for settings, models, limits or a language that cannot
    be.
    """
    generator = Generator(
        options["method"],
        preset=options["preset"],
        settings=dict(options["set"]),
        seed=options["seed"],
        language=options["language"],
    )
    corpus = Corpus(name=options["file"].name, language=options["language"])
    runs.check_language(corpus, options["method"], generator.settings)
    set_limit(options, generator.method, generator.settings)
    return generator


def _about(generator: Generator, options: dict[str, Any]) -> dict[str, Any]:
    """Return what decides the rows of the file."""
    with options["file"].open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "method": generator.method,
        "preset": generator.preset,
        "settings": generator.settings,
        "seed": generator.seed,
        "identities": generator.identities,
        "version": installation.VERSION,
        "language": options["language"],
        "input": {"name": options["file"].name, "sha256": sha256},
        "reading": {name: options[name] for name in ("format", "encoding", "column", "id")},
        "shard": "/".join(map(str, options["shard"])),
    }


def _maker(text: Field, external_id: Field) -> Callable[[int, Record], Row]:
    def make_row(number: int, record: Record) -> Row:
        cells = {"text": record[text.name], "id": record.get(external_id.name, "")}
        return readers.row(number, cells)

    return make_row


def _batches(rows: Iterable[Row], size: int, shard: tuple[int, int]) -> Iterator[list[Row]]:
    """Return every Nth batch of all sentences: the same batches, so rows, for any N."""
    first, step = shard
    return islice(in_chunks(rows, size), first - 1, None, step)


def _summary(counts: Counts, report: Report, path: Path) -> Iterator[str]:
    rewrites, sentences = plural(counts.rows, "candidate"), plural(counts.sentences, "sentence")
    yield f"{rewrites} of {sentences} in {path}"
    for name, number in counts.outcomes.most_common():
        yield f"  {readable(name)}: {number:,}"
    for name, number in counts.dropped.most_common():
        yield f"  pairs left out, {readable(name)}: {number:,}"
    for reason, number in report.refused.most_common():
        yield f"  lines refused, {readable(reason)}: {number:,}"
