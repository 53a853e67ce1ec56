import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReadingAnswers } from '../../../../contract/meters/import-reading.ts'
import { readText } from '../../../../src/lib/spreadsheet/grid.ts'
import { toImportRows } from '../../../../src/custom-views/meter-import/reading/import-rows.ts'
import type { ReadingContext } from '../../../../src/custom-views/meter-import/reading/facts.ts'
import { type Reading, readMeaning } from '../../../../src/custom-views/meter-import/reading/infer.ts'
import { parseNumber } from '../../../../src/custom-views/meter-import/reading/numbers.ts'
import {
  detectFormats,
  instantsOf,
  readWall,
} from '../../../../src/custom-views/meter-import/reading/time.ts'

/** Hourly kWh of 17 real homes; tests that need it are skipped if it is absent. */
const REAL = '../shared/data/citylearn2022_17homes_hourly_kwh.csv'
const ZONE = 'Asia/Taipei'
const NOW = Date.parse('2026-11-01T00:00:00Z')
const METERS = [
  { uid: 'm1', name: '1F 總電表' },
  { uid: 'm2', name: '2F 電表' },
]
const ONE = METERS.slice(0, 1)
const at = (text: string) => Date.parse(text)

const open = (text: string) => readText(new TextEncoder().encode(text))
/** Meaning of a text file; throws if it is refused. */
function meaning(text: string, context: Partial<ReadingContext> = {}, answers: ReadingAnswers = {}): Reading {
  const reading = readMeaning(open(text), { meters: ONE, zone: ZONE, now: NOW, ...context }, answers)
  if ('refused' in reading) throw new Error(`Refused: ${reading.refused} ${reading.text}`)
  return reading
}
const refusal = (text: string) => {
  const reading = readMeaning(open(text), { meters: ONE, zone: ZONE, now: NOW }, {})
  return 'refused' in reading ? [reading.refused, reading.text] : undefined
}
const rowsOf = (reading: Reading, uids = reading.series.map(({ uid }) => uid)) =>
  toImportRows(reading, uids, NOW)
/** Value and source of a fact. */
const fact = ({ facts }: Reading, name: string) => {
  const found = facts.find(({ Fact }) => Fact === name)
  return found && [found.Value, found.Source]
}
const asked = ({ questions }: Reading) => questions.map(({ fact: name }) => name)
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
/** Lines of quarter-hours from midnight. */
const quarters = (count: number, value: (at: number) => string | number = () => 1, date = '2026-06-01') =>
  Array.from({ length: count }, (_, index) => {
    const minutes = index * 15
    const clock = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
    return `${date} ${clock},${value(index)}`
  }).join('\n')

