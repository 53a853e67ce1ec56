import { daysOffOf, type TypedDay } from '../../gateway/features/insight/logic/days-off.ts'
import { type Night, nightRiseOf } from '../../gateway/features/insight/logic/night-base.ts'
import { medianOf } from '../../gateway/features/insight/logic/robust-statistics.ts'
import { featuresIn } from '../../gateway/features/energy/rollup/day-features.ts'
import {
  type Faults,
  OFFICE_BEGAN,
  OFFICE_METERS,
  officeDay,
  type OfficeMeter,
  plainType,
} from '../../tests/support/made-office.ts'
import type { Figure, Options } from '../support/measurement.ts'

/** Day on which a fault begins, and number of days within which it must be found. */
const FROM = OFFICE_BEGAN + 16 * 7
const WITHIN = 10
const QUARTER_YEAR = 91
const KNOWN = 'm'.repeat(96)
const NEW = { factor: 1, before: null }

/** Synthetic offices with a fault from a day on, and without faults: findings, compared with a naive rule. */
export async function measureFound({ quick }: Options): Promise<Figure[]> {
  const seeds = Array.from({ length: quick ? 5 : 30 }, (_, i) => i + 1)
  const night: Faults = { night: { from: FROM, kw: 1 } }
  const weekend: Faults = { weekend: { from: FROM } }
  const share = (of: (seed: number) => boolean) => Math.round((100 * seeds.filter(of).length) / seeds.length)
  const withoutFaults = seeds.map((seed) => rowsOf(seed, byRule))
  const naive = seeds.map((seed) => rowsOf(seed, byWeek))
  const mean = (rows: readonly number[]) => rows.reduce((sum, one) => sum + one, 0) / rows.length
  return [
    {
      what: `a base load that rises by 1 kW, found in ${WITHIN} days`,
      value: share((seed) => byRule(nightsOf(seed, 'kitchen', FROM + WITHIN, night), FROM + WITHIN)),
      unit: '%',
      reference: {
        what: 'week against week',
        value: share((seed) => byWeek(nightsOf(seed, 'kitchen', FROM + WITHIN, night), FROM + WITHIN)),
      },
      bar: { of: 'value', min: 95 },
    },
    {
      what: `cooling over weekends, found in ${WITHIN} days`,
      value: share(
        (seed) =>
          daysOffOf(daysOf(seed, 'cooling', FROM + WITHIN, weekend), FROM + WITHIN, NEW) !== undefined,
      ),
      unit: '%',
      bar: { of: 'value', min: 95 },
    },
    {
      what: 'rows of base loads in a quiet office, a quarter of a year',
      value: Math.round(mean(withoutFaults) * 100) / 100,
      unit: '',
      reference: { what: 'week against week', value: Math.round(mean(naive) * 100) / 100 },
      bar: { of: 'value', max: 1 },
      note: `${seeds.length} offices of ${OFFICE_METERS.length} meters`,
    },
  ]
}

type Rule = (nights: readonly Night[], end: number) => boolean
const byRule: Rule = (nights, end) => nightRiseOf(nights, end, { drift: 1, ...NEW }) !== undefined
/** Naive rule: a fifth more than in the week before. */
const byWeek: Rule = (nights, end) => {
  const of = (from: number, to: number) =>
    medianOf(nights.flatMap(({ day, kw }) => (kw !== null && day >= from && day < to ? [kw] : []))) ?? 0
  return of(end - 7, end) > 1.2 * of(end - 14, end - 7)
}

/** Number of times a rule reports a meter of an office without faults. */
function rowsOf(seed: number, rule: Rule): number {
  let rows = 0
  for (const meter of OFFICE_METERS) {
    const all = nightsOf(seed, meter, FROM + QUARTER_YEAR, {}, QUARTER_YEAR + 60)
    let isFound = false
    for (let end = FROM; end < FROM + QUARTER_YEAR; end++) {
      const found = rule(
        all.filter(({ day }) => day < end && day >= end - 60),
        end,
      )
      if (found && !isFound) rows += 1
      isFound = found
    }
  }
  return rows
}

function nightsOf(seed: number, meter: OfficeMeter, end: number, faults: Faults, length = 60): Night[] {
  return Array.from({ length }, (_, i) => {
    const day = end - length + i
    let sum = 0
    const cumulative = Array.from(officeDay(seed, day, faults)[meter], (one) => (sum += one))
    return { day, kw: featuresIn(cumulative, KNOWN).baseKw }
  })
}

const daysOf = (seed: number, meter: OfficeMeter, end: number, faults: Faults): TypedDay[] =>
  Array.from({ length: 112 }, (_, i) => {
    const day = end - 112 + i
    const kWh = officeDay(seed, day, faults)[meter].reduce((sum, one) => sum + one, 0)
    return { day, type: plainType(day), kWh }
  })
