import { t } from '../texts/index.ts'

/** The service's cloud of the caller's own machines. */
export const OWN = 'own'

const NAMES: Readonly<Record<string, string>> = {
  aws: 'AWS', azure: 'Azure', gcp: 'Google Cloud', alibaba: 'Alibaba Cloud', oci: 'Oracle Cloud', runpod: 'RunPod',
}

/** A cloud by the name that it goes by. */
export function cloudName(cloud: string): string {
  if (cloud === OWN) return t.answer.own
  return NAMES[cloud] ?? cloud.charAt(0).toUpperCase() + cloud.slice(1)
}
