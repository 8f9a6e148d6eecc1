"""Response headers for which Django and its middleware have no setting."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# Browser features that no page needs. Clipboard access is omitted, as copy buttons use it.
UNUSED = (
    "accelerometer",
    "autoplay",
    "browsing-topics",
    "camera",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "geolocation",
    "gyroscope",
    "hid",
    "identity-credentials-get",
    "idle-detection",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "picture-in-picture",
    "screen-wake-lock",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED),
}


def guarding_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: add HEADERS to responses that do not set them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware
