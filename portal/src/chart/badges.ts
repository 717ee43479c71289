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
const REACHES = [1, 1.5] // in badges; farther off, a badge would be read as a point of other figures than its own
const TWELFTH = Math.PI / 6
/** The directions in the order in which they are tried: above and below first. */
const TURNS = [3, 9, 2, 4, 8, 10, 1, 5, 7, 11, 0, 6]

/** Where the badge of a point may stand, the nearest first. */
export function placesOf(point: Place, room: Room): Place[] {
  const around = REACHES.flatMap((reach) => TURNS.map((turn) => ({
    x: point.x + reach * BADGE * Math.cos(turn * TWELFTH), y: point.y - reach * BADGE * Math.sin(turn * TWELFTH),
  })))
  return [point, ...around.filter(({ x, y }) => x >= room.left && x <= room.right && y >= room.top && y <= room.bottom)]
}

/** Whether a badge there lies on no other, or is as far from all as said. */
export function isFree({ x, y }: Place, taken: readonly Place[], apart = BADGE): boolean {
  return taken.every((other) => Math.hypot(other.x - x, other.y - y) >= apart)
}
