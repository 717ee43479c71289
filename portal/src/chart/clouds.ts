/** The clouds that keep one colour on every chart; any other takes the next free one of the answer. */
const FIXED = ['aws', 'azure', 'gcp', 'alibaba', 'oci']
const COLOURS = 10 // the classes tint-0 … tint-9 of the style sheet

/** The class that colours each of these clouds. */
export function tintsOf(clouds: Iterable<string>): Map<string, string> {
  const all = [...new Set(clouds)].sort()
  const others = all.filter((cloud) => !FIXED.includes(cloud))
  const place = (cloud: string): number => {
    const fixed = FIXED.indexOf(cloud)
    return fixed >= 0 ? fixed : FIXED.length + (others.indexOf(cloud) % (COLOURS - FIXED.length))
  }
  return new Map(all.map((cloud) => [cloud, `tint-${place(cloud)}`]))
}
