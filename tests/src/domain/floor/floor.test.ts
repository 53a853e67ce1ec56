import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FloorShape } from '../../../../contract/homes/floor.ts'
import { type Point, polygonProblem, SCALE } from '../../../../contract/homes/shapes.ts'
import {
  areaOf,
  floorDraftOf,
  moveShape,
  MAX_UNDO_STEPS,
  shapePointsOf,
  putShape,
  redo,
  pushUndoStep,
  undo,
  withCorner,
} from '../../../../src/domain/floor/draft.ts'
import {
  boundsOf,
  cornersOf,
  containsPoint,
  labelBox,
  rectangleOf,
  toPixels,
  toUnits,
  widthForFingers,
} from '../../../../src/domain/floor/plan-geometry.ts'
import { snap, snapMove } from '../../../../src/domain/floor/snap.ts'

const unit = fc.integer({ min: 0, max: SCALE })
const point = fc.tuple(unit, unit)
const size = fc.record({
  width: fc.integer({ min: 100, max: 5000 }),
  height: fc.integer({ min: 100, max: 5000 }),
})
const box = fc.record({
  x: fc.integer({ min: 0, max: 8000 }),
  y: fc.integer({ min: 0, max: 8000 }),
  width: fc.integer({ min: 1, max: 2000 }),
  height: fc.integer({ min: 1, max: 2000 }),
})
const shape = fc.oneof(
  box.map((one): FloorShape => areaOf(1, one)),
  point.map((At): FloorShape => ({ RoomID: 1, At })),
)

describe('shapes', () => {
  it('scale with their plan and keep their places at any size', () => {
    fc.assert(
      fc.property(shape, size, size, (one, drawn, shown) => {
        for (const place of shapePointsOf(one)) {
          expect(toUnits(toPixels(place, drawn), drawn)).toEqual(place)
          expect(toUnits(toPixels(place, shown), shown)).toEqual(place)
        }
      }),
    )
  })

  it('keep their form when moved, and stay on the plan', () => {
    fc.assert(
      fc.property(shape, fc.tuple(fc.integer(), fc.integer()), (one, by) => {
        const after = shapePointsOf(moveShape(one, by))
        const before = shapePointsOf(one)
        const [first, then] = [before[0] as Point, after[0] as Point]
        expect(after).toEqual(before.map(([x, y]) => [x + then[0] - first[0], y + then[1] - first[1]]))
        for (const place of after.flat()) expect(place >= 0 && place <= SCALE).toBe(true)
      }),
    )
  })

  it('stay rectangles while a corner is dragged, unless it is dragged freely', () => {
    fc.assert(
      fc.property(box, fc.nat(3), point, (one, corner, to) => {
        const area = areaOf(1, one)
        if (!('Points' in area)) throw new TypeError('A rectangle is an area')
        const bent = withCorner(area, corner, to)
        const points = shapePointsOf(bent)
        expect(points[corner]).toEqual(to)
        fc.pre(polygonProblem(points) === undefined)
        expect(rectangleOf(points)).toEqual(boundsOf(points))
        const opposite = (corner + 2) % 4
        expect(points[opposite]).toEqual(area.Points[opposite])
        expect(shapePointsOf(withCorner(area, corner, to, true)).filter((_, i) => i !== corner)).toEqual(
          area.Points.filter((_, i) => i !== corner),
        )
      }),
    )
  })

  it('have area as rectangles, in any drawing direction', () => {
    fc.assert(
      fc.property(
        point,
        fc.integer({ min: 0, max: 5000 }),
        fc.integer({ min: 0, max: 5000 }),
        ([x, y], width, height) => {
          expect(polygonProblem(shapePointsOf(areaOf(1, { x, y, width, height })))).toBeUndefined()
        },
      ),
    )
  })
})

