import { createHash } from 'node:crypto'
import {
  firstDayOf,
  monthOf,
  monthOfDay,
  quartersOfDay,
  startOfDay,
} from '../../../../contract/time/periods.ts'
import type { Log } from '../../../kernel/ports.ts'
import { FLOWS, partOf } from '../../../../contract/devices/meter-roles.ts'
import { idArray, numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { sumDays, balanceDays, type DaysByPart } from './balance-days.ts'
import { addUpBalanceMonth } from './balance-months.ts'
import { epochOf, type HomeDay, type HomeKey } from './home-days.ts'
import { flowsOfHome, type HomeFlows } from '../meters/home-flows.ts'
import type { MembershipPeriod } from '../meters/meter-groups.ts'
import { readCountedMeters } from '../meters/meters.ts'

/** A home with its time zone and its flows. */
export interface RollupScope extends HomeKey {
  /** IANA. */
  zone: string
  flows: HomeFlows
}

/** Pending roll-up of a home. */
export interface PendingRollup {
  /** Hash of the meters that its sums were computed from; null if there are none yet. */
  hash: string | null
  /** Earliest and latest start day of the spans that wait to be rolled up; null if there are none. */
  from: number | null
  through: number | null
}

/**
 * Rolls up the changed days and months of a home within a range of months, so that subsequent reads are never stale. Cheap if nothing
 * changed. The meters must have been rolled up before.
 *
 * from, through  months, both inclusive
 * pending        pending roll-up as read after the meters were computed; by default it is read
 */
export async function rollUpHome(
  db: Db,
  home: RollupScope,
  from: number,
  through: number,
  pending?: PendingRollup,
): Promise<void> {
  const hash = hashOf(home)
  const [first, next] = [firstDayOf(from), firstDayOf(through + 1)]
  const known = pending ?? (await readPending(db, home))
  const due = known.from !== null && known.through !== null && known.from < next && known.through >= first
  if (known.hash === hash && !due) return
  // Processes each month once, so that it terminates even if new changes arrive.
  for (let begin: number | undefined = first; begin !== undefined;)
    begin = await rollUpMonth(db, home, hash, begin, next)
}

/**
 * Rolls up the first month that needs it in a transaction of its own, so that other calls for the same home do not wait long.
 *
 * returns  the first day after that month; undefined if there was none
 */
const rollUpMonth = (
  db: Db,
  home: RollupScope,
  hash: string,
  first: number,
  next: number,
): Promise<number | undefined> =>
  db.transaction(async (tx) => {
    const { tenant, HomeID } = home
    const exists = await tx.query(sql`select 1 from homes
      where tenant = ${tenant} and home_id = ${HomeID} for key share`)
    // The home was deleted in the meantime.
    if (!exists.length) return undefined
    await tx.query(sql`select pg_advisory_xact_lock(hashtext('home_days'), hashtext(${HomeID}))`)
    await recordMembers(tx, home, hash)
    const [dirtyRow] = await tx.query<{ day: number | null }>(sql`
      select min(from_day) as day from home_dirty where tenant = ${tenant} and home_id = ${HomeID}
        and from_day >= ${first}::int and from_day < ${next}::int`)
    const day = dirtyRow?.day ?? null
    if (day === null) return undefined
    const month = monthOfDay(day)
    const spans = await tx.query<{ from: number; through: number }>(sql`
      delete from home_dirty where tenant = ${tenant} and home_id = ${HomeID}
        and from_day >= ${firstDayOf(month)}::int and from_day < ${firstDayOf(month + 1)}::int
      returning from_day as from, through_day as through`)
    await addUpDays(tx, home, daysOf(spans))
    await addUpMonth(tx, home, month)
    return firstDayOf(month + 1)
  })

async function readPending(db: Db, { tenant, HomeID }: HomeKey): Promise<PendingRollup> {
  const [row] = await db.query<PendingRollup>(sql`
    select (select hash from home_members where tenant = ${tenant} and home_id = ${HomeID}) as hash,
      min(from_day) as from, max(from_day) as through
    from home_dirty where tenant = ${tenant} and home_id = ${HomeID}`)
  return row as PendingRollup
}

/** Number of homes that are processed together. */
const HOMES_AT_ONCE = 100

/** Rolls up the changes of all homes, a month at a time; skips homes that fail. */
export async function rollUpHomes(db: Db, log: Pick<Log, 'error'>, closed: () => boolean): Promise<void> {
  const failed = new Set<string>()
  for (;;) {
    const homes = await db.query<HomeKey & { zone: string | null; from: number }>(sql`
      select d.tenant, d.home_id as "HomeID", h.time_zone as zone, max(d.from_day) as from
      from home_dirty d left join homes h on h.tenant = d.tenant and h.home_id = d.home_id
      where d.home_id <> all(${[...failed]}::text[]) group by 1, 2, 3 limit ${HOMES_AT_ONCE}::int`)
    if (!homes.length) return
    for (const { tenant, HomeID, zone, from } of homes) {
      if (closed()) return
      if (zone === null) {
        await db.query(sql`delete from home_dirty where tenant = ${tenant} and home_id = ${HomeID}`)
        continue
      }
      try {
        const flows = flowsOfHome(await readCountedMeters(db, tenant, HomeID), zone)
        await rollUpHome(db, { tenant, HomeID, zone, flows }, monthOfDay(from), monthOfDay(from))
      } catch (err) {
        failed.add(HomeID)
        log.error({ err, HomeID }, 'home roll-up failed')
      }
    }
  }
}

/** Distinct days of some spans, ascending. */
function daysOf(spans: readonly { from: number; through: number }[]): number[] {
  const days = new Set<number>()
  for (const { from, through } of spans) for (let day = from; day <= through; day++) days.add(day)
  return [...days].sort((a, b) => a - b)
}

/** Periods in which a meter is part of the home's total. */
type Times = [from: number | null, to: number | null][]

interface Members {
  zone: string
  times: Record<string, Times>
  /** For a home with a balance, by flow: its consumption is not a sum of meters. */
  flows?: Record<string, Record<string, Times>>
}

function membersOf({ flows, zone }: RollupScope): Members {
  const timesOf = (epochs: readonly MembershipPeriod[]) => {
    const times: Record<string, Times> = {}
    for (const { from, to, members } of epochs)
      for (const { meterId, weight } of members) {
        const of = (times[weight < 0 ? `-${meterId}` : meterId] ??= [])
        const last = of.at(-1)
        if (last && last[1] === from) last[1] = to
        else of.push([from, to])
      }
    return times
  }
  const times = timesOf(flows.of.consumption.epochs)
  if (!flows.hasBalance) return { zone, times }
  const others = FLOWS.filter((flow) => flow !== 'consumption')
  return {
    zone,
    times,
    flows: Object.fromEntries(others.map((flow) => [flow, timesOf(flows.of[flow].epochs)])),
  }
}

/** Meters whose months must be recomputed, and the affected periods; if a balance changed, all meters of it. */
function changedMeters(
  before: Members | undefined,
  now: Members,
): { id: number; from: number; to: number }[] {
  const previous: Members = before?.zone === now.zone ? before : { zone: now.zone, times: {} }
  const flows = [...new Set([...Object.keys(previous.flows ?? {}), ...Object.keys(now.flows ?? {})])]
  const pairs = [
    [previous.times, now.times],
    ...flows.map((flow) => [previous.flows?.[flow] ?? {}, now.flows?.[flow] ?? {}]),
  ] as [Record<string, Times>, Record<string, Times>][]
  const changed = pairs.flatMap(([a, b]) =>
    [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
      differencesOf(a[key] ?? [], b[key] ?? []).map(([from, to]) => ({ id: idOf(key), from, to })),
    ),
  )
  if (flows.length === 0) return changed
  const all = new Set(pairs.flatMap(([a, b]) => [...Object.keys(a), ...Object.keys(b)].map(idOf)))
  return [...all].flatMap((id) => changed.map(({ from, to }) => ({ id, from, to })))
}

const idOf = (key: string): number => Math.abs(Number(key))

/** Stored form of the members, in which infinity is null. */
const stored = (home: RollupScope): string => JSON.stringify(membersOf(home))

/** Cache: hashing a thousand meters is slow, and they are the same object from call to call. */
const hashes = new WeakMap<HomeFlows, { zone: string; hash: string }>()
function hashOf(home: RollupScope): string {
  const known = hashes.get(home.flows)
  if (known?.zone === home.zone) return known.hash
  const hash = createHash('sha1').update(stored(home)).digest('base64')
  hashes.set(home.flows, { zone: home.zone, hash })
  return hash
}

/** Records the meters that the sums are made of, and marks the months of changed members dirty. */
async function recordMembers(tx: Db, home: RollupScope, hash: string): Promise<void> {
  const { tenant, HomeID } = home
  const [before] = await tx.query<{ hash: string; members: Members }>(
    sql`select hash, members from home_members where tenant = ${tenant} and home_id = ${HomeID}`,
  )
  if (before?.hash === hash) return
  const changed = changedMeters(before?.members, JSON.parse(stored(home)) as Members).map(
    ({ id, from, to }) => ({
      id,
      from: from === -Infinity ? 0 : monthOf(from, home.zone),
      through: to === Infinity ? LAST_MONTH : monthOf(to - 1, home.zone),
    }),
  )
  const rows = await tx.query<{ month: number }>(sql`
    select distinct m.month from unnest(${numberArray(changed.map(({ id }) => id))}::int[],
      ${numberArray(changed.map(({ from }) => from))}::int[], ${numberArray(changed.map(({ through }) => through))}::int[])
      as c (id, "from", through)
    join meter_months m on m.meter_id = c.id and m.month between c."from" and c.through`)
  await tx.query(sql`insert into home_dirty (tenant, home_id, from_day, through_day)
    select ${tenant}, ${HomeID}, * from unnest(${numberArray(rows.map(({ month }) => firstDayOf(month)))}::int[],
      ${numberArray(rows.map(({ month }) => firstDayOf(month + 1) - 1))}::int[])`)
  await tx.query(sql`insert into home_members (tenant, home_id, hash, members)
    values (${tenant}, ${HomeID}, ${hash}, ${stored(home)}::jsonb)
    on conflict (tenant, home_id) do update set hash = excluded.hash, members = excluded.members`)
}

/** Later than every month. */
const LAST_MONTH = 1_000_000

/** Periods that are in exactly one of two lists; infinity is stored as null. */
function differencesOf(previous: Times, now: Times): [from: number, to: number][] {
  const bounds = (times: Times) => times.map(([from, to]) => [from ?? -Infinity, to ?? Infinity] as const)
  const [before, after] = [bounds(previous), bounds(now)]
  const edges = [...new Set([...before, ...after].flat())].toSorted((a, b) => a - b)
  const isIn = (times: readonly (readonly [number, number])[], at: number, end: number) =>
    times.some(([from, to]) => from <= at && end <= to)
  return edges.slice(1).flatMap((to, i): [number, number][] => {
    const from = edges[i] as number
    return isIn(before, from, to) === isIn(after, from, to) ? [] : [[from, to]]
  })
}

/** Recomputes days of one month, ascending. */
async function addUpDays(tx: Db, home: RollupScope, days: readonly number[]): Promise<void> {
  const { tenant, HomeID, zone, flows } = home
  const { epochs } = flows.of.consumption
  /** Days with the same membership period and number of intervals. */
  const equalEpochs = new Map<string, { epoch: MembershipPeriod; quarters: number; days: number[] }>()
  for (const day of days) {
    const epoch = epochOf(epochs, startOfDay(day, zone), startOfDay(day + 1, zone))
    if (!epoch || !(flows.hasBalance || epoch.members.length)) continue
    const quarters = quartersOfDay(day, zone)
    const key = `${epochs.indexOf(epoch)} ${quarters}`
    const known = equalEpochs.get(key)
    if (known) known.days.push(day)
    else equalEpochs.set(key, { epoch, quarters, days: [day] })
  }
  const found: DaysByPart = new Map()
  for (const { epoch, quarters, days: of } of equalEpochs.values()) {
    const balance = flows.balance[epochs.indexOf(epoch)]
    const parts = balance
      ? await balanceDays(tx, balance, { days: of, quarters, zone })
      : await readConsumption(tx, epoch, of, quarters)
    for (const [part, days] of parts) found.set(part, new Map([...(found.get(part) ?? []), ...days]))
  }
  await tx.query(sql`delete from home_days where tenant = ${tenant} and home_id = ${HomeID}
    and day = any(${days as number[]}::int[])`)
  const rows = [...found].flatMap(([part, days]) => [...days].map(([day, of]) => ({ part, day, of })))
  if (!rows.length) return
  const column = (name: keyof HomeDay) =>
    sql`${idArray(rows.map(({ of }) => numberArray([...of[name]])))}::text[]`
  await tx.query(sql`
    insert into home_days (tenant, home_id, part, day, cumulative, measured, between, estimated, corrected, resets)
    select ${tenant}, ${HomeID}, part, day, kwh::float8[], measured::int[], d.between::int[], estimated::int[], corrected::int[], resets::int[]
    from unnest(${numberArray(rows.map(({ part }) => part))}::int[],
      ${numberArray(rows.map(({ day }) => day))}::int[], ${column('kWh')}, ${column('measured')},
      ${column('between')}, ${column('estimated')}, ${column('corrected')}, ${column('resets')})
      as d (part, day, kwh, measured, between, estimated, corrected, resets)`)
}

/** Sum of the meters of a home without a balance. */
async function readConsumption(
  tx: Db,
  epoch: MembershipPeriod,
  days: readonly number[],
  quarters: number,
): Promise<DaysByPart> {
  const found = new Map<number, HomeDay>()
  const ids = epoch.members.map(({ meterId }) => meterId)
  await sumDays(tx, ids, days, quarters, found)
  return new Map([[partOf('consumption'), found]])
}

/** Recomputes a month, which is kept after its days expire. A month within which meters change their place is not stored. */
async function addUpMonth(tx: Db, home: RollupScope, month: number): Promise<void> {
  const { tenant, HomeID, zone, flows } = home
  await tx.query(
    sql`delete from home_months where tenant = ${tenant} and home_id = ${HomeID} and month = ${month}::int`,
  )
  const { epochs } = flows.of.consumption
  const [start, next] = [firstDayOf(month), firstDayOf(month + 1)].map((day) => startOfDay(day, zone))
  const epoch = epochOf(epochs, start as number, next as number)
  if (!epoch) return
  if (flows.hasBalance) return addUpBalanceMonth(tx, home, month, epochs.indexOf(epoch))
  const ids = epoch.members.map(({ meterId }) => meterId)
  await tx.query(sql`
    insert into home_months (tenant, home_id, month, kwh, measured, between, estimated, corrected, resets)
    select ${tenant}, ${HomeID}, month, sum(kwh), sum(measured), sum(m.between), sum(estimated), sum(corrected), sum(resets)
    from meter_months m where meter_id = any(${numberArray(ids)}::int[]) and month = ${month}::int group by month`)
}
