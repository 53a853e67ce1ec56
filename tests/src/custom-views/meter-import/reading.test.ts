import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readText } from '../../../../src/lib/spreadsheet/grid.ts'
import { sumBothKinds } from '../../../../src/custom-views/meter-import/reading/both-kinds.ts'
import { guessMapping } from '../../../../src/custom-views/meter-import/reading/guess-mapping.ts'
import {
  parseNumber,
  readRows,
  type Mapping,
} from '../../../../src/custom-views/meter-import/reading/rows.ts'
import { detectFormat, parseTime } from '../../../../src/custom-views/meter-import/reading/time.ts'

/** Hourly kWh of 17 real homes; tests that need it are skipped if it is absent. */
const REAL = '../shared/data/citylearn2022_17homes_hourly_kwh.csv'
const ZONE = 'Asia/Taipei'
const NOW = Date.parse('2026-01-01T00:00:00Z')
const at = (text: string) => Date.parse(text)

describe('a time in a file', () => {
  it.each([
    ['2025-10-01 08:15', 'ymd', '2025-10-01T08:15:00+08:00'],
    ['2025/1/3 8:05:09', 'ymd', '2025-01-03T08:05:09+08:00'],
    ['2025-10-01T08:15:00Z', 'ymd', '2025-10-01T08:15:00Z'],
    ['2025-10-01T08:15:00.250+09:00', 'ymd', '2025-10-01T08:15:00.250+09:00'],
    ['2025/10/1 上午 12:00:00', 'ymd', '2025-10-01T00:00:00+08:00'],
    ['2025/10/1 下午 01:30', 'ymd', '2025-10-01T13:30:00+08:00'],
    ['2025年10月1日 24:00', 'ymd', '2025-10-02T00:00:00+08:00'],
    ['114/10/01', 'roc', '2025-10-01T00:00:00+08:00'],
    ['民國114年10月1日 08:15', 'roc', '2025-10-01T08:15:00+08:00'],
    ['1141001', 'roc', '2025-10-01T00:00:00+08:00'],
    ['1141001 08:15', 'roc', '2025-10-01T08:15:00+08:00'],
    ['99/2/28 23:45', 'roc', '2010-02-28T23:45:00+08:00'],
    ['20251001 0815', 'compact', '2025-10-01T08:15:00+08:00'],
    ['202510010815', 'compact', '2025-10-01T08:15:00+08:00'],
    ['03/04/2025 1:00 PM', 'mdy', '2025-03-04T13:00:00+08:00'],
    ['03/04/2025', 'dmy', '2025-04-03T00:00:00+08:00'],
    ['1759277700', 'epoch', '2025-10-01T00:15:00Z'],
    ['1759277700000', 'epoch', '2025-10-01T00:15:00Z'],
    ['２０２５-10-01', 'ymd', '2025-10-01T00:00:00+08:00'],
  ] as const)('%s (%s) is %s', (text, format, expected) => {
    expect(parseTime(text, format, ZONE)).toBe(at(expected))
  })

  it.each([
    ['2025-02-30', 'ymd', 'noSuchTime'],
    ['2025-13-01', 'ymd', 'noSuchTime'],
    ['2025-10-01 25:00', 'ymd', 'noSuchTime'],
    ['2025-10-01 13:00 PM', 'ymd', 'notTime'],
    ['yesterday', 'ymd', 'notTime'],
    ['', 'epoch', 'notTime'],
  ] as const)('%s (%s) is rejected: %s', (text, format, fault) => {
    expect(parseTime(text, format, ZONE)).toBe(fault)
  })

  it('is rejected if clocks skip it, and is the first of the two if clocks repeat it', () => {
    expect(parseTime('2025-03-30 02:30', 'ymd', 'Europe/Berlin')).toBe('noSuchTime')
    expect(parseTime('2025-10-26 02:30', 'ymd', 'Europe/Berlin')).toBe(at('2025-10-26T02:30:00+02:00'))
  })

  it('is detected from most cells, and is ambiguous if two formats fit equally', () => {
    expect(detectFormat(['日期', '114/10/01', '114/10/02'])).toEqual({ format: 'roc', sure: true })
    expect(detectFormat(['03/04/2025', '05/06/2025']).sure).toBe(false)
    expect(detectFormat(['03/04/2025', '05/16/2025'])).toEqual({ format: 'mdy', sure: true })
  })
})

it.each([
  ['1,234.5', 1234.5],
  [' 12 ', 12],
  ['１２', 12],
  ['-3e2', -300],
  ['=1+1', undefined],
  ['1,23', undefined],
  ['', undefined],
  ['12 kWh', undefined],
])('reads %j as %j', (text, expected) => {
  expect(parseNumber(text)).toBe(expected)
})

const METERS = [
  { uid: 'm1', name: '1F 總電表' },
  { uid: 'm2', name: '2F 電表' },
]
const bytes = (text: string) => new TextEncoder().encode(text)
const mapping = (more: Partial<Mapping> = {}): Mapping => ({
  headLines: 1,
  timeColumn: 0,
  clockColumn: null,
  format: 'ymd',
  zone: ZONE,
  kind: 'interval',
  unit: 'kWh',
  interval: 'quarter',
  stamp: 'begin',
  meterColumn: null,
  values: [{ column: 1, uid: 'm1' }],
  ...more,
})

