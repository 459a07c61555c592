# One image, one process: see docs/operators.md, "With a container".
FROM python:3.13.14-slim-trixie@sha256:9662417aace5ae7b8e2609cce472b72a8958e134ba372808abe9cc1a0c0125e6 AS build
ENV UV_PROJECT_ENVIRONMENT=/opt/waybill \
    UV_PYTHON_DOWNLOADS=never \
    UV_LINK_MODE=copy \
    UV_COMPILE_BYTECODE=1
RUN pip install --no-cache-dir --disable-pip-version-check uv==0.13.9
WORKDIR /source
# The libraries have a layer of their own, which changes with uv.lock alone; each has its hash there.
COPY pyproject.toml uv.lock ./
RUN uv sync --locked --no-cache --no-install-project --extra oauth --extra postgresql
COPY README.md LICENSE hatch_build.py ./
COPY config config
COPY templates templates
COPY docs docs
COPY engine engine
COPY service service
RUN uv sync --locked --no-cache --no-editable --extra oauth --extra postgresql \
    && /opt/waybill/bin/python -m service.reports.compiling

FROM python:3.13.14-slim-trixie@sha256:9662417aace5ae7b8e2609cce472b72a8958e134ba372808abe9cc1a0c0125e6
# `waybill backup` calls pg_dump. Debian keeps one version of it for each of its releases.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin waybill \
    && install --directory --owner waybill --mode 700 /data
COPY --from=build /opt/waybill /opt/waybill
# The environment goes over the settings file: the data folder is the volume whatever that says.
ARG COMMIT=""
ENV PATH=/opt/waybill/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    WAYBILL_COMMIT=$COMMIT \
    WAYBILL_DATA__DIR=/data
USER 10001
WORKDIR /data
VOLUME /data
HEALTHCHECK --interval=2m --timeout=30s --start-period=1m CMD ["waybill", "doctor", "--health"]
ENTRYPOINT ["waybill"]
CMD ["serve"]
