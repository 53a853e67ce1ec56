import { describe, expect, it } from 'vitest'
import type { ReadingAnswers } from '../../../../contract/meters/import-reading.ts'
import { toImportRows } from '../../../../src/custom-views/meter-import/reading/import-rows.ts'
import { readMeaning } from '../../../../src/custom-views/meter-import/reading/infer.ts'
import { readText } from '../../../../src/lib/spreadsheet/grid.ts'

const NOW = Date.parse('2026-11-29T00:00:00Z')
const MINUTE_MS = 60_000
const HOUR = 60
const FIRST = Date.parse('2026-06-01T00:00:00+08:00')

/** Local time of the given minute of the file. */
const clock = (minute: number) =>
  new Date(FIRST + 8 * 3_600_000 + minute * MINUTE_MS).toISOString().slice(0, 16).replace('T', ' ')
/** Lines of a table: values at regular minutes. */
const lines = (values: readonly (number | string)[], step = HOUR, from = 0) =>
  values.map((value, at) => `${clock(from + at * step)},${value}`)
const table = (heading: string, rows: readonly string[]) => [heading, ...rows].join('\n')

/** Energy of a day with a peak at noon, in each hour. */
const solar = [0, 0, 0, 0, 0, 0, 1, 3, 6, 8, 9, 9.5, 9.6, 9.1, 8, 6, 3, 1, 0, 0, 0, 0, 0, 0]
/** Energy that rises and falls, without a pattern. */
const load = (at: number) => 5 + ((at * 7) % 11) / 4
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
/** Readings of a counter with these steps. */
const counter = (first: number, steps: readonly number[]) =>
  steps.reduce<number[]>((all, step) => [...all, (all.at(-1) as number) + step], [first])

function read(text: string, answers: ReadingAnswers = {}) {
  const reading = readMeaning(
    readText(new TextEncoder().encode(text)),
    { meters: [{ uid: 'm1', name: '總表' }], zone: 'Asia/Taipei', now: NOW },
    answers,
  )
  if ('refused' in reading) return { refused: reading.refused, text: reading.text }
  const rows = toImportRows(
    reading,
    reading.series.map((_, at) => `s${at}`),
    NOW,
  )
  const kWhOf = (meter: number) => {
    const values = rows.values.filter((_, at) => rows.meters[at] === meter)
    return reading.kind === 'interval'
      ? sum(values)
      : sum(values.slice(1).map((value, at) => Math.max(0, value - (values[at] as number))))
  }
  return {
    kind: reading.kind,
    uids: reading.series.map(({ uid }) => uid),
    asked: reading.questions.map(({ fact }) => fact),
    kWh: reading.series.map((_, at) => Number(kWhOf(at).toFixed(6))),
    options: reading.questions[0]?.options.map(({ kWh }) => kWh),
    rejected: rows.problems.map(({ reason, line }) => [reason, line]),
    quarters: rows.quarters,
    first: rows.timestamps[0],
  }
}

describe('a counter that begins at zero every day', () => {
  const days = [1, 1.2, 0.8]
  const today = days.flatMap((share) => solar.map((_, hour) => sum(solar.slice(0, hour + 1)) * share))
  const energy = sum(solar) * sum(days)

  it('goes on over its resets', () => {
    expect(read(table('Time,Daily energy (kWh)', lines(today)))).toMatchObject({ kind: 'counter', asked: [] })
    expect(read(table('Time,Daily energy (kWh)', lines(today))).kWh?.[0]).toBeCloseTo(energy, 6)
  })

  it('is asked about under a word for energy of intervals, with both sums', () => {
    const reading = read(table("Time,Today's yield (kWh)", lines(today)))
    expect(reading.asked).toEqual(['kind'])
    expect(reading.options?.[0]).toBeCloseTo(sum(today), 6)
    expect(reading.options?.[1]).toBeCloseTo(energy, 6)
  })

  it('is none if the figures fall before midnight, as energy of intervals does', () => {
    expect(read(table('Time,PV (kWh)', lines([...solar, ...solar, ...solar])))).toMatchObject({
      kind: 'interval',
      asked: [],
    })
  })
})

describe('figures that fall at midnight without a word for a day', () => {
  it('are asked about: a load may rise until midnight, too', () => {
    const rising = Array.from({ length: 5 }, () => [1, 3, 5, 6, 8, 9]).flat()
    expect(read(table('Time,Neon sign (kWh)', lines(rising, 4 * HOUR))).asked).toContain('kind')
  })

  it('are asked about with such a word, although the counter holds its total over night', () => {
    const held = [1, 1.2, 0.8].flatMap((share) =>
      solar.map((_, hour) => (hour < 6 ? 50 * share : sum(solar.slice(0, hour + 1)) * share)),
    )
    for (const heading of ['Daily yield (kWh)', '今日發電量(kWh)', 'Tagesertrag (kWh)'])
      expect(read(table(`Time,${heading}`, lines(held))).asked, heading).toContain('kind')
  })
})

