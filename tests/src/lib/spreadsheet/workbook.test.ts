import { describe, expect, it } from 'vitest'
import * as XLSX from 'xlsx'
import { bookOf, numberRows, open, writeBook, xlsxOf, zipOf } from './build-files.ts'

const day = (v: number, z = 'yyyy/m/d') => ({ t: 'n', v, z })
/** 2026-06-01 in the calendar of 1900. */
const JUNE_1 = 46_174
const QUARTER = 1 / 96
const gridOf = async (rows: readonly (readonly unknown[])[]) => (await open(writeBook(bookOf(rows)))).grid

describe('a cell of a workbook', () => {
  it('is a date or a time as its format says, and a number or a text as it is', async () => {
    const file = await open(
      writeBook(
        bookOf([
          ['日期', '時間', '用電量'],
          [day(JUNE_1), day(0, 'h:mm'), 1.25],
          [day(JUNE_1), day(QUARTER, 'h:mm'), '1.25'],
          [day(JUNE_1 + QUARTER, 'yyyy\\-mm\\-dd\\ hh:mm'), day(33 * QUARTER, 'h:mm:ss AM/PM'), 3],
          [day(JUNE_1 + 1, 'm/d/yy h:mm'), day(JUNE_1 + QUARTER, 'h:mm'), 4],
        ]),
      ),
    )
    expect(file).toMatchObject({
      container: 'workbook',
      isDate1904: false,
      delimiter: undefined,
      skipped: [],
    })
    expect(file.grid).toEqual([
      ['日期', '時間', '用電量'],
      ['2026-06-01', '00:00:00', 1.25],
      ['2026-06-01', '00:15:00', '1.25'],
      ['2026-06-01 00:15:00', '08:15:00', 3],
      ['2026-06-02 00:00:00', '2026-06-01 00:15:00', 4],
    ])
  })

  it('is a duration of 24 hours and more', async () => {
    expect(
      await gridOf([[day(1, '[h]:mm'), day(2.5, '[hh]:mm:ss'), day(1, 'h:mm'), day(QUARTER, '[mm]:ss')]]),
    ).toEqual([['24:00:00', '60:00:00', '24:00:00', '00:15:00']])
  })

  it('shows the time of a date whose format hides it, and a second that is slightly inexact', async () => {
    expect(
      await gridOf([[day(JUNE_1 + 0.343_749_999_99), day(JUNE_1 + 0.999_999_999, 'yyyy-mm-dd hh:mm')]]),
    ).toEqual([['2026-06-01 08:15:00', '2026-06-02 00:00:00']])
  })

  it('stays a number if it is a bare serial number', async () => {
    const rows = Array.from({ length: 8 }, (_, i) => [JUNE_1 + i * QUARTER, 1])
    expect(await gridOf([['時間', '用電量'], ...rows])).toEqual([['時間', '用電量'], ...rows])
  })

  it('stays a number if its format is a date and it cannot be one', async () => {
    expect(await gridOf([[day(-1), day(3_000_000), day(0), 7]])).toEqual([[-1, 3_000_000, 0, 7]])
  })

  it.each([
    ['0.00E+00', 7],
    ['"days: "0', 7],
    ['0.0\\h', 7],
    ['[Red]0;[Blue]-0', 7],
    ['[$-404]e"年"m"月"d"日"', '1900-01-07'],
    ['yyyy"年"m"月"', '1900-01-07'],
    ['mmm', '1900-01-07'],
    ['[$-F400]h:mm:ss AM/PM', '168:00:00'],
    ['上午/下午 hh"時"mm"分"', '168:00:00'],
  ])('with the format %s is %j', async (format, expected) => {
    expect(await gridOf([[day(7, format)]])).toEqual([[expected]])
  })

  it('counts from 1904 if the workbook says so', async () => {
    const book = bookOf([[day(JUNE_1 - 1_462), JUNE_1 - 1_462, day(0)]])
    book.Workbook = { WBProps: { date1904: true } }
    expect(await open(writeBook(book))).toMatchObject({
      isDate1904: true,
      grid: [['2026-06-01', JUNE_1 - 1_462, '1904-01-01']],
    })
  })

  it('is empty with an error', async () => {
    expect(await gridOf([[{ t: 'e', v: 0x2a }, 1]])).toEqual([['', 1]])
  })

  it('is the stored value of a formula, which is never calculated, or the formula itself', async () => {
    const rows =
      '<row r="1"><c r="A1"><f>HYPERLINK("http://x")</f><v>7</v></c><c r="B1"><f>A1*2</f></c><c r="C1"><f>A1*3</f><v></v></c>' +
      '<c r="D1" t="str"><f>IF(A1=7,"","x")</f><v></v></c><c r="E1"><f>A1*4</f><v/></c><c r="F1"><v>0</v></c></row>'
    expect((await open(xlsxOf([{ name: 'a', rows }]))).grid).toEqual([[7, '=A1*2', '=A1*3', '', '=A1*4', 0]])
  })

  it('of merged ones has the value only in the first', async () => {
    const book = bookOf([
      ['標題', '', ''],
      [1, 2, 3],
    ])
    ;(book.Sheets['用電'] as XLSX.WorkSheet)['!merges'] = [XLSX.utils.decode_range('A1:C1')]
    expect((await open(writeBook(book))).grid).toEqual([['標題'], [1, 2, 3]])
  })

  it('has a format by number only, as Excel of Taiwan stores it', async () => {
    const cells = [31, 57, 32, 44, 5, 14].map(
      (_, style) => `<c r="${'ABCDEF'[style]}1" s="${style}"><v>${style === 2 ? 0.5 : JUNE_1}</v></c>`,
    )
    const file = await open(
      xlsxOf([{ name: 'a', rows: `<row r="1">${cells.join('')}</row>` }], {
        numFmtIds: [31, 57, 32, 44, 5, 14],
      }),
    )
    expect(file.grid).toEqual([['2026-06-01', '2026-06-01', '12:00:00', JUNE_1, JUNE_1, '2026-06-01']])
    expect(file.formats).toEqual([undefined, undefined, undefined, '"$"#,##0.00', '"$"#,##0'])
  })
})

