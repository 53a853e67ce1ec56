import { expect, it } from 'vitest'
import type { FloorShape } from '../../../../contract/homes/floor.ts'
import { cornersOf } from '../../../../src/domain/floor/plan-geometry.ts'
import { PIN, pinAt, placePinWords } from '../../../../src/custom-views/building/plan-room.tsx'

const size = { width: 1000, height: 500 }
const names = new Map([1, 2, 3].map((id) => [id, `會議室 ${id}`]))
const pin = (RoomID: number, x: number, y: number): FloorShape => ({ RoomID, At: [x, y] })
const placed = (...shapes: FloorShape[]) => [...placePinWords(shapes, names, size).values()]

it('places the label below a pin, and above it at the lower edge of the plan', () => {
  expect(placed(pin(1, 5000, 5000))).toEqual(['below'])
  expect(placed(pin(1, 5000, 9800))).toEqual(['above'])
})

it('does not cover the label of a room', () => {
  const room: FloorShape = {
    RoomID: 3,
    Points: cornersOf({ x: 4000, y: 4000, width: 2000, height: 4000 }).map(([x, y]) => [x, y]),
  }
  expect(placed(room, pin(1, 5000, 3600))).toEqual(['above'])
  expect(placed(room, pin(1, 5000, 4600))).toEqual([undefined])
  // Pins do not overlap the room's own label in its lower part.
  expect(placed(room, pin(1, 5000, 6000))).toEqual(['below'])
})

it('does not cover the label of another pin', () => {
  expect(placed(pin(1, 5000, 5000), pin(2, 5100, 5000))).toEqual(['below', 'above'])
  expect(placed(pin(1, 5000, 5000), pin(2, 5100, 5000), pin(3, 5050, 5000))).toEqual([
    'below',
    'above',
    undefined,
  ])
})

it('keeps a pin entirely inside the edge of a plan', () => {
  const [x, y] = pinAt([0, 10_000], size)
  expect(x).toBeGreaterThanOrEqual(PIN)
  expect(y).toBeLessThanOrEqual(size.height - PIN)
})
