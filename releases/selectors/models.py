"""Compares the generator models of a release with those of this installation."""

import json
from collections.abc import Iterator, Mapping

from generation import methods
from generation.errors import GenerationError
from releases.dataset.manifest import MANIFEST, Manifest
from releases.dataset.reader import Difference

# What the manifest says about a model besides its identity.
FURTHER = {"method", "part", "seed", "settings"}


def differences(manifest: Manifest) -> Iterator[Difference]:
    """Yield models that are missing here or have another identity.

    Models of imported pairs ran elsewhere and cannot be compared.
    """
    for model in manifest["models"]:
        if reason := _reason(model):
            yield Difference(MANIFEST, f"{model['method']}, {model['part']}: {reason}")


def _reason(model: Mapping[str, str]) -> str:
    """Return why a model is not as it is here; empty if it is, or ran elsewhere."""
    try:
        settings = json.loads(model["settings"])
        if "imported_from" in settings:
            return ""
        here = methods.named(model["method"]).identify(settings).get(model["part"])
    except (GenerationError, KeyError, ValueError, TypeError) as error:
        return f"cannot be compared: {error}"
    identity = {name: value for name, value in model.items() if name not in FURTHER}
    return "" if here == identity else f"is {identity} in the release, {here} here"
