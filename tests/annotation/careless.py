"""Graded studies in which some annotators are careless, with every answer in place."""

from random import Random

from tests.annotation import judged, make

# The rules of PARADE, for studies of a few pairs.
LOOSE = {"below": 0.4, "above": 0.75, "most": 5, "fewest": 3}


def grade(yes, chance):
    return chance.choice((2, 3) if yes else (0, 1))


def crowd(people=40, careless=2, rounds=12, **settings):
    """A graded study: three people a pair, drawn anew each round; the first ones throw coins."""
    project, chance = make.study(protocol="parade", **settings), Random(1)
    everybody = judged.people(project, people)
    coins, votes, by = set(everybody[:careless]), [], []
    for _ in range(rounds):
        order = chance.sample(everybody, people)
        for first in range(people):
            three = [order[(first + more) % people] for more in range(3)]
            yes = chance.random() < 0.5
            errs = [0.5 if each in coins else 0.04 for each in three]
            votes.append([grade(yes ^ (chance.random() < error), chance) for error in errs])
            by.append(three)
    judged.pairs_of(project, votes, by=by)
    return project, everybody[:careless], everybody[careless:]


def small(*others, **settings):
    """Four pairs that a careless person and two others have judged, and more people."""
    project = make.study(protocol="parade", **settings)
    people = judged.people(project, 3 + len(others))
    votes = [(0, 3, 3), (3, 0, 0), (0, 3, 3), (3, 0, 0)]
    made = judged.pairs_of(project, votes, by=[people[:3]] * 4)
    for person, labels in zip(people[3:], others, strict=True):
        for label in labels:  # with two people who judge nothing else
            by = [person, *judged.people(project, 2)]
            judged.pairs_of(project, [[label] * 3], by=[by])
    return project, people, made
