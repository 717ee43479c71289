/** A place on the chart, in pixels. */
export interface Place {
  x: number
  y: number
}

/** Where badges may be, by their middles. */
export interface Room {
  left: number
  right: number
  top: number
  bottom: number
}

/** What a badge takes of the chart with the gap around it. */
export const BADGE = 23
const MOST_RINGS = 3 // beyond, a badge would stand too far from its point to be read with it
const DIRECTIONS: readonly [number, number][] = [[0, -1], [0, 1], [-0.9, -0.9], [0.9, -0.9], [-0.9, 0.9], [0.9, 0.9]]

/** Where the badge of a point may stand, the nearest first. */
export function placesOf(point: Place, room: Room): Place[] {
  const rings = Array.from({ length: MOST_RINGS }, (_, ring) => (ring + 1) * BADGE)
  const around = rings.flatMap((reach) =>
    DIRECTIONS.map(([x, y]) => ({ x: point.x + x * reach, y: point.y + y * reach })))
  return [point, ...around.filter(({ x, y }) => x >= room.left && x <= room.right && y >= room.top && y <= room.bottom)]
}

/** Whether a badge there lies on no other, or is as far from all as said. */
export function isFree({ x, y }: Place, taken: readonly Place[], apart = BADGE): boolean {
  return taken.every((other) => Math.hypot(other.x - x, other.y - y) >= apart)
}
