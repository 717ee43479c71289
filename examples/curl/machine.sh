#!/bin/sh
# Puts the recommended machine into shell variables and uses them:
#   sh machine.sh task=training model=resnet50 dataset_name=imagenet-1k epochs=90 budget_usd=300
# Exit status: 0; 1 if no machine meets the constraints, with the reason; 2 for wrong arguments; or curl's own.
set -eu

for field in "$@"; do
    shift
    case $field in
    *=*) set -- "$@" --data-urlencode "$field" ;;
    *) echo "$0: name=value expected, not '$field'" >&2 && exit 2 ;;
    esac
done

# A file, because curl empties it before each retry; standard output would keep the failed attempts.
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
stop() {
    cat "$answer" >&2
    exit "$1"
}

ask() { # FORMAT FIELDS...
    format=$1
    shift
    curl --silent --show-error --fail-with-body --max-time 30 --retry 3 --get "$@" --data "format=$format" \
        --output "$answer" "${PLIMSOLL_URL:-http://127.0.0.1:8080}/v1/recommendations" || stop $?
}

ask env "$@"
eval "$(cat "$answer")" # every value is quoted for the shell
if [ "$RECOMMENDATIONS" -eq 0 ]; then
    ask table "$@" # lists rejected candidates and constraints to relax
    stop 1
fi
echo "rent $NODE_COUNT x $INSTANCE_TYPE of $CLOUD in $REGION ($PURCHASE) for $USD_PER_HOUR USD an hour each"
