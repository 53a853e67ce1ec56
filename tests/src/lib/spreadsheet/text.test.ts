import { describe, expect, it } from 'vitest'
import { FileRefused } from '../../../../src/lib/spreadsheet/file-fault.ts'
import { readText } from '../../../../src/lib/spreadsheet/grid.ts'
import { bytesOf, open, utf16Of } from './build-files.ts'

const read = (text: string, delimiter?: string) => readText(bytesOf(text), delimiter)
const delimiterOf = (...lines: readonly string[]) => read(lines.join('\n')).delimiter

describe('the encoding of a text file', () => {
  const text = '時間\t用電量\r\n2026/06/01 00:00\t1\r\n'
  const rows = [
    ['時間', '用電量'],
    ['2026/06/01 00:00', '1'],
  ]

  it('is Big5 as Excel saves it in Taiwan', async () => {
    // 時間,度
    const head = [0xae, 0xc9, 0xb6, 0xa1, 0x2c, 0xab, 0xd7]
    const file = await open(Uint8Array.from([...head, ...bytesOf('\n2025-10-01,1')]))
    expect(file).toMatchObject({ encoding: 'big5', container: 'text' })
    expect(file.grid[0]).toEqual(['時間', '度'])
  })

  it.each([
    ['utf-16le', [0xff, 0xfe]],
    ['utf-16be', [0xfe, 0xff]],
    ['utf-16le', []],
    ['utf-16be', []],
  ] as const)('is %s with the byte-order mark %j', async (encoding, mark) => {
    const order = encoding === 'utf-16le' ? 'le' : 'be'
    const file = await open(Uint8Array.from([...mark, ...utf16Of(text, order)]))
    expect(file).toMatchObject({ encoding, delimiter: '\t', grid: rows })
  })

  it('is UTF-8 with or without a byte-order mark', async () => {
    for (const mark of ['', '\uFEFF'])
      expect(await open(mark + text)).toMatchObject({ encoding: 'utf-8', grid: rows })
  })

  it('is UTF-8 although the last character is cut off', () => {
    const cut = bytesOf('時間,度\n2025-10-01,度').slice(0, -1)
    expect(readText(cut)).toMatchObject({
      encoding: 'utf-8',
      grid: [
        ['時間', '度'],
        ['2025-10-01', '\uFFFD'],
      ],
    })
  })
})

describe('the delimiter of a text file', () => {
  const short = Array.from({ length: 6 }, (_, i) => `2026-06-01 0${i}:00;1,5`)

  it('is a tab between several figures with decimal commas', () => {
    const lines = Array.from(
      { length: 200 },
      (_, i) => `02.02.2026 ${String(i % 24).padStart(2, '0')}:00\t20,${i % 9}\t3,5`,
    )
    expect(delimiterOf('Zeitstempel\tHalle 1 (kW)\tHalle 2 (kW)', ...lines)).toBe('\t')
  })

  it('is a semicolon next to decimal commas, however short the file is', () => {
    expect(delimiterOf('Time;kWh', ...short)).toBe(';')
    expect(delimiterOf(...short)).toBe(';')
    expect(delimiterOf('Time;A;B', ...short.map((line, i) => (i % 2 ? `${line};2,5` : line)))).toBe(';')
    expect(delimiterOf('Time\tkWh', ...short.map((line) => line.replace(';', '\t')))).toBe('\t')
  })

  it('is a semicolon next to dates with commas, and a comma in lines that end with a semicolon', () => {
    expect(delimiterOf(...short.map((_, i) => `01/06/2026, 0${i}:00;1,5`))).toBe(';')
    expect(delimiterOf(...short.map((_, i) => `2026-06-01 0${i}:00,1.5;`))).toBe(',')
  })

  it('is a comma although notes have semicolons, and numbers in quotes have commas', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `2026-06-01,${i}.5,on; then off`)
    expect(delimiterOf('Day,kWh,Note', ...lines)).toBe(',')
    expect(delimiterOf('Day,kWh', ...lines.map((_, i) => `2026-06-01,"${i};5"`))).toBe(',')
    expect(delimiterOf('Email,FirstName,LastName', 'a@example.com,小明,王')).toBe(',')
  })

  it('is decided by all records, not by the first lines', () => {
    const titles = Array.from({ length: 12 }, (_, i) => `Site, building, floor ${i}`)
    const lines = Array.from({ length: 500 }, (_, i) => `2026-06-01;${i}`)
    expect(delimiterOf(...titles, 'Day;kWh', ...lines)).toBe(';')
  })

  it('is what the first line states, which is no row', () => {
    const file = read('sep=;\r\nTime;kWh\r\n2026-06-01 00:00;1,5\r\n')
    expect(file.delimiter).toBe(';')
    expect(file.grid).toEqual([
      ['Time', 'kWh'],
      ['2026-06-01 00:00', '1,5'],
    ])
    expect(read('sep=|\n1,5|2,5').grid).toEqual([['1,5', '2,5']])
    expect(read('"sep=^"\n1^2').grid).toEqual([['1', '2']])
  })

  it('is what the user chooses', () => {
    expect(read('a;b,c\n1;2,3', ',').grid[1]).toEqual(['1;2', '3'])
    expect(read('sep=;\na;b,c', ',').grid).toEqual([['a;b', 'c']])
  })

  it('is a comma in a file of one column', () => {
    expect(read('1\n2')).toMatchObject({ delimiter: ',', grid: [['1'], ['2']] })
  })
})

describe('the lines of a text file', () => {
  const rows = [
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
  ]

  it.each([
    ['as Unix writes them', 'a,b\n1,2\n3,4\n'],
    ['as Windows writes them', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['as old Macs wrote them', 'a,b\r1,2\r3,4\r'],
    ['of several systems', 'a,b\r\n1,2\n3,4\n'],
    ['of several systems, an old Mac among them', 'a,b\r1,2\r3,4\n'],
    ['that were converted twice', 'a,b\r\r\n1,2\r\r\n3,4\r\r\n'],
  ])('end %s', (_, text) => {
    expect(read(text).grid).toEqual(rows)
  })

  it('do not end in a quoted cell, and a stray quote is part of a cell', () => {
    expect(read('a;b\n"1,5\n6";2\n3;4" pipe\n').grid).toEqual([
      ['a', 'b'],
      ['1,5\n6', '2'],
      ['3', '4" pipe'],
    ])
  })

  it('may have a day of minutes in columns', () => {
    const line = ['2026-06-01', ...Array.from({ length: 1_440 }, (_, minute) => minute)].join(',')
    expect(read(line).grid[0]).toHaveLength(1_441)
  })

  it('are rejected if too long: millions of columns, a line or a cell of megabytes', () => {
    const fault = expect.objectContaining({ fault: 'tooWide' })
    for (const text of [
      `時間,度\n${','.repeat(1_450)}`,
      `時間,度\n2025-10-01,1\n${','.repeat(10_000_000)}`,
      '7'.repeat(2_000_000),
      `時間,度\n"${'7\n'.repeat(1_000_000)}"`,
      `時間,度\n${'"7",'.repeat(300_000)}`,
    ])
      expect(() => read(text)).toThrow(fault)
    expect(read(`${'1,'.repeat(1_449)}1\n`).grid[0]).toHaveLength(1_450)
  })

  it('are rejected without any text, or with zero characters', () => {
    expect(() => read('')).toThrow(FileRefused)
    expect(() => read('\n\n')).toThrow(expect.objectContaining({ fault: 'empty' }))
    expect(() => read('a,b\n\0,1\n2,3\n4,5')).toThrow(expect.objectContaining({ fault: 'notRead' }))
  })
})
