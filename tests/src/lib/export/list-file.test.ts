import { Blob as NodeBlob } from 'node:buffer'
import { createRequire } from 'node:module'
import type PapaParse from 'papaparse'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as XLSX from 'xlsx'
import { createListFile, type ListCell, type ListFormat } from '../../../../src/lib/export/list-file.ts'

// Importing by name would give the bundler's stub.
const Papa = createRequire(import.meta.url)('papaparse') as typeof PapaParse

// jsdom's blobs cannot be read as streams.
beforeAll(() => void vi.stubGlobal('Blob', NodeBlob))
afterAll(() => void vi.unstubAllGlobals())

const AT = Date.parse('2025-10-01T08:15:30+08:00')

async function write(format: ListFormat, ...pages: ListCell[][][]) {
  const file = createListFile({
    format,
    name: '訪客/登記',
    zone: 'Asia/Taipei',
    headings: ['姓名', '=人數', '時間'],
  })
  for (const page of pages) await file.add(page)
  const { name, blob } = await file.end()
  return { name, bytes: Buffer.from(await blob.arrayBuffer()) }
}
const sheetOf = (bytes: Buffer) => {
  const book = XLSX.read(bytes, { cellDates: true, UTC: true })
  return { book, sheet: book.Sheets[book.SheetNames[0] as string] as XLSX.WorkSheet }
}

/** Names in many scripts, and texts that are special in a format. */
const TEXTS = [
  '王小明',
  'さくら 한글 ไทย',
  'مرحبا بالعالم',
  '👩🏽‍💻 𠮷野家',
  'Ångström, "quoted"\r\nsecond line',
  '<b>&amp;</b>',
  '_x0041_ stays',
  '  blanks  ',
]
const FORMULAS = ['=1+1', '+886', '-5', '@SUM(A1)', '\t=1', '＝1+1', '＋1', '－1', '＠x']

describe('a list as CSV', () => {
  it('has a byte-order mark, headings, and texts, numbers and times of every page', async () => {
    const { name, bytes } = await write('csv', [['王小明', 3, { at: AT }]], [['', null, null]])
    expect(name).toBe('訪客_登記.csv')
    expect(bytes.toString()).toBe("\uFEFF姓名,'=人數,時間\r\n王小明,3,2025-10-01T08:15:30+08:00\r\n,,\r\n")
  })

  it('keeps texts of every script, and escapes formulas but not numbers', async () => {
    const { bytes } = await write('csv', [[...TEXTS], [...FORMULAS], [-1.5]])
    const [, texts, formulas, numbers] = Papa.parse<string[]>(bytes.toString()).data
    expect(texts).toEqual(TEXTS)
    expect(formulas).toEqual(FORMULAS.map((text) => `'${text}`))
    expect(numbers).toEqual(['-1.5'])
  })
})

describe('a list as a workbook', () => {
  it('has real numbers and real local dates, and a fixed header', async () => {
    const { name, bytes } = await write('xlsx', [['王小明', 3, { at: AT }]], [[null, -0.5, null]])
    expect(name).toBe('訪客_登記.xlsx')
    const { book, sheet } = sheetOf(bytes)
    expect(book.SheetNames).toEqual(['訪客_登記'])
    expect(sheet['A1']).toMatchObject({ t: 's', v: '姓名' })
    expect(sheet['B2']).toMatchObject({ t: 'n', v: 3 })
    expect(sheet['C2']).toMatchObject({ t: 'd', v: new Date('2025-10-01T08:15:30Z') })
    expect(sheet['B3']).toMatchObject({ t: 'n', v: -0.5 })
    expect(sheet['A3']).toBeUndefined()
  })

  it('keeps texts of every script as texts, never as formulas', async () => {
    const all = [...TEXTS, ...FORMULAS]
    const { bytes } = await write(
      'xlsx',
      all.map((text) => [text]),
    )
    const { sheet } = sheetOf(bytes)
    for (const [index, text] of all.entries()) {
      const cell = sheet[`A${index + 2}`] as XLSX.CellObject
      // XML has one kind of line end.
      expect(String(cell.v)).toBe(text.replace('\r\n', '\n'))
      expect(cell).toMatchObject({ t: 's' })
      expect(cell.f).toBeUndefined()
    }
  })

  it('removes characters that no workbook can contain', async () => {
    const { bytes } = await write('xlsx', [[`a\u0000b\uD800c`], ['長'.repeat(40_000)]])
    const { sheet } = sheetOf(bytes)
    expect(sheet['A2']?.v).toBe('abc')
    expect(sheet['A3']?.v).toHaveLength(32_767)
  })

  it('has an empty cell for NaN, which no reader accepts', async () => {
    const { bytes } = await write('xlsx', [[Number.NaN, Number.POSITIVE_INFINITY, -0]])
    const { sheet } = sheetOf(bytes)
    expect(sheet['A2']).toBeUndefined()
    expect(sheet['B2']).toBeUndefined()
    expect(sheet['C2']).toMatchObject({ t: 'n', v: 0 })
    expect((await write('csv', [[Number.NaN, 1]])).bytes.toString()).toMatch(/\r\n,1\r\n$/)
  })

  it('is complete without any row', async () => {
    const { bytes } = await write('xlsx')
    expect(XLSX.utils.sheet_to_json(sheetOf(bytes).sheet, { header: 1 })).toEqual([['姓名', '=人數', '時間']])
  })
})
