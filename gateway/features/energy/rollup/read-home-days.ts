import { totalmem } from 'node:os'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { groupBy } from '../../../lib/group-by.ts'
import { numberArray } from '../../../store/array-literal.ts'
import { type Db, raw, sql } from '../../../store/db.ts'
import type { COUNTS, HomeDay, HomeKey } from './home-days.ts'
import { parseDoubles, parseIntegers } from './parse-arrays.ts'

/**
 * The days of a home that are kept from a day up to another (exclusive), by day. They must have been added up before
 * (`settleHome`).
 *
 * part  of what goes through it (`partOf`)
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

/** A day as it was read: its row's number changes when it is written again. */
interface KeptDay {
  version: number
  sums: HomeDay
}

/** Days in a row of one part; the stamp changes when one of them is written. */
interface Block {
  stamp: string
  days: ReadonlyMap<number, KeptDay>
}

/** log2 of the days of a block: 32. */
const BLOCK_BITS = 5
const blockOf = (day: number): number => day >> BLOCK_BITS

/**
 * The same of several parts, by part. What was read before is remembered, and of blocks none of whose days was written since not even
 * the days are asked for.
 */
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
  const blocks = stamps.map((one) => ({ ...one, kept: cache.get(keyOf(one.part, one.block)) }))
  const changed = blocks.filter(({ stamp, kept }) => kept?.stamp !== stamp)
  const read = changed.length ? await readBlocks(db, { tenant, HomeID }, changed) : new Map()
  const found = new Map(parts.map((part) => [part, new Map<number, HomeDay>()]))
  for (const { part, block, stamp, kept } of blocks) {
    const of: Block =
      kept?.stamp === stamp ? kept : { stamp, days: read.get(`${part}/${block}`) ?? new Map() }
    if (of !== kept) cache.set(keyOf(part, block), of)
    for (const [day, { sums }] of of.days) if (day >= from && day < end) found.get(part)?.set(day, sums)
  }
  return found
}

/** The days of blocks, by part and block; only those are sent that are not the ones that were kept. */
async function readBlocks(
  db: Db,
  { tenant, HomeID }: HomeKey,
  blocks: readonly { part: number; block: number; kept: Block | undefined }[],
): Promise<Map<string, Map<number, KeptDay>>> {
  const known = new Map(
    blocks.flatMap(({ part, kept }) =>
      [...(kept?.days ?? [])].map(([day, one]) => [`${part}/${day}`, { part, day, ...one }] as const),
    ),
  )
  const all = [...known.values()]
  // As bytes: a year of numbers in text would take longer to read than to find.
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
      return { part, day, one: known.get(`${part}/${day}`) as KeptDay }
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
 * Bytes of blocks that are remembered: a 256th of the machine's memory, or of what its container may have, 16 to 256 MiB. A year of a
 * home takes about 1.4 MB for each part that is asked for: 8 GiB keep more than twenty such years, 24 GiB sixty.
 */
const MOST_BYTES = Math.min(
  2 ** 28,
  Math.max(2 ** 24, Math.floor(Math.min(totalmem(), process.constrainedMemory() || Infinity) / 256)),
)

/** Bytes of a block, about. */
function sizeOfBlock({ days }: Pick<Block, 'days'>): number {
  let size = OVERHEAD
  for (const { sums } of days.values())
    size += OVERHEAD + Object.values(sums).reduce((all, { byteLength }) => all + byteLength, 0)
  return size
}
/** Of the objects around the numbers, bytes. */
const OVERHEAD = 1_024

const caches = new WeakMap<pg.Pool, LRUCache<string, Block>>()
function cacheOf({ pool }: Db): LRUCache<string, Block> {
  const cache =
    caches.get(pool) ??
    new LRUCache<string, Block>({ maxSize: MOST_BYTES, sizeCalculation: (block) => sizeOfBlock(block) })
  caches.set(pool, cache)
  return cache
}
