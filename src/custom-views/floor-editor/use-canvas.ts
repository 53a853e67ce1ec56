import { useState, type PointerEvent, type RefObject } from 'react'
import { type FloorShape, MAX_CORNERS } from '../../../contract/homes/floor.ts'
import { SCALE, type Point } from '../../../contract/homes/shapes.ts'
import {
  areaOf,
  moveShape,
  shapePointsOf,
  putShape,
  withCorner,
  type AreaShape,
} from '../../domain/floor/draft.ts'
import { toPixels, toUnits, type Size } from '../../domain/floor/plan-geometry.ts'
import { SNAP, snap, snapMove } from '../../domain/floor/snap.ts'

/** Snap distance of the first corner, which closes the area, in px; larger than for others. */
const CLOSE_DISTANCE_PX = SNAP + 4

const NONE: readonly Point[] = []

interface Options {
  size: Size
  selectedRoomId: number | undefined
  /** Changing the tool or the room discards the outline. */
  tool: string
  place: (shape: FloorShape) => void
}

function useOutline({ size, selectedRoomId, tool, place }: Options) {
  const of = `${tool} ${selectedRoomId}`
  const [unfinished, setUnfinished] = useState<{ of: string; corners: readonly Point[] }>({
    of,
    corners: NONE,
  })
  const outline = unfinished.of === of ? unfinished.corners : NONE
  const setOutline = (corners: readonly Point[]) => setUnfinished({ of, corners })
  const last = outline.at(-1)

  function close(corners: readonly Point[]) {
    setOutline([])
    if (selectedRoomId !== undefined && corners.length >= 3)
      place({ RoomID: selectedRoomId, Points: corners.map(([x, y]) => [x, y]) })
  }

  return {
    /** In units. */
    outline,
    /** The last corner, px. */
    last: last && toPixels(last, size),
    /** Handles a press at a position, px; `snapped` is the snapped one. */
    press([x, y]: Point, snapped: Point) {
      const first = outline[0] && toPixels(outline[0], size)
      if (first && outline.length >= 3 && Math.hypot(first[0] - x, first[1] - y) <= CLOSE_DISTANCE_PX)
        return close(outline)
      const next = [...outline, toUnits(snapped, size)]
      return next.length === MAX_CORNERS ? close(next) : setOutline(next)
    },
    close: () => close(outline),
    back: () => setOutline(outline.slice(0, -1)),
    drop: () => setOutline([]),
  }
}

/** Tools: effect of a press on the plan. */
export const TOOLS = ['select', 'rectangle', 'polygon', 'pin'] as const
export type Tool = (typeof TOOLS)[number]

/** Drag in progress: a shape, one of its corners, or the corner of a new rectangle. */
type Gesture =
  | { kind: 'move'; shape: FloorShape; from: Point; hasMoved: boolean }
  | { kind: 'corner'; shape: AreaShape; corner: number; hasMoved: boolean }
  | { kind: 'draw'; from: Point }

export interface CanvasOptions {
  svg: RefObject<SVGSVGElement | null>
  size: Size
  tool: Tool
  /** The room that is drawn next; undefined if all are on a floor. */
  selectedRoomId: number | undefined
  shapes: readonly FloorShape[]
  draw: (shapes: readonly FloorShape[], isSameStep?: boolean) => void
  /** Adds a room that was just drawn to the plan. */
  place: (shape: FloorShape) => void
  select: (RoomID: number | undefined) => void
}

/** Maximum movement of a press that is not a drag, px. */
const MAX_PRESS_MOVE_PX = 3

