#!/bin/sh
# Estimates a workload on a given machine and explains why that machine is not recommended; needs jq:
#   sh estimate.sh question.json aws p3.2xlarge
# question.json is a body for POST /v1/recommendations. Exit status: 0; 1 if the workload does not fit; 2 for wrong
# arguments or a wrong file; or curl's own.
set -eu

if [ "$#" -ne 3 ]; then
    echo "usage: $0 QUESTION CLOUD INSTANCE_TYPE" >&2
    exit 2
fi
question=$(jq --arg cloud "$2" --arg instance_type "$3" \
    'del(.limit) + {on: {cloud: $cloud, instance_type: $instance_type}}' "$1") || exit 2

answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
stop() {
    cat "$answer" >&2
    exit "$1"
}

printf '%s' "$question" | curl --silent --show-error --fail-with-body --max-time 30 --retry 3 --data @- \
    --header 'Content-Type: application/json' --output "$answer" \
    "${PLIMSOLL_URL:-http://127.0.0.1:8080}/v1/estimates" || stop $?
jq --raw-output '
    def range: "\(.value) (\(.low) to \(.high))";
    (.short[]? | "does not fit: \(.resource) \(.required) required, \(.available) there"),
    (.estimate | values
        | "throughput \(.throughput | range) \(.throughput.unit)",
          (.time_hours | values | "time \(range) h"),
          (.cost_usd | values | "cost \(range) USD")),
    (.why_not[] | "not the recommendation: \(.text)")' "$answer"
jq --exit-status '.fits' "$answer" >/dev/null
