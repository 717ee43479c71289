#!/bin/sh
# Prints the ranked machines for a workload as a table; the arguments are the fields of GET /v1/recommendations:
#   sh recommend.sh task=training model=resnet50 dataset_name=imagenet-1k epochs=90 deadline=24h clouds=aws,gcp
# PLIMSOLL_URL names the service. Exit status: 0, or curl's own (22: refused, and the reason is printed; 7: not reached).
set -eu

for field in "$@"; do
    shift
    case $field in
    *=*) set -- "$@" --data-urlencode "$field" ;;
    *) echo "$0: name=value expected, not '$field'" >&2 && exit 2 ;;
    esac
done

status=0
answer=$(curl --silent --show-error --fail-with-body --max-time 30 --retry 3 --get "$@" --data format=table \
    "${PLIMSOLL_URL:-http://127.0.0.1:8080}/v1/recommendations") || status=$?
if [ "$status" -ne 0 ]; then
    printf '%s\n' "$answer" >&2
    exit "$status"
fi
printf '%s\n' "$answer"
