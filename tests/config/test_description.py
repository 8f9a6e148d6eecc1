"""The description of the REST API."""

import json

from drf_spectacular.generators import SchemaGenerator

from accounts.models import User

JSON = "application/vnd.oai.openapi+json"


def test_it_is_generated_once_in_each_language(client, db, monkeypatch):
    client.force_login(User.objects.create(username="ada"))
    made, generate = [], SchemaGenerator.get_schema

    def counted(self, **options):
        made.append(options)
        return generate(self, **options)

    monkeypatch.setattr(SchemaGenerator, "get_schema", counted)
    for language in ("en", "de", "en", "de"):
        # Other parameters change nothing.
        address = f"/api/schema/?version={language}"
        reply = client.get(address, headers={"Accept": JSON, "Accept-Language": language})
        assert reply.headers["Content-Type"].startswith(JSON)
        assert "/api/projects/" in json.loads(reply.content)["paths"]
    assert len(made) <= 2


def test_only_a_body_can_come_too_slowly_or_without_its_length():
    paths = SchemaGenerator().get_schema(public=True)["paths"]
    operations = [operation for path in paths.values() for operation in path.values()]
    for operation in operations:
        refused = {"408", "411"} & operation["responses"].keys()
        assert len(refused) == 2 * ("requestBody" in operation), operation["operationId"]
