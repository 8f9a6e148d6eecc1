import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


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

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='SignInTries',
            fields=[
                ('digest', models.CharField(editable=False, help_text='HMAC of what is tried, the account and the address, or of some of them', max_length=64, primary_key=True, serialize=False)),
                ('tries', models.PositiveIntegerField()),
                ('until', models.DateTimeField(db_index=True, help_text='When they are forgotten')),
            ],
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('is_simulated', models.BooleanField(default=False, help_text='Answers are made by a program; releases that hold them say so.')),
                ('erased_at', models.DateTimeField(editable=False, help_text='Since when nothing here tells who the person was', null=True)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('main_account', models.ForeignKey(blank=True, editable=False, help_text='The main account of a person who has several; empty for the main account itself', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='other_accounts', to=settings.AUTH_USER_MODEL)),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
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
                ('created', models.DateTimeField(auto_now_add=True)),
                ('expiry', models.DateTimeField(blank=True, null=True)),
                ('scope', models.CharField(choices=[('releases', 'read releases'), ('read', 'read all that the person may read'), ('manage', 'read, and do all that the person may do')], default='read', max_length=10)),
                ('name', models.CharField(blank=True, help_text='What it is for', max_length=100)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='auth_token_set', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('act', models.CharField(editable=False, help_text='Named in accounts/audited_acts.py', max_length=40)),
                ('kind', models.CharField(blank=True, editable=False, help_text='Of what it was done to', max_length=40)),
                ('public_id', models.UUIDField(editable=False, help_text='The one of them that it was done to', null=True)),
                ('project', models.UUIDField(editable=False, help_text='Public id of the project that it belongs to', null=True)),
                ('details', models.JSONField(default=dict, editable=False, help_text='Small plain values')),
                ('by', models.ForeignKey(editable=False, help_text='Empty for the command line, and for rules of a project', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'audit entries',
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['project', '-id'], name='audit_of_project'), models.Index(fields=['by', '-id'], name='audit_of_person')],
            },
        ),
        migrations.RunPython(keep_audit_entries, migrations.RunPython.noop),
    ]
