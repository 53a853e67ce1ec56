import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FileRefused } from '../../../../src/lib/spreadsheet/file-fault.ts'
import {
  atomEntry,
  bookOf,
  bytesOf,
  espiReading,
  feedOf,
  greenButtonOf,
  nemDay,
  nemFile,
  nemMeter,
  open,
  utf16Of,
  writeBook,
  xlsxOf,
  zipOf,
} from './build-files.ts'

const CSV = 'sep=;\r\n時間;"用電量";備註\r\n2026-06-01 00:00;1,5;"a ""b""\r\nc"\r\n2026-06-01 00:15;2;\r\n'
const FILES: Record<string, Uint8Array<ArrayBuffer>> = {
  CSV: bytesOf(CSV),
  'UTF-16': Uint8Array.from([0xff, 0xfe, ...utf16Of(CSV, 'le')]),
  NEM12: bytesOf(nemFile(nemMeter('E1', 'kWh', 30), nemDay('20260601', 30, '1', 'V'), '400,1,48,A,,')),
  'Green Button': bytesOf(greenButtonOf('<uom>72</uom>', espiReading(1_780_272_000, 1))),
  JSON: bytesOf(
    '{"unit":"kWh","data":[{"t":"2026-06-01","v":{"x":[1,null]}},\n{"t":"\\u6642\\"","v":-1.5e3}]}',
  ),
  'JSON lines': bytesOf('{"t":1,"v":2}\n{"t":2,"v":3}\n'),
  gzip: Uint8Array.from(gzipSync(CSV)),
  zip: zipOf({ name: 'a.csv', content: CSV }),
  workbook: writeBook(
    bookOf([
      ['時間', '度'],
      [{ t: 'n', v: 46_174, z: 'yyyy/m/d' }, 1.5],
    ]),
  ),
}

/** Result of opening a file that may be broken: whether it is read or rejected, or another error, which fails the test. */
const resultOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<unknown> =>
  open(bytes).then(
    () => 'read',
    (error: unknown) => (error instanceof FileRefused ? 'rejected' : error),
  )

it.each(Object.entries(FILES))(
  'reads or rejects a file that is cut off at any byte: %s',
  async (_, bytes) => {
    expect(await resultOf(bytes)).toBe('read')
    const results = new Set<unknown>()
    for (let length = 0; length < bytes.length; length++) results.add(await resultOf(bytes.slice(0, length)))
    expect(['read', 'rejected']).toEqual(expect.arrayContaining([...results]))
  },
)

it.each(Object.entries(FILES))('reads or rejects a file with wrong bytes: %s', async (_, bytes) => {
  const byte = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255))
  await fc.assert(
    fc.asyncProperty(fc.array(byte, { minLength: 1, maxLength: 5 }), async (changes) => {
      const broken = bytes.slice()
      for (const [at, value] of changes) broken[at] = value
      expect(['read', 'rejected']).toContain(await resultOf(broken))
    }),
    { numRuns: 60 },
  )
})

const LONG = 300_000
const HOSTILE: Record<string, Uint8Array<ArrayBuffer>> = {
  'quotes and delimiters': bytesOf(`a;b\n${'"x";'.repeat(200_000)}\n`),
  'unclosed quotes': bytesOf(`a,b\n${',"x y\n'.repeat(LONG)}`),
  'returns without line feeds': bytesOf(`${'a,b\n'.repeat(LONG)}${'\r'.repeat(LONG)}x\r\n`),
  'a cell of digits': bytesOf(`a,b\n${'1'.repeat(LONG)}x,;\n`),
  'digits in NEM12': bytesOf(
    nemFile(nemMeter('E1', 'kWh', 30), nemDay('20260601', 30, `${'1'.repeat(20_000)}x`)),
  ),
  'backslashes in JSON': bytesOf(`[{"a":"${'\\\\'.repeat(LONG)}\\"","b":${'['.repeat(LONG)}`),
  'slashes in a link': bytesOf(feedOf(atomEntry('', [['self', `${'/'.repeat(LONG)}x`]], '<IntervalBlock/>'))),
  'open tags in a workbook': zipOf(
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: 'xl/workbook.xml', content: '<sheet "'.repeat(LONG) },
    { name: 'xl/_rels/workbook.xml.rels', content: `<Relationship ${'a'.repeat(LONG)}>` },
  ),
  'open cells in a sheet': xlsxOf([{ name: 'a', rows: '<row><c r="A1"><f>'.repeat(LONG / 10) }]),
}

it.each(Object.entries(HOSTILE))('reads or rejects %s in linear time', async (_, bytes) => {
  expect(['read', 'rejected']).toContain(await resultOf(bytes))
})
