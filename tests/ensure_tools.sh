#!/bin/sh
# Fetches what some tests run beside Python, where it is missing and may be had: jq, and promtool for the alert rules.
# Never fails: without them those tests say what is missing and are skipped. The first argument is the environment's bin.
bin=$1
fetchable() { command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; }

if ! command -v jq >/dev/null 2>&1 && fetchable; then
    echo "Installing jq for the tests of the scripts"
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends jq; } >/dev/null 2>&1 \
        || echo "apt-get could not install jq" >&2
fi

# Unpacked rather than installed: the package would start a Prometheus.
if ! command -v promtool >/dev/null 2>&1 && [ ! -x "$bin/promtool" ] && fetchable; then
    echo "Unpacking promtool for the tests of the alert rules"
    folder=$(mktemp -d)
    chmod 755 "$folder" # apt fetches as a user of its own
    { apt-get update && (cd "$folder" && apt-get download prometheus) && dpkg-deb --extract "$folder"/prometheus_*.deb "$folder" \
        && cp "$folder/usr/bin/promtool" "$bin/promtool"; } >/dev/null 2>&1 || echo "apt-get could not fetch promtool" >&2
    rm -rf "$folder"
fi
exit 0
