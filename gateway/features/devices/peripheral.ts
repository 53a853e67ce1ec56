import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import {
  answeredPeripheral,
  type DeviceSnapshot,
  Peripheral,
  type PeripheralKey,
  type peripheral,
} from '../../../contract/devices/peripheral.ts'
import type { InputOf } from '../../../contract/kernel/define-endpoint.ts'
import { Thing, type ThingWithState } from '../../../contract/devices/thing.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf, inHomes } from '../../store/sql.ts'
import { type Db, type Sql, join, sql } from '../../kernel/db.ts'
import { lockMeterFacts, factsOfHome } from '../../domain/meters/meter-facts.ts'
import { transferMeters, previouslyMetered, restoreMeters } from '../../domain/meters/move-meter.ts'
import { findHome, lockHome, lockRoom } from '../../domain/homes/find-home.ts'
import { assertUnchanged } from '../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'
import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import { defaultRoleOf, mayHangBelow } from '../../../contract/devices/meter-roles.ts'
import type { Groups, ModbusTables } from './ports.ts'

export const peripheralHandlers = ({
  findModbusTable,
  removeFromGroups,
  onDevicesRemoved,
  onDevicesAdded,
  assertControlOfRooms,
}: ModbusTables & Groups): HandlersOf<typeof peripheral.operations> => ({
  list: async ({ HomeID }, { db, actor, homes }) => {
    if (HomeID !== undefined) await findHome(db, actor.tenant, HomeID)
    const visible = HomeID === undefined ? homes() : [HomeID]
    return snapshot(db, actor.tenant, sql`and ${inHomes(visible, sql`d.home_id`)}`)
  },

  get: async (key, { db, actor }) => {
    const one = sql`and d.home_id = ${key.HomeID} and d.peripheral_uid = ${key.PeripheralUID}`
    const [record] = await db.query<Peripheral>(
      sql`select ${columnsOf(Peripheral, 'd')} from peripherals d where d.tenant = ${actor.tenant} ${one}`,
    )
    if (!record) throw notFound(key)
    const ModbusTable =
      record.ModbusTableID === null ? null : await findModbusTable(db, actor.tenant, record.ModbusTableID)
    const [status] = await statuses(db, actor.tenant, one)
    return { Peripheral: { ...answeredPeripheral(record), ModbusTable }, Status: status ?? null }
  },

  create: async (input, context) =>
    (await addPeripherals({ onDevicesAdded, assertControlOfRooms })(input, context)).map(answeredPeripheral),

  update: async ({ HomeID, PeripheralUID, Seen, ...changes }, context) => {
    const { db, actor } = context
    if (changes.RoomID !== undefined) {
      await lockMeterFacts(db, actor.tenant, HomeID)
      await lockRoom(db, actor.tenant, HomeID, changes.RoomID)
    }
    const before = await lockPeripheral({ HomeID, PeripheralUID }, context)
    assertUnchanged(Seen, before)
    const after: Peripheral = { ...before, ...changes }
    if (after.RoomID !== before.RoomID)
      await assertControlOfRooms(context, HomeID, [{ ...after, rooms: [before.RoomID, after.RoomID] }])
    await db.query(sql`update peripherals set peripheral_name = ${after.PeripheralName}, room_id = ${after.RoomID}
      where tenant = ${actor.tenant} and peripheral_uid = ${PeripheralUID}`)
    await transferMeters(context, HomeID, [{ before, after }])
    context.change('peripheral.update', after)
    context.audit({ before, after })
    return answeredPeripheral(after)
  },

  remove: removePeripheral({ removeFromGroups, onDevicesRemoved }),
})

