import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models

from common.create_models import CreateModels


TABLE = "accounts_auditentry"
REFUSED = "the record of what was done is append-only"

SQLITE = [
    f"CREATE TRIGGER audit_{event.lower()} BEFORE {event} ON {TABLE} "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
    for event in ("UPDATE", "DELETE")
]

POSTGRES = f"""
CREATE OR REPLACE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON {TABLE}
    FOR EACH ROW EXECUTE FUNCTION audit_append_only();
-- TRUNCATE fires no trigger of a row; SQLite has no such statement.
CREATE TRIGGER audit_never_emptied BEFORE TRUNCATE ON {TABLE}
    FOR EACH STATEMENT EXECUTE FUNCTION audit_append_only();
"""


def keep_audit_entries(_apps, schema_editor):
    """Install triggers that keep the audit log append-only.

    SQLite drops the triggers of a table that a migration rebuilds: such a migration must call this
    again. tests/accounts/test_accounts.py fails if it does not.
    """
    on_postgres = schema_editor.connection.vendor == "postgresql"
    for statement in [POSTGRES] if on_postgres else SQLITE:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):

    replaces = [
        ('accounts', '0001_initial'),
        ('accounts', '0002_may_create_projects'),
        ('accounts', '0003_preferences'),
        ('accounts', '0004_wording'),
        ('accounts', '0001_squashed'),
        ('accounts', '0002_audit_never_emptied'),
        ('accounts', '0003_sessions'),
        ('accounts', '0004_story_hidden_at'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='User',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('password', models.CharField(max_length=128)),
                    ('last_login', models.DateTimeField(blank=True, null=True)),
                    ('is_superuser', models.BooleanField(default=False)),
                    ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()])),
                    ('first_name', models.CharField(blank=True, max_length=150)),
                    ('last_name', models.CharField(blank=True, max_length=150)),
                    ('email', models.EmailField(blank=True, max_length=254)),
                    ('is_staff', models.BooleanField(default=False)),
                    ('is_active', models.BooleanField(default=True)),
                    ('date_joined', models.DateTimeField(default=django.utils.timezone.now)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('is_simulated', models.BooleanField(default=False)),
                    ('may_create_projects', models.BooleanField(blank=True, null=True)),
                    ('main_account', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='other_accounts', to=settings.AUTH_USER_MODEL)),
                    ('theme', models.CharField(blank=True, default='', max_length=5)),
                    ('shortcuts', models.JSONField(blank=True, default=dict, editable=False)),
                    ('erased_at', models.DateTimeField(editable=False, null=True)),
                    ('groups', models.ManyToManyField(blank=True, related_name='user_set', related_query_name='user', to='auth.group')),
                    ('user_permissions', models.ManyToManyField(blank=True, related_name='user_set', related_query_name='user', to='auth.permission')),
                    ('story_hidden_at', models.DateTimeField(editable=False, null=True)),
                ],
                options={
                    'abstract': False,
                },
                managers=[
                    ('objects', django.contrib.auth.models.UserManager()),
                ],
            ),
            migrations.CreateModel(
                name='AccessToken',
                fields=[
                    ('digest', models.CharField(max_length=128, primary_key=True, serialize=False)),
                    ('token_key', models.CharField(db_index=True, max_length=25)),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='auth_token_set', to=settings.AUTH_USER_MODEL)),
                    ('created', models.DateTimeField(auto_now_add=True)),
                    ('expiry', models.DateTimeField(blank=True, null=True)),
                    ('scope', models.CharField(default='read', max_length=10)),
                    ('name', models.CharField(blank=True, max_length=100)),
                ],
                options={
                    'ordering': ['-created'],
                    'abstract': False,
                },
            ),
            migrations.CreateModel(
                name='SignInTries',
                fields=[
                    ('digest', models.CharField(editable=False, max_length=64, primary_key=True, serialize=False)),
                    ('tries', models.PositiveIntegerField()),
                    ('until', models.DateTimeField(db_index=True)),
                ],
            ),
            migrations.CreateModel(
                name='AuditEntry',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ('by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('act', models.CharField(editable=False, max_length=40)),
                    ('kind', models.CharField(blank=True, editable=False, max_length=40)),
                    ('public_id', models.UUIDField(editable=False, null=True)),
                    ('project', models.UUIDField(editable=False, null=True)),
                    ('details', models.JSONField(default=dict, editable=False)),
                ],
                options={
                    'ordering': ['-pk'],
                    'indexes': [models.Index(fields=['project', '-id'], name='audit_of_project'), models.Index(fields=['by', '-id'], name='audit_of_person')],
                },
            ),
            migrations.CreateModel(
                name='Session',
                fields=[
                    ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False)),
                    ('session_data', models.TextField()),
                    ('expire_date', models.DateTimeField(db_index=True)),
                    ('user', models.ForeignKey(db_constraint=False, editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'abstract': False,
                },
            ),
        ]),
        migrations.RunPython(keep_audit_entries, migrations.RunPython.noop),
    ]
