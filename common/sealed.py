"""Encryption of secrets in the database, with keys derived from the secret key of the installation.

A copy of the database alone reveals none of them. What was encrypted with a former secret key can
still be read while the key is among PAWSMITH_FORMER_SECRET_KEYS.
"""

import base64
from functools import lru_cache

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def cipher(purpose: bytes) -> MultiFernet:
    """Return the cipher for a purpose; one cannot read what another wrote."""
    return _cipher(purpose, settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


@lru_cache(maxsize=4)
def _cipher(purpose: bytes, *secret_keys: str) -> MultiFernet:
    return MultiFernet([Fernet(_derive_key(key, purpose)) for key in secret_keys])


def _derive_key(secret_key: str, purpose: bytes) -> bytes:
    derivation = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose)
    return base64.urlsafe_b64encode(derivation.derive(secret_key.encode()))
