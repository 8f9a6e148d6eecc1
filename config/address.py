"""Where people find an installation, and what follows from it."""

from dataclasses import dataclass
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Address:
    """Of an installation for others, or of one that only its own machine can reach.

    There is nothing between them: what others reach speaks HTTPS, or passwords would be read on
    their way.
    """

    origin: str
    host: str

    @classmethod
    def parse(cls, text: str) -> "Address":
        """`https://name`, `https://name:8443`, or `http://localhost`.

        Raises ValueError for anything else, and says what is wrong with it.
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
        """Whether others reach it, so that every rule for production holds."""
        return self.origin.startswith("https:")

    @property
    def hosts(self) -> list[str]:
        """The names that a request may ask for."""
        return [self.host] if self.is_public else list(LOOPBACK)
