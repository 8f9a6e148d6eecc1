# Builds have a compiler's tools and caches; what runs has neither, nor root's rights.
FROM python:3.11-slim-trixie AS build

ENV PYTHONDONTWRITEBYTECODE=1 UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy
# requirements-neural.txt for an image that can run neural models.
ARG REQUIREMENTS=requirements-translate.txt
RUN pip install --no-cache-dir --root-user-action ignore uv==0.13.8 \
    && uv venv /opt/pawsmith
ENV PATH=/opt/pawsmith/bin:$PATH VIRTUAL_ENV=/opt/pawsmith
WORKDIR /pawsmith
COPY requirements-translate.txt requirements-neural.txt ./
RUN uv pip install --no-cache --requirement $REQUIREMENTS

# .dockerignore lists what this copies.
COPY . .
# Pages and their files belong to the version of the code, not to anybody's data.
RUN PAWSMITH_SECRET_KEY=unused PAWSMITH_STATIC_DIR=/pawsmith/collected \
       python manage.py collectstatic --no-input --verbosity 0 \
    && python -m compileall -q .

FROM python:3.11-slim-trixie AS base

RUN useradd --system --uid 10001 --no-create-home pawsmith \
    && install --directory --owner pawsmith --mode 700 /data /backups
ENV PATH=/opt/pawsmith/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    PAWSMITH_DATA_DIR=/data PAWSMITH_STATIC_DIR=/pawsmith/collected HF_HOME=/tmp/huggingface
WORKDIR /pawsmith
EXPOSE 8000

# For a trial: all processes on SQLite, `docker build --target trial --tag pawsmith-trial .`
FROM base AS trial

COPY --from=build /opt/pawsmith /opt/pawsmith
COPY --from=build /pawsmith /pawsmith
USER pawsmith
VOLUME /data
HEALTHCHECK --interval=30s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/readyz', timeout=5)"]
CMD ["python", "manage.py", "run", "--host", "0.0.0.0"]

FROM base

# pg_dump and pg_restore, of the version that docker-compose.yml has of Postgres.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client-17 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/pawsmith /opt/pawsmith
COPY --from=build /pawsmith /pawsmith
ENV GUNICORN_CMD_ARGS="--bind 0.0.0.0:8000"
USER pawsmith
VOLUME /data /backups

CMD ["gunicorn", "--config", "python:config.gunicorn", "config.wsgi"]
