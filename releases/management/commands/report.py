"""Prints the statistics of a study."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.management.arguments import project_named
from annotation.stats import latex
from common import commands
from common.tables import as_text
from releases.models import Comparison
from releases.selectors import report_tables
from releases.selectors.comparisons import (
    comparison_of_project,
    comparison_results,
    table10_of_sets,
)

TABLE10 = "Performance of non-experts on paraphrase identification"


class Command(commands.Command):
    """Prints tables as text, or everything as JSON."""

    help = (
        "PAWS Tables 3 to 5, agreement, generators compared, and each annotator's figures; of a "
        "translation study, Table 2 of PAWS-X and word error rates."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--project")
        what.add_argument(
            "--table10",
            nargs="+",
            metavar="PROJECT",
            help="PARADE Table 10: a row for each comparison study",
        )
        parser.add_argument("--json", action="store_true")
        parser.add_argument(
            "--latex", type=Path, metavar="FILE", help="write the tables but those of people"
        )

    def handle(self, **options: Any) -> None:
        if options["table10"]:
            self._print_table10(options)
            return
        project = project_named(options["project"])
        if options["latex"]:
            options["latex"].write_text(report_tables.as_latex(project), encoding="utf-8")
            return
        figures = report_tables.figures_of(project)
        if options["json"]:
            text = json.dumps(asdict(figures), indent=2, ensure_ascii=False, default=str)
            self.stdout.write(text)
            return
        for title, rows in report_tables.tables(figures):
            self.stdout.write(f"{title}\n\n{as_text(rows)}\n")
            if note := report_tables.note(title, figures):
                self.stdout.write(f"{note}\n\n")

    def _print_table10(self, options: dict[str, Any]) -> None:
        studies = [_comparison_named(name) for name in options["table10"]]
        majorities = [(study.release, comparison_results(study).majority) for study in studies]
        rows = table10_of_sets(majorities)
        if options["latex"]:
            table = latex.as_latex(rows, caption=TABLE10, label="table-10")
            options["latex"].write_text(f"{latex.PACKAGES}\n{table}", encoding="utf-8")
        elif options["json"]:
            lines = [
                {"release": str(release), "pairs": scored.pairs, **asdict(scored.scores)}
                for release, scored in majorities
            ]
            self.stdout.write(json.dumps(lines, indent=2, ensure_ascii=False))
        else:
            self.stdout.write(f"Table 10: {TABLE10}\n\n{as_text(rows)}")


def _comparison_named(name: str) -> Comparison:
    """Return the comparison study of this name. Raises CommandError."""
    study = comparison_of_project(project_named(name))
    if study is None or study.measures_labels:
        raise CommandError(
            f"{name} compares no people with a release. Name projects of `create_comparison` with "
            "--purpose people."
        )
    return study
