/** A place on a plan: so many ten-thousandths of its width from the left and of its height from the top. */
export type Point = readonly [x: number, y: number]

/** How far a plan goes in both directions, whatever its size in pixels: a sharper scan of it keeps its shapes. */
export const SCALE = 10_000

/** Twice the area of a closed line, positive when its corners go clockwise on a screen. */
export const twiceArea = (points: readonly Point[]): number =>
  points.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length] as Point
    return sum + x * nextY - nextX * y
  }, 0)

/**
 * Why corners are no area of a plan: `noArea` when they lie on one line, `crossing` when the line through them touches or crosses
 * itself. Undefined when it can be drawn.
 *
 * points  integers, at least three; the last one is joined to the first
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
      // Neighbours share a corner; they may not run back over each other.
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

/** Positive when c lies to the right of the way from a to b on a screen, 0 on its line. */
const side = (a: Point, b: Point, c: Point): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

/** Whether a point lies on the line through the first corner and the one farthest from it. */
function isOnLine(points: readonly Point[], point: Point): boolean {
  const first = points[0] as Point
  const far = points.reduce((best, one) => (distance(first, one) > distance(first, best) ? one : best), first)
  return side(first, far, point) === 0
}

const distance = (a: Point, b: Point) => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2

/** Whether the way from a over b to c turns back on itself. */
const runsBack = (a: Point, b: Point, c: Point): boolean =>
  side(a, b, c) === 0 && (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0

/** Whether two edges have a point in common. */
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

/** Whether a point of their line lies between two others. */
const isWithin = (a: Point, b: Point, point: Point): boolean =>
  Math.min(a[0], b[0]) <= point[0] &&
  point[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= point[1] &&
  point[1] <= Math.max(a[1], b[1])
