#!/bin/sh
# Installs what some tests run beside Python, where it is missing and root may: a browser, jq, zsh, promtool.
# Never fails: the tests themselves say what is missing. The first argument is the environment's folder of programs.
bin=$(cd "$1" && pwd)
has() { command -v "$1" >/dev/null 2>&1; }
install() { DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$1"; }

missing=
[ -n "${PLIMSOLL_CHROMIUM:-}" ] || has chromium-headless-shell || missing=chromium-headless-shell
has jq || missing="$missing jq"
has zsh || missing="$missing zsh"
[ -x "$bin/promtool" ] || has promtool || missing="$missing promtool"
[ -n "$missing" ] || exit 0

if ! has apt-get || [ "$(id -u)" -ne 0 ]; then
    echo "Not installed, and only root can with apt-get: $missing. Other browsers serve too; other tests are skipped." >&2
    exit 0
fi
echo "Installing for the tests: $missing"
apt-get update >/dev/null 2>&1
for name in $missing; do
    case $name in
    promtool) # unpacked rather than installed: the package would start a Prometheus
        folder=$(mktemp -d)
        chmod 755 "$folder" # apt fetches as a user of its own
        (cd "$folder" && apt-get download prometheus && dpkg-deb --extract prometheus_*.deb . && cp usr/bin/promtool "$bin/") ;;
    chromium-headless-shell) install "$name" || has chromium || install chromium ;;
    *) install "$name" ;;
    esac >/dev/null 2>&1 || echo "apt-get could not install $name" >&2
done
rm -rf "${folder:-}"
exit 0
