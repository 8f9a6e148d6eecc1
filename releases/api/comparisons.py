"""REST endpoint for the results of comparison studies."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope
from annotation.access import readers
from annotation.access.api import OfProject
from annotation.people.selectors import names
from releases.models import Comparison
from releases.selectors import comparisons
from releases.selectors.comparisons import Person, Results

SCORES = {"accuracy": 0.62, "f1": 0.558, "precision": 0.453, "recall": 0.727}
SCORED = {"pairs": 100, "tp": 24, "fp": 29, "fn": 9, "tn": 38, "scores": SCORES}
EXAMPLE = {
    "project": "c7450e76-9ce8-4d0c-9770-9492c538bef0",
    "release": "6f1c2a9e-0f4b-4d61-8a1e-3d2b7c9a5e40",
    "purpose": "people",
    "splits": ["test"],
    "seed": 0,
    "taught": 100,
    "pairs": 100,
    "positives": 33,
    "answers": 300,
    "wanted": 300,
    "decided": 100,
    "ties": 0,
    "majority": SCORED,
    "mean": SCORES,
    "people": [{"annotator": "annotator-5d0f1b7c9e42", "simulated": False} | SCORED],
}


class BinaryScores(serializers.Serializer[Any]):
    """Scores of answers by the labels of a release; undefined ones are null."""

    accuracy = serializers.FloatField(allow_null=True)
    f1 = serializers.FloatField(allow_null=True)
    precision = serializers.FloatField(allow_null=True)
    recall = serializers.FloatField(allow_null=True)


class Scored(serializers.Serializer[Any]):
    """Pairs by answer and label, a paraphrase being positive, and the scores."""

    pairs = serializers.IntegerField(help_text="Pairs compared")
    tp = serializers.IntegerField(help_text="Paraphrases recognized")
    fp = serializers.IntegerField(help_text="Other pairs taken for paraphrases")
    fn = serializers.IntegerField(help_text="Paraphrases missed")
    tn = serializers.IntegerField(help_text="Other pairs recognized")
    scores = BinaryScores()


class ScoredPerson(serializers.Serializer[Any]):
    """One person's answers."""

    annotator = serializers.SerializerMethodField(help_text="Pseudonym in the project")
    simulated = serializers.BooleanField(source="user.is_simulated")
    pairs = serializers.IntegerField(source="confusion.pairs")
    tp = serializers.IntegerField(source="confusion.tp")
    fp = serializers.IntegerField(source="confusion.fp")
    fn = serializers.IntegerField(source="confusion.fn")
    tn = serializers.IntegerField(source="confusion.tn")
    scores = BinaryScores(source="confusion.scores")

    def get_annotator(self, person: Person) -> str:
        return names.pseudonym(self.context["project"], person.user.pk)


@extend_schema_serializer(examples=[OpenApiExample("A comparison", EXAMPLE)])
class ComparisonResults(serializers.Serializer[Results]):
    """The results of a comparison study so far."""

    project = serializers.UUIDField(source="comparison.project.public_id")
    release = serializers.UUIDField(source="comparison.release.public_id")
    purpose = serializers.ChoiceField(
        choices=Comparison.Purpose.choices,
        source="comparison.purpose",
        help_text="What is measured by the other: people, or labels of the release",
    )
    splits = serializers.ListField(
        child=serializers.CharField(), source="comparison.splits", help_text="Of the release"
    )
    seed = serializers.IntegerField(source="comparison.seed", help_text="Of the draw")
    taught = serializers.IntegerField(
        source="comparison.taught", help_text="Pairs of the train set that people learned from"
    )
    pairs = serializers.IntegerField(help_text="Pairs drawn from the splits")
    positives = serializers.IntegerField(help_text="Paraphrases among them")
    answers = serializers.IntegerField(help_text="Answers so far")
    wanted = serializers.IntegerField(help_text="Answers of the finished study")
    decided = serializers.IntegerField(help_text="Pairs with all their answers")
    ties = serializers.IntegerField(help_text="Decided pairs without a majority")
    majority = Scored()
    mean = BinaryScores(help_text="The mean of everyone's scores")
    people = ScoredPerson(many=True)


class ComparisonList(OfProject):
    """The results of comparison studies."""

    tag = "Releases"
    scope = Scope.READ

    @extend_schema(
        operation_id="projects_comparisons", responses=ComparisonResults(many=True), filters=False
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return how well people do on the releases of a project, by accuracy, F1 and more.

        Lists the comparison studies with its releases that you can read, oldest first. If the
        project is a comparison study itself, lists that one.
        """
        studies = comparisons.comparisons_about(self.project, readers.projects(request.user))
        return Response(
            [_results_as_json(comparisons.comparison_results(study)) for study in studies]
        )


def _results_as_json(results: Results) -> dict[str, Any]:
    context = {"project": results.comparison.project}
    return dict(ComparisonResults(results, context=context).data)
