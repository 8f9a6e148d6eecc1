"""The operator's file of endpoints (docs/operator/endpoints.md), and the keys that it points to."""

import json
import os
import re
import stat
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from generation.endpoints.chat import Endpoint, EndpointRefused, Model, UnknownModel

_BOUNDS = {
    "parallel": (1, 512),
    "timeout": (1, 3600),
    "per_minute": (0, 1_000_000),
    "keep_days": (1, 3650),
    "price_in": (0, 1_000_000),
    "price_out": (0, 1_000_000),
    "most_tokens": (0, 10**15),
}
_PATTERNS = {
    "served": (r"\S.{0,299}", "of 1 to 300 characters"),
    "revision": (r".{0,100}", "of at most 100 characters"),
    "note": (r".{0,300}", "of at most 300 characters, in one line"),
    "currency": (r"[A-Z]{3}", 'of three capitals, such as "EUR"'),
    "key_file": (r"/.+", "with a whole path, such as /run/secrets/local"),
    "key_env": (r"[A-Za-z_][A-Za-z0-9_]*", "with the name of a variable of the environment"),
    "tokens_field": (r"max_tokens|max_completion_tokens", "max_tokens or max_completion_tokens"),
}
_PRICE = ("price_in", "price_out", "currency")
# What `body_of` sends, or what would change how the server answers.
_OWN_FIELDS = {
    "model", "messages", "temperature", "top_p", "max_tokens", "max_completion_tokens", "seed",
    "logprobs", "top_logprobs", "n", "stream",
}  # fmt: skip


_TEXTS = tuple[str, ...]
_KINDS: Mapping[Any, tuple[type | tuple[type, ...], str]] = {
    str: (str, "a text"),
    int: (int, "a whole number"),
    float: ((int, float), "a number"),
    bool: (bool, "true or false"),
    _TEXTS: (list, "a list of texts"),
}


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The models of a file by name, and what is wrong with the tables that were left out."""

    models: Mapping[str, Model]
    problems: tuple[str, ...] = ()

    def model(self, name: str) -> Model:
        """Raises UnknownModel."""
        if name not in self.models:
            raise UnknownModel(
                f"This installation has no model {name}. Choose another one, or ask the "
                "administrator of this installation."
            )
        return self.models[name]

    def models_for(self, *project: str) -> list[Model]:
        """Return the models that a project may use, from its id and its name."""
        return [model for model in self.models.values() if model.endpoint.serves(*project)]


def read(path: Path) -> Endpoints:
    """Read the file; a table with a problem disables its endpoint only. Reads no keys."""
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        return Endpoints({}, (f"{path} cannot be read: {reason}",))
    models: dict[str, Model] = {}
    problems: list[str] = []
    for name, table in tables.items():
        models_of_endpoint, problems_of_endpoint = _read_endpoint(name, table)
        problems += problems_of_endpoint
        if not problems_of_endpoint:
            models |= {model.name: model for model in models_of_endpoint}
    return Endpoints(models, tuple(problems))


def read_key(endpoint: Endpoint) -> str:
    """Return the key, "" for an endpoint without one. Raises EndpointRefused."""
    if problem := key_problem(endpoint):
        raise EndpointRefused(f"The key of {endpoint.name} cannot be used: {problem}")
    return _key(endpoint)


def key_problem(endpoint: Endpoint) -> str:
    """Return why the key cannot be used; "" if it can, or if there is none."""
    if not endpoint.has_key:
        return ""
    try:
        key = _key(endpoint)
    except (OSError, ValueError):
        return "its file cannot be read. Correct key_file, or let the user of workers read it."
    source = "its file" if endpoint.key_file else f"the variable {endpoint.key_env}"
    if not key:
        return f"{source} is empty."
    if not re.fullmatch(r"[!-~]+", key):
        return f"{source} must have one line of printable ASCII characters without spaces."
    return ""


def is_key_open(endpoint: Endpoint) -> bool:
    """Whether users outside its group may read the file of the key."""
    return bool(endpoint.key_file) and bool(Path(endpoint.key_file).stat().st_mode & stat.S_IROTH)


def _key(endpoint: Endpoint) -> str:
    if endpoint.key_file:
        return Path(endpoint.key_file).read_text("ascii").strip()
    return os.environ.get(endpoint.key_env, "").strip()


def _read_endpoint(name: str, table: Any) -> tuple[list[Model], list[str]]:
    """Return the models of a table, and its problems: both lists are of no use together."""
    if not re.fullmatch(r"[a-z0-9-]{1,30}", name):
        return [], [f"[{name}]: a name has 1 to 30 of a-z, 0-9 and -."]
    if not isinstance(table, dict):
        return [], [f"{name}: this must be a table: write [{name}] above its lines."]
    values = {key: value for key, value in table.items() if key != "models"}
    problems = [f"[{name}] {text}" for text in _endpoint_problems(values)]
    model_tables = table.get("models")
    if not isinstance(model_tables, dict) or not model_tables:
        return [], [*problems, f"[{name}] models: add a table [{name}.models.NAME]."]
    for model_name, model_table in model_tables.items():
        where = f"[{name}.models.{model_name}]"
        problems += [f"{where} {text}" for text in _model_problems(model_name, model_table)]
    if problems:
        return [], problems
    endpoint = Endpoint(name, **_plain(values) | {"address": values["address"].rstrip("/")})
    return [
        Model(endpoint, f"{name}:{key}", **{"served": key} | _plain(model_table))
        for key, model_table in model_tables.items()
    ], []


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if key == "projects" else value for key, value in values.items()}


def _endpoint_problems(values: Mapping[str, Any]) -> Iterator[str]:
    wrong_keys = {}
    for key, text in _value_problems(Endpoint, values, {"name"}):
        wrong_keys[key] = text
        yield f"{key}: {text}"
    if wrong_keys.keys() & {"address", "key_file", "key_env"}:
        return
    has_key = bool(values.get("key_file") or values.get("key_env"))
    if "key_file" in values and "key_env" in values:
        yield "key_env: name the key once: remove key_file or key_env."
    if problem := _address_problem(values.get("address", ""), has_key=has_key):
        yield f"address: {problem}"


def _address_problem(address: str, *, has_key: bool) -> str:
    example = 'write what stands before /chat/completions, such as "http://127.0.0.1:8000/v1".'
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return f"this is no address: {example}"
    if parts.scheme not in ("http", "https") or not host or re.search(r"\s", address):
        return f"this is no address: {example}"
    if parts.username is not None or parts.password is not None:
        return "it must have no user or password. Name the key by key_file or key_env."
    if "?" in address or "#" in address:
        return "it must have no ? or #."
    if parts.path.rstrip("/").endswith("/chat/completions"):
        return f"it is too long: {example}"
    if has_key and parts.scheme == "http" and not is_near(host):
        return "others could read the key on the way: use https."
    return ""


def is_near(host: str) -> bool:
    """Whether a host is this machine or in a private network: services of Docker have no dot."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".internal", ".local"))


