"""Models of the evaluation by name. torch is imported only for a model that needs it."""

from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from common.marked import gettext_noop as _
from common.program import PROGRAM, install_command
from evaluation.baselines import Never, Overlap
from evaluation.bow import Bow
from evaluation.contract import Model
from evaluation.vectors import Vectors

# Modules of evaluation.networks, in the order of the paper's tables.
NETWORKS = ("bilstm", "esim", "decatt", "decatt_bilstm", "esim_attention", "diin")
WITHOUT_TORCH = ("never", "overlap", "bow")
NAMES = (*WITHOUT_TORCH, *NETWORKS)
ENCODER = "encoder:"
DEVICES = CPU, GPU = "cpu", "cuda"
ABOUT = {
    "never": _("never: always the more frequent label"),
    "overlap": _("overlap: shared words and their order"),
    "bow": _("bow: words and pairs of neighbouring words"),
    "bilstm": _("bilstm: each sentence alone, in word order"),
    "esim": _("esim: each sentence alone, compared by a classifier"),
    "decatt": _("decatt: words aligned, order unseen"),
    "decatt_bilstm": _("decatt_bilstm: words aligned, in word order"),
    "esim_attention": _("esim_attention: words aligned, in word order, then read again"),
    "diin": _("diin: every word with every word"),
}


class NoModel(ValueError):
    """A model, or something that it needs, is missing; the message says what to do."""


def model(
    name: str, *, folder: Path | None = None, vectors: Path | None = None, device: str = CPU
) -> Model:
    """Return a model: one of NAMES, or "encoder:NAME" for a folder NAME in the folder of models.

    `vectors` is a text file of word vectors, instead of those that ship with Pawsmith. `device` is
    where networks and encoders are trained: one of DEVICES. Raises NoModel.
    """
    if name.startswith(ENCODER):
        return _encoder_model(name, name.removeprefix(ENCODER), folder, device)
    if name not in NAMES:
        raise NoModel(
            f"There is no model {name!r}. Choose one of {', '.join(NAMES)}, or {ENCODER}NAME."
        )
    words = _vectors(vectors)
    if name in NETWORKS:
        _require(name, "torch")
        network = import_module(f"evaluation.networks.{name}").Network
        network_model = import_module("evaluation.networks.network").NetworkModel(
            name, network, words
        )
        return _place_on_device(device, network_model)
    plain_models: dict[str, Model] = {"never": Never(), "overlap": Overlap(), "bow": Bow(words)}
    return plain_models[name]


def _vectors(file: Path | None) -> Vectors:
    if file is not None and not file.is_file():
        raise NoModel(f"There is no file of word vectors {file}. Give the path of a text file.")
    return Vectors(file)


def _encoder_model(name: str, folder_name: str, folder: Path | None, device: str) -> Model:
    _require(name, "torch", "transformers")
    if folder is None:
        raise NoModel(f"The model {name} needs the folder of models. Pass it as folder=.")
    encoder_folder = folder / folder_name
    if not folder_name or ".." in Path(folder_name).parts or not encoder_folder.is_dir():
        raise NoModel(
            f"The encoder {folder_name} is not here: there is no folder {encoder_folder}. "
            f"Get it: {PROGRAM} fetch_models {folder_name}"
        )
    return _place_on_device(
        device, import_module("evaluation.networks.encoder").EncoderModel(name, encoder_folder)
    )


def _place_on_device(device: str, built: Any) -> Model:
    """Return a network or encoder that is trained on a device. Raises NoModel if it is not here."""
    if device != CPU and not import_module("torch").cuda.is_available():
        raise NoModel(f"torch finds no GPU for {built.name}. Leave out --device {device}.")
    return cast(Model, replace(built, settings=replace(built.settings, device=device)))


def _require(name: str, *packages: str) -> None:
    if missing := [package for package in packages if find_spec(package) is None]:
        raise NoModel(
            f"The model {name} needs {' and '.join(missing)}. "
            f"Install with: {install_command('neural')}"
        )
