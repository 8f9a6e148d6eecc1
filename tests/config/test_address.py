"""Where an installation is reached decides which rules hold."""

import pytest

from config.address import Address


@pytest.mark.parametrize("text", ["https://pawsmith.example", "https://pawsmith.example:8443/"])
def test_an_address_of_https_is_public(text: str) -> None:
    address = Address.parse(text)

    assert address.is_public
    assert address.hosts == ["pawsmith.example"]
    assert address.origin == text.rstrip("/")


@pytest.mark.parametrize("text", ["http://localhost", "http://127.0.0.1:8000", "http://[::1]:8000"])
def test_without_https_only_the_same_machine_is_answered(text: str) -> None:
    address = Address.parse(text)

    assert not address.is_public
    assert address.hosts == ["localhost", "127.0.0.1", "[::1]"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no address"),
        ("pawsmith.example", "no address"),
        ("ftp://pawsmith.example", "no address"),
        ("https://", "no address"),
        ("https://pawsmith.example/study", "more than an origin"),
        ("https://ada@pawsmith.example", "more than an origin"),
        ("http://pawsmith.example", "has to speak https"),
        ("http://10.0.0.7", "has to speak https"),
        ("https://*", "not the name"),
        ("https://localhost", "not the name"),
    ],
)
def test_anything_else_is_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Address.parse(text)
