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


def test_only_a_body_can_come_too_slowly_without_its_length_or_be_too_large():
    for path in SchemaGenerator().get_schema(public=True)["paths"].values():
        for method, operation in path.items():
            refused = {"408", "411", "413"} & operation["responses"].keys()
            assert len(refused) == 3 * (method != "get"), operation["operationId"]