describe('a time in a file', () => {
  it.each([
    ['2025-10-01 08:15', 'ymd', '2025-10-01T08:15:00+08:00'],
    ['2025/1/3 8:05:09', 'ymd', '2025-01-03T08:05:09+08:00'],
    ['2025/10/1 上午 12:00:00', 'ymd', '2025-10-01T00:00:00+08:00'],
    ['2025/10/1 下午 01:30', 'ymd', '2025-10-01T13:30:00+08:00'],
    ['2025年10月1日 24:00', 'ymd', '2025-10-02T00:00:00+08:00'],
    ['2025/10/1 (三) 08:15', 'ymd', '2025-10-01T08:15:00+08:00'],
    ['114/10/01', 'roc', '2025-10-01T00:00:00+08:00'],
    ['民國114年10月1日 08:15', 'roc', '2025-10-01T08:15:00+08:00'],
    ['1141001', 'roc', '2025-10-01T00:00:00+08:00'],
    ['1141001 08:15', 'roc', '2025-10-01T08:15:00+08:00'],
    ['99/2/28 23:45', 'roc', '2010-02-28T23:45:00+08:00'],
    ['20251001 0815', 'compact', '2025-10-01T08:15:00+08:00'],
    ['202510010815', 'compact', '2025-10-01T08:15:00+08:00'],
    ['03/04/2025 1:00 PM', 'mdy', '2025-03-04T13:00:00+08:00'],
    ['03/04/2025', 'dmy', '2025-04-03T00:00:00+08:00'],
    ['01.06.2026 00.15', 'dmy', '2026-06-01T00:15:00+08:00'],
    ['26-06-01 00:15', 'ymd2', '2026-06-01T00:15:00+08:00'],
    ['1 Jun 2026 00:15', 'named', '2026-06-01T00:15:00+08:00'],
    ['01-Jun-26', 'named', '2026-06-01T00:00:00+08:00'],
    ['Jun 1, 2026 12:15 AM', 'named', '2026-06-01T00:15:00+08:00'],
    ['46174.010416666664', 'serial', '2026-06-01T00:15:00+08:00'],
    ['44712', 'serial1904', '2026-06-01T00:00:00+08:00'],
    ['2026/06', 'month', '2026-06-01T00:00:00+08:00'],
    ['115年6月', 'rocMonth', '2026-06-01T00:00:00+08:00'],
  ] as const)('%s (%s) is %s', (text, format, expected) => {
    const wall = readWall(text, format)
    expect(typeof wall === 'string' ? wall : instantsOf(wall.utc, ZONE)).toEqual([at(expected)])
  })

  it.each([
    ['2025-10-01T08:15:00Z', '2025-10-01T08:15:00Z'],
    ['2025-10-01T08:15:00.250+09:00', '2025-10-01T08:15:00.250+09:00'],
    ['2025-10-01 08:15:00+09', '2025-10-01T08:15:00+09:00'],
    ['2025-10-01 08:15 UTC', '2025-10-01T08:15:00Z'],
  ])('states its offset: %s', (text, expected) => {
    const wall = readWall(text, 'ymd')
    expect(typeof wall === 'string' ? wall : wall.utc - (wall.offset ?? Number.NaN)).toBe(at(expected))
  })

  it.each([
    ['2025-02-30', 'ymd', 'noSuchTime'],
    ['2025-13-01', 'ymd', 'noSuchTime'],
    ['2025-10-01 25:00', 'ymd', 'noSuchTime'],
    ['2025-10-01 13:00 PM', 'ymd', 'notTime'],
    ['yesterday', 'ymd', 'notTime'],
    ['', 'epoch', 'notTime'],
  ] as const)('%s (%s) is rejected: %s', (text, format, fault) => {
    expect(readWall(text, format)).toBe(fault)
  })

  it('does not exist if clocks skip it, and exists twice if clocks repeat it', () => {
    expect(instantsOf(at('2025-03-30T02:30:00Z'), 'Europe/Berlin')).toEqual([])
    expect(instantsOf(at('2025-10-26T02:30:00Z'), 'Europe/Berlin')).toEqual([
      at('2025-10-26T02:30:00+02:00'),
      at('2025-10-26T02:30:00+01:00'),
    ])
  })

  it('fits several formats if day and month may be either', () => {
    expect(detectFormats(['日期', '114/10/01', '114/10/02']).formats).toEqual(['roc'])
    expect(detectFormats(['03/04/2025', '05/06/2025']).formats).toEqual(['mdy', 'dmy'])
    expect(detectFormats(['03/04/2025', '05/16/2025']).formats).toEqual(['mdy'])
  })
})

it.each([
  ['1,234.5', '.', 1234.5],
  [' 12 ', '.', 12],
  ['１２', '.', 12],
  ['-3e2', '.', -300],
  ["12'340.5", '.', 12340.5],
  ['12 340,5', ',', 12340.5],
  ['12\u202f340,5', ',', 12340.5],
  ['1.234,5', ',', 1234.5],
  ['0,125', ',', 0.125],
  ['0,125', '.', undefined],
  ['=1+1', '.', undefined],
  ['1,23', '.', undefined],
  ['', '.', undefined],
  ['12 kWh', '.', undefined],
] as const)('reads %j with the mark %j as %j', (text, mark, expected) => {
  expect(parseNumber(text, mark)).toBe(expected)
})

