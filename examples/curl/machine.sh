#!/bin/sh
# Puts the recommended machine into shell variables and shows how a script goes on with them, or stops:
#   sh machine.sh task=training model=resnet50 dataset_name=imagenet-1k epochs=90 budget_usd=300
# Exit status: 0; 1 where no machine meets the constraints, with the reason; 2 for a wrong call; or curl's own.
set -eu

for field in "$@"; do
    shift
    case $field in
    *=*) set -- "$@" --data-urlencode "$field" ;;
    *) echo "$0: name=value expected, not '$field'" >&2 && exit 2 ;;
    esac
done

ask() { # FORMAT FIELDS...: the answer; a refusal goes to standard error
    format=$1 status=0
    shift
    answer=$(curl --silent --show-error --fail-with-body --max-time 30 --retry 3 --get "$@" --data "format=$format" \
        "${PLIMSOLL_URL:-http://127.0.0.1:8080}/v1/recommendations") || status=$?
    if [ "$status" -ne 0 ]; then
        printf '%s\n' "$answer" >&2
        exit "$status"
    fi
}

ask env "$@"
eval "$answer" # every value is quoted for the shell
if [ "$RECOMMENDATIONS" -eq 0 ]; then
    ask table "$@" # says what was rejected and what to relax
    printf 'not started: %s\n' "$answer" >&2
    exit 1
fi
echo "rent $NODE_COUNT x $INSTANCE_TYPE of $CLOUD in $REGION ($PURCHASE) for $USD_PER_HOUR USD an hour each"
