import type { FloorShape } from '../../../contract/homes/floor.ts'
import { polygonProblem, SCALE, type Point } from '../../../contract/homes/shapes.ts'
import { cornersOf, rectangleOf, withinPlan, type Box } from './plan-geometry.ts'

export const MAX_UNDO_STEPS = 50

/** Draft of a floor's shapes with its undo and redo history. */
export interface FloorDraft {
  shapes: readonly FloorShape[]
  past: readonly (readonly FloorShape[])[]
  future: readonly (readonly FloorShape[])[]
}

export const floorDraftOf = (shapes: readonly FloorShape[]): FloorDraft => ({ shapes, past: [], future: [] })

/**
 * The draft with new shapes and a new undo step.
 *
 * isSameStep  merges the change into the last step: for a held key or a drag
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
  const previous = past.at(-1)
  return previous
    ? { shapes: previous, past: past.slice(0, -1), future: [shapes, ...future] }
    : { shapes, past, future }
}

export function redo({ shapes, past, future }: FloorDraft): FloorDraft {
  const [next, ...remaining] = future
  return next ? { shapes: next, past: [...past, shapes], future: remaining } : { shapes, past, future }
}

/** Replaces the shape of the same room, or appends the shape. */
export const putShape = (shapes: readonly FloorShape[], shape: FloorShape): FloorShape[] =>
  shapes.some(({ RoomID }) => RoomID === shape.RoomID)
    ? shapes.map((candidate) => (candidate.RoomID === shape.RoomID ? shape : candidate))
    : [...shapes, shape]

export const removeShape = (shapes: readonly FloorShape[], RoomID: number): FloorShape[] =>
  shapes.filter((shape) => shape.RoomID !== RoomID)

/** Corners of an area, or the position of a pin. */
export const shapePointsOf = (shape: FloorShape): readonly Point[] =>
  'Points' in shape ? shape.Points : [shape.At]

/** Moves a shape by an offset in plan units without leaving the plan; its form is kept. */
export function moveShape(shape: FloorShape, [byX, byY]: Point): FloorShape {
  const points = shapePointsOf(shape)
  const x = allowed(
    points.map(([px]) => px),
    byX,
  )
  const y = allowed(
    points.map(([, py]) => py),
    byY,
  )
  const shift = ([fromX, fromY]: Point): [number, number] => [fromX + x, fromY + y]
  return 'Points' in shape
    ? { RoomID: shape.RoomID, Points: shape.Points.map(shift) }
    : { RoomID: shape.RoomID, At: shift(shape.At) }
}

const allowed = (values: readonly number[], delta: number): number =>
  Math.max(-Math.min(...values), Math.min(SCALE - Math.max(...values), Math.round(delta)))

/** Area of a room, by its corners. */
export type AreaShape = Extract<FloorShape, { Points: unknown }>

/** Moves one corner of an area. A rectangle stays a rectangle (adjacent corners follow) unless `isFree`. */
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

/** Reasons why shapes cannot be saved, by RoomID. */
export const floorProblemsOf = (shapes: readonly FloorShape[]): ReadonlyMap<number, 'noArea' | 'crossing'> =>
  new Map(
    shapes.flatMap((shape) => {
      const problem = 'Points' in shape ? polygonProblem(shape.Points) : undefined
      return problem ? [[shape.RoomID, problem] as const] : []
    }),
  )
