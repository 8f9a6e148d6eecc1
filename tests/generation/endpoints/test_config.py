from pathlib import Path

import pytest

from generation.endpoints.chat import Endpoint, EndpointRefused, Model, UnknownModel
from generation.endpoints.config import Endpoints, is_key_open, read, read_key

GOOD = """
[local]
address = "http://127.0.0.1:8000/v1/"
key_file = "/run/secrets/local"
parallel = 16
timeout = 120
per_minute = 0
note = "Runs in the cellar."
projects = ["Pets"]
keep_days = 90
[local.models.small]
served = "org/Small"
revision = "2026-09"
price_in = 0.1
price_out = 0.4
currency = "EUR"
most_tokens = 20_000_000
seed = true
logprobs = false
tokens_field = "max_tokens"
extra = { top_k = 20 }
"""
OTHER = '[other]\naddress = "http://192.168.1.7:8080"\n[other.models.plain]\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "endpoints.toml"


def read_text(file: Path, text: str) -> Endpoints:
    file.write_text(text, "utf-8")
    return read(file)


def test_file_with_all_keys(file: Path):
    endpoint = Endpoint(
        "local",
        "http://127.0.0.1:8000/v1",
        key_file="/run/secrets/local",
        note="Runs in the cellar.",
        projects=("Pets",),
    )
    model = Model(
        endpoint,
        "local:small",
        served="org/Small",
        revision="2026-09",
        price_in=0.1,
        price_out=0.4,
        currency="EUR",
        most_tokens=20_000_000,
        extra={"top_k": 20},
    )

    assert read_text(file, GOOD) == Endpoints({"local:small": model})


def test_name_of_a_model_is_served_by_default(file: Path):
    assert read_text(file, OTHER).model("other:plain").served == "plain"


ADDRESS = "http://127.0.0.1:8000/v1/"


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("parallel =", "paralel =", "[local] paralel: there is no such key."),
        ("seed = true", "sead = true", "[local.models.small] sead: there is no such key."),
        (f'address = "{ADDRESS}"', "", "[local] address: this is missing."),
        (ADDRESS, "127.0.0.1:8000", "[local] address: this is no address"),
        (ADDRESS, "file:///etc/passwd", "[local] address: this is no address"),
        (ADDRESS, "http://[::1", "[local] address: this is no address"),
        (ADDRESS, "http://127.0.0.1:port/v1", "[local] address: this is no address"),
        (ADDRESS, "https://ada:word@a.example/v1", "[local] address: it must have no user"),
        (ADDRESS, "https://a.example/v1?key=1", "[local] address: it must have no ? or #."),
        (ADDRESS, "https://a.example/v1#x", "[local] address: it must have no ? or #."),
        (ADDRESS, "https://a.example/v1/chat/completions", "[local] address: it is too long"),
        (ADDRESS, "http://a.example/v1", "[local] address: others could read the key"),
        (ADDRESS, "http://8.8.8.8/v1", "[local] address: others could read the key"),
        ("parallel = 16", 'parallel = "16"', "[local] parallel: this must be a whole number."),
        ("parallel = 16", "parallel = true", "[local] parallel: this must be a whole number."),
        ("parallel = 16", "parallel = 0", "[local] parallel: this must be from 1 to 512."),
        ("timeout = 120", "timeout = nan", "[local] timeout: this must be from 1 to 3,600."),
        ('["Pets"]', '"Pets"', "[local] projects: this must be a list of texts."),
        ('["Pets"]', "[7]", "[local] projects: this must be a list of texts."),
        ("/run/secrets/local", "local", "[local] key_file: this must be a text with a whole"),
        ("parallel", 'key_env = "K"\nparallel', "[local] key_env: name the key once"),
        ("price_in = 0.1", "", "[local.models.small] price_in: give price_in, price_out, curr"),
        ("price_in = 0.1", "price_in = -1", "[local.models.small] price_in: this must be from 0"),
        ('"EUR"', '"Euro"', "[local.models.small] currency: this must be a text of three"),
        ("top_k = 20", "n = 4", "[local.models.small] extra: Pawsmith sets n itself."),
        ("top_k = 20", "top_k = inf", "[local.models.small] extra: dates, inf and nan cannot"),
        ("max_tokens", "n_predict", "[local.models.small] tokens_field: this must be a text"),
        ("models.small", "models.Small", "[local.models.Small] a name has 1 to 60"),
        ("models.small", 'models."a:b"', "[local.models.a:b] a name has 1 to 60"),
        ("[local.models.small]", "[local.model.small]", "[local] model: there is no such key."),
    ],
)
def test_wrong_table_disables_its_endpoint_only(file: Path, before: str, after: str, problem: str):
    text = GOOD.replace(before, after, 1)
    assert text != GOOD

    endpoints = read_text(file, text + OTHER)

    assert [*endpoints.models] == ["other:plain"]
    assert problem in "\n".join(endpoints.problems)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[local", "endpoints.toml cannot be read: Expected ']'"),
        ('[Local]\naddress = "http://127.0.0.1"', "[Local]: a name has 1 to 30"),
        ("local = 3", "local: this must be a table"),
        ('[local]\naddress = "http://127.0.0.1"', "[local] models: add a table"),
        ("[local.models]\nsmall = 3", "[local.models.small] this must be a table."),
    ],
)
def test_wrong_file_has_no_models(file: Path, text: str, problem: str):
    endpoints = read_text(file, text)

    assert not endpoints.models
    assert problem in "\n".join(endpoints.problems)


def test_missing_file_is_a_problem(file: Path):
    assert read(file).problems == (f"{file} cannot be read: No such file or directory",)


@pytest.mark.parametrize(
    ("project", "names"),
    [
        (("8d3a", "Pets"), ["local:small", "other:plain"]),
        (("Pets", "Birds"), ["local:small", "other:plain"]),
        (("8d3a", "Birds"), ["other:plain"]),
    ],
)
def test_projects_use_models_that_are_for_them(file: Path, project: tuple[str], names: list[str]):
    models = read_text(file, GOOD + OTHER).models_for(*project)

    assert [model.name for model in models] == names


def test_unknown_model_is_named(file: Path):
    with pytest.raises(UnknownModel, match="no model local:large"):
        read_text(file, GOOD).model("local:large")


@pytest.mark.parametrize(
    ("text", "problem"),
    [("", "its file is empty"), ("a b", "must have one line"), ("ключ", "cannot be read")],
)
def test_unusable_key_is_refused_without_its_path(tmp_path: Path, text: str, problem: str):
    path = tmp_path / "key"
    path.write_text(text, "utf-8")

    with pytest.raises(EndpointRefused, match=problem) as error:
        read_key(Endpoint("local", ADDRESS, key_file=str(path)))

    assert str(tmp_path) not in str(error.value)


def test_key_may_end_with_a_line_break(tmp_path: Path):
    path = tmp_path / "key"
    path.write_text("sk-1\n")

    assert read_key(Endpoint("local", ADDRESS, key_file=str(path))) == "sk-1"


@pytest.mark.parametrize(("mode", "is_open"), [(0o600, False), (0o640, False), (0o644, True)])
def test_key_that_all_users_may_read_is_open(tmp_path: Path, mode: int, is_open: bool):
    path = tmp_path / "key"
    path.write_text("sk-1")
    path.chmod(mode)

    assert is_key_open(Endpoint("local", ADDRESS, key_file=str(path))) is is_open
