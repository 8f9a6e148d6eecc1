"""One try to send a delivery to a target, in the form of Standard Webhooks.

Receivers check the signature, and recognize by `webhook-id` what they have got before
(https://www.standardwebhooks.com).
"""

import asyncio
import base64
import hmac
import json

import httpx2
from django.utils import timezone

from generation.endpoints.answers import Secret
from operations import targets
from operations.models import Delivery
from operations.targets import BadFile, BadSecret

SECONDS = 10.0
MOST_QUOTED_BYTES = 1_000


class NotDelivered(Exception):
    """A try failed. The message says why; `status` is that of the answer, if there was one."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status


def post(row: Delivery) -> int:
    """Send to a target and return the status of its answer. Raises NotDelivered."""
    try:
        target = targets.targets().get(row.target)
        if target is None:
            raise NotDelivered(f"The file of webhooks has no target {row.target}.")
        secret = target.secret()
    except (BadFile, BadSecret) as error:
        raise NotDelivered(str(error)) from None
    body = json.dumps(row.payload, ensure_ascii=False).encode()
    delivery_id, timestamp = str(row.public_id), int(timezone.now().timestamp())
    headers = {
        "content-type": "application/json",
        "user-agent": "Pawsmith",
        "webhook-id": delivery_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(secret, delivery_id, timestamp, body),
    }
    try:
        status, beginning = asyncio.run(_ask(target.address, body, headers))
    except TimeoutError:
        raise NotDelivered(f"No answer within {SECONDS:g} seconds.") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise NotDelivered(f"No connection: {error or type(error).__name__}") from None
    if 200 <= status < 300:
        return status
    quoted = Secret(secret).quote(beginning)
    reason = "It redirects, which is not followed." if 300 <= status < 400 else quoted
    raise NotDelivered(f"Answered {status}. {reason}".strip(), status)


async def _ask(address: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    """Return the status and the beginning of the body. Raises TimeoutError after SECONDS."""
    beginning = b""
    async with (
        asyncio.timeout(SECONDS),
        httpx2.AsyncClient(timeout=SECONDS) as client,
        client.stream("POST", address, content=body, headers=headers) as response,
    ):
        async for part in response.aiter_raw():
            beginning += part
            if len(beginning) >= MOST_QUOTED_BYTES:
                break
        return response.status_code, beginning[:MOST_QUOTED_BYTES]


def signature(secret: str, delivery_id: str, timestamp: int, body: bytes) -> str:
    """Return the value of the header `webhook-signature`; `secret` is in base64."""
    signed = f"{delivery_id}.{timestamp}.".encode() + body
    digest = hmac.digest(base64.b64decode(secret), signed, "sha256")
    return f"v1,{base64.b64encode(digest).decode()}"
