import { Blob as NodeBlob } from 'node:buffer'
import { createRequire } from 'node:module'
import { inflateRawSync } from 'node:zlib'
import type PapaParse from 'papaparse'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as XLSX from 'xlsx'
import { energyPages } from '../../../../src/lib/export/run-export.ts'
import { createExportWriter } from '../../../../src/lib/export/writer.ts'
import { createWorkbook } from '../../../../src/lib/export/writer.ts'
import { csvText } from '../../../../src/lib/export/text-files.ts'
import type { ExportPlan } from '../../../../src/lib/export/table.ts'

// Importing by name would give the bundler's stub.
const Papa = createRequire(import.meta.url)('papaparse') as typeof PapaParse

// jsdom's blobs cannot be read as streams.
beforeAll(() => void vi.stubGlobal('Blob', NodeBlob))
afterAll(() => void vi.unstubAllGlobals())

const ZONE = 'Asia/Taipei'
const FROM = Date.parse('2025-10-01T00:00:00+08:00')
const QUARTER = 900_000

const plan = (more: Partial<ExportPlan> = {}): ExportPlan => ({
  format: 'csv',
  oneWorkbook: true,
  zone: ZONE,
  fields: ['kWh', 'Cost'],
  columns: [
    { field: 'kWh', heading: '用電量 (kWh)' },
    { field: 'Cost', heading: '=電費, "NT$"' },
  ],
  timeHeading: '時間',
  isoHeading: 'ISO 8601',
  name: '內湖總部 2025-10',
  meters: [{ PeripheralUID: 'm1', PeripheralName: '=1F 總電表' }],
  about: { HomeName: '內湖總部' },
  ...more,
})
const three = (uid: string, name: string) => ({ PeripheralUID: uid, PeripheralName: name })
const rows = (count: number, first = FROM) =>
  Float64Array.from({ length: count * 3 }, (_, at) =>
    at % 3 === 0 ? first + (at / 3) * QUARTER : at % 3 === 1 ? 0.1 + 0.2 + Math.floor(at / 3) : -2.5,
  )
const write = async (given: ExportPlan, added: [number, Float64Array<ArrayBuffer>][]) => {
  const writer = createExportWriter(given)
  for (const [meter, some] of added) await writer.add(meter, some)
  return writer.end()
}
const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

async function unzip(blob: Blob): Promise<Map<string, Buffer>> {
  const bytes = await bytesOf(blob)
  const found = new Map<string, Buffer>()
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = bytes.readUInt32LE(end + 16)
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    const [packed, name, offset] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ]
    const begin = offset + 30 + bytes.readUInt16LE(offset + 26)
    found.set(
      bytes.subarray(at + 46, at + 46 + name).toString(),
      inflateRawSync(bytes.subarray(begin, begin + packed)),
    )
    at += 46 + name
  }
  return found
}