describe('a counter that begins at zero every week or month', () => {
  const weeks = Array.from({ length: 28 }, (_, day) =>
    sum(Array.from({ length: (day % 7) + 1 }, (__, at) => load(day - at))),
  )
  const daily = Array.from({ length: 28 }, (_, day) => load(day))

  it('is asked about under a heading without a word for a period, with both sums', () => {
    const reading = read(table('Time,kWh', lines(weeks, 24 * HOUR)))
    expect(reading.asked).toEqual(['kind'])
    expect(reading.options?.[0]).toBeCloseTo(sum(weeks), 6)
    expect(reading.options?.[1]).toBeCloseTo(sum(daily) - (daily[0] as number), 6)
  })

  it('is recognized if the times are the ends of the days', () => {
    expect(read(table('Time,kWh', lines(weeks, 24 * HOUR, 24 * HOUR))).asked).toContain('kind')
  })

  it('is none if the figures fall within the weeks, too', () => {
    expect(read(table('Time,kWh', lines(daily, 24 * HOUR))).kind).toBe('interval')
  })
})

describe('a heading that names energy with a unit of power', () => {
  const values = Array.from({ length: 96 }, (_, at) => load(at))

  it.each(['Energy (kW)', '用電量(kW)', 'Energía [kW]'])('is asked about in %s', (heading) => {
    const reading = read(table(`Time,${heading}`, lines(values, 15)))
    expect(reading.asked).toEqual(['unit'])
    expect(reading.options?.[0]).toBeCloseTo(sum(values), 6)
    expect(reading.options?.[4]).toBeCloseTo(sum(values) / 4, 6)
  })

  it.each(['Mean energy flow power (kW)', '用電功率(kW)', 'Consumo registado (kW)'])(
    'is power in %s',
    (heading) => {
      expect(read(table(`Time,${heading}`, lines(values, 15))).asked).toEqual([])
    },
  )

  it('is not asked about for whole hours, of which both are the same', () => {
    expect(read(table('Time,Energy (kW)', lines(values)))).toMatchObject({ asked: [], kWh: [sum(values)] })
  })
})

describe('a counter that hardly moves', () => {
  it.each([
    ['stands still', Array.from({ length: 24 }, () => 812.4)],
    ['rises once in a day', Array.from({ length: 24 }, (_, at) => (at < 12 ? 812 : 813))],
    ['rises by little', Array.from({ length: 24 }, (_, at) => 812 + Math.floor(at / 5))],
  ])('is asked about if it %s, also under a word for energy', (_, values) => {
    for (const heading of ['Active energy (kWh)', 'Import (kWh)', '用電量(度)'])
      expect(read(table(`Time,${heading}`, lines(values))).asked, heading).toContain('kind')
  })

  it('is a counter if the heading says so', () => {
    const still = Array.from({ length: 24 }, () => 812.4)
    expect(read(table('Time,累計電量(度)', lines(still)))).toMatchObject({
      kind: 'counter',
      asked: [],
      kWh: [0],
    })
  })

  it('is not suspected behind a constant load of a few digits', () => {
    const standby = Array.from({ length: 24 }, () => 0.25)
    expect(read(table('Time,Usage (kWh)', lines(standby)))).toMatchObject({
      kind: 'interval',
      asked: [],
      kWh: [6],
    })
  })
})

describe('a false reading of a counter', () => {
  const steps = Array.from({ length: 47 }, (_, at) => load(at))
  const right = counter(52_000, steps)
  const withValue = (places: readonly number[], value: (right: number) => number) =>
    right.map((each, at) => (places.includes(at) ? value(each) : each))

  it.each([
    ['zero', [20], () => 0],
    ['zero several times', [20, 21, 22], () => 0],
    ['far too high', [30], () => 999_999],
    ['without its last digit', [25], (value: number) => Math.floor(value / 10)],
    ['zero before the first', [0, 1, 2], () => 0],
    ['far too high at the end', [47], () => 9_999_999],
  ] as const)('is left out and listed: %s', (_, places, value) => {
    const reading = read(table('Time,Meter reading (kWh)', lines(withValue(places, value))))
    const good = right.filter((_each, at) => !(places as readonly number[]).includes(at))
    expect(reading).toMatchObject({ kind: 'counter', asked: [] })
    expect(reading.kWh?.[0]).toBeCloseTo((good.at(-1) as number) - (good[0] as number), 6)
    expect(reading.rejected).toEqual(places.map((at) => ['glitch', at + 2]))
  })

  it('is none if a counter begins at zero again and reaches the old level step by step', () => {
    const months = [10, 12, 9].flatMap((step) =>
      counter(
        step,
        Array.from({ length: 29 }, () => step),
      ),
    )
    const reading = read(table('Time,本月累計(kWh)', lines(months, 24 * HOUR)))
    expect(reading.rejected).toEqual([])
    expect(reading.kWh?.[0]).toBeCloseTo(29 * (10 + 12 + 9) + 12 + 9, 6)
  })

  it('is none at the end if a machine starts before the last reading', () => {
    const standby = counter(
      10,
      Array.from({ length: 23 }, () => 0.1),
    )
    expect(read(table('Time,Meter reading (kWh)', lines([...standby, 52]))).rejected).toEqual([])
  })

  it('is none after the counter was replaced', () => {
    const replaced = [...right, ...counter(3, steps)]
    const reading = read(table('Time,Meter reading (kWh)', lines(replaced)))
    expect(reading.rejected).toEqual([])
    expect(reading.kWh?.[0]).toBeCloseTo(2 * sum(steps), 6)
  })
})

