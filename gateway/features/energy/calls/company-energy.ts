import { type Coverage, leastComputed, type meterData } from '../../../../contract/energy/meter-data-calls.ts'
import type { InputOf, ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { readHomes } from '../meters/meters.ts'
import type { QueryDeps } from '../query/context.ts'
import { getSeries } from './series.ts'

type Call = (typeof meterData)['getCompanyEnergy']
type Point = ResultsOf<Call>['Points'][number]

/** Number of homes that are queried concurrently. */
const AT_ONCE = 4

/**
 * Sums the energy of all homes of a company per 15 minutes of UTC, whatever their time zones. A home without a meter and without known
 * energy is left out, because it would make the whole sum unknown. Errors: INVALID.
 */
export async function getCompanyEnergy(
  deps: QueryDeps,
  tenant: string,
  { From, To }: InputOf<Call>,
): Promise<ResultsOf<Call>> {
  const homes = await readHomes(deps.db, tenant)
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
        answer.Homes === 0 ? points.map(sumFieldsOf) : answer.Points.map((sum, i) => plus(sum, points[i]))
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

function plus({ Timestamp, kWh, Coverage: coverage }: Point, other: Point | undefined): Point {
  const fields = Object.keys(coverage) as (keyof Coverage)[]
  return {
    Timestamp,
    kWh: kWh === null || other?.kWh == null ? null : kWh + other.kWh,
    Coverage: Object.fromEntries(
      fields.map((field) => [field, coverage[field] + (other?.Coverage[field] ?? 0)]),
    ) as Coverage,
  }
}
