/** The clouds that keep one colour on every chart; any other has the last one. */
const FIXED = [
  'aws', 'azure', 'gcp', 'alibaba', 'oci', 'hyperbolic', 'hyperstack', 'lambda', 'nebius', 'verda', 'runpod', 'own',
] // of the classes tint-0 … tint-12 of the style sheet

/** The class that colours each of these clouds. */
export function tintsOf(clouds: Iterable<string>): Map<string, string> {
  const place = (cloud: string): number => (FIXED.includes(cloud) ? FIXED.indexOf(cloud) : FIXED.length)
  return new Map([...new Set(clouds)].sort().map((cloud) => [cloud, `tint-${place(cloud)}`]))
}
