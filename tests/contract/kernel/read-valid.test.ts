import { z } from 'zod'
import { expect, it } from 'vitest'
import { parseTolerantJson } from '../../../contract/kernel/parse-json.ts'
import { numberIn, type OddValue, readValid } from '../../../contract/kernel/read-valid.ts'

const read = (schema: z.ZodType, value: unknown) => {
  const odd: OddValue[] = []
  return [readValid(schema, value, 'f', odd), odd.map(({ path, came }) => [path, came])]
}

it('accepts a numeric string, and no other string', () => {
  expect(['1', ' -2.50 ', '1e3', '+.5', '3.'].map(numberIn)).toEqual([1, -2.5, 1000, 0.5, 3])
  for (const text of ['', ' ', 'NaN', 'Infinity', '0x10', '1,5', '1e999', '12 °C', '1'.repeat(33), null, [1]])
    expect(numberIn(text)).toBeUndefined()
  expect(read(z.number().max(5), '4')).toEqual([4, []])
  expect(read(z.number().max(5), '6')).toEqual([undefined, [['f', '6']]])
})

it('treats null as unknown, which is not a fault', () => {
  expect(read(z.number(), null)).toEqual([undefined, []])
  expect(read(z.number().nullable(), null)).toEqual([null, []])
})

it('omits invalid list entries, and lists unknown fields of objects and records', () => {
  const entry = z.object({ id: z.number(), t: z.number().optional() })
  expect(read(z.array(entry).max(2), [{ id: 1, t: 'x' }, { t: 2 }, { id: '3', t: 3 }])).toEqual([
    [
      { id: 1, t: null },
      { id: 3, t: 3 },
    ],
    [
      ['f.0.t', 'x'],
      ['f.1', { t: 2 }],
    ],
  ])
  expect(read(z.record(z.string().max(2), z.number().nullable()), { a: 1, b: 'x', long: 2 })).toEqual([
    { a: 1, b: null },
    [
      ['f.b', 'x'],
      ['f.long', 2],
    ],
  ])
})

it('rejects the whole value if a rule across members fails, or a member is missing', () => {
  const list = z.array(z.number()).max(1)
  expect(read(list, [1, 2])).toEqual([undefined, [['f', [1, 2]]]])
  expect(read(z.object({ a: z.number() }), {})).toEqual([undefined, [['f', {}]]])
})

it('lists a limited number of invalid values', () => {
  const [, odd] = read(
    z.array(z.number()),
    Array.from({ length: 1000 }, () => 'x'),
  )
  expect(odd).toHaveLength(32)
})

it('reads NaN and Infinity as strings, in one pass for any length', () => {
  expect(parseTolerantJson('{"a":NaN,"b":[-Infinity,+inf,-nan],"c":"NaN","d\\"NaN":1}')).toEqual({
    a: 'NaN',
    b: ['-Infinity', '+inf', '-nan'],
    c: 'NaN',
    'd"NaN': 1,
  })
  for (const text of ['{"a":NaNs}', '{nan":1}', '{"a":nan', 'x'])
    expect(parseTolerantJson(text)).toBeUndefined()
  const hostile = ['"', '\\"', '"nan', 'nan', '[nan,'].map(
    (piece) => `nan${piece.repeat(1e6 / piece.length)}`,
  )
  for (const text of hostile) expect(parseTolerantJson(text)).toBeUndefined()
})