describe('units and kinds', () => {
  it.each([
    ['Energy (Wh)', 0.001, 'Wh'],
    ['用電量(kWh)', 1, 'kWh'],
    ['用電量（度）', 1, 'kWh'],
    ['Consumption [MWh]', 1000, 'MWh'],
    ['需量(kW)', 0.25, 'kW'],
    ['Power_W', 0.00025, 'W'],
  ])('are stated by a heading: %s', (heading, factor, unit) => {
    const reading = meaning(`Time,${heading}\n${quarters(8, (i) => 10 + (i % 3))}`)
    expect(fact(reading, 'unit')).toEqual([unit, 'stated'])
    expect(reading.kind).toBe('interval')
    expect(total(rowsOf(reading).values)).toBeCloseTo(
      total([0, 1, 2, 0, 1, 2, 0, 1].map((i) => (10 + i) * factor)),
      9,
    )
    expect(asked(reading)).toEqual([])
  })

  it('are asked if no heading states them, with the energy of each answer', () => {
    const reading = meaning(`時間,數值\n${quarters(8, (i) => [5, 3, 4, 2, 5, 1, 3, 2][i] as number)}`)
    expect(asked(reading)).toEqual(['unit'])
    expect(reading.questions[0]).toMatchObject({ example: '5', suggested: 'kWh' })
    const options = new Map(reading.questions[0]?.options.map(({ value, kWh }) => [value, kWh]))
    expect([options.get('kWh'), options.get('Wh'), options.get('kW')]).toEqual([25, 0.025, 6.25])
    const answered = meaning(`時間,數值\n${quarters(8)}`, {}, { unit: 'Wh' })
    expect(fact(answered, 'unit')).toEqual(['Wh', 'confirmed'])
    expect(answered.questions).toEqual([])
  })

  const hours = (head: string, figures: readonly number[]) =>
    `時間,${head}\n${figures.map((figure, hour) => `2026-06-0${1 + Math.floor(hour / 24)} ${hour % 24}:00,${figure}`).join('\n')}`
  const COUNTER = [1000, 1001, 1001, 1003, 1004, 1006, 1009, 1010]
  it.each([
    ['累計 kWh', COUNTER, 'counter', []],
    ['kWh', COUNTER, 'counter', ['kind']],
    ['用電量 kWh', COUNTER, 'counter', ['kind']],
    ['用電量 kWh', [1, 2, 3, 4, 5, 6, 7, 8], 'interval', []],
    ['累計 kWh', [4, 2, 3, 1, 5, 6, 2, 8], 'interval', ['kind']],
    ['kWh', [4, 2, 3, 1, 5, 6, 2, 8], 'interval', []],
    ['kWh', [1, 1, 1, 1, 1, 1, 1, 1], 'interval', []],
    ['kWh', Array.from({ length: 60 }, (_, i) => 5_000 + i * 3), 'counter', []],
  ] as const)('are decided by heading and figures: %s %j', (head, figures, kind, questions) => {
    const reading = meaning(hours(head, figures))
    expect(reading.kind).toBe(kind)
    expect(asked(reading)).toEqual(questions)
  })

  it.each([
    ['Reactive (kvarh)', 'notEnergy'],
    ['Cost (EUR)', 'notEnergy'],
    ['Temperature (°C)', 'notEnergy'],
    ['Power factor', 'notEnergy'],
  ])('other than energy are refused: %s', (heading, fault) => {
    expect(refusal(`Time,${heading}\n${quarters(8)}`)).toEqual([fault, heading])
  })

  it('beside energy are left out by name', () => {
    const lines = Array.from(
      { length: 8 },
      (_, i) => `2026-06-01 0${i}:00,${1 + (i % 2)},0.3,21.5,${4 + (i % 2)}`,
    )
    const reading = meaning(`Time,Import kWh,Cost (EUR),Temperature °C,Power kW\n${lines.join('\n')}`)
    expect(reading.series.map(({ name }) => name)).toEqual(['Import kWh'])
    expect(reading.layout.ignored.map(({ heading, reason }) => [heading, reason])).toEqual([
      ['Cost (EUR)', 'money'],
      ['Temperature °C', 'otherQuantity'],
      ['Power kW', 'alsoAsEnergy'],
    ])
  })
})

