/** Position on a plan in 1/10,000 of its width from the left and of its height from the top. */
export type Point = readonly [x: number, y: number]

/** Extent of a plan in both directions, independent of its size in pixels: a plan of a higher resolution keeps its shapes. */
export const SCALE = 10_000

/** Twice the signed area of a polygon; positive if its corners are clockwise on a screen. */
export const twiceArea = (points: readonly Point[]): number =>
  points.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length] as Point
    return sum + x * nextY - nextX * y
  }, 0)

/**
 * Reason that corners form no valid polygon: `noArea` if they are on one line, `crossing` if the outline touches or crosses itself.
 * Undefined if valid.
 *
 * points  integers, at least three; the last connects to the first
 */
export function polygonProblem(points: readonly Point[]): 'noArea' | 'crossing' | undefined {
  if (points.length < 3 || points.every((point) => isOnLine(points, point))) return 'noArea'
  const edges = points.map((from, i) => [from, points[(i + 1) % points.length] as Point] as const)
  for (const [i, [from, to]] of edges.entries()) {
    if (isSame(from, to)) return 'crossing'
    for (const [j, [otherFrom, otherTo]] of edges.entries()) {
      if (j <= i) continue
      const isNext = j === i + 1 || (i === 0 && j === edges.length - 1)
      if (!isNext && meet(from, to, otherFrom, otherTo)) return 'crossing'
      // Adjacent edges share a corner, but must not overlap.
      if (
        isNext &&
        runsBack(...(j === i + 1 ? ([from, to, otherTo] as const) : ([otherFrom, from, to] as const)))
      )
        return 'crossing'
    }
  }
  return undefined
}

const isSame = (a: Point, b: Point) => a[0] === b[0] && a[1] === b[1]

/** Positive if c is on the right of the line from a to b on a screen, 0 if on it. */
const side = (a: Point, b: Point, c: Point): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

/** Whether a point is on the line through the first corner and the one farthest from it. */
function isOnLine(points: readonly Point[], point: Point): boolean {
  const first = points[0] as Point
  const farthest = points.reduce(
    (best, one) => (distance(first, one) > distance(first, best) ? one : best),
    first,
  )
  return side(first, farthest, point) === 0
}

const distance = (a: Point, b: Point) => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2

/** Whether the path from a via b to c reverses direction. */
const runsBack = (a: Point, b: Point, c: Point): boolean =>
  side(a, b, c) === 0 && (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0

function meet(a: Point, b: Point, c: Point, d: Point): boolean {
  const [sideC, sideD, sideA, sideB] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)]
  if (Math.sign(sideC) !== Math.sign(sideD) && Math.sign(sideA) !== Math.sign(sideB) && sideC !== sideD)
    return true
  return (
    (sideC === 0 && isWithin(a, b, c)) ||
    (sideD === 0 && isWithin(a, b, d)) ||
    (sideA === 0 && isWithin(c, d, a)) ||
    (sideB === 0 && isWithin(c, d, b))
  )
}

/** Whether a point on the line through two others is between them. */
const isWithin = (a: Point, b: Point, point: Point): boolean =>
  Math.min(a[0], b[0]) <= point[0] &&
  point[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= point[1] &&
  point[1] <= Math.max(a[1], b[1])
