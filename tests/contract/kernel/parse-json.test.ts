import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MeterReading } from '../../../contract/meters/channels.ts'
import { deviceTypes } from '../../../contract/devices/kinds/registry.ts'
import { isExact, parseExactJson, parseJson } from '../../../contract/kernel/parse-json.ts'

it.each([
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['{"a":[1,90071992547409930],"b":1.5}', { a: [1, '90071992547409930'], b: 1.5 }],
  ['{"a":9007199254740993.25}', { a: '9007199254740993.25' }],
  ['{"a":1234567890123456e3}', { a: '1234567890123456e3' }],
  ['0.30000000000000004', 0.30000000000000004],
  [
    '{"9007199254740993":"9007199254740993 \\" 9007199254740993"}',
    { '9007199254740993': '9007199254740993 " 9007199254740993' },
  ],
  ['[9007199254740993', undefined],
  ['09007199254740993', undefined],
])('reads %s without rounding it', (text, value) => {
  expect(parseExactJson(text)).toEqual(value)
})

it('reads anything without such a number like JSON does', () => {
  const texts = fc.json().filter((text) => !/\d{16}|\de/i.test(text))
  fc.assert(
    fc.property(texts, (text) => {
      expect(parseExactJson(text)).toEqual(parseJson(text))
    }),
  )
})

it('rejects values that cannot be represented exactly', () => {
  const fields = Object.values(deviceTypes).flatMap(({ capabilities }) =>
    capabilities.flatMap(({ status }) => Object.entries(status)),
  )
  const { Timestamp: _, ...reading } = MeterReading.shape
  const taking = [...fields, ...Object.entries(reading)].filter(
    ([, schema]) => schema.safeParse(2 ** 53).success,
  )
  expect(isExact(2 ** 53)).toBe(false)
  expect(isExact(2 ** 53 - 1)).toBe(true)
  expect(taking).toEqual([])
})