it('keeps the facts that decide the energy, however many columns are not read', () => {
  const many = Array.from({ length: 60 }, (_, i) => `Cost ${i} (EUR)`)
  const lines = quarters(8, (i) => `${1 + (i % 2)},${many.map(() => 1).join(',')}`)
  const reading = meaning(`Time,Usage kWh,${many.join(',')}\n${lines}`)
  expect(fact(reading, 'unit')).toEqual(['kWh', 'stated'])
  expect(reading.facts.slice(0, 40).map(({ Fact }) => Fact)).toContain('zone')
  expect(reading.facts.filter(({ Fact }) => Fact === 'ignored')).toHaveLength(60)
})

it('reads no power as a counter', () => {
  const lines = Array.from({ length: 30 }, (_, i) => {
    const time = `2026-06-01 ${String(Math.floor(i / 4)).padStart(2, '0')}:${String((i % 4) * 15).padStart(2, '0')}`
    return `${time},m1,${1000 + i},kWh\n${time},m2,${4 + (i % 3)},kW`
  })
  const reading = meaning(
    `Time,Meter,Value,Unit\n${lines.join('\n')}`,
    { meters: METERS },
    { kind: 'counter' },
  )
  const rows = rowsOf(reading, ['m1', 'm2'])
  expect(rows.values).toHaveLength(30)
  expect(new Set(rows.problems.map(({ reason }) => reason))).toEqual(new Set(['notCounter']))
})

describe('the decimal mark', () => {
  const file = (values: readonly string[]) =>
    `Time;Usage kWh\n${values.map((value, i) => `2026-06-01 0${i}:00;${value}`).join('\n')}`
  it.each([
    [['1,5', '2,5', '3,5'], ',', 7.5],
    [['0,125', '0,250', '1,125'], ',', 1.5],
    [['1.234,5', '2,5', '3,5'], ',', 1240.5],
    [['1,234.5', '1,234', '2,000'], '.', 4468.5],
    [['1234', '2', '3'], '.', 1239],
  ])('is decided by every cell: %j', (values, mark, sum) => {
    const reading = meaning(file(values))
    expect(fact(reading, 'decimal')).toEqual([mark, 'derived'])
    expect(total(rowsOf(reading).values)).toBe(sum)
  })

  it.each([
    ['Datum;Verbrauch kWh', ';', [], 4.75],
    ['月份\t用電量(kWh)', '\t', [], 4750],
    ['Time\tUsage kWh', '\t', ['decimal'], 4750],
    ['時間;用電量(kWh)', ';', ['decimal'], 4.75],
  ])('is that of the language if every cell fits both: %s', (heading, delimiter, questions, sum) => {
    const cells = ['1,125', '2,250', '1,375'].map((value, i) => `2026-06-01 0${i}:00${delimiter}${value}`)
    const reading = meaning(`${heading}\n${cells.join('\n')}`)
    expect([asked(reading), total(rowsOf(reading).values)]).toEqual([questions, sum])
  })

  it('is asked if every cell fits both', () => {
    const reading = meaning(file(['1,125', '2,250', '1,375']))
    expect(asked(reading)).toEqual(['decimal'])
    expect(reading.questions[0]).toMatchObject({ example: '1,125', suggested: ',' })
    const sum = (decimal: string) =>
      total(rowsOf(meaning(file(['1,125', '2,250', '1,375']), {}, { decimal })).values)
    expect([sum(','), sum('.')]).toEqual([4.75, 4750])
  })
})

