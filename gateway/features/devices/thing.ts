import { Peripheral } from '../../../contract/devices/peripheral.ts'
import { Thing, type ThingKey, type thing } from '../../../contract/devices/thing.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf } from '../../store/sql.ts'
import { sql } from '../../kernel/db.ts'
import { lockHome, lockRoom } from '../../domain/homes/find-home.ts'
import { createHubSecret } from '../../domain/devices/hub-secret.ts'
import { deletePicture } from './peripheral.ts'
import type { Groups } from './ports.ts'
import { assertUnchanged } from '../../lib/assert-version.ts'

export const thingHandlers = ({
  removeFromGroups,
  onDevicesRemoved,
}: Groups): HandlersOf<typeof thing.operations> => ({
  create: async (input, context) => {
    const { db, actor, clock, random } = context
    await lockRoom(db, actor.tenant, input.HomeID, input.RoomID)
    const record: Thing = { ThingName: `hub-${random.uuid()}`, ...input }
    const { secret, hash } = createHubSecret(random)
    await db.query(sql`insert into things (tenant, thing_name, device_name, home_id, room_id, secret_hash, created_at)
      values (${actor.tenant}, ${record.ThingName}, ${record.DeviceName}, ${record.HomeID}, ${record.RoomID},
        ${hash}, ${clock.now()})`)
    context.emit('hubSecretMade', {
      tenant: actor.tenant,
      homeId: record.HomeID,
      thingName: record.ThingName,
    })
    context.change('thing.add', { ...record, Online: false, SeenAt: null })
    context.audit({ after: record })
    return { ...record, Secret: secret }
  },

  update: async ({ HomeID, ThingName, Seen, ...changes }, context) => {
    const { db, actor } = context
    if (changes.RoomID !== undefined) await lockRoom(db, actor.tenant, HomeID, changes.RoomID)
    const before = await lockThing({ HomeID, ThingName }, context)
    assertUnchanged(Seen, before)
    const after: Thing = { ...before, ...changes }
    await db.query(sql`update things set device_name = ${after.DeviceName}, room_id = ${after.RoomID}
      where tenant = ${actor.tenant} and thing_name = ${ThingName}`)
    context.change('thing.update', after)
    context.audit({ before, after })
    return after
  },

  remove: async (key, context) => {
    const { db, actor } = context
    const before = await lockThing(key, context)
    const devices = await db.query<{ uid: string }>(sql`select peripheral_uid as uid from peripherals
      where tenant = ${actor.tenant} and thing_name = ${key.ThingName} order by peripheral_uid for update`)
    await removeFromGroups(
      context,
      devices.map(({ uid }) => uid),
    )
    const peripherals = await db.query<Peripheral>(sql`delete from peripherals
      where tenant = ${actor.tenant} and thing_name = ${key.ThingName} returning ${columnsOf(Peripheral)}`)
    await db.query(sql`delete from things where tenant = ${actor.tenant} and thing_name = ${key.ThingName}`)
    await onDevicesRemoved(
      context,
      devices.map(({ uid }) => uid),
    )
    for (const peripheral of peripherals) {
      deletePicture(peripheral, context)
      context.change('peripheral.remove', { HomeID: key.HomeID, PeripheralUID: peripheral.PeripheralUID })
    }
    context.change('thing.remove', key)
    context.emit('hubRevoked', { tenant: actor.tenant, thingName: key.ThingName })
    context.audit({ before: { ...before, Devices: peripherals.length } })
    return key
  },
})

/** Reads a hub and locks it until the transaction ends. Errors: NOT_FOUND. */
export async function lockThing(key: ThingKey, { db, actor }: SignedIn): Promise<Thing> {
  await lockHome(db, actor.tenant, key.HomeID)
  const [record] = await db.query<Thing>(sql`select ${columnsOf(Thing)} from things
    where tenant = ${actor.tenant} and home_id = ${key.HomeID} and thing_name = ${key.ThingName} for update`)
  if (!record) throw new GatewayError('NOT_FOUND', `Hub ${key.ThingName} does not exist`)
  return record
}
