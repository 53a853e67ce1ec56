import { totalmem } from 'node:os'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { type Db, sql, raw } from '../../../kernel/db.ts'
import type { MembershipPeriod } from '../meters/meter-groups.ts'
import { dayOf, firstDayOf } from '../../../../contract/time/periods.ts'
import { numberArray } from '../../../store/sql.ts'
import type { Meter } from '../meters/meters.ts'
import { groupBy } from '../../../lib/group-by.ts'
import { parseDoubles, parseIntegers } from './parse-arrays.ts'

/** Key of a home. */
export interface HomeKey {
  tenant: string
  HomeID: string
}

/**
 * A day of a home as a whole, as running sums from the start of the day to the end of each interval: kWh, the number of known intervals of
 * its meters by quality, and the number of intervals with a counter reset; an empty array means zeros.
 */
export interface HomeDay {
  kWh: Float64Array
  measured: Int32Array
  between: Int32Array
  estimated: Int32Array
  corrected: Int32Array
  resets: Int32Array
}

/** Fields of a home's day that count intervals. */
export const COUNTS = ['measured', 'between', 'estimated', 'corrected', 'resets'] as const

/** Quality by its code in the stored qualities of a day. */
export const QUALITY_OF_CODE: Record<string, 'measured' | 'between' | 'estimated' | 'corrected'> = {
  m: 'measured',
  b: 'between',
  e: 'estimated',
  c: 'corrected',
}

/** Running sum before an interval; intervals after the end add nothing. */
export const sumBefore = (sums: Float64Array | Int32Array, interval: number): number =>
  interval <= 0 || sums.length === 0 ? 0 : (sums[Math.min(interval, sums.length) - 1] as number)

/** Number of known intervals before an interval. */
export const knownBefore = (day: HomeDay, interval: number): number =>
  sumBefore(day.measured, interval) +
  sumBefore(day.between, interval) +
  sumBefore(day.estimated, interval) +
  sumBefore(day.corrected, interval)

/** Energy of whole months of a home with quality counts; months without any are absent. */
export async function readHomeMonths(
  db: Db,
  { tenant, HomeID }: HomeKey,
  months: readonly number[],
  part = 0,
): Promise<(Record<'kwh' | (typeof COUNTS)[number], number> & { month: number })[]> {
  return db.query(sql`select month, kwh, measured, m.between, estimated, corrected, resets from home_months m
    where tenant = ${tenant} and home_id = ${HomeID} and part = ${part}::int and month = any(${months as number[]}::int[])`)
}

/**
 * Membership period that contains the whole day; undefined if meters change their place within it: such a day is not stored.
 *
 * start, next  start of the day and of the following one, epoch ms
 */
export const epochOf = (
  epochs: readonly MembershipPeriod[],
  start: number,
  next: number,
): MembershipPeriod | undefined => epochs.find(({ from, to }) => from <= start && next <= to)

/**
 * Finds the day of each meter's first reading, before which nothing is missing; days before the month `since` are reported as its first
 * day. Most meters are older than that, so the query omits them. If no reading of a meter counts yet, or older ones wait to be rolled up,
 * its first stored reading is used.
 */
export async function firstDays(
  db: Db,
  meters: readonly Pick<Meter, 'meterId'>[],
  since: number,
  zone: string,
): Promise<Map<number, number>> {
  const ids = new Set(meters.flatMap(({ meterId }) => meterId ?? []))
  const days = new Map([...ids].map((id) => [id, firstDayOf(since)]))
  if (!ids.size) return days
  const rows = await db.query<{
    id: number
    day: number | null
    month: number | null
    stored: number | null
  }>(sql`
    select m.id, f.month, (select min(d.day) from meter_days d
      where d.meter_id = m.id and d.day between f.first and f.first + 30) as day,
      case when (f.month is null and exists (select from quarantined_readings q where q.meter_id = m.id and q.decision is null
          and q.reason in ('jump', 'glitch')))
          or exists (select from meter_dirty w where w.meter_id = m.id and w.from_timestamp <= w.through_timestamp
            and (f.month is null or w.from_timestamp < f.first * 86400000::bigint))
        then (select r.timestamp from readings r where r.meter_id = m.id order by r.timestamp limit 1) end as stored
    from unnest(${numberArray([...ids])}::int[]) as m (id)
    left join lateral (select month, make_date(month / 12, month % 12 + 1, 1) - date '1970-01-01' as first
      from meter_months t where t.meter_id = m.id order by month limit 1) f on true
    where f.month is null or f.month >= ${since}::int`)
  for (const { id, day, month, stored } of rows)
    if (month === null) {
      if (stored === null) days.delete(id)
      else days.set(id, dayOf(stored, zone))
    } else {
      const counted = day ?? firstDayOf(month)
      days.set(id, stored === null ? counted : Math.min(counted, dayOf(stored, zone)))
    }
  return days
}

/**
 * Reads the stored days of a home between two day numbers (`end` exclusive). They must have been rolled up before (`rollUpHome`).
 *
 * part  the flow (`partOf`)
 */
export async function readHomeDays(
  db: Db,
  key: HomeKey,
  from: number,
  end: number,
  part = 0,
): Promise<Map<number, HomeDay>> {
  return (await readPartsOfDays(db, key, from, end, [part])).get(part) ?? new Map()
}

/** A cached day; the version of its row changes with every write. */
interface StoredDay {
  version: number
  sums: HomeDay
}

/** Consecutive days of one part; the stamp changes when any of them is written. */
interface Block {
  stamp: string
  days: ReadonlyMap<number, StoredDay>
}

/** log2 of the number of days in a block (32). */
const BLOCK_BITS = 5
const blockOf = (day: number): number => day >> BLOCK_BITS