describe('dates', () => {
  const daily = (dates: readonly string[]) =>
    `Date,Usage kWh\n${dates.map((date) => `${date},${1}`).join('\n')}`
  it('are read in the only order in which rows follow each other', () => {
    const lines = ['01/06/2026 23:30,1', '01/06/2026 23:45,1', '02/06/2026 00:00,1', '02/06/2026 00:15,1']
    const reading = meaning(`Time,Usage kWh\n${lines.join('\n')}`)
    expect(fact(reading, 'dateOrder')).toEqual(['dmy', 'derived'])
    expect(rowsOf(reading).timestamps[0]).toBe(at('2026-06-01T23:30:00+08:00'))
  })

  it('are asked if day and month may be either', () => {
    const reading = meaning(daily(['06/07/2026', '07/07/2026']))
    expect(asked(reading)).toContain('dateOrder')
    expect(reading.questions[0]).toMatchObject({ example: '06/07/2026', suggested: 'dmy' })
    expect(reading.questions[0]?.options.map(({ value }) => value)).toEqual(['mdy', 'dmy'])
  })

  it.each([
    ['26-06-01', 'ymd2', '2026-06-01T00:00:00+08:00'],
    ['99/2/28', 'roc', '2010-02-28T00:00:00+08:00'],
    ['115/06/01', 'roc', '2026-06-01T00:00:00+08:00'],
  ])('with short years are of the recent past: %s', (date, format, expected) => {
    const reading = meaning(`Time,Usage kWh\n${quarters(4, () => 1, date)}`)
    expect(fact(reading, 'dateOrder')?.[0]).toBe(format)
    expect(rowsOf(reading).timestamps[0]).toBe(at(expected))
  })

  it('above the table are no rows', () => {
    const reading = meaning(`Start,2026-06-01,1\nEnd,2026-06-30,2\n\nTime,Usage kWh\n${quarters(8)}\n合計,8`)
    expect(rowsOf(reading).values).toHaveLength(8)
    expect(rowsOf(reading).problems).toMatchObject([{ reason: 'notTime', value: '合計' }])
  })
})

describe('the clock', () => {
  it('is that of the heading, else of the site', () => {
    const first = (heading: string) => rowsOf(meaning(`${heading},Usage kWh\n${quarters(8)}`)).timestamps[0]
    expect(first('Time')).toBe(at('2026-06-01T00:00:00+08:00'))
    expect(first('Time (UTC)')).toBe(at('2026-06-01T00:00:00Z'))
    expect(first('Time UTC+9')).toBe(at('2026-06-01T00:00:00+09:00'))
    expect(first('Time (Europe/London)')).toBe(at('2026-06-01T00:00:00+01:00'))
  })

  it('repeats an hour in the order of the file, also backwards', () => {
    const lines = ['00:00', '01:00', '01:00', '02:00'].map((clock, i) => `2025-10-26 ${clock},${i + 1}`)
    const values = (text: string[]) => {
      const rows = rowsOf(meaning(`Time,Usage kWh\n${text.join('\n')}`, { zone: 'Europe/London' }))
      return rows.timestamps
        .map((time, i) => [new Date(time).toISOString().slice(11, 16), rows.values[i]])
        .toSorted()
    }
    const expected = [
      ['00:00', 2],
      ['01:00', 3],
      ['02:00', 4],
      ['23:00', 1],
    ]
    expect(values(lines)).toEqual(expected)
    expect(values(lines.toReversed())).toEqual(expected)
  })

  it('is standard time all year if the file has an hour that clocks skip', () => {
    const lines = Array.from({ length: 24 }, (_, i) => `2026-03-29 ${String(i).padStart(2, '0')}:00,1`)
    const reading = meaning(`Time,Usage kWh\n${lines.join('\n')}`, { zone: 'Europe/Berlin' })
    expect(fact(reading, 'zone')).toEqual(['UTC+01:00', 'derived'])
    expect(rowsOf(reading).timestamps[0]).toBe(at('2026-03-29T00:00:00+01:00'))
    expect(rowsOf(reading).values).toHaveLength(24)
  })

  it.each([
    ['from 00:00 to 23:45', 0, 'begin', '2026-06-01T00:00:00+08:00'],
    ['from 00:15 to 24:00', 1, 'end', '2026-06-01T00:00:00+08:00'],
  ])('marks the start or the end of an interval: days %s', (_, shift, stamp, first) => {
    const lines = Array.from({ length: 96 }, (_unused, i) => {
      const minutes = (i + shift) * 15
      return `2026/06/01 ${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')},1`
    })
    const reading = meaning(`時間,用電量(kWh)\n${lines.join('\n')}`)
    expect(fact(reading, 'stamp')).toEqual([stamp, 'derived'])
    expect(rowsOf(reading).timestamps[0]).toBe(at(first))
  })

  it('is asked for the meaning of its times in the middle of a day', () => {
    const reading = meaning('Time,Usage kWh\n2026-06-01 10:15,1\n2026-06-01 10:30,2\n2026-06-01 10:45,1')
    expect(asked(reading)).toEqual(['stamp'])
    expect(reading.questions[0]?.example).toBe('10:15')
  })
})

