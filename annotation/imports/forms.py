"""Forms of an uploaded file: how it is read, what its columns hold, and where its lines go."""

from typing import Any

from django import forms
from django.forms.boundfield import BoundWidget
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.access import readers
from annotation.access.readers import Reader
from annotation.imports import selectors
from annotation.imports.corpus_forms import AboutCorpus, style
from annotation.imports.detection import ENCODINGS
from annotation.imports.kinds import Kind
from annotation.imports.previews import Preview
from annotation.imports.tables import Layout, Shape
from annotation.models import Import
from generation.models import Corpus

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
WITHOUT, ONLY_NEW = "without", "new"


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
        style(self)
        self.layout = layout

    def gist(self) -> str:
        names = ("shape", "encoding", "delimiter", "sheet")
        choices: Any = {name: self.fields[name].choices for name in names if name in self.fields}  # type: ignore[attr-defined]
        labels = (dict(options).get(self[name].value(), "") for name, options in choices.items())
        return ", ".join(filter(None, map(str, labels)))

    def chosen(self) -> Layout:
        """Return the layout; what the form does not show stays as it was."""
        values = {name: value for name, value in self.cleaned_data.items() if value != ""}
        return Layout.from_dict(self.layout.to_dict() | values)


class ColumnsForm(AboutCorpus):
    """Which field each column holds, what to do with IDs that clash, and where the lines go."""

    ids = forms.ChoiceField(
        choices=[(WITHOUT, ""), (ONLY_NEW, "")], required=False, initial=WITHOUT
    )
    target = forms.ChoiceField(
        label=_("Corpus"),
        error_messages={"required": _("Choose a corpus.")},
        widget=forms.RadioSelect,
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
    CORPUS = ("ids", "target", *AboutCorpus.base_fields)
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
        # What changes with these is shown before the form is sent.
        self.address = reverse("import", args=[row.project.public_id, row.public_id])
        self.columns_of_table = [
            self._add_column(number, name) for number, name in enumerate(preview.header)
        ]
        if kind.has_corpus:
            self._offer_corpora(row, user)
        elif "name" in self.fields:
            self.fields["name"].required = True
        for name in {"name", "revision", "terms"} & self.fields.keys():
            self.fields[name].widget.attrs["hx-post"] = self.address
        for name in row.options.keys() & self.fields.keys():
            self.fields[name].initial = row.options[name]
        style(self)

    def _add_column(self, number: int, name: str) -> forms.BoundField:
        fields_by_column = {column: field for field, column in self.row.columns.items()}
        label = _("Column %(number)s: %(name)s") % {"number": number + 1, "name": name}
        attrs = {"aria-label": label, "hx-post": self.address}
        self.fields[f"column_{number}"] = forms.ChoiceField(
            label=name,
            choices=[
                *((field.name, field.label) for field in self.kind.fields),
                ("", _("not imported")),
            ],
            required=False,
            initial=fields_by_column.get(number, ""),
            widget=forms.Select(attrs=attrs),
        )
        return self[f"column_{number}"]

    def _offer_corpora(self, row: Import, user: Reader) -> None:
        """Offer the corpora of the project, a new one, and the others that the person may use."""
        usable = readers.usable_corpora(user).order_by("name")
        self.usable = {str(corpus.pk): corpus for corpus in usable}
        of_project = row.project.corpora.order_by("name").values_list("pk", flat=True)
        self.first_keys = [*map(str, of_project), NEW]
        target = self.fields["target"]
        target.choices = [(key, key) for key in dict.fromkeys([*self.first_keys, *self.usable])]  # type: ignore[attr-defined]
        # With several, none is chosen: a file that went to the wrong one could not be taken back.
        [first, *others] = self.first_keys
        target.initial = str(row.corpus_id or (first if others == [NEW] else NEW))
        target.widget.attrs["hx-post"] = self.address
        self.fields["corpus_name"].initial = _stem(row.name)

    def cards(self) -> list[tuple[BoundWidget, Corpus | None]]:
        """Return the radio buttons of the project's corpora, with them, and that of a new one."""
        corpora = {str(corpus.pk): corpus for corpus in selectors.corpora_of(self.row.project)}
        return [
            (radio, corpora.get(key)) for key, radio in self._radios() if key in self.first_keys
        ]

    def other_cards(self) -> list[tuple[BoundWidget, Corpus]]:
        radios = self._radios()
        return [(radio, self.usable[key]) for key, radio in radios if key not in self.first_keys]

    def _radios(self) -> list[tuple[str, BoundWidget]]:
        return [(str(radio.data["value"]), radio) for radio in self["target"]]

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        fields_chosen = set[str]()
        for column in self.columns_of_table:
            name = values.get(column.name, "")
            if name and name in fields_chosen:
                reason = _("Another column is imported as this. Choose something else for one.")
                self.add_error(column.name, reason)
            fields_chosen.add(name)
        for field in self.kind.required:
            if field.name not in fields_chosen:
                self.add_error(
                    None, _("Choose the column for “%(field)s”.") % {"field": field.label}
                )
        if values.get("target") == NEW:
            self._check_new(values)
        else:
            for name in AboutCorpus.base_fields:
                self.errors.pop(name, None)
        return values

    def _check_new(self, values: dict[str, Any]) -> None:
        name = values.get("corpus_name", "").strip()
        if not name:
            self.add_error("corpus_name", _("Give the new corpus a name."))
        elif Corpus.objects.filter(name=name).exists():
            self.add_error("corpus_name", _("This name is taken. Choose another one."))
        if not values.get("language") and "language" not in self.errors:
            self.add_error("language", _("Enter the language of the sentences."))

    def columns(self) -> dict[str, int]:
        """Return the column of each field that has one."""
        return {
            str(name): number
            for number, column in enumerate(self.columns_of_table)
            if (name := column.value())
        }

    def leave_out_ids(self) -> str:
        """Propose not to import the column of the IDs; return its name."""
        column = self.columns_of_table[self.columns()[self.kind.identity[0]]]
        column.field.initial = column.initial = ""
        return str(column.label)

    @property
    def keeps_clashing_ids(self) -> bool:
        return "ids" in self.fields and self["ids"].value() == ONLY_NEW

    def options(self) -> dict[str, str]:
        names = ("origin", "name", "revision", "note", "terms")
        return {name: self.cleaned_data[name] for name in names if name in self.fields}

    def texts(self) -> dict[str, str]:
        """Return what is entered in addition to the columns and decides which lines are refused."""
        names = ("name", "revision", "terms", "language")
        return {name: str(self[name].value() or "") for name in names if name in self.fields}

    def corpus(self) -> Corpus | None:
        """Return the chosen corpus; None for a new one, or where none is asked for."""
        return self.usable.get(self["target"].value()) if self.kind.has_corpus else None


def move_field(sent: QueryDict, name: str) -> QueryDict:
    """Return what was sent; the other column that had the field of the column `name` has none."""
    values = sent.copy()
    for other in sent if name.startswith("column_") else ():
        if other.startswith("column_") and other != name and sent[other] == sent.get(name):
            values[other] = ""
    return values


def _stem(name: str) -> str:
    return name.rpartition(".")[0][:100] or name[:100]
