"""The form that says how the files of a draft of a published set are read.

Its fields are those that the files have: a worker has read them before (`Outline.to_dict`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from releases.dataset.metadata import Metadata
from releases.dataset.published.columns import NONE, ROLES, SENTENCES
from releases.dataset.published.outline import LEFT_OUT
from releases.dataset.published.settings import Choices
from releases.dataset.published.stated import DRAWN
from releases.dataset.rows import SPLITS
from releases.documentation_forms import DocumentationForm
from releases.forms import MOST_SEED, SizeField
from releases.models import Release
from releases.published_forms import AboutForm, values_about
from releases.selectors.releases import metadata_of
from releases.services.published import choices_now

ROLE_NAMES: Mapping[str, str | Promise] = {
    "sentence1": _("Sentence 1"),
    "sentence2": _("Sentence 2"),
    "label": _("Label"),
    "grade": _("Grade or score"),
    "votes": _("Answers of people"),
    "votes0": _("Votes against"),
    "votes1": _("Votes for"),
    "id": _("ID"),
    "split": _("Split: train, dev or test"),
    "entity": _("Entity"),
    "domain": _("Domain"),
    "method": _("Method"),
    "language": _("Language"),
}
MEANINGS = [("", _("not said")), ("1", _("a paraphrase")), ("0", _("no paraphrase"))]
OF_SPLITS = [("", _("not said")), *((split, split) for split in SPLITS), (LEFT_OUT, _("left out"))]
DRAWN_FIELDS = {split: f"draw_{split}" for split in DRAWN}


class ReadingForm(AboutForm):
    """Columns, labels and splits as they were read, and what was stated of them."""

    accepts_refused = forms.BooleanField(label=_("Leave out all of these lines"), required=False)
    is_synthetic = forms.NullBooleanField(label=_("Sentences written by machines"))

    def __init__(self, release: Release, published: Mapping[str, Any], sent: Any = None) -> None:
        """`published` is what a preview says of the set, see `releases.dataset.preview`."""
        self.choices_before = choices_now(release)
        before = self.choices_before
        stated = {name: getattr(before, name) for name in ("accepts_refused", "is_synthetic")}
        initial = values_about(release) | stated
        super().__init__(sent, initial=initial, label_suffix="")
        declared = metadata_of(release).documentation
        self.documentation = DocumentationForm(sent, declared, release.project, draft=release)
        self.outline: Mapping[str, Any] = published.get("outline", {})
        self.sizes: Mapping[str, Any] = published.get("counts", {}).get("subsets", {})
        self._add_splits()
        self._add_columns()
        self._add_labels()

    def _add_splits(self) -> None:
        before, configs = self.choices_before, self.outline.get("configs", ())
        if len(configs) > 1:
            choices = [("", _("Choose")), *((name, name) for name in configs)]
            self.fields["config"] = forms.ChoiceField(
                label=_("Config"),
                choices=choices,
                initial=before.config,
                required=False,
                help_text=_("README.md names several sets of files."),
            )
        for number, file in enumerate(self.outline.get("files", ())):
            self.fields[f"file-{number}"] = forms.ChoiceField(
                label=file["name"], choices=OF_SPLITS, initial=file["split"], required=False
            )
        for split, name in DRAWN_FIELDS.items():
            if split in before.draw or not self._has_split(split):
                self.fields[name] = SizeField(
                    label=_("Draw %(split)s out of train") % {"split": split},
                    initial=before.draw.get(split, ""),
                    required=False,
                    help_text=_(
                        "A number of pairs, or a share: 500 or 10 %. Pairs that share a sentence "
                        "stay together."
                    ),
                )
        if DRAWN_FIELDS.values() & self.fields.keys():
            self.fields["seed"] = forms.IntegerField(
                label=_("Seed"),
                min_value=0,
                max_value=MOST_SEED,
                initial=before.seed,
                help_text=_("The same seed draws the same pairs."),
            )

    def _has_split(self, split: str) -> bool:
        """Return whether a file or, as far as is known, a column says that pairs are of a split."""
        if not self.outline:
            return True
        if self.sizes:
            return bool(self.sizes["labeled_final"][split]["pairs"])
        is_split_of_file = any(file["split"] == split for file in self.outline.get("files", ()))
        return is_split_of_file or "split" in self.outline.get("places", {})

    def _add_columns(self) -> None:
        roles = {place: role for role, place in self.outline.get("places", {}).items()}
        for place, name in enumerate(self.outline.get("header", ())):
            self.fields[f"column-{place}"] = forms.ChoiceField(
                label=name,
                choices=[("", _("not used")), *ROLE_NAMES.items()],
                initial=roles.get(place, ""),
                required=False,
            )

    def _add_labels(self) -> None:
        before = self.choices_before
        if self.outline.get("are_names") or before.labels:
            for number, (text, _rows) in enumerate(self.outline.get("labels", ())):
                self.fields[f"label-{number}"] = forms.ChoiceField(
                    label=text,
                    choices=MEANINGS,
                    initial=str(before.labels.get(text, "")),
                    required=False,
                    widget=forms.Select(attrs={"aria-label": text}),
                )
        numbers = self.outline.get("numbers")
        if numbers or before.paraphrase_from is not None:
            low, high = (f"{number:g}" for number in numbers or (0, 1))
            self.fields["paraphrase_from"] = forms.FloatField(
                label=_("A paraphrase from"),
                initial=None if before.paraphrase_from is None else f"{before.paraphrase_from:g}",
                required=False,
                help_text=_(
                    "The files have numbers from %(low)s to %(high)s. Pairs with this number or a "
                    "higher one are paraphrases."
                )
                % {"low": low, "high": high},
            )
        if self.outline.get("are_votes") or before.votes:
            yes, no = before.votes or (None, None)
            self.fields["votes_yes"] = forms.IntegerField(
                label=_("Votes that make a paraphrase"), min_value=1, initial=yes, required=False
            )
            self.fields["votes_no"] = forms.IntegerField(
                label=_("Votes that make no paraphrase"),
                min_value=1,
                initial=no,
                required=False,
                help_text=_("Pairs with fewer of either have too low agreement for a label."),
            )

    @property
    def about(self) -> list[forms.BoundField]:
        return [self[name] for name in AboutForm.base_fields]

    @property
    def columns(self) -> list[tuple[forms.BoundField, list[str]]]:
        """The field of each column with the cells of the first rows."""
        rows = self.outline["rows"]
        return [
            (self[f"column-{place}"], [row[place] for row in rows if place < len(row)])
            for place, _name in enumerate(self.outline["header"])
        ]

    @property
    def files_of_set(self) -> list[tuple[Mapping[str, Any], forms.BoundField]]:
        return [(file, self[f"file-{number}"]) for number, file in enumerate(self.outline["files"])]

    @property
    def of_splits(self) -> list[forms.BoundField]:
        names = ("config", *DRAWN_FIELDS.values(), "seed")
        return [self[name] for name in names if name in self.fields]

    @property
    def of_labels(self) -> list[forms.BoundField]:
        names = ("paraphrase_from", "votes_yes", "votes_no")
        return [self[name] for name in names if name in self.fields]

    def label_fields(self) -> Iterator[tuple[str, int, forms.BoundField | None]]:
        """Yield a published label, its number of rows, and the field of its meaning, if any."""
        for number, (text, rows) in enumerate(self.outline["labels"]):
            name = f"label-{number}"
            yield text, rows, self[name] if name in self.fields else None

    def is_valid(self) -> bool:
        return all([super().is_valid(), self.documentation.is_valid()])

    def metadata(self) -> Metadata:
        return replace(super().metadata(), documentation=self.documentation.documentation())

    def clean(self) -> None:
        roles = self._roles()
        for place, role in roles.items():
            if role and list(roles.values()).index(role) < list(roles).index(place):
                self.add_error(f"column-{place}", _now("Another column holds this. Choose one."))
        for role in SENTENCES:
            if roles and role not in roles.values():
                text = _now("Choose the column of “%(role)s”.")
                self.add_error(None, text % {"role": ROLE_NAMES[role]})
        yes, no = (self.cleaned_data.get(name) for name in ("votes_yes", "votes_no"))
        if (yes is None) != (no is None):
            self.add_error("votes_no" if no is None else "votes_yes", _now("Enter both numbers."))

    def _roles(self) -> dict[int, str]:
        places = range(len(self.outline.get("header", ())))
        return {place: self.cleaned_data.get(f"column-{place}", "") for place in places}

    def choices(self) -> Choices:
        """Return all of what is stated now; what the files do not have stays as it was."""
        values, before = self.cleaned_data, self.choices_before
        yes = values.get("votes_yes")
        return replace(
            before,
            config=values.get("config", before.config),
            files=self._files(),
            columns=self._columns(),
            labels=self._labels(),
            paraphrase_from=values.get("paraphrase_from"),
            votes=(yes, values["votes_no"]) if yes else None,
            language=values["language"],
            draw={
                split: values[name]
                for split, name in DRAWN_FIELDS.items()
                if values.get(name) is not None
            },
            seed=values.get("seed", before.seed),
            accepts_refused=values["accepts_refused"],
            is_synthetic=values["is_synthetic"],
        )

    def _files(self) -> dict[str, Any]:
        """Return the splits of files; what was not changed is as it was stated or recognised."""
        files = self.outline.get("files", ())
        splits = {
            file["name"]: self.cleaned_data[f"file-{number}"] for number, file in enumerate(files)
        }
        if splits == {file["name"]: file["split"] for file in files}:
            before = self.choices_before.files
            return {name: split for name, split in before.items() if name in splits}
        return {
            name: None if split == LEFT_OUT else split for name, split in splits.items() if split
        }

    def _columns(self) -> dict[str, str]:
        """Return the columns by role, so that none is recognised again; by number if need be."""
        header = self.outline.get("header", ())
        if not header:
            return dict(self.choices_before.columns)
        places = {role: place for place, role in self._roles().items() if role}
        stated = {
            role: header[place] if header.count(header[place]) == 1 else str(place + 1)
            for role, place in places.items()
        }
        return dict.fromkeys(ROLES, NONE) | stated

    def _labels(self) -> dict[str, int]:
        """Return what each label means; nothing if another column is the label now."""
        places = {role: place for place, role in self._roles().items()}
        if places.get("label") != self.outline.get("places", {}).get("label"):
            return {}
        meanings = {
            text: self.cleaned_data.get(f"label-{number}", "")
            for number, (text, _rows) in enumerate(self.outline.get("labels", ()))
        }
        return {text: int(meaning) for text, meaning in meanings.items() if meaning}