def _model_problems(name: str, table: Any) -> Iterator[str]:
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,59}", name):
        yield "a name has 1 to 60 of a-z, 0-9, dot, - and _, and begins with a letter or digit."
    if not isinstance(table, dict):
        yield "this must be a table."
        return
    for key, text in _value_problems(Model, table, {"endpoint", "name"}):
        yield f"{key}: {text}"
    if 0 < len(table.keys() & {*_PRICE}) < len(_PRICE):
        yield f"{_PRICE[0]}: give {', '.join(_PRICE)}, or none of them."
    extra = table.get("extra")
    if isinstance(extra, dict):
        if fields_of_ours := sorted(extra.keys() & _OWN_FIELDS):
            yield f"extra: Pawsmith sets {', '.join(fields_of_ours)} itself. Remove it here."
        try:
            json.dumps(extra, allow_nan=False)
        except (TypeError, ValueError):
            yield "extra: dates, inf and nan cannot be sent. Remove them."


def _value_problems(
    kind: type[Endpoint] | type[Model], values: Mapping[str, Any], fixed: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Return keys with what is wrong; `fixed` are fields that no key of the table sets."""
    declared = {field.name: field for field in fields(kind) if field.name not in fixed}
    for key, value in values.items():
        if key not in declared:
            yield key, f"there is no such key. Keys are {', '.join(declared)}."
        elif problem := _problem_of(key, value, declared[key].type):
            yield key, problem
    for key, field in declared.items():
        is_needed = field.default is MISSING and field.default_factory is MISSING
        if is_needed and key not in values and key != "served":
            yield key, "this is missing."


def _problem_of(key: str, value: Any, kind: Any) -> str:
    accepted, words = _KINDS.get(kind, (dict, "a table"))
    is_wrong = not isinstance(value, accepted) or (kind is not bool and isinstance(value, bool))
    if is_wrong or (kind == _TEXTS and not all(isinstance(text, str) for text in value)):
        return f"this must be {words}."
    if key in _BOUNDS and not _BOUNDS[key][0] <= value <= _BOUNDS[key][1]:
        return "this must be from {:,} to {:,}.".format(*_BOUNDS[key])
    if key in _PATTERNS and not re.fullmatch(_PATTERNS[key][0], value):
        return f"this must be a text {_PATTERNS[key][1]}."
    return ""