describe('the label area', () => {
  it('is the whole of a rectangle, and inside every large enough triangle', () => {
    fc.assert(
      fc.property(box, (one) => {
        expect(labelBox(cornersOf(one))).toEqual(one)
      }),
    )
    fc.assert(
      fc.property(point, point, point, (a, b, c) => {
        const triangle = [a, b, c]
        if (polygonProblem(triangle)) return
        const found = labelBox(triangle)
        const inset = {
          x: found.x + 0.01,
          y: found.y + 0.01,
          width: found.width - 0.02,
          height: found.height - 0.02,
        }
        fc.pre(inset.width > 0 && inset.height > 0)
        for (const corner of cornersOf(inset)) expect(containsPoint(triangle, corner)).toBe(true)
      }),
    )
  })

  it('is the wider arm of an L', () => {
    const l: Point[] = [
      [0, 0],
      [1000, 0],
      [1000, 300],
      [200, 300],
      [200, 900],
      [0, 900],
    ]
    expect(labelBox(l)).toEqual({ x: 0, y: 0, width: 1000, height: 300 })
  })
})

describe('edit steps', () => {
  const at = (x: number): FloorShape[] => [{ RoomID: 1, At: [x, 0] }]

  it('are undone and redone one by one, at most fifty', () => {
    let draft = floorDraftOf(at(0))
    for (let i = 1; i <= 60; i++) draft = pushUndoStep(draft, at(i))
    expect(draft.past).toHaveLength(MAX_UNDO_STEPS)
    for (let i = 0; i < 70; i++) draft = undo(draft)
    expect(draft.shapes).toEqual(at(10))
    for (let i = 0; i < 70; i++) draft = redo(draft)
    expect(draft.shapes).toEqual(at(60))
  })

  it('are one per gesture, and none without a change', () => {
    let draft = pushUndoStep(floorDraftOf(at(0)), at(1))
    draft = pushUndoStep(draft, at(2), true)
    draft = pushUndoStep(draft, at(3), true)
    expect(pushUndoStep(draft, at(3))).toBe(draft)
    expect(undo(draft).shapes).toEqual(at(0))
  })

  it('replace an existing shape of the room', () => {
    const other: FloorShape = { RoomID: 2, At: [5, 5] }
    expect(putShape([...at(1), other], { RoomID: 1, At: [9, 9] })).toEqual([{ RoomID: 1, At: [9, 9] }, other])
  })
})

describe('a point', () => {
  const corners: Point[] = [
    [100, 100],
    [300, 104],
  ]

  it('snaps to the nearest corner within eight pixels', () => {
    expect(snap([105, 106], { corners })).toEqual([100, 100])
    expect(snap([107, 107], { corners })).toEqual([107, 107])
  })

  it('snaps to multiples of 45 degrees', () => {
    expect(snap([205, 203], { corners: [], from: [0, 0] }).map(Math.round)).toEqual([204, 204])
    expect(snap([200, 6], { corners: [], from: [0, 0] }).map(Math.round)).toEqual([200, 0])
    expect(snap([200, 60], { corners: [], from: [0, 0] })).toEqual([200, 60])
  })

  it('aligns with corners in both directions on request', () => {
    expect(snap([296, 500], { corners, isAligned: true })).toEqual([300, 500])
    expect(snap([200, 103], { corners, isAligned: true })).toEqual([200, 104])
  })

  it('of a dragged shape snaps one of its corners to another corner', () => {
    expect(
      snapMove(
        [
          [0, 0],
          [50, 0],
        ],
        [247, 101],
        corners,
      ),
    ).toEqual([250, 104])
    expect(snapMove([[0, 0]], [200, 200], corners)).toEqual([200, 200])
  })
})

describe('a plan with many rooms', () => {
  const roomOf = (RoomID: number, side: number): FloorShape => ({
    RoomID,
    Points: cornersOf({ x: 0, y: 0, width: side, height: side }).map(([x, y]) => [x, y]),
  })

  it('is wide enough for fingers to hit three of four rooms', () => {
    expect(widthForFingers([roomOf(1, 1000)], 1)).toBe(440)
    // Half as high as wide: the height is the shorter side.
    expect(widthForFingers([roomOf(1, 1000)], 0.5)).toBe(880)
    const rooms = [100, 1000, 1000, 1000].map((side, i) => roomOf(i, side))
    expect(widthForFingers(rooms, 1)).toBe(440)
  })

  it('does not grow for its pins', () => {
    expect(widthForFingers([{ RoomID: 1, At: [5, 5] }], 1)).toBe(0)
    expect(widthForFingers([], 1)).toBe(0)
  })
})