/** Pointer handling on the plan: moves, reshapes and draws shapes. Alt disables snapping. */
export function useCanvas({ svg, size, tool, selectedRoomId, shapes, draw, place, select }: CanvasOptions) {
  const [gesture, setGesture] = useState<Gesture>()
  /** Pointer position while drawing, px. */
  const [pointer, setPointer] = useState<Point>()
  const area = useOutline({ size, selectedRoomId, tool, place })
  const { at, snapped, cornersBut } = placesOf(svg, size, shapes)

  function handlePointerDown(event: PointerEvent) {
    if (event.button !== 0) return
    if (tool === 'select') return select(undefined)
    if (selectedRoomId === undefined) return
    event.preventDefault()
    if (tool === 'polygon') return area.press(at(event), snapped(event, { from: area.last }))
    const snappedPoint = snapped(event, { isAligned: true })
    if (tool === 'pin') {
      const [x, y] = toUnits(snappedPoint, size)
      return place({ RoomID: selectedRoomId, At: [x, y] })
    }
    svg.current?.setPointerCapture?.(event.pointerId)
    setGesture({ kind: 'draw', from: snappedPoint })
    setPointer(snappedPoint)
  }

  function drag(event: PointerEvent, dragged: Exclude<Gesture, { kind: 'draw' }>) {
    const { shape, hasMoved } = dragged
    if (dragged.kind === 'corner') {
      const to = toUnits(snapped(event, { but: shape.RoomID, isAligned: true }), size)
      draw(putShape(shapes, withCorner(dragged.shape, dragged.corner, to)), hasMoved)
    } else {
      const [x, y] = at(event)
      const delta: Point = [x - dragged.from[0], y - dragged.from[1]]
      if (!hasMoved && Math.hypot(...delta) < MAX_PRESS_MOVE_PX) return
      const points = shapePointsOf(shape).map((point) => toPixels(point, size))
      const [byX, byY] = event.altKey ? delta : snapMove(points, delta, cornersBut(shape.RoomID))
      draw(
        putShape(shapes, moveShape(shape, [(byX * SCALE) / size.width, (byY * SCALE) / size.height])),
        hasMoved,
      )
    }
    setGesture({ ...dragged, hasMoved: true })
  }

  function move(event: PointerEvent) {
    if (gesture?.kind === 'draw') setPointer(snapped(event, { isAligned: true }))
    else if (gesture) drag(event, gesture)
    else if (area.last) setPointer(snapped(event, { from: area.last }))
  }

  function handlePointerUp() {
    setGesture(undefined)
    if (gesture?.kind !== 'draw' || !pointer || selectedRoomId === undefined) return
    setPointer(undefined)
    const rectangle = betweenPoints(gesture.from, pointer, size)
    if (rectangle) place(areaOf(selectedRoomId, rectangle))
  }

  return {
    area,
    pointer,
    /** The rectangle in progress, px. */
    drawn: gesture?.kind === 'draw' && pointer ? ([gesture.from, pointer] as const) : undefined,
    at,
    handlers: {
      onPointerDown: handlePointerDown,
      onPointerMove: move,
      onPointerUp: handlePointerUp,
      onPointerCancel: () => setGesture(undefined),
    },
    onGrab(event: PointerEvent, shape: FloorShape, corner?: number) {
      if (tool !== 'select' || event.button !== 0) return
      event.stopPropagation()
      svg.current?.setPointerCapture?.(event.pointerId)
      select(shape.RoomID)
      setGesture(
        corner !== undefined && 'Points' in shape
          ? { kind: 'corner', shape, corner, hasMoved: false }
          : { kind: 'move', shape, from: at(event), hasMoved: false },
      )
    },
  }
}

/** Pointer position on the plan and its snapped position, px. */
function placesOf(svg: CanvasOptions['svg'], size: Size, shapes: readonly FloorShape[]) {
  const at = (event: Pick<PointerEvent, 'clientX' | 'clientY'>): Point => {
    const box = svg.current?.getBoundingClientRect()
    return box ? [event.clientX - box.left, event.clientY - box.top] : [0, 0]
  }
  const cornersBut = (RoomID?: number) =>
    shapes.flatMap((shape) =>
      shape.RoomID === RoomID ? [] : shapePointsOf(shape).map((point) => toPixels(point, size)),
    )
  return {
    at,
    cornersBut,
    snapped: (
      event: PointerEvent,
      { but, ...how }: { but?: number; from?: Point | undefined; isAligned?: boolean } = {},
    ) => (event.altKey ? at(event) : snap(at(event), { ...how, corners: cornersBut(but) })),
  }
}

/** Rectangle between two positions, px, in units; undefined if it is too small to be intended. */
function betweenPoints(a: Point, b: Point, size: Size) {
  if (Math.min(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])) < SNAP) return undefined
  const [from, to] = [toUnits(a, size), toUnits(b, size)]
  return {
    x: Math.min(from[0], to[0]),
    y: Math.min(from[1], to[1]),
    width: Math.abs(from[0] - to[0]),
    height: Math.abs(from[1] - to[1]),
  }
}
