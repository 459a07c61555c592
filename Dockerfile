# One image, one process: `docker build -t waybill .`, then see README.md, "On a real mailbox".
FROM python:3.11-slim AS build
WORKDIR /source
RUN python -m venv /opt/waybill
COPY pyproject.toml README.md LICENSE ./
COPY config config
COPY templates templates
COPY docs docs
COPY engine engine
COPY service service
RUN /opt/waybill/bin/pip install --no-cache-dir --disable-pip-version-check '.[oauth,postgresql]'

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin waybill \
    && install --directory --owner waybill --mode 700 /data
COPY --from=build /opt/waybill /opt/waybill
# The environment goes over the settings file: the data folder is the volume whatever that says.
ENV PATH=/opt/waybill/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    WAYBILL_DATA__DIR=/data
USER waybill
WORKDIR /data
VOLUME /data
ENTRYPOINT ["waybill"]
CMD ["serve"]
