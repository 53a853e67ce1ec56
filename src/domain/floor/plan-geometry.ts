import type { FloorShape } from '../../../contract/homes/floor.ts'
import { type Point, SCALE } from '../../../contract/homes/shapes.ts'

/** Rendered size of a plan, px. */
export interface Size {
  width: number
  height: number
}

/** Screen position of a point on the plan, px from its top left. */
export const toPixels = ([x, y]: Point, { width, height }: Size): Point => [
  (x * width) / SCALE,
  (y * height) / SCALE,
]

/** Point on the plan at a screen position, clamped to the edges. */
export const toUnits = ([x, y]: Point, { width, height }: Size): Point => [
  withinPlan((x * SCALE) / width),
  withinPlan((y * SCALE) / height),
]

export const withinPlan = (value: number): number => Math.min(SCALE, Math.max(0, Math.round(value)))

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export function boundsOf(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** The rectangle that the points form, parallel to the plan's edges; undefined if they form none. */
export function rectangleOf(points: readonly Point[]): Box | undefined {
  const box = boundsOf(points)
  const isCorner = ([x, y]: Point) =>
    (x === box.x || x === box.x + box.width) && (y === box.y || y === box.y + box.height)
  const isRectangle =
    points.length === 4 &&
    points.every(isCorner) &&
    new Set(points.map(String)).size === 4 &&
    points.every(([x, y], i) => {
      const [nextX, nextY] = points[(i + 1) % 4] as Point
      return x === nextX || y === nextY
    })
  return isRectangle ? box : undefined
}

export const cornersOf = ({ x, y, width, height }: Box): Point[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
]

/** Number of grid cells per axis used to find space for a label: enough for a slanted wall, few enough for hundreds of rooms. */
const CUTS = 12

/**
 * Largest axis-parallel box found inside an outline, for its label.
 *
 * points  an outline that does not cross itself
 * returns a box of size 0 if none fits
 */
export function labelBox(points: readonly Point[]): Box {
  const bounds = boundsOf(points)
  if (rectangleOf(points)) return bounds
  const xs = cutsOf(points.map(([x]) => x))
  const ys = cutsOf(points.map(([, y]) => y))
  const isFree = ys.slice(1).map((bottom, row) =>
    xs.slice(1).map((right, column) => {
      const [left, top] = [xs[column] as number, ys[row] as number]
      return isInside(points, { x: left, y: top, width: right - left, height: bottom - top })
    }),
  )
  let bestBox: Box = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2, width: 0, height: 0 }
  for (let top = 0; top < isFree.length; top++) {
    // Columns that are free in all rows from `top` to `bottom`.
    let open = xs.slice(1).map(() => true)
    for (let bottom = top; bottom < isFree.length && open.includes(true); bottom++) {
      open = open.map((wasOpen, column) => wasOpen && isFree[bottom]?.[column] === true)
      const height = (ys[bottom + 1] as number) - (ys[top] as number)
      for (const [from, to] of runsOf(open)) {
        const width = (xs[to] as number) - (xs[from] as number)
        if (width * height > bestBox.width * bestBox.height)
          bestBox = { x: xs[from] as number, y: ys[top] as number, width, height }
      }
    }
  }
  return bestBox
}

/** Sorted grid lines: the corners, and evenly spaced values between their minimum and maximum. */
function cutsOf(values: readonly number[]): number[] {
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const candidates = Array.from({ length: CUTS + 1 }, (_, i) => min + ((max - min) * i) / CUTS)
  return [...new Set([...values, ...candidates])].toSorted((a, b) => a - b)
}

/** Runs of true as [start, end) indexes. */
function runsOf(open: readonly boolean[]): [from: number, to: number][] {
  const runs: [number, number][] = []
  for (const [i, isOpen] of open.entries()) {
    if (!isOpen) continue
    const last = runs.at(-1)
    if (last?.[1] === i) last[1] = i + 1
    else runs.push([i, i + 1])
  }
  return runs
}

/** Whether a box is inside an outline: its center is, and no edge crosses it. */
function isInside(points: readonly Point[], box: Box): boolean {
  const centre: Point = [box.x + box.width / 2, box.y + box.height / 2]
  return (
    containsPoint(points, centre) &&
    !points.some((from, i) => enters(from, points[(i + 1) % points.length] as Point, box))
  )
}

/** Whether a point is inside an outline. */
export function containsPoint(points: readonly Point[], [x, y]: Point): boolean {
  let isIn = false
  for (const [i, [fromX, fromY]] of points.entries()) {
    const [toX, toY] = points[(i + 1) % points.length] as Point
    if (fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX) isIn = !isIn
  }
  return isIn
}

/** Whether part of an edge is inside a box; running along its side does not count. */
function enters([fromX, fromY]: Point, [toX, toY]: Point, { x, y, width, height }: Box): boolean {
  let [first, last] = [0, 1]
  for (const [from, to, low, high] of [
    [fromX, toX, x, x + width],
    [fromY, toY, y, y + height],
  ] as const) {
    if (from === to) {
      if (from <= low || from >= high) return false
      continue
    }
    const [a, b] = [(low - from) / (to - from), (high - from) / (to - from)]
    first = Math.max(first, Math.min(a, b))
    last = Math.min(last, Math.max(a, b))
  }
  return last - first > 1e-9
}

/** Size of a touch target, px. */
const MIN_TOUCH_TARGET_PX = 44
/** Share of rooms that may be smaller than a touch target, e.g. closets. */
const SMALLER = 0.25

/**
 * Minimum width of a plan, px, at which its rooms are large enough to touch.
 *
 * shapes  shapes on the plan; pins have the same size on every plan
 * ratio   height divided by width of the plan
 */
export function widthForFingers(shapes: readonly FloorShape[], ratio: number): number {
  const edges = shapes
    .flatMap((shape) => ('Points' in shape ? [boundsOf(shape.Points)] : []))
    .map(({ width, height }) => Math.min(width, height * ratio) / SCALE)
    .toSorted((a, b) => a - b)
  const side = edges[Math.floor(edges.length * SMALLER)]
  return side ? Math.ceil(MIN_TOUCH_TARGET_PX / side) : 0
}
