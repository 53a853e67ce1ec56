import {
  type meterData,
  type BalancePoint,
  type EnergyPoint,
  type EnergySeries,
} from '../../../../contract/energy/meter-data-calls.ts'
import {
  cellOf,
  FLOW_CELLS,
  PASS_THROUGH,
  selfConsumptionOf,
  selfSufficiencyOf,
  SOURCES,
  usedBy,
  USES,
} from '../../../../contract/energy/balance.ts'
import { partsOfDay, type Periods } from '../../../../contract/tariffs/energy-totals.ts'
import { dayOf, monthOf, startOfDay } from '../../../../contract/time/periods.ts'
import type { Term } from '../../../../contract/devices/meter-roles.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { addFlowsOfDay, readFlowDays } from '../rollup/balance-months.ts'
import type { HomeKey } from '../rollup/home-days.ts'
import type { HomeFlows } from '../meters/home-flows.ts'

/** Periods and flows of a balance query. */
export interface BalanceQuery {
  periods: Periods
  /** IANA. */
  zone: string
  flows: HomeFlows
}

/** Energy of a home in each period. */
export interface BalanceEnergy {
  /** Consumption with its coverage; empty for a home without meters. */
  consumption: readonly EnergyPoint[]
  /** kWh of the terms that have meters; null if unknown. */
  terms: ReadonlyMap<Term, readonly (number | null)[]>
  /** kWh of plants whose whole generation is sold; undefined without such a plant. */
  sold: readonly (number | null)[] | undefined
}

type Answer = Omit<ResultsOf<(typeof meterData)['getEnergyBalance']>, 'Meters' | 'Carbon'>

/** Computes the sources, uses and unexplained energy of a home in each period. `tx` must be one database snapshot. */
export async function siteBalance(
  tx: Db,
  key: HomeKey,
  query: BalanceQuery,
  { consumption: used, terms, sold }: BalanceEnergy,
): Promise<Answer> {
  const { flows, periods } = query
  const cells = flows.hasBalance ? await readFlowCells(tx, key, query) : undefined
  const kwhOf = (term: Term, i: number) => terms.get(term)?.[i] ?? null
  const Points = periods.starts.map((Timestamp, i): BalancePoint => {
    const consumption = used[i]?.kWh ?? null
    const explained = cells && usedBy(cells[i] as Float64Array, 'consumption')
    return {
      Timestamp,
      Consumption: consumption,
      Import: kwhOf('import', i),
      Export: kwhOf('export', i),
      Generation: kwhOf('generation', i),
      Discharge: kwhOf('discharge', i),
      Charge: kwhOf('charge', i),
      Unexplained:
        explained === undefined || consumption === null ? null : Math.max(0, trim(explained - consumption)),
      Sold: sold?.[i] ?? null,
      Coverage: used[i]?.Coverage ?? null,
    }
  })
  const isImportMeasured = flows.balance.at(-1)?.terms.import.length !== 0
  const all = new Float64Array(FLOW_CELLS)
  for (const one of cells ?? []) for (let i = 0; i < FLOW_CELLS; i++) (all[i] as number) += one[i] as number
  return {
    HasBalance: flows.hasBalance,
    IsImportMeasured: isImportMeasured,
    Points,
    Flows: SOURCES.flatMap((From) =>
      USES.map((To) => ({ From, To, kWh: trim(all[cellOf(From, To)] as number) })),
    ),
    PassThrough: trim(PASS_THROUGH.reduce((sum, cell) => sum + (all[cell] as number), 0)),
    SelfConsumption: selfConsumptionOf(all),
    SelfSufficiency: cells
      ? selfSufficiencyOf(
          all,
          // Without an import meter, intervals count as used although their sources are unknown.
          isImportMeasured ? sumKnown(Points.map((one) => one.Consumption)) : undefined,
        )
      : null,
  }
}

const sumKnown = (kWh: readonly (number | null)[]): number =>
  kWh.reduce<number>((sum, one) => sum + (one ?? 0), 0)

/** Rounds off floating-point residue. */
const trim = (value: number): number => Math.round(value * 1e9) / 1e9

/** Energy flows of each period: read from its month if that is stored, otherwise summed from its days. */
async function readFlowCells(
  tx: Db,
  key: HomeKey,
  { periods, zone }: Omit<BalanceQuery, 'flows'>,
): Promise<Float64Array[]> {
  const cells = periods.starts.map(() => new Float64Array(FLOW_CELLS))
  const [first, last] = [dayOf(periods.starts[0] as number, zone), dayOf(periods.end - 1, zone)]
  const days = await readFlowDays(tx, key, first, last + 1)
  const monthly = new Set<number>()
  for (const { month, flows } of await readMonthFlows(tx, key, periods, zone)) {
    const i = periods.starts.findIndex(
      (start, at) =>
        monthOf(start, zone) === month &&
        monthOf((periods.starts[at + 1] ?? periods.end) - 1, zone) === month,
    )
    if (i < 0) continue
    monthly.add(i)
    cells[i] = Float64Array.from(flows)
  }
  for (const day of days.consumption.keys())
    for (const part of partsOfDay(periods, startOfDay(day, zone), startOfDay(day + 1, zone)))
      if (!monthly.has(part.period))
        addFlowsOfDay(cells[part.period] as Float64Array, days, day, part.from, part.to)
  return cells
}

/** Stored flows of those periods that are whole months. */
function readMonthFlows(
  tx: Db,
  { tenant, HomeID }: HomeKey,
  { starts, end }: Periods,
  zone: string,
): Promise<{ month: number; flows: number[] }[]> {
  const months = starts.flatMap((start, i) => {
    const [month, next] = [monthOf(start, zone), starts[i + 1] ?? end]
    const isWhole =
      dayOf(start, zone) === dayOf(start - 1, zone) + 1 && monthOf(start - 1, zone) === month - 1
    return isWhole && monthOf(next, zone) === month + 1 && monthOf(next - 1, zone) === month ? [month] : []
  })
  return tx.query(sql`select month, flows from home_months where tenant = ${tenant} and home_id = ${HomeID}
    and part = 0 and month = any(${months}::int[]) and flows is not null`)
}

/**
 * Consumption of a home by source in each period. Cost and carbon belong to the import; own energy costs nothing. In a home without a
 * balance all consumption is imported.
 *
 * used  the consumption, which the sources and the unexplained energy add up to
 */
export async function sourceSeries(
  tx: Db,
  key: HomeKey,
  query: BalanceQuery,
  used: readonly EnergyPoint[],
): Promise<EnergySeries[]> {
  if (!query.flows.hasBalance) return [{ Key: 'import', Points: [...used] }]
  const cells = await readFlowCells(tx, key, query)
  const has = SOURCES.filter((source) => source === 'import' || query.flows.of[source].meters.length > 0)
  return has.map((Key) => ({
    Key,
    Points: used.map((point, i): EnergyPoint => {
      const of = cells[i] as Float64Array
      // Once the days have expired, the source of the energy is unknown.
      const isKnown = point.kWh !== null && (point.kWh === 0 || of.some((kWh) => kWh > 0))
      const own = Key === 'import' ? {} : { Cost: isKnown ? 0 : null, CarbonKg: isKnown ? 0 : null }
      const kWh = isKnown ? Math.round((of[cellOf(Key, 'consumption')] as number) * 1e9) / 1e9 : null
      return { ...point, kWh, ...own }
    }),
  }))
}
