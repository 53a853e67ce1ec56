import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { MeterReading } from '../../../../../contract/meters/channels.ts'
import { compileFastSchema } from '../../../../../gateway/features/status/ingest/fast-schema.ts'

const bounds = [
  0,
  -0,
  1,
  -1,
  2,
  3,
  1e6,
  1e6 + 1,
  655_350,
  655_351,
  1e9,
  -1e9 - 1,
  1e12,
  1e12 + 1,
  Infinity,
  0.5,
]
const value = fc.oneof(
  fc.constantFrom<unknown>(...bounds, null, true, '1', '', [], {}, NaN, 'uid-1', 'no id!', 'x'.repeat(65)),
  fc.double(),
)

it('gives the same result as the schema for every reading', () => {
  const check = compileFastSchema(MeterReading)
  const names = [...Object.keys(MeterReading.shape), 'Unknown', '__proto__', 'constructor']
  const good = { PeripheralUID: 'meter-1', Timestamp: 1_700_000_000, AccumulatePower: 1 }
  const fields = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 4 })
  fc.assert(
    fc.property(fields, fc.constantFrom(...Object.keys(good), 'none'), (changes, left) => {
      const fresh = Object.entries(good).filter(([name]) => name !== left)
      // As parsed from JSON: a field may have any name.
      const reading = Object.create(Object.prototype) as object
      for (const [name, given] of [...fresh, ...changes])
        Object.defineProperty(reading, name, {
          value: given,
          enumerable: true,
          configurable: true,
          writable: true,
        })
      expect(check(reading)).toBe(MeterReading.safeParse(reading).success)
    }),
    { numRuns: 2_000 },
  )
  for (const other of [null, undefined, 1, 'text', [], [good]]) expect(check(other)).toBe(false)
})

it.each([
  ['trims', z.string().trim()],
  ['converts', z.coerce.number()],
  ['counts in whole numbers', z.number().int()],
  ['excludes its bound', z.number().gt(0)],
  ['holds a list', z.array(z.number())],
])('does not claim a known field that %s', (_, field) => {
  expect(() => compileFastSchema(z.object({ field }))).toThrow('field')
})