describe('a workbook', () => {
  it('states the most common number format of each column', async () => {
    const row = (v: number, percent: string) => [
      'x',
      v,
      { t: 'n', v: 0.5, z: percent },
      { t: 'n', v: 12, z: '"NT$"#,##0' },
    ]
    const file = await open(
      writeBook(bookOf([['', '', 'share', 'cost'], row(1, '0.00%'), row(2, '0.00%'), row(3, '0.0')])),
    )
    expect(file.formats).toEqual([undefined, undefined, '0.00%', '"NT$"#,##0'])
    expect(file.grid[1]).toEqual(['x', 1, 0.5, 12])
  })

  it('is read at its fullest visible sheet, unless the user chooses another', async () => {
    const bytes = xlsxOf([
      { name: 'cover', rows: numberRows(3) },
      { name: 'secret', rows: numberRows(50), state: 'hidden' },
      { name: 'data', rows: numberRows(20) },
      { name: 'very', rows: numberRows(60), state: 'veryHidden' },
    ])
    const file = await open(bytes)
    expect(file.sheets).toEqual(['cover', 'secret', 'data', 'very'])
    expect(file.sheet).toBe(2)
    expect(file.grid).toHaveLength(20)
    expect(await open(bytes, { sheet: 1 })).toMatchObject({ sheet: 1, grid: { length: 50 } })
    await expect(open(bytes, { sheet: 9 })).rejects.toMatchObject({ fault: 'notRead' })
  })

  it('counts rows with values, not with formats', async () => {
    const styled = Array.from(
      { length: 30 },
      (_, i) => `<row r="${i + 1}"><c r="A${i + 1}" s="0"/></row>`,
    ).join('')
    const bytes = xlsxOf([
      { name: 'styled', rows: styled },
      { name: 'data', rows: numberRows(2) },
    ])
    expect((await open(bytes)).sheet).toBe(1)
  })

  it('is read at a hidden sheet if all others are empty', async () => {
    const bytes = xlsxOf([
      { name: 'empty', rows: '' },
      { name: 'data', rows: numberRows(2), state: 'hidden' },
    ])
    expect((await open(bytes)).sheet).toBe(1)
  })

  it('may have prefixed elements', async () => {
    const sheets = [
      { name: 'one', rows: numberRows(1, 'x:') },
      { name: 'two', rows: numberRows(9, 'x:') },
    ]
    expect(await open(xlsxOf(sheets, { prefix: 'x:' }))).toMatchObject({ sheet: 1, grid: { length: 9 } })
  })

  describe('with several sheets', () => {
    const openSheets = (sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>) => {
      const [[firstName, firstRows], ...others] = Object.entries(sheets) as [
        [string, unknown[][]],
        ...[string, unknown[][]][],
      ]
      const book = bookOf(firstRows, firstName)
      for (const [name, rows] of others)
        XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), name)
      return open(writeBook(book))
    }
    const head = ['時間', '度']
    const rows = [
      ['2026-06-01 00:00', 1],
      ['2026-06-01 01:00', 2],
    ]

    it('reads those with a title of their own above the same headings as one table', async () => {
      const file = await openSheets({
        A: [['A 2026年6月 用電紀錄'], head, ...rows],
        B: [['B 2026年7月 用電紀錄'], head, ...rows],
      })
      expect(file.grid).toEqual([
        ['A 2026年6月 用電紀錄', '', 'A'],
        ['時間', '度', 'Sheet'],
        ...rows.map((row) => [...row, 'A']),
        ...rows.map((row) => [...row, 'B']),
      ])
      expect(file.lineOf).toEqual([1, 2, 3, 4, 3, 4])
    })

    it.each([
      ['單位：kWh', '單位：MWh'],
      ['倍率：120', '倍率：40'],
    ])('leaves out those whose title says something else: %s, %s', async (one, other) => {
      const file = await openSheets({
        A: [[one], head, ...rows, ['2026-06-01 02:00', 3]],
        B: [[other], head, ...rows],
      })
      expect(file.grid).toEqual([[one], head, ...rows, ['2026-06-01 02:00', 3]])
      expect(file.joined).toBeUndefined()
    })

    it('reads those with more columns behind the same headings, by the longest headings', async () => {
      const file = await openSheets({
        A: [head, ...rows],
        B: [[...head, '備註'], ...rows.map((row) => [...row, '修正'])],
      })
      expect(file.grid).toEqual([
        ['時間', '度', '備註', 'Sheet'],
        ...rows.map((row) => [...row, '', 'A']),
        ...rows.map((row) => [...row, '修正', 'B']),
      ])
    })
  })

  it('may be of OpenDocument or binary', async () => {
    for (const bookType of ['ods', 'xlsb'] as const) {
      const book = bookOf([
        ['時間', '度'],
        [day(JUNE_1), 1.25],
      ])
      XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['x']]), '二')
      const file = await open(writeBook(book, bookType))
      expect(file).toMatchObject({ sheet: 0, sheets: ['用電', '二'] })
      expect(file.grid).toEqual([
        ['時間', '度'],
        ['2026-06-01', 1.25],
      ])
    }
  })

  it('may have a day of minutes in columns, and is rejected with more columns instead of dropping some', async () => {
    const columns = (count: number) => open(writeBook(bookOf([Array.from({ length: count }, (_, i) => i)])))
    expect((await columns(1_441)).grid[0]).toHaveLength(1_441)
    expect((await columns(1_450)).grid[0]).toHaveLength(1_450)
    await expect(columns(1_451)).rejects.toMatchObject({ fault: 'tooWide' })
  })

  it('is rejected if it is invalid or has no cell', async () => {
    await expect(open(zipOf({ name: '[Content_Types].xml', content: '<x/>' }))).rejects.toMatchObject({
      fault: 'notRead',
    })
    await expect(open(xlsxOf([{ name: 'a', rows: '' }]))).rejects.toMatchObject({ fault: 'empty' })
    await expect(open(xlsxOf([]))).rejects.toMatchObject({ fault: 'notRead' })
  })

  it('is rejected if a part is larger than the archive states or than a limit', async () => {
    const bomb = (size: number) =>
      open(
        xlsxOf([{ name: 'a', rows: numberRows(1) }], {
          more: [{ name: 'xl/sharedStrings.xml', content: Buffer.alloc(2 ** 20), size }],
        }),
      )
    await expect(bomb(10)).rejects.toMatchObject({ fault: 'bomb' })
    await expect(bomb(2 ** 30)).rejects.toMatchObject({ fault: 'bomb' })
  })

  it('is read without unpacking what has no cells', async () => {
    const more = [{ name: 'xl/media/image1.png', content: 'x', size: 2 ** 31 }]
    expect((await open(xlsxOf([{ name: 'a', rows: numberRows(2) }], { more }))).grid).toEqual([[0], [1]])
  })
})
