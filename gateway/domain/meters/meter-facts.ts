import {
  type DatedValue,
  type FactValues,
  type StoredFact,
  valueOn,
} from '../../../contract/meters/meter-facts.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, empty, sql } from '../../store/db.ts'

/** The histories of one meter; a fact of which nothing is said is absent. */
export type FactsOfMeter = { [F in StoredFact]?: DatedValue<FactValues[F]>[] }

/** What holds of the meters of a home, by meter and day. */
export interface HomeFacts {
  /** By the meter's id (`MeterID`). */
  meters: ReadonlyMap<string, FactsOfMeter>
  /** What holds of a meter on a day; undefined where nothing is said. */
  on<F extends StoredFact>(meterKey: string, fact: F, day: number): FactValues[F] | undefined
}

/** Names a meter of a home. */
export interface MeterKey {
  tenant: string
  HomeID: string
  MeterID: string
}

/** The facts of a home's meters. */
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

/** A row of what is said of a meter; `from` as `dayOf` numbers days. */
export interface FactRow {
  MeterID: string
  fact: StoredFact
  from: number
  value: unknown
}

/** Rows, ascending by day, as the histories of each meter. */
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

/** The history of one fact of a meter, ascending; empty where nothing is said. */
export async function historyOfFact<F extends StoredFact>(
  db: Db,
  { tenant, HomeID, MeterID }: MeterKey,
  fact: F,
): Promise<DatedValue<FactValues[F]>[]> {
  return db.query<DatedValue<FactValues[F]>>(sql`select from_day as from, value from meter_facts
    where tenant = ${tenant} and home_id = ${HomeID} and meter_key = ${MeterID} and fact = ${fact} order by 1`)
}

/** Says what holds of a meter from a day on; whoever calls holds the home's meters. `by` null for the gateway itself. */
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

/** Forgets what is said of a fact from a day on, or all of its history. */
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
 * Nobody else changes facts of the home, or its meter tree, until the transaction ends. Whoever holds it begins with this.
 *
 * returns  the home's clock, IANA
 * errors   NOT_FOUND
 */
export async function lockMeterFacts(db: Db, tenant: string, HomeID: string): Promise<{ zone: string }> {
  const [home] = await db.query<{ zone: string }>(sql`select time_zone as zone from homes
    where tenant = ${tenant} and home_id = ${HomeID} for no key update`)
  if (!home) throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
  return home
}
