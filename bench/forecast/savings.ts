import { existsSync, readFileSync } from 'node:fs'
import { HOURS, type HourlyDay } from '../../gateway/features/insight/logic/baseline.ts'
import { measureSaving, savingVerdictOf } from '../../gateway/features/insight/logic/measured-saving.ts'
import { parseDay, weekdayOf } from '../../contract/time/periods.ts'
import { OFFICE_FROM, officeLoad } from '../../tests/support/simulated-office.ts'
import type { Figure, Options } from '../support/measurement.ts'

/** Hourly data of real homes, if available. */
const REAL = new URL('../../../shared/data/citylearn2022_17homes_hourly_kwh.csv', import.meta.url)
/** Homes whose data have long gaps. */
const WITH_GAPS = ['home_07_kwh', 'home_12_kwh', 'home_14_kwh', 'home_15_kwh']
/** Saving of a measure, as a share of the load. */
const SHARE = 0.15

/** A load with a trial measure, similar loads, and the time of the measure. */
interface Trial {
  line: readonly HourlyDay[]
  comparison: readonly (readonly HourlyDay[])[]
  doneOn: number
}

/** Measures in loads without a real change, with and without an artificial saving. */
export async function savings({ quick }: Options): Promise<Figure[]> {
  const offices = Array.from({ length: quick ? 30 : 200 }, (_, seed): Trial => ({
    line: officeLoad({ days: 365, seed }),
    comparison: [officeLoad({ days: 365, seed: seed + 5_000 })],
    doneOn: OFFICE_FROM + 300,
  }))
  const figures = figuresOf('made-up offices', offices)
  const homes = realHomes()
  const [first] = homes
  if (first?.[0]) {
    const { day } = first[0]
    const dates = [240, 282, 324].map((after) => day + after)
    const trials = homes.flatMap((line, i) =>
      dates.map((doneOn): Trial => ({ line, comparison: homes.filter((_, other) => other !== i), doneOn })),
    )
    figures.push(...figuresOf('real homes', trials))
  }
  return figures
}

function figuresOf(what: string, trials: readonly Trial[]): Figure[] {
  let [undecided, verified, inRange, seen, widths] = [0, 0, 0, 0, 0]
  for (const { line, comparison, doneOn } of trials) {
    const query = { comparison, doneOn, days: 28 }
    const withoutSaving = measureSaving({ ...query, line }).Saving
    const saved = line.map((day) => (day.day < doneOn ? day : lessOf(day)))
    const found = measureSaving({ ...query, line: saved }).Saving
    if (!withoutSaving || !found) continue
    undecided += 1
    // Independent of the fit: this tests the range.
    if (savingVerdictOf(withoutSaving.Saved, withoutSaving.High - withoutSaving.Saved) === 'verified')
      verified += 1
    const trueSaving = (found.Actual / (1 - SHARE)) * SHARE
    if (found.Low <= trueSaving && trueSaving <= found.High) inRange += 1
    if (found.Low > 0) seen += 1
    widths += (found.High - found.Saved) / found.Baseline
  }
  const percent = (value: number) => Math.round((value / Math.max(1, undecided)) * 10_000) / 100
  return [
    {
      what: `${what}: verified though nothing was saved`,
      value: percent(verified),
      unit: '%',
      bar: { of: 'value', max: 3 },
      note: `${undecided} measures`,
    },
    {
      what: `${what}: a saving of ${SHARE * 100} % within its range`,
      value: percent(inRange),
      unit: '%',
      bar: { of: 'value', min: 90 },
      note: `verified ${percent(seen)} %; the range is ± ${percent(widths)} % of the load`,
    },
  ]
}

const lessOf = (day: HourlyDay): HourlyDay => ({
  ...day,
  kWh: Float64Array.from(day.kWh, (kWh) => kWh * (1 - SHARE)),
})

function realHomes(): HourlyDay[][] {
  if (!existsSync(REAL)) return []
  const [head = '', ...lines] = readFileSync(REAL, 'utf8').trim().split('\n')
  const names = head.split(',').slice(1)
  const homes = names.map(() => new Map<number, HourlyDay & { kWh: Float64Array }>())
  for (const row of lines) {
    const [at = '', ...values] = row.split(',')
    const [day, hour] = [parseDay(at.slice(0, 10)), Number(at.slice(11, 13))]
    for (const [i, home] of homes.entries()) {
      const weekday = weekdayOf(day)
      const kind = weekday === 0 ? 2 : weekday === 6 ? 1 : 0
      const one = home.get(day) ?? {
        day,
        weekday,
        kind,
        kWh: new Float64Array(HOURS).fill(NaN),
        celsius: null,
      }
      one.kWh[hour] = Number(values[i])
      home.set(day, one)
    }
  }
  return homes.flatMap((home, i) => (WITH_GAPS.includes(names[i] as string) ? [] : [[...home.values()]]))
}
