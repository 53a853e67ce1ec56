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