describe('intervals', () => {
  it.each([
    [1, 15, 1],
    [5, 15, 1],
    [10, 30, 2],
    [20, 60, 4],
  ])('of %i minutes are added up to %i', (step, _, length) => {
    const lines = Array.from({ length: 120 / step }, (_unused, i) => {
      const minutes = i * step
      return `2026-06-01 ${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')},1`
    })
    const rows = rowsOf(meaning(`Time,Usage kWh\n${lines.join('\n')}`))
    expect(new Set(rows.quarters)).toEqual(new Set([length]))
    expect(total(rows.values)).toBe(120 / step)
  })

  it('that lack a part are rejected, and not scaled up', () => {
    const rows = rowsOf(
      meaning(
        'Time,Usage kWh\n2026-06-01 00:00,1\n2026-06-01 00:10,1\n2026-06-01 00:20,1\n2026-06-01 00:30,1\n2026-06-01 00:50,1\n2026-06-01 01:00,1\n2026-06-01 01:10,1\n2026-06-01 01:20,1',
      ),
    )
    expect(rows.values).toEqual([3, 3])
    expect(rows.problems).toMatchObject([{ line: 5, reason: 'incomplete' }])
  })

  it('may have columns for their start and end, whose last day belongs to them', () => {
    const rows = rowsOf(
      meaning('From,To,kWh\n2026-01-01,2026-01-31,100\n2026-02-01,2026-02-28,90\n2026-03-01,2026-03-31,110'),
    )
    expect(rows.quarters).toEqual([31 * 96, 28 * 96, 31 * 96])
  })

  it('may be months', () => {
    const rows = rowsOf(meaning('月份,用電量(度)\n2026/01,100\n2026/02,90\n2026/03,110'))
    expect(rows.quarters).toEqual([31 * 96, 28 * 96, 31 * 96])
    expect(rows.timestamps[1]).toBe(at('2026-02-01T00:00:00+08:00'))
  })
})

