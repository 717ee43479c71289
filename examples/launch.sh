#!/bin/sh
# Launches the machines of an answer, from variables in the environment:
#   set -a; eval "$(curl -s "$URL/v1/recommendations?task=training&model=resnet50&format=env")"; set +a
#   sh examples/launch.sh
# Prints the command, one argument per line; with RUN=yes it runs the command. IMAGE is the image of the machines.
set -eu

: "${RECOMMENDATIONS:?is not set: evaluate an answer of format=env first}"
if [ "$RECOMMENDATIONS" -eq 0 ]; then
    echo "No machine meets the constraints." >&2
    exit 1
fi
IMAGE=${IMAGE:-my-image}

launch() {
    if [ "${RUN:-no}" = yes ]; then "$@"; else printf '%s\n' "$@"; fi
}

case $CLOUD:$MACHINE_TYPE in
aws:*)
    set -- aws ec2 run-instances --region "$REGION" --image-id "$IMAGE" --instance-type "$MACHINE_TYPE" --count "$NODE_COUNT"
    if [ "$PURCHASE" = spot ]; then set -- "$@" --instance-market-options MarketType=spot; fi
    if [ "$DISK_TYPE" != nvme ]; then
        set -- "$@" --block-device-mappings "DeviceName=/dev/sdf,Ebs={VolumeSize=$DISK_SIZE_GIB,VolumeType=$DISK_PRODUCT}"
    fi
    ;;
gcp:[!v]*) # names that begin with v are slices of Cloud TPU, not machine types
    set -- gcloud compute instances bulk create --region "$REGION" --image "$IMAGE" --machine-type "$MACHINE_TYPE" \
        --count "$NODE_COUNT" --name-pattern 'worker-#'
    if [ "$MACHINE_TYPE" != "$INSTANCE_TYPE" ]; then
        attached=${INSTANCE_TYPE#"$MACHINE_TYPE"+}
        set -- "$@" --accelerator "type=${attached%x*},count=${attached##*x}" --maintenance-policy TERMINATE
    fi
    if [ "$PURCHASE" = spot ]; then set -- "$@" --provisioning-model SPOT; fi
    if [ "$DISK_TYPE" != nvme ]; then set -- "$@" --boot-disk-size "${DISK_SIZE_GIB}GB" --boot-disk-type "$DISK_PRODUCT"; fi
    ;;
azure:*)
    set -- az vm create --location "$REGION" --image "$IMAGE" --size "$MACHINE_TYPE" --count "$NODE_COUNT" --name worker
    if [ "$PURCHASE" = spot ]; then set -- "$@" --priority Spot; fi
    if [ "$DISK_TYPE" != nvme ]; then set -- "$@" --data-disk-sizes-gb "$DISK_SIZE_GIB"; fi
    ;;
*)
    set -- echo "Rent by hand: $NODE_COUNT x $INSTANCE_TYPE ($PURCHASE) at $CLOUD in $REGION"
    ;;
esac
launch "$@"
