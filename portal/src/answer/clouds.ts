import { html } from '../dom.ts'
import { t } from '../texts/index.ts'

/** The service's cloud of the caller's own machines. */
export const OWN = 'own'

/**
 * Each cloud with its page of prices, that of its commitments where there is one, and the name that it goes by where
 * that is not its own with a capital.
 */
const CLOUDS: Readonly<Record<string, { prices: string; commitments?: string; name?: string }>> = {
  alibaba: { prices: 'https://www.alibabacloud.com/en/product/ecs-pricing-list/en', name: 'Alibaba Cloud' },
  aws: {
    prices: 'https://aws.amazon.com/ec2/pricing/on-demand/', commitments: 'https://aws.amazon.com/savingsplans/compute-pricing/', name: 'AWS',
  },
  azure: {
    prices: 'https://azure.microsoft.com/pricing/details/virtual-machines/linux/',
    commitments: 'https://azure.microsoft.com/pricing/offers/savings-plan-compute/',
  },
  gcp: {
    prices: 'https://cloud.google.com/compute/vm-instance-pricing',
    commitments: 'https://docs.cloud.google.com/compute/docs/instances/committed-use-discounts-overview', name: 'Google Cloud',
  },
  hyperbolic: { prices: 'https://docs.hyperbolic.xyz/docs/gpu-marketplace-pricing' },
  hyperstack: { prices: 'https://www.hyperstack.cloud/gpu-pricing' },
  lambda: { prices: 'https://lambda.ai/pricing' },
  nebius: { prices: 'https://nebius.com/prices' },
  oci: { prices: 'https://www.oracle.com/cloud/price-list/', name: 'Oracle Cloud' },
  ovh: { prices: 'https://www.ovhcloud.com/en/public-cloud/prices/', name: 'OVHcloud' },
  runpod: { prices: 'https://www.runpod.io/pricing', name: 'RunPod' },
  verda: { prices: 'https://verda.com/pricing' },
}

/** Whether a word names a cloud. */
export const isCloud = (word: string): boolean => word in CLOUDS

/** A cloud by the name that it goes by. */
export function cloudName(cloud: string): string {
  if (cloud === OWN) return t.answer.own
  return CLOUDS[cloud]?.name ?? cloud.charAt(0).toUpperCase() + cloud.slice(1)
}

/** A link to a cloud's own page of prices, where it has one. */
export const pricePage = (cloud: string): HTMLElement | null =>
  link(CLOUDS[cloud]?.prices, t.answer.price_page(cloudName(cloud)))

/** A link to a cloud's own page of commitments, where it has one. */
export const commitmentPage = (cloud: string): HTMLElement | null =>
  link(CLOUDS[cloud]?.commitments, t.commitment.page(cloudName(cloud)))

const link = (href: string | undefined, words: string): HTMLElement | null =>
  (href ? html('a', { href, target: '_blank', rel: 'noopener' }, words) : null)
