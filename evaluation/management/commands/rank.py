"""Scores the groups of a ranking, and prints how well each scorer ranks them."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from common import commands
from common.tables import Row, as_markdown
from evaluation import models_by_name, results
from evaluation.contract import silent
from evaluation.data import Unusable
from evaluation.experiments import fits
from evaluation.experiments.datasets import refuse_unusable
from evaluation.experiments.fits import Fit, scorer_of
from evaluation.management.releases import HELP, add_device, add_out, folder_for, open_release
from evaluation.networks.sentence_encoder import SentenceEncoder
from evaluation.ranking import report, scorers
from evaluation.ranking.appended import AppendedRow
from evaluation.ranking.back_translated import replace_paraphrases
from evaluation.ranking.experiment import DATA, scored_sets
from evaluation.ranking.files import read_appended, read_back_translated, read_groups
from evaluation.ranking.refusals import refuse_changed, refuse_seen
from evaluation.ranking.scorers import Scorer
from evaluation.ranking.swaps import Group
from evaluation.sections import FEW, FEW_GROUPS
from generation.model_store import models_folder
from releases.dataset.manifest import as_json
from releases.dataset.reader import Unreadable

NOTHING_BACK_TRANSLATED = (
    "{ranking} has no back-translated sentence. Make a ranking with make_ranking --back-translate."
)
NEEDS_RELEASE = "--models are fitted to train and dev of a release. Name it with --release."


class Command(commands.Command):
    """Reads the ranking and, to fit models, a release; never changes them.

    The scores of fitted models are kept next to the evaluation of the release, as by `evaluate`.
    """

    help = "Show how well scorers and models rank the groups of a ranking."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ranking", type=Path, help="a folder that make_ranking wrote")
        parser.add_argument(
            "--scorers", metavar="A,B", help=f"default: all, {','.join(scorers.NAMES)}"
        )
        parser.add_argument(
            "--back-translated",
            action="store_true",
            help="rank the groups whose paraphrase was back-translated, with that text",
        )
        parser.add_argument("--models", default="", metavar="A,B", help="fitted to --release")
        parser.add_argument("--release", type=Path, help=HELP)
        parser.add_argument(
            "--encoders", type=Path, nargs="+", default=[], metavar="DIR", help="folders of models"
        )
        add_device(parser)
        add_out(parser)
        parser.add_argument("--seed", type=commands.seed, default=0)
        parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")

    def handle(self, **options: Any) -> None:
        if options["json"] and options["json"].resolve().parent == options["ranking"].resolve():
            raise CommandError("A ranking never changes. Name a file in another folder: --json.")
        try:
            refuse_changed(options["ranking"])
            all_groups = list(read_groups(options["ranking"]))
            rows = list(read_appended(options["ranking"]))
            groups = (
                _replace_paraphrases(all_groups, options["ranking"])
                if options["back_translated"]
                else all_groups
            )
            models = self._trained_scorers(options, all_groups, groups, rows)
            scorer_by_name = {**_scorers(options), **models}
            seed = options["seed"]
            figures = [
                report.figures(*scorer, groups, seed=seed) for scorer in scorer_by_name.items()
            ]
            right_shares = [_right_shares(*model, groups, rows) for model in models.items()]
        except Unreadable as error:
            raise CommandError(f"{error.difference}.") from error
        except ValueError as error:
            raise CommandError(str(error)) from error
        self._print([report.table(figures)])
        if len(groups) < FEW_GROUPS:
            self.stdout.write(FEW)
        if right_shares:
            self.stdout.write(report.RIGHT)
            self._print(report.right_tables(right_shares, len(groups), rows))
        if options["json"]:
            document = {
                "seed": seed,
                "figures": [asdict(row) for row in figures],
                "right": right_shares,
            }
            options["json"].write_text(as_json(document), encoding="utf-8")

    def _trained_scorers(
        self,
        options: Mapping[str, Any],
        all_groups: Sequence[Group],
        groups: Sequence[Group],
        rows: Sequence[AppendedRow],
    ) -> dict[str, Scorer]:
        """Fit the named models on the release, and return what scores the groups, by model.

        Scores of an earlier run are used again. Of all groups, none may have a sentence of the
        release. Raises ValueError and CommandError.
        """
        names = commands.names(options["models"])
        if not names:
            return {}
        if options["release"] is None:
            raise Unusable(NEEDS_RELEASE)
        where = {"folder": models_folder(), "device": options["device"]}
        models = {name: models_by_name.model(name, **where) for name in names}
        with open_release(options["release"]) as (_folder, release):
            refuse_unusable(release, ("train", "dev"))
            refuse_seen(all_groups, rows, release.train + release.dev, release=options["release"])
            kept = results.part_store(folder_for(options["release"], release, options["out"]))
        tests, seed = scored_sets(groups, rows), options["seed"]
        planned = [Fit(DATA, name, seed, release.train, release.dev, tests) for name in names]
        scorer_by_model: dict[str, Scorer] = {}
        for fit, part in fits.run(planned, models=models, kept=kept, tell=silent):
            scorer_by_model[fit.model] = scorer_of(fit, part)
            if part.is_kept:
                self.stdout.write(f"{fit.model}: kept from an earlier run")
        return scorer_by_model

    def _print(self, tables: Sequence[Sequence[Row]]) -> None:
        for table in tables:
            self.stdout.write(as_markdown(table))


def _replace_paraphrases(groups: Sequence[Group], ranking: Path) -> list[Group]:
    """Return the groups that have a back-translated sentence, with it. Raises ValueError."""
    rows = list(read_back_translated(ranking))
    if not rows:
        raise Unusable(NOTHING_BACK_TRANSLATED.format(ranking=ranking))
    return replace_paraphrases(groups, rows)


def _scorers(options: Mapping[str, Any]) -> dict[str, Scorer]:
    """Return the scorers that are not fitted. Raises ValueError."""
    names = scorers.NAMES if options["scorers"] is None else commands.names(options["scorers"])
    fixed: dict[str, Scorer] = {name: scorers.scorer(name) for name in names}
    return fixed | {str(folder): SentenceEncoder.load(folder) for folder in options["encoders"]}


def _right_shares(
    name: str, scorer: Scorer, groups: Sequence[Group], rows: Sequence[AppendedRow]
) -> dict[str, Any]:
    return {
        "model": name,
        "swaps": report.right_by_swaps(groups, scorer),
        "words": report.right_by_words(rows, scorer) if rows else {},
    }
