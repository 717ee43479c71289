const NAMES: Readonly<Record<string, string>> = {
  aws: 'AWS', azure: 'Azure', gcp: 'Google Cloud', alibaba: 'Alibaba Cloud', oci: 'Oracle Cloud', runpod: 'RunPod',
}

/** A cloud by the name that it goes by. */
export function cloudName(cloud: string): string {
  return NAMES[cloud] ?? cloud.charAt(0).toUpperCase() + cloud.slice(1)
}
