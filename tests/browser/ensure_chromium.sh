#!/bin/sh
# Installs Debian's Chromium where it is missing and may be installed; never fails, as the tests themselves say what is missing.
for name in "${PLIMSOLL_CHROMIUM:-}" chromium chromium-browser google-chrome; do
    if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if ! command -v apt-get >/dev/null 2>&1; then
    echo "No Chromium and no apt-get: install Chromium or Chrome, or name one in PLIMSOLL_CHROMIUM; the browser tests will fail." >&2
elif [ "$(id -u)" -ne 0 ]; then
    echo "No Chromium, and only root may install it: sudo apt-get install chromium; the browser tests will fail." >&2
else
    echo "Installing Chromium for the browser tests"
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends chromium; } >/dev/null 2>&1 \
        || echo "apt-get could not install Chromium; the browser tests will fail." >&2
fi
exit 0