describe('a figure that means "no value"', () => {
  it('is left out and listed if it is far above all others', () => {
    const values = Array.from({ length: 24 }, (_, at) => (at === 5 || at === 9 ? 99_999 : load(at)))
    const reading = read(table('Time,Usage (kWh)', lines(values)))
    expect(reading.kWh?.[0]).toBeCloseTo(sum(values.filter((value) => value !== 99_999)), 6)
    expect(reading.rejected).toEqual([
      ['sentinel', 7],
      ['sentinel', 11],
    ])
  })

  it('may be a value if it is small and occurs once', () => {
    const values = Array.from({ length: 24 }, (_, at) => (at === 5 ? 99.9 : load(at)))
    expect(read(table('Time,Usage (kWh)', lines(values))).rejected).toEqual([])
  })

  it('is a value like others among values of its size', () => {
    const values = Array.from({ length: 24 }, (_, at) => (at === 5 ? 999 : 900 + load(at)))
    expect(read(table('Time,Usage (Wh)', lines(values))).rejected).toEqual([])
  })
})

describe('readings in a table that has ends of intervals', () => {
  const readings = counter(
    12_000,
    Array.from({ length: 47 }, (_, at) => load(at)),
  )

  it('are a counter, and it is asked which end they belong to', () => {
    const rows = readings.map((value, at) => `${clock(at * HOUR)};${clock((at + 1) * HOUR)};${value}`)
    const reading = read(table('Von;Bis;Zählerstand (kWh)', rows))
    expect(reading).toMatchObject({ kind: 'counter', asked: ['stamp'] })
    expect(reading.kWh?.[0]).toBeCloseTo((readings.at(-1) as number) - 12_000, 6)
  })

  it('are asked about in a table of days', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)
    const days = [readings.slice(0, 24), readings.slice(24)]
    const rows = days.map((values, day) => `2026-06-0${day + 1},${values.join(',')}`)
    const reading = read(table(`Date,${hours.join(',')}`, rows))
    expect(reading.asked).toContain('kind')
    expect(reading.options?.[1]).toBeCloseTo((readings.at(-1) as number) - 12_000, 6)
  })
})

describe('counters and energy of intervals in one file', () => {
  it('are not read as the same: the columns of the other kind are left out and listed', () => {
    const readings = counter(
      5_000,
      Array.from({ length: 47 }, (_, at) => load(at + 3)),
    )
    const rows = readings.map((value, at) => `${clock(at * HOUR)},${load(at)},${load(at + 5)},${value}`)
    const reading = read(table('Time,A (kWh),B (kWh),C (kWh)', rows), { kind: 'interval' })
    expect(reading.kWh).toEqual([
      sum(readings.map((_, at) => load(at))),
      sum(readings.map((_, at) => load(at + 5))),
      0,
    ])
    expect(new Set(reading.rejected?.map(([reason]) => reason))).toEqual(new Set(['isCounter']))
  })
})

