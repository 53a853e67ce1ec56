import { capabilityOf, deviceTypes } from '../../../contract/devices/kinds/registry.ts'
import {
  SINCE_ALWAYS,
  type DatedValue,
  type FactValues,
  type MeterFactName,
} from '../../../contract/meters/meter-facts.ts'
import { mayHangBelow } from '../../../contract/devices/meter-roles.ts'
import { loopIn } from '../../../contract/meters/meter-tree.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { HomeTree } from '../../domain/meters/home-tree.ts'
import type { MeterKey } from '../../domain/meters/meter-facts.ts'
import { type Db, sql } from '../../kernel/db.ts'

const METER_TYPES = deviceTypes.map(({ type }) => type).filter((type) => capabilityOf(type, 'meter'))

/** Validates the new history of a fact; `treeOf` returns the home's present meters. Errors: NOT_FOUND, CONFLICT, INVALID. */
export async function validateFact(
  db: Db,
  key: MeterKey,
  fact: MeterFactName,
  history: readonly DatedValue<unknown>[],
  treeOf: () => Promise<HomeTree>,
): Promise<void> {
  if (fact === 'room') await checkRooms(db, key, history as readonly DatedValue<number>[])
  if (fact === 'parent') checkParents(await treeOf(), key, history as readonly DatedValue<string | null>[])
  if (fact === 'parent' || fact === 'role') checkRoles(await treeOf(), key)
  if (fact === 'terms') await checkTerms(db, key, history as readonly DatedValue<FactValues['terms']>[])
}

/** Checks that terms are present or former meters of the home. */
async function checkTerms(
  db: Db,
  { tenant, HomeID }: MeterKey,
  history: readonly DatedValue<FactValues['terms']>[],
): Promise<void> {
  const meterIds = [
    ...new Set(history.flatMap(({ value }) => value.map(({ PeripheralUID }) => PeripheralUID))),
  ]
  const found = await db.query<{ uid: string }>(sql`
    select peripheral_uid as uid from peripherals where tenant = ${tenant} and home_id = ${HomeID}
      and peripheral_uid = any(${meterIds}) and peripheral_type = any(${METER_TYPES})
    union select peripheral_uid from meters
      where tenant = ${tenant} and home_id = ${HomeID} and peripheral_uid = any(${meterIds})`)
  if (found.length < meterIds.length)
    throw new GatewayError('NOT_FOUND', 'A term is not a meter of this home', { Value: 'notFound' })
}

/** Checks that the present room exists. */
async function checkRooms(
  db: Db,
  { tenant, HomeID }: MeterKey,
  history: readonly DatedValue<number>[],
): Promise<void> {
  const last = history.at(-1)
  if (!last) return
  const found = await db.query(sql`select 1 from rooms
    where tenant = ${tenant} and home_id = ${HomeID} and room_id = ${last.value} for share`)
  if (!found.length)
    throw new GatewayError('NOT_FOUND', `Room ${last.value} of home ${HomeID} does not exist`, {
      Value: 'notFound',
    })
}

/** Checks that parents are present or former meters of the home, and that on no day a meter is its own ancestor. */
function checkParents(
  { facts, parents, parentOn }: HomeTree,
  { MeterID }: MeterKey,
  history: readonly DatedValue<string | null>[],
): void {
  const meterIds = [...new Set(history.flatMap(({ value }) => value ?? []))]
  if (meterIds.some((uid) => !parents.has(uid)))
    throw new GatewayError('NOT_FOUND', 'The parent is not a meter of this home', { Value: 'notFound' })
  const days = [...facts.meters.values()].flatMap(({ parent = [] }) => parent.map(({ from }) => from))
  for (const day of new Set(days)) {
    const parentsThen = new Map([...parents.keys()].map((uid) => [uid, parentOn(uid, day)]))
    if (loopIn(parentsThen, MeterID))
      throw new GatewayError('CONFLICT', 'A meter cannot stand above itself', { Value: 'loop' })
  }
}

/** Checks that on every day a meter is below one of its role, or a load below the import that feeds it (`mayHangBelow`). */
function checkRoles({ facts, parents, parentOn, roleOn }: HomeTree, { MeterID }: MeterKey): void {
  const days = new Set([SINCE_ALWAYS])
  for (const { role = [], parent = [] } of facts.meters.values())
    for (const { from } of [...role, ...parent]) days.add(from)
  for (const day of days)
    for (const uid of new Set([...parents.keys(), MeterID])) {
      const parent = parentOn(uid, day)
      if (parent === null || (uid !== MeterID && parent !== MeterID)) continue
      const [role, parentRole] = [roleOn(uid, day), roleOn(parent, day)]
      // A virtual meter without a role has no place in the tree.
      if (role === undefined || (parentRole !== undefined && mayHangBelow(role, parentRole))) continue
      throw new GatewayError('INVALID', `Meter ${uid} cannot stand below ${parent} in its role`, {
        ParentMeter: 'role',
      })
    }
}

/** Suffix of the id of a meter's second register. */
const RETURN = '.return'

/** Facts that only a counter has. */
const COUNTED: readonly MeterFactName[] = ['limit']

/** A meter whose facts are read or changed, with the room and parent of its device. */
export interface FactMeter {
  /** Null before its first reading, and for a virtual meter. */
  meterId: number | null
  /** UID of the device, without the register. */
  PeripheralUID: string
  roomId: number
  parent: string | null
  isVirtual: boolean
  /** Terms of a virtual meter; null for others. */
  terms: FactValues['terms'] | null
}

/**
 * Finds a present or former meter of the home, or a virtual one.
 *
 * errors  NOT_FOUND; INVALID for a fact that this kind of meter does not have
 */
export async function findFactMeter(
  db: Db,
  { tenant, HomeID, MeterID }: MeterKey,
  fact: MeterFactName,
): Promise<FactMeter> {
  const uid = MeterID.endsWith(RETURN) ? MeterID.slice(0, -RETURN.length) : MeterID
  const [found] = await db.query<Omit<FactMeter, 'PeripheralUID'> & { type: string | null }>(sql`
    select m.meter_id as "meterId", coalesce(p.peripheral_type, b.peripheral_type) as type,
      coalesce(p.room_id, b.room_id, 0) as "roomId", coalesce(p.parent_meter, b.parent_meter) as parent,
      v.virtual_meter_id is not null as "isVirtual", v.terms
    from (select ${tenant}::uuid as tenant, ${HomeID} as home_id, ${uid} as uid, ${MeterID} as key) w
    left join meters m on m.tenant = w.tenant and m.home_id = w.home_id and m.peripheral_uid = w.key
    left join meters b on b.tenant = w.tenant and b.home_id = w.home_id and b.peripheral_uid = w.uid
    left join peripherals p on p.tenant = w.tenant and p.home_id = w.home_id and p.peripheral_uid = w.uid
    left join virtual_meters v on v.tenant = w.tenant and v.home_id = w.home_id and v.virtual_meter_id = w.key`)
  const isMeter =
    found !== undefined &&
    (found.isVirtual || found.meterId !== null || capabilityOf(found.type ?? '', 'meter') !== undefined)
  if (!isMeter)
    throw new GatewayError('NOT_FOUND', `Meter ${MeterID} does not exist`, { MeterID: 'notFound' })
  // A virtual meter has no counter of its own, and only virtual meters have terms.
  if (found.isVirtual ? COUNTED.includes(fact) : fact === 'terms')
    throw new GatewayError('INVALID', `Nothing can be said of the ${fact} of this meter`, { Fact: 'invalid' })
  const { type: _, ...meter } = found
  return { ...meter, PeripheralUID: uid }
}
