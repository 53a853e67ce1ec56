import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { dayOf } from '../../../contract/time/periods.ts'
import { SINCE_ALWAYS, valueOn } from '../../../contract/meters/meter-facts.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { sql } from '../../kernel/db.ts'
import { deleteFact, factsOfHome, historyOfFact, type MeterKey, upsertFact } from './meter-facts.ts'

interface Move {
  before: Peripheral
  after: Peripheral
}

const PLACES = [
  { fact: 'room', field: 'RoomID' },
  { fact: 'parent', field: 'ParentMeter' },
] as const

/**
 * Records the new room and parent of moved meters from today on, in local time; earlier energy keeps its place. A meter without readings
 * has no history. The caller holds the lock of `lockMeterFacts`.
 */
export async function transferMeters(
  context: SignedIn,
  HomeID: string,
  moves: readonly Move[],
): Promise<void> {
  const { db, actor, clock } = context
  const relevant = moves.filter(
    ({ before, after }) =>
      capabilityOf(after.PeripheralType, 'meter') !== undefined &&
      PLACES.some(({ field }) => before[field] !== after[field]),
  )
  if (relevant.length === 0) return
  const [home] = await db.query<{ zone: string }>(
    sql`select time_zone as zone from homes where tenant = ${actor.tenant} and home_id = ${HomeID}`,
  )
  const today = dayOf(clock.now(), home?.zone ?? 'UTC')
  const counted = await db.query<{ uid: string }>(sql`select peripheral_uid as uid from meters
    where tenant = ${actor.tenant} and home_id = ${HomeID}
      and peripheral_uid = any(${relevant.map(({ after }) => after.PeripheralUID)})`)
  for (const { before, after } of relevant)
    for (const { fact, field } of PLACES) {
      const key = { tenant: actor.tenant, HomeID, MeterID: after.PeripheralUID }
      if (before[field] === after[field]) continue
      await place(context, key, fact, {
        previous: before[field],
        current: after[field],
        today,
        counted: counted.some(({ uid }) => uid === after.PeripheralUID),
      })
    }
}

async function place(
  { db, actor, clock }: SignedIn,
  key: MeterKey,
  fact: 'room' | 'parent',
  {
    previous,
    current,
    today,
    counted,
  }: { previous: number | string | null; current: number | string | null; today: number; counted: boolean },
): Promise<void> {
  const history = await historyOfFact(db, key, fact)
  if (history.length === 0 && !counted) return
  const at = clock.now()
  const putFact = (from: number, value: number | string | null, by: string | null) =>
    upsertFact(db, key, fact, { from, value: value as never }, { by, at })
  if (history.length === 0) await putFact(SINCE_ALWAYS, previous, null)
  // Moved back to yesterday's place: no entry is needed.
  if (valueOn(history, today - 1) === current) await deleteFact(db, key, fact, today)
  else await putFact(today, current, actor.name)
}

/** Meter that was a device of the home before: its id, and time of removal. */
interface Returned {
  uid: string
  removedAt: number
}

/** Devices to be added that were meters of the home before. */
export const previouslyMetered = (
  { db, actor }: SignedIn,
  HomeID: string,
  uids: readonly string[],
): Promise<Returned[]> =>
  db.query<Returned>(sql`select peripheral_uid as uid, removed_at as "removedAt" from meters
    where tenant = ${actor.tenant} and home_id = ${HomeID} and peripheral_uid = any(${uids as string[]})
      and removed_at is not null`)

/**
 * Records the new place of re-added meters from today on. Meters that were below one until its removal have been at the top since, as
 * their devices state.
 */
export async function restoreMeters(
  context: SignedIn,
  HomeID: string,
  returned: readonly Returned[],
  added: readonly Peripheral[],
): Promise<void> {
  if (returned.length === 0) return
  const { db, actor } = context
  const facts = await factsOfHome(db, actor.tenant, HomeID)
  const lastFactOf = <F extends 'room' | 'parent'>(uid: string, fact: F) => facts.on(uid, fact, Infinity)
  await transferMeters(
    context,
    HomeID,
    added.map((after) => {
      const [room, parent] = [
        lastFactOf(after.PeripheralUID, 'room'),
        lastFactOf(after.PeripheralUID, 'parent'),
      ]
      return {
        before: {
          ...after,
          ...(room !== undefined && { RoomID: room }),
          ...(parent !== undefined && { ParentMeter: parent }),
        },
        after,
      }
    }),
  )
  const children = await db.query<{ uid: string; parent: string }>(sql`
    select p.peripheral_uid as uid, m.parent_meter as parent from peripherals p
    join meters m on m.tenant = p.tenant and m.home_id = p.home_id and m.peripheral_uid = p.peripheral_uid
    where p.tenant = ${actor.tenant} and p.home_id = ${HomeID} and p.parent_meter is null
      and m.parent_meter = any(${returned.map(({ uid }) => uid)})`)
  for (const { uid, parent } of children) {
    if ((lastFactOf(uid, 'parent') ?? parent) !== parent) continue
    const key = { tenant: actor.tenant, HomeID, MeterID: uid }
    const { removedAt } = returned.find((one) => one.uid === parent) as Returned
    await raiseMeter(context, key, parent, removedAt)
  }
}

/** Moves a meter to the top from the day after the removal of its parent. */
async function raiseMeter(
  { db, clock }: SignedIn,
  key: MeterKey,
  parent: string,
  removedAt: number,
): Promise<void> {
  const at = clock.now()
  const [home] = await db.query<{ zone: string }>(
    sql`select time_zone as zone from homes where tenant = ${key.tenant} and home_id = ${key.HomeID}`,
  )
  const zone = home?.zone ?? 'UTC'
  const from = Math.min(dayOf(at, zone), dayOf(removedAt, zone) + 1)
  const history = await historyOfFact(db, key, 'parent')
  if (history.length === 0)
    await upsertFact(db, key, 'parent', { from: SINCE_ALWAYS, value: parent }, { by: null, at })
  if ((history.at(-1)?.from ?? SINCE_ALWAYS) < from)
    await upsertFact(db, key, 'parent', { from, value: null }, { by: null, at })
}
