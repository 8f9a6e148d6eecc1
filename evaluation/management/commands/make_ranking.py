"""Makes groups of partial paraphrases to rank, of a release or a TSV file."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from django.conf import settings as installation
from django.core.management.base import CommandError

from annotation.management.arguments import add_replies, ledger_of, reason_of, set_limit
from annotation.stats.overlap import is_english
from common import commands
from common.display import plural
from common.program import PROGRAM
from evaluation.data import Unusable
from evaluation.ranking.making import RankingSettings, check_place, make_ranking, put
from evaluation.ranking.sources import Source, read_source
from generation.endpoints.chat import EndpointError, Interrupted
from generation.errors import GenerationError
from generation.methods import back_translation
from generation.methods.contract import DEVICES
from generation.methods.model_loaders import load_tagger, load_writer
from generation.model_store import EMBEDDED
from generation.models import Method
from generation.nlp.back_translation import BackTranslator

OF_ENGLISH = (
    "The release is in the language {language}, and the embedded models know English only. "
    "Name another with --{option}."
)

OTHER_LANGUAGE = (
    "The release is in the language {language}, and --forward {name} translates from {known}. "
    "Name others with --forward and --backward."
)
GO_ON = "Go on with the same command: replies that came are kept."
NO_GROUPS = (
    "No group could be made of {pairs}, so nothing is written. Groups need paraphrases whose "
    "second sentence has three classes of words, each with two words to exchange."
)
UNCHECKED = (
    "{texts} back-translated, and checked by no person. Let people check them: "
    f"{PROGRAM} check_ranking"
)


class Command(commands.Command):
    """Never writes into the release."""

    help = "Make groups of partial paraphrases to rank, of the paraphrases of a release."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", type=Path, help="a folder, its .tar.gz, or a .tsv file")
        parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
        parser.add_argument("--split", default="test", choices=("train", "dev", "test"))
        parser.add_argument("--seed", type=commands.seed, default=0)
        parser.add_argument("--tagger", default=EMBEDDED, metavar="NAME", help="a spaCy pipeline")
        parser.add_argument(
            "--append", action="store_true", help="also write pairs with appended text"
        )
        parser.add_argument(
            "--back-translate",
            action="store_true",
            help="also write the paraphrases after translation into another language and back",
        )
        defaults = back_translation.METHOD.configure({})
        for name, text in (("forward", "into another language"), ("backward", "back from it")):
            text = f"a model that translates {text}; default: {defaults[name]}"
            parser.add_argument(f"--{name}", default=defaults[name], metavar="NAME", help=text)
        parser.add_argument(
            "--pivot",
            default=defaults["pivot"],
            metavar="TAG",
            help="the other language, for models on other servers",
        )
        parser.add_argument(
            "--device", default="cpu", choices=list(DEVICES), help="of the translators"
        )
        sample = "back-translate N groups, drawn by the seed; default: all"
        parser.add_argument("--sample", type=commands.at_least_one, metavar="N", help=sample)
        parser.add_argument(
            "--writer", default=EMBEDDED, metavar="NAME", help="a causal model that appends text"
        )
        add_replies(parser)

    def handle(self, **options: Any) -> None:
        out: Path = options["out"]
        settings = RankingSettings(
            split=options["split"], seed=options["seed"], sample=options["sample"]
        )
        with _raise_command_errors(options):
            check_place(out, source=options["release"])
            source = read_source(options["release"], split=settings.split)
            _check_language(source, options)
            ranking = make_ranking(
                source,
                settings,
                tagger=load_tagger(options["tagger"]),
                writer=load_writer(options["writer"]) if options["append"] else None,
                translator=_load_translator(source, options) if options["back_translate"] else None,
                software_version=installation.VERSION,
            )
        self._print(ranking.outcomes)
        if not ranking.groups:
            raise CommandError(NO_GROUPS.format(pairs=plural(len(ranking.results), "paraphrase")))
        put(ranking, out)
        self.stdout.write(f"{out} has {plural(len(ranking.groups), 'group')}.")
        if ranking.checks is not None:
            self._print(ranking.checks)
            self.stdout.write(UNCHECKED.format(texts=plural(len(ranking.rows), "sentence")))

    def _print(self, outcomes: Mapping[str, int]) -> None:
        for outcome, number in outcomes.items():
            self.stdout.write(f"{outcome}: {number:,}")


def _check_language(source: Source, options: dict[str, Any]) -> None:
    used = ("tagger", "writer") if options["append"] else ("tagger",)
    for option in used:
        if options[option] == EMBEDDED and not is_english(source.language):
            raise CommandError(OF_ENGLISH.format(language=source.language, option=option))


def _load_translator(source: Source, options: dict[str, Any]) -> BackTranslator:
    """Load the translators. Raises CommandError for another language, and MissingModel."""
    values = {name: options[name] for name in ("forward", "backward", "device", "pivot")}
    configuration = back_translation.METHOD.configure(values)
    settings = back_translation.METHOD.for_corpus(configuration, source.language)
    language = back_translation.METHOD.language(settings)
    if language not in ("", source.language.partition("-")[0]):
        name = options["forward"]
        text = OTHER_LANGUAGE.format(language=source.language, name=name, known=language)
        raise CommandError(text)
    set_limit(options, Method.BACK_TRANSLATION, settings)
    ledger = ledger_of(options)
    return cast(BackTranslator, back_translation.METHOD.load(settings, options["seed"], ledger))


@contextmanager
def _raise_command_errors(options: dict[str, Any]) -> Iterator[None]:
    """Turn what can be wrong with files and models into a message."""
    try:
        yield
    except (Unusable, GenerationError) as error:
        raise CommandError(str(error)) from error
    except (EndpointError, Interrupted) as error:
        raise CommandError(f"{reason_of(error, options)} {GO_ON}") from error