describe('layouts', () => {
  it('with a column per meter find the meters by name', () => {
    const reading = meaning(
      '報表;;\n時間;1F 總電表;2F 電表\n114/10/01 00:00;1;2\n114/10/01 01:00;3;4\n114/10/01 02:00;;6\n',
      { meters: METERS },
      { unit: 'kWh' },
    )
    expect(reading.series.map(({ uid, step }) => [uid, step])).toEqual([
      ['m1', 3_600_000],
      ['m2', 3_600_000],
    ])
    expect(rowsOf(reading).values).toEqual([1, 2, 3, 4, 6])
    expect(rowsOf(reading).problemCount).toBe(0)
  })

  it('with a column of names split the rows by meter', () => {
    const lines = [
      '00:00,m1,1.5',
      '00:00,２F 電表,2',
      '00:15,m1,2.5',
      '00:15,２F 電表,1',
      '00:30,m3,7',
      '00:45,m3,6',
    ]
    const reading = meaning(`時間,電表,度\n${lines.map((line) => `2026-06-01 ${line}`).join('\n')}`, {
      meters: METERS,
    })
    expect(reading.series.map(({ name, uid, rows }) => [name, uid, rows])).toEqual([
      ['m1', 'm1', 2],
      ['2F 電表', 'm2', 2],
      ['m3', null, 2],
    ])
    expect(rowsOf(reading).values).toEqual([1.5, 2, 2.5, 1])
  })

  it.each([24, 48, 96])('with a line per day have %i intervals', (count) => {
    const clock = (i: number) => {
      const minutes = (i * 1440) / count
      return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
    }
    const heads = Array.from({ length: count }, (_, i) => clock(i))
    const line = (date: string) => `${date},${heads.map(() => 1).join(',')}`
    const reading = meaning(
      `用電量 kWh,${heads.join(',')}\n${['2026-06-01', '2026-06-02', '2026-06-03'].map(line).join('\n')}`,
    )
    expect(reading.series).toHaveLength(1)
    const rows = rowsOf(reading)
    expect(rows.values).toHaveLength(3 * count)
    expect(rows.quarters[0]).toBe(96 / count)
    expect(rows.timestamps[count]).toBe(at('2026-06-02T00:00:00+08:00'))
  })

  it('with two directions lead to the meter and to what it returns', () => {
    const lines = Array.from({ length: 8 }, (_, i) => `2026-06-01 0${i}:00,${2 + (i % 2)},${1 + (i % 3)}`)
    const reading = meaning(`Time,Import kWh,Export kWh\n${lines.join('\n')}`)
    expect(reading.series.map(({ uid }) => uid)).toEqual(['m1', 'm1.return'])
  })

  it.each([
    ['08:00', '時間'],
    ['8:00', '時間'],
    ['上午 8:00', '時刻'],
    ['0800', '抄表時間'],
  ])('may have the time of day in a separate column: %s', (clock, head) => {
    const lines = Array.from(
      { length: 10 },
      (_, i) => `1141${String(i + 1).padStart(3, '0')},${clock},"1,0${i}0"`,
    )
    const reading = meaning(
      `日期,${head},累計度數\n${[...lines, '1141011,,2000', '1141012,x,2000'].join('\n')}\n`,
    )
    expect(reading.kind).toBe('counter')
    const rows = rowsOf(reading)
    expect(rows.values).toHaveLength(10)
    expect(rows.timestamps[9]).toBe(at('2025-10-10T08:00:00+08:00'))
    expect(rows.problems.map(({ line, reason }) => [line, reason])).toEqual([
      [12, 'empty'],
      [13, 'notTime'],
    ])
  })

  it('with a second row of other headings are refused, and the same headings again are passed over', () => {
    const second = quarters(8, () => 1, '2026-06-02')
    expect(refusal(`Time,Usage kWh\n${quarters(8)}\nTime,Usage Wh\n${second}`)).toEqual([
      'severalTables',
      '10',
    ])
    const same = rowsOf(meaning(`Time,Usage kWh\n${quarters(8)}\nTime,Usage kWh\n${second}`))
    expect(total(same.values)).toBe(16)
    expect(same.problems).toMatchObject([{ line: 10, reason: 'repeatedHeading' }])
  })

  it('without dates, without figures or without energy are refused', () => {
    expect(refusal('a,b\n1,2\n3,4')?.[0]).toBe('noTime')
    expect(refusal('Time,Name\n2026-06-01,x\n2026-06-02,y')?.[0]).toBe('noValues')
  })
})