/** Adds devices that hubs announced to a room, all or none. Errors: NOT_FOUND, CONFLICT. */
export const addPeripherals =
  ({ onDevicesAdded, assertControlOfRooms }: Pick<Groups, 'onDevicesAdded' | 'assertControlOfRooms'>) =>
  async (input: InputOf<typeof peripheral.operations.create>, context: SignedIn): Promise<Peripheral[]> => {
    const { db, actor, clock } = context
    await lockMeterFacts(db, actor.tenant, input.HomeID)
    await lockRoom(db, actor.tenant, input.HomeID, input.RoomID)
    await lockDiscovered(db, actor.tenant, input)
    const found: Peripheral[] = []
    const uids = input.Peripherals.map(({ PeripheralUID }) => PeripheralUID)
    const returned = await previouslyMetered(context, input.HomeID, uids)
    for (const [index, { PeripheralUID, PeripheralName }] of input.Peripherals.entries()) {
      const adding = db.query<Peripheral>(sql`
      with found as (delete from discoveries
        where tenant = ${actor.tenant} and home_id = ${input.HomeID} and peripheral_uid = ${PeripheralUID} returning *)
      insert into peripherals as d
        (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, room_id, thing_name, created_at, role)
      select tenant, peripheral_uid, peripheral_type, ${PeripheralName}, home_id, ${input.RoomID}::int, thing_name,
        ${clock.now()}::bigint, (select value #>> '{}' from meter_facts f where f.tenant = found.tenant
          and f.home_id = found.home_id and f.meter_key = found.peripheral_uid and f.fact = 'role'
          order by from_day desc limit 1) from found
      returning ${columnsOf(Peripheral, 'd')}`)
      // Its hub may have announced it again concurrently.
      const uid = `Peripherals.${index}.PeripheralUID`
      const [record] = await conflictOnUniqueViolation(
        uid,
        `Device ${PeripheralUID} was added already`,
        adding,
      )
      if (!record)
        throw new GatewayError('NOT_FOUND', `Device ${PeripheralUID} was not discovered in this home`, {
          [uid]: 'notDiscovered',
        })
      found.push(record)
    }
    await assertControlOfRooms(
      context,
      input.HomeID,
      found.map((record) => ({ ...record, rooms: [record.RoomID] })),
    )
    const added = await placeMeters(found, input.Peripherals, context)
    await restoreMeters(context, input.HomeID, returned, added)
    for (const record of added) context.change('peripheral.add', record)
    await onDevicesAdded(context, uids)
    context.audit({ after: added })
    return added
  }

/** Removes a device; one that its hub still serves can be added again at once. Errors: NOT_FOUND. */
export const removePeripheral =
  ({ removeFromGroups, onDevicesRemoved }: Pick<Groups, 'removeFromGroups' | 'onDevicesRemoved'>) =>
  async (key: PeripheralKey, context: SignedIn): Promise<PeripheralKey> => {
    const { db, actor, clock } = context
    await lockHome(db, actor.tenant, key.HomeID)
    // Lock order: the hub before its device, as the hub is read again when the device becomes discovered.
    await db.query(sql`select 1 from things where thing_name = (select thing_name from peripherals
    where tenant = ${actor.tenant} and home_id = ${key.HomeID} and peripheral_uid = ${key.PeripheralUID}) for key share`)
    const before = await lockPeripheral(key, context)
    await removeFromGroups(context, [key.PeripheralUID])
    await db.query(
      sql`delete from peripherals where tenant = ${actor.tenant} and peripheral_uid = ${key.PeripheralUID}`,
    )
    await onDevicesRemoved(context, [key.PeripheralUID])
    deletePicture(before, context)
    context.change('peripheral.remove', key)
    if (before.ThingName !== null) {
      // Its hub still serves it, so it becomes discovered again.
      const found = {
        PeripheralUID: before.PeripheralUID,
        PeripheralType: before.PeripheralType,
        PeripheralName: before.PeripheralName,
        HomeID: before.HomeID,
        ThingName: before.ThingName,
        DiscoveredAt: clock.now(),
      }
      await db.query(sql`insert into discoveries
        (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, discovered_at)
      values (${join([actor.tenant, ...Object.values(found)])}) on conflict do nothing`)
      context.change('discovery.add', found)
    }
    context.audit({ before })
    return key
  }

/** Reads a device and locks it until the transaction ends. Errors: NOT_FOUND. */
export async function lockPeripheral(key: PeripheralKey, { db, actor }: SignedIn): Promise<Peripheral> {
  await lockHome(db, actor.tenant, key.HomeID)
  const [record] = await db.query<Peripheral>(sql`select ${columnsOf(Peripheral)} from peripherals
    where tenant = ${actor.tenant} and home_id = ${key.HomeID} and peripheral_uid = ${key.PeripheralUID} for update`)
  if (!record) throw notFound(key)
  return record
}

/** Sets the parents of new meters; a parent may be one of them. Errors: NOT_FOUND, CONFLICT. */
async function placeMeters(
  added: readonly Peripheral[],
  inputs: readonly Partial<Pick<Peripheral, 'ParentMeter'>>[],
  { db, actor }: SignedIn,
): Promise<Peripheral[]> {
  const placedPeripherals: Peripheral[] = []
  for (const [index, before] of added.entries()) {
    const { ParentMeter = null } = inputs[index] ?? {}
    const record = { ...before, ParentMeter }
    placedPeripherals.push(record)
    if (ParentMeter === null) continue
    await assertParentMeter(db, actor.tenant, record, `Peripherals.${index}.ParentMeter`)
    await db.query(sql`update peripherals set parent_meter = ${ParentMeter}
      where tenant = ${actor.tenant} and peripheral_uid = ${record.PeripheralUID}`)
  }
  return placedPeripherals
}