/** As `readHomeDays`, for several parts. Days are cached in blocks; a block without changes costs no read of its days. */
export async function readPartsOfDays(
  db: Db,
  { tenant, HomeID }: HomeKey,
  from: number,
  end: number,
  parts: readonly number[],
): Promise<Map<number, Map<number, HomeDay>>> {
  const cache = cacheOf(db)
  const keyOf = (part: number, block: number) => `${tenant}/${HomeID}/${part}/${block}`
  const first = blockOf(from) << BLOCK_BITS
  const past = (blockOf(end - 1) + 1) << BLOCK_BITS
  const stamps = await db.query<{ part: number; block: number; stamp: string }>(sql`
    select part, day >> ${BLOCK_BITS}::int as block, count(*) || ':' || sum(xmin::text::bigint) as stamp from home_days
    where tenant = ${tenant} and home_id = ${HomeID} and part = any(${numberArray(parts)}::int[])
      and day >= ${first}::int and day < ${past}::int group by 1, 2 order by 1, 2`)
  const blocks = stamps.map((one) => ({ ...one, cached: cache.get(keyOf(one.part, one.block)) }))
  const changed = blocks.filter(({ stamp, cached }) => cached?.stamp !== stamp)
  const read = changed.length ? await readBlocks(db, { tenant, HomeID }, changed) : new Map()
  const found = new Map(parts.map((part) => [part, new Map<number, HomeDay>()]))
  for (const { part, block, stamp, cached } of blocks) {
    const of: Block =
      cached?.stamp === stamp ? cached : { stamp, days: read.get(`${part}/${block}`) ?? new Map() }
    if (of !== cached) cache.set(keyOf(part, block), of)
    for (const [day, { sums }] of of.days) if (day >= from && day < end) found.get(part)?.set(day, sums)
  }
  return found
}

/** Reads the days of blocks, by part and block; the database sends only days that differ from the cached ones. */
async function readBlocks(
  db: Db,
  { tenant, HomeID }: HomeKey,
  blocks: readonly { part: number; block: number; cached: Block | undefined }[],
): Promise<Map<string, Map<number, StoredDay>>> {
  const known = new Map(
    blocks.flatMap(({ part, cached }) =>
      [...(cached?.days ?? [])].map(([day, one]) => [`${part}/${day}`, { part, day, ...one }] as const),
    ),
  )
  const all = [...known.values()]
  // Binary: parsing a year of numbers from text would take longer than reading them.
  const sent = (column: string) => raw(`case when k.day is null then array_send(d.${column}) end`)
  const rows = await db.query<
    { part: number; day: number; version: number } & Record<'kWh' | (typeof COUNTS)[number], Buffer | null>
  >(sql`
    select d.part, d.day, d.xmin::text::bigint as version, ${sent('cumulative')} as "kWh", ${sent('measured')} as measured,
      ${sent('between')} as between, ${sent('estimated')} as estimated, ${sent('corrected')} as corrected, ${sent('resets')} as resets
    from unnest(${numberArray(blocks.map(({ part }) => part))}::int[], ${numberArray(blocks.map(({ block }) => block))}::int[])
        as b (part, block)
      join home_days d on d.tenant = ${tenant} and d.home_id = ${HomeID} and d.part = b.part
        and d.day >= b.block << ${BLOCK_BITS}::int and d.day < (b.block + 1) << ${BLOCK_BITS}::int
      left join unnest(${numberArray(all.map(({ part }) => part))}::int[], ${numberArray(all.map(({ day }) => day))}::int[],
        ${numberArray(all.map(({ version }) => version))}::bigint[]) as k (part, day, version)
        on k.part = d.part and k.day = d.day and k.version = d.xmin::text::bigint`)
  const days = rows.map((row) => {
    const { part, day, version, kWh, measured, between, estimated, corrected, resets } = row
    if (!kWh || !measured || !between || !estimated || !corrected || !resets)
      return { part, day, one: known.get(`${part}/${day}`) as StoredDay }
    const sums = {
      kWh: parseDoubles(kWh),
      measured: parseIntegers(measured),
      between: parseIntegers(between),
      estimated: parseIntegers(estimated),
      corrected: parseIntegers(corrected),
      resets: parseIntegers(resets),
    }
    return { part, day, one: { version, sums } }
  })
  const byBlock = groupBy(days, ({ part, day }) => `${part}/${blockOf(day)}`)
  return new Map([...byBlock].map(([key, of]) => [key, new Map(of.map(({ day, one }) => [day, one]))]))
}

/**
 * Maximum size of the block cache in bytes: a 256th of the memory of the machine or container, 16 to 256 MiB. A year of a home takes about
 * 1.4 MB per requested part: 8 GiB of memory keep more than twenty such years, 24 GiB sixty.
 */
const MAX_BYTES = Math.min(
  2 ** 28,
  Math.max(2 ** 24, Math.floor(Math.min(totalmem(), process.constrainedMemory() || Infinity) / 256)),
)

/** Approximate size of a block in bytes. */
function sizeOfBlock({ days }: Pick<Block, 'days'>): number {
  let size = OVERHEAD
  for (const { sums } of days.values())
    size += OVERHEAD + Object.values(sums).reduce((all, { byteLength }) => all + byteLength, 0)
  return size
}
/** Overhead of the objects around the numbers, bytes. */
const OVERHEAD = 1_024

const caches = new WeakMap<pg.Pool, LRUCache<string, Block>>()
function cacheOf({ pool }: Db): LRUCache<string, Block> {
  const cache =
    caches.get(pool) ??
    new LRUCache<string, Block>({ maxSize: MAX_BYTES, sizeCalculation: (block) => sizeOfBlock(block) })
  caches.set(pool, cache)
  return cache
}
