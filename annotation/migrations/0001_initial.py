import annotation.models.projects
import django.core.validators
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models

from annotation.models import seal_triggers, triggers


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('generation', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Correction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('queue_key', models.BigIntegerField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('submitted_at', models.DateTimeField(blank=True, null=True)),
                ('seconds', models.FloatField(blank=True, help_text='Time on the item, as its page measured it', null=True)),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('action', models.CharField(blank=True, choices=[('accept', 'Accept'), ('fix', 'Fix'), ('reject', 'Reject')], max_length=10, null=True)),
                ('text', models.TextField(blank=True, help_text='The sentence as fixed; empty unless fixed')),
                ('number', models.PositiveIntegerField(blank=True, editable=False, help_text="Which of the person's corrections in the project it is, from 1 on", null=True)),
                ('priority', models.SmallIntegerField(default=0, help_text='1 before all others, -1 after them')),
                ('set_aside_at', models.DateTimeField(editable=False, help_text='Out of the queue since somebody skipped it', null=True)),
                ('annotator', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='%(class)ss', to=settings.AUTH_USER_MODEL)),
                ('candidate', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='generation.candidate')),
            ],
        ),
        migrations.CreateModel(
            name='Project',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=100, unique=True)),
                ('description', models.TextField(blank=True)),
                ('guidelines', models.TextField(blank=True, help_text='Markdown; shown beside the work')),
                ('seed', models.BigIntegerField(default=0, help_text='Draws which sentence stands left')),
                ('is_open', models.BooleanField(default=True, help_text='Annotators are given work')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('judgments_per_pair', models.PositiveSmallIntegerField(default=5, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)])),
                ('consensus_min_votes', models.PositiveSmallIntegerField(default=4, help_text='A pair is kept when at least so many agree')),
                ('decides_early', models.BooleanField(default=False, help_text='A pair is decided as soon as so many agree; what it still lacks is not asked')),
                ('max_label', models.PositiveSmallIntegerField(default=1, help_text='1: different or same meaning; 3: the graded scale 0 to 3')),
                ('paraphrase_from', models.PositiveSmallIntegerField(default=1, help_text='Labels from this one on count as paraphrase')),
                ('corrected_methods', models.JSONField(default=annotation.models.projects.corrected_by_default, help_text='Methods whose candidates are corrected first')),
                ('lease_minutes', models.PositiveSmallIntegerField(default=30, help_text='An item that was opened and not answered goes back to the queue after this', validators=[django.core.validators.MinValueValidator(1)])),
                ('order', models.CharField(choices=[('depth', 'pair by pair: each is finished before the next is begun'), ('breadth', 'round by round: each pair is judged once before any is judged twice')], default='depth', max_length=10)),
                ('skipping', models.CharField(choices=[('later', 'comes back to the same person at the end'), ('others', 'goes to others, and never back to the same person'), ('never', 'is set aside for everybody until a manager puts it back'), ('forbidden', 'is not possible')], default='others', help_text='What happens to an item that is skipped', max_length=10)),
                ('highlighting', models.CharField(choices=[('always', 'words that differ are marked'), ('choice', 'each annotator chooses whether they are marked'), ('forbidden', 'nothing is marked')], default='choice', max_length=10)),
                ('idle_seconds', models.PositiveSmallIntegerField(default=60, help_text='Time without a key, a touch or a movement beyond this is not time on an item', validators=[django.core.validators.MinValueValidator(5)])),
                ('most_judgments', models.PositiveIntegerField(blank=True, help_text='That one person may give; empty for no limit', null=True)),
                ('most_corrections', models.PositiveIntegerField(blank=True, help_text='That one person may make; empty for no limit', null=True)),
                ('consent', models.TextField(blank=True, help_text='Markdown; who has not agreed to it is given no work')),
                ('consent_changed_at', models.DateTimeField(editable=False, help_text='Whoever agreed before this is asked again; empty without a consent text', null=True)),
                ('asks_qualification', models.BooleanField(default=False, help_text='Only who passes the qualification set is given work')),
                ('pass_mark', models.PositiveSmallIntegerField(default=80, help_text='Percent of the qualification set that must be answered as known', validators=[django.core.validators.MaxValueValidator(100)])),
                ('attempts', models.PositiveSmallIntegerField(default=2, help_text='At the qualification set', validators=[django.core.validators.MinValueValidator(1)])),
                ('known_every', models.PositiveSmallIntegerField(blank=True, help_text='One judgment in so many is of a hidden pair whose answer is known', null=True, validators=[django.core.validators.MinValueValidator(2)])),
                ('floor_seconds', models.FloatField(default=2.0, help_text='Nobody reads a pair in less: such answers are flagged', validators=[django.core.validators.MinValueValidator(0)])),
                ('on_flag', models.CharField(choices=[('show', 'managers see it'), ('warn', 'the annotator is told as well'), ('pause', 'the annotator is paused as well')], default='show', help_text='What happens when an annotator is flagged', max_length=10)),
                ('runs', models.ManyToManyField(blank=True, help_text='Runs whose candidates enter this study', related_name='projects', to='generation.generationrun')),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='SentencePair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('flipped', models.BooleanField(help_text='Judges see the rewrite first')),
                ('slots', models.PositiveSmallIntegerField(help_text='Judgments that the pair receives')),
                ('known_label', models.PositiveSmallIntegerField(blank=True, editable=False, help_text="A hidden pair whose answer is known: it is nobody's consensus and in no release", null=True)),
                ('priority', models.SmallIntegerField(default=0, help_text='1 before all others, -1 after them')),
                ('set_aside_at', models.DateTimeField(editable=False, help_text='Out of the queue since somebody skipped it', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('candidate', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairs', to='generation.candidate')),
                ('sentence1', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairs_as_first', to='generation.sentence')),
                ('sentence2', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairs_as_second', to='generation.sentence')),
                ('correction', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pair', to='annotation.correction')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='pairs', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='Guest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('revision', models.CharField(blank=True, help_text='Of the model, or its digest', max_length=200)),
                ('note', models.CharField(blank=True, help_text='How it was asked', max_length=500)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('added_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='guests', to='annotation.project')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('digest', models.CharField(editable=False, help_text='SHA-256', max_length=64, unique=True)),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('researcher', 'researcher (reads)'), ('manager', 'Manager')], default='annotator', max_length=10)),
                ('may_correct', models.BooleanField(default=True)),
                ('may_judge', models.BooleanField(default=True)),
                ('note', models.CharField(blank=True, help_text='For managers: whom it is for', max_length=200)),
                ('most_people', models.PositiveIntegerField(default=1, help_text='That may join by it', validators=[django.core.validators.MinValueValidator(1)])),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='annotation.project')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('researcher', 'researcher (reads)'), ('manager', 'Manager')], default='annotator', max_length=10)),
                ('may_correct', models.BooleanField(default=True)),
                ('may_judge', models.BooleanField(default=True)),
                ('correction_place', models.BigIntegerField(default=-4611686018427387904, editable=False)),
                ('judgment_place', models.BigIntegerField(default=-4611686018427387904, editable=False)),
                ('looked_behind_at', models.DateTimeField(editable=False, help_text='When nothing was found behind the judgment place', null=True)),
                ('known_after', models.PositiveIntegerField(editable=False, help_text='The next hidden pair comes after so many judgments of the person', null=True)),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('welcomed_at', models.DateTimeField(editable=False, help_text='When the person left the first page of the project', null=True)),
                ('consented_at', models.DateTimeField(editable=False, null=True)),
                ('qualified_at', models.DateTimeField(editable=False, null=True)),
                ('paused_at', models.DateTimeField(editable=False, help_text='Since when the person is given no work', null=True)),
                ('invitation', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='annotation.invitation')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='Intervention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('flag', 'flagged'), ('warn', 'warned'), ('pause', 'paused'), ('resume', 'resumed'), ('hold_out', 'answers held out of consensus'), ('reinstate', 'answers put back into consensus')], max_length=10)),
                ('reason', models.CharField(help_text='In words for the annotator', max_length=500)),
                ('evidence', models.JSONField(default=dict, help_text='The figures that a rule went by')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(help_text='Empty when a rule of the project did it', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('membership', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='interventions', to='annotation.membership')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Intake',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='intakes', to='generation.batch')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='intakes', to='annotation.project')),
            ],
        ),
        migrations.AddField(
            model_name='correction',
            name='project',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='annotation.project'),
        ),
        migrations.CreateModel(
            name='QualificationAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='From 1 on')),
                ('started_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('share', models.FloatField(blank=True, help_text='Of answers that were as known', null=True)),
                ('passed', models.BooleanField(null=True)),
                ('membership', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='annotation.membership')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='QualificationPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('position', models.PositiveSmallIntegerField()),
                ('sentence1', models.TextField()),
                ('sentence2', models.TextField()),
                ('label', models.PositiveSmallIntegerField()),
                ('explanation', models.TextField(blank=True, help_text='Shown when the attempt is over')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='qualification_pairs', to='annotation.project')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='QualificationAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.PositiveSmallIntegerField()),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.qualificationattempt')),
                ('pair', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.qualificationpair')),
            ],
        ),
        migrations.CreateModel(
            name='Recusal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('corrected', 'corrected a sentence of the pair'), ('skipped', 'passed the pair over'), ('same_person', 'has another account that saw the pair')], max_length=20)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recusals', to=settings.AUTH_USER_MODEL)),
                ('pair', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='recusals', to='annotation.sentencepair')),
            ],
        ),
        migrations.CreateModel(
            name='Reopening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='Of the round that began: 2 for the second')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('tally', models.JSONField(help_text='What the round before came to, as in Consensus')),
                ('label', models.PositiveSmallIntegerField(null=True)),
                ('decided_at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pair', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='reopenings', to='annotation.sentencepair')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Judgment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('queue_key', models.BigIntegerField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('submitted_at', models.DateTimeField(blank=True, null=True)),
                ('seconds', models.FloatField(blank=True, help_text='Time on the item, as its page measured it', null=True)),
                ('slot', models.PositiveSmallIntegerField(help_text='1 to the number of slots of the pair')),
                ('label', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('number', models.PositiveIntegerField(blank=True, editable=False, help_text="Which of the person's answers in the project it is, from 1 on", null=True)),
                ('highlighted', models.BooleanField(blank=True, help_text='Whether the words that differ were marked', null=True)),
                ('annotator', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='%(class)ss', to=settings.AUTH_USER_MODEL)),
                ('held_out', models.ForeignKey(blank=True, editable=False, help_text='Why the answer counts nowhere, while that is so', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='held_out', to='annotation.intervention')),
                ('pair', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='judgments', to='annotation.sentencepair')),
                ('person', models.ForeignKey(blank=True, db_index=False, editable=False, help_text='The main account of an annotator who has several', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('replaces', models.OneToOneField(blank=True, editable=False, help_text='The answer that was held out and for which this slot was issued', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replacement', to='annotation.judgment')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='annotation.project')),
                ('superseded_by', models.ForeignKey(blank=True, db_index=False, editable=False, help_text='The pair was asked anew of others; the answer counted until then', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='superseded', to='annotation.reopening')),
            ],
        ),
        migrations.CreateModel(
            name='Seal',
            fields=[
                ('number', models.PositiveBigIntegerField(help_text='Place in the chain, from 1', primary_key=True, serialize=False)),
                ('digest', models.BinaryField(help_text='SHA-256 of the one before and the answer', max_length=32)),
                ('judgment', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='seal', to='annotation.judgment')),
            ],
        ),
        migrations.CreateModel(
            name='Skip',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('unclear', 'I cannot tell'), ('broken', 'it is not a sentence of the language'), ('offensive', 'I would rather not read this'), ('other', 'something else')], max_length=10)),
                ('note', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('annotator', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='skips', to=settings.AUTH_USER_MODEL)),
                ('correction', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='skips', to='annotation.correction')),
                ('pair', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='skips', to='annotation.sentencepair')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='skips', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='Consensus',
            fields=[
                ('pair', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='consensus', serialize=False, to='annotation.sentencepair')),
                ('tally', models.JSONField(help_text='Number of judgments for each label, from 0 on')),
                ('label', models.PositiveSmallIntegerField(help_text='1 paraphrase, 0 not; null when no side has a majority', null=True)),
                ('kept', models.BooleanField(help_text='Enough judgments agree')),
                ('decided_at', models.DateTimeField(auto_now_add=True)),
                ('sealed_at', models.DateTimeField(editable=False, help_text='When the answers of the pair were sealed', null=True)),
            ],
            options={
                'verbose_name_plural': 'consensus',
                'indexes': [models.Index(condition=models.Q(('sealed_at', None)), fields=['decided_at'], name='consensus_not_sealed')],
            },
        ),
        migrations.CreateModel(
            name='Adjudication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.PositiveSmallIntegerField(help_text='1 paraphrase, 0 not; null: the expert does not decide either', null=True)),
                ('note', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pair', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjudications', to='annotation.sentencepair')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('label', None), ('label__lte', 1), _connector='OR'), name='adjudication_binary')],
            },
        ),
        migrations.CreateModel(
            name='GuestJudgment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.PositiveSmallIntegerField(help_text='On the scale of the project')),
                ('score', models.FloatField(blank=True, help_text='How probable a paraphrase is to the guest, 0 to 1', null=True)),
                ('guest', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='judgments', to='annotation.guest')),
                ('pair', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='guest_judgments', to='annotation.sentencepair')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('guest', 'pair'), name='guest_judges_once'), models.CheckConstraint(condition=models.Q(('score', None), models.Q(('score__gte', 0), ('score__lte', 1)), _connector='OR'), name='guest_score_is_share')],
            },
        ),
        migrations.AddIndex(
            model_name='intervention',
            index=models.Index(fields=['membership', 'id'], name='intervention_by_member'),
        ),
        migrations.AddIndex(
            model_name='sentencepair',
            index=models.Index(fields=['project', 'id'], name='pair_in_project'),
        ),
        migrations.AddIndex(
            model_name='sentencepair',
            index=models.Index(condition=models.Q(('known_label__isnull', False)), fields=['project', 'id'], name='pair_with_known_label'),
        ),
        migrations.AddConstraint(
            model_name='sentencepair',
            constraint=models.UniqueConstraint(fields=('project', 'candidate'), name='pair_once_in_project'),
        ),
        migrations.AddConstraint(
            model_name='sentencepair',
            constraint=models.CheckConstraint(condition=models.Q(('slots__gte', 1)), name='pair_has_slots'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('consensus_min_votes__lte', models.F('judgments_per_pair')), ('consensus_min_votes__gte', 1)), name='project_votes_within_judgments'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('paraphrase_from__gte', 1), ('paraphrase_from__lte', models.F('max_label'))), name='project_paraphrase_within_scale'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('consent', ''), ('consent_changed_at', None)), models.Q(models.Q(('consent', ''), _negated=True), ('consent_changed_at__isnull', False)), _connector='OR'), name='project_consent_has_date'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('project', 'user'), name='member_once_in_project'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('most_people__gte', 1)), name='invitation_for_somebody'),
        ),
        migrations.AddConstraint(
            model_name='intake',
            constraint=models.UniqueConstraint(fields=('project', 'batch'), name='batch_once_in_project'),
        ),
        migrations.AddConstraint(
            model_name='guest',
            constraint=models.UniqueConstraint(fields=('project', 'name', 'revision'), name='guest_once_in_project'),
        ),
        migrations.AddIndex(
            model_name='correction',
            index=models.Index(condition=models.Q(('action', None)), fields=['project', 'queue_key'], name='correction_queue'),
        ),
        migrations.AddIndex(
            model_name='correction',
            index=models.Index(fields=['annotator', 'project', 'submitted_at'], name='correction_by_annotator'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.UniqueConstraint(fields=('project', 'candidate'), name='correction_once_in_project'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.UniqueConstraint(condition=models.Q(('action', None), models.Q(('annotator', None), _negated=True)), fields=('project', 'annotator'), name='correction_held_one_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(('action', None), models.Q(('annotator', None), _negated=True), _connector='OR'), name='correction_has_annotator'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('action', 'fix'), ('action__isnull', False), models.Q(('text', ''), _negated=True)), models.Q(models.Q(('action', None), models.Q(('action', 'fix'), _negated=True), _connector='OR'), ('text', '')), _connector='OR'), name='correction_text_when_fixed'),
        ),
        migrations.AddConstraint(
            model_name='qualificationattempt',
            constraint=models.UniqueConstraint(fields=('membership', 'number'), name='attempt_number_once_for_member'),
        ),
        migrations.AddConstraint(
            model_name='qualificationattempt',
            constraint=models.UniqueConstraint(condition=models.Q(('finished_at', None)), fields=('membership',), name='attempt_under_way_one_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='qualificationpair',
            constraint=models.UniqueConstraint(fields=('project', 'position'), name='qualification_position_once_in_project'),
        ),
        migrations.AddConstraint(
            model_name='qualificationanswer',
            constraint=models.UniqueConstraint(fields=('attempt', 'pair'), name='answer_once_in_attempt'),
        ),
        migrations.AddConstraint(
            model_name='recusal',
            constraint=models.UniqueConstraint(fields=('pair', 'annotator'), name='recusal_once_for_pair'),
        ),
        migrations.AddConstraint(
            model_name='reopening',
            constraint=models.UniqueConstraint(fields=('pair', 'number'), name='round_once_in_pair'),
        ),
        migrations.AddConstraint(
            model_name='reopening',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 2)), name='round_from_two'),
        ),
        migrations.AddIndex(
            model_name='judgment',
            index=models.Index(condition=models.Q(('label', None)), fields=['project', 'queue_key'], name='judgment_queue'),
        ),
        migrations.AddIndex(
            model_name='judgment',
            index=models.Index(condition=models.Q(('claimed_at__isnull', False), ('label', None)), fields=['project', 'queue_key'], name='judgment_returned'),
        ),
        migrations.AddIndex(
            model_name='judgment',
            index=models.Index(fields=['annotator', 'project', 'submitted_at'], name='judgment_by_annotator'),
        ),
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.UniqueConstraint(fields=('pair', 'slot'), name='judgment_slot_once_in_pair'),
        ),
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.UniqueConstraint(fields=('pair', 'annotator'), name='judgment_once_by_annotator'),
        ),
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.UniqueConstraint(condition=models.Q(('person__isnull', False)), fields=('pair', 'person'), name='judgment_once_by_person'),
        ),
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.UniqueConstraint(condition=models.Q(('label', None), models.Q(('annotator', None), _negated=True)), fields=('project', 'annotator'), name='judgment_held_one_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.CheckConstraint(condition=models.Q(('label', None), models.Q(('annotator', None), _negated=True), _connector='OR'), name='judgment_has_annotator'),
        ),
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.CheckConstraint(condition=models.Q(('slot__gte', 1)), name='judgment_slot_from_one'),
        ),
        migrations.AddIndex(
            model_name='skip',
            index=models.Index(fields=['annotator', 'project', 'created_at'], name='skip_by_annotator'),
        ),
        migrations.AddConstraint(
            model_name='skip',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('correction', None), ('pair__isnull', False)), models.Q(('correction__isnull', False), ('pair', None)), _connector='OR'), name='skip_of_one_item'),
        ),
        migrations.RunPython(triggers.install, migrations.RunPython.noop),
        migrations.RunPython(seal_triggers.install, migrations.RunPython.noop),
    ]
