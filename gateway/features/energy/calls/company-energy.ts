import {
  type Coverage,
  leastComputed,
  type meterData,
  type EnergyPoint,
} from '../../../../contract/energy/meter-data-calls.ts'
import type { InputOf, ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { readHomes } from '../meters/meters.ts'
import type { QueryDeps } from '../query/context.ts'
import { areComparable } from '../../../../contract/energy/coverage.ts'
import { dayOf, firstDayOf, monthOfDay, startOfDay } from '../../../../contract/time/periods.ts'
import { getSeries } from './series.ts'

type Call = (typeof meterData)['getCompanyEnergy']
type Point = ResultsOf<Call>['Points'][number]

/** Number of homes that are queried concurrently. */
const AT_ONCE = 4

/**
 * Sums the energy of homes of a company, null means all, per 15 minutes of UTC, whatever their time zones. A home without a meter and without known
 * energy is left out. The coverage of the sum counts the intervals that a home lacks. Errors: INVALID.
 */
export async function getCompanyEnergy(
  deps: QueryDeps,
  tenant: string,
  visible: readonly string[] | null,
  { From, To }: InputOf<Call>,
): Promise<ResultsOf<Call>> {
  const homes = await readHomes(deps.db, tenant, visible)
  const answer: ResultsOf<Call> = { Points: [], Homes: 0, Meters: { Reporting: 0, Total: 0 } }
  for (let i = 0; i < homes.length; i += AT_ONCE) {
    const answers = await Promise.all(
      homes
        .slice(i, i + AT_ONCE)
        .map(({ HomeID }) =>
          getSeries(deps, tenant, { HomeID, From, To, Resolution: 'quarter', By: 'home' }),
        ),
    )
    for (const { Series, Meters, ComputedPercent } of answers) {
      const points = Series[0]?.Points ?? []
      if (Meters.Total === 0 && points.every(({ kWh }) => kWh === null)) continue
      answer.Points =
        answer.Homes === 0 ? points.map(sumFieldsOf) : answer.Points.map((sum, i) => addPoint(sum, points[i]))
      answer.Homes++
      answer.ComputedPercent = leastComputed([answer.ComputedPercent, ComputedPercent])
      answer.Meters.Reporting += Meters.Reporting
      answer.Meters.Total += Meters.Total
    }
  }
  return answer
}

const sumFieldsOf = ({ Timestamp, kWh, Coverage: coverage }: Point): Point => ({
  Timestamp,
  kWh,
  Coverage: coverage,
})

function addPoint({ Timestamp, kWh, Coverage: coverage }: Point, other: Point | undefined): Point {
  const fields = Object.keys(coverage) as (keyof Coverage)[]
  return {
    Timestamp,
    kWh: kWh === null ? (other?.kWh ?? null) : kWh + (other?.kWh ?? 0),
    Coverage: Object.fromEntries(
      fields.map((field) => [field, coverage[field] + (other?.Coverage[field] ?? 0)]),
    ) as Coverage,
  }
}

type Answer = ResultsOf<(typeof meterData)['getMonthBesideYear']>
type Pair = readonly [now: EnergyPoint, before: EnergyPoint]

/**
 * Compares the current month with the same dates of last year for homes of a company, null means all, up to the last day that has ended in the time
 * zone of every home. A home contributes the days that are known in both years.
 */
export async function getMonthBesideYear(
  deps: QueryDeps,
  tenant: string,
  visible: readonly string[] | null,
): Promise<Answer> {
  const { db, clock } = deps
  const homes = await readHomes(db, tenant, visible)
  const today = Math.min(...homes.map(({ zone }) => dayOf(clock.now(), zone)))
  const first = homes.length > 0 ? firstDayOf(monthOfDay(today)) : today
  const Days = homes.length > 0 ? today - first : 0
  const answer: Answer = { Days, Homes: { Compared: 0, Total: 0 }, Partly: false, Now: null, Before: null }
  if (Days === 0) return answer
  for (let i = 0; i < homes.length; i += AT_ONCE) {
    const answers = await Promise.all(
      homes.slice(i, i + AT_ONCE).map(({ HomeID, zone }) =>
        getSeries(deps, tenant, {
          ...{ HomeID, From: startOfDay(first, zone), To: startOfDay(today, zone) },
          ...{ Resolution: 'day', By: 'home', Compare: 'lastYear' },
        }),
      ),
    )
    for (const { Series, Compared, Meters, ComputedPercent } of answers) {
      if (Meters.Total === 0) continue
      answer.Homes.Total++
      answer.ComputedPercent = leastComputed([answer.ComputedPercent, ComputedPercent])
      const [now = [], before = []] =
        Compared?.With === 'lastYear' ? [Series[0]?.Points, Compared.Series[0]?.Points] : []
      const pairs = now.flatMap((point, day): Pair[] => {
        const other = before[day]
        return other && isAlike(point, other) ? [[point, other]] : []
      })
      if (pairs.length === 0) continue
      answer.Homes.Compared++
      answer.Partly ||= pairs.length < Days
      for (const [point, other] of pairs) {
        answer.Now = addToSum(answer.Now, point)
        answer.Before = addToSum(answer.Before, other)
      }
    }
  }
  return answer
}

const isAlike = (a: EnergyPoint, b: EnergyPoint): boolean =>
  a.kWh !== null && b.kWh !== null && areComparable([a.Coverage, b.Coverage])

/** Adds a point. Without a tariff there is no cost, and no cost of the sum; where nothing was used the cost is 0. */
function addToSum(sum: Answer['Now'], { kWh, Cost, Coverage: coverage }: EnergyPoint): Answer['Now'] {
  const cost = Cost ?? (kWh === 0 ? 0 : null)
  if (!sum) return { kWh: kWh ?? 0, Cost: cost, Coverage: { ...coverage } }
  const both = Object.keys(coverage) as (keyof Coverage)[]
  return {
    kWh: sum.kWh + (kWh ?? 0),
    Cost: sum.Cost === null || cost === null ? null : sum.Cost + cost,
    Coverage: Object.fromEntries(
      both.map((field) => [field, sum.Coverage[field] + coverage[field]]),
    ) as Coverage,
  }
}
