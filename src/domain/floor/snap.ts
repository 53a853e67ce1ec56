import type { Point } from '../../../contract/homes/shapes.ts'

/** Distance in px within which a point snaps to a corner or line. */
export const SNAP = 8

interface Options {
  /** Corners of other shapes, px. */
  corners: readonly Point[]
  /** Previous corner, px: the line from it snaps to multiples of 45°. */
  from?: Point | undefined
  /** Whether to align with corners in a single direction too. */
  isAligned?: boolean | undefined
}

/** Snapped position of the pointer, px: a corner nearby, otherwise a multiple of 45° from the previous corner, otherwise unchanged. */
export function snap(at: Point, { corners, from, isAligned = false }: Options): Point {
  const snapTarget = nearest(corners, at)
  if (snapTarget) return snapTarget
  if (from) {
    const alignedPoint = alongEighth(from, at)
    if (distance(alignedPoint, at) <= SNAP) return alignedPoint
  }
  if (!isAligned) return at
  return [
    nearestValue(
      corners.map(([x]) => x),
      at[0],
    ),
    nearestValue(
      corners.map(([, y]) => y),
      at[1],
    ),
  ]
}

const distance = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1])

function nearest(corners: readonly Point[], at: Point): Point | undefined {
  let bestPoint: Point | undefined
  for (const corner of corners)
    if (distance(corner, at) <= SNAP && (!bestPoint || distance(corner, at) < distance(bestPoint, at)))
      bestPoint = corner
  return bestPoint
}

const nearestValue = (values: readonly number[], value: number): number =>
  values.reduce((best, candidate) => {
    const gap = Math.abs(candidate - value)
    return gap <= SNAP && (best === value || gap < Math.abs(best - value)) ? candidate : best
  }, value)

/** Nearest point on the lines through a point at multiples of 45°. */
function alongEighth(from: Point, to: Point): Point {
  const [x, y] = [to[0] - from[0], to[1] - from[1]]
  const angle = (Math.round((Math.atan2(y, x) * 4) / Math.PI) * Math.PI) / 4
  const length = x * Math.cos(angle) + y * Math.sin(angle)
  return [from[0] + length * Math.cos(angle), from[1] + length * Math.sin(angle)]
}

/** Offset of a dragged shape, px, snapped so that its nearest corner meets another corner. */
export function snapMove(points: readonly Point[], delta: Point, corners: readonly Point[]): Point {
  let bestDelta: Point = delta
  let minDistance = Infinity
  for (const [x, y] of points) {
    const movedPoint: Point = [x + delta[0], y + delta[1]]
    const snapTarget = nearest(corners, movedPoint)
    if (!snapTarget || distance(snapTarget, movedPoint) >= minDistance) continue
    minDistance = distance(snapTarget, movedPoint)
    bestDelta = [snapTarget[0] - x, snapTarget[1] - y]
  }
  return bestDelta
}
