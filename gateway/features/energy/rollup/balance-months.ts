import { addFlows, FLOW_CELLS } from '../../../../contract/energy/balance.ts'
import { firstDayOf } from '../../../../contract/time/periods.ts'
import { FLOWS, partOf, type Term, TERMS } from '../../../../contract/devices/meter-roles.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { readRetentionFloors } from './energy-floors.ts'
import type { HomeFlows } from '../meters/home-flows.ts'
import {
  type COUNTS,
  type HomeDay,
  type HomeKey,
  knownBefore,
  sumBefore,
  readPartsOfDays,
} from './home-days.ts'

/** Days of a home by flow. */
export type FlowDays = Readonly<Record<(typeof FLOWS)[number], ReadonlyMap<number, HomeDay>>>

/** Reads all stored flows of a home between two day numbers (`end` exclusive). */
export async function readFlowDays(db: Db, key: HomeKey, from: number, end: number): Promise<FlowDays> {
  const parts = await readPartsOfDays(db, key, from, end, FLOWS.map(partOf))
  return Object.fromEntries(FLOWS.map((flow) => [flow, parts.get(partOf(flow))])) as unknown as FlowDays
}

/** Flows of one day; undefined if nothing is known of a flow. */
type PartedDay = Readonly<Record<(typeof FLOWS)[number], HomeDay | undefined>>

/** Cache of the energy flows of whole days, keyed by the consumption object: a rewritten day is a new object. */
const wholeDays = new WeakMap<HomeDay, { parts: PartedDay; cells: Float64Array }>()

/**
 * Adds the energy flows of those intervals of a day whose balance is known.
 *
 * from, to  intervals of the day, `to` exclusive
 */
export function addFlowsOfDay(
  cells: Float64Array,
  days: FlowDays,
  day: number,
  from: number,
  to: number,
): void {
  const parts = Object.fromEntries(FLOWS.map((flow) => [flow, days[flow].get(day)])) as PartedDay
  const { consumption: used, import: bought } = parts
  if (!used || !bought) return
  if (from > 0 || to < used.kWh.length) {
    addFlowsOfParts(cells, parts, from, to)
    return
  }
  const known = wholeDays.get(used)
  const whole =
    known && FLOWS.every((flow) => known.parts[flow] === parts[flow])
      ? known.cells
      : addFlowsOfParts(new Float64Array(FLOW_CELLS), parts, 0, Infinity)
  wholeDays.set(used, { parts, cells: whole })
  for (let i = 0; i < FLOW_CELLS; i++) (cells[i] as number) += whole[i] as number
}

function addFlowsOfParts(cells: Float64Array, parts: PartedDay, from: number, to: number): Float64Array {
  const { consumption: used, import: bought } = parts
  if (!used || !bought) return cells
  const isKnown = (one: HomeDay, i: number) => knownBefore(one, i + 1) > knownBefore(one, i)
  const quarter = { import: 0, export: 0, generation: 0, discharge: 0, charge: 0 } satisfies Record<
    Term,
    number
  >
  for (let i = from; i < Math.min(to, used.kWh.length); i++) {
    if (!isKnown(used, i) || !isKnown(bought, i)) continue
    for (const term of TERMS) {
      const one = parts[term]
      quarter[term] = one ? sumBefore(one.kWh, i + 1) - sumBefore(one.kWh, i) : 0
    }
    addFlows(cells, quarter)
  }
  return cells
}

/**
 * Writes the month of a home with a balance, flow by flow: from its days, or from its meters' months if the days have expired, in which
 * case no interval counts as unknown.
 *
 * epoch  index of the membership epoch that contains the month
 */
export async function addUpBalanceMonth(
  tx: Db,
  home: HomeKey & { flows: HomeFlows },
  month: number,
  epoch: number,
): Promise<void> {
  const [first, next] = [firstDayOf(month), firstDayOf(month + 1)]
  if (first < (await readRetentionFloors(tx)).days) return addUpMeterMonths(tx, home, month, epoch)
  const { tenant, HomeID } = home
  const days = await readFlowDays(tx, home, first, next)
  const cells = new Float64Array(FLOW_CELLS)
  for (const day of days.consumption.keys()) addFlowsOfDay(cells, days, day, 0, Infinity)
  for (const flow of FLOWS) {
    const all = [...days[flow].values()]
    if (!all.length) continue
    const whole = (name: 'kWh' | (typeof COUNTS)[number]) =>
      all.reduce((sum, one) => sum + sumBefore(one[name], one.kWh.length), 0)
    await tx.query(sql`
      insert into home_months (tenant, home_id, part, month, kwh, measured, between, estimated, corrected, resets, flows)
      values (${tenant}, ${HomeID}, ${partOf(flow)}, ${month}, ${whole('kWh')}, ${whole('measured')}, ${whole('between')},
        ${whole('estimated')}, ${whole('corrected')}, ${whole('resets')},
        ${flow === 'consumption' ? numberArray([...cells]) : null}::float8[])`)
  }
}

async function addUpMeterMonths(
  tx: Db,
  { tenant, HomeID, flows }: HomeKey & { flows: HomeFlows },
  month: number,
  epoch: number,
): Promise<void> {
  for (const flow of FLOWS) {
    const members = flows.of[flow].epochs[epoch]?.members ?? []
    if (!members.length) continue
    await tx.query(sql`
      insert into home_months (tenant, home_id, part, month, kwh, measured, between, estimated, corrected, resets)
      select ${tenant}, ${HomeID}, ${partOf(flow)}::int, month, sum(g.weight * kwh), sum(measured), sum(m.between),
        sum(estimated), sum(corrected), sum(resets)
      from meter_months m join unnest(${numberArray(members.map(({ meterId }) => meterId))}::int[],
        ${numberArray(members.map(({ weight }) => weight))}::float8[]) as g (id, weight) on g.id = m.meter_id
      where month = ${month}::int group by month`)
  }
}
