"""Forms of imports: what is uploaded, how it is read, and where its lines go."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.access import readers
from annotation.access.readers import Reader
from annotation.imports.detection import ENCODINGS
from annotation.imports.kinds import KINDS, Kind
from annotation.imports.previews import Preview
from annotation.imports.tables import Layout, Shape
from annotation.models import Import, Project
from annotation.projects.forms.pickers import LanguageField, LicenceInput
from common import licences
from common.languages import TAG
from generation.models import Corpus

MOST_PASTED = 5_000_000
MOST_TERMS = 500_000
SHAPES = {
    Shape.TXT: _("Text, one sentence per line"),
    Shape.CSV: _("Table (CSV, TSV)"),
    Shape.JSONL: _("JSON Lines"),
    Shape.JSON: _("JSON, a list of objects"),
    Shape.XLSX: _("Excel (.xlsx)"),
}
SEPARATORS = {
    ",": _("Comma ,"),
    ";": _("Semicolon ;"),
    "\t": _("Tab"),
    "|": _("Vertical bar |"),
}
NEW = "new"
LANGUAGE_TAG = RegexValidator(
    rf"^{TAG.pattern}$", _("Enter a language tag, such as en, de or pt-BR.")
)


class UploadForm(forms.Form):
    """What is imported, as a file or as pasted text."""

    kind = forms.ChoiceField(
        label=_("What do you want to import?"),
        choices=[(kind.name, kind.label) for kind in KINDS.values()],
        widget=forms.RadioSelect,
        initial=Import.Kind.SENTENCES,
    )
    file = forms.FileField(
        label=_("File"),
        required=False,
        help_text=_(
            "Text, CSV, TSV, JSON (also .gz or .xz) or Excel (.xlsx), up to 1 GB; a JSON list up "
            "to 20 MB."
        ),
        error_messages={"empty": _("The file is empty. Choose another file, or paste text below.")},
        widget=forms.FileInput(
            attrs={
                "accept": ".txt,.csv,.tsv,.tab,.json,.jsonl,.ndjson,.xlsx,.gz,.xz,"
                "text/plain,text/csv"
            }
        ),
    )
    text = forms.CharField(
        label=_("Or paste text"),
        required=False,
        strip=False,
        max_length=MOST_PASTED,
        help_text=_("One sentence or pair per line. You can paste rows copied from a spreadsheet."),
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto", "spellcheck": "false"}),
    )
    corpus = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def leave_out_corpora(self) -> None:
        """Offer no sentences and no pairs to judge, for a project whose pairs are complete."""
        kinds = [kind for kind in KINDS.values() if not kind.has_corpus]
        self.fields["kind"].choices = [(kind.name, kind.label) for kind in kinds]  # type: ignore[attr-defined]
        self.fields["kind"].initial = kinds[0].name

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        file, text = values.get("file"), values.get("text", "")
        if "file" in self.errors or "text" in self.errors:
            return values
        if not file and not text.strip():
            self.add_error("file", _("Choose a file or paste text below."))
        kind = KINDS.get(values.get("kind", ""))
        if kind and file and (file.size or 0) > kind.most_bytes:
            most = filesizeformat(kind.most_bytes)
            reason = gettext("The file is too large: the maximum is %(most)s. Split it.")
            self.add_error("file", reason % {"most": most})
        return values


class LayoutForm(forms.Form):
    """How the file is read."""

    shape = forms.ChoiceField(label=_("Format"), choices=list(SHAPES.items()))
    encoding = forms.ChoiceField(
        label=_("Encoding"), choices=list(ENCODINGS.items()), required=False
    )
    delimiter = forms.ChoiceField(
        label=_("Column separator"), choices=list(SEPARATORS.items()), required=False
    )
    sheet = forms.ChoiceField(label=_("Sheet"), required=False)
    has_header = forms.BooleanField(label=_("The first row contains column names"), required=False)

    def __init__(self, *args: Any, layout: Layout, sheets: list[str], **options: Any) -> None:
        super().__init__(*args, **options | {"initial": layout.to_dict(), "label_suffix": ""})
        # A workbook is no text, and a text is no workbook.
        is_book = layout.shape is Shape.XLSX
        shapes = [
            (shape, words) for shape, words in SHAPES.items() if (shape is Shape.XLSX) is is_book
        ]
        self.fields["shape"].choices = shapes  # type: ignore[attr-defined]
        self.fields["sheet"].choices = [(name, name) for name in sheets]  # type: ignore[attr-defined]
        unused = {
            Shape.TXT: ("delimiter", "sheet", "has_header"),
            Shape.CSV: ("sheet",),
            Shape.JSONL: ("delimiter", "sheet", "has_header"),
            Shape.JSON: ("delimiter", "sheet", "has_header"),
            Shape.XLSX: ("encoding", "delimiter"),
        }
        for name in unused[layout.shape]:
            del self.fields[name]
        self.layout = layout

    def chosen(self) -> Layout:
        """Return the layout; what the form does not show stays as it was."""
        values = {name: value for name, value in self.cleaned_data.items() if value != ""}
        return Layout.from_dict(self.layout.to_dict() | values)


class ColumnsForm(forms.Form):
    """Which column holds which field, and where the lines go."""

    target = forms.ChoiceField(label=_("Corpus"), required=False)
    corpus_name = forms.CharField(
        label=_("Name of the new corpus"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    language = LanguageField(label=_("Language"), required=False, initial="en")
    licence = forms.CharField(
        label=_("Licence"),
        required=False,
        max_length=200,
        help_text=_("The licence under which you may use and publish the sentences."),
        widget=LicenceInput(),
    )
    source = forms.CharField(
        label=_("Source"),
        required=False,
        max_length=2000,
        help_text=_("Where the sentences come from, such as a web address or a citation."),
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    origin = forms.CharField(
        label=_("Source of the labels"),
        required=False,
        max_length=200,
        help_text=_("Needed if you map a label column. The labels are listed under this name."),
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    name = forms.CharField(
        label=_("Model name"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    revision = forms.CharField(
        label=_("Model revision"),
        required=False,
        max_length=200,
        help_text=_("A version, a date or a digest. Each revision counts as a separate model."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    note = forms.CharField(
        label=_("Prompt and settings"),
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    terms = forms.CharField(
        label=_("Terms"),
        required=False,
        max_length=MOST_TERMS,
        help_text=_("One entity per line: cards of other entities are refused. Empty: all."),
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto", "spellcheck": "false"}),
    )
    CORPUS = ("target", "corpus_name", "language", "licence", "source")
    OF_KIND = {
        Import.Kind.SENTENCES: CORPUS,
        Import.Kind.FLASHCARDS: (*CORPUS, "terms"),
        Import.Kind.PAIRS: (*CORPUS, "origin"),
        Import.Kind.MODEL_JUDGMENTS: ("name", "revision", "note"),
    }

    def __init__(
        self, *args: Any, row: Import, preview: Preview, user: Reader, kind: Kind, **options: Any
    ) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})
        self.kind, self.row = kind, row
        names_of_kind = self.OF_KIND.get(Import.Kind(kind.name), ())
        for name in [name for name in self.fields if name not in names_of_kind]:
            del self.fields[name]
        columns = [("", "–"), *((str(n), name) for n, name in enumerate(preview.header))]
        for field in kind.fields:
            self.fields[f"column_{field.name}"] = forms.ChoiceField(
                label=field.label,
                help_text=field.help,
                choices=columns,
                required=field.is_required,
                initial=str(row.columns.get(field.name, "")),
                error_messages={"required": _("Choose the column for this field.")},
            )
        if kind.has_corpus:
            self._offer_corpora(row, user)
        elif "name" in self.fields:
            self.fields["name"].required = True
        for name in row.options.keys() & self.fields.keys():
            self.fields[name].initial = row.options[name]

    def _offer_corpora(self, row: Import, user: Reader) -> None:
        """Offer the corpora of the project first, then those that the person may use."""
        usable = readers.usable_corpora(user)
        self.usable = {str(corpus.pk): corpus for corpus in usable.order_by("name")}
        of_project = set(row.project.corpora.values_list("pk", flat=True))
        names = sorted(self.usable.values(), key=lambda corpus: corpus.pk not in of_project)
        new = (NEW, _("New corpus"))
        target = self.fields["target"]
        target.choices = [new, *((str(corpus.pk), corpus.name) for corpus in names)]  # type: ignore[attr-defined]
        target.initial = str(row.corpus_id or NEW)
        self.fields["corpus_name"].initial = _stem(row.name)

    @property
    def columns_of_table(self) -> list[forms.BoundField]:
        return [self[f"column_{field.name}"] for field in self.kind.fields]

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        columns: dict[str, str] = {}
        for field in self.kind.fields:
            column = values.get(f"column_{field.name}", "")
            if column and column in columns.values():
                reason = _("Another field already uses this column. Choose a different column.")
                self.add_error(f"column_{field.name}", reason)
            columns[field.name] = column
        if values.get("target") == NEW:
            self._check_new(values)
        return values

    def _check_new(self, values: dict[str, Any]) -> None:
        name = values.get("corpus_name", "").strip()
        if not name:
            self.add_error("corpus_name", _("Give the new corpus a name."))
        elif Corpus.objects.filter(name=name).exists():
            self.add_error("corpus_name", _("This name is taken. Choose another one."))
        if not values.get("language") and "language" not in self.errors:
            self.add_error("language", _("Enter the language of the sentences."))

    def clean_licence(self) -> str:
        """Return the licence as SPDX writes it, or as it is: sources have licences of their own."""
        text: str = self.cleaned_data["licence"].strip()
        try:
            return licences.spdx(text)
        except ValueError:
            return text

    def columns(self) -> dict[str, int]:
        """Return the column of each field that has one: as chosen, or else as detected."""
        if not self.is_bound:
            return dict(self.row.columns)
        values = {
            field.name: self.cleaned_data[f"column_{field.name}"] for field in self.kind.fields
        }
        return {name: int(column) for name, column in values.items() if column != ""}

    def options(self) -> dict[str, str]:
        names = ("origin", "name", "revision", "note", "terms")
        return {name: self.cleaned_data[name] for name in names if name in self.fields}

    def corpus(self) -> Corpus | None:
        """Return the chosen corpus; None for a new one, or where none is asked for."""
        if not self.kind.has_corpus:
            return None
        corpus_id = self.cleaned_data["target"] if self.is_bound else self["target"].value()
        return self.usable.get(corpus_id)

    def about(self) -> dict[str, str]:
        """Return what describes the new corpus, as `corpora.create` takes it."""
        values = self.cleaned_data
        return {
            "name": values["corpus_name"],
            "language": values["language"],
            "licence": values["licence"],
            "description": values["source"],
        }


class CorpusForm(forms.Form):
    """A corpus that the person may use and that the project does not have."""

    corpus = forms.ModelChoiceField(Corpus.objects.none(), label=_("Corpus"))

    def __init__(self, *args: Any, project: Project, user: Reader, **options: Any) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})
        corpora = readers.usable_corpora(user).exclude(projects=project).order_by("name")
        self.fields["corpus"].queryset = corpora  # type: ignore[attr-defined]


def _stem(name: str) -> str:
    return name.rpartition(".")[0][:100] or name[:100]