describe('rows', () => {
  it('are read, and every invalid one is reported with line, column and reason', () => {
    const reading = meaning(
      [
        '時間,電表,用電量(度)',
        '2026-06-01 00:00,m1,1.5',
        '2026-06-01 00:15,２F 電表,2',
        '2026-06-01 00:20,m1,2',
        'x,m1,2',
        '2026-06-01 00:30,m1,=1+1',
        '2026-06-01 00:30,m1,',
        '2026-06-01 00:30,m1,-1',
        '2099-10-01 00:30,m1,1',
        ',,',
        '2026-06-01 00:45,m1,"1,000"',
      ].join('\r\n'),
      { meters: METERS },
      { interval: '15', stamp: 'begin', kind: 'interval' },
    )
    const rows = rowsOf(reading)
    expect(rows.uids).toEqual(['m1', 'm2'])
    expect(rows.values).toEqual([1.5, 2, 1000])
    expect(rows.problems.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [4, 2, 'notQuarter'],
      [5, 0, 'notTime'],
      [6, 2, 'notNumber'],
      [7, 2, 'empty'],
      [8, 2, 'negative'],
      [9, 2, 'future'],
    ])
  })

  it('are the same in any order', () => {
    const [head, ...lines] = `Time,Meter reading kWh\n${quarters(60, (i) => 5_000 + i * 3 + (i % 4))}`.split(
      '\n',
    ) as [string, ...string[]]
    const expected = rowsOf(meaning([head, ...lines].join('\n')))
    const sorted = (rows: ReturnType<typeof rowsOf>) =>
      rows.timestamps.map((time, i) => [time, rows.values[i]]).toSorted()
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
        const reading = meaning([head, ...shuffled].join('\n'))
        expect(reading.kind).toBe('counter')
        expect(sorted(rowsOf(reading))).toEqual(sorted(expected))
      }),
      { numRuns: 30 },
    )
  })

  it('of a file cut anywhere are read or rejected, never wrong', () => {
    const text = `Time,Usage kWh\n${quarters(12, (i) => (i + 1) / 8)}\n`
    const all = new Map(rowsOf(meaning(text)).timestamps.map((time, i) => [time, (i + 1) / 8]))
    for (let length = 0; length < text.length; length++) {
      let reading
      try {
        reading = meaning(
          text.slice(0, length),
          {},
          { stamp: 'begin', interval: '15', unit: 'kWh', kind: 'interval' },
        )
      } catch {
        continue
      }
      const rows = rowsOf(reading)
      // The last line may be cut within its figure.
      for (const [i, time] of rows.timestamps.slice(0, -1).entries())
        expect(rows.values[i]).toBe(all.get(time))
    }
  })

  it('follow a profile where the file leaves a fact open, and not where it states it', () => {
    const open = `Time,數值\n${quarters(8, (i) => [5, 3, 4, 2, 5, 1, 3, 2][i] as number)}`
    const known = meaning(open, { profile: { unit: 'Wh' } })
    expect(known.questions).toEqual([])
    expect(fact(known, 'unit')).toEqual(['Wh', 'profile'])
    const stated = meaning(open.replace('數值', 'Usage MWh'), { profile: { unit: 'Wh' } })
    expect(fact(stated, 'unit')).toEqual(['MWh', 'stated'])
  })
})

describe.skipIf(!existsSync(REAL))(`With real data (skipped where ${REAL} is not present)`, () => {
  it('reads a year of 17 homes without an error', () => {
    const file = readText(new Uint8Array(readFileSync(REAL)))
    const meters = Array.from({ length: 17 }, (_, index) => {
      const uid = `home_${String(index + 1).padStart(2, '0')}_kwh`
      return { uid, name: uid }
    })
    const reading = readMeaning(file, { meters, zone: ZONE, now: NOW }, {})
    if ('refused' in reading) throw new Error(reading.refused)
    expect(reading.series).toHaveLength(17)
    expect(reading.kind).toBe('interval')
    const rows = rowsOf(reading)
    expect(rows.problemCount).toBe(0)
    expect(rows.values).toHaveLength(8_760 * 17)
  })
})
