import { Blob as NodeBlob } from 'node:buffer'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as XLSX from 'xlsx'
import { FileRefused } from '../../../../src/lib/spreadsheet/file-fault.ts'
import { readText } from '../../../../src/lib/spreadsheet/grid.ts'
import { openFile } from '../../../../src/lib/spreadsheet/open-file.ts'
import { readWorkbook } from '../../../../src/lib/spreadsheet/workbook.ts'

// jsdom's blobs cannot be read as streams.
beforeAll(() => void vi.stubGlobal('Blob', NodeBlob))
afterAll(() => void vi.unstubAllGlobals())

const bytes = (text: string) => new TextEncoder().encode(text)

describe('a text file', () => {
  it('is read as Excel saves it in Taiwan: Big5', () => {
    // 時間,度
    const head = [0xae, 0xc9, 0xb6, 0xa1, 0x2c, 0xab, 0xd7]
    const { grid } = readText(Uint8Array.from([...head, ...bytes('\n2025-10-01,1')]))
    expect(grid[0]).toEqual(['時間', '度'])
  })

  it('is rejected if too large: millions of columns, a line or a cell of megabytes', () => {
    const wide = (text: string) => () => readText(bytes(text))
    const fault = expect.objectContaining({ fault: 'tooWide' })
    expect(wide(`時間,度\n${','.repeat(256)}`)).toThrow(fault)
    expect(wide(`時間,度\n2025-10-01,1\n${','.repeat(10_000_000)}`)).toThrow(fault)
    expect(wide('7'.repeat(2_000_000))).toThrow(fault)
    expect(wide(`時間,度\n"${'7\n'.repeat(1_000_000)}"`)).toThrow(fault)
    expect(readText(bytes(`${'1,'.repeat(255)}1\n`)).grid[0]).toHaveLength(256)
  })

  it('is rejected without any text', () => {
    expect(() => readText(bytes(''))).toThrow(FileRefused)
  })
})

describe('a workbook', () => {
  const book = (rows: unknown[][]) => {
    const made = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(made, XLSX.utils.aoa_to_sheet(rows, { UTC: true }), '一月')
    XLSX.utils.book_append_sheet(made, XLSX.utils.aoa_to_sheet([['x']]), '二月')
    return made
  }
  const write = (made: XLSX.WorkBook) =>
    new Uint8Array(XLSX.write(made, { type: 'array', bookType: 'xlsx', compression: true }) as ArrayBuffer)

  it('returns its dates in local time and its numbers unchanged', async () => {
    const { grid, sheets } = await readWorkbook(
      write(
        book([
          ['時間', '度'],
          [new Date('2025-10-01T08:15:00Z'), 1.25],
        ]),
      ),
    )
    expect(sheets).toEqual(['一月', '二月'])
    expect(grid).toEqual([
      ['時間', '度'],
      ['2025-10-01 08:15:00', '1.25'],
    ])
  })

  it('is rejected with more columns than a table allows, instead of dropping some', async () => {
    const columns = (count: number) => write(book([Array.from({ length: count }, (_, i) => i)]))
    await expect(readWorkbook(columns(257))).rejects.toMatchObject({ fault: 'tooWide' })
    expect((await readWorkbook(columns(256))).grid[0]).toHaveLength(256)
  })

  it('never calculates: uses the stored value of a formula', async () => {
    const made = book([['a', 'b']])
    const sheet = made.Sheets['一月'] as XLSX.WorkSheet
    sheet['A2'] = { t: 'n', v: 7, f: 'HYPERLINK("http://x")' }
    sheet['!ref'] = 'A1:B2'
    expect((await readWorkbook(write(made))).grid[1]).toEqual(['7'])
  })

  it(
    'is rejected if it unpacks to far more than its size, whatever size it declares',
    { timeout: 120_000 },
    async () => {
      const packed = deflateRawSync(Buffer.alloc(450 * 2 ** 20))
      const local = Buffer.alloc(31)
      local.writeUInt32LE(0x0403_4b50, 0)
      local.writeUInt16LE(1, 26)
      const central = Buffer.alloc(47)
      central.writeUInt32LE(0x0201_4b50, 0)
      central.writeUInt16LE(8, 10)
      central.writeUInt32LE(packed.length, 20)
      central.writeUInt32LE(10, 24)
      central.writeUInt16LE(1, 28)
      const end = Buffer.alloc(22)
      end.writeUInt32LE(0x0605_4b50, 0)
      end.writeUInt16LE(1, 10)
      end.writeUInt32LE(local.length + packed.length, 16)
      const bomb = Uint8Array.from(Buffer.concat([local, packed, central, end]))
      await expect(readWorkbook(bomb)).rejects.toMatchObject({ fault: 'bomb' })
    },
  )

  it('is rejected if it is invalid', async () => {
    await expect(readWorkbook(Uint8Array.from(bytes('PK\u0003\u0004nothing')))).rejects.toBeInstanceOf(
      FileRefused,
    )
  })
})

describe('a file', () => {
  const open = (head: readonly number[], text: string) =>
    openFile(new NodeBlob([Uint8Array.from(head), text]) as Blob)

  it('is recognized by its first bytes, under any name', async () => {
    expect((await open([], '時間;度\n1;2')).delimiter).toBe(';')
    await expect(open([0xd0, 0xcf], 'an old workbook')).rejects.toMatchObject({ fault: 'oldExcel' })
    await expect(open([0x50, 0x4b], 'no archive')).rejects.toMatchObject({ fault: 'notRead' })
    await expect(open([], '')).rejects.toMatchObject({ fault: 'empty' })
  })
})
