import { isDeepStrictEqual } from 'node:util'
import {
  type DatedValue,
  type FactValues,
  type StoredFact,
  valueOn,
  SINCE_ALWAYS,
} from '../../../contract/meters/meter-facts.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, empty, sql } from '../../kernel/db.ts'
import { dayOf, formatDay, parseDay } from '../../../contract/time/periods.ts'

/** Histories of one meter; a fact without entries is omitted. */
export type FactsOfMeter = { [F in StoredFact]?: DatedValue<FactValues[F]>[] }

/** Facts of a home's meters, by meter and day. */
export interface HomeFacts {
  /** By meter id (`MeterID`). */
  meters: ReadonlyMap<string, FactsOfMeter>
  /** Value of a meter's fact on a day; undefined if there is none. */
  on<F extends StoredFact>(meterKey: string, fact: F, day: number): FactValues[F] | undefined
}

export interface MeterKey {
  tenant: string
  HomeID: string
  MeterID: string
}

export async function factsOfHome(db: Db, tenant: string, HomeID: string): Promise<HomeFacts> {
  const rows = await db.query<FactRow>(sql`
    select meter_key as "MeterID", fact, from_day as from, value from meter_facts
    where tenant = ${tenant} and home_id = ${HomeID} order by meter_key, fact, from_day`)
  const meters = factHistories(rows)
  return {
    meters,
    on: <F extends StoredFact>(meterKey: string, fact: F, day: number) => {
      const history: readonly DatedValue<FactValues[F]>[] | undefined = meters.get(meterKey)?.[fact]
      return history && valueOn<FactValues[F]>(history, day)
    },
  }
}

/** Row of a meter's fact; `from` as `dayOf` numbers days. */
export interface FactRow {
  MeterID: string
  fact: StoredFact
  from: number
  value: unknown
}

/** Groups rows, ascending by day, into histories by meter. */
export function factHistories(rows: readonly FactRow[]): Map<string, FactsOfMeter> {
  const meters = new Map<string, FactsOfMeter>()
  for (const { MeterID, fact, from, value } of rows) {
    const known = meters.get(MeterID) ?? {}
    meters.set(MeterID, known)
    const history = (known[fact] ??= []) as DatedValue<unknown>[]
    history.push({ from, value })
  }
  return meters
}

/** Reads the history of one fact of a meter, ascending; empty if there is none. */
export async function historyOfFact<F extends StoredFact>(
  db: Db,
  { tenant, HomeID, MeterID }: MeterKey,
  fact: F,
): Promise<DatedValue<FactValues[F]>[]> {
  return db.query<DatedValue<FactValues[F]>>(sql`select from_day as from, value from meter_facts
    where tenant = ${tenant} and home_id = ${HomeID} and meter_key = ${MeterID} and fact = ${fact} order by 1`)
}

/** Stores a fact from a day on; the caller holds the lock of `lockMeterFacts`. `by` is null for the gateway itself. */
export async function upsertFact<F extends StoredFact>(
  db: Db,
  { tenant, HomeID, MeterID }: MeterKey,
  fact: F,
  { from, value }: DatedValue<FactValues[F]>,
  { by, at }: { by: string | null; at: number },
): Promise<void> {
  await db.query(sql`insert into meter_facts (tenant, home_id, meter_key, fact, from_day, value, by, at)
    values (${tenant}, ${HomeID}, ${MeterID}, ${fact}, ${from}::int, ${JSON.stringify(value)}::jsonb, ${by}, ${at}::bigint)
    on conflict (tenant, home_id, meter_key, fact, from_day)
    do update set value = excluded.value, by = excluded.by, at = excluded.at`)
}

/** Deletes the one entry of a fact that begins on a day, not those after it; without `from`, all of its history. */
export async function deleteFact(
  db: Db,
  { tenant, HomeID, MeterID }: MeterKey,
  fact: StoredFact,
  from?: number,
): Promise<void> {
  await db.query(sql`delete from meter_facts where tenant = ${tenant} and home_id = ${HomeID}
    and meter_key = ${MeterID} and fact = ${fact} ${from === undefined ? empty : sql`and from_day = ${from}::int`}`)
}

/**
 * Locks the facts and the meter tree of a home until the transaction ends; to be acquired before other locks.
 *
 * returns  time zone of the home, IANA
 * errors   NOT_FOUND
 */
export async function lockMeterFacts(db: Db, tenant: string, HomeID: string): Promise<{ zone: string }> {
  const [home] = await db.query<{ zone: string }>(sql`select time_zone as zone from homes
    where tenant = ${tenant} and home_id = ${HomeID} for no key update`)
  if (!home) throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
  return home
}

/** First day of a fact as calls write it: null if it was always valid. */
export const dateOf = (from: number): string | null => (from === SINCE_ALWAYS ? null : formatDay(from))

/** Parses the first day of a fact to a day number. */
export const parseInputDay = (From: string | null): number => (From === null ? SINCE_ALWAYS : parseDay(From))

/** Rejects days in the future, in local time. Errors: INVALID with `future`. */
export function assertNotFuture(from: number, now: number, zone: string): void {
  if (from > dayOf(now, zone))
    throw new GatewayError('INVALID', 'This day has not come yet', { From: 'future' })
}

/** Compares the history that the caller saw, if given, with the present one. Errors: CONFLICT. */
export function assertSeenVersion(
  seen: readonly { From: string | null; Value: unknown }[] | undefined,
  history: readonly DatedValue<unknown>[],
): void {
  const statedHistory = history.map(({ from, value }) => ({ From: dateOf(from), Value: value }))
  if (seen !== undefined && !isDeepStrictEqual(seen, statedHistory))
    throw new GatewayError('CONFLICT', 'Somebody else has changed this history', { Seen: 'changed' })
}
