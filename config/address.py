"""The address of an installation, and the settings that depend on it."""

from dataclasses import dataclass
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a public installation, or of one that only its own machine can reach.

    Public addresses must use HTTPS; otherwise passwords would be sent unencrypted.
    """

    origin: str
    host: str

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Parse `https://name`, `https://name:8443` or `http://localhost`.

        Raises ValueError with the reason for anything else.
        """
        parts = urlsplit(text)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        if parts.scheme not in ("http", "https") or not host:
            raise ValueError(f"{text!r} is no address such as https://pawsmith.example.")
        if parts.path.strip("/") or parts.query or parts.fragment or parts.username is not None:
            raise ValueError(f"{text!r} is more than an origin: https://pawsmith.example suffices.")
        if parts.scheme == "http" and host not in LOOPBACK:
            raise ValueError(f"{text!r} is reached from elsewhere, so it has to speak https.")
        if "*" in host or (parts.scheme == "https" and host in LOOPBACK):
            raise ValueError(f"{text!r} is not the name under which others reach it.")
        return cls(text.rstrip("/"), host)

    @property
    def is_public(self) -> bool:
        """Whether others can reach the installation, so that all rules for production apply."""
        return self.origin.startswith("https:")

    @property
    def hosts(self) -> list[str]:
        """The host names that requests may use."""
        return [self.host] if self.is_public else list(LOOPBACK)
