import fc from 'fast-check'
import english from '../../../../locales/en-US/export.json' with { type: 'json' }
import chinese from '../../../../locales/zh-TW/export.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { nextStart, startsBetween } from '../../../../contract/time/periods.ts'
import { createExportPlan } from '../../../../src/custom-views/export/export-plan.ts'
import {
  columnsFor,
  type Detail,
  FORMATS,
  QUALITIES,
  READING_STATES,
} from '../../../../src/custom-views/export/options.ts'
import { toImportRows } from '../../../../src/custom-views/meter-import/reading/import-rows.ts'
import { readMeaning } from '../../../../src/custom-views/meter-import/reading/infer.ts'
import { createExportWriter } from '../../../../src/lib/export/writer.ts'
import type { Format } from '../../../../src/lib/export/table.ts'
import { openFile } from '../../../../src/lib/spreadsheet/open-file.ts'

const NOW = Date.parse('2026-11-30T00:00:00Z')
const METER = { PeripheralUID: '41501234-01', PeripheralName: 'B1 總電表' }
const QUARTER_MS = 900_000

/** Zones with a day before each clock change of 2026, and one of an ordinary week. */
const DAYS: readonly [zone: string, days: readonly string[]][] = [
  ['Asia/Taipei', ['2026-06-01']],
  ['Europe/Berlin', ['2026-03-28', '2026-10-24', '2026-06-01']],
  ['Europe/London', ['2026-03-28', '2026-10-24', '2026-12-01']],
  ['America/New_York', ['2026-03-07', '2026-10-31']],
  ['Australia/Lord_Howe', ['2026-04-04', '2026-10-03']],
  ['Asia/Kathmandu', ['2026-06-01']],
  ['America/Sao_Paulo', ['2026-02-28']],
  ['UTC', ['2026-01-01']],
]
const place = fc
  .constantFrom(...DAYS.flatMap(([zone, days]) => days.map((day) => ({ zone, day }))))
  .map(({ zone, day }) => ({ zone, day: Math.min(Date.parse(`${day}T00:00:00Z`), NOW - 3 * 86_400_000) }))

const kWh = fc.oneof(
  fc.double({ min: 0, max: 5_000, noNaN: true }),
  fc.integer({ min: 0, max: 2_000 }),
  fc.constantFrom(0, 0.125, 1e-7, 0.1 + 0.2),
)

type Texts = { readonly [key: string]: string | Texts }

/** Text of a key such as `export:headings.kWh`. */
const textOf = (texts: Texts, key: string, values: Readonly<Record<string, unknown>> = {}): string => {
  const text = key
    .slice('export:'.length)
    .split('.')
    .reduce<string | Texts | undefined>((found, part) => (found as Texts | undefined)?.[part], texts)
  if (typeof text !== 'string') throw new Error(`There is no text ${key}`)
  return text.replaceAll(/{{(\w+)}}/g, (_, name: string) => String(values[name]))
}

/** A file of the meter, as the export page writes it. */
async function exported(
  texts: Texts,
  { detail, format, zone }: { detail: Detail; format: Format; zone: string },
  rows: readonly (readonly number[])[],
) {
  const options = {
    detail,
    format,
    meters: [],
    columns: columnsFor(detail),
    oneWorkbook: true,
    rounded: false,
  }
  const subject = { HomeName: '內湖總部', zone, meters: [METER], days: '2026-06', decimals: 2 }
  const writer = createExportWriter(
    createExportPlan(options, subject, (key, values) => textOf(texts, key, values)),
  )
  await writer.add(0, Float64Array.from(rows.flat()))
  return writer.end()
}

/** Result of a file without a row that can be imported. */
const REFUSED = { refused: true }

/** Rows that an import of the file has without any answer of a person, and what it would ask. */
async function imported(blob: Blob, zone: string) {
  const file = await openFile(blob)
  const meters = [
    { uid: METER.PeripheralUID, name: METER.PeripheralName },
    { uid: 'other', name: 'PV' },
  ]
  const reading = readMeaning(file, { meters, meter: METER.PeripheralUID, zone, now: NOW }, {})
  if ('refused' in reading) return REFUSED
  const { series, questions, kind } = reading
  const rows = toImportRows(
    reading,
    series.map(({ uid }) => uid),
    NOW,
  )
  return {
    kind,
    questions,
    meters: rows.uids,
    rows: rows.timestamps.map((timestamp, at) => [timestamp, rows.quarters[at], rows.values[at]]),
    rejected: rows.problemCount,
  }
}

