FROM python:3.11-slim

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
WORKDIR /pawsmith

# requirements-neural.txt for an image that can run neural models.
ARG REQUIREMENTS=requirements.txt
COPY requirements.txt requirements-neural.txt ./
RUN pip install --no-cache-dir --requirement $REQUIREMENTS

COPY . .
RUN python -m scripts.translations compile
RUN useradd --system pawsmith \
    && install --directory --owner pawsmith /data
USER pawsmith
ENV PAWSMITH_DATA_DIR=/data
VOLUME /data
EXPOSE 8000

CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4"]
