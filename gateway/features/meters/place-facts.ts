import { MAX_HISTORY_ENTRIES } from '../../../contract/meters/fact-calls.ts'
import type { PlaceFact, placeFacts } from '../../../contract/homes/place-facts-calls.ts'
import type { PlaceFactName } from '../../../contract/homes/place-facts.ts'
import type { DatedValue } from '../../../contract/meters/meter-facts.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import {
  dateOf,
  parseInputDay,
  assertNotFuture,
  assertSeenVersion,
  lockMeterFacts,
} from '../../domain/meters/meter-facts.ts'
import { findHome, lockRoom } from '../../domain/homes/find-home.ts'
import { type Db, empty, type Sql, sql } from '../../kernel/db.ts'

/** Key of a fact of a home (RoomID null) or a room. */
interface FactKey {
  HomeID: string
  RoomID: number | null
  Fact: PlaceFactName
}

export const placeFactHandlers: HandlersOf<typeof placeFacts> = {
  listPlaceFact: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return select(db, sql`tenant = ${actor.tenant} and home_id = ${HomeID}`)
  },

  setPlaceFact: async ({ Value, From, Seen, ...key }, context) => {
    const { db, actor, clock } = context
    const { zone } = await lockMeterFacts(db, actor.tenant, key.HomeID)
    if (key.RoomID !== null) await lockRoom(db, actor.tenant, key.HomeID, key.RoomID)
    const before = await readHistory(db, actor.tenant, key)
    assertSeenVersion(Seen, before)
    const from = parseInputDay(From)
    assertNotFuture(from, clock.now(), zone)
    if (From === null) await deleteFacts(db, actor.tenant, key)
    else if (before.length >= MAX_HISTORY_ENTRIES && !before.some((one) => one.from === from))
      throw new GatewayError('LIMIT_EXCEEDED', `A fact has at most ${MAX_HISTORY_ENTRIES} days`)
    await db.query(sql`
      insert into place_facts (tenant, home_id, room_id, fact, from_day, value, by, at)
      values (${actor.tenant}, ${key.HomeID}, ${key.RoomID}::int, ${key.Fact}, ${from}::int, ${JSON.stringify(Value)}::jsonb,
        ${actor.name}, ${clock.now()}::bigint)
      on conflict (tenant, home_id, room_id, fact, from_day)
      do update set value = excluded.value, by = excluded.by, at = excluded.at`)
    return finish(context, key, before)
  },

  deletePlaceFact: async ({ From, Seen, ...key }, context) => {
    const { db, actor } = context
    await lockMeterFacts(db, actor.tenant, key.HomeID)
    const before = await readHistory(db, actor.tenant, key)
    assertSeenVersion(Seen, before)
    const from = parseInputDay(From)
    if (!before.some((one) => one.from === from))
      throw new GatewayError('NOT_FOUND', 'Nothing is said from this day on', { From: 'notFound' })
    await deleteFacts(db, actor.tenant, key, from)
    return finish(context, key, before)
  },
}

/** Emits the change and returns the new history. */
async function finish(
  context: SignedIn,
  key: FactKey,
  before: readonly DatedValue<unknown>[],
): Promise<PlaceFact[]> {
  const { db, actor } = context
  const after = await select(db, ofFact(actor.tenant, key))
  const { RoomID, Fact } = key
  context.audit({
    before: before.map(({ from, value }) => ({ RoomID, Fact, From: dateOf(from), Value: value })),
    after: after.map(({ From, Value }) => ({ RoomID, Fact, From, Value })),
  })
  context.change('metering.update', { HomeID: key.HomeID })
  return after
}

const ofFact = (tenant: string, { HomeID, RoomID, Fact }: FactKey): Sql =>
  sql`tenant = ${tenant} and home_id = ${HomeID} and room_id is not distinct from ${RoomID}::int and fact = ${Fact}`

const readHistory = (db: Db, tenant: string, key: FactKey): Promise<DatedValue<unknown>[]> =>
  db.query<DatedValue<unknown>>(
    sql`select from_day as from, value from place_facts where ${ofFact(tenant, key)} order by 1`,
  )

/** Deletes a fact from a day on, or its whole history. */
async function deleteFacts(db: Db, tenant: string, key: FactKey, from?: number): Promise<void> {
  await db.query(sql`delete from place_facts where ${ofFact(tenant, key)}
    ${from === undefined ? empty : sql`and from_day = ${from}::int`}`)
}

async function select(db: Db, where: Sql): Promise<PlaceFact[]> {
  const rows = await db.query<Omit<PlaceFact, 'From'> & { from: number }>(sql`
    select room_id as "RoomID", fact as "Fact", from_day as from, value as "Value", by as "By", at as "At"
    from place_facts where ${where} order by room_id nulls first, fact, from_day`)
  return rows.map(({ from, ...row }) => ({ ...row, From: dateOf(from) }))
}