describe('intervals whose length changes within the file', () => {
  const hours = Array.from({ length: 24 }, (_, at) => load(at))
  const quarters = Array.from({ length: 96 }, (_, at) => load(at + 1))

  it('have their own lengths, so that power becomes the right energy', () => {
    const rows = [...lines(hours), ...lines(quarters, 15, 24 * HOUR)]
    const reading = read(table('Time,Power (kW)', rows))
    expect(reading.asked).toEqual([])
    expect(reading.kWh?.[0]).toBeCloseTo(sum(hours) + sum(quarters) / 4, 6)
  })

  it('keep the length of a usual step before a gap', () => {
    const rows = [
      ...lines(quarters.slice(0, 40), 15),
      ...lines(quarters.slice(0, 56), 15, 40 * 15 + 3 * HOUR),
    ]
    const reading = read(table('Time,Power (kW)', rows))
    expect(new Set(reading.quarters)).toEqual(new Set([1]))
    expect(reading.kWh?.[0]).toBeCloseTo((sum(quarters.slice(0, 40)) + sum(quarters.slice(0, 56))) / 4, 6)
  })

  it('are unknown for a column with irregular times beside a regular one', () => {
    const irregular = [3, 7, 31, 38, 64, 65, 140, 203, 211, 302, 377, 400, 523, 524, 608, 911]
    const rows = [
      ...lines(quarters, 15).map((line) => `${line},`),
      ...irregular.map((minute) => `${clock(minute)},,${load(minute)}`),
    ].toSorted()
    const reading = read(table('Time,A (kW),B (kW)', rows))
    expect(reading.kWh).toEqual([Number((sum(quarters) / 4).toFixed(6)), 0])
    expect(reading.rejected?.filter(([reason]) => reason === 'uneven')).toHaveLength(irregular.length)
  })
})

describe('a column of a meter', () => {
  it('is recognized by the name of the meter, with or without the unit behind it', () => {
    const values = Array.from({ length: 24 }, (_, at) => load(at))
    for (const heading of ['總表', '總表 (kWh)', '總表（度）', '總表[kW]'])
      expect(
        read(
          table(
            `Time,${heading},PV`,
            lines(values).map((line) => `${line},1`),
          ),
        ).uids?.[0],
        heading,
      ).toBe('m1')
  })
})

describe('a unit that changes within the file', () => {
  it('is refused with the line from which it changes', () => {
    const values = Array.from({ length: 6 * 24 }, (_, at) => (at < 72 ? load(at) : load(at) * 1_000))
    expect(read(table('Time,Usage', lines(values)))).toEqual({ refused: 'unitChanges', text: '74' })
  })

  it('is not suspected behind a machine that is switched on and off', () => {
    const values = Array.from({ length: 6 * 24 }, (_, at) => load(at) * (at % 48 < 24 ? 0.01 : 10))
    expect(read(table('Time,Chiller (kWh)', lines(values)))).not.toHaveProperty('refused')
  })

  it('is not suspected behind a season', () => {
    const values = Array.from({ length: 10 * 24 }, (_, at) => load(at) * (at < 120 ? 1 : 40))
    expect(read(table('Time,Usage (kWh)', lines(values)))).toMatchObject({ asked: [] })
  })
})

describe('a line above the headings', () => {
  it.each([
    'Contract capacity,1000 kW',
    'Total,1234 MWh',
    'Account,Feed-in customer',
    'CT time,5',
    '契約容量,450 kW',
  ])('with a label and a value is a title: %s', (label) => {
    const values = Array.from({ length: 24 }, (_, at) => load(at))
    const reading = read([label, table('Time,Usage (kWh)', lines(values))].join('\n'))
    expect(reading).toMatchObject({ kind: 'interval', asked: [], uids: ['m1'] })
    expect(reading.kWh?.[0]).toBeCloseTo(sum(values), 6)
  })

  it('states the time zone of the table', () => {
    const values = Array.from({ length: 24 }, (_, at) => load(at))
    const reading = read(['Time zone,UTC', table('Time,Usage (kWh)', lines(values))].join('\n'))
    expect([reading.asked, reading.first]).toEqual([[], FIRST + 8 * 3_600_000])
  })
})

describe('the size of a machine in a heading', () => {
  it.each([
    'Chiller (1000 kW) (kWh)',
    '冰水主機(1000kW)用電量(kWh)',
    'Battery (1000 kWh) charge (kWh)',
    'Inverter (0.1 kW) kWh',
  ])('is no factor of its figures: %s', (heading) => {
    const values = Array.from({ length: 24 }, (_, at) => load(at))
    const reading = read(table(`Time,${heading}`, lines(values)))
    expect(reading.asked).not.toContain('multiplier')
    expect(reading.kWh?.[0]).toBeCloseTo(sum(values), 6)
  })
})

describe('long intervals', () => {
  it('by the dates of bills are refused, because their lengths differ', () => {
    const rows = ['2026-01-05,120', '2026-02-04,130', '2026-03-06,110', '2026-04-07,140', '2026-05-05,125']
    expect(read(table('Date,Usage (kWh)', rows))).toEqual({ refused: 'irregular', text: '2026-01-05' })
  })

  it('of days that do not begin at midnight are 24 hours from their time', () => {
    const rows = Array.from({ length: 10 }, (_, day) => `${clock(day * 24 * HOUR + 8 * HOUR)},${load(day)}`)
    const reading = read(table('From,Usage (kWh)', rows))
    expect([reading.asked, reading.first]).toEqual([[], FIRST + 8 * 3_600_000])
  })
})
