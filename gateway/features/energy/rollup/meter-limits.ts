import { dayOf, firstDayOf, formatDay } from '../../../../contract/time/periods.ts'
import { MAX_POWER_KW, type MaxKw } from '../../../../contract/meters/validate-readings.ts'
import { type KnownLimits, limitOf } from '../../../domain/meters/meter-limit.ts'
import { type FactRow, factHistories } from '../../../domain/meters/meter-facts.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, named, sql } from '../../../kernel/db.ts'

/** Facts that determine the maximum power of a meter. */
const SAYING = ['limit', 'rated', 'learnt', 'role'] as const

/** Reads the known limits of these meters; meters without any are absent. */
export async function readLimits(tx: Db, meterIds: readonly number[]): Promise<Map<number, KnownLimits>> {
  const rows = await tx.query<FactRow & { meterId: number }>(
    // A named statement, so that it is planned once: every transaction that computes energy runs it.
    named(
      'limits of meters',
      sql`select m.meter_id as "meterId", f.meter_key as "MeterID", f.fact, f.from_day as from, f.value
        from meters m cross join lateral (select * from meter_facts f where f.tenant = m.tenant
          and f.home_id = m.home_id and f.meter_key = m.peripheral_uid and f.fact = any(${[...SAYING]})) f
        where m.meter_id = any(${numberArray(meterIds)}::int[]) order by f.from_day`,
    ),
  )
  const limits = new Map<number, KnownLimits>()
  if (rows.length === 0) return limits
  for (const [meterId, facts] of factHistories(
    rows.map(({ meterId, ...row }) => ({ ...row, MeterID: String(meterId) })),
  )) {
    const { limit, rated, learnt, role } = facts
    limits.set(Number(meterId), { limit, rated, learnt, role })
  }
  const contracted = [...limits].filter(
    ([, { learnt, role }]) => learnt !== undefined || role?.some(({ value }) => value === 'gridImport'),
  )
  if (contracted.length > 0) await addContracts(tx, new Map(contracted))
  return limits
}

/** Adds the contract capacities of the meters' homes. */
async function addContracts(tx: Db, limits: ReadonlyMap<number, KnownLimits>): Promise<void> {
  const rows = await tx.query<{
    meterId: number
    from: string
    through: string | null
    capacities: Record<string, number>
  }>(
    named(
      'contracts of meters',
      sql`select m.meter_id as "meterId", t.valid_from as from, t.valid_through as through, t.capacities
        from meters m join home_tariffs t on t.tenant = m.tenant and t.home_id = m.home_id
        where m.meter_id = any(${numberArray([...limits.keys()])}::int[])`,
    ),
  )
  for (const [meterId, known] of limits) {
    const agreed = rows.filter((row) => row.meterId === meterId)
    known.contractOn = (day) => {
      const date = formatDay(day)
      const held = agreed.find(({ from, through }) => from <= date && (through === null || date <= through))
      return held ? Object.values(held.capacities).reduce((sum, kw) => sum + kw, 0) : null
    }
  }
}

/** Maximum power of a meter, by day of its home. */
export function maxKwOf(known: KnownLimits | undefined, zone: string): MaxKw {
  if (!known) return MAX_POWER_KW
  const days = new Map<number, number>()
  return (timestamp) => {
    const day = dayOf(timestamp, zone)
    const limit = days.get(day) ?? limitOf(known, day)
    days.set(day, limit)
    return limit
  }
}

/** Maximum power of each of these meters on the last day of a month, in kW. */
export async function mostKwOf(
  tx: Db,
  meterIds: readonly number[],
): Promise<(meterId: number, month: number) => number> {
  const limits = await readLimits(tx, meterIds)
  return (meterId, month) => limitOf(limits.get(meterId) ?? {}, firstDayOf(month + 1) - 1)
}
