import { nextStart } from '../../../contract/time/periods.ts'
import { meterData, type EnergyPoint, type HistoryRow } from '../../../contract/energy/meter-data-calls.ts'
import { knownIntervals } from '../../../contract/energy/coverage.ts'
import type { ExportChunk } from '../../lib/export/pages.ts'
import type { FetchedRows } from '../../lib/export/run-export.ts'
import { QUALITIES, qualityOf, READING_STATES } from '../../lib/export/quality.ts'
import { ENERGY_FIELDS, INTERVAL_COUNTS, READING_FIELDS, type Rows } from '../../lib/export/table.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { call } from '../../data/api.ts'
import type { Detail } from './options.ts'

/** Maximum number of readings per call. */
const READINGS_AT_ONCE = 5_000

interface Source {
  homeId: string
  /** Time zone of the home, in which periods start and end. */
  zone: string
  /** In the order of the export plan. */
  uids: readonly string[]
  detail: Detail
  signal: AbortSignal
}

/** Fetches one page of an export, from `cursor` on. Errors: CallError. */
export const fetchPage =
  (source: Source) =>
  (page: ExportChunk, cursor: number | null): Promise<FetchedRows> =>
    source.detail === 'raw' ? readings(source, page, cursor) : energy(source, page, source.detail)

async function energy(
  { homeId, zone, uids, signal }: Source,
  page: ExportChunk,
  Resolution: Exclude<Detail, 'raw'>,
): Promise<FetchedRows> {
  const wanted = page.meters.map((meter) => uids[meter] as string)
  const input = {
    HomeID: homeId,
    From: page.from,
    To: page.to,
    Resolution,
    By: 'meter' as const,
    PeripheralUIDs: wanted,
  }
  const { Series } = await call(meterData.getEnergySeries, input, { signal })
  const byKey = new Map(Series.map(({ Key, Points }) => [Key, Points]))
  const now = gatewayNow()
  const hasEnded = (start: number) => nextStart(Resolution, start, zone) <= now
  const rows = page.meters.map((meter, index) => ({
    meter,
    rows: energyRows(byKey.get(wanted[index] as string) ?? [], hasEnded),
  }))
  const stride = ENERGY_FIELDS.length + 1
  return { rows, count: rows.reduce((sum, each) => sum + each.rows.length / stride, 0), next: null }
}

async function readings(
  { homeId, uids, signal }: Source,
  { meters, from, to }: ExportChunk,
  cursor: number | null,
): Promise<FetchedRows> {
  const [meter = 0] = meters
  const input = {
    HomeID: homeId,
    PeripheralUID: uids[meter] as string,
    From: from,
    To: to,
    Limit: READINGS_AT_ONCE,
    ...(cursor !== null && { Cursor: cursor }),
  }
  const { Rows: found, NextCursor } = await call(meterData.getHistoryStatusData, input, { signal })
  return { rows: [{ meter, rows: readingRows(found) }], count: found.length, next: NextCursor }
}

/** Intervals in the writer's format; pending ones have no row, missing ones an empty row. */
function energyRows(points: readonly EnergyPoint[], hasEnded: (start: number) => boolean): Rows {
  const known = points.filter(
    ({ kWh, Coverage }) => kWh !== null || knownIntervals(Coverage) + Coverage.Missing > 0,
  )
  const rows = new Float64Array(known.length * (ENERGY_FIELDS.length + 1))
  let at = 0
  for (const { Timestamp, kWh, Cost, CarbonKg, Coverage, Resets } of known) {
    const quality = QUALITIES.indexOf(qualityOf(Coverage, hasEnded(Timestamp)))
    const counts = [...INTERVAL_COUNTS.map((field) => Coverage[field]), Resets]
    for (const value of [Timestamp, kWh, Cost, CarbonKg, ...counts, quality]) rows[at++] = value ?? Number.NaN
  }
  return rows
}

function readingRows(found: readonly HistoryRow[]): Rows {
  const rows = new Float64Array(found.length * (READING_FIELDS.length + 1))
  let at = 0
  for (const row of found) {
    rows[at++] = row.Timestamp
    for (const field of READING_FIELDS)
      rows[at++] = field === 'State' ? READING_STATES.indexOf(row.State) : (row[field] ?? Number.NaN)
  }
  return rows
}
