import { LRUCache } from 'lru-cache'
import { samplesOf } from '../../../../contract/devices/kinds/history-fields.ts'
import type { Log } from '../../../kernel/ports.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { idArray, numberArray } from '../../../store/sql.ts'
import { createPartitions } from '../../../store/partitions.ts'
import type { Device, Report } from './report.ts'

const MINUTE = 60_000
/** Maximum number of cached series. */
const CAPACITY = 200_000

/** One quantity of one device. */
interface Series {
  device: Device
  field: string
  /** Number under which its samples are stored; undefined until read. */
  id: number | undefined
  /** The minute that was stored last. */
  minute: number
}

interface Sample {
  series: Series
  minute: number
  afterMs: number
  value: number
}

/**
 * Stores measurements over time: of each quantity the first received value per minute, by the device's clock.
 *
 * Includes late reports, although they change no status (§4). An existing sample is left unchanged, so a report may arrive twice.
 */
export function createSamples(db: Db, log: Log) {
  const partitions = createPartitions(db, log, { table: 'device_samples', unit: MINUTE })
  const cache = new LRUCache<string, Series>({ max: CAPACITY })

  function seriesOf(device: Device, field: string): Series {
    const key = `${device.key}/${device.homeId}/${field}`
    let series = cache.get(key)
    if (!series) cache.set(key, (series = { device, field, id: undefined, minute: -1 }))
    return series
  }

  /** Samples that are the first of their minute, as far as cached. */
  function firstOfEachMinute(reports: readonly Report[]): Sample[] {
    const samples: Sample[] = []
    const lastMinute = new Map<Series, number>()
    for (const { device, timestamp, values } of reports) {
      const minute = Math.floor(timestamp / MINUTE)
      for (const [field, value] of samplesOf(device.type, values)) {
        const series = seriesOf(device, field)
        if ((lastMinute.get(series) ?? series.minute) === minute) continue
        lastMinute.set(series, minute)
        samples.push({ series, minute, afterMs: timestamp - minute * MINUTE, value })
      }
    }
    return samples
  }

  return {
    /**
     * Stores the samples of these reports; resolves with their number.
     *
     * errors  a foreign key violation if a home was deleted meanwhile
     */
    async store(reports: readonly Report[], now: number): Promise<number> {
      const samples = firstOfEachMinute(reports)
      if (samples.length === 0) return 0
      await partitions.prepare(
        samples.map(({ minute }) => minute * MINUTE),
        now,
      )
      await assignIds(
        db,
        samples.map(({ series }) => series),
      )
      // In key order, so that two gateways cannot deadlock.
      samples.sort((a, b) => (a.series.id ?? 0) - (b.series.id ?? 0) || a.minute - b.minute)
      await db.query({
        name: 'ingest-samples',
        text: `insert into device_samples (value, series_id, minute, after_ms)
          select * from unnest($1::float8[], $2::int[], $3::int[], $4::int[]) on conflict do nothing`,
        values: [
          numberArray(samples.map(({ value }) => value)),
          numberArray(samples.map(({ series }) => series.id)),
          numberArray(samples.map(({ minute }) => minute)),
          numberArray(samples.map(({ afterMs }) => afterMs)),
        ],
      })
      for (const { series, minute } of samples) series.minute = minute
      return samples.length
    },
  }
}

/** Assigns numbers to series that have none, creating missing rows. */
async function assignIds(db: Db, seriesList: Iterable<Series>): Promise<void> {
  const withoutId = new Map<string, Series>()
  for (const series of seriesList)
    if (series.id === undefined)
      withoutId.set(
        keyOf(series.device.tenant, series.device.homeId, series.device.peripheralUID, series.field),
        series,
      )
  if (withoutId.size === 0) return
  const wanted = [...withoutId.values()]
  // The empty update makes `returning` include existing rows.
  const rows = await db.query<{ tenant: string; homeId: string; uid: string; field: string; id: number }>(sql`
    insert into sample_series as s (tenant, home_id, peripheral_uid, field)
    select * from unnest(
      ${idArray(wanted.map(({ device }) => device.tenant))}::uuid[],
      ${idArray(wanted.map(({ device }) => device.homeId))}::text[],
      ${idArray(wanted.map(({ device }) => device.peripheralUID))}::text[],
      ${idArray(wanted.map(({ field }) => field))}::text[]
    ) order by 1, 2, 3, 4
    on conflict (tenant, home_id, peripheral_uid, field) do update set field = s.field
    returning tenant, home_id as "homeId", peripheral_uid as uid, field, series_id as id`)
  for (const { tenant, homeId, uid, field, id } of rows) {
    const series = withoutId.get(keyOf(tenant, homeId, uid, field))
    if (series) series.id = id
  }
}

const keyOf = (...parts: string[]) => parts.join('/')
