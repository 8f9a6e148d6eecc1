"""Prints the statistics of a study."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation.management.arguments import project_named
from annotation.stats.report import as_text
from common import commands
from releases.selectors import report_tables


class Command(commands.Command):
    """Prints tables as text, or everything as JSON."""

    help = (
        "PAWS Tables 3 to 5, agreement, generators compared, and each annotator's figures; of a "
        "translation study, Table 2 of PAWS-X and word error rates."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--json", action="store_true")
        parser.add_argument(
            "--latex", type=Path, metavar="FILE", help="write the tables but those of people"
        )

    def handle(self, **options: Any) -> None:
        project = project_named(options["project"])
        if options["latex"]:
            options["latex"].write_text(report_tables.as_latex(project), encoding="utf-8")
            return
        figures = report_tables.figures_of(project)
        if options["json"]:
            text = json.dumps(asdict(figures), indent=2, ensure_ascii=False, default=str)
            self.stdout.write(text)
            return
        for title, rows in report_tables.tables(project, figures):
            self.stdout.write(f"{title}\n\n{as_text(rows)}\n")