describe.each([
  ['zh-TW', chinese],
  ['en-US', english],
])('an export in %s', (_, texts) => {
  it('of energy is imported as the same intervals with the same energy, except what is incomplete', async () => {
    const property = fc.asyncProperty(
      place,
      fc.constantFrom(...FORMATS),
      fc.constantFrom('quarter', 'hour', 'day', 'month' as const),
      fc.array(fc.record({ kWh: fc.option(kWh), quality: fc.nat(QUALITIES.length - 1) }), {
        minLength: 1,
        maxLength: 60,
      }),
      async ({ zone, day }, format, detail, values) => {
        const lengthMs = { quarter: QUARTER_MS, hour: 3_600_000, day: 86_400_000, month: 31 * 86_400_000 }[
          detail
        ]
        const first =
          detail === 'month' ? day - 3 * 365 * 86_400_000 : detail === 'day' ? day - 70 * 86_400_000 : day
        const starts = startsBetween(detail, first, Math.min(NOW, first + values.length * lengthMs), zone)
        const points = starts.flatMap((start, at) => {
          const value = values[at]
          return value
            ? [
                {
                  start,
                  ...value,
                  quality: value.kWh === null ? QUALITIES.indexOf('missing') : value.quality,
                },
              ]
            : []
        })
        const rows = points.map(({ start, kWh: value, quality }) => [
          start,
          value ?? Number.NaN,
          12.5,
          3.25,
          4,
          0,
          0,
          0,
          0,
          0,
          0,
          quality,
        ])
        const { blob } = await exported(texts, { detail, format, zone }, rows)
        const whole = points.filter(
          ({ kWh: value, quality }) =>
            value !== null && !['incomplete', 'unfinished', 'missing'].includes(QUALITIES[quality] ?? ''),
        )
        const result = await imported(blob, zone)
        const read = {
          kind: 'interval',
          questions: [],
          meters: [METER.PeripheralUID],
          rows: whole.map(({ start, kWh: value }) => [
            start,
            (nextStart(detail, start, zone) - start) / QUARTER_MS,
            value,
          ]),
          rejected: points.length - whole.length,
        }
        expect(result).toEqual(whole.length === 0 ? REFUSED : read)
      },
    )
    await fc.assert(property, { numRuns: 60 })
  })

  it('of readings is imported as the same readings of the counter, except those that do not count', async () => {
    const property = fc.asyncProperty(
      place,
      fc.constantFrom(...FORMATS),
      fc.array(
        fc.record({
          step: fc.integer({ min: 1_000, max: 7_200_000 }),
          increase: kWh,
          state: fc.nat(READING_STATES.length - 1),
        }),
        { minLength: 1, maxLength: 60 },
      ),
      async ({ zone, day }, format, steps) => {
        let [at, counter] = [day, 1_234.5]
        const readings = steps.map(({ step, increase, state }) => {
          at += step
          counter += increase
          return { at, counter, increase, state }
        })
        const rows = readings.map((each, index) => [
          each.at,
          each.counter,
          index === 0 ? Number.NaN : each.increase,
          230,
          1.5,
          220.5,
          0.98,
          each.state,
        ])
        const { blob } = await exported(texts, { detail: 'raw', format, zone }, rows)
        const counted = readings.filter(({ state }) =>
          ['counted', 'accepted'].includes(READING_STATES[state] ?? ''),
        )
        const result = await imported(blob, zone)
        const read = {
          kind: 'counter',
          questions: [],
          meters: [METER.PeripheralUID],
          rows: counted.map((each) => [each.at, 1, each.counter]),
          rejected: readings.length - counted.length,
        }
        expect(result).toEqual(counted.length === 0 ? REFUSED : read)
      },
    )
    await fc.assert(property, { numRuns: 40 })
  })

  it('of several meters in one workbook is imported with a sheet for each, whatever their names', async () => {
    const meters = [
      { PeripheralUID: 'a1', PeripheralName: '2026-06' },
      {
        PeripheralUID: 'b2',
        PeripheralName: 'PV: 屋頂/東側 [1] 一個比三十一個字元還要長的電表名稱，試算表放不下',
      },
      { PeripheralUID: 'c3', PeripheralName: '同名' },
      { PeripheralUID: 'd4', PeripheralName: '同名' },
    ]
    const options = {
      detail: 'quarter' as const,
      format: 'xlsx' as const,
      meters: [],
      columns: columnsFor('quarter'),
      oneWorkbook: true,
      rounded: false,
    }
    const subject = { HomeName: '內湖總部', zone: 'Asia/Taipei', meters, days: '2026-06', decimals: 2 }
    const plan = createExportPlan(options, subject, (key, values) => textOf(texts, key, values))
    const writer = createExportWriter(plan)
    const first = Date.parse('2026-06-01T00:00:00+08:00')
    const rowsOf = (meter: number) =>
      Array.from({ length: 8 }, (_row, at) => [first + (meter * 8 + at) * QUARTER_MS, meter + at / 8])
    for (const [meter] of meters.entries())
      await writer.add(
        meter,
        Float64Array.from(rowsOf(meter).flatMap((row) => [...row, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0])),
      )
    const { blob } = await writer.end()
    const known = meters.map(({ PeripheralUID, PeripheralName }) => ({
      uid: PeripheralUID,
      name: PeripheralName,
    }))
    const reading = readMeaning(await openFile(blob), { meters: known, zone: 'Asia/Taipei', now: NOW }, {})
    if ('refused' in reading) throw new Error(reading.refused)
    const {
      uids,
      meters: indexes,
      timestamps,
      values,
    } = toImportRows(
      reading,
      reading.series.map(({ uid }) => uid),
      NOW,
    )
    expect(reading.questions).toEqual([])
    expect(uids).toEqual(meters.map(({ PeripheralUID }) => PeripheralUID))
    expect(indexes.map((meter, at) => [meter, timestamps[at], values[at]])).toEqual(
      meters.flatMap((_meter, index) => rowsOf(index).map((row) => [index, ...row])),
    )
  })
})