describe('CSV', () => {
  it("has a byte-order mark, the name of the meter, the home's time zone and whole numbers", async () => {
    const { name, blob } = await write(plan(), [[0, rows(3)]])
    expect(name).toBe('=1F 總電表.csv')
    const text = (await bytesOf(blob)).toString()
    expect(text.startsWith('\uFEFF')).toBe(true)
    const { data } = Papa.parse<string[]>(text.slice(1), { skipEmptyLines: true })
    expect(data[0]).toEqual(['時間', 'ISO 8601', '用電量 (kWh)', `'=電費, "NT$"`])
    expect(data[1]).toEqual([
      '2025-10-01 00:00:00',
      '2025-10-01T00:00:00+08:00',
      '0.30000000000000004',
      '-2.5',
    ])
    expect(data).toHaveLength(4)
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('never lets %j be calculated', (text) => {
    expect(Papa.parse<string[]>(csvText(text), { delimiter: ',' }).data[0]?.[0]).toBe(`'${text}`)
  })

  it('leaves an unknown value empty, and rounds only on request', async () => {
    const some = Float64Array.from([FROM, Number.NaN, 1.23456])
    const { blob } = await write(plan({ decimals: 2 }), [[0, some]])
    expect((await bytesOf(blob)).toString()).toContain('+08:00,,1.23\r\n')
  })

  it('puts several meters into an archive with one file each, equal names with their IDs', async () => {
    const meters = [three('a', '電表'), three('b', '電表'), three('c', 'A/B:C')]
    const { name, blob } = await write(plan({ meters }), [
      [0, rows(2)],
      [2, rows(1)],
      [2, rows(1, FROM + QUARTER)],
    ])
    expect(name).toBe('內湖總部 2025-10.zip')
    const files = await unzip(blob)
    expect([...files.keys()]).toEqual(['電表 (a).csv', '電表 (b).csv', 'A_B_C.csv'])
    const lines = [...files.values()].map((file) => file.toString().trim().split('\r\n').length)
    expect(lines).toEqual([3, 1, 3])
  })
})

describe('row quality', () => {
  const marked = (format: ExportPlan['format']): ExportPlan =>
    plan({
      format,
      fields: ['kWh', 'Quality'],
      columns: [
        { field: 'kWh', heading: 'kWh' },
        {
          field: 'Quality',
          heading: '資料品質',
          marks: [
            { name: 'measured', word: '實測' },
            { name: 'missing', word: '=缺漏' },
          ],
        },
      ],
    })
  const some = () => Float64Array.from([FROM, 1.5, 0, FROM + QUARTER, Number.NaN, 1])

  it('is in each line of a CSV, in words', async () => {
    const { blob } = await write(marked('csv'), [[0, some()]])
    const [, first, second] = (await bytesOf(blob)).toString().split('\r\n')
    expect(first).toMatch(/,1\.5,實測$/)
    expect(second).toMatch(/,,'=缺漏$/)
  })

  it('is in each row of a workbook, as text', async () => {
    const { blob } = await write(marked('xlsx'), [[0, some()]])
    const book = XLSX.read(await bytesOf(blob))
    const sheet = book.Sheets[book.SheetNames[0] as string] as XLSX.WorkSheet
    expect(sheet['D2']).toMatchObject({ t: 's', v: '實測' })
    expect(sheet['C3']).toBeUndefined()
    expect(sheet['D3']).toMatchObject({ t: 's', v: '=缺漏' })
  })

  it('has its wire name in JSON', async () => {
    const { blob } = await write(marked('json'), [[0, some()]])
    const { Rows } = JSON.parse((await bytesOf(blob)).toString())
    expect(Rows).toMatchObject([
      { kWh: 1.5, Quality: 'measured' },
      { kWh: null, Quality: 'missing' },
    ])
  })
})

describe('JSON', () => {
  it('contains its metadata and every row, over several pages', async () => {
    const { blob } = await write(plan({ format: 'json' }), [
      [0, rows(2)],
      [0, rows(0)],
      [0, rows(1, FROM + 2 * QUARTER)],
    ])
    const file = JSON.parse((await bytesOf(blob)).toString())
    expect(file).toMatchObject({ HomeName: '內湖總部', PeripheralUID: 'm1', TimeZone: ZONE })
    expect(file.Rows).toHaveLength(3)
    expect(file.Rows[2]).toEqual({
      Timestamp: FROM + 2 * QUARTER,
      Time: '2025-10-01T00:30:00+08:00',
      kWh: 0.1 + 0.2,
      Cost: -2.5,
    })
  })

  it('is complete without any row', async () => {
    const { blob } = await write(plan({ format: 'json' }), [])
    expect(JSON.parse((await bytesOf(blob)).toString()).Rows).toEqual([])
  })
})

describe('XLSX', () => {
  it("has real numbers and real dates of the home's clock, and a sheet for each meter", async () => {
    const meters = [three('a', '1F 電表'), three('b', '1F 電表'), three('c', '[x]*?:/\\'.repeat(9))]
    const { name, blob } = await write(plan({ format: 'xlsx', meters }), [
      [0, rows(3)],
      [1, rows(1)],
    ])
    expect(name).toBe('內湖總部 2025-10.xlsx')
    const book = XLSX.read(await bytesOf(blob), { cellDates: true, UTC: true })
    expect(book.SheetNames.slice(0, 2)).toEqual(['1F 電表 (a)', '1F 電表 (b)'])
    expect(book.SheetNames.every((each) => each.length <= 31)).toBe(true)
    const sheet = book.Sheets['1F 電表 (a)'] as XLSX.WorkSheet
    expect(sheet['A2']).toMatchObject({ t: 'd', v: new Date('2025-10-01T00:00:00Z') })
    expect(sheet['A3']?.v).toEqual(new Date('2025-10-01T00:15:00Z'))
    expect(sheet['B2']).toMatchObject({ t: 's', v: '2025-10-01T00:00:00+08:00' })
    expect(sheet['C2']).toMatchObject({ t: 'n', v: 0.1 + 0.2 })
    expect(sheet['D2']).toMatchObject({ t: 'n', v: -2.5 })
    expect(sheet['D1']).toMatchObject({ t: 's', v: '=電費, "NT$"' })
    expect(sheet['D1']?.f).toBeUndefined()
    expect(book.SheetNames).toHaveLength(3)
  })

  it('is named after a single meter, with any choice for several', async () => {
    const { name, blob } = await write(plan({ format: 'xlsx' }), [[0, rows(1)]])
    expect(name).toBe('=1F 總電表.xlsx')
    expect(XLSX.read(await bytesOf(blob)).SheetNames).toEqual(['=1F 總電表'])
  })

  it('is a file for each meter if that is selected', async () => {
    const meters = [three('a', 'A'), three('b', 'B')]
    const { blob } = await write(plan({ format: 'xlsx', oneWorkbook: false, meters }), [[1, rows(2)]])
    const files = await unzip(blob)
    expect([...files.keys()]).toEqual(['A.xlsx', 'B.xlsx'])
    const sheet = XLSX.read(files.get('B.xlsx')).Sheets['B'] as XLSX.WorkSheet
    expect(sheet['!ref'] ?? XLSX.utils.sheet_to_json(sheet).length).toBeTruthy()
    expect(XLSX.utils.sheet_to_json(sheet)).toHaveLength(2)
  })

  it('continues in another sheet if one is full', async () => {
    const workbook = createWorkbook(plan({ format: 'xlsx' }), 3)
    await workbook.begin('A')
    await workbook.rows(rows(5))
    await workbook.end()
    const book = XLSX.read(await bytesOf(await workbook.finish()))
    expect(book.SheetNames).toEqual(['A', 'A (2)', 'A (3)'])
    const counts = book.SheetNames.map((each) => XLSX.utils.sheet_to_json(book.Sheets[each] as never).length)
    expect(counts).toEqual([2, 2, 1])
  })
})

describe('the pages of an export', () => {
  const YEAR = { from: Date.parse('2025-01-01T00:00:00+08:00'), to: Date.parse('2026-01-01T00:00:00+08:00') }

  it('cover the range of every meter without a gap, each within the maximum length', () => {
    const pages = energyPages(2, YEAR, 'quarter', ZONE)
    for (const meter of [0, 1]) {
      const own = pages.filter(({ meters }) => meters[0] === meter)
      expect(own.at(-1)?.to).toBe(YEAR.to)
      for (const [index, page] of own.entries()) {
        expect(page.to - page.from).toBeLessThanOrEqual(1_000 * QUARTER)
        expect(page.from).toBe(own[index - 1]?.to ?? YEAR.from)
      }
    }
  })

  it('combine many meters if they have few points', () => {
    const pages = energyPages(1_000, YEAR, 'month', ZONE, 3_000)
    expect(pages.map(({ meters }) => meters.length)).toEqual([250, 250, 250, 250])
    expect(pages.flatMap(({ meters }) => meters)).toEqual(Array.from({ length: 1_000 }, (_, meter) => meter))
  })
})
