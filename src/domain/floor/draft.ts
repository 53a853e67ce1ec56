import type { FloorShape } from '../../../contract/homes/floor.ts'
import { polygonProblem, SCALE, type Point } from '../../../contract/homes/shapes.ts'
import { cornersOf, rectangleOf, withinPlan, type Box } from './plan-geometry.ts'

/** Steps that can be undone. */
export const MAX_UNDO_STEPS = 50

/** Where rooms are, as it is being drawn. */
export interface FloorDraft {
  shapes: readonly FloorShape[]
  past: readonly (readonly FloorShape[])[]
  future: readonly (readonly FloorShape[])[]
}

export const floorDraftOf = (shapes: readonly FloorShape[]): FloorDraft => ({ shapes, past: [], future: [] })

/**
 * The draft with other shapes.
 *
 * isSameStep  goes with the last step, and is undone with it: a key that is held, a pointer that is still down
 */
export function pushUndoStep(
  draft: FloorDraft,
  shapes: readonly FloorShape[],
  isSameStep = false,
): FloorDraft {
  if (JSON.stringify(shapes) === JSON.stringify(draft.shapes)) return draft
  const past = isSameStep && draft.past.length > 0 ? draft.past : [...draft.past, draft.shapes]
  return { shapes, past: past.slice(-MAX_UNDO_STEPS), future: [] }
}

export function undo({ shapes, past, future }: FloorDraft): FloorDraft {
  const before = past.at(-1)
  return before
    ? { shapes: before, past: past.slice(0, -1), future: [shapes, ...future] }
    : { shapes, past, future }
}

export function redo({ shapes, past, future }: FloorDraft): FloorDraft {
  const [next, ...later] = future
  return next ? { shapes: next, past: [...past, shapes], future: later } : { shapes, past, future }
}

/** Shapes with this one in the place of its room's, or behind the others. */
export const putShape = (shapes: readonly FloorShape[], shape: FloorShape): FloorShape[] =>
  shapes.some(({ RoomID }) => RoomID === shape.RoomID)
    ? shapes.map((one) => (one.RoomID === shape.RoomID ? shape : one))
    : [...shapes, shape]

export const removeShape = (shapes: readonly FloorShape[], RoomID: number): FloorShape[] =>
  shapes.filter((shape) => shape.RoomID !== RoomID)

/** The corners of an area, or the place of a pin. */
export const shapePointsOf = (shape: FloorShape): readonly Point[] =>
  'Points' in shape ? shape.Points : [shape.At]

/** A shape moved by so many units, at most as far as the plan goes: its form stays. */
export function moveShape(shape: FloorShape, [byX, byY]: Point): FloorShape {
  const points = shapePointsOf(shape)
  const x = allowed(
    points.map(([one]) => one),
    byX,
  )
  const y = allowed(
    points.map(([, one]) => one),
    byY,
  )
  const shift = ([fromX, fromY]: Point): [number, number] => [fromX + x, fromY + y]
  return 'Points' in shape
    ? { RoomID: shape.RoomID, Points: shape.Points.map(shift) }
    : { RoomID: shape.RoomID, At: shift(shape.At) }
}

const allowed = (values: readonly number[], by: number): number =>
  Math.max(-Math.min(...values), Math.min(SCALE - Math.max(...values), Math.round(by)))

/** The area of a room, as its corners. */
export type AreaShape = Extract<FloorShape, { Points: unknown }>

/** An area with one corner elsewhere. A rectangle stays one: its neighbours follow, unless `isFree`. */
export function withCorner(shape: AreaShape, corner: number, [x, y]: Point, isFree = false): FloorShape {
  const to: [number, number] = [withinPlan(x), withinPlan(y)]
  const { RoomID, Points } = shape
  const old = Points[corner] as Point
  const isRectangle = !isFree && rectangleOf(Points) !== undefined
  return {
    RoomID,
    Points: Points.map(([oldX, oldY], i): [number, number] => {
      if (i === corner) return to
      if (!isRectangle) return [oldX, oldY]
      return [oldX === old[0] ? to[0] : oldX, oldY === old[1] ? to[1] : oldY]
    }),
  }
}

/** A rectangle as a room's area, at least one unit wide and high. */
export const areaOf = (RoomID: number, { x, y, width, height }: Box): FloorShape => {
  const [left, top] = [Math.min(withinPlan(x), SCALE - 1), Math.min(withinPlan(y), SCALE - 1)]
  const [right, bottom] = [
    Math.max(left + 1, withinPlan(x + width)),
    Math.max(top + 1, withinPlan(y + height)),
  ]
  return {
    RoomID,
    Points: cornersOf({ x: left, y: top, width: right - left, height: bottom - top }).map(([cx, cy]) => [
      cx,
      cy,
    ]),
  }
}

/** Why shapes cannot be saved, by RoomID. */
export const floorProblemsOf = (shapes: readonly FloorShape[]): ReadonlyMap<number, 'noArea' | 'crossing'> =>
  new Map(
    shapes.flatMap((shape) => {
      const problem = 'Points' in shape ? polygonProblem(shape.Points) : undefined
      return problem ? [[shape.RoomID, problem] as const] : []
    }),
  )
