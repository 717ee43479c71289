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

const MOST_RINGS = 5 // beyond, a badge would stand too far from its point to be read with it
const DIRECTIONS: readonly [number, number][] = [[0, -1], [0, 1], [-0.9, -0.9], [0.9, -0.9], [-0.9, 0.9], [0.9, 0.9]]

/**
 * Places for badges of that size, none over another: each stays on its point where it can, the earlier ones first; one
 * that finds no place nearby stays where it is.
 */
export function spreadOut(points: readonly Place[], size: number, room: Room): Place[] {
  const taken: Place[] = []
  for (const point of points) {
    taken.push(candidates(point, size, room).find((place) => isFree(place, taken, size)) ?? point)
  }
  return taken
}

function candidates(point: Place, size: number, room: Room): Place[] {
  const rings = Array.from({ length: MOST_RINGS }, (_, ring) => (ring + 1) * size)
  const around = rings.flatMap((reach) =>
    DIRECTIONS.map(([x, y]) => ({ x: point.x + x * reach, y: point.y + y * reach })))
  return [point, ...around.filter(({ x, y }) => x >= room.left && x <= room.right && y >= room.top && y <= room.bottom)]
}

function isFree({ x, y }: Place, taken: readonly Place[], size: number): boolean {
  return taken.every((other) => Math.hypot(other.x - x, other.y - y) >= size)
}
