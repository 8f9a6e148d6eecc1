"""Studies that ask questions about their annotators, and people who reply."""

import re

from annotation.models import AnnotatorReply, Membership
from annotation.questions import selectors, services
from tests.annotation import make
from tests.annotation.pages import undone

FREQUENT, RARE = 0, (1, None)
# What differs from one reply to the next, whatever is replied: tokens, names of requests, clocks.
VARYING = (
    r'csrfmiddlewaretoken" value="\w+"|<time.*?</time>|active [^<]* ago|active now'
    r"|\d+:\d\d(:\d\d(\.\d+)?)?|\d+\.\d+|\d+ s\b"
)
LANGUAGES = ["German", "English", "Polish", "Czech"]


def ask(project, title="First language", choices=LANGUAGES):
    text = f"{title}: which one?"
    return services.add(project, title=title, text=text, choices=choices, by=None)


def reply(member, *choices, publishes=False):
    """Reply to the questions in order; each choice is a place, None for none."""
    member.refresh_from_db()
    questions = selectors.to_answer(member) or selectors.to_change(member)
    version = selectors.version_of(questions)
    replies = {question.pk: choice for question, choice in zip(questions, choices, strict=True)}
    services.reply(member, replies, publishes=publishes, version=version)


def people_who_reply(project, choices, **options):
    """A new member for each choice."""
    people = [make.person(project) for _ in choices]
    for member, choice in zip(people, choices, strict=True):
        reply(member, choice, **options)
    return people


def reply_of_one(project):
    """Twelve people reply; returns the one whose reply changes."""
    ask(project)
    [one] = people_who_reply(project, [RARE[0]], publishes=True)
    people_who_reply(project, [FREQUENT] * 5 + [1, 1, 2, 2] + [FREQUENT] * 2)
    Membership.objects.filter(replied_at=None).update(replied_at=one.replied_at)
    return one


def shown(client, address):
    with undone():  # a page may record that it was opened
        reply = client.get(address)
        body = b"".join(reply).decode(errors="replace")
    return reply.status_code, re.sub(VARYING, "", body)


def lines_that_differ(one, client, address):
    """The lines of a page that are not there whatever one person replied."""
    pages = [{*text.splitlines()} for _status, text in shown_for_each_reply(one, client, address)]
    return set().union(*pages) - set.intersection(*pages)


def shown_for_each_reply(one, client, address):
    for choice in RARE:
        AnnotatorReply.objects.filter(membership=one).update(choice=choice)
        one.publishes = choice is not None
        one.save(update_fields=["publishes"])
        yield shown(client, address)
