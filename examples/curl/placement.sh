#!/bin/sh
# Writes the answer in a launcher's own format to a file; without an answer, the file stays unchanged:
#   sh placement.sh kubernetes placement.yaml task=training model=resnet50 clouds=aws max_nodes=1
#   sh placement.sh tfvars machine.auto.tfvars.json task=inference model=llama-3-8b requests_per_second=5
# Exit status: 0; 1 if no machine meets the constraints, with the reason; 2 for wrong arguments; or curl's own.
set -eu

if [ "$#" -lt 3 ]; then
    echo "usage: $0 FORMAT FILE FIELD=VALUE..." >&2
    exit 2
fi
format=$1 file=$2
shift 2
for field in "$@"; do
    shift
    case $field in
    *=*) set -- "$@" --data-urlencode "$field" ;;
    *) echo "$0: name=value expected, not '$field'" >&2 && exit 2 ;;
    esac
done

answer=$file.new.$$ # beside the file, so that one move replaces it
trap 'rm -f "$answer"' EXIT
stop() {
    cat "$answer" >&2
    exit "$1"
}

ask() { # FORMAT FIELDS...
    asked=$1
    shift
    curl --silent --show-error --fail-with-body --max-time 30 --retry 3 --get "$@" --data "format=$asked" \
        --output "$answer" "${PLIMSOLL_URL:-http://127.0.0.1:8080}/v1/recommendations" || stop $?
}

# CSV has a header and one line per machine, so it shows whether there is a recommendation.
ask csv "$@"
if [ "$(wc -l <"$answer")" -lt 2 ]; then
    ask table "$@"
    stop 1
fi
ask "$format" "$@"
mv "$answer" "$file"
