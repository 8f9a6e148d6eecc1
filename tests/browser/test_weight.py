"""What the page of work costs a browser that has nothing of it yet."""

import gzip

from tests.annotation import make
from tests.browser.work_page import await_ready

REQUESTS, BYTES = 6, 60_000


def test_a_cold_work_page_takes_few_requests_and_bytes(
    at_work, signed_in, page, base_url, transactional_db
):
    project = make.study(guidelines="Judge *fairly*.", highlighting="choice")
    make.pairs(project, 2)
    make.candidates(project, [("One sees two.", "Two sees one.")])
    member = make.person(project)
    taken = []
    page.on("response", lambda response: taken.append(response))
    for kind in ("judge", "correct"):
        taken.clear()
        page.context.clear_cookies()
        at_work(member, kind)
        await_ready(page)
        # The test server sends static files as they are; installations send them compressed.
        sizes = {each.url: len(gzip.compress(each.body())) for each in taken}
        assert len(taken) <= REQUESTS
        assert sum(sizes.values()) <= BYTES
