import { html } from '../dom.ts'
import { t } from '../texts/index.ts'

/** The service's cloud of the caller's own machines. */
export const OWN = 'own'

/** Each cloud with its page of prices, and the name that it goes by where that is not its own with a capital. */
const CLOUDS: Readonly<Record<string, { prices: string; name?: string }>> = {
  alibaba: { prices: 'https://www.alibabacloud.com/en/product/ecs-pricing-list/en', name: 'Alibaba Cloud' },
  aws: { prices: 'https://aws.amazon.com/ec2/pricing/on-demand/', name: 'AWS' },
  azure: { prices: 'https://azure.microsoft.com/pricing/details/virtual-machines/linux/' },
  gcp: { prices: 'https://cloud.google.com/compute/vm-instance-pricing', name: 'Google Cloud' },
  hyperbolic: { prices: 'https://docs.hyperbolic.xyz/docs/gpu-marketplace-pricing' },
  hyperstack: { prices: 'https://www.hyperstack.cloud/gpu-pricing' },
  lambda: { prices: 'https://lambda.ai/pricing' },
  nebius: { prices: 'https://nebius.com/prices' },
  oci: { prices: 'https://www.oracle.com/cloud/price-list/', name: 'Oracle Cloud' },
  runpod: { prices: 'https://www.runpod.io/pricing', name: 'RunPod' },
  verda: { prices: 'https://verda.com/pricing' },
}

/** A cloud by the name that it goes by. */
export function cloudName(cloud: string): string {
  if (cloud === OWN) return t.answer.own
  return CLOUDS[cloud]?.name ?? cloud.charAt(0).toUpperCase() + cloud.slice(1)
}

/** A link to a cloud's own page of prices, where it has one. */
export function pricePage(cloud: string): HTMLElement | null {
  const prices = CLOUDS[cloud]?.prices
  return prices ? html('a', { href: prices, target: '_blank', rel: 'noopener' }, t.answer.price_page(cloudName(cloud))) : null
}