describe('the rows of a file', () => {
  it('are read, and every invalid one is reported with line, column and reason', () => {
    const { grid } = readText(
      bytes(
        [
          '時間,電表,度',
          '2025-10-01 00:00,m1,1.5',
          '2025-10-01 00:15,２F 電表,2',
          '2025-10-01 00:20,m1,2',
          'x,m1,2',
          '2025-10-01 00:30,m3,2',
          '2025-10-01 00:30,m1,=1+1',
          '2025-10-01 00:30,m1,',
          '2025-10-01 00:30,m1,-1',
          '2099-10-01 00:30,m1,1',
          ',,',
          '2025-10-01 00:45,1F 總電表,"1,000"',
        ].join('\r\n'),
      ),
    )
    const read = readRows(grid, mapping({ meterColumn: 1, values: [{ column: 2, uid: null }] }), METERS, NOW)
    expect(read.uids).toEqual(['m1', 'm2'])
    expect(read.values).toEqual([1.5, 2, 1000])
    expect(read.timestamps[2]).toBe(at('2025-10-01T00:45:00+08:00'))
    expect(read.problems.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [4, 0, 'notQuarter'],
      [5, 0, 'notTime'],
      [6, 1, 'unknownMeter'],
      [7, 2, 'notNumber'],
      [8, 2, 'empty'],
      [9, 2, 'negative'],
      [10, 0, 'future'],
    ])
  })

  it('can state the end of an interval, Wh, or calendar days and months', () => {
    const grid = [['2025-11-01 00:00', '1500']]
    const one = (more: Partial<Mapping>) => {
      const { timestamps, quarters, values } = readRows(
        grid,
        mapping({ headLines: 0, unit: 'Wh', stamp: 'end', ...more }),
        METERS,
        NOW,
      )
      return [timestamps[0], quarters[0], values[0]]
    }
    expect(one({})).toEqual([at('2025-10-31T23:45:00+08:00'), 1, 1.5])
    expect(one({ interval: 'day' })).toEqual([at('2025-10-31T00:00:00+08:00'), 96, 1.5])
    expect(one({ interval: 'month' })).toEqual([at('2025-10-01T00:00:00+08:00'), 31 * 96, 1.5])
    expect(one({ kind: 'counter', unit: 'MWh' })).toEqual([at('2025-11-01T00:00:00+08:00'), 1, 1_500_000])
  })

  it('are detected from the file: header, time, meters by column', () => {
    const { grid, delimiter } = readText(
      bytes('報表;;\n時間;1F 總電表;2F 電表\n114/10/01 00:00;1;2\n114/10/01 01:00;3;4\n114/10/01 02:00;;6\n'),
    )
    expect(delimiter).toBe(';')
    const guess = guessMapping(grid, METERS, ZONE)
    expect(guess).toMatchObject({
      headLines: 2,
      timeColumn: 0,
      format: 'roc',
      interval: 'hour',
      meterColumn: null,
      values: [
        { column: 1, uid: 'm1' },
        { column: 2, uid: 'm2' },
      ],
    })
    const read = readRows(grid, { ...guess, kind: 'interval' }, METERS, NOW)
    expect(read.values).toEqual([1, 2, 3, 4, 6])
    expect(read.problemCount).toBe(0)
  })

  it.each([
    ['08:00', '時間'],
    ['8:00', '時間'],
    ['上午 8:00', '時刻'],
    ['0800', '抄表時間'],
  ])('can have the time of day in a separate column: %s', (clock, head) => {
    const lines = Array.from(
      { length: 10 },
      (_, i) => `1141${String(i + 1).padStart(3, '0')},${clock},"1,0${i}0"`,
    )
    const { grid } = readText(
      bytes(`日期,${head},度數\n${[...lines, '1141011,,2000', '1141012,x,2000'].join('\n')}\n`),
    )
    const guess = guessMapping(grid, METERS.slice(0, 1), ZONE)
    expect(guess).toMatchObject({
      timeColumn: 0,
      clockColumn: 1,
      format: 'roc',
      values: [{ column: 2, uid: 'm1' }],
    })
    const read = readRows(grid, { ...guess, kind: guess.likely }, METERS, NOW)
    expect(read.values).toHaveLength(10)
    expect(read.timestamps[9]).toBe(at('2025-10-10T08:00:00+08:00'))
    expect(read.problems.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [12, 1, 'empty'],
      [13, 0, 'notTime'],
    ])
  })

  it('take no time of day from numbers that could be a value', () => {
    const { grid } = readText(bytes('日期,度數\n2025/09/01,0815\n2025/09/02,1020\n'))
    expect(guessMapping(grid, METERS, ZONE)).toMatchObject({ clockColumn: null, values: [{ column: 1 }] })
  })

  it.each([
    ['累計', 'counter'],
    ['累計電量 (kWh)', 'counter'],
    ['電表指數', 'counter'],
    ['Meter reading', 'counter'],
    ['用電量 (kWh)', 'interval'],
    ['kWh', null],
  ])('are interpreted by their heading: %s', (head, kind) => {
    const { grid } = readText(
      bytes(`時間,電表,${head}\n2025/09/01 00:00,1F 總電表,1000\n2025/09/01 00:15,1F 總電表,1001.5\n`),
    )
    expect(guessMapping(grid, METERS, ZONE)).toMatchObject({ kind, meterColumn: 1 })
  })

  it('have no meter if there are several, unless it is selected', () => {
    const { grid } = readText(bytes('時間,度\n2025/09/01 00:00,1\n'))
    const uids = (...of: [meters: typeof METERS, meter?: string]) =>
      guessMapping(grid, of[0], ZONE, of[1]).values.map(({ uid }) => uid)
    expect(uids(METERS)).toEqual([null])
    expect(uids(METERS, 'm2')).toEqual(['m2'])
    expect(uids(METERS.slice(0, 1))).toEqual(['m1'])
  })

  const hours = (figures: readonly number[], head: string) => [
    ['時間', head],
    ...figures.map((figure, hour) => [
      `2025-09-0${1 + Math.floor(hour / 24)} ${hour % 24}:00`,
      String(figure),
    ]),
  ]
  const COUNTER = [1000, 1001, 1001, 1003, 1004, 1006, 1009, 1010]
  it.each([
    ['1F 總電表', COUNTER, null, 'counter'],
    ['kWh', COUNTER, null, 'counter'],
    ['累計', COUNTER, 'counter', 'counter'],
    ['用電量', COUNTER, null, 'counter'],
    ['用電量', [1, 2, 3, 4, 5, 6, 7, 8], 'interval', 'interval'],
    ['累計', [4, 2, 3, 1, 5, 6, 2, 8], null, 'interval'],
    ['kWh', [1, 2, 3, 4, 5, 6, 7, 6], null, 'interval'],
    ['kWh', [1, 1, 1, 1, 1, 1, 1, 2], null, 'interval'],
  ])("need a user's choice unless heading and values agree: %s %j", (head, figures, kind, likely) => {
    expect(guessMapping(hours(figures, head), METERS, ZONE)).toMatchObject({ kind, likely })
  })

  it('are interpreted the same in any order', () => {
    const [head, ...lines] = hours(
      Array.from({ length: 60 }, (_, i) => 5_000 + i * 3 + (i % 4)),
      '總計',
    ) as [string[], ...string[][]]
    const newestFirst = guessMapping([head, ...lines.toReversed()], METERS, ZONE)
    expect(newestFirst).toMatchObject({ likely: 'counter', interval: 'hour' })
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
        expect(guessMapping([head, ...shuffled], METERS, ZONE)).toEqual(newestFirst)
      }),
      { numRuns: 30 },
    )
  })

  it('add up to the increase of a counter, or to the sum of consumption, in any order', () => {
    const grid = hours([100, 130, 160, 200], '').toReversed()
    const columns = { ...mapping({ headLines: 0, interval: 'hour' }), values: [{ column: 1, uid: null }] }
    expect(sumBothKinds(grid, columns, METERS, NOW)).toEqual({ counter: 100, interval: 590 })
    expect(sumBothKinds([['x', 'y']], columns, METERS, NOW)).toEqual({ counter: null, interval: null })
  })

  it('have values in every column that is at least 90 % numeric, ignoring blanks, up to the last', () => {
    const lines = Array.from({ length: 500 }, (_, i) => [
      new Date(Date.UTC(2025, 0, 1, i)).toISOString(),
      i < 450 ? '' : String(i),
      i % 20 === 0 ? '-' : '2',
      i % 5 === 0 ? '-' : '2',
      i === 3 ? '7' : '',
      '1F',
    ])
    const { values } = guessMapping(
      [['時間', '2F 電表', '冰水主機', '備註', '修正', '樓層'], ...lines],
      METERS,
      ZONE,
    )
    expect(values).toEqual([
      { column: 1, uid: 'm2' },
      { column: 2, uid: null },
    ])
  })
})

describe.skipIf(!existsSync(REAL))(`With real data (skipped where ${REAL} is not present)`, () => {
  it('reads a year of 17 homes without an error', () => {
    const { grid } = readText(new Uint8Array(readFileSync(REAL)))
    const meters = Array.from({ length: 17 }, (_, index) => {
      const uid = `home_${String(index + 1).padStart(2, '0')}_kwh`
      return { uid, name: uid }
    })
    const guess = guessMapping(grid, meters, ZONE)
    expect(guess).toMatchObject({ headLines: 1, timeColumn: 0, format: 'ymd', interval: 'hour' })
    expect(guess.values).toHaveLength(17)
    const read = readRows(grid, { ...guess, kind: guess.likely }, meters, NOW)
    expect(read.problemCount).toBe(0)
    expect(read.values).toHaveLength(8_760 * 17)
    expect(guess).toMatchObject({ kind: null, likely: 'interval' })
  })
})
