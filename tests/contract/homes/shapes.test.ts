import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Point, polygonProblem, SCALE, twiceArea } from '../../../contract/homes/shapes.ts'

/** Outline that goes once around its center, so that it never intersects itself. */
const star = fc
  .uniqueArray(fc.integer({ min: 0, max: 71 }), { minLength: 3, maxLength: 24 })
  .map((angles) => angles.toSorted((a, b) => a - b))
  // The center is inside: no edge spans half a turn.
  .filter((angles) =>
    angles.every((angle, i) => ((angles[(i + 1) % angles.length] as number) - angle + 72) % 72 < 36),
  )
  .chain((angles) =>
    fc
      .array(fc.integer({ min: 500, max: 5000 }), { minLength: angles.length, maxLength: angles.length })
      .map((radii) =>
        angles.map((angle, i): Point => {
          const radius = radii[i] as number
          const radians = (angle * Math.PI) / 36
          return [
            Math.round(SCALE / 2 + radius * Math.cos(radians)),
            Math.round(SCALE / 2 + radius * Math.sin(radians)),
          ]
        }),
      ),
  )

it('accepts every outline that goes once around its center, from any corner in either direction', () => {
  fc.assert(
    fc.property(star, fc.nat(23), (points, first) => {
      const turned = [...points.slice(first % points.length), ...points.slice(0, first % points.length)]
      expect(polygonProblem(turned)).toBeUndefined()
      expect(polygonProblem(turned.toReversed())).toBeUndefined()
      expect(twiceArea(turned)).toBe(-twiceArea(turned.toReversed()))
      expect(twiceArea(turned)).toBeGreaterThan(0)
    }),
  )
})

it('rejects an outline that visits one of its corners again', () => {
  fc.assert(
    fc.property(star, fc.nat(23), (points, again) => {
      const corner = points[again % points.length] as Point
      expect(polygonProblem([...points, corner, corner])).toBe('crossing')
    }),
  )
})

it('rejects corners that are all on one line', () => {
  const line = fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 90 }))
  fc.assert(
    fc.property(line, fc.array(fc.nat(100), { minLength: 3, maxLength: 24 }), ([x, y], steps) => {
      expect(polygonProblem(steps.map((step): Point => [x * step, y * step]))).toBe('noArea')
    }),
  )
})

it.each([
  [
    'a bow tie',
    [
      [0, 0],
      [10, 10],
      [10, 0],
      [0, 10],
    ],
  ],
  [
    'a corner on another edge',
    [
      [0, 0],
      [10, 0],
      [10, 10],
      [5, 0],
      [0, 10],
    ],
  ],
  [
    'a spike that runs back over itself',
    [
      [0, 0],
      [10, 0],
      [20, 0],
      [10, 0],
      [10, 10],
    ],
  ],
  [
    'two edges on one line that overlap',
    [
      [0, 0],
      [10, 0],
      [10, 5],
      [8, 5],
      [8, 0],
      [2, 0],
      [2, 5],
      [0, 5],
    ],
  ],
] as [string, Point[]][])('rejects %s', (_what, points) => {
  expect(polygonProblem(points)).toBe('crossing')
})

it('accepts an L shape, and a corner in the middle of a straight wall', () => {
  expect(
    polygonProblem([
      [0, 0],
      [10, 0],
      [10, 5],
      [5, 5],
      [5, 10],
      [0, 10],
    ]),
  ).toBeUndefined()
  expect(
    polygonProblem([
      [0, 0],
      [5, 0],
      [10, 0],
      [10, 10],
      [0, 10],
    ]),
  ).toBeUndefined()
})