/** Locks discovered devices and, before them, their hubs; each kind in a fixed order. */
async function lockDiscovered(
  db: Db,
  tenant: string,
  { HomeID, Peripherals }: { HomeID: string; Peripherals: readonly { PeripheralUID: string }[] },
): Promise<void> {
  const devicesOfHome = sql`tenant = ${tenant} and home_id = ${HomeID}
    and peripheral_uid = any(${Peripherals.map(({ PeripheralUID }) => PeripheralUID)})`
  await db.query(sql`select 1 from things where thing_name in (select thing_name from discoveries where ${devicesOfHome})
    order by thing_name for key share`)
  await db.query(sql`select 1 from discoveries where ${devicesOfHome} order by peripheral_uid for update`)
}

/** Deletes the device's picture after the change commits. */
export function deletePicture(
  { PeripheralImageUrl }: Pick<Peripheral, 'PeripheralImageUrl'>,
  context: Pick<SignedIn, 'emit'>,
): void {
  if (PeripheralImageUrl !== null) context.emit('pictureDropped', { imageUrl: PeripheralImageUrl })
}

const notFound = (key: PeripheralKey) =>
  new GatewayError('NOT_FOUND', `Device ${key.PeripheralUID} does not exist`)

/** Hubs, devices and their last status; `where` restricts rows aliased d, by home or room. */
export async function snapshot(db: Db, tenant: string, where: Sql): Promise<DeviceSnapshot> {
  const Things = await db.query<ThingWithState>(sql`
    select ${columnsOf(Thing, 'd')}, d.online as "Online", d.seen_at as "SeenAt"
    from things d where d.tenant = ${tenant} ${where} order by lower(d.device_name), d.thing_name`)
  const Peripherals = await db.query<Peripheral>(sql`
    select ${columnsOf(Peripheral, 'd')} from peripherals d
    where d.tenant = ${tenant} ${where} order by lower(d.peripheral_name), d.peripheral_uid`)
  return {
    Things,
    Peripherals: Peripherals.map(answeredPeripheral),
    Statuses: await statuses(db, tenant, where),
  }
}

const statuses = async (db: Db, tenant: string, where: Sql): Promise<DeviceStatus[]> => {
  const rows = await db.query<{ status: DeviceStatus }>(sql`
    select s.values || jsonb_build_object('PeripheralUID', s.peripheral_uid, 'PeripheralType', s.peripheral_type,
      'Timestamp', s.timestamp, 'updateAt', s.updated_at) as status
    from device_status s join peripherals d on d.tenant = s.tenant and d.peripheral_uid = s.peripheral_uid
    where s.tenant = ${tenant} ${where}`)
  return rows.map((row) => row.status)
}

/**
 * Checks that a parent is another meter of the same home and closes no loop.
 *
 * field   field of the input that names the parent
 * errors  NOT_FOUND; CONFLICT; INVALID for a meter whose role does not fit its parent's
 */
export async function assertParentMeter(
  db: Db,
  tenant: string,
  { HomeID, PeripheralUID, ParentMeter }: Pick<Peripheral, 'HomeID' | 'PeripheralUID' | 'ParentMeter'>,
  field = 'ParentMeter',
): Promise<void> {
  const ancestors = await db.query<{ uid: string; type: string }>(sql`
    with recursive above as (
      select peripheral_uid, peripheral_type, parent_meter from peripherals
      where tenant = ${tenant} and home_id = ${HomeID} and peripheral_uid = ${ParentMeter}
      union
      select p.peripheral_uid, p.peripheral_type, p.parent_meter from peripherals p
      join above on p.peripheral_uid = above.parent_meter where p.tenant = ${tenant})
    select peripheral_uid as uid, peripheral_type as type from above`)
  const parent = ancestors.find(({ uid }) => uid === ParentMeter)
  if (!parent || !capabilityOf(parent.type, 'meter'))
    throw new GatewayError('NOT_FOUND', 'The parent is not a meter of this home', { [field]: 'notFound' })
  if (ancestors.some(({ uid }) => uid === PeripheralUID))
    throw new GatewayError('CONFLICT', 'A meter cannot stand above itself', { [field]: 'loop' })
  const { on } = await factsOfHome(db, tenant, HomeID)
  const roleOf = (uid: string) => on(uid, 'role', Infinity) ?? defaultRoleOf(uid)
  if (!mayHangBelow(roleOf(PeripheralUID), roleOf(parent.uid)))
    throw new GatewayError('INVALID', 'The roles of these meters do not go together', { [field]: 'role' })
}
