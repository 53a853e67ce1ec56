import { existsSync, readFileSync } from 'node:fs'
import { forecastOf, type PastDay } from '../contract/energy/forecast.ts'
import { firstDayOf, monthOfDay, parseDay, weekdayOf } from '../contract/time/periods.ts'
import { savings } from './forecast/savings.ts'
import type { Figure, Options } from './support/measurement.ts'

export const name = 'forecast'
export const bar =
  'error of the month against the mean of its days so far: workplaces at most 0.8 x, homes at most 1.05 x; range holds 75-90 %. Savings: of measures that saved nothing at most 3 % verified, of others 90 % within their range'

/** Hourly data of real homes, if available. */
const REAL = new URL('../../shared/data/citylearn2022_17homes_hourly_kwh.csv', import.meta.url)
/** Homes with long gaps in their data, unsuitable for evaluating forecasts. */
const WITH_GAPS = ['home_07_kwh', 'home_12_kwh', 'home_14_kwh', 'home_15_kwh']
/** Days of the month on which a forecast is made. */
const ORIGINS = [3, 5, 8, 11, 14, 17, 20, 23, 25]
const FIRST = parseDay('2024-01-01')
const DAYS = 730

interface Load {
  name: string
  days: readonly PastDay[]
}

/** Errors of the forecasts of some loads. */
interface Judged {
  rule: number
  floor: number
  shownCount: number
  heldCount: number
  ranges: number
}

export const parts = { month, savings }

/** Forecasts of past months, each from the data known on its day, compared with the month's total. */
async function month({ quick }: Options): Promise<Figure[]> {
  const origins = quick ? ORIGINS.filter((_, i) => i % 4 === 0) : ORIGINS
  const seeds = quick ? [1] : [1, 2, 3]
  const figures = [
    ...figuresOf('made-up office', seeds.map(office), origins, 0.8),
    ...figuresOf('made-up factory', seeds.map(factory), origins, 0.8),
  ]
  const homes = realHomes()
  if (homes.length) {
    figures.push(...figuresOf('real homes', homes, origins, 1.05))
    figures.push(...figuresOf('their sum', [sumOf(homes)], origins, 1.05))
  }
  return figures
}

function figuresOf(what: string, loads: readonly Load[], origins: readonly number[], max: number): Figure[] {
  const { rule, floor, shownCount, heldCount, ranges } = evaluate(loads, origins)
  const percent = (value: number) => Math.round(value * 10_000) / 100
  return [
    {
      what: `${what}: mean error of the month by the rule`,
      value: percent(rule),
      unit: '%',
      reference: { what: 'floor', value: percent(floor) },
      bar: { of: 'ratio', max },
      note: `of what is shown: ${percent(shownCount)} %`,
    },
    {
      what: `${what}: months within the range`,
      value: percent(heldCount / Math.max(1, ranges)),
      unit: '%',
      bar: { of: 'value', min: 75, max: 90 },
      note: `${ranges} forecasts`,
    },
  ]
}

/** Errors as shares of the month, for the rule, the baseline, and the forecast shown. */
function evaluate(loads: readonly Load[], origins: readonly number[]): Judged {
  let [rule, floor, shownCount, heldCount, ranges, count] = [0, 0, 0, 0, 0, 0]
  for (const { days } of loads) {
    const [first, end] = [days[0]?.day ?? 0, (days.at(-1)?.day ?? 0) + 1]
    for (let month = monthOfDay(first) + 7; firstDayOf(month + 1) <= end; month++)
      for (const origin of origins) {
        const horizon = {
          from: firstDayOf(month),
          today: firstDayOf(month) + origin - 1,
          end: firstDayOf(month + 1),
        }
        const counted = totalOf(days, horizon.from, horizon.end)
        const forecast = forecastOf(days.slice(0, horizon.today - first), horizon, weekdayOf)
        if (counted === null || !(counted > 0) || !forecast) continue
        count += 1
        rule += Math.abs(forecast.totals.rule - counted) / counted
        floor += Math.abs(forecast.totals.floor - counted) / counted
        shownCount += Math.abs(forecast.total - counted) / counted
        if (forecast.low === null || forecast.high === null) continue
        ranges += 1
        if (forecast.low <= counted && counted <= forecast.high) heldCount += 1
      }
  }
  return { rule: rule / count, floor: floor / count, shownCount: shownCount / count, heldCount, ranges }
}

/** kWh of some days; null if one is unknown. */
function totalOf(days: readonly PastDay[], from: number, end: number): number | null {
  const first = days[0]?.day ?? 0
  const of = days.slice(from - first, end - first)
  return of.some(({ kWh }) => kWh === null) ? null : of.reduce((sum, { kWh }) => sum + (kWh ?? 0), 0)
}

const synthetic = (name: string, kWhOf: (day: number) => number): Load => ({
  name,
  days: Array.from({ length: DAYS }, (_, i) => {
    const kWh = Math.max(0, kWhOf(FIRST + i))
    return { day: FIRST + i, kWh, peakKw: kWh / 10 }
  }),
})

/** Synthetic office: weekdays with a summer peak, much lower weekends, and twelve holidays a year that the forecast does not know. */
function office(seed: number): Load {
  const random = randomFrom(seed)
  const holidays = new Set(Array.from({ length: 24 }, () => FIRST + Math.floor(random() * DAYS)))
  return synthetic('office', (day) => {
    const weekday = weekdayOf(day)
    const level = holidays.has(day) || weekday === 0 ? 0.3 : weekday === 6 ? 0.45 : 1
    const summer = 1 + 0.3 * Math.sin(((day - FIRST) / 365 - 0.3) * 2 * Math.PI)
    return 1_000 * level * summer * (1 + 0.12 * (random() + random() - 1))
  })
}

/** Synthetic factory: six days a week, by orders that last for a while. */
function factory(seed: number): Load {
  const random = randomFrom(seed + 100)
  let orders = 0
  return synthetic('factory', (day) => {
    orders = 0.9 * orders + 0.12 * (random() + random() - 1)
    return 5_000 * (weekdayOf(day) === 0 ? 0.15 : weekdayOf(day) === 6 ? 0.7 : 1) * (1 + orders)
  })
}

function realHomes(): Load[] {
  if (!existsSync(REAL)) return []
  const [head = '', ...lines] = readFileSync(REAL, 'utf8').trim().split('\n')
  const names = head.split(',')
  const sums = new Map<number, number[]>()
  for (const line of lines) {
    const [at = '', ...values] = line.split(',')
    const day = parseDay(at.slice(0, 10))
    const of = sums.get(day) ?? values.map(() => 0)
    sums.set(
      day,
      of.map((sum, i) => sum + Number(values[i])),
    )
  }
  // The file begins with the last hour of a day.
  const days = [...sums].slice(1)
  return names.slice(1).flatMap((name, i) =>
    WITH_GAPS.includes(name)
      ? []
      : [
          {
            name,
            days: days.map(([day, of]) => ({ day, kWh: of[i] as number, peakKw: (of[i] as number) / 10 })),
          },
        ],
  )
}

/** Reproducible random numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const sumOf = (loads: readonly Load[]): Load => ({
  name: 'sum',
  days: (loads[0]?.days ?? []).map(({ day }, i) => {
    const kWh = loads.reduce((sum, load) => sum + (load.days[i]?.kWh ?? 0), 0)
    return { day, kWh, peakKw: kWh / 10 }
  }),
})
