#!/bin/sh
# Prints the ranked machines for a workload as a table; the arguments are the fields of GET /v1/recommendations:
#   sh recommend.sh task=training model=resnet50 dataset_name=imagenet-1k epochs=90 deadline=24h clouds=aws,gcp
# PLIMSOLL_URL is the service's address. Exit status: 0; 2 for wrong arguments; or curl's own (22: refused, with the
# reason printed; 7: not reached).
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

curl --silent --show-error --fail-with-body --max-time 30 --retry 3 --get "$@" --data format=table --output "$answer" \
    "${PLIMSOLL_URL:-http://127.0.0.1:8080}/v1/recommendations" || stop $?
cat "$answer"
